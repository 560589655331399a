"""A session starts, goes on, or was compacted: journal where it stands, and brief it."""

from __future__ import annotations

from leftoff import agents
from leftoff.commands import _events_notes as notes
from leftoff.commands._caller import saw
from leftoff.commands._events_compaction import LOST_BYTES, summary_in_transcript, told_loss
from leftoff.commands._events_pending import left_for
from leftoff.commands._events_recover import at_start
from leftoff.commands._events_run import run_of
from leftoff.commands._events_scene import (
    DiskErrors,
    Scene,
    Standing,
    brief_mode,
    entrypoint,
    is_attended,
    is_offered,
    known,
    note,
    note_also,
    remember,
    standing,
    told_so_far,
    window,
)
from leftoff.commands._resume_brief import handed
from leftoff.commands._resume_choice import nearest
from leftoff.commands._threads import taken, without
from leftoff.core import context_notice
from leftoff.core.brief_fit import BYTES, Room
from leftoff.core.caller import HAPI_VARIABLE, SESSION_VARIABLE, hapi_session
from leftoff.core.event import END, FREQUENT, START, Answer
from leftoff.core.fence import fenced
from leftoff.core.session_lines import BIND
from leftoff.core.thread import FORMAT, document
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import journal
from leftoff.world.files import modified
from leftoff.world.hook_log import runs
from leftoff.world.liveness import client_of
from leftoff.world.refs import head_of
from leftoff.world.saves import has_loss
from leftoff.world.settings import FULL, OFF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leftoff.commands._events_pending import Left
    from leftoff.core.caller import Process
    from leftoff.core.model import Json
    from leftoff.core.session import Client
    from leftoff.core.stream import Stream

BRIEF_BYTES = 6500
"""Of all that a session is given, so much may be the brief of the work at hand."""
RESUME = "resume"
AT_ONCE = 600.0
"""Seconds between the end of a session and the one that its client goes on with: Copilot CLI begins
that only with its first prompt."""
TOO_SLOW, IN_A_ROW = 1000.0, 10
"""Milliseconds that no turn should wait for us, and how often in a row it may."""


class _Runner(Record):
    """The client's process: what tells it from others, and the words it was started with."""

    client: Client
    words: tuple[str, ...] = ()
    tty: str = ""
    hapi: str = ""
    """the session of Hapi that it belongs to"""


def start(scene: Scene) -> Answer | None:
    """Journal it, bind it, leave `.now`; then whatever the session should know."""
    runner = _runner(scene)
    before = _continues(scene, runner)
    if not note(scene, **_facts(scene, runner, before)):
        return None
    _inherit(scene, before)
    if scene.happened.payload.source in agents.load(scene.happened.agent).LATE_STARTS:
        return None  # nor any `.now`: the first prompt is handed over
    return _begun(scene, runner)


def late_start(scene: Scene) -> Answer | None:
    """What a session should know to which nothing could be said yet, with its first prompt."""
    at = scene.happened
    late = agents.load(at.agent).LATE_STARTS
    since = context_notice.unheard(told_so_far(scene), late) if late else ""
    if not since:
        return None
    runner = _runner(scene)
    if since == END:
        goes_on = scene._replace(happened=at._replace(payload=at.payload._replace(source=RESUME)))
        note_also(scene, START, **_facts(goes_on, runner))
    else:
        note_also(scene, context_notice.NOTICE, what=context_notice.RETOLD)
    return _begun(scene, runner)


def _begun(scene: Scene, runner: _Runner) -> Answer | None:
    attended = _attended(scene, runner)
    stands = standing(scene)
    spoken = context_notice.has_spoken(told_so_far(scene), stands.advise, window(scene))
    remember(scene, stands, noticed=spoken, only_journal=_is_slow(scene), run=run_of(scene))
    _export(scene)
    mode = brief_mode(scene, stands, attended=attended)
    if stands.quiet or mode == OFF:
        return None
    if scene.after_compaction or has_loss(scene.call.store, scene.happened.payload.session):
        summary_in_transcript(scene)
    text = _text(scene, stands, whole=mode == FULL)
    if is_offered(scene):
        remember(scene, stands, noticed=spoken)  # so that the end of the turn is handed over
    return Answer("context", text) if text else None


def _is_slow(scene: Scene) -> bool:
    """Whether hooks of turns were too slow many times in a row: then they only keep a journal."""
    found = (run.ms for run in runs(scene.happened.state) if run.event in FREQUENT)
    last = [*found][-IN_A_ROW:]
    return len(last) == IN_A_ROW and min(last) > TOO_SLOW


def _runner(scene: Scene) -> _Runner:
    at = scene.happened
    above: Sequence[Process] = scene.ancestors() or ()
    client = client_of(at.env, above, agents.load(at.agent))
    places = [place for place, one in enumerate(above) if client.pid and one.pid == client.pid]
    if not places:
        return _Runner(client)
    process = above[places[0]]
    link = hapi_session(at.env.get(HAPI_VARIABLE, ""), above, process.pid)
    return _Runner(client, process.words, process.tty, link)


