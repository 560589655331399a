"""Runs the commands that a guide shows, in a project of its format, and puts their output there.

A guide says `<!-- project: NAME -->`; its ```console blocks are one session in such a project, at
a fixed time: a line that begins with `$ ` is run, and what stands below it is what it printed.
"""

# ruff: noqa: INP001  # beside the pages, no part of the package

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile

from leftoff.entry import cli

EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "example")
NOW = "2026-05-07T09:00:00Z"
FORMATS = {
    "skill": ".checkpoints/checkout.checkpoint.json",
    "md": "checkpoints",
    "task": ".workflow_artifacts",
    "thread": ".checkpoints/threads",
    "session": "",
}
"""What a project of each has of the example's checkpoints."""
_PROJECT = re.compile(r"<!-- project: (\w+) -->")
_BLOCK = re.compile(r"(```console\n)(.*?)(```)", re.DOTALL)
SESSION = "5f0c2d1e-7b64-4a53-9d0e-2c1f8a6b3e90"


def play(text: str) -> str:
    """A page with the output of its commands; one without a project stays as it is."""
    kind = _PROJECT.search(text)
    if not kind:
        return text
    with tempfile.TemporaryDirectory() as work:
        home = os.path.realpath(work)
        project = _project(home, kind[1])
        return _BLOCK.sub(lambda block: block[1] + _session(block[2], project) + block[3], text)


def _session(block: str, project: str) -> str:
    lines = [line for line in block.splitlines() if line.startswith("$ ")]
    return "".join(f"{line}\n{_output(line[2:], project)}" for line in lines)


def _output(line: str, project: str) -> str:
    home = os.path.dirname(project)
    env = {"HOME": home, "PATH": os.environ["PATH"], **_GIT}
    env["LEFTOFF_STATE"] = f"{home}/.local/state/leftoff"
    words = shlex.split(line, comments=True)
    if words[0] == "leftoff":
        streams = io.StringIO(), io.StringIO(), io.StringIO()
        cli.main([*words[1:], "--now", NOW], env=env, cwd=project, streams=streams)
        shown = streams[1].getvalue() + streams[2].getvalue()
    else:
        done = subprocess.run(  # noqa: S603  # a command of our own page
            words, cwd=project, env=env, check=True, capture_output=True, encoding="utf-8"
        )
        shown = done.stdout
    return shown.replace(project, "~/lantern-shop").replace(home, "~")


_DATE = "2026-05-06T17:00:00Z"
_GIT = {
    **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "Ada"),
    **dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "ada@example.invalid"),
    **dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), _DATE),
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


def _project(home: str, kind: str) -> str:
    """The example with the checkpoints of one format, committed."""
    project = os.path.join(home, "lantern-shop")
    others = {part for name, part in FORMATS.items() if name != kind and part}

    def left_out(folder: str, names: list[str]) -> set[str]:
        inside = os.path.relpath(folder, EXAMPLE)
        return {name for name in names if os.path.normpath(f"{inside}/{name}") in others}

    shutil.copytree(EXAMPLE, project, ignore=left_out)
    if kind == "session":
        shutil.rmtree(f"{project}/.checkpoints")
        _worked(home, project)
    mine = "config user.email ada@example.invalid"
    for words in ("-c init.defaultBranch=main init -q", mine, "add .", "commit -q -m Begin"):
        _output(f"git {words}", project)
    return project


def _worked(home: str, project: str) -> None:
    """What Claude Code leaves of a session that was closed before its test passed."""
    folder = f"{home}/.claude/projects/{project.replace('/', '-').replace('.', '-')}"
    os.makedirs(folder)
    edit = _call("Edit", "e1", file_path=f"{project}/shop/charge.py")
    test = _call("Bash", "b1", command="pytest -q tests/test_charge.py")
    failed = {"type": "tool_result", "tool_use_id": "b1", "content": "failed", "is_error": True}
    fine = {**failed, "tool_use_id": "e1", "content": "ok", "is_error": False}
    said = {"type": "text", "text": "The charge has its key; the test still fails."}
    lines = [
        ("user", "2026-05-07T05:05:00Z", "Give every charge an idempotency key"),
        ("assistant", "2026-05-07T05:06:00Z", [edit]),
        ("user", "2026-05-07T05:06:10Z", [fine]),
        ("assistant", "2026-05-07T05:09:00Z", [test]),
        ("user", "2026-05-07T05:09:20Z", [failed]),
        ("assistant", "2026-05-07T05:10:00Z", [said]),
    ]
    with open(f"{folder}/{SESSION}.jsonl", "w", encoding="utf-8") as file:
        for at, (kind, when, content) in enumerate(lines):
            message = {
                "role": kind,
                "content": content,
                "id": f"m{at}",
                "model": "claude-sonnet-4-6",
            }
            if kind == "assistant":
                message["usage"] = {"input_tokens": 21_000 + 900 * at, "output_tokens": 300}
            known = {"type": kind, "timestamp": when, "sessionId": SESSION, "cwd": project}
            file.write(json.dumps({**known, "gitBranch": "main", "message": message}) + "\n")


def _call(tool: str, name: str, **given: str) -> dict[str, object]:
    return {"type": "tool_use", "id": name, "name": tool, "input": given}
