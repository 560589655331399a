"""What a new session knows: facts that were planted in made-up work, and how many of them survive.

Each piece of work is a git repository with a checkpoint in one of the formats, written by leftoff
from words that the generator knows, and a conversation in which another set of facts was said and
done, ended without a save. Then the world moves on: pull requests land, files go. Every way of
telling gets the same budget; `stale` counts what is no longer so and is told as if it were. The
summary is one that forgot nothing, as no model writes it, cut to the budget. Behind these stand
documents that people had, where the samples are at hand; their facts are what they state.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from measure import put_into
from report import Goal, at_least

from leftoff import formats
from leftoff.commands import _quality, _sessions, bench_resume, plainly
from leftoff.core.model import Checkpoint, Item
from leftoff.core.quality import (
    BUDGETS,
    COMMAND,
    FILE,
    PATH,
    Fact,
    Facts,
    Score,
    score,
    share,
    total,
)
from leftoff.core.when import instant, stamp
from leftoff.entry.calls import call_for, parser_for

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCK = "bench-resume"
NOW = "2026-08-08T12:00:00Z"
SAMPLES = os.path.join(os.path.dirname(ROOT), "shared", "samples")
REAL = {
    "opchain/head": ".checkpoints",
    "coihuin/932642c6/active": "checkpoints/active",
    "hapi-thread/MCP-Nexus-e847b003/dot-checkpoints/threads": ".checkpoints/threads",
}
"""Folders of the samples, and where in a project they belong."""
SESSION = "0badcafe-0000-4000-8000-000000000001"
FORMATS = ("skill", "md", "thread", "task")
AGES = (10, 40, 100)
"""Entries of history: documents of about 5, 9 and 16 KB, as people have them (4 to 19 KB)."""
TARGET, TIMES, AT = 0.95, 1.5, 1000
_AREAS = (
    *("ledger", "invoice", "courier", "catalog", "voucher", "refund", "shipment", "tariff"),
    *("session", "avatar", "webhook", "mailer", "sitemap", "quota", "tenant", "replica"),
)
_DECIDED = (
    "The {a} keeps amounts as integers in cents, never as floats",
    "Retries of the {a} stop after five tries with doubled delays",
    "The {a} writes to its own table so that {b} can be rebuilt alone",
    "We talk to the {a} over gRPC, since the REST gateway drops trailers",
    "Deleting a {a} only marks it; a nightly job removes it after 90 days",
    "The {a} takes its limits from the {b} settings, not from the environment",
    "Every {a} gets a UUIDv7 as its key, so that pages sort by time",
    "The {a} importer stays synchronous until the {b} queue is replaced",
)
_STEPS = (
    "Write the migration that moves every {a} to the new {b} schema",
    "Make the {a} endpoint answer 409 when two writers meet",
    "Cover the {a} parser with the samples that support sent",
    "Let the {a} page show why a {b} was refused",
    "Take the old {a} client out once nothing imports it",
)
_RULES = (
    "Ask before a new dependency enters the {a} package",
    "Commit messages of the {a} name the ticket",
    "No mocks of the {a} in tests: run the real one",
)
_NOTES = (
    "Moved the {a} tests beside the code they test, and made the slow ones share one {b} fixture",
    "Read through the {a} logs of last week: nothing but the {b} warnings that are known already",
    "Split the {a} module in two after the review of the {b} change, with no change of behaviour",
    "Measured the {a} import again: 14 s before, 9 s with the {b} index, 9 s with both indexes",
)
_PARTS = ("store", "views")
_QUESTIONS = ("Does finance need the {a} export before the quarter ends?",)


class Planted(NamedTuple):
    """What the generator said, and what has become of it."""

    saved: Facts
    unsaved: Facts


class Line(NamedTuple):
    """One row of the table."""

    kind: str
    budget: int
    way: str
    score: Score
    works: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--works", type=int, default=24, help="pieces of work to make")
    parser.add_argument("--markdown", type=os.path.abspath, metavar="FILE")
    options = parser.parse_args()
    found: dict[tuple[str, int, str], list[Score]] = {}
    with tempfile.TemporaryDirectory() as folder:
        made = (scored(os.path.join(folder, str(n)), n) for n in range(options.works))
        for some in (*made, captured(os.path.join(folder, "real"))):
            for key, one in some:
                found.setdefault(key, []).append(one)
    lines = [Line(*key, total(scores), len(scores)) for key, scores in found.items()]
    text = report(lines)
    print(text)
    if options.markdown:
        put_into(options.markdown, BLOCK, text, [*goals(lines)])


def scored(folder: str, n: int) -> Iterator[tuple[tuple[str, int, str], Score]]:
    """Make one piece of work and let every way tell of it at every budget."""
    age = AGES[n // len(FORMATS) % len(AGES)]
    work = Made(folder, Random(n), FORMATS[n % len(FORMATS)], age)
    planted = work.make()
    for told, facts in ((work.saved(), planted.saved), (work.unsaved(), planted.unsaved)):
        for budget in BUDGETS:
            for way, text in told.told(work.call(), budget).items():
                yield (told.kind, budget, way), score(facts, text)


def captured(folder: str) -> Iterator[tuple[tuple[str, int, str], Score]]:
    """The same with documents that people had, where they are; the facts are what they state."""
    if not os.path.isdir(SAMPLES):
        return
    work = Made(folder, Random(0), "")
    for source, target in REAL.items():
        shutil.copytree(os.path.join(SAMPLES, source), os.path.join(work.root, target))
    work.git("init", "--quiet", "--initial-branch=main")
    work.commit("Begin")
    call = work.call()
    streams = call.store.streams()
    for stream in streams:
        if not stream.glance.broken:
            told = _quality.saved(call, streams, stream)
            for budget in BUDGETS:
                for way, text in told.told(call, budget).items():
                    yield ("resume, captured", budget, way), score(told.facts, text)


def report(lines: list[Line]) -> str:
    """The table, and whether the targets are met."""
    order = sorted(lines, key=lambda one: (one.kind, one.budget, _quality.WAYS.index(one.way)))
    head = ["through", "budget", "told by", "facts kept", "share", "stale as true", "tokens each"]
    rows = [
        [
            one.kind,
            str(one.budget),
            _quality.NAMES[one.way],
            f"{one.score.kept}/{one.score.of}",
            f"{share(one.score.kept, one.score.of):.3f}",
            f"{one.score.stale}/{one.score.of_stale}",
            str(round(one.score.tokens / one.works)),
        ]
        for one in order
    ]
    lines_of = [head, ["---"] * len(head), *rows]
    drawn = "\n".join(f"| {' | '.join(row)} |" for row in lines_of)
    return "\n\n".join([drawn, *verdicts(order)])


def verdicts(lines: list[Line]) -> Iterator[str]:
    """The targets of the issue, each as met or not."""
    yield f"Stale facts that leftoff told as true: {_stale(lines)} (aim: 0)."
    for one in compared(lines):
        met = "met" if one.share >= TARGET and one.times >= TIMES else "not met"
        yield (
            f"Through {one.kind} at {AT} tokens: {one.share:.3f} of the facts (aim: {TARGET}), "
            f"{one.times:.2f} x {one.best} (aim: {TIMES}): {met}."
        )


def goals(lines: list[Line]) -> Iterator[Goal]:
    """The same for the table of all targets."""
    stale = _stale(lines)
    yield Goal(7, "stale facts told as true", str(stale), "0", stale == 0)
    for one in compared(lines):
        what = f"facts kept through {one.kind}, {AT} tokens"
        yield at_least(7, what, one.share, TARGET)
        yield at_least(7, what, one.times, TIMES, f"x {one.best}")


class Compared(NamedTuple):
    kind: str
    share: float
    times: float
    best: str
    """the best of the other ways, of which ours is so many times"""


def compared(lines: list[Line]) -> Iterator[Compared]:
    for kind in sorted({one.kind for one in lines}):
        at = {one.way: one.score for one in lines if (one.kind, one.budget) == (kind, AT)}
        shares = {way: share(one.kept, one.of) for way, one in at.items()}
        own = shares.pop(_quality.LEFTOFF)
        best = max(shares, key=lambda way: shares[way])
        times = own / shares[best] if shares[best] else float("inf")
        yield Compared(kind, own, times, _quality.NAMES[best])


def _stale(lines: list[Line]) -> int:
    return sum(one.score.stale for one in lines if one.way == _quality.LEFTOFF)


class Made:
    """One piece of work on disk: a home, a repository, a checkpoint, a conversation."""

    def __init__(self, folder: str, random: Random, kind: str, age: int = 30) -> None:
        self.random, self.kind, self.age = random, kind, age
        self.root, self.home = os.path.join(folder, "shop"), os.path.join(folder, "home")
        os.makedirs(self.root)
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": self.home,
            "LEFTOFF_STATE": os.path.join(self.home, "state"),
            "LANG": "C.UTF-8",
            "GIT_CONFIG_GLOBAL": os.devnull,
        }
        self.name, self.at = "work", (instant(NOW) or 0.0) - 6 * 3600
        self.log: list[dict[str, Any]] = []

    def make(self) -> Planted:
        self.git("init", "--quiet", "--initial-branch=main")
        areas = self.random.sample(_AREAS, len(_AREAS))
        files = [f"src/{area}/{area}_{part}.py" for area in areas[:10] for part in _PARTS]
        for path in (*files, "README.md"):
            self.put(path)
        self.commit("Begin")
        self.git("switch", "--quiet", "--create", f"feature/{areas[0]}")
        saved = self._save(areas, files)
        self.commit("Save")
        unsaved = self._talk(areas, files)
        self._move_on(saved)
        return Planted(saved, unsaved)

    # What was stated

    def _save(self, areas: list[str], files: list[str]) -> Facts:
        decided = [self._said(_DECIDED, areas) for _ in range(12)]
        steps = [self._said(_STEPS, areas) for _ in range(6)]
        landed = [f"Merge the {areas[at]} clean-up (#{100 + at})" for at in range(3)]
        stands = f"The {areas[1]} half works and is tested, the {areas[2]} half is not wired yet."
        tried = " ".join(f"The {one} cache was tried twice and dropped." for one in areas[3:9])
        work = Checkpoint(
            self.name,
            name=f"The new {areas[0]}",
            project="shop",
            created=stamp(self.at - 86400),
            updated=stamp(self.at),
            status="in_progress",
            phase="build",
            stage=areas[0],
            branch=f"feature/{areas[0]}",
            intent=f"Replace the {areas[0]} without a day of downtime",
            summary=f"{stands} {tried}",
            decisions=self._items(decided),
            next_actions=self._items([*landed[:2], *steps, *landed[2:]]),
            rules=self._items(self._said(_RULES, areas) for _ in range(3)),
            questions=self._items(self._said(_QUESTIONS, areas) for _ in range(2)),
            artifacts=self._items(files),
            progress=tuple(
                Item(f"{one}: schema, store, views, errors, docs", one, {"status": "complete"})
                for one in areas
            ),
            context="\n".join(f"- {self._said(_NOTES, areas)}" for _ in range(10)),
            history=self._items(self._said(_NOTES, areas) for _ in range(self.age)),
        )
        return self._planted(self._write(work), landed, files[:4])

    def _planted(self, held: Checkpoint, landed: list[str], gone: list[str]) -> Facts:
        """What was stated, as far as the format has a place for it, and what will be so no more."""
        lists = {"decision": held.decisions, "rule": held.rules, "question": held.questions}
        kept = [Fact(kind, one.text) for kind, items in lists.items() for one in items]
        kept += [Fact("step", one.text) for one in held.next_actions if one.text not in landed]
        texts = {"intent": held.intent, "state": held.summary.partition(".")[0]}
        kept += [Fact(kind, text) for kind, text in texts.items() if text]
        stale = [Fact("step", one.text) for one in held.next_actions if one.text in landed]
        files = {one.text for one in held.artifacts}
        stale += [Fact(PATH, path) for path in gone if path in files]
        return Facts(tuple(dict.fromkeys(kept)), tuple(stale))

    def _write(self, work: Checkpoint) -> Checkpoint:
        """The document of the format, and what it holds of the work."""
        parts = (f"{self.kind}.json", self.kind) if self.kind == "thread" else (self.kind,)
        for name in parts:
            lens = formats.named(name)
            path = lens.path(work)
            self.put(path, lens.write(lens.hold(work), "", path))
        return formats.named(self.kind).hold(work)

    # What was said and done, and nobody saved

    def _talk(self, areas: list[str], files: list[str]) -> Facts:
        """A long session: much reading, some edits, what the person decides, two failures."""
        intent = f"Wire the {areas[2]} into the checkout and show its errors to the buyer"
        decided = [f"Let us decide: {self._said(_DECIDED, areas)}." for _ in range(3)]
        edited = files[6:12]
        failed = [f"make check-{areas[at]}" for at in (4, 5)]
        todos = [f"Rename {areas[at]} handlers to match the new routes" for at in range(6, 10)]
        self.ask(intent)
        for at, path in enumerate(edited):
            for area in areas[:12]:
                self.called("Read", file_path=f"{self.root}/src/{area}/notes.md")
                self.said(f"The notes of {area} describe an older state; reading on. " * 8)
            if at % 2 == 0:
                self.ask(decided[at // 2])
            self.called("Edit", file_path=f"{self.root}/{path}", old_string="a", new_string="b")
            self.put(path, f"# changed {at}\n")
        for command in failed:
            self.called("Bash", command=command, failed=True)
        self.called("TodoWrite", todos=[{"content": one, "status": "pending"} for one in todos])
        self._compacted(intent, decided, edited, failed, todos, areas)
        for area in areas:
            self.called("Bash", command=f"rg -n {area} src")
            self.said(f"There are several places that mention {area}; listing them first. " * 4)
        self._end()
        kept = [Fact("intent", intent), *(Fact(FILE, path) for path in edited)]
        kept += [Fact("decision", one) for one in decided]
        kept += [Fact(COMMAND, one) for one in failed] + [Fact("step", one) for one in todos]
        return Facts(tuple(kept))

    def _compacted(self, intent: str, *lists: list[str]) -> None:
        """A summary in the form that Claude Code asks its model for, which forgets nothing."""
        decided, edited, failed, todos, areas = lists
        notes = "".join(
            f"   - src/{one}/store.py: Looked at how the {one} is built and how errors travel "
            f"through it; no change was necessary, but the naming differs from the other modules.\n"
            for one in areas
        )
        text = (
            "This session is being continued from a previous conversation that ran out of context."
            f"\nAnalysis:\nLet me go through the conversation in order.\n{notes}"
            f"\nSummary:\n1. Primary Request and Intent:\n   {intent}\n"
            "2. Key Technical Concepts:\n"
            + "".join(f"   - {one}\n" for one in decided)
            + "3. Files and Code Sections:\n"
            + "".join(f"   - {one}: edited in this session\n" for one in edited)
            + "4. Errors and fixes:\n"
            + "".join(f"   - `{one}` failed and is not repaired\n" for one in failed)
            + "5. Pending Tasks:\n"
            + "".join(f"   - {one}\n" for one in todos)
        )
        self.line("user", {"role": "user", "content": text}, isCompactSummary=True)

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

    def _move_on(self, saved: Facts) -> None:
        """Pull requests land, files go: what the checkpoint says of them is so no more."""
        for fact in saved.stale:
            if fact.kind == PATH:
                os.unlink(os.path.join(self.root, fact.text))
            else:
                self.commit(f"Clean up {fact.text.rpartition(' ')[2]}", "--allow-empty")
        self.commit("Take out what nobody uses", "--allow-empty")

    def put(self, path: str, text: str = "x = 1\n") -> None:
        where = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(where), exist_ok=True)
        with open(where, "w", encoding="utf-8") as file:
            file.write(text)

    def commit(self, message: str, *more: str) -> None:
        self.git("add", "--all", "--", ":!src/*/*_views.py" if "Take" in message else ".")
        self.git("commit", "--quiet", "--message", message, *more)

    def git(self, *words: str) -> None:
        who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.invalid")
        subprocess.run(["git", *who, *words], cwd=self.root, env=self.env, check=True)

    def _said(self, forms: tuple[str, ...], areas: list[str]) -> str:
        one, other = self.random.sample(areas, 2)
        return self.random.choice(forms).format(a=one, b=other)

    def _items(self, texts: Any) -> tuple[Item, ...]:
        return tuple(Item(text) for text in dict.fromkeys(texts))

    # What a new session would be told

    def call(self) -> Any:
        args = parser_for(bench_resume).parse(["--now", NOW])
        return call_for(args, cwd=self.root, env=self.env, say=plainly, caller=None)

    def saved(self) -> _quality.Work:
        call = self.call()
        streams = call.store.streams()
        return _quality.saved(call, streams, streams[0])

    def unsaved(self) -> _quality.Work:
        call = self.call()
        (one,) = _sessions.gather(call, curves=False)
        return _quality.unsaved(call, one, newest=True)


if __name__ == "__main__":
    main()
