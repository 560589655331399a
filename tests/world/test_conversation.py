"""The conversation of a session, found and read as a stream."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from histories import Talk, ident
from leftoff.core.talk import AGENT, TOOL, USER
from leftoff.errors import FormatError
from leftoff.world import conversation, log_reading, opencode_db
from world.test_opencode_db import SCHEMA, message, session

CLAUDE = "claude-code"


def talk(root: str, *, torn: str = "") -> str:
    made = Talk(1, root).ask(60, "repair the login")
    made.answer(50, "I look.", 100, ("Bash", {"command": "make"}))
    return made.answer(40, "Done.").save(torn=torn)


def roles(agent: str, name: str, **given: Any) -> list[str]:
    return [one.role for one in conversation.turns(agent, name, os.environ, **given)]


def test_a_session_is_found_by_its_id_or_read_where_somebody_says(tmp_path: Path) -> None:
    path = talk(str(tmp_path))
    expected = [USER, AGENT, TOOL, AGENT]
    assert roles(CLAUDE, ident(1)) == expected
    moved = str(tmp_path / "elsewhere.jsonl")
    os.rename(path, moved)
    assert roles(CLAUDE, ident(1)) == []
    assert roles(CLAUDE, ident(1), transcript=moved) == expected
    assert roles(CLAUDE, ident(1), transcript=str(tmp_path / "gone")) == []


def test_the_files_of_subagents_are_no_part_of_it(tmp_path: Path) -> None:
    path = talk(str(tmp_path))
    folder = os.path.join(path.removesuffix(".jsonl"), "subagents")
    os.makedirs(folder)
    Path(folder, "agent-1.jsonl").write_text(json.dumps({"type": "user"}), encoding="utf-8")
    assert conversation.where(CLAUDE, ident(1), os.environ) == path
    assert roles(CLAUDE, "agent-1") == []


def test_a_torn_tail_is_left_out_and_the_last_bytes_alone_can_be_read(tmp_path: Path) -> None:
    path = talk(str(tmp_path), torn='{"type":"user","message":{"content":"half')
    assert roles(CLAUDE, ident(1))[-1] == AGENT
    size = len(Path(path).read_bytes().splitlines()[-2]) + 60
    heard, _ = conversation.listened(CLAUDE, path, list, size)
    assert [one.role for one in heard] == [AGENT]


def test_a_long_transcript_is_never_in_memory_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = talk(str(tmp_path))
    monkeypatch.setattr(log_reading, "BLOCK", 512)
    Path(path).write_bytes(Path(path).read_bytes() * 3)
    assert len(roles(CLAUDE, ident(1))) == 12


def test_a_pipe_a_folder_or_an_unknown_client_has_no_turns(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        assert roles(CLAUDE, ident(1), transcript=str(path)) == []
    assert roles("hapi", "x") == []
    assert roles("nobody", "x", transcript=talk(str(tmp_path))) == []


def test_a_session_in_a_database_is_read_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "opencode").mkdir()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with closing(sqlite3.connect(opencode_db.database(os.environ))) as db:
        db.executescript(SCHEMA)
        session(db, "ses_1")
        message(db, "msg_1", {"role": "user"}, {"type": "text", "text": "do it"})
        db.commit()
    assert roles("opencode", "ses_1") == [USER]
    path = conversation.where("opencode", "ses_1", os.environ)
    assert conversation.is_there("opencode", path)
    assert not conversation.is_there("opencode", "/nowhere/opencode.db#ses_1")


def test_what_cannot_be_read_ends_it_or_is_an_error_for_who_asks_for_all(tmp_path: Path) -> None:
    (tmp_path / "opencode.db").write_bytes(b"no database at all")
    (tmp_path / "copy.jsonl.zst").write_bytes(b"")
    for agent, path in (("opencode", "opencode.db#ses_1"), (CLAUDE, "copy.jsonl.zst")):
        given = {"transcript": str(tmp_path / path)}
        assert roles(agent, "ses_1", **given) == []
        with pytest.raises(FormatError):
            roles(agent, "ses_1", **given, strict=True)
