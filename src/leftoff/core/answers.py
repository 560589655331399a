"""What an answer says of its work: steps that are still to do or done, and questions. Pure.

Only words decide, in English, Chinese and a few of six other languages; whoever shows a step that
was found this way says that it was drafted.
"""

from __future__ import annotations

import re

from leftoff.core.brief_gist import bounds
from leftoff.core.prose import ITEM, START, bare, lines, prose, sentences
from leftoff.core.texts import short
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

MOST, LONGEST = 8, 240
REPORT = 160
"""Characters of how an answer says that it went: more would take the room of what was settled."""
_NO_REPORT = (*":?", *"：？")  # noqa: RUF001
"""Ends of a heading and a question, which do not say how it went."""
BELOW = " · "
"""What stands before each entry that was listed below a step and is told with it."""
_DEEPER = 2
"""Columns by which an entry stands further in than the one it belongs to."""
_BOX = re.compile(START + r"\[([ xX])\]\s")
_ELSEWHERE = (
    r"hech[oa]s?|terminad[oa]s?|completad[oa]s?|feit[oa]s?|concluíd[oa]s?|erledigt|fertig"
    r"|faite?s?|terminée?s?"
)
"""Done, in other languages."""
# Words that often mean something else ("Left column", "Next.js") count only where a heading has
# them in that sense.
_HEADS = re.compile(
    r"\b(?:remaining|remains|to-?dos?|to do(?! (?:it|this|that)\b)|not yet|pending|follow-?ups?"
    r"|unfinished|incomplete|undone|outstanding"
    r"|(?:(?<!should )(?<!must )not(?: be)?|(?:to|must|should|will) be|[a-z]+n['\u2019]t)"
    r"(?: yet| fully)? "
    r"(?:done|completed?|finished|landed|shipped|started)"
    r"|(?<!did )next(?= (?:steps?|up|actions?|tasks?|items?|things?|points?|sessions?|time|i|we)\b"
    r"|\W*$|,)"
    r"|still(?= (?:open|to|not|left|ha[sv]|need|miss|fail|broken|pending|remain|undone|on)|\W*$)"
    r"|open(?= (?:points?|items?|issues?|tasks?|work|ends?|questions?|bugs?|problems?)\b|\W*$)"
    r"|(?<!the )left(?= (?:to|for|over|open|undone)\b|\W*$)"
    r"|what(?:['\u2019]s| is) (?:still )?(?:next|left|open|missing))\b"
    r"|下一步|接下来|剩余|剩下|待办|还需|尚未|[未没待]完成|[未没]做|没有(?:完成|做)|需要?完成|还没"
    r"|^\W*(?:(?:aún|todavía|ainda|noch|encore|no|nicht|pas|non|não) ){1,3}"
    rf"(?:{_ELSEWHERE})\b"
    r"|^\W*(?:aún |todavía )?(?:pendientes?|faltan?|quedan?(?: por hacer)?|por hacer)\b"
    r"(?! (?:claro|nada)\b)"
    r"|\b(?:siguientes|próximos) pasos\b|\b(?:próximos passos|a fazer|falta fazer)\b"
    r"|^\W*(?:noch )?(?:offen|ausstehend|zu tun|(?:es )?fehl(?:t|en))\b(?! (?:gesagt|nichts)\b)"
    r"|\b(?:offene|nächste) (?:punkte|schritte)\b"
    r"|^\W*(?:il )?(?:reste(?: à faire)?|à faire|en attente)\b|\bprochaines étapes\b"
    r"|残り|残って|残作業|未完了|残タスク|次のステップ",
    re.IGNORECASE,
)
_DONE = (
    rf"(?:done(?: with)?|completed?|finished|landed|shipped|off (?:the|my) list|{_ELSEWHERE})\b"
    r"|完成|做完|已做|完了|(?<!未)済み|終わった"
)
_OVER = re.compile(
    rf"[\W\d_]*+(?=.*?(?:{_DONE}))(?:{_DONE}"
    r"|(?:what|here|s|ve|is|are|has|have|been|now|i|we|all|of|the|already|so far|today"
    r"|next|remaining|pending|outstanding|open|work|tasks?|steps?|items?|things?|points?"
    r"|ya|bereits|schon|déjà|já)\b"
    r"|接下来|剩余|剩下|待办|任务|步骤|全部|都|已经?|[的了]|もの|[\s*'\u2019])*+(?:[\d_]|[^\w?？])*",  # noqa: RUF001
    re.IGNORECASE,
)
"""What says of something that it is done and nothing else, unlike "Done; next:" and "How it is
done:"."""
_NOT_THESE = re.compile(
    r"\b(?:options?|alternatives?|either|one of|need not|not (?:need )?to|no longer|against"
    r"|rejected|cancell?ed|abandoned|dropped|skipped)\b",
    re.IGNORECASE,
)
"""Words of a heading below which not all, or nothing, is to be done."""
# What was to do and is done: "Completed the next step".
_DID = re.compile(
    r"\b(?<!once )(?<!when )(?<!until )(?<!not )(?<!n['\u2019]t )(?<!never )(?<!yet )(?<!fully )"
    r"(?:done with|completed|finished|landed|shipped)"
    r"(?: (?:with|all|of|the|my|our|your|this|that|these|those))* $"
    r"|(?:已经?完成|完成了|做完了)的?$",
    re.IGNORECASE,
)
_TICKS, _NO = "✅✔☑✓", "❌✗✘"
_CROSSES = f"{_NO}☐⬜🔲⏳🚧"
_ALL_DONE = re.compile(
    r"(?:(?:all|everything)(?: of (?:it|them|this|that)| (?:tasks|steps|items|points|work))?"
    r"(?: is| are| has been| have been)?(?: now)? (?:done|completed?|finished)"
    r"|(?:there is )?nothing (?:else )?(?:is |was )?(?:left|open|remains|to do)(?: to do)?"
    r"|(?:there are )?no (?:remaining|open|further) (?:steps?|work|tasks?|items?|points?)"
    r"(?: left| open| remain| to do| needed| required)?"
    r"|(?:全部|都|所有[^未没]{0,80})已?经?完成了?|没有(?:剩余|待办|未完成)的?(?:事项|步骤|任务|工作)?)"
    r"[\s.!。！]*",  # noqa: RUF001
    re.IGNORECASE,
)
"""A sentence that says so and nothing else, unlike "All is done but ..."."""
_SOME_OF = (
    *("done", "complete", "finish", "nothing", "remaining", "open", "further", "完成", "没有"),
)
"""One of these stands in everything that `_ALL_DONE` finds."""
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
PROPOSES = re.compile(
    r"\bi(?: would|['\u2019]d)? (?:suggest|recommend|propose|advise)|\bi(?: would|['\u2019]d)\b"
    r"|\bmy (?:suggestion|recommendation|proposal)\b|\b(?:shall|should|can|could|may) (?:i|we)\b"
    r"|\b(?:do|would) you (?:want|like)\b|\bwant me to\b|\b(?:how|what) about\b"
    r"|\b(?:propongo|sugiero|recomiendo|yo (?:pondría|haría|dejaría)|quieres que)\b"
    r"|\b(?:schlage (?:ich )?vor|mein vorschlag|ich würde|soll(?:en)? (?:ich|wir))\b"
    r"|\bje (?:propose|suggère|recommande|\w+rais)\b|\b(?:proponho|sugiro|recomendo)\b"
    r"|建议|推荐|要不要|要我|是否|我会|可以吗|行吗|好吗|でしょうか",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"\b(?:nothing|none|no (?:remaining|open|next))\b|^无|没有", re.IGNORECASE)


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
    for over, text in _listed(said):
        found[over].setdefault(short(text, LONGEST))
    left, done = (tuple(filter(None, some))[:MOST] for some in found)
    return Lists(left, done)


