"""session stats: everything that was counted, of one session or summed over many."""

from __future__ import annotations

import os

from leftoff.core.blocks import Block, Heading, Line, Table
from leftoff.core.cost import BY, DATE, words
from leftoff.core.model import Finding
from leftoff.core.result import Result
from leftoff.core.texts import flat
from leftoff.core.when import stamp
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world.state import PROJECT_FILE, user_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from leftoff.commands import Call, Say
    from leftoff.core.model import Json
    from leftoff.core.prices import Price
    from leftoff.core.session import Session
    from leftoff.core.spending import Part

SUMS = ("sessions", "tokens", "cost", "prompts", "files", "commits", "tasks", "failed")


def run(call: Call) -> Result:
    """One session in full; with an option that chooses among them the sums over many."""
    args = call.args
    chosen_by = args.since or args.agent or args.id or args.session
    if args.all and not chosen_by and args.by in {None, "agent"}:
        return _of_all(call)
    from leftoff.commands import _sessions  # much that the sums of all do not need

    over_many = args.all or args.by or args.since or args.agent
    if over_many and _sessions.given(args) is not None:
        raise Usage("ID shows one session", hint="leave ID or the other option out")
    return _summed(call) if over_many else _one(call)


def _one(call: Call) -> Result:
    from leftoff.commands import _sessions
    from leftoff.core import session as s
    from leftoff.world.commits import checked

    known = _sessions.exactly(call) or _sessions.gather(call, curves=False)
    chosen = _sessions.choose(call, known)
    one = chosen.session
    spending = costs(one, call.settings.prices)
    data: dict[str, Json] = {
        "why": chosen.why,
        **_sessions.facts(one, call.now, call.settings.limits),
        "decisions": [*s.decisions(one)],
        "next": [*s.next_steps(one)],
        "resume": _sessions.native(one) or None,
        "stats": {**counted(one), **spending, "commits": {**checked(one, call.env)._asdict()}},
    }
    if note := _sessions.why_nothing(one):
        data["note"] = note
    return Result({"session": data}, _sessions.findings([one]))


def costs(one: Session, own: Mapping[str, Price]) -> dict[str, Json]:
    """What it cost, and each model's share of that."""
    from leftoff.core.cost import facts
    from leftoff.core.spending import parts_of, prices_for, total

    by_model: dict[str, list[Part]] = {}
    for part in parts_of(one.stats, prices_for([one.stats], own)):
        by_model.setdefault(part.model, []).append(part)
    models: dict[str, Json] = {
        name: {"tokens": sum(part.tokens for part in parts), "cost": facts(total(parts))}
        for name, parts in by_model.items()
    }
    whole = total([part for parts in by_model.values() for part in parts])
    return {"cost": facts(whole), "spentByModel": models}


def counted(one: Session) -> dict[str, Json]:
    """Every figure of a transcript, by D's names where D has one."""
    from leftoff.core.session import files  # much that the sums of all do not need

    stats = one.stats
    return {
        "tokensConsumed": stats.tokens.total,
        "tokens": {**stats.tokens._asdict()},
        "context": stats.context,
        "peak": stats.peak,
        "filesModified": [*files(one)],
        "tasksCompleted": stats.done,
        "tasks": [{"text": task.text, "status": task.status} for task in stats.tasks],
        "tasksFailed": stats.failed,
        "failures": [
            {"tool": one.tool, "text": one.text, "at": stamp(one.at) if one.at else None}
            for one in stats.failures
        ],
        "gitCommits": stats.commits,
        "toolUsageCounts": dict(stats.tools),
        "subagentsLaunched": stats.subagents,
        "models": dict(stats.models),
        "prompts": stats.prompts,
        "answers": stats.answers,
        "commands": stats.commands,
        "interrupted": stats.interrupted,
        "errors": stats.errors,
        "compactions": [
            {"at": stamp(one.at), "trigger": one.trigger, "before": one.before, "after": one.after}
            for one in stats.compactions
        ],
        "hooks": {**stats.hooks._asdict()},
        "lines": stats.lines,
        "skipped": stats.skipped,
        "unknown": dict(stats.unknown),
        "version": stats.version,
    }


def _summed(call: Call) -> Result:
    from leftoff.commands import _sessions

    since, agent = _sessions.since(call), call.args.agent
    found = _sessions.gather(call, everywhere=bool(call.args.all), curves=False, since=since)
    known = [one for one in found if one.seen >= since and agent in {None, one.agent}]
    return Result(_rows(call, known, since), _sessions.findings(known))


def _rows(call: Call, known: Sequence[Session], since: float = 0.0) -> dict[str, Json]:
    from leftoff.commands import _session_sums as sums

    memory = call.keep.own(("spent",), sums.Memory) if call.keep else None
    each = sums.spent(known, call.settings.prices, since, memory)
    by = call.args.by or "agent"
    return sums.everything(each) if by == sums.ALL else sums.rows(each, by)


