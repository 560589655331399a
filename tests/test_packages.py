"""The packages for the clients: up to date, whole, and silent where leftoff is not there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tomllib
from typing import Any

import pytest

from leftoff import __version__, agents
from leftoff.core.guide import SKILLS
from leftoff.world import launcher
from leftoff.world.state import state_dir
from support import ROOT, module_at

PLUGINS = os.path.join(ROOT, "plugins")
MARKETS = {
    "claude-code": ".claude-plugin/marketplace.json",
    "codex": ".agents/plugins/marketplace.json",
    "copilot": ".github/plugin/marketplace.json",
}
HOOKS = {
    "claude-code": "hooks/hooks.json",
    "codex": "hooks/hooks.json",
    "gemini-cli": "hooks/hooks.json",
    "copilot": "hooks.json",
}
MANIFESTS = {
    "claude-code": ".claude-plugin/plugin.json",
    "codex": ".codex-plugin/plugin.json",
    "copilot": "plugin.json",
    "gemini-cli": "gemini-extension.json",
}
SHELLS = [shell for shell in ("/bin/sh", "/bin/bash", "/bin/dash") if os.path.exists(shell)]


@pytest.fixture(scope="module")
def generate() -> Any:
    """plugins/_generate.py, a script beside the packages and no part of leftoff."""
    return module_at("plugins", "_generate.py")


def read(*parts: str) -> Any:
    path = os.path.join(ROOT, *parts)
    with open(path, encoding="utf-8") as file:
        return json.load(file) if path.endswith(".json") else file.read()


def commands(agent: str) -> list[str]:
    """What the hooks of a package run."""
    found = re.findall(
        r'"(?:command|bash)": (".*/hook/run.*"),', json.dumps(read_hooks(agent), indent=1)
    )
    return [json.loads(one) for one in found]


def read_hooks(agent: str) -> Any:
    return read("plugins", agent, HOOKS[agent])["hooks"]


def test_the_packages_are_up_to_date(generate):
    assert generate.outdated() == [], "run make docs"


def test_a_package_that_was_edited_by_hand_is_noticed(generate, monkeypatch):
    made = generate.files()
    made["plugins/codex/.mcp.json"] += " "
    monkeypatch.setattr(generate, "files", lambda: made)
    assert generate.outdated() == ["plugins/codex/.mcp.json"]
    monkeypatch.setattr(generate, "files", dict)
    assert "plugins/codex/.mcp.json" in generate.outdated()  # belongs to nothing
    assert "plugins/_generate.py" not in generate.outdated()


@pytest.mark.parametrize("agent", MANIFESTS)
def test_a_package_has_the_version_of_leftoff(agent):
    manifest = read("plugins", agent, MANIFESTS[agent])
    assert (manifest["name"], manifest["version"]) == ("leftoff", __version__)


@pytest.mark.parametrize("agent", MARKETS)
def test_a_marketplace_leads_to_the_package_of_its_client(agent):
    (plugin,) = read(MARKETS[agent])["plugins"]
    source = plugin["source"]
    path = source["path"] if isinstance(source, dict) else source
    assert os.path.samefile(os.path.join(ROOT, path), os.path.join(PLUGINS, agent))


@pytest.mark.parametrize("agent", HOOKS)
def test_a_package_registers_what_setup_does(agent):
    adapter = agents.load(agent)
    assert list(read_hooks(agent)) == list(dict.fromkeys(hook.event for hook in adapter.HOOKS))
    told = [command.partition("hook/run")[2].strip('"').split()[:2] for command in commands(agent)]
    assert told == [[agent, hook.ours] for hook in adapter.HOOKS]


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("agent", HOOKS)
def test_a_hook_without_leftoff_is_silent_and_ends_well(agent, shell, tmp_path):
    for command in commands(agent):
        done = sh(shell, command, HOME=str(tmp_path))
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize(
    ("state", "env"),
    [
        (".local/state/leftoff", {}),
        ("x y/leftoff", {"XDG_STATE_HOME": "{home}/x y"}),
        ("own", {"LEFTOFF_STATE": "{home}/own", "XDG_STATE_HOME": "{home}/x"}),
    ],
)
def test_a_hook_calls_the_script_of_the_state_folder(state, env, tmp_path):
    run = os.path.join(tmp_path, state, launcher.RUN)
    os.makedirs(os.path.dirname(run))
    with open(run, "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\necho "$@"; cat; exit 3\n')
    os.chmod(run, 0o700)
    given = {name: value.format(home=tmp_path) for name, value in env.items()}
    done = sh("/bin/sh", commands("claude-code")[0], stdin="told", HOME=str(tmp_path), **given)
    assert (done.returncode, done.stdout) == (0, "claude-code start\ntold")
    assert os.path.join(state_dir({"HOME": str(tmp_path), **given}), launcher.RUN) == run


def sh(shell: str, command: str, stdin: str = "{}", **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [shell, "-c", command],
        env={"PATH": "/usr/bin:/bin", **env},
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )


# MCP

ASKED = (
    {
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18"},
        "jsonrpc": "2.0",
        "id": 0,
    },
    {"method": "notifications/initialized", "jsonrpc": "2.0"},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}},
    {"jsonrpc": "2.0", "id": "b-2", "method": "resources/list"},
    {"jsonrpc": "2.0", "id": 3, "method": "ping"},
)


def server(agent: str) -> dict[str, Any]:
    name = "gemini-extension.json" if agent == "gemini-cli" else ".mcp.json"
    (found,) = read("plugins", agent, name)["mcpServers"].values()
    return found


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("agent", MANIFESTS)
def test_without_leftoff_an_empty_server_answers(agent, shell, tmp_path):
    asked = "".join(json.dumps(one, separators=(",", ":")) + "\n" for one in ASKED)
    command = server(agent)
    assert command["command"] == "sh"
    assert command["args"][0] == "-c"
    done = sh(shell, command["args"][1], stdin=asked, HOME=str(tmp_path))
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["id"] for one in told] == [0, 1, "b-2", 3]
    assert told[0]["result"]["protocolVersion"] == "2025-06-18"
    assert told[1]["result"]["tools"] == []
    assert len(told[2]["result"]["resources"]) == 1
    assert (done.returncode, done.stderr) == (0, "")


def test_with_leftoff_its_own_server_answers(tmp_path):
    console = os.path.join(tmp_path, "leftoff")
    with open(console, "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\necho "$@"; cat\n')
    os.chmod(console, 0o700)
    path = f"{tmp_path}:/usr/bin:/bin"
    done = sh("/bin/sh", server("codex")["args"][1], stdin="asked\n", PATH=path)
    assert done.stdout == "mcp --profile minimal\nasked\n"


# Skills

TRIGGERS = {
    "save": ("保存进度", "断点保存", "/checkpoint", "save my place", "save session"),
    "resume": ("断点续传", "恢复上下文", "restore checkpoint"),
    "next": ("检查进度", "列出断点"),
    "handoff": ("交接",),
}
FOLDERS = [
    ("claude-code/skills", ""),
    ("codex/skills", ""),
    ("copilot/skills", "leftoff-"),
    ("gemini-cli/skills", "leftoff-"),
    ("skills", "leftoff-"),
]


def skill(name: str) -> tuple[dict[str, str], str]:
    """Front matter and body, as YAML has them."""
    yaml = pytest.importorskip("yaml")
    _, front, body = read("plugins", "skills", f"leftoff-{name}", "SKILL.md").split("---\n", 2)
    return yaml.safe_load(front), body


@pytest.mark.parametrize(("folder", "prefix"), FOLDERS, ids=[one[0] for one in FOLDERS])
def test_a_skill_is_called_as_its_folder_is(folder, prefix):
    names = sorted(os.listdir(os.path.join(PLUGINS, folder)))
    assert names == sorted(f"{prefix}{one}" for one in SKILLS)
    for name in names:
        text = read("plugins", folder, name, "SKILL.md")
        assert text.startswith(f"---\nname: {name}\ndescription: ")


@pytest.mark.parametrize("name", SKILLS)
@pytest.mark.req("E.docs.on-demand")
def test_a_skill_is_short_and_says_when_to_use_it(name):
    front, body = skill(name)
    assert set(front) == {"name", "description"}
    assert not [word for word in TRIGGERS[name] if word not in front["description"]]
    assert len(front["description"]) < 400
    assert len(body.splitlines()) < 30
    assert f"**Read** `leftoff skill docs {name}`" in body


@pytest.mark.parametrize("name", SKILLS)
@pytest.mark.req("E.docs.order", "E.docs.read-first")
def test_a_skill_states_the_order_environment_mode_read_follow(name):
    _, body = skill(name)
    steps = re.findall(r"^\d\. \*\*(\w+)\*\*", body, re.MULTILINE)
    assert steps[-4:] == ["Environment", "Mode", "Read", "Follow"]
    assert steps[:-4] == (["Tier"] if name == "save" else [])
    assert "Never from memory" in body
    assert "in this order" in body
    assert "leave none out, add none" in body
    assert "do not improvise" in body


@pytest.mark.req("C.dispatch.first", "C.dispatch.return")
def test_the_save_asks_for_its_tier_before_anything_else():
    _, body = skill("save")
    first = body.partition("2. **Environment")[0]
    assert "leftoff dispatch --model MODEL --json <<'END'" in first
    assert "return its\n   output as your answer and stop" in first
    assert body.count("leftoff ") > first.count("leftoff ") == 1


def test_the_commands_of_gemini_lead_to_its_skills():
    for name in SKILLS:
        text = read("plugins", "gemini-cli", "commands", "leftoff", f"{name}.toml")
        told = tomllib.loads(text)
        assert f"leftoff-{name}" in told["prompt"]
        assert "{{args}}" in told["prompt"]
        assert "!{" not in told["prompt"]  # the user's words never reach a shell


def test_the_plugin_of_opencode_is_that_of_setup_but_for_its_path():
    with open(os.path.join(agents.__path__[0], "opencode_plugin.js"), encoding="utf-8") as file:
        ours = file.read().splitlines()
    packed = read("plugins", "opencode", "leftoff.js").splitlines()
    different = [line for line in packed if line not in ours]
    assert [line for line in ours if line not in packed] == ['const RUN = "@RUN@"']
    assert len(different) == 3
