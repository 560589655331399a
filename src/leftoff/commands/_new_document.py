"""A new document, for all commands that make one, and the `.checkpoints/` folder around it.

The document has from its first day what its format wants; the folder gets a README and an ignore
file with the first write.
"""

from __future__ import annotations

from leftoff.core.find_stream import readable
from leftoff.core.new_checkpoint import dated, grown, spoken
from leftoff.core.starter_texts import GITIGNORE, README
from leftoff.core.thread import FORMAT as THREAD
from leftoff.core.when import stamp
from leftoff.errors import Conflict
from leftoff.formats import named, parts
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leftoff.commands import Call
    from leftoff.core.model import Checkpoint, Finding
    from leftoff.world.store import Store

MARKDOWN, SKILL = "md", "skill"
STARTERS = (
    (".checkpoints/README.md", README),
    (".checkpoints/.gitignore", GITIGNORE),
)


def prepared(call: Call, kind: str, c: Checkpoint, what: str) -> Checkpoint:
    """With whole times, and all that a document of its format must say. `what` became of it."""
    complete = dated(c, stamp(call.now))
    if kind == SKILL:
        return grown(complete, call.store.root, what)
    if kind == THREAD:
        return complete._replace(name=complete.name or complete.id)
    return spoken(complete, named(kind).hold(complete), what) if kind == MARKDOWN else complete


def texts_of(kind: str, c: Checkpoint) -> dict[str, str]:
    """The files that a checkpoint makes in a format, by path."""
    return {lens.path(c): lens.write(c, "", lens.path(c)) for lens in parts(kind)}


def refuse_taken(call: Call, kind: str, c: Checkpoint, option: str) -> None:
    """Conflict where its file or its id is there already; the option gives it another name."""
    path = taken_by(call, kind, c)
    if not path:
        return
    for stream in call.store.streams():
        if stream.glance.path == path:
            readable(stream)  # a link to elsewhere: say so, as every other command does
    hint = f"give another {option}"
    if path in _paths(kind, c._replace(id=f"{c.id}-2")):
        hint = "a project has one file of this format: choose another format"
    if path in _paths(kind, c):
        raise Conflict(f"{path} exists; nothing was written", hint=hint)
    raise Conflict(f'{path} has the id "{c.id}"; nothing was written', hint=hint)


def taken_by(call: Call, kind: str, c: Checkpoint) -> str:
    """The document that has its file or its id; a Markdown one may lie under any file name."""
    paths, name = _paths(kind, c), f"{kind}:{c.id}"
    seen = {one.glance.path: one.glance.full_name for one in call.store.streams()}
    # only what is no stream is looked for on disk: a stream may be a link that leads outside
    there = next((one for one in paths if one in seen or call.store.exists(one)), "")
    return there or next((path for path, owner in seen.items() if owner == name), "")


def _paths(kind: str, c: Checkpoint) -> list[str]:
    return [lens.path(c) for lens in parts(kind)]


def create(call: Call, texts: Mapping[str, str]) -> tuple[Finding, ...]:
    """Write new files, never over one that is there; what is wrong with them.

    A new checkpoint may have empty sections: they are named, they do not fail its creation.
    """
    found = [f for path, text in texts.items() for f in call.store.create(path, text).findings]
    if any(path.startswith(".checkpoints/") for path in texts):
        scaffold(call.store)
    return tuple(f._replace(level="info") if f.level == "error" else f for f in found)


def scaffold(store: Store) -> list[str]:
    """Create what is missing of the folder and say what was; whatever is there stays as it is."""
    return [path for path, text in STARTERS if store.create_missing(path, text)]
