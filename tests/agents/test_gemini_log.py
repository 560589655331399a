"""Chats of Gemini CLI: a log of updates, in which the same message comes again and again."""

from __future__ import annotations

from typing import Any

import pytest

from agents.log_cases import counted, fixture
from leftoff.agents import _gemini_log as gemini
from leftoff.core.stats import Stats, Task, Tokens

HEADER = {
    "sessionId": "c4a0",
    "projectHash": "f76e",
    "startTime": "2026-11-16T10:00:00.000Z",
    "kind": "main",
}
OK = "<untrusted_context>\nOutput: fine\nProcess Group PGID: 1\n</untrusted_context>"


def user(ident: str, *texts: str, **more: Any) -> dict[str, Any]:
    parts = [{"text": text} for text in texts]
    return _message(ident, "user", content=parts, **more)


def model(ident: str, content: Any = "", **more: Any) -> dict[str, Any]:
    return _message(ident, "gemini", content=content, model="gemini-2.5-flash", **more)


def _message(ident: str, kind: str, /, **more: Any) -> dict[str, Any]:
    return {"id": ident, "timestamp": "2026-11-16T10:00:01.000Z", "type": kind, **more}


def used(read: int, out: int, cached: int = 0, thoughts: int = 0, tool: int = 0) -> dict[str, int]:
    total = read + out + thoughts + tool
    told = {"input": read, "output": out, "cached": cached, "thoughts": thoughts, "tool": tool}
    return {**told, "total": total}


def call(ident: str, name: str, output: str = OK, status: str = "success", **args: Any) -> Any:
    response = {"output" if status == "success" else "error": output}
    result = [{"functionResponse": {"id": ident, "name": name, "response": response}}]
    return {"id": ident, "name": name, "args": args, "result": result, "status": status}


def listed(*messages: Any) -> dict[str, Any]:
    """What a resume writes: the whole history, without tokens and results."""
    bare = [{k: v for k, v in one.items() if k not in {"tokens", "toolCalls"}} for one in messages]
    return {"$set": {"messages": bare}}


@pytest.mark.req("D.stat.tokens", "D.stat.tools")
def test_a_real_chat_counts_as_by_hand() -> None:
    raw, lines = fixture("gemini", "chat-basic-resume.jsonl")
    last = {one["id"]: one for one in lines if one.get("type") == "gemini"}
    calls = {each["id"]: each["name"] for one in last.values() for each in one.get("toolCalls", ())}
    tokens = [one["tokens"] for one in last.values()]
    found = counted(gemini, raw)
    assert found.tokens == Tokens(sum(t["input"] for t in tokens), sum(t["output"] for t in tokens))
    assert (found.answers, found.lines, found.skipped) == (len(last), len(lines), 0)
    assert found.tools == {name: [*calls.values()].count(name) for name in calls.values()}
    assert (found.files, found.commands, found.failed) == (("/repo/hello.txt",), 1, 0)
    assert (found.asked, found.last_asked) == ("DO-THE-WORK please", "second prompt")
    assert (found.session, found.context, found.said) == (lines[0]["sessionId"], 1000, "OK answer")
    assert (found.models, found.unknown) == ({"gemini-2.5-flash": 6}, {})


@pytest.mark.req("D.stat.tokens")
def test_a_message_told_again_replaces_the_earlier_one() -> None:
    first = model("m1", "Let me", tokens=None)
    better = model("m1", "Let me look.", tokens=used(1000, 50, cached=400, thoughts=7, tool=3))
    with_call = {**better, "toolCalls": [call("c1", "run_shell_command", command="ls")]}
    found = counted(gemini, HEADER, first, better, with_call, with_call)
    assert found.tokens == Tokens(input=603, output=57, cache_read=400)
    assert (found.answers, found.tools, found.commands) == (1, {"run_shell_command": 1}, 1)
    assert (found.said, found.context) == ("Let me look.", 1000)


@pytest.mark.req("D.stat.tokens")
def test_a_resume_neither_doubles_nor_loses_what_was_counted() -> None:
    context = user(
        "s", "<session_context>\n- **Workspace Directories:**\n  - /repo\n</session_context>"
    )
    asked, tool = user("u1", "do it"), call("c1", "write_file", file_path="/repo/a.py")
    answer = model("m1", "done", tokens=used(1000, 50), toolCalls=[tool])
    history = [context, asked, answer]
    before = counted(gemini, HEADER, listed(context), asked, answer)
    after = counted(gemini, HEADER, listed(context), asked, answer, HEADER, listed(*history))
    assert after._replace(lines=before.lines) == before
    again = counted(
        gemini,
        HEADER,
        listed(context),
        asked,
        answer,
        listed(*history),
        user("u2", "and now?"),
        model("m2", "yes", tokens=used(1200, 60)),
        listed(*history),
    )
    assert (again.tokens, again.answers, again.prompts) == (Tokens(2200, 110), 2, 2)
    assert (again.files, again.cwd, again.last_asked) == (("/repo/a.py",), "/repo", "and now?")


