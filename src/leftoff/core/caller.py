"""Who is calling: a person at a terminal, or an agent somewhere above in the tree of processes.

One table of clients, by the program that runs and by what they leave in the environment of the
shells they start. A marker is a variable that only the running client sets, never a setting.
"""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


SESSION_VARIABLE = "LEFTOFF_SESSION"
"""What start exports where the client allows: which session a shell of it belongs to."""


class Process(Record):
    """An ancestor: `name` as the kernel has it, its words, and the names of its variables."""

    pid: int
    name: str
    words: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    started: str = ""
    """when it began, in the kernel's count: tells it from a later process of that id"""
    tty: str = ""
    """the terminal it is on; empty for none, or where that is not known"""


class Caller(Record):
    """What is known of who calls; `ancestors`, nearest first, is None where nobody could tell."""

    terminal: bool = False
    """whether a person could be typing: both stdin and stdout are terminals"""
    ancestors: tuple[Process, ...] | None = None


class Client(Record):
    """How one agent shows: names of its program, parts of a script's path, its variables."""

    agent: str
    programs: tuple[str, ...]
    scripts: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()


HAPI, HAPI_VARIABLE = "hapi", "HAPI_SESSION_ID"
"""What Hapi sets for the client that it runs: which of its sessions that one belongs to."""
# A marker that ends in `*` is a prefix. Hapi stands last: it starts the others.
CLIENTS = (
    Client(
        "claude-code",
        ("claude",),
        ("@anthropic-ai/claude-code", "/claude/versions/"),
        ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PID"),
    ),
    Client(
        "codex",
        ("codex", "codex-linux-sandbox", "codex-app-server"),
        ("@openai/codex",),
        ("CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_SANDBOX*", "CODEX_MANAGED_*", "CODEX_CI"),
    ),
    Client(
        "gemini-cli",
        ("gemini", "gemini-cli"),
        ("@google/gemini-cli",),
        ("GEMINI_CLI", "GEMINI_SESSION_ID"),
    ),
    Client("opencode", ("opencode", ".opencode"), ("opencode-ai",), ("OPENCODE",)),
    Client(
        "copilot",
        ("copilot",),
        ("@github/copilot",),
        ("COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"),
    ),
    Client("cursor", ("cursor-agent",), ("/cursor-agent/",), ("CURSOR_AGENT",)),
    Client("an agent", ("aider", "goose", "qwen", "cline", "crush"), (), ("AI_AGENT",)),
    Client(HAPI, ("hapi",), ("@twsxtd/hapi",), (HAPI_VARIABLE,)),
)
# These run somebody else's program: the script is among their words.
_RUNTIMES = ("node", "bun", "deno", "python", "npx", "npm", "uv", "sh", "bash", "dash", "zsh")
_SHELLS = {"sh", "bash", "dash", "zsh", "ksh", "fish", "ash", "busybox"}
# Of these the script is not the first word: `uv run x`, `npm exec x`.
_LAUNCHERS, _LAUNCHED = {"npx", "npm", "uv", "uvx", "bun", "bunx", "deno", "pnpm", "yarn"}, 3
# These make a terminal for another program; with none of their own, nobody is typing into it.
_TTY_MAKERS = {"script", "expect", "unbuffer", "socat", "faketty"}


def agent_among(ancestors: Iterable[Process], env: Iterable[str]) -> str:
    """The nearest agent among the processes, else one that the variables tell of; "" for none."""
    seen = tuple(ancestors)
    for process in seen:
        if found := program_of(process):
            return found
    marked = (_marked(names) for names in (env, *(process.variables for process in seen)))
    return next(filter(None, marked), "")


def hapi_session(link: str, ancestors: Sequence[Process] | None, client: int = 0) -> str:
    """The session of Hapi that the caller belongs to, by the variable that names it; "" for none.

    Whatever runs inside such a session inherits the variable, so it counts only where Hapi itself
    started the nearest client; `client` is that one's process id, where it is known.
    """
    above = tuple(ancestors or ()) if link else ()
    for at, process in enumerate(above):
        if process.pid == client if client else program_of(process):
            started = program_of(process) == HAPI or agent_among(above[at + 1 :], ()) == HAPI
            return link if started else ""
    return ""


def owner_among(ancestors: Sequence[Process]) -> tuple[Process, str]:
    """The process that stands for the caller as long as it works, and its name.

    The nearest agent; else the shell of the terminal, which is the last process on it; else the
    nearest process that was not started for one command alone.
    """
    for process in ancestors:
        if found := program_of(process):
            return process, found
    nearest = ancestors[0]
    on_it = [process for process in ancestors if nearest.tty and process.tty == nearest.tty]
    lasting = [process for process in ancestors if not _is_passing(process)]
    owner = on_it[-1] if on_it else (lasting or ancestors)[0]
    return owner, owner.name


def _is_passing(process: Process) -> bool:
    """A shell that was given one command, and ends with it."""
    return _base(process.words[0] if process.words else process.name) in _SHELLS and any(
        word[:1] == "-" != word[1:2] and "c" in word for word in process.words[1:2]
    )


def is_person(caller: Caller, env: Iterable[str]) -> bool:
    """A terminal, and no agent above it; where that cannot be known, no."""
    if not caller.terminal or caller.ancestors is None:
        return False
    if any(process.name in _TTY_MAKERS and not process.tty for process in caller.ancestors):
        return False
    return not agent_among(caller.ancestors, env)


def program_of(process: Process) -> str:
    """The agent that a process is, by what it runs; its variables only tell who is above it."""
    run = _run(process)
    names, paths = {process.name, *map(_base, run)}, "\n".join(run)
    for client in CLIENTS:
        if names & set(client.programs) or any(part in paths for part in client.scripts):
            return client.agent
    return ""


def _run(process: Process) -> Sequence[str]:
    """What a process runs: its first word, and the script behind it where that is a runtime.

    What comes after is the script's own, and may name anything.
    """
    if not _is_runtime(process):
        return process.words[:1]
    first = _base(process.words[0] if process.words else "")
    # a shell's `-c` text is a command of its own, not the name of a script
    behind = [word for word in process.words[1:] if word[:1] != "-" and not _is_text(word, first)]
    most = _LAUNCHED if first in _LAUNCHERS else 1
    return (*process.words[:1], *behind[:most])


def _is_text(word: str, runtime: str) -> bool:
    """Whether a word is a text to run; the path of a script may have spaces too."""
    return " " in word and (word[:1] != "/" or runtime in _SHELLS)


def _is_runtime(process: Process) -> bool:
    first = _base(process.words[0]) if process.words else process.name
    return first.startswith(_RUNTIMES) or process.name.startswith(_RUNTIMES)


def _base(word: str) -> str:
    name = word.rpartition("/")[2].removeprefix("-")
    return name.rpartition(".")[0] if name.endswith((".js", ".mjs", ".cjs", ".exe")) else name


def _marked(variables: Iterable[str]) -> str:
    names = set(variables)
    for client in CLIENTS:
        for marker in client.markers:
            stem = marker.removesuffix("*")
            if stem in names or (stem != marker and any(n.startswith(stem) for n in names)):
                return client.agent
    return ""


def without_marks(variables: Mapping[str, str]) -> dict[str, str]:
    """An environment in which no client tells of itself: for another one that begins in it."""
    return {name: value for name, value in variables.items() if not _marked((name,))}
