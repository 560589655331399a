"""Plays Hapi's own program towards a hub: a machine and sessions, with no agent behind them.

    python hapi_cli.py URL TOKEN        a line of JSON in is a wish, a line of JSON out its answer

It speaks Socket.IO 4 over HTTP long polling. A process of its own, so that it lives in the network of
the box and polls while the test asks the hub for something that only a machine can do.
"""

from __future__ import annotations

import http.client
import json
import sys
import threading
import time
import urllib.request
from typing import Any
from urllib.parse import urlsplit

PULSE = 3.0
"""Seconds between two signs of life; the hub waits for ten times as long."""
BATCH = 40
_POLL = "/socket.io/?EIO=4&transport=polling"


class Link:
    """One connection of Socket.IO in the name of a machine or a session."""

    def __init__(self, cli: Cli, who: dict[str, str], sign: tuple[str, dict[str, Any]]) -> None:
        self._cli, self._sign = cli, sign
        self._lock, self._over = threading.Lock(), False
        self._path = _POLL
        opened = json.loads(self._http("GET")[1:])
        self._path = f"{_POLL}&sid={opened['sid']}"
        self._post("40/cli," + json.dumps({"token": cli.token, **who}))
        if not any(one.startswith("40/cli") for one in self._packets()):
            raise SystemExit("the hub refused the connection")
        for loop in (self._listen, self._live):
            threading.Thread(target=loop, daemon=True).start()

    def emit(self, *events: tuple[str, dict[str, Any]]) -> None:
        self._post("\x1e".join(f"42/cli,{json.dumps(event)}" for event in events))

    def end(self, event: str, told: dict[str, Any]) -> None:
        """The last sign of life is before this."""
        with self._lock:
            self._over = True
            self.emit((event, {**told, "time": _now()}))

    def _live(self) -> None:
        event, told = self._sign
        while True:
            with self._lock:
                if self._over:
                    return
                self.emit((event, {**told, "time": _now()}))
            time.sleep(PULSE)

    def _listen(self) -> None:
        while True:
            for packet in self._packets():
                if packet == "2":
                    self._post("3")
                elif packet.startswith("42/cli,"):
                    self._asked(packet.removeprefix("42/cli,"))

    def _asked(self, rest: str) -> None:
        """Answer a request for something that this end can do."""
        number = rest[: len(rest) - len(rest.lstrip("0123456789"))]
        event, told, *_ = json.loads(rest[len(number) :])
        if number and event == "rpc-request":
            answer = self._cli.does(told["method"].partition(":")[2], json.loads(told["params"]))
            self._post(f"43/cli,{number}" + json.dumps([json.dumps(answer)]))

    def _packets(self) -> list[str]:
        return self._http("GET").split("\x1e")

    def _post(self, packet: str) -> None:
        self._http("POST", packet.encode())

    def _http(self, method: str, body: bytes | None = None) -> str:
        line = http.client.HTTPConnection(self._cli.host, timeout=120)
        line.request(method, self._path, body, {"Content-Type": "text/plain;charset=UTF-8"})
        answer = line.getresponse()
        told = answer.read().decode()
        line.close()
        if answer.status != 200:
            raise SystemExit(f"{answer.status} {told}")
        return told


class Cli:
    """The wishes of a test, and what a hub asks of a machine."""

    def __init__(self, url: str, token: str) -> None:
        self.url, self.token, self.host = url, token, urlsplit(url).netloc
        self.links: dict[str, Link] = {}
        self.next: dict[str, Any] = {}
        """the session that the next start gives"""

    def machine(self, name: str) -> str:
        about = {"host": name, "platform": "linux", "happyCliVersion": "0", "homeDir": "/"}
        about |= {"happyHomeDir": "/", "capabilities": ["agent-availability"]}
        self._cli("machines", {"id": name, "metadata": about, "runnerState": {"status": "running"}})
        who = {"clientType": "machine-scoped", "machineId": name}
        link = self.links[name] = Link(self, who, ("machine-alive", {"machineId": name}))
        methods = ("spawn-happy-session", "agent-availability", "path-exists")
        link.emit(*(("rpc-register", {"method": f"{name}:{one}"}) for one in methods))
        return name

    def session(self, tag: str, metadata: dict[str, Any], *, open: bool = True) -> str:  # noqa: A002
        about = {"host": "h", "flavor": "claude", "version": "0", "os": "linux", **metadata}
        body = {"tag": tag, "metadata": about, "agentState": {"controlledByUser": False}}
        name = str(self._cli("sessions", body)["session"]["id"])
        if open:
            self.open(name)
        return name

    def open(self, name: str) -> None:
        who = {"clientType": "session-scoped", "sessionId": name}
        sign = {"sid": name, "thinking": False, "mode": "remote"}
        self.links[name] = Link(self, who, ("session-alive", sign))

    def say(self, name: str, messages: list[Any]) -> None:
        for at in range(0, len(messages), BATCH):
            some = messages[at : at + BATCH]
            self.links[name].emit(*(("message", {"sid": name, "message": one}) for one in some))

    def end(self, name: str) -> None:
        self.links[name].end("session-end", {"sid": name, "reason": "completed"})

    def starts(self, tag: str, metadata: dict[str, Any]) -> None:
        self.next = {"tag": tag, "metadata": metadata}

    def does(self, method: str, params: Any) -> Any:
        """What a machine answers."""
        if method == "spawn-happy-session":
            return {"type": "success", "sessionId": self.session(**self.next)}
        if method == "path-exists":
            return {"exists": dict.fromkeys(params["paths"], True)}
        ready = {"agent": "claude", "status": "ready", "available": True, "installed": True}
        return {"success": True, "agents": [ready]}

    def _cli(self, what: str, body: Any) -> Any:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"}
        asked = urllib.request.Request(f"{self.url}/cli/{what}", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(asked, timeout=120) as answer:
            return json.load(answer)


def _now() -> int:
    return int(time.time() * 1000)


def main() -> None:
    cli = Cli(*sys.argv[1:])
    for line in sys.stdin:
        wish, given = json.loads(line)
        sys.stdout.write(json.dumps(getattr(cli, wish)(**given)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
