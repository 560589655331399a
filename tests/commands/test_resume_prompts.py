"""resume and blocked prompts: listed, given back byte for byte, and put away, in all three cases."""

from __future__ import annotations

import json
import os

import pytest

import histories
from callers import PERSON, at_terminal
from projects import NOW, get, put, put_skill
from support import leftoff, run, snapshot

MEMORY = ".workflow_artifacts/memory"
ME, OTHER = histories.ident(1), histories.ident(2)
SESSION = {"LEFTOFF_SESSION": f"claude-code/{ME}"}
PLAIN = "  Fix the login,\n\nthen run\tthe tests — 修复登录\n\n"
LONG = "字" * 81
MANY = (
    "typed before all\n"
    "=== BLOCKED PROMPT [2026-08-08T11:00:00Z] ===\n\nsecond one\n\nwith a blank line\n\n"
    f"=== BLOCKED PROMPT [2026-08-08T10:00:00Z] ===\n{LONG}\n"
)
FIRST, SECOND, LAST = "typed before all", "second one\n\nwith a blank line", LONG


def kept(state, session, text):
    """Prompts of a session, where the hooks keep them; the path."""
    return put(state, f"pending/pending-prompt-{session}.txt", text)


def answered(root, *words, env=SESSION, stdin=""):
    """What comes out of an answer that is given by options."""
    return run("restore", *words, "--now", NOW, cwd=root, env=env, stdin=stdin)


def data(root, *words, env=SESSION):
    done = run("restore", *words, "--json", "--now", NOW, cwd=root, env=env)
    assert done.returncode == 0
    return json.loads(done.stdout)


def in_trash(state):
    return sorted(
        name
        for _, _, names in os.walk(os.path.join(state, "trash"))
        for name in names
        if not name.endswith(".origin")
    )


@pytest.mark.req("C.prompt.none")
def test_without_blocked_prompts_nothing_is_said(root):
    put_skill(root)
    os.makedirs(os.path.join(root, MEMORY))
    said = data(root)
    assert "prompts" not in said["data"]
    assert said["ask"] is None
    assert "prompt" not in answered(root).stdout
    assert "no blocked prompt waits here" in answered(root, "--replay", "all").stderr


@pytest.mark.req("C.prompt.own-first")
def test_own_prompts_are_offered_and_those_of_others_not_raised(root, state):
    put_skill(root)
    kept(state, ME, "mine")
    kept(state, OTHER, "theirs")
    said = data(root)["data"]["prompts"]
    assert [entry["text"] for entry in said["entries"]] == ["mine"]
    assert said["foreign"] == []
    assert "theirs" not in answered(root).stdout


@pytest.mark.req("C.prompt.legacy")
def test_a_file_without_headers_is_one_prompt_shown_whole_with_its_question(root, state):
    put_skill(root)
    kept(state, ME, PLAIN)
    done = answered(root)
    assert (
        "Your previous prompt was:   Fix the login,\n\nthen run the tests — 修复登录\n"
        in done.stdout
    )
    assert "Run it now? [y / n / edit] (--replay ANSWER)" in done.stderr
    assert data(root)["data"]["prompts"]["plain"] is True


@pytest.mark.req("C.prompt.legacy-y", "C.clean.prompt-record")
def test_yes_gives_the_prompt_back_byte_for_byte(root, state):
    path = kept(state, ME, PLAIN)
    assert answered(root, "--replay", "y").stdout == PLAIN
    assert not os.path.exists(path)
    assert in_trash(state) == [os.path.basename(path)]


@pytest.mark.req("C.prompt.legacy-y")
def test_the_bytes_are_the_same_out_of_a_process_of_its_own(root, state):
    put(root, f"{MEMORY}/pending-prompt-{ME}.txt", PLAIN)
    done = leftoff("restore", "--replay", "y", cwd=root, env=SESSION)
    assert (done.returncode, done.stdout) == (0, PLAIN)
    day = os.listdir(os.path.join(root, MEMORY, "trash"))[0]
    assert get(root, f"{MEMORY}/trash/{day}/pending-prompt-{ME}.txt") == PLAIN


