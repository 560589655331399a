"""recover: go on with the work of a session that died or ended, and that nobody saved."""

from __future__ import annotations

from leftoff.commands import Call, _sessions
from leftoff.commands._binding import who_if_clear
from leftoff.commands._recovering import failures, keep, look, steps, text_of, told, words
from leftoff.core import recover as r
from leftoff.core import session as s
from leftoff.core.blocks import Block, Bullets, Line, Raw, Table
from leftoff.core.brief_parts import SAID
from leftoff.core.draft import FAILED
from leftoff.core.fence import one_line
from leftoff.core.model import Finding
from leftoff.core.redact import redact
from leftoff.core.result import Ask, Choice, Result
from leftoff.core.session import Session
from leftoff.core.stats import Stats
from leftoff.core.texts import number, short
from leftoff.core.when import stamp
from leftoff.errors import NotFound, Usage
from leftoff.formats import kinds_of_work
from leftoff.record import TYPE_CHECKING
from leftoff.world import claude_home, conversation
from leftoff.world.calling import named
from leftoff.world.opencode_db import hidden

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.commands._recovering import Recovered
    from leftoff.core.model import Json
    from leftoff.world.claude_home import Typed

SUMMARY = "Draft a checkpoint from a session that died or ended without a save, and offer it."
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
        help=f"write a new document of the repository: {', '.join(kinds_of_work())}",
    )
    parser.add_argument("--thread", metavar="NAME", help="add it to this thread, or begin it")


def run(call: Call) -> Result:
    """Find the session, draft, and keep the draft; or say which ones there are."""
    args = call.args
    if args.thread and args.kind not in {None, "thread"}:
        raise Usage("--thread names a thread, --as another format", hint="leave one of them out")
    known = _sessions.gather(call, curves=False)
    others = _others(call, known)
    left = r.unsaved(others, call.now, call.settings.limits)
    if args.list or not (left or args.id or args.pick):
        return _listed(call, left, _at_work(call, others))
    if args.id is None and args.pick is None and len(_recent(call, left)) > 1:
        return _question(call, _recent(call, left))
    one = _chosen(call, known, left)
    newest = bool(known) and known[0].name == one.name
    return _done(call, look(call, one, newest=newest, whole=args.id is not None))


def _others(call: Call, known: Sequence[Session]) -> list[Session]:
    """All but the one that calls."""
    own = "/".join(who_if_clear(call) or ())
    return [one for one in known if one.name != own]


def _at_work(call: Call, others: Sequence[Session]) -> tuple[Finding, ...]:
    """The last one with unsaved work that was heard of so lately that it may still run."""
    limits = call.settings.limits
    running = (one for one in others if not r.is_over(one, call.now, limits))
    for one in running:
        if r.worked(one) and not r.is_saved(one):
            text = "it may still be at work, so it is not offered"
            hint = f"if {one.name} does not run any more: leftoff recover {one.id[:8]}"
            return (Finding("at-work", "info", one.name, text, hint),)
    return ()


def _recent(call: Call, left: Sequence[Session]) -> Sequence[Session]:
    """The last days'; all, where there are none."""
    limits = call.settings.limits
    fresh = [one for one in left if s.state(one, call.now, limits) != s.ARCHIVED]
    return fresh or left


def _chosen(call: Call, known: Sequence[Session], left: Sequence[Session]) -> Session:
    name, pick = call.args.id, call.args.pick
    if name is not None and pick is not None:
        raise Usage("SESSION and --pick both say which", hint="leave one of them out")
    if name is not None:
        return _named(call, known, name)
    offered = _recent(call, left)
    if pick is not None:
        if not 0 < number(pick) <= len(offered):
            hint = "leftoff recover --list shows them"
            raise Usage(f'"{pick[:20]}" is none of the {len(offered)} sessions', hint=hint)
        return offered[number(pick) - 1]
    return offered[0]


def _named(call: Call, known: Sequence[Session], name: str) -> Session:
    """A session by its name; one of which only the prompts are left, too."""
    try:
        whole = "/".join(named(call.store.state, call.env, name))
    except NotFound:
        gone = [one for one in _deleted(call) if one.session.startswith(name.rpartition("/")[2])]
        if len(gone) != 1:
            raise
        return _of_prompts(gone[0], call.store.root)
    return _sessions.at(call, known, whole)


def _deleted(call: Call) -> list[Typed]:
    return claude_home.deleted(call.env, call.store.root, call.store.state)


