"""Hooks of a client that run in this very process, and what stands for the commands behind them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from tempfile import TemporaryFile
from types import MappingProxyType
from typing import Any

from hooks import Client, payload
from leftoff.core.fast_json import dumps
from leftoff.entry import hook
from support import descriptors


@contextmanager
def stdio(given: bytes | int) -> Iterator[list[bytes]]:
    """Descriptors 0 and 1 are a file with this in it (or a pipe) and one for what is said."""
    kept, said = (os.dup(0), os.dup(1)), list[bytes]()
    with TemporaryFile() as source, TemporaryFile() as out:
        if isinstance(given, bytes):
            os.pwrite(source.fileno(), given, 0)
        os.dup2(source.fileno() if isinstance(given, bytes) else given, 0)
        os.dup2(out.fileno(), 1)
        try:
            yield said
        finally:
            said.append(os.pread(out.fileno(), 1 << 20, 0))
            for number, fd in enumerate(kept):
                os.dup2(fd, number)
                os.close(fd)


class Here(Client):
    """A client whose hooks run in this process."""

    def tell(self, event: str, given: object = b"", *options: str) -> bytes:
        """What is said to one event; nothing that it opened stays open."""
        data = given if isinstance(given, bytes | int) else dumps(given).encode()
        with stdio(data) as said:
            before = descriptors()
            hook.run([self.agent, event, *options], self.state)
            assert not descriptors() - before
        return said[0]

    def why(self, event: str, **given: object) -> str:
        """Why this event went to the commands, as the file of runs says."""
        self.tell(event, payload(**given))
        return self.runs()[-1][4]


class Commands:
    """Stands for the ordinary commands: what they were asked, and what they say to it."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.then: Any = lambda _: None
        self.behind: list[Any] = []

    def handle(self, happened: Any, speak: Any) -> Any:
        self.asked.append(happened)
        self.speak = speak
        return self.then(happened)


def log_of(folder: object, size: int, marks: Mapping[int, bytes] = MappingProxyType({})) -> str:
    """A transcript of this size with no answer in it, and marks at these places."""
    path = os.path.join(os.fspath(folder), "long.jsonl")
    with open(path, "wb") as file:
        file.truncate(size)
        for at, mark in marks.items():
            file.seek(at)
            file.write(mark)
    assert os.path.getsize(path) == size
    return path
