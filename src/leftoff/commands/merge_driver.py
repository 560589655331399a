"""merge-driver: git calls this for a checkpoint that both sides changed."""

from __future__ import annotations

import os

from leftoff.commands import Call
from leftoff.core.blocks import Block
from leftoff.core.index_md import is_index
from leftoff.core.json_equal import same
from leftoff.core.merge import Loser, Merged, kept_open, merge
from leftoff.core.model import NEWER, Checkpoint, Finding
from leftoff.core.result import Result
from leftoff.errors import FormatError, LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import decode, encode, read_bytes, write_atomic
from leftoff.world.merge_setup import merge_layout, merge_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.formats import Lens

SUMMARY = "Merge three versions of a checkpoint by field, as git's merge driver (0 merged, 1 not)."
EXAMPLES = ("leftoff merge-driver %O %A %B %P   (in git config: see leftoff init --merge-driver)",)


class _Texts(Record):
    """The three versions, decoded."""

    base: str
    ours: str
    theirs: str


def arguments(parser: Any) -> None:
    """As git passes them."""
    parser.add_argument("base", metavar="BASE", help="%%O: the common ancestor")
    parser.add_argument("ours", metavar="OURS", help="%%A: our version; the result goes here")
    parser.add_argument("theirs", metavar="THEIRS", help="%%B: their version")
    parser.add_argument("path", metavar="PATH", help="%%P: where it belongs in the project")


def run(call: Call) -> Result:
    """Merge by field where both sides are documents of one format, else line by line, as git."""
    try:
        texts = _texts(call)
        if os.path.basename(call.args.path) == "INDEX.md" and is_index(texts.ours):
            return _generated(call)
        lens = _one_lens(call, texts)
        merged = merge(*(_read(lens, text, call.args.path) for text in texts))
    except FormatError as error:
        return _as_text(call, error)
    return _by_field(call, lens, texts, merged)


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """Nothing: git tells the rest, and what is open stands on stderr."""
    del data, say
    yield from ()


def _by_field(call: Call, lens: Lens, texts: _Texts, merged: Merged) -> Result:
    path = call.args.path
    text, losers = _written(call, lens, texts, merged)
    try:
        call.store.log_losers(path, (*merged.losers, *losers))  # first: a crash must not lose one
    except LeftoffError as error:  # no log, no newest-wins: what gives way stays in the document
        if losers:
            return _as_text(call, error)
        merged = kept_open(merged)
        text = _written(call, lens, texts, merged)[0]
    write_atomic(_full(call, call.args.ours), encode(text))
    name = merged.checkpoint.id or os.path.basename(path).partition(".")[0]
    opened = list(dict.fromkeys(record.id for record in merged.conflicts))
    found = [
        Finding(
            "unresolved-conflict",
            "error",
            path,
            f"both sides changed {where}",
            f"leftoff update {name} --resolve {_word(f'{where}=ours')}, or =theirs",
        )
        for where in opened
    ]
    if losers:
        said = "both sides changed words that no field holds; ours stay, theirs are in merges.jsonl"
        found.append(Finding("layout", "warning", path, said))
    return Result({"path": path, "by": "field", "conflicts": [*opened]}, tuple(found))


def _written(
    call: Call, lens: Lens, texts: _Texts, merged: Merged
) -> tuple[str, tuple[Loser, ...]]:
    """The merged checkpoint as text, with what each side wrote around its fields.

    All three texts are made to say the same, so that whatever still differs between them is what
    the model does not know; that is merged line by line.
    """
    path = call.args.path

    def told(text: str) -> str:
        return lens.write(merged.checkpoint, text, path)

    ours = told(texts.ours)
    if path.endswith(".json"):  # nothing stands around its fields but spaces
        return ours, ()
    made = _Texts(told(_ancestor(lens, texts.base, path)), ours, told(texts.theirs))
    if made.theirs in (made.ours, made.base):
        return ours, ()
    together = merge_layout(made, os.path.dirname(_full(call, call.args.ours)), call.env)
    if together is not None and _says(lens, together, path, ours):
        return together, ()
    return ours, (Loser("text", texts.theirs, "theirs"),)


