"""The lossless JSON editor: what a text says, the smallest edit of it, and why it is broken."""

from __future__ import annotations

import json
import sys
from glob import glob
from itertools import pairwise

import json5
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from formats.json_edits import append_at, delete_at, set_at
from formats.json_strategies import VALUES, edits, failure, texts
from leftoff.errors import FormatError, Usage
from leftoff.formats import _json_scan
from leftoff.formats._json_scan import DEEPEST, parse_noting, source_of
from leftoff.formats._json_text import dumps, loads, rewrite
from leftoff.formats._json_value import align, appended, part, patched, replaced, same
from support import module_at, shared


def samples() -> list[str]:
    root = shared("samples")
    return [
        path
        for path in sorted(glob(f"{root}/**/*.json", recursive=True))
        if "committed" not in path
    ]


def content(path: str) -> str:
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


# --- laws ----------------------------------------------------------------------------------------


@given(st.data())
def test_any_new_value_is_what_the_text_says_after_the_edit(data):
    value = data.draw(VALUES)
    text = data.draw(texts(value))
    new = data.draw(edits(value))
    edited = rewrite(text, new)
    assert same(loads(edited), new)
    assert same(json.loads(edited.removeprefix("\ufeff")), new)


@given(st.data())
def test_saying_the_same_again_changes_no_byte(data):
    value = data.draw(VALUES)
    text = data.draw(texts(value))
    assert rewrite(text, json.loads(json.dumps(value))) == text


@given(st.data())
def test_with_comments_and_trailing_commas_the_edit_still_says_the_new_value(data):
    value = data.draw(VALUES)
    text = data.draw(texts(value, jsonc=True))
    new = data.draw(edits(value))
    edited = rewrite(text, new, jsonc=True)
    assert same(loads(edited, jsonc=True), new)
    assert rewrite(text, value, jsonc=True) == text


@given(st.data())
def test_another_reader_of_json_with_comments_agrees(data):
    small = st.recursive(
        st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["", "a", "//", "b c"]),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
        ),
        max_leaves=6,
    )
    value = data.draw(small)
    text = data.draw(texts(value, jsonc=True)).removeprefix("\ufeff")
    new = data.draw(small)
    assert same(json5.loads(text), value)
    assert same(json5.loads(rewrite(text, new, jsonc=True)), new)


@given(st.data())
def test_no_edit_drops_a_comment_above_a_member_that_stays(data):
    keys = data.draw(st.lists(st.sampled_from("abcdef"), min_size=1, unique=True))
    gone = data.draw(st.sets(st.sampled_from(keys)))
    lines = [f'  // about {key}\n  "{key}": 1' for key in keys]
    text = "{\n" + ",\n".join(lines) + data.draw(st.sampled_from(["", ","])) + "\n}\n"
    edited = rewrite(text, {key: 1 for key in keys if key not in gone}, jsonc=True)
    assert [line for line in edited.splitlines() if "about" in line] == [
        f"  // about {key}" for key in keys
    ]


@given(
    st.text(max_size=40) | st.text(alphabet='{}[]",:0-9tfnuNa\\ \n/*<>=', max_size=30),
    st.booleans(),
)
def test_any_text_gives_a_value_or_a_format_error_with_a_line(text, jsonc):
    error = failure(lambda: loads(text, jsonc=jsonc))
    if error:
        assert 1 <= error.line <= text.count("\n") + 1
    else:
        assert rewrite(text, loads(text, jsonc=jsonc), jsonc=jsonc) == text


@given(st.text(max_size=40) | st.text(alphabet='{}[]",:0-9tfnu\\ \n', max_size=30))
def test_strict_json_is_exactly_what_the_standard_library_accepts(text):
    def refuse(name):
        raise ValueError(name)

    try:
        expected = json.loads(text, parse_constant=refuse)
    except ValueError:
        with pytest.raises(FormatError):
            loads(text)
    else:
        assert same(loads(text), expected)


@given(VALUES)
def test_a_new_text_is_what_the_standard_library_writes_with_two_spaces(value):
    assert dumps(value) == json.dumps(value, indent=2, ensure_ascii=False) + "\n"


@given(st.lists(st.integers(0, 5), max_size=8), st.lists(st.integers(0, 5), max_size=8))
def test_aligned_elements_rise_on_both_sides_and_leave_no_gap_unused(old, new):
    pairs = align(old, new)
    for (a, b), (c, d) in pairwise([(-1, -1), *pairs, (len(old), len(new))]):
        assert a < c
        assert b < d
        assert c == a + 1 or d == b + 1


