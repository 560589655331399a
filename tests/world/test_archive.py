"""Transcripts in the archive: whole, followed, redacted, each image once, whatever interrupts."""

from __future__ import annotations

import base64
import json
import os
import random
import sqlite3
from contextlib import closing

import pytest

from leftoff.core import redact_lines
from leftoff.errors import Busy, FormatError
from leftoff.world import (
    archive,
    archive_copy,
    archive_images,
    archive_tombstones,
    archive_upkeep,
    transcripts,
)
from world.test_opencode_db import SCHEMA
from world.transcript_files import Clients, ask, conversation, say

NOW = 1_800_000_000.0
ID = "0000000a-0000-4000-8000-000000000001"
SECRET = "ghp_" + "a1B2c3D4e5" * 4


@pytest.fixture
def clients(tmp_path) -> Clients:
    return Clients(str(tmp_path))


def copied(clients: Clients) -> dict[str, archive_copy.Copied]:
    to = archive_copy.keeper(clients.state, clients.env, NOW)
    found = archive_copy.copy_all(transcripts.find(clients.env), to)
    return {one.log.session: one for one in found}


def kept(clients: Clients, session: str = ID) -> bytes:
    note = archive.copies(clients.state, "claude-code", session)[-1]
    return b"".join(line + b"\n" for line in archive.lines(note))


def every_byte(state: str) -> bytes:
    """All that the archive holds, as it lies on the disk and decompressed."""
    parts = []
    for place, _, names in os.walk(archive.folder(state)):
        for name in names:
            with open(os.path.join(place, name), "rb") as file:
                parts.append(file.read())
    parts += [line for note in archive.sessions(state) for line in archive.lines(note)]
    return b"\n".join(parts)


def test_a_transcript_is_copied_line_by_line_and_its_note_says_whose_it_is(clients):
    data = conversation(1, 20)
    path = clients.write(ID, data)
    assert copied(clients)[ID].what == archive_copy.NEW
    assert kept(clients) == data
    (note,) = archive.sessions(clients.state)
    assert (note.agent, note.session, note.origin) == ("claude-code", ID, path)
    assert (note.machine, note.folder, note.project) == (os.uname().nodename, "/repo", "/repo")
    assert note.below == os.path.relpath(path, os.path.join(clients.home, ".claude"))
    assert (note.offset, note.lines) == (len(data), data.count(b"\n"))
    assert note.stored == os.path.getsize(note.path) < len(data)
    assert os.stat(note.path).st_mode & 0o777 == 0o600


def test_what_is_appended_in_any_pieces_gives_the_same_copy_as_the_whole_at_once(clients):
    data = conversation(2, 60)
    chance, at = random.Random(7), 0
    while at < len(data):
        step = chance.randrange(1, len(data) // 6)
        clients.write(ID, data[at : at + step], mode="ab")
        at += step
        copied(clients)
    assert kept(clients) == data
    assert len(list(archive.sessions(clients.state))) == 1


def test_a_second_run_reads_nothing_again_and_a_grown_file_only_from_its_end(clients, monkeypatch):
    clients.write(ID, conversation(3, 10))
    copied(clients)
    assert copied(clients)[ID].what == archive_copy.SAME
    asked: list[bytes] = []
    real = archive_copy.cleaned
    monkeypatch.setattr(
        archive_copy, "cleaned", lambda data, by: asked.append(data) or real(data, by)
    )
    more = say(999)
    clients.write(ID, more, mode="ab")
    assert copied(clients)[ID].what == archive_copy.GROWN
    assert asked == [more]


def test_what_a_later_version_noted_besides_is_still_there_when_the_copy_has_grown(clients):
    clients.write(ID, conversation(3, 10))
    copied(clients)
    (note,) = archive.sessions(clients.state)
    path = archive.note_path(note.path)
    with open(path, encoding="utf-8") as file:
        told = json.load(file)
    later = {"sealed_by": {"key": 7}, "more": "words", "path": "/elsewhere"}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**told, **later}, file)
    clients.write(ID, say(999), mode="ab")
    assert copied(clients)[ID].what == archive_copy.GROWN
    with open(path, encoding="utf-8") as file:
        after = json.load(file)
    assert {name: after[name] for name in later} == later
    assert after["lines"] == told["lines"] + 1
    assert [one.path for one in archive.sessions(clients.state)] == [note.path]


