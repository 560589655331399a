"""Threads for the commands that need one: which one the caller is on, and how a new one begins."""

from __future__ import annotations

import os

from leftoff.commands import Call
from leftoff.commands._caller import Who, bind, who
from leftoff.core.thread import FORMAT, POINTER, document, folder, metadata
from leftoff.core.when import stamp
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world import bindings

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from leftoff.core.model import Checkpoint, Json
    from leftoff.core.stream import Stream
    from leftoff.formats import Lens
    from leftoff.world.store import Store


def current(call: Call) -> str:
    """The thread that the caller is on: its own, else the default here; "" for none.

    A session leaves the default alone while another live session is bound to it.
    """
    return current_of(call, who(call))


def current_of(call: Call, caller: Who) -> str:
    """The same of a caller that is known already."""
    own = bound(call, caller)
    if own:
        return own
    default = call.store.current_thread()
    return "" if not is_there(call, default) or held(call, default, caller) else default


def bound(call: Call, caller: Who) -> str:
    """The thread that a session is bound to, if it is one of this project."""
    thread = bindings.bound(call.store.state, *caller) if caller else ""
    return thread if is_there(call, thread) else ""


def held(call: Call, thread: str, caller: Who) -> str:
    """The other live session that is bound to a thread; a person's hands are not tied by one."""
    if not caller or not thread:
        return ""
    return bindings.holder(call.store, thread, caller, call.now, call.settings.limits)


def taken(call: Call, caller: Who, own: str) -> dict[str, str]:
    """The threads that other live sessions are bound to, and who that is; never one's `own`."""
    name = "/".join(caller or ())
    live = bindings.live(call.store, call.now, call.settings.limits).items()
    others = {thread: [one for one in names if one != name] for thread, names in live}
    return {thread: names[0] for thread, names in others.items() if names and thread != own}


def without(streams: Sequence[Stream], threads: Collection[str]) -> list[Stream]:
    """The streams that are none of these threads."""
    return [s for s in streams if s.glance.format != FORMAT or s.glance.id not in threads]


def is_there(call: Call, thread: str) -> bool:
    """Whether a thread has a file here."""
    paths = (document(thread), metadata(thread)) if thread else ()
    return any(call.store.exists(path) for path in paths)


def work_of(store: Store, thread: str) -> Checkpoint | None:
    """What its CHECKPOINT.md says; None where there is none that can be read."""
    try:
        path = document(thread) if thread else ""
        return store.read(path).checkpoint if path and store.exists(path) else None
    except LeftoffError:
        return None  # `status` tells of a document that is broken


def settings_of(store: Store, thread: str) -> Mapping[str, Json]:
    """What its thread.json sets; nothing where there is none, or it is broken."""
    try:
        path = metadata(thread) if thread else ""
        return store.read(path).checkpoint.private if path and store.exists(path) else {}
    except LeftoffError:
        return {}


def begin(call: Call, name: str, *, current: bool = True) -> str:
    """A new thread, which the calling session is bound to; its id.

    It becomes the default here where it is asked to, or where no other thread is.
    """
    from leftoff.commands._new_document import scaffold
    from leftoff.core.model import Checkpoint
    from leftoff.formats import parts

    thread = _free_id(call)
    called = name.strip() or os.path.basename(call.store.root) or thread
    now, config = stamp(call.now), _defaults()
    made = Checkpoint(
        thread,
        name=called,
        project=os.path.basename(call.store.root),
        created=now,
        updated=now,
        private=config,
    )
    scaffold(call.store)
    for lens in parts(FORMAT):  # the work first: it may be there without its settings
        path = lens.path(made)
        call.store.create(path, lens.write(made, "", path))
    if current or not is_there(call, call.store.current_thread()):
        point(call, thread)
    bind(call, thread)
    return thread


def with_metadata(call: Call, thread: str) -> str:
    """The path of its thread.json: one that came with only its work gets that now."""
    store, path = call.store, metadata(thread)
    if store.exists(path):
        return path
    from leftoff.core.model import Checkpoint
    from leftoff.formats import parts

    work = work_of(store, thread)
    made = Checkpoint(thread, name=work.name if work else "", updated=stamp(call.now))
    made = made._replace(project=os.path.basename(store.root), private=_defaults())
    settings = next(lens for lens in parts(FORMAT) if lens.path(made) == path)
    store.create_missing(path, settings.write(made, "", path))
    return path


def lens() -> Lens:
    """Of the part that holds the work."""
    from leftoff.formats import named

    return named(FORMAT)


def point(call: Call, thread: str) -> None:
    """Make a thread the default of this place: one line, for this machine only."""
    from leftoff.world.edit_file import edit_file  # only writers pay for locks

    edit_file(call.store, POINTER, lambda _: f"{thread}\n")


def _free_id(call: Call) -> str:
    while True:
        thread = f"thread-{os.urandom(4).hex()}"
        if not call.store.exists(folder(thread)):
            return thread


def _defaults() -> Mapping[str, Json]:
    from leftoff.formats.thread_json import SETTINGS

    return dict(SETTINGS)
