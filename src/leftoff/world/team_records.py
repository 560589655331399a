"""What of this machine goes to the team store as rows: figures, texts, evidence."""

from __future__ import annotations

from leftoff.core import team
from leftoff.core.model import Finding
from leftoff.core.passages import of_document, of_turns
from leftoff.core.session import label
from leftoff.core.team import OFF, TEXT
from leftoff.core.texts import short
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world.conversation import turns
from leftoff.world.evidence import recorded
from leftoff.world.index_postgres import About, rows
from leftoff.world.team_documents import documents
from leftoff.world.team_push import Row, Target, digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from leftoff.core.session import Session
    from leftoff.world.team_exchange import Exchange

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
_AGAIN = "the next push reads it again"


def figures(exchange: Exchange, known: Iterable[Session], told: list[Finding]) -> Iterator[Row]:
    """A row for each session whose project and thread are not `off`.

    One whose id the store cannot hold has another there, and is `told` of.
    """
    for one in known:
        share = exchange.shares.of(one.thread)
        if share.level != OFF:
            there = exchange.session_id(one.id)
            if there != one.id:
                text = f"the team store cannot hold its id; there it is called {there}"
                told.append(Finding("odd-id", "info", one.name, text))
            held = one._replace(id=there, parent=exchange.session_id(one.parent))
            yield Row(one.name, team.figures(held, exchange.origin, share.figures))


def texts(exchange: Exchange, known: Iterable[Session], told: list[Finding]) -> Iterator[Row]:
    """What was said in sessions, where somebody chose to share it, and the words of checkpoints.

    All of it is redacted; a transcript that did not grow is not read again. One that breaks off is
    `told` of, and stays one that was not read.
    """
    for one in known:
        share = exchange.shares.of(one.thread)
        print_of = digest_of(f"{one.size} {one.seen} {one.stats.lines} {one.thread} {share}")
        if share.level == TEXT and exchange.memory.sent.get(f"read {one.name}") != print_of:
            try:
                yield from _spoken(exchange, one, share.visibility, print_of)
            except LeftoffError as error:
                text = f"its conversation was not pushed completely: {error.message}"
                told.append(Finding("not-pushed", "warning", one.name, text, _AGAIN))
    yield from _papers(exchange)


def _spoken(exchange: Exchange, one: Session, visibility: str, print_of: str) -> Iterator[Row]:
    title = exchange.clean(short(label(one), 200))
    where = (
        one.agent,
        exchange.session_id(one.id),
        "transcript",
        "",
        exchange.origin.project,
        one.thread,
    )
    about = About(*where, one.seen, title, visibility)
    told = of_turns(
        turns(one.agent, one.id, exchange.env, one.transcript, strict=True), exchange.by
    )
    said = (passage._replace(text=exchange.portable(passage.text)) for passage in told)
    return rows(about, said, {f"read {one.name}": print_of})


def _papers(exchange: Exchange) -> Iterator[Row]:
    """The checkpoints, for the same eyes as the documents themselves."""
    for one in documents(exchange):
        if isinstance(one, Finding):
            continue  # `team_documents.push` says so
        name = f"{exchange.origin.project} {one.path}"
        print_of = digest_of(f"{one.text} {one.thread} {one.visibility}")
        if exchange.memory.sent.get(f"read {name}") != print_of:
            at = one.updated or 0.0
            where = ("", name, "document", one.path, exchange.origin.project, one.thread)
            about = About(*where, at, one.id, one.visibility)
            said = (
                passage
                for path, text in one.texts.items()
                for passage in of_document(
                    text, exchange.store.lens_for(path, text).read(text, path), at, exchange.by
                )
            )
            yield from rows(about, said, {f"read {name}": print_of})


def evidence(exchange: Exchange) -> Iterator[Row]:
    """What was verified here: the command, how it ended, on which commit. Never its output."""
    share, origin = exchange.shares.project, exchange.origin
    if share.level == OFF:
        return
    for path, items in recorded(exchange.store.state, exchange.store.place).items():
        for (item, command), one in items.items():
            key = digest_of(f"{item}\n{command}")
            about = (origin.project, path, key, exchange.clean(item), exchange.clean(command))
            ran = (one.exit_code, one.commit, one.dirty, one.at, one.tree, one.seconds)
            yield Row(f"{path} {key}", (*about, *ran, origin.machine, share.documents))
