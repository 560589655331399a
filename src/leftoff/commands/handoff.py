"""handoff: the brief of one checkpoint for another agent, machine or person, as one text."""

from __future__ import annotations

import os

from leftoff import agents
from leftoff.commands import Call, _resume_view, _sessions, _threads
from leftoff.commands._hapi_environment import LOCAL, YES, add_machine, add_tools, environment
from leftoff.commands._redaction import by_own_rules
from leftoff.commands._resume_brief import handed, room_of
from leftoff.commands._resume_choice import any_left, nearest, which_of
from leftoff.commands._resume_states import CHOOSE
from leftoff.core.blocks import Block, Line, Raw
from leftoff.core.brief_fit import TOKENS
from leftoff.core.brief_parts import command
from leftoff.core.caller import SESSION_VARIABLE, is_person, without_marks
from leftoff.core.find_stream import find
from leftoff.core.handoff import LARGEST_PROMPT, Git, Work, handoff, pointer, prompt_for
from leftoff.core.model import Finding
from leftoff.core.result import Result, Start
from leftoff.core.stream import broken
from leftoff.core.thread import FORMAT
from leftoff.core.token_estimate import estimate
from leftoff.errors import Conflict, NotFound, Usage
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.clients import found
from leftoff.world.dirty import uncommitted
from leftoff.world.files import Staged, encode
from leftoff.world.git import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.agents import Agent
    from leftoff.commands import Say
    from leftoff.commands._resume_brief import Handed
    from leftoff.core.model import Json
    from leftoff.core.session import Session
    from leftoff.core.stream import Stream
    from leftoff.world.clients import Client

SUMMARY = "Hand work over: one text with the brief, for another agent, machine or person."
EXAMPLES = (
    "leftoff handoff",
    "leftoff handoff chk-auth --out handoff.md",
    "leftoff handoff chk-auth --to codex",
    "leftoff handoff --to claude-code --headless --yes",
)


def arguments(parser: Any) -> None:
    """What, to whom, and how much of it."""
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="the checkpoint (default: as resume chooses)"
    )
    parser.add_argument("--to", metavar="AGENT", help="start this client with it, in the project")
    parser.add_argument("--hapi", action="store_true", help="give it to a new session of Hapi")
    parser.add_argument("--out", metavar="FILE", help="write it to a new file")
    parser.add_argument("--budget", metavar="N", help=f"about how many tokens (default: {TOKENS})")
    parser.add_argument("--pick", metavar="NAME", help="which one, if several match equally well")
    parser.add_argument(
        "--headless", action="store_true", help="--to: without a terminal, until the work is done"
    )
    parser.add_argument(
        "--yes", action="store_true", help="--to: start it even if nobody is at a terminal"
    )
    add_tools(parser)
    add_machine(parser)


def run(call: Call) -> Result:
    """Choose as resume does, compose, write; a client is started only after all of that."""
    if call.args.hapi and call.args.to:
        raise Usage("--hapi and --to cannot be used together", hint="give one of them")
    room, client = room_of(call.args.budget), _client(call)
    streams = call.store.streams()
    near = _near(call, streams)
    if not near:
        raise NotFound("there is no work to hand over", hint="leftoff save begins a thread")
    if len(near) > 1:
        return which_of(near, streams)
    if not near[0].glance.readable:
        return Result({"state": "broken"}, broken(near), broken=True)
    made = handed(call, streams, near[0], room, whole=True)
    work, last = _work(call, near[0], made)
    text = by_own_rules(call, handoff(work, call.say))
    data: dict[str, Json] = {
        "state": "handed",
        **_facts(near[0], work, last),
        "text": text,
        "bytes": len(text.encode()),
        "tokens": estimate(text),
        "out": None,
    }
    launch = _launch(call, client, work, text) if client else None
    if call.args.out:
        data["out"] = _written(os.path.join(call.cwd, call.args.out), text)
    given = Result(data, broken(streams))
    if call.args.hapi:
        return _with_session(call, given, near[0], text)
    return _with_client(call, given, client, launch) if client and launch else given


def _facts(stream: Stream, work: Work, last: Session | None) -> dict[str, Json]:
    session: Json = last and {"agent": last.agent, "id": last.id, "resume": work.native or None}
    dirty = work.git.dirty
    return {
        "id": stream.glance.id,
        "format": stream.glance.format,
        "documents": [*work.documents],
        "git": {
            "branch": work.git.branch or None,
            "commit": work.git.commit or None,
            "uncommitted": None if dirty is None else [*dirty],
        },
        "session": session,
    }


def _near(call: Call, streams: Sequence[Stream]) -> list[Stream]:
    """The named one, else what the calling session is on, else what resume would take up."""
    name = call.args.pick or call.args.name
    if name:
        return [_called(call, streams, name)]
    near = nearest(call, streams, _threads.current(call))
    if near or not any_left(call):
        return near
    from leftoff.commands._resume_pending import newest

    save = newest(call, streams, ())
    return [save[0]] if save else []


def _called(call: Call, streams: Sequence[Stream], name: str) -> Stream:
    """A checkpoint of the project, else a save of this machine: a draft of `recover` is one."""
    try:
        return find(streams, name)
    except NotFound:
        from leftoff.commands._resume_pending import save_named

        save = save_named(call, name) if any_left(call) else None
        if save is None:
            raise
        return save