@pytest.mark.req("C.prompt.legacy-y", "C.prompt.edit-n")
@pytest.mark.parametrize(("text", "answer"), [(PLAIN, "edit"), (MANY, "edit 2")])
def test_an_edited_version_is_given_back_instead(root, state, text, answer):
    path = kept(state, ME, text)
    asked = data(root, "--replay", answer)
    assert asked["ask"]["flag"] == "--edited TEXT"
    assert asked["data"]["editing"] in {PLAIN, SECOND}
    assert os.path.exists(path)
    better = "--better\nand longer"
    assert answered(root, "--replay", answer, f"--edited={better}").stdout == better
    assert not os.path.exists(path)


def test_an_edited_version_may_come_through_a_pipe(root, state):
    kept(state, ME, PLAIN)
    done = answered(root, "--replay", "edit", "--edited", "-", stdin="from\nthe pipe\n")
    assert done.stdout == "from\nthe pipe\n"


@pytest.mark.req("C.prompt.legacy-n", "C.clean.prompt-record")
def test_no_puts_the_prompt_away_without_showing_it_again(root, state):
    path = kept(state, ME, PLAIN)
    done = answered(root, "--replay", "n")
    assert "login" not in done.stdout + done.stderr
    assert in_trash(state) == [os.path.basename(path)]


@pytest.mark.req("C.prompt.list", "C.prompt.preamble")
def test_the_list_shows_when_and_the_first_characters(root, state):
    put_skill(root)
    kept(state, ME, MANY)
    done = answered(root)
    assert (
        "3 blocked prompt(s) were saved while context was overloaded:\n"
        "1. [legacy] typed before all\n"
        "2. [2026-08-08T11:00:00Z] second one with a blank line\n"
        f"3. [2026-08-08T10:00:00Z] {'字' * 80}...\n"
    ) in done.stdout
    assert "Replay which? [all / 1 / 2 / 1,3 / edit 1 / none] (--replay ANSWER)" in done.stderr


@pytest.mark.req("C.prompt.choice")
def test_unanswered_nothing_is_replayed_and_nothing_moves(root, state):
    put_skill(root)
    path = kept(state, ME, MANY)
    before = snapshot(path)
    said = data(root)
    assert [entry["text"] for entry in said["data"]["prompts"]["entries"]] == [FIRST, SECOND, LAST]
    assert said["ask"]["flag"] == "--replay ANSWER"
    assert snapshot(path) == before
    _, shown = at_terminal(PERSON, "\n", "restore", "--now", NOW, cwd=root)
    assert shown.count("Replay which?") == 1
    assert snapshot(path) == before


@pytest.mark.req("C.prompt.all", "C.prompt.numbers", "C.prompt.discard", "C.clean.prompt-record")
@pytest.mark.parametrize(
    ("answer", "texts"),
    [
        ("all", [FIRST, LAST, SECOND]),
        ("2", [SECOND]),
        ("3,1", [FIRST, LAST]),
        ("none", []),
        ("n", []),
    ],
)
def test_the_answer_selects_and_the_own_file_goes(root, state, answer, texts):
    path = kept(state, ME, MANY)
    assert data(root, "--replay", answer)["data"]["replay"] == texts
    assert in_trash(state) == [os.path.basename(path)]
    kept(state, ME, MANY)
    shown = answered(root, "--replay", answer).stdout
    assert shown == ("\n\n".join(texts) if texts else "Nothing was replayed.\n")


@pytest.mark.req("C.prompt.numbers", "C.prompt.invalid")
def test_one_wrong_number_makes_the_answer_wrong_and_it_is_asked_again(root, state):
    path = kept(state, ME, MANY)
    said = data(root, "--replay", "1,9")
    assert (said["data"]["replay"], said["ask"]["flag"]) == ([], "--replay ANSWER")
    assert os.path.exists(path)
    assert data(root, "--replay", "1,9", "--replay", "1")["data"]["replay"] == [FIRST]


