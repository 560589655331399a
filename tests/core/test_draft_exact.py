"""Drafts: what they say, to the word, and what they lay over."""

from __future__ import annotations

import pytest

from leftoff.core.digest import Digest, Ran
from leftoff.core.draft import (
    Seen,
    as_task,
    drafted,
    has_work,
    is_draft,
    laid_over,
    mark,
    precompact,
    recovered,
    task,
)
from leftoff.core.model import Checkpoint, Item
from leftoff.core.stats import Failure, Stats, Task

BY = "codex/12345678"
SEEN = Seen("123456789", "/home/x/shop", "2026-01-31", agent="codex")


def seen(**given):
    return SEEN._replace(**given)


def test_a_draft_is_named_by_its_agent_and_the_beginning_of_its_session():
    assert mark("codex", "123456789") == BY
    assert mark("", "123456789") == "12345678"
    assert task(SEEN, None) == "shop"
    assert task(seen(branch="Fix/Login"), None) == "fix-login"
    assert task(SEEN, Checkpoint("id", name="The Name")) == "the-name"
    assert task(SEEN, Checkpoint("id")) == "id"


@pytest.mark.parametrize(
    ("given", "work"),
    [
        ({}, False),
        ({"digest": Digest(files=("a",))}, True),
        ({"digest": Digest(failures=("a",))}, True),
        ({"stats": Stats(files=("a",))}, True),
        ({"stats": Stats(failures=(Failure("Bash", "x"),))}, True),
        ({"stats": Stats(tasks=(Task("a", "pending"),))}, True),
        ({"stats": Stats(tasks=(Task("a", "completed"),))}, False),
        ({"since": 5.0, "stats": Stats(files=("a",))}, False),
        ({"since": 5.0, "digest": Digest(files=("a",))}, True),
        ({"since": 5.0, "digest": Digest(failures=("a",))}, True),
    ],
)
def test_a_session_leaves_work_behind_or_none(given, work):
    assert has_work(seen(**given)) is work


def test_a_draft_tells_what_was_done():
    many = tuple(f"src/{n}.py" for n in range(9))
    digest = Digest(
        intents=("please fix the login page of the shop", "go on"),
        prompts=2,
        files=("/home/x/shop/a.py", "/etc/x", ".checkpoints/y"),
        ran=3,
        commits=("", "one", "two", "three", "four", "five", "six"),
        failures=("make test",),
        tests=Ran("make test", ok=False),
    )
    done = tuple(Task(f"t{n}", "completed") for n in range(6))
    made = drafted(seen(digest=digest, stats=Stats(tasks=done)))
    assert made.summary == (
        "Changed 1 file: a.py. Ran 3 commands, 1 failed and not repaired. "
        "Made 7 commits: two, three, four, five, six. "
        f"Completed 6 to-dos: t1, t2, t3, t4, t5. [draft: {BY}]"
    )
    assert made.tests == f"failed: make test [draft: {BY}]"
    assert made.intent == f"please fix the login page of the shop [draft: {BY}]"
    assert made.artifacts == (Item("a.py", attrs={"draft": BY}),)
    assert drafted(seen(digest=Digest(files=many[:8]))).summary == (
        f"Changed 8 files: {', '.join(many[:8])}. [draft: {BY}]"
    )
    assert drafted(seen(digest=Digest(files=many))).summary == (
        f"Changed 9 files: {', '.join(many[:8])}, …. [draft: {BY}]"
    )
    long = drafted(seen(digest=Digest(commits=("x" * 80, "y" * 81)))).summary
    assert long == f"Made 2 commits: {'x' * 80}, {'y' * 79}…. [draft: {BY}]"
    assert drafted(seen(stats=Stats(commands=1))).summary == f"Ran 1 command. [draft: {BY}]"
    for ok, word in ((True, "passed"), (None, "did not finish")):
        assert (
            drafted(seen(digest=Digest(tests=Ran("t", ok=ok)))).tests == f"{word}: t [draft: {BY}]"
        )


def test_failures_are_those_of_the_turns_where_there_are_some():
    counted = Stats(failures=(Failure("Edit", "counted"),))
    for digest, told in (
        (Digest(), ["failed: counted"]),
        (Digest(ran=1, failures=("turn",)), ["failed: turn"]),
        (Digest(prompts=1), []),
    ):
        made = drafted(seen(stats=counted, digest=digest))
        assert [item.text.casefold() for item in made.blockers] == told


