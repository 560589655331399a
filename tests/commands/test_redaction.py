"""What a project's own words are taken out of, wherever somebody asks for its sessions."""

from __future__ import annotations

import glob
import os

import pytest

from histories import HOUR, ident, journal, started
from projects import NOW as NOW_TEXT
from projects import get, put
from support import repo, run
from unsaved import dead, work

RULES = '[redaction]\nwords = ["{}"]\n'


@pytest.fixture
def other(tmp_path, root):
    """Another project, whose rule it is that nobody hears of the bushbuck."""
    found = str(repo(tmp_path / "other"))
    put(found, ".checkpoints/config.toml", RULES.format("bushbuck"))
    put(root, ".checkpoints/config.toml", RULES.format("orion"))
    talk = work(1, found).ask(HOUR, "Now feed the bushbuck of Orion, please")
    talk.answer(HOUR - 1, "The bushbuck is fed.").save()
    return found


def told(root, *words):
    done = run(*words, "--now", NOW_TEXT, cwd=root)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("session", "export", ident(1)),
        ("session", "export", ident(1), "--format", "json"),
        ("session", "export", ident(1), "--from", "0"),
        ("recover", ident(1), "--dry-run"),
        ("compact", "--session", ident(1)),
    ],
)
@pytest.mark.parametrize("known", [True, False])
def test_a_session_of_another_project_is_shown_by_the_rules_of_both(root, other, words, known):
    if known:
        journal(1, started(2 * HOUR, other, **dead()))
    shown = told(root, *words)
    assert "[redacted:own" in shown
    assert "bushbuck" not in shown
    assert "Orion" not in shown


def test_a_session_that_only_the_archive_has_goes_by_the_rules_of_its_project(root, other):
    told(other, "session", "archive")
    (path,) = glob.glob(f"{os.environ['HOME']}/.claude/projects/*/{ident(1)}.jsonl")
    os.remove(path)
    put(other, ".checkpoints/config.toml", RULES.format("please"))
    assert "please" not in told(root, "session", "export", ident(1))


def test_what_is_kept_of_a_session_goes_by_them_too(root, other):
    journal(1, started(2 * HOUR, other, **dead()))
    put(other, ".checkpoints/config.toml", RULES.format("new service"))
    told(other, "session", "keep", ident(1))
    (path,) = os.listdir(os.path.join(other, "checkpoints", "active"))
    text = get(other, f"checkpoints/active/{path}")
    assert "Move the login to the [redacted:own" in text
    assert "new service" not in text
    assert "new-service" not in text
    assert "app.py" in text
