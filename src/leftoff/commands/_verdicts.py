"""Verdicts as the commands share them: gathered for some streams, shown in one form."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.core.blocks import Block, Line
from leftoff.core.claims import CONFIRMED, CONTRADICTED, UNKNOWN, WORDS, Verdict, judge
from leftoff.core.model import Finding
from leftoff.core.texts import short
from leftoff.record import TYPE_CHECKING
from leftoff.world import facts as world_facts

SHOWN = 3

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.facts import Facts
    from leftoff.core.model import Json
    from leftoff.core.stream import Glance, Stream


def facts_for(
    call: Call, streams: Sequence[Stream], shown: Sequence[Glance], *, deep: bool = False
) -> Facts:
    """The facts for the streams that are shown, among all there are."""
    budget = call.patience or world_facts.BUDGET
    found = world_facts.gather(call.store, shown, call.env, deep=deep, budget=budget)
    tickets = call.settings.tickets
    return found._replace(ids=frozenset(s.glance.id for s in streams), tickets=tickets)


def landing_for(call: Call, glances: Sequence[Glance]) -> Facts:
    """Only what ranking needs, for all streams at once."""
    tickets = call.settings.tickets
    budget = call.patience or world_facts.BUDGET
    return world_facts.landing(call.store, glances, call.env, budget)._replace(tickets=tickets)


def strangers(call: Call, documents: Sequence[str]) -> tuple[Finding, ...]:
    """A note on each document that somebody else committed."""
    found = world_facts.authors(call.store, documents, call.env)
    return tuple(
        Finding("author", "info", path, f"last committed by {name}")
        for path, name in sorted(found.items())
    )


def data_of(stream: Glance, facts: Facts, *, whole: bool = False) -> dict[str, Json]:
    """How many claims of each kind, and those that are not confirmed; with `whole` these too."""
    verdicts = judge(stream, facts)
    counts: dict[str, Json] = {word: sum(v.word == word for v in verdicts) for word in WORDS}
    return {
        **counts,
        "open": [_said(v) for v in verdicts if v.word in {CONTRADICTED, UNKNOWN}],
        **({"held": [_said(v) for v in verdicts if v.word == CONFIRMED]} if whole else {}),
        "author": facts.authors.get(stream.path, ""),
        "degraded": facts.degraded,
    }


def _said(verdict: Verdict) -> Json:
    return dict(verdict._asdict())


def lines(data: Any, say: Say, *, whole: bool = False) -> Iterator[Block]:
    """What is contradicted, with `whole` what is unknown too; who wrote it, if another did."""
    if data["author"]:
        yield Line("  " + say("last committed by {name}", name=data["author"]), "warn")
    for (word, kind, reason), about in _together(data["open"]).items():
        text = f"{say(kind)} {_listed(about, say, whole=whole)}: {reason}"
        if word == CONTRADICTED:
            yield Line(f"  ✗ {text}", "bad")
        elif whole:
            yield Line(f"  ? {text}", "dim")
    if data["degraded"]:
        yield Line("  " + say("not everything was checked: {why}", why=data["degraded"]), "warn")


def _together(verdicts: Any) -> dict[tuple[str, str, str], list[str]]:
    """What was looked up, for each thing that was found: ten missing files are one line."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for verdict in verdicts:
        key = verdict["word"], verdict["kind"], verdict["reason"]
        found.setdefault(key, []).append(short(verdict["about"]))
    return found


def _listed(about: Sequence[str], say: Say, *, whole: bool) -> str:
    shown = about if whole or len(about) <= SHOWN else about[:SHOWN]
    more = len(about) - len(shown)
    return ", ".join(shown) + (f" {say('and {n} more', n=more)}" if more else "")
