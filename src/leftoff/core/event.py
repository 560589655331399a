"""What happens in a session, in one set of words for all clients.

An adapter turns a payload into a `ParsedPayload`; nothing above it knows a client's field names.
The hook path imports this: no more than the records.
"""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Literal

START, PROMPT, STOP, END = "start", "prompt", "stop", "end"
COMPACTING, SUMMARY, COMPACTED = "compacting", "summary", "compacted"
EVENTS = (START, PROMPT, STOP, COMPACTING, SUMMARY, COMPACTED, END)
FREQUENT = (PROMPT, STOP)
"""These come with every turn: they load C modules and this package's hot modules only."""

OWN = "<leftoff id=", "</leftoff>"
"""All text that leftoff gives to a model stands between these, so that it is known as its own."""

_NESTED = 8
"""How often a text is looked through: nobody but who wants to waste our time needs more."""

SHRUNK = 0.6
"""A context of less than this part of what it was has been compacted."""

CONTEXT, BLOCK, GO_ON = "context", "block", "go on"
"""What a reply does: give the model a text, refuse a prompt, or make a turn go on."""

if TYPE_CHECKING:
    Verb = Literal["context", "block", "go on"]


class ParsedPayload(Record):
    """What one payload says. Prompt and answer are texts of the user: they are never journaled."""

    session: str
    cwd: str = ""
    transcript: str = ""
    key: str = ""
    """what makes this event one (a prompt's or turn's id); empty: the size of the transcript"""
    source: str = ""
    """why: startup, resume, clear, fork, compact; manual, auto; or the reason of an end"""
    mode: str = ""
    model: str = ""
    prompt: str = ""
    answer: str = ""
    failed: str = ""
    """how a turn ended that did not end well: interrupted, or the client's word for an error"""
    again: bool = False
    """the turn had already gone on because of a hook"""
    context: int = 0
    """tokens in the context, where the payload itself says so"""
    window: int = 0


class Usage(Record):
    """How full a context is: tokens in it, the model's window and name where the client says."""

    context: int
    window: int = 0
    model: str = ""


class Happened(Record):
    """One event as the hook path hands it to the ordinary commands."""

    agent: str
    event: str
    payload: ParsedPayload
    state: str
    env: Mapping[str, str]
    now: float
    key: str
    """what makes it one, as `key_of` says: it stands in the journal"""
    size: int = 0
    """of the transcript, in bytes"""
    usage: Usage | None = None
    why: str = "rare"
    """rare, missing, old, crossed, fell, store, offered, run or todo"""
    todo: int = 0
    """where in the end of the transcript the to-do list last changed; 0 where it did not"""


class Answer(Record):
    """What an event says to the client."""

    verb: Verb
    text: str
    trouble: Exception | None = None
    """what could not be kept of the event; the answer is none the worse for it"""


def key_of(event: str, payload: ParsedPayload, size: int) -> str:
    """What makes an event one, for all processes that the client starts for it.

    A turn that goes on ends again under the same id, so an end also counts its transcript, and
    whether it had gone on before: a client may be late in writing its transcript.
    """
    if event == PROMPT:
        return payload.key or str(size)
    again = ":again" if payload.again else ""
    return f"{payload.key or payload.source}:{size or len(payload.answer)}{again}"


def without(said: str, opener: str, closer: str) -> str:
    """A text without what stands between such marks; an opener that is never closed is text."""
    for _ in range(_NESTED):  # what is taken out may leave marks that were around it
        kept = "".join(_outside(said, opener, closer))
        if kept == said:
            break
        said = kept
    return said


def _outside(said: str, opener: str, closer: str) -> Iterator[str]:
    at, start = 0, said.find(opener)
    while start >= 0 and (end := said.find(closer, start)) >= 0:
        yield said[at:start]
        at = end + len(closer)
        start = said.find(opener, at)
    yield said[at:]


def without_own(said: str) -> str:
    """A text without what leftoff gave."""
    return without(said, *OWN) if OWN[0] in said else said
