"""Claude Code in all the ways in which a session begins, goes on, shrinks, splits and dies."""

from __future__ import annotations

import os
import signal
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest

from clients import work
from clients.box import Box, end, program, wait_for, wait_for_us
from clients.driver import Run
from clients.drivers import CLAUDE
from clients.fake_model import Step
from clients.terminal import terminal
from clients.wires import Call, Reply, Use

SUMMARY = "<analysis>a</analysis><summary>THE-SUMMARY of the talk</summary>"


def events(box: Box, session: str) -> list[str]:
    return [line["event"] for line in work.journal(box, CLAUDE, session)]


def bind(box: Box, run: Run) -> str:
    """The session takes up a thread, by a command of its own; the thread's name."""
    command = CLAUDE.shell("leftoff resume chk-tokens")
    box.model.script(Step(Reply(calls=(command,)), prompt="Resume."))
    CLAUDE.go_on(box, run, "Resume.")
    thread = work.info(box, CLAUDE, run.session)["thread"]
    assert thread
    return str(thread)


def test_a_resumed_session_keeps_its_id_and_its_thread(box: Box):
    work.prepare(box, CLAUDE)
    work.leave_a_checkpoint(box, "thread")
    run = work.do(box, CLAUDE)
    thread = bind(box, run)
    CLAUDE.go_on(box, run, "Go on.")
    facts = work.info(box, CLAUDE, run.session)
    assert facts["thread"] == thread
    starts = [line for line in work.journal(box, CLAUDE, run.session) if line["event"] == "start"]
    assert [line["source"] for line in starts] == ["startup", "resume", "resume"]


def test_a_fork_is_a_session_of_its_own_on_the_same_thread(box: Box):
    work.prepare(box, CLAUDE)
    work.leave_a_checkpoint(box, "thread")
    run = work.do(box, CLAUDE)
    thread = bind(box, run)
    fork = CLAUDE.run(box, "Another way.", "--resume", run.session, "--fork-session")
    assert fork.session != run.session
    facts = work.info(box, CLAUDE, fork.session)
    assert facts["thread"] == thread
    assert facts["parent"] == run.session
    assert {each["id"] for each in work.listed(box)} == {run.session, fork.session}


def test_clear_ends_a_session_and_the_next_one_stays_on_its_thread(box: Box):
    work.prepare(box, CLAUDE)
    work.leave_a_checkpoint(box, "thread")
    bound = CLAUDE.shell("leftoff resume chk-tokens")
    box.model.script(Step(Reply(calls=(bound,)), prompt="First question"))
    ask_first = ("--permission-mode", "manual")
    with terminal(box, program("claude"), *ask_first, env=CLAUDE.env(box)) as screen:
        wait_for("the prompt", lambda: "❯" in screen.drawn)
        screen.type("First question")
        wait_for_us("the answer", lambda: "stop" in all_events(box))
        screen.type("/clear")
        wait_for_us("the new session", lambda: len(work.listed(box)) == 2)
        screen.type("Second question")
        wait_for_us("the second answer", lambda: all_events(box).count("stop") == 2)
    new, old = work.listed(box)
    assert (old["reason"], new["source"], new["parent"]) == ("clear", "clear", old["id"])
    assert new["thread"] == old["thread"] is not None


def all_events(box: Box) -> list[str]:
    folder = os.path.join(box.state, "sessions", CLAUDE.agent)
    names = os.listdir(folder) if os.path.isdir(folder) else []
    sessions = [name[:-6] for name in names if name.endswith(".jsonl")]
    return [event for session in sessions for event in events(box, session)]


def test_a_manual_compaction_is_saved_before_and_counted_after(box: Box):
    work.prepare(box, CLAUDE)
    work.leave_a_checkpoint(box)
    run = work.do(box, CLAUDE)
    box.model.script(Step(Reply(SUMMARY), prompt="<summary> block"))
    CLAUDE.go_on(box, run, "/compact keep the names of files")
    check_compaction(box, run.session, "manual")


def test_an_automatic_compaction_is_saved_before_and_counted_after(box: Box):
    work.prepare(box, CLAUDE)
    work.leave_a_checkpoint(box)
    steps = [
        Step(Reply(f"Step {size}.", (CLAUDE.shell(f"seq 1 {4000 + size // 1000}"),), use=Use(size)))
        for size in (20_000, 40_000, 60_000, 80_000)
    ]
    box.model.script(Step(Reply(SUMMARY), prompt="<summary> block"), *steps)
    run = CLAUDE.run(box, "Count.", "--autocompact", "100000")
    check_compaction(box, run.session, "auto")


def check_compaction(box: Box, session: str, trigger: str) -> None:
    """In the client's order: ahead, the summary, and the session that starts anew with it."""
    lines = work.journal(box, CLAUDE, session)
    words = [line["event"] for line in lines]
    ahead = words.index("compacting")
    assert words[ahead + 1] == "summary"
    assert "compacted" in words[ahead + 2 :]
    assert lines[ahead]["source"] == trigger
    assert lines[ahead + 1]["chars"] >= len("THE-SUMMARY of the talk")
    assert os.path.exists(lines[ahead]["save"])
    facts = work.info(box, CLAUDE, session)
    assert [each["trigger"] for each in facts["compactions"]] == [trigger]


