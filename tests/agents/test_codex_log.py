"""Rollouts of Codex: totals that grow, resumes, forks, compactions, calls and how they end."""

from __future__ import annotations

from typing import Any

import pytest

from agents.log_cases import counted, fixture
from leftoff.agents import _codex_log as codex
from leftoff.core.stats import Compaction, Failure, Stats, Task, Tokens

ME, PARENT = "019a0000-0000-7000-8000-00000000000a", "019a0000-0000-7000-8000-00000000000b"


def line(kind: str, /, at: float = 0.0, **payload: Any) -> dict[str, Any]:
    minute, second = divmod(at, 60)
    stamp = f"2026-11-16T10:{int(minute):02d}:{second:06.3f}Z"
    return {"timestamp": stamp, "type": kind, "payload": payload}


def event(kind: str, /, at: float = 0.0, **payload: Any) -> dict[str, Any]:
    return line("event_msg", at, type=kind, **payload)


def item(kind: str, /, at: float = 0.0, **payload: Any) -> dict[str, Any]:
    return line("response_item", at, type=kind, **payload)


def meta(ident: str = ME, **more: Any) -> dict[str, Any]:
    return line("session_meta", id=ident, cwd="/repo", cli_version="0.166.0", **more)


def usage(read: int, out: int, cached: int = 0) -> dict[str, int]:
    return {
        "input_tokens": read,
        "cached_input_tokens": cached,
        "output_tokens": out,
        "total_tokens": read + out,
    }


def tokens(total: dict[str, int], last: dict[str, int], at: float = 0.0) -> dict[str, Any]:
    info = {"total_token_usage": total, "last_token_usage": last, "model_context_window": 258400}
    return event("token_count", at, info=info)


def called(call: str, name: str, arguments: str, **more: Any) -> dict[str, Any]:
    return item("function_call", call_id=call, name=name, arguments=arguments, **more)


def output(call: str, said: Any) -> dict[str, Any]:
    return item("function_call_output", call_id=call, output=said)


def patch(call: str, *files: str) -> dict[str, Any]:
    text = "*** Begin Patch\n" + "".join(f"{line}\n" for line in files) + "*** End Patch\n"
    return item("custom_tool_call", call_id=call, name="apply_patch", input=text)


def by_hand(lines: list[Any]) -> dict[str, Any]:
    """The figures of a real rollout, counted another way than the reader does: by its records."""
    payloads = [one["payload"] for one in lines]
    used = [one["usage"] for one in payloads if "response_id" in one]
    calls = [one for one in payloads if str(one.get("type")).endswith("tool_call")]
    calls += [one for one in payloads if one.get("type") == "function_call"]
    asked = [one["item"] for one in payloads if one.get("type") == "item_completed"]
    return {
        "tokens": Tokens(
            sum(one["input_tokens"] for one in used), sum(one["output_tokens"] for one in used)
        ),
        "answers": len(used),
        "tools": {
            name: [c["name"] for c in calls].count(name) for name in {c["name"] for c in calls}
        },
        "prompts": [one["type"] for one in asked].count("UserMessage"),
        "compactions": [one["type"] for one in lines].count("compacted"),
        "interrupted": [one.get("type") for one in payloads].count("turn_aborted"),
        "lines": len(lines),
    }


@pytest.mark.parametrize("name", ["auto-compact", "basic-resume", "interrupted", "subagent-parent"])
@pytest.mark.req("D.stat.tokens", "D.stat.tools")
def test_a_real_rollout_counts_as_by_hand(name: str) -> None:
    raw, lines = fixture("codex", f"rollout-{name}.jsonl")
    found = counted(codex, raw)
    told = found._asdict() | {"compactions": len(found.compactions)}
    hand = by_hand(lines)
    assert {key: told[key] for key in hand} == hand
    assert (found.session, found.cwd, found.branch) == (lines[0]["payload"]["id"], "/repo", "main")
    assert (found.skipped, dict(found.unknown), found.window) == (0, {}, 258400)


