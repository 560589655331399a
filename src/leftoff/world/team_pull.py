"""From the team store to this machine: the checkpoints of a project that one may see."""

from __future__ import annotations

from leftoff.core.fast_json import loads
from leftoff.core.model import Finding
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import team_mirror
from leftoff.world.team_documents import is_ours
from leftoff.world.team_mirror import Entry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.world.team_exchange import Exchange

AT_ONCE = 200
"""Documents that are asked for in one query."""


class Pulled(Record):
    """How many there are, how many came or changed, how many went, and what could not be kept."""

    known: int
    new: int
    gone: int
    findings: tuple[Finding, ...]


def pull(exchange: Exchange) -> Pulled:
    """Fetch what is new, drop what is no longer there; a repository's files are never touched."""
    store = exchange.store
    rows = exchange.fetched(_LIST, exchange.origin.project)
    there = [Entry(owner, machine, path, digest, ()) for owner, machine, path, digest in rows]
    wanted = {
        (one.owner, one.path): one
        for one in there
        if not (one.owner == exchange.me and is_ours(exchange, one.path, one.hash))
    }
    had = team_mirror.entries(store.state, store.root)
    held = {key: one for key, one in had.items() if key in wanted and one.hash == wanted[key].hash}
    news = [one for key, one in wanted.items() if key not in held]
    findings: list[Finding] = []
    for entry in _laid_down(exchange, news, findings):
        held[entry.owner, entry.path] = entry
    gone = [one for key, one in had.items() if key not in wanted]
    for one in gone:
        team_mirror.remove(store, one)
    team_mirror.keep(store.state, store.root, exchange.me, held)
    return Pulled(len(held), len(news) - len(findings), len(gone), tuple(findings))


def _laid_down(exchange: Exchange, news: list[Entry], findings: list[Finding]) -> Iterator[Entry]:
    for at in range(0, len(news), AT_ONCE):
        some = news[at : at + AT_ONCE]
        keys = [one.owner for one in some], [one.path for one in some]
        rows = exchange.fetched(_TEXTS, *keys, exchange.origin.project)
        found = {(row[0], row[1]): row[2:] for row in rows}
        for one in some:
            row = found.get((one.owner, one.path))
            if row is None:
                continue  # it was taken back just now
            try:
                texts = _texts(row[1])
                entry = one._replace(hash=str(row[0]))
                yield team_mirror.put(exchange.store, exchange.home, entry, texts)
            except (LeftoffError, ValueError, TypeError, AttributeError) as error:
                why = error.message if isinstance(error, LeftoffError) else "it is not a document"
                text = f"what {one.owner} pushed was left out: {why}"
                findings.append(Finding("not-pulled", "warning", one.path, text))


def _texts(documents: Any) -> dict[str, str]:
    said = loads(documents)
    return {str(path): text.replace("\0", "") for path, text in said}


_LIST = """
SELECT owner, machine, path, hash FROM leftoff.checkpoints WHERE project = %s
 ORDER BY owner, path
"""
_TEXTS = """
SELECT c.owner, c.path, c.hash, c.documents::text
  FROM unnest(%s::text[], %s::text[]) AS w(owner, path)
  JOIN leftoff.checkpoints c ON c.owner = w.owner AND c.path = w.path AND c.project = %s
"""