def _work(call: Call, stream: Stream, made: Handed) -> tuple[Work, Session | None]:
    store, said = call.store, made.facts.repository
    dirty = uncommitted(store.place, call.env, call.patience or PATIENCE)
    last = _last(call, stream)
    return Work(
        id=stream.glance.id,
        project=os.path.basename(store.root),
        brief=made.brief.text,
        documents=tuple(stream.parts),
        git=Git(said.branch, said.head, None if dirty is None else tuple(dirty)),
        session=_named(last, call) if last else "",
        native=_sessions.native(last) if last else "",
        commands=(
            command(made.source, "resume", call.say),
            # what lies outside of the project has no steps that a command could complete
            "" if stream.glance.path.startswith("/") else command(made.source, "done", call.say),
            "leftoff save",
        ),
    ), last


def _last(call: Call, stream: Stream) -> Session | None:
    """The session that worked on it last; where none is bound to it, the project's newest."""
    known = _sessions.gather(call, curves=False)
    on_it = [one for one in known if one.thread and one.thread == stream.glance.id]
    return next(iter(on_it or known), None)


def _named(last: Session, call: Call) -> str:
    row = _sessions.facts(last, call.now, call.settings.limits)
    return f"{last.name} ({_sessions.when_words(row, call.say)})"


def _written(path: str, text: str) -> str:
    """The path; a file that is there is nobody's to write over."""
    with Staged(path) as new:
        new.write(encode(text))
        if not new.claim():
            raise Conflict(f"{path} exists; nothing was written", hint="name another file")
    return path


# --to


class _Launch(Record):
    """How the client is begun, and whether that happens now."""

    words: tuple[str, ...]
    now: bool


def _client(call: Call) -> Client | None:
    """The client to start; refused before anything is written."""
    args = call.args
    if not args.to:
        for option in ("headless", "yes"):
            if getattr(args, option):
                raise Usage(f"--{option} is for --to", hint="name a client with --to AGENT")
        return None
    (client,) = found(call.env, [args.to])
    if not client.agent.BEGIN:
        able = ", ".join(name for name in agents.names() if agents.load(name).BEGIN)
        raise Usage(f"{client.agent.TITLE} cannot be started with a prompt", hint=f"one of {able}")
    if not client.program:
        raise NotFound(
            f"{client.agent.TITLE} is not installed: there is no {client.agent.PROGRAM} on PATH",
            hint="leftoff setup --dry-run shows the clients of this machine",
        )
    return client


def _launch(call: Call, client: Client, work: Work, text: str) -> _Launch:
    args, at = call.args, call.caller() if call.caller else None
    terminal = bool(at and at.terminal)
    now = args.yes or (at is not None and is_person(at, call.env) and not args.json)
    if now and not (terminal or args.headless):
        raise Usage(
            f"{client.agent.TITLE} needs a terminal, and there is none here",
            hint="--headless lets it work without one",
        )
    prompt = prompt_for(text)
    if len(prompt.encode()) > LARGEST_PROMPT:
        if not args.out:
            size = f"{len(prompt.encode()) // 1000} KB"
            raise Usage(
                f"{size} are too long for a command line",
                hint="give a smaller --budget, or --out FILE, which the client is told to read",
            )
        prompt = prompt_for(pointer(work, os.path.join(call.cwd, args.out), call.say))
    return _Launch(_words(client.agent, prompt, headless=args.headless), now)


def _words(agent: Agent, prompt: str, *, headless: bool) -> tuple[str, ...]:
    words = agent.BEGIN_HEADLESS if headless else agent.BEGIN
    return tuple(prompt if word == "{prompt}" else word for word in words)


def _with_session(call: Call, given: Result, stream: Stream, text: str) -> Result:
    """A new session of Hapi begins with the text, and is the active one of the thread."""
    from leftoff.commands._hapi import next_session  # only for who asks for it

    if environment(call) == LOCAL:
        raise Usage(
            "this is not a session of Hapi", hint="leave --hapi out: the text is for anybody"
        )
    if stream.glance.format != FORMAT:
        why = f"{stream.glance.id} is not a thread: a session of Hapi works on one"
        raise Usage(why, hint="leftoff save begins a thread")
    return next_session(call, stream.glance.id, text, wanted=YES).told(given)


def _with_client(call: Call, given: Result, client: Client, launch: _Launch) -> Result:
    root, title = call.store.root, client.agent.TITLE
    data: dict[str, Json] = {
        **given.data,
        "to": client.agent.NAME,
        "command": [*launch.words],
        "folder": root,
        "started": launch.now,
    }
    if not launch.now:
        text = f"{title} was not started: nobody is at a terminal"
        told = Finding("not-started", "info", "", text, "run the command yourself, or add --yes")
        return given._replace(data=data, findings=(*given.findings, told))
    told = Finding("starting", "info", "", f"starting {title} in {root}")
    env = without_marks(call.env)
    env.pop(SESSION_VARIABLE, None)  # the new session is not the one that calls
    start = Start(client.program, launch.words, root, env, alone=bool(call.args.headless))
    return given._replace(data=data, findings=(*given.findings, told), start=start)


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The text itself; with a client, the command where it was not started, else nothing."""
    if data["state"] == CHOOSE:
        yield from _resume_view.view(data, say)
        return
    if data["state"] != "handed":
        return
    if data["out"]:
        yield Line("✓ " + say("wrote {path}", path=data["out"]), "good")
    if data.get("new_session"):
        text = "the new session {session} in Hapi has the hand-off"
        yield Line("✓ " + say(text, session=data["new_session"]), "good")
    if data.get("started") or data.get("new_session"):
        return
    if "command" in data:
        from shlex import join, quote  # only for a command that somebody shall run

        yield Raw(f"cd {quote(data['folder'])} && {join(data['command'])}\n")
    elif not data["out"]:
        yield Raw(data["text"])
