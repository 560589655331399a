"""TOML that anybody may have written: read within bounds, any trouble with it an error of ours."""

from __future__ import annotations

from leftoff.errors import FormatError
from leftoff.record import TYPE_CHECKING
from leftoff.world.files import decode, read_bytes

if TYPE_CHECKING:
    from typing import Any

LARGEST = 256 << 10
MOST_DOTS = 100
"""On one line, but for texts: the time and the memory for a dotted key grow with the square of its
parts, and what follows a table with a long name pays for all of that name."""

_BITS = 63
_TOO_MUCH = "too large, or nested too deeply"
# A text over many lines, a text, a comment: from the beginning on, as TOML itself is read. One that
# has no end goes on to where it had to be: it would be looked for again and again otherwise.
_TEXTS = (
    r'"""(?:\\.|[^\\])*?(?:"""|\\?\Z)' + r"|'''.*?(?:'''|\Z)"
    r'|"(?:\\[^\n]|[^"\\\n])*"?' + r"|'[^'\n]*'?|#[^\n]*"
)


def read_toml(path: str) -> dict[str, Any]:
    """What a file says; FormatError where it is no TOML, or more of it than anybody writes."""
    import tomllib  # only where there is such a file

    text = decode(read_bytes(path), path)
    if len(text) > LARGEST or _dots(text) > MOST_DOTS:
        raise FormatError(_TOO_MUCH, where=path)
    try:
        found = tomllib.loads(text)
        large = _is_large(found)
    except ValueError as error:  # also for a number of more digits than Python reads
        raise FormatError(str(error), where=path) from None
    except RecursionError:
        large = True
    if large:
        raise FormatError(_TOO_MUCH, where=path)
    return found


def _dots(text: str) -> int:
    """The most that a line has, without those in texts and comments."""
    import re  # tomllib has it, too

    bare = re.sub(_TEXTS, "", text, flags=re.DOTALL)
    return max(line.count(".") for line in bare.split("\n"))


def _is_large(value: object) -> bool:
    """Whether a number in it is none of TOML's, which have 64 bits with their sign."""
    if isinstance(value, dict | list):
        return any(map(_is_large, value.values() if isinstance(value, dict) else value))
    return isinstance(value, int) and value.bit_length() > _BITS
