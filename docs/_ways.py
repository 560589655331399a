"""Which modules a real run goes through, in the order in which they are first called.

Run as a script it is the probe: `python _ways.py SOURCE REPORT hook|cli WORDS...` does what these
words do and leaves (module, function, caller's module) of every first call behind.
"""

# ruff: noqa: INP001  # beside the pages, no part of the package

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from types import FrameType

Step = tuple[str, str, str]
SESSION = "0f8fad5b-d9cb-469f-a165-70867728950e"
PACKAGE = "leftoff."


def ways(source: str) -> dict[str, list[Step]]:
    """The ways of one small piece of work: a session starts, is asked, saves; somebody resumes."""
    with tempfile.TemporaryDirectory() as folder:
        work = os.path.realpath(folder)
        project = os.path.join(work, "shop")
        os.mkdir(project)
        _git(project, "init", "--quiet")
        _git(project, "commit", "--quiet", "--allow-empty", "--message", "Begin")
        told = json.dumps({"session_id": SESSION, "cwd": project, "source": "startup"})
        asked = json.dumps({"session_id": SESSION, "cwd": project, "prompt": "Go on"})
        inside = {"CLAUDE_CODE_SESSION_ID": SESSION}

        def way(words: str, given: str = "", env: dict[str, str] | None = None) -> list[Step]:
            report = os.path.join(work, "report.json")
            argv = [sys.executable, "-s", __file__, source, report, *words.split()]
            subprocess.run(  # noqa: S603  # our own words
                argv,
                cwd=project,
                env=_environment(work) | (env or {}),
                input=given,
                encoding="utf-8",
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=True,
            )
            with open(report, encoding="utf-8") as file:
                return [(module, function, by) for module, function, by in json.load(file)]

        way("cli save Begun --next Retries")
        return {
            "start": way("hook claude-code start", told),
            "prompt": way("hook claude-code prompt", asked),
            "save": way("cli save Half-done --next Receipts", env=inside),
            "resume": way("cli resume"),
        }


def _git(project: str, *words: str) -> None:
    who = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.com")
    subprocess.run(["git", *who, *words], cwd=project, check=True)  # noqa: S603, S607


def _environment(work: str) -> dict[str, str]:
    """A person with an empty home folder; sets have one order."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": work,
        "LEFTOFF_STATE": os.path.join(work, "state"),
        "LEFTOFF_ARCHIVE": "off",
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "PYTHONHASHSEED": "0",
    }


def _probe(source: str, report: str, entry: str, argv: list[str]) -> None:
    """Do it, with an ear on every call; both ends of the program are `_exit`."""
    import posix
    import time

    time.monotonic = lambda: 0.0  # nothing is ever late, however slow the machine is
    sys.path.insert(0, source)
    steps: dict[str, Step] = {}

    def listen(frame: FrameType, event: str, _: object) -> None:
        module = frame.f_globals.get("__name__", "")
        if event != "call" or not module.startswith(PACKAGE) or module in steps:
            return
        function = frame.f_code.co_name
        by = _caller(frame.f_back)
        if by is not None and not function.startswith("<"):
            steps[module] = module, function, by

    leave = os._exit

    def tell_and_leave(code: int) -> None:
        sys.setprofile(None)
        with open(report, "w", encoding="utf-8") as file:
            json.dump(list(steps.values()), file)
        leave(code)

    os._exit = posix._exit = tell_and_leave  # type: ignore[assignment]  # noqa: SLF001
    if entry == "hook":
        from leftoff.entry import hook

        hook.WAIT = hook.LONGEST = 600.0
        sys.setprofile(listen)
        hook.main(argv, os.environ["LEFTOFF_STATE"])
    from leftoff.__main__ import main as run

    sys.argv = ["leftoff", *argv]
    sys.setprofile(listen)
    run()


def _caller(frame: FrameType | None) -> str | None:
    """The module that called; None while a module is being made, which is no step of a way."""
    by = ""
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith(PACKAGE):
            by = by or module
            if frame.f_code.co_name == "<module>":
                return None
        frame = frame.f_back
    return by


if __name__ == "__main__":
    _probe(*sys.argv[1:4], sys.argv[4:])
