"""Markdown checkpoints (format B, seed 001): a YAML header, sections, dated deltas below them.

The folder decides whether one is archived. Sections are found by their headings outside of code;
headings beyond the format are kept as `extra`, and so are further keys of the header.
"""

from __future__ import annotations

from leftoff.core.finish_action import Ending
from leftoff.core.model import ARCHIVED, IN_PROGRESS, Checkpoint
from leftoff.core.paths import stem_of
from leftoff.errors import Usage
from leftoff.formats import _md_assign, _md_front_matter, _sections
from leftoff.formats._checkpoint_rules import rules
from leftoff.formats._markdown import editable, is_lost, parse, render
from leftoff.formats._md_header_fields import held_keys, read_front, write_front
from leftoff.formats._md_items import TEXT, listing
from leftoff.formats._md_outline import FRONT, Part, skeleton, spec
from leftoff.formats._md_text import one_line
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from leftoff.core.model import Finding, Json
    from leftoff.formats import Change
    from leftoff.formats._md_items import Listing

NAME = "md"
PATTERNS = ("checkpoints/active/*.md", "checkpoints/archive/*.md")
STAMPS = False  # `last_delta` is the time of a delta, not of any write
ENDING = Ending("story", completes="archive", goes_on=True)

HOLDS: Mapping[str, str] = {
    "id": "checkpoint",
    "created": "created",
    "updated": "last_delta",
    "status": "the folder",
    "word": "status",
    "stage": "anchor",
    "parent": "parent",
    "problem": "Problem",
    "intent": "Session Intent",
    "decisions": "Decisions",
    "context": "Technical Context",
    "refs": "Breadcrumbs",
    "history": "Play-By-Play",
    "artifacts": "Artifact Trail",
    "summary": "Current State",
    "next_actions": "Next Actions",
    "rules": "User Rules",
    "deltas": "Delta",
    "completion": "Completion",
    "conflicts": "Conflicts",
    "extra": "other keys and sections",
}
KEYS = {
    "id": "checkpoint",
    "created": "created",
    "stage": "anchor",
    "updated": "last_delta",
    "parent": "parent",
    "word": "status",
}
WORDS = ("", "current", "active")
ESSENTIAL = "Essential Information"
UNSTATED = "(none stated)"
"""Stands in a section of a document that speaks, where nobody has said anything to this."""

_TRAIL = ((TEXT, "File"), ("status", "Status"), ("change", "Key Change"))
_CRUMBS = (("type", "Type"), (TEXT, "Reference"), ("hint", "Hint"))


def _part(field: str, name: str, hint: str, under: str = "", items: Listing | None = None) -> Part:
    """A section that every document has."""
    listed = items._replace(nothing=frozenset({UNSTATED})) if items else None
    return Part(field, name, items=listed, under=under, hint=hint, nothing=(UNSTATED,))


SPEC = spec(
    (
        _part("problem", "Problem", "<!-- What is to be solved. It rarely changes. -->"),
        _part("intent", "Session Intent", "<!-- What the user wants to achieve. -->"),
        _part(
            "decisions",
            "Decisions",
            "<!-- Choices that are locked in; do not ask again. -->",
            ESSENTIAL,
            listing("decisions")._replace(names={"decision": TEXT}),
        ),
        _part(
            "context",
            "Technical Context",
            "<!-- Stack, configuration, environment. -->",
            ESSENTIAL,
        ),
        Part(
            "refs",
            "Breadcrumbs",
            items=listing("refs", _CRUMBS, code=True)._replace(ticks=True),
            under=ESSENTIAL,
            always=False,
        ),
        _part(
            "history",
            "Play-By-Play",
            "<!-- Phase or step → action → outcome. -->",
            ESSENTIAL,
            listing("history"),
        ),
        _part(
            "artifacts",
            "Artifact Trail",
            "<!-- Files created, modified or deleted. -->",
            ESSENTIAL,
            listing("artifacts", _TRAIL, code=True)._replace(ticks=True),
        ),
        _part("summary", "Current State", "<!-- What exists now. -->", ESSENTIAL),
        _part(
            "next_actions",
            "Next Actions",
            "<!-- What comes next. -->",
            ESSENTIAL,
            listing("next_actions")._replace(names={"action": TEXT, "task": TEXT}),
        ),
        Part("rules", "User Rules", items=listing("rules"), always=False),
        Part("deltas", "Delta:", dated=True, always=False),
        Part("completion", "Completion", always=False),
        Part("conflicts", "Conflicts", items=listing("conflicts"), always=False),
    ),
    KEYS,
)


