"""One line about the session for the client's status bar, within a hook's budget."""

from __future__ import annotations

from leftoff.core.event import Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world import now_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FALLBACK = "leftoff"


def line(agent: str, payload: Mapping[str, Any], state: str, *, segment: bool = False) -> str:
    """Project, thread, context use and advice; without `segment` the model and the cost too."""
    session = _text(payload.get("session_id"))
    usage = told_usage(payload)
    if session and usage.window:
        now_file.see(state, agent, session, usage)
    left = (session and now_file.read(state, agent, session)) or {}
    parts = [_place(left, payload), _context(usage, left)]
    if not segment:
        parts += [_text(_inner(payload, "model").get("display_name")), _cost(payload)]
    parts.append(_advice(usage, left))
    return " | ".join(filter(None, parts)) or FALLBACK


def told_usage(payload: Mapping[str, Any]) -> Usage:
    """What the client says about its context; 0 for what it does not say."""
    window = _inner(payload, "context_window")
    model = _text(_inner(payload, "model").get("id"))
    size = _number(window.get("context_window_size"))
    current = _inner(window, "current_usage")
    parts = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    used = sum(_number(current.get(part)) for part in parts)
    if not used:
        used = round(_number(window.get("used_percentage")) * size / 100)
    return Usage(int(used), int(size), model)


def _place(left: Mapping[str, Any], payload: Mapping[str, Any]) -> str:
    root = _text(left.get("root")) or _text(payload.get("cwd"))
    names = [root.rstrip("/").rpartition("/")[2], _text(left.get("thread"))]
    return "/".join(filter(None, names))


def _context(usage: Usage, left: Mapping[str, Any]) -> str:
    window = usage.window or _number(left.get("window"))
    if not window:
        return ""
    return f"{usage.context * 100 / window:.0f}% of {_short(window)}"


def _short(tokens: float) -> str:
    return f"{tokens / 1e6:g}M" if tokens >= 1e6 else f"{tokens / 1e3:.0f}k"


def _cost(payload: Mapping[str, Any]) -> str:
    dollars = _number(_inner(payload, "cost").get("total_cost_usd"))
    return f"${dollars:.2f}" if dollars else ""


def _advice(usage: Usage, left: Mapping[str, Any]) -> str:
    """What `.now` has ready, in the user's language, for a context that fills up."""
    window = usage.window or _number(left.get("window")) or 200_000
    level = _number(left.get("advise"))
    full = level and usage.context * 100 >= level * window
    return _text(left.get("advice")) if full and not left.get("quiet") else ""


def _inner(payload: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = payload.get(name)
    return found if isinstance(found, dict) else {}


def _number(value: object) -> float:
    good = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e12
    return value if good else 0  # type: ignore[return-value]  # `good` says so


def _text(value: object) -> str:
    """One line of a text, with nothing in it that steers a terminal."""
    return "".join(filter(str.isprintable, value))[:60] if isinstance(value, str) else ""
