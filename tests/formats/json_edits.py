"""Edits of a JSON text at a path, for the tests of `rewrite`, which takes whole values."""

from __future__ import annotations

from leftoff.formats._json_text import loads, rewrite


def set_at(text, path, value):
    *way, last = path

    def put(whole):
        _part(whole, way)[last] = value

    return _edited(text, put, jsonc=False)


def append_at(text, path, value, *, jsonc=False):
    return _edited(text, lambda whole: _part(whole, path).append(value), jsonc=jsonc)


def delete_at(text, path, *, jsonc=False):
    *way, last = path
    return _edited(text, lambda whole: _part(whole, way).pop(last), jsonc=jsonc)


def _edited(text, edit, *, jsonc):
    value = loads(text, jsonc=jsonc)
    edit(value)
    return rewrite(text, value, jsonc=jsonc)


def _part(value, path):
    for step in path:
        value = value[step]
    return value
