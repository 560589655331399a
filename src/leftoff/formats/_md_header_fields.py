"""The Markdown header as fields of the model and further keys, and its edits."""

from __future__ import annotations

from leftoff.formats import _md_front_matter as front
from leftoff.formats._markdown import spliced
from leftoff.formats._md_outline import FRONT, OTHER
from leftoff.formats._md_text import clean, one_line
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence
    from typing import Any

    from leftoff.core.model import Checkpoint, Json
    from leftoff.formats._markdown import Document


def read_front(doc: Document, keys: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, Json]]:
    """The fields in a header, by `keys` (field -> key), and its other keys."""
    values = {entry.key: entry.value for entry in doc.header}
    known: dict[str, Any] = {field: one_line(values.pop(key, "")) for field, key in keys.items()}
    return known, dict(values)


def held_keys(said: Json, known: Container[str], is_key: Callable[[str], bool]) -> dict[str, Json]:
    """Further keys of a header as it can carry them."""
    held: dict[str, Json] = {}
    for key, value in said.items() if isinstance(said, dict) else ():
        name = key if is_key(key) else _as_key(key)
        while name in known or name in held:
            name = OTHER + name
        text = value if isinstance(value, str) else "" if value is None else str(value)
        held[name] = clean(text)
    return held


def _as_key(text: str) -> str:
    kept = "".join(letter if letter.isalnum() or letter in "_-" else " " for letter in clean(text))
    return " ".join(kept.strip(" -").split()) or "key"


def write_front(
    doc: Document, keys: Mapping[str, str], have: Checkpoint, want: Checkpoint
) -> Document:
    """The document with what differs put into its header."""
    order = tuple(keys.values())
    for field, key in keys.items():
        value = getattr(want, field)
        if getattr(have, field) != value:
            doc = _set_key(doc, key, value, order) if value else _blank_key(doc, key)
    before, after = _further(have), _further(want)
    for key in before.keys() - after.keys() - {*order}:
        doc = _without_keys(doc, [e for e in doc.header if e.key == key])
    for key, text in after.items():
        if before.get(key) != text and key not in order:
            doc = _set_key(doc, key, str(text), order)
    return doc


def _further(c: Checkpoint) -> dict[str, Any]:
    """The header's other keys, as `read_front` or `held_keys` put them there."""
    return c.extra.get(FRONT) or {}  # type: ignore[return-value]


def _set_key(doc: Document, key: str, value: str, order: Sequence[str]) -> Document:
    ours = [entry for entry in doc.header if entry.key == key]
    if ours:
        last = ours[-1]  # what YAML reads of a key given twice
        line = front.set_line(doc.plain[last.start], last, value)
        return spliced(doc, (last.start, last.end, [line]))
    line = f"{key}: {front.scalar(value)}" if value else f"{key}:"
    if not doc.start:
        return spliced(doc, (0, 0, [front.FENCE, line, front.FENCE, ""]))
    at = _place_of(doc, key, order)
    return spliced(doc, (at, at, [line]))


def _place_of(doc: Document, key: str, order: Sequence[str]) -> int:
    """Where a new key goes: after those that come before it, else before all; others come last."""
    ends = {entry.key: entry.end for entry in doc.header}
    if key not in order or not ends:
        return doc.start - 1
    earlier = [ends[one] for one in order[: order.index(key)] if one in ends]
    return earlier[-1] if earlier else min(entry.start for entry in doc.header)


def _blank_key(doc: Document, key: str) -> Document:
    """The document without a value for a key; a line with a comment stays."""
    ours = [entry for entry in doc.header if entry.key == key]
    noted = [entry for entry in ours if front.has_comment(doc.plain[entry.start], entry)]
    if not noted:
        return _without_keys(doc, ours)
    lines = [(e.start, e.end, [front.set_line(doc.plain[e.start], e, "")]) for e in noted]
    rest = [(entry.start, entry.end, ()) for entry in ours if entry not in noted]
    return spliced(doc, *sorted([*lines, *rest], key=lambda cut: cut[0]))


def _without_keys(doc: Document, gone: Sequence[front.Entry]) -> Document:
    cuts = [(entry.start, entry.end, ()) for entry in gone]
    made = spliced(doc, *cuts)
    if made.start:
        return made
    # Without any key, lines that are no YAML would no longer be taken for a header.
    odd = front.strangers(doc.plain, doc.start, doc.header)
    notes = [(number, number + 1, [f"# {doc.plain[number]}"]) for number in odd]
    return spliced(doc, *sorted([*cuts, *notes], key=lambda cut: cut[0]))
