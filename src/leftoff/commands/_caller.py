"""Which session calls, and binding it to a thread: a line in its journal."""

from __future__ import annotations

import os

from leftoff.commands import Call
from leftoff.core.caller import SESSION_VARIABLE, agent_among
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from leftoff.core.brief_fit import LeftOut
    from leftoff.world.store import Store

Who = tuple[str, str] | None
"""The agent and the id of the session that calls; None for a person."""


def who(call: Call) -> Who:
    """The session that calls; None for a person. Ambiguous where two fit equally."""
    named = getattr(call.args, "session", None) or call.env.get(SESSION_VARIABLE)
    told = named or agent_among((), call.env)
    if not told and not os.path.isdir(os.path.join(call.store.state, "sessions")):
        return None  # no client ever told of a session here: the common case, for one system call
    from leftoff.world.calling_session import calling

    return calling(call)


def who_if_clear(call: Call) -> Who:
    """The same, but nobody where two fit; a name that was given, and is wrong, is still told."""
    try:
        return who(call)
    except LeftoffError:
        if getattr(call.args, "session", None) is not None:
            raise
        return None


def bind(call: Call, thread: str) -> str:
    """Put the calling session on a thread: its name, or "" where nobody but a person calls."""
    try:
        caller = who(call)
        if not caller:
            return ""
        put_on(call, caller, thread)
    except LeftoffError:
        return ""  # what was asked for is done; a session that cannot be told is on no thread
    return "/".join(caller)


def put_on(call: Call, caller: tuple[str, str], thread: str) -> None:
    """Journal that a session is on a thread, unless it is known to be."""
    from leftoff.core.session_lines import BIND
    from leftoff.world import bindings, journal
    from leftoff.world.files import discard

    state = call.store.state
    if bindings.known(state, *caller).thread != thread:
        line = {"at": call.now, "event": BIND, "thread": thread, "root": call.store.root}
        journal.append(state, *caller, line)
        # the next event finds none, and looks at the world anew
        discard(journal.path(state, *caller, ".now"))


def saw(store: Store, caller: tuple[str, str], path: str, left_out: Iterable[LeftOut]) -> None:
    """Remember what a session was shown of its thread: its next save may leave steps out by that.

    Steps that did not fit into its brief it never saw, so it cannot have meant to drop them.
    """
    if any(one.field == "next_actions" for one in left_out):
        return
    from leftoff.world import merge_bases

    merge_bases.keep(store, *caller, path, store.raw(path))
