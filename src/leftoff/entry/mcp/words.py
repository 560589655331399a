"""From a tool's arguments to the words of its command, and back from flags to arguments.

Strict: what a tool does not take is refused with what was meant. Values never become options: each
stands behind its option and a `=`, or behind `--`.
"""

from __future__ import annotations

import json

from leftoff.core.find_stream import did_you_mean
from leftoff.entry.mcp.tools import (
    CURSOR,
    FLAG,
    MAP,
    NAME,
    NUMBER,
    PROJECT,
    SESSION,
    TEXT,
    TEXTS,
    TOOLS,
    Arg,
    Tool,
)
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

_SAYS_SO = {
    TEXT: "a text",
    FLAG: "true or false",
    NUMBER: "a whole number, 1 or more",
    TEXTS: "a list of texts",
    MAP: "an object",
}
_NOT_WORDS = frozenset({PROJECT, SESSION, CURSOR})
"""What the server itself reads: no part of the command line."""
COMMAND = "done_when"
SIDES = ("ours", "theirs")


def checked(tool: Tool, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, if a tool takes them; what is null was not given."""
    known = [arg.name for arg in tool.takes]
    there = {name: value for name, value in given.items() if value is not None}
    for name, value in there.items():
        arg = tool.arg(name)
        if arg is None:
            hint = did_you_mean(name, known) or f"it takes: {', '.join(known)}"
            raise Usage(f'{tool.name} takes no "{name[:60]}"', hint=hint)
        _check(arg, value)
    for arg in tool.args:
        if arg.required and not there.get(arg.name):
            raise Usage(f'{tool.name} needs "{arg.name}"', hint="give it, and call again")
    return there


def _check(arg: Arg, value: Any) -> None:
    if not _is_of(arg.kind, value):
        raise Usage(f'"{arg.name}" must be {_SAYS_SO[arg.kind]}', hint="correct it, and call again")
    if arg.choices and value not in arg.choices:
        hint = did_you_mean(value, arg.choices) or f"choose one of: {', '.join(arg.choices)}"
        raise Usage(f'"{arg.name}" cannot be "{value[:60]}"', hint=hint)
    if not _is_writable(value):
        text = f'"{arg.name}" contains a character that no text may have'
        raise Usage(text, hint="leave out NUL and halves of characters")


def _is_of(kind: str, value: Any) -> bool:
    if kind == FLAG:
        return isinstance(value, bool)
    if kind == NUMBER:
        return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**9
    if kind == MAP:
        return isinstance(value, dict)
    if kind == TEXTS:
        return isinstance(value, list) and all(isinstance(one, str) for one in value)
    return isinstance(value, str)


def _is_writable(value: Any) -> bool:
    """A command line could carry it, and a file could hold it."""
    text = json.dumps(value, ensure_ascii=False)
    return "\\u0000" not in text.replace("\\\\", "") and not any(
        "\ud800" <= c < "\ue000" for c in text
    )


def words(tool: Tool, given: Mapping[str, Any]) -> list[str]:
    """The command line, its verb first."""
    if "action" in given and NAME not in given and tool.arg("action"):
        raise Usage('"action" is one of a checkpoint: give "name" too', hint="get_next names both")
    options, alone = [*tool.named] if NAME in given else [], list[str]()
    if any(tool.action):
        alone.append(tool.action[NAME in given])
    for arg in tool.args:
        if arg.name in given and arg.name not in _NOT_WORDS:
            _put(arg, given[arg.name], options, alone)
    return [tool.verb, *options, "--", *alone]


def _put(arg: Arg, value: Any, options: list[str], alone: list[str]) -> None:
    if arg.kind == MAP:
        options.extend(_assignments(arg.name, value))
    elif not arg.option:
        alone.append(value)
    elif arg.option.endswith("*"):
        options.append(arg.option.replace("*", value))
    elif arg.kind == FLAG:
        options += [arg.option] * value
    else:
        options += [f"{arg.option}={one}" for one in (value if arg.kind == TEXTS else [value])]


def _assignments(name: str, value: Mapping[str, Any]) -> Iterator[str]:
    """The words of `update`: as JSON, so that no path is taken for an option of the command."""
    for path, one in value.items():
        if not path or any(mark in path for mark in "=+: \t\n"):
            raise Usage(f'"{path[:60]}" is not a dotted path', hint="write it as a.b.c")
        if COMMAND in f"{path} {json.dumps(one)}":
            text = "a command that checks a step is not written over MCP: it could be run later"
            raise Usage(text, hint=f"leave {COMMAND} out")
        if name == "resolve":
            if one not in SIDES:
                raise Usage(
                    f'"{path[:60]}" is resolved with ours or theirs', hint="give one of them"
                )
            yield f"--resolve={path}={one}"
        elif name == "set":
            yield f"--{path}:json={json.dumps(one, ensure_ascii=False)}"
        else:
            for item in one if isinstance(one, list) else [one]:
                yield f"--{path}+:json={json.dumps(item, ensure_ascii=False)}"


def argument_for(tool: Tool, flag: str) -> dict[str, Any] | None:
    """What to give a tool where its command is told a flag; None where it takes nothing such."""
    option, _, value = flag.partition("=")
    arg = tool.for_option(option)
    if arg is None:
        return None
    if arg.option.endswith("*"):
        return {arg.name: option.removeprefix("--")}
    return {arg.name: True if arg.kind == FLAG else value}


_COMMANDS = {tool.verb: tool.name for tool in TOOLS} | {
    "list": "get_status",
    "show": "get_status",
    "resume": "resume_work",
}


def for_agents(text: str, tool: Tool) -> str:
    """A hint in the words of this face: its tools and arguments in place of commands and flags."""
    import re  # only on the way to a hint

    def flag(found: re.Match[str]) -> str:
        arg = tool.for_option(found[0])
        return f'"{arg.name}"' if arg else found[0]

    def command(found: re.Match[str]) -> str:
        return _COMMANDS.get(found[1], found[0])

    told = re.sub(r"leftoff (\w+)", command, text)
    return re.sub(r"(?<![\w-])--[a-z][a-z-]*", flag, told)


def known_tool(name: str, offered: Sequence[Tool]) -> Tool:
    """The tool that goes by a name; Usage with what was meant."""
    for tool in offered:
        if tool.name == name:
            return tool
    hidden = any(tool.name == name for tool in TOOLS)
    hint = "the server was started with --profile minimal" if hidden else ""
    close = did_you_mean(name, [tool.name for tool in offered])
    raise Usage(f'there is no tool "{name[:60]}"', hint=hint or close or "list the tools")
