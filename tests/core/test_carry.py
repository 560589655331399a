"""What a new checkpoint takes over, and how a long one becomes short without losing a word."""

from __future__ import annotations

import pytest

from leftoff.core.carry import carry, rotate, trim
from leftoff.core.model import Checkpoint, Item
from leftoff.errors import NotFound, Usage

NOW = "2026-02-01T09:00:00Z"
OLD = Checkpoint(
    "chk-auth",
    name="Auth",
    project="shop",
    created="2026-01-01T00:00:00Z",
    updated="2026-01-09T00:00:00Z",
    status="complete",
    word="current",
    phase="build",
    stage="turn 40",
    problem="Users are logged out.\nToo often.",
    intent="Keep them in",
    summary="Half of it works",
    decisions=(Item("use JWT"), Item("no cookies")),
    next_actions=(Item("write the test"),),
    blockers=(Item("need a key", "b1"),),
    rules=(Item("never force-push"),),
    progress=(Item("Plan", "1", {"status": "complete"}), Item("Build", "2", {})),
    artifacts=(Item("src/auth.py"),),
    context="Python 3.11",
    refs=(Item("docs/auth.md"),),
    deltas=(Item("changed a thing", "2026-01-09T00:00:00Z"),),
    history=(Item("began"),),
    parent="chk-root",
    completion="done",
    sessions=(Item("", "s1"),),
    cost={"total_usd": 3},
    private={"seen": 1},
    extra={"Notes": "kept"},
    conflicts=(Item("x", "problem", {"side": "ours"}),),
)


@pytest.mark.req("B.carry.forward")
def test_problem_rules_intent_and_context_come_over_unchanged():
    new = carry(OLD, "chk-auth-2", NOW, {})
    for field in ("problem", "rules", "intent", "context", "extra"):
        assert getattr(new, field) == getattr(OLD, field)


@pytest.mark.req("B.carry.forward")
def test_intent_and_context_change_where_new_text_is_given():
    new = carry(OLD, "chk-auth-2", NOW, {"intent": "Let them out", "context": "Python 3.13"})
    assert (new.intent, new.context, new.problem) == ("Let them out", "Python 3.13", OLD.problem)


@pytest.mark.req("B.carry.decisions")
def test_decisions_accumulate_and_a_repeated_one_does_not():
    new = carry(OLD, "chk-2", NOW, {"decisions": (Item("Use  **JWT**"), Item("rotate keys"))})
    assert [item.text for item in new.decisions] == ["use JWT", "no cookies", "rotate keys"]
    many = tuple(Item(f"decision {n}") for n in range(300))
    assert carry(OLD._replace(decisions=many), "chk-2", NOW, {}).decisions == many


def test_a_repeated_decision_takes_what_is_newly_said_of_it():
    again = Item("use JWT", attrs={"rationale": "stateless"})
    assert carry(OLD, "chk-2", NOW, {"decisions": (again,)}).decisions == (
        again,
        Item("no cookies"),
    )


def test_artifacts_and_refs_accumulate():
    new = carry(OLD, "chk-2", NOW, {"artifacts": (Item("src/_auth.py"),)})
    assert [item.text for item in new.artifacts] == ["src/auth.py", "src/_auth.py"]
    assert new.refs == OLD.refs


def test_rows_are_carried_by_key():
    done = Item("Build", "2", {"status": "complete"})
    new = carry(OLD, "chk-2", NOW, {"progress": (done, Item("Ship", "3"))})
    assert new.progress == (OLD.progress[0], done, Item("Ship", "3"))


@pytest.mark.req("B.carry.state-next")
def test_state_and_next_actions_are_replaced_entirely():
    new = carry(OLD, "chk-2", NOW, {"next_actions": (Item("ship"),)})
    assert (new.summary, new.next_actions) == ("", (Item("ship"),))
    assert (new.phase, new.stage, new.word) == ("", "", "")


@pytest.mark.req("B.carry.completion")
def test_completion_is_never_carried_nor_conflicts_nor_what_belongs_to_the_old_stream():
    new = carry(OLD, "chk-2", NOW, {})
    assert new.completion == ""
    assert (new.conflicts, new.deltas, new.sessions, new.cost) == ((), (), (), {})


def test_a_new_checkpoint_is_dated_now_in_progress_and_knows_its_parent():
    new = carry(OLD, "chk-2", NOW, {})
    assert (new.id, new.created, new.updated) == ("chk-2", NOW, "")
    assert (new.status, new.parent) == ("in_progress", "chk-auth")
    assert carry(OLD, "chk-2", NOW, {"parent": "chk-root"}).parent == "chk-root"


