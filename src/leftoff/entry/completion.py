"""Shell completion: a script for a shell, made from the same descriptions as help, by shtab.

Names of checkpoints and threads are asked of leftoff when the key is pressed
(`entry.completion_names`).
"""

from __future__ import annotations

import argparse

import shtab

from leftoff import __version__
from leftoff.agents import names as agents
from leftoff.core.find_stream import did_you_mean
from leftoff.core.texts import LANGUAGES
from leftoff.entry.verbs import ALIASES, FOR_CLIENTS, add_common, every_verb, find_command
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

SUMMARY = "Print a completion script for your shell: commands, options and names."
SHELLS = ("bash", "zsh", "fish", "tcsh")
HOW = {
    "bash": 'eval "$(leftoff completion bash)"   # in ~/.bashrc',
    "zsh": "leftoff completion zsh > ~/.zfunc/_leftoff   # a folder of your $fpath",
    "fish": "leftoff completion fish > ~/.config/fish/completions/leftoff.fish",
    "tcsh": "leftoff completion tcsh > ~/.leftoff.tcsh   # source it in ~/.tcshrc",
}
NAMES = "names"
"""`leftoff completion names` is what the scripts ask."""
ASK = f"leftoff completion {NAMES}"
QUIETLY = {**shtab.cmd(f"{ASK} 2>/dev/null"), "tcsh": f"`{ASK}`"}
"""tcsh cannot send errors away, and takes a slash for the end of what it is told to run."""
NAMED = frozenset({"name", "names", "thread", "words"})
"""Arguments that take the name of something that is there."""
NEW = frozenset({"init"})
"""Verbs whose NAME is one that is not there yet."""


def script(shell: str) -> str:
    """The script for a shell, to be sourced or installed."""
    if shell not in SHELLS:
        hint = did_you_mean(shell, SHELLS) or "leftoff completion bash"
        raise Usage(f"completion needs a shell: {', '.join(SHELLS)}", hint=hint)
    return str(shtab.complete(_parser(), shell))


def _parser() -> argparse.ArgumentParser:
    """All verbs in one parser, each value with what can stand there."""
    parser = argparse.ArgumentParser(prog="leftoff")
    parser.add_argument("--version", action="version", version=__version__)
    add_common(parser)
    verbs = parser.add_subparsers()
    for verb in (*every_verb(), *ALIASES):
        command = find_command(verb)
        sub = verbs.add_parser(verb, help=command.SUMMARY)
        command.arguments(sub)
        if verb not in FOR_CLIENTS:
            add_common(sub)
    about = verbs.add_parser("help", help="Every command in one line, or one with examples.")
    about.add_argument("verb", nargs="?", choices=every_verb())
    verbs.add_parser("completion", help=SUMMARY).add_argument("shell", choices=SHELLS)
    for verb, sub in {"": parser, **verbs.choices}.items():
        for action in sub._actions:  # noqa: SLF001  # no public way to list them
            _fill(verb, action)
    return parser


def _fill(verb: str, action: Any) -> None:
    """What a shell may put there, beyond the choices that the command names itself."""
    if action.choices or action.nargs == 0:
        return
    if action.dest == "lang":
        action.choices = LANGUAGES
    elif action.dest == "agent" or action.metavar == "AGENT":
        action.choices = agents()
    elif action.dest == "project":
        action.complete = shtab.DIRECTORY
    elif action.dest in NAMED and verb not in NEW:
        action.complete = QUIETLY
    elif action.metavar in {"PATH", "FILE"}:
        action.complete = shtab.FILE
