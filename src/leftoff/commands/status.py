"""status: where did I leave off? All formats in one table, most urgent first."""

from __future__ import annotations

from os.path import isdir

from leftoff.commands import Call, _hapi_environment, _paging, _status_view, _verdicts, _work_queue
from leftoff.core.blocks import Block, Heading, Line
from leftoff.core.find_stream import find, readable
from leftoff.core.model import ARCHIVED
from leftoff.core.overview import facts, row
from leftoff.core.rank import in_order, waiting
from leftoff.core.result import Result
from leftoff.core.stream import broken, lost_pointer, several_current
from leftoff.core.texts import bytes_words
from leftoff.core.thread import FORMAT
from leftoff.core.thresholds import since as after
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world.agent_traces import any_here

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Checkpoint, Finding, Json
    from leftoff.core.stream import Glance, Stream

SUMMARY = "Show where work was left off: every checkpoint, most urgent first."
EXAMPLES = (
    "leftoff status",
    "leftoff status --brief",
    "leftoff status oc-git-ops",
    "leftoff status --since 2d",
    "leftoff status --everywhere",
)
FINDINGS_IN_VIEW = True
IN_DETAIL = 20  # past that many, the most urgent in detail and the rest as rows of the table


def arguments(parser: Any) -> None:
    """NAME limits it to one checkpoint, in full."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="only this checkpoint, in full")
    parser.add_argument("--brief", action="store_true", help="only the first item and the blockers")
    parser.add_argument(
        "--since", metavar="T", help="details only for what changed since T (or 2d)"
    )
    parser.add_argument("--all", action="store_true", help="archived ones too, all with details")
    parser.add_argument(
        "--everywhere", action="store_true", help="where work stopped, in every project"
    )
    parser.add_argument(
        "--limit", metavar="N", help="at most N of them, and a few sessions: one page of a list"
    )
    _paging.add_from(parser)
    parser.add_argument(
        "--waiting", action="store_true", help="with --limit: only what waits for a decision"
    )
    parser.add_argument(
        "--whole", action="store_true", help="NAME: also all fields, the text and what changed"
    )
    _hapi_environment.add_tools(parser)


def run(call: Call) -> Result:
    """Where we are, then the streams: decided once, told with whatever was asked for."""
    env = _hapi_environment.environment(call)
    result = _asked(call)
    return result._replace(data={"env": env, **result.data})


def _asked(call: Call) -> Result:
    """Gather every stream, rank them, and say what waits for a person."""
    others = call.args.brief or call.args.since or call.args.all
    if call.args.name and (others or call.args.everywhere):
        raise Usage("NAME shows one checkpoint in full", hint="leave NAME or the other option out")
    if call.args.whole and not call.args.name:
        raise Usage("--whole is for one checkpoint", hint="name it")
    if call.args.everywhere:
        return _everywhere(call)
    wanted = _paging.part(call)
    streams = call.store.streams()
    if call.args.name:
        return _one(call, streams, readable(find(streams, call.args.name)))
    if wanted:
        return _part(call, streams, wanted)
    if call.args.waiting:
        raise Usage("--waiting is for --limit", hint="give both, or neither")
    since = after(call.args.since, call.now) if call.args.since else None
    thread = call.store.current_thread()
    shown = [s.glance for s in streams if call.args.all or s.glance.status != ARCHIVED]
    ordered = in_order(one for one in shown if not call.args.brief or _is_in_the_way(one))
    detailed = _detailed(ordered, since, everything=bool(call.args.all))
    data: dict[str, Json] = {
        "root": call.store.root,
        "brief": bool(call.args.brief),
        "since": call.args.since,
        "streams": [*_told(call, ordered, detailed, thread)],
        "detailed": [stream.path for stream in detailed],
        "archived": len(streams) - len(shown),
    }
    if call.args.brief:
        data |= {"next": _first(call, streams), "checkpoints": len(shown)}
    else:
        data |= {**_judged(call, streams, detailed), **_last_sessions(call, shown)}
        data |= _archived(call)
        data["expiring"] = _expiring(call)
    lost = _lost(call, streams, thread)
    if lost:
        data["lost_pointer"] = call.store.pointer()
    return Result(data, (*broken(streams), *several_current(streams), *lost))


def _lost(call: Call, streams: Sequence[Stream], thread: str) -> Sequence[Finding]:
    """The pointer is read once more only where it names no thread that was just listed."""
    here = thread and any(s.glance.format == FORMAT and s.glance.id == thread for s in streams)
    return () if here else lost_pointer(call.store.pointer(), streams)


def _part(call: Call, streams: Sequence[Stream], wanted: _paging.Part) -> Result:
    """A page of the list: these in detail, what is next, and how much there is in all."""
    from leftoff.commands import _status_sessions

    if call.args.brief or call.args.since:
        raise Usage("--limit goes with --all alone", hint="leave the other options out")
    shown = [s.glance for s in streams if call.args.all or s.glance.status != ARCHIVED]
    if call.args.waiting:
        return _waiting(call, [one for one in shown if waiting(one)], wanted)
    part = in_order(shown)[wanted.slice]
    data: dict[str, Json] = {
        "root": call.store.root,
        "streams": [*_told(call, part, part, call.store.current_thread())],
        "total": len(shown),
        "waiting": sum(len(waiting(one)) for one in shown if one.readable),
        "archived": len(streams) - len(shown),
        "next": _first(call, streams),
        **_judged(call, streams, part),
        "sessions": [*_status_sessions.newest(call)]
        if any_here(call.store.state, call.env)
        else [],
    }
    return Result(data, broken(streams))


def _waiting(call: Call, asking: list[Glance], wanted: _paging.Part) -> Result:
    part = in_order(asking)[wanted.slice]
    data: dict[str, Json] = {
        "root": call.store.root,
        "streams": [*_told(call, part, (), call.store.current_thread())],
        "total": len(asking),
        "waiting": sum(len(waiting(one)) for one in asking),
    }
    return Result(data)


def _everywhere(call: Call) -> Result:
    from leftoff.commands import _status_sessions

    if call.args.brief or call.args.since or call.args.all:
        raise Usage(
            "--everywhere cannot be used with --brief, --since or --all",
            hint="leave the other options out",
        )
    return _status_sessions.everywhere(call)


def _last_sessions(call: Call, shown: Sequence[Glance]) -> dict[str, Json]:
    """What agents did here, from history that is on disk anyway; nothing to load where none is."""
    if not shown:
        from leftoff.commands import _first_screen  # nobody saved: sessions are all there is

        return _first_screen.facts(call)
    if not any_here(call.store.state, call.env):
        return {"sessions": []}
    from leftoff.commands import _status_sessions

    return {"sessions": _status_sessions.here(call)}


def _expiring(call: Call) -> Json:
    """What Claude Code will soon delete of this project's transcripts."""
    if not any_here(call.store.state, call.env):
        return None
    from leftoff.commands import _status_sessions

    return _status_sessions.expiring_here(call)


