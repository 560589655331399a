"""Which clients call leftoff, by their own settings: once, twice, at nothing, not at all."""

from __future__ import annotations

import json
import os

import pytest

from leftoff.world.hooks import installed
from projects import put


@pytest.fixture
def places(tmp_path):
    home, root = str(tmp_path / "home"), str(tmp_path / "project")
    launcher = str(tmp_path / "a state" / "hook" / "launch.py")
    put("/", launcher.lstrip("/"), "")
    return home, root, f"/usr/bin/python3 -I -S '{launcher}' claude-code Stop 2>/dev/null || exit 0"


def nested(command: str, *events: str) -> str:
    hook = [{"matcher": "", "hooks": [{"type": "command", "command": command}]}]
    return json.dumps({"hooks": dict.fromkeys(events, hook)})


def test_hooks_are_found_where_each_client_keeps_them(places):
    home, root, command = places
    put(home, ".claude/settings.json", nested(command, "Stop", "SessionStart"))
    put(root, ".codex/hooks.json", nested(command, "Stop"))
    put(home, ".gemini/settings.json", nested(command, "AfterAgent"))
    copilot = {"version": 1, "hooks": {"Stop": [{"type": "command", "bash": command}]}}
    put(home, ".copilot/hooks/leftoff.json", json.dumps(copilot))
    hooks, without = installed(root, {"HOME": home})
    assert [(hook.agent, hook.event) for hook in hooks] == [
        ("claude-code", "Stop"),
        ("claude-code", "SessionStart"),
        ("codex", "Stop"),
        ("gemini-cli", "AfterAgent"),
        ("copilot", "Stop"),
    ]
    assert all(hook.there for hook in hooks)
    assert without == []


def test_a_client_that_is_here_and_does_not_call_is_named(places):
    home, root, command = places
    other = command.replace("hook/launch.py", "other.py")
    put(home, ".claude/settings.json", nested(other, "Stop"))
    assert installed(root, {"HOME": home}) == ([], ["claude-code"])


def test_a_launcher_that_is_gone_is_seen_and_a_clients_own_variable_counts(places, tmp_path):
    home, root, command = places
    moved = command.replace("a state", "gone")
    put(str(tmp_path), "elsewhere/settings.json", nested(moved, "Stop"))
    env = {"HOME": home, "CLAUDE_CONFIG_DIR": str(tmp_path / "elsewhere")}
    (hook,), _ = installed(root, env)
    assert not hook.there


@pytest.mark.parametrize("text", ["{", "[]", '{"hooks": []}', '{"hooks": {"Stop": 5}}', "\x00"])
def test_odd_settings_of_a_client_are_the_clients_matter(places, text):
    home, root, _ = places
    put(home, ".claude/settings.json", text)
    assert installed(root, {"HOME": home}) == ([], ["claude-code"])


def test_settings_with_comments_are_read(places):
    home, root, command = places
    os.makedirs(home)
    put(home, ".claude/settings.json", "// mine\n" + nested(command, "Stop"))
    assert len(installed(root, {"HOME": home})[0]) == 1
