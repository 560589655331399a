"""What a conversation amounts to for whoever goes on with it: asked, done, failed, left. Pure.

Paths and commands, never contents. It is made from turns as they stream by.
"""

from __future__ import annotations

from leftoff.core.answers import (
    BELOW,
    is_all,
    lists,
    open_points,
    questions,
    report,
    stated,
    without,
)
from leftoff.core.answers import MOST as MOST_POINTS
from leftoff.core.commits import commands_in, messages_in
from leftoff.core.decided import MOST as MOST_DECIDED
from leftoff.core.decided import decided
from leftoff.core.model import Item
from leftoff.core.pasted import parts
from leftoff.core.progress import as_lists
from leftoff.core.replies import replying
from leftoff.core.talk import AGENT, TOOL, USER
from leftoff.core.texts import flat, short
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from leftoff.core.talk import Turn

LONGEST, PROMPT = 300, 1200
"""Characters of a command, and of a prompt, that are kept."""
FIRST, LAST = 4, 196
"""Prompts that are kept of many."""
FRESH = 4
"""Prompts after which nobody trusts a list of what is left to do: most of it will be done."""
MOST_COMMANDS, MOST_FAILURES, MOST_FILES, MOST_DONE = 40, 8, 500, 20
# A look around that found nothing is no failure.
_LOOKS = frozenset(
    ("grep", "rg", "ls", "cat", "test", "[", "[[", "which", "find", "head", "tail", "diff", "stat")
)
_ALONE = frozenset(
    ("pytest", "py.test", "tox", "nox", "jest", "vitest", "rspec", "phpunit", "ctest", "mocha")
)
_WITH = frozenset(
    (
        *("npm", "pnpm", "yarn", "bun", "make", "gmake", "just", "cargo", "go", "mvn", "mvnw"),
        *("gradle", "gradlew", "dotnet", "mix", "rake", "deno", "swift", "bazel", "zig", "sbt"),
    )
)
_WORDS = frozenset(("test", "tests", "check", "unittest", "nextest", "pytest"))
_HINTS = ("test", "check", "tox", "nox", "jest", "spec", "mocha", "phpunit")
_BEFORE = frozenset(("sudo", "env", "time", "npx", "uv", "uvx", "poetry", "pipenv", "bunx", "run"))


class Ran(Record):
    """A command and how it ended."""

    text: str
    ok: bool | None = None


class Digest(Record):
    """Times are seconds since the epoch, 0 for unknown."""

    intents: tuple[str, ...] = ()
    """what was asked, cut; of many the first and the last"""
    prompts: int = 0
    decided: tuple[str, ...] = ()
    """what the person settled while asking, the last ones"""
    files: tuple[str, ...] = ()
    """paths that were changed, in order of the first change; not where the call is known to fail"""
    commands: tuple[Ran, ...] = ()
    """the last ones, each once, as it ended last"""
    ran: int = 0
    commits: tuple[str, ...] = ()
    """the first line of each commit; empty where the transcript does not tell it"""
    failures: tuple[str, ...] = ()
    """commands that failed and that nobody ran with success afterwards"""
    points: tuple[str, ...] = ()
    """what the last answers left open: by the last list of it, and by the last words"""
    done: tuple[str, ...] = ()
    """what the answers list as done, the last ones"""
    questions: tuple[str, ...] = ()
    """those of the last answer, where nothing came after it"""
    reported: str = ""
    """how the last turn that ended says that it went"""
    tests: Ran | None = None
    """the last run of the tests"""
    first: float = 0.0
    last: float = 0.0


def digest(turns: Iterable[Turn], since: float = 0.0) -> Digest:
    """What the turns amount to, those after a time where one is given."""
    seen: dict[str, Any] = {
        "intents": [],
        "prompts": 0,
        "decided": {},
        "files": {},
        "commands": {},
        "ran": 0,
        "commits": [],
        "failures": {},
        "asked": "",
        "said": "",
        "closed": "",
        "role": "",
        "left": (),
        "listed": 0,
        "done": {},
        "landed": set(),
        "tests": None,
        "first": 0.0,
        "last": 0.0,
    }
    for turn in turns:
        if turn.at <= since and since:
            continue
        seen["first"] = seen["first"] or turn.at
        seen["last"] = turn.at or seen["last"]
        seen["role"] = turn.role
        _TAKE[turn.role](seen, turn)
    return Digest(
        intents=tuple(seen["intents"]),
        prompts=seen["prompts"],
        decided=tuple(seen["decided"])[-MOST_DECIDED:],
        files=tuple(seen["files"]),
        commands=tuple(Ran(text, ok) for text, ok in seen["commands"].items()),
        ran=seen["ran"],
        commits=tuple(seen["commits"]),
        failures=tuple(seen["failures"]),
        points=_points(seen),
        done=tuple(seen["done"].values())[-MOST_DONE:],
        questions=questions(seen["said"]) if seen["role"] == AGENT else (),
        reported=report(seen["closed" if seen["role"] == TOOL else "said"]),
        tests=seen["tests"],
        first=seen["first"],
        last=seen["last"],
    )


