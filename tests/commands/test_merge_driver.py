"""The merge driver under real git: what merges is merged, what does not is recorded and settled."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from leftoff.core import starter_texts
from projects import (
    NOW,
    TASK,
    get,
    markdown,
    put,
    put_markdown,
    put_skill,
    put_thread,
    skill,
)
from support import SOURCE, git, repo, run

PATH = ".checkpoints/oc-demo.checkpoint.json"
MARKDOWN = "checkpoints/active/chk-auth.md"
THREAD = ".checkpoints/threads/thread-1a2b3c4d"
TASK_PATH = ".workflow_artifacts/memory/checkpoints/2026-08-06-auth-fix.md"


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A repository with documents of three formats and the driver installed."""
    monkeypatch.setenv("PYTHONPATH", SOURCE)
    place = repo(tmp_path)
    put_skill(place)
    put_markdown(place)
    put_thread(place)
    assert run("init", "--merge-driver", cwd=place).returncode == 0
    _commit(place)
    return place


def attempt(root, *words):
    """What git said and how it ended."""
    return subprocess.run(["git", *words], cwd=root, capture_output=True, encoding="utf-8")


def branches(root, ours, theirs):
    """Two branches from one base, each changed by its function, ours checked out."""
    git("checkout", "-qb", "theirs", cwd=root)
    theirs()
    _commit(root)
    git("checkout", "-q", "main", cwd=root)
    ours()
    _commit(root)


def merged(root, ours, theirs):
    """`git merge` of two branches that each made an update of the skill's checkpoint."""
    branches(
        root,
        lambda: update(root, "oc-demo", *ours, now="2026-08-08T11:00:00Z"),
        lambda: update(root, "oc-demo", *theirs, now="2026-08-08T10:00:00Z"),
    )
    return attempt(root, "merge", "-q", "theirs", "-m", "merge")


def update(root, *words, now=NOW):
    done = run("update", *words, "--now", now, cwd=root)
    assert done.returncode == 0, done.stderr


def edit(root, path, old, new):
    text = get(root, path)
    assert old in text
    put(root, path, text.replace(old, new, 1))


def _commit(root):
    git("add", "-A", cwd=root)
    git("commit", "-qm", "change", cwd=root)


def drive(root, folder, texts, path=PATH):
    """The driver itself, on three texts or bytes: how it ended, and the result."""
    for name, text in zip("oab", texts, strict=True):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(text.encode() if isinstance(text, str) else text)
    done = run("merge-driver", *(os.path.join(folder, name) for name in "oab"), path, cwd=root)
    with open(os.path.join(folder, "a"), "rb") as file:
        return done, file.read().decode("utf-8", "replace")


@pytest.mark.req("X.round.lossless", "A.merge.driver")
def test_both_sides_changes_are_kept_and_newer_wins_where_only_one_can(root):
    done = merged(
        root,
        ["--step=ours", "--context_primer.key_decisions+=Ours"],
        ["--step=theirs", "--context_primer.key_decisions+=Theirs", "--next_actions+=More"],
    )
    assert done.returncode == 0, done.stderr
    document = json.loads(get(root, PATH))
    assert document["step"] == "ours"
    assert set(document["context_primer"]["key_decisions"]) == {"Stack: Hono", "Ours", "Theirs"}
    assert "More" in document["next_actions"]
    assert run("validate", "--now", NOW, cwd=root).returncode == 0


def test_documents_of_a_later_version_are_merged_line_by_line(root, tmp_path):
    base = skill(protocol_version="2.0", step="base", phase="base", next_actions=["One", "Two"])
    ours, theirs = (base.replace('"step": "base"', f'"step": "{side}"') for side in "ab")
    done, text = drive(root, tmp_path, (base, ours, theirs))
    assert done.returncode == 1
    assert "our version: of a later version of its format" in done.stderr
    assert "<<<<<<<" in text  # by field the newer one would have won
    apart = base.replace('"phase": "base"', '"phase": "c"')
    done, text = drive(root, tmp_path, (base, base, apart))
    assert (done.returncode, text) == (0, apart)


