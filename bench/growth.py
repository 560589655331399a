"""How the cost grows: the exponent fitted to the upper decades, and the curves as a picture.

A cost that doubles with its input has the exponent 1, one that does not care 0. Both axes are
logarithmic, so that an exponent is a slope. The picture has no script, no font of its own and
follows the reader's light or dark colours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape

Points = Sequence[tuple[float, float]]
"""(size, milliseconds), the sizes ascending"""

DECADES = 2
"""below the largest size that take part in a fit: what is smaller is the start of the program"""
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 500, 340, 74, 40, 158, 44
LIGHT = ("#0b6bcb", "#bc4c00", "#1a7f37", "#8250df", "#bf3989", "#57606a")
DARK = ("#79c0ff", "#ffa657", "#56d364", "#d2a8ff", "#ff9bce", "#b1bac4")
FONT = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"


def exponent(points: Points) -> float:
    """The slope of a line through the upper decades, by least squares of the logarithms."""
    top = max(size for size, _ in points)
    logs = [(math.log(n), math.log(ms)) for n, ms in points if n * 10**DECADES >= top]
    if len(logs) < 2:
        return math.nan
    x, y = (sum(each) / len(logs) for each in zip(*logs, strict=True))
    spread = sum((at - x) ** 2 for at, _ in logs)
    return sum((at - x) * (to - y) for at, to in logs) / spread


def picture(charts: Mapping[str, Mapping[str, Points]]) -> str:
    """The curves of each chart beside each other; the key names the chart and its lower axis."""
    width = WIDTH * len(charts)
    drawn = "\n".join(
        f'<g transform="translate({WIDTH * at} 0)">\n{_chart(title, curves)}\n</g>'
        for at, (title, curves) in enumerate(charts.items())
    )
    told = "; ".join(
        f"{name} grows with exponent {exponent(points):.2f}"
        for curves in charts.values()
        for name, points in curves.items()
    )
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" width="{width}" \
height="{HEIGHT}" role="img" aria-labelledby="title desc">
<title id="title">Milliseconds of whole commands over the size of their input</title>
<desc id="desc">{escape(told)}</desc>
<style>{_style()}</style>
<rect class="page" x="0.5" y="0.5" width="{width - 1}" height="{HEIGHT - 1}" rx="8"/>
{drawn}
</svg>
"""


def _style() -> str:
    def colours(some: Sequence[str]) -> str:
        rules = (f".k{at} {{ fill: {c}; }} .c{at} {{ stroke: {c}; }}" for at, c in enumerate(some))
        return " ".join(rules)

    return f"""
  text {{ font: 12px {FONT}; fill: #24292f; }}
  .head {{ font-weight: 600; font-size: 13px; }}
  .page {{ fill: #ffffff; stroke: #d0d7de; }}
  .grid {{ stroke: #d8dee4; }}
  .curve {{ fill: none; stroke-width: 2; stroke-linejoin: round; }}
  {colours(LIGHT)}
  @media (prefers-color-scheme: dark) {{
    text {{ fill: #e6edf3; }}
    .page {{ fill: #0d1117; stroke: #30363d; }}
    .grid {{ stroke: #30363d; }}
    {colours(DARK)}
  }}
"""


def _chart(title: str, curves: Mapping[str, Points]) -> str:
    every = [point for points in curves.values() for point in points]
    across = _decades([size for size, _ in every])
    up = _decades([ms for _, ms in every])
    parts = [f'<text class="head" x="{LEFT}" y="22">{escape(title)}</text>']
    parts += [*_across(across), *_up(up)]
    ends = {name: _y(points[-1][1], up) for name, points in curves.items()}
    labels = _apart(ends)
    for at, (name, points) in enumerate(curves.items()):
        places = [(_x(size, across), _y(ms, up)) for size, ms in points]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        kind = at % len(LIGHT)
        parts.append(f'<path class="curve c{kind}" d="M{path}"/>')
        parts += [f'<circle class="k{kind}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in places]
        told = f"{escape(name)} {exponent(points):.2f}"
        x = WIDTH - RIGHT + 8
        parts.append(f'<text class="k{kind}" x="{x}" y="{labels[name] + 4:.1f}">{told}</text>')
    return "\n".join(parts)


def _decades(values: Sequence[float]) -> tuple[int, int]:
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def _x(size: float, decades: tuple[int, int]) -> float:
    low, high = decades
    return LEFT + (math.log10(size) - low) / (high - low) * (WIDTH - LEFT - RIGHT)


def _y(ms: float, decades: tuple[int, int]) -> float:
    low, high = decades
    return HEIGHT - BOTTOM - (math.log10(ms) - low) / (high - low) * (HEIGHT - TOP - BOTTOM)


def _across(decades: tuple[int, int]) -> Iterator[str]:
    for power in range(decades[0], decades[1] + 1):
        x = _x(10.0**power, decades)
        yield f'<path class="grid" d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}"/>'
        y = HEIGHT - BOTTOM + 18
        yield f'<text x="{x:.1f}" y="{y}" text-anchor="middle">{10.0**power:,g}</text>'


def _up(decades: tuple[int, int]) -> Iterator[str]:
    for power in range(decades[0], decades[1] + 1):
        y = _y(10.0**power, decades)
        yield f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
        text = f"{10.0**power:,g} ms"
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{text}</text>'


def _apart(ends: Mapping[str, float], least: float = 15.0) -> dict[str, float]:
    """Where the names of the curves stand, none on top of another."""
    placed: dict[str, float] = {}
    above = -math.inf
    for name in sorted(ends, key=lambda each: ends[each]):
        above = placed[name] = max(ends[name], above + least)
    return placed