def is_all(said: str) -> bool:
    """Whether it says that nothing is left to do."""
    low = said.lower()  # a long transcript has few answers with one of these words
    if any(map(low.__contains__, _SOME_OF)) and any(map(_ALL_DONE.fullmatch, sentences(said))):
        return True
    return [*_left(said)] == [""]


def argues(said: str) -> bool:
    """Whether ticks in it may stand beside crosses for reasons, and not for what is done."""
    return any(map(said.__contains__, _NO))


def questions(said: str) -> tuple[str, ...]:
    """The questions at its end."""
    asked = [one for one in sentences(said) if one.endswith(("?", "？"))]  # noqa: RUF001
    return tuple(dict.fromkeys(short(one, LONGEST) for one in asked))[-3:]


def report(said: str) -> str:
    """How an answer begins: what was done, and what came of it, unless what follows turns it."""
    begun = sum(1 for _ in sentences(said.partition("\n\n")[0]))
    told = ""
    for at, one in enumerate(sentences(said)):
        tells = at < begun and not (one.endswith(_NO_REPORT) or PROPOSES.search(one))
        if not tells or len(told) + len(one) >= REPORT:
            return "" if bounds(one) else told.lstrip()
        told += f" {one}"
    return told.lstrip()


def without(step: str, over: Container[str], key: Callable[[str], str]) -> str:
    """What of a step is still to do: nothing where it is over."""
    text, *below = step.split(BELOW)
    if key(step) in over or key(text) in over:
        return ""
    return BELOW.join((text, *(one for one in below if key(one) not in over)))