def _archived(call: Call) -> dict[str, Json]:
    """What the archive takes; nothing to load where there is none."""
    if not isdir(f"{call.store.state}/archive"):
        return {}
    from leftoff.world.archive_upkeep import totals

    found = totals(call.store.state)
    if not found.sessions:
        return {}
    return {"archive": {"sessions": found.sessions, "size": found.size}}


def _told(
    call: Call, ordered: Sequence[Glance], detailed: Sequence[Glance], thread: str
) -> Iterator[dict[str, Json]]:
    """Each stream as a row, those in detail with all there is to say."""
    limits, whole = call.settings.limits, {stream.path for stream in detailed}
    for stream in ordered:
        tell = facts if stream.path in whole else row
        yield tell(stream, call.now, limits, thread)


def _first(call: Call, streams: Sequence[Stream]) -> Json:
    """The same answer that `next` gives."""
    first = next(_work_queue.gather(call, streams).advised, None)
    return _work_queue.entry(call, streams, first) if first else None


def _judged(call: Call, streams: Sequence[Stream], shown: Sequence[Glance]) -> dict[str, Json]:
    """What the world says to the claims of each stream that is shown in detail, by its path."""
    known = _verdicts.facts_for(call, streams, shown)
    each = known._replace(degraded="")  # said once, for all of them
    said = {one.path: _verdicts.data_of(one, each) for one in shown if one.readable}
    return {"verdicts": {**said}, "degraded": known.degraded}


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The banner, the table, then each stream; or the first one only."""
    if "stream" in data:
        yield from _status_view.named(data, say)
        return
    if "projects" in data:
        yield from _every_project(data["projects"], say)
        return
    streams = data["streams"]
    if "total" in data:
        yield from _status_view.page(data, say)
        return
    if data["brief"]:
        yield from _status_view.brief(data, say)
        return
    yield from _status_view.lost_pointer(data, say)
    if not streams:
        yield from _nothing_saved(data, say)
        return
    yield from _status_view.banner(streams, say)
    yield Heading(say("Session state"))
    yield Line("")
    yield _status_view.table(streams, say)
    yield from _status_view.broken_parts(streams)
    yield from _status_view.several_in_focus(streams, say)
    detailed = set(data["detailed"])
    for stream in streams:
        if stream["path"] in detailed:
            yield from _status_view.section(stream, data["verdicts"].get(stream["path"]), say)
    yield from _left_out(data, say)
    yield from _sessions_here(data, say)
    yield from _archive_here(data, say)


def _nothing_saved(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """Without a checkpoint, what sessions tell is the answer."""
    from leftoff.commands import _first_screen, _status_sessions

    yield from _first_screen.view(data, say)
    yield from _status_sessions.expiring_line(data["expiring"], say)
    yield from _archive_here(data, say)


def _sessions_here(data: dict[str, Any], say: Say) -> Iterator[Block]:
    if data["sessions"] or data["expiring"]:
        from leftoff.commands import _status_sessions

        yield from _status_sessions.lines(data["sessions"], say)
        yield from _status_sessions.expiring_line(data["expiring"], say)


def _archive_here(data: dict[str, Any], say: Say) -> Iterator[Block]:
    if data.get("archive"):
        size = bytes_words(data["archive"]["size"])
        text = "Archive: {n} session(s), {size}"
        yield Line(say(text, n=data["archive"]["sessions"], size=size), "dim")


def _every_project(rows: Sequence[Any], say: Say) -> Iterator[Block]:
    from leftoff.commands import _status_sessions

    yield from _status_sessions.projects(rows, say)


def _left_out(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """What the details do not show, and how to see it."""
    if data["degraded"]:
        yield Line("")
        yield Line(say("not everything was checked: {why}", why=data["degraded"]), "warn")
    if data["since"]:
        yield Line("")
        yield Line(say("(details only for what changed since {since})", since=data["since"]), "dim")
    elif len(data["detailed"]) < len(data["streams"]):
        yield Line("")
        text = "(details of the {n} most urgent; leftoff status NAME, or --all, shows the others)"
        yield Line(say(text, n=len(data["detailed"])), "dim")


def _detailed(ordered: Sequence[Glance], since: float | None, *, everything: bool) -> list[Glance]:
    """What is shown in full: all of it in a project that a person can still read."""
    changed = [stream for stream in ordered if _changed(stream, since)]
    return changed if everything else changed[:IN_DETAIL]


def _is_in_the_way(stream: Glance) -> bool:
    return bool(stream.broken or stream.blockers)


def _changed(stream: Glance, since: float | None) -> bool:
    if since is None or stream.broken:
        return True
    return stream.touched is not None and stream.touched >= since


def _one(call: Call, streams: Sequence[Stream], stream: Stream) -> Result:
    if not stream.glance.readable:
        call.store.read(stream.glance.path)  # raises with the line and the reason
    checkpoint = call.store.read_good(stream)
    limits, thread = call.settings.limits, call.store.current_thread()
    rows: list[Json] = [
        {"id": row.id, "label": row.text, "status": row.get("status")}
        for row in checkpoint.progress
    ]
    known = _verdicts.facts_for(call, streams, [stream.glance], deep=True)
    data: dict[str, Json] = {
        "stream": facts(stream.glance, call.now, limits, thread),
        "rows": rows,
        "verdicts": _verdicts.data_of(stream.glance, known, whole=True),
        "run": [*_run(call, stream, checkpoint)],
    }
    if call.args.whole:
        from leftoff.commands import _status_full  # for who looks at one closely

        data |= _status_full.told(call, streams, stream, checkpoint)
    return Result(data, broken([stream]))


def _run(call: Call, stream: Stream, checkpoint: Checkpoint) -> list[str]:
    """What became of a thread that is worked off step by step, where a session told of it."""
    if stream.glance.format != FORMAT or not any_here(call.store.state, call.env):
        return []
    from leftoff.commands._thread_status import run_lines

    return run_lines(call, stream.glance.id, checkpoint)
