"""What the system tells of changes; and that in any doubt the answer is to look at everything."""

from __future__ import annotations

import gc
import os
import shutil
import sys

import pytest

from leftoff.world import inotify, mounts
from leftoff.world.inotify import WHOLE, News, Notices
from projects import put

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has inotify")
NOTHING = News(set(), set())


@pytest.fixture
def clock():
    return [0.0]


@pytest.fixture
def line(clock, monkeypatch):
    monkeypatch.setattr(mounts, "tell_of_changes", lambda _: True)  # wherever tests are run
    return Notices(lambda: clock[0])


@pytest.fixture
def folder(tmp_path):
    put(tmp_path, "here/a.md", "one")
    return str(tmp_path / "here")


@pytest.fixture
def inbox(line, folder):
    """Somebody who looked, and is told of one folder from then on."""
    return inbox_of(line, folder)


def inbox_of(line, *folders):
    one = line.inbox()
    assert one.news() is None
    one.settled(lambda: (folders[:1], folders))
    return one


def replaced(folder):
    put(folder, "a.md.new", "two")
    os.rename(f"{folder}/a.md.new", f"{folder}/a.md")


def written(folder):
    with open(f"{folder}/a.md", "r+", encoding="utf-8") as file:
        file.write("two")


def backed_up(folder):
    """As editors write that keep the old text."""
    os.rename(f"{folder}/a.md", f"{folder}/a.md~")
    put(folder, "a.md", "two")


@linux
@pytest.mark.parametrize(
    "change",
    [
        written,
        replaced,
        backed_up,
        lambda folder: os.chmod(f"{folder}/a.md", 0),
        lambda folder: os.utime(f"{folder}/a.md", (1, 1)),
        lambda folder: os.truncate(f"{folder}/a.md", 0),
        lambda folder: os.unlink(f"{folder}/a.md"),
        lambda folder: put(folder, "a.md", "two"),
    ],
)
def test_whatever_is_done_to_a_file_is_told_at_once(inbox, folder, change):
    assert inbox.news() == NOTHING
    change(folder)
    told = inbox.news()
    assert f"{folder}/a.md" in told.files
    assert not told.folders
    assert inbox.news() == NOTHING


@linux
def test_folders_that_come_and_go_are_told_apart(inbox, folder):
    os.mkdir(f"{folder}/new")
    assert inbox.news() == News(set(), {f"{folder}/new"})
    os.rmdir(f"{folder}/new")
    assert inbox.news() == News(set(), {f"{folder}/new"})
    os.chmod(folder, 0o700)
    assert inbox.news() == News(set(), {folder})


@linux
def test_a_folder_that_goes_or_is_made_anew_leaves_everything_in_doubt(inbox, folder):
    shutil.rmtree(folder)
    put(folder, "a.md", "one")
    assert inbox.news() is None
    assert not inbox.settled(lambda: ([folder], [folder]))
    assert inbox.settled(lambda: ([folder], [folder]))
    written(folder)
    assert inbox.news().files == {f"{folder}/a.md"}


@linux
def test_another_folder_in_its_place_is_seen_although_nobody_tells(line, folder):
    os.makedirs(f"{folder}/deep/er")
    inbox = inbox_of(line, f"{folder}/deep/er")
    assert inbox.news() == NOTHING
    os.rename(f"{folder}/deep", f"{folder}/gone")
    os.makedirs(f"{folder}/deep/er")
    assert inbox.news() is None


@linux
def test_a_folder_on_top_that_is_not_there_yet_is_seen_when_it_comes(line, folder):
    inbox = line.inbox()
    inbox.news()
    inbox.settled(lambda: ([folder, f"{folder}/later"], [folder]))
    assert inbox.news() == NOTHING
    os.mkdir(f"{folder}/later")
    assert inbox.news() is None


