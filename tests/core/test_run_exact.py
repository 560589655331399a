"""Runs, notices, the end of an action, lineage, merges and sessions at their borders."""

from __future__ import annotations

import pytest

from leftoff.commands import plainly
from leftoff.core import context_notice
from leftoff.core import run as r
from leftoff.core.finish_action import choose, same, told
from leftoff.core.handoff import MOST_FILES, Git, _dirty, _repository
from leftoff.core.lineage import (
    active_below,
    drawing,
    forest,
    mark_authors,
    parents_of,
    unknown_parent,
)
from leftoff.core.merge import _frozen, kept_open, label, merge
from leftoff.core.model import Checkpoint, Item
from leftoff.core.session import (
    TRANSCRIPT,
    Event,
    Note,
    Session,
    accomplished,
    is_closable,
    is_ghost,
    newest_first,
    next_steps,
    thread_by_descent,
)
from leftoff.core.stats import Stats, Task
from leftoff.core.stream import Glance
from leftoff.core.thresholds import DEFAULTS
from leftoff.errors import NotFound

# Runs


def test_the_question_of_a_run_is_the_first_that_waits_for_a_person():
    waits = {"needs": "user_decision"}
    c = Checkpoint("x", blockers=(Item("a"), Item("b", attrs=waits), Item("c", attrs=waits)))
    assert r.question(c) == "b"
    assert r.question(Checkpoint("x", blockers=(Item("a"),))) == ""


def run_line(what, **given):
    return {"event": "run", "what": what, **given}


def test_a_run_is_what_its_lines_say():
    begun = r.told([run_line(r.BEGIN, thread="t", at=5, open=["a", "b"], step="a", free=True)])
    assert begun == r.Run("t", True, 5.0, frozenset("ab"), frozenset("a"), 0, True)
    went = r.after(begun, run_line(r.WENT_ON, open=["c"], step="b", done=2))
    assert (went.seen, went.started, went.done) == (frozenset("abc"), frozenset("ab"), 2)
    assert (went.gone_on, went.free) == (1, False)
    assert r.after(went, run_line(r.WENT_ON, done=1)).done == 2
    assert r.after(went, run_line(r.WENT_ON, done="x")).gone_on == 2
    asked = r.after(went._replace(free=True), {"event": "prompt"})
    assert (asked.gone_on, asked.free) == (0, False)
    assert r.after(went, {"event": "bind", "thread": "t"}) == went
    assert r.after(went, {"event": "bind", "thread": "other"}) == r.Run("other")
    assert r.after(went, {"event": "bind"}) == r.Run("")
    again = r.after(went, run_line(r.AGAIN, at="x", open=["d"]))
    assert (again.seen, again.since, again.gone_on, again.on) == (frozenset("abcd"), 0.0, 0, True)
    assert r.after(went, run_line("what")) == went


def test_a_run_that_stopped_says_why_and_is_told_once():
    on = r.Run("t", on=True, free=True, told=True)
    stopped = r.after(on, run_line(r.STOPPED, why=r.WAITING))
    assert (stopped.on, stopped.free, stopped.why, stopped.told) == (False, False, r.WAITING, False)
    assert r.after(on, run_line(r.STOPPED, why="odd")).why == r.NO_PROGRESS
    assert r.after(stopped, run_line(r.TOLD)).told is True


def test_a_run_stops_at_its_limits_and_not_before():
    steps = (r.Step("a", "A", 1), r.Step("b", "B", 2), r.Step("c", "C", 0))
    run = r.Run("t", on=True, seen=frozenset("abc"), started=frozenset("ac"))
    facts = r.Facts(steps)
    go = r.after_step(run, facts)
    assert (go.verb, go.step, go.started, go.done, go.left) == (r.GO, steps[0], 2, 1, 2)
    assert r.after_step(run, facts._replace(failures={"a": r.ATTEMPTS - 1})).verb == r.GO
    failed = r.after_step(run, facts._replace(failures={"a": r.ATTEMPTS}))
    assert (failed.why, failed.attempts) == (r.FAILED, r.ATTEMPTS)
    assert r.after_step(run, facts._replace(most=2)).verb == r.GO
    most = r.after_step(run, facts._replace(most=1))
    assert (most.why, most.started) == (r.MAX_STEPS, 1)
    assert r.after_step(run, facts._replace(budget=5, spent=5)).verb == r.GO
    assert r.after_step(run, facts._replace(budget=5, spent=6)).why == r.BUDGET
    assert r.after_step(run, facts._replace(budget=1, spent=2)).why == r.BUDGET
    assert r.after_step(run, facts._replace(budget=0, spent=6)).verb == r.GO


