"""MCP: the tools are the commands, strictly called, and what comes back can be relied on."""

from __future__ import annotations

import json
import os
from threading import Event

import anyio
import pytest
from jsonschema import Draft202012Validator
from mcp.shared.exceptions import MCPError

from leftoff import commands
from leftoff.entry.mcp import schemas
from leftoff.entry.mcp.tools import FULL, MINIMAL, TOOLS, tools_of
from mcp_talk import ERAS, PATIENCE, answered, called, refused, sent, talk
from projects import NOW, get, put, put_markdown, put_skill
from support import repo, run

READING = ["get_status", "get_next", "resume_work", "search_history", "list_threads"]
WRITING = ["save_checkpoint", "complete_action", "update_checkpoint"]


def names(root: str, profile: str) -> list[str]:
    listed = talk(root, lambda client: client.list_tools(), profile=profile)
    return [tool.name for tool in listed.tools]


@pytest.mark.req("A.dist.mcp")
def test_the_tools_mirror_the_verbs_those_that_read_first(root):
    assert names(root, FULL) == READING + WRITING
    assert names(root, MINIMAL) == READING
    assert {tool.verb for tool in TOOLS} <= set(commands.names())


def test_a_tool_says_what_it_may_do(root):
    listed = talk(root, lambda client: client.list_tools()).tools
    hints = {tool.name: tool.annotations for tool in listed}
    for name, told in hints.items():
        assert told.read_only_hint == (name in READING and name != "resume_work"), name
        assert (told.destructive_hint, told.open_world_hint) == (False, False)
    assert hints["get_next"].idempotent_hint
    assert not hints["save_checkpoint"].idempotent_hint


def test_a_reading_tool_changes_no_file(root):
    def files() -> dict[str, bytes]:
        known = {}
        for place, _, found in os.walk(root):
            for name in found:
                with open(os.path.join(place, name), "rb") as file:
                    known[os.path.join(place, name)] = file.read()
        return known

    before = files()
    for name in ("get_status", "get_next", "list_threads"):
        answered(root, name)
    answered(root, "search_history", query="tokens")
    answered(root, "resume_work", name="chk-auth")
    assert files() == before


CALLS = [
    ("get_status", {}),
    ("get_status", {"name": "oc-demo"}),
    ("get_status", {"everywhere": True}),
    ("get_status", {"since": "2d"}),
    ("get_next", {}),
    ("get_next", {"all": True}),
    ("resume_work", {"name": "chk-auth"}),
    ("resume_work", {"name": "thread-1a2b3c4d", "budget": 200}),
    ("resume_work", {"name": "nothing-of-this-name"}),
    ("resume_work", {"name": "chk-auth", "answer": "show"}),
    ("search_history", {"query": "tokens", "kind": "checkpoint", "limit": 2}),
    ("search_history", {"query": "-nothing"}),
    ("list_threads", {}),
    ("list_threads", {"name": "thread-1a2b3c4d"}),
    ("save_checkpoint", {"note": "Half of it is done", "next": ["The other half"]}),
    ("save_checkpoint", {"note": "So far", "format": "task"}),
    ("complete_action", {"name": "oc-demo"}),
    ("complete_action", {"name": "chk-auth", "action": "Write the docs"}),
    ("update_checkpoint", {"name": "oc-demo", "set": {"step": "x", "a.b": 1}}),
    ("update_checkpoint", {"name": "oc-demo", "append": {"decisions": ["One", "Two"]}}),
    ("get_status", {"name": "nobody"}),
    ("get_status", {"unknown": 1}),
    ("update_checkpoint", {}),
]


@pytest.mark.parametrize("mode", ERAS)
def test_every_answer_is_as_its_schema_says(root, mode):
    async def ask(client):
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        for name, given in CALLS:
            done = await client.call_tool(name, given)
            schema = listed[name].output_schema
            Draft202012Validator(schema).validate(done.structured_content)
            assert done.is_error == ("error" in done.structured_content), (name, given)
            assert done.content[0].text.strip()
        for tool in listed.values():
            Draft202012Validator.check_schema(tool.input_schema)
            Draft202012Validator.check_schema(tool.output_schema)

    talk(root, ask, mode=mode)