def test_half_a_line_waits_for_its_rest(clients):
    line = say(1)
    clients.write(ID, line + line[:40])
    copied(clients)
    assert kept(clients) == line
    clients.write(ID, line[40:], mode="ab")
    copied(clients)
    assert kept(clients) == line * 2


@pytest.mark.parametrize("after", [conversation(6, 3), conversation(6, 40)])
def test_a_file_that_was_written_anew_gets_a_copy_beside_the_old_one(clients, after):
    before = conversation(5, 20)
    clients.write(ID, before)
    copied(clients)
    clients.write(ID, after)
    assert copied(clients)[ID].what == archive_copy.REWRITTEN
    old, new = archive.copies(clients.state, "claude-code", ID)
    assert (old.replaced, new.replaced) == (True, False)
    assert b"".join(line + b"\n" for line in archive.lines(old)) == before
    assert kept(clients) == after
    clients.write(ID, say(7), mode="ab")
    copied(clients)
    assert kept(clients) == after + say(7)


@pytest.mark.parametrize("gone", [0, 2, 3])
@pytest.mark.parametrize("ends", [(archive.NOTE,), (archive.NOTE, archive.DATA)])
def test_all_copies_of_a_session_are_found_where_one_before_the_last_went(clients, gone, ends):
    for seed in range(5):
        clients.write(ID, conversation(seed, 3))
        copied(clients)
    place = archive.place_of(clients.state, "claude-code")
    for end in ends if gone else ():  # in the middle of `archive_copy.remove`, or after it
        os.remove(os.path.join(place, archive.numbered(ID, gone) + end))
    found = {os.path.basename(one.path) for one in archive.copies(clients.state, "claude-code", ID)}
    assert found == {
        archive.numbered(ID, number) + archive.DATA for number in range(1, 6) if number != gone
    }


@pytest.mark.parametrize("stop", range(1, 24, 2))
def test_a_session_that_leaves_is_found_until_its_last_copy_went(clients, monkeypatch, stop):
    for seed in range(12):
        clients.write(ID, conversation(seed, 3))
        copied(clients)
    trashed, move_to_trash = [], archive_upkeep.move_to_trash

    def stopped(*given):
        trashed.append(given)
        if len(trashed) == stop:
            raise Busy("stopped")
        return move_to_trash(*given)

    monkeypatch.setattr(archive_upkeep, "move_to_trash", stopped)
    with pytest.raises(Busy):
        archive_upkeep.take_out(clients.state, [("claude-code", ID)], "forgotten", NOW)
    archive_upkeep.take_out(clients.state, [("claude-code", ID)], "forgotten", NOW)
    assert [*archive.sessions(clients.state)] == []


def test_a_folder_is_not_listed_for_each_copy_in_it(clients, monkeypatch):
    listed, listdir = [], os.listdir
    monkeypatch.setattr(os, "listdir", lambda place: listed.append(place) or listdir(place))
    place, told = archive.place_of(clients.state, "claude-code"), []
    for many in (2, 8):
        for number in range(many):
            clients.write(f"{many:08}-0000-4000-8000-{number:012}", say(number))
        listed.clear()
        copied(clients)
        logs = archive.copied_logs(clients.state, archive.known(clients.state))
        told.append(listed.count(place))
    assert len(logs) == 10
    assert told == [2, 2], "once to sweep it, and once to see what there is"


def test_subagents_lie_with_their_parent_and_are_found_with_it(clients):
    clients.write(ID, say(1))
    path = clients.write("agent-7", say(2), project=f"-repo/{ID}/subagents")
    copied(clients)
    own, other = archive.of_session(clients.state, "claude-code", ID)
    assert (own.session, other.session, other.parent) == (ID, "agent-7", ID)
    assert os.path.dirname(other.path).endswith(f"/claude-code/{ID}")
    assert other.origin == path
    assert archive.known(clients.state) == {("claude-code", ID)}


def test_a_name_that_is_no_name_never_becomes_a_path(clients):
    clients.write("..", say(1), project="-repo")
    clients.write("a b;rm", say(2))
    copied(clients)
    for note in archive.sessions(clients.state):
        assert note.path.startswith(archive.folder(clients.state) + "/claude-code/x-")
    assert {note.session for note in archive.sessions(clients.state)} == {"..", "a b;rm"}


