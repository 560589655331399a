"""Many programs update one file at once: every change is there, the file is valid, nobody fails."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from projects import get, put_skill
from support import SOURCE, repo, run

PROGRAMS, TIMES = 16, 50

# one program: calls the console entry TIMES times, each in a process of its own
WORKER = """
import os, sys
name, times = sys.argv[1], int(sys.argv[2])
for at in range(times):
    words = ["update", "oc-demo", f"--context_primer.key_decisions+={name}-{at}"]
    child = os.posix_spawn(sys.executable, [sys.executable, "-m", "leftoff", *words], os.environ)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        sys.exit(code)
"""


@pytest.mark.req("X.write.lock", "A.layout.no-collision", "X.write.stale-read")
def test_sixteen_programs_add_fifty_decisions_each_and_none_is_lost(tmp_path):
    root = repo(tmp_path)
    path = put_skill(root, context_primer={"key_decisions": []})
    other = put_skill(root, "oc-other")
    before = get(root, other)
    env = {**os.environ, "PYTHONPATH": SOURCE}
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, f"w{number}", str(TIMES)],
            cwd=root,
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for number in range(PROGRAMS)
    ]
    said = [worker.communicate()[1].decode() for worker in workers]
    assert [worker.returncode for worker in workers] == [0] * PROGRAMS, said
    decisions = json.loads(get(root, path))["context_primer"]["key_decisions"]
    expected = {f"w{number}-{at}" for number in range(PROGRAMS) for at in range(TIMES)}
    assert set(decisions) == expected
    assert len(decisions) == PROGRAMS * TIMES
    assert run("validate", cwd=root).returncode == 0
    assert get(root, other) == before
    assert not [name for name in os.listdir(os.path.join(root, ".checkpoints")) if name[0] == "."]
