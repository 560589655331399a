"""next: the one thing to do now, over all streams and formats, with its reason."""

from __future__ import annotations

from leftoff.commands import Call, _work_queue
from leftoff.commands._options import number_option
from leftoff.core.blocks import Block, Heading, Line
from leftoff.core.result import Result
from leftoff.core.stream import broken, several_current
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.advise import Advice
    from leftoff.core.model import Json
    from leftoff.core.stream import Stream

SUMMARY = "Show the one thing to do now, and why; work that has already landed is skipped."
EXAMPLES = (
    "leftoff next",
    "leftoff next --explain",
    "leftoff next --all",
    "leftoff next --limit 5",
    "leftoff next --claim",
)

TRIES = 1000  # each one lost means that somebody else won an item


def arguments(parser: Any) -> None:
    """How much to say, and whether to take the item."""
    parser.add_argument("--explain", action="store_true", help="show what decided the order")
    parser.add_argument("--all", action="store_true", help="show the whole queue")
    parser.add_argument("--limit", metavar="N", help="show the queue, at most N of it")
    parser.add_argument(
        "--claim", action="store_true", help="claim it, so that no other agent gets it"
    )
    parser.add_argument("--team", action="store_true", help="also what other team members left")


def run(call: Call) -> Result:
    """Rank, pass over what landed or is taken, check the claims of what is left on top."""
    if call.args.team:
        from leftoff.commands import _next_team  # nobody without a team pays for it

        return _next_team.run(call, ranked)
    return ranked(call, call.store.streams())


def ranked(call: Call, streams: Sequence[Stream]) -> Result:
    """The answer for these streams."""
    found = _claimed(call, streams) if call.args.claim else _work_queue.gather(call, streams)
    first = next(found.advised, None)
    rest = _work_queue.marked(call, _wanted(call, found.advised))
    data: dict[str, Json] = {
        "next": _work_queue.entry(call, streams, first) if first else None,
        "queue": [*rest],
        "reconcile": [*found.landed],
        "taken": [{"id": one.id, "action": one.action, "by": one.by} for one in found.others],
        "claimed": bool(call.args.claim and first),
        "explain": bool(call.args.explain),
        "more": next(found.advised, None) is not None,
        "degraded": found.degraded,
        "unread": [s.glance.broken_part or s.glance.path for s in streams if s.glance.broken],
    }
    return Result(data, (*broken(streams), *several_current(streams)))


def _wanted(call: Call, behind: Iterator[Advice]) -> Iterator[Advice]:
    """What is shown behind the first one; the others stay in `behind`."""
    if call.args.all and not call.args.limit:
        return behind
    limit = number_option("--limit", call.args.limit, default=1, least=1)
    return (advice for _, advice in zip(range(limit - 1), behind, strict=False))


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The answer first, then why, then what stands in doubt."""
    if data["next"] is None and data["unread"]:
        text = "What to do here is not known: {n} checkpoint(s) cannot be read."
        yield Line(say(text, n=len(data["unread"])), "warn")
    elif data["next"] is None:
        yield Line(say("There is nothing to do here."))
    else:
        yield Heading(say("Next"))
        yield from _work_queue.lines(data["next"], say, explain=data["explain"])
    for entry in data["queue"]:
        yield Line("")
        yield from _work_queue.lines(entry, say, explain=data["explain"])
    yield from _notes(data, say)


def _claimed(call: Call, streams: Sequence[Stream]) -> _work_queue.Queue:
    """The queue, with what was taken for the caller in front; empty when nothing was left."""
    from leftoff.world.taken_work import take

    owner, name = _work_queue.owner(call)
    if owner.pid == 1:
        text = "it would have no owner: no agent and no terminal started this process"
        raise Usage(text, hint="call it from an agent's session or from a terminal")
    for _ in range(TRIES):
        found = _work_queue.gather(call, streams)
        advised = [advice for advice in found.advised if advice.at >= 0]
        offers = [(advice.stream.id, advice.action) for advice in advised]
        if not offers:
            break
        got = take(call.store.state, call.store.place, owner, name, offers)
        if got:
            at = offers.index(got.item)
            return found._replace(advised=iter([advised.pop(at), *advised]))
        # others were faster: now their items count as taken, and the next ones are offered
    return found._replace(advised=iter(()))


def _notes(data: Any, say: Say) -> Iterator[Block]:
    shown = {entry["id"] for entry in (data["next"], *data["queue"]) if entry}
    behind = [name for name in data["reconcile"] if name not in shown]
    if behind:
        text = "Everything queued in {names} has landed: bring it up to date."
        yield Line(say(text, names=", ".join(behind)), "warn")
    for one in data["taken"]:
        text = say("taken by {who}: {action}", who=one["by"], action=one["action"])
        yield Line(f"· [{one['id']}] {text}", "dim")
    if data["claimed"]:
        yield Line(say("It is yours until this session ends, or it is done."), "good")
    said = data["next"] and data["next"]["verdicts"]["degraded"]
    if data["degraded"] and not said:
        yield Line(say("not everything was checked: {why}", why=data["degraded"]), "warn")
    if data["more"]:
        yield Line(say("The whole queue: leftoff next --all"), "dim")
