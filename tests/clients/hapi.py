"""A Hapi hub and a runner on loopback, and the part of its HTTP API that a person's browser uses."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from clients.box import Box, ClientFailed, program, wait_for
from clients.loopback import inside

TOKEN = "test-cli-token-0123456789abcdef0123"
_QUIET: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class Hapi:
    """A running hub, with whatever machines have come to it."""

    def __init__(self, url: str) -> None:
        self.url, self._login = url, ""
        self.env: dict[str, str] = {}
        """of a program that is to find this hub"""

    def up(self) -> bool:
        try:
            return bool(self.ask("GET", "/health"))
        except OSError:
            return False

    def log_in(self) -> None:
        self._login = self.ask("POST", "/api/auth", {"accessToken": TOKEN})["token"]

    def machine(self) -> str:
        """The id of the machine, once its runner is there."""
        found = self.ask("GET", "/api/machines")["machines"]
        return next((str(each["id"]) for each in found if each["active"]), "")

    def spawn(self, machine: str, folder: str, agent: str) -> str:
        """A new session of an agent: the hub's id for it."""
        wanted = {"directory": folder, "agent": agent, "permissionMode": "default"}
        answer = self.ask("POST", f"/api/machines/{machine}/spawn", wanted)
        if answer.get("type") != "success":
            raise ClientFailed(f"hapi did not start {agent}: {answer}")
        return str(answer["sessionId"])

    def session(self, session: str) -> Any:
        return self.ask("GET", f"/api/sessions/{session}")["session"]

    def send(self, session: str, text: str) -> None:
        self.ask("POST", f"/api/sessions/{session}/messages", {"text": text, "localId": "one"})

    def messages(self, session: str) -> str:
        """All of the conversation, as one text."""
        return json.dumps(self.ask("GET", f"/api/sessions/{session}/messages?limit=100"))

    def archive(self, session: str) -> None:
        self.ask("POST", f"/api/sessions/{session}/archive", {})

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"content-type": "application/json", "authorization": f"Bearer {self._login}"}
        data = None if body is None else json.dumps(body).encode()
        return inside(_ask, urllib.request.Request(self.url + path, data, headers, method=method))


def _ask(request: urllib.request.Request) -> Any:
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def wait_for_the_end(box: Box) -> None:
    """Until no client that Hapi started is at work, nor a hook of one: then nothing changes."""
    wait_for("the end of Hapi's clients", lambda: not box.strays("HAPI_SESSION_ID"))


@contextmanager
def hapi(box: Box, env: dict[str, str]) -> Iterator[Hapi]:
    """A hub and a runner in the box."""
    with hub(box, env) as running:
        box.start(program("hapi"), "runner", "start-sync", env=running.env, **_QUIET)
        yield running


@contextmanager
def hub(box: Box, env: dict[str, str]) -> Iterator[Hapi]:
    """A hub in the box, and nobody who starts agents."""
    with inside(socket.create_server, ("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    running = Hapi(f"http://127.0.0.1:{port}")
    running.env = {
        **env,
        "HAPI_HOME": os.path.join(box.home, ".hapi"),
        "HAPI_LISTEN_HOST": "127.0.0.1",
        "HAPI_LISTEN_PORT": str(port),
        "HAPI_API_URL": f"http://127.0.0.1:{port}",
        "HAPI_IOS_PUSH": "off",
        "CLI_API_TOKEN": TOKEN,
    }
    box.start(program("hapi"), "hub", "--no-relay", cwd=box.home, env=running.env, **_QUIET)
    wait_for("the hub", running.up)
    running.log_in()
    yield running
