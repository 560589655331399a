"""Draws the pictures of docs/architecture.md out of the code: the layers, and ways through them.

With --check it says which are out of date. Nothing in them is drawn by hand: imports are read from
the syntax trees, ways are real runs (`_ways.py`), and what a module is for says its docstring.
"""

# ruff: noqa: INP001, T201  # a script, not a module of the package

from __future__ import annotations

import ast
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from textwrap import wrap

DOCS = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(os.path.dirname(DOCS), "src")
sys.path.insert(0, DOCS)  # a test loads this file from elsewhere

import _ways  # noqa: E402

LAYERS = ("entry", "commands", "world", "formats", "agents", "core")
BELOW = "errors, record"
"""The two modules that stand below all layers."""
WORDS = {"model", "when", "texts", "result", "stream", "blocks"}
"""Of core: what everything is said in, and so no step of a way."""
TITLES = {
    "start": "a hook: a session starts",
    "prompt": "a hook: a prompt is given",
    "save": "leftoff save",
    "resume": "leftoff resume",
}
SANS = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
LIGHT = ("#0b6bcb", "#116329", "#7d4e00", "#a626a4", "#0f766e", "#cf222e", "#57606a")
DARK = ("#79c0ff", "#56d364", "#e3b341", "#d2a8ff", "#5eead4", "#ff7b72", "#8b949e")
WIDE, EDGE = 1040, 20
ROW, LANE, NAME, MEANS = 22, 18, 144, 376
BOX, GAP, BOX_WIDE, COLUMN, LETTERS = 74, 14, 560, 68, 80


def style() -> str:
    def colours(names: Sequence[str]) -> str:
        return "".join(
            f".f{at} {{ fill: {name}; }} .s{at} {{ stroke: {name}; }} "
            for at, name in enumerate(names)
        )

    return f"""
  text {{ font: 13px {SANS}; fill: #24292f; }}
  .page {{ fill: #ffffff; stroke: #d0d7de; }} .box {{ fill: #f6f8fa; stroke-width: 1.5; }}
  .m {{ font-family: {MONO}; }} .b {{ font-weight: 700; }} .d {{ fill: #57606a; }}
  .n {{ text-anchor: middle; font-size: 12px; }} .t {{ font-size: 16px; }}
  .e {{ text-anchor: end; }} .l {{ font-size: 12px; }}
  .way {{ fill: none; stroke: #d0d7de; stroke-width: 1.5; }} .bus {{ fill: none; }}
  {colours(LIGHT)}
  @media (prefers-color-scheme: dark) {{
    text {{ fill: #e6edf3; }} .d {{ fill: #8b949e; }}
    .page {{ fill: #0d1117; stroke: #30363d; }} .box {{ fill: #161b22; }}
    .way {{ stroke: #3d444d; }}
    {colours(DARK)}
  }}
"""


def modules() -> dict[str, ast.Module]:
    """The syntax tree of every module of the package, by its name."""
    found = {}
    for folder, _, names in os.walk(os.path.join(SOURCE, "leftoff")):
        for name in names:
            if name.endswith(".py"):
                path = os.path.join(folder, name)
                dotted = os.path.relpath(path, SOURCE)[:-3].replace(os.sep, ".")
                with open(path, encoding="utf-8") as file:
                    found[dotted.removesuffix(".__init__")] = ast.parse(file.read())
    return found


def layer_of(module: str) -> str:
    """The folder of a module, or what stands below them; empty for the package and its texts."""
    name = [*module.split("."), ""][1]
    return name if name in LAYERS else BELOW if name in BELOW.split(", ") else ""


def purpose(trees: dict[str, ast.Module], module: str) -> str:
    """The first line of what a module says of itself."""
    return (ast.get_docstring(trees[module]) or "").split("\n")[0]


def imports(trees: dict[str, ast.Module]) -> Counter[tuple[str, str]]:
    """How many modules of one layer import how many of another: pairs of modules."""
    pairs = {
        (module, target)
        for module, tree in trees.items()
        for node in ast.walk(tree)
        for target in _targets(node, trees)
    }
    layers = ((layer_of(one), layer_of(other)) for one, other in pairs)
    return Counter(pair for pair in layers if all(pair) and pair[0] != pair[1])


def _targets(node: ast.AST, trees: dict[str, ast.Module]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in trees)
    elif isinstance(node, ast.ImportFrom) and node.module in trees:
        inner = (f"{node.module}.{alias.name}" for alias in node.names)
        yield from (one if one in trees else node.module for one in inner)


