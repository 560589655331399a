"""The laws of every format that discovery finds: GetPut, PutGet, Create, Keep, Total.

A new format is held to them by being there. The real documents beside the repository obey them
too, each with the lens that says it is its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from difflib import SequenceMatcher
from fnmatch import fnmatchcase
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extra import todo
from laws.strategies import changes, checkpoints, damaged, with_strangers
from leftoff.core.json_equal import same
from leftoff.core.model import RULES, Checkpoint, Finding, Item, blank
from leftoff.core.resolve_conflict import resolve
from leftoff.errors import FormatError
from leftoff.formats import lenses
from support import shared

# One example runs several laws; the short profile must stay short on two cores.
some = settings(max_examples=settings().max_examples // 2)
each = pytest.mark.parametrize("lens", [*lenses(), todo], ids=lambda lens: lens.NAME)
given_any = given(st.data())

LEVELS = {"error", "warning", "advice", "info"}


@each
@some
@given_any
def test_a_new_document_reads_back_as_what_it_can_hold(lens: Any, data: st.DataObject):
    c = data.draw(checkpoints(frozenset(lens.HOLDS)))
    path, held = lens.path(c), lens.hold(c)
    text = lens.write(c, "", path)
    assert_same(lens.read(text, path), held)
    assert lens.write(lens.read(text, path), text, path) == text
    assert lens.mine(text, path)
    assert text.encode()


@each
def test_a_document_under_any_name_is_kept_and_can_be_held(lens: Any):
    text = lens.write(_full(lens), "", lens.path(_full(lens)))
    for pattern in lens.PATTERNS:
        for name in ("zz", "0F8FAD5B-D9CB", "2026-05-05-x", "2026-05-05T1200-x", "任务", "A b"):
            path = pattern.replace("*", name)
            c = lens.read(text, path)
            assert_same(lens.hold(c), c, path)
            assert lens.write(c, text, path) == text, path


@each
def test_line_ends_a_byte_order_mark_and_a_missing_last_newline_stay_and_mean_nothing(lens: Any):
    c = _full(lens)
    path = lens.path(c)
    text = lens.write(c, "", path)
    windows = text.replace("\n", "\r\n")
    for variant in (windows, "\ufeff" + text, "\ufeff" + windows, text.rstrip("\n")):
        assert_same(lens.read(variant, path), lens.read(text, path))
        assert lens.write(c, variant, path) == variant
        for field in _texts_held(lens):
            written = lens.write(c._replace(**{field: "after"}), variant, path)
            assert written.startswith("\ufeff") == variant.startswith("\ufeff")
            assert ("\n" in written.replace("\r\n", "")) == ("\r\n" not in variant), field


@each
def test_plain_words_and_known_attributes_are_held_as_they_are(lens: Any):
    held = _full(lens)
    for field in _texts_held(lens):
        assert getattr(held, field) == f"some {field}"
    for field in _lists_held(lens):
        known = dict.fromkeys(RULES[field].attrs, "P1") | {"provider": "linear"}
        said = (Item(f"words on {field}", "a1", known), Item(f"more on {field}", "a2", known))
        items = getattr(lens.hold(held._replace(**{field: said})), field)
        assert [item.id for item in items] == ["a1", "a2"], field
        assert all(item.text or field == "refs" for item in items), field
        for name in RULES[field].attrs:
            assert [item.get(name) for item in items] == ["P1", "P1"], (field, name)


@each
def test_conflicts_that_a_document_records_can_be_resolved_from_it(lens: Any):
    records = (
        Item("text | of the\n\nother side", "intent", {"side": "theirs"}),
        Item("failed", "status", {"side": "ours", "word": "broken"}),
        Item('{"a": [1, null]}', "deep.key", {"side": "theirs", "json": True}),
        Item("", "gone", {"side": "ours", "removed": True}),
    )
    c = _full(lens)._replace(conflicts=records)
    path = lens.path(c)
    found = lens.read(lens.write(c, "", path), path)._replace(extra={"deep": {"key": 1}, "gone": 2})
    for record in records:
        found = resolve(found, record.id, record.get("side"))
    assert (found.intent, found.status, found.word) == (records[0].text, "failed", "broken")
    assert found.extra == {"deep": {"key": {"a": [1, None]}}}
    assert found.conflicts == ()


@each
@some
@given_any
def test_an_old_document_reads_back_as_what_was_written_into_it(lens: Any, data: st.DataObject):
    c = data.draw(checkpoints(frozenset(lens.HOLDS)))
    path = lens.path(c)
    old = lens.write(data.draw(checkpoints(frozenset(lens.HOLDS)))._replace(id=c.id), "", path)
    text = lens.write(c, old, path)
    assert_same(lens.read(text, path), lens.hold(c))
    assert lens.write(c, text, path) == text


@each
@some
@given_any
def test_holding_twice_is_holding_once_and_the_path_is_safe(lens: Any, data: st.DataObject):
    c = data.draw(checkpoints())
    held = lens.hold(c)
    assert_same(lens.hold(held), held)
    assert all(
        value == blank(field) or field in lens.HOLDS
        for field, value in zip(Checkpoint._fields, held, strict=True)
    )
    path = lens.path(c)
    assert any(_matches(path, pattern) for pattern in lens.PATTERNS)
    segments = path.split("/")
    assert not {"", ".", ".."} & set(segments)
    assert path.isprintable()
    assert len(max(segments, key=len).encode()) < 256


@each
@some
@given_any
def test_what_a_format_does_not_know_survives_any_change(lens: Any, data: st.DataObject):
    c = data.draw(checkpoints(frozenset(lens.HOLDS)))
    path = lens.path(c)
    text, strange = with_strangers(lens.write(c, "", path), path)
    before = lens.read(text, path)
    field, value = data.draw(changes(frozenset(lens.HOLDS)))
    value = {**before.extra, **value} if field == "extra" else value
    after = before._replace(**{field: value})
    written = lens.write(after, text, path)
    assert all(line in written.split("\n") for line in strange)
    if lens.path(after) == lens.path(before):
        assert_same(lens.read(written, path), lens.hold(after))


@each
@some
@given_any
def test_any_text_is_a_checkpoint_or_a_format_error(lens: Any, data: st.DataObject):
    c = data.draw(checkpoints(frozenset(lens.HOLDS)))
    path = lens.path(c)
    text = data.draw(damaged(lens.write(c, "", path)))
    assert_total(lens, text, path, c)


@each
@pytest.mark.parametrize(
    "start", ["", "{", "---\n", "# ", "```\n", "<!--", '{"a": "', "- ", "| a |"]
)
def test_the_beginning_of_something_is_a_checkpoint_or_a_format_error(lens: Any, start: str):
    for tail in (
        "",
        "\0",
        "\ud800",
        '"\\ud800"}',
        "]}" * 3000,
        "[" * 3000,
        "> " * 3000,
        "\r",
        "\ufeff",
    ):
        assert_total(lens, start + tail, lens.path(Checkpoint("x")), Checkpoint("x"))


@each
def test_a_lone_surrogate_can_be_written_to_disk(lens: Any):
    c = Checkpoint(
        "x", summary="a \ud800 b", decisions=(Item("c \udfff d"),), extra={"k": "\ud800"}
    )
    path = lens.path(c)
    assert lens.write(c, "", path).encode()
    assert lens.write(c, lens.write(Checkpoint("x"), "", path), path).encode()


@each
def test_a_change_of_one_text_touches_the_lines_that_say_it(lens: Any):
    for field in _texts_held(lens):
        before = _full(lens)._replace(**{field: "before"})
        path = lens.path(before)
        if lens.path(before._replace(**{field: "after"})) != path:
            continue
        old = lens.write(before, "", path)
        new = lens.write(before._replace(**{field: "after"}), old, path)
        removed, added = _difference(old, new)
        assert all("before" in line for line in removed), (field, removed, added)
        assert all("after" in line for line in added), (field, removed, added)
        assert len(removed) == len(added) <= 2


@each
def test_one_more_item_touches_its_neighbour_at_most(lens: Any):
    for field in _lists_held(lens):
        before = _full(lens)
        more = (*getattr(before, field), Item("one more", "zz"))
        path = lens.path(before)
        old = lens.write(before, "", path)
        new = lens.write(before._replace(**{field: more}), old, path)
        removed, added = _difference(old, new)
        assert len(removed) <= 1, (field, removed, added)
        assert len(added) <= 16, (field, removed, added)


@pytest.mark.shared
@pytest.mark.req("X.import.tolerant")
def test_every_real_document_is_kept_byte_for_byte():
    kept: dict[str, int] = {}
    for path, text, lens in owned():
        if broken := failure(lens.read, text, path):
            assert broken.line > 0
            assert any(one.level == "error" for one in lens.check(text, path))
            continue
        c = lens.read(text, path)
        assert_same(lens.hold(c), c, path)
        windows = text.replace("\r\n", "\n").replace("\n", "\r\n")
        for variant in (text, windows, "\ufeff" + text, text.rstrip("\n")):
            assert lens.write(lens.read(variant, path), variant, path) == variant, path
        kept[lens.NAME] = kept.get(lens.NAME, 0) + 1
    assert all(kept.get(lens.NAME) for lens in lenses()), kept


@pytest.mark.shared
def test_every_field_of_every_real_document_can_be_changed():
    for path, text, lens in owned():
        if failure(lens.read, text, path):
            continue
        before = lens.read(text, path)
        for field, value in _new_values(before, lens):
            after = before._replace(**{field: value})
            if lens.path(after) != lens.path(before):
                continue
            written = lens.write(after, text, path)
            assert_same(lens.read(written, path), lens.hold(after), f"{path}: {field}")
            if same(lens.hold(after), before):
                assert written == text, f"{path}: {field}"


@pytest.mark.shared
def test_every_real_document_cut_anywhere_is_a_checkpoint_or_a_format_error():
    for path, text, lens in owned():
        for at in range(0, len(text), max(1, len(text) // 12)):
            assert_total(lens, text[:at], path, Checkpoint("x"))
            assert_total(lens, text[at:], path, Checkpoint("x"))


def assert_same(found: Checkpoint, wanted: Checkpoint, where: str = "") -> None:
    """Equal with types, field by field, so that a failure names the field."""
    for field, one, other in zip(Checkpoint._fields, found, wanted, strict=True):
        assert one == other, f"{where} {field}"
        assert same(one, other), f"{where} {field}: {one!r} and {other!r} differ in type"


def assert_total(lens: Any, text: str, path: str, c: Checkpoint) -> None:
    """A checkpoint or a FormatError, which `check` then reports; no other exception anywhere."""
    lens.mine(text, path)
    findings = lens.check(text, path)
    assert all(isinstance(one, Finding) and one.level in LEVELS for one in findings)
    broken = failure(lens.read, text, path)
    assert broken is None or broken.line >= 0
    assert broken is None or any(one.level == "error" for one in findings), text
    failure(lens.write, c, text, path)


def failure(call: Any, *given: Any) -> FormatError | None:
    try:
        call(*given)
    except FormatError as error:
        return error
    return None


def owned() -> Iterator[tuple[str, str, Any]]:
    """Every real document that one lens calls its own, at the path where it would stand."""
    root = shared("samples")
    for place, _, names in sorted(os.walk(root)):
        for name in sorted(names):
            file = os.path.join(place, name)
            with open(file, encoding="utf-8", newline="") as opened:
                text = opened.read()
            path = _pretend(os.path.relpath(file, root))
            owners = [lens for lens in lenses() if lens.mine(text, path)]
            assert len(owners) <= 1, (path, [lens.NAME for lens in owners])
            yield from ((path, text, lens) for lens in owners)


def _pretend(sample: str) -> str:
    """Where in a project a sample would stand."""
    system, *_, folder, name = (
        sample.split(os.sep) if sample.count(os.sep) > 1 else ("", "", sample)
    )
    if system == "opchain":
        skill = folder.partition("-")[2] if "merges" in sample else ""
        return f".checkpoints/{skill}.checkpoint.json" if skill else f".checkpoints/{name}"
    if system == "coihuin":
        return f"checkpoints/{'archive' if folder == 'archive' else 'active'}/{name}"
    if system == "quoin":
        kind = "sessions" if folder == "sessions" else "checkpoints"
        return f".workflow_artifacts/memory/{kind}/{name.replace('pre-auto.', '2026-11-15-')}"
    if system == "hapi-thread" and "threads" in sample:
        return f".checkpoints/threads/{folder}/{name}"
    return f"status/{name.replace('.example', '')}" if name.endswith(".json") else name


def _matches(path: str, pattern: str) -> bool:
    parts, wanted = path.split("/"), pattern.split("/")
    return len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))


def _full(lens: Any) -> Checkpoint:
    """A checkpoint that says one short thing in every field a format holds."""
    c = Checkpoint("chk-full", created="2026-01-05T10:00:00Z", updated="2026-01-06T10:00:00Z")
    said: dict[str, Any] = {field: f"some {field}" for field in _texts_held(lens)}
    said |= {
        field: (Item(f"first of {field}", "a1"), Item(f"second of {field}", "a2"))
        for field in _lists_held(lens)
    }
    return lens.hold(c._replace(**said))


def _texts_held(lens: Any) -> list[str]:
    known = {"id", "created", "updated", "status", "word"}
    return [
        f
        for f in Checkpoint._fields
        if f in lens.HOLDS and isinstance(blank(f), str) and f not in known
    ]


def _lists_held(lens: Any) -> list[str]:
    return [field for field in Checkpoint._fields if field in lens.HOLDS and blank(field) == ()]


def _new_values(c: Checkpoint, lens: Any) -> Iterator[tuple[str, Any]]:
    for field in _texts_held(lens):
        yield field, "quite another text"
    for field in _lists_held(lens):
        items = getattr(c, field)
        yield field, (*items, Item("one more item"))
        if items:
            yield field, items[1:]
            yield field, (items[0]._replace(text="quite another item"), *items[1:])
    yield "updated", "2026-11-11T11:11:11Z"


def _difference(old: str, new: str) -> tuple[list[str], list[str]]:
    before, after = old.split("\n"), new.split("\n")
    removed, added = [], []
    for tag, a, b, x, y in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            removed += before[a:b]
            added += after[x:y]
    return removed, added
