"""Prompts that were not taken: kept word for word, for the user alone, until they are replayed."""

from __future__ import annotations

import os

from leftoff.core.when import stamp
from leftoff.errors import LeftoffError
from leftoff.formats._sentinel import PROMPT, Prompt, append_prompt, file_name, prompts
from leftoff.world.files import decode, encode, read_bytes, write_atomic
from leftoff.world.locks import locked
from leftoff.world.saves import PENDING
from leftoff.world.state import ensure

WAIT = 1.0
"""Seconds to wait for another hook that stores a prompt."""
_NOTIFICATION = "<task-notification"


def store(state: str, session: str, text: str, now: float) -> str:
    """Add a prompt to those of its session: where it is, or "" when it could not be kept."""
    try:
        path = path_of(state, session)
        ensure(os.path.dirname(path))
        replayable = not text.lstrip().startswith(_NOTIFICATION)
        with locked(os.path.dirname(path), WAIT):
            whole = append_prompt(_text(path), Prompt(stamp(now), text, replayable))
            write_atomic(path, encode(whole), 0o600)
    except LeftoffError:
        return ""
    return path


def stored(state: str, session: str) -> tuple[Prompt, ...]:
    """The prompts of a session in the order in which they came."""
    return prompts(_text(path_of(state, session)))


def path_of(state: str, session: str) -> str:
    """Where the prompts of a session are; Usage for a session that cannot be named."""
    return os.path.join(state, PENDING, file_name(PROMPT, session))


def _text(path: str) -> str:
    return decode(read_bytes(path)) if os.path.exists(path) else ""
