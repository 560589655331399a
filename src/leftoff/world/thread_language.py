"""The language that a thread says its people read: `language` in the config of its thread.json.

Asked before every answer, so it costs two small files, and no lens.
"""

from __future__ import annotations

import os

from leftoff.core.caller import SESSION_VARIABLE
from leftoff.core.fast_json import loads
from leftoff.core.ids import is_name
from leftoff.core.texts import LANGUAGES
from leftoff.core.thread import POINTER, metadata
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

KEY = "language"


def language(root: str, state: str, env: Mapping[str, str]) -> str:
    """Of the thread that the calling session is on, as start left it, else of the default one."""
    return of_thread(root, _of_session(state, env) or _default(root))


def of_thread(root: str, thread: str) -> str:
    """`en`, `zh`, or "" where the thread does not say."""
    data = _read(os.path.join(root, metadata(thread))) if is_name(thread) else b""
    if f'"{KEY}"'.encode() not in data:
        return ""  # nearly always
    try:
        whole = loads(data.decode())
    except ValueError:
        return ""  # which `validate` tells
    config = whole.get("config") if isinstance(whole, dict) else None
    said = config.get(KEY) if isinstance(config, dict) else None
    return next((one for one in LANGUAGES if isinstance(said, str) and said.startswith(one)), "")


def _default(root: str) -> str:
    return _read(os.path.join(root, POINTER)).decode("utf-8", "replace").strip()


def _of_session(state: str, env: Mapping[str, str]) -> str:
    agent, slash, session = env.get(SESSION_VARIABLE, "").partition("/")
    if not slash:
        return ""
    from leftoff.world import now_file

    try:
        left = now_file.read(state, agent, session) or {}
    except LeftoffError:
        return ""  # no id of a session
    thread = left.get("thread")
    return thread if isinstance(thread, str) else ""


def _read(path: str) -> bytes:
    try:
        return read_bytes(path)
    except LeftoffError:
        return b""
