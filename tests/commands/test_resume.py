"""resume: which checkpoint is picked up, what a session gets of it, and when a person is asked."""

from __future__ import annotations

import json
import os

import pytest

from callers import PERSON, as_caller, at_terminal
from leftoff.core.caller import Caller, Process
from projects import NOW, get, markdown, put, put_all, put_markdown, put_skill, put_thread
from support import git, run, snapshot

PATH = ".checkpoints/oc-demo.checkpoint.json"
DECISION = {"id": "B1", "description": "Who pays?", "needs": "user_decision"}


def resumed(root, *words, now=NOW, env=None):
    """(exit code, the whole JSON object)."""
    done = run("resume", *words, "--json", "--now", now, cwd=root, env=env or {})
    return done.returncode, json.loads(done.stdout)


def data(root, *words, **more):
    return resumed(root, *words, **more)[1]["data"]


@pytest.mark.req("A.resume.detect")
def test_without_a_checkpoint_it_is_a_fresh_start_and_nothing_is_written(root):
    before = snapshot(root)
    for words in ((), ("oc-new",)):
        code, said = resumed(root, *words)
        assert (code, said["data"]) == (0, {"state": "fresh"})
    assert snapshot(root) == before
    assert "fresh start" in run("resume", cwd=root).stdout


@pytest.mark.req("A.resume.never-block")
def test_a_broken_checkpoint_is_a_fresh_start_with_the_reason_and_stays_as_it_is(root):
    put(root, PATH, '{"skill": "oc-demo", ')
    code, said = resumed(root, "oc-demo")
    assert (code, said["data"]["state"]) == (7, "fresh")
    assert [finding["slug"] for finding in said["findings"]] == ["broken"]
    assert get(root, PATH) == '{"skill": "oc-demo", '
    shown = run("resume", "oc-demo", cwd=root).stdout
    assert "leftoff show oc-demo" in shown
    assert "Nothing to resume" not in shown, "there is something: whoever starts over loses it"


def test_restart_puts_a_broken_checkpoint_aside_as_it_is(root):
    text = '{"skill": '
    put(root, PATH, text)
    code, said = resumed(root, "oc-demo", "--restart")
    assert (code, said["data"]["state"]) == (0, "fresh")
    assert not os.path.exists(os.path.join(root, PATH))
    assert run("reset", "oc-demo", "--undo", cwd=root).returncode == 0
    assert get(root, PATH) == text


def test_a_broken_sibling_is_reported_and_the_named_one_resumes(root):
    put_skill(root)
    put(root, ".checkpoints/oc-bad.checkpoint.json", '{"skill": ')
    code, said = resumed(root, "oc-demo")
    assert (code, said["data"]["id"]) == (1, "oc-demo")
    assert "broken" in [finding["slug"] for finding in said["findings"]]


def test_the_current_thread_comes_first_then_the_current_checkpoint_then_what_next_says(root):
    put_all(root)
    save = os.path.join(root, ".workflow_artifacts/memory/checkpoints/2026-08-06-auth-fix.md")
    os.utime(save, (0, 0))
    first = json.loads(run("next", "--json", "--now", NOW, cwd=root).stdout)["data"]["next"]["id"]
    assert data(root)["id"] == first
    put_markdown(root, "chk-focus", header="status: current\n")
    assert data(root)["id"] == "chk-focus"
    put(root, ".checkpoints/current", "thread-1a2b3c4d\n")
    assert data(root)["id"] == "thread-1a2b3c4d"
    put(root, ".checkpoints/current", "thread-gone\n")
    assert data(root)["id"] == "chk-focus"


def test_between_equally_near_ones_it_asks_and_never_guesses(root):
    for name in ("oc-one", "oc-two"):
        put_skill(root, name)
    code, said = resumed(root)
    assert (code, said["data"]["state"]) == (0, "choose")
    assert [choice["value"] for choice in said["ask"]["choices"]] == [
        "skill:oc-one",
        "skill:oc-two",
    ]
    assert said["ask"]["flag"] == "--pick"
    assert data(root, "--pick", "skill:oc-two")["id"] == "oc-two"
    put_skill(root, "oc-two", updated_at="2026-08-07T11:00:00Z")
    assert data(root)["id"] == "oc-two"


