"""The generated parts of the pages about clients: what `leftoff.agents` knows of each."""

# ruff: noqa: INP001  # beside the pages, no part of the package

from __future__ import annotations

from collections.abc import Iterator

from leftoff import agents
from leftoff.core import event as e

ORDER = ("claude-code", "codex", "gemini-cli", "copilot", "opencode", "hapi")
EVENTS = {
    e.START: "start",
    e.PROMPT: "prompt",
    e.STOP: "turn end",
    e.COMPACTING: "before compaction",
    e.SUMMARY: "its summary",
    e.COMPACTED: "compacted",
    e.END: "end",
}
CAN = {
    "a brief at the start": (e.START, e.CONTEXT),
    "advice with a prompt": (e.PROMPT, e.CONTEXT),
    "a prompt can be blocked (only if you turn that on)": (e.PROMPT, e.BLOCK),
    "the summary is told what must survive": (e.COMPACTING, e.CONTEXT),
}
"""What works, and the reply of the client's adapter that makes it work."""
Rows = list[list[str]]


def every() -> list[agents.Agent]:
    """All clients, in the order of the pages; a new one comes last."""
    known = agents.names()
    named = [name for name in ORDER if name in known]
    return [agents.load(name) for name in (*named, *(n for n in known if n not in named))]


def hooked() -> list[agents.Agent]:
    """Those that call leftoff themselves."""
    return [one for one in every() if one.HOOKS]


def events() -> tuple[list[str], Rows]:
    """Which of its events each client tells."""
    head = ["event", *(one.TITLE for one in hooked())]
    return head, [
        [word, *(_hooks(one, event) for one in hooked())] for event, word in EVENTS.items()
    ]


def facts() -> tuple[list[str], Rows]:
    """What works in each client, and where its files are."""
    columns = [dict(_facts(one)) for one in hooked()]
    head = ["", *(one.TITLE for one in hooked())]
    return head, [[fact, *(column[fact] for column in columns)] for fact in columns[0]]


def page(name: str) -> tuple[Rows, list[str], list[str]]:
    """The facts of one client, what it needs from you, and what it cannot do."""
    one = agents.load(name)
    told = [[word, _hooks(one, event)] for event, word in EVENTS.items()] if one.HOOKS else []
    known = [list(fact) for fact in _facts(one)] if one.HOOKS else []
    return [*known, *told], list(one.NEEDS), list(one.CANNOT)


def _hooks(one: agents.Agent, event: str) -> str:
    return ", ".join(f"`{hook.event}`" for hook in one.HOOKS if hook.ours == event) or "-"


def _facts(one: agents.Agent) -> Iterator[tuple[str, str]]:
    for word, (event, verb) in CAN.items():
        told = any(hook.ours == event for hook in one.HOOKS)
        yield word, "yes" if told and one.reply(event, verb, "text") else "no"
    yield "a turn can continue (only if you turn that on)", _times(one)
    yield "your own file", f"`~/{one.SETTINGS.home}/{one.SETTINGS.file}`"
    yield "folder set by", _code(one.SETTINGS.variable)
    yield "a project's file", _code(one.SETTINGS.project)
    yield "it also accepts, beyond strict JSON", _words(one)
    yield (
        "variable with the session's id in its shells",
        _code(one.SESSION_VARIABLE or _exported(one)),
    )
    yield "its own command to continue a session", _code(" ".join(one.RESUME).replace("{id}", "ID"))


def _times(one: agents.Agent) -> str:
    return f"yes, {one.CONTINUES} times" if one.CONTINUES else "no"


def _exported(one: agents.Agent) -> str:
    """The plugin sets our own variable, where the client sets none."""
    return "LEFTOFF_SESSION" if one.PLUGIN else ""


def _words(one: agents.Agent) -> str:
    said = {"bom": "a byte order mark", "comments": "comments"}
    return ", ".join(said[word] for word in one.SETTINGS.reads) or "-"


def _code(text: str) -> str:
    return f"`{text}`" if text else "-"