def test_what_was_taken_back_in_the_chat_was_asked_all_the_same() -> None:
    answer = model("m1", "no", tokens=used(100, 5))
    found = counted(gemini, HEADER, user("u1", "a"), answer, {"$rewindTo": "u1"}, user("u2", "b"))
    assert (found.prompts, found.tokens, found.unknown) == (2, Tokens(100, 5), {})


def test_what_hooks_and_tools_put_in_the_place_of_a_prompt_is_none() -> None:
    response = {"functionResponse": {"id": "c1", "name": "x", "response": {"output": "y"}}}
    found = counted(
        gemini,
        HEADER,
        user(
            "u1",
            "<hook_context>from a hook</hook_context>\n\ndo it",
            "<hook_context>b</hook_context>",
        ),
        user("u2", "<hook_context>only that</hook_context>"),
        user("u3", "<leftoff id=1>ours</leftoff>"),
        _message("u4", "user", content=[response]),
        user("u5", "<session_context>\nThis is the Gemini CLI."),
    )
    assert (found.prompts, found.asked) == (1, "do it")


@pytest.mark.req("D.stat.failed")
@pytest.mark.parametrize(
    ("output", "failed"),
    [
        (OK, False),
        (
            "<untrusted_context>\nOutput: boom\nExit Code: 3\nProcess Group PGID: 1\n</untrusted_context>",
            True,
        ),
        (
            "<untrusted_context>\nOutput: x\nExit Code: 3\nmore\nProcess Group PGID: 1\n</untrusted_context>",
            False,
        ),
        ("Output: boom\nExit Code: 1", True),
    ],
)
def test_a_command_fails_by_the_exit_code_at_the_end_of_its_output(
    output: str, failed: bool
) -> None:
    tool = call("c1", "run_shell_command", output, command="make test")
    found = counted(gemini, HEADER, model("m1", toolCalls=[tool]))
    assert (found.commands, found.failed) == (1, int(failed))
    assert [one.text for one in found.failures] == ["make test"] * failed


@pytest.mark.req("D.stat.files", "D.stat.commits")
def test_a_failed_edit_changes_no_file_and_a_failed_commit_is_none() -> None:
    boom = "Output: boom\nExit Code: 1"
    tools = [
        call("c1", "replace", "no match", "error", file_path="/repo/a.py"),
        call("c2", "write_file", file_path="/repo/b.py"),
        call("c3", "replace", file_path="/repo/b.py"),
        call("c4", "run_shell_command", command="git commit -m one && git commit --amend -m two"),
        call("c5", "run_shell_command", boom, command="git commit -m three"),
        call("c6", "run_shell_command", "", "cancelled", command="rm -r x"),
    ]
    found = counted(
        gemini, HEADER, *(model(f"m{at}", toolCalls=[one]) for at, one in enumerate(tools))
    )
    assert (found.files, found.failed, found.commits) == (("/repo/b.py",), 2, 2)
    assert [one.text for one in found.failures] == ["/repo/a.py", "git commit -m three"]


def test_a_call_that_is_told_before_it_ended_counts_once() -> None:
    steps = [
        call("c1", "replace", "", status, file_path="/a") for status in ("executing", "success")
    ]
    found = counted(gemini, HEADER, *(model("m1", toolCalls=[step]) for step in steps))
    assert (found.tools, found.files) == ({"replace": 1}, ("/a",))


@pytest.mark.req("D.stat.done")
def test_the_last_list_of_todos_is_the_list_of_tasks() -> None:
    def todos(*status: str) -> list[dict[str, str]]:
        return [{"description": f"t{at}", "status": one} for at, one in enumerate(status)]

    tools = [
        call("c1", "write_todos", todos=todos("completed", "pending")),
        call("c2", "write_todos", todos=todos("completed", "in_progress")),
        call("c3", "write_todos", "no", "error", todos=todos("completed", "completed")),
    ]
    found = counted(gemini, HEADER, *(model(one["id"], toolCalls=[one]) for one in tools))
    assert found.tasks == (Task("t0", "completed"), Task("t1", "in_progress"))
    assert found.done == 1


