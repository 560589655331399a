"""The MCP server as a process of its own: what a client starts, talks to and leaves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Self

import anyio
import pytest

from leftoff.entry.mcp.stdio import LONGEST
from leftoff.entry.mcp.tools import TOOLS
from mcp_talk import ERAS, PATIENCE, Wire, met, process, wait_for
from projects import NOW, put
from support import SOURCE, leftoff


class Raw(Wire):
    """A client that started the server as a process."""

    def __init__(self, root: str, **env: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "leftoff", "mcp", "--now", NOW],
            cwd=root,
            env={**os.environ, "PYTHONPATH": SOURCE, **env},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self.process.stdin
        assert self.process.stdout
        super().__init__(self.process.stdin, self.process.stdout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.there, self.back, self.process.stderr):
            if stream and not stream.closed:
                stream.close()

    def end(self) -> int:
        self.there.close()
        return self.process.wait(PATIENCE)


@pytest.mark.req("A.dist.mcp")
@pytest.mark.parametrize("mode", ERAS)
def test_every_tool_resource_and_prompt_answers_over_stdio(root, mode):
    given = {"search_history": {"query": "tokens"}, "save_checkpoint": {"note": "So far"}}
    given |= {"complete_action": {"name": "oc-demo"}}
    given |= {"update_checkpoint": {"name": "oc-demo", "set": {"step": "x"}}}

    async def ask(client):
        done = [await client.call_tool(one.name, given.get(one.name, {})) for one in TOOLS]
        listed = (await client.list_resources()).resources
        read = [await client.read_resource(str(one.uri)) for one in listed]
        prompts = (await client.list_prompts()).prompts
        got = [await client.get_prompt(one.name) for one in prompts]
        return done, read, got

    done, read, got = met(process(root), ask, mode)
    assert [one.is_error for one in done] == [False] * len(TOOLS)
    assert all(one.contents[0].text for one in read)
    assert len(got) == 3


def test_it_ends_with_its_client(root):
    with Raw(root) as raw:
        assert raw.end() == 0
    with Raw(root) as raw:
        raw.begin()
        raw.ask(1, "tools/call", name="get_next", arguments={})
        assert raw.hear()["id"] == 1
        assert raw.end() == 0
        assert raw.process.stderr
        assert raw.process.stderr.read() == b""


def held(folder: str) -> tuple[str, dict[str, str]]:
    """A pipe, and the environment of a server whose `next` reads it to an end that never comes."""
    pipe = os.path.join(folder, "pipe")
    os.mkfifo(pipe)
    wait = f"open({pipe!r}, encoding='utf-8').read()"
    put(
        folder,
        "held/sitecustomize.py",
        f"from leftoff.commands import next\nnext.run = lambda _: {wait}\n",
    )
    return pipe, {"PYTHONPATH": f"{folder}/held:{SOURCE}"}


def test_it_ends_at_once_though_a_command_is_still_at_work(root, tmp_path):
    pipe, env = held(str(tmp_path))
    with Raw(root, **env) as raw:
        raw.begin()
        raw.ask(1, "tools/call", name="get_next", arguments={})
        writer = os.open(pipe, os.O_WRONLY)  # opens once the command reads
        assert raw.end() == 0
        os.close(writer)


def test_a_signal_ends_it(root):
    with Raw(root) as raw:
        raw.begin()
        raw.process.send_signal(signal.SIGTERM)
        assert raw.process.wait(PATIENCE) == -signal.SIGTERM


def test_what_is_no_message_is_answered_and_survived(root):
    with Raw(root) as raw:
        raw.begin()
        for line in (
            b"{",
            b"[]",
            b"\xff\xfe",
            b'{"jsonrpc":"2.0"}',
            b"7",
            b'"' + b"x" * (LONGEST + 9) + b'"',
        ):
            raw.say(line)
            told = raw.hear()
            assert (told["id"], told["error"]["code"]) == (None, -32700), line[:20]
        raw.say(b"")
        raw.ask(1, "no/such/method")
        assert raw.hear()["error"]["code"] == -32601
        raw.ask(2, "tools/call", name=7)
        assert raw.hear()["error"]["code"] == -32602
        raw.ask(3, "tools/call", name="get_next", arguments={})
        assert raw.hear()["result"]["structuredContent"]["data"]["next"]
        assert raw.end() == 0


def test_a_call_that_was_cancelled_gets_no_answer_and_the_next_one_does(root, tmp_path):
    pipe, env = held(str(tmp_path))
    with Raw(root, **env) as raw:
        raw.begin()
        raw.ask(1, "tools/call", name="get_next", arguments={})
        writer = os.open(pipe, os.O_WRONLY)
        raw.say(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}')
        raw.ask(2, "tools/call", name="list_threads", arguments={})
        assert raw.hear()["id"] == 2
        os.close(writer)
        assert raw.end() == 0


def test_what_a_session_left_is_consumed_once_the_answer_is_out(root):
    save = ".workflow_artifacts/memory/checkpoints/2026-08-06-auth-fix.md"
    record = ".workflow_artifacts/memory/pending-restore-s-1.txt"
    put(root, record, f"{save}\n")
    os.utime(os.path.join(root, record), (1_786_190_300, 1_786_190_300))

    async def ask(client):
        done = await client.call_tool("resume_work", {"reads": "n"})
        await anyio.to_thread.run_sync(wait_for, lambda: not os.path.exists(f"{root}/{record}"))
        return done.structured_content["data"]["id"]

    assert met(process(root), ask) == "2026-08-06-auth-fix"


def test_rubbish_is_collected_in_what_may_run_for_days(root, tmp_path):
    fail = "raise type(f'Is{gc.isenabled()}', (Exception,), {})"
    text = f"import gc\nfrom leftoff.commands import next\ndef run(_): {fail}\nnext.run = run\n"
    put(str(tmp_path), "own/sitecustomize.py", text)
    with Raw(root, PYTHONPATH=f"{tmp_path}/own:{SOURCE}") as raw:
        raw.begin()
        raw.ask(1, "tools/call", name="get_next", arguments={})
        error = raw.hear()["result"]["structuredContent"]["error"]
        assert error["message"] == "leftoff failed: IsTrue"
        assert raw.end() == 0


def test_what_a_session_left_stays_where_the_answer_could_not_be_written(root):
    save = ".workflow_artifacts/memory/checkpoints/2026-08-06-auth-fix.md"
    record = ".workflow_artifacts/memory/pending-restore-s-1.txt"
    put(root, record, f"{save}\n")
    os.utime(os.path.join(root, record), (1_786_190_300, 1_786_190_300))
    with Raw(root) as raw:
        raw.begin()
        raw.back.close()
        raw.ask(1, "tools/call", name="resume_work", arguments={"reads": "n"})
        assert raw.end() == 0
    assert os.path.exists(os.path.join(root, record))


@pytest.mark.req("A.dist.mcp")
def test_a_missing_extra_is_named_with_how_to_install_it(root, tmp_path):
    put(
        str(tmp_path),
        "none/mcp_types.py",
        "raise ModuleNotFoundError(\"No module named 'mcp_types'\", name='mcp_types')\n",
    )
    done = leftoff("mcp", cwd=root, env={"PYTHONPATH": f"{tmp_path}/none:{SOURCE}"})
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "error: the extra mcp is not installed (mcp_types is missing)\nhint: pip install 'leftoff[mcp]'\n"
    )


def test_a_folder_or_port_that_is_none_is_refused(root):
    for words in (("--project", "no-such"), ("--http", "x"), ("--http=99999"), ("--lang", "xx")):
        done = leftoff("mcp", *([words] if isinstance(words, str) else words), cwd=root)
        assert (done.returncode, done.stdout) == (2, ""), words
