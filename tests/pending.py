"""What sessions left in a project or on this machine, made in any age, and how a restore answers."""

from __future__ import annotations

import json
import os

from leftoff.core.when import instant
from projects import NOW, TASK, put
from support import run

MEMORY = ".workflow_artifacts/memory"
ME = "5f0c2d1e-0000-4000-8000-00000000000a"
SESSION = {"LEFTOFF_SESSION": f"claude-code/{ME}"}
AT = instant(NOW) or 0.0


def aged(path, ago):
    os.utime(path, (AT - ago, AT - ago))
    return path


def save(root, task="auth-fix", day="2026-08-07", ago=3600.0, branch="feature/auth"):
    """A task save in seed C's folder; its path in the project."""
    path = f"{MEMORY}/checkpoints/{day}-{task}.md"
    text = TASK.replace("auth-fix\n\n## Branch\nfeature/auth", f"{task}\n\n## Branch\n{branch}")
    aged(put(root, path, text), ago)
    return path


def left(root, session, target, ago=60.0):
    """A record in seed C's folder."""
    path = f"{MEMORY}/pending-restore-{session}.txt"
    aged(put(root, path, f"{target}\n"), ago)
    return path


def left_here(state, session, target, ago=60.0):
    """A record of this machine."""
    path = f"pending/pending-restore-{session}.txt"
    aged(put(state, path, f"{target}\n"), ago)
    return os.path.join(state, path)


def resumed(root, *words, env=None, now=NOW):
    done = run("restore", *words, "--json", "--now", now, cwd=root, env=env or {})
    return done.returncode, json.loads(done.stdout)


def data(root, *words, **more):
    return resumed(root, *words, **more)[1]["data"]


def slugs(said):
    return [finding["slug"] for finding in said["findings"]]


def trashed(root, day="2026-08-08"):
    folder = os.path.join(root, MEMORY, "trash", day)
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []
