"""What a save is given: by options, or as one JSON object on standard input."""

from __future__ import annotations

import os

from leftoff.core.find_stream import did_you_mean
from leftoff.core.model import NEEDS_DECISION, STATUSES, Finding, Item
from leftoff.core.paths import from_root, path_in
from leftoff.errors import FormatError, Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import Any

    from leftoff.commands import Call
    from leftoff.core.model import Json

STDIN = "-"
NOTE, STEPS, FILES = "note", "next_actions", "artifacts"
TEXTS = ("intent", "problem", "phase", "stage", "tests", "context")
LISTS = {
    "decision": "decisions",
    "next": STEPS,
    "blocker": "blockers",
    "question": "questions",
    "rule": "rules",
    "file": FILES,
}
"""Options that may be given again, and the field of each."""
_ALSO = {"files": FILES, "next": STEPS, "summary": NOTE}
FOCUS = ("outcome", "task")
"""What the work is for: facts about the session, not about the document."""
KEYS = (NOTE, "status", *TEXTS, *LISTS.values(), *_ALSO, *FOCUS)


def arguments(parser: Any) -> None:
    """The words of a save."""
    parser.add_argument("note", nargs="?", metavar="NOTE", help="where things stand; - reads JSON")
    parser.add_argument("--intent", metavar="TEXT", help="what the user wants to achieve")
    parser.add_argument("--problem", metavar="TEXT", help="the problem to solve")
    parser.add_argument("--phase", metavar="TEXT", help="the larger unit the work is in")
    parser.add_argument("--stage", metavar="TEXT", help="the step within it")
    parser.add_argument(
        "--decision", action="append", metavar="TEXT", help="a decision (repeatable)"
    )
    parser.add_argument(
        "--next", action="append", metavar="TEXT", help="a next step, in order (repeatable)"
    )
    parser.add_argument(
        "--done-when",
        action="append",
        metavar="CMD",
        help="a command that proves the --next before it (repeatable)",
    )
    parser.add_argument(
        "--blocker", action="append", metavar="TEXT", help="what blocks the work (repeatable)"
    )
    parser.add_argument(
        "--needs-decision", action="store_true", help="the blockers need a person's decision"
    )
    parser.add_argument(
        "--question", action="append", metavar="TEXT", help="an open question (repeatable)"
    )
    parser.add_argument(
        "--rule", action="append", metavar="TEXT", help="a rule to keep (repeatable)"
    )
    parser.add_argument("--file", action="append", metavar="PATH", help="a file that matters")
    parser.add_argument("--tests", metavar="TEXT", help="the state of the tests")
    parser.add_argument("--context", metavar="TEXT", help="stack, configuration, environment")
    parser.add_argument("--outcome", metavar="NAME", help="the outcome the session works towards")
    parser.add_argument("--task", metavar="TEXT", help="the task towards that outcome")


def given(call: Call) -> dict[str, Any]:
    """By model field, with `note`, `outcome` and `task`; empty where nobody gave anything."""
    args = call.args
    said = _object(call) if args.note == STDIN else {}
    said |= {NOTE: args.note} if args.note and args.note != STDIN else {}
    for name in (*TEXTS, *FOCUS):
        said |= {name: text} if (text := getattr(args, name)) is not None else {}
    if len(args.done_when) > len(args.next):
        raise Usage("there are more --done-when than --next", hint="give each behind its --next")
    for option, field in LISTS.items():
        items = tuple(_entry(field, text) for text in getattr(args, option))
        said |= {field: (*said.get(field, ()), *items)} if items else {}
    if FILES in said:
        said[FILES] = tuple(_placed(one, call) for one in said[FILES])
    return _finished(said, args.done_when, len(args.next), decision=args.needs_decision)


def _finished(
    said: dict[str, Any], checks: Sequence[str], given_steps: int, *, decision: bool
) -> dict[str, Any]:
    """With what belongs to the options above: a check for each step, a need for each blocker."""
    if checks:
        steps = [*said["next_actions"]]
        first = len(steps) - given_steps  # those of standard input stand before
        for at, command in enumerate(checks, first):
            steps[at] = steps[at]._replace(attrs={**steps[at].attrs, "done_when": command})
        said["next_actions"] = tuple(steps)
    if decision:
        if "blockers" not in said:
            raise Usage("--needs-decision is about a --blocker", hint="give both")
        said["blockers"] = tuple(
            one._replace(attrs={"needs": NEEDS_DECISION, **one.attrs}) for one in said["blockers"]
        )
    return said


