"""What is known from earlier runs: which tests reach what, and what became of each mutant."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, NamedTuple

PASSED = "passed"


class Test(NamedTuple):
    """One that passes, and how long that takes."""

    seconds: float
    name: str


class Notes:
    """Two files of lines, so that a run may be stopped at any time."""

    def __init__(self, folder: str) -> None:
        os.makedirs(folder, exist_ok=True)
        self._reach = os.path.join(folder, "reach.jsonl")
        self._verdicts = os.path.join(folder, "verdicts.jsonl")

    def tests(self) -> dict[str, list[Test]]:
        """The tests that reach each function, the quickest first."""
        found: dict[str, list[Test]] = defaultdict(list)
        for line in self._newest():
            if line["outcome"] == PASSED:
                for function in line["calls"]:
                    found[function].append(Test(line["seconds"], line["test"]))
        return {function: sorted(tests) for function, tests in found.items()}

    def digests(self) -> dict[str, str]:
        """The test files that were learnt, as they were then."""
        return {line["file"]: line["digest"] for line in _lines(self._reach) if "test" not in line}

    def learnt(self, file: str, digest: str, lines: list[dict[str, Any]]) -> None:
        """All tests of a file; what was known of it before counts no more."""
        _append(self._reach, [*({**line, "file": file, "digest": digest} for line in lines)])
        _append(self._reach, [{"file": file, "digest": digest}])

    def _newest(self) -> Iterator[dict[str, Any]]:
        digests = self.digests()
        last = {line["test"]: line for line in _lines(self._reach) if "test" in line}
        return (line for line in last.values() if digests.get(line["file"]) == line["digest"])

    def verdicts(self) -> dict[str, dict[str, Any]]:
        """The newest verdict on each mutant, with the text of its function and tests."""
        return {line["name"]: line for line in _lines(self._verdicts)}

    def judged(self, line: dict[str, Any]) -> None:
        _append(self._verdicts, [line])


def digest(*parts: str) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()[:16]


def _append(path: str, lines: list[dict[str, Any]]) -> None:
    with open(path, "a", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)


def _lines(path: str) -> Iterator[dict[str, Any]]:
    """A torn last line is none."""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            yield from (json.loads(line) for line in file if line.endswith("\n"))
