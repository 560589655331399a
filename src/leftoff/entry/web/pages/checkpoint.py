"""One checkpoint: its claims by verdict, all its fields, and what changed since before."""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from leftoff.entry.web.scene import Scene

ROUTE = "/checkpoint/{name:path}"
TITLE = "Checkpoint"
TEMPLATE = "checkpoint.html"
KEY = ""
PLACE = 0
LONGEST, ITEMS = 40_000, 60
"""Of a text, and of a list, as much as people read on a page; the rest is counted."""
SIDES = ("before", "after")
_ABOVE = frozenset({"id", "name", "status", "updated", "next_actions", "summary"})
"""Fields that stand at the top of the page already."""


def facts(scene: Scene) -> dict[str, Any]:
    """What `status NAME --whole` says, cut to what a page can hold."""
    told = scene.answer("status", "--whole", "--", scene.path["name"])
    said = told["data"]
    verdicts = said["verdicts"]
    return {
        "title": said["stream"]["name"] or said["stream"]["id"],
        "crumb": (scene.say("Where you left off"), scene.link("/")),
        "one": said["stream"],
        "verdicts": verdicts,
        "claims": [*verdicts["open"], *verdicts["held"]][: ITEMS * 4],
        "run": said["run"],
        "fields": {name: _cut(scene, value) for name, value in _below(said["fields"])},
        "documents": [{**one, **_text(scene, one["text"])} for one in said["documents"]],
        "previous": said["previous"],
        "differences": [_difference(scene, one) for one in said["differences"]],
    }


def _below(fields: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in fields.items() if name not in _ABOVE]


def _cut(scene: Scene, value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        return {"text": scene.clean(value)[:LONGEST], "items": [], "more": 0}
    shown = [{**one, "text": scene.clean(one["text"])[:LONGEST]} for one in value[:ITEMS]]
    return {"text": "", "items": shown, "more": len(value) - len(shown)}


def _difference(scene: Scene, one: dict[str, Any]) -> dict[str, Any]:
    sides = {side: [scene.clean(text)[:LONGEST] for text in one[side][:ITEMS]] for side in SIDES}
    more = max(len(one[side]) for side in SIDES) - ITEMS
    return {**one, **sides, "more": max(0, more)}


def _text(scene: Scene, text: str) -> dict[str, Any]:
    """A secret may go over several lines: the whole is redacted before any of it is cut."""
    clean = scene.clean(text)
    return {"text": clean[:LONGEST], "more": max(0, len(clean) - LONGEST)}
