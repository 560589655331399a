"""The redactor: what it takes out, what it leaves, and that the quick look misses nothing."""

from __future__ import annotations

import re
from re._parser import parse  # type: ignore[import-not-found]

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leftoff.core import redact as redacting
from leftoff.core import redact_sieve
from leftoff.core.model import Checkpoint, Item
from leftoff.core.redact import Span, redact, redacted, spans
from leftoff.core.redact_rules import RULES
from redaction_corpus import corpus
from redaction_texts import ALNUM, HEX, PLAIN, SECRETS, texts, without_end


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_taken_out_and_the_text_around_it_stays(name: str):
    text = f"before {SECRETS[name]} after" if "cut off" not in name else f"before {SECRETS[name]}"
    said = redact(text)
    assert "[redacted:" in said
    assert said.startswith("before ")
    assert "cut off" in name or said.endswith(" after")
    parts = ("hunter22", "pa55word", "correct horse", "dXNlcj", "MIIEp", "b3Blbn", "q1w2e3")
    for part in (*parts, ALNUM, HEX[:32]):
        assert part not in said


@pytest.mark.parametrize("text", PLAIN)
def test_what_only_looks_odd_stays(text: str):
    assert redact(text) == text


def test_what_names_the_secret_is_kept():
    assert redact(SECRETS["env"]) == "DATABASE_PASSWORD=[redacted:secret]"
    assert redact(SECRETS["dsn"]) == "postgres://shop:[redacted:password]@db.example/shop"


@pytest.mark.parametrize("text", [*SECRETS.values(), *PLAIN])
def test_a_redacted_text_has_nothing_more_to_redact(text: str):
    assert redact(redact(text)) == redact(text)


def test_a_mask_is_no_name_of_a_secret():
    text = 'password: [redacted:secret]:"2!!!!!!!! token=[redacted:aws:0f0f0f]: and more words here'
    assert redact(text) == text
    assert "hunter22" not in redact("[redacted:password=hunter22hunter22")


def test_every_text_of_a_value_is_redacted_and_nothing_else_changes():
    item = Item(f"Call with {SECRETS['github']}", attrs={"note": SECRETS["env"], "n": 3})
    before = Checkpoint("chk", summary="Fine.", decisions=(item, Item("Use RS256")))
    after = redacted(before)
    assert isinstance(after, Checkpoint)
    assert after.decisions[0].text == "Call with [redacted:github]"
    assert after.decisions[0].attrs == {"note": "DATABASE_PASSWORD=[redacted:secret]", "n": 3}
    assert after.decisions[1] is not None
    assert after._replace(decisions=()) == before._replace(decisions=())


def test_a_value_without_secrets_is_the_same_value():
    before = Checkpoint("chk", summary="The timer is found.")
    assert redacted(before) is before


def _reference(text: str) -> list[tuple[int, int]]:
    """What the rules find in a text by themselves, when nobody looks for literals first."""
    found = (m for rule in RULES for m in re.finditer(rule.pattern, text, flags=re.ASCII))
    return [(match.end(1), match.end()) for match in found]


@given(texts)
def test_whatever_the_rules_find_by_themselves_the_quick_way_covers(text: str):
    covered = {at for span in spans(text) for at in range(span.start, span.end)}
    for start, end in _reference(text):
        assert set(range(start, end)) <= covered


@given(st.data(), st.sampled_from([rule for rule in RULES if rule.keys or rule.run]), texts)
def test_whatever_a_provider_s_rule_can_make_the_quick_way_covers(data, rule, before):
    # the quick way looks for its keys in long words alone, each by a part of the pattern
    made = data.draw(st.from_regex(re.compile(rule.pattern, re.ASCII), fullmatch=True))
    text = f"{before} {made}"
    covered = {at for span in spans(text) for at in range(span.start, span.end)}
    for start, end in _reference(text):
        assert set(range(start, end)) <= covered


@pytest.mark.parametrize("rule", RULES[1:], ids=lambda rule: rule.kind)
def test_no_try_looks_further_than_a_secret_is_long(rule):
    # so that a text which nearly matches everywhere takes no more than its length times that
    assert not without_end(parse(rule.pattern))


