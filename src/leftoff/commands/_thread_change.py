"""thread enable and switch: which thread the caller works on from here on."""

from __future__ import annotations

import os

from leftoff.commands import _thread_run, _thread_status, _threads
from leftoff.commands._caller import bind, who
from leftoff.commands._thread_row import entry, is_thread
from leftoff.core.find_stream import find
from leftoff.core.model import Finding
from leftoff.core.paths import is_checkpoint_path
from leftoff.core.result import Ask, Choice, Result
from leftoff.core.stream import broken
from leftoff.core.when import instant
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leftoff.commands import Call
    from leftoff.commands._caller import Who
    from leftoff.core.model import Json
    from leftoff.core.stream import Stream

MOST_NAMED = 3


def enable(call: Call, name: str) -> Result:
    """Take up the caller's thread, or begin one; a second time changes nothing."""
    caller, own = who(call), _threads.current(call)
    free = not _threads.held(call, call.store.current_thread(), caller)
    if own and not call.args.new:
        stream = _stream(call, own)
        _take_up(call, own, caller)
        return Result(_told(call, stream), (*_unused(stream, name), *broken([stream])))
    made = _threads.begin(call, name, current=free)
    _thread_run.began(call, made)
    stream = _stream(call, made)
    return Result({**_told(call, stream), "created": made}, broken([stream]))


def switch(call: Call, stream: Stream) -> Result:
    """Change to a thread that is there; the one left behind is saved first, if it should be."""
    if call.args.save_first and call.args.no_save:
        raise Usage("--save-first and --no-save cannot be used together", hint="give one of them")
    caller, old, new = who(call), _threads.current(call), stream.glance.id
    ask = _ask(call, old) if old and old != new else None
    if ask:
        return Result({"threads": [], "from": old, "to": new, "switched": False}, ask=ask)
    saved = _save(call, old, caller) if call.args.save_first and old else ""
    _take_up(call, new, caller)
    data = {**_told(call, stream), "from": old or None, "to": new, "switched": True}
    return Result({**data, "saved": saved or None}, broken([stream]))


def _take_up(call: Call, thread: str, caller: Who) -> None:
    """Bind the session; the default follows unless another live session is on the one it names."""
    if not _threads.held(call, call.store.current_thread(), caller):
        _threads.point(call, thread)
    bind(call, thread)
    _thread_run.began(call, thread)


def _stream(call: Call, thread: str) -> Stream:
    return find([one for one in call.store.streams() if is_thread(one)], thread, exact=True)


def _told(call: Call, stream: Stream) -> dict[str, Json]:
    more = {} if stream.glance.broken else _thread_status.more(call, stream)
    return {"threads": [{**entry(call, stream, {}), **more}], "created": None}


def _unused(stream: Stream, name: str) -> Iterator[Finding]:
    if name and name not in {stream.glance.id, stream.glance.name}:
        text = f"you are already on {stream.glance.id}, so no other thread was started"
        yield Finding("reused", "info", "", text, "leftoff thread enable --new NAME begins one")


def _ask(call: Call, old: str) -> Ask | None:
    """A question where the thread left behind has work that no save knows of."""
    if call.args.save_first or call.args.no_save:
        return None
    files = _since_saved(call, old)
    if not files:
        return None
    more = f" and {len(files) - MOST_NAMED} more" if len(files) > MOST_NAMED else ""
    named = ", ".join(files[:MOST_NAMED]) + more
    choices = (
        Choice("--save-first", "save it, then change"),
        Choice("--no-save", "change, and leave it as it is"),
    )
    return Ask(f"{old} has work since its last save: {named}. Save it first?", choices, "--no-save")


def _since_saved(call: Call, thread: str) -> list[str]:
    """The files that changed after the thread's last save and are not committed."""
    from leftoff.world.dirty import PATIENCE, uncommitted
    from leftoff.world.files import modified

    work = _threads.work_of(call.store, thread)
    saved = instant(work.updated) if work else None
    root = call.store.root
    dirty = uncommitted(call.store.place, call.env, PATIENCE) or []
    changed = (path for path in dirty if not is_checkpoint_path(path))
    return [path for path in changed if modified(os.path.join(root, path)) > (saved or 0.0)]


def _save(call: Call, thread: str, caller: Who) -> str:
    """What `leftoff save` with no words does, for that thread; the path."""
    from leftoff.commands._draft_sources import look
    from leftoff.commands._save_journal import tell
    from leftoff.commands._save_writing import into_thread, save_request
    from leftoff.world.dirty import PATIENCE

    seen = look(call._replace(patience=PATIENCE), *caller) if caller else None
    path = into_thread(call, thread, save_request(call, {}, caller, seen)).path
    tell(call, caller, path, {})
    return path
