"""The line to a hub of Hapi: its login, its real errors, its pages, and what never shows of a token."""

from __future__ import annotations

import json

import pytest

from hub import CLIENT, NEW, SESSION, TOKEN, StubHub, machine, said, session, stub_hub
from leftoff.errors import LeftoffError
from leftoff.world import hapi_hub, hapi_wire
from leftoff.world.hapi_hub import Hub, hub
from leftoff.world.hapi_wire import Gone, HapiError, local_machine, settings, wire
from projects import put


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def stub():
    with stub_hub() as running:
        yield running


@pytest.fixture
def there(stub: StubHub, monkeypatch) -> Hub:
    monkeypatch.setattr(hapi_hub, "PAUSE", 5.0)  # of the test's own clock
    clock = Clock()
    return Hub(wire(stub.env()), clock, clock.sleep)


def failing(call, *args) -> str:
    """The whole of what an error says."""
    with pytest.raises(HapiError) as caught:
        call(*args)
    error = caught.value
    assert error.kind == "hapi"
    assert error.hint
    return f"{error.message} {error.hint} {error.where}"


# The login


@pytest.mark.req("E.hapi.auth")
def test_the_token_is_exchanged_once_for_a_run(stub, there):
    there.machines()
    there.session(SESSION)
    there.messages(SESSION)
    assert stub.logins == 1
    assert stub.asked[0] == ("POST", "/api/auth", {"accessToken": TOKEN})


@pytest.mark.req("E.hapi.auth")
def test_a_login_that_lapsed_is_renewed_once(stub, there):
    there.machines()
    stub.expired = 1
    assert there.session(SESSION).active
    assert stub.logins == 2
    stub.expired = 1
    assert "401" in failing(there.session, SESSION)
    assert stub.logins == 2


@pytest.mark.req("E.hapi.auth")
def test_a_token_that_the_hub_refuses_is_named_nowhere(stub, there):
    stub.refuse_logins = True
    told = failing(there.machines)
    assert "does not accept the token" in told
    assert TOKEN not in told


@pytest.mark.req("E.hapi.auth")
@pytest.mark.parametrize("token", [TOKEN, f"{TOKEN}:team"])
def test_an_answer_that_repeats_token_or_login_is_told_without_them(stub, token):
    line = wire(stub.env(CLI_API_TOKEN=token))
    stub.valid = "login-x"
    stub.answers["POST", "/api/auth"] = 200, b'{"token": "login-x"}', {}
    echo = {"error": f"no: {token} {TOKEN} login-x"}
    stub.answers["GET", "/api/machines"] = 500, json.dumps(echo).encode(), {}
    told = failing(Hub(line).machines)
    assert "answered 500: no: " in told
    assert TOKEN not in told
    assert "login-x" not in told


@pytest.mark.req("E.hapi.auth")
def test_a_login_that_cannot_be_sent_is_not_shown(stub, there):
    stub.answers["POST", "/api/auth"] = 200, b'{"token": "secret\\nlogin"}', {}
    assert "secret" not in failing(there.machines)


def test_no_token_anywhere_says_where_one_belongs():
    assert "CLI_API_TOKEN" in failing(hub, {"HOME": "/nowhere"})


# The address


def test_address_token_and_machine_come_from_the_settings_of_hapi(tmp_path, stub):
    port = int(stub.url.rpartition(":")[2])
    known = {"cliApiToken": TOKEN, "listenHost": "0.0.0.0", "listenPort": port, "machineId": "m-1"}
    put(str(tmp_path), ".hapi/settings.json", json.dumps(known))
    env = {"HOME": str(tmp_path)}
    assert [one.id for one in hub(env).machines()] == ["m-here"]
    assert local_machine(env) == "m-1"
    assert local_machine({"HAPI_HOME": f"{tmp_path}/.hapi"}) == "m-1"


def test_the_environment_is_asked_before_the_settings(tmp_path, stub):
    put(str(tmp_path), "settings.json", json.dumps({"cliApiToken": "wrong", "listenPort": 1}))
    assert hub(stub.env(HAPI_HOME=str(tmp_path))).machines()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"cliApiToken": 7}', "[" * 99999])
def test_settings_that_cannot_be_read_are_none(tmp_path, text):
    put(str(tmp_path), "settings.json", text)
    assert not settings({"HAPI_HOME": str(tmp_path)}).get("machineId")
    failing(hub, {"HAPI_HOME": str(tmp_path)})


@pytest.mark.parametrize("url", ["file:///etc/passwd", "127.0.0.1", "http://", "http://h:99999"])
def test_what_is_no_address_is_refused(url):
    assert "not an address" in failing(hub, {"HAPI_API_URL": url, "CLI_API_TOKEN": TOKEN})


@pytest.mark.parametrize(
    ("known", "url"),
    [
        ({}, "http://127.0.0.1:3006"),
        ({"listenHost": "::1", "listenPort": 4000}, "http://[::1]:4000"),
        ({"listenHost": "192.0.2.1"}, "http://127.0.0.1:3006"),
    ],
)
def test_without_the_variable_only_this_machine_is_asked(known, url):
    assert hapi_wire._address({}, known) == url