def _listed(said: str) -> Iterator[tuple[bool, str]]:
    """The entries of lists under a heading for it: whether each is done, and its text.

    One that says that there is nothing is an entry without a text.
    """
    about: bool | None = None
    is_mixed = argues(said)
    for line, *below in _whole_entries(said) if "\n" in said else ():
        if ITEM.match(line):
            yield from () if is_mixed and about is None else _entry(line, below, about)
        else:
            kind = heads(line)
            about = about if kind is None and line[:1].isspace() else kind


def _entry(line: str, below: list[str], about: bool | None) -> Iterator[tuple[bool, str]]:
    """What one entry tells, with what stands below it: by itself that is no step, nor done."""
    over, text = _marked(line)
    kind = about if over is None else over
    if kind is None:
        about = heads(ITEM.sub(r"\1", line)) if below else None  # an entry may be a heading, too
    apart, parts = [], []
    for one in below:
        own, part = _marked(one)
        if kind is None or own is not None:
            apart.append(one)
        else:
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
    told = bare(ITEM.sub(r"\1", line))
    box, plain = _BOX.match(line), told.replace("\ufe0f", "")
    text = told.strip(f"{_TICKS}{_CROSSES}\ufe0f ")
    if plain[:1] in _CROSSES or (box and box[1] == " "):
        return False, text
    ticked = box or plain[:1] in _TICKS or plain[-1:] in _TICKS
    struck = text.startswith("~~") and text.endswith("~~")
    return (True if ticked or struck else None), text.strip("~") if struck else text


def _whole_entries(said: str) -> Iterator[list[str]]:
    """The lines, each entry of a list with the entries below it."""
    entry: list[str] = []
    for line in lines(said):
        is_item = ITEM.match(line) is not None
        if entry and is_item and _indent(line) >= _indent(entry[0]) + _DEEPER:
            entry.append(line)
        elif line:
            yield from [entry] if entry else []
            entry = [line]
            if not is_item:
                yield entry
                entry = []
    yield from [entry] if entry else []


def _indent(line: str) -> int:
    wide = line.expandtabs(4)
    return len(wide) - len(wide.lstrip())


def heads(line: str) -> bool | None:
    """Whether a heading is of what is done, or of what is not; None for any other line."""
    head = _heading(line.strip())
    if _OVER.fullmatch(head):
        return True
    return False if _is_left(_HEADS, head) and not _NOT_THESE.search(head) else None


def _is_left(words: re.Pattern[str], text: str) -> bool:
    """Whether a text has such words, and does not say of what they name that it is done."""
    found = words.search(text)
    done = found and (_DID.search(text[: found.start()]) or _OVER.fullmatch(text))
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
    heads = {bare(line) for line in prose(said) if line.startswith("#")}
    told = (
        one
        for one in sentences(said)
        if not (one in heads or one.endswith((":", "：")))  # noqa: RUF001
    )
    return (one for one in told if _is_left(_SENTENCES, one) and not _NOTHING.search(one))


def _planned(said: str) -> Iterator[str]:
    """Of an answer that was cut short in the middle of its work."""
    last = [*sentences(said)][-1:]
    return (one for one in last if _PLANS.search(one))
