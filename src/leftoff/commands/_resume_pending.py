"""resume, first step: which of the things that sessions left is meant, before anything else is."""

from __future__ import annotations

import os

from leftoff.commands import Call
from leftoff.commands._caller import who_if_clear
from leftoff.commands._resume_states import CHOOSE, CORRUPT, LISTED
from leftoff.core.blocks import Block, Bullets, Line, Raw
from leftoff.core.choose import (
    ASK,
    SKIP,
    USE,
    Asker,
    Candidate,
    Save,
    choose,
    is_dated,
    is_own,
    newest_save,
    together,
)
from leftoff.core.fence import fenced, harmless, one_line
from leftoff.core.model import Finding
from leftoff.core.redact import redact
from leftoff.core.result import Ask, Choice, Result
from leftoff.core.texts import short
from leftoff.core.when import stamp
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import bindings, pending, saves
from leftoff.world.files import modified, read_bytes
from leftoff.world.pending import OUTSIDE
from leftoff.world.sentinels import MEMORY

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.choose import Chosen, Pending
    from leftoff.core.model import Json
    from leftoff.core.stream import Stream

MANUAL = "Manual recovery — please paste the checkpoint content above and I will reconstruct state."
MOST = 20
"""Records in a question; nobody reads more of them."""
SHOWN, LOOKED_AT = 64 << 10, 80 << 10
"""Characters of a damaged file that are shown; and bytes in which secrets are looked for."""
ABOUT = 80
"""Characters of what a record is about."""
SAVES = f"{MEMORY}/checkpoints/"


class Found(Record):
    """What was left here, and what that means for this call."""

    asker: Asker = Asker()
    candidates: tuple[Candidate, ...] = ()
    stream: Stream | None = None
    """what the chosen record points at"""
    findings: tuple[Finding, ...] = ()
    mismatch: bool = False
    result: Result | None = None
    """the whole answer, where nothing is resumed by this call"""

    @property
    def taken(self) -> frozenset[str]:
        """The documents that another live session was given."""
        given = (one.newest for one in self.candidates if not is_own(one, self.asker))
        return frozenset(one.target for one in given if one.offered)

    def pointing_at(self, root: str, stream: Stream) -> tuple[Pending, ...]:
        """The records that are used once this stream is resumed."""
        paths = {os.path.realpath(os.path.join(root, part)) for part in stream.parts}
        ours = [one for one in self.candidates if one.newest.target in paths]
        return tuple(record for one in ours for record in one.records)


def asker_of(call: Call) -> Asker:
    """Who asks, and what they are on."""
    store, who = call.store, who_if_clear(call)
    thread = bindings.bound(store.state, *who) if who else ""
    if not thread:
        thread = store.current_thread()
        limits = call.settings.limits
        if who and thread and bindings.holder(store, thread, who, call.now, limits):
            thread = ""  # another session is at work on it
    sessions = bindings.lineage(store.state, *who) if who else ()
    return Asker(sessions, thread, pending.document(store, thread))


def locate(call: Call, streams: Sequence[Stream], *, name: str, answers: Sequence[str]) -> Found:
    """The record to use, or the question which; with a name, only what waits here."""
    store, args = call.store, call.args
    seen = pending.waiting(store, streams, call.now, call.settings.limits)
    untidy = () if args.preview or args.list else tuple(put_away(call, seen.over))
    found = Found(asker_of(call), tuple(together(seen.records)), findings=untidy)
    if args.list:
        data: dict[str, Json] = {"state": LISTED, "records": _records(call, streams, found)}
        return found._replace(result=Result(data))
    if name:
        return found
    chosen = choose(found.candidates, found.asker, answers)
    if chosen.verb == ASK:
        return found._replace(result=_which(call, streams, found))
    if chosen.verb == USE and chosen.candidate:
        return _used(call, streams, found, chosen)
    told = (*found.findings, *_passed_over(found.candidates))
    return found._replace(findings=told if SKIP not in answers else found.findings)


def put_away(call: Call, records: Iterable[Pending]) -> Iterator[Finding]:
    """Move records to the trash; what cannot be moved stays, and that is said."""
    for one in records:
        try:
            pending.put_away(call.store, one, call.now)
        except LeftoffError as error:
            text = f"it was used, but could not be moved to the trash: {error.message}"
            yield Finding("not-moved", "warning", one.record, text, "it will be offered again")


def newest(
    call: Call, streams: Sequence[Stream], taken: Collection[str]
) -> tuple[Stream, float] | None:
    """The newest free save of this machine or of seed C's folder, and when it was made."""
    store = call.store
    here = [one for one in streams if one.glance.path.startswith(SAVES)]
    paths = [os.path.join(store.root, one.glance.path) for one in here]
    paths += saves.all_saves(store)
    free = [path for path in paths if is_dated(path) and os.path.realpath(path) not in taken]
    found = newest_save(Save(path, modified(path)) for path in free)
    if found is None:
        return None
    try:
        return pending.stream_at(store, streams, os.path.realpath(found.path)), found.at
    except LeftoffError:
        return None  # the documents of the project still are


