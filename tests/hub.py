"""A hub of Hapi that a test scripts: the answers of the real one, on loopback, and what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "hub-token-of-this-test-0123456789"
SESSION, NEW, CLIENT = "aaaa-old", "bbbb-new", "11111111-1111-4111-8111-111111111111"


class StubHub:
    """One machine, one running session; a test changes what it needs before it asks."""

    def __init__(self) -> None:
        self.url, self.connections = "", 0
        self.asked: list[tuple[str, str, Any]] = []
        self.logins, self.valid, self.refuse_logins = 0, "", False
        self.expired = 0
        """how many requests find their login lapsed"""
        self.machines: list[dict[str, Any]] = [machine("m-here", "here")]
        self.folders: dict[str, set[str]] = {}
        self.sessions = {SESSION: session(SESSION, machineId="m-here", claudeSessionId=CLIENT)}
        self.spawned: Any = {"type": "success", "sessionId": NEW}
        self.looks_until_active = self.posts_until_active = 0
        self.drops = 0
        """messages that are stored without an answer"""
        self.messages: dict[str, list[dict[str, Any]]] = {}
        self.answers: dict[tuple[str, str], tuple[int, bytes, dict[str, str]]] = {}
        """method and path -> status, body, headers, instead of the usual answer"""

    def env(self, **more: str) -> dict[str, str]:
        """What a client under Hapi has in its environment."""
        given = {"HAPI_API_URL": self.url, "CLI_API_TOKEN": TOKEN, "HAPI_SESSION_ID": SESSION}
        return given | more

    def paths(self, method: str = "") -> list[str]:
        return [path for one, path, _ in self.asked if method in {"", one}]

    def sent(self) -> list[tuple[str, str]]:
        """The messages that came in by its interface: session and text."""
        return [
            (name, one["content"]["content"]["text"])
            for name, stored in self.messages.items()
            for one in stored
            if one["localId"]
        ]

    # the interface

    def answer(self, method: str, url: str, body: Any, login: str) -> tuple[int, Any]:
        parts = urlsplit(url).path.strip("/").split("/")
        if parts == ["api", "auth"]:
            return self._log_in(body)
        if self.expired:
            self.expired -= 1
            self.valid = ""
        if not self.valid or login != f"Bearer {self.valid}":
            return 401, {"error": "Invalid token"}
        return self._within(method, url, parts, body)

    def _within(self, method: str, url: str, parts: list[str], body: Any) -> tuple[int, Any]:
        if parts[:2] == ["api", "machines"]:
            return self._machines(parts[2:], body)
        if parts == ["api", "sessions"]:
            return 200, {"sessions": [_summary(one) for one in self.sessions.values()]}
        if parts[2] not in self.sessions:
            return 404, {"error": "Session not found"}
        if parts[3:] == ["messages"]:
            said = self._send if method == "POST" else self._page
            return said(parts[2], body if method == "POST" else parse_qs(urlsplit(url).query))
        return self._session(parts[2])

    def _log_in(self, body: Any) -> tuple[int, Any]:
        self.logins += 1
        if self.refuse_logins or body != {"accessToken": TOKEN}:
            return 401, {"error": f"Invalid access token {body.get('accessToken')}"}
        self.valid = f"login-number-{self.logins}-of-the-stub"
        return 200, {"token": self.valid, "user": {"id": 1}}

    def _machines(self, parts: list[str], body: Any) -> tuple[int, Any]:
        if not parts:
            return 200, {"machines": self.machines}
        if parts[1] == "spawn":
            if isinstance(self.spawned, dict) and self.spawned.get("sessionId") == NEW:
                self.sessions[NEW] = session(NEW, active=not self.looks_until_active)
            return 200, self.spawned
        there = self.folders.get(parts[0], set())
        return 200, {"exists": {path: path in there for path in body["paths"]}}

    def _session(self, name: str) -> tuple[int, Any]:
        if name == NEW and self.looks_until_active:
            self.looks_until_active -= 1
            self.sessions[NEW]["active"] = not self.looks_until_active
        return 200, {"session": self.sessions[name]}

    def _send(self, name: str, body: Any) -> tuple[int, Any]:
        if self.posts_until_active:
            self.posts_until_active -= 1
            return 409, {"error": "Session is inactive", "code": "session_inactive"}
        stored = self.messages.setdefault(name, [])
        if all(one["localId"] != body["localId"] for one in stored):
            stored.append(said(len(stored) + 1, "user", body["text"], localId=body["localId"]))
        if self.drops:
            self.drops -= 1
            return 0, None
        return 200, {"ok": True}

    def _page(self, name: str, query: dict[str, list[str]]) -> tuple[int, Any]:
        cursor = [query.get(key, [""])[0] for key in ("beforeAt", "beforeSeq")]
        if bool(cursor[0]) != bool(cursor[1]):
            return 400, {"error": "Invalid query", "issues": []}
        before = (int(cursor[0]), int(cursor[1])) if cursor[0] else (1 << 60, 0)
        older = sorted((_place(one), at) for at, one in enumerate(self.messages.get(name, [])))
        older = [(place, at) for place, at in older if place < before]
        limit = int(query["limit"][0])
        shown = older[-limit:]
        page = {"hasMore": len(older) > limit, "epoch": 0, "limit": limit}
        page |= dict(
            zip(("nextBeforeAt", "nextBeforeSeq"), shown[0][0] if shown else (), strict=False)
        )
        found = [self.messages[name][at] for _, at in shown]
        return 200, {"messages": found[::-1], "page": page}


def machine(name: str, host: str, *, active: bool = True) -> dict[str, Any]:
    return {"id": name, "active": active, "metadata": {"host": host}}


def session(name: str, *, active: bool = True, **about: str) -> dict[str, Any]:
    return {
        "id": name,
        "active": active,
        "metadata": {"path": "/repo", "flavor": "claude", **about},
    }


def said(seq: int, role: str, text: str, **more: Any) -> dict[str, Any]:
    """A message as the hub keeps it; an agent's is a line of Claude's transcript."""
    line = {"type": "assistant", "message": {"content": [{"type": "text", "text": text}]}}
    agent = {"type": "output", "data": line}
    content = {"type": "text", "text": text} if role == "user" else agent
    at = 1_786_000_000_000 + seq * 1000
    made = {"id": f"id-{seq}", "seq": seq, "localId": None, "createdAt": at, "invokedAt": at}
    return {**made, "content": {"role": role, "content": content}, **more}


def _place(message: dict[str, Any]) -> tuple[int, int]:
    return message["invokedAt"], message["seq"]


def _summary(one: dict[str, Any]) -> dict[str, Any]:
    about = one["metadata"]
    known = about.get("claudeSessionId") or about.get("codexSessionId")
    return {**one, "metadata": {"path": about["path"], "agentSessionId": known}}


@contextmanager
def stub_hub() -> Iterator[StubHub]:
    """It runs, and counts every connection, whatever comes over it."""
    stub = StubHub()

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(size)) if size else None
            stub.asked.append((self.command, self.path, body))
            given = stub.answers.get((self.command, self.path))
            if given:
                status, data, headers = given
            else:
                login = self.headers.get("Authorization") or ""
                status, told = stub.answer(self.command, self.path, body, login)
                data, headers = json.dumps(told).encode(), {}
            if not status:
                self.close_connection = True
                return
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        do_GET = answer  # noqa: N815  # as the library calls them
        do_POST = answer  # noqa: N815

        def log_message(self, *args: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def process_request(self, request: Any, client_address: Any) -> None:
            stub.connections += 1
            super().process_request(request, client_address)

    with Server(("127.0.0.1", 0), Handler) as server:
        stub.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield stub
        finally:
            server.shutdown()
            thread.join()
