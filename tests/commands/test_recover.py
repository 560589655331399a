"""recover: what a session left that nobody saved, drafted and offered; what Claude Code deletes."""

from __future__ import annotations

import glob
import json
import os

import pytest

from agents.test_codex_log import called as codex_call
from agents.test_codex_log import event, item, meta, output
from callers import PERSON, at_terminal
from histories import DAY, HOUR, MINUTE, NOW, Talk, ident, journal, started, state
from leftoff.commands import _recover_save
from leftoff.formats import named
from leftoff.world import saves
from leftoff.world.place import find_place
from leftoff.world.store import Store
from projects import NOW as NOW_TEXT
from projects import get, put, put_thread
from support import git, run, snapshot
from unsaved import called, dead, killed, work

KINDS = ("thread", "md", "task", "skill")
THREAD = ".checkpoints/threads/thread-1a2b3c4d/CHECKPOINT.md"


def recover(root, *words, code=0, now=NOW_TEXT):
    done = run("recover", *words, "--now", now, cwd=root)
    assert done.returncode == code, done.stderr
    return done


def answer(root, *words, **how):
    return json.loads(recover(root, *words, "--json", **how).stdout)


def data(root, *words):
    return answer(root, *words)["data"]


def slugs(told):
    return {finding["slug"] for finding in told["findings"]}


def test_a_killed_session_becomes_a_save_of_this_machine_and_a_record(root):
    killed(1, root)
    put(root, "app.py", "changed\n")
    before = snapshot(root)
    told = data(root)
    found = told["found"]
    mark = f"[draft: claude-code/{ident(1)[:8]}]"
    assert found["intent"] == f"Move the login to the new service {mark}"
    assert found["files"] == ["app.py"]
    assert found["failed"] == ["pytest -q tests/login"]
    assert found["next"] == ["Repair the login test"]
    assert found["tests"] == f"failed: pytest -q tests/login {mark}"
    assert snapshot(root) == before
    assert os.path.basename(told["saved"]) == "2026-08-08-main-recovered.md"
    assert get("/", told["record"]).strip() == told["saved"]
    assert os.path.basename(told["record"]) == f"pending-restore-{ident(1)}.txt"
    text = get("/", told["saved"])
    assert f"- Repair the login test {mark}" in text
    assert f"- failed: pytest -q tests/login {mark}" in text
    assert told["resume"] == "leftoff resume 2026-08-08-main-recovered"
    assert "CONTENT-OF-A-FILE" not in text
    (left,) = saves.pendings(Store(find_place(root), state()))
    assert (left.path, left.session, left.there) == (told["saved"], ident(1), True)


def test_a_draft_knows_a_projects_own_rules_and_keeps_its_paths(root):
    killed(1, root)
    put(root, ".checkpoints/config.toml", '[redaction]\nwords = ["login", "app.py"]\n')
    found = data(root, "--dry-run")["found"]
    assert found["intent"].startswith("Move the [redacted:own:")
    assert "login" not in f"{found['failed']} {found['next']} {found['tests']}"
    assert found["files"] == ["app.py"]


def test_every_drafted_line_says_so_and_reads_as_a_task_save(root):
    killed(1, root)
    path = data(root)["saved"]
    read = named("task").read(get("/", path), path)
    assert read.word == "checkpoint save (recovered)"
    lists = (read.artifacts, read.next_actions, read.history)
    assert all(item.attrs["draft"] for items in lists for item in items)
    assert [item.text for item in read.history] == ["Move the login"]


def test_a_dry_run_shows_the_draft_and_writes_nothing(root):
    killed(1, root)
    before = snapshot(state()), snapshot(root)
    told = data(root, "--dry-run")
    assert "Repair the login test" in told["text"]
    assert told["saved"] is told["record"] is None
    after = {path: seen for path, seen in snapshot(state()).items() if "/cache/" not in path}
    assert (after, snapshot(root)) == before


def test_a_session_from_before_leftoff_was_installed_is_found_by_its_transcript(root):
    work(3, root, 5 * HOUR).save()
    assert data(root)["session"] == f"claude-code/{ident(3)}"


