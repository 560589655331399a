"""Real compactions: what must survive reaches the summary's request, and what it lost comes back once."""

from __future__ import annotations

import os

import pytest

from clients import work
from clients.box import Box
from clients.driver import Driver, Run
from clients.drivers import CLAUDE, CODEX, OPENCODE
from clients.fake_model import Step
from clients.wires import Asked, Reply, Use

KEPT = (
    "Use RS256 for tokens because keys rotate",
    "Store sessions in PostgreSQL, not in Redis",
    "Drop support for Python 3.9",
)
DROPPED = ("Money is stored as integer cents", "Keep the old endpoint /v1/login until March")
STEP, DROPPED_STEP = "Write the middleware", "Ask Dana whether invoices may be deleted"
SUMMARY = (
    "<analysis>a</analysis><summary>Tokens are signed with RS256, as keys rotate. "
    "PostgreSQL holds the sessions; Redis was ruled out. Support for Python 3.9 was dropped. "
    "Next, the middleware has to be written. Changed: notes.txt.</summary>"
)
LIMIT = ("-c", "model_auto_compact_token_limit=50000")


def leave_decisions(box: Box) -> None:
    """A thread with five decisions and two steps."""
    done = box.leftoff("init", "chk-tokens", "--as", "thread", "--problem", "x" * 60)
    assert done.returncode == 0, done.stdout + done.stderr
    decided = (f"--decisions+={one}" for one in (KEPT[0], DROPPED[0], *KEPT[1:], DROPPED[1]))
    steps = (f"--next_actions+={one}" for one in (STEP, DROPPED_STEP))
    done = box.leftoff("update", "chk-tokens", *decided, *steps)
    assert done.returncode == 0, done.stdout + done.stderr


def steps(driver: Driver) -> list[Step]:
    """Work whose context grows, call by call."""
    sizes = (20_000, 40_000, 60_000, 80_000)
    calls = [driver.shell(f"seq 1 {4000 + size // 1000}") for size in sizes]
    return [
        Step(Reply(f"Step {size}.", (call,), use=Use(size)))
        for call, size in zip(calls, sizes, strict=True)
    ]


def lost(asked: Asked) -> list[str]:
    """What the request says was lost, once for each time."""
    parts = asked.text.split("<leftoff id=lost>")[1:]
    return [part.partition("</leftoff>")[0] for part in parts]


def check(box: Box, driver: Driver, session: str, trigger: str) -> None:
    """Saved before; the summary seen; the two that it dropped, and only those, are told once."""
    lines = work.journal(box, driver, session)
    words = [line["event"] for line in lines]
    assert words.count("compacting") == words.count("summary") == words.count("compacted") == 1
    ahead = lines[words.index("compacting")]
    assert (ahead["source"], os.path.isfile(ahead["save"])) == (trigger, True)
    with open(ahead["save"], encoding="utf-8") as file:
        saved = file.read()
    assert all(text in saved for text in (*KEPT, *DROPPED, STEP, DROPPED_STEP))
    assert [line["what"] for line in lines if line["event"] == "notice"] == ["lost"]
    told = [lost(asked) for asked in box.model.asked]
    (part,) = {one for parts in told for one in parts}
    assert [text for text in (*KEPT, *DROPPED) if text in part] == [*DROPPED]
    assert DROPPED_STEP in part
    assert STEP not in part
    assert max(map(len, told)) == 1, "nothing is repeated"
    assert len(told[-1]) == 1, "a later request has it"


def check_request(box: Box) -> None:
    """The request for the summary holds what must survive."""
    asked = [each for each in box.model.asked if "<summary> block" in each.prompt]
    assert len(asked) == 1
    kept = asked[0].prompt.partition("<leftoff id=keep>")[2]
    assert all(text in kept for text in (*KEPT, *DROPPED, STEP, DROPPED_STEP))


@pytest.mark.req("B.trigger.pressure", "C.hook.precompact")
def test_what_a_manual_compaction_lost_comes_back_once(box: Box):
    work.prepare(box, CLAUDE)
    leave_decisions(box)
    run = work.do(box, CLAUDE)
    box.model.script(Step(Reply(SUMMARY), prompt="<summary> block"))
    CLAUDE.go_on(box, run, "/compact")
    check_request(box)
    go_on_twice(box, CLAUDE, run)
    check(box, CLAUDE, run.session, "manual")


@pytest.mark.req("B.trigger.pressure", "C.hook.precompact")
def test_what_an_automatic_compaction_lost_comes_back_once(box: Box):
    work.prepare(box, CLAUDE)
    leave_decisions(box)
    box.model.script(Step(Reply(SUMMARY), prompt="<summary> block"), *steps(CLAUDE))
    run = CLAUDE.run(box, "Count.", "--autocompact", "100000")
    check_request(box)
    go_on_twice(box, CLAUDE, run)
    check(box, CLAUDE, run.session, "auto")


def test_codex_hears_what_its_automatic_compaction_lost(box: Box):
    work.prepare(box, CODEX)
    leave_decisions(box)
    box.model.script(
        Step(Reply(SUMMARY), prompt="COMPACTION"),
        Step(Reply(calls=(CODEX.shell("echo one"),), use=Use(60_000)), prompt=work.PROMPT),
    )
    run = CODEX.run(box, work.PROMPT, *work.trusting(CODEX), *LIMIT)
    go_on_twice(box, CODEX, run)
    check(box, CODEX, run.session, "auto")


def test_opencode_hears_what_its_automatic_compaction_lost(box: Box):
    work.prepare(box, OPENCODE)
    leave_decisions(box)
    box.model.script(
        Step(Reply(SUMMARY), text="<leftoff id=keep>"),
        Step(Reply(calls=(OPENCODE.shell("echo one"),), use=Use(99_000)), prompt=work.PROMPT),
    )
    OPENCODE.run(box, work.PROMPT)
    asked = box.model.asked[-1]
    (part,) = lost(asked)
    assert [text for text in (*KEPT, *DROPPED) if text in part] == [*DROPPED]
    assert asked.text.count("<leftoff id=chk-tokens>") == 1, "the brief stands there once"


def go_on_twice(box: Box, driver: Driver, run: Run) -> None:
    for prompt in ("Go on.", "And again."):
        driver.go_on(box, run, prompt, *work.trusting(driver))
    assert box.model.given("And again.")
