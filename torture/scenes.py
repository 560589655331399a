"""The scenes: a project, one command that writes, and what must hold after anything happened to it.

For every document: it is the old one or the new one, byte for byte (`--now` makes the new one known
beforehand). What was acknowledged is there. The next command is not kept waiting by a lock, and
sweeps what the one before left half done.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence

from points import Ended

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE = os.path.join(ROOT, "src")
EXAMPLE = os.path.join(ROOT, "docs", "example")
NOW, LATER = "2026-05-07T09:00:00Z", "2026-05-07T10:00:00Z"
SESSION = "11111111-1111-4111-8111-111111111111"
TEMPORARY = ".leftoff-"
_LOT, _LOT_BYTES = re.compile(r"thread-[0-9a-f]{8}"), re.compile(rb"thread-[0-9a-f]{8}")


def environment(folder: str) -> dict[str, str]:
    """A person with an empty home and nothing of the caller's."""
    home = os.path.join(folder, "home")
    return {
        "PATH": os.environ["PATH"],
        "HOME": home,
        "LEFTOFF_STATE": os.path.join(home, "state"),
        "PYTHONPATH": SOURCE,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "LANG": "C.UTF-8",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
    }


def leftoff(folder: str, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """The program with nothing in its way."""
    return subprocess.run(
        [sys.executable, "-m", "leftoff", *words],
        cwd=os.path.join(folder, "project"),
        env=environment(folder),
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def git(folder: str, *words: str) -> None:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.invalid")
    where = os.path.join(folder, "project")
    subprocess.run(["git", *who, *words], cwd=where, env=environment(folder), check=True)


class Documents:
    """A command on the documents of the example project."""

    before: tuple[tuple[str, ...], ...] = ()
    again = ("update", "checkout", "--step=after the harm", "--now", LATER)

    def __init__(self, name: str, *words: str, before: Sequence[tuple[str, ...]] = ()) -> None:
        self.name, self.words, self.before = name, (*words, "--now", NOW), tuple(before)
        self._old: dict[str, bytes] = {}
        self._new: dict[str, bytes] = {}
        self._made = ""

    def make(self, folder: str) -> None:
        """The same files each time; made once, copied after."""
        if not self._made:
            self._made = os.path.join(os.path.dirname(folder), f"template-{self.name}")
            self._lay(self._made)
        shutil.rmtree(folder)
        shutil.copytree(self._made, folder, symlinks=True)

    def _lay(self, folder: str) -> None:
        os.makedirs(os.path.join(folder, "home"))
        shutil.copytree(EXAMPLE, os.path.join(folder, "project"))
        git(folder, "init", "--quiet", "--initial-branch=main")
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", "Begin", "--date", NOW)
        for words in self.before:
            done = leftoff(folder, *words, "--now", NOW)
            assert done.returncode == 0, done.stderr
        self._old = self.documents(folder)

    def command(self, folder: str) -> tuple[Sequence[str], str, dict[str, str]]:
        words = (sys.executable, "-m", "leftoff", *self.words)
        return words, os.path.join(folder, "project"), environment(folder)

    def documents(self, folder: str) -> dict[str, bytes]:
        """Everything of the project but what git keeps and what is half done."""
        found = {}
        root = os.path.join(folder, "project")
        for place, _, names in os.walk(root):
            for name in names:
                path = os.path.relpath(os.path.join(place, name), root)
                if not path.startswith(".git/") and not name.startswith(TEMPORARY):
                    with open(os.path.join(place, name), "rb") as file:
                        # a new thread's id is drawn by lot
                        found[_LOT.sub("thread-x", path)] = _LOT_BYTES.sub(b"thread-x", file.read())
        return found

    def broken(self, folder: str, ended: Ended) -> Iterator[str]:
        seen = self.documents(folder)
        self._new = self._new or seen  # the watched run comes first
        yield from self._halves(seen, ended)
        yield from self._after(folder)

    def _halves(self, seen: dict[str, bytes], ended: Ended) -> Iterator[str]:
        for path in {*seen, *self._old, *self._new}:
            if seen.get(path) not in {self._old.get(path), self._new.get(path)}:
                yield f"{path} is neither the old nor the new one"
        if ended.code == 0 and seen != self._new:
            yield "it was acknowledged and is not there"

    def _after(self, folder: str) -> Iterator[str]:
        """What the next commands find."""
        valid = leftoff(folder, "validate", "--json", "--now", LATER)
        if valid.returncode:
            yield f"validate: {valid.stdout[-400:]}"
        done = leftoff(folder, *self.again)
        if done.returncode:
            yield f"the next command: {done.stderr[-300:]}"
        yield from self._litter(folder)

    def _litter(self, folder: str) -> Iterator[str]:
        for place, _, names in os.walk(os.path.join(folder, "project")):
            if ".git" not in place.split(os.sep):
                yield from (f"{name} was left behind" for name in names if TEMPORARY in name)


class Hooked(Documents):
    """An event of a client, as `setup` installs it."""

    def __init__(self, event: str, **payload: object) -> None:
        super().__init__(f"hook {event}")
        self.event, self.payload = event, payload

    def _lay(self, folder: str) -> None:
        super()._lay(folder)
        os.makedirs(os.path.join(folder, "home", ".claude"))
        done = leftoff(folder, "setup", "--agent", "claude-code", "--yes")
        assert done.returncode == 0, done.stderr

    def command(self, folder: str) -> tuple[Sequence[str], str, dict[str, str]]:
        told = {
            "session_id": SESSION,
            "cwd": os.path.join(folder, "project"),
            "transcript_path": os.path.join(folder, "home", "none.jsonl"),
            "hook_event_name": self.event,
            **self.payload,
        }
        given = os.path.join(folder, "payload.json")
        with open(given, "w", encoding="utf-8") as file:
            json.dump(told, file)
        # the launcher names the state folder it was written for, which is that of the template
        launch = os.path.join(folder, "home", "state", "hook", "launch.py")
        with open(launch, encoding="utf-8") as file:
            text = file.read().replace(self._made, folder)
        with open(launch, "w", encoding="utf-8") as file:
            file.write(text)
        line = f"exec '{sys.executable}' -I -S '{launch}' claude-code {self.event} <'{given}'"
        return ("/bin/sh", "-c", line), os.path.join(folder, "project"), environment(folder)

    def broken(self, folder: str, ended: Ended) -> Iterator[str]:
        if ended.code and not ended.killed:
            yield f"a hook ended with {ended.code}"
        if ended.out.strip() and not ended.killed:
            try:
                json.loads(ended.out)
            except ValueError:
                yield f"a reply that is none: {ended.out[:200]}"
        if self.documents(folder) != self._old:
            yield "a hook changed the project"
        yield from self._journals(folder)
        yield from self._after(folder)

    def _journals(self, folder: str) -> Iterator[str]:
        """Every line but a torn last one is whole, and the next event is told behind it."""
        listed = leftoff(folder, "session", "list", "--json", "--now", LATER)
        if listed.returncode:
            yield f"session list: {listed.stderr[-300:]}"


class Settings(Documents):
    """setup and uninstall: the client's settings are as they were, or as they are to be."""

    THEIRS = '{\n  // mine\n  "model": "opus",\n  "hooks": {}\n}\n'

    def _lay(self, folder: str) -> None:
        super()._lay(folder)
        os.makedirs(os.path.join(folder, "home", ".claude"))
        with open(self._settings(folder), "w", encoding="utf-8") as file:
            file.write(self.THEIRS)

    def _settings(self, folder: str) -> str:
        return os.path.join(folder, "home", ".claude", "settings.json")

    def broken(self, folder: str, ended: Ended) -> Iterator[str]:
        with open(self._settings(folder), encoding="utf-8") as file:
            text = file.read()
        if text != self.THEIRS and "launch.py" not in text:
            yield f"the settings are neither: {text[:200]}"
        if ended.code == 0 and text == self.THEIRS:
            yield "it was acknowledged and is not there"
        again = leftoff(folder, "setup", "--agent", "claude-code", "--yes")
        if again.returncode:
            yield f"setup again: {again.stderr[-300:]}"
        undone = leftoff(folder, "uninstall", "--yes")
        with open(self._settings(folder), encoding="utf-8") as file:
            if file.read() != self.THEIRS:
                yield f"uninstall gave not every byte back: {undone.stdout[-200:]}{undone.stderr[-300:]}"
        yield from self._litter(folder)


class Merged(Documents):
    """The merge driver on three versions of a document."""

    def __init__(self) -> None:
        super().__init__("merge-driver")
        self.words = ("merge-driver", "base", "ours", "theirs", ".checkpoints/checkout.checkpoint.json")

    def _lay(self, folder: str) -> None:
        super()._lay(folder)
        root = os.path.join(folder, "project")
        with open(os.path.join(root, ".checkpoints/checkout.checkpoint.json"), encoding="utf-8") as f:
            base = f.read()
        versions = {
            "base": base,
            "ours": base.replace('"phase": "', '"phase": "our '),
            "theirs": base.replace('"step": "', '"step": "their '),
        }
        for name, text in versions.items():
            with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                file.write(text)
        self._old = self.documents(folder)


def scenes() -> list[Documents]:
    """All of them."""
    made = ("update", "checkout", "--phase=receipts", "--progress_summary=Half of it")
    return [
        Documents("update", *made),
        Documents("done", "done", "checkout"),
        Documents("save", "save", "Half of it works", "--next", "The rest", "--no-draft"),
        Documents("save again", "save", "More", "--no-draft", before=[("save", "One", "--no-draft")]),
        Documents("archive", "archive", "search", "--force"),
        Documents("reset", "reset", "checkout"),
        Merged(),
        Settings("setup", "setup", "--agent", "claude-code", "--yes"),
        Hooked("SessionStart", source="startup"),
        Hooked("UserPromptSubmit", prompt="go on", prompt_id="p1"),
        Hooked("Stop", last_assistant_message="Done."),
        Hooked("PreCompact", trigger="manual"),
        Hooked("SessionEnd", reason="exit"),
    ]
