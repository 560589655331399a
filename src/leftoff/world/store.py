"""The documents of a project: found, read, changed, created, put aside. The files are the truth.

Every write happens under the folder's lock, on the text that is there at that moment, and never
over something that was not read. What a document means is up to the lens of its format.
"""

from __future__ import annotations

import os
from time import time, time_ns

from leftoff.core.ids import check_name, shown
from leftoff.core.stream import join
from leftoff.core.thread import POINTER
from leftoff.errors import Conflict, FormatError, LeftoffError, NotFound, Usage
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import glance_cache, scan, stream_list
from leftoff.world.files import Attempt, Staged, decode, encode, read_bytes, sweep
from leftoff.world.place import inside, stays

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from leftoff.core.merge import Loser
    from leftoff.core.model import Checkpoint, Finding
    from leftoff.core.stream import Stream
    from leftoff.formats import Lens
    from leftoff.world.locks import FolderLock
    from leftoff.world.place import Place
    from leftoff.world.scan import Table
    from leftoff.world.server_documents import Listed
    from leftoff.world.server_sessions import ServerSessions
    from leftoff.world.taken_work import Taken
    from leftoff.world.trash import Trashed

TRIES = 5
"""How often a change is made again because a program that takes no lock wrote in between."""


class Document(Record):
    """One file, read and understood."""

    path: str
    format: str
    text: str
    checkpoint: Checkpoint
    findings: tuple[Finding, ...]


