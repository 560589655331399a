"""How a resume came out: the word under `state` in its answer."""

from __future__ import annotations

FRESH, CHOOSE, RESUMED = "fresh", "choose", "resumed"
LISTED, CORRUPT = "list", "corrupt"
