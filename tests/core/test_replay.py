"""Blocked prompts: every answer in every case."""

from __future__ import annotations

import pytest

from leftoff.core.replay import FOREIGN, NONE, OWN, Entry, Held, replay

PLAIN = Held("/m/plain.txt", "s1", (Entry("legacy", "run the\ntests\n"),), plain=True)
ENTRIES = (
    Entry("2026-01-02T10:00:00Z", "second"),
    Entry("2026-01-01T10:00:00Z", "first"),
    Entry("legacy", "oldest"),
)
MANY = Held("/m/many.txt", "s1", ENTRIES)
FILE = {"plain": PLAIN, "many": MANY}


def answered(form, whose, *answers, edited=None):
    """(texts that are given back, whether the file goes, whether it is asked)."""
    held = [FILE[form]]
    own, foreign = (held, []) if whose == OWN else ([], held)
    done = replay(own, foreign, answers, edited)
    assert done.case == whose
    return list(done.emit), bool(done.trash), done.ask


NOTHING, GONE, ASKS, STAYS = [], True, True, False


@pytest.mark.req(
    "C.prompt.legacy-y",
    "C.prompt.legacy-n",
    "C.prompt.all",
    "C.prompt.numbers",
    "C.prompt.edit-n",
    "C.prompt.discard",
    "C.prompt.invalid",
    "C.prompt.foreign-legacy",
    "C.prompt.foreign-delete",
    "C.prompt.foreign-list",
    "C.clean.prompt-record",
    "C.clean.foreign-stays",
)
@pytest.mark.parametrize("whose", [OWN, FOREIGN])
@pytest.mark.parametrize(
    ("form", "answers", "expected"),
    [
        ("plain", (), (NOTHING, STAYS, ASKS)),
        ("plain", ("y",), (["run the\ntests\n"], "own", False)),
        ("plain", (" Y ",), (["run the\ntests\n"], "own", False)),
        ("plain", ("n",), (NOTHING, "own", False)),
        ("plain", ("all",), (NOTHING, STAYS, ASKS)),
        ("plain", ("1",), (NOTHING, STAYS, ASKS)),
        ("plain", ("zz", "y"), (["run the\ntests\n"], "own", False)),
        ("plain", ("zz", "0"), (NOTHING, "own", False)),
        ("many", (), (NOTHING, STAYS, ASKS)),
        ("many", ("all",), (["oldest", "first", "second"], "own", False)),
        ("many", ("2",), (["first"], "own", False)),
        ("many", ("3,1",), (["second", "oldest"], "own", False)),
        ("many", ("1, 1 ,2",), (["second", "first"], "own", False)),
        ("many", ("1,9",), (NOTHING, STAYS, ASKS)),
        ("many", ("0",), (NOTHING, STAYS, ASKS)),
        ("many", ("y",), (NOTHING, STAYS, ASKS)),
        ("many", ("edit",), (NOTHING, STAYS, ASKS)),
        ("many", ("edit 9",), (NOTHING, STAYS, ASKS)),
        ("many", ("edit 1,2",), (NOTHING, STAYS, ASKS)),
        ("many", ("",), (NOTHING, STAYS, ASKS)),
        ("many", ("none",), (NOTHING, "own", False)),
        ("many", ("n",), (NOTHING, "own", False)),
        ("many", ("zz", "0"), (NOTHING, "own", False)),
        ("many", ("zz", "2"), (["first"], "own", False)),
        ("many", ("1,9", "zz", "all"), (NOTHING, "own", False)),
    ],
)
def test_every_answer_in_every_case(whose, form, answers, expected):
    emitted, goes, asks = expected
    gone = whose == OWN if goes == "own" else goes
    assert answered(form, whose, *answers) == (emitted, gone, asks)


@pytest.mark.parametrize(
    ("form", "answer", "number"), [("plain", "edit", 1), ("many", "edit 2", 2)]
)
def test_an_edited_version_is_waited_for_and_given_back_instead(form, answer, number):
    held = FILE[form]
    waits = replay([held], [], [answer])
    assert (waits.editing, waits.emit, waits.trash, waits.ask) == (number, (), (), False)
    assert answered(form, OWN, answer, edited="better\n") == (["better\n"], GONE, False)


def test_a_foreign_list_takes_edit_and_a_foreign_single_prompt_does_not():
    assert answered("many", FOREIGN, "edit 3", edited="x") == (["x"], STAYS, False)
    assert answered("plain", FOREIGN, "edit", edited="x") == (NOTHING, STAYS, ASKS)


@pytest.mark.parametrize("form", ["plain", "many"])
def test_delete_is_for_what_others_left(form):
    assert answered(form, FOREIGN, "delete") == (NOTHING, GONE, False)
    assert answered(form, OWN, "delete") == (NOTHING, STAYS, ASKS)


@pytest.mark.req("C.prompt.none")
def test_without_prompts_there_is_nothing_to_say():
    for empty in ([], [MANY._replace(entries=())]):
        assert replay(empty, []).case == NONE
        assert not replay([], empty, ["all"]).ask


@pytest.mark.req("C.prompt.own-first")
def test_own_prompts_hide_those_of_others():
    done = replay([PLAIN], [MANY], ["y"])
    assert (done.case, done.emit, done.trash) == (OWN, ("run the\ntests\n",), (PLAIN.record,))
    assert done.foreign == ()


def test_prompts_of_several_sessions_are_one_list_and_go_together():
    done = replay([], [MANY, PLAIN], ["4"])
    assert done.emit == ("run the\ntests\n",)
    assert done.foreign == ("s1", "s1")
    assert replay([], [MANY, PLAIN], ["delete"]).trash == (MANY.record, PLAIN.record)


def test_a_notice_of_the_client_is_replayed_only_by_its_number():
    entries = (
        Entry("2026-01-01T10:00:00Z", "typed"),
        Entry("2026-01-01T11:00:00Z", "noise", False),
    )
    held = MANY._replace(entries=entries)
    assert replay([held], [], ["all"]).emit == ("typed",)
    assert replay([held], [], ["2"]).emit == ("noise",)


@pytest.mark.parametrize(
    ("whose", "form", "words"),
    [
        (OWN, "plain", "y / n / edit"),
        (FOREIGN, "plain", "y / n / delete"),
        (OWN, "many", "all / 1 / 2 / 1,3 / edit 1 / none"),
        (FOREIGN, "many", "all / 1 / 2 / 1,3 / edit 1 / none / delete"),
    ],
)
def test_the_question_names_the_answers_that_make_sense(whose, form, words):
    held = [FILE[form]]
    own, foreign = (held, []) if whose == OWN else ([], held)
    assert " / ".join(replay(own, foreign).words) == words
