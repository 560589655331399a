"""Markdown that means harm, checkpoints that contain it, and the laws both must survive."""

from __future__ import annotations

from hypothesis import strategies as st

from leftoff.core.model import STATUSES, Checkpoint, Item
from leftoff.errors import FormatError

# Lines that open, close, nest or end something, belong to a format, or only look like it.
LINES = (
    *("# a", "## b", "### c ##", "- a", "- b [draft]", "1. d", "2. e", "> q", "```", "~~~", "````"),
    *("    code", "\tcode", "  text", "text", "", "", "---", "***", "===", "<!--", "-->", "<div>"),
    *("<!-- x -->", "<!-- none -->", "</div>", "<pre>", "<b>", "| a | b |", "|---|---|", "\\# x"),
    *("\\\\# x", "\\```", "\\<!--", "\\---", "- # h", "   # h", "- ```", "  ```", "- [x] t", "-"),
    *("<<<<<<< a", ">>>>>>> b", "(none)", "None", "**Branch**: x", "**Z**: q", "# Checkpoint: n"),
    *("## Problem", "## Essential Information", "### Decisions", "### Old Decisions", "## Notes"),
    *("## Decisions", "### Notes", "## Delta: 2026", "## Completion", "## Uncommitted Changes"),
    *("| File | Type | Description |", "| `a` | b | c |", "## Next Steps", "## Active task"),
    *(
        "## Restore hint",
        "checkpoint: x",
        "status: done # c",
        'k: "q" # z',
        "  - nested",
        "## front",
    ),
    *("- current-plan.md: (none found)", "- session-state: a/b", "\ufeff", "**Thread ID**: y"),
)
FRAGMENTS = (
    *(
        "[x] ",
        "[ ] ",
        "[P1] ",
        "[draft]",
        " [draft]",
        " [id: 3]",
        " [+a: b]",
        " [done_when: x [y]]",
    ),
    *("\\", "`", "`a`", "|", "\\|", "<br>", "\n", "\n  ", "# h", "- ", "---", "foo", "a b", "```"),
    *(
        "session-state: ",
        "* *",
        "\t",
        "[",
        "]",
        ": ",
        "+",
        "\\[x]",
        "\\[draft]",
        "x",
        "&#10;",
        "测试",
    ),
)
TITLES = ("Notes", "front", "lines", "Decisions", "Delta: x", "a #", "#", "", "Uncommitted Changes")
ENDS = st.sampled_from(["\n", "\n", "\r\n"])
STARTS = st.sampled_from(["", "", "\ufeff", "---\n", "---\ncheckpoint: a\n---\n"])

lines = st.sampled_from(LINES) | st.text(max_size=6)
texts = st.lists(lines, max_size=8).map("\n".join)
phrases = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=4), max_size=6).map("".join)
keys = (
    st.sampled_from(["done", "priority", "status", "draft", "id", "label", "area", "a:b"]) | phrases
)
values = phrases | st.sampled_from(
    ["x", "P1", "uncommitted", True, False, None, 3, ["a"], {"b": 1}]
)
items = st.builds(Item, phrases, phrases, st.dictionaries(keys, values, max_size=3))


@st.composite
def documents(draw):
    """A text that some program might find where a document should be."""
    end = draw(ENDS)
    body = end.join(draw(st.lists(lines, max_size=16)))
    return draw(STARTS) + body + (end if draw(st.booleans()) else "")


def _fields():
    header = st.dictionaries(st.sampled_from(["k", "status", "a: b", "Branch"]) | texts, texts)
    extra = st.dictionaries(st.sampled_from(TITLES) | texts, texts | st.integers(), max_size=2)
    extra |= st.builds(lambda a, b: {**a, "front": b, "lines": b}, extra, header)
    made = {}
    for field, value in Checkpoint("")._asdict().items():
        kinds = {tuple: st.lists(items, max_size=3).map(tuple), str: texts}
        made[field] = kinds.get(type(value), extra)
    made["id"] |= st.sampled_from(["chk-a", "2026-05-05-x", "2026-05-05T1030-y", "a/b", "x"])
    made["word"] |= st.sampled_from(["current", "active", "done"])
    made["created"] |= st.just("2026-05-05T10:00:00Z")
    return {**made, "status": st.sampled_from(STATUSES)}


FIELDS = _fields()
checkpoints = st.fixed_dictionaries({"id": FIELDS.pop("id")}, optional=FIELDS).map(
    lambda said: Checkpoint(**said)
)


def readable(lens, text, path):
    """The checkpoint of a text, or nothing."""
    try:
        return lens.read(text, path)
    except FormatError:
        return None


def obeys(lens, c, text):
    """PutGet over a text (Create when it is blank); a second write of the same changes nothing."""
    held, path = lens.hold(c), lens.path(c)
    assert lens.hold(held) == held
    assert lens.path(held) == path
    if text.strip("\ufeff \t\r\n") and readable(lens, text, path) is None:
        return
    written = lens.write(c, text, path)
    found = lens.read(written, path)
    for field in Checkpoint._fields:
        assert getattr(found, field) == getattr(held, field), (field, written)
    assert lens.write(c, written, path) == written


def keeps(lens, text, path):
    """GetPut, and: what is read can be held as it is; nothing here raises but a FormatError."""
    lens.mine(text, path)
    findings = lens.check(text, path)
    c = readable(lens, text, path)
    if c is None:
        assert any(finding.level == "error" for finding in findings)
        return
    assert lens.hold(c) == c
    assert lens.write(c, text, path) == text
