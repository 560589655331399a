"""Who came from whom: the lineage of all streams, out of their glances. Pure, and one pass.

Every stream appears exactly once, whatever the documents say: a parent that is missing, a cycle or
an id used twice makes a warning, never a stream that nobody sees.
"""

from __future__ import annotations

from leftoff.core.model import ARCHIVED, COMPLETE, Finding
from leftoff.core.texts import labelled
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from leftoff.core.stream import Glance
    from leftoff.core.texts import Say

    Node = dict[str, Any]

ROOT, UNKNOWN = -1, -2
"""In the place of a parent's number: none is named; the one that is named is not here."""

_LAST = float("inf")
"""In the place of a date that cannot be read."""

DEEPEST = 50
"""Below that a fork stands beside its parent: a drawing has no room, a JSON reader no stack."""


class Forest(Record):
    """Nested nodes (`_node` says what each has), and warnings."""

    roots: list[Node]
    findings: tuple[Finding, ...]


def forest(glances: Sequence[Glance], which: str = "all") -> Forest:
    """The lineage of what `which` (all, active, archived) lets through, oldest first."""
    parents = parents_of(glances)
    loops = _loops(parents)
    ages = [(_LAST if one.born is None else one.born, one.id) for one in glances]
    nodes = _nodes(glances, which)
    roots: list[Node] = []
    for at in sorted(range(len(glances)), key=ages.__getitem__):
        node, parent = nodes[at], parents[at]
        if node is None:
            continue
        if parent >= 0 and at not in loops and nodes[parent]:
            nodes[parent]["children"].append(node)
            continue
        if node["parent"]:
            node["note"] = _note(node, parent, loops.get(at, ()))
        roots.append(node)
    _fold(roots)
    return Forest(roots, (*_warnings(glances, parents, loops), *_twins(glances)))


def parents_of(glances: Sequence[Glance]) -> list[int]:
    """For each stream the number of its parent, ROOT or UNKNOWN; its own format comes first."""
    if not any(one.parent for one in glances):
        return [ROOT] * len(glances)
    exact: dict[tuple[str, str], int] = {}
    loose: dict[str, int] = {}
    for at, one in enumerate(glances):
        exact.setdefault((one.format, one.id), at)
        loose.setdefault(one.id, at)
    return [
        exact.get((one.format, one.parent), loose.get(one.parent, UNKNOWN)) if one.parent else ROOT
        for one in glances
    ]


def unknown_parent(glances: Sequence[Glance], parent: str) -> tuple[Finding, ...]:
    """A warning when a new stream names a parent that is not here; an archived one is."""
    if not parent or any(one.id == parent for one in glances):
        return ()
    text = f'there is no checkpoint "{parent}" here'
    return (Finding("missing-parent", "warning", "parent", text, 'see "leftoff tree"'),)


def active_below(glances: Sequence[Glance], above: Glance) -> list[Glance]:
    """Every descendant, at any depth, whose work is not over; in the order of the lineage."""
    children: dict[int, list[int]] = {}
    for at, parent in enumerate(parents_of(glances)):
        children.setdefault(parent, []).append(at)
    queue = [at for at, one in enumerate(glances) if one.path == above.path]
    seen = set(queue)
    found = []
    for parent in queue:  # it grows while it is walked
        fresh = [at for at in children.get(parent, ()) if at not in seen]
        seen.update(fresh)
        queue += fresh
        found += [glances[at] for at in fresh if glances[at].status not in {ARCHIVED, COMPLETE}]
    return found


def standing(one: Glance) -> str:
    """A stream's status as the lineage shows it: a Markdown checkpoint is current or active."""
    if one.broken:
        return "broken"
    if one.format != "md" or one.status == ARCHIVED:
        return one.status
    return "current" if one.word == "current" else "active"


def mark_authors(roots: Sequence[Node], authors: Mapping[str, str]) -> None:
    """Put into each node who last committed it, where that was somebody else."""
    left = list(roots) if authors else []
    for node in left:  # it grows while it is walked
        node["author"] = authors.get(node["path"], "")
        left += node["children"]


def _node(one: Glance) -> Node:
    return {
        "id": one.id,
        "name": one.name,
        "path": one.path,
        "format": one.format,
        "status": standing(one),
        "date": one.created[:10] if one.born is not None else "",
        "parent": one.parent,
        "note": "",
        "author": "",
        "children": [],
    }