# Secrets


def secretive() -> bytes:
    spoken = [
        ask(1, f"use {SECRET} please"),
        say(2, message={"content": [{"type": "tool_use", "input": {"command": f"X={SECRET}"}}]}),
        json.dumps(
            {"type": "user", "toolUseResult": {"stdout": f"TOKEN={SECRET}\nHOME=/x"}}
        ).encode()
        + b"\n",
        f"not json at all {SECRET}\n".encode(),
    ]
    return b"".join(spoken)


def test_no_secret_is_in_any_file_that_the_archive_writes(clients):
    clients.write(ID, secretive())
    assert copied(clients)[ID].note.changed == 4
    assert SECRET.encode() not in every_byte(clients.state)
    assert kept(clients).count(b"[redacted:github") == 4


def test_a_block_that_cannot_be_redacted_is_not_written_and_the_note_says_so(clients, monkeypatch):
    clients.write(ID, say(1))
    copied(clients)

    def fails(*_):
        raise RuntimeError("no")

    monkeypatch.setattr(archive_copy, "cleaned", fails)
    clients.write(ID, secretive(), mode="ab")
    note = copied(clients)[ID].note
    assert (note.withheld, note.lines) == (4, 1)
    monkeypatch.undo()
    clients.write(ID, say(3), mode="ab")
    copied(clients)
    assert kept(clients) == say(1) + say(3)
    assert SECRET.encode() not in every_byte(clients.state)


def test_a_line_without_a_secret_comes_back_byte_for_byte(clients):
    data = conversation(9, 50)
    clients.write(ID, data)
    copied(clients)
    assert kept(clients) == data == redact_lines.cleaned(data).data


# Images


def picture(seed: int, size: int = 5000) -> str:
    body = b"\x89PNG\r\n\x1a\n" + random.Random(seed).randbytes(size)
    return base64.b64encode(body).decode()


def shown(seed: int, **more: str) -> bytes:
    source = {"type": "base64", "media_type": "image/png", "data": picture(seed)}
    url = {"image_url": f"data:image/png;base64,{picture(seed)}"}
    line = {"type": "user", "message": {"content": [{"type": "image", "source": source}, url]}}
    return json.dumps({**line, **more}).encode() + b"\n"


def test_an_image_is_kept_once_however_often_and_wherever_it_was_written(clients):
    other = ID[:-1] + "2"
    clients.write(ID, shown(1) + shown(1))
    clients.write(other, shown(1) + shown(2))
    copied(clients)
    images = os.listdir(os.path.join(archive.folder(clients.state), "images"))
    assert len(images) == 2
    assert picture(1).encode() not in every_byte(clients.state)
    (note,) = archive.copies(clients.state, "claude-code", other)
    assert {*note.images} == {*images}
    whole = b"".join(archive_images.whole(b, clients.state) for b in archive.blocks(note))
    assert whole == shown(1) + shown(2)


def test_a_text_that_looks_like_the_mark_of_an_image_comes_back_as_it_was(clients):
    clients.write(ID, shown(1))
    copied(clients)
    (name,) = os.listdir(os.path.join(archive.folder(clients.state), "images"))
    hostile = ask(1, f"leftoff:image:{name} leftoff:image:: leftoff:image: leftoff:image:xyz")
    clients.write(ID, hostile, mode="ab")
    copied(clients)
    (note,) = archive.copies(clients.state, "claude-code", ID)
    whole = b"".join(archive_images.whole(b, clients.state) for b in archive.blocks(note))
    assert whole == shown(1) + hostile


def test_letters_that_their_bytes_would_not_give_back_stay_in_the_line(tmp_path):
    odd = picture(3)[:-4] + "AB=="  # the last letters carry bits that no byte has
    broken = "/9j/" + "A" * 2000 + "="
    for letters in (odd, broken, picture(1)[:600]):
        data = f'{{"data":"{letters}"}}\n'.encode()
        assert archive_images.cut(data, str(tmp_path)) == (data, [])


# Damage


