"""Merging, case by case: the golden table of the first driver, its bugs, and each field's rule."""

from __future__ import annotations

from typing import Any

import pytest

from leftoff.core.json_equal import same
from leftoff.core.merge import Loser, kept_open, merge
from leftoff.core.model import Checkpoint, Item
from leftoff.core.resolve_conflict import resolve
from leftoff.errors import NotFound, Usage

DAY_1, DAY_2, DAY_3 = (f"2026-01-0{day}T00:00:00Z" for day in (1, 2, 3))


def checkpoint(updated: str = DAY_1, **said: Any) -> Checkpoint:
    return Checkpoint("oc-x", updated=updated, **said)


def merged_extra(base: Any, ours: Any, theirs: Any) -> tuple[Any, list[str]]:
    """The merged `extra` and the paths in conflict; ours is the newer side."""
    found = merge(
        checkpoint(DAY_1, extra=base),
        checkpoint(DAY_3, extra=ours),
        checkpoint(DAY_2, extra=theirs),
    )
    return found.checkpoint.extra, [record.id for record in found.conflicts]


@pytest.mark.req("X.merge.structural", "X.merge.valid")
@pytest.mark.parametrize(
    ("base", "ours", "theirs", "result", "conflicts"),
    [
        ({"a": 1, "b": 2}, {"a": 1}, {"a": 1, "b": 2}, {"a": 1}, []),
        ({"a": 1, "b": 2}, {"a": 1}, {"a": 1, "b": 3}, {"a": 1}, ["b"]),
        ({"a": 1}, {"a": 1, "l": [1]}, {"a": 1, "l": [2]}, {"a": 1, "l": [1]}, ["l"]),
        ({"a": 1}, {"a": 1, "l": {"x": 1}}, {"a": 1, "l": {"y": 2}}, {"a": 1, "l": {"x": 1, "y": 2}}, []),
        ({}, {"a": 1, "c": 1}, {"a": 1, "b": 2}, {"a": 1, "c": 1, "b": 2}, []),
        ({"a": {"x": 1}}, {"a": {"y": 1}}, {"a": {"x": 1, "q": 2}}, {"a": {"y": 1, "q": 2}}, []),
        # The first driver took {} and [] for equal.
        ({"a": 1}, {"a": {}}, {"a": []}, {"a": {}}, ["a"]),
        ({"a": 1}, {"a": True}, {"a": 1}, {"a": True}, []),
        ({"a": 1}, {"a": 1.0}, {"a": True}, {"a": 1.0}, ["a"]),
        ({"a": [1, 2]}, {"a": [2, 3]}, {"a": [1, 2, 4]}, {"a": [2, 3, 4]}, []),
        ({"a": {"b": {"c": 1}}}, {"a": {"b": {"c": 2}}}, {"a": {"b": {"c": 3}}}, {"a": {"b": {"c": 2}}}, ["a.b.c"]),
    ],
)  # fmt: skip
def test_the_golden_table_of_objects(base, ours, theirs, result, conflicts):
    assert merged_extra(base, ours, theirs) == (result, conflicts)
    assert same(merged_extra(base, ours, theirs)[0], result)


def test_keys_come_in_the_order_base_ours_theirs():
    found, _ = merged_extra({"z": 1, "a": 1}, {"z": 1, "n": 0, "a": 1}, {"z": 1, "a": 1, "k": 5})
    assert list(found) == ["z", "a", "n", "k"]


@pytest.mark.req("X.merge.base-first", "A.merge.driver")
@pytest.mark.parametrize(("ours_at", "theirs_at"), [(DAY_3, DAY_2), (DAY_2, DAY_3)])
def test_telemetry_changed_on_one_side_is_that_sides_whichever_is_newer(ours_at, theirs_at):
    found = merge(
        checkpoint(DAY_1, private={"streak": 1, "n": 0}),
        checkpoint(ours_at, private={"streak": 1, "n": 1}),
        checkpoint(theirs_at, private={"streak": 9, "n": 0}),
    )
    assert found.checkpoint.private == {"streak": 9, "n": 1}
    assert found.conflicts == ()
    assert {loser.path for loser in found.losers} == {"updated"}


