"""The team store on a real PostgreSQL: who sees what, what is sent, and what comes back."""

from __future__ import annotations

import json
import os

import pytest

import five_clients
from histories import HOUR, MINUTE, Talk, ident, journal, started
from leftoff.world import team_schema, team_tables, team_withdraw
from leftoff.world.archive_tombstones import FORGOTTEN, Tombstone, bury
from postgres.desk import Desk
from projects import put, put_markdown, put_skill, put_thread
from support import git, repo, run


@pytest.fixture
def origin(tmp_path):
    return repo(tmp_path / "origin")


@pytest.fixture
def ann(team, tmp_path, origin):
    return Desk(team, tmp_path, "ann").clone(origin)


@pytest.fixture
def bob(team, tmp_path, origin):
    return Desk(team, tmp_path, "bob").clone(origin)


def test_init_makes_the_tables_once_and_again_changes_nothing(team, tmp_path):
    env = {"LEFTOFF_TEAM_URL": team.admin_url}
    again = json.loads(run("team", "init", "--json", cwd=tmp_path, env=env).stdout)["data"]
    assert again["added"] == []
    versions = [(number,) for number in range(1, team_schema.VERSION + 1)]
    assert team.rows("SELECT version FROM leftoff.versions ORDER BY version") == versions
    forced = "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
    forced += "WHERE nspname = 'leftoff' AND relkind IN ('r', 'p') AND relname = ANY(%s) "
    assert team.rows(forced + "AND relforcerowsecurity", [*team_tables.TABLES]) == [(5,)]
    login = "SELECT rolname FROM pg_roles WHERE rolname ~ '^leftoff_' AND rolcanlogin"
    assert team.rows(login) == []


def test_push_sends_figures_for_all_and_documents_for_their_owner(team, ann, bob, monkeypatch):
    ann.talk(1, monkeypatch)
    put_skill(ann.root)
    sent = ann.data("team", "push")
    assert (sent["sessions"], sent["documents"]) == (
        {"known": 1, "sent": 1},
        {"known": 1, "sent": 1},
    )
    assert team.rows("SELECT owner, id, prompts, visibility FROM leftoff.session_stats") == [
        (ann.member.name, ident(1), 1, "team")
    ]
    assert team.rows("SELECT owner, visibility FROM leftoff.checkpoints") == [
        (ann.member.name, "private")
    ]
    texts = "SELECT DISTINCT form, visibility FROM leftoff.session_text"
    assert team.rows(texts) == [("document", "private")]
    assert bob.data("team", "pull")["known"] == 0
    listed = bob.data("session", "list", "--team")["sessions"]
    assert [(one["owner"], one["id"], one["about"]) for one in listed] == [
        (ann.member.name, ident(1), "")
    ]


def test_a_second_push_sends_nothing_and_a_change_only_itself(team, ann, monkeypatch):
    ann.talk(1, monkeypatch)
    ann.talk(2, monkeypatch)
    assert ann.data("team", "push")["sessions"] == {"known": 2, "sent": 2}
    assert ann.data("team", "push")["sessions"] == {"known": 2, "sent": 0}
    ann.talk(2, monkeypatch, "Please repair the till")
    Talk(2, ann.root).ask(HOUR, "a").ask(HOUR / 2, "b").save()
    assert ann.data("team", "push")["sessions"] == {"known": 2, "sent": 1}
    assert team.rows("SELECT id, prompts FROM leftoff.session_stats ORDER BY id") == [
        (ident(1), 1),
        (ident(2), 2),
    ]


def test_push_tells_of_a_session_that_could_not_be_read_whole(team, ann, monkeypatch):
    monkeypatch.setenv("LEFTOFF_STATE", ann.env["LEFTOFF_STATE"])
    journal(1, started(HOUR, ann.root), (MINUTE, "stop"), torn="no JSON\n{}\n")
    told = json.loads(ann.run("team", "push", "--json").stdout)
    assert told["data"]["sessions"]["sent"] == 1
    assert [(one["slug"], one["where"]) for one in told["findings"]] == [
        ("journal-torn", f"claude-code/{ident(1)}")
    ]


def test_what_the_store_lost_is_sent_again_on_request(team, ann, monkeypatch):
    ann.talk(1, monkeypatch)
    ann.data("team", "push")
    with team.server.admin(team.database) as link:
        link.execute("DELETE FROM leftoff.session_stats")
    assert ann.data("team", "push")["sessions"]["sent"] == 0
    assert ann.data("team", "push", "--again")["sessions"]["sent"] == 1