def test_the_schema_of_an_answer_refuses_what_is_none(root):
    for tool in TOOLS:
        check = Draft202012Validator(schemas.output_schema(tool))
        assert not check.is_valid({})
        assert not check.is_valid({"error": {"kind": "usage"}})
        body = {"schema": f"leftoff.{tool.verb}/1", "data": {}, "findings": [], "ask": None}
        assert not check.is_valid({**body, "next_cursor": None})


def test_data_and_text_are_those_of_the_command_line(root):
    for name, words in (("get_next", ["next"]), ("list_threads", ["thread", "list"])):
        done = called(root, name)
        told = json.loads(run(*words, "--json", "--now", NOW, cwd=root).stdout)
        assert {**done.structured_content, "next_cursor": 0} == {**told, "next_cursor": 0}
        assert done.content[0].text == run(*words, "--now", NOW, cwd=root).stdout


# strict arguments


@pytest.mark.parametrize(
    ("tool", "given", "message", "hint"),
    [
        ("get_status", {"nmae": "x"}, 'get_status takes no "nmae"', 'did you mean "name"?'),
        ("get_next", {"zzz": 1}, 'get_next takes no "zzz"', "it takes: all, cursor, project"),
        ("get_next", {"all": "yes"}, '"all" must be true or false', ""),
        ("get_status", {"name": 7}, '"name" must be a text', ""),
        ("save_checkpoint", {"next": "one"}, '"next" must be a list of texts', ""),
        ("save_checkpoint", {"next": ["one", 2]}, '"next" must be a list of texts', ""),
        ("resume_work", {"budget": 0}, '"budget" must be a whole number, 1 or more', ""),
        ("resume_work", {"budget": True}, '"budget" must be a whole number, 1 or more', ""),
        ("update_checkpoint", {"name": "x", "set": []}, '"set" must be an object', ""),
        ("search_history", {}, 'search_history needs "query"', ""),
        ("search_history", {"query": "x", "kind": "fil"}, '"kind" cannot be "fil"', '"file"'),
        ("search_history", {"query": "x", "limit": 51}, '"limit" cannot be 51', "cursor"),
        ("get_status", {"name": "a\0b"}, '"name" contains a character that no text may have', ""),
        ("complete_action", {"action": "1"}, '"action" is one of a checkpoint', "get_next"),
        ("update_checkpoint", {"name": "x", "set": {"a=b": 1}}, '"a=b" is not a dotted path', ""),
        ("update_checkpoint", {"name": "x", "resolve": {"a": "me"}}, "ours or theirs", ""),
    ],
)
def test_what_a_tool_does_not_take_is_refused_with_what_was_meant(root, tool, given, message, hint):
    error = refused(root, tool, **given)
    assert error["kind"] == "usage"
    assert message in error["message"]
    assert hint in error["hint"]


def test_null_is_the_same_as_nothing(root):
    assert answered(root, "get_next", all=None) == answered(root, "get_next")


def test_a_value_never_becomes_an_option(root):
    assert refused(root, "get_status", name="--everywhere")["kind"] in {"usage", "not-found"}
    saved = answered(root, "save_checkpoint", note="--draft", next=["--help", "=x"])["data"]
    text = get(root, saved["saved"])
    assert "--draft" in text
    assert "--help" in text
    assert saved["drafted"] == 0
    answered(
        root, "update_checkpoint", name="oc-demo", new_key=True, set={"owner": "me", "lang": "zh"}
    )
    found = json.loads(get(root, ".checkpoints/oc-demo.checkpoint.json"))
    assert (found["owner"], found["lang"]) == ("me", "zh")


