"""thread: which there are, and what hooks may do for one."""

from __future__ import annotations

import json

import pytest

from leftoff.formats.thread_json import SETTINGS
from projects import THREAD_JSON, get, put, put_thread
from support import repo, run, snapshot

THREAD = "thread-1a2b3c4d"
META = f".checkpoints/threads/{THREAD}/thread.json"


@pytest.fixture
def root(tmp_path):
    place = repo(tmp_path)
    put_thread(place)
    put(place, ".checkpoints/current", f"{THREAD}\n")
    return place


@pytest.mark.req("E.auto.switches")
@pytest.mark.parametrize(
    ("words", "key", "before", "after"),
    [
        (("auto-on",), "autoSave", "false", "true"),
        (("threshold", "80"), "thresholdPercent", "70", "80"),
        (("threshold", "1", THREAD), "thresholdPercent", "70", "1"),
        (("threshold", "100"), "thresholdPercent", "70", "100"),
    ],
)
def test_a_switch_changes_its_key_and_no_other_byte(root, words, key, before, after):
    done = run("thread", *words, cwd=root)
    assert done.returncode == 0
    assert META in done.stdout
    assert get(root, META) == THREAD_JSON.replace(f'"{key}": {before}', f'"{key}": {after}')


@pytest.mark.req("E.auto.switches")
def test_auto_off_takes_auto_on_back(root):
    run("thread", "auto-on", cwd=root)
    run("thread", "auto-off", cwd=root)
    assert get(root, META) == THREAD_JSON


def test_what_is_set_already_is_not_written(root):
    before = snapshot(root)
    assert run("thread", "auto-off", cwd=root).returncode == 0
    assert snapshot(root) == before


@pytest.mark.req("E.auto.switches")
@pytest.mark.parametrize("percent", ["0", "101", "-5", "7.5", "many", "", "²"])
def test_a_threshold_outside_1_to_100_is_refused(root, percent):
    before = snapshot(root)
    assert run("thread", "threshold", "--", percent, cwd=root).returncode == 2
    assert snapshot(root) == before


def test_without_a_current_thread_one_has_to_be_named(root):
    put(root, ".checkpoints/current", "")
    assert run("thread", "auto-on", cwd=root).returncode == 3
    assert run("thread", "auto-on", THREAD, cwd=root).returncode == 0
    assert run("thread", "auto-on", "thread-none", cwd=root).returncode == 3


@pytest.mark.parametrize("name", ["thread-1a", "重构", "重构认证模块"])
def test_a_thread_goes_by_a_unique_prefix_of_its_id_or_title(root, name):
    put(root, ".checkpoints/current", "")
    assert run("thread", "threshold", "80", name, cwd=root).returncode == 0
    assert '"thresholdPercent": 80' in get(root, META)
    assert run("thread", "switch", name, cwd=root).returncode == 0
    assert get(root, ".checkpoints/current") == f"{THREAD}\n"


def test_a_title_with_spaces_is_a_name_too(root):
    assert run("thread", "enable", "--new", "Payments API", cwd=root).returncode == 0
    run("thread", "switch", THREAD, cwd=root)
    for words in (("thread", "switch"), ("resume",), ("status",), ("show",)):
        done = run(*words, "Payments API", cwd=root)
        assert (done.returncode, "Payments API" in done.stdout) == (0, True), done.stderr
    assert run("resume", "Payments", cwd=root).returncode == 0
    assert run("thread", "switch", "No such title", cwd=root).returncode == 2
    assert run("thread", "enable", "--new", "Payments API", cwd=root).returncode == 0
    done = run("thread", "switch", "Payments API", cwd=root)
    assert (done.returncode, '"Payments API" matches 2 checkpoints' in done.stderr) == (5, True)


@pytest.mark.req("E.thread.config")
def test_a_thread_that_came_without_metadata_gets_it_with_its_first_setting(root):
    text = "# Checkpoint: Bare\n\n## Next Steps\n\n1. Look\n"
    put(root, ".checkpoints/threads/thread-bare/CHECKPOINT.md", text)
    done = run("thread", "threshold", "80", "thread-bare", "--json", cwd=root)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["data"]["threads"][0]["settings"]["thresholdPercent"] == 80
    said = json.loads(get(root, ".checkpoints/threads/thread-bare/thread.json"))
    assert (said["threadId"], said["name"], said["sessions"]) == ("thread-bare", "Bare", [])
    assert said["config"] == {**SETTINGS, "thresholdPercent": 80}
    assert run("validate", "--strict", cwd=root).returncode == 0


def test_threads_are_listed_with_what_is_set(root):
    found = json.loads(run("thread", "list", "--json", cwd=root).stdout)["data"]["threads"]
    assert [(one["id"], one["current"]) for one in found] == [(THREAD, True)]
    assert found[0]["settings"]["thresholdPercent"] == 70
    assert "thresholdPercent: 70" in run("thread", cwd=root).stdout
    assert THREAD in run("thread", "status", cwd=root).stdout


def test_words_too_many_are_refused(root):
    for words in (("list", "x"), ("auto-on", THREAD, "x"), ("threshold", "80", THREAD, "x")):
        assert run("thread", *words, cwd=root).returncode == 2


def test_a_broken_thread_is_reported_and_left_as_it_is(root):
    put(root, META, "{")
    done = run("thread", "list", cwd=root)
    assert done.returncode == 1
    assert "thread.json: line 1" in done.stderr
    run("thread", "auto-on", cwd=root)
    assert get(root, META) == "{"


@pytest.mark.parametrize("said", ["thread-nobody\n", "../..\n", "\n"])
def test_a_pointer_that_names_no_thread_is_told_and_not_replaced_in_silence(root, said):
    put_thread(root)
    put(root, ".checkpoints/current", said)
    name = said.strip() or "(nothing)"
    told = f'names "{name}", but there is no such thread here'
    assert f"⚠ .checkpoints/current {told}" in run("status", cwd=root).stdout
    assert f".checkpoints/current {told}" in run("thread", "status", cwd=root).stderr
    assert "这里没有这个线程" in run("status", "--lang", "zh", cwd=root).stdout
    done = run("save", "Half of it", "--next", "the other half", cwd=root)
    assert f'named "{name}", which is no thread here; now it names thread-' in done.stderr
    assert "/current" not in run("save", "More", cwd=root).stderr
    assert "/current" not in run("status", cwd=root).stdout
