"""A file gets a new name that nobody has, in one step: after any crash it has one of the two.

Python has no call for it. Where the system has none either, the file has both names for a moment.
"""

from __future__ import annotations

import errno
import os
import sys

from leftoff.record import TYPE_CHECKING
from leftoff.world.files import take_name

if TYPE_CHECKING:
    from collections.abc import Callable

_HERE = -100
_NO_REPLACE, _EXCLUSIVE = 1, 4
_UNKNOWN = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EPERM}


def rename_new(source: str, target: str) -> bool:
    """Move a file within its file system; False, and nothing done, if the name is taken."""
    call = _system_call(os.fsencode(source), os.fsencode(target))
    code = call() if call else errno.ENOSYS
    if code in _UNKNOWN:
        return take_name(source, target)
    if code not in {0, errno.EEXIST}:
        raise OSError(code, os.strerror(code), source)
    return code == 0


def _system_call(source: bytes, target: bytes) -> Callable[[], int] | None:
    """What renames and tells the error, 0 for none; None where it is not to be had."""
    try:
        import ctypes  # moves are rare
    except ImportError:  # a Python that was built without it
        return None
    library = ctypes.CDLL(None, use_errno=True)
    mac = sys.platform == "darwin"
    rename = getattr(library, "renamex_np" if mac else "renameat2", None)
    if rename is None:
        return None
    given = (source, target, _EXCLUSIVE) if mac else (_HERE, source, _HERE, target, _NO_REPLACE)
    return lambda: ctypes.get_errno() if rename(*given) else 0
