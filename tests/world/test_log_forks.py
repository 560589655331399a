"""Forks where one of the two, or both, are only in the archive: nothing counts twice or not at all."""

from __future__ import annotations

import os
from itertools import product

import pytest

from leftoff.world import archive, archive_upkeep, transcripts
from leftoff.world.archive_notes import archived_logs
from world.test_archive import copied
from world.transcript_files import Clients, ask, say

AGENT = "claude-code"
HISTORY = ask(1, "first") + say(2) + say(3)
A, B = "0000000a-0000-4000-8000-000000000001", "0000000b-0000-4000-8000-000000000002"


@pytest.fixture
def clients(tmp_path) -> Clients:
    return Clients(str(tmp_path))


def known(clients: Clients) -> dict[str, transcripts.Known]:
    """What every transcript amounts to, and every copy of one that is gone."""
    logs = transcripts.find(clients.env)
    logs += archived_logs(clients.env, clients.state, logs)
    return {one.log.session: one for one in transcripts.read(logs, clients.state)}


def forget_all(clients: Clients) -> None:
    """As a new version does with what an older one kept."""
    cache = os.path.join(clients.state, "cache")
    for name in os.listdir(cache):
        os.remove(os.path.join(cache, name))


@pytest.mark.parametrize(("gone", "anew"), [*product(["", A, B, A + B], [False, True])])
def test_a_fork_counts_its_own_part_wherever_it_and_its_parent_are(clients, gone, anew):
    paths = {A: clients.write(A, HISTORY)}
    paths[B] = clients.write(B, HISTORY + ask(200, "second", "b") + say(201, "b"))
    before = {name: one.stats for name, one in known(clients).items()}
    copied(clients)
    for name, path in paths.items():
        if name in gone:
            os.remove(path)
    if anew:
        forget_all(clients)
    found = {name: one.stats for name, one in known(clients).items()}
    assert found == before
    own = found[B]
    assert (own.tokens.total, own.prompts, own.asked, own.parent) == (11, 1, "second", A)
    assert found[A].tokens.total == 22
    assert {name: one.stats for name, one in known(clients).items()} == before


@pytest.mark.parametrize("there", ["copy", "nothing"])
def test_a_transcript_that_comes_back_is_no_fork_of_its_own_copy(clients, there):
    path = clients.write(A, HISTORY)
    before = known(clients)[A].stats
    copied(clients)
    os.remove(path)
    assert known(clients)[A].stats == before
    if there == "nothing":
        archive_upkeep.take_out(clients.state, [(AGENT, A)], "pruned", 0.0)
    clients.write(A, HISTORY)
    assert known(clients)[A].stats == before
    assert before.parent == ""
    assert before.tokens.total == 22


def test_a_fork_that_said_nothing_yet_counts_nothing_in_the_archive_either(clients):
    paths = [clients.write(name, HISTORY) for name in (A, B)]
    copied(clients)
    for path in paths:
        os.remove(path)
    found = known(clients)
    assert (found[A].stats.answers, found[B].stats.answers) == (2, 0)
    assert found[B].stats.context == 10


def test_a_fork_of_what_nobody_has_any_more_counts_all_of_its_own(clients):
    """Of its parent only the keys of the answers are known: no line tells where its own begin."""
    path = clients.write(A, HISTORY)
    known(clients)
    os.remove(path)
    clients.write(B, HISTORY + say(201, "b"))
    found = known(clients)
    assert [*found] == [B]
    assert (found[B].stats.answers, found[B].stats.parent) == (3, "")


def test_a_copy_that_cannot_be_read_is_nobodys_parent(clients):
    path = clients.write(A, HISTORY)
    copied(clients)
    os.remove(path)
    known(clients)
    (note,) = archive.sessions(clients.state)
    with open(note.path, "wb") as file:
        file.write(b"\0" * note.stored)
    clients.write(B, HISTORY + say(201, "b"))
    assert known(clients)[B].stats.answers == 3
