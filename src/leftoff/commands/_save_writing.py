"""Writing a save: into a thread, or into a document of another format. Read, merge, write.

The session's number comes first, since decisions cite it; then the work; what waits for the next
session comes last, so that it never points at a file that is not there.
"""

from __future__ import annotations

from leftoff.commands._hapi_environment import session_there
from leftoff.commands._threads import with_metadata, work_of
from leftoff.commands._trusted import trust_written
from leftoff.core import compose
from leftoff.core.model import Finding, open_actions
from leftoff.core.redact import redact
from leftoff.core.texts import first_sentence, short
from leftoff.core.thread import CLIENT_ID, document, history, joined, metadata, number_of
from leftoff.core.when import stamp
from leftoff.errors import FormatError, GitError, LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import journal, merge_bases, now_file, refs
from leftoff.world.dirty import PATIENCE, changes
from leftoff.world.files import Attempt
from leftoff.world.saves import leave

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from leftoff.commands import Call
    from leftoff.commands._caller import Who
    from leftoff.core.draft import Seen
    from leftoff.core.merge import Loser
    from leftoff.core.model import Checkpoint, Item, Json
    from leftoff.formats import Lens

    Finish = Callable[[Checkpoint], Checkpoint] | None

LONGEST_LABEL = 60


class SaveRequest(Record):
    """What is to be saved, and by whom: the words given, what was drafted beside them."""

    given: Mapping[str, Any]
    who: Who = None
    seen: Seen | None = None
    """what the session's transcript and git show, where a draft is wanted"""
    label: str = ""
    """what the session is called in the thread's list"""
    used: str = ""
    """how full its context is, for that list"""


class Saved(Record):
    """One document after a save."""

    path: str
    checkpoint: Checkpoint
    size: int
    changed: bool
    findings: tuple[Finding, ...] = ()
    dropped: tuple[str, ...] = ()
    """steps that stood there before and were not given again"""
    record: str = ""
    """what waits for the next session"""
    number: int = 0


def save_request(
    call: Call, given: Mapping[str, Any], who: Who, seen: Seen | None, label: str = ""
) -> SaveRequest:
    """A request with what the session is called, and how full its context is."""
    return SaveRequest(given, who, seen, label or _label_of(seen), _used(call, who))


def _label_of(seen: Seen | None) -> str:
    """What the session itself is called, else what was asked last."""
    if seen is None:
        return ""
    asked = seen.digest.intents[-1:] or (seen.stats.last_asked,)
    return short(first_sentence(redact(seen.stats.title or asked[0])), LONGEST_LABEL)


def _used(call: Call, who: Who) -> str:
    """How full the session's context is, as far as its hooks and its status line tell."""
    if who is None:
        return ""
    seen = now_file.seen(call.store.state, *who)
    left = now_file.read(call.store.state, *who) or {}
    tokens = seen.context if seen else journal.last_context(call.store.state, *who)
    window = (seen.window if seen else 0) or left.get("window") or 0
    return f"{min(100, tokens * 100 // window)}%" if tokens and window else ""


def into_thread(call: Call, thread: str, request: SaveRequest) -> Saved:
    """Write the thread's files, then leave the record for the next session."""
    number, troubles = _numbered(call, thread, request)
    given = dict(request.given)
    if "decisions" in given:
        given["decisions"] = compose.by_session(given["decisions"], number)
    if "next_actions" in given:
        given["next_actions"] = compose.urgent_first(given["next_actions"])

    facts = _facts_of(call)  # before any lock: git may take its time

    def finish(c: Checkpoint) -> Checkpoint:
        return compose.with_row(compose.with_facts(c, facts), number, request.label, request.used)

    saved = into_document(call, document(thread), request._replace(given=given), finish)
    saved = saved._replace(number=number, findings=(*saved.findings, *troubles))
    return with_record(call, saved, request.who)


