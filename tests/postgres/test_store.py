"""The address, the versions and the refusals of the team store: one line each, never a password."""

from __future__ import annotations

import json
import os

import psycopg
import pytest

from leftoff.world import team_schema
from postgres.conftest import Team
from postgres.desk import Desk
from support import leftoff, repo, run

SECRET = "tops3cret-word"


@pytest.mark.parametrize("verb", ["push", "pull", "init", "migrate", "status"])
def test_without_an_address_it_says_so(root, verb):
    done = run("team", verb, cwd=root)
    assert done.returncode == 2
    assert "LEFTOFF_TEAM_URL is not set" in done.stderr


@pytest.mark.parametrize(
    "url",
    [
        f"mysql://ann:{SECRET}@db/x",
        f"postgresql://ann:{SECRET}@db:port/x",
        f"postgresql://ann:{SECRET}@db/x?nonsense={SECRET}",
        f"postgresql//ann:{SECRET}@db",
        f"host=db user=ann password={SECRET}",
        f"postgresql://ann:{SECRET}@[::1/x",
    ],
)
def test_an_address_that_is_none_is_not_repeated(root, url):
    done = leftoff("team", "push", cwd=root, env={"LEFTOFF_TEAM_URL": url})
    assert done.returncode in {2, 6}, done.stderr
    assert SECRET not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_server_that_is_not_there_is_one_line_without_the_password(root):
    url = f"postgresql://ann:{SECRET}@127.0.0.1:1/team"
    done = leftoff("team", "push", cwd=root, env={"LEFTOFF_TEAM_URL": url})
    assert done.returncode == 6
    assert done.stderr.count("\n") <= 3
    assert "does not answer" in done.stderr
    assert SECRET not in done.stderr
    told = json.loads(
        run("team", "status", "--json", cwd=root, env={"LEFTOFF_TEAM_URL": url}).stdout
    )
    assert told["data"]["answers"] is False
    assert SECRET not in json.dumps(told)
    assert "ann@127.0.0.1:1/team" in json.dumps(told)


def test_a_wrong_password_is_not_told_to_anybody(team, root):
    member = team.member("ann")
    url = team.server.url(member.name, SECRET, team.database)
    done = leftoff("team", "push", cwd=root, env={"LEFTOFF_TEAM_URL": url})
    assert done.returncode == 6
    assert "password authentication failed" in done.stderr
    assert SECRET not in done.stderr
    assert "Traceback" not in done.stderr


def test_nothing_of_the_address_is_kept_on_disk(team, tmp_path):
    desk = Desk(team, tmp_path, "ann").clone(repo(tmp_path / "origin"))
    desk.run("team", "push")
    desk.run("team", "pull")
    password = desk.member.url.split(":")[2].split("@")[0].encode()
    for place, _, names in os.walk(desk.env["HOME"]):
        for name in names:
            with open(os.path.join(place, name), "rb") as file:
                assert password not in file.read(), name


def test_settings_of_a_project_cannot_name_a_store(team, tmp_path):
    desk = Desk(team, tmp_path, "ann").clone(repo(tmp_path / "origin"))
    os.makedirs(f"{desk.root}/.checkpoints")
    with open(f"{desk.root}/.checkpoints/config.toml", "w", encoding="utf-8") as file:
        file.write(f'LEFTOFF_TEAM_URL = "{desk.member.url}"\n[team]\nurl = "{desk.member.url}"\n')
    done = desk.run("team", "push", ok=False, LEFTOFF_TEAM_URL="")
    assert "LEFTOFF_TEAM_URL is not set" in done.stderr


def test_a_store_that_is_not_made_yet_says_who_makes_it(server, root):
    bare = Team(server, server.database())
    # the roles are there once any store of the server was made
    run(
        "team",
        "init",
        cwd=root,
        env={"LEFTOFF_TEAM_URL": Team(server, server.database()).admin_url},
    )
    done = run("team", "push", cwd=root, env={"LEFTOFF_TEAM_URL": bare.member("ann").url})
    assert (done.returncode, "team init" in done.stderr) == (3, True)
    done = run("team", "migrate", cwd=root, env={"LEFTOFF_TEAM_URL": bare.admin_url})
    assert done.returncode == 3
    assert bare.rows("SELECT to_regnamespace('leftoff')::text") == [(None,)]


