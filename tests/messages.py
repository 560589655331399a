"""Every text of the source that people may read, found in its syntax trees without running it.

A message is a template: what an f-string fills in is a hole, `{}`. A text that reaches its place by
way of a variable, a parameter, a constant, a table or a function is followed there.
"""

from __future__ import annotations

import ast
import glob
import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, product
from typing import NamedTuple, TypeAlias

from support import SOURCE

HOLE = "{}"
_NAMED = re.compile(r"(leftoff \w+) NAME\b")
"""`doctor` puts the name of the checkpoint there."""

DEEPEST = 12
"""How many steps a text is followed; a recursive function ends there too."""

DATA = frozenset({"where", "key", "name", "path", "inner", "HISTORY", "POINTER", "folder", "old"})
"""What is filled in under these names is a name itself: it is no part of a sentence."""

SHOWS_DATA = frozenset({"_shown", "render", "name_of", "short", "visible", "one_line", "_word"})
"""Functions that make the text of a value, or of a stranger's words."""

WHOLE = frozenset(
    {
        *("core.advise.TERMS", "core.advise.terms", "core.diagnose._capped"),
        *("formats._json_schema._KINDS", "formats._checkpoint_rules.FEW['Play-By-Play']"),
        *("formats._json_scan._REASONS", "formats._json_scan._explained"),
        *("formats._registry_schema._SESSION_ID", "formats._registry_schema._HASH"),
        *("formats._registry_schema._KEBAB", "commands._doctor_fixes._done"),
        "world.repository.Git",
    }
)
"""Functions and tables whose every text of several words is read by people in the end."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


class Place(NamedTuple):
    """The positions and the names of arguments that hold texts for people."""

    positions: tuple[int, ...]
    names: tuple[str, ...]


ERROR = Place((0,), ("hint",))
PLACES = {
    "Finding": Place((3, 4), ("text", "fix")),
    "Verdict": Place((4,), ("reason",)),
    "Grade": Place((1,), ("reason",)),
    "Advice": Place((2, 3), ("why", "action")),
    "Ask": Place((0,), ("question",)),
    "Choice": Place((1,), ("means",)),
    "_doctor_fixes.Step": Place((1, 2), ("what", "undo")),
    "Repository": Place((), ("why", "unheard")),
    "add_argument": Place((), ("help",)),
    "listening": Place((), ("hint",)),
    "_refuse": Place((3,), ()),
    # words that messages are made of
    "Attempt": Place((0,), ()),
    "trouble": Place((1,), ()),
    "opened": Place((1,), ()),
    "check_name": Place((1,), ()),
    "_replace": Place((), ("fix",)),
}


class Module(NamedTuple):
    """A source file, with what its names stand for."""

    name: str
    tree: ast.Module
    functions: dict[str, Function]
    constants: dict[str, ast.expr]
    imports: dict[str, tuple[str, str]]


class Scope(NamedTuple):
    """Where an expression stands."""

    module: Module
    function: Function | None


Found: TypeAlias = tuple[ast.expr, Scope]


class Program(NamedTuple):
    """All modules by name."""

    modules: dict[str, Module]

    def home(self, module: Module, name: str) -> tuple[Module, str]:
        """The module that defines a name, and the name there."""
        path, original = module.imports.get(name, ("", name))
        return self.modules.get(path, module), original


@cache
def load() -> Program:
    """The whole package but its tables of texts."""
    found = {}
    for path in sorted(glob.glob(f"{SOURCE}/leftoff/**/*.py", recursive=True)):
        name = os.path.relpath(path, SOURCE)[:-3].replace(os.sep, ".").removesuffix(".__init__")
        if not name.startswith("leftoff.locale"):
            with open(path, encoding="utf-8") as file:
                found[name] = _module(name, ast.parse(file.read()))
    return Program(found)


def _module(name: str, tree: ast.Module) -> Module:
    functions = {n.name: n for n in ast.walk(tree) if isinstance(n, Function)}
    constants = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    imports = {
        alias.asname or alias.name: (node.module or "", alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return Module(name, tree, functions, constants, imports)


def errors(program: Program) -> set[str]:
    """The names of our exceptions."""
    known = {"LeftoffError"}
    classes = [
        node
        for module in program.modules.values()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ClassDef)
    ]
    for _ in range(3):
        known |= {c.name for c in classes if known & {ast.unparse(b) for b in c.bases}}
    return known


def said(program: Program) -> dict[str, str]:
    """Every template that is said, and where."""
    places = {**dict.fromkeys(errors(program), ERROR), **PLACES}
    found: dict[str, str] = {}
    for module in program.modules.values():
        for node, scope in _in_scope(module, module.tree, None):
            for expression in _texts_of(node, places, scope):
                for text in _follow(program, expression, scope, DEEPEST):
                    template = _NAMED.sub(rf"\1 {HOLE}", text)
                    found.setdefault(template, f"{module.name}:{expression.lineno}")
    return found


def texts(program: Program) -> dict[str, str]:
    """Every text that goes through `say`, by whatever name it is reached, and where."""
    found: dict[str, str] = {}
    for module in program.modules.values():
        for node, scope in _in_scope(module, module.tree, None):
            if isinstance(node, ast.Call) and node.args and _says(node):
                for text in _follow(program, node.args[0], scope, DEEPEST):
                    found.setdefault(text, f"{module.name}:{node.lineno}")
    return {text: where for text, where in found.items() if is_text(text)}


def _says(node: ast.Call) -> bool:
    return ast.unparse(node.func).rpartition(".")[2] == "say"


def nameless(text: str) -> str:
    """The text with every hole of `format` made the same."""
    return re.sub(r"\{\w*(:\w+)?\}", HOLE, text)


def slugs(program: Program) -> set[str]:
    """The slug of every finding that is made; a hole where it is put together."""
    return {
        slug
        for module in program.modules.values()
        for node, scope in _in_scope(module, module.tree, None)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("Finding") and node.args
        for slug in _follow(program, node.args[0], scope, DEEPEST)
    }


def constants(program: Program) -> set[str]:
    """Every text that stands anywhere in the source."""
    return {
        node.value
        for module in program.modules.values()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def _in_scope(
    module: Module, node: ast.AST, function: Function | None
) -> Iterator[tuple[ast.AST, Scope]]:
    for child in ast.iter_child_nodes(node):
        inner = child if isinstance(child, Function) else function
        yield child, Scope(module, inner)
        yield from _in_scope(module, child, inner)


def _texts_of(node: ast.AST, places: dict[str, Place], scope: Scope) -> Iterator[ast.expr]:
    names = {f"{scope.module.name.removeprefix('leftoff.')}.{name}" for name in _defined(node)}
    if names & WHOLE:
        yield from _texts_in(node)
    if isinstance(node, ast.Assign) and scope.function is None and "SUMMARY" in _defined(node):
        yield node.value
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func).rpartition(".")[2]
        inside = f"{scope.module.name.rpartition('.')[2]}.{called}"
        place = places.get(inside) or places.get(called) or Place((), ())
        yield from (node.args[at] for at in place.positions if at < len(node.args))
        yield from (word.value for word in node.keywords if word.arg in place.names)


def _defined(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Assign):
        return list(map(ast.unparse, node.targets))
    if isinstance(node, ast.AnnAssign):
        return [ast.unparse(node.target)]
    return [node.name] if isinstance(node, Function | ast.ClassDef) else []


def _texts_in(node: ast.AST) -> Iterator[ast.expr]:
    """The texts of several words below a node, but docstrings."""
    for child in node.values if isinstance(node, ast.Dict) else ast.iter_child_nodes(node):
        if isinstance(child, ast.Constant | ast.JoinedStr):
            if " " in ast.unparse(child).strip("'\" "):
                yield child
        elif not isinstance(child, ast.Expr) or not isinstance(child.value, ast.Constant):
            yield from _texts_in(child)


def _follow(program: Program, node: ast.expr, scope: Scope, left: int) -> set[str]:
    """The templates that an expression may be; a hole where nothing is known."""
    if not left:
        return {HOLE}
    if isinstance(node, ast.Constant):
        said = node.value if isinstance(node.value, str) else HOLE
        return {nameless(said)}  # what `format` fills in is a hole too
    if isinstance(node, ast.JoinedStr):
        return _joined(program, node, scope, left)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        pairs = (_follow(program, one, scope, left - 1) for one in (node.left, node.right))
        return {"".join(parts) for parts in product(*pairs)}
    parts = list(_alternatives(program, node, scope))
    if not parts:
        return {HOLE}
    return set(chain.from_iterable(_follow(program, *part, left - 1) for part in parts))


def _joined(program: Program, node: ast.JoinedStr, scope: Scope, left: int) -> set[str]:
    parts = []
    for value in node.values:
        if isinstance(value, ast.FormattedValue) and ast.unparse(value.value) not in DATA:
            found = _follow(program, value.value, scope, left - 1)
            parts.append(found if any(map(is_text, found)) else {HOLE})
        else:
            parts.append({str(value.value) if isinstance(value, ast.Constant) else HOLE})
    return {re.sub(r"(\{\})+", HOLE, "".join(words)) for words in product(*parts)}


def is_text(template: str) -> bool:
    """Whether a template has words of its own."""
    return any(ch.isalpha() for ch in template.replace(HOLE, ""))


def _alternatives(program: Program, node: ast.expr, scope: Scope) -> list[Found]:
    """The expressions that one stands for: branches, values of a table, what a name was given."""
    match node:
        case ast.IfExp(body=one, orelse=other):
            found = [(one, scope), (other, scope)]
        case ast.BoolOp(values=values) | ast.Dict(values=values) | ast.Tuple(elts=values):
            found = [(value, scope) for value in values]
        case ast.Subscript(value=value, slice=ast.Constant(value=int(at))):
            tuples = _tuples(program, value, scope, DEEPEST)
            found = [(one.elts[at], where) for one, where in tuples]
        case ast.Subscript(value=value) if _is_table(program, value, scope):
            found = [(value, scope)]
        case ast.Name(id=name):
            found = list(_meanings(program, name, scope))
        case ast.Call():
            found = list(_results(program, node, scope))
        case _:
            found = []
    return found


def _tuples(
    program: Program, node: ast.expr, scope: Scope, left: int
) -> Iterator[tuple[ast.Tuple, Scope]]:
    """The tuples that an expression may be."""
    if isinstance(node, ast.Tuple):
        yield node, scope
    elif left:
        for one, where in _alternatives(program, node, scope):
            yield from _tuples(program, one, where, left - 1)


def _is_table(program: Program, node: ast.expr, scope: Scope) -> bool:
    if isinstance(node, ast.Name):
        home, name = program.home(scope.module, node.id)
        node = home.constants.get(name, node)
    return isinstance(node, ast.Dict)


def _results(program: Program, node: ast.Call, scope: Scope) -> Iterable[Found]:
    """What a call gives: a function's returns; a text, however it is trimmed; an entry of a table."""
    if isinstance(node.func, ast.Attribute):
        if node.func.attr in {"rstrip", "strip", "replace", "format", "capitalize"}:
            return [(node.func.value, scope)]
        if node.func.attr == "get" and _is_table(program, node.func.value, scope):
            return [(node.func.value, scope), *((arg, scope) for arg in node.args[1:])]
        return []
    home, name = program.home(scope.module, ast.unparse(node.func))
    function = home.functions.get(name)
    if function is None or name in SHOWS_DATA:
        return []
    inner = Scope(home, function)
    return [(n.value, inner) for n in ast.walk(function) if isinstance(n, ast.Return) and n.value]


