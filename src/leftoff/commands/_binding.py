"""Which thread a session is on: a line in its journal, written by commands run inside it."""

from __future__ import annotations

import os

from leftoff.commands import Call
from leftoff.errors import LeftoffError


def bind(call: Call, thread: str) -> str:
    """Put the calling session on a thread: its name, or "" where nobody but a person calls."""
    if not os.path.isdir(os.path.join(call.store.state, "sessions")):
        return ""  # no client ever told of a session here: the common case, for one system call
    from leftoff.core.session_lines import BIND, session_of
    from leftoff.world import journal
    from leftoff.world.calling import calling
    from leftoff.world.files import discard

    try:
        who = calling(call)
        path = journal.path(call.store.state, *who) if who else ""
        if not who or not os.path.exists(path):
            return ""
        if session_of(*who, journal.read(path).lines).thread != thread:
            line = {"at": call.now, "event": BIND, "thread": thread}
            journal.append(call.store.state, *who, line)
            # the next event finds none, and looks at the world anew
            discard(journal.path(call.store.state, *who, ".now"))
    except LeftoffError:
        return ""  # what was asked for is done; a session that cannot be told is on no thread
    return "/".join(who)
