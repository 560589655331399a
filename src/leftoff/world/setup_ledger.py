"""What `setup` wrote into files that are not ours, so that `uninstall` gives back every byte.

`<state>/setup/ledger.json` lists the files, `<state>/setup/before/` holds what stood in them. Both
are written before a file is changed: a setup that died half-way can be undone like any other.
"""

from __future__ import annotations

import os

from leftoff.core.fast_json import loads
from leftoff.errors import Conflict, FormatError, LeftoffError, NotFound
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import (
    Attempt,
    Staged,
    bytes_or_none,
    discard,
    names_in,
    read_bytes,
    remove_empty,
    sync_folder,
    tag,
    write_atomic,
)
from leftoff.world.locks import locked
from leftoff.world.state import ensure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

VERSION = 1
MODE = 0o600


class Entry(Record):
    """One file: whose it is, what it was before, and the contents that setup gave it."""

    agent: str
    path: str
    before: str
    """the tag of its bytes; empty where there was no file"""
    ours: tuple[str, ...]
    """tags of what setup wrote, or was about to write when it died; the last is the newest"""
    folders: tuple[str, ...] = ()
    """those that setup made for it, the outermost first"""


class Change(Record):
    """One edit that setup wants: the file's bytes now, then, and as they would be without us."""

    agent: str
    path: str
    old: bytes | None
    new: bytes
    base: bytes | None


class Undone(Record):
    """What became of one file, in words for people, or why nothing could."""

    entry: Entry
    state: str
    failed: str = ""


RESTORED, REMOVED = "as it was before setup", "removed"
EDITED = "cleared of leftoff's part; what was changed since setup stays"
UNNOTED = "cleared of leftoff's part; there is no record of how it was before"
GONE, KEPT = "free of leftoff's part", "left alone"


def entries(state: str) -> list[Entry]:
    """Every file that setup changed and nobody took back; FormatError for a broken ledger."""
    path = _ledger(state)
    try:
        data = read_bytes(path)
    except NotFound:
        return []
    try:
        said = loads(data.decode())
        if said["v"] > VERSION:
            hint = "install a newer leftoff; nothing was changed"
            raise FormatError("a newer leftoff made it", where=path, hint=hint)
        return [_entry(one) for one in said["entries"]]
    except (ValueError, KeyError, TypeError):
        hint = "fix it or move it elsewhere; the clients' settings can be edited by hand"
        raise FormatError("not a ledger of setup", where=path, hint=hint) from None


def put(state: str, change: Change) -> None:
    """Note the change, then make it; Conflict when the file is not what it was when it was read."""
    with locked(ensure(_folder(state))):
        listed = entries(state)
        known = next((one for one in listed if one.path == change.path), None)
        entry = _noted(known, change)
        if entry.before and change.base is not None:
            _keep(state, change.base)
        _save(state, [*(one for one in listed if one.path != change.path), entry])
        with Attempt("create", os.path.dirname(change.path)):
            os.makedirs(os.path.dirname(change.path), exist_ok=True)
        _swap(change.path, change.old, change.new)


def undo(
    state: str,
    without: Callable[[Entry, bytes, bytes | None], bytes | None],
    also: Sequence[Entry] = (),
    *,
    dry: bool,
) -> list[Undone]:
    """Give every file back as it was; one that was changed since only loses what is ours.

    `without` makes the bytes that are left of such a file, None for nothing. `also` are files that
    the ledger may not know: it was lost, or the file came from another machine.
    """
    if not entries(state) and not also:
        return []
    with locked(ensure(_folder(state))):
        listed = entries(state)  # a setup at the same time may have added some
        known = {one.path for one in listed}
        listed += [one for one in also if one.path not in known]
        done = [_undone(state, entry, without, dry=dry) for entry in reversed(listed)]
        if not dry:
            _save(state, [one.entry for one in reversed(done) if one.failed])
    return done


# Setting up


