"""Where in bytes the key of a provider may be: in long runs of letters and digits. Pure."""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

RUN = 16
"""letters in a row, of which every such key has as many"""
_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
_IN_RUNS = bytes(97 if byte in _LETTERS else 32 for byte in range(256))
_LONG_RUN = b"a" * RUN
_AHEAD = 12
"""so much before a run belongs to it: the prefix may end with a sign"""
_IN_IDS = b"0123456789abcdef-"
_IN_WORDS = b"abcdefghijklmnopqrstuvwxyz_-"
_SIGNS = frozenset(b".:~/")


def runs(data: bytes) -> Iterator[tuple[int, int]]:
    """The long runs of letters, but words, ids and hashes: where a provider's key may be."""
    told = data.translate(_IN_RUNS)
    at = told.find(_LONG_RUN)
    while at >= 0:
        end = told.find(b" ", at + RUN)
        end = len(told) if end < 0 else end
        run = data[at:end]
        if run.strip(_IN_WORDS) and (run.strip(_IN_IDS) or data[at - 1 if at else 0] in _SIGNS):
            yield max(0, at - _AHEAD), end
        at = told.find(_LONG_RUN, end)
