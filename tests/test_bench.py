"""What the benchmarks compute from what they measured; the measuring itself is `make bench`."""

from __future__ import annotations

import math
import os
import sys
from random import Random
from xml.etree import ElementTree as ET

import pytest
from coverage import CoverageData

from leftoff.core.quality import Score, score
from leftoff.core.token_estimate import estimate
from support import ROOT, git, module_at

PAGE = """# Figures

<!-- generated: targets -->
<!-- end -->

<!-- generated: one -->
old
<!-- end -->

<!-- generated: two -->
<!-- end -->
"""


@pytest.fixture(scope="module")
def bench():
    """A module of bench/, some of which have names that tests use too."""
    return lambda name: module_at("bench", f"{name}.py")


def test_the_exponent_of_a_power_is_its_exponent(bench):
    growth = bench("growth")
    for wanted in (0.0, 0.5, 1.0, 2.0):
        points = [(10.0**n, 7 * 10.0 ** (n * wanted)) for n in range(5)]
        assert growth.exponent(points) == pytest.approx(wanted)


def test_the_exponent_is_that_of_the_upper_decades(bench):
    points = [(1, 20), (10, 20), (100, 20), (1000, 200), (10000, 2000)]
    assert bench("growth").exponent(points) == pytest.approx(1.0)


def test_one_size_alone_has_no_exponent(bench):
    assert math.isnan(bench("growth").exponent([(1, 20)]))


def test_the_picture_is_well_formed_and_names_every_curve_with_its_exponent(bench):
    curves = {"a < b": [(1, 10), (10, 100)], "c": [(1, 10), (10, 101)]}
    drawn = ET.fromstring(bench("growth").picture({"documents": curves}))
    texts = ["".join(each.itertext()) for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"a < b 1.00", "c 1.00", "documents", "10 ms"} <= set(texts)
    placed = sorted(
        float(each.get("y"))
        for each in drawn.iter("{http://www.w3.org/2000/svg}text")
        if each.text and each.text.endswith(" 1.00")
    )
    assert placed[1] - placed[0] >= 15


def test_the_table_of_targets_is_made_of_the_goals_of_all_blocks(bench, tmp_path):
    report = bench("report")
    path = tmp_path / "page.md"
    path.write_text(PAGE, encoding="utf-8")
    late = report.at_most(4, "resume", 5.5, 5.0, "floor")
    report.put_into(str(path), "two", "second", [late])
    early = report.Goal(1, "`status`", "3.0 x floor", "3.5 x floor", met=True)
    absent = report.not_measured(5, "push", "3 x COPY", "PostgreSQL is not there")
    report.put_into(str(path), "one", "first", [early, absent])
    text = path.read_text(encoding="utf-8")
    assert "old" not in text
    assert [*report.goals_of(text)] == [early, absent, late]
    top = text.partition("<!-- end -->")[0]
    assert "| 1    | `status` | 3.0 x floor             | 3.5 x floor | yes          |" in top
    assert top.index("`status`") < top.index("resume") < top.index("push")
    assert "1 met, 1 not met, 1 not measured." in top


def test_a_block_written_again_replaces_its_goals(bench, tmp_path):
    report = bench("report")
    path = tmp_path / "page.md"
    path.write_text(PAGE, encoding="utf-8")
    for ratio in (2.0, 1.0):
        report.put_into(str(path), "one", "first", [report.at_most(1, "x", ratio, 1.5, "floor")])
    assert [goal.met for goal in report.goals_of(path.read_text(encoding="utf-8"))] == [True]


def test_a_page_without_the_block_is_left_alone(bench, tmp_path):
    path = tmp_path / "page.md"
    path.write_text(PAGE, encoding="utf-8")
    with pytest.raises(SystemExit, match="no block"):
        bench("report").put_into(str(path), "three", "text")
    assert path.read_text(encoding="utf-8") == PAGE


