"""What the readers of transcripts share: lines to objects, the head of a file, paths of a patch.

Counting is `core.tally`'s; a reader says what a line of its client means.
"""

from __future__ import annotations

from leftoff.agents._payload import inner, text
from leftoff.core.fast_json import loads
from leftoff.core.tally import plain
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from leftoff.core.tally import Tally

    Line = dict[str, Any]

_PATCH = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")
_HELD = 512
_ODD = (ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError)


class Head(Record):
    """Whose transcript it is, by its first line: `parent` is set for a subagent's own file."""

    session: str = ""
    cwd: str = ""
    parent: str = ""


def feed_lines(tally: Tally, block: bytes, take: Callable[[Tally, Line], None]) -> None:
    """Give every line that is a JSON object to `take`; count those that are none."""
    lines = block.split(b"\n")  # never at U+2028, nor at a lone carriage return
    if not lines[-1]:
        del lines[-1]
    tally["lines"] += len(lines)
    for line in lines:
        told = object_in(line)
        try:
            if told is None:
                tally["skipped"] += 1
            else:
                take(tally, told)
        except _ODD:  # a field of a type that no version had: the other lines still count
            tally["skipped"] += 1


def object_in(line: bytes) -> Line | None:
    """The object that a line holds; None for a blank, torn or other one.

    An editor may have put a byte order mark before the first.
    """
    try:
        told = loads(line.decode("utf-8", "replace").removeprefix("\ufeff"))
    except ValueError:
        return None
    return told if isinstance(told, dict) else None


def first_object(first: bytes) -> Line:
    """The object in the first line of a file."""
    return object_in(first.partition(b"\n")[0]) or {}


def objects(value: Any) -> Iterator[Line]:
    """The objects of a list; nothing for what is no list."""
    return (
        (each for each in value if isinstance(each, dict)) if isinstance(value, list) else iter(())
    )


def texts(content: Any, *names: str) -> str:
    """The text of a message: itself, or what its parts hold under one of these names."""
    if isinstance(content, str):
        return content
    found = (text(part, *(names or ("text",))) for part in objects(content))
    return "\n".join(filter(None, found))


def name_of(told: Line, *names: str) -> str:
    """A short text that is kept: an id, a path, a version, the name of a tool."""
    return plain(text(told, *names))[:4096]


def number(told: Line, name: str) -> int | None:
    """A whole number, also a negative one; None for what is none."""
    value = told.get(name)
    return value if type(value) is int else None


def millis(told: Line, name: str) -> float:
    """Seconds since the epoch of a time in milliseconds, 0 for what is none."""
    value = told.get(name)
    return value / 1000 if isinstance(value, int | float) and 0 < value < 1e14 else 0.0


def patched(patch: str, cwd: str) -> list[str]:
    """The files that a patch in OpenAI's form names, made absolute."""
    found = [
        line.removeprefix(mark).strip()
        for line in patch.splitlines()
        for mark in _PATCH
        if line.startswith(mark)
    ]
    return [absolute(path, cwd) for path in found if path]


def absolute(path: str, cwd: str) -> str:
    """A path of a tool call, below the folder in which the tool ran."""
    return (
        path if path.startswith("/") or not cwd else f"{cwd.rstrip('/')}/{path.removeprefix('./')}"
    )


def tasks_of(tally: Tally, rows: Iterable[Line], name: str) -> None:
    """The to-do list as it now is; `name` is the field that holds an entry's text."""
    told = ((text(row, name), text(row, "status")) for row in rows)
    kept = [(plain(what)[:400], plain(status)[:40]) for what, status in told if what]
    tally["tasks"] = {str(at): each for at, each in enumerate(kept[:500])}


def hold(tally: Tally, call: str, told: Any) -> None:
    """Keep what a call says until its result is there, among the texts that are kept redacted."""
    if len(tally["waiting"]) < _HELD:  # else nobody answers these calls
        tally["waiting"][f"{call} says"] = told


def held(tally: Tally, call: str) -> Any:
    """What was kept of a call, which is then forgotten; None where nothing was."""
    return tally["waiting"].pop(f"{call} says", None)


def tool_name(told: Line) -> str:
    """The name of a tool; one with a namespace carries it as other clients write it."""
    space, name = name_of(told, "namespace"), name_of(told, "name")
    return f"{space}__{name}" if space.startswith("mcp__") else name or "?"


def command_of(arguments: Line, *names: str) -> str:
    """A shell command, given as one text or as the list of its words."""
    for name in names:
        told = arguments.get(name)
        if isinstance(told, str):
            return told
        if isinstance(told, list):
            words = [word for word in told if isinstance(word, str)]
            in_shell = len(words) == 3 and words[1] in {"-c", "-lc"}
            return words[2] if in_shell else " ".join(words)
    return ""


def arguments_of(told: Line) -> Line:
    """The arguments of a call: an object, or a text that holds one."""
    value = told.get("arguments")
    if isinstance(value, str):
        try:
            value = loads(value)
        except ValueError:
            return {}
    return inner({"it": value}, "it")
