"""The session registry's JSON schema 1.1.0 (format D), and how any value is made to satisfy it.

`fitted` gives a valid document for any value; what the schema cannot carry is kept beside it in
the same object, under `leftoff`. `unfitted` undoes that, and leaves out what goes without saying.
"""

from __future__ import annotations

from leftoff.core.model import Finding
from leftoff.core.when import instant
from leftoff.formats._json_value import ABSENT, same
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from leftoff.core.model import Json

MARK = "leftoff"
NO_TIME = "1970-01-01T00:00:00Z"
NO_SESSION = "sess-unknown"
_LOWER = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_HEX = frozenset("0123456789abcdef")


class Rule(Record):
    """What a value must be. `default` stands in for one that is required and missing or wrong."""

    kind: str
    """text, time, integer, number, flag, list, map or object"""
    default: Json = None
    null: bool = False
    words: tuple[str, ...] = ()
    form: str = ""
    """session, commit, tracking or kebab"""
    least: int = 0
    most: int = 0
    of: Any = None
    fields: Mapping[str, Any] = {}
    required: tuple[str, ...] = ()


def _object(required: Mapping[str, Rule], **optional: Rule) -> Rule:
    return Rule("object", {}, fields={**required, **optional}, required=tuple(required))


def _list(of: Rule, most: int = 0) -> Rule:
    return Rule("list", [], of=of, most=most)


_TEXT, _TIME, _FLAG = Rule("text", ""), Rule("time", NO_TIME), Rule("flag", default=False)
_MAYBE_TEXT = Rule("text", null=True)
_COUNT, _MINUTES = Rule("integer", 0), Rule("number", 0)
_SESSION = Rule("text", NO_SESSION, form="session")
_COMMIT = Rule("text", null=True, form="commit")
_TRACKING = Rule("text", "outcomes/in-progress/1-work/outcome_track.json", form="tracking")
_OUTCOME = {"outcomeId": Rule("integer", 1, least=1), "outcomeName": _TEXT}
_MODE = Rule("text", "default", words=("default", "plan", "acceptEdits", "bypassPermissions"))
_SOURCE = Rule("text", "startup", words=("startup", "resume", "clear"))
_ENDS = ("clear", "logout", "prompt_input_exit", "crash", "timeout", "other")
_TOOLS = Rule("map", {}, of=_COUNT)
_INDEX = Rule("map", {}, of=_list(_TEXT))
_EVENTS = (
    *("session_start", "session_resume", "focus_outcome", "unfocus_outcome", "task_started"),
    *("task_completed", "task_failed", "outcome_state_changed", "capability_updated"),
    *("git_commit", "milestone_reached"),
)

