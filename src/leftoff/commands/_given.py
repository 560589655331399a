"""What somebody gives to a save: by options, or as one JSON object on standard input."""

from __future__ import annotations

from leftoff.core.find import did_you_mean
from leftoff.core.model import NEEDS_DECISION, STATUSES, Item
from leftoff.errors import FormatError, Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from leftoff.commands import Call
    from leftoff.core.model import Json

STDIN = "-"
NOTE, STEPS = "note", "next_actions"
TEXTS = ("intent", "problem", "phase", "stage", "tests", "context")
LISTS = {
    "decision": "decisions",
    "next": STEPS,
    "blocker": "blockers",
    "question": "questions",
    "rule": "rules",
    "file": "artifacts",
}
"""Options that may be given again, and the field of each."""
_ALSO = {"files": "artifacts", "next": STEPS, "summary": NOTE}
FOCUS = ("outcome", "task")
"""What the work is for: facts about the session, not about the document."""
KEYS = (NOTE, "status", *TEXTS, *LISTS.values(), *_ALSO, *FOCUS)


def arguments(parser: Any) -> None:
    """The words of a save."""
    parser.add_argument("note", nargs="?", metavar="NOTE", help="where things stand; - reads JSON")
    parser.add_argument("--intent", metavar="TEXT", help="what the user wants to achieve")
    parser.add_argument("--problem", metavar="TEXT", help="what is to be solved")
    parser.add_argument("--phase", metavar="TEXT", help="the larger unit the work is in")
    parser.add_argument("--stage", metavar="TEXT", help="the step within it")
    parser.add_argument(
        "--decision", action="append", metavar="TEXT", help="a decision (repeatable)"
    )
    parser.add_argument(
        "--next", action="append", metavar="TEXT", help="a next step, first one first (repeatable)"
    )
    parser.add_argument(
        "--done-when",
        action="append",
        metavar="CMD",
        help="a command that proves its --next (repeatable)",
    )
    parser.add_argument(
        "--blocker", action="append", metavar="TEXT", help="what stands in the way (repeatable)"
    )
    parser.add_argument(
        "--needs-decision", action="store_true", help="the blockers wait for a person"
    )
    parser.add_argument(
        "--question", action="append", metavar="TEXT", help="what is open (repeatable)"
    )
    parser.add_argument(
        "--rule", action="append", metavar="TEXT", help="a rule to keep (repeatable)"
    )
    parser.add_argument("--file", action="append", metavar="PATH", help="a file that matters")
    parser.add_argument("--tests", metavar="TEXT", help="how the tests stand")
    parser.add_argument("--context", metavar="TEXT", help="stack, configuration, environment")
    parser.add_argument("--outcome", metavar="NAME", help="what the work of the session is for")
    parser.add_argument("--task", metavar="TEXT", help="the task on that outcome")


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
