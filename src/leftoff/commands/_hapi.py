"""Under Hapi: the next session of a thread, and the conversation of an earlier one.

Elsewhere nothing here reaches for a hub. Whatever the hub does or does not, what was saved stays
saved: its failures are warnings.
"""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.commands._editing import edit
from leftoff.commands._hapi_environment import HAPI, NO, YES, environment, session_there
from leftoff.commands._threads import work_of
from leftoff.core.fence import one_line
from leftoff.core.hapi_text import handoff
from leftoff.core.ids import is_name
from leftoff.core.model import Finding
from leftoff.core.result import Ask, Choice
from leftoff.core.thread import CLIENT_ID, history, joined, metadata
from leftoff.core.when import stamp
from leftoff.errors import HapiError, LeftoffError
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leftoff.core.model import Checkpoint, Item, Json
    from leftoff.core.result import Result
    from leftoff.core.talk import Turn
    from leftoff.world.hapi_hub import Hub, There

_AGENT = "claude"


class Next(Record):
    """What became of the next session: its id, or a question, or why there is none."""

    session: str = ""
    ask: Ask | None = None
    findings: tuple[Finding, ...] = ()

    def told(self, given: Result) -> Result:
        """The result of a command, with this beside it."""
        return given._replace(
            data={**given.data, "new_session": self.session or None},
            findings=(*given.findings, *self.findings),
            ask=given.ask or self.ask,
        )


def next_session(call: Call, thread: str, text: str = "", *, wanted: str | None = None) -> Next:
    """Start the next session of a saved thread and hand it over, if the caller wants that.

    `text` is the message that it begins with; the usual one unless given. `wanted` is YES or NO;
    None asks.
    """
    if environment(call) != HAPI or wanted == NO:
        return Next()
    if wanted is None:
        choices = (Choice(YES, "yes: it gets the hand-off"), Choice(NO, "no: only save"))
        return Next(ask=Ask("Go on in a new session of Hapi?", choices, "--new-session"))
    from leftoff.world.hapi_hub import hub

    try:
        return _started(call, hub(call.env), thread, text)
    except LeftoffError as error:
        return Next(findings=(_warning(thread, f"no new session in Hapi: {error.message}", error),))


def conversation(call: Call, entry: Item) -> Iterator[Turn]:
    """What was said in a session of a thread; Gone where the hub has it no longer."""
    from leftoff.agents._hapi_talk import turns
    from leftoff.world.hapi_hub import hub

    if environment(call) != HAPI:
        hint = "archive it from a session under Hapi"
        raise HapiError("a conversation that Hapi keeps can only be read under Hapi", hint=hint)
    there = hub(call.env)
    found = there.follow(entry.id, lambda: _client_id(call, entry))
    return turns(there.messages(found.id))


def _started(call: Call, there: Hub, thread: str, text: str) -> Next:
    own = _own(call, there)
    machine = _machine(call, there, own)
    if isinstance(machine, Ask):
        return Next(ask=machine)
    text = text or handoff(_thread(call, thread), call.say)
    session = there.spawn(machine, call.store.root, (own and own.agent) or _AGENT)
    try:
        begun = there.wait_active(session)
        there.send(session, text, f"leftoff-{session}")
    except LeftoffError as error:
        said = f"the new session {session} did not get the hand-off: {error.message}"
        return Next(findings=(_warning(thread, said, error),))
    try:
        _swap(call, thread, own, begun)
    except LeftoffError as error:
        said = f"the new session {session} is not in thread.json: {error.message}"
        return Next(session, findings=(_warning(thread, said, error),))
    return Next(session)


def _own(call: Call, there: Hub) -> There | None:
    """The calling session as the hub knows it; None where it does not, or nobody says which."""
    from leftoff.world.hapi_wire import Gone

    session = session_there(call)
    if not session:
        return None
    try:
        return there.session(session)
    except Gone:
        return None


def _machine(call: Call, there: Hub, own: There | None) -> str | Ask:
    """The local machine; else the one that has the folder; else a person has to say."""
    from leftoff.world.hapi_wire import local_machine

    online = {one.id: one for one in there.machines() if is_name(one.id)}
    wanted = call.args.machine
    if wanted and wanted not in online:
        shown = ", ".join(online) or "none"
        raise HapiError(f'the machine "{wanted[:80]}" is not online', hint=f"online: {shown}")
    if not online:
        raise HapiError("no machine is online", hint="start Hapi's runner on one")
    here = (wanted, local_machine(call.env), own.machine if own else "")
    if known := next((one for one in here if one in online), ""):
        return known
    having = [one for one in online if there.has(one, call.store.root)]
    if len(having) == 1:
        return having[0]
    choices = (online[one] for one in having or online)
    return Ask(
        "On which machine should the new session run?",
        tuple(Choice(one.id, one_line(one.host) or one.id) for one in choices),
        "--machine",
    )


def _thread(call: Call, thread: str) -> Checkpoint:
    """Both parts of a thread, as they are on disk now."""
    return call.store.read_stream(call.store.stream_at(metadata(thread)))


def _swap(call: Call, thread: str, own: There | None, new: There) -> None:
    """One write: the session before is no longer active, the new one is."""
    files, work = call.store.files_in(history(thread)), work_of(call.store, thread)

    def swapped(known: Checkpoint) -> Checkpoint:
        for one in filter(None, (own, new)):
            known = _linked(joined(_adopted(known, one), one.id, _facts(one), files, work), one)
        return known._replace(updated=stamp(call.now))

    edit(call.store, metadata(thread), swapped)


def _adopted(thread: Checkpoint, one: There) -> Checkpoint:
    """With the entry of a session that goes by its client's id under the one that it has here."""
    if any(item.id == one.id for item in thread.sessions):
        return thread
    renamed = (
        item._replace(id=one.id) if item.id.rpartition("/")[2] in one.client else item
        for item in thread.sessions
    )
    return thread._replace(sessions=tuple(renamed))


def _facts(one: There) -> dict[str, Json]:
    return {CLIENT_ID: one.client[0]} if one.client else {}


def _linked(thread: Checkpoint, one: There) -> Checkpoint:
    """With the client's own id in the session's entry, also where the entry was there before."""
    linked = (
        item._replace(attrs={**item.attrs, **_facts(one)}) if item.id == one.id else item
        for item in thread.sessions
    )
    return thread._replace(sessions=tuple(linked))


def _client_id(call: Call, entry: Item) -> str:
    """What the client itself calls a session of Hapi: by thread.json, else by our journals."""
    from leftoff.core.session_lines import session_of
    from leftoff.world import journal

    if known := entry.get(CLIENT_ID) or entry.id.partition("/")[2]:
        return known
    for agent, name, path in journal.all_in(call.store.state):
        if session_of(agent, name, journal.read(path).lines).hapi == entry.id:
            return name
    return ""


def _warning(thread: str, text: str, error: LeftoffError) -> Finding:
    return Finding("hapi", "warning", metadata(thread), text, error.hint)
