"""Run a shell command: bounded in time, in a group of its own, with the end of its output kept."""

from __future__ import annotations

import os
import select
import signal
import subprocess
from time import monotonic

from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

TAIL = 8192
TIMED_OUT = 124
"""The exit code of a command that ran out of time, as `timeout` has it."""
_GRACE = 2.0
_LOOK = 0.05
_ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Outcome(Record):
    """How a command ended; `code` is 128 plus the signal where one ended it, as in a shell."""

    code: int
    tail: str
    seconds: float
    timed_out: bool


def run(command: str, *, cwd: str, env: Mapping[str, str], timeout: float) -> Outcome:
    """Run it with no terminal and no input; nothing that it started in its group stays behind."""
    began = monotonic()
    with _Group(command, cwd, env) as group:
        finished = group.follow(began + timeout)
    tail = bytes(group.tail[-TAIL:]).decode("utf-8", "replace")
    code = group.code if finished else TIMED_OUT
    return Outcome(code, tail, monotonic() - began, timed_out=not finished)


class _Group:
    """The command and all it starts, until the end of the block, however that comes about."""

    def __init__(self, command: str, cwd: str, env: Mapping[str, str]) -> None:
        own = {name: value for name, value in env.items() if not name.startswith("LEFTOFF_")}
        self.tail = bytearray()
        self._interrupted = False
        # Noted, not raised: an exception while the child starts would lose it.
        self._before = {number: _on(number, self._note) for number in _ENDINGS}
        # A session of its own: no terminal to read from or to write into.
        try:
            self._child = subprocess.Popen(  # noqa: S603  # only what was trusted comes here
                ["/bin/sh", "-c", command],
                cwd=cwd,
                env=own,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            self._give_back()
            raise LeftoffError(f"the command could not be started: {error}", where=cwd) from error

    @property
    def code(self) -> int:
        code = self._child.returncode
        return 128 - code if code < 0 else code

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._end()
        finally:
            if self._child.stdout:
                self._child.stdout.close()
            self._give_back()

    def _give_back(self) -> None:
        """The signals, to whoever had them before."""
        for number, handler in self._before.items():
            _on(number, handler)

    def follow(self, deadline: float) -> bool:
        """Read until the command ends; False when its time is up first.

        The end of the output is the quick sign of the end, but a process that was left in the
        background may hold it open: then the command's own end counts.
        """
        out = self._child.stdout.fileno() if self._child.stdout else -1
        is_open = True
        while (left := deadline - monotonic()) > 0:
            if self._interrupted:
                raise KeyboardInterrupt
            pause = min(left, _LOOK)
            if is_open and select.select([out], [], [], pause)[0]:
                is_open = self._take(out)
            elif self._ended(0 if is_open else pause):
                return True
        return self._ended(0)

    def _note(self, *_: object) -> None:
        """A client that ends us must not leave the command running: leave as on Ctrl-C."""
        self._interrupted = True

    def _take(self, out: int) -> bool:
        data = os.read(out, 1 << 16)
        self.tail += data
        if len(self.tail) > 16 * TAIL:
            del self.tail[:-TAIL]
        return bool(data)

    def _ended(self, left: float) -> bool:
        try:
            self._child.wait(left)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _end(self) -> None:
        """Ask the group to end, then make it."""
        if self._child.poll() is None:
            self._signal(signal.SIGTERM)
            self._ended(_GRACE)
        self._signal(signal.SIGKILL)
        self._child.wait()

    def _signal(self, number: int) -> None:
        try:
            os.killpg(self._child.pid, number)
        except (ProcessLookupError, PermissionError):  # macOS says the latter of a dead group
            return


def _on(number: int, handler: object) -> object:
    try:
        return signal.signal(number, handler)  # type: ignore[arg-type]
    except ValueError:  # not in the main thread: then signals are not ours
        return signal.SIG_DFL
