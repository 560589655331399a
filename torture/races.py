"""`make torture`, the part with many processes on one project at once, alone and beside git.

Every writer puts words of its own into the documents and notes which ones were acknowledged. Each
of those stands at a place it went to, or, where git moved the work tree meanwhile, anywhere a
person gets it back from: a commit, a stash, the trash. Without git the documents are exactly those
that `model` says.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random
from time import monotonic, sleep
from typing import NamedTuple

import common
from race_model import CHECKOUT, SEARCH, Said, differences
from scenes_hooks import Hooked
from stage import (
    EXAMPLE,
    PROGRAM,
    ask,
    environment,
    files,
    git,
    lay_project,
    litter,
    must,
    project,
    read,
    state,
    try_git,
    write,
)

BLOCK = "torture-races"
BUSY, BUG = 6, 70
ALONE, GIT, STASH = "", "git", "git stash"
"""What runs beside. `git stash` looks at the work tree first and resets it later, with no lock in
between: what anybody writes in that moment is gone, and no program can help that."""
ADD, DONE = "add", "completed"
"""A move of our own, and what `done` says unless it asks what comes next."""
_WORD = re.compile(rb"word\d+x\d+")
EXPECTED = {"done": {1, 2, 3, 4}, "prune": {2, 3}}
"""Refusals that say the truth: nothing is left to do, or to rotate."""


class Move(NamedTuple):
    """What a writer may do; its word is to be found below one of the places."""

    name: str
    words: tuple[str, ...]
    places: tuple[str, ...] = ()


class Answer(NamedTuple):
    """How one command ended."""

    move: Move
    code: int
    said: str
    word: str
    out: str = ""


class Result(NamedTuple):
    """How many commands ran, how many were refused, what was acknowledged, what nobody finds.

    `by_git`: the losses are git's own, see `STASH`.
    """

    beside: str
    processes: int
    seconds: float
    commands: Counter[str]
    refused: int
    operations: int
    words: int
    lost: list[str]
    problems: list[str]
    by_git: bool
    bare: tuple[int, int] = (0, 0)
    """what somebody wrote without leftoff: how many words, and how many of them nobody finds"""


def race(work: str, processes: int, seconds: float, beside: str) -> Result:
    """Let them all run for a while, beside the git operations of that name."""
    folder = os.path.join(work, "race")
    lay_project(folder)
    must(folder, "init", "--merge-driver")
    must(folder, "setup", "--agent", "claude-code", "--yes")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "Ready")
    until = monotonic() + seconds
    with ThreadPoolExecutor(processes + 2) as pool:
        bare = pool.submit(_append, folder, until)
        moving = pool.submit(_git, folder, until, stash=beside == STASH) if beside else None
        writers = [pool.submit(_write, folder, n, until) for n in range(processes)]
        answers = [answer for writer in writers for answer in writer.result()]
        operations = moving.result() if moving else 0
        plain = bare.result()
    if beside:
        _settle(folder)
    judged = _judged(folder, answers, beside=bool(beside))
    ran, done = judged[:2], judged[2:]
    compared = len(plain), len([*_lost(folder, plain, beside=bool(beside))])
    return Result(beside, processes, seconds, *ran, operations, *done, beside == STASH, compared)


def _write(folder: str, n: int, until: float) -> list[Answer]:
    chance, answers = Random(n), []
    turn = 0
    while monotonic() < until:
        turn += 1
        word = f"word{n}x{turn}"
        move = chance.choice(_moves(word, n))
        answers.append(move(folder, word, n))
    return answers


def _moves(word: str, n: int) -> list[Callable[[str, str, int], Answer]]:
    session = ("--session", f"codex/{n:08x}-0000-4000-8000-000000000000")
    decision = f"--context_primer.key_decisions+={word}"
    threads = (".checkpoints/threads/",)
    plain = (
        Move("update", ("update", "checkout", decision), (CHECKOUT,)),
        Move(ADD, ("update", "checkout", "--next_actions+=A step")),
        Move("done", ("done", "checkout")),
        Move("delta", ("delta", "search", "--what", word), (SEARCH,)),
        Move("save", ("save", "--decision", word, "--no-draft", *session), threads),
        Move("rotate", ("update", "checkout", f"--skill_state.runs+={word}"), _ROTATED),
        Move("prune", ("prune", "checkout", "--rotate", "runs")),
        Move("status", ("status",)),
        Move("resume", ("resume", "checkout", "--preview")),
    )
    return [*(_plain(move) for move in plain), _archived, _merged, _hooked]


_ROTATED = (CHECKOUT, ".checkpoints/history/")


def _plain(move: Move) -> Callable[[str, str, int], Answer]:
    return lambda folder, word, _: _ran(folder, move, word)


def _ran(folder: str, move: Move, word: str, cwd: str = "") -> Answer:
    done = subprocess.run(
        [*PROGRAM, *move.words],
        cwd=cwd or project(folder),
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    word = word if move.places else ""
    return Answer(move, done.returncode, done.stderr[-300:], word, done.stdout)


def _archived(folder: str, word: str, _: int) -> Answer:
    """A checkpoint of its own, laid there as an editor would, and brought to its end."""
    text = read(os.path.join(EXAMPLE, SEARCH)).decode().replace("chk-search", f"chk-{word}")
    write(os.path.join(project(folder), f"checkpoints/active/chk-{word}.md"), text)
    ended = ("archive", f"chk-{word}", "--outcome", word)
    return _ran(folder, Move("archive", ended, ("checkpoints/archive/",)), word)


def _merged(folder: str, word: str, n: int) -> Answer:
    """The merge driver on three versions outside the project; only the log of it is shared."""
    base = read(os.path.join(EXAMPLE, CHECKOUT)).decode()
    place = os.path.join(folder, "home", f"merge-{n}")
    sides = {"base": base, "ours": base, "theirs": base.replace('"phase": "', f'"phase": "{word} ')}
    for name, text in sides.items():
        write(os.path.join(place, name), text)
    paths = [os.path.join(place, name) for name in sides]
    answer = _ran(folder, Move("merge", ("merge-driver", *paths, CHECKOUT)), "")
    if answer.code == 0 and word not in read(paths[1]).decode():
        return answer._replace(code=BUG, said=f"the merge lost {word}")
    return answer


def _hooked(folder: str, word: str, n: int) -> Answer:
    """A prompt in a session of the writer's own."""
    hook = Hooked("claude-code", "UserPromptSubmit")
    session = f"{n:08x}-1111-4111-8111-111111111111"
    done = hook.fire(folder, hook.event, session_id=session, prompt="go", prompt_id=word)
    journal = Move("hook", (), ("../home/state/sessions/",))
    return Answer(journal, done.returncode, done.stderr[-300:], word)


