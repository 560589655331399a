"""`make torture`: the promises of docs/reliability.md, broken on purpose as often as one likes."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from points import REFUSALS, SHORT, torture
from scenes import scenes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scene", action="append", default=[], metavar="NAME")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each nth point only")
    options = parser.parse_args()
    broken = []
    for scene in scenes():
        if options.scene and scene.name not in options.scene:
            continue
        with tempfile.TemporaryDirectory() as work:
            found = torture(scene, os.path.realpath(work), options.every)
        print(found.scene, found.points, dict(found.runs), len(found.broken), flush=True)
        for one in found.broken[:20]:
            print("  ", one[:300])
        broken += found.broken
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
