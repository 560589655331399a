"""Which session is calling: by option, by what start exported, by the client, by the processes.

Never by the newest transcript: two sessions run at once in one folder more often than one thinks.
"""

from __future__ import annotations

import os

from leftoff import agents
from leftoff.core.caller import SESSION_VARIABLE, agent_among
from leftoff.core.ids import check_name
from leftoff.errors import Ambiguous, NotFound, Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world.files import modified

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Protocol

    from leftoff.core.caller import Caller, Process
    from leftoff.core.session import Session
    from leftoff.world.store import Store

    class Asked(Protocol):
        """What a command was called with, as far as it matters here."""

        @property
        def args(self) -> Any: ...
        @property
        def env(self) -> Mapping[str, str]: ...
        @property
        def store(self) -> Store: ...
        @property
        def caller(self) -> Callable[[], Caller] | None: ...


RECENT_JOURNALS = 200
"""How many journals are asked for a process; a running session is among the newest."""


def calling(call: Asked) -> tuple[str, str] | None:
    """Agent and session id; None for a person. Ambiguous where two fit equally."""
    given = getattr(call.args, "session", None)
    if given is not None:
        return named(call.store.state, call.env, given)
    if exported := call.env.get(SESSION_VARIABLE, ""):
        return split(exported)
    ancestors = (call.caller().ancestors or ()) if call.caller else ()
    by_client = _by_variables(call.env, ancestors)
    return by_client or _by_process(call.store.state, ancestors)


def split(name: str) -> tuple[str, str]:
    """`agent/id` as both; Usage for anything else."""
    agent, slash, session = name.partition("/")
    if not slash:
        raise Usage(f'"{name[:80]}" is not a session', hint="write it as AGENT/ID")
    return check_name(agent), check_name(session, "session id")


def named(state: str, env: Mapping[str, str], name: str) -> tuple[str, str]:
    """The session that goes by an id, the start of one, or either after its client: AGENT/ID."""
    if not name:
        raise Usage("the session's id is empty", hint="leftoff session list --all shows every one")
    agent, session = split(name) if "/" in name else ("", name)
    known = sorted(one for one in _known(state, env) if agent in {"", one[0]})
    exact = [one for one in known if one[1] == session]
    fitting = exact or [one for one in known if one[1].startswith(session)]
    if len(fitting) > 1:
        choices = tuple("/".join(one) for one in fitting)
        text = f'"{name[:80]}" matches {len(fitting)} sessions'
        raise Ambiguous(text, hint="write more of the id", choices=choices)
    if fitting:
        return fitting[0]
    if agent in agents.names():
        return agent, session  # nobody has told of it yet
    raise NotFound(
        f'there is no session "{name[:80]}"', hint="leftoff session list --all shows every one"
    )


def _known(state: str, env: Mapping[str, str]) -> set[tuple[str, str]]:
    from leftoff.world import archive, journal, transcripts

    journaled = {(agent, session) for agent, session, _ in journal.all_in(state)}
    journaled |= archive.known(state)
    return journaled | {(log.agent, log.session) for log in transcripts.find(env) if not log.parent}


def _by_variables(env: Mapping[str, str], ancestors: Sequence[Process]) -> tuple[str, str] | None:
    """What the client put into the shell it started; of several, that of the nearest process."""
    told: dict[str, str] = {}
    for name in agents.names():
        variable = agents.load(name).SESSION_VARIABLE
        if variable and env.get(variable):
            told[name] = env[variable]
    if len(told) > 1:
        nearest = agent_among(ancestors, ())
        told = {nearest: told[nearest]} if nearest in told else told
    if len(told) > 1:
        raise _several(f"{agent}/{session}" for agent, session in told.items())
    agent, session = next(iter(told.items()), ("", ""))
    return (agent, check_name(session, "session id")) if agent else None


def _by_process(state: str, ancestors: Sequence[Process]) -> tuple[str, str] | None:
    """The nearest process above us that a journal names as the client of a running session."""
    if not ancestors or not os.path.isdir(os.path.join(state, "sessions")):
        return None
    by_process: dict[tuple[int, str], list[Session]] = {}
    for one in _running(state):
        by_process.setdefault((one.client.pid, one.client.began), []).append(one)
    for process in ancestors:
        found = by_process.get((process.pid, process.started), [])
        if len(found) > 1:
            raise _several(one.name for one in found)
        if found:
            return found[0].agent, found[0].id
    return None


def _running(state: str) -> Iterable[Session]:
    from leftoff.core.session_lines import session_of
    from leftoff.world import journal
    from leftoff.world.liveness import here

    machine = here()
    newest = sorted(journal.all_in(state), key=lambda one: -modified(one[2]))
    for agent, name, path in newest[:RECENT_JOURNALS]:
        one = session_of(agent, name, journal.read(path).lines)
        mine = (one.client.boot, one.client.ns, one.client.host) == machine[2:5]
        if mine and one.client.pid and not one.client.shared and not one.ended:
            yield one


def _several(names: Iterable[str]) -> Ambiguous:
    return Ambiguous(
        "several sessions could be the one that calls",
        hint="name it with --session AGENT/ID",
        choices=tuple(sorted(names)),
    )
