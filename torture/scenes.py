"""The scenes: a project, one command that writes, and what must hold after anything happened to it.

A command that writes one document leaves the old one or the new one, byte for byte (`--now` makes
the new one known beforehand). One that writes several may stop between two of them: then every
document is valid, nothing of before is lost, and what was acknowledged is there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from crash_points import Command, Ended, Scene
from scenes_conversations import talk_scenes
from scenes_hooks import hook_scenes, settings_scenes
from scenes_unsaved import working_scenes
from stage import (
    LATER,
    NOW,
    PROGRAM,
    ask,
    documents,
    environment,
    git,
    half_in,
    kept_aside,
    lay_project,
    must,
    project,
    read,
    swept,
    try_git,
    write,
)

CHECKOUT = ".checkpoints/checkout.checkpoint.json"
THREAD = "thread-7c2e91b4"
_WITHOUT = "is in no cost ledger"
"""What a save does not need, and says that it lacks."""
_AGAIN = ("update", "checkout", "--step=after the harm", "--now", LATER)


class Documents:
    """A command that writes exactly one document, or moves it."""

    def __init__(
        self,
        name: str,
        *words: str,
        before: Sequence[tuple[str, ...]] = (),
        again: tuple[str, ...] = _AGAIN,
    ) -> None:
        self.name, self.words, self.before = name, (*words, "--now", NOW), tuple(before)
        self.again = again
        self.old: dict[str, bytes] = {}
        self.new: dict[str, bytes] = {}

    def lay(self, folder: str) -> None:
        lay_project(folder)
        for words in self.before:
            must(folder, *words, "--now", NOW)
        self.old = documents(folder)

    def command(self, folder: str) -> Command:
        return Command((*PROGRAM, *self.words), project(folder), environment(folder))

    def broken(self, folder: str, ended: Ended) -> Iterator[str]:
        seen = documents(folder)
        self.new = self.new or seen  # the run without harm comes first
        if ended.code == 0 and ended.unflushed and _WITHOUT not in ended.err:
            yield "it was acknowledged, and the disk has refused to keep it"
        yield from self.told(seen, ended)
        yield from lost(folder, self.old, seen)
        yield from after(folder, self.again)

    def told(self, seen: dict[str, bytes], ended: Ended) -> Iterator[str]:
        for path in {*seen, *self.old, *self.new}:
            if seen.get(path) not in {self.old.get(path), self.new.get(path)}:
                yield f"{path} is neither the old nor the new one"
        if ended.code == 0 and seen != self.new:
            yield "it was acknowledged and is not there"


class Several(Documents):
    """A command that writes more than one document; `says` is what it acknowledges."""

    def __init__(self, name: str, *words: str, says: Sequence[str], **more: object) -> None:
        super().__init__(name, *words, **more)  # type: ignore[arg-type]
        self.says = says

    def told(self, seen: dict[str, bytes], ended: Ended) -> Iterator[str]:
        whole = b"\n".join([*map(os.fsencode, seen), *seen.values()]).decode("utf-8", "replace")
        for word in self.says:
            if ended.code == 0 and word not in whole:
                yield f'it was acknowledged, and "{word}" is nowhere'


class Driver(Documents):
    """The merge driver, called by a real `git merge`; git itself is not harmed."""

    def __init__(self, name: str, ours: Sequence[str], theirs: Sequence[str]) -> None:
        super().__init__(name)
        self.sides = ours, theirs

    def lay(self, folder: str) -> None:
        lay_project(folder)
        must(folder, "init", "--merge-driver", "--now", NOW)
        driver = f"$TRACED '{PROGRAM[0]}' -m leftoff merge-driver %O %A %B %P --now {NOW}"
        git(folder, "config", "merge.leftoff.driver", driver)
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", "driver")
        git(folder, "branch", "side")
        for branch, words in zip(("main", "side"), self.sides, strict=True):
            git(folder, "switch", "--quiet", branch)
            must(folder, *words, "--now", NOW)
            self.around(folder, branch)
            git(folder, "commit", "--quiet", "--all", "--message", branch)
        git(folder, "switch", "--quiet", "main")
        self.old = documents(folder)

    def around(self, folder: str, branch: str) -> None:
        """Text that no field holds: it is merged line by line."""
        path = os.path.join(project(folder), "checkpoints/active/chk-search.md")
        heading = {"main": "## Problem", "side": "## User Rules"}[branch]
        text = read(path).decode().replace(heading, f"<!-- {branch} -->\n\n{heading}")
        write(path, text)

    def command(self, folder: str) -> Command:
        return Command(_MERGE, project(folder), environment(folder), inside=True)

    def broken(self, folder: str, ended: Ended) -> Iterator[str]:
        seen = documents(folder)
        self.new = self.new or seen
        if ended.code == 0 and seen != self.new:
            yield "git says that it is merged, and it is not"
        if ended.code:
            yield from self._second_try(folder)
        yield from after(folder, self.again)

    def _second_try(self, folder: str) -> Iterator[str]:
        """Nothing is lost: the merge can be taken back, and comes out right without the harm."""
        back = try_git(folder, "merge", "--abort")
        if back.returncode or documents(folder) != self.old:
            yield f"the merge cannot be taken back: {back.stderr}"
        again = try_git(folder, *_MERGE[1:])
        if again.returncode or documents(folder) != self.new:
            yield f"the second merge came out otherwise: {again.stderr[-300:]}"


_MERGE = ("git", "merge", "--quiet", "--no-edit", "side")


def lost(folder: str, old: dict[str, bytes], seen: dict[str, bytes]) -> Iterator[str]:
    """A document that is not at its place was moved, or lies in the trash."""
    gone, come = old.keys() - seen.keys(), seen.keys() - old.keys()
    aside = kept_aside(folder)
    homeless = [path for path in gone if old[path] not in aside]
    if len(homeless) > len(come):
        yield f"lost: {', '.join(homeless)}"


def after(folder: str, again: Sequence[str]) -> Iterator[str]:
    """What the next commands find."""
    valid = ask(folder, "validate", "--json", "--now", LATER)
    if valid.code:
        yield f"validate: {valid.out[-400:]}"
    before = documents(folder)
    done = ask(folder, *again)
    if done.code:
        yield f"the next command: {done.err[-300:]}"
    seen = documents(folder)
    wrote = {os.path.dirname(path) for path in seen if seen[path] != before.get(path)}
    yield from (f"{path} was not swept" for path in half_in(folder, wrote))
    yield from swept(folder)


def scenes() -> list[Scene]:
    """All of them."""
    one = ("save", "One", "--no-draft")
    other = ("thread", "enable", "Receipts", "--new")
    delta = ("delta", "search", "--what", "after the harm", "--now", LATER)
    return [
        Documents("update", "update", "checkout", "--phase=receipts", "--progress_summary=Half"),
        Documents("done", "done", "checkout"),
        Documents("reset", "reset", "checkout"),
        Documents("delta", "delta", "search", "--what", "Colours rank first", again=delta),
        Documents("convert", "convert", "search", "--to", "skill"),
        Several("archive", "archive", "search", "--outcome", "Red first", says=["Red first"]),
        Several("save", "save", "Half of it", "--no-draft", says=["Half of it"]),
        Several("save again", "save", "Two", "--no-draft", before=[one], says=["Two"]),
        Several("save task", "save", "Third", "--as", "task", "--no-draft", says=["Third"]),
        Several("thread enable", *other, says=["Receipts"]),
        Several("thread switch", "thread", "switch", THREAD, before=[other], says=[THREAD]),
        Several("prune", "prune", "checkout", "--rotate", "runs", before=[_RUNS], says=["history"]),
        Several("index", "index", before=[("delta", "search", "--what", "New")], says=["INDEX"]),
        Driver(
            "git merge of a skill",
            ("update", "checkout", "--phase=our phase"),
            ("update", "checkout", "--step=their step"),
        ),
        Driver(
            "git merge of a Markdown checkpoint",
            ("delta", "search", "--what", "Ours"),
            ("delta", "search", "--what", "Theirs"),
        ),
        *talk_scenes(),
        *settings_scenes(),
        *hook_scenes(),
        *working_scenes(),
    ]


_RUNS = ("update", "checkout", "--skill_state.runs:json=[1, 2, 3]")
