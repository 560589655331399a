"""Many notes at once say what they say one by one; each is read once as long as it is the same."""

from __future__ import annotations

import os

import pytest

from leftoff.world import archive, archive_copy, archive_notes, archive_upkeep, cache_file
from leftoff.world.archive_notes import NoteCache, archived_logs
from world.test_archive import copied
from world.transcript_files import Clients, conversation, say

pytestmark = pytest.mark.usefixtures("at_once")

AGENT = "claude-code"
MANY = archive_notes.FEW + 1


def name(n: int) -> str:
    return f"{n:08}-0000-4000-8000-{n:012}"


@pytest.fixture
def clients(tmp_path) -> Clients:
    """All sorts of copies, of which no transcript is left."""
    made = Clients(str(tmp_path))
    paths = [made.write(name(n), conversation(n, 3)) for n in range(MANY)]
    paths.append(made.write("a b;rm", say(1)))
    inside = f"-repo/{name(1)}/subagents"
    paths += [made.write(f"agent-{n}", say(n), project=inside) for n in range(3)]
    copied(made)
    made.write(name(2), conversation(99, 3))  # written anew: there are two copies
    copied(made)
    with open(note_of(made, 3), "w", encoding="utf-8") as file:
        file.write("{")
    for path in paths:
        os.remove(path)
    return made


def note_of(clients: Clients, n: int) -> str:
    return os.path.join(archive.place_of(clients.state, AGENT), name(n) + archive.NOTE)


@pytest.fixture
def read(monkeypatch):
    """The notes that were read."""
    paths, note_at = [], archive.note_at
    monkeypatch.setattr(archive, "note_at", lambda path: paths.append(path) or note_at(path))
    return paths


def looked(clients: Clients, *given):
    return archived_logs(clients.env, clients.state, [], *given)


def test_they_are_the_same_as_one_by_one(clients):
    keys = archive.known(clients.state)
    assert len(keys) == MANY + 1
    alone = archive.copied_logs(clients.state, keys)
    assert looked(clients) == looked(clients) == alone
    assert len(alone) == MANY + 1 + 3
    known = NoteCache(clients.state)
    for key in keys:
        assert known.of_session(*key) == archive.of_session(clients.state, *key)
    assert len(known.of_session(AGENT, name(2))) == 2
    assert known.of_session("nobody", name(2)) == known.of_session(AGENT, "nothing") == []


def test_those_of_a_project_are_told_apart(clients):
    asked = []
    assert looked(clients, lambda folder: asked.append(folder) or folder == "/repo") != []
    assert asked == ["/repo"], "each folder is judged once"
    unknown = {one.path for one in looked(clients, lambda _: False)}
    assert unknown == {note_of(clients, 3).removesuffix(archive.NOTE) + archive.DATA}


def test_a_note_is_read_again_only_when_it_is_another_one(clients, read):
    before = looked(clients)
    assert len({*read}) == MANY + 1 + 3 + 1
    read.clear()
    assert looked(clients) == before
    broken = note_of(clients, 3)
    odd = os.path.join(os.path.dirname(broken), archive.file_name("a b;rm") + archive.NOTE)
    assert {*read} == {broken, odd}, "one that cannot be read is asked for every time"
    note = archive.note_at(note_of(clients, 4))
    archive_copy.save(note._replace(folder="/elsewhere"))
    os.remove(note_of(clients, 5))
    read.clear()
    after = looked(clients)
    assert note_of(clients, 4) in read
    assert [one.folder for one in after if one.session == name(4)] == ["/elsewhere"]
    assert len(after) == len(before) - 1
    keys = {one.key for one in after}
    assert after == archive.copied_logs(clients.state, keys)


def test_what_changed_a_moment_ago_is_not_kept(clients, read, monkeypatch):
    monkeypatch.setattr(cache_file, "TICK", 1e3)
    looked(clients)
    read.clear()
    looked(clients)
    assert len({*read}) == MANY + 1 + 3 + 1


def test_what_is_kept_is_written_only_when_it_is_something_else(clients):
    looked(clients)
    path = os.path.join(clients.state, "cache", "copies.bin")
    before = os.stat(path)
    looked(clients)
    assert os.stat(path).st_ino == before.st_ino
    with open(path, "r+b") as file:
        file.truncate(before.st_size // 2)
    assert looked(clients) == archive.copied_logs(clients.state, archive.known(clients.state))


def test_doctor_reads_a_note_again_only_when_it_is_another_one(clients, read):
    copy = note_of(clients, 6).removesuffix(archive.NOTE) + archive.DATA
    assert archive_upkeep.broken(clients.state) == [note_of(clients, 3)]
    assert len(read) > MANY
    looked(clients)  # who asks for some of them does not make it forget the others
    read.clear()
    os.truncate(copy, 1)
    assert archive_upkeep.broken(clients.state) == [note_of(clients, 3), copy]
    assert read == []
    with open(note_of(clients, 4), "w", encoding="utf-8") as file:
        file.write("{")
    os.remove(note_of(clients, 5))
    orphan = note_of(clients, 5).removesuffix(archive.NOTE) + archive.DATA
    found = archive_upkeep.broken(clients.state)
    assert found == [note_of(clients, 3), note_of(clients, 4), orphan, copy]
    assert read == [note_of(clients, 4)]


def test_for_a_few_nothing_is_kept(tmp_path):
    clients = Clients(str(tmp_path))
    path = clients.write(name(1), say(1))
    copied(clients)
    os.remove(path)
    assert [one.session for one in looked(clients)] == [name(1)]
    assert archive_upkeep.broken(clients.state) == []
    for cache in ("copies.bin", "notes.bin"):
        assert not os.path.exists(os.path.join(clients.state, "cache", cache))
