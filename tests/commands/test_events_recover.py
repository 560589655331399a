"""Hooks and sessions that nobody saved: drafted as they end, else as the next one starts."""

from __future__ import annotations

import glob
import os
from contextlib import suppress
from unittest import mock

import pytest

from events import OTHER, SESSION, Client, opted_in, settings, thread
from histories import DAY, HOUR, MINUTE, Talk, ident, journal, started
from leftoff.commands import _events_recover, _recover_save
from leftoff.errors import LeftoffError
from leftoff.world import conversation
from leftoff.world import saves as saves_on_disk
from leftoff.world.journal import read
from leftoff.world.place import find_place
from leftoff.world.saves import pendings
from leftoff.world.store import Store
from projects import get, put
from support import git, snapshot
from unsaved import called, dead, killed, work

THREAD = ".checkpoints/threads/thread-1a2b3c4d/CHECKPOINT.md"
RECOVERED = "-recovered.md"


def saves(client):
    return sorted(glob.glob(f"{client.state}/saves/*/*{RECOVERED}"))


def records(client):
    return sorted(os.path.basename(path) for path in glob.glob(f"{client.state}/pending/*.txt"))


def lines(client, n, event="recover"):
    found = read(f"{client.state}/sessions/claude-code/{ident(n)}.jsonl").lines
    return [line for line in found if line["event"] == event]


def worked(client, root):
    """The transcript of the session that the client itself runs."""
    talk = work(5, root, HOUR)
    path = talk.save()
    client.tell("start", transcript=path)
    return path


# At the start


@pytest.mark.req("B.trigger.session-break")
def test_a_killed_session_is_told_to_the_next_one_with_all_it_needs_to_go_on(client, root):
    killed(1, root)
    put(root, "app.py", "changed\n")
    before = snapshot(root)
    text = client.tell("start").text
    assert "RESUMING: 2026-08-08-main-recovered (main)" in text
    assert f"[draft]: from session claude-code/{ident(1)[:8]}, confirmed by nobody\n" in text
    assert "What the user wants: Move the login to the new service [draft]\n" in text
    assert "Files [draft]:\n- app.py\n" in text
    assert "Not committed yet:\n- app.py\n" in text
    assert "Other actions [draft]:\n- 2. failed: pytest -q tests/login\n" in text
    assert "Next: 1. Repair the login test [draft]\n" in text
    assert "1 claim confirmed, 0 contradicted" in text
    assert "CONTENT-OF-A-FILE" not in text
    assert snapshot(root) == before
    (save,) = saves(client)
    assert text.count(save) == 1
    assert os.stat(save).st_mode & 0o777 == 0o600
    assert get("/", f"{client.state}/pending/pending-restore-{ident(1)}.txt").strip() == save
    (line,) = lines(client, 1)
    assert line["save"] == save


@pytest.mark.req("B.trigger.session-break")
def test_a_session_without_a_to_do_list_is_told_too_and_unattended_ones_are_told(client, root):
    settings('[hooks]\nbrief = "orient"\n')
    talk = work(1, root, todos=False)
    talk.answer(2 * HOUR - 50, "Next I repair the login test.").save()
    journal(1, started(3 * HOUR, root, **dead()), (2 * HOUR, "prompt"))
    text = client.tell("start").text
    assert "- Next I repair the login test." in text
    assert "- pytest -q tests/login" in text
    (save,) = saves(client)
    assert text.count(save) == 1, "its draft stands there, so it is not named again as left"


def test_of_what_was_said_and_decided_the_last_is_told(client, root):
    settings('[hooks]\nbrief = "orient"\n')
    talk = work(1, root)
    for n in range(7):
        talk.ask(2 * HOUR - 50 - n, f"the {n}th column is wide. We decided on colour {n}.")
    talk.ask(HOUR, "Now paint the whole table").save()
    journal(1, started(3 * HOUR, root, **dead()), (HOUR, "prompt"))
    text = client.tell("start").text
    words = "".join(f"- the {n}th column is wide.\n" for n in range(2, 7))
    decided = "".join(f"- We decided on colour {n}.\n" for n in range(2, 7))
    assert f"\nSaid by the user, in their words:\n{words}Decided:\n{decided}Files changed:" in text


def test_what_became_of_its_files_is_said(client, root):
    killed(1, root)
    killed(3, root, 3 * HOUR)
    assert "- app.py (it is there)" in client.tell("start").text
    git("checkout", "--quiet", "-b", "elsewhere", cwd=root)
    put(root, "app.py", "changed\n")
    talk = work(2, root, HOUR)
    called(talk, HOUR - 50, "Write", file_path=f"{root}/gone.py")
    journal(2, started(2 * HOUR, root, transcript=talk.save(), **dead()), (HOUR, "prompt"))
    text = client.tell("start", OTHER).text
    assert "- gone.py (gone)" in text
    assert "- app.py (not committed)" in text


