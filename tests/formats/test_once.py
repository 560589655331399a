"""Whose a text is, what it says, what is wrong with it: three questions, one scan of the text."""

from __future__ import annotations

import pytest

from leftoff.formats import _json_lens, _markdown, _md_lists
from leftoff.formats import md as checkpoint_md
from leftoff.formats import skill as skill_json
from leftoff.formats._md_items import listing
from leftoff.formats._md_lists import items_of
from projects import markdown, skill

SKILL = ".checkpoints/oc-demo.checkpoint.json"
ACTIVE = "checkpoints/active/chk-auth.md"


@pytest.fixture
def counted(monkeypatch):
    """Counts the calls of a function under the name that a module has for it."""

    def count(module, name):
        calls = []
        real = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *args: calls.append(args) or real(*args))
        return calls

    return count


@pytest.mark.parametrize(
    ("lens", "path", "text", "scanner"),
    [
        (skill_json, SKILL, skill(step="once"), (_json_lens, "parse_noting")),
        (checkpoint_md, ACTIVE, markdown(problem="Once."), (_markdown, "scan")),
    ],
)
def test_a_text_is_scanned_once_for_all_questions(counted, lens, path, text, scanner):
    calls = counted(*scanner)
    assert lens.mine(text, path)
    lens.read(text, path)
    lens.check(text, path)
    assert len(calls) == 1


def test_the_items_of_a_section_are_read_once(counted):
    calls = counted(_md_lists, "_entries")
    text = markdown(problem="Items are read once.")
    checkpoint_md.read(text, ACTIVE)
    first = len(calls)
    assert first
    checkpoint_md.check(text, ACTIVE)
    assert len(calls) == first


def test_formats_that_read_one_text_do_not_see_each_others_items():
    doc = _markdown.parse("## Files\n\n- `src/a.py`\n")
    plain, code = listing("decisions"), listing("artifacts", code=True)
    for spec, text in ((plain, "`src/a.py`"), (code, "src/a.py"), (plain, "`src/a.py`")):
        assert [item.text for item in items_of(doc, doc.sections[0], spec)] == [text]


def test_what_was_read_of_one_text_is_never_taken_for_another():
    texts = [skill(step=step, next_actions=[step]) for step in ("a", "b", "a")]
    for text, step in zip(texts, "aba", strict=True):
        read = skill_json.read(text, SKILL)
        assert (read.stage, [item.text for item in read.next_actions]) == (step, [step])
