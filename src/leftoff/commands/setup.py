"""setup: make the coding clients of this machine tell leftoff what happens in their sessions."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.core.blocks import Block, Bullets, Heading, Line
from leftoff.core.model import Finding
from leftoff.core.result import Ask, Choice, Result
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world import client_setup, launcher
from leftoff.world.client_setup import (
    ELSEWHERE,
    NEW,
    NOTHING,
    PLUGIN,
    REFUSED,
    RENEW,
    SAME,
    Where,
)
from leftoff.world.hooks import switched_off
from leftoff.world.processes import interpreter
from leftoff.world.skill_files import THEIRS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.world.client_setup import Plan

SUMMARY = "Register leftoff's hooks with the coding clients on this machine."
EXAMPLES = (
    "leftoff setup",
    "leftoff setup --dry-run",
    "leftoff setup --agent claude-code --yes",
    "leftoff setup --project-only --yes",
    "leftoff setup --skills",
)

_MARKS = {NEW: "✓", RENEW: "✓", SAME: "✓", PLUGIN: "✓", ELSEWHERE: "✓", NOTHING: "·", REFUSED: "✗"}
_TONES = {"✓": "good", "·": "dim", "✗": "bad"}


def arguments(parser: Any) -> None:
    """Which clients, where, and whether to write at once."""
    parser.add_argument(
        "--agent", action="append", metavar="NAME", help="only this client (repeatable)"
    )
    parser.add_argument(
        "--project-only", action="store_true", help="register the hooks in this project only"
    )
    parser.add_argument(
        "--skills", action="store_true", help="also put the skills into each client's folder"
    )
    parser.add_argument("--yes", action="store_true", help="write without asking")
    parser.add_argument("--dry-run", action="store_true", help="show what would be done")


def run(call: Call) -> Result:
    """Show the plan; with --yes carry it out."""
    python, state = _lasting(interpreter()), call.store.state
    _require_text(state, "set LEFTOFF_STATE to a folder whose path is")
    _require_text(python, "install leftoff in a folder whose path is")
    root = call.store.root if call.args.project_only else ""
    where = Where(call.env, state, python, root)
    plans = client_setup.plan(where, call.args.agent or (), skills=call.args.skills)
    due = [path for one in plans for path in one.due]
    written = bool(call.args.yes and not call.args.dry_run)
    if written:
        plans = client_setup.carry_out(state, python, plans)
    data: dict[str, Json] = {
        "written": written,
        "dry_run": bool(call.args.dry_run),
        "project": root,
        "agents": [_row(one) for one in plans],
        "again": call.again,
    }
    asks = due and not written and not call.args.dry_run
    findings = (*_refused(plans), *_switched_off(call, plans))
    return Result(data, findings, _question(due) if asks else None)


def _lasting(python: str) -> str:
    """The interpreter that hooks will be run with, for as long as they are registered."""
    if why := launcher.throwaway(python):
        hint = 'install leftoff permanently, for example with "uv tool install" or "pipx install"'
        raise Usage(f"{python} is not permanent: {why}", hint=hint)
    return python


def _require_text(path: str, hint: str) -> None:
    """What a client's settings, which are text, are to name."""
    try:
        path.encode()
    except UnicodeEncodeError:
        shown = ascii(path)[1:-1]
        text = f"no client's settings can name {shown}: it is not UTF-8 text"
        raise Usage(text, hint=hint) from None


def _question(due: Sequence[str]) -> Ask:
    paths = ", ".join(due)
    return Ask(f"Write this? {paths}", (Choice("--yes", "write it"),), "--yes", shown_first=True)


def _refused(plans: Sequence[Plan]) -> Iterator[Finding]:
    for one in plans:
        if one.state == REFUSED:
            text = f"{one.agent.TITLE} was not set up: {one.why}"
            yield Finding("setup", "error", one.path, text, "fix that, then run it again")


