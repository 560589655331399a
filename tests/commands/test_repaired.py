"""What a hostile but fair user found, each as a test so that it stays repaired."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from projects import NOW, do, get, put, put_markdown, put_skill, put_thread
from support import SOURCE, run

PATH = ".checkpoints/oc-demo.checkpoint.json"


def conflict(path, side="theirs", value="failed"):
    return {"path": path, "side": side, "value": value}


@pytest.mark.parametrize("word", ["--status=bogus", "--next_actions:json=[]", "--skill=other"])
def test_a_new_document_is_validated_like_an_old_one(root, word):
    assert do(root, "update", "brand-new", word).returncode == 1
    assert not os.path.exists(os.path.join(root, ".checkpoints"))


def test_conflicts_are_settled_one_by_one(root):
    put_skill(root, conflicts=[conflict("status"), conflict("depends_on", value="x")])
    assert do(root, "update", "oc-demo", "--resolve", "status=theirs").returncode == 0
    assert [c["path"] for c in json.loads(get(root, PATH))["conflicts"]] == ["depends_on"]
    assert do(root, "update", "oc-demo", "--step=still-works").returncode == 0


def test_an_action_that_begins_like_another_is_completed_alone(root):
    put_skill(root, next_actions=["Fix", "Fix tests", "2"])
    assert 'completed "Fix"' in do(root, "done", "oc-demo").stdout
    assert json.loads(get(root, PATH))["next_actions"] == ["Fix tests", "2"]
    assert 'completed "Fix tests"' in do(root, "done", "oc-demo", "1").stdout
    assert json.loads(get(root, PATH))["next_actions"] == ["2"]


def test_a_name_with_a_dot_is_a_name_of_its_own(root):
    put_skill(root, "a.b")
    before = get(root, ".checkpoints/a.b.checkpoint.json")
    assert do(root, "update", "a", "--step=x").returncode == 0
    assert get(root, ".checkpoints/a.b.checkpoint.json") == before


@pytest.mark.parametrize("name", ["md:foo", "../../x:foo", "skill:foo"])
def test_a_format_prefix_never_becomes_part_of_a_new_name(root, name):
    assert do(root, "update", name, "--step=x").returncode == 3
    assert not os.path.exists(os.path.join(root, ".checkpoints"))


def test_prune_leaves_what_is_no_plain_path(root):
    rows = ["src/real.py:12", "https://x.test/a", "src/*.py", "a, b", "some notes", "gone.py"]
    trail = "| File | Status | Key Change |\n|---|---|---|\n"
    trail += "".join(f"| `{row}` | modified | x |\n" for row in rows)
    path = put_markdown(root, trail=trail + "| `old.py` | deleted | x |")
    assert do(root, "prune", "chk-auth").returncode == 0
    after = get(root, path)
    assert "gone.py" not in after
    assert all(row in after for row in [*rows[:-1], "old.py"])


def test_complete_is_refused_while_others_are_open(root):
    put_skill(root)
    put_thread(root)
    before = get(root, PATH)
    assert do(root, "done", "oc-demo", "--complete").returncode == 2
    assert do(root, "done", "thread-1a2b3c4d", "--complete").returncode == 2
    assert do(root, "done", "oc-demo", "--next", " ").returncode == 2
    assert get(root, PATH) == before


def test_what_a_write_would_undo_is_refused(root):
    put_skill(root)
    path = put_markdown(root)
    before = get(root, PATH), get(root, path)
    assert do(root, "update", "oc-demo", "--updated_at=2020-01-01T00:00:00Z").returncode == 2
    assert do(root, "update", "chk-auth", "--status=complete").returncode == 2
    assert (get(root, PATH), get(root, path)) == before


def test_conflicts_in_markdown_are_errors_too(root):
    path = put_markdown(root)
    put(
        root, path, get(root, path) + "\n## Conflicts\n\n- Other goal [id: intent] [side: theirs]\n"
    )
    checked = do(root, "validate")
    assert checked.returncode == 1
    assert "unresolved conflict" in checked.stdout


def test_undo_knows_whose_history_it_is_and_which_is_newer(root):
    put_skill(root, "a.2")
    do(root, "reset", "a.2")
    assert do(root, "reset", "a", "--undo").returncode == 3
    for summary in ("older", "newer"):
        put_skill(root, "a", progress_summary=summary)
        do(root, "reset", "a")
    assert do(root, "reset", "a", "--undo").returncode == 0
    assert "newer" in get(root, ".checkpoints/a.checkpoint.json")


def test_undo_brings_other_formats_back_from_the_trash(root):
    path = put_markdown(root)
    text = get(root, path)
    do(root, "reset", "chk-auth")
    assert do(root, "reset", "chk-auth", "--undo").returncode == 0
    assert get(root, path) == text


def test_reset_takes_whole_names_only_and_suggests_none(root):
    put_skill(root)
    done = do(root, "reset", "oc-dem")
    assert done.returncode == 3
    assert "oc-demo" not in done.stderr


def test_current_fails_before_it_clears_the_old_one(root):
    path = put_markdown(root, "chk-a", header="status: current\n")
    put(
        root,
        "checkpoints/active/chk-b.md",
        "<<<<<<< x\n" + get(root, path).replace("chk-a", "chk-b"),
    )
    assert do(root, "current", "chk-b").returncode == 7
    assert "status: current\n" in get(root, path)


def test_init_makes_whole_documents_of_each_format(root):
    for kind in ("skill", "thread"):
        assert do(root, "init", f"new-{kind}", "--as", kind).returncode == 0
    assert os.path.exists(os.path.join(root, ".checkpoints/threads/new-thread/thread.json"))
    assert do(root, "validate", "new-skill").returncode == 0
    assert "created" not in do(root, "init", "chk-x", "--dry-run").stdout.splitlines()[0]
    assert do(root, "init", "chk-x", "--ci").returncode == 2
    assert do(root, "init", "--problem", "x").returncode == 2


@pytest.mark.parametrize("settings", ["thresholds = 5", 'readers = "x"', "[readers]\na = 5"])
def test_odd_settings_are_named_not_a_crash(root, settings):
    put_skill(root)
    put(root, ".checkpoints/config.toml", settings + "\n")
    done = do(root, "status")
    assert done.returncode == 0
    assert "oc-demo" in done.stdout
    assert "config.toml" in done.stderr
    assert "this file has no effect" in done.stderr


def test_a_table_that_settings_do_not_have_is_named_and_the_others_hold(root):
    put_skill(root)
    put(root, ".checkpoints/config.toml", '[redactoin]\nwords = ["x"]\n[hooks]\nbrief = "off"\n')
    done = do(root, "status")
    assert done.returncode == 0
    assert 'config.toml: there is no table "redactoin"; it has no effect' in done.stderr
    assert 'did you mean "redaction"?' in done.stderr
    assert "hooks.brief" in do(root, "doctor", "--settings").stdout
    assert "redactoin" in do(root, "doctor").stdout


def test_escapes_in_a_document_do_not_reach_the_reader(root):
    put_skill(root, progress_summary="red \x1b[31m text \x07", step="a\nb")
    shown = do(root, "status").stdout
    assert "\x1b" not in shown
    assert "red �[31m text �" in shown


def test_an_id_wins_over_a_short_form(root):
    put_markdown(root, "z")
    put_markdown(root, "chk-z")
    assert do(root, "show", "z").stdout.startswith("---\ncheckpoint: z\n")


def test_options_before_any_verb_belong_to_status(root):
    put_skill(root)
    assert do(root, "--since", "2d").stdout == do(root, "status", "--since", "2d").stdout


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">/dev/full"])
def test_closed_or_full_streams_are_no_traceback(root, closed):
    put_skill(root)
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m leftoff status {closed}"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": SOURCE},
        capture_output=True,
        encoding="utf-8",
    )
    assert "Traceback" not in done.stderr
    assert done.returncode in {0, 6}


def test_a_deleted_working_folder_is_said(root, tmp_path):
    gone = os.path.join(tmp_path, "gone")
    os.mkdir(gone)
    command = f"rmdir ../gone && {sys.executable} -m leftoff status"
    env = {**os.environ, "PYTHONPATH": SOURCE}
    done = subprocess.run(
        ["sh", "-c", command], cwd=gone, env=env, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 2
    assert "working folder is gone" in done.stderr


def test_a_path_with_dots_is_found_from_a_subfolder(root):
    put_skill(root)
    deep = os.path.join(root, "a", "b")
    os.makedirs(deep)
    assert run("validate", f"../../{PATH}", "--now", NOW, cwd=deep).returncode == 0


def test_convert_writes_all_documents_or_none(root):
    put_skill(root)
    put(root, ".checkpoints/threads/fresh/thread.json", '{"threadId": "fresh"}')
    assert do(root, "convert", "oc-demo", "--to", "thread", "--id", "fresh").returncode == 4
    assert os.listdir(os.path.join(root, ".checkpoints/threads/fresh")) == ["thread.json"]


def test_what_is_converted_to_a_skill_validates(root):
    put_markdown(root)
    assert do(root, "convert", "chk-auth", "--to", "skill", "--id", "fresh").returncode == 0
    assert do(root, "validate", "fresh").returncode == 0


@pytest.mark.req("X.read.broken-reported")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("progress_table", "x"),
        ("blockers", {"a": 1}),
        ("recently_done", 3),
        ("skill_state", []),
        ("context_primer", []),
        ("context_primer", {"key_decisions": "x"}),
    ],
)
def test_a_value_of_the_wrong_type_is_an_error_that_names_it(root, field, value):
    put_skill(root, **{field: value})
    checked = do(root, "validate")
    assert checked.returncode == 1
    assert f"✗ {field}" in checked.stdout