def test_a_torn_tail_costs_the_torn_line_alone(root):
    killed(1, root, torn='{"type":"assistant","message":{"content":[{"type":"text","te')
    assert data(root)["found"]["failed"] == ["pytest -q tests/login"]


def test_a_byte_order_mark_and_line_ends_of_windows_cost_nothing(root):
    path = killed(1, root)
    with open(path, "rb") as file:
        lines = file.read().replace(b"\n", b"\r\n")
    with open(path, "wb") as file:
        file.write(b"\xef\xbb\xbf" + lines)
    told = answer(root, "--dry-run")
    assert told["data"]["found"]["intent"].startswith("Move the login to the new service [draft:")
    assert "transcript-torn" not in slugs(told)


def test_a_session_that_saved_is_not_offered_and_can_be_named(root):
    killed(1, root, 2 * HOUR, (HOUR, "save", {"path": "x"}))
    assert answer(root)["data"]["sessions"] == []
    told = answer(root, ident(1)[:8])
    assert told["data"]["session"] == f"claude-code/{ident(1)}"
    assert "saved-before" in slugs(told)


def test_of_a_session_that_went_on_after_its_save_only_that_is_drafted(root):
    talk = work(1, root, 5 * HOUR).ask(HOUR, "Now write the docs of it")
    path = called(talk, HOUR - 10, "Write", file_path=f"{root}/docs.md").save()
    begun = started(5 * HOUR, root, transcript=path, **dead())
    journal(1, begun, (5 * HOUR, "prompt"), (2 * HOUR, "save", {"path": "x"}), (HOUR, "prompt"))
    found = data(root, "--dry-run")["found"]
    assert found["intent"].startswith("Now write the docs of it [draft:")
    assert (found["files"], found["failed"]) == (["docs.md"], [])
    assert data(root, ident(1), "--dry-run")["found"]["files"] == ["app.py", "docs.md"]


def test_a_session_that_still_runs_or_did_nothing_is_not_offered(root):
    path = work(1, root, 10 * MINUTE).save()
    journal(1, started(11 * MINUTE, root, transcript=path), (10 * MINUTE, "prompt"))
    Talk(2, root).ask(3 * HOUR, "hello there").answer(3 * HOUR - 5, "Hello.").save()
    assert answer(root)["data"]["sessions"] == []


def test_of_several_one_is_asked_for_by_number(root):
    killed(1, root, 2 * HOUR)
    killed(2, root, 5 * HOUR)
    told = answer(root)
    assert [choice["value"] for choice in told["ask"]["choices"]] == ["1", "2"]
    assert told["ask"]["flag"] == "--pick"
    assert ident(1)[:8] in told["ask"]["choices"][0]["means"]
    assert not os.path.isdir(os.path.join(state(), "saves"))
    assert data(root, "--pick", "2")["session"] == f"claude-code/{ident(2)}"
    assert "is none of the" in answer(root, "--pick", "7", code=2)["error"]["message"]


WAYS = [(), *(("--as", kind) for kind in KINDS), ("--thread", "Payments")]


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
def test_what_was_recovered_is_not_drafted_again_however_it_was_kept(root, way):
    killed(1, root)
    saved = data(root, *way)["saved"]
    before = kept(root)
    told = answer(root)
    assert [row["recovered"] for row in told["data"]["sessions"]] == [True]
    (found,) = (one for one in told["findings"] if one["slug"] == "recovered-before")
    assert found["text"] == f"it was recovered already: {saved}"
    assert found["fix"] == f"to draft it again: leftoff recover {ident(1)[:8]}"
    assert kept(root) == before
    assert data(root, ident(1)[:8])["saved"] != saved


def kept(root):
    """The files of the repository, and the saves and records of this machine."""
    places = (os.path.join(state(), name) for name in ("saves", "pending", "sessions"))
    return snapshot(root, *places)


def test_a_session_that_went_on_after_its_recovery_is_offered_again(root):
    talk = work(1, root, 5 * HOUR)
    talk.save()
    assert answer(root, "--as", "md", now="2026-08-08T09:00:00Z")["data"]["saved"]
    assert [row["recovered"] for row in data(root)["sessions"]] == [True]
    talk.ask(2 * HOUR, "Now write the docs of it").save()
    assert data(root)["found"]["intent"].startswith("Now write the docs of it")


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
def test_what_dies_before_the_journal_has_it_can_be_run_again(root, monkeypatch, way):
    killed(1, root)

    def stopped(*given):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(_recover_save.journal, "append", stopped)
        recover(root, *way, code=130)
    assert os.path.exists(os.path.join(root, data(root, *way)["saved"]))
    assert [row["recovered"] for row in data(root)["sessions"]] == [True]


