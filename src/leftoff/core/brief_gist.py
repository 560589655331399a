"""A statement in short: its first sentence, or clause, unless what follows could turn it. Pure.

A cut must not say more than the whole does. So nothing ends within brackets, quotes or code, at an
abbreviation, or at a question, and not before words that bound, answer or take back what they
follow: where there is doubt, a statement is told whole or not at all.
"""

from __future__ import annotations

from itertools import pairwise

from leftoff.core.model import DRAFT, IN_REPLY
from leftoff.core.texts import CUT, cut, first_sentence
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

AGAINST = "✗"
"""What stands before, or behind, whatever the world contradicts: nothing stale passes for true."""
LEAST, MOST = 24, 350
"""Bytes: less is no sentence, but a number, a name or a "Yes."; characters: more is no gist."""
LONGEST = 4000
"""Characters of a statement; a longer text is an account, and who knows where it turns."""
RUN_ON = 200
"""Characters of a sentence that somebody dictates rather than writes."""

_SENTENCES = (". ", "! ", "。", "！")  # noqa: RUF001  # those of Chinese
_CLAUSES = ("; ", "—", " – ", " - ", "；")  # noqa: RUF001  # dashes of several lengths
_JOINTS = (" and ", " so ", " et ", " und ")
_SUBJECTS = (
    " i i'm i'd i'll i've we we're we'll we've you you're it it's he she they they're there there's"
    " that's then what yes please okay um by don't let's everybody their je j'ai on il elle nous"
    " vous ils c'est ça ich wir du er sie es das "
)
"""Words with which a clause of its own begins behind one of them."""
_IF, _CLAUSE = " if unless until till when whenever once si sauf quand wenn bis ", 40
"""Words of a condition, and so many characters that one may have."""
_GOVERNS = (
    " afraid avoid because either hate imagine instead neither never no nobody none nor not prevent"
    " rather said say says stop what where why without wrong"
    " jamais kein keine keinen ne nicht nie ohne pas plutôt sans statt weder "
)
"""Words on which the clause behind the next joint may depend as well."""
_THAT = " that dass que "
"""Words that do so before a subject: "Bob suggested that we ... and we ..."."""
_GOVERNED = 80
"""Characters within which it does."""
_REMARK = 60
"""Characters of a sentence that may do no more than to take back what stands before it."""
_DASHES = " ;—–-；"  # noqa: RUF001
_PAIRS = ("()", "[]", "{}", "（）", "【】", "「」", "『』", "《》", "“”")  # noqa: RUF001
_AROUND = ".,:!?()[]*_`'\"—–…"  # noqa: RUF001
_SHORT_FOR = " approx ca cf e.g etc fig i.e incl max min no resp vs "
_BOUNDS = (
    " after assuming but except excluding however if instead once only or otherwise pending"
    " provided till unless until when where while without "
)
"""Words that bound the clause before their own."""
_NOS = (
    " actually cancel correction forget hmm nope oops scratch wait"
    " espera nein warte non attends não "
)
"""Words by which somebody who talks changes their mind."""
_MENDS = (
    f" but except however sorry unless pero salvo aber nicht doch außer mais sauf plutôt mas{_NOS}"
)
"""Words by which they may."""
_TAKES_BACK = f"{_BOUNDS}although caveat exception exceptions never no nor not though yet{_MENDS}"
"""Words by which any later sentence, where it begins with one, bounds what stands before it."""
_TURNS = f"{_TAKES_BACK}rather still that then this "
"""Words by which the very next one does so, too."""
_REVOKES = (
    " abandoned anymore before canceled cancelled condition correction deprecated dropped except"
    " excepted excluded first instead longer must never obsolete only outdated overruled rejected"
    " replaced retracted reversed reverted revised superseded undone unless until withdrawn wrong "
)
"""Words by which any later sentence may bound all of it, or take it back."""
_TINY, _NO_SPACES = 2, "\u2e80"
"""Letters of a word that tells nothing; and the first of the characters of East Asia."""
_GLUE = (
    " all and any are but can for from had has have how into its let not now off our out than that"
    " the them then they this too use was when who why will with you your"
    " als auch auf aus bei das dass den der des die dies doch ein eine einem einen einer eines es"
    " für hat ich ihr ist kann man mit nach noch nur oder schon sich sie sind und uns vom von war"
    " was wie wird wir zum zur"
    " aux avec c'est cela ces cette dans des donc elle elles est était ils les leur lui mais même"
    " nos notre nous par pas plus pour que qu'il quand quel qui sans sont sur tous tout tu une vos"
    " vous"
    " así con cuando del ella ellos eso esta este esto hay las los mas más muy nos otra otro para"
    " pero por porque que qué sea ser son sus también todo una uno unos"
    " ao aos com das dos ela ele eles essa esse isso mas meu minha muito não nas nos ou pela pelo"
    " por quando seu sua são também tem uma você "
)
"""Words that are longer than that, and tell no more of what a statement is about."""
_MENDS_ZH = (
    *("但", "等等", "等一下", "不对", "还是", "算了", "其实", "可是"),
    *("でも", "やっぱり", "いや"),
)
_TURNS_ZH = (
    *("除", "不", "然而", "只", "仅", "否则", "直到", "如果", "若", "这", "那", "或"),
    *("しかし", "ただし", *_MENDS_ZH),
)
_FEW = 2
"""Telling words of a sentence that says nothing by itself: "Thank you, that I can follow."."""
_BEFORE_ASKING = " and so ok now well y und et "
_ASKING = (
    " what which how when where who qué cuál cómo cuándo dónde was welche welcher welches wie wann"
    " wo quoi quel quelle comment quand où "
)
_ASKS_YOU = ("could you", "can you", "would you", "will you", "kannst du", "könntest du")
_ASKING_ZH = ("什么", "怎么", "多少", "哪")
_REVOKES_ZH = (
    *("取消", "废弃", "作废", "放弃", "撤回", "撤销", "推翻", "取代", "除非", "除外", "改用"),
    *("改为", "不再", "不要", "不得", "不能", "不可", "绝不", "必须", "之前", "直到", "但", "仅"),
    "只有",
)


