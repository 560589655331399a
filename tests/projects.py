"""Small projects for tests: documents of each format, written as people have them."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

from support import run

NOW = "2026-08-08T12:00:00Z"
SKILL = ".checkpoints/oc-demo.checkpoint.json"


def skill(name: str = "oc-demo", **fields: object) -> str:
    """A valid skill checkpoint, as two-space JSON."""
    document = {
        "protocol_version": "1.0",
        "skill": name,
        "project": "demo",
        "project_dir": "/somewhere/else/demo",
        "created_at": "2026-08-01T10:00:00Z",
        "updated_at": "2026-08-07T10:00:00Z",
        "phase": "build",
        "step": "sprint-2",
        "status": "in_progress",
        "progress_summary": "Sprint 1 passed. Sprint 2 is under way.",
        "progress_table": [
            {"id": "sprint-1", "label": "Sprint 1: Auth", "status": "complete"},
            {"id": "sprint-2", "label": "Sprint 2: CRUD", "status": "in_progress"},
            {"id": "sprint-3", "label": "Sprint 3: UI", "status": "not_started"},
        ],
        "context_primer": {
            "key_decisions": ["Stack: Hono"],
            "generated_files": ["spec.md"],
            "user_preferences": ["Short answers"],
        },
        "next_actions": ["Read the report", {"text": "Run the tests", "done_when": "true"}],
        "skill_state": {"secret_of_owner": 7},
    }
    document.update(fields)
    kept = {key: value for key, value in document.items() if value is not None}
    return json.dumps(kept, indent=2, ensure_ascii=False) + "\n"


def markdown(name: str = "chk-auth", header: str = "status: active\n", **sections: str) -> str:
    """A Markdown checkpoint of format 1.3.0 that validates."""
    body = {
        "problem": "Sessions expire too early for people who only read, and they lose their place.",
        "intent": "Make sessions last a working day without weakening the tokens.",
        "decisions": "- Use RS256\n- Refresh tokens live 15 minutes",
        "context": "- Python 3.11, FastAPI",
        "play": "- Phase 1 → read the code → found the timer",
        "trail": "| File | Status | Key Change |\n|---|---|---|\n| `src/auth.py` | modified | timer |",
        "state": "The timer is found and covered by a test.",
        "next": "- Change the timer\n- Write the docs",
        "rules": "- Never commit without approval",
        **sections,
    }
    return (
        f"---\ncheckpoint: {name}\ncreated: 2026-08-05T10:00:00Z\n{header}---\n\n"
        f"## Problem\n\n{body['problem']}\n\n## Session Intent\n\n{body['intent']}\n\n"
        f"## Essential Information\n\n### Decisions\n\n{body['decisions']}\n\n"
        f"### Technical Context\n\n{body['context']}\n\n### Play-By-Play\n\n{body['play']}\n\n"
        f"### Artifact Trail\n\n{body['trail']}\n\n### Current State\n\n{body['state']}\n\n"
        f"### Next Actions\n\n{body['next']}\n\n## User Rules\n\n{body['rules']}\n"
    )


THREAD_JSON = """{
  "threadId": "thread-1a2b3c4d",
  "name": "重构认证模块",
  "project": "demo",
  "createdAt": "2026-08-05T10:00:00Z",
  "updatedAt": "2026-08-06T10:00:00Z",
  "config": { "checkpointEnabled": true, "autoSave": false, "thresholdPercent": 70 },
  "sessions": [{ "seq": 1, "hapiSessionId": "s-1", "name": "first", "active": true }]
}
"""

THREAD_MD = """# Checkpoint: 重构认证模块

**Thread ID**: thread-1a2b3c4d
**Saved**: 2026-08-06T10:00:00Z
**Branch**: main
**Last Commit**: `abc1234` - feat: begin

## Current Task

重构认证模块

## Completed Work

Tokens are signed.

## Key Decisions

| Decision | Rationale | Session |
|----------|-----------|---------|
| Use RS256 | keys rotate | #001 |

## Next Steps (Priority Order)

1. [P1] Write the middleware
2. [P2] Write the docs
"""

TASK = """## Status
checkpoint save (voluntary)

## Current stage
implement

## Active task
auth-fix

## Branch
feature/auth

## Last user intent
Finish the middleware.

## In-flight artifacts
- plan: .workflow_artifacts/auth-fix/current-plan.md

## Open questions
- Who owns the keys?

## Decisions made
- Use RS256

## Unfinished work
- Write the middleware

## Restore hint
Run restore for auth-fix on feature/auth.
"""


def put(root: str, path: str, text: str) -> str:
    """Write a file of the project, byte for byte."""
    full = os.path.join(root, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "wb") as file:
        file.write(text.encode())
    return full


def get(root: str, path: str) -> str:
    """A file's text, byte for byte."""
    with open(os.path.join(root, path), "rb") as file:
        return file.read().decode()


def files(root: str) -> dict[str, str]:
    """All files of a project, and what is in them."""
    found = dict[str, str]()
    for place, folders, names in os.walk(root):
        if ".git" in folders:
            folders.remove(".git")
        for name in names:
            path = os.path.relpath(os.path.join(place, name), root)
            found[path] = get(root, path)
    return found


def put_skill(root: str, name: str = "oc-demo", **fields: object) -> str:
    """A skill checkpoint at its place; returns its path in the project."""
    path = f".checkpoints/{name}.checkpoint.json"
    put(root, path, skill(name, **fields))
    return path


def put_markdown(root: str, name: str = "chk-auth", folder: str = "active", **more: str) -> str:
    """A Markdown checkpoint at its place; returns its path in the project."""
    path = f"checkpoints/{folder}/{name}.md"
    put(root, path, markdown(name, **more))
    return path


def put_thread(root: str) -> str:
    """A thread of two files; returns the path of its CHECKPOINT.md."""
    folder = ".checkpoints/threads/thread-1a2b3c4d"
    put(root, f"{folder}/thread.json", THREAD_JSON)
    put(root, f"{folder}/CHECKPOINT.md", THREAD_MD)
    return f"{folder}/CHECKPOINT.md"


def put_all(root: str) -> None:
    """One document of each format."""
    put_skill(root)
    put_markdown(root)
    put_thread(root)
    put(root, ".workflow_artifacts/memory/checkpoints/2026-08-06-auth-fix.md", TASK)


def do(root: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A command in the project, at this one moment."""
    return run(*words, "--now", NOW, cwd=root)


def data(root: str, *words: str) -> Any:
    """What a command tells as data."""
    return json.loads(do(root, *words, "--json").stdout)["data"]
