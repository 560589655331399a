"""When a process may copy itself to get help, and when it works alone."""

import os
import subprocess
import sys
from threading import Event, Thread

import pytest

from leftoff.world import forking


@pytest.fixture
def idle(monkeypatch):
    """Linux, two processors and one thread."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    monkeypatch.setattr(forking, "_threads", lambda: 1)


def test_one_thread_and_two_processors_are_worth_a_second_process(idle):
    assert forking.pays()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of threads in a folder")
def test_a_process_with_nothing_else_in_it_counts_one_thread():
    counted = "from leftoff.world import forking; print(forking._threads())"
    told = subprocess.run([sys.executable, "-c", counted], capture_output=True, check=True)
    assert told.stdout == b"1\n"


def test_one_processor_is_not(idle, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {1}, raising=False)
    assert not forking.pays()


def test_macos_is_not(idle, monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not forking.pays()


def test_a_process_with_threads_is_never_copied():
    done = Event()
    other = Thread(target=done.wait)
    other.start()
    try:
        assert not forking.pays()
    finally:
        done.set()
        other.join()


def test_where_nobody_can_count_the_threads_it_works_alone(monkeypatch, tmp_path):
    monkeypatch.setattr(forking, "_THREADS", str(tmp_path / "none"))
    assert not forking.pays()