def _append(folder: str, until: float) -> list[Answer]:
    """What becomes of the words of a person who writes into a file beside all that."""
    answers: list[Answer] = []
    move = Move("append", (), ("README.md",))
    while monotonic() < until:
        word = f"word{len(answers)}x0"
        with open(os.path.join(project(folder), move.places[0]), "a", encoding="utf-8") as file:
            file.write(f"{word}\n")
        answers.append(Answer(move, 0, "", word))
        sleep(0.1)
    return answers


# Git beside


def _git(folder: str, until: float, *, stash: bool) -> int:
    """What people do in the same work tree; that git itself refuses some of it is fine."""
    stashing = (("stash", "push", "--quiet"), ("stash", "pop", "--quiet")) if stash else ()
    turn = done = 0
    while monotonic() < until:
        turn += 1
        side, tree = f"side-{turn}", os.path.join(folder, f"tree-{turn}")
        for words in (
            ("add", "--all"),
            ("commit", "--quiet", "--message", f"turn {turn}"),
            *stashing,
            ("switch", "--quiet", "--create", side),
            ("commit", "--quiet", "--all", "--message", side),
            ("switch", "--quiet", "main"),
            ("merge", "--quiet", "--no-edit", side),
            ("rebase", "--quiet", side),
            ("worktree", "add", "--quiet", tree, side),
            ("worktree", "remove", "--force", tree),
            ("gc", "--quiet", "--auto"),
        ):
            done += try_git(folder, *words).returncode == 0
            sleep(0.02)
        _settle(folder)
    return done


def _settle(folder: str) -> None:
    """Out of whatever git stopped in the middle of, as a person would: all of it is committed."""
    for words in (
        ("add", "--all"),
        ("commit", "--quiet", "--no-edit", "--allow-empty", "--message", "settled"),
        ("rebase", "--abort"),
        ("merge", "--abort"),
        ("switch", "--quiet", "main"),
    ):
        try_git(folder, *words)


# Judging


