"""All sessions that this machine knows: journals and transcripts, one Session for each.

Both are read where they lie and nothing is kept. A session that only a transcript tells of is as
good as any: nobody had to set up anything for it.
"""

from __future__ import annotations

import os

from leftoff.core.session import (
    TRANSCRIPT,
    Session,
    is_ghost,
    newest_first,
    settled,
)
from leftoff.core.stats import Stats, together
from leftoff.core.thresholds import DEFAULTS
from leftoff.record import TYPE_CHECKING
from leftoff.world import liveness
from leftoff.world.journal_sessions import beginnings, journaled, of_key
from leftoff.world.journal_sessions import read as read_journal
from leftoff.world.log_record import began_in, rank
from leftoff.world.place import belongs_to, find_place, roots_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from leftoff.core.session import Client
    from leftoff.world.place import Place
    from leftoff.world.server_sessions import ServerSessions
    from leftoff.world.session_catalogue import Entry
    from leftoff.world.transcripts import Known, Log

    Alive = Callable[[Client], bool | None]
    Belongs = Callable[[str], bool]
    Key = tuple[str, str]

TAIL = 1 << 18
_UNTOLD = Session("", "", origin=TRANSCRIPT)
LOOKED_AT = 50
"""Journals or transcripts that a glance opens for each session it wants."""


def sessions(  # noqa: PLR0913  # what decides which sessions, each by its name
    state: str,
    env: Mapping[str, str],
    now: float,
    *,
    root: str = "",
    limits: Mapping[str, float] = DEFAULTS,
    alive: Alive = liveness.alive,
    progress: Callable[[int, int], None] | None = None,
    curves: bool = True,
    archived: bool = False,
    logs: list[Log] | None = None,
) -> list[Session]:
    """Newest first. `root` keeps those of its project: its working trees and folders below.

    With `archived` also those whose transcript only our archive still has; `logs` where somebody
    has already looked for the transcripts.
    """
    home = env.get("HOME", "")
    place = find_place(root, home) if root else None
    belongs = belongs_to(place, home) if place else None
    known, began = journaled(state, belongs)
    logs = _listed(env, state, place) if logs is None else [*logs]
    logs += _elsewhere(known.values(), logs)
    if archived and os.path.isdir(os.path.join(state, "archive")):
        from leftoff.world.archive_notes import archived_logs

        logs += archived_logs(env, state, logs)
    logs = _of_project(logs, began, belongs) if belongs else logs
    told = _told(logs, state, progress, curves)
    found = {key: one for key, one in known.items() if not belongs or belongs(began[key])}
    for key, group in _groups(logs).items():
        found[key] = _with_logs(known.get(key) or _unjournaled(key), group, told, now)
    root_of = roots_of(home)
    whole = (_finished(one, root_of, alive) for one in found.values())
    return newest_first(settled(one, now, limits) for one in whole if not is_ghost(one))


def latest(  # noqa: PLR0913  # as above
    state: str,
    env: Mapping[str, str],
    root: str,
    most: int,
    *,
    room: int,
    now: float = float("inf"),
) -> list[Session]:
    """The newest few of a project, for a glance: of what is new in them, only so much is read."""
    home = env.get("HOME", "")
    place = find_place(root, home)
    belongs = belongs_to(place, home)
    found, began = journaled(state, belongs, most * 2, among=most * 2 * LOOKED_AT)
    logs = _of_project(_listed(env, state, place), began, belongs)
    groups = [*_groups(sorted(logs, key=lambda log: -log.mtime_ns)).items()]
    kept: list[Session] = []
    for at in range(0, most * LOOKED_AT, most * 2):  # some are ghosts, or of a project below this
        some = groups[at : at + most * 2]
        told = _glanced([log for _, group in some for log in group], state, room)
        for key, group in some:
            one = found.get(key) or of_key(state, key) or _unjournaled(key)
            found[key] = _with_logs(one, group, told, now)
        mine = (one for one in found.values() if belongs(one.root or one.cwd))
        whole = (_finished(one, roots_of(home), liveness.alive) for one in mine)
        kept = newest_first(one for one in whole if not is_ghost(one))[:most]
        if len(kept) == most or not groups[at + most * 2 :]:
            break
    return kept


