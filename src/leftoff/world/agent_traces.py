"""Whether any agent ever left a trace on this machine: a few looks at the disk, no more.

`status` asks this first, so that it costs nothing where there is nothing to tell.
"""

from __future__ import annotations

import os

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDERS = {
    "claude-code": ("CLAUDE_CONFIG_DIR", "", ".claude"),
    "codex": ("CODEX_HOME", "", ".codex"),
    "gemini-cli": ("GEMINI_CLI_HOME", ".gemini", ".gemini"),
    "opencode": ("XDG_DATA_HOME", "opencode", ".local/share/opencode"),
    "copilot": ("COPILOT_HOME", "", ".copilot"),
}
"""For each client its variable, the folder below that, else the one below HOME.

The adapters say the same, and a test holds the two together. One that is not here is loaded.
"""
_WITHOUT = ("hapi",)  # it has no transcripts of its own


def any_here(state: str, env: Mapping[str, str]) -> bool:
    """Whether a journal or a client's own folder exists."""
    if os.path.isdir(os.path.join(state, "sessions")):
        return True
    if any(os.path.isdir(_base(env, *one)) for one in FOLDERS.values()):
        return True
    from leftoff import agents

    return any(_is_here(name, env) for name in agents.names() if name not in (*FOLDERS, *_WITHOUT))


def _is_here(client: str, env: Mapping[str, str]) -> bool:
    from leftoff import agents
    from leftoff.world.clients import logs_folder

    return os.path.isdir(logs_folder(agents.load(client), env))


def anything_left(state: str, root: str, key: str) -> bool:
    """Whether some session may have left something for this project (`key` is its short name)."""
    try:
        if os.listdir(f"{state}/pending"):
            return True
    except OSError:
        pass  # nothing was ever left here
    return os.path.isdir(f"{root}/.workflow_artifacts/memory") or os.path.isdir(
        f"{state}/saves/{key}"
    )


def _base(env: Mapping[str, str], variable: str, below: str, home: str) -> str:
    named = env.get(variable, "")
    return os.path.join(named, below) if named else os.path.join(env.get("HOME", ""), home)
