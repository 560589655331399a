"""resume of what a session left: what is shown of it, and the way back to the session itself."""

from __future__ import annotations

import os
import shutil

import pytest

import histories
from callers import PERSON, at_terminal
from leftoff.commands._resume_pending import SHOWN
from leftoff.world import bindings
from pending import MEMORY, SESSION, data, left, left_here, resumed, save, trashed
from projects import NOW, TASK, get, put, put_markdown, put_thread
from support import run, snapshot

MANUAL = "Manual recovery — please paste the checkpoint content above"


# What is shown


@pytest.mark.req("C.surface.summary")
def test_task_branch_and_intent_come_with_how_many_files_and_questions(root):
    put(root, save(root), TASK.replace("- Who owns", "- Who pays?\n- Who owns"))
    shown = run("restore", "--now", NOW, cwd=root).stdout
    assert shown.endswith(
        "</leftoff>\n"
        "<leftoff id=auth-fix>\n"
        "Resuming task: auth-fix. Branch: feature/auth. Last intent: Finish the middleware.\n"
        "</leftoff>\n"
        "In-flight artifacts: 1 paths.\n"
        "Open questions: 2 items.\n"
    )


@pytest.mark.req("C.surface.summary")
def test_what_is_not_there_counts_as_none(root):
    text = TASK.replace("- plan: .workflow_artifacts/auth-fix/current-plan.md", "(none found)")
    put(root, save(root), text.replace("- Who owns the keys?", "(none)"))
    said = resumed(root)[1]
    assert (said["data"]["surface"]["artifacts"], said["data"]["surface"]["questions"]) == (0, 0)
    assert said["ask"] is None


@pytest.mark.req("C.surface.reads-y")
def test_on_yes_the_files_in_flight_are_handed_over_and_missing_ones_flagged(root):
    path = save(root)
    plan = "- plan: .workflow_artifacts/auth-fix/current-plan.md"
    put(root, path, get(root, path).replace(plan, f"- app.py\n{plan}"))
    said = resumed(root, "--reads", "y")[1]
    gone = ".workflow_artifacts/auth-fix/current-plan.md"
    reads = [{"path": "app.py", "missing": False}, {"path": gone, "missing": True}]
    assert said["data"]["reads"] == reads
    assert said["ask"] is None
    assert f"Read these now:\n- app.py\n- {gone} (it is gone)\n" in (
        run("restore", "--reads", "y", "--now", NOW, cwd=root).stdout
    )


@pytest.mark.req("C.surface.reads-n", "C.surface.reads-y")
def test_on_no_nothing_is_read_and_the_records_are_consumed(root):
    left(root, "s-1", save(root))
    asked = resumed(root, "--preview")[1]
    assert asked["ask"] is None
    said = resumed(root, "--reads", "n")[1]
    assert (said["data"]["reads"], said["ask"]) == ([], None)
    assert trashed(root) == ["pending-restore-s-1.txt"]


@pytest.mark.req("C.surface.reads-y")
def test_on_a_terminal_the_brief_stands_before_the_question_and_only_once(root):
    left(root, "s-1", save(root))
    code, shown = at_terminal(PERSON, "y\n", "restore", "--now", NOW, cwd=root)
    assert code == 0
    asked = shown.index("Re-fire reads on artifacts now? [y / n]")
    assert shown.index("RESUMING:") < shown.index("Open questions: 1 items.") < asked
    assert asked < shown.index("Read these now:")
    assert shown.count("RESUMING:") == shown.count("Re-fire reads") == 1
    assert trashed(root) == ["pending-restore-s-1.txt"]