def test_the_other_one_of_two_is_left_with_its_number_in_the_list(root):
    killed(1, root, 2 * HOUR)
    killed(2, root, 5 * HOUR)
    killed(3, root, 6 * HOUR)
    data(root, "--pick", "1", "--as", "md")
    told = answer(root)
    assert [row["number"] for row in told["data"]["sessions"]] == [2, 3]
    assert [choice["value"] for choice in told["ask"]["choices"]] == ["2", "3"]
    assert recover(root).stdout.splitlines()[1].startswith("2 ")
    assert data(root, "--pick", "2")["session"] == f"claude-code/{ident(2)}"
    assert data(root)["session"] == f"claude-code/{ident(3)}"


def test_the_last_of_the_recent_ones_does_not_bring_up_those_of_weeks_ago(root):
    killed(1, root, 2 * HOUR)
    work(2, root, 20 * DAY).save()
    data(root)
    assert [row["recovered"] for row in data(root)["sessions"]] == [True, False]
    assert data(root, "--pick", "2", "--dry-run")["session"] == f"claude-code/{ident(2)}"


def test_on_a_terminal_the_question_is_asked(root):
    killed(1, root, 2 * HOUR)
    killed(2, root, 5 * HOUR)
    argv = ("recover", "--now", NOW_TEXT)
    code, shown = at_terminal(PERSON, "2\n", *argv, cwd=root)
    assert code == 0
    assert f"Drafted from claude-code/{ident(2)}" in shown


def test_where_only_one_is_recent_an_old_one_asks_no_question(root):
    killed(1, root, 2 * HOUR)
    work(2, root, 20 * DAY).save()
    assert data(root)["session"] == f"claude-code/{ident(1)}"


def test_without_a_transcript_the_journal_alone_tells_and_that_is_said(root):
    lines = (started(3 * HOUR, root, **dead()), (2 * HOUR, "prompt"))
    journal(4, *lines, (HOUR, "end", {"source": "other", "dirty": 2}))
    put(root, "app.py", "changed\n")
    told = answer(root)
    assert told["data"]["session"] == f"claude-code/{ident(4)}"
    assert told["data"]["found"]["files"] == ["app.py"]
    assert "transcript-gone" in slugs(told)


def test_dirty_files_of_later_work_are_not_an_older_sessions(root):
    killed(2, root, 9 * HOUR)
    killed(1, root, 2 * HOUR)
    put(root, "app.py", "changed\n")
    put(root, "later.py", "x = 1\n")
    assert data(root, ident(2), "--dry-run")["found"]["files"] == ["app.py"]
    assert data(root, ident(1), "--dry-run")["found"]["files"] == ["app.py", "later.py"]


