"""What the journal of a session says of a save: what was stated, and where it stands."""

from __future__ import annotations

from leftoff.commands._caller import put_on
from leftoff.core.session_lines import NOTE, SAVE
from leftoff.core.texts import short
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world import journal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from leftoff.commands import Call
    from leftoff.commands._caller import Who
    from leftoff.core.model import Json

LONGEST, MOST = 400, 20
"""Characters of a text, and entries of a list."""


def tell(call: Call, who: Who, path: str, given: Mapping[str, Any], thread: str = "") -> None:
    """The save stands without it: a journal that cannot be written is doctor's matter."""
    if who is None:
        return
    state, said = call.store.state, _stated(given)
    try:
        if said:
            journal.append(state, *who, {"at": call.now, "event": NOTE, **said})
        if thread:
            put_on(call, who, thread)
        journal.append(state, *who, {"at": call.now, "event": SAVE, "path": path})
    except LeftoffError:
        return


def _stated(given: Mapping[str, Any]) -> dict[str, Json]:
    """In the words of `session note`: a text, the outcome and task, decisions and next steps."""
    texts = {name: given.get(key) for name, key in _TEXTS.items()}
    said: dict[str, Json] = {name: short(text, LONGEST) for name, text in texts.items() if text}
    for name, field in (("decisions", "decisions"), ("next", "next_actions")):
        if field in given:
            entries: list[Json] = [short(item.text, LONGEST) for item in given[field]]
            said[name] = entries[:MOST]
    return said


_TEXTS = {"text": "note", "outcome": "outcome", "task": "task"}
