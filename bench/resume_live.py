"""Sessions of real clients that nobody saved, for `resume.py`: played anew, then killed.

What a person said and what came of it stands in `sessions/*.toml`, one piece of work each, written
down before anybody looked at what leftoff makes of it. A real client plays it against a model on
loopback that says its part: it reads, edits, commits, runs what fails and keeps a list of to-dos
with the client's own tools; the client compacts where it can be brought to, goes on, and is killed
while it works. No hook of leftoff is installed: all there is to go by is what the client wrote.
"""

from __future__ import annotations

import os
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from random import Random
from threading import Event

from resume_talk import Talk, Words, summary
from resume_works import HOURS, Place

from leftoff.commands._quality import SUMMARY, Work
from leftoff.core.quality import Facts
from leftoff.core.when import stamp

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(os.path.dirname(HERE), "tests"))

from clients import install  # noqa: E402
from clients.box import CLIENTS, Box, ClientFailed, box, end, wait_for  # noqa: E402
from clients.driver import Driver, Run  # noqa: E402
from clients.driver import install as lay  # noqa: E402
from clients.drivers import CLAUDE, CODEX, COPILOT, GEMINI, HEADLESS, OPENCODE  # noqa: E402
from clients.fake_model import Step  # noqa: E402
from clients.wires import Call, Reply, Use  # noqa: E402

Tasks = Callable[..., Call]
LOOK = (
    "The {0} reads older than the rest of it; I go on to the next place before I change anything. "
)


@dataclass(frozen=True)
class Turn:
    """What the person said, what of it must be known later, and what the agent did then."""

    says: str
    answer: str
    decides: list[str] = field(default_factory=list)
    looks: int = 0
    edits: list[str] = field(default_factory=list)
    commits: list[str] = field(default_factory=list)
    fails: list[str] = field(default_factory=list)
    tries: list[str] = field(default_factory=list)
    """commands that fail, too, and that nobody needs to know of"""
    plans: bool = False
    """the list of to-dos is written down; the last time with what is done"""
    tells: str = ""
    """how the answer puts that list where the client has no tool for it; else as two short lists"""


@dataclass(frozen=True)
class Overturned:
    """What was proposed or settled and then taken back, and the words that took its place."""

    said: str
    by: str


@dataclass(frozen=True)
class Script:
    """A whole session."""

    branch: str
    areas: list[str]
    turns: list[Turn]
    talk: Talk
    gone: str
    """a file that goes after the session"""
    clients: list[str]
    """who plays it"""
    round: int
    """the pieces of the first were there when leftoff learned to draft; later ones came after it"""
    overturned: list[Overturned]
    """stale where it is told alone"""

    @property
    def facts(self) -> Facts:
        """What must be known of it."""
        return self.talk.facts(self.gone)


def scripts() -> list[Script]:
    """All of them, by name."""
    names = sorted(os.listdir(os.path.join(HERE, "sessions")))
    return [script(name.removesuffix(".toml")) for name in names]


def script(name: str) -> Script:
    """The session of a name."""
    with open(os.path.join(HERE, "sessions", f"{name}.toml"), "rb") as file:
        told = tomllib.load(file)
    turns, plan = [Turn(**one) for one in told["turns"]], told["plan"]

    def each(name: str) -> list[str]:
        return [one for turn in turns for one in getattr(turn, name)]

    talk = Talk(
        intent=told["intent"],
        decided=each("decides"),
        edited=each("edits"),
        failed=each("fails"),
        todos=plan["open"],
        done=plan["done"],
        commits=each("commits"),
    )
    about = told["branch"], told["areas"], turns, talk, plan["gone"]
    overturned = [Overturned(**one) for one in told.get("overturned", ())]
    return Script(*about, told["clients"], told["round"], overturned)


# How each client keeps a list of to-dos, and asks for a summary


