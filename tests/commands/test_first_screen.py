"""What a newcomer sees: `leftoff` where nobody saved, from history that any client left on disk."""

from __future__ import annotations

import json
import os
import re

import pytest

import five_clients
from five_clients import ASKED, CLIENTS, COMMAND, SAID
from histories import state
from leftoff.core.ids import start_of
from projects import NOW, put, put_markdown
from support import git, run
from test_imports import TOO_EXPENSIVE, probe, third_party

GO_ON = {
    "claude-code": "claude --resume {}",
    "codex": "codex resume {}",
    "copilot": "copilot --resume={}",
    "gemini-cli": "gemini --resume {}",
    "opencode": "opencode --session {}",
}


def shown(root, *words):
    done = run(*words, "--now", NOW, cwd=root)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("client", CLIENTS)
def test_with_no_setup_it_says_who_worked_here_on_what_and_where_it_stopped(root, client):
    ident = CLIENTS[client](root)
    with open(os.path.join(root, "app.py"), "a", encoding="utf-8") as file:
        file.write("x = 1\n")
    told = shown(root)
    assert f"\n{client} · 59 min ago" in told
    assert ASKED in told or "Login" in told
    assert "  Changed      app.py\n" in told
    assert f"  Failed       {COMMAND}\n" in told
    assert f"  Said last    {SAID}\n" in told
    assert "  Uncommitted  app.py\n" in told
    assert GO_ON[client].format(ident) in told
    assert f"leftoff recover {client}/{start_of(ident)}, then leftoff resume" in told
    assert told.count("\n") <= 15


@pytest.mark.parametrize("client", CLIENTS)
def test_the_command_that_it_names_brings_the_work_into_a_new_session(root, client):
    ident = CLIENTS[client](root)
    assert run("recover", f"{client}/{start_of(ident)}", "--now", NOW, cwd=root).returncode == 0
    assert "Continue anywhere  leftoff resume\n" in shown(root)
    brief = run("resume", "--now", NOW, cwd=root).stdout
    assert "repair the login test" in brief
    assert f"failed: {COMMAND}" in brief


def test_the_commands_that_it_names_mean_one_session_where_others_began_in_the_same_minute(root):
    """Ids of Codex begin with their time."""
    first = five_clients.codex(root)
    folder = os.path.join(os.environ["HOME"], ".codex/sessions/2026/08/08")
    (name,) = os.listdir(folder)
    later = first.replace("-0000-", "-0001-")
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        text = file.read().replace(first, later)
    with open(os.path.join(folder, name.replace(first, later)), "w", encoding="utf-8") as file:
        file.write(text)
    commands = re.findall(r"leftoff ((?:recover|session info) \S+?),?(?: |\n)", shown(root))
    assert [*map(str.split, commands)][1][:2] == ["session", "info"]
    for words in commands:
        assert run(*words.split(), "--now", NOW, cwd=root).returncode == 0


def test_several_clients_are_told_newest_first_and_older_ones_in_two_lines(root):
    for client in CLIENTS.values():
        client(root)
    told = shown(root)
    assert told.count(" · 59 min ago") == 3
    assert "## Before that\n- " in told


def test_many_files_are_counted_and_a_clean_tree_is_said(root):
    CLIENTS["claude-code"](root)
    assert "  Uncommitted  nothing\n" in shown(root)
    for name in "abcdefg":
        with open(os.path.join(root, name), "w", encoding="utf-8") as file:
            file.write(name)
    assert "  Uncommitted  a, b, c, d and 3 more\n" in shown(root)


def test_setup_is_offered_only_until_it_was_done(root):
    CLIENTS["codex"](root)
    assert "leftoff setup" in shown(root)
    os.makedirs(os.path.join(state(), "hook"))
    with open(os.path.join(state(), "hook", "launch.py"), "w", encoding="utf-8") as file:
        file.write("# here\n")
    assert "leftoff setup" not in shown(root)


def test_of_a_session_in_another_working_tree_it_tells_what_is_there(root, tmp_path):
    other = os.path.realpath(tmp_path / "an other")
    git("worktree", "add", "--quiet", "-b", "side", other, cwd=root)
    ident = five_clients.claude_code(other)
    put(other, "app.py", "x = 1\n")
    told = shown(root)
    assert "  Uncommitted  app.py\n" in told
    assert f"cd '{other}' && claude --resume {ident}\n" in told
    assert f"cd '{other}' && leftoff recover claude-code/{start_of(ident)}, then" in told
    assert "cd " not in shown(other)


def test_an_empty_project_says_what_to_do_and_writes_nothing(root):
    told = shown(root)
    assert "leftoff demo" in told
    assert "leftoff setup" in told
    assert "leftoff save" in told
    assert "--everywhere" not in told
    assert told.count("\n") <= 7
    assert sorted(os.listdir(root)) == [".git", "app.py"]


def test_what_another_session_left_is_not_offered_as_the_work_of_the_newest(root):
    for client in ("codex", "claude-code"):
        CLIENTS[client](root)
    newest, older = (
        f"{row['agent']}/{start_of(row['id'])}"
        for row in json.loads(shown(root, "--json"))["data"]["sessions"]
    )
    assert run("recover", older, "--now", NOW, cwd=root).returncode == 0
    told = shown(root)
    assert f"Continue anywhere  leftoff recover {newest}, then leftoff resume\n" in told
    assert "Left for you       leftoff resume --list\n" in told


def test_what_was_worked_on_elsewhere_is_a_command_away(root, tmp_path):
    CLIENTS["claude-code"](os.path.join(tmp_path, "other"))
    assert "Other projects    leftoff status --everywhere" in shown(root)


def test_a_project_with_archived_checkpoints_only_is_not_called_empty(root):
    put_markdown(root)
    run("archive", "chk-auth", "--outcome", "It works", "--now", NOW, cwd=root)
    assert shown(root).startswith("Nothing is open here: 1 archived, see leftoff list.\n")


def test_resume_without_a_save_names_what_would_help(root):
    told = shown(root, "resume")
    assert "fresh start" in told
    assert "leftoff recover" in told


def test_the_same_facts_are_there_as_data(root):
    ident = CLIENTS["claude-code"](root)
    data = json.loads(shown(root, "--json"))["data"]
    first = data["sessions"][0]
    assert (first["id"], first["changed"]) == (ident, ["app.py"])
    assert first["go_on"] == f"claude --resume {ident}"
    assert (data["uncommitted"], data["left"], data["hooked"]) == ([], False, False)


def test_in_chinese_all_of_it_is(root):
    CLIENTS["claude-code"](root)
    told = shown(root, "--lang", "zh")
    assert "你上次停在这里" in told
    assert "在任何地方继续" in told
    assert "Go on" not in told


def test_from_a_pipe_it_loads_nothing_dear(root):
    CLIENTS["claude-code"](root)
    for _ in range(2):
        seen = probe(root, "--now", NOW)
    assert ASKED in seen.out
    assert not seen.loaded & TOO_EXPENSIVE
    assert not third_party(seen.loaded)
