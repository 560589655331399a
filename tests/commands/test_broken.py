"""A broken document is named by every command with its reason, and never hides the good ones."""

from __future__ import annotations

import json
import os

import pytest

from projects import NOW, data, get, markdown, put, put_skill, put_thread, skill
from support import repo, run

LESSER = ".checkpoints/threads/thread-1a2b3c4d/thread.json"
BAD = ".checkpoints/oc-bad.checkpoint.json"
CASES = {
    "bad JSON": skill("oc-bad").replace('"phase": "build",', '"phase": "build"'),
    "merge markers": "<<<<<<< ours\n" + skill("oc-bad") + "=======\n>>>>>>> theirs\n",
    "null": "null\n",
    "a list": "[]\n",
    "empty": "",
    "not closed": '{"skill": "oc-bad"',
    "a number": "1",
}


@pytest.fixture
def root(tmp_path):
    place = repo(tmp_path)
    put_skill(place, "oc-good")
    put_skill(place, "oc-fine")
    return place


@pytest.mark.req("X.read.broken-reported", "A.validate.after-merge", "A.cmd.list")
@pytest.mark.parametrize("verb", ["status", "list", "validate"])
@pytest.mark.parametrize("case", CASES)
def test_reading_verbs_name_it_and_show_the_others(root, verb, case):
    put(root, BAD, CASES[case])
    done = run(verb, "--now", NOW, cwd=root)
    assert done.returncode == 1
    assert BAD in done.stdout
    assert "oc-good" in done.stdout
    assert "oc-fine" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.req("A.validate.after-merge")
def test_the_line_is_given(root):
    put(root, BAD, CASES["merge markers"])
    assert "line 1" in run("validate", "--now", NOW, cwd=root).stdout
    put(root, BAD, CASES["bad JSON"])
    assert "line 8" in run("validate", "--now", NOW, cwd=root).stdout


@pytest.mark.req("X.read.broken-reported")
@pytest.mark.parametrize("verb", ["status", "next", "list", "show", "validate", "doctor"])
def test_every_verb_says_which_line_it_is_and_what_to_do(root, verb):
    put(root, BAD, CASES["merge markers"])
    found = json.loads(run(verb, "--json", "--now", NOW, cwd=root).stdout)["findings"]
    (broken,) = [finding for finding in found if finding["slug"] == "broken"]
    assert (broken["where"], broken["line"]) == (BAD, 1)
    assert broken["fix"] == "keep one version of the marked lines, then run leftoff validate"


@pytest.mark.req("X.read.broken-reported", "X.read.text")
def test_bytes_that_are_no_text_are_reported(root):
    with open(os.path.join(root, BAD), "wb") as file:
        file.write(b'{"skill": "\xff\xfe"}')
    done = run("status", "--now", NOW, cwd=root)
    assert done.returncode == 1
    assert "UTF-8" in done.stdout


@pytest.mark.req("X.read.broken-reported")
@pytest.mark.parametrize(
    "words",
    [
        ("update", "oc-bad", "--step=x"),
        ("done", "oc-bad"),
        ("convert", "oc-bad", "--to", "md"),
        ("status", "oc-bad"),
        ("prune", "oc-bad"),
    ],
)
def test_naming_a_broken_document_is_exit_7_and_leaves_it_alone(root, words):
    put(root, BAD, CASES["bad JSON"])
    done = run(*words, "--now", NOW, cwd=root)
    assert done.returncode == 7, done.stderr
    assert "line 8" in done.stderr
    assert get(root, BAD) == CASES["bad JSON"]


def test_show_prints_a_broken_document_all_the_same(root):
    put(root, BAD, CASES["bad JSON"])
    done = run("show", "oc-bad", cwd=root)
    assert done.stdout == CASES["bad JSON"]
    assert done.returncode == 7


@pytest.mark.req("X.read.broken-reported")
def test_wrong_types_and_null_items_are_findings_not_crashes(root):
    odd = skill(
        "oc-bad",
        blockers=[None, 3, {"id": None}],
        progress_table=[None, "x", {"id": 1}],
        next_actions=[None, 4, {"text": 5}],
        context_primer=[],
        pm_refs=[None],
        cost=3,
        recently_done="x",
        skill_state=[],
        updated_at=17,
    )
    put(root, BAD, odd)
    for verb in ("status", "list", "validate", "show"):
        done = run(verb, "--now", NOW, cwd=root)
        assert done.returncode in {0, 1}
        assert "Traceback" not in done.stderr
    assert run("validate", "--now", NOW, cwd=root).returncode == 1


@pytest.mark.req("X.read.broken-reported")
def test_a_damaged_markdown_checkpoint_is_reported(root):
    put(root, "checkpoints/active/chk-x.md", "<<<<<<< ours\n" + markdown("chk-x") + ">>>>>>> b\n")
    done = run("status", "--now", NOW, cwd=root)
    assert done.returncode == 1
    assert "chk-x.md" in done.stdout


