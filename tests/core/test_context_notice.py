"""Notices: at the level and not below it, once per crossing, again after use fell."""

from __future__ import annotations

import pytest

from leftoff.commands import plainly
from leftoff.core import context_notice
from leftoff.core.stats import Task
from leftoff.core.window import Window, estimated, measured


def use(percent: float):
    return measured(round(percent * 2000), Window(200_000, "client"))


@pytest.mark.req("C.hook.advise", "E.auto.protects")
@pytest.mark.parametrize(("percent", "speaks"), [(69.9, False), (69.99, False), (70, True)])
def test_it_speaks_at_the_level_and_not_a_hair_below_it(percent: float, speaks: bool):
    assert context_notice.is_due(use(percent), 70, noticed=False) is speaks


def test_it_speaks_once_per_crossing():
    assert not context_notice.is_due(use(90), 70, noticed=True)
    assert not context_notice.is_due(None, 70, noticed=False)


def _line(event: str, **more: object) -> dict[str, object]:
    return {"event": event, **more}


def test_a_journal_tells_whether_this_crossing_was_told():
    told = _line("notice", what="advised")
    high, low = (_line("prompt", context=c, window=200_000) for c in (150_000, 30_000))
    wavering = _line("stop", context=139_000, window=200_000)
    assert not context_notice.has_spoken([high], 70)
    assert context_notice.has_spoken([high, told], 70)
    assert context_notice.has_spoken([high, told, wavering], 70)
    assert not context_notice.has_spoken([high, told, low], 70)
    assert context_notice.has_spoken([high, told, _line("prompt")], 70)
    without = _line("prompt", context=30_000, window=0)
    assert context_notice.has_spoken([high, told, without], 70)
    assert not context_notice.has_spoken([high, told, without], 70, window=200_000)


def test_a_figure_is_never_rounded_up_and_a_guess_says_so():
    assert context_notice.shown(use(69.99), plainly).startswith("69.9 %")
    assert "guess" in context_notice.shown(estimated(1_020_000), plainly)
    assert "85.0 %" in context_notice.shown(estimated(1_020_000), plainly)


def test_the_advice_says_how_to_save_word_for_word():
    assert f"write down what matters: {context_notice.COMMAND}" in context_notice.advice(
        use(70), plainly
    )
    assert f"Write down what matters: {context_notice.COMMAND}" in context_notice.refusal(
        use(96), "/p", plainly
    )


@pytest.mark.parametrize("prompt", ["/compact", "/clear now", " /help\n", ""])
def test_what_makes_room_is_never_refused(prompt: str):
    assert context_notice.is_exempt(prompt)


@pytest.mark.parametrize("prompt", ["/compactfoo", "go on", "see /compact"])
def test_other_prompts_are_not_exempt(prompt: str):
    assert not context_notice.is_exempt(prompt)


START, ANEW = {"event": "start", "source": "startup"}, {"event": "start", "source": "compact"}
AHEAD, SUMMARY, DONE = (_line(event) for event in ("compacting", "summary", "compacted"))
PROMPT, RETOLD, SHRUNK = (
    _line("prompt"),
    _line("notice", what="retold"),
    _line("notice", what="shrunk"),
)


@pytest.mark.parametrize(
    ("lines", "briefed"),
    [
        ([], False),
        ([START, AHEAD], False),
        ([START, AHEAD, SUMMARY, ANEW], True),
        ([START, AHEAD, SUMMARY, ANEW, DONE], True),  # Claude Code
        ([START, AHEAD, DONE], False),
        ([START, AHEAD, DONE, ANEW], True),  # Codex
        ([START, AHEAD, DONE, RETOLD], True),
        ([START, AHEAD, DONE, RETOLD, PROMPT, DONE], False),  # another one
        ([START, DONE, RETOLD, DONE], False),
        ([START, AHEAD, ANEW, DONE, PROMPT, AHEAD, SUMMARY], False),
        ([START, AHEAD, ANEW, PROMPT, DONE], False),
        ([START, PROMPT, RETOLD, PROMPT, SHRUNK], False),
        ([START, SHRUNK, RETOLD, PROMPT], True),
        ([START, AHEAD, RETOLD, AHEAD], False),
    ],
)
def test_a_journal_tells_whether_the_brief_came_again_after_the_last_compaction(lines, briefed):
    assert context_notice.was_briefed(lines) is briefed


HIGH, SAME, OTHER, LOW = (
    _line(event, context=context)
    for event, context in (("stop", 9000), ("prompt", 9000), ("stop", 8000), ("stop", 1000))
)
RESUMED = {"event": "start", "source": "resume"}


@pytest.mark.parametrize(
    ("lines", "announced"),
    [
        ([START, LOW], True),
        ([START, OTHER, HIGH, LOW], False),
        ([START, OTHER, HIGH, SAME, LOW], False),  # a prompt repeats the figure of the turn before
        ([START, OTHER, HIGH, AHEAD, LOW], False),  # ahead is no proof
        ([START, OTHER, HIGH, DONE, LOW], True),
        ([START, HIGH, AHEAD, SUMMARY, ANEW, DONE, SAME, LOW], True),
        ([START, HIGH, DONE, RESUMED, SAME, LOW], True),
        ([START, OTHER, HIGH, RESUMED, SAME, LOW], False),
        ([START, OTHER, HIGH, RESUMED, LOW], True),
        ([START, HIGH, AHEAD, SAME, RETOLD, LOW], True),
        ([START, DONE, OTHER, HIGH, LOW], False),  # that was the compaction before
    ],
)
def test_a_journal_tells_whether_a_session_knows_why_there_is_room(lines, announced):
    assert context_notice.was_announced(lines, 1000) is announced


def test_a_list_that_was_told_as_done_is_known_by_a_mark_that_holds_no_word_of_it():
    tasks = [Task("ship the secret thing", "completed"), Task("rest", "completed")]
    mark = context_notice.list_mark(tasks)
    assert len(mark) == 8
    assert mark != context_notice.list_mark(tasks[:1])
    told = [_line("notice", what=context_notice.FINISHED, list=mark)]
    assert context_notice.was_finished(told, mark)
    assert not context_notice.was_finished(told, context_notice.list_mark(tasks[:1]))
    assert "All 2 entries" in context_notice.finished(2, plainly)


@pytest.mark.parametrize(
    ("lines", "since"),
    [
        ([], ""),
        ([{"event": "prompt"}], ""),
        ([{"event": "start", "source": "clear"}], "start"),
        ([{"event": "start", "source": "clear"}, {"event": "prompt"}], "start"),
        ([{"event": "start", "source": "startup"}, {"event": "prompt"}], ""),
        ([{"event": "start", "source": "clear"}, {"event": "notice", "what": "retold"}], ""),
        ([{"event": "start", "source": "startup"}, {"event": "end"}], "end"),
        ([{"event": "end"}, {"event": "start", "source": "resume"}], ""),
    ],
)
def test_a_session_heard_nothing_since_a_start_whose_text_is_dropped_or_since_its_end(lines, since):
    assert context_notice.unheard(lines, ("clear",)) == since
