"""Pages of a long list: `--limit` rows of it, from the row that `--skip` names."""

from __future__ import annotations

from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from typing import Any

    from leftoff.commands import Call

MOST = 1000
_FURTHEST = 10_000_000


class Part(Record):
    """Which rows are wanted."""

    skip: int
    limit: int

    @property
    def slice(self) -> slice:
        """The same for a list."""
        return slice(self.skip, self.skip + self.limit)


def arguments(parser: Any, about: str) -> None:
    """How many, from where."""
    parser.add_argument("--limit", metavar="N", help=about)
    parser.add_argument("--skip", metavar="N", help="with --limit: leave out the first N")


def part(call: Call) -> Part | None:
    """What was asked for; None where nobody asked for a part."""
    if call.args.limit is None:
        if call.args.skip is not None:
            raise Usage("--skip is for --limit", hint="give both, or neither")
        return None
    limit, skip = _number(call.args.limit, MOST), _number(call.args.skip or "0", _FURTHEST)
    return Part(skip, max(1, limit))


def _number(word: str, most: int) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 9 and int(word) <= most):
        raise Usage(f'"{word[:20]}" is no number up to {most}', hint="give a number")
    return int(word)
