"""One verb, one file. A command gathers facts, calls the pure core, writes, and returns a Result.

A command module defines SUMMARY, EXAMPLES, `arguments(parser)`, `run(call) -> Result` and
`view(data, say) -> blocks`. It never prints and never asks. `FREE = True` lets unknown
`--key=value` words through as `args.rest`; `FINDINGS_IN_VIEW = True` says its view shows them;
`TOUCHES_NOTHING = True` keeps upkeep from writing after it; `READS_TRANSCRIPTS = True` lets the
archive follow once it has answered.
"""

from __future__ import annotations

from os import listdir

from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Protocol

    from leftoff.core.blocks import Block
    from leftoff.core.caller import Caller
    from leftoff.core.model import Json
    from leftoff.core.result import Result
    from leftoff.core.texts import Say as Say
    from leftoff.world.server_cache import ServerCache
    from leftoff.world.settings import Settings
    from leftoff.world.store import Store

    class Command(Protocol):
        """What a command module defines."""

        SUMMARY: str
        EXAMPLES: tuple[str, ...]

        def arguments(self, parser: Any) -> None:
            """Describe the arguments in argparse's words."""

        def run(self, call: Call) -> Result:
            """Do it."""

        def view(self, data: dict[str, Json], say: Say) -> Iterable[Block]:
            """The result for people."""


def plainly(text: str, /, **values: object) -> str:
    """English, as it stands in the code; `(s)` is the plural of the count before it."""
    if "(s)" in text and values:
        text = _counted(text, values)
    return text.format(**values) if values else text


def _counted(text: str, values: Mapping[str, object]) -> str:
    """The template with every `(s)` decided: {n} file(s) is 1 file, 2 files."""
    *before, last = text.split("(s)")
    ends = ["" if values[_last_hole(part)] in (1, "1") else "s" for part in before]
    return "".join(part + end for part, end in zip(before, ends, strict=True)) + last


def _last_hole(text: str) -> str:
    return text.rpartition("{")[2].partition("}")[0]


def nothing() -> str:
    """What comes through a pipe that is not there."""
    return ""


class Call(Record):
    """Everything a command may look at: its arguments, the project, the clock, the environment."""

    args: Any
    store: Store
    now: float
    env: Mapping[str, str]
    cwd: str
    caller: Callable[[], Caller] | None = None
    """who calls, for the few commands that only a person may use; looked up when asked"""
    say: Say = plainly
    """the reader's language, for commands whose data is a text for people"""
    progress: Callable[[int, int], None] | None = None
    """told how much of long work is done, of how much; None where nobody watches"""
    again: bool = False
    """this call answers a question that was asked when its result had been shown"""
    patience: float = 0.0
    """seconds that git may take for one look at the repository; 0: as long as a person waits"""
    piped: Callable[[], str] = nothing
    """the text that comes on stdin, read when asked; empty on a terminal"""
    keep: ServerCache | None = None
    """what a server keeps between calls; None in a process of its own"""

    @property
    def settings(self) -> Settings:
        """What is configured; the defaults where a file is broken, which `entry` says."""
        from leftoff.world.settings import load_or_default

        return load_or_default(self.store.root, self.env)[0]


def names() -> list[str]:
    """Every verb, from the files in this folder."""
    found = listdir(__path__[0])
    return sorted(f[:-3].replace("_", "-") for f in found if f.endswith(".py") and f[0] != "_")


def load(verb: str) -> Command:
    """The module of a verb."""
    # __import__ spares the common path the importlib package
    found: Any = __import__(f"{__name__}.{verb.replace('-', '_')}", fromlist=["run"])
    return found  # type: ignore[no-any-return]  # a module is checked against the Protocol by a test
