"""Before and after a compaction: save what matters, and keep what its summary lost."""

from __future__ import annotations

from leftoff import agents
from leftoff.commands._events_scene import DiskErrors, Scene, note, note_also, standing, told_so_far
from leftoff.commands._events_work import look, work_at_hand
from leftoff.core import context_notice, draft, loss
from leftoff.core import event as e
from leftoff.core.choose import AUTOMATIC
from leftoff.core.event import Answer
from leftoff.core.fast_json import dumps, loads
from leftoff.core.fence import fenced, one_line
from leftoff.core.ids import is_name
from leftoff.core.redact import redact
from leftoff.core.texts import cut, headed
from leftoff.errors import LeftoffError
from leftoff.formats import named
from leftoff.record import TYPE_CHECKING
from leftoff.world import saves
from leftoff.world.busy_marker import busy
from leftoff.world.files import discard
from leftoff.world.log_tail import summary_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from leftoff.commands import Say
    from leftoff.core.model import Checkpoint

NAME, LOST = "keep", "lost"
LOST_BYTES = 4000
"""How much of what a session is told after a compaction may be what was lost."""
MOST, LONGEST, BYTES = 15, 240, 6000
"""Entries of a part, characters of an entry, and how much a summariser is told in all."""


def compacting(scene: Scene) -> Answer | None:
    """Save on this machine what the session will need, and tell the summariser. Never refuse."""
    stands = standing(scene)
    source = scene.happened.payload.source
    if stands.quiet:
        note(scene, source=source)
        return None
    made = draft.precompact(look(scene), work_at_hand(scene, stands))
    path = _kept(scene, made)
    if not note(scene, source=source, save=path):
        discard(path)  # another process has saved the same
        return None
    if path:
        with DiskErrors(scene.failures):
            saves.leave(scene.call.store, scene.happened.payload.session, path)
    if _tells_no_more(scene):
        keep_unknown(scene)
    own = scene.happened.agent, scene.happened.payload.session
    text = _to_keep(made, scene.call.say, saving=busy(scene.call.store, own))
    return Answer("context", text) if text else None


def _tells_no_more(scene: Scene) -> bool:
    """Whether this is all that the client says of a compaction."""
    ours = {hook.ours for hook in agents.load(scene.happened.agent).HOOKS}
    return ours.isdisjoint({e.SUMMARY, e.COMPACTED})


def _kept(scene: Scene, made: Checkpoint) -> str:
    """Where the save is; "" where the disk does not take it."""
    lens = named("task")
    stem = made.id.removesuffix(AUTOMATIC)
    try:
        return saves.save(scene.call.store, stem, lens.write(made, "", lens.path(made)))
    except LeftoffError as error:
        scene.failures.append(error)
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
        lines.append(headed(say(title)))
        lines += (f"- {cut(one_line(entry), LONGEST)}" for entry in entries[:MOST])
    while len("\n".join(lines).encode()) > BYTES:
        lines.pop()
    return fenced(NAME, "".join(f"{line}\n" for line in lines))


def _how_sure(say: Say, *, saving: bool) -> str:
    """What a live marker of a save changes: a fact in the place of a warning."""
    if saving:
        return say("A save of this session is running: leftoff resume gives back what it holds.")
    return say("Nobody is saving this session: what was only said is lost unless it is kept here.")


def summary(scene: Scene) -> None:
    """The summary is there, before the session goes on with it: keep what it lost, not its text."""
    answer = scene.happened.payload.answer
    if note(scene, chars=len(answer)):
        _compare(scene, answer)


def summary_in_transcript(scene: Scene) -> None:
    """The same for a client whose events do not carry the summary, as the session goes on."""
    if not _was_compared(told_so_far(scene)):
        answer = summary_of(scene.happened.payload.transcript)
        if answer:
            note_also(scene, e.SUMMARY, chars=len(answer))
            _compare(scene, answer)


def compacted(scene: Scene) -> None:
    """It happened: keep what its summary lost, or that nobody showed one."""
    before = told_so_far(scene)
    if not note(scene, source=scene.happened.payload.source):
        return
    answer = scene.happened.payload.answer
    if answer and not _was_compared(before):
        _compare(scene, answer)
    elif not answer and not context_notice.was_briefed(before):
        keep_unknown(scene)


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
    at, work = look(scene), work_at_hand(scene, stands)
    lost = loss.missing(loss.known(work, at.stats, at.dirty), redact(answer))
    # kept where nothing was lost, too: the session has not got its brief yet
    _keep(scene, {"of": work.id if work else "", **lost._asdict()})


def keep_unknown(scene: Scene) -> None:
    """A compaction happened whose summary nobody showed."""
    if not standing(scene).quiet:
        _keep(scene, {})


def _keep(scene: Scene, kept: Mapping[str, object]) -> None:
    """`.now` watches for this file: the next prompt is handed over, and tells of it."""
    saves.keep_loss(scene.call.store, scene.happened.payload.session, dumps(kept))


def told_loss(scene: Scene, room: int, *, whole: bool) -> str:
    """What a compaction lost, once; `whole`: the decisions stand in the brief beside it."""
    text = saves.take_loss(scene.call.store, scene.happened.payload.session)
    if not text:
        return ""
    of, lost = _loss(text)
    lines = ["The summary of the conversation does not mention:"]
    if lost is None:
        lines = ["The conversation was compacted, and its summary was not shown to leftoff."]
        lines.append("For decisions and next steps: leftoff resume")
        lost = loss.Known() if whole else _all_of_it(scene)
    elif not lost:
        return ""
    note_also(scene, context_notice.NOTICE, what=context_notice.LOST, level=sum(map(len, lost)))
    say = scene.call.say
    lines = [say(line) for line in lines]
    room -= len(fenced(LOST, "".join(f"{line}\n" for line in lines)).encode())
    more = f"leftoff show {of}" if is_name(of) else "leftoff resume"
    return fenced(
        LOST, "".join(f"{line}\n" for line in (*lines, *loss.lines(lost, room, more, say)))
    )


def _all_of_it(scene: Scene) -> loss.Known:
    """Where nobody can say what was lost: the decisions and the next steps."""
    work = work_at_hand(scene, standing(scene))
    return loss.known(work, None)._replace(paths=(), commands=())


def _loss(text: str) -> tuple[str, loss.Known | None]:
    """Of which checkpoint, and what; None where nobody can say what."""
    try:
        said = loads(text)
        lists = [tuple(map(str, said[name])) for name in loss.Known._fields]
        return str(said["of"]), loss.Known(*lists)
    except (ValueError, TypeError, LookupError):
        return "", None


HANDLERS: dict[str, Callable[[Scene], Answer | None]] = {
    e.COMPACTING: compacting,
    e.SUMMARY: summary,
}
