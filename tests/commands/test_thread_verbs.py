"""thread enable, switch, list, archive: which thread a session is on, and what is kept of it."""

from __future__ import annotations

import json
import os

import pytest

from histories import NOW as AT
from histories import Talk, ident, journal, started
from leftoff.core import history_md
from leftoff.core.talk import Turn
from leftoff.world.bindings import bound
from leftoff.world.journal import path as path_of
from leftoff.world.journal import read
from projects import NOW, get, put, put_markdown, put_thread
from support import git, run, snapshot

THREAD, OTHER = "thread-1a2b3c4d", "thread-0000aaaa"
FOLDER = f".checkpoints/threads/{THREAD}"
META = f"{FOLDER}/thread.json"


def do(root: str, *words: str, session: int | None = None, code: int = 0):
    """A command, by a person or in a session; its whole answer."""
    env = {} if session is None else {"LEFTOFF_SESSION": f"claude-code/{ident(session)}"}
    done = run(*words, "--json", "--now", NOW, cwd=root, env=env)
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout)


def data(root: str, *words: str, session: int | None = None, code: int = 0):
    return do(root, *words, session=session, code=code)["data"]


def live(n: int, root: str, thread: str = "") -> None:
    lines = [started(60, root)] + ([(30, "bind", {"thread": thread})] if thread else [])
    os.utime(journal(n, *lines), (AT, AT))


def on(n: int) -> str:
    return bound(os.environ["LEFTOFF_STATE"], "claude-code", ident(n))


def two_threads(root: str) -> None:
    put_thread(root)
    put(
        root,
        f".checkpoints/threads/{OTHER}/CHECKPOINT.md",
        "# Checkpoint: Other\n\n## Next Steps\n\n1. Look\n",
    )
    put(root, f".checkpoints/threads/{OTHER}/thread.json", json.dumps({"threadId": OTHER}))
    put(root, ".checkpoints/current", f"{THREAD}\n")


def threads(root: str) -> list[str]:
    return sorted(os.listdir(os.path.join(root, ".checkpoints/threads")))


# enable


@pytest.mark.req("E.mode.enable", "E.thread.span")
def test_enable_begins_a_thread_and_a_second_time_takes_it_up_again(root):
    live(1, root)
    first = data(root, "thread", "enable", "重构认证模块", session=1)
    made = first["created"]
    assert get(root, ".checkpoints/current") == f"{made}\n"
    assert (first["threads"][0]["name"], on(1)) == ("重构认证模块", made)
    again = data(root, "thread", "enable", session=1)
    assert (again["created"], threads(root)) == (None, [made])
    assert data(root, "thread", "enable", "Another name")["created"] is None
    assert threads(root) == [made]
    live(2, root)
    journal(1, (1, "end", {"source": "exit"}))
    assert data(root, "thread", "enable", session=2)["threads"][0]["id"] == on(2) == made


def test_another_thread_is_begun_by_saying_so(root):
    first = data(root, "thread", "enable", "One")["created"]
    told = do(root, "thread", "enable", "Two")
    assert [one["slug"] for one in told["findings"]] == ["reused"]
    second = data(root, "thread", "enable", "--new", "Two")["created"]
    assert threads(root) == sorted([first, second])
    assert get(root, ".checkpoints/current") == f"{second}\n"


@pytest.mark.req("E.thread.current", "E.mode.auto-enable")
def test_two_agents_in_one_folder_keep_their_own_threads(root):
    live(1, root)
    live(2, root)
    first = data(root, "save", "Begin the first", session=1)["id"]
    second = data(root, "save", "Begin the second", session=2)["id"]
    assert first != second
    assert data(root, "save", "More of the first", session=1)["id"] == first
    assert data(root, "save", "More of the second", session=2)["id"] == second
    assert get(root, ".checkpoints/current") == f"{first}\n"


