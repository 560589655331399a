"""What spares most texts a pattern: it may let through too much, and never too little."""

from __future__ import annotations

import re

import pytest

from leftoff.core.redact_behind import behind
from leftoff.core.redact_rules import Rule, pattern_at, tells_secret
from leftoff.core.redact_runs import RUN, runs

KEY = b"A1" * (RUN // 2)
ID = b"0123456789abcdef"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("password=x", "=e"),
        ("password = x", "="),
        ("password: x", ":"),
        ("password>x", ">"),
        ("password\uff1ax", ":"),
        ("password是x", "c"),
        ("password 为 x", "c"),
        ("password (a) = x", "n"),
        ("password (a)** : x", "n"),
        ("password\uff08a\uff09\uff1ax", "n"),
        ("password (a) | x", "|"),
        ("password (a\uff09: x", ""),
        ("password (a) x", ""),
        ("password_value=x", "=e"),
        ("password is x", "i"),
        ("password was x", "i"),
        ("password has x", ""),
        ("password value x", "v"),
        ("password default x", "v"),
        ("--password x", "o"),
        ("--" + "a" * 8 + "password x", "o"),
        ("--" + "a" * 9 + "password x", ""),
        ("password " + "a" * 31 + ".", ""),
        ("password " + "a" * 32 + ".", "r"),
        ("password" + " " * 88 + "a" * 40, "r"),
        ("password" + " " * 89 + "a" * 40, ""),
    ],
)
def test_what_stands_behind_a_name_decides_which_rules_are_tried(text, found):
    assert behind(text, text.index("password"), "password") == found


@pytest.mark.parametrize(
    ("text", "found"), [("api_key=x", "=e"), ("my api key: x", ":"), ("monkey=x", "")]
)
def test_a_key_is_one_behind_a_kind_of_key_only(text, found):
    assert behind(text, text.index("key"), "key") == found


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (KEY, [KEY]),
        (KEY[1:], []),
        (b" " * 20 + KEY + b" and more", [b" " * 12 + KEY]),
        (KEY + b" " * 20 + KEY, [KEY, b" " * 12 + KEY]),
        (b"abcdefghijklmnopqrstuvwxyz", []),
        (b"id " + ID, []),
        (ID, []),
        (b"x." + ID + b" z", [b"x." + ID]),
    ],
)
def test_long_runs_are_where_keys_may_be_but_words_and_ids(data, found):
    assert [data[start:end] for start, end in runs(data)] == found


def test_of_a_list_of_keys_those_are_tried_that_may_begin_with_the_literal():
    keys = (("ab", "1"), ("abc", "2"), ("ba", "3"))
    rule = Rule("k", ("ab", "abc", "ba"), "whole", keys=keys)
    texts = ("ab1", "abc2", "ba3")
    for literal, fit in (("ab", texts[:2]), ("abc", texts[:2]), ("ba", texts[2:])):
        pattern = pattern_at(rule, literal)
        assert tuple(text for text in texts if re.match(pattern, text)) == fit
    assert pattern_at(rule._replace(keys=()), "ab") == "whole"


@pytest.mark.parametrize(
    ("value", "secret"),
    [
        ("a1\nb2c3", True),
        ("a1b2c", False),
        ("a1b2 " * 80, True),
        ("a1b2 " * 80 + "x", False),
        ("a1b2c" * 80 + "x", True),
    ],
)
def test_a_long_text_with_spaces_is_no_secret(value, secret):
    assert tells_secret(value) == secret
