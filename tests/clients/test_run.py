"""Real Claude Code works a thread off step by step, and stops when it has to."""

from __future__ import annotations

from typing import Any

import pytest

from clients import work
from clients.box import Box
from clients.driver import Run
from clients.drivers import CLAUDE
from clients.fake_model import Step
from clients.wires import Reply
from leftoff.core.event import OWN

THREAD = "thread-1a2b3c4d"
FOLDER = f"project/.checkpoints/threads/{THREAD}"
STEPS = tuple(f"Write part {name}" for name in ("one", "two", "three", "four", "five"))
ASKED = "Resume the thread."


def prepare(box: Box, *, blockers: str = "", **config: Any) -> None:
    """A thread of five steps that may be worked off without anybody's word."""
    work.prepare(box, CLAUDE)
    box.write(
        f"{FOLDER}/thread.json",
        {"threadId": THREAD, "name": "Parts", "config": {"autoContinue": True, **config}},
    )
    steps = "".join(f"{at}. [P1] {text}\n" for at, text in enumerate(STEPS, 1))
    text = f"# Checkpoint: Parts\n\n**Thread ID**: {THREAD}\n\n## Next Steps\n\n{steps}"
    box.write(f"{FOLDER}/CHECKPOINT.md", f"{text}{blockers}")
    box.facts("thread", "continue", "on", THREAD)


def completes(box: Box, most: int = len(STEPS)) -> Run:
    """A model that takes the thread up and completes each step that it is handed."""
    box.model.script(
        Step(Reply(calls=(CLAUDE.shell(f"leftoff resume {THREAD} --continue"),)), prompt=ASKED),
        Step(
            Reply(calls=(CLAUDE.shell(f"leftoff done {THREAD} 1"),)),
            prompt=f"leftoff done {THREAD} 1",
            times=most,
        ),
    )
    return CLAUDE.run(box, ASKED)


def lines(box: Box, run: Run, what: str) -> list[dict[str, Any]]:
    """The lines of the session's run."""
    found = work.journal(box, CLAUDE, run.session)
    return [line for line in found if line["event"] == "run" and line["what"] == what]


def document(box: Box) -> str:
    with open(f"{box.base}/{FOLDER}/CHECKPOINT.md", encoding="utf-8") as file:
        return file.read()


def handed(box: Box) -> list[str]:
    """The steps that the model was handed at the end of a turn, in order."""
    found = []
    for asked in box.model.asked:
        own = asked.prompt.partition(f"{OWN[0]}run-")[2].partition(OWN[1])[0]
        found += [text for text in STEPS if text in own]
    return found


@pytest.mark.req("E.run.start", "E.run.next", "E.run.complete", "E.run.counter")
def test_five_steps_are_worked_off_one_after_the_other_until_all_are_done(box: Box):
    prepare(box)
    run = completes(box)
    assert document(box).count("[x]") == 5
    assert handed(box) == [*STEPS]
    (stop,) = lines(box, run, "stop")
    assert (stop["why"], stop["done"], stop["left"]) == ("complete", 5, 0)
    assert len(lines(box, run, "go")) == 5
    results = [asked.text for asked in box.model.asked if "Bash" in asked.results_of]
    assert [text.count("[CHECKPOINT_COMPLETE]") for text in results][-1] == 1
    assert sum("[CHECKPOINT_COMPLETE]" in text for text in results) == 1
    assert work.info(box, CLAUDE, run.session)["prompts"] == 1
    told = CLAUDE.go_on(box, run, "And now?")
    assert told.session == run.session
    assert box.model.given("Every step of thread-1a2b3c4d is done.")


@pytest.mark.req("E.run.max-steps", "E.run.stop-max", "E.run.no-spawn")
def test_it_stops_at_the_largest_number_of_steps_and_reports(box: Box):
    prepare(box, maxSteps=3)
    run = completes(box)
    assert document(box).count("[x]") == 3
    assert handed(box) == [*STEPS[:3]]
    (stop,) = lines(box, run, "stop")
    assert (stop["why"], stop["done"], stop["left"]) == ("max-steps", 3, 2)
    assert not box.model.given("[CHECKPOINT_COMPLETE]")
    box.model.script()
    CLAUDE.go_on(box, run, "How far did you get?")
    assert box.model.given("3 done, 2 left")


@pytest.mark.req("E.run.stop-ambiguity")
def test_it_stops_at_a_step_that_waits_for_a_decision(box: Box):
    prepare(box)
    ask = f"leftoff thread continue off --question 'Which part comes third?' {THREAD}"
    box.model.script(
        Step(Reply(calls=(CLAUDE.shell(f"leftoff resume {THREAD}"),)), prompt=ASKED),
        Step(Reply(calls=(CLAUDE.shell(ask),)), prompt=STEPS[2]),
        Step(
            Reply(calls=(CLAUDE.shell(f"leftoff done {THREAD} 1"),)),
            prompt=f"leftoff done {THREAD} 1",
            times=9,
        ),
    )
    run = CLAUDE.run(box, ASKED)
    assert document(box).count("[x]") == 2
    assert "Which part comes third? [id: run-1] [needs: user_decision]" in document(box)
    assert {stop["why"] for stop in lines(box, run, "stop")} == {"waiting"}
    assert handed(box) == [*STEPS[:3]]
    waits = box.facts("status", THREAD)["stream"]["decisions_waiting"]
    assert waits


@pytest.mark.req("X.hook.advisory", "E.run.counter")
def test_a_model_that_completes_nothing_is_not_asked_twice(box: Box):
    prepare(box)
    resume = CLAUDE.shell(f"leftoff resume {THREAD}")
    box.model.script(Step(Reply(calls=(resume,)), prompt=ASKED))
    run = CLAUDE.run(box, ASKED)
    assert handed(box) == [STEPS[0]]
    (stop,) = lines(box, run, "stop")
    assert (stop["why"], stop["done"], stop["left"]) == ("no-progress", 0, 5)


def test_a_session_that_nobody_bound_to_the_thread_never_goes_on(box: Box):
    prepare(box)
    box.write("project/.checkpoints/current", f"{THREAD}\n")
    done = CLAUDE.shell(f"leftoff done {THREAD} 1")
    box.model.script(Step(Reply(calls=(done,)), prompt=ASKED))
    run = CLAUDE.run(box, ASKED)
    assert document(box).count("[x]") == 1
    assert not handed(box)
    assert not [line for line in work.journal(box, CLAUDE, run.session) if line["event"] == "run"]


def test_one_turn_never_goes_on_more_often_than_the_cap_and_the_next_prompt_takes_it_up(box: Box):
    prepare(box)
    more = "".join(f"{at}. [P1] Write more {at}\n" for at in range(6, 13))
    box.write(f"{FOLDER}/CHECKPOINT.md", f"{document(box)}{more}")
    run = completes(box, 12)
    assert len(lines(box, run, "go")) == 7
    (stop,) = lines(box, run, "stop")
    assert (stop["why"], stop["done"]) == ("cap", 7)
    done = Step(Reply(calls=(CLAUDE.shell(f"leftoff done {THREAD} 1"),)), prompt="", times=99)
    done.prompt = f"leftoff done {THREAD} 1"
    first = Step(Reply(calls=(CLAUDE.shell(f"leftoff done {THREAD} 1"),)), prompt="Take it up.")
    box.model.script(first, done)
    CLAUDE.go_on(box, run, "Take it up.")
    assert document(box).count("[x]") == 12
    assert box.model.given("this client allows no more turns in a row")
    assert [line["why"] for line in lines(box, run, "stop")] == ["cap", "complete"]