def save_named(call: Call, name: str) -> Stream | None:
    """The save of this machine that goes by a name."""
    wanted = name.removeprefix("task:")
    for path in saves.all_saves(call.store):
        if os.path.basename(path) == f"{wanted}.md":
            return saves.stream_of_save(call.store, path)
    return None


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The list of what was left; or a damaged file as it is, and what to do with it."""
    if data["state"] == CORRUPT:
        raw = data["raw"] if data["raw"].endswith("\n") else data["raw"] + "\n"
        yield Raw(fenced("raw", raw))  # whoever wrote it: it is no word of ours
        yield Line(say(MANUAL), "warn")
        return
    records = data.get("candidates") or data.get("records") or ()
    if not records:
        yield Line(say("Nothing was left for a next session."))
        return
    if data["state"] == CHOOSE:
        yield Line(say("Multiple pending-restore sentinels found."))
    yield Bullets(tuple(_line(one, say) for one in records[:MOST]), numbered=True)
    if len(records) > MOST:
        yield Line(say("({n} older: leftoff resume --json)", n=len(records) - MOST), "dim")


def _used(call: Call, streams: Sequence[Stream], found: Found, chosen: Chosen) -> Found:
    one = chosen.candidate.newest if chosen.candidate else None
    if one is None or not one.there:
        return found._replace(result=_corrupt(one, chosen, ""))
    try:
        stream = pending.stream_at(call.store, streams, one.target)
    except LeftoffError:
        stream = None
    if stream is None or not stream.glance.readable:
        return found._replace(result=_corrupt(one, chosen, _raw(one.target)))
    told = (*found.findings, *chosen.findings)
    return found._replace(stream=stream, findings=told, mismatch=chosen.mismatch)


def _corrupt(one: Pending | None, chosen: Chosen, raw: str) -> Result:
    """What is left of it, and that the record stays."""
    path, why = (one.target, one.trouble) if one else ("", "")
    data: dict[str, Json] = {"state": CORRUPT, "path": path, "raw": raw}
    data |= {"record": one.record if one else "", "mismatch": chosen.mismatch}
    fix = "the record stays; leftoff resume --pick skip goes past it"
    return Result(data, (*chosen.findings, Finding("broken", "error", path, why, fix)))


def _raw(path: str) -> str:
    """A damaged file as text, without secrets, and with nothing that could steer a terminal."""
    try:
        whole = read_bytes(path)[:LOOKED_AT].decode("utf-8", "replace")
        return redact(harmless(whole))[:SHOWN]  # first, or half a secret would pass
    except LeftoffError:
        return ""


def _passed_over(candidates: Iterable[Candidate]) -> Iterator[Finding]:
    """What waits, and could not be taken."""
    for one in candidates:
        said = one.newest
        if not said.there:
            text = f"a record points at {said.target}, which is gone"
            if said.trouble == OUTSIDE:
                text = f"a record points at {said.target}, which does not belong to this project"
            yield Finding("pending-gone", "warning", said.record, text)
        elif said.offered:
            text = f"{said.task} was given to the live session {said.offered}"
            yield Finding("offered", "info", said.record, text)


def _which(call: Call, streams: Sequence[Stream], found: Found) -> Result:
    records = _records(call, streams, found)
    data: dict[str, Json] = {"state": CHOOSE, "candidates": records}
    shown = records[:MOST]
    choices = [Choice(str(at), _line(one, call.say)) for at, one in enumerate(shown, 1)]
    choices.append(Choice(SKIP, "none of these: look for the newest checkpoint"))
    question = "Which session do you want to restore? Enter a number, or 'skip'"
    return Result(data, found.findings, Ask(question, tuple(choices), "--pick N"))


def _records(call: Call, streams: Sequence[Stream], found: Found) -> list[Json]:
    return [
        _record(one, found.asker, _about(call, streams, one.newest)) for one in found.candidates
    ]


def _about(call: Call, streams: Sequence[Stream], one: Pending) -> str:
    """What the work is for, as its document says: task and branch may be those of all others."""
    return "" if one.trouble else about(call, streams, one.target)


def about(call: Call, streams: Sequence[Stream], target: str) -> str:
    """The same of a document that may be read."""
    try:
        c = saves.read_stream(call.store, pending.stream_at(call.store, streams, target))
    except LeftoffError:
        return ""
    return short(one_line(redact(c.intent or c.summary)), ABOUT)


def _record(one: Candidate, asker: Asker, about: str) -> dict[str, Json]:
    """A candidate with its guards, as data."""
    said = one.newest
    return {
        "type": said.type,
        "session": said.session,
        "task": one_line(said.task),
        "branch": one_line(said.branch),
        "about": about,
        "date": said.date,
        "created": stamp(said.created),
        "expires": stamp(said.expires),
        "consumed": said.consumed,
        "offered": said.offered,
        "own": is_own(one, asker),
        "live": said.live,
        "path": said.target,
        "records": [record.record for record in one.records],
        "trouble": said.trouble,
    }


def _line(one: Any, say: Say) -> str:
    if one["trouble"]:
        why = one["trouble"]
        return say("{path} (cannot be read: {why})", path=one["path"], why=say(why))
    branch, day = one["branch"] or say("unknown"), one["date"] or say("unknown")
    text = "Task: {task}  Branch: {branch} (checkpoint: {date})"
    line = say(text, task=one["task"], branch=branch, date=day) + _guard(one, say)
    return f"{line}  {one['about']}" if one["about"] else line


def _guard(one: Any, say: Say) -> str:
    """Another live session that has it, or that is still at work on it."""
    if one["own"]:
        return ""
    if one["offered"]:
        return say(" (given to the live session {name})", name=one["offered"])
    return say(" (left by the live session {name})", name=one["session"]) if one["live"] else ""
