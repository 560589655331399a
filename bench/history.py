"""`make bench`, second half: what history costs: redaction, archive, search. Each in its own words.

The programs print tables of their own; `--markdown FILE` also puts them into that file's block.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from report import goals_of, put_into, without_goals

HERE = os.path.dirname(os.path.abspath(__file__))
BLOCK = "bench-history"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000, help="of transcripts")
    parser.add_argument("--markdown", type=os.path.abspath, metavar="FILE")
    options = parser.parse_args()
    size = str(options.megabytes)
    parts = [
        _told("redaction.py", "--figures"),
        _told("redaction.py", "--megabytes", str(min(60, options.megabytes))),
        _told("archive.py", "--megabytes", str(max(1, options.megabytes // 10)), size),
        _told("search.py", "--megabytes", size),
    ]
    if options.markdown:
        text = "\n\n".join(f"```\n{without_goals(part)}\n```" for part in parts)
        put_into(options.markdown, BLOCK, text, [*goals_of("\n".join(parts))])


def _told(program: str, *words: str) -> str:
    """What a program of this folder prints; it is shown as it comes."""
    command = f"$ python bench/{' '.join((program, *words))}"
    print(command, flush=True)
    argv = [sys.executable, os.path.join(HERE, program), *words, "--goals"]
    done = subprocess.run(argv, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    print(without_goals(done.stdout), flush=True)
    return f"{command}\n{done.stdout.rstrip()}"


if __name__ == "__main__":
    main()
