"""doctor: what drifted or broke in real repositories, worst first; --online, --settings."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest

from examined import DEAD, clean_skill, doctor, found, slugs, told
from leftoff.core.starter_texts import driver
from leftoff.errors import GitError
from leftoff.world import git as git_of_world
from leftoff.world import health_check
from projects import THREAD_JSON, get, markdown, put, put_all, put_markdown, put_skill, put_thread
from support import git, run, shared

MEMORY = ".workflow_artifacts/memory"


@pytest.mark.parametrize("there", [True, False])
def test_a_state_folder_that_cannot_be_written_is_told(root, tmp_path, monkeypatch, there):
    state = tmp_path / "sealed" / ("" if there else "state/leftoff")
    (tmp_path / "sealed").mkdir()
    monkeypatch.setenv("LEFTOFF_STATE", os.fspath(state))
    sealed = os.fspath(tmp_path / "sealed")
    may = os.access
    monkeypatch.setattr(
        os, "access", lambda path, how: not path.startswith(sealed) and may(path, how)
    )
    (level,) = (f["level"] for f in told(root)["findings"] if "cannot be written" in f["text"])
    assert level == "warning"
    assert "不可写" in doctor(root, "--lang", "zh").stdout


@pytest.mark.parametrize(
    ("room", "full"),
    [
        ({"f_bavail": 0}, True),
        ({"f_favail": 0}, True),
        ({"f_blocks": 0, "f_bavail": 0}, False),  # a file system that does not count
        ({}, False),
    ],
)
def test_a_state_folder_on_a_full_disk_is_told(root, monkeypatch, room, full):
    disk = {"f_blocks": 10, "f_bavail": 10, "f_frsize": 4096, "f_files": 9, "f_favail": 9, **room}
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(**disk))
    found = [f["level"] for f in told(root)["findings"] if "full disk" in f["text"]]
    assert found == ["warning"] * full
    assert ("磁盘已满" in doctor(root, "--lang", "zh").stdout) == full


def commit(root, message, *paths):
    git("add", "--all", "--", *(paths or ["."]), cwd=root)
    git("commit", "--quiet", "--allow-empty", "--message", message, cwd=root)


# What it reports


@pytest.mark.req("A.doctor.scope")
def test_a_clean_set_exits_zero_and_says_how_much_it_checked(root):
    clean_skill(root)
    done = doctor(root)
    assert done.returncode == 0
    last = done.stdout.splitlines()[-1]
    assert last.startswith("Errors: 0, warnings: 0, advice: 0, ")
    assert last.endswith("Checked 1 document, 2 claims.")
    assert doctor(root, "--fail-on-warnings").returncode == 0


def test_a_project_without_documents_is_healthy(root):
    assert "Checked 0 documents, 0 claims" in doctor(root).stdout


@pytest.mark.req("A.doctor.scope", "A.doctor.landed-work", "A.doctor.missing-files")
def test_merged_work_a_deleted_file_and_a_moved_branch_are_all_named(root):
    git("checkout", "--quiet", "-b", "feature", cwd=root)
    put(root, "src/auth.py", "x = 1\n")
    commit(root, "Begin the feature")
    base = git("rev-parse", "HEAD", cwd=root).strip()
    folder = ".checkpoints/threads/thread-1a2b3c4d"
    put_thread(root)
    text = get(root, f"{folder}/CHECKPOINT.md")
    text = text.replace("**Branch**: main", "**Branch**: feature").replace("abc1234", base[:9])
    text = text.replace("Write the middleware", "Merge #12")
    text += "\n## Key Files\n\n| File | Role |\n|---|---|\n| src/auth.py | timer |\n"
    put(root, f"{folder}/CHECKPOINT.md", text)
    assert slugs(root) == []
    os.remove(os.path.join(root, "src/auth.py"))
    commit(root, "Drop the timer", "src/auth.py")
    git("checkout", "--quiet", "main", cwd=root)
    commit(root, "Sign the tokens (#12)", "app.py")
    shown = doctor(root)
    assert "#12 has already landed" in shown.stdout
    assert "it names a file that does not exist: src/auth.py" in shown.stdout
    assert "branch feature: it moved: 1 commit came after" in shown.stdout
    assert {"landed", "missing-files", "branch"} <= set(slugs(root))
    assert shown.returncode == 0
    assert doctor(root, "--fail-on-warnings").returncode == 1


@pytest.mark.req("A.doctor.project-dir", "A.schema.project-dir")
def test_a_project_folder_of_another_machine_is_information(root):
    path = clean_skill(root, project_dir="/home/ada/nowhere")
    assert found(root) == [("info", "project-dir", path)]
    assert doctor(root, "--fail-on-warnings").returncode == 0


@pytest.mark.req("A.doctor.missing-files")
def test_five_missing_files_are_five_names(root):
    paths = [f"odd{n}/deep/part.rs" for n in range(5)]
    clean_skill(root, context_primer={"key_decisions": ["a"], "generated_files": paths})
    shown = doctor(root).stdout
    assert all(path in shown for path in paths)


@pytest.mark.req("A.doctor.scope")
def test_the_first_sample_set_exits_zero_and_fails_on_its_warnings(tmp_path):
    head = shared("samples", "opchain", "head")
    shutil.copytree(head, tmp_path / ".checkpoints")
    assert doctor(tmp_path).returncode == 0
    assert doctor(tmp_path, "--fail-on-warnings").returncode == 1
    assert "landed" in slugs(tmp_path)


@pytest.mark.req("X.read.broken-reported", "A.doctor.scope")
def test_a_broken_document_leads_and_hides_nothing(root):
    put_all(root)
    put(root, ".checkpoints/a.checkpoint.json", "{")
    put(root, ".checkpoints/b.checkpoint.json", "null")
    conflict = "<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n"
    put(root, ".checkpoints/c.checkpoint.json", conflict)
    done = doctor(root)
    assert done.returncode == 1
    errors = [where for level, _, where in found(root) if level == "error"]
    assert errors == [f".checkpoints/{name}.checkpoint.json" for name in "abc"]
    assert found(root)[: len(errors)] == [f for f in found(root) if f[0] == "error"]
    assert "Checked 7 documents" in done.stdout
    assert "conflict marker" in done.stdout


def test_every_finding_names_a_place_and_a_way_out(root):
    put_all(root)
    put(root, ".checkpoints/a.checkpoint.json", "{")
    put_markdown(root, "chk-b", header="status: current\nparent: nobody\n")
    put_markdown(root, "chk-c", header="status: current\n", problem="Short.")
    put(root, ".checkpoints/current", "thread-zzz\n")
    for finding in told(root)["findings"]:
        assert finding["where"], finding
        assert finding["fix"], finding


def test_a_way_out_says_which_is_meant_where_two_formats_share_a_name(root):
    put_skill(root, "oc-a", status="waiting")
    put(root, "checkpoints/active/oc-a.md", "---\ncheckpoint: oc-a\n---\n")
    put_skill(root, "oc-b", status="waiting")
    fixes = " ".join(finding["fix"] for finding in told(root)["findings"])
    names = set(re.findall('"leftoff show (.+?)"', fixes))
    assert names == {"skill:oc-a", "md:oc-a", "oc-b"}
    assert all(run("show", name, cwd=root).returncode == 0 for name in names)


def test_what_an_archived_checkpoint_leaves_open_is_no_warning_any_more(root):
    open_still = markdown("chk-open").replace("- Change the timer", "(none stated)")
    for name, folder in (("chk-open", "active"), ("chk-over", "archive")):
        text = open_still.replace("- Write the docs\n", "").replace("chk-open", name)
        put(root, f"checkpoints/{folder}/{name}.md", text)
    broken = open_still.replace("### Decisions", "### Thoughts").replace("chk-open", "chk-bad")
    put(root, "checkpoints/archive/chk-bad.md", broken)
    places = {(level, where.partition(":")[0]) for level, _, where in found(root)}
    assert ("warning", "checkpoints/active/chk-open.md") in places
    assert [level for level, where in places if "archive/" in where] == ["error"]
    assert "nobody has stated it" in run("validate", "chk-over", cwd=root).stdout


@pytest.mark.req("B.status.one-current")
def test_two_current_checkpoints_are_both_named(root):
    for name in ("chk-a", "chk-b"):
        put_markdown(root, name, header="status: current\n")
    several = [f for f in found(root) if f[1] == "several-current"]
    assert len(several) == 2
    assert "chk-a, chk-b" in doctor(root).stdout


def test_what_doctor_says_to_run_means_that_one_document_and_is_a_whole_command(root):
    for file in ("one", "two"):
        put(root, f"checkpoints/active/{file}.md", markdown("chk-a", header="status: odd\n"))
    findings = json.loads(doctor(root, "--json").stdout)["findings"]
    fixes = [found["fix"] for found in findings if found["slug"] == "bad-status"]
    paths = [f"checkpoints/active/{file}.md" for file in ("one", "two")]
    assert fixes == [f"leftoff update {path} --status=active" for path in paths]
    for fix in fixes:
        assert run(*fix.split()[1:], cwd=root).returncode == 0
    assert "bad-status" not in slugs(root)


@pytest.mark.req("A.layout.ignored-warning")
def test_an_ignore_rule_that_hides_documents_is_named(root):
    path = clean_skill(root)
    assert slugs(root) == []
    put(root, ".gitignore", "*.log\n.checkpoints/\n")
    assert found(root) == [("warning", "ignored", path)]
    assert ".gitignore:2:.checkpoints/" in doctor(root).stdout
    git("add", "--force", path, cwd=root)
    assert slugs(root) == []


def test_a_rule_that_lets_documents_through_again_is_no_rule_against_them(root):
    clean_skill(root)
    put(root, ".gitignore", ".checkpoints/*\n!.checkpoints/*.json\n")
    assert slugs(root) == []


@pytest.mark.parametrize("name", [".gitignore", ".gitattributes", ".checkpoints/.gitignore"])
def test_a_pipe_in_place_of_rules_for_git_is_named_and_git_is_not_asked(root, name, monkeypatch):
    clean_skill(root)
    os.mkfifo(os.path.join(root, name))
    asked = []
    start = git_of_world._start
    monkeypatch.setattr(
        git_of_world,
        "_start",
        lambda root, words, env: asked.append(words) or start(root, words, env),
    )
    assert found(root) == [("warning", "git-waits", name)]
    assert not [words for words in asked if "check-ignore" in words]
    assert "git 会一直等它" in doctor(root, "--lang", "zh").stdout


@pytest.mark.parametrize("verb", ["status", "check-ignore", "hash-object"])
def test_git_is_not_asked_what_it_would_read_a_pipe_for(root, verb):
    os.makedirs(os.path.join(root, "sub"))
    os.mkfifo(os.path.join(root, ".gitattributes"))
    for folder in (root, os.path.join(root, "sub")):
        with pytest.raises(
            GitError, match=r"git would wait at .*/\.gitattributes, which is a pipe"
        ):
            git_of_world.ask(folder, "-c", "core.quotePath=false", verb, "app.py", env=os.environ)


def test_attributes_for_some_documents_only_are_named_and_left_to_a_person(root):
    clean_skill(root)
    run("init", "--merge-driver", cwd=root)
    lines = get(root, ".gitattributes").splitlines(keepends=True)
    put(root, ".gitattributes", "".join(lines[:-1]))
    assert "merge-driver" in slugs(root)
    plan = json.loads(run("doctor", "--fix", "--json", cwd=root).stdout)["data"]["plan"]
    assert "merge-driver" not in [step["id"] for step in plan["steps"]]


def test_an_index_that_does_not_say_what_the_documents_say_is_a_warning(root):
    path = put_markdown(root)
    assert "index-outdated" not in slugs(root)
    run("index", cwd=root)
    assert "index-outdated" not in slugs(root)
    put(root, path, get(root, path).replace("Sessions expire too early", "They expire too early"))
    assert "index-outdated" in slugs(root)
    run("index", cwd=root)
    put_markdown(root, "chk-new")
    assert "index-outdated" in slugs(root)


@pytest.mark.req("B.delta.when")
def test_much_work_since_the_last_delta_is_one_suggestion(root):
    put_markdown(root, header="status: current\n")
    put(root, "src/auth.py", "x = 1\n")
    for number in range(5):
        put(root, f"src/part{number}.py", "x = 1\n")
    suggested = [f for f in told(root)["findings"] if f["slug"] == "delta-due"]
    assert [(f["level"], f["fix"]) for f in suggested] == [
        ("advice", "leftoff delta chk-auth --what TEXT")
    ]
    git("add", "--all", cwd=root)
    git("commit", "--quiet", "--message", "parts", cwd=root)
    assert "delta-due" in slugs(root)
    run("delta", "chk-auth", "--what", "Parts", "--now", "2099-01-01T00:00:00Z", cwd=root)
    assert "delta-due" not in slugs(root)


@pytest.mark.req("A.merge.local-only")
def test_a_clone_without_the_driver_is_told_so(root):
    run("init", "--merge-driver", cwd=root)
    assert "merge-driver" not in slugs(root)
    git("config", "--local", "--remove-section", "merge.leftoff", cwd=root)
    shown = doctor(root).stdout
    assert "leftoff init --merge-driver" in shown
    assert "a merge on a server never runs it" in shown


@pytest.mark.parametrize("program", ["./python", "{root}/bin/python", "/proc/self/cwd/python"])
def test_a_driver_of_the_repositorys_own_is_never_started(root, program, monkeypatch):
    monkeypatch.chdir(root)
    run("init", "--merge-driver", cwd=root)
    for path in ("python", "bin/python"):
        put(root, path, f"#!/bin/sh\ntouch {root}/ran\n")
        os.chmod(os.path.join(root, path), 0o755)
    command = driver(program.format(root=root))
    git("config", "--local", "merge.leftoff.driver", command, cwd=root)
    doctor(root)
    assert not os.path.exists(os.path.join(root, "ran"))


def test_a_driver_of_another_installation_is_asked_whether_it_is_still_there(root, tmp_path):
    run("init", "--merge-driver", cwd=root)
    python = tmp_path / "elsewhere" / "python"
    python.parent.mkdir()
    git("config", "--local", "merge.leftoff.driver", driver(str(python)), cwd=root)
    assert "the Python that ran it is gone" in doctor(root).stdout
    for code, slug in ((0, False), (1, True)):
        python.write_text(f"#!/bin/sh\nexit {code}\n", encoding="utf-8")
        python.chmod(0o755)
        assert ("merge-driver" in slugs(root)) == slug


@pytest.mark.req("C.pidfile.identity")
def test_what_sessions_left_behind_is_checked(root):
    os.makedirs(os.path.join(root, MEMORY, "sessions"))
    put(root, f"{MEMORY}/checkpoints/there.md", "")
    put(root, f"{MEMORY}/pending-restore-s1.txt", f"{MEMORY}/checkpoints/there.md\n")
    put(root, f"{MEMORY}/pending-restore-s2.txt", "nowhere.md\n")
    put(root, f"{MEMORY}/pending-restore-s3.txt", "two\nlines\n")
    old = put(root, f"{MEMORY}/pending-prompt-s4.txt", "go on\n")
    os.utime(old, (0, 0))
    marker = f"skill=checkpoint\npid={DEAD}\ntimestamp=2026-08-08\n"
    put(root, f"{MEMORY}/sessions/checkpoint-{DEAD}.pidfile.lock", marker)
    mine = f"skill=plan\npid={os.getpid()}\ntimestamp=2026-08-08\n"
    put(root, f"{MEMORY}/sessions/plan-{os.getpid()}.pidfile.lock", mine)
    assert {(slug, where.rpartition("/")[2]) for _, slug, where in found(root)} >= {
        ("sentinel-target", "pending-restore-s2.txt"),
        ("sentinel", "pending-restore-s3.txt"),
        ("sentinel-old", "pending-prompt-s4.txt"),
        ("dead-marker", f"checkpoint-{DEAD}.pidfile.lock"),
    }
    assert "pending-restore-s1" not in doctor(root).stdout
    assert "plan-" not in doctor(root).stdout


def test_a_session_that_a_registry_calls_active_may_be_stale(root):
    session = {"sessionId": "sess-a1", "lastActivityAt": "2026-08-08T09:00:00Z"}
    put(root, "status/sessions_summary.json", json.dumps({"activeSessions": [session]}))
    texts = [f["text"] for f in told(root)["findings"] if f["slug"] == "stale-session"]
    assert texts == ["session sess-a1 is listed as active, but was last seen 3 h ago"]


def test_a_listed_session_without_an_id_is_an_error_and_nothing_more(root):
    listed = [{"sessionId": 4, "lastActivityAt": "2026-08-08T09:00:00Z"}, 5]
    put(root, "status/sessions_summary.json", json.dumps({"activeSessions": listed}))
    texts = [f["text"] for f in told(root)["findings"]]
    assert "activeSessions[0].sessionId must be a text" in texts
    assert "activeSessions[1] must be an object" in texts
    assert not [text for text in texts if "is listed as active" in text]


def test_a_thread_with_several_active_sessions_is_a_warning(root):
    put_thread(root)
    two = THREAD_JSON.replace(
        '"sessions": [', '"sessions": [{ "seq": 2, "hapiSessionId": "s-2", "active": true }, '
    )
    put(root, ".checkpoints/threads/thread-1a2b3c4d/thread.json", two)
    assert "several-active" in slugs(root)


def test_a_warm_cache_gives_the_same_report(root, monkeypatch):
    monkeypatch.setattr("leftoff.world.glance_cache.RACY", -(10**12))  # believe what is new, too
    put_all(root)
    evidence = {"command": "true", "exit_code": 1}
    done = [{"text": "Old work", "done_when": "true", "evidence": evidence}]
    many = {"key_decisions": ["a"], "generated_files": [f"src/{n}.py" for n in range(60)]}
    landed = {"next_actions": ["Merge #9"], "skill_state": {"merged": ["#9"]}}
    more = {"depends_on": "no", "progress_summary": "x" * 1300, "context_primer": many, **landed}
    put_skill(root, "oc-x", recently_done=done, **more)
    put_markdown(root, "chk-b", header="status: current\nparent: nobody\n")
    put_markdown(root, "chk-c", header="status: current\nlast_delta: 2026-08-05T00:00:00Z\n")
    put(root, ".checkpoints/bad.checkpoint.json", "{")
    put(root, "checkpoints/active/INDEX.md", "# Active Checkpoints\n")
    put(root, ".checkpoints/config.toml", '[thresholds]\n"size.decisions" = 0\n')
    cold, warm = (told(root, "--fix") for _ in range(2))
    assert warm == cold
    slugs = {finding["slug"] for finding in warm["findings"]}
    assert slugs >= {"evidence-failed", "many-decisions", "long-summary", "old-delta", "broken"}
    assert slugs >= {"landed", "missing-files", "missing-parent", "several-current"}
    assert "10 files" in warm["data"]["capped"][0]


def test_only_the_worst_are_shown_unless_all_are_wanted(root, monkeypatch):
    monkeypatch.setattr("leftoff.commands.doctor.SHOWN", 1)
    put_all(root)
    total = len(told(root)["findings"])
    assert total > 1
    assert f"{total - 1} more: leftoff doctor --all" in doctor(root).stdout
    assert "more:" not in doctor(root, "--all").stdout


def test_it_says_when_git_had_no_time(root, monkeypatch):
    put_thread(root)
    monkeypatch.setattr("leftoff.commands.doctor.BUDGET", -1.0)
    assert told(root)["data"]["degraded"]
    assert "not everything was checked: " in doctor(root).stdout


def test_a_file_that_leads_out_of_the_project_is_not_followed(root, tmp_path):
    clean_skill(root)
    outside = put(tmp_path, "outside", "thread-1a2b3c4d\n")
    os.symlink(outside, os.path.join(root, ".gitattributes"))
    assert slugs(root) == []
    os.symlink(outside, os.path.join(root, ".checkpoints/current"))
    assert slugs(root) == ["current"]


def test_hooks_that_are_there_twice_or_not_at_all_are_reported(root, home):
    clean_skill(root)
    assert "hook-twice" not in slugs(root)
    launcher = put(home, "state/leftoff/hook/launch.py", "")
    command = f"python3 -I -S {os.path.join(home, launcher)} claude-code Stop"
    settings = json.dumps({"hooks": {"Stop": [{"hooks": [{"command": command}]}]}})
    put(home, ".claude/settings.json", settings)
    assert set(slugs(root)) == {"hook-active", "hook-partial"}
    put(root, ".claude/settings.json", settings)
    assert set(slugs(root)) == {"hook-active", "hook-partial", "hook-twice"}
    os.unlink(os.path.join(home, "state/leftoff/hook/launch.py"))
    assert set(slugs(root)) == {"hook-gone", "hook-partial", "hook-twice"}
    put(home, ".claude/settings.json", "{}")
    os.unlink(os.path.join(root, ".claude/settings.json"))
    assert slugs(root) == ["hook-missing"]


@pytest.mark.parametrize("agent", ["claude-code", "opencode"])
@pytest.mark.parametrize("name", ["python", "it's a python"])
@pytest.mark.usefixtures("home")
def test_hooks_whose_interpreter_is_gone_call_nobody(root, monkeypatch, agent, name):
    clean_skill(root)
    python = os.path.join(os.path.dirname(root), name)
    os.symlink(sys.executable, python)
    monkeypatch.setattr("sys.executable", python)
    assert run("setup", "--yes", "--agent", agent, cwd=root).returncode == 0
    assert slugs(root) == ["hook-active"]
    os.unlink(python)
    assert slugs(root) == ["hook-gone"]


@pytest.mark.parametrize("junk", [b"", b"echo 'half", b"\xff\xfe"])
@pytest.mark.usefixtures("home")
def test_a_script_of_a_plugin_that_names_no_python_is_judged_without_it(root, junk):
    clean_skill(root)
    run("setup", "--yes", "--agent", "opencode", cwd=root)
    with open(os.path.join(os.environ["LEFTOFF_STATE"], "hook/run"), "wb") as file:
        file.write(junk)
    assert slugs(root) == ["hook-active" if junk.isascii() else "hook-gone"]


# --settings


def test_broken_settings_are_a_finding_and_the_defaults_hold(root):
    clean_skill(root)
    for text in ("[thresholds\n", "[thresholds]\nnonsense = 1\n", "[health]\nurl = 5\n"):
        put(root, ".checkpoints/config.toml", text)
        assert found(root) == [("error", "settings", ".checkpoints/config.toml")]
        done = doctor(root, "--settings")
        assert done.returncode == 1
        assert ".checkpoints/config.toml" in done.stdout


def test_every_setting_in_force_is_shown_with_its_origin(root, home):
    own = put(home, "config/leftoff/config.toml", '[thresholds]\n"stale.session" = "2h"\n')
    text = '[thresholds.stale]\ncheckpoint = "3d"\n[tickets]\nprefixes = ["ABC"]\n'
    put(root, ".checkpoints/config.toml", text)
    rows = {row["key"]: row for row in told(root, "--settings")["data"]["settings"]}
    assert rows["thresholds.stale.session"] == {
        "key": "thresholds.stale.session",
        "value": 7200.0,
        "layer": "user",
        "path": own,
    }
    assert rows["thresholds.stale.checkpoint"]["layer"] == "project"
    assert rows["tickets.prefixes"]["value"] == ["ABC"]
    assert rows["thresholds.stale.delta"]["layer"] == "default"
    shown = [line.split() for line in doctor(root, "--settings").stdout.splitlines()]
    assert ["thresholds.stale.session", "7200", own] in shown
    assert ["archive.keep", "31536000", "default"] in shown


def test_a_repository_may_not_send_leftoff_to_an_address_inside_the_machine(root):
    put(root, ".checkpoints/config.toml", '[health]\nurl = "http://127.0.0.1/x"\n')
    assert found(root) == [("error", "settings", ".checkpoints/config.toml")]
    put(root, ".checkpoints/config.toml", '[health]\nurl = "https://shop.example/health"\n')
    assert slugs(root) == []


# --online


@contextmanager
def server(status: int, body: bytes, headers=()) -> Iterator[str]:
    """The address of a server that gives one answer."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}/health"
        running.shutdown()
        thread.join()


