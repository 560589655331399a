"""Settings of hooks and windows: what may be set, by whom, and where it is said to come from."""

from __future__ import annotations

import json
import os

import pytest

from leftoff.errors import FormatError
from leftoff.world.settings import Hooks, load, load_or_default, window_of
from projects import put
from support import repo, run


@pytest.fixture
def root(tmp_path):
    return repo(tmp_path)


def own(text: str) -> None:
    put(os.environ["XDG_CONFIG_HOME"], "leftoff/config.toml", text)


def test_by_default_hooks_tell_everything_and_refuse_nothing(root):
    assert load(root, os.environ).hooks == Hooks("full", "orient", block=False)


def test_a_project_may_say_less_and_wins(root):
    own('[hooks]\nbrief = "full"\nunattended = "off"\nblock = true\n')
    put(root, ".checkpoints/config.toml", '[hooks]\nbrief = "orient"\n')
    assert load(root, os.environ).hooks == Hooks("orient", "off", block=True)


@pytest.mark.parametrize(
    "text",
    [
        '[hooks]\nbrief = "loud"\n',
        "[hooks]\nblock = 1\n",
        "[hooks]\nbrief = ['full']\n",
        '[hooks]\ncommand = "rm"\n',
        '[windows]\n"x" = 0\n',
        '[windows]\n"x" = true\n',
        "hooks = 3\n",
    ],
)
def test_what_cannot_be_is_refused_with_the_file_s_name(root, text):
    own(text)
    with pytest.raises(FormatError) as error:
        load(root, os.environ)
    assert error.value.where.endswith("config.toml")


@pytest.mark.parametrize(
    "text",
    [
        "[hooks]\nblock = true\n",
        '[thresholds]\n"context.block" = 1\n',
        '[windows]\n"claude" = 1000\n',
    ],
)
def test_a_project_cannot_have_prompts_refused(root, text):
    put(root, ".checkpoints/config.toml", text)
    with pytest.raises(FormatError):
        load(root, os.environ)


def test_a_project_s_broken_file_does_not_undo_what_the_user_set(root):
    own("[hooks]\nblock = true\n")
    put(root, ".checkpoints/config.toml", "[hooks\n")
    settings, error = load_or_default(root, os.environ)
    assert settings.hooks.block
    assert error
    assert error.where.startswith(root)


def test_a_user_s_broken_file_does_not_undo_what_the_project_set(root):
    own('[save]\nformat = "nothing"\n')
    put(root, ".checkpoints/config.toml", '[redaction]\nwords = ["Falcon"]\n')
    settings, error = load_or_default(root, os.environ)
    assert settings.redaction.words == ("Falcon",)
    assert error
    assert not error.where.startswith(root)


def test_doctor_shows_the_settings_in_force_and_each_file_that_has_no_effect(root):
    own("[save\n")
    put(root, ".checkpoints/config.toml", '[hooks]\nbrief = "off"\n')
    told = run("doctor", "--settings", cwd=root)
    assert told.returncode == 1
    assert "    → repair the file by hand\n" in told.stdout
    assert "hooks.brief " in told.stdout
    assert ".checkpoints/config.toml" in told.stdout
    put(root, ".checkpoints/config.toml", "[hooks]\nblock = true\n")
    told = run("doctor", "--settings", cwd=root)
    assert told.stdout.count("this file has no effect") == 2


def test_the_longest_name_that_a_model_begins_with_has_its_window(root):
    own('[windows]\n"claude" = 1\n"claude-opus" = 2\n')
    found = load(root, os.environ)
    names = ("claude-opus-5", "claude-x", "gpt")
    assert [window_of(found, name) for name in names] == [2, 1, 0]


def test_doctor_says_where_each_setting_comes_from(root):
    own('[hooks]\nbrief = "off"\n[windows]\n"claude" = 5\n')
    shown = json.loads(run("doctor", "--settings", "--json", cwd=root).stdout)["data"]
    rows = {row["key"]: row for row in shown["settings"]}
    assert (rows["hooks.brief"]["value"], rows["hooks.brief"]["layer"]) == ("off", "user")
    assert (rows["hooks.block"]["value"], rows["hooks.block"]["layer"]) == (False, "default")
    assert rows["windows.claude"]["value"] == 5
