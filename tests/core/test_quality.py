"""The measure of a brief: facts that are told count, stale ones only where nothing says so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leftoff.core.claims import CONFIRMED, CONTRADICTED, Verdict
from leftoff.core.digest import Digest
from leftoff.core.draft import Seen
from leftoff.core.model import Checkpoint, Item
from leftoff.core.quality import (
    COMMAND,
    FILE,
    LANDED,
    PATH,
    Fact,
    Facts,
    Score,
    compared,
    first_of,
    last_of,
    of_checkpoint,
    of_session,
    score,
    share,
    total,
)
from leftoff.core.stats import Stats, Task
from leftoff.core.token_estimate import estimate

DECISION = Fact("decision", "Amounts are integers in cents, never floats")


@pytest.mark.parametrize(
    ("fact", "text", "told"),
    [
        (DECISION, "- Amounts are integers in cents, never floats", True),
        (DECISION, "- Amounts are […]", False),
        (DECISION, "We talked about floats.\n\n\nLater about cents.", False),
        (Fact(FILE, "src/pay/store.py"), "changed store.py", True),
        (Fact(FILE, "src/pay/store.py"), "changed restore.py", False),
        (Fact(PATH, "src/pay/store.py"), "store.py holds the decision", False),
        (Fact(COMMAND, "make check-pay"), "failed: make  check-pay", True),
        (Fact(COMMAND, "make check-pay"), "make check", False),
    ],
)
def test_a_fact_is_told_or_it_is_not(fact, text, told):
    assert score(Facts((fact,)), text).kept == told


def test_stale_counts_only_where_nothing_says_that_it_is_so_no_more():
    facts = Facts((), (Fact(PATH, "src/a.py"),))
    assert score(facts, "Files:\n- src/a.py").stale == 1
    assert score(facts, "Files:\n- src/a.py\n- ✗ file src/a.py: there is no such file").stale == 0
    assert score(facts, "Files:\n- src/b.py").stale == 0


def test_what_has_landed_must_be_known_and_not_be_told_as_open():
    merge = "Merge the clean-up (#7). It waits for Ada."
    c = Checkpoint("x", next_actions=(Item(merge), Item("Write the docs")))
    landed = Verdict("action", "next_actions[0]", merge, CONTRADICTED, "in")
    facts = of_checkpoint(c, [landed])
    assert [(one.kind, one.text) for one in facts.musts] == [
        ("step", "Write the docs"),
        (LANDED, "Merge the clean-up (#7)."),
    ]
    assert [one.text for one in facts.stale] == [merge]
    open_still = score(facts, f"- {merge}\n")
    assert (open_still.kept, open_still.stale) == (1, 1)
    over = score(facts, "Already landed:\n- ✗ 1. Merge the clean-up (#7).\n")
    assert (over.kept, over.stale) == (1, 0)


def test_files_at_hand_are_facts_by_their_path_and_those_that_are_gone_are_stale():
    files = ("`src/a.py` (new)", "src/b.py", "see the wiki")
    c = Checkpoint("x", artifacts=tuple(map(Item, files)))
    gone = Verdict("file", "artifacts", "src/b.py", CONTRADICTED, "there is no such file")
    there = Verdict("file", "artifacts", "src/a.py", CONFIRMED, "it is there")
    facts = of_checkpoint(c, [gone, there])
    assert facts == Facts((Fact(FILE, "src/a.py"),), (Fact(PATH, "src/b.py"),))


def test_a_state_is_the_first_sentence_of_its_first_paragraph():
    summary = "- All seven tensions\n  are resolved\n- Two issues closed"
    (state,) = of_checkpoint(Checkpoint("x", summary=summary), []).musts
    assert state == Fact("state", "- All seven tensions are resolved")


def test_scores_add_up_and_of_nothing_all_is_there():
    assert total([Score(1, 2, 0, 1, 10), Score(2, 2, 1, 1, 5)]) == Score(3, 4, 1, 2, 15)
    assert share(0, 0) == 1.0


@given(st.text(max_size=2000), st.integers(1, 400))
def test_a_text_is_cut_to_its_budget_from_either_end(text, tokens):
    for part in (first_of(text, tokens), last_of(text, tokens)):
        assert estimate(part) <= max(tokens, estimate(text[:1] or "x")) + 2
    assert text.startswith(first_of(text, tokens))


def test_what_an_unsaved_session_leaves_is_its_last_wish_its_files_failures_and_tasks():
    found = Digest(intents=("first", "mend it"), files=("/p/a.py", "/etc/b"), failures=("make",))
    stats = Stats(tasks=(Task("ship", "pending"), Task("shipped", "completed")))
    facts = of_session(Seen("s", "/p", "2026-01-01", stats=stats, digest=found))
    assert facts.musts == (
        Fact("intent", "mend it"),
        Fact(FILE, "a.py"),
        Fact(COMMAND, "make"),
        Fact("step", "ship"),
        Fact("landed", "shipped"),
    )
    assert not facts.stale


def test_what_the_world_contradicts_of_a_session_is_stale_and_no_help():
    found = Digest(intents=("mend it",), files=("/p/a.py", "/p/b.py"))
    gone = Verdict("file", "x", "a.py", CONTRADICTED, "there is no such file")
    there = Verdict("file", "x", "b.py", CONFIRMED, "")
    facts = of_session(Seen("s", "/p", "2026-01-01", digest=found), [gone, there])
    assert facts == Facts((Fact("intent", "mend it"), Fact(FILE, "b.py")), (Fact(PATH, "a.py"),))


def test_a_decision_that_another_one_superseded_need_not_be_known():
    old, new = Item("Use floats", attrs={"superseded": "yes"}), Item("Use cents")
    facts = of_checkpoint(Checkpoint("x", decisions=(old, new)), [])
    assert facts.musts == (Fact("decision", "Use cents"),)


def test_only_what_is_told_as_open_or_there_can_be_stale():
    c = Checkpoint("x", artifacts=(Item("src/a.py"),))
    kinds = ("branch", "commit")
    against = [Verdict(kind, "x", "src/a.py", CONTRADICTED, "gone") for kind in kinds]
    assert of_checkpoint(c, against) == Facts(
        (Fact(FILE, "src/a.py"),), (Fact("branch", "src/a.py"),)
    )


def test_of_several_wishes_the_last_counts_and_files_elsewhere_are_no_help():
    wishes = ("Build the parser of trees", "Write the docs of it", "  ")
    found = Digest(intents=wishes[:2], files=("/etc/b", "/p/c/"), decided=(wishes[2],))
    facts = of_session(Seen("s", "/p", "2026-01-01", digest=found))
    assert [one.text for one in facts.musts if one.kind != FILE] == [wishes[1]]
    assert not [one for one in facts.musts if one.text.startswith("/")]


def test_one_way_is_compared_with_the_best_of_the_others():
    scores = {"own": Score(4, 4), "poor": Score(1, 4), "good": Score(2, 4)}
    assert compared(scores, "own") == (1.0, "good", 2.0)
    assert compared({"own": Score(4, 4), "none": Score(0, 4)}, "own") == (1.0, "none", None)