def test_how_a_run_ended_is_told_with_what_holds_now():
    facts = r.Facts((r.Step("a", "A", 1),), question="why?", failures={"a": r.ATTEMPTS + 2})
    made = r.ended(r.Run(why=r.FAILED), facts._replace(question=""))
    assert (made.why, made.attempts) == (r.FAILED, r.ATTEMPTS + 2)
    assert r.ended(r.Run(why=r.FAILED), facts).attempts == r.ATTEMPTS
    made = r.ended(r.Run(why=r.WORD), facts._replace(question=""))
    assert (made.why, made.attempts, made.question) == (r.WORD, 0, "")


def test_a_run_begins_anew_where_it_had_all_its_steps():
    assert [r.begins_anew(r.Run(why=why)) for why in ("", r.MAX_STEPS, r.NO_STEPS, r.WORD)] == [
        *(True, True, True, False)
    ]


# Notices


def journal(*events):
    return [{"event": event, **given} for event, given in events]


ADVISED = ("notice", {"what": context_notice.ADVISED})


@pytest.mark.parametrize(
    ("events", "spoken"),
    [
        ([], False),
        ([ADVISED], True),
        ([("notice", {"what": "other"})], False),
        ([("prompt", {"what": context_notice.ADVISED})], False),
        ([ADVISED, ("prompt", {"context": 1, "window": 100})], False),
        ([ADVISED, ("prompt", {"context": 65, "window": 100})], True),
        ([ADVISED, ("prompt", {"context": 64, "window": 100})], False),
        ([ADVISED, ("prompt", {"context": 64})], False),
        ([ADVISED, ("prompt", {"context": 0, "window": 100})], True),
        ([ADVISED, ("prompt", {"context": 1, "window": -1})], True),
        ([ADVISED, ("start", {"context": 1, "window": 100})], True),
    ],
)
def test_a_crossing_was_told_until_the_use_fell_well_below(events, spoken):
    level = 65 + context_notice.SLACK
    assert context_notice.armed_below(level) == 65
    assert context_notice.armed_below(0.0) == 0.0
    assert context_notice.has_spoken(journal(*events), level, 100) is spoken


@pytest.mark.parametrize(
    ("events", "used", "announced"),
    [
        ([], 10, True),
        ([("prompt", {"context": 10})], 10, True),
        ([("prompt", {"context": 1000})], 10, False),
        ([("compacted", {}), ("prompt", {"context": 1000})], 10, True),
        ([("prompt", {"context": 1000}), ("prompt", {"context": 1000})], 10, False),
        (
            [("compacted", {}), ("prompt", {"context": 900}), ("prompt", {"context": 1000})],
            10,
            False,
        ),
        ([("start", {"source": "compact"}), ("prompt", {"context": 1000})], 10, True),
        ([("start", {}), ("prompt", {"context": 1000})], 10, False),
        ([("start", {}), ("prompt", {"context": 5})], 10, True),
    ],
)
def test_a_fall_of_the_context_was_announced_or_not(events, used, announced):
    assert context_notice.was_announced(journal(*events), used) is announced
    border = 1000 * context_notice.SHRUNK_TO
    assert context_notice.was_announced(journal(("prompt", {"context": 1000})), border) is True


@pytest.mark.parametrize(
    ("events", "briefed"),
    [
        ([], False),
        ([("start", {"source": "compact"})], True),
        ([("start", {"source": "startup"})], False),
        ([("notice", {"what": context_notice.RETOLD})], True),
        ([("notice", {"what": context_notice.RETOLD}), ("compacted", {})], False),
        ([("compacted", {}), ("notice", {"what": context_notice.RETOLD})], True),
        ([("start", {"source": "compact"}), ("notice", {"what": context_notice.SHRUNK})], False),
        ([("start", {"source": "compact"}), ("prompt", {"what": context_notice.SHRUNK})], True),
        ([("start", {"source": "compact"}), ("compacting", {})], False),
    ],
)
def test_a_session_got_its_brief_again_or_not(events, briefed):
    assert context_notice.was_briefed(journal(*events)) is briefed


