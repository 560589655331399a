"""What an answer says of its work: steps that are still to do or done, and questions. Pure.

Only words decide, in English, Chinese and a few of six other languages; whoever shows a step that
was found this way says that it was drafted.
"""

from __future__ import annotations

import re

from leftoff.core.texts import short
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

MOST, LONGEST = 8, 240
REPORT = 160
"""Characters of how an answer says that it went: more would take the room of what was settled."""
BELOW = " · "
"""What stands before each entry that was listed below a step and is told with it."""
_DEEPER = 2
"""Columns by which an entry stands further in than the one it belongs to."""
_START = r"\s*(?:[-*+•]|\d{1,2}[.)、])\s+"
_ITEM = re.compile(_START + r"(?:\[[ xX]\]\s+)?(.*\S)")
_BOX = re.compile(_START + r"\[([ xX])\]\s")
OVER_ELSEWHERE = (
    r"hech[oa]s?|terminad[oa]s?|completad[oa]s?|feit[oa]s?|concluíd[oa]s?|erledigt|fertig"
    r"|faite?s?|terminée?s?"
)
"""Done, in other languages: a heading only where nothing but a "bereits" stands beside it."""
# Words that often mean something else ("Left column", "Next.js") count only where a heading has
# them in that sense.
_HEADS = re.compile(
    r"\b(?:remaining|remains|to-?dos?|to do(?! (?:it|this|that)\b)|not yet|pending|follow-?ups?"
    r"|unfinished|incomplete|undone|outstanding"
    r"|(?:not|be|[a-z]+n['\u2019]t)(?: yet| fully)? "
    r"(?:done|completed?|finished|landed|shipped|started)"
    r"|(?<!did )next(?= (?:steps?|up|actions?|tasks?|items?|things?|points?|sessions?|time|i|we)\b"
    r"|\W*$|,)"
    r"|still(?= (?:open|to|not|left|ha[sv]|need|miss|fail|broken|pending|remain|undone|on)|\W*$)"
    r"|open(?= (?:points?|items?|issues?|tasks?|work|ends?|questions?|bugs?|problems?)\b|\W*$)"
    r"|(?<!the )left(?= (?:to|for|over|open|undone)\b|\W*$)"
    r"|what(?:['\u2019]s| is) (?:still )?(?:next|left|open|missing))\b"
    r"|下一步|接下来|剩余|剩下|待办|还需|尚未|[未没待]完成|[未没]做|没有(?:完成|做)|需要?完成|还没"
    r"|^\W*(?:(?:aún|todavía|ainda|noch|encore|no|nicht|pas|non|não) ){1,3}"
    rf"(?:{OVER_ELSEWHERE})\b"
    r"|^\W*(?:aún |todavía )?(?:pendientes?|faltan?|quedan?(?: por hacer)?|por hacer)\b"
    r"(?! (?:claro|nada)\b)"
    r"|\b(?:siguientes|próximos) pasos\b|\b(?:próximos passos|a fazer|falta fazer)\b"
    r"|^\W*(?:noch )?(?:offen|ausstehend|zu tun|(?:es )?fehl(?:t|en))\b(?! (?:gesagt|nichts)\b)"
    r"|\b(?:offene|nächste) (?:punkte|schritte)\b"
    r"|^\W*(?:il )?(?:reste(?: à faire)?|à faire|en attente)\b|\bprochaines étapes\b"
    r"|残り|残って|残作業|未完了|残タスク|次のステップ",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"(?<!definition of )\b(?:done(?! when\b)|completed?|finished|landed|shipped"
    r"|off (?:the|my) list)\b"
    rf"|^\W*(?:(?:ya|bereits|schon|déjà|já) )?(?:{OVER_ELSEWHERE})\W*(?:\(.*)?$"
    r"|已完成|完成|做完|已做|完了|(?<!未)済み|終わった",
    re.IGNORECASE,
)
# as in "Almost done:", or in "None of these is finished:"
_HARDLY = re.compile(
    r"\b(?:almost|nearly|half|partly|partially|hardly|barely|not|never|none|nothing|no"
    r"|once|when|after|before|until|if|wants?|wanted)\b",
    re.IGNORECASE,
)
# What was to do and is done: "Completed the next step:", "The remaining tasks are done:".
_DID = re.compile(
    r"\b(?<!once )(?<!when )(?<!until )(?<!not )(?<!n['\u2019]t )(?<!never )(?<!yet )(?<!fully )"
    r"(?:done with|completed|finished|landed|shipped)"
    r"(?: (?:with|all|of|the|my|our|your|this|that|these|those))* $"
    r"|(?:已经?完成|完成了|做完了)的?$",
    re.IGNORECASE,
)
_NOW_DONE = re.compile(
    r"(?:remaining|pending|outstanding|open|next|follow-?up|to-?do|unfinished)"
    r" (?:steps?|items?|work|tasks?|points?|things?|actions?|issues?)"
    r"(?: (?:is|are|was|were|has|have|been|now|all|both))*"
    r" (?:done|completed?|finished|landed|shipped)\W*$"
    r"|(?:剩余|剩下|接下来|待办)[^未没，,；;（(]{0,80}已经?(?:全部|都)?完成\W*$",  # noqa: RUF001
    re.IGNORECASE,
)
_TICKS, _CROSSES = "✅✔☑✓", "❌✗✘☐⬜🔲⏳🚧"
_ALL_DONE = re.compile(
    r"^(?:all|everything)(?: of (?:it|them|this|that)| (?:tasks|steps|items|points|work))?"
    r"(?: is| are| has been| have been)?(?: now)? (?:done|complete|completed|finished)\b(?! with\b)"
    r"|^(?:there is )?nothing (?:else )?(?:is |was )?(?:left|open|remains|remaining|to do)\b(?! un)"
    r"|^(?:there are )?no (?:remaining|open|further) (?:steps?|work|tasks?|items?|points?)"
    r"(?: left| open| remain| to do| needed| required)?(?:[^\w\s]|$)"
    r"|^(?:全部|都|所有[^未没]*?)(?:已经?)?完成(?!之?[前后])|^没有(?:剩余|待办|未完成)",
    re.IGNORECASE,
)
_SOME_OF = (
    *("done", "complete", "finish", "nothing", "remaining", "open", "further", "完成", "没有"),
)
"""One of these stands in everything that `_ALL_DONE` finds."""
_NEXT_ITEM = re.compile(r"\n[^\S\n]*+(?:[-*+•]|\d{1,2}[.)、])\s")
_BUT = re.compile(
    r"\b(?:but|except|besides|apart from|aside from|other than|unless|until|once|when)\b"
    r"|[但除]|\?$",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"(?:none|nothing|n/a|无|没有)(?: (?:else|left|open|known|remaining|for now))*\W*",
    re.IGNORECASE,
)
_SENTENCES = re.compile(
    r"^(?:next|then|after that|still)\b|\b(?:next (?:step|up|i)|not yet"
    r"|what(?:['\u2019]s| is) (?:still )?(?:left|missing|open)|what remains"
    r"|still (?:need|to|open|fail|ha(?:ve|s) to)"
    r"|remains? to|remaining|to-?do\b|left to do|needs? to be|in the middle of"
    r"|(?:am|is|are|has|have)(?: not|n['\u2019]t)(?: yet)? (?:begun|started|done|finished))"
    r"|下一步|接下来|剩余|待办|还需|尚未",
    re.IGNORECASE,
)
_PLANS = re.compile(
    r"^(?:now )?(?:let me|let's|i'll|i will|i am going to|i'm going to)\b|^(?:now|next)[, ]"
    r"|^(?:现在|接下来|我来|让我)",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"\b(?:nothing|none|no (?:remaining|open|next))\b|^无|没有", re.IGNORECASE)
