"""The connection to the team's PostgreSQL: its address, and errors in one line.

The address is in LEFTOFF_TEAM_URL and nowhere else. It may hold a password: nothing here puts the
address, or what PostgreSQL's library says about it, into a message without looking.
"""

from __future__ import annotations

from leftoff.core.redact import redact
from leftoff.errors import Busy, LeftoffError, Refused, Usage
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from psycopg import Connection

VARIABLE = "LEFTOFF_TEAM_URL"
_SCHEMES = ("postgresql://", "postgres://")
_HERE = ("", "localhost", "127.0.0.1", "::1")
PATIENCE = 10
"""Seconds that the server may take to accept a connection."""
OLDEST = 15
"""The first major version of PostgreSQL that the store works on."""


class Address(Record):
    """Where the store is, and how to call it in a message."""

    given: Mapping[str, Any]
    shown: str
    secret: str


def address(env: Mapping[str, str]) -> Address:
    """What LEFTOFF_TEAM_URL says; Usage, without a word of it, when that is no address."""
    url = env.get(VARIABLE, "")
    if not url:
        text = "there is no team store: LEFTOFF_TEAM_URL is not set"
        raise Usage(text, hint="set it to postgresql://USER@HOST/DATABASE; see docs/team.md")
    given = _parsed(url)
    given.setdefault("connect_timeout", PATIENCE)
    if str(given.get("host", "")) not in _HERE and not str(given.get("host")).startswith("/"):
        given.setdefault("sslmode", "require")  # libpq alone would go on without encryption
    who = given.get("user", "") or env.get("PGUSER", "")
    port = f":{given['port']}" if given.get("port") else ""
    shown = f"{who}@{given.get('host') or 'localhost'}{port}/{given.get('dbname', '')}"
    return Address(given, shown, str(given.get("password") or ""))


def _parsed(url: str) -> dict[str, Any]:
    library = _library()
    try:
        given = library.conninfo.conninfo_to_dict(url) if url.startswith(_SCHEMES) else None
    except (ValueError, library.Error):
        given = None  # what is wrong with it cannot be said without saying it
    if given is None:
        hint = "write it as postgresql://USER@HOST/DATABASE"
        raise Usage("LEFTOFF_TEAM_URL is not an address of PostgreSQL", hint=hint)
    return dict(given)


def connect(to: Address) -> Connection[tuple[Any, ...]]:
    """A connection that looks nothing up by a search path; Busy when nobody answers."""
    with Talking(to):
        link = _library().connect(
            **{key: str(value) for key, value in to.given.items()},
            autocommit=True,
            application_name="leftoff",
            options="-c search_path=pg_catalog,pg_temp -c client_encoding=UTF8",
        )
    if link.info.server_version < OLDEST * 10000:
        version = link.info.server_version // 10000
        link.close()
        text = f"the team store is PostgreSQL {version}; it has to be {OLDEST} or newer"
        raise LeftoffError(text, hint="ask its administrator for a newer one")
    return link  # type: ignore[no-any-return]  # the library is looked up when it is needed


class Talking:
    """Turns what PostgreSQL raises into one line of ours, without the password."""

    def __init__(self, to: Address) -> None:
        self._to = to

    def __enter__(self) -> None:
        """Nothing begins here."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        library = _library()
        if not isinstance(error, library.Error):
            return
        said = _one_line(error, self._to.secret)
        if isinstance(error, library.errors.InsufficientPrivilege):
            hint = "its administrator says who may do what: docs/team.md"
            raise Refused(f"the team store refuses that: {said}", hint=hint) from None
        if isinstance(error, _passing(library)):
            hint = "nothing is lost: run it again when the server answers"
            raise Busy(f"the team store does not answer: {said}", hint=hint) from None
        raise LeftoffError(f"the team store says: {said}") from None


def _passing(library: Any) -> tuple[type[Exception], ...]:
    """What goes away by itself: no server, a server that ends or starts, a lock, a deadlock."""
    found = library.errors
    return (
        *(library.OperationalError, library.InterfaceError),
        *(found.LockNotAvailable, found.DeadlockDetected, found.SerializationFailure),
    )


def _one_line(error: Any, secret: str) -> str:
    said = error.diag.message_primary or str(error)
    line = " ".join(said.split())
    return redact(line.replace(secret, "***") if secret else line)[:300]


def _library() -> Any:
    """psycopg, which nobody without a team store has to install or load."""
    try:
        import psycopg
        import psycopg.conninfo
    except ImportError:
        hint = "install it: pip install 'leftoff[team]'"
        raise LeftoffError("the team store needs the package psycopg", hint=hint) from None
    return psycopg
