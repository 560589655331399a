"""Which archived sessions have to leave: those kept long enough, then the oldest. Pure."""

from __future__ import annotations

from leftoff.core.when import DAY
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

AGE, ROOM = "age", "room"


class Policy(Record):
    """How long a session is kept after its last sign, and how much room all may take; 0: any."""

    keep: float = 365 * DAY
    max_size: int = 0
    auto: bool = True
    """sessions are copied without being asked for"""


class Kept(Record):
    """A session in the archive: its last sign, the bytes of its copies, the images it names."""

    agent: str
    session: str
    seen: float
    stored: int
    images: frozenset[str] = frozenset()


class Leaving(Record):
    """A session that has to go: why, and how much room that gives."""

    kept: Kept
    why: str
    frees: int


def leaving(
    kept: Iterable[Kept], sizes: Mapping[str, int], now: float, policy: Policy
) -> Iterator[Leaving]:
    """The oldest first; an image goes with the last session that names it. `sizes` are theirs."""
    ordered = sorted(kept, key=lambda one: (one.seen, one.agent, one.session))
    users: dict[str, int] = {}
    for one in ordered:
        for image in one.images:
            users[image] = users.get(image, 0) + 1
    total = sum(one.stored for one in ordered) + sum(sizes.get(image, 0) for image in users)
    for one in ordered:
        why = _why(one, total, now, policy)
        if not why:
            return
        frees = one.stored
        for image in one.images:
            users[image] -= 1
            frees += 0 if users[image] else sizes.get(image, 0)
        total -= frees
        yield Leaving(one, why, frees)


def _why(one: Kept, total: int, now: float, policy: Policy) -> str:
    if policy.keep and now - one.seen > policy.keep:
        return AGE
    return ROOM if policy.max_size and total > policy.max_size else ""
