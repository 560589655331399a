"""convert: from every format into every other, with the list of what is lost."""

from __future__ import annotations

import os

import pytest

from projects import data, do, files, put_all, put_markdown, put_skill


@pytest.mark.req("X.round.lossless")
@pytest.mark.parametrize("target", ["skill", "md", "task", "session", "thread"])
@pytest.mark.parametrize(
    "source", ["oc-demo", "chk-auth", "thread-1a2b3c4d", "2026-08-06-auth-fix"]
)
def test_every_format_converts_to_every_other_and_names_what_is_lost(root, source, target):
    put_all(root)
    before = files(root)
    answer = data(root, "convert", source, "--to", target, "--id", "fresh")
    after = files(root)
    assert {path: after[path] for path in before} == before
    for document in answer["documents"]:
        assert after[document["path"]] == document["text"]
    kept = "\n".join(document["text"] for document in answer["documents"])
    fields = {loss.split(":")[0] for loss in answer["lost"]}
    if "decisions" not in fields:
        decision = {"oc-demo": "Stack: Hono"}.get(source, "Use RS256")
        assert decision in kept
    listed = {row["path"]: row for row in data(root, "list")["documents"]}
    assert answer["documents"][0]["path"] in listed
    assert "broken" not in listed[answer["documents"][0]["path"]]


def test_convert_says_what_the_target_cannot_hold(root):
    blocker = {"id": "b1", "description": "Which cloud?", "needs": "user_decision"}
    put_skill(root, status="blocked", blockers=[blocker])
    lost = data(root, "convert", "oc-demo", "--to", "md", "--dry-run")["lost"]
    assert "blockers: 1 item" in lost
    assert "status: blocked → in_progress" in lost
    assert any(loss.startswith("private: ") for loss in lost)
    assert not os.path.exists(os.path.join(root, "checkpoints"))


def test_convert_never_overwrites(root):
    put_skill(root)
    put_markdown(root, "oc-demo")
    before = files(root)
    assert do(root, "convert", "skill:oc-demo", "--to", "md").returncode == 4
    assert files(root) == before


def test_where_a_format_has_one_file_no_other_id_is_asked_for(root):
    put_skill(root)
    assert do(root, "convert", "oc-demo", "--to", "session").returncode == 0
    answer = do(root, "convert", "skill:oc-demo", "--to", "session", "--id", "another")
    assert answer.returncode == 4
    assert "choose another format" in answer.stderr
