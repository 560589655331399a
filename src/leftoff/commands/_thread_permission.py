"""Whether a thread may go on, or save, by itself: only where somebody said so on this machine.

`autoContinue` and `autoSave` stand in thread.json, which arrives by `git pull`: another person's
file, whoever git names as its author, never makes a session of yours go on, nor a hook of yours
write what it did into the repository.
"""

from __future__ import annotations

from leftoff.core.run import KEY
from leftoff.core.thread import SAVES_ITSELF
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world import trust

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leftoff.core.model import Json
    from leftoff.world.store import Store

CONTINUE, SAVE = "continue", "save"


def _subject(store: Store, thread: str, kind: str) -> trust.Subject:
    return trust.Subject(kind, trust.here(store.place), thread)


def said_in(store: Store, thread: str) -> str:
    """The file that says that it may go on, if it may."""
    return trust.file_of(store.state, _subject(store, thread, CONTINUE))


def may(store: Store, thread: str, kind: str) -> bool:
    """Whether `thread continue on`, or `thread auto-on`, was said here, and not taken back."""
    try:
        return trust.is_trusted(store.state, _subject(store, thread, kind))
    except LeftoffError:
        return False  # others could have written it


def goes_on(store: Store, thread: str, config: Mapping[str, Json]) -> bool:
    """Whether it is to go on by itself, and may."""
    return config.get(KEY) is True and may(store, thread, CONTINUE)


def saves_itself(store: Store, thread: str, config: Mapping[str, Json]) -> bool:
    """Whether hooks are to save it, and may."""
    return config.get(SAVES_ITSELF) is True and may(store, thread, SAVE)


def allow(store: Store, thread: str, now: float, *, kind: str, on: bool) -> None:
    """Keep what was said."""
    subject = _subject(store, thread, kind)
    if on:
        trust.grant(store.state, subject, now, trust.WRITTEN)
    else:
        trust.revoke(store.state, subject, now)
