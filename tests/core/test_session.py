"""A session's state, its end, its ghosts and its words: pure functions of facts and a clock."""

from __future__ import annotations

import pytest

from leftoff.core import session as s
from leftoff.core.session import Client, Event, Note, Outcome, Session
from leftoff.core.session_lines import BY_US, session_of
from leftoff.core.stats import Compaction, Stats, Task, Tokens
from leftoff.core.thresholds import DEFAULTS

NOW = 1_794_700_000.0
MINUTE, HOUR = 60.0, 3600.0


def line(at: float, event: str, **more: object) -> dict[str, object]:
    return {"at": at, "event": event, "key": f"{event}-{at}", "by": "1.1", **more}


def journaled(*lines: dict[str, object]) -> Session:
    return session_of("claude-code", "s-1", lines)


def state(one: Session, now: float = NOW) -> str:
    return s.state(one, now, DEFAULTS)


@pytest.mark.req("D.life.active", "D.start.identity", "D.start.git", "D.start.place")
@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact", "a-new-word"])
def test_a_started_session_is_active_with_all_that_its_start_told(source):
    start = line(NOW, "start", source=source, cwd="/p/sub", root="/p", branch="main", commit="a1")
    one = journaled({**start, "mode": "plan", "transcript": "/t.jsonl"})
    assert state(one) == s.ACTIVE
    assert (one.source, one.branch, one.commit) == (source, "main", "a1")
    assert (one.cwd, one.mode, one.transcript) == ("/p/sub", "plan", "/t.jsonl")


@pytest.mark.req("D.start.git", "D.start.place")
def test_what_a_start_does_not_know_is_empty_and_no_error():
    one = journaled(line(NOW, "start", branch=None, commit=None, transcript=None))
    assert (one.branch, one.commit, one.transcript, one.mode) == ("", "", "", "")


@pytest.mark.req("D.life.stale")
def test_an_hour_without_a_sign_is_not_stale_and_a_second_more_is():
    one = journaled(line(NOW, "start"))
    assert state(one, NOW + 60 * MINUTE) == s.ACTIVE
    assert state(one, NOW + 60 * MINUTE + 1) == s.STALE
    assert state(one._replace(alive=False), NOW + 60 * MINUTE + 1) == s.STALE


def test_while_its_process_lives_a_session_is_never_stale():
    one = journaled(line(NOW, "start"))._replace(alive=True)
    assert state(one, NOW + 30 * 24 * HOUR) == s.ACTIVE


@pytest.mark.req("D.life.recent", "D.life.prune")
def test_an_ended_session_is_recent_for_seventy_two_hours_and_then_archived():
    one = journaled(line(NOW - 60, "start"), line(NOW, "end", source="clear"))
    assert state(one, NOW + 72 * HOUR) == s.RECENT
    assert state(one, NOW + 72 * HOUR + 1) == s.ARCHIVED


def test_the_limits_are_the_settings():
    one = journaled(line(NOW, "start"))
    assert s.state(one, NOW + 11, {**DEFAULTS, "stale.session": 10}) == s.STALE


def test_a_session_without_a_journal_is_never_stale_but_ended_with_its_last_line():
    one = Session("codex", "c-1", started=NOW - 600, seen=NOW, origin=s.TRANSCRIPT)
    assert state(one, NOW + HOUR) == s.ACTIVE
    assert state(one, NOW + HOUR + 1) == s.RECENT
    assert state(one, NOW + 72 * HOUR + 1) == s.ARCHIVED
    over = s.settled(one, NOW + HOUR + 1, DEFAULTS)
    assert (over.ended, over.reason) == (NOW, "other")


@pytest.mark.req("D.end.duration", "D.life.auto", "D.end.uncommitted")
def test_start_and_end_alone_make_a_complete_entry():
    end = line(NOW + 42 * MINUTE, "end", source="prompt_input_exit", dirty=2)
    one = journaled(line(NOW, "start"), end)
    assert (one.duration / MINUTE, one.reason, one.dirty) == (42, "prompt_input_exit", 2)
    assert state(one, NOW + 43 * MINUTE) == s.RECENT
    assert not s.is_ghost(one)
    assert journaled(line(NOW, "start"), line(NOW, "end", dirty=None)).dirty is None