def test_a_redirect_is_not_followed(stub, there):
    with stub_hub() as other:
        stub.answers["GET", "/api/machines"] = 302, b"", {"Location": f"{other.url}/api/machines"}
        assert "302" in failing(there.machines)
        assert not other.connections


def test_a_proxy_is_not_used(stub, monkeypatch):
    with stub_hub() as other:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            monkeypatch.setenv(name, other.url)
        assert Hub(wire(stub.env())).machines()
        assert not other.connections


def test_a_user_in_the_address_is_not_shown(stub):
    url = stub.url.replace("http://", "http://me:my-password@")
    line = wire(stub.env(HAPI_API_URL=url))
    stub.answers["POST", "/api/auth"] = 500, b"{}", {}
    assert "my-password" not in failing(Hub(line).machines)


def test_nobody_there_is_one_error(stub):
    line = wire(stub.env(HAPI_API_URL="http://127.0.0.1:9"))
    assert "does not answer" in failing(Hub(line).machines)


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"[]", b'"x"', b"{" * 100_000, b"\xff", b'{"machines": 7}']
)
def test_an_answer_that_is_something_else_is_no_crash(stub, there, body):
    stub.answers["GET", "/api/machines"] = 200, body, {}
    try:
        found = there.machines()
    except HapiError:
        found = []
    assert found == []


def test_an_answer_without_end_is_given_up(stub, there, monkeypatch):
    monkeypatch.setattr(hapi_wire, "LARGEST", 1000)
    stub.answers["GET", "/api/machines"] = 200, b'{"machines": [], "x": "%s"}' % (b"x" * 2000), {}
    assert "larger than" in failing(there.machines)


# Machines


def test_only_machines_that_are_online_count(stub, there):
    stub.machines.append(machine("m-off", "away", active=False))
    assert [tuple(one) for one in there.machines()] == [("m-here", "here")]


def test_a_machine_that_cannot_say_has_no_such_folder(stub, there):
    stub.folders["m-here"] = {"/repo"}
    assert there.has("m-here", "/repo")
    assert not there.has("m-here", "/other")
    path = "/api/machines/m-here/paths/exists"
    stub.answers["POST", path] = (
        200,
        b'{"success": false, "error": "RPC handler not registered"}',
        {},
    )
    assert not there.has("m-here", "/repo")


@pytest.mark.req("E.hapi.spawn")
def test_a_start_is_judged_by_its_type_not_by_its_status(stub, there):
    assert there.spawn("m-here", "/repo", "claude") == NEW
    assert stub.asked[-1] == (
        *("POST", "/api/machines/m-here/spawn"),
        {"directory": "/repo", "agent": "claude"},
    )
    stub.spawned = {"type": "error", "message": "runner_upgrade_required"}
    assert "runner_upgrade_required" in failing(there.spawn, "m-here", "/repo", "claude")
    stub.spawned = {"type": "error", "sessionId": NEW}
    failing(there.spawn, "m-here", "/repo", "claude")
    stub.spawned = {"type": "success"}
    failing(there.spawn, "m-here", "/repo", "claude")


# Sessions


@pytest.mark.req("E.hapi.spawn")
def test_a_new_session_is_looked_at_until_it_is_active(stub, there):
    stub.looks_until_active = 5
    there.spawn("m-here", "/repo", "claude")
    assert there.wait_active(NEW).active
    assert stub.paths("GET").count(f"/api/sessions/{NEW}") == 5


@pytest.mark.req("E.hapi.spawn")
def test_a_session_that_never_becomes_active_is_given_up(stub, there):
    stub.sessions[NEW] = session(NEW, active=False)
    assert "not active" in failing(there.wait_active, NEW)
    assert "not active" in failing(there.wait_active, "cccc-not-there")


@pytest.mark.req("E.archive.gone")
@pytest.mark.parametrize("name", ["nope", "local-session-1", "../machines", "a/b", "", "会话"])
def test_a_session_that_the_hub_does_not_have_is_gone(there, name):
    for ask in (there.session, there.messages):
        with pytest.raises(Gone):
            ask(name)


def test_a_session_whose_id_changed_is_found_by_the_id_of_its_client(stub, there):
    stub.sessions["cccc-moved"] = stub.sessions.pop(SESSION) | {"id": "cccc-moved"}
    assert there.follow(SESSION, lambda: CLIENT).id == "cccc-moved"
    for unknown in ("", "another"):
        with pytest.raises(Gone):
            there.follow(SESSION, lambda found=unknown: found)


def test_a_session_that_is_there_is_not_looked_for(there):
    def nobody() -> str:
        raise AssertionError

    assert there.follow(SESSION, nobody).client == (CLIENT,)


# Messages


@pytest.mark.req("E.hapi.idempotent")
def test_a_message_whose_answer_was_lost_is_stored_once(stub, there):
    stub.drops = 2
    there.send(SESSION, "hello", "one")
    posts = [body for method, path, body in stub.asked if path.endswith("/messages")]
    assert posts == [{"text": "hello", "localId": "one"}] * 3
    assert stub.sent() == [(SESSION, "hello")]