class Store:
    """The documents below a root. It remembers nothing but the table of formats."""

    def __init__(self, place: Place, state: str) -> None:
        self.place = place
        self.root = place.root
        self.state = state
        self.listed: Listed = stream_list.streams
        """how all streams are found; a server shares one look among its pages"""
        self.server_sessions: ServerSessions | None = None
        """the sessions of this machine, where a server knows them"""
        self._known: Table = ()

    # Reading

    def streams(self, fields: tuple[str, ...] = ()) -> list[Stream]:
        """Every stream, sorted by path, broken ones too; files that did not change are not read.

        A caller that needs few fields of a glance names them, and need not pay for the others.
        """
        self._known, found = self.listed(self.root, self.state, time_ns(), fields)
        return found

    def stream_at(self, path: str) -> Stream:
        """The stream that a file is part of, wherever in the project the file is."""
        where = self._where(path)
        for stream in self.streams():
            if where in stream.parts:
                return stream
        from leftoff.world.read_streams import stream_of

        return stream_of(self.root, where, self.lens_for(where, self.raw(path)).NAME)

    def read(self, path: str) -> Document:
        """One document; FormatError with the line when it is broken."""
        where = self._where(path)
        with Attempt("read", where):
            text = decode(self._bytes(where))
            return _document(where, text, self.lens_for(where, text))

    def read_stream(self, stream: Stream) -> Checkpoint:
        """The whole checkpoint of a stream, out of all its parts."""
        if not stream.parts:
            raise FormatError(stream.glance.broken, where=stream.glance.path)
        return join([self._checkpoint(part) for part in stream.parts])

    def read_good(self, stream: Stream) -> Checkpoint:
        """The same out of the parts that can be read: to be shown, never to be written."""
        good = tuple(part for part in stream.parts if part != stream.glance.broken_part)
        return self.read_stream(stream._replace(parts=good))

    def raw(self, path: str) -> str:
        """The text of a file as it is; what is not UTF-8 shows as a replacement mark."""
        return self._bytes(self._where(path)).decode("utf-8", "replace")

    def raw_or_none(self, path: str) -> str | None:
        """The same; None where its bytes cannot be had at all: `streams` says why."""
        try:
            return self.raw(path)
        except LeftoffError:
            return None

    def texts(self, stream: Stream) -> list[tuple[str, str]]:
        """The files of a stream that can be had, each with its text."""
        found = ((path, self.raw_or_none(path)) for path in stream.parts)
        return [(path, text) for path, text in found if text is not None]

    def exists(self, path: str) -> bool:
        """Whether anything has that name."""
        return os.path.lexists(self.resolve(path))

    def files_in(self, folder: str) -> list[str]:
        """The names of the files in a folder, sorted; none when there is no such folder."""
        try:
            place = self.resolve(folder)
            with Attempt("read", folder):
                names = sorted(os.listdir(place))
        except NotFound:
            return []
        return [name for name in names if os.path.isfile(os.path.join(place, name))]

    def current_thread(self) -> str:
        """The thread that `.checkpoints/current` names here; empty when it names none."""
        try:
            return check_name(self.raw(POINTER).strip())
        except LeftoffError:
            return ""

    def pointer(self) -> str:
        """What `.checkpoints/current` says, whatever that is; empty where there is none."""
        try:
            return self.raw(POINTER).strip() or "(nothing)"
        except NotFound:
            return ""
        except LeftoffError:
            return "(unreadable)"

    def resolve(self, path: str) -> str:
        """The real absolute path of something inside the project; Usage when it leads out."""
        target = inside(self.root, path)
        if scan.relative(self.root, target) == scan.ALIAS:
            return inside(self.root, scan.alias(self.root) or scan.ALIAS)
        return target

    def lens_at(self, path: str) -> Lens:
        """The lens of the document at a path."""
        return self.lens_for(self._where(path), self.raw(path))

    def lens_for(self, path: str, text: str) -> Lens:
        """The lens of a text that belongs at a path; FormatError when it is not a document.

        Content decides; the formats whose place it is are asked first.
        """
        from leftoff.formats import named  # with a warm cache, listing needs no format at all

        table = self._table()
        near = [name for name, globs in table if any(scan.matches(path, glob) for glob in globs)]
        for lens in map(named, [*near, *(name for name, _ in table if name not in near)]):
            if lens.mine(text, path):
                return lens
        raise FormatError("not a checkpoint of any format that leftoff knows", where=path)

    # Writing

    def change(self, path: str, edit: Callable[[str], str], *, check: bool = True) -> Document:
        """Write what `edit` makes of the text; nothing when it makes no difference.

        WouldBreak, and nothing written, when the result has errors that the old text had not.
        """
        where, target = self._for_writing(path)
        with self._locked(target), Attempt("change", where):
            sweep(os.path.dirname(target), time())
            for _ in range(TRIES):
                old = read_bytes(target)
                document = self._edited(where, decode(old), edit, check=check)
                if self._swap(target, old, encode(document.text, where)):
                    return document
        raise Conflict(
            f"{where} keeps changing while it is written; nothing was changed here",
            hint="run it again when the other program is done",
            where=where,
        )

    def create(self, path: str, text: str, *, check: bool = False) -> Document:
        """A new document; Conflict when anything is there, whoever's it is.

        With `check` it must be valid: WouldBreak otherwise, and nothing is written.
        """
        where = self._where(path)
        document = _document(where, text, self.lens_for(where, text))
        if check:
            from leftoff.world.refusals import refuse_errors

            refuse_errors(document)
        if not self.create_missing(path, text):
            raise Conflict(f"{where} exists; it was left as it is", where=where)
        return document

    def create_missing(self, path: str, text: str) -> bool:
        """A new file of any kind, with its folders; False when anything is there."""
        target, data = self._never_alias(self.resolve(path)), encode(text, path)
        with Attempt("create", target):
            os.makedirs(os.path.dirname(target), exist_ok=True)
        with self._locked(target), Staged(target) as new:
            stays(target)
            sweep(os.path.dirname(target), time())
            new.write(data)
            stays(target)
            return new.claim()

    def move(self, path: str, folder: str, name: str) -> str:
        """Put a file into a folder of the project: its new path, numbered if the name is taken."""
        from leftoff.world.trash import move_into

        where, target = self._for_writing(path)
        if "/" in name or name in {"", "."}:
            raise Usage(f'"{shown(name)}" is not a file name', where=where)
        self.resolve(f"{folder}/{name}")
        with self._locked(target):
            moved = move_into(self.resolve(folder), target, name)
        return scan.relative(self.root, moved)

    def trash(self, path: str, now: float, of: str = "") -> str:
        """Move a file, as part `of` something, to the trash; where it is, for `trash.restore`."""
        from leftoff.world.trash import move_to_trash

        _, target = self._for_writing(path)
        with self._locked(target):
            return move_to_trash(self.root, target, self.state, now, of)

    def keep_copy(self, path: str, now: float) -> str:
        """A copy of a file in the trash, before a change that takes something out of it."""
        from leftoff.world.trash import copy_to_trash

        _, target = self._for_writing(path)
        return copy_to_trash(self.root, target, self.state, now)

    def in_trash(self, name: str) -> list[Trashed]:
        """The files of this project in the trash that were called so, newest first."""
        from leftoff.world.trash import find

        return find(self.root, self.state, name)

    def restore(self, trashed: str) -> str:
        """Put a file of the trash back where it was; its path in the project."""
        from leftoff.world.trash import restore

        return scan.relative(self.root, restore(trashed))

    def log_losers(self, path: str, losers: Iterable[Loser]) -> None:
        """Keep the values that gave way to newer ones where a person can find them."""
        from json import dumps  # merges are rare

        from leftoff.core.when import stamp
        from leftoff.world.state import append_line

        at = {"at": stamp(time()), "root": self.root, "path": path}
        for loser in losers:
            lost = {"field": loser.path, "value": loser.value, "side": loser.side}
            append_line(os.path.join(self.state, "merges.jsonl"), dumps(at | lost))

    def taken(self) -> list[Taken]:
        """What somebody on this machine works on, in any working tree of this repository."""
        if not os.path.isdir(os.path.join(self.state, "claims")):
            return []  # the common case, for one system call and no import
        from leftoff.world.taken_work import taken

        return taken(self.state, self.place)

    def release(self, name: str, action: str) -> None:
        """Nobody works on this action of a stream any longer."""
        if os.path.isdir(os.path.join(self.state, "claims")):
            from leftoff.world.taken_work import release

            release(self.state, self.place, (name, action))

    # Steps of the above

    def _where(self, path: str) -> str:
        return scan.relative(self.root, self.resolve(path))

    def _bytes(self, where: str) -> bytes:
        return read_bytes(os.path.join(self.root, where))

    def _checkpoint(self, path: str) -> Checkpoint:
        where = self._where(path)
        with Attempt("read", where):
            text = decode(self._bytes(where))
            return self.lens_for(where, text).read(text, where)

    def _table(self) -> Table:
        if not self._known:
            saved = glance_cache.load(self.state, self.root, scan.formats_stamp())
            self._known = saved.table if saved else scan.lens_table()
        return self._known

    def _for_writing(self, path: str) -> tuple[str, str]:
        target = self._never_alias(self.resolve(path))
        where = scan.relative(self.root, target)
        if not os.path.lexists(target):
            raise NotFound(f"there is no {where}", where=where)
        return where, target

    def _never_alias(self, target: str) -> str:
        if scan.relative(self.root, target) == scan.ALIAS:
            raise Usage(f"the {scan.ALIAS} at the root stands for another file; it is only read")
        return target

    def _locked(self, target: str) -> FolderLock:
        from leftoff.world.locks import locked  # readers need no locks and do not pay for them

        return locked(os.path.dirname(target))

    def _swap(self, target: str, old: bytes, new: bytes) -> bool:
        """Put `new` in the place of `old`; False, and nothing done, when it is no longer `old`."""
        if new == old:
            return True
        stays(target)
        with Staged(target) as staged:
            staged.write(new)
            if self.place.git:
                from leftoff.world.locks import wait_for_git

                wait_for_git(self.place.git)
            # An editor knows nothing of our lock: these looks are as late as they can be.
            if read_bytes(target) != old:
                return False
            stays(target)
            staged.replace()
        return True

    def _edited(self, where: str, old: str, edit: Callable[[str], str], *, check: bool) -> Document:
        lens = self.lens_for(where, old)
        document = _document(where, edit(old), lens)
        if document.text != old:
            from leftoff.world import refusals  # only who writes

            # before and after: to call it an older one would not make it one
            refusals.refuse_newer(where, lens.check(old, where))
            refusals.refuse_to_become_newer(where, document.findings)
            if check:
                refusals.refuse_new_errors(document, lens, old)
        return document


def _document(where: str, text: str, lens: Lens) -> Document:
    checkpoint, found = lens.read(text, where), tuple(lens.check(text, where))
    return Document(where, lens.NAME, text, checkpoint, found)
