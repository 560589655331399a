"""Sessions as this machine knows them: journals and transcripts together, of one project or all."""

from __future__ import annotations

import os
import shutil
import types

import pytest

from histories import DAY, HOUR, NOW, Talk, aged, delegated, ident, journal, started, state
from leftoff import agents
from leftoff.core import session as s
from leftoff.core.caller import Caller, Process
from leftoff.errors import Ambiguous, NotFound, Usage
from leftoff.world.agent_traces import FOLDERS, any_here
from leftoff.world.calling_session import calling
from leftoff.world.clients import logs_folder
from leftoff.world.commits import checked
from leftoff.world.liveness import here
from leftoff.world.sessions import latest, sessions
from support import git, repo


@pytest.fixture
def root(tmp_path):
    return repo(tmp_path)


def known(root="", *, alive=lambda _: None, **more):
    return sessions(state(), os.environ, NOW, root=root, alive=alive, **more)


def test_journal_and_transcript_are_one_session(root):
    journal(1, started(HOUR, root, commit="a" * 40), (HOUR - 1, "prompt"))
    Talk(1, root).ask(HOUR, "Fix the login").answer(HOUR - 10, "Done", 5000).save()
    [one] = known(root)
    assert (one.id, one.origin, one.commit) == (ident(1), s.JOURNAL, "a" * 40)
    assert (one.stats.asked, one.stats.context, one.seen) == (
        "Fix the login",
        5000,
        NOW - HOUR + 10,
    )


def test_a_transcript_in_another_folder_is_found_by_the_journal_that_names_it(root, tmp_path):
    path = Talk(1, root).ask(HOUR, "Fix the login").answer(HOUR - 10, "Done", 5000).save()
    moved = shutil.move(path, tmp_path / "elsewhere.jsonl")
    assert known(root) == []
    journal(1, started(HOUR, root, transcript=str(moved)))
    journal(2, started(HOUR, root, transcript=str(tmp_path / "gone.jsonl")), (HOUR, "prompt"))
    found = {one.id: one.stats.asked for one in known(root)}
    assert found == {ident(1): "Fix the login", ident(2): ""}


def test_a_session_is_of_the_project_that_its_journal_names(root, tmp_path):
    other = repo(tmp_path / "other")
    Talk(1, other).ask(HOUR, "Look around").save()
    assert [[*map(name, some)] for some in both(root, other)] == [[], [ident(1)]]
    journal(1, started(HOUR, root), (HOUR, "prompt"))
    for of_root, of_other in (both(root, other), both(root, other, glance)):
        assert [(one.id, one.root, one.stats.asked) for one in of_root] == [
            (ident(1), root, "Look around")
        ]
        assert of_other == []


def test_a_subagent_that_works_elsewhere_does_not_take_its_session_along(root, tmp_path):
    other = repo(tmp_path / "other")
    path = aged(Talk(1, root).ask(HOUR, "Plan").answer(HOUR, "ok", 100).save(), HOUR)
    delegated(path, Talk(1, other).ask(0, "Look").answer(0, "ok", 200))
    for of_root, of_other in (both(root, other), both(root, other, glance)):
        assert ([*map(name, of_root)], of_other) == ([ident(1)], [])
    assert known(root)[0].stats.lines == 4  # it counts for its session all the same


def test_who_continues_a_session_of_another_project_is_on_its_thread(root, tmp_path):
    other = repo(tmp_path / "other")
    journal(1, started(3 * HOUR, other), (3 * HOUR, "bind", {"thread": "thread-1a2b3c4d"}))
    journal(2, started(2 * HOUR, other, **{"from": ident(1)}), (2 * HOUR, "prompt"))
    journal(3, started(HOUR, root, **{"from": ident(2)}), (HOUR, "prompt"))
    for some in (known(root), glance(root), known()):
        [one] = [one for one in some if one.id == ident(3)]
        assert one.thread == "thread-1a2b3c4d"


def both(root, other, ask=known):
    return ask(root), ask(other)


def glance(root):
    return latest(state(), os.environ, root, 3, room=1 << 20, now=NOW)


def name(one):
    return one.id


def test_a_session_that_only_a_transcript_tells_of_is_as_good_as_any(root):
    Talk(1, root, "side").ask(2 * HOUR, "Write docs").answer(2 * HOUR - 60, "Written").save()
    [one] = known(root)
    assert (one.agent, one.branch, one.root) == ("claude-code", "side", root)
    assert (one.ended, one.reason) == (NOW - 2 * HOUR + 60, "other")
    assert s.state(one, NOW, {"stale.session": HOUR, "history.recent": 3 * DAY}) == s.RECENT


