"""JSON for the hook path: the C scanner without the `json` package, which alone doubles a hook.

`loads` reads what `json.loads` reads (and raw control characters in texts), and raises ValueError
where that does; `dumps` writes one line of plain values. Off the hot path `json` serves as well.
"""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

BLANK = " \t\r\n"


def loads(text: str) -> Any:
    """The value of a JSON text."""
    text = text.strip(BLANK)
    value, end = first(text)
    if end != len(text):
        raise ValueError(f"extra text at {end}")
    return value


def first(text: str) -> tuple[Any, int]:
    """The value that a text begins with, and where it ends; more may follow."""
    try:
        return _scan(text, 0)
    except StopIteration as stop:
        raise ValueError(f"no JSON value at {stop.value}") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except SystemError:  # Python 3.11's scanner without the exception of `json`, which it looks for
        raise ValueError("broken JSON") from None


def dumps(value: Any) -> str:
    """One line of JSON for dicts, lists, tuples, texts, numbers, booleans and None."""
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return _quote(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        # JSON knows no infinity and no NaN
        return float.__repr__(value) if value - value == 0 else "null"
    if isinstance(value, dict):
        inside = ",".join([f"{_quote(str(key))}:{dumps(each)}" for key, each in value.items()])
        return f"{{{inside}}}"
    if isinstance(value, list | tuple):
        return f"[{','.join(map(dumps, value))}]"
    raise TypeError(f"{type(value).__name__} is no JSON value")


def _make_scanner() -> tuple[Callable[[str, int], tuple[Any, int]], Callable[[str], str]]:
    try:
        from _json import encode_basestring_ascii, make_scanner
    except ImportError:  # another Python than CPython
        import json

        scan: Any = json.JSONDecoder(strict=False)
        return scan.scan_once, json.dumps
    asked: dict[str, Any] = {  # what the scanner asks its decoder for
        "strict": False,
        "object_hook": None,
        "object_pairs_hook": None,
        "parse_float": float,
        "parse_int": int,
        "parse_constant": float,
        "memo": {},
    }
    decoder: Any = type("Decoder", (), asked)
    return make_scanner(decoder), encode_basestring_ascii


_scan, _quote = _make_scanner()
