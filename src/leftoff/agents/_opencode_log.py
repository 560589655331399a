"""OpenCode: what a session tells. It lies in a database, or in what `opencode export` prints.

`lines` makes one form of both: a line with the session, one for each message with its parts, and
one with the to-do list. `world.opencode_db` reads the database.
"""

from __future__ import annotations

from leftoff.agents._log_parts import (
    Head,
    absolute,
    feed_lines,
    first_object,
    millis,
    name_of,
    number,
    objects,
    patched,
    tasks_of,
)
from leftoff.agents._payload import count, inner, text
from leftoff.core import tally as t
from leftoff.core.fast_json import dumps
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from leftoff.agents._log_parts import Line
    from leftoff.core.stats import Stats
    from leftoff.core.tally import Tally

VERSION = 2

_DEAREST = 1e9
"""Dollars that no answer costs."""
_EDITS = frozenset(("write", "edit", "multiedit"))
_PATCHES = frozenset(("apply_patch", "patch"))
_PARTS = frozenset(
    (
        *("text", "reasoning", "file", "tool", "step-start", "step-finish", "snapshot", "patch"),
        *("agent", "retry", "compaction", "subtask"),
    )
)


def lines(session: Any, messages: Iterable[Any], todos: Any = None) -> bytes:
    """A session as lines for `feed`; an export holds the first two as `info` and `messages`."""
    told = [{"session": session}, *messages]
    if todos is not None:
        told.append({"todos": todos})
    return "".join(dumps(each) + "\n" for each in told).encode()


def begin() -> Tally:
    """The tally of nothing."""
    return t.begin()


def feed(tally: Tally, block: bytes) -> None:
    """Count whole lines."""
    feed_lines(tally, block, _take)


def stats(tally: Tally) -> Stats:
    """What was counted."""
    return t.stats(tally)


def head(first: bytes) -> Head:
    """By the line of the session."""
    session = inner(first_object(first), "session")
    return Head(name_of(session, "id"), name_of(session, "directory"), name_of(session, "parentID"))


def _take(tally: Tally, line: Line) -> None:
    if "info" in line:
        _message(tally, line)
    elif "session" in line:
        _session(tally, inner(line, "session"))
    elif "todos" in line:
        tasks_of(tally, objects(line["todos"]), "content")
    else:
        t.unknown(tally, next(iter(line), "?"))


def _session(tally: Tally, told: Line) -> None:
    for ours, theirs in (("session", "id"), ("cwd", "directory"), ("version", "version")):
        tally[ours] = name_of(told, theirs) or tally[ours]
    tally["title"] = t.cut(text(told, "title"))
    times = inner(told, "time")
    t.saw(tally, millis(times, "created"))
    t.saw(tally, millis(times, "updated"))


def _message(tally: Tally, line: Line) -> None:
    info, parts = inner(line, "info"), list(objects(line.get("parts")))
    times = inner(info, "time")
    when = millis(times, "created")
    t.saw(tally, when)
    t.saw(tally, millis(times, "completed"))
    role = text(info, "role")
    if role == "user":
        _prompt(tally, parts, when)
    elif role == "assistant":
        _answer(tally, text(info, "id") or text(line, "id"), info, parts, when)
    else:
        t.unknown(tally, role or "?")
    for part in parts:
        if text(part, "type") not in _PARTS:
            t.unknown(tally, text(part, "type") or "?")


def _prompt(tally: Tally, parts: list[Line], when: float) -> None:
    """What a person typed; the client adds texts of its own, and asks for a summary this way."""
    t.prompted(tally, _texts(parts))
    for part in parts:
        if text(part, "type") == "compaction":
            trigger = "auto" if part.get("auto") is True else "manual"
            t.compacted(tally, when, trigger, before=tally["context"])


def _texts(parts: list[Line]) -> str:
    told = (
        text(part, "text")
        for part in parts
        if part.get("type") == "text" and not part.get("synthetic") and not part.get("ignored")
    )
    return "\n".join(filter(None, told))


def _answer(tally: Tally, ident: str, info: Line, parts: list[Line], when: float) -> None:
    tokens, summary = inner(info, "tokens"), info.get("summary") is True
    tally["cwd"] = tally["cwd"] or name_of(inner(info, "path"), "cwd")
    used = _used(tokens)
    if any(used) or info.get("finish"):
        key = t.key_of(ident)
        main = not summary and any(used)
        t.answer(tally, key, name_of(info, "modelID"), used, when, main=main)
        cost = info.get("cost")
        if isinstance(cost, int | float) and not isinstance(cost, bool) and 0 < cost < _DEAREST:
            tally["costs"][key] = cost
    _error(tally, text(inner(info, "error"), "name"))
    for part in parts:
        if text(part, "type") == "tool":
            _call(tally, part)
    if not summary:
        t.said(tally, _texts(parts))


def _used(tokens: Line) -> tuple[int, int, int, int]:
    """Input without what a cache gave; thoughts are counted beside the output or in it."""
    cache = inner(tokens, "cache")
    fresh, read, written = count(tokens, "input"), count(cache, "read"), count(cache, "write")
    out = count(tokens, "output") + count(tokens, "reasoning")
    told = count(tokens, "total") - fresh - read - written
    return fresh, min(out, told) if told > 0 else out, read, written


def _error(tally: Tally, name: str) -> None:
    if name == "MessageAbortedError":
        tally["interrupted"] += 1
    elif name:
        tally["errors"] += 1


def _call(tally: Tally, part: Line) -> None:
    """A call and, once it ended, its result, which stand in one part."""
    ident, tool, state = (
        name_of(part, "callID", "id"),
        name_of(part, "tool") or "?",
        inner(part, "state"),
    )
    given, status = inner(state, "input"), text(state, "status")
    t.called(
        tally,
        ident,
        tool,
        millis(inner(state, "time"), "start"),
        command=text(given, "command") if tool == "bash" else None,
        changes=_changes(tool, given, tally["cwd"]),
        about=text(given, "filePath", "description", "pattern", "url"),
    )
    tally["subagents"] += tool == "task"
    if status == "completed":
        failed = bool(number(inner(state, "metadata"), "exit"))
        t.returned(tally, ident, failed=failed)
        if tool == "todowrite":
            tasks_of(tally, objects(given.get("todos")), "content")
    elif status == "error":
        t.returned(tally, ident, failed=True)


def _changes(tool: str, given: Line, cwd: str) -> list[str]:
    if tool in _PATCHES:
        return patched(text(given, "patchText", "input"), cwd)
    path = text(given, "filePath") if tool in _EDITS else ""
    return [absolute(path, cwd)] if path else []