def _item(text: str) -> Item:
    if not text.strip():
        raise Usage("an empty text says nothing", hint="leave the option out")
    return Item(text.strip())


def _placed(item: Item, call: Call) -> Item:
    """A file by its path from the project's folder, wherever somebody stood who named it."""
    root = os.path.realpath(call.store.root)
    here = os.path.relpath(os.path.realpath(call.cwd), root)
    for path in filter(None, (item.text, path_in(item.text))):
        found = from_root([os.path.normpath(os.path.join(here, path))], root)[0]
        inside = found.partition("/")[0] not in {"", ".", ".."}
        if inside and item.text.startswith(path) and os.path.lexists(f"{root}/{found}"):
            return item._replace(text=found + item.text[len(path) :])
    return item


def _object(call: Call) -> dict[str, Any]:
    from leftoff.formats._json_text import loads  # only for who gives JSON

    try:
        whole = loads(call.piped())
    except FormatError as error:
        raise Usage(f"standard input is not JSON: {error.message}", hint=_EXAMPLE) from error
    if not isinstance(whole, dict):
        raise Usage("standard input is not a JSON object", hint=_EXAMPLE)
    for also, key in _ALSO.items():
        if also in whole and key in whole:
            raise Usage(f'"{also}" and "{key}" are the same field', hint="give one of them")
    return {_ALSO.get(key, key): _value(key, value) for key, value in whole.items()}


_EXAMPLE = 'for example {"note": "...", "next_actions": ["..."]}'


def _value(key: str, value: Json) -> Any:
    if key not in KEYS:
        hint = did_you_mean(key, KEYS) or f"known: {', '.join(KEYS)}"
        raise Usage(f'"{key}" is not a field of a save', hint=hint)
    if _ALSO.get(key, key) in LISTS.values():
        return tuple(_entry(key, one) for one in (value if isinstance(value, list) else [value]))
    if not isinstance(value, str):
        raise Usage(f'"{key}" must be a text', hint=_EXAMPLE)
    if key == "status" and value not in STATUSES:
        raise Usage(f'there is no status "{value}"', hint=f"one of: {', '.join(STATUSES)}")
    return value


def _entry(key: str, value: Json) -> Item:
    """A text, or an object with `text`, maybe `id`, and attributes of one word each."""
    if isinstance(value, str):
        return _ranked(_item(value)) if _ALSO.get(key, key) == STEPS else _item(value)
    if not isinstance(value, dict) or not isinstance(value.get("text"), str):
        raise Usage(f'an entry of "{key}" must be a text, or an object with "text"', hint=_EXAMPLE)
    attrs = {name: _attr(key, name, one) for name, one in value.items() if name != "text"}
    name = str(attrs.pop("id", ""))
    more = {name: one for name, one in attrs.items() if one != ""}
    return _item(str(value["text"]))._replace(id=name, attrs=more)


def _attr(key: str, name: str, value: Json) -> Json:
    if isinstance(value, list | dict):
        raise Usage(f'"{name}" of an entry of "{key}" must be a text', hint=_EXAMPLE)
    return "" if value is None else value if isinstance(value, str | bool) else str(value)


def _ranked(step: Item) -> Item:
    """A step as CHECKPOINT.md writes it, `[P1] text`: the mark is its priority, no part of it."""
    mark, found, text = step.text.partition("] ")
    number = mark.removeprefix("[P")
    if not found or number == mark or not (number.isascii() and number.isdigit()):
        return step
    return Item(text.strip(), attrs={"priority": mark[1:]}) if text.strip() else step


def unheld(kind: str, given: Iterable[str], held: Collection[str]) -> Iterator[Finding]:
    """Words that the format has no place for: they are in the journal or nowhere, so it is said."""
    for field in given:
        if field not in held:
            text = f"{field} was not saved: this format has no place for it"
            yield Finding("not-held", "warning", kind, text, "save it --as another format")
