"""Which archived sessions leave: by age, then for room, the oldest first."""

from __future__ import annotations

from leftoff.core.retention import AGE, ROOM, Kept, Policy, leaving
from leftoff.core.when import DAY

NOW = 1000 * DAY


def kept(name: str, age: float, stored: int = 10, *images: str) -> Kept:
    return Kept("codex", name, NOW - age * DAY, stored, frozenset(images))


def names(policy: Policy, *sessions: Kept, **sizes: int) -> list[tuple[str, str, int]]:
    found = leaving(sessions, sizes, NOW, policy)
    return [(one.kept.session, one.why, one.frees) for one in found]


def test_what_is_older_than_is_kept_leaves_and_nothing_at_the_very_limit():
    policy = Policy(30 * DAY)
    assert names(policy, kept("a", 31), kept("b", 30), kept("c", 1)) == [("a", AGE, 10)]


def test_no_limit_lets_everything_stay():
    assert names(Policy(0, 0), kept("a", 10_000, 10**15)) == []


def test_for_room_the_oldest_leave_until_the_rest_fits():
    policy = Policy(0, 25)
    sessions = kept("new", 1), kept("old", 9), kept("middle", 5)
    assert names(policy, *sessions) == [("old", ROOM, 10)]
    assert names(Policy(0, 15), *sessions) == [("old", ROOM, 10), ("middle", ROOM, 10)]
    assert names(Policy(0, 30), *sessions) == []


def test_an_image_takes_room_once_and_leaves_with_the_last_that_names_it():
    sessions = kept("a", 9, 10, "x"), kept("b", 5, 10, "x", "y"), kept("c", 1, 10)
    assert names(Policy(0, 10), *sessions, x=100, y=7) == [("a", ROOM, 10), ("b", ROOM, 117)]
    assert names(Policy(0, 137), *sessions, x=100, y=7) == []


def test_all_of_them_may_leave():
    assert [name for name, *_ in names(Policy(1 * DAY), kept("a", 9), kept("b", 2))] == ["a", "b"]


def test_an_image_of_unknown_size_takes_no_room():
    sessions = kept("a", 9, 10, "x"), kept("b", 5, 10)
    assert names(Policy(0, 20), *sessions) == []
    assert names(Policy(0, 10), *sessions) == [("a", ROOM, 10)]
