"""Which lines of a block may hold a secret: all but a few are let through unread. Pure.

This looks at bytes as they lie in a file, with the escapes of JSON in them, and must never let a
line through in which a rule would find something once it is read. So it is loose where rules are
strict: names count without their values, keys without the word's beginning. Keys of providers hold
16 or more letters in a row; only such runs are searched for how those keys begin.
"""

from __future__ import annotations

from bisect import bisect
from functools import cache
from itertools import accumulate

from leftoff.core.redact_providers import BY_KIND, MIDDLES, SCATTERED
from leftoff.core.redact_rules import AFTER, key_pattern, of_key
from leftoff.core.redact_runs import runs
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

    from leftoff.core.redact import Redactor

# A blank, or an escape that stands for one, in a text or in a text within it.
_S = r"(?:\s|\\{1,15}(?:[nrtfv]|u000[bc]))"
_Q = r"[\\\"'`\])*]{0,18}"
# brackets and a colon as they are in Chinese: their bytes, or an escape
_OPENS = r"(?: \(| ?(?:\xef\xbc\x88|\\{1,15}uff08))"
_CLOSES = r"(?:\)|\xef\xbc\x89|\\{1,15}uff09)"
_NOTE = rf"(?:{_OPENS}[^|()\r\n]{{1,240}}?{_CLOSES}[*`_]{{0,3}})"
_IS = "|".join(str(one.encode())[2:-1] for one in "是为為设改")
_SIGN = rf"(?:[:=]|\xef\xbc\x9a|{_IS}|\\{{1,15}}u(?:ff1a|662f|4e3a|70ba|8bbe|6539))"
_TOLD = rf"{_S}(?:(?:is|was):?{_S}|{_S}?[\\\"'`]{{0,18}}[\w-]{{32}})"
_SAID = (
    # most names go on as a longer word, and need no look at all that may follow one
    rf"(?={AFTER}(?![a-z0-9])(?:{_Q}(?:{_NOTE}{_Q})?{_S}{{0,3}}{_SIGN}"
    rf"|{_Q}_{{0,3}}{_NOTE}?(?:[ \t]|\\{{1,15}}t){{0,60}}\||>"
    rf"|[\\\"']{{0,18}}(?:{_S}|[,{{]){{1,40}}[\\\"']{{0,18}}(?:value|default)"
    rf"|{_TOLD}))"
)
"""What follows a name that something is said of."""
_GIVEN = rf"(?={AFTER}{_S}{{1,2}}[^\s-])"
"""What follows the name of an option."""
_OF_KEY = of_key("key")

_ESCAPES = (b"\x1b", b"u001b", b"u001B", b"x1b[", b"x1B[", b"033[")
"""How escapes begin, as they are, or spelt in a text, or in a text within it."""
_AUTH = (
    rf"authorization{_Q}{_S}{{0,3}}[:=]|(?<=_)auth{_S}?="
    rf"|auth\\{{0,16}}\"{_S}{{0,2}}:{_S}{{0,2}}\\{{0,16}}\"[a-z0-9+/]{{16}}"
)


def _gate(name: str) -> str:
    return rf"{name}{_SAID}|(?<=-){name}{_GIVEN}"


_GATES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("secret",), _gate("secret")),
    (("token",), _gate("token")),
    (("pwd",), _gate("pwd")),
    (("credential",), _gate("credentials?")),
    (("pass",), rf"{_gate('pass(?:word|wd|phrase)?')}|(?<=ssh)pass{_S}"),
    (("key",), rf"key(?:{_SAID}|{_GIVEN})(?:{_OF_KEY})|key{_TOLD}"),
    (("auth",), _AUTH),
    (("cookie",), rf"cookie{_Q}{_S}{{0,3}}[:=]"),
    (("bearer", "basic"), rf"b[a-z]{{4,5}}{_S}{{1,2}}[a-z0-9._~+/=-]{{16}}"),
    (("://",), r"://[^\s/\"'<>]{0,400}@"),
    (("sig",), r"(?<=[?&])sig=|(?<=amz-)signature=|(?<=goog-)signature="),
    (("hook",), r"hooks\.slack\.com/|hooks/[0-9]{15}|hook\.office\.com/webhookb2"),
    (("env ",), rf"env {_S}{{0,2}}[a-z0-9_]{{0,60}}(?:secret|token|pass|pwd|credential|key)"),
    (
        ("curl", "mysql", "redis-cli", "docker login", "az login"),
        rf"[a-z-]{{2,12}}(?={_S})[^|;]{{0,1400}}?{_S}-(?:u|b|p|a|-user)",
    ),
    (("identified",), rf"identified{_S}{{1,9}}(?:with|by|as){_S}"),
    (
        ("alter user", "alter role", "create user", "create role"),
        rf"[a-z]{{5,6}} [a-z]{{4}}{_S}[^;]{{1,1400}}?{_S}password{_S}",
    ),
    (("machine",), rf"machine{_S}{{1,9}}\S{{1,100}}{_S}{{1,9}}login"),
    (("-----begin", "private-lines:", "define(", ":5432:"), ""),
    (("密", "钥", "口令", "令牌"), ""),
)
"""Literals in lower case, and what must stand there for them to count."""


def suspects(data: bytes, by: Redactor) -> list[int]:
    """Where the lines begin that a rule might find something in, in order."""
    return sorted({start for start, _ in _lines_at(_places(data, by), data)})


