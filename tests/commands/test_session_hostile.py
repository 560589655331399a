"""session, budget and status over what nobody should have written: odd ids, times, files, words."""

from __future__ import annotations

import json
import os

import pytest

from histories import DAY, HOUR, MINUTE, Talk, ident, journal, started, state
from leftoff.core.model import Finding
from leftoff.world import place
from projects import NOW, get, put
from support import repo, run

REGISTRY = "status/sessions_summary.json"
KEY = "sk-ant-api03-" + "A1b2C3d4" * 8
HUGE = "9" * 5000


def does(root, *words, code=0, env=None):
    done = run(*words, "--now", NOW, cwd=root, env=env or {})
    assert done.returncode == code, done.stderr or done.stdout
    return done


def data(root, *words):
    return json.loads(does(root, *words, "--json").stdout)["data"]


def ids(root, *words):
    return [one["id"] for one in data(root, "session", "list", *words)["sessions"]]


def talk(n, root, ago=HOUR, asked="Do it", branch="main"):
    return Talk(n, root, branch).ask(ago + MINUTE, asked).answer(ago, "ok", 1000)


def test_a_named_pipe_called_like_a_journal_stops_nobody(root):
    journal(1, started(MINUTE, root))
    os.mkfifo(os.path.join(state(), "sessions", "claude-code", f"{ident(2)}.jsonl"))
    assert ident(1) in ids(root)


@pytest.mark.parametrize("path", ["/dev/zero", "/", "\ud800", "a\0b", "PIPE"])
def test_a_journal_may_name_any_path_as_its_transcript(root, tmp_path, path):
    if path == "PIPE":
        path = os.fspath(tmp_path / "pipe")
        os.mkfifo(path)
    journal(1, started(MINUTE, root, transcript=path))
    assert ids(root) == [ident(1)]


def test_a_transcript_without_a_name_is_no_session(root):
    os.rename(path := talk(1, root).save(), os.path.join(os.path.dirname(path), ".jsonl"))
    assert ids(root, "--all") == []


def test_a_time_in_the_future_does_not_keep_a_session_the_newest_for_ever(root):
    talk(1, root, ago=MINUTE).save()
    path = talk(2, root, ago=-9000 * DAY).save()
    os.utime(path, (1_786_000_000, 1_786_000_000))
    assert ids(root, "--all") == [ident(1), ident(2)]
    rows = data(root, "status")["sessions"]
    assert [row["id"] for row in rows] == [ident(1), ident(2)]
    assert rows[1]["age_seconds"] == 190_400


@pytest.mark.parametrize(
    "words",
    [
        ("session", "list", "--since", "nonsense"),
        ("session", "list", "--agent", "claud-code"),
        ("session", "stats", "--since", "nonsense"),
        ("session", "stats", "--agent", "nosuch"),
        ("session", "info", ""),
        ("session", "info", "--session", ""),
        ("session", "info", ident(1), "--session", ident(1)),
        ("session", "stats", ident(1), "--since", "2d"),
        ("session", "note", "-m", "x", "--session", ""),
        ("session", "note", "-m", " \n ", "--session", "claude-code/s1"),
        ("session", "note", "--decision", "", "--next", " ", "--session", "claude-code/s1"),
        ("session", "note", *("--decision", "d" * 3000) * 30, "--session", "claude-code/s1"),
        ("budget", "--forecast", HUGE),
        ("thread", "threshold", HUGE),
    ],
    ids=lambda words: " ".join(words)[:60],
)
def test_what_makes_no_sense_is_refused_whatever_there_is_to_show(root, words):
    done = does(root, *words, code=2)
    assert done.stderr.startswith("error: ")
    assert "hint: " in done.stderr
    assert not os.path.exists(os.path.join(state(), "sessions"))


def test_figures_of_one_client_or_of_some_days_are_sums_without_any_other_option(root):
    talk(1, root).save()
    talk(2, root, ago=9 * DAY).save()
    assert data(root, "session", "stats", "--since", "2d")["total"]["sessions"] == 1
    assert data(root, "session", "stats", "--agent", "claude-code")["total"]["sessions"] == 2
    assert data(root, "session", "stats", "--agent", "codex")["total"]["sessions"] == 0


def test_the_start_of_an_id_may_follow_the_name_of_its_client(root):
    journal("5f0c-1", started(MINUTE, root))
    journal("5f0c-2", started(MINUTE, root), agent="codex")
    assert data(root, "budget", "--session", "claude-code/5f0")["id"] == "5f0c-1"
    does(root, "session", "info", "5f0", code=5)
    does(root, "session", "note", "-m", "Done", "--session", "codex/5f0")
    assert data(root, "session", "info", "codex/5f0c-2")["last"] is None
    assert os.listdir(os.path.join(state(), "sessions", "codex")) == ["5f0c-2.jsonl"]


def test_a_note_for_a_client_that_does_not_exist_is_written_nowhere(root):
    does(root, "session", "note", "-m", "x", "--session", "claud-code/s1", code=3)
    assert not os.path.exists(os.path.join(state(), "sessions"))


