"""A thread's CHECKPOINT.md (format E, seed 004): a title, bold `**Key**: value` lines, sections.

A thread is complete when it has steps and all of them are ticked; the file says nothing else about
its status. Id, name and sessions also stand in thread.json, which has a lens of its own.
"""

from __future__ import annotations

import re

from leftoff.core.finish_action import Ending
from leftoff.core.model import AREA, COMPLETE, IN_PROGRESS, UNCOMMITTED, Checkpoint, Finding
from leftoff.core.when import instant
from leftoff.errors import FormatError
from leftoff.formats import _md_assign, _md_front_matter, _sections
from leftoff.formats._markdown import editable, is_lost, parse, render, spliced
from leftoff.formats._md_header_fields import held_keys, read_front, write_front
from leftoff.formats._md_items import ID, TEXT, listing
from leftoff.formats._md_outline import FRONT, LINES, OTHER, Part, find, skeleton, spec
from leftoff.formats._md_text import one_line, write_title
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from leftoff.core.model import Item, Json
    from leftoff.formats import Change
    from leftoff.formats._markdown import Document, Section

NAME = "thread"
PATTERNS = (".checkpoints/threads/*/CHECKPOINT.md",)
STAMPS = True
ENDING = Ending("ticked", completes="status")

HOLDS: Mapping[str, str] = {
    "id": "Thread ID",
    "name": "title",
    "updated": "Saved",
    "status": "the steps",
    "branch": "Branch",
    "commit": "Last Commit",
    "problem": "Problem",
    "intent": "Current Task",
    "summary": "Completed Work",
    "artifacts": "Key Files",
    "decisions": "Key Decisions",
    "tests": "Test State",
    "next_actions": "Next Steps",
    "blockers": "Blockers",
    "questions": "Open Questions",
    "rules": "User Rules",
    "context": "Technical Context",
    "history": "Session History",
    "conflicts": "Conflicts",
    "extra": "other lines and sections",
}
KEYS = {"id": "Thread ID", "updated": "Saved", "branch": "Branch", "commit": "Last Commit"}
UNCOMMITTED_TITLE = "Uncommitted Changes"

_FILES = ((TEXT, "File"), ("change", "Role"))
_CHANGES = ((TEXT, "File"), ("status", "Type"), ("change", "Description"))
_DECISIONS = ((TEXT, "Decision"), ("rationale", "Rationale"), ("session", "Session"))
_SESSIONS = ((ID, "#"), (TEXT, "Name"), ("at", "Archived"), ("Context Used", "Context Used"))
_NOT_YET = "<!-- nothing yet -->"
SPEC = spec(
    (
        Part("problem", "Problem", always=False),
        Part("intent", "Current Task", hint=_NOT_YET),
        Part("summary", "Completed Work", hint=_NOT_YET),
        Part(
            "artifacts",
            UNCOMMITTED_TITLE,
            items=listing("artifacts", _CHANGES, code=True),
            hint="| File | Type | Description |\n|------|------|-------------|",
            only=(AREA, UNCOMMITTED),
        ),
        Part(
            "decisions",
            "Key Decisions",
            ("Key Design Decisions",),
            listing("decisions", _DECISIONS),
            hint=_NOT_YET,
        ),
        Part("tests", "Test State", hint=_NOT_YET),
        Part(
            "artifacts", "Key Files", items=listing("artifacts", _FILES, code=True), hint=_NOT_YET
        ),
        Part(
            "next_actions",
            "Next Steps (Priority Order)",
            ("Next Steps",),
            listing("next_actions", marker="1."),
            hint=_NOT_YET,
        ),
        Part("blockers", "Blockers", items=listing("blockers"), always=False),
        Part("questions", "Open Questions", items=listing("questions"), always=False),
        Part("rules", "User Rules", items=listing("rules"), always=False),
        Part("context", "Technical Context", always=False),
        Part("history", "Session History", items=listing("history", _SESSIONS), hint=_NOT_YET),
        Part("conflicts", "Conflicts", items=listing("conflicts"), always=False),
    ),
    KEYS,
)
_TITLE = re.compile(r"\Acheckpoint:\s*", re.IGNORECASE)
_LINE = re.compile(r"\*\*([^*:\uff1a]+)(?:\*\*[ \t]*[:\uff1a]|[:\uff1a]\*\*)(.*)$")
_HEADS = ("current task", "completed work", "next steps", "next steps (priority order)")