@pytest.mark.req("X.session.dry-run")
@pytest.mark.parametrize(
    ("word", "reason"),
    [
        *((word, word) for word in s.REASONS),
        *(("ended", "other"), ("zombie", "crash"), ("exit", "prompt_input_exit")),
        *(("", "other"), ("bypass_permissions_disabled", "other")),
    ],
)
def test_an_end_reason_is_always_within_the_known_set(word, reason):
    assert journaled(line(NOW, "start"), line(NOW, "end", source=word)).reason == reason


def reconciled(*before: dict[str, object], now: float) -> Session:
    last = max(float(str(each["at"])) for each in before)
    return journaled(*before, line(now, "end", source="crash", by_us=BY_US, last=last))


@pytest.mark.req("D.stale.crash")
def test_a_session_that_was_found_dead_ended_when_it_was_last_seen_and_stays_listed():
    one = reconciled(line(NOW, "start"), line(NOW + 60, "prompt"), now=NOW + 100 * HOUR)
    assert (one.ended, one.duration, one.reason) == (NOW + 60, 60, "crash")
    assert state(one, NOW + 101 * HOUR) == s.RECENT
    assert state(one, NOW + 172 * HOUR + 1) == s.ARCHIVED


def test_a_sign_of_life_undoes_what_reconciliation_believed():
    dead = [line(NOW, "start"), line(NOW + 60, "prompt")]
    one = reconciled(*dead, now=NOW + 2 * HOUR)
    assert one.ended
    ended = line(NOW + 2 * HOUR, "end", source="timeout", by_us=BY_US, last=NOW + 60)
    assert not journaled(*dead, ended, line(NOW + 3 * HOUR, "stop")).ended


def test_a_clients_own_end_wins_over_ours_and_a_late_word_after_it_changes_nothing():
    ours = line(NOW + 10, "end", source="crash", by_us=BY_US, last=NOW)
    own = line(NOW + 20, "end", source="logout")
    assert journaled(line(NOW, "start"), ours, own).reason == "logout"
    assert journaled(line(NOW, "start"), own, {**ours, "at": NOW + 30}).reason == "logout"
    assert journaled(line(NOW, "start"), own, line(NOW + 21, "stop")).ended == NOW + 20


def test_a_session_that_is_resumed_runs_again_with_its_first_start():
    first, end = line(NOW, "start", source="startup", pid=7), line(NOW + 60, "end", source="exit")
    again = line(NOW + 90, "start", source="resume", pid=8, branch="side")
    one = journaled(first, end, again)
    assert (one.ended, one.started, one.source) == (0, NOW, "startup")
    assert (one.client.pid, one.branch) == (8, "side")


def test_a_journal_that_begins_anew_with_its_first_line_is_no_new_start():
    first, end = line(NOW, "start"), line(NOW + 60, "end", source="exit")
    one = journaled(first, end, {**first, "key": ""})
    assert (one.ended, len(one.events)) == (NOW + 60, 2)


def test_a_start_that_comes_after_its_first_prompt_still_tells_where_it_was():
    one = journaled(line(NOW + 1, "prompt"), line(NOW, "start", branch="main", commit="abc"))
    assert (one.branch, one.commit, one.started) == ("main", "abc", NOW)


def test_lines_of_odd_values_never_break_the_rest():
    odd = [
        {"at": "x", "event": "start"},
        {"at": NOW, "event": "start", "pid": "7", "branch": 3, "attended": "yes"},
        {"at": NOW + 1, "event": "note", "decisions": "x", "next": [1, "go"], "text": None},
        {"at": NOW + 2, "event": "unheard-of"},
    ]
    one = journaled(*odd)
    assert (one.skipped, one.seen, one.client.pid, one.attended) == (1, NOW + 2, 0, None)
    assert one.notes == (Note(NOW + 1, "", (), ("go",)),)


HELLO = (line(NOW, "start", entrypoint="sdk-ts"), line(NOW + 1, "prompt"), line(NOW + 2, "end"))


