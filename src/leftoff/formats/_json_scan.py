"""Reading JSON text: its value, where its members stand, and in plain words why it is broken.

Runs on the C scanner of CPython without importing `json`, whose decoder loads `re`. JSONC is read
through a mask of equal length in which comments and trailing commas are blank.
"""

from __future__ import annotations

from leftoff.errors import FormatError
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from leftoff.core.model import Json

    Scan: TypeAlias = Callable[[str, int], tuple[Json, int]]

try:
    from _json import encode_basestring as _quoted
    from _json import scanstring
except ImportError:  # not CPython
    from json.decoder import scanstring  # type: ignore[attr-defined,no-redef]
    from json.encoder import encode_basestring as _quoted

# Real documents are six levels deep. The cap keeps every walk far from the interpreter's own limit.
DEEPEST = 100
CLOSERS = {"{": "}", "[": "]"}
BLANKS = " \t\r\n"
"""White space of JSON. Python knows more of it, which a comment may end in."""
_WITHIN_LINE = frozenset(" \t\r")
_MARKERS = ("<<<<<<<", "|||||||", ">>>>>>>")
_REASONS = {
    "Expecting ','": "expected a comma",
    "Expecting ':'": "expected a colon",
    "Expecting prop": "expected a name in double quotes",
    "Illegal trailing": "one comma too many",
    "Unterminated": "a text in quotes does not end",
    "Invalid control": "a text in quotes runs over the end of its line",
    "Invalid \\": "a text in quotes has a backslash that means nothing",
}


class Source(Record):
    """A text; the same with everything blank that strict JSON does not know; what was a comma."""

    text: str
    plain: str
    commas: frozenset[int] = frozenset()


class Member(Record):
    """One member of an object or element of a list, and the offsets of its parts."""

    key: str
    lead: int
    """where the blanks and comments before it begin"""
    start: int
    value_start: int
    end: int
    comma: int
    """-1 where none follows"""
    after: int
    """behind the comma and a comment on the same line"""
    value: Json


class _Context(Record):
    """What the C scanner asks of its caller."""

    parse_constant: Callable[[str], Json]
    object_pairs_hook: Callable[[list[tuple[str, Json]]], Json] | None = None
    object_hook: None = None
    parse_float: type[float] = float
    parse_int: type[int] = int
    strict: bool = True


def _refuse(name: str) -> Json:
    raise ValueError(name)


def _scanner(note: Callable[[list[tuple[str, Json]]], Json] | None = None) -> Scan:
    """Gives the value that begins at an offset, and the offset behind it."""
    context: Any = _Context(_refuse, note)
    try:
        from _json import make_scanner
    except ImportError:  # not CPython
        from json import JSONDecoder

        decoder: Any = JSONDecoder(object_pairs_hook=note, parse_constant=_refuse)
        return decoder.scan_once  # type: ignore[no-any-return]
    return make_scanner(context)


_scan = _scanner()


def source_of(text: str, *, jsonc: bool = False) -> Source:
    """The text with its mask."""
    plain = " " + text[1:] if text.startswith("\ufeff") else text
    return _masked(text, plain) if jsonc else Source(text, plain)


def parse(source: Source) -> Json:
    """The value of a text. Of two members of one name the last counts."""
    return _parsed(source, _scan)


def parse_noting(source: Source) -> tuple[Json, list[str]]:
    """The value of a text, and the names that stand more than once in one object of it."""
    repeated: list[str] = []

    def note(pairs: list[tuple[str, Json]]) -> Json:
        made = dict(pairs)
        if len(made) < len(pairs):
            from itertools import pairwise  # rare

            names = sorted(name for name, _ in pairs)
            twice = {one for one, other in pairwise(names) if one == other}
            repeated.extend(name for name in made if name in twice)
        return made

    return _parsed(source, _scanner(note)), repeated


def _parsed(source: Source, scan: Scan) -> Json:
    plain = source.plain
    value, end = _scanned(source, scan)
    if skip(plain, end) < len(plain):
        raise _broken(source, skip(plain, end), "expected the end of the file")
    if plain.count("{") + plain.count("[") > DEEPEST and _is_deep(value):
        raise _too_deep()
    return value


def members(source: Source, opener: int) -> list[Member]:
    """The members of the object or list that begins at an offset of a readable text."""
    plain = source.plain
    closer = CLOSERS[plain[opener]]
    found: list[Member] = []
    lead, at = opener + 1, skip(plain, opener + 1)
    while plain[at] != closer:
        start, key = at, ""
        if closer == "}":
            key, at = scanstring(plain, at + 1, True)
            at = skip(plain, skip(plain, at) + 1)
        value, end = _scan(plain, at)
        comma = _comma(source, end)
        after = _same_line(source, end if comma < 0 else comma + 1)
        found.append(Member(key, lead, start, at, end, comma, after, value))
        lead, at = after, skip(plain, after)
    return found


def quote(text: str) -> str:
    """A text as JSON; half a surrogate pair, which no file can hold, as its escape."""
    quoted = _quoted(text)
    if quoted.isascii():
        return quoted
    return "".join(f"\\u{ord(ch):04x}" if "\ud800" <= ch <= "\udfff" else ch for ch in quoted)


