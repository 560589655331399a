"""What `doctor --fix` can do: a plan of steps, each of which says how it is undone.

A plan has a name made from its steps and from every file they are about; it is carried out only
under that name, so that nobody applies to one state what was planned for another.
"""

from __future__ import annotations

import os

from leftoff.commands import Call
from leftoff.commands._editing import set_word
from leftoff.core.index_md import TITLES
from leftoff.core.stream import current
from leftoff.core.thread import POINTER
from leftoff.errors import Conflict, LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import merge_setup
from leftoff.world.files import read_bytes, tag
from leftoff.world.index_md import path_of, put, text_of
from leftoff.world.trash import move_to_trash

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from leftoff.core.diagnose_place import Signs
    from leftoff.core.model import Json
    from leftoff.core.stream import Stream
    from leftoff.world.store import Store


class Step(Record):
    """One change: its name, what it does, how it is undone, the files it is about."""

    id: str
    what: str
    undo: str
    paths: tuple[str, ...]


class Plan(Record):
    """Steps, and the name under which they may be carried out."""

    id: str
    steps: tuple[Step, ...]

    def data(self) -> dict[str, Json]:
        """For every face."""
        steps: list[Json] = [{"id": s.id, "what": s.what, "undo": s.undo} for s in self.steps]
        return {"id": self.id, "steps": steps}


def plan(store: Store, streams: Sequence[Stream], signs: Signs) -> Plan:
    """What could be put right here, and be undone."""
    # Litter first: any later write would sweep it away without keeping it.
    steps = (*_litter(signs), *_indexes(streams, signs), *_several(streams), *_driver(signs))
    return Plan(_name(store, signs, steps), steps)


def _name(store: Store, signs: Signs, steps: Sequence[Step]) -> str:
    parts = [signs.driver, store.root]
    for step in steps:
        parts += [step.id, step.what, *(f"{path}={_tag(store, path)}" for path in step.paths)]
    return tag("\0".join(parts).encode("utf-8", "surrogateescape"))[:12]


def _tag(store: Store, path: str) -> str:
    try:
        return tag(read_bytes(os.path.join(store.root, path)))
    except LeftoffError:
        return ""


def _indexes(streams: Sequence[Stream], signs: Signs) -> Iterator[Step]:
    for folder in TITLES:
        path = path_of(folder)
        if path in signs.indexes:
            start = f"checkpoints/{folder}/"
            members = [s.glance.path for s in streams if s.glance.path.startswith(start)]
            undo = "the previous index is kept in the trash"
            yield Step(f"index:{folder}", f"generate {path} again", undo, (path, *members))


def _several(streams: Sequence[Stream]) -> Iterator[Step]:
    focused = sorted(current(streams), key=lambda s: s.glance.touched or 0.0)
    if len(focused) < 2:
        return
    *others, newest = (stream.glance for stream in focused)
    names = ", ".join(other.id for other in others)
    what = f"keep {newest.id}, the newest, current; make active: {names}"
    undo = "the previous documents are kept in the trash"
    yield Step("current", what, undo, tuple(stream.glance.path for stream in focused))


def _litter(signs: Signs) -> Iterator[Step]:
    undo = "it is kept in the trash"
    if signs.pointer:
        what = f"put {POINTER}, which names no thread, into the trash"
        yield Step("pointer", what, undo, (POINTER,))
    for path in signs.temporary:
        yield Step(f"temporary:{path}", f"put {path} into the trash", undo, (path,))


def _driver(signs: Signs) -> Iterator[Step]:
    if signs.driver in {merge_setup.MISSING, merge_setup.GONE}:
        what = "register leftoff's merge driver in this clone's git configuration"
        undo = f"git config --local --remove-section {merge_setup.SECTION}"
        yield Step("merge-driver", what, undo, (merge_setup.ATTRIBUTES,))


# Carrying it out


def carry_out(call: Call, wanted: str, made: Plan, streams: Sequence[Stream]) -> list[Json]:
    """Each step that was done and how to undo it; Conflict when this is not the plan meant.

    The first step that fails is the last one, and says why.
    """
    if wanted != made.id:
        raise Conflict(
            f"plan {wanted} is out of date: something changed since, or it was already carried out",
            hint='see what would be done now: "leftoff doctor --fix"',
        )
    done: list[Json] = []
    for step in made.steps:
        entry = _done(call, step, streams)
        done.append(entry)
        if entry["failed"]:
            break  # what comes after it was planned for a state that did not come about
    return done


def _done(call: Call, step: Step, streams: Sequence[Stream]) -> dict[str, Json]:
    kind, _, about = step.id.partition(":")
    told: dict[str, Json] = {"id": step.id, "what": step.what}
    try:
        kept = _WAYS[kind](call, step, about, streams)
    except LeftoffError as error:
        return {**told, "undo": "", "kept": [], "failed": error.message}
    undo = f"copy back what is kept at {', '.join(kept)}" if kept else step.undo
    return {**told, "undo": undo, "kept": [*kept], "failed": ""}


def _write_index(call: Call, step: Step, folder: str, streams: Sequence[Stream]) -> list[str]:
    path = step.paths[0]
    old, new = call.store.raw(path), text_of(call.store, streams, folder)
    return [put(call.store, path, old, new, call.now)]


def _focus_one(call: Call, step: Step, _: str, __: Sequence[Stream]) -> list[str]:
    *others, _newest = step.paths
    kept = []
    for path in others:
        kept.append(call.store.keep_copy(path, call.now))
        set_word(call, path, "active")
    return kept


def _put_aside(call: Call, step: Step, _: str, __: Sequence[Stream]) -> list[str]:
    return [_trashed(call, path) for path in step.paths]


def _trashed(call: Call, path: str) -> str:
    """A whole path lies outside the project: its folder stands for one."""
    if os.path.isabs(path):
        return move_to_trash(os.path.dirname(path), path, call.store.state, call.now)
    return call.store.trash(path, call.now)


def _tell_git(call: Call, _: Step, __: str, ___: Sequence[Stream]) -> list[str]:
    merge_setup.install(call.store, call.env)
    return []


_WAYS: dict[str, Callable[[Call, Step, str, Sequence[Stream]], list[str]]] = {
    "index": _write_index,
    "current": _focus_one,
    "pointer": _put_aside,
    "temporary": _put_aside,
    "merge-driver": _tell_git,
}
