"""Under Hapi and elsewhere: how that is told, what save then does, and what never happens."""

from __future__ import annotations

import ast
import glob
import io
import json
import os
from types import SimpleNamespace

import pytest

from callers import AGENT, PERSON, as_caller
from hub import CLIENT, NEW, SESSION, TOKEN, StubHub, machine, said, session, stub_hub
from leftoff.commands import Call
from leftoff.commands._hapi import Next, conversation, next_session
from leftoff.core.caller import Caller, Process
from leftoff.core.model import Item
from leftoff.core.when import instant
from leftoff.entry.cli import main
from leftoff.world import hapi_hub, journal
from leftoff.world.hapi_wire import Gone, HapiError
from leftoff.world.place import find_place
from leftoff.world.store import Store
from projects import NOW, get, put, put_skill, put_thread
from support import SOURCE, repo

THREAD = "thread-1a2b3c4d"
FOLDER = f".checkpoints/threads/{THREAD}"
BASH, CLAUDE = Process(9, "bash", ("bash", "-c", "x")), Process(8, "claude", ("claude",))
HAPI = Process(7, "hapi", ("hapi", "runner", "start-sync"))
UNDER_HAPI = Caller(False, (BASH, CLAUDE, HAPI))
BELOW = Caller(False, (BASH, CLAUDE, Process(6, "bash"), CLAUDE._replace(pid=5), HAPI))
"""a client that another one started, inside a session of Hapi"""
TOOLS = "Bash,mcp__hapi__change_title,Read"
WORDS = ("save", "Tokens are signed.", "--next", "Write the middleware", "--session")


@pytest.fixture
def stub(monkeypatch):
    monkeypatch.setattr(hapi_hub, "PAUSE", 0.0)
    with stub_hub() as running:
        yield running


@pytest.fixture
def root(tmp_path):
    place = repo(tmp_path)
    put_thread(place)
    put(place, ".checkpoints/current", f"{THREAD}\n")
    return place


def save(root, stub, *words, who=UNDER_HAPI, **env):
    """What `save` answers, called from a session under Hapi."""
    told = as_caller(who, *WORDS, f"claude-code/{CLIENT}", *words, cwd=root, env=stub.env(**env))
    assert told[0] == 0, told
    return told[1]


def sessions(root):
    return json.loads(get(root, f"{FOLDER}/thread.json"))["sessions"]


def active(root):
    return [one["hapiSessionId"] for one in sessions(root) if one.get("active")]


def warnings(told):
    return [one["text"] for one in told["findings"] if one["slug"] == "hapi"]


def environment(root, who, *words, **env):
    return as_caller(who, "status", *words, cwd=root, env=env)[1]["data"]["env"]


# Where we are


@pytest.mark.req("E.env.rule", "E.env.first")
@pytest.mark.parametrize(
    ("who", "variable", "words", "env"),
    [
        (PERSON, "", (), "local"),
        (PERSON, "h-1", (), "local"),
        (AGENT, "h-1", (), "local"),
        (UNDER_HAPI, "", (), "local"),
        (UNDER_HAPI, "h-1", (), "hapi"),
        (BELOW, "h-1", (), "local"),
        (Caller(False, None), "h-1", (), "local"),
        (Caller(False, (BASH, HAPI)), "h-1", (), "hapi"),
        (PERSON, "", ("--tools", TOOLS), "hapi"),
        (UNDER_HAPI, "h-1", ("--tools", "Bash,Read"), "local"),
        (UNDER_HAPI, "h-1", ("--tools", ""), "local"),
        (UNDER_HAPI, "h-1", ("--tools=Bash mcp__hapi__list_peers",), "hapi"),
        (PERSON, "", ("--tools", "mcp__other__hapi, my_mcp__hapi__x"), "local"),
    ],
)
def test_the_environment_is_told_by_tools_or_by_who_started_the_client(
    root, who, variable, words, env
):
    given = {"HAPI_SESSION_ID": variable} if variable else {}
    assert environment(root, who, *words, **given) == env


@pytest.mark.req("E.env.no-probe")
def test_a_hub_that_runs_and_its_files_make_it_no_session_of_hapi(root, stub, home):
    known = {"cliApiToken": TOKEN, "machineId": "m-here", "listenPort": int(stub.url[-5:])}
    put(home, ".hapi/settings.json", json.dumps(known))
    put(home, ".hapi/runner.state.json", '{"pid": 1}')
    env = {"HAPI_API_URL": stub.url, "HAPI_HOME": f"{home}/.hapi"}
    for who in (PERSON, AGENT, UNDER_HAPI):
        assert environment(root, who, **env) == "local"
    assert not stub.connections


