"""The console entry: argv, environment and streams in, an exit code out."""

import gc
import os
import sys

from leftoff.errors import INTERRUPTED
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, NoReturn


def main() -> "NoReturn":
    """Run leftoff as a program."""
    try:
        _run()
    except KeyboardInterrupt:  # while modules load, or at the very end: nobody else catches it
        os._exit(INTERRUPTED)


def _run() -> "NoReturn":
    from leftoff.entry.cli import main as run  # kept here so that `import leftoff` stays free

    gc.disable()  # a command lives for milliseconds; collecting its records would cost more
    stdin, stdout, stderr = (stream or _nowhere() for stream in _standard())
    for stream in (stdout, stderr):
        # a terminal without UTF-8 shows an escape instead of failing on the first Chinese name
        stream.reconfigure(errors="backslashreplace")
    code = run(sys.argv[1:], env=os.environ, cwd=_cwd(), streams=(stdin, stdout, stderr))
    _leave(code, stdout, stderr)


def _leave(code: int, *streams: "Any") -> "NoReturn":
    """End at once: taking ten thousand records apart takes longer than reading them did."""
    for stream in streams:
        try:
            stream.flush()
        except OSError:
            code = code or 1  # the reader is gone; `run` has said what there was to say
    os._exit(code)


def _standard() -> "tuple[Any, Any, Any]":
    """The three streams; one that the caller closed is None."""
    return sys.stdin, sys.stdout, sys.stderr


def _nowhere() -> "Any":
    return open(os.devnull, "r+", encoding="utf-8")  # for as long as we live


def _cwd() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:  # the folder was removed under our feet
        return ""


if __name__ == "__main__":
    main()
