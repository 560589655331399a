"""`make torture`, the part with a server: `team push` is hit at every write and every word it says.

It needs PostgreSQL (`initdb` and `postgres`), which is started for it and is gone afterwards.
"""

from __future__ import annotations

import sys

import told
from shared import serving, team_scenes

BLOCK = "torture-team"


def main() -> int:
    options = told.parser(__doc__).parse_args()
    with serving() as server:
        found = [*told.tortured(team_scenes(server), options)]
    broken = [problem for one in found for problem in one.broken]
    parts = told.summary(found, options.every, len(broken)), told.scenes_table(found)
    return told.tell(options, BLOCK, parts, broken)


if __name__ == "__main__":
    sys.exit(main())
