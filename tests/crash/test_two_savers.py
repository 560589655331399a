"""Two sessions in one folder save at the same time: nothing of either is lost, each has its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from support import SOURCE, run

SAVES = 200 if os.environ.get("LEFTOFF_LAWS") == "long" else 15
"""For each of them; the long run takes more than a minute."""
FIRST, SECOND = "claude-code/aaaaaaaa-1111", "codex/bbbbbbbb-2222"

# One process that saves over and over, as an agent's shell would, each time anew.
SAVER = """
import subprocess, sys
session, count, *more = sys.argv[1:]
for number in range(int(count)):
    words = ["save", f"{session} at {number}", "--decision", f"{session} decides {number}"]
    words += ["--next", f"{session} step {number}", "--session", session, "--no-draft", *more]
    done = subprocess.run([sys.executable, "-m", "leftoff", *words], capture_output=True)
    sys.exit(done.stderr.decode()) if done.returncode else None
"""


def at_once(root: str, *more: str) -> None:
    env = {**os.environ, "PYTHONPATH": SOURCE}
    command = [sys.executable, "-c", SAVER]
    running = [
        subprocess.Popen(
            [*command, one, str(SAVES), *more], cwd=root, env=env, stderr=subprocess.PIPE
        )
        for one in (FIRST, SECOND)
    ]
    for process in running:
        _, err = process.communicate(timeout=600)
        assert process.returncode == 0, err.decode()


def answer(*words: str, cwd: str, session: str = ""):
    env = {"LEFTOFF_SESSION": session} if session else {}
    done = run(*words, "--json", cwd=cwd, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)["data"]


def decided(root: str, thread: str, session: str) -> int:
    path = os.path.join(root, f".checkpoints/threads/{thread}/CHECKPOINT.md")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return sum(f"| {session} decides {number} |" in text for number in range(SAVES))


def test_each_on_its_own_thread(root):
    threads = {}
    for session in (FIRST, SECOND):
        answer("thread", "enable", session, "--new", "--session", session, cwd=root)
        threads[session] = answer("save", "begun", "--session", session, "--no-draft", cwd=root)[
            "id"
        ]
    assert threads[FIRST] != threads[SECOND]
    at_once(root)
    for session, thread in threads.items():
        assert decided(root, thread, session) == SAVES
        resumed = answer("resume", cwd=root, session=session)
        assert resumed["id"] == thread
        assert f"{session} step {SAVES - 1}" in resumed["text"]
    assert not decided(root, threads[FIRST], SECOND)


def test_both_on_one_thread(root):
    thread = answer("save", "begun", "--session", FIRST, "--no-draft", cwd=root)["id"]
    answer("save", "--name", thread, "--session", SECOND, "--no-draft", cwd=root)
    at_once(root, "--name", thread)
    for session in (FIRST, SECOND):
        assert decided(root, thread, session) == SAVES
        steps = answer("show", thread, "--json", cwd=root)
        assert f"{session} step {SAVES - 1}" in json.dumps(steps)
    assert run("validate", cwd=root).returncode == 0
