"""A payload that did not come in one piece, and what a failure says: called here, on a pipe."""

from __future__ import annotations

import json
import os
from errno import ENOSPC

import pytest

from leftoff.entry._hook_failure import Unusable, what
from leftoff.entry._hook_stdin import rest
from leftoff.errors import Busy

LARGEST = 1 << 10


class Whole:
    """Tells an object of JSON from a part of one, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[bytes, str]] = []

    def __call__(self, data: bytes, errors: str = "strict") -> dict[str, object] | None:
        self.asked.append((data, errors))
        try:
            found: dict[str, object] = json.loads(data.decode("utf-8", errors))
        except ValueError:
            return None
        return found


@pytest.fixture
def whole():
    return Whole()


@pytest.fixture
def writer():
    """The other end of our stdin."""
    before = os.dup(0)
    reader, end = os.pipe()
    os.dup2(reader, 0)
    os.close(reader)
    with open(end, "wb", buffering=0) as file:
        yield file
    os.dup2(before, 0)
    os.close(before)


def test_an_object_in_pieces_is_whole_though_its_writer_stays(writer, whole):
    writer.write(b' {}, "b": 1}')
    assert rest(b'{"a":', whole, 60, LARGEST) == {"a": {}, "b": 1}
    assert whole.asked == [(b'{"a": {}, "b": 1}', "strict")]


def test_a_piece_that_ends_like_an_object_is_tried_only_where_nothing_follows(writer, whole):
    writer.write(b', "b": 1}\n')
    assert rest(b'{"a": {}', whole, 60, LARGEST) == {"a": {}, "b": 1}
    assert whole.asked == [(b'{"a": {}, "b": 1}\n', "strict")]


def test_what_ends_like_an_object_and_is_none_is_waited_for_once_more(writer, whole):
    with pytest.raises(Unusable, match=r"^the payload is not a whole object$"):
        rest(b'{"a": {}', whole, 0, LARGEST)
    assert whole.asked == [(b'{"a": {}', "strict"), (b'{"a": {}', "replace")]


def test_a_writer_that_rests_in_the_middle_is_left(writer, whole):
    with pytest.raises(Unusable, match="not a whole object"):
        rest(b'{"a', whole, 0, LARGEST)
    assert whole.asked == [(b'{"a', "replace")]


def test_where_the_writer_is_gone_bytes_that_are_no_text_are_replaced(writer, whole):
    writer.write(b'\xff"}')
    writer.close()
    assert rest(b'{"a": "', whole, 60, LARGEST) == {"a": "\ufffd"}
    assert whole.asked[-1] == (b'{"a": "\xff"}', "replace")


def test_a_payload_may_be_as_long_as_is_said_and_no_longer(writer, whole):
    begin, end = b'{"a":"', b'"}'
    fits = b"x" * (LARGEST - len(begin + end))
    writer.write(fits + end)
    assert rest(begin, whole, 60, LARGEST) == {"a": fits.decode()}
    writer.write(fits + b"x" + end)
    with pytest.raises(Unusable, match=r"^the payload is too long$"):
        rest(begin, whole, 60, LARGEST)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (Unusable("there is no such event"), "Unusable: there is no such event ()"),
        (ValueError("a prompt of the user"), "ValueError: - ()"),
        (OSError(ENOSPC, "a path"), f"OSError: {os.strerror(ENOSPC)} ()"),
        (OSError("a path"), "OSError: - ()"),
    ],
)
def test_a_failure_says_its_kind_and_the_systems_words_and_quotes_nobody(error, said):
    assert what(error) == said


def test_a_failure_says_what_the_system_told_whoever_told_us():
    error = Busy("a path is locked")
    error.__cause__ = OSError(ENOSPC, "a path")
    assert what(error) == f"Busy: {os.strerror(ENOSPC)} ()"


def test_a_failure_says_which_line_of_ours_was_reached_last(writer, whole):
    with pytest.raises(Unusable) as raised:
        rest(b"{", whole, 0, LARGEST)
    assert what(raised.value).startswith(
        "Unusable: the payload is not a whole object (entry/_hook_stdin"
    )
    assert what(raised.value).endswith(" rest)")
