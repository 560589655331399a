"""A client of the SDK that talks to leftoff's MCP server: in memory, on stdio, over HTTP."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Awaitable, Callable
from typing import IO, Any

from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

from leftoff.core.caller import Caller
from leftoff.entry.mcp.answers import Seat
from leftoff.entry.mcp.server import McpServer
from projects import NOW
from support import SOURCE, alone

ERAS = ("legacy", "2026-07-28")
"""The handshake that clients of today make, and the protocol without one."""
PATIENCE = 300
Talk = Callable[[Client], Awaitable[Any]]
INIT = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


class Wire:
    """A client that says exactly what a test tells it to, and hears what comes back."""

    def __init__(self, there: IO[bytes], back: IO[bytes]) -> None:
        self.there, self.back = there, back

    def say(self, line: bytes) -> None:
        self.there.write(line + b"\n")
        self.there.flush()

    def ask(self, number: int, method: str, **params: Any) -> None:
        told = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self.say(json.dumps(told).encode())

    def hear(self) -> Any:
        """The next message; whatever comes back has to be one."""
        return json.loads(self.back.readline())

    def begin(self) -> None:
        self.ask(0, "initialize", **INIT)
        assert self.hear()["result"]["serverInfo"]["name"] == "leftoff"
        self.say(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')


def seat(root: str, **more: Any) -> Seat:
    """Where a server sits for a test: nobody above it is an agent."""
    known = {"now": NOW, "who": lambda: Caller(False, ())}
    return Seat(root, dict(os.environ), **(known | more))


def talk(root: str, say: Talk, *, mode: str = "legacy", client: Any = None, **more: Any) -> Any:
    """What comes of a talk with a server in this process."""
    return met(McpServer(seat(root, **more)).server, say, mode, **(client or {}))


def met(server: Any, say: Talk, mode: str = "legacy", **more: Any) -> Any:
    """What comes of a talk with any server."""

    async def run() -> Any:
        async with Client(server, mode=mode, **more) as known:
            try:
                return await say(known)
            except MCPError as error:
                return error  # bare: the groups of tasks around us would wrap it

    found = alone(run)
    if isinstance(found, MCPError):
        raise found
    return found


def called(root: str, tool: str, mode: str = "legacy", seated: Any = None, **given: Any) -> Any:
    """The result of one call."""
    return talk(root, lambda client: client.call_tool(tool, given), mode=mode, **(seated or {}))


def answered(root: str, tool: str, **given: Any) -> dict[str, Any]:
    """The body of a call that has to go well."""
    done = called(root, tool, **given)
    assert not done.is_error, done.content[0].text
    return dict(done.structured_content)


def refused(root: str, tool: str, **given: Any) -> dict[str, Any]:
    """The error of a call that must not."""
    done = called(root, tool, **given)
    assert done.is_error, done.content[0].text
    assert "Traceback" not in sent(done).decode()
    return dict(done.structured_content["error"])


def sent(result: Any) -> bytes:
    """All that went over the wire."""
    return json.dumps(result.model_dump(mode="json"), ensure_ascii=False).encode()


def process(root: str, *options: str, **env: str) -> StdioServerParameters:
    """The program itself, as a client starts it."""
    known = {**os.environ, "PYTHONPATH": SOURCE, "PYTHONWARNDEFAULTENCODING": "1", **env}
    words = ["-m", "leftoff", "mcp", "--now", NOW, *options]
    return StdioServerParameters(command=sys.executable, args=words, env=known, cwd=root)


def wait_for(look: Callable[[], object]) -> None:
    """Until something is seen that a server does when its answer is out already."""
    deadline = time.monotonic() + PATIENCE
    while not look():
        assert time.monotonic() < deadline
        time.sleep(0.02)
