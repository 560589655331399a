"""Names are checked here, once, before any of them becomes a path."""

from __future__ import annotations

from leftoff.errors import Usage

LONGEST = 120
_JOINTS = dict.fromkeys(map(ord, "._-"))


def check_name(name: str, kind: str = "name") -> str:
    """The name itself when it is safe as one path segment; Usage otherwise.

    Letters and digits of any script, `.`, `_` and `-`; it begins with a letter or digit. That
    rules out separators, `..`, hidden files, NUL and anything that looks like an option.
    """
    if is_name(name):
        return name
    raise Usage(
        f'"{shown(name)}" is not a {kind}',
        hint="use letters, digits, dots, dashes and underscores, beginning with a letter or digit",
    )


def shown(name: str) -> str:
    """The start of what is no name, for a message: with escapes where it would not be seen."""
    start = name[:60] or "(empty)"
    return start if start.isprintable() else ascii(start)[1:-1]


def is_name(name: str) -> bool:
    """Whether a name is one path segment, and may stand in a command that somebody copies."""
    bare = name.translate(_JOINTS)
    good = bare.isalnum() and name[0].isalnum() and not name.endswith(".")
    return good and len(name.encode("utf-8", "replace")) <= LONGEST


def start_of(session: str) -> str:
    """As much of a session's id as people read and type, and no other session begins with.

    An id that begins with its time needs all of that: those of one minute, or one week, look alike.
    """
    if session.startswith("ses_"):  # OpenCode: twelve digits of time
        return session[:16]
    if session[8:9] == "-" and session[14:15] == "7":  # Codex: a UUID of version 7, milliseconds
        return session[:13]
    return session[:8]


def slug(text: str, fallback: str = "work") -> str:
    """A safe name made from any text."""
    kept = "".join(ch if ch.isalnum() or ch in "._" else "-" for ch in text.casefold())
    parts = [part for part in kept.lstrip("-._").split("-") if part]
    made = "-".join(parts)[:60]
    while len(made.encode()) > 60:
        made = made[:-1]
    return made.strip("-._") or fallback
