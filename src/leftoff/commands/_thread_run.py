"""The run of a thread (`thread continue`): what decides whether it goes on, and its journal."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.commands._caller import who_if_clear
from leftoff.commands._threads import bound, work_of
from leftoff.core import run as r
from leftoff.core.thread import HARD, document, token_limit
from leftoff.core.when import stamp
from leftoff.record import TYPE_CHECKING
from leftoff.world import journal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leftoff.commands._caller import Who
    from leftoff.core.model import Checkpoint, Json
    from leftoff.core.run import Facts, Run


def facts(call: Call, thread: str, run: Run, work: Checkpoint, config: Mapping[str, Json]) -> Facts:
    """What the thread's documents and the evidence of this machine say of its steps."""
    limit = token_limit(config, HARD) or 0
    return r.Facts(
        r.steps(work),
        most=r.most(config, call.settings.limits["run.maxSteps"]),
        question=r.question(work),
        failures=_failures(call, thread, work, run.since),
        spent=_spent(call, thread) if limit else 0,
        budget=limit,
    )


def _failures(call: Call, thread: str, work: Checkpoint, since: float) -> dict[str, int]:
    """By mark, how often the check of an open step failed in a row since the run began."""
    if not any(item.get("done_when") for item in work.next_actions):
        return {}  # nearly always: nothing to look up
    from leftoff.world.evidence import failed_in_a_row

    counts = failed_in_a_row(call.store.state, call.store.place, document(thread), stamp(since))
    marks = zip(r.steps(work), work.next_actions, strict=True)
    return {step.mark: counts[item.key] for step, item in marks if item.key in counts}


def _spent(call: Call, thread: str) -> int:
    from leftoff.commands.budget import spent_by  # counting takes a moment, and few have a limit

    return spent_by(call, thread)


def run_of(call: Call, caller: Who) -> Run:
    """The run of a session, by its journal."""
    if not caller:
        return r.Run()
    return r.told(journal.read(journal.path(call.store.state, *caller)).lines)


def calling_on(call: Call, thread: str) -> Who:
    """The session that calls, if it is bound to this thread; for what is done anyway."""
    caller = who_if_clear(call)
    return caller if caller and bound(call, caller) == thread else None


def began(call: Call, thread: str) -> bool:
    """The calling session takes up its thread: its run begins, and is counted from 0."""
    caller = calling_on(call, thread)
    work = work_of(call.store, thread) if caller else None
    if not caller or work is None:
        return False
    note(call, caller, r.begin_line(thread, r.steps(work), free=True))
    return True


def note(call: Call, caller: tuple[str, str], line: Mapping[str, Json]) -> None:
    """A line of the run; the next event looks at the world anew."""
    from leftoff.world.files import discard

    journal.append(call.store.state, *caller, {"at": call.now, "event": r.RUN, **line})
    discard(journal.path(call.store.state, *caller, ".now"))
