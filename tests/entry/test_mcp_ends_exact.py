"""Both ways to the MCP server, on pipes and a port of the tests' own process."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import anyio
import httpx
import mcp_types as types
import pytest
import uvicorn
from mcp.shared.message import SessionMessage

from leftoff.entry.mcp import http, stdio
from leftoff.entry.mcp.server import AFTER, McpServer
from leftoff.errors import Usage
from mcp_talk import INIT, PATIENCE, Wire, seat, wait_for
from projects import NOW, put
from support import alone, run

TOKEN = "a-token-of-this-test-alone"
RESUME = {"name": "resume_work", "arguments": {"reads": "n"}}
ANSWER = [
    {"type": "http.response.start", "status": 200, "headers": []},
    {"type": "http.response.body", "body": b"a", "more_body": True},
    {"type": "http.response.body", "body": b"b"},
]


@pytest.fixture
def record(root):
    """What a session left: consumed by RESUME once the answer is out."""
    name = ".workflow_artifacts/memory/pending-restore-s-1.txt"
    put(root, name, ".workflow_artifacts/memory/checkpoints/2026-08-06-auth-fix.md\n")
    path = os.path.join(root, name)
    os.utime(path, (1_786_190_300, 1_786_190_300))
    return path


def nodes() -> list[int]:
    """What stdin and stdout are now."""
    return [os.fstat(number).st_ino for number in (0, 1)]


@contextmanager
def standing_in(source: int, sink: int) -> Iterator[None]:
    """These descriptors as stdin and stdout, and the ones from before again."""
    kept = os.dup(0), os.dup(1)
    for number, each in enumerate((source, sink)):
        os.dup2(each, number)
        os.close(each)
    try:
        yield
    finally:
        for number, each in enumerate(kept):
            os.dup2(each, number)
            os.close(each)


@contextmanager
def on_stdio(root: str) -> Iterator[Wire]:
    """A server on stdin and stdout of this process, and its client."""
    (source, there), (back, sink) = os.pipe(), os.pipe()
    with open(back, "rb") as heard, standing_in(source, sink), ThreadPoolExecutor(1) as thread:
        given = nodes()
        with open(there, "wb") as said:
            served = thread.submit(run, "mcp", "--now", NOW, cwd=root)
            yield Wire(said, heard)
        assert served.result().returncode == 0
        assert nodes() == given


def test_on_stdio_a_message_is_answered_and_what_is_none_refused(root):
    with on_stdio(root) as wire:
        wire.begin()
        for line in (b"{", b"[]", b'{"jsonrpc":"2.0"}', b"\xff"):
            wire.say(line)
            told = wire.hear()
            assert (told["id"], told["error"]["code"]) == (None, -32700), line
        wire.say(b" ")
        wire.ask(1, "tools/call", name="get_next", arguments={})
        told = wire.hear()
        assert (told["id"], told["result"]["isError"]) == (1, False)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--project", "no-such"), "there is no folder"),
        (("--http", "x"), '"x" is not a port'),
        (("--http", "65536"), '"65536" is not a port'),
        (("--http", "1000000"), '"1000000" is not a port'),
    ],
)
def test_a_folder_or_port_that_is_none_is_refused_before_anything_is_served(root, words, told):
    done = run("mcp", *words, cwd=root)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr


def test_while_it_serves_whatever_else_prints_goes_to_the_log(root):
    with on_stdio(root) as wire:
        wire.begin()
        assert os.fstat(1).st_ino == os.fstat(2).st_ino
        assert os.read(0, 1) == b""


def test_on_stdio_what_a_session_left_is_consumed_once_the_answer_is_out(root, record):
    with on_stdio(root) as wire:
        wire.begin()
        wire.ask(1, "tools/call", **RESUME)
        told = wire.hear()["result"]["structuredContent"]["data"]
        wait_for(lambda: not os.path.exists(record))
    assert told["id"] == "2026-08-06-auth-fix"


@pytest.mark.parametrize("is_read", [True, False])
def test_what_waits_for_an_answer_is_done_once_that_was_written(root, is_read):
    mcp_server, done = McpServer(seat(root)), []
    mcp_server.after[1] = lambda: done.append(1) or ()
    answer = SessionMessage(types.JSONRPCResponse(jsonrpc="2.0", id=1, result={}))
    back, sink = os.pipe()
    with open(back, "rb") as heard, open(sink, "wb"):
        if is_read:
            alone(lambda: stdio.Out(mcp_server, sink).send(answer))
            assert json.loads(heard.readline())["id"] == 1
        else:
            heard.close()
            with pytest.raises(anyio.BrokenResourceError):
                alone(lambda: stdio.Out(mcp_server, sink).send(answer))
    assert done == [1] * is_read
    assert (1 in mcp_server.after) is not is_read


def test_of_a_line_that_is_too_long_there_stays_what_is_no_message(tmp_path):
    long = b'{"' + b"x" * 300_000 + b'"}'
    (tmp_path / "lines").write_bytes(b"{}\n" + long + b"\n\n7\nlast")
    with open(tmp_path / "lines", "rb", buffering=0) as file:
        lines = stdio.Lines(file.fileno(), len(long) - 1)
        found = [lines.read() for _ in range(6)]
    assert found[1].startswith(b"!")
    assert [found[0], *found[2:]] == [b"{}", b"", b"7", b"last", None]
    with open(tmp_path / "lines", "rb", buffering=0) as file:
        lines = stdio.Lines(file.fileno())
        assert [lines.read(), lines.read()] == [b"{}", long]


class Gated:
    """A gate before a server that gives these messages, with one thing to do afterwards."""

    def __init__(self, *messages: dict[str, object]) -> None:
        self.messages, self.scopes, self.sent, self.done = messages, [], [], []
        self.gate = http.Gate(self._inner, ["127.0.0.1:7", "localhost:7"], TOKEN)

    async def _inner(self, scope, receive, send):
        self.scopes.append(scope)
        scope.get(AFTER, []).append(lambda: self.done.append(len(self.sent)) or ())
        for message in self.messages:
            await send(message)

    def ask(self, kind: str = "http", **headers: str):
        told = {"host": "localhost:7", "authorization": f"Bearer {TOKEN}", **headers}
        coded = [(name.encode(), value.encode()) for name, value in told.items()]

        async def send(message):
            self.sent.append(message)

        alone(lambda: self.gate({"type": kind, "headers": coded}, None, send))
        return self


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"host": "127.0.0.1:7"},
        {"origin": "http://localhost:7"},
        {"authorization": f"bearer  {TOKEN} "},
    ],
)
def test_the_gate_lets_its_own_in_and_settles_behind_the_whole_answer(headers):
    gated = Gated(*ANSWER).ask(**headers)
    assert gated.sent == ANSWER
    assert gated.done == [len(ANSWER)]


def test_behind_an_answer_that_was_not_whole_nothing_is_settled():
    gated = Gated(*ANSWER[:2]).ask()
    assert (gated.sent, gated.done) == (ANSWER[:2], [])


def test_what_is_no_request_passes_the_gate():
    gated = Gated().ask("lifespan", authorization="")
    assert [scope["type"] for scope in gated.scopes] == ["lifespan"]


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (421, {"host": "evil.example", "authorization": ""}),
        (421, {"host": ""}),
        (403, {"origin": "http://evil.example"}),
        (403, {"origin": "null"}),
        (403, {"origin": "https://localhost:7"}),
        (401, {"authorization": ""}),
        (401, {"authorization": TOKEN}),
        (401, {"authorization": f"Basic {TOKEN}"}),
        (401, {"authorization": f"Bearer {TOKEN}x"}),
    ],
)
def test_the_gate_answers_others_itself(status, headers):
    gated = Gated(*ANSWER).ask(**headers)
    start, body = gated.sent
    told = dict(start["headers"])
    assert (start["status"], gated.scopes) == (status, [])
    assert told[b"content-length"] == str(len(body["body"])).encode()
    assert (b"www-authenticate" in told) == (status == 401)
    assert b'"kind": "usage"' in body["body"]
    assert TOKEN.encode() not in body["body"]


def test_a_token_is_made_once_for_the_user_alone(home):
    token, path = http.token_of(os.environ)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert len(token) >= http.SHORTEST
    assert http.token_of(os.environ) == (token, path)
    assert http._made(path) == "", "another server was first"
    assert http.token_of(os.environ) == (token, path)


def test_a_token_of_the_environment_comes_first():
    env = {**os.environ, http.VARIABLE: TOKEN}
    assert http.token_of(env) == (TOKEN, http.VARIABLE)
    for bad in ("x" * (http.SHORTEST - 1), "\u00e9" * http.SHORTEST):
        with pytest.raises(Usage, match="too short to be a secret"):
            http.token_of({**env, http.VARIABLE: bad})


def test_a_file_that_others_can_read_or_that_holds_no_secret_is_refused():
    _, path = http.token_of(os.environ)
    os.chmod(path, 0o640)
    with pytest.raises(Usage, match="others can read the token"):
        http.token_of(os.environ)
    os.chmod(path, 0o600)
    with open(path, "w", encoding="ascii") as file:
        file.write(f" {'x' * (http.SHORTEST - 1)} \n")
    with pytest.raises(Usage, match="the token is too short"):
        http.token_of(os.environ)


@contextmanager
def on_http(root: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, str]]:
    """A server on a free port: its address, and where it says that the token is."""
    made = []

    class Kept(uvicorn.Server):
        def __init__(self, config: uvicorn.Config) -> None:
            super().__init__(config)
            made.append(self)

    monkeypatch.setattr(uvicorn, "Server", Kept)
    back, out = os.pipe()
    with (
        ThreadPoolExecutor(1) as thread,
        open(back, encoding="utf-8") as told,
        open(out, "w", encoding="utf-8") as said,
    ):
        served = thread.submit(http.serve, seat(root), 0, said)
        url, where = told.readline().strip(), told.readline().strip()
        wait_for(lambda: made)
        try:
            yield url, where.removeprefix("token: ")
        finally:
            made[0].should_exit = True
        assert served.result() == 0


def test_over_http_the_token_opens_and_what_was_left_is_consumed(root, record, monkeypatch):
    with on_http(root, monkeypatch) as (url, where):
        assert url.startswith("http://127.0.0.1:")
        with open(where, encoding="ascii") as file:
            headers = {
                "Authorization": f"Bearer {file.read().strip()}",
                "Accept": "application/json, text/event-stream",
            }

        def asked(method: str, **params: object) -> httpx.Response:
            told = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            return httpx.post(url, json=told, headers=headers, timeout=PATIENCE)

        assert httpx.post(url, json={}, timeout=PATIENCE).status_code == 401
        begun = asked("initialize", **INIT)
        headers["Mcp-Session-Id"] = begun.headers["mcp-session-id"]
        assert '"name":"leftoff"' in begun.text
        assert "2026-08-06-auth-fix" in asked("tools/call", **RESUME).text
        wait_for(lambda: not os.path.exists(record))
