"""Charts as they are drawn, to the last coordinate: pictures beside this file say how.

A picture that differs is left in tests/gold/actual; `make accept` takes it, and the diff is read.
"""

from __future__ import annotations

import os

import pytest

from leftoff.commands import plainly
from leftoff.core import chart_axes as axes
from leftoff.core.chart_bars import MOST, Bars, bars
from leftoff.core.chart_curve import Curve, Cut, Limit, curve, spark
from leftoff.core.chart_graph import Graph, Knot, _knot, graph
from leftoff.core.chart_svg import Box, Chart, element, escaped, finite, fitted, hint, label, linked
from leftoff.core.chart_timeline import Bar, Mark, Timeline, timeline
from leftoff.core.when import DAY, HOUR
from support import ROOT

GOLD = os.path.join(ROOT, "tests", "gold")
T0 = 1_767_225_600.0
"""2026-01-01T00:00:00Z"""
LIMITS = [Limit(60, "warning"), Limit(80, "critical"), Limit(120, "never"), Limit(90, "")]


def days(count, **amounts):
    return [
        (f"2026-{1 + at // 28:02}-{1 + at % 28:02}", {n: v * (at % 5) for n, v in amounts.items()})
        for at in range(count)
    ]


def walk(count, step=7919, most=200_000):
    return [(T0 + 60 * at, at * step % most) for at in range(count)]


MARKS = (Mark(T0 + HOUR, "save"), Mark(T0 + 2 * HOUR, "crash"), Mark(0, "save"))
SESSIONS = [
    Bar("the first session with a name that is too long", T0, T0 + 5 * HOUR, marks=MARKS),
    Bar("short", T0 + HOUR, T0 + HOUR + 5, href="/session/2", about="fixing"),
    Bar("live", T0 + 6 * HOUR, live=True, marks=[Mark(T0 + 7 * HOUR, "compaction")], href="/s/3"),
    Bar("no end", T0 + 3 * HOUR),
    Bar("before itself", T0 + 4 * HOUR, T0),
]
TREE = [
    Knot("root", "current", "confirmed", [1, 2, 3], "/c/root", "the first"),
    Knot("left", "complete", "contradicted", [4]),
    Knot("middle", "broken", "unknown"),
    Knot("right", "archived", "", [5, 6]),
    Knot("a leaf whose name is far too long for its place in the picture", "in_progress"),
    Knot("x", "", "", [0, 99, -1]),
    Knot("y"),
    *(Knot(f"alone {n}") for n in range(6)),
]
SCENES = {
    "curve-near": lambda: curve(Curve(walk(9), 100_000, LIMITS, title="Context"), plainly),
    "curve-far": lambda: curve(Curve([(T0, 29_999), (T0 + 9, 100)], 100_000, LIMITS), plainly),
    "curve-border": lambda: curve(Curve([(T0, 0), (T0 + 9, 30_000)], 100_000, LIMITS[:1]), plainly),
    "curve-one": lambda: curve(Curve([(T0, 5000)], 0), plainly),
    "curve-none": lambda: curve(Curve((), 1000, LIMITS, [Cut(T0)]), plainly),
    "curve-cuts": lambda: curve(
        Curve(
            walk(4), 0, (), [Cut(T0 + 90, 9e4, 2e4), Cut(0), Cut(T0 + 9e9, 5), Cut(T0 + 60, 0, 5)]
        ),
        plainly,
    ),
    "curve-long": lambda: curve(
        Curve(walk(900), 200_000, cuts=[Cut(T0 + 60 * n) for n in range(70)]), plainly
    ),
    "bars-week": lambda: bars(
        Bars(days(7, codex=1500.0, claude=2500.0, gemini=0.0), "Tokens"), plainly
    ),
    "bars-money": lambda: bars(Bars(days(3, a=1.0), words=axes.money), plainly),
    "bars-named": lambda: bars(Bars(days(2, a=1.0, b=2.0, c=4.0), names=["b", "others"]), plainly),
    "bars-many": lambda: bars(Bars(days(9, **{f"m{n}": float(n) for n in range(12)})), plainly),
    "bars-full": lambda: bars(Bars(days(MOST, a=1.0)), plainly),
    "bars-over": lambda: bars(Bars(days(MOST + 1, a=1.0)), plainly),
    "bars-none": lambda: bars(
        Bars([("today", {}), ("2026/01/02", {"a": float("nan"), "b": 3.0})]), plainly
    ),
    "timeline": lambda: timeline(Timeline(SESSIONS, T0 + 8 * HOUR, "Sessions"), plainly),
    "timeline-one": lambda: timeline(Timeline([Bar("x", T0, T0 + 60)], T0), plainly),
    "timeline-cut": lambda: timeline(
        Timeline(
            [
                Bar(f"s{n}", T0 + n, T0 + 2 * n, marks=[MARKS[0]] * (41 if n == 7 else 0))
                for n in range(61)
            ],
            T0,
        ),
        plainly,
    ),
    "timeline-none": lambda: timeline(Timeline((), 0), plainly),
    "graph": lambda: graph(Graph(TREE, [0, 7, 8, 9, 10, 11, 12], "Streams"), plainly),
    "graph-deep": lambda: graph(
        Graph([Knot(f"k{n}", children=[n + 1]) for n in range(29)] + [Knot("end")], [0]), plainly
    ),
    "graph-cut": lambda: graph(Graph([Knot(f"k{n}") for n in range(203)], range(203)), plainly),
    "graph-none": lambda: graph(Graph((), ()), plainly),
    "spark": lambda: Chart(spark([5, 3, 9, 9, 1, float("nan"), 7], "Use")),
    "spark-one": lambda: Chart(spark([7000], "Use")),
    "spark-flat": lambda: Chart(spark([7, 7, 7], "Use", 50, 10)),
    "spark-long": lambda: Chart(spark([at * 37 % 101 for at in range(300)], "Use")),
}


