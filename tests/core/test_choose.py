"""Which of the records that sessions left is meant: seed C's table, case by case."""

from __future__ import annotations

import pytest

from leftoff.core.choose import (
    ASK,
    LOOKUP,
    USE,
    Asker,
    Pending,
    Save,
    choose,
    is_dated,
    newest_save,
    together,
)

ME = Asker(("me",))
PERSON = Asker((), "thread-1", "/p/thread-1.md")


def left(name, at=1.0, **more):
    """A record of a session, of a document of its own."""
    given = {"target": f"/p/{name}.md", "session": name, "task": name, **more}
    return Pending(record=f"/m/{name}.txt", created=at, expires=99.0, **given)


def chosen(records, asker=ME, *answers):
    """(what to do, whose record, the slugs of the warnings)."""
    found = choose(together(records), asker, answers)
    whose = found.candidate.newest.session if found.candidate else ""
    return found.verb, whose, [finding.slug for finding in found.findings]


A, B, C = left("a", 3.0), left("b", 2.0), left("c", 1.0)
OWN = left("me", 0.5)
ASKED, LOOKED = (ASK, "", []), (LOOKUP, "", [])


def used(whose, *slugs):
    return USE, whose, list(slugs)


@pytest.mark.req(
    "C.restore.own-first",
    "C.restore.one-sentinel",
    "C.restore.several-sentinels",
    "C.restore.no-sentinel",
    "C.restore.pick",
    "C.restore.pick-invalid",
)
@pytest.mark.parametrize(
    ("records", "answers", "expected"),
    [
        ([], (), LOOKED),
        ([A], (), used("a", "mismatch")),
        ([A, B], (), ASKED),
        ([A, B, C], (), ASKED),
        ([OWN], (), used("me", "same-session")),
        ([A, OWN], (), used("me", "same-session")),
        ([A, B, OWN], (), used("me", "same-session")),
        ([A, B], ("1",), used("a", "mismatch")),
        ([A, B], ("2",), used("b", "mismatch")),
        ([A, B], (" 2 ",), used("b", "mismatch")),
        ([A, B, OWN], ("1",), used("a", "mismatch")),
        ([A, B], ("skip",), LOOKED),
        ([A], ("skip",), LOOKED),
        ([A, B], ("9",), ASKED),
        ([A, B], ("0",), ASKED),
        ([A, B], ("x",), ASKED),
        ([A, B], ("９",), ASKED),
        ([A, B], ("9", "x"), LOOKED),
        ([A, B], ("9", "2"), used("b", "mismatch")),
        ([A, B], ("x", "skip"), LOOKED),
        ([A, B], ("x", "y", "2"), LOOKED),
        ([], ("1",), LOOKED),
    ],
)
def test_own_first_then_the_only_one_then_the_answer(records, answers, expected):
    assert chosen(records, ME, *answers) == expected


def test_the_newest_of_several_records_of_one_document_stands_for_all_of_them():
    one, two = left("a", 1.0, target="/p/x.md"), left("b", 2.0, target="/p/x.md")
    (found,) = together([one, two])
    assert [record.session for record in found.records] == ["b", "a"]
    assert chosen([one, two]) == used("b", "mismatch")
    mine = left("me", 0.0, target="/p/x.md")
    assert not choose(together([one, two, mine]), ME).mismatch


@pytest.mark.req("C.restore.order")
def test_numbers_follow_time_and_not_names():
    assert [one.newest.session for one in together([C, A, B])] == ["a", "b", "c"]


def test_a_person_gets_what_was_left_of_the_current_thread():
    mine = left("s1", 1.0, target="/p/thread-1.md", thread="thread-1")
    assert chosen([A, B, mine], PERSON) == used("s1")


@pytest.mark.req("C.restore.own-first")
def test_what_a_session_left_itself_goes_before_what_others_left_of_its_thread():
    on_thread = ME._replace(thread="thread-1", document="/p/thread-1.md")
    theirs = left("s1", 9.0, target="/p/thread-1.md", thread="thread-1")
    mine = OWN._replace(thread="thread-1")
    before = left("s2", 0.1, target=mine.target, thread="thread-1")
    assert chosen([theirs], on_thread) == used("s1")
    assert chosen([theirs, mine, before], on_thread) == used("me", "same-session")


def test_what_a_live_session_was_given_is_passed_over_and_its_own_to_that_session():
    given = A._replace(offered="s9")
    assert chosen([given]) == LOOKED
    assert chosen([given, B]) == used("b", "mismatch")
    assert chosen([given, B], Asker(("s9",))) == used("a")
    assert chosen([given, B], ME, "1") == used("a", "mismatch", "offered")


def test_a_record_of_a_file_that_is_gone_is_never_taken_unasked():
    gone = A._replace(there=False)
    assert chosen([gone]) == LOOKED
    assert chosen([gone, B]) == used("b", "mismatch")
    assert chosen([gone, B], ME, "1") == used("a", "mismatch")


@pytest.mark.req("X.pending.guards")
def test_another_task_and_a_session_that_still_runs_are_warned_of():
    on_thread = ME._replace(thread="thread-1", document="/p/thread-1.md")
    assert chosen([A], on_thread) == used("a", "mismatch", "cross-task")
    unnamed = choose(together([A._replace(task="")]), on_thread).findings[-1]
    assert "another task (a)" in unnamed.text
    assert chosen([A._replace(thread="thread-1")], on_thread) == used("a", "mismatch")
    assert chosen([A._replace(live=True)]) == used("a", "mismatch", "live-session")


def test_an_older_id_of_the_same_session_is_its_own():
    assert chosen([A, B], Asker(("me", "b"))) == used("b", "same-session")


@pytest.mark.req("C.restore.lookup", "C.restore.prefer-voluntary")
@pytest.mark.parametrize(
    ("saves", "newest"),
    [
        ([], None),
        ([("2026-01-09-z", 1), ("2026-01-01-a", 2)], "2026-01-01-a"),
        ([("2026-01-01-a", 1), ("2026-01-01-a-precompact", 2)], "2026-01-01-a"),
        ([("2026-01-01-a", 1), ("2026-01-01-a-3-precompact", 2)], "2026-01-01-a"),
        ([("2026-01-01-a", 1), ("2026-01-02-a-precompact", 2)], "2026-01-02-a-precompact"),
        ([("2026-01-01-a", 1), ("2026-01-01-b-precompact", 2)], "2026-01-01-b-precompact"),
        ([("2026-01-01-a", 1), ("2026-01-01-a-b-precompact", 2)], "2026-01-01-a-b-precompact"),
        ([("2026-01-01-a-precompact", 1)], "2026-01-01-a-precompact"),
        ([("2026-01-01-a", 2), ("2026-01-01-b", 2)], "2026-01-01-b"),
    ],
)
def test_the_newest_save_counts_and_a_voluntary_one_before_its_automatic_sibling(saves, newest):
    found = newest_save(Save(f"/s/{name}.md", at) for name, at in saves)
    assert (found and found.path) == (newest and f"/s/{newest}.md")


@pytest.mark.parametrize(
    ("path", "dated"),
    [
        ("x/2026-01-01-a.md", True),
        ("notes.md", False),
        ("2026-01-01.md", False),
        ("a-b-c-d-", False),
    ],
)
def test_a_save_is_named_after_its_day(path, dated):
    assert is_dated(path) is dated
