"""The store with the real formats: real documents of all of them, and every way to be broken."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from leftoff.errors import FormatError
from leftoff.world.place import Place
from leftoff.world.store import Store
from support import shared, snapshot
from world.fake_lens import lay

SKILL = {
    "protocol_version": "1.0",
    "skill": "oc-a",
    "project": "p",
    "project_dir": ".",
    "created_at": "2026-01-01T00:00:00Z",
    "updated_at": "2026-01-02T00:00:00Z",
    "phase": "build",
    "step": "one",
    "status": "in_progress",
    "progress_summary": "Half of it works.",
    "next_actions": ["Do the other half."],
}
MARKDOWN = """---
checkpoint: chk-b
created: 2026-01-01T00:00:00Z
anchor: phase-1
status: active
---

## Problem

It does not work.

## Session Intent

Make it work.
"""


@pytest.fixture
def store(root, state) -> Store:
    return Store(Place(root, ""), state)


def _text(**changes: object) -> str:
    return json.dumps(SKILL | changes, indent=2) + "\n"


BROKEN = {
    "no JSON": _text()[:-40],
    "merge markers": "<<<<<<< ours\n" + _text() + "=======\n" + _text() + ">>>>>>> theirs\n",
    "null": "null\n",
    "a list": "[]\n",
    "empty": "",
    "not UTF-8": _text().encode().replace(b"Half", b"Hal\xff"),
    "NUL bytes": b"\0" * 100,
    "deep": '{"a":' * 100_000,
}


@pytest.mark.req("X.read.broken-reported")
@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_one_broken_document_of_three_is_named_and_hides_none(store: Store, content):
    bad = ".checkpoints/oc-bad.checkpoint.json"
    lay(
        store.root,
        {
            ".checkpoints/oc-a.checkpoint.json": _text(),
            bad: content,
            "checkpoints/active/chk-b.md": MARKDOWN,
        },
    )
    streams = {stream.glance.path: stream for stream in store.streams()}
    assert len(streams) == 3
    shown = streams.pop(bad)
    assert shown.glance.broken
    assert shown.glance.id == "oc-bad"
    assert [(finding.slug, finding.level) for finding in shown.findings] == [("broken", "error")]
    assert [stream.glance.broken for stream in streams.values()] == ["", ""]
    with pytest.raises(FormatError) as caught:
        store.read(bad)
    assert caught.value.where == bad


@pytest.mark.req("X.read.broken-reported")
@pytest.mark.parametrize("changes", [{"next_actions": [None]}, {"status": 7}], ids=str)
def test_wrong_types_in_a_document_are_errors_and_no_crash(store: Store, changes):
    lay(store.root, {".checkpoints/oc-a.checkpoint.json": _text(**changes)})
    [stream] = store.streams()
    assert any(finding.level == "error" for finding in stream.findings)


@pytest.mark.req("X.write.own-files", "X.index.disposable")
def test_real_projects_of_all_formats_are_read_and_left_as_they_are(store: Store):
    samples = {
        ("opchain", "head"): ".checkpoints",
        ("hapi-thread", "MCP-Nexus-19294d38", "dot-checkpoints"): ".checkpoints",
        ("coihuin", "f62542c2"): "checkpoints",
        ("quoin", "memory"): ".workflow_artifacts/memory",
    }
    for parts, place in samples.items():
        target = os.path.join(store.root, place)
        shutil.copytree(shared("samples", *parts), target, dirs_exist_ok=True)
        for folder, _, _ in os.walk(target):
            os.chmod(folder, 0o755)
    before = snapshot(store.root)
    streams = store.streams()
    assert {stream.glance.format for stream in streams} == {"skill", "thread", "md", "task"}
    assert not any(stream.glance.broken for stream in streams)
    assert store.streams() == streams
    shutil.rmtree(store.state)
    assert store.streams() == streams
    assert snapshot(store.root) == before
