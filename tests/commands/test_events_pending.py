"""What was left, at the start of a session: given with the brief, used at the end of its turn."""

from __future__ import annotations

import os

import pytest

from events import AT, DAEMON, OTHER, SESSION, THREAD, bind, thread
from leftoff.core.choose import Pending
from leftoff.core.when import instant, stamp
from leftoff.errors import Busy
from leftoff.world import locks, pending, saves
from leftoff.world.place import find_place
from leftoff.world.store import Store
from projects import TASK, put, put_skill, put_thread
from support import run, snapshot

MEMORY = ".workflow_artifacts/memory"
THIRD = "5f0c2d1e-0000-4000-8000-000000000003"


def aged(path, ago=60.0):
    os.utime(path, (AT - ago, AT - ago))
    return path


def left(client, target, session=OTHER, ago=60.0):
    """A record of this machine, as a save leaves it."""
    store = Store(find_place(client.root), client.state)
    return aged(saves.leave(store, session, target), ago)


def kept_save(client):
    """A save of this machine."""
    return saves.save(Store(find_place(client.root), client.state), "2026-08-07-auth-fix", TASK)


def started(client, session=SESSION, **more):
    answer = client.tell("start", session, **{"source": "startup", **more})
    return answer.text if answer else ""


def trash(client):
    return [n for _, _, names in os.walk(f"{client.state}/trash") for n in names if n[-1] == "t"]


def test_the_one_thing_that_was_left_is_the_brief_and_goes_with_the_end_of_the_turn(client):
    record = left(client, kept_save(client))
    text = started(client)
    assert text.startswith("<leftoff id=2026-08-07-auth-fix-precompact>\nRESUMING:")
    assert "Left for the next session" not in text, "the brief is just that"
    assert os.path.exists(record)
    assert client.now()["offered"] is True
    client.stop(10, why="offered")
    assert not os.path.exists(record)
    assert trash(client) == [os.path.basename(record)]
    assert client.now()["offered"] is False


def test_a_turn_that_failed_uses_nothing_up_and_neither_does_a_session_without_a_turn(client):
    record = left(client, kept_save(client))
    started(client)
    client.stop(10, why="offered", failed="server_error")
    client.tell("end", source="other")
    assert os.path.exists(record)
    assert started(client, THIRD).startswith("<leftoff id=2026-08-07-auth-fix-precompact>")


def test_what_a_live_session_was_given_is_named_to_others_and_not_given_again(client, root):
    put_skill(root)
    client.process = DAEMON
    left(client, kept_save(client))
    started(client)
    text = started(client, THIRD)
    assert text.startswith("<leftoff id=oc-demo>")
    assert f"given to the live session {SESSION}" in text
    assert client.now(THIRD)["offered"] is False
    env = {"LEFTOFF_SESSION": f"claude-code/{THIRD}"}
    assert "RESUMING: oc-demo" in run("resume", "--now", stamp(client.at), cwd=root, env=env).stdout


def test_a_record_in_the_project_is_marked_by_the_hook_and_put_away_by_a_command(client, root):
    path = f"{MEMORY}/checkpoints/2026-08-07-auth-fix.md"
    put(root, path, TASK)
    record = aged(put(root, f"{MEMORY}/pending-restore-{OTHER}.txt", f"{path}\n"))
    before = snapshot(root)
    assert "RESUMING: 2026-08-07-auth-fix" in started(client)
    client.stop(10, why="offered")
    assert snapshot(root) == before
    started(client, THIRD)
    assert client.now(THIRD)["offered"] is False
    run("resume", "--continue", "--now", stamp(client.at), cwd=root)
    assert not os.path.exists(record)


def test_on_a_thread_only_its_own_document_is_given(client, root):
    thread(root)
    record = left(client, kept_save(client))
    text = started(client)
    assert text.startswith(f"<leftoff id={THREAD}>")
    assert client.now()["offered"] is False
    left(client, os.path.join(root, f".checkpoints/threads/{THREAD}/CHECKPOINT.md"), THIRD)
    assert f"<leftoff id={THREAD}>" in started(client, source="resume")
    client.stop(10, why="offered")
    assert os.path.exists(record)
    assert trash(client) == [f"pending-restore-{THIRD}.txt"]


def test_among_several_nothing_is_given_and_all_are_named(client, root):
    put_skill(root)
    left(client, kept_save(client))
    left(client, kept_save(client), THIRD)
    text = started(client)
    assert text.startswith("<leftoff id=oc-demo>")
    assert text.count("by another session, as is usual") == 2


