"""A format and a client are one file each: dropped into their folders, everything knows them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from uuid import UUID

import pytest

from extra import parrot, todo
from support import ROOT, SOURCE, leftoff, repo
from world.transcript_files import ask

ID = str(UUID(int=7))


@pytest.fixture(scope="module")
def source(tmp_path_factory) -> str:
    """The package with two files more."""
    folder = tmp_path_factory.mktemp("source")
    shutil.copytree(
        os.path.join(SOURCE, "leftoff"),
        folder / "leftoff",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    shutil.copy(todo.__file__, folder / "leftoff" / "formats")
    shutil.copy(parrot.__file__, folder / "leftoff" / "agents")
    return os.fspath(folder)


@pytest.fixture
def program(source, tmp_path):
    """A command of that package, in a project of its own."""
    root = repo(tmp_path)

    def call(*argv: str, stdin: str = "", **env: str) -> str:
        done = leftoff(*argv, cwd=root, env={"PYTHONPATH": source, **env}, stdin=stdin)
        assert done.returncode == 0, done.stderr
        return done.stdout

    call.root = root  # type: ignore[attr-defined]
    return call


def written(program, path: str) -> str:
    with open(os.path.join(program.root, path), encoding="utf-8") as file:
        return file.read()


def test_a_new_format_is_saved_listed_worked_off_checked_and_converted(program):
    program("save", "--as", "todo", "--name", "ship", "Ship it", "--next", "Pack", "--next", "Send")
    assert "## Todo\n\n- Pack\n- Send\n" in written(program, "todo/ship.md")
    [row] = json.loads(program("list", "--json"))["data"]["documents"]
    assert (row["format"], row["id"], row["path"]) == ("todo", "ship", "todo/ship.md")
    assert "Pack" in program("next")
    program("done", "ship")
    program("update", "ship", "--intent=Ship it well")
    text = written(program, "todo/ship.md")
    assert "## Goal\n\nShip it well\n" in text
    assert "## Done\n\n- Pack\n" in text
    assert "todo/ship.md" in program("validate")
    assert "Next: 1. Send" in program("resume", "ship")
    assert "- Send" in program("search", "Send")
    program("convert", "ship", "--to", "md", "--id", "chk-ship")
    program("convert", "chk-ship", "--to", "todo", "--id", "again")
    assert "- Send" in written(program, "todo/again.md")
    program("init", "fresh", "--as", "todo", "--next", "Begin")
    assert "- Begin" in written(program, "todo/fresh.md")


def test_a_new_format_is_offered_wherever_one_is_chosen(program):
    known = json.loads(program("help", "--json"))["data"]["commands"]
    choices = [
        (verb, argument["choices"])
        for verb, command in known.items()
        for argument in command["arguments"]
        if "thread" in argument["choices"]
    ]
    assert {verb for verb, _ in choices} >= {"save", "init", "recover", "session", "convert"}
    assert not [verb for verb, some in choices if "todo" not in some]


def test_a_new_client_is_set_up_heard_listed_and_searched(program, home):
    folder = os.path.join(home, ".parrot")
    os.makedirs(os.path.join(folder, "talks", "p"))
    transcript = os.path.join(folder, "talks", "p", f"{ID}.jsonl")
    with open(transcript, "wb") as file:
        file.write(ask(1, "Count the parcels", cwd=program.root, session=ID))
    assert "Parrot" in program("setup", "--agent", "parrot", "--yes")
    with open(os.path.join(folder, "settings.json"), encoding="utf-8") as file:
        hooks = json.load(file)["hooks"]
    assert [*hooks] == [hook.event for hook in parrot.HOOKS]
    [command] = [one["command"] for group in hooks["SessionStart"] for one in group["hooks"]]
    program("save", "Half of them")
    told = {"session_id": ID, "cwd": program.root, "transcript_path": transcript}
    reply = subprocess.run(
        ["sh", "-c", command], input=json.dumps(told), capture_output=True, encoding="utf-8"
    )
    assert "Half of them" in json.loads(reply.stdout)["additionalContext"]
    [one] = json.loads(program("session", "list", "--json"))["data"]["sessions"]
    assert (one["agent"], one["id"]) == ("parrot", ID)
    assert "Count the parcels" in program("search", "parcels")
    saved = json.loads(program("save", "More", "--json", PARROT_SESSION_ID=ID))["data"]
    assert saved["session"] == f"parrot/{ID}"
    assert "Parrot calls leftoff" in program("doctor")
    program("uninstall")
    assert not os.path.exists(os.path.join(folder, "settings.json"))


def test_a_new_client_alone_on_a_machine_is_a_trace(program, home):
    assert "Parrot" not in program("status")
    os.makedirs(os.path.join(home, ".parrot", "talks", "p"))
    with open(os.path.join(home, ".parrot", "talks", "p", f"{ID}.jsonl"), "wb") as file:
        file.write(ask(1, "Count the parcels", cwd=program.root, session=ID))
    assert "Count the parcels" in program("status")


def test_the_patterns_are_not_in_the_package():
    for layer, one in (("formats", todo), ("agents", parrot)):
        name = os.path.basename(one.__file__ or "")
        assert not os.path.exists(os.path.join(ROOT, "src", "leftoff", layer, name))
