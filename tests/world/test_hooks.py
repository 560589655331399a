"""Which clients call leftoff, by their own settings: once, twice, at nothing, not at all."""

from __future__ import annotations

import json
import os

import pytest

from leftoff import agents
from leftoff.agents._codex_trust import fingerprint, snake
from leftoff.core.when import instant
from leftoff.world.hooks import findings, installed
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


def hooks_of(name: str, command: str, leave_out: str = "") -> dict:
    events = [hook.event for hook in agents.load(name).HOOKS if hook.event != leave_out]
    return {"hooks": {event: [{"hooks": [{"command": command}]}] for event in events}}


def told(root, home, now=0.0):
    state = os.path.join(home, "state")
    found = findings(root, {"HOME": home}, state, now)
    return [(one.slug, one.text) for one in found if one.slug != "hook-active"]


def test_an_event_that_is_not_registered_is_named(places):
    home, root, command = places
    put(home, ".claude/settings.json", json.dumps(hooks_of("claude-code", command)))
    assert told(root, home) == []
    partly = hooks_of("claude-code", command, leave_out="PreCompact")
    put(home, ".claude/settings.json", json.dumps(partly))
    assert told(root, home) == [("hook-partial", "Claude Code does not call leftoff at PreCompact")]


OFF = {
    "claude-code": ({"disableAllHooks": True}, "disableAllHooks is true"),
    "gemini-cli": ({"hooksConfig": {"enabled": False}}, "hooksConfig.enabled is false"),
}


@pytest.mark.parametrize("agent", OFF)
@pytest.mark.parametrize("where", ["home", "project"])
def test_a_client_that_was_told_to_run_no_hook_does_not_pass_for_one_that_calls(
    places, agent, where
):
    home, root, command = places
    own, (said, told_as) = agents.load(agent).SETTINGS, OFF[agent]
    path, hooks = f"{own.home}/{own.file}", hooks_of(agent, command)
    put(home, path, json.dumps(hooks))
    assert slugs(root, home) == ["hook-active"]
    base = {"home": home, "project": root}[where]
    put(base, path, json.dumps(said | (hooks if where == "home" else {})))
    (found,) = findings(root, {"HOME": home}, f"{home}/state", 0.0)
    assert (found.slug, found.level) == ("hook-off", "warning")
    assert found.where == os.path.join(base, path)
    assert found.text.endswith(f"does not call leftoff: {told_as}")


def test_copilot_is_off_only_where_each_file_with_our_hooks_says_so(places):
    home, root, command = places
    own = agents.load("copilot").SETTINGS
    flat = [{"type": "command", "bash": command.replace("claude-code", "copilot")}]
    hooks = {"hooks": {hook.event: flat for hook in agents.load("copilot").HOOKS}}
    on, off = json.dumps(hooks), json.dumps({**hooks, "disableAllHooks": True})
    put(home, f"{own.home}/{own.file}", on)
    assert "hook-off" not in slugs(root, home)
    put(home, f"{own.home}/{own.file}", off)
    found = next(findings(root, {"HOME": home}, f"{home}/state", 0.0))
    assert (found.slug, found.where) == ("hook-off", os.path.join(home, own.home, own.file))
    assert found.text.endswith("runs none of the hooks in this file: disableAllHooks is true")
    assert "hook-active" not in slugs(root, home)
    put(home, ".copilot/hooks/mine.json", '{"disableAllHooks": true}')
    put(root, own.project, on)
    assert "hook-off" not in slugs(root, home)
    put(root, own.project, off)
    assert "hook-off" in slugs(root, home)
    put(home, ".copilot/settings.json", '{"enabledPlugins": {"leftoff@leftoff": true}}')
    assert "hook-off" not in slugs(root, home)


def slugs(root, home):
    return [one.slug for one in findings(root, {"HOME": home}, f"{home}/state", 0.0)]


