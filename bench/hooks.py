"""Hooks as installed: every event that each adapter registers, beside the shell and npm's peers.

    python bench/hooks.py --rounds 5 --peers

A client starts the command that `setup` wrote, through its shell; OpenCode's plugin starts the
script `hook/run`. Every run is a new event. What a turn brings (prompt, stop) belongs to one long
session with a megabyte of transcript; what is rare belongs to a session that began just before. A
hook that starts the copying into the archive does so here too, and does not wait for it. A prompt
that is refused, and a turn that goes on, have users and projects of their own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import peers
from documents import make_project, make_threads
from measure import Command, Timing, measure
from report import Goal, aligned, at_most, put_into, rounds_note

from leftoff import agents
from leftoff.agents import Hook
from leftoff.core.event import FREQUENT, PROMPT, START, STOP, SUMMARY
from leftoff.world import journal, launcher, now_file

SHELL = "sh -c python -I -S -c pass"
BLOCK = "bench-hooks"
MOST = 1.3
"""times the shell, at the beginning and the end of a turn, and for the line of status"""
RARELY = 4
"""Rounds for one run of a rare event, or of a peer."""
LONG = "11111111-1111-4111-8111-111111111111"
TRANSCRIPT_BYTES = 1 << 20
CLAUDE, STATUSLINE = "claude-code", "statusline"
QUIET = {"window": 200_000, "advise": 70, "block": 0, "noticed": False, "watch": []}
# What `.now` says before a turn, by the reason for which the ordinary commands then have to look.
LEFT: dict[str, Mapping[str, object] | None] = {
    "": QUIET,
    "missing": None,
    "old": {**QUIET, "watch": [["/nowhere", 1]]},
    "crossed": {**QUIET, "advise": 20},
}
_USAGE = {"input_tokens": 5, "cache_read_input_tokens": 50_000, "output_tokens": 100}
_SAID = [{"type": "text", "text": "word " * 400}]
_ANSWER = {"role": "assistant", "model": "claude-opus-5-5", "usage": _USAGE, "content": _SAID}
_COUNT = {"last_token_usage": {"input_tokens": 50_000}, "model_context_window": 200_000}
# The last line of a transcript that tells how full the context is, as each client writes it.
ANSWERS: dict[str, dict[str, Any]] = {
    CLAUDE: {"type": "assistant", "isSidechain": False, "message": _ANSWER},
    "codex": {"type": "event_msg", "payload": {"type": "token_count", "info": _COUNT}},
    "gemini-cli": {"type": "gemini", "content": "word " * 400, "tokens": {"input": 50_000}},
    "copilot": {"type": "session.usage_record", "data": {"usage": {"inputTokens": 50_000}}},
    "opencode": {},
}
RUN, STORE = "run", "store"
"""Two more reasons, for which there has to be a thread that goes on, and a user who wants it."""
THREAD = "thread-00000000"
LEFTOFF = (sys.executable, "-m", "leftoff")
REFUSING = '[hooks]\nblock = true\n[thresholds]\n"context.block" = 4\n'
_number = count(1)


class Row(NamedTuple):
    client: str
    event: str
    """the client's own word"""
    ours: str
    """the word of leftoff, for its own hooks"""
    timing: Timing


