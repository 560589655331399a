"""The law of every reader of transcripts that is there: how a file is split does not matter.

A file that grows is read in parts, and what was counted is kept between them; that must come to
the same as one reading, whatever lines the file has. Bad lines change nothing but their own count.
"""

from __future__ import annotations

import json
import marshal
import os
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leftoff import agents
from leftoff.core import tally as counting
from leftoff.core.redact import redacted
from leftoff.core.stats import Stats
from leftoff.world.bulk import typed_feed
from support import ROOT

_FOLDER = os.path.join(ROOT, "src", "leftoff", "agents")
READERS = sorted(name[:-3] for name in os.listdir(_FOLDER) if name.endswith("_log.py"))
CLIENTS = {
    "_claude_log": ("claude", "transcript-", ".jsonl"),
    "_codex_log": ("codex", "rollout-", ".jsonl"),
    "_gemini_log": ("gemini", "chat-", ".jsonl"),
    "_copilot_log": ("copilot", "events-", ".jsonl"),
}
each = pytest.mark.parametrize("reader", READERS)
# Five readers and long files: the short profile must stay short on two cores.
some = settings(max_examples=settings().max_examples // 5)

GARBAGE = (
    b"",
    b"  ",
    b"\xff\xfe\x00",
    b'{"type":',
    b"[]",
    b"null",
    b'"text"',
    b'{"a":' + b"[" * 5000,
    b"\x00" * 40,
    b'{"type":"assistant"',
)
# No client writes these words, so that each such line is of an unknown kind, or none at all.
ODD = st.sampled_from(
    [
        '{"type":"zz","text":"line\u2028and\u2029and\x85end"}'.encode(),
        b'{"type":"zz","text":"\\ud800 alone"}',
        b'{"type":"zz","text":"bad \xff byte"}',
        b'{"type":"zz","text":"\x00 and \x1f"}',
        b'{"type":["zz"],"message":7,"payload":[],"data":null,"timestamp":{}}',
        b'{"type":"zz","timestamp":"2026-99-99T99:99:99.999Z"}',
    ]
)


def reader_named(name: str) -> Any:
    return __import__(f"leftoff.agents.{name}", fromlist=["feed"])


@cache
def real_lines(name: str) -> tuple[bytes, ...]:
    """Lines of real transcripts of the client; none where the samples are absent."""
    client, start, end = CLIENTS.get(name, ("", "", ""))
    folder = os.path.join(os.path.dirname(ROOT), "shared", "clients", "fixtures", client)
    if not client or not os.path.isdir(folder):
        return ()
    found: list[bytes] = []
    for file in sorted(os.listdir(folder)):
        if file.startswith(start) and file.endswith(end):
            with open(os.path.join(folder, file), "rb") as opened:
                found += opened.read().split(b"\n")
    return tuple(line for line in found if line)


WORDS = st.sampled_from(
    [
        *("assistant", "user", "system", "attachment", "tool_use", "tool_result", "text", "Bash"),
        *(
            "Edit",
            "TodoWrite",
            "TaskCreate",
            "TaskUpdate",
            "completed",
            "git commit -m x",
            "1",
            "2",
        ),
        *(
            "compact_boundary",
            "event_msg",
            "response_item",
            "session_meta",
            "token_count",
            "gemini",
        ),
        *(
            "2026-11-16T10:00:00.000Z",
            "2026-11-16T09:59:59.999Z",
            "2026-11-16T10:00:00+02:00",
            "soon",
        ),
        *("", "half \ud800 pair", "<leftoff id=1>x</leftoff>", "<leftoff id=2>open", "/repo/a.py"),
    ]
)
NAMES = st.sampled_from(
    [
        *(
            "type",
            "role",
            "subtype",
            "timestamp",
            "message",
            "content",
            "usage",
            "input",
            "id",
            "name",
        ),
        *(
            "tool_use_id",
            "is_error",
            "model",
            "requestId",
            "isSidechain",
            "isMeta",
            "sessionId",
            "cwd",
        ),
        *("command", "file_path", "todos", "status", "subject", "taskId", "text", "input_tokens"),
        *("output_tokens", "cache_read_input_tokens", "attachment", "durationMs", "hookEvent"),
        *(
            "compactMetadata",
            "postTokens",
            "hookInfos",
            "payload",
            "info",
            "total_token_usage",
            "data",
        ),
        *("messages", "$set", "tokens", "toolCalls", "parts", "state", "time", "created", "event"),
    ]
)
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 10**12), st.floats(allow_nan=False), WORDS
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=12,
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=7)


