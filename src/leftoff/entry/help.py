"""Help and the docs' view of commands: argparse over the same descriptions."""

from __future__ import annotations

import argparse
import json
from functools import partial
from shutil import get_terminal_size
from textwrap import wrap

from rich_argparse import RawDescriptionRichHelpFormatter

from leftoff.commands import plainly
from leftoff.entry.help_json import SCHEMA, USAGE, actions, catalogue
from leftoff.entry.plain import width
from leftoff.entry.verbs import ALIASES, FOR_CLIENTS, VALUED, add_common, every_verb, find_command
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, TextIO

    from leftoff.commands import Command, Say

LEAD = ("status", "next", "save", "resume", "doctor")
GROUPS = {
    "Every day": ("done", "handoff"),
    "Documents": (
        *("show", "list", "update", "validate", "reset", "init", "delta", "fork", "tree"),
        *("current", "archive", "learnings", "convert", "merge-driver"),
    ),
    "Threads and sessions": (*("thread", "session", "budget", "compact", "recover", "search"),),
    "Agents": ("setup", "uninstall", "hook", "statusline", "dispatch", "skill", "mcp"),
    "Upkeep": ("trust", "index", "prune", "team", "web", "demo", "bench-resume"),
}
"""The verbs that are there when they are looked for, by what they are for."""
PIPED = 96
"""Columns where nobody looks, so that docs and tests do not depend on a terminal."""
NAMES = 14
"""Columns of the names of verbs."""


def run(verb: str, words: Sequence[str], out: TextIO, say: Say, *, color: bool) -> int:
    """`leftoff help`, `leftoff help VERB`, `leftoff VERB --help`, `leftoff completion SHELL`."""
    pairs = zip(("", *words), words, strict=False)
    names = [word for before, word in pairs if word[:1] != "-" and before not in VALUED]
    asked = "--help" in words or "-h" in words
    if verb == "completion" and not asked:
        from leftoff.entry.completion import script  # only for those who install it

        print(script(names[0] if names else ""), file=out)
        return 0
    wanted = names[0] if verb == "help" and names else verb
    if "--json" in words:
        print(as_json(say, wanted), file=out)
        return 0
    columns = get_terminal_size().columns if out.isatty() else 0
    print(_text(wanted, say, columns, color=color), file=out, end="")
    return 0


def _text(wanted: str, say: Say, columns: int, *, color: bool) -> str:
    if wanted == "help":
        return overview(say, columns)
    if wanted == "completion":
        return _completion_page(say)
    return page(wanted, say, color=color, columns=columns or PIPED)


def as_json(say: Say = plainly, wanted: str = "help") -> str:
    """The same for agents, in the form of every other answer; of one command, or of all."""
    one = [] if wanted in {"help", "completion"} else [ALIASES.get(wanted, wanted)]
    data = catalogue(lambda verb: parser_of(verb, find_command(verb), say), say, one)
    answer: dict[str, Any] = {"schema": SCHEMA, "data": data, "findings": [], "ask": None}
    return json.dumps(answer, indent=2)


def overview(say: Say = plainly, columns: int = 0) -> str:
    """Every command in one line each, the everyday ones first; wrapped to a terminal's columns."""
    lines = [say("leftoff: pick up where you left off."), ""]
    lines += [*wrap(say("usage: ") + USAGE, columns or 200, subsequent_indent="  "), ""]
    for title, verbs in grouped().items():
        lines += [say(title)] if title else []
        for verb in verbs:
            lines += _entry(verb, _summary(verb, say), columns)
        lines.append("")
    return "\n".join([*lines, *_last(say, columns), ""])


def grouped() -> dict[str, list[str]]:
    """The verbs that there are: those to begin with under no title, then by what they are for."""
    left = [*every_verb(), "completion"]
    groups = {"": LEAD, **GROUPS, "Upkeep": (*GROUPS["Upkeep"], "completion")}
    found = {title: [verb for verb in verbs if verb in left] for title, verbs in groups.items()}
    known = {verb for verbs in found.values() for verb in verbs}
    others = [verb for verb in left if verb not in known]
    return found | ({"Others": others} if others else {})


def _summary(verb: str, say: Say) -> str:
    if verb == "completion":
        from leftoff.entry.completion import SUMMARY

        return say(SUMMARY)
    return say(find_command(verb).SUMMARY)


def _entry(verb: str, summary: str, columns: int) -> list[str]:
    """A verb and what it does; below each other where there is little room."""
    if columns and columns < NAMES + 3 + 30:
        return [f"  {verb}", *_wrapped(summary, columns, "    ")]
    first, *rest = _wrapped(summary, columns, " " * (NAMES + 3)) or [""]
    return [f"  {verb:<{NAMES}} {first.lstrip()}", *rest]


def _wrapped(text: str, columns: int, indent: str) -> list[str]:
    if not columns:
        return [indent + text]
    wide = width(text) > len(text)  # Chinese: no blanks to break at, and each sign takes two
    room = columns // 2 + len(indent) // 2 if wide else columns
    return wrap(text, room, initial_indent=indent, subsequent_indent=indent)


def _last(say: Say, columns: int) -> list[str]:
    text = say('Without a command, leftoff runs status. "leftoff help COMMAND" shows examples.')
    return [*_wrapped(text, columns, ""), *_wrapped(say("New here? leftoff demo"), columns, "")]


def _completion_page(say: Say) -> str:
    from leftoff.entry.completion import HOW, SHELLS

    lines = [f"{say('usage: ')}leftoff completion {{{','.join(SHELLS)}}}", ""]
    lines += [_summary("completion", say), "", say("examples:")]
    return "\n".join([*lines, *(f"  {how}" for how in HOW.values()), ""])


def page(verb: str, say: Say = plainly, *, color: bool = False, columns: int = PIPED) -> str:
    """The help of one command."""
    parser = parser_of(verb, find_command(verb), say, color=color, columns=columns)
    text = parser.format_help()
    return text if text.endswith("\n") else text + "\n"


def parser_of(
    verb: str, command: Command, say: Say = plainly, *, color: bool = False, columns: int = PIPED
) -> argparse.ArgumentParser:
    """The argparse parser of one command."""
    examples = "\n".join(f"  {line}" for line in command.EXAMPLES)
    kind = RawDescriptionRichHelpFormatter if color else argparse.RawDescriptionHelpFormatter
    most = min(28, columns // 3)

    def formatter(prog: str) -> argparse.HelpFormatter:
        made = kind(prog, width=columns, max_help_position=most)
        # argparse itself takes these words from the locale of the process
        made.add_usage = partial(made.add_usage, prefix=say("usage: "))  # type: ignore[method-assign]
        return made

    parser = argparse.ArgumentParser(
        prog=f"leftoff {verb}",
        description="\n".join(_lines(say(command.SUMMARY), columns)),
        epilog=f"{say('examples:')}\n{examples}",
        formatter_class=formatter,
        allow_abbrev=False,
    )
    command.arguments(parser)
    if verb not in FOR_CLIENTS:
        add_common(parser)
    for action in actions(parser):
        action.help = say(action.help or "")
    parser._positionals.title = say("positional arguments")  # noqa: SLF001  # no public way
    parser._optionals.title = say("options")  # noqa: SLF001
    return parser


def _lines(text: str, columns: int) -> Iterator[str]:
    """A description is printed as it stands, so it is wrapped here."""
    yield from _wrapped(text, 0 if columns >= PIPED else columns, "")