@pytest.mark.req("X.session.identity")
def test_two_sessions_that_interleave_do_not_mix(root):
    for n in (1, 2):
        journal(n, started(HOUR - n, root), (600 - n, "note", {"text": f"note {n}"}))
        Talk(n, root).ask(HOUR, f"task {n}").answer(500, f"answer {n}", 1000 * n).save()
    found = {one.id: one for one in known(root)}
    for n in (1, 2):
        one = found[ident(n)]
        assert [note.text for note in one.notes] == [f"note {n}"]
        assert (one.stats.asked, one.stats.context) == (f"task {n}", 1000 * n)


def test_a_project_is_all_its_working_trees_and_folders_and_nothing_else(root, tmp_path):
    tree, other = os.path.join(tmp_path, "tree"), os.path.join(tmp_path, "other")
    git("worktree", "add", "--quiet", tree, cwd=root)
    os.makedirs(os.path.join(root, "deep", "er"))
    nested = repo(os.path.join(root, "deep"))
    os.makedirs(other)
    places = [root, tree, os.path.join(root, "deep", "er"), nested, other, root + "-2"]
    for n, place in enumerate(places):
        Talk(n, place).ask(60, "Work").answer(50, "ok").save()
        journal(n + 10, (60, "start", {"cwd": place, "root": place}))
    mine = {ident(n) for n in (0, 1, 2, 10, 11, 12)}
    assert {one.id for one in known(root)} == mine
    assert {one.id for one in known(tree)} == mine
    assert len(known()) == 12


def test_the_sessions_of_a_working_tree_that_is_gone_still_belong(root):
    gone = os.path.join(root, ".claude", "worktrees", "x")
    Talk(1, gone).ask(60, "Work").answer(50, "ok").save()
    assert [one.id for one in known(root)] == [ident(1)]


def test_ghosts_are_left_out_and_subagents_count_for_their_parent(root):
    hello = started(90, root, entrypoint="sdk-ts")
    journal(1, hello, (89, "prompt"), (88, "end", {"source": "other"}))
    main = Talk(2, root).ask(60, "Work").answer(50, "ok", 100).save()
    below = os.path.join(main.removesuffix(".jsonl"), "subagents")
    os.makedirs(below)
    helper = Talk(2, root).ask(55, "Look").answer(54, "Found", 70)
    helper.lines = [line.replace('"uuid"', '"isSidechain": true, "uuid"') for line in helper.lines]
    helper.lines = [line.replace("-m1", "-sub") for line in helper.lines]
    shutil.move(Talk(3, root).save(), os.path.join(below, "agent-x.jsonl"))
    with open(os.path.join(below, "agent-x.jsonl"), "w", encoding="utf-8") as file:
        file.write("\n".join(helper.lines) + "\n")
    [one] = known(root)
    assert (one.id, one.stats.tokens.total) == (ident(2), 105 + 75)


def test_what_cannot_be_read_is_told_and_hides_nothing(root):
    journal(1, started(60, root), torn='{"at": 12, "ev')
    path = journal(2, started(60, root))
    with open(path, "w", encoding="utf-8") as file:
        file.write("no line at all\n")
    Talk(3, root).ask(60, "Work").answer(50, "ok").save(torn='{"type": "user", "mess\n')
    found = {one.id: one for one in known()}
    assert found[ident(1)].skipped == 1
    assert ident(2) in found[ident(2)].trouble
    assert found[ident(3)].stats.skipped == 1


@pytest.mark.req("D.life.stale")
def test_age_decides_where_nobody_knows_of_the_process_and_life_where_one_does(root):
    journal(1, started(2 * HOUR, root, pid=7), (2 * HOUR, "prompt"))
    asked = []

    def alive(client):
        asked.append(client.pid)
        return True

    limits = {"stale.session": HOUR, "history.recent": 3 * DAY}
    assert s.state(known(root)[0], NOW, limits) == s.STALE
    assert s.state(known(root, alive=alive)[0], NOW, limits) == s.ACTIVE
    assert asked == [7]


def test_the_latest_of_a_project_are_its_newest_few(root):
    for n in range(1, 6):
        path = Talk(n, root).ask(n * 60, f"task {n}").answer(n * 60 - 1, "ok").save()
        os.utime(path, (NOW - n * 60, NOW - n * 60))
    found = latest(state(), os.environ, root, 2, room=0)
    assert [one.stats.asked for one in found] == ["task 1", "task 2"]
    assert not os.path.exists(os.path.join(state(), "cache", "logs.bin"))
    whole = latest(state(), os.environ, root, 2, room=1 << 20)
    assert [one.stats.asked for one in whole] == ["task 1", "task 2"]


def test_a_glance_is_not_misled_by_newer_sessions_of_a_project_inside_this_one(root):
    nested = repo(os.path.join(root, "inside"))
    mine = Talk(9, root).ask(9 * HOUR, "Mine").answer(9 * HOUR, "ok").save()
    os.utime(mine, (NOW - 9 * HOUR, NOW - 9 * HOUR))
    for n in range(1, 6):
        Talk(n, nested).ask(n * 60, "Theirs").answer(n * 60, "ok").save()
    assert [one.stats.asked for one in latest(state(), os.environ, root, 1, room=0)] == ["Mine"]