@st.composite
def answers(draw: st.DrawFn) -> dict[str, Any]:
    """Lines of the shape that Claude Code writes, with anything in their places."""
    block = st.fixed_dictionaries(
        {"type": WORDS},
        optional={
            "id": WORDS,
            "name": WORDS,
            "text": WORDS,
            "tool_use_id": WORDS,
            "is_error": st.booleans() | st.none(),
            "input": OBJECTS,
        },
    )
    usage = st.dictionaries(NAMES, st.integers(0, 9) | st.none() | st.just(2.0), max_size=4)
    message = st.fixed_dictionaries(
        {},
        optional={
            "id": WORDS,
            "model": WORDS,
            "usage": usage,
            "content": WORDS | st.lists(block, max_size=3),
        },
    )
    kinds = st.sampled_from(["assistant", "user", "system", "attachment"])
    fixed = {"type": kinds, "timestamp": WORDS, "message": message}
    return draw(st.fixed_dictionaries(fixed, optional={"requestId": WORDS, "origin": OBJECTS}))


def lines_for(name: str) -> st.SearchStrategy[list[bytes]]:
    made = (OBJECTS | answers()).map(lambda told: json.dumps(told).encode())
    some = [made, ODD, st.sampled_from(GARBAGE)]
    if real := real_lines(name):
        some.append(st.sampled_from(real))
    return st.lists(st.one_of(some), max_size=25)


def fed(reader: Any, blocks: list[Any], *, kept: bool = False, feed: Any = None) -> Stats:
    """The statistics of blocks; `kept` in between as the cache keeps them."""
    tally = reader.begin()
    for block in blocks:
        (feed or reader.feed)(tally, block)
        if kept:
            counting.settle(tally)
            tally.update(redacted({name: tally[name] for name in counting.TEXTS}))
            tally = marshal.loads(marshal.dumps(tally))
    return reader.stats(tally)


def whole(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


@each
@some
@given(st.data())
def test_in_any_split_a_file_comes_to_the_same(reader: str, data: st.DataObject):
    module = reader_named(reader)
    lines = data.draw(lines_for(reader))
    cuts = data.draw(st.lists(st.integers(0, len(lines)), max_size=4).map(sorted))
    bounds = zip([0, *cuts], [*cuts, len(lines)], strict=True)
    parts = [whole(lines[start:end]) for start, end in bounds]
    assert fed(module, parts, kept=True) == fed(module, [whole(lines)])


@each
@some
@given(st.data())
def test_lines_that_are_no_objects_change_nothing_but_their_count(reader: str, data: st.DataObject):
    module = reader_named(reader)
    lines = data.draw(lines_for(reader))
    at = data.draw(st.integers(0, len(lines)))
    worse = [*lines[:at], *GARBAGE, *lines[at:]]
    one, other = fed(module, [whole(lines)]), fed(module, [whole(worse)])
    assert other.skipped == one.skipped + len(GARBAGE)
    assert other.lines == one.lines + len(GARBAGE)
    assert other._replace(skipped=0, lines=0) == one._replace(skipped=0, lines=0)


@each
@some
@given(st.data())
def test_whatever_a_file_holds_its_statistics_can_be_kept_and_written(
    reader: str, data: st.DataObject
):
    module = reader_named(reader)
    found = fed(module, [whole(data.draw(lines_for(reader)))])
    assert json.dumps(found._replace(spent=[*found.spent.items()])).encode()
    assert marshal.dumps(found.spent)  # by model and day: keys that JSON has no place for
    texts = (found.asked, found.last_asked, found.said, found.title, *found.files, *found.tools)
    for text in texts:
        assert text.encode() is not None
    assert all(len(text) <= 400 for text in texts[:4])
    assert len(found.curve) <= counting.POINTS


@pytest.mark.parametrize("reader", [name for name in READERS if name in CLIENTS])
@pytest.mark.shared
def test_real_transcripts_come_to_the_same_line_by_line(reader: str):
    lines = real_lines(reader)
    if not lines:
        pytest.skip("samples absent")
    module = reader_named(reader)
    apart = [line + b"\n" for line in lines]
    assert fed(module, apart, kept=True) == fed(module, [b"".join(apart)])


@some
@given(lines_for("_claude_log"))
def test_the_typed_decoder_counts_as_the_plain_one_does(lines: list[bytes]):
    typed = typed_feed()
    if typed is None:
        pytest.skip("msgspec absent")
    module = reader_named("_claude_log")
    assert fed(module, [memoryview(whole(lines))], feed=typed) == fed(module, [whole(lines)])


@pytest.mark.shared
def test_the_typed_decoder_counts_real_transcripts_as_the_plain_one_does():
    lines = real_lines("_claude_log")
    typed = typed_feed()
    if not lines or typed is None:
        pytest.skip("samples or msgspec absent")
    module = reader_named("_claude_log")
    found = fed(module, [memoryview(whole([*lines]))], feed=typed)
    assert found == fed(module, [whole([*lines])])
    assert found.answers > 10


def test_every_adapter_s_reader_is_held_to_the_law():
    named = {agents.load(name).LOGS.reader for name in agents.names()} - {""}
    assert named == set(READERS)