@pytest.mark.req("E.mode.auto-enable")
def test_what_only_reads_makes_no_thread(root):
    before = snapshot(root)
    for words in (("status",), ("thread", "list"), ("thread",), ("next",), ("resume",)):
        run(*words, cwd=root)
    assert run("thread", "status", cwd=root).returncode == 3
    assert snapshot(root) == before
    assert data(root, "save", "The first save")["created"] is True


def test_every_verb_says_where_it_ran(root):
    two_threads(root)
    verbs = (("list",), ("status",), ("enable",), ("switch", OTHER, "--no-save"), ("auto-on",))
    for words in (*verbs, ("threshold", "60"), ("continue", "on"), ("max-steps", "5")):
        assert data(root, "thread", *words)["env"] == "local"
    assert data(root, "thread", "list", "--tools", "mcp__hapi__change_title")["env"] == "hapi"


def test_options_of_another_verb_are_refused(root):
    two_threads(root)
    for words in (("list", "--new"), ("enable", "--no-save"), ("switch", OTHER, "--question", "x")):
        assert run("thread", *words, cwd=root).returncode == 2
    for words in (("continue",), ("continue", "maybe"), ("max-steps", "0"), ("max-steps", "1001")):
        assert run("thread", *words, cwd=root).returncode == 2
    assert run("thread", "continue", "on", "--question", "x", cwd=root).returncode == 2
    assert run("thread", "continue", "off", "--question", " ", cwd=root).returncode == 2


def test_continue_and_max_steps_change_their_key_and_no_other(root):
    two_threads(root)
    before = json.loads(get(root, META))
    data(root, "thread", "continue", "on")
    data(root, "thread", "max-steps", "7")
    after = json.loads(get(root, META))
    assert after["config"] == {**before["config"], "autoContinue": True, "maxSteps": 7}
    data(root, "thread", "continue", "off")
    assert json.loads(get(root, META))["config"]["autoContinue"] is False


# list


@pytest.mark.req("E.thread.current")
def test_the_list_marks_the_callers_thread_and_names_who_is_live_on_each(root):
    two_threads(root)
    live(1, root, OTHER)
    shown = {one["id"]: one for one in data(root, "thread", "list", session=1)["threads"]}
    assert (shown[OTHER]["current"], shown[THREAD]["current"]) == (True, False)
    assert (shown[OTHER]["default"], shown[THREAD]["default"]) == (False, True)
    assert shown[OTHER]["live"] == [f"claude-code/{ident(1)}"]
    assert {one["id"]: one["current"] for one in data(root, "thread", "list")["threads"]}[THREAD]
    assert "▶ thread-1a2b3c4d" in run("thread", "list", cwd=root).stdout


# switch


@pytest.mark.req("E.mode.switch")
def test_switch_changes_the_default_and_shows_the_thread(root):
    two_threads(root)
    told = data(root, "thread", "switch", OTHER)
    assert (told["from"], told["to"], told["switched"]) == (THREAD, OTHER, True)
    assert told["threads"][0]["next"] == "Look"
    assert get(root, ".checkpoints/current") == f"{OTHER}\n"
    assert "Look" in run("thread", "switch", OTHER, cwd=root).stdout


def test_the_sessions_of_a_thread_stand_below_their_title(root):
    two_threads(root)
    meta = {"threadId": OTHER, "sessions": [{"seq": 1, "name": "First half"}, {"seq": 2}]}
    put(root, f".checkpoints/threads/{OTHER}/thread.json", json.dumps(meta))
    shown = run("thread", "status", OTHER, "--now", NOW, cwd=root).stdout
    listed = "    - #001 First half (not archived)\n    - #002 (not archived)\n"
    assert f"    Sessions:\n{listed}" in shown


@pytest.mark.req("E.mode.switch")
def test_a_thread_that_is_not_there_changes_nothing(root):
    two_threads(root)
    live(1, root, THREAD)
    before = snapshot(root)
    assert run("thread", "switch", "thread-none", cwd=root).returncode == 3
    assert run("thread", "switch", cwd=root).returncode == 2
    assert snapshot(root) == before


