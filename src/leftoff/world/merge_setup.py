"""The merge driver in a clone: told to git, taken back, and how it stands.

Two halves make it work: `.gitattributes`, which travels with the repository, and git's own
configuration, which is this clone's and which all its working trees share.
"""

from __future__ import annotations

import os
import sys

from leftoff.core import starter_texts
from leftoff.errors import GitError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import git
from leftoff.world.edit_file import edit_file
from leftoff.world.files import discard, read_bytes, temp_name, write_atomic
from leftoff.world.place import belongs_to
from leftoff.world.processes import interpreter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from leftoff.world.store import Store

ATTRIBUTES = ".gitattributes"
SECTION = "merge.leftoff"
NAME, COMMAND = f"{SECTION}.name", f"{SECTION}.driver"

PATIENCE = 10.0
"""Seconds for another installation's Python to say whether it has leftoff."""

WORKING, GONE, OTHER, MISSING, PARTIAL = "working", "gone", "other", "missing", "partial"


class Step(Record):
    """One thing that was done, or would be: what, and `created`, `removed`, `already there`..."""

    what: str
    state: str


class State(Record):
    """How the driver stands in this clone.

    command:    working (or at least there), gone (its interpreter is), other (not written by
                leftoff), missing
    attributes: working, partial, missing
    """

    command: str
    attributes: str


def install(store: Store, env: Mapping[str, str], *, dry: bool = False) -> list[Step]:
    """Tell git of the driver. A second time only a command that is gone or outdated is renewed."""
    old = _attributes(store)
    new = starter_texts.with_attributes(old)
    wanted = starter_texts.driver(interpreter())
    told = _config(store, COMMAND, env) == wanted
    if not dry and new != old:
        edit_file(store, ATTRIBUTES, lambda text: _added(text, is_new=old is None))
    if not dry and not told:
        git.run(store.root, "config", "--local", NAME, starter_texts.DRIVER_NAME, env=env)
        git.run(store.root, "config", "--local", COMMAND, wanted, env=env)
    return [
        Step(ATTRIBUTES, "already there" if new == old else "created"),
        Step(f"git config {SECTION}", "already there" if told else "created"),
    ]


def remove(store: Store, env: Mapping[str, str], now: float, *, dry: bool = False) -> list[Step]:
    """Take back exactly what `install` did; a file that holds nothing else goes to the trash."""
    steps = []
    old = _attributes(store)
    new = None if old is None else starter_texts.without_attributes(old)
    if new != old:
        steps.append(Step(ATTRIBUTES, "removed" if new is None else "lines removed"))
        if not dry:
            _take_out(store, now, whole=new is None)
    if _config(store, COMMAND, env) or _config(store, NAME, env):
        steps.append(Step(f"git config {SECTION}", "removed"))
        if not dry:
            git.run(store.root, "config", "--local", "--remove-section", SECTION, env=env)
    return steps


def state(store: Store, env: Mapping[str, str]) -> State:
    """What is set up in this clone; a server never runs a driver, whatever stands here."""
    present = set((_attributes(store) or "").splitlines())
    wanted = [line for line in starter_texts.ATTRIBUTES if not line.startswith("#")]
    there = sum(line in present for line in wanted)
    attributes = MISSING if not there else WORKING if there == len(wanted) else PARTIAL
    return State(_command_state(store, env), attributes)


def merge_text(root: str, paths: Sequence[str], env: Mapping[str, str]) -> bool | None:
    """Merge base, ours and theirs line by line, into ours; whether that left no marker.

    None, and ours as it was, when git could not: it is no text, or git is not there.
    """
    base, ours, theirs = paths
    before = read_bytes(ours)
    labels = ("-L", "ours", "-L", "base", "-L", "theirs")
    try:
        git.run(root, "merge-file", *labels, ours, base, theirs, env=env)
    except GitError:
        after = read_bytes(ours)
        return None if after == before else False
    return True


def merge_layout(texts: Sequence[str], folder: str, env: Mapping[str, str]) -> str | None:
    """Base, ours and theirs, which say the same, in one text; None where their lines clash."""
    paths = [os.path.join(folder, temp_name()) for _ in texts]
    try:
        for path, text in zip(paths, texts, strict=True):
            write_atomic(path, text.encode(), durable=False)
        clean = merge_text(folder, paths, env)
        return read_bytes(paths[1]).decode() if clean else None
    finally:
        for path in paths:
            discard(path)


def _attributes(store: Store) -> str | None:
    return store.raw(ATTRIBUTES) if store.exists(ATTRIBUTES) else None


def _added(text: str, *, is_new: bool) -> str:
    """Made from what is there under the lock, which may be more than was seen before."""
    return starter_texts.with_attributes(None if is_new and not text else text)


def _take_out(store: Store, now: float, *, whole: bool) -> None:
    if whole:
        store.trash(ATTRIBUTES, now)
    else:
        edit_file(store, ATTRIBUTES, lambda text: starter_texts.without_attributes(text) or "")


def _config(store: Store, key: str, env: Mapping[str, str]) -> str:
    """The value in this clone's configuration; empty when there is none, or no git."""
    try:
        return git.run(store.root, "config", "--local", "--get", key, env=env).rstrip("\n")
    except GitError:
        return ""


def _command_state(store: Store, env: Mapping[str, str]) -> str:
    command = _config(store, COMMAND, env)
    if not command:
        return MISSING
    python = _named_in(command)
    if not os.path.isabs(python) or command != starter_texts.driver(python):
        return OTHER
    if not os.access(python, os.X_OK):
        return GONE
    # git's settings may have come in an archive, with a program of the same archive in them
    is_own = belongs_to(store.place, env.get("HOME", ""))(os.path.dirname(python))
    return WORKING if is_own or _has_package(python) else GONE


def _named_in(command: str) -> str:
    """The interpreter in a command of ours; empty for any other command."""
    from shlex import split

    try:
        words = split(command)
    except ValueError:
        return ""
    return words[1].replace("%%", "%") if len(words) > 1 else ""


def _has_package(python: str) -> bool:
    """Whether that interpreter still finds leftoff; ourselves need not be asked."""
    if python == sys.executable:
        return True
    from subprocess import DEVNULL, SubprocessError, run  # only for another installation's

    words = [python, "-P", "-c", "import leftoff"]
    try:
        done = run(  # noqa: S603  # no program of the project
            words,
            env={},
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=DEVNULL,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, SubprocessError):
        return False
    return done.returncode == 0
