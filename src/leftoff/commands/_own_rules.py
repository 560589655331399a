"""What the settings take out besides secrets, out of texts that go on to other people and files."""

from __future__ import annotations

from leftoff.core.redact_setting import Own
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypeVar

    from leftoff.commands import Call
    from leftoff.core.draft import Seen

    T = TypeVar("T")


def by_own_rules(call: Call, value: T) -> T:
    """The value without that; where nothing is set, which is nearly always, it costs nothing."""
    own = call.settings.redaction
    if own == Own():
        return value
    from leftoff.core.redact import redacted
    from leftoff.world.redaction_key import redactor

    return redacted(value, redactor(call.env, own))


def seen_by_own_rules(call: Call, seen: Seen) -> Seen:
    """What a draft is made of; but paths stay, since verdicts go by them."""
    said, stats = by_own_rules(call, (seen.digest, seen.stats))
    return seen._replace(
        digest=said._replace(files=seen.digest.files), stats=stats._replace(files=seen.stats.files)
    )