@linux
def test_a_queue_that_ran_over_leaves_everything_in_doubt_for_all(line, inbox, folder):
    other = inbox_of(line, os.path.dirname(folder))
    put(folder, "b.md", "two")
    with open("/proc/sys/fs/inotify/max_queued_events", encoding="ascii") as file:
        most = int(file.read())
    for _ in range(most // 2 + 1):  # the same again at once would be told once
        os.utime(f"{folder}/a.md")
        os.utime(f"{folder}/b.md")
    assert inbox.news() is None
    assert other.news() is None


@linux
def test_too_many_paths_are_a_reason_to_look(inbox, folder, monkeypatch):
    monkeypatch.setattr(inotify, "MANY", 2)
    for n in range(4):
        put(folder, f"{n}.md", "")
    assert inbox.news() is None


@linux
def test_once_a_minute_all_is_looked_at_by_all_for_the_same_page(line, folder, clock):
    one, other = inbox_of(line, folder), line.inbox()
    clock[0] += WHOLE / 2
    assert other.news() is None
    other.settled(lambda: ([folder], [folder]))
    clock[0] += WHOLE / 2
    assert one.news() is None
    assert other.news() is None
    assert one.news() == other.news() == NOTHING


@linux
def test_a_doubt_that_comes_while_somebody_looks_is_not_forgotten(line, inbox, folder, monkeypatch):
    assert inbox.news() == NOTHING
    monkeypatch.setattr(inotify, "MANY", 0)
    written(folder)
    line.inbox().news()  # empties the queue for all
    assert not inbox.settled(lambda: ([folder], [folder]))
    assert inbox.settled(lambda: ([folder], [folder]))


@linux
def test_new_folders_ask_for_a_second_look(line, folder):
    inbox = line.inbox()
    inbox.news()
    assert not inbox.settled(lambda: ([folder], [folder]))
    assert inbox.settled(lambda: ([folder], [folder]))


def watched(line):
    """How many folders this line watches; others of the process come and go with other tests."""
    with open(f"/proc/self/fdinfo/{line._system[0]}", encoding="ascii") as file:
        return sum(one.startswith("inotify ") for one in file)


@linux
def test_no_more_folders_are_watched_than_a_share_of_what_the_system_allows(
    tmp_path, folder, monkeypatch
):
    monkeypatch.setattr(mounts, "tell_of_changes", lambda _: True)
    put(tmp_path, "limit", "8")
    line = Notices(lambda: 0.0, str(tmp_path / "limit"))
    folders = [f"{folder}/{n}" for n in range(3)]
    for path in folders:
        os.mkdir(path)
    inbox = line.inbox()
    assert inbox.news() is None
    assert inbox.settled(lambda: ([folder], folders))
    assert inbox.refused
    assert inbox.news() is None
    assert watched(line) == 0
    assert not line.inbox().settled(lambda: ([folder], folders[:2]))
    assert watched(line) == 2


@linux
def test_folders_that_two_want_are_watched_once_and_until_both_leave(line, folder):
    one, other = inbox_of(line, folder), inbox_of(line, folder)
    assert watched(line) == 1
    written(folder)
    assert one.news().files == other.news().files == {f"{folder}/a.md"}
    one.settled(lambda: ([folder], []))
    assert watched(line) == 1
    other.settled(lambda: ([folder], []))
    assert watched(line) == 0


@linux
def test_the_line_is_closed_with_who_had_it(folder):
    line = Notices()
    place = f"/proc/self/fd/{line._system[0]}"
    assert os.path.lexists(place)
    del line
    gc.collect()
    assert not os.path.lexists(place)


def refusing(line, folder, clock):
    """It is asked once in a minute, and nothing is ever sure."""
    inbox, asked = line.inbox(), []

    def where():
        asked.append(1)
        return [folder], [folder]

    for _ in range(3):
        assert inbox.news() is None
        assert inbox.settled(where)
        assert inbox.refused
    assert len(asked) == 1
    clock[0] += WHOLE
    assert not inbox.refused
    inbox.settled(where)
    return len(asked) == 2


@pytest.mark.parametrize("lack", ["no function", "no instance left", "no limit told"])
def test_where_the_system_does_not_tell_everything_is_looked_at(folder, clock, monkeypatch, lack):
    monkeypatch.setattr(mounts, "tell_of_changes", lambda _: True)
    if lack == "no function":
        monkeypatch.setattr("ctypes.CDLL", lambda *_, **__: object())
    if lack == "no instance left":
        lib = type("Lib", (), {"inotify_init1": staticmethod(lambda _: -1)})
        monkeypatch.setattr("ctypes.CDLL", lambda *_, **__: lib)
    limit = f"{folder}/none" if lack == "no limit told" else inotify.LIMIT
    assert refusing(Notices(lambda: clock[0], limit), folder, clock)


@linux
def test_what_others_may_change_unseen_is_looked_at(line, folder, clock, monkeypatch):
    monkeypatch.setattr(mounts, "tell_of_changes", lambda _: False)
    assert refusing(line, folder, clock)


@linux
def test_a_link_to_a_folder_is_none(line, folder, clock):
    os.symlink(folder, f"{folder}-link")
    assert refusing(line, f"{folder}-link", clock)


@linux
def test_two_names_of_one_folder_are_refused(line, folder, tmp_path):
    os.symlink(tmp_path, f"{tmp_path}/round")
    inbox = line.inbox()
    inbox.news()
    assert inbox.settled(lambda: ([folder], [folder, f"{tmp_path}/round/here"]))
    assert inbox.refused