_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")  # noqa: RUF001  # full stops of Chinese
_MARKS = re.compile(r"^[#>\s]+|[*`]{1,3}")
# around words: those within a name belong to it
_STRESSED = re.compile(r"(?<![\w`.])(_{1,3})(?=[^\s_])([^_]*[^\s_])\1(?![\w`]|\.\w)")


def stated(said: str) -> tuple[str, ...]:
    """Only sentences that say what is left."""
    return tuple(dict.fromkeys(short(one, LONGEST) for one in _stated(said)))[:MOST]


def open_points(said: str) -> tuple[str, ...]:
    """Entries of lists under such words, else sentences with them, else what it set out to do."""
    for find in (_left, _stated, _planned):
        found = dict.fromkeys(short(point, LONGEST) for point in find(said) if point)
        if found:
            return tuple(found)[:MOST]
    return ()


class Lists(Record):
    """What the lists of an answer say: what is still to do, and what is done."""

    left: tuple[str, ...] = ()
    done: tuple[str, ...] = ()


def lists(said: str) -> Lists:
    """Only entries of lists: they are meant to be read by themselves, and later."""
    found: tuple[dict[str, None], dict[str, None]] = ({}, {})
    for over, text in _listed(said) if "\n" in said and _has_list(said) else ():
        found[over].setdefault(short(text, LONGEST))
    left, done = (tuple(filter(None, some))[:MOST] for some in found)
    return Lists(left, done)


