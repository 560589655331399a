"""A conversation as a page of a thread's history: who said what, and which tools ran. Pure.

Redacted, harmless, and in short: of a call its tool, what it was about and how it ended.
"""

from __future__ import annotations

from leftoff.core.fence import harmless, one_line
from leftoff.core.ids import slug
from leftoff.core.quote import quoted
from leftoff.core.redact import redact
from leftoff.core.talk import TITLES, TOOL
from leftoff.core.thread import cited
from leftoff.core.when import stamp
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from leftoff.core.talk import Turn

LONGEST_CALL = 200


class Head(Record):
    """What a page is about."""

    number: int
    name: str
    thread: str
    session: str
    at: float


def file_name(number: int, name: str) -> str:
    """`007-name.md`, in any script: numbers are cited, so they never change."""
    return f"{number:03d}-{slug(name, 'session')}.md"


def page(head: Head, turns: Iterable[Turn]) -> tuple[str, int]:
    """The whole page, and how many turns are in it."""
    parts = [_head(head)]
    count, last = 0, ""
    for turn in turns:
        parts += _turn(turn, last)
        count, last = count + 1, turn.role
    return "".join(parts).rstrip("\n") + "\n", count


def _head(head: Head) -> str:
    name = one_line(redact(head.name)) or head.session
    facts = (("Thread", head.thread), ("Session", head.session), ("Archived", stamp(head.at)))
    lines = "".join(f"- {label}: {one_line(value)}\n" for label, value in facts)
    return f"# {cited(head.number)} {name}\n\n{lines}\n"


def _turn(turn: Turn, last: str) -> Iterator[str]:
    """A call stands below whoever made it; texts have a heading of their own."""
    if turn.role == TOOL:
        yield _call(turn)
        return
    if last == TOOL:
        yield "\n"
    at = f" ({stamp(turn.at)})" if turn.at else ""
    yield f"## {TITLES.get(turn.role, 'Agent')}{at}\n\n{_text(turn.text)}\n\n"


def _text(text: str) -> str:
    """What was said; a line that looks like a heading of ours is not taken for one."""
    lines = harmless(redact(text)).strip().split("\n")
    return "\n".join(f"\\{line}" if line.startswith(("# ", "## ")) else line for line in lines)


def _call(turn: Turn) -> str:
    about = quoted(turn.about or ", ".join(turn.changes), LONGEST_CALL)
    shown = f": `{about.replace('`', chr(0x2BC))}`" if about else ""
    return f"- {one_line(turn.tool)}{shown}{' (failed)' if turn.ok is False else ''}\n"