@pytest.mark.req("C.prompt.invalid")
def test_a_second_wrong_answer_counts_as_none(root, state):
    path = kept(state, ME, MANY)
    assert data(root, "--replay", "zz", "--replay", "0")["data"]["replay"] == []
    assert in_trash(state) == [os.path.basename(path)]


def _own_at_terminal(root, monkeypatch, typed):
    monkeypatch.setenv("LEFTOFF_SESSION", SESSION["LEFTOFF_SESSION"])
    return at_terminal(PERSON, typed, "restore", "--now", NOW, cwd=root)


@pytest.mark.req("C.prompt.invalid")
def test_on_a_terminal_two_wrong_answers_are_two_prompts_and_then_the_trash(
    root, state, monkeypatch
):
    put_skill(root)
    path = kept(state, ME, MANY)
    code, shown = _own_at_terminal(root, monkeypatch, "zz\n0\n")
    assert code == 0
    assert shown.count("Replay which?") == 2
    assert shown.count("RESUMING: oc-demo") == 1
    assert shown.index("RESUMING: oc-demo") < shown.index("Replay which?")
    assert in_trash(state) == [os.path.basename(path)]


@pytest.mark.req("C.prompt.numbers", "C.prompt.edit-n")
@pytest.mark.parametrize(
    ("typed", "end"),
    [
        ("all\n", f"{FIRST}\r\n\r\n{LAST}\r\n\r\nsecond one\r\n\r\nwith a blank line"),
        ("1\n", FIRST),
        ("edit 1\n--typed anew\n", "--typed anew"),
    ],
)
def test_on_a_terminal_the_answer_is_taken_as_it_is_typed(root, state, monkeypatch, typed, end):
    put_skill(root)
    path = kept(state, ME, MANY)
    code, shown = _own_at_terminal(root, monkeypatch, typed)
    assert code == 0
    assert shown.endswith(f"> {end}")
    assert in_trash(state) == [os.path.basename(path)]


@pytest.mark.req("C.prompt.foreign-warning", "C.prompt.foreign-legacy")
def test_a_single_prompt_of_another_session_comes_with_both_ids(root, state):
    put_skill(root)
    kept(state, OTHER, PLAIN)
    done = answered(root)
    warning = "Stale pending-prompt sentinel detected (session-id MISMATCH: "
    assert f"{warning}was {OTHER}, current {ME})\nContent:   Fix the login," in done.stdout
    assert "Run it now? [y / n / delete] (--replay ANSWER)" in done.stderr


@pytest.mark.req("C.prompt.foreign-legacy", "C.clean.foreign-stays", "C.prompt.foreign-delete")
@pytest.mark.parametrize(
    ("text", "answer", "out"),
    [
        (PLAIN, "y", PLAIN),
        (PLAIN, "n", "Nothing was replayed.\n"),
        (PLAIN, "delete", "Nothing was replayed.\n"),
        (MANY, "all", f"{FIRST}\n\n{LAST}\n\n{SECOND}"),
        (MANY, "1", FIRST),
        (MANY, "none", "Nothing was replayed.\n"),
        (MANY, "delete", "Nothing was replayed.\n"),
    ],
)
def test_what_another_session_left_stays_unless_it_is_deleted(root, state, text, answer, out):
    stays = answer != "delete"
    path = kept(state, OTHER, text)
    before = snapshot(path)
    assert answered(root, "--replay", answer).stdout == out
    assert (snapshot(path) == before) is stays
    assert in_trash(state) == ([] if stays else [os.path.basename(path)])


@pytest.mark.req("C.prompt.foreign-list")
def test_a_list_of_another_session_offers_the_same_answers_after_the_warning(root, state):
    put_skill(root)
    path = kept(state, OTHER, MANY)
    shown = answered(root).stdout
    assert shown.index("MISMATCH") < shown.index("3 blocked prompt(s)")
    answers = data(root)["data"]["prompts"]["answers"]
    assert answers == ["all", "1", "2", "1,3", "edit 1", "none", "delete"]
    assert answered(root, "--replay", "edit 1", "--edited", "x").stdout == "x"
    assert os.path.exists(path)


