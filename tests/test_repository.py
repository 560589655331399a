"""What no file of the repository may hold: promises, paths of one machine, hosts of registries."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import pytest

from support import ROOT

THIS_FILE = os.path.basename(__file__)
LEFT_BY_TOOLS = {"__pycache__", ".hypothesis", "actual"}
UNWANTED = {
    "a promise instead of work": re.compile(r"(#|<!--|//) *TODO|TODO:|\b(FIXME|XXX)\b"),
    "a path of one machine": re.compile(r"(?<![\w.~*>-])/(work|root|tmp/lo)(?=[/\s\"'`]|$)"),
    "a host of a package registry": re.compile(r"pypi\.|pythonhosted|npmjs"),
}


def committed() -> Iterator[str]:
    """The text files of the repository that people write, but this one, which holds the examples."""
    for top in ("src", "tests", "docs", "bench", ".ci"):
        for place, folders, names in os.walk(os.path.join(ROOT, top)):
            folders[:] = [name for name in folders if name not in LEFT_BY_TOOLS]
            yield from (os.path.join(place, name) for name in names if name != THIS_FILE)
    for name in sorted(os.listdir(ROOT)):
        if name.endswith((".md", ".toml")) or name == "Makefile":
            yield os.path.join(ROOT, name)


def unwanted(text: str) -> list[str]:
    """What in a text does not belong into a repository, with its line."""
    return [
        f"{number}: {what}: {line.strip()[:80]}"
        for number, line in enumerate(text.split("\n"), 1)
        for what, pattern in UNWANTED.items()
        if pattern.search(line)
    ]


def test_no_file_holds_a_promise_a_path_of_one_machine_or_a_registry():
    found = [
        f"{os.path.relpath(path, ROOT)}:{line}"
        for path in committed()
        if not path.endswith(".png")  # a picture has no lines
        for line in unwanted(_text(path))
    ]
    assert not found, "\n".join(found)


def _text(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


@pytest.mark.parametrize(
    "line",
    [
        "# TODO later",
        "FIXME",
        f"ROOT = {os.sep}{'krow'[::-1]}/main",
        "cd /root",
        "--index-url https://pypi.example/simple",
    ],
)
def test_an_unwanted_line_is_found(line: str):
    assert unwanted(f"fine\n{line}\n")


@pytest.mark.parametrize(
    "line", ["a todo list", "# no TODO here", "the network/work/folder", "~/work/x", "rootless"]
)
def test_a_harmless_line_is_not(line: str):
    assert not unwanted(line)
