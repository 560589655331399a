"""What the documents of a race must be: the reference is lists of what was acknowledged.

Commands of one writer come one after the other, so the words of each writer stand in their order,
each once, and no word of a command that was refused stands anywhere. Actions are a sum: what was
there and was added, without what was done. None of it holds beside git, which moves the work tree.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from stage import EXAMPLE, files, project, read, state

from leftoff.formats import thread
from leftoff.world import journal

CHECKOUT = ".checkpoints/checkout.checkpoint.json"
SEARCH = "checkpoints/active/chk-search.md"
_WORD = re.compile(r"word(\d+)x\d+")


class Said(NamedTuple):
    """A command with its word, in the order of its writer; whether it was acknowledged."""

    name: str
    word: str
    done: bool


def differences(folder: str, said: Sequence[Said], added: int, done: int) -> Iterator[str]:
    """Where the documents are not what the model says; so many actions were added, and done."""
    for name, seen in _ordered(folder).items():
        want = [one.word for one in said if one.name == name and one.done]
        for writer in {*map(_writer, want), *map(_writer, seen)}:
            mine, theirs = (_of(writer, words) for words in (want, seen))
            if mine != theirs:
                yield f"{name} of writer {writer}: {theirs} instead of {mine}"
    for name, words in _counted(folder).items():
        want = [one.word for one in said if one.name == name and one.done]
        much, little = Counter(words) - Counter(want), Counter(want) - Counter(words)
        if much or little:
            yield f"{name}: {dict(much)} too many, {dict(little)} too few"
    yield from _actions(folder, added - done)


def _ordered(folder: str) -> dict[str, list[str]]:
    """The lists that only grow at their end, by the command that they belong to."""
    root = project(folder)
    checkout: Any = json.loads(read(os.path.join(root, CHECKOUT)))
    threads = sorted(path for path in files(f"{root}/.checkpoints/threads") if path.endswith(".md"))
    decided = (thread.read(read(path).decode(), path).decisions for path in threads)
    return {
        "update": _words(checkout["context_primer"]["key_decisions"]),
        "delta": _words(read(os.path.join(root, SEARCH)).decode().splitlines()),
        "save": _words(item.text for many in decided for item in many),
        "hook": _words(_keys(folder)),
    }


def _keys(folder: str) -> Iterator[str]:
    """The prompts that journals tell of."""
    for path in sorted(files(os.path.join(state(folder), "sessions"))):
        if path.endswith(".jsonl"):
            yield from (str(line.get("key", "")) for line in journal.read(path).lines)


def _counted(folder: str) -> dict[str, list[str]]:
    """What goes to many places, but to one each time."""
    root = project(folder)
    checkout: Any = json.loads(read(os.path.join(root, CHECKOUT)))
    rotated = [json.loads(read(path)) for path in files(f"{root}/.checkpoints/history")]
    runs = [
        *checkout["skill_state"].get("runs", []),
        *(run for one in rotated for run in one["runs"]),
    ]
    archived = files(os.path.join(root, "checkpoints/archive"))
    return {"rotate": _words(runs), "archive": _words(map(os.path.basename, archived))}


def _actions(folder: str, more: int) -> Iterator[str]:
    before, now = (
        len(json.loads(read(os.path.join(place, CHECKOUT)))["next_actions"])
        for place in (EXAMPLE, project(folder))
    )
    if now != before + more:
        yield f"{now} actions are open, instead of {before + more}"


def _words(texts: Iterable[object]) -> list[str]:
    """In their order; where many entries were folded into one, that one holds many."""
    return [one.group() for text in texts for one in _WORD.finditer(str(text))]


def _writer(word: str) -> str:
    return _WORD.sub(r"\1", word)


def _of(writer: str, words: Iterable[str]) -> list[str]:
    return [word for word in words if _writer(word) == writer]
