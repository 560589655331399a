"""How much of what a new session must know a text says: the measure of a brief. Pure.

What must survive is what the fields state whose rule says must (`core.model.RULES`), the files at
hand, and what has landed; not every word of a document. A fact counts as told by the same judgement
as what a compaction lost (`core.loss`). What the world contradicts is stale: a text may say it only
where it also says that it is not so. Work that has landed is both: whoever names it, in a sentence,
tells the fact, and whoever does not say that it is over tells it as true.
"""

from __future__ import annotations

from leftoff.core.asked import said as words_of
from leftoff.core.asked import telling
from leftoff.core.brief_gist import AGAINST
from leftoff.core.brief_parts import relevant_files
from leftoff.core.claims import CONTRADICTED
from leftoff.core.draft import steps
from leftoff.core.loss import heard
from leftoff.core.model import open_actions, open_blockers
from leftoff.core.paths import from_root, path_in
from leftoff.core.texts import first_sentence, opening
from leftoff.core.token_estimate import weight, whole
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from leftoff.core.claims import Verdict
    from leftoff.core.draft import Seen
    from leftoff.core.loss import Heard
    from leftoff.core.model import Checkpoint

BUDGETS = (500, 1000, 2000)
FILE, COMMAND, LANDED = "file", "command", "landed"
PATH = "path"
"""A file by all of its path: its name alone may stand in a decision, which claims nothing."""
_STALE = {"action": "step", "file": PATH, "branch": "branch"}


class Fact(Record):
    """One thing to know; its kind says by what it is recognised."""

    kind: str
    text: str


class Facts(Record):
    """What must survive, and what must not pass for true."""

    musts: tuple[Fact, ...] = ()
    stale: tuple[Fact, ...] = ()


class Score(Record):
    """How many of the facts a text tells, how many stale ones it tells as true, and its price."""

    kept: int = 0
    of: int = 0
    stale: int = 0
    of_stale: int = 0
    tokens: int = 0


def of_checkpoint(c: Checkpoint, verdicts: Sequence[Verdict]) -> Facts:
    """What a checkpoint states that no session may go without; files that are gone are no help."""
    against = _against(verdicts)
    landed = dict.fromkeys(one.about for one in against if one.kind == "action")
    gone = _gone(against)
    files = (path_in(one.text) for one in relevant_files(c)[0])
    said = [
        Fact("intent", c.intent),
        Fact("problem", c.problem),
        Fact("state", opening(c.summary)),
        *(Fact("decision", one.text) for one in c.decisions if not one.attrs.get("superseded")),
        *(Fact("step", one.text) for one in open_actions(c) if one.text not in landed),
        *(Fact(LANDED, first_sentence(text)) for text in landed),
        *(Fact("blocker", one.text) for one in open_blockers(c)),
        *(Fact("question", one.text) for one in c.questions),
        *(Fact("rule", one.text) for one in c.rules),
        *(Fact(FILE, path) for path in files if path not in gone),
    ]
    return Facts(_each(said), _stale(against))


def of_session(seen: Seen, verdicts: Sequence[Verdict] = ()) -> Facts:
    """What a session leaves that nobody saved: asked, settled, changed, failed, open, over."""
    found, stats, against = seen.digest, seen.stats, _against(verdicts)
    gone = _gone(against)
    files = from_root((*found.files, *stats.files), seen.root)
    said = [
        *(Fact("intent", one) for one in telling(seen)[-1:]),
        *(Fact("decision", one) for one in found.decided),
        *(Fact("rule", one) for one in words_of(seen)),
        *(Fact(FILE, path) for path in files if not path.startswith("/") and path not in gone),
        *(Fact(COMMAND, one) for one in found.failures),
        *(Fact("step", one) for one in steps(seen)),
        *(Fact(LANDED, one) for one in (*stats.done_tasks, *found.done, *found.commits)),
    ]
    return Facts(_each(said), _stale(against))


def _against(verdicts: Sequence[Verdict]) -> list[Verdict]:
    return [one for one in verdicts if one.word == CONTRADICTED]


def _gone(against: Iterable[Verdict]) -> set[str]:
    return {one.about for one in against if one.kind == "file"}


def _stale(against: Iterable[Verdict]) -> tuple[Fact, ...]:
    return _each(Fact(_STALE[one.kind], one.about) for one in against if one.kind in _STALE)


def score(facts: Facts, text: str) -> Score:
    """What a text is worth to whoever knows nothing else."""
    told = heard(text)
    denied = heard("\n".join(line for line in text.split("\n") if AGAINST in line))
    shown = [one for one in facts.stale if _tells(told, one) and not _tells(denied, one)]
    return Score(
        sum(_tells(told, one) for one in facts.musts),
        len(facts.musts),
        len(shown),
        len(facts.stale),
        whole(weight(text)),
    )


def total(scores: Iterable[Score]) -> Score:
    """All of them together; tokens are those of all texts."""
    return Score(*(sum(column) for column in zip(*scores, strict=True)))


def share(kept: int, of: int) -> float:
    """A part of one; of nothing, all of it is there."""
    return kept / of if of else 1.0


class Compared(Record):
    """One way beside the best of the others."""

    share: float
    best: str
    times: float | None
    """how many times as much as the best; None where that told nothing"""


def compared(scores: Mapping[str, Score], own: str) -> Compared:
    """How one way did, of several that had the same facts to tell."""
    shares = {way: share(one.kept, one.of) for way, one in scores.items()}
    mine = shares.pop(own)
    best = max(shares, key=lambda way: shares[way])
    return Compared(mine, best, mine / shares[best] if shares[best] else None)


def first_of(text: str, tokens: int) -> str:
    """The first lines of a text that fit: what a session gets of a file that is put before it."""
    return "\n".join(_fitting(text.split("\n"), tokens))


def last_of(text: str, tokens: int) -> str:
    """The last lines that fit: what a session gets of the end of a transcript."""
    return "\n".join(reversed(_fitting(text.split("\n")[::-1], tokens)))


def _fitting(lines: Sequence[str], tokens: int) -> list[str]:
    """Lines up to the budget; of the first that is too long, as much as there is room for."""
    kept: list[str] = []
    used = 0.0
    for line in lines:
        price = weight(f"{line}\n")
        if whole(used + price) > tokens:
            room = (tokens - whole(used)) / max(1, whole(price))
            return [*kept, line[: int(len(line) * max(0.0, room))]]
        kept, used = [*kept, line], used + price
    return kept


def _tells(text: Heard, fact: Fact) -> bool:
    if fact.kind == FILE:
        return text.names(fact.text)
    quoted = fact.kind in {COMMAND, PATH}
    return text.quotes(fact.text) if quoted else text.states(fact.text)


def _each(said: Iterable[Fact]) -> tuple[Fact, ...]:
    return tuple(dict.fromkeys(one for one in said if one.text.strip()))
