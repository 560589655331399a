"""Rows for statistics of transcripts, beside ccusage: at first sight, with nothing new, with a bit.

ccusage is what `make clients` installed, else the one on PATH; without it no ratio is told. The
token totals of both must be equal, or there are no figures at all. jq only takes out what was used,
and `wc` only counts lines: less work than statistics, and the same bytes. All but leftoff read
everything again when a bit is new.

The ratio depends much on the data, on its texts and the length of its lines. These were given the
shape of another corpus of made-up sessions, whatever ratio that brings: lines of 4 KB on average,
25 backslashes in each KB, about three lines of five with usage. Their files are as old as their
last line, so no tally of them is kept (`log_reading.GROWING`). With files of today, all of which
may still grow, a tally of each is kept: that is a row of its own.
"""

from __future__ import annotations

import argparse
import inspect
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from glob import glob
from random import Random
from statistics import median
from typing import Any, NamedTuple
from uuid import UUID

from measure import Command, Timing, measure
from report import Goal, at_most, not_measured

FULL, TODAY, NOTHING, MORE = "full", "full, files of today", "nothing new", "256 KB more"
OURS, PEER = (FULL, TODAY, NOTHING, MORE), "ccusage daily"
JQ, WC = "jq .message.usage", "wc -l"
TARGETS = {FULL: 0.65, TODAY: 0.65, NOTHING: 0.02}
"""of ccusage's time, with a thousand megabytes"""
MOST_MB = 200
"""of memory, in both processes together"""
LARGE = 1000
"""megabytes, from which on jq runs only once: it takes many seconds"""
ONCE = 1_000_000
STATS = ("session", "stats", "--all", "--json")
EACH, PIECE = 2_000_000, 256 << 10
BEGAN = 1_772_323_200
"""the first of March 2026, from when on all sessions are"""
# What tools put out is source code, mostly: quotes, backslashes and line ends all over.
_SOURCES = (argparse, inspect, subprocess, tempfile)
_CODE = "".join(inspect.getsource(module) for module in _SOURCES)
_POOL = "\n# 缓存断点\n".join(_CODE[at : at + 560] for at in range(0, len(_CODE), 560))
_NAMES = {
    "userType": "external",
    "cwd": "/home/ada/work",
    "version": "2.1.325",
    "gitBranch": "main",
}


class Row(NamedTuple):
    what: str
    megabytes: int
    least_ms: float
    median_ms: float
    memory_mb: float
    to_peer: float
    target: str
    met: bool | None


class Scene(NamedTuple):
    """Transcripts of one user, and the state folders of our runs."""

    work: str
    program: tuple[str, ...]
    megabytes: int
    env: dict[str, str]

    def row(self, what: str, state: str, prepare: Any) -> Command:
        env = {**self.env, "LEFTOFF_STATE": os.path.join(self.work, state)}
        return Command(what, (*self.program, *STATS), self.work, env, self.megabytes, prepare)

    def of_today(self) -> Scene:
        """The same transcripts in files that are as new as can be."""
        copy = os.path.join(self.work, "today")
        shutil.copytree(self.env["CLAUDE_CONFIG_DIR"], copy, copy_function=shutil.copyfile)
        return self._replace(env={**self.env, "CLAUDE_CONFIG_DIR": copy})

    def refresh(self) -> None:
        """Read what the rows before have added."""
        self._run(self.row("", "warm", None))

    def grow(self) -> None:
        """One session went on since all of it was read."""
        self.refresh()
        path = min(glob(f"{self.env['CLAUDE_CONFIG_DIR']}/projects/*/*.jsonl"))
        size = os.path.getsize(path)
        with open(path, "ab") as file:
            write_session(file, Random(size), os.path.basename(path)[:36], PIECE)

    def _run(self, command: Command) -> None:
        subprocess.run(
            command.argv, cwd=self.work, env=command.env, check=True, capture_output=True
        )


