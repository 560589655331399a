"""Reads the guide: documents and skills, which lie beside the code in every installation."""

from __future__ import annotations

import os

import leftoff
from leftoff.core.guide import SCHEMA
from leftoff.world.files import decode, read_bytes

FOLDER = "guide"
ENGLISH = "en"


def document(topic: str, lang: str) -> str:
    """The text of a topic, in this language; for the schema with the schema and a sample in it."""
    text = _read(lang or ENGLISH, f"{topic}.md")
    if topic == SCHEMA:
        parts = (_read("thread.schema.json"), _read("thread.sample.json"))
        text += "".join(f"\n```json\n{part}```\n" for part in parts)
    return text


def skill(name: str) -> str:
    """The text of a skill's file, under its own name."""
    return _read("skills", f"{name}.md")


def _read(*parts: str) -> str:
    path = os.path.join(leftoff.__path__[0], FOLDER, *parts)
    return decode(read_bytes(path), path)