@pytest.mark.req("C.surface.corrupt", "C.surface.corrupt-keep")
@pytest.mark.parametrize("junk", [b"\x00\xff\x1b[31m binary junk", b"no heading at all", b""])
def test_a_damaged_checkpoint_is_shown_raw_and_the_record_stays(root, junk):
    path = f"{MEMORY}/checkpoints/2026-08-07-bad.md"
    with open(put(root, path, ""), "wb") as file:
        file.write(junk)
    record = left(root, "s-1", path)
    before = snapshot(root)
    done = run("restore", "--now", NOW, cwd=root)
    assert done.returncode == 1
    assert junk.decode("utf-8", "ignore").split("[31m")[-1].strip("\0\x1b") in done.stdout
    assert MANUAL in done.stdout
    assert "\x1b" not in done.stdout
    assert "Traceback" not in done.stderr
    assert snapshot(root) == before
    assert get(root, record) == f"{path}\n"
    assert data(root, "--pick", "skip")["state"] == "fresh"


def test_a_secret_that_a_damaged_checkpoint_is_cut_in_does_not_leave_its_first_half(root):
    path = f"{MEMORY}/checkpoints/2026-08-07-bad.md"
    key = "ghp_" + "a1B2c3D4e5" * 4
    put(root, path, "x" * (SHOWN - 30) + f" {key} and so on and on")
    left(root, "s-1", path)
    said = resumed(root)[1]["data"]
    assert said["state"] == "corrupt"
    assert len(said["raw"]) == SHOWN
    assert key[:8] not in said["raw"]


def test_what_each_is_about_is_told_without_secrets(root):
    for at in range(2):
        path = save(root, f"main-{at + 2}", branch="main")
        put(root, path, get(root, path).replace("Finish the middleware.", "Use password=hunter2x9"))
        left(root, f"s-{at}", path, ago=60.0 * at)
    abouts = [one["about"] for one in resumed(root)[1]["data"]["candidates"]]
    assert abouts == ["Use password=[redacted:secret]"] * 2


def test_a_damaged_thread_is_shown_raw_too(root, state):
    path = put_thread(root)
    put(root, path, "<<<<<<< ours\n")
    record = left_here(state, "s-1", os.path.join(root, path))
    code, said = resumed(root)
    assert (code, said["data"]["state"]) == (1, "corrupt")
    assert os.path.exists(record)


# The way back


def test_the_last_session_itself_is_named_while_its_client_still_has_it(root, state):
    talk = histories.Talk(1, root).ask(900, "hello").save()
    lines = (histories.started(9000, root, transcript=talk), (8000, "end"))
    histories.journal(1, *lines)
    left(root, histories.ident(1), save(root))
    command = f"claude --resume {histories.ident(1)}"
    said = data(root, "2026-08-07-auth-fix", "--continue", env=SESSION)
    assert said["native"] == command
    assert f"The last session itself: {command}\n" in said["text"]
    os.remove(talk)
    left(root, histories.ident(1), save(root))
    assert data(root, env=SESSION)["native"] == ""


def test_a_session_that_resumes_a_save_is_known_to_go_on_with_it(root, state):
    own = SESSION["LEFTOFF_SESSION"].partition("/")[2]
    path = save(root)
    left(root, "s-1", path)
    data(root, "--preview", env=SESSION)
    assert bindings.known(state, "claude-code", own).given == ""
    data(root, env=SESSION)
    assert bindings.known(state, "claude-code", own).given == os.path.join(root, path)


def test_so_is_that_of_a_thread_by_its_list_of_sessions(root, state):
    talk = histories.Talk(1, root).ask(900, "hello").save()
    histories.journal(1, histories.started(9000, root, transcript=talk))
    session = {"LEFTOFF_SESSION": f"claude-code/{histories.ident(1)}"}
    assert run("save", "Half", "--no-draft", "--now", NOW, cwd=root, env=session).returncode == 0
    histories.journal(1, (1, "end"))
    shutil.rmtree(os.path.join(state, "pending"))
    said = data(root, "--continue", env=SESSION)
    assert said["native"] == f"claude --resume {histories.ident(1)}"


def test_a_stale_question_is_answered_about_the_same_checkpoint_on_a_terminal(root):
    put_markdown(root)
    left(root, "s-1", save(root, ago=60))
    later = "2026-08-25T12:00:00Z"
    code, shown = at_terminal(PERSON, "2\n", "restore", "--now", later, cwd=root)
    assert code == 0
    assert "not touched for 18 days" in shown
    assert "2026-08-07-auth-fix.md →" in shown
