"""What models cost: public list prices, in dollars for a million tokens.

The figures are of November 2026: those of Claude models as Claude Code 2.1.325 carries them, all
others as ccusage 20.0.24 does, which takes them from LiteLLM and models.dev. Nobody's bill need say
the same: subscriptions, discounts and regions are not in a list. A model that is not here has no
price; none is ever guessed.
"""

from __future__ import annotations

import re

from leftoff.core.cost import LIST, SETTINGS
from leftoff.core.stats import STEPS
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping


class Price(Record):
    """Dollars for a million tokens; `above` tokens of a prompt all of it costs as `long` says."""

    input: float
    output: float
    cache_read: float
    cache_write: float
    cache_write_1h: float
    above: int = 0
    long: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)


class Found(Record):
    """A price, and where it comes from."""

    price: Price
    source: str


def _claude(given: float, output: float, read: float) -> Price:
    """Writing into a cache costs a quarter more than input, for an hour twice as much."""
    return Price(given, output, read, given * 1.25, given * 2)


def _other(given: float, output: float, read: float, above: int = 0) -> Price:
    """Writing costs as input does; all of a long prompt twice as much, its answer half more."""
    long = (given * 2, output * 1.5, read * 2, given * 2, given * 2)
    return Price(given, output, read, given, given, above, long)


def _writing(price: Price) -> Price:
    """Of those that do take more for writing into a cache."""
    write = price.input * 1.25
    long = (*price.long[:3], price.long[3] * 1.25, price.long[4] * 1.25)
    return price._replace(cache_write=write, cache_write_1h=write, long=long)


_OPUS, _SONNET = _claude(5, 25, 0.5), _claude(3, 15, 0.3)
_HAIKU_55 = _claude(0.1, 0.5, 0.01)._replace(above=STEPS[0], long=(0.5, 2.5, 0.05, 0.625, 1.0))
_GPT_5, _GPT_52 = _other(1.25, 10, 0.125), _other(1.75, 14, 0.175)
_LONG_GPT, _LONG_GEMINI = STEPS[2], STEPS[1]

