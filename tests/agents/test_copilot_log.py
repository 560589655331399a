"""Events of Copilot CLI: answers by their records, subagents in the same file, todos by SQL."""

from __future__ import annotations

from typing import Any

import pytest

from agents.log_cases import counted, fixture
from leftoff.agents import _copilot_log as copilot
from leftoff.agents._copilot_todos import todos_after
from leftoff.core.stats import Compaction, HookCost, Stats, Task, Tokens

CONTEXT = {"cwd": "/repo", "branch": "main"}


def event(kind: str, /, at: float = 0.0, agent: str = "", **data: Any) -> dict[str, Any]:
    told = {"type": kind, "data": data, "timestamp": f"2026-11-16T10:00:{at:06.3f}Z"}
    return told | ({"agentId": agent} if agent else {})


START = event("session.start", sessionId="s1", copilotVersion="1.0.102", context=CONTEXT)


def usage(call: str, read: int, out: int, *, agent: str = "", at: float = 0.0, **more: Any) -> Any:
    told = {"model": "gpt", "inputTokens": read, "outputTokens": out, "apiCallId": call, **more}
    return event("session.usage_record", at, agent, usage=told)


def call(ident: str, tool: str, **given: Any) -> dict[str, Any]:
    return event("tool.execution_start", toolCallId=ident, toolName=tool, arguments=given)


def done(ident: str, *, success: bool = True, **more: Any) -> dict[str, Any]:
    return event("tool.execution_complete", toolCallId=ident, success=success, **more)


@pytest.mark.req("D.stat.tokens", "D.stat.tools", "D.stat.failed")
def test_a_real_log_counts_as_by_hand() -> None:
    raw, lines = fixture("copilot", "events-basic-resume.jsonl")

    def of(kind: str) -> list[Any]:
        return [one["data"] for one in lines if one["type"] == kind]

    used = [one["usage"] for one in of("session.usage_record")]
    tools = [one["toolName"] for one in of("tool.execution_start")]
    found = counted(copilot, raw)
    assert found.tokens.input == sum(one["inputTokens"] for one in used)
    # the client's own sums at the end are a second witness
    sums = of("session.shutdown")[-1]["modelMetrics"]["gpt-4.1"]
    assert (found.tokens.input, found.answers) == (7000, sums["requests"]["count"])
    assert found.tokens.output == sums["usage"]["outputTokens"]
    assert found.tools == {name: tools.count(name) for name in tools}
    assert (
        found.failed == [one["success"] for one in of("tool.execution_complete")].count(False) == 1
    )
    assert found.files == tuple(of("session.shutdown")[-1]["codeChanges"]["filesModified"])
    assert (found.hooks.runs, found.lines) == (len(of("hook.end")), len(lines))
    assert (found.skipped, found.unknown, found.window) == (0, {}, 64000)
    assert (found.session, found.cwd, found.branch) == (
        of("session.start")[0]["sessionId"],
        "/repo",
        "main",
    )


def test_the_reason_of_a_refused_stop_comes_back_as_a_prompt_and_is_none() -> None:
    raw, lines = fixture("copilot", "events-basic-resume.jsonl")
    said = [one["data"]["content"] for one in lines if one["type"] == "user.message"]
    assert "STOP-HOOK-SAYS continue" in said
    found = counted(copilot, raw)
    assert (found.prompts, found.asked) == (len(said) - 1, "DO-THE-WORK please")
    assert (found.last_asked, found.said) == ("second prompt", "OK answer")


def test_a_prompt_of_ones_own_after_a_refused_stop_counts() -> None:
    def hook(decision: str, reason: str) -> dict[str, Any]:
        return event(
            "hook.end", hookType="agentStop", output={"decision": decision, "reason": reason}
        )

    def ask(text: str) -> dict[str, Any]:
        return event("user.message", content=text)

    blocked = counted(copilot, START, hook("block", "go on"), ask("stop that"), ask("go on"))
    assert blocked.prompts == 2
    assert counted(copilot, START, hook("block", "go on"), ask("go on")).prompts == 0
    assert counted(copilot, START, hook("allow", "go on"), ask("go on")).prompts == 1


def test_a_resume_tells_the_branch_and_a_cleared_context_is_empty() -> None:
    moved = event("session.resume", context={"cwd": "/other", "branch": "topic"})
    found = counted(copilot, START, usage("a", 500, 1), moved, event("session.context_cleared"))
    assert (found.cwd, found.branch, found.version) == ("/repo", "topic", "1.0.102")
    assert (found.context, found.peak) == (0, 500)
    changed = event("session.context_changed", branch="third")
    assert counted(copilot, START, changed, event("session.context_changed")).branch == "third"


