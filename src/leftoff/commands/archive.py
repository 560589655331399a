"""archive: end a Markdown checkpoint with its outcome, or keep the conversation of a session."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.commands._hapi_environment import add_tools, environment
from leftoff.core import learnings
from leftoff.core.blocks import Block, Bullets, Line
from leftoff.core.find_stream import find, readable
from leftoff.core.lineage import active_below, standing
from leftoff.core.model import ARCHIVED, Finding
from leftoff.core.paths import LEARNINGS
from leftoff.core.result import Result
from leftoff.core.stream import broken
from leftoff.core.texts import flat
from leftoff.core.when import stamp
from leftoff.errors import Invalid, NotFound, Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world.edit_file import edit_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.core.stream import Stream

SUMMARY = "Archive a Markdown checkpoint with its outcome, or the conversation of a past session."
EXAMPLES = (
    "leftoff archive chk-auth --outcome 'Sessions last a working day'",
    "leftoff archive chk-auth --outcome 'Done' --learned 'Refresh tokens live 15 minutes'",
    "leftoff archive --session '#3'",
)
INSTEAD = {
    "skill": 'it ends with its status: "leftoff update {id} --status=complete"',
    "thread": 'it ends with its last step: "leftoff done {id} --complete"',
}


def arguments(parser: Any) -> None:
    """How it ended."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="the checkpoint, or the thread")
    parser.add_argument(
        "--session", dest="talk", metavar="N", help="instead: a past session, by number or id"
    )
    add_tools(parser)
    parser.add_argument(
        "--outcome", metavar="TEXT", help="how it ended, if Completion does not say"
    )
    parser.add_argument(
        "--learned", action="append", metavar="TEXT", help="a learning (repeatable)"
    )
    parser.add_argument("--force", action="store_true", help="even if descendants are active")


def run(call: Call) -> Result:
    """Completion, then learnings, then the move: what a crash left undone, a repeat completes."""
    outcome = call.args.outcome
    if call.args.talk is not None:
        return _conversation(call)
    if not call.args.name:
        raise Usage("archive needs a checkpoint, or --session", hint="say which")
    if outcome is not None and not outcome.strip():
        raise Usage("--outcome needs a text", hint="say in a sentence how it ended")
    streams = call.store.streams()
    stream = _stream(streams, call.args.name)
    if stream.glance.status == ARCHIVED:
        return _again(call, stream)
    if not call.args.force:
        _refuse_above_active(streams, stream)
    completion = _complete(call, stream.glance.path)
    learned = _keep_learnings(call, stream, completion)
    path = stream.glance.path
    folder, _, name = path.rpartition("/")
    moved = call.store.move(path, folder.removesuffix("active") + "archive", name)
    found = (*_notes(call, stream), *broken(streams))
    return Result(_data(stream, moved, learned, "archived"), found)


def _conversation(call: Call) -> Result:
    """The conversation of a past session of a thread: the kind of target decides."""
    from leftoff.commands import _thread_archive

    args = call.args
    if args.outcome is not None or args.learned or args.force:
        raise Usage(
            "--session archives a conversation, not a checkpoint", hint="leave the rest out"
        )
    done = _thread_archive.archive(call, args.talk, args.name or "")
    return done._replace(data={"env": environment(call), **done.data})


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """Where it is now, and what was kept of it."""
    if "threads" in data:
        from leftoff.commands import _thread_view

        yield from _thread_view.archived(data, say)
        return
    text = say("{id} is archived: {path}", id=data["id"], path=data["path"])
    yield Line(f"✓ {text}", "good")
    if data["learned"]:
        yield Line(say("Added to {path}:", path=LEARNINGS))
        yield Bullets(tuple(data["learned"]))


def _stream(streams: Sequence[Stream], name: str) -> Stream:
    """The active one where an archived one goes by the same name."""
    try:
        stream = find([s for s in streams if s.glance.status != ARCHIVED], name, exact=True)
    except NotFound:
        stream = find(streams, name, exact=True)
    kind, called = stream.glance.format, readable(stream).glance.id
    if kind != "md":
        hint = INSTEAD.get(kind, "it stays where it is").format(id=called)
        raise Usage(f"{called} is a {kind} document; archive is for Markdown ones", hint=hint)
    return stream


def _again(call: Call, stream: Stream) -> Result:
    """Archived already, perhaps by hand: its learnings are kept all the same."""
    completion = call.store.read(stream.glance.path).checkpoint.completion
    outcome = flat(call.args.outcome or "")
    if learnings.completed(completion, outcome, call.args.learned, "") != completion:
        hint = "an archived checkpoint stays as it is"
        text = f"{stream.glance.id} is already archived, without that learning"
        if learnings.completed(completion, outcome, (), "") != completion:
            text = f"{stream.glance.id} is already archived, with another outcome"
        raise Usage(text, hint=hint)
    learned = _keep_learnings(call, stream, completion)
    return Result(_data(stream, stream.glance.path, learned, "already archived"))


def _refuse_above_active(streams: Sequence[Stream], stream: Stream) -> None:
    below = active_below([s.glance for s in streams], stream.glance)
    if below:
        names = ", ".join(f"{one.id} ({standing(one)})" for one in below)
        raise Invalid(
            f"{stream.glance.id} has active descendants: {names}",
            hint="archive them first",
            where=stream.glance.path,
            choices=tuple(one.id for one in below),
        )


def _complete(call: Call, path: str) -> str:
    """The Completion section as it now stands in the document."""
    lens, now = call.store.lens_at(path), stamp(call.now)
    outcome = flat(call.args.outcome or "")

    def edit(text: str) -> str:
        before = lens.read(text, path)
        if not outcome and not learnings.field(before.completion, "Outcome"):
            hint = "give it: --outcome TEXT, or write it into ## Completion"
            raise Usage(f"{before.id} has no outcome yet", hint=hint, where=path)
        ended = learnings.completed(before.completion, outcome, call.args.learned, now)
        return lens.write(before._replace(completion=ended), text, path)

    return call.store.change(path, edit).checkpoint.completion


def _keep_learnings(call: Call, stream: Stream, completion: str) -> list[str]:
    """Append what LEARNINGS.md does not say of this checkpoint yet; what that was."""
    said = learnings.learnings(completion)
    fresh: list[str] = []

    def edit(text: str) -> str:
        new = learnings.appended(text, stamp(call.now)[:10], stream.glance.id, said)
        fresh[:] = [one for one in said if f"- {one}" in new[len(text) :].splitlines()]
        return new

    if said:
        edit_file(call.store, LEARNINGS, edit)
    return fresh


def _notes(call: Call, stream: Stream) -> Iterator[Finding]:
    if stream.glance.word == "current":
        text = f"{stream.glance.id} was the current checkpoint; none is current now"
        yield Finding("no-current", "info", "", text, "leftoff current NAME")
    folder = stream.glance.path.rpartition("/")[0]
    if call.store.exists(f"{folder}/INDEX.md"):
        text, fix = "no longer lists what is there", "leftoff index"
        yield Finding("index-outdated", "info", f"{folder}/INDEX.md", text, fix)


def _data(stream: Stream, path: str, learned: Sequence[str], state: str) -> dict[str, Json]:
    return {"id": stream.glance.id, "path": path, "learned": [*learned], "state": state}
