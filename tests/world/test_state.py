"""The state folder: where it is, and that it is private."""

from __future__ import annotations

import os
from stat import S_IMODE

import pytest

from leftoff.errors import LeftoffError
from leftoff.world import state
from leftoff.world.state import append_line, ensure, place_key, state_dir


@pytest.mark.parametrize(
    ("env", "folder"),
    [
        ({"LEFTOFF_STATE": "/s", "XDG_STATE_HOME": "/x", "HOME": "/h"}, "/s"),
        ({"LEFTOFF_STATE": "", "XDG_STATE_HOME": "/x", "HOME": "/h"}, "/x/leftoff"),
        ({"XDG_STATE_HOME": "relative", "HOME": "/h"}, "/h/.local/state/leftoff"),
        ({"HOME": "/h"}, "/h/.local/state/leftoff"),
    ],
)
def test_the_first_of_the_three_variables_that_is_set_names_the_folder(env, folder):
    assert state_dir(env) == folder


@pytest.mark.parametrize(
    ("env", "file"),
    [
        ({"XDG_CONFIG_HOME": "/c", "HOME": "/h"}, "/c/leftoff/config.toml"),
        ({"XDG_CONFIG_HOME": "relative", "HOME": "/h"}, "/h/.config/leftoff/config.toml"),
        ({"XDG_CONFIG_HOME": "relative"}, ""),
    ],
)
def test_no_file_of_the_folder_one_is_in_counts_as_the_users_own_settings(env, file):
    assert state.user_file(env) == file


def test_without_any_variable_the_users_own_home_counts(home):
    assert state_dir({}) == os.path.join(home, ".local/state/leftoff")


def test_a_relative_state_folder_is_made_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert state_dir({"LEFTOFF_STATE": "s"}) == os.fspath(tmp_path / "s")


def test_every_folder_that_is_made_is_the_users_alone(tmp_path):
    made = ensure(os.fspath(tmp_path / "a" / "b" / "c"))
    assert ensure(made) == made
    for folder in ("a", "a/b", "a/b/c"):
        assert S_IMODE(os.stat(tmp_path / folder).st_mode) == 0o700


def test_a_file_in_the_way_is_said_in_plain_words(tmp_path):
    (tmp_path / "a").write_text("x", encoding="utf-8")
    for path in ("a", "a/b"):
        with pytest.raises(LeftoffError, match="cannot create"):
            ensure(os.fspath(tmp_path / path))


def test_two_projects_have_two_keys_and_one_has_always_the_same():
    assert place_key("/a") == place_key("/a")
    assert len({place_key(root) for root in ("/a", "/b", "/ab", "/ba", "/項目")}) == 5


def test_lines_are_appended_to_a_private_file(tmp_path):
    path = os.fspath(tmp_path / "state" / "log.jsonl")
    append_line(path, "one")
    append_line(path, "two")
    with open(path, encoding="utf-8") as file:
        assert file.read() == "one\ntwo\n"
    assert S_IMODE(os.stat(path).st_mode) == 0o600


def test_a_line_behind_half_a_line_stands_alone(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"one\nhal")
    append_line(os.fspath(path), "two")
    assert path.read_bytes() == b"one\nhal\ntwo\n"


def test_a_line_that_did_not_fit_on_the_disk_is_not_passed_over(tmp_path, monkeypatch):
    monkeypatch.setattr(state.os, "write", lambda fd, data: len(data) - 1)
    with pytest.raises(LeftoffError, match="no space left"):
        append_line(os.fspath(tmp_path / "log"), "one")
