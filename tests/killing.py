"""A process of ours that is killed in the middle of its work."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

_WRITES = ("write", "fsync", "rename", "link", "ftruncate", "utime")


def killed_at(step: int, work: Callable[[], Any]) -> bool:
    """Work in another process, killed by signal 9 before its so-many-th write of any kind.

    False when the work came to its end before that.
    """
    pid = os.fork()
    if pid == 0:
        try:
            _kill_at(step)
            work()
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(pid, 0)[1])


def _kill_at(step: int) -> None:
    left = [step]

    def counting(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **options)

        return call

    for name in _WRITES:
        setattr(os, name, counting(getattr(os, name)))
