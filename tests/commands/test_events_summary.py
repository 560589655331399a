"""A compaction: what is saved before it, and what its summary lost."""

from __future__ import annotations

import json
import os

import pytest

from events import AT, OTHER, SESSION, THREAD, thread
from leftoff.world import now_file
from leftoff.world.busy_marker import SAVE, marked
from leftoff.world.files import read_bytes
from leftoff.world.place import find_place
from leftoff.world.store import Store
from projects import get, put, put_skill
from support import git, snapshot


@pytest.mark.req("C.hook.precompact")
def test_before_a_compaction_state_is_saved_on_this_machine_and_a_record_left(client, root):
    thread(root)
    put(root, "new.py", "password = 'not to be kept'\n")
    before = snapshot(root)
    client.tell("start")
    answer = client.tell("compacting", source="auto", size=5)
    assert answer.verb == "context"
    assert "Use RS256" in answer.text
    assert snapshot(root) == before
    (line,) = client.lines("compacting")
    assert os.path.basename(line["save"]) == "2026-08-08-重构认证模块-precompact.md"
    assert os.stat(line["save"]).st_mode & 0o777 == 0o600
    text = get("/", line["save"])
    assert "- new.py [draft: claude-code/5f0c2d1e]" in text
    assert "not to be kept" not in text
    assert get(client.state, f"pending/pending-restore-{SESSION}.txt") == f"{line['save']}\n"
    assert line["save"] in client.tell("start", OTHER).text


@pytest.mark.req("C.pidfile.purpose")
def test_while_a_save_of_the_session_runs_the_summariser_is_told_so_and_nothing_blocks(
    client, root
):
    thread(root)
    client.tell("start")
    store = Store(find_place(root, ""), client.state)
    warned = client.tell("compacting", source="auto", size=5)
    with marked(store, SAVE, ("claude-code", SESSION), AT):
        sure = client.tell("compacting", source="auto", size=9)
    with marked(store, SAVE, ("claude-code", OTHER), AT):
        again = client.tell("compacting", source="auto", size=13)
    assert "Nobody is saving this session" in warned.text
    assert "A save of this session is running" in sure.text
    assert warned.text == again.text != sure.text
    assert {warned.verb, sure.verb} == {"context"}
    assert "Use RS256" in sure.text


@pytest.mark.req("C.pidfile.purpose")
def test_a_save_that_runs_is_spoken_of_even_where_nothing_else_is_known(client, root):
    client.tell("start")
    store = Store(find_place(root, ""), client.state)
    assert client.tell("compacting", source="auto", size=5) is None
    with marked(store, SAVE, ("claude-code", SESSION), AT):
        assert "A save of this session" in client.tell("compacting", source="auto", size=9).text


def test_two_compactions_of_one_day_keep_both_saves(client, root):
    thread(root)
    client.tell("start")
    client.tell("compacting", source="auto", size=5)
    client.tell("compacting", source="auto", size=9)
    saved = [line["save"] for line in client.lines("compacting")]
    assert len(set(saved)) == 2
    assert all(map(os.path.isfile, saved))


def test_after_a_compaction_the_brief_comes_again_with_what_the_summary_lost_once(client, root):
    thread(root)
    client.tell("start", source="startup")
    client.tell("compacting", source="auto", size=5)
    assert client.tell("summary", answer="We changed things.", size=5) is None
    text = client.tell("start", source="compact", size=9).text
    assert text.startswith(f"<leftoff id={THREAD}>")
    assert "does not mention:\nDecisions:\n- Use RS256" in text
    assert client.prompt(20, why="old") is None
    assert client.tell("compacted", source="auto", answer="We changed things.", size=9) is None
    assert client.prompt(20, why="old") is None


def test_a_summary_that_comes_late_is_compared_and_told_with_the_next_prompt(client, root):
    thread(root)
    client.tell("start", source="startup")
    client.tell("compacting", source="manual", size=5)
    client.tell("compacted", source="manual", answer="We changed things.", size=9)
    assert now_file.is_old(client.now())
    assert "- Use RS256" in client.prompt(20, why="old").text
    assert not now_file.is_old(client.now())
    assert client.prompt(20, why="old") is None


def test_a_summary_that_only_the_transcript_tells_is_compared_too(client, root, tmp_path):
    thread(root)
    log = str(tmp_path / "rollout.jsonl")
    line = {"type": "compacted", "payload": {"message": "We changed things."}}
    put("/", log, f'{{"type": "other", "payload": "\\"compacted\\""}}\n{json.dumps(line)}\n')
    client.tell("start", source="startup")
    client.tell("compacting", source="auto", size=5)
    client.tell("compacted", source="auto", size=9)
    text = client.tell("start", source="compact", transcript=log, size=9).text
    assert "does not mention:\nDecisions:\n- Use RS256" in text
    assert client.lines("summary")[0]["chars"] == 18


def test_a_summary_that_lost_nothing_is_not_spoken_of(client, root):
    thread(root)
    client.tell("start")
    client.tell("summary", answer="RS256 it is. Next: write the middleware and the docs.", size=5)
    text = client.tell("start", source="compact", size=9).text
    assert "does not mention" not in text


def test_what_another_person_wrote_is_not_held_against_a_summary_unasked(client, root):
    put_skill(root)
    git("add", "--all", cwd=root)
    git("-c", "user.email=other@example.invalid", "commit", "--quiet", "-m", "Theirs", cwd=root)
    client.tell("start")
    assert client.tell("compacting", source="auto", size=5) is None
    client.tell("summary", answer="We changed things.", size=5)
    assert "Stack: Hono" not in client.tell("start", source="compact", size=9).text


def test_without_a_thread_the_checkpoint_at_hand_counts(client, root):
    put_skill(root)
    client.tell("start")
    assert "Stack: Hono" in client.tell("compacting", source="auto", size=5).text
    client.tell("summary", answer="We changed things.", size=5)
    text = client.tell("start", source="compact", size=9).text
    assert "does not mention:\nDecisions:\n- Stack: Hono" in text


def test_no_word_of_a_summary_is_kept(client, root):
    thread(root)
    client.tell("start")
    client.tell("summary", answer="Our very own words.", size=5)
    assert not [path for path in snapshot(client.state) if b"very own" in read_bytes(path)]
    assert client.lines("summary")[0]["chars"] == 19


@pytest.mark.parametrize("seen_first_at", ["prompt", "stop"])
def test_a_compaction_that_nobody_announced_is_spoken_of_once(client, seen_first_at):
    client.tell("start")
    client.prompt(80)
    if seen_first_at == "stop":
        assert client.stop(20, why="fell") is None
        assert now_file.is_old(client.now())
    answer = client.prompt(20, why="fell" if seen_first_at == "prompt" else "old")
    assert "its summary was not shown" in answer.text
    assert client.prompt(21, why="old") is None
    assert not now_file.is_old(client.now())