@given(VALUES, VALUES, VALUES)
def test_a_patch_of_the_view_that_is_the_value_itself_is_the_new_value(raw, new, other):
    assert same(patched(raw, raw, new), new)
    assert same(patched(raw, other, other), raw)


# --- the samples -----------------------------------------------------------------------------------


@pytest.mark.shared
def test_every_edit_of_a_sample_is_the_same_edit_of_its_value():
    for path in samples():
        text = content(path)
        value = loads(text)
        assert rewrite(text, value) == text
        places = _places(value)
        for place in places[:: len(places) // 12 + 1]:
            edited = set_at(text, place, "changed to this")
            assert part(loads(edited), place) == "changed to this"
            assert same(loads(set_at(edited, place, part(value, place))), value)
            assert same(loads(delete_at(text, place)), _without(value, place))


@pytest.mark.shared
@pytest.mark.req("A.layout.reviewable")
def test_one_field_of_a_hand_aligned_sample_changes_one_line():
    text = content(shared("samples/opchain/merges/1a3293a5-orchestrator/ours.json"))
    old, new = (
        text.splitlines(),
        set_at(text, ["progress_table", 3, "status"], "failed").splitlines(),
    )
    assert len(old) == len(new)
    assert [line for line in new if line not in old] == [new[_first_difference(old, new)]]


@pytest.mark.shared
def test_a_new_row_of_an_aligned_table_is_one_line_like_the_others():
    text = content(shared("samples/opchain/merges/1a3293a5-orchestrator/ours.json"))
    edited = append_at(text, ["progress_table"], {"id": "x", "label": "y", "status": "failed"})
    assert '    { "id": "x", "label": "y", "status": "failed" }\n  ],' in edited
    assert len(edited.splitlines()) == len(text.splitlines()) + 1


@pytest.mark.shared
@pytest.mark.req("A.validate.after-merge")
def test_the_sample_that_a_merge_broke_is_refused_at_the_line_of_the_missing_comma():
    with pytest.raises(FormatError, match=r"^line 39: expected a comma$") as caught:
        loads(content(shared("samples/opchain/merges/1a3293a5-orchestrator/committed.json")))
    assert caught.value.line == 39


@pytest.mark.shared
def test_the_samples_with_conflict_markers_say_so_at_the_line():
    root = shared("samples/opchain/merges")
    for path in glob(f"{root}/*/*.conflict.txt"):
        text = content(path)
        with pytest.raises(FormatError, match='merge conflict marker "<<<<<<<"') as caught:
            loads(text)
        assert text.splitlines()[caught.value.line - 1].startswith("<<<<<<<")


def _places(value, path=()):
    if isinstance(value, dict | list):
        steps = value if isinstance(value, dict) else range(len(value))
        return [
            place
            for step in steps
            for place in ([*path, step], *_places(value[step], (*path, step)))
        ]
    return []


def _without(value, path):
    copy = json.loads(json.dumps(value))
    inner = part(copy, path[:-1])
    del inner[path[-1]]
    return copy


def _first_difference(old, new):
    return next(at for at, (a, b) in enumerate(zip(old, new, strict=True)) if a != b)


# --- the seven bugs of the first sketch ------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"), [(1, True), (True, 1), (1, 1.0), (0, False), ([1], [True])]
)
def test_a_value_of_another_type_is_another_value(old, new):
    assert same(loads(rewrite(json.dumps({"a": old}), {"a": new}))["a"], new)


def test_taking_a_member_out_leaves_the_comment_above_the_next_one():
    text = '{\n  "a": 1, // of a\n  // about b\n  "b": 2\n}\n'
    assert delete_at(text, ["a"], jsonc=True) == '{\n  // about b\n  "b": 2\n}\n'


def test_half_a_surrogate_pair_is_written_as_its_escape():
    edited = set_at("{}", ["a"], "x\ud800é")
    assert edited == '{\n  "a": "x\\ud800é"\n}'
    assert loads(edited) == {"a": "x\ud800é"}
    edited.encode()


@pytest.mark.parametrize(
    "text", [r'{"a": "\x"}', '{"a": "\t"}', '{"a": 01}', '{"a": .5}', "{'a': 1}"]
)
def test_what_strict_json_does_not_know_is_refused(text):
    with pytest.raises(FormatError):
        loads(text)


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_are_none_are_refused_where_they_stand(word):
    with pytest.raises(FormatError, match=f"line 3: {word} is not a JSON value"):
        loads(f'{{"{word}": "{word}",\n "b":\n {word}}}')


