"""`make torture`: the promises of docs/reliability.md, broken on purpose as often as one likes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence

import told
from loaded import LOOPS, Waited, waited
from points import Found
from races import ALONE, GIT, STASH, Result, race
from scenes import scenes

BLOCK = "torture"


def main() -> int:
    options = _options()
    found = [*told.tortured(scenes(), options)]
    races = [*_races(options)]
    hooks = [*_hooks(options)]
    broken = _broken(found, races, hooks)
    parts = told.summary(found, options.every, len(broken)), told.scenes_table(found)
    return told.tell(options, BLOCK, [*parts, *_report(races, hooks)], broken)


def _options() -> argparse.Namespace:
    parser = told.parser(__doc__)
    parser.add_argument("--processes", type=int, default=32, help="of a race")
    parser.add_argument("--seconds", type=float, default=60, help="of a race; 0: no race")
    parser.add_argument("--hooks", type=int, default=200, help="runs of the hook; 0: none")
    return parser.parse_args()


def _races(options: argparse.Namespace) -> Iterator[Result]:
    for beside in (ALONE, GIT, STASH) if options.seconds else ():
        with told.folder() as work:
            result = race(os.path.realpath(work), options.processes, options.seconds, beside)
        told.progress(f"race {result.beside}: {result.words} words, {len(result.lost)} lost")
        yield result


def _hooks(options: argparse.Namespace) -> Iterator[Waited]:
    for loops in (0, LOOPS) if options.hooks else ():
        with told.folder() as work:
            yield waited(os.path.realpath(work), loops, options.hooks)


def _broken(found: list[Found], races: list[Result], hooks: list[Waited]) -> list[str]:
    """All that must not be; what git itself throws away is a figure."""
    lost = [f"lost: {word}" for one in races if not one.by_git for word in one.lost]
    others = [problem for one in races for problem in one.problems]
    late = [problem for one in hooks for problem in one.broken]
    return [*(problem for one in found for problem in one.broken), *lost, *others, *late]


# The report


def _report(races: list[Result], hooks: list[Waited]) -> Iterator[str]:
    if races:
        head = ("beside", "processes", "seconds", "commands", "refused", "git operations")
        yield told.table((*head, "words acknowledged", "lost", "other faults"), map(_race, races))
        yield f"Commands of the races: {_commands(races)}."
    if hooks:
        yield told.table(
            ("busy loops beside", "prompts", "p50 ms", "p99 ms", "worst ms"), map(_hook, hooks)
        )


def _race(one: Result) -> Sequence[str]:
    figures = (
        one.processes,
        one.seconds,
        one.commands.total(),
        one.refused,
        one.operations,
        one.words,
    )
    lost = f"{len(one.lost)} (by git)" if one.by_git and one.lost else str(len(one.lost))
    return (
        one.beside or "nothing",
        *(f"{figure:,g}" for figure in figures),
        lost,
        str(len(one.problems)),
    )


def _commands(races: list[Result]) -> str:
    total = sum((one.commands for one in races), start=type(races[0].commands)())
    return ", ".join(f"{name} {count:,}" for name, count in total.most_common())


def _hook(one: Waited) -> Sequence[str]:
    times = (f"{ms:.0f}" for ms in (one.half, one.p99, one.worst))
    return str(one.loops), str(one.runs), *times


if __name__ == "__main__":
    sys.exit(main())