def test_a_field_that_does_not_exist_is_refused():
    with pytest.raises(Usage, match="sumary"):
        carry(OLD, "chk-2", NOW, {"sumary": "typo"})


def many(count: int, **attrs: str) -> tuple[Item, ...]:
    return tuple(Item(f"choice {number}", attrs=dict(attrs)) for number in range(count))


@pytest.mark.req("A.size.decisions")
def test_twenty_five_decisions_become_one_and_nineteen_with_no_text_lost():
    old = many(25, rationale="because")
    new, notes = trim(Checkpoint("x", decisions=old))
    assert len(new.decisions) == 20
    assert new.decisions[1:] == old[6:]
    assert all(
        f"choice {number} (rationale: because)" in new.decisions[0].text for number in range(6)
    )
    assert notes == ("6 older decisions folded into one",)


def test_twenty_decisions_stay_as_they_are():
    old = Checkpoint("x", decisions=many(20))
    assert trim(old) == (old, ())


def test_folding_again_keeps_one_opening_and_every_word():
    once, _ = trim(Checkpoint("x", decisions=many(25)))
    more = (*once.decisions, Item("later", "d9", {"draft": True}), Item("last"))
    twice, _ = trim(once._replace(decisions=more))
    assert len(twice.decisions) == 20
    assert twice.decisions[0].text.count("Earlier decisions") == 1
    assert all(f"choice {number}" in twice.decisions[0].text for number in range(8))


@pytest.mark.parametrize(("count", "left"), [(19, 19), (20, 20), (21, 20), (22, 20)])
def test_so_many_are_kept_and_one_is_not_folded_alone(count, left):
    new, _ = trim(Checkpoint("x", decisions=many(count)))
    assert len(new.decisions) == left


def test_what_was_folded_with_a_time_is_folded_again_without_a_word_more():
    earlier = Item("Earlier decisions: a; b", attrs={"at": "2026-01-01"})
    new, _ = trim(Checkpoint("x", decisions=(earlier, *many(20))))
    assert new.decisions[0].text.startswith("Earlier decisions: a; b; ")


def test_ids_and_marks_of_a_folded_item_are_told():
    old = (Item("first", "d1", {"draft": True}), *many(30))
    assert "first (d1, draft);" in trim(Checkpoint("x", decisions=old))[0].decisions[0].text


@pytest.mark.req("B.carry.play")
def test_the_last_entries_of_history_stay_verbatim_and_older_ones_are_folded():
    old = tuple(Item(f"step {n}", attrs={"at": f"2026-01-{n:02}"}) for n in range(1, 18))
    new, notes = trim(Checkpoint("x", history=old))
    assert new.history[1:] == old[-8:]
    assert new.history[0].attrs == {"at": "2026-01-09"}
    assert all(f"step {n} (at: 2026-01-{n:02})" in new.history[0].text for n in range(1, 10))
    assert notes == ("9 older entries of history folded into one",)


@pytest.mark.req("B.carry.trail", "B.carry.breadcrumbs")
def test_files_that_are_gone_are_pruned_and_named_and_others_stay():
    old = Checkpoint(
        "x",
        artifacts=(Item("src/gone.py"), Item("src/here.py"), Item("Old module", "src/old.py")),
        refs=(Item("docs/gone.md", attrs={"type": "file"}), Item("OPS-1")),
    )
    new, notes = trim(old, gone={"src/gone.py", "src/old.py", "docs/gone.md", ""})
    assert new.artifacts == (Item("src/here.py"),)
    assert new.refs == (Item("OPS-1"),)
    assert notes == tuple(
        f"{path} pruned: the file is gone" for path in ("src/gone.py", "src/old.py", "docs/gone.md")
    )


@pytest.mark.req("A.size.rotate")
def test_rotation_moves_the_named_keys_and_keeps_the_rest():
    kept, moved = rotate({"run_history": [1, 2], "streak": 3, "goal": "x"}, ["run_history"])
    assert kept == {"streak": 3, "goal": "x"}
    assert moved == {"run_history": [1, 2]}


def test_rotating_an_unknown_key_names_the_known_ones():
    with pytest.raises(NotFound) as caught:
        rotate({"streak": 3}, ["run"])
    assert caught.value.choices == ("streak",)
