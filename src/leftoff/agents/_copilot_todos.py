"""Copilot CLI: the to-do list, which its model keeps with SQL in a table `todos` of the session.

Read are the statements that its instructions teach: rows inserted, a status set or a row deleted by
id. Older versions gave the whole list as Markdown boxes.
"""

from __future__ import annotations

import re

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    Tasks = dict[str, tuple[str, str]]

# Possessive throughout: the text is a model's, and must not cost more than its length.
_TEXT = r"'(?:[^']|'')*+'"
_STATEMENT = re.compile(rf"(?:{_TEXT}|[^;'])++")
_INSERT = re.compile(r"(?is)\s*insert\s+(?:or\s+\w+\s+)?into\s+todos\s*\(([^)]*)\)\s*values(.*)")
_UPDATE = re.compile(r"(?is)\s*update\s+todos\s+set\s+(.*?)(?:\swhere\s(.*))?$")
_DELETE = re.compile(r"(?is)\s*delete\s+from\s+todos(?:\s+where\s(.*))?$")
_ROW = re.compile(rf"\(((?:{_TEXT}|[^()'])*+)\)")
_VALUE = re.compile(rf"\s*+({_TEXT}|[^,']*+)[^,]*+(?:,|$)")
_STATUS = re.compile(r"(?i)\bstatus\s*=\s*'([^']*)'")
_IDS = re.compile(rf"(?is)^\s*id\s*(?:=|in)\s*\(?((?:\s*+{_TEXT}\s*+,?+)++)\)?\s*$")
_BOX = re.compile(r"(?m)^[ \t]*+[-*] \[([ xX~/-])\] (.+)$")
_WORDS = {"done": "completed", "x": "completed", "X": "completed", " ": "pending"}
_MOST = 500


def todos_after(tasks: Tasks, told: str) -> Tasks:
    """The list after a call of the tool."""
    if boxes := _BOX.findall(told):
        return {str(at): (what[:400], _word(box)) for at, (box, what) in enumerate(boxes[:_MOST])}
    tasks = dict(tasks)
    for statement in _STATEMENT.findall(told):
        _apply(tasks, statement)
    return tasks


def _word(status: str) -> str:
    return _WORDS.get(status, status[:40] if len(status) > 1 else "in_progress")


def _apply(tasks: Tasks, statement: str) -> None:
    if found := _INSERT.match(statement):
        names = [name.strip(' "`\n').lower() for name in found[1].split(",")]
        for values in _rows(found[2]):
            _insert(tasks, dict(zip(names, values, strict=False)))
    elif found := _UPDATE.match(statement):
        status = _STATUS.search(found[1])
        for key in _meant(tasks, found[2]) if status else ():
            tasks[key] = (tasks[key][0], _word(status[1] if status else ""))
    elif found := _DELETE.match(statement):
        for key in _meant(tasks, found[1]):
            del tasks[key]


def _rows(values: str) -> Iterator[list[str]]:
    for row in _ROW.findall(values):
        yield [_unquoted(value) for value in _VALUE.findall(row)]


def _unquoted(value: str) -> str:
    return value[1:-1].replace("''", "'") if value.startswith("'") else value.strip()


def _insert(tasks: Tasks, row: dict[str, str]) -> None:
    key, title = row.get("id", ""), row.get("title", "")
    if title and len(tasks) < _MOST:
        tasks[key or title] = (title[:400], _word(row.get("status") or "pending"))


def _meant(tasks: Tasks, where: str | None) -> list[str]:
    """The rows that a statement is about: all, those with an id, or none that we could tell."""
    if not where:
        return list(tasks)
    found = _IDS.match(where)
    return (
        [key for key in map(_unquoted, re.findall(_TEXT, found[1])) if key in tasks]
        if found
        else []
    )
