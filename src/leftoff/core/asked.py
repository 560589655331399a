"""What the user of a session asked and said, each sentence in one place of a draft. Pure.

The intent has how the last prompt and the first one begin, in whole sentences; what they go on with
stands among the other words, and what is told as decided in neither.
"""

from __future__ import annotations

from leftoff.core.brief_gist import bounds
from leftoff.core.model import FIRST_ASKED, IN_REPLY
from leftoff.core.pasted import words
from leftoff.core.texts import CUT, ENDS, cut, first_sentence, flat
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from leftoff.core.draft import Seen

SAID = 4800
"""Bytes of what the person said, in their own words, that a draft holds beside all else."""
LONGEST, SHORT = 300, 160
"""Characters of the last prompt in an intent, and of the first."""
_GO_ON = 12
"""Bytes: a person who says no more only lets the work go on, which tells nothing of it."""


def said(seen: Seen, *, has_intent: bool = True) -> list[str]:
    """What was asked beyond the intent, and what is told as decided, the last of it."""
    asked = telling(seen)
    begun = {*asked[-1:], *([] if seen.began_with else asked[:1])}
    rest = {one: _begun(_untold(one, seen), SHORT)[1] for one in begun}
    kept: list[str] = []
    room = SAID
    for one in reversed(asked):
        text = _without(words(rest.get(one, one) if has_intent else one), seen.digest.decided)
        room -= len(text.encode())
        if room < 0:
            break
        if len(text.encode()) > _GO_ON and any(map(str.isalpha, text)):
            kept.insert(0, text)
    return kept


def _without(asked: str, decided: Iterable[str]) -> str:
    """What is left of a prompt where the sentences are taken out that are told elsewhere.

    One that replies to something stays: elsewhere nobody tells what "the second one" was.
    """
    for one in decided:
        if f"{one} {IN_REPLY}" not in asked:
            asked = asked.replace(one, "")
    return " ".join(asked.split())


def wish(seen: Seen, most: int = LONGEST) -> str:
    """The last thing asked that tells something, and the first, where it was another."""
    asked = telling(seen)
    if not asked:
        return ""
    last, first = _untold(asked[-1], seen), seen.began_with or _untold(asked[0], seen)
    told, began = _begun(last, most)[0], _begun(first, SHORT)[0]
    return told if last == first else f"{told}{FIRST_ASKED}{began})"


def _untold(asked: str, seen: Seen) -> str:
    """A prompt without what is told as decided, unless that is all of it."""
    return _without(asked, seen.digest.decided) or asked


def _begun(asked: str, most: int) -> tuple[str, str]:
    """How a prompt begins, in whole sentences if that can be, and what is not told by that."""
    asked = flat(asked)
    told, first = cut(asked, most).removesuffix(CUT), first_sentence(asked)
    whole = told == asked or told.endswith(tuple(ENDS))
    if not whole and len(first) <= most:
        told, whole = first, True
    if asked[len(told) :].startswith(f" {IN_REPLY}"):  # what it replies to stays with it
        told = asked[: asked.find("]", len(told)) + 1]
    rest = asked[len(told) :].lstrip()
    while whole and rest and bounds(rest):  # what takes it back stays with it, too
        told = f"{told} {first_sentence(rest)}"
        rest = asked[len(told) :].lstrip()
    return (told + CUT if rest else told), (rest if whole else asked)


def telling(seen: Seen) -> Sequence[str]:
    """What was asked: without mere words to go on, and decisions, which are told as such."""
    counted = seen.stats.asked, seen.stats.last_asked
    asked = seen.digest.intents or tuple(filter(None, counted))
    some = [one for one in asked if len(one.encode()) > _GO_ON] or asked[-1:]
    return [one for one in some if one not in seen.digest.decided] or some
