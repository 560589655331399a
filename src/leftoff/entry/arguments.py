"""A small argument parser for the common path, where importing argparse would cost a tenth.

Commands describe their arguments once, in `arguments(parser)`, with argparse's own `add_argument`
words. This parser runs them; `entry.help` hands the same description to argparse for --help, shell
completion and the docs.
"""

from __future__ import annotations

from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any


ALSO_FIELDS = frozenset({"--project"})
"""Options that are also fields of a document: `--project=x` of update sets the field."""


class Args:
    """The parsed values, as attributes."""

    def __getattr__(self, name: str) -> Any:
        """Only reached for a name that no argument defines."""
        raise AttributeError(name)


class _Argument(Record):
    names: tuple[str, ...]
    dest: str
    action: str
    nargs: str
    choices: tuple[str, ...]
    metavar: str
    const: str

    @property
    def is_flag(self) -> bool:
        return self.action == "store_true"


class Parser:
    """Collects what `arguments(parser)` adds, then reads a command line."""

    def __init__(self, *, free: bool = False) -> None:
        """With `free`, unknown `--key=value` words are kept in order in `args.rest`."""
        self._options: dict[str, _Argument] = {}
        self._positionals: list[_Argument] = []
        self._defaults: dict[str, object] = {}
        self._free = free

    def add_argument(  # noqa: PLR0913  # argparse's own signature, as far as commands use it
        self,
        *names: str,
        action: str = "store",
        nargs: str = "",
        choices: Sequence[str] = (),
        metavar: str = "",
        default: object = None,
        const: str = "",
        dest: str = "",
        help: str = "",  # noqa: A002, ARG002
    ) -> None:
        """Take one argument, as argparse would."""
        dest = dest or names[0].lstrip("-").replace("-", "_")
        shown = metavar or dest.upper()
        made = _Argument(names, dest, action, nargs, tuple(choices), shown, const)
        if names[0].startswith("-"):
            self._options.update(dict.fromkeys(names, made))
        else:
            self._positionals.append(made)
        many = action == "append" or nargs in {"*", "+"}
        empty: object = False if made.is_flag else ([] if many else None)
        self._defaults[dest] = empty if default is None else default

    def parse(self, words: Sequence[str]) -> Args:
        """The values of a command line; Usage says what does not fit and what was meant."""
        args, loose, rest = Args(), list[str](), list[str]()
        args.__dict__.update(self._defaults)
        queue = list(words)
        while queue:
            word = queue.pop(0)
            if word == "--":
                loose += queue
                break
            if not word.startswith("-") or word == "-":
                loose.append(word)
            elif not self._take_option(args, word, queue):
                rest.append(word)
        self._place(args, loose)
        args.__dict__["rest"] = rest
        return args

    def _take_option(self, args: Args, word: str, queue: list[str]) -> bool:
        """Read one option; False leaves the word to a command that takes free assignments."""
        name, given, value = word.partition("=")
        option = self._options.get(name)
        if self._free and given and (option is None or name in ALSO_FIELDS):
            return False
        if option is None:
            hint = _near(name, self._options) or "see --help for the options"
            if self._free and not hint.startswith("did"):
                hint = f"write {name}=VALUE, {name}+=VALUE or {name}:json=VALUE"
            raise Usage(f"unknown option {name}", hint=hint)
        if option.is_flag:
            if given:
                raise Usage(f"{name} takes no value", hint=f"write {name} alone")
            args.__dict__[option.dest] = True
            return True
        if not given and option.nargs == "?" and (not queue or queue[0].startswith("-")):
            value = option.const
        elif not given:
            if not queue or queue[0].startswith("--"):
                raise Usage(f"{name} needs a value", hint=f"write {name} {option.metavar}")
            value = queue.pop(0)
        self._store(args, option, value)
        return True

    def _store(self, args: Args, argument: _Argument, value: str) -> None:
        if argument.choices and value not in argument.choices:
            shown = argument.names[0] if argument.names[0].startswith("-") else argument.metavar
            raise Usage(
                f'{shown} cannot be "{value}"',
                hint=_near(value, argument.choices)
                or f"choose one of: {', '.join(argument.choices)}",
            )
        if argument.action == "append" or argument.nargs in {"*", "+"}:
            args.__dict__[argument.dest] = [*args.__dict__[argument.dest], value]
        else:
            args.__dict__[argument.dest] = value

    def _place(self, args: Args, loose: list[str]) -> None:
        """Give the words without a dash to the positional arguments, in order."""
        for argument in self._positionals:
            if argument.nargs in {"*", "+"}:
                for word in loose:
                    self._store(args, argument, word)
                loose = []
            elif loose:
                self._store(args, argument, loose.pop(0))
            missing = argument.nargs != "*" and not args.__dict__[argument.dest]
            if missing and argument.nargs != "?":
                raise Usage(f"{argument.metavar} is missing", hint="see --help for an example")
        if loose:
            meant = self._free and "=" in loose[0]  # an assignment of which only the dashes lack
            hint = f"write --{loose[0]}" if meant else "see --help for what it takes"
            raise Usage(f'unexpected argument "{loose[0]}"', hint=hint)


def _near(word: str, known: Iterable[str]) -> str:
    """A hint for a word that nothing takes."""
    from leftoff.core.find_stream import did_you_mean  # only for a mistake

    return did_you_mean(word, known)
