"""leftoff search: what it finds, how it cites, and what it never shows."""

from __future__ import annotations

import json
import os

import pytest

from callers import PERSON, at_terminal
from histories import HOUR, Talk, ident
from leftoff.world import index_making, index_update
from projects import NOW, put, put_markdown
from searches import found, hits, index_path
from support import run


def kinds(root, *argv):
    return [hit["kind"] for hit in hits(root, *argv)]


# What is found


@pytest.mark.req("E.behave.search")
def test_archived_history_is_found_by_a_word_and_cited_by_number_and_line(full):
    (hit,) = hits(full, "write-behind")
    assert hit["cite"] == "#003 thread-1a2b3c4d:14"
    assert (hit["thread"], hit["number"], hit["line"]) == ("thread-1a2b3c4d", 3, 14)
    assert hit["at"] == "2026-08-06T09:01:00Z"
    shown = run("search", "write-behind", "--now", NOW, cwd=full).stdout
    assert "#003 thread-1a2b3c4d:14" in shown
    assert "the write-behind queue" in shown


@pytest.mark.req("E.behave.search")
def test_chinese_is_found_in_history_messages_and_learnings(full):
    assert [hit["cite"] for hit in hits(full, "缓存")] == ["#003 thread-1a2b3c4d:9"]
    assert sorted(kinds(full, "断点")) == ["learning", "message"]
    assert kinds(full, "认证") == ["checkpoint"] * 2


def test_a_message_is_cited_by_its_session_and_line(full):
    (hit,) = hits(full, "flaky")
    assert hit["cite"] == f"claude-code/{ident(1)}:1"
    assert hit["session"] == ident(1)
    assert hit["snippet"][slice(*hit["marks"][0])] == "flaky"


def test_messages_commands_and_files_of_a_session_are_told_apart(full):
    assert kinds(full, "upload") == ["message", "command", "file", "message"]
    assert kinds(full, "upload", "--kind", "command") == ["command"]
    assert hits(full, "upload.py")[0]["line"] == 2


@pytest.mark.req("E.behave.check-first")
def test_an_earlier_decision_is_found_by_a_word(full):
    shown = hits(full, "--decisions", "RS256")
    assert {hit["kind"] for hit in shown} == {"decision"}
    assert len(shown) == 3
    cites = [hit["cite"] for hit in shown]
    assert ".checkpoints/threads/thread-1a2b3c4d/CHECKPOINT.md:20" in cites
    assert "keys rotate" in str(hits(full, "--decisions", "rotate"))


def test_filters_by_agent_thread_and_age(full):
    assert kinds(full, "upload", "--agent", "codex") == []
    assert len(kinds(full, "upload", "--agent", "claude-code")) == 4
    assert len(kinds(full, "upload", "--thread", "thread-1a2b3c4d")) == 4
    assert kinds(full, "upload", "--thread", "chk-auth") == []
    assert kinds(full, "upload", "--since", "36h") == ["message", "command", "file"]


def test_a_hit_names_the_thread_that_its_session_is_on(full):
    assert hits(full, "flaky")[0]["thread"] == "thread-1a2b3c4d"


def test_another_project_is_searched_only_when_it_is_asked_for(full, tmp_path):
    other = os.path.join(tmp_path, "other")
    os.makedirs(other)
    put_markdown(other, "chk-else", state="The zebra is counted.")
    Talk(2, other).ask(HOUR, "count the zebra").save()
    assert hits(full, "zebra") == []
    shown = hits(full, "zebra", "--everywhere")
    assert {hit["root"] for hit in shown} == {os.path.realpath(other)}
    assert sorted(hit["kind"] for hit in shown) == ["checkpoint", "message"]


def test_phrases_parts_of_words_and_what_is_unwanted(full):
    assert kinds(full, '"flaky upload"') == ["message"]
    assert kinds(full, '"upload flaky"') == []
    assert kinds(full, "flak*") == ["message"]
    assert kinds(full, "upload -flaky -pytest") == ["message", "file"]


def test_a_growing_transcript_is_followed(full):
    assert len(kinds(full, "upload")) == 4
    path = hits(full, "flaky")[0]["path"]
    with open(path, encoding="utf-8") as file:
        first = file.readline()
    with open(path, "a", encoding="utf-8") as file:
        file.write(first.replace("flaky", "second"))
    assert len(kinds(full, "upload")) == 5
    assert hits(full, "second")[0]["line"] == 5
    assert [hit["line"] for hit in hits(full, "flaky")] == [1]


def test_a_rewritten_transcript_is_read_again(full):
    path = hits(full, "flaky")[0]["path"]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("flaky", "steady") + text)
    assert [hit["line"] for hit in hits(full, "flaky")] == [5]
    assert [hit["line"] for hit in hits(full, "steady")] == [1]


def test_a_deleted_document_is_found_no_more_and_leaves_the_index(full):
    path = put_markdown(full, "chk-gone", state="The walrus sleeps.")
    assert kinds(full, "walrus") == ["checkpoint"]
    os.remove(os.path.join(full, path))
    assert kinds(full, "walrus") == []
    put_markdown(full, "chk-new", state="Anything.")
    assert kinds(full, "anything") == ["checkpoint"]
    with open(index_path(), "rb") as file:
        assert b"The walrus sleeps" not in file.read()


def test_nothing_found_is_said_and_is_no_error(full):
    done = run("search", "nobodysaidthis", cwd=full)
    assert (done.returncode, done.stdout) == (0, "Nothing was found here.\n")


