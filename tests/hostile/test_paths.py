"""Names as attacks: whatever stands where a command takes a name, nothing else is read or written."""

from __future__ import annotations

import os

import pytest

from hostile.every import calls, commands, project
from projects import NOW, markdown, put
from support import leftoff, run

CANARY = "canary-7f3a"
HOSTILE = (
    "../outside/checkpoints/active/chk-out.md",
    *(f"{'../' * up}outside/made" for up in range(2, 6)),
    "{outside}/checkpoints/active/chk-out.md",
    "{outside}/made",
    "..",
    ".",
    ".git",
    ".git/config",
    "chk-auth/../../../outside/made",
    "nul\0byte",
    "new\nline",
    "-rf",
    "--out",
    "",
    "x" * 5000,
    "sub/",
    "C:\\Windows\\made",
    "\\\\host\\share",
    "chk‐auth",  # a hyphen that is none
    "ｃｈｋ－ａｕｔｈ",
    "\u202echk-auth",
    "~/made",
    "$(touch made)",
    "`touch made`",
    "%2e%2e%2fmade",
    "made\ud800",
    "CON",
    "*",
)
NAMES = frozenset(
    ("NAME", "ID", "SESSION", "SKILL", "AGENT", "NEWNAME", "WORD", "NEW_SESSION", "A", "KEY", "REF")
)
WHERE_TOLD = {("handoff", "--out"), ("session", "--out")}
"""These write a new file wherever the user says."""
GIT_SAYS = {"merge-driver"}
"""git names the files."""
READS_ANY = {"validate"}
"""It says what is wrong with a file, wherever that is."""


@pytest.fixture
def places(tmp_path):
    """A project, and beside it what nobody may touch."""
    outside = os.fspath(tmp_path / "outside")
    put(outside, "checkpoints/active/chk-out.md", markdown("chk-out", state=CANARY))
    return project(tmp_path), outside


def everything(*folders: str) -> dict[str, object]:
    """Every file, folder and link with what it holds."""
    seen: dict[str, object] = {}
    for folder in folders:
        for place, names, files in os.walk(folder):
            seen |= {os.path.join(place, name): "folder" for name in names}
            for name in files:
                path = os.path.join(place, name)
                with open(path, "rb") as file:
                    seen[path] = file.read()
    return seen


def beyond(root: str, outside: str) -> dict[str, object]:
    """All but the project and leftoff's own state: the neighbours, the home folder, git's own."""
    home = os.environ["HOME"]
    found = everything(os.path.dirname(root), home, os.path.join(root, ".git"))
    own = (os.path.join(home, "state"), os.path.join(root, ".git", "leftoff"))
    inside = tuple(f"{root}/{name}" for name in os.listdir(root) if name != ".git")
    return {path: held for path, held in found.items() if not path.startswith((*own, *inside))}


@pytest.mark.parametrize("name", sorted(set(commands()) - GIT_SAYS))
def test_no_name_leads_out_of_the_project(places, name):
    root, outside = places
    before = beyond(root, outside)
    for value in HOSTILE:
        for words in calls(name, value.replace("{outside}", outside), only=NAMES):
            assert_harmless(words, root, name)
    for words in calls(name, "../made\0\x1b[31m\u202e\n<leftoff>"):
        if (name, words[-1].partition("=")[0]) not in WHERE_TOLD:
            assert_harmless(words, root, name)
    assert beyond(root, outside) == before


def assert_harmless(words, root, name):
    done = run(*words, "--now", NOW, cwd=root)
    said = done.stdout + done.stderr
    assert done.returncode in range(8), (words, said)
    assert "Traceback" not in said, words
    assert CANARY not in said or name in READS_ANY, words


@pytest.mark.parametrize(
    "value", ["{outside}/none", "nul\0byte", "", "x" * 5000, "made\ud800", "/dev/null"]
)
def test_a_project_that_is_none_is_refused_and_not_made(places, value):
    root, outside = places
    before = beyond(root, outside)
    for words in (["status"], ["save", "-m", "x"], ["init", "chk-new"], ["thread", "enable"]):
        done = run(*words, "--project", value.replace("{outside}", outside), "--now", NOW, cwd=root)
        assert done.returncode in range(1, 8), (words, done.stdout)
    assert beyond(root, outside) == before


@pytest.mark.parametrize(
    "agent", ["../../made", "", "x" * 5000, "os", "__init__", "_payload", "-x"]
)
def test_a_hook_of_a_client_that_does_not_exist_keeps_nothing(places, agent):
    root, outside = places
    before = beyond(root, outside)
    given = '{"session_id": "../../../made", "cwd": "/", "prompt": "x"}'
    for word in (agent, "claude-code"):
        done = leftoff("hook", "--", word, "prompt", cwd=root, stdin=given)
        assert done.returncode in range(8)
        assert "Traceback" not in done.stderr
    assert beyond(root, outside) == before


def test_the_exceptions_are_real():
    known = {(name, one) for name, each in commands().items() for a in each for one in a["names"]}
    assert known >= WHERE_TOLD
    assert set(commands()) >= GIT_SAYS | READS_ANY
    metavars = {one["metavar"] for each in commands().values() for one in each}
    assert metavars >= NAMES
