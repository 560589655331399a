"""The marker of a save or restore at work: who has it, and that no way out leaves it behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from leftoff.core.when import instant
from leftoff.formats._sentinel import Pidfile, read_pidfile, write_pidfile
from leftoff.world.busy_marker import RESTORE, SAVE, busy, marked
from leftoff.world.liveness import here, started
from leftoff.world.place import Place
from leftoff.world.sentinels import SESSIONS, markers
from leftoff.world.store import Store
from projects import NOW, get, put
from support import SOURCE

AT = instant(NOW) or 0.0
OWN = ("claude-code", "5f0c2d1e-0000-4000-8000-000000000001")
OTHER = ("claude-code", "5f0c2d1e-0000-4000-8000-000000000002")
DEAD = 2**31 - 1
"""More than any system counts its processes to."""

WORK = """
import signal
import sys
from leftoff.world.busy_marker import marked
from leftoff.world.place import Place
from leftoff.world.store import Store
root, state = sys.argv[1:]
# whoever runs the tests may have these ignored, as nohup does
for number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
with marked(Store(Place(root, ""), state), "checkpoint", ("claude-code", "s-1"), 0.0) as findings:
    print("at work", len(findings), flush=True)
    sys.stdin.read()
print("done", flush=True)
"""


@pytest.fixture
def tree(root) -> str:
    """The folder of format C's markers."""
    folder = os.path.join(root, SESSIONS)
    os.makedirs(folder)
    return folder


@pytest.fixture
def store(root, state) -> Store:
    return Store(Place(root, ""), state)


