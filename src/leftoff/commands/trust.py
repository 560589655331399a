"""trust: which commands the documents of this project would run, and a person's word on each."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.core.blocks import Block, Line
from leftoff.core.caller import Caller, agent_among, is_person
from leftoff.core.done_when import KIND, actions, visible
from leftoff.core.find_stream import find
from leftoff.core.result import Ask, Choice, Result
from leftoff.core.stream import broken
from leftoff.errors import Untrusted, Usage
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import trust
from leftoff.world.facts import authors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.core.stream import Stream

SUMMARY = (
    "Show the commands that documents name, and approve them (only a person at a terminal may)."
)
EXAMPLES = ("leftoff trust", "leftoff trust checkout", "leftoff trust checkout --revoke")
SHORT = 12


class _Named(Record):
    """A command of a document, and where it stands."""

    text: str
    path: str
    action: str
    key: str
    trusted: bool


def arguments(parser: Any) -> None:
    """Which document, and what to do."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="only this checkpoint's commands")
    parser.add_argument("--grant", metavar="ID", help="approve the command with this id")
    parser.add_argument("--revoke", action="store_true", help="withdraw the approval")


def run(call: Call) -> Result:
    """List; grant or revoke first when asked to. What is granted is named by its very text."""
    if call.args.grant is not None and call.args.revoke:
        raise Usage("--grant and --revoke cannot be used together", hint="give one of them")
    streams = call.store.streams()
    chosen = [find(streams, call.args.name)] if call.args.name else streams
    names = trust.identities(call.store.place, call.env)
    repository = names[0]
    found = _named(call, chosen, names)
    if call.args.grant is not None:
        _grant(call, found, repository)
    elif call.args.revoke:
        for text in dict.fromkeys(one.text for one in found):
            for name in names:
                trust.revoke(call.store.state, trust.Subject(KIND, name, text), call.now)
    now = _named(call, chosen, names)
    others = authors(call.store, {one.path for one in now}, call.env)
    commands: list[Json] = [
        {**one._asdict(), "key": one.key[:SHORT], "author": others.get(one.path, "")} for one in now
    ]
    data: dict[str, Json] = {"repository": repository, "commands": commands}
    asks = None if call.args.revoke or not _person(call) else _ask(now)
    return Result(data, broken(streams), asks)


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """Each command, exactly as it would run."""
    if not data["commands"]:
        yield Line(say("No document here names a command."))
    for one in data["commands"]:
        word = say("trusted") if one["trusted"] else say("not trusted")
        yield Line(f"{word}: {visible(one['text'])}", "good" if one["trusted"] else "warn")
        yield Line(f"  {one['path']}: {visible(one['action'])}", "dim")
        if one["author"]:
            by = say("last committed by {name}", name=visible(one["author"]))
            yield Line(f"  {by}", "warn")


def _named(call: Call, streams: Sequence[Stream], names: Sequence[str]) -> list[_Named]:
    state = call.store.state
    readable = [stream for stream in streams if not stream.glance.broken]
    found = [(s.glance.path, a) for s in readable for a in actions(call.store.read_stream(s))]
    subjects = [trust.Subject(KIND, names[0], action.get(KIND)) for _, action in found]
    return [
        _Named(
            s.text,
            path,
            action.text,
            trust.key(s),
            trust.is_trusted_in(state, names, KIND, s.text),
        )
        for (path, action), s in zip(found, subjects, strict=True)
    ]


def _grant(call: Call, found: Sequence[_Named], repository: str) -> None:
    """The id is a digest of the text: a document that changed is not what was read."""
    _require_person(call)
    wanted = call.args.grant
    texts = {one.text for one in found if one.key[:SHORT] == wanted}
    if wanted == _all_of(found):
        texts = {one.text for one in found if not one.trusted}
    if not texts:
        raise Usage(
            "no command here has that id; nothing was approved",
            hint="the document may have changed since: look at the list again",
        )
    for text in texts:
        subject = trust.Subject(KIND, repository, text)
        trust.grant(call.store.state, subject, call.now, trust.PERSON)


def _person(call: Call) -> bool:
    return is_person(call.caller() if call.caller else Caller(), call.env)


def _require_person(call: Call) -> None:
    if _person(call):
        return
    caller = call.caller() if call.caller else Caller()
    agent = agent_among(caller.ancestors or (), call.env)
    why = f"this runs under {agent}" if agent else "no person at a terminal is calling"
    raise Untrusted(
        f"only a person may approve a command, and {why}; nothing was approved",
        hint="approval happens in a terminal of your own, outside of any agent",
    )


def _all_of(found: Sequence[_Named]) -> str:
    """An id for all that is not trusted yet, as it reads now."""
    keys = sorted({one.key for one in found if not one.trusted})
    return trust.key(trust.Subject("all", "", "\n".join(keys)))[:SHORT]


def _ask(found: Sequence[_Named]) -> Ask | None:
    new = {one.text: one for one in found if not one.trusted}
    if not new:
        return None
    question = (
        f"{len(new)} command(s) came with this repository and would run on this machine when an "
        "action is verified. Approve which? (nothing: none)"
    )
    choices = [
        Choice(one.key[:SHORT], f"{visible(one.text)}   ({one.path}: {visible(one.action)})")
        for one in new.values()
    ]
    if len(new) > 1:
        choices.append(Choice(_all_of(found), "all of them"))
    return Ask(question, tuple(choices), "--grant")