def test_the_throw_away_session_of_hapi_is_a_ghost_and_a_real_one_is_not():
    assert s.is_ghost(journaled(*HELLO))
    by_link = {**line(NOW, "start"), "hapi": "h-1"}
    assert s.is_ghost(journaled(by_link, *HELLO[1:]))
    assert not s.is_ghost(journaled(*HELLO[:2]))
    assert not s.is_ghost(journaled(*HELLO[:2], line(NOW + 2, "stop"), HELLO[2]))
    assert not s.is_ghost(journaled(line(NOW, "start"), *HELLO[1:]))
    assert not s.is_ghost(journaled(*HELLO)._replace(stats=Stats(answers=1)))
    greeted = Stats(prompts=1, answers=1, asked="hello")
    assert s.is_ghost(journaled(*HELLO)._replace(stats=greeted))
    assert not s.is_ghost(journaled(*HELLO)._replace(stats=greeted._replace(commands=1)))


def test_a_client_that_was_opened_and_died_unused_is_a_ghost():
    one = journaled(line(NOW, "start"))
    assert not s.is_ghost(one)
    assert not s.is_ghost(one._replace(alive=True))
    assert s.is_ghost(one._replace(alive=False))
    assert not s.is_ghost(one._replace(alive=False, stats=Stats(prompts=1)))


def test_a_transcript_without_a_prompt_or_with_the_bare_hello_is_a_ghost():
    def told(**figures: object) -> Session:
        return Session("claude-code", "x", origin=s.TRANSCRIPT, stats=Stats(**figures))

    assert s.is_ghost(told())
    assert s.is_ghost(told(prompts=1, asked="hello"))
    assert not s.is_ghost(told(prompts=1, asked="hello", answers=1))
    assert not s.is_ghost(told(prompts=1, asked="say hello"))
    assert s.is_ghost(told(lines=2, skipped=1))
    assert not s.is_ghost(told(lines=2, skipped=2))


def test_only_what_is_stale_or_known_dead_can_be_closed():
    one, later = journaled(line(NOW, "start"), line(NOW, "prompt")), NOW + HOUR + 1
    closable = [s.is_closable(one._replace(alive=a), NOW, DEFAULTS) for a in (True, None, False)]
    assert closable == [False, False, True]
    assert s.is_closable(one, later, DEFAULTS)
    assert not s.is_closable(one._replace(origin=s.TRANSCRIPT), later, DEFAULTS)
    assert s.closing_reason(one._replace(alive=False)) == "crash"
    assert s.closing_reason(one) == "timeout"


def test_a_silent_client_that_is_gone_crashed_only_within_a_turn():
    one = journaled(line(NOW, "start"))._replace(alive=False)
    within = journaled(line(NOW, "start"), line(NOW, "prompt"))._replace(alive=False)
    after = journaled(
        line(NOW, "start"), line(NOW, "prompt"), line(NOW, "stop"), line(NOW, "recover")
    )._replace(alive=False)
    reasons = [s.closing_reason(each, silent=True) for each in (one, within, after)]
    assert reasons == ["other", "crash", "other"]
    assert s.closing_reason(after) == "crash"
    assert s.closing_reason(after._replace(alive=None), silent=True) == "timeout"


@pytest.mark.req("D.stat.generated")
@pytest.mark.parametrize(
    ("figures", "text"),
    [
        (
            {"tasks": (Task("a", "completed"), Task("b", "completed")), "files": ("x",)},
            "Completed 2 tasks; Modified 1 file",
        ),
        ({"files": ("x", "y"), "commits": 1}, "Modified 2 files; Made 1 commit"),
        ({"subagents": 2}, "Launched 2 subagents"),
        ({}, ""),
    ],
)
def test_accomplishments_are_counted_where_nobody_gave_them(figures, text):
    assert s.accomplished(Session("a", "b", stats=Stats(**figures))) == text