def test_a_private_key_may_be_as_long_as_the_text_because_it_then_takes_all_of_it():
    begin = SECRETS["pem cut off"].partition("\n")[0]
    assert spans(begin * 5) == [Span(0, len(begin) * 5, "private-key")]


@given(st.text(max_size=200))
def test_any_text_can_be_redacted(text: str):
    assert isinstance(redact(text), str)


ENDS = ("secret", "token", "PASSWORD", "passwd", "passphrase", "pass", "PWD", "credentials", "key")
names = st.tuples(
    st.sampled_from(["", "api_", "API_", "db-", "--", "--api-", "private ", "_", "client.", "x"]),
    st.sampled_from(ENDS),
    st.sampled_from(["", "_1", "-value", "_PRODUCTION", "_base64", "old", "12", "izer"]),
).map("".join)
signs = st.lists(
    st.sampled_from(["\\", '"', "'", "`", "]", " ", "\n", "\t", "=", ":", ">", ",", "{", "\\n"]),
    max_size=12,
).map("".join)
words = st.sampled_from(
    ["", " is ", " was ", "value", "default", "value: ", "=> ", ":= ", "\\n" * 39]
)
values = st.sampled_from(["hunter22xY", "aB3" * 12, "a1-" * 11, "correct horse", "None", "${X}"])


@pytest.mark.parametrize("part", ["tune", "held"])
def test_a_look_behind_a_name_spares_no_secret_of_the_corpus(part, monkeypatch):
    some = [sample.text for sample in corpus(part)]
    quick = [redact(text) for text in some]
    monkeypatch.setattr(redacting, "_is_open", lambda *_: True)
    assert quick == [redact(text) for text in some]


@given(st.lists(st.tuples(names, signs, words, signs, values).map("".join), max_size=3))
def test_a_look_behind_a_name_spares_no_secret_that_a_pattern_finds(some):
    text = " ".join(some)
    quick = redact(text)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(redacting, "_is_open", lambda *_: True)
        assert quick == redact(text)


def test_a_text_without_a_literal_of_a_rule_tries_none(monkeypatch):
    def tried(*_: object) -> None:
        raise AssertionError("a rule was tried")

    monkeypatch.setattr(redacting, "_matches", tried)
    text = "The timer is found, and 550e8400-e29b-41d4-a716-446655440000 names it."
    assert redact(text) == text
    assert spans(text) == []


LONG_WORD = "getUserAccessFromRequestHeaderV2 "


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (LONG_WORD, 0),
        (LONG_WORD.ljust(redacting._WORTH_A_SIEVE - 1), 0),
        (LONG_WORD.ljust(redacting._WORTH_A_SIEVE), 1),
        ("plain words " * redacting._WORTH_A_SIEVE, 0),
    ],
    ids=["short", "nearly long", "long", "long, but no long word"],
)
def test_the_sieve_is_asked_for_keys_only_in_a_long_text_with_long_words(text, asked, monkeypatch):
    calls = []
    monkeypatch.setattr(redact_sieve, "holds_key", lambda data: bool(calls.append(data)))
    assert redact(text) == text
    assert len(calls) == asked


def test_the_rules_are_there_from_the_first_text_on(monkeypatch):
    monkeypatch.setattr(redacting, "_groups", [])
    assert redact(SECRETS["env"]) == "DATABASE_PASSWORD=[redacted:secret]"
    assert redacting._groups


def test_a_long_text_hides_no_key():
    text = LONG_WORD.ljust(redacting._WORTH_A_SIEVE)
    assert redact(text + SECRETS["github"]) == text + "[redacted:github]"


def test_names_without_a_value_need_no_pattern(monkeypatch):
    monkeypatch.setattr(redacting, "_compiled", None)
    text = "The tests pass; the key of a token stays a secret that nobody passed on."
    assert redact(text) == text


def test_where_looking_fails_a_text_is_taken_for_a_secret(monkeypatch):
    assert not redacting.holds_secret("plain words")

    def broken(*_: object) -> None:
        raise LookupError("broken")

    monkeypatch.setattr(redacting, "_matches", broken)
    monkeypatch.setattr(redacting, "spans", broken)
    assert redacting.holds_secret("plain words")
