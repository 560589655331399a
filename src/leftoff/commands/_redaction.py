"""Redaction as commands use it: the settings' own rules, and a warning about secrets.

What goes on to other people and files loses what the settings name; a person's own words are
written as they are, and where they hold a secret, that is said.
"""

from __future__ import annotations

import os

from leftoff.core.model import Finding
from leftoff.core.redact_setting import Own
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeVar

    from leftoff.commands import Call
    from leftoff.core.draft import Seen
    from leftoff.core.redact import Redactor

    T = TypeVar("T")


def _rules_for(call: Call, folder: str) -> Own:
    """What is set here, and in the project that a session was in, if that is another."""
    own = call.settings.redaction
    if not folder or folder == call.store.root:
        return own
    from leftoff.world.place import find_place
    from leftoff.world.settings import load_or_default

    root = find_place(folder, call.env.get("HOME", "")).root if os.path.isdir(folder) else folder
    other = load_or_default(root, call.env)[0].redaction
    return Own(
        tuple(dict.fromkeys((*own.words, *other.words))),
        tuple(dict.fromkeys((*own.patterns, *other.patterns))),
        own.email or other.email,
        own.phone or other.phone,
    )


def redactor_for(call: Call, agent: str, session: str, folder: str) -> Redactor:
    """How the conversation of a session is redacted; its transcript tells where nobody else did."""
    from leftoff.world.conversation import folder_of
    from leftoff.world.redaction_key import redactor

    return redactor(call.env, _rules_for(call, folder or folder_of(agent, session, call.env)))


def by_own_rules(call: Call, value: T, folder: str = "") -> T:
    """The value without that; where nothing is set, which is nearly always, it costs nothing."""
    own = _rules_for(call, folder)
    if own == Own():
        return value
    from leftoff.core.redact import redacted
    from leftoff.world.redaction_key import redactor

    return redacted(value, redactor(call.env, own))


def seen_by_own_rules(call: Call, seen: Seen, folder: str = "") -> Seen:
    """What a draft is made of; but paths stay, since verdicts go by them."""
    said, stats = by_own_rules(call, (seen.digest, seen.stats), folder)
    return seen._replace(
        digest=said._replace(files=seen.digest.files), stats=stats._replace(files=seen.stats.files)
    )


def warned(words: Iterable[object], path: str) -> tuple[Finding, ...]:
    """A warning where one of the values that somebody gave looks like a secret."""
    from leftoff.core.redact import redacted

    given = list(words)
    if redacted(given) == given:
        return ()
    text = "this looks like it holds a secret; it was written as given"
    fix = "if it is one, remove it from the document and replace the secret itself"
    return (Finding("secret", "warning", path, text, fix),)
