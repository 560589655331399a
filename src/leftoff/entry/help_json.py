"""Help for agents: the whole command tree as data, rendered from the same descriptions.

`schema` is leftoff.help/1. Keys may be added to it; what is there keeps its meaning.
"""

from __future__ import annotations

from leftoff import __version__, errors
from leftoff.commands import plainly
from leftoff.entry.verbs import ALIASES, FOR_CLIENTS, ON_THEIR_OWN, VALUED, every_verb, find_command
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from typing import Any

    from leftoff.commands import Say

SCHEMA = "leftoff.help/1"
USAGE = "leftoff [COMMAND] [NAME] [--json] [--project DIR] [--lang en|zh]"
COMMON = ("--help", "--json", *VALUED)
ASKS = {
    "done": ("--next", "--complete"),
    "doctor": ("--apply",),
    "handoff": ("--pick", "--machine"),
    "recover": ("--pick",),
    "resume": ("--pick", "--continue", "--restart", "--reads", "--replay", "--edited"),
    "save": ("--new-session", "--machine"),
    "setup": ("--yes",),
    "thread": ("--save-first", "--no-save"),
}
"""The flags that answer what a command may come back with as `ask`; a test holds it complete."""
ENDS = (
    (0, "fine; a question without a terminal is data, not an error"),
    (130, "interrupted"),
)
"""The exit codes that are no kind of error."""


def catalogue(
    parser_of: Callable[[str], argparse.ArgumentParser],
    say: Say = plainly,
    verbs: Sequence[str] = (),
) -> dict[str, Any]:
    """Everything that an agent needs to call these commands, or any, without a second look."""
    common = (one for one in actions(parser_of("status")) if is_common(one))
    return {
        "program": "leftoff",
        "version": __version__,
        "usage": USAGE,
        "default": "status",
        "answer": ["schema", "data", "findings", "ask"],
        "error": ["kind", "message", "hint", "where", "choices", "retryable", "line"],
        "exit_codes": exit_codes(),
        "common": [_argument(one) for one in common],
        "commands": {verb: _command(verb, parser_of(verb), say) for verb in verbs or every_verb()},
    }


def exit_codes() -> list[dict[str, Any]]:
    """What each exit code means, with `error.kind` for those that are an error."""
    ends = [{"code": code, "kind": "", "means": means, "retryable": False} for code, means in ENDS]
    kinds = [
        {"code": one.code, "kind": one.kind, "means": _meaning(one), "retryable": one.retryable}
        for one in kinds_of_error()
    ]
    return sorted([*ends, *kinds], key=lambda row: (row["code"], row["kind"]))


def kinds_of_error() -> list[type[errors.LeftoffError]]:
    """Every kind of error, the base among them."""
    return [kind for kind in vars(errors).values() if isinstance(kind, type)]


def _meaning(kind: type[errors.LeftoffError]) -> str:
    if kind is errors.LeftoffError:
        return "findings of level error, a broken document among others included"
    return (kind.__doc__ or "").partition("\n")[0].rstrip(".")


def _command(verb: str, parser: argparse.ArgumentParser, say: Say) -> dict[str, Any]:
    command = find_command(verb)
    return {
        "summary": say(command.SUMMARY),
        "usage": " ".join(parser.format_usage().split()).removeprefix(say("usage: ")),
        "arguments": [_argument(one) for one in actions(parser) if not is_common(one)],
        "examples": list(command.EXAMPLES),
        "asks": list(ASKS.get(verb, ())),
        "aliases": [alias for alias, known in ALIASES.items() if known == verb],
        "free": bool(getattr(command, "FREE", False)),
        "json": verb not in (*FOR_CLIENTS, *ON_THEIR_OWN),
    }


def actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Its arguments, in order."""
    return parser._actions  # noqa: SLF001  # no public way to list them


def is_common(action: argparse.Action) -> bool:
    """Whether every command takes it."""
    return bool(set(COMMON) & set(action.option_strings))


def _argument(action: argparse.Action) -> dict[str, Any]:
    """One argument. nargs: 0 for a flag, 1, ? at most one, * any number, + at least one."""
    kind = type(action).__name__
    nargs = action.nargs if action.nargs is not None else 1
    optional = bool(action.option_strings) or nargs in {"?", "*"}
    return {
        "names": list(action.option_strings) or [action.dest],
        "positional": not action.option_strings,
        "help": (action.help or "").replace("%%", "%"),
        "metavar": "" if nargs == 0 else str(action.metavar or action.dest.upper()),
        "choices": list(action.choices or ()),
        "nargs": nargs,
        "required": action.required if action.option_strings else not optional,
        "repeatable": kind == "_AppendAction",
    }
