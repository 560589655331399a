"""What drifted or broke, by level, each with a way out."""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from leftoff.entry.web.scene import Scene

ROUTE = "/doctor"
TITLE = "Doctor"
TEMPLATE = "doctor.html"
KEY = "o"
PLACE = 80
MOST = 200


def facts(scene: Scene) -> dict[str, Any]:
    """What `doctor` says of these checkpoints and of everything around them."""
    told = scene.answer("doctor", *scene.part())
    levels: dict[str, list[dict[str, Any]]] = {}
    for one in told["data"]["worst"][:MOST]:
        levels.setdefault(one["level"], []).append(one)
    return {**told["data"], "levels": levels}
