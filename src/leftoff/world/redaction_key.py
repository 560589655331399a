"""The key of fingerprints: `<state>/key`, made on first use, the user's alone.

With another key the same secret gets another fingerprint; nothing else depends on it, so a lost key
costs only that old and new marks no longer look alike. Where it cannot be read or made, or
others could read it, there are no fingerprints, and everything is redacted as ever.
"""

from __future__ import annotations

import os
from stat import S_IMODE

from leftoff.core.redact import Redactor
from leftoff.core.redact_own import rules
from leftoff.core.redact_setting import Own
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world.files import Staged, bytes_or_none
from leftoff.world.state import ensure, state_dir

if TYPE_CHECKING:
    from collections.abc import Mapping

LENGTH = 32
NOTHING = Own()


def redactor(env: Mapping[str, str], own: Own = NOTHING) -> Redactor:
    """How texts are redacted before they are stored, with what `Settings.redaction` adds."""
    return Redactor(key(env), rules(own))


def key(env: Mapping[str, str]) -> bytes:
    """The key, made where there is none yet; empty where there can be none."""
    path = os.path.join(state_dir(env), "key")
    try:
        return _read(path) or _make(path) or _read(path)
    except (LeftoffError, OSError):
        return b""


def _read(path: str) -> bytes:
    data = bytes_or_none(path)
    if data is None or len(data) < LENGTH:
        return b""
    return b"" if S_IMODE(os.stat(path).st_mode) & 0o077 else data[:LENGTH]


def _make(path: str) -> bytes:
    """A new one; empty where another process was first, or something else has the name."""
    ensure(os.path.dirname(path))
    made = os.urandom(LENGTH)
    with Staged(path) as staged:
        staged.write(made, 0o600)
        return made if staged.claim() else b""