def test_a_glance_at_the_end_of_a_transcript_shows_no_secret(root):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    Talk(1, root).ask(60, f"Use {secret}").answer(50, "ok").save()
    [one] = latest(state(), os.environ, root, 1, room=0)
    assert one.stats.asked.startswith("Use ")
    assert secret not in str(one)


def test_the_folders_that_status_looks_for_are_those_of_the_adapters():
    adapters = [agents.load(name) for name in agents.names()]
    for env in (
        {"HOME": "/h"},
        dict.fromkeys([f[0] for f in FOLDERS.values()], "/v") | {"HOME": "/h"},
    ):
        told = {logs_folder(one, env) for one in adapters if one.LOGS.reader}
        ours = set()
        for variable, below, home in FOLDERS.values():
            named = env.get(variable)
            ours.add(os.path.normpath(f"{named}/{below}" if named else f"/h/{home}"))
        assert ours == {os.path.normpath(folder) for folder in told}


def test_a_machine_without_traces_is_known_as_such(tmp_path):
    home = {"HOME": str(tmp_path)}
    assert not any_here(str(tmp_path / "state"), home)
    os.makedirs(tmp_path / ".codex" / "sessions")
    assert any_here(str(tmp_path / "state"), home)


def asked(env=None, session=None, ancestors=()):
    store = types.SimpleNamespace(state=state())
    return types.SimpleNamespace(
        args=types.SimpleNamespace(session=session),
        env={"HOME": os.environ["HOME"], **(env or {})},
        store=store,
        caller=lambda: Caller(ancestors=tuple(ancestors)),
    )


@pytest.mark.req("X.session.identity")
def test_the_calling_session_is_never_guessed_from_the_newest_transcript(root):
    Talk(1, root).ask(1, "Work").answer(1, "ok").save()
    assert calling(asked()) is None


@pytest.mark.req("X.session.identity")
def test_an_option_then_our_variable_then_the_clients_name_the_calling_session():
    journal(1, (60, "start"))
    journal("c-1", (60, "start"), agent="codex")
    env = {"LEFTOFF_SESSION": "codex/c-1", "CLAUDE_CODE_SESSION_ID": "x-9"}
    assert calling(asked(env, session=ident(1)[:6])) == ("claude-code", ident(1))
    assert calling(asked(env)) == ("codex", "c-1")
    del env["LEFTOFF_SESSION"]
    assert calling(asked(env)) == ("claude-code", "x-9")


def test_of_two_clients_one_in_the_other_the_nearest_process_decides():
    env = {"CLAUDE_CODE_SESSION_ID": "x-9", "GEMINI_SESSION_ID": "g-1"}
    with pytest.raises(Ambiguous):
        calling(asked(env))
    nearest = [Process(3, "bash"), Process(2, "gemini", ("gemini",))]
    assert calling(asked(env, ancestors=nearest)) == ("gemini-cli", "g-1")


def test_else_the_nearest_process_that_a_journal_names(root):
    place = dict(zip(("boot", "ns", "host"), here()[2:5], strict=True))
    client = {"pid": 70, "began": "5", **place}
    journal(1, started(60, root, **client))
    above = [Process(90, "bash", started="9"), Process(70, "claude", started="5")]
    assert calling(asked(ancestors=above)) == ("claude-code", ident(1))
    assert calling(asked(ancestors=[above[1]._replace(started="6")])) is None
    journal(1, (30, "end", {"source": "clear"}))
    assert calling(asked(ancestors=above)) is None
    journal(2, started(20, root, **client))
    assert calling(asked(ancestors=above)) == ("claude-code", ident(2))
    journal(3, started(10, root, **client))
    with pytest.raises(Ambiguous, match="several"):
        calling(asked(ancestors=above))


def test_a_name_that_fits_none_or_many_is_refused():
    journal("abc-1", (60, "start"))
    journal("abc-2", (60, "start"))
    for name, error in (("zzz", NotFound), ("abc", Ambiguous), ("a/../b", Usage)):
        with pytest.raises(error):
            calling(asked(session=name))
    assert calling(asked(session="abc-1")) == ("claude-code", "abc-1")


@pytest.mark.req("D.stat.commits")
def test_commits_are_checked_against_git_where_that_can_be_asked(root):
    now = float(git("log", "-1", "--format=%ct", cwd=root))
    one = s.Session("a", "b", root=root, started=now - 5, seen=now + 5)
    counted = one._replace(stats=one.stats._replace(commits=4))
    assert checked(counted, os.environ) == (1, 4, "git")
    assert checked(counted._replace(started=now + 1), os.environ) == (0, 4, "git")
    assert checked(counted._replace(root="/nowhere"), os.environ) == (4, 4, "commands")
