"""resume and what sessions left: which record is used, and which never."""

from __future__ import annotations

import os

import pytest

import histories
from callers import PERSON, at_terminal
from leftoff.world import saves
from leftoff.world.place import find_place
from leftoff.world.store import Store
from pending import ME, MEMORY, SESSION, aged, data, left, left_here, resumed, save, slugs, trashed
from projects import NOW, TASK, get, put, put_markdown, put_skill, put_thread
from support import repo, run, snapshot

THREAD = "thread-1a2b3c4d"
MISMATCH = "Session-id mismatch: sentinel is from a prior session. Using it anyway."


# Which one


@pytest.mark.req("C.restore.own-first")
def test_the_own_record_wins_over_a_newer_one_of_another_session(root):
    left(root, ME, save(root, "mine"), ago=600)
    left(root, "s-other", save(root, "theirs"), ago=6)
    code, said = resumed(root, env=SESSION)
    assert (code, said["data"]["id"]) == (0, "2026-08-07-mine")
    assert not said["data"]["mismatch"]
    assert "same-session" in slugs(said)
    assert trashed(root) == [f"pending-restore-{ME}.txt"]


@pytest.mark.req("C.restore.order")
def test_the_list_follows_time_and_not_names(root):
    left(root, "s-a", save(root, "one"), ago=900)
    left(root, "s-c", save(root, "two"), ago=300)
    left(root, "s-b", save(root, "three"), ago=600)
    before = snapshot(root)
    said = data(root, "--list")
    assert [one["session"] for one in said["records"]] == ["s-c", "s-b", "s-a"]
    assert snapshot(root) == before
    shown = run("restore", "--list", "--now", NOW, cwd=root).stdout
    assert shown.startswith(
        "1. Task: two  Branch: feature/auth (checkpoint: 2026-08-07)  Finish the middleware.\n2. Task"
    )


def test_where_nothing_was_left_the_list_says_so(root):
    assert data(root, "--list") == {"state": "list", "records": []}
    assert "Nothing was left" in run("restore", "--list", cwd=root).stdout


@pytest.mark.req("C.restore.no-sentinel", "C.restore.lookup")
def test_without_records_the_newest_save_by_time_is_surfaced_without_a_question_which(root):
    save(root, "new-name", day="2026-08-08", ago=900)
    save(root, "old-name", day="2026-08-01", ago=30)
    said = data(root)
    assert (said["state"], said["id"]) == ("resumed", "2026-08-01-old-name")


@pytest.mark.req("C.restore.lookup")
def test_without_any_save_it_is_the_current_thread_and_without_that_it_says_so(root):
    put_thread(root)
    put(root, ".checkpoints/current", f"{THREAD}\n")
    os.makedirs(os.path.join(root, MEMORY))
    assert data(root)["id"] == THREAD
    for part in ("thread.json", "CHECKPOINT.md"):
        os.remove(os.path.join(root, ".checkpoints/threads", THREAD, part))
    assert data(root) == {"state": "fresh"}
    assert "Nothing to resume" in run("restore", cwd=root).stdout


def test_a_save_that_is_older_than_the_work_at_hand_does_not_push_itself_in(root):
    save(root, ago=90 * 86400)
    put_skill(root)
    assert data(root)["id"] == "oc-demo"
    assert data(root, "2026-08-07-auth-fix")["format"] == "task"


def test_after_a_checkout_all_files_are_new_and_the_day_of_the_save_counts(root):
    save(root, day="2026-08-01", ago=30)
    aged(os.path.join(root, put_skill(root, updated_at="2026-08-06T09:00:00Z")), 31)
    assert data(root)["id"] == "oc-demo"
    save(root, "later", day="2026-08-06", ago=29)
    assert data(root)["id"] == "2026-08-06-later"


@pytest.mark.req("C.restore.prefer-voluntary")
def test_a_voluntary_save_wins_over_its_automatic_sibling(root):
    save(root, "auth", ago=900)
    save(root, "auth-precompact", ago=30)
    assert data(root)["id"] == "2026-08-07-auth"


