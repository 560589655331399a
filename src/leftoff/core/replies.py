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
_ASKS = ("?", "？")  # noqa: RUF001
_PICKS = re.compile(
    r"(?:(?:yes|ok(?:ay)?|sure|hmm|好|行)[,，. ]*)?"  # noqa: RUF001
    r"(?:(?:please |let['\u2019]?s )?(?:do|take|use|pick|choose|go (?:with|for)) |[就选用按]{1,2})?"
    r"(?:the )?(?:option |variant |number |no\. ?|# ?|方案|第)?\s?(\d{1,2}|[a-d])"
    r"(?:[.,;:!)，。；、！]|\s*$|个|\s?吧|\s(?:please|then|it is|and|but|is|sounds|looks)\b)",  # noqa: RUF001
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"^[^\S\n]*(?:[-*+•][^\S\n]+)?\**(?:option |variant |方案\s?)?(\d{1,2}|[a-d])[.):：、]\**"  # noqa: RUF001
    r"[^\S\n]+(\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)


def replying(prompt: str, said: str) -> str:
    """A prompt, and what of the answer before it must be known to understand it."""
    told = _chosen(prompt, said) or _agreed(prompt, said)
    return f"{prompt} {MARK}{short(told, LONGEST)}]" if told else prompt


def _chosen(prompt: str, said: str) -> str:
    """The entry that a prompt names first; one that lists things itself names none."""
    named = _PICKS.match(prompt)
    if not named or len(_CHOICE.findall(prompt)) > 1:
        return ""
    known: dict[str, list[str]] = {}
    for label, text in _CHOICE.findall(said):
        known.setdefault(label.lower(), []).append(text)
    found = known.get(named[1].lower(), [])
    return found[0].replace("*", "") if len(found) == 1 and len(known) > 1 else ""


def _agreed(prompt: str, said: str) -> str:
    """The last that an answer proposed, where a prompt does no more than agree.

    "Shall I?" after a proposal tells less than that.
    """
    if prompt.endswith(_ASKS) or not _AGREES.fullmatch(prompt):
        return ""
    found = [one for one in sentences(said) if _PROPOSES.search(one)]
    told = [one for one in found if not one.endswith(_ASKS)] or found
    return told[-1] if told else ""