def test_without_the_variable_nobody_looks_at_processes(root):
    def nobody() -> Caller:
        raise AssertionError

    streams = io.StringIO(), io.StringIO(), io.StringIO()
    words = ["status", "--json", "--now", NOW]
    assert main(words, env=dict(os.environ), cwd=root, streams=streams, caller=nobody) == 0


@pytest.mark.req("E.env.first")
@pytest.mark.parametrize(
    "words",
    [
        *(("status",), ("status", THREAD), ("status", "--everywhere"), ("save", "Half.")),
        *(("thread", "list"), ("thread", "status"), ("thread", "enable"), ("thread", "auto-on")),
        *(("thread", "switch", THREAD), ("thread", "threshold", "80"), ("thread", "auto-off")),
    ],
    ids=" ".join,
)
def test_every_answer_says_where_it_was_given(root, words):
    told = as_caller(PERSON, *words, cwd=root)[1]["data"]
    assert told["env"] == "local"
    assert as_caller(PERSON, *words, "--tools", TOOLS, cwd=root)[1]["data"]["env"] == "hapi"


QUIET = [
    ("status",),
    ("status", "--everywhere"),
    ("next",),
    ("list",),
    ("show", THREAD),
    ("validate",),
    ("resume",),
    ("resume", THREAD),
    ("doctor",),
    ("session", "list"),
    ("thread", "list"),
    ("thread", "status"),
    ("thread", "auto-on"),
    ("thread", "threshold", "80"),
    ("done", THREAD),
    ("thread", "enable"),
    ("thread", "switch", THREAD),
    ("thread", "continue", "on"),
    ("save", "Half of it."),
    ("save", "--new-session", "y"),
    ("save", "--new-session", "y", "--machine", "m-here"),
    ("thread", "archive", "#1"),
]
WANTED = 3
"""the last of them, under Hapi, are for a hub"""


@pytest.mark.req("E.env.local-no-api")
@pytest.mark.parametrize("words", QUIET, ids=" ".join)
@pytest.mark.parametrize("who", [PERSON, AGENT, BELOW])
def test_elsewhere_no_command_connects_to_a_hub(root, stub, who, words):
    code, _ = as_caller(who, *words, cwd=root, env=stub.env())
    assert code in {0, 1}
    assert not stub.connections


@pytest.mark.req("E.env.local-no-api")
def test_elsewhere_save_asks_nothing_and_says_that_it_is_local(root, stub):
    told = save(root, stub, who=AGENT)
    assert (told["data"]["env"], told["ask"]) == ("local", None)
    assert not stub.connections


@pytest.mark.req("E.run.no-spawn")
@pytest.mark.parametrize("words", QUIET[:-WANTED], ids=" ".join)
def test_under_hapi_too_nothing_but_a_wanted_session_connects_to_the_hub(root, stub, words):
    put(
        root,
        f"{FOLDER}/thread.json",
        get(root, f"{FOLDER}/thread.json").replace("70", '70, "maxSteps": 1'),
    )
    for _ in range(2):  # the second step is beyond maxSteps
        as_caller(UNDER_HAPI, *words, cwd=root, env=stub.env())
    assert not stub.connections


@pytest.mark.req("E.run.no-spawn")
def test_only_save_and_handoff_can_start_a_session():
    using = []
    for path in glob.glob(f"{SOURCE}/leftoff/**/*.py", recursive=True):
        with open(path, encoding="utf-8") as file:
            names = {n.name for n in ast.walk(ast.parse(file.read())) if isinstance(n, ast.alias)}
        using += [os.path.basename(path)] if "next_session" in names else []
    assert sorted(using) == ["handoff.py", "save.py"]


# The next session


@pytest.mark.req("E.save.handoff")
def test_save_asks_before_it_starts_a_session(root, stub):
    told = save(root, stub)
    assert told["ask"]["flag"] == "--new-session"
    assert [one["value"] for one in told["ask"]["choices"]] == ["y", "n"]
    assert told["data"]["env"] == "hapi"
    assert "Tokens are signed." in get(root, f"{FOLDER}/CHECKPOINT.md")
    assert save(root, stub, "--new-session", "n")["ask"] is None
    assert not stub.connections


