"""The archive is interrupted, runs out of room, meets a huge file: nothing archived is ever lost."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
from functools import partial

import pytest

from killing import killed_at
from leftoff.world import archive, archive_copy, log_reading, transcripts
from leftoff.world.files import write_atomic
from support import SOURCE
from world.transcript_files import Clients, conversation, say

NOW = 1_800_000_000.0
ID = "0000000a-0000-4000-8000-000000000001"


@pytest.fixture
def clients(tmp_path, monkeypatch) -> Clients:
    monkeypatch.setattr(archive_copy, "COMMIT", 20_000)
    monkeypatch.setattr(log_reading, "BLOCK", 8192)
    return Clients(str(tmp_path))


def copied(clients: Clients) -> archive_copy.Copied:
    to = archive_copy.keeper(clients.state, clients.env, NOW)
    (found,) = archive_copy.copy_all(transcripts.find(clients.env), to)
    return found


def kept(clients: Clients) -> bytes:
    (note,) = archive.copies(clients.state, "claude-code", ID)
    return b"".join(line + b"\n" for line in archive.lines(note))


def nothing_behind(clients: Clients) -> bool:
    """Whether the copy ends where its note says."""
    (note,) = archive.copies(clients.state, "claude-code", ID)
    return os.path.getsize(note.path) == note.stored


def test_killed_at_any_write_nothing_archived_is_lost_and_nothing_is_there_twice(clients):
    data = conversation(1, 60)
    first = len(data) // 3
    first = data.rfind(b"\n", 0, first) + 1
    clients.write(ID, data[:first])
    copied(clients)
    clients.write(ID, data[first:], mode="ab")
    step, seen = 0, set()
    while killed_at(step := step + 1, partial(copied, clients)):
        now = kept(clients)
        assert data.startswith(now)
        assert len(now) >= first
        seen.add(len(now))
        assert step < 500, "it never came to its end"
    assert kept(clients) == data
    assert len(seen) > 2, "it was never stopped between two parts"
    assert nothing_behind(clients)
    assert copied(clients).what == archive_copy.SAME


def test_killed_in_the_first_copy_the_next_run_begins_it_again(clients):
    data = conversation(2, 20)
    clients.write(ID, data)
    step = 0
    while killed_at(step := step + 1, partial(copied, clients)):
        assert all(data.startswith(kept(clients)) for _ in archive.sessions(clients.state))
    assert kept(clients) == data
    assert len(os.listdir(archive.place_of(clients.state, "claude-code"))) == 2


def test_a_full_disk_leaves_what_was_archived_and_the_next_run_completes_it(clients):
    data = conversation(3, 30)
    clients.write(ID, data)
    copied(clients)
    more = b"".join(say(number, noise=os.urandom(3000).hex()) for number in range(200))
    clients.write(ID, more, mode="ab")
    (before,) = archive.sessions(clients.state)
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            limit = before.stored + 100_000
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            found = copied(clients)
            code = 42 if found.what == archive_copy.FAILED and "too large" in found.trouble else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 42
    assert (data + more).startswith(kept(clients))
    assert nothing_behind(clients), "what a full disk has no room for is given back"
    assert len(kept(clients)) >= len(data)
    assert copied(clients).what == archive_copy.GROWN
    assert kept(clients) == data + more


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EDQUOT])
def test_where_no_note_can_be_written_the_old_one_still_counts_the_old_copy(
    clients, monkeypatch, code
):
    data = conversation(4, 10)
    clients.write(ID, data)
    copied(clients)
    clients.write(ID, say(1), mode="ab")

    def refuse(path, *rest, **options):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(archive_copy, "write_atomic", refuse)
    assert copied(clients).what == archive_copy.FAILED
    assert kept(clients) == data
    monkeypatch.setattr(archive_copy, "write_atomic", write_atomic)
    copied(clients)
    assert kept(clients) == data + say(1)


MEASURED = """
import resource, sys
from leftoff.world import archive, archive_copy, transcripts
env = {"HOME": sys.argv[1], "LEFTOFF_STATE": sys.argv[1] + "/state"}
import zstandard, json, re, hashlib
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
to = archive_copy.keeper(env["LEFTOFF_STATE"], env, 1.8e9)
(found,) = archive_copy.copy_all(transcripts.find(env), to)
lines = sum(1 for _ in archive.lines(found.note))
assert (found.what, lines) == ("new", found.note.lines), found
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, lines)
"""


def test_memory_does_not_grow_with_the_file_only_with_its_longest_line(clients):
    line = say(1, result="an output of some tool, as they print it again and again " * 350)
    path = clients.write(ID, b"")
    with open(path, "wb") as file:
        file.writelines(line for _ in range(200_000_000 // len(line)))
        file.write(say(2, result="x" * 13_000_000))
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, clients.home],
        env={**os.environ, "PYTHONPATH": SOURCE},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    grown, lines = map(int, done.stdout.split())
    assert lines == 200_000_000 // len(line) + 1
    assert grown * 1024 < 150_000_000, f"{grown} KB more for a file of 213 MB"


def test_bytes_that_no_note_counts_are_never_read_and_cut_off_by_the_next_run(clients):
    data = conversation(5, 10)
    clients.write(ID, data)
    copied(clients)
    (note,) = archive.sessions(clients.state)
    with open(note.path, "ab") as file:
        file.write(os.urandom(100_000))
    assert kept(clients) == data
    clients.write(ID, say(1), mode="ab")
    copied(clients)
    assert kept(clients) == data + say(1)
    assert nothing_behind(clients)


def test_many_that_archive_the_same_at_once_make_one_copy(clients):
    data = conversation(6, 40)
    clients.write(ID, data)
    pids = []
    for _ in range(6):
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                code = int(copied(clients).what == archive_copy.FAILED)
            finally:
                os._exit(code)
        pids.append(pid)
    assert [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids] == [0] * 6
    assert kept(clients) == data
    assert sorted(os.listdir(archive.place_of(clients.state, "claude-code"))) == [
        f"{ID}.json",
        f"{ID}.jsonl.zst",
    ]
