"""Saves a session that nobody saved: drafted, kept on this machine, left for the next one.

The start and the end of a session do this by themselves, `recover` on request.
"""

from __future__ import annotations

import os

from leftoff.commands import _draft_sources, _threads
from leftoff.commands._redaction import seen_by_own_rules
from leftoff.core import draft
from leftoff.core.choose import RECOVERED
from leftoff.core.draft_chain import built_on
from leftoff.core.model import DRAFT, open_actions
from leftoff.core.recover import FORGOTTEN, saved_at, theirs
from leftoff.core.session_lines import RECOVER
from leftoff.core.when import stamp
from leftoff.errors import LeftoffError
from leftoff.formats import named
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import conversation, journal, pending, saves
from leftoff.world.files import discard, modified

if TYPE_CHECKING:
    from typing import Any

    from leftoff.commands import Call
    from leftoff.core.draft import Seen
    from leftoff.core.model import Checkpoint, Item, Json
    from leftoff.core.session import Session

TRIGGER = "recover"


class Recovered(Record):
    """A session, what was seen of it, and the save that it became."""

    session: Session
    seen: Seen
    made: Checkpoint
    dirty: frozenset[str] = frozenset()
    """what is not committed now, whoever changed it"""
    path: str = ""
    record: str = ""


def look(
    call: Call, one: Session, *, newest: bool, last: int = 0, whole: bool = False
) -> Recovered:
    """A session of the past, and its save, not yet written; with `last`, by its end alone.

    What was saved in it is not told again, unless the `whole` of it is wanted.
    """
    path = conversation.where(one.agent, one.id, call.env, one.transcript)
    since = 0.0 if whole else saved_at(one)
    seen = _draft_sources.seen(
        call, one.agent, one.id, path, trigger=TRIGGER, last=last, since=since
    )
    found = drafted(call, one, theirs(seen, one, newest=newest))
    return found._replace(dirty=frozenset(seen.dirty))


def drafted(call: Call, one: Session, seen: Seen) -> Recovered:
    """The save, not yet written; it is of the day of the session, not of now."""
    seen = seen_by_own_rules(call, seen, one.root or one.cwd)._replace(
        day=stamp(one.seen)[:10] if one.seen else seen.day
    )
    work = _threads.work_of(call.store, one.thread)
    if not one.thread and (given := _given(call, one)):
        seen, work = built_on(given, seen)
    return Recovered(one, seen, draft.recovered(seen, work))


def _given(call: Call, one: Session) -> Checkpoint | None:
    """The save that a session went on with: what it left undone is open still."""
    if not one.given:
        return None
    try:
        return saves.read_stream(call.store, pending.stream_at(call.store, (), one.given))
    except LeftoffError:
        return None  # it is gone, or broken: the session itself still tells something


def hand_on(call: Call, one: Session) -> None:
    """A session did nothing with the save that it was given: that waits for the next one."""
    store, path = call.store, one.given
    if not os.path.isfile(path) or call.now - modified(path) > FORGOTTEN:
        return
    if not pending.is_left(store, path):
        saves.leave(store, one.id, path)


def text_of(made: Checkpoint) -> str:
    """The save as it is written."""
    lens = named("task")
    text = lens.write(made, "", lens.path(made))
    return text if text.endswith("\n") else f"{text}\n"


def keep(
    call: Call, found: Recovered, size: int, *, once: bool = True, leave: bool = True
) -> Recovered | None:
    """Write the save, then the record of it, which never points at nothing, and the journal last.

    What is journaled as drafted nobody drafts again, so the next session must hear of it by then.
    With `once`, None where another process has just done the same. Without `leave` there is a
    record already, of something better.
    """
    one, store = found.session, call.store
    stem = found.made.id.removesuffix(RECOVERED)
    # what is older than a save that somebody made must not pass for newer
    path = saves.save(store, stem, text_of(found.made), f"{RECOVERED}.md", at=one.seen)
    try:
        record = saves.leave(store, one.id, path) if leave else ""
    except LeftoffError:
        discard(path)
        raise
    if told(call, one, path, size, once=once):
        if one.given:  # all of it that still holds is in this one
            pending.use_up(store, one.given, call.now)
        return found._replace(path=path, record=record)
    if leave and (other := _drafted(call, one, size)):
        saves.leave(store, one.id, other)
    discard(path)
    return None


def _drafted(call: Call, one: Session, size: int) -> str:
    """The draft of another process, of the same length."""
    drafts = (line for line in _drafts(call, one) if line.get("size") == size)
    return next((str(line.get("save") or "") for line in drafts), "")


def last_draft(call: Call, one: Session) -> str:
    """Where the last draft of a session went."""
    return next((str(line.get("save") or "") for line in reversed(_drafts(call, one))), "")


def _drafts(call: Call, one: Session) -> list[dict[str, Any]]:
    lines = journal.read(journal.path(call.store.state, one.agent, one.id)).lines
    return [line for line in lines if line["event"] == RECOVER]


def told(call: Call, one: Session, path: str, size: int, *, once: bool) -> bool:
    """Journal where the draft of a session is, so that nobody makes another.

    With `once`, False where another process has just told the same.
    """
    line: dict[str, Json] = {
        "at": call.now,
        "event": RECOVER,
        "key": f"{RECOVER}:{size}" if once else "",
        "root": one.root or call.store.root,
        "save": path,
        "size": size,
        "last": one.seen,
        "transcript": one.transcript or None,
    }
    return journal.append(call.store.state, one.agent, one.id, line)


def is_known(call: Call, one: Session, size: int) -> bool:
    """Whether this session was drafted when its transcript was as long as now."""
    return any(line.get("size") == size for line in _drafts(call, one))


def words(found: Recovered) -> list[str]:
    """What the user said in this session; the rules of its thread are others."""
    rules = found.made.rules
    return [item.text for item in rules if item.attrs.get(DRAFT) == found.seen.mark]


def failures(made: Checkpoint) -> list[Item]:
    """The commands that failed, which a task save has among what is unfinished."""
    return [item for item in made.next_actions if item.text.startswith(draft.FAILED)]


def steps(made: Checkpoint) -> list[str]:
    """What else is unfinished."""
    failed = {item.key for item in failures(made)}
    return [item.text for item in open_actions(made) if item.key not in failed]
