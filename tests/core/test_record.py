"""Records behave as named tuples do; only their import is cheaper."""

from __future__ import annotations

import copy
import pickle
from typing import NamedTuple

import pytest

from leftoff.record import Record


class Ours(Record):
    """A record."""

    x: int
    y: str = "d"
    z: tuple = ()

    @property
    def double(self) -> int:
        return 2 * self.x


class Theirs(NamedTuple):
    """A record."""

    x: int
    y: str = "d"
    z: tuple = ()

    @property
    def double(self) -> int:
        return 2 * self.x


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ((1,), {}),
        ((1, "a", (2,)), {}),
        ((1,), {"z": (3,)}),
        ((), {"x": 1, "y": "q"}),
        ((), {}),
        ((1, 2, 3, 4), {}),
        ((1,), {"nope": 2}),
        ((1,), {"x": 2}),
        ((), {"y": 2}),
    ],
)
def test_a_record_is_made_and_refused_like_a_named_tuple(values, named):
    try:
        theirs = Theirs(*values, **named)
    except TypeError:
        with pytest.raises(TypeError):
            Ours(*values, **named)
        return
    ours = Ours(*values, **named)
    assert ours == theirs
    assert (ours.x, ours.y, ours.z, ours.double) == (theirs.x, theirs.y, theirs.z, theirs.double)
    assert repr(ours).removeprefix("Ours") == repr(theirs).removeprefix("Theirs")
    assert ours._asdict() == theirs._asdict()
    assert ours._replace(y="new") == theirs._replace(y="new")
    assert Ours._make(theirs) == theirs
    assert Ours._fields == Theirs._fields
    assert pickle.loads(pickle.dumps(ours)) == copy.deepcopy(ours) == ours


def test_a_record_cannot_be_changed_and_knows_its_fields():
    with pytest.raises(AttributeError):
        Ours(1).x = 2
    with pytest.raises(AttributeError):
        Ours(1).other = 2
    with pytest.raises(ValueError, match="no field"):
        Ours(1)._replace(other=2)
