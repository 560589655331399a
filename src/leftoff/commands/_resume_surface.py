"""resume, beside the brief: seed C's summary and reads, drift, the way back, clean-up."""

from __future__ import annotations

import os

from leftoff.commands import Call
from leftoff.commands._caller import who_if_clear
from leftoff.core.blocks import Block, Bullets, Line, Raw
from leftoff.core.fence import fenced, one_line
from leftoff.core.glance import files_of
from leftoff.core.ids import is_name
from leftoff.core.model import Finding
from leftoff.core.paths import path_in
from leftoff.core.quote import quoted
from leftoff.core.result import Ask, Choice
from leftoff.core.task_save import TREE
from leftoff.core.when import stamp
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.choose import Pending
    from leftoff.core.model import Checkpoint, Json
    from leftoff.core.stream import Glance

TASK = "task"
YES = "y"
_MOST_SESSIONS = 3


def surface(checkpoint: Checkpoint) -> dict[str, Json]:
    """What seed C says of a save in three lines."""
    return {
        "task": one_line(checkpoint.name),
        "branch": one_line(checkpoint.branch) or "unknown",
        "intent": quoted(checkpoint.intent, 300).rstrip("."),
        "artifacts": len(checkpoint.artifacts),
        "questions": len(checkpoint.questions),
    }


def view_surface(said: Any, say: Say) -> Iterator[Block]:
    """These lines."""
    text = "Resuming task: {task}. Branch: {branch}. Last intent: {intent}."
    told = {key: said[key] for key in ("task", "branch")}
    first = say(text, **told, intent=said["intent"] or say("(none)"))
    yield Raw(fenced(said["task"], f"{first}\n"))  # all three are words of the save
    yield Line(say("In-flight artifacts: {n} paths.", n=said["artifacts"]))
    yield Line(say("Open questions: {n} items.", n=said["questions"]))


def reads(call: Call, checkpoint: Checkpoint) -> list[Json]:
    """Every file in flight, for who said yes; those that are gone say so."""
    if call.args.reads != YES:
        return []
    paths = [_path(one_line(item.text)) for item in checkpoint.artifacts]
    root = call.store.root
    return [
        {"path": path, "missing": not os.path.exists(os.path.join(root, path))} for path in paths
    ]


def _path(entry: str) -> str:
    """The path of an entry, which may stand behind a label: `latest review: a/b.md`."""
    return path_in(entry.rpartition(": ")[2]) or path_in(entry) or entry


def view_reads(paths: Sequence[Any], say: Say) -> Iterator[Block]:
    """The files to read now."""
    if paths:
        yield Line(say("Read these now:"))
        gone = say("(it is gone)")
        shown = (f"{one['path']} {gone}" if one["missing"] else one["path"] for one in paths)
        yield Bullets(tuple(shown))


def reads_question(checkpoint: Checkpoint, about: str) -> Ask | None:
    """Whether to read the files in flight; no question where there are none."""
    if not checkpoint.artifacts:
        return None
    choices = (Choice("y", "name the files to read"), Choice("n", "read nothing now"))
    question = "Re-fire reads on artifacts now? [y / n]"
    return Ask(question, choices, "--reads", shown_first=True, about=about)


def drift(call: Call, checkpoint: Checkpoint, glance: Glance) -> Iterator[Finding]:
    """After a day: every file that is named is looked for, and what is gone is named once."""
    limit = call.settings.limits["check.consistency"]
    if glance.touched is None or call.now - glance.touched <= limit:
        return
    for path, count in _gone(call.store.root, files_of(checkpoint)).items():
        text = f"the folder is gone, with the files in it: {count}" if count else "the file is gone"
        yield Finding("drift", "warning", path, text, "the checkpoint still names it")


def _gone(root: str, paths: Sequence[str]) -> dict[str, int]:
    """What is missing: a folder with how many files of it were named, or (0) a single file."""
    found: dict[str, int] = {}
    for path in paths:
        if os.path.lexists(os.path.join(root, path)):
            continue
        folder = _highest_missing(root, os.path.dirname(path))
        found[folder or path] = found.get(folder, 0) + 1 if folder else 0
    return found


def _highest_missing(root: str, folder: str) -> str:
    """The topmost folder on the way that is not there; "" where all are."""
    missing = ""
    while folder and not os.path.isdir(os.path.join(root, folder)):
        missing, folder = folder, os.path.dirname(folder)
    return missing


def native(call: Call, checkpoint: Checkpoint, records: Sequence[Pending]) -> str:
    """How to go on in the last session itself, where its client still has it."""
    from leftoff.agents import resume_command
    from leftoff.world import bindings, pending

    ids = [one.session for one in records]
    ids += [item.id.rpartition("/")[2] for item in reversed(checkpoint.sessions)]
    known = [one for one in dict.fromkeys(ids) if is_name(one)]
    found = pending.native(call.store.state, known[:_MOST_SESSIONS])
    if found is None:
        return ""
    limits = call.settings.limits
    if (found.agent, found.id) == who_if_clear(call) or bindings.is_live(found, call.now, limits):
        return ""
    return resume_command(found.agent, found.id)


def clean_up(
    call: Call, checkpoint: Checkpoint, glance: Glance, records: Sequence[Pending]
) -> Callable[[], list[Finding]] | None:
    """What is left to do once the brief was written out: the records used go, the ledger grows."""
    save = glance.path if glance.format == TASK else ""
    task = checkpoint.name if save and _has_ledger(call, checkpoint) else ""
    if not records and not save:
        return None

    def after() -> list[Finding]:
        from leftoff.commands._resume_pending import put_away

        _given(call, save)
        return [*put_away(call, records), *_noted(call, task)]

    return after


def _given(call: Call, save: str) -> None:
    """Journal what the calling session goes on with, for whoever drafts what it leaves."""
    who = who_if_clear(call) if save else None
    if who:
        from leftoff.core.session_lines import GIVEN
        from leftoff.world import journal

        path = os.path.realpath(os.path.join(call.store.root, save))
        journal.append(call.store.state, *who, {"at": call.now, "event": GIVEN, "save": path})


def _has_ledger(call: Call, checkpoint: Checkpoint) -> bool:
    """Whether seed C's folder of the task is there."""
    folder = os.path.join(call.store.root, TREE, checkpoint.name)
    return is_name(checkpoint.name) and os.path.isdir(folder)


def _noted(call: Call, task: str) -> Iterator[Finding]:
    """The row of a restore, once; a person's restore costs no model anything."""
    who = who_if_clear(call) if task else None
    if who is None:
        return
    from leftoff.formats._cost_ledger import Row
    from leftoff.world import workflow

    row = Row(who[1], stamp(call.now)[:10], "checkpoint", "haiku", "task", "restore", "0")
    try:
        workflow.count(call.store, task, row, once=True)
    except LeftoffError as error:
        text = f"the row is missing: {error.message}"
        yield Finding("ledger", "warning", workflow.ledger(task), text)
