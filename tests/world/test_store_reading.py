"""The store reads every document, shows the broken ones as such, and nothing from outside."""

from __future__ import annotations

import os

import pytest

from leftoff.errors import FormatError, LeftoffError, NotFound, Usage
from leftoff.world import read_streams
from leftoff.world import store as store_module
from leftoff.world.store import Store
from world.fake_lens import NOW, A, B, adding, contents, everything, lay, note

THREAD = ".checkpoints/threads/t1"


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
        lambda: store.change("CHECKPOINT.md", adding("- x\n")),
        lambda: store.trash("CHECKPOINT.md", NOW),
        lambda: store.move("CHECKPOINT.md", "old", "x.md"),
    ):
        with pytest.raises(Usage, match="only read"):
            write()
    assert everything(store.root) == {"CHECKPOINT.md": note("thread", id="t1")}


@pytest.mark.parametrize("form", ["link", "line"])
def test_a_change_through_the_alias_reaches_the_file_it_names(store: Store, form):
    target = f"{THREAD}/CHECKPOINT.md"
    lay(store.root, {target: note("thread", id="t1")})
    alias = os.path.join(store.root, "CHECKPOINT.md")
    if form == "link":
        os.symlink(target, alias)
    else:
        lay(store.root, {"CHECKPOINT.md": target})
    assert store.change("CHECKPOINT.md", adding("- new\n")).path == target
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
        store.change(link, adding("- x\n"))


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
    for use in (store.read, lambda path: store.change(path, adding("- x\n"))):
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
    monkeypatch.setattr(read_streams, "read_bytes", refuse)
    [stream] = store.streams()
    assert stream.glance.broken == "cannot read it: permission denied"


def test_a_document_that_vanishes_while_it_is_listed_is_left_out(store: Store, monkeypatch):
    def vanish(path):
        raise NotFound("gone")

    lay(store.root, {A: note()})
    monkeypatch.setattr(read_streams, "read_bytes", vanish)
    assert store.streams() == []
    with pytest.raises(NotFound):
        read_streams.stream_of(store.root, A, "skill")


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
    os.symlink("circle", os.path.join(store.root, "h/circle"))
    assert store.files_in("h") == ["a", "b"]
    os.symlink("round", os.path.join(store.root, "round"))
    with pytest.raises(LeftoffError, match="cannot read round: too many levels"):
        store.files_in("round")


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
