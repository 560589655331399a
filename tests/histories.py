"""Sessions as clients and hooks leave them on disk: journals and transcripts, made by hand."""

from __future__ import annotations

import json
import os

from leftoff.core.when import stamp

NOW = 1_786_190_400.0
"""2026-08-08T12:00:00Z, the moment of tests.projects.NOW."""
MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0


def ident(n: int) -> str:
    return f"{n:08x}-0000-4000-8000-00000000000{n % 10}"


def state() -> str:
    return os.environ["LEFTOFF_STATE"]


def journal(n: int | str, *lines: tuple, agent: str = "claude-code", torn: str = "") -> str:
    """A journal of (seconds before NOW, event, facts) lines; its path."""
    name = ident(n) if isinstance(n, int) else n
    folder = os.path.join(state(), "sessions", agent)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{name}.jsonl")
    with open(path, "a", encoding="utf-8") as file:
        for at, (ago, event, *facts) in enumerate(lines):
            known = {"at": NOW - ago, "event": event, "key": f"{event}-{at}-{ago}", "by": f"1.{at}"}
            file.write(json.dumps(known | (facts[0] if facts else {})) + "\n")
        file.write(torn)
    return path


def started(ago: float, root: str, **facts: object) -> tuple:
    """The line of a start in a project."""
    known = {"v": 1, "source": "startup", "cwd": root, "root": root, "branch": "main"}
    return ago, "start", {**known, **facts}


class Talk:
    """A transcript of Claude Code, line by line."""

    def __init__(self, n: int, root: str, branch: str = "main") -> None:
        self.session, self.root, self.branch = ident(n), root, branch
        self.lines: list[str] = []

    def _add(self, kind: str, ago: float, message: dict[str, object], **more: object) -> Talk:
        known = {"type": kind, "timestamp": stamp(NOW - ago), "sessionId": self.session}
        known |= {
            "cwd": self.root,
            "gitBranch": self.branch,
            "uuid": f"{self.session}-{len(self.lines)}",
        }
        self.lines.append(json.dumps({**known, "message": message, **more}))
        return self

    def ask(self, ago: float, text: str) -> Talk:
        return self._add("user", ago, {"role": "user", "content": text})

    def answer(self, ago: float, text: str = "", context: int = 0, *calls: tuple) -> Talk:
        """An answer with a text, a context of so many tokens, and (tool, input) calls."""
        content: list[object] = [{"type": "text", "text": text}] if text else []
        for at, (tool, given) in enumerate(calls):
            name = f"t{len(self.lines)}-{at}"
            content.append({"type": "tool_use", "id": name, "name": tool, "input": given})
        usage = {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 0}
        usage["cache_creation_input_tokens"] = max(0, context - 10)
        known = {
            "id": f"{self.session}-m{len(self.lines)}",
            "role": "assistant",
            "model": "claude-sonnet-4-6",
        }
        self._add("assistant", ago, {**known, "content": content, "usage": usage})
        for at, _ in enumerate(calls):
            self.result(ago, f"t{len(self.lines) - 1 - at}-{at}")
        return self

    def result(self, ago: float, name: str, *, failed: bool = False) -> Talk:
        block = {"type": "tool_result", "tool_use_id": name, "content": "ok", "is_error": failed}
        return self._add("user", ago, {"role": "user", "content": [block]})

    def save(self, *, torn: str = "") -> str:
        folder = self.root.replace("/", "-").replace(".", "-")
        place = os.path.join(os.environ["HOME"], ".claude", "projects", folder)
        os.makedirs(place, exist_ok=True)
        path = os.path.join(place, f"{self.session}.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join([*self.lines, torn]) if torn else "\n".join(self.lines) + "\n")
        return path


def delegated(parent: str, talk: Talk, name: str = "agent-1") -> str:
    """The transcript of a subagent of the session with that transcript; its path."""
    folder = os.path.join(parent.removesuffix(".jsonl"), "subagents")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{name}.jsonl")
    with open(path, "a", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in talk.lines)
    return path


def aged(path: str, ago: float) -> str:
    """A file that was last written so long ago."""
    os.utime(path, (NOW - ago, NOW - ago))
    return path


def grow(root: str, n: int, ago: float, thread: str = "", **facts: object) -> None:
    """A session with a journal and a transcript, last seen so long ago."""
    talk = Talk(n, root).ask(ago + MINUTE, f"Part {n}").answer(ago, "Done.", 9000)
    aged(talk.save(), ago)
    bound = [(ago + MINUTE, "bind", {"thread": thread})] if thread else []
    ended = (ago, "end", {"reason": "exit"})
    aged(journal(n, started(ago + 2 * MINUTE, root, **facts), *bound, ended), ago)
