"""What a new session knows: facts that were left in some work, and how many of them survive.

Work is made up (`resume_works`) or captured. Made up is a git repository with a checkpoint in one
of the formats, written by leftoff from words that the generator knows, and a conversation in which
other things were said and done, ended without a save. Then the world moves on: a pull request
lands, a file goes. Captured are the documents with open work that people had, where the samples are
at hand (the files that they name are put there, but for some), and sessions that the real clients
wrote (`resume_live`), where those are installed. What must survive is the same for all of them,
`core.quality`. Every way of telling gets the same budget; `stale` counts what is no longer so and
is told as if it were.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from report import Goal, aligned, at_least, measured, put_into
from resume_live import Overturned, is_installed, played, sessions
from resume_works import NOW, SHAPES, Fresh, Made, Place

from leftoff.commands import _quality
from leftoff.core.model import open_actions
from leftoff.core.quality import (
    BUDGETS,
    Compared,
    Fact,
    Facts,
    Score,
    compared,
    score,
    share,
    total,
)
from leftoff.core.token_estimate import estimate
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
LIVED = {number: f"recover, captured {number}" for number in (1, 2, 3, 4, 5, 6)}
"""Sessions of real clients, by the round in which what is said there was written."""
BLIND = os.path.join(ROOT, "bench", "blind")
"""What was told of a round the first time, by code that nobody had changed with it in mind: one
record for each, `2.json` and so on."""


class Telling(NamedTuple):
    """What one way told of one piece of work."""

    kind: str
    budget: int
    way: str
    score: Score
    needs: int
    """tokens of the facts alone"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--works", type=int, default=24, help="pieces of work to make")
    parser.add_argument(
        "--rounds",
        type=int,
        nargs="*",
        default=[*LIVED],
        metavar="ROUND",
        help="play the sessions of real clients that were written in these rounds",
    )
    parser.add_argument("--markdown", type=os.path.abspath, metavar="FILE")
    parser.add_argument(
        "--blind",
        type=int,
        choices=LIVED,
        metavar="ROUND",
        help=f"keep what this run tells of a round in {BLIND}, for good",
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        told = [
            one for n in range(options.works) for one in scored(os.path.join(folder, str(n)), n)
        ]
        told += captured(os.path.join(folder, "real"))
    told += lived(options.rounds)
    if options.blind:
        keep(options.blind, told)
    text = report(told, *first_times())
    print(text)
    if options.markdown:
        put_into(options.markdown, BLOCK, text, [*goals(told)])


def scored(folder: str, n: int) -> Iterator[Telling]:
    """Make one piece of work and let every way tell of it at every budget."""
    kind = list(SHAPES)[n % len(SHAPES)]
    work = Made(folder, Random(n), kind, SHAPES[kind].sizes[n // len(SHAPES) % 3])
    planted = work.make()
    (saved,) = work.saved()
    yield from told_by_all(work, saved, planted.saved, "resume")
    yield from told_by_all(work, work.unsaved(), planted.unsaved, "recover")


def captured(folder: str) -> Iterator[Telling]:
    """The same with documents that people had and that have open work, each in its own project."""
    found = [(path, to) for some, to in REAL.items() for path in glob.glob(f"{SAMPLES}/{some}")]
    for n, (path, target) in enumerate(sorted(found)):
        work = Fresh(os.path.join(folder, str(n)))
        with open(path, encoding="utf-8") as file:
            work.put(f"{target}/{os.path.basename(path)}", file.read())
        for first in work.saved():
            if open_actions(first.source.checkpoint):
                settle(work, first)
                (told,) = work.saved()
                yield from told_by_all(work, told, told.facts, "resume, captured")


def lived(rounds: list[int]) -> Iterator[Telling]:
    """Sessions that real clients wrote and nobody saved."""
    for script, driver in sessions() if is_installed() else ():
        if script.round in rounds:
            with played(script, driver) as work:
                kind, back = LIVED[script.round], script.overturned
                yield from told_by_all(work, work.unsaved(), script.facts, kind, back)


def keep(number: int, told: list[Telling]) -> None:
    """Write down how sessions went that are new to the code; there is one first time only."""
    asked = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.check_output(asked, cwd=ROOT, encoding="utf-8")
    own = (one for one in told if one.kind == LIVED[number])
    rows = [[one.budget, one.way, one.score, one.needs] for one in own]
    about = {"commit": commit.strip(), "day": time.strftime("%Y-%m-%d", time.gmtime())}
    with open(_record(number), "x", encoding="utf-8") as file:
        lines = ",\n".join(map(json.dumps, rows))
        file.write(f'{{"about": {json.dumps(about)}, "told": [\n{lines}\n]}}\n')


def first_times() -> tuple[list[Telling], list[str]]:
    """What `keep` wrote down of every round, and for each the sentence that says what it is."""
    kept = [number for number in LIVED if os.path.exists(_record(number))]
    told = [one for number in kept for one in _first_time(number)]
    return told, [_about(number) for number in kept]


def _first_time(number: int) -> Iterator[Telling]:
    for at, way, of, needs in _kept(number)["told"]:
        yield Telling(_blind(number), at, way, Score(*of), needs)


def _about(number: int) -> str:
    about = _kept(number)["about"]
    return (
        f"*{_blind(number)}* was measured on {about['day']} at {about['commit']}, before the code "
        "was changed for these sessions, and stays as it was."
    )


def _kept(number: int) -> dict[str, Any]:
    with open(_record(number), encoding="utf-8") as file:
        kept: dict[str, Any] = json.load(file)
    return kept


def _record(number: int) -> str:
    return os.path.join(BLIND, f"{number}.json")


def _blind(number: int) -> str:
    return f"{LIVED[number]}, blind"


def settle(work: Place, told: _quality.Work) -> None:
    """Put the files there that a document names, as old as it is or older; some are gone."""
    seen_as = told.source.glance
    at = (seen_as.touched or instant(NOW) or 0.0) - DAY
    for n, path in enumerate(seen_as.files, 1):
        is_folder = any(one.startswith(f"{path}/") for one in seen_as.files)
        if n % GONE and not is_folder:
            work.put(path, at=at)
    work.commit("Save", at)


def told_by_all(
    work: Place, told: _quality.Work, facts: Facts, kind: str, back: Sequence[Overturned] = ()
) -> Iterator[Telling]:
    needs = sum(estimate(one.text) for one in facts.musts)
    for budget in BUDGETS:
        for way, text in told.told(work.call(), budget).items():
            yield Telling(kind, budget, way, _scored(facts, back, text), needs)


def _scored(facts: Facts, back: Sequence[Overturned], text: str) -> Score:
    """What was taken back is stale as well where it is told without what took its place."""
    found = score(facts, text)
    stale = sum(_tells(one.said, text) and not _tells(one.by, text) for one in back)
    return found._replace(stale=found.stale + stale, of_stale=found.of_stale + len(back))


def _tells(said: str, text: str) -> bool:
    return bool(score(Facts((Fact("decision", said),), ()), text).kept)


def report(told: list[Telling], before: list[Telling], notes: list[str]) -> str:
    """The table, and whether the targets are met."""
    groups: dict[tuple[str, int, str], list[Score]] = {}
    for one in (*told, *before):
        groups.setdefault((one.kind, one.budget, one.way), []).append(one.score)
    order = sorted(groups, key=lambda key: (*key[:2], _quality.WAYS.index(key[2])))
    head = ("through", "budget", "told by", "facts kept", "share", "stale as true", "tokens each")
    drawn = aligned(head, (_row(key, groups[key]) for key in order))
    said = [drawn, *verdicts(told, before), *notes, f"{measured()}."]
    return "\n\n".join(said)


def _row(key: tuple[str, int, str], scores: list[Score]) -> tuple[str, ...]:
    (kind, budget, way), all_of = key, total(scores)
    return (
        kind,
        f"{budget:,}",
        _quality.NAMES[way],
        f"{all_of.kept}/{all_of.of}",
        f"{share(all_of.kept, all_of.of):.3f}",
        f"{all_of.stale}/{all_of.of_stale}",
        f"{all_of.tokens / len(scores):,.0f}",
    )


def verdicts(told: list[Telling], before: list[Telling]) -> Iterator[str]:
    """The targets of the issue, each as met or not, and what stands behind one that is not."""
    if not any(one.kind in LIVED.values() for one in told):
        yield "No session of a real client was played: `make clients` installs them."
    yield f"Stale facts that leftoff told as true: {_stale(told)} (aim: 0)."
    for kind, found in beside([*told, *before]):
        met = "met" if found.share >= TARGET and (found.times or TIMES) >= TIMES else "not met"
        times = "told by nobody else" if found.times is None else f"{found.times:.2f} x"
        yield (
            f"Through {kind} at {AT:,} tokens: {found.share:.3f} of the facts (aim: {TARGET}), "
            f"{times} {_quality.NAMES[found.best]} (aim: {TIMES}): {met}."
        )
        if any(one.kind == kind and one.needs > AT for one in told):
            yield _beyond(kind, told)


def _beyond(kind: str, told: list[Telling]) -> str:
    """How it went with the works whose facts no text of that length could hold, and without."""
    own = [one for one in _at_aim(told) if (one.kind, one.way) == (kind, _quality.LEFTOFF)]
    fit = total([one.score for one in own if one.needs <= AT])
    over = [one for one in own if one.needs > AT]
    needs = " and ".join(f"{one.needs:,}" for one in sorted(over, key=lambda one: one.needs))
    return (
        f"The facts of {len(over)} of these {len(own)} alone take {needs} tokens, more "
        f"than the budget; of the others {share(fit.kept, fit.of):.3f} are told."
    )


def goals(told: list[Telling]) -> Iterator[Goal]:
    """The same for the table of all targets."""
    stale = _stale(told)
    yield Goal(7, "stale facts told as true", str(stale), "0", stale == 0)
    for kind, found in beside(told):
        what = f"facts kept through {kind}, {AT} tokens"
        yield at_least(7, what, found.share, TARGET)
        if found.times is not None:
            yield at_least(7, what, found.times, TIMES, f"x {_quality.NAMES[found.best]}")


def beside(told: list[Telling]) -> Iterator[tuple[str, Compared]]:
    """The brief beside the best other way, at the budget that the targets speak of."""
    aimed = _at_aim(told)
    for kind in sorted({one.kind for one in aimed}):
        of_kind = [one for one in aimed if one.kind == kind]
        ways = {one.way: total(o.score for o in of_kind if o.way == one.way) for one in of_kind}
        yield kind, compared(ways, _quality.LEFTOFF)


def _at_aim(told: list[Telling]) -> list[Telling]:
    return [one for one in told if one.budget == AT]


def _stale(told: list[Telling]) -> int:
    return sum(one.score.stale for one in told if one.way == _quality.LEFTOFF)


if __name__ == "__main__":
    main()
