"""What goes to a team, as rows; and paths that mean the same on another machine."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leftoff.core.session import Session
from leftoff.core.stats import Stats, Task
from leftoff.core.team import (
    DOCUMENTS,
    FIGURES,
    OFF,
    PRIVATE,
    PUBLIC,
    TEAM,
    TEXT,
    Origin,
    Share,
    batches,
    copy_line,
    figures,
    storable,
)
from leftoff.core.team_paths import local, portable

HERE = ("/home/ann/work/shop", "/home/ann")
THERE = ("/srv/code/shop", "/Users/bob")
PIECES = st.sampled_from(
    [
        *HERE,
        *THERE,
        "/home/ann2",
        "/mnt",
        "/src/a.py",
        " ",
        "${leftoff:project}",
        "${leftoff:",
        ":",
        "}",
        "x",
        ".git",
        "\n",
    ]
)


@given(st.lists(PIECES, max_size=8).map("".join))
def test_a_text_that_goes_and_comes_back_is_the_same(text):
    assert local(portable(text, *HERE), *HERE) == text


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("see /home/ann/work/shop/src/a.py:3", "see /srv/code/shop/src/a.py:3"),
        ("`/home/ann/work/shop`.", "`/srv/code/shop`."),
        ('"project_dir": "/home/ann/work/shop"', '"project_dir": "/srv/code/shop"'),
        ("~ is /home/ann, or /home/ann/notes", "~ is /Users/bob, or /Users/bob/notes"),
        ("/home/ann/work/shop2 and /home/anna", "/Users/bob/work/shop2 and /home/anna"),
        ("/mnt/home/ann/x", "/mnt/home/ann/x"),
        ("a literal ${leftoff:home}", "a literal ${leftoff:home}"),
    ],
)
def test_paths_of_one_machine_become_those_of_another(text, there):
    assert local(portable(text, *HERE), *THERE) == there


def test_a_folder_may_be_told_with_a_slash_at_its_end():
    told = portable("see /home/ann/work/shop/a.py", "/home/ann/work/shop/", "/home/ann/")
    assert told == "see ${leftoff:project}/a.py"
    assert local(told, "/srv/code/shop/", "/Users/bob/") == "see /srv/code/shop/a.py"
    assert local("in ${leftoff:project}", "/", "/Users/bob") == "in /"


def test_a_project_at_the_root_of_the_disk_changes_nothing():
    assert portable("a / b /etc", "/", "") == "a / b /etc"


def test_who_sees_documents_and_figures():
    assert [Share(level).documents for level in (OFF, FIGURES, DOCUMENTS, TEXT)] == [
        PRIVATE,
        PRIVATE,
        TEAM,
        TEAM,
    ]
    assert Share(TEXT, PUBLIC).documents == PUBLIC
    assert Share(TEXT, PUBLIC).figures == TEAM
    assert Share(FIGURES, PRIVATE).figures == PRIVATE


def test_figures_hold_no_word_that_anybody_said():
    stats = Stats(title="secret title", asked="secret prompt", last_asked="x", said="secret answer")
    stats = stats._replace(tasks=(Task("secret task", "pending"),), files=("secret/file.py",))
    one = Session("codex", "s-1", root="/home/ann/secret", cwd="/home/ann/secret", stats=stats)
    row = figures(one, Origin("root:1", "shop", "laptop"), TEAM)
    assert "secret" not in copy_line(row)
    assert (row.files, row.tasks_open) == (1, 1)


@pytest.mark.parametrize(
    ("values", "line"),
    [
        (("a", 1, 2.5), "a\t1\t2.5"),
        (("a", None, True), "a\t\\N\tTrue"),
        (
            ("tab\there", "line\nend\r", "back\\slash", "n\0ul"),
            "tab\\there\tline\\nend\\r\tback\\\\slash\tnul",
        ),
        (("None", "\\N"), "None\t\\\\N"),
        (("a\tb", "c"), "a\\tb\tc"),
        (("a\tb\tc",), "a\\tb\\tc"),
        (("\\\n\r\0",), "\\\\\\n\\r"),
    ],
)
def test_a_row_for_copy(values, line):
    assert copy_line(values) == line


def test_batches_lose_nothing():
    assert [*batches(range(7), 3)] == [[0, 1, 2], [3, 4, 5], [6]]
    assert [*batches([], 3)] == []


def test_figures_tell_the_model_of_most_answers_the_times_that_are_known_and_what_is_left_to_do():
    tasks = (Task("a", "completed"), Task("b", "pending"), Task("c", "pending"))
    stats = Stats(models={"few": 1, "most": 5, "some": 2}, tasks=tasks)
    one = Session("codex", "s", model="said", started=5.0, ended=9.0, stats=stats)
    row = figures(one, Origin("p", "n", "m"), TEAM)
    assert (row.model, row.started, row.ended) == ("most", 5.0, 9.0)
    assert (row.tasks_done, row.tasks_open) == (1, 2)
    bare = figures(Session("codex", "s", model="said"), Origin("p", "n", "m"), TEAM)
    assert (bare.model, bare.started, bare.ended, bare.tasks_open) == ("said", None, None, 0)


@pytest.mark.parametrize(
    ("odd", "told"),
    [("\\", "\\\\"), ("\n", "\\n"), ("\r", "\\r"), ("\0", ""), ("\t", "\\t"), ("é", "é")],
)
def test_each_sign_that_means_something_to_copy_is_escaped_also_where_it_is_the_only_one(odd, told):
    assert copy_line(("a", f"b{odd}c", 3)) == f"a\tb{told}c\t3"
    assert copy_line((None, "None")) == "\\N\tNone"


@pytest.mark.parametrize("value", ["odd\0one", "odd\udc80one", "fine", "密", 7, None])
def test_a_value_is_storable_as_a_copied_row_tells_it(value):
    made = storable(value)
    assert copy_line([made]) == copy_line([value]).encode("utf-8", "replace").decode()
    assert not isinstance(made, str) or "\0" not in made
