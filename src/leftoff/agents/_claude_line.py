# ruff: noqa: N815  # the names are the client's
"""The fields of a line of Claude Code's transcripts that count, and how decoded JSON fills them.

A typed decoder makes the same lines faster (`world.bulk`): both go by `FIELDS`. Where it matters,
fields stand in the client's order, in which that decoder looks for them. A value of another type
than its field's is no value.
"""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from typing import Any


_LARGEST = 1 << 1023
"""From here on no float holds a whole number."""


class Cached(Record):
    ephemeral_1h_input_tokens: int | None = 0


class Usage(Record):
    input_tokens: int | None = 0
    cache_creation_input_tokens: int | None = 0
    cache_read_input_tokens: int | None = 0
    output_tokens: int | None = 0
    cache_creation: Cached | None = None


class Todo(Record):
    content: str | None = None
    status: str | None = None


class Input(Record):
    file_path: str | None = None
    notebook_path: str | None = None
    command: str | None = None
    todos: list[Todo] | None = None
    subject: str | None = None
    taskId: str | None = None
    status: str | None = None


class Block(Record):
    type: str | None = None
    text: str | None = None
    id: str | None = None
    name: str | None = None
    input: Input | None = None
    tool_use_id: str | None = None
    is_error: bool | None = None


class Message(Record):
    content: str | list[Block] | None = None
    id: str | None = None
    model: str | None = None
    usage: Usage | None = None


class Compact(Record):
    trigger: str | None = None
    preTokens: int | None = None
    postTokens: int | None = None


class Hook(Record):
    durationMs: int | None = None


class Attachment(Record):
    type: str | None = None
    hookEvent: str | None = None
    durationMs: int | None = None
    prompt: str | None = None
    commandMode: str | None = None


class Origin(Record):
    kind: str | None = None


class Common(Record):
    """The fields that nearly all lines are about: answers, results of tools, attachments."""

    isSidechain: bool | None = None
    type: str | None = None
    message: Message | None = None
    requestId: str | None = None
    timestamp: str | None = None
    isApiErrorMessage: bool | None = None
    attachment: Attachment | None = None
    costUSD: float | None = None


class Line(Record):
    """All fields that count."""

    isSidechain: bool | None = None
    type: str | None = None
    message: Message | None = None
    requestId: str | None = None
    timestamp: str | None = None
    isApiErrorMessage: bool | None = None
    attachment: Attachment | None = None
    costUSD: float | None = None
    subtype: str | None = None
    isMeta: bool | None = None
    isCompactSummary: bool | None = None
    sessionId: str | None = None
    cwd: str | None = None
    gitBranch: str | None = None
    version: str | None = None
    promptId: str | None = None
    origin: Origin | None = None
    compactMetadata: Compact | None = None
    hookInfos: list[Hook] | None = None
    customTitle: str | None = None
    aiTitle: str | None = None
    summary: str | None = None
    totalCostUSD: float | None = None
    hasUnknownModelCost: bool | None = None
    content: str | list[Block] | None = None
    id: str | None = None
    model: str | None = None
    role: str | None = None
    usage: Usage | None = None


def line_of(found: dict[str, Any]) -> Line:
    """The line that a JSON object is."""
    return _record(Line, found)  # type: ignore[no-any-return]


def _record(kind: Any, found: dict[str, Any]) -> Any:
    get, made = found.get, []
    for name, each in FIELDS[kind].items():
        value = get(name)
        made.append(value if value is None or type(value) is each else _made(each, value))
    return kind._make(made)


def _made(kind: Any, value: Any) -> Any:
    """A value as its field has it, None for one of another type."""
    if isinstance(kind, tuple):  # a list of records, and perhaps a text in its place
        if isinstance(value, str):
            return value if kind[1] else None
        items = value if isinstance(value, list) else None
        return items and [_record(kind[0], each) for each in items if isinstance(each, dict)]
    if kind in FIELDS:
        return _record(kind, value) if isinstance(value, dict) else None
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)
    if kind is float and type(value) is int:
        return float(value) if abs(value) < _LARGEST else None
    return None


def _kind_of(written: str) -> Any:
    """What an annotation names: a plain type, a record, or (record of a list, text allowed)."""
    name = written.removesuffix(" | None").removeprefix("str | ")
    if name.startswith("list["):
        return globals()[name[5:-1]], written.startswith("str | ")
    plain = {"str": str, "int": int, "bool": bool, "float": float}
    return plain.get(name) or globals()[name]


RECORDS = (
    Cached,
    Usage,
    Todo,
    Input,
    Block,
    Message,
    Compact,
    Hook,
    Attachment,
    Origin,
    Common,
    Line,
)
FIELDS = {
    each: {name: _kind_of(written) for name, written in each.__annotations__.items()}
    for each in RECORDS
}
"""The types of the records' fields, for `world.bulk` as well."""