@pytest.mark.req("D.stat.files")
def test_a_tool_that_does_not_write_changes_no_file() -> None:
    looked = [call("c1", "view", path="/repo/a.py"), done("c1")]
    created = [call("c2", "create", path="/repo/b.py"), done("c2")]
    moved = [call("c3", "apply_patch", input="*** Begin Patch\n*** Add File: c.py"), done("c3")]
    found = counted(copilot, START, *looked, *created, *moved)
    assert found.files == ("/repo/b.py", "/repo/c.py")


@pytest.mark.req("D.stat.tokens")
def test_a_message_and_its_record_are_one_answer() -> None:
    message = event("assistant.message", messageId="m", apiCallId="a", model="gpt", content="hi")
    found = counted(copilot, START, usage("a", 1000, 50), message, message)
    assert (found.tokens, found.answers, found.said) == (Tokens(1000, 50), 1, "hi")


@pytest.mark.req("D.stat.tokens")
def test_what_a_cache_gave_counts_once() -> None:
    within = usage("a", 1000, 50, cacheReadTokens=700, cacheWriteTokens=100)
    found = counted(copilot, START, within)
    assert (found.tokens, found.context) == (Tokens(200, 50, 700, 100), 1000)


@pytest.mark.req("D.stat.tokens")
def test_without_records_the_sums_of_the_last_end_count() -> None:
    def end(read: int, out: int) -> dict[str, Any]:
        told = {"usage": {"inputTokens": read, "outputTokens": out}}
        return event("session.shutdown", modelMetrics={"gpt": told})

    message = event("assistant.message", messageId="m", content="hi", outputTokens=50)
    found = counted(copilot, START, message, end(1000, 50), message, end(3000, 150))
    assert (found.tokens, found.answers) == (Tokens(3000, 150), 1)
    assert counted(copilot, START, usage("a", 7, 1), end(9000, 9)).tokens == Tokens(7, 1)


@pytest.mark.req("D.stat.subagents")
def test_a_subagent_works_and_costs_but_does_not_speak_for_the_session() -> None:
    found = counted(
        copilot,
        START,
        usage("a", 5000, 10, maxPromptTokens=64000),
        event("subagent.started", agent="x", toolCallId="c1"),
        event("user.message", agent="x", content="SUBTASK", source="agent-s1"),
        usage("b", 900, 10, agent="x", interactionType="conversation-subagent"),
        event("assistant.message", agent="x", apiCallId="b", content="its answer"),
    )
    assert (found.subagents, found.tokens, found.answers) == (1, Tokens(5900, 20), 2)
    assert (found.context, found.prompts, found.said, found.window) == (5000, 0, "", 64000)


def test_only_what_a_person_typed_is_a_prompt() -> None:
    found = counted(
        copilot,
        START,
        event("user.message", content="typed", transformedContent="<x/>typed"),
        event("user.message", content="of a skill", source="skill-pdf"),
        event("user.message", content="go on", isAutopilotContinuation=True),
        event("user.message", content="<leftoff id=1>ours</leftoff>"),
    )
    assert (found.prompts, found.asked, found.last_asked) == (1, "typed", "typed")


@pytest.mark.req("D.stat.failed", "D.stat.files", "D.stat.commits")
def test_calls_end_as_their_result_says() -> None:
    edited = [{"path": "/repo/a.py", "kind": "edit"}]
    found = counted(
        copilot,
        START,
        call("c1", "bash", command="make test"),
        done("c1", shellExecution={"exitCode": 3}),
        call("c2", "edit", path="/repo/no.py"),
        done("c2", success=False, error={"message": "No match found"}),
        call("c3", "edit", path="/repo/a.py"),
        done("c3", fileEdits=edited),
        call("c4", "bash", command="git commit -m one && git commit -m two"),
        done("c4", result={"content": "\n<shellId: 1 completed with exit code 0>"}),
        call("c5", "bash", command="git commit -m three"),
        done("c5", result={"content": "\n<exited with exit code 1>"}),
    )
    assert (found.files, found.commands, found.failed) == (("/repo/a.py",), 3, 3)
    assert found.commits == 2
    left = [one.text for one in found.failures]
    assert left == ["make test", "/repo/no.py", "git commit -m three"]


def test_a_compaction_tells_its_figures_and_its_own_cost_once() -> None:
    told: dict[str, Any] = {
        "success": True,
        "trigger": "threshold",
        "preCompactionTokens": 60000,
        "postCompactionTokens": 9000,
        "compactionAttemptId": "x",
        "compactionTokensUsed": {"inputTokens": 800, "outputTokens": 90, "model": "gpt"},
    }
    complete = event("session.compaction_complete", at=5, **told)
    found = counted(copilot, START, usage("a", 50000, 10), complete)
    assert [one[1:] for one in found.compactions] == [("auto", 60000, 9000)]
    assert (found.context, found.tokens) == (9000, Tokens(50800, 100))
    record = usage("b", 800, 90, interactionType="conversation-compaction")
    assert counted(copilot, START, usage("a", 50000, 10), record, complete).tokens == found.tokens
    again = event("session.compaction_complete", at=9, **{**told, "compactionAttemptId": "y"})
    twice = counted(copilot, START, usage("a", 50000, 10), record, complete, again)
    assert twice.tokens == Tokens(51600, 190)
    failed = event("session.compaction_complete", success=False, trigger="manual")
    assert counted(copilot, START, failed).compactions == ()