def _ancestor(lens: Lens, text: str, path: str) -> str:
    try:
        lens.read(text, path)
    except FormatError:
        return ""
    return text


def _says(lens: Lens, text: str, path: str, model: str) -> bool:
    try:
        return same(lens.read(text, path), lens.read(model, path))
    except FormatError:
        return False


def _generated(call: Call) -> Result:
    """A view of the documents: ours will do until it is made anew from the merged ones."""
    path = call.args.path
    fix = 'when the merge is done, run "leftoff index"'
    note = Finding(
        "generated", "info", path, "is generated, and was left as it is on our side", fix
    )
    return Result({"path": path, "by": "generated", "conflicts": []}, (note,))


def _as_text(call: Call, reason: LeftoffError) -> Result:
    """Git's own merge, for what is not a checkpoint, or no longer one."""
    path, args = call.args.path, call.args
    meant = [side for side in (args.ours, args.theirs) if _claimed(call, side)]
    paths = [_full(call, side) for side in (args.base, args.ours, args.theirs)]
    clean = merge_text(call.store.root, paths, call.env)
    if clean is None:
        text = "cannot be merged as text; our version was kept"
        found = [Finding("unmerged", "error", path, text, "choose a version by hand")]
    elif not clean:
        text = f"merged as text, with conflict markers: {_reason(reason)}"
        found = [Finding("text-conflict", "error", path, text, "resolve the marked lines by hand")]
    elif meant and not _readable(call):
        text = f"merged as text, and is still broken: {_reason(reason)}"
        found = [Finding("broken", "error", path, text, "repair it by hand")]
    else:
        found = []
    return Result({"path": path, "by": "text", "conflicts": []}, tuple(found))


def _reason(error: LeftoffError) -> str:
    name, line = error.where, error.line if isinstance(error, FormatError) else 0
    place = f"{name}: " if name else ""
    return place + (
        error.message if not line or "line" in error.message else f"line {line}: {error.message}"
    )


def _texts(call: Call) -> _Texts:
    args = call.args
    sides = (("the ancestor", args.base), ("our version", args.ours), ("theirs", args.theirs))
    return _Texts(*(decode(_bytes(call, side), name) for name, side in sides))


def _bytes(call: Call, side: str) -> bytes:
    return read_bytes(_full(call, side))


def _one_lens(call: Call, texts: _Texts) -> Lens:
    """The format of both sides; FormatError when they have none, or not the same."""
    path = call.args.path
    lens, other = (call.store.lens_for(path, text) for text in (texts.ours, texts.theirs))
    if lens.NAME != other.NAME:
        raise FormatError(f"ours is a {lens.NAME} document, theirs a {other.NAME} one")
    for name, text in (("our version", texts.ours), ("theirs", texts.theirs)):
        _check_side(lens, text, path, name)
    return lens


def _check_side(lens: Lens, text: str, path: str, name: str) -> None:
    try:
        lens.read(text, path)
    except FormatError as error:
        error.where = name
        raise
    if any(found.slug == NEWER for found in lens.check(text, path)):
        raise FormatError("of a later version of its format", where=name)


def _read(lens: Lens, text: str, path: str) -> Checkpoint:
    """A version; an ancestor that is unreadable or missing is a checkpoint that says nothing."""
    try:
        return lens.read(text, path)
    except FormatError:
        return Checkpoint("")


def _claimed(call: Call, side: str) -> bool:
    """Whether a format takes a version for its own, broken or not."""
    try:
        text = _bytes(call, side).decode("utf-8", "replace")  # no UTF-8 is broken, too
        call.store.lens_for(call.args.path, text)
    except FormatError:
        return False
    return True


def _readable(call: Call) -> bool:
    """Whether the result is a document."""
    path = call.args.path
    try:
        text = decode(_bytes(call, call.args.ours))
        call.store.lens_for(path, text).read(text, path)
    except FormatError:
        return False
    return True


def _full(call: Call, path: str) -> str:
    return os.path.join(call.cwd, path)


def _word(text: str) -> str:
    """A word as a shell takes it."""
    from shlex import quote

    return quote(text)
