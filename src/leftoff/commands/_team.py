"""What the actions of `team` share: a connection to the store, as a member of the team."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world import team_connection, team_schema, team_state
from leftoff.world.team_connection import Talking
from leftoff.world.team_exchange import Exchange, cleaner, project

if TYPE_CHECKING:
    from types import TracebackType

    from leftoff.world.team_schema import Link


class Member:
    """`with Member(call) as exchange:` the connection ends with the block, whatever happens."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._link: Link | None = None

    def __enter__(self) -> Exchange:
        to = team_connection.address(self._call.env)
        self._link = link = team_connection.connect(to)
        try:
            with Talking(to):
                team_schema.check_version(link)
                me, store = team_schema.me(link), team_schema.store_id(link)
        except LeftoffError:
            link.close()
            raise
        here, env = self._call.store, self._call.env
        memory = team_state.memory(here.state, store, me)
        return Exchange(to, link, me, memory, here, env, *project(here, env), cleaner(here, env))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._link:
            self._link.close()