def gists(text: str) -> Iterator[str]:
    """The first sentence that stands by itself, then the first clause that does, each with marks.

    The marks say that there is more, and that of a draft stays. Nothing where nothing stands alone.
    """
    if len(text) >= LONGEST:
        return
    said, drafted = _apart(text)
    sentences = [*_ends(said, _SENTENCES), len(said)]
    clauses = _ends(said, _CLAUSES)
    whole = (at for at in sentences[:-1] if not _turned(said[at:]))
    part = (at for at in clauses if not _bounded(said, at, sentences))
    for ends in (whole, part):
        for at in ends:
            yield said[:at].rstrip(_DASHES) + CUT + drafted
            break


def pieces(text: str) -> Iterator[str]:
    """Somebody's words, sentence by sentence; one that the next one bounds stays with it."""
    while end := _piece(text):
        yield from _clauses(text[:end].rstrip())
        text = text[end:].lstrip()
    yield from _clauses(text)


def _piece(text: str) -> int:
    """Where the first of several pieces ends; 0 for the last one."""
    for most in (RUN_ON, LONGEST) if len(text) < LONGEST else ():  # most pieces are short
        ends = sorted([*_replied(text), *_ends(text, _SENTENCES, most)])
        rests = ((at, text[at:].strip()) for at in ends if at <= most)
        if end := next((at for at, rest in rests if _is_enough(rest) and not bounds(rest)), 0):
            return end
    return 0


def _clauses(said: str) -> Iterator[str]:
    """A sentence that is dictated rather than written, clause by clause; any other as it is."""
    begun = 0
    if RUN_ON < len(said) < LONGEST and not _ends(said, _SENTENCES, LONGEST):
        for at in _joints(said):
            if _is_enough(said[begun:at]) and _is_free(said[begun:at]):
                yield said[begun:at].strip()
                begun = at
    yield said[begun:].lstrip()


def _joints(sentence: str) -> Iterator[int]:
    """Before which clauses with a subject of their own it may be taken apart.

    Not close behind a condition: what follows may be a part of it.
    """
    for at in _ends(sentence, _JOINTS, LONGEST):
        _, *subject = _words(sentence[at : at + MOST].replace("’", "'"))  # noqa: RUF001
        free = not _holds(_IF, _words(sentence[max(0, at - _CLAUSE) : at]))
        if free and _holds(_SUBJECTS, subject[:1]) and _is_enough(sentence[at:]):
            yield at


def _is_free(clause: str) -> bool:
    """Whether what follows a clause depends on nothing in it, like "I don't want you to ..."."""
    words = _words(clause[-_GOVERNED:])
    tells = any(
        _holds(_THAT, [one]) and _holds(_SUBJECTS, [next_one]) for one, next_one in pairwise(words)
    )
    return not (tells or _holds(_GOVERNS, words) or _denies(words))


def answering(said: str) -> str:
    """Somebody's words, with the gist of what they reply to, where that is one thing."""
    words, mark, told = said.partition(IN_REPLY)
    is_one = told.endswith("]") and "; " not in told
    short = next(gists(told[:-1]), "") if is_one else ""
    return f"{words}{mark}{short}]" if short else said


def _replied(text: str) -> list[int]:
    """Where what it replies to ends, which stands behind the words that reply."""
    at = text.find(IN_REPLY)
    end = text.find("] ", at) if at >= 0 else -1
    rest = text[end + 2 :]
    # what goes on behind a mere label, or a yes, may turn it: in small letters, or in few words
    goes_on = rest[:1].islower() or len(first_sentence(rest)) <= _REMARK
    return [end + 1] if end >= 0 and (_is_enough(text[:at]) or not goes_on) else []


def bounds(rest: str) -> bool:
    """Whether a sentence begins with words that bound the one before it, or take it back."""
    first = _words(rest[:MOST])[:1]
    return rest.startswith(("[", *_TURNS_ZH)) or _holds(_TURNS, first) or _denies(first)


