"""Finding transcripts: only files that end count, whatever else lies among them."""

from __future__ import annotations

import os

import pytest

from histories import state
from leftoff.world.log_files import find, placed

ID = "5f0c2d1e-0000-4000-8000-000000000001"
PARENT = "5f0c2d1e-0000-4000-8000-000000000002"
LINE = '{"type":"user","cwd":"/p"}\n'


@pytest.fixture
def projects() -> str:
    folder = os.path.join(os.environ["HOME"], ".claude", "projects", "-p")
    os.makedirs(folder)
    return folder


def write(folder: str, name: str, text: str = LINE) -> str:
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "a", encoding="utf-8") as file:
        file.write(text)
    return path


def sessions() -> list[tuple[str, str]]:
    return sorted((log.session, log.parent) for log in find(os.environ))


def test_pipes_folders_and_links_in_a_circle_are_no_transcripts(projects):
    write(projects, f"{ID}.jsonl")
    os.mkfifo(os.path.join(projects, "pipe.jsonl"))
    os.mkdir(os.path.join(projects, "folder.jsonl"))
    os.symlink("circle.jsonl", os.path.join(projects, "circle.jsonl"))
    os.symlink("nowhere", os.path.join(projects, "gone.jsonl"))
    os.symlink("/dev/zero", os.path.join(projects, "device.jsonl"))
    os.symlink("circle", os.path.join(os.path.dirname(projects), "circle"))
    assert sessions() == [(ID, "")]


def test_a_name_with_dots_is_whole_and_none_at_all_is_no_session(projects):
    write(projects, "a..b.jsonl")
    write(projects, ".jsonl")
    assert sessions() == [("a..b", "")]


def test_a_link_to_a_transcript_is_that_transcript_once(projects, tmp_path):
    there = write(str(tmp_path), f"{ID}.jsonl")
    os.symlink(there, os.path.join(projects, "one.jsonl"))
    os.symlink(there, os.path.join(projects, "two.jsonl"))
    assert [log.path for log in find(os.environ)] == [os.path.realpath(there)]


def test_a_file_in_a_folder_named_after_a_session_is_that_session_s_subagent():
    chats = os.path.join(os.environ["HOME"], ".gemini", "tmp", "p", "chats")
    write(chats, f"{PARENT}/{ID}.jsonl")
    assert sessions() == [(ID, PARENT)]


@pytest.mark.parametrize("first", ["", '{"type":"summary","summary":"It begins"}\n'])
def test_a_transcript_that_did_not_say_its_folder_yet_is_asked_again(projects, first):
    write(projects, f"{ID}.jsonl", first)
    write(projects, f"{PARENT}.jsonl")
    assert sorted(log.folder for log in placed(os.environ, state()).logs) == ["", "/p"]
    write(projects, f"{ID}.jsonl")
    assert [log.folder for log in placed(os.environ, state()).logs] == ["/p", "/p"]


def test_a_first_prompt_with_a_picture_in_it_hides_no_session(projects):
    picture = '{"type":"user","message":{"content":"' + "A" * (3 << 20) + '"},"cwd":"/p"}\n'
    write(projects, f"{ID}.jsonl", picture)
    assert [log.folder for log in placed(os.environ, state()).logs] == ["/p"]
