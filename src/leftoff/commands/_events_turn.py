"""A turn begins or ends, and the hook path saw something in it: a level crossed, a file changed."""

from __future__ import annotations

from leftoff import agents
from leftoff.commands import _events_run as runs
from leftoff.commands._events_compacted import again
from leftoff.commands._events_compaction import keep_unknown
from leftoff.commands._events_notes import Notes, fitted
from leftoff.commands._events_scene import (
    DiskErrors,
    Scene,
    Standing,
    note_also,
    remember,
    standing,
    todo_seen,
    told_so_far,
    use_of,
    window,
)
from leftoff.commands._events_start import late_start
from leftoff.commands._events_work import look, save_into_thread
from leftoff.commands._threads import work_of
from leftoff.core import context_notice
from leftoff.core.brief_fit import BYTES
from leftoff.core.event import Answer, Usage
from leftoff.core.thread import document
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world import now_file, pending, prompts
from leftoff.world.log_tail import stats_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leftoff.core.window import Use

NAME = "notice"


def prompt(scene: Scene) -> Answer | None:
    """Refuse it where the user wants that and it is safe; else say what is new."""
    stands, use = standing(scene), use_of(scene)
    noticed = _noticed(scene, stands, use)
    if stands.quiet:
        remember(scene, stands, noticed=noticed)
        return None
    run = runs.run_of(scene)
    if runs.is_stopped(scene, stands, run):
        return runs.stopped_by_word(scene, stands, run, noticed=noticed)
    refused = _refused(scene, stands, use)
    if refused:
        return refused
    begun = late_start(scene)
    if begun:
        return begun
    _watch_for_silence(scene)
    lines, run = runs.at_prompt(scene, stands, run)
    due = context_notice.is_due(use, stands.advise, noticed=noticed) and not _saves_itself(
        scene, stands
    )
    if due and use:
        lines.append(context_notice.advice(use, scene.call.say))
        note_also(scene, context_notice.NOTICE, what=context_notice.ADVISED, level=stands.advise)
    lines += _finished(scene, stands)
    said = again(scene, stands, _said(scene, lines))
    remember(scene, stands, noticed=noticed or due, run=run)
    return said


def stop(scene: Scene) -> Answer | None:
    """Save the thread where it is opted in, and go on where that is; else leave the turn alone."""
    stands, use = standing(scene), use_of(scene)
    _use_up(scene)
    noticed = _noticed(scene, stands, use)
    due = context_notice.is_due(use, stands.advise, noticed=noticed)
    allowed = stands.autosave and not stands.quiet and not scene.happened.payload.again
    if due and allowed and _saved(scene, stands):
        note_also(scene, context_notice.NOTICE, what=context_notice.SAVED, level=stands.advise)
        noticed = True
    answer, run = runs.at_stop(scene, stands, runs.run_of(scene))
    remember(scene, stands, noticed=noticed, run=run)
    if not stands.quiet:
        _watch_for_silence(scene)
    return answer


def _use_up(scene: Scene) -> None:
    """A turn ended well: what the session was given at its start has reached it."""
    at = scene.happened
    if not at.payload.failed:
        with DiskErrors(scene.failures):
            pending.answered(scene.call.store, (at.agent, at.payload.session), at.now)


def _saves_itself(scene: Scene, stands: Standing) -> bool:
    """Whether the end of the turn will save the thread, so that nobody need be asked to."""
    return stands.autosave and work_of(scene.call.store, stands.thread) is not None


def _finished(scene: Scene, stands: Standing) -> list[str]:
    """Once, at the prompt after the last entry of a to-do list was done: a moment to save."""
    at = scene.happened
    left = now_file.read(at.state, at.agent, at.payload.session) or {}
    if at.todo <= todo_seen(left) or _saves_itself(scene, stands):
        return []
    tasks = stats_of(at.agent, at.payload.transcript).tasks
    mark = context_notice.list_mark(tasks)
    if not tasks or any(task.status != "completed" for task in tasks):
        return []
    if context_notice.was_finished(told_so_far(scene), mark):
        return []
    note_also(scene, context_notice.NOTICE, what=context_notice.FINISHED, list=mark)
    return [context_notice.finished(len(tasks), scene.call.say)]


def _noticed(scene: Scene, stands: Standing, use: Use | None) -> bool:
    """Whether this crossing was told: `.now` remembers it, the journal where that is gone."""
    if use is not None and use.percent < context_notice.armed_below(stands.advise):
        return False
    at = scene.happened
    left = now_file.read(at.state, at.agent, at.payload.session)
    if left is not None and at.why != "missing":
        return bool(left.get("noticed"))
    return context_notice.has_spoken(told_so_far(scene), stands.advise, window(scene))


def _refused(scene: Scene, stands: Standing, use: Use | None) -> Answer | None:
    """Only with the prompt in safety; a prompt is never lost to us."""
    at, block = scene.happened, stands.block
    text = at.payload.prompt
    if not block or use is None or use.percent < block or context_notice.is_exempt(text):
        return None
    try:
        path = prompts.store(at.state, at.payload.session, text, at.now)
    except LeftoffError as error:
        scene.failures.append(error)  # told in the hook's log; the prompt goes through
        return None
    note_also(scene, context_notice.NOTICE, what="refused", level=block)
    remember(scene, stands, noticed=True)
    return Answer("block", context_notice.refusal(use, path, scene.call.say))


def _watch_for_silence(scene: Scene) -> None:
    """A context that became much smaller, and no event said so: the next prompt tells of it."""
    used = (scene.happened.usage or Usage(0)).context
    if scene.happened.why == "fell" and not context_notice.was_announced(told_so_far(scene), used):
        note_also(scene, context_notice.NOTICE, what=context_notice.SHRUNK)
        keep_unknown(scene)


def _said(scene: Scene, lines: Sequence[str]) -> str:
    """One text, as long as the client passes on to the model whole."""
    room = min(BYTES, agents.load(scene.happened.agent).CONTEXT_BYTES)
    return fitted(Notes(tuple(lines)), room, scene.call.say, NAME)


def _saved(scene: Scene, stands: Standing) -> bool:
    """Add what is seen to the thread, where there is one to add to."""
    there = stands.thread and scene.call.store.exists(document(stands.thread))
    return bool(there) and save_into_thread(scene, stands, look(scene))
