"""Transcripts, block by block: nothing a rule finds is let through, and nothing else is touched."""

from __future__ import annotations

import json
import re
from re._parser import parse  # type: ignore[import-not-found]
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leftoff.core import redact as redacting
from leftoff.core import redact_lines, redact_sieve
from leftoff.core.redact import PLAIN, Redactor, redact, redacted_texts
from leftoff.core.redact_lines import DROPPED, cleaned
from leftoff.core.redact_rules import RULES
from redaction_corpus import corpus
from redaction_texts import ALNUM, SECRETS, texts, without_end

TOKEN = "ghp_" + ALNUM + "01234567"
BY = Redactor(b"k" * 32)


def clean_block(data: bytes, by: Redactor = PLAIN) -> bytes:
    return cleaned(data, by).data


def line(value: object, *, escaped: bool = False) -> bytes:
    return json.dumps(value, ensure_ascii=escaped).encode() + b"\n"


def message(text: str) -> dict[str, object]:
    return {"type": "user", "message": {"content": [{"type": "text", "text": text}]}}


@pytest.mark.parametrize("part", ["tune", "held"])
def test_what_a_rule_finds_in_a_text_it_finds_in_a_line_that_holds_the_text(part):
    for number, sample in enumerate(corpus(part)):
        value = message(sample.text)
        if number % 3 == 0:
            value = {"arguments": json.dumps(value, ensure_ascii=number % 2 == 0)}
        data = line({"n": 1}) + line(value, escaped=number % 2 == 1) + line({"z": 2})
        said = json.loads(clean_block(data).split(b"\n")[1])
        assert said == _each(value), sample


@pytest.mark.parametrize("part", ["tune", "held"])
def test_many_texts_at_once_are_redacted_as_each_of_them_is(part):
    some = [sample.text for sample in corpus(part)]
    assert redacted_texts(some, BY) == [redact(text, BY) for text in some]


@given(st.lists(st.one_of(texts, st.text(max_size=30)), max_size=5))
def test_whatever_the_rules_find_in_a_text_is_found_among_many(some: list[str]):
    assert redacted_texts(some) == [redact(text) for text in some]


def test_where_the_sieve_fails_each_text_is_redacted(monkeypatch):
    def broken(*_: object) -> list[int]:
        raise ValueError

    monkeypatch.setattr(redact_sieve, "suspects", broken)
    assert redacted_texts(["a", f"x {TOKEN}"]) == ["a", "x [redacted:github]"]


