"""What evidence is worth; which commands a write brought; who is calling."""

from __future__ import annotations

import pytest

from leftoff.core.caller import Caller, Process, agent_among, is_person
from leftoff.core.done_when import brought, visible
from leftoff.core.evidence import from_json, gather, grade, to_json
from leftoff.core.model import Checkpoint, Evidence, Item

GOOD = Evidence("make test", 0, "abc", dirty=False, at="2026-08-08T12:00:00Z", tree="t1")


def test_a_strangers_evidence_with_absurd_numbers_is_read_all_the_same():
    found = from_json({"command": "x", "exit_code": 0, "seconds": 10**400})
    assert found is not None
    assert found.seconds == 0.0


@pytest.mark.parametrize(
    ("evidence", "now", "level"),
    [
        (None, ("make test", "abc", False, "t1"), "missing"),
        (GOOD, ("make test", "abc", False, "t1"), "fresh"),
        (GOOD, ("make test", "abc", False, ""), "fresh"),
        (GOOD, ("make test", "def", False, "t1"), "fresh"),
        (GOOD, ("make test", "abc", True, "t2"), "stale"),
        (GOOD, ("make test", "abc", True, ""), "stale"),
        (GOOD, ("make test", "def", False, ""), "stale"),
        (GOOD, ("make tests", "abc", False, "t1"), "stale"),
        (GOOD._replace(exit_code=2), ("make test", "abc", False, "t1"), "failed"),
        (GOOD._replace(dirty=True), ("make test", "abc", True, "t1"), "fresh"),
        (GOOD._replace(dirty=True, tree=""), ("make test", "abc", True, "t1"), "stale"),
        (GOOD._replace(commit="", tree=""), ("make test", "", False, ""), "stale"),
    ],
)
def test_evidence_is_fresh_only_while_the_files_are_those_that_were_checked(evidence, now, level):
    graded = grade(evidence, *now)
    assert graded.level == level
    assert graded.reason


@pytest.mark.parametrize(
    ("evidence", "head", "reason"),
    [
        (GOOD, "abc", "checked on exactly these files, 2026-08-08T12:00:00Z"),
        (GOOD._replace(at=""), "abc", "checked on exactly these files"),
        (
            GOOD._replace(commit="0123456789abc"),
            "fedcba9876543",
            "checked at 012345678, the tree is at fedcba987",
        ),
        (GOOD, "", "checked at abc, the tree is at no commit"),
    ],
)
def test_the_reason_names_the_time_and_both_commits_as_far_as_they_are_known(
    evidence, head, reason
):
    assert grade(evidence, "make test", head, dirty=False).reason == reason


def test_evidence_in_a_document_has_no_output_and_reads_back():
    whole = GOOD._replace(tail="secret", seconds=3.0)
    assert to_json(whole).keys() == {"command", "exit_code", "commit", "dirty", "at", "tree"}
    assert from_json(to_json(whole)) == GOOD


@pytest.mark.parametrize("value", [None, [], {}, {"command": "x"}, {"command": 1, "exit_code": 0}])
def test_what_is_no_evidence_counts_for_nothing(value):
    assert from_json(value) is None


def test_what_is_finished_and_names_a_command_comes_with_the_documents_own_evidence():
    own = Item("A", attrs={"done_when": "a", "evidence": to_json(GOOD._replace(command="a"))})
    ticked = Item("B", attrs={"done_when": "b", "done": "x"})
    checkpoint = Checkpoint("x", history=(own, Item("C")), next_actions=(ticked, Item("D")))
    found = {item.text: (command, bool(proof)) for item, command, proof in gather(checkpoint)}
    assert found == {"A": ("a", True), "B": ("b", False)}


def test_only_commands_that_the_writer_said_are_brought():
    before = Checkpoint("x", next_actions=(Item("a", attrs={"done_when": "evil"}),))
    after = Checkpoint(
        "x",
        next_actions=tuple(
            Item(text, attrs={"done_when": text}) for text in ("evil", "mine", "crept in")
        ),
    )
    assert brought(before, after, [[{"text": "n", "done_when": "mine"}, "evil"]]) == ["mine"]
    assert brought(None, after, ["evil"]) == ["evil"]


