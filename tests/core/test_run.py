"""Going on by itself: every reason to stop, in the order in which they count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leftoff.commands import plainly
from leftoff.core import run as r
from leftoff.core.model import Checkpoint, Item
from leftoff.core.run_report import report


def plan(*texts: str, ticked: int = 0, **attrs: str) -> tuple[r.Step, ...]:
    """Steps of which the first so many are done."""
    items = [Item(t, attrs={"done": "x"} if at < ticked else attrs) for at, t in enumerate(texts)]
    return r.steps(Checkpoint("t", next_actions=tuple(items)))


def begun(known: tuple[r.Step, ...], *lines: dict, free: bool = False) -> r.Run:
    """A run that began with these steps, and what happened since."""
    first = {"at": 100.0, "event": r.RUN, **r.begin_line("t", known, free=free)}
    return r.told([first, *lines])


def went_on(decision: r.Decision, known: tuple[r.Step, ...]) -> dict:
    return {"at": 101.0, "event": r.RUN, **r.line_of(decision, known)}


ABC = ("A", "B", "C")


@pytest.mark.req("E.run.next")
def test_after_a_step_is_done_the_next_one_is_handed_out():
    known = begun(plan(*ABC))
    found = r.decide(known, r.Facts(plan(*ABC, ticked=1), cap=7))
    assert (found.verb, found.step.text, found.step.number) == (r.GO, "B", 1)
    assert (found.started, found.done, found.left) == (2, 1, 2)


TWICE = {plan(*ABC)[1].mark: 2}
ONCE = {plan(*ABC)[1].mark: 1}
STOPS = [
    ("all done", {"ticked": 3}, {}, r.COMPLETE),
    ("all done, and a question", {"ticked": 3}, {"question": "Who?"}, r.COMPLETE),
    ("all done at the limit", {"ticked": 3}, {"most": 3}, r.COMPLETE),
    ("all done over the budget", {"ticked": 3}, {"spent": 9, "budget": 5}, r.COMPLETE),
    ("all done in a turn that failed", {"ticked": 3}, {"turn_failed": True}, r.COMPLETE),
    ("a question", {"ticked": 1}, {"question": "Who?"}, r.WAITING),
    ("a question before a failure", {"ticked": 1}, {"question": "?", "failures": TWICE}, r.WAITING),
    ("failed twice", {"ticked": 1}, {"failures": TWICE}, r.FAILED),
    ("failed twice at the limit", {"ticked": 1}, {"failures": TWICE, "most": 1}, r.FAILED),
    ("failed once", {"ticked": 1}, {"failures": ONCE}, ""),
    ("the limit", {"ticked": 1}, {"most": 1}, r.MAX_STEPS),
    ("the limit and the budget", {"ticked": 1}, {"most": 1, "spent": 9, "budget": 5}, r.MAX_STEPS),
    ("just below the limit", {"ticked": 1}, {"most": 2}, ""),
    ("the budget", {"ticked": 1}, {"spent": 9, "budget": 5}, r.BUDGET),
    ("all of the budget", {"ticked": 1}, {"spent": 5, "budget": 5}, ""),
    ("no budget", {"ticked": 1}, {"spent": 9}, ""),
    ("a turn that failed", {"ticked": 1}, {"turn_failed": True}, r.TURN_FAILED),
    ("a client that cannot", {"ticked": 1}, {"cap": 0}, r.CAP),
    ("nothing done", {"ticked": 0}, {}, r.NO_PROGRESS),
    ("the client's flag and a step done", {"ticked": 1}, {"again": True}, ""),
]


@pytest.mark.req(
    "E.run.complete",
    "E.run.max-steps",
    "E.run.stop-ambiguity",
    "E.run.stop-error",
    "E.run.stop-max",
)
@pytest.mark.parametrize(
    ("how", "facts", "why"), [case[1:] for case in STOPS], ids=[c[0] for c in STOPS]
)
def test_every_reason_to_stop_and_which_counts_first(how, facts, why):
    found = r.decide(begun(plan(*ABC)), r.Facts(plan(*ABC, **how), **{"cap": 7, **facts}))
    assert found.why == why
    assert (found.verb == r.GO) == (why == "")
    assert (found.verb == r.END) == (why == r.COMPLETE)


def test_without_any_step_there_is_nothing_to_complete():
    assert r.decide(begun(()), r.Facts((), cap=7)).why == r.NO_STEPS


@pytest.mark.req("E.run.stop-error")
def test_a_failed_step_stops_with_how_often_it_was_tried():
    found = r.decide(begun(plan(*ABC)), r.Facts(plan(*ABC, ticked=1), failures=TWICE, cap=7))
    assert (found.why, found.attempts) == (r.FAILED, 2)
    assert r.line_of(found, ())["attempts"] == 2


@pytest.mark.req("E.run.counter", "E.run.max-steps")
def test_the_31st_start_is_refused_and_the_counter_begins_at_0_with_each_resume():
    names = [f"step {n}" for n in range(40)]
    run = begun(plan(*names))
    for done in range(1, 30):
        known = plan(*names, ticked=done)
        found = r.after_step(run, r.Facts(known))
        assert (found.verb, found.started) == (r.GO, done + 1)
    stopped = r.after_step(run, r.Facts(plan(*names, ticked=30)))
    assert (stopped.why, stopped.done, stopped.left) == (r.MAX_STEPS, 30, 10)
    anew = begun(plan(*names, ticked=30))
    assert r.after_step(anew, r.Facts(plan(*names, ticked=31))).started == 2


@pytest.mark.req("E.run.counter")
def test_a_step_that_is_started_twice_counts_once():
    known = plan(*ABC)
    run = begun(known, free=True)
    first = r.decide(run, r.Facts(known, cap=7))
    assert (first.verb, first.started) == (r.GO, 1)
    run = begun(known, went_on(first, known), free=True)
    assert r.after_step(run, r.Facts(known)).started == 1


def test_the_session_that_asked_for_it_is_given_its_first_step_once_without_progress():
    known = plan(*ABC)
    run = begun(known, free=True)
    first = r.decide(run, r.Facts(known, cap=7))
    assert first.verb == r.GO
    run = begun(known, went_on(first, known), free=True)
    assert r.decide(run, r.Facts(known, cap=7)).why == r.NO_PROGRESS


@pytest.mark.req("X.hook.advisory")
def test_with_the_clients_flag_and_no_progress_nothing_goes_on():
    known = plan(*ABC)
    assert r.decide(begun(known, free=True), r.Facts(known, cap=7, again=True)).why == r.NO_PROGRESS


def test_a_step_that_is_opened_and_ticked_again_is_no_progress():
    run = begun(plan(*ABC))
    done = plan(*ABC, ticked=1)
    first = r.decide(run, r.Facts(done, cap=7))
    assert first.verb == r.GO
    run = begun(plan(*ABC), went_on(first, done), went_on(first, plan(*ABC)))
    assert r.decide(run, r.Facts(done, cap=7)).why == r.NO_PROGRESS


def test_a_clients_cap_holds_for_one_turn_and_a_prompt_begins_another():
    known = plan(*ABC)
    go = {"at": 101.0, "event": r.RUN, "what": r.WENT_ON, "step": "x", "done": 0, "open": []}
    facts = r.Facts(plan(*ABC, ticked=1), cap=2)
    assert r.decide(begun(known, go, go), facts).why == r.CAP
    assert r.decide(begun(known, go, go, {"event": "prompt"}), facts).verb == r.GO


def test_what_was_done_before_the_run_is_not_counted():
    known = plan(*ABC, ticked=2)
    found = r.decide(begun(known), r.Facts(known, cap=7))
    assert (found.why, found.done, found.left) == (r.NO_PROGRESS, 0, 1)


def test_the_first_urgent_step_comes_first_and_has_the_number_that_done_knows():
    items = (Item("A", attrs={"done": "x"}), Item("B"), Item("C", attrs={"priority": "P1"}))
    found = r.next_step(r.steps(Checkpoint("t", next_actions=items)))
    assert (found.text, found.number) == ("C", 2)


def test_two_steps_of_the_same_words_are_two():
    marks = [step.mark for step in plan("A", "A", "A")]
    assert len(set(marks)) == 3


@pytest.mark.req("E.run.interrupt")
@pytest.mark.parametrize(
    "prompt", ["停", "stop", "暂停", "Stop", "STOP!", " 停。\n", "stop.", "暂停！"]
)
def test_each_word_alone_ends_a_run(prompt):
    assert r.is_stop_word(prompt)


@pytest.mark.req("E.run.interrupt")
@pytest.mark.parametrize(
    "prompt", ["stop words list", "stop it", "停车", "don't stop", "", "...", "nonstop", "go on"]
)
def test_a_prompt_that_only_has_the_word_in_it_does_not(prompt):
    assert not r.is_stop_word(prompt)


def test_a_stop_is_remembered_until_somebody_lets_it_go_on():
    known = plan(*ABC)
    for why in r.REASONS:
        run = begun(known, {"event": r.RUN, "what": r.STOPPED, "why": why})
        assert (run.on, run.why, run.told) == (False, why, False)
        assert r.is_taken_up(run) == (why not in {r.COMPLETE, r.WORD})
        taken = r.told(
            [
                {"at": 1.0, "event": r.RUN, **r.begin_line("t", known, free=True)},
                {"event": r.RUN, "what": r.STOPPED, "why": why},
                {"event": r.RUN, "what": r.TOLD},
                {"at": 9.0, "event": r.RUN, **r.again_line(known)},
            ]
        )
        assert (taken.on, taken.free, taken.since) == (True, False, 9.0)


def test_another_binding_is_another_run():
    known = plan(*ABC)
    assert not begun(known, {"event": "bind", "thread": "other"}).on
    assert begun(known, {"event": "bind", "thread": "t"}).on


@pytest.mark.parametrize(
    "line",
    [
        {"what": r.WENT_ON},
        {"what": r.WENT_ON, "open": 7, "step": None, "done": "x"},
        {"what": r.STOPPED, "why": ["x"]},
        {"what": ["odd"]},
        {"what": r.BEGIN, "thread": 7, "open": {"a": 1}, "at": "x"},
        {},
    ],
)
def test_odd_lines_of_a_journal_break_nothing(line):
    run = begun(plan(*ABC), {"event": r.RUN, **line})
    assert r.decide(run, r.Facts(plan(*ABC, ticked=1), cap=7)).verb


@pytest.mark.parametrize("said", [0, -1, True, "9", None, 2.5])
def test_a_number_of_steps_that_is_none_is_the_default(said):
    assert r.most({"maxSteps": said}) == 30
    assert r.most({}) == 30
    assert r.most({"maxSteps": 3}) == 3


def test_no_line_holds_the_text_of_a_step():
    known = plan("Hand the secret to Bob", "B")
    decision = r.decide(begun(known, free=True), r.Facts(known, cap=7, question="Who is Bob?"))
    lines = [r.begin_line("t", known, free=True), r.again_line(known), r.line_of(decision, known)]
    assert "Bob" not in str(lines)


TURNS = st.lists(
    st.tuples(
        st.sets(st.integers(0, 11), max_size=3),  # completed in the turn
        st.sets(st.integers(0, 11), max_size=2),  # opened again
        st.sampled_from(["", "", "", "prompt", "again"]),  # what came before its end
    ),
    max_size=40,
)


@given(TURNS, st.integers(1, 12), st.integers(0, 8), st.booleans())
def test_it_never_goes_on_more_often_than_steps_were_completed_plus_one_nor_than_the_limit(
    turns, most, cap, free
):
    names = [f"step {n}" for n in range(12)]
    done: set[int] = set()
    ever: set[int] = set()

    def now() -> tuple[r.Step, ...]:
        items = [Item(t, attrs={"done": "x"} if n in done else {}) for n, t in enumerate(names)]
        return r.steps(Checkpoint("t", next_actions=tuple(items)))

    lines = [{"at": 1.0, "event": r.RUN, **r.begin_line("t", now(), free=free)}]
    goes = in_turn = 0
    for completed, opened, before in turns:
        if before == "prompt":
            lines.append({"event": "prompt"})
            in_turn = 0
        done = (done | completed) - opened
        ever |= completed
        run = r.told(lines)
        if not run.on:
            break
        found = r.decide(run, r.Facts(now(), most=most, cap=cap, again=before == "again"))
        lines.append({"event": r.RUN, **r.line_of(found, now())})
        goes += found.verb == r.GO
        in_turn += found.verb == r.GO
        assert in_turn <= cap
    assert goes <= len(ever) + 1
    assert goes <= most


def test_a_run_that_stopped_with_no_step_left_to_name_names_none():
    told = [*report(r.Decision("stop", r.FAILED, attempts=3, done=1), "auth", plainly)]
    assert told[0] == "The run of auth stopped: the step failed 3 times. 1 done, 0 left."
    assert not [line for line in told if line.startswith("Up next")]
