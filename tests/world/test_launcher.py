"""What clients run: one command that stays the same, in front of a package that may move."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from stat import S_IMODE

import pytest

from hooks import Client, copied, installed, payload, set_up, take_time, text, unhurried
from leftoff import __version__
from leftoff.world import launcher
from leftoff.world.hook_log import Cost, Failure, cost, failures, runs
from support import leftoff, snapshot


@pytest.fixture
def state(tmp_path) -> str:
    return os.path.join(tmp_path, "state")


@pytest.mark.parametrize(
    "name",
    ["plain", "with space", "a'quote", 'a"quote', "$HOME", "a;b", "`x`", "断点", "a\\b", "*"],
)
def test_the_command_is_safe_in_a_shell_wherever_things_are(tmp_path, name):
    state = os.path.join(tmp_path, name)
    client = unhurried(state)
    os.symlink(sys.executable, os.path.join(tmp_path, name, "python"))
    linked = client._replace(python=os.path.join(tmp_path, name, "python"))
    for number, each in enumerate((client, linked)):
        each.leave()
        assert each.fire("prompt", payload(prompt_id=f"p-{number}")) == (0, b"")
    assert len(client.lines()) == 2
    words = shlex.split(linked.command("prompt"))
    assert words[:4] == [linked.python, "-I", "-S", os.path.join(state, "hook/launch.py")]


def test_the_command_names_no_version_and_no_package(state):
    client = installed(state)
    command = client.command("stop")
    assert command.endswith(" claude-code stop 2>/dev/null || exit 0")
    assert __version__ not in command
    assert os.path.dirname(launcher.__file__) not in command


def test_the_script_for_plugins_does_the_same_and_never_fails(state):
    client = unhurried(state)
    client.leave()
    script = os.path.join(state, launcher.RUN)
    argv = [script, "claude-code", "prompt"]
    done = subprocess.run(argv, input=b'{"session_id": "x"}', capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(client.lines("x")) == 1
    os.remove(os.path.join(state, launcher.LAUNCHER))
    done = subprocess.run(argv, input=b"{}", capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_script_for_plugins_survives_a_removed_interpreter(state):
    launcher.write(state, "/nowhere/python")
    done = subprocess.run([os.path.join(state, launcher.RUN), "a", "b"], capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_everything_in_the_folder_is_the_users_alone(state):
    for path in launcher.write(state, sys.executable):
        assert S_IMODE(os.stat(path).st_mode) & 0o077 == 0


def test_writing_it_again_changes_no_byte(state):
    before = [text_of(path) for path in launcher.write(state, sys.executable)]
    assert [text_of(path) for path in launcher.write(state, sys.executable)] == before


def text_of(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def test_a_fresh_launcher_is_left_as_it_is_and_none_is_made_where_there_was_none(state):
    assert not launcher.refresh(state)
    assert not os.path.exists(state)
    launcher.write(state, sys.executable)
    before = snapshot(state)
    assert not launcher.refresh(state)
    assert snapshot(state) == before


def test_any_command_of_an_installation_that_moved_repairs_the_hooks(tmp_path, home):
    state = os.path.join(home, "state", "leftoff")
    client = copied(tmp_path, state)
    old, new = os.path.join(tmp_path, "site"), os.path.join(tmp_path, "elsewhere")
    os.rename(old, new)
    assert client.fire("prompt", payload()) == (0, b"")
    assert not client.lines()
    leftoff("status", cwd=tmp_path, env={"PYTHONPATH": new})
    assert f"'{new}'" in text(os.path.join(state, launcher.LAUNCHER))
    client.leave()
    client.fire("prompt", payload())
    assert len(client.lines()) == 1


def change_version(site: str, version: str) -> None:
    with open(os.path.join(site, "leftoff", "__init__.py"), "w", encoding="utf-8") as file:
        file.write(f'__version__ = "{version}"\n')


@pytest.mark.parametrize(("other", "taken"), [("99.0.0", False), ("0.0.9", True)])
def test_of_two_installations_the_newer_one_has_the_hooks(tmp_path, home, other, taken):
    state = os.path.join(home, "state", "leftoff")
    copied(tmp_path, state)
    site = os.path.join(tmp_path, "site")
    change_version(site, other)
    set_up(site, state)
    leftoff("status", cwd=tmp_path)
    assert text(os.path.join(state, launcher.LAUNCHER)).startswith(launcher.mark()) == taken


def test_an_upgrade_in_place_is_compiled_again_at_the_next_start(tmp_path):
    client = copied(tmp_path, os.path.join(tmp_path, "state"))
    source = os.path.join(tmp_path, "site", "leftoff", "core", "fast_json.py")
    with open(source, "a", encoding="utf-8") as file:
        file.write("\nNEW = 1\n")
    ahead = os.path.join(client.state, f"hook/ahead.{sys.implementation.cache_tag}")
    before = text_of(ahead)
    client.fire("prompt", payload())
    assert text_of(ahead) == before
    client.fire("start", payload(source="startup"))
    assert text_of(ahead) != before


@pytest.mark.parametrize("data", [b"", b"junk", b"N", b"\0" * 100])
def test_a_damaged_file_of_compiled_modules_costs_time_and_nothing_else(tmp_path, data):
    client = unhurried(os.path.join(tmp_path, "state"))
    client.leave()
    ahead = os.path.join(client.state, f"hook/ahead.{sys.implementation.cache_tag}")
    with open(ahead, "wb") as file:
        file.write(data)
    assert client.fire("prompt", payload()) == (0, b"")
    assert len(client.lines()) == 1
    assert launcher.refresh(client.state)


def test_where_the_package_folder_cannot_be_written_all_is_compiled_below_the_state(
    state, monkeypatch
):
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(os.path, "exists", lambda _: False)
    launcher.write(state, sys.executable)
    monkeypatch.undo()
    take_time(state)
    client = Client(state)
    client.fire("start", payload(source="startup", cwd=state))
    kept = list(snapshot(os.path.join(state, "hook", "compiled")))
    assert any("leftoff/commands/_events." in path for path in kept)
    assert not any("leftoff/core/fast_json." in path for path in kept)  # that came compiled


THROWAWAY = [
    ("/home/me/.cache/uv/archive-v0/Zk3/bin/python", "uvx"),
    ("/home/me/.cache/uv/environments-v2/x-1/bin/python3", "uvx"),
    ("/srv/uv/cache/archive-v0/Zk3/bin/python", "uvx"),
    ("/home/me/.local/pipx/.cache/0f3/bin/python", "pipx run"),
    ("/home/me/.cache/pipx/0f3/bin/python", "pipx run"),
    ("/tmp/pip-build-env-8x/overlay/bin/python", "a build"),
    ("/home/me/.cache/uv/builds-v0/.tmpAbC/bin/python", "uvx"),
    ("/home/me/.local/share/uv/tools/leftoff/bin/python", ""),
    ("/home/me/.local/share/uv/python/cpython-3.12/bin/python3", ""),
    ("/home/me/.local/share/pipx/venvs/leftoff/bin/python", ""),
    ("/home/me/.venv/bin/python", ""),
    ("/usr/bin/python3", ""),
    ("/tmp/work/venv/bin/python", ""),
]


@pytest.mark.parametrize(("python", "made_by"), THROWAWAY)
def test_an_interpreter_that_is_not_going_to_stay_is_known_by_its_place(python, made_by):
    assert launcher.throwaway(python) == made_by


def test_the_cost_of_a_day_is_told_from_the_runs(state):
    os.makedirs(os.path.join(state, "hook"))
    lines = [f"{1000 + n} claude-code prompt {n}.5 -\n" for n in range(200)]
    with open(os.path.join(state, "hook", "runs"), "w", encoding="utf-8") as file:
        file.write("torn li\n" + "".join(lines[100:]))
    with open(os.path.join(state, "hook", "runs.1"), "w", encoding="utf-8") as file:
        file.write("".join(lines[:100]))
    found = runs(state)
    assert [run.ms for run in found[:2]] == [0.5, 1.5]
    assert cost(found, 2000) == Cost(200, 100.5, 198.5, 199.5, "prompt")
    assert cost(found, 1000 + 86400 + 190).runs == 10
    assert cost(found, 1e9) is None
    assert cost([], 1000) is None


def test_failures_are_read_from_the_log(state):
    assert failures(state) == []
    os.makedirs(state)
    with open(os.path.join(state, "hook.log"), "w", encoding="utf-8") as file:
        file.write("2026-01-01T00:00:00Z codex stop Late: - (entry/hook.py:1 x)\nodd\n")
    assert failures(state) == [
        Failure("2026-01-01T00:00:00Z", "codex", "stop", "Late: - (entry/hook.py:1 x)"),
        Failure("odd", "", "", ""),
    ]


def test_half_a_character_in_the_log_hides_no_failure(state):
    os.makedirs(state)
    with open(os.path.join(state, "hook.log"), "wb") as file:
        file.write(
            b"2026-01-01T00:00:00Z codex stop \xe4\xb8\n2026-01-01T00:00:01Z codex end Late\n"
        )
    assert [one.event for one in failures(state)] == ["stop", "end"]
