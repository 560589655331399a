"""What a person may pick from a client's menu: three short requests, in the person's language."""

from __future__ import annotations

from leftoff.core.find_stream import did_you_mean
from leftoff.entry.mcp.tools import FULL
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leftoff.commands import Say

SAVE, RESUME, HANDOFF = "save", "resume", "handoff"


class Prompt(Record):
    """A request; each argument is optional."""

    name: str
    about: str
    args: tuple[tuple[str, str], ...]


def offered(profile: str, say: Say) -> list[Prompt]:
    """Those that the tools of a profile can fulfil."""
    writing = [
        Prompt(
            SAVE,
            say("Save where the work stands"),
            (("note", say("what to write down")),),
        ),
        Prompt(
            HANDOFF,
            say("Leave the work so that another agent or a colleague can go on"),
            (("to", say("who goes on")),),
        ),
    ]
    reading = [
        Prompt(
            RESUME,
            say("Pick up where work was left off"),
            (("name", say("which checkpoint or thread")),),
        )
    ]
    return [*(writing if profile == FULL else []), *reading]


def text_of(name: str, given: Mapping[str, str], profile: str, say: Say) -> tuple[str, str]:
    """The description and the text of a prompt; Usage for what is not offered."""
    known = {one.name: one for one in offered(profile, say)}
    if name not in known:
        hint = did_you_mean(name, known) or f"choose one of: {', '.join(known)}"
        raise Usage(f'there is no prompt "{name[:60]}"', hint=hint)
    takes = [arg for arg, _ in known[name].args]
    for arg in given:
        if arg not in takes:
            raise Usage(f'the prompt {name} takes no "{arg[:60]}"', hint=f'it takes "{takes[0]}"')
    return known[name].about, _TEXTS[name](given.get(takes[0], "").strip(), say)


def _save(note: str, say: Say) -> str:
    text = say(
        "Call save_checkpoint: where the work stands in a few sentences, every step that is"
        " still open, the decisions that were made, and what stands in the way."
    )
    return text + ("\n" + say("Write this down too: {note}", note=note) if note else "")


def _resume(name: str, say: Say) -> str:
    text = say(
        "Call resume_work. Read the verdicts first: what is contradicted is not true any more."
        " If it asks something, ask the user. Then say in two sentences where things"
        " stand, and begin with the next action."
    )
    return text + ("\n" + say("The checkpoint is {name}.", name=name) if name else "")


def _handoff(to: str, say: Say) -> str:
    text = say(
        "Prepare the work for somebody who knows nothing of this session. Call"
        " save_checkpoint with the intent, where things stand, every open step, decisions"
        " with their reasons, open questions and the files that matter. Then name the"
        " checkpoint to the user: whoever goes on resumes it."
    )
    return text + ("\n" + say("It goes on with {to}.", to=to) if to else "")


_TEXTS = {SAVE: _save, RESUME: _resume, HANDOFF: _handoff}
