"""Task saves and session notes (format C, seed 002): plain sections; the file name has the date.

`(none)` and the like say that there is nothing. The restore hint follows from task and branch: it
is written, never read.
"""

from __future__ import annotations

import re

from leftoff.core.finish_action import Ending
from leftoff.core.model import COMPLETE, IN_PROGRESS, Checkpoint, Finding
from leftoff.core.paths import is_session_note, stem_of
from leftoff.core.sizes import task_file
from leftoff.core.thresholds import DEFAULTS
from leftoff.errors import FormatError
from leftoff.formats import _md_assign, _md_front_matter, _sections
from leftoff.formats._markdown import editable, is_lost, parse, passage_of, render, set_passage
from leftoff.formats._md_header_fields import held_keys, read_front, write_front
from leftoff.formats._md_items import listing
from leftoff.formats._md_outline import FRONT, Part, find, skeleton, spec
from leftoff.formats._md_text import one_line, write_title
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from leftoff.formats import Change
    from leftoff.formats._markdown import Document

NAME = "task"
FOLDER = ".workflow_artifacts/memory/checkpoints"
PATTERNS = (
    f"{FOLDER}/*.md",
    ".workflow_artifacts/memory/sessions/*.md",
)
STAMPS = False
ENDING = Ending("told")

HOLDS: Mapping[str, str] = {
    "id": "file name",
    "updated": "date of the file name",
    "word": "Status",
    "stage": "Current stage",
    "name": "Active task",
    "branch": "Branch",
    "intent": "Last user intent",
    "artifacts": "In-flight artifacts",
    "questions": "Open questions",
    "decisions": "Decisions made",
    "rules": "User Rules",
    "next_actions": "Unfinished work",
    "history": "Completed in this session",
    "conflicts": "Conflicts",
    "extra": "other keys and sections",
}
_NONE = ("(none)", "(none found)", "none")
_FOUND = ("(none found)", "(none)", "none")
NOTHING = frozenset(_NONE)
_LABELS = (
    *("current-plan.md", "architecture.md", "latest critic-response", "latest review"),
    *("session-state", "transcript"),
)
_HINT = "Restore hint"
_OVER = ("complete", "completed", "done")
"""How a session note begins to say that its work is over: `COMPLETED — merged`."""
_MARKS = ("active task", "current stage", "unfinished work", "decisions made")
_WANTED = ("Active task", "Current stage")
_DATED = re.compile(r"(\d{4}-\d{2}-\d{2})(?:T(\d{2})(\d{2}))?(?:-(.+))?$", re.ASCII)


def _list(field: str, name: str, *, always: bool = True) -> Part:
    items = listing(field)._replace(nothing=NOTHING)
    return Part(field, name, items=items, always=always, nothing=_NONE)


_FILES = listing("artifacts", code=True)._replace(labels=_LABELS, nothing=NOTHING)
SPEC = spec(
    (
        Part("word", "Status", nothing=_NONE),
        Part("stage", "Current stage", nothing=_NONE),
        Part("name", "Active task", nothing=_NONE),
        Part("branch", "Branch", nothing=("unknown", *_NONE)),
        Part("intent", "Last user intent", nothing=_NONE),
        Part("artifacts", "In-flight artifacts", items=_FILES, nothing=_FOUND),
        _list("questions", "Open questions"),
        _list("decisions", "Decisions made"),
        _list("next_actions", "Unfinished work"),
        _list("rules", "User Rules", always=False),
        _list("history", "Completed in this session", always=False),
        _list("conflicts", "Conflicts", always=False),
    ),
    {},
    airy=False,
    derived=_HINT,
)


def mine(text: str, path: str) -> bool:
    """Whether one of its headings is there; see `is_lost`."""
    found = parse(text).sections
    return is_lost(text, path, PATTERNS) or any(
        one.level == 2 and one.title.casefold() in _MARKS for one in found
    )


def hold(c: Checkpoint) -> Checkpoint:
    """Id and date are those of the file; a task without a name is called by its file, too."""
    held = _sections.hold(SPEC, c, HOLDS)
    stem = _stem_for(c)
    front = held_keys(c.extra.get(FRONT), (), _md_front_matter.is_key)
    return held._replace(
        id=stem,
        updated=_date(stem),
        name=held.name or _task(stem),
        status=_status(held.word),
        extra={FRONT: front, **held.extra} if front else held.extra,
    )


