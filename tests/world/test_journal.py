"""A journal survives its writers: torn lines, full disks, two processes at once, growth."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from stat import S_IMODE

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leftoff.errors import LeftoffError, Usage
from leftoff.world import journal, now_file
from leftoff.world.journal import AT_ONCE, all_in, append, keep_small, last_context, path, read
from support import snapshot

ME = ("claude-code", "11111111-1111-4111-8111-111111111111")


@pytest.fixture
def state(tmp_path) -> str:
    return os.path.join(tmp_path, "state")


def keys(state: str) -> list[str]:
    return [line["key"] for line in read(path(state, *ME)).lines]


def write(state: str, data: bytes) -> str:
    target = path(state, *ME)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as file:
        file.write(data)
    return target


def test_what_was_appended_is_read_in_order_with_all_it_says(state):
    assert append(
        state, *ME, {"at": 10.1234, "event": "start", "key": "a", "root": "/断点", "v": 1}
    )
    assert append(state, *ME, {"event": "prompt", "key": "b", "context": 7})
    start, prompt = read(path(state, *ME)).lines
    expected = {"at": 10.123, "event": "start", "key": "a", "by": "", "root": "/断点", "v": 1}
    assert {**start, "by": ""} == expected
    assert prompt["context"] == 7
    assert prompt["at"] > 10


def test_it_is_the_users_alone(state):
    append(state, *ME, {"event": "start"})
    target = path(state, *ME)
    assert S_IMODE(os.stat(target).st_mode) == 0o600
    assert S_IMODE(os.stat(os.path.dirname(target)).st_mode) == 0o700


def test_the_same_event_told_twice_counts_once_and_the_second_teller_knows(state):
    assert append(state, *ME, {"at": 100, "event": "stop", "key": "a"})
    assert not append(state, *ME, {"at": 101, "event": "stop", "key": "a"})
    assert append(state, *ME, {"at": 101, "event": "prompt", "key": "a"})
    assert append(state, *ME, {"at": 200, "event": "stop", "key": "a"})
    assert [line["at"] for line in read(path(state, *ME)).lines] == [100, 101, 200]


def test_lines_without_a_key_all_count(state):
    assert all(append(state, *ME, {"at": 1, "event": "note", "text": "x"}) for _ in range(3))
    assert len(read(path(state, *ME)).lines) == 3


def test_of_many_that_tell_an_event_at_once_one_is_first(state):
    line = {"event": "prompt", "key": "a"}
    with ThreadPoolExecutor(16) as pool:
        told = list(pool.map(lambda _: append(state, *ME, line), range(64)))
    assert told.count(True) == 1
    assert keys(state) == ["a"]


LINES = st.lists(
    st.tuples(
        st.sampled_from(["start", "prompt", "stop"]),
        st.sampled_from(["", "a", 'b"},{"', "断"]),
        st.integers(0, 100),
    ),
    max_size=8,
)


@given(LINES)
def test_a_writer_is_told_exactly_what_readers_will_think(tmp_path_factory, lines):
    state = os.fspath(tmp_path_factory.mktemp("j"))
    told = [
        append(state, *ME, {"at": float(at), "event": event, "key": key, "n": number})
        for number, (event, key, at) in enumerate(lines)
    ]
    kept = [line["n"] for line in read(path(state, *ME)).lines]
    assert kept == [number for number, counts in enumerate(told) if counts]


@given(st.integers(0, 400), st.binary(max_size=12))
def test_a_journal_torn_at_any_byte_loses_one_line_at_most(tmp_path_factory, cut, junk):
    state = os.fspath(tmp_path_factory.mktemp("j"))
    for key in "abc":
        append(state, *ME, {"event": "prompt", "key": key, "text": "断点"})
    target = path(state, *ME)
    with open(target, "rb") as file:
        data = file.read()
    write(state, data[:cut] + junk)
    whole = data[:cut].count(b"\n")
    assert append(state, *ME, {"event": "stop", "key": "z"})
    assert keys(state)[:whole] == list("abc")[:whole]
    assert keys(state)[-1] == "z"


STRANGE = [b"[]", b"7", b"{}", b'{"at":1}', b'{"at":"x","event":"stop"}', b"\xff", b'{"at":null}']


@pytest.mark.parametrize("line", STRANGE)
def test_what_is_no_line_of_a_journal_is_skipped_and_counted(state, line):
    target = write(state, line + b'\n\n{"at":1,"event":"stop","key":"k"}\n')
    assert (len(read(target).lines), read(target).skipped) == (1, 1)


def test_an_event_in_a_torn_line_is_not_counted_by_its_next_teller(state):
    append(state, *ME, {"at": 1, "event": "stop", "key": "k", "failed": "x"})
    target = path(state, *ME)
    os.truncate(target, os.path.getsize(target) - 4)
    assert append(state, *ME, {"at": 2, "event": "stop", "key": "k"})
    assert [line["at"] for line in read(target).lines] == [2]


def test_an_earlier_telling_is_found_behind_a_long_line(state):
    append(state, *ME, {"at": 1, "event": "stop", "key": "k"})
    assert not append(state, *ME, {"at": 1, "event": "stop", "key": "k", "text": "x" * 60_000})


def test_a_line_of_absurd_length_is_refused_and_leaves_nothing(state):
    append(state, *ME, {"event": "start"})
    before = snapshot(state)
    with pytest.raises(ValueError, match="too long"):
        append(state, *ME, {"event": "note", "text": "x" * 70_000})
    assert snapshot(state) == before


BAD_IDS = ["", "..", ".", "a/b", "/a", "-a", "a\0", ".hidden", "x" * 121, "a b", "\ud800", "a\n"]


@pytest.mark.parametrize("session", BAD_IDS)
def test_an_id_that_is_no_name_is_refused_before_anything_is_written(state, session):
    for write_it in (
        lambda: append(state, ME[0], session, {"event": "start"}),
        lambda: append(state, session, ME[1], {"event": "start"}),
        lambda: now_file.write(state, ME[0], session, {}),
    ):
        with pytest.raises(Usage):
            write_it()
    assert not os.path.exists(state)


@pytest.mark.parametrize("session", ["ses_0f.1-2", "断点", "a", "0"])
def test_an_id_of_another_client_is_taken(state, session):
    assert append(state, "opencode", session, {"event": "start"})
    assert [found[:2] for found in all_in(state)] == [("opencode", session)]


def test_a_folder_that_cannot_be_made_is_told_in_plain_words(tmp_path):
    state = os.path.join(tmp_path, "file")
    with open(state, "w", encoding="utf-8"):
        pass
    with pytest.raises(LeftoffError, match=r"cannot (create|write)"):
        append(state, *ME, {"event": "start"})


def test_a_link_in_the_place_of_a_journal_is_not_followed(state, tmp_path):
    target = write(state, b"")
    os.remove(target)
    os.symlink(os.path.join(tmp_path, "elsewhere"), target)
    with pytest.raises(LeftoffError):
        append(state, *ME, {"event": "start"})
    assert not os.path.exists(os.path.join(tmp_path, "elsewhere"))


def test_a_journal_that_grew_goes_on_in_a_new_file_and_is_read_whole(state, monkeypatch):
    monkeypatch.setattr(journal, "LARGEST", 400)
    append(state, *ME, {"event": "start", "key": "s", "root": "/repo"})
    expected = ["s"]
    for number in range(12):
        append(state, *ME, {"event": "prompt", "key": f"p{number}"})
        expected.append(f"p{number}")
        keep_small(state, *ME)
        assert keys(state) == expected
        assert os.path.getsize(path(state, *ME)) <= 400
    with open(path(state, *ME), encoding="utf-8") as file:
        assert json.loads(file.readline())["root"] == "/repo"
    assert [found[1] for found in all_in(state)] == [ME[1]]
    assert len(os.listdir(os.path.dirname(path(state, *ME)))) > 3


def test_what_a_hook_still_writes_into_the_old_file_is_read(state, monkeypatch):
    monkeypatch.setattr(journal, "LARGEST", 10)
    append(state, *ME, {"event": "start", "key": "s"})
    with open(path(state, *ME), "a", encoding="utf-8") as held:
        assert keep_small(state, *ME)
        held.write('{"at":1,"event":"prompt","key":"late"}\n')
    assert keys(state) == ["s", "late"]


def test_a_missing_journal_is_an_empty_one(state):
    assert read(path(state, *ME)).lines == ()
    assert list(all_in(state)) == []
    assert not keep_small(state, *ME)


def test_what_is_left_for_the_hooks_is_read_back_and_replaced_whole(state):
    assert now_file.read(state, *ME) is None
    now_file.write(state, *ME, {"root": "/断点", "watch": now_file.watched(["/", "/nowhere"])})
    left = now_file.read(state, *ME)
    assert left["root"] == "/断点"
    assert left["watch"][1] == ["/nowhere", 0]
    assert not now_file.is_old(left)
    now_file.write(state, *ME, {"root": "/b"})
    assert now_file.read(state, *ME) == {"v": 1, "root": "/b"}
    assert os.listdir(os.path.join(state, "sessions", ME[0])) == [f"{ME[1]}.now"]


def test_a_changed_a_new_and_a_removed_file_make_it_old(state, tmp_path):
    path = os.path.join(tmp_path, "settings")
    missing = {"watch": now_file.watched([path])}
    with open(path, "w", encoding="utf-8"):
        pass
    there = {"watch": now_file.watched([path])}
    assert now_file.is_old(missing)
    assert not now_file.is_old(there)
    os.utime(path, ns=(1, 1))
    assert now_file.is_old(there)
    os.remove(path)
    assert now_file.is_old(there)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"v":2}', b"\xff"])
def test_a_broken_or_strange_file_counts_as_missing(state, data):
    now_file.write(state, *ME, {})
    with open(path(state, *ME, ".now"), "wb") as file:
        file.write(data)
    assert now_file.read(state, *ME) is None


def test_the_longest_line_is_taken_and_no_longer_one(state, monkeypatch):
    line = {"at": 100, "event": "stop", "key": "a"}
    append(state, *ME, line)
    size = os.path.getsize(path(state, *ME))
    monkeypatch.setattr(journal, "LONGEST_LINE", size)
    append(state, *ME, line)
    with pytest.raises(ValueError, match="too long"):
        append(state, *ME, {**line, "key": "ab"})
    assert os.path.getsize(path(state, *ME)) == 2 * size


def test_a_second_session_is_the_users_alone_too(state):
    append(state, *ME, {"event": "start"})
    append(state, ME[0], "other", {"event": "start"})
    assert S_IMODE(os.stat(path(state, ME[0], "other")).st_mode) == 0o600


def test_a_disk_without_room_is_told(state, monkeypatch):
    append(state, *ME, {"event": "start"})
    write = journal.posix.write
    monkeypatch.setattr(journal.posix, "write", lambda fd, data: write(fd, data[:9]))
    with pytest.raises(LeftoffError):
        append(state, *ME, {"event": "stop"})
    assert [line["event"] for line in read(path(state, *ME)).lines] == ["start"]


def test_an_event_is_the_same_for_a_while_from_its_last_telling_that_counted(state):
    def told(at: float) -> bool:
        return append(state, *ME, {"at": at, "event": "stop", "key": "a"})

    assert told(1000)
    assert not told(1000 + AT_ONCE)
    assert told(1001 + AT_ONCE)
    assert not told(1002 + AT_ONCE)
    assert [line["at"] for line in read(path(state, *ME)).lines] == [1000, 1001 + AT_ONCE]


def test_the_last_context_is_that_of_the_newest_line_that_could_tell(state):
    assert last_context(state, *ME) == 0
    append(state, *ME, {"event": "start", "n": 1})
    assert last_context(state, *ME) == 0
    for context in (5, 7, 0, None):
        append(state, *ME, {"event": "stop", "context": context, "window": 9, "size": 8})
        assert last_context(state, *ME) == (context or 7)


def test_a_line_of_the_first_second_of_all_is_one(state):
    target = write(state, b'{"at":0,"event":"start"}\n')
    assert len(read(target).lines) == 1


def test_all_journals_are_found_in_order_and_nothing_else(state):
    found = [
        (agent, session) for agent in ("a", "b", "codex", "d") for session in ("a.b", *"cdefg")
    ]
    for one in (*found[::2], *found[::-2], ("codex", "a.b.1")):
        append(state, *one, {"event": "start"})
    for name in ("aaa", "codex/x.now", "codex/xx.ctx"):  # one that stands before the folders
        with open(os.path.join(state, "sessions", name), "w", encoding="utf-8"):
            pass
    assert [*all_in(state)] == [(*one, path(state, *one)) for one in found]
    assert [*all_in(os.path.join(state, "none"))] == []


def test_a_journal_is_put_aside_only_where_it_is_too_large(state, monkeypatch):
    assert not keep_small(state, *ME)
    append(state, *ME, {"event": "prompt", "n": 1})
    append(state, *ME, {"event": "start", "n": 2})
    size = os.path.getsize(path(state, *ME))
    monkeypatch.setattr(journal, "LARGEST", size)
    assert not keep_small(state, *ME)
    monkeypatch.setattr(journal, "LARGEST", size - 1)
    taken, free = (path(state, *ME, f".{number}.jsonl") for number in (1, 2))
    os.symlink("/nowhere", taken)  # a name that is not free, though nothing is there
    assert keep_small(state, *ME)
    assert os.path.getsize(free) == size
    assert [line["n"] for line in read(path(state, *ME)).lines] == [2]


def test_the_second_teller_knows_also_where_what_it_reads_begins_within_a_line(state):
    """The part that is read may begin at the very mark that is looked for."""

    def told(by: str, **more: str) -> bytes:
        line = {"at": 100.0, "event": "stop", "key": "a", "by": by, **more}
        return json.dumps(line, separators=(",", ":")).encode() + b"\n"

    torn, first, ours = told("x"), told("them"), told("us")
    begun = torn.index(b'"event"')
    room = journal._TAIL - len(torn) + begun - len(first) - len(b'{"note":""}\n')
    between = b'{"note":"' + b"-" * room + b'"}\n'
    target = write(state, b"\n" * 500 + torn + first + between + ours)
    fd = os.open(target, os.O_RDONLY)
    try:
        assert not journal._counts(fd, "stop", "a", "us", len(ours))
        assert journal._counts(fd, "stop", "a", "them", len(ours))
    finally:
        os.close(fd)
