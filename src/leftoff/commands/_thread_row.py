"""A thread as `thread` finds and shows it."""

from __future__ import annotations

from leftoff.commands import Call, _threads
from leftoff.commands._thread_permission import goes_on, saves_itself
from leftoff.core.find_stream import find
from leftoff.core.stream import lost_pointer
from leftoff.core.thread import FORMAT
from leftoff.errors import LeftoffError, NotFound
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from leftoff.core.model import Json
    from leftoff.core.stream import Stream


SHOWN = 1
"""Of what is to be done next, in a row."""


def is_thread(stream: Stream) -> bool:
    """Whether a stream is one."""
    return stream.glance.format == FORMAT


def named(call: Call, words: Sequence[str]) -> Stream:
    """The named thread, else the one that the caller is on."""
    threads = [stream for stream in call.store.streams() if is_thread(stream)]
    name = words[0] if words else _threads.current(call)
    if not name:
        lost = lost_pointer(call.store.pointer(), threads)
        if lost:
            raise NotFound(f"{lost[0].where} {lost[0].text}", hint=lost[0].fix)
        raise NotFound("no thread is current here", hint="name one; leftoff thread shows all")
    return find(threads, name)


def metadata_of(call: Call, stream: Stream) -> str:
    """The part of a thread that holds its settings, which it gets where it has none."""
    thread = stream.glance.path.split("/")[-2]  # its folder, whatever the document says
    return _settings_path(stream) or _threads.with_metadata(call, thread)


def entry(
    call: Call, stream: Stream, live: Mapping[str, Sequence[str]], own: str | None = None
) -> dict[str, Json]:
    """A thread with its settings; `own` is the caller's, where that was looked up before."""
    path = _settings_path(stream)
    readable = path and not stream.glance.broken
    settings = call.store.read(path).checkpoint.private if readable else {}
    return {
        **row(
            call, stream, live, own_of(call) if own is None else own, call.store.current_thread()
        ),
        "settings": dict(settings),
        "goes_on": goes_on(call.store, stream.glance.id, settings),
        "saves_itself": saves_itself(call.store, stream.glance.id, settings),
    }


def row(
    call: Call, stream: Stream, live: Mapping[str, Sequence[str]], own: str, default: str
) -> dict[str, Json]:
    """A thread as a line of a list, for which no file is read."""
    glance = stream.glance
    return {
        "id": glance.id,
        "name": glance.name,
        "path": _settings_path(stream) or glance.path,
        "status": glance.status,
        "updated": glance.updated or glance.created or None,
        "age_seconds": int(call.now - glance.touched) if glance.touched else None,
        "actions": [*glance.actions[:SHOWN]],
        "left": len(glance.actions),
        "current": glance.id == own,
        "default": glance.id == default,
        "live": [*live.get(glance.id, ())],
    }


def _settings_path(stream: Stream) -> str:
    return next((part for part in stream.parts if part.endswith("/thread.json")), "")


def own_of(call: Call) -> str:
    """The caller's thread; the default where nobody can say who calls."""
    try:
        return _threads.current(call)
    except LeftoffError:
        return call.store.current_thread()