def test_what_only_says_to_go_on_is_no_intent_unless_it_is_all():
    def intent(*asked):
        return drafted(seen(digest=Digest(intents=asked))).intent

    assert intent("go on", "ok") == f"ok [draft: {BY}]"
    first, last = "please fix the login page", "then write a test for it"
    assert intent(first, "go on", last, "ok") == f"{last} (first asked: {first}) [draft: {BY}]"
    assert intent(first, "ok") == f"{first} [draft: {BY}]"


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        *(("x [draft]", True), ("[draft: a/b] \n", True), ("x [draft] y", False), ("x", False)),
        *(("x [draft: a] [b]", False), ("[draft] x [draft]", True), ("x] [draft", False)),
        *(("x [draft", False), ("  [draft]", True), ("[drafts] and [draft: x]", True)),
    ],
)
def test_a_text_says_at_its_end_that_it_was_drafted(text, is_one):
    assert is_draft(text) is is_one


def test_a_draft_fills_blanks_and_replaces_drafts_and_nothing_else():
    made = drafted(seen(digest=Digest(intents=("please fix the login page",)), branch="new"))
    for before, after in ((" \n", made.intent), ("stated", "stated"), ("old [draft]", made.intent)):
        assert laid_over(Checkpoint("x", intent=before), made).intent == after
    base = Checkpoint("x", branch="old", commit="c", intent="kept [draft]")
    over = laid_over(base, made)
    assert (over.branch, over.commit) == ("new", "c")
    assert laid_over(base, drafted(SEEN)).intent == "kept [draft]"


def test_items_of_the_same_session_give_way_and_those_of_others_stay_until_they_are_done():
    made = drafted(
        seen(
            stats=Stats(
                tasks=(Task("new", "pending"), Task("again", "pending"), Task("over", "completed"))
            )
        )
    )
    before = (
        Item("stated"),
        Item("mine, gone", attrs={"draft": BY}),
        Item("again", attrs={"draft": BY, "area": "x", "priority": "P1"}),
        Item("other", attrs={"draft": "codex/other"}),
        Item("over", attrs={"draft": "codex/other"}),
    )
    over = laid_over(Checkpoint("x", next_actions=before), made)
    assert over.next_actions == (
        Item("stated"),
        Item("again", attrs={"priority": "P1", "draft": BY}),
        Item("other", attrs={"draft": "codex/other"}),
        Item("new", attrs={"draft": BY}),
    )


def test_a_draft_in_format_c_has_one_list_of_what_is_unfinished():
    digest = Digest(prompts=1, failures=("make",))
    given = seen(
        digest=digest,
        dirty=("a.py",),
        commit="c",
        trigger="auto",
        stats=Stats(tasks=(Task("t", "completed"),)),
    )
    made = as_task(drafted(given)._replace(name="n"), given, "task (auto (kind)")
    assert made.id == "2026-01-31-n-kind"
    assert made.artifacts == (Item("a.py", attrs={"draft": BY}),)
    assert [item.text for item in made.next_actions] == [drafted(given).blockers[0].text]
    assert (made.blockers, [item.text for item in made.history]) == ((), ["t"])
    assert made.extra == {
        "Session ID": "123456789",
        "Trigger": "auto",
        "Project": "/home/x/shop",
        "What was done": made.summary,
        "Last commit": "c",
    }
    twice = Item(drafted(given).blockers[0].text)
    again = as_task(drafted(given)._replace(name="n", next_actions=(twice,)), given, "(k)")
    assert again.next_actions == (twice,)


def test_a_save_keeps_what_its_thread_states():
    thread = Checkpoint(
        "t", phase="build", intent="i", decisions=(Item("d"),), next_actions=(Item("a"),)
    )
    assert precompact(SEEN, thread).extra["Trigger"] == "unknown"
    assert precompact(seen(trigger="auto"), thread).extra["Trigger"] == "auto"
    made = recovered(SEEN, thread)
    assert (made.stage, made.intent, made.decisions) == ("build", "i", (Item("d"),))
    assert recovered(SEEN, thread._replace(stage="two")).stage == "two"
    assert "Trigger" not in made.extra
