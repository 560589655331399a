"""Whatever comes, grows and goes, a server that looks at changes lists what a process does that looks
at everything."""

from __future__ import annotations

import os
from itertools import product
from random import Random

import pytest

from histories import HOUR, Talk, aged, delegated, ident, journal, started, state
from leftoff.entry.calls import answer
from leftoff.world import archive_copy, archive_upkeep, transcripts
from leftoff.world.inotify import Notices
from leftoff.world.server_cache import ServerCache
from leftoff.world.server_sessions import ServerSessions
from projects import NOW
from support import repo

LISTS = [
    ("--agent", "claude-code"),  # reads every session
    ("--limit", "50"),  # reads those of one page
    ("--everywhere", "--agent", "claude-code"),
    ("--everywhere", "--limit", "50"),
    ("--thread", "thread-00000001"),
    ("--thread", "thread-00000001", "--limit", "50"),
]
SESSIONS = 6
SEEDS = 60 if os.environ.get("LEFTOFF_LAWS") == "long" else 4


class World:
    """A few sessions, all but the last of one project, and what may happen to them.

    A journal, or a subagent, may be of the other project all the same.
    """

    def __init__(self, root: str, elsewhere: str, seed: int) -> None:
        self.chance = Random(seed)
        self.both = root, elsewhere
        self.roots = [root] * (SESSIONS - 1) + [elsewhere]
        self.told: list[tuple[str, int]] = []

    def change(self) -> None:
        n = self.chance.randrange(SESSIONS)
        heard = [self.start, self.continue_, self.bind, self.end, self.unhear]
        written = [self.begin, self.go_on, self.delegate, self.archive, self.lose]
        what = self.chance.choice([*heard, *written, *written, self.prune])
        self.told.append((what.__name__, n))
        what(n, self.chance.randrange(1, 100) * HOUR)

    def transcript(self, n: int) -> str:
        folder = self.roots[n].replace("/", "-").replace(".", "-")
        home = os.environ["HOME"]
        return os.path.join(home, ".claude", "projects", folder, f"{ident(n)}.jsonl")

    def begin(self, n: int, ago: float) -> None:
        talk = Talk(n, self.roots[n]).ask(ago, f"Part {n}").answer(ago - 60, "ok", 100)
        aged(talk.save(), ago)

    def go_on(self, n: int, ago: float) -> None:
        if os.path.exists(self.transcript(n)):
            with open(self.transcript(n), "a", encoding="utf-8") as file:
                file.write(Talk(n, self.roots[n]).ask(ago, "more").lines[0] + "\n")
            aged(file.name, ago)

    def delegate(self, n: int, ago: float) -> None:
        """A new subagent, or an older one goes on; it may work in the other project."""
        talk = Talk(n, self.chance.choice(self.both)).ask(ago, "Look").answer(ago - 60, "ok", 100)
        name = f"agent-{self.chance.randrange(3)}"
        aged(delegated(self.transcript(n), talk, name), ago)

    def start(self, n: int, ago: float) -> None:
        self.tell(n, ago)

    def continue_(self, n: int, ago: float) -> None:
        self.tell(n, ago, before=ident(self.chance.randrange(SESSIONS)))

    def bind(self, n: int, ago: float) -> None:
        thread = {"thread": f"thread-0000000{self.chance.randrange(3)}"}
        unsaid = self.chance.random() < 0.3  # where it began, only its transcript knows
        if unsaid:
            aged(journal(n, (ago, "bind", thread)), ago)
        else:
            self.tell(n, ago, (ago, "bind", thread))

    def end(self, n: int, ago: float) -> None:
        self.tell(n, ago, (ago, "end", {}))

    def tell(self, n: int, ago: float, *lines: tuple, before: str = "") -> None:
        root = self.chance.choice((self.roots[n], *self.both))
        aged(journal(n, started(ago, root, **{"from": before}), *lines), ago)

    def unhear(self, n: int, _: float) -> None:
        remove(os.path.join(state(), "sessions", "claude-code", f"{ident(n)}.jsonl"))

    def lose(self, n: int, _: float) -> None:
        remove(self.transcript(n))

    def archive(self, _: int, __: float) -> None:
        to = archive_copy.keeper(state(), os.environ, 0.0)
        archive_copy.copy_all(transcripts.find(os.environ), to)

    def prune(self, n: int, _: float) -> None:
        archive_upkeep.take_out(state(), [("claude-code", ident(n))], "pruned", 0.0)


def remove(path: str) -> None:
    if os.path.exists(path):
        os.remove(path)


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.usefixtures("at_once")
def test_a_server_lists_what_a_process_does(tmp_path, way, seed):
    root, elsewhere, env, clock = repo(tmp_path), str(tmp_path / "other"), dict(os.environ), [0.0]
    os.mkdir(elsewhere)
    world = World(root, elsewhere, seed)
    notices = None if way == "asks" else Notices(lambda: clock[0])
    server_sessions = ServerSessions(state(), env, lambda: clock[0], notices)
    keep = ServerCache(lambda: server_sessions.look().mark, lambda: clock[0])
    for _ in range(30):
        for _ in range(world.chance.randrange(1, 4)):
            world.change()
        clock[0] += world.chance.choice([1.0, 2.0, 30.0, 70.0])
        for project, chosen in product((root, elsewhere), LISTS):
            line = ("session", "list", "--all", *chosen, "--now", NOW, "--project", project)
            alone = answer(line, cwd=root, env=env).data
            served = answer(
                line, cwd=root, env=env, keep=keep, server_sessions=server_sessions
            ).data
            for each in (alone, served):  # a page has them by the times of their files
                each["sessions"].sort(key=lambda one: one["id"])
            assert served == alone, (project, chosen, world.told)
