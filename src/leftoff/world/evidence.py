"""What was verified on this machine: `<state>/evidence/`, private, one line for each run.

Documents of formats without a place for evidence have theirs here, and the output's tail of all.
A damaged line costs that line.
"""

from __future__ import annotations

import os

from leftoff.core.evidence import from_json, to_json
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world.files import read_bytes, write_atomic
from leftoff.world.place import family
from leftoff.world.state import append_line, ensure, place_key

LARGE = 1 << 20
"""Bytes; a file beyond that is written anew with the newest run of each item."""

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leftoff.core.model import Evidence
    from leftoff.world.place import Place


def record(state: str, place: Place, path: str, key: str, evidence: Evidence) -> None:
    """Keep evidence for the item with that key in the document at `path`."""
    from json import dumps  # only who verifies pays

    from leftoff.world.locks import locked

    own = {"seconds": round(evidence.seconds, 3), "tail": evidence.tail}
    about = {"family": family(place), "path": path, "item": key}
    file = _file(state, place)
    with locked(ensure(os.path.dirname(file))):
        append_line(file, dumps(about | to_json(evidence) | own))
        if os.path.getsize(file) > LARGE:
            _keep_newest(file, _lines(state, place))


def _keep_newest(file: str, lines: Sequence[dict[str, object]]) -> None:
    """Of each item and command the last run; older ones say nothing any more."""
    from json import dumps

    newest = {(s.get("family"), s.get("path"), s.get("item"), s.get("command")): s for s in lines}
    text = "".join(f"{dumps(said)}\n" for said in newest.values())
    write_atomic(file, text.encode(), 0o600)


def recorded(state: str, place: Place) -> dict[str, dict[tuple[str, str], Evidence]]:
    """By document the newest evidence of each of its items, by item key and command."""
    found: dict[str, dict[tuple[str, str], Evidence]] = {}
    for said in _lines(state, place):
        evidence = from_json(said)
        if evidence and said.get("family") == family(place):
            items = found.setdefault(str(said.get("path")), {})
            items[str(said.get("item")), evidence.command] = evidence
    return found


def failed_in_a_row(state: str, place: Place, path: str, since: str) -> dict[str, int]:
    """By item key how often a check of the document failed since a time, and never succeeded."""
    found: dict[str, int] = {}
    for said in _lines(state, place):
        evidence = from_json(said)
        ours = said.get("family") == family(place) and said.get("path") == path
        if evidence and ours and evidence.at >= since:
            key = str(said.get("item"))
            found[key] = found.get(key, 0) + 1 if evidence.exit_code else 0
    return {key: count for key, count in found.items() if count}


def _file(state: str, place: Place) -> str:
    return os.path.join(state, "evidence", f"{place_key(family(place))}.jsonl")


def _lines(state: str, place: Place) -> list[dict[str, object]]:
    try:
        data = read_bytes(_file(state, place))
    except LeftoffError:  # none yet; or not readable, and what nobody can read proves nothing
        return []
    from json import loads  # only where there is something to read

    found = []
    for line in data.split(b"\n"):
        try:
            said = loads(line)
        except (ValueError, RecursionError):
            continue  # empty, torn by a crash, or damaged
        if isinstance(said, dict):
            found.append(said)
    return found
