"""Who has no right to a text gets at it by no query: psql's tricks, one by one, as another member.

Every trick is run by a member (and by a guest, and by somebody with no part in the team) whose
colleague keeps one conversation private. Whatever comes back must not hold a word of it.
"""

# ruff: noqa: ISC004  # a trick is one text, over several lines

from __future__ import annotations

import json
from typing import NamedTuple

import psycopg
import pytest

from leftoff.world import team_tables
from postgres.desk import Desk
from projects import put_skill
from support import repo

WORD = "xylophonequartz"
"""Stands in the private conversation, title and checkpoint, and nowhere else."""

_SEEN = "SELECT string_agg(t::text, ' ') FROM leftoff.{table} t"
_ALL = [
    *(_SEEN.format(table=table) for table in team_tables.TABLES),
    *(f"SELECT * FROM leftoff.{table}" for table in team_tables.TABLES),
]
TRICKS = [
    *_ALL,
    # past the table, to its parts and its storage
    "SELECT * FROM leftoff.session_text_00",
    "SELECT * FROM ONLY leftoff.session_text",
    "TABLE leftoff.session_text",
    "SELECT * FROM leftoff.session_text TABLESAMPLE SYSTEM (100)",
    "DO $$ DECLARE r record; part text; BEGIN FOR part IN SELECT oid::regclass::text FROM pg_class"
    " WHERE relname ~ '^session_text_[0-9]+$' LOOP EXECUTE 'SELECT string_agg(body, '' '') AS b FROM '"
    " || part INTO r; RAISE EXCEPTION '%', r.b; END LOOP; END $$",
    "SELECT (SELECT string_agg(t::text, '') FROM pg_toast.pg_toast_1262 t)",
    "SELECT pg_read_file('base')",
    "SELECT lo_import('/etc/hostname')",
    "COPY (SELECT * FROM leftoff.session_text) TO STDOUT",
    "COPY leftoff.session_text TO STDOUT",
    "COPY leftoff.session_text TO PROGRAM 'cat'",
    "COPY leftoff.checkpoints (documents) TO STDOUT",
    # views, functions and rules of one's own
    "CREATE TEMP VIEW peek AS SELECT * FROM leftoff.session_text; SELECT * FROM peek",
    "CREATE TEMP VIEW peek WITH (security_invoker = false) AS SELECT * FROM leftoff.session_text;"
    " SELECT * FROM peek",
    "CREATE TEMP TABLE mine AS SELECT * FROM leftoff.session_text; SELECT * FROM mine",
    "CREATE TEMP TABLE mine (LIKE leftoff.session_text INCLUDING ALL); SELECT * FROM mine",
    "CREATE FUNCTION pg_temp.f() RETURNS SETOF leftoff.session_text LANGUAGE sql SECURITY DEFINER"
    " AS 'SELECT * FROM leftoff.session_text'; SELECT * FROM pg_temp.f()",
    # a function that tells what it is shown: it must not be run before the policy has decided
    "CREATE FUNCTION pg_temp.tell(text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001"
    " AS $$ BEGIN RAISE EXCEPTION 'saw %', $1; END $$;"
    " SELECT * FROM leftoff.session_text WHERE pg_temp.tell(body) AND owner <> current_user",
    "CREATE FUNCTION pg_temp.note(text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001"
    " AS $$ BEGIN RAISE NOTICE 'saw %', $1; RETURN true; END $$;"
    " SELECT * FROM leftoff.session_text WHERE pg_temp.note(title) AND pg_temp.note(body)",
    "SELECT 1 FROM leftoff.session_text WHERE owner <> current_user AND (body::int) = 1",
    "SELECT 1 FROM leftoff.session_text WHERE owner <> current_user AND 1 / (length(body) - length(body)) = 1",
    "SELECT 1 FROM leftoff.checkpoints WHERE (documents ->> 0)::int = 1",
    "UPDATE leftoff.session_text SET body = body WHERE (body::int) = 1",
    "UPDATE leftoff.session_text SET visibility = 'public' RETURNING *",
    "UPDATE leftoff.checkpoints SET owner = current_user RETURNING *",
    "DELETE FROM leftoff.session_text RETURNING *",
    "DELETE FROM leftoff.checkpoints USING leftoff.session_stats s RETURNING *",
    "SELECT * FROM leftoff.session_text FOR UPDATE",
    "MERGE INTO leftoff.session_text t USING leftoff.session_text s ON t.id = s.id"
    " WHEN MATCHED THEN UPDATE SET visibility = 'public'",
    # clashes with rows that one may not see
    "INSERT INTO leftoff.session_text SELECT * FROM leftoff.session_text",
    "INSERT INTO leftoff.checkpoints (owner, project, path, format, id, thread, machine, documents,"
    " visibility, hash) VALUES ('{owner}', '{project}', '{path}', '', '', '', '', '[]', 'team', '')"
    " ON CONFLICT (owner, project, path) DO UPDATE SET visibility = 'public' RETURNING *",
    "INSERT INTO leftoff.checkpoints (owner, project, path, format, id, thread, machine, documents,"
    " visibility, hash) VALUES ('{owner}', '{project}', '{path}', '', '', '', '', '[]', 'team', '')",
    "INSERT INTO leftoff.checkpoints (project, path, format, id, thread, machine, documents,"
    " visibility, hash) VALUES ('{project}', '{path}', '', '', '', '', '[]', 'team', '')"
    " ON CONFLICT (owner, project, path) DO NOTHING RETURNING *",
    # becoming somebody else
    "SET ROLE leftoff_owner; SELECT * FROM leftoff.session_text",
    "SET ROLE leftoff_search; SELECT * FROM leftoff.session_text",
    "SET ROLE leftoff_member; SELECT * FROM leftoff.session_text",
    "SET ROLE {owner}; SELECT * FROM leftoff.session_text",
    "SET ROLE postgres; SELECT * FROM leftoff.session_text",
    "SET SESSION AUTHORIZATION {owner}; SELECT * FROM leftoff.session_text",
    "SET row_security = off; SELECT * FROM leftoff.session_text",
    "SET session_replication_role = replica; SELECT * FROM leftoff.session_text",
    "GRANT {owner} TO {me}; SET ROLE {owner}; SELECT * FROM leftoff.session_text",
    "GRANT leftoff_owner TO {me}",
    "ALTER ROLE {me} BYPASSRLS; SELECT * FROM leftoff.session_text",
    "ALTER ROLE {me} SUPERUSER",
    # changing the rules
    "ALTER TABLE leftoff.session_text DISABLE ROW LEVEL SECURITY; SELECT * FROM leftoff.session_text",
    "ALTER TABLE leftoff.session_text NO FORCE ROW LEVEL SECURITY",
    "CREATE POLICY mine ON leftoff.session_text USING (true); SELECT * FROM leftoff.session_text",
    "DROP POLICY own ON leftoff.session_text",
    "GRANT ALL ON leftoff.session_text TO PUBLIC",
    "CREATE RULE r AS ON INSERT TO leftoff.session_text DO ALSO NOTHING",
    "CREATE FUNCTION pg_temp.t() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%', OLD;"
    " END $$; CREATE TRIGGER t BEFORE UPDATE ON leftoff.session_text FOR EACH ROW EXECUTE FUNCTION pg_temp.t()",
    "CREATE INDEX ON leftoff.session_text (body)",
    "CREATE STATISTICS s ON title, body FROM leftoff.session_text",
    "ALTER TABLE leftoff.session_text ALTER COLUMN body SET STATISTICS 1000",
    "CREATE TABLE leftoff.mine (x text)",
    "CREATE TABLE leftoff.heir () INHERITS (leftoff.session_text)",
    "DROP TABLE leftoff.session_text",
    "TRUNCATE leftoff.session_text",
    # what the planner and the statistics know
    "ANALYZE leftoff.session_text; SELECT * FROM pg_stats WHERE tablename ~ 'session_text|checkpoints'",
    "SELECT * FROM pg_statistic",
    "SELECT * FROM pg_stats_ext",
    "SELECT * FROM pg_statistic_ext_data",
    "EXPLAIN (ANALYZE, VERBOSE, BUFFERS) SELECT * FROM leftoff.session_text WHERE body ~ 'x'",
    "EXPLAIN (VERBOSE) SELECT * FROM leftoff.session_text WHERE title < 'm'",
    "SELECT * FROM ts_stat('SELECT words FROM leftoff.session_text')",
    # waiting, cursors, prepared statements, other ways to run a query
    "BEGIN; DECLARE c CURSOR FOR SELECT * FROM leftoff.session_text; FETCH ALL FROM c; COMMIT",
    "PREPARE p AS SELECT * FROM leftoff.session_text; EXECUTE p; DEALLOCATE p",
    "SELECT query_to_xml('SELECT * FROM leftoff.session_text', true, false, '')",
    "SELECT table_to_xml('leftoff.session_text', true, false, '')",
    "SELECT schema_to_xml('leftoff', true, false, '')",
    "SELECT database_to_xml(true, false, '')",
    "SELECT cursor_to_xml('c', 1, true, false, '')",
    "SELECT * FROM pg_cursors, pg_prepared_statements",
    "SELECT query FROM pg_stat_activity",
    "SELECT * FROM pg_locks, pg_stat_user_tables WHERE relname ~ 'session_text'",
    "SELECT * FROM pg_largeobject",
    "SELECT lo_get(loid) FROM pg_largeobject_metadata m(loid)",
    "SELECT pg_ls_dir('.')",
    "SELECT * FROM pg_logical_slot_get_changes('s', NULL, NULL)",
    "SELECT pg_create_logical_replication_slot('s', 'test_decoding')",
    "CREATE PUBLICATION p FOR TABLE leftoff.session_text",
    "CREATE EXTENSION dblink",
    "CREATE EXTENSION pageinspect",
    "CREATE EXTENSION file_fdw",
    "LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SELECT * FROM leftoff.session_text",
    # names that are looked up somewhere else
    "SET search_path = pg_temp, leftoff; CREATE TEMP TABLE session_text (x text); SELECT * FROM session_text",
    "CREATE FUNCTION pg_temp.current_user() RETURNS name LANGUAGE sql AS $$ SELECT '{owner}'::name $$;"
    " SET search_path = pg_temp, pg_catalog; SELECT * FROM leftoff.session_text",
    "CREATE FUNCTION pg_temp.yes(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT true';"
    " CREATE OPERATOR pg_temp.= (LEFTARG = text, RIGHTARG = text, FUNCTION = pg_temp.yes);"
    " SET search_path = pg_temp, pg_catalog; SELECT * FROM leftoff.session_text",
    "SET leftoff.owner = '{owner}'; SELECT * FROM leftoff.session_text",
    # the one function that reads all texts
    "SELECT * FROM leftoff.search('xylo:*', '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, 99)",
    "SELECT * FROM leftoff.search('!zz', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 99)",
    "SET ROLE leftoff_member;"
    " SELECT * FROM leftoff.search('!zz', '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, 99)",
    "CREATE FUNCTION pg_temp.strpos(text, text) RETURNS int LANGUAGE plpgsql"
    " AS $$ BEGIN RAISE EXCEPTION '%', $1; END $$; SET search_path = pg_temp, pg_catalog;"
    " SELECT * FROM leftoff.search('!zz', '{x}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, 99)",
    "ALTER FUNCTION leftoff.search OWNER TO {me}",
    "ALTER FUNCTION leftoff.search SECURITY INVOKER",
    "CREATE OR REPLACE FUNCTION leftoff.search(asked tsquery) RETURNS text LANGUAGE sql"
    " SECURITY DEFINER AS 'SELECT string_agg(body, '''') FROM leftoff.session_text'",
    # joins and aggregates that could count or order what is hidden
    "SELECT max(title), min(title), max(body) FROM leftoff.session_text",
    "SELECT s.id, w.* FROM leftoff.session_stats s LEFT JOIN LATERAL (SELECT * FROM leftoff.session_text w"
    " WHERE w.owner = s.owner) w ON true",
    "WITH RECURSIVE r AS (SELECT title FROM leftoff.session_text UNION SELECT title FROM r) SELECT * FROM r",
    "WITH gone AS (DELETE FROM leftoff.session_text RETURNING *) SELECT * FROM gone",
    "SELECT (SELECT body FROM leftoff.session_text w WHERE w.owner = '{owner}' LIMIT 1)",
    "SELECT xpath('//x', ('<x>' || string_agg(body, '') || '</x>')::xml) FROM leftoff.session_text",
]


