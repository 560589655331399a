"""The pictures of the docs show what the program does, and ask nobody for anything."""

from __future__ import annotations

import os
import re
from glob import glob
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest

from support import ROOT, module_at

DRAWN = sorted(glob(os.path.join(ROOT, "docs", "pictures", "*.svg")))


def script(name: str) -> ModuleType:
    """A script beside the pages."""
    return module_at("docs", f"{name}.py")


@pytest.fixture
def pictures(monkeypatch):
    """docs/_pictures.py; what it sets is put back."""
    for name in ("COLUMNS", "TERM", "NO_COLOR"):
        monkeypatch.setenv(name, os.environ.get(name, "1"))
    return script("_pictures")


@pytest.fixture(scope="module")
def architecture() -> ModuleType:
    return script("_architecture")


def test_the_picture_of_the_demo_is_up_to_date(pictures):
    assert not pictures.outdated(), "run make docs"


def test_the_pictures_of_the_code_are_up_to_date(architecture):
    assert not [*architecture.outdated()], "run make docs"


@pytest.mark.parametrize("path", DRAWN, ids=os.path.basename)
def test_a_picture_is_small_well_formed_and_fetches_nothing(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert len(text.encode()) < 60_000
    assert ET.fromstring(text).tag.endswith("svg")
    assert set(re.findall(r"https?://[^\"\s]+", text)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"@import|url\(|<script|<image|<foreignObject", text)
    assert "prefers-color-scheme: dark" in text


def test_hostile_text_stays_text_and_long_lines_fold(pictures):
    drawn = pictures.svg("<script>alert(1)</script>\n" + "x" * 200)
    assert "<script>" not in drawn
    assert drawn.count("<text ") == 4
    ET.fromstring(drawn)


def test_a_way_names_what_crosses_layers_and_counts_what_works_beneath(architecture):
    steps = [
        ("leftoff.entry.cli", "main", "leftoff.__main__"),
        ("leftoff.commands.next", "run", "leftoff.entry.cli"),
        ("leftoff.core.when", "stamp", "leftoff.commands.next"),
        ("leftoff.world.store", "read", "leftoff.commands.next"),
        ("leftoff.world.scan", "look", "leftoff.world.store"),
        ("leftoff.world.files", "read", "leftoff.world.scan"),
        ("leftoff.core.rank", "rank", "leftoff.commands.next"),
        ("leftoff.errors", "__init__", "leftoff.core.rank"),
    ]
    assert architecture.shown(steps) == [
        ("leftoff.entry.cli", 0),
        ("leftoff.commands.next", 0),
        ("leftoff.world.store", 2),
        ("leftoff.core.rank", 0),
    ]


def test_imports_are_counted_between_layers_by_pairs_of_modules(architecture):
    texts = {
        "leftoff.core.a": "from leftoff.core import b",
        "leftoff.core.b": "from leftoff.record import Record",
        "leftoff.world.c": "from leftoff.core import a, b\ndef f():\n    import leftoff.core.a",
        "leftoff.record": "",
        "leftoff.core": "",
    }
    trees = {name: architecture.ast.parse(text) for name, text in texts.items()}
    below = architecture.BELOW
    assert architecture.imports(trees) == {("world", "core"): 2, ("core", below): 1}


def test_every_module_that_the_page_names_is_there():
    with open(os.path.join(ROOT, "docs", "architecture.md"), encoding="utf-8") as file:
        named = re.findall(
            r"`((?:core|world|formats|agents|commands|entry)/\w+)(?:\.py)?`", file.read()
        )
    assert len(named) > 20
    assert not [one for one in named if not os.path.exists(f"{ROOT}/src/leftoff/{one}.py")]
