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
from support import ROOT, module_at

sys.path.append(os.path.join(ROOT, "fuzz"))
from targets import READERS, TARGETS

each = pytest.mark.parametrize("name", sorted(TARGETS))
# Some thirty targets: the short profile must stay short on two cores.
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


GOOD = """INFO: Using preloaded libfuzzer
#4	INITED cov: 20 ft: 30 corp: 3/52b exec/s: 0 rss: 48Mb
#92546	DONE   cov: 213 ft: 716 corp: 61/1953b lim: 869 exec/s: 23136 rss: 49Mb
Done 92546 runs in 61 second(s)
stat::number_of_executed_units: 92546
"""
BAD = """#1961	REDUCE cov: 68 ft: 247 corp: 45/3455b lim: 185 exec/s: 0 rss: 50Mb
 === Uncaught Python exception: ===
KeyError: 'event'
Traceback (most recent call last):
stat::number_of_executed_units: 2518
"""


def test_the_figures_of_a_fuzzed_target_are_those_that_the_fuzzer_said_last():
    fuzzed = module_at("fuzz", "readers.py").fuzzed
    assert fuzzed("json", 0, GOOD) == ("json", 92546, 61, 213, 61, "")
    assert fuzzed("json", 77, BAD) == ("json", 2518, 0, 68, 45, "KeyError: 'event'")


def test_a_fuzzer_that_did_not_run_or_was_killed_is_a_finding():
    fuzzed = module_at("fuzz", "readers.py").fuzzed
    assert fuzzed("json", 0, "").finding == "it never ran"
    assert fuzzed("json", -9, GOOD).finding == "it ended with -9"


def test_a_target_that_was_noted_is_not_run_again_unless_something_was_found(tmp_path):
    readers, notes = module_at("fuzz", "readers.py"), str(tmp_path / "notes")
    fine, bad = (readers.fuzzed("json", code, GOOD) for code in (0, 77))
    for one in (fine, bad):
        readers._note(notes, one)
    assert [*readers.noted(notes)] == [fine]


def test_the_page_tells_of_every_target_in_the_fuzzers_figures():
    with open(os.path.join(ROOT, "docs", "reliability.md"), encoding="utf-8") as file:
        block = file.read().partition("<!-- generated: fuzz -->")[2].partition("<!-- end -->")[0]
    rows = [line.split("|")[1:-1] for line in block.splitlines() if line.startswith("| `")]
    assert sorted(row[0].strip(" `") for row in rows) == sorted(TARGETS)
    runs, found = (int(sum(int(row[at].replace(",", "")) for row in rows)) for at in (1, 5))
    assert f"{runs:,} executions" in block
    assert found == 0
