"""What of this machine goes to the team store: figures, evidence and texts, as rows."""

from __future__ import annotations

from leftoff.core import team
from leftoff.core.redact import redact
from leftoff.core.session import label
from leftoff.core.team import OFF, TEXT
from leftoff.core.team_paths import portable
from leftoff.core.texts import short
from leftoff.record import TYPE_CHECKING
from leftoff.world.conversation import turns
from leftoff.world.evidence import recorded
from leftoff.world.team_push import Row, Target, digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from leftoff.core.session import Session
    from leftoff.world.team_desk import Desk

TEXTS = Target(
    "session_text",
    (
        *((name, "text") for name in ("agent", "id")),
        ("part", "integer"),
        *((name, "text") for name in ("project", "thread")),
        ("seen", "double precision"),
        *((name, "text") for name in ("title", "body", "words", "visibility")),
    ),
    ("agent", "id", "part"),
    {"seen": "to_timestamp(s.seen)", "words": "to_tsvector('simple'::regconfig, s.words)"},
    "AND excluded.seen >= t.seen",
    "'session', s.agent || '/' || s.id",
    "agent = %s AND id = %s AND part > %s",
)
EVIDENCE = Target(
    "evidence",
    (
        *((name, "text") for name in ("project", "path", "key", "item", "command")),
        ("exit_code", "integer"),
        ("commit", "text"),
        ("dirty", "boolean"),
        *((name, "text") for name in ("at", "tree")),
        ("seconds", "double precision"),
        *((name, "text") for name in ("machine", "visibility")),
    ),
    ("project", "path", "key"),
    only="AND excluded.at >= t.at",
)


def figures(desk: Desk, known: Iterable[Session]) -> Iterator[Row]:
    """A row for each session whose project and thread are not `off`."""
    for one in known:
        share = desk.shares.of(one.thread)
        if share.level != OFF:
            yield Row(one.name, team.figures(one, desk.origin, share.figures))


def texts(desk: Desk, known: Iterable[Session]) -> Iterator[Row]:
    """The conversations that somebody chose to share, redacted, in parts of bounded length.

    A transcript that did not grow is not read again.
    """
    for one in known:
        share = desk.shares.of(one.thread)
        mark = f"read {one.name}"
        print_of = digest_of(f"{one.size} {one.seen} {one.stats.lines} {one.thread} {share}")
        if share.level == TEXT and desk.memory.sent.get(mark) != print_of:
            yield from _parts(desk, one, share.visibility, {mark: print_of})


def _parts(desk: Desk, one: Session, visibility: str, ends: dict[str, str]) -> Iterator[Row]:
    """The last part says that all of them are there, and which older ones are too many."""
    said = [*team.parts(turns(one.agent, one.id, desk.env, one.transcript))]
    title = redact(short(label(one), 200))
    for at, body in enumerate(said):
        text = portable(redact(body), desk.store.root, desk.home)
        about = (one.agent, one.id, at, desk.origin.project, one.thread, one.seen)
        words = text if at else f"{title}\n{text}"
        row = Row(f"{one.name} {at}", (*about, title, text, words, visibility))
        is_last = at == len(said) - 1
        yield row._replace(ends=ends, last=(one.agent, one.id, at)) if is_last else row


def evidence(desk: Desk) -> Iterator[Row]:
    """What was verified here: the command, how it ended, on which commit. Never its output."""
    share, origin = desk.shares.project, desk.origin
    if share.level == OFF:
        return
    for path, items in recorded(desk.store.state, desk.store.place).items():
        for (item, command), one in items.items():
            key = digest_of(f"{item}\n{command}")
            about = (origin.project, path, key, redact(item), redact(command))
            ran = (one.exit_code, one.commit, one.dirty, one.at, one.tree, one.seconds)
            yield Row(f"{path} {key}", (*about, *ran, origin.machine, share.documents))