def _switched_off(call: Call, plans: Sequence[Plan]) -> Iterator[Finding]:
    """What is registered, and does not run."""
    for one in plans:
        if one.state not in {REFUSED, NOTHING}:
            yield from switched_off(one.agent, call.env, call.store.root)


def _row(one: Plan) -> dict[str, Json]:
    agent = one.agent
    return {
        "agent": agent.NAME,
        "title": agent.TITLE,
        "state": one.state,
        "path": one.path,
        "events": list(dict.fromkeys(hook.event for hook in agent.HOOKS)),
        "command": one.command,
        "why": one.why,
        "script": one.script,
        "skills": [{"path": skill.path, "state": skill.state} for skill in one.skills],
        "needs": list(agent.NEEDS),
        "cannot": list(agent.CANNOT),
    }


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """A section for each client: what is written where, what is left to do, what cannot be."""
    if not data["agents"]:
        yield Line(say("No coding client was found on this machine."))
        yield Line("  " + say("To set one up all the same: leftoff setup --agent NAME"), "dim")
    for row in data["agents"]:
        yield Heading(row["title"], 2)
        mark = _MARKS[row["state"]]
        yield Line(f"{mark} {_what(row, say, done=data['written'])}", _TONES[mark])
        if row["state"] in {NEW, RENEW} and not data["again"]:
            yield Line("    " + say("events: {events}", events=", ".join(row["events"])), "dim")
            yield Line("    " + say("command: {command}", command=row["command"]), "dim")
            if data["project"]:
                yield Line(
                    "⚠ " + say("It contains paths of this machine: keep it out of git."), "warn"
                )
        yield from _more(row, say, done=data["written"])
        if row["state"] not in {REFUSED, ELSEWHERE}:
            yield from _notes(row, say, shown=data["again"])
    if data["written"] and any(row["state"] in {NEW, RENEW} for row in data["agents"]):
        yield Line("")
        yield Line(
            say(
                "Work as usual: leftoff session list shows what was done, leftoff uninstall"
                " undoes this."
            )
        )


def _more(row: dict[str, Any], say: Say, *, done: bool) -> Iterator[Block]:
    """The script that a plugin calls, and a line for the skills of each state."""
    if row["script"]:
        text = say("launcher written: {path}")
        text = text if done else say("launcher would be written: {path}")
        yield Line("    " + text.format(path=row["script"]), "dim")
    added, renewed = say("skills added: {paths}"), say("skills renewed: {paths}")
    texts = {
        NEW: added if done else say("skills would be added: {paths}"),
        RENEW: renewed if done else say("skills would be renewed: {paths}"),
        SAME: say("skills are already there: {paths}"),
        THEIRS: say("skills that are not as leftoff wrote them stay as they are: {paths}"),
    }
    for state, text in texts.items():
        paths = [skill["path"] for skill in row["skills"] if skill["state"] == state]
        if paths:
            yield Line("    " + text.format(paths=", ".join(paths)), "dim")


def _what(row: dict[str, Any], say: Say, *, done: bool) -> str:
    texts = {
        NEW: say("hooks added to {path}") if done else say("hooks would be added to {path}"),
        RENEW: say("hooks renewed in {path}") if done else say("hooks would be renewed in {path}"),
        SAME: say("hooks are already in {path}"),
        PLUGIN: say("leftoff's plugin already calls it ({path})"),
        ELSEWHERE: say("the user's own settings already call it ({path})"),
        NOTHING: say("nothing to write"),
        REFUSED: say("not set up: {path}"),
    }
    return texts[row["state"]].format(path=row["path"])


def _notes(row: dict[str, Any], say: Say, *, shown: bool) -> Iterator[Block]:
    """What is left to do; and what cannot be, unless that stood before the question."""
    for need in row["needs"]:
        yield Line("⚠ " + say(need), "warn")
    if row["cannot"] and not shown:
        yield Bullets(tuple(say(sentence) for sentence in row["cannot"]))
