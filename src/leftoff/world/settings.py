"""Settings: the user's own file, then the project's, which can never name a command.

Both are TOML. They are parsed only where they exist; what they say is plain data.
"""

from __future__ import annotations

import os

from leftoff.core.thresholds import DEFAULTS, effective
from leftoff.errors import FormatError
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from leftoff.core.model import Json

PROJECT_FILE = ".checkpoints/config.toml"


class Settings(Record):
    """What is configured: the effective thresholds, and which skill reads which."""

    limits: Mapping[str, float] = DEFAULTS
    readers: Mapping[str, tuple[str, ...]] = {}


def load(root: str, env: Mapping[str, str]) -> Settings:
    """The settings in force for a project."""
    home = env.get("HOME", "")
    config = env.get("XDG_CONFIG_HOME") or (os.path.join(home, ".config") if home else "")
    own = [os.path.join(config, "leftoff", "config.toml")] if config else []
    files = [path for path in (*own, os.path.join(root, PROJECT_FILE)) if os.path.isfile(path)]
    limits: dict[str, Json] = {}
    readers: dict[str, tuple[str, ...]] = {}
    for path in files:
        said = _parse(path)
        limits.update(_flat(_table(said, "thresholds", path)))
        for who, whom in _table(said, "readers", path).items():
            if not isinstance(whom, list) or not all(isinstance(name, str) for name in whom):
                raise FormatError(f"readers.{who} must be a list of names", where=path)
            readers[who] = tuple(whom)
    return Settings(effective(limits), readers) if files else Settings()


def _table(said: Mapping[str, Any], name: str, path: str) -> dict[str, Any]:
    table = said.get(name, {})
    if not isinstance(table, dict):
        raise FormatError(f"{name} must be a table", where=path)
    return table


def _parse(path: str) -> dict[str, Any]:
    import tomllib  # only where a settings file exists

    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise FormatError(f"the settings cannot be read: {error}", where=path) from error


def _flat(table: Mapping[str, Any], before: str = "") -> dict[str, Json]:
    """`[thresholds.stale] checkpoint = 1` and `"stale.checkpoint" = 1` are the same."""
    flat: dict[str, Json] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{before}{key}."))
        else:
            flat[f"{before}{key}"] = value
    return flat
