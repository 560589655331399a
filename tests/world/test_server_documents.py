"""The documents that a server knows are those of the listing, whatever happens to them."""

from __future__ import annotations

import os
import shutil
from glob import glob
from mmap import mmap

import pytest

from histories import state
from leftoff.world import glance_cache, scan, server_documents, stream_list
from leftoff.world.inotify import WHOLE, Notices
from leftoff.world.server_documents import ServerDocuments
from projects import THREAD_JSON, THREAD_MD, put, put_all, put_skill
from support import git, repo


@pytest.fixture
def root(tmp_path):
    place = repo(tmp_path)
    put_all(place)
    return place


@pytest.fixture
def time():
    return [0.0]


@pytest.fixture
def known(time, way):
    return ServerDocuments(lambda: time[0], None if way == "asks" else Notices(lambda: time[0]))


@pytest.fixture
def look(root, monkeypatch, time, known):
    """What a server knows after its second."""
    monkeypatch.setattr(
        glance_cache, "RACY", -1 << 62
    )  # else what was written just now is read each time

    def streams():
        time[0] += server_documents.SHARED
        return known.streams(root, state(), 0)[1]

    return streams


@pytest.fixture
def asked(monkeypatch):
    """What a look asks the system: paths of documents, and walks."""
    counts = {"files": 0, "walks": 0}
    changed, look, as_it_is = server_documents._changed, scan.look, server_documents._print

    def all_files(found):
        counts["files"] += len(found.files)
        return changed(found)

    def one_file(root, path):
        counts["files"] += 1
        return as_it_is(root, path)

    def walk(root, table):
        counts["walks"] += 1
        return look(root, table)

    monkeypatch.setattr(server_documents, "_changed", all_files)
    monkeypatch.setattr(server_documents, "_print", one_file)
    monkeypatch.setattr(scan, "look", walk)

    def since():
        told = dict(counts)
        counts.update(files=0, walks=0)
        return told

    return since


@pytest.fixture
def shown(root, look):
    """The same; it is what the listing finds."""

    def streams():
        found = look()
        assert found == stream_list.streams(root, state(), 0)[1]
        return found

    return streams


def test_whatever_comes_goes_or_changes_is_seen(shown, root):
    shown()
    put_skill(root, "oc-new")
    assert "oc-new" in {one.glance.id for one in shown()}
    put_skill(root, "oc-new", progress_summary="Another word")
    assert "Another word" in {one.glance.summary for one in shown()}
    folder = ".checkpoints/threads/thread-00000007"
    put(root, f"{folder}/notes.txt", "nothing of ours")
    before = len(shown())
    put(root, f"{folder}/CHECKPOINT.md", THREAD_MD.replace("thread-1a2b3c4d", "thread-00000007"))
    assert len(shown()) == before + 1
    os.unlink(os.path.join(root, folder, "CHECKPOINT.md"))
    assert len(shown()) == before
    os.rename(os.path.join(root, ".checkpoints"), os.path.join(root, "elsewhere"))
    assert len(shown()) < before


def test_links_are_looked_at_each_time(shown, root):
    put(root, "other/x.checkpoint.json", "{}")
    link = os.path.join(root, ".checkpoints", "x.checkpoint.json")
    os.symlink("../other/x.checkpoint.json", link)
    shown()
    put(root, "other/x.checkpoint.json", '{"skill": "x", "status": "blocked"}')
    assert "blocked" in {one.glance.status for one in shown()}


def test_only_what_changed_is_read_and_nothing_is_walked(look, root, monkeypatch):
    first = look()
    monkeypatch.setattr("leftoff.world.scan.look", None)
    path = next(one.parts[0] for one in first if one.glance.format == "thread")
    with open(os.path.join(root, path), "a", encoding="utf-8") as file:
        file.write("\n")
    again = look()
    others = [one.parts for one, other in zip(first, again, strict=True) if one is not other]
    assert [path in parts for parts in others] == [True]
    assert all(one is other for one, other in zip(again, look(), strict=True))


THREADS = ".checkpoints/threads"
OWN = f"{THREADS}/thread-1a2b3c4d"


def new_thread(root, name="thread-00000009"):
    put(root, f"{THREADS}/{name}/thread.json", THREAD_JSON.replace("thread-1a2b3c4d", name))
    put(root, f"{THREADS}/{name}/CHECKPOINT.md", THREAD_MD.replace("thread-1a2b3c4d", name))


def edited(root, text="Another task"):
    path = os.path.join(root, OWN, "CHECKPOINT.md")
    with open(path, "r+", encoding="utf-8") as file:
        file.write(THREAD_MD.replace("Add rate limiting", text))
        file.truncate()


def saved_beside(root):
    put(root, f"{OWN}/CHECKPOINT.md.swp", THREAD_MD + "\n")
    os.replace(
        os.path.join(root, OWN, "CHECKPOINT.md.swp"), os.path.join(root, OWN, "CHECKPOINT.md")
    )


def made_anew(root):
    shutil.rmtree(os.path.join(root, OWN))
    put(root, f"{OWN}/thread.json", THREAD_JSON)
    put(root, f"{OWN}/CHECKPOINT.md", THREAD_MD + "\n- more\n")


def all_made_anew(root):
    os.rename(os.path.join(root, ".checkpoints"), os.path.join(root, "before"))
    new_thread(root)