def text_of(chart: Chart) -> str:
    rows = [" | ".join(row) for row in (chart.columns, *chart.rows) if row]
    return "\n".join([chart.svg.replace("><", ">\n<"), *rows, ""])


@pytest.mark.parametrize("name", SCENES)
def test_a_chart_is_drawn_as_its_picture_shows(name):
    drawn, path = text_of(SCENES[name]()), os.path.join("charts", f"{name}.txt")
    try:
        with open(os.path.join(GOLD, path), encoding="utf-8") as file:
            wanted = file.read()
    except FileNotFoundError:
        wanted = ""
    if drawn != wanted:
        os.makedirs(os.path.join(GOLD, "actual", "charts"), exist_ok=True)
        with open(os.path.join(GOLD, "actual", path), "w", encoding="utf-8") as file:
            file.write(drawn)
    assert drawn == wanted


@pytest.mark.parametrize(
    ("top", "most", "marks"),
    [
        (0, 5, [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (1, 0, [0, 1]),
        (10, 5, [0, 2, 4, 6, 8, 10]),
        (10.5, 5, [0, 5, 10, 15]),
        (100, 4, [0, 50, 100]),
        (30, 3, [0, 10, 20, 30]),
        (6, 1, [0, 10]),
        (1e-12, 1, [0, 1e-9]),
        (50, 1, [0, 50]),
        (20, 1, [0, 20]),
    ],
)
def test_marks_of_an_axis_are_round(top, most, marks):
    assert axes.ticks(top, most) == pytest.approx(marks, rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("span", "count", "first", "last"),
    [
        (0, 1, "00:00", "00:00"),
        (6 * 60, 7, "00:00", "00:06"),
        (6 * 60 + 1, 2, "00:00", "00:05"),
        (6 * HOUR, 7, "00:00", "06:00"),
        (2 * DAY, 5, "01-01 00:00", "01-03 00:00"),
        (DAY, 5, "00:00", "00:00"),
        (3 * DAY, 7, "01-01 00:00", "01-04 00:00"),
        (6 * DAY, 7, "01-01", "01-07"),
        (6 * 91 * DAY, 6, "2026-01", "2027-04"),
        (6 * 30 * DAY, 6, "01-07", "06-06"),
        (6 * 365 * DAY, 6, "2026-12", "2031-12"),
        (60 * 365 * DAY, 6, "2029-12", "2079-12"),
    ],
)
def test_moments_of_an_axis_are_whole_and_told_by_their_step(span, count, first, last):
    found = axes.time_ticks(T0, T0 + span)
    assert (len(found), found[0][1], found[-1][1]) == (count, first, last)
    assert all(T0 <= at <= T0 + span for at, _ in found)


def test_moments_stand_apart_by_their_step_from_a_whole_one_on():
    assert [at - T0 for at, _ in axes.time_ticks(T0 + 1, T0 + 181)] == [60, 120, 180]
    assert [at - T0 for at, _ in axes.time_ticks(T0 + 1, T0 + 1801, 3)] == [600, 1200, 1800]


def test_where_no_whole_moment_lies_between_none_is_told():
    assert axes.time_ticks(T0 + 1, T0 + 59) == []
    assert axes.time_ticks(T0 + 60, T0) == []
    assert [at - T0 for at, _ in axes.time_ticks(T0, T0)] == [0]


@pytest.mark.parametrize(
    ("span", "told"),
    [
        *((DAY, "00:00"), (DAY + 60, "03-01 00:00"), (6 * DAY, "03-01"), (7 * DAY, "03-02")),
        *((6 * 91 * DAY, "1970-04"), (5 * 91 * DAY, "1970-04")),
    ],
)
def test_the_words_of_an_axis_say_the_hour_of_short_times_and_the_year_of_long_ones(span, told):
    start = 59 * DAY if span < 90 * DAY else 1
    assert axes.time_ticks(start, start + span)[0][1] == told


@pytest.mark.parametrize(
    ("value", "told"),
    [
        *((9.994, "9.99"), (9.5, "9.5"), (10, "10"), (10.5, "10"), (11.6, "12"), (999, "999")),
        *((999.4, "999"), (999.5, "1k"), (1e6 * 0.9995, "1M"), (1e9, "1B"), (1e12, "1T")),
        *((-5, "0"), (0.126, "0.126")),
    ],
)
def test_an_amount_changes_its_unit_where_it_would_be_a_thousand(value, told):
    assert axes.amount(value) == told


@pytest.mark.parametrize(
    ("value", "told"),
    [
        *((0, "$0"), (5, "$5"), (10, "$10"), (10.5, "$10.50"), (99.5, "$99.50"), (100, "$100")),
        *((100.6, "$101"), (0.1, "$0.10"), (0.09, "$0.0900"), (9_999, "$9999"), (10_000, "$10k")),
    ],
)
def test_money_has_as_many_digits_as_matter(value, told):
    assert axes.money(value) == told


@pytest.mark.parametrize(
    ("value", "top", "place"),
    [
        (5, 10, 50),
        (0, 10, 100),
        (10, 10, 0),
        (20, 10, 0),
        (-1, 10, 100),
        (5, 0, 100),
        (1, 1e17, 100),
        (1e15, 1.05e16, 100),
        (0.25, 0.5, 50),
    ],
)
def test_a_value_has_its_place_between_two_coordinates(value, top, place):
    assert axes.scale(value, top, 100, 0) == place


def test_the_largest_axis_is_ten_times_the_largest_value():
    assert axes.scale(1e15, 1e16, 0, 100) == pytest.approx(10)


@pytest.mark.parametrize(
    ("count", "most", "kept"),
    [
        (4, 0, [0, 1, 2, 3]),
        (5, 0, [0, 2, 4]),
        (6, 6, [0, 1, 2, 3, 4, 5]),
        (9, 6, [0, 2, 4, 8]),
        (9, 4, [0, 2, 4, 8]),
    ],
)
def test_of_many_values_the_ends_and_the_extremes_of_each_stretch_are_kept(count, most, kept):
    assert axes.thinned([5, 6, 9, 7, 1, 6, 6, 5, 8][:count], most) == kept


def test_a_day_is_told_to_the_minute_and_no_calendar_ends():
    assert axes.day_words(T0 + 61) == "2026-01-01 00:01"
    assert axes.day_words(1e300) == "9999-12-31 00:00"
    assert axes.day_words(-1) == "1970-01-01 00:00"


def test_a_value_that_can_be_drawn_is_neither_negative_nor_endless():
    assert [*map(finite, (1, 0, -1, 1e15, 2e15, float("nan")))] == [1.0, 0.0, 0.0, 1e15, 1e15, 0.0]


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("abcdef", 6 * 6.96, "abcdef"),
        ("abcdef", 6 * 6.96 - 0.1, "abcd…"),
        ("ab cdef", 5 * 6.96, "ab c…"),
        ("ab cdef", 4 * 6.96, "ab…"),
        ("a", 0, "…"),
        ("\u1100\u1100", 4 * 6.96, "\u1100\u1100"),
        ("\u1100\u1100", 3 * 6.96, "…"),
        ("\u10ff\u10ff", 2 * 6.96, "\u10ff\u10ff"),
        (" a \n b ", 99, "a b"),
        ("x" * 401, 1e6, "x" * 400),
    ],
)
def test_a_label_has_as_many_characters_as_its_place_holds(text, width, shown):
    assert fitted(text, width) == shown


