"""The published figures of the redactor, and that its corpus is what they say it is."""

from __future__ import annotations

import os
import re

import pytest

from redaction_corpus import FOLDER, HELD, TUNE, corpus, score
from support import ROOT

LEAST = 0.98


def test_the_corpus_is_as_large_and_as_mixed_as_published():
    samples = corpus()
    assert len([one for one in samples if one.secrets]) >= 600
    assert len({one.kind for one in samples if one.secrets}) >= 60
    assert len([one for one in samples if not one.secrets]) >= 2000
    assert all(len(corpus(part)) > 1500 for part in (TUNE, HELD))
    assert corpus() == samples


def test_no_file_of_the_corpus_holds_what_the_redactor_takes_for_a_provider_s_key():
    for name in os.listdir(FOLDER):
        with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
            assert not re.search(r"[A-Za-z0-9]{40}", file.read())


@pytest.mark.parametrize("part", [TUNE, HELD])
def test_recall_and_precision_hold_in_each_part(part):
    told = score(part)
    assert told.recall >= LEAST, told.wrong
    assert told.precision >= LEAST, told.wrong


def test_the_figures_in_the_documentation_are_those_of_the_held_out_part():
    told = score(HELD)
    with open(os.path.join(ROOT, "docs", "redaction.md"), encoding="utf-8") as file:
        text = file.read()
    secrets = told.found + told.missed.total()
    assert (
        f"| held out | {secrets} | {told.friends} | {told.recall:.3f} | {told.precision:.3f} |"
        in text
    )
