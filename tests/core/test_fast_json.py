"""JSON without `json`: the same values, the same refusals."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leftoff.core import fast_json
from leftoff.core.fast_json import dumps, first, loads
from support import SOURCE, module_at

TEXTS = st.text(st.characters(codec="utf-8"), max_size=8) | st.text(max_size=4)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
LEAVES = st.none() | st.booleans() | st.integers() | FINITE | TEXTS
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4)
)
BROKEN = [
    *("", " ", "{", "[", "[1", "[1,]", "{,}", '{"a"}', '{"a":}', '{"a":1,}', "{a:1}", "'a'"),
    *('"', '"a', '"\\x"', '"\\u12"', "nul", "truee", "1 2", "{} {}", "+1", ".5", "1.", "--1"),
    *("[" * 200_000, '{"a":' * 200_000, "\ufeff{}"),
]


def same(value: object) -> str:
    """Tells 1, 1.0 and True apart, and every order of keys."""
    return repr(value)


@given(VALUES)
def test_a_value_is_written_as_json_reads_it_and_read_as_json_writes_it(value):
    assert same(json.loads(dumps(value))) == same(value)
    assert same(loads(json.dumps(value))) == same(value)
    assert same(loads(json.dumps(value, indent=1, ensure_ascii=False))) == same(value)


@given(VALUES)
def test_what_is_written_is_one_line_of_ascii_as_json_itself_writes_it(value):
    assert dumps(value) == json.dumps(value, separators=(",", ":"))
    assert "\n" not in dumps(value)


@given(VALUES, st.text('{}[]",:0123456789\\ \n', max_size=6), st.integers(0, 40))
def test_a_damaged_text_is_read_as_json_reads_it_or_refused_as_json_refuses_it(value, junk, at):
    text = json.dumps(value)
    damaged = text[:at] + junk + text[at + 1 :]
    try:
        expected = same(json.loads(damaged, strict=False))
    except ValueError:
        with pytest.raises(ValueError, match=r"."):
            loads(damaged)
    else:
        assert same(loads(damaged)) == expected


@pytest.mark.parametrize("text", BROKEN, ids=lambda text: text[:12])
def test_what_is_no_json_is_refused_as_a_value_error(text):
    with pytest.raises(ValueError, match=r"."):
        loads(text)


@pytest.mark.parametrize("text", BROKEN, ids=lambda text: text[:12])
def test_the_same_where_the_json_package_was_never_loaded(text):
    # the C scanner looks for json's own exception, which is not there on the hook path
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from leftoff.core.fast_json import loads\n"
        "try:\n    loads(sys.stdin.buffer.read().decode())\nexcept ValueError:\n    print('refused')"
    )
    argv = [sys.executable, "-I", "-S", "-c", code, SOURCE]
    done = subprocess.run(argv, input=text.encode(), capture_output=True)
    assert (done.stdout, done.stderr) == (b"refused\n", b"")


@given(VALUES, st.sampled_from(["", " ", "{}", "x", "\n["]))
def test_the_first_value_of_a_text_ends_where_the_next_begins(value, more):
    text = json.dumps([value])
    assert first(text + more) == ([value], len(text))


def test_numbers_that_json_does_not_know_are_written_as_null():
    assert dumps([float("inf"), float("-inf"), float("nan")]) == "[null,null,null]"


def test_what_is_no_plain_value_is_refused():
    with pytest.raises(TypeError, match="set is no JSON value"):
        dumps({1})


def test_keys_become_texts_and_tuples_lists():
    assert dumps({1: (2, True)}) == '{"1":[2,true]}'


def test_it_works_without_the_c_scanner(monkeypatch):
    monkeypatch.setitem(sys.modules, "_json", None)
    plain = module_at("src", "leftoff", "core", "fast_json.py")
    assert plain.loads('{"a": ["é", 1.5, null]}') == {"a": ["é", 1.5, None]}
    assert plain.dumps({"é": ["\n"]}) == dumps({"é": ["\n"]})


def test_a_scanner_that_cannot_complain_is_a_broken_text(monkeypatch):
    def scan(*_):
        raise SystemError

    monkeypatch.setattr(fast_json, "_scan", scan)
    with pytest.raises(ValueError, match="broken JSON"):
        fast_json.loads("{}")


@pytest.mark.parametrize("compiled", [True, False])
def test_the_scanner_takes_raw_control_characters_with_and_without_c(compiled, monkeypatch):
    if not compiled:
        monkeypatch.setitem(sys.modules, "_json", None)
    scan, quote = fast_json._make_scanner()
    assert scan('{"a": "b\tc"} x', 0) == ({"a": "b\tc"}, 12)
    assert quote("é\n") == '"\\u00e9\\n"'