def test_a_hub_that_stays_silent_is_given_up(stub, there):
    stub.drops = 99
    assert "does not answer" in failing(there.send, SESSION, "hello", "one")


@pytest.mark.req("E.hapi.spawn")
def test_a_session_that_is_not_active_yet_is_asked_again(stub, there):
    stub.posts_until_active = 4
    there.send(SESSION, "hello", "one")
    assert stub.sent() == [(SESSION, "hello")]
    stub.posts_until_active = 1 << 30
    assert "not active" in failing(there.send, SESSION, "more", "two")


@pytest.mark.req("E.hapi.paging")
@pytest.mark.parametrize("count", [0, 1, 99, 100, 101, 250])
def test_all_messages_come_over_as_many_pages_as_it_takes(stub, there, count):
    stub.messages[SESSION] = [said(seq, "user", f"m{seq}") for seq in range(1, count + 1)]
    found = there.messages(SESSION)
    assert [one["seq"] for one in found] == [*range(1, count + 1)]
    asked = [path for path in stub.paths("GET") if "messages" in path]
    assert len(asked) == max(1, -(-count // 100))
    assert all(path.count("before") in {0, 2} for path in asked)


@pytest.mark.req("E.hapi.paging")
def test_messages_come_in_the_order_in_which_the_agent_got_them_each_once(stub, there):
    late = said(2, "user", "waited", invokedAt=said(9, "user", "")["invokedAt"])
    waits = {**said(99, "user", "still waits", invokedAt=None), "seq": None}
    one, three = said(1, "user", "first"), said(3, "agent", "third")
    body = {"messages": [three, late, waits, one, three], "page": {"hasMore": False}}
    path = f"/api/sessions/{SESSION}/messages?limit=100"
    stub.answers["GET", path] = 200, json.dumps(body).encode(), {}
    assert [m["id"] for m in there.messages(SESSION)] == ["id-1", "id-3", "id-2", "id-99"]


@pytest.mark.req("E.hapi.paging")
@pytest.mark.parametrize("odd", [10**400, float("nan"), "soon"])
def test_a_message_of_an_impossible_time_comes_last(stub, there, odd):
    one, never = said(1, "user", "first"), said(2, "user", "never", invokedAt=odd)
    body = {"messages": [never, one], "page": {"hasMore": False}}
    path = f"/api/sessions/{SESSION}/messages?limit=100"
    stub.answers["GET", path] = 200, json.dumps(body).encode(), {}
    assert [m["id"] for m in there.messages(SESSION)] == ["id-1", "id-2"]


@pytest.mark.req("E.hapi.paging")
@pytest.mark.parametrize(
    "page",
    [
        {"hasMore": True, "nextBeforeSeq": 5},
        {"hasMore": True, "nextBeforeAt": 5, "nextBeforeSeq": None},
        {"hasMore": True},
    ],
)
def test_half_a_cursor_is_never_sent(stub, there, page):
    path = f"/api/sessions/{SESSION}/messages?limit=100"
    stub.answers["GET", path] = 200, json.dumps({"messages": [], "page": page}).encode(), {}
    failing(there.messages, SESSION)
    assert not [path for path in stub.paths() if "before" in path]


def page_by_page(stub: StubHub, *pages: dict) -> None:
    """Answers whose cursors lead from one to the next."""
    first = f"/api/sessions/{SESSION}/messages?limit=100"
    paths = [first, *(f"{first}&beforeAt={at}&beforeSeq={at}" for at in range(1, len(pages)))]
    for at, (path, page) in enumerate(zip(paths, pages, strict=True), 1):
        told = {"hasMore": True, "nextBeforeAt": at, "nextBeforeSeq": at, "epoch": 0, **page}
        body = {"messages": [said(at, "user", f"m{at}")], "page": told}
        stub.answers["GET", path] = 200, json.dumps(body).encode(), {}


@pytest.mark.req("E.hapi.paging")
def test_a_hub_that_leads_in_a_circle_or_on_for_ever_is_given_up(stub, there, monkeypatch):
    page_by_page(stub, {}, {"nextBeforeAt": 1, "nextBeforeSeq": 1})
    assert "again and again" in failing(there.messages, SESSION)
    monkeypatch.setattr(hapi_hub, "PAGES", 2)
    page_by_page(stub, {}, {}, {})
    assert "more than 200 messages" in failing(there.messages, SESSION)


def test_a_conversation_that_is_counted_anew_is_read_anew(stub, there):
    page_by_page(stub, {}, {"hasMore": False, "epoch": 1})
    assert "changes while it is read" in failing(there.messages, SESSION)
    assert len([path for path in stub.paths("GET") if "messages" in path]) == 6


def test_every_failure_is_of_one_kind():
    assert {one.kind for one in (HapiError, Gone, hapi_wire.Dropped, hapi_wire.Inactive)} == {
        "hapi"
    }
    assert issubclass(HapiError, LeftoffError)
