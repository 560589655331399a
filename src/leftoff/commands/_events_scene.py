"""An event with the world around it: project, settings, the thread a session is on, `.now`."""

from __future__ import annotations

import os
from time import monotonic

from leftoff import agents
from leftoff.commands import Call
from leftoff.commands._threads import settings_of
from leftoff.core import context_notice
from leftoff.core.event import Usage
from leftoff.core.run import KEY as GOES_ON
from leftoff.core.run import is_taken_up
from leftoff.core.thread import POINTER, SAVES_ITSELF, document, level_of, metadata
from leftoff.core.window import ESTIMATE, estimated, measured, window_for
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import bindings, journal, now_file, pending
from leftoff.world.place import find_place
from leftoff.world.saves import loss_path
from leftoff.world.settings import FULL, OFF, window_of
from leftoff.world.state import PROJECT_FILE, user_file
from leftoff.world.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from leftoff.core.caller import Process
    from leftoff.core.event import Happened
    from leftoff.core.model import Json
    from leftoff.core.run import Run
    from leftoff.core.session import Session
    from leftoff.core.window import Use
    from leftoff.world.settings import Settings

    Ancestors = Callable[[], Sequence[Process] | None]

PATIENCE = 0.5
"""Seconds that git may take for each look at the repository."""
ANSWER_WITHIN = 1.5
"""Seconds from the beginning of an event to its answer."""


class Scene(Record):
    """What an event's handler may look at."""

    happened: Happened
    call: Call
    settings: Settings
    deadline: float
    ancestors: Ancestors
    failures: list[LeftoffError]
    """what the disk did not take: the client gets its answer all the same"""

    @property
    def out_of_time(self) -> bool:
        """Whether what is left must be named instead of looked at."""
        return monotonic() > self.deadline

    @property
    def after_compaction(self) -> bool:
        """Whether it is the start of the same session, which goes on with less in its context."""
        return self.happened.payload.source == "compact"


class Standing(Record):
    """How a session stands: its thread, and what that thread and the settings say of hooks."""

    thread: str = ""
    bound: bool = False
    """somebody chose the thread for this session; else it is the one that is current here"""
    taken_by: str = ""
    """the live session that has the current thread, so that this one is on none"""
    advise: float = 70.0
    block: float = 0.0
    autosave: bool = False
    quiet: bool = False
    goes_on: bool = False
    """its thread may be worked off step by step, in a client that can"""
    allowed_by: str = ""
    """the file that lets it, of a thread that would like to"""


class DiskErrors:
    """Collects what the disk does not take inside a `with`; any other error goes its way.

    What an event writes may fail: that is told at the end, and stops nothing.
    """

    def __init__(self, failures: list[LeftoffError]) -> None:
        self._failures = failures

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, _: object, error: object, trace: object) -> bool:
        if not isinstance(error, LeftoffError) or not isinstance(error.__cause__, OSError):
            return False
        self._failures.append(error)
        return True


class _NoWords(Record):
    """The arguments of a command that nobody typed."""

    name: str = ""
    pick: tuple[str, ...] = ()
    budget: str = ""
    preview: bool = True
    go_on: bool = True
    raw: bool = False
    restart: bool = False


def scene(happened: Happened, ancestors: Ancestors | None = None) -> Scene:
    """The project of the folder that the client works in."""
    began = monotonic()
    payload, env = happened.payload, happened.env
    cwd = payload.cwd or env.get("HOME") or "/"
    store = Store(find_place(cwd, env.get("HOME", "")), happened.state)
    who = ancestors or _ancestors
    call = Call(_NoWords(), store, happened.now, env, cwd, patience=PATIENCE)
    return Scene(happened, call, call.settings, began + ANSWER_WITHIN, who, [])


def _ancestors() -> Sequence[Process] | None:
    from leftoff.world.processes import ancestors

    return ancestors()


def note(scene: Scene, **facts: Json) -> bool:
    """The event's line in the session's journal; False where another process has told it."""
    return _append(scene, {"event": scene.happened.event, "key": scene.happened.key, **facts})


def note_also(scene: Scene, event: str, **facts: Json) -> None:
    """Another line, of what leftoff itself did: a binding, a notice."""
    _append(scene, {"event": event, **facts})


def _append(scene: Scene, line: Mapping[str, Json]) -> bool:
    """A disk that takes no line says nothing of other processes."""
    at = scene.happened
    with DiskErrors(scene.failures):
        return journal.append(at.state, at.agent, at.payload.session, {"at": at.now, **line})
    return True


def told_so_far(scene: Scene) -> tuple[dict[str, Any], ...]:
    """The lines of the session's journal."""
    at = scene.happened
    return journal.read(journal.path(at.state, at.agent, at.payload.session)).lines


def known(scene: Scene, session: str = "") -> Session:
    """A session of this client as its journal tells of it."""
    at = scene.happened
    return bindings.known(at.state, at.agent, session or at.payload.session)


def standing(scene: Scene) -> Standing:
    """The thread of the session, by its binding, else by what is current and nobody else's."""
    at, store = scene.happened, scene.call.store
    bound = bindings.bound(at.state, at.agent, at.payload.session)
    current = "" if bound else store.current_thread()
    own = (at.agent, at.payload.session)
    limits = scene.settings.limits
    other = bindings.holder(store, current, own, at.now, limits) if current else ""
    thread = bound or ("" if other else current)
    said = settings_of(store, thread)
    settings = scene.settings
    wants = bool(bound) and _wants_to_go_on(at.agent, said)
    return Standing(
        thread,
        bound=bool(bound),
        taken_by=other,
        advise=level_of(said, settings.limits["context.advise"]),
        block=settings.limits["context.block"] if settings.hooks.block else 0.0,
        autosave=said.get(SAVES_ITSELF) is True and _saves_itself(store, thread, said),
        quiet=said.get("checkpointEnabled") is False,
        **(_allowed(store, thread) if wants else {}),
    )


