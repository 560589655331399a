"""What a user or a project has set about redaction: plain data, cheap to load. Pure."""

from __future__ import annotations

from leftoff.record import Record


class Own(Record):
    """What is set: words and patterns, and whether addresses and phone numbers are secrets."""

    words: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    email: bool = False
    phone: bool = False
