"""`make torture`: the promises of docs/reliability.md, broken on purpose as often as one likes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence

import common
from busy_machine import LOOPS, Waited, waited
from scenes import scenes

BLOCK = "torture"


def main() -> int:
    options = _options()
    found = [*common.tortured(scenes(), options)]
    hooks = [*_hooks(options)]
    broken = [problem for one in (*found, *hooks) for problem in one.broken]
    parts = common.summary(found, options.every, len(broken)), common.scenes_table(found)
    return common.tell(options, BLOCK, [*parts, *_report(hooks)], broken)


def _options() -> argparse.Namespace:
    parser = common.parser(__doc__)
    parser.add_argument("--hooks", type=int, default=200, help="runs of the hook; 0: none")
    return parser.parse_args()


def _hooks(options: argparse.Namespace) -> Iterator[Waited]:
    for loops in (0, LOOPS) if options.hooks else ():
        with common.folder() as work:
            yield waited(os.path.realpath(work), loops, options.hooks)


def _report(hooks: list[Waited]) -> Iterator[str]:
    if hooks:
        head = ("busy loops beside", "prompts", "p50 ms", "p99 ms", "worst ms")
        yield common.table(head, map(_hook, hooks))


def _hook(one: Waited) -> Sequence[str]:
    times = (f"{ms:.0f}" for ms in (one.half, one.p99, one.worst))
    return str(one.loops), str(one.runs), *times


if __name__ == "__main__":
    sys.exit(main())
