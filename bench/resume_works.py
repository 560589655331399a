"""Work that was left, made up for `resume.py`: a repository, a checkpoint, a talk, its summary.

How long things are was measured, not guessed: on the 24 documents with open work among those that
people had (see `Shape`), and on four summaries of Claude Code that people keep in public
repositories (see `summary`). Tokens are those of `core.token_estimate`.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, NamedTuple

from resume_talk import DECIDED, NOTES, PARTS, RULES, SETTLED, STEPS, Talk, Words, summary

from leftoff import formats
from leftoff.commands import _quality, _sessions, bench_resume, plainly
from leftoff.core.claims import CONTRADICTED, Verdict
from leftoff.core.model import Checkpoint, Item
from leftoff.core.quality import PATH, Facts, of_checkpoint
from leftoff.core.token_estimate import estimate
from leftoff.core.when import instant, stamp
from leftoff.entry.calls import call_for, parser_for

NOW = "2026-08-08T12:00:00Z"
SESSION = "0badcafe-0000-4000-8000-000000000001"
HOURS = 3600.0


class Shape(NamedTuple):
    """A format as people fill it: medians of their documents with open work, in tokens each.

    `sizes` are the quartiles of the whole document; notes of what was done make up the difference.
    """

    sizes: tuple[int, int, int]
    summary: int
    decisions: tuple[int, int]
    steps: tuple[int, int]
    rules: tuple[int, int] = (0, 0)
    files: int = 0
    rows: int = 0


SHAPES = {
    "skill": Shape((1170, 1970, 4600), 284, (6, 43), (3, 45), (3, 23), 4, 8),
    "md": Shape((700, 850, 3480), 55, (4, 25), (3, 16), (3, 7), 9),
    "thread": Shape((3240, 3680, 4110), 1106, (6, 25), (4, 16), files=5),
    "task": Shape((780, 1020, 1430), 0, (3, 40), (3, 20), files=3),
}
"""Of 14, 5, 2 and 3 documents. A decision of a thread has 9 tokens, its reason 16; those of task
saves named no files in flight, for which the format has a place."""


class Planted(NamedTuple):
    """What the generator said, and what has become of it."""

    saved: Facts
    unsaved: Facts


class Place:
    """A home and a repository, in which nobody else works, at a time that the caller sets."""

    def __init__(self, root: str, home: str, now: str = NOW) -> None:
        self.root, self.home, self.now = root, home, now
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": home,
            "LEFTOFF_STATE": os.path.join(home, "state"),
            "LANG": "C.UTF-8",
            "GIT_CONFIG_GLOBAL": os.devnull,
        }

    def put(self, path: str, text: str = "x = 1\n", at: float = 0.0) -> None:
        where = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(where), exist_ok=True)
        with open(where, "w", encoding="utf-8") as file:
            file.write(text)
        os.utime(where, (at, at)) if at else None

    def commit(self, message: str, at: float, *paths: str) -> None:
        self.git("add", "--all", "--", *(paths or (".",)))
        self.git("commit", "--quiet", "--allow-empty", "--message", message, at=at)

    def git(self, *words: str, at: float = 0.0) -> None:
        dates = {"GIT_AUTHOR_DATE": stamp(at), "GIT_COMMITTER_DATE": stamp(at)} if at else {}
        subprocess.run(["git", *words], cwd=self.root, env={**self.env, **dates}, check=True)

    def call(self) -> Any:
        args = parser_for(bench_resume).parse(["--now", self.now])
        return call_for(args, cwd=self.root, env=self.env, say=plainly, caller=None)

    def saved(self) -> list[_quality.Work]:
        """Every checkpoint here that can be read."""
        call = self.call()
        streams = call.store.streams()
        found = (one for one in streams if not one.glance.broken)
        return [_quality.saved(call, streams, one) for one in found]

    def unsaved(self) -> _quality.Work:
        call = self.call()
        (one,) = _sessions.gather(call, curves=False)
        return _quality.unsaved(call, one, newest=True)


class Fresh(Place):
    """One with nothing in it yet."""

    def __init__(self, folder: str) -> None:
        super().__init__(os.path.join(folder, "shop"), os.path.join(folder, "home"))
        os.makedirs(self.root)
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("config", "user.name", "Ada")
        self.git("config", "user.email", "ada@example.invalid")


class Made(Fresh):
    """One piece of work on disk: what was saved, then what was said and done and nobody saved."""

    def __init__(self, folder: str, random: Random, kind: str, size: int) -> None:
        super().__init__(folder)
        self.words, self.kind, self.size = Words(random), kind, size
        self.at = (instant(NOW) or 0.0) - 6 * HOURS
        self.log: list[dict[str, Any]] = []

    def make(self) -> Planted:
        areas = self.words.areas
        files = [f"src/{area}/{area}_{part}.py" for area in areas[:10] for part in PARTS]
        for path in (*files, "README.md"):
            self.put(path, at=self.at - 48 * HOURS)
        self.commit("Begin", self.at - 48 * HOURS)
        self.git("switch", "--quiet", "--create", f"feature/{areas[0]}")
        saved = self._save(files)
        self.commit("Save", self.at)
        unsaved = self._talk(files)
        self._move_on(saved, unsaved)
        return Planted(saved, unsaved)

    # What was stated

    def _save(self, files: list[str]) -> Facts:
        shape, say, areas = SHAPES[self.kind], self.words, self.words.areas
        landed = f"Merge the {areas[0]} clean-up (#100)"
        stands = f"The {areas[1]} half works and is tested, the {areas[2]} half is not wired yet."
        named = files[: shape.files]
        work = Checkpoint(
            "work",
            name=f"The new {areas[0]}",
            project="shop",
            created=stamp(self.at - 24 * HOURS),
            updated=stamp(self.at),
            phase="build",
            stage=areas[0],
            branch=f"feature/{areas[0]}",
            intent=f"Replace the {areas[0]} without a day of downtime, the {areas[1]} included",
            summary=f"{stands} {say.notes(shape.summary - estimate(stands))}".strip(),
            decisions=_items(say.some(DECIDED, *shape.decisions)),
            next_actions=_items([landed, *say.some(STEPS, *shape.steps)]),
            rules=_items(say.some(RULES, *shape.rules)),
            artifacts=_items(named),
            progress=tuple(
                Item(f"{one}: schema, store, views, errors, docs", one, {"status": "complete"})
                for one in areas[: shape.rows]
            ),
        )
        held = self._write(self._grown(work))
        return _planted(held, landed, named[:: max(4, len(named) - 1)][:1])

    def _grown(self, work: Checkpoint) -> Checkpoint:
        """With as many notes of what was done as make the document as long as it is to be."""
        notes: list[str] = []
        while sum(estimate(text) for _, text in self._texts(work)) < self.size:
            notes += [self.words.one(NOTES) for _ in range(3)]
            work = work._replace(history=_items(notes))
        return work

    def _texts(self, work: Checkpoint) -> Iterator[tuple[str, str]]:
        parts = (f"{self.kind}.json", self.kind) if self.kind == "thread" else (self.kind,)
        for lens in map(formats.named, parts):
            path = lens.path(work)
            yield path, lens.write(lens.hold(work), "", path)

    def _write(self, work: Checkpoint) -> Checkpoint:
        """The document, and what its format holds of the work."""
        for path, text in self._texts(work):
            self.put(path, text, self.at)
        return formats.named(self.kind).hold(work)

    # What was said and done, and nobody saved

    def _talk(self, files: list[str]) -> Facts:
        """A long session: much reading, some edits, what the person decides, two failures."""
        areas = self.words.areas
        talk = Talk(
            intent=f"Wire the {areas[2]} into the checkout and show its errors to the buyer",
            decided=[form.format(self.words.one(DECIDED)) for form in SETTLED],
            edited=files[10:16],
            failed=[f"make check-{areas[at]}" for at in (4, 5)],
            todos=[f"Rename {areas[at]} handlers to match the new routes" for at in range(6, 10)],
            done=[f"Move the {areas[at]} errors into one table" for at in (10, 11)],
            commits=[f"Show the {areas[at]} errors beside the total" for at in (12, 13)],
        )
        self.ask(talk.intent)
        for at, path in enumerate(talk.edited):
            for area in areas[:12]:
                self.called("Read", file_path=f"{self.root}/src/{area}/notes.md")
                self.said(f"The notes of {area} describe an older state; reading on. " * 8)
            if at % 2 == 0:
                self.ask(talk.decided[at // 2])
            self.called("Edit", file_path=f"{self.root}/{path}", old_string="a", new_string="b")
            self.put(path, f"# changed {at}\n", self.at)
        for message in talk.commits:
            self.called("Bash", command=f"git commit -m '{message}'")
        for command in talk.failed:
            self.called("Bash", command=command, failed=True)
        self.called(
            "TodoWrite", todos=[*_todos(talk.todos, "pending"), *_todos(talk.done, "completed")]
        )
        text = summary(talk, areas, self.words, [talk.intent, *talk.decided])
        self.line("user", {"role": "user", "content": text}, isCompactSummary=True)
        for area in areas:
            self.called("Bash", command=f"rg -n {area} src")
            self.said(f"There are several places that mention {area}; listing them first. " * 4)
        self._end()
        return talk.facts(talk.edited[1])

    def _move_on(self, *stated: Facts) -> None:
        """A pull request lands, files go: what was said of them is so no more."""
        for fact in (fact for facts in stated for fact in facts.stale):
            if fact.kind == PATH:
                os.unlink(os.path.join(self.root, fact.text))
                self.commit(f"Take out {fact.text}", self.at, fact.text)
            else:
                self.git(
                    "commit", "-q", "--allow-empty", "-m", f"Clean up {fact.text[-6:]}", at=self.at
                )

    # How it lies on disk

    def ask(self, text: str) -> None:
        self.line("user", {"role": "user", "content": text})

    def said(self, text: str) -> None:
        self._by_model([{"type": "text", "text": text}])

    def called(self, tool: str, *, failed: bool = False, **given: Any) -> None:
        name = f"call-{len(self.log)}"
        self._by_model([{"type": "tool_use", "id": name, "name": tool, "input": given}])
        block = {"type": "tool_result", "tool_use_id": name, "content": "...", "is_error": failed}
        self.line("user", {"role": "user", "content": [block]})

    def _by_model(self, content: list[dict[str, Any]]) -> None:
        usage = {"input_tokens": 10, "output_tokens": 5}
        message = {"id": f"m{len(self.log)}", "role": "assistant", "model": "claude-sonnet-4-6"}
        self.line("assistant", {**message, "content": content, "usage": usage})

    def line(self, kind: str, message: dict[str, Any], **more: Any) -> None:
        self.at += 7
        known = {"type": kind, "timestamp": stamp(self.at), "sessionId": SESSION, "cwd": self.root}
        self.log.append({**known, "uuid": f"u{len(self.log)}", "message": message, **more})

    def _end(self) -> None:
        folder = os.path.join(self.home, ".claude", "projects", self.root.replace("/", "-"))
        os.makedirs(folder)
        with open(os.path.join(folder, f"{SESSION}.jsonl"), "w", encoding="utf-8") as file:
            file.writelines(json.dumps(one, separators=(",", ":")) + "\n" for one in self.log)


def _todos(texts: Iterable[str], status: str) -> list[dict[str, str]]:
    return [{"content": text, "status": status} for text in texts]


def _items(texts: Iterable[str]) -> tuple[Item, ...]:
    return tuple(map(Item, texts))


def _planted(held: Checkpoint, landed: str, gone: list[str]) -> Facts:
    """What was stated, as far as the format has a place for it, and what will be so no more."""
    named = {one.text for one in (*held.next_actions, *held.artifacts)}
    so_no_more = {landed: "action", **dict.fromkeys(gone, "file")}
    against = (
        Verdict(kind, "", about, CONTRADICTED, "")
        for about, kind in so_no_more.items()
        if about in named
    )
    return of_checkpoint(held, [*against])