@pytest.mark.req("E.save.handoff")
def test_the_new_session_gets_one_message_that_says_where_the_work_is_and_how_to_go_on(root, stub):
    told = save(root, stub, "--new-session", "y")
    assert (told["data"]["new_session"], warnings(told)) == (NEW, [])
    ((where, text),) = stub.sent()
    assert where == NEW
    assert text.startswith("<leftoff id=handoff>\n")
    assert text.endswith("</leftoff>\n")
    for part in (".checkpoints/current", f"{FOLDER}/CHECKPOINT.md", "git status"):
        assert part in text
    assert "First step: [P1] Write the middleware\n" in text
    for rule in ("do not ask whether to begin", "After 30 steps stop", "[CHECKPOINT_COMPLETE]"):
        assert rule in text
    assert f"leftoff resume {THREAD}" in text


@pytest.mark.req("E.save.handoff")
def test_the_hand_off_is_in_the_language_of_the_user(root, stub):
    save(root, stub, "--new-session", "y", "--lang", "zh")
    ((_, text),) = stub.sent()
    assert "第一步：[P1] Write the middleware" in text
    assert "不要问是否开始" in text


def test_the_session_starts_in_the_project_with_the_agent_that_saved(root, stub):
    stub.sessions[SESSION] = session(SESSION, machineId="m-here", flavor="codex")
    save(root, stub, "--new-session", "y")
    (body,) = [body for _, path, body in stub.asked if path.endswith("/spawn")]
    assert body == {"directory": root, "agent": "codex"}


@pytest.mark.req("E.hapi.spawn")
def test_a_session_that_is_slow_to_begin_gets_its_message_once(root, stub):
    stub.looks_until_active, stub.posts_until_active, stub.drops = 4, 3, 1
    assert save(root, stub, "--new-session", "y")["data"]["new_session"] == NEW
    assert len(stub.sent()) == 1
    assert stub.logins == 1


@pytest.mark.req("E.hapi.swap")
def test_the_session_before_is_no_longer_active_in_the_same_write(root, stub, monkeypatch):
    seen, change = [], Store.change

    def spied(store, path, edit, **more):
        made = change(store, path, edit, **more)
        seen.extend([active(root)] if path.endswith("thread.json") else [])
        return made

    monkeypatch.setattr(Store, "change", spied)
    save(root, stub, "--new-session", "y")
    assert seen == [[SESSION], [NEW]]
    assert [one["seq"] for one in sessions(root)] == [1, 2, 3]
    by_id = {one["hapiSessionId"]: one for one in sessions(root)}
    assert by_id[SESSION]["agentSessionId"] == CLIENT
    assert not get(root, f"{FOLDER}/thread.json").count("history")


def test_an_entry_that_goes_by_the_client_s_id_is_the_same_session(root, stub):
    known = json.loads(get(root, f"{FOLDER}/thread.json"))
    known["sessions"] = [{"seq": 4, "hapiSessionId": f"claude-code/{CLIENT}", "active": True}]
    put(root, f"{FOLDER}/thread.json", json.dumps(known))
    words = ("save", "--new-session", "y", "--no-draft")
    assert as_caller(UNDER_HAPI, *words, cwd=root, env=stub.env())[0] == 0
    found = [(one["seq"], one["hapiSessionId"]) for one in sessions(root)]
    assert found == [(4, SESSION), (5, NEW)]
    assert active(root) == [NEW]


# The machine


def spawned_on(stub: StubHub) -> list[str]:
    return [path.split("/")[3] for path in stub.paths("POST") if path.endswith("/spawn")]


@pytest.mark.req("E.hapi.machine")
def test_of_two_machines_the_local_one_is_used(root, stub, home):
    stub.machines = [machine("m-other", "there"), machine("m-here", "here")]
    stub.folders = {"m-other": {root}}
    save(root, stub, "--new-session", "y")
    stub.sessions[SESSION] = session(SESSION)
    put(home, ".hapi/settings.json", '{"machineId": "m-here"}')
    save(root, stub, "--new-session", "y")
    assert spawned_on(stub) == ["m-here", "m-here"]


@pytest.mark.req("E.hapi.machine")
def test_else_the_one_that_has_the_folder(root, stub):
    stub.sessions[SESSION] = session(SESSION, machineId="m-off")
    stub.machines = [machine("m-one", "one"), machine("m-two", "two")]
    stub.folders = {"m-two": {root}}
    save(root, stub, "--new-session", "y")
    assert spawned_on(stub) == ["m-two"]


