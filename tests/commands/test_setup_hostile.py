"""setup and uninstall beside each other, and over a ledger that somebody else wrote."""

from __future__ import annotations

import json
import os

import pytest

from leftoff.world import client_setup, launcher, setup_ledger
from leftoff.world.setup_ledger import Change
from support import run

SETTINGS = ".claude/settings.json"


@pytest.fixture
def root(tmp_path):
    os.makedirs(os.path.join(os.environ["HOME"], ".claude"))
    os.makedirs(tmp_path / "project" / ".git")
    return tmp_path / "project"


def state():
    return os.environ["LEFTOFF_STATE"]


def settings():
    return os.path.join(os.environ["HOME"], SETTINGS)


def written(text):
    folder = os.path.join(state(), "setup")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "ledger.json"), "w", encoding="utf-8") as file:
        file.write(text)


def test_what_a_setup_adds_while_uninstall_waits_is_taken_back_or_stays_known(
    root, tmp_path, monkeypatch
):
    one, two = (os.fspath(tmp_path / name) for name in ("one.json", "two.json"))
    setup_ledger.put(state(), Change("claude-code", one, None, b"{}\n", None))
    real = setup_ledger.locked

    def late(folder):  # another process has the lock first, and adds a file
        monkeypatch.setattr(setup_ledger, "locked", real)
        setup_ledger.put(state(), Change("claude-code", two, None, b"{}\n", None))
        return real(folder)

    monkeypatch.setattr(setup_ledger, "locked", late)
    done = run("uninstall", cwd=root)
    known = {entry.path for entry in setup_ledger.entries(state())}
    assert done.returncode == 0
    assert {path for path in (one, two) if os.path.exists(path)} == known


def test_uninstall_leaves_the_launcher_to_a_setup_that_came_after_it(root, monkeypatch):
    assert run("setup", "--yes", "--agent", "claude-code", cwd=root).returncode == 0
    real = setup_ledger.undo

    def then_setup(*given, **options):
        done = real(*given, **options)
        assert run("setup", "--yes", "--agent", "claude-code", cwd=root).returncode == 0
        return done

    monkeypatch.setattr(setup_ledger, "undo", then_setup)
    run("uninstall", cwd=root)
    with open(settings(), encoding="utf-8") as file:
        assert "launch.py" in file.read()
    assert os.path.exists(os.path.join(state(), launcher.LAUNCHER))


def test_setup_puts_back_the_launcher_that_an_uninstall_took_meanwhile(root, monkeypatch):
    real = client_setup._carried_out

    def beside_uninstall(where, plan):
        os.unlink(os.path.join(where, launcher.LAUNCHER))
        return real(where, plan)

    monkeypatch.setattr(client_setup, "_carried_out", beside_uninstall)
    assert run("setup", "--yes", "--agent", "claude-code", cwd=root).returncode == 0
    assert os.path.exists(os.path.join(state(), launcher.LAUNCHER))


def test_a_ledger_of_a_client_that_this_leftoff_does_not_know_is_no_crash(root):
    with open(settings(), "w", encoding="utf-8") as file:
        file.write("{}")
    entry = {"agent": "nosuch", "path": settings(), "before": "", "ours": [], "folders": []}
    written(json.dumps({"v": 1, "entries": [entry]}))
    done = run("uninstall", cwd=root)
    assert done.returncode == 1
    assert 'leftoff knows no client "nosuch"' in done.stderr
    assert [one.agent for one in setup_ledger.entries(state())] == ["nosuch"]


@pytest.mark.parametrize("ledger", ["{", "[" * 200_000])
def test_setup_names_the_broken_ledger_and_not_the_settings_it_could_not_note(root, ledger):
    written(ledger)
    done = run("setup", "--yes", "--agent", "claude-code", cwd=root)
    assert done.returncode == 1
    assert "ledger.json: not a ledger of setup" in done.stderr
    assert not os.path.exists(settings())
