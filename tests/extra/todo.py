"""A plain to-do list: `todo/<name>.md`, with the sections Goal, Todo and Done.

A whole format in one file, to begin a new one with; `tests/test_one_file.py` puts it in its place,
and the laws hold for it.
"""

from __future__ import annotations

from leftoff.core.finish_action import Ending
from leftoff.core.model import IN_PROGRESS, Checkpoint, Finding
from leftoff.errors import FormatError
from leftoff.formats import _md_assign, _sections
from leftoff.formats._markdown import editable, parse, render
from leftoff.formats._md_items import listing
from leftoff.formats._md_outline import FRONT, Part, find, skeleton, spec
from leftoff.formats._md_text import one_line
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leftoff.formats import Change

NAME = "todo"
PATTERNS = ("todo/*.md",)
STAMPS = False
ENDING = Ending("told")
HOLDS = {
    "id": "file name",
    "intent": "Goal",
    "next_actions": "Todo",
    "history": "Done",
    "conflicts": "Conflicts",
    "extra": "other sections",
}
SPEC = spec(
    (
        Part("intent", "Goal"),
        Part("next_actions", "Todo", items=listing("next_actions")),
        Part("history", "Done", items=listing("history"), always=False),
        Part("conflicts", "Conflicts", items=listing("conflicts"), always=False),
    ),
    {},
)


def mine(text: str, path: str) -> bool:
    """Whether it has a list of what is to do."""
    return any(one.level == 2 and one.title.casefold() == "todo" for one in parse(text).sections)


def hold(c: Checkpoint) -> Checkpoint:
    """Goal and lists; the id is that of the file."""
    held = _sections.hold(SPEC, c, HOLDS)
    return held._replace(id=_stem(c), status=IN_PROGRESS)


def path(c: Checkpoint) -> str:
    """In the folder of such lists."""
    return f"todo/{_stem(c)}.md"


def read(text: str, path: str) -> Checkpoint:
    """The model of a text."""
    said = _sections.read(SPEC, _sections.opened(text, "list"))
    return Checkpoint(id=path.rpartition("/")[2].removesuffix(".md"), **said)


def write(c: Checkpoint, old: str, path: str) -> str:
    """`old` with what differs put in."""
    if _sections.is_blank(old):
        old = skeleton(SPEC)
    have = read(old, path)
    want = hold(c)._replace(id=have.id)
    if have == want:
        return old
    return render(_sections.write(SPEC, editable(parse(old)), have, want))


def check(text: str, path: str) -> list[Finding]:
    """Open conflicts; else anything goes."""
    try:
        doc = _sections.opened(text, "list")
    except FormatError as error:
        return [Finding("broken", "error", "", error.message, error.hint, error.line)]
    return list(_sections.unresolved(SPEC, doc, find(SPEC, doc)))


def assign(text: str, path: str, changes: Sequence[Change]) -> str:
    """`text` after the changes of `update`."""
    c = _md_assign.assigned(read(text, path), changes, HOLDS, header=FRONT, fixed=("id",))
    return write(c, text, path)


def _stem(c: Checkpoint) -> str:
    return one_line(c.id).replace("/", "-") or "work"