def _of_all(call: Call) -> Result:
    """The sums by agent, kept: nearly always no transcript and no journal has changed."""
    from leftoff.world import session_sums

    state = call.store.state
    of = session_sums.sources(state, call.env)
    known = session_sums.load(state, of)
    prices = repr(sorted(_own_prices(call).items()))
    if known and known[0] <= call.now and known[1] == prices:
        _, _, data, found = known
        return Result(data, tuple(map(Finding._make, found)))
    from leftoff.commands import _sessions

    sessions = _sessions.gather(call, everywhere=True, curves=False, logs=of.logs)
    data, found = _rows(call, sessions), _sessions.findings(sessions)
    if not any(_may_change(one, call.now) for one in sessions):
        newest = max((one.seen for one in sessions), default=0.0)
        others = [one.transcript for one in sessions]
        session_sums.save(state, of, others, (newest, prices, data, [*map(tuple, found)]))
    return Result(data, found)


def _own_prices(call: Call) -> Mapping[str, Price]:
    """Without a file of settings nobody named any, and what reads one is much to load."""
    files = user_file(call.env), os.path.join(call.store.root, PROJECT_FILE)
    return call.settings.prices if any(map(os.path.lexists, files)) else {}


def _may_change(one: Session, now: float) -> bool:
    """Whether a session may count otherwise although none of its files changes."""
    from leftoff.core.session import is_ghost

    return bool(one.trouble) or one.stats.last > now or is_ghost(one._replace(alive=False))


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """A table of sums, four of them, or the figures of one session."""
    if "by" in data:
        for by in (data["by"],) if "rows" in data else BY:
            rows = data["rows"] if "rows" in data else data[f"{by}s"]
            yield _sums(rows, by, data["total"], say)
        yield from _about_cost(data["total"]["cost"], say)
        return
    from leftoff.commands._sessions import NEWEST

    one = data["session"]
    yield Heading(flat(f"{one['agent']} {one['id']}"))
    if one["why"] == NEWEST:
        yield Line(say("(not called from a session: the newest one of this project)"), "dim")
    if note := one.get("note"):
        yield Line(say(note), "warn")
    figures = tuple(_figures(one["stats"], say))
    yield Table((say("What"), say("Value")), figures, named_rows=True)


def _figures(one: Any, say: Say) -> Iterator[tuple[str, str]]:
    tokens = ", ".join(f"{name} {n:,}" for name, n in one["tokens"].items() if n)
    yield say("Tokens"), f"{one['tokensConsumed']:,}" + (f" ({tokens})" if tokens else "")
    now, peak = f"{one['context']:,}", f"{one['peak']:,}"
    yield say("Context"), say("{now} now, {peak} at most", now=now, peak=peak)
    yield say("Cost"), words(one["cost"], say)
    yield say("Files changed"), f"{len(one['filesModified'])}"
    yield say("Tasks done"), str(one["tasksCompleted"])
    yield say("Failed calls"), str(one["tasksFailed"])
    yield say("Commits"), _commits(one["commits"], say)
    yield say("Subagents"), str(one["subagentsLaunched"])
    yield say("Prompts"), str(one["prompts"])
    yield say("Compactions"), str(len(one["compactions"]))
    for title, key in (("Tools", "toolUsageCounts"), ("Models", "models")):
        ordered = sorted(one[key].items(), key=lambda pair: (-pair[1], pair[0]))
        yield say(title), ", ".join(f"{flat(name)} {n}" for name, n in ordered) or say("none")
    yield say("Lines left out"), str(one["skipped"])


def _commits(commits: Any, say: Say) -> str:
    if commits["method"] == "git":
        return say("{n} in git log ({counted} git commit commands)", **commits)
    return say("{n}, counted from git commit commands (git could not be asked)", **commits)


def _sums(rows: Any, by: str, total: Any, say: Say) -> Table:
    titles = ("Sessions", "Tokens", "Cost", "Prompts", "Files", "Commits", "Tasks", "Failed")
    all_of = [*rows, {"name": say("all"), **total}]
    cells = tuple((_shown(row["name"], by), *_cells(row, say)) for row in all_of)
    return Table((say(by), *(say(title) for title in titles)), cells)


def _cells(row: Any, say: Say) -> Iterator[str]:
    for key in SUMS:
        yield words(row[key], say) if key == "cost" else f"{row[key]:,}"


_SOURCES = {
    "list": "Cost: by public list prices of {date}, whatever your plan is.",
    "settings": "Cost: by the prices in your settings.",
    "client": "Cost: as the clients recorded it.",
    "mixed": "Cost: as the clients recorded it, else by public list prices of {date}.",
}


def _about_cost(cost: Any, say: Say) -> Iterator[Block]:
    """Where the money figures come from, and what they lack."""
    if text := _SOURCES.get(cost["source"]):
        yield Line(say(text, date=DATE), "dim")
    if cost["unpriced"]:
        text = "{n} tokens are of models without a known price: [prices] in your settings"
        yield Line(say(text, n=f"{cost['unpriced']:,}"), "dim")


def _shown(name: str, by: str) -> str:
    return flat(os.path.basename(name) or name if by == "project" else name)
