"""What a short prompt answers: the proposal that it agrees to, the choice that it names. Pure.

"Makes sense, do that" and "2." settle something whose words stand in the answer before. Only words
decide, in English and Chinese; what is found is told beside the prompt, as what it replies to.
"""

from __future__ import annotations

import re

from leftoff.core.answers import sentences
from leftoff.core.texts import short

MARK = "[in reply to: "
LONGEST = 160
"""Characters that are told of an answer."""
_YES = (
    r"yes|yep|yeah|yup|sure|ok(?:ay)?|(?:i )?agreed?|right|exactly|correct|perfect|great|good|fine"
    r"|lgtm|makes sense|sounds (?:good|right|great)|do (?:it|that|so|both)|go ahead|go for it"
    r"|please do|works for me|i(?:'m| am) (?:fine|ok|okay) with|let['\u2019]?s do"
)
_YES_ZH = "好|行|可以|对|嗯|是|同意|没问题|就这[么样]|就?按你|听你的"
_MORE = (
    r"then|please|thanks|thank you|idea|point|plan|(?:to|for) me|with|and|it|this|that['\u2019]s"
    r"|that|so|all|of|them|as|you|your|way|sugges(?:t|ted|tion)|propos(?:ed?|al)|sa(?:y|id)|just|is"
)
_MORE_ZH = "[的吧啊了呀就你说做办来那]|建议|方案|这样|谢谢"
_AGREES = re.compile(
    rf"(?:(?:{_YES})\b|{_YES_ZH})(?:\W|(?:{_YES}|{_MORE})\b|{_YES_ZH}|{_MORE_ZH})*+",
    re.IGNORECASE,
)
_PROPOSES = re.compile(
    r"\bi(?: would|['\u2019]d)? (?:suggest|recommend|propose|advise)|\bi(?: would|['\u2019]d)\b"
    r"|\bmy (?:suggestion|recommendation|proposal)\b|\b(?:shall|should|can|could|may) (?:i|we)\b"
    r"|\b(?:do|would) you (?:want|like)\b|\bwant me to\b|\b(?:how|what) about\b"
    r"|建议|推荐|要不要|要我|是否|我会|可以吗|行吗|好吗",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\b(?:(?:cause|culprit|reason)\b[^.;:]{0,40}? (?:is|was)|(?:caused|explained) by"
    r"|turn(?:s|ed) out)\b|(?:原因|问题)(?:就?是|出?在)|是因为|根因",
    re.IGNORECASE,
)
_ASKS = ("?", "？")  # noqa: RUF001
_LABEL = r"(?:\d{1,2}|[a-d])(?![a-z\d_])"
_AND = r"\s?(?:[,，、&+]|and\b|[和与跟])\s?(?:and\s)?"  # noqa: RUF001
_PICKS = re.compile(
    r"(?:(?:yes|ok(?:ay)?|sure|hmm|好|行)[,，. ]*)?"  # noqa: RUF001
    r"(?:(?:please |let['\u2019]?s )?(?:do|take|use|pick|choose|go (?:with|for)) |[就选用按]{1,2})?"
    r"(?:the )?(?:options? |variants? |numbers? |no\. ?|# ?|方案|第)?"
    rf"\s?({_LABEL}(?:{_AND}{_LABEL})*)"
    r"(?:[.,;:!)，。；、！]|\s*$|个|\s?(?:吧|可以|都)"  # noqa: RUF001
    r"|\s(?:please|then|it is|and|but|not|is|are|sounds?|looks?)\b)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n")  # noqa: RUF001
_LABELS = re.compile(r"\d{1,2}|\b[a-d]\b")
_TWO = 2
_CHOICE = re.compile(
    r"^[^\S\n]*(?:[-*+•][^\S\n]+)?\**(?:option |variant |方案\s?)?(\d{1,2}|[a-d])[.):：、]\**"  # noqa: RUF001
    r"[^\S\n]+(\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)


def replying(prompt: str, said: str) -> str:
    """A prompt, and what of the answer before it must be known to understand it."""
    told = _chosen(prompt, said) or _agreed(prompt, said) or _explained(said)
    return f"{prompt} {MARK}{'; '.join(short(one, LONGEST) for one in told)}]" if told else prompt


def _chosen(prompt: str, said: str) -> list[str]:
    """The entries that a sentence of a prompt names; one that lists things itself names none."""
    known: dict[str, list[str]] = {}
    for label, text in _CHOICE.findall(said):
        known.setdefault(label.lower(), []).append(text.replace("*", ""))
    if len(known) < _TWO or len(_CHOICE.findall(prompt)) > 1:
        return []
    picks = filter(None, map(_PICKS.match, _SENTENCE.split(prompt)))
    named = next((_LABELS.findall(one[1].lower()) for one in picks), ())
    found = [known.get(label, []) for label in named]
    return [one for (one,) in found] if all(len(some) == 1 for some in found) else []


def _agreed(prompt: str, said: str) -> list[str]:
    """The last that an answer proposed, where a prompt does no more than agree.

    "Shall I?" after a proposal tells less than that.
    """
    if prompt.endswith(_ASKS) or not _AGREES.fullmatch(prompt):
        return []
    found = [one for one in sentences(said) if _PROPOSES.search(one)]
    return ([one for one in found if not one.endswith(_ASKS)] or found)[-1:]


def _explained(said: str) -> list[str]:
    """What an answer says is the cause of something: whoever goes on would look for it again."""
    if not _CAUSE.search(said):  # most do not, and are not taken apart
        return []
    return [one for one in sentences(said) if _CAUSE.search(one) and not one.endswith(_ASKS)][-1:]