def test_the_last_word_on_hooks_is_that_of_the_settings_that_git_does_not_have(places):
    home, root, command = places
    said = hooks_of("claude-code", command) | {"disableAllHooks": True}
    put(home, ".claude/settings.json", json.dumps(said))
    put(root, ".claude/settings.local.json", '{"disableAllHooks": false}')
    assert slugs(root, home) == ["hook-active"]
    put(home, ".claude/settings.json", json.dumps(said | {"disableAllHooks": False}))
    put(root, ".claude/settings.json", '{"disableAllHooks": true}')
    assert slugs(root, home) == ["hook-active"]
    os.remove(os.path.join(root, ".claude/settings.local.json"))
    assert slugs(root, home) == ["hook-off"]


def test_codex_says_it_in_a_file_of_its_own(places):
    home, root, command = places
    put(home, ".codex/hooks.json", json.dumps(hooks_of("codex", command)))
    put(home, ".codex/config.toml", "[features]\nhooks = false\n")
    assert slugs(root, home)[0] == "hook-off"
    put(home, ".codex/config.toml", "[features]\nhooks = true\n")
    assert "hook-off" not in slugs(root, home)
    put(home, ".codex/config.toml", "features = 5\n")
    assert "hook-off" not in slugs(root, home)


def test_hooks_that_codex_does_not_trust_yet_are_named(places):
    home, root, command = places
    put(home, ".codex/hooks.json", json.dumps(hooks_of("codex", command)))
    ((slug, text),) = told(root, home)
    assert slug == "hook-untrusted"
    assert text.endswith("SessionStart, UserPromptSubmit, Stop, Interrupt, PreCompact, PostCompact, SessionEnd")  # fmt: skip
    path = os.path.join(home, ".codex", "hooks.json")
    names = (
        "session_start",
        "user_prompt_submit",
        "stop",
        "interrupt",
        "pre_compact",
        "post_compact",
    )
    trust = "".join(
        f'[hooks.state."{path}:{name}:0:0"]\ntrusted_hash = "sha256:1"\n' for name in names
    )
    put(home, ".codex/config.toml", trust)
    assert told(root, home)[0][1].endswith("until it is trusted: SessionEnd")
    put(
        home,
        ".codex/config.toml",
        f'{trust}[hooks.state."{path}:session_end:0:0"]\nenabled = true\n',
    )
    assert told(root, home)[0][1].endswith("until it is trusted: SessionEnd")
    put(home, ".codex/config.toml", "broken = [")
    assert told(root, home)[0][0] == "hook-untrusted"


def codex_trusts(home: str, hooks: dict) -> None:
    """The configuration of Codex after its user trusted these hooks as they are."""
    path = os.path.join(home, ".codex", "hooks.json")
    marks = [
        f'[hooks.state."{path}:{snake(event)}:0:0"]\n'
        f'trusted_hash = "{fingerprint(event, group, group["hooks"][0], 99)}"\n'
        for event, (group,) in hooks["hooks"].items()
    ]
    put(home, ".codex/config.toml", "".join(marks))


def limited(command: str) -> dict:
    leaf = {"type": "command", "command": command, "timeout": 3}
    events = [hook.event for hook in agents.load("codex").HOOKS]
    return {"hooks": {event: [{"hooks": [dict(leaf)]}] for event in events}}


def test_hooks_that_changed_since_codex_was_told_to_trust_them_are_named(places):
    home, root, command = places
    hooks = limited(command)
    put(home, ".codex/hooks.json", json.dumps(hooks))
    codex_trusts(home, hooks)
    assert told(root, home) == []
    for event, change in (("Stop", {"command": f"{command} "}), ("SessionEnd", {"timeout": 2})):
        hooks["hooks"][event][0]["hooks"][0] |= change
    put(home, ".codex/hooks.json", json.dumps(hooks))
    ((slug, text),) = told(root, home)
    assert slug == "hook-untrusted"
    assert text == "Codex CLI runs no hook that changed since it was trusted: Stop, SessionEnd"


@pytest.mark.parametrize(
    "change", [{"statusMessage": "x"}, {"timeout": 60}, {"timeout": 2.5}, {"type": "prompt"}]
)
def test_of_a_hook_that_setup_never_writes_nobody_knows_what_codex_makes(places, change):
    home, root, command = places
    hooks = limited(command)
    codex_trusts(home, hooks)
    hooks["hooks"]["Stop"][0]["hooks"][0] |= change
    put(home, ".codex/hooks.json", json.dumps(hooks))
    assert told(root, home) == []
    hooks = limited(command)
    hooks["hooks"]["Stop"][0]["matcher"] = "x"
    put(home, ".codex/hooks.json", json.dumps(hooks))
    assert told(root, home) == []


