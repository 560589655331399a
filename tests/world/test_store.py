"""The store reads every document, changes one without losing anybody's, and leaves strangers alone."""

from __future__ import annotations

import json
import os
from stat import S_IMODE

import pytest

from leftoff.core.when import instant
from leftoff.errors import Busy, Conflict, FormatError, Invalid, LeftoffError, NotFound, Usage
from leftoff.world import reading
from leftoff.world import store as store_module
from leftoff.world.locks import locked
from leftoff.world.store import TRIES, Store
from leftoff.world.trash import restore
from world.fake_lens import contents, lay, note

A = ".checkpoints/a.checkpoint.json"
B = "checkpoints/active/b.md"
THREAD = ".checkpoints/threads/t1"
NOW = instant("2026-11-15T12:00:00Z") or 0.0


def _say(line: str):
    return lambda text: text + line


def _everything(root: str) -> dict[str, str]:
    walked = os.walk(root)
    paths = [os.path.join(folder, name) for folder, _, names in walked for name in names]
    return {os.path.relpath(path, root): contents("/", path) for path in paths}


# Streams


def test_streams_of_all_formats_come_sorted_by_path(store: Store):
    lay(store.root, {B: note("md", id="b"), A: note(), "checkpoints/archive/c.md": note("md")})
    streams = store.streams()
    assert [(s.glance.path, s.glance.format, s.parts) for s in streams] == [
        (A, "skill", (A,)),
        (B, "md", (B,)),
        ("checkpoints/archive/c.md", "md", ("checkpoints/archive/c.md",)),
    ]
    assert streams[0].glance.summary == "fine"


def test_an_empty_project_has_no_streams(store: Store):
    assert store.streams() == []


def test_the_two_files_of_a_thread_are_one_stream(store: Store):
    lay(
        store.root,
        {
            f"{THREAD}/thread.json": "#thread.json\nid: t1\nsummary: of the json\n",
            f"{THREAD}/CHECKPOINT.md": "#thread\nsummary: of the text\n",
        },
    )
    [stream] = store.streams()
    assert stream.glance[:3] == (f"{THREAD}/CHECKPOINT.md", "thread", "t1")
    assert stream.glance.summary == "of the text"
    assert stream.parts == (f"{THREAD}/CHECKPOINT.md", f"{THREAD}/thread.json")
    whole = store.read_stream(stream)
    assert (whole.id, whole.summary) == ("t1", "of the text")


@pytest.mark.parametrize(
    ("name", "head"), [("thread.json", "thread.json"), ("CHECKPOINT.md", "thread")]
)
def test_a_thread_with_one_file_is_a_stream_too(store: Store, name, head):
    lay(store.root, {f"{THREAD}/{name}": note(head, id="t1")})
    [stream] = store.streams()
    assert stream.glance[:3] == (f"{THREAD}/{name}", "thread", "t1")


def test_findings_of_a_threads_second_file_say_which_file(store: Store):
    lay(
        store.root,
        {
            f"{THREAD}/thread.json": "#thread.json\nid: t1\n",
            f"{THREAD}/CHECKPOINT.md": "#thread\nid: t1\n",
        },
    )
    [stream] = store.streams()
    assert [finding.where for finding in stream.findings] == ["summary", "thread.json: summary"]


@pytest.mark.req("X.path.inside")
@pytest.mark.parametrize("form", ["link", "line", "copy"])
def test_the_checkpoint_at_the_root_is_read_and_not_listed_twice(store: Store, form):
    target = f"{THREAD}/CHECKPOINT.md"
    lay(store.root, {target: note("thread", id="t1")})
    if form == "link":
        os.symlink(target, os.path.join(store.root, "CHECKPOINT.md"))
    else:
        lay(store.root, {"CHECKPOINT.md": target if form == "line" else note("thread", id="t1")})
    assert [stream.glance.path for stream in store.streams()] == [target]
    assert store.read("CHECKPOINT.md").checkpoint.id == "t1"


def test_a_copy_at_the_root_with_no_thread_behind_it_is_a_stream_but_never_written(store: Store):
    lay(store.root, {"CHECKPOINT.md": note("thread", id="t1")})
    assert [stream.glance.id for stream in store.streams()] == ["t1"]
    for write in (
        lambda: store.change("CHECKPOINT.md", _say("- x\n")),
        lambda: store.trash("CHECKPOINT.md", NOW),
        lambda: store.move("CHECKPOINT.md", "old", "x.md"),
    ):
        with pytest.raises(Usage, match="only read"):
            write()
    assert _everything(store.root) == {"CHECKPOINT.md": note("thread", id="t1")}


