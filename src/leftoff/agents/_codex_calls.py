"""Codex: the tool calls of a rollout and how they ended, by their items or by their outputs."""

from __future__ import annotations

from leftoff.agents._log_parts import (
    arguments_of,
    command_of,
    held,
    hold,
    name_of,
    number,
    objects,
    patched,
    tasks_of,
    texts,
    tool_name,
)
from leftoff.agents._payload import inner, text
from leftoff.core import tally as t
from leftoff.core.fast_json import loads
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from leftoff.agents._log_parts import Line
    from leftoff.core.tally import Tally

_SHELLS = frozenset(("exec_command", "shell", "shell_command", "container.exec", "local_shell"))
_PATCH = "*** Begin Patch"
_CODES = ("Process exited with code ", "Exit code: ")
_RUNNING = "Process running with session ID"
_REFUSED = (
    "unsupported call",
    "unsupported custom tool call",
    "apply_patch verification failed",
    "tool call error",
    "failed to parse function arguments",
    "execution error",
    "exec_command failed",
    "command rejected",
    "command blocked",
    "aborted",
    "rejected",
    "error:",
)


def call(tally: Tally, told: Line, when: float) -> None:
    """A function, a freeform tool or, of old, the shell of the model itself."""
    if text(told, "type") == "local_shell_call":
        told = {**told, "name": "local_shell", "arguments": told.get("action")}
    tool, given = tool_name(told), arguments_of(told)
    command = command_of(given, "cmd", "command") if tool in _SHELLS else None
    patch = text(told, "input") if tool == "apply_patch" else command or ""
    changes = patched(patch or text(given, "input"), tally["at"]) if _PATCH in patch else ()
    ident = name_of(told, "call_id", "id")
    t.called(tally, ident, tool, when, command=command, changes=changes, about=_about(given))
    tally["subagents"] += tool == "spawn_agent"
    if tool == "update_plan":
        hold(tally, ident, [_step(row) for row in objects(given.get("plan"))])


def _about(given: Line) -> str:
    """What a call is told by: the first of its arguments that is a text."""
    return next((value for value in given.values() if isinstance(value, str)), "")


def _step(row: Line) -> dict[str, str]:
    return {name: t.plain(text(row, name))[:400] for name in ("step", "status")}


def item(tally: Tally, done: Line) -> None:
    """How a call ended, where the client says so in so many words."""
    ident, status = name_of(done, "id"), text(done, "status")
    if ident not in tally["waiting"] or status not in {"completed", "failed", "declined"}:
        return
    code = number(done, "exit_code")
    _end(tally, ident, failed=status != "completed" if code is None else code != 0)


def result(tally: Tally, told: Line, _when: float) -> None:
    """The output of a call that no item told of before."""
    ident = name_of(told, "call_id")
    if ident not in tally["waiting"]:
        return
    failed = _failed(told)
    if failed is not None:
        _end(tally, ident, failed=failed)


def _end(tally: Tally, ident: str, *, failed: bool) -> None:
    t.returned(tally, ident, failed=failed)
    plan = held(tally, ident)
    if plan is not None and not failed:
        tasks_of(tally, plan, "step")


def _failed(told: Line) -> bool | None:
    """Whether a call failed; None while its command still runs."""
    code = number(told, "exit_code")
    if code is not None:
        return code != 0
    if "success" in told:  # the events of old versions
        return told["success"] is not True
    if "result" in told:
        return "Err" in inner(told, "result")
    return _failed_by(told.get("output"))


def _failed_by(output: Any) -> bool | None:
    if isinstance(output, dict):
        return output.get("success") is False
    said = texts(output)
    if said.startswith("{"):
        return _failed_by_json(said)
    start = said.partition("\nOutput:")[0][:400]
    for mark in _CODES:
        before, found, rest = start.partition(mark)
        if found and (not before or before.endswith("\n")):
            return not rest.startswith("0") or rest[1:2].isdigit()
    if _RUNNING in start:
        return None
    return start.lower().startswith(_REFUSED)


def _failed_by_json(said: str) -> bool:
    """Versions before unified exec gave `{"output": …, "metadata": {"exit_code": 0}}`."""
    try:
        told = loads(said)
    except ValueError:
        return False
    return bool(number(inner(told, "metadata"), "exit_code"))
