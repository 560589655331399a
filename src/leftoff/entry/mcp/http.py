"""The server over HTTP, for clients that cannot start a process: on this machine alone.

Nothing is answered without the token, nor to a page of a browser: Host and Origin must be ours.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
from stat import S_IMODE

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from leftoff.entry.loopback import HOST, listening, serve_on
from leftoff.entry.mcp.server import AFTER, McpServer, settle
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world.files import Staged, bytes_or_none
from leftoff.world.state import ensure, state_dir

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TextIO

    from leftoff.entry.mcp.answers import Seat

PATH = "/mcp"
VARIABLE = "LEFTOFF_MCP_TOKEN"
SHORTEST = 16
MOST_SESSIONS = 100
GRACE = 2


def serve(seat: Seat, port: int, out: TextIO) -> int:
    """Until it is interrupted."""
    token, where = token_of(seat.env)
    with listening(port, hint="choose another port, or 0 for a free one") as listener:
        port = listener.getsockname()[1]
        print(f"http://{HOST}:{port}{PATH}", file=out)
        print(f"token: {where}", file=out, flush=True)
        config = uvicorn.Config(
            app(seat, port, token),
            log_level="error",
            access_log=False,
            lifespan="on",
            timeout_graceful_shutdown=GRACE,
        )
        serve_on(listener, uvicorn.Server(config))
    return 0


def app(seat: Seat, port: int, token: str) -> Gate:
    """The whole of it, as a server runs it."""
    mcp_server = McpServer(seat._replace(remote=True))
    hosts = [f"{name}:{port}" for name in (HOST, "localhost", "[::1]")]
    safety = TransportSecuritySettings(
        allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
    )
    inner = mcp_server.server.streamable_http_app(
        streamable_http_path=PATH, transport_security=safety, max_sessions=MOST_SESSIONS
    )
    return Gate(inner, hosts, token)


def token_of(env: Mapping[str, str]) -> tuple[str, str]:
    """The token and where it is: the environment, else a file of the user's alone."""
    if given := env.get(VARIABLE, ""):
        if len(given) < SHORTEST or not given.isascii():
            text = f"{VARIABLE} is too short to be a secret"
            raise Usage(text, hint=f"give at least {SHORTEST} characters, or leave it out")
        return given, VARIABLE
    path = os.path.join(state_dir(env), "mcp-token")
    return _kept(path) or _made(path) or _kept(path), path


def _kept(path: str) -> str:
    data = bytes_or_none(path)
    if data is None:
        return ""
    if S_IMODE(os.stat(path).st_mode) & 0o077:
        raise Usage("others can read the token", hint="give the file the mode 0600", where=path)
    text = data.decode("ascii", "replace").strip()
    if len(text) < SHORTEST:
        hint = "write one of 16 or more characters into the file"
        raise Usage("the token is too short", hint=hint, where=path)
    return text


def _made(path: str) -> str:
    """A new one; "" where another server was first."""
    ensure(os.path.dirname(path))
    token = secrets.token_urlsafe(32)
    with Staged(path) as staged:
        staged.write(f"{token}\n".encode(), 0o600)
        return token if staged.claim() else ""


class Gate:
    """Lets through who has the token and comes from no foreign page."""

    def __init__(self, inner: Any, hosts: list[str], token: str) -> None:
        self._inner, self._hosts, self._token = inner, hosts, token.encode()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        refused = self._refused(dict(scope["headers"]))
        if refused:
            await _answer(send, *refused)
            return
        sent: list[bool] = []

        async def watched(message: Any) -> None:
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body"):
                sent.append(True)

        waiting: list[Any] = []
        await self._inner({**scope, AFTER: waiting}, receive, watched)
        for after in waiting if sent else ():
            await settle(after)

    def _refused(self, headers: Mapping[bytes, bytes]) -> tuple[int, str, str] | None:
        """The status, the kind and why; None for who may come in."""
        host = headers.get(b"host", b"").decode("latin-1")
        origin = headers.get(b"origin", b"").decode("latin-1")
        if host not in self._hosts:
            return 421, "usage", "this server answers only to its own address"
        if origin and origin not in {f"http://{one}" for one in self._hosts}:
            return 403, "usage", "this server answers no pages of others"
        given = headers.get(b"authorization", b"")
        scheme, _, token = given.partition(b" ")
        if scheme.lower() != b"bearer" or not hmac.compare_digest(token.strip(), self._token):
            return 401, "usage", "the token is missing or wrong"
        return None


async def _answer(send: Any, status: int, kind: str, text: str) -> None:
    told = {"kind": kind, "message": text, "hint": "see docs/mcp.md", "retryable": False}
    data = json.dumps({"error": told}).encode()
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    headers += [(b"www-authenticate", b"Bearer")] if status == 401 else []
    headers += [(b"content-length", str(len(data)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": data})