def test_a_real_session_tells_its_files_and_words() -> None:
    found = counted(codex, fixture("codex", "rollout-basic-resume.jsonl")[0])
    assert found.files == ("/repo/hello.txt",)
    assert (found.asked, found.last_asked, found.said) == (
        "DO-THE-WORK please",
        "third prompt",
        "OK",
    )
    assert found.models == {"gpt-5.5": 6}
    assert (found.context, found.commands, found.failed, found.version) == (1000, 1, 0, "0.166.0")


def test_a_real_compaction_tells_from_where_to_where() -> None:
    found = counted(codex, fixture("codex", "rollout-auto-compact.jsonl")[0])
    assert [one[2:] for one in found.compactions] == [(60000, 6801)]
    assert (found.peak, found.context) == (60000, 1000)


@pytest.mark.req("D.stat.subagents")
def test_a_real_subagent_is_counted_by_its_call_and_named_by_its_own_file() -> None:
    assert counted(codex, fixture("codex", "rollout-subagent-parent.jsonl")[0]).subagents == 1
    spawned = meta(source={"subagent": {"thread_spawn": {"parent_thread_id": PARENT}}})
    assert codex.head(_bytes(spawned)) == (ME, "/repo", PARENT)
    assert codex.head(_bytes(meta(parent_thread_id=PARENT))).parent == PARENT
    calls = [called(name, name, "{}") for name in ("spawn_agent", "wait_agent", "close_agent")]
    assert counted(codex, meta(), *calls).subagents == 1


def test_the_head_is_found_in_a_line_that_was_cut_off_in_its_instructions() -> None:
    raw = (
        b'{"type":"session_meta","payload":{"id":"x","cwd":"/r","base_instructions":{"text":"You a'
    )
    assert codex.head(raw) == ("x", "/r", "")


@pytest.mark.req("D.stat.tokens")
def test_the_same_total_told_again_counts_once() -> None:
    first, both = usage(1000, 50), usage(3000, 150, cached=1500)
    found = counted(
        codex,
        meta(),
        tokens(first, first),
        tokens(first, first),
        tokens(both, usage(2000, 100, cached=1500)),
        tokens(both, usage(2000, 100, cached=1500)),
    )
    assert found.tokens == Tokens(input=1500, output=150, cache_read=1500)
    assert (found.answers, found.context) == (2, 2000)


@pytest.mark.req("D.stat.tokens")
def test_a_record_of_usage_and_its_total_are_one_answer() -> None:
    record = line(
        "token_usage_record",
        thread_id=ME,
        response_id="r1",
        usage=usage(1000, 50),
        thread_token_usage=usage(1000, 50),
    )
    found = counted(codex, meta(), record, tokens(usage(1000, 50), usage(1000, 50)))
    assert (found.tokens, found.answers) == (Tokens(1000, 50), 1)


def test_totals_that_start_anew_after_a_resume_go_on() -> None:
    found = counted(
        codex,
        meta(),
        tokens(usage(5000, 200), usage(5000, 200)),
        tokens(usage(700, 30), usage(700, 30)),
    )
    assert (found.tokens, found.answers) == (Tokens(5700, 230), 2)


def test_a_fork_does_not_count_the_total_that_it_inherits() -> None:
    found = counted(
        codex,
        meta(forked_from_id=PARENT),
        tokens(usage(77000, 950), usage(1000, 50)),
        tokens(usage(78000, 1000), usage(1000, 50)),
    )
    assert (found.tokens, found.answers, found.parent) == (Tokens(2000, 100), 2, PARENT)


def test_the_parents_history_that_an_older_fork_copies_is_not_its_own_work() -> None:
    found = counted(
        codex,
        meta(forked_from_id=PARENT),
        meta(PARENT),
        event("user_message", message="the parent's prompt"),
        called("c1", "exec_command", '{"cmd": "make"}'),
        tokens(usage(5000, 100), usage(5000, 100), at=0.1),
        tokens(usage(9000, 200), usage(4000, 100), at=0.2),
        event("user_message", at=30, message="the fork's prompt"),
        tokens(usage(9900, 240), usage(900, 40), at=31),
    )
    assert (found.session, found.prompts, found.asked) == (ME, 1, "the fork's prompt")
    assert (found.tokens, found.answers, found.commands) == (Tokens(900, 40), 1, 0)