def _wants_to_go_on(agent: str, said: Mapping[str, Json]) -> bool:
    """Opted in, hooks not silenced, and the client lets a turn go on."""
    wanted = said.get(GOES_ON) is True and said.get("checkpointEnabled") is not False
    return wanted and agents.load(agent).CONTINUES > 0


def _allowed(store: Store, thread: str) -> dict[str, Any]:
    """Whether the thread may do so here; loaded only where one wants to."""
    from leftoff.commands import _thread_permission as allowed

    may = allowed.may(store, thread, allowed.CONTINUE)
    return {"goes_on": may, "allowed_by": allowed.said_in(store, thread)}


def _saves_itself(store: Store, thread: str, said: Mapping[str, Json]) -> bool:
    """Whether hooks may write its file; loaded only where it wants that."""
    from leftoff.commands import _thread_permission as allowed

    return allowed.saves_itself(store, thread, said)


def is_attended(scene: Scene, words: Sequence[str], tty: str) -> bool | None:
    """Whether somebody watches the session; None where nothing tells."""
    entry = entrypoint(scene)
    if entry.startswith("sdk") or {"-p", "--print", "exec", "run"} & set(words[1:]):
        return False
    return bool(tty) if words else None


def entrypoint(scene: Scene) -> str:
    """How the client was started, where it says so."""
    variable = agents.load(scene.happened.agent).ENTRY_VARIABLE
    return scene.happened.env.get(variable, "") if variable else ""


def brief_mode(scene: Scene, standing: Standing, *, attended: bool | None) -> str:
    """full, orient or off."""
    hooks = scene.settings.hooks
    if attended is not False:
        return hooks.brief
    mode = hooks.unattended
    return FULL if standing.bound and mode != OFF else mode


def use_of(scene: Scene) -> Use | None:
    """How full the context is, by the client's figures, else by the size of the transcript."""
    at = scene.happened
    payload, usage = at.payload, at.usage or Usage(0)
    seen = now_file.seen(at.state, at.agent, payload.session) or Usage(0)
    tokens = payload.context or usage.context
    if not tokens:
        return estimated(at.size) if at.size else None
    settings = scene.settings
    model = usage.model or payload.model or seen.model
    said = payload.window or usage.window or seen.window
    return measured(tokens, window_for(model, said, window_of(settings, model), tokens))


def remember(
    scene: Scene,
    standing: Standing,
    *,
    noticed: bool,
    only_journal: bool | None = None,
    run: Run | None = None,
) -> None:
    """Leave `.now` for the events to come; what is not given stays as it was left."""
    at, store = scene.happened, scene.call.store
    name = at.state, at.agent, at.payload.session
    left = now_file.read(*name) or {}
    keep_quiet = left.get("journal_only") is True if only_journal is None else only_journal
    leave: dict[str, Any] = {
        "root": store.root,
        "thread": standing.thread,
        "window": window(scene),
        "advise": standing.advise,
        "advice": scene.call.say("time to save"),
        "block": 0 if standing.quiet else standing.block,
        "noticed": noticed,
        "armed_below": context_notice.armed_below(standing.advise),
        "quiet": standing.quiet,
        "journal_only": keep_quiet,
        **_of_run(standing, run, left),
        "steps": os.path.join(store.root, document(standing.thread)) if standing.thread else "",
        "offered": is_offered(scene),
        "todo": max(at.todo, todo_seen(left)),
        # what a compaction lost is in a file of its own, which is gone once it is told
        "watch": [
            *now_file.watched(_watched(scene, standing)),
            [loss_path(store, at.payload.session), 0],
        ],
    }
    with DiskErrors(scene.failures):
        now_file.write(*name, leave)


def _watched(scene: Scene, standing: Standing) -> list[str]:
    """The files that what is left for later events was made from."""
    root, thread = scene.call.store.root, standing.thread
    inside = (PROJECT_FILE, POINTER, *([metadata(thread)] if thread else ()))
    others = filter(None, (user_file(scene.call.env), standing.allowed_by))
    return [*(os.path.join(root, name) for name in inside), *others]


def todo_seen(left: Mapping[str, Any]) -> int:
    """Up to where in the transcript the to-do list was looked at."""
    seen = left.get("todo")
    return seen if isinstance(seen, int) else 0


def _of_run(stands: Standing, run: Run | None, left: Mapping[str, Any]) -> dict[str, bool]:
    """`run`: the end of a turn must be seen. `wake`: so must the next prompt."""
    if run is None:
        return {name: left.get(name) is True for name in ("run", "wake")}
    untold = bool(run.why) and not run.told
    waits = is_taken_up(run) or untold
    return {"run": stands.goes_on and run.on, "wake": stands.goes_on and not run.on and waits}


def is_offered(scene: Scene) -> bool:
    """Whether the session was given what another left, and no turn of it has ended since."""
    at = scene.happened
    return pending.is_offered(at.state, (at.agent, at.payload.session))


def window(scene: Scene) -> int:
    """What the hot path divides by where the client says nothing."""
    use = use_of(scene)
    if use and use.method != ESTIMATE:
        return use.window.tokens
    model = scene.happened.payload.model
    return window_for(model, 0, window_of(scene.settings, model)).tokens
