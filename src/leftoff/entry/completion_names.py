"""What a shell completes: the names of checkpoints and threads here, one on a line.

Asked at each press of a key, so it loads as little as `list` does, and never says that something
is wrong. A shell may expand what it is given: only names that mean nothing to one are told.
"""

from __future__ import annotations

from leftoff.commands import plainly
from leftoff.core.ids import is_name
from leftoff.core.model import ARCHIVED
from leftoff.entry.arguments import Parser
from leftoff.entry.calls import call_for
from leftoff.entry.verbs import add_common
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST = 500
"""More than anybody reads."""


def here(cwd: str, env: Mapping[str, str]) -> list[str]:
    """Their ids, those that are worked on first."""
    parser = Parser()
    add_common(parser)
    try:
        store = call_for(parser.parse(()), cwd=cwd, env=env, say=plainly, caller=None).store
        found = [stream.glance for stream in store.streams()]
    except LeftoffError:
        return []
    found.sort(key=lambda one: (one.status == ARCHIVED, one.id))
    return [*dict.fromkeys(one.id for one in found if is_name(one.id))][:MOST]
