"""PostgreSQL keeps the contract of search; and what a team finds is what its members may see."""

from __future__ import annotations

import pytest

from leftoff.core.search_hits import Found, Passage, Source, Wanted
from leftoff.world import index_postgres, team_connection, team_state
from leftoff.world.index_postgres import About, Scope
from leftoff.world.team_push import push
from postgres.desk import Desk
from projects import put_markdown
from support import repo
from world import search_contract
from world.search_contract import Said

globals().update({name: test for name, test in vars(search_contract).items() if "test_" in name})


class Postgres:
    """The rows of one member, found by the same function that everybody asks."""

    def __init__(self, url: str, state: str) -> None:
        self.to = team_connection.address({"LEFTOFF_TEAM_URL": url})
        self.link = team_connection.connect(self.to)
        self.memory = team_state.memory(state, "store", "person")

    def fill(self, said: Said) -> None:
        self.link.execute("DELETE FROM leftoff.session_text")
        rows = (
            row
            for source, some in said.items()
            for row in index_postgres.rows(About("a", source.key, "document"), some, {})
        )
        push(self.to, self.link, index_postgres.TEXTS, rows, self.memory)

    def find(self, wanted: Wanted, limit: int, sources: list[Source]) -> Found:
        scope = Scope(among=[("a", one.key) for one in sources])
        found = index_postgres.find(self.to, self.link, wanted, limit, scope)
        by_key = {one.key: one for one in sources}
        hits = (hit._replace(source=by_key[hit.source.session]) for hit in found.hits)
        return Found(tuple(hits), found.total)


@pytest.fixture
def store(team, tmp_path):
    made = Postgres(team.member("seeker").url, str(tmp_path / "state"))
    yield made
    made.link.close()


def test_a_word_that_is_too_long_for_a_vector_is_found_all_the_same(store):
    source = Source("/p/1.md", "document", (1,))
    text = "word " + "x" * 5000 + " " + " ".join(f"w{n}" for n in range(90_000))
    said = {source: [Passage("message", text, 1.0)]}
    store.fill(said)
    for asked in ("word", "x" * 900 + "*", "w89999", '"w7 w8"'):
        found = store.find(Wanted(search_contract.query(asked)), 9, [source])
        assert found.total == 1, asked
    assert store.find(Wanted(search_contract.query("w90000")), 9, [source]).total == 0


def test_a_team_search_finds_what_others_share_and_says_whose_it_is(team, tmp_path, monkeypatch):
    origin = repo(tmp_path / "origin")
    ann = Desk(team, tmp_path, "ann").clone(origin)
    bob = Desk(team, tmp_path, "bob").clone(origin)
    ann.talk(1, monkeypatch, f"断点续传 in {ann.root}/app.py")
    put_markdown(ann.root, decisions="- Always 断点续传")
    ann.run("team", "push")
    assert bob.data("search", "--team", "断点")["total"] == 0
    assert ann.data("search", "--team", "断点")["total"] == 2
    ann.run("team", "share", "text")
    ann.run("team", "push")
    found = bob.data("search", "--team", "断点")
    assert {(hit["owner"], hit["kind"]) for hit in found["hits"]} == {
        (ann.member.name, kind) for kind in ("message", "checkpoint", "decision")
    }
    spoken = next(hit for hit in found["hits"] if hit["kind"] == "message")
    assert f"{bob.root}/app.py" in spoken["snippet"]
    assert ann.member.name in bob.run("search", "--team", "断点").stdout
    assert bob.data("search", "--team", "断点", "--kind", "decision")["total"] == 1
    ann.run("team", "share", "figures")
    ann.run("team", "push")
    assert bob.data("search", "--team", "断点")["total"] == 0
    assert ann.data("search", "--team", "断点")["total"] == 2


def test_a_search_goes_by_the_word_index(team, server, tmp_path):
    member = team.member("seeker")
    made = Postgres(member.url, str(tmp_path / "state"))
    said = {
        Source(f"/p/{n}.md", "document", (1,)): [Passage("message", f"w{n} common", float(n))]
        for n in range(3000)
    }
    made.fill(said)
    with server.admin(team.database) as link:
        link.execute("VACUUM ANALYZE leftoff.session_text")
        link.execute("SET ROLE leftoff_search")
        query = "EXPLAIN SELECT * FROM leftoff.session_text t WHERE t.words @@ '''w77'''::tsquery"
        plan = "\n".join(row[0] for row in link.execute(query).fetchall())
    made.link.close()
    assert "Bitmap Index Scan" in plan
