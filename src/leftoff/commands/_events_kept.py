"""What an event writes on this machine may fail: then it is told at the end, and stops nothing."""

from __future__ import annotations

from leftoff.errors import LeftoffError


class Kept:
    """Collects what the disk does not take inside a `with`; any other error goes its way."""

    def __init__(self, failures: list[LeftoffError]) -> None:
        self._failures = failures

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, _: object, error: object, trace: object) -> bool:
        if not isinstance(error, LeftoffError) or not isinstance(error.__cause__, OSError):
            return False
        self._failures.append(error)
        return True
