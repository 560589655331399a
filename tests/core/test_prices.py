"""What models cost: a list, settings before it, the client's own figure before both; no guesses."""

from __future__ import annotations

import json
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leftoff.agents import _claude_log as claude
from leftoff.agents import _opencode_log as opencode
from leftoff.commands import plainly
from leftoff.core import tally as t
from leftoff.core.cost import LIST, SETTINGS, Cost, facts, words
from leftoff.core.prices import TABLE, Price, known_as, price_of, priced
from leftoff.core.spending import parts_of, prices_for, total
from leftoff.core.stats import STEPS, Stats, Tokens, together
from support import shared

MILLION = 1_000_000
OWN = {"my-": Price(1.0, 2.0, 0.5, 1.0, 1.0), "my-big": Price(10.0, 20.0, 5.0, 10.0, 10.0)}


def stats_of(
    model="claude-opus-5", used=(0, 0, 0, 0), *, hour=0, day="2026-08-08", cost=0.0, step=0
):
    return Stats(tokens=Tokens(*used), spent={(day, model, step): (*used, hour)}, cost=cost)


def listed(stats, own=MappingProxyType({})):
    return parts_of(stats, prices_for([stats], own))


def cost_of(stats, own=OWN):
    return total(listed(stats, own))


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("claude-opus-5", "claude-opus-5"),
        ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5"),
        ("claude-sonnet-4.5", "claude-sonnet-4-5"),
        ("claude-opus-4-6[1m]", "claude-opus-4-6"),
        ("us.anthropic.claude-opus-4-1-20250805-v1:0", "claude-opus-4-1"),
        ("anthropic/claude-haiku-4-5@20251001", "claude-haiku-4-5"),
        ("openai/gpt-5.4-2026-03-05", "gpt-5.4"),
        ("GPT-5.5", "gpt-5.5"),
    ],
)
def test_a_model_is_known_without_its_provider_and_its_date(given, name):
    assert known_as(given) == name
    assert price_of(given, {}).price == TABLE[name]


@pytest.mark.parametrize(
    "name", ["", "claude-opus-5-9", "claude-opus", "gpt-5.5-turbo", "gpt", "local-llama", "opus"]
)
def test_a_model_that_is_not_in_the_list_has_no_price(name):
    assert price_of(name, {}) is None
    assert cost_of(stats_of(name, (10, 0, 0, 0))) == Cost(None, "unknown", 10)


@given(st.text(max_size=300))
def test_any_name_is_looked_up_without_harm(name):
    price_of(name, OWN)


def test_settings_go_before_the_list_and_the_longest_name_counts():
    assert price_of("my-big-model", OWN).price.input == 10
    assert price_of("my-model", OWN) == (OWN["my-"], SETTINGS)
    dear = {"claude-opus-5": Price(99.0, 1.0, 1.0, 1.0, 1.0)}
    assert price_of("claude-opus-5", dear).price.input == 99
    assert price_of("claude-opus-5", OWN).source == LIST


def test_each_kind_of_token_has_its_price():
    opus = TABLE["claude-opus-5"]
    each = [priced(used, 0, opus) for used in ((MILLION, 0, 0, 0, 0), (0, MILLION, 0, 0, 0))]
    assert each == [5.0, 25.0]
    assert priced((0, 0, MILLION, 0, 0), 0, opus) == 0.5
    assert priced((0, 0, 0, MILLION, 0), 0, opus) == 6.25
    assert priced((0, 0, 0, MILLION, MILLION), 0, opus) == 10.0


def test_a_long_prompt_costs_more_where_the_list_says_so():
    used = (MILLION, 0, 0, 0, 0)
    haiku, gpt = TABLE["claude-haiku-5-5"], TABLE["gpt-5.5"]
    assert [priced(used, step, haiku) for step in range(4)] == [0.1, 0.5, 0.5, 0.5]
    assert [priced(used, step, gpt) for step in range(4)] == [5.0, 5.0, 5.0, 10.0]
    assert {priced(used, step, TABLE["claude-opus-5"]) for step in range(4)} == {5.0}


def test_every_price_of_the_list_is_complete():
    for name, price in TABLE.items():
        assert known_as(name) == name
        assert 0 < price.cache_read <= price.input <= price.cache_write <= price.cache_write_1h
        assert price.output > price.input
        assert price.above in {0, *STEPS}


