"""A conversation, turn by turn, the same for every client. Pure.

The readers of transcripts tell `core.tally` what was asked, said, called and returned; where a
tally has the key `talk`, the same words make turns. So there is one home for what a line means.
"""

from __future__ import annotations

from leftoff.core.tally_parts import cut, plain
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    Heard: TypeAlias = dict[str, Any]

USER, AGENT, TOOL = ("user", "agent", "tool")
TITLES = {USER: "User", AGENT: "Agent"}
"""What pages call them."""
MOST_OPEN = 256
"""Turns that wait for the result of a call before them; then it counts as never answered."""


class Turn(Record):
    """One step: what a person asked, what the agent said, or a call of a tool. Never contents."""

    role: str
    text: str = ""
    at: float = 0.0
    tool: str = ""
    about: str = ""
    """the command, the file or the query of a call, cut"""
    ok: bool | None = None
    """how a call ended; None where nothing tells"""
    changes: tuple[str, ...] = ()
    """paths that a call changes if it ends well"""
    is_command: bool = False
    """the call is a command of a shell"""
    line: int = 0
    """of the transcript, from 1; 0 where nobody counted"""


def begin() -> Heard:
    """Nothing was heard yet."""
    return {
        "line": [],  # what the line being read told
        "held": [],  # turns that are not yet given out: [turn, whether it waits for a result]
        "calls": {},  # those that wait, by id
        "said": "",  # the last answer since a prompt
    }


def asked(heard: Heard, text: str) -> None:
    """A prompt of a person."""
    heard["said"] = ""
    heard["line"].append([Turn(USER, plain(text.strip())), False])


def said(heard: Heard, text: str) -> None:
    """An answer; some clients write it again with each step of its calls."""
    text = plain(text.strip())
    if text != heard["said"]:
        heard["said"] = text
        heard["line"].append([Turn(AGENT, text), False])


def called(heard: Heard, call: str, tool: str, about: str, changes: Sequence[str]) -> None:
    """A call that waits for its result."""
    paths = tuple(map(plain, changes))
    turn = Turn(TOOL, tool=plain(tool), about=cut(about.strip()), changes=paths)
    heard["calls"][call] = [turn, True]
    heard["line"].append(heard["calls"][call])


def ran(heard: Heard, call: str) -> None:
    """The call that was just told is a command of a shell."""
    entry = heard["calls"][call]
    entry[0] = entry[0]._replace(is_command=True)


def returned(heard: Heard, call: str, *, failed: bool) -> None:
    """How a call ended."""
    entry = heard["calls"].pop(call, None)
    if entry:
        entry[:] = entry[0]._replace(ok=not failed), False


def line_read(heard: Heard, when: float, *, aside: bool = False, line: int = 0) -> None:
    """All of a line was told: a text stands before the calls that it announces.

    A line that is `aside`, a subagent's, is no part of the conversation.
    """
    told, heard["line"] = heard["line"], []
    for entry in sorted(told, key=lambda one: one[0].role == TOOL):
        entry[0] = entry[0]._replace(at=when, line=line)
        if not aside:
            heard["held"].append(entry)


def ready(heard: Heard, *, end: bool = False) -> list[Turn]:
    """The turns that nothing is missing of, in their order; at the end all."""
    held, calls = heard["held"], heard["calls"]
    most = 0 if end else MOST_OPEN
    count = 0
    while count < len(held) and (not held[count][1] or len(held) - count > most):
        count += 1
    turns = [turn for turn, _ in held[:count]]
    del held[:count]
    while len(calls) > MOST_OPEN:  # nobody answers these
        del calls[next(iter(calls))]
    return turns
