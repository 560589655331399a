"""Turns of a conversation, what two checkpoints differ in, commits in commands, and the rest."""

from __future__ import annotations

import pytest

from leftoff.commands import plainly
from leftoff.core import talk
from leftoff.core.answers import open_points
from leftoff.core.commits import commits_in, messages_in
from leftoff.core.compare import Difference, compare
from leftoff.core.decided import PASTED, decided
from leftoff.core.digest import MOST_COMMANDS, MOST_FILES, Ran, digest, is_test
from leftoff.core.event import without
from leftoff.core.handoff import Work, _first, _last
from leftoff.core.model import Checkpoint, Item
from leftoff.core.passages import of_document, of_page, of_turns
from leftoff.core.redact import PLAIN
from leftoff.core.talk import MOST_OPEN, Turn
from leftoff.core.token_estimate import tokens_in, weight
from leftoff.errors import Usage


def test_turns_are_given_out_when_nothing_is_missing_of_them():
    heard = talk.begin()
    talk.asked(heard, " hi \n")
    talk.said(heard, " yes \n")
    talk.said(heard, "yes")
    talk.called(heard, "1", "Bash", " make ", ["a"])
    talk.ran(heard, "1")
    talk.line_read(heard, 5.0, line=3)
    assert [turn.text for turn in talk.ready(heard)] == ["hi", "yes"]
    talk.asked(heard, "more")
    talk.line_read(heard, 6.0)
    assert talk.ready(heard) == []
    talk.returned(heard, "1", failed=True)
    call, more = talk.ready(heard)
    assert call == Turn("tool", "", 5.0, "Bash", "make", False, ("a",), True, 3)
    assert (more.text, more.at) == ("more", 6.0)
    talk.said(heard, "yes")
    talk.line_read(heard, 7.0)
    talk.asked(heard, "aside")
    talk.line_read(heard, 8.0, aside=True)
    assert [turn.text for turn in talk.ready(heard)] == ["yes"]


def test_calls_that_nobody_answers_hold_up_only_so_many_turns():
    heard = talk.begin()
    for number in range(MOST_OPEN):
        talk.called(heard, str(number), "Read", "", [])
        talk.line_read(heard, float(number + 1))
    assert talk.ready(heard) == []
    assert len(heard["calls"]) == MOST_OPEN
    talk.called(heard, "last", "Read", "", [])
    talk.line_read(heard, 99.0)
    assert [turn.at for turn in talk.ready(heard)] == [1.0]
    assert (len(heard["calls"]), "0" in heard["calls"]) == (MOST_OPEN, False)
    assert len(talk.ready(heard, end=True)) == MOST_OPEN


def test_what_two_checkpoints_differ_in():
    one = Checkpoint(
        "x",
        problem="p",
        decisions=(Item("a"), Item("b"), Item("c", "c")),
        deltas=(Item("l1\nl2 ", "d1"),),
        rules=(Item("r"), Item("s")),
        cost={"total_usd": 1, "k": 2},
    )
    other = one._replace(
        problem="",
        decisions=(Item("a", "A", {"why": "w", "draft": True}), Item("c", "c")),
        deltas=(Item("l1\nl2", "d1", {"n": "1"}),),
        rules=(Item("s"), Item("r")),
        cost={"total_usd": 3, "k": 2},
    )
    found = {each.field: each for each in compare(one, other)}
    assert found["problem"] == Difference("problem", ("p",), ())
    assert found["rules"] == Difference("rules", (), (), moved=True)
    assert found["cost"] == Difference("cost", ("total_usd: 1",), ("total_usd: 3",))
    assert found["decisions"].before == ("a", "b")
    assert found["decisions"].after == ("a (A, why: w, draft)",)
    assert found["deltas"].before == ("d1\nl1\nl2",)
    assert found["deltas"].after == ("l1\nl2 (d1, n: 1)",)
    assert not found["decisions"].moved
    gone = compare(one, one._replace(rules=(Item("r"),)))
    assert gone == [Difference("rules", ("s",), ())]


@pytest.mark.parametrize(
    ("command", "messages"),
    [
        ("git commit -m ' one\n two'", ["one"]),
        ("git commit -am 'one' && git commit --message=two", ["one", "two"]),
        ("git commit --message ' three '", ["three"]),
        ("git commit --message=' four '", ["four"]),
        ("git commit --amend", [""]),
        ("A=b=c git -C x commit -m 'five'", ["five"]),
        ("git -c commit status", []),
        ("git log --grep commit", []),
        ("git --no-pager", []),
        ("commit -m x", []),
        ("git status", []),
        ("git commit --dry-run -m x", []),
        ("git commit -m \"$(cat <<'E'\n the text \nmore\nE\n)\"", ["the text"]),
        ("git commit x-m y", [""]),
        (
            "git commit -m plain && git commit -m \"$(cat <<'E'\nthe text\nE\n)\"",
            ["plain", "the text"],
        ),
        ("cat <<E > notes\nthe notes\nE\ngit commit -m plain", ["plain"]),
        ('git commit -m "$(cat message)"', [""]),
        ("git commit --cleanup=verbatim -m six", ["six"]),
        ("git commit -m Say\\ it", ["Say it"]),
        ("git --no-pager commit -m seven", ["seven"]),
        ("echo commit; git --version", []),
    ],
)
def test_commits_and_what_they_say(command, messages):
    assert messages_in(command) == messages
    assert commits_in(command) == len(messages)


