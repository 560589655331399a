"""What leftoff does when something happens in a session: journal it, and maybe say something.

The hook path hands over what is rare, or what a turn brings about now and then. An answer is one
text; where there is nothing new to say there is none. Whatever fails here, the client goes on.
"""

from __future__ import annotations

from leftoff.commands._events_scene import note, scene
from leftoff.core import event as e
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from leftoff.commands import Say
    from leftoff.commands._events_scene import Ancestors, Scene
    from leftoff.core.event import Answer, Happened

END_PATIENCE = 0.3
"""Seconds that git may take at the end of a session: clients wait hardly longer."""


def handle(
    happened: Happened,
    ancestors: Ancestors | None = None,
    speak: Callable[[str], Say] | None = None,
) -> Answer | None:
    """Do what the event asks for; the answer to the client, or None.

    `speak` gives the words of a language: the one of the session's thread, "" where it has none.
    """
    at = scene(happened, ancestors)
    if speak:
        at = at._replace(call=at.call._replace(say=speak(_language(at))))
    answer = _answer(at)
    if at.failures and answer is None:
        raise at.failures[0]
    return answer._replace(trouble=at.failures[0]) if answer and at.failures else answer


def _language(at: Scene) -> str:
    from leftoff.world import bindings, thread_language

    payload, store = at.happened.payload, at.call.store
    thread = bindings.bound(at.happened.state, at.happened.agent, payload.session)
    return thread_language.of_thread(store.root, thread or store.current_thread())


def _answer(at: Scene) -> Answer | None:
    happened = at.happened
    if happened.event == e.START:
        from leftoff.commands._events_start import start

        return start(at)
    if happened.event in e.FREQUENT:
        from leftoff.commands import _events_turn as turn

        return turn.prompt(at) if happened.event == e.PROMPT else turn.stop(at)
    if happened.event == e.END:
        _end(at)
        return None
    if happened.event == e.COMPACTED:
        from leftoff.commands._events_compacted import compacted

        return compacted(at)
    from leftoff.commands import _events_compaction as compact

    return compact.HANDLERS[happened.event](at)


def _end(scene: Scene) -> None:
    """Why it ended, and how many files were not committed. Nothing may depend on this event."""
    from leftoff.agents import load
    from leftoff.world.dirty import uncommitted

    if load(scene.happened.agent).LATE_STARTS:
        _forget_now(scene)
    files = uncommitted(scene.call.store.place, scene.call.env, END_PATIENCE)
    count = None if files is None else len(files)
    if note(scene, source=scene.happened.payload.source, dirty=count):
        from leftoff.commands._events_recover import at_end

        at_end(scene, files or ())


def _forget_now(scene: Scene) -> None:
    """If the session goes on and nobody says so, its next prompt is handed over."""
    from leftoff.world import journal
    from leftoff.world.files import discard

    at = scene.happened
    discard(journal.path(at.state, at.agent, at.payload.session, ".now"))
