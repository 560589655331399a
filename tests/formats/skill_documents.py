"""A valid document of format A, as text, with changes; and what its check finds."""

from __future__ import annotations

from leftoff.formats import skill as skill_json
from leftoff.formats._json_text import dumps

PATH = ".checkpoints/git-ops.checkpoint.json"
VALID = {
    "protocol_version": "1.0",
    "skill": "git-ops",
    "project": "site",
    "project_dir": "/home/me/site",
    "created_at": "2026-05-01T10:00:00Z",
    "updated_at": "2026-05-02T10:00:00.250Z",
    "phase": "build",
    "step": "sprint-2",
    "status": "in_progress",
    "progress_summary": "Sprint 1 passed.",
    "progress_table": [
        {"id": "s1", "label": "Sprint 1", "status": "complete"},
        {"id": "s2", "label": "Sprint 2", "status": "not_started"},
    ],
    "context_primer": {
        "key_decisions": ["Squash merges only"],
        "generated_files": ["src/a.py"],
        "user_preferences": ["Short answers"],
    },
    "blockers": [
        {"id": "b1", "description": "Which host?", "blocking": "s2", "needs": "user_decision"}
    ],
    "next_actions": ["Read the report", {"text": "Run it again", "done_when": "make test"}],
    "skill_state": {"iteration": 1, "scores": {"s1": 8.2}},
}
GONE = object()


def document(**changes):
    """The valid document as text, with some keys changed or gone."""
    whole = {**VALID, **changes}
    return dumps({key: value for key, value in whole.items() if value is not GONE})


def found(text, path=PATH, levels=("error", "warning")):
    return [one.text for one in skill_json.check(text, path) if one.level in levels]


def content(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()