def test_what_a_session_that_still_runs_left_is_named_and_not_given(client, root):
    put_skill(root)
    client.process = DAEMON
    started(client, OTHER)
    left(client, kept_save(client))
    assert started(client).startswith("<leftoff id=oc-demo>")
    client.tell("end", OTHER, source="other")
    assert started(client, THIRD).startswith("<leftoff id=2026-08-07-auth-fix-precompact>")


@pytest.mark.req("X.pending.guards")
def test_what_is_expired_goes_to_the_trash_at_a_start(client, root):
    put_skill(root)
    record = left(client, kept_save(client), ago=31 * 86400.0)
    theirs = put(root, f"{MEMORY}/pending-restore-{THIRD}.txt", "x.md\n")
    aged(theirs, 31 * 86400.0)
    text = started(client)
    assert text.startswith("<leftoff id=oc-demo>")
    assert "Left for the next session" not in text
    assert trash(client) == [os.path.basename(record)]
    assert os.path.exists(theirs)


def test_after_a_compaction_the_same_work_goes_on(client, root):
    put_skill(root)
    left(client, kept_save(client), SESSION)
    assert started(client, source="compact").startswith("<leftoff id=oc-demo>")


def test_a_damaged_target_gives_no_brief_and_no_failure(client):
    path = kept_save(client)
    put("/", path, "no heading")
    record = left(client, path)
    assert "2026-08-07-auth-fix-precompact.md" in started(client)
    client.stop(10)
    assert os.path.exists(record)


def test_a_record_that_the_session_leaves_anew_in_its_turn_is_not_used_up(client):
    path = kept_save(client)
    left(client, path, SESSION)
    started(client, source="resume")
    again = left(client, path, SESSION, ago=0)
    client.stop(10, why="offered")
    assert os.path.exists(again)
    assert client.now()["offered"] is False


@pytest.mark.req("E.behave.memory")
def test_a_session_on_a_thread_hears_first_where_its_memory_is(client, root):
    put_thread(root)
    started(client)
    bind(client)
    text = started(client, source="resume")
    path = f".checkpoints/threads/{THREAD}/CHECKPOINT.md"
    assert text.startswith(
        f"<leftoff id=memory>\nYou do not start from zero: your memory is {path}\n</leftoff>\n"
        f"<leftoff id={THREAD}>\nRESUMING"
    )
    assert len(text.encode()) <= 9500


@pytest.mark.req("C.scope.purpose")
def test_what_one_session_saves_before_a_compaction_another_restores(client, root):
    put(root, "app.py", "print('changed')\n")
    started(client, OTHER)
    client.tell("compacting", OTHER, source="auto")
    client.tell("end", OTHER, source="other")
    record = f"{client.state}/pending/pending-restore-{OTHER}.txt"
    aged(record, -1.0)
    saved = saves.all_saves(Store(find_place(root), client.state))
    assert len(saved) == 1
    env = {"LEFTOFF_SESSION": f"claude-code/{SESSION}"}
    done = run("restore", "--now", stamp(instant("2026-08-08T13:00:00Z")), cwd=root, env=env)
    assert "Resuming task: " in done.stdout
    assert "Branch: main." in done.stdout
    assert not os.path.exists(record)


def test_several_that_were_left_and_match_equally_well_are_told_once(client, root):
    for name in ("auth-a", "auth-b"):
        path = f"{MEMORY}/checkpoints/2026-08-08-{name}.md"
        put(root, path, TASK)
        left(client, os.path.join(root, path), f"s-{name}")
    text = started(client)
    assert text.count("auth-a.md") == text.count("auth-b.md") == 1
    assert "task:2026-08-08-auth-a" not in text
    assert "match equally well (leftoff resume PATH)" in text
    assert text.count("by another session, as is usual") == 2


@pytest.mark.parametrize("by_hook", [True, False])
def test_a_record_cannot_be_left_between_the_look_at_one_and_its_move(client, monkeypatch, by_hook):
    record = left(client, kept_save(client))
    store = Store(find_place(client.root), client.state)
    monkeypatch.setattr(locks, "locked", lambda folder, _=0.0: locks.FolderLock(folder, 0.0))
    refused = []

    def moved(*_: object) -> str:
        with pytest.raises(Busy):
            saves.leave(store, OTHER, "/another")
        refused.append(1)
        return ""

    monkeypatch.setattr(pending, "move_to_trash", moved)
    if by_hook:
        pending.use_up(store, saves.pendings(store)[0].path, AT)
    else:
        one = Pending(record, "", OTHER, os.stat(record).st_mtime, AT)
        pending.put_away(store, one, AT)
    assert refused