@pytest.mark.req("E.hapi.machine")
@pytest.mark.parametrize("having", [(), ("m-one", "m-two")])
def test_else_a_person_is_asked(root, stub, having):
    del stub.sessions[SESSION]
    stub.machines = [machine("m-one", "one"), machine("m-two", "t\x1b[31mwo")]
    stub.folders = {name: {root} for name in having}
    told = save(root, stub, "--new-session", "y")
    assert told["ask"]["flag"] == "--machine"
    assert [(c["value"], c["means"]) for c in told["ask"]["choices"]] == [
        ("m-one", "one"),
        ("m-two", "two"),
    ]
    assert not spawned_on(stub)
    save(root, stub, "--new-session", "y", "--machine", "m-two")
    assert spawned_on(stub) == ["m-two"]


# What goes wrong


def hub_is_gone(stub):
    return {"HAPI_API_URL": "http://127.0.0.1:9"}


def token_is_wrong(stub):
    stub.refuse_logins = True


def token_is_missing(stub):
    return {"CLI_API_TOKEN": ""}


def nothing_online(stub):
    stub.machines = []


def start_fails(stub):
    stub.spawned = {"type": "error", "message": f"no agent {TOKEN}"}


def never_active(stub):
    stub.looks_until_active = 1 << 30


def message_is_refused(stub):
    stub.answers["POST", f"/api/sessions/{NEW}/messages"] = 500, b"Internal Server Error", {}


def address_is_none(stub):
    return {"HAPI_API_URL": "gopher://x"}


TROUBLES = [hub_is_gone, token_is_wrong, token_is_missing, nothing_online, start_fails]
TROUBLES += [never_active, message_is_refused, address_is_none]


@pytest.mark.req("E.hapi.down", "E.hapi.auth")
@pytest.mark.parametrize("trouble", TROUBLES)
def test_whatever_the_hub_does_the_checkpoint_is_saved_and_said_to_be(
    root, stub, home, monkeypatch, trouble
):
    monkeypatch.setattr(hapi_hub, "WAIT", 0.0)
    told = save(root, stub, "--new-session", "y", **(trouble(stub) or {}))
    assert told["data"]["saved"] == f"{FOLDER}/CHECKPOINT.md"
    assert "Tokens are signed." in get(root, f"{FOLDER}/CHECKPOINT.md")
    (text,) = warnings(told)
    assert "new session" in text
    assert all(one["level"] != "error" for one in told["findings"])
    assert active(root) == [SESSION]
    assert_unseen(TOKEN, root, home, told)


def test_a_machine_that_is_not_online_is_named(root, stub):
    (text,) = warnings(save(root, stub, "--new-session", "y", "--machine", "m-far"))
    assert text == 'no new session in Hapi: the machine "m-far" is not online'


def test_a_started_session_without_its_hand_off_is_named(root, stub):
    message_is_refused(stub)
    (text,) = warnings(save(root, stub, "--new-session", "y"))
    assert text.startswith(f"the new session {NEW} did not get the hand-off: ")


@pytest.mark.req("E.hapi.auth")
def test_token_and_login_are_in_no_file_and_no_answer(root, stub, home):
    told = save(root, stub, "--new-session", "y")
    assert told["data"]["new_session"] == NEW
    assert_unseen(TOKEN, root, home, told)
    assert_unseen(stub.valid, root, home, told)
    assert all(TOKEN not in path for path in stub.paths())


def assert_unseen(secret, root, home, told):
    assert secret
    assert secret not in json.dumps(told)
    for top in (root, home):
        for place, _, names in os.walk(top):
            for name in names:
                with open(os.path.join(place, name), "rb") as file:
                    assert secret.encode() not in file.read(), name


# The conversation of an earlier session


def call(root, stub, who=UNDER_HAPI):
    env = {**os.environ, **stub.env()}
    store = Store(find_place(root, env["HOME"]), env["LEFTOFF_STATE"])
    args = SimpleNamespace(new_session="y", machine=None)
    return Call(args, store, instant(NOW) or 0.0, env, root, lambda: who)


@pytest.mark.req("E.archive.file")
def test_a_conversation_of_many_pages_comes_whole(root, stub):
    stub.messages[SESSION] = [
        said(seq, "user" if seq % 2 else "agent", f"m{seq}") for seq in range(1, 251)
    ]
    found = [*conversation(call(root, stub), Item("", SESSION))]
    assert [turn.text for turn in found] == [f"m{seq}" for seq in range(1, 251)]
    assert [turn.role for turn in found[:2]] == ["user", "agent"]
    assert found[0].at == 1_786_000_001