def rows(work: str, program: tuple[str, ...], megabytes: int, rounds: int) -> list[Row]:
    """Everything measured, in rounds."""
    config = make_transcripts(os.path.join(work, "claude"), megabytes)
    env = {"PATH": os.defpath, "HOME": work, "LANG": "C.UTF-8", "CLAUDE_CONFIG_DIR": config}
    env["LEFTOFF_ARCHIVE"] = "off"  # a copy that is made behind one command would slow the next
    commands = list(_commands(Scene(work, program, megabytes, env)))
    os.sync()  # gigabytes that were just written would go to the disk meanwhile
    timings = measure(commands, rounds)
    _compare(commands)
    peer = next((each.least for each in timings if each.command.label == PEER), 0.0)
    return [_row(timing, peer) for timing in timings]


def _commands(scene: Scene) -> Iterator[Command]:
    forget = partial(shutil.rmtree, os.path.join(scene.work, "cold"), ignore_errors=True)
    yield scene.row(FULL, "cold", forget)
    yield scene.of_today().row(TODAY, "cold", forget)
    yield scene.row(NOTHING, "warm", scene.refresh)
    yield scene.row(MORE, "warm", scene.grow)
    if peer := ccusage():
        argv = (peer, "daily", "--offline", "--json")
        yield Command(PEER, argv, scene.work, scene.env, scene.megabytes)
    files = sorted(glob(f"{scene.env['CLAUDE_CONFIG_DIR']}/projects/*/*.jsonl"))
    every = ONCE if scene.megabytes >= LARGE else 1
    for label in (JQ, WC):
        program, *words = label.split()
        if path := shutil.which(program):
            argv = (path, *(["-c"] if label == JQ else []), *words, *files)
            each = every if label == JQ else 1
            yield Command(label, argv, scene.work, scene.env, scene.megabytes, every=each)


def absent() -> Iterator[tuple[str, str]]:
    """What is not beside us here, and how it would be."""
    if not ccusage():
        yield "ccusage", "make clients installs it"
    if not shutil.which("jq"):
        yield "jq", "it is not installed"


def goals(rows: list[Row]) -> Iterator[Goal]:
    """The targets of the third part, which speak of a thousand megabytes."""
    for row in rows:
        if row.megabytes < LARGE or row.what not in TARGETS:
            continue
        what, limit = f"statistics of {row.megabytes:,} MB, {row.what}", TARGETS[row.what]
        if not row.to_peer:
            yield not_measured(3, what, f"{limit:g} x ccusage", "ccusage is not there")
            continue
        yield at_most(3, what, row.to_peer, limit, "ccusage")
        memory = f"{row.memory_mb:.0f} MB"
        yield Goal(3, f"memory, {row.what}", memory, f"{MOST_MB} MB", row.memory_mb < MOST_MB)


