"""Hook rows: the commands that `setup` installs, beside the shell that clients start them with."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import count
from typing import NamedTuple

from documents import make_project
from measure import Command

from leftoff.world import journal, launcher, now

SHELL = "sh -c python -I -S -c pass"
AGENT, SESSION = "claude-code", "11111111-1111-4111-8111-111111111111"
TRANSCRIPT, TRANSCRIPT_BYTES = "transcript.jsonl", 1 << 20
QUIET = {"window": 200_000, "advise": 70, "block": 0, "noticed": False, "watch": []}
# What `.now` says before a turn, by the reason for which the ordinary commands then have to look.
LEFT: dict[str, Mapping[str, object] | None] = {
    "": QUIET,
    "missing": None,
    "old": {**QUIET, "watch": [["/nowhere", 1]]},
    "crossed": {**QUIET, "advise": 20},
}
_number = count()


class Scene(NamedTuple):
    """A project, and the state folder of its user."""

    work: str
    project: str
    state: str
    env: dict[str, str]

    def row(self, event: str, why: str = "", every: int = 1) -> Command:
        given = os.path.join(self.work, f"payload-{event}-{why}.json")
        command = launcher.command(sys.executable, self.state, AGENT, event)
        line = f"<{launcher.quoted(given)} {command}"
        label = f"hook {event}" + (f" ({why})" if why else "")
        argv, prepare = ("/bin/sh", "-c", line), partial(self.prepare, given, why)
        return Command(label, argv, self.project, self.env, prepare=prepare, every=every)

    def prepare(self, given: str, why: str) -> None:
        """A new event, and what the one before left."""
        payload = {
            "session_id": SESSION,
            "transcript_path": os.path.join(self.work, TRANSCRIPT),
            "cwd": self.project,
            "prompt_id": f"p-{next(_number)}",
            "prompt": "go on with the next step",
            "last_assistant_message": f"Done with {next(_number)}.",
            "source": "startup",
            "context_window": {"context_window_size": 200_000, "used_percentage": 25},
        }
        with open(given, "w", encoding="utf-8") as file:
            json.dump(payload, file)
        left = LEFT[why]
        if left is not None:
            now.write(self.state, AGENT, SESSION, {"root": self.project, **left})
        elif os.path.exists(path := journal.path(self.state, AGENT, SESSION, ".now")):
            os.remove(path)


def commands(work: str, env: dict[str, str]) -> Iterator[Command]:
    """One row per event and reason; every run is a new event of one long session."""
    state = os.path.join(work, "hook-state")
    project = make_project(os.path.join(work, "hooked"), 1)
    scene = Scene(work, project, state, {**env, "LEFTOFF_STATE": state})
    launcher.write(state, sys.executable)
    _write_transcript(os.path.join(work, TRANSCRIPT))
    shell = f"exec {launcher.quoted(sys.executable)} -I -S -c pass"
    yield Command(SHELL, ("/bin/sh", "-c", shell), work, env)
    for why in LEFT:
        yield scene.row("prompt", why)
    yield scene.row("stop")
    yield scene.row("statusline")
    yield scene.row("start", every=5)
    yield scene.row("end", every=5)


def _write_transcript(path: str) -> None:
    """A megabyte of a session, with an answer at its end."""
    usage = {"input_tokens": 5, "cache_read_input_tokens": 50_000, "output_tokens": 100}
    content = [{"type": "text", "text": "word " * 400}]
    message = {"role": "assistant", "model": "claude-opus-5-5", "usage": usage, "content": content}
    line = json.dumps({"type": "assistant", "isSidechain": False, "message": message}) + "\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(line * (TRANSCRIPT_BYTES // len(line)))