@pytest.mark.req("X.merge.base-first")
@pytest.mark.parametrize(("ours_at", "theirs_at"), [(DAY_3, DAY_2), (DAY_2, DAY_3)])
def test_a_text_changed_on_one_side_is_that_sides_whichever_is_newer(ours_at, theirs_at):
    base = checkpoint(DAY_1, summary="before", intent="before")
    ours = checkpoint(ours_at, summary="ours", intent="before")
    theirs = checkpoint(theirs_at, summary="before", intent="theirs")
    found = merge(base, ours, theirs)
    assert (found.checkpoint.summary, found.checkpoint.intent) == ("ours", "theirs")
    assert {loser.path for loser in found.losers} == {"updated"}


@pytest.mark.req("A.merge.driver")
def test_branches_that_differ_in_telemetry_and_stamps_merge_cleanly():
    found = merge(
        checkpoint(DAY_1, private={"last_run": "x"}),
        checkpoint(DAY_2, private={"last_run": "y"}),
        checkpoint(DAY_3, private={"last_run": "z"}),
    )
    assert found.checkpoint == checkpoint(DAY_3, private={"last_run": "z"})
    assert Loser("private.last_run", "y", "ours") in found.losers


@pytest.mark.req("X.merge.newer-wins")
def test_step_and_summary_changed_on_both_sides_take_the_newer_value_and_log_the_other():
    found = merge(
        checkpoint(DAY_1, phase="plan", stage="1", summary="begun"),
        checkpoint(DAY_3, phase="build", stage="3", summary="new text"),
        checkpoint(DAY_2, phase="review", stage="2", summary="older text"),
    )
    assert found.checkpoint[:] == checkpoint(DAY_3, phase="build", stage="3", summary="new text")
    assert found.conflicts == ()
    assert Loser("summary", "older text", "theirs") in found.losers
    assert Loser("stage", "2", "theirs") in found.losers


@pytest.mark.parametrize(
    ("ours_at", "theirs_at", "winner"),
    [
        (DAY_2, DAY_3, "theirs"),
        (DAY_3, DAY_2, "ours"),
        (DAY_2, DAY_2, "ours"),
        ("2026-01-02T08:00:00+08:00", DAY_2, "ours"),
        ("soon", "later", "ours"),
        (DAY_2, "later", "ours"),
        ("soon", DAY_2, "theirs"),
    ],
)
def test_the_newer_side_is_the_one_with_the_later_readable_time(ours_at, theirs_at, winner):
    found = merge(
        checkpoint("", summary="base"),
        checkpoint(ours_at, summary="ours"),
        checkpoint(theirs_at, summary="theirs"),
    )
    assert found.checkpoint.summary == winner


@pytest.mark.req("X.merge.structural")
def test_one_conflict_among_five_changes_leaves_four_merged_and_one_named():
    base = checkpoint(DAY_1, problem="p", summary="s", decisions=(Item("d"),), extra={"k": 1})
    ours = base._replace(updated=DAY_2, problem="ours", branch="main", extra={"k": 2})
    theirs = base._replace(
        updated=DAY_3, problem="theirs", summary="s2", decisions=(Item("d"), Item("e"))
    )
    found = merge(base, ours, theirs)
    assert found.conflicts == (Item("ours", "problem", {"side": "ours"}),)
    assert found.checkpoint == theirs._replace(
        branch="main", extra={"k": 2}, conflicts=found.conflicts
    )


def test_status_and_its_word_come_from_one_side():
    base = checkpoint(DAY_1, status="in_progress", word="active")
    ours = base._replace(updated=DAY_2, status="complete", word="done")
    theirs = base._replace(updated=DAY_3, status="failed", word="broken")
    found = merge(base, ours, theirs)
    assert (found.checkpoint.status, found.checkpoint.word) == ("failed", "broken")
    assert found.conflicts == (Item("complete", "status", {"side": "ours", "word": "done"}),)
    taken = resolve(found.checkpoint, "status", "ours")
    assert (taken.status, taken.word, taken.conflicts) == ("complete", "done", ())


@pytest.mark.parametrize("changed", ["ours", "theirs"])
def test_a_status_that_one_side_changed_is_taken_with_its_word_and_nothing_is_lost(changed):
    base = checkpoint(DAY_1, status="in_progress", word="active")
    other = base._replace(updated=DAY_3, word="todo")
    done = other._replace(updated=DAY_2, status="complete")
    found = merge(base, *((done, other) if changed == "ours" else (other, done)))
    assert (found.checkpoint.status, found.checkpoint.word) == ("complete", "todo")
    assert [one for one in found.losers if one.path == "word"] == []
    assert found.conflicts == ()


