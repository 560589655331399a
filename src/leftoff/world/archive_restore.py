"""An archived transcript back where its client looks for it, so that the client can resume it.

It gets the time of now: clients delete by it. Nothing that is there is ever written over.
"""

from __future__ import annotations

import os

from leftoff import agents
from leftoff.errors import NotFound, Usage
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import archive, archive_images, archive_tombstones
from leftoff.world.archive import PATIENCE
from leftoff.world.archive_copy import save
from leftoff.world.files import Attempt, Staged
from leftoff.world.locks import locked
from leftoff.world.log_files import folder_of
from leftoff.world.log_reading import check_of
from leftoff.world.place import inside

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from leftoff.world.archive import Note


class Back(Record):
    """A transcript of a session: where it belongs, and whether it was put there just now."""

    note: Note
    path: str
    new: bool


def bring_back(state: str, env: Mapping[str, str], agent: str, session: str) -> list[Back]:
    """The session's transcript and its subagents', the first one first."""
    if agent in agents.names() and agents.load(agent).LOGS.database:
        title = agents.load(agent).TITLE
        raise Usage(
            f"{title} keeps its sessions in a database, into which leftoff does not write",
            hint="leftoff session export has the conversation",
        )
    notes = [one for one in archive.of_session(state, agent, session) if not one.replaced]
    if not any(one.session == session for one in notes):
        gone = archive_tombstones.forgotten(state)
        taken_out = (agent, session) in {*gone.forgotten, *gone.pruned}
        raise NotFound(
            f"the archive has no copy of the session {agent}/{session}",
            hint=f"it was forgotten or pruned before: look in {state}/trash"
            if taken_out
            else "leftoff session archive makes copies of the transcripts that are there",
        )
    own = [one for one in notes if not one.parent]
    others = [one for one in notes if one.parent]
    return [_put(state, env, note) for note in (own[-1], *others)]


def _put(state: str, env: Mapping[str, str], note: Note) -> Back:
    path = _target(env, note)
    if os.path.lexists(path):
        return Back(note, path, new=False)
    with Attempt("create", os.path.dirname(path)):
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    with Staged(path) as staged:
        staged.write_parts(_blocks(state, note), 0o600)
        new = staged.claim()
    if new:
        _follow(note, path)
    return Back(note, path, new)


def _follow(note: Note, path: str) -> None:
    """From now on the copy is one of this file: what redaction changed in it must not look new."""
    with locked(os.path.dirname(note.path), PATIENCE), Attempt("read", path):
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            now = os.fstat(fd)
            check = check_of(fd, now.st_size)
        finally:
            os.close(fd)
        seen = note._replace(inode=now.st_ino, size=now.st_size, mtime_ns=now.st_mtime_ns)
        save(seen._replace(origin=path, offset=now.st_size, check=check))


def _target(env: Mapping[str, str], note: Note) -> str:
    """Below the folder that the client has now; else where it was."""
    if note.below and note.agent in agents.names():
        return inside(folder_of(agents.load(note.agent), env), note.below)
    return note.origin


def _blocks(state: str, note: Note) -> Iterator[bytes]:
    return (archive_images.whole(block, state) for block in archive.blocks(note))
