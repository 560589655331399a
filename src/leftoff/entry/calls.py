"""One call of a command and its answer as data, whoever asks: the terminal, MCP or the page."""

from __future__ import annotations

import os
import sys
from time import time

from leftoff.commands import Call, plainly
from leftoff.core.when import instant
from leftoff.entry.arguments import Parser
from leftoff.entry.verbs import add_common, find_command
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from leftoff.commands import Command, Say
    from leftoff.core.caller import Caller
    from leftoff.core.model import Finding, Json
    from leftoff.core.result import Ask, Result
    from leftoff.errors import LeftoffError
    from leftoff.world.server_cache import ServerCache
    from leftoff.world.server_documents import Listed
    from leftoff.world.server_sessions import ServerSessions


def answer(  # noqa: PLR0913  # what a call knows, each by its name
    words: Sequence[str],
    *,
    cwd: str,
    env: Mapping[str, str],
    say: Say = plainly,
    caller: Callable[[], Caller] | None = None,
    progress: Callable[[int, int], None] | None = None,
    keep: ServerCache | None = None,
    listed: Listed | None = None,
    server_sessions: ServerSessions | None = None,
) -> Result:
    """The Result of one command line, its verb first; what is wrong with it is raised."""
    command = find_command(words[0])
    args = parser_for(command).parse(words[1:])
    call = call_for(args, cwd=cwd, env=env, say=say, caller=caller)
    if listed:
        call.store.listed = listed
    call.store.server_sessions = server_sessions
    return command.run(call._replace(progress=progress, keep=keep))


def parser_for(command: Command) -> Parser:
    """What reads the words of a command: its own arguments and those of every one."""
    parser = Parser(free=getattr(command, "FREE", False))
    add_common(parser)
    command.arguments(parser)
    return parser


def call_for(
    args: Any,
    *,
    cwd: str,
    env: Mapping[str, str],
    say: Say,
    caller: Callable[[], Caller] | None,
) -> Call:
    """Everything that a command may look at."""
    from leftoff.world.place import find_place
    from leftoff.world.state import state_dir
    from leftoff.world.store import Store

    now, place = now_of(args), find_place(folder_of(args, cwd), env.get("HOME", ""))
    return Call(args, Store(place, state_dir(env)), now, env, cwd, caller, say)


def folder_of(args: Any, cwd: str) -> str:
    """The folder that a command line is about."""
    if args.project == "":  # a script's variable that is not set must not mean this folder
        raise Usage('there is no folder ""', hint="give --project an existing folder")
    folder = os.path.join(cwd, args.project or "")
    if not folder:
        raise Usage("the working folder is gone", hint="change to one that exists")
    if not os.path.isdir(folder):
        raise Usage(f"there is no folder {folder}", hint="give --project an existing folder")
    return folder


def with_trouble(result: Result, root: str, env: Mapping[str, str]) -> Result:
    """The result, with a warning where its command had to do without a broken settings file."""
    used = sys.modules.get("leftoff.world.settings")
    if used is None or any(finding.slug == "settings" for finding in result.findings):
        return result
    return result._replace(findings=(*result.findings, *used.trouble(root, env)))


def now_of(args: Any) -> float:
    """The time that a command line takes as now."""
    if args.now is None:
        return time()
    given = instant(args.now)
    if given is None:
        raise Usage(f'"{args.now}" is not a time', hint="write it as 2026-01-31T12:00:00Z")
    return given


def body(result: Result, say: Say) -> dict[str, object]:
    """A result as every machine reads it; `schema` is put before by who sends it."""
    asked = result.ask and asked_in(result.ask, say)
    ask = asked and {
        "question": asked.question,
        "choices": [choice._asdict() for choice in asked.choices],
        "flag": asked.flag,
    }
    found = [found_in(one, say)._asdict() for one in result.findings]
    return {"data": told(result.data, say), "findings": found, "ask": ask}


def error_body(error: LeftoffError, say: Say) -> dict[str, object]:
    """An error as every machine reads it."""
    return {
        "kind": error.kind,
        "message": say(error.message),
        "hint": say(error.hint),
        "where": error.where,
        "choices": list(error.choices),
        "retryable": error.retryable,
        "line": getattr(error, "line", 0),
    }


def told(data: dict[str, Json], say: Say) -> dict[str, Json]:
    """The facts with leftoff's own messages in the reader's language."""
    if say is plainly:
        return data
    from leftoff.entry import translate  # only for another language than English

    return translate.told(data)


def found_in(finding: Finding, say: Say) -> Finding:
    """A finding in the reader's language."""
    return finding._replace(text=say(finding.text), fix=say(finding.fix))


def asked_in(ask: Ask, say: Say) -> Ask:
    """A question in the reader's language."""
    if say is plainly:
        return ask
    from leftoff.entry import translate  # only for another language than English

    return translate.asked(ask)
