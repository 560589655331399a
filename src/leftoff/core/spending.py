"""What sessions cost: their own client's figure where it has one, else tokens by a list's price.

An amount always says where it comes from; tokens of a model without a price are counted apart.
"""

from __future__ import annotations

from leftoff.core.cost import CLIENT, MIXED, UNKNOWN, Cost
from leftoff.core.prices import price_of, priced
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeAlias

    from leftoff.core.prices import Found, Price
    from leftoff.core.stats import Stats

    Prices: TypeAlias = Mapping[str, Found | None]


class Part(Record):
    """What one model took on one day; `usd` is None where nobody knows its price."""

    day: str
    model: str
    tokens: int
    usd: float | None
    source: str


def prices_for(some: Iterable[Stats], own: Mapping[str, Price]) -> Prices:
    """Of each model in them, looked up once: many sessions are of few models."""
    models = {model for stats in some for _, model, _ in stats.spent}
    return {model: price_of(model, own) for model in models}


def parts_of(stats: Stats, prices: Prices) -> list[Part]:
    """The spending of a session by day and model; the client's own sum is shared out over them."""
    listed = [_part(key, used, prices) for key, used in stats.spent.items()]
    if stats.cost <= 0:
        return listed
    if not listed:
        return [Part("", "", 0, stats.cost, CLIENT)]
    shares = _shares(listed)
    return [
        part._replace(usd=stats.cost * share, source=CLIENT)
        for part, share in zip(listed, shares, strict=True)
    ]


def _shares(parts: Sequence[Part]) -> list[float]:
    """By list price where all have one, else by tokens, else in equal parts."""
    prices = [part.usd or 0.0 for part in parts]
    if any(part.usd is None for part in parts) or not sum(prices):
        prices = [float(part.tokens) for part in parts]
    whole = sum(prices)
    return [one / whole for one in prices] if whole else [1 / len(parts)] * len(parts)


def _part(key: tuple[str, str, int], used: tuple[int, int, int, int, int], prices: Prices) -> Part:
    day, model, step = key
    found, tokens = prices[model], used[0] + used[1] + used[2] + used[3]
    if found is None:
        return Part(day, model, tokens, None if tokens else 0.0, UNKNOWN)
    return Part._make((day, model, tokens, priced(used, step, found.price), found.source))


def total(parts: Iterable[Part]) -> Cost:
    """All of them together."""
    usd, sources, unpriced, priced_any = 0.0, set(), 0, False
    for part in parts:
        if part.usd is None:
            unpriced += part.tokens
        elif part.tokens or part.usd:
            usd += part.usd
            sources.add(part.source)
            priced_any = True
    if unpriced and not priced_any:
        return Cost(None, UNKNOWN, unpriced)
    source = sources.pop() if len(sources) == 1 else MIXED if sources else ""
    return Cost(usd, source, unpriced)
