"""A batch is on its way while the next is made: what counts, what does not, and what waits."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic, sleep

import psycopg
import pytest

from leftoff.core.search_hits import Passage
from leftoff.core.team import Figures
from leftoff.errors import Busy, LeftoffError
from leftoff.world import index_postgres, team_connection, team_state
from leftoff.world.index_postgres import About
from leftoff.world.team_push import STATS, Counts, Row, push

SIZE = 10
PATIENCE = 60.0


class Pusher:
    """A member with a connection, and what is remembered here of the store."""

    def __init__(self, team, tmp_path) -> None:
        self.team, self.member = team, team.member("ann")
        self.to = team_connection.address({"LEFTOFF_TEAM_URL": self.member.url})
        self.link = team_connection.connect(self.to)
        self.state = str(tmp_path / "state")
        self.memory = team_state.memory(self.state, "store", "ann")

    def push(self, rows: Iterator[Row]) -> Counts:
        return push(self.to, self.link, STATS, rows, self.memory, size=SIZE)

    def anew(self) -> None:
        """As another process begins, later."""
        self.link.close()
        self.link = team_connection.connect(self.to)
        self.memory = team_state.memory(self.state, "store", "ann")

    def there(self) -> int:
        found = self.team.rows("SELECT count(*) FROM leftoff.session_stats")
        return found[0][0]

    def wait_for(self, count: int) -> None:
        end = monotonic() + PATIENCE
        while self.there() < count:
            assert monotonic() < end, f"the server never took over {count} rows by itself"
            sleep(0.01)


@pytest.fixture
def pusher(team, tmp_path):
    made = Pusher(team, tmp_path)
    yield made
    made.link.close()


def row(n: int, **changed: object) -> Row:
    figures = Figures(
        *("claude-code", f"s{n:04}", "p", "shop", "m", "main", "", "", "", "", "sonnet"),
        *(None, 1e9 + n, None),
        *([n] * 15),
        "team",
    )
    return Row(f"claude-code/s{n:04}", figures._replace(**changed))


def test_the_server_takes_a_batch_over_while_the_next_is_made(pusher):
    """It needs nobody here for that, and until it answers nothing is remembered."""
    seen = []

    def rows() -> Iterator[Row]:
        for n in range(3 * SIZE):
            if n and n % SIZE == 0:
                pusher.wait_for(n)
                seen.append((n, len(pusher.memory.sent)))
            yield row(n)

    assert pusher.push(rows()) == Counts(3 * SIZE, 3 * SIZE, 3)
    assert seen == [(SIZE, 0), (2 * SIZE, SIZE)]
    assert (pusher.there(), len(pusher.memory.sent)) == (3 * SIZE, 3 * SIZE)
    pusher.anew()
    assert pusher.push(map(row, range(3 * SIZE))) == Counts(3 * SIZE, 0, 0)


def test_what_is_on_its_way_counts_though_the_next_cannot_be_made(pusher):
    def rows() -> Iterator[Row]:
        yield from map(row, range(SIZE))
        raise LeftoffError("the disk is gone")

    with pytest.raises(LeftoffError, match="the disk is gone"):
        pusher.push(rows())
    assert (pusher.there(), len(pusher.memory.sent)) == (SIZE, SIZE)
    pusher.anew()
    assert pusher.push(map(row, range(2 * SIZE))) == Counts(2 * SIZE, SIZE, 1)


def test_who_interrupts_does_not_wait_and_the_next_push_completes_it(pusher):
    def rows() -> Iterator[Row]:
        yield from map(row, range(SIZE))
        raise KeyboardInterrupt

    with pusher.team.server.admin(pusher.team.database) as other:
        other.execute("BEGIN")
        other.execute("LOCK TABLE leftoff.session_stats")  # there is no answer for a long time
        pusher.link.execute("SET lock_timeout = '20s'")
        with pytest.raises(KeyboardInterrupt):
            pusher.push(rows())
        other.execute("ROLLBACK")
    assert not pusher.memory.sent
    pusher.anew()
    assert pusher.push(map(row, range(2 * SIZE))).sent == 2 * SIZE
    assert pusher.there() == 2 * SIZE


@pytest.mark.parametrize("bad", [{"visibility": "everybody"}, {"seen": "yesterday"}])
def test_a_batch_that_the_store_refuses_leaves_nothing_and_is_not_remembered(pusher, bad):
    """One row of it fails a check of the table, or cannot even be copied."""
    rows = [row(n, **bad if n == SIZE + 4 else {}) for n in range(3 * SIZE)]
    with pytest.raises(LeftoffError, match="the team store says"):
        pusher.push(iter(rows))
    assert (pusher.there(), len(pusher.memory.sent)) == (SIZE, SIZE)
    found = pusher.link.execute("SELECT count(*) FROM pg_temp.new_session_stats").fetchone()
    assert found == (0,), "the connection still works, and nothing of the batch is left"


def test_a_connection_that_is_cut_while_a_batch_is_on_its_way_is_busy(pusher):
    def rows() -> Iterator[Row]:
        yield from map(row, range(SIZE))
        pusher.team.rows("SELECT pg_terminate_backend(%s)", pusher.link.info.backend_pid)
        yield from map(row, range(SIZE, 3 * SIZE))

    with pytest.raises(Busy, match="the team store does not answer"):
        pusher.push(rows())
    pusher.anew()
    assert len(pusher.memory.sent) == 0 or len(pusher.memory.sent) == SIZE
    assert pusher.push(map(row, range(3 * SIZE))).known == 3 * SIZE
    assert pusher.there() == 3 * SIZE


def test_a_batch_that_fits_into_no_buffer_arrives(pusher):
    """Far more than a connection holds while the server does not read."""
    text = "x" * 1_000_000
    said = (Passage("message", f"{n} {text}", 1.0, n) for n in range(30))
    rows = index_postgres.rows(About("a", "long", "document"), said, {"read long": "1"})
    sent = push(pusher.to, pusher.link, index_postgres.TEXTS, rows, pusher.memory)
    assert sent == Counts(30, 30, 1)
    found = pusher.team.rows("SELECT count(*), sum(length(body)) FROM leftoff.session_text")
    assert found == [(30, 30 * len(text) + 10 * 2 + 20 * 3)]
    assert pusher.memory.sent == {"read long": "1"}


def test_what_became_shorter_leaves_no_end_whatever_it_is_called(pusher):
    """The names go into the text of a statement there."""
    odd = "it's; DROP TABLE leftoff.store -- %s \\' é"
    for count in (5, 2):
        said = (Passage("message", f"{n}", 1.0, n) for n in range(count))
        rows = index_postgres.rows(About("a", odd, "document"), said, {})
        push(pusher.to, pusher.link, index_postgres.TEXTS, rows, pusher.memory)
    found = pusher.team.rows("SELECT id, part FROM leftoff.session_text ORDER BY part")
    assert found == [(odd, 0), (odd, 1)]


def test_psycopg_says_what_we_rely_on(pusher):
    """Statements of one text are one transaction, also with a COPY among them."""
    conn = pusher.link.pgconn
    assert conn.nonblocking
    with pytest.raises(psycopg.errors.DivisionByZero):
        pusher.link.execute("CREATE TEMPORARY TABLE gone (); SELECT 1 / 0")
    assert pusher.link.execute("SELECT to_regclass('pg_temp.gone')").fetchone() == (None,)