@pytest.mark.req("D.stat.subagents")
def test_a_subagent_is_counted_by_its_call_and_has_a_file_of_its_own() -> None:
    tool = call("c1", "invoke_agent", agent_name="x", prompt="count files")
    assert counted(gemini, HEADER, model("m1", toolCalls=[tool, tool])).subagents == 1
    first = b'{"sessionId":"2c5a","kind":"subagent","directories":["/repo"]}\n{"id":"x"'
    assert gemini.head(first) == ("2c5a", "/repo", "")


def test_the_head_of_a_main_chat_finds_its_folder_in_the_first_message() -> None:
    context = "<session_context>\\n- **Workspace Directories:**\\n  - /repo\\n- **Directory"
    message = f'{{"id":"d0","type":"user","content":[{{"text":"{context}"}}]}}'
    first = f'{{"sessionId":"c4a0"}}\n{{"$set":{{"messages":[{message}]}}}}\n'.encode()
    assert gemini.head(first) == ("c4a0", "/repo", "")


def test_a_list_that_begins_with_a_summary_is_a_compaction() -> None:
    asked, answer = user("u1", "do it"), model("m1", "ok", tokens=used(90000, 50))
    summary = user("u9", "<state_snapshot>all of it</state_snapshot>")
    found = counted(gemini, HEADER, asked, answer, listed(summary), HEADER, listed(summary))
    assert [one.before for one in found.compactions] == [90000]
    assert (found.prompts, found.asked) == (1, "do it")


def test_errors_count_once_each() -> None:
    error = _message("e1", "error", content="[API Error: quota]")
    stopped = _message("i1", "info", content="Request cancelled.")
    warning = _message("w1", "warning", content="Loop detected")
    found = counted(gemini, HEADER, error, error, stopped, warning, warning)
    assert (found.errors, found.interrupted) == (1, 1)


def test_patches_of_the_header_tell_title_folder_and_time() -> None:
    told = {
        "summary": "Fix it",
        "directories": ["/repo", "/b"],
        "lastUpdated": "2026-11-16T11:00:00.000Z",
    }
    found = counted(gemini, HEADER, {"$set": told}, {"$set": {"sessionId": "other"}})
    assert (found.title, found.cwd, found.session) == ("Fix it", "/repo", "c4a0")
    assert found.last - found.first == 3600


def test_a_prompt_and_an_answer_that_are_only_listed_were_counted_elsewhere() -> None:
    found = counted(gemini, HEADER, listed(user("u1", "before"), model("m1", "an answer")))
    assert (found.prompts, found.answers, found.said) == (0, 0, "")


def test_lines_that_nobody_told_us_of_are_named() -> None:
    found = counted(gemini, HEADER, {"$novelty": 1}, _message("x", "novelty"))
    assert found.unknown == {"$novelty": 1, "novelty": 1}


@pytest.mark.req("D.stat.broken")
def test_broken_lines_are_counted_and_change_nothing_else() -> None:
    good = [HEADER, user("u1", "a\u2028b"), model("m1", "ok", tokens=used(10, 5))]
    clean = counted(gemini, *good)
    mixed = counted(gemini, good[0], b"\n", good[1], b'{"id": \n', b"\xff\n", b"7\n", good[2])
    assert mixed.skipped == 4
    assert mixed._replace(skipped=0, lines=clean.lines) == clean


def test_values_of_any_type_in_any_field_do_not_raise() -> None:
    odd: list[Any] = [None, 7, "x", [], [1], {}, {"x": 1}, True, 1e400, "\ud800"]
    names = ["id", "timestamp", "content", "tokens", "model", "toolCalls"]
    lines: list[Any] = [
        {"type": kind, **dict.fromkeys(names, value)}
        for kind in ("user", "gemini", "error", "novelty")
        for value in odd
    ]
    lines += [{"$set": value} for value in odd] + [{"$set": {"messages": value}} for value in odd]
    lines += [{"sessionId": value, "directories": value} for value in odd]
    lines += [
        model("m", toolCalls=[dict.fromkeys(("id", "name", "args", "result", "status"), value)])
        for value in odd
    ]
    found = counted(gemini, *lines)
    assert found.lines == len(lines)
    assert (found.skipped, found.unknown["novelty"]) == (0, len(odd))


def test_nothing_gives_zeros() -> None:
    assert counted(gemini) == Stats()