def _each(value: object) -> object:
    """Every string redacted by itself."""
    if isinstance(value, dict):
        return {key: _each(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_each(one) for one in value]
    return redact(value) if isinstance(value, str) else value


@given(texts, st.booleans())
def test_whatever_the_rules_find_the_quick_way_covers_in_lines_too(text: str, escaped: bool):
    said = json.loads(clean_block(line(message(text), escaped=escaped)))
    assert said == message(redact(text))


keys = [rule for rule in RULES if rule.kind not in ("private-key", "secret")]


@given(st.data(), st.sampled_from(keys), texts, texts)
def test_whatever_a_rule_s_pattern_can_make_is_found_in_a_line(data, rule, before, after):
    # lookarounds are not drawn, so that not all of it is a match: then both find nothing
    made = data.draw(st.from_regex(re.compile(rule.pattern, re.ASCII), fullmatch=True))
    text = f"{before} {made} {after}"
    assert json.loads(clean_block(line(message(text)))) == message(redact(text))


@pytest.mark.parametrize(
    "text",
    [
        r"\u0026password\u003dhunter22x\u0026a=1",
        r"https:\/\/shop:hunter22x@db.example\/shop",
        r"\u0022token\u0022: \u0022hunter22x\u0022",
        r"pass\u0077ord=hunter22x",
        r"\u5BC6\u7801\uFF1Ahunter22x",
    ],
)
def test_a_secret_behind_escapes_that_need_not_be_is_found(text):
    said = clean_block(b'{"text":"' + text.encode() + b'"}\n')
    assert b"hunter22x" not in said
    assert b"[redacted:" in said


@given(st.binary(max_size=300))
def test_any_bytes_can_be_cleaned_and_a_second_time_changes_nothing(data: bytes):
    once = clean_block(data)
    assert clean_block(once) == once


@given(st.lists(texts.map(message), max_size=5), st.integers(0, 5))
def test_what_is_appended_is_cleaned_by_itself(values, at):
    lines = [line(value) for value in values]
    parts = b"".join(lines[:at]), b"".join(lines[at:])
    assert clean_block(parts[0]) + clean_block(parts[1]) == clean_block(b"".join(lines))


def test_a_line_without_a_secret_stays_byte_for_byte():
    odd = (
        b'{ "a" : 1.50, "b":"\\u00e9\\/","c":"\\ud800", "tokens" : 12 }\n\n  \n[1,2]\nplain text\n'
    )
    assert clean_block(odd) == odd


def test_only_the_line_that_holds_it_changes():
    first, last = b'{ "a":1 }\n', b'{"b" :2}\n'
    said = clean_block(first + line(message(f"x {TOKEN}")) + last)
    assert said.startswith(first)
    assert said.endswith(last)
    assert TOKEN.encode() not in said


@pytest.mark.parametrize(
    "block",
    [
        {"type": "thinking", "thinking": "plain", "signature": TOKEN},
        {"type": "reasoning", "summary": [], "encrypted_content": f"gAAAA-{TOKEN}"},
        {"type": "image", "source": {"data": "A" * 70 + "/sk-" + ALNUM * 2, "type": "base64"}},
        {"image_url": "data:image/png;base64," + "A" * 70 + "/sk-" + ALNUM * 2},
        {"text": "x", "thoughtSignature": "a/sk-" + ALNUM * 2},
    ],
    ids=["signature", "encrypted", "image", "data address", "thought"],
)
def test_what_clients_check_or_show_is_never_rewritten(block):
    data = line(block)
    assert clean_block(data, BY) == data


def test_a_signed_thought_with_a_secret_goes_as_a_whole_and_is_counted():
    block = {"type": "thinking", "thinking": f"use {TOKEN}", "signature": "c2lnbg"}
    plain = {"type": "thinking", "thinking": "fine", "signature": "c2lnbg"}
    assert cleaned(line(block)).dropped == 1
    assert cleaned(line(plain)).dropped == 0
    done = cleaned(line({"message": {"content": [plain, block]}}), BY)
    assert json.loads(done.data) == {"message": {"content": [plain, DROPPED]}}
    assert done.dropped == 1


def test_another_sealed_block_with_a_secret_loses_its_seal():
    block = {"type": "reasoning", "summary": [{"text": TOKEN}], "encrypted_content": "gAAAA"}
    done = cleaned(line({"payload": block}))
    said = json.loads(done.data)["payload"]
    assert said["encrypted_content"] is None
    assert said["summary"] == [{"text": "[redacted:github]"}]
    assert done.dropped == 1


def test_values_under_names_of_secrets_go_whatever_they_look_like():
    told = {"password": "correct horse", "apiKey": "abcdefgh", "pass": "12345 6", "user": "ada"}
    said = json.loads(clean_block(line({"input": told})))["input"]
    assert said == dict.fromkeys(("password", "apiKey", "pass"), "[redacted:secret]") | {
        "user": "ada"
    }
    pair = json.loads(clean_block(line([{"name": "DB_PASSWORD", "value": "correct horse"}])))
    assert pair == [{"name": "DB_PASSWORD", "value": "[redacted:secret]"}]


def test_numbers_of_tokens_and_references_stay():
    told = {"tokens": 12, "token": None, "password": "${DB_PASSWORD}", "key": "user.name"}
    assert clean_block(line(told)) == line(told)


def test_a_key_over_many_lines_of_plain_text_goes_as_a_whole():
    said = clean_block(f"before\n{SECRETS['pem']}\nafter\n".encode())
    assert said == b"before\n[redacted:private-key]\nafter\n"


def test_a_document_of_json_over_many_lines_stays_one():
    data = json.dumps({"a": "it's", "b": {"text": f"password='{TOKEN}"}, "c": "x'"}, indent=2)
    said = json.loads(clean_block(data.encode()))
    assert said == {"a": "it's", "b": {"text": "password='[redacted:github]"}, "c": "x'"}


def test_a_torn_line_is_cleaned_as_text():
    torn = b'{"text":"use ' + TOKEN.encode() + b" and"
    assert (
        clean_block(line({"a": 1}) + torn) == line({"a": 1}) + b'{"text":"use [redacted:github] and'
    )


def test_bytes_that_are_no_text_stay_around_a_secret():
    assert (
        clean_block(b"\xff\xfe " + TOKEN.encode() + b" \x80\n")
        == b"\xff\xfe [redacted:github] \x80\n"
    )


def test_part_a_character_survives_beside_a_secret():
    data = b'{"a":"\\ud800 ' + TOKEN.encode() + b'"}\n'
    assert json.loads(clean_block(data)) == {"a": "\ud800 [redacted:github]"}


def test_a_line_nested_deeper_than_can_be_read_is_cleaned_as_text():
    data = b'{"a":' + b"[" * 100_000 + b'"' + TOKEN.encode() + b'"' + b"]" * 100_000 + b"}\n"
    assert TOKEN.encode() not in clean_block(data)


def test_equal_secrets_have_equal_marks_and_others_differ():
    other = TOKEN.replace("a", "b")
    said = json.loads(clean_block(line([TOKEN, f"x {TOKEN}", other]), BY))
    assert said[1] == f"x {said[0]}"
    assert said[2] != said[0]
    assert re.fullmatch(r"\[redacted:github:[0-9a-f]{6}\]", said[0])
    assert said != json.loads(clean_block(line([TOKEN, f"x {TOKEN}", other]), Redactor(b"j" * 32)))
    assert redact(f"x {TOKEN}", BY) == said[1]


def test_where_redacting_fails_nothing_passes(monkeypatch):
    def broken(*_: object) -> None:
        raise LookupError("broken")

    monkeypatch.setattr(redacting, "_matches", broken)
    assert redact(f"use {TOKEN}") == "[redacted:withheld]"
    assert TOKEN.encode() not in clean_block(line(message(TOKEN)))
    monkeypatch.setattr(redact_lines, "suspects", broken)
    done = cleaned(line(message(TOKEN)) + line({"a": 1}))
    assert done.data == b"[redacted:withheld]\n"
    assert done.withheld == 2


def test_no_gate_of_the_sieve_looks_further_than_a_line_of_text():
    assert not [gate for _, gate in redact_sieve._GATES if without_end(parse(gate))]


HOSTILE = [
    "a",
    "=",
    "key=",
    "password='",
    "-eyJabcdefghijklmnop",
    "://a:",
    "cookie: a=",
    "\\/",
    "-sk-a1",
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_takes_time_by_its_length(unit):
    def spent(size: int) -> float:
        data = line({"text": (unit * size)[:size]})
        runs = []
        for _ in range(3):
            before = process_time()
            clean_block(data)
            runs.append(process_time() - before)
        return min(runs)

    spent(1000)
    # eight times the text; if the time were quadratic it would be 64 times as much
    assert spent(400_000) < 32 * spent(50_000) + 0.05


def test_the_sieve_lets_usual_lines_through_unread():
    usual = (
        "Tokens are signed, the key of the map is kept, passwords are not.",
        "self.very_long_identifier_of_code(tokens, key=lambda one: one.name)",
        "550e8400-e29b-41d4-a716-446655440000 da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "see https://example.com/docs/keys#tokens and \x1b[32mgreen\x1b[0m text",
    )
    usage = {"input_tokens": 12, "cache_read_input_tokens": 3, "id": "msg_01" + ALNUM}
    data = b"".join(line({**message(text), "usage": usage}) for text in usual)
    assert redact_sieve.suspects(data, PLAIN) == []


def test_lines_that_go_with_the_ones_before_them_are_looked_at_once():
    key = f"-----BEGIN RSA PRIVATE KEY-----\nMIIEow{'A' * 58}\n{TOKEN}\n-----END RSA PRIVATE KEY-----\n"
    done = cleaned(f"before\n{key}after\n".encode())
    assert TOKEN.encode() not in done.data
    assert b"MIIEow" not in done.data
    assert done.data.startswith(b"before\n")
    assert done.data.endswith(b"after\n")


def test_lines_behind_a_key_over_many_lines_are_looked_at_too():
    key = f"-----BEGIN RSA PRIVATE KEY-----\n{TOKEN}\n-----END RSA PRIVATE KEY-----\n"
    done = cleaned(f'before\n{key}{{"a":1}}\n{{"b":"{TOKEN}"}}\n{TOKEN}\n'.encode())
    assert done.data == (
        b'before\n[redacted:private-key]\n{"a":1}\n{"b":"[redacted:github]"}\n[redacted:github]\n'
    )
    assert done.changed == 3


def test_one_line_that_cannot_be_redacted_is_one_that_is_withheld(monkeypatch):
    def broken(*_: object) -> None:
        raise LookupError("broken")

    monkeypatch.setattr(redact_lines, "suspects", broken)
    done = cleaned(TOKEN.encode())
    assert done == redact_lines.Cleaned(b"[redacted:withheld]", withheld=1)


def test_a_line_of_json_is_known_behind_blanks_and_keeps_its_letters():
    data = '  {"pass":"12345 6","a":"密码学 ü"} \n'.encode()
    assert clean_block(data) == '{"pass":"[redacted:secret]","a":"密码学 ü"} \n'.encode()


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("password", "abc123", "[redacted:secret]"),
        ("password", "abc12", "abc12"),
        (
            "url",
            "https://me:hunter22x@example.invalid/",
            "https://me:[redacted:password]@example.invalid/",
        ),
        ("data", "A" * 70 + "/sk-" + ALNUM * 2, "A" * 70 + "/sk-" + ALNUM * 2),
        ("note", "/" + "A" * 70 + "/sk-" + ALNUM * 2, "/" + "A" * 70 + "/[redacted:model-key]"),
    ],
)
def test_how_long_a_value_is_and_where_it_stands_decides(key, value, told):
    assert json.loads(clean_block(line({key: value}))) == {key: told}


def test_the_name_of_a_field_that_holds_a_secret_is_redacted():
    # not one of fewer letters: those are words of clients, by which lines are read
    assert json.loads(clean_block(line({"token=hunter22xy": 1}))) == {"token=[redacted:secret]": 1}
    assert json.loads(clean_block(line({"token=hunter22x": 1}))) == {"token=hunter22x": 1}


def test_half_a_character_in_a_document_over_many_lines_stays_an_escape():
    data = b'{\n  "a": "\\ud800 \xc3\xbc ' + TOKEN.encode() + b'"\n}\n'
    assert clean_block(data) == b'{\n  "a": "\\ud800 \xc3\xbc [redacted:github]"\n}\n'


def test_the_value_of_a_header_is_judged_with_its_name():
    secret = "Basic dXNlcjpwYXNzd29yZDEyMzQ1Njc4OTA="
    done = json.loads(cleaned(line({"Authorization": secret, "note": TOKEN})).data)
    assert secret not in done["Authorization"]
    assert not done["Authorization"].startswith("Authorization")
