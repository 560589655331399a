"""index: the generated INDEX.md of Markdown checkpoints; --check says whether it is true."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.core.blocks import Block, Line
from leftoff.core.index_view import TITLES, index, is_index
from leftoff.core.model import Finding
from leftoff.core.result import Result
from leftoff.core.stream import broken
from leftoff.record import TYPE_CHECKING
from leftoff.world.foreign import edit_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Checkpoint, Json
    from leftoff.core.stream import Stream

SUMMARY = "Generate the INDEX.md of Markdown checkpoints, or check that it is up to date."
EXAMPLES = ("leftoff index", "leftoff index --check")


def arguments(parser: Any) -> None:
    """Write or only compare."""
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if out of date")


def run(call: Call) -> Result:
    """Compare each index with what the documents say; a copy of the old one goes to the trash."""
    streams = call.store.streams()
    states: list[Json] = []
    found = list(broken(streams))
    for folder in TITLES:
        path = f"checkpoints/{folder}/INDEX.md"
        members = _members(call, streams, folder)
        old = call.store.raw(path) if call.store.exists(path) else ""
        if not members and not old:
            continue
        state = _state(old, index(folder, members))
        if state == "foreign":
            found.append(Finding("foreign-index", "warning", path, "is no INDEX of checkpoints"))
        elif state == "outdated" and call.args.check:
            text, fix = "is out of date", 'run "leftoff index"'
            found.append(Finding("index-outdated", "error", path, text, fix))
        elif state == "outdated":
            _write(call, path, old, index(folder, members))
            state = "written"
        states.append({"path": path, "state": state})
    return Result({"indexes": states}, tuple(found))


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """A line for each index."""
    words = {"current": "is up to date", "written": "written", "outdated": "is out of date"}
    for entry in data["indexes"]:
        good = entry["state"] in {"current", "written"}
        text = say(words.get(entry["state"], "left alone"))
        yield Line(f"{'✓' if good else '✗'} {entry['path']}: {text}", "good" if good else "warn")
    if not data["indexes"]:
        yield Line(say("No Markdown checkpoints here."))


def _members(call: Call, streams: Sequence[Stream], folder: str) -> list[tuple[str, Checkpoint]]:
    start = f"checkpoints/{folder}/"
    return [
        (stream.glance.path[len(start) :].removesuffix(".md"), call.store.read_stream(stream))
        for stream in streams
        if stream.glance.path.startswith(start) and not stream.glance.broken
    ]


def _state(old: str, new: str) -> str:
    if old == new:
        return "current"
    return "foreign" if old and not is_index(old) else "outdated"


def _write(call: Call, path: str, old: str, new: str) -> None:
    if old:
        call.store.keep_copy(path, call.now)
    edit_file(call.store, path, lambda _: new)  # never a moment without an index
