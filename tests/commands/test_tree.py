"""fork and tree: children that name their parent, the whole lineage, two versions side by side."""

from __future__ import annotations

import json
import os

import pytest

from leftoff.commands import tree
from leftoff.world import saves
from leftoff.world.place import find_place
from leftoff.world.store import Store
from projects import (
    TASK,
    data,
    do,
    get,
    markdown,
    put,
    put_all,
    put_markdown,
    put_skill,
    put_thread,
)
from support import git

# fork


@pytest.mark.req("B.parent.fork")
def test_a_fork_names_its_parent_and_leaves_it_as_it_was(root):
    path = put_markdown(root)
    before = get(root, path)
    made = do(root, "fork", "chk-auth", "chk-app", "--intent", "The app", "--next", "Read it")
    assert made.returncode == 0, made.stderr
    assert get(root, path) == before
    text = get(root, "checkpoints/active/chk-app.md")
    assert "parent: chk-auth\n" in text
    assert "status: active\n" in text
    assert "The app" in text
    assert "- Use RS256\n- Refresh tokens live 15 minutes" in text
    assert "The timer is found" not in text


def test_a_fork_has_the_format_of_its_parent(root):
    put_skill(root)
    put_thread(root)
    assert do(root, "fork", "oc-demo", "oc-two").returncode == 0
    assert do(root, "fork", "thread-1a2b3c4d", "thread-5e6f").returncode == 0
    skill = json.loads(get(root, ".checkpoints/oc-two.checkpoint.json"))
    thread = json.loads(get(root, ".checkpoints/threads/thread-5e6f/thread.json"))
    assert (skill["depends_on"], thread["parent"]) == ("oc-demo", "thread-1a2b3c4d")
    assert thread["sessions"] == []
    parents = {node["id"]: node["children"][0]["id"] for node in data(root, "tree")["roots"]}
    assert parents == {"oc-demo": "oc-two", "thread-1a2b3c4d": "thread-5e6f"}


def test_a_format_without_parents_a_taken_name_and_a_wrong_one_are_refused(root):
    put(root, ".workflow_artifacts/memory/checkpoints/2026-08-06-auth-fix.md", TASK)
    put_markdown(root)
    assert do(root, "fork", "2026-08-06-auth-fix", "chk-x").returncode == 2
    assert do(root, "fork", "chk-auth", "../x").returncode == 2
    assert do(root, "fork", "nobody", "chk-x").returncode == 3
    assert do(root, "fork", "chk-auth", "chk-auth").returncode == 4


def test_a_fork_of_a_thread_goes_by_its_own_name_so_that_the_old_title_means_one(root):
    do(root, "thread", "enable", "Payments")
    assert do(root, "fork", "Payments", "invoices").returncode == 0
    assert do(root, "show", "Payments").returncode == 0
    assert json.loads(get(root, ".checkpoints/threads/invoices/thread.json"))["name"] == "invoices"


def test_a_dry_run_of_a_fork_writes_nothing(root):
    put_markdown(root)
    assert "parent: chk-auth" in do(root, "fork", "chk-auth", "chk-app", "--dry-run").stdout
    assert os.listdir(os.path.join(root, "checkpoints/active")) == ["chk-auth.md"]


# tree


def lineage(root):
    put_markdown(root, "chk-root", header="status: current\n")
    put_markdown(root, "chk-a", header="parent: chk-root\n")
    put_markdown(root, "chk-b", folder="archive", header="parent: chk-root\n")
    put_markdown(root, "chk-c", header="parent: chk-b\n")
    put_skill(root)


@pytest.mark.req("B.parent.tree")
def test_the_lineage_is_drawn_with_id_date_and_status(root):
    lineage(root)
    assert do(root, "tree").stdout == (
        "⦿ oc-demo (2026-08-01) [in_progress]  skill\n"
        "⦿ chk-root (2026-08-05) [current]\n"
        "├── ○ chk-a (2026-08-05) [active]\n"
        "└── ◉ chk-b (2026-08-05) [archived]\n"
        "    └── ○ chk-c (2026-08-05) [active]\n"
    )
    assert do(root, "tree", "--all").stdout == do(root, "tree").stdout
    assert do(root, "tree", "--active").stdout.splitlines()[1:] == [
        "⦿ chk-c (2026-08-05) [active]  (from chk-b)",
        "⦿ chk-root (2026-08-05) [current]",
        "└── ○ chk-a (2026-08-05) [active]",
    ]
    assert "chk-a" not in do(root, "tree", "--archived").stdout
    assert do(root, "tree", "--active", "--all").returncode == 2
    assert do(root, "tree", "chk-a").returncode == 2


@pytest.mark.req("B.parent.tree", "B.parent.fork")
def test_a_cycle_a_missing_parent_and_a_broken_document_are_drawn_and_told(root):
    put_markdown(root, "chk-a", header="parent: chk-b\n")
    put_markdown(root, "chk-b", header="parent: chk-a\n")
    put_markdown(root, "chk-c", header="parent: chk-gone\n")
    put(root, ".checkpoints/oc-x.checkpoint.json", '{"skill": ')
    answer = do(root, "tree")
    assert answer.returncode == 1
    for name in ("chk-a", "chk-b", "chk-c", "oc-x"):
        assert sum(f" {name} (" in line for line in answer.stdout.splitlines()) == 1
    assert "a cycle of parents: chk-a → chk-b → chk-a" in answer.stderr
    assert "chk-gone" in answer.stderr
    assert "oc-x" in answer.stderr