def is_all(said: str) -> bool:
    """Whether it says that nothing is left to do, not even something but for which all is done."""
    low = said.lower()
    if any(map(low.__contains__, _SOME_OF)):  # a long transcript has few such answers
        told = (one for one in sentences(said) if _ALL_DONE.search(one))
        if any(not _BUT.search(one) for one in told):
            return True
    return _has_list(said) and [*_left(said)] == [""]


def _has_list(said: str) -> bool:
    """Whether there may be one: most answers have none, and are not looked at line by line."""
    return _NEXT_ITEM.search(f"\n{said}") is not None


def questions(said: str) -> tuple[str, ...]:
    """The questions at its end."""
    asked = [one for one in sentences(said) if one.endswith(("?", "？"))]  # noqa: RUF001
    return tuple(dict.fromkeys(short(one, LONGEST) for one in asked))[-3:]


def report(said: str) -> str:
    """How an answer begins: what was done, and what came of it."""
    told = ""
    for one in sentences(said.partition("\n\n")[0]):
        if one.endswith((*":：", *"?？")) or len(told) + len(one) >= REPORT:  # noqa: RUF001
            break
        told += f" {one}"
    return told.lstrip()


def without(step: str, over: Container[str], key: Callable[[str], str]) -> str:
    """What of a step is still to do: nothing where it is over, or all that is told with it."""
    text, *below = step.split(BELOW)
    left = [one for one in below if key(one) not in over]
    if key(step) in over or key(text) in over or (below and not left):
        return ""
    return BELOW.join((text, *left))


def _listed(said: str) -> Iterator[tuple[bool, str]]:
    """The entries of lists under a heading for it: whether each is done, and its text.

    One that says that there is nothing is an entry without a text.
    """
    about: bool | None = None
    for line, *below in _whole_entries(said):
        if _ITEM.match(line):
            yield from _entry(line, below, about)
        else:
            kind = heads(line)
            about = about if kind is None and line[:1].isspace() else kind


def _entry(line: str, below: list[str], about: bool | None) -> Iterator[tuple[bool, str]]:
    """What one entry tells: a step that is left with what stands below it, by itself no step."""
    over, text = _marked(line)
    kind = about if over is None else over
    if kind is None:
        about = heads(_ITEM.sub(r"\1", line)) if below else None  # an entry may be a heading, too
    apart, parts = [], []
    for one in below:
        own, part = _marked(one)
        if kind is None or (kind and about) or own is not None:
            apart.append(one)
        elif not kind:
            parts.append(part)
    if text and kind is not None and (kind or about is not None):
        for one in _with_parts(text, parts):
            yield kind, "" if _NONE.fullmatch(one) else one
    for one in apart:
        yield from _entry(one, [], about)


