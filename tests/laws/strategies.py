"""Checkpoints for the laws: what people, agents and other tools really write, and worse."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from hypothesis import strategies as st

from leftoff.core.model import DRAFT, RULES, STATUSES, Checkpoint, Item

NASTY = (
    "a plain sentence",
    "修复登录：先写测试，再改代码",
    "🚀 ship it 👩‍👩‍👧 now",
    "| pipes | in | a | row |",
    "a | b \\| c",
    "# not a heading",
    "## Problem",
    "### Next Actions",
    "- [x] not an item",
    "1. not a number",
    "> quoted\n> twice",
    "```python\n## fenced\n```",
    "~~~\nnever closed",
    "<!-- a comment -->",
    "<!-- never closed",
    "</details>",
    "---",
    "--- \nkey: value\n---",
    "key: value",
    "first line\nsecond line",
    "paragraph\n\nanother paragraph",
    "windows\r\nline",
    "old mac\rline",
    "  spaces at both ends  ",
    "tab\tin it",
    'she said "no"',
    "it's a 'quote' \\ backslash",
    "[P1] not a priority [draft]",
    "done when: tests pass",
    "**bold** _and_ `code` ~~gone~~",
    "(none)",
    "null",
    "true",
    "2026-01-05",
    "line separator\u2028here and form feed\x0chere and next line\x85here",
    "right \u202eto left\u202c",
    "nul \x00 byte",
    "\ufeffbyte order mark",
    "long " * 400,
)
TIMES = (
    "2026-01-05T10:00:00Z",
    "2026-01-05T18:00:00+08:00",
    "2026-01-05T10:00:00.250Z",
    "2026-02-28T23:59:59Z",
    "2026-01-05",
)
NAMES = ("oc-bug-check", "chk-auth", "thread-0a1b2c3d", "2026-05-05-auth-fix", "任务-1", "a.b_c-9")
UNKNOWN = ("note", "Owner", "weird key", "负责人", "a.b", "x|y")


def texts() -> st.SearchStrategy[str]:
    """One-liners and paragraphs, blank ones too."""
    return st.one_of(st.sampled_from(NASTY), st.text(max_size=40), st.just(""))


def names() -> st.SearchStrategy[str]:
    """Ids that pass `core.ids`."""
    made = st.from_regex(r"[a-z0-9][a-z0-9._-]{0,20}[a-z0-9]", fullmatch=True)
    return st.one_of(st.sampled_from(NAMES), made)


def times() -> st.SearchStrategy[str]:
    return st.sampled_from(TIMES)


def values() -> st.SearchStrategy[Any]:
    """JSON values. Floats stay in the range in which every JSON reader agrees."""
    numbers = st.integers(-(10**12), 10**12) | st.floats(-1e6, 1e6).map(lambda x: round(x, 3))
    scalars = st.none() | st.booleans() | numbers | texts()
    keys = st.sampled_from(UNKNOWN) | st.text(min_size=1, max_size=12)
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
        max_leaves=6,
    )


def mappings() -> st.SearchStrategy[dict[str, Any]]:
    keys = st.sampled_from(UNKNOWN) | st.text(min_size=1, max_size=12)
    return st.dictionaries(keys, values(), max_size=3)


def attributes(field: str) -> st.SearchStrategy[dict[str, Any]]:
    """Those that leftoff itself reads, and some that only a stranger knows."""
    known: dict[str, Any] = {name: texts() for name in RULES[field].attrs}
    known |= {"done": st.booleans()} if "done" in known else {}
    known |= {"priority": st.sampled_from(["P1", "P2", "high"])} if "priority" in known else {}
    unknown = {name: values() for name in UNKNOWN[:3]}
    return st.fixed_dictionaries({}, optional={**known, DRAFT: st.just(True), **unknown})


def items(field: str) -> st.SearchStrategy[tuple[Item, ...]]:
    """A list field; ids are unique within it, as formats that have ids demand."""
    item = st.builds(Item, texts(), st.just("") | names(), attributes(field))
    unique = st.lists(item, max_size=4, unique_by=lambda item: item.id or object())
    return unique.map(tuple)


def fields() -> dict[str, st.SearchStrategy[Any]]:
    """A strategy for each field but the id."""
    made: dict[str, st.SearchStrategy[Any]] = {}
    for field, value in Checkpoint("")._asdict().items():
        if isinstance(value, tuple):
            made[field] = items(field)
        else:
            made[field] = mappings() if isinstance(value, dict) else texts()
    del made["id"]
    return made | {
        "created": times(),
        "updated": times(),
        "status": st.sampled_from(STATUSES),
        "parent": st.just("") | names(),
    }


def checkpoints(only: Container[str] = Checkpoint._fields) -> st.SearchStrategy[Checkpoint]:
    """A checkpoint that says something in any of its fields, or in any of those named."""
    optional = {field: made for field, made in fields().items() if field in only}
    said = st.fixed_dictionaries({"id": names()}, optional=optional)
    return said.map(lambda given: Checkpoint(**given))


def changes(only: Container[str] = Checkpoint._fields) -> st.SearchStrategy[tuple[str, Any]]:
    """A new value for one field."""
    made = {field: strategy for field, strategy in fields().items() if field in only}
    return st.sampled_from(sorted(made)).flatmap(
        lambda field: st.tuples(st.just(field), made[field])
    )


_FEW = st.sampled_from(["", "a", "b", "c"])
_FEW_VALUES = st.sampled_from(
    [
        *(0, 1, True, None, "a", "b", [], {}, [1], [2, 1], [1, True], ["a", {"x": 1}]),
        *({"x": 1}, {"x": 2, "y": "a"}, {"x": {"y": 1}}, {"x": {"y": 2}}, {"x": [1, 2]}),
    ]
)
_NEIGHBOUR_FIELDS = (
    *("name", "created", "status", "word", "problem", "summary", "parent", "decisions"),
    *("next_actions", "progress", "artifacts", "refs", "deltas", "history", "sessions"),
    *("cost", "private", "extra"),
)


def neighbours() -> st.SearchStrategy[Checkpoint]:
    """Checkpoints from a world so small that any two of them overlap: the stuff of merges."""
    attrs = st.dictionaries(st.sampled_from(["status", "at", "type"]), _FEW_VALUES, max_size=2)
    item = st.builds(Item, _FEW, st.sampled_from(["", "1", "2"]), attrs)
    blank = Checkpoint("")._asdict()
    optional: dict[str, st.SearchStrategy[Any]] = {}
    for field in _NEIGHBOUR_FIELDS:
        if isinstance(blank[field], tuple):
            optional[field] = st.lists(item, max_size=3).map(tuple)
        elif isinstance(blank[field], dict):
            optional[field] = st.dictionaries(st.sampled_from("xyz"), _FEW_VALUES, max_size=3)
        else:
            optional[field] = _FEW
    optional |= {"created": times(), "status": st.sampled_from(STATUSES)}
    said = st.fixed_dictionaries({"id": st.just("one"), "updated": times()}, optional=optional)
    return said.map(lambda given: Checkpoint(**given))
