"""list, show, validate: what each promises of documents of every format, and of where they lie."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from projects import (
    SKILL,
    TASK,
    data,
    do,
    files,
    get,
    markdown,
    put,
    put_all,
    put_markdown,
    put_skill,
    put_thread,
)
from support import repo

# list and show


@pytest.mark.req("A.cmd.list", "B.header.id-form")
def test_list_has_a_line_for_each_document_of_each_format(root):
    put_all(root)
    put_markdown(root, "session-abc-003")
    put_markdown(root, "chk-old", "archive")
    lines = do(root, "list").stdout.splitlines()
    assert len(lines) == 1 + 6
    shown = {(words := line.split())[1]: words for line in lines[1:]}
    assert shown["session-abc-003"][:3:2] == ["md", "in_progress"]
    assert shown["chk-old"][:3:2] == ["md", "archived"]
    thread = ["thread", "thread-1a2b3c4d", "重构认证模块", "in_progress"]  # its name beside its id
    assert shown["thread-1a2b3c4d"][:4] == thread


@pytest.mark.req("A.cross.files-to-commit")
def test_list_files_is_the_sorted_union_without_notes(root):
    put_skill(root, "oc-a", context_primer={"generated_files": ["z.py", "b.py (new)"]})
    put_skill(root, "oc-b", context_primer={"generated_files": ["b.py", "a.py"]})
    assert do(root, "list", "--files").stdout == "a.py\nb.py\nz.py\n"


@pytest.mark.req("A.pm.prefer", "A.pm.sibling-context")
def test_list_pm_shows_owners_and_the_newest_source_but_no_private_state(root):
    old = {
        "provider": "linear",
        "id": "X-1",
        "role": "source",
        "first_seen_at": "2026-08-01T00:00:00Z",
    }
    put_skill(root, "oc-a", pm_refs=[old], skill_state={"linear_active_parents": ["SECRET-1"]})
    put_skill(root, "oc-b", pm_refs=[{**old, "id": "X-2", "first_seen_at": "2026-08-02T00:00:00Z"}])
    answer = data(root, "list", "--pm")
    assert [(t["owner"], t["id"]) for t in answer["tickets"]] == [("oc-a", "X-1"), ("oc-b", "X-2")]
    assert answer["source"]["id"] == "X-2"
    assert "SECRET" not in do(root, "list", "--pm").stdout


@pytest.mark.req("A.cmd.show", "B.principle.self-contained", "B.principle.recoverable")
def test_show_prints_the_exact_bytes_of_any_checkpoint(root):
    put_skill(root)
    path = put_markdown(root, "chk-old", "archive")
    assert do(root, "show", "oc-demo").stdout == get(root, SKILL)
    os.remove(os.path.join(root, SKILL))
    for text in (get(root, path), get(root, path).rstrip("\n")):
        put(root, path, text)
        assert do(root, "show", "chk-old").stdout == text
    assert data(root, "status", "chk-old")["stream"]["status"] == "archived"
    assert do(root, "show", "nobody").returncode == 3


@pytest.mark.req("A.cross.read", "A.cross.private", "A.schema.skill-state")
def test_a_sibling_sees_everything_but_private_state(root):
    put_skill(root, blockers=[{"id": "b1", "description": "Which cloud?"}])
    before = get(root, SKILL)
    for words in (("show", "oc-demo", "--as-reader", "oc-other"),):
        text, as_json = do(root, *words).stdout, do(root, *words, "--json").stdout
        for part in ("Stack: Hono", "Sprint 2: CRUD", "spec.md", "Which cloud?", "sprint-2"):
            assert part in text
            assert part in as_json
        assert "secret_of_owner" not in text + as_json
    assert get(root, SKILL) == before
    everything = "".join(do(root, verb, "--json").stdout for verb in ("status", "list", "validate"))
    assert "secret_of_owner" not in everything


@pytest.mark.req("A.cross.map")
def test_who_reads_whom_is_a_setting(root):
    put_skill(root)
    put(root, ".checkpoints/config.toml", '[readers]\noc-deploy = ["oc-demo", "oc-spec"]\n')
    shown = do(root, "show", "oc-demo", "--as-reader", "oc-deploy").stdout
    assert "oc-deploy reads: oc-demo, oc-spec" in shown


@pytest.mark.req("X.path.inside")
def test_an_ambiguous_name_lists_the_choices_and_a_prefix_is_enough(root):
    put_skill(root, "oc-alpha")
    put_skill(root, "oc-alps")
    assert do(root, "show", "oc-alpi").returncode == 3
    answer = do(root, "show", "oc-al")
    assert answer.returncode == 5
    assert "oc-alpha" in answer.stderr
    assert "oc-alps" in answer.stderr
    assert do(root, "show", "oc-alph").returncode == 0
    put_markdown(root, "oc-alpha")
    assert do(root, "show", "oc-alpha").returncode == 5
    assert do(root, "show", "md:oc-alpha").stdout.startswith("---\n")


# validate


@pytest.mark.req("A.validate.ci-gate", "A.validate.strict")
def test_validate_fails_on_errors_and_with_strict_on_warnings(root):
    put_skill(root, "oc-good")
    assert do(root, "validate").returncode == 0
    put_skill(root, "oc-warn", progress_table=None)
    assert do(root, "validate").returncode == 0
    assert do(root, "validate", "--strict").returncode == 1
    put_skill(root, "oc-bad", status="ready")
    answer = do(root, "validate")
    assert answer.returncode == 1
    assert "✓ .checkpoints/oc-good.checkpoint.json" in answer.stdout
    assert "✗ .checkpoints/oc-bad.checkpoint.json" in answer.stdout
    assert "status must be one of in_progress|blocked|complete|failed" in answer.stdout
    findings = json.loads(do(root, "validate", "--json").stdout)["findings"]
    assert [f["where"] for f in findings if f["level"] == "error"] == [
        ".checkpoints/oc-bad.checkpoint.json: status"
    ]


def test_validate_takes_paths_and_names(root):
    put_skill(root, "oc-good")
    put_skill(root, "oc-bad", status="ready")
    assert do(root, "validate", ".checkpoints/oc-good.checkpoint.json").returncode == 0
    assert do(root, "validate", "oc-bad").returncode == 1
    assert do(root, "validate", "nothing-like-it").returncode == 3
    put(root, "notes.txt", "hello")
    assert do(root, "validate", "notes.txt").returncode == 7


@pytest.mark.req("B.header.id")
def test_an_id_used_twice_names_both_files(root):
    put_markdown(root, "chk-a")
    put(root, "checkpoints/archive/other.md", markdown("chk-a"))
    answer = do(root, "validate")
    assert answer.returncode == 1
    assert "checkpoints/active/chk-a.md, checkpoints/archive/other.md" in answer.stdout


@pytest.mark.req("A.size.no-auto-stamp", "A.pm.optional")
def test_reading_verbs_touch_no_file(root):
    put_all(root)
    before = files(root)
    for words in (("status",), ("list",), ("validate",), ("show",), ("current",), ("list", "--pm")):
        do(root, *words)
    assert files(root) == before


# threads as documents


@pytest.mark.req("E.thread.layout")
def test_a_thread_folder_copied_alone_is_still_whole(root, tmp_path):
    put_thread(root)
    other = repo(os.path.join(tmp_path, "other"))
    shutil.copytree(
        os.path.join(root, ".checkpoints/threads"), os.path.join(other, ".checkpoints/threads")
    )
    (stream,) = data(other, "status")["streams"]
    assert (stream["id"], stream["name"]) == ("thread-1a2b3c4d", "重构认证模块")
    assert [action["text"] for action in stream["next_actions"]] == [
        "Write the middleware",
        "Write the docs",
    ]


@pytest.mark.req("X.path.inside")
@pytest.mark.parametrize("form", ["link", "text"])
def test_the_root_checkpoint_is_an_alias_never_listed_twice(root, form):
    path = put_thread(root)
    if form == "link":
        os.symlink(path, os.path.join(root, "CHECKPOINT.md"))
    else:
        put(root, "CHECKPOINT.md", path)
    assert len(data(root, "list")["documents"]) == 1


@pytest.mark.req("X.path.inside")
def test_a_link_that_leads_out_of_the_project_is_refused(root, tmp_path):
    outside = os.path.join(tmp_path, "secret.json")
    put("/", outside, "{}")
    put_skill(root)
    os.symlink(outside, os.path.join(root, ".checkpoints/oc-evil.checkpoint.json"))
    do(root, "update", "oc-evil", "--step=x")
    assert get("/", outside) == "{}"
    assert os.path.islink(os.path.join(root, ".checkpoints/oc-evil.checkpoint.json"))


@pytest.mark.req("X.import.tolerant")
def test_a_task_save_is_read_with_all_its_sections(root):
    put(root, ".workflow_artifacts/memory/checkpoints/2026-08-06-auth-fix.md", TASK)
    stream = data(root, "status", "2026-08-06-auth-fix")["stream"]
    assert (stream["name"], stream["step"]) == ("auth-fix", "implement")
    assert stream["next_actions"][0]["text"] == "Write the middleware"


@pytest.mark.req("X.write.no-shell")
def test_names_and_texts_never_reach_a_shell(root):
    nasty = "$(touch owned) `touch owned`; touch owned \" ' \n| & <x>"
    assert do(root, "update", "oc-demo", f"--step={nasty}").returncode == 0
    assert json.loads(get(root, SKILL))["step"] == nasty
    assert not os.path.exists(os.path.join(root, "owned"))


def test_show_prints_every_file_of_a_thread_with_its_path(root):
    path = put_thread(root)
    shown = do(root, "show", "thread-1a2b3c4d").stdout
    folder = os.path.dirname(path)
    assert f"# {folder}/CHECKPOINT.md\n" in shown
    assert f"# {folder}/thread.json\n" in shown
    assert get(root, f"{folder}/CHECKPOINT.md") in shown
