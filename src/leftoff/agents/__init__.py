"""One client program per file, and only described: its events, payloads, replies and places.

An adapter is a module with the names of `Agent`. The hook path loads one of them, so it imports no
more than `core.event`, `core.fast_json` and `leftoff.record`. Modules that begin with `_` are
shared parts and the readers of the clients' transcripts (`_claude_log` and its kin, see
`LogReader`).
"""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from leftoff.core.event import ParsedPayload, Usage
    from leftoff.core.stats import Stats

    class Agent(Protocol):
        """What an adapter defines."""

        NAME: str
        TITLE: str
        PROGRAM: str
        """the command a person types; an installed client has it on PATH"""
        HOOKS: tuple[Hook, ...]
        """in the order in which they are written into the client's settings"""
        SETTINGS: Settings
        LOGS: Logs
        SESSION_VARIABLE: str
        """in the shells that the client starts; empty where it has none"""
        PID_VARIABLE: str
        EXPORT_VARIABLE: str
        """names a file to which a start may add variables for the shells of the session"""
        ENTRY_VARIABLE: str
        """how the client was started"""
        RESUME: tuple[str, ...]
        """a command line with {id} in it"""
        BEGIN: tuple[str, ...]
        """a command line that begins a session on a terminal with {prompt}; empty for none"""
        BEGIN_HEADLESS: tuple[str, ...]
        """the same for one that works without anybody there, and ends"""
        PLUGIN: str
        """the text of our plugin beside the adapter, where hooks are one; else empty"""
        TRUSTS_BY_PLACE: bool
        """it remembers which hooks the user trusts by their place in a list"""
        CONTEXT_BYTES: int
        """how much injected text reaches the model whole"""
        CONTINUES: int
        """how often leftoff makes one turn go on at most; 0 where it does not"""
        LATE_STARTS: tuple[str, ...]
        """sources of a start whose text it drops, so that the first prompt gets that; such a client
        may also go on with an ended session and not say so"""
        AFTER_CLEAR: tuple[str, ...]
        """sources of a start that may go on with what was cleared, in the same process"""
        TODO_MARKS: tuple[bytes, ...]
        """stand in a transcript where the to-do list changes; none where that cannot be seen"""
        NEEDS: tuple[str, ...]
        """what is left for the user to do after `setup`, in sentences"""
        CANNOT: tuple[str, ...]
        """what the client cannot do, in sentences for people"""

        def parse(self, event: str, payload: Mapping[str, Any], /) -> ParsedPayload | None:
            """The payload in our words; None for what is no event of the session."""

        def reply(self, event: str, verb: str, text: str, /) -> str:
            """The exact output for a text, or "" where this event of this client allows none."""

        def usage(self, tail: bytes, /) -> Usage | None:
            """How full the context is, by the last whole lines of a transcript."""

    class LogReader(Protocol):
        """What a reader of transcripts defines; a tally is plain data that marshal can keep."""

        VERSION: int
        """of the tally: another one, and every file is read again"""

        def begin(self) -> dict[str, Any]:
            """The tally of nothing."""

        def feed(self, tally: dict[str, Any], block: bytes) -> None:
            """Count whole lines. In any split of a file into such blocks the sum is the same."""

        def stats(self, tally: dict[str, Any]) -> Stats:
            """What was counted."""


class Hook(Record):
    """One registration: the client's event, ours, a matcher for some of them, its seconds."""

    event: str
    ours: str
    matcher: str = ""
    timeout: int = 5


class Settings(Record):
    """Where a client's hooks are registered, and in which shape (see `world.hook_registration`)."""

    shape: str
    """nested (Claude, Codex, Gemini), flat (Copilot), plugin (a file of its own) or none (Hapi)"""
    variable: str
    """names the client's own folder, or the one that it is `below`; empty where none does"""
    home: str
    """that folder below HOME"""
    file: str
    """the user's file in that folder"""
    project: str
    """the file in a project, for --project-only"""
    unit: int = 1
    """how many of its units of time make a second"""
    below: str = ""
    """the client's folder in the one that the variable names, where that is not the same"""
    also: tuple[str, ...] = ()
    """other files in a project that it takes hooks from"""
    reads: tuple[str, ...] = ()
    """what its reader takes beyond strict JSON: comments, bom"""
    plugins: tuple[tuple[str, str], ...] = ()
    """(file, key) below the client's folder that tell of our plugin: it is named at the key of that
    file; with no key, the file or folder itself tells"""
    project_plugins: tuple[tuple[str, str], ...] = ()
    """the same in a project"""
    switches: str = ""
    """the file that tells which of its plugins are switched off, where that is another one"""
    shows_hook: bool = False
    """while a hook runs it shows the name of it, and the whole command of one that has none"""
    off: tuple[str, bool] = ("", False)
    """the key, with a dot for each object that it is in, and the value that switch all hooks off"""
    off_alone: bool = False
    """that switch stops only the hooks of the file that it is in"""
    off_in: str = ""
    """the user's file with that key, where it is not one of those that hooks are in"""
    skills: str = "skills"
    """the folder of the user's skills, below the client's"""
    project_skills: str = ".agents/skills"
    """the one in a project"""


class Logs(Record):
    """Where transcripts lie: below the client's folder, as a pattern with `*` for one part."""

    reader: str
    """the module that reads them; empty where there is nothing to read"""
    patterns: tuple[str, ...] = ()
    database: str = ""
    variable: str = ""
    home: str = ""
    """the folder below HOME, where it is not that of the settings"""
    below: str = ""
    named: str = ""
    """a session's own file, with {id} in it, for a client that does not always tell it"""


def names() -> list[str]:
    """Every client, from the files in this folder."""
    from os import listdir

    found = listdir(__path__[0])
    return sorted(f[:-3].replace("_", "-") for f in found if f.endswith(".py") and f[0] != "_")


def load(name: str) -> Agent:
    """The adapter of a client; ImportError for one that nobody wrote."""
    # __import__ spares the hook the importlib package
    found: Any = __import__(f"{__name__}.{name.replace('-', '_')}", fromlist=["parse"])
    return found  # type: ignore[no-any-return]  # a module is checked against the Protocol by a test


def resume_command(agent: str, session: str) -> str:
    """The client's own command to go on with a session; "" where it has none."""
    words = load(agent).RESUME if agent in names() else ()
    return " ".join(words).replace("{id}", session)