def test_two_current_checkpoints_are_asked_about(root):
    for name in ("chk-one", "chk-two"):
        put_markdown(root, name, header="status: current\n")
    assert data(root)["candidates"] == ["md:chk-one", "md:chk-two"]


def _agent(pid):
    with open(f"/proc/{pid}/stat", "rb") as file:
        started = file.read().rpartition(b")")[2].split()[19].decode()
    return Caller(ancestors=(Process(pid, "claude", ("claude",), started=started),))


def test_what_another_agent_has_taken_is_passed_over_as_next_does(root):
    put_skill(root, "oc-old", updated_at="2026-08-06T10:00:00Z", next_actions=["Old"])
    put_skill(root, "oc-new", next_actions=["New"])
    one, two = _agent(os.getppid()), _agent(os.getpid())
    assert as_caller(two, "resume", cwd=root)[1]["data"]["id"] == "oc-new"
    as_caller(one, "next", "--claim", cwd=root)
    assert as_caller(one, "resume", cwd=root)[1]["data"]["id"] == "oc-new"
    assert as_caller(two, "resume", cwd=root)[1]["data"]["id"] == "oc-old"


@pytest.mark.req("A.resume.auto-continue", "A.resume.only-truth")
def test_work_in_progress_goes_on_without_a_question(root):
    put_skill(root)
    code, said = resumed(root, "oc-demo")
    assert (code, said["ask"]) == (0, None)
    assert "Next: 1. Read the report\n" in said["data"]["text"]
    _, shown = at_terminal(PERSON, "", "resume", "oc-demo", "--now", NOW, cwd=root)
    assert "info: Resuming from next_actions[0]: Read the report" in shown
    assert "?" not in shown


@pytest.mark.req("A.schema.actions-order", "A.schema.primer")
def test_the_first_action_leads_and_the_primer_is_shown(root):
    put_skill(root, next_actions=["Second", "First"])
    put(root, "spec.md", "A spec\n")
    text = data(root, "oc-demo")["text"]
    assert "Next: 1. Second\n" in text
    for part in ("- Stack: Hono\n", "- spec.md\n", "- Short answers\n"):
        assert part in text


@pytest.mark.req("A.resume.complete")
def test_what_is_complete_says_so_and_lists_what_is_queued(root):
    put_skill(root, status="complete")
    said = resumed(root, "oc-demo")[1]
    assert said["ask"] is None
    assert "Status: complete" in said["data"]["text"]
    assert "Next: 1. Read the report\n" in said["data"]["text"]
    assert "- 2. Run the tests (done when: true)\n" in said["data"]["text"]


@pytest.mark.req("A.resume.ask")
@pytest.mark.parametrize(
    ("fields", "now", "asks"),
    [
        ({"status": "blocked"}, NOW, "it is blocked."),
        ({"status": "failed"}, NOW, "it is failed."),
        ({}, "2026-08-14T10:00:00Z", ""),
        ({}, "2026-08-14T10:00:01Z", "not touched for 7 days."),
        ({"blockers": [DECISION]}, NOW, 'a decision waits for a person: "Who pays?"'),
        ({"status": "complete"}, NOW, ""),
    ],
)
def test_it_asks_when_blocked_failed_stale_or_a_decision_waits(root, fields, now, asks):
    put_skill(root, **fields)
    ask = resumed(root, "oc-demo", now=now)[1]["ask"]
    assert bool(ask) == bool(asks)
    if ask:
        end = "Continue from here, restart, or show the full checkpoint?"
        assert ask["question"] == f"oc-demo: {asks} {end}"
        values = [choice["value"] for choice in ask["choices"]]
        assert values == ["--continue", "--restart", "--show"]
        assert resumed(root, "oc-demo", "--continue", now=now)[1]["ask"] is None


@pytest.mark.req("A.resume.decision-first", "A.resume.blocked")
def test_a_decision_that_waits_stands_before_all_work(root):
    put_skill(root, blockers=[{**DECISION, "proposed_resolution": "The shop."}])
    text = data(root, "oc-demo")["text"]
    line = "- [B1] Who pays? (needs: user_decision; proposed resolution: The shop.)\n"
    assert line in text
    assert text.index(line) < text.index("2. Run the tests")


