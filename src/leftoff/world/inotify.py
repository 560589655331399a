"""Which files changed, as Linux tells it (inotify), so that a server need not ask them all.

There is no thread: what happened waits in a queue of the system, and whoever wants to know empties
it. So a write that has returned is known to the next look. Wherever anything is in doubt, the
answer is to look at everything: a queue that ran over, a folder that went or was moved, a limit
of the system, a file system that others may change, or none that tells.
"""

from __future__ import annotations

import os
import struct
from contextlib import suppress
from threading import RLock
from time import monotonic
from weakref import finalize

from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import mounts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

WHOLE = 60.0
"""Seconds after which all is looked at whatever was told: a file that is written through a mapping
of memory, or by another name outside, changes without a word."""
MANY = 1000
"""Paths that wait for somebody: more is a reason to look at everything."""
SHARE = 4
"""This part of the folders that the system lets a person watch is the most we take: others, editors
above all, need them too."""
LIMIT = "/proc/sys/fs/inotify/max_user_watches"

_MODIFY, _ATTRIB, _MOVED, _CREATE, _DELETE = 0x2, 0x4, 0x40 | 0x80, 0x100, 0x200
_SELF, _UNMOUNT, _OVERFLOW, _IGNORED = 0x400 | 0x800, 0x2000, 0x4000, 0x8000
_IS_FOLDER, _ONLY_FOLDERS, _NO_LINK = 0x40000000, 0x01000000, 0x02000000
_WANTED = _MODIFY | _ATTRIB | _MOVED | _CREATE | _DELETE | _SELF | _ONLY_FOLDERS | _NO_LINK
_HEAD = struct.Struct("iIII")
_AT_ONCE = 1 << 16


class News(Record):
    """Paths with which something happened: they came, went, or are others now."""

    files: set[str]
    folders: set[str]


class Notices:
    """The one line to the system that all who look in a process share."""

    def __init__(self, clock: Callable[[], float] = monotonic, limit: str = LIMIT) -> None:
        """Nothing is watched yet."""
        self.clock = clock
        self._lock = RLock()
        self._system = _system()
        self._most = _allowed(limit) if self._system else 0
        self._who: dict[int, dict[Inbox, str]] = {}
        self._inboxes: list[Inbox] = []
        self._minute, self._began = 0, float("-inf")
        if self._system:
            finalize(self, os.close, self._system[0])

    def inbox(self) -> Inbox:
        """For somebody who looks."""
        one = Inbox(self, self._lock)
        self._inboxes.append(one)
        return one

    def minute(self) -> int:
        """The same for all inboxes: what is due once in each is done for one page, not for many."""
        if self.clock() - self._began >= WHOLE:
            self._minute, self._began = self._minute + 1, self.clock()
        return self._minute

    def leave(self, inbox: Inbox, numbers: Iterable[int]) -> None:
        """Folders that nobody wants any more are watched no more."""
        for number in numbers:
            who = self._who.get(number, {})
            who.pop(inbox, None)
            if not who and self._who.pop(number, None) is not None and self._system:
                fd, lib = self._system
                lib.inotify_rm_watch(fd, number)

    def enter(self, inbox: Inbox, folders: Iterable[str]) -> dict[str, int] | None:
        """The numbers by which the system calls these; None where it does not tell of all."""
        if not self._system:
            return None
        (fd, lib), numbers = self._system, dict[str, int]()
        for folder in folders:
            number = lib.inotify_add_watch(fd, os.fsencode(folder), _WANTED)
            if number >= 0:
                self._who.setdefault(number, {})[inbox] = folder
                numbers[folder] = number
            if number < 0 or len(self._who) > self._most:
                self.leave(inbox, numbers.values())
                return None
        return numbers

    def drain(self) -> None:
        """Everybody hears what happened since the last time."""
        with suppress(BlockingIOError):
            while self._system:
                for number, mask, name in _events(os.read(self._system[0], _AT_ONCE)):
                    self._tell(number, mask, name)

    def _tell(self, number: int, mask: int, name: str) -> None:
        if mask & _OVERFLOW:
            for inbox in self._inboxes:
                inbox.doubt()
        who = self._who.pop(number, {}) if mask & _IGNORED else self._who.get(number, {})
        for inbox, folder in [*who.items()]:
            if mask & (_SELF | _UNMOUNT | _IGNORED):
                inbox.doubt()
            else:
                inbox.hear(f"{folder}/{name}" if name else folder, bool(mask & _IS_FOLDER))


