"""Costly answers that a server keeps in memory for as long as nothing seems to have changed.

A command that runs in a process of its own keeps nothing. In a server thousands of sessions are
gathered once for all pages, and again when a journal changed, at most a tenth of the time.
"""

from __future__ import annotations

from time import monotonic

from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Any, TypeVar

    T = TypeVar("T")

MOST = 64
"""values that are kept; the one that nobody asked for longest goes"""
FRESH = 5.0
"""seconds: documents change, too"""
LONGEST = 60.0
"""seconds: nobody sees everything"""
TENTH = 10
"""times its own cost a value stays whatever changed, but never longer than all others"""


class _Value(Record):
    value: Any
    mark: int
    made: float
    cost: float


class ServerCache:
    """Values by key. `look` tells one state of the sources from another; it must be cheap."""

    def __init__(self, look: Callable[[], int], clock: Callable[[], float] = monotonic) -> None:
        """Nothing is kept yet."""
        self._look, self._clock = look, clock
        self._values: dict[Hashable, _Value] = {}

    def __call__(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value that is kept, or a new one."""
        known = self._values.pop(key, None)
        if known is None or not self._is_good(known):
            known = self._made(make)
        self._values[key] = known  # the last one asked for stands last
        while len(self._values) > MOST:
            del self._values[next(iter(self._values))]
        return known.value  # type: ignore[no-any-return]

    def same(self, key: Hashable, make: Callable[[], T], is_same: Callable[[T], bool]) -> T:
        """A value that tells itself whether it still holds: for a minute it is believed."""
        known = self._values.pop(key, None)
        now = self._clock()
        if known is None or now - known.made > LONGEST or not is_same(known.value):
            known = _Value(make(), 0, now, 0.0)
        self._values[key] = known
        return known.value  # type: ignore[no-any-return]

    def own(self, key: Hashable, make: Callable[[], T]) -> T:
        """A value that looks itself after what changed."""
        known = self._values.pop(key, None)
        if known is None:
            known = _Value(make(), 0, 0.0, 0.0)
        self._values[key] = known
        return known.value  # type: ignore[no-any-return]

    def forget(self, key: Hashable) -> None:
        """Keep this no longer."""
        self._values.pop(key, None)

    def _is_good(self, known: _Value) -> bool:
        age = self._clock() - known.made
        if age <= min(known.cost * TENTH, LONGEST):
            return True
        return age <= FRESH and self._look() == known.mark

    def _made(self, make: Callable[[], Any]) -> _Value:
        mark, start = self._look(), self._clock()
        value = make()
        now = self._clock()
        return _Value(value, mark, now, now - start)