@contextmanager
def at_work(root: str, state: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that has a marker, until it is told to go on."""
    pipe = subprocess.PIPE
    child = subprocess.Popen(
        [sys.executable, "-c", WORK, root, state],
        env={**os.environ, "PYTHONPATH": SOURCE, "PYTHONWARNDEFAULTENCODING": "1"},
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        encoding="utf-8",
    )
    with child:
        try:
            assert child.stdout
            assert child.stdout.readline() == "at work 0\n"
            yield child
        finally:
            child.kill()


def left(*folders: str) -> list[str]:
    return [name for folder in folders for _, _, names in os.walk(folder) for name in names]


@pytest.mark.req("C.pidfile.acquire", "C.pidfile.identity")
def test_a_marker_says_skill_process_time_and_session_while_the_work_goes_on(store, tree, root):
    with marked(store, SAVE, OWN, AT) as findings:
        assert findings == []
        said = read_pidfile(get(tree, f"checkpoint-{os.getpid()}.pidfile.lock"))
        assert said[:4] == ("checkpoint", os.getpid(), NOW, "/".join(OWN))
        assert said.began == started(os.getpid())
        (one,) = markers(root)
        assert one.alive
    assert not left(tree, store.state)


def test_without_that_tree_it_lies_in_the_state_folder_and_nothing_in_the_project(store, root):
    with marked(store, SAVE, OWN, AT) as findings:
        assert findings == []
        assert left(store.state) == [f"checkpoint-{os.getpid()}.pidfile.lock"]
        assert busy(store, OWN)
    assert not left(store.state, root)


@pytest.mark.req("C.pidfile.release")
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_error_and_an_interruption_release_it(store, tree, error):
    def work() -> None:
        with marked(store, SAVE, OWN, AT):
            assert left(tree)
            raise error

    with pytest.raises(error):
        work()
    assert not left(tree)


@pytest.mark.req("C.pidfile.release")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_the_process_as_ever_and_leaves_no_marker(root, state, tree, number):
    with at_work(root, state) as child:
        assert left(tree) == [f"checkpoint-{child.pid}.pidfile.lock"]
        child.send_signal(number)
        out, _ = child.communicate(timeout=300)
    assert child.returncode == -number
    assert out == ""
    assert not left(tree, state)


def test_a_process_that_comes_to_its_end_leaves_none(root, state, tree):
    with at_work(root, state) as child:
        assert child.communicate("", timeout=300)[0] == "done\n"
    assert not left(tree, state)


@pytest.mark.req("C.pidfile.identity")
def test_what_a_killed_process_left_counts_for_nothing_and_the_next_one_clears_it(
    store, root, state, tree
):
    with at_work(root, state) as child:
        assert busy(store, ("claude-code", "s-1"))
        assert not busy(store, OWN)
        child.send_signal(signal.SIGKILL)
        child.wait(timeout=300)
    assert left(tree) == [f"checkpoint-{child.pid}.pidfile.lock"]
    assert not busy(store, ("claude-code", "s-1"))
    assert [one.alive for one in markers(root)] == [False]
    with marked(store, RESTORE, None, AT) as findings:
        assert findings == []
        assert left(tree) == [f"checkpoint-restore-{os.getpid()}.pidfile.lock"]


@pytest.mark.req("C.pidfile.identity")
def test_a_later_process_of_the_same_number_is_not_the_owner(store, root, tree):
    at = here()
    said = Pidfile(SAVE, os.getppid(), NOW, "/".join(OWN), "1", at.boot, at.ns, at.host)
    put(tree, f"checkpoint-{said.pid}.pidfile.lock", write_pidfile(said))
    assert not busy(store, OWN)
    assert [one.alive for one in markers(root)] == [False]
    real = said._replace(began=started(said.pid))
    put(tree, f"checkpoint-{said.pid}.pidfile.lock", write_pidfile(real))
    assert busy(store, OWN)


def test_the_marker_of_another_machine_is_nobodys_to_judge_or_to_clear(store, tree):
    said = Pidfile(SAVE, DEAD, NOW, "/".join(OWN), "1", host="elsewhere")
    put(tree, f"checkpoint-{DEAD}.pidfile.lock", write_pidfile(said))
    assert not busy(store, OWN)
    with marked(store, SAVE, OWN, AT):
        pass
    assert left(tree) == [f"checkpoint-{DEAD}.pidfile.lock"]


@pytest.mark.req("C.pidfile.identity")
def test_a_dead_marker_that_another_tool_wrote_goes_to_the_trash(store, tree):
    text = f"skill=checkpoint\npid={DEAD}\ntimestamp={NOW}\n"
    put(tree, f"checkpoint-{DEAD}.pidfile.lock", text)
    assert not busy(store, OWN)
    with marked(store, SAVE, OWN, AT):
        assert left(tree) == [f"checkpoint-{os.getpid()}.pidfile.lock"]
    (trashed,) = store.in_trash("sessions")
    assert get("/", trashed.path) == text


def test_a_live_marker_that_another_tool_wrote_counts_for_every_session_of_the_place(store, tree):
    pid = os.getppid()
    put(tree, f"checkpoint-{pid}.pidfile.lock", f"skill=checkpoint\npid={pid}\ntimestamp=x\n")
    assert busy(store, OWN)
    assert busy(store, None)


def test_only_a_save_of_that_session_or_of_none_makes_it_busy(store, tree):
    with marked(store, SAVE, OWN, AT):
        assert busy(store, OWN)
        assert not busy(store, OTHER)
    with marked(store, SAVE, None, AT):
        assert busy(store, OTHER)
    with marked(store, RESTORE, OWN, AT):
        assert not busy(store, OWN)
    put(tree, f"implement-{os.getppid()}.pidfile.lock", f"skill=implement\npid={os.getppid()}\n")
    assert not busy(store, OWN)


@pytest.mark.req("C.pidfile.fail-open")
def test_where_none_can_be_made_one_warning_says_so_and_the_work_goes_on(store, tree, state):
    os.rmdir(tree)
    put(state, "markers", "a file where the folder should be")
    done = False
    with marked(store, SAVE, OWN, AT) as findings:
        done = True
    assert done
    (one,) = findings
    assert one.level == "warning"
    assert one.text.startswith("proceeding without lifecycle protection: ")
    assert "\n" not in one.text


@pytest.mark.req("C.pidfile.fail-open")
def test_a_tree_that_leads_out_of_the_project_gets_no_marker(store, root, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    os.makedirs(os.path.dirname(os.path.join(root, SESSIONS)))
    os.symlink(outside, os.path.join(root, SESSIONS))
    with marked(store, SAVE, OWN, AT) as findings:
        assert [one.slug for one in findings] == ["no-marker"]
        assert not left(str(outside))


def test_work_within_work_has_one_marker_until_the_outer_one_ends(store, tree):
    with marked(store, SAVE, OWN, AT):
        with marked(store, SAVE, OWN, AT) as findings:
            assert findings == []
        assert busy(store, OWN)
    assert not left(tree)


def test_signals_are_afterwards_as_before_and_a_listener_stays(store, tree):
    before = signal.getsignal(signal.SIGTERM)
    with marked(store, SAVE, OWN, AT):
        pass
    assert signal.getsignal(signal.SIGTERM) == before

    def listener(*_: object) -> None: ...

    signal.signal(signal.SIGTERM, listener)
    try:
        with marked(store, SAVE, OWN, AT):
            assert signal.getsignal(signal.SIGTERM) is listener
        assert signal.getsignal(signal.SIGTERM) is listener
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_thread_that_is_not_told_of_signals_has_a_marker_too(store, tree):
    seen = []

    def work() -> None:
        with marked(store, SAVE, OWN, AT) as findings:
            seen.append((findings, len(left(tree))))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    assert seen == [([], 1)]
    assert not left(tree)
