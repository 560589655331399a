"""A marker that a save or a restore is running: a pidfile of format C (seed 002).

It is keyed by process and session, and gone on every way out: the end, an error, Ctrl-C, SIGTERM.
What a killed process leaves counts for nothing, and the next one clears it away. No work ever
waits for a marker, or fails for want of one.
"""

from __future__ import annotations

import os

from leftoff.core.model import Finding
from leftoff.core.when import stamp
from leftoff.errors import LeftoffError
from leftoff.formats._sentinel import Pidfile, pidfile_name, write_pidfile
from leftoff.record import TYPE_CHECKING
from leftoff.world.files import Staged, discard, encode
from leftoff.world.liveness import here, started
from leftoff.world.sentinels import SESSIONS, pidfiles, runs
from leftoff.world.state import ensure, place_key

if TYPE_CHECKING:
    from types import FrameType

    from leftoff.world.store import Store

    Session = tuple[str, str] | None

SAVE, RESTORE = "checkpoint", "checkpoint-restore"
"""The skills that say so. The seed has one name for both; a hook must know which it is."""

_signal = __import__("_signal")  # the module `signal` loads enum: a tenth of a whole listing
_ENDINGS = (_signal.SIGTERM, _signal.SIGHUP)


def marked(store: Store, skill: str, session: Session, now: float) -> Marked:
    """For a `with` around the work; it gives what to tell the user where there is no marker."""
    return Marked(store, skill, session, now)


def busy(store: Store, session: Session) -> bool:
    """Whether a save of this session, or one of this place that names none, is at work."""
    own = _name(session)
    return any(
        said.skill == SAVE and said.session in {"", own} and runs(said) is True
        for folder in (os.path.join(store.root, SESSIONS), _private(store))
        for _, said in pidfiles(folder)
    )


class Marked:
    """The marker while the work goes on."""

    def __init__(self, store: Store, skill: str, session: Session, now: float) -> None:
        self._store, self._now = store, now
        self._said = Pidfile(skill, os.getpid(), stamp(now), _name(session))
        self._path = ""
        self._taken_over: list[int] = []

    def __enter__(self) -> list[Finding]:
        self._take_over()
        try:
            self._path = self._take()
        except LeftoffError as error:
            text = f"proceeding without lifecycle protection: {error.message}"
            return [Finding("no-marker", "warning", "", text)]
        return []

    def __exit__(self, *_: object) -> None:
        self._release()

    def _take(self) -> str:
        """The path of our marker; "" where this process has one already."""
        folder = _folder(self._store)
        _clear(self._store, folder, self._now)
        path = os.path.join(folder, pidfile_name(self._said.skill, self._said.pid))
        at, began = here(), started(self._said.pid)
        said = self._said._replace(began=began, boot=at.boot, ns=at.ns, host=at.host)
        with Staged(path, durable=False) as new:
            new.write(encode(write_pidfile(said)))
            return path if new.claim() else ""

    def _take_over(self) -> None:
        """Let no signal end this process past us; where somebody listens, he ends it in order."""
        for number in _ENDINGS:
            try:
                if _signal.getsignal(number) == _signal.SIG_DFL:
                    _signal.signal(number, self._end)
                    self._taken_over.append(number)
            except ValueError:
                return  # only the main thread is told of signals

    def _end(self, number: int, _frame: FrameType | None) -> None:
        self._release()
        os.kill(os.getpid(), number)  # as if nobody had listened

    def _release(self) -> None:
        if self._path:
            discard(self._path)
        self._path = ""
        while self._taken_over:
            _signal.signal(self._taken_over.pop(), _signal.SIG_DFL)


def _folder(store: Store) -> str:
    """Where format C has them, if it is at home here; else with the user's own state."""
    if os.path.isdir(os.path.join(store.root, SESSIONS)):
        return store.resolve(SESSIONS)
    return ensure(_private(store))


def _private(store: Store) -> str:
    return os.path.join(store.state, "markers", place_key(store.root))


def _clear(store: Store, folder: str, now: float) -> None:
    """Take the markers of the dead away: ours for good, those of others into the trash."""
    for name, said in pidfiles(folder):
        if runs(said) is not False:
            continue
        if said.host:
            discard(os.path.join(folder, name))
            continue
        try:
            store.trash(f"{SESSIONS}/{name}", now)
        except LeftoffError:
            continue  # somebody else was faster, or it stays where it counts for nothing


def _name(session: Session) -> str:
    return "/".join(session) if session else ""