def test_the_table_of_targets_in_the_docs_says_what_its_blocks_say(bench):
    report = bench("report")
    with open(os.path.join(ROOT, "docs", "benchmarks.md"), encoding="utf-8") as file:
        page = file.read()
    if goals := [*report.goals_of(page)]:
        assert report.summary(goals) in page


def test_of_the_pages_answers_with_and_without_a_look_everywhere_are_told_apart(bench, monkeypatch):
    monkeypatch.syspath_prepend(os.path.join(ROOT, "bench"))
    web = bench("web")

    class Server:
        """An answer takes so many milliseconds, more in each round; a look comes on top."""

        def __init__(self, took, look):
            self.took, self.look = took, look

        def cost(self, scene, path):
            self.took += 1
            return web.Spent(self.took, self.took + self.look * (scene != "warm"), 500)

    row = web.measure(Server(0, 10), Server(10, 190), "/tree", 3)
    assert row.cost["later"] == (8, 18)
    assert row.half["later"] == (9, 19)
    assert row.looked["later"] == (19, 209)
    plain, looked = web.beside([row])
    assert "`/tree`, warm: 3.50 times" in plain  # 4 and 14 in the middle of the first three
    assert "`/tree`, later: 19 → 209 ms, 11.00 times" in looked


def test_modules_are_read_from_the_report_of_the_interpreter(bench, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path, os.path.join(ROOT, "bench")])
    said = "import time: self [us] | cumulative | imported package\nimport time: 9 | 12 |   os.path\nother\n"
    assert [*bench("package").names(said)] == ["os.path"]


def test_made_up_work_is_as_long_as_it_says_and_its_summary_forgets_nothing(
    bench, tmp_path, monkeypatch
):
    monkeypatch.syspath_prepend(os.path.join(ROOT, "bench"))
    works = bench("resume_works")
    for kind, shape in works.SHAPES.items():
        work = works.Made(str(tmp_path / kind), Random(1), kind, shape.sizes[1])
        planted = work.make()
        (saved,) = work.saved()
        size = estimate(saved.others["document"])
        assert shape.sizes[1] <= size < shape.sizes[1] * 1.15
        assert saved.facts == planted.saved  # the world contradicts just what was planted so
        assert {one.kind for one in planted.saved.stale} == {"step", "path"}
        told = score(planted.unsaved, work.unsaved().others["summary"])
        assert told.kept == told.of == 19
        assert told.stale == 1, "it was written before the file went"


@pytest.mark.parametrize(
    ("now", "told"),
    [
        ("cpu  10 0 0 170 0 0 0 30", "processors (10% taken by other machines), Python"),
        ("cpu  10 0 0 180 0 0 0 10", "processors, Python"),
        ("", "processors, Python"),
    ],
)
def test_a_machine_that_others_have_a_part_of_is_told_as_such(
    bench, monkeypatch, tmp_path, now, told
):
    report = bench("report")
    stat = tmp_path / "stat"
    monkeypatch.setattr(report, "_STAT", str(stat))
    stat.write_text("cpu  0 0 0 0 0 0 0 10\n", encoding="utf-8")
    monkeypatch.setattr(report, "_BEGAN", report._ticks())
    stat.write_text(f"{now}\n", encoding="utf-8")
    assert told in report.measured()


def test_a_figure_says_of_which_commit_it_is_and_whether_the_code_was_changed_since(bench, root):
    report = bench("report")
    day = report.code(os.path.dirname(root))
    commit = git("rev-parse", "--short", "HEAD", cwd=root).strip()
    assert "," not in day, "where there is no repository it says the day alone"
    os.mkdir(os.path.join(root, "docs"))
    with open(os.path.join(root, "docs", "page.md"), "w", encoding="utf-8") as file:
        file.write("a figure")
    assert report.code(root) == f"{day}, {commit}"
    os.mkdir(os.path.join(root, "src"))
    with open(os.path.join(root, "src", "a.py"), "w", encoding="utf-8") as file:
        file.write("")
    assert report.code(root) == f"{day}, {commit}, with changes"
    assert report.measured().endswith(f"; {report._CODE}")


