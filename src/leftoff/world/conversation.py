"""The conversation of a session, read out of its transcript, wherever that lies, as a stream."""

from __future__ import annotations

import os

from leftoff import agents
from leftoff.agents import _transcript_turns
from leftoff.core.stats import Stats
from leftoff.errors import FormatError, LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world import log_tail
from leftoff.world.files import Attempt
from leftoff.world.log_files import has_reader, head_of, reader_of
from leftoff.world.log_record import COPY
from leftoff.world.state import state_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import TypeVar

    from leftoff.core.talk import Turn
    from leftoff.world.archive import Note
    from leftoff.world.log_record import Log

    T = TypeVar("T")

TAIL = log_tail.LENGTH
"""Bytes of a transcript that a hook has time for."""
_MARK = "#"


def where(agent: str, session: str, env: Mapping[str, str], transcript: str = "") -> str:
    """The transcript of a session, the one named if it is there; "" where there is none.

    Where the client deleted it, that is the copy in the archive.
    """
    if transcript and is_there(agent, transcript):
        return transcript
    found = _logs(agent, session, env)
    last = max(found, key=lambda log: log.mtime_ns, default=None) or _copy(agent, session, env)
    return last.path if last else ""


def folder_of(agent: str, session: str, env: Mapping[str, str]) -> str:
    """The folder that a session began in, by its transcript or by the archive; "" for unknown."""
    told = (log.folder or head_of(log)[1] for log in _logs(agent, session, env))
    if folder := next(filter(None, told), ""):
        return folder
    copy = _copy(agent, session, env)
    return copy.project if copy else ""


def _logs(agent: str, session: str, env: Mapping[str, str]) -> list[Log]:
    from leftoff.world import transcripts

    wanted = (agent, session, "")
    return [log for log in transcripts.find(env) if (log.agent, log.session, log.parent) == wanted]


def _copy(agent: str, session: str, env: Mapping[str, str]) -> Note | None:
    """The last one that the archive has."""
    from leftoff.world import archive

    found = archive.copies(state_dir(env), agent, session)
    return found[-1] if found else None


def is_original(agent: str, transcript: str) -> bool:
    """Whether it is there, and where the client itself has it."""
    return not transcript.endswith(COPY) and is_there(agent, transcript)


def is_there(agent: str, transcript: str) -> bool:
    """Whether a transcript can be read: a file, or a session in a database."""
    path = transcript.rpartition(_MARK)[0] if _in_database(agent, transcript) else transcript
    return os.path.isfile(path)


def turns(
    agent: str, session: str, env: Mapping[str, str], transcript: str = "", *, strict: bool = False
) -> Iterator[Turn]:
    """The turns of a session, none where nothing is known of it.

    They end where no more can be read; with `strict` by an error, for who would keep them as all.
    """
    path = where(agent, session, env, transcript)
    if path and has_reader(agent):
        blocks = _blocks(agent, path)
        yield from _transcript_turns.turns(reader_of(agent), blocks if strict else _as_far(blocks))


def heard(agent: str, path: str, told: Callable[[str], object]) -> Iterator[Turn]:
    """The turns in a transcript as far as it can be read; `told` hears why not to its end."""
    if has_reader(agent) and is_there(agent, path):
        yield from _transcript_turns.turns(reader_of(agent), _as_far(_blocks(agent, path), told))


def listened(
    agent: str,
    path: str,
    digest: Callable[[Iterator[Turn]], T],
    last: int = 0,
    told: Callable[[str], object] = str,
) -> tuple[T, Stats]:
    """What `digest` makes of the turns in a transcript, and its statistics, by one reading.

    With `last`, only so many of the last bytes are read: for a hook, which has no time for all.
    `told` hears why it was not read to its end.
    """
    if not path or not has_reader(agent):
        return digest(iter(())), Stats()
    reader = reader_of(agent)
    tally = _transcript_turns.begin(reader)
    made = digest(_transcript_turns.turns(reader, _as_far(_blocks(agent, path, last), told), tally))
    return made, reader.stats(tally)


def _in_database(agent: str, path: str) -> bool:
    return _MARK in path and has_reader(agent) and bool(agents.load(agent).LOGS.database)


def _blocks(agent: str, path: str, last: int = 0) -> Iterator[bytes | memoryview]:
    if _in_database(agent, path):
        from leftoff.world import opencode_db

        found = opencode_db.block(path)
        if isinstance(found, str):
            raise FormatError(found, where=path)
        yield found
    elif path.endswith(COPY):
        if not last:  # a copy has no end to begin with: nothing for a hook
            yield from _archived(path)
    elif last:
        yield log_tail.tail(path, last)
    else:
        yield from _whole(path)


def _as_far(
    blocks: Iterator[bytes | memoryview], told: Callable[[str], object] = str
) -> Iterator[bytes | memoryview]:
    """What can be read counts; `doctor` tells of a copy that is cut short."""
    try:
        yield from blocks
    except LeftoffError as error:
        told(error.message)


def _archived(path: str) -> Iterator[bytes]:
    from leftoff.world import archive

    yield from archive.blocks(archive.sound_note(path))


def _whole(path: str) -> Iterator[memoryview]:
    """All whole lines, a block at a time."""
    from leftoff.world.log_reading import blocks

    with Attempt("read", path):
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            size = os.fstat(fd).st_size
            for block, _ in blocks(fd, 0, size):
                yield block
            if os.fstat(fd).st_size < size:
                raise LeftoffError("the transcript became shorter while it was read")
        finally:
            os.close(fd)