@pytest.mark.req("E.thread.current")
def test_a_session_that_switches_leaves_the_default_to_whoever_is_on_it(root):
    two_threads(root)
    live(1, root, THREAD)
    live(2, root, THREAD)
    data(root, "thread", "switch", OTHER, session=2)
    assert (on(1), on(2)) == (THREAD, OTHER)
    assert get(root, ".checkpoints/current") == f"{THREAD}\n"
    journal(1, (1, "end", {"source": "exit"}))
    data(root, "thread", "switch", OTHER, session=2)
    assert get(root, ".checkpoints/current") == f"{OTHER}\n"


@pytest.mark.req("B.trigger.shift")
def test_a_switch_offers_to_save_work_that_no_save_knows_of(root):
    two_threads(root)
    path = put(root, "app.py", "print('changed')\n")
    os.utime(path, (AT, AT))
    told = do(root, "thread", "switch", OTHER)
    assert [one["value"] for one in told["ask"]["choices"]] == ["--save-first", "--no-save"]
    assert "app.py" in told["ask"]["question"]
    piped = run("thread", "switch", OTHER, "--now", NOW, cwd=root).stderr.splitlines()
    assert piped[0].endswith("Save it first?"), "no flag there looks like the answer to take"
    assert get(root, ".checkpoints/current") == f"{THREAD}\n"
    told = run("thread", "switch", OTHER, "--save-first", "--now", NOW, cwd=root)
    assert f"✓ saved {FOLDER}/CHECKPOINT.md" in told.stdout
    assert "app.py" in get(root, f"{FOLDER}/CHECKPOINT.md")
    assert get(root, ".checkpoints/current") == f"{OTHER}\n"


@pytest.mark.req("B.trigger.shift")
def test_the_save_of_a_switch_is_a_save_of_the_session(root):
    two_threads(root)
    live(1, root, THREAD)
    data(root, "thread", "switch", OTHER, "--save-first", session=1)
    lines = read(path_of(os.environ["LEFTOFF_STATE"], "claude-code", ident(1))).lines
    assert [line["path"] for line in lines if line["event"] == "save"] == [
        f"{FOLDER}/CHECKPOINT.md"
    ]


@pytest.mark.req("B.trigger.shift")
def test_it_asks_nothing_where_all_is_saved_or_nobody_wants_to(root):
    two_threads(root)
    path = put(root, "app.py", "print('changed')\n")
    os.utime(path, (AT - 30 * 86400, AT - 30 * 86400))
    assert do(root, "thread", "switch", OTHER)["ask"] is None
    put(root, ".checkpoints/current", f"{THREAD}\n")
    os.utime(path, (AT, AT))
    assert do(root, "thread", "switch", OTHER, "--no-save")["ask"] is None
    assert "app.py" not in get(root, f"{FOLDER}/CHECKPOINT.md")


# archive


def talked(root: str, n: int, thread: str = THREAD) -> None:
    """A session of the thread that is over, with a conversation."""
    lines = (
        started(9000, root),
        (8000, "bind", {"thread": thread}),
        (7000, "end", {"source": "exit"}),
    )
    journal(n, *lines)
    talk = Talk(n, root).ask(8900, "请修复登录。 My key is sk-ant-api03-" + "a" * 90)
    talk.answer(8800, "## User\nI will look.", 100, ("Bash", {"command": "pytest -q"}))
    talk.answer(8700, "修好了。").save()


