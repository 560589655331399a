"""The merge driver on real merges, and on the golden vectors of the first driver."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from support import run, shared

PATH = ".checkpoints/oc-x.checkpoint.json"
LOGGED_ONLY = {"step", "phase", "progress_summary", "updated_at"}
LISTS = (
    ("context_primer", "key_decisions"),
    ("context_primer", "generated_files"),
    ("progress_table",),
    ("next_actions",),
    ("blockers",),
)


def drive(folder: str, texts: tuple[str, str, str], path: str) -> tuple[int, str, str]:
    """Exit code, result and stderr of the driver."""
    for name, text in zip("oab", texts, strict=True):
        with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
            file.write(text)
    done = run("merge-driver", "o", "a", "b", path, cwd=folder)
    with open(os.path.join(folder, "a"), encoding="utf-8", newline="") as file:
        return done.returncode, file.read(), done.stderr


def at(day: int) -> dict[str, Any]:
    return {"updated_at": f"2026-01-0{day}T00:00:00Z"}


VECTORS = [
    ({"a": 1, "b": 2}, {"a": 1}, {"a": 1, "b": 2}, {"a": 1}, []),
    ({"a": 1, "b": 2}, {"a": 1}, {"a": 1, "b": 3}, {"a": 1}, ["b"]),
    ({"a": 1}, {"a": 1, "l": [1]}, {"a": 1, "l": [2]}, {"a": 1, "l": [1]}, ["l"]),
    (
        {"a": 1},
        {"a": 1, "l": {"x": 1}},
        {"a": 1, "l": {"y": 2}},
        {"a": 1, "l": {"x": 1, "y": 2}},
        [],
    ),
    (None, {"a": 1, "c": 1}, {"a": 1, "b": 2}, {"a": 1, "c": 1, "b": 2}, []),
    # The first driver sorts keys as base, ours, theirs; here our document keeps its own order.
    (
        {"z": 1, "a": 1},
        {"z": 1, "n": 0, "a": 1},
        {"z": 1, "a": 1, "k": 5},
        {"z": 1, "n": 0, "a": 1, "k": 5},
        [],
    ),
    ({"a": {"x": 1}}, {"a": {"y": 1}}, {"a": {"x": 1, "q": 2}}, {"a": {"y": 1, "q": 2}}, []),
    # The first driver took {} and [] for equal, and lost a streak that one side alone changed.
    ({"a": 1}, {"a": {}}, {"a": []}, {"a": {}}, ["a"]),
    (
        {**at(1), "skill_state": {"streak": 1, "n": 0}},
        {**at(3), "skill_state": {"streak": 1, "n": 1}},
        {**at(2), "skill_state": {"streak": 9, "n": 0}},
        {**at(3), "skill_state": {"streak": 9, "n": 1}},
        [],
    ),
    (
        {**at(1), "skill_state": {"streak": 1}},
        {**at(3), "skill_state": {"streak": 1}, "other": 1},
        {**at(2), "skill_state": {"streak": 9}},
        {**at(3), "skill_state": {"streak": 9}, "other": 1},
        [],
    ),
]


@pytest.mark.req("X.merge.valid", "X.merge.structural", "X.merge.base-first")
@pytest.mark.parametrize("vector", VECTORS, ids=range(len(VECTORS)))
def test_the_golden_vectors_hold_with_their_bugs_fixed(tmp_path, vector):
    base, ours, theirs, result, conflicts = vector
    texts = ("" if base is None else json.dumps(base), json.dumps(ours), json.dumps(theirs))
    code, text, said = drive(os.fspath(tmp_path), texts, PATH)
    merged = json.loads(text)
    records = merged.pop("conflicts", [])
    assert json.dumps(merged) == json.dumps(result)  # the order of keys too
    assert [record["path"] for record in records] == conflicts
    assert code == (1 if conflicts else 0)
    assert all(f"both sides changed {path}" in said for path in conflicts)


def test_the_golden_vector_of_a_broken_side_has_textual_markers(tmp_path):
    code, text, said = drive(os.fspath(tmp_path), ('{"a":1}\n', '{"a":2}\n', "{\n"), PATH)
    assert code == 1
    assert text == '<<<<<<< ours\n{"a":2}\n=======\n{\n>>>>>>> theirs\n'
    assert PATH in said


def triples() -> list[tuple[dict[str, Any], tuple[str, str, str]]]:
    """What is known of each real merge, and its three texts."""
    root = shared("samples", "opchain", "merges")
    return [
        (json.loads(_text(root, name, "META")), tuple(_text(root, name, v) for v in VERSIONS))  # type: ignore[misc]
        for name in sorted(os.listdir(root))
    ]


VERSIONS = ("base", "ours", "theirs")


def _text(root: str, name: str, version: str) -> str:
    with open(os.path.join(root, name, f"{version}.json"), encoding="utf-8") as file:
        return file.read()


def items(document: dict[str, Any], place: tuple[str, ...]) -> dict[str, Any]:
    """The entries of a list by what makes them the same: id, else text, else all of it."""
    value: Any = document
    for key in place:
        value = value.get(key, {})
    return {_identity(entry): entry for entry in value or ()}


def _identity(entry: Any) -> str:
    if isinstance(entry, dict):
        entry = entry.get("id") or entry.get("text") or json.dumps(entry, sort_keys=True)
    return " ".join(str(entry).replace("*", "").replace("_", "").replace("`", "").split()).lower()


@pytest.mark.shared
@pytest.mark.req("X.merge.valid", "X.merge.lists", "X.merge.newer-wins", "X.merge.structural")
def test_every_real_merge_is_valid_and_loses_nothing_that_a_side_added(tmp_path, home):
    found = triples()
    assert len(found) >= 8
    for known, texts in found:
        code, text, said = drive(os.fspath(tmp_path), texts, known["path"])
        merged = json.loads(text)
        base, ours, theirs = map(json.loads, texts)
        for place in LISTS:
            before, after = items(base, place), items(merged, place)
            for side in (ours, theirs):
                added = items(side, place).keys() - before.keys()
                assert added <= after.keys(), (known["merge"], place)
        opened = [record["path"] for record in merged.get("conflicts", ())]
        assert not LOGGED_ONLY & set(opened)
        assert code == (1 if opened else 0), said
        if set(known["conflict_paths"]) <= LOGGED_ONLY:
            assert (code, opened) == (0, []), known["merge"]


@pytest.mark.shared
@pytest.mark.req("X.merge.newer-wins")
def test_the_older_step_and_summary_of_every_real_merge_are_in_the_log(tmp_path, home):
    log = os.path.join(home, "state", "leftoff", "merges.jsonl")
    for known, texts in triples():
        drive(os.fspath(tmp_path), texts, known["path"])
        base, ours, theirs = map(json.loads, texts)
        newer, older = sorted((ours, theirs), key=lambda side: side["updated_at"], reverse=True)
        logged = _values(log)
        for key in ("step", "progress_summary"):
            if older[key] not in (base[key], newer[key]) and newer[key] != base[key]:
                assert older[key] in logged


def _values(log: str) -> list[Any]:
    with open(log, encoding="utf-8") as file:
        return [json.loads(line)["value"] for line in file]
