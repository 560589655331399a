"""A member at the team store, with one project in hand: what every exchange with it needs."""

from __future__ import annotations

import os

from leftoff.core.team import Origin
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.facts import prefix
from leftoff.world.team_link import Talking
from leftoff.world.team_push import digest_of
from leftoff.world.team_state import machine, shares
from leftoff.world.trust import identity

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from leftoff.world.place import Place
    from leftoff.world.store import Store
    from leftoff.world.team_link import Address
    from leftoff.world.team_schema import Link
    from leftoff.world.team_state import Memory, Shares


class Desk(Record):
    """Whom one talks to, as whom, and about which project; what this machine remembers of both."""

    to: Address
    link: Link
    me: str
    memory: Memory
    store: Store
    env: Mapping[str, str]
    origin: Origin
    shares: Shares

    @property
    def home(self) -> str:
        return self.env.get("HOME", "")

    def about(self, store: Store) -> Desk:
        """The same with another project in hand."""
        found, chosen = project(store, self.env)
        return self._replace(store=store, origin=found, shares=chosen)

    def fetched(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        with Talking(self.to):
            return self.link.execute(query, values).fetchall()


def project(store: Store, env: Mapping[str, str]) -> tuple[Origin, Shares]:
    """Which project this is for the team, and what of it is shared from here."""
    found = origin(store.place, env, store.state)
    return found, shares(store.state, found.project)


def origin(place: Place, env: Mapping[str, str], state: str) -> Origin:
    """A project by its first commit and its folder in the repository: the same in every clone.

    Without a first commit to be seen it is known on this machine only.
    """
    here, named = machine(state), identity(place, env)
    if named.startswith("path:"):
        named = f"local:{here}:{digest_of(named)}"
    below = prefix(place.root).strip("/") if place.git else ""
    return Origin(f"{named}/{below}" if below else named, os.path.basename(place.root), here)
