"""Checkpoints to the team store and back: redacted, with portable paths, never over what was seen.

One person may push the same document from two machines: what the store has then is merged with
what comes, by the one merge, from what this machine last saw there.
"""

from __future__ import annotations

from json import dumps, loads

from leftoff.core.merge import merge
from leftoff.core.model import Checkpoint, Finding
from leftoff.core.team import OFF, storable
from leftoff.core.thread import FORMAT
from leftoff.errors import FormatError, LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.authors import UNKNOWN
from leftoff.world.facts import authors
from leftoff.world.team_connection import Talking
from leftoff.world.team_push import digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from leftoff.core.stream import Stream
    from leftoff.world.store import Store
    from leftoff.world.team_exchange import Exchange

TRIES = 5
"""How often a document is merged again because another machine was faster."""


class Document(Record):
    """One stream as it travels: its files' texts by their path in the project."""

    path: str
    format: str
    id: str
    thread: str
    updated: float | None
    texts: Mapping[str, str]
    visibility: str

    @property
    def text(self) -> str:
        """The files as one text, always in the same order."""
        return _one_text(self.texts.items())


class Pushed(Record):
    """How many documents there are, how many were sent, and what is to be said of others."""

    known: int = 0
    sent: int = 0
    findings: tuple[Finding, ...] = ()


def documents(exchange: Exchange) -> Iterator[Document | Finding]:
    """The person's own checkpoints; what somebody else committed last is theirs to push."""
    store = exchange.store
    streams = [stream for stream in store.streams() if not stream.glance.broken]
    others = authors(store, [stream.glance.path for stream in streams], exchange.env)
    for stream in streams:
        if others.get(stream.glance.path, UNKNOWN) != UNKNOWN:
            continue
        thread = stream.glance.id if stream.glance.format == FORMAT else ""
        share = exchange.shares.of(thread)
        if share.level != OFF:
            yield _document(exchange, stream, thread, share.documents)


def _document(
    exchange: Exchange, stream: Stream, thread: str, visibility: str
) -> Document | Finding:
    """The stream as it may leave this machine; a finding where that is no document any more."""
    glance, store = stream.glance, exchange.store
    try:
        raw = {path: store.read(path).text for path in stream.parts}
        texts = {path: exchange.clean(text).replace("\0", "") for path, text in raw.items()}
        for path, text in texts.items():
            if text != raw[path]:
                store.lens_for(path, text).read(text, path)
    except LeftoffError as error:
        text = f"it was not pushed: {error.message}"
        return Finding("not-pushed", "warning", glance.path, text)
    about = (glance.path, glance.format, glance.id, thread, glance.touched)
    return Document(*about, texts, visibility)


def push(exchange: Exchange) -> Pushed:
    """Send each document that changed since it was sent."""
    known, sent, memory = 0, 0, exchange.memory
    findings: list[Finding] = []
    for one in documents(exchange):
        if isinstance(one, Finding):
            findings.append(one)
            continue
        known += 1
        name = f"document {exchange.origin.project} {one.path}"
        print_of = digest_of(f"{one.text} {one.thread} {one.visibility}")
        if memory.sent.get(name) != print_of:
            _send(exchange, one)
            saw(exchange, one.path, one.text)
            memory.note({name: print_of})
            sent += 1
    return Pushed(known, sent, tuple(findings))


def saw(exchange: Exchange, path: str, text: str) -> None:
    """Remember what the document here is like as it is in the store: the base of the next merge."""
    exchange.memory.keep_base(digest_of(text), text)
    exchange.memory.note({_base(exchange, path): digest_of(text)})


def is_ours(exchange: Exchange, path: str, digest: str) -> bool:
    """Whether the store has exactly what was pushed from here."""
    return exchange.memory.sent.get(_base(exchange, path)) == digest


def _base(exchange: Exchange, path: str) -> str:
    return f"base {exchange.origin.project} {path}"


def _send(exchange: Exchange, ours: Document) -> None:
    """Put it into the store, merged with what others of one's machines put there."""
    link, origin = exchange.link, exchange.origin
    base = exchange.memory.sent.get(_base(exchange, ours.path), "")
    for _ in range(TRIES):
        with Talking(exchange.to), link.transaction():
            found = link.execute(_THERE, [*map(storable, (origin.project, ours.path))]).fetchone()
            theirs, held = (str(found[0]), str(found[1])) if found else ("", "")
            text = ours.text
            if found and held not in {base, digest_of(text)}:
                text = _merged(exchange, base, text, _one_text(loads(theirs)))
            values = (
                *(origin.project, ours.path, ours.format, ours.id, ours.thread, origin.machine),
                *(ours.updated, text, ours.visibility, digest_of(text), held),
            )
            if link.execute(_PUT, [*map(storable, values)]).rowcount:
                return
    text = f"{ours.path} keeps changing in the team store"
    raise LeftoffError(text, hint="run it again when the other machine is done")


_THERE = """
SELECT documents::text, hash FROM leftoff.checkpoints
 WHERE owner = current_user::text AND project = %s AND path = %s FOR UPDATE
"""
_PUT = """
INSERT INTO leftoff.checkpoints AS t
  (owner, project, path, format, id, thread, machine, updated, documents, visibility, hash)
VALUES (current_user, %s, %s, %s, %s, %s, %s, to_timestamp(%s), %s::jsonb, %s, %s)
ON CONFLICT (owner, project, path) DO UPDATE SET
  format = excluded.format, id = excluded.id, thread = excluded.thread,
  machine = excluded.machine, updated = excluded.updated, documents = excluded.documents,
  visibility = excluded.visibility, hash = excluded.hash, pushed = now()
 WHERE t.hash = %s
"""


def _merged(exchange: Exchange, base: str, ours: str, theirs: str) -> str:
    """Both sides file by file; a file that cannot be read stays as this machine has it."""
    before = exchange.memory.base(base) or "[]"
    sides = [dict(loads(text)) for text in (before, ours, theirs)]
    made = {}
    for path in {**sides[1], **sides[2]}:
        texts = [side.get(path) for side in sides]
        made[path] = merged_file(exchange.store, path, *texts)
    return _one_text(made.items())


def _one_text(files: Iterable[tuple[str, str]]) -> str:
    """Paths and texts as one text, always in the same order."""
    return dumps([[path, text] for path, text in sorted(map(tuple, files))], ensure_ascii=False)


def merged_file(
    store: Store, path: str, base: str | None, ours: str | None, theirs: str | None
) -> str:
    if ours is None or theirs is None or ours == theirs:
        return ours if ours is not None else str(theirs)
    try:
        lens = store.lens_for(path, ours)
        mine, other = lens.read(ours, path), lens.read(theirs, path)
        before = lens.read(base, path) if base else Checkpoint(mine.id)
        result = merge(before, mine, other)
        store.log_losers(path, result.losers)
        return lens.write(result.checkpoint, theirs, path)
    except FormatError:
        return ours