def test_hooks_that_run_are_trusted_whatever_hash_is_noted(places):
    home, root, command = places
    codex_trusts(home, limited(f"{command} "))
    put(home, ".codex/hooks.json", json.dumps(limited(command)))
    os.utime(os.path.join(home, ".codex", "hooks.json"), (1000, 1000))
    put(home, "state/hook/runs", "999 codex stop 9.0 -\n1001 claude-code stop 9.0 -\n")
    assert [slug for slug, _ in told(root, home)] == ["hook-untrusted"]
    put(home, "state/hook/runs", "1001 codex stop 9.0 -\n")
    assert told(root, home) == []


def test_a_hook_has_the_hash_that_codex_has_for_it():
    """As version 0.166 itself said; tests/clients asks it anew."""
    leaf = {"type": "command", "command": "true", "timeout": 5}
    known = "sha256:99551a51b888f6dc725f1199663b7b1e1ef9bb9b9cab0612d84e5e9218aca6f5"
    assert fingerprint("Stop", {"hooks": [leaf]}, leaf, 5) == known


def test_hooks_of_a_plugin_that_codex_does_not_trust_yet_are_named(places):
    home, root, _ = places
    put(home, "state/hook/run", "")
    put(home, ".codex/config.toml", '[plugins."leftoff@shop"]\nenabled = true\n')
    ((slug, text),) = told(root, home)
    events = [hook.event for hook in agents.load("codex").HOOKS]
    assert (slug, text.partition(": ")[2].split(", ")) == ("hook-untrusted", events)
    places = (
        '"leftoff@shop:hooks/hooks.json:stop:0:0"',
        '"other@shop:hooks/hooks.json:interrupt:0:0"',
    )
    trust = "".join(f'[hooks.state.{each}]\ntrusted_hash = "sha256:1"\n' for each in places)
    put(home, ".codex/config.toml", f'[plugins."leftoff@shop"]\nenabled = true\n{trust}')
    assert told(root, home)[0][1].partition(": ")[2].split(", ") == [
        event for event in events if event != "Stop"
    ]


def test_what_hooks_cost_today_is_told(places):
    home, root, _ = places
    runs = "".join(f"{1000 + at} claude-code prompt {at}.0 -\n" for at in range(1, 101))
    put(home, "state/hook/runs", runs)
    ((slug, text),) = told(root, home, now=2000.0)
    assert slug == "hook-cost"
    assert text.startswith("hook runs today: 100; median 51 ms, 99th percentile 100 ms")


def test_hooks_that_failed_today_are_told_with_the_last_of_them(places):
    home, root, _ = places
    lines = ("2026-01-01T00:00:00Z codex stop", "2026-01-02T10:00:00Z claude-code prompt")
    log = "".join(f"{line} Late: - (entry/hook.py:9 late)\n" for line in (*lines, lines[1]))
    put(home, "state/hook.log", log)
    ((slug, text),) = told(root, home, now=instant("2026-01-02T12:00:00Z"))
    assert slug == "hook-failed"
    assert text.startswith("hook failures today: 2, the last claude-code prompt: Late: - (entry")
    assert told(root, home, now=instant("2026-01-04T00:00:00Z")) == []


def test_the_plugin_of_opencode_counts_as_its_hooks(places, tmp_path):
    home, root, _ = places
    put(home, ".config/opencode/plugin/leftoff.js", 'const RUN = "/gone/hook/run"\n')
    hooks, without = installed(root, {"HOME": home})
    assert {hook.agent for hook in hooks} == {"opencode"}
    assert not any(hook.there for hook in hooks)
    assert without == []
    put(home, ".config/opencode/plugin/leftoff.js", "// of somebody else\n")
    assert installed(root, {"HOME": home}) == ([], ["opencode"])
