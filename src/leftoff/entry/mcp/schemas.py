"""What goes in and what comes out of a tool, as JSON Schema, and what the list of them costs."""

from __future__ import annotations

import json

from leftoff.core.token_estimate import estimate
from leftoff.entry.mcp.tools import (
    INSTRUCTIONS,
    MAP,
    PROFILES,
    TEXTS,
    Arg,
    Tool,
    hints,
    tools_of,
)
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

_FINDING = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("slug", "level", "where", "text", "fix")},
    "required": ["slug", "level", "text"],
}
_ASK = {
    "type": ["object", "null"],
    "properties": {
        "question": {"type": "string"},
        "choices": {"type": "array", "items": {"type": "object"}},
        "argument": {"type": ["string", "null"]},
    },
    "required": ["question", "choices", "argument"],
}
_ERROR = {
    "type": "object",
    "properties": {
        **{name: {"type": "string"} for name in ("kind", "message", "hint")},
        "retryable": {"type": "boolean"},
    },
    "required": ["kind", "message", "hint", "retryable"],
}


def listed(tool: Tool) -> dict[str, Any]:
    """A tool as the protocol lists it."""
    return {
        "name": tool.name,
        "description": tool.about,
        "inputSchema": input_schema(tool),
        "outputSchema": output_schema(tool),
        "annotations": hints(tool),
    }


def input_schema(tool: Tool) -> dict[str, Any]:
    """Its arguments; there are no others."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {arg.name: _property(arg) for arg in tool.takes},
        "additionalProperties": False,
    }
    required = [arg.name for arg in tool.takes if arg.required]
    return schema | ({"required": required} if required else {})


def _property(arg: Arg) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": arg.kind}
    if arg.kind == TEXTS:
        schema["items"] = {"type": "string"}
    if arg.kind == MAP and arg.name == "resolve":
        schema["additionalProperties"] = {"enum": ["ours", "theirs"]}
    if arg.choices:
        schema["enum"] = list(arg.choices)
    return schema | ({"description": arg.about} if arg.about else {})


def output_schema(tool: Tool) -> dict[str, Any]:
    """Its answer, as with --json; or an error, since some clients check that by the same schema."""
    answer = {
        "schema": {"const": f"leftoff.{tool.verb}/1"},
        "data": {"type": "object", "required": list(tool.shows)},
        "findings": {"type": "array", "items": _FINDING},
        "ask": _ASK,
        "next_cursor": {"type": ["string", "null"]},
    }
    return {
        "type": "object",
        "anyOf": [
            {"properties": answer, "required": list(answer)},
            {"properties": {"error": _ERROR}, "required": ["error"]},
        ],
    }


def price(profile: str) -> dict[str, Any]:
    """About how many tokens a profile puts before a model: each tool, and all with instructions."""
    each = {tool.name: estimate(_told(tool)) for tool in tools_of(profile)}
    known = estimate(INSTRUCTIONS)
    return {"tools": each, "instructions": known, "total": sum(each.values()) + known}


def prices() -> dict[str, Any]:
    """Of every profile."""
    return {profile: price(profile) for profile in PROFILES}


def _told(tool: Tool) -> str:
    """What a client gives a model of a tool: not the schema of its output, nor the hints."""
    shown = {name: listed(tool)[name] for name in ("name", "description", "inputSchema")}
    return json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