_SUMMARY = _object(
    {
        "activeSessionsCount": _COUNT,
        "totalSessionsCompletedLast72Hours": _COUNT,
        "currentFocusedOutcome": Rule("text", "No Focus Set"),
        "totalTokensConsumedLast72Hours": _COUNT,
        "totalDurationMinutesLast72Hours": _COUNT,
        "lastUpdated": _TIME,
    },
    multiOutcomeSessionsCount=_COUNT,
)
_EVENT = _object(
    {"timestamp": _TIME, "eventType": Rule("text", _EVENTS[0], words=_EVENTS), "description": _TEXT},
    metadata=_object(
        {},
        outcomeId=Rule("integer", least=-(10**18)),
        taskFile=_TEXT,
        filesModified=_list(_TEXT),
        commitHash=Rule("text", form="commit"),
        tokensConsumed=Rule("integer", least=-(10**18)),
        newState=_TEXT,
        previousState=_TEXT,
    ),
)
_ACTIVE = _object(
    {
        "sessionId": _SESSION,
        "sessionSource": _SOURCE,
        "startedAt": _TIME,
        "lastActivityAt": _TIME,
        "environment": _object(
            {
                "workingDirectory": _TEXT,
                "gitBranch": _MAYBE_TEXT,
                "permissionMode": _MODE,
                "transcriptPath": _TEXT,
            },
            gitCommitHash=_COMMIT,
        ),
        "focusedOutcomes": _list(
            _object(
                {**_OUTCOME, "trackingFile": _TRACKING, "focusedAt": _TIME},
                currentTask=_MAYBE_TEXT,
                lastActivityAt=_TIME,
                capabilitiesAffected=_list(Rule("text", form="kebab")),
            )
        ),
        "events": _list(_EVENT, most=100),
        "statistics": _object(
            {
                **dict.fromkeys(("eventsLogged", "filesModified", "tasksCompleted"), _COUNT),
                **dict.fromkeys(("tasksFailed", "gitCommits", "tokensConsumed"), _COUNT),
                "durationMinutes": _MINUTES,
            }
        ),
    },
    isStale=_FLAG,
    sessionEndReason=Rule("text", words=_ENDS, null=True),
    gitStatusCleanAtEnd=Rule("flag", null=True),
    uncommittedFilesAtEnd=Rule("integer", null=True),
    subagentsLaunched=_COUNT,
    toolUsageCounts=_TOOLS,
)
_LAST = _object(
    {
        "sessionId": _SESSION,
        "completedAt": _TIME,
        "outcomes": _list(
            _object(
                {**_OUTCOME, "trackingFile": _TRACKING, "workSummary": _TEXT},
                lastTask=_MAYBE_TEXT,
                tasksCompleted=_COUNT,
                tasksFailed=_COUNT,
            )
        ),
        "context": _object(
            {"gitBranch": _MAYBE_TEXT, "filesModified": _list(_TEXT)},
            gitCommitHash=_COMMIT,
            keyDecisions=_list(_TEXT),
            nextSteps=_list(_TEXT),
        ),
        "sessionSummary": _object(
            {"durationMinutes": _MINUTES, "tokensConsumed": _COUNT, "permissionMode": _MODE},
            tasksCompletedTotal=_COUNT,
            gitCommitsTotal=_COUNT,
        ),
    }
)._replace(default=None, null=True)
_RECENT = _object(
    {
        "sessionId": _SESSION,
        "startedAt": _TIME,
        "completedAt": _TIME,
        "outcomes": _list(_object(_OUTCOME, tasksCompleted=_COUNT)),
        "accomplishments": _TEXT,
        "tokensConsumed": _COUNT,
        "durationMinutes": _MINUTES,
        "gitBranch": _MAYBE_TEXT,
    },
    sessionSource=_SOURCE,
    gitCommits=_COUNT,
    filesModifiedCount=_COUNT,
    sessionEndReason=Rule("text", words=_ENDS),
    gitStatusClean=_FLAG,
    uncommittedFiles=_COUNT,
    subagentsLaunched=_COUNT,
    toolUsageSummary=_TOOLS,
)
REGISTRY = _object(
    {
        "summary": _SUMMARY,
        "activeSessions": _list(_ACTIVE),
        "lastWorked": _LAST,
        "recentHistory": _list(_RECENT),
        "indexByOutcome": _INDEX,
        "indexByBranch": _INDEX,
    },
    staleSessionsDetected=_list(
        _object(
            {"sessionId": _SESSION, "lastActivityAt": _TIME, "hoursSinceActivity": _MINUTES},
            outcomes=_list(Rule("integer", least=-(10**18))),
        )
    ),
)
# The document of the plugin's second generation, which names other things.
SECOND = _object(
    {
        "activeSessions": _list(_object({"startTime": _TIME}, sessionId=_MAYBE_TEXT)),
        "completedSessions": _list(
            _object({"startTime": _TIME, "endTime": _TIME}, sessionId=_MAYBE_TEXT)
        ),
        "staleSessions": _list(_object({"startTime": _TIME}, sessionId=_MAYBE_TEXT)),
    }
)

_KINDS: Mapping[str, tuple[tuple[type, ...], str]] = {
    "text": ((str,), "a text"),
    "time": ((str,), "a time"),
    "integer": ((int, float), "a whole number"),
    "number": ((int, float), "a number"),
    "flag": ((bool,), "true or false"),
    "list": ((list,), "a list"),
    "map": ((dict,), "an object"),
    "object": ((dict,), "an object"),
}
_FORMS = {
    "session": "sess- and small letters or digits, or a UUID",
    "commit": "7 to 40 hexadecimal digits",
    "tracking": "outcomes/<state>/<number>-<name>/outcome_track.json",
    "kebab": "small letters or digits with dashes between them",
}


def problems(value: Json, rule: Rule, where: str = "") -> Iterator[Finding]:
    """Every place where a value breaks its rule."""
    if said := _problem(value, rule):
        slug, text = said
        level = "warning" if slug == "wrong-time" else "error"
        yield Finding(slug, level, where, f"{where or 'the document'} {text}")
    elif isinstance(value, dict):
        inner = f"{where}." if where else ""
        for key in rule.required:
            if key not in value:
                yield Finding("missing-field", "error", f"{inner}{key}", f"{inner}{key} is missing")
        for key, member in value.items():
            known = rule.of or rule.fields.get(key)
            yield from problems(member, known, f"{inner}{key}") if known else ()
    elif isinstance(value, list):
        for at, one in enumerate(value):
            yield from problems(one, rule.of, f"{where}[{at}]")


def fitted(value: Json, rule: Rule) -> Json:
    """The value as the schema can carry it, complete."""
    if value is not ABSENT and not _problem(value, rule, strictly=False):
        if isinstance(value, dict):
            return _fitted_object(value, rule)
        if isinstance(value, list):
            return [fitted(one, rule.of) for one in value]
        return value
    if rule.kind == "list" and isinstance(value, list):
        return [fitted(one, rule.of) for one in value][-rule.most :]
    if rule.form == "session" and isinstance(value, str):
        return "sess-" + ("".join(ch for ch in value.lower() if ch in _LOWER) or "unknown")
    if rule.kind == "text" and isinstance(value, dict) and isinstance(value.get("text"), str):
        return value["text"]
    return _fitted_object({}, rule) if rule.default == {} and rule.fields else rule.default
