"""When to save: the occasions that the seeds name, as the page about saving lists them."""

from __future__ import annotations

from leftoff.record import Record


class Trigger(Record):
    """An occasion, and why it is one."""

    when: str
    why: str


TRIGGERS = (
    Trigger("A unit of work or a milestone is finished", "the next one begins from solid ground"),
    Trigger("The user made a significant choice", "a decision that is lost is asked for again"),
    Trigger("The task, its direction or the focus changes", "the work left behind stays findable"),
    Trigger("The session ends with work in flight", "the next one goes on instead of beginning"),
    Trigger("The context is getting full", "at a natural break, before a limit forces it"),
    Trigger(
        "Heavy or risky work is about to begin: a long helper, a large refactoring, many files",
        "whatever becomes of it, there is a way back to here",
    ),
)