def saved_by(root: str, *sessions: int, name: str = "修复登录") -> None:
    """A thread with these sessions, in this order."""
    put_thread(root)
    put(root, ".checkpoints/current", f"{THREAD}\n")
    said = json.loads(get(root, META))
    said["sessions"] = [
        {"seq": at, "hapiSessionId": f"claude-code/{ident(n)}", "name": name}
        for at, n in enumerate(sessions, 1)
    ]
    put(root, META, json.dumps(said, ensure_ascii=False))
    rows = "".join(f"| {at:03d} | {name} | no | - |\n" for at, _ in enumerate(sessions, 1))
    table = (
        f"\n## Session History\n\n| # | Name | Archived | Context Used |\n|---|---|---|---|\n{rows}"
    )
    put(root, f"{FOLDER}/CHECKPOINT.md", get(root, f"{FOLDER}/CHECKPOINT.md") + table)


@pytest.mark.req("E.archive.file", "E.mode.archive", "E.thread.seq")
def test_a_past_session_is_archived_with_all_that_was_said_and_no_secret(root):
    talked(root, 1)
    saved_by(root, 1)
    told = data(root, "thread", "archive", "#1")
    path = f"{FOLDER}/history/001-修复登录.md"
    assert (told["number"], told["file"], told["new"]) == (1, path, True)
    page = get(root, path)
    assert page.startswith("# #001 修复登录\n")
    assert "请修复登录。" in page
    assert "修好了。" in page
    assert "- Bash: `pytest -q`\n" in page
    assert "aaaaaaaa" not in page
    assert "\\## User\n" in page
    (entry,) = json.loads(get(root, META))["sessions"]
    assert (entry["file"], entry["archivedAt"]) == ("001-修复登录.md", NOW)
    assert "| 001 | 修复登录 | 2026-08-08 |" in get(root, f"{FOLDER}/CHECKPOINT.md")


@pytest.mark.req("E.archive.file")
def test_a_session_whose_transcript_its_client_deleted_is_archived_from_our_copy(root):
    talked(root, 1)
    saved_by(root, 1)
    (copied,) = data(root, "session", "archive")["copied"]
    os.remove(copied["origin"])
    told = data(root, "thread", "archive", "#1")
    assert told["turns"] == 4
    assert "请修复登录。" in get(root, told["file"])


def test_half_a_conversation_is_not_kept_as_the_whole(root):
    talked(root, 1)
    saved_by(root, 1)
    (copied,) = data(root, "session", "archive")["copied"]
    os.remove(copied["origin"])
    os.truncate(copied["copy"], os.path.getsize(copied["copy"]) - 1)
    before = snapshot(root)
    assert run("thread", "archive", "#1", cwd=root).returncode == 7
    assert snapshot(root) == before


@pytest.mark.req("E.archive.file")
def test_a_page_of_history_knows_a_projects_own_rules(root):
    talked(root, 1)
    saved_by(root, 1)
    put(root, ".checkpoints/config.toml", '[redaction]\nwords = ["pytest", "修好了"]\n')
    page = get(root, data(root, "thread", "archive", "#1")["file"])
    assert "pytest" not in page
    assert "修好了" not in page
    assert "请修复登录。" in page


def test_what_is_archived_is_never_written_again(root):
    talked(root, 1)
    saved_by(root, 1)
    data(root, "thread", "archive", "1")
    before = snapshot(root)
    again = data(root, "thread", "archive", "#1")
    assert (again["new"], again["file"]) == (False, f"{FOLDER}/history/001-修复登录.md")
    assert snapshot(root) == before


@pytest.mark.req("E.archive.file")
def test_a_page_that_is_there_already_is_left_alone(root):
    talked(root, 1)
    saved_by(root, 1)
    put(root, f"{FOLDER}/history/001-修复登录.md", "somebody's\n")
    told = data(root, "thread", "archive")
    assert told["file"] == f"{FOLDER}/history/001-修复登录-2.md"
    assert get(root, f"{FOLDER}/history/001-修复登录.md") == "somebody's\n"


