"""Secrets out of transcripts, block by block: whole lines in, whole lines out. Pure.

A line of JSON is changed inside its strings only, and stays byte for byte what it was where it
holds no secret. What clients check when they resume (signatures, encrypted parts, images) is never
rewritten; where signed text holds a secret, the signed block goes as a whole.
"""

from __future__ import annotations

from leftoff.core.redact import FAILURES, MASK, PLAIN, WITHHELD, mask, redact
from leftoff.core.redact_rules import HEADERS, names_secret, tells_secret
from leftoff.core.redact_runs import RUN
from leftoff.core.redact_sieve import suspects, until
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from typing import Any

    from leftoff.core.redact import Redactor

SEALS = frozenset(
    (
        *("signature", "thoughtSignature", "thought_signature", "encrypted_content"),
        *("encryptedContent", "reasoningOpaque", "reasoning_opaque"),
    )
)
"""Fields that prove or hide the block they stand in: a changed block no longer fits them."""
BLOBS = frozenset(("data", "base64", "bytes", "image_url", "url", "blob"))
"""Fields that hold an image or a file, spelt in letters."""
IDS = frozenset(
    (
        *("id", "uuid", "parentUuid", "sessionId", "session_id", "requestId", "request_id"),
        *("tool_use_id", "toolUseID", "call_id", "callId", "messageId", "message_id", "parent_id"),
        *("promptId", "leafUuid", "logicalParentUuid", "parentID", "sessionID", "messageID"),
    )
)
"""Fields by which lines find each other: rules of a user or a project leave them alone."""
DROPPED = {"type": "text", "text": MASK.format("sealed")}
"""What stands where a signed block was."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-"
_SHORTEST = 6
_TIGHT = (",", ":")


class Cleaned(Record):
    """Bytes without secrets, and what became of them."""

    data: bytes
    changed: int = 0
    """lines that held a secret"""
    dropped: int = 0
    """signed or encrypted parts that had to go"""
    withheld: int = 0
    """lines that could not be redacted, and are not there"""


def cleaned(data: bytes, by: Redactor = PLAIN) -> Cleaned:
    """Whole lines, of JSON or of anything, without their secrets, and what was done.

    It needs no other block: what is appended is read alone.
    """
    try:
        return _cleaned(data, by)
    except FAILURES:
        return Cleaned(_withheld(data), withheld=data.count(b"\n") or 1)


def _cleaned(data: bytes, by: Redactor) -> Cleaned:
    parts: list[bytes] = []
    at, changed, dropped = 0, 0, [0]
    for suspect in suspects(data, by):
        if suspect < at:
            continue  # that line went with the ones before it
        start, end = suspect, until(data, b"\n", suspect)
        new = _json(data[start:end], by, dropped)
        if new is None and not parts and (whole := _json(data, by, dropped, 2)) is not None:
            return Cleaned(whole, int(whole != data), dropped[0])  # one document over many lines
        if new is None:
            start, end = _text_around(data, start, end, at)
            new = _text(data[start:end], by)
        changed += new != data[start:end]
        parts += [data[at:start], new]
        at = end
    return Cleaned(b"".join([*parts, data[at:]]), changed, dropped[0]) if changed else Cleaned(data)


def _text_around(data: bytes, start: int, end: int, least: int) -> tuple[int, int]:
    """The lines around that are no objects either: a private key goes over many."""
    if start > least:
        line = data.rfind(b"\n{", least, start) + 1 or least
        start = until(data, b"\n", line) + 1 if data.startswith(b"{", line) else line
    return start, until(data, b"\n{", end)


def _json(data: bytes, by: Redactor, dropped: list[int], indent: int | None = None) -> bytes | None:
    """A line (or a document) of JSON, as it was if it holds no secret; None where it is none."""
    import json  # only for a line that may hold something

    if not data.lstrip().startswith((b"{", b"[")):
        return None
    try:
        value = json.loads(data)
        new = _walk(value, by, dropped)
    except (RecursionError, ValueError):
        return None
    if new == value:
        return data
    told = json.dumps(new, ensure_ascii=False, indent=indent, separators=None if indent else _TIGHT)
    # half a character can be spelt by an escape only, and backslashreplace spells it as JSON does
    return told.encode("utf-8", "backslashreplace") + data[len(data.rstrip()) :]


def _text(data: bytes, by: Redactor) -> bytes:
    told = redact(data.decode("utf-8", "surrogateescape"), by)
    return told.encode("utf-8", "surrogateescape")


def _walk(value: Any, by: Redactor, dropped: list[int], key: str = "") -> Any:
    if isinstance(value, str):
        return _string(value, by, key)
    if isinstance(value, list):
        return [_walk(one, by, dropped, key) for one in value]
    return _object(value, by, dropped) if isinstance(value, dict) else value


def _object(block: dict[str, Any], by: Redactor, dropped: list[int]) -> dict[str, Any]:
    new, pair = {}, False
    for key, one in block.items():
        told = "secret" if pair and key == "value" else key
        pair = pair or (key in ("name", "key") and isinstance(one, str) and names_secret(one))
        new[_name(key, by)] = _walk(one, by, dropped, told)
    seals = [key for key in block if key in SEALS and block[key]]
    if not seals or new == block:
        return new
    dropped[0] += 1
    if block.get("type") == "thinking":
        return dict(DROPPED)  # a text may stand wherever a thought may, and no message gets empty
    return new | dict.fromkeys(seals)


def _name(key: str, by: Redactor) -> str:
    return redact(key, by) if len(key) >= RUN else key


def _string(text: str, by: Redactor, key: str) -> str:
    if len(text) < _SHORTEST or key in SEALS or (key in BLOBS and _is_blob(text)):
        return text
    if names_secret(key) and tells_secret(text):
        return mask("secret", text, by.key)
    if key.lower() in HEADERS:
        before = f"{key}: "
        return redact(before + text, by).removeprefix(before)
    return redact(text, by._replace(extra=()) if key in IDS else by)


def _is_blob(text: str) -> bool:
    """Whether this is a picture or a file, spelt in letters; an address may say so before it."""
    rest = text.partition(";base64,")[2] if text.startswith("data:") else text
    return len(rest) >= 64 and not rest.strip(_LETTERS)


def _withheld(data: bytes) -> bytes:
    return WITHHELD.encode() + (b"\n" if data.endswith(b"\n") else b"")