def test_a_damaged_copy_says_so_and_a_lost_note_costs_only_a_new_copy(clients):
    clients.write(ID, conversation(4, 30))
    copied(clients)
    (note,) = archive.sessions(clients.state)
    with open(note.path, "r+b") as file:
        file.seek(30)
        file.write(b"\0" * 40)
    with pytest.raises(FormatError, match="damaged"):
        list(archive.lines(note))
    os.truncate(note.path, 10)
    with pytest.raises(FormatError):
        list(archive.lines(note))
    with open(archive.note_path(note.path), "wb") as file:
        file.write(b'{"agent": 7}')
    assert [*archive.sessions(clients.state)] == []
    assert archive_upkeep.broken(clients.state) == [archive.note_path(note.path)]
    copied(clients)
    assert kept(clients) == conversation(4, 30)
    assert os.path.getsize(note.path) == 10, "what nobody understands is left alone"


def test_what_stands_before_the_damage_is_read_also_in_a_small_copy(clients):
    said = conversation(4, 300)
    clients.write(ID, said)
    copied(clients)
    (note,) = archive.sessions(clients.state)
    with open(note.path, "r+b") as file:
        file.seek(note.stored - 30)
        file.write(b"\0" * 20)
    read = []
    with pytest.raises(FormatError, match="damaged"):
        read.extend(archive.lines(note))
    assert note.raw < archive.BLOCK
    assert len(read) > 400
    assert b"\n".join(said.split(b"\n")[: len(read)]) == b"\n".join(read)


def test_damage_in_a_later_piece_costs_what_stands_behind_it_and_tells_nothing_twice(
    clients, monkeypatch
):
    monkeypatch.setattr(archive, "BLOCK", 4096)
    said = conversation(4, 1000)
    clients.write(ID, said)
    copied(clients)
    (note,) = archive.sessions(clients.state)
    os.truncate(note.path, note.stored - 30)
    read = []
    with pytest.raises(FormatError, match="shorter"):
        read.extend(archive.lines(note))
    assert len(read) > 1000
    assert b"\n".join(said.split(b"\n")[: len(read)]) == b"\n".join(read)


class OpenCode:
    """The client's database in a home folder."""

    def __init__(self, home: str) -> None:
        self.path = os.path.join(home, ".local", "share", "opencode", "opencode.db")
        os.makedirs(os.path.dirname(self.path))
        self._count = 0
        with closing(sqlite3.connect(self.path)) as db:
            db.executescript(SCHEMA)

    def _do(self, *statements: tuple) -> None:
        self._count += 1
        with closing(sqlite3.connect(self.path)) as db:
            for statement in statements:
                db.execute(*statement)
            db.execute("update session set time_updated = ?", (9000 + self._count,))
            db.commit()

    def add(self, ident: str, text: str) -> None:
        row = (ident, "p", None, "/repo", "Title", "1.18.33", 1000, 9000, None)
        self._do(("insert into session values (?, ?, ?, ?, ?, ?, ?, ?, ?)", row))
        self.add_message(ident, text)

    def add_message(self, session: str, text: str) -> None:
        name, part = f"msg_{self._count}", json.dumps({"type": "text", "text": text})
        info = json.dumps({"role": "user"})
        self._do(
            ("insert into message values (?, ?, 2000, 2000, ?)", (name, session, info)),
            (
                "insert into part values (?, ?, ?, 2000, 2000, ?)",
                (f"prt_{name}", name, session, part),
            ),
        )

    def remove_messages(self, session: str) -> None:
        self._do(("delete from message where session_id = ?", (session,)))


def test_a_database_session_is_copied_whole_and_again_when_it_changed(clients):
    database = OpenCode(clients.home)
    database.add("ses_1", "hello")
    copied(clients)
    (first,) = archive.sessions(clients.state)
    assert (first.agent, first.session) == ("opencode", "ses_1")
    database.add_message("ses_1", "more")
    assert copied(clients)["ses_1"].what == archive_copy.GROWN
    (second,) = archive.sessions(clients.state)
    assert second.lines == first.lines + 1
    assert not os.path.exists(first.path), "the newer one holds all of it"
    database.remove_messages("ses_1")
    copied(clients)
    both = archive.copies(clients.state, "opencode", "ses_1")
    assert [one.replaced for one in both] == [True, False]
    assert copied(clients)["ses_1"].what == archive_copy.SAME


