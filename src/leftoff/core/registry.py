"""Seed D's registry, computed from sessions: who is active, recent, stale, and what was last done.

The keys are those of its schema 1.1.0; `formats._registry_schema` fits what a schema cannot carry.
"""

from __future__ import annotations

from leftoff.core.event import PROMPT, START, STOP
from leftoff.core.session import (
    ACTIVE,
    RECENT,
    STALE,
    Outcome,
    accomplished,
    decisions,
    files,
    newest_first,
    next_steps,
    state,
)
from leftoff.core.session_lines import NOTE
from leftoff.core.texts import number
from leftoff.core.when import HOUR, instant, stamp
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from leftoff.core.model import Json
    from leftoff.core.session import Event, Session

    Object = dict[str, Json]
    Name = Callable[[Session], str]

PATH = "status/sessions_summary.json"
NO_FOCUS = "No Focus Set"
LISTS = ("activeSessions", "recentHistory")
_TRACKED, _FILE = "outcomes/", "/outcome_track.json"


def registry(
    sessions: Sequence[Session],
    now: float,
    limits: Mapping[str, float],
    name: Name = lambda session: session.id,
) -> Object:
    """The whole document; `name` gives a session's id in the form that the schema asks for."""
    ordered = newest_first(sessions)
    states = {one.name: state(one, now, limits) for one in ordered}
    running = [one for one in ordered if states[one.name] in {ACTIVE, STALE}]
    recent = [one for one in ordered if states[one.name] == RECENT]
    stale = [one for one in running if states[one.name] == STALE]
    last = next((one for one in ordered if one.ended), None)
    listed = [*running, *recent]
    return {
        "summary": _summary(running, recent, now),
        "activeSessions": [_active(one, now, limits, name, stale) for one in running],
        "lastWorked": _last_worked(last, name) if last else None,
        "recentHistory": [_ended(one, name) for one in recent],
        "indexByOutcome": _index((o.name, name(s)) for s in listed for o in s.outcomes),
        "indexByBranch": _index((s.branch, name(s)) for s in listed),
        "staleSessionsDetected": [_stale(one, now, name) for one in stale],
    }


def _summary(running: Sequence[Session], recent: Sequence[Session], now: float) -> Object:
    focused = [one.outcomes[-1] for one in running if one.outcomes]
    newest = max(focused, key=lambda one: one.at, default=None)
    return {
        "activeSessionsCount": len(running),
        "totalSessionsCompletedLast72Hours": len(recent),
        "currentFocusedOutcome": _title(newest.name) if newest else NO_FOCUS,
        "totalTokensConsumedLast72Hours": sum(one.stats.tokens.total for one in recent),
        "totalDurationMinutesLast72Hours": int(sum(one.duration for one in recent) / 60),
        "multiOutcomeSessionsCount": sum(len(s.outcomes) > 1 for s in (*running, *recent)),
        "lastUpdated": stamp(now),
    }


def _active(
    one: Session, now: float, limits: Mapping[str, float], name: Name, stale: Sequence[Session]
) -> Object:
    most = int(limits["events.max"])
    return {
        "sessionId": name(one),
        "sessionSource": one.source or "startup",
        "startedAt": stamp(one.started),
        "lastActivityAt": stamp(one.seen),
        "environment": {
            "workingDirectory": one.cwd or one.root,
            "gitBranch": one.branch or None,
            "gitCommitHash": one.commit or None,
            "permissionMode": one.mode or "default",
            "transcriptPath": one.transcript,
        },
        "focusedOutcomes": [_focus(at, each) for at, each in enumerate(one.outcomes, 1)],
        "events": [_event(each) for each in one.events[-most:]] if most else [],
        "statistics": _statistics(one, now),
        "isStale": one in stale,
        "subagentsLaunched": one.stats.subagents,
        "toolUsageCounts": dict(one.stats.tools),
    }


def _statistics(one: Session, now: float) -> Object:
    stats = one.stats
    return {
        "eventsLogged": len(one.events),
        "filesModified": len(stats.files),
        "tasksCompleted": stats.done,
        "tasksFailed": stats.failed,
        "gitCommits": stats.commits,
        "tokensConsumed": stats.tokens.total,
        "durationMinutes": minutes(max(0.0, now - one.started) if one.started else 0.0),
    }


def _last_worked(one: Session, name: Name) -> Object:
    stats = one.stats
    return {
        "sessionId": name(one),
        "completedAt": stamp(one.ended),
        "outcomes": [_worked(at, each, one) for at, each in enumerate(one.outcomes, 1)],
        "context": {
            "gitBranch": one.branch or None,
            "gitCommitHash": one.commit or None,
            "filesModified": [*files(one)],
            "keyDecisions": [*decisions(one)],
            "nextSteps": [*next_steps(one)],
        },
        "sessionSummary": {
            "durationMinutes": minutes(one.duration),
            "tokensConsumed": stats.tokens.total,
            "permissionMode": one.mode or "default",
            "tasksCompletedTotal": stats.done,
            "gitCommitsTotal": stats.commits,
        },
    }


