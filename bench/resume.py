"""What a new session knows: facts that were planted in made-up work, and how many of them survive.

Each piece of work is a git repository with a checkpoint in one of the formats, written by leftoff
from words that the generator knows, and a conversation in which another set of facts was said and
done, ended without a save. Then the world moves on: pull requests land, files go. Every way of
telling gets the same budget; `stale` counts what is no longer so and is told as if it were. The
summary is one that forgot nothing, as no model writes it, cut to the budget. Behind these stand
documents that people had, where the samples are at hand; their facts are what they state.
"""

from __future__ import annotations

import argparse
import glob
import os
import tempfile
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from measure import put_into
from report import Goal, at_least
from resume_works import NOW, SHAPES, Made, Place

from leftoff.commands import _quality
from leftoff.core.model import open_actions
from leftoff.core.quality import BUDGETS, Facts, Score, score, share, total
from leftoff.core.when import DAY, instant

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCK = "bench-resume"
SAMPLES = os.path.join(os.path.dirname(ROOT), "shared", "samples")
REAL = {
    "opchain/head/*.checkpoint.json": ".checkpoints",
    "opchain/historic/*/*.checkpoint.json": ".checkpoints",
    "coihuin/*/active/chk-*.md": "checkpoints/active",
    "coihuin/*/archive/chk-*.md": "checkpoints/active",
    "coihuin/*/examples/checkpoint.md": "checkpoints/active",
    "hapi-thread/*/dot-checkpoints/threads/*/CHECKPOINT.md": ".checkpoints/threads/thread-cabae2b8",
    "quoin/memory/sessions/*.md": ".workflow_artifacts/memory/sessions",
}
"""Documents of the samples, and where in a project they belong."""
GONE = 4
"""Of the files that a captured document names, every so many is not there any more."""
TARGET, TIMES, AT = 0.95, 1.5, 1000


class Line(NamedTuple):
    """One row of the table."""

    kind: str
    budget: int
    way: str
    score: Score
    works: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--works", type=int, default=24, help="pieces of work to make")
    parser.add_argument("--markdown", type=os.path.abspath, metavar="FILE")
    options = parser.parse_args()
    found: dict[tuple[str, int, str], list[Score]] = {}
    with tempfile.TemporaryDirectory() as folder:
        made = (scored(os.path.join(folder, str(n)), n) for n in range(options.works))
        for some in (*made, captured(os.path.join(folder, "real"))):
            for key, one in some:
                found.setdefault(key, []).append(one)
    lines = [Line(*key, total(scores), len(scores)) for key, scores in found.items()]
    text = report(lines)
    print(text)
    if options.markdown:
        put_into(options.markdown, BLOCK, text, [*goals(lines)])


def scored(folder: str, n: int) -> Iterator[tuple[tuple[str, int, str], Score]]:
    """Make one piece of work and let every way tell of it at every budget."""
    kind = list(SHAPES)[n % len(SHAPES)]
    size = SHAPES[kind].sizes[n // len(SHAPES) % 3]
    work = Made(folder, Random(n), kind, size)
    planted = work.make()
    (saved,) = work.saved()
    for told, facts in ((saved, planted.saved), (work.unsaved(), planted.unsaved)):
        yield from told_by_all(work, told, facts, told.kind)


def captured(folder: str) -> Iterator[tuple[tuple[str, int, str], Score]]:
    """The same with documents that people had and that have open work, each in its own project."""
    found = [(path, to) for some, to in REAL.items() for path in glob.glob(f"{SAMPLES}/{some}")]
    for n, (path, target) in enumerate(sorted(found)):
        work = Place(os.path.join(folder, str(n)))
        with open(path, encoding="utf-8") as file:
            work.put(f"{target}/{os.path.basename(path)}", file.read())
        for told in work.saved():
            if open_actions(told.source.checkpoint):
                settle(work, told)
                (told,) = work.saved()
                yield from told_by_all(work, told, told.facts, "resume, captured")


def settle(work: Place, told: _quality.Work) -> None:
    """Put the files there that a document names, as they were when it was written; some are gone."""
    seen_as = told.source.glance
    at = (seen_as.touched or instant(NOW) or 0.0) - DAY
    for n, path in enumerate(seen_as.files, 1):
        is_folder = any(one.startswith(f"{path}/") for one in seen_as.files)
        if n % GONE and not is_folder:
            work.put(path, at=at)
    work.commit("Save", at)


def told_by_all(
    work: Place, told: _quality.Work, facts: Facts, kind: str
) -> Iterator[tuple[tuple[str, int, str], Score]]:
    for budget in BUDGETS:
        for way, text in told.told(work.call(), budget).items():
            yield (kind, budget, way), score(facts, text)


def report(lines: list[Line]) -> str:
    """The table, and whether the targets are met."""
    order = sorted(lines, key=lambda one: (one.kind, one.budget, _quality.WAYS.index(one.way)))
    head = ["through", "budget", "told by", "facts kept", "share", "stale as true", "tokens each"]
    rows = [
        [
            one.kind,
            str(one.budget),
            _quality.NAMES[one.way],
            f"{one.score.kept}/{one.score.of}",
            f"{share(one.score.kept, one.score.of):.3f}",
            f"{one.score.stale}/{one.score.of_stale}",
            str(round(one.score.tokens / one.works)),
        ]
        for one in order
    ]
    lines_of = [head, ["---"] * len(head), *rows]
    drawn = "\n".join(f"| {' | '.join(row)} |" for row in lines_of)
    return "\n\n".join([drawn, *verdicts(order)])


def verdicts(lines: list[Line]) -> Iterator[str]:
    """The targets of the issue, each as met or not."""
    yield f"Stale facts that leftoff told as true: {_stale(lines)} (aim: 0)."
    for one in compared(lines):
        met = "met" if one.share >= TARGET and one.times >= TIMES else "not met"
        yield (
            f"Through {one.kind} at {AT} tokens: {one.share:.3f} of the facts (aim: {TARGET}), "
            f"{one.times:.2f} x {one.best} (aim: {TIMES}): {met}."
        )


def goals(lines: list[Line]) -> Iterator[Goal]:
    """The same for the table of all targets."""
    stale = _stale(lines)
    yield Goal(7, "stale facts told as true", str(stale), "0", stale == 0)
    for one in compared(lines):
        what = f"facts kept through {one.kind}, {AT} tokens"
        yield at_least(7, what, one.share, TARGET)
        yield at_least(7, what, one.times, TIMES, f"x {one.best}")


class Compared(NamedTuple):
    kind: str
    share: float
    times: float
    best: str
    """the best of the other ways, of which ours is so many times"""


def compared(lines: list[Line]) -> Iterator[Compared]:
    for kind in sorted({one.kind for one in lines}):
        at = {one.way: one.score for one in lines if (one.kind, one.budget) == (kind, AT)}
        shares = {way: share(one.kept, one.of) for way, one in at.items()}
        own = shares.pop(_quality.LEFTOFF)
        best = max(shares, key=lambda way: shares[way])
        times = own / shares[best] if shares[best] else float("inf")
        yield Compared(kind, own, times, _quality.NAMES[best])


def _stale(lines: list[Line]) -> int:
    return sum(one.score.stale for one in lines if one.way == _quality.LEFTOFF)


if __name__ == "__main__":
    main()