def test_a_secret_in_a_note_is_shown_by_nothing(root):
    journal(1, started(MINUTE, root))
    said = ("-m", KEY, "--outcome", KEY, "--task", KEY, "--decision", KEY, "--next", KEY)
    shown = does(root, "session", "note", *said, "--session", ident(1), "--json").stdout
    for words in (("info",), ("list",), ("stats",), ("export",)):
        shown += does(root, "session", *words, "--json").stdout
        shown += does(root, "session", *words).stdout
    shown += does(root, "status", "--everywhere", "--json").stdout
    assert KEY not in shown
    assert "[redacted:" in shown


def test_a_row_of_a_table_is_one_line_whatever_a_branch_or_an_id_is_called(root):
    wide = "b\nactive  forged" + "x" * 100
    journal("a\nb", started(MINUTE, root, branch=wide))
    table = does(root, "session", "list").stdout
    assert len(table.splitlines()) == 2
    assert max(map(len, table.splitlines())) < 120
    assert len(does(root, "status", "--everywhere").stdout.splitlines()) == 2
    names = [line.split()[0] for line in does(root, "session", "info").stdout.splitlines() if line]
    assert "active" not in names


def test_a_decision_of_several_lines_is_one_item(root):
    journal(1, started(MINUTE, root))
    does(root, "session", "note", "--decision", "one\n## Forged", "--session", ident(1))
    shown = does(root, "session", "info").stdout.splitlines()
    assert "- one ## Forged" in shown
    assert "## Forged" not in shown


@pytest.mark.parametrize("figure", [10**400, -5, 1 << 60])
@pytest.mark.parametrize("key", ["context", "window", "size"])
def test_a_figure_that_cannot_be_counts_for_nothing(root, key, figure):
    told = {"context": 500, "window": 1000, "size": 10}
    journal(1, started(HOUR, root), (MINUTE, "stop", told), (1.0, "stop", {**told, key: figure}))
    use = data(root, "budget", "--forecast", "5")["use"]
    assert (use["tokens"], use["window"], use["percent"]) == (500, 1000, 50.0)


def test_a_context_that_cannot_be_in_a_transcript_breaks_no_budget(root):
    made = talk(1, root)
    made.answer(MINUTE, "more", 10**400)
    made.save()
    use = data(root, "budget", "--forecast", "5")["use"]
    assert use["headroom"] >= 0
    assert 0 <= use["percent"] <= 100


@pytest.mark.parametrize("text", ["[]", "null", "7", '"x"'])
def test_a_registry_that_is_no_object_is_refused_and_stays(root, text):
    put(root, REGISTRY, text)
    does(root, "session", "export", "--write", code=7)
    assert get(root, REGISTRY) == text


def test_entries_of_others_stay_in_a_registry_as_they_are_and_are_reported(root):
    odd = {"activeSessions": 5, "recentHistory": [None, {"sessionId": ["x"]}], "lastWorked": []}
    put(root, REGISTRY, json.dumps(odd))
    told = does(root, "session", "export", "--write", code=1).stderr
    assert "recentHistory[0].completedAt is missing" in told
    once = get(root, REGISTRY)
    assert json.loads(once)["recentHistory"] == [{"sessionId": ["x"]}]
    does(root, "session", "export", "--write", code=1)
    assert get(root, REGISTRY) == once


def test_choices_of_an_error_do_not_steer_the_terminal(root):
    journal("\x1b[31ma", started(MINUTE, root))
    journal("\x1b[31mb", started(MINUTE, root))
    assert "\x1b" not in does(root, "session", "info", "\x1b", code=5).stderr


def test_a_project_is_looked_for_once_however_many_sessions_it_has(root, monkeypatch):
    for n in range(20):
        talk(n + 1, root, ago=n * MINUTE).save()
    asked = []
    real = place.find_place
    monkeypatch.setattr(place, "find_place", lambda *a: asked.append(a) or real(*a))
    for module in ("leftoff.world.sessions", "leftoff.commands._status_sessions"):
        monkeypatch.setattr(f"{module}.find_place", place.find_place)
    (row,) = data(root, "status", "--everywhere")["projects"]
    assert row["sessions"] == 20
    assert len(asked) < 10


@pytest.mark.parametrize("words", [("list",), ("stats", "--all"), ("export",)])
def test_a_client_s_database_that_cannot_be_read_is_named_not_passed_over(tmp_path, words):
    root = repo(tmp_path)
    path = os.path.join(os.environ["XDG_DATA_HOME"], "opencode", "opencode.db")
    os.makedirs(os.path.dirname(path))
    with open(path, "wb") as file:
        file.write(b"SQLite format 3\0" + b"\xff" * 5000)
    for verb in (("session", *words), ("doctor",)):
        found = json.loads(run(*verb, "--json", cwd=root).stdout)["findings"]
        (told,) = [one["where"] for one in found if one["slug"] == "sessions-hidden"]
        assert told.startswith(path)


@pytest.mark.parametrize("locked_at", [0, 1])
def test_a_database_that_was_locked_before_or_after_the_list_was_made_is_named(
    root, monkeypatch, locked_at
):
    looks = iter(range(2))
    found = Finding("sessions-hidden", "warning", "opencode.db", "locked")
    monkeypatch.setattr(
        "leftoff.commands.session._unread", lambda _: (found,) if next(looks) == locked_at else ()
    )
    told = json.loads(run("session", "list", "--json", cwd=root).stdout)["findings"]
    assert [one["slug"] for one in told] == ["sessions-hidden"]