class _Line(Record):
    """A `**Key**: value` line."""

    key: str
    value: str
    number: int


def mine(text: str, path: str) -> bool:
    """Whether its title, its thread id or its headings are those of a thread."""
    doc = parse(text)
    title = _title(doc)
    return (
        is_lost(text, path, PATTERNS)
        or bool(title and _TITLE.match(title.title))
        or any(line.key == KEYS["id"] for line in _lines(doc))
        or any(one.level == 2 and one.title.casefold() in _HEADS for one in doc.sections)
    )


def hold(c: Checkpoint) -> Checkpoint:
    """The status follows from the steps; uncommitted files stand after the others."""
    extra = {_free_title(c, key, value): value for key, value in c.extra.items()}
    held = _sections.hold(SPEC, c._replace(extra=extra), HOLDS)
    lines = held_keys(c.extra.get(LINES), KEYS.values(), _is_key)
    more: dict[str, Json] = {
        FRONT: held_keys(c.extra.get(FRONT), (), _md_front_matter.is_key),
        LINES: {key: one_line(str(value)) for key, value in lines.items()},
    }
    return held._replace(
        name=one_line(c.name),
        status=_status(held.next_actions),
        extra={**{key: value for key, value in more.items() if value}, **held.extra},
    )


def _status(steps: Sequence[Item]) -> str:
    return COMPLETE if steps and all(step.attrs.get("done") for step in steps) else IN_PROGRESS


def _free_title(c: Checkpoint, key: str, value: Json) -> str:
    """The heading of a text; one that only counts with a table is free while there is none."""
    if one_line(key).casefold() != UNCOMMITTED_TITLE.casefold() or not isinstance(value, str):
        return key
    rows = any(item.attrs.get(AREA) == UNCOMMITTED for item in c.artifacts)
    tables = any(block.kind == "table" for block in parse(value).scan.blocks)
    return OTHER + key if rows or tables else key


def path(c: Checkpoint) -> str:
    """The folder is the thread."""
    return f".checkpoints/threads/{one_line(c.id)}/CHECKPOINT.md"


def read(text: str, path: str) -> Checkpoint:
    """The model of a text; without an id, the folder is one."""
    doc = _sections.opened(text, "checkpoint")
    said = _sections.read(SPEC, doc)
    values = {line.key: line.value for line in reversed(_lines(doc))}
    known: dict[str, Any] = {field: values.pop(key, "") for field, key in KEYS.items()}
    known["id"] = known["id"] or _folder(path)
    _, front = read_front(doc, {})
    more: dict[str, Json] = {FRONT: front, LINES: dict(values)}
    said["extra"] = {**{key: value for key, value in more.items() if value}, **said["extra"]}
    status = _status(said.get("next_actions", ()))
    return Checkpoint(**known, **said, name=_name(doc), status=status)


def write(c: Checkpoint, old: str, path: str) -> str:
    """`old` with what differs put in; a new document follows the template."""
    want, new = hold(c), _sections.is_blank(old)
    old = f"# Checkpoint:\n\n{skeleton(SPEC)}" if new else old
    have = read(old, path)
    have = have._replace(id="") if new else have  # a new document says what it is called
    if have == want:
        return old
    first = editable(parse(old))
    doc = _sections.write(SPEC, first, have, want)
    doc = write_front(doc, {}, have, want)
    if _name(doc) != want.name:
        doc = _with_title(doc, want.name, over=_title(first) is not None)
    text = render(_with_lines(doc, have, want))
    return text if not _sections.is_blank(text) else write(c, "", path)


