"""A move in one step: it never overwrites, and no moment has two names or none."""

from __future__ import annotations

import errno
import os

import pytest

from leftoff.world import rename
from leftoff.world.rename import rename_new
from world.fake_lens import contents


@pytest.fixture
def place(tmp_path):
    (tmp_path / "old").write_text("mine", encoding="utf-8")
    return os.fspath(tmp_path)


def both(place):
    return os.path.join(place, "old"), os.path.join(place, "new")


def answering(monkeypatch, code):
    """A system whose call says that."""
    monkeypatch.setattr(rename, "_system_call", lambda source, target: lambda: code)


def test_the_file_has_its_new_name_only(place):
    assert rename_new(*both(place)) is True
    assert os.listdir(place) == ["new"]
    assert contents(place, "new") == "mine"


def test_a_name_that_is_taken_stays_as_it_is(place):
    with open(os.path.join(place, "new"), "w", encoding="utf-8") as file:
        file.write("theirs")
    assert rename_new(*both(place)) is False
    assert (contents(place, "old"), contents(place, "new")) == ("mine", "theirs")


def test_it_needs_no_second_name_where_the_system_can_do_without(place, monkeypatch):
    def link(*_):
        raise AssertionError("a moment with two names")

    monkeypatch.setattr(os, "link", link)
    assert rename_new(*both(place)) is True


@pytest.mark.parametrize("code", [errno.ENOSYS, errno.EINVAL, errno.EPERM, errno.ENOTSUP])
def test_where_the_file_system_knows_no_such_call_it_moves_all_the_same(place, monkeypatch, code):
    answering(monkeypatch, code)
    assert rename_new(*both(place)) is True
    assert os.listdir(place) == ["new"]


def test_where_the_system_has_no_such_call_it_moves_all_the_same(place, monkeypatch):
    monkeypatch.setattr(rename, "_system_call", lambda source, target: None)
    assert rename_new(*both(place)) is True
    assert os.listdir(place) == ["new"]


def test_another_trouble_is_told_with_its_number(place, monkeypatch):
    answering(monkeypatch, errno.EXDEV)
    with pytest.raises(OSError, match="old") as raised:
        rename_new(*both(place))
    assert raised.value.errno == errno.EXDEV
    assert os.listdir(place) == ["old"]
