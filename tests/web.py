"""The page in this process: a real server on a loopback port, for browsers and for plain requests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import httpx

from leftoff.entry.loopback import HOST, listening
from leftoff.entry.web.scene import Site
from leftoff.entry.web.serve import server_of

TOKEN = "only-for-tests"
PATIENCE = 300
"""Seconds that anything has on a machine that does much else."""


def site(root: str, **more: object) -> Site:
    """A site about a project, as `leftoff web` makes it from this environment."""
    return Site(root, dict(os.environ), TOKEN, 0)._replace(**more)


@contextmanager
def serving(root: str, **more: object) -> Iterator[str]:
    """The address of a server that lives as long as the block, without the token."""
    with listening(0) as port:
        made = site(root, **more)._replace(port=port.getsockname()[1])
        ready = Event()
        server = server_of(made, ready.set)
        thread = Thread(target=server.run, kwargs={"sockets": [port]})
        thread.start()
        try:
            assert ready.wait(PATIENCE)
            yield f"http://{HOST}:{made.port}"
        finally:
            server.should_exit = True
            thread.join(PATIENCE)


@contextmanager
def visitor(address: str, **more: object) -> Iterator[httpx.Client]:
    """A client that has shown the token; proxies of the machine play no part."""
    with httpx.Client(base_url=address, trust_env=False, timeout=PATIENCE, **more) as client:
        assert client.get("/", params={"token": TOKEN}).status_code == 303
        yield client
