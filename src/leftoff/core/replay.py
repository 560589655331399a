"""Prompts that were kept back: what to list, ask and give back, and which files then go. Pure.

One function over the files, own and foreign, and the answers: which case it is follows from the
files, which answers make sense follows from the case, and what an answer does is in one table.
"""

from __future__ import annotations

from leftoff.core.texts import number
from leftoff.core.when import instant
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

NONE, OWN, FOREIGN = "none", "own", "foreign"
YES, NO, EDIT, DELETE, ALL, SOME, INVALID = "y", "n", "edit", "delete", "all", "some", "invalid"
TRIES = 2
"""An answer that makes no sense is asked for once more; a second one counts as `none`."""
_LEGACY = "legacy"


class Entry(Record):
    """One prompt; only a person's own choice replays what was no person's prompt."""

    time: str
    text: str
    replayable: bool = True


class Held(Record):
    """One file of prompts; `plain` is one without headers, which is one prompt as it stands."""

    record: str
    session: str
    entries: tuple[Entry, ...]
    plain: bool = False


class Answer(Record):
    """What somebody wants: a verb, and the numbers it is about."""

    verb: str
    numbers: tuple[int, ...] = ()


class Replay(Record):
    """What follows. `ask` is whether to ask; `editing` the entry of which a new text is awaited."""

    case: str = NONE
    plain: bool = False
    foreign: tuple[str, ...] = ()
    """the sessions whose prompts these are, where they are not the asker's"""
    entries: tuple[Entry, ...] = ()
    ask: bool = False
    editing: int = 0
    emit: tuple[str, ...] = ()
    trash: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The answers that make sense, as the question shows them."""
        if self.plain:
            return (YES, NO, DELETE if self.case == FOREIGN else EDIT)
        numbers = tuple(map(str, range(1, min(len(self.entries), 2) + 1)))
        several = ("1,3",) if len(self.entries) > 2 else ()
        more = (DELETE,) if self.case == FOREIGN else ()
        return (ALL, *numbers, *several, "edit 1", "none", *more)


def replay(
    own: Sequence[Held],
    foreign: Sequence[Held],
    answers: Sequence[str] = (),
    edited: str | None = None,
) -> Replay:
    """What to say, ask, give back and put away. One's own prompts hide those of others."""
    files = own or foreign
    entries = tuple(entry for one in files for entry in one.entries)
    if not entries:
        return Replay()
    seen = Replay(
        OWN if own else FOREIGN,
        len(files) == 1 and files[0].plain,
        () if own else tuple(one.session for one in files),
        entries,
    )
    if not answers:
        return seen._replace(ask=True)
    records = tuple(one.record for one in files)
    return _done(seen, records, _meant(seen, answers), edited)


def parsed(text: str, seen: Replay) -> Answer:
    """An answer as it is meant in this case."""
    said = " ".join(text.casefold().split())
    if seen.plain:
        fits = said in seen.words
        return Answer(said, (1,)) if fits else Answer(INVALID)
    if said in {"none", NO}:
        return Answer(NO)
    if said == ALL or (said == DELETE and seen.case == FOREIGN):
        return Answer(said)
    verb, _, rest = said.partition(" ")
    if verb == EDIT:
        chosen = _numbers(rest, len(seen.entries))
        return Answer(EDIT, chosen) if len(chosen) == 1 else Answer(INVALID)
    chosen = _numbers(said, len(seen.entries))
    return Answer(SOME, chosen) if chosen else Answer(INVALID)


def _meant(seen: Replay, answers: Sequence[str]) -> Answer:
    """The first answer that makes sense; none where two do not."""
    tried = [parsed(text, seen) for text in answers[:TRIES]]
    good = next((one for one in tried if one.verb != INVALID), None)
    return good or Answer(NO if len(tried) == TRIES else INVALID)


def _numbers(text: str, count: int) -> tuple[int, ...]:
    """The numbers of a list in rising order; none at all where one of them is wrong."""
    numbers = sorted({number(word.strip()) for word in text.split(",")})
    return tuple(numbers) if numbers[0] >= 1 and numbers[-1] <= count else ()


def _done(seen: Replay, records: tuple[str, ...], answer: Answer, edited: str | None) -> Replay:
    if answer.verb == INVALID:
        return seen._replace(ask=True)
    if answer.verb == EDIT and edited is None:
        return seen._replace(editing=answer.numbers[0])
    emitted = _EMITS.get(answer.verb, _nothing)(seen, answer, edited or "")
    # one's own are done with, whatever the answer; those of others go only when it says so
    gone = records if seen.case == OWN or answer.verb == DELETE else ()
    return seen._replace(emit=emitted, trash=gone)


def _nothing(_: Replay, __: Answer, ___: str) -> tuple[str, ...]:
    return ()


def _selected(seen: Replay, answer: Answer, _: str) -> tuple[str, ...]:
    return tuple(seen.entries[number - 1].text for number in answer.numbers)


def _all(seen: Replay, _: Answer, __: str) -> tuple[str, ...]:
    """Oldest first; what has no time is older than all that has one."""
    wanted = [entry for entry in seen.entries if entry.replayable]
    return tuple(entry.text for entry in sorted(wanted, key=_age))


def _age(entry: Entry) -> tuple[bool, float]:
    return not entry.time.startswith(_LEGACY), instant(entry.time) or 0.0


def _edited(_: Replay, __: Answer, edited: str) -> tuple[str, ...]:
    return (edited,)


_EMITS: Mapping[str, Callable[[Replay, Answer, str], tuple[str, ...]]] = {
    YES: _selected,
    SOME: _selected,
    ALL: _all,
    EDIT: _edited,
}
