"""The tour: real commands in a folder of its own, and nothing is left of it, however it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from select import select

import pytest

from callers import on_terminal, seen_until
from leftoff.commands import plainly
from leftoff.entry.verb_demo import command, story
from projects import NOW
from support import SOURCE, leftoff, run, snapshot

VARIES = re.compile(r"thread-[0-9a-f]{8}|[0-9a-f]{40}|Commit: [0-9a-f]{12}|about \d+ tokens")
"""Names that are drawn by chance, and what they weigh."""


@pytest.fixture
def temp(tmp_path, monkeypatch):
    """The only place where temporary folders are made."""
    place = tmp_path / "temp"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    return place


def test_every_chapter_is_told_by_a_real_command_and_its_output(tmp_path, temp):
    done = run("demo", "--now", NOW, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    for step in story(plainly):
        assert f"{step.text}\n$ {command(step)}\n" in done.stdout
    for seen in (
        'completed "Build the retry page"\n  Verified: test -f shop/retry.py',
        "Drafted from claude-code/5f0c2d1e",
        "#42 has already landed",
        "branch retry-page: this branch no longer exists here",
        "file shop/limits.py: there is no such file",
        "Skipped, already landed: 1",
        "claims confirmed, 3 contradicted",
        "Other actions [draft]:\n- 3. Add the currency to the total",
        "└── ○ invoices",
    ):
        assert seen in done.stdout


def test_it_leaves_nothing_behind_and_touches_nothing_of_the_person(tmp_path, temp, home):
    before = snapshot(home, str(tmp_path))
    assert leftoff("demo", cwd=tmp_path).returncode == 0
    assert snapshot(home, str(tmp_path)) == before
    assert not [*temp.iterdir()]
    assert not os.path.exists(os.environ["LEFTOFF_STATE"])


def test_the_same_is_shown_whoever_calls_and_whatever_is_set(tmp_path, temp):
    alone = leftoff("demo", "--now", NOW, cwd=tmp_path).stdout
    settings = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "x", "LEFTOFF_SESSION": "codex/y"}
    settings |= {"GIT_DIR": "/nowhere", "GIT_AUTHOR_NAME": "Nobody", "HAPI_SESSION_ID": "z"}
    other = leftoff("demo", "--now", NOW, cwd=tmp_path, env=settings).stdout
    assert VARIES.sub("X", other) == VARIES.sub("X", alone)


def test_it_takes_far_less_than_fifteen_seconds_of_work(tmp_path, temp):
    before = os.times()
    assert leftoff("demo", cwd=tmp_path).returncode == 0
    after = os.times()
    used = after.children_user + after.children_system
    assert used - before.children_user - before.children_system < 15


def test_as_data_each_step_has_its_words_and_the_answer(tmp_path, temp):
    told = json.loads(run("demo", "--json", "--now", NOW, cwd=tmp_path).stdout)
    assert told["schema"] == "leftoff.demo/1"
    steps = told["data"]["steps"]
    assert [step["command"] for step in steps] == [command(step) for step in story(plainly)]
    assert all(step["answer"]["schema"].startswith("leftoff.") for step in steps)
    resumed = next(step for step in steps if step["command"] == "leftoff resume")
    assert resumed["answer"]["data"]["verdicts"]["contradicted"] == 3


def test_in_chinese_the_words_and_the_notes_are(tmp_path, temp):
    shown = run("demo", "--lang", "zh", "--now", NOW, cwd=tmp_path).stdout
    assert "一分钟了解 leftoff" in shown
    assert "下一步：2. 用邮件发送收据" in shown
    assert "#42 已合入" in shown


def test_without_git_it_says_what_is_missing(tmp_path, temp):
    done = run("demo", cwd=tmp_path, env={"PATH": str(tmp_path)})
    assert (done.returncode, done.stdout) == (8, "")
    assert done.stderr == ("error: the demo needs git, which is not installed\nhint: install git\n")


def test_where_no_folder_can_be_made_it_says_so(tmp_path):
    done = run("demo", cwd=tmp_path, env={"TMPDIR": str(tmp_path / "nowhere")})
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot make a temporary folder" in done.stderr
    assert "TMPDIR" in done.stderr


def test_a_reader_that_leaves_early_leaves_nothing_behind(tmp_path, temp):
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m leftoff demo | head -1"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": SOURCE},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert (done.stdout, done.stderr) == ("# leftoff in one minute\n", "")
    assert not [*temp.iterdir()]


def gone(screen):
    """Whether the program left the terminal, after a moment."""
    while select([screen], [], [], 1.0)[0]:
        try:
            if not os.read(screen, 4096):
                return True
        except OSError:
            return True
    return False


@pytest.mark.parametrize("how", ["ctrl-c", signal.SIGTERM, signal.SIGHUP])
def test_whoever_ends_it_in_the_middle_leaves_nothing_behind(tmp_path, temp, how):
    child, screen = on_terminal(tmp_path, "demo", "--step")
    seen_until(screen, b"$ ")
    assert [*temp.iterdir()]
    while not gone(screen):
        # again: a signal between Python's last look for one and its read of the terminal is seen
        # when that read ends, so a person, too, would press it once more
        if how == "ctrl-c":
            os.write(screen, b"\x03")
        else:
            os.kill(child, how)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 130
    assert not [*temp.iterdir()]


def test_step_by_step_each_command_waits_for_enter(tmp_path, temp):
    child, screen = on_terminal(tmp_path, "demo", "--step")
    shown = ""
    for step in story(plainly):
        shown += seen_until(screen, f"$ leftoff {step.words[0]}".encode())
        os.write(screen, b"\n")
    shown += seen_until(screen, None)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert "Enter runs each command" in shown
    assert "└── ○ invoices" in shown


def test_on_a_terminal_it_flows_without_a_key(tmp_path, temp):
    child, screen = on_terminal(tmp_path, "demo")
    shown = seen_until(screen, None)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert "\x1b[" in shown
    assert "└── ○ invoices" in shown
