"""Scenes of `team push`: a real PostgreSQL, a colleague's rows in it, and a push that is hit.

Beside the files of the person's state, each word with the server is a point: killed before it is
sent (before a batch, in the middle of its COPY), killed or cut off before the answer is read (the
server takes the batch over all the same, and nobody here knows it).
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence

from crash_points import Command, Ended, Scene
from scenes_conversations import ID, TURNS, lines, transcript
from stage import (
    LATER,
    NOW,
    PROGRAM,
    ROOT,
    ask,
    documents,
    environment,
    git,
    lay_project,
    must,
    project,
    swept,
    write,
)

sys.path.append(os.path.join(ROOT, "tests"))

from leftoff.world.team_tables import TABLES
from postgres.server import Server, end_in_order

OTHER = ID.replace("2222", "3333")
_PUSH = ("team", "push")
_KINDS = ("sessions", "texts", "documents", "evidence")
Row = tuple[str, str]


def serving() -> Server:
    """The PostgreSQL of these scenes: it goes with this program, also when that is told to end."""
    end_in_order()
    # its processes are never harmed: what it wrote is in the system's hands already
    return Server("fsync=off")


class Store:
    """A team store that can be put back to where it was; `me` and `they` push into it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.me, self.they = (server.role(name) for name in ("ada", "bo"))

    def url(self, who: tuple[str, str]) -> str:
        return self.server.url(*who, "store")

    def make(self) -> str:
        """A new one; the administrator's address."""
        self._anew("DROP DATABASE IF EXISTS laid", "CREATE DATABASE store")
        return self.server.url(database="store")

    def admit(self) -> None:
        """Both become members, once the first `team init` has made the role."""
        with self.server.admin() as link:
            for name, _ in (self.me, self.they):
                link.execute(f"GRANT leftoff_member TO {name}")

    def keep(self) -> None:
        """Remember it as it is now."""
        with self.server.admin() as link:
            link.execute("CREATE DATABASE laid TEMPLATE store")

    def put_back(self) -> None:
        self._anew("CREATE DATABASE store TEMPLATE laid")

    def _anew(self, *made: str) -> None:
        with self.server.admin() as link:
            for command in ("DROP DATABASE IF EXISTS store WITH (FORCE)", *made):
                link.execute(command)

    def rows(self, who: tuple[str, str]) -> list[Row]:
        """All that is theirs, past every policy, but for when and whence it came."""
        one = "SELECT (to_jsonb(t) - '{pushed,machine,hash,at}'::text[])::text FROM leftoff"
        with self.server.admin("store") as link:
            found = (
                (table, text)
                for table in TABLES
                for (text,) in link.execute(f"{one}.{table} t WHERE owner = %s", [who[0]])
            )
            return sorted(found)


class Push:
    """A push over what an earlier one, of so many turns, left; `then` is done between the two."""

    def __init__(self, store: Store, name: str, *then: Sequence[str], turns: int) -> None:
        self.store, self.name, self.then, self.turns = store, name, then, turns
        self.old: list[Row] = []
        self.new: list[Row] = []
        self.others: list[Row] = []
        self.before: dict[str, bytes] = {}

    def lay(self, folder: str) -> None:
        lay_project(folder)
        git(folder, "config", "user.email", "ada@example.invalid")  # her document is hers to push
        for name in ("threads", "../checkpoints", "../.workflow_artifacts"):
            shutil.rmtree(os.path.join(project(folder), ".checkpoints", name))
        must(folder, "team", "init", LEFTOFF_TEAM_URL=self.store.make())
        self.store.admit()
        self.talk(folder, TURNS)
        self.tell(folder, self.store.they, "team", "share", "text")
        self.tell(folder, self.store.they, *_PUSH)
        self.others = self.store.rows(self.store.they)
        if self.turns:
            self.talk(folder, self.turns)
            self.tell(folder, self.store.me, *_PUSH)
        self.talk(folder, TURNS)
        for words in self.then:
            self.tell(folder, self.store.me, *words)
        self.old, self.before = self.store.rows(self.store.me), documents(folder)
        self.store.keep()

    def talk(self, folder: str, turns: int) -> None:
        """Two sessions of so many turns, as their client wrote them down."""
        for session in (ID, OTHER):
            write(transcript(folder, session), lines(folder, turns, session))

    def tell(self, folder: str, who: tuple[str, str], *words: str) -> None:
        must(folder, *words, "--now", NOW, LEFTOFF_TEAM_URL=self.store.url(who))

    def command(self, folder: str) -> Command:
        self.store.put_back()
        env = environment(folder) | {"LEFTOFF_TEAM_URL": self.store.url(self.store.me)}
        return Command((*PROGRAM, *_PUSH, "--now", NOW), project(folder), env)

    def broken(self, folder: str, ended: Ended) -> Iterator[str]:
        seen = self.store.rows(self.store.me)
        self.new = self.new or seen  # the run without harm comes first
        if not {*seen} <= {*self.old, *self.new}:
            yield "the store holds what is neither the old nor the new"
        if ended.code == 0 and seen != self.new:
            yield "it was acknowledged and is not in the store"
        yield from self._again(folder)
        if self.store.rows(self.store.they) != self.others:
            yield "rows of a colleague changed"
        if documents(folder) != self.before:
            yield "a push changed the project"
        yield from swept(folder)

    def _again(self, folder: str) -> Iterator[str]:
        """The next push completes it, whatever is remembered here; the one after has nothing."""
        url = self.store.url(self.store.me)
        words = (*_PUSH, "--json", "--now", LATER)
        told = ask(folder, *words, LEFTOFF_TEAM_URL=url)
        if told.code or self.store.rows(self.store.me) != self.new:
            yield f"the next push did not complete it: {told.err[-300:]}{told.out[-300:]}"
        idle = ask(folder, *words, LEFTOFF_TEAM_URL=url)
        if idle.code or any(idle.data[kind]["sent"] for kind in _KINDS) or idle.data["withdrawn"]:
            yield f"the push after that still had something to send: {idle.err}{idle.out[-300:]}"


def team_scenes(server: Server) -> list[Scene]:
    """The first push of all, one of what changed, one that takes back."""
    store = Store(server)
    changed = ("update", "checkout", "--phase=receipts")
    less = ("team", "share", "figures")
    return [
        Push(store, "team push, the first", turns=0),
        Push(store, "team push of what changed", changed, turns=TURNS // 4),
        Push(store, "team push that takes back", less, turns=TURNS),
    ]
