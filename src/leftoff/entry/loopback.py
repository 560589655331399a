"""A port of this machine that nobody outside can reach: for the page, and for tools over HTTP."""

from __future__ import annotations

import os
import socket
from contextlib import contextmanager

from leftoff.errors import Busy, Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import uvicorn

HOST = "127.0.0.1"


def port_of(word: str) -> int:
    """The number of a port; 0 lets the system choose."""
    if not (word.isascii() and word.isdigit() and len(word) < 6 and int(word) < 1 << 16):
        raise Usage(f'"{word[:20]}" is not a port', hint="give a number up to 65535, or 0")
    return int(word)


def listening(port: int, *, hint: str = "") -> socket.socket:
    """The port, on loopback only; 0 takes any that is free. `hint` is for one that is taken."""
    try:
        return socket.create_server((HOST, port))
    except OSError as error:
        said = os.strerror(error.errno or 0).lower()
        raise Busy(f"cannot listen on port {port}: {said}", hint=hint) from error


def serve_on(port: socket.socket, server: uvicorn.Server) -> None:
    """Until it is interrupted."""
    with interruptible():
        server.run(sockets=[port])


@contextmanager
def interruptible() -> Iterator[None]:
    """For a server, whatever it listens on: an interrupt is told as such whenever it comes."""
    from asyncio import CancelledError  # the server has loaded it

    try:
        yield
    except CancelledError:  # asyncio forgets an interrupt that comes while it gets ready for one
        raise KeyboardInterrupt from None
