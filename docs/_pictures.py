"""Draws docs/pictures/demo.svg: `leftoff demo` on a terminal, as it really goes, at a fixed time.

With --check it says whether the picture is what the program shows now. The writer is our own: what
Rich exports fetches a font from the net, and changes with its version.
"""

# ruff: noqa: INP001, T201  # a script, not a module of the package

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from html import escape

from leftoff.commands import plainly
from leftoff.core.when import instant
from leftoff.entry import verb_demo
from leftoff.entry.plain import width
from leftoff.world.demo_scene import staged

DOCS = os.path.dirname(os.path.abspath(__file__))
PICTURE = os.path.join(DOCS, "pictures", "demo.svg")
NOW = "2026-05-07T09:00:00Z"
SHOWN = ("done", "recover", "next", "tree")
"""The chapters of the tour that fit on a screen."""
COLUMNS, CHAR, ROW, EDGE, BAR = 96, 8.4, 20, 20, 38
THREAD = re.compile(r"thread-[0-9a-f]{8}")
SGR = re.compile(r"\x1b\[([0-9;]*)m")
CLASSES = {"1": "b", "2": "d", "31": "r", "32": "g", "33": "y", "36": "c"}
FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
STYLE = f"""
  text {{ font: 14px {FONT}; fill: #24292f; white-space: pre; }}
  .page {{ fill: #ffffff; stroke: #d0d7de; }}
  .b {{ font-weight: 700; }} .d {{ opacity: .62; }}
  .r {{ fill: #cf222e; }} .g {{ fill: #116329; }} .y {{ fill: #7d4e00; }} .c {{ fill: #0b6bcb; }}
  @media (prefers-color-scheme: dark) {{
    text {{ fill: #e6edf3; }}
    .page {{ fill: #0d1117; stroke: #30363d; }}
    .r {{ fill: #ff7b72; }} .g {{ fill: #56d364; }} .y {{ fill: #e3b341; }} .c {{ fill: #79c0ff; }}
  }}
"""


def screen() -> str:
    """What the terminal shows, with its colours."""
    os.environ.update({"COLUMNS": str(COLUMNS), "TERM": "xterm-256color"})
    os.environ.pop("NO_COLOR", None)
    env = {"PATH": os.environ["PATH"], "TERM": "xterm-256color"}
    env |= {name: os.environ[name] for name in ("TMPDIR",) if name in os.environ}
    shown = []
    with staged(env, instant(NOW) or 0.0) as stage:
        for step in verb_demo.story(plainly):
            said = verb_demo.perform(stage, step, terminal=True).text
            if step.words[0] in SHOWN:
                typed = verb_demo.command(step)
                shown += [f"\x1b[36m# {step.text}\x1b[0m\n\x1b[1m$ {typed}\x1b[0m\n", said, "\n"]
    return THREAD.sub("thread-7c2e91b4", "".join(shown).rstrip("\n"))


def svg(text: str) -> str:
    """A terminal's text as a picture that asks for nothing else."""
    lines = [_runs(part) for line in text.split("\n") for part in _folded(line)]
    wide, high = round(COLUMNS * CHAR + 2 * EDGE), BAR + ROW * len(lines) + EDGE
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}"'
    drawn = "\n".join(_drawn(at, runs) for at, runs in enumerate(lines) if runs)
    dots = "".join(
        f'<circle cx="{EDGE + 4 + 20 * at}" cy="20" r="6" fill="{colour}"/>'
        for at, colour in enumerate(("#ff5f57", "#febc2e", "#28c840"))
    )
    return (
        f'{head} height="{high}" role="img" aria-label="leftoff demo on a terminal">\n'
        f"<title>leftoff demo</title>\n<style>{STYLE}</style>\n"
        f'<rect class="page" x=".5" y=".5" width="{wide - 1}" height="{high - 1}" rx="10"/>\n'
        f"{dots}\n{drawn}\n</svg>\n"
    )


def _folded(line: str) -> list[str]:
    """Plain lines that run over the edge go on below, as on a terminal."""
    if "\x1b" in line or not line:
        return [line]
    return [line[at : at + COLUMNS] for at in range(0, len(line), COLUMNS)]


def _runs(line: str) -> list[tuple[str, str]]:
    """(class, text) of each stretch of one style; blanks at the end are left out."""
    found: list[tuple[str, str]] = []
    style = ""
    for at, part in enumerate(SGR.split(line)):
        if at % 2:
            style = "" if part in {"", "0"} else _class(part)
        elif part and found and found[-1][0] == style:
            found[-1] = style, found[-1][1] + part
        elif part:
            found.append((style, part))
    while found and not found[-1][1].strip():
        found.pop()
    return found


def _class(codes: str) -> str:
    return " ".join(CLASSES[code] for code in codes.split(";") if code in CLASSES)


def _drawn(row: int, runs: list[tuple[str, str]]) -> str:
    """Each stretch has its own place and length, so that columns stand whatever the font is."""
    y = BAR + ROW * (row + 1) - 6
    return "".join(_stretches(y, runs))


def _stretches(y: int, runs: list[tuple[str, str]]) -> Iterator[str]:
    column = 0
    for style, text in runs:
        start = column + len(text) - len(text.lstrip(" "))
        column += width(text)
        words = text.strip(" ")
        if words:
            kind = f' class="{style}"' if style else ""
            size = f'textLength="{width(words) * CHAR:.1f}" lengthAdjust="spacingAndGlyphs"'
            x = EDGE + start * CHAR
            yield f'<text x="{x:.1f}" y="{y}"{kind} {size}>{escape(words)}</text>'


def outdated() -> str:
    """The picture as it should be, where it is not; else nothing."""
    wanted = svg(screen())
    try:
        with open(PICTURE, encoding="utf-8") as file:
            return "" if file.read() == wanted else wanted
    except FileNotFoundError:
        return wanted


def main(argv: Sequence[str]) -> int:
    wanted = outdated()
    if wanted:
        print(f"docs/pictures/demo.svg: {'out of date' if argv else 'written'}")
    if wanted and not argv:
        os.makedirs(os.path.dirname(PICTURE), exist_ok=True)
        with open(PICTURE, "w", encoding="utf-8") as file:
            file.write(wanted)
    return 1 if argv and wanted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
