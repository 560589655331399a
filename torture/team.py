"""`make torture`, the part with a server: `team push` is hit at every write and every word it says.

It needs PostgreSQL (`initdb` and `postgres`), which is started for it and is gone afterwards.
"""

from __future__ import annotations

import sys

import told
from shared import Server, end_in_order, team_scenes

BLOCK = "torture-team"


def main() -> int:
    options = told.parser(__doc__).parse_args()
    end_in_order()
    # its processes are never harmed: what it wrote is in the system's hands already
    with Server("fsync=off") as server:
        found = [*told.tortured(team_scenes(server), options)]
    broken = [problem for one in found for problem in one.broken]
    parts = told.summary(found, options.every, len(broken)), told.scenes_table(found)
    return told.tell(options, BLOCK, parts, broken)


if __name__ == "__main__":
    sys.exit(main())
