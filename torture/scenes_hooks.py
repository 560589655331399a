"""Scenes of the clients: their settings, and the events that they call leftoff at, as installed."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Iterator, Mapping

from crash_points import Command, Ended, Scene
from stage import (
    LATER,
    NOW,
    PROGRAM,
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

from leftoff import agents
from leftoff.core.event import PROMPT, START
from leftoff.world import journal
from leftoff.world.hook_registration import found

SESSION = "11111111-1111-4111-8111-111111111111"
THEIRS: dict[str, dict[str, str]] = {
    "claude-code": {".claude/settings.json": '{\n  "model": "opus",\n  "hooks": {}\n}\n'},
    "codex": {
        ".codex/hooks.json": '{"hooks": {"Stop": [{"hooks": [{"command": "true"}]}]}}',
        ".codex/config.toml": '# mine\nmodel = "gpt-5"\n',
    },
    "gemini-cli": {".gemini/settings.json": '{\n  // mine\n  "theme": "Dark"\n}\n'},
    "copilot": {
        ".copilot/config.json": '{"theme": "dark"}\n',
        ".copilot/hooks/mine.json": '{"version": 1, "hooks": {}}\n',
    },
    "opencode": {
        ".config/opencode/opencode.json": '{\n  "theme": "system"\n}\n',
        ".config/opencode/plugin/mine.js": "export const Mine = async () => ({})\n",
    },
}
"""What stood in the clients' files before, by the person's own hand."""


def lay_client(folder: str, agent: str) -> None:
    lay_project(folder)
    for path, text in THEIRS[agent].items():
        write(os.path.join(home(folder), path), text)


def settings_of(folder: str) -> dict[str, str]:
    """The client's own files as they are now, our state not among them."""
    top = home(folder)
    paths = (os.path.relpath(path, top) for path in files(top))
    theirs = (path for path in paths if not path.startswith("state/") and ".leftoff-" not in path)
    return {path: read(os.path.join(top, path)).decode() for path in theirs}


class Settings:
    """`setup` and `uninstall`: the settings are as they were, or as they are to be."""

    def __init__(self, agent: str, verb: str) -> None:
        self.agent, self.verb, self.name = agent, verb, f"{verb} for {agent}"
        self.setup = ("setup", "--agent", agent, "--yes")
        self.old: dict[str, str] = {}
        self.new: dict[str, str] = {}

    def lay(self, folder: str) -> None:
        lay_client(folder, self.agent)
        if self.verb == "uninstall":
            must(folder, *self.setup)
        self.old = settings_of(folder)

    def command(self, folder: str) -> Command:
        words = self.setup if self.verb == "setup" else ("uninstall",)
        return Command((*PROGRAM, *words), project(folder), environment(folder))

    def broken(self, folder: str, ended: Ended) -> Iterator[str]:
        seen = settings_of(folder)
        self.new = self.new or seen
        if seen not in (self.old, self.new):
            yield f"the settings are neither the old nor the new ones: {seen}"
        if ended.code == 0 and seen != self.new:
            yield "it was acknowledged and is not there"
        yield from self._calls(folder, seen)
        for words in (self.setup, ("uninstall",)):
            if (told := ask(folder, *words)).code:
                yield f"{words[0]} afterwards: {told.err[-300:]}"
        if settings_of(folder) != THEIRS[self.agent]:
            yield "uninstall did not give every byte back"
        yield from swept(folder)

    def _calls(self, folder: str, seen: Mapping[str, str]) -> Iterator[str]:
        launcher = os.path.join(state(folder), "hook", "launch.py")
        if any(launcher in text for text in seen.values()) and not os.path.exists(launcher):
            yield "the client calls what is not there"


