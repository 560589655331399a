"""dispatch: what a skill is told before it does anything, and that telling it touches nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from projects import put_all
from support import SOURCE, leftoff, repo, run, snapshot

OPUS = ("--model", "claude-opus-4-5")


@pytest.fixture
def root(tmp_path):
    place = repo(tmp_path)
    put_all(place)
    return place


def told(root, *words, stdin=""):
    done = run("dispatch", *words, "--json", cwd=root, stdin=stdin)
    assert not done.stderr
    return done.returncode, json.loads(done.stdout)["data"]


@pytest.mark.req("C.dispatch.request", "C.dispatch.return")
def test_work_for_a_cheaper_model_comes_with_all_that_starts_it(root):
    code, data = told(root, *OPUS, "--prompt", "/checkpoint before lunch")
    assert code == 0
    assert data == {
        "answer": "dispatch",
        "reason": "cost-guardrail handoff",
        "request": {
            "model": "haiku",
            "description": "checkpoint dispatched at haiku tier",
            "reason": "cost-guardrail handoff",
            "prompt": "[no-redispatch]\n/checkpoint before lunch",
        },
        "then": "return-and-stop",
        "warning": None,
        "message": None,
        "given": None,
    }
    shown = run("dispatch", *OPUS, "--prompt", "x", cwd=root).stdout
    assert "wait, return its output as your answer and stop" in shown
    assert shown.endswith("[no-redispatch]\nx\n")


@pytest.mark.req("C.dispatch.abort")
@pytest.mark.parametrize("n", [2, 17])
def test_a_prompt_that_was_handed_on_too_often_stops_with_one_line(root, n):
    done = run("dispatch", *OPUS, "--prompt", f"[no-redispatch:{n}] x", cwd=root)
    line = (
        f"leftoff self-dispatch hard-cap reached at N={n} in checkpoint. This indicates a recursion"
        " bug; aborting before any tool calls. Re-invoke with [no-redispatch] (bare) to override.\n"
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, line, "")
    code, data = told(root, *OPUS, "--prompt", f"[no-redispatch:{n}] x")
    assert (code, data["answer"], data["then"]) == (1, "abort", "stop")
    assert data["message"] + "\n" == line


@pytest.mark.req("C.dispatch.first")
@pytest.mark.parametrize("prompt", ["[no-redispatch:2] x", "/checkpoint", "[no-redispatch] x"])
def test_nothing_is_written_read_for_it_or_locked(root, prompt):
    home = os.environ["HOME"]
    # an old launcher, which any other command would renew
    hook = os.path.join(os.environ["LEFTOFF_STATE"], "hook", "launch.py")
    os.makedirs(os.path.dirname(hook))
    with open(hook, "w", encoding="utf-8") as file:
        file.write("# leftoff 0.0.1 '/nowhere'\n")
    before = snapshot(root, home)
    folders = {place for top in (root, home) for place, _, _ in os.walk(top)}
    leftoff("dispatch", *OPUS, "--prompt", prompt, cwd=root)
    assert snapshot(root, home) == before
    assert {place for top in (root, home) for place, _, _ in os.walk(top)} == folders


@pytest.mark.req("C.dispatch.first")
def test_a_project_that_is_broken_all_over_gets_the_same_answer(tmp_path):
    root = repo(tmp_path)
    for path in (".checkpoints", "checkpoints"):
        with open(os.path.join(root, path), "w", encoding="utf-8") as file:
            file.write("no folder")
    assert told(root, *OPUS, "--prompt", "x")[1]["answer"] == "dispatch"


@pytest.mark.req("C.dispatch.unavailable")
def test_without_subagents_it_warns_in_one_line_and_goes_on(root):
    done = run("dispatch", *OPUS, "--prompt", "x", "--no-subagent", cwd=root)
    first, second = done.stdout.splitlines()
    assert first == "subagent dispatch unavailable; proceeding at current tier"
    assert (done.returncode, second) == (0, "proceed: no subagent")
    _, data = told(root, *OPUS, "--prompt", "x", "--no-subagent")
    assert data["warning"] == first


@pytest.mark.req("C.dispatch.unknown")
@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--model", "gpt-x", "--prompt", "x"), "gpt-x"),
        ((*OPUS, "--prompt", "[no-redispatch:x] y"), '"x"'),
    ],
)
def test_what_nobody_can_tell_goes_on_with_a_warning(root, words, named):
    code, data = told(root, *words)
    assert (code, data["answer"]) == (0, "proceed")
    assert named in data["warning"]


@pytest.mark.req("C.dispatch.counter-one")
def test_the_reserved_counter_is_in_no_output(root):
    for more in ((), ("--json",)):
        done = run("dispatch", *OPUS, "--prompt", "[no-redispatch:1] x", *more, cwd=root)
        assert done.returncode == 0
        assert "[no-redispatch:1]" not in done.stdout + done.stderr
        assert "override" in done.stdout


@pytest.mark.req("C.dispatch.tiers")
def test_the_declared_tier_is_haiku_unless_it_is_given(root):
    sonnet = ("--model", "claude-sonnet-4-5", "--prompt", "x")
    assert told(root, *sonnet)[1]["answer"] == "dispatch"
    assert told(root, *sonnet, "--declared", "sonnet")[1]["answer"] == "proceed"
    assert run("dispatch", *sonnet, "--declared", "huge", cwd=root).returncode == 2


def test_the_prompt_may_come_on_stdin(root):
    text = "[no-redispatch] 保存进度\nand \udc80"
    assert told(root, *OPUS, stdin=text)[1]["reason"] == "override"
    done = leftoff("dispatch", *OPUS, "--json", cwd=root, stdin="保存进度\n")
    assert json.loads(done.stdout)["data"]["request"]["prompt"] == "[no-redispatch]\n保存进度\n"


def test_a_closed_or_odd_stdin_is_an_empty_prompt(root):
    argv = [sys.executable, "-m", "leftoff", "dispatch", *OPUS]
    env = {**os.environ, "PYTHONPATH": SOURCE}
    for data in (b"", b"\xff\xfe\x00 no text"):
        done = subprocess.run(argv, cwd=root, env=env, input=data, capture_output=True, check=True)
        assert done.stdout.startswith(b"dispatch: ")


def test_chinese_readers_get_the_line_in_chinese(root):
    words = (*OPUS, "--prompt", "[no-redispatch:3]", "--lang", "zh")
    shown = run("dispatch", *words, cwd=root).stdout
    assert "N=3" in shown
    assert "递归" in shown
