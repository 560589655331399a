"""Sends rows to the team store in batches: the server takes one over while the next is made here.

Statements that are sent as one text are one transaction, and the server answers a COPY among them
by asking for the rows. Once those are sent it needs nobody until all is done, or undone. No thread
waits for it here: one would have to wait for the interpreter, too, whenever the server answers.
"""

from __future__ import annotations

from select import POLLIN, POLLOUT, poll

from leftoff.record import TYPE_CHECKING
from leftoff.world.team_connection import Talking

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from psycopg.pq.abc import PGconn, PGresult

    from leftoff.world.team_connection import Address
    from leftoff.world.team_schema import Link
    from leftoff.world.team_state import Memory

CHUNK = 1 << 17
"""Bytes that are given to the connection at once: what waits in its buffer is in memory twice."""


class Handover:
    """`with Handover(to, link, memory) as handed:` after the block all of it is in the store.

    One batch is on its way at a time, and remembered once the server has it. Where the block
    fails, what is on its way still counts; who interrupts it does not wait for the server.
    """

    def __init__(self, to: Address, link: Link, memory: Memory) -> None:
        self._to, self._conn, self._memory = to, link.pgconn, memory
        self._leaving = False
        self._entries: Mapping[str, str] = {}

    def __enter__(self) -> Handover:  # noqa: PYI034  # typing.Self says no more
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None or isinstance(error, Exception):
            self.arrived()

    def give(self, statements: str, rows: bytes, entries: Mapping[str, str]) -> None:
        """Begin one transaction, its COPY first; `entries` are what is remembered afterwards.

        Without rows there is nothing to send, only to remember, after all that went before.
        """
        self.arrived()
        if rows:
            with Talking(self._to):
                _begin(self._conn, statements.encode())
                _send(self._conn, rows)
                _close(self._conn)
            self._leaving = True
        self._entries = entries

    def arrived(self) -> None:
        """Wait until the server has what is on its way, and remember that."""
        leaving, self._leaving = self._leaving, False
        entries, self._entries = self._entries, {}
        if leaving:
            with Talking(self._to):
                _end(self._conn)
        self._memory.note(entries)


def _begin(conn: PGconn, statements: bytes) -> None:
    from psycopg.pq import ExecStatus

    conn.send_query(statements)
    _flush(conn)
    first = _answer(conn)
    if not first or first.status != ExecStatus.COPY_IN:
        raise _error(first)


def _send(conn: PGconn, rows: bytes) -> None:
    view = memoryview(rows)
    for at in range(0, len(rows), CHUNK):
        while not conn.put_copy_data(view[at : at + CHUNK]):
            _flush(conn)
        _flush(conn)


def _close(conn: PGconn) -> None:
    """These were all rows: the server goes on alone."""
    while not conn.put_copy_end():
        _flush(conn)
    _flush(conn)


def _end(conn: PGconn) -> None:
    """All answers; the last one comes when the transaction is in the server's log."""
    from psycopg.pq import ExecStatus

    failed = [one for one in _answers(conn) if one.status == ExecStatus.FATAL_ERROR]
    if failed:
        raise _error(failed[0])


def _error(answer: PGresult | None) -> Exception:
    from psycopg import OperationalError
    from psycopg.errors import error_from_result
    from psycopg.pq import DiagnosticField

    if answer and answer.error_field(DiagnosticField.SQLSTATE):
        return error_from_result(answer)
    # the server itself always says which error it is
    return OperationalError(answer.get_error_message() if answer else "no answer")


def _answers(conn: PGconn) -> Iterator[PGresult]:
    while answer := _answer(conn):
        yield answer


def _answer(conn: PGconn) -> PGresult | None:
    while conn.is_busy():
        _wait(conn, POLLIN)
        conn.consume_input()
    return conn.get_result()


def _flush(conn: PGconn) -> None:
    """Send all that is in the buffer, listening meanwhile: a server that is not heard may wait."""
    while conn.flush():
        if _wait(conn, POLLIN | POLLOUT) & POLLIN:
            conn.consume_input()


def _wait(conn: PGconn, what: int) -> int:
    """Until one of these can be done; a signal is heard meanwhile."""
    waiting = poll()
    waiting.register(conn.socket, what)
    return waiting.poll()[0][1]
