"""Rules of a user or a project: they add, they cannot run away, and e-mail and phone are a choice."""

from __future__ import annotations

import json
import re
from re._parser import parse  # type: ignore[import-not-found]

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leftoff.core import redact as redacting
from leftoff.core.redact import Redactor, redact, spans
from leftoff.core.redact_lines import cleaned
from leftoff.core.redact_own import EMAIL, rules
from leftoff.core.redact_setting import Own
from leftoff.errors import FormatError
from redaction_texts import without_end

WORDS = ("Project Orion", "银河", 'say "x"', "a/b&c")
PATTERNS = ("ACME-[0-9A-F]{8,16}", "cust_\\d{4}-\\w{2,4}!", "emp.[a-z]{3}")
BY = Redactor(b"", rules(Own(WORDS, PATTERNS)))
BOTH = Redactor(b"", rules(Own(email=True, phone=True)))


@pytest.mark.parametrize(
    "text", [*WORDS, "project orion", "ACME-0123ABCD", "cust_1234-ab!", "emp.xyz"]
)
def test_words_and_patterns_are_redacted_in_texts_and_in_lines(text):
    assert redact(f"see {text} there", BY) == "see [redacted:own] there"
    assert redact(f"see {text} there") == f"see {text} there"
    for escaped in (True, False):
        data = json.dumps({"a": [f"see {text} there"]}, ensure_ascii=escaped).encode()
        assert json.loads(cleaned(data, BY).data) == {"a": ["see [redacted:own] there"]}


def test_what_does_not_fit_a_pattern_stays():
    for text in ("ACME-xyz", "acme-0123ABCD", "cust_12-ab!", "empxxyz"):
        assert redact(text, BY) == text


def test_what_patterns_may_match_is_bounded_all_together():
    """Else 21 parts of 1,000 in each of 1,000 patterns could be tried at each letter of a text."""
    rules(Own(patterns=("ACME-[a-z]{1,500}[0-9]{500}",) * 200))
    with pytest.raises(FormatError, match="may match 1001 characters"):
        rules(Own(patterns=("ACME-[a-z]{1,500}[0-9]{500}\\d",)))
    with pytest.raises(FormatError, match="201 patterns"):
        rules(Own(patterns=("ACME-\\d",) * 201))


@pytest.mark.parametrize(
    "pattern",
    [
        *(
            "AC",
            "[a-z]{3}",
            "ACME-(a|b)",
            "ACME-.*",
            "ACME-[a-z]+",
            "ACME-[a-z]{5,2}",
            "ACME-[z-a]",
        ),
        *("ACME-[^a]{3}", "ACME-[a-z]{1,9999}", "ACME-\\s", "ACME-{3}", "ACME-[a", "x" * 300),
    ],
)
def test_a_pattern_that_is_more_than_bounded_classes_is_refused(pattern):
    with pytest.raises(FormatError, match=re.escape(pattern[:20])):
        rules(Own(patterns=(pattern,)))


@pytest.mark.parametrize("word", ["", "ab", "x" * 201])
def test_a_word_that_would_stand_everywhere_or_is_a_text_is_refused(word):
    with pytest.raises(FormatError, match="must have 3 to 200 bytes"):
        rules(Own((word,)))


@given(st.text("AB-[]{}0123456789,az\\dw+*?|()", max_size=30))
def test_whatever_is_accepted_never_goes_back(tail):
    try:
        (rule,) = rules(Own(patterns=("KEY" + tail,)))
    except FormatError:
        return
    assert not without_end(parse(rule.pattern))
    assert rule.pattern.count("}") == rule.pattern.count("}+") + rule.pattern.count(r"\}")


def test_ids_by_which_lines_find_each_other_are_left_alone_by_such_rules():
    data = json.dumps({"uuid": "x-project orion", "text": "Project Orion"}).encode()
    assert json.loads(cleaned(data, BY).data) == {
        "uuid": "x-project orion",
        "text": "[redacted:own]",
    }


