"""mcp: the way in for agents without a shell, by the Model Context Protocol."""

from __future__ import annotations

import gc

from leftoff.core.blocks import Block, Line, Table
from leftoff.entry import plain
from leftoff.entry.calls import folder_of
from leftoff.entry.lang import say_in
from leftoff.entry.mcp.tools import FULL, PROFILES
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.entry.cli import Console
    from leftoff.entry.mcp.answers import Seat

SUMMARY = "Serve the commands as Model Context Protocol tools, for agents without a shell."
EXAMPLES = (
    "leftoff mcp",
    "leftoff mcp --profile minimal",
    "leftoff mcp --price",
    "leftoff mcp --http 8808",
    "claude mcp add leftoff -- leftoff mcp",
)
FREE_PORT = "0"


def arguments(parser: Any) -> None:
    """How it is reached, and how much it offers."""
    text = "minimal: tools that write no document; full: all (default)"
    parser.add_argument("--profile", choices=PROFILES, default=FULL, help=text)
    text = "over HTTP on this machine, with a token; 0, or none, is a free port"
    parser.add_argument("--http", nargs="?", const=FREE_PORT, metavar="PORT", help=text)
    parser.add_argument("--price", action="store_true", help="about how many tokens it costs")


def run(args: Any, console: Console, cwd: str) -> int:
    """Serve until the client is gone, or say what that would cost."""
    from leftoff.entry.loopback import port_of

    say = say_in(args.lang or "", console.env)
    if args.price:
        _tell_price(args, console, say)
        return 0
    gc.enable()  # off for commands, which live for milliseconds; this may run for days
    port = None if args.http is None else port_of(args.http)
    seat = _seat(args, console, cwd)
    try:
        if port is None and console.source.isatty():
            told = "A client starts this, and talks to it on stdin and stdout: see docs/mcp.md."
            print(say(told), file=console.err)
        return _serve(seat, port, console)
    except ModuleNotFoundError as error:
        raise LeftoffError(
            f"the extra mcp is not installed ({error.name} is missing)",
            hint="pip install 'leftoff[mcp]'",
        ) from error


def _serve(seat: Seat, port: int | None, console: Console) -> int:
    if port is None:
        from leftoff.entry.mcp import stdio  # the SDK: two thirds of a second

        return stdio.serve(seat)
    from leftoff.entry.mcp import http  # as above

    return http.serve(seat, port, console.out)


def _seat(args: Any, console: Console, cwd: str) -> Seat:
    from leftoff.entry.mcp.answers import Seat  # with every command behind it

    return Seat(folder_of(args, cwd), console.env, args.lang or "", args.now or "", args.profile)


def _tell_price(args: Any, console: Console, say: Say) -> None:
    from leftoff.entry.mcp.schemas import prices

    known = prices()
    if args.json:
        console.give("mcp", known)
        return
    console.out.write(plain.render(_price_view(known, say)))


def _price_view(known: dict[str, Any], say: Say) -> Iterator[Block]:
    """Each tool, and the list of each profile."""
    rows = [(tool, *_columns(known, tool, say)) for tool in known["full"]["tools"]]
    rows.append((say("instructions"), *_columns(known, "", say)))
    rows.append((say("all"), *(_about(known[one]["total"], say) for one in PROFILES)))
    yield Table((say("tool"), *PROFILES), tuple(rows))
    yield Line(say("Tokens that a client puts before its model, estimated without a tokenizer."))


def _columns(known: dict[str, Any], tool: str, say: Say) -> list[str]:
    counts = [
        known[one]["tools"].get(tool) if tool else known[one]["instructions"] for one in PROFILES
    ]
    return [_about(count, say) if count else "-" for count in counts]


def _about(count: int, say: Say) -> str:
    return say("about {n}", n=count)
