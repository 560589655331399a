"""Many processes on one project at once, beside git: what was acknowledged is there afterwards.

Every writer puts words of its own into the documents and notes which ones were acknowledged. The
model is as simple as that: each of those words stands in the document it went to, or, where git
moved the work tree meanwhile, in a commit, a stash or the trash, from which a person gets it back.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from multiprocessing import Process, Queue
from random import Random
from typing import NamedTuple

from scenes import SESSION, Hooked, environment, git, leftoff

CHECKOUT = ".checkpoints/checkout.checkpoint.json"


class Acknowledged(NamedTuple):
    """A word, and the document that was said to hold it."""

    word: str
    document: str


class Result(NamedTuple):
    """How many commands ran, how they ended, and which words nobody can find."""

    seconds: float
    processes: int
    commands: Counter[str]
    busy: int
    kept: int
    lost: list[str]
    problems: list[str]


def race(work: str, processes: int, seconds: float, *, beside: bool) -> Result:
    """Let them all run for a while; with `beside`, git operations too."""
    scene = Hooked("UserPromptSubmit", prompt="go on")
    folder = os.path.join(work, "race")
    os.makedirs(folder)
    scene.make(folder)
    for words in (("save", "Begin", "--name", "race", "--no-draft"),):
        leftoff(folder, *words)
    told: Queue[tuple[str, int, str, str]] = Queue()
    until = time.monotonic() + seconds
    writers = [
        Process(target=_write, args=(folder, scene, n, until, told)) for n in range(processes)
    ]
    if beside:
        writers.append(Process(target=_git, args=(folder, until)))
    for one in writers:
        one.start()
    answers = _drained(told, writers)
    return _judged(folder, seconds, processes, answers, beside=beside)


def _drained(told: Queue[tuple[str, int, str, str]], writers: Sequence[Process]) -> list[tuple[str, int, str, str]]:
    found = []
    while any(one.is_alive() for one in writers) or not told.empty():
        while not told.empty():
            found.append(told.get())
        time.sleep(0.05)
    return found


def _write(folder: str, scene: Hooked, n: int, until: float, told: Queue[tuple[str, int, str, str]]) -> None:
    chance = Random(n)
    for turn in range(1 << 30):
        if time.monotonic() > until:
            return
        word = f"word{n}x{turn}"
        name, words, document = chance.choice(_moves(word, n))
        done = leftoff(folder, *words) if words else _event(folder, scene, n, turn)
        told.put((name, done.returncode, word if document else "", document + "\n" + done.stderr[-300:]))


def _moves(word: str, n: int) -> list[tuple[str, tuple[str, ...], str]]:
    """What a writer may do: name, words, and the document that its word goes to."""
    session = ("--session", f"codex/{n:08x}-0000")
    return [
        ("update", ("update", "checkout", f"--context_primer.key_decisions+={word}"), CHECKOUT),
        ("update", ("update", "checkout", f"--next_actions+={word}"), CHECKOUT),
        ("save", ("save", "Work", "--name", "race", "--decision", word, "--no-draft", *session), "thread"),
        ("delta", ("delta", "search", "--what", word), "checkpoints/active/chk-search.md"),
        ("done", ("done", "checkout", "--json"), ""),
        ("hook", (), ""),
        ("status", ("status",), ""),
        ("prune", ("prune", "--dry-run"), ""),
        ("resume", ("resume", "checkout", "--preview"), ""),
    ]


def _event(folder: str, scene: Hooked, n: int, turn: int) -> subprocess.CompletedProcess[str]:
    """The hook of a prompt in a session of the writer's own."""
    launch = os.path.join(folder, "home", "state", "hook", "launch.py")
    payload = (
        f'{{"session_id": "{n:08x}{SESSION[8:]}", "cwd": "{folder}/project",'
        f' "hook_event_name": "UserPromptSubmit", "prompt": "go", "prompt_id": "p{turn}"}}'
    )
    argv = [sys.executable, "-I", "-S", launch, "claude-code", "UserPromptSubmit"]
    return subprocess.run(
        argv,
        cwd=os.path.join(folder, "project"),
        env=environment(folder),
        input=payload,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def _git(folder: str, until: float) -> None:
    """What people do in the same work tree; that git itself refuses some of it is fine."""
    root = os.path.join(folder, "project")
    turn = 0
    while time.monotonic() < until:
        turn += 1
        for words in (
            ("add", "--all"),
            ("commit", "--quiet", "--message", f"turn {turn}"),
            ("stash", "push", "--quiet"),
            ("stash", "pop", "--quiet"),
            ("switch", "--quiet", "--create", f"side-{turn}"),
            ("commit", "--quiet", "--allow-empty", "--message", f"side {turn}"),
            ("switch", "--quiet", "main"),
            ("merge", "--quiet", "--no-edit", f"side-{turn}"),
            ("rebase", "--quiet", "HEAD~1"),
            ("worktree", "add", "--quiet", "--force", f"../side-{turn}", f"side-{turn}"),
            ("worktree", "remove", "--force", f"../side-{turn}"),
            ("gc", "--quiet", "--auto"),
        ):
            who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.invalid")
            subprocess.run(
                ["git", *who, *words], cwd=root, env=environment(folder), capture_output=True, check=False
            )
            time.sleep(0.05)


def _judged(
    folder: str, seconds: float, processes: int, answers: list[tuple[str, int, str, str]], *, beside: bool
) -> Result:
    commands = Counter(f"{name} {code}" for name, code, *_ in answers)
    acknowledged = [Acknowledged(word, doc.partition("\n")[0]) for _, code, word, doc in answers if word and code == 0]
    where = _everything(folder, beside=beside)
    lost = [f"{one.word} of {one.document}" for one in acknowledged if one.word not in where]
    problems = [
        f"{name} ended with {code}: {doc.partition(chr(10))[2]}"
        for name, code, _, doc in answers
        if code not in {0, 6} and not (name == "done" and code in {1, 2, 3, 4})
    ]
    valid = leftoff(folder, "validate", "--json")
    if valid.returncode and not beside:
        problems.append(f"validate: {valid.stdout[-400:]}")
    busy = sum(code == 6 for _, code, *_ in answers)
    return Result(seconds, processes, commands, busy, len(acknowledged), lost, problems)


def _everything(folder: str, *, beside: bool) -> set[str]:
    """Every word that can still be found."""
    texts = []
    places = [os.path.join(folder, "project", ".checkpoints"), os.path.join(folder, "project", "checkpoints")]
    if beside:
        places += [os.path.join(folder, "home", "state", "trash"), os.path.join(folder, "home", "state", "merges.jsonl")]
    for place in places:
        texts += _read(place)
    if beside:
        root = os.path.join(folder, "project")
        for words in (("log", "--all", "--reflog", "-p"), ("fsck", "--lost-found")):
            done = subprocess.run(
                ["git", *words], cwd=root, env=environment(folder), capture_output=True, check=False
            )
            texts.append(done.stdout.decode("utf-8", "replace"))
    return {word.strip('",.`*- ') for text in texts for word in text.split()}


def _read(place: str) -> Iterator[str]:
    walked = os.walk(place) if os.path.isdir(place) else [(os.path.dirname(place), [], [os.path.basename(place)])]
    for folder, _, names in walked:
        for name in names:
            try:
                with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                    yield file.read()
            except OSError:
                continue
