"""reset: to history or to the trash, and back."""

from __future__ import annotations

import os

import pytest

from projects import SKILL, data, do, files, get, put, put_all, put_markdown, put_skill, skill


@pytest.mark.req("A.cmd.reset", "A.layout.history")
def test_reset_moves_to_history_twice_in_one_second_and_undo_brings_it_back(root):
    texts = []
    for at in range(2):
        put_skill(root, progress_summary=f"Run {at}")
        put_skill(root, "oc-other")
        texts.append(get(root, SKILL))
        (move,) = data(root, "reset", "oc-demo")["moved"]
        assert not os.path.exists(os.path.join(root, SKILL))
        assert get(root, move["to"]) == texts[-1]
        assert move["to"].startswith(".checkpoints/history/oc-demo.2026-08-08T12-00-00Z")
    assert len(os.listdir(os.path.join(root, ".checkpoints/history"))) == 2
    assert do(root, "reset", "oc-demo", "--undo").returncode == 0
    assert get(root, SKILL) in texts
    assert do(root, "reset", "oc-demo", "--undo").returncode == 4


def test_reset_of_another_format_goes_to_the_trash_whole(root, home):
    path = put_markdown(root)
    text = get(root, path)
    (move,) = data(root, "reset", "chk-auth")["moved"]
    assert not os.path.exists(os.path.join(root, path))
    assert move["to"].startswith(home)
    assert get("/", move["to"]) == text


def test_undo_never_takes_rotated_telemetry_for_a_checkpoint_that_was_put_aside(root):
    path = put_skill(root, skill_state={"runs": [1, 2]})
    do(root, "prune", "oc-demo", "--rotate", "runs")
    (kept,) = os.listdir(os.path.join(root, ".checkpoints/history"))
    os.unlink(os.path.join(root, path))
    assert do(root, "reset", "oc-demo", "--undo").returncode == 3
    assert os.listdir(os.path.join(root, ".checkpoints/history")) == [kept]
    assert not os.path.exists(os.path.join(root, path))


def test_undo_finds_the_way_back_of_a_file_that_is_not_named_after_its_skill(root):
    path = ".checkpoints/oc-file.checkpoint.json"
    for inside in ("oc-text", "../../evil"):
        text = put(root, path, skill(inside)) and get(root, path)
        assert do(root, "reset", "oc-file").returncode == 0
        assert not os.path.exists(os.path.join(root, path))
        assert do(root, "reset", "oc-file", "--undo").returncode == 0
        assert files(root)[path] == text


@pytest.mark.req("X.path.inside", "X.read.broken-reported")
@pytest.mark.parametrize(
    "words",
    [
        ("reset", "oc-link"),
        ("update", "oc-link", "--phase=x"),
        ("done", "oc-link"),
        ("prune", "oc-link"),
        ("status", "oc-link"),
        ("show", "oc-link"),
        ("archive", "oc-link", "--outcome=x"),
        ("delta", "oc-link", "--what=x"),
        ("init", "oc-link", "--as=skill"),
    ],
    ids=lambda words: words[0],
)
def test_a_link_that_leads_outside_is_told_and_nothing_is_claimed_of_it(root, words, tmp_path):
    outside = put(str(tmp_path), "outside.json", skill("oc-link"))
    link = os.path.join(root, ".checkpoints/oc-link.checkpoint.json")
    os.makedirs(os.path.dirname(link))
    os.symlink(os.path.join(tmp_path, outside), link)
    told = do(root, *words)
    assert told.returncode == 7
    assert "oc-link.checkpoint.json: is a link that leads outside the project" in told.stderr
    assert told.stdout == ""
    assert os.path.islink(link)


def test_undo_takes_a_name_with_another_kind_of_digit_for_no_number(root):
    put_skill(root)
    text = get(root, SKILL)
    put(root, ".checkpoints/history/oc-demo.2026-08-08T12-00-00Z-².checkpoint.json", text)
    os.remove(os.path.join(root, SKILL))
    assert do(root, "reset", "oc-demo", "--undo").returncode == 0
    assert get(root, SKILL) == text


WORK = ".checkpoints/threads/thread-1a2b3c4d"


@pytest.mark.parametrize(
    "name", ["chk-auth", "md:chk-auth", "checkpoints/active/chk-auth.md", "chk-file"]
)
def test_undo_takes_what_went_to_the_trash_by_every_name_that_reset_takes(root, name):
    path = put(root, "checkpoints/active/chk-file.md", get(root, put_markdown(root)))
    os.remove(os.path.join(root, "checkpoints/active/chk-auth.md"))
    name = name.replace("active/chk-auth", "active/chk-file")
    text = files(root)[os.path.relpath(path, root)]
    assert do(root, "reset", name).returncode == 0
    assert do(root, "reset", name, "--undo").returncode == 0
    assert get(root, "checkpoints/active/chk-file.md") == text


def test_undo_brings_back_what_was_put_aside_last_whatever_else_had_that_name(root):
    put_all(root)
    put_markdown(root, "thread-1a2b3c4d")
    before = files(root)
    for name in ("md:thread-1a2b3c4d", "thread:thread-1a2b3c4d"):
        assert do(root, "reset", name).returncode == 0
    back = [move["to"] for move in data(root, "reset", "thread-1a2b3c4d", "--undo")["moved"]]
    assert sorted(back) == [f"{WORK}/CHECKPOINT.md", f"{WORK}/thread.json"]
    back = data(root, "reset", "thread-1a2b3c4d", "--undo")["moved"]
    assert [move["to"] for move in back] == ["checkpoints/active/thread-1a2b3c4d.md"]
    assert files(root) == before


@pytest.mark.parametrize("taken", ["CHECKPOINT.md", "thread.json"])
def test_undo_of_several_files_brings_back_all_of_them_or_none(root, taken):
    put_all(root)
    before = files(root)
    assert do(root, "reset", "thread-1a2b3c4d").returncode == 0
    put(root, f"{WORK}/{taken}", "another")
    assert do(root, "reset", "thread-1a2b3c4d", "--undo").returncode == 4
    assert os.listdir(os.path.join(root, WORK)) == [taken]
    os.remove(os.path.join(root, WORK, taken))
    assert do(root, "reset", "thread-1a2b3c4d", "--undo").returncode == 0
    assert files(root) == before