def test_the_client_s_own_figure_wins_and_is_shared_out_by_price():
    spent = {
        ("2026-08-07", "claude-opus-5", 0): (MILLION, 0, 0, 0, 0),
        ("2026-08-08", "claude-haiku-4-5", 0): (MILLION, 0, 0, 0, 0),
    }
    parts = listed(Stats(spent=spent, cost=12.0))
    assert [(part.day, part.usd, part.source) for part in parts] == [
        ("2026-08-07", 10.0, "client"),
        ("2026-08-08", 2.0, "client"),
    ]
    assert total(parts) == Cost(12.0, "client", 0)
    assert listed(Stats(cost=3.0))[0].usd == 3.0


def test_its_figure_counts_for_a_model_without_a_price_too():
    assert cost_of(stats_of("nobody", (10, 0, 0, 0), cost=1.5)) == Cost(1.5, "client", 0)


def test_a_sum_says_what_it_lacks_and_where_it_comes_from():
    known, other = stats_of(used=(MILLION, 0, 0, 0)), stats_of("nobody", (7, 0, 0, 0))
    both = [*listed(known), *listed(other)]
    assert total(both) == Cost(5.0, "list", 7)
    recorded = listed(stats_of(used=(1, 0, 0, 0), cost=1.0))
    assert total([*both, *recorded]).source == "mixed"
    assert total([]) == Cost(0.0, "", 0)


@pytest.mark.parametrize(
    ("cost", "said"),
    [
        (Cost(1.234, "client"), "$1.23"),
        (Cost(1.234, "list"), "about $1.23"),
        (Cost(0.0042, "list"), "about $0.0042"),
        (Cost(0.01, "list"), "about $0.01"),
        (Cost(0.0099, "list"), "about $0.0099"),
        (Cost(1234.5, "mixed"), "about $1,234.50"),
        (Cost(1.0, "list", 5), "more than $1.00"),
        (Cost(None, "unknown", 5), "unknown"),
        (Cost(0.0), "$0.00"),
    ],
)
def test_only_what_is_known_is_said_as_known(cost, said):
    assert words(facts(cost), plainly) == said


def test_machines_get_a_sum_to_the_millionth_of_a_dollar():
    assert facts(Cost(0.12345678, "list"))["usd"] == 0.123457


# Where the figures come from


def test_spending_is_counted_by_day_model_and_length_of_prompt():
    tally = t.begin()
    t.answer(tally, 1, "a", (10, 1, 0, 0), "2026-08-07T23:59:00.000Z")
    t.answer(tally, 2, "a", (20, 2, 0, 0), "2026-08-08T00:01:00.000Z")
    t.answer(tally, 3, "b", (0, 3, 150_000, 5), 1_786_190_400.0)
    t.answer(tally, 3, "b", (0, 4, 150_000, 5), 1_786_190_400.0)
    t.answer(tally, 4, "b", (300_000, 5, 0, 0))
    tally["hour"][3] = 4
    found = t.stats(tally)
    assert found.spent == {
        ("2026-08-07", "a", 0): (10, 1, 0, 0, 0),
        ("2026-08-08", "a", 0): (20, 2, 0, 0, 0),
        ("2026-08-08", "b", 1): (0, 4, 150_000, 5, 4),
        ("", "b", 3): (300_000, 5, 0, 0, 0),
    }
    assert found.models == {"a": 2, "b": 2}


FIGURE = st.integers(-10, 400_000) | st.sampled_from((10**12, -(10**12)))


def _moment(at):
    """Days by numbers and by texts, some of which are no time at all."""
    return (float(at * 40_000), f"2026-08-{at:02}T10:00:00.000Z", f"{at}. of August")[at % 4 % 3]


@given(st.lists(st.tuples(*[FIGURE] * 4), max_size=20))
def test_what_is_spent_adds_up_to_the_tokens(answers):
    tally = t.begin()
    for at, used in enumerate(answers, 1):
        t.answer(tally, at, f"m{at % 3}", used, _moment(at))
    found = t.stats(tally)
    sums = [sum(column) for column in zip(*found.spent.values(), strict=True)] or [0] * 5
    assert tuple(sums[:4]) == found.tokens