def _lines_at(places: Iterable[int], data: bytes) -> Iterator[tuple[int, int]]:
    """The lines that places are in; places in a row that are in one line are one."""
    start = end = 0
    for at in places:
        if not start <= at < end:  # else a long line would be measured once for each place in it
            start, end = data.rfind(b"\n", 0, at) + 1, until(data, b"\n", at)
            yield start, end


def until(data: bytes, mark: bytes, at: int) -> int:
    """Where a mark comes next, or the end where it does not come."""
    found = data.find(mark, at)
    return len(data) if found < 0 else found


def holds_key(data: bytes) -> bool:
    """Whether a provider's key may be in a text."""
    return next(_keys(data), None) is not None


def _places(data: bytes, by: Redactor) -> Iterator[int]:
    yield from _uncoloured(data, by)
    yield from _coloured(data, by)


def _uncoloured(data: bytes, by: Redactor) -> Iterator[int]:
    low = data.lower()
    yield from _named(low)
    yield from _keys(data)
    yield from _odd(data)
    for rule in by.extra:
        for literal in rule.literals:
            for form in pivots(literal):
                yield from _everywhere(low, form)


def _named(low: bytes) -> Iterator[int]:
    plain = low.isascii()
    for literals, gate in _gates():
        for literal in literals:
            if plain and not literal.isascii():
                continue
            at = low.find(literal)
            while at >= 0:
                if gate.match(low, at):
                    yield at
                    at = until(low, b"\n", at)  # the rest of the line is read anyway
                at = low.find(literal, at + 1)


def _everywhere(low: bytes, literal: bytes) -> Iterator[int]:
    at = low.find(literal)
    while at >= 0:
        yield at
        at = low.find(literal, at + len(literal))


def _keys(data: bytes) -> Iterator[int]:
    """Where something begins like a provider's key and goes on like one."""
    inside, scattered, key = _providers()
    for literal in scattered:
        yield from (at for at in _everywhere(data, literal) if key.match(data, at))
    starts, pieces, length = [], [], 0
    for start, end in runs(data):
        starts.append((length, start))
        pieces.append(data[start:end])
        length += end - start + 1
    joined = b" ".join(pieces)
    found = inside.search(joined)
    while found:
        offset, start = starts[bisect(starts, (found.start(), len(data))) - 1]
        at = start + found.start() - offset
        if key.match(data, at):
            yield at
        found = inside.search(joined, found.start() + 1)  # one prefix may begin within another


def _odd(data: bytes) -> Iterator[int]:
    """Where plain letters and signs are escaped, though they need not be: such a line is read."""
    for at in _everywhere(data, b"\\u00"):
        if data[at + 4 : at + 5] in b"234567":
            yield at
    for at in _everywhere(data, b"\\/"):
        if data[at - 1 : at] != b"\\":
            yield at


def _coloured(data: bytes, by: Redactor) -> Iterator[int]:
    """Where a line is suspect once its colours are gone: they part names from what is said."""
    found = (at for form in _ESCAPES for at in _everywhere(data, form))
    lines = sorted({*_lines_at(found, data)})
    bare = [_colours().sub(b"", data[start:end]) for start, end in lines]
    ends = [*accumulate(len(line) + 1 for line in bare)]
    for at in _uncoloured(b"\n".join(bare), by):
        yield lines[bisect(ends, at)][0]
    for (start, _), line in zip(lines, bare, strict=True):
        if any(form in line for form in _ESCAPES[:3]):  # another escape: that line is read
            yield start


@cache
def _colours() -> re.Pattern[bytes]:
    import re

    return re.compile(rb"(?:\x1b|\\{1,15}(?:u001b|x1b|033))\[[0-?]*[ -/]*[@-~]?", re.IGNORECASE)


@cache
def _gates() -> tuple[tuple[tuple[bytes, ...], re.Pattern[bytes]], ...]:
    import re  # not for those who only redact a line

    return tuple(
        (tuple(form for literal in literals for form in forms(literal)), re.compile(gate.encode()))
        for literals, gate in _GATES
    )


@cache
def _providers() -> tuple[re.Pattern[bytes], tuple[bytes, ...], re.Pattern[bytes]]:
    """How keys begin; how those do that may be in no run; and all of the key."""
    import re

    keys = [key for keys in BY_KIND.values() for key in keys]
    keys += [(mark, tail) for _, mark, _, _, tail in MIDDLES]
    keys += [("eyJ", r"[\w-]{13}"), (":AA", r"[\w-]{33}")]
    told = "|".join(key_pattern(prefix, body) for prefix, body in keys)
    by_letter: dict[str, list[str]] = {}
    for prefix in dict.fromkeys(prefix for prefix, _ in keys):
        by_letter.setdefault(prefix[0], []).append(re.escape(prefix[1:]))
    tree = "|".join(f"{re.escape(one)}(?:{'|'.join(rest)})" for one, rest in by_letter.items())
    scattered = tuple(prefix.encode() for prefix in SCATTERED)
    return re.compile(tree.encode()), scattered, re.compile(told.encode())


def forms(literal: str) -> tuple[bytes, ...]:
    """How a literal in lower case may lie in a file: as it is, or in the escapes of JSON."""
    plain = literal.encode()
    told = literal.encode("ascii", "backslashreplace")
    return (plain,) if told == plain else (plain, told)


def pivots(literal: str) -> tuple[bytes, ...]:
    """What of a literal is sure to lie in a file as it is; else its forms."""
    import re

    parts = re.findall(r"[^\x00-\x1f\"\\\x7f-\U0010ffff]+", literal)
    return (max(parts, key=len).encode(),) if parts else forms(literal)
