"""Inputs that broke other tools in the wild, each with the tests that show what becomes of it here.

The list is the one of bad inputs that was gathered from the trackers of clients and of tools beside
them; its numbers are the keys. A row without a test, or with one that is gone, fails.
"""

from __future__ import annotations

import ast
import json
import os

import pytest

from histories import HOUR, MINUTE, Talk, ident, journal, started
from projects import NOW
from support import ROOT, git, repo, run

TABLE = {
    1: ("a transcript of gigabytes", "test_a_long_transcript_is_never_in_memory_whole"),
    2: ("hundreds of subagents", "test_four_hundred_subagents_belong_to_one_session"),
    3: ("memory many times the file", "test_a_long_transcript_is_never_in_memory_whole"),
    4: ("one line of 13 MB", "test_one_line_of_thirteen_megabytes_counts_as_any_other"),
    5: ("thousands of queue lines", "test_thousands_of_queue_lines_leave_nothing_behind"),
    6: ("half a last line", "test_half_a_line_at_the_end_waits_for_its_rest"),
    7: ("a file rewritten in place", "test_a_file_that_was_written_anew_is_read_from_its_start"),
    8: ("U+2028, U+2029, NEL", "test_a_line_ends_at_a_newline_alone"),
    9: (
        "surrogates, NUL, no UTF-8",
        "test_whatever_a_file_holds_its_statistics_can_be_kept_and_written",
    ),
    10: ("images twice", "test_an_image_is_kept_once_however_often_and_wherever_it_was_written"),
    11: ("missing and unknown fields", "test_lines_of_unknown_kinds_are_counted_and_harmless"),
    12: (
        "one message in many lines",
        "test_an_answer_of_several_lines_counts_once_and_its_last_line_wins",
    ),
    13: ("slugs that collide", "test_two_projects_whose_folders_share_a_name_stay_apart"),
    14: ("a fork that shares history", "test_a_fork_counts_its_own_part_and_names_its_parent"),
    15: ("linked folders of clients", "test_a_link_stays_a_link_and_the_mode_is_kept"),
    16: ("drive letters, UNC, case", "test_a_path_of_another_system_is_shown_and_leads_nowhere"),
    17: ("WSL and Windows", "test_a_path_of_another_system_is_shown_and_leads_nowhere"),
    18: ("GIT_DIR, agent in agent", "test_git_variables_of_a_caller_lead_nobody_astray"),
    19: ("one process, many windows", "test_a_daemon_is_shared"),
    20: ("sealed reasoning", "test_what_clients_check_or_show_is_never_rewritten"),
    21: ("clock jumps, zones, DST", "test_a_clock_that_jumps_changes_ages_and_nothing_else"),
    22: ("disk full, read-only home", "test_a_state_folder_that_cannot_be_written_stops_nobody"),
    23: ("a worktree that is gone", "test_a_worktree_whose_repository_is_gone_is_still_a_place"),
}


def every_test() -> set[str]:
    names = set()
    for place, _, files in os.walk(os.path.join(ROOT, "tests")):
        for name in files:
            if name.startswith("test_") and name.endswith(".py"):
                with open(os.path.join(place, name), encoding="utf-8") as file:
                    tree = ast.parse(file.read())
                names |= {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}
    return names


def test_every_row_of_the_list_has_its_test():
    assert [*TABLE] == [*range(1, 24)]
    assert {name for _, name in TABLE.values()} - every_test() == set()


def told(root, *words):
    done = run("session", *words, "--json", "--now", NOW, cwd=root)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["data"]


def test_four_hundred_subagents_belong_to_one_session(root):
    path = Talk(1, root).ask(HOUR, "Do it").answer(MINUTE, "ok", 1000).save()
    folder = os.path.join(path.removesuffix(".jsonl"), "subagents")
    os.makedirs(folder)
    with open(path, "rb") as file:
        said = file.read()
    for number in range(404):
        with open(os.path.join(folder, f"agent-{number:04}.jsonl"), "wb") as file:
            file.write(
                said.replace(b'"uuid"', b'"isSidechain": true, "agentId": "%d", "uuid"' % number)
            )
    assert [one["id"] for one in told(root, "list", "--all")["sessions"]] == [ident(1)]


@pytest.mark.parametrize(
    "folder",
    ["C:\\Users\\me\\shop", "C:/Users/me/shop", "\\\\host\\share\\shop", "/mnt/c/Users/me/shop"],
)
def test_a_path_of_another_system_is_shown_and_leads_nowhere(root, folder):
    journal(1, started(MINUTE, folder))
    journal(2, started(MINUTE, root))
    assert [one["id"] for one in told(root, "list", "--all")["sessions"]] == [ident(2)]
    everywhere = told(root, "list", "--all", "--everywhere")["sessions"]
    assert {one["id"] for one in everywhere} == {ident(1), ident(2)}
    assert folder in json.dumps(everywhere, ensure_ascii=False).replace("\\\\", "\\")
    assert sorted(os.listdir(root)) == [".git", "app.py"]


def test_git_variables_of_a_caller_lead_nobody_astray(root, tmp_path):
    other = repo(tmp_path / "other")
    git("checkout", "--quiet", "-b", "elsewhere", cwd=other)
    env = {
        "GIT_DIR": f"{other}/.git",
        "GIT_WORK_TREE": other,
        "GIT_INDEX_FILE": f"{other}/.git/index",
    }
    before = run("save", "x", "--now", NOW, cwd=root, env=env)
    assert before.returncode == 0, before.stderr
    said = run("resume", "--now", NOW, cwd=root, env=env).stdout
    assert "main" in said
    assert "elsewhere" not in said
    assert git("status", "--porcelain", cwd=other) == ""