class Inbox:
    """What one who looks is told: of some folders, everything since the last look."""

    def __init__(self, notices: Notices, lock: RLock) -> None:
        """It is told of nothing yet."""
        self._notices, self._lock = notices, lock
        self._numbers: dict[str, int] = {}
        self._tops: dict[str, tuple[int, int]] = {}
        self._news = News(set(), set())
        self._doubted = self.sure = False
        """the last: whether it is told of everything"""
        self._minute, self._refused_at = 0, float("-inf")

    @property
    def refused(self) -> bool:
        """Whether the system was asked within the last minute, and does not tell."""
        return self._notices.clock() - self._refused_at < WHOLE

    def news(self) -> News | None:
        """What happened since the last time; None: look at everything, then say `settled`."""
        with self._lock:
            self._notices.drain()
            told, self._news, self._doubted = self._news, News(set(), set()), False
            minute, before = self._notices.minute(), self._minute
            self._minute = minute
            same = self.sure and all(_identity(top) == seen for top, seen in self._tops.items())
            return told if same and minute == before else None

    def settled(self, where: Callable[[], tuple[Iterable[str], Iterable[str]]]) -> bool:
        """After a look: be told of these folders, which are below others on top, from now on.

        False: some are new here, and what happened in them since the look may have been missed, so
        look at everything once more. Where the system does not tell, there is nothing to wait for.
        """
        if self.refused:
            return True
        tops, folders = where()
        with self._lock:
            before, self._tops = self._numbers, {top: _identity(top) for top in tops}
            told = mounts.tell_of_changes(self._tops)
            found = self._notices.enter(self, folders) if told else None
            # a folder that has two names here would be told of by one
            self.sure = found is not None and len({*found.values()}) == len(found)
            self._numbers = found if found and self.sure else {}
            unwanted = {*before.values(), *(found or {}).values()} - {*self._numbers.values()}
            self._notices.leave(self, unwanted)
            if not self.sure:
                self._refused_at = self._notices.clock()
            same, self._doubted = before == self._numbers and not self._doubted, False
            return not self.sure or same

    def refuse(self) -> None:
        """It leads out of what can be watched: nothing is told for the next minute."""
        with self._lock:
            self.sure, self._refused_at = False, self._notices.clock()
            self._notices.leave(self, self._numbers.values())
            self._numbers = {}

    def hear(self, path: str, is_folder: bool) -> None:
        """Something happened here."""
        told = self._news.folders if is_folder else self._news.files
        told.add(path)
        if len(told) > MANY:
            self.doubt()

    def doubt(self) -> None:
        """Something may have happened that nobody told."""
        self.sure, self._doubted = False, True
        self._news.files.clear()
        self._news.folders.clear()


def _system() -> tuple[int, Any] | None:
    """The queue, and the functions of the system; None where it has no such thing."""
    try:
        import ctypes

        lib = ctypes.CDLL(None, use_errno=True)
        fd = lib.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    except (ImportError, OSError, AttributeError, TypeError):
        return None
    return (fd, lib) if fd >= 0 else None


def _allowed(limit: str) -> int:
    """How many folders we watch at most."""
    try:
        with open(limit, encoding="ascii") as file:
            return int(file.read()) // SHARE
    except (OSError, ValueError):
        return 0


def _events(data: bytes) -> Iterator[tuple[int, int, str]]:
    """Number of the folder, what happened, and the name in it; "" for the folder itself."""
    at = 0
    while at < len(data):
        number, mask, _, length = _HEAD.unpack_from(data, at)
        at += _HEAD.size + length
        yield number, mask, os.fsdecode(data[at - length : at].rstrip(b"\0"))


def _identity(path: str) -> tuple[int, int]:
    """By which one sees that another folder took its place, also if one above it was moved."""
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0
    return status.st_dev, status.st_ino
