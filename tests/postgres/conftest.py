"""One PostgreSQL for all tests of a run, and in it a store of its own for each test that asks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from postgres.server import Server, binaries
from support import run


class Member(NamedTuple):
    """Somebody of the team: their role, and the address that they use."""

    name: str
    url: str


class Team(NamedTuple):
    """A team store in a database of its own."""

    server: Server
    database: str

    @property
    def admin_url(self) -> str:
        return self.server.url(database=self.database)

    def member(self, name: str = "person", group: str = "leftoff_member") -> Member:
        role, password = self.server.role(name, *filter(None, [group]))
        return Member(role, self.server.url(role, password, self.database))

    def rows(self, query: str, *values: object) -> list[tuple]:
        """What the administrator sees, past all policies."""
        with self.server.admin(self.database) as link:
            return link.execute(query, values).fetchall()


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    if not binaries():
        pytest.skip("PostgreSQL absent")
    with Server("fsync=off") as running:
        yield running


@pytest.fixture
def team(server, tmp_path) -> Team:
    made = Team(server, server.database())
    done = run("team", "init", cwd=tmp_path, env={"LEFTOFF_TEAM_URL": made.admin_url})
    assert done.returncode == 0, done.stderr
    return made
