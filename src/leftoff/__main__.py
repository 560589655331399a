"""The console entry: argv, environment and streams in, an exit code out."""

import gc
import os
import sys


def main() -> int:
    """Run leftoff as a program."""
    from leftoff.entry.cli import main as run  # kept here so that `import leftoff` stays free

    gc.disable()  # a command lives for milliseconds; collecting its records would cost more
    for stream in (sys.stdout, sys.stderr):
        # a terminal without UTF-8 shows an escape instead of failing on the first Chinese name
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return run(sys.argv[1:], env=os.environ, cwd=_cwd(), streams=streams)


def _cwd() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:  # the folder was removed under our feet
        return os.environ.get("PWD", os.sep)


if __name__ == "__main__":
    sys.exit(main())
