"""Secrets: composed texts never hold them; a person's own words stay, with a warning."""

from __future__ import annotations

import json
import os

from projects import NOW, get, put, put_markdown, put_skill
from support import git, run

PASSWORD = "hunter22" + "abc"
SECRET = f"DEPLOY_TOKEN={PASSWORD}"


def warned(done) -> bool:
    return "looks like it holds a secret" in done.stderr


def test_a_brief_holds_no_secret_and_the_document_keeps_its_own(root):
    path = put_skill(root, progress_summary=f"Deployed with {SECRET}.", next_actions=[SECRET])
    said = run("resume", "oc-demo", "--now", NOW, cwd=root).stdout
    assert PASSWORD not in said
    assert "DEPLOY_TOKEN=[redacted:secret]" in said
    assert PASSWORD in get(root, path)


def test_what_stands_beside_a_brief_holds_none_either(root):
    put_skill(root, next_actions=[f"Call it with {SECRET}"], blockers=[])
    done = run("resume", "oc-demo", "--continue", "--json", "--now", NOW, cwd=root)
    assert "Resuming from next_actions[0]: Call it" in done.stdout
    assert PASSWORD not in done.stdout


def test_a_damaged_document_that_a_session_is_shown_holds_none(root):
    path = put(root, ".workflow_artifacts/memory/checkpoints/2026-08-07-bad.md", f"Use {SECRET}\n")
    put(root, ".workflow_artifacts/memory/pending-restore-s-1.txt", f"{path}\n")
    said = run("resume", "--now", NOW, cwd=root).stdout
    assert "DEPLOY_TOKEN=[redacted:secret]" in said
    assert PASSWORD not in said


def test_a_delta_holds_no_secret_of_a_commit_s_subject(root):
    path = put_markdown(root)
    put(root, "deploy.py", "x\n")
    git("add", "deploy.py", cwd=root)
    git("commit", "--quiet", "--message", f"Deploy with {SECRET}", cwd=root)
    assert run("delta", "chk-auth", "--what", "Deployed", cwd=root).returncode == 0
    assert "Deploy with DEPLOY_TOKEN=[redacted:secret]" in get(root, path)


def test_own_words_are_written_as_they_are_with_a_warning(root):
    path, note = put_skill(root), put_markdown(root)
    assert warned(run("update", "oc-demo", f"--progress_summary={SECRET}", cwd=root))
    assert warned(run("update", "oc-demo", f"--skill_state.password={PASSWORD}", cwd=root))
    assert warned(run("delta", "chk-auth", "--what", f"Set {SECRET}", cwd=root))
    assert warned(run("init", "chk-new", "--decision", f"Use {SECRET}", cwd=root))
    assert get(root, path).count(PASSWORD) == 2
    assert PASSWORD in get(root, note)
    assert PASSWORD in get(root, "checkpoints/active/chk-new.md")


def test_other_words_bring_no_warning(root):
    put_skill(root)
    done = run("update", "oc-demo", "--progress_summary=Tokens are signed", cwd=root)
    assert (done.returncode, warned(done)) == (0, False)


def test_the_end_of_a_command_s_output_is_kept_without_secrets(root):
    put_skill(root)
    command = f"echo {SECRET}; false"
    words = ("--next_actions:json=" + json.dumps([{"text": "Try", "done_when": command}, "Go on"]),)
    assert run("update", "oc-demo", *words, cwd=root).returncode == 0
    done = run("done", "oc-demo", "--verify", "--json", cwd=root)
    tail = json.loads(done.stdout)["data"]["evidence"]["tail"]
    assert tail.strip() == "DEPLOY_TOKEN=[redacted:secret]"
    kept = os.path.join(os.environ["LEFTOFF_STATE"], "evidence")
    for folder, _, names in os.walk(kept):
        for name in names:
            assert f'"tail": "{SECRET}' not in get(folder, name)
