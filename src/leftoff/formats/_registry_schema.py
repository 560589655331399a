"""The JSON schema 1.1.0 of the session registry (format D), as data for `_json_schema`.

What a required member is when nobody knows it is part of the table, so that every document that
leftoff writes satisfies the schema.
"""

from __future__ import annotations

from leftoff.core.session import REASONS
from leftoff.formats._json_schema import Form, Rule
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

NO_TIME = "1970-01-01T00:00:00Z"
NO_SESSION = "sess-unknown"
NO_TRACKING = "outcomes/in-progress/1-work/outcome_track.json"
_LOWER = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_HEX = frozenset("0123456789abcdef")


def _is_session(text: str) -> bool:
    if text.startswith("sess-"):
        return bool(text[5:]) and set(text[5:]) <= _LOWER
    return [len(part) for part in text.split("-") if set(part) <= _HEX] == [8, 4, 4, 4, 12]


def _is_commit(text: str) -> bool:
    return 7 <= len(text) <= 40 and set(text) <= _HEX


def _is_tracking(text: str) -> bool:
    first, state, name, file = [*text.split("/"), "", "", "", ""][:4]
    number, *words = name.split("-")
    return (
        text.count("/") == 3
        and (first, file) == ("outcomes", "outcome_track.json")
        and state in {"queued", "in-progress", "completed"}
        and number.isascii()
        and number.isdigit()
        and 1 <= len(words) <= 5
        and _is_kebab("-".join(words))
    )


def _is_kebab(text: str) -> bool:
    return all(word and set(word) <= _LOWER for word in text.split("-"))


def _as_session(text: str) -> str:
    return "sess-" + ("".join(ch for ch in text.lower() if ch in _LOWER) or "unknown")


def _as_commit(text: str) -> str:
    first = text.split(" ", maxsplit=1)[0].lower()
    return first if _is_commit(first) else ""


_SESSION_ID = Form("sess- and small letters or digits, or a UUID", _is_session, _as_session)
_HASH = Form("7 to 40 hexadecimal digits", _is_commit, _as_commit)
_PATH = Form("outcomes/<state>/<number>-<name>/outcome_track.json", _is_tracking)
_KEBAB = Form("small letters or digits with dashes between them", _is_kebab)


def _object(required: Mapping[str, Rule], **optional: Rule) -> Rule:
    return Rule("object", {}, fields={**required, **optional}, required=tuple(required))


def _list(of: Rule, most: int = 0) -> Rule:
    return Rule("list", [], of=of, most=most)


_TEXT, _TIME, _FLAG = Rule("text", ""), Rule("time", NO_TIME), Rule("flag", default=False)
_MAYBE_TEXT = Rule("text", null=True)
_COUNT, _MINUTES = Rule("integer", 0), Rule("number", 0)
_SESSION = Rule("text", NO_SESSION, form=_SESSION_ID)
_COMMIT = Rule("text", null=True, form=_HASH)
_TRACKING = Rule("text", NO_TRACKING, form=_PATH)
_OUTCOME = {"outcomeId": Rule("integer", 1, least=1), "outcomeName": _TEXT}
_MODE = Rule("text", "default", words=("default", "plan", "acceptEdits", "bypassPermissions"))
_SOURCE = Rule("text", "startup", words=("startup", "resume", "clear"))
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
    {
        "timestamp": _TIME,
        "eventType": Rule("text", _EVENTS[0], words=_EVENTS),
        "description": _TEXT,
    },
    metadata=_object(
        {},
        outcomeId=Rule("integer", least=None),
        taskFile=_TEXT,
        filesModified=_list(_TEXT),
        commitHash=Rule("text", form=_HASH),
        tokensConsumed=Rule("integer", least=None),
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
                capabilitiesAffected=_list(Rule("text", "none", form=_KEBAB)),
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
    sessionEndReason=Rule("text", words=REASONS, null=True),
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
    sessionEndReason=Rule("text", words=REASONS),
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
            outcomes=_list(Rule("integer", 0, least=None)),
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
