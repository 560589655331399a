"""session: list, info, stats, reconcile, export, note, keep; and what status says of sessions."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile

import pytest

from callers import PERSON, at_terminal
from histories import DAY, HOUR, MINUTE, Talk, grow, ident, journal, started, state
from leftoff.entry import terminal
from leftoff.entry.calls import answer
from leftoff.formats import session as registry_json
from leftoff.world import log_cache
from leftoff.world.liveness import here
from projects import NOW, get, put, put_skill
from support import run
from test_imports import TOO_EXPENSIVE, probe, third_party

AUTH = "outcomes/in-progress/005-auth/outcome_track.json"
REGISTRY = "status/sessions_summary.json"


def session(root, *words, code=0, env=None):
    done = run("session", *words, "--now", NOW, cwd=root, env=env or {})
    assert done.returncode == code, done.stderr
    return done


def data(root, *words, env=None):
    return json.loads(session(root, *words, "--json", env=env).stdout)["data"]


def listed(root, *words):
    return {one["id"]: one for one in data(root, "list", *words)["sessions"]}


def dead(**more):
    """The facts of a client that ran on this machine and is gone."""
    place = dict(zip(("boot", "ns", "host"), here()[2:5], strict=True))
    return {"pid": 2**22 + 1, "began": "1", **place, **more}


def print_of(*folders):
    """One number for every byte below some folders, but for what can be deleted at any time."""
    seen = hashlib.sha256()
    for folder in folders:
        for place, inside, names in os.walk(folder):
            inside[:] = sorted(name for name in inside if name != "cache")
            for name in sorted(names):
                with open(os.path.join(place, name), "rb") as file:
                    seen.update(f"{place}/{name}".encode() + file.read())
    return seen.hexdigest()


@pytest.mark.req("D.life.active", "D.life.stale", "D.life.prune")
def test_the_list_has_active_stale_and_recent_ones_and_the_others_on_request(root):
    journal(1, started(60, root))
    journal(2, started(HOUR, root), (HOUR, "prompt"))
    journal(3, started(HOUR + 1, root), (HOUR + 1, "prompt"))
    journal(4, started(4 * DAY, root), (72 * HOUR, "end", {"source": "clear"}))
    journal(5, started(4 * DAY, root), (72 * HOUR + 1, "end", {"source": "clear"}))
    states = {name: one["state"] for name, one in listed(root).items()}
    assert [states[ident(n)] for n in (1, 2, 3, 4)] == ["active", "active", "stale", "recent"]
    assert ident(5) not in states
    assert listed(root, "--all")[ident(5)]["state"] == "archived"
    shown = session(root, "list").stdout
    assert "1 older" in shown
    assert "a crash, a lost network or a closed terminal" in shown


@pytest.mark.req("D.index.branch", "D.index.outcome")
def test_sessions_are_found_by_branch_outcome_agent_and_time(root):
    journal(1, started(60, root, branch="side"), (50, "note", {"outcome": AUTH}))
    journal(2, started(9 * HOUR, root), (9 * HOUR, "end", {"source": "exit"}))
    journal(3, started(60, root, branch="side"), agent="codex")
    assert set(listed(root, "--branch", "side")) == {ident(1), ident(3)}
    assert set(listed(root, "--outcome", AUTH)) == {ident(1)}
    assert set(listed(root, "--agent", "codex")) == {ident(3)}
    assert set(listed(root, "--since", "2h")) == {ident(1), ident(3)}


def test_an_option_of_another_action_is_refused(root):
    done = session(root, "list", "--dry-run", code=2)
    assert "session list does not take --dry-run" in done.stderr


def test_a_project_shows_its_own_and_everywhere_all(root, tmp_path):
    journal(1, started(60, root))
    journal(2, started(60, str(tmp_path)))
    assert set(listed(root)) == {ident(1)}
    assert set(listed(root, "--everywhere")) == {ident(1), ident(2)}


TODO = {
    "todos": [{"content": "Sign", "status": "completed"}, {"content": "Test", "status": "pending"}]
}


def worked(n, root):
    """A session with a journal and a transcript."""
    journal(n, started(42 * MINUTE, root), (30 * MINUTE, "prompt"), (20 * MINUTE, "stop"))
    talk = Talk(n, root).ask(42 * MINUTE, "Fix the login")
    talk.answer(40 * MINUTE, "", 20_000, ("Edit", {"file_path": f"{root}/app.py"}))
    talk.answer(30 * MINUTE, "", 30_000, ("TodoWrite", TODO))
    return talk.answer(20 * MINUTE, "Done", 40_000).save()


@pytest.mark.req("D.during.tools")
def test_tools_and_files_are_counted_while_the_session_runs(root):
    journal(1, started(HOUR, root))
    talk = Talk(1, root).ask(HOUR, "Fix the login")
    counts = []
    for at in range(3):
        talk.answer(HOUR - at, "", 10, ("Edit", {"file_path": f"{root}/{at}.py"})).save()
        one = data(root, "info")["session"]
        counts.append((one["state"], one["files"], one["tools"]["Edit"]))
    assert counts == [("active", 1, 1), ("active", 2, 2), ("active", 3, 3)]


@pytest.mark.req("D.info.session", "D.end.duration")
def test_info_has_the_six_values_of_journal_and_transcript(root):
    worked(1, root)
    one = data(root, "info")["session"]
    assert (one["id"], one["running_seconds"]) == (ident(1), 42 * 60)
    assert (one["events"], one["files"]) == (3, 1)
    assert (one["tasks"], one["tokens"]) == ({"completed": 1, "open": 1}, 90_015)
    assert one["tools"] == {"Edit": 1, "TodoWrite": 1}
    shown = session(root, "info").stdout
    assert "newest one of this project" in shown
    assert one["resume"] == f"claude --resume {ident(1)}"
    assert one["resume"] in shown


def test_a_session_without_a_transcript_cannot_be_gone_on_with(root):
    journal(1, started(60, root, transcript="/nowhere.jsonl"))
    assert data(root, "info", ident(1))["session"]["resume"] is None


@pytest.mark.req("D.info.session", "X.session.identity")
def test_info_is_about_the_calling_session_and_says_so(root):
    worked(1, root)
    journal(2, started(1, root))
    env = {"LEFTOFF_SESSION": f"claude-code/{ident(1)}"}
    told = data(root, "info", env=env)
    assert (told["why"], told["session"]["id"]) == ("calling", ident(1))
    assert data(root, "info")["session"]["id"] == ident(2)
    assert data(root, "info", ident(1)[:8])["why"] == "named"


ORDER = ("Last session", "Outcomes and tasks", "Key decisions", "Next steps", "Stale sessions")


@pytest.mark.req("D.info.context", "D.last.order", "D.stale.visible", "D.during.outcomes")
def test_info_shows_its_sections_in_order_and_says_none_where_there_is_nothing(root):
    journal(1, started(60, root))
    empty = session(root, "info").stdout
    assert [empty.index(title) for title in ORDER] == sorted(empty.index(t) for t in ORDER)
    assert empty.count("\nnone\n") == 6
    said = {"text": "Signed it", "decisions": ["Use RS256"], "next": ["Add tests"]}
    journal(2, started(9 * HOUR, root), (8 * HOUR, "note", said), (7 * HOUR, "end", {}))
    journal(3, started(3 * HOUR, root), (3 * HOUR, "prompt"))
    journal(4, started(2 * HOUR, root), (2 * HOUR, "prompt"))
    journal(
        1, (50, "note", {"outcome": AUTH, "task": "Refresh"}), (40, "note", {"outcome": "docs"})
    )
    shown = session(root, "info").stdout
    places = [
        shown.index(text)
        for text in ("Signed it", f"{AUTH} · Refresh", "docs", "Use RS256", "Add tests", ident(3))
    ]
    assert places == sorted(places)
    assert shown.count("⚠") == 2
    assert "leftoff session reconcile" in shown


def test_an_empty_list_speaks_of_days_only_where_there_are_older_sessions(root):
    assert session(root, "list", "--all").stdout == "No agent session was found.\n"
    grow(root, 1, 12 * DAY)
    assert session(root, "list").stdout.startswith(
        "No agent session in the last few days.\n(1 older"
    )
    assert "No agent session was found." in session(root, "list", "--agent", "codex").stdout


@pytest.mark.parametrize(("hours", "told"), [(2, "2h"), (24 * 12, "12d")])
def test_how_long_a_session_was_silent_is_told_in_hours_or_days(root, hours, told):
    journal(1, started((hours + 1) * HOUR, root), (hours * HOUR, "prompt"))
    assert f"no sign of life for {told} (" in session(root, "info").stdout
    assert f"last seen {told} ago" in session(root, "reconcile", "--dry-run").stdout


@pytest.mark.req("D.last.paths")
@pytest.mark.parametrize("inside", [True, False])
def test_info_reads_decisions_and_steps_of_a_registry_in_either_place(root, inside):
    journal(1, started(60, root))
    said = {"keyDecisions": ["Using RS256"], "nextSteps": ["Add tests"]}
    last = {"sessionId": "sess-xyz", "completedAt": "2026-08-01T10:00:00Z", "outcomes": []}
    last |= {"context": said} if inside else said
    put(root, REGISTRY, json.dumps({"activeSessions": [], "lastWorked": last}))
    shown = session(root, "info").stdout
    assert "- Using RS256" in shown
    assert "- Add tests" in shown


@pytest.mark.req("D.end.stats")
def test_stats_are_complete_and_name_their_method(root):
    worked(1, root)
    one = data(root, "stats", ident(1))["session"]["stats"]
    assert (one["tokensConsumed"], one["tasksCompleted"]) == (90_015, 1)
    assert one["filesModified"] == ["app.py"]
    assert one["commits"]["method"] == "git"
    assert one["toolUsageCounts"] == {"Edit": 1, "TodoWrite": 1}
    assert "in git log" in session(root, "stats", ident(1)).stdout


@pytest.mark.req("D.stat.broken")
def test_a_missing_transcript_gives_zeros_and_a_note_and_torn_lines_are_counted(root):
    journal(1, started(60, root, transcript="/nowhere.jsonl"))
    shown = session(root, "stats", ident(1))
    assert "its transcript is not there" in shown.stdout
    half = os.path.join(root, "half.jsonl")
    put(root, "half.jsonl", '{"type": "us')
    journal(3, started(60, root, transcript=half))
    assert "has no whole line yet" in session(root, "stats", ident(3)).stdout
    Talk(2, root).ask(60, "Work").answer(50, "ok").save(torn='{"a\n\n')
    assert data(root, "stats", ident(2))["session"]["stats"]["skipped"] == 2


NO_LINE = "its transcript has no whole line yet"


@pytest.mark.parametrize(
    ("kept", "finding", "note"),
    [
        (b"\0\0\0\0\n\0\n", "unreadable lines of its transcript, left out: 2", "could not be read"),
        (b"\0" * 50, NO_LINE, NO_LINE),
        (b'{"type": "us', NO_LINE, NO_LINE),
        (b"", "", NO_LINE),
        (None, "", "its transcript is not there"),
    ],
)
def test_list_and_info_tell_of_a_transcript_in_which_no_line_is_readable(root, kept, finding, note):
    path = os.path.join(root, "talk.jsonl")
    if kept is not None:
        with open(path, "wb") as file:
            file.write(kept)
    journal(1, started(60, root, transcript=path))
    told = [f"info: claude-code/{ident(1)}: {finding}"] if finding else []
    for words in (("list",), ("list", "--all", "--limit", "5"), ("info",)):
        assert session(root, *words).stderr.splitlines() == told
    assert note in session(root, "info").stdout
    assert note in session(root, "stats", ident(1)).stdout


def test_a_transcript_without_a_readable_line_is_listed_though_it_names_no_project(root):
    path = Talk(1, root).ask(60, "Work").answer(50, "ok").save()
    with open(path, "wb") as file:
        file.write(b"\0\0\0\n")
    shown = session(root, "list", "--everywhere", "--all")
    assert ident(1)[:8] in shown.stdout
    assert "unreadable lines of its transcript, left out: 1" in shown.stderr


def test_sums_go_over_days_agents_projects_and_models(root, tmp_path):
    worked(1, root)
    Talk(2, str(tmp_path)).ask(2 * DAY, "Write").answer(2 * DAY, "ok", 1000).save()
    by_agent = data(root, "stats", "--by", "agent")
    assert [(row["name"], row["sessions"]) for row in by_agent["rows"]] == [("claude-code", 1)]
    for by, names in (
        ("day", ["2026-08-08", "2026-08-06"]),
        ("project", sorted([str(tmp_path), root])),
        ("model", ["claude-sonnet-4-6"]),
    ):
        told = data(root, "stats", "--all", "--by", by)
        assert [row["name"] for row in told["rows"]] == names
        assert told["total"]["tokens"] == 90_015 + 1005
    assert "all" in session(root, "stats", "--all").stdout


def test_sums_of_all_are_the_same_again_and_follow_every_change(root):
    worked(1, root)
    journal(2, started(60, root, transcript="/nowhere.jsonl"), (30, "prompt"))
    first = data(root, "stats", "--all")
    assert first == data(root, "stats", "--all")
    assert (first["total"]["sessions"], first["total"]["tokens"]) == (2, 90_015)
    Talk(3, root).ask(60, "Write").answer(50, "ok", 1000).save()
    assert data(root, "stats", "--all")["total"]["sessions"] == 3
    journal(4, started(60, root), (30, "prompt"))
    assert data(root, "stats", "--all")["total"]["sessions"] == 4
    assert data(root, "stats", "--all", "--by", "agent") == data(root, "stats", "--all")


def test_a_session_that_may_still_turn_out_a_ghost_is_looked_at_each_time(root):
    journal(1, started(60, root, pid=os.getpid()))
    worked(2, root)
    assert data(root, "stats", "--all")["total"]["sessions"] == 2
    assert not os.path.exists(os.path.join(state(), "cache", "session-sums.bin"))


@pytest.mark.req("D.life.reconcile", "D.stale.crash", "X.session.dry-run")
def test_only_reconciliation_ends_a_stale_session_and_a_dry_run_writes_nothing(root):
    journal(1, started(5 * HOUR, root, **dead()), (4 * HOUR, "prompt"))
    Talk(1, root).ask(5 * HOUR, "Fix it").answer(4 * HOUR, "", 20_000).save()
    journal(2, started(3 * HOUR, root), (2 * HOUR, "prompt"))
    journal(3, started(60, root), (30, "prompt"))
    before = print_of(state(), root)
    for words in (("list",), ("info",), ("stats",), ("export",), ("list", "--all")):
        session(root, *words)
    planned = data(root, "reconcile", "--dry-run")["plan"]
    assert print_of(state(), root) == before
    assert [(one["id"], one["reason"]) for one in planned] == [
        (ident(2), "timeout"),
        (ident(1), "crash"),
    ]
    assert data(root, "reconcile")["plan"] == planned
    after = listed(root)
    assert {after[ident(n)]["state"] for n in (1, 2)} == {"recent"}
    assert (after[ident(1)]["reason"], after[ident(1)]["tokens"]) == ("crash", 20_005)
    assert after[ident(3)]["state"] == "active"
    assert data(root, "reconcile")["plan"] == []


@pytest.mark.req("D.life.reconcile")
def test_a_session_that_was_long_quiet_is_recent_once_it_is_ended(root):
    journal(1, started(200 * HOUR, root), (199 * HOUR, "prompt"))
    assert listed(root)[ident(1)]["state"] == "stale"
    assert [one["hours"] for one in data(root, "reconcile")["plan"]] == [199]
    assert listed(root)[ident(1)]["state"] == "recent"


@pytest.mark.parametrize(
    ("agent", "last", "reason"),
    [
        ("opencode", {"event": "stop"}, "other"),
        ("opencode", {"event": "prompt"}, "crash"),
        ("opencode", {"event": "stop", "failed": "it broke"}, "crash"),
        ("claude-code", {"event": "stop"}, "crash"),
        ("somebody-else", {"event": "stop"}, "crash"),
    ],
)
def test_a_client_without_an_end_event_did_not_crash_because_its_process_is_gone(
    root, agent, last, reason
):
    event = last.pop("event")
    journal(1, started(60, root, **dead()), (50, "prompt"), (40, event, last), agent=agent)
    assert [one["reason"] for one in data(root, "reconcile")["plan"]] == [reason]


@pytest.mark.req("D.life.reconcile")
def test_a_session_whose_transcript_lies_in_a_temporary_folder_is_kept(root):
    journal(
        1,
        started(5 * HOUR, root, transcript=os.path.join(tempfile.gettempdir(), "x.jsonl")),
        (4 * HOUR, "prompt"),
    )
    session(root, "reconcile")
    assert listed(root)[ident(1)]["state"] == "recent"


@pytest.mark.req("D.last.shape", "D.stale.marks", "D.life.recent")
def test_the_export_is_a_valid_registry_of_schema_1_1_0(root):
    worked(1, root)
    journal(2, started(5 * HOUR, root), (2 * HOUR, "prompt"))
    said = {"text": "Signed", "outcome": AUTH, "next": ["Add tests"]}
    journal(3, started(9 * HOUR, root), (8 * HOUR, "note", said), (7 * HOUR, "end", {"dirty": 1}))
    text = session(root, "export").stdout
    assert not registry_json.check(text, REGISTRY)
    whole = json.loads(text)
    assert whole["lastWorked"]["context"]["nextSteps"] == ["Add tests"]
    assert [one["sessionId"] for one in whole["staleSessionsDetected"]] == [ident(2)]
    assert whole["indexByOutcome"] == {AUTH: [ident(3)]}
    assert whole["recentHistory"][0]["uncommittedFiles"] == 1


@pytest.mark.req("D.last.shape")
def test_an_existing_registry_is_updated_in_place_and_keeps_what_is_not_ours(root):
    journal(3, started(9 * HOUR, root), (7 * HOUR, "end", {"source": "exit"}))
    assert "there is no status" in session(root, "export", "--write", code=3).stderr
    old = {"generation": 7, "activeSessions": [], "recentHistory": [], "lastWorked": None}
    put(root, REGISTRY, json.dumps(old, indent=4))
    session(root, "export", "--write")
    text = get(root, REGISTRY)
    whole = json.loads(text)
    assert (whole["generation"], whole["lastWorked"]["sessionId"]) == (7, ident(3))
    assert '\n    "generation"' in text
    assert not [f for f in registry_json.check(text, REGISTRY) if f.level == "error"]
    session(root, "export", "--write")
    assert get(root, REGISTRY) == text


def test_what_an_update_of_the_registry_drops_is_in_the_trash(root):
    gone = {"sessionId": "sess-old", "completedAt": "2026-08-01T10:00:00Z"}
    put(root, REGISTRY, json.dumps({"activeSessions": [], "recentHistory": [gone]}))
    session(root, "export", "--write")
    assert "sess-old" not in get(root, REGISTRY)
    places = [place for place, _, names in os.walk(f"{state()}/trash") if names]
    assert "sess-old" in get(places[0], "sessions_summary.json")


@pytest.mark.req("D.end.accomplishments", "D.during.outcomes")
def test_a_note_goes_to_the_session_that_calls(root):
    journal(1, started(60, root))
    env = {"CLAUDE_CODE_SESSION_ID": ident(1)}
    words = ("-m", "Signed", "--decision", "RS256", "--next", "Test", "--outcome", AUTH)
    session(root, "note", *words, "--task", "Refresh", env=env)
    one = data(root, "info")["session"]
    assert (one["decisions"], one["next"]) == (["RS256"], ["Test"])
    assert one["focused"] == [{"outcome": AUTH, "task": "Refresh", "at": NOW}]
    journal(1, (0, "end", {"source": "exit"}))
    last = json.loads(session(root, "export").stdout)["lastWorked"]
    assert last["context"]["nextSteps"] == ["Test"]
    assert last["outcomes"][0]["workSummary"] == "Signed"


SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_a_secret_in_a_note_is_warned_of_and_never_exported(root):
    journal(1, started(60, root, commit="a" * 40), (0, "end", {"source": "exit"}))
    done = session(root, "note", "-m", f"Uses {SECRET}", "--session", ident(1))
    assert "looks like it holds a secret" in done.stderr
    text = session(root, "export").stdout
    assert SECRET not in text
    assert "a" * 40 in text


def test_what_is_noted_of_a_session_without_a_journal_is_there_with_its_transcript(root):
    Talk(1, root).ask(2 * HOUR, "Write docs").answer(2 * HOUR, "Written").save()
    session(root, "note", "-m", "Docs are done", "--session", ident(1))
    one = listed(root)[ident(1)]
    assert (one["state"], one["origin"]) == ("active", "transcript")
    assert json.loads(session(root, "info", "--json").stdout)["data"]["session"]["events"] == 1
    assert data(root, "reconcile")["plan"] == []


def test_a_note_needs_a_session_and_something_to_say(root):
    assert "no session is calling" in session(root, "note", "-m", "x", code=3).stderr
    session(root, "note", "--session", "claude-code/x-1", code=2)
    session(root, "note", "-m", "x" * 4001, "--session", "claude-code/x-1", code=2)


@pytest.mark.req("D.life.export")
@pytest.mark.parametrize("kind", ["md", "skill", "thread", "task"])
def test_a_session_is_kept_as_a_checkpoint_before_it_is_pruned(root, kind):
    said = {"text": "Tokens are signed", "decisions": ["Use RS256"], "next": ["Add tests"]}
    journal(1, started(5 * DAY, root), (5 * DAY, "note", said), (4 * DAY, "end", {}))
    [path, *_] = data(root, "keep", ident(1), "--as", kind, "--name", "kept-1")["paths"]
    shown = json.loads(run("show", "kept-1", "--json", cwd=root).stdout)
    text = json.dumps(shown)
    for part in ("Use RS256", "Add tests", *(["Tokens are signed"] if kind != "task" else [])):
        assert part in text
    assert os.path.exists(os.path.join(root, path))
    again = session(root, "keep", ident(1), "--as", kind, "--name", "kept-1", code=4)
    assert "exists" in again.stderr


def test_a_kept_session_says_no_secret_and_marks_what_nobody_stated(root):
    talk = Talk(1, root).ask(9 * HOUR, f"Log in with {SECRET}")
    talk.answer(
        8 * HOUR, "", 20_000, ("TodoWrite", TODO), ("Edit", {"file_path": f"{root}/app.py"})
    )
    talk.save()
    session(root, "keep", ident(1), "--name", "kept-2")
    text = get(root, "checkpoints/active/kept-2.md")
    assert SECRET not in text
    assert "- Test [draft]" in text
    assert "app.py" in text
    assert root not in text


def test_a_glance_at_sessions_that_are_known_loads_nothing_dear(root):
    worked(1, root)
    put_skill(root)
    for _ in range(2):
        seen = probe(root, "status", "--now", NOW)
    assert "Fix the login" in seen.out
    assert not seen.loaded & TOO_EXPENSIVE
    assert not third_party(seen.loaded)
    assert not {"re", "enum", "sqlite3"} & seen.loaded


@pytest.mark.parametrize("words", [("session", "list"), ("status",)], ids=" ".join)
def test_a_list_of_known_sessions_everywhere_leaves_their_curves_alone(root, words, monkeypatch):
    worked(1, root)
    asked = []
    load = log_cache.load
    monkeypatch.setattr(
        log_cache, "load", lambda *a, curves=True, **k: (asked.append(curves), load(*a, **k))[1]
    )
    words = (*words, "--everywhere", "--json", "--now", NOW)
    for _ in range(2):
        asked.clear()
        found = answer(words, cwd=root, env=os.environ, caller=lambda: PERSON)
    assert "login" in json.dumps(found.data)
    assert asked == [False]


@pytest.mark.req("D.life.active")
def test_status_shows_the_last_sessions_without_any_setup(root):
    worked(1, root)
    shown = run("--now", NOW, cwd=root).stdout
    assert "claude-code · 20 min ago · main\n  About        Fix the login\n" in shown
    assert "  Open         Test\n" in shown
    put_skill(root)
    both = run("--now", NOW, cwd=root).stdout
    assert "oc-demo" in both
    assert "Fix the login" in both
    assert "Fix the login" not in run("status", "--brief", "--now", NOW, cwd=root).stdout


def test_status_everywhere_says_what_was_asked_and_not_only_that_files_are_uncommitted(root):
    journal(1, started(60, root), (50, "prompt"), (30, "end", {"source": "other", "dirty": 2}))
    Talk(1, root).ask(60, "Build the page").answer(40, "Built.", 100).save()
    shown = run("status", "--everywhere", "--now", NOW, cwd=root).stdout
    assert "Build the page; 2 uncommitted files" in shown


def test_status_everywhere_has_a_line_for_each_project(root, tmp_path):
    worked(1, root)
    worked(2, root)
    other = str(tmp_path / "gone")
    Talk(3, other, "side").ask(3 * DAY, "Write the docs").answer(3 * DAY, "ok").save()
    put_skill(root)
    done = run("status", "--everywhere", "--json", "--now", NOW, cwd=root)
    rows = {row["root"]: row for row in json.loads(done.stdout)["data"]["projects"]}
    assert (rows[root]["sessions"], rows[root]["open_checkpoints"]) == (2, 1)
    assert rows[root]["stopped"]["open_task"] == "Test"
    assert (rows[other]["branch"], rows[other]["open_checkpoints"]) == ("side", None)
    shown = run("status", "--everywhere", "--now", NOW, cwd=root).stdout
    assert "Write the docs" in shown
    assert run("status", "--everywhere", "--brief", cwd=root).returncode == 2


@pytest.mark.parametrize(("patience", "shown"), [(-1, True), (60, False)])
def test_work_that_takes_long_shows_on_a_terminal_how_far_it_is(root, monkeypatch, patience, shown):
    monkeypatch.setattr(terminal, "PATIENCE", patience)
    for n in (1, 2, 3):
        worked(n, root)
    code, screen = at_terminal(PERSON, "", "session", "list", "--all", cwd=root)
    assert code == 0
    assert (("%" in screen), "Fix the login" in screen) == (shown, True)


def test_the_list_shortens_ids_as_long_as_they_differ(root):
    for name in ("01a1e0b1-94d2-x", "01a1e0b1-94d3-x"):
        journal(name, started(60, root), agent="codex")
    shown = session(root, "list").stdout
    assert "01a1e0b1-94d2\n" in shown
    assert "01a1e0b1-94d2-x" not in shown
    assert data(root, "info", "01a1e0b1-94d2")["session"]["id"] == "01a1e0b1-94d2-x"


def test_a_broken_journal_is_reported_with_every_list(root):
    journal(1, started(60, root), torn='{"at": 1')
    assert "unreadable lines of its journal, left out: 1" in session(root, "list").stderr


def test_list_and_info_agree_that_the_process_of_a_session_is_gone(root):
    journal(1, started(50 * 60, root, **dead()), (40 * 60, "prompt"))
    for words in (("list",), ("info", ident(1)[:8])):
        assert "its process is gone" in session(root, *words).stdout
    told = session(root, "info", ident(1)[:8]).stdout
    assert "\nDuration       10 min\n" in told, "it worked no longer than its last sign"
