"""JSON on many lines: the same text that the standard library writes."""

from __future__ import annotations

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leftoff.core.pretty import _make_quote, pretty
from support import module_at

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    SCALARS.filter(lambda value: value not in (float("inf"), float("-inf"))),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner),
    max_leaves=20,
)


@given(VALUES)
def test_it_is_what_json_writes(value):
    assert pretty(value) == json.dumps(value, ensure_ascii=False, indent=2)


def test_what_json_has_no_word_for_is_null_and_other_things_are_refused():
    assert pretty([float("nan"), float("inf")]) == "[\n  null,\n  null\n]"
    with pytest.raises(TypeError):
        pretty({"a": object()})


def test_it_works_without_the_c_encoder(monkeypatch):
    monkeypatch.setitem(sys.modules, "_json", None)
    plain = module_at("src", "leftoff", "core", "pretty.py")
    assert plain.pretty({"a": ["é\n"]}) == pretty({"a": ["é\n"]})


@pytest.mark.parametrize("compiled", [True, False])
def test_texts_keep_their_letters_with_and_without_c(compiled, monkeypatch):
    if not compiled:
        monkeypatch.setitem(sys.modules, "_json", None)
    assert _make_quote()("é\n") == '"é\\n"'
