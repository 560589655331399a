"""A session starts or ends: the archive follows in a process of its own, which nobody waits for."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import TypeVar

import pytest

import hooks
from leftoff.world import archive, follower
from support import SOURCE, leftoff, repo
from world.transcript_files import conversation

T = TypeVar("T")
ON = {"LEFTOFF_ARCHIVE": "on"}
OLD = "0000000a-0000-4000-8000-000000000001"
PATIENCE = 600
"""Seconds: the process that copies is the last in line wherever others work."""


def until(look: Callable[[], T]) -> T:
    """The first true answer; a busy machine may take its time."""
    deadline = time.monotonic() + PATIENCE
    while not (seen := look()):
        assert time.monotonic() < deadline, f"waited for {PATIENCE} seconds"
        time.sleep(0.02)
    return seen


class World:
    """A person with a project, a client with transcripts, and our hooks in it."""

    def __init__(self, folder: str, home: str, site: str) -> None:
        self.root, self.home, self.site = repo(folder), home, site
        self.client = hooks.set_up(site, os.path.join(home, "state", "leftoff"))
        self.state = self.client.state

    def write(self, session: str, data: bytes, mode: str = "wb") -> str:
        path = os.path.join(self.home, ".claude", "projects", "-repo", f"{session}.jsonl")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, mode) as file:
            file.write(data)
        return path

    def told(self, name: str, transcript: str = "", **more: object) -> dict[str, object]:
        given = {"cwd": self.root, "hook_event_name": name, "transcript_path": transcript}
        return hooks.payload(**given, source="startup", reason="other", **more)

    def start(self, **env: str) -> hooks.Fired:
        return self.client.fire("start", self.told("SessionStart"), {**ON, **env})

    def kept(self, session: str) -> bytes:
        notes = archive.copies(self.state, "claude-code", session)
        return b"".join(line + b"\n" for note in notes for line in archive.lines(note))

    def followed(self) -> bool:
        return os.path.exists(os.path.join(self.state, follower.FOLLOWED))


def changed(path: str, old: str, new: str) -> str:
    """A file of the package with one thing in it changed."""
    text = hooks.text(os.path.join(SOURCE, "leftoff", path))
    assert old in text
    return text.replace(old, new)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> str:
    """Leftoff as it is, but it neither steps back behind a busy machine nor minds a full disk."""
    folder = os.fspath(tmp_path_factory.mktemp("follow"))
    hooks.copied(
        folder,
        os.path.join(folder, "state"),
        entry__follow=changed("entry/follow.py", "os.nice(19)", "os.nice(0)"),
        world__archive_follow=changed("world/archive_follow.py", "ROOM = 1 << 30", "ROOM = 0"),
    )
    return os.path.join(folder, "site")


@pytest.fixture
def world(tmp_path, home, site) -> World:
    return World(os.fspath(tmp_path), home, site)


def test_a_start_leads_to_copies_of_all_that_was_there_before(world):
    text = conversation(1, 20)
    world.write(OLD, text)
    assert world.start().code == 0
    until(world.followed)
    assert world.kept(OLD) == text
    assert world.client.log() == ""


def test_the_end_of_a_session_brings_its_own_copy_up_to_date_at_once(world):
    world.start()
    until(world.followed)
    text = conversation(2, 20)
    path = world.write(hooks.SESSION, text)
    assert world.client.fire("end", world.told("SessionEnd", path), ON).code == 0
    until(lambda: world.kept(hooks.SESSION) == text)
    os.remove(path)
    found = leftoff("session", "list", "--all", "--json", cwd=world.root)
    ids = [one["id"] for one in json.loads(found.stdout)["data"]["sessions"]]
    assert hooks.SESSION in ids


def test_the_hook_itself_loads_nothing_that_copies(world):
    world.write(OLD, conversation(1, 3))
    os.environ.update(ON)  # the fixture of the home puts it back
    loaded = hooks.loaded(world.client, "start", world.told("SessionStart"))
    assert "leftoff.world.follower" in loaded
    copying = {"archive_copy", "archive_follow", "log_reading"}
    assert not {f"leftoff.world.{name}" for name in copying} & loaded
    assert not {"zstandard", "subprocess", "leftoff.core.redact_lines"} & loaded
    until(world.followed)


def test_no_client_waits_for_the_process_that_copies(world):
    """The run is held up; the hook's output comes to its end all the same."""
    import fcntl

    os.makedirs(os.path.join(world.state, "archive"))
    text = conversation(1, 3)
    world.write(OLD, text)
    # a transcript's place is locked by another process: the copy has to wait for it
    place = archive.place_of(world.state, "claude-code")
    os.makedirs(place)
    fd = os.open(place, os.O_RDONLY)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        done = world.start()  # it reads the hook's output to the end
        assert done.code == 0
        assert world.kept(OLD) == b""
    finally:
        os.close(fd)
    until(world.followed)
    assert world.kept(OLD) == text


