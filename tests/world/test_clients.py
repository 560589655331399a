"""Which clients are here, and where each keeps its things."""

from __future__ import annotations

import os

import pytest

from leftoff import agents
from leftoff.world import clients

HOME = {"HOME": "/h"}


@pytest.mark.parametrize(
    ("agent", "env", "expected"),
    [
        ("claude-code", HOME, "/h/.claude/settings.json"),
        ("claude-code", {**HOME, "CLAUDE_CONFIG_DIR": "/c"}, "/c/settings.json"),
        ("codex", {**HOME, "CODEX_HOME": "/c"}, "/c/hooks.json"),
        ("gemini-cli", HOME, "/h/.gemini/settings.json"),
        ("gemini-cli", {**HOME, "GEMINI_CLI_HOME": "/c"}, "/c/.gemini/settings.json"),
        ("copilot", {**HOME, "COPILOT_HOME": "/c"}, "/c/hooks/leftoff.json"),
        ("opencode", HOME, "/h/.config/opencode/plugin/leftoff.js"),
        ("opencode", {**HOME, "XDG_CONFIG_HOME": "/c"}, "/c/opencode/plugin/leftoff.js"),
    ],
)
def test_the_file_of_a_client_is_where_its_variable_says(agent, env, expected):
    assert clients.settings_file(agents.load(agent), env) == expected


def test_a_project_has_its_own_file():
    assert clients.settings_file(agents.load("codex"), HOME, "/p") == "/p/.codex/hooks.json"


@pytest.mark.parametrize(
    ("agent", "env", "expected"),
    [
        ("claude-code", {**HOME, "CLAUDE_CONFIG_DIR": "/c"}, "/c"),
        ("gemini-cli", {**HOME, "GEMINI_CLI_HOME": "/c"}, "/c/.gemini"),
        ("opencode", HOME, "/h/.local/share/opencode"),
        ("opencode", {**HOME, "XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c"}, "/d/opencode"),
    ],
)
def test_transcripts_lie_in_the_same_folder_unless_the_client_has_another(agent, env, expected):
    assert clients.logs_folder(agents.load(agent), env) == expected


def test_a_client_is_here_by_its_folder_or_its_program(tmp_path):
    env = {"HOME": str(tmp_path), "PATH": f"relative:{tmp_path}/bin"}
    assert clients.found(env) == []
    os.makedirs(tmp_path / ".codex")
    os.makedirs(tmp_path / "bin")
    for name, mode in (("gemini", 0o755), ("copilot", 0o644)):
        (tmp_path / "bin" / name).write_text("", "utf-8")
        (tmp_path / "bin" / name).chmod(mode)
    found = {one.agent.NAME: one.program for one in clients.found(env)}
    assert found == {"codex": "", "gemini-cli": str(tmp_path / "bin" / "gemini")}


@pytest.mark.parametrize("text", ["{", "[]", '{"plugin": 5}', '{"plugin": [5, {}]}', "\x00"])
def test_odd_settings_name_no_plugin(tmp_path, text):
    folder = tmp_path / ".config" / "opencode"
    os.makedirs(folder)
    (folder / "opencode.json").write_text(text, "utf-8")
    assert clients.plugin(agents.load("opencode"), {"HOME": str(tmp_path)}) == ""