def mine(text: str, path: str) -> bool:
    """Whether its header names a checkpoint, or its headings are those of one; see `is_lost`."""
    if path.rpartition("/")[2] in {"INDEX.md", "LEARNINGS.md"}:
        return False
    doc = parse(text)
    heads = {"problem", ESSENTIAL.casefold()}
    return (
        is_lost(text, path, PATTERNS)
        or _md_front_matter.is_cut_off(doc.plain, KEYS["id"])
        or any(entry.key == KEYS["id"] for entry in doc.header)
        or any(one.level == 2 and one.title.casefold() in heads for one in doc.sections)
    )


def hold(c: Checkpoint) -> Checkpoint:
    """A status is archived or not; the format has two words for it, and keeps what people wrote."""
    held = _sections.hold(SPEC, c, HOLDS)
    front = c.extra.get(FRONT)
    front = dict(front) if isinstance(front, dict) else {}
    odd = front.pop(KEYS["word"], "")
    word = held.word if held.word in WORDS or held.word == odd else ""
    more = held_keys(front, KEYS.values(), _md_front_matter.is_key)
    return held._replace(
        status=ARCHIVED if c.status == ARCHIVED else IN_PROGRESS,
        word=word,
        extra=_with_front(held.extra, word, more),
    )


def _with_front(extra: Mapping[str, Json], word: str, more: Mapping[str, Json]) -> dict[str, Json]:
    """The extra with the header's further keys; an odd status stands there too, as its own."""
    front = {**more, KEYS["word"]: word} if word not in WORDS else dict(more)
    return {FRONT: front, **extra} if front else dict(extra)


def path(c: Checkpoint) -> str:
    """The folder says whether it is archived."""
    folder = "archive" if c.status == ARCHIVED else "active"
    return f"checkpoints/{folder}/{one_line(c.id)}.md"


def read(text: str, path: str) -> Checkpoint:
    """The model of a text; an early document without a header is called by its file."""
    doc = _sections.opened(text, "checkpoint")
    _md_front_matter.check_end(doc.plain, KEYS["id"])
    known, more = read_front(doc, KEYS)
    said = _sections.read(SPEC, doc)
    said["extra"] = _with_front(said["extra"], known["word"], more)
    known["id"] = known["id"] or stem_of(path)
    archived = "/archive/" in f"/{path}"
    return Checkpoint(**known, **said, status=ARCHIVED if archived else IN_PROGRESS)


def write(c: Checkpoint, old: str, path: str) -> str:
    """`old` with what differs put in; a new document has the specification's sections in order.

    One that speaks says where it has nothing to say; one that does not is a template, with hints.
    """
    want, new = hold(c), _sections.is_blank(old)
    old = skeleton(SPEC) if new else old
    have = read(old, path)
    have = have._replace(id="") if new else have  # a new document says what it is called
    if have == want:
        return old
    doc = _sections.write(SPEC, editable(parse(old)), have, want)
    doc = _sections.with_nothing_said(SPEC, doc) if new else doc
    text = render(write_front(doc, KEYS, have, want))
    return text if not _sections.is_blank(text) else write(c, "", path)


def check(text: str, path: str) -> list[Finding]:
    """Every rule that this text breaks."""
    return rules(SPEC, text, path)


def assign(text: str, path: str, changes: Sequence[Change]) -> str:
    """`text` after the changes of `update`."""
    before = read(text, path)
    c = _md_assign.assigned(before, changes, HOLDS, header=FRONT)
    if c.word not in {*WORDS, before.word}:
        hint = "a checkpoint is current or active; it is complete when it is archived"
        raise Usage(f'"{c.word}" is not a status of a Markdown checkpoint', hint=hint)
    return write(c, text, path)
