"""The MCP server over HTTP: the same answers, for whoever has the token and comes from here."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from histories import HOUR, ident, journal, started
from leftoff.entry.mcp.tools import TOOLS
from mcp_talk import ERAS, PATIENCE, wait_for
from projects import NOW, put
from support import SOURCE, alone, leftoff

TOKEN = "a-token-of-this-test-alone"


@contextmanager
def serving(root: str, *options: str, **env: str) -> Iterator[tuple[str, str]]:
    """A server on a free port: its address, and where it says that the token is."""
    process = subprocess.Popen(
        [sys.executable, "-m", "leftoff", "mcp", "--http", *options, "--now", NOW],
        cwd=root,
        env={**os.environ, "PYTHONPATH": SOURCE, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        assert process.stdout
        url, where = process.stdout.readline().strip(), process.stdout.readline().strip()
        assert url, process.communicate(timeout=PATIENCE)
        yield url, where.removeprefix("token: ")
    finally:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert TOKEN not in out + err
    assert "Traceback" not in err
    assert process.returncode == 130


def talked(url, token, say, mode="legacy"):
    """What comes of a talk of the SDK's client."""

    async def run():
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http,
            Client(streamable_http_client(url, http_client=http), mode=mode) as client,
        ):
            return await say(client)

    return alone(run)


def test_every_tool_resource_and_prompt_answers_over_http(root):
    given = {"search_history": {"query": "tokens"}, "save_checkpoint": {"note": "So far"}}
    given |= {"complete_action": {"name": "oc-demo"}}
    given |= {"update_checkpoint": {"name": "oc-demo", "set": {"step": "x"}}}

    async def ask(client):
        done = [await client.call_tool(one.name, given.get(one.name, {})) for one in TOOLS]
        bad = await client.call_tool("get_status", {"project": "/etc"})
        listed = (await client.list_resources()).resources
        read = [await client.read_resource(str(one.uri)) for one in listed]
        got = [await client.get_prompt(one.name) for one in (await client.list_prompts()).prompts]
        return done, bad, read, got

    with serving(root, LEFTOFF_MCP_TOKEN=TOKEN) as (url, where):
        assert where == "LEFTOFF_MCP_TOKEN"
        for mode in ERAS:
            done, bad, read, got = talked(url, TOKEN, ask, mode)
            assert [one.is_error for one in done] == [False] * len(TOOLS)
            assert bad.structured_content["error"]["kind"] == "usage"
            assert len(read) >= 5
            assert len(got) == 3


def test_nobody_without_the_token_and_no_foreign_page_gets_in(root):
    with serving(root, LEFTOFF_MCP_TOKEN=TOKEN) as (url, _):
        host = url.split("/")[2]
        good = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json, text/event-stream"}
        body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}

        def status(**headers: str) -> int:
            told = {name.replace("_", "-"): value for name, value in headers.items()}
            return httpx.post(url, json=body, headers=told, timeout=PATIENCE).status_code

        assert status() == 401
        assert status(Authorization="Bearer wrong-token-of-this-test") == 401
        assert status(Authorization=f"Basic {TOKEN}") == 401
        assert status(Authorization=TOKEN) == 401
        for code, foreign in [
            (421, {"Host": "evil.example"}),
            (421, {"Host": "127.0.0.1:1"}),
            (403, {"Origin": "http://evil.example"}),
            (403, {"Origin": "http://localhost:1"}),
            (403, {"Origin": "null"}),
        ]:
            told = httpx.post(url, json=body, headers=good | foreign, timeout=PATIENCE)
            assert (told.status_code, told.json()["error"]["kind"]) == (code, "usage")
        for fine in (
            {},
            {"Origin": f"http://{host}"},
            {"Host": host.replace("127.0.0.1", "localhost")},
        ):
            assert status(**good, **fine) in {
                200,
                400,
            }  # through the gate: a ping without a session
        for method in ("GET", "DELETE", "OPTIONS", "POST"):
            refused = httpx.request(method, url, timeout=PATIENCE)
            assert refused.status_code == 401
            assert refused.json()["error"]["kind"] == "usage"
            assert "access-control-allow-origin" not in refused.headers
        assert (
            httpx.get(url.replace("/mcp", "/other"), headers=good, timeout=PATIENCE).status_code
            == 404
        )
        assert httpx.post(
            url, content=b"{" * (5 << 20), headers=good, timeout=PATIENCE
        ).status_code in {400, 413}


def test_the_token_is_made_once_and_is_the_users_alone(root):
    with serving(root) as (url, where):
        assert stat.S_IMODE(os.stat(where).st_mode) == 0o600
        with open(where, encoding="ascii") as file:
            token = file.read().strip()
        assert talked(url, token, lambda client: client.list_tools()).tools
    with serving(root) as (_, again), open(again, encoding="ascii") as file:
        assert file.read().strip() == token
    os.chmod(where, 0o644)
    done = leftoff("mcp", "--http", cwd=root)
    assert (done.returncode, done.stdout) == (2, "")
    assert "others can read the token" in done.stderr
    short = leftoff("mcp", "--http", cwd=root, env={"LEFTOFF_MCP_TOKEN": "short"})
    assert "too short" in short.stderr


def test_only_loopback_is_listened_on_and_a_port_in_use_is_told(root):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = leftoff("mcp", "--http", str(port), cwd=root)
        assert done.returncode == 6
        assert f"cannot listen on port {port}" in done.stderr
    with serving(root, LEFTOFF_MCP_TOKEN=TOKEN) as (url, _):
        assert url.startswith("http://127.0.0.1:")


def test_a_caller_over_http_is_no_session_unless_it_says_which(root):
    journal(1, started(HOUR, root))
    known = {"LEFTOFF_MCP_TOKEN": TOKEN, "CLAUDE_CODE_SESSION_ID": ident(1)}

    async def ask(client):
        nobody = await client.call_tool("save_checkpoint", {"note": "x"})
        named = await client.call_tool("save_checkpoint", {"note": "y", "session": ident(1)})
        return nobody.structured_content["data"], named.structured_content["data"]

    with serving(root, **known) as (url, _):
        nobody, named = talked(url, TOKEN, ask)
    assert nobody["session"] is None
    assert named["session"] == f"claude-code/{ident(1)}"


@pytest.mark.parametrize("mode", ERAS)
def test_what_a_session_left_is_consumed_once_the_answer_is_out(root, mode):
    save = ".workflow_artifacts/memory/checkpoints/2026-08-06-auth-fix.md"
    record = ".workflow_artifacts/memory/pending-restore-s-1.txt"
    put(root, record, f"{save}\n")
    os.utime(os.path.join(root, record), (1_786_190_300, 1_786_190_300))

    async def ask(client):
        return await client.call_tool("resume_work", {"reads": "n"})

    with serving(root, LEFTOFF_MCP_TOKEN=TOKEN) as (url, _):
        done = talked(url, TOKEN, ask, mode)
        wait_for(lambda: not os.path.exists(os.path.join(root, record)))
    assert done.structured_content["data"]["id"] == "2026-08-06-auth-fix"
