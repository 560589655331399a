"""The mutants of a module: each is one small change of what one of its functions does.

A change is never one of wording: what stands in strings, docstrings and annotations is let be, and
so is what runs once at import (defaults, decorators, tables).
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, NamedTuple

_COMPARE = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_COMPUTE = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
}
_BOTH_WAYS = (
    *(("lower", "upper"), ("lstrip", "rstrip"), ("find", "rfind"), ("index", "rindex")),
    *(("partition", "rpartition"), ("removeprefix", "removesuffix"), ("startswith", "endswith")),
    *(("min", "max"), ("any", "all")),
)
_CALLED = {
    **dict(_BOTH_WAYS),
    **{after: before for before, after in _BOTH_WAYS},
    "casefold": "upper",
    "strip": "lstrip",
}
_NOT_RUN = {"annotation", "returns", "decorator_list", "type_params"}


class Mutant(NamedTuple):
    """One change; `holder` and `key` say where the other node goes."""

    name: str
    """module:function: before => after, and which of several that look the same"""
    function: str
    line: int
    text: str
    """a digest of the function as it is"""
    holder: Any
    key: Any
    other: ast.AST


def mutants(module: str, tree: ast.Module) -> Iterator[Mutant]:
    """Every mutant of the module's functions, in the order of the text."""
    for function, node in _functions(tree.body, ""):
        digest = sha256(ast.unparse(node).encode()).hexdigest()[:16]
        seen: Counter[str] = Counter()
        for field, holder, key, old in _spots(node, {"body"}):
            for other in _others(field, old):
                change = f"{module}:{function}: {_short(old)} => {_short(other)}"
                seen[change] += 1
                name = f"{change} ({seen[change]})" if seen[change] > 1 else change
                yield Mutant(name, function, old.lineno, digest, holder, key, other)


def put(mutant: Mutant) -> None:
    """Make the change in the tree that the mutant comes from."""
    ast.fix_missing_locations(ast.copy_location(mutant.other, _held(mutant.holder, mutant.key)))
    if isinstance(mutant.key, int):
        mutant.holder[mutant.key] = mutant.other
    else:
        setattr(mutant.holder, mutant.key, mutant.other)


def _held(holder: Any, key: Any) -> Any:
    return holder[key] if isinstance(key, int) else getattr(holder, key)


def _functions(body: list[ast.stmt], above: str) -> Iterator[tuple[str, ast.stmt]]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield above + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{above}{node.name}.")
        elif isinstance(node, ast.If | ast.Try):
            yield from _functions([*node.body, *node.orelse], above)


def _spots(node: ast.AST, only: set[str] | None = None) -> Iterator[tuple[str, Any, Any, Any]]:
    """Where a statement or an expression stands that runs when the function does."""
    for field, value in ast.iter_fields(node):
        if field in _NOT_RUN or (only and field not in only):
            continue
        places = enumerate(value) if isinstance(value, list) else [(field, value)]
        for key, child in places:
            if isinstance(child, ast.AST):
                if isinstance(child, ast.stmt | ast.expr):
                    yield field, (value if isinstance(value, list) else node), key, child
                yield from _spots(child)


def _others(field: str, node: Any) -> Iterator[ast.AST]:
    """What may stand in a node's place."""
    making = _MAKERS.get(type(node))
    if making:
        yield from making(node)
    if field == "ifs":
        yield ast.Constant(value=True)
    elif field in {"test", "guard"} and not isinstance(node, ast.Compare | ast.UnaryOp):
        yield ast.UnaryOp(ast.Not(), node)  # what compares, or says not, has a mutant already


def _compare(node: ast.Compare) -> Iterator[ast.AST]:
    for at, op in enumerate(node.ops):
        ops = [*node.ops[:at], _COMPARE[type(op)](), *node.ops[at + 1 :]]
        yield ast.Compare(node.left, ops, node.comparators)


def _bool_op(node: ast.BoolOp) -> Iterator[ast.AST]:
    yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)


def _unary(node: ast.UnaryOp) -> Iterator[ast.AST]:
    if isinstance(node.op, ast.Not | ast.USub):
        yield node.operand


def _bin_op(node: ast.BinOp) -> Iterator[ast.AST]:
    if type(node.op) in _COMPUTE:
        yield ast.BinOp(node.left, _COMPUTE[type(node.op)](), node.right)


def _aug_assign(node: ast.AugAssign) -> Iterator[ast.AST]:
    if type(node.op) in _COMPUTE:
        yield ast.AugAssign(node.target, _COMPUTE[type(node.op)](), node.value)


def _constant(node: ast.Constant) -> Iterator[ast.AST]:
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int | float):
        yield ast.Constant(node.value + 1)


def _call(node: ast.Call) -> Iterator[ast.AST]:
    called = node.func
    if isinstance(called, ast.Attribute) and called.attr in _CALLED:
        other = ast.Attribute(called.value, _CALLED[called.attr], ast.Load())
        yield ast.Call(other, node.args, node.keywords)
    elif isinstance(called, ast.Name) and called.id in _CALLED:
        yield ast.Call(ast.Name(_CALLED[called.id], ast.Load()), node.args, node.keywords)
    elif isinstance(called, ast.Name) and called.id == "sorted":
        yield ast.Call(ast.Name("list", ast.Load()), node.args[:1], [])


def _return(node: ast.Return) -> Iterator[ast.AST]:
    if node.value and not isinstance(node.value, ast.Constant):
        yield ast.Return(ast.Constant(None))


def _statement(node: ast.Expr) -> Iterator[ast.AST]:
    if isinstance(node.value, ast.Call):
        yield ast.Pass()


def _nothing(_: ast.Raise) -> Iterator[ast.AST]:
    yield ast.Pass()


def _jump(node: ast.stmt) -> Iterator[ast.AST]:
    yield ast.Continue() if isinstance(node, ast.Break) else ast.Break()


_MAKERS: dict[type, Any] = {
    ast.AugAssign: _aug_assign,
    ast.BinOp: _bin_op,
    ast.BoolOp: _bool_op,
    ast.Break: _jump,
    ast.Call: _call,
    ast.Compare: _compare,
    ast.Constant: _constant,
    ast.Continue: _jump,
    ast.Expr: _statement,
    ast.Raise: _nothing,
    ast.Return: _return,
    ast.UnaryOp: _unary,
}


def _short(node: ast.AST) -> str:
    """The first line of a node's text, which names it."""
    text = " ".join(ast.unparse(ast.fix_missing_locations(node)).split())
    return text if len(text) <= 100 else f"{text[:99]}…"
