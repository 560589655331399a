"""Checkpoints for the laws: what people, agents and other tools really write, and worse."""

from __future__ import annotations

from functools import cache
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
ITEM_IDS = ("row 2", "a | b", "x]y", "[z", "#4", "`c`", "2026-01-05T10:00:00Z", "D1: why", "两 步")
UNKNOWN = ("note", "Owner", "weird key", "负责人", "a.b", "x|y")


# Strategies are made once: making one costs more than drawing from it a hundred times.
_TEXTS = st.sampled_from(NASTY) | st.text(max_size=40) | st.just("")
_NAMES = st.sampled_from(NAMES) | st.from_regex(
    r"[a-z0-9]([a-z0-9._-]{0,20}[a-z0-9])?", fullmatch=True
)
_TIMES = st.sampled_from(TIMES)
_KEYS = st.sampled_from(UNKNOWN) | st.text(min_size=1, max_size=12)
# Numbers stay in the range in which every JSON reader agrees.
_NUMBERS = st.integers(-(10**12), 10**12) | st.floats(-1e6, 1e6).map(lambda x: round(x, 3))
_VALUES = st.recursive(
    st.none() | st.booleans() | _NUMBERS | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3),
    max_leaves=4,
)
_MAPPINGS = st.dictionaries(_KEYS, _VALUES, max_size=3)


def _attributes(field: str) -> st.SearchStrategy[dict[str, Any]]:
    """Those that leftoff itself reads, and some that only a stranger knows."""
    known: dict[str, st.SearchStrategy[Any]] = dict.fromkeys(RULES[field].attrs, _TEXTS)
    special = {"done": st.booleans(), "priority": st.sampled_from(["P1", "P2", "high"])}
    known |= {name: made for name, made in special.items() if name in known}
    known |= {DRAFT: st.just(True), **dict.fromkeys(UNKNOWN, _VALUES)}
    pair = st.sampled_from(sorted(known)).flatmap(
        lambda name: st.tuples(st.just(name), known[name])
    )
    return st.lists(pair, max_size=3).map(dict)


def _items(field: str) -> st.SearchStrategy[tuple[Item, ...]]:
    """A list field; ids are unique within it, as formats that have ids demand."""
    item_id = st.just("") | _NAMES | st.sampled_from(ITEM_IDS)
    item = st.builds(Item, _TEXTS, item_id, _attributes(field))
    unique = st.lists(item, max_size=3, unique_by=lambda item: item.id or object())
    return unique.map(tuple)


def _fields() -> dict[str, st.SearchStrategy[Any]]:
    """A strategy for each field but the id."""
    made: dict[str, st.SearchStrategy[Any]] = {}
    for field, value in Checkpoint("")._asdict().items():
        if isinstance(value, tuple):
            made[field] = _items(field)
        else:
            made[field] = _MAPPINGS if isinstance(value, dict) else _TEXTS
    del made["id"]
    return made | {
        "created": _TIMES,
        "updated": _TIMES,
        "status": st.sampled_from(STATUSES),
        "parent": st.just("") | _NAMES,
    }


_FIELDS = _fields()
EVERY = frozenset(_FIELDS)


@cache
def changes(only: frozenset[str] = EVERY) -> st.SearchStrategy[tuple[str, Any]]:
    """A new value for one field, or for one of those named."""
    return st.sampled_from(sorted(only & EVERY)).flatmap(
        lambda field: st.tuples(st.just(field), _FIELDS[field])
    )


@cache
def checkpoints(only: frozenset[str] = EVERY) -> st.SearchStrategy[Checkpoint]:
    """A checkpoint that says something in a few of its fields, or of those named."""
    said = st.lists(changes(only), max_size=7).map(dict)
    return st.builds(lambda name, given: Checkpoint(name, **given), _NAMES, said)


def with_strangers(text: str, path: str) -> tuple[str, list[str]]:
    """The text with something in it that no lens knows, and the lines of that."""
    if path.endswith(".json"):
        lines = ['  "zz_stranger": {"deep": [1, true, null]},', '  "zz 陌生": "kept | as it is",']
        start, _, rest = text.partition("{\n")
        return f"{start}{{\n" + "\n".join(lines) + f"\n{rest}", lines
    lines = [
        "## Zz Stranger",
        "prose **kept** | as it is",
        "- an item nobody reads",
        "<!-- a note -->",
    ]
    return f"{text.rstrip()}\n\n" + "\n\n".join(lines) + "\n", lines


def damaged(text: str) -> st.SearchStrategy[str]:
    """A document cut short, with something torn out, or with something foreign in it; or any text."""
    spot = st.integers(0, len(text))
    junk = st.sampled_from(
        [*NASTY, "\0", "\ud800", "<<<<<<< ours\n", "{", "}", '"', ",", "\n---\n", "\r"]
    )
    cut = spot.map(lambda at: text[:at])
    torn = st.tuples(spot, spot).map(lambda two: text[: min(two)] + text[max(two) :])
    foreign = st.tuples(spot, junk).map(lambda two: text[: two[0]] + two[1] + text[two[0] :])
    lines = st.permutations(text.split("\n")[:12]).map("\n".join)
    return st.one_of(cut, torn, foreign, lines, _TEXTS, st.text())


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
    made: dict[str, st.SearchStrategy[Any]] = {}
    for field in _NEIGHBOUR_FIELDS:
        if isinstance(blank[field], tuple):
            made[field] = st.lists(item, max_size=3).map(tuple)
        elif isinstance(blank[field], dict):
            made[field] = st.dictionaries(st.sampled_from("xyz"), _FEW_VALUES, max_size=3)
        else:
            made[field] = _FEW
    made |= {"created": _TIMES, "status": st.sampled_from(STATUSES)}
    pair = st.sampled_from(sorted(made)).flatmap(
        lambda field: st.tuples(st.just(field), made[field])
    )
    said = st.lists(pair, min_size=4, max_size=9).map(dict)
    return st.builds(lambda at, given: Checkpoint("one", updated=at, **given), _TIMES, said)
