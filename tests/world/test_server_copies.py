"""A server knows the sessions of which only the archive has something left, as it knows the others."""

from __future__ import annotations

import os

import pytest

from histories import DAY, HOUR, MINUTE, Talk, aged, grow, ident, journal, started, state
from leftoff.world import archive, archive_copy, archive_upkeep, session_catalogue, transcripts
from leftoff.world.inotify import Notices
from leftoff.world.server_sessions import SHARED, ServerSessions
from leftoff.world.sessions import everything
from support import repo

pytestmark = pytest.mark.usefixtures("at_once")

AGENT = "claude-code"


@pytest.fixture
def root(tmp_path):
    return repo(tmp_path)


@pytest.fixture
def known(clock, way):
    return ServerSessions(
        state(),
        os.environ,
        lambda: clock[0],
        None if way == "asks" else Notices(lambda: clock[0]),
    )


@pytest.fixture
def look(known, clock):
    """What the next look knows of the first session: the names of its files, or None."""

    def looked(seconds=SHARED):
        clock[0] += seconds
        row = known.look().row(AGENT, ident(1))
        return row and [os.path.basename(path) for path, *_ in row.logs]

    return looked


ORIGINAL, COPY = [f"{ident(1)}.jsonl"], [f"{ident(1)}{archive.DATA}"]


def talked(root: str) -> str:
    """A session that no hook told of; its transcript."""
    return aged(Talk(1, root).ask(DAY, "Go on").answer(DAY - MINUTE, "Done", 10).save(), DAY)


def archived() -> None:
    to = archive_copy.keeper(state(), os.environ, 0.0)
    archive_copy.copy_all(transcripts.find(os.environ), to)


def test_a_session_stays_where_it_was_when_only_its_copy_is_left(known, look, root):
    grow(root, 2, HOUR)
    grow(root, 3, 2 * DAY)
    path = talked(root)
    assert look() == ORIGINAL
    archived()
    assert look() == ORIGINAL, "the copy is not asked as long as the transcript is there"
    assert known.copies(AGENT, ident(1)) == known.copied() == []
    order = [row.session for row in known.rows(known.which(everything))]
    os.unlink(path)
    assert look() == COPY
    rows = known.rows(known.which(everything))
    assert [row.session for row in rows] == order == [ident(2), ident(1), ident(3)]
    assert [row.root for row in rows] == [root] * 3
    (log,) = known.copies(AGENT, ident(1))
    assert known.copied() == [log]
    assert log.path not in {one.path for one in known.logs()}
    talked(root)
    assert look() == ORIGINAL
    assert known.copied() == []


def test_a_copy_that_comes_changes_or_goes_is_seen_by_the_next_look(known, look, root):
    assert look() is None
    path = talked(root)
    archived()
    os.unlink(path)
    assert look() == COPY
    (log,) = known.copies(AGENT, ident(1))
    mark = known.mark
    assert look() == COPY
    assert known.mark == mark
    look(session_catalogue.WHOLE)
    assert known.copies(AGENT, ident(1))[0] is log, "what did not change is not read again"
    (note,) = archive.sessions(state())
    archive_copy.save(note._replace(folder="/elsewhere"))
    look(session_catalogue.WHOLE)
    assert known.row(AGENT, ident(1)).root == "/elsewhere"
    archive_upkeep.take_out(state(), [(AGENT, ident(1))], "forgotten", 0.0)
    assert look() is None
    assert known.copied() == []


def test_a_copy_among_others_comes_and_goes(known, look, root):
    path = aged(Talk(2, root).ask(DAY, "Go on").save(), DAY)
    archived()
    os.unlink(path)
    for _ in range(2):
        assert look() is None
        path = talked(root)
        archived()
        os.unlink(path)
        assert look() == COPY
        for note in archive.of_session(state(), AGENT, ident(1)):
            archive_copy.remove(note)
    assert look() is None
    assert len(known.copied()) == 1


def test_what_was_copied_while_the_transcript_was_there_again_counts(known, look, root):
    for text in ("Go on", "Begin anew"):
        path = aged(Talk(1, root).ask(DAY, text).save(), DAY)
        archived()
        look()
        os.unlink(path)
        look()
    (log,) = known.copies(AGENT, ident(1))
    assert os.path.basename(log.path) == f"{archive.numbered(ident(1), 2)}{archive.DATA}"


def test_a_copy_of_which_the_note_broke_is_still_a_session(known, look, root):
    path = talked(root)
    archived()
    os.unlink(path)
    (note,) = archive.sessions(state())
    with open(archive.note_path(note.path), "w", encoding="utf-8") as file:
        file.write("{")
    assert look() == COPY
    assert known.row(AGENT, ident(1)).root == ""


def test_what_its_journal_says_counts_before_its_copy(known, look, root):
    path = talked(root)
    aged(journal(1, started(DAY, "/said/here")), DAY)
    archived()
    os.unlink(path)
    assert look() == COPY
    assert known.row(AGENT, ident(1)).root == "/said/here"


def test_a_subagents_copy_is_part_of_its_session(known, look, root):
    path = talked(root)
    inside = os.path.join(path.removesuffix(".jsonl"), "subagents", "agent-7.jsonl")
    os.makedirs(os.path.dirname(inside))
    os.link(path, inside)
    archived()
    for each in (inside, path):
        os.unlink(each)
    assert look() == [*COPY, f"agent-7{archive.DATA}"]
    assert [log.parent for log in known.copied()] == ["", ident(1)]


def test_a_session_with_an_id_that_is_no_name_is_found_all_the_same(known, look, root):
    look()
    odd = talked(root).replace(ident(1), "a b;rm")
    os.rename(talked(root), odd)
    archived()
    os.unlink(odd)
    look()
    (row,) = known.rows(known.which(everything))
    assert (row.agent, row.session) == (AGENT, "a b;rm")
    assert archive.known(state()) == {(AGENT, "a b;rm")}


def test_other_files_of_the_archive_are_nobodys(known, look):
    look()
    base = archive.folder(state())
    for name in ("totals.json", f"{AGENT}/.{ident(1)}.json", f"{AGENT}/{ident(1)}.txt"):
        os.makedirs(os.path.dirname(os.path.join(base, name)), exist_ok=True)
        with open(os.path.join(base, name), "w", encoding="utf-8") as file:
            file.write("{}")
    os.makedirs(os.path.join(base, archive.IMAGES))
    assert look() is None
    assert known.which(everything) == []
