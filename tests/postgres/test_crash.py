"""Many push at once, the server dies under them and comes back: every session is there, once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep
from typing import NamedTuple

import psycopg
import pytest

from histories import Talk, ident
from postgres.conftest import Team
from postgres.desk import AT, Desk
from postgres.server import Server, binaries
from projects import put_skill
from support import SOURCE, repo, run

WRITERS = 8
SESSIONS = 2000 if os.environ.get("LEFTOFF_LAWS") == "long" else 200
BATCH = SESSIONS // 10
PATIENCE = 600.0
"""Seconds until a condition that must come about counts as missing; far more than it ever takes."""

# `leftoff team push` in small batches. At its third batch, once, it says that it got there and goes
# on only when the server was killed: between two batches, or inside of one, as `gate` says.
WRITER = """
import os, sys, time
source, gate, reached, killed = sys.argv[1:5]
sys.path[:0] = [source]
sys.argv = ["leftoff", *sys.argv[5:]]
from leftoff.commands import _team_push
from leftoff.world import team_batches
_team_push.BATCH = int(os.environ["TEST_BATCH"])
begin, send, count = team_batches._begin, team_batches._send, 0
def stop_here():
    if os.path.exists(killed):
        return
    with open(reached, "w", encoding="utf-8"):
        pass
    end = time.monotonic() + 500
    while not os.path.exists(killed) and time.monotonic() < end:
        time.sleep(0.01)
def gated_begin(conn, statements):
    global count
    count += b"new_session_stats" in statements
    if count == 3 and gate == "between":
        stop_here()
    begin(conn, statements)
def gated_send(conn, rows):
    send(conn, rows)
    if count == 3 and gate == "inside":
        stop_here()
team_batches._begin, team_batches._send = gated_begin, gated_send
from leftoff.__main__ import main
main()
"""


class Writer(NamedTuple):
    desk: Desk
    gate: str
    reached: str
    killed: str

    def push(self) -> subprocess.CompletedProcess[str]:
        words = ["team", "push", "--now", AT]
        return subprocess.run(
            [sys.executable, "-c", WRITER, SOURCE, self.gate, self.reached, self.killed, *words],
            cwd=self.desk.root,
            env={**os.environ, **self.desk.env, "TEST_BATCH": str(BATCH)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE,
        )


@pytest.fixture
def own_server():
    if not binaries():
        pytest.skip("PostgreSQL absent")
    # Its processes are killed, not the machine: what it wrote is in the system's hands already.
    with Server("fsync=off") as running:
        yield running


@pytest.fixture
def writers(own_server, tmp_path, monkeypatch) -> tuple[Team, list[Writer]]:
    team = Team(own_server, own_server.database())
    made = run("team", "init", cwd=tmp_path, env={"LEFTOFF_TEAM_URL": team.admin_url})
    assert made.returncode == 0, made.stderr
    origin = repo(tmp_path / "origin")
    killed = os.fspath(tmp_path / "killed")
    found = []
    for n in range(WRITERS):
        desk = Desk(team, tmp_path, f"writer{n}").clone(origin)
        monkeypatch.setenv("HOME", desk.env["HOME"])
        for session in range(SESSIONS):
            Talk(session, desk.root).ask(9000, f"Task {session}").answer(8000, "Yes.", 50).save()
        put_skill(desk.root)
        gate = "inside" if n % 2 else "between"
        found.append(Writer(desk, gate, os.fspath(tmp_path / f"reached-{n}"), killed))
    return team, found


def wait_for(condition: Callable[[], object], what: str) -> None:
    deadline = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < deadline, f"it never came about: {what}"
        sleep(0.02)


def until_done(writer: Writer) -> list[subprocess.CompletedProcess[str]]:
    """Push as a person would: again, for as long as the store does not answer."""
    deadline = monotonic() + PATIENCE
    tries = [writer.push()]
    while tries[-1].returncode == 6 and monotonic() < deadline:
        sleep(0.2)
        tries.append(writer.push())
    return tries


def test_every_session_is_there_once_though_the_server_died_in_the_middle(writers, own_server):
    team, every = writers
    with ThreadPoolExecutor(WRITERS) as pool:
        pushes = [pool.submit(until_done, writer) for writer in every]
        try:
            everybody = [writer.reached for writer in every]
            wait_for(
                lambda: all(map(os.path.exists, everybody)) or any(one.done() for one in pushes),
                "all writers are in the middle of their work",
            )
            assert not [one.result() for one in pushes if one.done()], "none ends before the crash"
            before = team.rows("SELECT count(*) FROM leftoff.session_stats")[0][0]
            own_server.kill()
        finally:
            with open(every[0].killed, "w", encoding="utf-8"):
                pass  # whatever happened, nobody is left waiting
        own_server.start()
        tries = [one.result() for one in pushes]
    assert before == WRITERS * 2 * BATCH
    assert [one[-1].returncode for one in tries] == [0] * WRITERS, tries[0][-1].stderr
    assert all(one[0].returncode == 6 for one in tries), "each of them was cut off"
    for told, writer in zip(tries, every, strict=True):
        said = "".join(done.stdout + done.stderr for done in told)
        assert "Traceback" not in said
        assert writer.desk.member.url.split(":")[2].split("@")[0] not in said
    _assert_all_once(team, every)


def test_a_second_crash_at_any_moment_changes_nothing(writers, own_server):
    team, every = writers
    with open(every[0].killed, "w", encoding="utf-8"):
        pass  # nobody waits anywhere: this one hits whatever is going on
    with ThreadPoolExecutor(WRITERS) as pool:
        pushes = [pool.submit(until_done, writer) for writer in every]
        wait_for(
            lambda: _count(team) > SESSIONS or all(one.done() for one in pushes),
            "some rows are there",
        )
        own_server.kill()
        own_server.start()
        tries = [one.result() for one in pushes]
    assert [one[-1].returncode for one in tries] == [0] * WRITERS, tries[0][-1].stderr
    _assert_all_once(team, every)


def _count(team: Team) -> int:
    try:
        return team.rows("SELECT count(*) FROM leftoff.session_stats")[0][0]
    except psycopg.OperationalError:
        return 0  # a busy machine; it is asked again


def _assert_all_once(team: Team, every: list[Writer]) -> None:
    there = team.rows("SELECT owner, id FROM leftoff.session_stats ORDER BY owner, id")
    ids = sorted(ident(session) for session in range(SESSIONS))
    names = sorted(writer.desk.member.name for writer in every)
    assert there == [(name, one) for name in names for one in ids]
    papers = team.rows("SELECT owner FROM leftoff.checkpoints ORDER BY owner")
    assert papers == [(name,) for name in names]
    again = every[0].push()
    assert "has everything already" in again.stdout, again.stderr
