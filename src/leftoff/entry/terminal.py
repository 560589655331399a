"""Blocks on a terminal, with Rich: colours, wrapped tables, and the one place that asks."""

from __future__ import annotations

from time import monotonic

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from leftoff.commands import plainly
from leftoff.core.blocks import Block, Bullets, Heading, Line, Marked, Raw, Table
from leftoff.core.texts import number
from leftoff.entry.plain import safe, width
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TextIO

    from rich.progress import Progress

    from leftoff.commands import Say
    from leftoff.core.result import Ask

STYLES = {
    "plain": "",
    "good": "green",
    "bad": "bold red",
    "warn": "yellow",
    "dim": "dim",
    "strong": "bold",
}

NARROWEST = 10
CARD_INDENT = 2
PATIENCE = 0.5
"""Seconds of silence before a bar shows how far the work is."""
YES, NO = ("y", "yes", "是"), ("n", "no", "否", "不")
_bars: list[Progress] = []


def show(blocks: Iterable[Block], out: TextIO, *, color: bool) -> None:
    """Draw a view."""
    console = Console(file=out, highlight=False, no_color=not color, soft_wrap=False)
    for block in blocks:
        if isinstance(block, Raw):
            # a pipe gets it to the byte; a terminal would do what it says
            console.out(safe(block.text.replace("\r\n", "\n")), end="", highlight=False)
        else:
            console.print(_draw(block, console.width))


def progress(out: TextIO) -> Callable[[int, int], None]:
    """A bar for work that takes long; short work never shows it, and it leaves no trace."""
    from rich.constrain import Constrain
    from rich.progress import Progress  # nearly no command takes so long

    console = Console(file=out)

    class Bar(Progress):
        def get_renderables(self) -> Iterator[RenderableType]:
            # Ctrl-C is shown as "^C" behind the bar; in a new line the bar would not be found again
            room = console.width - len("^C") - 1
            yield Constrain(self.make_tasks_table(self.tasks), max(NARROWEST, room))

    bar = Bar(console=console, transient=True)
    _bars.append(bar)
    task = bar.add_task("")
    begun = monotonic()

    def tell(done: int, total: int) -> None:
        if monotonic() - begun > PATIENCE and not bar.live.is_started and done < total:
            bar.start()
        bar.update(task, completed=done, total=total)
        if done >= total:
            bar.stop()

    return tell


def put_away_bars() -> None:
    """However the work ended: a bar that still runs would keep the cursor hidden."""
    for bar in _bars:
        bar.stop()
    _bars.clear()


def ask(question: Ask, out: TextIO, source: TextIO, say: Say = plainly) -> list[str]:
    """Put a question to a person; the words to call the command again with, none to give up."""
    print(wrapped(safe(question.question), out), file=out)
    for at, choice in enumerate(question.choices, 1):
        print(wrapped(safe(f"  {at}. {choice.means}"), out), file=out)
    prompt = "y/n> " if _agrees(question) else "> "
    while True:
        print(prompt, end="", flush=True, file=out)
        answer = _typed(source, out)
        words = _words_of(answer, question)
        if words is not None:
            return words
        text = "{answer} is none of these: type a number, or Enter alone to leave it"
        text = "{answer} is neither: type y or n" if _agrees(question) else text
        print(wrapped(say(text, answer=safe(answer)), out), file=out)


def _typed(source: TextIO, out: TextIO) -> str:
    """What somebody answers; behind Ctrl-C and Ctrl-D, too, what comes next begins a line."""
    line = ""
    try:
        line = source.readline()
    finally:
        if not line.endswith("\n"):
            print(file=out)
    return line.strip()


def wrapped(text: str, out: TextIO) -> str:
    """A message in lines of the terminal's width, broken between words where that can be."""
    console = Console(file=out)
    lines = Text(text).wrap(console, max(NARROWEST, console.width - 2))
    return "\n  ".join(line.plain.rstrip() for line in lines)


def _agrees(question: Ask) -> bool:
    """Whether there is only one thing to agree to: nobody should have to count to one."""
    return len(question.choices) == 1 and " " not in question.flag


def _words_of(answer: str, question: Ask) -> list[str] | None:
    """The words that an answer stands for, none to give up; None for one that fits nothing."""
    values = [choice.value for choice in question.choices]
    flag, _, free = question.flag.partition(" ")
    if _agrees(question):
        answer = {**dict.fromkeys(YES, "1"), **dict.fromkeys(NO, "")}.get(answer.lower(), answer)
    if not answer:
        return []
    if 1 <= number(answer) <= len(values):
        answer = values[number(answer) - 1]
    if answer.startswith("--") and answer in values:
        return [answer]
    # joined, so that an answer that begins with a dash is none of our options
    return [f"{flag}={answer}"] if free or answer in values else None


