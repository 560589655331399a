"""A save in format C, seed 002's own way: notes of the session, files in flight, one hint.

Every source may be absent; a disk that takes nothing leaves the user with the text at least. The
record for the next session comes last: it never points at a save that is not whole.
"""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.commands._redaction import warned
from leftoff.commands._save_arguments import FOCUS, NOTE, unheld
from leftoff.core import draft, task_save
from leftoff.core.blocks import Block, Line, Raw
from leftoff.core.ids import check_name
from leftoff.core.model import Finding, open_actions
from leftoff.core.paths import stem_of
from leftoff.core.redact import redacted
from leftoff.core.result import Result
from leftoff.core.sizes import task_file
from leftoff.core.texts import flat
from leftoff.core.when import stamp
from leftoff.errors import LeftoffError, Usage
from leftoff.formats import _task_save
from leftoff.formats import task as lens
from leftoff.formats._cost_ledger import Row
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import refs, saves, workflow

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from leftoff.commands import Say
    from leftoff.commands._caller import Who
    from leftoff.core.model import Checkpoint, Json
    from leftoff.core.task_save import Sources
    from leftoff.formats._task_save import Written

TIER = "haiku"
_ELSEWHERE = {"phase": "stage", "blockers": "questions"}
"""Fields that format C has another section for."""


class _Done(Record):
    """A save on the disk, or what keeps it from there."""

    path: str
    written: Written
    created: bool = False
    changed: bool = False
    trouble: LeftoffError | None = None


def save_task(call: Call, given: Mapping[str, Any], session: Who) -> Result:
    """Gather, write, count, and leave the record."""
    if call.args.draft:
        raise Usage("a task save is made of notes, not drafted", hint="leave the option out")
    key = call.args.once or ""
    if key:
        check_name(key, "key of an operation")  # before anything is written
    words, lost = _words(given)
    made = _sources(call)
    path = f"{lens.FOLDER}/{stamp(call.now)[:10]}-{made.task}.md"
    done = _written(call, made, path, words)
    who = session[1] if session else made.session
    ledger, record = "", ""
    findings = [*_too_long(call, done), *lost, *warned(given.values(), path)]
    if made.trouble:
        text = f"the session's notes were not read: {made.trouble}"
        findings.append(Finding("notes", "warning", dict(made.files)[task_save.STATE], text))
    if done.trouble:
        text = f"not saved: {done.trouble.message}; its text is all there is"
        findings.append(Finding("not-saved", "warning", path, text, done.trouble.hint))
    else:
        ledger, uncounted = _counted(call, made.task, who, key)
        record, unrecorded = _left(call, who, path)
        findings += (*uncounted, *unrecorded)
    data = _data(done, made, record, ledger)
    data["session"] = "/".join(session) if session else None
    return Result(data, tuple(findings), failed=bool(done.trouble))


def view_task(data: Mapping[str, Any], say: Say) -> Iterator[Block]:
    """Three lines: the save, its record, how to go on; the text where there is no save."""
    if data["text"]:
        yield Raw(data["text"])
        return
    text = "saved {path}" if data["changed"] else "nothing new to save in {path}"
    yield Line("✓ " + say(text, path=data["saved"]), "good")
    if data["record"]:
        yield Line("  " + say("left for the next session: {path}", path=data["record"]))
    else:
        yield Line("  " + say("nothing was left for the next session"), "warn")
    yield Line("  " + say("continue in a new session: {command}", command=data["resume"]))


def _words(given: Mapping[str, Any]) -> tuple[dict[str, Any], list[Finding]]:
    """What was given, by the fields that this format has, and what it has no place for."""
    said = {field: value for field, value in given.items() if field not in FOCUS}
    if NOTE in said and "intent" not in said:
        said["intent"] = flat(said.pop(NOTE))
    for field, other in _ELSEWHERE.items():
        if field in said:
            value = said.pop(field)
            items = isinstance(value, tuple)
            said[other] = (*said.get(other, ()), *value) if items else said.get(other, value)
    words = {field: value for field, value in said.items() if field in lens.HOLDS}
    return words, [*unheld(lens.NAME, said, words)]


