"""TOML that anybody may have written: read within bounds, any trouble with it an error of ours."""

from __future__ import annotations

from leftoff.errors import FormatError
from leftoff.record import TYPE_CHECKING
from leftoff.world.files import decode, read_bytes

if TYPE_CHECKING:
    from typing import Any

LARGEST = 256 << 10
MOST_DOTS = 1000
"""On one line: the time and the memory for a dotted key grow with the square of its parts."""

_TOO_MUCH = "too large, or nested too deeply"


def read_toml(path: str) -> dict[str, Any]:
    """What a file says; FormatError where it is no TOML, or more of it than anybody writes."""
    import tomllib  # only where there is such a file

    text = decode(read_bytes(path), path)
    if len(text) > LARGEST or any(line.count(".") > MOST_DOTS for line in text.split("\n")):
        raise FormatError(_TOO_MUCH, where=path)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(str(error), where=path) from None
    except RecursionError:
        raise FormatError(_TOO_MUCH, where=path) from None
