"""Names: what is shown of a wrong one, and what any text becomes."""

from __future__ import annotations

import pytest

from leftoff.core.ids import LONGEST, check_name, is_name, slug, start_of
from leftoff.errors import Usage


@pytest.mark.parametrize(
    ("name", "shown"),
    [("", "(empty)"), ("a/b", "a/b"), ("-" + "x" * 80, "-" + "x" * 59), ("\u202ex", "\\u202ex")],
)
def test_a_wrong_name_is_shown_short_and_harmless(name, shown):
    with pytest.raises(Usage) as found:
        check_name(name, "thread")
    assert str(found.value) == f'"{shown}" is not a thread'


def test_a_name_is_as_long_as_it_may_be_in_bytes():
    assert is_name("x" * LONGEST)
    assert not is_name("x" * (LONGEST + 1))
    assert not is_name("é" * (LONGEST // 2 + 1))
    assert check_name("v1.2_x-y") == "v1.2_x-y"
    assert not is_name("x.")


@pytest.mark.parametrize(
    ("session", "start"),
    [
        ("4a5bcd93-b100-4253-9b84-1c770f72bc2c", "4a5bcd93"),
        ("01a1ef13-63b0-7d63-9334-b071b0cadc13", "01a1ef13-63b0"),
        ("01a1ef13063b0-7d63-9334-b071b0cadc13", "01a1ef13"),
        ("ses_e10ec47c2ffehBkT3dBBcbF7sU", "ses_e10ec47c2ffe"),
        ("short", "short"),
    ],
)
def test_a_session_is_named_by_as_much_of_its_id_as_no_other_has(session, start):
    assert start_of(session) == start


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Fix  the: Login!", "fix-the-login"),
        ("-.x.-", "x"),
        ("x._ y", "x._-y"),
        ("...", "work"),
        ("..." + "x" * 60, "x" * 60),
        ("x" * 61, "x" * 60),
        ("é" * 31, "é" * 30),
        ("x" + "é" * 30, "x" + "é" * 29),
        ("x" * 59 + "-y", "x" * 59),
        ("y" * 58 + "..z", "y" * 58),
    ],
)
def test_any_text_becomes_a_name_of_at_most_sixty_bytes(text, made):
    assert slug(text) == made
    assert slug("", "fallback") == "fallback"
