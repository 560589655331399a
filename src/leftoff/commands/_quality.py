"""What a new session would be told of some work, by leftoff and by others, at a given budget.

Others: the document itself from its top, the transcript from its end, the summary of the last
compaction. Nothing is written, and nothing that waits for a session is consumed.
"""

from __future__ import annotations

from leftoff.commands import Call, _recover_save
from leftoff.commands._resume_brief import sourced
from leftoff.commands._verdicts import facts_for
from leftoff.core.brief import brief
from leftoff.core.brief_fit import Room
from leftoff.core.brief_parts import Source
from leftoff.core.claims import judge
from leftoff.core.glance import glance
from leftoff.core.quality import Facts, first_of, last_of, of_checkpoint, of_session
from leftoff.core.talk import TOOL
from leftoff.formats import named
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import conversation
from leftoff.world.log_tail import kept_summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from leftoff.core.session import Session
    from leftoff.core.stream import Stream
    from leftoff.core.talk import Turn

LEFTOFF, DOCUMENT, TAIL, SUMMARY = WAYS = ("leftoff", "document", "transcript", "summary")
NAMES = {
    LEFTOFF: "the brief of leftoff",
    DOCUMENT: "the document from its top",
    TAIL: "the transcript's end",
    SUMMARY: "a compaction's summary",
}
"""Who could tell a new session of the work."""


class Work(Record):
    """Some work that was left, what of it must be known, and the texts that could tell it."""

    name: str
    kind: str
    """resume or recover"""
    source: Source
    facts: Facts
    others: dict[str, str]
    """who tells -> the whole of it"""

    def told(self, call: Call, tokens: int) -> dict[str, str]:
        """What each would tell within a budget."""
        own = brief(self.source, Room(tokens), call.now, call.say)
        texts = {LEFTOFF: own.text}
        for way, text in self.others.items():
            texts[way] = last_of(text, tokens) if way == TAIL else first_of(text, tokens)
        return texts


def saved(call: Call, streams: Sequence[Stream], stream: Stream) -> Work:
    """A checkpoint, as `resume` hands it over."""
    source, _ = sourced(call, streams, stream)
    facts = of_checkpoint(source.checkpoint, source.verdicts)
    others = {DOCUMENT: "".join(call.store.raw(path) for path in stream.parts)}
    return Work(stream.glance.id, "resume", source, facts, others)


def unsaved(call: Call, one: Session, *, newest: bool) -> Work:
    """A session that nobody saved, as `recover` and then `resume` hand it over."""
    found = _recover_save.look(call, one, newest=newest, whole=True)
    lens = named("task")
    path = lens.path(found.made)
    # as it will be read: what the format has no place for is not told
    kept = lens.read(_recover_save.text_of(found.made), path)
    seen_as = glance(kept, path, lens.NAME)._replace(touched=one.seen or None)
    facts = facts_for(call, (), [seen_as], deep=True)
    source = Source(kept, seen_as, judge(seen_as, facts))
    known = of_session(found.seen, source.verdicts)
    return Work(one.name, "recover", source, known, talked(call, one))


def talked(call: Call, one: Session) -> dict[str, str]:
    """The conversation of a session, and the summary of its last compaction where it had one."""
    path = conversation.where(one.agent, one.id, call.env, one.transcript)
    turns = conversation.turns(one.agent, one.id, call.env, one.transcript)
    others = {TAIL: "\n".join(_lines(turns))}
    summary = kept_summary(path)
    return {**others, SUMMARY: summary} if summary else others


def _lines(turns: Iterator[Turn]) -> Iterator[str]:
    """Roles and texts, calls in short: more than the raw lines of a transcript say in that room."""
    for turn in turns:
        failed = " (failed)" if turn.ok is False else ""
        yield (
            f"{turn.tool}: {turn.about}{failed}"
            if turn.role == TOOL
            else (f"{turn.role}: {turn.text}")
        )
