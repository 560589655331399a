"""prune: folds and rotates without losing a word."""

from __future__ import annotations

import json
import os

import pytest

from projects import SKILL, data, do, files, get, markdown, put, put_skill


@pytest.mark.req("A.size.decisions")
def test_prune_folds_old_decisions_without_losing_a_word(root):
    texts = [f"Decision number {at}" for at in range(25)]
    put_skill(root, context_primer={"key_decisions": texts})
    assert "leftoff prune" in do(root, "validate").stdout
    before = files(root)
    assert do(root, "prune", "oc-demo", "--dry-run").returncode == 0
    assert files(root) == before
    assert do(root, "prune", "oc-demo").returncode == 0
    kept = json.loads(get(root, SKILL))["context_primer"]["key_decisions"]
    assert len(kept) == 20
    assert kept[1:] == texts[6:]
    assert all(text in kept[0] for text in texts[:6])


@pytest.mark.req("A.size.rotate")
def test_prune_rotates_telemetry_into_history(root):
    put_skill(root, skill_state={"merged_prs": [1, 2], "streak": 3})
    assert do(root, "prune", "oc-demo", "--rotate", "merged_prs").returncode == 0
    assert json.loads(get(root, SKILL))["skill_state"] == {"streak": 3}
    (name,) = os.listdir(os.path.join(root, ".checkpoints/history"))
    kept = json.loads(get(root, f".checkpoints/history/{name}"))
    assert (kept["skill"], kept["merged_prs"]) == ("oc-demo", [1, 2])
    assert do(root, "prune", "oc-demo", "--rotate", "nothing").returncode == 2


@pytest.mark.req("B.carry.play", "B.carry.trail", "B.carry.breadcrumbs")
def test_prune_folds_the_story_and_drops_what_points_nowhere(root):
    story = "\n".join(f"- Phase {at} → did it → worked" for at in range(12))
    crumbs = "| Type | Reference | Hint |\n|---|---|---|\n| file | `gone.py` | x |\n| file | `app.py` | y |\n"
    trail = "| File | Status | Key Change |\n|---|---|---|\n| `app.py` | modified | a |\n| `no.py` | created | b |"
    text = markdown("chk-a", play=story, trail=trail)
    text = text.replace("### Play-By-Play", f"### Breadcrumbs\n\n{crumbs}\n### Play-By-Play")
    put(root, "checkpoints/active/chk-a.md", text)
    answer = data(root, "prune", "chk-a")
    after = get(root, "checkpoints/active/chk-a.md")
    assert "gone.py" not in after
    assert "no.py" not in after
    assert "app.py" in after
    assert "- Phase 11 → did it → worked\n" in after
    assert any("gone.py" in line for line in answer["done"])
    assert all(f"Phase {at}" in after for at in range(12))