@pytest.mark.req("D.end.accomplishments", "D.stat.generated")
def test_a_given_text_wins_and_outcomes_are_part_of_a_generated_one():
    files = Stats(files=("x",))
    worked = Session("a", "b", stats=files, outcomes=(Outcome("auth"), Outcome("docs")))
    assert s.accomplished(worked) == "Modified 1 file; Worked on auth, docs"
    assert s.accomplished(worked._replace(notes=(Note(1, "Signed the tokens"),))) == (
        "Signed the tokens"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Completed 1 task; Modified 12 files", "<Completed {n} task 1>; <Modified {n} files 12>"),
        (
            "Made 2 commits; Worked on auth, docs",
            "<Made {n} commits 2>; <Worked on {names} auth, docs>",
        ),
        ("Modified many files; Worked", "Modified many files; Worked"),
        ("so 1 file; Modified 1 file or 2", "so 1 file; Modified 1 file or 2"),
        ("7; Modified 12; 3 files", "7; Modified 12; 3 files"),
        ("", ""),
    ],
)
def test_what_was_counted_is_said_to_its_reader_and_given_words_stay(text, shown):
    def say(text, /, **values):
        return f"<{text} {' '.join(map(str, values.values()))}>"

    assert s.achieved(text, say) == shown


@pytest.mark.req("D.during.outcomes")
def test_outcomes_are_tracked_with_task_and_time_the_last_one_last():
    one = journaled(
        line(NOW, "start"),
        line(NOW + 1, "note", outcome="auth", task="Read"),
        line(NOW + 2, "note", outcome="docs"),
        line(NOW + 3, "note", outcome="auth"),
        line(NOW + 4, "note", task="Write"),
    )
    assert one.outcomes == (Outcome("docs", "", NOW + 2), Outcome("auth", "Write", NOW + 4))


def test_decisions_add_up_and_the_last_list_of_next_steps_counts():
    notes = (Note(1, decisions=("A",), next=("x", "y")), Note(2, decisions=("B", "A"), next=("z",)))
    one = Session("a", "b", notes=notes)
    assert (s.decisions(one), s.next_steps(one)) == (("A", "B"), ("z",))


def test_a_session_inherits_the_thread_of_the_one_it_continues():
    told = {"first": ("thread-1", "before"), "cleared": ("", "first"), "forked": ("", "cleared")}
    told |= {"alone": ("", ""), "lost": ("", "nobody"), "circle": ("", "circle")}
    found = [s.thread_by_descent(one, lambda name: told.get(name, ("", ""))) for one in told]
    assert found == ["thread-1", "thread-1", "thread-1", "", "", ""]


def test_a_note_on_an_ended_session_does_not_make_it_look_alive():
    end = line(NOW + 60, "end", source="exit")
    one = journaled(line(NOW, "start"), end, line(NOW + 9000, "note", text="Done"))
    assert (one.ended, one.seen, one.notes[0].text) == (NOW + 60, NOW + 60, "Done")


def test_what_reconciliation_counted_stands_in_for_a_transcript_that_is_gone():
    last = line(NOW + 9, "end", source="crash", by_us=BY_US, last=NOW, tokens=[1, 2, 3, 4])
    assert journaled(line(NOW, "start"), last).stats.tokens == Tokens(1, 2, 3, 4)


def test_the_open_tasks_begin_with_the_one_in_progress():
    tasks = (Task("a", "pending"), Task("b", "completed"), Task("c", "in_progress"))
    one = Session("x", "y", client=Client(1), events=(Event(1, "start"),), stats=Stats(tasks=tasks))
    assert s.open_tasks(one) == ("c", "a")


def test_saves_compactions_and_a_crash_are_marked_in_the_order_of_time():
    events = (Event(5.0, "save"), Event(3.0, "compacted"), Event(1.0, "prompt"))
    one = Session("a", "b", events=events, ended=9.0, reason="crash")
    assert [tuple(mark) for mark in s.marks(one)] == [
        (3.0, "compaction"),
        (5.0, "save"),
        (9.0, "crash"),
    ]
    told = one._replace(stats=Stats(compactions=(Compaction(4.0),)), reason="other")
    assert [tuple(mark) for mark in s.marks(told)] == [(4.0, "compaction"), (5.0, "save")]


def test_of_very_many_marks_the_last_are_told():
    one = Session("a", "b", events=tuple(Event(float(n), "save") for n in range(1, 500)))
    assert len(s.marks(one)) == s.MARKS
    assert s.marks(one)[-1].at == 499.0


@pytest.mark.parametrize("tokens", [["1", 2, 3, 4], [1, 2], "x", None])
def test_figures_of_an_end_that_are_none_count_nothing(tokens):
    told = journaled(line(NOW, "end", tokens=tokens, commits=2))
    assert told.stats == journaled(line(NOW, "end")).stats
