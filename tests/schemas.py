"""The JSON Schemas of docs/schemas: which faults an answer has, and which of its keys no page has."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from support import ROOT

FOLDER = os.path.join(ROOT, "docs", "schemas")


def names() -> set[str]:
    """Every answer that has a schema."""
    return {name.removesuffix(".json") for name in _known()}


@cache
def _known() -> dict[str, Any]:
    found = {}
    for name in os.listdir(FOLDER):
        if name.endswith(".json"):
            with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
                found[name] = json.load(file)
    return found


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(_known()[name])


def faults(answer: Any) -> list[str]:
    """What an answer has that its schema does not allow, or lacks; the schema must exist."""
    name = f"{name_of(answer)}.json"
    if name not in _known():
        return [f"there is no docs/schemas/{name}: describe it in answers.txt, then make docs"]
    found = _validator(name).iter_errors(answer)
    return [f"docs/schemas/{name}: {_path(one)}: {one.message[:500]}" for one in map(_deep, found)]


def name_of(answer: Any) -> str:
    return str(answer["schema"]).removeprefix("leftoff.").partition("/")[0]


def _deep(error: Any) -> Any:
    """Of an answer with several modes, what is wrong with it as the nearest of them."""
    while error.context:
        modes: dict[Any, list[Any]] = {}
        for one in error.context:
            modes.setdefault(one.schema_path[0], []).append(one)
        error = min(modes.values(), key=len)[0]
    return error


def _fits(value: Any, schema: Any, name: str) -> bool:
    return _validator(name).evolve(schema=schema).is_valid(value)


def _path(error: Any) -> str:
    return ".".join(map(str, error.absolute_path)) or "$"


def undocumented(answer: Any) -> Iterator[str]:
    """The keys of an answer that its schema does not speak of."""
    name = f"{name_of(answer)}.json"
    yield from _unknown(answer, [_known()[name]], "", name)


def _unknown(value: Any, schemas: list[Any], path: str, name: str) -> Iterator[str]:
    parts = [part for schema in schemas for part in _parts(value, schema, name)]
    if isinstance(value, list):
        items = [part["items"] for part in parts if "items" in part]
        for one in value:
            yield from _unknown(one, items, f"{path}[]", name)
    elif isinstance(value, dict):
        for key, one in value.items():
            below = [part["properties"][key] for part in parts if key in part.get("properties", {})]
            other = [
                part["additionalProperties"] for part in parts if "additionalProperties" in part
            ]
            if below or other:
                yield from _unknown(one, below or other, f"{path}.{key}", name)
            elif any("properties" in part for part in parts):
                yield f"{path}.{key}"


def _parts(value: Any, schema: Any, name: str) -> Iterator[Any]:
    """The schema, and those that it refers to and that fit the value."""
    if "$ref" in schema:
        part = schema["$ref"].removeprefix("#/$defs/")
        yield from _parts(value, _known()[name]["$defs"][part], name)
    for one in schema.get("allOf", ()):
        yield from _parts(value, one, name)
    for one in schema.get("anyOf", ()):
        if _fits(value, one, name):
            yield from _parts(value, one, name)
    yield schema


def modes(answer: Any) -> list[str]:
    """The modes of its command that an answer fits."""
    fit = (
        one.get("description", "")
        for one in _modes(f"{name_of(answer)}.json")
        if _fits(answer.get("data"), one, f"{name_of(answer)}.json")
    )
    return list(fit)


def modes_of(name: str) -> set[str]:
    """Every mode of an answer."""
    if "data" not in _known()[f"{name}.json"]["properties"]:
        return set()
    return {f"{name}: {one.get('description', '')}" for one in _modes(f"{name}.json")}


def _modes(name: str) -> list[Any]:
    data = _known()[name]["properties"].get("data", {})
    return list(data.get("anyOf", [data]))


def check(name: str) -> None:
    """Raises where a schema is none."""
    Draft202012Validator.check_schema(_known()[name])
