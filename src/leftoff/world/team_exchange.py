"""What every exchange with the team store needs: a connection, a member, a project."""

from __future__ import annotations

import os
from hashlib import blake2b

from leftoff.core.redact import redact
from leftoff.core.team import Origin, storable
from leftoff.core.team_paths import portable
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.place import prefix
from leftoff.world.redaction_key import key, redactor
from leftoff.world.settings import load_or_default
from leftoff.world.team_connection import Talking
from leftoff.world.team_push import digest_of
from leftoff.world.team_state import machine, shares
from leftoff.world.trust import identity

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from leftoff.core.redact import Redactor
    from leftoff.world.place import Place
    from leftoff.world.store import Store
    from leftoff.world.team_connection import Address
    from leftoff.world.team_schema import Link
    from leftoff.world.team_state import Memory, Shares


_IN_IDS = "0123456789abcdef-"
"""Nearly all ids are made of these, and need no look."""


class Exchange(Record):
    """Whom one talks to, as whom, and about which project; what this machine remembers of both."""

    to: Address
    link: Link
    me: str
    memory: Memory
    store: Store
    env: Mapping[str, str]
    origin: Origin
    shares: Shares
    by: Redactor

    @property
    def home(self) -> str:
        return self.env.get("HOME", "")

    def about(self, store: Store) -> Exchange:
        """The same with another project in hand."""
        found, chosen = project(store, self.env)
        by = cleaner(store, self.env)
        return self._replace(store=store, origin=found, shares=chosen, by=by)

    def clean(self, text: str) -> str:
        """A text as it may leave this machine: no secrets, and no paths that mean nothing there."""
        return self.portable(redact(text, self.by))

    def portable(self, text: str) -> str:
        """A text that is clean already, without the paths of this machine."""
        return portable(text, self.store.root, self.home)

    def session_id(self, name: str) -> str:
        """An id as the store holds it: where it has to change, two that differ still do.

        What is redacted is told apart by a hash that only this machine can make.
        """
        if not name.strip(_IN_IDS):
            return name
        clean = redact(name, self.by)
        held = storable(clean)
        if held == name:
            return name
        data = name.encode("utf-8", "surrogatepass")
        secret = b"" if clean == name else key(self.env)
        return f"{held}~{blake2b(data, digest_size=8, key=secret).hexdigest()}"

    def fetched(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        with Talking(self.to):
            return self.link.execute(query, values).fetchall()


def project(store: Store, env: Mapping[str, str]) -> tuple[Origin, Shares]:
    """Which project this is for the team, and what of it is shared from here."""
    found = origin(store.place, env, store.state)
    return found, shares(store.state, found.project)


def cleaner(store: Store, env: Mapping[str, str]) -> Redactor:
    """How texts of a project are redacted for the team.

    Without fingerprints: they are made with a key of this machine, so that a document would differ
    from itself on another one.
    """
    own = load_or_default(store.root, env)[0].redaction
    return redactor(env, own)._replace(key=b"")


def origin(place: Place, env: Mapping[str, str], state: str) -> Origin:
    """A project by its first commit and its folder in the repository: the same in every clone.

    Without a first commit to be seen it is known on this machine only.
    """
    here, named = machine(state), identity(place, env)
    if named.startswith("path:"):
        named = f"local:{here}:{digest_of(named)}"
    below = prefix(place.root).strip("/") if place.git else ""
    return Origin(f"{named}/{below}" if below else named, os.path.basename(place.root), here)