def _judged(
    folder: str, answers: list[Answer], *, beside: bool
) -> tuple[Counter[str], int, int, list[str], list[str]]:
    acknowledged = [one for one in answers if one.word and one.code == 0]
    return (
        Counter(one.move.name for one in answers),
        sum(one.code != 0 for one in answers),
        len(acknowledged),
        list(_lost(folder, acknowledged, beside=beside)),
        [
            *_unexplained(answers, beside=beside),
            *_left(folder, beside=beside),
            *([] if beside else _modelled(folder, answers)),
        ],
    )


def _modelled(folder: str, answers: list[Answer]) -> Iterator[str]:
    said = [Said(one.move.name, one.word, one.code == 0) for one in answers if one.word]
    fine = [one for one in answers if one.code == 0]
    added = sum(one.move.name == ADD for one in fine)
    done = sum(one.move.name == "done" and DONE in one.out for one in fine)
    return differences(folder, said, added, done)


def _lost(folder: str, acknowledged: list[Answer], *, beside: bool) -> Iterator[str]:
    """The words that are at none of their places; beside git, nowhere at all."""
    anywhere = _in_git(folder) | _words(os.path.join(state(folder), "trash")) if beside else set()
    found: dict[str, set[str]] = {}
    for one in acknowledged:
        places = ("", *one.move.places) if beside else one.move.places
        for place in places:
            if place not in found:
                found[place] = _words(os.path.join(project(folder), place)) | anywhere
        if not any(one.word.encode() in found[place] for place in places):
            yield f"{one.move.name} {one.word}"


def _words(place: str) -> set[str]:
    paths = [place] if os.path.isfile(place) else files(place)
    return {word for path in paths if "/.git/" not in path for word in _WORD.findall(read(path))}


def _in_git(folder: str) -> set[str]:
    """Every version that git keeps, in commits and stashes, those that nothing names among them."""
    words = ("cat-file", "--batch-all-objects", "--batch", "--unordered")
    return set(_WORD.findall(try_git(folder, *words).stdout.encode()))


def _unexplained(answers: list[Answer], *, beside: bool) -> Iterator[str]:
    """Refusals that nothing explains. Beside git a document may be gone, or hold its markers."""
    for one in answers:
        fine = {0, BUSY, *EXPECTED.get(one.move.name, ())}
        bug = one.code == BUG or "Traceback" in one.said
        if bug or (one.code not in fine and not beside):
            yield f"{one.move.name} ended with {one.code}: {one.said}"


def _left(folder: str, *, beside: bool) -> Iterator[str]:
    valid = ask(folder, "validate", "--json")
    if valid.code and not beside:
        yield f"validate: {valid.out[-400:]}"
    yield from (f"{path} was left behind" for path in litter(folder))


# The report


def main() -> int:
    options = _options()
    found = [*_races(options)]
    return common.tell(options, BLOCK, _report(found), _broken(found))


def _options() -> argparse.Namespace:
    parser = common.plain_parser(__doc__)
    parser.add_argument("--processes", type=int, default=32, help="of a race")
    parser.add_argument("--seconds", type=float, default=60, help="of a race")
    return parser.parse_args()


def _races(options: argparse.Namespace) -> Iterator[Result]:
    for beside in (ALONE, GIT, STASH):
        with common.folder() as work:
            result = race(os.path.realpath(work), options.processes, options.seconds, beside)
        common.progress(f"race {result.beside}: {result.words} words, {len(result.lost)} lost")
        yield result


def _broken(races: list[Result]) -> list[str]:
    """All that must not be; what git itself throws away is a figure."""
    lost = [f"lost: {word}" for one in races if not one.by_git for word in one.lost]
    return [*lost, *(problem for one in races for problem in one.problems)]


def _report(races: list[Result]) -> Iterator[str]:
    head = ("beside", "processes", "seconds", "commands", "refused", "git operations")
    words = ("words acknowledged", "lost", "other faults", "words without leftoff, lost")
    yield common.table((*head, *words), map(_row, races))
    total = sum((one.commands for one in races), start=Counter[str]())
    names = ", ".join(f"{name} {count:,}" for name, count in total.most_common())
    yield f"Commands of the races: {names}."


def _row(one: Result) -> Sequence[str]:
    figures = (
        *(one.processes, one.seconds, one.commands.total()),
        *(one.refused, one.operations, one.words),
    )
    lost = f"{len(one.lost)} (by git)" if one.by_git and one.lost else str(len(one.lost))
    shown = (f"{figure:,g}" for figure in figures)
    bare = "{}, {}".format(*one.bare)
    return one.beside or "nothing", *shown, lost, str(len(one.problems)), bare


if __name__ == "__main__":
    sys.exit(main())
