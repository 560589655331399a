"""resume, last step: blocked prompts are listed, and given back as they were typed."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.commands._resume_pending import asker_of
from leftoff.core.blocks import Block, Bullets, Line, Raw
from leftoff.core.fence import harmless, one_line
from leftoff.core.model import Finding
from leftoff.core.replay import FOREIGN, NONE, Replay, replay
from leftoff.core.result import Ask, Choice, Result
from leftoff.errors import LeftoffError, Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world import pending, prompts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.choose import Asker
    from leftoff.core.model import Json

REPLAYED = "replayed"
FIRST = 80
"""Characters of a prompt by which a person knows it."""
STDIN = "-"
_MEANS = {
    "y": "give it back as it was typed",
    "n": "leave it",
    "edit": "give back an edited version",
    "delete": "put it into the trash",
}


def offered(call: Call, asker: Asker) -> tuple[Replay, list[Finding]]:
    """What waits to be replayed here, and what cannot be."""
    found = prompts.waiting(call.store, asker.sessions)
    return replay(found.own, found.others), _unread(found)


def _unread(found: prompts.Waiting) -> list[Finding]:
    """A prompt that was kept is not forgotten because its file is damaged."""
    fix = "open the file: what can still be read of the prompt is there"
    return [
        Finding("unread-prompt", "warning", path, f"a blocked prompt cannot be read: {why}", fix)
        for path, why in found.unread
    ]


def answered(call: Call) -> Result:
    """The answer to that question: prompts given back, and files put away once they are shown."""
    asker = asker_of(call)
    found = prompts.waiting(call.store, asker.sessions)
    unread = tuple(_unread(found))
    done = replay(found.own, found.others, call.args.replay, _edited(call))
    data: dict[str, Json] = {"state": REPLAYED, "replay": list(done.emit)}
    if done.case == NONE:
        none = Finding("no-prompts", "info", "", "no blocked prompt waits here")
        return Result(data, unread or (none,))
    ask = question(done)
    if ask:
        data["prompts"] = listed(done, asker)
    if done.editing:
        data["editing"] = done.entries[done.editing - 1].text
        ask = Ask("The edited text of this prompt", (), "--edited TEXT", shown_first=True)
    return Result(data, unread, ask, after=_put_away(call, done.trash))


def _edited(call: Call) -> str | None:
    """The new text, from the option or (`-`) from a pipe."""
    text: str | None = call.args.edited
    if text != STDIN:
        return text
    if not (piped := call.piped()):
        raise Usage("there is no pipe to read the edited text from", hint="write --edited TEXT")
    return piped


def question(done: Replay) -> Ask | None:
    """Which of them; None where there is nothing to ask."""
    if not done.ask:
        return None
    words = " / ".join(done.words)
    if not done.plain:
        return Ask(f"Replay which? [{words}]", (), "--replay ANSWER")
    choices = tuple(Choice(word, _MEANS[word]) for word in done.words)
    return Ask(f"Run it now? [{words}]", choices, "--replay ANSWER")


def listed(done: Replay, asker: Asker) -> dict[str, Json]:
    """What waits, as data; a list shows the beginning of each."""
    return {
        "case": done.case,
        "plain": done.plain,
        "foreign": list(done.foreign),
        "current": asker.sessions[0] if asker.sessions else "",
        "answers": list(done.words),
        "entries": [
            {"time": one.time, "text": one.text, "replayable": one.replayable}
            for one in done.entries
        ],
    }


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """What is given back, byte for byte and nothing else; else what it is about."""
    if data["replay"]:
        yield Raw("\n\n".join(data["replay"]))
    elif "editing" in data:
        yield Line(say("The prompt in full:"))
        yield _whole(data["editing"])
    elif "prompts" in data:
        yield from view_list(data["prompts"], say)
    else:
        yield Line(say("Nothing was replayed."))


def view_list(listed: Any, say: Say) -> Iterator[Block]:
    """The prompts as seed C shows them."""
    text = "Stale pending-prompt sentinel detected (session-id MISMATCH: was {old}, current {now})"
    for session in listed["foreign"]:
        now = listed["current"] or say("(a person)")
        yield Line(say(text, old=session, now=now), "warn")
    entries = listed["entries"]
    if listed["plain"]:
        foreign = listed["case"] == FOREIGN
        label = say("Content:") if foreign else say("Your previous prompt was:")
        yield _whole(f"{label} {entries[0]['text']}")
        return
    text = "{n} blocked prompt{s} were saved while context was overloaded:"
    yield Line(say(text, n=len(entries), s="(s)"))  # quoin does not decide the plural
    yield Bullets(tuple(_beginning(one, say) for one in entries), numbered=True)


def _whole(text: str) -> Raw:
    shown = harmless(text)
    return Raw(shown if shown.endswith("\n") else f"{shown}\n")


def _beginning(entry: Any, say: Say) -> str:
    line = one_line(entry["text"])
    short = line if len(line) <= FIRST else line[:FIRST] + "..."
    own = "" if entry["replayable"] else f" ({say('a notice of the client, no prompt')})"
    return f"[{one_line(entry['time'])}] {short}{own}"


def _put_away(call: Call, records: tuple[str, ...]) -> Callable[[], list[Finding]] | None:
    """Once the prompts were written out: the files go."""
    if not records:
        return None

    def after() -> list[Finding]:
        found = []
        for record in records:
            try:
                pending.away(call.store, record, call.now)
            except LeftoffError as error:
                text = f"it could not be moved to the trash: {error.message}"
                found.append(Finding("not-moved", "warning", record, text))
        return found

    return after