class Hooked:
    """An event of a client, as `setup` installed it."""

    def __init__(self, agent: str, event: str, **payload: object) -> None:
        self.agent, self.event, self.payload = agent, event, payload
        self.name = f"{agent} {event}"
        self.before: dict[str, bytes] = {}

    def lay(self, folder: str) -> None:
        lay_client(folder, self.agent)
        must(folder, "setup", "--agent", self.agent, "--yes")
        # the session began before, unless this is its beginning
        if self.event != (first := self.named(START)):
            self.fire(folder, first, source="startup")
        self.before = documents(folder)

    def command(self, folder: str) -> Command:
        # the interpreter itself, not the shell around it, which always ends with 0
        words = shlex.split(self.line(folder, self.event).partition(" 2>/dev/null")[0])
        given = json.dumps(self.told(folder, self.event, self.payload))
        return Command(words, project(folder), environment(folder), given)

    def line(self, folder: str, event: str) -> str:
        """What stands in the client's settings."""
        agent = agents.load(self.agent)
        path = os.path.join(home(folder), agent.SETTINGS.home, agent.SETTINGS.file)
        hooks = found(agent, read(path).decode())
        return next(one.command for one in hooks if one.event == event)

    def named(self, ours: str) -> str:
        """An event of ours as the client calls it."""
        return next(hook.event for hook in agents.load(self.agent).HOOKS if hook.ours == ours)

    def told(self, folder: str, event: str, more: Mapping[str, object]) -> dict[str, object]:
        return {
            "session_id": SESSION,
            "cwd": project(folder),
            "transcript_path": os.path.join(home(folder), "none.jsonl"),
            "hook_event_name": event,
            "timestamp": NOW,
            **more,
        }

    def fire(self, folder: str, event: str, **more: object) -> subprocess.CompletedProcess[str]:
        """The event with nothing in its way, through the shell, as the client does it."""
        return subprocess.run(
            ["/bin/sh", "-c", self.line(folder, event)],
            input=json.dumps(self.told(folder, event, more)),
            cwd=project(folder),
            env=environment(folder),
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )

    def broken(self, folder: str, ended: Ended) -> Iterator[str]:
        if ended.code and not ended.killed:
            yield f"a hook ended with {ended.code}"
        if not ended.killed:
            yield from self.replied(ended.out)
        yield from self.changed(folder)
        yield from self._goes_on(folder)
        if (told := ask(folder, "session", "list", "--json", "--now", LATER)).code:
            yield f"session list: {told.err[-300:]}"
        yield from swept(folder)

    def replied(self, text: str) -> Iterator[str]:
        """What is wrong with a reply."""
        yield from _reply(text)

    def changed(self, folder: str) -> Iterator[str]:
        """What a hook must not do to the documents."""
        if documents(folder) != self.before:
            yield "a hook changed the project"

    def _goes_on(self, folder: str) -> Iterator[str]:
        """The next event is heard, behind whatever the one before left torn."""
        ids = {"prompt_id": "after", "turn_id": "after", "timestamp": f"{LATER} after"}
        done = self.fire(folder, self.named(PROMPT), prompt="after the harm", **ids)
        yield from _reply(done.stdout)
        if done.returncode:
            yield f"the next event ended with {done.returncode}"
        told = journal.read(journal.path(state(folder), self.agent, SESSION))
        if told.skipped > 1:
            yield f"{told.skipped} lines of the journal cannot be read"
        if not any("after" in line.get("key", "") for line in told.lines):
            yield "the next event is not in the journal"


def _reply(text: str) -> Iterator[str]:
    """One JSON value or nothing at all."""
    try:
        if text.strip():
            json.loads(text)
    except ValueError:
        yield f"a reply that is none: {text[:200]}"


def settings_scenes() -> list[Scene]:
    return [Settings(agent, verb) for verb in ("setup", "uninstall") for agent in THEIRS]


def hook_scenes() -> list[Scene]:
    """Every kind of event; OpenCode's come from a plugin in the client, not from a shell."""
    return [
        Hooked("claude-code", "SessionStart", source="startup"),
        Hooked("claude-code", "UserPromptSubmit", prompt="go on", prompt_id="p1"),
        Hooked("claude-code", "Stop", last_assistant_message="Done."),
        Hooked("claude-code", "StopFailure", error="rate_limit"),
        Hooked("claude-code", "SubagentStop", agent_id="a1", stop_hook_active=False),
        Hooked("claude-code", "PreCompact", trigger="manual"),
        Hooked("claude-code", "PostCompact", trigger="manual", compact_summary="All of it"),
        Hooked("claude-code", "SessionEnd", reason="other"),
        Hooked("codex", "SessionStart", source="startup"),
        Hooked("codex", "UserPromptSubmit", prompt="go on", turn_id="t1"),
        Hooked("codex", "Stop", last_assistant_message="Done.", turn_id="t1"),
        Hooked("codex", "Interrupt", turn_id="t1"),
        Hooked("codex", "PreCompact", trigger="auto", turn_id="t1"),
        Hooked("codex", "PostCompact", trigger="auto", turn_id="t1"),
        Hooked("codex", "SessionEnd", reason="exit"),
        Hooked("gemini-cli", "SessionStart", source="startup"),
        Hooked("gemini-cli", "BeforeAgent", prompt="go on"),
        Hooked("gemini-cli", "AfterAgent", prompt="go on", prompt_response="Done."),
        Hooked("gemini-cli", "SessionEnd", reason="exit"),
        Hooked("copilot", "sessionStart", source="new"),
        Hooked("copilot", "userPromptSubmitted", prompt="go on"),
        Hooked("copilot", "agentStop", stopReason="end_turn"),
        Hooked("copilot", "preCompact", trigger="auto"),
        Hooked("copilot", "sessionEnd", reason="complete"),
    ]
