"""Transcripts of Claude Code: what counts, what counts once, and what does not count."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from leftoff.agents import _claude_log as claude
from leftoff.core.commits import commits_in
from leftoff.core.stats import Compaction, Failure, Stats, Task, Tokens
from support import shared

ME = "11111111-1111-4111-8111-111111111111"


def stats_of(*lines: dict[str, Any] | bytes) -> Stats:
    tally = claude.begin()
    told = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in lines]
    claude.feed(tally, b"".join(each + b"\n" for each in told))
    return claude.stats(tally)


def line(kind: str, second: int = 0, **fields: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "timestamp": f"2026-11-16T10:00:{second:02}.000Z",
        "sessionId": ME,
        "cwd": "/repo",
        "gitBranch": "main",
        "version": "2.1.325",
        **fields,
    }


def usage(read: int, out: int = 0, cached: int = 0, written: int = 0) -> dict[str, int]:
    return {
        "input_tokens": read,
        "output_tokens": out,
        "cache_read_input_tokens": cached,
        "cache_creation_input_tokens": written,
    }


def answer(
    name: str, *blocks: dict[str, Any], used: dict[str, int] | None = None, **fields: Any
) -> dict[str, Any]:
    message = {"id": name, "role": "assistant", "model": "opus", "content": [*blocks]}
    return line(
        "assistant",
        requestId=f"req-{name}",
        message={**message, "usage": used or usage(1)},
        **fields,
    )


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(ident: str, tool: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": ident, "name": tool, "input": given}


def result(ident: str, *, error: bool | None = None) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": ident, "content": "done"}
    if error is not None:
        block["is_error"] = error
    return line("user", message={"role": "user", "content": [block]})


def prompt(words: Any, **fields: Any) -> dict[str, Any]:
    return line("user", message={"role": "user", "content": words}, **fields)


def ran(ident: str, command: str, *, error: bool = False) -> tuple[dict[str, Any], dict[str, Any]]:
    return answer(f"m-{ident}", call(ident, "Bash", command=command)), result(ident, error=error)


# --- real transcripts, against a count of their own -------------------------------------------

FIXTURES = (
    "transcript-auto-compact.jsonl",
    "transcript-basic-resume-compact.jsonl",
    "transcript-interactive.jsonl",
    "transcript-subagent-parent.jsonl",
    "transcript-subagent.jsonl",
)


def raw(name: str) -> tuple[bytes, list[dict[str, Any]]]:
    with open(shared("clients", "fixtures", "claude", name), "rb") as file:
        data = file.read()
    return data, [json.loads(each) for each in data.splitlines()]


def counted(name: str) -> tuple[Stats, list[dict[str, Any]]]:
    data, lines = raw(name)
    tally = claude.begin()
    claude.feed(tally, data)
    return claude.stats(tally), lines


@pytest.mark.req("D.stat.tokens", "D.stat.tools", "D.stat.failed")
@pytest.mark.shared
@pytest.mark.parametrize("name", FIXTURES)
def test_a_real_transcript_adds_up_to_what_a_plain_count_of_its_lines_gives(name):
    found, lines = counted(name)
    answers = {
        (each["message"]["id"], each.get("requestId")): each["message"]["usage"]
        for each in lines
        if each["type"] == "assistant" and not each.get("isApiErrorMessage")
    }
    names = ("input_tokens", "output_tokens", "cache_read_input_tokens")
    names = (*names, "cache_creation_input_tokens")
    assert found.tokens == Tokens(*(sum(one[part] for one in answers.values()) for part in names))
    assert found.answers == len(answers)
    assert found.lines == len(lines)
    assert (found.skipped, found.unknown) == (0, {})
    blocks = [
        block
        for each in lines
        if each["type"] in {"assistant", "user"} and isinstance(each["message"]["content"], list)
        for block in each["message"]["content"]
    ]
    tools = [block["name"] for block in blocks if block["type"] == "tool_use"]
    assert found.tools == {tool: tools.count(tool) for tool in tools}
    assert found.failed == sum(bool(block.get("is_error")) for block in blocks)
    assert found.commands == tools.count("Bash")
    assert found.subagents == tools.count("Agent")
    times = sorted(each["timestamp"] for each in lines if "timestamp" in each)
    assert found.first < found.last or len(times) < 2


@pytest.mark.req("X.context.measure")
@pytest.mark.shared
def test_context_use_falls_after_an_automatic_compaction():
    found, _ = counted("transcript-auto-compact.jsonl")
    assert [tokens for _, tokens in found.curve] == [20000, 40000, 60000, 80000, 1000]
    assert (found.context, found.peak) == (1000, 80000)
    assert found.compactions == (Compaction(found.compactions[0].at, "auto", 85240, 7330),)


@pytest.mark.shared
def test_a_session_with_hooks_resumes_and_compactions_reads_as_it_went():
    found, _ = counted("transcript-basic-resume-compact.jsonl")
    assert found.tokens == Tokens(9200, 433, 700, 300)
    assert found.files == ("/repo/hello.txt",)
    assert [(each.tool, each.text) for each in found.failures] == [("Bash", "exit 3")]
    assert found.prompts == 4  # three resumes; what a hook, a summary or /compact wrote is none
    assert (found.asked, found.last_asked) == ("DO-THE-WORK please", "prompt after compaction")
    assert [each.trigger for each in found.compactions] == ["manual", "manual"]
    assert found.hooks.runs == 8
    assert found.hooks.worst == 97
    assert (found.cwd, found.branch, found.version) == ("/repo", "main", "2.1.325")


@pytest.mark.shared
def test_an_error_of_the_model_s_side_is_no_answer():
    found, _ = counted("transcript-interactive.jsonl")
    assert (found.errors, found.answers, found.prompts) == (1, 2, 3)
    assert found.said == "interactive answer"


@pytest.mark.shared
def test_a_subagent_s_file_has_tokens_but_no_context_and_no_prompt():
    found, _ = counted("transcript-subagent.jsonl")
    assert found.tokens == Tokens(2000, 100)
    assert (found.context, found.prompts, found.curve) == (0, 0, ())


@pytest.mark.shared
def test_every_kind_of_line_that_was_ever_seen_is_known():
    with open(
        shared("clients", "fixtures", "claude", "transcript-line-types.json"), encoding="utf-8"
    ) as file:
        kinds = json.load(file)
    lines = []
    for kind in kinds:
        first, _, second = kind.partition("/")
        more = {"attachment": {"type": second}} if first == "attachment" else {"subtype": second}
        lines.append({"type": first, "message": {"content": []}, **more})
    assert len(kinds) == 42
    assert stats_of(*lines).unknown == {}


# --- one rule each ----------------------------------------------------------------------------


@pytest.mark.req("D.stat.tokens")
def test_an_answer_of_several_lines_counts_once_and_its_last_line_wins():
    found = stats_of(
        answer("a", text("one"), used=usage(10, 1, 100, 20)),
        answer("a", text("two"), used=usage(10, 7, 100, 20)),
        answer("b", text("three"), used=usage(1, 1)),
        answer("a", text("late"), used=usage(10, 9, 100, 20)),
    )
    assert found.tokens == Tokens(11, 10, 100, 20)
    assert (found.answers, found.models) == (2, {"opus": 2})


def test_the_same_message_of_two_requests_is_two_answers():
    one, other = answer("a"), answer("a")
    other["requestId"] = "another"
    assert stats_of(one, other).answers == 2


@pytest.mark.req("X.context.measure")
def test_neither_a_side_chain_nor_an_error_is_the_context():
    found = stats_of(
        answer("a", used=usage(10, 5, 1000, 200)),
        answer("b", used=usage(90000), isSidechain=True),
        answer("c", used=usage(0), isApiErrorMessage=True),
    )
    assert (found.context, found.peak, found.errors) == (1210, 1210, 1)
    assert found.tokens.input == 90010


@pytest.mark.req("X.context.measure")
def test_a_compaction_without_an_answer_after_it_already_tells_the_new_size():
    told = {"trigger": "manual", "preTokens": 900, "postTokens": 70}
    boundary = line("system", subtype="compact_boundary", compactMetadata=told)
    assert stats_of(answer("a", used=usage(900)), boundary).context == 70


@pytest.mark.req("D.stat.files")
def test_a_file_counts_once_and_only_if_the_edit_went_well():
    found = stats_of(
        answer("a", call("1", "Write", file_path="/repo/a.py", content="x")),
        result("1"),
        answer("b", call("2", "Edit", file_path="/repo/a.py")),
        result("2", error=False),
        answer("c", call("3", "MultiEdit", file_path="/repo/bad.py")),
        result("3", error=True),
        answer("d", call("4", "NotebookEdit", notebook_path="/repo/n.ipynb")),
        result("4"),
        answer("e", call("5", "Read", file_path="/repo/read.py")),
        result("5"),
        answer("f", call("6", "Write", file_path="/repo/never-answered.py")),
    )
    assert found.files == ("/repo/a.py", "/repo/n.ipynb")


@pytest.mark.req("D.stat.done")
def test_tasks_are_those_of_the_last_list():
    def todo(*states: str) -> dict[str, Any]:
        tasks = [{"content": f"step {at}", "status": state} for at, state in enumerate(states)]
        return answer("-".join(states), call("-".join(states), "TodoWrite", todos=tasks))

    found = stats_of(
        todo("completed", "pending"),
        todo("completed", "in_progress"),
        todo("completed", "completed", "pending"),
    )
    assert found.tasks[0] == Task("step 0", "completed")
    assert (found.done, len(found.tasks)) == (2, 3)


def test_tasks_that_are_made_and_changed_one_by_one_end_in_their_last_state():
    found = stats_of(
        answer("a", call("1", "TaskCreate", subject="one", description="d")),
        answer("b", call("2", "TaskCreate", subject="two")),
        answer("c", call("3", "TaskUpdate", taskId="1", status="completed")),
        answer("d", call("4", "TaskUpdate", taskId="2", status="deleted")),
        answer("e", call("5", "TaskUpdate", taskId="9", status="completed")),
    )
    assert found.tasks == (Task("one", "completed"),)


@pytest.mark.req("D.stat.failed")
def test_each_error_result_counts_and_a_repaired_one_is_no_longer_told():
    found = stats_of(
        *ran("1", "make test", error=True),
        *ran("2", "make lint", error=True),
        *ran("3", "make test", error=True),
        *ran("4", "make test"),
    )
    assert (found.failed, found.commands) == (3, 4)
    assert [each.text for each in found.failures] == ["make lint"]
    assert isinstance(found.failures[0], Failure)
    assert found.failures[0].at == found.first


@pytest.mark.req("D.stat.commits")
@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git commit -m x", 1),
        ("git commit --dry-run", 0),
        ("git commit -m one && git add . && git commit -m two", 2),
        ("git -C sub -c user.name=x commit -am 'a; git commit'", 1),
        ("echo 'git commit'", 0),
        ("# git commit", 0),
        ("GIT_EDITOR=true git commit --amend || exit 1", 1),
        ("git commit-tree abc", 0),
        ("git log --grep commit", 0),
        ('git add -A && git commit -m "$(cat <<\'EOF\'\nsay "why"\ngit commit\nEOF\n)"', 1),
        ("cat <<EOF > notes\ngit commit\nEOF\ngit commit -q -m x", 1),
        ("if git commit -q; then echo done; fi", 1),
        ("/usr/bin/git commit", 1),
        ("git\tcommit", 1),
        ("git commit -m 'unclosed", 1),
    ],
)
def test_commits_in_a_shell_command(command, expected):
    assert commits_in(command) == expected
    assert stats_of(*ran("1", command)).commits == expected
    assert stats_of(*ran("1", command, error=True)).commits == 0


@pytest.mark.req("D.stat.tools", "D.stat.subagents")
def test_tools_count_by_name_and_both_names_of_a_subagent_count():
    found = stats_of(
        answer("a", call("1", "Bash", command="ls"), call("2", "Bash", command="ls")),
        answer("b", call("3", "Read", file_path="x")),
        answer("c", call("4", "Task", prompt="p")),
        answer("d", call("5", "Agent", prompt="p")),
    )
    assert found.tools == {"Bash": 2, "Read": 1, "Task": 1, "Agent": 1}
    assert found.subagents == 2


@pytest.mark.req("D.stat.shape")
def test_usage_content_and_role_count_at_the_top_as_they_do_below_message():
    below = answer("a", text("hi"), call("1", "Bash", command="ls"), used=usage(5, 6, 7, 8))
    top = {
        "role": "assistant",
        "timestamp": below["timestamp"],
        "requestId": below["requestId"],
        **{name: below["message"][name] for name in ("id", "model", "content", "usage")},
    }
    asked = {"role": "user", "content": "what?", "timestamp": below["timestamp"]}
    nested = {**prompt("what?"), "sessionId": "", "cwd": "", "gitBranch": "", "version": ""}
    one, other = stats_of(asked, top), stats_of(nested, below)
    assert one == other
    assert one.tokens == Tokens(5, 6, 7, 8)
    assert (one.prompts, one.commands, one.said) == (1, 1, "hi")


@pytest.mark.req("D.stat.broken")
def test_blank_and_malformed_lines_are_skipped_and_counted():
    found = stats_of(answer("a"), b"", b'{"type":"assist', b"[1]", b"\xff\xfe", answer("b"))
    assert (found.skipped, found.answers, found.lines) == (4, 2, 6)


@pytest.mark.parametrize(
    "words",
    [
        "<local-command-stdout>ok</local-command-stdout>",
        "<bash-input>ls</bash-input>",
        "<system-reminder>x</system-reminder>",
        "[Request interrupted by user for tool use]",
        "<leftoff id=1>brief</leftoff>",
        " \n",
    ],
)
def test_what_the_client_or_leftoff_wrote_is_no_prompt(words):
    assert stats_of(prompt(words)).prompts == 0
    assert stats_of(prompt([text(words)])).prompts == 0


def test_marks_of_a_line_keep_it_from_being_a_prompt():
    found = stats_of(
        prompt("meta", isMeta=True),
        prompt("summary", isCompactSummary=True),
        prompt("side", isSidechain=True),
        prompt("a task ended", origin={"kind": "task-notification"}),
        prompt("a person", origin={"kind": "human"}),
    )
    assert (found.prompts, found.asked) == (1, "a person")


def test_our_own_echo_is_cut_out_of_a_prompt_and_of_an_answer():
    found = stats_of(
        prompt("before <leftoff id=7>secret brief</leftoff>after"),
        answer("a", text("<leftoff id=7>x</leftoff>")),
        answer("b", text("said")),
    )
    assert (found.prompts, found.asked, found.said) == (1, "before after", "said")


def test_a_local_command_is_no_prompt_but_a_command_of_the_user_s_own_is():
    caveat = "<local-command-caveat>The command below was run directly</local-command-caveat>"
    name = "<command-name>{0}</command-name><command-message>m</command-message>"
    found = stats_of(
        prompt(caveat, isMeta=True, promptId="p1"),
        prompt(name.format("/compact"), promptId="p1"),
        prompt(name.format("/review") + "<command-args>all</command-args>", promptId="p2"),
    )
    assert (found.prompts, found.asked) == (1, "/review all")


def test_interrupted_turns_count():
    assert stats_of(prompt([text("[Request interrupted by user]")])).interrupted == 1


def test_a_prompt_that_waited_in_the_queue_counts():
    queued = {"type": "queued_command", "prompt": "and then?", "commandMode": "prompt"}
    assert stats_of(line("attachment", attachment=queued)).last_asked == "and then?"


def test_hooks_of_the_turn_s_end_count_by_its_summary_alone():
    def hook(event: str) -> dict[str, Any]:
        told = {"type": "hook_success", "hookEvent": event, "durationMs": 40}
        return line("attachment", attachment=told)

    infos = [{"command": "x", "durationMs": 60}, {"command": "y"}]
    ended = line("system", subtype="stop_hook_summary", hookInfos=infos)
    assert tuple(stats_of(hook("SessionStart"), hook("Stop"), ended).hooks) == (2, 100, 60)


def test_a_title_that_a_person_chose_stays():
    found = stats_of(
        {"type": "custom-title", "customTitle": "mine", "sessionId": ME},
        {"type": "ai-title", "aiTitle": "a model's"},
        {"type": "summary", "summary": "old"},
    )
    assert found.title == "mine"


def test_lines_of_unknown_kinds_are_counted_and_harmless():
    found = stats_of({"type": "next-year"}, line("system", subtype="odd"), {}, answer("a"))
    assert found.unknown == {"next-year": 1, "system/odd": 1, "(none)": 1}
    assert (found.answers, found.skipped) == (1, 0)


def test_values_of_other_types_than_expected_are_no_values():
    odd = answer("a", call("1", "Bash", command=["ls"]), used=usage(5))
    odd |= {"timestamp": 7, "gitBranch": None, "isSidechain": "no"}
    odd["message"]["usage"]["output_tokens"] = None
    found = stats_of(odd, {"type": "user", "message": "text"}, {"type": "user", "message": [1]})
    assert (found.tokens, found.commands, found.prompts) == (Tokens(5), 1, 0)


def test_a_sum_of_money_that_no_number_holds_counts_nothing():
    huge = 10**400
    found = stats_of(answer("a", costUSD=huge), line("cost-state", totalCostUSD=huge), answer("b"))
    assert (found.cost, found.answers) == (0.0, 2)


def test_the_curve_stays_small_and_ends_with_the_last_answer():
    found = stats_of(*(answer(f"m{at}", used=usage(at + 1)) for at in range(5000)))
    assert 64 <= len(found.curve) <= 256
    kept = [tokens for _, tokens in found.curve]
    assert len({after - before for before, after in pairwise(kept[:-1])}) == 1
    assert kept[0] == 1
    assert found.curve[-1][1] == found.context == 5000


def test_texts_are_cut_and_can_be_written_anywhere():
    found = stats_of(prompt("x" * 9999), prompt("half \ud83d of a pair"))
    assert len(found.asked) == 400
    assert found.last_asked.encode()
