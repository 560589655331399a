"""Whether a command runs under Hapi, or on this machine alone.

The caller's list of tools decides where it is given; else the variable of Hapi and the processes
above us. A hub that runs, a port or a file never counts: they say nothing of this session.
"""

from __future__ import annotations

from leftoff.core.caller import HAPI_VARIABLE
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from leftoff.commands import Call

HAPI, LOCAL = "hapi", "local"
TOOLS = "mcp__hapi__"
YES, NO = "y", "n"


def add_tools(parser: Any) -> None:
    """The option by which a caller says what it has."""
    parser.add_argument(
        "--tools", metavar="LIST", help="your tools, comma-separated; mcp__hapi__* means Hapi"
    )


def add_options(parser: Any) -> None:
    """The answers to the questions that `_hapi.next_session` may come back with."""
    parser.add_argument(
        "--new-session", choices=(YES, NO), help="under Hapi: whether to continue in a new session"
    )
    add_machine(parser)


def add_machine(parser: Any) -> None:
    """Where a new session is to run, for who knows it."""
    parser.add_argument("--machine", metavar="ID", help="under Hapi: where the new session runs")


def environment(call: Call) -> str:
    """`hapi` or `local`; without a list and the variable, for one look at the environment."""
    tools = getattr(call.args, "tools", None)
    if tools is not None:
        named = tools.replace(",", " ").split()
        return HAPI if any(name.startswith(TOOLS) for name in named) else LOCAL
    return HAPI if _linked(call) else LOCAL


def session_there(call: Call) -> str:
    """The id that the calling session has in Hapi; "" where it runs elsewhere, or nobody says."""
    return call.env.get(HAPI_VARIABLE, "") if environment(call) == HAPI else ""


def _linked(call: Call) -> str:
    link = call.env.get(HAPI_VARIABLE, "")
    if not link or call.caller is None:
        return ""  # the common case: no look at processes
    from leftoff.core.caller import hapi_session

    return hapi_session(link, call.caller().ancestors)
