"""The message that a new session of Hapi begins with: where the work is, and how to go on. Pure.

It stands between our own marks, so that no reader of a transcript takes it for a person's prompt;
what it quotes from the documents is redacted and harmless.
"""

from __future__ import annotations

from leftoff.core.fence import fenced
from leftoff.core.handoff import NAME
from leftoff.core.ids import is_name
from leftoff.core.model import URGENT
from leftoff.core.run import most, next_step, steps
from leftoff.core.run_report import shown
from leftoff.core.thread import COMPLETE_MARK, POINTER, document
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leftoff.core.model import Checkpoint
    from leftoff.core.texts import Say


def handoff(thread: Checkpoint, say: Say) -> str:
    """The whole message."""
    lines = (*_where(thread, say), *_rules(thread, say))
    return fenced(NAME, "".join(f"{line}\n" for line in lines))


def _where(thread: Checkpoint, say: Say) -> Iterator[str]:
    name = thread.id if is_name(thread.id) else ""
    about = shown(thread.name or thread.intent)
    yield say("You go on with the thread {thread}: {about}", thread=shown(thread.id), about=about)
    yield say("You do not start from zero. Read this first:")
    yield "- " + say("{path} names the thread of this folder.", path=POINTER)
    path = document(name) if name else "CHECKPOINT.md"
    yield "- " + say(
        "{path} is your memory: what was done and decided, and what is next.", path=path
    )
    text = "{command} gives it checked against git, and puts this session on the thread."
    yield "- " + say(text, command=f"leftoff resume {name}".strip())
    yield "- " + say("git status, git log and git diff show what is really there.")
    step = next_step(steps(thread))
    if step is None:
        yield say("No step is left open: ask the user what comes next.")
        return
    mark = f"[{URGENT}] " if step.urgent else ""
    yield say("First step: {step}", step=mark + shown(step.text))


def _rules(thread: Checkpoint, say: Say) -> Iterator[str]:
    yield say("How to work:")
    yield "- " + say("Begin with the first step at once; do not ask whether to begin.")
    text = "When a step is done, record it (leftoff done) and begin the next without waiting."
    yield "- " + say(text)
    yield "- " + say("Stop and ask the user where only a person can decide.")
    yield "- " + say("Stop and report an error that is still there after a retry.")
    text = "After {n} steps stop, say how many are done and how many are left, and wait."
    yield "- " + say(text, n=most(thread.private))
    yield "- " + say("Stop at once when the user says 停, 暂停 or stop.")
    yield "- " + say("When all steps are done, print {mark}; not before.", mark=COMPLETE_MARK)
    yield "- " + say("Never start another session by yourself.")
    text = "The session before is archived only if the user wants it: leftoff thread archive."
    yield "- " + say(text)
