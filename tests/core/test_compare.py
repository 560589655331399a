"""What differs between two checkpoints."""

from __future__ import annotations

from leftoff.core.compare import compare
from leftoff.core.model import Checkpoint, Item


def test_only_the_fields_that_differ_are_named_with_what_each_side_alone_says():
    one = Checkpoint("a", intent="x", decisions=(Item("keep"), Item("old")), extra={"k": 1, "s": 2})
    other = Checkpoint("a", decisions=(Item("keep"), Item("new")), extra={"k": 3, "s": 2})
    assert compare(one, one) == []
    assert compare(one, other) == [
        ("intent", ("x",), (), False),
        ("decisions", ("old",), ("new",), False),
        ("extra", ("k: 1",), ("k: 3",), False),
    ]


def test_an_item_that_says_more_and_one_that_moved_are_told_apart():
    one = Checkpoint("a", next_actions=(Item("x"), Item("y")))
    ticked = one._replace(next_actions=(Item("x", attrs={"done": True}), Item("y")))
    moved = one._replace(next_actions=one.next_actions[::-1])
    assert compare(one, ticked) == [("next_actions", ("x",), ("x (done)",), False)]
    assert compare(one, moved) == [("next_actions", (), (), True)]


def test_a_long_text_stands_below_its_id():
    new = Checkpoint("x", deltas=(Item("one\ntwo", "2026-01-01"),))
    (one,) = compare(Checkpoint("x"), new)
    assert one.after == ("2026-01-01\none\ntwo",)