def test_a_copy_ends_where_a_line_carries_the_forks_own_id() -> None:
    mine = event("item_completed", thread_id=ME, item=_prompt("mine"))
    theirs = event("item_completed", thread_id=PARENT, item=_prompt("theirs"))
    found = counted(codex, meta(forked_from_id=PARENT), meta(PARENT), theirs, mine)
    assert (found.prompts, found.asked) == (1, "mine")


def test_a_prompt_that_is_told_by_two_kinds_of_lines_counts_once() -> None:
    twice = [
        event("item_completed", item=_prompt("do it")),
        event("user_message", message="do it"),
    ]
    assert counted(codex, meta(), *twice, *twice).prompts == 2


def test_injected_texts_and_our_own_echo_are_no_prompts() -> None:
    echo = "<leftoff id=1>what leftoff said</leftoff>"
    found = counted(
        codex,
        meta(),
        item(
            "message",
            role="user",
            content=[{"type": "input_text", "text": "<environment_context>"}],
        ),
        event("user_message", kind="environment_context", message="<environment_context>"),
        event("user_message", message=echo),
        event("user_message", message=f"{echo}\nfix the bug"),
    )
    assert (found.prompts, found.asked) == (1, "fix the bug")


@pytest.mark.req("D.stat.failed")
@pytest.mark.parametrize(
    ("said", "failed"),
    [
        ("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nfine", False),
        ("Chunk ID: 1\nProcess exited with code 3\nOriginal token count: 2\nOutput:\nboom", True),
        ("Chunk ID: 1\nProcess exited with code 0\nOutput:\nProcess exited with code 1", False),
        ("Exit code: 10\nWall time: 0 seconds\nOutput:\n", True),
        ('{"output":"boom","metadata":{"exit_code":2,"duration_seconds":0.1}}', True),
        ('{"output":"fine","metadata":{"exit_code":0,"duration_seconds":0.1}}', False),
        ("exec_command failed for `x`: no such file", True),
    ],
)
def test_the_exit_code_of_a_command_decides(said: str, failed: bool) -> None:
    command = called("c1", "exec_command", '{"cmd": "make test"}')
    found = counted(codex, meta(), command, output("c1", said))
    assert (found.commands, found.failed) == (1, int(failed))
    assert [one.text for one in found.failures] == ["make test"] * failed


@pytest.mark.parametrize(
    ("ended", "failed"),
    [
        (event("exec_command_end", call_id="c1", exit_code=0), 0),
        (event("exec_command_end", call_id="c1", exit_code=2), 1),
        (event("patch_apply_end", call_id="c1", success=True), 0),
        (event("patch_apply_end", call_id="c1", success=False), 1),
        (event("mcp_tool_call_end", call_id="c1", result={"Ok": {}}), 0),
        (event("mcp_tool_call_end", call_id="c1", result={"Err": "x"}), 1),
        (output("c1", {"content": "x", "success": True}), 0),
        (output("c1", {"content": "x", "success": False}), 1),
        (output("c1", [{"type": "input_text", "text": "Exit code: 1\nOutput:\n"}]), 1),
        (output("c1", "{ no JSON"), 0),
        (output("c1", "it said Exit code: 1 in a sentence"), 0),
        (event("item_completed", item={"type": "McpToolCall", "id": "c1", "status": "failed"}), 1),
        (
            event(
                "item_completed", item={"type": "McpToolCall", "id": "c1", "status": "completed"}
            ),
            0,
        ),
        (event("item_completed", item={"type": "X", "id": "c1", "status": "in_progress"}), 0),
        (event("item_completed", item={"type": "X", "id": "c2", "status": "failed"}), 0),
    ],
)
def test_a_call_ends_by_whatever_line_tells_it_first(ended: Any, failed: int) -> None:
    found = counted(codex, meta(), called("c1", "tool", "{}"), ended, ended)
    assert (found.failed, len(found.failures)) == (failed, failed)


