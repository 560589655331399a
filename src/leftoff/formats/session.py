"""Format D: the registry of a workspace's sessions, `status/sessions_summary.json`.

The checkpoint is what was last worked on; the sessions are its items. Counts and indexes are
computed, so the model does not know them. Whatever is written satisfies the published schema.
"""

from __future__ import annotations

from leftoff.core.finish_action import Ending
from leftoff.core.model import Checkpoint, Item
from leftoff.errors import FormatError
from leftoff.formats._json_assign import assigned
from leftoff.formats._json_lens import (
    CONFLICTS,
    ODD,
    TEXT,
    Field,
    Shape,
    cleared,
    document,
    findings,
    is_blank,
    items,
    located,
    put,
    take,
)
from leftoff.formats._json_schema import MARK, fitted, problems, settled, unfitted
from leftoff.formats._json_text import dumps, rewrite
from leftoff.formats._json_value import patched_object, same
from leftoff.formats._registry_schema import NO_TIME, NO_TRACKING, REGISTRY, SECOND
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from leftoff.core.model import Finding, Json
    from leftoff.formats import Change
    from leftoff.formats._json_lens import Object

NAME = "session"
PATTERNS = ("status/sessions_summary.json",)
STAMPS = True
ENDING = Ending("told")
# The name of a registry in which nothing was worked on yet.
NAMELESS = "sessions"
ACTIVE, STALE, RECENT = "active", "stale", "recent"
COMPUTED = ("summary", "indexByOutcome", "indexByBranch")
MOST = 1e15
"""Tokens or minutes of a session; JSON may hold a number of any size, and a sum of it may not."""

_TEXTS = items(Shape("text", plain=True))
FIELDS = (
    Field("id", ("lastWorked", "sessionId"), TEXT),
    Field("updated", ("lastWorked", "completedAt"), TEXT),
    Field("intent", ("lastWorked", "outcomes", 0, "outcomeName"), TEXT),
    Field("stage", ("lastWorked", "outcomes", 0, "lastTask"), TEXT),
    Field("summary", ("lastWorked", "outcomes", 0, "workSummary"), TEXT),
    Field("branch", ("lastWorked", "context", "gitBranch"), TEXT),
    Field("commit", ("lastWorked", "context", "gitCommitHash"), TEXT),
    Field("artifacts", ("lastWorked", "context", "filesModified"), _TEXTS),
    Field(
        "decisions",
        ("lastWorked", "context", "keyDecisions"),
        _TEXTS,
        also=(("lastWorked", "keyDecisions"),),
    ),
    Field(
        "next_actions",
        ("lastWorked", "context", "nextSteps"),
        _TEXTS,
        also=(("lastWorked", "nextSteps"),),
    ),
    Field("conflicts", ("conflicts",), CONFLICTS),
)
HOLDS = {
    **{field.name: ".".join(map(str, field.place)) for field in FIELDS},
    "sessions": "activeSessions, recentHistory",
    "extra": "other keys",
}
_ENDED = (
    Field("id", ("sessionId",), TEXT),
    Field("text", ("accomplishments",), TEXT),
    Field("branch", ("gitBranch",), TEXT),
)
# Where sessions are listed, what being there means, and where one says what it is about.
LISTS: Mapping[str, tuple[str, tuple[Field, ...]]] = {
    "activeSessions": (
        ACTIVE,
        (
            Field("id", ("sessionId",), TEXT),
            Field("text", ("focusedOutcomes", 0, "currentTask"), TEXT),
            Field("branch", ("environment", "gitBranch"), TEXT),
        ),
    ),
    "recentHistory": (RECENT, _ENDED),
    "completedSessions": (RECENT, _ENDED),
    "staleSessions": (STALE, _ENDED),
}
# The plugin's second generation has these; their items say so, to be written back there.
SECOND_LISTS = ("completedSessions", "staleSessions")
# Attributes that say where a session is listed; a document has no such keys.
OURS = ("state", "list", "branch")
KNOWN = (*REGISTRY.fields, *SECOND_LISTS, "conflicts")


def mine(text: str, path: str) -> bool:
    """Whether the file lists sessions, or cannot be read."""
    if not path.endswith("sessions_summary.json"):
        return False
    try:
        whole = document(text)
    except FormatError:
        return True
    return any(key in whole for key in ("lastWorked", *LISTS))


def hold(c: Checkpoint) -> Checkpoint:
    """The checkpoint as a registry can carry it."""
    return _parsed(_composed(c, {}))


def path(c: Checkpoint) -> str:  # noqa: ARG001  (a workspace has one registry)
    """Where the registry is."""
    return PATTERNS[0]


def read(text: str, path: str) -> Checkpoint:  # noqa: ARG001  (the text alone says it)
    """The model of a registry."""
    return _parsed(document(text))


def write(c: Checkpoint, old: str, path: str) -> str:  # noqa: ARG001
    """`old` with what differs put in."""
    held = hold(c)
    if is_blank(old):
        return dumps(_composed(held, {}))
    raw = document(old)
    said = _parsed(raw)
    before, after = _composed(said, raw), _composed(held, raw)
    if same(before, after):
        return old
    whole = cleared(_object(settled(raw, REGISTRY)), FIELDS, said, held)
    return rewrite(old, patched_object(whole, before, after, MARK))


