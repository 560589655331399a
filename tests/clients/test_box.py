"""The box itself: what a client in it can and cannot reach."""

from __future__ import annotations

import json
import sys
import threading
import urllib.request

import pytest

from clients.box import Box
from clients.fake_model import Step
from clients.loopback import enter, inside
from clients.wires import Call, Reply


def _own_network() -> bool:
    """Whether this system gives a thread a network of its own."""
    answers: list[bool] = []
    thread = threading.Thread(target=lambda: answers.append(enter()))
    thread.start()
    thread.join()
    return answers[0]


def test_a_program_in_the_box_reaches_the_model_and_nothing_outside(box: Box):
    if not _own_network():
        pytest.skip("without root there is no network of one's own")
    reach = (
        "import socket, sys\n"
        "try: socket.create_connection((sys.argv[1], int(sys.argv[2])), 5); print('reached')\n"
        "except OSError as error: print(error.strerror)\n"
    )
    port = box.model.url.rsplit(":", 1)[1]
    assert box.run(sys.executable, "-c", reach, "127.0.0.1", port).stdout == "reached\n"
    # An address that is set apart for documentation: nothing is ever there.
    outside = box.run(sys.executable, "-c", reach, "192.0.2.1", "80").stdout
    assert outside == "Network is unreachable\n"


def test_a_program_in_the_box_knows_nothing_of_the_callers_environment(box: Box, monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_CALLER", "x")
    given = box.run("/usr/bin/env").stdout
    assert "SECRET_OF_THE_CALLER" not in given
    assert f"HOME={box.home}\n" in given


def test_the_model_answers_by_the_first_step_that_fits_and_is_not_used_up(box: Box):
    call = Call("Bash", {"command": "ls"})
    box.model.script(Step(Reply("first", (call,)), prompt="LOOK"), Step(Reply("second")))
    tools = [{"name": "Bash"}]
    asked = {"model": "m", "messages": [{"role": "user", "content": "LOOK"}], "tools": tools}
    assert [_said(box, asked) for _ in range(3)] == ["first", "second", "OK"]


def _said(box: Box, body: object) -> str:
    request = urllib.request.Request(f"{box.model.url}/v1/messages", json.dumps(body).encode())
    with inside(urllib.request.urlopen, request) as answer:
        events = [json.loads(line[6:]) for line in answer if line.startswith(b"data: ")]
    return "".join(event.get("delta", {}).get("text", "") for event in events)