def _nodes(glances: Sequence[Glance], which: str) -> list[Any]:
    """A node for each stream, None for one that is not let through."""
    if which == "all":
        return list(map(_node, glances))
    wanted = which == "archived"
    return [_node(one) if (one.status == ARCHIVED) is wanted else None for one in glances]


def _loops(parents: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Each cycle of parents, by the member that it is cut at: the first one in the order given."""
    loops: dict[int, tuple[int, ...]] = {}
    walked = [0] * len(parents)
    for start, first in enumerate(parents):
        if first < 0 or walked[start]:
            continue
        at, trail = start, []
        while at >= 0 and not walked[at]:
            walked[at] = start + 1
            trail.append(at)
            at = parents[at]
        if at >= 0 and walked[at] == start + 1:
            cycle = tuple(trail[trail.index(at) :])
            loops[min(cycle)] = cycle
    return loops


def _note(node: Node, parent: int, loop: Sequence[int]) -> str:
    """Why a stream that names a parent stands at the top."""
    text = _CYCLE if loop else _MISSING if parent == UNKNOWN else _FROM
    return text.format(parent=node["parent"])


_CYCLE = "cycle: its parent {parent} came from it"
_MISSING = "parent {parent} is missing"
_FROM = "from {parent}"


def note_of(node: Mapping[str, Any], say: Say) -> str:
    """The note of a node in the language of its reader; the node itself has it in English."""
    parent = node["parent"]
    texts = (_CYCLE, _MISSING, _FROM)
    text = next((one for one in texts if one.format(parent=parent) == node["note"]), "")
    return say(text, parent=parent) if text else ""


def _fold(roots: Sequence[Node]) -> None:
    """Let what is deeper than DEEPEST stand beside its parent, with a note that says so."""
    level = list(roots)
    for _ in range(DEEPEST - 1):
        level = [child for node in level for child in node["children"]]
        if not level:
            return
    for last in level:
        flat = last["children"]
        for node in flat:  # it grows while it is walked
            flat += node["children"]
            node["children"] = []
            node["note"] = _FROM.format(parent=node["parent"])


def _warnings(
    glances: Sequence[Glance], parents: Sequence[int], loops: dict[int, tuple[int, ...]]
) -> list[Finding]:
    found = [
        Finding("missing-parent", "warning", one.path, f'its parent "{one.parent}" is not here')
        for one, parent in zip(glances, parents, strict=True)
        if parent == UNKNOWN
    ]
    for cycle in loops.values():
        chain = " → ".join(glances[at].id for at in (*cycle, cycle[0]))
        text = f"a cycle of parents: {chain}"
        found.append(Finding("parent-cycle", "warning", glances[min(cycle)].path, text))
    return found


def _twins(glances: Sequence[Glance]) -> list[Finding]:
    """A warning for each id that several documents of one format use."""
    if len({one.id for one in glances}) == len(glances):
        return []
    users: dict[tuple[str, str], list[str]] = {}
    for one in glances:
        users.setdefault((one.format, one.id), []).append(one.path)
    return [
        Finding("duplicate-id", "warning", paths[0], f'"{name}" is also the id of {others}')
        for (_, name), paths in users.items()
        if (others := ", ".join(paths[1:]))
    ]


# Drawing

ROOT_GLYPH = "⦿"
GLYPHS = {ARCHIVED: "◉"}


def drawing(roots: Sequence[Node], say: Say) -> list[str]:
    """A line for each node, as `tree` draws folders."""
    lines: list[str] = []
    stack = [(node, "", "", ROOT_GLYPH) for node in reversed(roots)]
    while stack:
        node, lead, below, glyph = stack.pop()
        more = f"  {node['format']}" if node["format"] != "md" else ""
        if node["note"]:
            more += f"  ({note_of(node, say)})"
        if node["author"]:
            more += f"  ({say('last committed by {name}', name=node['author'])})"
        date = node["date"] or say("unknown")
        name = labelled(node["id"], node["name"])
        lines.append(f"{lead}{glyph} {name} ({date}) [{node['status']}]{more}")
        children = node["children"]
        if children:
            stack += _branches(children, below)
    return lines


def _branches(children: Sequence[Node], below: str) -> list[tuple[Node, str, str, str]]:
    """What is left to draw under a node, the last one first, as a stack has it."""
    lead, under, mark = f"{below}├── ", f"{below}│   ", GLYPHS.get
    left = [(one, lead, under, mark(one["status"], "○")) for one in reversed(children)]
    left[0] = (left[0][0], f"{below}└── ", f"{below}    ", left[0][3])
    return left
