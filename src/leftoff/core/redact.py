"""Secrets in text become `[redacted:kind]`, or with a key `[redacted:kind:ab12cd]`. Pure.

The last part is a keyed hash of the secret: equal secrets stay equal, and nobody without the key
can try words against it. Where redacting itself fails, the text is withheld: it never passes.
"""

from __future__ import annotations

from leftoff.core.redact_behind import behind
from leftoff.core.redact_rules import RULES, Rule, pattern_at
from leftoff.core.redact_runs import runs
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator
    from typing import Any, TypeAlias, TypeVar

    _Group: TypeAlias = tuple[list[Rule], list[tuple[str, bytes]]]
    _Value = TypeVar("_Value")

MASK = "[redacted:{}]"
WITHHELD = MASK.format("withheld")
"""What stands where a text could not be redacted."""
_LONGEST_MASK = 40
_MASK_BEGINS = MASK.partition("{")[0]
_ESCAPES = ("\x1b", "u001b[", "u001B[", "x1b[", "x1B[", "033[")
_SPELT = r"\\{1,15}(?:u001[bB]|x1[bB]|033)\[[0-?]*[ -/]*[@-~]?"
"""A colour as a text within a text has it."""
_WORTH_A_SIEVE = 1 << 16
"""Bytes of a text from which the sieve's patterns, made once, cost less than they spare."""
_groups: list[_Group] = []
_made: dict[str, re.Pattern[str]] = {}
"""The groups of our own rules, and patterns, as they were needed: made once for many texts."""
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
    found = _spans(text, by)
    if any(one in text for one in _ESCAPES):
        found += _coloured(text, by)
    apart: list[Span] = []
    for span in sorted(found):
        if apart and span.start < apart[-1].end:
            apart[-1] = apart[-1]._replace(end=max(apart[-1].end, span.end))
        else:
            apart.append(span)
    return apart


def _spans(text: str, by: Redactor) -> list[Span]:
    tries = _tries(text.encode("utf-8", "surrogatepass"), by)
    low = _lower(text) if tries else ""
    gates: dict[tuple[int, str], str] = {}
    return [span for rule, present in tries for span in _matches(rule, text, low, present, gates)]


def _coloured(text: str, by: Redactor) -> list[Span]:
    """Secrets with a colour in their middle, as `grep --color` tells them: it goes, they stay."""
    import re  # only for what came from a terminal
    from bisect import bisect

    from leftoff.core.fence import ANSI

    parts: list[str] = []
    starts, gone = [0], [0]  # where each part begins, and how much is gone before it
    for gap in re.finditer(f"{_SPELT}|{ANSI}", text):
        parts.append(text[starts[-1] + gone[-1] : gap.start()])
        starts.append(starts[-1] + len(parts[-1]))
        gone.append(gap.end() - starts[-1])
    bare = "".join([*parts, text[starts[-1] + gone[-1] :]])

    def back(at: int) -> int:
        return at + gone[bisect(starts, at) - 1]

    return [Span(back(one.start), back(one.end - 1) + 1, one.kind) for one in _spans(bare, by)]


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


def redacted_texts(texts: list[str], by: Redactor = PLAIN) -> list[str]:
    """The same for texts of a whole history: one look at all of them by the sieve."""
    from bisect import bisect
    from itertools import accumulate

    from leftoff.core.redact_sieve import suspects  # slower to load, cheaper for much text

    data = [text.encode("utf-8", "surrogatepass") for text in texts]
    try:
        lines = suspects(b"\n".join(data), by)
    except FAILURES:
        return [redact(text, by) for text in texts]
    ends = [*accumulate(len(one) + 1 for one in data)]
    made = [*texts]
    for at in {bisect(ends, line) for line in lines}:
        made[at] = redact(texts[at], by)
    return made


def _tries(data: bytes, by: Redactor) -> list[tuple[Rule, list[str]]]:
    """The rules that may find something, each with those of its literals that are there."""
    low, keys = data.lower(), _with_keys(data)
    if not _groups:
        _groups[:] = _grouped(RULES)
    tries = []
    for rules, spelt in (*_groups, *_grouped(by.extra)):
        first = rules[0]
        where = keys if first.run else data if first.exact else low
        if where and (present := [one for one, form in spelt if form in where]):
            tries += [(rule, present) for rule in rules]
    return tries


def _grouped(rules: Iterable[Rule]) -> list[_Group]:
    """The rules that look for the same literals, with those and their bytes."""
    groups: dict[tuple[Any, ...], list[Rule]] = {}
    for rule in rules:
        groups.setdefault((rule.literals, rule.exact, rule.run), []).append(rule)
    return [(same, [(one, one.encode()) for one in same[0].literals]) for same in groups.values()]


def _with_keys(data: bytes) -> bytes:
    """What of a text may hold keys of providers: they begin in few of its words, or in none."""
    found = b" ".join(data[start:end] for start, end in runs(data))
    if len(data) < _WORTH_A_SIEVE or not found:
        return found
    from leftoff.core.redact_sieve import holds_key  # slower to load, cheaper for a long text

    return found if holds_key(data) else b""


def _matches(
    rule: Rule, text: str, low: str, present: list[str], gates: dict[tuple[int, str], str]
) -> Iterator[Span]:
    where = text if rule.exact else low
    for literal in present:
        at, tried, last = where.find(literal), None, 0
        while at >= 0:
            found = None
            if _is_open(rule, low, at, literal, gates) and not _is_of_mask(text, at):
                tried = tried or _compiled(pattern_at(rule, literal))
                found = _try(tried, rule, text, at, last)
            if found:
                last = found.end()
                yield Span(found.end(1), last, rule.kind)
            at = where.find(literal, last if found else at + 1)


def _is_of_mask(text: str, at: int) -> bool:
    """Whether a word is a mask's own: `[redacted:secret]: x` names no secret, however it looks."""
    if not text.endswith(_MASK_BEGINS, 0, at):
        return False
    word, closed, _ = text[at : at + _LONGEST_MASK].partition("]")
    return bool(closed) and word.replace(":", "").replace("-", "").isalnum()


def _is_open(
    rule: Rule, low: str, at: int, literal: str, gates: dict[tuple[int, str], str]
) -> bool:
    """Whether the rule's pattern may fit here; many rules ask about the same place."""
    if not rule.after:
        return True
    if (at, literal) not in gates:
        gates[at, literal] = behind(low, at, literal)
    return not {*rule.after}.isdisjoint(gates[at, literal])


def _compiled(pattern: str) -> re.Pattern[str]:
    if pattern not in _made:
        import re  # only for a text that may hold something

        _made[pattern] = re.compile(pattern, re.ASCII)
    return _made[pattern]


def _try(
    tried: re.Pattern[str], rule: Rule, text: str, at: int, last: int = 0
) -> re.Match[str] | None:
    """Where the rule's pattern fits around a literal; what is found last ended before."""
    if not rule.reach:
        return tried.match(text, at - rule.back) if at >= rule.back else None
    least = max(0, at - rule.reach)
    if rule.mark:
        start = text.rfind(rule.mark, least, at)
        return tried.match(text, start) if start >= 0 else None
    start = least + len(text[least:at].rstrip(rule.row))
    return tried.match(text, start) if last <= start < at else None


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