def _facts(scene: Scene, runner: _Runner, before: str = "") -> dict[str, Json]:
    """What the journal keeps of a start."""
    at, store = scene.happened, scene.call.store
    payload, client = at.payload, runner.client
    branch, commit = head_of(store.place, at.env)
    said: dict[str, Json] = {
        "v": 1,
        "key": f"{at.key}:{client.pid}",
        "source": payload.source,
        "cwd": payload.cwd,
        "root": store.root,
        "branch": branch or None,
        "commit": commit or None,
        "mode": payload.mode or "default",
        "transcript": payload.transcript or None,
        "model": payload.model,
        **client._asdict(),
        "attended": _attended(scene, runner),
        "entrypoint": entrypoint(scene),
    }
    more = {"hapi": runner.hapi, "from": before}
    return {**said, **{name: value for name, value in more.items() if value}}


def _attended(scene: Scene, runner: _Runner) -> bool | None:
    return None if runner.client.shared else is_attended(scene, runner.words, runner.tty)


def _continues(scene: Scene, runner: _Runner) -> str:
    """The session that this one goes on with under a new id, after a clear or a fork."""
    payload = scene.happened.payload
    if payload.source == "fork":
        return _resumed_id(runner.words, payload.session)
    may = payload.source in agents.load(scene.happened.agent).AFTER_CLEAR
    if not may or not runner.client.pid or runner.client.shared:
        return ""
    ended = [one for one in _just_ended(scene) if one[1][:2] == runner.client[:2]]
    return max(ended)[2] if ended else ""


def _just_ended(scene: Scene) -> list[tuple[float, Client, str]]:
    """When it ended, the client, and the id, of the sessions that ended a moment ago."""
    at, found = scene.happened, []
    for agent, name, path in journal.all_in(at.state):
        if agent != at.agent or name == at.payload.session or at.now - modified(path) > AT_ONCE:
            continue
        session = known(scene, name)
        if session.ended and at.now - session.ended <= AT_ONCE:
            found.append((session.ended, session.client, name))
    return found


def _resumed_id(words: Sequence[str], own: str) -> str:
    """The id behind --resume in the words of the client."""
    for word, following in zip(words, (*words[1:], ""), strict=False):  # there may be no words
        name, _, joined = word.partition("=")
        said = joined or following
        if name in {"--resume", "-r", "--session", "resume", "fork"} and _is_id(said, own):
            return said
    return ""


def _is_id(text: str, own: str) -> bool:
    return len(text) >= 8 and text != own and text.replace("-", "").replace("_", "").isalnum()


def _inherit(scene: Scene, before: str) -> None:
    """A session that continues another is on its thread."""
    thread = known(scene, before).thread if before else ""
    if thread and not known(scene).thread:
        note_also(scene, BIND, thread=thread)


def _export(scene: Scene) -> None:
    """Name the session for commands that are run inside it."""
    at = scene.happened
    variable = agents.load(at.agent).EXPORT_VARIABLE
    target = at.env.get(variable, "") if variable else ""
    if not target:
        return
    line = f"export {SESSION_VARIABLE}='{at.agent}/{at.payload.session}'\n"
    try:
        with open(target, "a", encoding="utf-8") as file:
            file.write(line)
    except OSError:
        return  # a command inside the session finds it by its processes


def _text(scene: Scene, stands: Standing, *, whole: bool) -> str:
    """The brief of the work at hand, then everything else worth knowing, in one text."""
    before = at_start(scene)
    most = min(BYTES, agents.load(scene.happened.agent).CONTEXT_BYTES)
    lost = told_loss(scene, min(LOST_BYTES, most), whole=whole)
    streams = scene.call.store.streams()
    memory = _memory(scene, stands)
    room = most - len(memory.encode()) - len(lost.encode())
    left = left_for(scene, stands, streams) if whole else None
    size = min(BRIEF_BYTES, room)
    said, shown = brief_of(scene, stands, streams, size, whole=whole, left=left)
    said = memory + said + lost
    room = most - len(said.encode())
    found = notes.gather(scene, stands, streams, shown, before, whole=whole)
    return said + notes.fitted(found, room, scene.call.say)


def _memory(scene: Scene, stands: Standing) -> str:
    """A session on a thread does not start from zero: where its memory is comes before all else."""
    path = document(stands.thread)
    if not stands.bound or not scene.call.store.exists(path):
        return ""
    text = scene.call.say("You do not start from zero: your memory is {path}", path=path)
    return fenced("memory", f"{text}\n")


def brief_of(  # noqa: PLR0913  # how much of what, for whom
    scene: Scene,
    stands: Standing,
    streams: Sequence[Stream],
    size: int,
    *,
    whole: bool,
    left: Left | None = None,
) -> tuple[str, list[Stream]]:
    """The brief, and the stream it is of; several where nobody can say which one is meant."""
    call = scene.call
    near = [left.stream] if left else _near(scene, stands, streams)
    if len(near) != 1 or not near[0].glance.readable:
        return "", near
    try:
        made = handed(call, streams, near[0], Room(size=size), whole=whole)
    except LeftoffError:
        return "", near  # it broke since it was listed; `notes` tells of broken ones
    if left and not made.source.author:
        left.give(scene)
    if near[0].glance.format == FORMAT and near[0].glance.id == stands.thread and whole:
        own = scene.happened.agent, scene.happened.payload.session
        with DiskErrors(scene.failures):
            saw(call.store, own, document(stands.thread), made.brief.left_out)
    return made.brief.text, near


def _near(scene: Scene, stands: Standing, streams: Sequence[Stream]) -> list[Stream]:
    """What this session may go on with: never the thread that another live session is on."""
    own = scene.happened.agent, scene.happened.payload.session
    free = without(streams, taken(scene.call, own, stands.thread))
    return nearest(scene.call, free, stands.thread)
