"""A model on loopback that says what a test has written for it, in the format of whoever asks.

    model = FakeModel(listener)
    model.script(
        Step(Reply(calls=(Call("Bash", {"command": "ls"}),)), prompt="LOOK"),
        Step(Reply("All done."), after="Bash"),
    )

The first step that fits a request and is not used up answers it; without one the model says OK.
`model.asked` holds every request that a step or the OK answered, in order.
"""

from __future__ import annotations

import gzip
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from clients.wires import ANTHROPIC, CHAT, GEMINI, RESPONSES, Asked, Reply, Wire

LONGEST_HOLD = 600
"""Seconds after which a held reply goes out whatever happens, so that no thread stays behind."""


@dataclass
class Step:
    """One answer of the script, `times` times over, where everything that it names fits."""

    reply: Reply
    prompt: str = ""
    """stands in the text of the last message"""
    after: str = ""
    """the request ends with the result of this tool"""
    text: str = ""
    """stands anywhere in what the model is given"""
    times: int = 1

    def fits(self, asked: Asked) -> bool:
        called = {call.tool for call in self.reply.calls if call.listed}
        if self.times == 0 or self.text not in asked.text or not called <= set(asked.offered):
            return False  # a request that offers no tools is for a title or a summary
        if self.reply.calls and not asked.offered:
            return False
        if self.after:
            return self.after in asked.results_of
        return self.prompt in asked.prompt


class FakeModel(ThreadingHTTPServer):
    """Serves until closed. The listener is given, so that it may live in another network namespace."""

    daemon_threads = True

    def __init__(self, listener: socket.socket) -> None:
        super().__init__(listener.getsockname(), _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listener
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self.asked: list[Asked] = []
        self._steps: list[Step] = []
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def script(self, *steps: Step) -> None:
        """What it says from now on."""
        with self._lock:
            self._steps = list(steps)

    def answer(self, asked: Asked) -> Reply:
        with self._lock:
            self.asked.append(asked)
            step = next((step for step in self._steps if step.fits(asked)), None)
            if step is None:
                return Reply("OK")
            step.times -= 1
            return step.reply

    def given(self, text: str) -> list[Asked]:
        """The requests that held a text."""
        with self._lock:
            return [asked for asked in self.asked if text in asked.text]

    def close(self) -> None:
        self.shutdown()
        self.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FakeModel

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        self._json({})

    def do_GET(self) -> None:
        self._json({"object": "list", "data": [{"id": "fake-model", "object": "model"}]})

    def do_POST(self) -> None:
        body, path = self._body(), urlsplit(self.path).path
        if path.endswith(("/count_tokens", ":countTokens")):
            size = len(json.dumps(body)) // 4
            self._json({"input_tokens": size, "totalTokens": size})
        elif wire := _wire(path):
            asked = wire.read(body)
            self._answer(wire, asked, whole=path.endswith(":generateContent"))
        else:
            self._json({})

    def _answer(self, wire: Wire, asked: Asked, *, whole: bool) -> None:
        reply = self.server.answer(asked)
        if reply.hold:
            reply.hold.wait(LONGEST_HOLD)
        with suppress(ConnectionError):  # the client was ended meanwhile
            if reply.status >= 400:
                error = {"type": "api_error", "message": reply.text}
                self._json({"type": "error", "error": error}, reply.status)
            elif whole:
                self._json(next(wire.write(asked, reply)))
            else:
                self._stream(_lines(wire, wire.write(asked, reply)))

    def _body(self) -> Any:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.headers.get("transfer-encoding") == "chunked":
            raw = b"".join(self._chunks())
        if self.headers.get("content-encoding") == "gzip":
            raw = gzip.decompress(raw)
        return json.loads(raw or b"{}")

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def _json(self, value: Any, status: int = 200) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _stream(self, lines: Iterator[str]) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for line in lines:
            self.wfile.write(line.encode())


def _wire(path: str) -> Wire | None:
    endings = {
        "/messages": ANTHROPIC,
        "/responses": RESPONSES,
        "/chat/completions": CHAT,
        ":streamGenerateContent": GEMINI,
        ":generateContent": GEMINI,
    }
    return next((wire for ending, wire in endings.items() if path.endswith(ending)), None)


def _lines(wire: Wire, events: Iterator[Any]) -> Iterator[str]:
    for event in events:
        name = f"event: {event['type']}\n" if wire.named else ""
        yield f"{name}data: {json.dumps(event)}\n\n"
    if wire.closing:
        yield f"data: {wire.closing}\n\n"