def test_a_subagents_work_belongs_to_its_parent(box: Box):
    work.prepare(box, CLAUDE)
    task = {"description": "count", "prompt": "SUBTASK: count files", "run_in_background": False}
    agent = Call("Agent", task | {"subagent_type": "general-purpose"})
    box.model.script(
        Step(Reply(calls=(agent,), use=Use(100, 10)), prompt="Delegate."),
        Step(Reply(calls=(CLAUDE.shell("ls"),), use=Use(200, 20)), prompt="SUBTASK"),
        Step(Reply("One file.", use=Use(300, 30)), after="Bash", text="SUBTASK"),
        Step(Reply("Delegated.", use=Use(400, 40)), after="Agent"),
    )
    run = CLAUDE.run(box, "Delegate.", "--allowedTools", "Agent,Bash")
    facts = work.info(box, CLAUDE, run.session)
    assert (facts["subagentsLaunched"], facts["commands"], facts["prompts"]) == (1, 1, 1)
    assert (facts["tokens"]["input"], facts["tokens"]["output"]) == (1000, 100)
    assert [each["id"] for each in work.listed(box)] == [run.session]


@pytest.mark.req("X.session.dry-run")
def test_a_killed_session_is_found_and_closed_with_its_figures(box: Box):
    work.prepare(box, CLAUDE)
    first, second, third = work.script(box, CLAUDE)
    never = Event()
    third.reply = Reply("Too late.", hold=never)
    box.model.script(first, second, third)
    process = CLAUDE.start(box, work.PROMPT)
    wait_for("the last request", lambda: len(box.model.asked) == 3)
    wait_for("the edit on disk", lambda: transcripts(box).count(b'"type":"tool_result"') == 2)
    end(process, signal.SIGKILL)
    never.set()
    (seen,) = work.listed(box)
    assert (seen["state"], seen["alive"], seen["ended"]) == ("active", False, None)
    (later,) = work.listed(box, "--now", in_two_hours())
    assert later["state"] == "stale"
    before = snapshot(box)
    planned = box.facts("session", "reconcile", "--dry-run")
    assert snapshot(box) == before
    done = box.facts("session", "reconcile")
    assert [each["id"] for each in planned["plan"]] == [seen["id"]]
    assert done["plan"] == planned["plan"]
    facts = work.info(box, CLAUDE, seen["id"])
    assert facts["reason"] == "crash"
    assert facts["filesModified"] == [work.FILE]
    assert facts["tokens"]["output"] == sum(each.output for each in work.uses(CLAUDE)[:2])
    assert not box.facts("session", "reconcile")["plan"]


def in_two_hours() -> str:
    return (datetime.now(UTC) + timedelta(hours=2)).isoformat()


def transcripts(box: Box) -> bytes:
    """All that Claude Code has written down; it does so a little later than it acts."""
    found = box.files()
    return b"".join(found[path] for path in found if path.endswith(".jsonl"))


def snapshot(box: Box) -> dict[str, bytes]:
    """Every journal, byte for byte."""
    folder = os.path.join(box.state, "sessions", CLAUDE.agent)
    found = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            found[name] = file.read()
    return found


@pytest.mark.req("X.session.identity")
def test_two_sessions_at_once_in_one_project_do_not_mix(box: Box):
    work.prepare(box, CLAUDE)
    prompts = ("Work on the first.", "Work on the second.")
    both = Event()
    steps = []
    for prompt, file in zip(prompts, ("first.txt", "second.txt"), strict=True):
        look, edit, answer = work.script(box, CLAUDE, prompt, file)
        look.reply = Reply(look.reply.text, look.reply.calls, use=look.reply.use, hold=both)
        steps += [look, edit, answer]
    box.model.script(*steps)
    running = [CLAUDE.start(box, prompt) for prompt in prompts]
    wait_for("both prompts", lambda: len(box.model.asked) == 2)
    both.set()
    ids = [CLAUDE.session(box.finish(process).stdout) for process in running]
    assert len(set(ids)) == 2
    for session, file in zip(ids, ("first.txt", "second.txt"), strict=True):
        facts = work.info(box, CLAUDE, session)
        assert facts["filesModified"] == [file]
        assert facts["prompts"] == 1
        assert facts["tokens"] == work.totals(CLAUDE)


def test_a_session_in_a_subfolder_belongs_to_the_project(box: Box):
    work.prepare(box, CLAUDE)
    work.leave_a_checkpoint(box)
    below = os.path.join(box.repo, "deep", "down")
    os.makedirs(below)
    run = work.do(box, CLAUDE, cwd=below)
    assert box.model.given(work.NEXT)
    assert [each["id"] for each in work.listed(box)] == [run.session]
    assert work.info(box, CLAUDE, run.session)["root"] == box.repo


def test_a_session_that_keeps_no_transcript_is_known_by_its_journal(box: Box):
    work.prepare(box, CLAUDE)
    run = work.do(box, CLAUDE, "--no-session-persistence")
    (seen,) = work.listed(box)
    assert (seen["id"], seen["branch"], seen["reason"]) == (run.session, "main", "other")
    assert events(box, run.session) == ["start", "prompt", "stop", "end"]
