"""recover: go on with the work of a session that died or ended, and that nobody saved."""

from __future__ import annotations

import os

from leftoff.commands import Call, _recover_choice, _sessions
from leftoff.commands._caller import who_if_clear
from leftoff.commands._recover_save import failures, keep, look, steps, text_of, told, words
from leftoff.core import recover as r
from leftoff.core.blocks import Block, Bullets, Line, Raw
from leftoff.core.brief_parts import SAID
from leftoff.core.draft import FAILED
from leftoff.core.find_stream import called
from leftoff.core.model import Finding
from leftoff.core.paths import stem_of
from leftoff.core.result import Result
from leftoff.core.texts import headed
from leftoff.errors import Usage
from leftoff.formats import kinds_of_work
from leftoff.record import TYPE_CHECKING
from leftoff.world import conversation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.commands._recover_save import Recovered
    from leftoff.core.model import Json
    from leftoff.core.session import Session

SUMMARY = "Draft a checkpoint from a session that died or ended unsaved, and offer it."
EXAMPLES = (
    "leftoff recover",
    "leftoff recover --list",
    "leftoff recover 5f0c2d1e --dry-run",
    "leftoff recover 5f0c2d1e --thread payments",
    "leftoff recover codex/019a2b3c --as md",
)
READS_TRANSCRIPTS = True


def arguments(parser: Any) -> None:
    """Which session, and where its draft goes."""
    parser.add_argument(
        "id", nargs="?", metavar="SESSION", help="its id, the start of it, or AGENT/ID"
    )
    parser.add_argument(
        "--list", action="store_true", help="show the sessions that left unsaved work"
    )
    parser.add_argument("--pick", metavar="N", help="which one of several, by its number")
    parser.add_argument("--dry-run", action="store_true", help="show the draft, write nothing")
    parser.add_argument(
        "--as",
        dest="kind",
        metavar="FORMAT",
        choices=kinds_of_work(),
        help=f"write a new document into the repository: {', '.join(kinds_of_work())}",
    )
    parser.add_argument("--thread", metavar="NAME", help="add it to this thread, or start it")


def run(call: Call) -> Result:
    """Find the session, draft, and keep the draft; or say which ones there are."""
    args = call.args
    _agree(args)
    known = _sessions.gather(call, curves=False)
    others = _others(call, known)
    left = r.unsaved(others, call.now, call.settings.limits)
    if args.list:
        return _recover_choice.listed(call, left, [*_recover_choice.at_work(call, others)])
    if args.id is not None:
        one = _recover_choice.by_name(call, known, args.id)
    elif args.pick is not None:
        one = _recover_choice.picked(args.pick, left)
    else:
        offered = _recover_choice.offered(call, left)
        if not offered:
            why = [*_recover_choice.not_offered(call, left, others)]
            return _recover_choice.listed(call, left, why)
        if len(offered) > 1:
            return _recover_choice.question(call, left, offered)
        one = left[offered[0]]
    newest = bool(known) and known[0].name == one.name
    return _done(call, look(call, one, newest=newest, whole=args.id is not None))


def _agree(args: Any) -> None:
    if args.thread and args.kind not in {None, "thread"}:
        raise Usage("--thread names a thread, --as another format", hint="leave one of them out")
    if args.id is not None and args.pick is not None:
        raise Usage("SESSION and --pick both say which", hint="leave one of them out")


def _others(call: Call, known: Sequence[Session]) -> list[Session]:
    """All but the one that calls."""
    own = "/".join(who_if_clear(call) or ())
    return [one for one in known if one.name != own]


def _done(call: Call, found: Recovered) -> Result:
    """Write the draft where it was asked for, and say what it was made from."""
    findings = tuple(_missing(call, found))
    args, one = call.args, found.session
    data: dict[str, Json] = {
        "session": one.name,
        "dry_run": bool(args.dry_run),
        "found": _facts(found),
        "saved": None,
        "record": None,
        "text": None,
        "resume": None,
    }
    if args.dry_run:
        return Result({**data, "text": text_of(found.made)}, findings)
    if args.kind or args.thread:
        path, more = _to_repository(call, found)
        told(call, one, path, one.size, once=False)
        name = called(call.store.streams(), path)  # it need not be what is current here
        data |= {"saved": path, "resume": f"leftoff resume {name}"}
        return Result(data, (*findings, *more))
    kept = keep(call, found, one.size, once=False) or found
    name = stem_of(kept.path)  # without it, resume may take what another session left
    data |= {"saved": kept.path, "record": kept.record, "resume": f"leftoff resume {name}"}
    return Result(data, findings)


def _to_repository(call: Call, found: Recovered) -> tuple[str, tuple[Finding, ...]]:
    from leftoff.commands import _recover_document as document

    if call.args.thread or call.args.kind == "thread":
        return document.into_thread(call, found, call.args.thread or "")
    return document.create(call, found, call.args.kind)


def _missing(call: Call, found: Recovered) -> Iterator[Finding]:
    """What the draft could not be made from, and that it is one."""
    one = found.session
    if not conversation.where(one.agent, one.id, call.env, one.transcript):
        text = "its transcript is gone: this is only what the journal and the list of prompts hold"
        yield Finding("transcript-gone", "warning", one.name, text)
    yield from _sessions.findings([one])
    if one.root not in {"", call.store.root} and os.path.isdir(one.root):
        text = f"it worked in {one.root}: here, its draft is checked against other files"
        yield Finding("elsewhere", "warning", one.name, text, "run it in that folder")
    if r.is_saved(one):
        text = "this session was saved; the save says more than a draft would"
        yield Finding("saved-before", "info", one.name, text, "leftoff resume offers it")
    yield Finding(
        "drafted", "info", one.name, "this is a draft from the session; nobody has confirmed it"
    )


def _facts(found: Recovered) -> dict[str, Json]:
    made = found.made
    return {
        "intent": made.intent or None,
        "said": [*words(found)],
        "decisions": [item.text for item in made.decisions],
        "summary": made.extra.get("What was done"),
        "files": [item.text for item in made.artifacts],
        "failed": [item.text.removeprefix(FAILED) for item in failures(made)],
        "next": [*steps(made)],
        "questions": [item.text for item in made.questions],
        "tests": made.extra.get("Tests"),
        "branch": made.branch or None,
    }


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The sessions, or what one left and where that is now."""
    if "sessions" in data:
        yield from _recover_choice.view(data, say)
        return
    yield Line(say("Drafted from {session}:", session=data["session"]), "strong")
    yield from _facts_view(data["found"], say)
    if data["text"]:
        yield Line(say("(a dry run: nothing was written)"), "dim")
        yield Raw(data["text"])
    if data["saved"]:
        yield Line("✓ " + say("saved {path}", path=data["saved"]), "good")
    if data["record"]:
        yield Line("  " + say("left for the next session: {path}", path=data["record"]))
    if data["resume"]:
        yield Line("  " + say("continue in a new session: {command}", command=data["resume"]))


_LISTS = {
    "said": SAID,
    "decisions": "Decided",
    "files": "Files changed",
    "failed": "Failed, and not repaired",
    "next": "Next steps",
    "questions": "Open questions",
}


def _facts_view(found: dict[str, Any], say: Say) -> Iterator[Block]:
    for name, title in (("intent", "Asked"), ("summary", "Done"), ("tests", "Tests")):
        if found[name]:
            yield Line(headed(say(title), found[name]))
    for name, title in _LISTS.items():
        if found[name]:
            yield Line(headed(say(title)))
            yield Bullets(tuple(found[name]))
