"""What the lines of a journal amount to: each key, and each value that is odd."""

from __future__ import annotations

import pytest

from leftoff.core.session import TRANSCRIPT, Client, Event, Note, Outcome
from leftoff.core.session_lines import MOST, session_of
from leftoff.core.stats import Tokens


def made(*lines):
    return session_of("codex", "s", lines)


def line(at, event, **given):
    return {"at": at, "event": event, **given}


def test_a_session_from_its_start_to_its_end():
    one = made(
        line(
            10, "start", root="/r", cwd="/r/x", branch="b", commit="c", mode="m", source="startup"
        ),
        line(20, "prompt", model="opus", window=200, size=30, context=7),
        line(30, "stop", failed="rate_limit"),
        line(40, "end", source="clear", dirty=0),
    )
    assert (one.root, one.cwd, one.branch, one.commit, one.mode) == ("/r", "/r/x", "b", "c", "m")
    assert (one.started, one.seen, one.ended, one.closed, one.dirty) == (10, 40, 40, 40, 0)
    assert (one.model, one.window, one.size, one.source) == ("opus", 200, 30, "startup")
    assert one.events == (
        Event(10.0, "start", "startup"),
        Event(20.0, "prompt", "", failed=False, context=7),
        Event(30.0, "stop", "", failed=True),
        Event(40.0, "end", "clear"),
    )


@pytest.mark.parametrize(("dirty", "told"), [(3, 3), (True, None), ("3", None), (None, None)])
def test_files_that_were_not_committed_are_a_number(dirty, told):
    assert made(line(1, "start"), line(2, "end", dirty=dirty)).dirty == told


@pytest.mark.parametrize("at", [0, -1, 1e11, True, "5", None])
def test_a_line_without_a_time_is_skipped(at):
    assert made(line(at, "prompt")).skipped == 1
    assert made(line(0.5, "prompt"), line(1e11 - 1, "prompt")).skipped == 0
    assert made(line(5, "")).skipped == 1


@pytest.mark.parametrize(
    ("size", "told"), [(1, 1), (0, 9), (-1, 9), (True, 9), (1.5, 9), (MOST, MOST), (MOST + 1, 9)]
)
def test_a_size_that_cannot_be_leaves_the_last_one(size, told):
    assert made(line(1, "prompt", size=9), line(2, "prompt", size=size)).size == told


def test_a_model_stays_until_another_is_told():
    assert made(line(1, "prompt", model="a"), line(2, "prompt")).model == "a"
    assert made(line(1, "prompt", model="a"), line(2, "prompt", model="b")).model == "b"


def test_reconciliation_tells_when_it_was_last_seen_and_what_it_counted():
    one = made(
        line(10, "prompt"),
        line(90, "end", by_us="reconcile", last=50, tokens=[1, 2, 3, 4], commits=2),
    )
    assert (one.ended, one.closed, one.seen, one.started) == (50, 90, 50, 10)
    assert (one.stats.tokens, one.stats.commits) == (Tokens(1, 2, 3, 4), 2)
    silent = made(line(10, "prompt"), line(90, "end", by_us="reconcile"))
    assert (silent.ended, silent.closed, silent.seen) == (10, 90, 10)
    odd = made(line(10, "prompt"), line(90, "end", by_us="reconcile", tokens=[1, "2", 3, 4]))
    assert odd.stats.tokens == Tokens()
    own = made(line(10, "prompt"), line(20, "end"), line(90, "end", by_us="reconcile", last=50))
    assert (own.ended, own.closed) == (20, 20)
    first = made(line(90, "end", by_us="reconcile", last=50))
    assert first.started == 50


def test_a_session_that_goes_on_had_not_ended():
    ended = [line(10, "start"), line(20, "end", source="clear", dirty=1)]
    for what in ("start", "prompt"):
        again = made(*ended, line(30, what))
        assert (again.ended, again.closed, again.reason, again.dirty) == (0.0, 0.0, "", None)
    for what in ("stop", "note", "bind", "save", "recover"):
        assert made(*ended, line(30, what)).ended == 20
    found_dead = [line(10, "start"), line(20, "end", by_us="reconcile", last=15)]
    assert made(*found_dead, line(30, "stop")).ended == 0.0
    assert made(*found_dead, line(30, "note", text="x")).ended == 15


def test_a_note_tells_of_itself_by_its_outcome_its_task_or_its_text():
    one = made(
        line(1, "start"),
        line(2, "note", text="half", decisions=["d", "", 3], next=["n"]),
        line(3, "note", outcome="A", task="t1"),
        line(4, "note", outcome="B"),
        line(5, "note", task="t2"),
        line(6, "note", outcome="A"),
    )
    assert [event.about for event in one.events[1:]] == ["half", "A", "B", "t2", "A"]
    assert one.notes == (Note(2.0, "half", ("d",), ("n",)),)
    assert one.outcomes == (Outcome("B", "t2", 5.0), Outcome("A", "t1", 6.0))
    assert made(line(1, "start"), line(2, "note", task="t")).outcomes == ()
    assert made(line(1, "start"), line(2, "end"), line(3, "note", text="x")).seen == 2


def test_a_binding_and_a_recovery_are_no_signs_of_life():
    one = made(
        line(10, "bind", thread="t", root="/r"),
        line(20, "recover", last=5, root="/x", transcript="p"),
    )
    assert (one.thread, one.root, one.seen, one.started, one.transcript) == ("t", "/r", 5, 5, "p")
    assert one.origin == TRANSCRIPT
    later = made(
        line(10, "start", root="/r", transcript="own"),
        line(20, "recover", last=5, root="/x", transcript="p"),
    )
    assert (later.root, later.seen, later.started, later.transcript) == ("/r", 10, 10, "own")
    assert later.origin != TRANSCRIPT
    assert made().origin != TRANSCRIPT


def test_a_start_tells_of_the_client_and_a_second_one_of_what_is_new():
    client = {"pid": 7, "began": "b", "boot": "o", "ns": "n", "host": "h", "shared": 1}
    one = made(
        line(
            10,
            "start",
            root="/r",
            source="startup",
            hapi="h1",
            entrypoint="cli",
            attended=True,
            **client,
        ),
        line(20, "start", root="/x", source="resume", branch="new", **{"from": "p"}),
    )
    assert one.client == Client(7, "b", "o", "n", "h", True)
    assert (one.root, one.source, one.branch, one.started) == ("/r", "startup", "new", 10)
    assert (one.parent, one.hapi, one.entrypoint, one.attended) == ("p", "h1", "cli", True)
    copied = made(line(10, "start"), line(20, "prompt"), line(10, "start", branch="b"))
    assert (len(copied.events), copied.branch) == (2, "")
    assert made(line(20, "prompt"), line(10, "start")).started == 10