@pytest.mark.req("E.thread.seq")
def test_a_number_that_was_ever_given_is_not_given_again(root):
    for n in (1, 2, 3):
        talked(root, n)
    saved_by(root, 1, 2, 3)
    for n in (1, 2, 3):
        data(root, "thread", "archive", f"#{n}")
    said = json.loads(get(root, META))
    said["sessions"] = [one for one in said["sessions"] if one["seq"] != 2]
    put(root, META, json.dumps(said))
    live(4, root, THREAD)
    assert data(root, "save", "Go on", session=4)["number"] == 4
    names = sorted(os.listdir(os.path.join(root, FOLDER, "history")))
    assert [name[:3] for name in names] == ["001", "002", "003"]


@pytest.mark.req("E.mode.archive")
def test_of_several_one_has_to_be_named_and_a_session_may_go_by_its_id(root):
    talked(root, 1)
    talked(root, 2)
    saved_by(root, 1, 2)
    assert run("thread", "archive", cwd=root).returncode == 5
    assert data(root, "archive", "--session", ident(2))["number"] == 2
    assert data(root, "archive", "--session", "#1", THREAD)["number"] == 1
    assert run("thread", "archive", cwd=root).returncode == 3
    assert run("thread", "archive", "#9", cwd=root).returncode == 3


@pytest.mark.req("E.mode.archive")
def test_a_session_that_is_on_no_thread_is_not_asked_for_its_thread(root):
    two_threads(root)
    live(1, root)
    live(2, root, OTHER)
    told = run("thread", "archive", ident(1), THREAD, cwd=root)
    assert (told.returncode, "leftoff session export" in told.stderr) == (3, True)
    told = run("thread", "archive", ident(2), THREAD, cwd=root)
    assert (told.returncode, "name the thread behind it" in told.stderr) == (3, True)


@pytest.mark.req("E.mode.archive")
def test_archive_of_a_checkpoint_stays_what_it_is_and_the_kinds_are_not_mixed(root):
    talked(root, 1)
    saved_by(root, 1)
    put_markdown(root)
    assert run("archive", "chk-auth", "--outcome", "Done", cwd=root).returncode == 0
    assert run("archive", "--session", "#1", "--outcome", "Done", cwd=root).returncode == 2
    assert run("archive", cwd=root).returncode == 2
    assert run("archive", THREAD, "--outcome", "x", cwd=root).returncode == 2


@pytest.mark.req("E.archive.gone")
def test_a_conversation_that_is_gone_is_noted_and_may_be_tried_again(root):
    saved_by(root, 1)
    journal(1, started(9000, root), (7000, "end", {"source": "exit"}))
    told = do(root, "thread", "archive", "#1", code=1)
    assert [one["slug"] for one in told["findings"]] == ["gone"]
    (entry,) = json.loads(get(root, META))["sessions"]
    assert entry["archiveError"]
    assert "file" not in entry
    talked(root, 1)
    assert data(root, "thread", "archive", "#1")["new"] is True
    (entry,) = json.loads(get(root, META))["sessions"]
    assert "archiveError" not in entry


@pytest.mark.req("E.env.local-archive")
def test_a_session_that_only_hapi_has_cannot_be_archived_from_here_and_that_is_said(root):
    put_thread(root)
    before = snapshot(root)
    done = run("archive", "--session", "#1", THREAD, cwd=root)
    assert (done.returncode, "Hapi" in done.stderr) == (1, True)
    assert snapshot(root) == before


def test_a_session_that_still_runs_is_not_archived_by_half(root):
    saved_by(root, 1)
    live(1, root, THREAD)
    Talk(1, root).ask(50, "Go").save()
    assert run("thread", "archive", "#1", "--now", NOW, cwd=root).returncode == 1
    assert not os.path.exists(os.path.join(root, FOLDER, "history"))