class Scene(NamedTuple):
    """A project, and the state folder of its user."""

    work: str
    project: str
    state: str
    env: dict[str, str]

    def answered(self, hook: Hook, why: str) -> Command:
        """One event that holds up the client, in a session that began just before."""
        given = os.path.join(self.work, f"payload-{why}.json")
        label = f"{CLAUDE}|{hook.event} ({why})|{hook.ours}"
        prepare, argv = partial(self.begun, CLAUDE, hook, given, why), self.argv(CLAUDE, hook.ours)
        prepare()
        if b"block" not in (said := self.run(argv, given)):
            raise SystemExit(f"{label}: the client is not held up: {said!r}")
        return Command(label, argv, self.project, self.env, 0, prepare, RARELY, given)

    def row(self, agent: str, hook: Hook, why: str = "") -> Command:
        """One event; `why` says what the turn before left."""
        word = f"{agent}-{hook.event}-{why}".replace(".", "-")
        given = os.path.join(self.work, f"payload-{word}.json")
        label = f"{agent}|{hook.event}{f' ({why})' if why else ''}|{hook.ours}"
        rare = hook.ours not in (*FREQUENT, STATUSLINE)
        prepare = partial(self.begun if rare else self.turn, agent, hook, given, why)
        argv, every = self.argv(agent, hook.ours), RARELY if rare or why else 1
        return Command(label, argv, self.project, self.env, 0, prepare, every, given)

    def argv(self, agent: str, ours: str) -> tuple[str, ...]:
        """What this client starts, as `setup` writes it."""
        if agents.load(agent).PLUGIN:
            return (os.path.join(self.state, launcher.RUN), agent, ours)
        return ("/bin/sh", "-c", launcher.command(sys.executable, self.state, agent, ours))

    def turn(self, agent: str, hook: Hook, given: str, why: str) -> None:
        """A new event of the long session, and what the one before left."""
        self.write(agent, hook, given, LONG)
        left = LEFT[why]
        if left is not None:
            now_file.write(self.state, agent, LONG, {"root": self.project, **left})
        elif os.path.exists(path := journal.path(self.state, agent, LONG, ".now")):
            os.remove(path)

    def begun(self, agent: str, hook: Hook, given: str, why: str) -> None:
        """A new session, which has begun unless the event is its beginning; `why` as in `row`."""
        session = f"{next(_number):08x}-2222-4222-8222-222222222222"
        if hook.ours != START:
            self.write(agent, Hook(START, START), given, session)
            self.run(self.argv(agent, START), given)
        if why == RUN:
            env = {**self.env, "LEFTOFF_SESSION": f"{agent}/{session}"}
            for words in (("switch", THREAD, "--no-save"), ("continue", "on")):
                self._replace(env=env).run((*LEFTOFF, "thread", *words))
            now_file.write(self.state, agent, session, {"root": self.project, **QUIET, "run": True})
        self.write(agent, hook, given, session)

    def run(self, argv: tuple[str, ...], given: str = os.devnull) -> bytes:
        with open(given, "rb") as file:
            where = {"cwd": self.project, "env": self.env}
            return subprocess.run(argv, stdin=file, check=True, capture_output=True, **where).stdout

    def write(self, agent: str, hook: Hook, given: str, session: str) -> None:
        payload = self.payload(agent, hook, session)
        if hook.ours != STATUSLINE and not agents.load(agent).parse(hook.ours, payload):
            raise SystemExit(f"{agent} {hook.event}: its adapter takes the payload for no event")
        with open(given, "w", encoding="utf-8") as file:
            json.dump(payload, file)

    def payload(self, agent: str, hook: Hook, session: str) -> dict[str, object]:
        """Under the names of all clients at once: an adapter takes those that it knows."""
        number, path = next(_number), os.path.join(self.work, f"{agent}.jsonl")
        told: dict[str, object] = dict.fromkeys(("session_id", "sessionId", "session"), session)
        told |= dict.fromkeys(("transcript_path", "transcriptPath"), path)
        told |= dict.fromkeys(("prompt_id", "turn_id", "message", "timestamp"), f"p-{number}")
        said = f"Done with {number}."
        told |= dict.fromkeys(("last_assistant_message", "prompt_response", "answer"), said)
        told |= {"cwd": self.project, "prompt": "go on with the next step", "source": "startup"}
        told |= {"hook_event_name": hook.event, "context": 50_000, "window": 200_000}
        told["context_window"] = {"context_window_size": 200_000, "used_percentage": 25}
        if hook.ours == SUMMARY:
            told |= {"agent_type": "", "agent_id": f"a-{number}"}
        return told


def main() -> None:
    options = _options()
    with ExitStack() as stack:
        made = tempfile.TemporaryDirectory(prefix="leftoff-hooks-", ignore_cleanup_errors=True)
        work = stack.enter_context(made)
        env = {"PATH": os.defpath, "HOME": work, "LANG": "C.UTF-8"}
        scene = staged(work, env)
        # Installed before the network is left: what is measured then sees nothing but loopback.
        others, notes = peers.ready(options.peers)
        ours = [*commands(scene), *answering(work, env)]
        theirs = [each for one in others for each in stack.enter_context(one(scene.work))]
        timings = measure([*ours, *theirs], options.rounds)
        os.chdir(os.sep)
        _check(scene)
    rows = [Row(*timing.command.label.split("|"), timing) for timing in timings]
    text = "\n\n".join([_table(rows), "\n".join([rounds_note(options.rounds), *notes])])
    print(text)
    if options.markdown:
        put_into(options.markdown, BLOCK, text, goals(rows))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="how often each command runs")
    parser.add_argument("--peers", action="store_true", help="install and measure npm's peers too")
    parser.add_argument("--markdown", type=os.path.abspath, metavar="FILE")
    return parser.parse_args()


