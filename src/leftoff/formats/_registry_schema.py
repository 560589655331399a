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
    least: int | None = 0
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
        commitHash=Rule("text", form="commit"),
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
                capabilitiesAffected=_list(Rule("text", "none", form="kebab")),
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


# Times are checked, but a validator of the schema lets any text pass for one.
BAD_TIME = ("wrong-time", "must be a time")


def problems(value: Json, rule: Rule, where: str = "") -> Iterator[Finding]:
    """Every place where a value breaks its rule."""
    if said := _problem(value, rule):
        slug, text = said
        level = "warning" if said == BAD_TIME else "error"
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
    if value is not ABSENT and _problem(value, rule) in (None, BAD_TIME):
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


def unfitted(value: Json, rule: Rule) -> Json:
    """The value before it was fitted; a default that had to be there is not."""
    if isinstance(value, list) and rule.kind == "list":
        return [unfitted(one, rule.of) for one in value]
    if not isinstance(value, dict) or rule.kind != "object":
        return value
    kept = _kept(value, rule)
    bare: dict[str, Json] = {}
    for key, member in value.items():
        known = rule.fields.get(key)
        if known is None or key in kept:
            bare[key] = kept.get(key, member)
        elif key not in rule.required or not _goes_without_saying(member, known):
            bare[key] = unfitted(member, known)
    return {key: member for key, member in {**bare, **kept}.items() if key != MARK}


def settled(value: Json, rule: Rule) -> Json:
    """The value without the remembered members that somebody has changed since."""
    if isinstance(value, list) and rule.kind == "list":
        return [settled(one, rule.of) for one in value]
    if not isinstance(value, dict) or rule.kind != "object":
        return value
    kept = _kept(value, rule)
    bare = {key: member for key, member in value.items() if key != MARK}
    made = {
        key: settled(member, rule.fields[key]) if key in rule.fields else member
        for key, member in bare.items()
    }
    return {**made, MARK: kept} if kept else made


def _fitted_object(value: dict[str, Json], rule: Rule) -> dict[str, Json]:
    if rule.kind == "map":
        return {key: fitted(member, rule.of) for key, member in value.items()}
    made: dict[str, Json] = {}
    kept: dict[str, Json] = {}
    for key, member in value.items():
        known = rule.fields.get(key)
        if known is None:
            made[key] = member
            continue
        new = _fitted_member(member, known, required=key in rule.required)
        if new is not ABSENT:
            made[key] = new
        if new is ABSENT or not same(unfitted(new, known), unfitted(member, known)):
            kept[key] = member
    missing = {key: fitted(ABSENT, rule.fields[key]) for key in rule.required if key not in made}
    made = {**{key: {**made, **missing}[key] for key in rule.required}, **made}
    return {**made, MARK: kept} if kept else made


def _fitted_member(member: Json, rule: Rule, *, required: bool) -> Json:
    """One member; ABSENT when it cannot be carried and need not be there."""
    new = fitted(member, rule)
    return ABSENT if not required and same(new, rule.default) and _problem(member, rule) else new


def _kept(value: dict[str, Json], rule: Rule) -> dict[str, Json]:
    """What was kept beside the members of an object, as far as it still stands for them."""
    beside = value.get(MARK)
    if not isinstance(beside, dict):
        return {}
    return {
        key: member
        for key, member in beside.items()
        if key in rule.fields
        and same(
            _fitted_member(member, rule.fields[key], required=key in rule.required),
            value.get(key, ABSENT),
        )
    }


def _goes_without_saying(member: Json, rule: Rule) -> bool:
    if isinstance(member, dict) and rule.kind == "object":
        return not unfitted(member, rule)
    return same(member, rule.default)


def _problem(value: Json, rule: Rule) -> tuple[str, str] | None:
    """What is wrong with a value, apart from what is wrong inside it."""
    if value is None and rule.null:
        return None
    types, name = _KINDS[rule.kind]
    if not isinstance(value, types) or (isinstance(value, bool) and rule.kind != "flag"):
        return "wrong-type", f"must be {name}"
    if rule.kind == "integer" and isinstance(value, float) and not value.is_integer():
        return "wrong-type", f"must be {name}"
    if rule.words and value not in rule.words:
        return "wrong-word", f'must be one of {"|".join(rule.words)} (got "{value}")'
    if isinstance(value, str):
        return _text_problem(value, rule)
    if isinstance(value, int | float) and rule.least is not None and value < rule.least:
        return "out-of-range", f"must be {rule.least} or more"
    if isinstance(value, list) and rule.most and len(value) > rule.most:
        return "out-of-range", f"must have {rule.most} elements at most"
    return None


def _text_problem(value: str, rule: Rule) -> tuple[str, str] | None:
    if rule.form and not _HAS_FORM[rule.form](value):
        return "wrong-form", f"must be {_FORMS[rule.form]}"
    return BAD_TIME if rule.kind == "time" and instant(value) is None else None


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


_HAS_FORM = {
    "session": _is_session,
    "commit": _is_commit,
    "tracking": _is_tracking,
    "kebab": _is_kebab,
}