def _whole(tool: str, text: str, **more: str) -> Tasks:
    """The way of those who give the whole list every time."""

    def tasks(done: list[str], still: list[str], *, again: bool) -> Call:
        word = "completed" if again else "pending"
        rows = [*((one, word) for one in done), *((one, "pending") for one in still)]
        return Call(tool, {"todos": [{text: one, "status": word, **more} for one, word in rows]})

    return tasks


def _by_query(done: list[str], still: list[str], *, again: bool) -> Call:
    """Copilot's way: a table of the session."""
    if again:
        names = ", ".join(f"'t{n}'" for n in range(len(done)))
        query = f"UPDATE todos SET status = 'done' WHERE id IN ({names})"
    else:
        rows = ", ".join(f"('t{n}', '{one}', 'pending')" for n, one in enumerate((*done, *still)))
        query = f"INSERT INTO todos (id, title, status) VALUES {rows}"
    return Call("sql", {"query": query, "description": "Keep the to-dos"})


TASKS: dict[str, Tasks] = {
    GEMINI.client: _whole("write_todos", "description"),
    OPENCODE.client: _whole("todowrite", "content", priority="medium"),
    COPILOT.client: _by_query,
}
"""Claude Code and Codex, as they run here, offer their models no such tool: there the agent says in
its answer what is done and what is left."""
ASKING = {
    CLAUDE.client: "<summary> block",
    CODEX.client: "CONTEXT CHECKPOINT COMPACTION",
    GEMINI.client: "<state_snapshot>",
    OPENCODE.client: "Here is the conversation so far",
    COPILOT.client: "Please create a detailed summary",
}
"""What stands in a client's request for a summary."""
MOST_ASKED = 9
"""How often a client may ask: Gemini CLI wants its summary looked over."""
FLAGS = {CODEX.client: ("-c", "model_auto_compact_token_limit=90000")}
FULL = {GEMINI.client: Use(990_000), COPILOT.client: Use(126_000)}
"""More than the client has room for: it compacts before it asks again."""


