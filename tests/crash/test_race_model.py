"""The reference that the races are compared with sees what is lost, doubled, moved or made up."""

from __future__ import annotations

import importlib
import os

import pytest

from support import ROOT

DECISION = "--context_primer.key_decisions+="
DONE = (
    ("update", "word1x1", ("update", "checkout", f"{DECISION}word1x1")),
    ("update", "word2x1", ("update", "checkout", f"{DECISION}word2x1")),
    ("update", "word1x2", ("update", "checkout", f"{DECISION}word1x2")),
    ("delta", "word1x3", ("delta", "search", "--what", "word1x3")),
    ("save", "word1x4", ("save", "--decision", "word1x4", "--no-draft")),
    ("rotate", "word1x5", ("update", "checkout", "--skill_state.runs+=word1x5")),
    ("", "", ("prune", "checkout", "--rotate", "runs")),
    ("", "", ("update", "checkout", "--next_actions+=A step")),
    ("", "", ("done", "checkout")),
)


@pytest.fixture
def raced(tmp_path, monkeypatch):
    """What the model says of the project; the text of a document in it, before and after."""
    monkeypatch.syspath_prepend(os.path.join(ROOT, "torture"))
    model, stage = map(importlib.import_module, ("race_model", "stage"))
    folder = os.fspath(tmp_path)
    stage.lay_project(folder)
    for _, _, words in DONE:
        stage.must(folder, *words)
    said = [model.Said(name, word, True) for name, word, _ in DONE if word]
    path = os.path.join(stage.project(folder), model.CHECKOUT)

    def differences(old: str = "", new: str = "", refused: str = "") -> list[str]:
        text = stage.read(path).decode()
        assert old in text
        stage.write(path, text.replace(old, new, 1))
        told = [one._replace(done=one.word != refused) for one in said]
        return list(model.differences(folder, told, added=1, done=1))

    return differences


def test_what_was_done_in_order_is_what_the_model_says(raced):
    assert raced() == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"word2x1",', "", "update of writer 2: [] instead of ['word2x1']"),
        ('"word2x1",', '"word2x1", "word2x1",', "instead of ['word2x1']"),
        ('"word1x1",', '"word1x2", "word1x1",', "instead of ['word1x1', 'word1x2']"),
        ('"A step"', '"A step", "A step"', "3 actions are open, instead of 2"),
        ('"skill_state": {', '"skill_state": {"runs": ["word1x5"], "x": 0', "too many"),
    ],
    ids=["lost", "twice", "order", "actions", "rotated and there"],
)
def test_a_document_that_differs_is_found(raced, old, new, told):
    assert told in "\n".join(raced(old, new))


def test_a_word_of_a_command_that_was_refused_is_found(raced):
    assert raced(refused="word2x1") == ["update of writer 2: ['word2x1'] instead of []"]