def test_it_is_drafted_once_and_again_only_when_it_went_on(client, root):
    path = killed(1, root)
    client.tell("start")
    client.tell("start", OTHER)
    assert len(saves(client)) == 1
    talk = work(1, root)
    called(talk, HOUR, "Edit", file_path=f"{root}/more.py").save()
    assert os.path.getsize(path) > lines(client, 1)[0]["size"]
    again = (HOUR, "start", {"v": 1, "source": "resume", "root": root, "cwd": root, **dead(pid=77)})
    journal(1, again, (HOUR, "prompt"))
    client.tell("start", "5f0c2d1e-0000-4000-8000-000000000003")
    assert len(saves(client)) == 2
    assert records(client) == [f"pending-restore-{ident(1)}.txt"]


def test_a_session_that_saved_or_that_runs_is_left_alone(client, root):
    killed(1, root, 2 * HOUR, (HOUR, "save", {"path": "x"}))
    path = work(2, root, 10 * MINUTE).save()
    journal(2, started(20 * MINUTE, root, transcript=path), (10 * MINUTE, "prompt"))
    client.tell("start")
    assert saves(client) == []


def test_a_word_of_thanks_after_a_save_is_no_work(client, root):
    path = work(1, root).ask(HOUR, "thank you very much").save()
    begun = started(3 * HOUR, root, transcript=path, **dead())
    journal(1, begun, (2 * HOUR, "prompt"), (HOUR + 9, "save", {"path": "x"}), (HOUR, "prompt"))
    client.tell("start")
    assert saves(client) == []


def test_what_came_before_a_saved_session_is_old(client, root):
    killed(1, root, 5 * HOUR)
    killed(2, root, 2 * HOUR, (HOUR, "save", {"path": "x"}))
    client.tell("start")
    assert saves(client) == []


def test_a_session_that_only_talked_leaves_nothing(client, root):
    talk = Talk(1, root).ask(2 * HOUR, "What is this?").answer(2 * HOUR - 5, "A project.")
    journal(1, started(2 * HOUR, root, transcript=talk.save(), **dead()), (2 * HOUR, "prompt"))
    client.tell("start")
    assert saves(client) == records(client) == []


def test_a_session_from_before_setup_is_told_and_an_old_one_is_not(client, root):
    work(1, root, 5 * HOUR).save()
    assert "Move the login" in client.tell("start").text
    assert len(saves(client)) == 1
    client.tell("start", OTHER)
    assert len(saves(client)) == 1


def test_a_session_of_last_week_is_forgotten(client, root):
    work(1, root, 9 * DAY).save()
    client.tell("start")
    assert saves(client) == []


def test_at_most_two_are_drafted_at_one_start(client, root):
    for n in range(1, 5):
        killed(n, root, n * HOUR)
    client.tell("start")
    assert records(client) == [f"pending-restore-{ident(n)}.txt" for n in (1, 2)]


def test_without_time_none_is_begun(client, root, monkeypatch):
    killed(1, root)
    monkeypatch.setattr(_events_recover, "LATEST_BEGIN", -1e9)
    client.tell("start")
    assert saves(client) == []


def test_of_a_long_transcript_the_end_is_read(client, root, monkeypatch):
    monkeypatch.setattr(conversation, "TAIL", 2000)
    killed(1, root)
    assert "Repair the login test" in client.tell("start").text


def test_a_compaction_of_the_same_session_drafts_nobody(client, root):
    client.tell("start")
    killed(1, root)
    client.tell("start", source="compact", size=3)
    assert saves(client) == []


def test_a_secret_in_a_prompt_reaches_neither_the_save_nor_the_next_session(client, root):
    key = "ghp_" + "a1" * 18
    talk = Talk(1, root).ask(2 * HOUR, f"push with {key} please")
    called(talk, 2 * HOUR, "Bash", failed=True, command=f"git push https://{key}@host/x")
    journal(1, started(3 * HOUR, root, transcript=talk.save(), **dead()), (2 * HOUR, "prompt"))
    text = client.tell("start").text
    (save,) = saves(client)
    assert key not in text + get("/", save)
    assert "[redacted:" in text


