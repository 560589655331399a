"""Git, started without `subprocess` and with a clean environment; it never waits for a person.

A repository's own settings can name programs; those that mere reading would start are switched off.
"""

from __future__ import annotations

import os
from select import POLLIN, poll
from stat import S_ISFIFO
from time import monotonic

from leftoff.errors import GitError
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

KEPT = ("PATH", "HOME", "XDG_CONFIG_HOME", "LANG", "TMPDIR", "GIT_CONFIG_GLOBAL")
FIXED = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
QUIET = (
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-pager"),
    # A log that shows signatures starts what `gpg.program` names, and prints its words among ours.
    *("-c", "log.showSignature=false"),
    # A bare repository inside a working tree came with a clone, its settings too.
    *("-c", "safe.bareRepository=explicit"),
)
KILL = 9  # signal.SIGKILL, whose module loads enum: a tenth of a whole listing
LOG = (
    *("-c", "core.quotePath=false", "log", "--name-only", "--no-renames", "--no-color"),
    "--no-relative",
)
"""The files of commits, whatever the settings say about how to show them."""

RULES = (".gitattributes", ".gitignore")
_BY_RULES = frozenset(("status", "check-ignore", "hash-object"))
"""What of git opens those files, and waits for as long as one of them is a pipe nobody writes."""

PATIENCE = 60.0
"""Seconds after which a git that says nothing more is ended; readers give it far less."""


class SlowGit(GitError):
    """Git had no answer in the time it was given."""


def run(root: str, *words: str, env: Mapping[str, str], patience: float = PATIENCE) -> str:
    """What git prints on stdout; GitError when it is missing or says no, SlowGit in time."""
    code, said = ask(root, *words, env=env, patience=patience)
    if code == 128 and not _is_ours(root):
        text = "git does not open a repository that belongs to somebody else: see safe.directory"
        raise GitError(text, where=root)
    if code:
        raise GitError(f"git {_verb(words)} failed with exit code {code}", where=root)
    return said


def _is_ours(root: str) -> bool:
    try:
        return os.stat(root).st_uid == os.geteuid()
    except OSError:
        return True  # that is another trouble


def ask(
    root: str, *words: str, env: Mapping[str, str], patience: float = PATIENCE
) -> tuple[int, str]:
    """The exit code, for questions that git answers with it, and what it printed."""
    if _verb(words) in _BY_RULES and (found := pipes(folders(root))):
        raise GitError(f"git would wait at {found[0]}, which is a pipe", where=root)
    child, out = _start(root, words, env)
    said = None
    try:
        said = _drain(out, monotonic() + patience)
    finally:
        os.close(out)
        if said is None:
            os.kill(child, KILL)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if said is None:
        raise SlowGit(f"git {_verb(words)} took longer than {patience:.1f} s", where=root)
    return code, said.decode("utf-8", "replace")


def folders(root: str) -> Iterator[str]:
    """A folder and those above it, up to the top of its working tree."""
    while True:
        yield root
        above = os.path.dirname(root)
        if above == root or os.path.lexists(os.path.join(root, ".git")):
            return
        root = above


def pipes(among: Iterable[str]) -> list[str]:
    """The files with rules for git in these folders that are pipes."""
    paths = (os.path.join(folder, name) for folder in among for name in RULES)
    return [path for path in paths if _is_pipe(path)]


def _is_pipe(path: str) -> bool:
    try:
        return S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def _verb(words: tuple[str, ...]) -> str:
    """The first word that is neither an option nor the value of `-c`."""
    before = ("", *words)
    return next(
        word for last, word in zip(before, words, strict=False) if last != "-c" and word[0] != "-"
    )


def _start(root: str, words: tuple[str, ...], env: Mapping[str, str]) -> tuple[int, int]:
    """The process, and where its output can be read."""
    clean = {name: env[name] for name in KEPT if name in env} | FIXED
    reader, writer = os.pipe()
    null = os.open(os.devnull, os.O_RDWR)
    actions = [
        (os.POSIX_SPAWN_DUP2, null, 0),
        (os.POSIX_SPAWN_DUP2, writer, 1),
        (os.POSIX_SPAWN_DUP2, null, 2),
        (os.POSIX_SPAWN_CLOSE, reader),
    ]
    command = ["git", *QUIET, "-C", root, *words]
    try:
        return os.posix_spawnp("git", command, clean, file_actions=actions), reader
    except FileNotFoundError as error:
        os.close(reader)
        raise GitError("git is not installed", hint="install git, or go on without it") from error
    except OSError as error:  # too many processes, too many words
        os.close(reader)
        raise GitError(f"git could not be started: {error.strerror}", where=root) from error
    except ValueError as error:
        os.close(reader)
        raise GitError("git cannot be asked for a name with a NUL in it", where=root) from error
    finally:
        os.close(writer)
        os.close(null)


def _drain(out: int, deadline: float) -> bytes | None:
    """All there is to read; None when the end did not come in time."""
    parts: list[bytes] = []
    ready = poll()
    ready.register(out, POLLIN)
    while (left := deadline - monotonic()) > 0:
        if ready.poll(left * 1000):
            part = os.read(out, 1 << 16)
            if not part:
                return b"".join(parts)
            parts.append(part)
    return None
