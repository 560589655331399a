"""save --as task: what a save takes from the tree of seed C, writes there, and leaves alone."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest

from leftoff.commands import plainly
from leftoff.commands._save_task import view_task
from leftoff.core.blocks import Raw
from leftoff.entry.cli import main
from leftoff.formats import task as task_md
from projects import NOW, get, put, put_all
from support import git, leftoff, run, shared, snapshot

MEMORY = ".workflow_artifacts/memory"
SAVES = f"{MEMORY}/checkpoints"
PATH = f"{SAVES}/2026-08-08-auth-fix.md"
NOTES = f"{MEMORY}/sessions/2026-08-05-auth-fix.md"
LEDGER = ".workflow_artifacts/auth-fix/cost-ledger.md"
SID, OWN = "0f8fad5b-d9cb-469f-a165-70867728950e", "5f0c2d1e-0000-4000-8000-000000000001"
SESSION = {"LEFTOFF_SESSION": f"claude-code/{OWN}"}
HEADINGS = [
    *("Status", "Current stage", "Active task", "Branch", "Last user intent"),
    *("In-flight artifacts", "Open questions", "Decisions made", "Unfinished work"),
    "Restore hint",
]
STATE = f"""# Session

## Status
in_progress

## Current stage
implement stage 3; T-10 next

## Unfinished work
1. T-10: write the test
   - in two files
2. T-11: chain it

Then the gate.

## Decisions made
1. **RS256.** Keys rotate.

