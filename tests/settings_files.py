"""The settings of clients, as files of a home folder."""

from __future__ import annotations

import os

from leftoff import agents
from leftoff.world import hook_registration
from support import run

CLAUDE, CODEX, GEMINI, COPILOT = ".claude/settings.json", ".codex/hooks.json", ".gemini/settings.json", ".copilot/hooks/leftoff.json"  # fmt: skip


def write(home: str, name: str, text: str | None) -> str:
    path = os.path.join(home, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if text is not None:
        with open(path, "wb") as file:
            file.write(text.encode())
    return path


def read(path: str) -> str | None:
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return file.read().decode()


def setup(place, *words, **more):
    return run("setup", "--yes", *words, cwd=place, **more)


def ours(agent: str, text: str) -> list[hook_registration.Found]:
    return hook_registration.found(agents.load(agent), text)
