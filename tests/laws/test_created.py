"""The law of every command that makes a document: what it makes, `validate` finds no error in."""

from __future__ import annotations

import ast
import glob
import json
import os
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given

import leftoff.commands
from histories import HOUR, NOW, Talk, ident
from laws.strategies import checkpoints
from leftoff.commands._new_document import prepared, texts_of
from leftoff.core.model import Checkpoint, Item
from leftoff.formats import kinds, named, parts
from leftoff.world.store import Store
from projects import do, get, put_markdown, put_skill, put_thread
from unsaved import killed

KINDS = ("md", "skill", "task", "thread")
WORKED, TALKED = ident(1), ident(2)
SAVES = (
    ("save",),
    ("save", "Half done"),
    ("save", "--next", "Go on", "--blocker", "Which bank?", "--needs-decision", "--question", "Q?"),
    ("save", "--decision", "- a\n- b", "--file", "a|b.py", "--tests", "1 failed"),
    ("save", "--problem", "## No heading"),
)
OTHERS = (
    ("recover", WORKED),
    ("recover", TALKED),
    ("session", "keep", WORKED, "--name", "made"),
    ("session", "keep", TALKED, "--name", "made"),
)
BEGINNINGS = (
    ("init", "made", "--problem", "It fails"),
    ("init", "oc-made", "--as", "skill"),
    ("recover", WORKED, "--thread", "Login"),
    ("thread", "enable", "Login"),
    ("update", "oc-made", "--progress_summary=begun"),
)
WITHOUT = {"leftoff.commands._team_take"}
"""Copies what somebody else wrote, byte for byte; tests/postgres shows it."""


@pytest.fixture
def root(root: str) -> str:
    """A project with a session that worked and was killed, and one that was only asked."""
    killed(1, root)
    Talk(2, root).ask(3 * HOUR, "hello there").save()
    return root


@pytest.fixture
def makers(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The modules that made a document in the test."""
    seen = set[str]()
    create = Store.create

    def watched(*args: Any, **more: Any) -> Any:
        seen.add(sys._getframe(1).f_globals["__name__"])
        return create(*args, **more)

    monkeypatch.setattr(Store, "create", watched)
    return seen


def errors(root: str) -> dict[str, list[str]]:
    """What validate says is wrong, by document; there has to be one."""
    documents = json.loads(do(root, "validate", "--json").stdout)["data"]["documents"]
    assert documents
    wrong = {
        one["path"]: [f["text"] for f in one["findings"] if f["level"] == "error"]
        for one in documents
    }
    return {path: texts for path, texts in wrong.items() if texts}


def made(root: str, *words: str) -> dict[str, list[str]]:
    done = do(root, *words)
    assert done.returncode == 0, done.stderr
    return errors(root)


def saving(words: tuple[str, ...], kind: str) -> tuple[str, ...]:
    return (*words, "--as", kind, *(("--name", "made") if kind != "thread" else ()))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("words", SAVES, ids=" ".join)
def test_what_a_save_makes_is_valid_and_stays_so_with_the_next(root, words, kind):
    assert made(root, *saving(words, kind)) == {}
    assert made(root, *saving(words, kind)) == {}


@pytest.mark.parametrize("kind", ["md", "skill", "thread"])  # a task save is never drafted
def test_what_a_save_drafts_is_valid(root, kind):
    assert made(root, *saving(("save", "--draft", "--session", WORKED), kind)) == {}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("words", OTHERS, ids=" ".join)
def test_what_is_made_of_a_session_is_valid(root, words, kind):
    assert made(root, *words, "--as", kind) == {}


@pytest.mark.parametrize("words", BEGINNINGS, ids=" ".join)
def test_what_begins_is_valid(root, words):
    assert made(root, *words) == {}


def test_the_draft_outside_of_the_project_is_valid(root):
    path = json.loads(do(root, "recover", WORKED, "--json").stdout)["data"]["saved"]
    assert [f for f in named("task").check(get("/", path), path) if f.level == "error"] == []


SOURCES = {
    "md": lambda root: put_markdown(root, "source"),
    "skill": lambda root: put_skill(root, "source", status="blocked", blockers=["No key"]),
    "thread": put_thread,
}


@pytest.mark.parametrize("source", SOURCES)
def test_a_fork_is_valid(root, source):
    before = SOURCES[source](root)
    name = "thread-1a2b3c4d" if source == "thread" else "source"
    assert made(root, "fork", name, "made").keys() <= {before}


def test_a_form_that_nobody_filled_in_is_told_so_and_its_copy_speaks(root):
    assert made(root, "init", "form").keys() == {"checkpoints/active/form.md"}
    for kind in KINDS:
        wrong = made(root, "convert", "form", "--to", kind, "--id", "made")
        assert wrong.keys() == {"checkpoints/active/form.md"}


def test_every_module_that_makes_documents_is_held_to_it(root, makers):
    assert made(root, "session", "keep", WORKED, "--name", "kept") == {}
    assert made(root, "save", "Half done", "--as", "md", "--name", "saved") == {}
    assert made(root, "update", "oc-made", "--progress_summary=begun") == {}
    assert made(root, "thread", "enable", "Login") == {}
    (lost,) = glob.glob(f"{root}/.checkpoints/threads/*/CHECKPOINT.md")
    os.remove(lost)
    assert made(root, "save", "Half done") == {}
    assert makers == _creating() - WITHOUT


def _creating() -> set[str]:
    """The modules of commands in which a store makes a document."""
    folder = os.path.dirname(leftoff.commands.__file__)
    found = set[str]()
    for name in os.listdir(folder):
        if name.endswith(".py"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                tree = ast.parse(file.read())
            if any(_creates(node) for node in ast.walk(tree)):
                found.add(f"leftoff.commands.{name[:-3]}")
    return found


def _creates(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    return node.func.attr == "create" and ast.unparse(node.func.value).endswith("store")


@pytest.mark.parametrize("kind", kinds())
@given(c=checkpoints())
def test_any_checkpoint_is_a_valid_document_of_any_format(kind: str, c: Checkpoint) -> None:
    """As `convert` makes it; what is wrong in the words of the source itself is copied with them."""
    call: Any = SimpleNamespace(now=NOW, store=SimpleNamespace(root="/home/ada/shop"))
    sound = c._replace(conflicts=(), deltas=(), progress=(), blockers=_plain(c.blockers))
    whole = prepared(call, kind, sound, "converted")
    for path, text in texts_of(kind, whole).items():
        lens = next(one for one in parts(kind) if one.path(whole) == path)
        assert [f.text for f in lens.check(text, path) if f.level == "error"] == [], text


def _plain(items: tuple[Item, ...]) -> tuple[Item, ...]:
    return tuple(one._replace(attrs={}) for one in items)