## Cost
- Session UUID: {SID}
- Phase: implement
- Recorded in cost ledger: yes
"""


def save(root: str, *argv: str, code: int = 0, env: Mapping[str, str] = {}, now: str = NOW):
    """The data of a save, and what it found, by slug."""
    done = run("save", "--as", "task", *argv, "--json", "--now", now, cwd=root, env=env)
    assert done.returncode == code, done.stderr
    whole = json.loads(done.stdout)
    found: dict[str, list[dict[str, str]]] = {}
    for one in whole["findings"]:
        found.setdefault(one["slug"], []).append(one)
    return whole["data"], found


def touched(root: str, path: str, text: str, at: int) -> None:
    full = put(root, path, text)
    os.utime(full, (at, at))


def section(text: str, title: str) -> str:
    """What stands below a heading."""
    return text.partition(f"## {title}\n")[2].partition("\n\n## ")[0].strip("\n")


def headings(text: str) -> list[str]:
    return [line[3:] for line in text.split("\n") if line.startswith("## ")]


# Sources


@pytest.mark.req("C.save.best-effort", "C.save.sections", "C.save.plain", "C.save.artifacts")
@pytest.mark.req("C.save.branch", "C.save.carried", "C.scope.default-target")
def test_an_empty_folder_gets_a_save_of_placeholders(tmp_path):
    place = str(tmp_path / "empty")
    os.mkdir(place)
    data, found = save(place)
    text = get(place, data["saved"])
    assert headings(text) == HEADINGS
    assert section(text, "Status") == "checkpoint save (voluntary)"
    assert section(text, "Branch") == "unknown"
    assert section(text, "Active task") == "empty"
    assert section(text, "In-flight artifacts").split("\n") == [
        "- current-plan.md: (none found)",
        "- architecture.md: (none found)",
        "- latest critic-response: (none found)",
        "- latest review: (none found)",
        "- session-state: (none found)",
    ]
    for title in ("Current stage", "Last user intent", *HEADINGS[6:9]):
        assert section(text, title) == "(none)"
    assert "For human" not in text
    assert list(found) == ["no-record"]
    files = [os.path.relpath(path, place) for path in snapshot(place)]
    assert sorted(files) == [
        ".workflow_artifacts/empty/cost-ledger.md",
        f"{SAVES}/2026-08-08-empty.md",
    ]


@pytest.mark.req("C.save.session-file", "C.save.task-name")
def test_the_newest_notes_count_not_the_last_name_and_no_pidfile(root):
    touched(root, f"{MEMORY}/sessions/zzz-last.md", STATE, 1000)
    touched(root, f"{MEMORY}/sessions/2026-05-05-auth-fix.md", STATE, 3000)
    touched(root, f"{MEMORY}/sessions/2026-09-09-other.md", STATE, 2000)
    touched(root, f"{MEMORY}/sessions/plan-7.pidfile.lock", "skill=plan\npid=7\n", 9000)
    data, _ = save(root)
    assert (data["task"], data["saved"]) == ("auth-fix", PATH)
    touched(root, f"{MEMORY}/sessions/{SID}.md", STATE, 4000)
    data, _ = save(root)
    assert data["task"] == SID


@pytest.mark.req("C.save.phase", "C.save.carried", "C.save.intent", "C.save.hint", "C.save.branch")
def test_notes_give_phase_blocks_and_intent_word_for_word(root):
    git("switch", "--quiet", "--create", "feature/auth", cwd=root)
    put(root, NOTES, STATE)
    save(root)
    text = get(root, PATH)
    assert headings(text) == HEADINGS
    assert section(text, "Current stage") == "implement"
    assert section(text, "Branch") == "feature/auth"
    for title in ("Unfinished work", "Decisions made"):
        assert section(text, title) == section(STATE, title)
    assert section(text, "Open questions") == "(none)"
    assert section(text, "Last user intent") == "T-10: write the test"
    assert "--restore" in section(text, "Restore hint")
    assert section(text, "Restore hint").endswith("task 'auth-fix' from branch 'feature/auth'.")
    assert f"- session-state: {NOTES}" in text


@pytest.mark.req("C.save.phase")
def test_a_fenced_cost_block_tells_the_phase_too(root):
    fenced = f"## Cost\n```yaml\nSession UUID: {SID}\nPhase: review\n```\n"
    put(root, NOTES, STATE.partition("## Cost")[0] + fenced)
    data, _ = save(root)
    assert data["stage"] == "review"
    assert data["record"].endswith(f"pending-restore-{SID}.txt")


@pytest.mark.req("C.save.intent")
def test_the_users_words_go_before_what_is_unfinished(root):
    put(root, NOTES, STATE)
    save(root, "Before the\nlong refactoring")
    assert section(get(root, PATH), "Last user intent") == "Before the long refactoring"


@pytest.mark.req("C.save.best-effort")
@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe## Cost\n", b"<<<<<<< ours\n## Cost\n- Phase: x\n"]
)
def test_notes_that_cannot_be_read_still_name_the_task(root, content):
    path = put(root, NOTES, "")
    with open(path, "wb") as file:
        file.write(content)
    data, found = save(root)
    assert (data["task"], data["saved"]) == ("auth-fix", PATH)
    assert section(get(root, PATH), "Unfinished work") == "(none)"
    assert ("notes" in found) == content.startswith(b"<<<<<<<")


@pytest.mark.req("C.save.branch")
def test_a_head_on_no_branch_is_unknown_and_no_branch_that_is_gone(root):
    git("checkout", "--quiet", "--detach", cwd=root)
    save(root, "--name", "auth-fix")
    assert section(get(root, PATH), "Branch") == "unknown"
    assert task_md.read(get(root, PATH), PATH).branch == ""


@pytest.mark.req("C.save.artifacts", "C.save.highest-n", "C.save.paths-only")
def test_files_in_flight_are_named_in_order_and_never_opened(root):
    put(root, NOTES, STATE)
    folder = ".workflow_artifacts/auth-fix"
    for name in ("current-plan.md", "architecture.md", "critic-response-2.md", "review-9.md"):
        put(root, f"{folder}/{name}", "CONTENT of a plan")
    put(root, f"{folder}/stage-2/critic-response-11.md", "CONTENT")
    # nobody can read a pipe without waiting for ever: whoever opens one hangs
    os.mkfifo(os.path.join(root, folder, "review-10.md"))
    put(root, f"{MEMORY}/trash/2026-08-01/current-plan.md", "CONTENT")
    data, _ = save(root)
    assert section(get(root, PATH), "In-flight artifacts").split("\n") == [
        f"- current-plan.md: {folder}/current-plan.md",
        f"- architecture.md: {folder}/architecture.md",
        f"- latest critic-response: {folder}/stage-2/critic-response-11.md",
        f"- latest review: {folder}/review-10.md",
        f"- session-state: {NOTES}",
    ]
    assert len(data["in_flight"]) == 5
    assert "CONTENT" not in get(root, PATH)


def test_a_secret_in_the_notes_is_not_carried_on(root):
    token = "ghp_" + "a1B2" * 9
    put(root, NOTES, STATE.replace("Then the gate.", f"Use {token} for it."))
    save(root)
    assert token not in get(root, PATH)
    _, found = save(root, f"with {token}")
    assert "secret" in found


# Words that are given


def test_given_words_add_to_the_notes_or_take_their_place(root):
    put(root, NOTES, STATE)
    words = ("--decision", "Cents", "--question", "Who pays?", "--blocker", "No key", "--file", "a")
    save(root, *words, "--next", "T-12: mail it", "--stage", "gate")
    text = get(root, PATH)
    assert section(text, "Decisions made") == "1. **RS256.** Keys rotate.\n2. Cents"
    assert section(text, "Open questions") == "- Who pays?\n- No key"
    assert section(text, "Current stage") == "gate"
    assert "T-12: mail it" in section(text, "Unfinished work")
    assert "T-10" not in section(text, "Unfinished work")
    assert section(text, "In-flight artifacts").endswith("\n- a")
    assert headings(text) == HEADINGS


def test_words_that_the_format_has_no_place_for_are_named(root):
    words = ("--intent", "More", "--rule", "Never push", "--problem", "No login")
    data, found = save(root, "A note", *words, env=SESSION)
    assert [one["text"].split()[0] for one in found["not-held"]] == ["note", "problem"]
    assert section(get(root, data["saved"]), "User Rules") == "- Never push"


# Where it goes


@pytest.mark.req("C.save.location")
def test_the_day_is_the_clocks_and_two_tasks_are_two_files(root):
    save(root, "--name", "auth-fix")
    save(root, "--name", "ui")
    save(root, "--name", "ui", now="2026-08-09T00:00:01Z")
    names = ["2026-08-08-auth-fix.md", "2026-08-08-ui.md", "2026-08-09-ui.md"]
    assert sorted(os.listdir(os.path.join(root, SAVES))) == names


@pytest.mark.req("C.save.mkdir", "C.save.best-effort")
@pytest.mark.parametrize("blocked", [".workflow_artifacts", SAVES, PATH])
def test_where_nothing_can_be_written_the_user_gets_the_text(root, blocked):
    if blocked == PATH:
        os.makedirs(os.path.join(root, PATH))
    else:
        put(root, blocked, "a file where a folder should be")
    before = snapshot(root)
    data, found = save(root, "My place", "--name", "auth-fix", code=1, env=SESSION)
    assert data["saved"] is None
    assert data["record"] is None
    assert headings(data["text"]) == HEADINGS
    assert "My place" in data["text"]
    assert found["not-saved"][0]["level"] == "warning"
    assert snapshot(root) == before


def test_a_tree_that_leads_out_of_the_project_is_not_followed(root, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    os.symlink(outside, os.path.join(root, ".workflow_artifacts"))
    data, _ = save(root, "--name", "auth-fix", code=1, env=SESSION)
    assert "## Status" in data["text"]
    assert not list(outside.iterdir())


@pytest.mark.req("C.scope.not-rollup", "C.scope.default-target")
def test_lessons_dailies_and_what_was_forgotten_stay_as_they_are(root):
    put_all(root)
    put(root, NOTES, STATE)
    names = ("lessons-learned.md", "forgotten/a.md", "daily/2026-08-08.md", "insights.md")
    for name in names:
        put(root, f"{MEMORY}/{name}", "kept")
    before = snapshot(root)
    save(root, env=SESSION)
    after = snapshot(root)
    assert {path: after[path] for path in before} == before
    new = {os.path.relpath(path, root) for path in set(after) - set(before)}
    assert new == {PATH, LEDGER, f"{MEMORY}/pending-restore-{OWN}.txt"}


# A second save


def test_a_save_that_says_nothing_new_does_not_touch_the_file(root):
    put(root, NOTES, STATE)
    save(root)
    before = os.stat(os.path.join(root, PATH))
    data, _ = save(root)
    assert data["changed"] is False
    assert os.stat(os.path.join(root, PATH)).st_ino == before.st_ino


def test_a_second_save_follows_the_notes_and_loses_nothing_that_others_wrote(root):
    put(root, NOTES, STATE)
    save(root, "My words", "--decision", "Cents")
    text = get(root, PATH).replace("2. T-11", "2. Ask Ann first\n3. T-11")
    text = text.replace("## Restore hint", "## From Ann\nMind the gap.\n\n## Restore hint")
    text = text.replace("- latest review: (none found)", "- latest review: (none found)\n- ann.md")
    put(root, PATH, text)
    later = STATE.replace("1. T-10: write the test\n   - in two files\n2. T-11: chain it", "1. T-11: chain it\n2. T-12: ship")  # fmt: skip
    put(root, NOTES, later.replace("Phase: implement", "Phase: review"))
    put(root, ".workflow_artifacts/auth-fix/review-1.md", "")
    save(root)
    text = get(root, PATH)
    assert headings(text) == [*HEADINGS[:9], "From Ann", HEADINGS[9]]
    assert "Mind the gap." in text
    unfinished = section(text, "Unfinished work")
    assert "T-10" not in unfinished
    assert all(one in unfinished for one in ("Ask Ann first", "T-11", "T-12", "Then the gate."))
    assert section(text, "Decisions made") == "1. **RS256.** Keys rotate.\n2. Cents"
    assert section(text, "Current stage") == "review"
    assert section(text, "Last user intent") == "My words"
    files = section(text, "In-flight artifacts").split("\n")
    assert files[3:] == [
        "- latest review: .workflow_artifacts/auth-fix/review-1.md",
        f"- session-state: {NOTES}",
        "- ann.md",
    ]


def test_a_section_that_nobody_touched_becomes_what_the_notes_say_now_word_for_word(root):
    put(root, NOTES, STATE)
    save(root, "--decision", "Cents")
    later = STATE.replace("Then the gate.", "Then *both* gates, and\nthe end.")
    put(root, NOTES, later)
    save(root)
    text = get(root, PATH)
    assert section(text, "Unfinished work") == section(later, "Unfinished work")
    assert "Cents" in section(text, "Decisions made")


def test_a_save_of_another_tool_is_added_to(root):
    theirs = "## Active task\nauth-fix\n\n## Unfinished work\n- theirs\n\n## Odd\nkept\n"
    put(root, PATH, theirs)
    put(root, NOTES, STATE)
    save(root)
    text = get(root, PATH)
    assert all(one in text for one in ("- theirs", "T-10: write the test", "## Odd\nkept"))
    assert "checkpoint save (voluntary)" in text


def test_notes_that_went_away_take_nothing_with_them(root):
    put(root, NOTES, STATE)
    save(root)
    os.remove(os.path.join(root, NOTES))
    before = get(root, PATH)
    save(root, "--name", "auth-fix")
    gone = before.replace(f"- session-state: {NOTES}", "- session-state: (none found)")
    assert get(root, PATH) == gone


def test_a_users_new_words_go_before_what_somebody_wrote_and_that_is_kept_in_the_log(root):
    save(root, "First", "--name", "auth-fix")
    put(root, PATH, get(root, PATH).replace("First", "Ann's words"))
    save(root, "Second", "--name", "auth-fix")
    assert section(get(root, PATH), "Last user intent") == "Second"
    assert "## Conflicts" not in get(root, PATH)
    assert "Ann's words" in get(os.environ["LEFTOFF_STATE"], "merges.jsonl")


def test_words_that_cannot_be_kept_in_the_log_stay_where_they_are(root):
    save(root, "First", "--name", "auth-fix")
    put(root, PATH, get(root, PATH).replace("First", "Ann's words"))
    os.mkdir(os.path.join(os.environ["LEFTOFF_STATE"], "merges.jsonl"))
    save(root, "Second", "--name", "auth-fix", code=1)
    assert section(get(root, PATH), "Last user intent") == "Ann's words"


def test_saves_at_the_same_time_lose_no_word_and_no_row(root):
    put(root, NOTES, STATE)
    several = [str(number) for number in range(4)]
    with ThreadPoolExecutor(4) as pool:
        words = (("save", "--as", "task", "--decision", f"Number {one}") for one in several)
        done = list(pool.map(lambda argv: leftoff(*argv, "--now", NOW, cwd=root), words))
    assert [one.returncode for one in done] == [0] * 4, done
    text = get(root, PATH)
    assert headings(text) == HEADINGS
    assert all(f"Number {one}\n" in text for one in several)
    assert get(root, LEDGER).count("| save | 0\n") == 4


# The marker


def markers(root: str) -> list[str]:
    return [name for name in os.listdir(os.path.join(root, MEMORY, "sessions")) if "pid" in name]


@pytest.mark.req("C.pidfile.acquire", "C.pidfile.release")
def test_a_save_that_waits_for_its_words_has_a_marker_and_none_when_it_is_over(root):
    put(root, NOTES, STATE)
    seen: list[list[str]] = []

    class Waiting(io.StringIO):
        def read(self, *_: object) -> str:
            seen.append(markers(root))
            return '{"note": "From the pipe"}'

    streams = Waiting(), io.StringIO(), io.StringIO()
    argv = ["save", "--as", "task", "-", "--now", NOW]
    assert main(argv, env=dict(os.environ), cwd=root, streams=streams) == 0
    assert seen[0] == [f"checkpoint-{os.getpid()}.pidfile.lock"]
    assert markers(root) == []
    assert "From the pipe" in get(root, PATH)


@pytest.mark.req("C.pidfile.release")
def test_a_save_that_fails_leaves_no_marker(root):
    put(root, NOTES, STATE)
    assert run("save", "--as", "task", "-", cwd=root, stdin="no JSON").returncode == 2
    assert markers(root) == []


@pytest.mark.req("C.pidfile.fail-open")
def test_without_a_marker_one_warning_is_told_and_the_save_is_made(root):
    put(os.environ["LEFTOFF_STATE"], "markers", "a file where the folder should be")
    done = run("save", "--as", "task", "--name", "auth-fix", "--now", NOW, cwd=root, env=SESSION)
    assert done.returncode == 0
    assert done.stderr.count("proceeding without lifecycle protection") == 1
    assert PATH in done.stdout
    assert os.path.isfile(os.path.join(root, PATH))


# Size


@pytest.mark.req("C.save.size-cap")
@pytest.mark.parametrize(("size", "warns"), [(4096, False), (4097, True)])
def test_a_save_of_more_than_four_kilobytes_is_warned_of_and_written(root, size, warns):
    data, _ = save(root, "x", "--name", "auth-fix")
    note = "x" * (size - data["bytes"] + 1)
    data, found = save(root, note, "--name", "auth-fix")
    assert data["bytes"] == size == len(get(root, PATH).encode())
    assert ("too-long" in found) is warns
    for one in found.get("too-long", ()):
        assert PATH in one["text"]
        assert "4097 bytes" in one["text"]
        assert "contents" in one["text"]


# The record


@pytest.mark.req("C.save.sentinel", "C.save.sid-source", "C.save.report")
def test_the_record_is_the_sessions_own_and_names_the_save_on_one_line(root):
    put(root, NOTES, STATE)
    data, found = save(root, env=SESSION)
    assert data["record"] == f"{MEMORY}/pending-restore-{OWN}.txt"
    assert get(root, data["record"]) == f"{PATH}\n"
    assert os.path.isfile(os.path.join(root, PATH))
    assert not os.path.exists(os.path.join(root, f"{MEMORY}/pending-restore-{SID}.txt"))
    assert (data["saved"], data["resume"]) == (PATH, "leftoff resume")
    assert not found


@pytest.mark.req("C.save.report")
def test_the_report_has_three_lines_save_record_and_how_to_go_on(root):
    put(root, NOTES, STATE)
    data, _ = save(root, env=SESSION)
    first, second, third = (block.text for block in view_task(data, plainly))
    assert PATH in first
    assert data["record"] in second
    assert third.endswith("leftoff resume")
    data, _ = save(root, "--name", "ui")
    os.remove(os.path.join(root, NOTES))
    data, _ = save(root, "--name", "ui")
    assert len(list(view_task(data, plainly))) == 3
    assert data["resume"] == "leftoff resume 2026-08-08-ui"


@pytest.mark.req("C.save.mkdir")
def test_where_nothing_was_saved_the_report_is_the_text(root):
    put(root, ".workflow_artifacts", "a file")
    data, _ = save(root, "My place", code=1)
    (block,) = view_task(data, plainly)
    assert block == Raw(data["text"])


@pytest.mark.req("C.save.sid-source")
def test_without_a_session_that_calls_the_notes_say_whose_it_is(root):
    put(root, NOTES, STATE)
    data, _ = save(root)
    assert data["record"] == f"{MEMORY}/pending-restore-{SID}.txt"


@pytest.mark.req("C.save.no-sid")
@pytest.mark.parametrize("uuid", ["", "unknown", "../../x", "a b"])
def test_nobodys_session_leaves_no_record_and_says_so(root, uuid):
    put(root, NOTES, STATE.replace(SID, uuid))
    data, found = save(root)
    assert data["record"] is None
    assert found["no-record"][0]["level"] == "warning"
    assert os.path.isfile(os.path.join(root, PATH))
    assert not [name for name in os.listdir(os.path.join(root, MEMORY)) if "pending" in name]


def test_a_record_that_cannot_be_written_fails_nothing(root):
    os.makedirs(os.path.join(root, f"{MEMORY}/pending-restore-{OWN}.txt"))
    data, found = save(root, "--name", "auth-fix", env=SESSION)
    assert data["saved"] == PATH
    assert data["record"] is None
    assert "no-record" in found


# The ledger


@pytest.mark.req("C.save.ledger", "C.save.ledger-uuid")
def test_the_ledger_gets_the_golden_row_of_the_session_that_calls(root):
    put(root, NOTES, STATE)
    old = "# Cost Ledger — auth-fix\r\n\r\nx | 2026-05-04 | plan | opus | task | a | b | 2\r\nodd"
    put(root, LEDGER, old)
    save(root, env=SESSION)
    row = f"{OWN} | 2026-08-08 | checkpoint | haiku | task | save | 0\r\n"
    assert get(root, LEDGER) == f"{old}\r\n{row}"


@pytest.mark.req("C.save.ledger")
def test_the_row_says_which_tier_ran(root):
    save(root, "--name", "auth-fix", "--model", "sonnet", env=SESSION)
    rows = get(root, LEDGER).split("\n")
    assert rows[0] == "# Cost Ledger — auth-fix"
    assert rows[2] == f"{OWN} | 2026-08-08 | checkpoint | sonnet | task | save | 0"


@pytest.mark.req("C.save.ledger-once")
def test_one_operation_is_one_row_and_two_saves_are_two(root):
    for key in ("op-1", "op-1", "op-2"):
        save(root, "--name", "auth-fix", "--once", key, env=SESSION)
    save(root, "--name", "auth-fix", env=SESSION)
    save(root, "--name", "auth-fix", env=SESSION)
    rows = get(root, LEDGER).strip().split("\n")[2:]
    golden = f"{OWN} | 2026-08-08 | checkpoint | haiku | task | save | 0"
    assert rows == [f"{golden} | op=op-1", f"{golden} | op=op-2", golden, golden]


def test_a_key_that_no_row_can_carry_is_refused_before_anything_is_written(root):
    before = snapshot(root)
    done = run("save", "--as", "task", "--once", "a|b", cwd=root)
    assert done.returncode == 2
    assert snapshot(root) == before


def test_a_ledger_that_cannot_be_written_fails_nothing(root):
    os.makedirs(os.path.join(root, LEDGER))
    data, found = save(root, "--name", "auth-fix", env=SESSION)
    assert data["record"]
    assert "no-ledger" in found


# Real files


@pytest.mark.parametrize(
    "name",
    [
        "2026-04-25-v3-stage-4-smoke",
        "2026-05-04-workflow-isolation-and-hooks-stage-6",
        "2026-05-04-workflow-isolation-and-hooks",
        "2026-04-25-artifact-format-architecture-stage4",
        "2026-05-04-workflow-isolation-and-hooks-stage-3",
    ],
)
def test_real_notes_make_a_save_that_holds_their_blocks(root, name):
    with open(shared("samples", "quoin", "memory", "sessions", f"{name}.md"), "rb") as file:
        notes = file.read().decode()
    put(root, f"{MEMORY}/sessions/{name}.md", notes)
    data, _ = save(root)
    text = get(root, data["saved"])
    assert headings(text) == HEADINGS
    assert data["task"] == name[11:]
    assert data["record"]
    for title in ("Decisions made", "Unfinished work"):
        expected = section(notes, title)
        assert section(text, title) == (expected or "(none)")
    again, _ = save(root)
    assert again["changed"] is False
