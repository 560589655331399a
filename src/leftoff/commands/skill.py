"""skill: what a packaged skill asks leftoff: which verb a person's words mean."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.core.blocks import Block, Line
from leftoff.core.result import Result
from leftoff.core.route import route
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say

SUMMARY = "For skills: find the verb that a person's words mean."
EXAMPLES = ('leftoff skill route "/checkpoint doctor"', "leftoff skill route 保存进度")


def arguments(parser: Any) -> None:
    """What to do with the text."""
    parser.add_argument("action", metavar="ACTION", choices=("route",), help="route")
    parser.add_argument("text", metavar="TEXT", help="the words of the person")


def run(call: Call) -> Result:
    """Answer with the verb and the words left for it."""
    verb, rest = route(call.args.text)
    return Result({"verb": verb, "rest": rest})


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The verb alone: a script reads it."""
    del say
    yield Line(" ".join(part for part in (data["verb"], data["rest"]) if part))
