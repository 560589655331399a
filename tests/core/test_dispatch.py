"""Seed C's tier rule: every row of it, as a table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leftoff.core import dispatch as d
from leftoff.core.dispatch import Asked, Decision, decide, tier_of

OPUS, SONNET, HAIKU = "claude-opus-4-5", "claude-sonnet-4-5", "claude-haiku-4-5"


HANDED = (d.DISPATCH, d.HANDOFF)
AT_TIER, OVERRIDE = (d.PROCEED, d.AT_TIER), (d.PROCEED, d.OVERRIDE)
UNKNOWN, MALFORMED = (d.PROCEED, d.UNKNOWN), (d.PROCEED, d.MALFORMED)
UNAVAILABLE, HARD_CAP = (d.PROCEED, d.UNAVAILABLE), (d.ABORT, d.HARD_CAP)

ROWS = [
    # when
    (Asked(OPUS, "save"), HANDED),
    (Asked(SONNET, "save"), HANDED),
    (Asked(HAIKU, "save"), AT_TIER),
    (Asked(HAIKU, "save", "sonnet"), AT_TIER),
    # tiers
    (Asked(SONNET, "save", "sonnet"), AT_TIER),
    (Asked(OPUS, "save", "sonnet"), HANDED),
    (Asked(OPUS, "save", "opus"), AT_TIER),
    # bare
    (Asked(OPUS, "[no-redispatch]"), OVERRIDE),
    (Asked(OPUS, "[no-redispatch] /checkpoint"), OVERRIDE),
    (Asked(OPUS, "[no-redispatch]\nsave"), OVERRIDE),
    (Asked(OPUS, " \n[no-redispatch] save"), OVERRIDE),
    (Asked("gpt-x", "[no-redispatch] save"), OVERRIDE),
    # prefix
    (Asked(OPUS, "please explain [no-redispatch]"), HANDED),
    (Asked(OPUS, "why [no-redispatch:7]?"), HANDED),
    (Asked(OPUS, "[no-redispatching] is no such mark"), HANDED),
    # counter-one
    (Asked(OPUS, "[no-redispatch:1] save"), OVERRIDE),
    # abort
    (Asked(HAIKU, "[no-redispatch:2] save"), HARD_CAP),
    (Asked("gpt-x", "[no-redispatch:017]", subagents=False), HARD_CAP),
    # unavailable
    (Asked(OPUS, "save", subagents=False), UNAVAILABLE),
    (Asked(HAIKU, "save", subagents=False), AT_TIER),
    # unknown
    (Asked("gpt-x", "save"), UNKNOWN),
    (Asked("", "save"), UNKNOWN),
    (Asked("gpt-x", "save", subagents=False), UNKNOWN),
    (Asked(OPUS, "[no-redispatch:x]"), MALFORMED),
    (Asked(OPUS, "[no-redispatch:]"), MALFORMED),
    (Asked(OPUS, "[no-redispatch:0] save"), MALFORMED),
    (Asked(OPUS, "[no-redispatch:-2] save"), MALFORMED),
    (Asked(OPUS, "[no-redispatch: 2] save"), MALFORMED),
    (Asked(OPUS, "[no-redispatch:\uff12] save"), MALFORMED),
    (Asked(OPUS, "[no-redispatch:2"), MALFORMED),
]


@pytest.mark.req(
    "C.dispatch.when",
    "C.dispatch.tiers",
    "C.dispatch.bare",
    "C.dispatch.prefix",
    "C.dispatch.counter-one",
    "C.dispatch.abort",
    "C.dispatch.unavailable",
    "C.dispatch.unknown",
    "C.dispatch.return",
)
@pytest.mark.parametrize(("asked", "wanted"), ROWS)
def test_the_rule(asked, wanted):
    made = decide(asked)
    assert (made.answer, made.reason) == wanted
    assert bool(made.request) == (made.answer == d.DISPATCH)
    then = {d.DISPATCH: "return-and-stop", d.ABORT: "stop", d.PROCEED: ""}
    assert made.then == then[made.answer]


@pytest.mark.req("C.dispatch.tiers")
@pytest.mark.parametrize(
    ("name", "tier"),
    [
        ("claude-sonnet-4-5", "sonnet"),
        ("Claude Opus 4.1", "opus"),
        ("us.anthropic.claude-haiku-4-5-20251001-v1:0", "haiku"),
        ("opus[1m]", "opus"),
        ("claude-3-5-haiku@20241022", "haiku"),
        ("sonnet4", "sonnet"),
        ("gpt-5.5", ""),
        ("corpus-2", ""),
        ("opus-taught-haiku", ""),
        ("", ""),
    ],
)
def test_the_tier_is_a_word_of_the_models_name(name, tier):
    assert tier_of(name) == tier


@pytest.mark.req("C.dispatch.request")
def test_a_subagent_is_asked_exactly_so():
    asked = decide(Asked(OPUS, "save my place\nbefore lunch")).request
    assert asked == (
        "haiku",
        "checkpoint dispatched at haiku tier",
        "cost-guardrail handoff",
        "[no-redispatch]\nsave my place\nbefore lunch",
    )


@given(st.text(), st.sampled_from(["[no-redispatch:", "[no-redispatch", "", " \n[no-redispatch:"]))
def test_no_prompt_raises_and_a_dispatched_one_is_never_dispatched_again(prompt, start):
    made = decide(Asked(OPUS, start + prompt))
    assert isinstance(made, Decision)
    if made.request:
        again = decide(Asked(OPUS, made.request.prompt))
        assert (again.answer, again.reason) == (d.PROCEED, d.OVERRIDE)


def test_a_counter_of_ten_thousand_digits_is_only_too_large():
    made = decide(Asked(OPUS, f"[no-redispatch:{'9' * 10_000}]"))
    assert made.answer == d.ABORT
    assert len(made.given) < 30