def test_prompts_of_another_project_are_not_offered(root, state, tmp_path):
    put_skill(root)
    histories.journal(2, histories.started(60, os.path.join(tmp_path, "elsewhere")))
    path = kept(state, OTHER, PLAIN)
    assert "prompts" not in data(root)["data"]
    answered(root, "--replay", "delete")
    assert os.path.exists(path)
    histories.journal(3, histories.started(60, root))
    kept(state, histories.ident(3), "of this project")
    assert data(root)["data"]["prompts"]["entries"][0]["text"] == "of this project"


def test_after_a_clear_the_prompts_of_the_session_before_are_ones_own(root, state):
    histories.journal(2, histories.started(600, root))
    histories.journal(1, histories.started(60, root, **{"from": OTHER}))
    path = kept(state, OTHER, PLAIN)
    assert answered(root, "--replay", "y").stdout == PLAIN
    assert not os.path.exists(path)


def test_the_text_of_a_foreign_prompt_cannot_steer_a_terminal_from_the_list(root, state):
    put_skill(root)
    kept(state, OTHER, "\x1b[2Jgone </leftoff> \u202e now\n")
    assert not {"\x1b", "\u202e"} & set(answered(root).stdout)


@pytest.mark.req("C.clean.fail-open")
def test_a_prompt_that_cannot_be_put_away_is_given_back_all_the_same(root, state):
    path = kept(state, ME, PLAIN)
    put(state, "trash", "in the way\n")
    done = answered(root, "--replay", "y")
    assert (done.returncode, done.stdout) == (0, PLAIN)
    assert "could not be moved to the trash" in done.stderr
    assert os.path.exists(path)


def test_reads_are_asked_first_and_then_the_prompts(root, state, monkeypatch):
    from projects import TASK

    put(root, f"{MEMORY}/checkpoints/2026-08-08-auth-fix.md", TASK)
    path = kept(state, ME, PLAIN)
    code, shown = _own_at_terminal(root, monkeypatch, "n\ny\n")
    assert code == 0
    assert "Also waiting: 1 blocked prompt (" in shown
    order = ("RESUMING:", "Re-fire reads", "Your previous prompt was:", "Run it now?")
    places = [shown.index(text) for text in order]
    assert places == sorted(places)
    assert [shown.count(text) for text in order] == [1, 1, 1, 1]
    assert in_trash(state) == [os.path.basename(path)]


@pytest.mark.req("C.prompt.legacy", "C.prompt.own-first")
def test_a_prompt_that_waits_is_offered_where_there_is_nothing_to_resume(root, state):
    kept(state, ME, PLAIN)
    said = data(root)
    assert said["data"]["state"] == "fresh"
    assert [one["text"] for one in said["data"]["prompts"]["entries"]] == [PLAIN]
    assert said["ask"]["flag"] == "--replay ANSWER"
    shown = answered(root)
    assert "Nothing to resume" in shown.stdout
    assert "Your previous prompt was:" in shown.stdout
    assert "Run it now? [y / n / edit]" in shown.stderr
    assert answered(root, "--replay", "y").stdout == PLAIN


@pytest.mark.parametrize("words", [(), ("--replay", "y")])
def test_a_prompt_whose_file_is_damaged_is_told_of_and_stays(root, state, words):
    put_skill(root)
    path = kept(state, ME, "")
    with open(path, "wb") as file:
        file.write(b"Fix it \xff now")
    said = data(root, *words)
    assert [
        (one["where"], one["level"]) for one in said["findings"] if "prompt" in one["slug"]
    ] == [(path, "warning")]
    assert "not UTF-8" in str(said["findings"])
    with open(path, "rb") as file:
        assert file.read() == b"Fix it \xff now"
