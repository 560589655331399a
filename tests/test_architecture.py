"""The shape of the code, held by its syntax trees: layers, purity, who prints, sizes.

Each rule is a function from a module to what it finds wrong there; each is shown to find a
planted offence, so that a rule that went blind does not pass for a clean code base.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import pytest

from support import SOURCE

# From the bottom up; a module may import from its own folder and from lower ranks.
RANKS = {
    "errors": 0,
    "record": 0,
    "locale": 0,
    "core": 1,
    "formats": 2,
    "agents": 2,
    "world": 3,
    "commands": 4,
    "entry": 5,
    "__main__": 6,
}
PURE = {"core", "formats", "agents"}
IMPURE_MODULES = {
    *("asyncio", "builtins", "ctypes", "fcntl", "getpass", "glob", "http", "io", "linecache"),
    *("locale", "logging", "mmap", "multiprocessing", "os", "pathlib", "platform", "posix", "pwd"),
    *("random", "secrets", "select", "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess"),
    *("sys", "tempfile", "termios", "threading", "urllib", "uuid"),
}
IMPURE_CALLS = {"open", "print", "input", "exec", "eval", "breakpoint", "__import__"}
STREAMS = {"sys.stdin", "sys.stdout", "sys.stderr"}
CLOCK = {"time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "sleep", "localtime"}
# Discovery lists its own folder and imports from it; a pure layer asks nothing else of the disk.
DISCOVERY = {name: {"os", "__import__"} for name in ("leftoff.formats", "leftoff.agents")}
CATCHES_ALL = {
    *("leftoff.entry.cli", "leftoff.entry.hook", "leftoff.entry.follow"),
    "leftoff.entry.mcp.answers",
}
VALUES = {"Record", "Protocol"}
LONGEST_FUNCTION, LONGEST_FILE = 60, 400


class Module(NamedTuple):
    name: str
    source: str
    is_package: bool = False

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.source)

    @property
    def layer(self) -> str:
        return layer_of(self.name)


class Import(NamedTuple):
    target: str
    names: tuple[str, ...]
    line: int
    for_types_only: bool


def layer_of(name: str) -> str:
    """The folder (or single file) right below the package; empty for the package itself."""
    return [*name.split("."), ""][1]


Rule = Callable[[Module], Iterator[str]]


def package() -> list[Module]:
    """Every module of leftoff."""
    walked = os.walk(os.path.join(SOURCE, "leftoff"))
    files = (os.path.join(place, name) for place, _, names in walked for name in names)
    return [_module(path) for path in sorted(files) if path.endswith(".py")]


def _module(path: str) -> Module:
    dotted = os.path.relpath(path, SOURCE)[: -len(".py")].replace(os.sep, ".")
    return Module(dotted.removesuffix(".__init__"), _text(path), dotted.endswith("__init__"))


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def imports(module: Module) -> Iterator[Import]:
    """What a module imports, at its top or inside a function."""
    tree = module.tree
    typed = {id(node) for block in _type_blocks(tree) for node in ast.walk(block)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, (), node.lineno, id(node) in typed)
        elif isinstance(node, ast.ImportFrom):
            target = _absolute(module, node)
            names = tuple(alias.name for alias in node.names)
            yield Import(target, names, node.lineno, id(node) in typed)


def _type_blocks(tree: ast.Module) -> Iterator[ast.stmt]:
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            yield from node.body


def _absolute(module: Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    parts = module.name.split(".")
    base = parts[: len(parts) - node.level + module.is_package]
    return ".".join([*base, *filter(None, [node.module])])


def imports_point_down(module: Module) -> Iterator[str]:
    for one in imports(module):
        for target in _inside(one):
            layer, own = layer_of(target), RANKS.get(module.layer, 0)
            if layer != module.layer and RANKS.get(layer, -1) >= own:
                yield f"{module.name}:{one.line} imports {target}"


def _inside(one: Import) -> list[str]:
    """The modules of leftoff that an import names: `from leftoff import core` names a folder."""
    if one.target == "leftoff":
        return [f"leftoff.{name}" for name in one.names]
    return [one.target] if one.target.startswith("leftoff.") else []


def does_no_io(module: Module) -> Iterator[str]:
    if module.layer not in PURE:
        return
    allowed = DISCOVERY.get(module.name, set())
    for one in imports(module):
        top = one.target.split(".")[0]
        if not one.for_types_only and top in IMPURE_MODULES - allowed:
            yield f"{module.name}:{one.line} imports {one.target}"
        if top == "time" and (not one.names or CLOCK & set(one.names)):
            yield f"{module.name}:{one.line} reads the clock"
    for name, line in _calls(module):
        if name in IMPURE_CALLS - allowed:
            yield f"{module.name}:{line} calls {name}()"


def only_entry_prints(module: Module) -> Iterator[str]:
    if module.layer in {"entry", "__main__"}:
        return
    for name, line in _calls(module):
        if name in {"print", "input"}:
            yield f"{module.name}:{line} calls {name}()"
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node) in STREAMS:
            yield f"{module.name}:{node.lineno} uses {ast.unparse(node)}"
    for one in imports(module):
        if one.target == "sys" and {f"sys.{name}" for name in one.names} & STREAMS:
            yield f"{module.name}:{one.line} imports {one.names} of sys"


def _calls(module: Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, node.lineno


def catches_narrowly(module: Module) -> Iterator[str]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ExceptHandler) and module.name not in CATCHES_ALL:
            caught = ast.unparse(node.type) if node.type else "everything"
            if re.search(r"\b(everything|Exception|BaseException)\b", caught):
                yield f"{module.name}:{node.lineno} catches {caught}"


def functions_are_short(module: Module) -> Iterator[str]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or 0) - node.lineno + 1
            if lines > LONGEST_FUNCTION:
                yield f"{module.name}:{node.lineno} {node.name} has {lines} lines"


def files_are_short(module: Module) -> Iterator[str]:
    lines = module.source.count("\n")
    if lines > LONGEST_FILE:
        yield f"{module.name} has {lines} lines"


def says_what_it_is_for(module: Module) -> Iterator[str]:
    # The package itself holds its version and nothing else: every start pays for what stands there.
    if module.name != "leftoff" and module.source.strip() and not ast.get_docstring(module.tree):
        yield f"{module.name} does not open with what it is for"


def pure_layers_hold_values_only(module: Module) -> Iterator[str]:
    """A class there is a record or a protocol; things with a life of their own live in world."""
    for node in ast.walk(module.tree if module.layer in PURE else ast.Module([], [])):
        if isinstance(node, ast.ClassDef) and not VALUES & set(map(ast.unparse, node.bases)):
            yield f"{module.name}:{node.lineno} class {node.name}"


def locale_is_data(module: Module) -> Iterator[str]:
    for node in module.tree.body if module.layer == "locale" else []:
        if not isinstance(node, ast.Assign | ast.AnnAssign | ast.Expr):
            yield f"{module.name}:{node.lineno} is more than a table of texts"


RULES: list[Rule] = [
    imports_point_down,
    does_no_io,
    only_entry_prints,
    catches_narrowly,
    functions_are_short,
    files_are_short,
    says_what_it_is_for,
    pure_layers_hold_values_only,
    locale_is_data,
]

OFFENCES = [
    (imports_point_down, "leftoff.core.x", "from leftoff.world.files import read"),
    (imports_point_down, "leftoff.core.x", "def f():\n    from leftoff import commands"),
    (imports_point_down, "leftoff.core.x", "if TYPE_CHECKING:\n    import leftoff.entry.cli"),
    (imports_point_down, "leftoff.core.x", "from ..formats import lens"),
    (imports_point_down, "leftoff.formats.x", "from leftoff.agents import codex"),
    (imports_point_down, "leftoff.world.x", "import leftoff.commands.status"),
    (imports_point_down, "leftoff.commands.x", "from leftoff.entry import cli"),
    (imports_point_down, "leftoff.errors", "from leftoff.core.model import Item"),
    (does_no_io, "leftoff.core.x", "import os.path"),
    (does_no_io, "leftoff.formats.x", "from os import listdir"),
    (does_no_io, "leftoff.agents.x", "def f():\n    import subprocess"),
    (does_no_io, "leftoff.core.x", "import time"),
    (does_no_io, "leftoff.core.x", "from time import gmtime, time"),
    (does_no_io, "leftoff.formats.x", "text = open('x').read()"),
    (does_no_io, "leftoff.formats.x", "__import__('os')"),
    (only_entry_prints, "leftoff.commands.x", "print('x')"),
    (only_entry_prints, "leftoff.world.x", "answer = input()"),
    (only_entry_prints, "leftoff.commands.x", "import sys\nsys.stderr.write('x')"),
    (only_entry_prints, "leftoff.world.x", "from sys import stderr"),
    (catches_narrowly, "leftoff.world.x", "try:\n    f()\nexcept Exception:\n    pass"),
    (catches_narrowly, "leftoff.world.x", "try:\n    f()\nexcept:\n    pass"),
    (catches_narrowly, "leftoff.world.x", "try:\n    f()\nexcept (OSError, Exception):\n    pass"),
    (functions_are_short, "leftoff.core.x", "def f():\n" + "    f()\n" * LONGEST_FUNCTION),
    (files_are_short, "leftoff.core.x", "x = 1\n" * (LONGEST_FILE + 1)),
    (says_what_it_is_for, "leftoff.core.x", "x = 1\n"),
    (pure_layers_hold_values_only, "leftoff.core.x", "class Manager:\n    pass"),
    (locale_is_data, "leftoff.locale.x", "import gettext"),
]

FINE = [
    (imports_point_down, "leftoff.entry.cli", "from leftoff.commands import status"),
    (imports_point_down, "leftoff.formats.x", "from leftoff.formats._json_text import parse"),
    (imports_point_down, "leftoff.commands.x", "from leftoff import __version__"),
    (does_no_io, "leftoff.world.x", "import os\nopen('x')"),
    (does_no_io, "leftoff.formats", "from os import listdir"),
    (does_no_io, "leftoff.core.x", "from time import gmtime, strftime"),
    (only_entry_prints, "leftoff.entry.cli", "print('x')"),
    (catches_narrowly, "leftoff.entry.cli", "try:\n    f()\nexcept Exception:\n    pass"),
    (catches_narrowly, "leftoff.world.x", "try:\n    f()\nexcept OSError:\n    pass"),
    (functions_are_short, "leftoff.core.x", "def f():\n" + "    f()\n" * (LONGEST_FUNCTION - 1)),
    (only_entry_prints, "leftoff.world.x", "git.stdout.read()"),
    (says_what_it_is_for, "leftoff.core", ""),
    (pure_layers_hold_values_only, "leftoff.core.x", "class Item(Record):\n    text: str"),
    (pure_layers_hold_values_only, "leftoff.world.x", "class Store:\n    pass"),
]


def _label(value: object) -> str | None:
    return value.__name__ if callable(value) else None


@pytest.mark.parametrize("rule", RULES, ids=_label)
def test_the_code_keeps_the_rule(rule: Rule):
    found = [offence for module in package() for offence in rule(module)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("rule", "name", "source"), OFFENCES, ids=_label)
def test_the_rule_finds_a_planted_offence(rule: Rule, name: str, source: str):
    assert list(rule(Module(name, source)))


@pytest.mark.parametrize(("rule", "name", "source"), FINE, ids=_label)
def test_the_rule_lets_good_code_pass(rule: Rule, name: str, source: str):
    assert not list(rule(Module(name, source)))


def test_every_rule_has_a_planted_offence():
    assert {rule for rule, _, _ in OFFENCES} == set(RULES)


def test_every_folder_of_the_package_is_a_known_layer():
    assert {module.layer for module in package()} - {""} <= set(RANKS)


def cycle(modules: Iterable[Module]) -> list[str]:
    """A way from a module back to itself along run-time imports; empty when there is none."""
    graph = {module.name: set(_reached(module)) for module in modules}
    done: set[str] = set()

    def walk(name: str, path: list[str]) -> list[str]:
        if name in path:
            return [*path[path.index(name) :], name]
        if name in done:
            return []
        for target in sorted(graph.get(name, ())):
            if found := walk(target, [*path, name]):
                return found
        done.add(name)
        return []

    return next(filter(None, (walk(name, []) for name in sorted(graph))), [])


def _reached(module: Module) -> Iterator[str]:
    for one in imports(module):
        if not one.for_types_only and one.target.split(".")[0] == "leftoff":
            yield one.target
            yield from (f"{one.target}.{name}" for name in one.names)


def test_no_module_imports_itself_in_a_circle():
    assert not cycle(package())


def test_a_planted_circle_is_found():
    a = Module("leftoff.core.a", "from leftoff.core.b import f")
    b = Module("leftoff.core.b", "def f():\n    from leftoff.core import a")
    assert cycle([a, b]) == ["leftoff.core.a", "leftoff.core.b", "leftoff.core.a"]