def test_text_goes_only_where_it_was_chosen_and_leaves_when_it_is_taken_back(
    team, ann, bob, monkeypatch
):
    ann.talk(1, monkeypatch)
    ann.run("team", "share", "text")
    assert ann.data("team", "push")["texts"]["sent"] == 2
    rows = team.rows("SELECT visibility, body FROM leftoff.session_text ORDER BY part")
    assert rows == [("team", "Please repair the cart"), ("team", "Done: the cart adds up.")]
    assert bob.data("session", "list", "--team")["sessions"][0]["about"] == "Please repair the cart"
    assert ann.data("team", "push")["texts"] == {"known": 0, "sent": 0}
    ann.run("team", "share", "figures")
    assert ann.data("team", "push")["withdrawn"] == 2
    assert team.rows("SELECT count(*) FROM leftoff.session_text") == [(0,)]
    assert team.rows("SELECT count(*) FROM leftoff.session_stats") == [(1,)]
    ann.run("team", "share", "off")
    ann.run("team", "push")
    assert team.rows("SELECT count(*) FROM leftoff.session_stats") == [(0,)]


def test_what_is_chosen_while_a_push_takes_back_holds_and_is_taken_back_next(
    team, ann, monkeypatch
):
    ann.talk(1, monkeypatch)
    ann.run("team", "share", "text")
    ann.run("team", "push")
    ann.run("team", "share", "figures")
    deleted = team_withdraw._deleted

    def meanwhile(*words):
        ann.run("team", "share", "off")
        return deleted(*words)

    with monkeypatch.context() as patch:
        patch.setattr(team_withdraw, "_deleted", meanwhile)
        ann.run("team", "push")
    assert ann.data("team", "share")["share"]["level"] == "off"
    ann.run("team", "push")
    assert team.rows("SELECT count(*) FROM leftoff.session_stats") == [(0,)]


def test_a_thread_may_be_shared_where_its_project_is_not(team, ann, monkeypatch):
    put_thread(ann.root)
    put_skill(ann.root)
    ann.run("team", "share", "documents", "--thread", "thread-1a2b3c4d")
    ann.run("team", "push")
    rows = team.rows("SELECT format, visibility FROM leftoff.checkpoints ORDER BY format")
    assert rows == [("skill", "private"), ("thread", "team")]


def test_pull_brings_what_others_share_beside_the_repository_marked_by_author(team, ann, bob):
    put_thread(ann.root)
    ann.run("team", "share", "documents")
    ann.run("team", "push")
    before = git("status", "--porcelain", cwd=bob.root)
    assert bob.data("team", "pull")["new"] == 1
    assert git("status", "--porcelain", cwd=bob.root) == before
    told = bob.run("resume", "thread-1a2b3c4d").stdout
    assert "Write the middleware" in told
    assert f"pushed by {ann.member.name}" in told
    assert bob.data("team", "pull")["new"] == 0
    ann.run("team", "share", "figures")
    ann.run("team", "push")
    assert bob.data("team", "pull")["gone"] == 1
    assert "a fresh start" in bob.run("resume", "thread-1a2b3c4d").stderr


def test_what_is_nested_too_deeply_to_be_read_is_left_out_of_a_pull_and_told(team, ann, bob):
    put_thread(ann.root)
    ann.run("team", "share", "documents")
    ann.run("team", "push")
    with team.server.admin(team.database) as link:
        deep = "[" * 3000 + "]" * 3000
        link.execute("UPDATE leftoff.checkpoints SET documents = %s::jsonb, hash = 'x'", [deep])
    told = json.loads(bob.run("team", "pull", "--json").stdout)
    assert told["data"]["new"] == 0
    assert [one["slug"] for one in told["findings"]] == ["not-pulled"]


