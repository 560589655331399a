"""session stats: everything that was counted, of one session or summed over many."""

from __future__ import annotations

import os

from leftoff.core.blocks import Block, Heading, Line, Table
from leftoff.core.model import Finding
from leftoff.core.result import Result
from leftoff.core.texts import flat
from leftoff.core.when import stamp
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Call, Say
    from leftoff.core.model import Json
    from leftoff.core.session import Session

SUMS = ("sessions", "tokens", "prompts", "files", "commits", "tasks", "failed")


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
    from leftoff.world.commits import checked

    chosen = _sessions.choose(call, _sessions.gather(call, curves=False))
    one = chosen.session
    data = {
        "why": chosen.why,
        **_sessions.facts(one, call.now, call.settings.limits),
        "stats": {**counted(one), "commits": {**checked(one, call.env)._asdict()}},
    }
    if not one.stats.lines:
        data["note"] = "its transcript is not there"
    return Result({"session": data}, _sessions.findings([one]))


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
    found = _sessions.gather(call, everywhere=bool(call.args.all), curves=False)
    known = [one for one in found if one.seen >= since and agent in {None, one.agent}]
    return Result(_rows(known, call.args.by or "agent"), _sessions.findings(known))


def _of_all(call: Call) -> Result:
    """The sums by agent, kept: nearly always no transcript and no journal has changed."""
    from leftoff.world import session_sums

    state = call.store.state
    of = session_sums.sources(state, call.env)
    known = session_sums.load(state, of)
    if known and known[0] <= call.now:
        _, data, found = known
        return Result(data, tuple(map(Finding._make, found)))
    from leftoff.commands import _sessions

    sessions = _sessions.gather(call, everywhere=True, curves=False, logs=of.logs)
    data, found = _rows(sessions, "agent"), _sessions.findings(sessions)
    if not any(_may_change(one, call.now) for one in sessions):
        newest = max((one.seen for one in sessions), default=0.0)
        others = [one.transcript for one in sessions]
        session_sums.save(state, of, others, (newest, data, [*map(tuple, found)]))
    return Result(data, found)


def _may_change(one: Session, now: float) -> bool:
    """Whether a session may count otherwise although none of its files changes."""
    from leftoff.core.session import is_ghost

    return bool(one.trouble) or one.stats.last > now or is_ghost(one._replace(alive=False))


def _rows(known: Sequence[Session], by: str) -> dict[str, Json]:
    groups: dict[str, list[Session]] = {}
    for one in known:
        for name in _names(one, by):
            groups.setdefault(name, []).append(one)
    order = sorted(groups.items(), key=lambda pair: pair[0], reverse=by == "day")
    rows: list[Json] = [{"name": name, **_sum(group)} for name, group in order]
    return {"by": by, "rows": rows, "total": {**_sum(known)}}


def _names(one: Session, by: str) -> Sequence[str]:
    """Where a session counts; with several models it counts for the one that answered most."""
    if by == "day":
        return (stamp(one.started or one.seen)[:10],)
    if by == "project":
        return (one.root or "-",)
    if by == "model":
        most = max(one.stats.models.items(), key=lambda pair: (pair[1], pair[0]), default=("-", 0))
        return (most[0],)
    return (one.agent,)


def _sum(group: Sequence[Session]) -> dict[str, Json]:
    stats = [one.stats for one in group]
    return {
        "sessions": len(group),
        "tokens": sum(each.tokens.total for each in stats),
        "prompts": sum(each.prompts for each in stats),
        "files": sum(len(each.files) for each in stats),
        "commits": sum(each.commits for each in stats),
        "tasks": sum(each.done for each in stats),
        "failed": sum(each.failed for each in stats),
        "minutes": int(sum(one.duration for one in group) // 60),
    }


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """A table of sums, or the figures of one session."""
    if "rows" in data:
        yield from _sums(data, say)
        return
    from leftoff.commands._sessions import NEWEST

    one = data["session"]
    yield Heading(flat(f"{one['agent']} {one['id']}"))
    if one["why"] == NEWEST:
        yield Line(say("(nobody calls from a session: the newest one of this project)"), "dim")
    if note := one.get("note"):
        yield Line(say(note), "warn")
    yield Table((say("What"), say("Value")), tuple(_figures(one["stats"], say)))


def _figures(one: Any, say: Say) -> Iterator[tuple[str, str]]:
    tokens = ", ".join(f"{name} {n:,}" for name, n in one["tokens"].items() if n)
    yield say("Tokens"), f"{one['tokensConsumed']:,}" + (f" ({tokens})" if tokens else "")
    now, peak = f"{one['context']:,}", f"{one['peak']:,}"
    yield say("Context"), say("{now} now, {peak} at most", now=now, peak=peak)
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
        return say("{n} by git log ({counted} git commit commands)", **commits)
    return say("{n} by counted git commit commands; git could not be asked", **commits)


def _sums(data: Any, say: Say) -> Iterator[Block]:
    titles = ("Sessions", "Tokens", "Prompts", "Files", "Commits", "Tasks", "Failed")
    rows = [*data["rows"], {"name": say("all"), **data["total"]}]
    cells = tuple((_shown(r["name"], data["by"]), *(f"{r[k]:,}" for k in SUMS)) for r in rows)
    by = data["by"]
    yield Table((say(by), *(say(title) for title in titles)), cells)


def _shown(name: str, by: str) -> str:
    return flat(os.path.basename(name) or name if by == "project" else name)
