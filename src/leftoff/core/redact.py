"""Secrets in text give way to `[redacted:kind]`, or with a key to `[redacted:kind:ab12cd]`. Pure.

The last part is a keyed hash of the secret: equal secrets stay equal, and nobody without the key
can try words against it. Where redacting itself fails, the text is withheld: it never passes.
"""

from __future__ import annotations

from leftoff.core.redact_rules import RULES, Rule, holds_run
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator
    from typing import Any, TypeVar

    _Value = TypeVar("_Value")

MASK = "[redacted:{}]"
WITHHELD = MASK.format("withheld")
"""What stands where a text could not be redacted."""
_LONG = 1000
_LONGEST_MASK = 40
_WORTH_A_SIEVE = 1 << 16
"""Bytes of a text from which the sieve's patterns, made once, cost less than they spare."""
FAILURES = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


class Redactor(Record):
    """How to redact: with which key the fingerprints are made, and by which rules besides ours."""

    key: bytes = b""
    """without one there are no fingerprints"""
    extra: tuple[Rule, ...] = ()


PLAIN = Redactor()


class Span(Record):
    """A secret in a text: where it begins and ends, and what it is."""

    start: int
    end: int
    kind: str


def redact(text: str, by: Redactor = PLAIN) -> str:
    """The text without its secrets."""
    try:
        return masked(text, spans(text, by), by.key)
    except FAILURES:
        return WITHHELD


def masked(text: str, found: list[Span], key: bytes = b"") -> str:
    """The text with a mask in place of each span; they are in order and apart."""
    if not found:
        return text
    parts, at = [], 0
    for span in found:
        parts += [text[at : span.start], mask(span.kind, text[span.start : span.end], key)]
        at = span.end
    return "".join([*parts, text[at:]])


def mask(kind: str, secret: str, key: bytes = b"") -> str:
    """What stands in place of a secret."""
    if not key:
        return MASK.format(kind)
    from hashlib import blake2b  # only where a secret was found

    data = secret.encode("utf-8", "surrogatepass")
    return MASK.format(f"{kind}:{blake2b(data, digest_size=3, key=key[:64]).hexdigest()}")


def spans(text: str, by: Redactor = PLAIN) -> list[Span]:
    """Every secret, in order; where two overlap they are one."""
    data = text.encode("utf-8", "surrogatepass")
    tries = _tries(data, by)
    if not tries:
        return []
    low = _lower(text)
    found = sorted(span for rule, present in tries for span in _matches(rule, text, low, present))
    apart: list[Span] = []
    for span in found:
        if apart and span.start < apart[-1].end:
            apart[-1] = apart[-1]._replace(end=max(apart[-1].end, span.end))
        else:
            apart.append(span)
    return apart


def holds_secret(text: str, by: Redactor = PLAIN) -> bool:
    """Whether anything in the text would be redacted."""
    try:
        return bool(spans(text, by))
    except FAILURES:
        return True


def redacted(value: _Value, by: Redactor = PLAIN) -> _Value:
    """The same for every text in a value: records, tuples, lists and the values of mappings."""
    # Most values hold nothing: one look at all of their texts spares a look at each.
    return _redacted(value, by) if holds_secret("\n".join(_texts(value)), by) else value


def _tries(data: bytes, by: Redactor) -> list[tuple[Rule, list[str]]]:
    """The rules that may find something, each with those of its literals that are there."""
    low, runs = data.lower(), _may_hold_keys(data)
    seen: dict[tuple[str, ...], list[str]] = {}
    tries = []
    for rule in (*RULES, *by.extra):
        if rule.run and not runs:
            continue
        if rule.literals not in seen:  # many rules share theirs
            where = data if rule.exact else low
            seen[rule.literals] = [one for one in rule.literals if one.encode() in where]
        if seen[rule.literals]:
            tries.append((rule, seen[rule.literals]))
    return tries


def _may_hold_keys(data: bytes) -> bool:
    if len(data) < _WORTH_A_SIEVE or not holds_run(data):
        return holds_run(data)
    from leftoff.core.redact_sieve import holds_key  # dearer to load, cheaper for a long text

    return holds_key(data)


def _matches(rule: Rule, text: str, low: str, present: list[str]) -> Iterator[Span]:
    import re  # only for a text that may hold something

    tried = re.compile(rule.pattern, re.ASCII)
    where = text if rule.exact else low
    for literal in present:
        at = where.find(literal)
        while at >= 0:
            found = _try(tried, rule, text, at)
            if found and not _is_of_mask(text, at):
                yield Span(found.end(1), found.end(), rule.kind)
            at = where.find(literal, max(at + 1, found.end() if found else 0))


def _is_of_mask(text: str, at: int) -> bool:
    """Whether a word is a mask's own: `[redacted:secret]: x` names no secret, however it looks."""
    begin = MASK.partition("{")[0]
    end = text.find("]", at, at + _LONGEST_MASK) if text.endswith(begin, 0, at) else -1
    return end > 0 and text[at:end].replace(":", "").replace("-", "").isalnum()


def _try(tried: re.Pattern[str], rule: Rule, text: str, at: int) -> re.Match[str] | None:
    if not rule.reach:
        return tried.match(text, at - rule.back) if at >= rule.back else None
    found = tried.search(text, max(0, at - rule.reach), at + _LONG)
    return found if found and found.start() <= at < found.end() else None


def _lower(text: str) -> str:
    """In lower case, every character in its place: a few become two where nobody watches."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(ch.lower()[:1] for ch in text)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value
    if not isinstance(inner, list | tuple | type({}.values())):
        return []
    return [text for one in inner for text in _texts(one)]


def _redacted(value: Any, by: Redactor) -> Any:
    if isinstance(value, str):
        return redact(value, by)
    if isinstance(value, dict):
        return {key: _redacted(one, by) for key, one in value.items()}
    if isinstance(value, tuple):
        made = [_redacted(one, by) for one in value]
        return value._make(made) if hasattr(value, "_make") else tuple(made)
    return [_redacted(one, by) for one in value] if isinstance(value, list) else value