def test_a_thread_pushed_on_one_machine_goes_on_at_another_with_its_paths(
    team, tmp_path, origin, ann
):
    other = Desk(team, tmp_path, "ann-elsewhere", ann.member).clone(origin)
    path = put_thread(ann.root)
    full = os.path.join(ann.root, path)
    with open(full, encoding="utf-8") as file:
        text = file.read()
    lines = f"## Key Files\n\n- {ann.root}/app.py\n- {ann.env['HOME']}/notes.md\n"
    put(ann.root, path, f"{text}\n{lines}")
    ann.run("team", "push")
    row = team.rows("SELECT documents::text FROM leftoff.checkpoints")[0][0]
    assert ann.root not in row
    assert ann.env["HOME"] not in row
    other.run("team", "pull")
    told = other.run("resume", "thread-1a2b3c4d").stdout
    assert f"{other.root}/app.py" in told
    assert f"{other.env['HOME']}/notes.md" in told
    assert ann.root not in told
    taken = other.data("team", "take", f"{ann.member.name}/thread-1a2b3c4d")
    assert len(taken["made"]) == 2
    assert "pushed by" not in other.run("resume", "thread-1a2b3c4d").stdout


def test_two_machines_of_one_person_are_merged_in_the_store(team, tmp_path, origin, ann):
    other = Desk(team, tmp_path, "ann-elsewhere", ann.member).clone(origin)
    for desk in (ann, other):
        put_markdown(desk.root, decisions="- Use RS256")
        desk.run("team", "push")
    put_markdown(ann.root, decisions="- Use RS256\n- Rotate keys weekly")
    ann.run("team", "push")
    put_markdown(other.root, decisions="- Use RS256\n- Log every refresh")
    other.run("team", "push")
    row = team.rows("SELECT documents::text FROM leftoff.checkpoints")
    assert len(row) == 1
    assert "Rotate keys weekly" in row[0][0]
    assert "Log every refresh" in row[0][0]
    put_markdown(other.root, decisions="- Use RS256\n- Log every refresh\n- Third thing")
    other.run("team", "push")
    row = team.rows("SELECT documents::text FROM leftoff.checkpoints")
    assert all(word in row[0][0] for word in ("Rotate keys weekly", "Log every", "Third thing"))
    ann.run("team", "pull")
    told = ann.run("resume", f"{ann.member.name}/chk-auth").stdout
    assert "Log every refresh" in told
    assert "pushed by" in told


def test_next_of_the_team_ranks_what_others_left(team, ann, bob):
    put_thread(ann.root)
    ann.run("team", "share", "documents")
    ann.run("team", "push")
    assert bob.data("next")["next"] is None
    found = bob.data("next", "--team")["next"]
    assert found["action"] == "Write the middleware"
    assert found["author"] == ann.member.name


def test_a_forgotten_session_leaves_the_store_and_no_other_machine_brings_it_back(
    team, tmp_path, origin, ann, monkeypatch
):
    other = Desk(team, tmp_path, "ann-elsewhere", ann.member).clone(origin)
    for desk in (ann, other):
        desk.talk(1, monkeypatch)
        desk.talk(2, monkeypatch)
        desk.run("team", "share", "text")
    ann.run("team", "push")
    ann.run("session", "forget", ident(1), HOME=ann.env["HOME"])
    assert ann.data("team", "push")["withdrawn"] == 3
    other.run("team", "push")
    for table in ("session_stats", "session_text"):
        assert team.rows(f"SELECT DISTINCT id FROM leftoff.{table}") == [(ident(2),)]


CANARIES = {
    "aws": "AKIA" + "Q3EGRVWXYZ2MNOPB",
    "github": "ghp_" + "q8Zr4tYw2mKx7Lp9Vb3Nc6Df1Gh5Js0AaBbCc",
    "password": "hunter2-Correct-Horse-99",
}


def test_no_secret_is_in_any_row(team, ann, monkeypatch):
    said = f"key {CANARIES['aws']} and {CANARIES['github']}, password = '{CANARIES['password']}'"
    ann.talk(1, monkeypatch, said)
    git("checkout", "-q", "-b", f"fix-{CANARIES['github']}", cwd=ann.root)
    monkeypatch.setenv("LEFTOFF_STATE", ann.env["LEFTOFF_STATE"])
    journal(2, started(HOUR, ann.root, branch=f"fix-{CANARIES['github']}"), (MINUTE, "stop"))
    put_skill(ann.root, progress_summary=said, next_actions=[{"text": "x", "done_when": "true"}])
    ann.run("done", "oc-demo", "1", "--verify", "--next", "y", ok=False)
    ann.run("team", "share", "text", "--visibility", "public")
    ann.run("team", "push")
    for table in team_tables.TABLES:
        rows = json.dumps(team.rows(f"SELECT t::text FROM leftoff.{table} t"))
        assert not [name for name, secret in CANARIES.items() if secret in rows], table
    assert team.rows("SELECT count(*) FROM leftoff.session_text")[0][0]
    assert team.rows("SELECT count(*) FROM leftoff.session_stats")[0][0] == 2


