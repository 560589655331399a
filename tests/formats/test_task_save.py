"""The text of a task save, from any notes and over any old text: its sections, and what others had."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from formats.md_strategies import documents
from leftoff.core.model import Item
from leftoff.core.task_save import Sources, in_flight
from leftoff.errors import FormatError
from leftoff.formats import task as task_md
from leftoff.formats._markdown import parse
from leftoff.formats._task_save import sources, written

PATH = f"{task_md.FOLDER}/2026-08-08-x.md"
NOTES = ".workflow_artifacts/memory/sessions/2026-08-01-x.md"
HEADINGS = [part.name for part in task_md.SPEC.parts if part.always] + ["Restore hint"]
GIVEN = {"decisions": (Item("given one"),)}
sectioned = st.tuples(documents(), documents(), documents()).map(
    lambda three: (
        f"## Unfinished work\n{three[0]}\n## Decisions made\n{three[1]}\n"
        f"## In-flight artifacts\n{three[2]}\n## Cost\n- Phase: x\n"
    )
)
texts = documents() | sectioned


def made(notes: str) -> Sources:
    return sources(notes, NOTES, "main")._replace(files=in_flight((), "x", NOTES))


@given(texts)
def test_any_notes_make_the_seeds_sections_and_a_second_save_changes_nothing(notes):
    first = written(made(notes), "", "", PATH, {})
    assert [one.title for one in parse(first.text).sections if one.level == 2] == HEADINGS
    for base in (first.fresh, ""):
        assert written(made(notes), first.text, base, PATH, {}).text == first.text


@given(texts, texts, st.booleans())
def test_over_any_old_text_what_is_given_stands_there_and_no_section_is_lost(notes, old, known):
    try:
        before = task_md.read(old, PATH)
    except FormatError:
        return
    base = written(made(notes), "", "", PATH, {}).fresh if known else ""
    done = written(made(notes), old, base, PATH, GIVEN)
    after = task_md.read(done.text, PATH)
    assert set(before.extra) <= set(after.extra)
    assert "given one" in [item.text for item in after.decisions]
    assert written(made(notes), done.text, done.fresh, PATH, GIVEN).text == done.text


def test_an_intent_that_is_given_goes_before_the_one_that_stands_there_and_that_is_told():
    first = written(made("## Unfinished work\n- a\n"), "", "", PATH, {"intent": "one"})
    said = first.text.replace("\none\n", "\ntwo\n")
    again = written(made("## Unfinished work\n- a\n"), said, first.text, PATH, {"intent": "three"})
    assert task_md.read(again.text, PATH).intent == "three"
    assert [(one.path, one.value) for one in again.losers] == [("intent", "two")]
    quiet = written(made(""), first.text, first.text, PATH, {"intent": "three"})
    assert not quiet.losers
