"""Transcripts in the archive: whole, followed, redacted, each image once, whatever interrupts."""

from __future__ import annotations

import base64
import json
import os
import random

import pytest

from leftoff.core import redact_lines
from leftoff.world import archive, archive_copy, archive_images, transcripts
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