def test_prompts_that_make_room_and_lists_that_are_done():
    assert context_notice.is_exempt("")
    assert context_notice.is_exempt(" /resume it")
    assert not context_notice.is_exempt("please /resume")
    mark = context_notice.list_mark([Task("a", "x"), Task("b", "y")])
    assert len(mark) == 8
    assert mark != context_notice.list_mark([Task("b", "x")])
    lines = [{"what": context_notice.FINISHED, "list": mark}, {"what": "x", "list": "y"}]
    assert context_notice.was_finished(lines, mark)
    assert not context_notice.was_finished(lines, "y")
    assert not context_notice.was_finished([], mark)
    assert context_notice.finished(3, plainly).startswith(
        "All 3 entries of the to-do list are done"
    )


# The end of an action

QUEUE = Checkpoint("x", next_actions=(Item("Write it", "W1"), Item("Write more"), Item("Test")))


@pytest.mark.parametrize(
    ("which", "text"),
    [
        ("", "Write it"),
        ("1", "Write it"),
        ("3", "Test"),
        ("W1", "Write it"),
        ("Test", "Test"),
        ("Te", "Test"),
    ],
)
def test_an_action_is_named_by_number_id_or_beginning(which, text):
    assert choose(QUEUE, which).text == text


TWO, NONE = "2 open actions of x match ", "no open action of x matches "


@pytest.mark.parametrize(
    ("which", "said"), [("Write", TWO), ("4", NONE), ("0", NONE), ("it", NONE)]
)
def test_a_name_that_fits_none_or_several_is_not_found(which, said):
    with pytest.raises(NotFound) as found:
        choose(QUEUE, which)
    assert str(found.value).startswith(said)
    with pytest.raises(NotFound, match="no open action"):
        choose(Checkpoint("x"), "")


def test_an_action_that_somebody_completed_is_gone():
    assert same(QUEUE, QUEUE.next_actions[1]) == QUEUE.next_actions[1]
    with pytest.raises(NotFound, match="no longer has the action"):
        same(QUEUE, Item("other"))
    assert told(Item("a", attrs={"x": "1", "y": ""})) == "a (x: 1)"
    assert told(Item("a")) == "a"


# Lineage


def glance(name, parent="", **given):
    return Glance(f"{name}.md", "md", name, parent=parent, status="in_progress", **given)


def test_parents_are_found_in_the_own_format_first_and_missing_ones_told():
    streams = [
        glance("a"),
        Glance("s.json", "skill", "a"),
        Glance("t.json", "skill", "t", parent="a"),
        glance("b", "a"),
        glance("c", "gone"),
        Glance("u.json", "thread", "u", parent="a"),
    ]
    assert parents_of(streams)[2:4] == [1, 0]
    assert parents_of(streams)[5] == 0
    assert unknown_parent(streams, "a") == ()
    assert unknown_parent(streams, "") == ()
    [found] = unknown_parent(streams, "gone")
    assert found.text == 'there is no checkpoint "gone" here'
    assert [one.id for one in active_below(streams, streams[0])] == ["b", "u"]


def test_a_cycle_is_cut_at_its_first_member_and_drawn():
    streams = [glance("a", "c"), glance("b", "a"), glance("c", "b"), glance("d", "gone")]
    made = forest(streams)
    assert [(one.slug, one.where) for one in made.findings] == [
        ("missing-parent", "d.md"),
        ("parent-cycle", "a.md"),
    ]
    assert [one.id for one in active_below(streams, streams[0])] == ["b", "c"]
    mark_authors(made.roots, {"c.md": "Ann"})
    assert drawing(made.roots, plainly) == [
        "⦿ a (unknown) [active]  (cycle: its parent c came from it)",
        "└── ○ b (unknown) [active]",
        "    └── ○ c (unknown) [active]  (last committed by Ann)",
        "⦿ d (unknown) [active]  (parent gone is missing)",
    ]
    later = [glance("x"), glance("b", "c"), glance("c", "b")]
    assert [one.where for one in forest(later).findings] == ["b.md"]
    twins = [glance("a"), glance("a")._replace(path="z.md")]
    assert [one.text for one in forest(twins).findings] == ['"a" is also the id of z.md']


# Merges


def test_losers_become_open_conflicts_where_no_log_keeps_them():
    base = Checkpoint("x", updated="2026-01-01")
    ours = base._replace(stage="ours", updated="2026-01-02")
    merged = merge(base, ours, base._replace(stage="theirs", updated="2026-01-03"))
    assert ("stage", "ours") in [(one.path, one.value) for one in merged.losers]
    kept = kept_open(merged)
    assert kept.losers == ()
    assert ("stage", "ours") in [(item.id, item.text) for item in kept.checkpoint.conflicts]
    assert kept.conflicts[-len(merged.losers) :] == kept.checkpoint.conflicts[-len(merged.losers) :]


