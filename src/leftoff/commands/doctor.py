"""doctor: everything that drifted or broke, worst first, each with a way out; --fix does some."""

from __future__ import annotations

from leftoff.commands import Call, _paging
from leftoff.commands.validate import MARKS
from leftoff.core.blocks import Block, Heading, Line, Table
from leftoff.core.diagnose import FIELDS, counts, diagnose, worst_first
from leftoff.core.diagnose_place import around
from leftoff.core.model import ARCHIVED, LEVELS, Finding
from leftoff.core.result import Ask, Choice, Result
from leftoff.core.stream import current
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import archive_follow, archive_upkeep, claude_home, hooks, team_state
from leftoff.world import facts as world_facts
from leftoff.world.doctor_facts import look_around, not_looked_at
from leftoff.world.glance_cache import Uncollected
from leftoff.world.opencode_db import hidden
from leftoff.world.settings import origins, trouble

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.commands._doctor_fixes import Plan
    from leftoff.core.diagnose import Diagnosis
    from leftoff.core.diagnose_place import Signs
    from leftoff.core.facts import Facts
    from leftoff.core.model import Json
    from leftoff.core.stream import Stream
    from leftoff.world.settings import Settings

SUMMARY = "Report what drifted or broke, worst first, and how to fix it (exit 1 on errors)."
EXAMPLES = (
    "leftoff doctor",
    "leftoff doctor --fail-on-warnings",
    "leftoff doctor --fix",
    "leftoff doctor --online",
    "leftoff doctor --settings",
)
FINDINGS_IN_VIEW = True
TONES = {"error": "bad", "warning": "warn", "advice": "plain", "info": "dim"}
SHOWN = 200
"""Findings in a view; --all and --json have every one."""

BUDGET = 10.0
"""Seconds for git: a person who calls the doctor waits a little."""


class Examined(Record):
    """All that one examination saw."""

    streams: Sequence[Stream]
    signs: Signs
    found: Diagnosis
    degraded: str
    among: int = 0
    """so many checkpoints there are in all"""


def arguments(parser: Any) -> None:
    """How strict, how far, and whether to put things right."""
    parser.add_argument("--fail-on-warnings", action="store_true", help="exit 1 on warnings too")
    parser.add_argument("--fix", action="store_true", help="show a plan of what can be fixed")
    parser.add_argument("--apply", metavar="PLAN", help="carry out the plan with this id")
    parser.add_argument("--online", action="store_true", help="ask health.url what runs there")
    parser.add_argument("--settings", action="store_true", help="show the settings in force")
    parser.add_argument(
        "--limit", metavar="N", help="look at N checkpoints at most, the last touched first"
    )
    _paging.add_from(parser)
    parser.add_argument("--all", action="store_true", help=f"show more than {SHOWN} findings")


def run(call: Call) -> Result:
    """Look at everything once; with a plan's name, put right what it lists and look again."""
    if call.args.settings:
        return _settings(call)
    seen = _examined(call)
    applied: list[Json] = []
    offered = _plan(call, seen) if call.args.fix or call.args.apply else None
    if offered and call.args.apply:
        from leftoff.commands._doctor_fixes import carry_out

        applied = carry_out(call, call.args.apply, offered, seen.streams)
        seen, offered = _examined(call), None
    data: dict[str, Json] = {
        **_report(call, seen),
        "plan": offered.data() if offered else None,
        "applied": applied,
    }
    return Result(data, seen.found.findings, _question(offered), failed=_is_bad(call, data))


def _plan(call: Call, seen: Examined) -> Plan:
    from leftoff.commands._doctor_fixes import plan  # most people only look

    return plan(call.store, seen.streams, seen.signs)


def _question(offered: Plan | None) -> Ask | None:
    if not offered or not offered.steps:
        return None
    steps = "; ".join(step.what for step in offered.steps)
    choices = (Choice(offered.id, "do it"),)
    return Ask(f"Carry out this plan? {steps}", choices, "--apply", shown_first=True)


def _is_bad(call: Call, data: Any) -> bool:
    """Beyond errors: warnings, where they count, and a step of the plan that failed."""
    strict = call.args.fail_on_warnings and data["counts"]["warning"]
    return bool(strict) or any(step["failed"] for step in data["applied"])


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """What was done, what is wrong, the sum, and what could be done."""
    if "settings" in data:
        yield from _settings_view(data, say)
        return
    for step in data["applied"]:
        if step["failed"]:
            yield Line(f"✗ {step['what']}: {step['failed']}", "bad")
        else:
            yield Line(f"✓ {step['what']}", "good")
            yield Line("    " + say("to undo: {how}", how=step["undo"]), "dim")
    yield from _findings(data, say)
    if data["plan"]:
        yield from _plan_view(data["plan"], say)


# Looking


def _examined(call: Call) -> Examined:
    with Uncollected():
        return _look(call)


def _look(call: Call) -> Examined:
    settings = call.settings
    every = call.store.streams(FIELDS)
    streams = _part(call, every)
    facts = _facts(call, streams, every, settings)
    signs = look_around(call.store, every, streams, call.env, call.now)
    found = diagnose(streams, facts, settings.limits, call.now, every)
    more = [*around(signs, settings.limits, call.now)]
    more += hooks.findings(call.store.root, call.env, call.store.state, call.now)
    more += hidden(call.env)
    store = call.store
    more += claude_home.findings(call.env, store.root, store.state, call.now, store.server_sessions)
    more += archive_upkeep.findings(call.store.state, settings.archive)
    more += archive_follow.findings(call.store.state, call.env, settings.archive)
    more += team_state.findings(call.store.state)
    more += trouble(call.store.root, call.env, "error")
    if not facts.degraded:
        more += _delta_due(call, streams)
    if call.args.online:
        more += _online(settings, facts)
    everything = found._replace(
        findings=worst_first((*found.findings, *more)),
        capped=(*found.capped, *not_looked_at(streams)),
    )
    return Examined(streams, signs, everything, facts.degraded, len(every))


