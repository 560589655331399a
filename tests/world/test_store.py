"""The store changes one document without losing anybody's, and leaves strangers alone."""

from __future__ import annotations

import json
import os
from stat import S_IMODE

import pytest

from leftoff.core.merge import Loser
from leftoff.errors import Busy, Conflict, FormatError, Invalid, LeftoffError, NotFound, Usage
from leftoff.world import store as store_module
from leftoff.world.locks import locked
from leftoff.world.store import TRIES, Store
from leftoff.world.trash import restore
from world.fake_lens import NOW, A, B, adding, contents, everything, lay, note

# Changing


@pytest.mark.req("X.write.atomic")
def test_a_change_is_written_with_the_mode_kept_and_nothing_left_behind(store: Store):
    lay(store.root, {A: note()})
    os.chmod(os.path.join(store.root, A), 0o664)
    document = store.change(A, adding("- decided\n"))
    assert document.checkpoint.decisions[0].text == "decided"
    assert document == store.read(A)
    assert everything(store.root) == {A: note() + "- decided\n"}
    assert S_IMODE(os.stat(os.path.join(store.root, A)).st_mode) == 0o664


def test_a_change_that_changes_nothing_does_not_touch_the_file(store: Store):
    lay(store.root, {A: note()})
    before = os.stat(os.path.join(store.root, A))
    assert store.change(A, lambda text: text).text == note()
    after = os.stat(os.path.join(store.root, A))
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_change_that_would_break_a_rule_is_refused_with_the_findings(store: Store):
    lay(store.root, {A: note()})
    with pytest.raises(Invalid, match="would not be valid: summary: is missing") as caught:
        store.change(A, lambda text: text.replace("summary: fine\n", "! one\n! two\n"))
    assert [f.slug for f in caught.value.findings] == ["no-summary", "conflict", "conflict"]
    assert "(and 2 more)" in caught.value.message
    assert contents(store.root, A) == note()
    store.change(A, lambda text: text.replace("summary: fine\n", ""), check=False)
    assert "summary" not in contents(store.root, A)


def test_an_error_that_was_there_before_does_not_keep_anybody_from_writing(store: Store):
    lay(store.root, {A: "#skill\nid: a\n"})
    store.change(A, adding("- decided\n"))
    assert contents(store.root, A) == "#skill\nid: a\n- decided\n"


def test_a_change_that_would_make_the_document_unreadable_is_refused(store: Store):
    lay(store.root, {A: note()})
    for edit in (adding("{{{\n"), adding("- \ud800\n")):
        with pytest.raises(LeftoffError) as caught:
            store.change(A, edit, check=False)
        assert caught.value.where == A
    assert everything(store.root) == {A: note()}


@pytest.mark.req("X.write.own-files")
def test_a_strangers_file_is_never_changed(store: Store):
    foreign = {
        ".checkpoints/README.md": "# Our own notes\n",
        ".checkpoints/x.checkpoint.json": '{"agent": "y"}',
        "src/app.py": "print()\n",
    }
    lay(store.root, foreign)
    for path in foreign:
        with pytest.raises(FormatError, match="not a checkpoint of any format"):
            store.change(path, adding("x"))
        with pytest.raises(Conflict, match="exists"):
            store.create(path, note())
        assert not store.create_missing(path, "x")
    assert store.streams() == []
    assert everything(store.root) == foreign


def test_changing_what_is_not_there_says_so(store: Store):
    for path in (A, "no/folder/x.md"):
        with pytest.raises(NotFound, match="there is no"):
            store.change(path, adding("x"))


def test_a_folder_that_stays_locked_is_busy_and_nothing_is_written(store: Store, monkeypatch):
    lay(store.root, {A: note()})
    folder = os.path.dirname(os.path.join(store.root, A))
    monkeypatch.setattr(Store, "_locked", lambda self, target: locked(folder, wait=0))
    with locked(folder), pytest.raises(Busy):
        store.change(A, adding("- x\n"))
    assert contents(store.root, A) == note()


def test_a_writer_sweeps_up_after_one_that_died(store: Store):
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    litter = f".checkpoints/.leftoff-{pid}-0badcafe.tmp"
    for write in (
        lambda: store.change(A, adding("- x\n")),
        lambda: store.create(".checkpoints/new.checkpoint.json", note()),
    ):
        lay(store.root, {A: note(), litter: "half"})
        write()
        assert litter not in everything(store.root)


@pytest.mark.req("X.write.stale-read")
def test_an_editor_that_takes_no_lock_loses_nothing(store: Store):
    """It writes while we are at it: our change is made again on what it wrote."""
    lay(store.root, {A: note()})
    seen = []

    def edit(text: str) -> str:
        seen.append(text)
        if len(seen) == 1:
            lay(store.root, {A: note() + "- from the editor\n"})
        return text + "- from us\n"

    store.change(A, edit)
    assert contents(store.root, A) == note() + "- from the editor\n- from us\n"
    assert len(seen) == 2
    assert list(everything(store.root)) == [A]