def test_a_thread_with_a_broken_thread_json_is_told_with_what_can_be_read_and_what_cannot(tmp_path):
    root = repo(tmp_path)
    put_thread(root)
    whole = {one["id"]: one for one in data(root, "status")["streams"]}["thread-1a2b3c4d"]
    put(root, LESSER, "{")
    why = f"{LESSER}: line 1: the file ends before it is complete"
    for verb in ("status", "list"):
        told = json.loads(run(verb, "--json", "--now", NOW, cwd=root).stdout)
        (one,) = told["data"].get("streams") or told["data"]["documents"]
        assert one["broken_part"] == why
        assert (one["status"], one["next_actions"]) == ("in_progress", whole["next_actions"])
        assert [found["where"] for found in told["findings"]] == [LESSER]
    for words in (
        *((), ("thread-1a2b3c4d",), ("--brief",), ("--all", "--limit", "5")),
        ("thread-1a2b3c4d", "--whole"),
    ):
        done = run("status", *words, "--now", NOW, cwd=root)
        assert (done.returncode, done.stdout.count(why)) == (1, 1)
        assert "Write the middleware" in done.stdout or "--all" in words
    shown = run("list", "--now", NOW, cwd=root).stdout
    assert "broken" not in shown
    assert get(root, LESSER) == "{"


PLACES = (
    "checkpoints/active/chk-lost.md",
    ".workflow_artifacts/memory/checkpoints/2026-05-01-lost.md",
    ".checkpoints/threads/thread-0a1b2c3d/CHECKPOINT.md",
)


@pytest.mark.req("X.read.broken-reported")
@pytest.mark.parametrize("path", PLACES)
@pytest.mark.parametrize("data", [b"", b"\n\n", b"\0" * 80, "# Problem\n".encode("utf-16")])
def test_a_file_that_lost_its_text_is_reported_where_a_document_has_its_place(root, path, data):
    put(root, path, "")
    with open(os.path.join(root, path), "wb") as file:
        file.write(data)
    for verb in ("status", "list", "validate", "next", "doctor"):
        done = run(verb, "--now", NOW, cwd=root)
        assert (done.returncode, path in done.stdout + done.stderr) == (1, True)


def test_an_empty_index_is_no_lost_checkpoint(root):
    put(root, "checkpoints/active/INDEX.md", "")
    assert run("list", cwd=root).returncode == 0


@pytest.mark.req("X.read.broken-reported")
def test_a_header_that_does_not_end_is_reported_and_left_alone(root):
    path, cut = "checkpoints/active/chk-cut.md", "---\ncheckpoint: chk-cut\ncreated: 2026-05-0"
    put(root, path, cut)
    assert f"{path}\n    ✗ line 1: the header does not end" in run("validate", cwd=root).stdout
    done = run("update", "chk-cut", "--anchor=x", "--now", NOW, cwd=root)
    assert (done.returncode, 'close it with a line "---"' in done.stderr) == (7, True)
    assert get(root, path) == cut


@pytest.mark.req("X.read.broken-reported")
@pytest.mark.parametrize("path", [BAD, *PLACES])
def test_a_folder_in_the_place_of_a_document_is_reported(root, path):
    os.makedirs(os.path.join(root, path))
    done = run("validate", "--now", NOW, cwd=root)
    assert done.returncode == 1
    assert f"{path}\n    ✗ not a regular file" in done.stdout


@pytest.mark.req("X.write.own-files")
def test_foreign_files_are_neither_read_nor_touched(root):
    foreign = {
        ".checkpoints/README.md": "# Our own notes\n",
        ".checkpoints/agent-ticket.json": '{"agent": 1}',
        ".checkpoints/phase-1/checkpoint.json": "not json",
        ".checkpoints/CHECKPOINT_A_1_1200.md": "# hello\n",
        "checkpoints/active/notes.md": "# Shopping\n\n- milk\n",
        "checkpoints/model.ckpt": "weights",
        "status/sessions_summary.json": '{"unrelated": true}',
    }
    for path, text in foreign.items():
        put(root, path, text)
    assert run("list", cwd=root).stdout.count("oc-") == 4
    for words in (("init",), ("update", "oc-good", "--step=x"), ("index",), ("validate",)):
        assert run(*words, "--now", NOW, cwd=root).returncode == 0
    assert {path: get(root, path) for path in foreign} == foreign


def test_a_path_at_which_nothing_is_gets_told_so_and_is_not_called_a_bad_name(root):
    done = run("validate", ".checkpoints/oc-gone.checkpoint.json", cwd=root)
    assert done.returncode == 3
    assert "there is no .checkpoints/oc-gone.checkpoint.json" in done.stderr
    for outside in ("../x/y.json", "/x/y.json"):
        assert run("validate", outside, cwd=root).returncode == 2
