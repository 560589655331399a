"""list: one list at a time, in the words of status."""

from __future__ import annotations

import pytest

from projects import put, put_skill, put_thread
from support import repo, run


def test_files_and_tickets_together_are_refused_rather_than_one_of_them_dropped(tmp_path):
    root = repo(tmp_path)
    put_skill(root)
    refused = run("list", "--files", "--pm", cwd=root)
    assert refused.returncode == 2
    assert refused.stdout == ""
    assert "--files and --pm" in refused.stderr
    assert run("list", "--files", cwd=root).stdout == "spec.md\n"


def test_a_current_thread_that_is_done_is_complete_as_in_status(tmp_path):
    root = repo(tmp_path)
    path = put_thread(root)
    put(root, ".checkpoints/current", "thread-1a2b3c4d\n")
    assert " current " in run("list", cwd=root).stdout
    put(root, path, "# Checkpoint: x\n\n## Next Steps\n\n1. [x] Look\n")
    for verb in ("list", "status"):
        shown = run(verb, cwd=root).stdout
        assert (" complete " in shown, " current " in shown) == (True, False)


def test_a_thread_goes_by_its_name_behind_its_id_wherever_streams_are_shown(tmp_path):
    root = repo(tmp_path)
    put_thread(root)
    put_skill(root, status="complete", next_actions=[])
    for words in (["list"], ["tree"], ["next"], ["status"], ["status", "--brief"]):
        assert "thread-1a2b3c4d  重构认证模块" in run(*words, cwd=root).stdout
    (row,) = (
        one for one in run("status", cwd=root).stdout.split("\n") if one.startswith("oc-demo")
    )
    assert row.split()[:2] == ["oc-demo", "skill"]  # it has no other name


@pytest.mark.req("A.cross.files-to-commit")
def test_files_are_paths_and_prose_among_them_is_left_out_aloud(tmp_path):
    root = repo(tmp_path)
    put(root, "docs/my notes.md", "here")
    put(root, "Makefile", "all:")
    named = ["Makefile", "docs/my notes.md (new)", "docs/gone notes.md", "src/a.py — rewritten"]
    prose = ["Branch ref claude/x — squash-merged & deletable", "claude/x is deletable"]
    put_skill(root, context_primer={"generated_files": [*named, *prose, "../out of here.md"]})
    listed = run("list", "--files", cwd=root)
    assert listed.stdout == "Makefile\ndocs/gone notes.md\ndocs/my notes.md\nsrc/a.py\n"
    for text in prose:
        assert f'info: "{text}" names no file\n' in listed.stderr
    chinese = run("list", "--files", "--lang", "zh", cwd=root)
    assert f"“{prose[1]}” 不是文件路径" in chinese.stderr
