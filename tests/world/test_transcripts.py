"""Reading transcripts: only what is new, never half a line, nothing twice, nothing lost."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from itertools import pairwise
from mmap import mmap
from time import time_ns

import pytest

from leftoff.agents import _claude_log as claude
from leftoff.core.stats import Stats, together
from leftoff.world import bulk, forking, log_reading, transcripts
from support import SOURCE, snapshot
from world.transcript_files import Clients, ask, conversation, ran, say


@pytest.fixture
def clients(tmp_path) -> Clients:
    return Clients(os.path.realpath(tmp_path))


@pytest.fixture
def read_bytes(monkeypatch):
    """How many bytes each call of a reader got."""
    seen: list[int] = []
    feed = claude.feed

    def spy(tally, block):
        seen.append(len(block))
        feed(tally, block)

    monkeypatch.setattr(claude, "feed", spy)
    return seen


def test_a_transcript_that_did_not_change_is_not_read_again(clients, read_bytes):
    clients.write("a", say(1) + say(2))
    first = clients.known()
    before = snapshot(clients.state)
    assert clients.known() == first
    assert len(read_bytes) == 1
    assert snapshot(clients.state) == before
    assert first["a"].stats.tokens.total == 22


def test_of_a_transcript_that_grew_only_the_new_lines_are_read(clients, read_bytes):
    clients.write("a", say(1) + say(2))
    clients.known()
    clients.write("a", say(3), mode="ab")
    assert clients.known()["a"].stats.answers == 3
    assert read_bytes == [len(say(1) + say(2)), len(say(3))]


def test_a_transcript_of_long_ago_that_grows_all_the_same_is_read_anew_once(clients, read_bytes):
    whole = [say(1) + say(2), say(3), say(4)]
    path = clients.write("a", whole[0])
    os.utime(path, ns=(0, time_ns() - log_reading.GROWING - 1))
    clients.known()
    assert not [
        name
        for name in os.listdir(os.path.join(clients.state, "cache"))
        if name.startswith("logs-")
    ]
    for more, answers in zip(whole[1:], (3, 4), strict=True):
        clients.write("a", more, mode="ab")
        assert clients.known()["a"].stats.answers == answers
    assert read_bytes == [len(whole[0]), len(whole[0] + whole[1]), len(whole[2])]


def test_half_a_line_at_the_end_waits_for_its_rest(clients):
    clients.write("a", say(1) + say(2)[:40])
    found = clients.known()["a"].stats
    assert (found.answers, found.skipped) == (1, 0)
    clients.write("a", say(2)[40:], mode="ab")
    found = clients.known()["a"].stats
    assert (found.answers, found.skipped) == (2, 0)


@pytest.mark.parametrize(
    "data", [say(7), say(7) + say(8) + say(9) + say(5)], ids=["truncated", "rewritten"]
)
def test_a_file_that_was_written_anew_is_read_from_its_start(clients, data):
    clients.write("a", say(1) + say(2) + say(3))
    assert clients.known()["a"].stats.answers == 3
    path = clients.write("a", data)
    os.utime(path, ns=(1, 1))
    assert clients.known()["a"].stats.answers == data.count(b"\n")


def test_a_line_changed_in_the_middle_of_a_small_file_is_noticed(clients):
    clients.write("a", say(1) + say(2) + say(3))
    clients.known()
    clients.write("a", say(1) + say(1) + say(3) + say(4))
    assert clients.known()["a"].stats.answers == 3


def test_a_file_moved_into_the_place_of_another_goes_on_where_it_has_the_same_history(
    clients, read_bytes
):
    path = clients.write("a", say(1) + say(2))
    clients.known()
    with open(path + ".new", "wb") as file:
        file.write(say(1) + say(2) + say(3))
    os.replace(path + ".new", path)
    assert clients.known()["a"].stats.answers == 3
    assert read_bytes[-1] == len(say(3))


@pytest.mark.req("D.stat.broken")
def test_a_missing_transcript_gives_zeros_and_a_note(clients):
    path = clients.write("a", say(1))
    logs = transcripts.find(clients.env)
    os.remove(path)
    (found,) = transcripts.read(logs, clients.state)
    assert found.stats == Stats()
    assert found.note == "the transcript is not there"


def test_a_transcript_that_cannot_be_read_is_reported_and_others_are_read(clients):
    path = clients.write("a", say(1))
    clients.write("b", say(2))
    logs = transcripts.find(clients.env)
    os.remove(path)
    os.mkdir(path)
    found = {one.log.session: one for one in transcripts.read(logs, clients.state)}
    assert "cannot be read" in found["a"].note
    assert (found["a"].stats, found["b"].stats.answers) == (Stats(), 1)


@pytest.mark.parametrize("damage", ["remove", "cut", "garble"])
def test_what_is_kept_may_go_or_break_at_any_time(clients, damage):
    clients.write("a", say(1) + say(2))
    first = clients.known()
    cache = os.path.join(clients.state, "cache")
    for name in os.listdir(cache):
        path = os.path.join(cache, name)
        with open(path, "r+b") as file:
            if damage == "cut":
                file.truncate(os.path.getsize(path) // 2)
            elif damage == "garble":
                file.seek(-20, os.SEEK_END)
                file.write(b"\xff" * 20)
        if damage == "remove":
            os.remove(path)
    assert clients.known() == first
    clients.write("a", say(3), mode="ab")
    assert clients.known()["a"].stats.answers == 3


@pytest.mark.parametrize("lost", ["logs.bin", "tallies"])
def test_half_of_what_is_kept_is_as_good_as_none(clients, lost):
    clients.write("a", say(1) + say(2))
    clients.known()
    cache = os.path.join(clients.state, "cache")
    for name in os.listdir(cache):
        if (name == "logs.bin") == (lost == "logs.bin"):
            os.remove(os.path.join(cache, name))
    clients.write("a", say(3), mode="ab")
    assert clients.known()["a"].stats.answers == 3


@pytest.mark.parametrize("cuts", [(1, 2, 3), (2,), (1,), (3,), ()])
def test_a_failure_is_repaired_by_a_later_success_whatever_was_kept_in_between(clients, cuts):
    token = "ghp_" + "a1B2" * 9  # what is kept of such a command differs from the command
    lines = [*ran(1, f"make {token}", error=True), *ran(2, f"make {token}", error=False)]
    for start, end in pairwise((0, *cuts, len(lines))):
        clients.write("a", b"".join(lines[start:end]), mode="ab")
        told = clients.known()["a"].stats.failures
        assert [each.tool for each in told] == ["Bash"] * (2 <= end < 4)
        assert not [each for each in told if token in each.text]
    assert clients.known()["a"].stats.failed == 1


def test_curves_are_left_out_where_nobody_asks(clients):
    clients.write("a", say(1) + say(2))
    assert clients.known(curves=False)["a"].stats.curve == ()
    with_curve = clients.known()["a"].stats
    assert len(with_curve.curve) == 2
    assert clients.known(curves=False)["a"].stats == with_curve._replace(curve=())


def test_no_secret_is_kept(clients):
    token = "ghp_" + "a1B2" * 9
    clients.write("a", ask(1, f"use {token} please"))
    assert token not in clients.known()["a"].stats.asked
    cache = os.path.join(clients.state, "cache")
    for name in os.listdir(cache):
        with open(os.path.join(cache, name), "rb") as file:
            assert token.encode() not in file.read()


def test_what_is_kept_is_the_user_s_alone(clients):
    clients.write("a", say(1))
    clients.known()
    cache = os.path.join(clients.state, "cache")
    assert {os.stat(os.path.join(cache, name)).st_mode & 0o777 for name in os.listdir(cache)} == {
        0o600
    }


def test_a_fork_counts_its_own_part_and_names_its_parent(clients):
    history = ask(1, "first") + say(2) + say(3)
    clients.write("a", history)
    copied = history.replace(b'"sessionId":"s"', b'"sessionId":"b"')
    begun = b'{"type":"queue-operation","timestamp":"2026-11-16T11:00:00.000Z"}\n'
    clients.write("b", begun + copied + ask(200, "second", "b") + say(201, "b"))
    found = clients.known()
    assert found["a"].stats.tokens.total == 22
    own = found["b"].stats
    assert (own.tokens.total, own.prompts, own.asked, own.parent) == (11, 1, "second", "a")
    assert own.context == 10
    clients.write("b", say(202, "b"), mode="ab")
    assert clients.known()["b"].stats.answers == 2
    assert sum(one.stats.tokens.total for one in clients.known().values()) == 44


def test_a_fork_found_before_its_parent_is_put_right_when_that_appears(clients):
    history = say(2) + say(3)
    clients.write("b", history + say(201))
    assert clients.known()["b"].stats.answers == 3
    clients.write("a", history + say(101))
    found = clients.known()
    assert sum(one.stats.answers for one in found.values()) == 4


def test_a_client_s_folder_that_was_copied_elsewhere_counts_there_too(clients):
    """A backup, or another home with the same state: the copies are no forks of the originals."""
    clients.write("a", b"".join(map(say, range(3))))
    before = clients.known()["a"].stats
    elsewhere = os.path.join(clients.home, "elsewhere")
    shutil.copytree(os.path.join(clients.home, ".claude"), elsewhere)
    clients.env["CLAUDE_CONFIG_DIR"] = elsewhere
    assert clients.known()["a"].stats == before


def test_a_fork_that_has_said_nothing_yet_stands_where_its_parent_stood(clients):
    clients.write("a", say(1) + say(2))
    clients.write("b", say(1) + say(2))
    found = clients.known()
    assert (found["b"].stats.answers, found["b"].stats.context) == (0, 10)


def test_several_links_to_a_folder_are_one_folder(clients, tmp_path):
    clients.write("a", say(1))
    projects = os.path.join(clients.home, ".claude", "projects")
    os.symlink(os.path.join(projects, "-repo"), os.path.join(projects, "-link"))
    assert len(transcripts.find(clients.env)) == 1
    os.symlink(os.path.join(clients.home, ".claude"), tmp_path / "elsewhere")
    env = {**clients.env, "CLAUDE_CONFIG_DIR": str(tmp_path / "elsewhere")}
    assert transcripts.find(env) == transcripts.find(clients.env)


def test_a_client_s_own_variable_moves_its_folder(clients, tmp_path):
    clients.write("a", say(1))
    env = {**clients.env, "CLAUDE_CONFIG_DIR": str(tmp_path / "none")}
    assert transcripts.find(env) == []


def test_a_session_has_one_id_everywhere_and_in_its_project_where_a_name_holds_half_of_it(clients):
    ident = "c4a09a66-c4c9-465f-828b-3a378a4ef476"
    told = {"sessionId": ident, "startTime": "2026-11-15T19:15:20.435Z", "directories": ["/repo"]}
    path = os.path.join(
        clients.home, "moved/.gemini/tmp/repo/chats/session-2026-11-15T19-15-c4a09a66.jsonl"
    )
    os.makedirs(os.path.dirname(path))
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(told) + "\n")
    env = {**clients.env, "GEMINI_CLI_HOME": os.path.join(clients.home, "moved")}
    (here,) = transcripts.for_project(env, "/repo", clients.state)
    (there,) = transcripts.find(env)
    assert (here.session, there.session) == (ident, ident)


def test_a_subagent_s_transcript_names_its_session(clients):
    clients.write("agent-7", say(1, isSidechain=True), project="-repo/parent/subagents")
    (log,) = transcripts.find(clients.env)
    assert (log.session, log.parent, log.agent) == ("agent-7", "parent", "claude-code")


def test_only_sessions_that_began_in_a_project_or_below_belong_to_it(clients):
    for name, cwd in {"a": "/repo", "b": "/repo/sub", "c": "/repository", "d": "/other"}.items():
        clients.write(name, b'{"type":"mode"}\n' + ask(1, "x", cwd=cwd))
    found = transcripts.for_project(clients.env, "/repo", clients.state)
    assert sorted(log.session for log in found) == ["a", "b"]
    again = transcripts.for_project(clients.env, "/repo", clients.state)
    assert again == found


def test_two_projects_whose_folders_share_a_name_stay_apart(clients):
    clients.write("a", ask(1, "x", cwd="/a/b_c"), project="-a-b-c")
    clients.write("b", ask(1, "x", cwd="/a/b.c"), project="-a-b-c")
    (found,) = transcripts.for_project(clients.env, "/a/b_c", clients.state)
    assert found.session == "a"


def test_progress_tells_of_bytes_up_to_all_of_them(clients):
    clients.write("a", say(1))
    clients.write("b", say(2))
    told: list[tuple[int, int]] = []
    clients.known(progress=lambda done, whole: told.append((done, whole)))
    assert told[-1][0] == told[-1][1] == len(say(1) + say(2))


# --- much at once -------------------------------------------------------------------------------


@pytest.fixture
def much(monkeypatch):
    """Every reading is a large one."""
    monkeypatch.setattr(log_reading, "MUCH", 1)
    monkeypatch.setattr(bulk, "FOR_TWO", 1)


def test_two_processes_and_the_typed_decoder_find_what_one_plain_reader_finds(
    clients, tmp_path, monkeypatch
):
    pytest.importorskip("msgspec")
    for seed in range(6):
        clients.write(f"s{seed}", conversation(seed, 40))
    plain = clients.known()
    monkeypatch.setattr(log_reading, "MUCH", 1)
    monkeypatch.setattr(bulk, "FOR_TWO", 1)
    monkeypatch.setattr(forking, "pays", lambda: True)
    clients.state = str(tmp_path / "other")
    assert clients.known() == plain
    assert sum(one.stats.answers for one in plain.values()) > 100


def test_a_second_process_that_dies_costs_nothing_but_time(clients, much, monkeypatch):
    for name in "abcd":
        clients.write(name, say(ord(name)))
    monkeypatch.setattr(forking, "pays", lambda: True)
    monkeypatch.setattr(bulk, "_bare", lambda _: os._exit(9))
    assert sum(one.stats.answers for one in clients.known().values()) == 4


def test_where_no_second_process_can_be_had_one_reads_all(clients, much, monkeypatch):
    for name in "abcd":
        clients.write(name, say(ord(name)))

    def refused():
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(forking, "pays", lambda: True)
    monkeypatch.setattr(bulk.os, "fork", refused)
    assert sum(one.stats.answers for one in clients.known().values()) == 4


def test_what_a_second_process_found_before_it_died_is_taken(clients, much, monkeypatch):
    for name in "abcdefgh":
        clients.write(name, say(ord(name)))
    monkeypatch.setattr(forking, "pays", lambda: True)
    monkeypatch.setattr(bulk, "_turns", lambda _: range(8))  # each process reads all of them
    taken = []
    answers = bulk._answers

    def halved(answer):
        os.ftruncate(answer, os.fstat(answer).st_size // 2)
        taken.append(len(found := answers(answer)))
        return found

    monkeypatch.setattr(bulk, "_answers", halved)
    assert sum(one.stats.answers for one in clients.known().values()) == 8
    assert 0 < taken[0] < 8


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (b'"the last"', "the last"),
        (rb'"\u4fdd\ud83d\ude00 \"x\""', '保😀 "x"'),
        (b'"bad \xff byte"', "bad \ufffd byte"),
        (rb'"half \ud800 pair"', "half ? pair"),
        (b"7", "the first"),
        (b"1" * 5000, "the first"),
        (b"null", "the first"),
        (b'" "', "the first"),
        (b'["the last"]', "the first"),
    ],
)
def test_what_was_said_last_is_the_same_by_both_decoders(last, said):
    typed, reader = bulk.typed_feed(), log_reading.reader_of("claude-code")
    if typed is None:
        pytest.skip("msgspec absent")
    line = b'{"type":"assistant","message":{"content":[{"type":"text","text":%s}],"usage":{}}}\n'
    block = line % b'"the first"' + line % last
    tallies = [reader.begin(), reader.begin()]
    with mmap(-1, len(block)) as room:
        room[:] = block
        typed(tallies[0], memoryview(room))
    reader.feed(tallies[1], block)
    assert [reader.stats(tally).said for tally in tallies] == [said, said]


@pytest.mark.parametrize(
    ("model", "when"), [("x", "2026-11-16T00:00:01.000Z"), ("y", "2026-11-15T23:59:59.950Z")]
)
def test_an_answer_over_midnight_is_of_one_day_however_its_lines_are_read(model, when):
    typed, reader = bulk.typed_feed(), log_reading.reader_of("claude-code")
    if typed is None:
        pytest.skip("msgspec absent")
    usage = '{"input_tokens":3,"output_tokens":1}'
    first, second = (
        f'{{"type":"assistant","timestamp":"{at}","requestId":"r","message":'
        f'{{"id":"m","model":"{by}","usage":{usage}}}}}\n'.encode()
        for by, at in (("x", "2026-11-15T23:59:59.900Z"), (model, when))
    )
    found = []
    for feed in (typed, log_reading.plain_feed("claude-code")):
        for blocks in ([first + second], [first, second]):
            tally = reader.begin()
            for block in blocks:
                with mmap(-1, len(block)) as room:
                    room[:] = block
                    feed(tally, memoryview(room))
            found.append(reader.stats(tally).spent)
    assert found == [{("2026-11-15", "x", 0): (3, 1, 0, 0, 0)}] * 4


def test_msgspec_is_loaded_without_a_module_that_it_can_do_without():
    pytest.importorskip("msgspec")
    code = (
        "import sys; from leftoff.world.bulk import typed_feed; assert typed_feed();"
        "assert 'typing_extensions' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": SOURCE}, timeout=60)
    assert done.returncode == 0


def test_without_msgspec_the_plain_reader_serves(clients, much, monkeypatch):
    monkeypatch.setattr(bulk, "typed_feed", lambda: None)
    clients.write("a", conversation(1, 20))
    clients.write("b", say(2))
    assert clients.known()["b"].stats.answers == 1


def test_blocks_end_with_lines_whatever_their_size(clients, monkeypatch):
    data = conversation(3, 30)
    clients.write("a", data)
    whole = clients.known()
    monkeypatch.setattr(log_reading, "BLOCK", 64)
    clients.state += "-small"
    assert clients.known() == whole


def test_a_line_too_long_to_be_read_is_skipped_and_the_rest_counts(clients, monkeypatch):
    monkeypatch.setattr(log_reading, "BLOCK", 256)
    monkeypatch.setattr(log_reading, "LONGEST_LINE", 1024)
    clients.write("a", say(1) + ask(2, "x" * 5000) + say(3) + b"y" * 5000)
    found = clients.known()["a"].stats
    assert (found.answers, found.prompts, found.skipped) == (2, 0, 1)


def test_one_line_of_thirteen_megabytes_counts_as_any_other(clients):
    long = "x" * 13_000_000
    clients.write("a", say(1) + ask(2, long) + say(3))
    found = clients.known()["a"].stats
    assert (found.answers, found.prompts, found.skipped) == (2, 1, 0)
    assert len(found.asked) == 400


def test_thousands_of_queue_lines_leave_nothing_behind(clients):
    queue = b'{"type":"queue-operation","operation":"enqueue","content":"x"}\n'
    clients.write("a", say(1) + queue * 23_740)
    found = clients.known()["a"].stats
    assert (found.lines, found.unknown, found.prompts) == (23_741, {}, 0)
    cache = os.path.join(clients.state, "cache")
    assert sum(os.path.getsize(os.path.join(cache, name)) for name in os.listdir(cache)) < 8192


def test_the_sum_of_a_session_and_its_subagents_keeps_the_conversation_of_the_main_one(clients):
    clients.write("a", ask(1, "main") + say(2))
    clients.write("agent-1", say(3, isSidechain=True), project="-repo/a/subagents")
    found = clients.known()
    both = together(found["a"].stats, [found["agent-1"].stats])
    assert (both.tokens.total, both.answers, both.prompts, both.context) == (22, 2, 1, 10)


def test_when_nothing_is_new_no_reader_and_no_decoder_is_loaded(clients):
    clients.write("a", say(1))
    clients.known()
    program = f"""
import sys
sys.path.insert(0, {SOURCE!r})
from leftoff.world import transcripts
found = transcripts.read(transcripts.find({clients.env!r}), {clients.state!r})
print(bool(found), *sys.modules)
"""
    argv = [sys.executable, "-I", "-S", "-c", program]
    done = subprocess.run(argv, check=True, capture_output=True, encoding="utf-8")
    found, *modules = done.stdout.split()
    assert found == "True"
    unwanted = {"json", "msgspec", "typing", "re", "mmap", "hashlib", "datetime", "sqlite3"}
    assert not unwanted & set(modules)
    assert not [name for name in modules if name.endswith("_log") or "log_reading" in name]
