"""`python bench/scale.py`: what a team store of PostgreSQL takes in and how large it grows.

It starts a PostgreSQL of its own (as the tests do, with fsync on), pushes made-up sessions, and
prints figures for docs/scale.md: push beside plain COPY of the same rows, eight writers at once,
texts with their word index, a search, sizes of rows and indexes. Where there is no PostgreSQL it
says so. docs/scale.md speaks of `--sessions 100000 --texts 2000`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from random import Random
from statistics import median
from time import perf_counter

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "src"), os.path.join(ROOT, "tests")]

import psycopg  # noqa: E402
from report import Goal, at_most, measured, not_measured, put_into  # noqa: E402

from leftoff.core import team  # noqa: E402
from leftoff.core.search_hits import MESSAGE, Passage, Wanted  # noqa: E402
from leftoff.core.search_words import query  # noqa: E402
from leftoff.core.session import Session  # noqa: E402
from leftoff.core.stats import Stats, Tokens  # noqa: E402
from leftoff.world import index_postgres, team_connection, team_schema, team_state  # noqa: E402
from leftoff.world.index_postgres import About, Scope  # noqa: E402
from leftoff.world.team_push import STATS, Row, push  # noqa: E402
from postgres.server import Server, binaries, end_in_order  # noqa: E402

BLOCK = "bench-team"
MOST = 3.0
"""times plain COPY"""
WHAT = "`team push` of {:,} sessions"
ORIGIN = team.Origin("root:" + "5f" * 20, "shop", "laptop-1a2b")
Tell = Callable[[str], None]
WORDS = [f"word{n}" for n in range(30_000)]


def sessions(count: int, seed: int) -> list[Session]:
    """Made-up sessions of one person."""
    chance = Random(seed)
    made = []
    for n in range(count):
        at = 1_780_000_000.0 + n * 60
        stats = Stats(
            tokens=Tokens(*(chance.randrange(200_000) for _ in range(4))),
            peak=chance.randrange(200_000),
            models={"claude-sonnet-4-6": 9},
            prompts=chance.randrange(40),
            answers=chance.randrange(400),
            commands=chance.randrange(200),
        )
        name = f"{chance.getrandbits(128):032x}"
        one = Session("claude-code", name, branch=f"feature/{n % 50}", started=at, seen=at + 900)
        made.append(one._replace(ended=at + 900, source="startup", stats=stats))
    return made


def rows_of(made: list[Session]) -> Iterator[Row]:
    return (Row(one.name, team.figures(one, ORIGIN, team.TEAM)) for one in made)


def member(url: str) -> tuple[team_connection.Address, team_schema.Link]:
    to = team_connection.address({"LEFTOFF_TEAM_URL": url})
    return to, team_connection.connect(to)


def pushed(url: str, made: list[Session]) -> float:
    """Seconds for a push of these, with everything but reading transcripts."""
    to, link = member(url)
    with tempfile.TemporaryDirectory() as state:
        memory = team_state.memory(state, "store", url)
        start = perf_counter()
        push(to, link, STATS, rows_of(made), memory)
        spent = perf_counter() - start
    link.close()
    return spent


def writer(given: tuple[str, int, int]) -> float:
    url, count, seed = given
    return pushed(url, sessions(count, seed))


def copied(server: Server, database: str, made: list[Session]) -> float:
    """Seconds for plain COPY of the same rows into a table like it, as its owner."""
    with server.admin(database) as link:
        link.execute("CREATE TABLE plain (LIKE leftoff.session_stats INCLUDING INDEXES)")
        link.execute("ALTER TABLE plain ALTER COLUMN owner SET DEFAULT 'ann'")
        link.execute("ALTER TABLE plain ALTER COLUMN pushed SET DEFAULT now()")
        names = [name for name, _ in STATS.columns] + ["hash"]
        times = {"started", "seen", "ended"}
        lines = []
        for row in rows_of(made):
            cells = [
                _time(value) if name in times else value
                for name, value in zip(names, row.values, strict=False)
            ]
            lines.append(f"{team.copy_line(cells)}\t{'0' * 32}\n")
        data = "".join(lines).encode()
        start = perf_counter()
        with link.cursor().copy(f"COPY plain ({', '.join(names)}) FROM STDIN") as copy:
            copy.write(data)
        spent = perf_counter() - start
        link.execute("DROP TABLE plain")
    return spent


def _time(value: object) -> object:
    from leftoff.core.when import stamp

    return stamp(value) if isinstance(value, float) else value


def texts(sources: int, seed: int) -> Iterator[tuple[About, list[Passage]]]:
    """Conversations of some 60 passages, 18 KB."""
    chance = Random(seed)
    for n in range(sources):
        said = [
            Passage(MESSAGE, " ".join(chance.choices(WORDS, k=44)), 1e9 + n * 60 + at, at)
            for at in range(60)
        ]
        about = About("claude-code", f"{seed}-{n}", "transcript", "", "p", "", 1e9 + n)
        yield about._replace(visibility="team" if n % 2 else "private"), said


def size(link: psycopg.Connection, table: str, how: str) -> int:
    names = "SELECT oid FROM pg_class WHERE relname ~ %s AND relkind IN ('r', 'p')"
    found = link.execute(f"SELECT sum({how}(oid)) FROM ({names}) t", (f"^{table}(_[0-9]+)?$",))
    return int(found.fetchone()[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=20_000)
    parser.add_argument("--texts", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--markdown", type=os.path.abspath, metavar="FILE")
    given = parser.parse_args()
    end_in_order()
    told, goal = figures(given) if binaries() else absent(given)
    if given.markdown:
        put_into(given.markdown, BLOCK, "\n".join(["```", *told, "```"]), [goal])


def absent(given: argparse.Namespace) -> tuple[list[str], Goal]:
    why = "PostgreSQL is not there"
    line = f"not measured: {why} (Debian: postgresql)"
    print(line)
    return [line], not_measured(5, WHAT.format(given.sessions), f"{MOST:g} x COPY", why)


def figures(given: argparse.Namespace) -> tuple[list[str], Goal]:
    """The lines, shown as they come, and the target."""
    told: list[str] = []

    def tell(line: str) -> None:
        told.append(line)
        print(line, flush=True)

    with Server("shared_buffers=512MB", "max_wal_size=4GB") as server:
        database = server.database()
        to, link = member(server.url(database=database))
        team_schema.init(to, link)
        link.close()
        tell(f"{measured()}, the least of {given.rounds} rounds")
        ratio = _figures(server, database, given, tell)
        _writers(server, database, given.sessions, tell)
        _words(server, database, given.texts, tell)
    return told, at_most(5, WHAT.format(given.sessions), ratio, MOST, "COPY")


def _figures(server: Server, database: str, given: argparse.Namespace, tell: Tell) -> float:
    """How many times as long as COPY a push takes, in rounds that have both."""
    count = given.sessions
    made = sessions(count, 1)
    copies, tries = [], []
    for _ in range(given.rounds):
        copies.append(copied(server, database, made))
        name, word = server.role("ann", "leftoff_member")
        url = server.url(name, word, database)
        tries.append(pushed(url, made))
    again = pushed(url, made)
    plain = min(copies)
    tell(f"in seconds: COPY {_seconds(copies)}; push {_seconds(tries)}")
    tell(f"plain COPY of {count} rows: {plain:.2f} s, {count / plain:,.0f} rows/s")
    tell(f"push of {count} sessions: {min(tries):.2f} s, {count / min(tries):,.0f} sessions/s")
    tell(f"push / COPY: {min(tries) / plain:.2f}")
    tell(f"push of all again, nothing remembered: {again:.2f} s, {count / again:,.0f} sessions/s")
    with server.admin(database) as link:
        total = link.execute("SELECT count(*) FROM leftoff.session_stats").fetchone()[0]
        heap = size(link, "session_stats", "pg_table_size")
        index = size(link, "session_stats", "pg_indexes_size")
        tell(f"a session: {heap / total:.0f} bytes in the table, {index / total:.0f} in indexes")
    return min(tries) / plain


def _seconds(some: list[float]) -> str:
    return f"min {min(some):.2f}, median {median(some):.2f}"


def _writers(server: Server, database: str, count: int, tell: Tell) -> None:
    each = count // 8
    urls = []
    for _ in range(8):
        name, word = server.role("many", "leftoff_member")
        urls.append(server.url(name, word, database))
    start = perf_counter()
    with ProcessPoolExecutor(8) as pool:
        list(pool.map(writer, [(url, each, n) for n, url in enumerate(urls)]))
    spent = perf_counter() - start
    tell(f"8 writers at once, {each} each: {8 * each / spent:,.0f} sessions/s (with making them)")


def _words(server: Server, database: str, count: int, tell: Tell) -> None:
    name, word = server.role("ann", "leftoff_member")
    url = server.url(name, word, database)
    to, link = member(url)
    made = [*texts(count, 1)]
    volume = sum(len(one.text) for _, said in made for one in said)
    rows = (row for about, said in made for row in index_postgres.rows(about, said, {}))
    with tempfile.TemporaryDirectory() as state:
        memory = team_state.memory(state, "store", "ann")
        start = perf_counter()
        push(to, link, index_postgres.TEXTS, rows, memory, size=index_postgres.AT_ONCE)
        spent = perf_counter() - start
    rate = volume / spent / 1e6
    tell(f"texts: {count} conversations, {volume / 1e6:.0f} MB: {rate:.1f} MB/s into the index")
    with server.admin(database) as admin:
        admin.execute("VACUUM ANALYZE leftoff.session_text")
        heap = size(admin, "session_text", "pg_table_size")
        index = size(admin, "session_text", "pg_indexes_size")
    tell(f"per MB of text: {heap / volume:.2f} MB in the table, {index / volume:.2f} in indexes")
    for what, asked in (("rare word", "word77 word78"), ("word in 1 of 700", "word5")):
        tries = []
        for _ in range(5):
            start = perf_counter()
            found = index_postgres.find(to, link, Wanted(query(asked)), 20, Scope())
            tries.append(perf_counter() - start)
        tell(f"search, {what}: {min(tries) * 1000:.1f} ms ({found.total} found)")
    link.close()


if __name__ == "__main__":
    main()