def test_a_real_conflict_is_recorded_in_valid_json_and_settled_by_name(root):
    done = merged(root, ["--status=blocked", "--step=a"], ["--status=failed", "--phase=b"])
    assert done.returncode == 1
    assert "both sides changed status" in done.stderr
    assert "--resolve status=ours" in done.stderr
    document = json.loads(get(root, PATH))
    assert (document["status"], document["step"], document["phase"]) == ("blocked", "a", "b")
    assert [record["path"] for record in document["conflicts"]] == ["status"]
    checked = run("validate", "--now", NOW, cwd=root)
    assert checked.returncode == 1
    assert "conflict" in checked.stdout
    assert "unresolved conflict" in run("status", "--now", NOW, cwd=root).stdout
    settled = run("update", "oc-demo", "--resolve", "status=theirs", "--now", NOW, cwd=root)
    assert settled.returncode == 0, settled.stderr
    after = json.loads(get(root, PATH))
    assert after["status"] == "failed"
    assert "conflicts" not in after
    changed = git("diff", "--numstat", "HEAD", "--", PATH, cwd=root).split()
    assert changed[:2] == ["3", "3"], "status, phase and stamp: the record left nothing behind"
    assert run("validate", "--now", NOW, cwd=root).returncode == 0
    assert run("update", "oc-demo", "--resolve", "status=ours", cwd=root).returncode == 3
    git("add", PATH, cwd=root)
    git("commit", "-qm", "settled", cwd=root)


def test_losers_of_newer_wins_can_be_found(root, home):
    assert merged(root, ["--step=kept"], ["--step=gave way"]).returncode == 0
    log = get("/", os.path.join(home, "state", "leftoff", "merges.jsonl"))
    assert json.loads(log.splitlines()[-1])["value"] == "gave way"


def test_where_no_log_can_be_kept_what_gives_way_stays_in_the_document(root, monkeypatch):
    monkeypatch.setenv("LEFTOFF_STATE", "/dev/null/state")
    assert merged(root, ["--step=kept"], ["--step=gave way"]).returncode == 1
    document = json.loads(get(root, PATH))
    assert document["step"] == "kept"
    assert "gave way" in json.dumps(document["conflicts"])


@pytest.mark.req("A.merge.driver")
def test_markdown_of_two_branches_merges_with_what_people_wrote_around_the_fields(root):
    def theirs():
        update(root, "chk-auth", "--decisions+=Theirs")
        edit(
            root,
            MARKDOWN,
            "### Technical Context",
            "Why so: see the wiki.\n\n### Technical Context",
        )

    branches(
        root, lambda: update(root, "chk-auth", "--decisions+=Ours", "--anchor=phase two"), theirs
    )
    done = attempt(root, "merge", "-q", "theirs", "-m", "merge")
    assert done.returncode == 0, done.stderr
    text = get(root, MARKDOWN)
    assert all(f"- {words}\n" in text for words in ("Use RS256", "Ours", "Theirs"))
    assert "Why so: see the wiki." in text
    assert "anchor: phase two" in text
    assert "<<<<" not in text


def test_words_of_both_sides_that_no_field_holds_and_that_clash_are_never_lost(root, home):
    def note(words):
        edit(root, MARKDOWN, "### Technical Context", f"{words}\n\n### Technical Context")

    branches(root, lambda: note("Ours say so."), lambda: note("Theirs say so."))
    done = attempt(root, "merge", "-q", "theirs", "-m", "merge")
    assert done.returncode == 0, done.stderr
    log = get("/", os.path.join(home, "state", "leftoff", "merges.jsonl"))
    kept = get(root, MARKDOWN)
    assert "Ours say so." in kept
    assert "Theirs say so." in kept + log
    if "Theirs say so." not in kept:
        assert "no field holds" in done.stderr


def test_a_conflict_in_markdown_stands_in_the_document_until_it_is_settled(root):
    def intend(words):
        edit(root, MARKDOWN, "Make sessions last a working day", words)

    branches(root, lambda: intend("Ours"), lambda: intend("Theirs"))
    assert attempt(root, "merge", "-q", "theirs", "-m", "merge").returncode == 1
    assert "## Conflicts" in get(root, MARKDOWN)
    assert run("validate", "--now", NOW, cwd=root).returncode == 1
    update(root, "chk-auth", "--resolve", "intent=theirs")
    assert "Theirs without weakening" in get(root, MARKDOWN)
    assert get(root, MARKDOWN) == git("show", f"theirs:{MARKDOWN}", cwd=root), "nothing is left"
    assert run("validate", "--now", NOW, cwd=root).returncode == 0
    _commit(root)


def test_both_files_of_a_thread_merge(root):
    def theirs():
        edit(
            root,
            f"{THREAD}/CHECKPOINT.md",
            "2. [P2] Write the docs",
            "2. [P2] Write the docs\n3. [P3] Ship",
        )
        edit(root, f"{THREAD}/thread.json", '"thresholdPercent": 70', '"thresholdPercent": 60')

    def ours():
        edit(
            root,
            f"{THREAD}/CHECKPOINT.md",
            "| Use RS256 | keys rotate | #001 |",
            "| Use RS256 | keys rotate | #001 |\n| Keep it | why | #002 |",
        )
        edit(
            root,
            f"{THREAD}/thread.json",
            '"active": true }]',
            '"active": true }, { "seq": 2, "hapiSessionId": "s-2", "name": "two" }]',
        )

    branches(root, ours, theirs)
    done = attempt(root, "merge", "-q", "theirs", "-m", "merge")
    assert done.returncode == 0, done.stderr
    text = get(root, f"{THREAD}/CHECKPOINT.md")
    assert "[P3] Ship" in text
    assert "Keep it" in text
    thread = json.loads(get(root, f"{THREAD}/thread.json"))
    assert thread["config"]["thresholdPercent"] == 60
    assert [session["seq"] for session in thread["sessions"]] == [1, 2]


