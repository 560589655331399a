"""What a summary lost, and what a search looks for: words at their borders."""

from __future__ import annotations

import pytest

from leftoff.commands import plainly
from leftoff.core import loss, search_words
from leftoff.core.search_words import Query, Spot, Term, matcher, query, spots
from leftoff.errors import Usage


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        *(("Policies", "policy"), ("running", "run"), ("stopped", "stop"), ("boxes", "box")),
        *(("keys", "key"), ("wrote", "writ"), ("writes", "writ"), ("uses", "use"), ("tees", "tee")),
        *(("bed", "bed"), ("need", "need"), ("agree", "agre"), ("all", "all"), ("ball", "bal")),
        *(
            ("made", "mak"),
            ("v2s", "v2s"),
            ("écrites", "écrites"),
            ("ties", "tie"),
            ("sing", "sing"),
        ),
    ],
)
def test_a_word_loses_what_english_adds_to_it(word, stem):
    assert loss._stem(word) == stem


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a-b c2", ["a", "b", "c2"]),
        ("甲乙x", ["甲", "乙", "x"]),
        ("\u3040\u9fff", ["\u3040", "\u9fff"]),
        ("\uac00\ud7a3", ["\uac00", "\ud7a3"]),
        *((f"{ch}x", [ch, "x"]) for ch in "\u3040\u9fff\uac00\ud7a3"),
        *((f"{ch}x", [f"{ch}x"]) for ch in "\u303b\ua000\ud7b0"),
        ("\ua000\ua001", ["\ua000\ua001"]),
    ],
)
def test_every_character_of_a_script_without_spaces_is_a_word(text, words):
    assert loss._words(text) == words


def test_words_that_tell_and_names_weigh_more():
    assert loss._weights("Use the RS256 key in it, 的 甲") == {"rs256": 2, "key": 1, "甲": 1}
    assert loss._weights("of it") == {"of": 1, "it": 1}


def test_a_statement_is_kept_where_enough_of_it_stands_together():
    said = loss.heard("Alpha beta. Gamma delta. Other words. Epsilon zeta.")
    assert said.states("alpha beta gamma delta")
    assert said.states("beta alpha; gamma")
    assert not said.states("alpha zeta epsilon beta")
    assert not said.states("alpha beta epsilon")
    assert loss.heard("").states("...")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        *(("a.py first", True), ("see src/a.py", True), ("see ba.py", False), ("x-a.py", False)),
        *(("x_a.py, and a.py", True), (".a.py", False), ("ba.pya.py", False), ("", False)),
        ("A.PY", True),
    ],
)
def test_a_file_is_named_by_its_whole_name(text, named):
    assert loss.heard(text).names("src/A.py") is named


def test_a_command_is_quoted_as_it_is():
    assert loss.heard("run  make\ntest now").quotes("Make  test")
    assert not loss.heard("make the test").quotes("make test")


def test_empty_entries_are_not_known_and_sentences_have_words():
    assert loss._few([" ", "", "a", "a", "b "]) == ("a", "b")
    assert loss._few(map(str, range(30))) == tuple(map(str, range(loss.MOST)))
    assert loss._sentences("One. Two!\n \nThree; four？五") == [
        "One.",
        "Two!",
        "Three;",
        "four？",
        "五",
    ]


def test_as_much_is_told_as_there_is_room_for_to_the_byte():
    lost = loss.Known(decisions=("first", "second"), paths=("é",))
    whole = ["Decisions:", "- first", "- second", "Paths:", "- é"]
    size = sum(len(line.encode()) + 1 for line in whole)
    assert loss.lines(lost, size, "show", plainly) == whole
    assert loss.lines(lost, size - 1, "show", plainly) == [*whole[:3]]
    assert loss.lines(lost, 10_000, "show", plainly) == whole
    decided = loss.Known(decisions=("first", "second and much longer than the rest"))
    assert loss.lines(decided, 40, "show", plainly) == ["Decisions:", "- first", "- 1 more: show"]
    assert loss.lines(decided, 5, "show", plainly) == []


# Searching