TABLE: Mapping[str, Price] = {
    "claude-3-haiku": Price(0.25, 1.25, 0.03, 0.3, 0.5),
    "claude-3-5-haiku": _claude(0.8, 4, 0.08),
    "claude-haiku-4-5": _claude(1, 5, 0.1),
    "claude-haiku-5-5": _HAIKU_55,
    **dict.fromkeys(("claude-3-5-sonnet", "claude-3-7-sonnet", "claude-sonnet-4"), _SONNET),
    **dict.fromkeys(("claude-sonnet-4-5", "claude-sonnet-4-6"), _SONNET),
    "claude-sonnet-5": _claude(2, 10, 0.2),
    "claude-sonnet-5-5": _claude(2, 10, 0.1),
    **dict.fromkeys(("claude-3-opus", "claude-opus-4", "claude-opus-4-1"), _claude(15, 75, 1.5)),
    **dict.fromkeys(("claude-opus-4-5", "claude-opus-4-6", "claude-opus-4-7"), _OPUS),
    **dict.fromkeys(("claude-opus-4-8", "claude-opus-5"), _OPUS),
    "claude-opus-5-5": _claude(4, 20, 0.2),
    **dict.fromkeys(("claude-fable-5", "claude-mythos-5"), _claude(10, 50, 1)),
    **dict.fromkeys(("claude-fable-5-1", "claude-mythos-5-1"), _claude(10, 50, 0.25)),
    **dict.fromkeys(("claude-fable-5-2", "claude-mythos-5-2"), _claude(8, 40, 0.2)),
    "gpt-4o": _other(2.5, 10, 1.25),
    "gpt-4o-mini": _other(0.15, 0.6, 0.075),
    "gpt-4.1": _other(2, 8, 0.5),
    "gpt-4.1-mini": _other(0.4, 1.6, 0.1),
    "gpt-4.1-nano": _other(0.1, 0.4, 0.025),
    "o3": _other(2, 8, 0.5),
    "o4-mini": _other(1.1, 4.4, 0.275),
    **dict.fromkeys(("gpt-5", "gpt-5-codex", "gpt-5.1", "gpt-5.1-codex"), _GPT_5),
    "gpt-5.1-codex-max": _GPT_5,
    **dict.fromkeys(("gpt-5-mini", "gpt-5.1-codex-mini"), _other(0.25, 2, 0.025)),
    "gpt-5-nano": _other(0.05, 0.4, 0.005),
    **dict.fromkeys(("gpt-5.2", "gpt-5.2-codex", "gpt-5.3-codex"), _GPT_52),
    "gpt-5.4": _other(2.5, 15, 0.25, _LONG_GPT),
    "gpt-5.4-mini": _other(0.75, 4.5, 0.075),
    "gpt-5.4-nano": _other(0.2, 1.25, 0.02),
    "gpt-5.5": _other(5, 30, 0.5, _LONG_GPT),
    **dict.fromkeys(("gpt-5.6", "gpt-5.6-sol"), _writing(_other(4, 20, 0.4, _LONG_GPT))),
    "gpt-5.6-terra": _writing(_other(2, 12, 0.2, _LONG_GPT)),
    "gpt-6-astra": _writing(_other(10, 50, 1, _LONG_GPT)),
    "gemini-2.5-flash": _other(0.3, 2.5, 0.03),
    "gemini-2.5-flash-lite": _other(0.1, 0.4, 0.01),
    "gemini-2.5-pro": _other(1.25, 10, 0.125, _LONG_GEMINI),
    **dict.fromkeys(("gemini-3-flash", "gemini-3-flash-preview"), _other(0.5, 3, 0.05)),
    **dict.fromkeys(("gemini-3-pro", "gemini-3-pro-preview"), _other(2, 12, 0.2, _LONG_GEMINI)),
    "gemini-3.1-pro-preview": _other(2, 12, 0.2, _LONG_GEMINI),
    "gemini-3.1-flash-lite": _other(0.25, 1.5, 0.025),
    "gemini-3.5-flash": _other(1.5, 9, 0.15),
    "gemini-3.5-flash-lite": _other(0.3, 2.5, 0.03),
    **dict.fromkeys(("gemini-3.6-flash", "gemini-3.7-flash"), _other(0.75, 3.75, 0.075)),
    "gemini-3.8-flash": _other(0.75, 3.75, 0.075),
}
_BEFORE = re.compile(r"^(?:.*/|(?:[a-z]+\.)?anthropic\.)")
_BEHIND = re.compile(
    r"(?:\[1m\]|@default|@\d{8}|-v\d+(?::\d+)?|-\d{8}|-20\d\d-\d\d-\d\d|-latest|-0)$"
)


def known_as(model: str) -> str:
    """A model's name without its provider, its date and the size of its window."""
    name = _BEFORE.sub("", model[:100].strip().lower())
    while (shorter := _BEHIND.sub("", name)) != name:
        name = shorter
    return name.replace(".", "-") if name.startswith("claude") else name


def price_of(model: str, own: Mapping[str, Price]) -> Found | None:
    """The price that the settings name, by the longest beginning; else the list's; else none."""
    fits = [name for name in own if model.startswith(name)]
    if fits:
        return Found(own[max(fits, key=len)], SETTINGS)
    listed = TABLE.get(known_as(model))
    return Found(listed, LIST) if listed else None


def priced(used: tuple[int, int, int, int, int], step: int, price: Price) -> float:
    """Dollars for input, output, cache read, cache write and, of these, those for an hour.

    `step` says how many of STEPS the prompts were longer than.
    """
    given, output, read, write, hour = used
    longer = step and price.above and STEPS[step - 1] >= price.above
    a, b, c, d, e = price.long if longer else price[:5]
    return (given * a + output * b + read * c + (write - hour) * d + hour * e) / 1e6
