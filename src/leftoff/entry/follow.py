"""The process that brings the archive up to date: nobody waits for it, and nobody reads it.

`world.follower` starts it. It is the last in line for processor and disk, ends within its time
whatever happens, and tells of a failure by one line in hook.log.
"""

from __future__ import annotations

import os
from signal import ITIMER_REAL, SIG_DFL, SIGALRM, setitimer, signal
from time import time

from leftoff.entry import hook
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

EVENT = "archive"
GRACE = 15.0
"""Seconds beyond those that a run waits and works, after which the kernel ends the process."""


def main(argv: Sequence[str]) -> NoReturn:
    """Be the process: the state folder, then the client and the session that just ended."""
    state, agent, session = argv
    try:
        _step_back()
        _run(state, agent, session)
    except BaseException as error:  # noqa: BLE001  # there is nobody to tell
        hook.log(state, agent, EVENT, error)
    finally:
        os._exit(0)


def _step_back() -> None:
    """Hold nothing that others wait for, and take only what nobody else wants.

    A system that orders access to its disk goes by the same figure for that.
    """
    from leftoff.world.archive_follow import LONGEST, WAIT

    signal(SIGALRM, SIG_DFL)
    setitimer(ITIMER_REAL, WAIT + LONGEST + GRACE)
    os.closerange(3, 1024)
    os.chdir("/")
    os.nice(19)


def _run(state: str, agent: str, session: str) -> None:
    from leftoff.world.archive_follow import run

    env = {**os.environ, "LEFTOFF_STATE": state}
    told = run(state, env, time(), (agent, session))
    if told and told.trouble:
        from leftoff.entry._hook_failure import Unusable

        raise Unusable(f"transcripts that could not be copied: {told.failed}")