@pytest.mark.req("E.archive.file", "E.hapi.paging")
def test_a_session_that_only_hapi_has_is_archived_from_its_hub(root, stub):
    stub.sessions["s-1"] = session("s-1", active=False)
    stub.messages["s-1"] = [said(n, "user" if n % 2 else "agent", f"m{n}") for n in range(1, 251)]
    code, told = as_caller(UNDER_HAPI, "thread", "archive", "#1", cwd=root, env=stub.env())
    assert (code, told["data"]["turns"], told["data"]["env"]) == (0, 250, "hapi")
    page = get(root, told["data"]["file"]).splitlines()
    assert [line for line in page if line in {f"m{n}" for n in range(1, 251)}] == [
        f"m{n}" for n in range(1, 251)
    ]
    assert sessions(root)[0]["file"] in told["data"]["file"]


@pytest.mark.req("E.archive.gone")
def test_a_session_that_the_hub_no_longer_has_is_noted_and_may_be_tried_again(root, stub):
    for _ in range(2):
        code, told = as_caller(UNDER_HAPI, "thread", "archive", "#1", cwd=root, env=stub.env())
        assert (code, told["error"]["kind"]) == (1, "hapi")
        assert sessions(root)[0]["archiveError"]
    stub.sessions["s-1"] = session("s-1", active=False)
    stub.messages["s-1"] = [said(1, "user", "hello")]
    assert as_caller(UNDER_HAPI, "thread", "archive", "#1", cwd=root, env=stub.env())[0] == 0
    assert "archiveError" not in sessions(root)[0]


def test_a_hub_that_cannot_be_reached_says_nothing_of_the_session(root, stub):
    env = stub.env(HAPI_API_URL="http://127.0.0.1:9")
    assert as_caller(UNDER_HAPI, "thread", "archive", "#1", cwd=root, env=env)[0] == 1
    assert "archiveError" not in sessions(root)[0]


@pytest.mark.req("E.archive.gone")
def test_a_conversation_that_the_hub_no_longer_has_is_gone(root, stub):
    for name in ("cccc-gone", "local-session-1", "claude-code/x"):
        with pytest.raises(Gone):
            conversation(call(root, stub), Item("", name))


@pytest.mark.req("E.archive.gone")
def test_a_session_that_was_resumed_under_another_id_is_followed(root, stub):
    stub.sessions["cccc-moved"] = stub.sessions.pop(SESSION) | {"id": "cccc-moved"}
    stub.messages["cccc-moved"] = [said(1, "user", "hello")]
    at = call(root, stub)
    by_entry = Item("", SESSION, {"agentSessionId": CLIENT})
    assert [turn.text for turn in conversation(at, by_entry)] == ["hello"]
    by_name = Item("", f"claude-code/{CLIENT}")
    assert [turn.text for turn in conversation(at, by_name)] == ["hello"]
    with pytest.raises(Gone):
        conversation(at, Item("", SESSION))
    line = {"at": 1.0, "event": "start", "hapi": SESSION}
    journal.append(at.store.state, "claude-code", CLIENT, line)
    assert [turn.text for turn in conversation(at, Item("", SESSION))] == ["hello"]


@pytest.mark.req("E.env.local-no-api")
def test_elsewhere_no_conversation_is_fetched_and_no_session_started(root, stub):
    assert next_session(call(root, stub, AGENT), THREAD) == Next()
    with pytest.raises(HapiError, match="only be read under Hapi"):
        conversation(call(root, stub, AGENT), Item("", SESSION))
    assert not stub.connections


def test_a_project_without_threads_is_saved_and_handed_over_too(tmp_path, stub):
    root = repo(tmp_path)
    put_skill(root)
    told = save(root, stub, "--new-session", "y")
    assert (told["data"]["created"], told["data"]["new_session"]) == (True, NEW)
    ((_, text),) = stub.sent()
    assert told["data"]["id"] in text


def test_a_hand_off_can_go_to_a_new_session_of_hapi(root, stub):
    code, told = as_caller(UNDER_HAPI, "handoff", "--hapi", cwd=root, env=stub.env())
    assert code == 0, told
    assert told["data"]["new_session"] == NEW
    ((_, text),) = stub.sent()
    assert text == told["data"]["text"]


@pytest.mark.parametrize("words", [("--hapi",), ("--hapi", "--to", "codex")])
def test_elsewhere_or_to_two_at_once_it_is_refused(root, stub, words):
    code, told = as_caller(PERSON, "handoff", *words, cwd=root, env={})
    assert (code, told["error"]["kind"]) == (2, "usage")
    assert not stub.connections
