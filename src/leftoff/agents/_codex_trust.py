"""How Codex knows a hook again that its user trusted: by a hash of what the hook is. Pure.

It is SHA-256 over compact JSON with sorted keys: the event, the matcher and the command with its
time limit, nothing that was left out, as version 0.166 has it (`hooks/list` of its app-server
names it). For shapes that `setup` never writes nobody here knows what Codex makes of them.
"""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_KEYS = {"type", "command", "timeout"}


def snake(event: str) -> str:
    """An event as Codex calls it where it writes down what is trusted: `session_start`."""
    return "".join(f"_{ch.lower()}" if ch.isupper() else ch for ch in event).lstrip("_")


def fingerprint(event: str, group: Mapping[str, Any], hook: Mapping[str, Any], most: int) -> str:
    """What Codex has as `trusted_hash` of such a hook; empty where that is not known for sure.

    A time limit above `most` may be cut before it is hashed.
    """
    timeout = hook.get("timeout")
    simple = group.keys() == {"hooks"} and hook.keys() == _KEYS and hook["type"] == "command"
    if not simple or type(timeout) is not int or not 0 < timeout <= most:
        return ""
    from hashlib import sha256
    from json import dumps

    value = {"event_name": snake(event), "hooks": [{**hook, "async": False}]}
    text = dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{sha256(text.encode('utf-8', 'replace')).hexdigest()}"
