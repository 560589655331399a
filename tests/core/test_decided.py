"""What a person settles while asking: found by words, in two languages, and nothing besides."""

from __future__ import annotations

import pytest

from leftoff.core.decided import LONGEST, PASTED, SHORTEST, decided
from leftoff.core.digest import digest
from leftoff.core.draft import Seen, drafted, laid_over
from leftoff.core.model import Checkpoint, Item
from leftoff.core.talk import USER, Turn


@pytest.mark.parametrize(
    ("asked", "settled"),
    [
        (
            "Let us decide: amounts are integers in cents.",
            "Let us decide: amounts are integers in cents.",
        ),
        ("Fine. We go with SQLite rather than files.", "We go with SQLite rather than files."),
        (
            "Never touch the generated folder! Run the tests again.",
            "Never touch the generated folder!",
        ),
        ("We must keep both. Or was it one", "We must keep both. Or was it one"),
        ("We go with Redis. Just kidding.", "We go with Redis. Just kidding."),
        ("- **Always** run the linter before a commit", "Always run the linter before a commit"),
        ("The key must not leave the machine", "The key must not leave the machine"),
        (
            "We decided: a delete only marks; a nightly job removes. Write the job first.",
            "We decided: a delete only marks; a nightly job removes.",
        ),
        ("先看日志。数据库改用 PostgreSQL。", "数据库改用 PostgreSQL。"),
        ("金额一律用整数分，接着做下一步。", "金额一律用整数分，接着做下一步。"),
    ],
)
def test_a_sentence_that_settles_something_is_kept_word_for_word(asked, settled):
    assert decided(asked) == (settled,)


@pytest.mark.parametrize(
    "asked",
    [
        "Why does it never work on my machine",
        "I don't understand the second error",
        "Should we go with SQLite?",
        "It is wrong after checkout, only happens in Safari",
        "Only fails on Tuesdays",
        "Repair the login test and show me the diff",
        "为什么登录测试失败",
        "要不要用 Redis，你看着办",
        "不要紧，慢慢来",
        "> We must go with Redis\nno",
        "```\n# this must never happen\n```",
        "TypeError: keys must be strings",
        "It must be the cache",
        "We go with Redis, I guess. OK?",
        "ok",
        "",
        "See the page:\n## Decisions made\n### What we must not do",
        "What I decided yesterday:\n- tea",
        "We decided nothing of this. " + "log line\n" * PASTED,
    ],
)
def test_questions_requests_and_pasted_text_settle_nothing(asked):
    assert decided(asked) == ()


def test_a_long_sentence_is_none_as_it_would_be_cut_and_twice_the_same_is_once():
    longest = "We decided ".ljust(LONGEST, "x")
    assert decided(longest) == (longest,)
    assert decided(f"{longest}x") == ()
    assert len(decided("Always lint first.\nAlways lint first.")) == 1


def test_what_was_settled_in_a_conversation_is_drafted_as_decisions_beside_those_stated():
    found = digest([Turn(USER, "We go with tabs, always."), Turn(USER, "Now write the parser")])
    made = drafted(Seen("0badcafe-1", "/p", "2026-08-08", agent="codex", digest=found))
    assert made.intent.startswith("Now write the parser [")
    assert [(one.text, one.get("draft")) for one in made.decisions] == [
        ("We go with tabs, always.", "codex/0badcafe")
    ]
    both = laid_over(Checkpoint("", decisions=(Item("Stated before"),)), made)
    assert [one.text for one in both.decisions] == ["Stated before", "We go with tabs, always."]


def test_what_was_only_settled_is_no_intent_unless_nothing_else_was_said():
    asked = [Turn(USER, "Build the parser of trees"), Turn(USER, "We go with tabs, always.")]
    for turns, intent in ((asked, "Build the parser of trees"), (asked[1:], asked[1].text)):
        seen = Seen("s", "/p", "2026-08-08", digest=digest(turns))
        assert drafted(seen).intent == f"{intent} [draft: s]"


def test_the_shortest_sentence_and_the_longest_prompt_count():
    shortest = "must go left"
    assert len(shortest) == SHORTEST
    assert decided(shortest) == (shortest,)
    assert decided(shortest[:-1]) == ()
    longest = "We decided so.".ljust(PASTED, "\n")
    assert decided(longest) == ("We decided so.",)
    assert decided(longest + "\n") == ()


@pytest.mark.parametrize(
    "asked",
    [
        "We go with Redis. Wait, no, SQLite.",
        "We go with Redis. But only at night. However, not today.",
        "Usamos Redis, never files. Pero hoy no.",
        "数据库改用 PostgreSQL。算了，还是 SQLite。",
        "数据库改用 PostgreSQL。 算了，还是 SQLite。",
    ],
)
def test_a_decision_stands_with_what_takes_it_back(asked):
    assert decided(asked) == (asked,)


def test_a_decision_too_long_for_what_takes_it_back_is_told_by_the_words_only():
    assert decided(f"We go with Redis{', as ever' * 24}. No, SQLite will do as well.") == ()
    assert decided(f"We go with Redis{', as ever' * 24}.") != ()


def test_of_what_somebody_dictates_the_clause_is_kept_that_settles_something():
    before = "so this is about the letters that we write to the parents at the end of every summer"
    more = "and then there is the list of stops which they get with it on a page of its own"
    clause = "and they must never get anything from you but from the office"
    asked = f"{before} {more} {clause} and Rhonda from the office does it as she has always done it"
    assert decided(asked) == (
        f"{clause} and Rhonda from the office does it as she has always done it",
    )
