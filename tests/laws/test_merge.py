"""The laws of merging, over triples of checkpoints from a small world where everything overlaps."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given, settings

from laws.strategies import neighbours
from leftoff.core.merge import Merged, merge
from leftoff.core.model import RULES, Checkpoint
from leftoff.core.resolve_conflict import resolve
from leftoff.core.when import instant
from leftoff.formats import lenses, named
from support import shared

OPEN = "unresolved-conflict"
LISTS = ("decisions", "next_actions", "progress", "sessions")


@given(neighbours(), neighbours())
def test_where_the_sides_agree_or_one_changed_nothing_there_is_nothing_to_decide(
    base: Checkpoint, side: Checkpoint
):
    for ours, theirs in ((side, side), (base, side), (side, base)):
        assert merge(base, ours, theirs) == Merged(side, (), ())


@given(neighbours(), neighbours(), neighbours())
def test_what_a_side_adds_stays_what_both_have_stays_and_what_nobody_has_is_gone(
    base: Checkpoint, ours: Checkpoint, theirs: Checkpoint
):
    merged = merge(base, ours, theirs).checkpoint
    for field in LISTS:
        before, mine, other = (_keys(side, field) for side in (base, ours, theirs))
        assert (mine | other) - before | (mine & other) <= _keys(merged, field) <= mine | other


@given(neighbours(), neighbours(), neighbours())
def test_every_new_value_is_in_the_result_a_loser_or_a_conflict(
    base: Checkpoint, ours: Checkpoint, theirs: Checkpoint
):
    found = merge(base, ours, theirs)
    kept = set(_said(found.checkpoint._replace(conflicts=())))
    kept |= {leaf for loser in found.losers for leaf in _leaves(loser.path, loser.value)}
    for record in found.conflicts:
        kept |= set(_leaves(record.id, _recorded(record)))
        kept |= set(_leaves("word", record.get("word")))
    for side in (ours, theirs):
        assert set(_said(side)) - set(_said(base)) <= kept


@given(neighbours(), neighbours(), neighbours())
def test_the_sides_may_be_swapped_up_to_order(
    base: Checkpoint, ours: Checkpoint, theirs: Checkpoint
):
    assume(instant(ours.updated) != instant(theirs.updated))
    assume(ours.created == theirs.created or instant(ours.created) != instant(theirs.created))
    one, other = merge(base, ours, theirs), merge(base, theirs, ours)
    swapped = {"ours": "theirs", "theirs": "ours"}
    assert sorted(_said(one.checkpoint._replace(conflicts=()))) == sorted(
        _said(other.checkpoint._replace(conflicts=()))
    )
    assert {(x.path, repr(x.value), x.side) for x in one.losers} == {
        (x.path, repr(x.value), swapped[x.side]) for x in other.losers
    }
    assert {(x.id, x.text, x.get("side")) for x in one.conflicts} == {
        (x.id, x.text, swapped[x.get("side")]) for x in other.conflicts
    }


@given(neighbours(), neighbours(), neighbours())
def test_resolving_every_conflict_leaves_none(
    base: Checkpoint, ours: Checkpoint, theirs: Checkpoint
):
    found = merge(base, ours, theirs)
    for record in found.conflicts:
        other = "theirs" if record.get("side") == "ours" else "ours"
        kept = resolve(found.checkpoint, record.id, other)
        assert kept._replace(conflicts=()) == found.checkpoint._replace(conflicts=())
        taken = resolve(found.checkpoint, record.id, record.get("side"))
        assert record not in taken.conflicts
        again = merge(base, taken, taken)
        assert not again.conflicts
    everything = found.checkpoint
    for record in found.conflicts:
        everything = resolve(everything, record.id, record.get("side"))
    assert everything.conflicts == ()


@given(neighbours(), neighbours(), neighbours())
def test_resolving_for_the_other_side_puts_its_value_in(
    base: Checkpoint, ours: Checkpoint, theirs: Checkpoint
):
    found = merge(base, ours, theirs)
    for record in found.conflicts:
        if record.id in Checkpoint._fields:
            side = ours if record.get("side") == "ours" else theirs
            taken = resolve(found.checkpoint, record.id, record.get("side"))
            assert getattr(taken, record.id) == getattr(side, record.id)
            if record.id == "status":
                assert taken.word == side.word


@pytest.mark.parametrize("lens", lenses(), ids=lambda lens: lens.NAME)
@settings(max_examples=25)
@given(neighbours(), neighbours(), neighbours())
def test_merged_texts_can_be_read_and_break_no_rule_that_both_sides_keep(
    lens: Any, base: Checkpoint, ours: Checkpoint, theirs: Checkpoint
):
    path = lens.path(lens.hold(base))
    old = lens.write(base, "", path)
    fixed = {"id": base.id, "created": base.created}  # no save ever changes them
    mine, other = (lens.write(side._replace(**fixed), old, path) for side in (ours, theirs))
    found = merge(*(lens.read(text, path) for text in (old, mine, other)))
    text = lens.write(found.checkpoint, mine, path)
    assert lens.read(text, path) == lens.hold(found.checkpoint)
    known = _errors(lens, mine, path) | _errors(lens, other, path)
    assert _errors(lens, text, path) <= known | ({OPEN} if found.conflicts else set())
    assert lens.write(merge(*[lens.read(mine, path)] * 3).checkpoint, mine, path) == mine
    for side in (mine, other):
        added = _keys(lens.read(side, path), "decisions") - _keys(lens.read(old, path), "decisions")
        assert added <= _keys(lens.read(text, path), "decisions")


def _errors(lens: Any, text: str, path: str) -> set[str]:
    return {one.slug for one in lens.check(text, path) if one.level == "error"}


def triples() -> list[tuple[str, dict[str, str], dict[str, Any]]]:
    """The real merges: where the document stands, the text of each version, what is known of it."""
    found = []
    root = shared("samples", "opchain", "merges")
    for name in sorted(os.listdir(root)):
        texts = {}
        for version in ("base", "ours", "theirs", "META"):
            with open(os.path.join(root, name, f"{version}.json"), encoding="utf-8") as file:
                texts[version] = file.read()
        known = json.loads(texts.pop("META"))
        found.append((known["path"], texts, known))
    return found


@pytest.mark.shared
@pytest.mark.req("X.merge.valid", "X.merge.structural", "X.merge.newer-wins")
def test_every_real_merge_is_a_valid_document_with_no_conflict_but_real_ones():
    lens = named("skill")
    for path, texts, known in triples():
        base, ours, theirs = (lens.read(texts[side], path) for side in ("base", "ours", "theirs"))
        found = merge(base, ours, theirs)
        written = lens.write(found.checkpoint, texts["ours"], path)
        assert json.loads(written)
        assert lens.read(written, path) == found.checkpoint
        errors = {one.slug for one in lens.check(written, path) if one.level == "error"}
        before = {one.slug for side in ("ours", "theirs") for one in lens.check(texts[side], path)}
        assert errors <= before | ({OPEN} if found.conflicts else set())
        if set(known["conflict_paths"]) <= {"step", "progress_summary"}:
            assert found.conflicts == (), path


def _keys(checkpoint: Checkpoint, field: str) -> set[str]:
    return {item.key for item in getattr(checkpoint, field)}


def _said(checkpoint: Checkpoint) -> Iterator[tuple[str, str]]:
    """Every scalar in a checkpoint, with the field it stands in."""
    for field, value in zip(Checkpoint._fields, checkpoint, strict=True):
        yield from _leaves(field, value)


def _leaves(path: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for member in value.values():
            yield from _leaves(path, member)
    elif isinstance(value, list | tuple):
        for member in value:
            yield from _leaves(path, member)
    elif value != "":
        field = path.partition(".")[0]
        yield field if field in RULES else "extra", repr(value)


def _recorded(record: Any) -> Any:
    return json.loads(record.text) if record.attrs.get("json") else record.text