@pytest.mark.req("C.restore.one-sentinel", "C.clean.restore-record", "C.clean.trash")
def test_a_single_record_of_another_session_is_used_with_a_warning_and_then_put_away(root):
    path = save(root)
    left(root, "s-other", path)
    save(root, "newer", ago=1)
    before = get(root, path)
    done = run("restore", "--now", NOW, cwd=root, env=SESSION)
    assert done.returncode == 0
    assert "RESUMING: 2026-08-07-auth-fix" in done.stdout
    assert f"warning: {MISMATCH}" in done.stderr
    assert trashed(root) == ["pending-restore-s-other.txt"]
    assert not os.path.exists(os.path.join(root, MEMORY, "pending-restore-s-other.txt"))
    assert get(root, path) == before


@pytest.mark.req("C.restore.one-sentinel")
def test_the_mismatch_is_in_the_data_too(root):
    left(root, "s-other", save(root))
    assert data(root, env=SESSION)["mismatch"] is True


@pytest.mark.req("C.restore.several-sentinels", "C.restore.list-fields")
@pytest.mark.parametrize("count", [2, 3])
def test_among_several_it_never_chooses_by_itself(root, count):
    for at in range(count):
        left(root, f"s-{at}", save(root, f"task-{at}", day=f"2026-08-0{at + 1}"), ago=60.0 * at)
    before = snapshot(root)
    code, said = resumed(root, env=SESSION)
    assert (code, said["data"]["state"]) == (0, "choose")
    fields = [(one["task"], one["branch"], one["date"]) for one in said["data"]["candidates"]]
    assert fields == [(f"task-{at}", "feature/auth", f"2026-08-0{at + 1}") for at in range(count)]
    values = [choice["value"] for choice in said["ask"]["choices"]]
    assert values == [*(str(at + 1) for at in range(count)), "skip"]
    assert said["ask"]["flag"] == "--pick N"
    assert snapshot(root) == before


def test_what_each_is_about_tells_records_of_one_task_and_branch_apart(root):
    for at, wanted in enumerate(("Repair the login", "Mail the receipt")):
        path = save(root, f"main-{at + 2}-recovered", branch="main")
        put(root, path, get(root, path).replace("Finish the middleware.", wanted))
        left(root, f"s-{at}", path, ago=60.0 * at)
    said = resumed(root)[1]
    wanted = ["Repair the login", "Mail the receipt"]
    assert [one["about"] for one in said["data"]["candidates"]] == wanted
    shown = [choice["means"] for choice in said["ask"]["choices"][:2]]
    assert [line.endswith(f")  {text}") for line, text in zip(shown, wanted, strict=True)] == [
        True,
        True,
    ]


def test_the_question_names_the_sessions_that_are_still_at_work(root):
    histories.journal(1, histories.started(60, root), (30, "prompt"))
    left(root, histories.ident(1), save(root, "one"), ago=20)
    left(root, "s-gone", save(root, "two"), ago=40)
    first, second, _ = (one["means"] for one in resumed(root)[1]["ask"]["choices"])
    assert f"(left by the live session {histories.ident(1)})" in first
    assert "live session" not in second
    assert "（由仍在运行的会话" in run("resume", "--lang", "zh", "--now", NOW, cwd=root).stdout


@pytest.mark.req("C.restore.list-fields")
def test_what_cannot_be_read_is_listed_as_such(root):
    left(root, "s-1", save(root))
    put(root, f"{MEMORY}/checkpoints/2026-08-03-junk.md", "\x00\x01 no headings")
    left(root, "s-2", f"{MEMORY}/checkpoints/2026-08-03-junk.md", ago=120)
    left(root, "s-3", f"{MEMORY}/checkpoints/gone.md", ago=180)
    shown = run("restore", "--now", NOW, cwd=root).stdout.splitlines()
    assert shown[0] == "Multiple pending-restore sentinels found."
    task = "1. Task: auth-fix  Branch: feature/auth (checkpoint: 2026-08-07)"
    assert shown[1] == f"{task}  Finish the middleware."
    assert "junk.md (cannot be read: " in shown[2]
    assert "gone.md (cannot be read: the file is gone)" in shown[3]