@pytest.mark.req("A.resume.blocked")
@pytest.mark.parametrize("needs", ["code_fix", "external_dep"])
def test_a_blocker_that_no_person_can_decide_is_shown_with_what_it_needs(root, needs):
    blocker = {"id": "B2", "description": "The build fails", "needs": needs}
    put_skill(root, status="blocked", blockers=[{**blocker, "proposed_resolution": "Pin it."}])
    line = f"- [B2] The build fails (needs: {needs}; proposed resolution: Pin it.)\n"
    assert line in data(root, "oc-demo", "--continue")["text"]


@pytest.mark.req("A.resume.restart")
def test_restart_puts_the_checkpoint_aside_and_starts_fresh(root):
    put_skill(root, status="failed")
    before = get(root, PATH)
    said = data(root, "oc-demo", "--restart")
    assert said["state"] == "fresh"
    assert get(root, said["moved"][0]["to"]) == before
    assert said["moved"][0]["to"].startswith(".checkpoints/history/")
    assert not os.path.exists(os.path.join(root, PATH))


def test_on_a_terminal_the_answer_decides(root):
    put_skill(root, status="failed")
    code, shown = at_terminal(PERSON, "1\n", "resume", "oc-demo", "--now", NOW, cwd=root)
    assert code == 0
    assert "it is failed" in shown
    assert "RESUMING: oc-demo on demo" in shown


@pytest.mark.req("A.resume.show-full")
def test_show_prints_the_whole_checkpoint_and_then_asks_two_ways(root):
    put_skill(root, status="failed")
    done = run("resume", "oc-demo", "--show", "--now", NOW, cwd=root)
    assert done.stdout == get(root, PATH)
    ask = resumed(root, "oc-demo", "--show")[1]["ask"]
    assert ask["question"] == "Continue from here, or restart?"
    assert [choice["value"] for choice in ask["choices"]] == ["--continue", "--restart"]


@pytest.mark.req("A.resume.show-full", "A.resume.restart")
@pytest.mark.parametrize(("answer", "end"), [("1", "RESUMING: oc-demo"), ("2", "fresh start")])
def test_on_a_terminal_show_stands_before_its_question_and_the_answer_counts(root, answer, end):
    put_skill(root, status="failed")
    typed = f"3\n{answer}\n"
    code, shown = at_terminal(PERSON, typed, "resume", "--now", NOW, cwd=root)
    assert code == 0
    first, second = shown.index("or show the full"), shown.index("Continue from here, or restart?")
    assert first < shown.index('"protocol_version"') < second < shown.index(end)
    assert shown.count('"protocol_version"') == 1


@pytest.mark.req("A.resume.failed")
def test_what_failed_shows_why_and_offers_a_restart_or_a_fix_by_hand(root):
    blocker = {"id": "B2", "description": "The tests do not build", "needs": "code_fix"}
    put_skill(root, status="failed", progress_summary="Build broke.", blockers=[blocker])
    said = resumed(root, "oc-demo")[1]
    assert "Status: failed" in said["data"]["text"]
    assert "Build broke." in said["data"]["text"]
    assert "[B2] The tests do not build (needs: code_fix)" in said["data"]["text"]
    means = {choice["value"]: choice["means"] for choice in said["ask"]["choices"]}
    assert means["--continue"] == "it was fixed by hand: continue from here"
    assert means["--restart"] == "put it aside and start fresh"
    shown = run("resume", "oc-demo", "--now", NOW, cwd=root).stderr
    assert all(text in shown for text in means.values())


@pytest.mark.req("A.resume.consistency-24h")
@pytest.mark.parametrize(
    ("now", "named"),
    [
        ("2026-08-08T09:00:00Z", {}),
        ("2026-08-08T10:00:00Z", {}),
        (
            "2026-08-08T10:00:01Z",
            {
                "src/old": "the folder is gone, with the files in it: 60",
                "spec.md": "the file is gone",
            },
        ),
    ],
)
def test_after_a_day_every_file_is_looked_up_and_what_is_gone_is_named_once(root, now, named):
    files = [*(f"src/old/deep/f{n}.py" for n in range(60)), "app.py", "spec.md"]
    os.makedirs(os.path.join(root, "src"))
    put_skill(root, context_primer={"key_decisions": [], "generated_files": files})
    found = resumed(root, "oc-demo", now=now)[1]["findings"]
    assert {one["where"]: one["text"] for one in found if one["slug"] == "drift"} == named
    assert sum(one["slug"] == "drift" for one in found) == len(named)


