"""compact: what is essential of the conversation so far, and the rest in a file. No model is asked.

It makes a text to go on with; the context of the running session stays as large as it is.
"""

from __future__ import annotations

from leftoff.commands import Call, _draft_sources, _sessions, _threads
from leftoff.commands._redaction import by_own_rules, seen_by_own_rules
from leftoff.commands.budget import use_of
from leftoff.core import compaction
from leftoff.core.blocks import Block, Line, Raw, Table
from leftoff.core.compaction import BUDGET
from leftoff.core.ids import start_of
from leftoff.core.model import Finding
from leftoff.core.recover import theirs
from leftoff.core.result import Result
from leftoff.core.token_estimate import tokens_in
from leftoff.core.when import stamp
from leftoff.record import TYPE_CHECKING
from leftoff.world import conversation, saves
from leftoff.world.calling_session import calling

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.core.session import Session

SUMMARY = "Summarise the conversation so far, without a model; the full text is kept in a file."
EXAMPLES = (
    "leftoff compact",
    "leftoff compact --budget 800",
    "leftoff compact --session claude-code/5f0c --json",
)


def arguments(parser: Any) -> None:
    """How long, and of which session."""
    parser.add_argument("--budget", metavar="N", help=f"about how many tokens (default: {BUDGET})")
    parser.add_argument("--session", metavar="ID", help="the session, if it is not the calling one")


def run(call: Call) -> Result:
    """Keep the conversation in a file, then sum it up with that file's path in it."""
    budget = tokens_in(call.args.budget) if call.args.budget else BUDGET
    known = _sessions.gather(call, curves=False)
    if not known and call.args.session is None and not calling(call):
        return Result({"session": None, "text": None})
    chosen = _sessions.choose(call, known)
    one = chosen.session
    path = conversation.where(one.agent, one.id, call.env, one.transcript)
    kept, turns = _kept(call, one, path)
    seen = _draft_sources.seen(call, one.agent, one.id, path)
    newest = chosen.why != _sessions.NAMED or [each.name for each in known[:1]] == [one.name]
    seen = seen_by_own_rules(call, theirs(seen, one, newest=newest), one.root)
    found = compaction.parts(one, seen, _threads.work_of(call.store, one.thread))
    made = compaction.summary(found, kept, budget, call.say)
    use = use_of(one, call)
    data: dict[str, Json] = {
        "session": one.name,
        "why": chosen.why,
        "text": made.text,
        "parts": {part.key: [*part.entries] for part in found},
        "archive": kept or None,
        "turns": turns,
        "tokens": {
            "before": use.tokens,
            "after": made.tokens,
            "saved": max(0, use.tokens - made.tokens),
            "method": use.method,
            "estimate": True,
        },
        "budget": budget,
        "overrun": made.overrun,
        "shrinks_the_window": False,
    }
    return Result(data, (*_told(made.overrun, budget, kept), *_sessions.findings([one])))


def _kept(call: Call, one: Session, path: str) -> tuple[str, int]:
    """The file that has it all, and how many turns; "" where there is no conversation to keep."""
    turns = by_own_rules(call, [*conversation.turns(one.agent, one.id, call.env, path)], one.root)
    if not turns:
        return "", 0
    stem = f"{stamp(call.now)[:10]}-{one.agent}-{start_of(one.id)}"
    text = "".join(compaction.lines_of(turns))
    return saves.save(call.store, stem, text, "-conversation.jsonl"), len(turns)


def _told(overrun: int, budget: int, kept: str) -> Iterator[Finding]:
    if overrun:
        text = f"what must stay takes about {overrun} tokens more than the budget"
        yield Finding("over-budget", "warning", "", f"{text} of {budget}")
    if not kept:
        why = "there is no transcript of this session: only what was noted is summed up"
        yield Finding("no-transcript", "warning", "", why)


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The text, where the rest is, the figures, and what this does not do."""
    if not data["session"]:
        yield Line(say("No agent session is known in this project."))
        return
    yield Line(data["session"], "strong")
    if data["why"] == _sessions.NEWEST:
        yield Line(say("(not called from a session: the newest one of this project)"), "dim")
    yield Raw(data["text"])
    if data["archive"]:
        text = "{n} turn(s) kept in {path}"
        yield Line("✓ " + say(text, n=data["turns"], path=data["archive"]), "good")
    told = data["tokens"]
    rows = (
        (say("Before"), f"~{told['before']:,}"),
        (say("After"), f"~{told['after']:,}"),
        (say("Saved"), f"~{told['saved']:,}"),
    )
    yield Table((say("Tokens, an estimate"), ""), rows)
    yield Line(
        say(
            "The context of the running session is as large as before: begin a new session with"
            " this text, or use the client's own compaction."
        )
    )
