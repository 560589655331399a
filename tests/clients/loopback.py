"""A network that has nothing but 127.0.0.1, for one thread of this process and whatever it starts.

On Linux a network namespace belongs to a thread: processes and sockets that the thread makes live in
it, and the sockets can then be used from any other. That takes root. Elsewhere everything runs in the
machine's own network, and what keeps the clients inside is that every address they are given is on
loopback and that their updates, telemetry and model lists are switched off (`drivers.py`).
"""

from __future__ import annotations

import ctypes
import fcntl
import socket
import struct
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_NEW_NETWORK = 0x40000000  # CLONE_NEWNET
_SET_FLAGS = 0x8914  # SIOCSIFFLAGS
_UP = 0x1 | 0x40  # IFF_UP, IFF_RUNNING


def inside(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What a call gives that runs in the thread with the small network."""
    return _thread().submit(call, *args, **kwargs).result()


@cache
def _thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "loopback", initializer=enter)


def enter() -> bool:
    """Take the calling thread into a network of its own; False where the system does not let it."""
    if not sys.platform.startswith("linux") or ctypes.CDLL(None).unshare(_NEW_NETWORK):
        return False
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh22x", b"lo", _UP))
    return True