def takes_back(rest: str) -> bool:
    """Whether with a sentence somebody changes their mind about the one before it."""
    first = _words(rest[:MOST])[:1]
    return rest.lstrip().startswith(_MENDS_ZH) or _holds(f"{_MENDS}no ", first)


def mends(piece: str) -> bool:
    """Whether somebody changes their mind in it, perhaps about what was said some sentences ago."""
    firsts = (_words(one)[:1] for one in piece.replace("! ", ". ").split(". "))
    return any(_holds(f"{_NOS}no ", first) for first in firsts)


def shortened(text: str, most: int) -> str:
    """Cut as `cut` does it; what says that a path is gone, or that nobody stated it, stays."""
    if len(text) <= most:
        return text
    said, drafted = _apart(text)
    kept = cut(said, most - len(drafted)).removesuffix(CUT)
    if said[len(kept) :].startswith(f" {AGAINST}"):
        kept = f"{kept} {AGAINST}"
    return kept + CUT + drafted


def _apart(text: str) -> tuple[str, str]:
    """A statement, and what says at its end that it is a draft."""
    said, mark, session = text.rpartition(f" [{DRAFT}")
    return (said, mark + session) if said and text.endswith("]") else (text, "")


def _ends(text: str, marks: tuple[str, ...], most: int = MOST) -> list[int]:
    """Behind which characters a sentence, or before which a clause's mark, ends something."""
    found: set[int] = set()
    for mark in marks:
        at = text.find(mark, 0, most)
        while at > 0:
            end = at + 1 if mark in _SENTENCES else at
            is_one = _is_enough(text[: at + 1]) and _is_outside(text[:at])
            if is_one and _is_end(text, at, mark):
                found.add(end)
            at = text.find(mark, at + 1, most)
    return sorted(at for at in found if at < len(text))


def _is_enough(text: str) -> bool:
    return len(text.encode()) >= LEAST


def _is_outside(before: str) -> bool:
    """Whether no bracket, quote or code is open."""
    pairs = all(before.count(pair[0]) <= before.count(pair[1]) for pair in _PAIRS)
    return pairs and not (before.count("`") % 2 or before.count('"') % 2)


def _is_end(text: str, at: int, mark: str) -> bool:
    """Not behind a number or what is short for something, nor where small letters follow.

    A dash between two numbers makes one thing of them.
    """
    if mark != ". ":
        before, after = text[:at].rstrip(), text[at + len(mark) :].lstrip()
        return not (before[-1:].isdecimal() and after[:1].isdecimal())
    word = text[:at].rpartition(" ")[2].casefold()
    is_short = word.isdecimal() or _holds(_SHORT_FOR, [word])
    return not (is_short or text[at + 2 : at + 3].islower())


def _turned(rest: str) -> bool:
    """Whether what follows could turn what stands before it."""
    words = _words(rest)
    chinese = rest.lstrip().startswith(_TURNS_ZH) or any(one in rest for one in _REVOKES_ZH)
    if chinese or _holds(_TURNS, words[:1]) or _holds(_REVOKES, words):
        return True
    later = (_words(one)[:1] for one in rest.replace("! ", ". ").split(". "))
    return any(_holds(_TAKES_BACK, first) or _denies(first) for first in later)


def _denies(words: Iterable[str]) -> bool:
    """Whether there is a `don't`, or one of its kin."""
    return any(word.endswith(("n't", "n’t")) or word == "cannot" for word in words)  # noqa: RUF001


def _bounded(text: str, at: int, sentences: Sequence[int]) -> bool:
    """Whether the rest of its sentence, or what follows that, could turn a clause."""
    end = next(one for one in sentences if one > at)
    rest = text[at:end].lstrip(_DASHES)
    words = _words(rest)
    bound = _holds(f"{_BOUNDS}not never ", words) or _denies(words)
    return bound or _turned(rest) or _turned(text[end:])


def _holds(known: str, words: Iterable[str]) -> bool:
    return any(f" {word} " in known for word in words)


def _words(text: str) -> list[str]:
    bare = (word.strip(_AROUND).casefold() for word in text.replace("-", " ").split())
    return [word for word in bare if word]


def is_aside(said: str) -> bool:
    """Whether a sentence of a user tells little: a mere remark, or a request for an answer."""
    return len(about(said)) <= _FEW or requests(said)


def requests(said: str) -> bool:
    """Whether the agent is asked for something, and has answered since: it settles nothing."""
    if not said.endswith(("?", "？")):  # noqa: RUF001
        return False
    words = _words(said.lstrip("¿ "))
    while words and _holds(_BEFORE_ASKING, words[:1]):
        del words[0]
    wants = _holds(_ASKING, words[:1]) and words[1:2] != ["about"]
    return wants or " ".join(words[:2]) in _ASKS_YOU or any(one in said for one in _ASKING_ZH)


def about(text: str) -> set[str]:
    """The words, and pairs of characters of a script without spaces, that tell what it is about."""
    found: set[str] = set()
    for word in _words(text):
        if max(word) >= _NO_SPACES:
            found.update(word[at : at + 2] for at in range(len(word) - 1))
        elif (len(word) > _TINY or not word.isalpha()) and not _holds(_GLUE, [word]):
            found.add(word)
    return found
