"""Assignments of `update`: one key, one operator, one value."""

from __future__ import annotations

import pytest

from leftoff.core.assignments import parse
from leftoff.core.fast_json import loads
from leftoff.errors import Usage


@pytest.mark.parametrize(
    ("word", "path", "op", "value"),
    [
        ("--a=x=y", ("a",), "=", "x=y"),
        ("--a.b+=x", ("a", "b"), "+=", "x"),
        ("--a:json=[1]", ("a",), "=", [1]),
        ("--a:json+={}", ("a",), "+=", {}),
        ("--a+:json={}", ("a",), "+=", {}),
    ],
)
def test_a_word_is_an_assignment(word, path, op, value):
    assert tuple(parse(word, loads)) == (path, op, value)


@pytest.mark.parametrize("word", ["--a-=x", "--a.b-=x", "--a-:json=[]"])
def test_taking_away_is_refused_with_the_ways_to_do_it(word):
    with pytest.raises(Usage, match="removes nothing") as found:
        parse(word, loads)
    assert "--key.0=TEXT" in found.value.hint
    assert parse("--a-b=x", loads).path == ("a-b",)


@pytest.mark.parametrize(
    "word", ["--a", "--=x", "--a..b=x", "--a++=x", "--a:json:json=1", "--a b=x"]
)
def test_what_is_not_exactly_one_operator_is_refused(word):
    with pytest.raises(Usage, match="is not an assignment"):
        parse(word, loads)


@pytest.mark.parametrize("word", ["--a+=", "--a+= ", '--a:json+=""'])
def test_an_empty_item_is_refused_since_a_variable_may_be_empty(word):
    with pytest.raises(Usage, match="adds an empty item"):
        parse(word, loads)
    assert parse("--a=", loads).value == ""