def picture(title: str, high: int, drawn: Sequence[str]) -> str:
    """An SVG that asks for nothing else."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {high}" width="{WIDE}"'
        f' height="{high}" role="img" aria-label="{escape(title)}">\n'
        f"<title>{escape(title)}</title>\n<style>{style()}</style>\n"
        f'<rect class="page" x=".5" y=".5" width="{WIDE - 1}" height="{high - 1}" rx="10"/>\n'
        + "\n".join(drawn)
        + "\n</svg>\n"
    )


def text(x: float, y: float, words: str, kind: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{kind}">{escape(words)}</text>'


def layers(trees: dict[str, ast.Module]) -> str:
    """A box for each layer; to its right, by column, how often others import from it."""
    rows = (*LAYERS, BELOW)
    sizes = Counter(map(layer_of, trees))
    drawn = [text(EDGE, 34, "The layers of leftoff", "b t")]
    drawn.append(
        text(BOX_WIDE + 2 * EDGE, 34, "imports from this row, to where the arrow ends", "d")
    )
    for at, layer in enumerate(rows):
        about = [purpose(trees, f"leftoff.{name}") for name in layer.split(", ")]
        drawn += _box(at, layer, sizes[layer], " ".join(about))
    known = imports(trees)
    for at, layer in enumerate(rows[1:], 1):
        sources = {rows.index(one): n for (one, other), n in known.items() if other == layer}
        drawn += _bus(at, sources)
    return picture("The layers of leftoff", _top(len(rows)) + EDGE, drawn)


def _top(row: int) -> int:
    return 52 + row * (BOX + GAP)


def _box(at: int, layer: str, size: int, means: str) -> Iterator[str]:
    y, name = _top(at), f"{layer}/" if layer in LAYERS else layer
    yield (f'<rect class="box s{at}" x="{EDGE}" y="{y}" width="{BOX_WIDE}" height="{BOX}" rx="6"/>')
    yield text(EDGE + 14, y + 24, name, f"m b f{at}")
    yield text(EDGE + BOX_WIDE - 14, y + 24, f"{size} modules", "d e")
    for line, words in enumerate(wrap(means, LETTERS)[:2]):
        yield text(EDGE + 14, y + 44 + 17 * line, words, "d l")


def _bus(at: int, sources: dict[int, int]) -> Iterator[str]:
    """A line from the first layer that imports this one down to it; a number for each."""
    right = EDGE + BOX_WIDE
    x, end = right + 40 + (at - 1) * COLUMN, _top(at) + BOX / 2
    first = _top(min(sources)) + BOX / 2
    yield f'<path class="bus s{at}" d="M {x:g} {first + 10:g} V {end:g} H {right + 8}"/>'
    yield f'<path class="f{at}" d="M {right + 2} {end:g} l 9 -4.5 v 9 z"/>'
    for source, number in sorted(sources.items()):
        y = _top(source) + BOX / 2
        yield f'<rect class="page" x="{x - 19:g}" y="{y - 10:g}" width="38" height="20" rx="10"/>'
        yield text(x, y + 4, str(number), f"n b f{at}")


def shown(steps: Sequence[_ways.Step]) -> list[tuple[str, int]]:
    """The modules that make a way, each with the number of those of its layer beneath it."""
    by = {module: caller for module, _, caller in steps}
    made: dict[str, int] = {}
    for module, _, caller in steps:
        layer = layer_of(module)
        inner = layer == layer_of(caller) and layer not in {"entry", "commands"}
        if layer == BELOW or module.count(".") == 1 or module.rpartition(".")[2] in WORDS:
            continue
        if not inner:
            made[module] = 0
            continue
        above = caller
        while above and above not in made:
            above = by.get(above, "")
        if above:
            made[above] += 1
    return list(made.items())


def way(name: str, steps: Sequence[_ways.Step], trees: dict[str, ast.Module]) -> str:
    """One line for each module, in its layer's column, in the order of the first calls."""
    rows = shown(steps)
    top = 64
    drawn = [text(EDGE, 34, TITLES[name], "b t")]
    xs = [EDGE + LANE / 2 + LAYERS.index(layer_of(module)) * LANE for module, _ in rows]
    ys = [top + at * ROW for at in range(len(rows))]
    points = " ".join(f"{x:g},{y:g}" for x, y in zip(xs, ys, strict=True))
    drawn.append(f'<polyline class="way" points="{points}"/>')
    for x, y, (module, inside) in zip(xs, ys, rows, strict=True):
        at = LAYERS.index(layer_of(module))
        drawn.append(f'<circle class="f{at}" cx="{x:g}" cy="{y}" r="5"/>')
        drawn.append(text(NAME, y + 4, module.split(".", 1)[1].replace(".", "/"), f"m f{at}"))
        drawn += [text(MEANS - 12, y + 4, f"+{inside}", "d e l")] if inside else []
        drawn.append(text(MEANS, y + 4, purpose(trees, module), "d l"))
    return picture(f"The path of {TITLES[name]}", top + len(rows) * ROW + 8, drawn)


def wanted() -> dict[str, str]:
    """Every picture as it should be, by its file."""
    trees = modules()
    made = {"layers": layers(trees)}
    made |= {f"way-{name}": way(name, steps, trees) for name, steps in _ways.ways(SOURCE).items()}
    return {os.path.join(DOCS, "pictures", f"{name}.svg"): drawn for name, drawn in made.items()}


def outdated() -> dict[str, str]:
    """The pictures that are not as they should be."""
    return {path: drawn for path, drawn in wanted().items() if _text_of(path) != drawn}


def _text_of(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def main(argv: Sequence[str]) -> int:
    found = outdated()
    for path, drawn in found.items():
        print(f"{os.path.relpath(path, DOCS)}: {'out of date' if argv else 'written'}")
        if not argv:
            with open(path, "w", encoding="utf-8") as file:
                file.write(drawn)
    return 1 if argv and found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