def test_hooks_are_timed_by_their_start_and_end() -> None:
    found = counted(
        copilot,
        START,
        event("hook.start", at=1.0, hookInvocationId="h1"),
        event("hook.start", at=1.5, hookInvocationId="h2"),
        event("hook.end", at=1.75, hookInvocationId="h2", success=True),
        event("hook.end", at=2.0, hookInvocationId="h1", success=True),
    )
    assert found.hooks == HookCost(2, 1250, 1000)


def test_errors_and_interruptions_count() -> None:
    found = counted(
        copilot, START, event("session.error", message="x"), event("abort", reason="user")
    )
    assert (found.errors, found.interrupted) == (1, 1)


@pytest.mark.req("D.stat.done")
def test_the_todo_table_is_followed_through_its_statements() -> None:
    first = "INSERT INTO todos (id, title, status) VALUES ('a', 'It''s (one)', 'pending'), ('b', 'two; 2', 'pending')"
    found = counted(
        copilot,
        START,
        call("c1", "sql", query=first),
        done("c1"),
        call("c2", "sql", query="UPDATE todos SET status = 'done' WHERE id = 'a'"),
        done("c2"),
        call("c3", "sql", query="UPDATE todos SET status='done' WHERE id='b'"),
        done("c3", success=False),
        call("c4", "sql", query="SELECT * FROM todos"),
        done("c4"),
    )
    assert found.tasks == (Task("It's (one)", "completed"), Task("two; 2", "pending"))
    assert found.done == 1


@pytest.mark.parametrize(
    ("statement", "left"),
    [
        (
            "update todos set status = 'in_progress' where id in ('a', 'b')",
            "in_progress in_progress",
        ),
        ("UPDATE todos SET status = 'done', updated_at = 1", "completed completed"),
        ("UPDATE todos SET title = 'x' WHERE id = 'a'", "pending pending"),
        ("UPDATE todos SET status = 'done' WHERE title LIKE '%x%'", "pending pending"),
        ("DELETE FROM todos WHERE id = 'a'", "pending"),
        ("DELETE FROM todos", ""),
        (
            "INSERT OR REPLACE INTO todos (id, title, status) VALUES ('a', 'A', 'done')",
            "completed pending",
        ),
        ("INSERT INTO todo_deps (todo_id, depends_on) VALUES ('a', 'b')", "pending pending"),
        ("- [x] one\n- [ ] two\n- [~] three", "completed pending in_progress"),
    ],
)
def test_a_statement_changes_the_rows_it_names(statement: str, left: str) -> None:
    tasks = {"a": ("one", "pending"), "b": ("two", "pending")}
    assert [status for _, status in todos_after(tasks, statement).values()] == left.split()
    assert tasks == {"a": ("one", "pending"), "b": ("two", "pending")}


@pytest.mark.req("D.stat.broken")
def test_broken_lines_are_counted_and_change_nothing_else() -> None:
    good = [START, event("user.message", content="a\u2028b"), usage("a", 10, 5)]
    clean = counted(copilot, *good)
    mixed = counted(copilot, good[0], b"\n", good[1], b'{"type": \n', b"\xff\n", good[2])
    assert mixed.skipped == 3
    assert mixed._replace(skipped=0, lines=clean.lines) == clean


def test_values_of_any_type_in_any_field_do_not_raise() -> None:
    odd: list[Any] = [None, 7, "x", [], [1], {}, {"x": 1}, True, 1e400, "\ud800"]
    names = [
        "sessionId",
        "context",
        "content",
        "usage",
        "toolCallId",
        "toolName",
        "arguments",
        "success",
        "result",
        "fileEdits",
        "shellExecution",
        "hookInvocationId",
        "output",
        "modelMetrics",
        "compactionTokensUsed",
    ]
    lines = [event(kind, **dict.fromkeys(names, value)) for kind in copilot._STEPS for value in odd]
    found = counted(copilot, *lines, *odd[1:3])
    assert (found.lines, found.skipped) == (len(lines) + 2, 2)


def test_nothing_gives_zeros_and_news_is_named() -> None:
    assert counted(copilot) == Stats()
    assert counted(copilot, START, event("session.novelty")).unknown == {"session.novelty": 1}
    assert copilot.head(
        b'{"type":"session.start","data":{"sessionId":"s1","context":{"cwd":"/r"}}}\n'
    ) == (
        "s1",
        "/r",
        "",
    )


def test_the_compaction_of_a_session_is_a_record() -> None:
    told = event("session.compaction_complete", at=1, success=True, trigger="manual")
    found = counted(copilot, START, told).compactions
    assert found == (Compaction(found[0].at, "manual", 0, 0),)
