"""The scene of `leftoff demo`: a shop in git, an agent that is killed, a colleague who goes on.

All of it lies in one temporary folder with a home and a state of its own: nothing of the person who
watches is read, and nothing is left. What happens between two commands happens here.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import contextmanager

from leftoff.core.fast_json import dumps
from leftoff.core.when import HOUR, stamp
from leftoff.errors import GitError, LeftoffError
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from leftoff.core.model import Json

PASSED_ON = ("PATH", "TMPDIR", "TERM", "COLUMNS", "NO_COLOR", "LEFTOFF_LANG", "LC_ALL", "LANG")
SESSION = "5f0c2d1e-7a3b-4c58-9e21-0d6b8f4a1c37"
BRANCH = "retry-page"
ENDED = 2 * HOUR
"""Seconds since the agent was killed: long enough that nobody takes it for alive."""


class Scene(Record):
    """Where it plays, when, and the environment of all who act in it."""

    folder: str
    now: float
    env: Mapping[str, str]

    @property
    def root(self) -> str:
        return os.path.join(self.folder, "shop")

    def write(self, path: str, text: str) -> None:
        """A file of the project."""
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def git(self, *words: str) -> None:
        """As somebody whose settings nobody else has."""
        command = ["git", "-C", self.root, *words]
        done = subprocess.run(  # noqa: S603  # our own words, in our own folder
            command, env=self.env, capture_output=True, check=False
        )
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip()
            raise GitError(f"git {words[0]} failed with exit code {done.returncode}: {said}")

    def commit(self, message: str) -> None:
        """Everything that lies there."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)


@contextmanager
def staged(env: Mapping[str, str], now: float) -> Iterator[Scene]:
    """The scene, for as long as it plays. It goes whatever ends it: also a signal."""
    if not shutil.which("git", path=env.get("PATH")):
        raise GitError("the demo needs git, which is not installed", hint="install git")
    with _ended_by_signals():
        folder = _folder(env.get("TMPDIR"))
        try:
            scene = Scene(folder, now, _environment(env, folder, now))
            _begin(scene)
            yield scene
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _folder(base: str | None) -> str:
    try:
        return os.path.realpath(tempfile.mkdtemp(prefix="leftoff-demo-", dir=base or None))
    except OSError as error:
        said = f"the demo cannot make a temporary folder: {error.strerror or error}"
        raise LeftoffError(said, hint="set TMPDIR to a folder that can be written") from error


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Being told to end, or a terminal that is closed, interrupts as Ctrl-C does."""
    asked = (signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(each, signal.default_int_handler) for each in asked]
    try:
        yield
    finally:
        for each, handler in zip(asked, before, strict=True):
            signal.signal(each, handler)


def _environment(env: Mapping[str, str], folder: str, now: float) -> dict[str, str]:
    """No agent's variables, no settings of git, no folder of the person's own."""
    home, when = os.path.join(folder, "home"), stamp(now - 3 * HOUR)
    return {
        **{name: env[name] for name in PASSED_ON if name in env},
        "HOME": home,
        "LEFTOFF_STATE": os.path.join(home, "state"),
        "LEFTOFF_ARCHIVE": "off",  # nobody is to work in a folder that goes at the end
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": when,
        "GIT_COMMITTER_DATE": when,
    }


def _begin(scene: Scene) -> None:
    """A shop that can charge a card, and a branch for what comes next."""
    os.makedirs(scene.root)
    os.makedirs(scene.env["HOME"])
    scene.git("init", "--quiet", "--template=")
    scene.git("symbolic-ref", "HEAD", "refs/heads/main")
    scene.git("config", "user.name", "Ada")
    scene.git("config", "user.email", "ada@example.invalid")
    scene.write("shop/charge.py", "def charge(card, cents):\n    return card.take(cents)\n")
    scene.write("shop/limits.py", "ATTEMPTS = 3\n")
    scene.commit("Charge a card")
    scene.git("checkout", "--quiet", "-b", BRANCH)


def work(scene: Scene) -> None:
    """The retry page is written."""
    scene.write("shop/retry.py", "def retry(card, cents):\n    return 'Try again'\n")
    scene.commit("A page to try again")


def crash(scene: Scene) -> None:
    """An agent writes the receipt; it is killed while it writes a line of its transcript."""
    scene.commit("Where the work stands")
    scene.write("shop/receipt.py", "def receipt(cents):\n    return f'{cents}'\n")
    place = os.path.join(
        scene.env["HOME"], ".claude", "projects", scene.root.replace("/", "-").replace(".", "-")
    )
    os.makedirs(place)
    whole = [dumps(line) + "\n" for line in _transcript(scene)]
    path = os.path.join(place, f"{SESSION}.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(whole)[: -len(whole[-1]) // 2])
    os.utime(path, (scene.now - ENDED, scene.now - ENDED))


def drift(scene: Scene) -> None:
    """A colleague merges the branch, removes it, and moves the limits to the bank."""
    scene.commit("The draft of the agent's work")
    scene.git("checkout", "--quiet", "main")
    title = f"Merge pull request #42 from ada/{BRANCH}"
    scene.git("merge", "--quiet", "--no-ff", "--message", title, BRANCH)
    scene.git("branch", "--quiet", "--delete", BRANCH)
    os.remove(os.path.join(scene.root, "shop/limits.py"))
    scene.commit("The bank says how often")


def _transcript(scene: Scene) -> Iterator[dict[str, Json]]:
    """What Claude Code writes: a prompt, its calls and how they ended."""
    receipt = os.path.join(scene.root, "shop/receipt.py")
    todos: list[Json] = [
        {"content": "Write the receipt", "status": "completed"},
        {"content": "Add the currency to the total", "status": "in_progress"},
    ]
    yield _line(scene, 0, "user", {"content": "Mail a receipt when a card was charged"})
    yield from _call(scene, 1, "Write", {"file_path": receipt, "content": "..."})
    yield from _call(scene, 2, "Bash", {"command": "python3 -m unittest"}, failed=True)
    yield from _call(scene, 3, "TodoWrite", {"todos": todos})
    yield from _call(scene, 4, "Edit", {"file_path": receipt, "new_string": "..."})


def _call(
    scene: Scene, at: int, tool: str, given: dict[str, Json], *, failed: bool = False
) -> Iterator[dict[str, Json]]:
    used: dict[str, Json] = {"type": "tool_use", "id": f"t{at}", "name": tool, "input": given}
    tokens: dict[str, Json] = {"input_tokens": 20_000 + 900 * at, "output_tokens": 120}
    spoken: dict[str, Json] = {"id": f"m{at}", "model": "claude-sonnet-4-6", "usage": tokens}
    yield _line(scene, at, "assistant", {**spoken, "content": [used]})
    result: dict[str, Json] = {"type": "tool_result", "tool_use_id": f"t{at}", "is_error": failed}
    yield _line(scene, at, "user", {"content": [{**result, "content": "..."}]})


def _line(scene: Scene, at: int, role: str, message: dict[str, Json]) -> dict[str, Json]:
    return {
        "type": role,
        "timestamp": stamp(scene.now - ENDED - 60 + 10 * at),
        "sessionId": SESSION,
        "cwd": scene.root,
        "gitBranch": BRANCH,
        "uuid": f"{role}-{at}",
        "message": {"role": role, **message},
    }