class Played(Place):
    """One script in one client, and what is left of it."""

    def __init__(self, box: Box, driver: Driver, script: Script) -> None:
        super().__init__(box.repo, box.home, stamp(time.time() + HOURS))
        self.box, self.driver, self.script = box, driver, script
        self.words = Words(Random(len(script.branch)), script.areas)
        asked = [turn.says for turn in script.turns]
        self.summary = summary(script.talk, self.words.areas, self.words, asked)
        reply = Reply(f"<summary>{self.summary}</summary>")
        self.summing = Step(reply, prompt=ASKING[driver.client], times=MOST_ASKED)

    def play(self) -> None:
        """From the first prompt to the kill, and on: a file goes."""
        lay(self.box, self.driver)
        for area in self.script.areas:
            self.put(f"docs/{area}.md", f"# {area}\n\n{self.words.notes(120)}\n")
        for path in self.script.talk.edited:
            os.makedirs(os.path.dirname(os.path.join(self.root, path)), exist_ok=True)
        self.commit("Notes", 0.0)
        self.git("switch", "--quiet", "--create", self.script.branch)
        run = self._talk()
        if self.driver is CLAUDE:
            self.box.model.script(self.summing)
            self.driver.go_on(self.box, run, "/compact")
        self._die(run)
        os.unlink(os.path.join(self.root, self.script.gone))
        self.commit(f"Take out {self.script.gone}", 0.0)

    def _talk(self) -> Run:
        run: Run | None = None
        for turn in self.script.turns:
            self.box.model.script(*self._said_in(turn))
            said = turn.says, *self._flags
            run = (
                self.driver.go_on(self.box, run, *said) if run else self.driver.run(self.box, *said)
            )
        assert run
        return run

    def _said_in(self, turn: Turn) -> Iterator[Step]:
        """All that the agent does and says in a turn.

        Some clients ask the model for a title beside the first prompt: where the last step before
        the answer is a command, nobody gets the answer but who has its result.
        """
        calls, shell = [*self._calls(turn)], self.driver.shell("").tool
        yield from self._steps(calls)
        after = shell if calls and calls[-1].tool == shell else ""
        yield Step(Reply(self._answer(turn)), after=after)

    def _die(self, run: Run) -> None:
        """Somebody says to go on, the agent looks around, and the machine goes off."""
        never = Event()
        full, *rest = self._steps(self._looks(self.script.areas))
        full.reply = replace(full.reply, use=FULL.get(self.driver.client, Use(99_000)))
        last = Step(Reply("It is", hold=never), after=self.driver.shell("").tool)
        self.box.model.script(self.summing, full, *rest, last)
        words = (word.format(id=run.session) for word in self.driver.resume)
        process = self.driver.start(self.box, "go on", *self._flags, *words)
        wait_for("the last answer to be asked for", lambda: not last.times)
        end(process)
        never.set()

    @property
    def _flags(self) -> tuple[str, ...]:
        return FLAGS.get(self.driver.client, ())

    def unsaved(self) -> Work:
        """What is left, and the summary that the client got, wherever it keeps that."""
        if self.summing.times == MOST_ASKED:
            raise ClientFailed(f"{self.driver.client} asked for no summary")
        found = super().unsaved()
        return found._replace(others={SUMMARY: self.summary, **found.others})

    # What the agent does and says

    def _calls(self, turn: Turn) -> Iterator[Call]:
        driver, plan = self.driver, self.script.talk
        yield from self._looks(self.words.areas[: turn.looks])
        for path in turn.edits:
            yield driver.edit(self.box, path, f"# {path}\n{self.words.notes(60)}\n")
        for message in turn.commits:
            yield driver.shell(f"git add --all && git commit --quiet -m '{message}'")
        yield from map(driver.shell, (*turn.tries, *turn.fails))
        if turn.plans and driver.client in TASKS:
            yield TASKS[driver.client](plan.done, plan.todos, again=self._again(turn))

    def _again(self, turn: Turn) -> bool:
        """Whether the list was written down before: now it has what is done."""
        return turn is not next(one for one in self.script.turns if one.plans)

    def _answer(self, turn: Turn) -> str:
        if not turn.plans or self.driver.client in TASKS:
            return turn.answer
        if turn.tells:
            return f"{turn.answer}\n\n{turn.tells}"
        plan = self.script.talk
        done, still = (plan.done, plan.todos) if self._again(turn) else ([], plan.done + plan.todos)
        parts = [turn.answer, *_section("Done", done), *_section("Still open", still)]
        return "\n\n".join(parts)

    def _looks(self, areas: Iterable[str]) -> Iterator[Call]:
        return (self.driver.shell(f"sed -n 1,40p docs/{area}.md") for area in areas)

    def _steps(self, calls: Iterable[Call]) -> list[Step]:
        return [Step(Reply(self._remark(), (call,))) for call in calls]

    def _remark(self) -> str:
        return LOOK.format(self.words.random.choice(self.words.areas)) * 2


def _section(name: str, texts: list[str]) -> Iterator[str]:
    if texts:
        yield f"{name}:\n" + "\n".join(f"- {one}" for one in texts)


def sessions() -> list[tuple[Script, Driver]]:
    """Every piece of work with each client that plays it, the first round before the others."""
    drivers = {driver.client: driver for driver in HEADLESS}
    known = sorted(scripts(), key=lambda one: one.round)
    return [(one, drivers[name]) for one in known for name in one.clients]


@contextmanager
def played(script: Script, driver: Driver) -> Iterator[Played]:
    """What is left of a session after its end."""
    with box() as made:
        one = Played(made, driver, script)
        one.play()
        yield one


def is_installed() -> bool:
    """Whether the clients are here, at the versions that this is written for."""
    names = (name for driver in HEADLESS for name in (driver.client, *driver.needs))
    return all(install.version(one, CLIENTS) == install.PINNED[one][1] for one in names)
