"""thread: what hooks may do for a thread: save by themselves, and from which use of the context."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.core.blocks import Block, Line
from leftoff.core.find import find
from leftoff.core.result import Result
from leftoff.core.stream import broken
from leftoff.errors import NotFound, Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.core.stream import Stream

SUMMARY = "Show threads, and set what hooks may do for one: save by themselves, and when."
EXAMPLES = (
    "leftoff thread list",
    "leftoff thread status",
    "leftoff thread auto-on",
    "leftoff thread threshold 80 thread-1a2b3c4d",
)
LIST, STATUS, ON, OFF, THRESHOLD = ACTIONS = ("list", "status", "auto-on", "auto-off", "threshold")
SHOWN = ("checkpointEnabled", "autoSave", "thresholdPercent")
_NAMED = 1


def arguments(parser: Any) -> None:
    """What to do, with which thread."""
    parser.add_argument(
        "action", nargs="?", metavar="ACTION", choices=ACTIONS, help=", ".join(ACTIONS)
    )
    parser.add_argument(
        "words", nargs="*", metavar="WORD", help="threshold: the percent; then the thread"
    )


def run(call: Call) -> Result:
    """List them, or look at or change one: that key of its thread.json and no other."""
    action, words = call.args.action or LIST, list(call.args.words)
    percent = _percent(words.pop(0) if words else "") if action == THRESHOLD else 0
    if len(words) > _NAMED or (action == LIST and words):
        raise Usage(f'unexpected argument "{words[-1]}"', hint="see --help for what it takes")
    streams = call.store.streams()
    if action == LIST:
        shown: list[Json] = [_entry(call, one) for one in streams if _is_thread(one)]
        return Result({"action": action, "threads": shown}, broken(streams))
    stream = _stream(call, streams, words)
    settings: dict[str, Json] = {"thresholdPercent": percent} if percent else {}
    if action in {ON, OFF}:
        settings = {"autoSave": action == ON}
    changed = bool(settings) and _set(call, stream, settings)
    entry = _entry(call, stream)
    return Result({"action": action, "changed": changed, "threads": [entry]}, broken([stream]))


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """One line for each, and what is set."""
    for thread in data["threads"]:
        mark = "▶ " if thread["current"] else "  "
        yield Line(f"{mark}{thread['id']}  {thread['name']}", "strong")
        said = {**thread["settings"]}
        words = (f"{key}: {_word(said[key])}" for key in SHOWN if key in said)
        if said:
            yield Line(f"    {', '.join(words)}", "dim")
    if not data["threads"]:
        yield Line(say("There is no thread here."))
    if data.get("changed"):
        yield Line("✓ " + say("wrote {path}", path=data["threads"][0]["path"]), "good")


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _percent(word: str) -> int:
    """From 1 to 100."""
    if not (word.isascii() and word.isdigit() and len(word) < 4 and 1 <= int(word) <= 100):
        raise Usage(f'"{word[:20]}" is no percentage from 1 to 100', hint="give a number")
    return int(word)


def _is_thread(stream: Stream) -> bool:
    return stream.glance.format == "thread"


def _stream(call: Call, streams: Sequence[Stream], words: Sequence[str]) -> Stream:
    """The named thread, else the one that is current on this machine."""
    threads = [stream for stream in streams if _is_thread(stream)]
    name = words[0] if words else call.store.current_thread()
    if not name:
        raise NotFound("no thread is current here", hint="name one; leftoff thread shows all")
    return find(threads, name, exact=True)


def _metadata(stream: Stream) -> str:
    """The part of a thread that holds its settings."""
    found = [part for part in stream.parts if part.endswith("/thread.json")]
    if not found:
        folder = stream.glance.path.rpartition("/")[0]
        hint = "its settings are the defaults until it has one"
        raise NotFound(f"{stream.glance.id} has no thread.json", hint=hint, where=folder)
    return found[0]


def _set(call: Call, stream: Stream, settings: dict[str, Json]) -> bool:
    """Change these settings in place; whether anything changed."""
    path = _metadata(stream)
    lens, before = call.store.lens_at(path), call.store.raw(path)

    def edit(text: str) -> str:
        known = lens.read(text, path)
        return lens.write(known._replace(private={**known.private, **settings}), text, path)

    return call.store.change(path, edit).text != before


def _entry(call: Call, stream: Stream) -> dict[str, Json]:
    glance = stream.glance
    path = next((part for part in stream.parts if part.endswith("/thread.json")), "")
    readable = path and not glance.broken
    settings = call.store.read(path).checkpoint.private if readable else {}
    return {
        "id": glance.id,
        "name": glance.name,
        "path": path or glance.path,
        "status": glance.status,
        "current": glance.id == call.store.current_thread(),
        "settings": dict(settings),
    }