def test_a_conflict_in_the_second_file_of_a_thread_can_be_settled(root):
    path = f"{THREAD}/thread.json"

    def own(words):
        edit(root, path, '"project": "demo"', f'"project": "demo", "owner": "{words}"')

    branches(root, lambda: own("me"), lambda: own("you"))
    done = attempt(root, "merge", "-q", "theirs", "-m", "merge")
    assert done.returncode == 1
    assert "both sides changed owner" in done.stderr
    update(root, "thread-1a2b3c4d", "--resolve", "owner=theirs")
    settled = json.loads(get(root, path))
    assert settled["owner"] == "you"
    assert "conflicts" not in settled


@pytest.mark.parametrize(
    "words", [("rebase", "-q", "theirs"), ("cherry-pick", "theirs")], ids=["rebase", "cherry-pick"]
)
def test_a_rebase_and_a_cherry_pick_run_the_driver_too(root, words):
    branches(
        root,
        lambda: update(root, "oc-demo", "--next_actions+=Ours"),
        lambda: update(root, "oc-demo", "--next_actions+=Theirs"),
    )
    done = attempt(root, *words)
    assert done.returncode == 0, done.stderr
    assert {"Ours", "Theirs"} <= set(map(str, json.loads(get(root, PATH))["next_actions"]))


def test_taking_stashed_work_back_runs_the_driver_too(root):
    update(root, "oc-demo", "--next_actions+=Stashed")
    git("stash", "-q", cwd=root)
    update(root, "oc-demo", "--next_actions+=Committed")
    _commit(root)
    done = attempt(root, "stash", "pop", "-q")
    assert done.returncode == 0, done.stderr
    actions = map(str, json.loads(get(root, PATH))["next_actions"])
    assert {"Stashed", "Committed"} <= set(actions)


def test_branches_that_write_different_streams_touch_different_files(root):
    branches(
        root,
        lambda: update(root, "oc-demo", "--next_actions+=Ours"),
        lambda: update(root, "chk-auth", "--next_actions+=Theirs"),
    )
    ours, theirs = (
        set(git("diff", "--name-only", f"{branch}~1", branch, cwd=root).split())
        for branch in ("main", "theirs")
    )
    assert (ours, theirs) == ({PATH}, {MARKDOWN})


def test_learnings_of_both_sides_stay_and_a_generated_index_never_stops_a_merge(root):
    put(root, "checkpoints/LEARNINGS.md", "# Learnings\n\n- one\n")
    assert run("index", cwd=root).returncode == 0
    _commit(root)

    def learn(name):
        put(root, "checkpoints/LEARNINGS.md", f"# Learnings\n\n- one\n- {name}\n")
        put_markdown(root, f"chk-{name}")
        assert run("index", cwd=root).returncode == 0

    branches(root, lambda: learn("ours"), lambda: learn("theirs"))
    done = attempt(root, "merge", "-q", "theirs", "-m", "merge")
    assert done.returncode == 0, done.stderr
    assert "- ours\n- theirs\n" in get(root, "checkpoints/LEARNINGS.md")
    assert run("index", "--check", cwd=root).returncode == 1
    assert run("index", cwd=root).returncode == 0


def test_a_stranger_at_such_a_path_merges_as_git_merges_it(root):
    path = "checkpoints/notes.md"
    put(root, path, "one\ntwo\nthree\nfour\nfive\n")
    _commit(root)
    branches(root, lambda: edit(root, path, "one", "ONE"), lambda: edit(root, path, "five", "FIVE"))
    assert attempt(root, "merge", "-q", "theirs", "-m", "merge").returncode == 0
    assert get(root, path) == "ONE\ntwo\nthree\nfour\nFIVE\n"


def test_a_stranger_that_clashes_has_markers_and_a_reason(root, tmp_path):
    done, text = drive(root, tmp_path, ("a\n", "b\n", "c\n"), "checkpoints/notes.md")
    assert done.returncode == 1
    assert text == "<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n"
    assert "checkpoints/notes.md: merged as text, with conflict markers" in done.stderr