def test_a_word_changed_beside_another_sides_status_is_logged():
    base = checkpoint(DAY_1, status="in_progress", word="active")
    ours = base._replace(updated=DAY_3, word="current")
    theirs = base._replace(updated=DAY_2, status="archived", word="")
    found = merge(base, ours, theirs)
    assert (found.checkpoint.status, found.checkpoint.word) == ("archived", "")
    assert Loser("word", "current", "ours") in found.losers
    assert found.conflicts == ()


def test_two_words_for_one_status_take_the_newer():
    base = checkpoint(DAY_1, word="active")
    found = merge(base, base._replace(word="a"), base._replace(word="b", updated=DAY_2))
    assert found.checkpoint.word == "b"
    assert found.losers == (Loser("word", "a", "ours"),)


def test_the_older_creation_and_the_newer_update_stand_and_the_id_is_ours():
    base = Checkpoint("base")
    ours = Checkpoint("mine", created=DAY_2, updated=DAY_2)
    theirs = Checkpoint("other", created=DAY_1, updated=DAY_3)
    found = merge(base, ours, theirs)
    assert found.checkpoint == Checkpoint("mine", created=DAY_1, updated=DAY_3)
    assert set(found.losers) == {
        Loser("id", "other", "theirs"),
        Loser("created", DAY_2, "ours"),
        Loser("updated", DAY_2, "ours"),
    }


@pytest.mark.parametrize(
    ("ours", "theirs", "result"),
    [
        (DAY_2, DAY_1, DAY_1),
        (DAY_1, DAY_2, DAY_1),
        ("once", DAY_2, DAY_2),
        (DAY_2, "once", DAY_2),
        ("2026-01-02T08:00:00+08:00", DAY_2, "2026-01-02T08:00:00+08:00"),
    ],
)
def test_the_creation_is_the_earlier_readable_time_or_ours(ours, theirs, result):
    found = merge(checkpoint(), checkpoint(created=ours), checkpoint(created=theirs))
    assert found.checkpoint.created == result


def texts(items: tuple[Item, ...]) -> list[str]:
    return [item.text for item in items]


def of(*names: str) -> tuple[Item, ...]:
    return tuple(Item(name) for name in names)


@pytest.mark.req("X.merge.lists")
@pytest.mark.parametrize("field", ["decisions", "next_actions", "artifacts", "progress", "history"])
@pytest.mark.parametrize(
    ("base", "ours", "theirs", "result"),
    [
        ("a", "a x", "a y", "a x y"),
        ("a b", "a", "a b y", "a y"),
        ("a b c", "x a b c", "a y b c", "x a y b c"),
        ("a b", "b a", "a b y", "b y a"),
        ("a b", "a b y", "b a", "b y a"),
        ("", "x", "y", "x y"),
        ("a", "", "a y", "y"),
        ("a a", "a", "a a a", "a a"),
    ],
)
def test_lists_merge_item_by_item(field, base, ours, theirs, result):
    sides = [{field: of(*text.split())} for text in (base, ours, theirs)]
    times = (DAY_1, DAY_3, DAY_2)
    found = merge(*(checkpoint(at, **side) for at, side in zip(times, sides, strict=True)))
    assert " ".join(texts(getattr(found.checkpoint, field))) == result
    assert found.conflicts == ()


def test_next_actions_take_the_order_of_the_newer_side():
    base = checkpoint(DAY_1, next_actions=of("a", "b", "c"))
    ours = base._replace(updated=DAY_2, next_actions=of("b", "a", "c", "x"))
    theirs = base._replace(updated=DAY_3, next_actions=of("c", "y", "b", "a"))
    assert texts(merge(base, ours, theirs).checkpoint.next_actions) == ["c", "y", "x", "b", "a"]


def test_a_removal_holds_unless_the_other_side_changed_the_item():
    row = Item("row", "r1", {"status": "in_progress"})
    base = checkpoint(DAY_1, progress=(row, Item("gone", "r2")))
    ours = base._replace(updated=DAY_2, progress=())
    changed = row._replace(attrs={"status": "complete"})
    theirs = base._replace(updated=DAY_3, progress=(changed, Item("gone", "r2")))
    assert merge(base, ours, theirs).checkpoint.progress == (changed,)
    assert merge(base, theirs, ours).checkpoint.progress == (changed,)