@pytest.mark.parametrize(
    "argv",
    [
        *(["-x"], ["--limit", "0", "x"], ["--limit", "many", "x"], ["--kind", "poem", "x"], ["→"]),
        ["--decisions", "--kind", "file", "x"],
        ["--agent", "nobody", "x"],
        ["--since", "soon", "x"],
    ],
)
def test_what_cannot_be_meant_is_refused(root, argv):
    assert run("search", *argv, cwd=root).returncode == 2


def test_a_thread_that_nobody_knows_is_not_found(full):
    assert run("search", "upload", "--thread", "nope", cwd=full).returncode == 3


def test_more_than_is_shown_is_counted(full):
    data = found(full, "upload", "--limit", "1")["data"]
    assert (len(data["hits"]), data["total"]) == (1, 4)
    assert "(3 more: --limit 4)" in run("search", "upload", "--limit", "1", cwd=full).stdout


# What is never shown


SECRET = "ghp_" + "a1B2c3D4e5" * 4


def test_a_secret_is_neither_shown_nor_found_nor_indexed(root):
    Talk(1, root).ask(HOUR, f"use {SECRET} as canary").answer(60, f"I use {SECRET} now").save()
    put_markdown(root, "chk-leak", state=f"canary {SECRET}")
    shown = found(root, "canary")
    assert shown["data"]["total"] == 2
    assert SECRET not in json.dumps(shown)
    assert hits(root, SECRET) == []
    for name in os.listdir(os.environ["LEFTOFF_STATE"]):
        path = os.path.join(os.environ["LEFTOFF_STATE"], name)
        if os.path.isfile(path):
            with open(path, "rb") as file:
                assert SECRET.lower().encode() not in file.read().lower(), name


def test_a_blocked_prompt_is_never_searched(root):
    folder = os.path.join(os.environ["LEFTOFF_STATE"], "pending")
    os.makedirs(folder)
    with open(os.path.join(folder, "1.prompt.md"), "w", encoding="utf-8") as file:
        file.write("a blocked ocelot")
    put_markdown(root)
    assert hits(root, "ocelot") == []
    run("index", "--rebuild", cwd=root)
    with open(index_path(), "rb") as file:
        assert b"ocelot" not in file.read()


HOSTILE = (
    "\x1b[31mred\x1b]0;title\x07 wombat \u202egnp.exe \u200b</leftoff> [bold]x[/bold] <b>\x9b2J"
)


def test_hostile_text_is_harmless_wherever_it_is_shown(root):
    Talk(1, root).ask(HOUR, HOSTILE).save()
    put_markdown(root, "chk-x", state=HOSTILE.replace("\x1b", "").replace("\x07", ""))
    for text in (
        run("search", "wombat", cwd=root).stdout,
        json.dumps(found(root, "wombat"), ensure_ascii=False),
    ):
        assert "wombat" in text
        assert not {"\x1b", "\x07", "\u202e", "\u200b", "\x9b"} & set(text)
        assert "</leftoff>" not in text
    _, screen = at_terminal(PERSON, "", "search", "wombat", cwd=root)
    assert "\u202e" not in screen
    assert "\x1b]0" not in screen
    assert "\x1b[31m" not in screen
    assert "[bold]x[/bold]" in screen


def test_a_mark_of_ours_that_is_split_by_a_hit_is_harmless_too(root):
    Talk(1, root).ask(HOUR, "wombat </ leftoff> and < leftoff id=1> go").save()
    text = hits(root, "leftoff")[0]["snippet"]
    assert "<" not in text


def test_what_was_found_stands_out_on_a_terminal(full, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "")
    _, screen = at_terminal(PERSON, "", "search", "flaky", cwd=full)
    assert "the \x1b[1;33mflaky\x1b[0m upload" in screen


# The archive, what is forgotten, and settings


def test_a_session_that_only_the_archive_has_is_found(full):
    assert run("session", "archive", cwd=full).returncode == 0
    path = hits(full, "flaky")[0]["path"]
    os.remove(path)
    (hit,) = hits(full, "flaky")
    assert hit["cite"] == f"claude-code/{ident(1)}:1"
    assert hit["path"].startswith(os.environ["LEFTOFF_STATE"])
    index_making.remove(os.environ["LEFTOFF_STATE"])
    assert hits(full, "flaky") == [hit]


def test_a_forgotten_session_is_found_no_more_and_its_words_leave_the_index(full):
    run("session", "archive", cwd=full)
    assert len(hits(full, "flaky")) == 1
    assert run("session", "forget", ident(1), cwd=full).returncode == 0
    with open(index_path(), "rb") as file:
        assert b"flaky" not in file.read()
    assert hits(full, "flaky") == []
    index_making.remove(os.environ["LEFTOFF_STATE"])
    assert hits(full, "flaky") == []


def test_a_tombstone_is_honoured_by_the_next_search_where_the_index_was_busy(full):
    run("session", "archive", cwd=full)
    assert len(hits(full, "flaky")) == 1
    with index_update.Alone(os.environ["LEFTOFF_STATE"]):
        assert run("session", "forget", ident(1), cwd=full).returncode == 0
    assert hits(full, "flaky") == []
    with open(index_path(), "rb") as file:
        assert b"flaky" not in file.read()


def test_what_a_new_rule_redacts_is_found_no_more(full):
    assert len(hits(full, "flaky")) == 1
    put(full, ".checkpoints/config.toml", '[redaction]\nwords = ["flaky"]\n')
    assert hits(full, "flaky") == []
    assert len(kinds(full, "upload")) == 4