def _meanings(program: Program, name: str, scope: Scope) -> Iterable[Found]:
    """What a name stands for: a local variable, a parameter, a constant here or elsewhere."""
    if scope.function:
        given = list(_assigned(scope.function, name))
        names = [arg.arg for arg in (*scope.function.args.posonlyargs, *scope.function.args.args)]
        if name in names:
            return [
                *((value, scope) for value in given),
                *_arguments(scope, name, names.index(name)),
            ]
        if given:
            return [(value, scope) for value in given]
    home, original = program.home(scope.module, name)
    value = home.constants.get(original)
    return [(value, Scope(home, None))] if value is not None else []


def _assigned(function: Function, name: str) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _matched(target, node.value, name)
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value:
            yield from _matched(node.target, node.value, name)
        elif isinstance(node, ast.For) and isinstance(node.iter, ast.Tuple):
            for value in node.iter.elts:
                yield from _matched(node.target, value, name)


def _matched(target: ast.expr, value: ast.expr, name: str) -> Iterator[ast.expr]:
    """The part of a value that a name gets when a target is assigned it."""
    if isinstance(target, ast.Name) and target.id == name:
        yield value
    elif isinstance(target, ast.Tuple):
        if isinstance(value, ast.IfExp):
            yield from _matched(target, value.body, name)
            yield from _matched(target, value.orelse, name)
        elif isinstance(value, ast.Tuple):
            for one, part in zip(target.elts, value.elts, strict=False):
                yield from _matched(one, part, name)
        else:
            for at, one in enumerate(target.elts):
                yield from _matched(one, ast.Subscript(value, ast.Constant(at)), name)


def _arguments(scope: Scope, name: str, at: int) -> Iterator[Found]:
    """What the calls within the same module give for a parameter."""
    function = scope.function
    assert function
    for node, outer in _in_scope(scope.module, scope.module.tree, None):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == function.name:
            if at < len(node.args):
                yield node.args[at], outer
            yield from ((word.value, outer) for word in node.keywords if word.arg == name)
