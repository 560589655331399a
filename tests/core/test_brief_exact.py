"""A brief at its borders: the last byte, the last token, the last item that fits."""

from __future__ import annotations

import pytest

from leftoff.commands import plainly
from leftoff.core import brief as b
from leftoff.core import brief_fit as f
from leftoff.core.brief import brief
from leftoff.core.brief_fit import LeftOut, Room
from leftoff.core.brief_parts import Part, Source
from leftoff.core.find_stream import closest, find, name_of, names
from leftoff.core.glance import glance
from leftoff.core.model import Checkpoint, Item
from leftoff.core.quality import (
    Fact,
    Facts,
    Score,
    first_of,
    last_of,
    total,
)
from leftoff.core.stream import Glance, Stream
from leftoff.errors import Ambiguous, NotFound


def source(native="", verdicts=(), **given):
    c = Checkpoint("x", **given)
    return Source(c, glance(c, "p.json", "skill"), verdicts, native=native)


def made(room=Room(9000, 0), **given):  # noqa: B008  # a record
    return brief(source(**given), room, 0.0, plainly)


def test_a_brief_fits_to_the_last_byte_and_the_last_token():
    given = {"decisions": (Item("a decision " * 40), Item("another decision"))}
    whole = made(**given)
    size = len(whole.text.encode())
    assert whole.left_out == ()
    for room in (Room(9000, size), Room(whole.tokens, 0)):
        assert made(room, **given).text == whole.text
    for room in (Room(9000, size - 1), Room(whole.tokens - 1, 0)):
        less = made(room, **given)
        assert less.left_out == (LeftOut("decisions", 1),)
        assert "- another decision\n- 1 older\n" in less.text
        assert "Left out" not in less.text


def test_parts_come_by_their_rank_and_what_is_left_out_is_counted():
    given = {
        "history": tuple(Item(f"done {n}") for n in range(3)),
        "artifacts": (Item("src/a.py"),),
        "rules": (Item("be kind"),),
        "context": "python",
    }
    text = made(**given).text
    places = [text.index(mark) for mark in ("be kind", "src/a.py", "done 0")]
    assert places == sorted(places)
    small = made(Room(1, 0, shorten=False), **given)
    assert set(small.left_out) == {
        LeftOut("history", 3),
        LeftOut("artifacts", 1),
        LeftOut("context", 0),
    }
    assert "history (3)" in small.text
    assert "context," in small.text or "context\n" in small.text


def test_how_to_go_on_in_the_last_session_is_told_where_it_is_known():
    assert "The last session itself: claude --resume 1\n" in made(native="claude --resume 1").text
    assert "The last session itself" not in made().text


def test_an_item_comes_in_from_the_side_that_the_list_grows_at():
    part = Part("f", "must", "L", ("a", "b", "c"))
    assert [*f._order(part)] == [0, 1, 2]
    assert [*f._order(part._replace(newest_last=True))] == [2, 1, 0]


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("a.py", "a.py ✗"),
        ("see a.py.", "see a.py ✗."),
        ("a.py. Then", "a.py ✗. Then"),
        ("a.py.x", "a.py.x"),
        ("xa.py", "xa.py"),
        ("a.py/b", "a.py/b"),
        ("a.py a.py", "a.py ✗ a.py ✗"),
    ],
)
def test_a_path_that_is_gone_is_marked_and_a_longer_one_is_not(text, marked):
    assert b._at_each("a.py", text) == marked
    part = Part("f", "must", "L", ("other", text))
    assert b._marked(part, ["a.py"]).entries == ("other", marked)


# Names


def stream(ident, path="", **given):
    glanced = Glance(path or f"d/{ident}.checkpoint.json", "skill", ident)
    return Stream(glanced._replace(**given), ())


STREAMS = [
    stream("chk-login", name="The Login"),
    stream("cart"),
    stream("cart", "old/cart.md", status="archived", format="md"),
    stream("checkout"),
]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("cart", "d/cart.checkpoint.json"),
        ("md:cart", "old/cart.md"),
        ("skill:cart", "d/cart.checkpoint.json"),
        ("old/cart.md", "old/cart.md"),
        ("login", "d/chk-login.checkpoint.json"),
        ("checko", "d/checkout.checkpoint.json"),
        ("chk", "d/chk-login.checkpoint.json"),
    ],
)
def test_a_stream_is_found_by_path_kind_id_or_beginning(name, path):
    assert find(STREAMS, name).glance.path == path


def test_several_that_fit_are_named_so_that_each_can_be_chosen():
    with pytest.raises(Ambiguous) as found:
        find(STREAMS, "c")
    assert str(found.value).startswith('"c" matches 3 checkpoints: chk-login (d/chk-login')
    assert found.value.choices == ("skill:chk-login", "skill:cart", "skill:checkout")
    assert found.value.hint == 'say which, for example "skill:chk-login"'
    twins = [stream("a", "x/a.json"), stream("a", "y/a.json")]
    with pytest.raises(Ambiguous) as found:
        find(twins, "a")
    assert found.value.choices == ("x/a.json", "y/a.json")
    archived = [one._replace(glance=one.glance._replace(status="archived")) for one in twins]
    with pytest.raises(Ambiguous):
        find(archived, "a")


def test_what_is_not_there_is_not_found_with_a_hint():
    with pytest.raises(NotFound) as found:
        find(STREAMS, "chekout")
    assert found.value.hint == 'did you mean "checkout"?'
    with pytest.raises(NotFound) as found:
        find(STREAMS, "chekout", exact=True)
    assert found.value.hint == 'run "leftoff list" to see all'
    with pytest.raises(NotFound):
        find(STREAMS, "checko", exact=True)
    assert closest("xyz", ["checkout"]) == ""
    assert closest("--jsno", ["--brief", "--json"]) == "--json"
    assert closest("--session", ["--json"]) == "", "two dashes are no likeness"


def test_what_a_stream_may_be_called():
    assert names(stream("chk-a", "b/c/file.checkpoint.json", name="T")) == (
        "chk-a",
        "file",
        "T",
        "a",
    )
    assert names(stream("a", "file.md"))[1] == "file"
    assert names(stream("a", "c/md.x"))[1] == "md.x"
    assert name_of(Glance("d/f.x.md", "md", "no name")) == "f"
    assert name_of(Glance("d/ .md", "md", "no name")) == "NAME"


# What a text is worth


def test_scores_are_summed_and_lines_are_cut_to_a_budget():
    assert total([Score(1, 2, 3, 4, 5), Score(1, 1, 1, 1, 1)]) == Score(2, 3, 4, 5, 6)
    assert total([]) == Score()
    text = "one two three\nfour five six\nseven eight nine"
    assert first_of(text, 99) == last_of(text, 99) == text
    assert (first_of(text, 5), last_of(text, 5)) == ("one two three\n", "\nseven eight nine")
    assert first_of(text, 0) == ""
    assert first_of(text, 7).startswith("one two three\nfour")
    assert isinstance(Facts((Fact("a", "b"),)).musts, tuple)
