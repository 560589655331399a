"""Redaction at its borders: where a mask begins and ends, one text or many, a line or a file."""

from __future__ import annotations

import json

import pytest

from leftoff.core.redact import (
    PLAIN,
    Redactor,
    Span,
    _is_of_mask,
    _lower,
    holds_secret,
    mask,
    masked,
    redact,
    redacted,
    redacted_texts,
    spans,
)
from leftoff.core.redact_lines import _is_blob, cleaned
from leftoff.core.redact_own import LONGEST, MOST, SHORTEST, rules
from leftoff.core.redact_setting import Own
from leftoff.core.redact_sieve import holds_key, pivots, suspects
from leftoff.errors import FormatError

KEY = "ghp_" + "a1B2" * 9
MASKED = redact(KEY)
SECRET = "password: hunter2hunter2"
HIDDEN = redact(SECRET)
TEXTS = [
    "plain words alone",
    KEY,
    f"the key {KEY} and more",
    SECRET,
    f"first line\n{SECRET}\nlast line",
    f"{SECRET}\n{KEY}",
    f"{KEY} {KEY}",
    "nothing here\n" * 3,
    f"x\\u0041 \\/ {SECRET}",
    "",
    "密码：hunter2hunter2",
    f"curl -u me:hunter2hunter2 https://x {KEY}",
    "Authorization: Bearer abcdefghij0123456789ABCD",
    "https://me:hunter2hunter2@example.com/x",
]


def test_texts_hold_what_they_should():
    assert MASKED != KEY
    assert MASKED.startswith("[redacted:")
    assert "hunter2" not in HIDDEN
    assert [holds_secret(text) for text in TEXTS].count(True) >= 9


@pytest.mark.parametrize("turn", range(len(TEXTS)))
def test_many_texts_at_once_are_redacted_as_each_is(turn):
    texts = TEXTS[turn:] + TEXTS[:turn]
    assert redacted_texts(texts) == [redact(text) for text in texts]
    assert redacted_texts(texts[:1]) == [redact(texts[0])]


def test_a_value_is_redacted_in_its_place():
    value = {"a": (KEY, 1), "b": [SECRET, None], KEY: "x"}
    assert redacted(value) == {"a": (MASKED, 1), "b": [HIDDEN, None], KEY: "x"}
    same = {"a": "plain"}
    assert redacted(same) is same


def test_spans_that_overlap_are_one_and_those_that_touch_are_two():
    extra = tuple(rules(Own(words=("abcdef", "defghi", "ghijkl"))))
    by = Redactor(extra=extra)
    assert [(span.start, span.end) for span in spans("x abcdefghi y", by)] == [(2, 11)]
    assert [(span.start, span.end) for span in spans("x abcdefghijkl y", by)] == [(2, 14)]
    touching = Redactor(extra=tuple(rules(Own(words=("abcdef", "uvwxyz")))))
    assert [(span.start, span.end) for span in spans("abcdefuvwxyz", touching)] == [(0, 6), (6, 12)]
    inner = Redactor(extra=tuple(rules(Own(words=("abcdefgh", "bcdef")))))
    assert [(span.start, span.end) for span in spans("abcdefgh", inner)] == [(0, 8)]


def test_a_mask_names_its_kind_and_with_a_key_which_secret_it_was():
    assert mask("k", "s") == "[redacted:k]"
    long = b"x" * 64
    assert mask("k", "s", long) == mask("k", "s", long + b"y")
    assert mask("k", "s", long) != mask("k", "s", b"x" * 63)
    assert mask("k", "s", long) != mask("k", "t", long)
    assert masked("abcdef", [Span(1, 2, "k"), Span(4, 5, "k")]) == "a[redacted:k]cd[redacted:k]f"
    assert masked("abc", []) == "abc"


