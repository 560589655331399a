"""Scenes of hooks that keep something: work that nobody saved, a prompt that is refused."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from crash_points import Ended, Scene
from scenes_conversations import transcript
from scenes_hooks import SESSION, Hooked
from stage import ask, documents, files, home, must, project, read, state, write

from leftoff.core.event import END, START
from leftoff.formats import task
from leftoff.world import journal

WORD = "glowworm"
NEXT = SESSION.replace("1", "4")
_AGENT = "claude-code"
_FULL = 10_000_000
"""Tokens that are more than any window holds."""


class Working(Hooked):
    """A session that has changed a file and said nothing of it to leftoff."""

    def __init__(self, event: str, what: str, **payload: object) -> None:
        super().__init__(_AGENT, event, **payload)
        self.name = f"{_AGENT} {event}, {what}"
        self.said = ""

    def lay(self, folder: str) -> None:
        self.said = _lines(project(folder))
        super().lay(folder)
        write(transcript(folder, SESSION), self.said)
        self.client_is_gone(folder)

    def client_is_gone(self, folder: str) -> None:
        """The session was begun by a process that lives no longer: the next one goes on."""
        path = journal.path(state(folder), _AGENT, SESSION)
        text = read(path).decode().replace('"pid":0,"began":""', '"pid":4194305,"began":"1"')
        write(path, text)

    def told(self, folder: str, event: str, more: object) -> dict[str, object]:
        known = {"transcript_path": transcript(folder, SESSION)}
        return super().told(folder, event, {**known, **dict(more)})  # type: ignore[call-overload]

    def broken(self, folder: str, ended: Ended) -> Iterator[str]:
        yield from self.kept(folder, ended)
        yield from self.handed_on(folder)
        yield from super().broken(folder, ended)
        if read(transcript(folder, SESSION)).decode() != self.said:
            yield "the client's transcript was touched"

    def kept(self, folder: str, ended: Ended) -> Iterator[str]:
        """What holds at once: no save is half of one."""
        del ended
        for path in _saves(folder):
            text = read(path).decode()
            if any(found.level == "error" for found in task.check(text, path)):
                yield f"{path} is half a save"

    def begin_next(self, folder: str) -> subprocess.CompletedProcess[str]:
        """No client tells twice that a session has ended."""
        if self.event != (last := self.named(END)):
            self.fire(folder, last, reason="other")
        own = {"session_id": NEXT, "transcript_path": transcript(folder, NEXT)}
        return self.fire(folder, self.named(START), source="startup", **own)

    def handed_on(self, folder: str) -> Iterator[str]:
        """The session ends, if it has not yet, and the next one begins: the work is not lost."""
        done = self.begin_next(folder)
        if not any(WORD in read(path).decode() for path in _saves(folder)):
            yield f"nobody saved the work: {done.stdout[:200]}"
        if "saves/" not in done.stdout:
            yield f"the next session does not hear of it: {done.stdout[:200]}"


class Compacting(Working):
    """Whoever summarises is told in plain words: all of them, or none."""

    def replied(self, text: str) -> Iterator[str]:
        if text and not (text.startswith("<leftoff ") and text.endswith("</leftoff>\n")):
            yield f"half a reply: {text[-200:]}"


class SavesItself(Working):
    """The same on a thread whose files hooks may write; no other document changes."""

    def lay(self, folder: str) -> None:
        super().lay(folder)
        thread = must(folder, "thread", "enable", "Prices", "--new", "--json").data["created"]
        self.own = f".checkpoints/threads/{thread}/"
        must(folder, "thread", "auto-on")
        self.fire(folder, self.named(START), source="startup")
        self.client_is_gone(folder)
        self.before = documents(folder)

    own = ""
    """the folder of the thread"""

    def changed(self, folder: str) -> Iterator[str]:
        seen = documents(folder)
        for path in {*self.before, *seen}:
            if seen.get(path) != self.before.get(path) and not path.startswith(self.own):
                yield f"a hook changed {path}"
        if self.own not in "".join(seen):
            yield "the thread is gone"
        if (told := ask(folder, "validate", "--json")).code:
            yield f"validate: {told.out[-400:]}"

    def handed_on(self, folder: str) -> Iterator[str]:
        self.begin_next(folder)
        held = *_saves(folder), *(os.path.join(project(folder), path) for path in self.before)
        if not any(WORD in read(path).decode() for path in held):
            yield "nobody saved the work"


class Refused(Working):
    """A prompt is refused only once it is kept, word for word."""

    def lay(self, folder: str) -> None:
        path = os.path.join(home(folder), ".config/leftoff/config.toml")
        super().lay(folder)
        write(path, "[hooks]\nblock = true\n")
        self.fire(folder, self.named(START), source="startup")

    def kept(self, folder: str, ended: Ended) -> Iterator[str]:
        place = os.path.join(state(folder), "pending")
        whole = b"".join(read(path) for path in files(place) if path.endswith(".txt"))
        refused = '"block"' in ended.out
        if refused and str(self.payload["prompt"]).encode() not in whole:
            yield "a prompt was refused and is not kept"
        if not ended.code and not ended.killed and not refused and not self.tried:
            yield "no prompt is refused here, so nothing is shown"
        self.tried = True

    tried = False
    """whether the run without harm is over"""


def _saves(folder: str) -> list[str]:
    place = os.path.join(state(folder), "saves")
    return [path for path in files(place) if path.endswith(".md") and "/.leftoff-" not in path]


def _lines(cwd: str) -> str:
    """Asked for prices an hour ago: it changed a file, and a command failed."""
    edit = {"file_path": f"{cwd}/{WORD}.py", "old_string": "1", "new_string": "2"}
    said = [
        ("user", {"role": "user", "content": f"Put a price on every {WORD}"}),
        *_called("c1", "Edit", edit, failed=False),
        *_called("c2", "Bash", {"command": f"pytest -q tests/{WORD}"}, failed=True),
    ]
    begin = datetime.now(UTC) - timedelta(hours=1)
    known = {"sessionId": SESSION, "cwd": cwd, "gitBranch": "main"}
    lines = (
        {"type": kind, "uuid": f"u{at}", "timestamp": _stamp(begin, at), "message": message}
        for at, (kind, message) in enumerate(said)
    )
    return "".join(json.dumps({**known, **line}) + "\n" for line in lines)


def _called(
    name: str, tool: str, given: dict[str, str], *, failed: bool
) -> Iterator[tuple[str, dict[str, object]]]:
    use = {"type": "tool_use", "id": name, "name": tool, "input": given}
    used = {"input_tokens": _FULL, "output_tokens": 5}
    own = {"id": f"m{name}", "role": "assistant", "model": "claude-opus-5-5", "usage": used}
    yield "assistant", {**own, "content": [use]}
    result = {"type": "tool_result", "tool_use_id": name, "content": "", "is_error": failed}
    yield "user", {"role": "user", "content": [result]}


def _stamp(begin: datetime, at: int) -> str:
    return (begin + timedelta(seconds=at)).strftime("%Y-%m-%dT%H:%M:%SZ")


def working_scenes() -> list[Scene]:
    return [
        Working("SessionEnd", "unsaved work", reason="other"),
        Compacting("PreCompact", "unsaved work", trigger="auto"),
        SavesItself("SessionEnd", "a thread that saves itself", reason="other"),
        Refused("UserPromptSubmit", "refused", prompt=f"and {WORD}s\n  too", prompt_id="p1"),
    ]
