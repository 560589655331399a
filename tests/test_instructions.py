"""The everyday paths do not grow costlier unnoticed: instructions are counted, no clock is read."""

from __future__ import annotations

import json
import shutil

import pytest

from instructions import EVENTS, RECORD, STATUS, build, collected, counted, verdict

KNOWN = {
    "margin": 1.1,
    "counts": {"a": {"bare": 100, "status": 300}, "b": {"bare": 50, "status": 140}},
}


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind absent")
def test_the_hook_and_status_execute_no_more_instructions_than_recorded(tmp_path):
    with open(RECORD, encoding="utf-8") as file:
        record = json.load(file)
    counts = counted(str(tmp_path))
    paths = (STATUS, *(f"hook {event}" for event in EVENTS))
    costlier = [why for path in paths if (why := verdict(path, counts, record, build()))]
    assert not costlier, f"if it has to be so: python tests/instructions.py\n{costlier}"


def test_a_known_build_is_held_to_its_own_record():
    assert not verdict("status", {"bare": 1, "status": 330}, KNOWN, "a")
    assert "1.11 x the 300" in verdict("status", {"bare": 1, "status": 333}, KNOWN, "a")


def test_an_unknown_build_is_held_to_the_largest_known_ratio_to_the_bare_interpreter():
    assert not verdict("status", {"bare": 1000, "status": 3300}, KNOWN, "c")
    assert "1.11 x the 3,000" in verdict("status", {"bare": 1000, "status": 3330}, KNOWN, "c")


def test_the_count_is_read_from_what_callgrind_says():
    said = (
        "==7== Events    : Ir\n==7== Collected : 27656080\n==7==\n==7== I   refs:      27,656,080\n"
    )
    assert collected(said) == 27_656_080
    with pytest.raises(ValueError, match="told no count"):
        collected("==7== Process terminating\n")