def test_nothing_in_a_shown_command_can_hide():
    assert visible("ok\u202e\x1b[2J\n\u200b\u3164é") == (
        "ok<U+202E><U+001B>[2J<U+000A><U+200B><U+3164>é"
    )


SHELL = Process(2, "bash", ("-bash",))
PERSON = (SHELL, Process(1, "systemd", ("/sbin/init",)))


@pytest.mark.parametrize(
    ("process", "agent"),
    [
        (Process(9, "claude", ("claude",)), "claude-code"),
        (Process(9, "node", ("node", "/x/@anthropic-ai/claude-code/cli.js")), "claude-code"),
        (Process(9, "MainThread", ("/opt/bin/claude", "-p")), "claude-code"),
        (Process(9, "codex", ("/x/codex", "exec")), "codex"),
        (Process(9, "node", ("/usr/bin/node", "--no-warnings", "/usr/bin/gemini")), "gemini-cli"),
        (Process(9, "opencode", ("opencode", "run")), "opencode"),
        (Process(9, "node", ("node", "/x/@github/copilot/index.js")), "copilot"),
        (Process(9, "hapi", ("hapi", "runner")), "hapi"),
        (Process(9, "tmux", ("tmux",), ("PATH", "CLAUDECODE")), "claude-code"),
    ],
)
def test_an_agent_is_known_by_its_process_wherever_it_stands_above(process, agent):
    assert agent_among((SHELL, process, *PERSON), ("HOME",)) == agent
    assert not is_person(Caller(True, (SHELL, process, *PERSON)), ("HOME",))


@pytest.mark.parametrize(
    "name", ["CLAUDECODE", "CODEX_SANDBOX_NETWORK_DISABLED", "GEMINI_CLI", "COPILOT_CLI"]
)
def test_an_agent_is_known_by_what_it_leaves_in_the_environment(name):
    assert agent_among(PERSON, ("HOME", name))
    assert not is_person(Caller(True, PERSON), ("HOME", name))


def test_a_person_is_at_a_terminal_below_nobody_else():
    assert is_person(Caller(True, PERSON), ("HOME", "CODEX_HOME", "GEMINI_API_KEY"))
    assert not is_person(Caller(False, PERSON), ())
    assert not is_person(Caller(True, None), ())
    fake = Process(8, "script", ("script", "-qc", "leftoff"))
    assert not is_person(Caller(True, (fake, *PERSON)), ())
    assert is_person(Caller(True, (fake._replace(tty="34816"), *PERSON)), ())
    edits = Process(7, "vim", ("vim", "/home/me/claude"))
    assert is_person(Caller(True, (edits, *PERSON)), ())


@pytest.mark.parametrize(
    ("words", "agent"),
    [
        (("node", "/x/node_modules/.bin/codex", "exec"), "codex"),
        (("node", "/it's a b/.bin/gemini", "-p", "hi"), "gemini-cli"),
        (("sh", "-c", "/x/.bin/gemini -p hi; ls /x/.bin/gemini"), ""),
        (
            ("/usr/bin/node", "--max-old-space-size=12051", "/x/.bin/gemini", "-p", "hi"),
            "gemini-cli",
        ),
        (("npx", "--yes", "@anthropic-ai/claude-code"), "claude-code"),
        (("uv", "tool", "run", "aider"), "an agent"),
        (("/bin/bash", "build.sh", "/srv/claude", "codex"), ""),
        (("python3", "train.py", "claude"), ""),
        (("bash", "-c", "echo claude"), ""),
        (("vim", "claude"), ""),
    ],
)
def test_an_agent_is_known_by_what_runs_never_by_what_it_is_given(words, agent):
    """As real clients showed in `ps`; a folder called like one is no client."""
    process = Process(2, words[0].rpartition("/")[2], words)
    assert agent_among((process,), ()) == agent
