"""The files one session leaves for the next: names, pidfiles, restores, prompts."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leftoff.errors import FormatError, Usage
from leftoff.formats._sentinel import (
    FAMILIES,
    Pidfile,
    Prompt,
    append_prompt,
    family_and_session,
    file_name,
    has_headers,
    pidfile_name,
    prompts,
    read_pidfile,
    restore_path,
    restore_text,
    skill_and_pid,
    write_pidfile,
)
from support import shared

SID = "0f8fad5b-d9cb-469f-a165-70867728950e"
T1, T2 = "2026-05-05T10:00:00Z", "2026-05-05T11:00:00Z"


@pytest.mark.parametrize("family", FAMILIES)
def test_a_name_tells_family_and_session(family):
    assert file_name(family, SID) == f"{family}-{SID}.txt"
    assert family_and_session(f"{family}-{SID}.txt") == (family, SID)


def test_there_are_nine_families():
    assert len(set(FAMILIES)) == 9


@pytest.mark.req("C.save.no-sid")
@pytest.mark.parametrize("session", ["", "../x", "a/b", "-x", "a b", ".hidden"])
def test_there_is_never_a_file_for_no_session_or_an_unsafe_one(session):
    with pytest.raises(Usage):
        file_name("pending-restore", session)


def test_an_unknown_family_is_refused():
    with pytest.raises(Usage):
        file_name("pending-lunch", SID)


@pytest.mark.parametrize(
    "name",
    [
        "pending-restore-.txt",
        "pending-restore-abc 2.txt",
        "pending-restore-abc (1).txt",
        "pending-restore.txt",
        "pending-restore-abc",
        "run-state-auth.json",
        "",
    ],
)
def test_any_other_name_is_none_of_them(name):
    assert family_and_session(name) is None


def test_a_pidfile_tells_skill_process_and_time():
    pidfile = Pidfile("thorough-plan", 4711, T1)
    assert pidfile_name("thorough-plan", 4711) == "thorough-plan-4711.pidfile.lock"
    assert skill_and_pid("thorough-plan-4711.pidfile.lock") == ("thorough-plan", 4711)
    assert write_pidfile(pidfile) == f"skill=thorough-plan\npid=4711\ntimestamp={T1}\n"
    assert read_pidfile(write_pidfile(pidfile)) == pidfile
    assert read_pidfile("pid=4711\r\nskill=x") == Pidfile("x", 4711, "")


def test_a_pidfile_may_tell_for_whom_and_where_its_process_runs():
    whole = Pidfile("checkpoint", 7, T1, f"claude-code/{SID}", "77", "boot = 1", "pid:[4]", "host")
    assert write_pidfile(whole).startswith(f"skill=checkpoint\npid=7\ntimestamp={T1}\nsession=")
    assert read_pidfile(write_pidfile(whole)) == whole
    lines = write_pidfile(whole._replace(session="a\npid=8"))
    assert read_pidfile(lines).pid == 7


@pytest.mark.parametrize("name", ["x.pidfile.lock", "x-y.pidfile.lock", "-7.pidfile.lock", "x-7"])
def test_any_other_name_is_no_pidfile(name):
    assert skill_and_pid(name) is None


@pytest.mark.parametrize(
    "text", ["", "pid=7", "skill=x", "skill=x\npid=seven", "\0", "skill=x\npid=" + "9" * 5000]
)
def test_a_broken_pidfile_is_a_format_error(text):
    with pytest.raises(FormatError):
        read_pidfile(text)


@pytest.mark.req("C.save.sentinel")
def test_a_pending_restore_is_one_line_with_a_path():
    path = ".workflow_artifacts/memory/checkpoints/2026-05-05-auth fix.md"
    assert restore_text(path) == f"{path}\n"
    assert restore_path(restore_text(path)) == path
    assert restore_path(f"\ufeff{path}\r\n\r\n") == path


@pytest.mark.parametrize("text", ["", " \n", "one\ntwo\n", "nul\0"])
def test_a_broken_pending_restore_is_a_format_error(text):
    with pytest.raises(FormatError):
        restore_path(text)


@pytest.mark.parametrize("path", ["", " ", "a\nb", "a\0"])
def test_a_pending_restore_of_no_path_is_refused(path):
    with pytest.raises(Usage):
        restore_text(path)


@pytest.mark.req("C.prompt.parse")
def test_three_headers_give_three_entries_with_inner_blanks_kept():
    text = (
        f"=== BLOCKED PROMPT [{T1}] ===\n\n  fix it\n\nplease\n\n"
        f"=== BLOCKED PROMPT [{T2}] [non-replayable:task-notification] ===\n<task-notification>\n"
        "=== BLOCKED PROMPT [x] ===\n"
    )
    assert prompts(text) == (
        Prompt(T1, "  fix it\n\nplease"),
        Prompt(T2, "<task-notification>", replayable=False),
        Prompt("x", ""),
    )


@pytest.mark.req("C.prompt.preamble")
def test_text_before_the_first_header_is_an_entry_of_its_own():
    text = f"old words\n\n=== BLOCKED PROMPT [{T1}] ===\nnew words\n"
    assert prompts(text) == (Prompt("legacy", "old words"), Prompt(T1, "new words"))


def test_a_file_without_headers_is_one_prompt_byte_for_byte():
    text = "\n  do this\r\n=== BLOCKED PROMPT is a title\n\n"
    assert not has_headers(text)
    assert prompts(text) == (Prompt("legacy", text),)


@pytest.mark.parametrize("text", ["", "\n\n", " "])
def test_an_empty_file_holds_no_prompt(text):
    assert prompts(text) == ()


@pytest.mark.req("C.hook.append")
def test_a_headerless_file_is_migrated_on_append():
    made = append_prompt("old words", Prompt(T1, "new words"))
    assert made == (
        "=== BLOCKED PROMPT [legacy-pre-migration] ===\nold words\n"
        f"=== BLOCKED PROMPT [{T1}] ===\nnew words\n"
    )
    assert [prompt.text for prompt in prompts(made)] == ["old words", "new words"]


def test_an_append_leaves_what_is_there_untouched():
    first = append_prompt("", Prompt(T1, "one"))
    second = append_prompt(first, Prompt(T2, "two", replayable=False))
    assert second.startswith(first)
    assert prompts(second) == (Prompt(T1, "one"), Prompt(T2, "two", replayable=False))


def test_a_prompt_that_quotes_a_header_stays_one_prompt():
    quoting = f"what is this?\n=== BLOCKED PROMPT [{T1}] ===\n\\=== BLOCKED PROMPT [x] ===\nsay"
    made = append_prompt(append_prompt("", Prompt(T1, quoting)), Prompt(T2, "next"))
    assert prompts(made) == (Prompt(T1, quoting), Prompt(T2, "next"))


LINES = st.sampled_from(
    ["", " ", "\\", "word", "=== BLOCKED PROMPT [t] ===", "\\=== BLOCKED PROMPT [", "\r"]
)
TEXTS = st.one_of(st.text(), st.lists(LINES, max_size=6).map("\n".join))


@given(TEXTS, TEXTS)
def test_appending_adds_exactly_the_prompt(text: str, prompt: str):
    before = prompts(text)
    *others, last = prompts(append_prompt(text, Prompt(T1, prompt)))
    assert last == Prompt(T1, _trimmed(prompt))
    assert [one.text for one in others] == [_trimmed(one.text) for one in before]


def _trimmed(text: str) -> str:
    lines = text.split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join(lines)


@given(TEXTS)
def test_no_text_breaks_a_reader(text: str):
    prompts(text)
    family_and_session(text)
    skill_and_pid(text)
    for read in (read_pidfile, restore_path):
        with suppress(FormatError):
            read(text)


def test_the_first_implementations_restore_reads():
    path = shared("samples", "quoin", "ORACLE-hooks-2026-05-05", "pre-auto.pending-restore-s1.txt")
    with open(path, encoding="utf-8") as file:
        assert restore_path(file.read()).endswith("-unknown-task-precompact.md")
