"""The four ways in which clients speak to a model: requests to one shape, one reply to each format.

A wire is a pair of functions: `read` turns a request's body into an `Asked`, `write` turns a `Reply`
into the events of the answer's stream.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from threading import Event
from typing import Any

_numbers = count(1)


@dataclass(frozen=True)
class Call:
    """The model wants a tool. `freeform` is a tool whose input is a text (Codex's apply_patch)."""

    tool: str
    input: Any
    freeform: bool = False
    listed: bool = True
    """some clients let a model call tools that it has to search for first, and does not see yet"""
    namespace: str = ""
    """of a tool of an MCP server, as Codex has it"""


@dataclass(frozen=True)
class Use:
    """Tokens of one answer; `input` is what no cache held."""

    input: int = 1000
    output: int = 50
    cache_read: int = 0
    cache_write: int = 0

    @property
    def context(self) -> int:
        return self.input + self.cache_read + self.cache_write


@dataclass(frozen=True)
class Reply:
    """What the model says: thoughts, a text, calls; or an error; after `hold` was set, if given."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    thinking: str = ""
    use: Use = field(default_factory=Use)
    status: int = 200
    hold: Event | None = None


@dataclass(frozen=True)
class Asked:
    """A request in one shape for all wires."""

    model: str
    prompt: str
    """the text of the last message, where the user wrote one"""
    text: str
    """all the text that the model is given, system prompt and results of tools included"""
    offered: tuple[str, ...]
    """the tools that the model may call"""
    results_of: tuple[str, ...]
    """the tools whose results end the request; empty when a prompt does"""


@dataclass(frozen=True)
class Wire:
    read: Callable[[Any], Asked]
    write: Callable[[Asked, Reply], Iterator[Any]]
    named: bool
    """each event of the stream has its type as a name"""
    closing: str = ""


def _id(kind: str) -> str:
    return f"{kind}_{next(_numbers):08d}"


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)


def _text(value: Any) -> str:
    return "\n".join(_strings(value))


def _last(messages: Iterable[Any], role: str) -> Any:
    return next((m for m in reversed(list(messages)) if m.get("role") == role), {})


# Anthropic Messages


def _read_messages(body: Any) -> Asked:
    messages = body.get("messages", [])
    parts = [part for m in messages for part in _parts(m)]
    names = {part["id"]: part["name"] for part in parts if part.get("type") == "tool_use"}
    last = _parts(_last(messages, "user"))
    results = [part for part in last if part.get("type") == "tool_result"]
    return Asked(
        model=body.get("model", ""),
        prompt="\n".join(part.get("text", "") for part in last if part.get("type") == "text"),
        text=_text([body.get("system"), messages]),
        offered=tuple(tool.get("name", "") for tool in body.get("tools") or []),
        results_of=tuple(names.get(part["tool_use_id"], "") for part in results),
    )


def _parts(message: Any) -> list[Any]:
    content = message.get("content") or []
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _write_messages(asked: Asked, reply: Reply) -> Iterator[Any]:
    usage = {
        "input_tokens": reply.use.input,
        "cache_read_input_tokens": reply.use.cache_read,
        "cache_creation_input_tokens": reply.use.cache_write,
        "output_tokens": 1,
    }
    message = {"id": _id("msg"), "type": "message", "role": "assistant", "model": asked.model}
    empty: Any = {"content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
    yield {"type": "message_start", "message": message | empty}
    for index, (block, delta) in enumerate(_blocks(reply)):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": "tool_use" if reply.calls else "end_turn", "stop_sequence": None}
    final = usage | {"output_tokens": reply.use.output}
    yield {"type": "message_delta", "delta": ending, "usage": final}
    yield {"type": "message_stop"}


def _blocks(reply: Reply) -> Iterator[tuple[Any, Any]]:
    if reply.thinking:
        delta = {"type": "thinking_delta", "thinking": reply.thinking}
        yield {"type": "thinking", "thinking": "", "signature": ""}, delta
    if reply.text or not reply.calls:
        yield {"type": "text", "text": ""}, {"type": "text_delta", "text": reply.text}
    for call in reply.calls:
        block = {"type": "tool_use", "id": _id("toolu"), "name": call.tool, "input": {}}
        yield block, {"type": "input_json_delta", "partial_json": json.dumps(call.input)}


# OpenAI Responses


def _read_responses(body: Any) -> Asked:
    items = body.get("input", [])
    names = {item.get("call_id"): item.get("name", "") for item in items if "name" in item}
    results = []
    for item in reversed(items):
        if not str(item.get("type")).endswith("_output"):
            break
        results.append(names.get(item.get("call_id"), ""))
    return Asked(
        model=body.get("model", ""),
        prompt="" if results else _text(_last(items, "user").get("content")),
        text=_text([body.get("instructions"), items]),
        offered=tuple(tool.get("name") or tool["type"] for tool in body.get("tools") or []),
        results_of=tuple(results),
    )


def _write_responses(asked: Asked, reply: Reply) -> Iterator[Any]:
    answer = {"id": _id("resp"), "object": "response", "model": asked.model, "output": []}
    yield {"type": "response.created", "response": answer | {"status": "in_progress"}}
    items = list(_items(reply))
    for index, item in enumerate(items):
        yield {"type": "response.output_item.added", "output_index": index, "item": item}
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    usage = {
        "input_tokens": reply.use.context,
        "input_tokens_details": {"cached_tokens": reply.use.cache_read},
        "output_tokens": reply.use.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": reply.use.context + reply.use.output,
    }
    done = answer | {"status": "completed", "output": items, "usage": usage}
    yield {"type": "response.completed", "response": done}


def _items(reply: Reply) -> Iterator[Any]:
    if reply.text or not reply.calls:
        content = [{"type": "output_text", "text": reply.text, "annotations": []}]
        yield {"type": "message", "id": _id("msg"), "role": "assistant", "content": content}
    for call in reply.calls:
        common = {"id": _id("fc"), "call_id": _id("call"), "name": call.tool, "status": "completed"}
        if call.freeform:
            yield common | {"type": "custom_tool_call", "input": call.input}
        else:
            common |= {"namespace": call.namespace} if call.namespace else {}
            yield common | {"type": "function_call", "arguments": json.dumps(call.input)}


# OpenAI Chat Completions


def _read_chat(body: Any) -> Asked:
    messages = body.get("messages", [])
    calls = [call for m in messages for call in m.get("tool_calls") or []]
    names = {call["id"]: call["function"]["name"] for call in calls}
    ending = messages[-1:] if messages and messages[-1].get("role") == "tool" else []
    return Asked(
        model=body.get("model", ""),
        prompt="" if ending else _text(_last(messages, "user").get("content")),
        text=_text(messages),
        offered=tuple(tool["function"]["name"] for tool in body.get("tools") or []),
        results_of=tuple(names.get(m.get("tool_call_id"), "") for m in ending),
    )


def _write_chat(asked: Asked, reply: Reply) -> Iterator[Any]:
    base = {"id": _id("chatcmpl"), "object": "chat.completion.chunk", "model": asked.model}

    def chunk(delta: Any, finish: str | None = None) -> Any:
        return base | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    yield chunk({"role": "assistant", "content": reply.text})
    for index, call in enumerate(reply.calls):
        function = {"name": call.tool, "arguments": json.dumps(call.input)}
        called = {"index": index, "id": _id("call"), "type": "function", "function": function}
        yield chunk({"tool_calls": [called]})
    yield chunk({}, "tool_calls" if reply.calls else "stop")
    usage = {
        "prompt_tokens": reply.use.context,
        "completion_tokens": reply.use.output,
        "total_tokens": reply.use.context + reply.use.output,
        "prompt_tokens_details": {"cached_tokens": reply.use.cache_read},
    }
    yield base | {"choices": [], "usage": usage}


# Gemini


def _read_gemini(body: Any) -> Asked:
    contents = body.get("contents", [])
    last = contents[-1].get("parts", []) if contents else []
    tools = [f for tool in body.get("tools") or [] for f in tool.get("functionDeclarations", [])]
    return Asked(
        model=body.get("model", ""),
        prompt="\n".join(part.get("text", "") for part in last),
        text=_text([body.get("systemInstruction"), contents]),
        offered=tuple(each["name"] for each in tools),
        results_of=tuple(p["functionResponse"]["name"] for p in last if "functionResponse" in p),
    )


def _write_gemini(asked: Asked, reply: Reply) -> Iterator[Any]:
    parts: list[Any] = [
        {"functionCall": {"name": call.tool, "args": call.input}} for call in reply.calls
    ]
    if reply.text or not parts:
        parts.insert(0, {"text": reply.text})
    usage = {
        "promptTokenCount": reply.use.context,
        "cachedContentTokenCount": reply.use.cache_read,
        "candidatesTokenCount": reply.use.output,
        "totalTokenCount": reply.use.context + reply.use.output,
    }
    content = {"role": "model", "parts": parts}
    candidate = {"index": 0, "content": content, "finishReason": "STOP"}
    yield {"candidates": [candidate], "usageMetadata": usage, "modelVersion": asked.model}


ANTHROPIC = Wire(_read_messages, _write_messages, named=True)
RESPONSES = Wire(_read_responses, _write_responses, named=True)
CHAT = Wire(_read_chat, _write_chat, named=False, closing="[DONE]")
GEMINI = Wire(_read_gemini, _write_gemini, named=False)
