"""Help, shell completion and the docs' view of commands: argparse over the same descriptions."""

from __future__ import annotations

import argparse
import json
from functools import partial

from rich_argparse import RawDescriptionRichHelpFormatter

from leftoff import __version__
from leftoff.commands import plainly
from leftoff.entry.verbs import FOR_CLIENTS, add_common, every_verb, find_command
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TextIO

    from leftoff.commands import Command, Say

LEAD = ("status", "next", "save", "resume", "doctor")
SHELLS = ("bash", "zsh", "tcsh")


def run(verb: str, words: Sequence[str], out: TextIO, say: Say, *, color: bool) -> int:
    """`leftoff help`, `leftoff help VERB`, `leftoff VERB --help`, `leftoff completion SHELL`."""
    pairs = zip(("", *words), words, strict=False)
    names = [word for before, word in pairs if word[:1] != "-" and before != "--lang"]
    if verb == "completion":
        print(completion(names[0] if names else ""), file=out)
        return 0
    if verb == "help" and "--json" in words:
        print(
            json.dumps(
                {"schema": "leftoff.help/1", "data": catalogue(say), "findings": [], "ask": None},
                indent=2,
            ),
            file=out,
        )
        return 0
    wanted = names[0] if verb == "help" and names else verb
    if wanted == "completion":
        print(f"{say('usage: ')}leftoff completion {{{','.join(SHELLS)}}}", file=out)
        return 0
    text = overview(say) if wanted == "help" else page(wanted, say, color=color)
    print(text, file=out, end="")
    return 0


def overview(say: Say = plainly) -> str:
    """Every command in one line each, the everyday ones first."""
    known = every_verb()
    first = [name for name in LEAD if name in known]
    lines = [say("leftoff: pick up where you left off."), ""]
    usage = "leftoff [COMMAND] [NAME] [--json] [--project DIR] [--lang en|zh]"
    lines += [say("usage: ") + usage, ""]
    for name in [*first, *(name for name in known if name not in first)]:
        lines.append(f"  {name:<14} {say(find_command(name).SUMMARY)}")
    lines += ["", say('Without a command: status. "leftoff help COMMAND" shows examples.'), ""]
    return "\n".join(lines)


def page(verb: str, say: Say = plainly, *, color: bool = False) -> str:
    """The help of one command."""
    text = parser_of(verb, find_command(verb), say, color=color).format_help()
    return text if text.endswith("\n") else text + "\n"


def parser_of(
    verb: str, command: Command, say: Say = plainly, *, color: bool = False
) -> argparse.ArgumentParser:
    """The argparse parser of one command."""
    examples = "\n".join(f"  {line}" for line in command.EXAMPLES)
    parser = argparse.ArgumentParser(
        prog=f"leftoff {verb}",
        description=say(command.SUMMARY),
        epilog=f"{say('examples:')}\n{examples}",
        formatter_class=partial(_Coloured if color else _Plain, say=say),
        allow_abbrev=False,
    )
    command.arguments(parser)
    if verb not in FOR_CLIENTS:
        add_common(parser)
    for action in _actions(parser):
        action.help = say(action.help or "")
    _headed(parser, say)
    return parser


def _headed(parser: argparse.ArgumentParser, say: Say) -> None:
    """The headings, which argparse takes from the locale of the process, in the reader's words."""
    parser._positionals.title = say("positional arguments")  # noqa: SLF001  # no public way
    parser._optionals.title = say("options")  # noqa: SLF001


class _Plain(argparse.RawDescriptionHelpFormatter):
    """A fixed width, so that the docs do not depend on the terminal they were made on."""

    def __init__(self, prog: str, say: Say) -> None:
        super().__init__(prog, width=96, max_help_position=28)
        self._prefix = say("usage: ")

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: Any = None) -> None:
        super().add_usage(usage, actions, groups, prefix or self._prefix)


class _Coloured(RawDescriptionRichHelpFormatter):
    """The same for a terminal, as wide as that is."""

    def __init__(self, prog: str, say: Say) -> None:
        super().__init__(prog)
        self._prefix = say("usage: ")

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: Any = None) -> None:
        super().add_usage(usage, actions, groups, prefix or self._prefix)


def completion(shell: str) -> str:
    """A completion script for a shell, to be sourced or installed."""
    if shell not in SHELLS:
        raise Usage(
            f"completion needs a shell: {', '.join(SHELLS)}", hint="leftoff completion bash"
        )
    import shtab  # only for those who install completion

    parser = argparse.ArgumentParser(prog="leftoff")
    parser.add_argument("--version", action="version", version=__version__)
    verbs = parser.add_subparsers()
    for name in every_verb():
        command = find_command(name)
        sub = verbs.add_parser(name, help=command.SUMMARY)
        command.arguments(sub)
        if name not in FOR_CLIENTS:
            add_common(sub)
    return str(shtab.complete(parser, shell))


def catalogue(say: Say = plainly) -> dict[str, Any]:
    """The commands as data, for tools that build menus."""
    return {
        name: {
            "summary": say(find_command(name).SUMMARY),
            "examples": list(find_command(name).EXAMPLES),
            "arguments": [
                _argument(action) for action in _actions(parser_of(name, find_command(name), say))
            ],
        }
        for name in every_verb()
    }


def _actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return parser._actions  # noqa: SLF001  # no public way to list them


def _argument(action: argparse.Action) -> dict[str, Any]:
    names = action.option_strings or [action.dest]
    choices = list(action.choices) if action.choices else []
    return {"names": names, "help": action.help or "", "choices": choices}
