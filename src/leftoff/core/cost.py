"""A sum of money, where it comes from and what it lacks; for people and for machines."""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leftoff.core.model import Json
    from leftoff.core.texts import Say

DATE = "2026-11"
"""of the list prices"""
LIST, SETTINGS, CLIENT, MIXED, UNKNOWN = "list", "settings", "client", "mixed", "unknown"
"""Where an amount comes from: public list prices, the settings, or the client's own transcript."""
BY = ("day", "agent", "project", "model")
"""What spending is told by."""


class Cost(Record):
    """A sum: dollars where any are known, where they come from, tokens that have no price."""

    usd: float | None = 0.0
    source: str = ""
    unpriced: int = 0


def facts(cost: Cost) -> dict[str, Json]:
    """The same for machines."""
    usd = None if cost.usd is None else round(cost.usd, 6)
    return {"usd": usd, "source": cost.source or None, "unpriced": cost.unpriced}


def words(cost: Mapping[str, Json], say: Say) -> str:
    """The same for people: `$1.20` by the client, `about` by a list, `unknown` never a number."""
    usd, source = cost["usd"], cost["source"]
    if not isinstance(usd, int | float):
        return say("unknown")
    shown = f"${usd:,.2f}" if usd >= 0.01 or not usd else f"${usd:.4f}"
    if cost["unpriced"]:
        return say("more than {amount}", amount=shown)
    return shown if source in {CLIENT, None} else say("about {amount}", amount=shown)
