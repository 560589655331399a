"""The commands that README tells a newcomer, as they stand there.

A block of them stands behind `<!-- newcomer: NAME -->`; whoever runs one runs README itself.
"""

from __future__ import annotations

import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCK = re.compile(r"^<!-- newcomer: (\w+) -->\n+```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks() -> dict[str, str]:
    """Every block for a newcomer by its name."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        return dict(BLOCK.findall(file.read()))


def commands(name: str) -> list[str]:
    """The lines of one, without what is said beside them."""
    lines = (line.partition("  #")[0].strip() for line in blocks()[name].splitlines())
    return [line for line in lines if line]