def test_a_command_that_goes_on_fails_when_its_item_says_so() -> None:
    done = {"type": "CommandExecution", "id": "c1", "status": "failed", "exit_code": 4}
    found = counted(
        codex,
        meta(),
        called("c1", "exec_command", '{"cmd": "sleep 3; exit 4"}'),
        output("c1", "Chunk ID: 1\nProcess running with session ID 5\nOutput:\n"),
        event("item_completed", item=done),
    )
    assert (found.failed, found.failures[0].text) == (1, "sleep 3; exit 4")


def test_a_command_done_again_with_success_is_no_failure_that_is_left() -> None:
    command = '{"command": ["bash", "-lc", "make test"]}'
    found = counted(
        codex,
        meta(),
        called("c1", "shell", command),
        output("c1", "Exit code: 1\nOutput:\n"),
        called("c2", "shell", command),
        output("c2", "Exit code: 0\nOutput:\n"),
    )
    assert (found.failed, found.failures) == (1, ())


@pytest.mark.req("D.stat.files")
def test_files_of_patches_that_went_well_count_once_each() -> None:
    refused = "apply_patch verification failed: Failed to read file to update /repo/no.py"
    done = {"type": "FileChange", "id": "p3", "status": "completed", "changes": {}}
    found = counted(
        codex,
        meta(),
        patch("p1", "*** Update File: a.py", "+x", "*** Add File: d/b.py"),
        item("custom_tool_call_output", call_id="p1", output="Exit code: 0\nOutput:\nSuccess."),
        patch("p2", "*** Update File: no.py"),
        item("custom_tool_call_output", call_id="p2", output=refused),
        patch("p3", "*** Update File: /repo/a.py", "*** Move to: c.py"),
        event("item_completed", item=done),
    )
    assert found.files == ("/repo/a.py", "/repo/d/b.py", "/repo/c.py")
    assert found.failures == (Failure("apply_patch", "/repo/no.py", found.failures[0].at),)


@pytest.mark.req("D.stat.commits")
def test_commits_of_a_command_that_failed_or_only_tried_do_not_count() -> None:
    both = "git add -A && git commit -qm one && git commit --allow-empty -qm two"
    found = counted(
        codex,
        meta(),
        called("c1", "exec_command", f'{{"cmd": "{both}"}}'),
        output("c1", "Process exited with code 0\nOutput:\n"),
        called("c2", "exec_command", '{"cmd": "git commit --dry-run"}'),
        output("c2", "Process exited with code 0\nOutput:\n"),
        called("c3", "exec_command", '{"cmd": "git commit -m three"}'),
        output("c3", "Process exited with code 1\nOutput:\n"),
    )
    assert found.commits == 2


@pytest.mark.req("D.stat.done")
def test_the_last_plan_that_was_taken_is_the_list_of_tasks() -> None:
    def plan(call: str, *status: str) -> dict[str, Any]:
        steps = ",".join(f'{{"step": "s{at}", "status": "{s}"}}' for at, s in enumerate(status))
        return called(call, "update_plan", f'{{"plan": [{steps}]}}')

    found = counted(
        codex,
        meta(),
        plan("c1", "completed", "pending"),
        output("c1", "Plan updated"),
        plan("c2", "completed", "in_progress"),
        output("c2", "Plan updated"),
        plan("c3", "completed", "completed"),
        output("c3", "unsupported call: update_plan"),
    )
    assert found.tasks == (Task("s0", "completed"), Task("s1", "in_progress"))
    assert found.done == 1


def test_an_error_of_the_models_side_counts_once_a_turn() -> None:
    failed = {"message": "high demand", "codex_error_info": "internal_server_error"}
    turn = [
        event("task_started"),
        event("error", message="x"),
        event("task_complete", error=failed),
    ]
    assert counted(codex, meta(), *turn, *turn).errors == 2
    assert counted(codex, meta(), event("task_complete", error=failed)).errors == 1


def test_tools_of_a_server_carry_its_name() -> None:
    call = called("c1", "echo", "{}", namespace="mcp__demo")
    assert counted(codex, meta(), call).tools == {"mcp__demo__echo": 1}


