"""Which sessions left work that nobody saved, and what of the world is theirs. Pure."""

from __future__ import annotations

from leftoff.core.event import END, EVENTS, PROMPT
from leftoff.core.paths import from_root
from leftoff.core.session import ACTIVE, JOURNAL, is_dead, state
from leftoff.core.session_lines import RECOVER, SAVE
from leftoff.core.when import DAY
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from leftoff.core.draft import Seen
    from leftoff.core.session import Session

FORGOTTEN = 7 * DAY
"""Seconds after which nobody is told of a session by itself."""


def is_over(one: Session, now: float, limits: Mapping[str, float]) -> bool:
    """Whether it has ended, died, or went quiet so long ago that it will not go on by itself."""
    return is_dead(one) or state(one, now, limits) != ACTIVE


def saved_at(one: Session) -> float:
    """When it was saved last; 0 for never."""
    return max((event.at for event in one.events if event.what == SAVE), default=0.0)


def is_saved(one: Session) -> bool:
    """Whether it was saved, and nothing was asked in it since."""
    asked = max((event.at for event in one.events if event.what == PROMPT), default=0.0)
    return saved_at(one) > 0.0 and saved_at(one) >= asked


def was_recovered(one: Session) -> bool:
    """Whether it was drafted already, and did nothing since, by its journal and its transcript."""
    told = [event for event in one.events if event.what in {*EVENTS, RECOVER}]
    drafts = [at for at, event in enumerate(told) if event.what == RECOVER]
    if not drafts:
        return False
    since = {event.what for event in told[drafts[-1] + 1 :]}
    return not since - {END} and not _went_on(one, told[drafts[-1]].at)


def _went_on(one: Session, since: float) -> bool:
    """Whether its transcript grew; what a client writes after the end that it told says nothing."""
    told_its_end = one.ended and one.origin == JOURNAL
    return not told_its_end and one.seen > since


def worked(one: Session) -> bool:
    """Whether it leaves something to go on with: a change, a failure, an open to-do.

    Files that were not committed at its end tell the same, but of one whose transcript shows that
    it called nothing they tell what others left.
    """
    stats = one.stats
    idle = bool(stats.lines and not stats.tools)
    return bool(stats.files or stats.failures or stats.open_tasks or (one.dirty and not idle))


def unsaved(sessions: Iterable[Session], now: float, limits: Mapping[str, float]) -> list[Session]:
    """Of these, the ones that are over, worked, and were not saved since they were asked last."""
    over = (one for one in sessions if is_over(one, now, limits))
    return [one for one in over if worked(one) and not is_saved(one)]


def at_a_start(
    newest: Iterable[Session], root: str, now: float, limits: Mapping[str, float]
) -> Iterator[Session]:
    """The last sessions of a place, up to one that was saved or told of: what came before is old.

    A session that is still at work is passed over: it will save, or be told of, itself. One that
    was given a save hands that on, whether it worked or not.
    """
    for one in newest:
        if one.root != root or not is_over(one, now, limits):
            continue
        if is_saved(one) or was_recovered(one) or now - one.seen > FORGOTTEN:
            return
        if worked(one) or one.given:
            yield one


def theirs(seen: Seen, one: Session, *, newest: bool) -> Seen:
    """What was seen now, as far as it is about a session of the past.

    Of the files that are not committed those are its own that it changed; where nobody worked here
    after it, and the branch is the same, all of them are.
    """
    here = not one.root or one.root == seen.root
    same = here and one.branch in {"", seen.branch}
    stats = one.stats if one.stats.lines and not seen.since else seen.stats
    changed = {*from_root((*seen.digest.files, *stats.files), seen.root)}
    dirty = seen.dirty if newest else tuple(path for path in seen.dirty if path in changed)
    return seen._replace(
        root=one.root or seen.root,
        branch=one.branch or seen.branch,
        commit=seen.commit if same else "",
        dirty=dirty if same else (),
        stats=stats,
    )
