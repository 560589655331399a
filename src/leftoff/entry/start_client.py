"""Starts a client in leftoff's place: same terminal, same process, nothing of ours above it."""

from __future__ import annotations

import os
from signal import SIG_DFL, SIGPIPE, signal

from leftoff.record import TYPE_CHECKING
from leftoff.world.files import Attempt

if TYPE_CHECKING:
    from typing import NoReturn, TextIO

    from leftoff.core.result import Start


def become(start: Start, *streams: TextIO) -> NoReturn:
    """Run it from here on; what was shown is out by then."""
    for stream in streams:
        stream.flush()
    with Attempt("start", start.program):
        os.chdir(start.folder)
        if start.alone:
            # clients read on behind a prompt until stdin ends, which some callers leave open
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        signal(SIGPIPE, SIG_DFL)  # Python ignores it, and a program inherits that
        os.execve(start.program, start.words, dict(start.env))  # noqa: S606  # a person's client