@pytest.mark.parametrize("form", ["link", "line"])
def test_a_change_through_the_alias_reaches_the_file_it_names(store: Store, form):
    target = f"{THREAD}/CHECKPOINT.md"
    lay(store.root, {target: note("thread", id="t1")})
    alias = os.path.join(store.root, "CHECKPOINT.md")
    if form == "link":
        os.symlink(target, alias)
    else:
        lay(store.root, {"CHECKPOINT.md": target})
    assert store.change("CHECKPOINT.md", _say("- new\n")).path == target
    assert contents(store.root, target).endswith("- new\n")
    assert os.path.islink(alias) is (form == "link")


@pytest.mark.req("X.path.inside")
def test_what_leads_out_of_the_project_shows_as_broken_and_is_not_read(store: Store, tmp_path):
    lay(os.fspath(tmp_path), {"secret.checkpoint.json": note(summary="secret")})
    lay(store.root, {A: note()})
    link = ".checkpoints/b.checkpoint.json"
    os.symlink(tmp_path / "secret.checkpoint.json", os.path.join(store.root, link))
    good, bad = store.streams()
    assert good.glance.id == "a"
    assert (bad.glance.id, bad.glance.format) == ("b", "skill")
    assert bad.glance.broken == "is a link that leads outside the project"
    assert "secret" not in repr(bad)
    assert bad.parts == ()
    with pytest.raises(FormatError, match="outside the project"):
        store.read_stream(bad)
    with pytest.raises(Usage):
        store.read(link)
    with pytest.raises(Usage):
        store.change(link, _say("- x\n"))


# Broken documents

BROKEN = {
    "bad syntax": ("#skill\nid: a\n{{{\n", 'line 3: "{{{" is no line of skill'),
    "merge markers": (
        "#skill\n<<<<<<< ours\nid: a\n",
        'line 2: "<<<<<<< ours" is no line of skill',
    ),
    "not UTF-8": (b"#skill\nid: a\nsummary: \xff\n", "line 3: not UTF-8 text (byte 0xff)"),
}