@pytest.mark.req("C.restore.pick", "C.clean.restore-record")
def test_a_number_picks_and_skip_goes_to_the_newest_checkpoint(root):
    left(root, "s-1", save(root, "one", ago=900), ago=60)
    left(root, "s-2", save(root, "two", ago=600), ago=120)
    save(root, "three", ago=30)
    assert data(root, "--pick", "skip")["id"] == "2026-08-07-three"
    assert trashed(root) == []
    code, said = resumed(root, "--pick", "2", env=SESSION)
    assert (code, said["data"]["id"]) == (0, "2026-08-07-two")
    assert "mismatch" in slugs(said)
    assert trashed(root) == ["pending-restore-s-2.txt"]
    assert os.path.exists(os.path.join(root, MEMORY, "pending-restore-s-1.txt"))


@pytest.mark.req("C.restore.pick-invalid")
def test_a_wrong_answer_is_asked_once_more_and_then_it_looks_for_the_newest(root):
    left(root, "s-1", save(root, "one", ago=900), ago=60)
    left(root, "s-2", save(root, "two", ago=600), ago=120)
    save(root, "three", ago=30)
    assert data(root, "--pick", "9")["state"] == "choose"
    assert data(root, "--pick", "9", "--pick", "x")["id"] == "2026-08-07-three"
    assert data(root, "--pick", "9", "--pick", "1")["id"] == "2026-08-07-one"


@pytest.mark.req("C.restore.pick-invalid")
def test_on_a_terminal_two_wrong_answers_are_two_prompts_and_then_the_lookup(root):
    left(root, "s-1", save(root, "one", ago=900), ago=60)
    left(root, "s-2", save(root, "two", ago=600), ago=120)
    save(root, "three", ago=30)
    words = ("restore", "--now", NOW)
    code, shown = at_terminal(PERSON, "9\nx\nn\n", *words, cwd=root)
    assert code == 0
    assert shown.count("Which session do you want to restore?") == 2
    assert shown.count("RESUMING: 2026-08-07-three") == 1
    assert trashed(root) == []


@pytest.mark.req("C.restore.pick-invalid")
@pytest.mark.parametrize("typed", ["x\n2\nn\n", "0\n2\nn\n", "--list\n2\nn\n"])
def test_on_a_terminal_the_second_answer_may_still_be_right(root, typed):
    left(root, "s-1", save(root, "one"), ago=60)
    left(root, "s-2", save(root, "two"), ago=120)
    code, shown = at_terminal(PERSON, typed, "restore", "--now", NOW, cwd=root)
    assert code == 0
    assert shown.count("Which session do you want to restore?") == 2
    assert "RESUMING: 2026-08-07-two" in shown


def test_a_name_can_be_picked_whatever_was_left(root):
    put_skill(root)
    assert run("restore", "--pick", "2", cwd=root).returncode == 3
    os.makedirs(os.path.join(root, MEMORY))
    assert run("restore", "--pick", "nobody", cwd=root).returncode == 3
    assert data(root, "--pick", "oc-")["id"] == "oc-demo"
    assert data(root, "--pick", "skip")["id"] == "oc-demo"
    left(root, "s-1", save(root, "one"))
    left(root, "s-2", save(root, "two"))
    assert data(root, "--pick", "skill:oc-demo")["id"] == "oc-demo"


@pytest.mark.req("C.restore.pick", "C.clean.restore-record")
def test_on_a_terminal_a_number_picks_and_the_record_goes_once(root):
    left(root, "s-1", save(root, "one"), ago=60)
    left(root, "s-2", save(root, "two"), ago=120)
    code, shown = at_terminal(PERSON, "2\nn\n", "restore", "--now", NOW, cwd=root)
    assert code == 0
    assert "2. Task: two  Branch: feature/auth (checkpoint: 2026-08-07)" in shown
    assert shown.count("RESUMING: 2026-08-07-two") == 1
    assert trashed(root) == ["pending-restore-s-2.txt"]


