"""A client on a terminal, for what no headless run can show: somebody types, the screen is drawn."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from clients.box import Box, ClientFailed, end, wait_for

_TAKE = (
    "import fcntl, os, sys, termios;"
    "fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    "os.execvp(sys.argv[1], sys.argv[1:])"
)
"""Makes the terminal the one that controls the program, as at a person's desk: by that leftoff
knows that somebody watches the session.
"""
_CONTROL = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[@-Z\\-_])")


class Terminal:
    """Holds all that was ever drawn, without colours and movements."""

    def __init__(self, master: int) -> None:
        self._master, self._drawn = master, b""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        with suppress(OSError):  # Linux's way to say that the other end is closed
            while part := os.read(self._master, 65536):
                self._drawn += part

    @property
    def drawn(self) -> str:
        return _CONTROL.sub("", self._drawn.decode("utf-8", "replace"))

    def type(self, text: str) -> None:
        """A line, with the key that ends it as a key of its own: pasted ends are text to a TUI."""
        start = len(self.drawn)
        os.write(self._master, text.encode())
        shown = text.replace(" ", "")
        wait_for(f"{text!r} on the screen", lambda: shown in _dense(self.drawn[start:]))
        os.write(self._master, b"\r")


def _dense(text: str) -> str:
    return re.sub(r"\s", "", text)


@contextmanager
def terminal(box: Box, *argv: str, env: dict[str, str]) -> Iterator[Terminal]:
    """The program on a terminal of its own; it ends with the block."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 45, 140, 0, 0))
    words = (sys.executable, "-I", "-S", "-c", _TAKE, *argv)
    process = box.start(*words, env=env, stdin=slave, stdout=slave, stderr=subprocess.STDOUT)
    os.close(slave)
    shown = Terminal(master)
    try:
        yield shown
    except ClientFailed as failure:
        failure.add_note(f"on the screen: {shown.drawn[-2000:]}")
        raise
    finally:
        end(process)
        shown._reader.join()
        os.close(master)
