"""Lineage: which checkpoint came from which, as a graph and as a list."""

from __future__ import annotations

from leftoff.core.chart_graph import MOST, Graph, Knot, graph
from leftoff.core.claims import CONFIRMED, CONTRADICTED, UNKNOWN
from leftoff.core.lineage import note_of
from leftoff.entry.web.charts import drawn
from leftoff.entry.web.scene import ROWS
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from leftoff.entry.web.charts import Drawn
    from leftoff.entry.web.scene import Scene

    Node = Mapping[str, Any]

ROUTE = "/tree"
TITLE = "Lineage"
TEMPLATE = "tree.html"
KEY = "l"
PLACE = 40

WHICH = ("all", "active", "archived")
_UNSEEN = Knot("")
JUDGED = 100
"""Checkpoints whose claims are checked for the picture: the most urgent."""


def facts(scene: Scene) -> dict[str, Any]:
    """What `tree` says, with the verdicts of `status`."""
    which = scene.chosen("which", WHICH, WHICH[0])
    said = scene.kept("tree", f"--{which}")
    status = scene.kept("status", "--limit", str(JUDGED))["data"]
    verdicts = status["verdicts"]
    names = {stream["path"]: stream["name"] for stream in status["streams"] if stream["name"]}
    # trees first: streams without relatives stand below them
    roots = sorted(said["data"]["roots"], key=lambda node: not node["children"])
    every = [*_walk(roots)]
    return {
        "which": which,
        "all": WHICH,
        "graph": scene.made_of(
            (every, verdicts, names),
            ("graph", which),
            lambda: _drawn(scene, every, verdicts, names),
        ),
        "names": names,
        "verdicts": {path: worst(told) for path, told in verdicts.items()},
        "rows": [
            (depth, {**node, "note": note_of(node, scene.say)})
            for depth, node in every[scene.start() : scene.start() + ROWS]
        ],
        "total": len(every),
        "findings": said["findings"][:ROWS],
    }


def _drawn(
    scene: Scene,
    every: Sequence[tuple[int, Node]],
    verdicts: Mapping[str, Any],
    names: Mapping[str, str],
) -> Drawn | None:
    if not every:
        return None
    knots = [_knot(scene, node, verdicts, names) for _, node in every[:MOST]]
    return drawn(graph(_graph(every, knots, scene.say("Lineage")), scene.say), numbers=False)


def worst(told: Mapping[str, Any]) -> str:
    """The word for all claims of a checkpoint: one that is wrong counts more than many right."""
    return next((word for word in (CONTRADICTED, UNKNOWN, CONFIRMED) if told[word]), "")


def _walk(roots: Sequence[Node]) -> Iterator[tuple[int, Node]]:
    """Each node with its depth, a parent before its children."""
    stack = [(0, node) for node in reversed(roots)]
    while stack:
        depth, node = stack.pop()
        yield depth, node
        if children := node["children"]:
            stack += [(depth + 1, child) for child in reversed(children)]


def _graph(every: Sequence[tuple[int, Node]], first: Sequence[Knot], title: str) -> Graph:
    """All of it; only the first, which are drawn, have words."""
    knots = [*first, *[_UNSEEN] * (len(every) - len(first))]
    for at, own in _children(every).items():
        knots[at] = knots[at]._replace(children=own)
    roots = [at for at, (depth, _) in enumerate(every) if not depth]
    return Graph(knots, roots, title)


def _children(every: Sequence[tuple[int, Node]]) -> dict[int, list[int]]:
    """The numbers of those that have any; a parent stands before its children."""
    found: dict[int, list[int]] = {}
    above: list[int] = []
    for at, (depth, node) in enumerate(every):
        if depth:
            found.setdefault(above[depth - 1], []).append(at)
        if node["children"]:
            above[depth:] = [at]
    return found


def _knot(scene: Scene, node: Node, verdicts: Mapping[str, Any], names: Mapping[str, str]) -> Knot:
    note = note_of(node, scene.say)
    return Knot(
        scene.clean(names.get(node["path"]) or node["id"]),
        node["status"],
        worst(verdicts[node["path"]]) if node["path"] in verdicts else "",
        href=scene.link(f"/checkpoint/{node['id']}"),
        about=scene.clean(" ".join(filter(None, (node["date"], node["format"], note)))),
    )