def ccusage() -> str:
    """The peer's native program; empty where it is not installed."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    base = os.environ.get("LEFTOFF_CLIENTS") or os.path.join(cache, "leftoff-clients")
    native = glob(f"{base}/ccusage/node_modules/@ccusage/*/bin/ccusage")
    for path in native:
        os.chmod(path, 0o755)  # its own wrapper does so, too: npm leaves it without
    return native[0] if native else shutil.which("ccusage") or ""


def _row(timing: Timing, peer: float) -> Row:
    what, least = timing.command.label, timing.least
    target = TARGETS.get(what) if peer and timing.command.documents >= LARGE else None
    ratio = least / peer if peer else 0.0
    # two processes read, and the larger one is known
    memory = timing.memory * (2 if what in {FULL, TODAY} else 1)
    met = ratio <= target and memory < MOST_MB if target else None
    goal = f"{target} x ccusage, {MOST_MB} MB" if target else ""
    times = round(least, 1), round(median(timing.runs), 1)
    return Row(what, timing.command.documents, *times, round(memory), round(ratio, 4), goal, met)


def _compare(commands: list[Command]) -> None:
    """Each of ours must count what the peer does in the same files."""
    peer = next((each for each in commands if each.label == PEER), None)
    for each in commands if peer else ():
        if each.label in OURS:
            ours = _told(each.argv, each.env)["data"]["total"]["tokens"]
            theirs = _told(peer.argv, each.env)["totals"]["totalTokens"]
            if ours != theirs:
                raise SystemExit(f"the tokens differ, {each.label}: {ours} and {theirs}")


def _told(argv: tuple[str, ...], env: dict[str, str]) -> Any:
    return json.loads(subprocess.run(argv, env=env, check=True, capture_output=True).stdout)


def make_transcripts(folder: str, megabytes: int) -> str:
    """Sessions of about two megabytes each; the same ones on every run."""
    chance = Random(megabytes)
    for number in range(max(1, megabytes * 1_000_000 // EACH)):
        project = os.path.join(folder, "projects", f"-home-ada-project{number % 7}")
        os.makedirs(project, exist_ok=True)
        session = f"{number:08x}-0000-4000-8000-000000000000"
        path = os.path.join(project, f"{session}.jsonl")
        with open(path, "wb") as file:
            ended = write_session(file, chance, session, EACH)
        os.utime(path, (ended, ended))
    return folder


def write_session(file: Any, chance: Random, session: str, size: int) -> int:
    """So many bytes of turns, from a moment of one month on; when the last one was."""
    talk = Talk(chance, session, BEGAN + chance.randrange(28 * 86400))
    while size > 0:
        size -= file.write(b"".join(talk.turn()))
    return talk.now


class Talk:
    """One session as it goes on; a line comes some seconds after the one before."""

    def __init__(self, chance: Random, session: str, now: int) -> None:
        self.chance, self.session, self.now = chance, session, now

    def turn(self) -> Iterator[bytes]:
        yield self._line("user", message={"role": "user", "content": self._text(240)})
        for _ in range(self.chance.randrange(1, 20)):
            yield from self._answer()

    def _answer(self) -> Iterator[bytes]:
        """One answer in several lines, each with the same usage, and the result of its tool."""
        chance = self.chance
        name, call = (f"{kind}_{chance.getrandbits(88):022x}" for kind in ("msg", "toolu"))
        usage, side = _usage(chance), chance.random() < 0.1
        given = {"command": self._text(48), "file_path": f"/home/ada/{chance.randrange(400)}.py"}
        tool = chance.choice(("Read", "Bash", "Edit", "Grep", "Write"))
        thought = {"thinking": self._text(540), "signature": f"{chance.getrandbits(2000):x}"}
        blocks: list[dict[str, object]] = [
            {"type": "thinking", **thought},
            {"type": "text", "text": self._text(360)},
            {"type": "tool_use", "id": call, "name": tool, "input": given},
        ]
        for block in blocks[chance.randrange(3) :]:
            head = {"model": "claude-opus-5-5", "id": name, "type": "message", "role": "assistant"}
            message = {**head, "content": [block], "stop_reason": None, "usage": usage}
            yield self._line("assistant", side, message=message, requestId=f"req_{name}")
        output = self._text(int(chance.lognormvariate(8, 1)))
        result = {"tool_use_id": call, "type": "tool_result", "content": output}
        message = {"role": "user", "content": [{**result, "is_error": chance.random() < 0.04}]}
        yield self._line("user", side, message=message, toolUseResult={"stdout": output})

    def _line(self, kind: str, side: bool = False, **more: object) -> bytes:
        self.now += self.chance.randrange(1, 40)
        ids = [str(UUID(int=self.chance.getrandbits(128))) for _ in range(2)]
        told = {"parentUuid": ids[0], "isSidechain": side, "type": kind, **more, "uuid": ids[1]}
        moment = datetime.fromtimestamp(self.now, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        told |= {"timestamp": moment, **_NAMES, "sessionId": self.session}
        return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"

    def _text(self, size: int) -> str:
        at = self.chance.randrange(len(_POOL))
        return _POOL[at : at + size]


def _usage(chance: Random) -> dict[str, object]:
    """As the model's side tells it."""
    written = chance.randrange(6000)
    return {
        "input_tokens": chance.randrange(12),
        "cache_creation_input_tokens": written,
        "cache_read_input_tokens": chance.randrange(190_000),
        "cache_creation": {"ephemeral_5m_input_tokens": written, "ephemeral_1h_input_tokens": 0},
        "output_tokens": chance.randrange(2500),
        "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
        "service_tier": "standard",
    }