def test_the_draft_stands_on_what_its_thread_states(client, root):
    thread(root)
    killed(1, root, 2 * HOUR, (HOUR, "bind", {"thread": "thread-1a2b3c4d"}))
    client.tell("start")
    (save,) = saves(client)
    text = get("/", save)
    assert "Use RS256" in text
    assert "Write the docs" in text
    assert "- Repair the login test [draft: claude-code/" in text


def test_a_full_disk_costs_the_save_and_not_the_answer(client, root):
    killed(1, root)
    os.makedirs(client.state, exist_ok=True)
    put(client.state, "saves", "no folder\n")
    answer = client.tell("start")
    assert answer is None or "nobody saved" not in answer.text
    assert records(client) == []


# What the session before it was given itself


def given(client, n: int, save: str, ago: float, *more: tuple, transcript: str = "") -> None:
    """A session that died, and was given a save at its start."""
    begun = started(ago + MINUTE, client.root, transcript=transcript, **dead())
    journal(n, begun, (ago + MINUTE, "given", {"save": save}), (ago, "prompt"), *more)


def left(client) -> str:
    """The save of a session that was killed, made by a start of which nothing else is known."""
    killed(1, client.root, 5 * HOUR)
    client.tell("start", ident(9))
    os.remove(f"{client.state}/sessions/claude-code/{ident(9)}.jsonl")
    (save,) = saves(client)
    return save


def test_a_session_that_is_given_a_save_is_known_to_go_on_with_it(client, root):
    killed(1, root)
    client.tell("start")
    (save,) = saves(client)
    assert [line["save"] for line in client.lines("given")] == [save]


def test_the_draft_of_a_session_that_went_on_tells_what_the_work_began_with(client, root):
    first = left(client)
    put(root, "page.md", "# Login\n")
    talk = Talk(2, root).ask(2 * HOUR, "Please go on where we stopped")
    called(talk, 2 * HOUR - 5, "Edit", file_path=f"{root}/page.md")
    given(client, 2, first, 2 * HOUR, transcript=talk.save())
    text = client.tell("start", OTHER).text
    asked = "Please go on where we stopped (first asked: Move the login to the new service)"
    assert f"What the user wants: {asked} [draft: claude-code/00000002]\n" in text
    assert "Next: 1. Repair the login test [draft: claude-code/00000001]\n" in text
    assert "failed: pytest -q tests/login [draft: claude-code/00000001]\n" in text
    assert "page.md [draft: claude-code/00000002]\n" in text
    assert "Left for the next session" not in text
    assert records(client) == [f"pending-restore-{ident(2)}.txt"], "the first says nothing more"


@pytest.mark.parametrize("ended", [True, False], ids=["ended", "killed"])
def test_a_save_that_a_session_did_nothing_with_waits_for_the_next_one(client, root, ended):
    killed(1, root, 5 * HOUR)
    client.tell("start", ident(8))
    (save,) = saves(client)
    client.stop(10, session=ident(8), why="offered")
    assert records(client) == []
    if ended:
        client.tell("end", ident(8), source="prompt_input_exit")
    else:
        journal(ident(8), (0.0, "start", {"source": "resume", "root": root, **dead()}))
    text = client.tell("start", OTHER).text
    assert text.startswith("<leftoff id=2026-08-08-main-recovered>\nRESUMING:")
    assert records(client) == [f"pending-restore-{ident(8)}.txt"]
    assert saves(client) == [save]


def test_it_is_handed_on_once_and_not_for_ever(client):
    save = left(client)
    for n in (2, 3):
        given(client, n, save, n * HOUR)
    for path in glob.glob(f"{client.state}/pending/*"):
        os.remove(path)
    settings('[hooks]\nbrief = "orient"\n')
    client.tell("start", OTHER)
    assert records(client) == [f"pending-restore-{ident(2)}.txt"]
    os.remove(f"{client.state}/pending/{records(client)[0]}")
    os.utime(save, (client.at - 8 * DAY, client.at - 8 * DAY))
    client.tell("start", ident(9))
    assert records(client) == []


def test_a_save_that_is_gone_is_not_handed_on_and_stops_no_draft(client, root):
    gone = f"{client.state}/saves/x/gone.md"
    given(client, 1, gone, 3 * HOUR)
    given(client, 2, gone, 2 * HOUR, transcript=work(2, root).save())
    assert "What the user wants: Move the login" in client.tell("start").text
    assert records(client) == [f"pending-restore-{ident(2)}.txt"]


def test_who_saved_after_all_hands_nothing_on(client):
    save = left(client)
    os.remove(f"{client.state}/pending/{records(client)[0]}")
    given(client, 2, save, 2 * HOUR, (HOUR, "save", {"path": "x"}))
    client.tell("start", OTHER)
    assert records(client) == []