@pytest.fixture
def resume(bench, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(os.path.join(ROOT, "bench"))
    module = bench("resume")
    monkeypatch.setattr(module, "BLIND", str(tmp_path))
    return module


def test_what_was_told_the_first_time_is_kept_and_stands_beside_what_is_told_now(resume):
    def told(kind, kept):
        ways = {"leftoff": kept, "summary": 5}
        return [
            resume.Telling(kind, 1000, way, Score(n, 10, 0, 1, 700), 300) for way, n in ways.items()
        ]

    kind = resume.LIVED[3]
    first, now = told(kind, 8), told(kind, 10)
    assert resume.first_times() == ([], [])
    resume.keep(3, [*first, *told("resume", 9), *told(resume.LIVED[2], 7)])
    page = resume.report(now, *resume.first_times())
    assert f"Through {kind} at 1,000 tokens: 1.000 of the facts" in page
    assert f"Through {kind}, blind at 1,000 tokens: 0.800 of the facts" in page
    assert resume.LIVED[2] not in page
    assert "and stays as it was." in page
    assert not any("blind" in goal.what for goal in resume.goals(now))
    with pytest.raises(FileExistsError):  # there is one first time
        resume.keep(3, now)
    resume.keep(2, told(resume.LIVED[2], 7))  # of each round
    assert len(resume.first_times()[1]) == 2


def test_the_page_tells_the_first_figures_as_they_were_kept(bench, monkeypatch):
    monkeypatch.syspath_prepend(os.path.join(ROOT, "bench"))
    module = bench("resume")
    told, notes = module.first_times()
    with open(os.path.join(ROOT, "docs", "benchmarks.md"), encoding="utf-8") as file:
        page = file.read()
    kept = [*module.beside(told)]
    assert len(kept) == len(notes) == 5
    for kind, found in kept:
        assert f"Through {kind} at 1,000 tokens: {found.share:.3f} of the facts" in page
    assert all(note in page for note in notes)


def test_coverage_is_told_by_layer_and_what_is_missing_by_its_line(bench, monkeypatch):
    monkeypatch.syspath_prepend(os.path.join(ROOT, "bench"))
    covered = bench("covered")

    def file(statements, branches, lines=(), jumps=()):
        reached = {
            "covered_lines": statements - len(lines),
            "covered_branches": branches - len(jumps),
        }
        counts = {"num_statements": statements, "num_branches": branches, **reached}
        return {"summary": counts, "missing_lines": lines, "missing_branches": jumps}

    files = {
        "src/leftoff/core/a.py": file(9990, 10, jumps=[[5, -1]]),
        "src/leftoff/world/b.py": file(10, 0, lines=[7]),
        "src/leftoff/errors.py": file(1, 0),
    }
    layers = {one.name: one for one in covered.layers_of(files)}
    assert [*layers] == ["(top)", "core", "world", "all"]
    assert layers["core"].missing == ("src/leftoff/core/a.py:5 never goes to its end",)
    assert [name for name, one in layers.items() if one.too_little] == ["core"]
    told = covered.told([layers["core"]], "tests/core tests/laws")
    assert "99.9 %" in told
    assert "`tests/core tests/laws`" in told
    assert layers["all"].statements == 10_001


def test_what_a_killed_process_left_of_its_measuring_is_passed_over(bench, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(os.path.join(ROOT, "bench"))
    covered = bench("covered")
    path = os.path.join(tmp_path, ".coverage.a")
    data = CoverageData(path)
    data.add_lines({f"{number}.py": [*range(99)] for number in range(999)})
    data.write()
    data.close()
    assert covered.is_whole(path)
    with open(path, "rb") as file:
        whole = file.read()
    for part in (b"", b"no data", whole[: len(whole) // 2], whole[:4096]):
        with open(path, "wb") as file:
            file.write(part)
        assert not covered.is_whole(path), part[:9]