def test_sessions_whose_ids_no_text_of_the_store_holds_stop_nothing(team, ann, monkeypatch):
    ann.talk(1, monkeypatch)
    half, other, nul = "odd\udc80one", "odd\udc81one", "odd\0one"
    for n, name in ((2, half), (3, other)):
        path = Talk(n, ann.root).ask(HOUR, "An odd one").answer(HOUR, "Fine.").save()
        os.rename(path, os.path.join(os.path.dirname(path), f"{name}.jsonl"))
    monkeypatch.setattr(five_clients, "UUID", nul)
    monkeypatch.setattr(five_clients, "_write", lambda folder, _, *rest, w=five_clients._write: w(
        folder, "rollout-2026-08-08T11-00-00-odd.jsonl", *rest))  # fmt: skip
    five_clients.codex(ann.root)
    ann.run("team", "share", "text")
    told = json.loads(ann.run("team", "push", "--json").stdout)
    assert told["data"]["sessions"] == {"known": 4, "sent": 4}
    for table in ("session_stats", "session_text"):
        ids = {row[0] for row in team.rows(f"SELECT id FROM leftoff.{table}")}
        assert len(ids) == 4, "two sessions are never one row"
        assert {one.partition("~")[0] for one in ids} == {ident(1), "odd?one", "oddone"}
    said = [one["text"] for one in told["findings"] if one["slug"] == "odd-id"]
    assert {one.rpartition(" ")[2] for one in said} == ids - {ident(1)}
    assert ann.data("team", "push")["sessions"] == {"known": 4, "sent": 0}
    assert ann.data("team", "push")["texts"]["sent"] == 0


def test_a_session_with_an_odd_id_can_be_forgotten(team, ann, monkeypatch):
    for n, name in ((2, "odd\udc80one"), (3, "odd\udc81one")):
        monkeypatch.setenv("HOME", ann.env["HOME"])
        path = Talk(n, ann.root).ask(HOUR, "An odd one").answer(HOUR, "Fine.").save()
        os.rename(path, os.path.join(os.path.dirname(path), f"{name}.jsonl"))
    ann.run("team", "push")
    stone = Tombstone("claude-code", "odd\udc80one", FORGOTTEN, 1.0)
    bury(ann.env["LEFTOFF_STATE"], stone)
    assert ann.data("team", "push")["withdrawn"] == 1
    assert team.rows("SELECT count(*) FROM leftoff.session_stats")[0][0] == 1
    assert ann.data("team", "push")["withdrawn"] == 0


def test_sessions_whose_ids_are_secrets_are_rows_of_their_own(team, ann, monkeypatch):
    monkeypatch.setenv("HOME", ann.env["HOME"])
    names = [CANARIES["github"], CANARIES["github"][:-1] + "7"]
    for n, name in enumerate(names, 2):
        path = Talk(n, ann.root).ask(HOUR, "An odd one").answer(HOUR, "Fine.").save()
        os.rename(path, os.path.join(os.path.dirname(path), f"{name}.jsonl"))
    assert ann.data("team", "push")["sessions"]["sent"] == 2
    ids = [row[0] for row in team.rows("SELECT id FROM leftoff.session_stats")]
    assert len({*ids}) == 2
    assert {one.partition("~")[0] for one in ids} == {"[redacted:github]"}


def test_a_checkpoint_whose_name_no_text_of_the_store_holds_stops_nothing(team, ann, monkeypatch):
    ann.talk(1, monkeypatch)
    put_skill(ann.root, "oc-fine")
    put_skill(ann.root, "oc-odd", skill="oc-\0odd")
    put_skill(ann.root, "oc-half", skill="oc-XXodd")
    half = os.path.join(ann.root, ".checkpoints", "oc-half.checkpoint.json")
    with open(half, encoding="utf-8") as file:
        put(ann.root, ".checkpoints/oc-half.checkpoint.json", file.read().replace("XX", "\\ud800"))
    told = ann.data("team", "push")
    assert (told["sessions"]["sent"], told["documents"]["sent"]) == (1, 3)
    assert ann.data("team", "push")["documents"]["sent"] == 0
