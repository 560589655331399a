"""Charts: well-formed and harmless SVG, everything inside the picture, whatever the values are."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leftoff.commands import plainly
from leftoff.core import chart_axes as axes
from leftoff.core import chart_bars, chart_curve, chart_graph, chart_timeline
from leftoff.core.chart_bars import Bars, bars
from leftoff.core.chart_curve import Curve, Cut, Limit, curve, spark
from leftoff.core.chart_graph import Graph, Knot, graph
from leftoff.core.chart_svg import SERIES, Chart, finite, fitted
from leftoff.core.chart_timeline import Bar, Mark, Timeline, timeline

NS = "{http://www.w3.org/2000/svg}"
ALLOWED = {"svg", "title", "desc", "g", "a", "text", "line", "rect", "circle", "path"}
EVIL = "</text><script>alert(1)</script>\x1b[31m\u202e\x00\ud800\ufffe'\"&"

anything = st.floats() | st.integers(-(10**30), 10**30)
times = st.floats(0, 4e9) | anything
texts = st.text(max_size=40) | st.just(EVIL)


def parsed(svg: str) -> ET.Element:
    """The tree, once nothing in it can act and everything in it can be seen."""
    root = ET.fromstring(svg)
    assert root.get("role") == "img"
    assert root[0].tag == f"{NS}title"
    assert root[1].tag == f"{NS}desc"
    for one in root.iter():
        assert one.tag.removeprefix(NS) in ALLOWED
        assert not {"style", "onclick", "onload"} & {*one.keys()}
        assert (one.get("href") or "/").startswith("/")
    return root


def inside(svg: str, slack: float = 10) -> None:
    """No coordinate lies outside of the view box; a mark may reach over by half of itself."""
    root = parsed(svg)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    assert math.isfinite(width)
    assert math.isfinite(height)
    for one in root.iter():
        for names, most in ((("x", "x1", "x2", "cx"), width), (("y", "y1", "y2", "cy"), height)):
            for name in names:
                assert -slack <= float(one.get(name, 0)) <= most + slack
        across = float(one.get("x", 0)) + float(one.get("width", 0))
        down = float(one.get("y", 0)) + float(one.get("height", 0))
        if one.tag == f"{NS}rect":
            assert across <= width + slack
            assert down <= height + slack
        if found := re.match(r"M(-?[\d.]+) (-?[\d.]+)", one.get("d", "")):
            x, y = map(float, found.groups())
            assert -slack <= x <= width + slack
            assert -slack <= y <= height + slack


def checked(chart: Chart, most: int = 300_000) -> ET.Element:
    inside(chart.svg)
    assert len(chart.svg) < most
    assert all(len(row) == len(chart.columns) for row in chart.rows)
    return parsed(chart.svg)


def shapes(svg: str, name: str, class_: str = "") -> list[ET.Element]:
    found = ET.fromstring(svg).iter(f"{NS}{name}")
    return [one for one in found if class_ in (one.get("class") or "").split() or not class_]


# Any values


@given(
    st.lists(st.tuples(times, anything), max_size=30),
    anything,
    st.lists(st.builds(Limit, anything, texts), max_size=3),
    st.lists(st.builds(Cut, times, anything, anything), max_size=4),
    texts,
)
def test_a_curve_of_any_values_stays_in_its_picture(points, window, limits, cuts, title):
    checked(curve(Curve(points, window, limits, cuts, title), plainly))


@given(
    st.lists(
        st.builds(
            Bar,
            texts,
            times,
            times,
            st.booleans(),
            st.lists(st.builds(Mark, times, st.sampled_from(("save", "crash", "compaction")))),
            texts,
            texts,
        ),
        max_size=8,
    ),
    times,
    texts,
)
def test_a_timeline_of_any_sessions_stays_in_its_picture(rows, now, title):
    checked(timeline(Timeline(rows, now, title), plainly))


@given(
    st.lists(st.tuples(texts, st.dictionaries(texts, anything, max_size=12)), max_size=20), texts
)
def test_bars_of_any_values_stay_in_their_picture(days, title):
    checked(bars(Bars(days, title), plainly))


@given(st.lists(anything, max_size=40), texts)
def test_a_spark_of_any_values_stays_in_its_picture(values, title):
    if drawn := spark(values, title):
        inside(drawn)


@st.composite
def forests(draw):
    """Knots that name any others as children: trees, and what only a mistake could make."""
    count = draw(st.integers(0, 30))
    numbers = st.lists(st.integers(-1, count), max_size=4)
    words = st.sampled_from(("", "complete", "broken", "current", "archived", "confirmed"))
    knots = [
        Knot(draw(texts), draw(words), draw(words), draw(numbers), draw(texts), draw(texts))
        for _ in range(count)
    ]
    return Graph(knots, draw(numbers), draw(texts))


@given(forests())
def test_a_graph_of_any_knots_stays_in_its_picture(shown):
    checked(graph(shown, plainly))


@given(st.lists(anything, max_size=300), st.integers(0, 50))
def test_a_thinned_series_keeps_its_ends_and_its_extremes(values, most):
    good = [finite(value) for value in values]
    kept = axes.thinned(good, most)
    assert kept == sorted(set(kept))
    assert len(kept) <= max(most, 4)
    if good:
        assert {kept[0], kept[-1]} == {0, len(good) - 1}
    if good and most >= 4:
        assert max(good) == max(good[at] for at in kept)
        assert min(good) == min(good[at] for at in kept)


@given(anything, st.integers(1, 10))
def test_ticks_are_round_even_and_reach_the_top(top, most):
    marks = axes.ticks(top, most)
    step = marks[1]
    assert marks[0] == 0
    assert marks[-1] >= finite(top) * (1 - 1e-6)
    assert len(marks) <= most + 2
    digits = f"{step:.3e}"
    assert digits[0] in "125"


@given(times, times)
def test_a_time_axis_has_a_few_moments_within_its_span(one, other):
    start, end = sorted((axes.instant_of(one), axes.instant_of(other)))
    found = axes.time_ticks(start, end)
    assert len(found) <= 8
    assert all(start <= at <= end and words for at, words in found)


# What it shows


def test_nothing_to_draw_is_still_a_picture_with_words():
    for chart in (
        curve(Curve(()), plainly),
        timeline(Timeline((), 0), plainly),
        bars(Bars(()), plainly),
        graph(Graph((), ()), plainly),
    ):
        checked(chart)
        assert chart.rows == ()
    assert spark([], "x") == ""


def test_a_single_point_is_a_dot_in_the_middle():
    chart = curve(Curve([(0.0, 5000)], 200_000), plainly)
    assert len(shapes(chart.svg, "circle", "dot")) == 1
    assert not shapes(chart.svg, "path", "line")


def test_the_same_values_make_the_same_text():
    points = [(float(at), at * 7919 % 200_000) for at in range(5000)]
    assert curve(Curve(points, 200_000), plainly) == curve(Curve(points, 200_000), plainly)


def test_ten_thousand_points_are_a_short_line_with_every_peak():
    points = [(float(at), 1000) for at in range(10_000)]
    points[4321] = (4321.0, 180_000)
    chart = curve(Curve(points, 200_000), plainly)
    assert len(chart.svg) < 20_000
    (line,) = shapes(chart.svg, "path", "line")
    heights = [float(pair.split(" ")[1]) for pair in line.attrib["d"][1:].split("L")]
    assert min(heights) < 60
    assert ("1970-01-01 01:12", "180,000") in chart.rows


def test_levels_are_drawn_where_the_curve_comes_near_the_window():
    limits = [Limit(60, "warning"), Limit(80, "critical")]
    near = curve(Curve([(0, 1e5), (1, 1.7e5)], 200_000, limits), plainly)
    assert len(shapes(near.svg, "line", "level")) == 3
    assert "critical 80 %" in near.svg
    far = curve(Curve([(0, 1e4), (1, 2e4)], 1_000_000, limits), plainly)
    assert not shapes(far.svg, "line", "level")


def test_a_compaction_stands_between_the_answers_around_it():
    points = [(0, 10), (10, 90), (30, 20), (40, 50)]
    chart = curve(Curve(points, 100, cuts=[Cut(20, 90_000, 20_000)]), plainly)
    (cut,) = shapes(chart.svg, "line", "cut")
    left, right = 56 + 688 / 3, 56 + 688 * 2 / 3
    assert left < float(cut.attrib["x1"]) < right
    assert "90k → 20k" in chart.svg


def test_a_live_session_reaches_now_with_an_open_end():
    rows = [Bar("a", 100, 200), Bar("b", 300, live=True)]
    chart = timeline(Timeline(rows, 1000), plainly)
    assert len(shapes(chart.svg, "path", "live")) == 1
    assert [row[2] for row in chart.rows] == ["1970-01-01 00:03", "live"]


def test_marks_have_a_form_of_their_own_and_a_legend():
    marks = [Mark(150, kind) for kind in ("save", "crash", "compaction")]
    chart = timeline(Timeline([Bar("a", 100, 200, marks=marks)], 300), plainly)
    forms = {one.attrib["d"].split("m", 1)[1] for one in shapes(chart.svg, "path", "mark")}
    assert len(forms) == 3
    assert chart.rows[0][3] == "compaction 1, crash 1, save 1"


def test_too_many_sessions_are_cut_and_counted():
    rows = [Bar(f"s{n}", n * 100, n * 100 + 50) for n in range(500)]
    chart = timeline(Timeline(rows, 1e5), plainly)
    checked(chart, 60_000)
    assert len(chart.rows) == chart_timeline.MOST
    assert f"{500 - chart_timeline.MOST} more sessions" in chart.svg


def test_bars_stack_the_greatest_first_and_put_the_small_ones_together():
    days = [("2026-01-01", {f"agent-{n}": 100 - n for n in range(20)})]
    chart = bars(Bars(days), plainly)
    assert chart.columns[1] == "agent-0"
    assert chart.columns[-1] == "others"
    assert len(chart.columns) == SERIES + 1
    assert chart.rows[0][-1] == axes.amount(sum(100 - n for n in range(7, 20)))


def test_as_many_series_as_there_is_room_for_are_named_each():
    names = [f"agent-{n}" for n in range(SERIES)]
    chart = bars(Bars([("2026-01-01", dict.fromkeys(names, 1.0))]), plainly)
    assert list(chart.columns[1:]) == names


def test_the_bar_of_a_single_day_stands_in_the_middle_below_few_lines():
    chart = bars(Bars([("2026-01-01", {"a": 5.0})]), plainly)
    assert chart.svg.count('class="grid"') == 4  # 0, 2, 4 and 6
    box = chart_bars._BOX
    assert f'x="{(box.left + box.right) / 2 - 24:g}"' in chart.svg


def test_a_long_name_in_the_legend_ends_before_the_next_square():
    names = ["W" * 90, "M" * 90]
    chart = bars(Bars([("2026-01-01", dict.fromkeys(names, 1.0))]), plainly)
    for name in names:
        assert f">{fitted(name, 158.0)}<" in chart.svg


def test_many_days_become_few_bars_and_lose_nothing():
    days = [(f"day-{n}", {"a": 1.0}) for n in range(10_000)]
    chart = bars(Bars(days), plainly)
    checked(chart, 120_000)
    assert len(chart.rows) <= chart_bars.MOST
    assert "10k in all" in chart.svg


def chain(n: int) -> Graph:
    return Graph([Knot(f"k{at}", children=[at + 1] if at + 1 < n else []) for at in range(n)], [0])


def test_states_and_verdicts_are_told_in_the_reader_s_language():
    knots = [Knot("a", status="blocked", verdict="stale"), Knot("b")]
    chart = graph(Graph(knots, [0, 1]), lambda text, **_: f"<{text}>")
    assert [row[2:] for row in chart.rows] == [("<blocked>", "<stale>"), ("", "")]


def test_what_is_no_knot_is_not_drawn():
    chart = graph(Graph([Knot("a", children=[1, 2]), Knot("b")], [0, 2, -1, 0]), plainly)
    assert [row[0] for row in chart.rows] == ["a", "b"]


def test_a_long_name_of_a_knot_that_stands_alone_ends_before_the_next():
    name = "W" * 200
    chart = graph(Graph([Knot(name), Knot("b")], [0, 1]), plainly)
    room = chart_graph._LEAST / chart_graph._COLUMNS
    assert f">{fitted(name, room - 16)}<" in chart.svg


def test_a_fork_stands_between_its_children_and_no_two_knots_meet():
    wide = [Knot("root", children=range(1, 60)), *(Knot(f"k{n}") for n in range(1, 60))]
    for shown in (Graph(wide, [0]), chain(50), Graph([Knot("x")] * 90, range(90))):
        chart = graph(shown, plainly)
        checked(chart)
        spots = [
            (float(one.attrib["cx"]), float(one.attrib["cy"]))
            for one in shapes(chart.svg, "circle", "knot")
        ]
        assert len({*spots}) == len(spots) == len(shown.knots)
        rows = {}
        for x, y in spots:
            assert all(abs(x - other) >= 60 for other in rows.get(y, ()))
            rows.setdefault(y, []).append(x)
        assert all(abs(a - b) >= 16 for a in rows for b in rows if a != b)


def test_thousands_of_knots_are_cut_and_counted():
    chart = graph(Graph([Knot(f"k{n}") for n in range(5000)], range(5000)), plainly)
    checked(chart, 100_000)
    assert f"{5000 - chart_graph.MOST} more" in chart.svg
    assert "5000 checkpoints" in chart.svg


def test_states_and_verdicts_have_marks_of_their_own():
    words = ("confirmed", "unknown", "contradicted")
    chart = graph(Graph([Knot(w, "current", w) for w in words], range(3)), plainly)
    signs = {one.attrib["d"].split("m", 1)[1] for one in shapes(chart.svg, "path", "sign")}
    assert len(signs) == 3
    assert [row[2:] for row in chart.rows] == [("current", w) for w in words]


def test_only_our_own_pages_are_linked():
    links = ("/session/1", "https://evil.example/", "//evil.example", "javascript:alert(1)", "")
    chart = graph(Graph([Knot("x", href=one) for one in links], range(5)), plainly)
    assert [one.get("href") for one in ET.fromstring(chart.svg).iter(f"{NS}a")] == ["/session/1"]


def test_a_hostile_label_is_shown_as_text():
    chart = graph(Graph([Knot(EVIL, EVIL, EVIL, about=EVIL)], [0], EVIL), plainly)
    root = checked(chart)
    assert "<script>" in root[0].text
    assert "⟨U+202E⟩" in root[0].text
    assert "⟨U+001B⟩" in root[0].text


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0"),
        (950, "950"),
        (1500, "1.5k"),
        (200_000, "200k"),
        (1.2e7, "12M"),
        (math.inf, "1e+03T"),
    ],
)
def test_amounts_are_short(value, words):
    assert axes.amount(value) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [(0, "$0"), (0.0042, "$0.0042"), (1.5, "$1.50"), (230.4, "$230"), (12_000, "$12k")],
)
def test_money_is_short(value, words):
    assert axes.money(value) == words


@pytest.mark.parametrize(
    ("span", "words"),
    [(3600, "00:10"), (5 * 86400, "01-02"), (300 * 86400, "1970-04"), (30 * 365 * 86400, "19")],
)
def test_dates_are_told_by_their_span(span, words):
    assert any(told.startswith(words) for _, told in axes.time_ticks(1.0, span))


def test_a_label_fits_its_place_also_in_chinese():
    assert fitted("short", 100) == "short"
    assert fitted("x" * 100, 70).endswith("…")
    assert len(fitted("断点续传" * 20, 140)) <= 11


def test_points_that_are_drawn_are_bounded():
    assert chart_curve.DRAWN <= 1000


@pytest.mark.parametrize("odd", [0.0, 999.0])
def test_a_single_dip_or_peak_among_thousands_is_kept(odd):
    values = [500.0 + at % 7 for at in range(5000)]
    values[3210] = odd
    assert 3210 in axes.thinned(values, 40)