def test_records_of_one_document_are_one_candidate_and_go_together(root):
    path = save(root)
    left(root, "s-1", path)
    left(root, "s-2", os.path.join(root, path), ago=120)
    assert data(root)["id"] == "2026-08-07-auth-fix"
    assert trashed(root) == ["pending-restore-s-1.txt", "pending-restore-s-2.txt"]


# Records of this machine


def test_what_a_save_of_the_current_thread_left_is_a_persons_own(root, state):
    path = put_thread(root)
    put(root, ".checkpoints/current", f"{THREAD}\n")
    record = left_here(state, "s-1", os.path.join(root, path))
    left(root, "s-2", save(root), ago=6)
    said = data(root)
    assert (said["id"], said["mismatch"]) == (THREAD, False)
    assert not os.path.exists(record)
    assert os.path.exists(os.path.join(root, MEMORY, "pending-restore-s-2.txt"))
    kept = [name for _, _, names in os.walk(os.path.join(state, "trash")) for name in names]
    assert sorted(kept) == ["pending-restore-s-1.txt", "pending-restore-s-1.txt.origin"]


def test_each_of_two_sessions_resumes_what_it_is_on(root, state):
    path = put_thread(root)
    other = ".checkpoints/threads/thread-two/CHECKPOINT.md"
    put(root, other, get(root, path).replace(THREAD, "thread-two"))
    for n, thread, target in ((1, THREAD, path), (2, "thread-two", other)):
        start = histories.started(600, root)
        histories.journal(n, start, (500, "bind", {"thread": thread}))
        left_here(state, f"gone-{n}", os.path.join(root, target))
    for n, thread in ((1, THREAD), (2, "thread-two")):
        env = {"LEFTOFF_SESSION": f"claude-code/{histories.ident(n)}"}
        assert data(root, env=env)["id"] == thread


def test_a_record_of_another_project_is_not_seen(root, state, tmp_path):
    os.makedirs(tmp_path / "elsewhere")
    path = put_thread(repo(tmp_path / "elsewhere"))
    left_here(state, "s-1", os.path.join(tmp_path, "elsewhere", "project", path))
    assert data(root, "--list")["records"] == []
    assert data(root) == {"state": "fresh"}


def test_what_waits_in_vain_is_said_also_where_several_are_near(root):
    for name in ("chk-one", "chk-two"):
        put_markdown(root, name, header="status: current\n")
    left(root, "s-1", f"{MEMORY}/checkpoints/2026-08-07-gone.md")
    _, said = resumed(root)
    assert said["data"]["state"] == "choose"
    assert "pending-gone" in slugs(said)


def test_a_record_never_opens_what_is_not_the_projects_own(root, tmp_path):
    secret = put(str(tmp_path), "secret.txt", "the password\n")
    left(root, "s-1", secret)
    code, said = resumed(root)
    assert (code, said["data"]) == (0, {"state": "fresh"})
    assert slugs(said) == ["pending-gone"]
    picked = run("restore", "--pick", "1", "--now", NOW, cwd=root)
    assert picked.returncode == 1
    assert "the password" not in picked.stdout + picked.stderr


@pytest.mark.req("C.scope.purpose", "C.surface.summary")
def test_a_save_on_this_machine_is_restored_in_another_session_with_its_verdicts(root, state):
    store = Store(find_place(root), state)
    path = saves.save(store, "2026-08-07-auth-fix", TASK)
    saves.leave(store, "s-1", path)
    before = get("/", path)
    said = data(root, env=SESSION)
    assert (said["path"], said["surface"]["task"]) == (path, "auth-fix")
    assert said["surface"]["branch"] == "feature/auth"
    assert "✗ branch feature/auth: this branch no longer exists" in said["text"]
    assert "All of it: leftoff resume 2026-08-07-auth-fix-precompact --raw\n" in said["text"]
    raw = run("resume", "2026-08-07-auth-fix-precompact", "--raw", cwd=root)
    assert raw.stdout == TASK == before


