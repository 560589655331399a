"""The messages of a session of Hapi as turns of a conversation.

A message wraps what its client wrote: a line of Claude Code's transcript, or Codex's steps in words
of Hapi's own. Claude's lines go to the reader of such transcripts, so that they mean the same.
"""

from __future__ import annotations

from leftoff.agents import _claude_log, _transcript_turns
from leftoff.agents._log_parts import command_of, millis, name_of, number, objects
from leftoff.agents._payload import inner, text
from leftoff.core import talk
from leftoff.core import tally as t
from leftoff.core.fast_json import dumps
from leftoff.core.tally import TALK
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from leftoff.core.talk import Turn
    from leftoff.core.tally import Tally

    Told = dict[str, Any]


def turns(messages: Iterable[Mapping[str, Any]]) -> Iterator[Turn]:
    """What was asked, said and done, in the order of the messages."""
    tally = _transcript_turns.begin(_claude_log)
    for message in messages:
        when = millis({**message}, "invokedAt") or millis({**message}, "createdAt")
        aside = _heard(tally, inner({**message}, "content"), when)
        talk.line_read(tally[TALK], when, aside=aside)
        yield from talk.ready(tally[TALK])
    yield from talk.ready(tally[TALK], end=True)


def _heard(tally: Tally, content: Told, when: float) -> bool:
    """Take one message in; whether it is a subagent's, and no part of the conversation."""
    part = inner(content, "content")
    kind, data = text(part, "type"), inner(part, "data")
    if text(content, "role") == talk.USER:
        t.prompted(tally, text(part, "text") or text(content, "content"))
    elif kind == "output":
        _claude_log.feed(tally, dumps(data).encode())
        return data.get("isSidechain") is True
    elif kind == "codex":
        _codex(tally, data, when)
    return False


def _codex(tally: Tally, told: Told, when: float) -> None:
    kind, call = text(told, "type"), name_of(told, "callId", "id")
    if kind == "message":
        t.said(tally, text(told, "message", "text"))
    elif kind == "tool-call":
        given = inner(told, "input")
        command = command_of(given, "command", "cmd") or None
        changes = [*filter(None, (text(one, "path") for one in objects(given.get("changes"))))]
        about = next((given[key] for key in given if _tells(key, given[key])), "")
        name = name_of(told, "name") or "?"
        t.called(tally, call, name, when, command=command, changes=changes, about=about)
    elif kind == "tool-call-result":
        t.returned(tally, call, failed=_failed(inner(told, "output")))


def _tells(key: str, value: Any) -> bool:
    """Whether an argument says what a call is about: ids of the thread and the turn do not."""
    return isinstance(value, str) and key != "type" and not key.endswith("_id")


def _failed(output: Told) -> bool:
    return bool(number(output, "exit_code")) or output.get("success") is False
