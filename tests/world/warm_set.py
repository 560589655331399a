"""The modules that listing the streams of a project loads when the cache is warm.

Each is paid for at every `status`; a test holds this set, so that none comes in by accident.
"""

from __future__ import annotations

WARM = frozenset(
    {
        "leftoff",
        "leftoff.core",
        "leftoff.core.ids",
        "leftoff.core.model",
        "leftoff.core.stream",
        "leftoff.core.thread",
        "leftoff.errors",
        "leftoff.record",
        "leftoff.world",
        "leftoff.world.glance_cache",
        "leftoff.world.cache_file",
        "leftoff.world.stream_list",
        "leftoff.world.files",
        "leftoff.world.place",
        "leftoff.world.scan",
        "leftoff.world.state",
        "leftoff.world.store",
    }
)
"""Ours: no format, no lock, no trash."""

WARM_LIBRARY = frozenset({"__future__", "_collections", "errno", "gc", "itertools", "zlib"})
"""The standard library's, beyond what a bare interpreter has after `import os, time`."""