def test_an_item_changed_on_both_sides_merges_attribute_by_attribute():
    base = checkpoint(DAY_1, blockers=(Item("b", "1", {"needs": "code_fix", "blocking": "r1"}),))
    ours = base._replace(
        updated=DAY_2, blockers=(Item("b", "1", {"needs": "user_decision", "blocking": "r2"}),)
    )
    theirs = base._replace(
        updated=DAY_3,
        blockers=(Item("b!", "1", {"needs": "external_dep", "blocking": "r1", "owner": "me"}),),
    )
    found = merge(base, ours, theirs)
    assert found.checkpoint.blockers == (
        Item("b!", "1", {"needs": "external_dep", "blocking": "r2", "owner": "me"}),
    )
    assert Loser("blockers.1.needs", "user_decision", "ours") in found.losers
    assert found.conflicts == ()


def test_two_statuses_for_one_row_are_a_conflict_that_can_be_resolved():
    base = checkpoint(DAY_1, progress=(Item("Build", "b1", {"status": "in_progress"}),))
    ours = base._replace(updated=DAY_2, progress=(Item("Build", "b1", {"status": "complete"}),))
    theirs = base._replace(updated=DAY_3, progress=(Item("Build", "b1", {"status": "blocked"}),))
    found = merge(base, ours, theirs)
    assert found.checkpoint.progress == theirs.progress
    assert found.conflicts == (Item("complete", "progress.b1.status", {"side": "ours"}),)
    assert resolve(found.checkpoint, "progress.b1.status", "ours").progress == ours.progress
    assert resolve(found.checkpoint, "progress.b1.status", "theirs").progress == theirs.progress


def test_one_ticket_of_two_sessions_stays_twice():
    ticket = Item("", "OPS-1", {"provider": "linear"})
    seen = [ticket._replace(attrs={**ticket.attrs, "first_seen_at": at}) for at in (DAY_2, DAY_3)]
    found = merge(
        checkpoint(), checkpoint(DAY_2, refs=(seen[0],)), checkpoint(DAY_3, refs=(seen[1],))
    )
    assert found.checkpoint.refs == tuple(seen)


def test_two_deltas_of_one_time_both_stay():
    ours, theirs = Item("ours", DAY_2), Item("theirs", DAY_2)
    found = merge(
        checkpoint(), checkpoint(DAY_2, deltas=(ours,)), checkpoint(DAY_2, deltas=(theirs,))
    )
    assert found.checkpoint.deltas == (ours, theirs)


def test_paths_that_differ_only_in_marks_or_case_are_two_files():
    found = merge(
        checkpoint(),
        checkpoint(DAY_2, artifacts=of("src/a_b.py", "README.md")),
        checkpoint(DAY_3, artifacts=of("src/ab.py", "readme.md")),
    )
    expected = ["src/a_b.py", "README.md", "src/ab.py", "readme.md"]
    assert texts(found.checkpoint.artifacts) == expected


def test_one_action_done_at_two_times_is_two_entries():
    first, second = Item("Deploy", "", {"at": DAY_2}), Item("Deploy", "", {"at": DAY_3})
    found = merge(
        checkpoint(), checkpoint(DAY_2, history=(first,)), checkpoint(DAY_3, history=(second,))
    )
    assert found.checkpoint.history == (first, second)


def test_an_equal_number_of_two_sessions_is_legal():
    ours, theirs = Item("", "s-a", {"seq": 4}), Item("", "s-b", {"seq": 4})
    found = merge(
        checkpoint(), checkpoint(DAY_2, sessions=(ours,)), checkpoint(DAY_3, sessions=(theirs,))
    )
    assert found.checkpoint.sessions == (ours, theirs)


def test_a_conflict_already_recorded_stays_and_is_not_recorded_twice():
    record = Item("theirs", "problem", {"side": "theirs"})
    base = checkpoint(DAY_1, problem="p")
    ours = base._replace(updated=DAY_3, problem="ours", conflicts=(record,))
    theirs = base._replace(updated=DAY_2, problem="theirs")
    found = merge(base, ours, theirs)
    assert found.checkpoint.conflicts == (record,)
    assert found.conflicts == (record,)
    third = theirs._replace(problem="third")
    assert texts(merge(base, ours, third).checkpoint.conflicts) == ["theirs", "third"]


