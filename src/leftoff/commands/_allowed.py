"""Whether a thread may go on by itself here: only where that was said on this machine.

`autoContinue` stands in thread.json, which arrives by `git pull`: another person's file, whoever
git names as its author, never makes a session of yours go on.
"""

from __future__ import annotations

from leftoff.core.run import KEY
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world import trust

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leftoff.core.model import Json
    from leftoff.world.store import Store

KIND = "continue"


def _subject(store: Store, thread: str) -> trust.Subject:
    return trust.Subject(KIND, trust.here(store.place), thread)


def said_in(store: Store, thread: str) -> str:
    """The file that says so, if it does."""
    return trust.file_of(store.state, _subject(store, thread))


def may_go_on(store: Store, thread: str) -> bool:
    """Whether `thread continue on` was said here, and not taken back."""
    try:
        return trust.is_trusted(store.state, _subject(store, thread))
    except LeftoffError:
        return False  # others could have written it


def goes_on(store: Store, thread: str, config: Mapping[str, Json]) -> bool:
    """Whether it is to go on by itself, and may."""
    return config.get(KEY) is True and may_go_on(store, thread)


def allow(store: Store, thread: str, now: float, *, on: bool) -> None:
    """Keep what was said."""
    if on:
        trust.grant(store.state, _subject(store, thread), now, trust.WRITTEN)
    else:
        trust.revoke(store.state, _subject(store, thread), now)