def answering(work: str, env: dict[str, str]) -> Iterator[Command]:
    """The reasons for which a client is held up: a prompt that is kept, a turn that goes on."""
    settings = os.path.join(work, "config", "leftoff", "config.toml")
    os.makedirs(os.path.dirname(settings))
    with open(settings, "w", encoding="utf-8") as file:
        file.write(REFUSING)
    refusing = {**env, "XDG_CONFIG_HOME": os.path.join(work, "config")}
    store = staged(os.path.join(work, STORE), refusing)
    yield store.answered(Hook("UserPromptSubmit", PROMPT), STORE)
    run = staged(os.path.join(work, RUN), env, make_threads)
    yield run.answered(Hook("Stop", STOP), RUN)


def staged(work: str, env: dict[str, str], make: Callable[[str, int], str] = make_project) -> Scene:
    """A project and a state folder with the hooks in it, and a transcript of each client."""
    state = os.path.join(work, "hook-state")
    project = make(os.path.join(work, "hooked"), 1)
    launcher.write(state, sys.executable)
    for agent, answer in ANSWERS.items():
        line = json.dumps(answer) + "\n"
        with open(os.path.join(work, f"{agent}.jsonl"), "w", encoding="utf-8") as file:
            file.write(line * (TRANSCRIPT_BYTES // len(line)))
    return Scene(work, project, state, {**env, "LEFTOFF_STATE": state})


def commands(scene: Scene) -> Iterator[Command]:
    """The floor, then every registration of every adapter."""
    shell = f"exec {launcher.quoted(sys.executable)} -I -S -c pass"
    yield Command(f"|{SHELL}|", ("/bin/sh", "-c", shell), scene.work, scene.env)
    for agent in agents.names():
        for hook in agents.load(agent).HOOKS:
            yield scene.row(agent, hook)
    for why in filter(None, LEFT):
        yield scene.row(CLAUDE, Hook("UserPromptSubmit", PROMPT), why)
    yield scene.row(CLAUDE, Hook("statusLine", STATUSLINE))


def _check(scene: Scene) -> None:
    """A hook never fails for its client: that it did its work is seen here."""
    log = os.path.join(scene.state, "hook.log")
    if os.path.exists(log):
        with open(log, encoding="utf-8") as file:
            raise SystemExit(f"hooks failed:\n{file.read()[-2000:]}")


def _table(rows: list[Row]) -> str:
    head = ("client", "event", "leftoff's word", "min ms", "median ms", "x shell", "target", "met")
    shell = rows[0].timing.least
    return aligned(head, (_cells(row, row.timing.least / shell) for row in rows))


def _cells(row: Row, ratio: float) -> tuple[str, ...]:
    times = f"{row.timing.least:.1f}", f"{row.timing.middle:.1f}", f"{ratio:.2f}"
    verdict = (f"{MOST} x shell", "yes" if ratio <= MOST else "no") if _has_goal(row) else ("", "")
    return (row.client, row.event, row.ours, *times, *verdict)


def _has_goal(row: Row) -> bool:
    """The issue sets it for what every turn waits for."""
    return row.ours in {PROMPT, STOP, STATUSLINE} and " (" not in row.event


def goals(rows: list[Row]) -> list[Goal]:
    """One for each word of ours, by the client for which it is slowest."""
    shell = rows[0].timing.least
    found = []
    for ours in (PROMPT, STOP, STATUSLINE):
        some = [row for row in rows if row.ours == ours and _has_goal(row)]
        worst = max(some, key=lambda row: row.timing.least)
        what = f"hook {ours}, as installed: {worst.client} {worst.event}"
        if len(some) > 1:
            what += f", the slowest of {len(some)}"
        found.append(at_most(3, what, worst.timing.least / shell, MOST, "shell"))
    return found


if __name__ == "__main__":
    main()