def test_records_of_two_merges_at_one_path_both_stay_and_the_last_one_is_taken():
    first, second = (Item(text, "problem", {"side": "theirs"}) for text in ("one", "two"))
    base = checkpoint(DAY_1, problem="p")
    found = merge(
        base, base._replace(conflicts=(first,)), base._replace(conflicts=(second,), updated=DAY_2)
    )
    assert found.checkpoint.conflicts == (first, second)
    taken = resolve(found.checkpoint, "problem", "theirs")
    assert (taken.problem, taken.conflicts) == ("two", ())


@pytest.mark.parametrize("text", ["[1, 2", "[" * 100_000])
def test_a_recorded_value_that_somebody_broke_by_hand_is_taken_as_it_stands(text):
    broken = Item(text, "extra.a", {"side": "ours", "json": True})
    taken = resolve(checkpoint(extra={"a": 1}, conflicts=(broken,)), "extra.a", "ours")
    assert taken.extra == {"a": text}


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "path"),
    [
        ({"a": {"b": 1}}, {"a": {"b": 2}}, {"a": {"b": {"deep": [1, None]}}}, "a.b"),
        ({"a": 1}, {"a": 2}, {}, "a"),
        ({"a": 1}, {}, {"a": 2}, "a"),
        ({}, {"a": "1"}, {"a": 1}, "a"),
        ({"f": {"x.md": 1}}, {"f": {"x.md": 2}}, {"f": {"x.md": 3}}, "f.x.md"),
        ({"f.g": {"h": 1}}, {"f.g": {"h": 2}}, {"f.g": {"h": 3}}, "f.g.h"),
        ({"f": {}, "f.x": 1}, {"f": {}, "f.x": 2}, {"f": {}, "f.x": 3}, "f.x"),
        ({"status": 1}, {"status": 2}, {"status": 3}, "extra.status"),
        ({"extra": 1}, {"extra": 2}, {"extra": 3}, "extra.extra"),
    ],
)
def test_a_conflict_of_any_value_resolves_to_either_side(base, ours, theirs, path):
    found = merge(
        checkpoint(DAY_1, extra=base),
        checkpoint(DAY_3, extra=ours),
        checkpoint(DAY_2, extra=theirs),
    )
    assert [record.id for record in found.conflicts] == [path]
    assert same(resolve(found.checkpoint, path, "ours").extra, ours)
    assert same(resolve(found.checkpoint, path, "theirs").extra, theirs)


def test_resolving_an_unknown_path_names_the_known_ones():
    found = checkpoint(conflicts=(Item("x", "problem", {"side": "ours"}),))
    with pytest.raises(NotFound) as caught:
        resolve(found, "intent", "ours")
    assert caught.value.choices == ("problem",)
    assert "problem" in caught.value.hint


def test_resolving_takes_ours_or_theirs_only():
    found = checkpoint(conflicts=(Item("x", "problem", {"side": "ours"}),))
    with pytest.raises(Usage):
        resolve(found, "problem", "mine")


def test_a_record_damaged_by_hand_is_still_a_text():
    found = checkpoint(conflicts=(Item("{broken", "k", {"side": "ours", "json": True}),))
    assert resolve(found, "k", "ours").extra == {"k": "{broken"}


def test_without_a_log_every_loser_becomes_an_open_conflict():
    base = Checkpoint("x", updated="2026-01-01T00:00:00Z", summary="old")
    ours = base._replace(summary="ours", updated="2026-01-03T00:00:00Z")
    theirs = base._replace(summary="theirs", updated="2026-01-02T00:00:00Z")
    found = merge(base, ours, theirs)
    assert {one.path: one.value for one in found.losers}["summary"] == "theirs"
    opened = kept_open(found)
    assert opened.losers == ()
    assert opened.checkpoint.summary == "ours"
    assert len(opened.conflicts) == len(found.losers)
    assert opened.conflicts == opened.checkpoint.conflicts
    assert any("theirs" in str(one) for one in opened.conflicts)


def test_items_that_hold_lists_are_told_apart_by_what_is_in_them():
    one, two = ({"labels": ["a", [1]]}, {"labels": ["b", [1]]})
    base = Checkpoint("x", extra={"rows": []})
    ours, theirs = (base._replace(extra={"rows": [row]}) for row in (one, two))
    assert merge(base, ours, theirs).checkpoint.extra["rows"] in ([one, two], [two, one])
