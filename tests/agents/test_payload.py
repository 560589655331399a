"""Values out of payloads that may hold anything, and the last lines of a transcript."""

from __future__ import annotations

import pytest

from leftoff.agents._payload import count, inner, last_lines, path, text


def test_the_first_field_that_holds_a_text_is_taken():
    assert text({"a": "", "b": 7, "c": "yes", "d": "no"}, "x", "a", "b", "c", "d") == "yes"
    assert text({"a": None}, "a") == ""


@pytest.mark.parametrize("wrong", ["a\0b", "a\ud800"])
def test_what_the_system_could_not_take_is_no_path(wrong):
    assert path({"a": wrong}, "a") == ""
    assert path({"a": "/断点"}, "a") == "/断点"


@pytest.mark.parametrize(
    ("given", "number"),
    [(1, 1), ((1 << 53) - 1, (1 << 53) - 1), (1 << 53, 0), (-1, 0), (True, 0), (1.0, 0), ("1", 0)],
)
def test_a_count_is_a_whole_number_above_zero_that_every_reader_can_hold(given, number):
    assert count({"n": given}, "n") == number


def test_an_object_below_names_is_empty_where_there_is_none():
    payload = {"a": {"b": {"c": 1}}, "list": []}
    assert inner(payload, "a", "b") == {"c": 1}
    assert inner(payload, "a", "x", "y") == inner(payload, "list") == {}


def test_lines_with_a_mark_come_last_first_and_torn_ones_are_skipped():
    tail = b'{"a": 1}\n{"b": 2}\n["a", {"a": 3}]\n{"a": 4, "a": 5}\n{"a": 6'
    assert list(last_lines(tail, b'{"a"')) == [{"a": 5}, {"a": 1}]
    assert list(last_lines(tail, b'"b"')) == [{"b": 2}]
    assert list(last_lines(b'\n{"a": "\xff"}', b'"a"')) == [{"a": "�"}]
