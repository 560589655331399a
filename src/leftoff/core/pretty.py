"""JSON for people and tools, on many lines, without the price of the `json` package."""

from __future__ import annotations

from leftoff.core.fast_json import dumps
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_STEP = "  "


def pretty(value: Any, line: str = "\n") -> str:
    """The value as `json.dumps` writes it with an indent of two and texts in their own letters."""
    if isinstance(value, str):
        return _quote(value)
    if not value or not isinstance(value, dict | list | tuple):
        return dumps(value)
    inner = line + _STEP
    if isinstance(value, dict):
        parts = [f"{_quote(str(key))}: {pretty(each, inner)}" for key, each in value.items()]
        return f"{{{inner}{f',{inner}'.join(parts)}{line}}}"
    return f"[{inner}{f',{inner}'.join([pretty(each, inner) for each in value])}{line}]"


def _make_quote() -> Callable[[str], str]:
    try:
        from _json import encode_basestring
    except ImportError:  # another Python than CPython
        from json.encoder import encode_basestring
    return encode_basestring


_quote = _make_quote()