def test_a_file_that_its_client_moved_is_followed_and_not_copied_twice(clients):
    data = conversation(11, 10)
    old = clients.write(ID, data, project="-one")
    copied(clients)
    new = clients.path(ID, "-two")
    os.makedirs(os.path.dirname(new))
    os.rename(old, new)
    clients.write(ID, say(1), mode="ab", project="-two")
    assert copied(clients)[ID].what == archive_copy.GROWN
    (note,) = archive.sessions(clients.state)
    assert (note.origin, kept(clients)) == (new, data + say(1))


def test_another_file_of_the_same_session_gets_a_copy_of_its_own(clients):
    old = clients.write(ID, conversation(11, 10), project="-one")
    copied(clients)
    os.remove(old)
    clients.write(ID, conversation(12, 10), project="-two")
    assert copied(clients)[ID].what == archive_copy.NEW
    assert [one.replaced for one in archive.sessions(clients.state)] == [False, False]


def test_an_image_leaves_with_the_last_session_that_names_it(clients):
    other = ID[:-1] + "2"
    clients.write(ID, shown(1))
    clients.write(other, shown(1) + shown(2))
    copied(clients)
    assert archive_upkeep.totals(clients.state).images == 2
    archive_upkeep.take_out(clients.state, [("claude-code", ID)], "pruned", NOW)
    assert len(archive_upkeep.image_sizes(clients.state)) == 2
    archive_upkeep.take_out(clients.state, [("claude-code", other)], "pruned", NOW)
    assert archive_upkeep.image_sizes(clients.state) == {}
    assert archive_upkeep.counted(clients.state) == archive_upkeep.Totals()


def test_many_sessions_leave_for_the_price_of_one_look_at_the_others(clients, monkeypatch):
    names = [f"{n:08}-0000-4000-8000-{n:012}" for n in range(8)]
    for n, name in enumerate(names):
        clients.write(name, shown(n) + shown(99))
    copied(clients)
    read, note_at = [], archive.note_at
    monkeypatch.setattr(archive, "note_at", lambda path: read.append(path) or note_at(path))
    sessions = [("claude-code", name) for name in names[:6]]
    assert archive_upkeep.take_out(clients.state, sessions, "pruned", NOW) == 6
    assert len(read) == 6 + 2, "each of those that leave, and once each of those that stay"
    assert len(archive_upkeep.image_sizes(clients.state)) == 3


def test_what_another_process_made_leftoff_forget_meanwhile_is_not_copied(clients):
    clients.write(ID, say(1))
    to = archive_copy.keeper(clients.state, clients.env, NOW)
    assert to.gone.now(clients.state) == to.gone
    archive_upkeep.take_out(clients.state, [("claude-code", ID)], "forgotten", NOW)
    (found,) = archive_copy.copy_all(transcripts.find(clients.env), to)
    assert found.what == archive_copy.FORGOTTEN
    now = to.gone.now(clients.state)
    assert now.forgotten == {("claude-code", ID)}
    assert now.now(clients.state) is now, "what did not grow is not read again"
    os.remove(os.path.join(archive.folder(clients.state), archive.TOMBSTONES))
    assert now.now(clients.state) == archive_tombstones.Gone()


def test_an_image_whose_note_was_never_written_is_swept_once_it_is_old(clients):
    clients.write(ID, shown(1))
    copied(clients)
    archive_images.cut(shown(2), clients.state)
    (orphan,) = {*archive_upkeep.image_sizes(clients.state)} - {
        *next(archive.sessions(clients.state)).images
    }
    path = archive_images.path_of(clients.state, orphan)
    os.utime(path, (NOW, NOW))
    archive_upkeep.sweep_images(clients.state, NOW + 10)
    assert os.path.exists(path), "another process may be at it"
    archive_upkeep.sweep_images(clients.state, NOW + 10_000)
    assert not os.path.exists(path)
    assert len(archive_upkeep.image_sizes(clients.state)) == 1


def test_an_image_that_another_process_swept_first_is_no_trouble(clients, monkeypatch):
    clients.write(ID, shown(1))
    copied(clients)
    monkeypatch.setattr(archive_upkeep, "image_sizes", lambda _: {"0" * 64: 10})
    archive_upkeep.sweep_images(clients.state, NOW + 10_000)
    assert len(os.listdir(os.path.dirname(archive_images.path_of(clients.state, "x")))) == 1