def online(root, home, url):
    put(home, "config/leftoff/config.toml", f'[health]\nurl = "{url}"\n')
    return [f for f in told(root, "--online")["findings"] if f["slug"] == "online"]


@pytest.mark.req("A.doctor.online")
def test_what_runs_is_compared_with_head(root, home):
    head = git("rev-parse", "HEAD", cwd=root).strip()
    for name in ("version", "commit", "sha"):
        with server(200, json.dumps({name: head[:9]}).encode()) as url:
            assert online(root, home, url) == []
    with server(200, b'{"version": "0000000"}') as url:
        (finding,) = online(root, home, url)
    assert finding["level"] == "warning"
    assert "0000000" in finding["text"]
    assert head[:9] in finding["text"]


@pytest.mark.req("A.doctor.online")
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((500, b""), "500"),
        ((200, b"<html>"), "not JSON"),
        ((200, b"[]"), "has no version"),
        ((200, b'"' + b"x" * 70_000 + b'"'), "larger than 64 KB"),
        ((302, b"", [("Location", "http://localhost.invalid/")]), "another host"),
    ],
)
def test_a_bad_answer_is_a_warning(root, home, answer, said):
    with server(*answer) as url:
        (finding,) = online(root, home, url)
    assert finding["level"] == "warning"
    assert said in finding["text"]


@pytest.mark.req("A.doctor.online")
def test_no_answer_in_time_and_no_server_are_warnings(root, home, monkeypatch):
    monkeypatch.setattr(health_check, "TIMEOUT", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        (finding,) = online(root, home, f"http://127.0.0.1:{port}/")
        assert (finding["level"], "timed out" in finding["text"]) == ("warning", True)
    (finding,) = online(root, home, f"http://127.0.0.1:{port}/")
    assert "refused" in finding["text"]
    assert doctor(root, "--online").returncode == 0


def test_an_address_that_is_not_configured_is_said(root):
    assert "online" in slugs(root, "--online")


@pytest.mark.req("A.doctor.online")
def test_without_the_flag_no_socket_is_opened(root, home, monkeypatch):
    put_all(root)
    put(home, "config/leftoff/config.toml", '[health]\nurl = "http://127.0.0.1:9/"\n')

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    assert "online" not in slugs(root)
    assert doctor(root, "--online").returncode != 0  # the trap works
