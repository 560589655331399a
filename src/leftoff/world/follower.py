"""The archive follows the clients by itself: who starts that, and when. No process stays behind.

A hook that has answered, or a command that reads transcripts, starts one process and does not wait
for it; `archive_follow` says what that does. Here is only what a hook has time for: a look at a
time, at the settings, and a start.
"""

from __future__ import annotations

import os
import sys

import leftoff
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE = "LEFTOFF_ARCHIVE"
OFF = "off"
EVERY = 3600.0
"""Seconds between two looks at everything; the end of a session, and a compaction, do not wait."""
FOLLOWED = "archive/followed"
"""What the last run tells; its time is when the next one is due."""
CODE = """\
import sys
sys.path.insert(0, sys.argv[1])
import leftoff
del sys.path[0]  # nothing else there may stand before the standard library
from leftoff.entry.follow import main
main(sys.argv[2:])
"""


def follow(
    state: str, env: Mapping[str, str], now: float, session: tuple[str, str] = ("", "")
) -> bool:
    """Start a run that copies this session first; without one, if a run is due. Whether it did."""
    if not session[1] and not is_due(state, now):
        return False
    return is_on(env) and _may_write(state) and _started(state, env, session)


def is_on(env: Mapping[str, str]) -> bool:
    """Whether the user lets it; settings that cannot be read say nothing, so they do not."""
    if OFF in (env.get(VARIABLE), env.get("LEFTOFF")):
        return False
    from leftoff.world.settings import load_or_default  # once an hour, or at the end of a session

    settings, error = load_or_default(os.devnull, env)
    return settings.archive.auto and error is None


def is_due(state: str, now: float) -> bool:
    """Whether it is time again; a time too far ahead was set by a clock that was wrong."""
    try:
        ahead = os.stat(os.path.join(state, FOLLOWED)).st_mtime - now
    except OSError:
        return True
    return not 0 < ahead <= EVERY


def _may_write(state: str) -> bool:
    """Where nothing can be kept nothing is started; a folder that is not there can be made."""
    while not os.path.lexists(state) and state != os.path.dirname(state):
        state = os.path.dirname(state)
    return os.access(state, os.W_OK | os.X_OK)


def _started(state: str, env: Mapping[str, str], session: tuple[str, str]) -> bool:
    """A process of its own session: no client waits for it, ends with it, or ends it."""
    if not sys.executable:
        return False
    package = os.path.dirname(os.path.abspath(leftoff.__path__[0]))
    words = [sys.executable, "-I", "-c", CODE, package, state, *session]
    silent = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    given = {name: value for name, value in env.items() if "\0" not in name + value}
    try:
        os.posix_spawn(words[0], words, given, file_actions=silent, setsid=True)
    except (OSError, NotImplementedError):
        return False  # too many processes, say: the next event tries again
    return True