def test_a_member_can_neither_make_nor_change_a_store(team, root):
    env = {"LEFTOFF_TEAM_URL": team.member("ann").url}
    for verb in ("init", "migrate"):
        done = run("team", verb, cwd=root, env=env)
        assert done.returncode == 1, done.stderr
        assert "refuses" in done.stderr
    assert team.rows("SELECT max(version) FROM leftoff.versions") == [(team_schema.VERSION,)]


def test_an_old_client_leaves_a_newer_store_alone(team, root):
    with team.server.admin(team.database) as link:
        link.execute("INSERT INTO leftoff.versions VALUES (99)")
    before = _print(team)
    for verb, url in (
        ("push", team.member("ann").url),
        ("pull", team.member("ann").url),
        ("init", team.admin_url),
        ("migrate", team.admin_url),
    ):
        done = run("team", verb, cwd=root, env={"LEFTOFF_TEAM_URL": url})
        assert done.returncode == 1
        assert "version 99" in done.stderr
        assert "install a newer leftoff" in done.stderr
    assert _print(team) == before


def _print(team: Team) -> list[tuple]:
    tables = (
        "SELECT relname, relfilenode FROM pg_class WHERE relnamespace = 'leftoff'::regnamespace"
    )
    return sorted(team.rows(tables)) + team.rows("SELECT xmin::text FROM leftoff.versions")


def test_a_store_of_an_older_version_is_brought_up_with_its_rows(server, tmp_path, monkeypatch):
    """And until then a newer client says who has to do it."""
    older = Team(server, server.database())
    admin = {"LEFTOFF_TEAM_URL": older.admin_url}
    whole = team_schema.MIGRATIONS
    monkeypatch.setattr(team_schema, "MIGRATIONS", whole[:1])
    monkeypatch.setattr(team_schema, "VERSION", 1)
    assert run("team", "init", cwd=tmp_path, env=admin).returncode == 0
    desk = Desk(older, tmp_path, "ann").clone(repo(tmp_path / "origin"))
    desk.talk(1, monkeypatch)
    desk.run("team", "share", "text")
    desk.run("team", "push")
    monkeypatch.setattr(team_schema, "MIGRATIONS", whole)
    monkeypatch.setattr(team_schema, "VERSION", len(whole))
    done = desk.run("team", "push", ok=False)
    assert (done.returncode, "team migrate" in done.stderr) == (1, True)
    told = json.loads(run("team", "migrate", "--json", cwd=tmp_path, env=admin).stdout)["data"]
    assert told["added"] == [*range(2, len(whole) + 1)]
    assert desk.data("search", "--team", "cart")["total"] == 2
    assert desk.data("team", "push")["sessions"]["sent"] == 0


def test_two_administrators_at_once_make_one_store(server, tmp_path, monkeypatch):
    from concurrent.futures import ThreadPoolExecutor

    monkeypatch.setattr(team_schema, "PATIENCE", "300s")  # on a loaded machine it takes as it does
    made = Team(server, server.database())
    env = {"LEFTOFF_TEAM_URL": made.admin_url}
    with ThreadPoolExecutor(3) as pool:
        calls = [pool.submit(run, "team", "init", cwd=tmp_path, env=env) for _ in range(3)]
        done = [one.result() for one in calls]
    assert [one.returncode for one in done] == [0, 0, 0], [one.stderr for one in done]
    versions = made.rows("SELECT version FROM leftoff.versions ORDER BY version")
    assert versions == [(number,) for number in range(1, team_schema.VERSION + 1)]


def test_whoever_holds_the_lock_holds_up_a_change_but_not_for_ever(team, root, monkeypatch):
    with psycopg.connect(team.admin_url) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s)", (team_schema._LOCK,))
        monkeypatch.setattr(team_schema, "PATIENCE", "200ms")
        done = run("team", "migrate", cwd=root, env={"LEFTOFF_TEAM_URL": team.admin_url})
    assert done.returncode == 6
    assert "lock" in done.stderr


def test_who_is_far_away_is_talked_to_encrypted_unless_they_say_otherwise():
    from leftoff.world.team_connection import address

    def mode(url: str) -> object:
        return address({"LEFTOFF_TEAM_URL": url}).given.get("sslmode")

    assert mode("postgresql://ann@db.example/team") == "require"
    assert mode("postgresql://ann@db.example/team?sslmode=verify-full") == "verify-full"
    assert mode("postgresql://ann@127.0.0.1/team") is None


def test_without_psycopg_it_says_what_to_install(root, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "psycopg", None)
    done = run("team", "push", cwd=root, env={"LEFTOFF_TEAM_URL": "postgresql://a@b/c"})
    assert "pip install 'leftoff[team]'" in done.stderr
