"""What the readers of transcripts share."""

from __future__ import annotations

from typing import Any

import pytest

from leftoff.agents import _log_parts as parts
from leftoff.core import tally as t


def test_a_line_that_a_reader_cannot_take_is_skipped_and_the_others_are_not() -> None:
    seen = []

    def take(_tally: Any, line: dict[str, Any]) -> None:
        seen.append(line["at"] + 1)

    tally = t.begin()
    parts.feed_lines(tally, b'{"at": 1}\n{"at": "x"}\n{}\n{"at": 2}\n', take)
    assert seen == [2, 3]
    assert (tally["lines"], tally["skipped"]) == (4, 2)


def test_a_line_ends_at_a_newline_alone() -> None:
    tally = t.begin()
    seen: list[Any] = []
    block = '{"a": "\u2028\x85\x0b"}\r\n{"a": "\0"}\n'.encode()
    parts.feed_lines(tally, block, lambda _, line: seen.append(line["a"]))
    assert seen == ["\u2028\x85\x0b", "\0"]
    assert tally["skipped"] == 0


@pytest.mark.parametrize(
    ("told", "command"),
    [
        ("make test", "make test"),
        (["bash", "-lc", "make test"], "make test"),
        (["/bin/sh", "-c", "make"], "make"),
        (["ls", "-l", "src"], "ls -l src"),
        (["ls", "-l"], "ls -l"),
        (["env", "-c", "x", "y"], "env -c x y"),
        ([1, None], ""),
        (7, ""),
    ],
)
def test_a_command_is_one_text_whichever_way_it_is_given(told: Any, command: str) -> None:
    assert parts.command_of({"command": told}, "cmd", "command") == command


@pytest.mark.parametrize(
    ("told", "seconds"),
    [(1500, 1.5), (1500.5, 1.5005), (0, 0.0), (-1, 0.0), (1e15, 0.0), ("1", 0.0), (None, 0.0)],
)
def test_milliseconds_become_seconds_and_anything_else_no_time(told: Any, seconds: float) -> None:
    assert parts.millis({"at": told}, "at") == seconds


def test_a_path_is_absolute_where_the_folder_is_known() -> None:
    assert parts.absolute("a.py", "/repo/") == "/repo/a.py"
    assert parts.absolute("./a.py", "/repo") == "/repo/a.py"
    assert parts.absolute("/x/a.py", "/repo") == "/x/a.py"
    assert parts.absolute("a.py", "") == "a.py"


def test_arguments_are_an_object_or_a_text_of_one() -> None:
    assert parts.arguments_of({"arguments": '{"x": 1}'}) == {"x": 1}
    assert parts.arguments_of({"arguments": {"x": 1}}) == {"x": 1}
    assert parts.arguments_of({"arguments": "{"}) == {}
    assert parts.arguments_of({"arguments": "[1]"}) == {}


def test_what_calls_say_that_nobody_answers_does_not_pile_up() -> None:
    tally = t.begin()
    for call in map(str, range(2000)):
        t.called(tally, call, "sql")
        parts.hold(tally, call, "query")
    assert len(tally["waiting"]) <= 512
    parts.hold(t.begin(), "x", "query")
    assert parts.held(tally, "x") is None