@pytest.mark.req("X.read.broken-reported")
@pytest.mark.parametrize(("content", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_broken_document_is_shown_with_line_and_reason_and_hides_no_other(
    store: Store, content, reason
):
    lay(store.root, {A: content, B: note("md", id="b"), ".checkpoints/c.checkpoint.json": note()})
    bad, *good = store.streams()
    assert len(good) == 2
    assert (bad.glance.path, bad.glance.id, bad.glance.format) == (A, "a", "skill")
    assert bad.glance.broken == reason
    assert [(f.slug, f.level, f.text) for f in bad.findings] == [("broken", "error", reason)]
    for use in (store.read, lambda path: store.change(path, _say("- x\n"))):
        with pytest.raises(FormatError) as caught:
            use(A)
        assert caught.value.where == A
        assert caught.value.line == bad.findings[0].line
    with pytest.raises(FormatError):
        store.read_stream(bad)
    assert store.raw(A).startswith("#skill")
    with open(os.path.join(store.root, A), "rb") as file:
        assert file.read() == (content if isinstance(content, bytes) else content.encode())


@pytest.mark.req("X.read.broken-reported")
def test_a_thread_with_one_broken_file_still_says_what_the_other_knows(store: Store):
    lay(
        store.root,
        {
            f"{THREAD}/CHECKPOINT.md": note("thread", id="t1", summary="known"),
            f"{THREAD}/thread.json": "#thread.json\n}",
        },
    )
    [stream] = store.streams()
    assert stream.glance.summary == "known"
    assert stream.glance.broken == 'thread.json: line 2: "}" is no line of thread.json'
    assert [finding.where for finding in stream.findings] == ["thread.json"]


@pytest.mark.parametrize(
    ("path", "content", "name"),
    [
        (A, "#skill\n?", "a"),
        (B, "#md\n?", "b"),
        (f"{THREAD}/thread.json", "#thread.json\n?", "t1"),
        ("CHECKPOINT.md", "#thread\n?", "CHECKPOINT"),
    ],
)
def test_the_id_of_a_broken_document_is_guessed_from_its_path(store: Store, path, content, name):
    lay(store.root, {path: content})
    [stream] = store.streams()
    assert stream.glance.id == name


def test_a_document_that_may_not_be_read_is_shown_as_broken(store: Store, monkeypatch):
    def refuse(path):
        raise LeftoffError("cannot read it: permission denied")

    lay(store.root, {A: note()})
    monkeypatch.setattr(reading, "read_bytes", refuse)
    [stream] = store.streams()
    assert stream.glance.broken == "cannot read it: permission denied"


def test_a_document_that_vanishes_while_it_is_listed_is_left_out(store: Store, monkeypatch):
    def vanish(path):
        raise NotFound("gone")

    lay(store.root, {A: note()})
    monkeypatch.setattr(reading, "read_bytes", vanish)
    assert store.streams() == []
    with pytest.raises(NotFound):
        reading.stream_of(store.root, A, "skill")


# Reading one


@pytest.mark.req("X.read.text")
def test_a_document_with_mark_and_crlf_keeps_both_when_one_line_changes(store: Store):
    text = "\ufeff" + note().replace("\n", "\r\n")
    lay(store.root, {A: text})
    assert store.read(A).text == text
    store.change(A, lambda old: old.replace("fine", "better"))
    assert contents(store.root, A) == text.replace("fine", "better")


def test_a_document_is_recognised_by_its_content_wherever_it_is(store: Store):
    lay(store.root, {"notes/kept.txt": note("md", id="x")})
    document = store.read("notes/kept.txt")
    assert document.format == "md"
    assert store.stream_at("notes/kept.txt").glance.id == "x"
    assert store.lens_at("notes/kept.txt").NAME == "md"


def test_a_stream_is_found_by_any_of_its_files(store: Store):
    lay(
        store.root,
        {f"{THREAD}/thread.json": note("thread.json"), f"{THREAD}/CHECKPOINT.md": note("thread")},
    )
    assert store.stream_at(f"{THREAD}/thread.json") == store.streams()[0]
    assert store.stream_at(os.path.join(store.root, THREAD, "thread.json")) == store.streams()[0]


def test_the_table_of_formats_comes_from_the_cache_when_there_is_one(store: Store, monkeypatch):
    lay(store.root, {A: note()})
    store.streams()
    monkeypatch.setattr(store_module.scan, "lens_table", lambda: pytest.fail("imported all"))
    assert Store(store.place, store.state).read(A).checkpoint.id == "a"


def test_files_of_a_folder_are_listed_by_name(store: Store):
    lay(store.root, {"h/b": "", "h/a": "", "h/sub/c": ""})
    assert store.files_in("h") == ["a", "b"]
    assert store.files_in("none") == store.files_in("h/a") == []


@pytest.mark.req("X.path.names", "X.path.inside")
@pytest.mark.parametrize("path", ["../victim", "/etc/hostname", "", "a\0b", ".git/config"])
def test_no_verb_takes_a_path_that_is_not_inside(store: Store, path):
    text = note()
    for use in (
        store.read,
        store.raw,
        store.exists,
        store.resolve,
        store.stream_at,
        store.lens_at,
        store.files_in,
        lambda p: store.change(p, str.upper),
        lambda p: store.put(p, text, text),
        lambda p: store.create(p, text),
        lambda p: store.create_missing(p, text),
        lambda p: store.trash(p, NOW),
        lambda p: store.move(p, "old", "x"),
    ):
        with pytest.raises(Usage):
            use(path)
    assert os.listdir(store.root) == []
    assert not os.path.lexists(os.path.join(os.path.dirname(store.root), "victim"))


@pytest.mark.req("X.path.inside")
def test_nothing_is_created_through_a_folder_that_leads_out(store: Store, tmp_path):
    os.mkdir(tmp_path / "out")
    os.symlink(tmp_path / "out", os.path.join(store.root, ".checkpoints"))
    with pytest.raises(Usage):
        store.create(A, note())
    assert os.listdir(tmp_path / "out") == []


# Changing


@pytest.mark.req("X.write.atomic")
def test_a_change_is_written_with_the_mode_kept_and_nothing_left_behind(store: Store):
    lay(store.root, {A: note()})
    os.chmod(os.path.join(store.root, A), 0o664)
    document = store.change(A, _say("- decided\n"))
    assert document.checkpoint.decisions[0].text == "decided"
    assert document == store.read(A)
    assert _everything(store.root) == {A: note() + "- decided\n"}
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
    store.change(A, _say("- decided\n"))
    assert contents(store.root, A) == "#skill\nid: a\n- decided\n"


def test_a_change_that_would_make_the_document_unreadable_is_refused(store: Store):
    lay(store.root, {A: note()})
    for edit in (_say("{{{\n"), _say("- \ud800\n")):
        with pytest.raises(LeftoffError) as caught:
            store.change(A, edit, check=False)
        assert caught.value.where == A
    assert _everything(store.root) == {A: note()}


@pytest.mark.req("X.write.own-files")
def test_a_strangers_file_is_never_changed(store: Store):
    foreign = {
        ".checkpoints/README.md": "# Our own notes\n",
        ".checkpoints/x.checkpoint.json": '{"agent": "y"}',
        "src/app.py": "print()\n",
    }
    lay(store.root, foreign)
    for path, text in foreign.items():
        with pytest.raises(FormatError, match="not a checkpoint of any format"):
            store.change(path, _say("x"))
        with pytest.raises(FormatError):
            store.put(path, text, text + "x")
        with pytest.raises(Conflict, match="exists"):
            store.create(path, note())
        assert not store.create_missing(path, "x")
    assert store.streams() == []
    assert _everything(store.root) == foreign


def test_changing_what_is_not_there_says_so(store: Store):
    for path in (A, "no/folder/x.md"):
        with pytest.raises(NotFound, match="there is no"):
            store.change(path, _say("x"))


def test_a_folder_that_stays_locked_is_busy_and_nothing_is_written(store: Store, monkeypatch):
    lay(store.root, {A: note()})
    folder = os.path.dirname(os.path.join(store.root, A))
    monkeypatch.setattr(Store, "_locked", lambda self, target: locked(folder, wait=0))
    with locked(folder), pytest.raises(Busy):
        store.change(A, _say("- x\n"))
    assert contents(store.root, A) == note()


def test_a_writer_sweeps_up_after_one_that_died(store: Store):
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    litter = f".checkpoints/.leftoff-{pid}-0badcafe.tmp"
    for write in (
        lambda: store.change(A, _say("- x\n")),
        lambda: store.create(".checkpoints/new.checkpoint.json", note()),
    ):
        lay(store.root, {A: note(), litter: "half"})
        write()
        assert litter not in _everything(store.root)


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
    assert list(_everything(store.root)) == [A]


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
    assert _everything(store.root) == {A: note() + f"- round {TRIES}\n"}


def test_an_editor_that_removes_the_file_is_not_overruled(store: Store):
    lay(store.root, {A: note()})

    def edit(text: str) -> str:
        os.unlink(os.path.join(store.root, A))
        return text + "- x\n"

    with pytest.raises(NotFound):
        store.change(A, edit)
    assert _everything(store.root) == {}


# Compare and swap


def test_a_text_made_from_what_is_there_is_written_as_it_is(store: Store):
    lay(store.root, {A: note()})
    document = store.put(A, note(), note() + "- x\n")
    assert document.text == contents(store.root, A) == note() + "- x\n"
    assert not os.path.exists(os.path.join(store.state, "merges.jsonl"))


@pytest.mark.req("X.write.stale-read")
def test_a_text_made_from_an_older_one_is_merged_with_what_is_there(store: Store):
    base = note() + "- common\n"
    lay(store.root, {A: base + "- theirs\n"})
    document = store.put(A, base, base + "- ours\n")
    assert {item.text for item in document.checkpoint.decisions} == {"common", "theirs", "ours"}
    assert document == store.read(A)


@pytest.mark.req("X.write.stale-read")
def test_the_loser_of_newest_wins_is_kept_in_the_log(store: Store):
    base = note(updated="2026-01-01T00:00:00Z", summary="first")
    theirs = note(updated="2026-01-02T00:00:00Z", summary="theirs")
    ours = note(updated="2026-01-03T00:00:00Z", summary="ours")
    lay(store.root, {A: theirs})
    assert store.put(A, base, ours).checkpoint.summary == "ours"
    with open(os.path.join(store.state, "merges.jsonl"), encoding="utf-8") as file:
        lost = [json.loads(line) for line in file]
    assert [
        (line["path"], line["field"], line["value"]) for line in lost if "summary" in str(line)
    ] == [(A, "summary", "theirs")]
    assert all(line["root"] == store.root and line["at"] for line in lost)


@pytest.mark.req("X.write.stale-read")
def test_what_cannot_be_merged_becomes_a_record_in_the_document(store: Store):
    base = note(updated="2026-01-01T00:00:00Z", intent="first")
    lay(store.root, {A: note(updated="2026-01-02T00:00:00Z", intent="theirs")})
    document = store.put(A, base, note(updated="2026-01-03T00:00:00Z", intent="ours"))
    assert [item.id for item in document.checkpoint.conflicts] == ["intent"]
    assert document.checkpoint.intent == "ours"
    assert "! intent\n" in contents(store.root, A)


def test_a_losers_log_that_cannot_be_written_stops_the_merge_before_the_document(store: Store):
    base = note(updated="2026-01-01T00:00:00Z", summary="first")
    theirs = note(updated="2026-01-02T00:00:00Z", summary="theirs")
    lay(store.root, {A: theirs})
    lay(os.path.dirname(store.state), {os.path.basename(store.state): "a file is in the way"})
    with pytest.raises(LeftoffError):
        store.put(A, base, note(updated="2026-01-03T00:00:00Z", summary="ours"))
    assert contents(store.root, A) == theirs


def test_a_text_with_new_errors_is_refused_by_put_as_well(store: Store):
    lay(store.root, {A: note()})
    with pytest.raises(Invalid):
        store.put(A, note(), "#skill\nid: a\n")
    assert contents(store.root, A) == note()


@pytest.mark.req("X.write.stale-read")
def test_a_document_removed_meanwhile_does_not_come_back(store: Store):
    os.mkdir(os.path.join(store.root, ".checkpoints"))
    with pytest.raises(Conflict, match="was removed since it was read"):
        store.put(A, note(), note() + "- x\n")
    assert _everything(store.root) == {}


def test_a_document_broken_meanwhile_is_not_overwritten(store: Store):
    lay(store.root, {A: "#skill\n<<<<<<< ours\n"})
    with pytest.raises(FormatError) as caught:
        store.put(A, note(), note() + "- x\n")
    assert (caught.value.where, caught.value.line) == (A, 2)
    assert contents(store.root, A) == "#skill\n<<<<<<< ours\n"


# Creating, moving, removing


def test_a_new_document_gets_its_folders_and_nothing_is_overwritten(store: Store):
    document = store.create(A, note())
    assert document == store.read(A)
    with pytest.raises(Conflict, match="exists"):
        store.create(A, note(id="other"))
    assert _everything(store.root) == {A: note()}


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
    assert _everything(store.root) == {A: "theirs"}


def test_other_files_are_created_where_missing(store: Store):
    assert store.create_missing(".checkpoints/README.md", "hello\n")
    assert not store.create_missing(".checkpoints/README.md", "other\n")
    assert _everything(store.root) == {".checkpoints/README.md": "hello\n"}


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
    assert list(_everything(store.root)) == [A]


def test_removal_is_a_move_to_the_trash_with_a_way_back(store: Store):
    lay(store.root, {A: note()})
    gone = store.trash(A, NOW)
    assert gone.startswith(os.path.join(store.state, "trash", "2026-11-15"))
    assert not store.exists(A)
    restore(gone)
    assert _everything(store.root) == {A: note()}
    with pytest.raises(NotFound):
        store.trash(B, NOW)


@pytest.mark.req("X.write.no-shell")
@pytest.mark.parametrize("name", ["$(touch x)", "a'b\"c", "a b", "a\nb", "-rf", "*", "文"])
def test_names_with_meaning_to_a_shell_are_only_names(store: Store, name):
    path = f"checkpoints/active/{name}.md"
    lay(store.root, {path: note("md")})
    store.change(path, _say("- x\n"))
    assert [stream.glance.path for stream in store.streams()] == [path]
    moved = store.move(path, "checkpoints/archive", f"{name}.md")
    assert moved == f"checkpoints/archive/{name}.md"
    restore(store.trash(moved, NOW))
    assert _everything(store.root) == {moved: note("md") + "- x\n"}
