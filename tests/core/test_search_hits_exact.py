"""What a search shows of a hit, and how texts become passages."""

from __future__ import annotations

import pytest

from leftoff.core.model import Checkpoint, Item
from leftoff.core.passages import of_document, of_learnings, of_page, of_turns, unescaped
from leftoff.core.redact import PLAIN
from leftoff.core.search_hits import (
    BEFORE,
    WIDTH,
    Hit,
    Passage,
    Source,
    Wanted,
    cite,
    facts,
    first,
    snippet,
)
from leftoff.core.search_words import query
from leftoff.core.talk import Turn

KEY = query("needle")
SECRET = "ghp_" + "a1B2" * 9


def shown(text, asked=KEY, kind="checkpoint", line=1):
    found = snippet(Passage(kind, text, line=line), asked)
    return found.text, [found.text[mark.start : mark.end] for mark in found.marks], found.line


def test_a_short_text_is_shown_whole_with_its_words_marked():
    assert shown("a needle in\n\ta  Needle stack ") == (
        "a needle in a Needle stack",
        ["needle", "Needle"],
        1,
    )
    assert shown("needle") == ("needle", ["needle"], 1)
    assert shown("nothing here") == ("nothing here", [], 1)


def test_the_words_around_the_first_hit_begin_at_a_word_and_end_with_a_mark():
    text = "word " * 40 + "needle " + "tail " * 60
    found, marks, _ = shown(text)
    assert marks == ["needle"]
    assert found.startswith("…word word")
    assert found.index("needle") == 1 + BEFORE
    assert found.endswith("…")
    assert len(found) == WIDTH + 1 or len(found) == WIDTH + 2


def test_a_snippet_without_a_space_nearby_begins_in_the_middle_of_a_word():
    found, marks, _ = shown("x" * 100 + " needle")
    assert found == "…" + "x" * (BEFORE - 1) + " needle"
    assert marks == ["needle"]


def test_a_hit_far_inside_of_a_long_text_is_found_where_it_is():
    text = "word\n" * 300 + "needle\n" + "tail\n" * 300
    found, marks, line = shown(text)
    assert (marks, line) == (["needle"], 301)
    assert "tail" in found
    assert shown(text, kind="message", line=7)[2] == 7
    assert shown(text, line=0)[2] == 0


def test_a_hit_that_is_longer_than_the_snippet_is_shown_to_its_end():
    long = "n" * (WIDTH + 50)
    found, marks, _ = shown(f"{long} rest", query(long))
    assert (found, marks) == (f"{long}…", [long])


def test_only_marks_inside_of_the_snippet_are_shown():
    found, marks, _ = shown("needle " + "word " * 60 + "needle")
    assert marks == ["needle"]
    assert found.startswith("needle word")


def test_what_a_terminal_would_obey_is_gone_and_marks_stay_where_they_can():
    assert shown("a \x1b[31mneedle")[0] == "a needle"
    assert shown("<leftoff id=x> needle")[0].endswith("needle")


SOURCE = Source("k", "transcript", (), "/r", "p.jsonl", "codex", "s1", "login", 7)


@pytest.mark.parametrize(
    ("source", "line", "name"),
    [
        (SOURCE, 3, "codex/s1:3"),
        (SOURCE, 0, "codex/s1"),
        (SOURCE._replace(form="history"), 3, "#007 login:3"),
        (SOURCE._replace(session=""), 3, "p.jsonl:3"),
    ],
)
def test_a_hit_is_cited_by_its_session_its_number_or_its_file(source, line, name):
    assert cite(Hit(source, Passage("message", "x"), 0), line) == name


def test_a_hit_as_data():
    told = facts(Hit(SOURCE, Passage("message", "a needle", 60.0, 3), 0), KEY)
    assert told == {
        "kind": "message",
        "cite": "codex/s1:3",
        "at": "1970-01-01T00:01:00Z",
        "agent": "codex",
        "session": "s1",
        "thread": "login",
        "number": 7,
        "root": "/r",
        "path": "p.jsonl",
        "line": 3,
        "snippet": "a needle",
        "marks": [[2, 8]],
    }
    bare = facts(Hit(Source("k", "document", ()), Passage("file", "x"), 0), KEY)
    assert [name for name, value in bare.items() if value is None] == [
        *("at", "agent", "session", "thread", "number", "line")
    ]


def test_hits_come_newest_first_then_by_name_and_number():
    def hit(at, key, number):
        return Hit(SOURCE._replace(key=key), Passage("message", "x", at), number)

    expected = [hit(9.0, "b", 1), hit(5.0, "a", 1), hit(5.0, "a", 2), hit(5.0, "b", 0)]
    assert first(expected[::-1], 9) == (*expected,)
    assert first(expected[::-1], 2) == (*expected[:2],)


@pytest.mark.parametrize(
    ("kinds", "since", "counts"),
    [((), 0.0, True), (("file",), 0.0, False), (("message",), 5.0, True), ((), 5.5, False)],
)
def test_a_passage_counts_by_kind_and_age(kinds, since, counts):
    assert Wanted(KEY, kinds, since).counts("message", 5.0) is counts


# Texts cut into passages


def test_turns_become_messages_commands_and_files():
    turns = [
        Turn("user", "hello", 1.0, line=1),
        Turn("agent", " \n", 2.0, line=2),
        Turn("tool", about="make", is_command=True, at=3.0, line=3),
        Turn("tool", about="src/a.py", changes=("src/a.py", "src/b.py"), line=4),
        Turn("agent", f"key {SECRET}", line=5),
    ]
    found = [*of_turns(turns, PLAIN)]
    assert found[:3] == [
        Passage("message", "hello", 1.0, 1),
        Passage("command", "make", 3.0, 3),
        Passage("file", "src/a.py src/b.py", 0.0, 4),
    ]
    assert SECRET not in found[3].text
    assert len(found) == 4