def test_no_command_that_checks_a_step_is_written(root):
    for change in (
        {"set": {"next_actions": [{"text": "x", "done_when": "rm x"}]}},
        {"set": {"done_when": 1}},
    ):
        error = refused(root, "update_checkpoint", name="oc-demo", **change)
        assert (error["kind"], error["hint"]) == ("usage", "leave done_when out")
    assert not os.path.exists(os.path.join(os.environ["LEFTOFF_STATE"], "trust"))
    options = {arg.option for tool in TOOLS for arg in tool.args}
    assert not options & {"--done-when", "--verify", "--grant", "--restart"}


def test_nothing_that_only_a_person_may_do_is_reachable():
    assert not {tool.verb for tool in TOOLS} & {"trust", "setup", "uninstall", "reset", "prune"}


# questions


def test_a_question_comes_with_the_arguments_that_answer_it(root):
    put_skill(root, "oc-last", next_actions=["The last one"])
    before = get(root, ".checkpoints/oc-last.checkpoint.json")
    ask = answered(root, "complete_action", name="oc-last")["ask"]
    assert ask["argument"] == "next"
    assert ask["choices"] == [
        {"arguments": {"complete": True}, "means": "nothing: the work is complete"}
    ]
    assert get(root, ".checkpoints/oc-last.checkpoint.json") == before
    done = answered(root, "complete_action", name="oc-last", **ask["choices"][0]["arguments"])
    assert (done["ask"], done["data"]["status"]) == (None, "complete")


def test_how_to_go_on_is_answered_by_an_argument_and_never_by_one_that_puts_aside(root):
    put_skill(
        root,
        "oc-stuck",
        status="blocked",
        blockers=[{"reason": "Which bank?", "needs": "user_decision"}],
    )
    ask = answered(root, "resume_work", name="oc-stuck")["ask"]
    answers = [choice["arguments"] for choice in ask["choices"]]
    assert answers == [{"answer": "continue"}, {"answer": "show"}]
    assert ask["argument"] == "answer"
    assert answered(root, "resume_work", name="oc-stuck", **answers[0])["ask"] is None
    assert answered(root, "resume_work", name="oc-stuck", **answers[1])["data"]["documents"]


def test_which_one_is_answered_by_an_argument(tmp_path):
    root = repo(tmp_path)
    for name in ("oc-one", "oc-two"):
        put_skill(root, name)
    done = called(root, "resume_work")
    ask = done.structured_content["ask"]
    assert [choice["arguments"] for choice in ask["choices"]] == [
        {"pick": "skill:oc-one"},
        {"pick": "skill:oc-two"},
    ]
    assert '{"pick": "skill:oc-two"}' in done.content[0].text
    assert answered(root, "resume_work", **ask["choices"][1]["arguments"])["data"]["id"] == "oc-two"


# errors


def test_an_error_speaks_of_tools_and_arguments(root):
    missing = refused(root, "get_status", name="nobody")
    assert (missing["kind"], missing["retryable"]) == ("not-found", False)
    assert missing["hint"] == 'run "get_status" to see all'
    put_markdown(root, "oc-demo2")
    put_skill(root, "oc-demo2")
    several = refused(root, "get_status", name="oc-demo2")
    assert several["kind"] == "ambiguous"
    assert several["choices"] == ["skill:oc-demo2", "md:oc-demo2"]
    wrong = refused(root, "complete_action", name="oc-demo", complete=True)
    assert wrong["hint"] == 'complete them first, or leave "complete" out'


def test_a_broken_document_is_told_with_its_line(root):
    put(root, ".checkpoints/oc-bad.checkpoint.json", '{"skill": "oc-bad",\n "a" 1}')
    error = refused(root, "get_status", name="oc-bad")
    assert (error["kind"], error["line"]) == ("broken", 2)
    assert answered(root, "get_status")["findings"][0]["slug"] == "broken"