def ran(about, ok=True, at=1.0, **given):
    return Turn("tool", about=about, ok=ok, at=at, is_command=True, **given)


def test_a_digest_counts_what_came_since():
    turns = [ran("make a", at=5.0), ran("make b", at=6.0), Turn("user", "hi there", 7.0)]
    told = digest(turns, 5.0)
    assert ([one.text for one in told.commands], told.first, told.last) == (["make b"], 6.0, 7.0)
    assert [one.text for one in digest(turns).commands] == ["make a", "make b"]
    assert digest([]).first == 0.0


def test_a_digest_keeps_the_last_commands_and_what_was_not_repaired():
    many = [ran(f"make {n}") for n in range(MOST_COMMANDS + 1)]
    assert len(digest(many).commands) == MOST_COMMANDS
    assert digest(many).commands[0].text == "make 1"
    again = digest([ran("make a"), ran("make b"), ran("make a", ok=False)])
    assert again.commands == (Ran("make b", ok=True), Ran("make a", ok=False))
    assert again.failures == ("make a",)
    assert digest([ran("make a", ok=False), ran("make a")]).failures == ()
    long = digest([ran(f"git commit -m '{'x' * 121}'")]).commits
    assert [len(one) for one in long] == [120]
    files = [Turn("tool", changes=(f"f{n}",), at=1.0) for n in range(MOST_FILES + 1)]
    assert len(digest(files).files) == MOST_FILES


@pytest.mark.parametrize(
    ("command", "tests"),
    [
        *(("pytest -q", True), ("python3 -m pytest", True), ("python x.py test", False)),
        *(("npm test", True), ("npm run test:unit", True), ("npm install", False)),
        *(
            ("A=b make test", True),
            ("echo pytest", False),
            ("A=b", False),
            ("mypython -m pytest", False),
        ),
    ],
)
def test_a_command_runs_tests_or_does_not(command, tests):
    assert is_test(command) is tests


@pytest.mark.parametrize("given", ["0", "", "x", "1" * 10, "\uff11", "-1", "1.5"])
def test_a_budget_is_a_number_of_tokens(given):
    with pytest.raises(Usage):
        tokens_in(given)
    assert (tokens_in("1"), tokens_in("9" * 9)) == (1, 999_999_999)


def test_a_wrong_budget_is_shown_short_and_weights_have_borders():
    with pytest.raises(Usage) as found:
        tokens_in("x" * 41)
    assert str(found.value) == f'--budget cannot be "{"x" * 40}"'
    assert weight("\u30ff") == weight("\u3000") == weight("\U0003ffff") == 1.0
    assert weight("\u3100") == 2.0
    assert weight("é\x7f") == 2.0


def test_open_points_whatever_spaces_and_marks_stand_around():
    assert open_points("Next: \n\t \n- wash \n") == ("wash",)
    assert open_points("Next steps:__\n- wash") == ("wash",)
    assert open_points("It is warm. Now, I wash.") == ("Now, I wash.",)
    assert open_points("\t~~~\nNext: no\n\t~~~\nNext:\n- wash") == ("wash",)


def test_what_was_pasted_decides_nothing_and_marks_are_cut_in_order():
    assert decided("x" * (PASTED + 1)) == decided("")
    assert without("<a><b>c", "<", ">") == "c"
    assert without("x>y<z", "<", ">") == "x>y<z"


def test_the_last_session_of_what_is_handed_over():
    fields = dict.fromkeys(Work._fields[: len(Work._fields) - len(Work._defaults)], "")
    work = Work(**{**fields, "id": "i" * 81, "project": "p" * 81})._replace(session="", native="")
    assert _last(work, plainly) == []
    told = _last(work._replace(session="codex/1", native="codex resume 1"), plainly)
    assert told == [
        "Last session: codex/1",
        "To continue it in its own client, on this machine: codex resume 1",
    ]
    assert len(_last(work._replace(session="codex/1"), plainly)) == 1
    assert _first(work, plainly) == (
        f"Continue {'i' * 79}… of the project {'p' * 79}… where it was left off."
    )


def test_a_decision_stands_on_the_line_of_its_first_words():
    read = Checkpoint("x", decisions=(Item(" Use it\nnow "), Item("Twice"), Item("Gone")))
    text = "Use it\nTwice\nTwice"
    assert [one.line for one in of_document(text, read, 0.0, PLAIN)][1:] == [1, 2, 0]
    assert [one.text for one in of_turns([Turn("user", "\n"), Turn("user", "a \n")], PLAIN)] == [
        "a \n"
    ]
    assert [one.text for one in of_page(" \n\n## A\nx", 0.0, PLAIN)] == ["## A\nx"]
