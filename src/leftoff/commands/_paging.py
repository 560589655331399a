"""Pages of a long list: `--limit` rows of it, from the row that `--from` names."""

from __future__ import annotations

from leftoff.commands._options import number_option
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from typing import Any

    from leftoff.commands import Call

MOST = 1000
_FURTHEST = 10_000_000


class Part(Record):
    """Which rows are wanted."""

    start: int
    limit: int

    @property
    def slice(self) -> slice:
        """The same for a list."""
        return slice(self.start, self.start + self.limit)


def add_from(parser: Any) -> None:
    """What goes with a command's own `--limit`."""
    parser.add_argument("--from", dest="start", metavar="N", help="with --limit: skip the first N")


def part(call: Call) -> Part | None:
    """What was asked for; None where nobody asked for a part."""
    if call.args.limit is None:
        if call.args.start is not None:
            raise Usage("--from is for --limit", hint="give both, or neither")
        return None
    limit = number_option("--limit", call.args.limit, least=1, most=MOST)
    return Part(number_option("--from", call.args.start, most=_FURTHEST), limit)
