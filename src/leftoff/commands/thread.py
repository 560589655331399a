"""thread: pieces of work across sessions: begin one, change to one, archive, let it go on."""

from __future__ import annotations

from leftoff.commands import Call, _editing, _paging, _thread_view
from leftoff.commands._hapi_environment import add_tools, environment
from leftoff.commands._options import number_option, refuse_others
from leftoff.commands._thread_row import entry, is_thread, metadata_of, named, own_of, row
from leftoff.core.result import Result
from leftoff.core.stream import broken
from leftoff.core.thread import SAVES_ITSELF
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world import bindings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from leftoff.core.model import Checkpoint, Json
    from leftoff.core.stream import Stream

SUMMARY = "Work across sessions: start a thread, switch to one, archive its conversations."
EXAMPLES = (
    "leftoff thread enable 'Payments'",
    "leftoff thread list",
    "leftoff thread switch thread-1a2b3c4d",
    "leftoff thread archive '#3'",
    "leftoff thread continue on",
    "leftoff thread max-steps 10",
    "leftoff thread auto-on",
    "leftoff thread threshold 80 thread-1a2b3c4d",
)
LIST, STATUS, ENABLE, SWITCH, ARCHIVE = "list", "status", "enable", "switch", "archive"
ON, OFF, THRESHOLD, CONTINUE, MAX = "auto-on", "auto-off", "threshold", "continue", "max-steps"
ACTIONS = (LIST, STATUS, ENABLE, SWITCH, ARCHIVE, ON, OFF, THRESHOLD, CONTINUE, MAX)
_TAKES = {
    LIST: ("limit", "start"),
    ENABLE: ("new",),
    SWITCH: ("save_first", "no_save"),
    CONTINUE: ("question", "error"),
}
MOST_STEPS = 1000
view = _thread_view.view


def arguments(parser: Any) -> None:
    """What to do, with which thread."""
    parser.add_argument(
        "action", nargs="?", metavar="ACTION", choices=ACTIONS, help=", ".join(ACTIONS)
    )
    parser.add_argument(
        "words",
        nargs="*",
        metavar="WORD",
        help="the percent, number, on/off or session that it takes; then the thread",
    )
    parser.add_argument("--new", action="store_true", help="enable: begin another thread")
    parser.add_argument("--save-first", action="store_true", help="switch: save the old one first")
    parser.add_argument("--no-save", action="store_true", help="switch: leave the old one as it is")
    parser.add_argument("--question", metavar="TEXT", help="continue off: what a person decides")
    parser.add_argument("--error", metavar="TEXT", help="continue off: what failed again")
    parser.add_argument("--session", metavar="ID", help="act for this session")
    parser.add_argument("--limit", metavar="N", help="list: at most N, the last touched first")
    _paging.add_from(parser)
    add_tools(parser)


def run(call: Call) -> Result:
    """Do it; every answer says where it ran."""
    action, words = call.args.action or LIST, list(call.args.words)
    refuse_others(call.args, "thread", action, _TAKES)
    done = _DO[action](call, words)
    return done._replace(data={"action": action, "env": environment(call), **done.data})


def _only(words: Sequence[str], most: int = 1) -> None:
    if len(words) > most:
        raise Usage(f'unexpected argument "{words[-1]}"', hint="see --help for what it takes")


def _list(call: Call, words: Sequence[str]) -> Result:
    _only(words, 0)
    streams = call.store.streams()
    live = bindings.live(call.store, call.now, call.settings.limits)
    own, wanted = own_of(call), _paging.part(call)
    threads = [one for one in streams if is_thread(one)]
    shown: list[Json]
    if wanted:  # a page of many: without the settings, each of which is a file
        threads.sort(key=lambda one: (-(one.glance.touched or 0.0), one.glance.id))
        default = call.store.current_thread()
        shown = [row(call, one, live, own, default) for one in threads[wanted.slice]]
    else:
        shown = [entry(call, one, live, own) for one in threads]
    return Result({"threads": shown, "total": len(threads)}, broken(streams))


def _status(call: Call, words: Sequence[str]) -> Result:
    from leftoff.commands import _thread_status

    _only(words)
    stream = named(call, words)
    live = bindings.live(call.store, call.now, call.settings.limits)
    more = {} if stream.glance.broken else _thread_status.more(call, stream)
    return Result({"threads": [{**entry(call, stream, live), **more}]}, broken([stream]))


def _enable(call: Call, words: Sequence[str]) -> Result:
    from leftoff.commands import _thread_change

    _only(words)
    return _thread_change.enable(call, words[0] if words else "")


def _switch(call: Call, words: Sequence[str]) -> Result:
    from leftoff.commands import _thread_change

    _only(words)
    if not words:
        raise Usage("switch needs a thread", hint="leftoff thread list shows all")
    return _thread_change.switch(call, named(call, words))


def _archive(call: Call, words: Sequence[str]) -> Result:
    from leftoff.commands import _thread_archive

    _only(words, 2)
    return _thread_archive.archive(call, words[0] if words else "", words[1] if words[1:] else "")


def _automatic(call: Call, words: Sequence[str]) -> Result:
    from leftoff.commands._thread_permission import SAVE, allow

    _only(words)
    stream, on = named(call, words), call.args.action == ON
    metadata_of(call, stream)  # it has one
    allow(call.store, stream.glance.id, call.now, kind=SAVE, on=on)
    return _set(call, stream, {SAVES_ITSELF: on})


def _threshold(call: Call, words: list[str]) -> Result:
    word = words.pop(0) if words else ""
    percent = number_option(THRESHOLD, word, least=1, most=100)
    _only(words)
    return _set(call, named(call, words), {"thresholdPercent": percent})


def _max_steps(call: Call, words: list[str]) -> Result:
    word = words.pop(0) if words else ""
    most = number_option(MAX, word, least=1, most=MOST_STEPS)
    _only(words)
    return _set(call, named(call, words), {"maxSteps": most})


def _continue(call: Call, words: list[str]) -> Result:
    from leftoff.commands import _thread_continue

    word = words.pop(0) if words else ""
    if word not in {"on", "off"}:
        raise Usage(f'continue is on or off, not "{word[:20]}"', hint="say one of them")
    _only(words)
    stream = named(call, words)
    result = _thread_continue.switched(call, stream, on=word == "on")
    return result or _set(call, stream, {"autoContinue": word == "on"})


_DO = {
    LIST: _list,
    STATUS: _status,
    ENABLE: _enable,
    SWITCH: _switch,
    ARCHIVE: _archive,
    ON: _automatic,
    OFF: _automatic,
    THRESHOLD: _threshold,
    CONTINUE: _continue,
    MAX: _max_steps,
}


def _set(call: Call, stream: Stream, settings: dict[str, Json]) -> Result:
    """Change these settings in place: those keys and no others."""
    path = metadata_of(call, stream)
    if path not in stream.parts:
        stream = call.store.stream_at(path)  # with the part that it just got
    before = call.store.raw(path)

    def change(known: Checkpoint) -> Checkpoint:
        return known._replace(private={**known.private, **settings})

    changed = _editing.edit(call.store, path, change).text != before
    return Result({"changed": changed, "threads": [entry(call, stream, {})]}, broken([stream]))