def test_the_earlier_birthday_stays_and_an_id_of_either_side():
    base = Checkpoint("x")
    ours, theirs = base._replace(created="2026-01-02"), base._replace(created="2026-01-01")
    assert merge(base, ours, theirs).checkpoint.created == "2026-01-01"
    assert merge(base, theirs, ours).checkpoint.created == "2026-01-01"


def test_values_as_keys_and_keys_as_labels():
    assert _frozen({"a": [1, {"b": True}]}) == _frozen({"a": [1, {"b": True}]})
    assert _frozen({"a": [1]}) != _frozen({"a": [2]})
    assert _frozen({"a": 1}) != _frozen({"b": 1})
    assert _frozen(1) != _frozen(True)
    assert _frozen([1, 2]) != _frozen([2, 1])
    assert [label((("a", "", "b"), 1)), label(("a", 2))] == ["a b", "a#2"]


# Sessions


def session(name="s", **given):
    return Session("codex", name, **given)


def test_a_session_lasts_from_its_start_to_its_end_or_last_sign():
    assert session(started=10.0, seen=15.0).duration == 5.0
    assert session(started=10.0, seen=15.0, ended=30.0).duration == 20.0
    assert session(started=10.0, seen=9.0).duration == 0.0
    assert session(seen=9.0).duration == 0.0


def test_what_reconciliation_ends_and_what_no_list_shows():
    assert is_closable(session(seen=1.0), 1e9, DEFAULTS)
    assert not is_closable(session(seen=1.0, ended=2.0), 1e9, DEFAULTS)
    assert not is_closable(session(seen=1.0, origin=TRANSCRIPT), 1e9, DEFAULTS)
    start, prompt = Event(1.0, "start"), Event(2.0, "prompt")
    assert is_ghost(session(alive=False, events=(start,)))
    assert not is_ghost(session(alive=False, events=(start, prompt)))
    hello = Stats(asked=" hello \n", prompts=1, answers=1)
    assert is_ghost(session(origin=TRANSCRIPT, stats=hello._replace(answers=0)))
    assert not is_ghost(session(origin=TRANSCRIPT, stats=hello._replace(prompts=2, answers=0)))


def test_threads_are_inherited_and_a_circle_ends():
    told = {"a": ("t", "z"), "b": ("", "a"), "c": ("", "b")}
    assert [thread_by_descent(one, told.__getitem__) for one in told] == ["t", "t", "t"]
    circle, asked = {"a": ("", "b"), "b": ("", "c"), "c": ("", "b")}, []
    assert thread_by_descent("a", lambda name: asked.append(name) or circle[name]) == ""
    assert asked == ["a", "b", "c"]
    assert thread_by_descent("", told.__getitem__) == ""


def test_notes_say_what_was_done_and_what_is_next():
    notes = (Note(1.0, "one", (), ("a",)), Note(2.0, "", (), ()), Note(3.0, "two", (), ("b", "c")))
    assert accomplished(session(notes=notes)) == "one; two"
    assert next_steps(session(notes=notes)) == ("b", "c")
    assert next_steps(session(notes=(*notes, Note(4.0, "x")))) == ("b", "c")
    order = [session("b", seen=5.0), session("c", seen=9.0), session("a", seen=5.0)]
    assert [one.id for one in newest_first(order)] == ["c", "a", "b"]


# Handing over


def test_what_is_told_of_git_depends_on_what_is_known():
    def said(**given):
        return _repository(Git(**{"branch": "main", "commit": "a" * 40, **given}), plainly)

    head = f"Git: branch main, commit {'a' * 12}"
    assert said(commit="") == ["Git: no repository here, or no commit yet."]
    assert said(dirty=None) == [head, "Which files are not committed is not known."]
    assert said(dirty=()) == [head, "Everything is committed."]
    assert said(branch="", dirty=())[0] == f"Git: branch (no branch), commit {'a' * 12}"
    files = [f"f{n}" for n in range(MOST_FILES + 1)]
    assert len(_dirty(files[:-1], plainly)) == MOST_FILES + 1
    assert _dirty(files, plainly)[-1] == "- 1 more: git status"