class Scene(NamedTuple):
    team: object
    ann: Desk
    bob: Desk
    project: str
    path: str


@pytest.fixture
def scene(team, tmp_path, monkeypatch) -> Scene:
    origin = repo(tmp_path / "origin")
    ann = Desk(team, tmp_path, "ann").clone(origin)
    bob = Desk(team, tmp_path, "bob").clone(origin)
    ann.talk(1, monkeypatch, f"Please repair the {WORD}")
    put_skill(ann.root, progress_summary=f"All about the {WORD}.")
    ann.run("team", "share", "text", "--visibility", "private")
    ann.run("team", "push")
    bob.talk(2, monkeypatch, "Please paint the fence")
    bob.run("team", "share", "text")
    bob.run("team", "push")
    with team.server.admin(team.database) as link:
        link.execute("ANALYZE")
    row = team.rows(
        "SELECT project, path FROM leftoff.checkpoints WHERE owner = %s", ann.member.name
    )
    return Scene(team, ann, bob, *row[0])


def everything(url: str, trick: str, *, undo: bool = False) -> str:
    """All that comes back of a trick: rows, COPY data, notices, errors with every detail."""
    said: list[str] = []
    with psycopg.connect(url, autocommit=not undo) as link:
        link.add_notice_handler(lambda notice: said.append(_details(notice)))
        cursor = link.cursor()
        try:
            if trick.startswith("COPY"):
                with cursor.copy(trick) as copy:
                    said.extend(bytes(part).decode() for part in copy)
            else:
                cursor.execute(trick)
                said.extend(_results(cursor))
        except psycopg.Error as error:
            said.append(_details(error.diag) + str(error))
        if undo:
            link.rollback()
    return "\n".join(said)