def test_a_codex_session_is_drafted_by_the_same_command(root):
    name = "019a0000-0000-7000-8000-00000000000a"
    lines = [
        {**meta(name), "payload": {**meta(name)["payload"], "cwd": root}},
        event("user_message", message="Build the importer"),
        codex_call("c", "exec_command", '{"cmd": "make test"}'),
        output("c", "Exit code: 2\nOutput:\nno"),
        item("message", role="assistant", content=[{"text": "Next: repair the importer test."}]),
    ]
    folder = os.path.join(os.environ["HOME"], ".codex", "sessions", "2026", "08", "08")
    os.makedirs(folder)
    path = os.path.join(folder, f"rollout-2026-08-08T10-00-00-{name}.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    found = data(root, f"codex/{name}")["found"]
    assert found["intent"].startswith("Build the importer [draft: codex/019a0000-0000]")
    assert found["failed"] == ["make test"]
    assert found["next"] == ["Next: repair the importer test."]


# Into the repository


def test_as_a_format_a_new_document_is_written_and_never_one_that_is_there(root):
    killed(1, root)
    first = data(root, "--as", "md")["saved"]
    assert first.startswith("checkpoints/active/")
    assert "[draft: claude-code/" in get(root, first)
    second = data(root, ident(1), "--as", "md")["saved"]
    assert second != first
    assert os.path.exists(os.path.join(root, first))


@pytest.mark.parametrize("kind", KINDS)
def test_each_format_validates_and_can_be_resumed(root, kind):
    killed(1, root)
    path = data(root, "--as", kind)["saved"]
    text = get(root, path)
    assert "Repair the login test" in text
    assert "failed: pytest -q tests/login" in text
    assert "Move the login" in text.replace("Move the login to the new service", ""), "it is done"
    assert run("show", path, cwd=root).returncode == 0
    assert not glob.glob(os.path.join(state(), "saves", "*", "*"))


@pytest.mark.parametrize("kind", KINDS)
def test_each_format_has_what_was_asked_last_and_what_the_agent_asks(root, kind):
    talk = work(1, root).ask(HOUR, "Now let the admins in, by the same service")
    talk.answer(HOUR - 1, "I looked. Are the auditors admins, too?").save()
    text = get(root, data(root, ident(1), "--as", kind)["saved"])
    assert text.count("Now let the admins in, by the same service") == 1
    assert "Are the auditors admins, too?" in text


def test_the_rules_of_its_thread_were_not_said_in_a_session(root):
    put_thread(root)
    rules = get(root, THREAD) + "\n## User Rules\n\n- Ask before you push\n"
    put(root, THREAD, rules)
    talk = work(1, root).ask(HOUR + 1, "no redis for this please").ask(HOUR, "Let the admins in")
    begun = started(2 * HOUR, root, transcript=talk.save(), **dead())
    journal(1, begun, (2 * HOUR, "bind", {"thread": "thread-1a2b3c4d"}))
    told = data(root, ident(1))
    assert told["found"]["said"] == ["no redis for this please"]
    assert "- Ask before you push\n- no redis for this please [draft" in get("/", told["saved"])


def test_into_a_thread_nothing_that_was_stated_is_changed(root):
    killed(1, root)
    put_thread(root)
    before = get(root, THREAD)
    path = data(root, "--thread", "thread-1a2b3c4d")["saved"]
    assert path == THREAD
    assert [row["recovered"] for row in data(root, "--list")["sessions"]] == [True]
    after = get(root, THREAD)
    assert "Use RS256" in after
    assert "Repair the login test [draft: claude-code/" in after
    stated = [line for line in before.splitlines() if line.startswith(("1.", "2.", "| Use"))]
    assert all(line in after.splitlines() for line in stated)
    data(root, ident(1), "--thread", "thread-1a2b3c4d")
    assert get(root, THREAD) == after


def test_a_brief_says_what_was_drafted_and_from_which_session(root):
    killed(1, root)
    put_thread(root)
    data(root, "--thread", "thread-1a2b3c4d")
    shown = run("resume", "thread-1a2b3c4d", "--preview", "--now", NOW_TEXT, cwd=root).stdout
    assert "[draft]: from session claude-code/00000001, confirmed by nobody\n" in shown
    assert "Blockers [draft]:\n- failed: pytest -q tests/login\n" in shown


def test_a_thread_that_is_not_there_begins(root):
    killed(1, root)
    path = data(root, "--thread", "Payments")["saved"]
    assert path.startswith(".checkpoints/threads/thread-")
    assert get(root, path).startswith("# Checkpoint: Payments")


def test_a_thread_and_another_format_exclude_each_other(root):
    assert answer(root, "--thread", "x", "--as", "md", code=2)["error"]["kind"] == "usage"


# What there is, and what is gone


def history(*lines):
    path = os.path.join(os.environ["HOME"], ".claude", "history.jsonl")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(
            f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines
        )


def typed(root, text, session="", ago=40 * DAY):
    line = {"display": text, "pastedContents": {}, "timestamp": (NOW - ago) * 1000, "project": root}
    return {**line, "sessionId": session} if session else line


def test_the_list_names_unsaved_sessions_and_prompts_of_deleted_ones(root):
    killed(1, root)
    key = "ghp_" + "a1" * 18
    history(
        typed(root, f"Rename the tables with {key}", ident(7)),
        typed(root, "and the columns", ident(7), 39 * DAY),
        typed(root, "/clear", ident(8)),
        typed(root, "of a session that is there", ident(1)),
        typed("/elsewhere", "of another project", ident(9)),
        typed(root, "from an old version"),
        '{"display": "torn',
        {"display": 7, "project": root},
        "[]",
    )
    told = data(root, "--list")
    assert [row["id"] for row in told["sessions"]] == [ident(1)]
    assert (told["sessions"][0]["files"], told["sessions"][0]["failed"]) == (1, 1)
    gone = {one["session"]: one for one in told["gone"]}
    assert set(gone) == {f"claude-code/{ident(7)}", "claude-code/2026-06-29"}
    assert gone[f"claude-code/{ident(7)}"]["prompts"] == 2
    assert key not in json.dumps(told)
    shown = recover(root, "--list").stdout
    assert "Deleted by Claude Code; only their prompts are left:" in shown
    assert "Rename the tables" in shown


def test_a_deleted_session_is_drafted_from_its_prompts(root):
    history(typed(root, "Rename the tables", ident(7)))
    told = answer(root, ident(7))
    assert told["data"]["found"]["intent"].startswith("Rename the tables [draft:")
    assert "transcript-gone" in slugs(told)


def aged(path, days):
    os.utime(path, (NOW - days * DAY, NOW - days * DAY))


def test_doctor_and_status_warn_before_claude_code_deletes_a_transcript(root):
    aged(work(1, root, 25 * DAY).save(), 25)
    aged(work(2, root, 29 * DAY).save(), 29)
    aged(work(3, root, 10 * DAY).save(), 10)
    done = run("doctor", "--json", "--now", NOW_TEXT, cwd=root)
    (found,) = (
        one for one in json.loads(done.stdout)["findings"] if one["slug"] == "transcripts-expire"
    )
    assert found["where"] == f"claude-code/{ident(2)}"
    assert "within 7 days (2), " in found["text"]
    assert "2026-08-09" in found["text"]
    shown = run("status", "--now", NOW_TEXT, cwd=root).stdout
    assert "Claude Code deletes 2 transcripts of this project from 2026-08-09 on" in shown


@pytest.mark.parametrize(("days", "number"), [(365, 0), (12, 1), ("x", 0), (True, 0)])
def test_the_period_is_that_of_the_settings(root, days, number):
    aged(work(1, root, 10 * DAY).save(), 10)
    put(os.environ["HOME"], ".claude/settings.json", json.dumps({"cleanupPeriodDays": days}))
    told = json.loads(run("status", "--json", "--now", NOW_TEXT, cwd=root).stdout)["data"]
    assert (told["expiring"] or {"count": 0})["count"] == number


def test_a_broken_settings_file_means_the_default(root):
    aged(work(1, root, 28 * DAY).save(), 28)
    put(os.environ["HOME"], ".claude/settings.json", "{broken")
    told = json.loads(run("status", "--json", "--now", NOW_TEXT, cwd=root).stdout)["data"]
    assert told["expiring"] == {"count": 1, "from": "2026-08-10"}


def test_commits_and_repaired_failures_are_told_as_such(root):
    talk = work(1, root, 3 * HOUR, todos=False)
    called(talk, 2 * HOUR, "Bash", command="pytest -q tests/login")
    called(talk, 2 * HOUR, "Bash", command="git commit -am 'Move the login'")
    talk.answer(2 * HOUR, "Done. Should the old route stay?").save()
    git("commit", "--quiet", "--allow-empty", "-m", "x", cwd=root)
    found = data(root)["found"]
    assert found["failed"] == []
    assert "Made 1 commit: Move the login" in found["summary"]
    assert found["tests"].startswith("passed: pytest -q tests/login")
    assert found["questions"] == ["Should the old route stay?"]


def test_of_a_session_in_another_working_tree_it_says_where_that_is(root, tmp_path):
    other = os.path.realpath(tmp_path / "other")
    git("worktree", "add", "--quiet", "-b", "side", other, cwd=root)
    killed(1, other)
    assert "elsewhere" in slugs(answer(root, "--dry-run"))
    assert "elsewhere" not in slugs(answer(other, "--dry-run"))