@pytest.mark.req("X.write.stale-read")
def test_an_editor_that_never_stops_is_a_conflict_and_keeps_what_it_wrote(store: Store):
    lay(store.root, {A: note()})
    rounds = []

    def edit(text: str) -> str:
        rounds.append(text)
        lay(store.root, {A: note() + f"- round {len(rounds)}\n"})
        return text + "- from us\n"

    with pytest.raises(Conflict, match="keeps changing"):
        store.change(A, edit)
    assert len(rounds) == TRIES
    assert everything(store.root) == {A: note() + f"- round {TRIES}\n"}


def test_an_editor_that_removes_the_file_is_not_overruled(store: Store):
    lay(store.root, {A: note()})

    def edit(text: str) -> str:
        os.unlink(os.path.join(store.root, A))
        return text + "- x\n"

    with pytest.raises(NotFound):
        store.change(A, edit)
    assert everything(store.root) == {}


def test_what_gave_way_is_kept_in_the_log_with_its_place(store: Store):
    store.log_losers(A, [Loser("summary", "theirs", "ours"), Loser("intent", "old", "theirs")])
    with open(os.path.join(store.state, "merges.jsonl"), encoding="utf-8") as file:
        lost = [json.loads(line) for line in file]
    assert [(line["path"], line["field"], line["value"], line["side"]) for line in lost] == [
        (A, "summary", "theirs", "ours"),
        (A, "intent", "old", "theirs"),
    ]
    assert all(line["root"] == store.root and line["at"] for line in lost)


# Creating, moving, removing


def test_a_new_document_gets_its_folders_and_nothing_is_overwritten(store: Store):
    document = store.create(A, note())
    assert document == store.read(A)
    with pytest.raises(Conflict, match="exists"):
        store.create(A, note(id="other"))
    assert everything(store.root) == {A: note()}


def test_text_that_is_no_document_is_not_created(store: Store):
    for text in ("hello", "#skill\n{{{\n"):
        with pytest.raises(FormatError):
            store.create(A, text)
    assert os.listdir(store.root) == []


def test_two_creators_of_one_file_make_one(store: Store, monkeypatch):
    """Another program takes the name between our look and our rename."""
    claim = store_module.Staged.claim

    def overtaken(self):
        lay(store.root, {A: "theirs"})
        return claim(self)

    monkeypatch.setattr(store_module.Staged, "claim", overtaken)
    with pytest.raises(Conflict):
        store.create(A, note())
    assert everything(store.root) == {A: "theirs"}


def test_other_files_are_created_where_missing(store: Store):
    assert store.create_missing(".checkpoints/README.md", "hello\n")
    assert not store.create_missing(".checkpoints/README.md", "other\n")
    assert everything(store.root) == {".checkpoints/README.md": "hello\n"}


def test_a_folder_that_cannot_be_made_is_said_in_plain_words(store: Store):
    lay(store.root, {".checkpoints": "a file"})
    with pytest.raises(LeftoffError, match="cannot create"):
        store.create(A, note())


def test_a_document_moves_into_a_folder_and_back_without_overwriting(store: Store):
    for number in (1, 2):
        lay(store.root, {A: note(id=str(number))})
        store.move(A, ".checkpoints/history", "a.old.checkpoint.json")
    assert sorted(store.files_in(".checkpoints/history")) == [
        "a.old-1.checkpoint.json",
        "a.old.checkpoint.json",
    ]
    assert not store.exists(A)
    kept = ".checkpoints/history/a.old-1.checkpoint.json"
    assert store.move(kept, ".checkpoints", "a.checkpoint.json") == A
    assert contents(store.root, A) == note(id="2")


@pytest.mark.req("X.path.names")
@pytest.mark.parametrize("name", ["../x", "a/b", "", ".", "..", "a\0b", ".git"])
def test_a_move_takes_only_a_plain_name(store: Store, name):
    lay(store.root, {A: note()})
    with pytest.raises(Usage):
        store.move(A, ".checkpoints/history", name)
    assert list(everything(store.root)) == [A]


def test_removal_is_a_move_to_the_trash_with_a_way_back(store: Store):
    lay(store.root, {A: note()})
    gone = store.trash(A, NOW)
    assert gone.startswith(os.path.join(store.state, "trash", "2026-11-15"))
    assert not store.exists(A)
    restore(gone)
    assert everything(store.root) == {A: note()}
    with pytest.raises(NotFound):
        store.trash(B, NOW)


@pytest.mark.req("X.write.no-shell")
@pytest.mark.parametrize("name", ["$(touch x)", "a'b\"c", "a b", "a\nb", "-rf", "*", "文"])
def test_names_with_meaning_to_a_shell_are_only_names(store: Store, name):
    path = f"checkpoints/active/{name}.md"
    lay(store.root, {path: note("md")})
    store.change(path, adding("- x\n"))
    assert [stream.glance.path for stream in store.streams()] == [path]
    moved = store.move(path, "checkpoints/archive", f"{name}.md")
    assert moved == f"checkpoints/archive/{name}.md"
    restore(store.trash(moved, NOW))
    assert everything(store.root) == {moved: note("md") + "- x\n"}