# At the end


@pytest.mark.req("B.trigger.session-break", "A.write.on-session-end")
def test_a_session_that_ends_with_work_in_flight_leaves_a_save_and_its_record(client, root):
    put(root, "app.py", "changed\n")
    path = worked(client, root)
    before = snapshot(root)
    client.tell("end", transcript=path, source="prompt_input_exit")
    assert snapshot(root) == before
    (save,) = saves(client)
    assert records(client) == [f"pending-restore-{SESSION}.txt"]
    assert "- app.py [draft: claude-code/5f0c2d1e]" in get("/", save)
    (left,) = pendings(Store(find_place(root), client.state))
    assert (left.session, left.path) == (SESSION, save)
    (end,) = client.lines("end")
    assert end["dirty"] == 1


def test_the_next_start_does_not_draft_it_again(client, root):
    path = worked(client, root)
    client.tell("end", transcript=path)
    with open(path, "a", encoding="utf-8") as file:
        file.write('{"type":"last-prompt"}\n')
    assert saves(client)[0] in client.tell("start", OTHER).text
    assert len(saves(client)) == 1


@pytest.mark.parametrize("how", [LeftoffError("the disk is full"), KeyboardInterrupt()])
def test_what_stopped_before_its_record_is_told_by_the_next_start(client, root, monkeypatch, how):
    path = work(5, root, HOUR).save()
    client.tell("start", ident(5), transcript=path)
    with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
        patch.setattr(saves_on_disk, "leave", mock.Mock(side_effect=how))
        client.tell("end", ident(5), transcript=path)
    assert records(client) == []
    assert "What the user wants: Move the login" in client.tell("start", OTHER).text
    assert records(client) == [f"pending-restore-{ident(5)}.txt"]


def test_of_two_that_draft_at_once_one_gives_way_and_its_record_too(client, root, monkeypatch):
    path = worked(client, root)
    told = _recover_save.told

    def late(call, one, save, size, *, once):
        other = saves_on_disk.save(call.store, "other", get("/", save), RECOVERED)
        assert told(call, one, other, size, once=once)
        return told(call, one, save, size, once=once)

    monkeypatch.setattr(_recover_save, "told", late)
    client.tell("end", transcript=path)
    (save,) = saves(client)
    (left,) = pendings(Store(find_place(root), client.state))
    assert (os.path.basename(save), left.path) == ("other-recovered.md", save)


def test_a_session_that_saved_or_did_nothing_leaves_nothing_at_its_end(client, root):
    path = Talk(5, root).ask(HOUR, "hello").answer(HOUR, "Hello.").save()
    client.tell("start", transcript=path)
    client.tell("end", transcript=path)
    path = worked(client, root)
    journal(OTHER, started(HOUR, root), (HOUR, "save", {"path": "x"}))
    client.tell("end", OTHER, transcript=path)
    assert saves(client) == []


@pytest.mark.req("A.write.on-session-end")
@pytest.mark.parametrize("opted", [False, True])
def test_the_tracked_file_moves_only_where_the_thread_opted_in(client, root, opted):
    (opted_in if opted else thread)(root)
    path = worked(client, root)
    before = get(root, THREAD)
    client.tell("end", transcript=path)
    after = get(root, THREAD)
    assert (after != before) is opted
    assert ("Repair the login test [draft: claude-code/5f0c2d1e]" in after) is opted
    assert "Use RS256" in after
    assert len(saves(client)) == 1
    assert bool(client.lines("save")) is opted


def test_a_long_transcript_is_left_to_the_next_start(client, root, monkeypatch):
    path = worked(client, root)
    monkeypatch.setattr(conversation, "TAIL", 100)
    client.tell("end", transcript=path)
    assert saves(client) == []
    monkeypatch.undo()


def test_an_end_that_comes_twice_leaves_one_save(client, root):
    path = worked(client, root)
    client.at = 100.0 + client.at
    client.tell("end", transcript=path)
    client.at -= 1
    client.tell("end", transcript=path)
    assert len(saves(client)) == 1


def test_a_thread_that_wants_no_hooks_leaves_nothing(client, root):
    thread(root, checkpointEnabled=False)
    path = worked(client, root)
    client.tell("end", transcript=path)
    assert saves(client) == []


def test_outside_git_it_works_the_same(tmp_path):
    place = str(tmp_path / "plain")
    os.mkdir(place)
    git("init", "--quiet", str(tmp_path / "other"), cwd=str(tmp_path))
    client = Client(place)
    killed(1, place)
    text = client.tell("start").text
    assert "Repair the login test" in text
    assert len(saves(client)) == 1