def test_a_name_that_stands_twice_is_set_where_it_counts_and_deleted_everywhere():
    text = '{"a": 1, "b": 2, "a": 3}'
    assert loads(text)["a"] == 3
    assert set_at(text, ["a"], 4) == '{"a": 1, "b": 2, "a": 4}'
    assert delete_at(text, ["a"]) == '{"b": 2}'
    assert parse_noting(source_of(text)) == (loads(text), ["a"])
    assert parse_noting(source_of('{"a": {"a": 1}, "b": [{"a": 1}]}'))[1] == []


@pytest.mark.parametrize("depth", [DEEPEST + 1, 990, 100_000])
@pytest.mark.parametrize("opener", ["[", '{"a":'])
def test_too_deep_a_text_is_a_format_error(depth, opener):
    closer = "]" if opener == "[" else "}"
    with pytest.raises(FormatError, match="nested more than 100 levels"):
        loads(opener * depth + "1" + closer * depth)


def test_the_deepest_text_can_still_be_edited():
    text = "[" * DEEPEST + "1" + "]" * DEEPEST
    assert set_at(text, [0] * DEEPEST, 2) == text.replace("1", "2")


# --- layout ----------------------------------------------------------------------------------------


def test_one_more_text_in_a_list_is_one_more_line_and_the_comma_before_it():
    text = '{\n  "files": [\n    "a.py"\n  ],\n  "z": 1\n}\n'
    assert (
        append_at(text, ["files"], "b.py")
        == '{\n  "files": [\n    "a.py",\n    "b.py"\n  ],\n  "z": 1\n}\n'
    )


@pytest.mark.parametrize("unit", ["    ", "\t", " "])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_a_new_member_takes_indent_newline_and_byte_order_mark_of_the_text(unit, newline, bom):
    text = bom + newline.join(["{", f'{unit}"a": 1', "}", ""])
    wanted = bom + newline.join(
        ["{", f'{unit}"a": 1,', f'{unit}"b": [', f"{unit * 2}2", f"{unit}]", "}", ""]
    )
    assert set_at(text, ["b"], [2]) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{"a":1,"b":2}', '{"a":1,"b":2,"c":{"d":[1,2]}}'),
        ('{"a": 1}', '{"a": 1, "c": {"d": [1, 2]}}'),
        ('{ "a": 1 }', '{ "a": 1, "c": { "d": [1, 2] } }'),
        ("{}", '{\n  "c": {\n    "d": [\n      1,\n      2\n    ]\n  }\n}'),
    ],
)
def test_a_new_member_of_a_one_line_text_stays_on_the_line(text, wanted):
    assert set_at(text, ["c"], {"d": [1, 2]}) == wanted


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ([1, 2, 3], [2, 3], "[2, 3]"),
        ([1, 2, 3], [1, 2], "[1, 2]"),
        ([1, 2, 3], [1, 3], "[1, 3]"),
        ([1, 2, 3], [0, 1, 2, 3], "[0, 1, 2, 3]"),
        ([1, 2, 3], [1, 9, 2, 3], "[1, 9, 2, 3]"),
        ([1, 2, 3], [3, 1, 2], "[3, 1, 2]"),
        ([1, 2, 3], [], "[]"),
        ([], [1], "[\n  1\n]"),
    ],
)
def test_a_list_on_one_line_keeps_its_spacing(old, new, wanted):
    assert rewrite(json.dumps(old), new) == wanted


def test_rows_that_stay_keep_their_hand_made_columns_whatever_goes_before_them():
    rows = [
        '    { "id": "a",   "n": 1 }',
        '    { "id": "bbb", "n": 2 }',
        '    { "id": "cc",  "n": 3 }',
    ]
    text = '{\n  "t": [\n' + ",\n".join(rows) + "\n  ]\n}\n"
    value = [{"id": "new", "n": 0}, {"id": "bbb", "n": 2}, {"id": "cc", "n": 9}]
    edited = set_at(text, ["t"], value)
    assert rows[1] in edited
    assert '    { "id": "cc",  "n": 9 }' in edited


def test_an_empty_list_is_filled_over_lines_where_its_neighbours_are_on_lines():
    text = '{\n  "a": [],\n  "b": 1\n}'
    assert set_at(text, ["a"], ["x"]) == '{\n  "a": [\n    "x"\n  ],\n  "b": 1\n}'


def test_a_comment_at_the_end_of_a_line_never_swallows_what_follows():
    assert append_at("[1 // one\n]", [], 2, jsonc=True) == "[1, // one\n 2\n]"
    assert delete_at("[1, // one\n2]", [1], jsonc=True) == "[1 // one\n]"
    assert append_at("[ // none\n]", [], 1, jsonc=True) == "[ // none\n  1\n]"
    assert delete_at('{ // one\n "a": 1}', ["a"], jsonc=True) == "{ // one\n}"


