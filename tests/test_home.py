"""Tests have a home folder of their own, and a guard that notices when one reached the real one."""

from __future__ import annotations

import os

from support import clean_environment, snapshot


def test_the_home_of_a_test_is_its_own(home: str):
    assert os.environ["HOME"] == home
    assert os.environ["LEFTOFF_STATE"].startswith(home)
    assert not os.listdir(home)


def test_no_setting_of_an_agent_or_of_git_reaches_a_test():
    given = {
        "PATH": "/bin",
        "CLAUDECODE": "1",
        "HAPI_SESSION_ID": "x",
        "GIT_DIR": "y",
        "TZ": "Asia/X",
    }
    clean = clean_environment(given, "/home/me")
    assert clean["PATH"] == "/bin"
    assert not {"CLAUDECODE", "HAPI_SESSION_ID", "GIT_DIR"} & set(clean)
    assert clean["TZ"] == "UTC"


def test_the_tripwire_sees_a_file_that_is_new_and_one_that_changed(tmp_path):
    (tmp_path / "config").write_text("a", encoding="utf-8")
    before = snapshot(str(tmp_path))
    (tmp_path / "config").write_text("ab", encoding="utf-8")
    (tmp_path / "new").touch()
    after = snapshot(str(tmp_path))
    assert {path for path in after if before.get(path) != after[path]} == set(after)
