"""`make torture`: the promises of docs/reliability.md, broken on purpose as often as one likes."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "bench")]

from loaded import LOOPS, Waited, waited
from measure import put_into
from points import HARMS, Found, torture
from races import ALONE, GIT, STASH, Result, race
from scenes import scenes

BLOCK = "torture"
MEMORY = "/dev/shm"
"""A flush takes no time there, and nothing else is different."""
SHOWN = 20


def main() -> int:
    options = _options()
    found = [*_points(options)]
    races = [*_races(options)]
    hooks = [*_hooks(options)]
    text = "\n\n".join(_report(found, races, hooks, options))
    print(text)
    if options.markdown:
        put_into(options.markdown, BLOCK, text)
    return 1 if _broken(found, races, hooks) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scene", action="append", default=[], metavar="NAME", help="these only")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each nth point only")
    parser.add_argument("--processes", type=int, default=32, help="of a race")
    parser.add_argument("--seconds", type=float, default=60, help="of a race; 0: no race")
    parser.add_argument("--hooks", type=int, default=200, help="runs of the hook; 0: none")
    parser.add_argument(
        "--results", default="", metavar="FILE", help="note scenes here; those in it are not run"
    )
    parser.add_argument(
        "--markdown", type=os.path.abspath, metavar="FILE", help="put it into this file's block"
    )
    return parser.parse_args()


def _points(options: argparse.Namespace) -> Iterator[Found]:
    done = {one.scene: one for one in _noted(options.results)}
    for scene in scenes():
        if scene.name in done:
            yield done[scene.name]
        elif not options.scene or scene.name in options.scene:
            with _folder() as work:
                found = torture(scene, os.path.realpath(work), options.every)
            _progress(f"{found.scene}: {found.points} points, {len(found.broken)} broken")
            _note(options.results, found)
            yield found


def _races(options: argparse.Namespace) -> Iterator[Result]:
    for beside in (ALONE, GIT, STASH) if options.seconds else ():
        with _folder() as work:
            result = race(os.path.realpath(work), options.processes, options.seconds, beside)
        _progress(f"race {result.beside}: {result.words} words, {len(result.lost)} lost")
        yield result


def _hooks(options: argparse.Namespace) -> Iterator[Waited]:
    for loops in (0, LOOPS) if options.hooks else ():
        with _folder() as work:
            yield waited(os.path.realpath(work), loops, options.hooks)


def _noted(path: str) -> Iterator[Found]:
    """The scenes that a run before came through, if it kept notes."""
    if path and os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for scene, points, runs, missed, broken in map(json.loads, file):
                yield Found(scene, points, Counter(runs), missed, broken)


def _note(path: str, found: Found) -> None:
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(found) + "\n")


def _folder() -> tempfile.TemporaryDirectory[str]:
    base = MEMORY if os.access(MEMORY, os.W_OK) else None
    return tempfile.TemporaryDirectory(prefix="leftoff-torture-", dir=base)


def _progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _broken(found: list[Found], races: list[Result], hooks: list[Waited]) -> list[str]:
    """All that must not be; what git itself throws away is a figure."""
    lost = [f"lost: {word}" for one in races if not one.by_git for word in one.lost]
    others = [problem for one in races for problem in one.problems]
    late = [problem for one in hooks for problem in one.broken]
    return [*(problem for one in found for problem in one.broken), *lost, *others, *late]


# The report


def _report(
    found: list[Found], races: list[Result], hooks: list[Waited], options: argparse.Namespace
) -> Iterator[str]:
    broken = _broken(found, races, hooks)
    runs = sum(sum(one.runs.values()) for one in found)
    points, missed = sum(one.points for one in found), sum(one.missed for one in found)
    which = "every point" if options.every == 1 else f"each {options.every}th point"
    yield (
        f"**{len(found)} scenes, {points:,} points ({which}), {runs:,} runs with a harm;"
        f" {len(broken)} broken promises.** {missed} runs took another way and never came to"
        " their point."
    )
    yield _table(("scene", "points", *HARMS, "broken"), map(_scene, found))
    if races:
        head = ("beside", "processes", "seconds", "commands", "refused", "git operations")
        yield _table((*head, "words acknowledged", "lost", "other faults"), map(_race, races))
        yield f"Commands of the races: {_commands(races)}."
    if hooks:
        yield _table(
            ("busy loops beside", "prompts", "p50 ms", "p99 ms", "worst ms"), map(_hook, hooks)
        )
    system, version = f"{platform.system()} {platform.machine()}", platform.python_version()
    yield f"{system}, {os.cpu_count()} processors, Python {version}."
    if broken:
        yield "\n".join(f"- {problem[:300]!r}" for problem in broken[:SHOWN])


def _scene(one: Found) -> Sequence[str]:
    runs = (str(one.runs[harm]) for harm in HARMS)
    return one.scene, str(one.points), *runs, str(len(one.broken))


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


def _table(head: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
