"""Transcripts of Claude Code for tests: lines, files of them, and what is known of those."""

from __future__ import annotations

import json
import os
from random import Random
from typing import Any

from leftoff.world import transcripts
from leftoff.world.transcripts import Known


def say(number: int, session: str = "s", **more: Any) -> bytes:
    """One answer of ten tokens in and one out."""
    used = {"input_tokens": 10, "output_tokens": 1}
    message = {"id": f"m{number}", "model": "opus", "usage": used, "content": []}
    stamp = f"2026-11-16T10:{number // 60 % 60:02}:{number % 60:02}.000Z"
    fields = {"type": "assistant", "sessionId": session, "timestamp": stamp, "cwd": "/repo"}
    told = {**fields, "uuid": f"{number:036}", "requestId": "r", "message": message, **more}
    return json.dumps(told, separators=(",", ":")).encode() + b"\n"


def ask(number: int, words: str, session: str = "s", cwd: str = "/repo") -> bytes:
    """One prompt."""
    stamp = f"2026-11-16T10:{number // 60 % 60:02}:{number % 60:02}.500Z"
    fields = {"type": "user", "sessionId": session, "timestamp": stamp, "cwd": cwd}
    told = {**fields, "uuid": f"p{number:035}", "message": {"role": "user", "content": words}}
    return json.dumps(told, separators=(",", ":")).encode() + b"\n"


def ran(number: int, command: str, *, error: bool) -> tuple[bytes, bytes]:
    """A shell command and its result."""
    call = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": command}}
    message = {"id": f"m{number}", "model": "opus", "usage": {}, "content": [call]}
    result = {"type": "tool_result", "tool_use_id": f"t{number}", "is_error": error}
    back = {"type": "user", "message": {"role": "user", "content": [result]}}
    return say(number, message=message), json.dumps(back).encode() + b"\n"


class Clients:
    """A home folder with Claude Code's transcripts in it."""

    def __init__(self, home: str) -> None:
        self.home = home
        self.state = os.path.join(home, "state")
        self.env = {"HOME": home, "LEFTOFF_STATE": self.state}

    def path(self, session: str, project: str = "-repo") -> str:
        return os.path.join(self.home, ".claude", "projects", project, f"{session}.jsonl")

    def write(self, session: str, data: bytes, *, mode: str = "wb", project: str = "-repo") -> str:
        path = self.path(session, project)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, mode) as file:
            file.write(data)
        return path

    def known(self, **options: Any) -> dict[str, Known]:
        found = transcripts.read(transcripts.find(self.env), self.state, **options)
        return {one.log.session: one for one in found}


def conversation(seed: int, turns: int) -> bytes:
    """Lines of all sorts, the same ones for the same seed."""
    chance, lines = Random(seed), []
    for turn in range(turns):
        lines.append(ask(turn, chance.choice(["do it", "为什么", "x" * 900, "<leftoff id=1>a"])))
        lines.extend(_step(chance, seed, turn, step) for step in range(chance.randrange(1, 4)))
        lines.append(chance.choice(_ODD))
    return b"".join(lines)


def _step(chance: Random, seed: int, turn: int, step: int) -> bytes:
    number = seed * 1000 + turn * 10 + step
    tool = chance.choice(["Bash", "Edit", "Read", "TodoWrite", "Task"])
    todo = {"content": "step", "status": chance.choice(["pending", "completed"])}
    given = {"command": "git commit -m x", "file_path": f"/repo/{turn % 5}", "todos": [todo]}
    block = {"type": "tool_use", "id": f"t{number}", "name": tool, "input": given}
    used = {"input_tokens": turn, "output_tokens": step, "cache_read_input_tokens": number}
    message = {"id": f"m{number}", "model": "opus", "usage": used, "content": [block]}
    result = {"type": "tool_result", "tool_use_id": f"t{number}", "is_error": chance.random() < 0.3}
    back = {"type": "user", "message": {"role": "user", "content": [result]}}
    return say(number, message=message) + json.dumps(back).encode() + b"\n"


_ODD = (
    b"\n",
    b'{"type":"torn\n',
    b'{"type":"user","message":{"content":"lone \\ud800 surrogate"}}\n',
    b'{"type":"user","message":{"content":"bad \xff byte"}}\n',
    '{"type":"user","message":{"content":"line\u2028separator"}}\n'.encode(),
    b'{"type":"assistant","message":{"usage":{"input_tokens":3.0},"content":null}}\n',
    b'{"type":"assistant","message":{"usage":{"input_tokens":null},"content":"text"}}\n',
    b'{"type":"system","subtype":"compact_boundary","compactMetadata":{"postTokens":9}}\n',
    b'{"type":"summary","summary":"a title"}\n{"type":"unheard-of"}\n',
    b'{"type":"attachment","attachment":{"hookEvent":"SessionStart","durationMs":7}}\n',
    b'{"role":"assistant","usage":{"input_tokens":4},"content":[{"type":"text","text":"top"}]}\n',
    b'{"type":"user","timestamp":"yesterday","message":{"content":[{"type":"text","text":7}]}}\n',
    b'{"a":' + b"[" * 3000 + b"]" * 3000 + b"}\n",
    b'{"type":"user","message":{"content":NaN}}\n',
)
