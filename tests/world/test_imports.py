"""What a warm listing costs in imports: a set, not a clock."""

from __future__ import annotations

import os
import subprocess
import sys

from support import SOURCE
from world.fake_lens import lay
from world.warm_set import WARM, WARM_LIBRARY

# The clock runs ahead of the files: they were written long ago, as the cache sees it.
LIST = """
import os, sys, time
now = time.time_ns
time.time_ns = lambda: now() + 10**10
before = set(sys.modules)
from leftoff.world.place import find_place
from leftoff.world.state import state_dir
from leftoff.world.store import Store
store = Store(find_place(sys.argv[1]), sys.argv[2])
print(len(store.streams()))
print("\\n".join(sorted(set(sys.modules) - before)))
"""


def _run(root: str, state: str) -> list[str]:
    listing = f"import sys; sys.path.insert(0, {SOURCE!r})\n{LIST}"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", listing, root, state],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout.split("\n")


SKILL = '{"protocol_version": "1.0", "skill": "oc-a", "status": "in_progress"}\n'


def test_a_warm_listing_loads_a_handful_of_modules_and_no_format(root, state):
    lay(root, {".checkpoints/oc-a.checkpoint.json": SKILL})
    _run(root, state)
    count, *modules = _run(root, state)
    loaded = set(filter(None, modules))
    ours = {name for name in loaded if name.partition(".")[0] == "leftoff"}
    assert count == "1"
    assert ours == WARM
    # Versions of Python differ in what a module needs below it; none may need more than this.
    assert loaded - ours <= WARM_LIBRARY, loaded - ours - WARM_LIBRARY
    assert os.listdir(state) == ["cache"]
