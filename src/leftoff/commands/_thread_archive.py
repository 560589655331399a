"""thread archive: the conversation of a past session, kept as a page of the thread's history.

The page is written first and never over another; then thread.json says, in one write, which page
it is and since when. A session whose conversation is gone is noted, and may be tried again.
"""

from __future__ import annotations

from leftoff.commands import _editing
from leftoff.commands._caller import who
from leftoff.commands._redaction import by_own_rules
from leftoff.commands._thread_row import metadata_of, named
from leftoff.commands._threads import work_of
from leftoff.core.history_md import Head, file_name, page
from leftoff.core.model import Finding, Item
from leftoff.core.result import Result
from leftoff.core.thread import (
    ARCHIVED_AT,
    CLIENT_ID,
    GONE,
    PAGE,
    cited,
    document,
    history,
    is_row_of,
    metadata,
    next_number,
    number_of,
)
from leftoff.core.when import stamp
from leftoff.errors import Ambiguous, Conflict, Invalid, LeftoffError, NotFound
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import bindings, calling_session, conversation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from leftoff.commands import Call
    from leftoff.core.model import Checkpoint, Json
    from leftoff.core.talk import Turn

COPIES = 9


class _Kept(Record):
    """A session of a thread, and the client that had it; no client for one that only Hapi has."""

    entry: Item
    agent: str = ""
    session: str = ""


def archive(call: Call, which: str, name: str) -> Result:
    """Write the page, then what thread.json and the list of sessions say of it."""
    stream = named(call, [name] if name else ())
    thread = stream.glance.id
    known = call.store.read(metadata_of(call, stream)).checkpoint
    kept = _counted(call, thread, known, _choose(call, thread, known, which))
    number = number_of(kept.entry)
    data: dict[str, Json] = {"threads": [], "thread": thread, "number": number, "new": False}
    if kept.entry.get(PAGE):
        return Result({**data, "file": f"{history(thread)}/{kept.entry.get(PAGE)}"})
    _refuse_running(call, kept)
    try:
        text, turns = page(_head(call, thread, kept), _turns(call, kept))
    except LeftoffError as error:
        _note_if_gone(call, thread, kept.entry, error)
        raise
    if not turns:
        return _gone(call, thread, kept, data)
    path = _written(call, thread, kept.entry, by_own_rules(call, text))
    said: dict[str, Json] = {
        "seq": number,
        PAGE: path.rpartition("/")[2],
        ARCHIVED_AT: stamp(call.now),
    }
    _note(call, thread, kept.entry, said)
    found = _row(call, thread, number)
    return Result({**data, "file": path, "new": True, "turns": turns}, tuple(found))


def _note_if_gone(call: Call, thread: str, entry: Item, error: LeftoffError) -> None:
    """What the hub has no longer is noted; a hub that cannot be reached says nothing of it."""
    from leftoff.world.hapi_wire import Gone

    if isinstance(error, Gone):
        _note(call, thread, entry, {GONE: error.message})


def _gone(call: Call, thread: str, kept: _Kept, data: dict[str, Json]) -> Result:
    text = "its conversation is gone"
    _note(call, thread, kept.entry, {GONE: text})
    name = f"{cited(number_of(kept.entry))} {kept.entry.text}".rstrip()
    said = f"{name}: {text}; thread.json notes it"
    fix = "restore the client's transcript and run it again"
    return Result({**data, "file": None}, (Finding("gone", "error", metadata(thread), said, fix),))


def _choose(call: Call, thread: str, known: Checkpoint, which: str) -> _Kept:
    """The session by number, id or the start of one; else the one that is not archived yet."""
    if which:
        fits = [one for one in known.sessions if _is_called(one, which)]
        if not fits:
            return _unlisted(call, thread, known, which)
    else:
        own = who(call)
        mine = {"/".join(own), own[1]} if own else set()
        open_ones = [
            one for one in known.sessions if not one.get(PAGE) and _names(one).isdisjoint(mine)
        ]
        fits = [one for one in open_ones if not one.get(GONE)] or open_ones
        if not fits:
            hint = "leftoff thread status shows its sessions"
            raise NotFound(f"{thread} has no session that waits to be archived", hint=hint)
    if len(fits) > 1:
        raise Ambiguous(
            f"{len(fits)} sessions of {thread} match",
            hint="say which, by its number or its id",
            choices=tuple(f"{cited(number_of(one))} {one.id}".lstrip() for one in fits),
        )
    return _kept(call, fits[0])


def _is_called(one: Item, which: str) -> bool:
    number = which.removeprefix("#")
    if number.isascii() and number.isdigit() and len(number) <= 6:
        return number_of(one) == int(number)
    return any(name.startswith(which) for name in _names(one))


def _names(one: Item) -> set[str]:
    """What a session may be called: by its client, by Hapi, with the client before it."""
    names = {one.id, one.id.rpartition("/")[2], one.get(CLIENT_ID)}
    return {name for name in names if name}


