"""team take: put a checkpoint that was pulled into the repository, to go on with it here."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.commands._team_pulled import foreign
from leftoff.core.blocks import Block, Bullets, Line
from leftoff.core.result import Result
from leftoff.errors import NotFound, Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world import team_mirror
from leftoff.world.team_documents import merged_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json


def run(call: Call) -> Result:
    """New files are made; what is there already is merged with, never written over."""
    if not call.args.word:
        raise Usage("take needs a checkpoint", hint="leftoff team pull lists them as OWNER/NAME")
    found = foreign(call, call.args.word)
    if found is None:
        text = f'nothing named "{call.args.word}" was pulled'
        raise NotFound(text, hint="leftoff team pull lists what there is")
    held = team_mirror.mirror(call.store, found.owner)
    made: list[Json] = []
    merged: list[Json] = []
    for part in found.stream.parts:
        path = part.removeprefix(f"{held.root}/")
        (merged if _taken(call, path, held.read(path).text) else made).append(path)
    data: dict[str, Json] = {"id": found.stream.glance.id, "owner": found.owner}
    return Result({**data, "made": made, "merged": merged})


def _taken(call: Call, path: str, text: str) -> bool:
    """Whether it was merged with a file that was there."""
    store = call.store
    if not store.exists(path):
        store.create(path, text)
        return False
    store.change(path, lambda current: merged_file(store, path, None, current, text), check=False)
    return True


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """Which files there are now."""
    if data["made"]:
        yield Line(say("Made from what {owner} pushed:", owner=data["owner"]), "good")
        yield Bullets(tuple(data["made"]))
    if data["merged"]:
        yield Line(say("Merged with what {owner} pushed:", owner=data["owner"]), "good")
        yield Bullets(tuple(data["merged"]))
    text = "Then: leftoff resume {name}"
    yield Line(say(text, name=data["id"]), "dim")
