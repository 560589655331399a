"""Edit a text file that is no document (`.gitattributes`, the pointer to the current thread)."""

from __future__ import annotations

import os

from leftoff.errors import Conflict
from leftoff.record import TYPE_CHECKING
from leftoff.world.files import decode, encode, read_bytes, write_atomic
from leftoff.world.locks import locked

if TYPE_CHECKING:
    from collections.abc import Callable

    from leftoff.world.store import Store


def edit_file(store: Store, path: str, edit: Callable[[str], str]) -> None:
    """Write what `edit` makes of a file's text; a missing file is empty. Its mode is kept."""
    target = store.resolve(path)
    with locked(os.path.dirname(target)):
        old = read_bytes(target) if os.path.lexists(target) else b""
        new = encode(edit(decode(old)))
        if new == old:
            return
        if os.path.lexists(target) and read_bytes(target) != old:
            raise Conflict(f"{path} changed while it was edited", hint="run it again", where=path)
        write_atomic(target, new)
