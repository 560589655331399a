"""Sessions of OpenCode: messages with their parts, from an export or from the database."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents.log_cases import counted, fixture
from leftoff.agents import _opencode_log as opencode
from leftoff.core.stats import Compaction, Stats, Task, Tokens

SESSION = {"session": {"id": "ses_1", "directory": "/repo", "title": "T", "version": "1.18.33"}}


def user(*parts: Any, at: int = 1000) -> dict[str, Any]:
    told = [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]
    return {"info": {"role": "user", "time": {"created": at}}, "parts": told}


def model(ident: str, *parts: Any, used: tuple[int, ...] = (), **more: Any) -> dict[str, Any]:
    told = [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]
    info = {"id": ident, "role": "assistant", "modelID": "m", "time": {"created": 2000}, **more}
    if used:
        fresh, out, thoughts, read, written = used
        cache = {"read": read, "write": written}
        info["tokens"] = {"input": fresh, "output": out, "reasoning": thoughts, "cache": cache}
    return {"info": info, "parts": told}


def call(ident: str, tool: str, status: str = "completed", **given: Any) -> dict[str, Any]:
    code = {"exit": given.pop("exit")} if "exit" in given else {}
    state = {"status": status, "input": given, "metadata": code, "time": {"start": 2500}}
    return {"type": "tool", "tool": tool, "callID": ident, "state": state}


def export() -> dict[str, Any]:
    told = json.loads(fixture("opencode", "export.json")[0])
    assert isinstance(told, dict)
    return told


@pytest.mark.req("D.stat.tokens", "D.stat.tools")
def test_a_real_export_counts_as_by_hand() -> None:
    told = export()
    answers = [m["info"] for m in told["messages"] if m["info"]["role"] == "assistant"]
    parts = [part for m in told["messages"] for part in m["parts"]]
    tools = [part["tool"] for part in parts if part["type"] == "tool"]
    found = counted(opencode, opencode.lines(told["info"], told["messages"]))
    assert found.tokens.input == sum(one["tokens"]["input"] for one in answers)
    assert found.tokens.output == sum(one["tokens"]["output"] for one in answers)
    # the client's own sums over the session are a second witness
    assert found.tokens.input == told["info"]["tokens"]["input"]
    assert found.tokens.output == told["info"]["tokens"]["output"]
    assert (found.answers, found.models) == (len(answers), {"fake-model": len(answers)})
    assert found.tools == {name: tools.count(name) for name in tools}
    assert (found.files, found.commands, found.failed) == (("/repo/hello.txt",), 1, 0)
    assert (found.session, found.cwd, found.title) == (told["info"]["id"], "/repo", "Fake title")
    assert (found.version, found.skipped, found.unknown) == ("1.18.33", 0, {})
    assert found.first == told["info"]["time"]["created"] / 1000


def test_a_real_compaction_is_no_prompt_and_its_summary_no_answer_to_the_person() -> None:
    told = export()
    asked = [
        part["text"]
        for m in told["messages"]
        for part in m["parts"]
        if m["info"]["role"] == "user" and part["type"] == "text" and not part.get("synthetic")
    ]
    found = counted(opencode, opencode.lines(told["info"], told["messages"]))
    assert found.prompts == len(asked)
    assert [(one.trigger, one.before) for one in found.compactions] == [("auto", 99000)]
    assert (found.peak, found.context, found.said) == (99000, 1000, "OK answer")


@pytest.mark.req("D.stat.tokens")
def test_thoughts_count_as_output_once_and_caches_as_context() -> None:
    beside = model("m1", used=(100, 20, 5, 1000, 30))
    within = model("m2", used=(100, 20, 5, 1000, 30))
    within["info"]["tokens"]["total"] = 100 + 20 + 1000 + 30
    found = counted(opencode, SESSION, beside, within)
    assert found.tokens == Tokens(200, 45, 2000, 60)
    assert (found.context, found.answers) == (1130, 2)


def test_what_the_client_adds_and_what_leftoff_adds_is_no_prompt() -> None:
    synthetic = {"type": "text", "text": "Continue if you have next steps", "synthetic": True}
    found = counted(
        opencode,
        SESSION,
        user(synthetic),
        user("do it\n<leftoff id=1>ours</leftoff>", synthetic),
        user("<leftoff id=2>ours</leftoff>"),
    )
    assert (found.prompts, found.asked) == (1, "do it")


def test_a_compaction_asked_for_by_a_person_is_manual() -> None:
    found = counted(
        opencode,
        SESSION,
        model("m1", "a", used=(900, 1, 0, 0, 0)),
        user({"type": "compaction", "auto": False}, at=5000),
        model("m2", "the summary", used=(800, 90, 0, 0, 0), summary=True),
    )
    assert found.compactions == (Compaction(5.0, "manual", 900, 0),)
    assert (found.said, found.context, found.tokens.output) == ("a", 900, 91)


@pytest.mark.req("D.stat.failed", "D.stat.files", "D.stat.commits")
def test_calls_end_as_their_state_says() -> None:
    found = counted(
        opencode,
        SESSION,
        model(
            "m1",
            call("c1", "bash", command="make test", exit=2),
            call("c2", "edit", "error", filePath="/repo/a.py"),
            call("c3", "write", filePath="b.py"),
            call("c4", "edit", filePath="/repo/b.py"),
            call("c5", "bash", command="git commit -m one; git commit -m two", exit=0),
            call("c6", "bash", command="git commit -m three", exit=1),
            call("c7", "apply_patch", patchText="*** Begin Patch\n*** Add File: c.py\n+x"),
            call("c8", "bash", "running", command="sleep 9"),
            finish="tool-calls",
        ),
    )
    assert found.files == ("/repo/b.py", "/repo/c.py")
    assert (found.commands, found.failed, found.commits) == (4, 3, 2)
    left = [one.text for one in found.failures]
    assert left == ["make test", "/repo/a.py", "git commit -m three"]


def test_a_failure_that_was_repaired_is_not_left() -> None:
    edits = [call("c1", "edit", "error", filePath="/a"), call("c2", "edit", filePath="/a")]
    found = counted(opencode, SESSION, model("m1", *edits))
    assert (found.failed, found.failures, found.files) == (1, (), ("/a",))


@pytest.mark.req("D.stat.done")
def test_the_list_of_the_database_is_the_last_word_on_tasks() -> None:
    def todos(*status: str) -> list[dict[str, str]]:
        return [{"content": f"t{at}", "status": one} for at, one in enumerate(status)]

    written = [
        call("c1", "todowrite", todos=todos("completed", "pending")),
        call("c2", "todowrite", todos=todos("completed", "in_progress")),
        call("c3", "todowrite", "error", todos=todos("completed", "completed")),
    ]
    found = counted(opencode, SESSION, model("m1", *written))
    assert found.tasks == (Task("t0", "completed"), Task("t1", "in_progress"))
    assert found.done == 1
    assert (
        counted(opencode, SESSION, model("m1", *written), {"todos": todos("completed")}).done == 1
    )


@pytest.mark.req("D.stat.subagents")
def test_a_subagent_is_counted_by_its_call_and_is_a_session_with_a_parent() -> None:
    assert counted(opencode, SESSION, model("m1", call("c1", "task", prompt="x"))).subagents == 1
    child = {"id": "ses_2", "parentID": "ses_1", "directory": "/repo"}
    assert opencode.head(opencode.lines(child, [])) == ("ses_2", "/repo", "ses_1")


def test_an_aborted_answer_is_an_interruption_and_other_errors_are_errors() -> None:
    found = counted(
        opencode,
        SESSION,
        model("m1", error={"name": "MessageAbortedError", "data": {}}),
        model("m2", error={"name": "APIError", "data": {"message": "boom"}}),
    )
    assert (found.interrupted, found.errors, found.answers) == (1, 1, 0)


@pytest.mark.req("D.stat.broken")
def test_broken_lines_are_counted_and_change_nothing_else() -> None:
    good = [SESSION, user("a\u2028b"), model("m1", "ok", used=(10, 5, 0, 0, 0))]
    clean = counted(opencode, *good)
    mixed = counted(opencode, good[0], b"\n", good[1], b'{"info": \n', b"\xff\n", good[2])
    assert mixed.skipped == 3
    assert mixed._replace(skipped=0, lines=clean.lines) == clean


def test_values_of_any_type_in_any_field_do_not_raise() -> None:
    odd: list[Any] = [None, 7, "x", [], [1], {}, {"x": 1}, True, 1e400, "\ud800"]
    lines: list[Any] = [{name: value} for name in ("info", "session", "todos") for value in odd]
    for role in ("user", "assistant"):
        for value in odd:
            told = dict.fromkeys(
                ["time", "tokens", "error", "path", "id", "modelID", "summary", "finish"], value
            )
            part = {"type": "tool", **dict.fromkeys(("tool", "callID", "state"), value)}
            state = dict.fromkeys(["status", "input", "metadata", "time"], value)
            parts = [part, {"type": "tool", "state": state}, {"type": value}, value]
            lines.append({"info": {"role": role, **told}, "parts": parts})
    found = counted(opencode, *lines)
    assert (found.lines, found.skipped) == (len(lines), 0)


def test_nothing_gives_zeros_and_news_is_named() -> None:
    assert counted(opencode) == Stats()
    system = {"info": {"role": "system"}, "parts": []}
    found = counted(opencode, {"novelty": 1}, user({"type": "new-part"}), system)
    assert found.unknown == {"novelty": 1, "new-part": 1, "system": 1}


def test_messages_are_told_apart_by_their_ids_wherever_these_stand() -> None:
    used = (10, 5, 0, 0, 0)
    inside, beside = model("m1", used=used), {**model("", used=used), "id": "m2"}
    found = counted(opencode, SESSION, inside, beside, inside, beside)
    assert (found.answers, found.tokens) == (2, Tokens(20, 10))


def test_a_session_lasts_until_its_last_answer_was_complete() -> None:
    answer = model("m1", "ok", used=(1, 1, 0, 0, 0), time={"created": 2000, "completed": 8000})
    found = counted(opencode, SESSION, user("a", at=1500), answer)
    assert (found.first, found.last) == (1.5, 8.0)


def test_the_lines_of_an_export_carry_its_todos_too() -> None:
    told = opencode.lines({"id": "s"}, [], [{"content": "one", "status": "pending"}])
    assert counted(opencode, told).tasks == (Task("one", "pending"),)


def test_a_sum_of_money_that_no_answer_costs_counts_nothing() -> None:
    used = (1, 1, 0, 0, 0)
    found = counted(
        opencode, model("m1", used=used, cost=0.5), model("m2", used=used, cost=10**400)
    )
    assert (found.cost, found.answers) == (0.5, 2)
