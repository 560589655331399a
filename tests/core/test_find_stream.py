"""Which checkpoint a name means: an id, a file, a title; never one that only might be meant."""

from __future__ import annotations

import pytest

from leftoff.core.find_stream import closest, find, shared_ids
from leftoff.core.stream import Glance, Stream
from leftoff.errors import Ambiguous, NotFound, Usage


def stream(name: str, title: str = "", **more: str) -> Stream:
    one = Glance(f"{name}.md", "md", name, title, **more)
    return Stream(one, (one.path,))


LOGIN, OTHER, BARE = stream("a-1", "Fix the login"), stream("b-2", "Fix: all"), stream("c-3")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Fix the login", LOGIN),
        ("Fix: all", OTHER),
        ("a-1", LOGIN),
        ("md:b-2", OTHER),
        ("c-3.md", BARE),
        ("c", BARE),
        ("Fix the", LOGIN),
        ("fix the l", LOGIN),
        ("A-1", LOGIN),
    ],
)
def test_a_stream_goes_by_its_title_its_id_its_file_and_a_prefix_in_any_case(name, found):
    assert find([LOGIN, OTHER, BARE], name) is found


def test_letters_as_they_are_count_before_those_of_another_case():
    small, large = stream("auth-1"), stream("Auth-2")
    assert find([small, large], "Auth") is large
    with pytest.raises(Ambiguous):
        find([small, large], "AUTH")


@pytest.mark.parametrize("name", ["login", "the", "Fix the pogin"])
def test_neither_a_word_of_a_title_nor_one_like_it_is_a_name_to_writers(name):
    with pytest.raises((NotFound, Usage)):
        find([LOGIN, OTHER, BARE], name, exact=True)
    with pytest.raises((NotFound, Usage)):
        find([LOGIN, OTHER, BARE], "Fix the", exact=True)


@pytest.mark.parametrize("name", ["Login", "the", "Fix-the-login"])
def test_the_title_that_was_meant_is_named(name):
    with pytest.raises(NotFound) as told:
        find([OTHER, LOGIN, BARE], name)
    assert told.value.hint == 'did you mean "Fix the login"?'


@pytest.mark.parametrize("name", ["", "no such title"])
def test_a_title_that_nothing_has_and_nothing_at_all_is_no_name(name):
    with pytest.raises(Usage):
        find([LOGIN, OTHER, BARE], name)


def test_a_title_that_is_a_name_counts_after_an_id_and_two_of_one_title_are_asked_about():
    titled = stream("d-4", "c-3")
    assert find([titled, BARE], "c-3") is BARE
    twins = [LOGIN, stream("e-5", "Fix the login")]
    with pytest.raises(Ambiguous):
        find(twins, "Fix the login")
    old = stream("f-6", "Fix the login", status="archived")
    assert find([old, LOGIN], "Fix the login") is LOGIN
    assert find([old], "Fix the login") is old
    with pytest.raises(NotFound):
        find(twins, "x-9", exact=True)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("skill:a-1", 'run "leftoff list" to see all'),
        ("mb:a-1", 'did you mean "md:a-1"?'),
        ("md:a-11", 'did you mean "a-1"?'),
    ],
)
def test_a_name_that_a_format_does_not_have_is_told_with_the_format(name, hint):
    with pytest.raises(NotFound, match=f'no checkpoint "{name}" here') as told:
        find([LOGIN, OTHER, BARE], name)
    assert told.value.hint == hint


def test_several_of_one_format_are_told_with_the_format_too():
    with pytest.raises(Ambiguous, match='"md:a" matches 2 checkpoints'):
        find([LOGIN, stream("a-2")], "md:a")


def test_an_id_is_shared_wherever_its_streams_stand():
    assert shared_ids([LOGIN, OTHER, stream("a-1")]) == {"a-1", "md:a-1"}
    assert shared_ids([LOGIN, OTHER, BARE]) == frozenset()


def test_the_dashes_of_an_option_make_it_neither_like_another_nor_unlike_its_own():
    assert closest("--al", ["--all", "--json"]) == "--all"
    assert closest("al", ["--all"]) == "--all"
    assert closest("--yo", ["--no"]) == ""
    assert closest("all", ["ally", "all"]) == "all"
