"""The verbs of the command line: which module runs one, and what every one of them takes."""

from __future__ import annotations

from leftoff import commands
from leftoff.core.find import did_you_mean
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from leftoff.commands import Command

BUILT_IN = ("help", "completion")
ALIASES = {"restore": "resume"}
"""Other words for a verb, as the seeds use them."""


def find_command(verb: str) -> Command:
    """The command module of a verb; Usage with a suggestion otherwise."""
    known = commands.names()
    verb = ALIASES.get(verb, verb)
    if verb not in known:
        hint = (
            did_you_mean(verb, [*known, *ALIASES, *BUILT_IN])
            or 'run "leftoff help" to see all commands'
        )
        raise Usage(f'there is no command "{verb[:60]}"', hint=hint)
    return commands.load(verb)


def add_common(parser: Any) -> None:
    """The options that every command takes."""
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    parser.add_argument("--project", metavar="DIR", help="the project (default: found from here)")
    parser.add_argument("--lang", metavar="LANG", help="language of messages: en or zh")
    parser.add_argument("--now", metavar="TIME", help="take this time as now (ISO-8601)")
