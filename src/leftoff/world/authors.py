"""Who last committed a document, where that was somebody else. It informs; it grants nothing."""

from __future__ import annotations

import os

from leftoff.record import TYPE_CHECKING
from leftoff.world import cache_file
from leftoff.world.place import family
from leftoff.world.state import place_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from leftoff.world.repository import Git, Known

UNNAMED = "somebody without a name"
UNKNOWN = "somebody (git could not say who)"

_HEAD = cache_file.head_of("me 1")


def others(asked: Git, known: Known, prefix: str, documents: Iterable[str]) -> dict[str, str]:
    """The name of the other person, by document; `prefix` leads from git's top to the project."""
    wanted = {prefix + path: path for path in documents}
    if not known.commits:
        return dict.fromkeys(wanted.values(), UNKNOWN)
    mine = _email(asked)
    if all(commit.email == mine for commit in (*known.commits, *known.older)):
        return {}  # most repositories have one author, and need no look at files
    last: dict[str, tuple[str, str]] = {}
    for commit in (*known.commits, *known.older):
        for path in commit.paths:
            if path in wanted and path not in last:
                last[path] = (commit.email, commit.author or commit.email or UNNAMED)
    # Who has no address of their own, as in a fresh container, is nobody's author.
    return {wanted[path]: name for path, (email, name) in last.items() if email != mine}


def _email(asked: Git) -> str:
    """The caller's address, asked of git again only when a file that may say it changed."""
    store = asked.store
    stamps = [_stamp(path) for path in _config_files(family(store.place), asked.env)]
    path = os.path.join(store.state, "cache", f"{place_key(family(store.place))}.me")
    saved = cache_file.load_value(path, _HEAD)
    if isinstance(saved, tuple) and saved[0] == stamps:
        return str(saved[1])
    answer = asked.ask("config", "--get", "user.email")
    if not answer:
        return ""
    email = answer[1].strip()
    cache_file.save_value(path, _HEAD, (stamps, email))
    return email


def _config_files(common: str, env: Mapping[str, str]) -> list[str]:
    home = env.get("HOME", "")
    config = env.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    user = env.get("GIT_CONFIG_GLOBAL") or os.path.join(home, ".gitconfig")
    return [os.path.join(common, "config"), user, os.path.join(config, "git", "config")]


def _stamp(path: str) -> tuple[str, int, int]:
    try:
        seen = os.stat(path)
    except OSError:
        return path, 0, 0
    return path, seen.st_mtime_ns, seen.st_size
