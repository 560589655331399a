"""done --verify: run the command that says when an action is done, and keep what came of it."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.commands._trusted import require
from leftoff.core.done_when import KIND
from leftoff.core.evidence import Tree, to_json
from leftoff.core.model import Evidence, Finding, Item
from leftoff.core.redact import redact
from leftoff.core.result import Result
from leftoff.core.thresholds import span
from leftoff.core.when import stamp
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leftoff.core.model import Json
    from leftoff.core.stream import Glance


def require_trusted(call: Call, action: Item, path: str) -> None:
    """Usage where an action names no command, Untrusted before a person approved it."""
    command = action.get(KIND)
    if not command:
        hint = "give it one with done_when, or complete it without --verify"
        raise Usage(f'"{action.text}" names no command that checks it', hint=hint, where=path)
    require(call, command, path)


def check(call: Call, action: Item) -> tuple[Evidence, tuple[Finding, ...]]:
    """Run a trusted command in the project; evidence is about the files as they were before."""
    from leftoff.world import shell_command, working_tree  # only who verifies pays for subprocess

    command, limit = action.get(KIND), _limit(call)
    before = working_tree.look(call.store.place, call.env) or Tree()
    out = shell_command.run(command, cwd=call.store.root, env=call.env, timeout=limit)
    after = working_tree.look(call.store.place, call.env) or Tree()
    evidence = Evidence(
        command,
        out.code,
        before.commit,
        before.dirty,
        stamp(call.now),
        before.digest,
        out.seconds,
        redact(out.tail),
    )
    return evidence, tuple(_notes(limit if out.timed_out else 0, moved=before != after))


def _notes(limit: float, *, moved: bool) -> Iterator[Finding]:
    if limit:
        text = f"the command was ended after {limit:g} s (see --timeout)"
        yield Finding("timeout", "warning", "", text)
    if moved:
        text = "files changed while the command ran, so this evidence is stale already"
        yield Finding("tree-moved", "warning", "", text, "ignore what it makes in git")


def keep(call: Call, path: str, item: Item, evidence: Evidence) -> None:
    """Record evidence on this machine, for the item as it stands in the document."""
    from leftoff.world.evidence import record

    record(call.store.state, call.store.place, path, item.key, evidence)


def failed(glance: Glance, action: Item, evidence: Evidence, notes: tuple[Finding, ...]) -> Result:
    """The action stays; what the command printed last is shown."""
    data: dict[str, Json] = {"id": glance.id, "path": glance.path, "unverified": action.text}
    return Result(data | shown(evidence), notes, failed=True)


def shown(evidence: Evidence) -> dict[str, Json]:
    """Evidence in the data of a Result."""
    more: dict[str, Json] = {"seconds": round(evidence.seconds, 3), "tail": evidence.tail}
    return {"evidence": to_json(evidence) | more}


def _limit(call: Call) -> float:
    if call.args.timeout is None:
        return call.settings.limits["verify.timeout"]
    seconds = span(call.args.timeout)
    if not seconds:
        raise Usage(f'"{call.args.timeout}" is not a time span', hint="write 90s, 15m or 1h")
    return seconds