def checked_out(root):
    git("add", "-A", cwd=root)
    git("commit", "--quiet", "-m", "One", cwd=root)
    new_thread(root)
    edited(root, "On the branch")
    os.unlink(glob(os.path.join(root, ".checkpoints", "*.checkpoint.json"))[0])
    git("add", "-A", cwd=root)
    git("commit", "--quiet", "-m", "Two", cwd=root)
    git("checkout", "--quiet", "HEAD~1", cwd=root)


def linked_folder(root):
    """A thread's folder that lies elsewhere in the project."""
    new_thread(root)
    os.rename(os.path.join(root, THREADS, "thread-00000009"), os.path.join(root, "aside"))
    os.symlink("../../aside", os.path.join(root, THREADS, "thread-00000009"))


def moved_root(root):
    os.rename(root, f"{root}-old")
    shutil.copytree(f"{root}-old", root, symlinks=True)
    edited(root)


def unreadable(root):
    os.chmod(os.path.join(root, OWN, "CHECKPOINT.md"), 0)


def back_in_time(root):
    path = os.path.join(root, OWN, "CHECKPOINT.md")
    seen = os.stat(path)
    edited(root, "Add rate limitinG")  # as long as before
    os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))


def new_back_in_time(root):
    """As tools do it that copy folders with their times."""
    new_thread(root)
    os.utime(os.path.join(root, THREADS), (1, 1))


@pytest.mark.parametrize(
    "change",
    [
        new_thread,
        new_back_in_time,
        edited,
        saved_beside,
        made_anew,
        all_made_anew,
        checked_out,
        linked_folder,
        moved_root,
        unreadable,
        back_in_time,
        lambda root: os.unlink(os.path.join(root, OWN, "CHECKPOINT.md")),
        lambda root: put(root, f"{THREADS}/thread-0000000a/thread.json", THREAD_JSON),
        lambda root: os.rename(os.path.join(root, OWN), os.path.join(root, THREADS, "other")),
        lambda root: put(root, "CHECKPOINT.md", f"{OWN}/CHECKPOINT.md"),
        lambda root: put(root, "status/sessions_summary.json", "{}"),
    ],
)
def test_no_change_is_missed_whoever_made_it(shown, root, change):
    put(root, f"{OWN}/thread.json", THREAD_JSON)
    put(root, f"{OWN}/CHECKPOINT.md", THREAD_MD)
    os.utime(os.path.join(root, THREADS), (1, 1))
    before = shown()
    assert shown() == before
    change(root)
    shown()
    put(root, f"{OWN}/CHECKPOINT.md", THREAD_MD.replace("Add rate limiting", "And again"))
    shown()
    new_thread(root, "thread-0000000b")
    shown()
    edited_later = os.path.join(root, THREADS, "thread-0000000b", "CHECKPOINT.md")
    with open(edited_later, "a", encoding="utf-8") as file:
        file.write("\n- the last\n")
    shown()


def test_where_the_system_tells_only_what_changed_is_asked(look, root, way, asked):
    for n in range(20):
        new_thread(root, f"thread-{n:08x}")
    files = len(look()) * 2
    look()
    asked()
    look()
    everything = asked()
    if way != "told":
        assert everything["files"] >= files - 10
        return
    assert everything == {"files": 0, "walks": 0}
    put(root, f"{THREADS}/thread-00000003/CHECKPOINT.md", THREAD_MD)
    look()
    assert asked() == {"files": 2, "walks": 0}
    put(root, f"{THREADS}/thread-00000003/notes.txt", "nothing of ours")
    put(root, "README.txt", "nor this")
    look()
    assert asked() == {"files": 0, "walks": 0}


def test_a_change_that_nobody_tells_is_seen_within_a_minute(shown, root, time):
    shown()
    shown()
    path = os.path.join(root, OWN, "CHECKPOINT.md")
    with open(path, "r+b") as file, mmap(file.fileno(), 0) as memory:
        memory[:3] = b"## "  # the system says nothing of this
        memory.flush()
    time[0] += WHOLE
    shown()


def test_a_change_that_is_told_while_somebody_looks_is_seen_by_the_next(root, monkeypatch):
    known, again = ServerDocuments(lambda: 0.0), server_documents._again

    def meanwhile(*given):
        found = again(*given)
        put_skill(root, "oc-new")
        known.forget()
        return found

    monkeypatch.setattr(server_documents, "_again", meanwhile)
    known.streams(root, state(), 0)
    assert "oc-new" in {one.glance.id for one in known.streams(root, state(), 0)[1]}


def test_where_the_system_tells_a_page_shows_what_changed_a_moment_ago(root, look, known, way):
    look()
    mark = known.mark
    put_skill(root, "oc-new")
    known.turn()
    now = known.streams(root, state(), 0)[1]
    assert ("oc-new" in {one.glance.id for one in now}) == (way == "told")
    assert (known.mark != mark) == (way == "told")
    edited(root)
    mark = known.mark
    look()
    assert known.mark != mark
    mark = known.mark
    look()
    assert known.mark == mark


def test_links_leave_everything_to_be_looked_at(shown, root, asked):
    linked_folder(root)
    shown()
    asked()
    with open(os.path.join(root, "aside", "CHECKPOINT.md"), "a", encoding="utf-8") as file:
        file.write("\n- more\n")
    shown()
    assert asked()["walks"]