@pytest.mark.req("D.stat.broken")
def test_broken_lines_are_counted_and_change_nothing_else() -> None:
    good = [meta(), event("user_message", message="a\u2028b"), tokens(usage(10, 5), usage(10, 5))]
    clean = counted(codex, *good)
    bad = [b"\n", b'{"type": "event_msg", "payl\n', b"\xff\xfe\n", b"[]\n", b"\0\n"]
    mixed = counted(
        codex, *[each for pair in zip(good, bad, strict=False) for each in pair], *bad[3:]
    )
    assert mixed.skipped == 5
    assert mixed._replace(skipped=0, lines=clean.lines) == clean


def test_values_of_any_type_in_any_field_do_not_raise() -> None:
    odd: list[Any] = [None, 7, "x", [], [1], {}, {"x": 1}, True, -1, 1e400, "\ud800"]
    kinds = [*codex._STEPS, "message"]
    names = [
        "id",
        "cwd",
        "item",
        "info",
        "call_id",
        "name",
        "arguments",
        "output",
        "content",
        "role",
        "error",
        "usage",
        "plan",
    ]
    lines = [item(kind, **dict.fromkeys(names, value)) for kind in kinds for value in odd]
    found = counted(codex, meta(), *lines)
    assert (found.lines, found.skipped) == (len(lines) + 1, 0)


def test_lines_that_nobody_told_us_of_are_named() -> None:
    found = counted(codex, meta(), line("novelty"), event("other_novelty"), event("warning"))
    assert found.unknown == {"novelty": 1, "other_novelty": 1}


def test_nothing_gives_zeros() -> None:
    assert counted(codex) == Stats()
    assert codex.head(b"") == ("", "", "")


def test_a_compaction_of_old_versions_takes_its_figure_from_the_next_count() -> None:
    found = counted(
        codex,
        meta(),
        tokens(usage(60000, 100), usage(60000, 100)),
        line("compacted", at=5, message="summary"),
        tokens(usage(60000, 100), {"total_tokens": 6801}, at=6),
    )
    assert found.compactions == (Compaction(found.compactions[0].at, "", 60000, 6801),)
    assert found.context == 6801


def test_each_compaction_has_its_own_figures() -> None:
    found = counted(
        codex,
        meta(),
        tokens(usage(60000, 100), usage(60000, 100)),
        line("compacted", message="summary"),
        tokens(usage(60000, 100), {"total_tokens": 6801}),
        tokens(usage(130000, 200), usage(70000, 100)),
        line("compacted", message="summary"),
        tokens(usage(130000, 200), {"total_tokens": 7000}),
    )
    assert [one[2:] for one in found.compactions] == [(60000, 6801), (70000, 7000)]


def test_a_record_counts_also_where_the_client_was_killed_before_its_total() -> None:
    last = {"input_tokens": 900, "output_tokens": 40}
    record = line("token_usage_record", response_id="r", usage=last, thread_token_usage=last)
    turn = line("turn_context", model="gpt-5.5", cwd="/repo/sub")
    found = counted(codex, meta(), turn, record)
    assert (found.tokens, found.context) == (Tokens(900, 40), 900)
    assert (found.models, found.cwd) == ({"gpt-5.5": 1}, "/repo")


def test_a_name_that_was_given_is_the_title() -> None:
    named = event("thread_name_updated", thread_name="Fix the cart")
    found = counted(codex, meta(), named, event("thread_name_updated"))
    assert found.title == "Fix the cart"


def test_a_patch_belongs_to_the_folder_of_its_turn() -> None:
    found = counted(
        codex,
        meta(),
        line("turn_context", cwd="/repo/sub"),
        patch("p1", "*** Add File: ./a.py"),
        item("custom_tool_call_output", call_id="p1", output="Exit code: 0\nOutput:\nSuccess."),
        event("thread_settings_applied", thread_settings={"cwd": "/other"}),
        called(
            "c1", "shell", '{"command": ["apply_patch", "*** Begin Patch\\n*** Add File: b.py"]}'
        ),
        output("c1", "Exit code: 0\nOutput:\n"),
    )
    assert found.files == ("/repo/sub/a.py", "/other/b.py")


def _prompt(text: str) -> dict[str, Any]:
    return {"type": "UserMessage", "content": [{"type": "text", "text": text}]}


def _bytes(told: dict[str, Any]) -> bytes:
    import json

    return json.dumps(told).encode() + b"\n"