def _draw(block: Heading | Line | Bullets | Table | Marked, room: int) -> RenderableType:
    if isinstance(block, Heading):
        title = Text(safe(block.text), style="bold cyan" if block.level == 1 else "bold")
        return Padding(title, (1 if block.level > 1 else 0, 0, 0, 0))
    if isinstance(block, Line):
        return _hanging(Text(safe(block.text), style=STYLES[block.tone]))
    if isinstance(block, Marked):
        return _hanging(_marked(block))
    if isinstance(block, Bullets):
        return Group(*(_bullet(at, text, block) for at, text in enumerate(block.items, 1)))
    return _table(block, room)


def _hanging(line: Text) -> RenderableType:
    """What is wrapped stays below its own beginning, not below the mark before it."""
    start = _indent(line.plain)
    if not start or "\n" in line.plain.rstrip("\n"):
        return line
    grid = RichTable.grid()
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(line[:start], line[start:])
    return grid


def _indent(text: str) -> int:
    """Where a line begins, behind blanks and a mark."""
    words = text.lstrip(" ")
    mark = 2 if words[1:2] == " " and not words[0].isalnum() else 0
    return len(text) - len(words) + mark


def _marked(block: Marked) -> Text:
    shown = safe(block.text)
    drawn = Text(shown)
    for start, end in block.marks if len(shown) == len(block.text) else ():
        drawn.stylize("bold yellow", start, end)
    return drawn


def _bullet(at: int, text: str, block: Bullets) -> RenderableType:
    grid = RichTable.grid(padding=(0, 1))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column()
    grid.add_row(f" {at}." if block.numbered else " •", Text(safe(text)))
    return grid


def _table(block: Table, room: int) -> RenderableType:
    named = any(block.columns)
    shown = _columns(block, room)
    if named and _needs(block, shown) > room:
        return Group(*(_card(block, at, room) for at in range(len(block.rows))))
    table = RichTable(box=None, padding=(0, 2, 0, 0), header_style="bold dim", show_header=named)
    for at in shown:
        firm = at not in _elastic(block)
        table.add_column(block.columns[at], no_wrap=firm, overflow="ellipsis" if firm else "fold")
    for line, row in enumerate(block.rows):
        table.add_row(*(Text(safe(row[at])) for at in shown), style=STYLES[_tone(block, line)])
    return table


def _card(block: Table, line: int, room: int) -> RenderableType:
    """A row where the table is too wide: what it is about, and the rest of it below."""
    first, second, *others = zip(block.columns, map(safe, block.rows[line]), strict=True)
    if _is_figure(second[1]) and not block.named_rows:
        second, others = ("", ""), [second, *others]
    head = "  ".join(filter(None, (first[1], second[1])))
    facts = [_fact(*one) for one in others if one[1] not in {"", "-"}]
    tone = STYLES[_tone(block, line)]
    below = Text(_filled(facts, room - CARD_INDENT))
    return Group(Text(head, style=tone or "bold"), Padding(below, (0, 0, 0, CARD_INDENT)))


def _filled(facts: Sequence[str], room: int) -> str:
    """In lines that end behind a fact, so that no figure is parted from its name."""
    lines = [""]
    for fact in facts:
        longer = f"{lines[-1]} · {fact}" if lines[-1] else fact
        if lines[-1] and width(longer) > room - len(" ·"):
            lines[-1] += " ·"
            lines.append(fact)
        else:
            lines[-1] = longer
    return "\n".join(lines)


def _fact(name: str, cell: str) -> str:
    """Words speak for themselves, a figure needs its name."""
    return f"{name} {cell}" if _is_figure(cell) else cell


def _is_figure(cell: str) -> bool:
    return cell[:1].isdigit() and cell.replace(",", "").replace(".", "").isdigit()


def _tone(block: Table, line: int) -> str:
    return block.tones[line] if line < len(block.tones) else "plain"


def _elastic(block: Table) -> set[int]:
    return {at % len(block.columns) for at in block.elastic}


def _widths(block: Table) -> list[int]:
    """Of each column, with the space behind it."""
    rows = zip(block.columns, *block.rows, strict=True)
    return [max(width(cell) for cell in cells) + 2 for cells in rows]


def _needs(block: Table, shown: list[int]) -> int:
    """The least room in which no cell has to be cut."""
    widths, elastic = _widths(block), _elastic(block)
    return sum(min(widths[at], NARROWEST + 2) if at in elastic else widths[at] for at in shown)


def _columns(block: Table, room: int) -> list[int]:
    """The columns to draw: inner ones that would be squeezed to nothing are left out."""
    every = range(len(block.columns))
    squeezed = _elastic(block) - {every[-1]}
    widths = _widths(block)
    firm = sum(widths[at] for at in every if at not in squeezed)
    enough = room - firm >= NARROWEST * len(squeezed)
    return [at for at in every if enough or at not in squeezed]