def test_a_save_of_this_machine_can_be_put_aside(root, state):
    path = saves.save(Store(find_place(root), state), "2026-08-07-auth-fix", TASK)
    said = data(root, "2026-08-07-auth-fix-precompact", "--restart")
    assert said["state"] == "fresh"
    assert not os.path.exists(path)
    assert get("/", said["moved"][0]["to"]) == TASK


# Guards


@pytest.mark.req("X.pending.guards")
def test_a_record_has_an_owner_and_an_end(root):
    left(root, "s-1", save(root))
    (one,) = data(root, "--list")["records"]
    wanted = ("type", "session", "task", "created", "expires", "consumed", "offered")
    assert [one[name] for name in wanted] == [
        "restore",
        "s-1",
        "auth-fix",
        "2026-08-08T11:59:00Z",
        "2026-09-07T11:59:00Z",
        False,
        "",
    ]


@pytest.mark.req("X.pending.guards")
def test_what_is_expired_goes_to_the_trash_and_is_not_used(root):
    path = save(root)
    left(root, "s-old", path, ago=30 * 86400 + 1)
    left(root, "s-new", path, ago=30 * 86400)
    assert data(root, "--list")["records"][0]["session"] == "s-new"
    assert data(root, "--preview")["mismatch"] is True
    assert trashed(root) == []
    assert [one["session"] for one in data(root, "--list")["records"]] == ["s-new"]
    run("restore", "--continue", "--now", NOW, cwd=root)
    assert trashed(root) == ["pending-restore-s-new.txt", "pending-restore-s-old.txt"]


@pytest.mark.req("X.pending.guards")
def test_the_wrong_taker_is_warned(root):
    put_thread(root)
    put(root, ".checkpoints/current", f"{THREAD}\n")
    left(root, "s-1", save(root))
    done = run("restore", "--pick", "1", "--now", NOW, cwd=root)
    assert f"warning: it is for another task (auth-fix) than {THREAD}\n" in done.stderr


@pytest.mark.req("X.pending.guards")
def test_taking_over_from_a_session_that_still_runs_is_warned_of(root):
    histories.journal(1, histories.started(60, root), (30, "prompt"))
    left(root, histories.ident(1), save(root))
    assert "live-session" in slugs(resumed(root)[1])


def test_the_limit_is_a_setting(root):
    left(root, "s-1", save(root), ago=3 * 86400)
    put(root, ".checkpoints/config.toml", '[thresholds]\n"pending.expires" = "2d"\n')
    assert data(root, "--list")["records"] == []


@pytest.mark.parametrize("end", ["-precompact.md", "-recovered.md"])
def test_a_save_nobody_asked_for_counts_no_more_once_its_thread_was_saved(root, state, end):
    path = put_thread(root)
    histories.journal(1, histories.started(9e5, root), (8e5, "bind", {"thread": THREAD}))
    store = Store(find_place(root), state)
    saves.leave(store, histories.ident(1), saves.save(store, "2026-08-05-work", TASK, end))
    record = os.path.join(state, f"pending/pending-restore-{histories.ident(1)}.txt")
    aged(record, 60.0)
    assert len(data(root, "--list")["records"]) == 1
    aged(record, 5 * 86400.0)
    assert get(root, path).count("2026-08-06T10:00:00Z") == 1
    assert data(root, "--list")["records"] == []


def test_of_very_many_records_the_newest_are_looked_at(root, monkeypatch):
    monkeypatch.setattr(saves, "MOST", 3)
    for at in range(6):
        left(root, f"s-{at}", save(root, f"task-{at}", day=f"2026-08-0{at + 1}"), ago=60.0 * at)
    found = [one["task"] for one in data(root, env=SESSION)["candidates"]]
    assert found == ["task-0", "task-1", "task-2"]
