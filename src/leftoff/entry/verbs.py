"""The verbs of the command line: which module runs one, and what every one of them takes."""

from __future__ import annotations

from leftoff import commands
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from leftoff.commands import Command

FOR_CLIENTS = ("hook", "statusline")
"""Verbs that a client runs: they read its JSON, answer in its words, and never fail."""
ON_THEIR_OWN: tuple[str, ...] = ("demo", "mcp", "web")
"""Verbs that keep the streams to themselves: they serve others, or run other verbs."""
IN_ENTRY = (*FOR_CLIENTS, *ON_THEIR_OWN)
BUILT_IN = ("help", "completion", *IN_ENTRY)
ALIASES = {"restore": "resume"}
"""Other words for a verb, as the seeds use them."""


def every_verb() -> list[str]:
    """Everything that has arguments and a page of help."""
    return sorted((*commands.names(), *IN_ENTRY))


def find_command(verb: str) -> Command:
    """The module of a verb; Usage with a suggestion otherwise."""
    known = commands.names()
    verb = ALIASES.get(verb, verb)
    if verb in IN_ENTRY:
        return of_entry(verb)  # type: ignore[no-any-return]  # as far as help is concerned
    if verb not in known:
        from leftoff.core.find_stream import did_you_mean  # only for a mistake

        hint = (
            did_you_mean(verb, [*known, *ALIASES, *BUILT_IN])
            or 'run "leftoff help" to see all commands'
        )
        raise Usage(f'there is no command "{verb[:60]}"', hint=hint)
    return commands.load(verb)


def of_entry(verb: str) -> Any:
    """The module of a verb that is no command: SUMMARY, EXAMPLES, arguments and a run of its own.

    For clients it is `run(words, env)`, for those on their own `run(args, console, cwd)`; both
    return the exit code.
    """
    return __import__(f"leftoff.entry.verb_{verb}", fromlist=["run"])


VALUED = ("--project", "--lang", "--now")
"""The common options that take a value: the word behind one is no verb."""


def add_common(parser: Any) -> None:
    """The options that every command takes."""
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    parser.add_argument("--project", metavar="DIR", help="the project (default: the nearest one)")
    parser.add_argument("--lang", metavar="LANG", help="language of messages: en or zh")
    parser.add_argument("--now", metavar="TIME", help="use this time as now (ISO-8601)")