def _noted(known: Entry | None, change: Change) -> Entry:
    """The entry after a change. What somebody else wrote since belongs to what was before."""
    new = tag(change.new)
    if known and change.old is not None and tag(change.old) in known.ours:
        return known._replace(ours=(*(one for one in known.ours if one != new), new))
    before = "" if change.base is None else tag(change.base)
    folders = (*(known.folders if known else ()), *_missing(os.path.dirname(change.path)))
    return Entry(change.agent, change.path, before, (new,), folders)


def _missing(folder: str) -> tuple[str, ...]:
    """The folders that are not there yet, the outermost first."""
    found: list[str] = []
    while folder and not os.path.isdir(folder) and folder != os.path.dirname(folder):
        found.insert(0, folder)
        folder = os.path.dirname(folder)
    return tuple(found)


def _swap(path: str, old: bytes | None, new: bytes) -> None:
    """Put the new bytes in the place of exactly the old ones."""
    with locked(os.path.dirname(path)), Staged(path) as staged:
        staged.write(new, MODE if old is None else None)
        if bytes_or_none(path) != old:
            raise Conflict(f"{path} changed while it was edited", hint="run it again", where=path)
        if old is not None:
            staged.replace()
        elif not staged.claim():
            raise Conflict(f"{path} has just been created", hint="run it again", where=path)


# Taking back


def _undone(
    state: str,
    entry: Entry,
    without: Callable[[Entry, bytes, bytes | None], bytes | None],
    *,
    dry: bool,
) -> Undone:
    try:
        now = bytes_or_none(entry.path)
        kept = _kept(state, entry.before)
        if now is None or tag(now) == entry.before:
            how, left = GONE, now
        elif tag(now) in entry.ours:
            how, left = (RESTORED if entry.before else REMOVED), kept
        else:
            left = without(entry, now, kept)
            how = KEPT if left == now else _how(entry, left)
        if not dry and now is not None:
            _leave(entry, now, left)
    except LeftoffError as error:
        return Undone(entry, KEPT, error.message)
    return Undone(entry, how)


def _how(entry: Entry, left: bytes | None) -> str:
    """In words, of a file that is not as setup left it."""
    if entry.ours:
        return EDITED
    return REMOVED if left is None else UNNOTED


def _leave(entry: Entry, now: bytes, left: bytes | None) -> None:
    if left is None:
        with Attempt("remove", entry.path):
            os.unlink(entry.path)
            sync_folder(os.path.dirname(entry.path))
        for folder in reversed(entry.folders):
            remove_empty(folder)
    elif left != now:
        _swap(entry.path, now, left)


def _kept(state: str, before: str) -> bytes | None:
    if not before:
        return None
    data = read_bytes(os.path.join(_folder(state), "before", before))
    if tag(data) != before:
        hint = "remove leftoff's part from the client's settings by hand"
        raise FormatError("what setup kept of it is damaged", hint=hint, where=before)
    return data


# On the disk


def _folder(state: str) -> str:
    return os.path.join(state, "setup")


def _ledger(state: str) -> str:
    return os.path.join(_folder(state), "ledger.json")


def _keep(state: str, data: bytes) -> None:
    folder = ensure(os.path.join(_folder(state), "before"))
    write_atomic(os.path.join(folder, tag(data)), data, MODE)


def _save(state: str, listed: Sequence[Entry]) -> None:
    """The ledger with these entries; what none of them needs goes, and so does an empty one."""
    if listed:
        from json import dumps

        data = {"v": VERSION, "entries": [one._asdict() for one in listed]}
        write_atomic(_ledger(state), dumps(data, indent=2).encode() + b"\n", MODE)
    else:
        discard(_ledger(state))
    needed = {one.before for one in listed}
    folder = os.path.join(_folder(state), "before")
    for name in names_in(folder):
        if name not in needed:
            discard(os.path.join(folder, name))
    if not listed:
        remove_empty(folder)
        remove_empty(_folder(state))


def _entry(one: Mapping[str, Any]) -> Entry:
    ours, folders = tuple(map(str, one["ours"])), tuple(map(str, one["folders"]))
    return Entry(str(one["agent"]), str(one["path"]), str(one["before"]), ours, folders)
