"""The log of our own bugs: paste-ready, with versions and traceback, without the environment."""

from __future__ import annotations

import os
import platform
import traceback

from leftoff import __version__
from leftoff.record import TYPE_CHECKING
from leftoff.world.state import state_dir

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def write_log(bug: Exception, env: Mapping[str, str], argv: Sequence[str]) -> str:
    """Write the log and say where it is; where nothing can be written, say so instead."""
    folder = os.path.join(state_dir(env), "crash")
    path = os.path.join(folder, f"{os.getpid()}.md")
    verb = next((word for word in argv if not word.startswith("-")), "")
    text = "".join(traceback.format_exception(bug))
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as log:
            log.write(f"leftoff {__version__}, Python {platform.python_version()}, ")
            log.write(f"{platform.system()}, command {verb!r}\n\n```\n{text}```\n")
    except OSError as error:
        return f"(not written: {error.strerror})"
    return path