def _of_prompts(gone: Typed, root: str) -> Session:
    """A session of which nothing but its prompts is left."""
    asked, last = gone.prompts[0], gone.prompts[-1]
    stats = Stats(asked=asked, last_asked=last, prompts=len(gone.prompts), lines=1)
    return Session(
        claude_home.NAME,
        gone.session,
        root,
        started=gone.first,
        seen=gone.last,
        ended=gone.last,
        stats=stats,
        origin=s.TRANSCRIPT,
    )


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
        name = call.store.stream_at(path).glance.id  # it need not be what is current here
        data |= {"saved": path, "resume": f"leftoff resume {name}"}
        return Result(data, (*findings, *more))
    kept = keep(call, found, one.size, once=False) or found
    data |= {"saved": kept.path, "record": kept.record, "resume": "leftoff resume"}
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
        text = "its transcript is gone: only what the journal and the list of prompts tell is here"
        yield Finding("transcript-gone", "warning", one.name, text)
    yield from _sessions.findings([one])
    if r.is_saved(one):
        text = "somebody saved in this session: the save says more than a draft does"
        yield Finding("saved-before", "info", one.name, text, "leftoff resume offers it")
    yield Finding(
        "drafted", "info", one.name, "nobody stated this: it was drafted from the session"
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


# Which ones there are


def _listed(call: Call, left: Sequence[Session], more: Sequence[Finding]) -> Result:
    rows: list[Json] = [_row(call, one) for one in left]
    gone: list[Json] = [
        {
            "session": f"{claude_home.NAME}/{one.session}",
            "seen": stamp(one.last),
            "prompts": len(one.prompts),
            "asked": short(redact(one.prompts[0]), 200),
        }
        for one in _deleted(call)
    ]
    found = (*_sessions.findings(left), *hidden(call.env), *more)
    return Result({"sessions": rows, "gone": gone}, found)


def _row(call: Call, one: Session) -> dict[str, Json]:
    facts = _sessions.facts(one, call.now, call.settings.limits)
    kept = ("agent", "id", "state", "reason", "seen", "age_seconds", "branch", "thread", "about")
    return {
        **{name: facts[name] for name in kept},
        "files": len(one.stats.files),
        "failed": len(one.stats.failures),
        "open_tasks": len(one.stats.open_tasks),
        "recovered": r.was_recovered(one),
    }


def _question(call: Call, offered: Sequence[Session]) -> Result:
    rows = [_row(call, one) for one in offered]
    choices = tuple(Choice(str(at), _label(row)) for at, row in enumerate(rows, 1))
    ask = Ask("Which session is to be recovered?", choices, "--pick")
    listed: list[Json] = [*rows]
    return Result({"sessions": listed, "gone": []}, hidden(call.env), ask)


def _label(row: dict[str, Any]) -> str:
    about = one_line(short(row["about"] or "", 80))
    return f"{row['agent']} {row['id'][:8]}, {row['seen']}: {about}"


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The sessions, or what one left and where that is now."""
    if "sessions" in data:
        yield from _list_view(data, say)
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
        yield Line("  " + say("go on in a fresh session: {command}", command=data["resume"]))


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
            yield Line(f"{say(title)}: {found[name]}")
    for name, title in _LISTS.items():
        if found[name]:
            yield Line(f"{say(title)}:")
            yield Bullets(tuple(found[name]))


def _list_view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    if data["sessions"]:
        columns = ("#", "Agent", "Seen", "Files", "Failed", "Session", "About")
        rows = tuple(_cells(at, row, say) for at, row in enumerate(data["sessions"], 1))
        yield Table(tuple(say(column) for column in columns), rows)
    else:
        yield Line(say("No session of this project left work that nobody saved."))
    if data["gone"]:
        yield Line("")
        yield Line(say("Deleted by Claude Code; only their prompts are left:"), "warn")
        gone = (f"{one['session']} · {one['seen'][:10]} · {one['asked']}" for one in data["gone"])
        yield Bullets(tuple(map(one_line, gone)))


def _cells(at: int, row: dict[str, Any], say: Say) -> tuple[str, ...]:
    seen = _sessions.when_words(row, say)
    about = short(row["about"] or "", 70)
    if row["recovered"]:
        about = f"({say('recovered')}) {about}"
    return (
        str(at), row["agent"], seen, str(row["files"]), str(row["failed"]), row["id"][:8], about
    )  # fmt: skip