def test_a_session_on_the_thread_that_never_saved_gets_the_next_number(root):
    talked(root, 1)
    talked(root, 2)
    saved_by(root, 1)
    told = data(root, "thread", "archive", ident(2))
    assert told["number"] == 2
    assert [one["seq"] for one in json.loads(get(root, META))["sessions"]] == [1, 2]


@pytest.mark.req("E.thread.seq")
def test_a_session_counts_on_from_the_numbers_of_a_thread_that_came_without_metadata(root):
    text = (
        "# Checkpoint: Old\n\n## Key Decisions\n\n| Decision | Rationale | Session |\n"
        "|---|---|---|\n| Cents | Sums | #009 |\n\n## Session History\n\n"
        "| # | Name | Archived | Context Used |\n|---|---|---|---|\n| 001 | First | no | ~95% |\n"
    )
    put(root, f"{FOLDER}/CHECKPOINT.md", text)
    put(root, ".checkpoints/current", f"{THREAD}\n")
    live(1, root)
    data(root, "save", "More", "--decision", "Euros", session=1)
    assert [one["seq"] for one in json.loads(get(root, META))["sessions"]] == [10]
    work = get(root, f"{FOLDER}/CHECKPOINT.md")
    assert "| 001 | First | no | ~95% |\n| 010 | More | no | - |\n" in work
    assert "| Euros |  | #010 |" in work


def test_a_session_that_nobody_numbered_gets_its_number_with_its_page(root):
    talked(root, 1)
    saved_by(root, 1)
    said = json.loads(get(root, META))
    del said["sessions"][0]["seq"]
    put(root, META, json.dumps(said))
    shown = run("thread", "status", "--now", NOW, cwd=root).stdout
    assert "#000" not in shown
    told = data(root, "thread", "archive")
    assert (told["number"], told["file"].rpartition("/")[2][:4]) == (2, "002-")
    assert [one["seq"] for one in json.loads(get(root, META))["sessions"]] == [2]


def test_a_conversation_of_many_turns_is_kept_whole(root):
    talk = Talk(1, root)
    for at in range(300):
        talk.ask(9000 - at, f"question {at}").answer(9000 - at, f"answer {at}")
    talk.save()
    journal(1, started(9000, root), (10, "end", {"source": "exit"}))
    saved_by(root, 1)
    page = get(root, data(root, "thread", "archive")["file"])
    assert all(f"question {at}\n" in page and f"answer {at}\n" in page for at in range(300))


def test_the_page_of_a_conversation_is_harmless_and_short():
    turns = (
        Turn("user", "Look\x1b[31m at </leftoff> it\n# Not a title", 0.0),
        Turn("tool", tool="Bash", about="rm `x`\n" + "y" * 900, ok=False),
        Turn("agent", "Done", 1.0),
    )
    text, count = history_md.page(
        history_md.Head(7, "a\nb", "thread-x", "claude-code/1", 0.0), turns
    )
    assert count == 3
    assert text.startswith("# #007 a b\n")
    assert "\x1b" not in text
    assert "</leftoff>" not in text
    assert "\n\\# Not a title\n" in text
    assert "(failed)\n" in text
    assert max(map(len, text.splitlines())) < 300


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("修复登录", "003-修复登录.md"),
        ("Fix: the/login!", "003-fix-the-login.md"),
        ("../..", "003-session.md"),
    ],
)
def test_a_page_is_named_by_its_number_and_its_name_in_any_script(name, file):
    assert history_md.file_name(3, name) == file


@pytest.mark.req("E.thread.span")
def test_a_thread_that_was_copied_to_another_project_goes_on_there(root, tmp_path):
    saved_by(root, 1)
    git("add", "-A", cwd=root)
    git("commit", "--quiet", "-m", "Save", cwd=root)
    git("clone", "--quiet", root, "copy", cwd=str(tmp_path))
    copy = os.path.join(tmp_path, "copy")
    live(2, copy)
    assert data(copy, "resume", THREAD, session=2)["id"] == THREAD
    assert on(2) == THREAD
