"""What a server keeps between calls, and when it makes it anew."""

from __future__ import annotations

import pytest

from leftoff.world.server_cache import FRESH, LONGEST, MOST, TENTH, ServerCache


class World:
    """A clock that the test moves, a mark that it changes, and a costly thing to make."""

    def __init__(self, cost: float = 0.01) -> None:
        self.now, self.mark, self.cost, self.made = 100.0, 1, cost, 0
        self.keep = ServerCache(lambda: self.mark, lambda: self.now)

    def make(self) -> int:
        self.now += self.cost
        self.made += 1
        return self.made

    def ask(self, key: object = "x") -> int:
        return self.keep(key, self.make)


@pytest.fixture
def world() -> World:
    return World()


def test_a_value_is_made_once_while_nothing_changes(world):
    assert [world.ask() for _ in range(3)] == [1, 1, 1]
    world.now += FRESH - 0.1
    assert world.ask() == 1


def test_a_change_makes_it_anew_but_not_more_than_a_tenth_of_the_time():
    world = World(cost=1.0)
    world.ask()
    world.mark = 2
    world.now += TENTH - 0.1
    assert world.ask() == 1
    world.now += 0.2
    assert world.ask() == 2


def test_what_took_long_the_first_time_does_not_stay_for_ever():
    world = World(cost=LONGEST)
    world.ask()
    world.mark = 2
    world.now += LONGEST + 0.1
    assert world.ask() == 2


def test_what_is_cheap_follows_a_change_at_once(world):
    world.ask()
    world.mark = 2
    world.now += world.cost * TENTH + 0.001
    assert world.ask() == 2


def test_after_a_while_it_is_made_anew_although_no_change_was_seen():
    for cost in (0.01, FRESH / TENTH):
        world = World(cost)
        world.ask()
        world.now += FRESH + 0.1
        assert world.ask() == 2


def test_what_tells_itself_that_it_holds_is_believed_for_a_minute():
    now, made, keep = [0.0], [], None
    keep = ServerCache(lambda: 0, lambda: now[0])

    def ask(sign):
        return keep.same("key", lambda: made.append(sign) or sign, lambda value: value == sign)

    assert (ask("a"), ask("a"), made) == ("a", "a", ["a"])
    assert (ask("b"), made) == ("b", ["a", "b"])
    now[0] = LONGEST + 1
    assert (ask("b"), made) == ("b", ["a", "b", "b"])


def test_what_nobody_asks_for_goes_first(world):
    world.ask("first")
    for at in range(MOST - 1):
        world.ask(at)
    world.ask("first")
    world.ask("one more")
    made = world.made
    world.ask("first")
    assert world.made == made
    world.ask(0)
    assert world.made == made + 1


def test_an_error_is_not_kept(world):
    def fails() -> int:
        raise KeyError("x")

    with pytest.raises(KeyError):
        world.keep("x", fails)
    assert world.ask() == 1


def test_a_value_can_be_forgotten(world):
    world.ask()
    world.keep.forget("x")
    world.keep.forget("never kept")
    assert world.ask() == 2
