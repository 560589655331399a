"""list: one list at a time."""

from __future__ import annotations

from projects import put_skill
from support import repo, run


def test_files_and_tickets_together_are_refused_rather_than_one_of_them_dropped(tmp_path):
    root = repo(tmp_path)
    put_skill(root)
    refused = run("list", "--files", "--pm", cwd=root)
    assert refused.returncode == 2
    assert refused.stdout == ""
    assert "--files and --pm" in refused.stderr
    assert run("list", "--files", cwd=root).stdout == "spec.md\n"
