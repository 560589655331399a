"""Projects to measure: any number of checkpoints, half JSON of 6 KB, half Markdown of 3 KB."""

from __future__ import annotations

import json
import os
import subprocess
from random import Random

_TEXT = (
    "the cache holds every parsed page until its source moves and then reads it again while a"
    " second writer waits for the lock which is free after one rename so nothing is ever lost"
)
_WORDS = _TEXT.split()
# Old enough that no cache doubts them.
_WRITTEN = 1_700_000_000


def make_project(root: str, count: int) -> str:
    """A project with `count` checkpoints; the same ones on every run."""
    chance = Random(count)
    skills = os.path.join(root, ".checkpoints")
    active = os.path.join(root, "checkpoints", "active")
    for folder in (skills, active):
        os.makedirs(folder)
    for number in range(count):
        if number % 2:
            _write(os.path.join(active, f"chk-{number:05}.md"), _markdown(number, chance))
        else:
            _write(
                os.path.join(skills, f"skill-{number:05}.checkpoint.json"), _json(number, chance)
            )
    _commit(root)
    return root


def make_threads(root: str, count: int) -> str:
    """A project with `count` threads, the first of them the current one."""
    chance = Random(count)
    for number in range(count):
        folder = os.path.join(root, ".checkpoints", "threads", f"thread-{number:08x}")
        os.makedirs(folder)
        _write(os.path.join(folder, "CHECKPOINT.md"), _thread(number, chance))
        _write(os.path.join(folder, "thread.json"), _settings(number))
    _commit(root)
    _write(os.path.join(root, ".checkpoints", "current"), "thread-00000000\n")
    return root


def _commit(root: str) -> None:
    """A repository with the documents in it and a little history on top."""
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.invalid", "-c", "gc.auto=0")
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

    def git(*words: str) -> None:
        subprocess.run(["git", *who, *words], cwd=root, env=env, check=True, capture_output=True)

    git("init", "--quiet", "--initial-branch=main")
    git("config", "user.email", "ada@example.invalid")
    git("add", "--all")
    git("commit", "--quiet", "--message", "Save")
    for number in range(30):
        git("commit", "--quiet", "--allow-empty", "--message", f"Change {number} (#{number})")


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.utime(path, (_WRITTEN, _WRITTEN))


def _sentence(chance: Random, words: int) -> str:
    return " ".join(chance.choices(_WORDS, k=words)).capitalize() + "."


def _day(number: int) -> str:
    return f"2026-{1 + number % 9:02}-{1 + number % 28:02}T{number % 24:02}:00:00Z"


def _json(number: int, chance: Random) -> str:
    done = 1 + number % 12
    document = {
        "protocol_version": "1.0",
        "skill": f"skill-{number:05}",
        "project": "bench",
        "project_dir": "/home/ada/bench",
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": _day(number),
        "phase": f"phase-{done}",
        "step": _sentence(chance, 4),
        "status": "in_progress",
        "progress_summary": _sentence(chance, 60),
        "progress_table": [
            {
                "id": f"row-{row}",
                "label": _sentence(chance, 6),
                "status": ("complete", "in_progress", "not_started")[(row > done) + (row >= done)],
            }
            for row in range(18)
        ],
        "context_primer": {
            "key_decisions": [_sentence(chance, 14) for _ in range(18)],
            "generated_files": [f"src/part_{file}/module_{number}.py" for file in range(18)],
            "user_preferences": [_sentence(chance, 8) for _ in range(3)],
        },
        "next_actions": [_sentence(chance, 10) for _ in range(3)],
        "skill_state": {"runs": [{"seq": run, "tokens": 1000 * run} for run in range(8)]},
    }
    return json.dumps(document, indent=2) + "\n"


def _settings(number: int) -> str:
    document = {
        "threadId": f"thread-{number:08x}",
        "name": f"Work {number}",
        "createdAt": "2026-01-01T00:00:00Z",
        "config": {"checkpointEnabled": True, "autoSave": False, "thresholdPercent": 70},
        "sessions": [{"seq": 1, "hapiSessionId": f"local-{number}", "name": "first"}],
    }
    return json.dumps(document, indent=2) + "\n"


def _thread(number: int, chance: Random) -> str:
    decisions = "\n".join(f"| {_sentence(chance, 12)} | | #001 |" for _ in range(8))
    steps = "\n".join(f"{at}. [P{at}] {_sentence(chance, 10)}" for at in range(1, 4))
    return f"""# Checkpoint: Work {number}

**Thread ID**: thread-{number:08x}
**Saved**: {_day(number)}
**Branch**: main

## Current Task

{_sentence(chance, 25)}

## Completed Work

{_sentence(chance, 60)}

## Key Decisions

| Decision | Rationale | Session |
|----------|-----------|---------|
{decisions}

## Next Steps (Priority Order)

{steps}
"""


def _markdown(number: int, chance: Random) -> str:
    def bullets(count: int, words: int) -> str:
        return "\n".join(f"- {_sentence(chance, words)}" for _ in range(count))

    files = "\n".join(
        f"| `src/part_{file}/module.py` | modified | {_sentence(chance, 5)} |" for file in range(8)
    )
    status = "current" if number == 1 else "active"
    return f"""---
checkpoint: chk-{number:05}
created: {_day(number)}
anchor: turn {number}
status: {status}
---

## Problem

{_sentence(chance, 40)}

## Session Intent

{_sentence(chance, 25)}

## Essential Information

### Decisions

{bullets(8, 12)}

### Technical Context

{_sentence(chance, 25)}

### Play-By-Play

{bullets(8, 10)}

### Artifact Trail

| File | Status | Key Change |
|------|--------|------------|
{files}

### Current State

{_sentence(chance, 60)}

### Next Actions

{bullets(3, 10)}

## User Rules

{bullets(2, 8)}
"""
