"""A run works through a thread step by step: what a turn's end and a prompt mean for it.

Only where the thread opted in and somebody bound the session to it. The end of a turn that does
not go on says nothing: its report is in the journal, and told with the next prompt.
"""

from __future__ import annotations

from leftoff import agents
from leftoff.commands import _thread_run
from leftoff.commands._events_scene import (
    Scene,
    Standing,
    note_also,
    remember,
    told_so_far,
)
from leftoff.commands._threads import settings_of, work_of
from leftoff.core import run as r
from leftoff.core import run_report
from leftoff.core.event import Answer
from leftoff.core.fence import fenced
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from leftoff.core.model import Json
    from leftoff.core.run import Facts, Run


def run_of(scene: Scene) -> Run:
    """The session's run, by its journal."""
    return r.told(told_so_far(scene))


def _facts(scene: Scene, thread: str, run: Run) -> Facts | None:
    """What decides; None where the thread cannot be read."""
    store = scene.call.store
    work = work_of(store, thread)
    if work is None:
        return None
    found = _thread_run.facts(scene.call, thread, run, work, settings_of(store, thread))
    payload = scene.happened.payload
    cap = agents.load(scene.happened.agent).CONTINUES
    return found._replace(cap=cap, turn_failed=bool(payload.failed), again=payload.again)


def at_stop(scene: Scene, stands: Standing, run: Run) -> tuple[Answer | None, Run]:
    """Hand out the next step, or end the run; and the run after that."""
    facts = _facts(scene, stands.thread, run) if stands.goes_on and run.on else None
    if facts is None:
        return None, run
    decision = r.decide(run, facts)
    after = _noted(scene, run, r.line_of(decision, facts.steps))
    if decision.verb != r.GO:
        return None, after
    return Answer("go on", run_report.go_on(decision, stands.thread, scene.call.say)), after


def _noted(scene: Scene, run: Run, line: dict[str, Json]) -> Run:
    """The run with one more line in its journal."""
    note_also(scene, r.RUN, **line)
    return r.after(run, {"at": scene.happened.now, "event": r.RUN, **line})


def is_stopped(scene: Scene, stands: Standing, run: Run) -> bool:
    """Whether this prompt is the word that ends a run."""
    running = stands.goes_on and (run.on or r.is_taken_up(run))
    return running and r.is_stop_word(scene.happened.payload.prompt)


def stopped_by_word(scene: Scene, stands: Standing, run: Run, *, noticed: bool) -> Answer | None:
    """End it at once, and let the session report."""
    facts = _facts(scene, stands.thread, run)
    decision = r.after_step(run, facts or r.Facts(()))._replace(verb=r.STOP, why=r.WORD)
    run = _noted(scene, run, r.line_of(decision, ()))
    run = _noted(scene, run, {"what": r.TOLD})
    remember(scene, stands, noticed=noticed, run=run)
    say = scene.call.say
    lines = [*run_report.report(decision, stands.thread, say)]
    lines.append(say("Begin no other step: report what is done and what is left, then wait."))
    return Answer("context", fenced(run_report.NAME, "".join(f"{line}\n" for line in lines)))


def at_prompt(scene: Scene, stands: Standing, run: Run) -> tuple[list[str], Run]:
    """The report of a run that stopped, once; and the run that this prompt lets go on."""
    if not stands.goes_on or run.on:
        return [], run
    facts = _facts(scene, stands.thread, run)
    if facts is None:
        return [], run
    lines: list[str] = []
    if run.why and not run.told:
        lines += run_report.report(r.ended(run, facts), stands.thread, scene.call.say)
        run = _noted(scene, run, {"what": r.TOLD})
    if r.is_taken_up(run):
        anew = r.begins_anew(run)
        begins = r.begin_line(stands.thread, facts.steps, free=False)
        run = _noted(scene, run, begins if anew else r.again_line(facts.steps))
    return lines, run
