"""`make torture`, the part with a server: `team push` is hit at every write and every word it says.

It needs PostgreSQL (`initdb` and `postgres`), which is started for it and is gone afterwards.
"""

from __future__ import annotations

import sys

import common
from scenes_team import serving, team_scenes

BLOCK = "torture-team"


def main() -> int:
    options = common.parser(__doc__).parse_args()
    with serving() as server:
        found = [*common.tortured(team_scenes(server), options)]
    broken = [problem for one in found for problem in one.broken]
    parts = common.summary(found, options.every, len(broken)), common.scenes_table(found)
    return common.tell(options, BLOCK, parts, broken)


if __name__ == "__main__":
    sys.exit(main())
