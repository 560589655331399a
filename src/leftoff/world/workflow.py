"""The tree of format C (seed 002) around a save: whose notes are newest, which files are in flight.

Of files in flight only names and times are asked; they are never opened. What is left for the next
session, and the row of the ledger, are small files beside the save.
"""

from __future__ import annotations

import os

from leftoff.core.task_save import TREE, File, is_in_flight
from leftoff.errors import LeftoffError
from leftoff.formats import _cost_ledger
from leftoff.formats._sentinel import RESTORE, file_name, restore_text
from leftoff.record import TYPE_CHECKING
from leftoff.world.edit_file import edit_file
from leftoff.world.files import Attempt, encode, write_atomic
from leftoff.world.scan import changed
from leftoff.world.sentinels import MEMORY, SESSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leftoff.formats._cost_ledger import Row
    from leftoff.world.store import Store

_NOTES = ".md"


def notes(store: Store) -> str:
    """The path of the session's notes that were written last; "" for none."""
    try:
        names = [name for name in store.files_in(SESSIONS) if name.endswith(_NOTES)]
    except LeftoffError:
        names = []  # a folder that cannot be read, or that leads out of the project
    if not names:
        return ""
    folder = os.path.join(store.root, SESSIONS)
    newest = max(names, key=lambda name: (changed(os.path.join(folder, name)), name))
    return f"{SESSIONS}/{newest}"


def in_flight(store: Store) -> Iterator[File]:
    """Plans, architectures, responses and reviews of any task."""
    top = os.path.join(store.root, TREE)
    memory = os.path.join(store.root, MEMORY)
    for folder, inner, names in os.walk(top):
        inner[:] = sorted(
            one for one in inner if one[0] != "." and os.path.join(folder, one) != memory
        )
        for name in filter(is_in_flight, names):
            path = os.path.join(folder, name)
            shown = os.path.relpath(path, store.root)
            if shown.isprintable():
                yield File(shown, changed(path))


def leave(store: Store, session: str, path: str) -> str:
    """The record of a save for the next session, one line; its path in the project."""
    where = f"{MEMORY}/{file_name(RESTORE, session)}"
    write_atomic(store.resolve(where), encode(restore_text(path)))
    return where


def ledger(task: str) -> str:
    """Where the costs of a task are told."""
    return f"{TREE}/{task}/cost-ledger.md"


def count(store: Store, task: str, row: Row, *, once: bool = False, key: str = "") -> str:
    """One more row in the ledger of a task, `once` for each or by its `key`; the ledger's path."""
    where = ledger(task)
    folder = os.path.dirname(store.resolve(where))
    with Attempt("create", folder):
        os.makedirs(folder, exist_ok=True)
    edit_file(store, where, lambda text: _cost_ledger.append(text, row, task, once=once, key=key))
    return where