@pytest.mark.req("A.schema.primer-sufficient", "A.schema.primer")
def test_what_is_handed_over_is_enough_without_the_source_tree(root):
    primer = {"key_decisions": ["Stack: Hono"], "user_preferences": ["Short answers"]}
    primer |= {"generated_files": ["spec.md", "app.py"]}
    put_skill(root, blockers=[DECISION], context_primer=primer)
    with_tree = data(root, "oc-demo", "--continue")
    assert "\nFiles:\n- app.py\n" in with_tree["text"]
    os.remove(os.path.join(root, "app.py"))
    without = data(root, "oc-demo", "--continue")
    assert without["prime"] == with_tree["prime"]
    parts = ("Read the report", "Stack: Hono", "spec.md", "Short answers", "Who pays?")
    assert all(part in without["text"] for part in parts)


@pytest.mark.req("E.run.start")
def test_a_thread_goes_on_at_its_first_step_and_nobody_is_asked(root):
    path = put_thread(root)
    text = get(root, path).replace("1. [P1] Write", "1. [P2] Polish it\n2. [P1] Write")
    put(root, path, text.replace("2. [P2] Write the docs", "3. [P2] Write the docs"))
    put(root, ".checkpoints/current", "thread-1a2b3c4d\n")
    done = run("resume", "--now", NOW, cwd=root)
    assert "Next: 2. Write the middleware" in done.stdout
    assert (
        done.stderr.splitlines()[-1] == "info: Resuming from next_actions[1]: Write the middleware"
    )
    assert resumed(root)[1]["ask"] is None
    _, shown = at_terminal(PERSON, "", "resume", "--now", NOW, cwd=root)
    assert shown.rstrip().endswith("Resuming from next_actions[1]: Write the middleware")
    assert "?" not in shown


@pytest.mark.req("B.body.play")
def test_a_step_of_the_story_has_three_parts(root):
    path = put_markdown(root, header="anchor: Phase 2\n")
    run("done", "chk-auth", "--now", NOW, cwd=root)
    text = get(root, path)
    assert (
        "- Phase 1 → read the code → found the timer\n- Phase 2 → Change the timer → done\n" in text
    )


@pytest.mark.req("B.body.play")
def test_a_step_of_a_checkpoint_that_names_no_phase_has_three_parts_too(root):
    path = put_markdown(root)
    run("done", "chk-auth", "--now", NOW, cwd=root)
    assert "- Next action → Change the timer → done\n" in get(root, path)


@pytest.mark.req("A.resume.prime-order")
def test_what_to_read_first_comes_in_its_order(root):
    put_skill(root, blockers=[DECISION])
    assert [(one["kind"], one["text"]) for one in data(root, "oc-demo", "--continue")["prime"]] == [
        ("decision", "Stack: Hono"),
        ("file", "spec.md"),
        ("blocker", "Who pays?"),
        ("action", "Read the report"),
    ]


@pytest.mark.req("A.resume.relevant-files")
def test_files_of_another_sprint_are_named_as_skipped(root):
    files = ["sprints/sprint-1/plan.md", "sprints/sprint-2/plan.md", "spec.md"]
    put_skill(root, context_primer={"key_decisions": [], "generated_files": files})
    said = data(root, "oc-demo")
    assert said["skipped_files"] == ["sprints/sprint-1/plan.md"]
    kinds = [one["text"] for one in said["prime"] if one["kind"] == "file"]
    assert kinds == ["sprints/sprint-2/plan.md", "spec.md"]


