"""What is fuzzed holds for what the fuzzer begins with, and for what a few mutations make of it.

The same laws over formats, merges, transcripts, payloads, settings, questions, assignments, times,
the brief and the redactor run guided by coverage with `make fuzz`, for as long as one likes.
"""

from __future__ import annotations

import os
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leftoff.formats import lenses
from support import ROOT

sys.path.append(os.path.join(ROOT, "fuzz"))
from targets import READERS, TARGETS

each = pytest.mark.parametrize("name", sorted(TARGETS))
# Twenty-five targets: the short profile must stay short on two cores.
few = settings(max_examples=settings().max_examples // 5)
JUNK = st.sampled_from(
    [
        *(
            b"",
            b"\0",
            b"\xff\xfe",
            b"\xed\xa0\x80",
            b"\xe2\x80\xa8",
            b"\r",
            b"\r\n",
            b"\n\n",
            b"\x1b[",
        ),
        *(
            b"---\n",
            b"```\n",
            b"<!--",
            b"## ",
            b"| a |\n",
            b'"',
            b"{",
            b"}" * 9,
            b"[" * 2000,
            b"\\ud800",
        ),
        *(b"9" * 5000, b"1e999", b"NaN", b"null", b"<<<<<<< a\n", b"</leftoff>", b"\xe2\x80\xae"),
        *("，中".encode(), b"-", b" ", b"#", b": ", b"= "),
    ]
) | st.binary(max_size=12)


@each
def test_the_seeds_of_every_target_hold(name):
    run, seeds = TARGETS[name]
    for seed in seeds:
        run(seed)


@each
@few
@given(data=st.data())
def test_what_mutations_make_of_the_seeds_holds(name, data):
    run, seeds = TARGETS[name]
    whole = data.draw(st.sampled_from(seeds))
    for _ in range(data.draw(st.integers(1, 4))):
        start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(whole))] * 2)))
        kind = data.draw(st.sampled_from(["put", "cut", "twice", "over"]))
        junk = data.draw(JUNK) if kind in {"put", "over"} else whole[start:end][:500]
        whole = (
            whole[: start if kind in {"cut", "over"} else end]
            + (b"" if kind == "cut" else junk)
            + whole[end:]
        )
    run(whole)


def test_every_format_and_every_reader_is_a_target():
    folder = os.path.join(ROOT, "src", "leftoff", "agents")
    assert {name[:-3] for name in os.listdir(folder) if name.endswith("_log.py")} == {*READERS}
    assert {f"{kind}.{one.NAME}" for kind in ("format", "merge") for one in lenses()} < {*TARGETS}