def _results(cursor: psycopg.Cursor) -> list[str]:
    found = []
    while True:
        if cursor.description:
            found.extend(map(repr, cursor.fetchall()))
        if not cursor.nextset():
            return found


def _details(diag: psycopg.errors.Diagnostic) -> str:
    names = ("message_primary", "message_detail", "message_hint", "context", "internal_query")
    return " ".join(str(getattr(diag, name)) for name in names)


def filled(trick: str, scene: Scene, me: str) -> str:
    known = {"owner": scene.ann.member.name, "project": scene.project, "path": scene.path, "me": me}
    for name, value in known.items():
        trick = trick.replace(f"{{{name}}}", value)
    return trick


def test_there_are_tricks_enough():
    assert len(set(TRICKS)) >= 40


def test_the_word_is_there_for_its_owner_and_the_tricks_would_show_it(scene):
    """Else all of the following would say nothing."""
    shown = [
        trick
        for trick in TRICKS
        if WORD in everything(scene.ann.member.url, filled(trick, scene, "x"), undo=True)
    ]
    assert len(shown) >= 30, len(shown)
    admin = scene.team.rows("SELECT count(*) FROM leftoff.session_text WHERE body ~ %s", WORD)
    assert admin == [(2,)]


@pytest.mark.parametrize("who", ["member", "guest", "stranger"])
def test_no_trick_shows_a_word_of_what_is_not_theirs(scene, who):
    group = {"member": "leftoff_member", "guest": "leftoff_guest", "stranger": ""}[who]
    peeking = scene.team.member("eve", group)
    before = _state(scene)
    leaks = []
    for trick in TRICKS:
        said = everything(peeking.url, filled(trick, scene, peeking.name))
        if WORD in said:
            leaks.append(trick)
    assert not leaks
    assert _state(scene) == before, "nothing of others was changed either"


