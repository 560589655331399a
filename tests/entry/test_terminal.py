"""On a terminal of any width: nothing runs over the edge, and no name is cut off."""

from __future__ import annotations

import io
import os
import re
import shutil

import pytest

from callers import PERSON, at_terminal
from five_clients import CLIENTS
from leftoff import commands
from leftoff.core.blocks import Line, Marked, Raw, Table
from leftoff.core.result import Ask, Choice
from leftoff.entry import terminal
from leftoff.entry.help import GROUPS, LEAD, grouped, overview
from leftoff.entry.plain import width
from leftoff.entry.translate import say as in_chinese
from leftoff.entry.verbs import every_verb
from projects import NOW, put_all
from support import repo, run

ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
VIEWS = [
    ("status",),
    ("next",),
    ("doctor",),
    ("session", "list", "--all"),
    ("session", "stats", "--all"),
    ("status", "--everywhere"),
    ("tree",),
    ("list",),
    ("search", "login"),
]


@pytest.fixture
def root(tmp_path):
    place = repo(tmp_path)
    put_all(place)
    for client in CLIENTS.values():
        client(place)
    return place


def drawn(columns, monkeypatch, *blocks):
    monkeypatch.setenv("COLUMNS", str(columns))
    out = io.StringIO()
    terminal.show(blocks, out, color=False)
    return [line.rstrip() for line in out.getvalue().splitlines()]


@pytest.mark.parametrize("columns", [40, 80, 200])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_view_runs_over_the_edge(root, monkeypatch, columns, language):
    monkeypatch.setenv("COLUMNS", str(columns))
    for words in VIEWS:
        _, shown = at_terminal(PERSON, "", *words, "--now", NOW, "--lang", language, cwd=root)
        lines = ANSI.sub("", shown).splitlines()
        assert len(lines) > 1
        assert not [line for line in lines if width(line.rstrip()) > columns], (words, shown)