def skip(plain: str, at: int) -> int:
    """The next offset that is not blank."""
    while at < len(plain) and plain[at] in BLANKS:
        at += 1
    return at


def _comma(source: Source, end: int) -> int:
    """The comma behind a value that ends there; in JSONC it may be a masked one."""
    at = skip(source.plain, end)
    if source.plain[at] == ",":
        return at
    return next((comma for comma in range(end, at) if comma in source.commas), -1)


def _same_line(source: Source, at: int) -> int:
    """Behind a comment that follows on the same line with nothing after it, else `at` itself."""
    end = at
    while source.plain[end : end + 1] in _WITHIN_LINE:
        end += 1
    alone = source.plain[end : end + 1] in {"", "\n"}
    return at + len(source.text[at:end].rstrip(BLANKS)) if alone else at


def _masked(text: str, plain: str) -> Source:
    out, commas = list(plain), []
    at, before, comma = 0, "", -1
    while at < len(plain):
        end = _piece_end(plain, at)
        piece = plain[at:end]
        if piece[:2] in {"//", "/*"}:
            out[at:end] = " " * (end - at)
        elif piece not in BLANKS:
            if piece in "}]" and comma >= 0:
                out[comma] = " "
                commas.append(comma)
            comma = at if piece == "," and before not in {",", "{", "[", ""} else -1
            before = piece
        at = end
    return Source(text, "".join(out), frozenset(commas))


def _piece_end(plain: str, at: int) -> int:
    """The end of the text, comment or single character that begins there."""
    if plain[at] == '"':
        try:
            return scanstring(plain, at + 1, True)[1]
        except (ValueError, SystemError):  # broken: `_scanned` says how
            return len(plain)
    if plain.startswith("//", at):
        return min(end for end in (plain.find("\n", at), len(plain)) if end >= 0)
    if plain.startswith("/*", at):
        end = plain.find("*/", at + 2)
        return len(plain) if end < 0 else end + 2
    return at + 1


def _scanned(source: Source, scan: Scan) -> tuple[Json, int]:
    plain = source.plain
    try:
        return scan(plain, skip(plain, 0))
    except SystemError:  # some versions of the scanner can complain only once this is loaded
        import json.decoder  # noqa: F401

        return _scanned(source, scan)
    except StopIteration as stop:
        raise _broken(source, stop.value, "expected a value") from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError as error:
        where, reason = _explained(plain, error)
        raise _broken(source, where, reason) from None


def _explained(plain: str, error: ValueError) -> tuple[int, str]:
    """Where and why the scanner gave up. It says so itself, but for what `_refuse` refused."""
    message = str(getattr(error, "msg", ""))
    if not message:
        word = str(error)
        if word.endswith(("NaN", "Infinity")):
            return _outside_texts(plain, word), f"{word} is not a JSON value"
        return 0, "a number has too many digits"
    reasons = (reason for start, reason in _REASONS.items() if message.startswith(start))
    return int(getattr(error, "pos", 0)), next(reasons, message[:1].lower() + message[1:])


def _outside_texts(plain: str, word: str) -> int:
    at, found = 0, plain.find(word)
    while (quote := plain.find('"', at, found)) > -1:
        _, at = scanstring(plain, quote + 1, True)
        found = plain.find(word, at) if at > found else found
    return found


def _broken(source: Source, at: int, reason: str) -> FormatError:
    if (marker := _conflict_marker(source.text)) >= 0:
        line = source.text.count("\n", 0, marker) + 1
        shown = source.text[marker : marker + 7]
        hint = "keep one version of the marked lines, then run leftoff validate"
        return FormatError(f'line {line}: merge conflict marker "{shown}"', line=line, hint=hint)
    before = source.plain[:at].rstrip()
    if not before and at >= len(source.plain):
        return FormatError("the file is empty", line=1)
    if source.plain[at : at + 1] in {"}", "]"} and before.endswith(","):
        reason = "one comma too many"
    if not source.plain[at:].strip():
        reason = "the file ends before it is complete"
    if reason.startswith(("expected a comma", "one comma", "the file ends")):
        at = len(before)  # that is where a person looks for it
    line = source.text.count("\n", 0, at) + 1
    return FormatError(f"line {line}: {reason}", line=line)


def _conflict_marker(text: str) -> int:
    """The offset of the first line that git left in a file it could not merge."""
    starts = (0 if text.startswith(mark) else text.find("\n" + mark) + 1 for mark in _MARKERS)
    found = [at for at in starts if text.startswith(_MARKERS, at)]
    return min(found, default=-1)


def _too_deep() -> FormatError:
    return FormatError(f"nested more than {DEEPEST} levels deep", line=1)


def _is_deep(value: Json) -> bool:
    level: list[Any] = [value]
    for _ in range(DEEPEST):
        parts = (whole.values() if isinstance(whole, dict) else whole for whole in level)
        level = [part for some in parts for part in some if isinstance(part, dict | list)]
    return bool(level)