def _state(scene: Scene) -> list[tuple]:
    rows = "SELECT owner, visibility, md5(t::text) FROM leftoff.{} t WHERE owner ~ '^(ann|bob)'"
    tables = team_tables.TABLES[:4]
    return sorted(row for table in tables for row in scene.team.rows(rows.format(table)))


def test_a_member_changes_no_table_and_nobody_else_s_rows(scene):
    url = scene.bob.member.url
    with psycopg.connect(url, autocommit=True) as link:
        for statement in (
            "CREATE TABLE leftoff.x (y int)",
            "ALTER TABLE leftoff.checkpoints ADD COLUMN x int",
            "INSERT INTO leftoff.versions VALUES (99)",
            "DELETE FROM leftoff.store",
            "CREATE FUNCTION leftoff.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                link.execute(statement)
        forged = "INSERT INTO leftoff.tombstones (owner, kind, key, visibility) VALUES (%s, 'x', 'y', 'team')"
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            link.execute(forged, (scene.ann.member.name,))
        assert (
            link.execute(
                "UPDATE leftoff.session_stats SET prompts = 9 WHERE owner <> current_user"
            ).rowcount
            == 0
        )
        assert (
            link.execute("DELETE FROM leftoff.session_stats WHERE owner <> current_user").rowcount
            == 0
        )


def test_figures_are_for_the_team_and_public_rows_for_guests_alone(scene):
    guest = scene.team.member("guest", "leftoff_guest")
    assert everything(guest.url, "SELECT owner FROM leftoff.session_stats") == ""
    scene.bob.run("team", "share", "text", "--visibility", "public")
    scene.bob.run("team", "push")
    said = everything(guest.url, "SELECT body FROM leftoff.session_text")
    assert "paint the fence" in said
    assert WORD not in said
    member = scene.team.member("carl")
    owners = everything(member.url, "SELECT owner FROM leftoff.session_stats ORDER BY owner")
    assert scene.ann.member.name in owners


def test_estimates_do_not_tell_whether_a_guess_is_right(scene):
    """The planner samples no text: EXPLAIN answers the same for what is there and what is not."""
    peeking = scene.team.member("eve")
    right, wrong = f"Please repair the {WORD}", "Please repair the nothing"
    plans = set()
    for guess in (right, wrong):
        for how in ("=", "<", ">"):
            query = f"EXPLAIN (FORMAT JSON) SELECT * FROM leftoff.session_text WHERE title {how} '{guess}'"
            said = everything(peeking.url, query)
            plans.add((how, said.replace(guess, "")))
    assert len(plans) == 3


def test_a_superuser_or_the_owner_s_friend_is_no_member(scene, team):
    told = scene.bob.run("team", "push", ok=False, LEFTOFF_TEAM_URL=team.admin_url)
    assert (told.returncode, "bypasses the rules" in told.stderr) == (1, True)
    stranger = team.member("dora", "")
    told = scene.bob.run("team", "push", ok=False, LEFTOFF_TEAM_URL=stranger.url)
    assert told.returncode == 1
    assert "Traceback" not in told.stderr
    assert json.loads(
        scene.bob.run("team", "status", "--json", LEFTOFF_TEAM_URL=stranger.url).stdout
    )