def test_a_trailing_comma_stays_a_trailing_comma():
    assert append_at("[\n  1, // one\n]", [], 2, jsonc=True) == "[\n  1, // one\n  2,\n]"
    assert delete_at("[\n  1,\n  2,\n]", [1], jsonc=True) == "[\n  1,\n]"


@pytest.mark.parametrize("text", ["[,]", "{,}", "[1,,]", ",", "/* never closed", '["//'])
def test_json_with_comments_is_not_json_with_anything(text):
    with pytest.raises(FormatError):
        loads(text, jsonc=True)


# --- messages and paths ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("\ufeff \n", "the file is empty"),
        ('{\n "a": 1,\n}', "line 2: one comma too many"),
        ("[1,\n\n]", "line 1: one comma too many"),
        ('{"a"\n 1}', "line 2: expected a colon"),
        ('{"a": 1}\n{}', "line 2: expected the end of the file"),
        ('{"a": [1', "line 1: the file ends before it is complete"),
        ('{"a":\n"b', "line 2: a text in quotes does not end"),
        ('{"a": "b\n"}', "line 1: a text in quotes runs over the end of its line"),
        ('{"a": "\\x"}', "line 1: a text in quotes has a backslash that means nothing"),
        ("{a: 1}", "line 1: expected a name in double quotes"),
        ('{"a": yes}', "line 1: expected a value"),
        ("9" * 5000, "line 1: a number has too many digits"),
    ],
)
def test_the_reason_is_plain_and_names_the_line(text, message):
    with pytest.raises(FormatError) as caught:
        loads(text)
    assert caught.value.message == message


@pytest.mark.parametrize("marker", ["<<<<<<< ours", "||||||| base", ">>>>>>> theirs"])
def test_what_git_leaves_of_a_failed_merge_has_its_own_message(marker):
    with pytest.raises(FormatError, match="line 3: merge conflict marker") as caught:
        loads(f'{{\n  "a": 1,\n{marker}\n  "b": 2\n}}')
    assert "validate" in caught.value.hint


def test_numbers_that_no_float_can_hold_stay_numbers():
    assert loads(rewrite('{"a": 1e999, "b": 1}', {"a": 1e999, "c": -1e999})) == {
        "a": 1e999,
        "c": -1e999,
    }
    assert dumps([float("nan")]) == "[\n  null\n]\n"


def test_objects_on_the_way_are_made_and_what_cannot_be_below_a_value_is_refused():
    assert replaced({}, ["a", "b", "c"], 1) == {"a": {"b": {"c": 1}}}
    assert replaced({"l": [1, {"x": 2}]}, ["l", 1, "x"], 3) == {"l": [1, {"x": 3}]}
    assert appended(part({}, ["a"]), 1, ["a"]) == [1]
    with pytest.raises(Usage, match='nothing can be set at "b"'):
        replaced({"a": 1}, ["a", "b"], 2)
    with pytest.raises(Usage, match=r'"a\.b" is not a list'):
        appended(1, 2, ["a", "b"])


def test_it_works_without_the_c_scanner(monkeypatch):
    monkeypatch.setitem(sys.modules, "_json", None)
    plain = module_at("src", "leftoff", "formats", "_json_scan.py")
    for text in ('{"a": [1, "é", {"b": null}]}', "[]", "1.5"):
        assert plain.parse(plain.source_of(text)) == json.loads(text)
    for text in ('{"a": NaN}', "[1,]", "", '{"a" 1}'):
        with pytest.raises(FormatError) as caught:
            plain.parse(plain.source_of(text))
        with pytest.raises(FormatError) as expected:
            _json_scan.parse(_json_scan.source_of(text))
        assert caught.value.message == expected.value.message
    assert plain.quote("é\n") == '"é\\n"'


@given(VALUES)
def test_the_parts_of_a_value_are_found_by_their_paths(value):
    assume(isinstance(value, dict | list))
    for place in _places(value):
        inner = value
        for step in place:
            inner = inner[step]
        assert part(value, place) is inner


def test_a_blank_text_becomes_a_new_one():
    assert rewrite(" \n", {"a": 1}) == dumps({"a": 1})


def test_a_list_that_the_text_holds_otherwise_is_replaced_whole():
    assert patched([1, {"kept": 2}], [1], [1, 3]) == [1, 3]


def test_a_scanner_that_can_complain_only_when_json_is_loaded_is_asked_again():
    asked = []

    def scan(plain, at):
        asked.append(at)
        if len(asked) == 1:
            raise SystemError
        return plain[at:], len(plain)

    assert _json_scan._scanned(source_of(" x"), scan) == ("x", 2)
    assert asked == [1, 1]
