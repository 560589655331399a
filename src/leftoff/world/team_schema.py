"""The tables of the team store: made and changed by its owner alone, forward only, in versions.

Who sees what is decided here, in the database: each table has row-level security that even its
owner is under, and members have no right to change tables. See docs/decisions/0020.
"""

from __future__ import annotations

from leftoff.errors import NotFound, OtherVersion, Refused
from leftoff.record import TYPE_CHECKING
from leftoff.world.team_connection import Talking
from leftoff.world.team_tables import MIGRATIONS, ROLES

if TYPE_CHECKING:
    from typing import Any

    from psycopg import Connection

    from leftoff.world.team_connection import Address

    Link = Connection[tuple[Any, ...]]

OWNER, MEMBER = "leftoff_owner", "leftoff_member"
VERSION = len(MIGRATIONS)
"""The version of the tables that this program knows."""
PATIENCE = "10s"
"""How long another change of the tables may hold one up."""
_LOCK = 7_033_613_463_786_021_001
"""The advisory lock of whoever changes tables: a number that nothing else uses."""


def init(to: Address, link: Link) -> list[int]:
    """Roles, schema and tables, where they are missing; the versions that were added."""
    with Talking(to), link.transaction():
        _lock(link)
        for statement in ROLES:
            link.execute(statement)
        _refuse_login(link)
        return _brought_up(link)


def migrate(to: Address, link: Link) -> list[int]:
    """Bring the tables to the version of this program; the versions that were added."""
    with Talking(to), link.transaction():
        if not _is_there(link):
            raise _missing()
        _lock(link)
        if version(link) > VERSION:
            raise _too_new(version(link))
        return _brought_up(link)


def _brought_up(link: Link) -> list[int]:
    """All missing versions, or none: this is within one transaction."""
    link.execute(f"SET LOCAL ROLE {OWNER}")
    now = version(link)
    if now > VERSION:
        raise _too_new(now)
    for number in range(now + 1, VERSION + 1):
        for statement in MIGRATIONS[number - 1]:
            link.execute(statement)
        link.execute("INSERT INTO leftoff.versions (version) VALUES (%s)", (number,))
    return [*range(now + 1, VERSION + 1)]


def _lock(link: Link) -> None:
    link.execute(f"SET LOCAL lock_timeout = '{PATIENCE}'")
    link.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))


def _refuse_login(link: Link) -> None:
    """A role that somebody can log in as must not own the tables."""
    can = link.execute("SELECT rolcanlogin FROM pg_roles WHERE rolname = %s", (OWNER,)).fetchone()
    if can and can[0]:
        text = f"the role {OWNER} can log in; the owner of the store must not"
        raise Refused(text, hint="take LOGIN from it, then run it again")


def _is_there(link: Link) -> bool:
    found = link.execute("SELECT to_regclass('leftoff.versions') IS NOT NULL").fetchone()
    return bool(found and found[0])


def version(link: Link) -> int:
    """The version of the tables; 0 where there are none yet."""
    if not _is_there(link):
        return 0
    found = link.execute("SELECT coalesce(max(version), 0) FROM leftoff.versions").fetchone()
    return int(found[0]) if found else 0


def _missing() -> NotFound:
    text = "there is no team store in this database"
    return NotFound(text, hint="its administrator can create one: leftoff team init")


def _too_new(found: int) -> OtherVersion:
    text = f"the team store is of version {found}, and this leftoff knows {VERSION}"
    return OtherVersion(text, hint="install a newer leftoff; nothing was changed")


def check_version(link: Link) -> None:
    """Go on only with tables that are exactly what this program knows."""
    found = version(link)
    if not found:
        raise _missing()
    if found > VERSION:
        raise _too_new(found)
    if found < VERSION:
        text = f"the team store is of version {found}, and this leftoff needs {VERSION}"
        raise OtherVersion(text, hint="its administrator can upgrade it: leftoff team migrate")


def me(link: Link) -> str:
    """Who one is in the store; Refused for who is no member, or stands above the rules."""
    found = link.execute(_WHO, (OWNER, MEMBER)).fetchone()
    assert found
    name, above, member = found
    if above:
        text = f"{name} bypasses the rules of the store, so it cannot be a member"
        raise Refused(text, hint="connect with a role of your own: docs/team.md")
    if not member:
        text = f"{name} is not a member of the team store"
        raise Refused(text, hint=f"its administrator has to run: GRANT {MEMBER} TO {name}")
    return str(name)


_WHO = """
SELECT current_user::text,
       r.rolsuper OR r.rolbypassrls OR pg_has_role(current_user, %s, 'MEMBER'),
       pg_has_role(current_user, %s, 'MEMBER')
  FROM pg_roles r WHERE r.rolname = current_user
"""


def store_id(link: Link) -> str:
    """What tells this store from any other, also from one that stood in the same place before."""
    found = link.execute("SELECT id::text FROM leftoff.store").fetchone()
    return str(found[0]) if found else ""
