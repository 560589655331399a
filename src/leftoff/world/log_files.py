"""Where the clients' transcripts are."""

from __future__ import annotations

import os
from itertools import accumulate
from stat import S_ISREG

from leftoff import agents
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import cache_file, clients
from leftoff.world.log_record import Log
from leftoff.world.state import state_dir

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from leftoff.agents import Agent, LogReader

_ID = len("00000000-0000-0000-0000-000000000000")
_FIRST = (8 << 10, 64 << 10, 512 << 10, 4 << 20, 32 << 20)
"""The folder comes behind the first prompt, and that may hold pictures."""
_HEAD = cache_file.head_of("log-heads 3")
_NONE, _CWD, _SIZE = (0, "", "", "", 0), 2, 4
_NOTHING: Mapping[str, Log] = {}


def find(env: Mapping[str, str]) -> list[Log]:
    """Every transcript of every client, each file once however many links lead to it."""
    logs, _ = _all(env)
    unsure = [log for log in logs if not _tells(log)]
    if not unsure:
        return logs
    heads = _heads(state_dir(env), unsure)
    return [_identified(log, heads[log.path]) if log.path in heads else log for log in logs]


def for_project(
    env: Mapping[str, str], root: str, state: str, others: Iterable[str] = ()
) -> list[Log]:
    """The transcripts of sessions that began in a folder, or one of others, or below it."""
    below = tuple([each.rstrip("/") + "/" for each in (root, *others)])
    return [log for log in placed(env, state).logs if f"{log.folder}/".startswith(below)]


class Placed(Record):
    """Transcripts; whether a database was locked, so that there may be more."""

    logs: list[Log]
    locked: bool


def placed(env: Mapping[str, str], state: str, known: Mapping[str, Log] = _NOTHING) -> Placed:
    """Every transcript, with the folder that its session began in; `known` ones are not asked."""
    logs, locked = _all(env, known)
    unsure = [log for log in logs if not log.folder]
    heads = _heads(state, unsure) if unsure else {}
    return Placed(
        [_identified(log, heads[log.path]) if log.path in heads else log for log in logs], locked
    )


def bases(env: Mapping[str, str]) -> list[str]:
    """The folders below which clients keep transcripts, or the file that is their database."""
    database = clients.database(env)
    return [database, f"{database}-wal", *(folder_of(agents.load(n), env) for n in agents.names())]


def beginnings(env: Mapping[str, str]) -> list[str]:
    """The folders that patterns begin with, and those in them: there may be no transcript yet."""
    found: dict[str, None] = {}
    for agent in map(agents.load, agents.names()):
        for pattern in agent.LOGS.patterns:
            top = f"{folder_of(agent, env)}/{pattern.partition('*')[0]}".rstrip("/")
            found |= dict.fromkeys((top, *_folders_in(top)))
    return [*found]


def _folders_in(folder: str) -> list[str]:
    try:
        entries = [*os.scandir(folder)]
    except OSError:
        return []
    return [entry.path for entry in entries if not entry.is_symlink() and _is_folder(entry)]


def _all(env: Mapping[str, str], known: Mapping[str, Log] = _NOTHING) -> Placed:
    found: dict[str, Log] = {}
    locked = False
    for name in agents.names():
        agent = agents.load(name)
        if agent.LOGS.database:
            rows = in_database(env)
            locked = rows is None
            last = (log for log in known.values() if "#" in log.path) if rows is None else rows
            found.update({log.path: log for log in last})
        folder, listed = folder_of(agent, env), dict[str, list[os.DirEntry[str]]]()
        for pattern in agent.LOGS.patterns:
            for entry in _matching(folder, pattern.split("/"), listed):
                if log := known.get(entry.path) or _log(name, entry):
                    found[log.path] = log
    return Placed(list(found.values()), locked)


def in_database(env: Mapping[str, str]) -> list[Log] | None:
    """The sessions of the one client that keeps them in a database; None while that is locked."""
    if not os.path.exists(clients.database(env)):
        return []
    from leftoff.world import opencode_db  # for the one client that keeps a database

    found = opencode_db.look(env)
    return None if found.busy else list(found.sessions)


def _tells(log: Log) -> bool:
    """Whether the path alone says which session it is: some names hold only the start of an id."""
    if log.folder or log.parent:
        return True
    return _is_id(log.session) and log.path.endswith(f"/{log.session}.jsonl")


def _identified(log: Log, head: tuple[Any, ...]) -> Log:
    _, session, folder, parent, _ = head
    agent, path, named, above, *figures, known = log
    return Log._make((agent, path, session or named, parent or above, *figures, folder or known))