def test_our_bug_is_a_line_and_a_log(root, monkeypatch):
    def fail(call):
        raise ZeroDivisionError("very secret details")

    monkeypatch.setattr(commands.load("next"), "run", fail)
    error = refused(root, "get_next")
    assert (error["kind"], error["message"]) == ("bug", "leftoff failed: ZeroDivisionError")
    log = error["hint"].rpartition(" ")[2]
    with open(log, encoding="utf-8") as file:
        assert "very secret details" in file.read()
    assert answered(root, "list_threads")


def test_there_is_no_such_tool(root):
    with pytest.raises(MCPError, match='did you mean "get_status"') as caught:
        called(root, "get_statsu")
    assert caught.value.data["error"]["kind"] == "usage"
    with pytest.raises(MCPError, match="--profile minimal"):
        called(root, "save_checkpoint", seated={"profile": MINIMAL})


# prompts


def test_prompts_are_short_requests(root):
    listed = talk(root, lambda client: client.list_prompts()).prompts
    assert [one.name for one in listed] == ["save", "handoff", "resume"]
    for one in listed:
        (arg,) = one.arguments
        got = talk(
            root, lambda client, one=one, arg=arg: client.get_prompt(one.name, {arg.name: "A-WORD"})
        )
        (message,) = got.messages
        assert message.role == "user"
        assert "A-WORD" in message.content.text
        assert any(tool.name in message.content.text for tool in TOOLS)
        bare = talk(root, lambda client, one=one: client.get_prompt(one.name)).messages[0]
        assert "A-WORD" not in bare.content.text


def test_a_prompt_that_is_not_there_or_takes_nothing_such_is_refused(root):
    with pytest.raises(MCPError, match='did you mean "save"'):
        talk(root, lambda client: client.get_prompt("savee"))
    with pytest.raises(MCPError, match='takes no "x"'):
        talk(root, lambda client: client.get_prompt("save", {"x": "y"}))
    listed = talk(root, lambda client: client.list_prompts(), profile=MINIMAL).prompts
    assert [one.name for one in listed] == ["resume"]


# Chinese


def test_everything_for_people_is_chinese_where_that_is_chosen(root):
    zh = {"lang": "zh"}
    error = called(root, "get_status", seated=zh, name="nobody").structured_content["error"]
    assert (error["kind"], error["message"]) == ("not-found", "这里没有断点 “nobody”")
    assert "会话状态" in called(root, "get_status", seated=zh).content[0].text
    assert (
        called(root, "get_status", seated=zh, nmae=1).structured_content["error"]["hint"]
        == "你是指 “name” 吗？"
    )
    listed = talk(root, lambda client: client.list_prompts(), **zh).prompts
    assert listed[0].description == "保存工作进展"
    got = talk(root, lambda client: client.get_prompt("resume", {"name": "x"}), **zh)
    assert "resume_work" in got.messages[0].content.text
    assert "断点是 x。" in got.messages[0].content.text


def test_the_thread_of_a_project_says_its_language(root):
    path = ".checkpoints/threads/thread-1a2b3c4d/thread.json"
    put(root, path, get(root, path).replace('"config": {', '"config": { "language": "zh",'))
    put(root, ".checkpoints/current", "thread-1a2b3c4d\n")
    assert "会话状态" in called(root, "get_status").content[0].text


# at once


def test_reading_and_writing_at_once_mix_nothing(root):
    for at in range(6):
        put_skill(root, f"oc-{at}")

    async def ask(client):
        found = {}

        async def one(name, given, key):
            found[key] = await client.call_tool(name, given)

        async with anyio.create_task_group() as tasks:
            for at in range(6):
                change = {"name": f"oc-{at}", "set": {"step": f"step-{at}"}}
                tasks.start_soon(one, "update_checkpoint", change, f"write {at}")
                tasks.start_soon(one, "get_status", {"name": f"oc-{at}"}, f"read {at}")
                tasks.start_soon(one, "get_next", {"all": True}, f"next {at}")
        return found

    found = talk(root, ask)
    assert len(found) == 18
    assert not [key for key, done in found.items() if done.is_error]
    for at in range(6):
        assert found[f"read {at}"].structured_content["data"]["stream"]["id"] == f"oc-{at}"
        assert (
            json.loads(get(root, f".checkpoints/oc-{at}.checkpoint.json"))["step"] == f"step-{at}"
        )