def of_entries(  # noqa: PLR0913, PLR0917  # which, of what, and for whom
    entries: Iterable[Entry],
    state: str,
    env: Mapping[str, str],
    now: float,
    limits: Mapping[str, float] = DEFAULTS,
    server_sessions: ServerSessions | None = None,
) -> list[Session]:
    """The sessions that a catalogue names, in its order; only their own files are read."""
    wanted = [*entries]
    root_of, told = roots_of(env.get("HOME", "")), _told_of(wanted, state, env, server_sessions)
    made = []
    for entry in wanted:
        one = _of_entry(entry, told, now)
        if not entry.logs and (logs := _elsewhere([one], [])):
            one = _with_logs(one, logs, _told(logs, state, None, False), now)
        made.append(settled(_finished(one, root_of, liveness.alive), now, limits))
    return [one for one in made if not is_ghost(one)]


def of_server(  # noqa: PLR0913, PLR0917  # which, of what, and for whom
    server_sessions: ServerSessions,
    state: str,
    env: Mapping[str, str],
    now: float,
    belongs: Belongs,
    since: float = 0.0,
) -> list[Session]:
    """All that a server knows, newest first; only what changed, or may still end, is made anew.

    Those whose files did not change since then are left out.
    """
    made = server_sessions.sessions
    newer = server_sessions.look().newer(since)
    entries = server_sessions.rows(server_sessions.which(belongs, below=newer))
    known = [made.get((one.agent, one.session)) for one in entries]
    stale = [
        entry
        for entry, one in zip(entries, known, strict=True)
        if one is None or one[0] is not entry or (one[1] and not one[1].ended)
    ]
    fresh = {
        (one.agent, one.id): one
        for one in of_entries(stale, state, env, now, server_sessions=server_sessions)
    }
    for entry in stale:
        key = entry.agent, entry.session
        made[key] = server_sessions.row(*key) or entry, fresh.get(key)
    found = (made[one.agent, one.session][1] for one in entries)
    return newest_first(one for one in found if one)


def _of_entry(entry: Entry, told: Mapping[str, Known], now: float) -> Session:
    key = entry.agent, entry.session
    one = read_journal(*key, entry.journal) if entry.journal else _unjournaled(key)
    group = [told[path].log for path, *_ in entry.logs if path in told]
    if group:
        one = _with_logs(one, _groups(group)[key], told, now)
    return one._replace(thread=one.thread or entry.thread)


def _told_of(
    entries: Iterable[Entry],
    state: str,
    env: Mapping[str, str],
    server_sessions: ServerSessions | None,
) -> dict[str, Known]:
    """Their transcripts as they are now; only what changed since they were listed is read."""
    from leftoff.world import log_cache, transcripts
    from leftoff.world.log_files import in_database, log_at

    told: dict[str, Known] = {}
    unread: list[Log] = []
    rows = {log[0] for entry in entries for log in entry.logs if "#" in log[0]}
    found = in_database(env) if rows else []
    there = {log.path: log for log in found or ()}
    for entry in entries:
        copies = server_sessions.copies(entry.agent, entry.session) if server_sessions else ()
        there.update({log.path: log for log in copies})
        for path, name, size, at, stats in entry.logs:
            parent = entry.session if name != entry.session else ""
            log = there.get(path) or log_at(entry.agent, path)
            if found is None and path in rows:
                log = log._replace(size=size, mtime_ns=at)  # locked: as it was listed
            log = log._replace(session=name, parent=parent)
            if stats and (log.size, log.mtime_ns) == (size, at):
                told[path] = transcripts.Known(log, log_cache.stats_in(stats))
            elif log.size >= 0:
                unread.append(log)
    if server_sessions and unread:
        return told | {one.log.path: one for one in server_sessions.read(unread)}
    return told | _told(unread, state, None, False)


def _glanced(logs: list[Log], state: str, room: int) -> dict[str, Known]:
    """Whole where little of it is new; of any other its last lines, which say where it stopped."""
    if not logs:
        return {}
    from leftoff.world import log_cache, transcripts

    rows = log_cache.load(state, curves=False).rows
    read: list[Log] = []
    rest: list[Log] = []
    for log in logs:
        known = log_cache.Row._make(rows[log.path]).offset if log.path in rows else 0
        new = log.size - known if known <= log.size else log.size
        fits = new <= room or not os.path.isfile(log.path)  # a session in a database has no end
        (read if fits else rest).append(log)
        room -= min(new, room) if fits else 0
    told = {one.log.path: one for one in transcripts.read(read, state, curves=False)}
    return told | {log.path: transcripts.Known(log, _end_of(log)) for log in rest}