@pytest.mark.parametrize(
    "broken", ["{", skill().replace('"status"', "<<<<<<< ours\n"), "[]", ""], ids=str
)
def test_a_broken_side_is_merged_as_text_and_the_reason_is_named(root, tmp_path, broken):
    for ours, theirs in ((skill(step="x"), broken), (broken, skill(step="x"))):
        done, text = drive(root, tmp_path, (skill(), ours, theirs))
        assert done.returncode == 1
        assert PATH in done.stderr
        assert "<<<<<<< ours" in text or "still broken" in done.stderr


def test_sides_of_two_formats_are_merged_as_text(root, tmp_path):
    done, text = drive(root, tmp_path, (markdown(), markdown(state="x"), TASK), TASK_PATH)
    assert done.returncode == 1
    assert "<<<<<<< ours" in text
    assert "ours is a md document, theirs a task one" in done.stderr


def test_a_repair_on_one_side_merges_cleanly(root, tmp_path):
    done, text = drive(root, tmp_path, ("{", "{", skill()))
    assert (done.returncode, text) == (0, skill())


@pytest.mark.parametrize("base", ["", "{", "<<<<<<< ours\n"])
def test_an_ancestor_that_is_missing_or_broken_says_nothing(root, tmp_path, base):
    done, text = drive(root, tmp_path, (base, skill(), skill(next_actions=["More"])))
    assert done.returncode == 0, done.stderr
    assert "More" in json.loads(text)["next_actions"]
    done, text = drive(root, tmp_path, (base, markdown(), markdown(next="- More")), MARKDOWN)
    assert done.returncode == 0, done.stderr
    assert "- More" in text


def test_what_is_no_text_is_kept_as_ours_and_git_hears_of_it(root, tmp_path):
    done, text = drive(root, tmp_path, (b"\0a", b"\0b", b"\0c"))
    assert (done.returncode, text) == (1, "\0b")
    assert "our version was kept" in done.stderr


def test_a_text_of_another_encoding_is_git_s_to_merge(root, tmp_path):
    base = b"caf\xe9\n1\n2\n3\n4\n"
    texts = (base, base.replace(b"\xe9", b"\xe9s"), base.replace(b"4", b"5"))
    done, text = drive(root, tmp_path, texts, "checkpoints/notes.md")
    assert (done.returncode, text) == (0, "caf\ufffds\n1\n2\n3\n5\n")


def test_a_checkpoint_of_another_encoding_is_broken_however_its_lines_merge(root, tmp_path):
    base = skill(project="caf\xe9").encode("latin-1")
    texts = (base, base.replace(b"build", b"ship"), base.replace(b"Run the tests", b"Run them"))
    done, text = drive(root, tmp_path, texts)
    assert done.returncode == 1
    assert "not UTF-8 text" in done.stderr
    assert "ship" in text
    assert "Run them" in text


def test_where_leftoff_is_gone_git_merges_the_text(root):
    git("config", "merge.leftoff.driver", starter_texts.driver("/gone/it's 100%/python"), cwd=root)
    done = merged(root, ["--step=ours"], ["--step=theirs"])
    assert done.returncode == 1
    assert "leftoff is gone" in done.stderr
    assert "<<<<<<< ours" in get(root, PATH)


def test_a_module_of_the_repository_is_never_taken_for_leftoff(root):
    put(root, "leftoff/__init__.py", "open('taken', 'w').close()\n")
    put(root, "leftoff/__main__.py", "open('taken', 'w').close()\n")
    put(root, "json.py", "open('taken', 'w').close()\n")
    _commit(root)
    assert merged(root, ["--next_actions+=Ours"], ["--next_actions+=Theirs"]).returncode == 0
    assert not os.path.exists(os.path.join(root, "taken"))


def test_an_interpreter_with_an_odd_path_runs(root, tmp_path):
    odd = os.path.join(tmp_path, 'it\'s 100% "here"')
    os.mkdir(odd)
    python = os.path.join(odd, "python")
    put("/", python, f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    os.chmod(python, 0o755)
    git("config", "merge.leftoff.driver", starter_texts.driver(python), cwd=root)
    assert merged(root, ["--next_actions+=Ours"], ["--next_actions+=Theirs"]).returncode == 0


def test_every_working_tree_of_a_clone_has_the_driver(root, tmp_path):
    branches(
        root,
        lambda: update(root, "oc-demo", "--next_actions+=Ours"),
        lambda: update(root, "oc-demo", "--next_actions+=Theirs"),
    )
    other = os.path.join(tmp_path, "other")
    git("worktree", "add", "-q", other, "theirs", cwd=root)
    assert attempt(other, "merge", "-q", "main", "-m", "merge").returncode == 0
    assert {"Ours", "Theirs"} <= set(map(str, json.loads(get(other, PATH))["next_actions"]))
