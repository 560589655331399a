"""What `thread` shows people."""

from __future__ import annotations

from leftoff.core.blocks import Block, Line
from leftoff.core.texts import short
from leftoff.core.thread import cited
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say

SHOWN = (
    *("checkpointEnabled", "autoSave", "thresholdPercent", "autoContinue", "maxSteps"),
    *("tokenBudgetSoft", "tokenBudgetHard"),
)


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """One line for each, what is set, what was done."""
    if "number" in data:
        yield from archived(data, say)
        return
    if data.get("switched") is False:
        return  # the question says it all
    for thread in data["threads"]:
        yield from _thread(thread, say)
    if not data["threads"]:
        yield Line(say("There is no thread here."))
        yield Line("  " + say("Begin one: leftoff thread enable NAME"), "dim")
    yield from _done(data, say)


def archived(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """Which session, and where its page is."""
    if data["file"]:
        text = "{number} is archived: {file}" if data["new"] else "{number} was archived: {file}"
        yield Line("✓ " + say(text, number=cited(data["number"]), file=data["file"]), "good")


def _done(data: dict[str, Any], say: Say) -> Iterator[Block]:
    if data.get("saved"):
        yield Line("✓ " + say("saved {path}", path=data["saved"]), "good")
    if data.get("created"):
        yield Line("✓ " + say("started {id}", id=data["created"]), "good")
    if data.get("changed"):
        yield Line("✓ " + say("wrote {path}", path=data["threads"][0]["path"]), "good")
    if data.get("waits"):
        yield Line("⏸ " + say("The run waits for: {text}", text=data["waits"]), "warn")


def _thread(thread: dict[str, Any], say: Say) -> Iterator[Block]:
    mark = "▶ " if thread["current"] else "  "
    yield Line(f"{mark}{thread['id']}  {short(thread['name'])}", "strong")
    said = thread.get("settings", {})
    words = (f"{key}: {_word(said[key])}" for key in SHOWN if key in said)
    if said:
        yield Line(f"    {', '.join(words)}", "dim")
    if said.get("autoContinue") is True and not thread.get("goes_on"):
        text = (
            "autoContinue came with the file: it takes effect once a person runs continue on here"
        )
        yield Line("    " + say(text), "warn")
    if said.get("autoSave") is True and not thread.get("saves_itself"):
        text = "autoSave came with the file: it takes effect once auto-on is run here"
        yield Line("    " + say(text), "warn")
    if thread["live"]:
        names = ", ".join(thread["live"])
        yield Line("    " + say("live on it: {names}", names=names))
    if "steps" in thread:
        yield from _work(thread, say)


def _work(thread: dict[str, Any], say: Say) -> Iterator[Block]:
    """Where its work stands."""
    if thread["summary"]:
        yield Line(f"    {thread['summary']}")
    if thread["steps"]["total"]:
        yield Line("    " + say("Steps: {done} of {total} done", **thread["steps"]))
    if thread["next"]:
        yield Line("    " + say("Up next: {text}", text=thread["next"]))
    for line in thread["run"]:
        yield Line(f"    {line}", "warn")
    if thread["sessions"]:
        yield Line("    " + say("Sessions:"))
        yield from (Line(f"    - {_session(one, say)}") for one in thread["sessions"])


def _session(one: dict[str, Any], say: Say) -> str:
    kept = one["file"] or (say("not archived") if not one["error"] else one["error"])
    return " ".join(filter(None, (cited(one["seq"]), one["name"], f"({kept})")))


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
