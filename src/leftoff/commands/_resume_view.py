"""resume for people: the brief as it is, what comes beside it, or the documents themselves."""

from __future__ import annotations

from leftoff.commands._resume_states import CHOOSE, CORRUPT, FRESH, LISTED
from leftoff.core.blocks import Block, Bullets, Line, Raw
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say

PENDING = (CHOOSE, LISTED, CORRUPT)
"""What `_resume_pending` shows."""


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The brief as it is; the documents; or that there is nothing."""
    for move in data.get("moved", ()):
        yield Line(f"✓ {move['from']} → {move['to']}", "good")
    if data["state"] == FRESH:
        yield from _view_fresh(data, say)
    elif data["state"] == CHOOSE and isinstance(data["candidates"][0], str):
        yield Line(say("Several checkpoints match equally well:"))
        yield Bullets(tuple(data["candidates"]))
    elif "replay" in data:
        from leftoff.commands import _resume_replay

        yield from _resume_replay.view(data, say)
    elif data["state"] in PENDING:
        from leftoff.commands import _resume_pending

        yield from _resume_pending.view(data, say)
    elif "documents" in data:
        yield from _raw(data["documents"])
    else:
        yield from _view_brief(data, say)


def _view_fresh(data: dict[str, Any], say: Say) -> Iterator[Block]:
    if "unread" in data:
        yield Line(say("{name} is there, but cannot be read.", name=data["unread"]), "bad")
        text = "Its text as it is: leftoff show {name}; mend it before you go on from there"
        yield Line(say(text, name=data["unread"]))
        return
    yield Line(say("Nothing to resume: this is a fresh start."))
    if not data.get("moved"):
        text = (
            "What sessions did here: leftoff status; to draft a checkpoint of it: leftoff recover"
        )
        yield Line(say(text), "dim")
    yield from _view_prompts(data, say)


def _view_brief(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The brief, and what seed C says beside it; what was shown is not shown again."""
    again = data.get("again")
    if not again:
        yield Raw(data["text"])
    if "surface" in data:
        from leftoff.commands import _resume_surface as beside

        yield from () if again else beside.view_surface(data["surface"], say)
        yield from beside.view_reads(data["reads"], say)
    yield from _view_prompts(data, say)


def _view_prompts(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """Blocked prompts, or how many of them, where another question comes first."""
    if "prompts" not in data:
        return
    from leftoff.commands import _resume_replay

    if data["prompts"]["now"]:
        yield from _resume_replay.view_list(data["prompts"], say)
    else:
        count = len(data["prompts"]["entries"])
        text = "Also waiting: {n} blocked prompt(s) (leftoff resume --replay)"
        yield Line(say(text, n=count))


def _raw(documents: Sequence[Any]) -> Iterator[Block]:
    for document in documents:
        if len(documents) > 1:
            yield Line(f"# {document['path']}", "strong")
        yield Raw(document["text"])
