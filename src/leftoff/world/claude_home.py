"""What Claude Code keeps for how long: transcripts that it will delete, prompts that it keeps.

It deletes transcripts by the time of their last change, `cleanupPeriodDays` after it, when it next
starts; the list of prompts that its users typed stays.
"""

from __future__ import annotations

import os

from leftoff import agents
from leftoff.agents._log_parts import name_of, object_in
from leftoff.agents._payload import text, typed
from leftoff.core.model import Finding
from leftoff.core.when import DAY, stamp
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import archive, clients, log_tail, transcripts
from leftoff.world.session_catalogue import AGENT, AT, PARENT, ROOT, SESSION, SIZE, logs_until

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from leftoff.world.log_record import Log
    from leftoff.world.server_sessions import ServerSessions
    from leftoff.world.session_catalogue import Row

NAME = "claude-code"
PERIOD, KEY = 30, "cleanupPeriodDays"
AHEAD = 7 * DAY
"""How long before a deletion it is told."""
HISTORY = "history.jsonl"
_MOST = 32 << 20
_LONGEST = 400


class Expiring(Record):
    """The transcripts of a project that will soon be deleted, the first of them, and when."""

    number: int
    session: str
    at: float
    days: int
    """the period that is set"""


class Typed(Record):
    """What was typed in one session, as the client's list of prompts tells."""

    session: str
    first: float
    last: float
    prompts: tuple[str, ...]


def expiring(
    env: Mapping[str, str],
    root: str,
    state: str,
    now: float,
    server_sessions: ServerSessions | None = None,
) -> Expiring | None:
    """What of this project is due within days, and is not in the archive; None for nothing."""
    days = _period(env, root)
    below = root.rstrip("/") + "/"
    until = now + AHEAD - days * DAY
    rows = (
        server_sessions.look().logs_until(until)
        if server_sessions
        else logs_until(state, env, until)
    )
    mine = (row for row in rows if row[AGENT] == NAME and not row[PARENT])
    here = (row for row in mine if f"{row[ROOT]}/".startswith(below))
    unkept = (row for row in here if not _is_kept(row, state))
    soon = sorted((row[AT] / 1e9 + days * DAY, row[SESSION]) for row in unkept)
    return Expiring(len(soon), soon[0][1], soon[0][0], days) if soon else None


def _is_kept(row: Row, state: str) -> bool:
    """Whether a copy has all of a transcript."""
    if not os.path.isdir(archive.folder(state)):
        return False
    made = archive.copies(state, NAME, row[SESSION])
    return any((one.size, one.mtime_ns) == (row[SIZE], row[AT]) for one in made)


def due(env: Mapping[str, str], root: str, now: float) -> list[Log]:
    """Every transcript on this machine that may soon be deleted, with those of its subagents.

    It deletes those of all projects by the settings of the one that it is started in.
    """
    last = now + AHEAD - min(_period(env, root), _period(env, "")) * DAY
    every = [log for log in transcripts.find(env) if log.agent == NAME]
    soon = {log.key for log in every if log.mtime_ns / 1e9 <= last}
    return [log for log in every if log.key in soon]


def findings(
    env: Mapping[str, str],
    root: str,
    state: str,
    now: float,
    server_sessions: ServerSessions | None = None,
) -> Iterator[Finding]:
    """The same, for a report."""
    found = expiring(env, root, state, now, server_sessions)
    if found:
        said = (
            f"Claude Code will delete transcripts of this project within 7 days ({found.number}), "
            f"the first from {stamp(found.at)[:10]} on ({KEY} is {found.days})"
        )
        fix = (
            f"leftoff session archive --expiring keeps copies; or raise {KEY} in its settings.json"
        )
        yield Finding("transcripts-expire", "warning", f"{NAME}/{found.session}", said, fix)


def _period(env: Mapping[str, str], root: str) -> int:
    """Days after which it deletes: by the project's own settings, the project's, the user's."""
    agent = agents.load(NAME)
    own = agent.SETTINGS
    paths = [os.path.join(root, name) for name in (own.project, *own.also)]
    for path in (*paths, clients.settings_file(agent, env)):
        said = clients.setting(path, KEY)
        if isinstance(said, int) and not isinstance(said, bool) and 0 <= said < 1e6:
            return said
    return PERIOD


def deleted(env: Mapping[str, str], root: str, state: str) -> list[Typed]:
    """The sessions of a project whose prompts are left, and nothing else; newest first."""
    there = {log.session for log in _logs(env, root, state)}
    there |= {session for agent, session in archive.known(state) if agent == NAME}
    path = os.path.join(clients.folder(agents.load(NAME), env), HISTORY)
    lines = (object_in(line) for line in log_tail.tail(path, _MOST).split(b"\n") if line)
    found: dict[str, Typed] = {}
    for line in lines:
        one = _typed(line, root) if line else None
        if one and one.session not in there:
            before = found.get(one.session, one._replace(prompts=()))
            found[one.session] = Typed(
                one.session,
                min(before.first, one.first),
                max(before.last, one.last),
                (*before.prompts, *one.prompts),
            )
    return sorted(found.values(), key=lambda one: (-one.last, one.session))


def _typed(line: dict[str, object], root: str) -> Typed | None:
    """One prompt; a command of the client is none. Older versions do not name the session."""
    folder, asked = name_of(line, "project"), typed(text(line, "display")).strip()
    at = line.get("timestamp")
    if not f"{folder}/".startswith(f"{root}/") or not asked or asked.startswith("/"):
        return None
    when = at / 1000 if isinstance(at, int | float) and 0 < at < 1e14 else 0.0
    name = name_of(line, "sessionId") or stamp(when)[:10]
    return Typed(name, when, when, (asked[:_LONGEST].encode("utf-8", "replace").decode(),))


def _logs(env: Mapping[str, str], root: str, state: str) -> list[Log]:
    found = transcripts.for_project(env, root, state)
    return [log for log in found if log.agent == NAME and not log.parent]
