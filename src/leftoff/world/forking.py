"""Whether this process may copy itself to get help with a large job."""

from __future__ import annotations

import os
import sys

_THREADS = "/proc/self/task"


def pays() -> bool:
    """Whether a copy of this process is safe to make, and has a processor to run on.

    A copy has only the thread that made it. What another thread held at that moment, a lock of a
    library among it, stays held in the copy for ever: so a server with threads works alone. On
    macOS the system's own libraries keep such locks behind our back.
    """
    return sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1 and _threads() == 1


def _threads() -> int:
    """How many threads this process has, those of C libraries too; 0 where nobody can tell."""
    try:
        return len(os.listdir(_THREADS))
    except OSError:
        return 0