def test_two_starts_at_once_make_one_copy(world):
    text = conversation(1, 20)
    world.write(OLD, text)
    started = [world.client.start("start", ON) for _ in range(2)]
    for number, one in enumerate(started):
        told = json.dumps(world.told("SessionStart", session_id=f"{hooks.SESSION[:-1]}{number}"))
        one.communicate(told.encode(), timeout=PATIENCE)
    until(world.followed)
    assert world.kept(OLD) == text
    place = archive.place_of(world.state, "claude-code")
    assert sorted(os.listdir(place)) == [f"{OLD}.json", f"{OLD}.jsonl.zst"]


def test_between_two_looks_a_start_starts_nothing(world, monkeypatch):
    started = []
    monkeypatch.setattr(follower, "_started", lambda *given: started.append(given) or True)
    now = time.time()
    assert follower.follow(world.state, {}, now)
    os.makedirs(os.path.join(world.state, "archive"))
    with open(os.path.join(world.state, follower.FOLLOWED), "w", encoding="utf-8") as file:
        os.utime(file.name, (now + 60, now + 60))
    assert not follower.follow(world.state, {}, now)
    assert follower.follow(world.state, {}, now, ("claude-code", OLD)), "the end does not wait"
    assert len(started) == 2


@pytest.mark.parametrize("off", ["environment", "all", "settings"])
def test_switched_off_nothing_is_started(world, off):
    world.write(OLD, conversation(1, 3))
    env = {"environment": {"LEFTOFF_ARCHIVE": "off"}, "all": {"LEFTOFF": "off"}}.get(off, {})
    if off == "settings":
        path = os.path.join(world.home, "config", "leftoff", "config.toml")
        os.makedirs(os.path.dirname(path))
        with open(path, "w", encoding="utf-8") as file:
            file.write("[archive]\nauto = false\n")
    assert not follower.follow(world.state, {**os.environ, **ON, **env}, time.time())
    assert not os.path.exists(os.path.join(world.state, "archive"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_where_nothing_can_be_written_nothing_is_started(world):
    os.chmod(world.state, 0o500)
    try:
        assert not follower.follow(world.state, {**os.environ, **ON}, time.time())
    finally:
        os.chmod(world.state, 0o700)


def test_where_no_state_folder_can_be_nothing_is_started(tmp_path):
    path = os.path.join(tmp_path, "file")
    with open(path, "wb"):
        pass
    assert not follower.follow(os.path.join(path, "state"), {**os.environ, **ON}, time.time())


def process(world: World, **options: object) -> int:
    """The process that copies, waited for as nobody else does."""
    code = "import sys; from leftoff.entry.follow import main; main(sys.argv[1:])"
    words = [sys.executable, "-c", code, world.state, "claude-code", ""]
    env = {**os.environ, **ON, "PYTHONPATH": world.site, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(words, env=env, timeout=PATIENCE, check=False, **options).returncode  # type: ignore[call-overload]


def test_a_failure_is_one_line_in_the_log_without_a_name(world):
    world.write(f"{OLD}/subagents/agent-secret", conversation(1, 3))
    place = archive.place_of(world.state, "claude-code")
    os.makedirs(place)
    with open(os.path.join(place, OLD), "wb"):
        pass  # a file where a folder has to be
    assert process(world) == 0
    (line,) = world.client.log().splitlines()
    assert "claude-code archive Unusable: transcripts that could not be copied: 1" in line
    assert "secret" not in line


def test_a_full_disk_ends_the_process_quietly_and_the_next_one_completes_it(world):
    text = conversation(3, 400)
    world.write(OLD, text)

    def small() -> None:
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    assert process(world, preexec_fn=small) == 0
    assert text.startswith(world.kept(OLD))
    os.remove(os.path.join(world.state, follower.FOLLOWED))
    assert process(world) == 0
    assert world.kept(OLD) == text


def test_a_command_that_reads_transcripts_starts_it_too_once_it_has_answered(world):
    text = conversation(1, 20)
    world.write(OLD, text)
    done = leftoff("session", "list", cwd=world.root, env={**ON, "PYTHONPATH": world.site})
    assert done.returncode == 0
    until(world.followed)
    assert world.kept(OLD) == text
