"""The kept sums over all sessions: good for as long as no file that they are made of changes."""

from __future__ import annotations

import os

import pytest

from leftoff.world import session_sums

LINE = b'{"type":"user"}\n'


@pytest.fixture
def place(tmp_path):
    """A state folder, an environment, a transcript and a journal."""
    env = {"HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": str(tmp_path / "claude")}
    log = tmp_path / "claude" / "projects" / "-p" / "a.jsonl"
    journal = tmp_path / "state" / "sessions" / "claude-code" / "a.jsonl"
    for path in (log, journal):
        path.parent.mkdir(parents=True)
        path.write_bytes(LINE)
    return str(tmp_path / "state"), env, log, journal


def save(state, env, others=()):
    session_sums.save(state, session_sums.sources(state, env), others, {"tokens": 7})


def load(state, env):
    return session_sums.load(state, session_sums.sources(state, env))


def test_a_value_is_kept_until_a_transcript_grows(place):
    state, env, log, _ = place
    assert load(state, env) is None
    save(state, env)
    assert load(state, env) == {"tokens": 7}
    log.write_bytes(LINE * 2)
    assert load(state, env) is None


@pytest.mark.parametrize("change", ["grown", "new", "gone"])
def test_a_change_among_journals_ends_it(place, change):
    state, env, _, journal = place
    save(state, env)
    if change == "gone":
        journal.unlink()
    else:
        target = journal if change == "grown" else journal.with_name("b.jsonl")
        target.write_bytes(LINE * 2)
    assert load(state, env) is None


def test_a_transcript_that_only_a_journal_names_counts_too(place, tmp_path):
    state, env, *_ = place
    other = tmp_path / "elsewhere.jsonl"
    save(state, env, [str(other), ""])
    assert load(state, env) == {"tokens": 7}
    other.write_bytes(LINE)
    assert load(state, env) is None


@pytest.mark.skipif(os.geteuid() == 0, reason="as root every file can be read")
def test_sums_without_an_unreadable_transcript_are_not_kept(place):
    state, env, log, _ = place
    log.chmod(0)
    save(state, env)
    assert load(state, env) is None
