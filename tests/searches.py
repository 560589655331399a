"""What a search finds, as data."""

from __future__ import annotations

import json
import os

from projects import NOW
from support import run

PAGE = """# #003 the cache

- Thread: thread-1a2b3c4d
- Session: s-3
- Archived: 2026-08-06T10:00:00Z

## User (2026-08-06T09:00:00Z)

Why is the 缓存策略 wrong?

## Agent (2026-08-06T09:01:00Z)

Eviction runs before
the write-behind queue drains.

- Bash: `pytest -k eviction`
"""


def found(root, *argv, env=None):
    done = run("search", *argv, "--json", "--now", NOW, cwd=root, env=env or {})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def hits(root, *argv):
    return found(root, *argv)["data"]["hits"]


def index_path():
    return os.path.join(os.environ["LEFTOFF_STATE"], "index.db")