def _end_of(log: Log) -> Stats:
    from leftoff.core.redact import redacted
    from leftoff.world import log_tail

    stats = log_tail.stats_of(log.agent, log.path, TAIL)
    return redacted(stats._replace(asked=stats.last_asked))


def everything(_: str) -> bool:
    """No folder is left out."""
    return True


def logs_of(env: Mapping[str, str], state: str, place: Place) -> list[Log]:
    """The transcripts of a project's sessions."""
    belongs = belongs_to(place, env.get("HOME", ""))
    return _of_project(_listed(env, state, place), beginnings(state), belongs)


def _listed(env: Mapping[str, str], state: str, place: Place | None) -> list[Log]:
    """Every transcript; with the folder that its session began in, where a project is wanted."""
    from leftoff.world import log_files

    return log_files.placed(env, state).logs if place else log_files.find(env)


def _of_project(logs: list[Log], began: Mapping[Key, str], belongs: Belongs) -> list[Log]:
    """Those of a project's sessions: each is of one, and its journal's word comes first."""
    files: dict[Key, list[tuple[str, int, str, str]]] = {}
    for log in logs:
        one = log.parent, log.mtime_ns, log.path, log.folder
        files.setdefault(log.key, []).append(one)
    mine = {key for key, each in files.items() if belongs(began.get(key) or began_in(each))}
    return [log for log in logs if log.key in mine]


def _elsewhere(journaled: Iterable[Session], logs: list[Log]) -> list[Log]:
    """Transcripts that only a journal knows of: the client had another folder then."""
    from leftoff.world.log_files import log_at

    known = {(log.agent, log.session) for log in logs}
    missing = (one for one in journaled if one.transcript and (one.agent, one.id) not in known)
    files = (one for one in missing if os.path.isfile(one.transcript))  # any path may be named
    return [log_at(one.agent, one.transcript)._replace(session=one.id) for one in files]


def _told(
    logs: list[Log], state: str, progress: Callable[[int, int], None] | None, curves: bool
) -> dict[str, Known]:
    if not logs:
        return {}
    from leftoff.world import transcripts

    found = transcripts.read(logs, state, progress=progress, curves=curves)
    return {one.log.path: one for one in found}


def _groups(logs: Iterable[Log]) -> dict[Key, list[Log]]:
    """The files of each session, its own newest file first and its subagents' last."""
    groups: dict[Key, list[Log]] = {}
    for log in logs:
        if log.parent or log.session:  # `.jsonl` alone is nobody's
            groups.setdefault(log.key, []).append(log)
    for group in groups.values():
        group.sort(key=lambda log: rank(log.parent, log.mtime_ns, log.path))
    return groups


def _unjournaled(key: Key) -> Session:
    agent, name = key
    return _UNTOLD._replace(agent=agent, id=name)


def _with_logs(
    session: Session, group: list[Log], told: Mapping[str, Known], now: float
) -> Session:
    """What the journal knows, and the transcript with the files of its subagents."""
    main = group[0]
    first, *others = [told[log.path].stats for log in group if log.path in told] or [Stats()]
    stats = together(first, others)
    troubles = (told[log.path].trouble for log in group if log.path in told)
    trouble = next(filter(None, troubles), "")
    latest_sign = stats.last
    if not 0 < latest_sign <= now:  # a clock that was wrong must not keep it the newest for ever
        latest_sign = min(now, max(log.mtime_ns for log in group) / 1e9)
    starts = [at for at in (session.started, stats.first) if at]
    return session._replace(
        transcript=session.transcript or main.path,
        cwd=session.cwd or stats.cwd or (main.folder if trouble else ""),
        branch=session.branch or stats.branch,
        parent=session.parent or stats.parent,
        started=min(starts, default=0.0),
        seen=_seen(session, latest_sign),
        size=main.size,
        window=session.window or stats.window,
        stats=stats if told else session.stats,
        trouble=session.trouble or trouble,
    )


def _seen(session: Session, in_transcript: float) -> float:
    """What a client writes into the transcript after the end of a session is no sign of life."""
    return session.seen if session.ended else max(session.seen, in_transcript)


def _finished(session: Session, root_of: Callable[[str], str], alive: Alive) -> Session:
    """With its project, and whether its process runs."""
    root = session.root or (root_of(session.cwd) if session.cwd else "")
    if session.ended:
        return session._replace(root=root)
    return session._replace(root=root, alive=alive(session.client))