def _with_parts(text: str, parts: Iterable[str]) -> Iterator[str]:
    """A step with all that stands below it, told again before what would not be kept otherwise."""
    told = text
    for part in filter(None, parts):
        more = f"{told}{BELOW}{part}"
        if len(more) > LONGEST and told != text:
            yield told
            more = f"{text}{BELOW}{part}"
        told = more
    yield told


def _marked(line: str) -> tuple[bool | None, str]:
    """Whether an entry by itself is done or not, None where no mark tells, and its bare text."""
    text = _bare(_ITEM.sub(r"\1", line))
    box, plain = _BOX.match(line), text.replace("\ufe0f", "")
    bare = text.strip(f"{_TICKS}{_CROSSES}\ufe0f ")
    if plain[:1] in _CROSSES or (box and box[1] == " "):
        return False, bare
    ticked = box or plain[:1] in _TICKS or plain[-1:] in _TICKS
    struck = bare.startswith("~~") and bare.endswith("~~")
    return (True if ticked or struck else None), bare.strip("~") if struck else bare


def _whole_entries(said: str) -> Iterator[list[str]]:
    """The lines, each with the indented ones that go on with it, then the entries below it."""
    entry: list[list[str]] = []
    depth, gap = 0, False
    for line in _lines(said):
        is_item = _ITEM.match(line) is not None
        if entry and is_item and _indent(line) >= depth + _DEEPER:
            entry.append([line])
        elif entry and line[:1].isspace() and not is_item and not gap:
            entry[-1].append(line.strip())
        elif line:
            yield from _joined(entry)
            entry, depth = [[line]], _indent(line)
            if not is_item:
                yield from _joined(entry)
                entry = []
        gap = not line
    yield from _joined(entry)


def _joined(entry: list[list[str]]) -> Iterator[list[str]]:
    if entry:
        yield [" ".join(lines) for lines in entry]


def _indent(line: str) -> int:
    wide = line.expandtabs(4)
    return len(wide) - len(wide.lstrip())


def heads(line: str) -> bool | None:
    """Whether a heading is of what is done, or of what is not; None for any other line."""
    head = _heading(line.strip())
    if _is_left(_HEADS, head):
        return False
    over = _OVER.search(head)
    return True if over and not _HARDLY.search(head[: over.start()]) else None


def _is_left(words: re.Pattern[str], text: str) -> bool:
    """Whether a text has such words, and does not say of what they name that it is done."""
    found = words.search(text)
    done = found and (_DID.search(text[: found.start()]) or _NOW_DONE.search(text))
    return found is not None and not done


def _heading(line: str) -> str:
    """As much of a line as is a heading: of one that begins in bold letters those."""
    if line.startswith("#") or line.rstrip(" *_").endswith((":", "：")):  # noqa: RUF001
        return line
    return line.lstrip("*").partition("*")[0] if line.startswith("*") else ""


def _left(said: str) -> Iterator[str]:
    return (text for over, text in _listed(said) if not over)


def _stated(said: str) -> Iterator[str]:
    """But for headings, which tell nothing by themselves."""
    told = (one for one in sentences(said) if not one.endswith((":", "：")))  # noqa: RUF001
    return (one for one in told if _is_left(_SENTENCES, one) and not _NOTHING.search(one))


def _planned(said: str) -> Iterator[str]:
    """Of an answer that was cut short in the middle of its work."""
    last = [*sentences(said)][-1:]
    return (one for one in last if _PLANS.search(one))


def sentences(said: str) -> Iterator[str]:
    """What it says, without marks and code."""
    for line in _lines(said):
        item = _ITEM.match(line)
        for sentence in _END.split(item[1] if item else line):
            if bare := _bare(sentence):
                yield bare


def _lines(said: str) -> Iterator[str]:
    """Without code: what stands there is no sentence."""
    fenced = False
    for line in said.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced:
            yield line.rstrip()  # what ends in a row of spaces would cost the square of it


def _bare(text: str) -> str:
    return _MARKS.sub("", _STRESSED.sub(r"\2", text)).strip()