def path(c: Checkpoint) -> str:
    """The folder of saves; the name begins with a date."""
    return f"{FOLDER}/{_stem_for(c)}.md"


def read(text: str, path: str) -> Checkpoint:
    """The model of a text."""
    doc = _sections.opened(text, "save")
    stem = stem_of(path)
    said = _sections.read(SPEC, doc)
    _, more = read_front(doc, {})
    if more:
        said["extra"] = {FRONT: more, **said["extra"]}
    said["name"] = said.get("name") or _task(stem)
    status = _status(said.get("word", ""))
    return Checkpoint(id=stem, updated=_date(stem), status=status, **said)


def write(c: Checkpoint, old: str, path: str) -> str:
    """`old` with what differs put in; a new document has the seed's sections in order."""
    want = hold(c)
    if not _sections.is_blank(old):
        have = read(old, path)
    else:
        old = f"{skeleton(SPEC)}\n{write_title(2, _HINT)}\n{_hint(want)}\n"
        have = read(old, path)._replace(name="")
    want = want._replace(id=have.id, updated=have.updated)  # those are not in the text
    if have == want:
        return old
    doc = _sections.write(SPEC, editable(parse(old)), have, want)
    doc = write_front(doc, {}, have, want)
    text = render(_with_hint(doc, have, want))
    return text if not _sections.is_blank(text) else write(c, "", path)


def check(text: str, path: str) -> list[Finding]:
    """What a save should say, and how long it should be."""
    try:
        doc = _sections.opened(text, "save")
    except FormatError as error:
        return [Finding("broken", "error", "", error.message, error.hint, error.line)]
    heads = {section.title.casefold() for section in doc.sections if section.level == 2}
    is_note = is_session_note(path)  # named after its task, and no save: it may hold contents
    level, wanted = ("advice", _WANTED[1:]) if is_note else ("warning", _WANTED)
    found = [*_sections.unresolved(SPEC, doc, find(SPEC, doc))]
    found += [
        Finding("missing-section", level, name, f"there is no section ## {name}")
        for name in wanted
        if name.casefold() not in heads
    ]
    size = len(text.encode("utf-8", "surrogatepass"))
    return found if is_note else [*found, *task_file(path, size, DEFAULTS)]


def assign(text: str, path: str, changes: Sequence[Change]) -> str:
    """`text` after the changes of `update`; the file name is nothing to set."""
    fixed = ("id", "updated")
    c = _md_assign.assigned(read(text, path), changes, HOLDS, header=FRONT, fixed=fixed)
    return write(c, text, path)


def _hint(c: Checkpoint) -> str:
    task, branch = one_line(c.name), one_line(c.branch) or "unknown"
    return (
        "Run /checkpoint --restore, or `leftoff restore`, in a fresh session "
        f"to resume task '{task}' from branch '{branch}'."
    )


def _with_hint(doc: Document, have: Checkpoint, want: Checkpoint) -> Document:
    """The document with a hint that fits, where the one it had fitted."""
    for section in doc.sections:
        if (
            section.level == 2
            and section.title == _HINT
            and passage_of(doc, section) == _hint(have)
        ):
            return set_passage(doc, section, [_hint(want)])
    return doc


def _stem_for(c: Checkpoint) -> str:
    """The file name of a checkpoint: its id, after the date of the save unless it has one."""
    name = one_line(c.id).replace("/", "-") or "work"
    days = (day[:10] for day in (c.updated, c.created))
    day = next((day for day in days if len(day) == 10 and _DATED.match(day)), "")
    return f"{day}-{name}" if day and not _DATED.match(name) else name


def _date(stem: str) -> str:
    dated = _DATED.match(stem)
    if not dated:
        return ""
    return f"{dated[1]}T{dated[2]}:{dated[3]}" if dated[2] else dated[1]


def _status(word: str) -> str:
    """By the first word of Status; whatever else stands there, the work goes on."""
    first = word.split(maxsplit=1)[:1]
    return COMPLETE if first and first[0].strip(".,:;!*_`").casefold() in _OVER else IN_PROGRESS


def task_of(path: str) -> str:
    """What the task of a file is called: by its name without the date."""
    return _task(stem_of(path))


def _task(stem: str) -> str:
    dated = _DATED.match(stem)
    return dated[4] or stem if dated else stem
