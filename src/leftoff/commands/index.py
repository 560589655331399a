"""index: the generated INDEX.md of Markdown checkpoints; --rebuild makes the search index anew."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.core.blocks import Block, Line
from leftoff.core.index_md import TITLES, is_index
from leftoff.core.model import Finding
from leftoff.core.result import Result
from leftoff.core.stream import broken
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world.index_md import members, path_of, put, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json

SUMMARY = "Generate the INDEX.md of Markdown checkpoints, or check that it is up to date."
EXAMPLES = ("leftoff index", "leftoff index --check", "leftoff index --rebuild")


def arguments(parser: Any) -> None:
    """Write or only compare."""
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if out of date")
    parser.add_argument(
        "--rebuild", action="store_true", help="rebuild the search index of this machine"
    )


def run(call: Call) -> Result:
    """Compare each index with what the documents say; a copy of the old one goes to the trash."""
    if call.args.rebuild:
        return _rebuilt(call)
    streams = call.store.streams()
    states: list[Json] = []
    found = list(broken(streams))
    for folder in TITLES:
        path = path_of(folder)
        old = call.store.raw(path) if call.store.exists(path) else ""
        if not members(streams, folder) and not old:
            continue
        new = text_of(call.store, streams, folder)
        state = _state(old, new)
        if state == "foreign":
            found.append(
                Finding("foreign-index", "warning", path, "is not an INDEX of checkpoints")
            )
        elif state == "outdated" and call.args.check:
            text, fix = "is out of date", 'run "leftoff index"'
            found.append(Finding("index-outdated", "error", path, text, fix))
        elif state == "outdated":
            put(call.store, path, old, new, call.now)
            state = "written"
        states.append({"path": path, "state": state})
    return Result({"indexes": states}, tuple(found))


def _rebuilt(call: Call) -> Result:
    """The index of `search`, which is of all projects."""
    from leftoff.world.index_update import rebuilt
    from leftoff.world.search_sources import Library

    if call.args.check:
        raise Usage("--check writes nothing", hint="leave --check or --rebuild out")
    made = rebuilt(Library(call.store, call.env, everywhere=True), call.progress)
    return Result({"indexes": [], "search": {"path": made.path, "sources": made.sources}})


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """A line for each index that is as it should be; findings tell of the others."""
    if "search" in data:
        made = data["search"]
        text = "{path}: {n} transcripts and documents"
        yield Line("✓ " + say(text, path=made["path"], n=made["sources"]), "good")
        return
    words = {"current": "is up to date", "written": "written"}
    for entry in data["indexes"]:
        if entry["state"] in words:
            yield Line(f"✓ {entry['path']}: {say(words[entry['state']])}", "good")
    if not data["indexes"]:
        yield Line(say("No Markdown checkpoints here."))


def _state(old: str, new: str) -> str:
    if old == new:
        return "current"
    return "foreign" if old and not is_index(old) else "outdated"