def _unlisted(call: Call, thread: str, known: Checkpoint, which: str) -> _Kept:
    """A session that is bound to the thread and never saved: it gets its number now."""
    if which.startswith("#") or which.isdigit():
        hint = "leftoff thread status shows its sessions"
        raise NotFound(f"{thread} has no session {which[:40]}", hint=hint)
    agent, session = calling_session.named(call.store.state, call.env, which)
    own = bindings.bound(call.store.state, agent, session)
    if own != thread:
        hint = "name the thread behind it" if own else "leftoff session export has the conversation"
        raise NotFound(f"the session {agent}/{session} is not on {thread}", hint=hint)
    number = _next(call, thread, known)
    return _Kept(Item("", f"{agent}/{session}", {"seq": number}), agent, session)


def _counted(call: Call, thread: str, known: Checkpoint, kept: _Kept) -> _Kept:
    """One that nobody numbered gets its number now: its page is cited by that."""
    if number_of(kept.entry):
        return kept
    attrs = {**kept.entry.attrs, "seq": _next(call, thread, known)}
    return kept._replace(entry=kept.entry._replace(attrs=attrs))


def _next(call: Call, thread: str, known: Checkpoint) -> int:
    """The number of a session that has none yet."""
    files = call.store.files_in(history(thread))
    return next_number(known.sessions, files, work_of(call.store, thread))


def _kept(call: Call, entry: Item) -> _Kept:
    """Who had it: the entry says so, else journals and transcripts of this machine do."""
    from leftoff import agents

    agent, slash, session = entry.id.partition("/")
    if slash and agent in agents.names():
        return _Kept(entry, agent, session)
    for name in (entry.get(CLIENT_ID), entry.id):
        try:
            if name:
                return _Kept(entry, *calling_session.named(call.store.state, call.env, name))
        except LeftoffError:
            continue  # nobody here has heard of it
    return _Kept(entry)


def _refuse_running(call: Call, kept: _Kept) -> None:
    """What still grows would be kept by half, and is never written twice."""
    name = f"{kept.agent}/{kept.session}"
    own = who(call)
    live = bindings.live(call.store, call.now, call.settings.limits)
    running = any(name in names for names in live.values())
    if kept.agent and (running or own == (kept.agent, kept.session)):
        hint = "archive it from a later session"
        raise Invalid(f"the session {name} still runs", hint=hint)


def _turns(call: Call, kept: _Kept) -> Iterator[Turn]:
    """Out of the client's transcript; what only Hapi has, from its hub."""
    if not kept.agent:
        from leftoff.commands._hapi import conversation as in_hapi

        return in_hapi(call, kept.entry)
    one = bindings.known(call.store.state, kept.agent, kept.session)
    return conversation.turns(kept.agent, kept.session, call.env, one.transcript, strict=True)


def _head(call: Call, thread: str, kept: _Kept) -> Head:
    name = kept.entry.text or _label(call, thread)
    return Head(number_of(kept.entry), name, thread, kept.entry.id, call.now)


def _label(call: Call, thread: str) -> str:
    return call.store.read(metadata(thread)).checkpoint.name


def _written(call: Call, thread: str, entry: Item, text: str) -> str:
    """The page under its number; what a crash left there is taken up, nothing is written over."""
    name = file_name(number_of(entry), entry.text or _label(call, thread))
    for copy in range(1, COPIES + 1):
        extra = f"-{copy}" if copy > 1 else ""
        path = f"{history(thread)}/{name.removesuffix('.md')}{extra}.md"
        if call.store.create_missing(path, text):
            return path
    raise Conflict(f"{history(thread)} has {COPIES} pages of that name", where=history(thread))


def _note(call: Call, thread: str, entry: Item, said: Mapping[str, Json]) -> None:
    """What became of it, in its entry, in one write; a session without one gets it here."""

    def noted(one: Item) -> Item:
        kept = {name: value for name, value in one.attrs.items() if name != GONE}
        return one._replace(attrs={**kept, **said})

    def edit(known: Checkpoint) -> Checkpoint:
        listed = any(one.id == entry.id for one in known.sessions)
        sessions = known.sessions if listed else (*known.sessions, entry)
        after = tuple(noted(one) if one.id == entry.id else one for one in sessions)
        return known._replace(sessions=after, updated=stamp(call.now))

    _editing.edit(call.store, metadata(thread), edit)


def _row(call: Call, thread: str, number: int) -> Iterator[Finding]:
    """The date in the list of sessions of CHECKPOINT.md, where it has such a row."""
    today = stamp(call.now)[:10]

    def edit(known: Checkpoint) -> Checkpoint:
        rows = tuple(
            row._replace(attrs={**row.attrs, "at": today}) if is_row_of(row, number) else row
            for row in known.history
        )
        return known._replace(history=rows)

    try:
        if call.store.exists(document(thread)):
            _editing.edit(call.store, document(thread), edit)
    except LeftoffError as error:
        text = f"the list of sessions does not say so yet: {error.message}"
        yield Finding("row", "warning", document(thread), text, error.hint)
