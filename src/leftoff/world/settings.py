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
    config = env.get("XDG_CONFIG_HOME") or os.path.join(env.get("HOME", ""), ".config")
    files = (os.path.join(config, "leftoff", "config.toml"), os.path.join(root, PROJECT_FILE))
    said = [_parse(path) for path in files if os.path.isfile(path)]
    if not said:
        return Settings()
    limits: dict[str, Json] = {}
    readers: dict[str, tuple[str, ...]] = {}
    for table in said:
        limits.update(_flat(table.get("thresholds", {})))
        readers.update({who: tuple(whom) for who, whom in table.get("readers", {}).items()})
    return Settings(effective(limits), readers)


def _parse(path: str) -> dict[str, Any]:
    import tomllib  # only where a settings file exists

    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
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
