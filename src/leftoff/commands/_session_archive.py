"""session archive: copies of transcripts that outlive their clients; --bring-back puts one back."""

from __future__ import annotations

from leftoff.agents import names, resume_command
from leftoff.core.blocks import Block, Bullets, Line
from leftoff.core.model import Finding
from leftoff.core.result import Result
from leftoff.core.texts import bytes_words
from leftoff.errors import NotFound, Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world import archive, archive_copy, bindings, claude_home, transcripts
from leftoff.world.archive_upkeep import note_totals
from leftoff.world.calling_session import named
from leftoff.world.log_files import log_at
from leftoff.world.sessions import logs_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Call, Say
    from leftoff.core.model import Json
    from leftoff.world.archive_copy import Copied
    from leftoff.world.log_record import Log

_TOLD = (archive_copy.NEW, archive_copy.GROWN, archive_copy.REWRITTEN)


def run(call: Call) -> Result:
    """Copy what is new; or put a copy back where the client looks for it."""
    args = call.args
    if args.bring_back:
        return _brought_back(call)
    if sum(map(bool, (args.id, args.all, args.expiring))) > 1:
        raise Usage(
            "ID, --all and --expiring cannot be used together", hint="give only one of them"
        )
    state = call.store.state
    to = archive_copy.keeper(state, call.env, call.now)
    found = archive_copy.copy_all(_wanted(call), to, call.progress)
    totals = note_totals(state)
    data: dict[str, Json] = {
        "copied": [_row(one) for one in found if one.what in _TOLD],
        "counts": {what: sum(one.what == what for one in found) for what in _WHATS},
        "added": sum(one.added for one in found),
        "archive": {"path": archive.folder(state), **totals._asdict(), "size": totals.size},
        "back": None,
    }
    return Result(data, tuple(_findings(found)))


_WHATS = (*_TOLD, archive_copy.SAME, archive_copy.FORGOTTEN, archive_copy.FAILED)


def _wanted(call: Call) -> Sequence[Log]:
    """The transcripts of one session, of all, of those near deletion, or of this project."""
    args, env = call.args, call.env
    if args.expiring:
        return claude_home.due(env, call.store.root, call.now)
    if args.id is not None:
        return _of_one(call, *named(call.store.state, env, args.id))
    if args.all:
        return transcripts.find(env)
    return logs_of(env, call.store.state, call.store.place)


def _of_one(call: Call, agent: str, session: str) -> Sequence[Log]:
    """A session's transcripts; also one that only its journal knows the place of."""
    state = call.store.state
    found = [log for log in transcripts.find(call.env) if log.key == (agent, session)]
    if any(not log.parent for log in found):
        return found
    elsewhere = log_at(agent, bindings.known(state, agent, session).transcript)
    if elsewhere.size >= 0 and agent in names():
        return [elsewhere._replace(session=session, parent=""), *found]
    copies = archive.copies(state, agent, session)
    hint = "the archive has a copy" if copies else "leftoff session list --all has them"
    raise NotFound(f"the transcript of {agent}/{session} is not there", hint=hint)


def _row(one: Copied) -> dict[str, Json]:
    log, note = one.log, one.note
    return {
        "agent": log.agent,
        "id": log.session,
        "parent": log.parent or None,
        "what": one.what,
        "added": one.added,
        "origin": log.path,
        "copy": note.path if note else None,
        "lines": note.lines if note else 0,
        "withheld": note.withheld if note else 0,
    }


def _findings(found: Sequence[Copied]) -> Iterator[Finding]:
    for one in found:
        name = f"{one.log.agent}/{one.log.session}"
        if one.what == archive_copy.FAILED:
            fix = "run it again; what was archived before is whole"
            yield Finding("not-archived", "error", name, one.trouble, fix)
        if one.what not in _TOLD or one.note is None:
            continue
        if one.note.withheld:
            text = f"lines that could not be redacted, and are not in its copy: {one.note.withheld}"
            yield Finding("withheld", "warning", name, text)
        if one.note.dropped:
            text = f"signed parts that held a secret, and are not in its copy: {one.note.dropped}"
            yield Finding("sealed", "info", name, text)


def _brought_back(call: Call) -> Result:
    from leftoff.world.archive_restore import bring_back

    if call.args.id is None or call.args.all or call.args.expiring:
        raise Usage(
            "--bring-back needs the ID of one session", hint="leftoff session list --all has them"
        )
    agent, session = named(call.store.state, call.env, call.args.id)
    backs = bring_back(call.store.state, call.env, agent, session)
    data: dict[str, Json] = {
        "back": [{"path": one.path, "new": one.new} for one in backs],
        "session": f"{agent}/{session}",
        "resume": resume_command(agent, session) or None,
        "folder": backs[0].note.folder or None,
    }
    return Result(data, tuple(_of_backs(f"{agent}/{session}", backs)))


def _of_backs(name: str, backs: Sequence[Any]) -> Iterator[Finding]:
    for one in backs:
        if not one.new:
            yield Finding("there", "info", one.path, "it exists, and was left as it is")
    missing = sum(one.note.withheld for one in backs if one.new)
    if missing:
        text = f"lines of the original that are not in the copy: {missing}"
        yield Finding("withheld", "warning", name, text)


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """What was copied, and what the archive takes now."""
    if data["back"] is not None:
        yield from _back_view(data, say)
        return
    counts, archived = data["counts"], data["archive"]
    changed = sum(counts[what] for what in _TOLD)
    if changed:
        text = "✓ " + say(
            "{n} transcript(s) copied: {new} new, {grown} grown, {rewritten} rewritten ({size})",
            n=changed,
            size=bytes_words(data["added"]),
            **{what: counts[what] for what in _TOLD},
        )
        yield Line(text, "good")
    else:
        yield Line(say("Nothing new to archive."))
    if counts["forgotten"]:
        yield Line(say("{n} left out: forgotten or pruned before", n=counts["forgotten"]), "dim")
    yield Line(_archive_line(archived, say), "dim")


def _archive_line(told: Any, say: Say) -> str:
    """What the archive takes, on one line."""
    text = "Archive: {n} session(s), {size}"
    return say(text, n=told["sessions"], size=bytes_words(told["size"]))


def _back_view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    new = [one["path"] for one in data["back"] if one["new"]]
    if new:
        text = "{session} is back where its client looks for it:"
        yield Line("✓ " + say(text, session=data["session"]), "good")
        yield Bullets(tuple(new))
    else:
        yield Line(say("{session} is where its client looks for it.", session=data["session"]))
    if data["resume"]:
        yield Line(say("Continue with: {command}", command=data["resume"]))
        if data["folder"]:
            yield Line(say("(in {folder})", folder=data["folder"]), "dim")
