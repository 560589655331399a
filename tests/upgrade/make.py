"""What this version leaves on disk, by real commands, as a fixture that later versions must open.

`python tests/upgrade/make.py` writes `tests/upgrade/<version>/`: the documents of a project and the
state beside it, with placeholders for what differs from machine to machine. Run it once for each
version that changes something on disk, and never again for an old one.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from time import tzset

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), os.path.join(os.path.dirname(os.path.dirname(HERE)), "src")]

from hooks import installed, payload  # noqa: E402
from leftoff import __version__  # noqa: E402
from leftoff.world import trust  # noqa: E402
from leftoff.world.place import find_place  # noqa: E402
from leftoff.world.state import place_key  # noqa: E402
from projects import NOW, put, skill  # noqa: E402
from support import clean_environment, run  # noqa: E402

SESSION = "0a0b0c0d-0000-4000-8000-000000000001"
AT = "2026-08-08T12:00:00Z"
CACHES = ("cache", "hook", "index", "runs", "logs")
"""Rebuilt by whoever needs them; the tests make those of another version themselves."""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home, root = os.path.join(folder, "home"), os.path.join(folder, "project")
        os.makedirs(home)
        os.makedirs(os.path.join(root, ".git"))
        fresh = clean_environment(os.environ, home)
        os.environ.clear()
        os.environ.update(fresh)
        tzset()
        _live(root)
        places = {home: "{HOME}", root: "{ROOT}", place_key(root): "{KEY}", **_machine()}
        target = os.path.join(HERE, __version__)
        shutil.rmtree(target, ignore_errors=True)
        for source, name in ((root, "project"), (os.environ["LEFTOFF_STATE"], "state")):
            _keep(source, os.path.join(target, name), places)


def _live(root: str) -> None:
    """A day of work: sessions, saves, steps done, trust, a copy in the archive."""
    client = installed(os.environ["LEFTOFF_STATE"])
    log = _transcript()
    inside = {"CLAUDE_CODE_SESSION_ID": SESSION, "CLAUDECODE": "1"}
    given = payload(session_id=SESSION, cwd=root, transcript_path=log)
    client.fire("start", {**given, "source": "startup"})
    client.fire("prompt", given)
    put(root, ".checkpoints/oc-demo.checkpoint.json", skill())
    for words in (
        ("thread", "enable"),
        ("save", "The timer is found", "--next", "Write the docs", "--session", SESSION),
        ("save", "x", "--as", "md", "--name", "chk-auth"),
        ("save", "y", "--as", "task", "--task", "auth-fix", "--session", SESSION),
        ("trust", "oc-demo"),
        ("done", "oc-demo", "1"),
        ("team", "share", "documents"),
        ("session", "archive", SESSION),
        ("setup", "--yes", "--agent", "claude-code"),
    ):
        done = run(*words, "--now", NOW, cwd=root, env=inside)
        print(" ".join(words), "->", done.returncode, done.stderr.strip()[:100])
    # the command asks for a person at a terminal
    where = trust.identity(find_place(root, ""), os.environ)
    grant = trust.Subject("done_when", where, "true")
    trust.grant(os.environ["LEFTOFF_STATE"], grant, 1_786_190_400.0, trust.PERSON)
    done = run("done", "oc-demo", "1", "--verify", "--next", "Ship it", "--now", NOW, cwd=root)
    print("done --verify ->", done.returncode, done.stderr.strip()[:100])
    run("next", "--claim", "--now", NOW, cwd=root, env=inside)
    client.fire("stop", given)


def _machine() -> dict[str, str]:
    """What tells one machine from another, and what stands for it."""
    name = os.uname().nodename
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        boot = file.read().strip()
    return {
        f'"{name}"': '"host"',
        f"{name}-": "host-",
        boot: "00000000-0000-0000-0000-000000000000",
    }


def _transcript() -> str:
    """A transcript that names no folder of this machine: what is archived is kept to the byte."""
    path = os.path.join(os.environ["HOME"], ".claude/projects/-repo", f"{SESSION}.jsonl")
    os.makedirs(os.path.dirname(path))
    known = {"sessionId": SESSION, "cwd": "/repo", "gitBranch": "main", "timestamp": AT}
    lines = [
        {**known, "type": "user", "uuid": "u1", "message": {"role": "user", "content": "Do it"}},
        {
            **known,
            "type": "assistant",
            "uuid": "u2",
            "requestId": "r1",
            "message": {
                "id": "m1",
                "role": "assistant",
                "model": "claude-opus-5-5",
                "content": [{"type": "text", "text": "Done."}],
                "usage": {"input_tokens": 1000, "output_tokens": 9},
            },
        },
    ]
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    return path


def _keep(source: str, target: str, places: dict[str, str]) -> None:
    """A copy, in which paths and names made of paths are placeholders."""
    for place, folders, names in os.walk(source):
        folders[:] = [one for one in folders if one != ".git" and one not in CACHES]
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                data = file.read()
            if b"\0" not in data and not name.endswith(".zst"):
                for real, stands in places.items():
                    data = data.replace(real.encode(), stands.encode())
            # under its own name it would keep files of the fixture out of this repository
            where = os.path.relpath(path, source).replace(".gitignore", "{IGNORE}")
            for real, stands in places.items():
                where = where.replace(real, stands)
            os.makedirs(os.path.dirname(os.path.join(target, where)), exist_ok=True)
            with open(os.path.join(target, where), "wb") as file:
                file.write(data)


if __name__ == "__main__":
    main()
