"""Running it: a loopback port, the address for the person, a note for the next who asks."""

from __future__ import annotations

import os
import secrets
from http.client import HTTPConnection, HTTPException

import uvicorn

from leftoff.core.fast_json import dumps, loads
from leftoff.entry.loopback import HOST, listening, serve_on
from leftoff.entry.web.app import build
from leftoff.entry.web.guard import cookie_name
from leftoff.entry.web.scene import Site
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import bytes_or_none, discard, write_atomic
from leftoff.world.state import ensure, place_key, state_dir

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Mapping

PATIENCE = 2.0
"""Seconds that a server of ours has to say that it is there."""


class Running(Record):
    """A server, as its note tells."""

    root: str
    port: int
    token: str
    write: bool

    @property
    def address(self) -> str:
        """What a person opens."""
        return f"http://{HOST}:{self.port}/?token={self.token}"


def running(root: str, env: Mapping[str, str]) -> Running | None:
    """The server of this project, if it still answers to its token."""
    data = bytes_or_none(_note(root, env))
    try:
        told = loads((data or b"null").decode())
        found = Running(**told) if told else None
    except (ValueError, TypeError):
        return None
    return found if found and found.root == root and _answers(found) else None


def serve(site: Site, tell: Callable[[Running], None]) -> None:
    """Serve until somebody ends it; `tell` gets the address once the port is open."""
    with listening(site.port, hint="give another --port, or none") as port:
        token = secrets.token_urlsafe(24)
        site = site._replace(port=port.getsockname()[1], token=token)
        here = Running(site.root, site.port, token, site.write)
        path = _note(site.root, site.env)
        note = dumps(here._asdict()).encode()
        ensure(os.path.dirname(path))
        write_atomic(path, note, 0o600, durable=False)
        try:
            serve_on(port, server_of(site, lambda: tell(here)))
        finally:
            if bytes_or_none(path) == note:  # else it is that of a server that began later
                discard(path)


def server_of(site: Site, ready: Callable[[], None]) -> uvicorn.Server:
    """What serves the site on a port that is open; `ready` is called when it does."""
    server: _Server
    config = uvicorn.Config(
        build(site, lambda: server.should_exit),
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=2,
    )
    server = _Server(config, ready)
    return server


class _Server(uvicorn.Server):
    """Tells when it listens."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()


def _note(root: str, env: Mapping[str, str]) -> str:
    return os.path.join(state_dir(env), "web", f"{place_key(root)}.json")


def _answers(found: Running) -> bool:
    """Whether the port is ours: only our server takes the token for its cookie."""
    link = HTTPConnection(HOST, found.port, timeout=PATIENCE)
    try:
        link.request("HEAD", f"/?token={found.token}")
        said = link.getresponse().getheader("set-cookie") or ""
    except (OSError, HTTPException):
        return False
    finally:
        link.close()
    return f"{cookie_name(found.port)}=" in said
