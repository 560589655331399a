"""A session of each of the five clients in one project, as they lie on disk with no setup at all.

Each asks for the same work, edits a file, runs a test that fails, and says what is left.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from typing import Any

from histories import HOUR, NOW, Talk
from leftoff.core.when import stamp
from unsaved import called
from world.test_opencode_db import SCHEMA

ASKED = "Move the login to the new service"
SAID = "The login is moved; its test fails. Next: repair the login test."
COMMAND = "pytest -q tests/login"
UUID = "019a0000-0000-7000-8000-00000000000a"


def claude_code(root: str, ago: float = HOUR) -> str:
    talk = Talk(1, root).ask(ago, ASKED)
    called(talk, ago - 10, "Edit", file_path=f"{root}/app.py", new_string="x")
    called(talk, ago - 20, "Bash", failed=True, command=COMMAND)
    talk.answer(ago - 30, SAID).save()
    return talk.session


def codex(root: str, ago: float = HOUR) -> str:
    told = [
        ("session_meta", {"id": UUID, "cwd": root, "git": {"branch": "main"}}),
        ("event_msg", {"type": "user_message", "message": ASKED}),
        ("response_item", _call("custom_tool_call", "p", "apply_patch", input=_PATCH)),
        ("response_item", _result("custom_tool_call_output", "p", '{"metadata":{"exit_code":0}}')),
        (
            "response_item",
            _call("function_call", "c", "exec_command", arguments=json.dumps({"cmd": COMMAND})),
        ),
        ("response_item", _result("function_call_output", "c", "Exit code: 1\nOutput:\nno")),
        ("response_item", {"type": "message", "role": "assistant", "content": [{"text": SAID}]}),
    ]
    lines = ({"type": kind, "payload": what} for kind, what in told)
    _write(".codex/sessions/2026/08/08", f"rollout-2026-08-08T11-00-00-{UUID}.jsonl", lines, ago)
    return UUID


_PATCH = "*** Begin Patch\n*** Update File: app.py\n@@\n-a\n+b\n*** End Patch\n"


def _call(kind: str, ident: str, name: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "call_id": ident, "name": name, **more}


def _result(kind: str, ident: str, output: str) -> dict[str, Any]:
    return {"type": kind, "call_id": ident, "output": output}


def gemini_cli(root: str, ago: float = HOUR) -> str:
    context = f"<session_context>\n- **Workspace Directories:**\n  - {root}\n</session_context>"
    calls = [
        _gemini_call("e", "replace", "fine", file_path=f"{root}/app.py"),
        _gemini_call("c", "run_shell_command", "Output: no\nExit Code: 1", command=COMMAND),
    ]
    lines = [
        {"sessionId": UUID, "projectHash": "f76e", "startTime": stamp(NOW - ago), "kind": "main"},
        {"$set": {"messages": [_gemini("m0", "user", [{"text": context}])]}},
        _gemini("m1", "user", [{"text": ASKED}]),
        {**_gemini("m2", "gemini", SAID), "model": "gemini-2.5-flash", "toolCalls": calls},
    ]
    _write(".gemini/tmp/project/chats", "session-2026-08-08.jsonl", lines, ago)
    return UUID


def _gemini(ident: str, kind: str, content: Any) -> dict[str, Any]:
    return {"id": ident, "type": kind, "content": content}


def _gemini_call(ident: str, name: str, output: str, **args: str) -> dict[str, Any]:
    answer = {"functionResponse": {"id": ident, "name": name, "response": {"output": output}}}
    return {"id": ident, "name": name, "args": args, "result": [answer], "status": "success"}


def copilot(root: str, ago: float = HOUR) -> str:
    place = {"cwd": root, "gitRoot": root, "branch": "main"}
    told: list[tuple[str, dict[str, Any]]] = [
        ("session.start", {"sessionId": UUID, "context": place}),
        ("user.message", {"content": ASKED}),
        (
            "tool.execution_start",
            {"toolCallId": "e", "toolName": "edit", "arguments": {"path": f"{root}/app.py"}},
        ),
        ("tool.execution_complete", {"toolCallId": "e", "success": True}),
        (
            "tool.execution_start",
            {"toolCallId": "c", "toolName": "bash", "arguments": {"command": COMMAND}},
        ),
        (
            "tool.execution_complete",
            {"toolCallId": "c", "success": True, "shellExecution": {"exitCode": 1}},
        ),
        ("assistant.message", {"content": SAID, "messageId": "m"}),
    ]
    lines = ({"type": kind, "data": what} for kind, what in told)
    _write(f".copilot/session-state/{UUID}", "events.jsonl", lines, ago)
    return UUID


def opencode(root: str, ago: float = HOUR) -> str:
    folder = os.path.join(os.environ["XDG_DATA_HOME"], "opencode")
    os.makedirs(folder)
    parts = [
        _part("write", {"filePath": f"{root}/app.py"}),
        _part("bash", {"command": COMMAND}, exit=1),
        {"type": "text", "text": SAID},
    ]
    at = int((NOW - ago) * 1000)
    with closing(sqlite3.connect(os.path.join(folder, "opencode.db"))) as db:
        db.executescript(SCHEMA)
        row = ("ses_1", "p", None, root, "Login", "1.18.33", at, at + 30_000, None)
        db.execute("insert into session values (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        _say(db, at, "msg_1", {"role": "user"}, {"type": "text", "text": ASKED})
        _say(db, at + 30_000, "msg_2", {"role": "assistant", "modelID": "m"}, *parts)
        db.commit()
    return "ses_1"


def _part(tool: str, given: Mapping[str, str], **known: int) -> dict[str, Any]:
    state = {"status": "completed", "input": given, "metadata": known, "time": {"start": 2500}}
    return {"type": "tool", "tool": tool, "callID": tool, "state": state}


def _say(db: sqlite3.Connection, at: int, ident: str, info: Mapping[str, str], *parts: Any) -> None:
    data = json.dumps({**info, "time": {"created": at}})
    db.execute("insert into message values (?, 'ses_1', ?, ?, ?)", (ident, at, at, data))
    for number, part in enumerate(parts):
        row = (f"prt_{ident}_{number}", ident, at, at, json.dumps(part))
        db.execute("insert into part values (?, ?, 'ses_1', ?, ?, ?)", row)


def _write(folder: str, name: str, lines: Iterable[dict[str, Any]], ago: float) -> None:
    """A file below the home folder, its lines ten seconds apart."""
    place = os.path.join(os.environ["HOME"], folder)
    os.makedirs(place)
    with open(os.path.join(place, name), "w", encoding="utf-8") as file:
        stamped = (
            {"timestamp": stamp(NOW - ago + 10 * at), **line} for at, line in enumerate(lines)
        )
        file.writelines(json.dumps(line) + "\n" for line in stamped)


CLIENTS: dict[str, Callable[[str], str]] = {
    "claude-code": claude_code,
    "codex": codex,
    "copilot": copilot,
    "gemini-cli": gemini_cli,
    "opencode": opencode,
}
