"""What a short prompt answers: the proposal that it agrees to, the choice that it names. Pure.

"Makes sense, do that" and "2." settle something whose words stand in the answer before. Only words
decide, in English, Chinese and, as far as a few go, six other languages; what is found is told
beside the sentence that replies.
"""

from __future__ import annotations

import re

from leftoff.core.answers import PROPOSES
from leftoff.core.brief_gist import requests
from leftoff.core.choices import ASKS, LABEL, LONGEST, TELLING, asked, echoed, named, ways
from leftoff.core.model import IN_REPLY
from leftoff.core.prose import sentences
from leftoff.core.texts import flat, short
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    _Found: TypeAlias = tuple[int, list[str]]
    """behind which character of a prompt it is told, and what"""

_BOTH = r"both(?: of (?:them|these|those))?|les deux|l[oa]s dos|amb[oa]s|beides?|os dois|两个都"
_YES = (
    r"yes|yep|yeah|yup|sure|ok(?:ay)?|(?:i )?agreed?|right|exactly|correct|perfect|great|good|fine"
    r"|lgtm|makes sense|sounds (?:good|right|great)|do (?:it|that|so|both)|go ahead|go for it"
    r"|please do|works for me|i(?:'m| am) (?:fine|ok|okay) with|let['\u2019]?s do"
    r"|s[ií](?=\W)|vale|claro|de acuerdo|perfecto|adelante|hazlo|ja|genau|passt|klar|einverstanden"
    r"|mach das|gerne?|alles klar|oui|d['\u2019]accord|parfait|vas-y|nickel|carrément|volontiers"
    rf"|sim|pode ser|sì|va bene|super|{_BOTH}"
)
_YES_ZH = "好|行|可以|对|嗯|是|同意|没问题|就这[么样]|就?按你|听你的|はい|お願いします|それで"
_MORE = (
    r"then|please|thanks|thank you|idea|point|plan|(?:to|for) me|with|and|it|this|that['\u2019]s"
    r"|that|so|all|of|them|as|you|your|way|sugges(?:t|ted|tion)|propos(?:ed?|al)|sa(?:y|id)|just|is"
)
_MORE_ZH = "[的吧啊了呀就你说做办来那]|建议|方案|这样|谢谢"
_AGREES = re.compile(
    rf"(?:(?:{_YES})\b|{_YES_ZH})(?:\W|(?:{_YES}|{_MORE})\b|{_YES_ZH}|{_MORE_ZH})*+",
    re.IGNORECASE,
)
_BOUNDS = (
    r"(?:but|not?|nope|nah|never|never ?mind|don['\u2019]?t|wait|hold on|hang on|stop|forget|cancel"
    r"|revert|undo|without|except|only|instead|rather|actually|whatever|wrong|unless|until|if|when"
    r"|once|we don['\u2019]?t|pero|sin|salvo|solo|mejor|si|aber|nein|nicht|nur|ohne|doch|wenn"
    r"|mais|non|pas|sans|sauf|mas|não|sem|però|however|on second thought|scratch|i (?:mean|changed)"
    r"|obwohl|allerdings)\b|[但不别]|等等|算了|でも|いや"
)
"""Words by which somebody takes back, or bounds, the yes before them."""
# "Yes, leave it."; "Great, it broke." says no yes
_YES_THEN = re.compile(
    r"(?:yes|yep|yeah|yup|ok(?:ay)?|sure|agreed|s[ií]|vale|claro|perfecto|ja|genau|oui|sim|sì)"
    rf"[,.!] (?!{_BOUNDS})(?:\w+\W*){{1,3}}",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(
    rf"\W*(?:(?:hmm*|oh|ah|well|sorry|uh|um|ach|so|then|please|sure|definitely)\W+)*+(?:{_BOUNDS})",
    re.IGNORECASE,
)
_REJECTS = re.compile(
    r"\b(?:not?|nope|never|none|neither|nor|but|out|off|without|nicht|nein|kein\w*|nie|ohne|ne|pas"
    r"|non|jamais|sans|sin|não|sem|nunca)\b|[不别没]",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"\W*(?:no|nope|wait|actually|or|rather|nein|oder|non|ou|不)\b", re.IGNORECASE
)
"""Behind a choice: words by which it is given up for another one, or for none."""
_LIKES = re.compile(
    r"(?:the |an? )?(?!(?:that|this|these|those|they|all|both|what|which|who|nothing|none|nobody"
    r"|every\w*|any\w*|some\w*|the|you|here|there)\b)([\w-]{3,20})"
    r" (?:(?:is|are|looks?|sounds?) (?:good|fine|great|perfect|right|ok)|yes|ja|oui|sim)"
    r"(?=[,.;:!]|$)",
    re.IGNORECASE,
)
_ALL_BOTH = re.compile(rf"\b(?:{_BOTH})\b|两个都", re.IGNORECASE)
_DO_IT = re.compile(r"do (?:it|that|both)|go (?:ahead|for it)|let['\u2019]?s do", re.IGNORECASE)
_CAUSE = re.compile(
    r"\b(?:(?:cause|culprit|reason)\b[^.;:]{0,40}? (?:is|was)|(?:caused|explained) by"
    r"|turn(?:s|ed) out)\b|(?:原因|问题)(?:就?是|出?在)|是因为|根因",
    re.IGNORECASE,
)
_CAUSING = (
    *("cause", "culprit", "reason", "explained by", "turns out", "turned out"),
    *("原因", "问题", "因为", "根因"),
)
"""One of these stands in everything that `_CAUSE` finds."""
_WHY = re.compile(
    r"\b(?:why(?! (?:not|don['\u2019]t))|warum(?! nicht)|wieso|pourquoi(?! pas)|por qué(?! no))\b"
    r"|为什么(?!不)|为何|なぜ",
    re.IGNORECASE,
)
_NUMBERED = (
    r"first|primer[oa]?|erste[nrs]?|premi(?:er|ère)|第一个",
    r"seconde?|segund[oa]|zweite[nrs]?|deuxième|第二个",
    r"third|tercer[oa]?|dritte[nrs]?|troisième|第三个",
    r"middle|mittlere[nrs]?|真ん中|中间的?",
    r"last|últim[oa]|letzte[nrs]?|derni(?:er|ère)|最后一个",
)
_ORDINAL = re.compile(
    rf"(?:\b(?:the|el|l[aeo]|de[rmn]|die|das) )?(?:{'|'.join(f'({one})' for one in _NUMBERED)})"
    r"(?: (?:one|option|way|idea))?(?=\W*$|[,.;:!，。；、：！]"  # noqa: RUF001
    r"| (?:then|please|is(?! (?:that|to|how|why|when|the|an?)\b)|sounds?)\b"
    r"| (?:and|or|nor) (?!(?:first|second|third|last|middle|\w+th)\b)|吧|の)",
    re.IGNORECASE,
)
# "Wait a second" and "run the tests first" choose nothing
_CHOOSES = re.compile(r"(?:the|el|l[aeo]|de[rmn]|die|das) |[第最真中]|\w+ ", re.IGNORECASE)
_PICK = rf"{LABEL}(?![a-z\d_])"
_AND = r"\s?(?:[,，、&+]|and\b|[和与跟])\s?(?:and\s)?"  # noqa: RUF001
_PICKS = re.compile(
    r"(?:(?:yes|ok(?:ay)?|sure|agreed|right|fine|hmm|oui|d['\u2019]accord|ja|s[ií]|vale|sim|好|行)"
    r"[,，. ]*)?"  # noqa: RUF001
    r"(?:(?:please |let['\u2019]?s )?(?:do|take|use|pick|choose|go (?:with|for)) |[就选用按]{1,2})?"
    r"(?:the )?(?:options? |variants? |numbers? |no\. ?|# ?|方案|第)?"
    rf"\s?({_PICK}(?:{_AND}{_PICK})*)"
    r"(?:[.,:](?![\da-z])|[;!)，。；、！）]|\s*$|个|\s?(?:吧|可以(?!吗)|都|で)"  # noqa: RUF001
    r"|\s(?:please|then|it is|and|but|not|is|are|sounds?|looks?)\b)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n")  # noqa: RUF001
_END = re.compile(r"[.!?](?=\s|$)|[。！？]|$", re.MULTILINE)  # noqa: RUF001
_IN_LINE = re.compile(r"\b(\d{1,2})[.):][^\S\n]+(?=\S)")
"""Labels of several answers in one line, of which nobody knows where one ends: "1. no 2. yes"."""
_NO_PROSE = re.compile(r"^\s*(?:[-*+•]\s|\d{1,2}[.)]\s|[|]|```|~~~)", re.MULTILINE)
_ROUND = str.maketrans("[]", "()")
_TWO, _MIDDLE = 2, 3
_FEW = 40
"""Characters of a sentence that does no more than to name something."""
_LAST = 20
"""So many of those are looked for in an answer: each costs as much as the answer is long."""
_LABELS = re.compile(rf"\d{{1,2}}|\b{_PICK}", re.IGNORECASE)
_HOW_MANY = re.compile(
    r"\bhow (?:many|much|long|often)\b|\bwie (?:viele?|lange|oft)\b|\bcombien\b|\bcu[aá]nt[oa]s?\b"
    r"|多少|几",
    re.IGNORECASE,
)
"""In a question that a number answers, which then is no label."""
_OTHER = re.compile(r"(?<!not )\b\d{1,2}\b")
_ANSWERS = re.compile(
    rf"^[^\S\n]*(?:(?:re|ad|to|zu)[^\S\n])?({LABEL})[^\S\n]?[.):：][^\S\n]+(?=\S)",  # noqa: RUF001
    re.IGNORECASE | re.MULTILINE,
)
# in the middle of what somebody dictates
_YES_PLEASE = re.compile(
    r"(?<!say )(?<!said )(?<!says )(?<!not )\b(?:yes|yeah),? (?:please|do (?:it|that|so))\b"
    rf"(?! {_BOUNDS})",
    re.IGNORECASE,
)


def replying(prompt: str, said: str, before: str = "") -> str:
    """A prompt, and what of the answer before it must be known to understand it.

    `before` is the prompt that was answered: whoever asks why is told.
    """
    explained, (prompt, listed) = _explained(said, before), _answered(prompt, said)
    for find in (_chosen, _numbered, _agreed, _in_its_words):
        at, told = find(prompt, said)
        if told:
            ends = _END.finditer(prompt, at)
            prompt = _beside(prompt, next(ends).end(), told)
            explained = [one for one in explained if one not in told]
            break
    prompt += listed
    return _beside(prompt, len(prompt), explained)


def _answered(prompt: str, said: str) -> tuple[str, str]:
    """A prompt up to where it answers questions by labels; and that, with what each answers."""
    if not _ANSWERS.search(prompt):  # as nearly always
        return prompt, ""
    known, told, begun, at = named(said), "", len(prompt), len(prompt)
    for found in _ANSWERS.finditer(prompt):
        (question,) = _each([known.get(found[1].lower(), [])]) or [""]
        others = _IN_LINE.findall(prompt, found.end(), _line_end(prompt, found.end()))
        if known.keys().isdisjoint(others) and any(mark in question for mark in ASKS):
            begun = min(begun, found.start())
            end = next(_END.finditer(prompt, found.end())).end()
            told += _beside(prompt[max(at if told else 0, begun) : end], end, [question])
            at = end
    return prompt[:begun], told + prompt[at:]


def _line_end(prompt: str, at: int) -> int:
    end = prompt.find("\n", at)
    return end if end >= 0 else len(prompt)


def _beside(prompt: str, at: int, told: list[str]) -> str:
    """With what the words up to there reply to."""
    if not told:
        return prompt
    # the first bracket that closes ends what is told
    parts = (short(one, LONGEST).translate(_ROUND) for one in told)
    mark = f" {IN_REPLY}{'; '.join(parts)}]"
    return prompt[:at].rstrip() + mark + prompt[at:]


def _chosen(prompt: str, said: str) -> _Found:
    """The entries that a sentence of a prompt names; one that lists things itself names none."""
    known = named(said)
    if len(known) < _TWO or len(named(prompt)) > 1 or _is_row(prompt, known):
        return 0, []
    if any(one.endswith(ASKS) and _HOW_MANY.search(one) for one in sentences(said)):
        return 0, []
    for sentence in _SENTENCE.split(prompt):
        if (picks := _PICKS.match(sentence)) and not sentence.endswith(ASKS):
            if _gives_up(sentence[picks.end(1) :], known):
                return 0, []
            found = (known.get(label, []) for label in _LABELS.findall(picks[1].lower()))
            at = prompt.find(sentence) + picks.end(1)
            return at, _each([*found])
    return 0, []


def _is_row(prompt: str, known: dict[str, list[str]]) -> bool:
    """Whether somebody says something of several entries in one line."""
    return len([one for one in _IN_LINE.findall(prompt) if one in known]) > 1


def _gives_up(rest: str, known: dict[str, list[str]]) -> bool:
    """Whether the rest of a sentence names another entry, too: "1, actually 2", "1 then 2"."""
    others = (_LABELS if _INSTEAD.match(rest) else _OTHER).findall(rest.lower())
    return any(one in known for one in others)


def _numbered(prompt: str, said: str) -> _Found:
    """What a prompt chooses by its place: of a list, of two ways in a sentence, of questions.

    All that one sentence names: the first may be rejected, and the second chosen.
    """
    for sentence in _SENTENCE.split(prompt):
        chosen = [one for one in _ORDINAL.finditer(sentence) if _CHOOSES.match(one[0])]
        if chosen and not sentence.endswith(ASKS):
            known = ways(said)
            meant = [way for one in chosen for way in _at(known, one)]
            at = prompt.find(sentence) + chosen[-1].end()
            return at, meant if len(meant) == len(chosen) else []
    return 0, []


def _at(known: Sequence[str], meant: re.Match[str]) -> Sequence[str]:
    at = next(place for place, one in enumerate(meant.groups()) if one)
    if at == _MIDDLE:
        return known[1:2] if len(known) == _MIDDLE else ()
    return known[-1:] if at == len(_NUMBERED) - 1 else known[at : at + 1]


def _each(found: list[list[str]]) -> list[str]:
    """Of every label its only entry; nothing where one has none, or several."""
    return [one for (one,) in found] if all(len(some) == 1 for some in found) else []


def _agreed(prompt: str, said: str) -> _Found:
    """The last that an answer proposed, where a prompt begins with no more than to agree.

    "Shall I?" after a proposal tells less than that.
    """
    first, *others = _SENTENCE.split(prompt, maxsplit=1)
    if first.endswith(ASKS):
        return 0, []
    if liked := _LIKES.match(first):
        word = re.compile(rf"\b{re.escape(liked[1])}\b", re.IGNORECASE)
        if named_so := [one for one in sentences(said) if word.search(one)]:
            return len(first) - 1, named_so[-1:]
    if please := _YES_PLEASE.search(first):
        return please.end(), _proposed(said)
    agrees = _AGREES.fullmatch(first) or _YES_THEN.fullmatch(first)
    if not agrees or any(map(_TAKES_BACK.match, others)):
        return 0, []
    if _ALL_BOTH.search(first):
        return len(first) - 1, _both(said)
    found = _proposed(said)
    if not found and _DO_IT.match(first):  # what was just told is meant
        found = _told_last(said)
    return len(first) - 1, found


def _proposed(said: str) -> list[str]:
    """The last that an answer proposes, with what it asks behind that; else what it asks.

    Nothing where it asks several things: nobody knows which of them is agreed to.
    """
    found = [one for one in sentences(said) if PROPOSES.search(one)] or [*asked(said)]
    last = max((at for at, one in enumerate(found) if not one.endswith(ASKS)), default=0)
    told = [one for one in found[last:] if len(one) >= TELLING or not one.endswith(ASKS)]
    return told if len(told) <= _TWO else []


def _both(said: str) -> list[str]:
    """The last two that an answer proposes; of a single one also the sentence behind it.

    Nothing where that only asks "Which one?".
    """
    told = [*sentences(said)]
    found = [at for at, one in enumerate(told) if PROPOSES.search(one) and not one.endswith(ASKS)]
    two = told[found[0] :][:_TWO] if len(found) == 1 else [told[at] for at in found[-_TWO:]]
    two = two or _proposed(said)
    asks = found and two[-1].endswith(ASKS) and (len(two[-1]) < TELLING or requests(two[-1]))
    return [] if asks or len(two) < _TWO else two


def _in_its_words(prompt: str, said: str) -> _Found:
    """The way that a short sentence of a prompt names by some of its words; the last one holds."""
    short_ones = [one for one in _SENTENCE.split(prompt) if len(one) <= _FEW]
    name, way = echoed(filter(_may_name, reversed(short_ones[-_LAST:])), said)
    return prompt.rfind(name) + len(name) - 1, [way] if way else []


def _may_name(sentence: str) -> bool:
    return not (sentence.endswith(ASKS) or _TAKES_BACK.match(sentence) or _REJECTS.search(sentence))


def _told_last(said: str) -> list[str]:
    """The last paragraph, unless that is code, or a list of which only the end would be told."""
    last = said.rstrip().rpartition("\n\n")[2]
    return [] if _NO_PROSE.search(last) else [flat(last)]


def _explained(said: str, before: str) -> list[str]:
    """What an answer says is the cause of something: whoever goes on would look for it again."""
    low = said.lower()  # most have none of these words, and are not looked through
    if any(map(low.__contains__, _CAUSING)) and _CAUSE.search(said):
        told = [one for one in sentences(said) if _CAUSE.search(one) and not one.endswith(ASKS)]
        return told[-1:]
    return (
        [one for one in sentences(said) if len(one) >= TELLING][:1] if _WHY.search(before) else []
    )