def test_subagents_spend_for_their_session():
    one = stats_of(used=(10, 0, 0, 0), cost=1.0)
    other = stats_of(used=(5, 1, 0, 0))
    whole = together(one, [other, stats_of("b", (1, 0, 0, 0))])
    assert whole.spent["2026-08-08", "claude-opus-5", 0] == (15, 1, 0, 0, 0)
    assert len(whole.spent) == 2
    assert whole.cost == 1.0


def fed(*lines):
    tally = claude.begin()
    claude.feed(tally, b"".join(json.dumps(one).encode() + b"\n" for one in lines))
    return claude.stats(tally)


def answered(**more):
    usage = {"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 100}
    usage["cache_creation"] = {"ephemeral_1h_input_tokens": 60, "ephemeral_5m_input_tokens": 40}
    message = {"id": "m1", "model": "claude-opus-5", "usage": usage, "content": []}
    when = "2026-08-08T10:00:00.000Z"
    return {"type": "assistant", "requestId": "r1", "timestamp": when, "message": message, **more}


def test_claude_code_tells_what_is_cached_for_an_hour_and_what_it_cost():
    assert fed(answered()).spent == {("2026-08-08", "claude-opus-5", 0): (10, 5, 0, 100, 60)}
    assert fed(answered(costUSD=0.25), answered(costUSD=0.25)).cost == 0.25
    state = {"type": "cost-state", "totalCostUSD": 0.5}
    assert fed(answered(), state, {**state, "totalCostUSD": 0.75}).cost == 0.75
    assert fed(answered(), {**state, "hasUnknownModelCost": True}).cost == 0.0


@pytest.mark.parametrize("odd", [-1, 0, "1", None, True, [], 1e300])
def test_a_cost_that_cannot_be_is_none(odd):
    assert fed(answered(), {"type": "cost-state", "totalCostUSD": odd}).cost == 0.0
    assert fed(answered(costUSD=odd)).cost == 0.0


def recorded(name):
    with open(shared("clients", "fixtures", "claude", f"transcript-{name}.jsonl"), "rb") as file:
        return file.read()


TRANSCRIPTS = ["auto-compact", "basic-resume-compact", "interactive", "subagent-parent"]


@pytest.mark.shared
@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_the_list_says_to_the_cent_what_claude_code_recorded(name):
    lines = [json.loads(one) for one in recorded(name).splitlines()]
    told = [one["modelUsage"] for one in lines if one["type"] == "cost-state"]
    assert told
    for model, used in ((model, used) for each in told for model, used in each.items()):
        kinds = ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
        figures = *(used[kind] for kind in kinds), used["cacheCreationEphemeral1hInputTokens"]
        assert priced(figures, 0, price_of(model, {}).price) == pytest.approx(used["costUSD"])


@pytest.mark.shared
@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_a_transcript_has_no_more_than_what_its_client_paid_for(name):
    tally = claude.begin()
    claude.feed(tally, recorded(name))
    told = claude.stats(tally)
    by_list = cost_of(told._replace(cost=0.0), {})
    assert by_list.source == LIST
    # titles, summaries and subagents stand elsewhere
    assert told.cost - 0.011 < by_list.usd <= told.cost + 1e-9


def test_opencode_tells_what_each_answer_cost():
    def message(name: str, cost: object) -> bytes:
        tokens = {"input": 10, "output": 5, "cache": {"read": 0, "write": 0}}
        info = {"id": name, "role": "assistant", "modelID": "m", "tokens": tokens, "cost": cost}
        return json.dumps({"info": {**info, "finish": "stop"}, "parts": []}).encode() + b"\n"

    tally = opencode.begin()
    for at, cost in enumerate((0.25, 0.5, 0, None, "1", True, -3)):
        opencode.feed(tally, message(f"msg_{at}", cost))
    assert opencode.stats(tally).cost == 0.75


@pytest.mark.parametrize(("totals", "own"), [((1.5, 2.0), 1.0), ((0.25, 0.75), 0.75)])
def test_a_fork_pays_for_its_own_part_alone(totals, own):
    tally = t.begin()
    tally["copied"] = 1.0
    for total_of_all in totals:
        t.charged(tally, total_of_all)
    assert t.stats(tally).cost == own
