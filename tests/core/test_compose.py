"""What a save makes of a checkpoint: nothing that others added is lost, nothing stated is undone."""

from __future__ import annotations

import pytest
from hypothesis import given as examples
from hypothesis import strategies as st

from leftoff.core.compose import (
    Facts,
    applied,
    by_session,
    known,
    saved,
    urgent_first,
    with_facts,
    with_row,
)
from leftoff.core.model import DRAFT, Checkpoint, Item, open_actions

NOW = "2026-08-08T12:00:00Z"


def steps(*texts: str) -> tuple[Item, ...]:
    return tuple(Item(text) for text in texts)


def texts(items: tuple[Item, ...]) -> list[str]:
    return [item.text for item in items]


def thread(**fields: object) -> Checkpoint:
    return Checkpoint("thread-1", updated="2026-08-07T00:00:00Z")._replace(**fields)


def test_what_is_given_takes_the_place_of_texts_and_is_added_to_lists():
    before = thread(summary="old", decisions=steps("A"), rules=steps("R"))
    after = applied(before, {"summary": "new", "decisions": steps("B"), "rules": steps("S")})
    assert after.summary == "new"
    assert texts(after.decisions) == ["A", "B"]
    assert texts(after.rules) == ["R", "S"]


def test_what_is_not_given_stays():
    before = thread(summary="old", next_actions=steps("a"), intent="why")
    assert applied(before, {"decisions": steps("B")}) == before._replace(decisions=steps("B"))


def test_new_steps_take_the_place_of_those_that_the_giver_saw_and_what_is_done_stays():
    done = Item("did it", attrs={"done": True})
    before = thread(next_actions=(done, Item("old one")))
    after = applied(before, {"next_actions": steps("new one")})
    assert texts(after.next_actions) == ["did it", "new one"]


def test_steps_that_the_giver_never_saw_stay_behind_the_new_ones():
    before = thread(next_actions=steps("theirs"))
    assert texts(
        saved(None, before, {"next_actions": steps("mine")}, NOW).checkpoint.next_actions
    ) == [
        "mine",
        "theirs",
    ]


def test_what_is_done_is_there_once_also_where_the_giver_never_saw_it():
    done = Item("did it", attrs={"done": True})
    before = thread(next_actions=(done, Item("theirs")))
    after = applied(before, {"next_actions": steps("mine")}, seen=False)
    assert texts(after.next_actions) == ["did it", "mine", "theirs"]


def test_who_saw_nothing_knows_of_lists_only_what_was_given():
    current = thread(summary="old", decisions=steps("A"), next_actions=steps("theirs"))
    after = known(None, current, {"next_actions": steps("mine")})
    assert (after.summary, after.decisions, texts(after.next_actions)) == ("old", (), ["mine"])
    seen = known(current, thread(), {"next_actions": steps("mine")})
    assert (texts(seen.decisions), texts(seen.next_actions)) == (["A"], ["mine"])


def test_what_others_added_since_it_was_seen_stays_and_what_was_seen_and_left_out_goes():
    base = thread(next_actions=steps("first", "second"), decisions=steps("A"))
    current = base._replace(
        next_actions=steps("first", "second", "theirs"), decisions=steps("A", "B")
    )
    merged = saved(base, current, {"next_actions": steps("second"), "decisions": steps("C")}, NOW)
    assert sorted(texts(merged.checkpoint.next_actions)) == ["second", "theirs"]
    assert sorted(texts(merged.checkpoint.decisions)) == ["A", "B", "C"]
    assert not merged.conflicts


def test_two_who_change_the_intent_at_once_leave_both_in_the_document():
    base = thread(intent="one")
    merged = saved(base, base._replace(intent="theirs"), {"intent": "ours"}, NOW)
    both = merged.checkpoint.intent, *texts(merged.checkpoint.conflicts)
    assert {"ours", "theirs"} <= set(both)


