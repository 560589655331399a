"""What can be seen of a session at one moment: its files, its branch, the end of its transcript."""

from __future__ import annotations

from leftoff.commands import resume
from leftoff.commands._events_scene import PATIENCE
from leftoff.core.draft import Seen
from leftoff.core.thread import document
from leftoff.core.when import stamp
from leftoff.errors import GitError, LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world import refs
from leftoff.world.dirty import uncommitted
from leftoff.world.facts import authors
from leftoff.world.log_tail import stats_of

if TYPE_CHECKING:
    from leftoff.commands._events_scene import Scene, Standing
    from leftoff.core.model import Checkpoint


def look(scene: Scene) -> Seen:
    """Paths and counts; what git or the transcript do not tell is left out."""
    at, store = scene.happened, scene.call.store
    branch, commit = head(scene)
    return Seen(
        at.told.session,
        store.root,
        stamp(at.now)[:10],
        at.told.source,
        branch,
        commit,
        tuple(uncommitted(store.place, scene.call.env, PATIENCE) or ()),
        stats_of(at.agent, at.told.transcript),
    )


def head(scene: Scene) -> tuple[str, str]:
    """Branch and commit; empty outside git, before the first commit, and where git is broken."""
    place = scene.call.store.place
    try:
        found = refs.read(place, scene.call.env) if place.git else None
    except GitError:
        found = None
    return (found.branch, found.head) if found else ("", "")


def work(scene: Scene, stands: Standing) -> Checkpoint | None:
    """The work at hand, as at the start; None where nobody can say which one it is.

    What another person wrote counts only where somebody chose it for this session.
    """
    call = scene.call
    near = resume.nearest(call, call.store.streams(), stands.thread)
    if len(near) != 1 or near[0].glance.broken:
        return None
    others = {} if stands.bound else authors(call.store, near[0].parts, call.env, PATIENCE)
    try:
        return None if others else call.store.read_stream(near[0])
    except LeftoffError:
        return None


def checkpoint(scene: Scene, stands: Standing) -> Checkpoint | None:
    """The thread of the session; None where it has none that can be read."""
    path = document(stands.thread)
    store = scene.call.store
    try:
        return store.read(path).checkpoint if stands.thread and store.exists(path) else None
    except LeftoffError:
        return None