def _sources(call: Call) -> Sources:
    """The newest notes, git's branch, the files in flight: whatever there is of them."""
    store, branch = call.store, refs.head_of(call.store.place, call.env)[0]
    path = workflow.notes(store)
    try:
        made = _task_save.sources(store.raw(path) if path else "", path, branch)
    except LeftoffError as error:
        made = _task_save.sources("", path, branch)._replace(trouble=error.message)
    seen = draft.Seen("", store.root, "", branch=branch)
    name = call.args.name or made.task or draft.task(seen, None)
    task = task_save.task_named(name)
    files = task_save.in_flight(workflow.in_flight(store), task, path)
    return redacted(made)._replace(task=task, session=made.session, files=files)


def _written(call: Call, made: Sources, path: str, words: Mapping[str, Any]) -> _Done:
    """The save of this day and task: new, or laid on the one that is there."""
    store, stem = call.store, stem_of(path)
    base = saves.fresh(store, stem)
    first = _task_save.written(made, "", "", path, words)
    last, before = [first], [""]

    def edit(old: str) -> str:
        before[0], last[0] = old, _task_save.written(made, old, base, path, words)
        if last[0].losers:  # before the write: a crash in between may log twice, but loses nothing
            store.log_losers(path, last[0].losers)
        return last[0].text

    try:
        created = store.create_missing(path, first.text)
        if not created:
            store.change(path, edit)
    except LeftoffError as error:
        return _Done(path, first, trouble=error)
    saves.keep_fresh(store, stem, first.fresh)
    return _Done(path, last[0], created, created or before[0] != last[0].text)


def _too_long(call: Call, done: _Done) -> Iterator[Finding]:
    size = len(done.written.text.encode("utf-8", "replace"))
    return task_file(done.path, size, call.settings.limits)


def _counted(call: Call, task: str, who: str, key: str) -> tuple[str, list[Finding]]:
    """The row of this operation in the task's ledger; a save stands without it."""
    now = stamp(call.now)
    uuid = who or f"unknown-checkpoint-{now.replace('-', '').replace(':', '')}"
    tier = call.args.model or TIER
    row = Row(uuid, now[:10], "checkpoint", tier, "task", "save", "0")
    try:
        return workflow.count(call.store, task, row, key=key), []
    except LeftoffError as error:
        text = f"the save is in no cost ledger: {error.message}"
        return "", [Finding("no-ledger", "warning", error.where, text, error.hint)]


def _left(call: Call, who: str, path: str) -> tuple[str, list[Finding]]:
    """The record for the next session, never one for nobody."""
    if not who:
        text = "it is not clear whose session this is, so nothing was left for the next one"
        return "", [Finding("no-record", "warning", path, text, "name it: --session AGENT/ID")]
    try:
        return workflow.leave(call.store, who, path), []
    except LeftoffError as error:
        text = f"nothing was left for the next session: {error.message}"
        return "", [Finding("no-record", "warning", path, text, error.hint)]


def _data(done: _Done, made: Sources, record: str, ledger: str) -> dict[str, Json]:
    text = done.written.text
    c = lens.read(text, done.path)
    return {
        "saved": None if done.trouble else done.path,
        "id": c.id,
        "format": lens.NAME,
        "created": done.created,
        "changed": done.changed,
        "record": record or None,
        "resume": "leftoff resume" if record else f"leftoff resume {c.id}",
        "session": None,
        "number": None,
        "drafted": 0,
        "dropped": [],
        "bytes": len(text.encode("utf-8", "replace")),
        "next": [item.text for item in open_actions(c)],
        **_of_task(c, made),
        "ledger": ledger or None,
        "text": text if done.trouble else None,
    }


def _of_task(c: Checkpoint, made: Sources) -> dict[str, Json]:
    files: list[Json] = [path for _, path in made.files if path]
    return {"task": c.name, "branch": c.branch or None, "stage": c.stage, "in_flight": files}
