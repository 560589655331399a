"""A failure of a hook in a few words. Messages are left out, but for ours: they may quote."""

from __future__ import annotations

import os


class Unusable(ValueError):
    """What came in is no event; the text says why, and is fixed."""


def what(error: BaseException) -> str:
    """The kind, what the system said, and the line of ours that was reached last."""
    return f"{type(error).__name__}: {_reason(error)} ({_where(error)})"


def _reason(error: BaseException) -> str:
    """In our own words, or as the system put it, to us or to whoever told us."""
    if isinstance(error, Unusable):
        return str(error)
    cause = error if isinstance(error, OSError) else error.__cause__
    if isinstance(cause, UnicodeEncodeError):
        return cause.reason
    return os.strerror(cause.errno) if isinstance(cause, OSError) and cause.errno else "-"


def _where(error: BaseException) -> str:
    step, place = error.__traceback__, ""
    while step:
        code = step.tb_frame.f_code
        if "leftoff/" in code.co_filename:
            name = code.co_filename.rpartition("leftoff/")[2]
            place = f"{name}:{step.tb_lineno} {code.co_name}"
        step = step.tb_next
    return place