def held(monkeypatch, verb):
    """A command that waits in the middle: (it is in there, let it go on, it has ended)."""
    command = commands.load(verb)
    inside, go_on, ended, real = Event(), Event(), Event(), command.run

    def run(call):
        inside.set()
        assert go_on.wait(PATIENCE)
        try:
            return real(call)
        finally:
            ended.set()

    monkeypatch.setattr(command, "run", run)
    return inside, go_on, ended


async def cancelled(client, tool, given, inside):
    """Give a call up as soon as its command is at work."""
    with anyio.CancelScope() as scope:
        async with anyio.create_task_group() as tasks:

            async def give_up():
                await anyio.to_thread.run_sync(inside.wait)
                scope.cancel()

            tasks.start_soon(give_up)
            await client.call_tool(tool, given)
    assert scope.cancelled_caught


def test_a_reader_that_was_given_up_holds_nobody_up(root, monkeypatch):
    inside, go_on, _ = held(monkeypatch, "next")

    async def ask(client):
        await cancelled(client, "get_next", {}, inside)
        return await client.call_tool("list_threads", {})

    assert not talk(root, ask).is_error
    go_on.set()


def test_a_save_that_was_given_up_is_done_whole_and_the_next_one_waits_for_it(root, monkeypatch):
    inside, go_on, ended = held(monkeypatch, "update")
    given = {"name": "oc-demo", "set": {"step": "given-up"}}

    second, real = Event(), commands.load("done").run
    monkeypatch.setattr(commands.load("done"), "run", lambda call: second.set() or real(call))

    async def ask(client):
        await cancelled(client, "update_checkpoint", given, inside)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(
                client.call_tool, "complete_action", {"name": "chk-auth", "action": "1"}
            )
            for _ in range(10):
                await client.call_tool("list_threads", {})
            assert not second.is_set()
            go_on.set()

    talk(root, ask)
    assert ended.is_set()
    assert second.is_set()
    assert json.loads(get(root, ".checkpoints/oc-demo.checkpoint.json"))["step"] == "given-up"


def test_long_work_tells_how_far_it_is(root, monkeypatch):
    command = commands.load("search")
    real, heard = command.run, []

    def run(call):
        for step in range(5):
            call.progress(step * 50, 200)
        return real(call)

    async def tell(done, total, _):
        heard.append((done, total))

    monkeypatch.setattr(command, "run", run)
    talk(
        root,
        lambda client: client.call_tool("search_history", {"query": "x"}, progress_callback=tell),
    )
    assert heard[0] == (0, 200)
    assert heard == sorted(heard)


# price


def test_the_price_is_told_for_each_tool_and_profile(root):
    told = run("mcp", "--price", cwd=root).stdout
    known = json.loads(run("mcp", "--price", "--json", cwd=root).stdout)["data"]
    for profile in (MINIMAL, FULL):
        price = known[profile]
        assert list(price["tools"]) == [tool.name for tool in tools_of(profile)]
        assert price["total"] == sum(price["tools"].values()) + price["instructions"]
        assert f"about {price['total']}" in told
    assert known[FULL]["total"] < 2000, "each word is paid for by every session"
    assert "工具" in run("mcp", "--price", "--lang", "zh", cwd=root).stdout


def test_nothing_in_a_reply_is_said_twice_over_the_wire(root):
    """The largest reply on a small project is a few thousand bytes."""
    assert len(sent(called(root, "get_status"))) < 12_000