def test_the_notes_of_the_tree_are_in_the_language_of_the_reader_and_english_in_json(root):
    put_markdown(root, "chk-a", header="parent: chk-b\n")
    put_markdown(root, "chk-b", header="parent: chk-a\n")
    put_markdown(root, "chk-c", header="parent: chk-gone\n")
    put_markdown(root, "chk-old", "archive")
    put_markdown(root, "chk-d", header="parent: chk-old\n")
    drawn = do(root, "tree", "--active", "--lang", "zh").stdout
    for note in ("成环：其上级 chk-b 出自它", "缺少上级 chk-gone", "来自 chk-old"):
        assert f"({note})" in drawn
    notes = {node["note"] for node in data(root, "tree", "--active", "--lang", "zh")["roots"]}
    assert {"parent chk-gone is missing", "from chk-old"} <= notes
    assert "(parent chk-gone is missing)" in do(root, "tree").stdout


def test_an_empty_project_has_an_empty_tree(root):
    assert do(root, "tree").stdout == "No checkpoints here yet.\n"
    assert data(root, "tree")["roots"] == []


def test_a_document_cannot_steer_the_terminal_through_its_id(root):
    put_skill(root, "oc-demo", skill="x\x1b[31m")
    assert "\x1b" not in do(root, "tree").stdout


# compare


def test_compare_shows_field_by_field_what_differs(root):
    put_markdown(root)
    put_markdown(root, "chk-two", decisions="- Use RS256\n- Keys rotate", intent="Another aim.")
    found = {
        each["field"]: each
        for each in data(root, "tree", "--compare", "chk-auth", "chk-two")["differences"]
    }
    assert set(found) == {"id", "intent", "decisions"}
    assert found["decisions"]["before"] == ["Refresh tokens live 15 minutes"]
    assert found["decisions"]["after"] == ["Keys rotate"]
    shown = do(root, "tree", "--compare", "chk-auth", "chk-two").stdout
    assert "## intent\n- Make sessions last" in shown
    assert "+ Another aim.\n" in shown
    assert do(root, "tree", "--compare", "chk-auth", "chk-auth").stdout == "Nothing differs.\n"
    assert do(root, "tree", "--compare", "chk-auth", "chk-two", "chk-auth").returncode == 2


def test_compare_reads_an_older_version_out_of_git_even_from_before_the_archive(root):
    put_markdown(root)
    put_thread(root)
    git("add", "-A", cwd=root)
    git("commit", "--quiet", "--message", "Save", cwd=root)
    do(root, "update", "chk-auth", "--anchor=phase 2")
    do(root, "archive", "chk-auth", "--outcome", "Done")
    found = data(root, "tree", "--compare", "chk-auth@HEAD", "chk-auth")["differences"]
    assert [each["field"] for each in found] == ["status", "stage", "completion"]
    name = "thread-1a2b3c4d"
    assert data(root, "tree", "--compare", f"{name}@HEAD", name)["differences"] == []


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("chk-auth@", 2),
        ("chk-auth@--output=x", 2),
        ("chk-auth@HEAD:app.py", 2),
        ("chk-auth@HEAD", 3),
    ],
)
def test_compare_refuses_what_is_no_revision_and_says_when_nothing_was_there(root, name, code):
    put_markdown(root)
    before = sorted(os.listdir(root))
    assert do(root, "tree", "--compare", name, "chk-auth").returncode == code
    assert sorted(os.listdir(root)) == before


def test_documents_of_every_format_are_in_the_tree(root):
    put_all(root)
    assert len(data(root, "tree")["roots"]) == 4
    assert markdown() == get(root, "checkpoints/active/chk-auth.md")


def test_compare_of_one_shows_what_changed_since_the_last_version_that_differs(root):
    put_markdown(root)
    git("add", "-A", cwd=root)
    git("commit", "--quiet", "-m", "Save", cwd=root)
    same = data(root, "tree", "--compare", "chk-auth")
    assert (same["compared"], same["differences"]) == (["chk-auth"], [])
    told = do(root, "tree", "--compare", "chk-auth").stdout
    assert told == "No version is known that said anything else.\n"
    do(root, "update", "chk-auth", "--decisions+=Rotate the keys")
    found = data(root, "tree", "--compare", "chk-auth")
    assert found["compared"][0].startswith("chk-auth@")
    assert ["Rotate the keys"] in [each["after"] for each in found["differences"]]
    git("commit", "--quiet", "-am", "Decide", cwd=root)
    assert data(root, "tree", "--compare", "chk-auth")["differences"] == found["differences"]


def test_compare_of_one_asks_git_for_no_more_versions_than_it_needs(root, monkeypatch):
    asked = []
    then = tree._then
    monkeypatch.setattr(tree, "_then", lambda *given: asked.append(given) or then(*given))
    for number in range(4):
        put_markdown(root, decisions=f"- Decision {number}")
        git("add", "-A", cwd=root)
        git("commit", "--quiet", "-m", "Save", cwd=root)
    assert data(root, "tree", "--compare", "chk-auth")["differences"]
    assert len(asked) == 2


def test_compare_of_one_without_git_takes_a_save_of_this_machine(tmp_path):
    root = os.path.join(tmp_path, "plain")
    put_markdown(root)
    store = Store(find_place(root), os.environ["LEFTOFF_STATE"])
    saves.save(store, "chk-auth", get(root, "checkpoints/active/chk-auth.md"))
    do(root, "update", "chk-auth", "--decisions+=Rotate the keys")
    found = data(root, "tree", "--compare", "chk-auth")
    assert found["compared"][0].endswith("chk-auth-precompact.md")
    assert ["Rotate the keys"] in [each["after"] for each in found["differences"]]