def test_what_is_given_does_not_undo_what_the_merge_settled():
    base = thread(decisions=(Item("A", attrs={"rationale": "one"}),))
    theirs = thread(
        updated="2026-09-09T00:00:00Z", decisions=(Item("A", attrs={"rationale": "theirs"}),)
    )
    ours = (Item("A", attrs={"rationale": "ours"}), Item("B"))
    after = saved(base, theirs, {"decisions": ours}, NOW).checkpoint
    assert [(one.text, one.get("rationale")) for one in after.decisions] == [
        ("A", "theirs"),
        ("B", ""),
    ]


def test_a_step_that_is_given_again_keeps_its_check_and_is_open_again():
    known = Item("Mail it", attrs={"done_when": "make mail", "done": True})
    (after,) = applied(
        thread(next_actions=(known,)), {"next_actions": steps("mail it")}
    ).next_actions
    assert after.attrs == {"done_when": "make mail"}


def test_what_somebody_states_is_no_draft_any_longer():
    draft = Item("A", attrs={DRAFT: "claude-code/1"})
    after = applied(thread(decisions=(draft,), next_actions=(draft,)), {"decisions": steps("a")})
    assert DRAFT not in after.decisions[0].attrs
    assert DRAFT in after.next_actions[0].attrs
    again = applied(after, {"next_actions": steps("A")})
    assert DRAFT not in again.next_actions[0].attrs


def test_the_first_step_is_urgent_unless_it_says_how_urgent_it_is():
    given = (Item("a"), Item("b"), Item("c", attrs={"priority": "P3"}))
    assert [one.attrs["priority"] for one in urgent_first(given)] == ["P1", "P2", "P3"]


def test_decisions_cite_their_session_and_those_of_a_person_cite_none():
    assert by_session(steps("A"), 3)[0].attrs == {"session": "#003"}
    assert by_session(steps("A"), 0)[0].attrs == {}


def test_the_files_of_git_take_the_place_of_the_former_ones_and_keep_what_was_said_of_them():
    told = {"area": "uncommitted", "status": "new", "change": "the reader"}
    before = thread(
        artifacts=(
            *(Item("a.py", attrs=told), Item("gone.py", attrs=told)),
            *(Item("key.py"), Item("b.py", attrs={"change": "what the person named"})),
        )
    )
    changes = (("modified", "a.py"), ("new", ".checkpoints/current"), ("new", "b.py"))
    facts = Facts("main", "abc - x", changes)
    after = with_facts(before, facts)
    assert after.artifacts == (
        Item("a.py", attrs={**told, "status": "modified"}),
        Item("b.py", attrs={"area": "uncommitted", "status": "new"}),
        Item("key.py"),
        Item("b.py", attrs={"change": "what the person named"}),
    )
    assert (after.branch, after.commit) == ("main", "abc - x")


def test_on_a_detached_head_no_branch_is_told_with_a_commit_that_is_not_on_it():
    after = with_facts(thread(branch="main", commit="abc"), Facts("", "def - y"))
    assert (after.branch, after.commit) == ("", "def - y")


def test_where_git_says_nothing_what_is_known_stays():
    before = thread(artifacts=(Item("a.py", attrs={"area": "uncommitted"}),), branch="main")
    assert with_facts(before, Facts()) == before


def test_a_session_has_one_row_however_often_it_saves():
    once = with_row(thread(), 2, "work", "10%")
    twice = with_row(once, 2, "other words", "40%")
    (row,) = twice.history
    assert (row.id, row.text, row.attrs["Context Used"]) == ("002", "work", "40%")
    assert with_row(thread(), 0, "a person", "") == thread()
    assert with_row(once, 2, "", "").history == once.history
    assert with_row(thread(), 2, "work", "").history[0].attrs["Context Used"] == "-"
    assert once.history[0].attrs["Context Used"] == "10%"


WORDS = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=5).map(
    lambda found: tuple(Item(one) for one in found)
)


@pytest.mark.req("A.write.merge")
@examples(base=WORDS, theirs=WORDS, given=WORDS)
def test_no_step_that_only_others_know_is_ever_lost(base, theirs, given):
    before = thread(next_actions=base)
    current = before._replace(next_actions=theirs)
    after = saved(before, current, {"next_actions": given}, NOW).checkpoint
    left = set(texts(open_actions(after)))
    assert set(texts(theirs)) - set(texts(base)) <= left
    assert set(texts(given)) <= left
