"""What is essential of a conversation so far, short enough to take along; no model writes it. Pure.

Task, decisions, files, state, what failed, next steps: each is there whatever the budget, with
fewer entries where room is short. What tools printed is never in it.
"""

from __future__ import annotations

from leftoff.core import draft
from leftoff.core import session as s
from leftoff.core.brief import LEVELS
from leftoff.core.carry import appended
from leftoff.core.fast_json import dumps
from leftoff.core.fence import fenced, one_line
from leftoff.core.model import Checkpoint, Item, open_actions
from leftoff.core.redact import redacted
from leftoff.core.texts import cut, headed
from leftoff.core.token_estimate import estimate
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from leftoff.core.draft import Seen
    from leftoff.core.session import Session
    from leftoff.core.talk import Turn
    from leftoff.core.texts import Say

NAME = "compact"
BUDGET = 1500


class Part(Record):
    """One heading and what stands under it; of a list with its newest last, the end stays."""

    key: str
    title: str
    entries: tuple[str, ...]
    newest_last: bool = False


class Summary(Record):
    """The text, about how many tokens it is, and how many more than the budget that is."""

    text: str
    tokens: int
    overrun: int = 0


def parts(one: Session, seen: Seen, thread: Checkpoint | None) -> list[Part]:
    """All that is essential, as it was stated, else as it was seen; empty parts too."""
    made = _together(one, seen, thread)
    seen, made = redacted(seen), redacted(made)
    steps = redacted(s.next_steps(one)) or tuple(item.text for item in open_actions(made))
    found = (
        Part("task", "Task", (made.intent,)),
        Part("asked", "Asked", seen.digest.intents, newest_last=True),
        Part("decisions", "Decisions", _of(made.decisions), newest_last=True),
        Part("files", "Files changed", _of(made.artifacts)),
        Part("state", "State", tuple(_state(made, seen))),
        Part("failed", "Failed", _of(made.blockers), newest_last=True),
        Part("next", "Next steps", steps),
        Part("questions", "Open questions", _of(made.questions), newest_last=True),
    )
    lines = ((part, tuple(filter(None, map(one_line, part.entries)))) for part in found)
    return [part._replace(entries=entries) for part, entries in lines]


def summary(found: Sequence[Part], archive: str, budget: int, say: Say) -> Summary:
    """The parts under their headings, at the first level at which they fit; at worst the last."""
    text, tokens = "", 0
    for level in LEVELS:
        lines = [line for part in found for line in _lines(part, level, archive, say)]
        if archive:
            lines.append(say("All that was said and done: {path}", path=archive))
        text = fenced(NAME, "".join(f"{line}\n" for line in lines))
        tokens = estimate(text)
        if tokens <= budget:
            break
    return Summary(text, tokens, max(0, tokens - budget))


def lines_of(turns: Iterable[Turn]) -> Iterator[str]:
    """The conversation for the archive: a line of JSON for each turn, without secrets."""
    for turn in turns:
        told = redacted(turn)._asdict()
        yield dumps({key: value for key, value in told.items() if value not in {"", ()}}) + "\n"


def _together(one: Session, seen: Seen, thread: Checkpoint | None) -> Checkpoint:
    """What the thread and the session's notes state, and on top what was seen."""
    known = thread or Checkpoint("")
    noted = tuple(Item(text) for text in s.decisions(one))
    stated = Checkpoint(
        "",
        intent=known.intent or known.name,
        summary=known.summary,
        decisions=appended("decisions", known.decisions, noted),
        questions=known.questions,
        blockers=known.blockers,
        next_actions=open_actions(known),
    )
    return draft.laid_over(stated, draft.drafted(seen))


def _state(made: Checkpoint, seen: Seen) -> Iterator[str]:
    """Where the work stands as it was stated, what was done here, and the tests."""
    here = draft.drafted(seen).summary
    yield from dict.fromkeys((made.summary, here, made.tests))
    if seen.commit:
        yield f"{seen.branch or 'HEAD'} @ {seen.commit[:12]}"


def _of(items: Iterable[Item]) -> tuple[str, ...]:
    return tuple(item.text for item in items)


def _lines(part: Part, level: tuple[int, int], archive: str, say: Say) -> Iterator[str]:
    items, chars = level
    yield headed(say(part.title))
    if not part.entries:
        yield "- " + say("none")
        return
    kept = part.entries[-items:] if part.newest_last else part.entries[:items]
    yield from (f"- {cut(entry, chars)}" for entry in kept)
    left = len(part.entries) - len(kept)
    if left:
        where = archive or "leftoff session info"
        yield "- " + say("{n} more: {path}", n=left, path=where)
