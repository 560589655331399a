"""Small formats for tests of the store: `#name`, then `key: value` lines, `- decision` lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from leftoff import formats
from leftoff.core.model import Checkpoint, Finding, Item
from leftoff.core.when import instant
from leftoff.errors import FormatError

A = ".checkpoints/a.checkpoint.json"
B = "checkpoints/active/b.md"
NOW = instant("2026-11-15T12:00:00Z") or 0.0
KEYS = ("id", "updated", "status", "summary", "intent", "branch")


def fake(name: str, *patterns: str) -> SimpleNamespace:
    """A lens whose documents begin with `#name`."""
    head = f"#{name}"

    def mine(text: str, path: str) -> bool:
        return text.removeprefix("\ufeff").startswith(head)

    def read(text: str, path: str) -> Checkpoint:
        said: dict[str, str] = {}
        items: dict[str, list[Item]] = {"- ": [], "! ": []}
        for number, line in enumerate(text.removeprefix("\ufeff").splitlines()[1:], 2):
            key, colon, value = line.partition(": ")
            if line[:2] in items:
                items[line[:2]].append(Item(line[2:], id=line[2:] if line[0] == "!" else ""))
            elif colon and key in KEYS:
                said[key] = value
            else:
                raise FormatError(f'"{line}" is no line of {name}', line=number)
        return Checkpoint(
            **{"id": "", **said}, decisions=tuple(items["- "]), conflicts=tuple(items["! "])
        )

    def write(c: Checkpoint, old: str, path: str) -> str:
        end = "\r\n" if "\r\n" in old else "\n"
        mark = "\ufeff" if old.startswith("\ufeff") else ""
        lines = [head, *(f"{key}: {getattr(c, key)}" for key in KEYS if getattr(c, key))]
        lines += [f"- {item.text}" for item in c.decisions]
        lines += [f"! {item.id}" for item in c.conflicts]
        return mark + "".join(line + end for line in lines)

    def check(text: str, path: str) -> list[Finding]:
        try:
            c = read(text, path)
        except FormatError as error:
            return [Finding("broken", "error", "", error.message, line=error.line)]
        found = [] if c.summary else [Finding("no-summary", "error", "summary", "is missing")]
        return found + [Finding("conflict", "error", item.id, "is open") for item in c.conflicts]

    return SimpleNamespace(
        NAME=name,
        PATTERNS=patterns,
        HOLDS={},
        STAMPS=True,
        mine=mine,
        read=read,
        write=write,
        check=check,
        hold=lambda c: c,
        path=lambda c: patterns[0].replace("*", c.id),
    )


LENSES = {
    "skill": fake("skill", ".checkpoints/*.checkpoint.json"),
    "md": fake("md", "checkpoints/active/*.md", "checkpoints/archive/*.md"),
    "thread.json": fake("thread.json", ".checkpoints/threads/*/thread.json"),
    "thread": fake("thread", ".checkpoints/threads/*/CHECKPOINT.md"),
}


def install(patch: pytest.MonkeyPatch) -> None:
    """Make these the only formats there are."""
    for name, lens in LENSES.items():
        patch.setitem(sys.modules, module(name), lens)
    patch.setattr(formats, "names", lambda: sorted(LENSES))


def module(name: str) -> str:
    """The module of a format."""
    return f"{formats.__name__}.{name.replace('.', '_')}"


def note(name: str = "skill", **said: str) -> str:
    """A valid document."""
    fields = {"id": "a", "status": "in_progress", "summary": "fine", **said}
    return f"#{name}\n" + "".join(f"{key}: {value}\n" for key, value in fields.items())


def lay(root: str, files: dict[str, str | bytes]) -> None:
    """Put files into a project."""
    for path, content in files.items():
        target = os.path.join(root, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)


def contents(root: str, path: str) -> str:
    """The text of a project's file, byte for byte."""
    with open(os.path.join(root, path), "rb") as file:
        return file.read().decode()


def adding(line: str) -> Callable[[str], str]:
    """A change that adds a line."""
    return lambda text: text + line


def everything(root: str) -> dict[str, str]:
    """All files below a folder, and what is in them."""
    walked = os.walk(root)
    paths = [os.path.join(folder, name) for folder, _, names in walked for name in names]
    return {os.path.relpath(path, root): contents("/", path) for path in paths}
