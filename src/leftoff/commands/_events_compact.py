"""A context is about to be made smaller, or was: save what matters, and tell what was lost."""

from __future__ import annotations

from leftoff.commands import _events_seen as seen
from leftoff.commands._events_kept import Kept
from leftoff.commands._events_scene import Scene, note, note_also, standing, told_so_far
from leftoff.core import draft, loss, notice
from leftoff.core import event as e
from leftoff.core.event import Answer
from leftoff.core.fence import fenced, one_line
from leftoff.core.redact import redact
from leftoff.core.texts import cut
from leftoff.core.wire import dumps, loads
from leftoff.errors import LeftoffError
from leftoff.formats import named
from leftoff.record import TYPE_CHECKING
from leftoff.world import saves
from leftoff.world.files import discard
from leftoff.world.log_tail import summary_of
from leftoff.world.marker import busy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from leftoff.commands import Say
    from leftoff.core.model import Checkpoint

NAME = "keep"
SILENT = "{}"
MOST, LONGEST, BYTES = 15, 240, 6000
"""Entries of a part, characters of an entry, and how much a summariser is told in all."""


def compacting(scene: Scene) -> Answer | None:
    """Save on this machine what the session will need, and tell the summariser. Never refuse."""
    stands = standing(scene)
    source = scene.happened.told.source
    if stands.quiet:
        note(scene, source=source)
        return None
    made = draft.precompact(seen.look(scene), seen.work(scene, stands))
    path = _kept(scene, made)
    if not note(scene, source=source, save=path):
        discard(path)  # another process has saved the same
        return None
    if path:
        with Kept(scene.failures):
            saves.leave(scene.call.store, scene.happened.told.session, path)
    own = scene.happened.agent, scene.happened.told.session
    text = _to_keep(made, scene.call.say, saving=busy(scene.call.store, own))
    return Answer("context", text) if text else None


def _kept(scene: Scene, made: Checkpoint) -> str:
    """Where the save is; "" where the disk does not take it."""
    lens = named("task")
    stem = made.id.removesuffix("-precompact")
    try:
        return saves.save(scene.call.store, stem, lens.write(made, "", lens.path(made)))
    except LeftoffError:
        return ""


def _to_keep(made: Checkpoint, say: Say, *, saving: bool) -> str:
    """For whoever writes the summary; cut to what such a text may be."""
    parts = draft.to_keep(made)
    if not parts and not saving:
        return ""
    lines = [_how_sure(say, saving=saving)]
    if parts:
        lines.append(say("The summary must keep these, word for word where they are names:"))
    for title, entries in parts:
        lines.append(f"{say(title)}:")
        lines += (f"- {cut(one_line(entry), LONGEST)}" for entry in entries[:MOST])
    while len("\n".join(lines).encode()) > BYTES:
        lines.pop()
    return fenced(NAME, "".join(f"{line}\n" for line in lines))


def _how_sure(say: Say, *, saving: bool) -> str:
    """What a live marker of a save changes: a fact in the place of a warning."""
    if saving:
        return say("A save of this session is running: leftoff resume gives back what it holds.")
    return say("Nobody saves this session now: what only was said is lost unless it is kept here.")


def summary(scene: Scene) -> None:
    """The summary is there, before the session goes on with it: keep what it lost, not its text."""
    answer = scene.happened.told.answer
    if note(scene, chars=len(answer)):
        _compare(scene, answer)


def summary_in_transcript(scene: Scene) -> None:
    """The same for a client whose events do not carry the summary, as the session goes on."""
    if not _was_compared(told_so_far(scene)):
        answer = summary_of(scene.happened.told.transcript)
        if answer:
            note_also(scene, e.SUMMARY, chars=len(answer))
            _compare(scene, answer)


def compacted(scene: Scene) -> None:
    """It happened. Where the summary comes only now, what it lost is told with the next prompt."""
    before = told_so_far(scene)
    if not note(scene, source=scene.happened.told.source):
        return
    answer = scene.happened.told.answer
    if answer and not _was_compared(before):
        _compare(scene, answer)


def _was_compared(lines: tuple[Mapping[str, object], ...]) -> bool:
    """Whether a summary came since the last compaction was announced."""
    for line in reversed(lines):
        if line.get("event") == e.SUMMARY:
            return True
        if line.get("event") in {e.COMPACTING, e.COMPACTED}:
            return False
    return False


def _compare(scene: Scene, answer: str) -> None:
    stands = standing(scene)
    if stands.quiet:
        return
    at = seen.look(scene)
    before = loss.known(seen.work(scene, stands), at.stats, at.dirty)
    lost = loss.missing(before, redact(answer))
    if lost:
        # `.now` watches for this file: the next prompt is handed over, and tells of it.
        saves.keep_loss(scene.call.store, scene.happened.told.session, dumps(lost._asdict()))


def keep_silence(scene: Scene) -> None:
    """A compaction happened that nobody told of: there is nothing to compare, but it is said."""
    saves.keep_loss(scene.call.store, scene.happened.told.session, SILENT)


def told_loss(scene: Scene, say: Say) -> Iterator[str]:
    """What a compaction lost, once."""
    text = saves.take_loss(scene.call.store, scene.happened.told.session)
    if text == SILENT:
        yield say("The context became smaller without a word: what was said may be gone.")
        yield say("What was decided is here: leftoff resume")
    lost = _loss(text)
    if not lost:
        return
    note_also(scene, notice.NOTICE, what=notice.LOST, level=len(lost.decisions) + len(lost.paths))
    yield say("The summary of the conversation does not mention:")
    parts = (
        (say("Decisions"), lost.decisions),
        (say("Paths"), lost.paths),
        (say("Commands"), lost.commands),
    )
    for title, entries in parts:
        if entries:
            yield f"{title}:"
            yield from (f"- {cut(one_line(entry), LONGEST)}" for entry in entries[:MOST])


def _loss(text: str) -> loss.Known | None:
    try:
        said = loads(text) if text else {}
        return loss.Known(*(tuple(map(str, said.get(name, ()))) for name in loss.Known._fields))
    except (ValueError, TypeError, AttributeError):
        return None


HANDLERS: dict[str, Callable[[Scene], Answer | None]] = {
    e.COMPACTING: compacting,
    e.SUMMARY: summary,
    e.COMPACTED: compacted,
}
