"""What the fuzzer found, each by its name; `fuzz/readers.py` looks for more."""

from __future__ import annotations

import pytest

from leftoff.core.fence import harmless
from leftoff.core.texts import first_sentence
from leftoff.errors import FormatError
from leftoff.formats import _json_text, named
from leftoff.world import journal


@pytest.mark.parametrize("key", ["checkpoi\x13\x13nt", "no\x7fte", "a\x9fb", "<<<<<<< x"])
def test_a_key_of_a_header_that_no_file_can_show_stays_as_it_is(key):
    lens, path = named("md"), "checkpoints/active/chk.md"
    text = f"---\ncheckpoint: chk\n{key}: x\n---\n\n## Problem\n\nWords.\n"
    if "<" in key:
        assert any(one.level == "error" for one in lens.check(text, path))
        return
    c = lens.read(text, path)
    assert lens.write(c, text, path) == text
    changed = lens.write(c._replace(problem="Other words."), text, path)
    assert changed == text.replace("Words", "Other words")


def test_the_word_checkpoint_in_the_middle_of_a_title_is_part_of_the_name():
    lens, path = named("thread"), ".checkpoints/threads/x/CHECKPOINT.md"
    text = "# About a # Checkpoint: of others\n\n**Thread ID**: x\n\n## Current Task\n\nWords\n"
    c = lens.read(text, path)
    assert c.name == "About a # Checkpoint: of others"
    assert lens.write(c, text, path) == text


def test_a_text_without_an_end_has_a_first_sentence_all_the_same():
    assert len(first_sentence("x" * 13_000_000)) <= 20_000
    assert first_sentence("One. Two.") == "One."


@pytest.mark.parametrize("at", ["9" * 400, "1e999", "NaN", "1e12"])
def test_a_line_of_a_journal_with_a_time_that_no_clock_tells_is_passed_over(tmp_path, at):
    path = tmp_path / "s.jsonl"
    line = '{"at":%s,"event":"prompt","key":"k","by":"1.1"}\n'
    path.write_text(line % at + line % "1768000000" + line % at, encoding="utf-8")
    read = journal.read(str(path))
    assert [one["at"] for one in read.lines] == [1768000000]
    assert read.skipped == 2


def test_a_count_of_tokens_that_is_too_long_to_be_one_is_passed_over(tmp_path):
    path = journal.path(str(tmp_path), "codex", "s")
    journal.append(str(tmp_path), "codex", "s", {"event": "prompt", "context": 700, "n": 1})
    with open(path, "a", encoding="utf-8") as file:
        file.write('{"at":1,"event":"prompt","context":%s,"n":1}\n' % ("9" * 5000))
    assert journal.last_context(str(tmp_path), "codex", "s") == 700


def test_a_header_that_does_not_end_is_an_error_of_the_rules_too():
    lens, path = named("md"), "checkpoints/active/chk.md"
    text = "---\ncheckpoint: chk\ncreated: 2026-01-05T10:00:00Z---\n\n## Problem\n\nWords.\n"
    with pytest.raises(FormatError) as refused:
        lens.read(text, path)
    (told,) = [one for one in lens.check(text, path) if one.slug == "broken"]
    assert (told.level, told.text, told.line) == ("error", refused.value.message, 1)


@pytest.mark.parametrize(
    "last", ["\N{IDEOGRAPHIC SPACE}", "\N{NO-BREAK SPACE}", "\x1f", "\u2028", " "]
)
@pytest.mark.parametrize(
    "text",
    [
        '{{\n  "a": 1, // 注释{last}\n  // b\n}}\n',
        '{{\n  "a": 1 // 注释{last}\n}}\n',
        '{{\n  "a": 1, // x{last}\n  "b": 2 // y{last}\n}}\n',
        '{{\n  "a": [1, // x{last}\n 2] // y{last}\n}}\n',
        '// x{last}\n{{"a": 1}} // y{last}\n',
        "{{ // x{last}\n}}\n",
    ],
)
def test_a_comment_may_end_in_a_space_that_json_does_not_know(text, last):
    text = text.format(last=last)
    value = _json_text.loads(text, jsonc=True)
    for new in ({**value, "new": [1]}, {**value, "a": 3}, {"b": 2}):
        edited = _json_text.rewrite(text, new, jsonc=True)
        assert _json_text.loads(edited, jsonc=True) == new
        if "new" in new and last != " ":
            assert edited.count(last) == text.count(last)  # each comment is there, whole


def test_an_indent_is_not_taken_from_the_middle_of_a_text():
    text = '{"z": "x\u2028      y",\n "a": 1}\n'
    value = _json_text.loads(text)
    edited = _json_text.rewrite(text, {**value, "b": {"c": 1}})
    assert edited == text.replace("1}", '1,\n "b": {\n  "c": 1\n }}')


@pytest.mark.parametrize("text", ["<-@></leftoff>", "<\x00<leftoff id=x>", "<left<off id=x>"])
def test_a_text_without_our_marks_stays_as_it_is_when_they_are_taken_out_again(text):
    plain = harmless(text)
    assert plain.startswith("‹")
    assert harmless(plain) == plain