def _heads(state: str, logs: Sequence[Log]) -> dict[str, tuple[Any, ...]]:
    """Inode, session, folder, parent and size of each, as its first lines say; each is read once.

    One that did not say its folder may do so when it has grown.
    """
    path = os.path.join(state, "cache", "log-heads.bin")
    known = cache_file.load_value(path, _HEAD) or {}
    unknown = [
        log
        for log in logs
        if (head := known.get(log.path, _NONE))[0] != log.inode
        or not (head[_CWD] or head[_SIZE] == log.size)
    ]
    known.update((log.path, _head(log)) for log in unknown)
    if any(known[log.path][_CWD] for log in unknown):
        cache_file.save_value(path, _HEAD, known)
    return known


def _head(log: Log) -> tuple[Any, ...]:
    return log.inode, *head_of(log), log.size


def with_head(log: Log) -> Log:
    """A transcript with what its first lines say now."""
    return _identified(log, _head(log))


def head_of(log: Log) -> tuple[str, str, str]:
    """Session, folder and parent, by as few bytes as will do: first lines may be long."""
    reader: Any = reader_of(log.agent)
    head = ("", "", "")
    try:
        with open(log.path, "rb", buffering=0) as file:
            first = b""
            for size in _FIRST:
                first += file.read(size - len(first))
                head = tuple(reader.head(first))
                if head[_CWD - 1] or len(first) < size:
                    break
    except OSError:
        pass  # gone, or not ours to read: `read` will say so
    return head


def has_reader(agent: str) -> bool:
    """Whether a client is known here, and keeps transcripts that leftoff can read."""
    return agent in agents.names() and bool(agents.load(agent).LOGS.reader)


def reader_of(agent: str) -> LogReader:
    """The module that reads a client's transcripts."""
    name = agents.load(agent).LOGS.reader
    return __import__(f"leftoff.agents.{name}", fromlist=["feed"])


def log_at(agent: str, path: str) -> Log:
    """The transcript of a known path; a size of -1 says that it is not there."""
    session, parent = _named(path)
    try:
        status = os.stat(path)
    except OSError:
        return Log(agent, path, session, parent, -1)
    return Log(agent, path, session, parent, status.st_size, status.st_mtime_ns, status.st_ino)


def folder_of(agent: Agent, env: Mapping[str, str]) -> str:
    """Where a client's transcripts are, by a path that no link changes."""
    return os.path.realpath(clients.logs_folder(agent, env))


def subagents_of(log: Log) -> list[str]:
    """The folders in which subagents of a session write, or would, by its client's patterns."""
    if log.parent:
        return [os.path.dirname(log.path)]
    first, *others = agents.load(log.agent).LOGS.patterns
    own = first.rpartition("/")[0]
    beside = f"{os.path.dirname(log.path)}/{log.session}"
    deeper = [one.split("/")[:-1] for one in others if one.startswith(f"{own}/*/")]
    below = (parts[own.count("/") + 2 :] for parts in deeper)
    return [path for parts in below for path in accumulate(parts, "{}/{}".format, initial=beside)]


def _matching(
    folder: str, parts: Sequence[str], listed: dict[str, list[os.DirEntry[str]]]
) -> list[os.DirEntry[str]]:
    """The files below a folder that a pattern fits; folders that cannot be read have none.

    What is `listed` already is not read again: patterns of one client begin alike.
    """
    first, *rest = parts
    if rest and "*" not in first:
        return _matching(f"{folder}/{first}", rest, listed)
    if folder not in listed:
        try:
            listed[folder] = list(os.scandir(folder))
        except OSError:
            listed[folder] = []
    start, _, end = first.partition("*")
    if not rest:
        fits = [one for one in listed[folder] if one.name.endswith(end)]
        return [one for one in fits if one.name.startswith(start)] if start else fits
    found: list[os.DirEntry[str]] = []
    for entry in filter(_is_folder, listed[folder]):
        path = os.path.realpath(entry.path) if entry.is_symlink() else entry.path
        found += _matching(path, rest, listed)
    return found


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False  # a link that leads in a circle


def _log(agent: str, entry: os.DirEntry[str]) -> Log | None:
    """The transcript that an entry is; None for a pipe or device, which would never end."""
    path = os.path.realpath(entry.path) if entry.is_symlink() else entry.path
    session, parent = _named(path)
    try:
        status = os.stat(path) if path != entry.path else entry.stat()
    except OSError:
        return None  # gone since, or a link that leads nowhere
    if not session or not S_ISREG(status.st_mode):
        return None
    figures = status.st_size, status.st_mtime_ns, status.st_ino
    return Log._make((agent, path, session, parent, *figures, ""))


def _named(path: str) -> tuple[str, str]:
    """Session and parent session, as far as a path tells: clients name the file or its folder."""
    above, _, name = path.rpartition("/")
    stem, folder = name.removesuffix(".jsonl"), above.rpartition("/")[2]
    if stem == "events":
        return folder, ""
    if folder == "subagents":
        return stem, above.split("/")[-2]
    if _is_id(folder):
        return stem, folder
    tail = stem[-_ID:]
    return (tail if _is_id(tail) else stem), ""


def _is_id(text: str) -> bool:
    return len(text) == _ID and text.count("-") == 4
