"""Whether any agent ever left a trace on this machine: a few looks at the disk, and no import.

`status` asks this first, so that it costs nothing where there is nothing to tell.
"""

from __future__ import annotations

import os

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDERS = (
    ("CLAUDE_CONFIG_DIR", "", ".claude"),
    ("CODEX_HOME", "", ".codex"),
    ("GEMINI_CLI_HOME", ".gemini", ".gemini"),
    ("XDG_DATA_HOME", "opencode", ".local/share/opencode"),
    ("COPILOT_HOME", "", ".copilot"),
)
"""For each client its variable, the folder below that, else the one below HOME.

The adapters say the same; a test holds the two together.
"""


def any_here(state: str, env: Mapping[str, str]) -> bool:
    """Whether a journal or a client's own folder exists."""
    if os.path.isdir(os.path.join(state, "sessions")):
        return True
    return any(os.path.isdir(_base(env, *one)) for one in FOLDERS)


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


def modified(path: str) -> float:
    """When a file last changed; 0 for one that is gone."""
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
