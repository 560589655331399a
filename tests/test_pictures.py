"""The picture of the demo shows what the program shows, and asks nobody for anything."""

from __future__ import annotations

import importlib.util
import os
import re
from xml.etree import ElementTree as ET

import pytest

from support import ROOT


@pytest.fixture
def pictures(monkeypatch):
    """docs/_pictures.py, which is a script beside the pages; what it sets is put back."""
    for name in ("COLUMNS", "TERM", "NO_COLOR"):
        monkeypatch.setenv(name, os.environ.get(name, "1"))
    path = os.path.join(ROOT, "docs", "_pictures.py")
    spec = importlib.util.spec_from_file_location("docs_pictures", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_picture_of_the_demo_is_up_to_date(pictures):
    assert not pictures.outdated(), "run make docs"


def test_it_is_small_well_formed_and_fetches_nothing(pictures):
    with open(pictures.PICTURE, encoding="utf-8") as file:
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
