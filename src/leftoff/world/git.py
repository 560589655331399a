"""Git, started without `subprocess` and with a clean environment; it never waits for a person."""

from __future__ import annotations

import os

from leftoff.errors import GitError
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

KEPT = ("PATH", "HOME", "XDG_CONFIG_HOME", "LANG", "TMPDIR", "GIT_CONFIG_GLOBAL")
FIXED = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


def run(root: str, *words: str, env: Mapping[str, str]) -> str:
    """What git prints on stdout; GitError when it is missing or says no."""
    clean = {name: env[name] for name in KEPT if name in env} | FIXED
    reader, writer = os.pipe()
    null = os.open(os.devnull, os.O_RDWR)
    actions = [
        (os.POSIX_SPAWN_DUP2, null, 0),
        (os.POSIX_SPAWN_DUP2, writer, 1),
        (os.POSIX_SPAWN_DUP2, null, 2),
        (os.POSIX_SPAWN_CLOSE, reader),
    ]
    command = ["git", "-C", root, *words]
    try:
        child = os.posix_spawnp("git", command, clean, file_actions=actions)
    except FileNotFoundError as error:
        os.close(reader)
        raise GitError("git is not installed", hint="install git, or go on without it") from error
    finally:
        os.close(writer)
        os.close(null)
    with os.fdopen(reader, "rb") as out:
        said = out.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        raise GitError(f"git {words[0]} failed with exit code {code}", where=root)
    return said.decode("utf-8", "replace")