def test_a_table_that_is_too_wide_becomes_cards_in_which_nothing_is_cut(root, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    _, shown = at_terminal(PERSON, "", "session", "list", "--all", "--now", NOW, cwd=root)
    text = " ".join(ANSI.sub("", shown).split())
    assert "…" not in text
    assert "active claude-code 59 min · main · " in text
    _, shown = at_terminal(PERSON, "", "session", "stats", "--all", "--now", NOW, cwd=root)
    assert "claude-code\r\n  Sessions 1 · Tokens" in ANSI.sub("", shown)


def test_a_card_parts_no_figure_from_its_name(monkeypatch):
    names = ("Sessions", "Tokens", "Prompts", "Files", "Commits", "Failed")
    table = Table(("agent", *names), (("claude-code", "1", "12,000", "3", "0", "0", "0"),))
    for columns in range(20, 60):
        shown = drawn(columns, monkeypatch, table)
        facts = [fact for line in shown[1:] for fact in line.strip(" ·").split(" · ")]
        assert [fact.split()[0] for fact in facts] == [*names], columns
        assert max(map(len, shown)) <= columns


def test_in_a_card_of_named_rows_a_value_stands_behind_its_own_name(root, monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    _, shown = at_terminal(PERSON, "", "budget", "--now", NOW, cwd=root)
    lines = [line.rstrip() for line in ANSI.sub("", shown).splitlines()]
    at = next(at for at, line in enumerate(lines) if line.startswith("Window  "))
    assert lines[at].split()[1].replace(",", "").isdigit()
    assert lines[at + 1].startswith("  of the estimate")
    assert not [line for line in lines if "Value" in line]


def test_cards_name_figures_and_leave_out_what_is_empty(monkeypatch):
    table = Table(("Name", "Kind", "Count", "Note"), (("a" * 30, "b" * 20, "1,200", "-"),))
    assert drawn(200, monkeypatch, table)[0].split() == ["Name", "Kind", "Count", "Note"]
    assert drawn(40, monkeypatch, table)[-1] == "  Count 1,200"


def test_what_is_wrapped_stays_below_its_own_beginning(monkeypatch):
    words = "one two three four five six"
    assert drawn(16, monkeypatch, Line(f"  ✗ {words}")) == [
        "  ✗ one two",
        "    three four",
        "    five six",
    ]
    assert drawn(16, monkeypatch, Marked(f"  {words}", ((2, 5),)))[1].startswith("  four")
    assert drawn(16, monkeypatch, Line(words))[1].startswith("four")


def test_a_table_without_names_has_no_head(monkeypatch):
    assert drawn(80, monkeypatch, Table(("", ""), (("a", "b"),))) == ["a  b"]


LONG = [
    ("session", "stats", "--all"),
    ("session", "archive", "--all"),
    ("index", "--rebuild"),
    ("search", "login", "--everywhere"),
]


@pytest.mark.parametrize("words", LONG, ids=" ".join)
def test_long_work_shows_a_bar_on_a_terminal_and_never_in_a_pipe(root, monkeypatch, words):
    monkeypatch.setattr(terminal, "PATIENCE", -1)
    piped = run(*words, "--now", NOW, cwd=root)
    assert piped.returncode == 0, piped.stderr
    assert "%" not in piped.stderr
    shutil.rmtree(os.environ["LEFTOFF_STATE"])  # so that all of it is new again
    code, shown = at_terminal(PERSON, "", *words, "--now", NOW, cwd=root)
    assert code == 0
    assert "%" in shown


def test_interrupted_work_gives_the_cursor_back(root, monkeypatch):
    def interrupted(call):
        call.progress(1, 3)
        raise KeyboardInterrupt

    monkeypatch.setattr(terminal, "PATIENCE", -1)
    monkeypatch.setattr(commands.load("status"), "run", interrupted)
    code, shown = at_terminal(PERSON, "", "status", cwd=root)
    assert code == 130
    assert shown.rindex("\x1b[?25h") > shown.rindex("\x1b[?25l")


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_a_bar_leaves_room_for_what_ctrl_c_shows_behind_it(root, monkeypatch, columns):
    def interrupted(call):
        call.progress(1, 3)
        raise KeyboardInterrupt

    monkeypatch.setattr(terminal, "PATIENCE", -1)
    monkeypatch.setattr(commands.load("status"), "run", interrupted)
    monkeypatch.setenv("COLUMNS", str(columns))
    _, shown = at_terminal(PERSON, "", "status", cwd=root)
    bars = [line for line in re.split(r"[\r\n]+", ANSI.sub("", shown)) if "━" in line]
    assert bars
    assert max(map(width, bars)) + len("^C") < columns


def test_help_leads_with_five_verbs_and_has_a_group_for_every_other():
    groups = grouped()
    assert groups[""] == [*LEAD]
    assert "Others" not in groups
    told = [verb for verbs in groups.values() for verb in verbs]
    assert sorted(told) == sorted([*every_verb(), "completion"])
    lines = overview().splitlines()
    assert [line.split()[0] for line in lines if line.startswith("  ")][:5] == [*LEAD]
    assert next(iter(GROUPS)) in lines


@pytest.mark.parametrize("columns", [40, 60, 80, 200])
def test_help_fits(columns, monkeypatch, tmp_path):
    for say in (None, in_chinese):
        text = overview(say, columns) if say else overview(columns=columns)
        assert not [line for line in text.splitlines() if width(line) > columns]
    monkeypatch.setenv("COLUMNS", str(columns))
    _, shown = at_terminal(PERSON, "", "done", "--help", cwd=tmp_path)
    explained = ANSI.sub("", shown).partition("examples:")[0]
    assert not [line for line in explained.splitlines() if width(line.rstrip()) > columns]


def test_a_dumb_terminal_and_a_pipe_get_plain_text(root, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    piped = run("status", "--now", NOW, cwd=root).stdout
    assert "\x1b" not in piped
    assert "Name" in piped
    assert run("help", cwd=root).stdout == run("help", cwd=root, env={"COLUMNS": "40"}).stdout


def test_a_slip_of_the_pen_is_understood_wherever_it_is(root):
    for words, meant in (
        (("statsu",), "status"),
        (("help", "recovr"), "recover"),
        (("status", "--bref"), "--brief"),
        (("convert", "chk-auth", "--to", "skil"), "skill"),
        (("thread", "swich"), "switch"),
        (("session", "stast"), "stats"),
        (("show", "chk-auht"), "chk-auth"),
        (("setup", "--agent", "claude-cod"), "claude-code"),
    ):
        done = run(*words, cwd=root)
        assert f'did you mean "{meant}"?' in done.stderr, (words, done.stderr)
    assert os.listdir(root)


def test_a_document_shown_as_it_is_does_not_steer_the_terminal():
    out = io.StringIO()
    terminal.show([Raw("a\x1b[2J\x1b]0;owned\x07\u202e\r\nb [red]c[/red]\n")], out, color=True)
    assert out.getvalue() == "a\ufffd[2J\ufffd]0;owned\ufffd\ufffd\nb [red]c[/red]\n"


ONE_WAY = Ask("Write this?", (Choice("--yes", "write it"),), "--yes")
TWO_WAYS = Ask("Which one?", (Choice("a", "the first"), Choice("-b", "the second")), "--pick")
ANY_TEXT = Ask("What is next?", (Choice("--complete", "nothing"),), "--next TEXT")


def asked(question, *lines):
    """The words that the answers make, and all that was shown."""
    out = io.StringIO()
    words = terminal.ask(question, out, io.StringIO("".join(f"{line}\n" for line in lines)))
    return words, out.getvalue()


@pytest.mark.parametrize(
    ("question", "line", "words"),
    [
        (ONE_WAY, "1", ["--yes"]),
        (ONE_WAY, "y", ["--yes"]),
        (ONE_WAY, "Yes", ["--yes"]),
        (ONE_WAY, "是", ["--yes"]),
        (ONE_WAY, "--yes", ["--yes"]),
        (ONE_WAY, "n", []),
        (ONE_WAY, "NO", []),
        (ONE_WAY, "", []),
        (TWO_WAYS, "2", ["--pick=-b"]),
        (TWO_WAYS, "a", ["--pick=a"]),
        (ANY_TEXT, "1", ["--complete"]),
        (ANY_TEXT, "y", ["--next=y"]),
        (ANY_TEXT, "no", ["--next=no"]),
    ],
)
def test_a_question_takes_what_people_answer(question, line, words):
    assert asked(question, line)[0] == words


@pytest.mark.parametrize(("question", "wrong"), [(ONE_WAY, "2"), (TWO_WAYS, "y"), (TWO_WAYS, "0")])
def test_an_answer_that_fits_nothing_is_asked_for_again(question, wrong):
    words, shown = asked(question, wrong, "1")
    assert words == asked(question, "1")[0]
    told = "is neither: type y or n" if question is ONE_WAY else "is none of these"
    assert f"{wrong} {told}" in shown
    assert shown.count("> ") == 2


def test_a_question_with_one_thing_to_agree_to_says_how_to_decline():
    assert "\ny/n> " in asked(ONE_WAY, "n")[1]
    assert "\n> " in asked(ANY_TEXT, "n")[1]


def test_a_question_is_broken_between_words(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    long = Ask("The quick brown fox jumps over the lazy dog again", TWO_WAYS.choices, "--pick")
    assert asked(long, "a")[1].splitlines()[:2] == [
        "The quick brown fox jumps over the",
        "  lazy dog again",
    ]


def test_nobody_is_asked_for_ever():
    words, shown = asked(TWO_WAYS, "what?\x1b[2J")
    assert (words, shown.count("> ")) == ([], 2)
    assert "\x1b" not in shown


def test_a_question_with_the_name_of_a_file_in_it_does_not_steer_the_terminal():
    named = Ask("Move \x1b[2Jx?", (Choice("a", "the \u202efirst"),), "--pick")
    _, shown = asked(named, "a")
    assert shown.startswith("Move \ufffd[2Jx?\n  1. the \ufffdfirst\n")


class Interrupted(io.StringIO):
    def readline(self, _: int = -1, /) -> str:
        raise KeyboardInterrupt


def test_behind_an_answer_that_was_not_finished_a_new_line_begins():
    out = io.StringIO()
    assert terminal.ask(TWO_WAYS, out, io.StringIO("")) == []
    assert out.getvalue().endswith("> \n")
    with pytest.raises(KeyboardInterrupt):
        terminal.ask(TWO_WAYS, out, Interrupted())
    assert out.getvalue().endswith("> \n")
