"""setup: which clients are set up, where, and with whose consent."""

from __future__ import annotations

import json
import os
import sys

import pytest

from leftoff.commands import setup as command
from leftoff.world import hook_registration
from settings_files import CLAUDE, GEMINI, ours, read, setup, write
from support import run, snapshot


def test_only_clients_that_are_here_are_set_up(home, place):
    write(home, CLAUDE, None)
    write(home, GEMINI, None)
    told = json.loads(run("setup", "--json", cwd=place, env={"PATH": "/nowhere"}).stdout)
    assert [row["agent"] for row in told["data"]["agents"]] == ["claude-code", "gemini-cli"]
    assert [row["state"] for row in told["data"]["agents"]] == ["new", "new"]
    assert "SubagentStop" in told["data"]["agents"][0]["events"]


def test_a_program_on_the_path_is_a_client(home, place, tmp_path):
    program = write(str(tmp_path), "bin/codex", "")
    os.chmod(program, 0o700)
    told = json.loads(run("setup", "--json", cwd=place, env={"PATH": str(tmp_path / "bin")}).stdout)
    (row,) = told["data"]["agents"]
    assert row["agent"] == "codex"
    assert any("trust" in need for need in row["needs"])


def test_without_yes_it_asks_and_writes_nothing(home, place):
    write(home, CLAUDE, '{"a": 1}')
    before = snapshot(home)
    told = json.loads(run("setup", "--agent", "claude-code", "--json", cwd=place).stdout)
    assert told["ask"]["choices"][0]["value"] == "--yes"
    assert told["data"]["written"] is False
    dry = run("setup", "--agent", "claude-code", "--dry-run", "--yes", cwd=place)
    assert "would be added" in dry.stdout
    assert snapshot(home) == before


def test_without_any_client_it_says_so(home, place):
    done = run("setup", "--yes", cwd=place, env={"PATH": "/nowhere"})
    said, way = done.stdout.splitlines()
    assert said == "No coding client was found on this machine."
    assert way.endswith("leftoff setup --agent NAME")
    assert not os.path.exists(os.path.join(os.environ["LEFTOFF_STATE"], "hook"))


def test_an_unknown_client_is_refused_with_a_suggestion(home, place):
    done = setup(place, "--agent", "claude-cod")
    assert done.returncode == 2
    assert "claude-code" in done.stderr


def test_a_passing_interpreter_is_refused(home, place, monkeypatch):
    write(home, CLAUDE, "{}")
    monkeypatch.setattr(command, "interpreter", lambda: "/h/.cache/uv/archive-v0/x/bin/python")
    done = setup(place)
    assert done.returncode == 2
    assert "is not permanent" in done.stderr
    assert read(os.path.join(home, CLAUDE)) == "{}"


def test_a_folder_whose_name_no_settings_can_hold_is_refused_before_anything_is_written(
    root, tmp_path
):
    state = os.path.join(tmp_path, os.fsdecode(b"odd\xff"))
    env = {"LEFTOFF_STATE": state}
    done = run("setup", "--agent", "claude-code", "--yes", cwd=root, env=env)
    assert done.returncode == 2
    assert "odd\\udcff: it is not UTF-8 text\nhint: set LEFTOFF_STATE" in done.stderr
    assert not os.path.lexists(state)


def test_a_project_can_be_set_up_alone(home, place):
    done = setup(place, "--agent", "claude-code", "--project-only")
    path = os.path.join(place, ".claude", "settings.local.json")
    assert path in done.stdout
    assert "keep it out of git" in done.stdout
    assert not os.path.exists(os.path.join(home, CLAUDE))
    run("uninstall", cwd=place)
    assert not os.path.exists(os.path.dirname(path))


def test_a_project_is_not_registered_beside_the_user(home, place):
    setup(place, "--agent", "claude-code")
    told = json.loads(setup(place, "--agent", "claude-code", "--project-only", "--json").stdout)
    assert told["data"]["agents"][0]["state"] == "elsewhere"
    assert not os.path.exists(os.path.join(place, ".claude"))


PLUGINS = [
    ("claude-code", ".claude/settings.json", '{"enabledPlugins": {"leftoff@market": true}}'),
    ("codex", ".codex/config.toml", '[plugins."leftoff@market"]\nenabled = true\n'),
    ("gemini-cli", ".gemini/extensions/leftoff/gemini-extension.json", "{}"),
    ("opencode", ".config/opencode/opencode.json", '{"plugin": ["leftoff@1.0"]}'),
]


@pytest.mark.parametrize(("agent", "name", "text"), PLUGINS, ids=[one[0] for one in PLUGINS])
def test_a_client_with_our_plugin_is_not_registered_twice(home, place, agent, name, text):
    path = write(home, name, text)
    env = {"XDG_CONFIG_HOME": ""}
    told = json.loads(setup(place, "--agent", agent, "--json", env=env).stdout)
    assert told["data"]["agents"][0]["state"] == "plugin"
    assert read(path) == text
    assert os.path.exists(os.path.join(os.environ["LEFTOFF_STATE"], "hook", "run"))


def test_a_plugin_that_is_switched_off_does_not_count(home, place):
    write(home, CLAUDE, '{"enabledPlugins": {"leftoff@market": false}}')
    told = json.loads(setup(place, "--agent", "claude-code", "--json").stdout)
    assert told["data"]["agents"][0]["state"] == "new"


def test_the_plugin_of_opencode_is_a_file_of_ours(home, place):
    path = os.path.join(home, "config", "opencode", "plugin", "leftoff.js")
    assert setup(place, "--agent", "opencode").returncode == 0
    assert os.path.join(os.environ["LEFTOFF_STATE"], "hook", "run") in read(path)
    assert "already" in setup(place, "--agent", "opencode").stdout
    run("uninstall", cwd=place)
    assert not os.path.exists(os.path.join(home, "config", "opencode"))
    write(home, "config/opencode/plugin/leftoff.js", "// my own\n")
    assert setup(place, "--agent", "opencode").returncode == 1
    assert read(path) == "// my own\n"


def test_hapi_has_nothing_to_write(home, place):
    told = json.loads(setup(place, "--agent", "hapi", "--json").stdout)
    assert told["data"]["agents"][0]["state"] == "nothing"
    assert told["ask"] is None


def test_the_command_that_is_written_runs_and_ends_well(home, place):
    path = write(home, CLAUDE, "{}")
    setup(place, "--agent", "claude-code")
    (start,) = [one for one in ours("claude-code", read(path)) if one.ours == "start"]
    assert start.command.startswith(sys.executable)
    assert start.command.endswith("claude-code start 2>/dev/null || exit 0")
    assert os.path.exists(hook_registration.program_of(start.command))
