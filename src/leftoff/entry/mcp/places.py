"""Which folders a tool may look at, and in whose name: a path of a caller is only ever a wish.

Known are the project that the server began in, folders below the client's roots, and projects
where a session of some client ran before. Links are followed before anything is compared.
"""

from __future__ import annotations

import os
from urllib.parse import unquote, urlsplit

from leftoff.core.caller import SESSION_VARIABLE, without_marks
from leftoff.errors import LeftoffError, Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world.place import find_place, is_below
from leftoff.world.state import state_dir

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


def confined(wish: str, start: str, roots: Sequence[str], env: Mapping[str, str]) -> str:
    """The real path of a project that may be looked at; Usage for any other."""
    real = os.path.realpath(os.path.join(start, wish))
    if not _is_known(real, os.path.realpath(start), roots, env):
        hint = "leave it out, or open that folder in your client first"
        raise Usage("this server may not look at that folder", hint=hint)
    return real


def _is_known(real: str, start: str, roots: Sequence[str], env: Mapping[str, str]) -> bool:
    if not os.path.isdir(real):
        return False
    home = env.get("HOME", "")
    root = find_place(real, home).root
    if real == start or root == find_place(start, home).root:
        return True
    if any(real == one or is_below(real, one) for one in map(os.path.realpath, roots)):
        return True
    return root in _worked_in(env)


def _worked_in(env: Mapping[str, str]) -> set[str]:
    """The projects that sessions of this machine know."""
    from leftoff.world.sessions import sessions  # only where the start folder is not meant

    home = env.get("HOME", "")
    folders = {one.root for one in sessions(state_dir(env), env, 0.0, curves=False)}
    there = (folder for folder in folders if folder and os.path.isdir(folder))
    return {find_place(folder, home).root for folder in there}


def paths_of(uris: Iterable[str]) -> tuple[str, ...]:
    """The folders that a client's roots name; whatever is no file of this machine names none."""
    parts = (urlsplit(uri) for uri in uris)
    ours = (one for one in parts if one.scheme == "file" and one.netloc in {"", "localhost"})
    found = (unquote(one.path) for one in ours)
    return tuple(path for path in found if os.path.isabs(path) and "\0" not in path)


def present(env: Mapping[str, str]) -> Mapping[str, str]:
    """The environment without a session that has ended since this server was started in it.

    A client may go on to another session, as with /clear, and keep its servers: what it put into
    their environment names the old one then, and the processes above us name the new one.
    """
    from leftoff import agents

    variables = {agents.load(name).SESSION_VARIABLE: name for name in agents.names()}
    told = {env.get(SESSION_VARIABLE, ""): SESSION_VARIABLE}
    told |= {f"{name}/{env.get(one, '')}": one for one, name in variables.items() if one}
    over = {one for session, one in told.items() if env.get(one) and _has_ended(env, session)}
    return {name: value for name, value in env.items() if name not in over}


def _has_ended(env: Mapping[str, str], session: str) -> bool:
    from leftoff.core.session_lines import session_of
    from leftoff.world import journal
    from leftoff.world.calling_session import split

    try:
        agent, name = split(session)
        lines = journal.read(journal.path(state_dir(env), agent, name)).lines
    except LeftoffError:
        return False
    return bool(lines and session_of(agent, name, lines).ended)


def nobody(env: Mapping[str, str]) -> dict[str, str]:
    """The environment of a caller who says himself who he is: over HTTP it is not our parent's."""
    return {name: one for name, one in without_marks(env).items() if name != SESSION_VARIABLE}