def test_elements_hold_numbers_texts_and_what_is_inside():
    assert element("a_b", x_y=1.25, class_="c", at=2.0) == '<a_b x-y="1.2" class="c" at="2"/>'
    assert element("g", "in", d='"<') == '<g d="&quot;&lt;">in</g>'
    assert label(1, 2, "") == '<text x="1" y="2" class="t" text-anchor="start"> </text>'
    assert hint("x" * 301) == f"<title>{'x' * 300}</title>"
    assert escaped("a\tb\ufffe&") == "a b\ufffd&amp;"
    assert (Box(1, 2, 11, 22).width, Box(1, 2, 11, 22).height) == (10, 20)


@pytest.mark.parametrize("href", ["//x", "/\\x", "x/", "https://x/", ""])
def test_only_a_path_of_ours_is_linked(href):
    assert linked("in", href) == "in"
    assert linked("in", "/x") == '<a href="/x" tabindex="-1">in</a>'


def test_a_knot_is_drawn_with_its_name_its_reach_and_its_address():
    drawn = _knot(Knot("n" * 99, status="current", verdict="confirmed", about="x"), 50, 60, 100.0)
    assert f">{fitted('n' * 99, 84.0)}</text>" in drawn
    assert f"{'n' * 99} · current · confirmed · x" in drawn
    assert drawn.startswith("<g")
    assert _knot(Knot("n", href="/s/1"), 50, 60, 100.0).startswith("<a")
    assert 'width="84"' in drawn
    assert 'width="150"' in _knot(Knot("n"), 50, 60, 900.0)