def test_addresses_and_phone_numbers_are_redacted_on_request_only():
    text = "mail ada.l+x@example.co.uk or call +49 (30) 123-4567, 13812345678; not a@b, 2026, 1.38"
    wanted = "mail [redacted:email] or call [redacted:phone], [redacted:phone]; not a@b, 2026, 1.38"
    assert redact(text) == text
    assert redact(text, BOTH) == wanted
    assert json.loads(cleaned(json.dumps([text]).encode(), BOTH).data) == [wanted]


@pytest.mark.parametrize("between", [", ", "; copied to ", " " * 70, " and\n"])
def test_every_address_of_a_text_is_redacted_however_near_they_stand(between):
    text = between.join(["ann@x.example", "bob@y.example", "<cy@z.example>"])
    wanted = between.join(["[redacted:email]", "[redacted:email]", "<[redacted:email]>"])
    assert redact(text, BOTH) == wanted


def test_two_addresses_in_one_word_are_no_two():
    assert redact("ann@x.example@y.example", BOTH) == "[redacted:email]@y.example"


def test_a_pattern_is_found_where_its_beginning_comes_twice_in_itself():
    by = Redactor(extra=rules(Own(patterns=("===[0-9]{4}",))))
    assert redact("====1234", by) == "=[redacted:own]"
    assert redact("===1234===5678", by) == "[redacted:own][redacted:own]"


def test_of_a_word_that_is_refused_its_beginning_is_shown():
    with pytest.raises(FormatError, match=rf'"{"b" * 40}"'):
        rules(Own(("b" * 201,)))


def test_a_word_over_many_lines_is_found_in_plain_text_and_objects_around_stay():
    word = "alpha\nbeta\nomega-9"
    by = Redactor(extra=rules(Own((word,))))
    for before in ("", "one\ntwo\n", '{"x":1}\n', 'one\n{"x":1}\n', '{"x":1}\none\n\n'):
        for after in ("", "\n", "\nmore\nlines\n", '\n{"y":1}\n', '\nmore\n{"y":1}\nmore'):
            said = cleaned(f"{before}{word}{after}".encode(), by)
            assert said.data.decode() == f"{before}[redacted:own]{after}"
    twice = f'{word}\n{{"x":1}}\n{word}\n{{"text":"alpha\\nbeta\\nomega-9"}}\n{word}\n'
    wanted = '[redacted:own]\n{"x":1}\n[redacted:own]\n{"text":"[redacted:own]"}\n[redacted:own]\n'
    assert cleaned(twice.encode(), by).data.decode() == wanted


def test_no_line_of_json_is_changed_outside_its_strings():
    """Not even by a word that would begin in it and end in the next line."""
    by = Redactor(extra=rules(Own(("}\nomega-9",))))
    for before in ("", "one\n", '{"a":1}\n', 'one\n{"a":1}\n', '{"a":1}\none\n{"b":2}\n'):
        data = f'{before}{{"x":1}}\nomega-9\n'.encode()
        assert cleaned(data, by).data == data
    assert cleaned(b"x}\nomega-9\n", by).data == b"x[redacted:own]\n"


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("@" * 5000, []),
        ("a@" * 5000, range(0, 10_000, 2)),
        ("x" * 5000 + "@x.example", [5000 - 64]),
        (" ann@x.example and " + "@" * 5000, [1]),
        ("ann@x.example@y.example", [0]),
    ],
)
def test_at_a_sign_an_address_is_tried_once_where_it_would_begin(text, starts, monkeypatch):
    tries = []

    class Pattern:
        def match(self, text: str, start: int) -> re.Match[str] | None:
            tries.append(start)
            return re.compile(EMAIL.pattern, re.ASCII).match(text, start)

    monkeypatch.setitem(redacting._made, EMAIL.pattern, Pattern())
    redact(text, Redactor(extra=(EMAIL,)))
    assert tries == [*starts]


@given(st.text("a9@. -[é", max_size=40))
def test_addresses_are_those_that_the_pattern_finds_in_the_whole_text(text):
    found = [one.span() for one in re.finditer(EMAIL.pattern, text, re.ASCII)]
    assert [(one.start, one.end) for one in spans(text, Redactor(extra=(EMAIL,)))] == found