def _part(call: Call, every: list[Stream]) -> list[Stream]:
    """Those to look at: all, or a page of them."""
    wanted = _paging.part(call)
    if wanted is None:
        return every
    return sorted(every, key=_newest_first)[wanted.slice]


def _newest_first(stream: Stream) -> tuple[bool, float, str]:
    one = stream.glance
    return not one.broken, -(one.touched or 0.0), one.path


def _facts(
    call: Call, streams: Sequence[Stream], every: Sequence[Stream], settings: Settings
) -> Facts:
    glances = [s.glance for s in streams if s.glance.status != ARCHIVED and not s.glance.broken]
    facts = world_facts.gather(call.store, glances, call.env, deep=True, budget=BUDGET)
    ids = frozenset(stream.glance.id for stream in every)
    return facts._replace(ids=ids, tickets=settings.tickets)


def _delta_due(call: Call, streams: Sequence[Stream]) -> Iterator[Finding]:
    """For the checkpoint in focus only: what changed in the project says nothing of the others."""
    from leftoff.commands.delta import changed
    from leftoff.core.delta import suggestion

    for stream in current(streams)[:1]:
        due = suggestion(stream.glance, changed(call, stream.glance))
        if due:
            yield due


def _online(settings: Settings, facts: Facts) -> Iterator[Finding]:
    from leftoff.core.diagnose_place import running
    from leftoff.world.health_check import versions

    if not settings.health:
        fix = 'say where: [health] url = "https://..." in the settings'
        text = "--online needs an address to ask"
        yield Finding("online", "warning", "health.url", text, fix)
        return
    try:
        said = versions(settings.health)
    except LeftoffError as error:
        text = f"{settings.health}: {error.message}"
        yield Finding(
            "online", "warning", "health.url", text, "check that it is running, then try again"
        )
        return
    yield from running(settings.health, said, facts.repository.head)


# Showing


def _report(call: Call, seen: Examined) -> dict[str, Json]:
    found = seen.found.findings
    shown = found if call.args.all else found[:SHOWN]
    return {
        "counts": {**counts(found)},
        "documents": seen.found.documents,
        "among": seen.among,
        "claims": seen.found.claims,
        "worst": [dict(finding._asdict()) for finding in shown],
        "left": len(found) - len(shown),
        "capped": [*seen.found.capped],
        "degraded": seen.degraded,
    }


def _findings(data: dict[str, Any], say: Say) -> Iterator[Block]:
    for finding in data["worst"]:
        yield Line(f"{MARKS[finding['level']]} {_line(finding)}", TONES[finding["level"]])
        if finding["fix"]:
            yield Line(f"    → {finding['fix']}", "dim")
    if data["left"]:
        yield Line(say("{n} more: leftoff doctor --all", n=data["left"]), "dim")
    for what in data["capped"]:
        yield Line(say("not checked: {what}", what=what), "dim")
    if data["degraded"]:
        yield Line(say("not everything was checked: {why}", why=data["degraded"]), "warn")
    yield Line(_sum(data, say), _tone(data["counts"]))


def _line(finding: dict[str, Any]) -> str:
    return Finding(**{name: finding[name] for name in Finding._fields}).told


def _sum(data: dict[str, Any], say: Say) -> str:
    text = (
        "Errors: {error}, warnings: {warning}, advice: {advice}, info: {info}. "
        "Checked {documents} document(s), {claims} claim(s)."
    )
    words = {level: data["counts"][level] for level in LEVELS}
    return say(text, documents=data["documents"], claims=data["claims"], **words)


def _tone(found: dict[str, int]) -> str:
    return "bad" if found["error"] else "warn" if found["warning"] else "good"


def _plan_view(plan: dict[str, Any], say: Say) -> Iterator[Block]:
    if not plan["steps"]:
        yield Line(say("None of this can be fixed automatically."))
        return
    yield Heading(say("Plan {id}", id=plan["id"]), 2)
    for step in plan["steps"]:
        yield Line(f"- {step['what']}")
        yield Line("    " + say("to undo: {how}", how=step["undo"]), "dim")
    yield Line(say("To carry it out: leftoff doctor --apply {id}", id=plan["id"]))


# --settings


def _settings(call: Call) -> Result:
    rows: list[Json] = [dict(one._asdict()) for one in origins(call.store.root, call.env)]
    found = trouble(call.store.root, call.env, "error")
    told: list[Json] = [dict(one._asdict()) for one in found if one.level == "error"]
    return Result({"settings": rows, "worst": told}, found)


def _settings_view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    for finding in data["worst"]:
        yield Line(f"✗ {finding['where']}: {finding['text']}", "bad")
        yield Line(f"    → {finding['fix']}", "dim")
    columns = (say("Setting"), say("Value"), say("From"))
    yield Table(columns, tuple(_row(one, say) for one in data["settings"]), elastic=(1,))


def _row(one: dict[str, Any], say: Say) -> tuple[str, str, str]:
    value = one["value"]
    shown = ", ".join(value) if isinstance(value, list) else value
    text = f"{shown:.15g}" if isinstance(shown, float) else str(shown)  # a year has 8 digits
    return one["key"], text or "-", one["path"] or say("default")
