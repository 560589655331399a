"""What the user of a session asked and said, each sentence in one place of a draft. Pure.

The intent has how the last prompt and the first one begin, in whole sentences; what they go on with
stands among the other words, and what is told as decided in neither.
"""

from __future__ import annotations

from collections import Counter

from leftoff.core.brief_gist import about, pieces
from leftoff.core.model import FIRST_ASKED, IN_REPLY
from leftoff.core.pasted import words
from leftoff.core.texts import CUT, cut, first_sentence, flat
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from leftoff.core.draft import Seen

SAID = 4800
"""Bytes of what the person said, in their own words, that a draft holds beside all else."""
LONGEST, SHORT = 300, 160
"""Characters of the last prompt in an intent, and of the first."""
RARE = 3
"""So many prompts may have a word by which a later one is known to be on the matter of another."""
_WISHES = (
    *(" want ", " would like ", "'d like ", "’d like ", " i need ", " we need ", " the goal"),  # noqa: RUF001
    *(" goal:", " the aim ", " be able to ", " quiero ", " queremos ", " necesito "),
    *(" necesitamos ", " me gustaría ", " el objetivo", " pueda ", " puedan ", " möchte"),
    *(" brauche", " wollen ", " will ich ", " das ziel", " soll ", " sollen ", " je veux "),
    *(" on veut ", " nous voulons ", " voudrai", "j'aimerais ", "j’aimerais ", " puisse "),  # noqa: RUF001
    *(" besoin ", " le but ", "l'objectif", "l’objectif", " quero ", " gostaria ", " preciso "),  # noqa: RUF001
    *(" precisamos ", " o objetivo", " possa "),
    *("想要", "我想", "我们想", "希望", "目标", "想让", "想把", "需要", "したい", "ほしい", "目的"),
)
"""Words by which somebody says what is wanted, in the languages of `core.answers`."""
_EARLY = 2
"""So many prompts are looked at for them: some want to know first what there is."""
_GO_ON = 12
"""Bytes: a person who says no more only lets the work go on, which tells nothing of it."""


def said(seen: Seen, *, has_intent: bool = True) -> list[str]:
    """What was asked beyond the intent, and what is told as decided, the last of it."""
    found = (text for _, text in _kept(seen, has_intent=has_intent))
    told = [one for one in found if len(one.encode()) > _GO_ON and any(map(str.isalpha, one))]
    return told[::-1]


def _kept(seen: Seen, *, has_intent: bool) -> Iterator[tuple[str, str]]:
    """The prompts for which there is room, from the last one on, and what is told of each."""
    asked, elsewhere = telling(seen), settled(seen)
    rest = {one: _told(one, seen, SHORT)[1] for one in (*asked[-1:], _first(seen))}
    room = SAID
    for one in reversed(asked):
        text = _without(words(rest.get(one, one) if has_intent else one), elsewhere)
        room -= len(text.encode())
        if room < 0:
            return
        yield one, text


def is_overtaken(decided: str, seen: Seen) -> bool:
    """Whether something that may replace a decision was said later, and is told nowhere.

    That is what has a word of it which is rare in what was asked.
    """
    asked, known = seen.digest.intents, about(decided)
    begun = max((at for at, one in enumerate(asked) if decided in one), default=0)
    told = [one for one, _ in _kept(seen, has_intent=True)]
    until = asked.index(told[-1]) if told else len(asked)
    often = Counter(word for one in asked for word in about(one) & known)
    rare = {word for word in known if often[word] <= RARE}
    later = (one for one in asked[begun + 1 : until] if one not in seen.digest.decided)
    return any(rare & about(one) for one in later)


def settled(seen: Seen) -> list[str]:
    """What is told as decided: not the sentence that is told as what was wanted."""
    goal = _goal(_first(seen))
    return [one for one in seen.digest.decided if one not in goal]


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
    (last, _), first = _told(asked[-1], seen, most), seen.began_with or _first(seen)
    return last if first == asked[-1] else f"{last}{FIRST_ASKED}{_told(first, seen, SHORT)[0]})"


def _first(seen: Seen) -> str:
    """The prompt with which the work began, if it began here; some look around first."""
    asked = () if seen.began_with else telling(seen)
    return next((one for one in asked[:_EARLY] if _goal(one)), asked[0] if asked else "")


def _told(asked: str, seen: Seen, most: int) -> tuple[str, str]:
    """How a prompt begins, the first one with what it says is wanted; and what it says beside that.

    What is told as decided is told there, unless that is all of it. Some say hello before they say
    what they want, and who they are.
    """
    untold = flat(_without(asked, settled(seen)) or asked)
    goal = _goal(asked) if asked == _first(seen) else ""
    at = untold.find(goal)
    at = at if at + len(goal) > most else 0  # there is room for what it begins with, too
    before, (told, rest) = untold[:at], _begun(untold[at:], most)
    return (f"{told}{CUT}" if before and not rest else told), f"{before}{rest}"


def _goal(asked: str) -> str:
    """The sentence of a prompt that says what is wanted; none where it is long."""
    wishes = (one for one in pieces(flat(asked)) if len(one) <= SHORT and _is_wish(one))
    return next(wishes, "")


def _is_wish(said: str) -> bool:
    words = f" {said.casefold()} "
    return any(one in words for one in _WISHES)


def _begun(asked: str, most: int) -> tuple[str, str]:
    """How a prompt begins, in whole sentences if that can be, and what is not told by that.

    What a sentence replies to, and what takes it back, stays with it, however long that is.
    """
    asked = flat(asked)
    told, *others = pieces(asked)
    if len(first_sentence(asked)) > most:
        return (told if len(told) <= most else cut(asked, most).removesuffix(CUT)) + CUT, asked
    for one in others:
        end = asked.find(one, len(told)) + len(one)
        if end > most:
            break
        told = asked[:end]
    rest = asked[len(told) :].lstrip()
    return (told + CUT if rest else told), rest


def telling(seen: Seen) -> Sequence[str]:
    """What was asked: without mere words to go on, and decisions, which are told as such."""
    counted = seen.stats.asked, seen.stats.last_asked
    asked = seen.digest.intents or tuple(filter(None, counted))
    some = [one for one in asked if len(one.encode()) > _GO_ON] or asked[-1:]
    return [one for one in some if one not in seen.digest.decided] or some