@pytest.mark.parametrize("count", [63, 64, 65, 130])
def test_any_number_of_turns_is_told_in_order(count):
    turns = [Turn("user", f"t{n}", line=n) for n in range(count)]
    assert [one.text for one in of_turns(turns, PLAIN)] == [f"t{n}" for n in range(count)]


def test_a_document_is_a_passage_and_each_decision_is_one():
    text = '\ufeff {\n"a": "\\u00e9\\n\\"x\\" \\/",\n"d": "Use it"}'
    why = {"rationale": "fast", "session": "s", "n": 3, "empty": ""}
    read = Checkpoint("x", created="1970-01-01T00:00:05Z", decisions=(Item("Use it", attrs=why),))
    assert [*of_document(text, read, 9.0, PLAIN)] == [
        Passage("checkpoint", '\ufeff {\n"a": "é "x" /",\n"d": "Use it"}', 5.0, 1),
        Passage("decision", "Use it — fast", 5.0, 3),
    ]
    later = read._replace(
        updated="1970-01-01T00:00:07Z", decisions=(Item("Lost\nline"), Item(" \n"))
    )
    found = [*of_document("# A \\n page", later, 9.0, PLAIN)]
    assert (found[0].text, found[0].at) == ("# A \\n page", 7.0)
    assert [one.line for one in found[1:]] == [0, 0]
    assert [*of_document("text", None, 9.0, PLAIN)] == [Passage("checkpoint", "text", 9.0, 1)]
    assert next(of_document("", Checkpoint("x"), 9.0, PLAIN)).at == 9.0


def test_json_is_read_as_people_read_it():
    assert unescaped("plain") == "plain"
    assert unescaped(r"\ud83d\ude80 \u \t \\ \ud800") == "🚀 u   \\ ?"


def test_a_page_of_history_is_cut_at_its_turns():
    text = "# Head\n\n## User (1970-01-01T00:00:05Z)\nhi\n## Agent\n\n### sub\n## two words\nx"
    assert [*of_page(text, 9.0, PLAIN)] == [
        Passage("history", "# Head\n", 9.0, 1),
        Passage("history", "## User (1970-01-01T00:00:05Z)\nhi", 5.0, 3),
        Passage("history", "## Agent\n\n### sub\n## two words\nx", 9.0, 5),
    ]
    assert [*of_page("\n \n", 9.0, PLAIN)] == []


def test_learnings_are_cut_at_their_headings():
    text = "\ufeff# Learnings\n\n## 1970-01-02 — login\n- one\n\n## someday\n- two\n"
    found = [*of_learnings(text, 9.0, PLAIN)]
    assert [(one.kind, one.at, one.line) for one in found] == [
        ("learning", 86400.0, 3),
        ("learning", 9.0, 6),
    ]
    assert found[0].text == "## 1970-01-02 — login\n- one"


def placed(size: int, **at: int) -> str:
    """A text of this size with words at these places."""
    text = ("ab " * size)[:size]
    for word, place in at.items():
        text = f"{text[: place - 1]} {word} {text[place + len(word) + 1 :]}"
    assert len(text) == size
    return text


@pytest.mark.parametrize(
    ("size", "place", "first"),
    [(790, 700, "pin"), (800, 700, "pin"), (801, 700, "needle"), (1000, 900, "needle")],
)
def test_in_a_long_text_the_longest_word_is_looked_for_first(size, place, first):
    text = placed(size, pin=1, needle=place)
    assert shown(text, query("pin needle"))[1] == [first]


def test_of_a_long_text_the_first_such_place_is_shown():
    text = placed(6000, pin=1, needle=2000) + placed(3000, needle=1500).replace("ab", "cd")
    found = snippet(Passage("checkpoint", text), query("pin needle"))
    assert found.text.index("needle") in range(BEFORE - 3, BEFORE + 3)
    assert (len(found.marks), "ab" in found.text) == (1, True)
    assert shown("needle " + placed(3000, needle=300))[0].startswith("needle ")


def test_lines_are_counted_from_the_very_first_letter():
    assert shown("\n needle")[2] == 2
    assert shown("\nnothing")[2] == 1


def test_what_is_shown_ends_where_the_text_does():
    whole = "needle " + "x" * (WIDTH - 7)
    assert shown(whole) == shown(whole + "   ") == (whole, ["needle"], 1)
    assert shown(whole + "x")[0] == f"{whole}…"
    across = "needle " + "x" * (WIDTH - 11) + " needle"
    assert shown(across) == (across, ["needle", "needle"], 1)
    behind = "needle " + "x" * (WIDTH - 8) + " needle"
    assert shown(behind)[1] == ["needle"]


@pytest.mark.parametrize(("gap", "begins"), [(18, "…yy"), (19, "…xx")])
def test_a_snippet_begins_behind_a_space_if_one_is_near(gap, begins):
    text = "x" * 100 + "x" * gap + " " + "y" * (BEFORE - gap - 2) + " needle"
    assert text.index("needle") == 100 + BEFORE
    assert shown(text)[0].startswith(begins)


def test_marks_are_given_up_where_they_would_let_something_through():
    found, marks, _ = shown("a </leftoff> b", query("leftoff"))
    assert marks == []
    assert "</leftoff>" not in found
    assert found.startswith("a ")