def test_a_query_is_as_long_as_it_may_be():
    assert query("x" * search_words.LONGEST).wanted
    with pytest.raises(Usage):
        query("x" * (search_words.LONGEST + 1))


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ('a "b c" d "e f"', [("a",), ("b", "c"), ("d",), ("e", "f")]),
        ('"b c', [("b", "c")]),
        ('x"b c"y', [("x",), ("b", "c"), ("y",)]),
        ('"" a', [("a",)]),
        ("a a", [("a",)]),
        ("--force a", [("force",), ("a",)]),
        ("甲乙丙", [("甲乙", "乙丙")]),
    ],
)
def test_words_and_phrases_of_a_query(text, terms):
    assert [term.words for term in query(text).wanted] == terms


def test_what_is_unwanted_and_what_may_go_on():
    assert query('a -b -"c d" e*').terms == (
        Term(("a",)),
        Term(("b",), unwanted=True),
        Term(("c", "d"), unwanted=True),
        Term(("e",), open=True),
    )
    assert query("甲").terms == (Term(("甲",), open=True),)
    assert query("甲乙*").terms == (Term(("甲乙", "乙"), open=True),)
    assert query("a甲").terms == (Term(("a", "甲"), open=True),)
    assert query("b").terms == (Term(("b",)),)


@pytest.mark.parametrize(
    ("text", "asked", "marks"),
    [
        ("one two one", "one", [(0, 3), (8, 11)]),
        ("one two", "one two", [(0, 3), (4, 7)]),
        ("甲乙丙丁", "甲乙 乙丙", [(0, 3)]),
        ("甲乙丙", "甲", [(0, 1)]),
        ("甲乙丙", "甲乙丙", [(0, 3)]),
        ("甲乙丙丁戊", "乙丙丁 丙丁", [(1, 4)]),
        ("toolbox tool", "tool*", [(0, 7), (8, 12)]),
        ("a b c", '"b c"', [(2, 5)]),
    ],
)
def test_what_was_found_is_marked_and_what_touches_is_one(text, asked, marks):
    assert spots(text, query(asked)) == [Spot(*mark) for mark in marks]


def test_spots_that_overlap_or_touch_become_one():
    given = [Spot(5, 9), Spot(0, 3), Spot(1, 2), Spot(3, 4), Spot(20, 30), Spot(22, 25)]
    assert search_words._together(given) == [Spot(0, 4), Spot(5, 9), Spot(20, 30)]


def test_a_text_fits_with_all_that_is_wanted_and_none_that_is_not():
    asked = matcher(query("alpha be -gamma"))
    assert asked.parts == ("alpha", "be")
    assert asked.fits("be alpha")
    assert not asked.fits("alphabet be")
    assert not asked.fits("alpha bee")
    assert not asked.fits("alpha be gamma")
    assert matcher(query("bb aa")).parts == ("aa", "bb")
    assert not matcher(Query((Term(("a", "b")), Term(("c",))))).fits("a b cc")


@pytest.mark.parametrize("made", [False, True])
@pytest.mark.parametrize("size", [1, search_words._SHORT, search_words._SHORT + 1])
def test_a_loop_and_the_patterns_part_a_text_alike(made, size, monkeypatch):
    monkeypatch.setattr(search_words, "_made", [])
    if made:
        search_words._patterns()
    text = ("\uff21\uff5a \u3005甲乙 ab-2_c é " * size)[:size]
    runs = [*search_words._runs(text)]
    assert [text[start:end] for start, end, _ in runs[:2]] in (
        [["\uff21"]] if size == 1 else [["\uff21\uff5a", "\u3005甲乙"]]
    )
    assert search_words._has_wide(text) is True
    assert bool(search_words._made) is (made or size > search_words._SHORT)


@pytest.mark.parametrize("first_last", search_words._PAIRED)
def test_a_script_in_pairs_reaches_from_its_first_to_its_last_character(first_last):
    first, last = first_last
    assert search_words._is_paired(chr(first))
    assert search_words._is_paired(chr(last))


@pytest.mark.parametrize("first_last", search_words._WIDE)
def test_wide_characters_reach_from_the_first_to_the_last(first_last, monkeypatch):
    monkeypatch.setattr(search_words, "_made", [])
    assert all(map(search_words._has_wide, first_last))
    assert not search_words._has_wide("é")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        *(("see src/a.py", True), ("a.py, then xa.py", True), ("xa.py", False), ("", False)),
        *(("xa.py a.py ya.py", True), ("-a.py _a.py .a.py", False), ("(A.PY)", True)),
    ],
)
def test_a_file_is_named_where_its_whole_name_stands_wherever_that_is(text, named):
    assert loss.heard(text).names("lib/a.py") is named