@pytest.mark.parametrize(
    ("text", "at", "own"),
    [
        ("[redacted:secret]: x", 10, True),
        ("[redacted:api-key:ab12]", 10, True),
        ("[redacted:]", 10, False),
        ("[redacted:a b]", 10, False),
        ("secret]", 0, False),
        ("x redacted:secret]", 11, False),
        ("[redacted:" + "x" * 500 + "]", 10, False),
        ("[redacted:secret] and ]", 10, True),
    ],
)
def test_a_word_of_a_mask_is_no_secret(text, at, own):
    assert _is_of_mask(text, at) is own


def test_lower_case_keeps_every_character_in_its_place():
    assert _lower("ABC") == "abc"
    assert _lower("İA") == "ia"
    assert len(_lower("Aİİ")) == 3


@pytest.mark.parametrize("before", ["", "x\n", "a b\nc\n"])
@pytest.mark.parametrize("after", ["", "\n", "\nplain\n", "\nplain\nmore"])
def test_the_lines_that_may_hold_something_are_found_wherever_they_stand(before, after):
    for text in (SECRET, f"word {KEY}", "密码：hunter2hunter2", "a \\u0041", "a \\/ b"):
        data = f"{before}{text}{after}".encode()
        assert suspects(data, PLAIN) == [len(before)]
        twice = f"{before}{text} {text}\n{text}{after}".encode()
        second = len(f"{before}{text} {text}\n".encode())
        assert suspects(twice, PLAIN) == [len(before), second]


def test_escapes_that_need_none_make_a_line_suspect_and_others_do_not():
    for text in ("\\u0019", "\\\\/", "a/b", "\\u00e9"):
        assert suspects(text.encode(), PLAIN) == []
    assert suspects(b"\\u0041", PLAIN) == [0]
    assert suspects(b"\\/", PLAIN) == [0]
    assert suspects(b"x\\u00e9 \\u0041", PLAIN) == [0]
    assert suspects(b"x\\\\/ \\/", PLAIN) == [0]


def test_own_words_are_looked_for_in_every_line():
    by = Redactor(extra=rules(Own(words=("projectx",))))
    assert suspects(b"projectx\nno\nPROJECTX projectx\nx projectx", by) == [0, 12, 30]
    assert pivots('ab"cdef') == (b"cdef",)
    assert pivots("\u5bc6") == ("\u5bc6".encode(), b"\\u5bc6")
    assert holds_key(f"x {KEY}".encode())
    assert not holds_key(b"x" * 99)


# Lines and files


def clean(text):
    found = cleaned(text.encode())
    return found.data.decode(), found.changed, found.dropped


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_line_of_json_is_redacted_in_its_values_and_stays_one(end):
    line = json.dumps({"a": SECRET, "n": 1}, separators=(",", ":"))
    wanted = json.dumps({"a": HIDDEN, "n": 1}, separators=(",", ":"))
    assert clean(line + end) == (wanted + end, 1, 0)
    assert clean(f"{line} {end}") == (f"{wanted} {end}", 1, 0)
    assert clean(f'{{"x":1}}\n{line}\n{{"y":2}}\n{line}{end}') == (
        f'{{"x":1}}\n{wanted}\n{{"y":2}}\n{wanted}{end}',
        2,
        0,
    )
    assert clean(f'{{"x":1}}{end}') == (f'{{"x":1}}{end}', 0, 0)


def test_a_document_over_many_lines_is_redacted_as_one():
    text = json.dumps({"a": [SECRET], "b": {"c": 1}}, indent=2)
    wanted = json.dumps({"a": [HIDDEN], "b": {"c": 1}}, indent=2)
    assert clean(text + "\n") == (wanted + "\n", 1, 0)
    harmless = json.dumps({"a": "password"}, indent=2)
    assert clean(harmless) == (harmless, 0, 0)