def check(text: str, path: str) -> list[Finding]:  # noqa: ARG001
    """The schema: required keys, types, words and forms."""
    return findings(text, lambda whole: problems(whole, SECOND if _is_second(whole) else REGISTRY))


def assign(text: str, path: str, changes: Sequence[Change]) -> str:  # noqa: ARG001
    """`text` after the changes of `update`."""
    return rewrite(text, assigned(document(text), changes, KNOWN))


def _is_second(whole: Object) -> bool:
    own = any(name in whole for name in SECOND_LISTS)
    return own and not any(name in whole for name in ("lastWorked", "recentHistory", "summary"))


def _parsed(whole: Object) -> Checkpoint:
    bare = _object(unfitted(whole, REGISTRY))
    for name in COMPUTED:
        if isinstance(bare.get(name), dict):
            del bare[name]
    sessions = [_session(one, name) for name in LISTS for one in _list(bare.get(name))]
    bare = {k: value for k, value in bare.items() if k not in LISTS or not isinstance(value, list)}
    said, extra = take(bare, FIELDS)
    name = said.get("id") or NAMELESS
    return Checkpoint(**{**said, "id": name, "sessions": tuple(sessions), "extra": extra})


def _composed(c: Checkpoint, raw: Object) -> Object:
    """The document, with decisions and next steps in the places where `raw` has them."""
    said = {**c._asdict(), "id": "" if c.id == NAMELESS else c.id}
    there = located(FIELDS, _object(unfitted(raw, REGISTRY)))
    bare = put(said, there, c.extra, blanks=False)
    for name in LISTS:
        listed: list[Json] = [_element(item, name) for item in c.sessions if _listed(item) == name]
        if listed:
            bare[name] = listed
    whole = _object(fitted(bare, REGISTRY))
    computed = _computed(whole, c.updated or NO_TIME)
    return {**whole, **{name: value for name, value in computed.items() if name not in bare}}


def _session(value: Json, name: str) -> Item:
    """One listed session; its place in the list and its branch become attributes."""
    state, fields = LISTS[name]
    ours: Object = {"list": name} if name in SECOND_LISTS else {}
    if not isinstance(value, dict):
        return Item("", attrs={"state": state, **ours, ODD: value})
    said, rest = take(value, fields)
    if name == "activeSessions" and isinstance(rest.get("isStale"), bool):
        state = STALE if rest["isStale"] else ACTIVE
        rest = {key: member for key, member in rest.items() if key != "isStale"}
    if said.get("branch"):
        ours["branch"] = said["branch"]
    others = {key: member for key, member in rest.items() if key not in OURS}
    return Item(said.get("text", ""), said.get("id", ""), {"state": state, **ours, **others})


def _element(item: Item, name: str) -> Json:
    rest = {key: value for key, value in item.attrs.items() if key not in OURS}
    if rest.keys() == {ODD} and not (item.text or item.id or isinstance(rest[ODD], dict)):
        return rest[ODD]
    if name == "activeSessions" and isinstance(rest.get("isStale", False), bool):
        state, stale = item.get("state"), rest.pop("isStale", False)
        if state == STALE or (stale and state != ACTIVE):
            rest["isStale"] = True
    said = {"id": item.id, "text": item.text, "branch": item.get("branch")}
    return put(said, LISTS[name][1], rest, blanks=False)


def _listed(item: Item) -> str:
    """The list that a session belongs in."""
    if item.get("list") in SECOND_LISTS:
        return item.get("list")
    state = item.get("state")
    running = state in {ACTIVE, STALE} or (state != RECENT and item.attrs.get("active") is True)
    return "activeSessions" if running else "recentHistory"


def _computed(whole: Object, updated: str) -> Object:
    """The counts and indexes of a document that satisfies the schema."""
    active: Any = whole["activeSessions"]
    recent: Any = whole["recentHistory"]
    last: Any = whole["lastWorked"] or {"outcomes": []}
    focused = [(one, outcome) for one in active for outcome in one["focusedOutcomes"]]
    names = (outcome["outcomeName"] for _, outcome in focused)
    outcomes = [*focused, *((last, outcome) for outcome in last["outcomes"])]
    branches = [(one["environment"]["gitBranch"], one) for one in active]
    branches += [(one["gitBranch"], one) for one in recent]
    return {
        "summary": {
            "activeSessionsCount": len(active),
            "totalSessionsCompletedLast72Hours": len(recent),
            "currentFocusedOutcome": next(filter(None, names), "No Focus Set"),
            "totalTokensConsumedLast72Hours": _total(one["tokensConsumed"] for one in recent),
            "totalDurationMinutesLast72Hours": _total(one["durationMinutes"] for one in recent),
            "lastUpdated": updated,
        },
        "indexByOutcome": _index((outcome["trackingFile"], one) for one, outcome in outcomes),
        "indexByBranch": _index(branches),
    }


def _total(figures: Iterable[float]) -> int:
    """The sum of what sessions took; a figure that none can have taken counts nothing."""
    return int(sum(one for one in figures if one <= MOST))


def _index(pairs: Iterable[tuple[str | None, Any]]) -> Object:
    found: dict[str, dict[str, None]] = {}
    for key, one in pairs:
        if key and key != NO_TRACKING:
            found.setdefault(key, {})[one["sessionId"]] = None
    return {key: [*names] for key, names in found.items()}


def _object(value: Json) -> Object:
    assert isinstance(value, dict)
    return value


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
