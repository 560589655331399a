"""What a checkpoint said before: as git has it, else as a session of this machine saved it."""

from __future__ import annotations

from itertools import chain

from leftoff.errors import GitError, LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import git, saves
from leftoff.world.files import modified

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from leftoff.commands import Call
    from leftoff.core.model import Checkpoint
    from leftoff.core.stream import Stream

    Then = Callable[[str], Checkpoint]

LOOKED_AT = 20
"""Commits and saves: one of them nearly always says something else."""
SHORT = 9


class Version(Record):
    """What was said before, and where that stands: `NAME@COMMIT`, or the path of a save."""

    checkpoint: Checkpoint
    name: str


def previous(call: Call, stream: Stream, then: Then) -> Version | None:
    """The newest version that differs; None where there is none. `then` reads one of a commit."""
    now = call.store.read_stream(stream)
    versions = chain(_committed(call, stream, then), _saved(call, now))
    return next((one for one in versions if one.checkpoint != now), None)


def _committed(call: Call, stream: Stream, then: Then) -> Iterator[Version]:
    words = ("log", f"-{LOOKED_AT}", "--format=%H", "--", *stream.parts)
    try:
        commits = git.run(call.store.root, *words, env=call.env).split()
    except GitError:
        return  # no repository, or no commit in it
    for commit in commits:
        try:
            yield Version(then(commit), f"{stream.glance.id}@{commit[:SHORT]}")
        except LeftoffError:
            continue  # it was not there, or broken, at that time


def _saved(call: Call, now: Checkpoint) -> Iterator[Version]:
    """What sessions kept of it on this machine, newest first."""
    paths = sorted(saves.all_saves(call.store), key=modified, reverse=True)
    names = {now.id, now.name} - {""}
    for path in paths[:LOOKED_AT]:
        try:
            one = saves.read_stream(call.store, saves.stream_of_save(call.store, path))
        except LeftoffError:
            continue  # `doctor` tells of it
        if names & {one.id, one.name}:
            yield Version(one, path)
