"""bench-resume: on one's own repository, reading only."""

from __future__ import annotations

import json
import os

import pytest

from projects import NOW, put_markdown, put_skill
from support import repo, run, snapshot
from unsaved import killed


@pytest.fixture
def root(tmp_path):
    place = repo(tmp_path)
    put_skill(place)
    put_markdown(place)
    return place


def measured(root, *words):
    done = run("bench-resume", *words, "--json", "--now", NOW, cwd=root)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["data"]


def test_every_checkpoint_is_told_by_leftoff_and_by_its_document_at_every_budget(root):
    rows = measured(root)["rows"]
    assert {(row["name"], row["way"]) for row in rows} == {
        (name, way) for name in ("oc-demo", "chk-auth") for way in ("leftoff", "document")
    }
    assert {row["budget"] for row in rows} == {500, 1000, 2000}
    own = [row for row in rows if row["way"] == "leftoff" and row["budget"] == 1000]
    assert all(row["share"] == 1.0 and row["facts"] > 3 for row in own)
    assert all(row["stale_as_true"] == 0 for row in rows if row["way"] == "leftoff")
    assert all(row["tokens"] <= row["budget"] for row in own)


def test_a_session_that_nobody_saved_is_told_beside_the_end_of_its_transcript(root):
    killed(1, root)
    data = measured(root)
    rows = [row for row in data["rows"] if row["kind"] == "recover"]
    assert {row["way"] for row in rows} == {"leftoff", "transcript"}
    (beside,) = [
        one for one in data["compared"] if (one["kind"], one["budget"]) == ("recover", 500)
    ]
    own, other = (row["share"] for row in rows if row["budget"] == 500)
    assert beside["best"] == "transcript"
    assert beside["times"] == round(own / other, 2)
    works = {(one["kind"], one["way"]): one["works"] for one in data["totals"]}
    assert works[("resume", "leftoff")] == works[("resume", "document")] == 2
    assert works[("recover", "leftoff")] == 1
    best = next(row for row in rows if (row["way"], row["budget"]) == ("leftoff", 1000))
    assert best["kept"] == best["facts"] >= 3


def test_what_a_session_named_and_is_gone_is_stale_told_by_the_transcript_alone(root):
    killed(1, root)
    os.unlink(os.path.join(root, "app.py"))
    rows = [row for row in measured(root)["rows"] if row["kind"] == "recover"]
    assert {(row["way"], row["stale_as_true"], row["stale"]) for row in rows} == {
        ("leftoff", 0, 1),
        ("transcript", 1, 1),
    }


def test_nothing_is_written_and_nothing_that_waits_is_consumed(root, tmp_path):
    killed(1, root)
    home = os.environ["HOME"]
    measured(root)  # the caches are warm now
    before = snapshot(root, home)
    measured(root)
    assert snapshot(root, home) == before


def test_one_checkpoint_alone_and_a_number_that_is_none(root):
    assert {row["name"] for row in measured(root, "auth")["rows"]} == {"chk-auth"}
    done = run("bench-resume", "--sessions", "many", cwd=root)
    assert done.returncode == 2
    assert "--sessions" in done.stderr


def test_people_see_a_table_in_their_language_or_that_there_is_nothing(root, tmp_path):
    english = run("bench-resume", "--now", NOW, cwd=root).stdout
    assert "## What was saved: 2 checkpoints, through resume\n" in english
    assert "At 1000 tokens: 1.00 of the facts, 1.00 times as many as the document" in english
    assert "What nobody saved" not in english
    chinese = run("bench-resume", "--now", NOW, "--lang", "zh", cwd=root).stdout
    assert "已保存的：2 个断点" in chinese
    assert "the " not in chinese
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "nothing to measure" in run("bench-resume", "--now", NOW, cwd=repo(empty)).stdout
