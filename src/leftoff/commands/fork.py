"""fork: begin a checkpoint that diverges from another one; both stay active."""

from __future__ import annotations

from leftoff.commands import Call, _begin
from leftoff.core.find_stream import find
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from leftoff.core.result import Result

SUMMARY = "Start a checkpoint that diverges from another one and carries over what still holds."
EXAMPLES = (
    "leftoff fork chk-auth chk-auth-mobile --intent 'The same for the app'",
    "leftoff fork chk-auth chk-auth-mobile --next 'Read the app code' --dry-run",
)
HOLD_A_PARENT = ("md", "skill", "thread")
view = _begin.view


def arguments(parser: Any) -> None:
    """The two names, and what is different for the new one."""
    parser.add_argument("source", metavar="NAME", help="the checkpoint it diverges from")
    parser.add_argument("name", metavar="NEWNAME", help="the name of the new one")
    _begin.arguments(parser)
    parser.add_argument("--dry-run", action="store_true", help="show what would be done")


def run(call: Call) -> Result:
    """What `init NEWNAME --from NAME` does, in the format of the one it comes from."""
    source = find(call.store.streams(), call.args.source).glance
    if source.format not in HOLD_A_PARENT:
        hint = f'start another format from it: "leftoff init {call.args.name} --from {source.id}"'
        raise Usage(f"a {source.format} document names no parent", hint=hint)
    if call.args.current and source.format != "md":
        raise Usage("only a Markdown checkpoint can be current", hint="leave --current out")
    wanted = _begin.Request(
        call.args.name,
        source.format,
        source.path,
        {**_begin.given(call.args), "parent": source.id},
        current=bool(call.args.current),
        dry_run=bool(call.args.dry_run),
    )
    return _begin.begin(call, wanted)
