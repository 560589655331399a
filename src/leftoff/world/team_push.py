"""Rows to the team store: copied in batches, each taken over whole, once, and then remembered.

COPY does not work on tables with row-level security: it goes to a temporary table, and from there
by INSERT ... ON CONFLICT, while the next batch is made. Whatever breaks in between, the next push
sends again what was not remembered, and the keys make it the same rows.
"""

from __future__ import annotations

from hashlib import blake2b

from leftoff.core.redact import PLAIN, holds_secret, redacted
from leftoff.core.team import Figures, batches, copy_line, storable
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.team_batches import Handover
from leftoff.world.team_connection import Talking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from leftoff.core.redact import Redactor
    from leftoff.world.team_connection import Address
    from leftoff.world.team_schema import Link
    from leftoff.world.team_state import Memory

NOTHING: Mapping[str, str] = {}
BATCH = 5000
"""Rows of one transaction: what a break costs at most, and enough to forget the round trips."""


class Target(Record):
    """Where rows of a kind go: the table, its columns and key, and when a row takes a place."""

    table: str
    columns: tuple[tuple[str, str], ...]
    """name and type, as they are copied"""
    key: tuple[str, ...]
    takes: Mapping[str, str] = NOTHING
    """what is put into a column, where it is not simply what was copied"""
    only: str = ""
    """another condition for the place of an older row"""
    tombs: str = ""
    """what of the copied row names its tombstone: kind and key"""
    surplus: str = ""
    """which older rows go when the last row of something came"""
    cleaned: tuple[str, ...] = ()
    """columns whose values were redacted one by one when they were made"""
    one_by_one: bool = True
    """whether each row is remembered; else only what ends with one"""


class Row(Record):
    """What is to be sent: by which name it is remembered, and its cells."""

    name: str
    values: tuple[object, ...]
    ends: Mapping[str, str] = NOTHING
    """what else may be remembered once this row, and all before it, are taken over"""
    last: tuple[object, ...] = ()
    """it is the last row of something: the values for `Target.surplus`"""


class Counts(Record):
    """How many rows were looked at, how many were sent, how many batches that took."""

    known: int = 0
    sent: int = 0
    batches: int = 0


_TIMES = ("started", "seen", "ended")
_TYPES = {"str": "text", "int": "bigint", "float": "double precision"}
STATS = Target(
    "session_stats",
    tuple(
        (name, _TYPES[str(kind).partition(" ")[0]])
        for name, kind in Figures.__annotations__.items()
    ),
    ("agent", "id"),
    {name: f"to_timestamp(s.{name})" for name in _TIMES},
    # another machine may know more of the same session
    "AND excluded.seen >= t.seen",
    "'session', s.agent || '/' || s.id",
)


def push(  # noqa: PLR0913  # how, each by its name
    to: Address,
    link: Link,
    target: Target,
    rows: Iterable[Row],
    memory: Memory,
    *,
    by: Redactor = PLAIN,
    size: int = BATCH,
) -> Counts:
    """Send what the store does not have from here yet."""
    counts = Counts()
    with Talking(to):
        link.execute(_staging(target))
    with Handover(to, link, memory) as handed:
        for batch in batches(rows, size):
            new = [*_unknown(batch, target, memory, by)]
            ends = {name: digest for row in batch for name, digest in row.ends.items()}
            sent_now = {name: digest for name, digest, _ in new} if target.one_by_one else {}
            handed.give(_statements(link, target, batch), _copied(new), sent_now | ends)
            sent, busy = counts.sent + len(new), counts.batches + bool(new)
            counts = Counts(counts.known + len(batch), sent, busy)
    return counts


def _unknown(
    batch: list[Row], target: Target, memory: Memory, by: Redactor
) -> Iterator[tuple[str, str, str]]:
    """The rows that are new or changed: their name, their hash and the line to copy."""
    at = [
        n
        for n, (name, kind) in enumerate(target.columns)
        if kind == "text" and name not in target.cleaned
    ]
    if holds_secret("\n".join({str(row.values[n]) for row in batch for n in at}), by):
        batch = [row._replace(values=redacted(row.values, by)) for row in batch]
    for row in batch:
        line = copy_line(row.values)
        digest = digest_of(line)
        name = f"{target.table} {row.name}"
        if memory.sent.get(name) != digest:
            yield name, digest, line


def _statements(link: Link, target: Target, batch: list[Row]) -> str:
    """One transaction: the rows come, they are taken over, what is too many goes."""
    copy = f"COPY pg_temp.new_{target.table} FROM STDIN"
    return ";".join([copy, _taken_over(target), *_trims(link, target, batch)])


def _trims(link: Link, target: Target, batch: list[Row]) -> Iterator[str]:
    """What became shorter leaves no end of its older self behind."""
    from psycopg import ClientCursor

    mine = "owner = current_user::text"
    gone = f"DELETE FROM leftoff.{target.table} WHERE {mine} AND "  # noqa: S608  # our own names
    quoting = ClientCursor(link)
    lasts = ([*map(storable, row.last)] for row in batch if row.last)
    return (quoting.mogrify(gone + target.surplus, last) for last in lasts)


def digest_of(text: str) -> str:
    """What tells one content from another."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def _copied(new: list[tuple[str, str, str]]) -> bytes:
    lines = "".join([f"{line}\t{digest}\n" for _, digest, line in new])
    return lines.encode("utf-8", "replace")


def _staging(target: Target) -> str:
    """It is empty again after each transaction."""
    columns = ", ".join(f"{name} {kind}" for name, kind in target.columns)
    named = f"new_{target.table} ({columns}, hash text)"
    return f"CREATE TEMPORARY TABLE IF NOT EXISTS {named} ON COMMIT DELETE ROWS"


def _taken_over(target: Target) -> str:
    """From the temporary table into the real one; rows that are the same are not touched."""
    names = [name for name, _ in target.columns] + ["hash"]
    values = ", ".join(target.takes.get(name, f"s.{name}") for name in names)
    rest = [name for name in names if name not in target.key]
    changes = ", ".join(f"{name} = excluded.{name}" for name in rest)
    key = ", ".join(target.key)
    where = ""
    if target.tombs:
        where = f"""WHERE NOT EXISTS (SELECT FROM leftoff.tombstones d
            WHERE d.owner = current_user::text AND (d.kind, d.key) = ({target.tombs}))"""
    # in the order of the key: two machines of one person never wait for each other in a circle
    return f"""
        INSERT INTO leftoff.{target.table} AS t (owner, {", ".join(names)})
        SELECT current_user, {values} FROM pg_temp.new_{target.table} s {where}
         ORDER BY {", ".join(f"s.{name}" for name in target.key)}
        ON CONFLICT (owner, {key}) DO UPDATE SET {changes}, pushed = now()
         WHERE t.hash <> excluded.hash {target.only}
    """  # noqa: S608  # tables and columns are ours, values are copied