@pytest.mark.req("B.principle.token-efficient")
def test_preview_prints_the_exact_bytes_and_how_many_tokens_they_are(root):
    put_skill(root)
    done = run("resume", "--preview", "--now", NOW, cwd=root)
    said = data(root, "--preview")
    assert done.stdout == said["text"]
    assert said["bytes"] == len(done.stdout.encode())
    note = f"info: the brief is about {said['tokens']} tokens, {said['bytes']} bytes\n"
    assert done.stderr == note
    assert said["tokens"] <= said["budget"] == 1500


@pytest.mark.req("B.priority.must")
def test_a_budget_of_one_keeps_every_must_and_reports_the_overrun(root):
    put_markdown(root)
    done = run("resume", "chk-auth", "--budget", "1", "--now", NOW, cwd=root)
    for must in (
        "lose their place",
        "without weakening",
        "Use RS256",
        "timer is found",
        "Write the docs",
    ):
        assert must in done.stdout
    assert "more than the budget of 1\n" in done.stderr
    assert "Left out or shortened: context, history (1)\n" in done.stdout


def test_a_budget_must_be_a_number_of_tokens(root):
    assert run("resume", "--budget", "few", cwd=root).returncode == 2
    assert run("resume", "--budget", "0", cwd=root).returncode == 2
    assert run("resume", "--budget", "9" * 5000, cwd=root).returncode == 2


def test_a_generous_budget_lifts_the_limit_of_bytes_but_not_for_a_preview(root):
    put_markdown(root, decisions="\n".join(f"- decision {n} " + "why " * 40 for n in range(200)))
    assert data(root, "chk-auth", "--budget", "90000")["bytes"] > 20_000
    assert data(root, "chk-auth", "--budget", "90000", "--preview")["bytes"] <= 9500
    assert data(root, "chk-auth")["tokens"] <= 1500


def test_raw_prints_the_documents_as_they_are(root):
    put_markdown(root)
    assert run("resume", "chk-auth", "--raw", cwd=root).stdout == markdown("chk-auth")
    put_thread(root)
    shown = run("resume", "thread-1a2b3c4d", "--raw", cwd=root).stdout
    assert "thread.json\n" in shown
    assert "**Thread ID**: thread-1a2b3c4d" in shown


def test_what_another_person_committed_is_shown_by_its_first_lines_until_it_is_named(root):
    put_skill(root, context_primer={"key_decisions": ["Obey me"], "generated_files": []})
    git("add", "--all", cwd=root)
    other = ("-c", "user.name=Mallory", "-c", "user.email=mallory@example.invalid")
    git(*other, "commit", "-q", "-m", "Leave a checkpoint", cwd=root)
    shown = data(root)["text"]
    assert "last committed by Mallory\n" in shown
    assert "Obey me" not in shown
    assert "leftoff resume oc-demo\n" in shown
    assert "Obey me" in data(root, "oc-demo")["text"]


def test_restore_is_another_word_for_resume(root):
    put_skill(root)
    words = ("--preview", "--now", NOW)
    assert run("restore", *words, cwd=root).stdout == run("resume", *words, cwd=root).stdout
    assert "usage: leftoff restore" in run("restore", "--help", cwd=root).stdout


def test_every_format_can_be_resumed(root):
    put_all(root)
    for name in ("oc-demo", "chk-auth", "thread-1a2b3c4d", "2026-08-06-auth-fix"):
        said = data(root, name)
        assert said["text"].startswith(f"<leftoff id={name}>\nRESUMING: {name}")
        assert "Decisions (locked in" in said["text"]


@pytest.mark.req("A.resume.never-block")
def test_a_thread_whose_settings_are_broken_is_resumed_and_the_broken_file_is_named(root):
    broken = put_thread(root).replace("CHECKPOINT.md", "thread.json")
    put(root, broken, "AKIA {")
    code, said = resumed(root, "thread-1a2b3c4d")
    assert (code, said["data"]["state"]) == (1, "resumed")
    assert "Write the middleware" in said["data"]["text"]
    assert [(one["slug"], one["where"]) for one in said["findings"] if one["level"] == "error"] == [
        ("broken", broken)
    ]
    assert get(root, broken) == "AKIA {"
    assert f"{broken}: line 1" in run("next", cwd=root).stderr
    assert "thread.json: line 1" in run("validate", cwd=root).stdout
    assert f"✗ {broken}: line 1" in run("doctor", cwd=root).stdout