def _ended(one: Session, name: Name) -> Object:
    stats = one.stats
    known: Object = {
        "sessionId": name(one),
        "startedAt": stamp(one.started),
        "completedAt": stamp(one.ended),
        "sessionSource": one.source or "startup",
        "outcomes": [_outcome(at, each) for at, each in enumerate(one.outcomes, 1)],
        "accomplishments": accomplished(one),
        "tokensConsumed": stats.tokens.total,
        "tasksCompleted": stats.done,
        "tasksFailed": stats.failed,
        "durationMinutes": minutes(one.duration),
        "gitBranch": one.branch or None,
        "gitCommits": stats.commits,
        "filesModifiedCount": len(stats.files),
        "sessionEndReason": one.reason,
        "subagentsLaunched": stats.subagents,
        "toolUsageSummary": dict(stats.tools),
    }
    if one.dirty is not None:
        known |= {"gitStatusClean": one.dirty == 0, "uncommittedFiles": one.dirty}
    return known


def _stale(one: Session, now: float, name: Name) -> Object:
    return {
        "sessionId": name(one),
        "lastActivityAt": stamp(one.seen),
        "hoursSinceActivity": round((now - one.seen) / HOUR, 2),
        "outcomes": [_number(each.name, at) for at, each in enumerate(one.outcomes, 1)],
    }


def _outcome(at: int, outcome: Outcome) -> Object:
    return {"outcomeId": _number(outcome.name, at), "outcomeName": _title(outcome.name)}


def _focus(at: int, outcome: Outcome) -> Object:
    when = stamp(outcome.at)
    tracked: Object = {"trackingFile": outcome.name} if _is_tracked(outcome.name) else {}
    return {**_outcome(at, outcome), **tracked, "currentTask": outcome.task, "focusedAt": when}


def _worked(at: int, outcome: Outcome, one: Session) -> Object:
    tracked: Object = {"trackingFile": outcome.name} if _is_tracked(outcome.name) else {}
    said = {"lastTask": outcome.task, "workSummary": accomplished(one)}
    return {**_outcome(at, outcome), **tracked, **said}


def _event(event: Event) -> Object:
    kinds = {
        START: "session_resume" if event.about == "resume" else "session_start",
        PROMPT: "task_started",
        STOP: "task_failed" if event.failed else "task_completed",
        NOTE: "focus_outcome" if event.about.startswith(_TRACKED) else "milestone_reached",
    }
    about = f"{event.what}: {event.about}" if event.about else event.what
    kind = kinds.get(event.what, "milestone_reached")
    return {"timestamp": stamp(event.at), "eventType": kind, "description": about}


def _is_tracked(name: str) -> bool:
    return name.startswith(_TRACKED) and name.endswith(_FILE)


def _title(name: str) -> str:
    """`outcomes/in-progress/005-auth-api/outcome_track.json` is about `auth-api`."""
    if not _is_tracked(name):
        return name
    folder = name.removesuffix(_FILE).rpartition("/")[2]
    return folder.partition("-")[2] or folder


def _number(name: str, fallback: int) -> int:
    said = number(name.removesuffix(_FILE).rpartition("/")[2].partition("-")[0])
    return said if said > 0 else fallback


def _index(pairs: Iterable[tuple[str, str]]) -> Object:
    found: dict[str, dict[str, None]] = {}
    for key, session in pairs:
        if key:
            found.setdefault(key, {})[session] = None
    return {key: [*sessions] for key, sessions in found.items()}


def minutes(seconds: float) -> float:
    """Whole minutes as such, others to a hundredth."""
    exact = round(seconds / 60, 2)
    return int(exact) if exact == int(exact) else exact


def onto(old: Mapping[str, Any], new: Object, now: float, limits: Mapping[str, float]) -> Object:
    """A registry that is there, brought up to date: what others wrote into it stays.

    Sessions that this machine does not know are kept, ended ones as long as they are recent.
    """
    made: Object = {**old, **new}
    ours = {one["sessionId"] for listed in LISTS for one in objects(new[listed])}
    oldest = now - limits["history.recent"]
    for name in LISTS:
        before = objects(old.get(name))
        foreign = [one for one in before if str(one.get("sessionId")) not in ours]
        made[name] = [*_updated(before, new[name]), *(o for o in foreign if _ended_at(o) >= oldest)]
    if isinstance(old.get("lastWorked"), dict) and isinstance(made["lastWorked"], dict):
        made["lastWorked"] = _last_of(old["lastWorked"], made["lastWorked"])
    return made


def objects(value: object) -> list[dict[str, Any]]:
    """The entries of a list that are objects; others wrote it, and may have written anything."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _updated(old: Sequence[Object], new: Json) -> list[Json]:
    """The entries with the keys that somebody else added to them."""
    by_id = {str(one.get("sessionId")): one for one in old}
    return [{**by_id.get(one["sessionId"], {}), **one} for one in objects(new)]


def _ended_at(one: Mapping[str, Any]) -> float:
    """When an entry of the history ended; one that runs, or does not say, is never too old."""
    return instant(str(one.get("completedAt", ""))) or float("inf")


def _last_of(old: dict[str, Any], new: dict[str, Any]) -> Object:
    """The later of both; of one and the same session, ours with what others added."""
    if old.get("sessionId") == new["sessionId"]:
        return {**old, **new}
    before = instant(str(old.get("completedAt", ""))) or 0.0
    return old if before > (instant(new["completedAt"]) or 0.0) else new
