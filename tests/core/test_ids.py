"""Names before they become paths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leftoff.core.ids import LONGEST, check_name, slug
from leftoff.errors import Usage


@pytest.mark.parametrize(
    "name", ["oc-bug-check", "chk_1.2", "thread-0a1b2c3d", "任务-1", "Ünï", "7", "a" * LONGEST]
)
def test_a_good_name_is_returned_as_it_is(name):
    assert check_name(name) == name


@pytest.mark.req("X.path.names")
@pytest.mark.parametrize(
    "name",
    [
        *("", ".", "..", "../victim", "/etc/passwd", "a/b", "a\\b", "--x", "-x", ".hidden", "_x"),
        *(
            "a b",
            "a\n",
            "a\0b",
            "a:b",
            "a*",
            "name.",
            "x" * (LONGEST + 1),
            "字" * LONGEST,
            "\ud800",
        ),
        *("a\u202eb", "\ufeffa", "~", "$HOME", "a;b", "a|b"),
    ],
)
def test_what_is_unsafe_as_a_path_segment_is_refused(name):
    with pytest.raises(Usage) as caught:
        check_name(name, "skill name")
    assert "is not a skill name" in caught.value.message
    assert caught.value.message.isprintable()


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Fix the login!", "fix-the-login"),
        ("  ../../etc  ", "etc"),
        ("修复 登录", "修复-登录"),
        ("a -- b", "a-b"),
        ("🚀", "work"),
        ("", "work"),
        ("x" * 100, "x" * 60),
    ],
)
def test_a_slug_is_made_of_any_text(text, made):
    assert slug(text) == made


@given(st.text())
def test_every_slug_is_a_good_name(text: str):
    assert check_name(slug(text)) == slug(text)


def test_a_name_that_is_none_is_told_as_it_was_typed():
    with pytest.raises(Usage) as caught:
        check_name("修复 登录")
    assert caught.value.message == '"修复 登录" is not a name'
