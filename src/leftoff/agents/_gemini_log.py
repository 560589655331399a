"""Gemini CLI: what a chat tells. The file is a log of updates, as version 0.61 writes it.

A later line with an id replaces the earlier one, and every resume and compression lists the whole
history again without tokens and results: everything is counted by its id, and never taken back.
"""

from __future__ import annotations

from leftoff.agents._log_parts import (
    Head,
    feed_lines,
    name_of,
    objects,
    tasks_of,
    texts,
)
from leftoff.agents._payload import count, inner, text
from leftoff.agents.gemini_cli import CONTEXT_MARKS
from leftoff.core import tally as t
from leftoff.core.event import without
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from leftoff.agents._log_parts import Line
    from leftoff.core.stats import Stats
    from leftoff.core.tally import Tally

VERSION = 1

_CONTEXT, _SNAPSHOT = "<session_context>", "<state_snapshot>"
_FOLDERS = "Workspace Directories:**\n  - "
_EDITS = frozenset(("write_file", "replace", "edit"))
_EXIT = "\nExit Code: "
_TRAILER = ("Signal: ", "Background PIDs: ", "Process Group PGID: ", "</untrusted_context>")


def begin() -> Tally:
    """The tally of nothing."""
    return t.begin() | {"known": {}}  # keys of messages and calls that were counted


def feed(tally: Tally, block: bytes) -> None:
    """Count whole lines."""
    feed_lines(tally, block, _take)


def stats(tally: Tally) -> Stats:
    """What was counted."""
    return t.stats(tally)


def head(first: bytes) -> Head:
    """By the header; the folder of a main chat stands in its first message.

    A subagent's parent is told by the name of the folder that its file lies in.
    """
    tally = begin()
    for line in first.split(b"\n"):
        feed(tally, line)
        if tally["cwd"]:
            break
    return Head(tally["session"], tally["cwd"])


def _take(tally: Tally, line: Line) -> None:
    if "$set" in line:
        _update(tally, inner(line, "$set"))
    elif "id" in line:
        t.saw(tally, t.seconds(text(line, "timestamp")))
        _message(tally, line, listed=False)
    elif "sessionId" in line:
        t.saw(tally, t.seconds(text(line, "startTime")))
        _update(tally, line)
    elif "$rewindTo" not in line:  # what was taken back in the chat was asked all the same
        t.unknown(tally, next(iter(line), "?"))


def _update(tally: Tally, told: Line) -> None:
    """A header, or a patch of it."""
    t.saw(tally, t.seconds(text(told, "lastUpdated")))
    tally["session"] = tally["session"] or name_of(told, "sessionId")
    tally["cwd"] = tally["cwd"] or _folder(told)
    tally["title"] = t.cut(text(told, "summary")) or tally["title"]
    for message in objects(told.get("messages")):
        _message(tally, message, listed=True)


def _folder(told: Line) -> str:
    folders = told.get("directories")
    first = folders[0] if isinstance(folders, list) and folders else ""
    return t.plain(first) if isinstance(first, str) else ""


def _message(tally: Tally, told: Line, *, listed: bool) -> None:
    kind, when = text(told, "type"), t.seconds(text(told, "timestamp"))
    if kind == "gemini":
        _answer(tally, told, when, listed=listed)
    elif kind == "user":
        _prompt(tally, told, when, listed=listed)
    elif kind in {"error", "info", "warning"}:
        if _is_new(tally, text(told, "id"), kind):
            tally["errors"] += kind == "error"
            tally["interrupted"] += "cancelled" in texts(told.get("content"))[:80].lower()
    else:
        t.unknown(tally, kind or "?")


def _is_new(tally: Tally, *ids: str) -> bool:
    """Whether this was never counted; asking counts."""
    key, known = t.key_of(*ids), tally["known"]
    new = key not in known
    known[key] = 1
    return new


def _prompt(tally: Tally, told: Line, when: float, *, listed: bool) -> None:
    """What a person asked; results of tools and the client's own context come as prompts too."""
    if not _is_new(tally, text(told, "id"), "user"):
        return
    said = texts(told.get("content"))
    if said.startswith(_CONTEXT):
        tally["cwd"] = tally["cwd"] or _folder_in(said)
    elif _SNAPSHOT in said[:400]:
        t.compacted(tally, when, before=tally["context"])
    elif not listed:
        t.prompted(tally, without(said, *CONTEXT_MARKS))


def _folder_in(context: str) -> str:
    return t.plain(context.partition(_FOLDERS)[2].partition("\n")[0])


def _answer(tally: Tally, told: Line, when: float, *, listed: bool) -> None:
    tokens, key = inner(told, "tokens"), t.key_of(text(told, "id"))
    model = name_of(told, "model")
    if tokens:
        t.answer(tally, key, model, _used(tokens), when, context=count(tokens, "input"))
    elif not listed and key not in tally["answers"]:
        t.answer(tally, key, model, (0, 0, 0, 0), when, main=False)
    for call in objects(told.get("toolCalls")):
        _call(tally, call)
    if not listed:
        t.said(tally, texts(told.get("content")))


def _used(tokens: Line) -> tuple[int, int, int, int]:
    """Its input counts what came out of a cache, its output does not count thoughts."""
    cached = count(tokens, "cached")
    fresh = max(0, count(tokens, "input") - cached) + count(tokens, "tool")
    return fresh, count(tokens, "output") + count(tokens, "thoughts"), cached, 0


def _call(tally: Tally, told: Line) -> None:
    """A call is told again with each step of it, until it has a result."""
    ident, tool, given = name_of(told, "id"), name_of(told, "name") or "?", inner(told, "args")
    if _is_new(tally, ident, tool):
        shell = tool == "run_shell_command"
        path = text(given, "file_path") if tool in _EDITS else ""
        t.called(
            tally,
            ident,
            tool,
            t.seconds(text(told, "timestamp")),
            command=text(given, "command") if shell else None,
            changes=(path,) if path else (),
            about=text(given, "file_path", "path", "pattern", "query", "url", "prompt"),
        )
        tally["subagents"] += tool == "invoke_agent" or "agentId" in told
    status = text(told, "status")
    if ident in tally["waiting"] and status in {"success", "error", "cancelled"}:
        _result(tally, told, ident, status)


def _result(tally: Tally, told: Line, ident: str, status: str) -> None:
    if status == "cancelled":
        del tally["waiting"][ident]  # neither done nor failed
        return
    failed = status == "error" or _exit_code(told) not in {"", "0"}
    t.returned(tally, ident, failed=failed)
    if text(told, "name") == "write_todos" and not failed:
        tasks_of(tally, objects(inner(told, "args").get("todos")), "description")


def _exit_code(told: Line) -> str:
    """Of a shell command, by the end of its output: for the client every one is a success."""
    if text(told, "name") != "run_shell_command":
        return ""
    outputs = (inner(part, "functionResponse", "response") for part in objects(told.get("result")))
    said = "\n" + "\n".join(text(output, "output") for output in outputs)
    code, *rest = said.rpartition(_EXIT)[2].split("\n") if _EXIT in said else [""]
    return code if all(line.startswith(_TRAILER) for line in rest if line) else ""
