"""What several files of tests begin with."""

from __future__ import annotations

import os

import pytest

from events import Client
from histories import DAY, Talk, journal, started
from projects import put, put_all
from searches import PAGE


@pytest.fixture
def client(root):
    return Client(root)


@pytest.fixture
def state():
    return os.environ["LEFTOFF_STATE"]


@pytest.fixture
def full(root):
    """A project with sessions, checkpoints of every format, learnings and an archived thread."""
    put_all(root)
    put(root, ".checkpoints/threads/thread-1a2b3c4d/history/003-the-cache.md", PAGE)
    put(root, "checkpoints/LEARNINGS.md", "# Learnings\n\n## 2026-07-01 — chk-old\n- 断点 first\n")
    talk = Talk(1, root).ask(2 * DAY, "please fix the flaky upload, 断点续传 too")
    calls = [
        ("Bash", {"command": "pytest tests/upload"}),
        ("Edit", {"file_path": "/p/src/upload.py"}),
    ]
    talk.answer(DAY, "The upload retries without a limit.", 100, *calls).save()
    journal(1, started(2 * DAY, root), (2 * DAY, "bind", {"thread": "thread-1a2b3c4d"}))
    return root


@pytest.fixture
def place(tmp_path):
    """As much of a project as setup looks at."""
    os.makedirs(tmp_path / "project" / ".git")
    return tmp_path / "project"