def test_plain_lines_are_redacted_and_objects_around_them_stay():
    assert clean(f"x\n{SECRET}\ny\n") == (f"x\n{HIDDEN}\ny\n", 1, 0)
    assert clean(f'{{"x":1}}\n{SECRET}\nmore\n{{"y":1}}\n') == (
        f'{{"x":1}}\n{HIDDEN}\nmore\n{{"y":1}}\n',
        1,
        0,
    )
    key = "-----BEGIN PRIVATE KEY-----\n" + "A1b2" * 16 + "\n-----END PRIVATE KEY-----"
    told, changed, _ = clean(f'{{"x":1}}\nhead\n{key}\ntail\n{{"y":1}}')
    assert "A1b2" not in told
    assert told.startswith('{"x":1}\nhead\n')
    assert told.endswith('\ntail\n{"y":1}')
    assert changed == 1


def test_what_a_key_names_is_a_secret_and_what_it_does_not_is_none():
    def value(given):
        return json.loads(clean(json.dumps(given))[0])

    assert value({"password": "hunter2hunter2"}) == {"password": "[redacted:secret]"}
    assert value({"password": "abcde"}) == {"password": "abcde"}
    assert value({"name": "API_TOKEN", "value": "hunter2hunter2"})["value"] == "[redacted:secret]"
    assert value({"name": "colour", "value": "hunter2hunter2"})["value"] == "hunter2hunter2"
    assert value({"other": "API_TOKEN", "value": "hunter2hunter2"})["value"] == "hunter2hunter2"
    assert "hunter2" not in json.dumps(value({"Cookie": "session=hunter2hunter2hunter2; a=b"}))
    told = value({"Authorization": "Bearer abcdefghij0123456789ABCD"})["Authorization"]
    assert "abcdefghij" not in told
    assert not told.startswith("Authorization")


@pytest.mark.parametrize(
    ("text", "blob"),
    [
        *(("A" * 64, True), ("A" * 63, False), ("A" * 64 + " ", False), (" " + "A" * 64, False)),
        *(("data:x;base64," + "A" * 64, True), ("data:x;base64," + "A" * 63, False)),
        *(("data:;base64,;base64," + "A" * 64, False), ("A b" * 30, False)),
    ],
)
def test_a_file_in_letters_is_known_by_its_length_and_letters(text, blob):
    assert _is_blob(text) is blob


def test_half_a_character_that_only_an_escape_can_spell_stays_one():
    told, changed, _ = clean('{"a":"\\ud800 ' + SECRET + '"}\n')
    assert changed == 1
    assert "\\ud800" in told
    assert told.endswith("}\n")


def test_own_words_and_patterns_have_bounds():
    assert rules(Own(words=("x" * SHORTEST, "x" * LONGEST)))
    for word in ("x" * (SHORTEST - 1), "x" * (LONGEST + 1)):
        with pytest.raises(FormatError):
            rules(Own(words=(word,)))
    assert rules(Own(patterns=("a" * LONGEST,)))
    with pytest.raises(FormatError) as found:
        rules(Own(patterns=("b" * (LONGEST + 1),)))
    assert f'"{"b" * 40}"' in str(found.value)
    for bad in (f"EMP-[0-9]{{2,{MOST + 1}}}", "EMP-[0-9]{3,2}", "EMP-[z-a]", "EMP-(x)"):
        with pytest.raises(FormatError):
            rules(Own(patterns=(bad,)))


@pytest.mark.parametrize(
    ("pattern", "text", "hit"),
    [
        ("EMP-[0-9]{2,3}", "x EMP-123 y", True),
        ("EMP-[0-9]{2,2}", "x EMP-12 y", True),
        ("EMP-[0-9]{2}", "x EMP-1 y", False),
        ("EMP-[0-9]", "x EMP-1 y", True),
        (f"EMP-[0-9]{{1,{MOST}}}", "x EMP-1 y", True),
        ("EMP-[0-9]-x", "EMP-1-x", True),
        ("EMP-[0-9]-x", "EMP-1-y", False),
        ("emp-x", "emp-x", True),
    ],
)
def test_a_pattern_of_one_s_own_finds_what_it_says(pattern, text, hit):
    assert bool(spans(text, Redactor(extra=rules(Own(patterns=(pattern,)))))) is hit
