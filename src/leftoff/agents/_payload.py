"""What adapters share: values out of payloads that may hold anything; our own text out of prompts.

A client's next version, or a program that plays one, may put any JSON value into any field. These
helpers take what has the right type and nothing else, so that no adapter can raise.
"""

from __future__ import annotations

from leftoff.core.event import without_own
from leftoff.core.fast_json import loads
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_LARGEST = 1 << 53


def text(payload: Mapping[str, Any], *names: str) -> str:
    """The first of these fields that holds a text."""
    for name in names:
        value = payload.get(name)
        if value and isinstance(value, str):
            return value
    return ""


def path(payload: Mapping[str, Any], *names: str) -> str:
    """The same for what becomes a path: empty where the system could not take it."""
    value = text(payload, *names)
    try:
        value.encode()
    except UnicodeEncodeError:
        return ""
    return "" if "\0" in value else value


def count(payload: Mapping[str, Any], name: str) -> int:
    """A number above zero; 0 for what is none."""
    value = payload.get(name)
    return value if type(value) is int and 0 < value < _LARGEST else 0


def inner(payload: Any, *names: str) -> dict[str, Any]:
    """The object below these names; an empty one where there is none."""
    for name in names:
        payload = payload.get(name) if isinstance(payload, dict) else None
    return payload if isinstance(payload, dict) else {}


def sign(said: str) -> str:
    """Tells two texts of a session apart, and gives neither away.

    Not `hash`, which differs between processes, and no module that the hook would have to load.
    """
    return f"{len(said)}.{sum(said.encode('utf-8', 'replace'))}" if said else ""


def typed(said: str) -> str:
    """A prompt without the text that leftoff gave."""
    own = without_own(said)
    return own if own is said else own.strip()


def last_lines(tail: bytes, mark: bytes) -> Iterator[dict[str, Any]]:
    """The objects among the lines with this mark, the last one first; torn ones are skipped."""
    end = len(tail)
    while (at := tail.rfind(mark, 0, end)) >= 0:
        start = tail.rfind(b"\n", 0, at) + 1
        stop = tail.find(b"\n", at)
        try:
            line = loads(tail[start : stop if stop >= 0 else len(tail)].decode("utf-8", "replace"))
        except ValueError:
            line = None
        if isinstance(line, dict):
            yield line
        end = start
