"""The server on stdin and stdout, for the client that started it; it ends with that client.

The SDK's own transport reads lines of any length and cannot say when an answer was written, so the
two ends are here. Both work on the bare descriptors, from threads that hold up no exit.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage

from leftoff.entry.loopback import interruptible
from leftoff.entry.mcp.server import McpServer, in_thread
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Self

    from leftoff.entry.mcp.answers import Seat

LONGEST = 4 << 20
"""Bytes of a message, as over HTTP."""
_CHUNK = 1 << 16


def serve(seat: Seat) -> int:
    """Until the client closes our stdin."""
    with _streams() as (source, sink), interruptible():
        anyio.run(_serve, seat, source, sink)
    return 0


@contextmanager
def _streams() -> Iterator[tuple[int, int]]:
    """Descriptors of the client's alone: whatever else writes to stdout ends up in its log."""
    source, sink, nothing = os.dup(0), os.dup(1), os.open(os.devnull, os.O_RDONLY)
    sys.stdout.flush()
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    try:
        yield source, sink
    finally:
        os.dup2(source, 0)
        os.dup2(sink, 1)
        for each in (source, sink, nothing):
            os.close(each)


async def _serve(seat: Seat, source: int, sink: int) -> None:
    mcp_server = McpServer(seat)
    send, receive = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    out = Out(mcp_server, sink)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_listen, source, send, out)
        options = mcp_server.server.create_initialization_options()
        await mcp_server.server.run(receive, out, options)
        tasks.cancel_scope.cancel()


async def _listen(source: int, send: Any, out: Out) -> None:
    """Every message on its way; what is none is answered here, since the SDK passes it over."""
    lines = Lines(source)
    async with send:
        while (line := await in_thread(lines.read)) is not None:
            try:
                message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValueError:
                if line.strip():
                    await out.refuse()
                continue
            await send.send(SessionMessage(message))


class Lines:
    """Lines of a descriptor. Of one that is too long there stays what is no message."""

    def __init__(self, source: int, longest: int = LONGEST) -> None:
        self._source, self._longest = source, longest
        self._rest = b""

    def read(self) -> bytes | None:
        """The next line; None at the end."""
        parts, size = [self._rest], len(self._rest)
        while b"\n" not in parts[-1]:
            data = os.read(self._source, _CHUNK)
            if not data:
                self._rest = b""
                return b"".join(parts) or None
            size += len(data)
            parts = [*parts, data] if size <= self._longest else [b"!", data]
        head, _, self._rest = parts[-1].partition(b"\n")
        return b"".join([*parts[:-1], head])


class Out:
    """The other end: a message is sent once it is written, and what waited for that is done."""

    def __init__(self, mcp_server: McpServer, sink: int) -> None:
        self._mcp_server, self._sink = mcp_server, sink
        self._one_at_a_time = anyio.Lock()

    async def send(self, item: SessionMessage) -> None:
        message = item.message
        await self._write(message.model_dump_json(by_alias=True, exclude_unset=True))
        if isinstance(message, types.JSONRPCResponse):
            await self._mcp_server.written(message.id)

    async def refuse(self) -> None:
        """Say that something was no message; whose answer this would be is not known."""
        error = '{"code":-32700,"message":"that line is not a message of JSON-RPC, or is too long"}'
        await self._write(f'{{"jsonrpc":"2.0","id":null,"error":{error}}}')

    async def _write(self, text: str) -> None:
        data = text.encode("utf-8", "replace") + b"\n"
        async with self._one_at_a_time:
            with anyio.CancelScope(shield=True):  # half a line would spoil the next one
                if not await in_thread(lambda: _whole(self._sink, data)):
                    raise anyio.BrokenResourceError

    async def aclose(self) -> None:
        """Nothing to do: the descriptor is not ours to close."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def _whole(sink: int, data: bytes) -> bool:
    """Write all of it; False where nobody reads any more."""
    try:
        while data:
            data = data[os.write(sink, data) :]
    except OSError:
        return False
    return True
