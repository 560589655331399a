"""Format E, part one: a thread's metadata, `.checkpoints/threads/<id>/thread.json`.

Real files differ from the schema, so ids and settings are read where people have them: `id` for
`threadId`, settings beside `config`. What a file has in such a place is also written there.
"""

from __future__ import annotations

from leftoff.core.finish_action import Ending
from leftoff.core.model import Checkpoint, Finding
from leftoff.core.thread import HARD, SAVES_ITSELF, SOFT, THRESHOLD, counted, level_of
from leftoff.errors import FormatError
from leftoff.formats._json_assign import assigned
from leftoff.formats._json_lens import (
    CONFLICTS,
    OBJECT,
    TEXT,
    Field,
    Shape,
    cleared,
    document,
    file_name,
    findings,
    is_blank,
    items,
    located,
    put,
    take,
)
from leftoff.formats._json_text import dumps, rewrite
from leftoff.formats._json_value import patched_object, same
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from leftoff.core.model import Json
    from leftoff.formats import Change
    from leftoff.formats._json_lens import Object

NAME = "thread.json"
PATTERNS = (".checkpoints/threads/*/thread.json",)
STAMPS = True
ENDING = Ending("ticked", completes="status")
# Seed E. A thread without any settings has these.
SETTINGS: Mapping[str, Json] = {
    "checkpointEnabled": True,
    "autoSave": False,
    "thresholdPercent": 70,
    "modelMaxTokens": 200000,
    "maxSteps": 30,
}
_SWITCHES = ("checkpointEnabled", SAVES_ITSELF, "autoContinue")
_COUNTS = ("maxSteps", SOFT, HARD)
_SESSIONS = Shape(
    "name", "hapiSessionId", also="id", keys=("seq", "hapiSessionId", "name", "active"), quiet=True
)

FIELDS = (
    Field("id", ("threadId",), TEXT, also=(("id",),)),
    Field("name", ("name",), TEXT),
    Field("project", ("project",), TEXT),
    Field("created", ("createdAt",), TEXT),
    Field("updated", ("updatedAt",), TEXT),
    Field("parent", ("parent",), TEXT),
    Field("private", ("config",), OBJECT),
    Field("sessions", ("sessions",), items(_SESSIONS)),
    Field("conflicts", ("conflicts",), CONFLICTS),
)
HOLDS = {
    **{field.name: str(field.place[0]) for field in FIELDS},
    "extra": "other keys",
}
KNOWN = (*(str(field.place[0]) for field in FIELDS), "id", *SETTINGS)


def mine(text: str, path: str) -> bool:
    """Whether the file speaks of a thread; one that says nothing, or cannot be read, may well."""
    if not path.endswith("/thread.json"):
        return False
    try:
        whole = document(text)
    except FormatError:
        return True
    return not whole or any(key in whole for key in ("threadId", "id", "sessions", "config"))


def hold(c: Checkpoint) -> Checkpoint:
    """The checkpoint as a thread's metadata can carry it."""
    return _parsed(_composed(c, None))


def path(c: Checkpoint) -> str:
    """Where the metadata of this thread are."""
    return f".checkpoints/threads/{file_name(c.id, 'thread id')}/thread.json"


def read(text: str, path: str) -> Checkpoint:  # noqa: ARG001  (the text alone says it)
    """The model of a thread's metadata."""
    return _parsed(document(text))


def write(c: Checkpoint, old: str, path: str) -> str:  # noqa: ARG001
    """`old` with what differs put in."""
    held = hold(c)
    if is_blank(old):
        made = _composed(held, None)
        return dumps({**made, "sessions": made.get("sessions", [])})
    raw = document(old)
    said = _parsed(raw)
    before, after = _composed(said, raw), _composed(held, raw)
    whole = cleared(raw, FIELDS, said, held)
    if said.private != held.private:
        hidden = _keys(raw.get("config")) & SETTINGS.keys()
        whole = {key: value for key, value in whole.items() if key not in hidden}
    return rewrite(old, patched_object(whole, before, after))


def check(text: str, path: str) -> list[Finding]:
    """What a thread needs: its id, and sessions that can be told apart."""
    folder = path.split("/")[-2] if "/" in path else ""
    return findings(text, lambda whole: _rules(whole, folder))


