"""Scenes of conversations: archived, recovered, searched."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator

from crash_points import Command, Ended, Scene
from stage import (
    ALONE,
    LATER,
    NOW,
    PROGRAM,
    SOURCE,
    ask,
    documents,
    environment,
    files,
    home,
    lay_project,
    must,
    project,
    read,
    state,
    swept,
    write,
)

from leftoff.world import archive, follower

ID = "22222222-2222-4222-8222-222222222222"
NAME = f"claude-code/{ID}"
WORD = "glowworm"
TURNS = 40


def transcript(folder: str, session: str = ID) -> str:
    return os.path.join(home(folder), ".claude", "projects", "-shop", f"{session}.jsonl")


def lines(folder: str, turns: int, session: str = ID) -> str:
    """A conversation of so many turns; a shorter one is the beginning of a longer one."""
    return "".join(_turn(project(folder), turn, session) for turn in range(turns))


def _turn(cwd: str, turn: int, session: str) -> str:
    stamp, own = f"2026-05-06T10:{turn:02}", f"{session[:4]}-{turn}"
    common = {"sessionId": session, "cwd": cwd, "gitBranch": "main"}
    asked = {"role": "user", "content": f"{WORD} {turn}: the lanterns of row {turn} need a price"}
    said = [{"type": "text", "text": f"Row {turn} has its prices. " + f"{turn * 7919:x} " * 40}]
    used = {"input_tokens": 10 + turn, "output_tokens": 5}
    answer = {"id": f"m{own}", "role": "assistant", "model": "claude-opus-5-5", "usage": used}
    told = [
        {"type": "user", "timestamp": f"{stamp}:00Z", "uuid": f"u{own}", "message": asked},
        {
            "type": "assistant",
            "timestamp": f"{stamp}:30Z",
            "uuid": f"a{own}",
            "requestId": f"r{own}",
            "message": {**answer, "content": said},
        },
    ]
    return "".join(json.dumps({**common, **one}) + "\n" for one in told)


class Talk:
    """A session of Claude Code on disk, and a command about it."""

    def __init__(self, name: str, *words: str) -> None:
        self.name, self.words = name, (*words, "--now", NOW)
        self.before: dict[str, bytes] = {}

    def lay(self, folder: str) -> None:
        lay_project(folder)
        write(transcript(folder), lines(folder, TURNS))
        self.before = documents(folder)

    def command(self, folder: str) -> Command:
        return Command((*PROGRAM, *self.words), project(folder), environment(folder) | ALONE)

    def broken(self, folder: str, ended: Ended) -> Iterator[str]:
        if read(transcript(folder)).decode() != lines(folder, TURNS):
            yield "the client's transcript was touched"
        yield from self.told(folder, ended)
        for words in (("validate", "--json", "--now", LATER), self.words):
            if (again := ask(folder, *words)).code:
                yield f"{words[0]} afterwards: {again.err[-300:]}{again.out[-300:]}"
        yield from self.repeated(folder)
        yield from swept(folder)

    def told(self, folder: str, ended: Ended) -> Iterator[str]:
        """What holds at once."""
        raise NotImplementedError

    def repeated(self, folder: str) -> Iterator[str]:
        """What holds when the command was run again."""
        raise NotImplementedError


class Archived(Talk):
    """What was archived stays; the next run completes it."""

    def __init__(self) -> None:
        super().__init__("session archive", "session", "archive", "--all")

    def lay(self, folder: str) -> None:
        super().lay(folder)
        write(transcript(folder), lines(folder, TURNS // 4))
        must(folder, *self.words)
        write(transcript(folder), lines(folder, TURNS))

    def told(self, folder: str, ended: Ended) -> Iterator[str]:
        text = self.kept(folder)
        if not lines(folder, TURNS).startswith(text):
            yield "the archive holds what was never said"
        if len(text) < len(lines(folder, TURNS // 4)):
            yield "what was archived before is lost"
        if ended.code == 0 and text != lines(folder, TURNS):
            yield "it was acknowledged and is not there"

    def repeated(self, folder: str) -> Iterator[str]:
        if self.kept(folder) != lines(folder, TURNS):
            yield "the next run did not complete it"

    def kept(self, folder: str) -> str:
        copies = archive.copies(state(folder), "claude-code", ID)
        return "".join(f"{line.decode()}\n" for copy in copies for line in archive.lines(copy))


class Followed(Archived):
    """The same by the process that a hook starts and nobody waits for: it acknowledges nothing."""

    def __init__(self) -> None:
        Talk.__init__(self, "archive, by itself", "session", "list", "--limit", "1")

    def lay(self, folder: str) -> None:
        Talk.lay(self, folder)
        write(transcript(folder), lines(folder, TURNS // 4))
        self.follow(folder)
        write(transcript(folder), lines(folder, TURNS))

    def command(self, folder: str) -> Command:
        words = (sys.executable, "-I", "-c", follower.CODE, SOURCE, state(folder))
        return Command((*words, "claude-code", ID), project(folder), environment(folder))

    def follow(self, folder: str) -> None:
        words, cwd, env, *_ = self.command(folder)
        subprocess.run(words, cwd=cwd, env=env, check=True)

    def told(self, folder: str, ended: Ended) -> Iterator[str]:
        yield from super().told(folder, ended._replace(code=1))

    def repeated(self, folder: str) -> Iterator[str]:
        self.follow(folder)
        yield from super().repeated(folder)


class Pruned(Talk):
    """Sessions past their time go to the trash whole, or not at all."""

    def __init__(self) -> None:
        super().__init__("prune --archive", "prune", "--archive")
        self.words = ("prune", "--archive", "--now", NOW.replace("2026", "2036"))

    def lay(self, folder: str) -> None:
        super().lay(folder)
        must(folder, "session", "archive", "--all", "--now", NOW)

    def told(self, folder: str, ended: Ended) -> Iterator[str]:
        copies = archive.copies(state(folder), "claude-code", ID)
        if ended.code == 0 and copies:
            yield "it was acknowledged and is still there"
        for copy in copies:
            if not os.path.exists(copy.path):  # its note goes last
                aside = files(os.path.join(state(folder), "trash"))
                whole = any(path.endswith(os.path.basename(copy.path)) for path in aside)
            else:
                text = "".join(f"{line.decode()}\n" for line in archive.lines(copy))
                whole = text == lines(folder, TURNS)
            if not whole:
                yield "a session is neither whole in the archive nor in the trash"

    def repeated(self, folder: str) -> Iterator[str]:
        if archive.copies(state(folder), "claude-code", ID):
            yield "the next run did not complete it"
        if (told := ask(folder, "session", "archive", "--all", "--now", LATER)).code:
            yield f"archiving it again: {told.err[-300:]}"


class Written(Talk):
    """Documents made from a conversation; the others do not change."""

    def told(self, folder: str, ended: Ended) -> Iterator[str]:
        seen = documents(folder)
        if any(seen.get(path) != data for path, data in self.before.items()):
            yield "a document of before was changed"
        if ended.code == 0 and not self.written(folder):
            yield "it was acknowledged and is not there"

    def repeated(self, folder: str) -> Iterator[str]:
        if not self.written(folder):
            yield "the next run did not write it"

    def written(self, folder: str) -> bool:
        new = documents(folder).keys() - self.before.keys()
        return any(WORD.encode() in documents(folder)[path] for path in new)


class Paged(Written):
    """The conversation as a page of a thread's history."""

    def __init__(self) -> None:
        super().__init__("thread archive")

    def lay(self, folder: str) -> None:
        super().lay(folder)
        words = ("save", "One", "--no-draft", "--session", NAME, "--json", "--now", NOW)
        thread = must(folder, *words).data["id"]
        # a year later nobody takes it for running
        self.words = ("thread", "archive", "#1", thread, "--now", NOW.replace("2026", "2027"))


class Indexed(Talk):
    """The index of the search is made anew: it finds what is there, or is made once more."""

    def __init__(self) -> None:
        super().__init__("index --rebuild", "index", "--rebuild")

    def lay(self, folder: str) -> None:
        super().lay(folder)
        must(folder, *self.words)

    def told(self, folder: str, _: Ended) -> Iterator[str]:
        yield from self.repeated(folder)

    def repeated(self, folder: str) -> Iterator[str]:
        told = ask(folder, "search", WORD, "--json", "--now", LATER)
        if told.code or WORD not in told.out:
            yield f"the search finds nothing: {told.out[-200:]}{told.err[-200:]}"


def talk_scenes() -> list[Scene]:
    return [
        Written("recover", "recover", ID[:8], "--thread", "prices"),
        Paged(),
        Archived(),
        Followed(),
        Pruned(),
        Indexed(),
    ]
