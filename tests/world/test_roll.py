"""The sessions that a server knows are those of the catalogue; a look reads what changed, no more."""

from __future__ import annotations

import os

import pytest

from histories import DAY, HOUR, MINUTE, NOW, Talk, aged, grow, ident, journal, state
from leftoff.world import catalogue, roll
from leftoff.world.roll import Roll
from leftoff.world.sessions import everything, of_roll, sessions
from support import repo


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Files of a test were written just now, which is too new to be trusted."""
    monkeypatch.setattr(catalogue, "TICK", -1e9)


@pytest.fixture
def root(tmp_path):
    return repo(tmp_path)


@pytest.fixture
def clock():
    return [0.0]


@pytest.fixture
def known(root, clock):
    """Five sessions, looked at once."""
    for n in range(5):
        grow(root, n, (n + 1) * HOUR, thread="thread-1a2b3c4d" if n == 2 else "")
    return Roll(state(), os.environ, lambda: clock[0]).look()


def later(known, clock, seconds=roll.SHARED):
    clock[0] += seconds
    return known.look()


def same_as_the_catalogue(known):
    listed = catalogue.catalogue(state(), os.environ)
    every = listed.which(everything)
    assert known.which(everything) == every
    assert [row[:6] for row in known.rows(every)] == [row[:6] for row in listed.rows(every)]
    assert known.firsts() == listed.firsts()
    assert known.journals(0) == catalogue.journals(state(), 0)
    assert known.logs_until(NOW) == catalogue.logs_until(state(), os.environ, NOW)


def changed(known, clock, change):
    """Whether a look saw it, and is right after it."""
    before = known.mark
    change()
    later(known, clock)
    same_as_the_catalogue(known)
    return known.mark != before


def test_it_answers_as_the_catalogue_whatever_comes_goes_and_grows(known, clock, root):
    same_as_the_catalogue(known)
    assert not changed(known, clock, lambda: None)
    assert changed(known, clock, lambda: grow(root, 7, 30 * MINUTE))
    assert changed(known, clock, lambda: aged(journal(3, (MINUTE, "prompt")), MINUTE))
    path = known.logs()[0].path
    assert changed(known, clock, lambda: os.unlink(path))
    gone = os.path.join(state(), "sessions", "claude-code", f"{ident(4)}.jsonl")
    assert changed(known, clock, lambda: os.unlink(gone))


def test_who_continues_a_session_follows_it_to_another_thread(known, clock, root):
    grow(root, 6, MINUTE, **{"from": ident(2)})
    later(known, clock)
    assert len(known.which(everything, "thread-1a2b3c4d")) == 2
    aged(journal(2, (0, "bind", {"thread": "thread-99999999"})), 3 * HOUR)
    later(known, clock)
    assert len(known.which(everything, "thread-99999999")) == 2


def test_a_look_serves_a_second_unless_somebody_saw_a_change(known, clock, root):
    grow(root, 7, 30 * MINUTE)
    assert not known.look().row("claude-code", ident(7))
    known.forget()
    assert known.look().row("claude-code", ident(7))


def test_an_old_file_that_grows_is_seen_in_turn_and_after_a_pause_at_once(
    known, clock, monkeypatch
):
    monkeypatch.setattr(roll, "NEWEST", 1)
    monkeypatch.setattr(roll, "ASKED", 1)
    before = known.mark
    aged(journal(4, (5 * HOUR, "prompt")), 4.5 * HOUR)
    looks = 0
    while known.mark == before:
        later(known, clock)
        looks += 1
    assert looks <= 4
    aged(journal(3, (4 * HOUR, "prompt")), 3.5 * HOUR)
    later(known, clock, catalogue.WHOLE)
    same_as_the_catalogue(known)


def test_its_sessions_are_those_of_the_whole_list_and_only_changed_ones_are_made_anew(
    known, clock, root
):
    def both(since=0.0):
        now = of_roll(known, state(), os.environ, NOW, everything, since)
        return now, sessions(state(), os.environ, NOW, curves=False)

    first, whole = both()
    assert [one._replace(stats=one.stats._replace(curve=())) for one in first] == whole
    aged(Talk(3, root).ask(5 * HOUR, "More").answer(4 * HOUR, "Done.", 1).save(), 4 * HOUR)
    later(known, clock)
    again, whole = both()
    assert [one.id for one in again] == [one.id for one in whole]
    kept = {one.id for one in again if any(one is other for other in first)}
    assert kept == {one.id for one in first} - {ident(3)}
    assert [one.id for one in both(NOW - 2.5 * HOUR)[0]] == [ident(0), ident(1)]
    assert not both(NOW + DAY)[0]