def into_document(call: Call, path: str, request: SaveRequest, finish: Finish = None) -> Saved:
    """Lay the words on what is there now; what others wrote since they were seen stays."""
    store, now = call.store, stamp(call.now)
    lens, before = store.lens_at(path), store.raw(path)
    with Attempt("read", path):
        known = lens.read(before, path)
    base = _base(call, request.who, lens, path) if request.who else known
    losers: list[Loser] = []

    def edit(text: str) -> str:
        current = lens.read(text, path)
        merged = compose.saved(base, current, request.given, now)
        losers[:] = merged.losers
        after = with_draft(merged.checkpoint, request.seen)
        after = (finish(after) if finish else after)._replace(updated=current.updated)
        unstamped = lens.write(after, text, path)
        if unstamped == text or not lens.STAMPS:
            return unstamped  # the stamp alone is no reason to write
        return lens.write(after._replace(updated=now), text, path)

    def logged(text: str) -> str:
        new = edit(text)
        if losers:  # before the write: a crash in between may log twice, but loses nothing
            store.log_losers(path, losers)
        return new

    dropped = _dropped(known, edit(before), lens, path)
    if dropped:
        store.keep_copy(path, call.now)  # the new list took the place of another
    done = store.change(path, logged)
    if request.who:
        own = compose.known(base, known, request.given)
        merge_bases.keep(store, *request.who, path, lens.write(own, done.text, path))
    checks = [item.get("done_when") for item in request.given.get("next_actions", ())]
    unkept = trust_written(call, known, done.checkpoint, checks)
    found = (*done.findings, *unkept)
    size = len(done.text.encode("utf-8", "replace"))
    return Saved(done.path, done.checkpoint, size, done.text != before, found, dropped)


def _base(call: Call, who: tuple[str, str], lens: Lens, path: str) -> Checkpoint | None:
    """What the session last saw of it; a copy that a crash spoiled is as good as none."""
    seen = merge_bases.base(call.store, *who, path)
    try:
        return lens.read(seen, path) if seen is not None else None
    except FormatError:
        return None


def with_draft(c: Checkpoint, seen: Seen | None) -> Checkpoint:
    """The checkpoint with what was seen, where something was; what was stated stays."""
    if seen is None:
        return c
    from leftoff.core.draft import drafted, laid_over

    return laid_over(c, drafted(seen))


def _dropped(before: Checkpoint, text: str, lens: Lens, path: str) -> tuple[str, ...]:
    """The open steps that are no longer there, neither open nor done."""
    left = {item.key for item in lens.read(text, path).next_actions}
    return tuple(item.text for item in open_actions(before) if item.key not in left)


def _facts_of(call: Call) -> compose.Facts:
    """What git says now; a repository that does not answer in time says nothing."""
    place = call.store.place
    branch, head = refs.head_of(place, call.env)
    dirty = changes(place, call.env, call.patience or PATIENCE)
    return compose.Facts(branch, _commit(call, head), None if dirty is None else tuple(dirty))


def _commit(call: Call, head: str) -> str:
    """The commit as the format has it: its short id and its subject."""
    from leftoff.world import git

    if not head:
        return ""
    try:
        subject = git.run(call.store.root, "log", "-1", "--format=%s", head, env=call.env)
    except GitError:
        return head[:7]
    return f"{head[:7]} - {redact(subject.strip())}" if subject.strip() else head[:7]


def _numbered(call: Call, thread: str, request: SaveRequest) -> tuple[int, tuple[Finding, ...]]:
    """The number of the session in its thread, which it gets now where it has none."""
    if request.who is None:
        return 0, ()
    store, path = call.store, metadata(thread)
    there = session_there(call)
    name = there or "/".join(request.who)
    entry: dict[str, Json] = {"name": request.label}
    entry |= {CLIENT_ID: request.who[1]} if there else {}
    try:
        path = with_metadata(call, thread)
        lens, files = store.lens_at(path), store.files_in(history(thread))
        work = work_of(store, thread)

        def edit(text: str) -> str:
            known = lens.read(text, path)
            after = joined(known, name, entry, files, work)
            return text if after == known else lens.write(after, text, path)

        sessions = store.change(path, edit).checkpoint.sessions
    except LeftoffError as error:
        text = f"the session has no number in its thread: {error.message}"
        return 0, (Finding("thread", "warning", path, text, error.hint),)
    return _number_of(sessions, name), ()


def _number_of(sessions: Sequence[Item], name: str) -> int:
    return next((number_of(one) for one in sessions if one.id == name), 0)


def with_record(call: Call, saved: Saved, who: Who) -> Saved:
    """Leave the record for the next session; a save stands without it, and says so."""
    if who is None:
        return saved
    try:
        return saved._replace(record=leave(call.store, who[1], call.store.resolve(saved.path)))
    except LeftoffError as error:
        text = f"nothing was left for the next session: {error.message}"
        told = Finding("no-record", "warning", saved.path, text, error.hint)
        return saved._replace(findings=(*saved.findings, told))
