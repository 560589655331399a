"""Makes the JSON Schemas of all answers from docs/schemas/answers.txt; --check names old ones.

The notation is explained at the top of that file. What an answer holds is written there, once.
"""

# ruff: noqa: INP001, T201  # a script, not a module of the package

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

HOME = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schemas")
SOURCE = "answers.txt"
DRAFT = "https://json-schema.org/draft/2020-12/schema"
WIDTH = 118
_KEY = re.compile(r"(?P<name>\S+?)(?P<optional>\??) (?P<type>\S+):(?: (?P<means>.*))?")
_REF = "#/$defs/"
_PLAIN = {"str": "string", "int": "integer", "num": "number", "bool": "boolean"}
_PLAIN |= {"obj": "object", "null": "null"}
Schema = dict[str, Any]
Lines = list[tuple[int, str]]


ALONE: dict[str, Callable[[Schema], Schema]] = {
    "error": lambda data: {"error": data},
    "conversation": lambda data: dict(data["properties"]),
}
"""What is no answer with `data`: a failure, and the document of `session export --format json`."""


def schemas(text: str) -> dict[str, Schema]:
    """File name -> schema, for every answer of the notation."""
    shared: Schema = {}
    modes: dict[str, list[Schema]] = {}
    for head, body in _blocks(text):
        kind, _, title = head.partition(" ")
        title, _, means = title.partition(": ")
        made = {**({"description": means} if means else {}), **_object(body)}
        if kind == "def":
            shared[title] = made
        else:
            modes.setdefault(title, []).append(made)
    return {f"{name(verb)}.json": _answer(verb, found, shared) for verb, found in modes.items()}


def name(verb: str) -> str:
    """Without its version."""
    return verb.partition("/")[0]


def _blocks(text: str) -> Iterator[tuple[str, Lines]]:
    for block in re.split(r"^=== ", text, flags=re.MULTILINE)[1:]:
        head, *rest = block.splitlines()
        lines = [line for line in rest if line.strip()]
        yield head, [(len(line) - len(line.lstrip()), line.strip()) for line in lines]


def _answer(verb: str, modes: list[Schema], shared: Schema) -> Schema:
    """The schema of an answer, with the parts that it refers to, so that it stands alone."""
    data = _one_of(modes)
    if verb in ALONE:
        parts = ALONE[verb](data)
    else:
        found = {"type": "array", "items": _ref("finding")}
        parts = {"data": data, "findings": found, "ask": _or_null(_ref("ask"))}
    version = verb.partition("/")[2] or "1"
    properties = {"schema": {"const": f"leftoff.{name(verb)}/{version}"}, **parts}
    body = {"type": "object", "required": list(properties), "properties": properties}
    used = _used(body, shared, frozenset())
    defs = {"$defs": {part: shared[part] for part in shared if part in used}} if used else {}
    return {"$schema": DRAFT, **body, **defs}


def _used(part: Any, shared: Schema, known: frozenset[str]) -> frozenset[str]:
    """The names of all parts that one refers to, directly or not."""
    if isinstance(part, dict):
        named = str(part.get("$ref", "")).removeprefix(_REF)
        if named and named not in known:
            known = _used(shared[named], shared, known | {named})
        part = list(part.values())
    for one in part if isinstance(part, list) else ():
        known = _used(one, shared, known)
    return known


def _object(lines: Lines) -> Schema:
    """The schema of an object from its keys; what is indented below a key is its object."""
    properties: Schema = {}
    required, whole = [], []
    while lines:
        (depth, line), *lines = lines
        if line.startswith("+"):
            whole.append(_ref(line[1:]))
            continue
        below = next((at for at, (more, _) in enumerate(lines) if more <= depth), len(lines))
        inner, lines = lines[:below], lines[below:]
        key = _KEY.fullmatch(line)
        if not key:
            raise SystemExit(f"{SOURCE}: not understood: {line}")
        means = {"description": key["means"]} if key["means"] else {}
        properties[key["name"]] = {**means, **_type(key["type"], inner)}
        required += [] if key["optional"] else [key["name"]]
    if list(properties) == ["*"]:
        return {"type": "object", "additionalProperties": properties["*"]}
    made = {"type": "object", "required": required, "properties": properties}
    return {**made, "allOf": whole} if whole else made


def _type(word: str, inner: Lines) -> Schema:
    if word.endswith("|null"):
        return _or_null(_type(word.removesuffix("|null"), inner))
    if word.startswith("["):
        return {"type": "array", "items": _type(word[1:-1], inner)}
    if word.startswith("map("):
        return {"type": "object", "additionalProperties": _type(word[4:-1], inner)}
    if word[0] in "@=":
        names = word[1:].split("/" if word[0] == "@" else ",")
        return _one_of(list(map(_ref, names))) if word[0] == "@" else {"enum": names}
    if word == "any":
        return {}
    return _object(inner) if word == "{}" else {"type": _PLAIN[word]}


def _ref(name: str) -> Schema:
    return {"$ref": _REF + name}


def _one_of(schemas: list[Schema]) -> Schema:
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


def _or_null(schema: Schema) -> Schema:
    kind = schema.get("type")
    simple = isinstance(kind, str) and kind != "object"
    return {**schema, "type": [kind, "null"]} if simple else {"anyOf": [schema, {"type": "null"}]}


def shown(value: Any, indent: int = 0) -> str:
    """JSON with one key on a line, as long as that fits."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= WIDTH or not value:
        return flat
    pad, end = " " * (indent + 2), " " * indent
    if isinstance(value, dict):
        parts = (f"{pad}{json.dumps(k)}: {shown(v, indent + 2)}" for k, v in value.items())
        return "{\n" + ",\n".join(parts) + f"\n{end}}}"
    return "[\n" + ",\n".join(pad + shown(one, indent + 2) for one in value) + f"\n{end}]"


def files() -> dict[str, str]:
    """Every schema as the text of its file."""
    with open(os.path.join(HOME, SOURCE), encoding="utf-8") as file:
        return {name: shown(made) + "\n" for name, made in schemas(file.read()).items()}


def outdated() -> dict[str, str | None]:
    """Path -> the text that it should have; None for a schema that no answer has."""
    wanted = files()
    there = {name for name in os.listdir(HOME) if name.endswith(".json")}
    changed = {name: text for name, text in wanted.items() if _now(name) != text}
    return {**changed, **dict.fromkeys(there - wanted.keys())}


def _now(name: str) -> str | None:
    try:
        with open(os.path.join(HOME, name), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def main(argv: Sequence[str]) -> int:
    wanted = outdated()
    for name, text in sorted(wanted.items()):
        print(f"docs/schemas/{name}: {'out of date' if argv else 'written'}")
        if argv:
            continue
        if text is None:
            os.remove(os.path.join(HOME, name))
            continue
        with open(os.path.join(HOME, name), "w", encoding="utf-8") as file:
            file.write(text)
    return 1 if argv and wanted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