def is_test(command: str) -> bool:
    """Whether a command runs the tests of a project."""
    if not any(hint in command for hint in _HINTS):
        return False
    return any(map(_runs_tests, commands_in(command)))


def _runs_tests(words: list[str]) -> bool:
    names = [word.rpartition("/")[2] for word in words]
    while names and (names[0] in _BEFORE or "=" in names[0]):
        del names[0]
    if not names:
        return False
    first, rest = names[0], {word.partition(":")[0] for word in names[1:]}
    if first.startswith("python"):
        return bool({"pytest", "unittest"} & rest)
    return first in _ALONE or (first in _WITH and bool(_WORDS & rest))


def _asked(seen: dict[str, Any], turn: Turn) -> None:
    seen["prompts"] += 1
    found = parts(turn.text)  # what a program wrote neither asks nor decides anything
    told = found._replace(own=replying(found.own, seen["said"], seen["asked"]))
    seen["asked"] = found.own
    seen["intents"].append(short(told.text, PROMPT))
    seen["closed"] = seen["said"]
    seen["decided"].update(dict.fromkeys(decided(found.own)))
    if len(seen["intents"]) > FIRST + LAST:
        del seen["intents"][FIRST]


def _said(seen: dict[str, Any], turn: Turn) -> None:
    seen["said"], said = turn.text, as_lists(turn.text)
    found = lists(said)
    for step in found.left:  # what is open again was not done for good
        for one in map(_same, (step, *step.split(BELOW))):
            seen["done"].pop(one, None)
            seen["landed"].discard(one)
    seen["done"].update((_same(one.partition(BELOW)[0]), one) for one in found.done)
    if found.left or is_all(said):
        seen["left"], seen["listed"] = found.left, seen["prompts"]


def _points(seen: dict[str, Any]) -> tuple[str, ...]:
    """What is left by the last list, where it is fresh and nobody said since that it is done."""
    left = seen["left"] if seen["prompts"] - seen["listed"] <= FRESH else ()
    if not left and seen["role"] == TOOL:
        # until a turn ends, the end of the one before tells what is left
        left = stated(seen["closed"])
    points = dict.fromkeys((*left, *open_points(as_lists(seen["said"]))))
    over = {*seen["done"], *seen["landed"]}
    return tuple(filter(None, (without(one, over, _same) for one in points)))[:MOST_POINTS]


def _same(text: str) -> str:
    """By what a point is known again, in other lists and in messages of commits."""
    return Item(text).key.rstrip(".;!。；！")  # noqa: RUF001  # those of Chinese


def _called(seen: dict[str, Any], turn: Turn) -> None:
    if turn.ok is not False and len(seen["files"]) < MOST_FILES:
        seen["files"].update(dict.fromkeys(turn.changes))
    if turn.is_command and turn.about:
        _ran(seen, turn)


def _ran(seen: dict[str, Any], turn: Turn) -> None:
    command = short(flat(turn.about), LONGEST)
    seen["ran"] += 1
    _last(seen["commands"], command, turn.ok, MOST_COMMANDS)
    if turn.ok is not False:
        _committed(seen, messages_in(turn.about))
    if is_test(turn.about):
        seen["tests"] = Ran(command, turn.ok)
    seen["failures"].pop(command, None)
    if turn.ok is False and command.partition(" ")[0] not in _LOOKS:
        _last(seen["failures"], command, False, MOST_FAILURES)


def _committed(seen: dict[str, Any], messages: Iterable[str]) -> None:
    for one in messages:
        seen["commits"].append(short(one, 120))
        # the kind of a change stands before it by some customs: "fix: sync the store"
        seen["landed"] |= {_same(one), _same(one.partition(": ")[2] or one)}


def _last(kept: dict[str, bool | None], text: str, ok: bool | None, most: int) -> None:
    """Keep an entry as the newest of so many."""
    kept.pop(text, None)
    kept[text] = ok
    if len(kept) > most:
        del kept[next(iter(kept))]


_TAKE = {USER: _asked, AGENT: _said, TOOL: _called}
