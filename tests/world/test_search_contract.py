"""The contract of search, kept by reading everything and by SQLite."""

from __future__ import annotations

import pytest

from leftoff.core.search_hits import Found, Source, Wanted, Within
from leftoff.world import index_making, index_sqlite, search_scan
from world import search_contract
from world.search_contract import Said

globals().update({name: test for name, test in vars(search_contract).items() if "test_" in name})


class Scan:
    """Nothing is kept."""

    def __init__(self, _: str) -> None:
        self.said: Said = {}
        self.damaged: dict[Source, str] = {}

    def fill(self, said: Said) -> None:
        self.said = said

    def passages(self, source: Source):
        return self.said[source]

    def find(self, wanted: Wanted, limit: int, sources: list[Source]) -> Found:
        return search_scan.find(self, sources, wanted, limit)


class Sqlite:
    """A file, opened again for each question."""

    def __init__(self, state: str) -> None:
        self.state = state
        with index_making.open_new(state, wal=True):
            pass

    def fill(self, said: Said) -> None:
        with self._open() as index:
            index.begin()
            for row in index.known().values():
                index.drop(row)
            for source, some in said.items():
                index.note(index.put(source, None, iter(some)))
            index.commit()

    def find(self, wanted: Wanted, limit: int, sources: list[Source]) -> Found:
        with self._open() as index:
            rows = index.known()
            fresh = {rows[one.key].id: one for one in sources}
            numbers = {row.id for row in rows.values()}
            within = Within(fresh, numbers - fresh.keys(), max(numbers, default=0))
            return index.find(wanted, within, limit)

    def _open(self) -> index_sqlite.Index:
        index = index_sqlite.open_in(self.state)
        assert index
        return index


class OldJournal(Sqlite):
    """The same as on a network's file system."""

    def __init__(self, state: str) -> None:
        self.state = state
        with index_making.open_new(state, wal=False):
            pass


@pytest.fixture(params=[Scan, Sqlite, OldJournal])
def store(request, state):
    return request.param(state)
