"""A client at work in a project: its events, told to the commands in this process."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from leftoff import agents
from leftoff.commands import _events
from leftoff.core.caller import Process
from leftoff.core.event import FREQUENT, Happened, ParsedPayload, Usage, key_of
from leftoff.core.when import instant
from leftoff.formats import _sentinel
from leftoff.world import journal, now_file, prompts
from projects import NOW, get, put, put_thread
from support import run

SESSION = "5f0c2d1e-0000-4000-8000-000000000001"
OTHER = "5f0c2d1e-0000-4000-8000-000000000002"
THREAD = "thread-1a2b3c4d"
META = f".checkpoints/threads/{THREAD}/thread.json"
AT = instant(NOW) or 0.0
CLAUDE = Process(4242, "claude", ("claude",), started="77", tty="34816")
DAEMON = CLAUDE._replace(words=("claude", "remote-control"))
"""serves several sessions: whether it lives says nothing of one"""


class Client:
    """A client at work in a project: it tells of events, and gets answers."""

    agent = "claude-code"

    def __init__(self, root: str) -> None:
        self.root = root
        self.state = os.environ["LEFTOFF_STATE"]
        self.process, self.above = CLAUDE, tuple[Process, ...]()
        self.at, self.env = AT, dict(os.environ)

    def tell(self, event: str, session: str = SESSION, why: str = "rare", **more):
        """Let an event happen, a second after the one before."""
        usage = more.pop("usage", None)
        size = more.pop("size", 0)
        told = ParsedPayload(session, **{"cwd": self.root, **more})
        self.at += 1
        happened = Happened(
            self.agent,
            event,
            told,
            self.state,
            self.env,
            self.at,
            key_of(event, told, size),
            size,
            usage,
            why,
        )
        if event in FREQUENT:  # as the hook path does before it hands over
            line = {"event": event, "at": self.at, "key": happened.key}
            journal.append(self.state, self.agent, session, line | (usage or Usage(0))._asdict())
        return _events.handle(happened, ancestors=lambda: (self.process, *self.above))

    def prompt(self, percent: float, **more):
        """A prompt at so much of a window of 200,000 tokens."""
        usage = Usage(round(percent * 2000), 200_000, "claude-sonnet-4-5")
        more = {"key": f"p{self.at}", "prompt": "go on", "why": "crossed", **more}
        return self.tell("prompt", usage=usage, **more)

    def stop(self, percent: float, **more):
        usage = Usage(round(percent * 2000), 200_000, "claude-sonnet-4-5")
        return self.tell("stop", usage=usage, **{"why": "crossed", **more})

    def lines(self, event: str, session: str = SESSION) -> list[dict]:
        read = journal.read(journal.path(self.state, self.agent, session)).lines
        return [line for line in read if line["event"] == event]

    def now(self, session: str = SESSION) -> Mapping:
        return now_file.read(self.state, self.agent, session) or {}


class AnyClient(Client):
    """Any client at work in a project."""

    def __init__(self, root: str, agent: str) -> None:
        super().__init__(root)
        self.agent = agent

    def tell(self, event: str, session: str = SESSION, why: str = "rare", **more) -> str:
        """Let an event happen; the text that the client takes from it, or ""."""
        answer = super().tell(event, session, why, **more)
        reply = agents.load(self.agent).reply(event, answer.verb, answer.text) if answer else ""
        return answer.text if reply else ""


def settings(text: str) -> None:
    put(os.environ["XDG_CONFIG_HOME"], "leftoff/config.toml", text)


def thread(root: str, **changes: object) -> None:
    put_thread(root)
    said = json.loads(get(root, META))
    said["config"].update(changes)
    put(root, META, json.dumps(said))
    put(root, ".checkpoints/current", f"{THREAD}\n")


def opted_in(root: str, **changes: object) -> None:
    """A thread that hooks may save, as somebody said on this machine."""
    thread(root, **changes)
    assert run("thread", "auto-on", THREAD, cwd=root).returncode == 0


def bind(client, session=SESSION, name=THREAD):
    line = {"event": "bind", "thread": name, "at": client.at}
    journal.append(client.state, client.agent, session, line)


def stored(state: str, session: str) -> tuple[_sentinel.Prompt, ...]:
    """The prompts that were kept back from a session."""
    with open(prompts.path_of(state, session), encoding="utf-8", newline="") as file:
        return _sentinel.prompts(file.read())