def check(text: str, path: str) -> list[Finding]:
    """What a thread's checkpoint should say."""
    try:
        doc = _sections.opened(text, "checkpoint")
    except FormatError as error:
        return [Finding("broken", "error", "", error.message, error.hint, error.line)]
    c, sections = read(text, path), find(SPEC, doc)
    found = [*_sections.unresolved(SPEC, doc, sections)]
    if not c.name:
        found.append(Finding("no-title", "warning", "title", "there is no # Checkpoint: NAME"))
    if _folder(path) and c.id != _folder(path):
        said = f"the Thread ID is {c.id}, the folder {_folder(path)}"
        found.append(Finding("other-id", "warning", "Thread ID", said))
    if c.updated and instant(c.updated) is None:
        said = f'Saved is not an ISO-8601 time: "{c.updated}"'
        found.append(Finding("bad-time", "warning", "Saved", said))
    if "Next Steps (Priority Order)" not in sections.parts:
        found.append(Finding("no-steps", "warning", "Next Steps", "there is no section Next Steps"))
    return found


def assign(text: str, path: str, changes: Sequence[Change]) -> str:
    """`text` after the changes of `update`."""
    c = _md_assign.assigned(read(text, path), changes, HOLDS, header=LINES)
    return write(c, text, path)


def _folder(path: str) -> str:
    return path.rpartition("/")[0].rpartition("/")[2]


def _title(doc: Document) -> Section | None:
    """The first heading of level 1, unless sections come before it."""
    first = next((section for section in doc.sections if section.level < 3), None)
    return first if first and first.level == 1 else None


def _name(doc: Document) -> str:
    title = _title(doc)
    return _TITLE.sub("", title.title, count=1) if title else ""


def _with_title(doc: Document, name: str, *, over: bool) -> Document:
    """The document with another title, over the one it had or before everything else."""
    line = write_title(1, f"Checkpoint: {name}".rstrip())
    title = _title(doc)
    if title and over:
        return spliced(doc, (title.head, title.head + 1, [line]))
    return spliced(doc, (doc.start, doc.start, [line, ""]))


def _lines(doc: Document) -> list[_Line]:
    """The bold lines between the title and the next heading."""
    title = _title(doc)
    start = title.head + 1 if title else doc.start
    heads = (one.start for one in doc.scan.blocks if one.kind == "heading" and one.start >= start)
    found = []
    for number in range(start, next(heads, len(doc.plain))):
        line = _LINE.match(doc.plain[number])
        if line and number not in doc.scan.hidden:
            found.append(_Line(one_line(line[1]), one_line(line[2]), number))
    return found


def _is_key(key: str) -> bool:
    line = _LINE.match(f"**{key}**: x")
    return bool(line) and one_line(key) == key and key != ""


def _with_lines(doc: Document, have: Checkpoint, want: Checkpoint) -> Document:
    """The document with what differs put into its bold lines."""
    lines = want.extra.get(LINES)
    wanted = {KEYS[field]: getattr(want, field) for field in KEYS}
    if have.id == want.id and not any(line.key == KEYS["id"] for line in _lines(doc)):
        del wanted[KEYS["id"]]  # the folder says it
    wanted = {key: value for key, value in wanted.items() if value}
    wanted |= lines if isinstance(lines, dict) else {}
    for key in {line.key for line in _lines(doc)} - wanted.keys():
        doc = _without_line(doc, key)
    for key, value in wanted.items():
        if next((line.value for line in _lines(doc) if line.key == key), None) != value:
            doc = _set_line(doc, key, str(value))
    return doc


def _without_line(doc: Document, key: str) -> Document:
    gone = [(line.number, line.number + 1, ()) for line in _lines(doc) if line.key == key]
    return spliced(doc, *gone)


def _set_line(doc: Document, key: str, value: str) -> Document:
    line = f"**{key}**: {value}".rstrip()
    known = _lines(doc)
    ours = [one.number for one in known if one.key == key]
    if ours:
        return spliced(doc, (ours[0], ours[0] + 1, [line]))
    order = [*KEYS.values()]
    rank = order.index(key) if key in order else len(order)
    before = [one.number for one in known if one.key in order[:rank] or rank == len(order)]
    if before:
        return spliced(doc, (before[-1] + 1, before[-1] + 1, [line]))
    if known:
        return spliced(doc, (known[0].number, known[0].number, [line]))
    title = _title(doc)
    at = title.head + 1 if title else doc.start
    blank = at < len(doc.plain) and not doc.plain[at].strip()
    return spliced(doc, (at, at, [*([""] if title else []), line, *([] if blank else [""])]))