def assign(text: str, path: str, changes: Sequence[Change]) -> str:  # noqa: ARG001
    """`text` after the changes of `update`."""
    return rewrite(text, assigned(document(text), changes, KNOWN))


def _parsed(whole: Object) -> Checkpoint:
    said, extra = take(whole, FIELDS)
    beside = {key: extra[key] for key in SETTINGS if key in extra}
    extra = {key: value for key, value in extra.items() if key not in SETTINGS}
    settings = {**beside, **said.get("private", {})}
    if not settings and "config" not in extra:
        settings = dict(SETTINGS)
    return Checkpoint(**{"id": "", **said, "private": settings, "extra": extra})


def _composed(c: Checkpoint, raw: Object | None) -> Object:
    """The document, with the id and the settings in the places where `raw`, if any, has them."""
    settings = dict(c.private)
    if not settings and "config" not in c.extra:
        settings = dict(SETTINGS)
    there = _beside(raw or {}, c)
    silent = raw is not None and not there and not raw.get("config")
    if silent and same(settings, dict(SETTINGS)):
        settings = {}  # the file says nothing of settings, and these go without saying
    beside = {key: settings.pop(key) for key in SETTINGS if key in there & settings.keys()}
    said = {**c._asdict(), "private": settings}
    fields = located(FIELDS, raw or {})
    return {**put(said, fields, c.extra, blanks=raw is not None), **beside}


def _beside(raw: Object, c: Checkpoint) -> set[str]:
    """The settings that stand beside `config`."""
    config = raw.get("config")
    found = {key for key in SETTINGS if key in raw and key not in _keys(config)}
    no_room = "config" in c.extra or (found and not isinstance(config, dict))
    return set(SETTINGS) if no_room else found


def _keys(value: Json) -> set[str]:
    return set(value) if isinstance(value, dict) else set()


def _rules(whole: Object, folder: str) -> Iterator[Finding]:
    name = take(whole, FIELDS)[0].get("id", "")
    if not name:
        yield Finding("missing-id", "error", "threadId", "threadId is missing")
    elif name != folder:
        text = f'threadId "{name}" is not the name of its folder "{folder}"'
        yield Finding("thread-folder", "warning", "threadId", text)
    yield from _without_effect(_parsed(whole).private)
    sessions = whole.get("sessions", [])
    if not isinstance(sessions, list):
        yield Finding("sessions-type", "error", "sessions", "sessions must be a list")
        return
    for at, one in enumerate(sessions):
        if not isinstance(one, dict):
            text = f"sessions[{at}] must be an object"
            yield Finding("session", "error", f"sessions[{at}]", text)
    yield from _numbers(sessions)


def _without_effect(settings: Mapping[str, Json]) -> Iterator[Finding]:
    """Settings that nobody can follow: most often a text that was meant to be more."""
    for key, value in settings.items():
        if value is not None and not _works(key, value):
            text = f"config.{key} has no effect: it must be a number above 0"
            if key in _SWITCHES:
                text = f"config.{key} has no effect: it must be true or false"
            fix = f"leftoff update NAME --config.{key}:json=VALUE"
            yield Finding("setting", "warning", f"config.{key}", text, fix)


def _works(key: str, value: Json) -> bool:
    """Whether a setting says something; of one that leftoff does not know, nobody can tell."""
    if key in _SWITCHES:
        return isinstance(value, bool)
    if key == THRESHOLD:
        return level_of({key: value}, 0.0) > 0
    return key not in _COUNTS or counted(value) > 0


def _numbers(sessions: list[Json]) -> Iterator[Finding]:
    seen: list[Json] = []
    running = 0
    for at, one in enumerate(sessions):
        number = one.get("seq") if isinstance(one, dict) else None
        if number is not None and number in seen:
            text = f"sessions[{at}].seq {number} appears more than once"
            yield Finding("repeated-seq", "warning", f"sessions[{at}].seq", text)
        seen.append(number)
        running += isinstance(one, dict) and one.get("active") is True
    if running > 1:
        text = f"{running} sessions are active; only the last one can be"
        yield Finding("several-active", "warning", "sessions", text)
