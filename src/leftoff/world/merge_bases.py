"""What a session last saw of its thread's document: the base on which its next save is merged.

So a save takes back only what its session saw. One small file beside the session's journal, the
user's alone: the path, then the text.
"""

from __future__ import annotations

from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world.files import decode, encode, read_bytes, write_atomic
from leftoff.world.journal import path as path_of
from leftoff.world.state import ensure

if TYPE_CHECKING:
    from leftoff.world.store import Store

_ENDING, _PRIVATE = ".base", 0o600


def keep(store: Store, agent: str, session: str, path: str, text: str) -> None:
    """Remember it; where the disk does not take it, a later save is only more careful."""
    target = path_of(store.state, agent, session, _ENDING)
    try:
        ensure(target.rpartition("/")[0])
        write_atomic(target, encode(f"{store.resolve(path)}\n{text}"), _PRIVATE, durable=False)
    except LeftoffError:
        return


def base(store: Store, agent: str, session: str, path: str) -> str | None:
    """The text that the session last saw of a document; None for one that it never saw."""
    try:
        whole = decode(read_bytes(path_of(store.state, agent, session, _ENDING)))
    except LeftoffError:
        return None
    where, newline, text = whole.partition("\n")
    return text if newline and where == store.resolve(path) else None
