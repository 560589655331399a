"""team push: send what is new since the last time; what was cut off goes on with the next push."""

from __future__ import annotations

import os

from leftoff.commands import Call, _sessions
from leftoff.commands._team import Member
from leftoff.core.blocks import Block, Line
from leftoff.core.result import Result
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import archive_tombstones, team_documents, team_withdraw
from leftoff.world.index_postgres import AT_ONCE, TEXTS
from leftoff.world.locks import locked
from leftoff.world.place import find_place
from leftoff.world.team_push import BATCH, STATS, push
from leftoff.world.team_records import EVIDENCE, evidence, figures, texts
from leftoff.world.team_state import findings

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Finding, Json
    from leftoff.core.session import Session
    from leftoff.world.store import Store
    from leftoff.world.team_documents import Pushed
    from leftoff.world.team_exchange import Exchange
    from leftoff.world.team_push import Counts, Row, Target

    Key = tuple[str, str]

KINDS = ("sessions", "texts", "documents", "evidence")


class Sent(Record):
    """What a push did: by kind how many there are and were sent, and how many rows it deleted."""

    counts: Mapping[str, tuple[int, int]]
    withdrawn: int = 0
    findings: tuple[Finding, ...] = ()

    def plus(self, other: Sent) -> Sent:
        """Both together."""
        sums = {
            kind: (known + other.counts[kind][0], sent + other.counts[kind][1])
            for kind, (known, sent) in self.counts.items()
        }
        return Sent(sums, self.withdrawn + other.withdrawn, (*self.findings, *other.findings))


def run(call: Call) -> Result:
    """The project at hand, or every one that sessions of this machine were in."""
    known = _sessions.gather(call, everywhere=bool(call.args.everywhere), curves=False)
    with Member(call) as exchange, locked(exchange.memory.folder):
        if call.args.again:
            exchange.memory.sent.clear()
        gone = archive_tombstones.forgotten(call.store.state).forgotten
        sent = Sent(dict.fromkeys(KINDS, (0, 0)), team_withdraw.bury(exchange, gone))
        for store, mine in _projects(call, known):
            sent = sent.plus(_pushed(call, exchange.about(store), mine, gone))
    rows: dict[str, Json] = {
        kind: {"known": known, "sent": new} for kind, (known, new) in sent.counts.items()
    }
    data: dict[str, Json] = {"store": exchange.to.shown, "member": exchange.me, **rows}
    told = (*sent.findings, *findings(call.store.state))
    return Result({**data, "withdrawn": sent.withdrawn}, told)


def _projects(call: Call, known: list[Session]) -> Iterator[tuple[Store, list[Session]]]:
    """Each project with its sessions; the one at hand with all that was gathered for it."""
    if not call.args.everywhere:
        yield call.store, known
        return
    home = call.env.get("HOME", "")
    by_root: dict[str, list[Session]] = {call.store.root: []}
    for one in known:
        by_root.setdefault(one.root, []).append(one)
    for root, mine in by_root.items():
        if os.path.isdir(root):  # of a project that is gone nobody can say which it was
            yield type(call.store)(find_place(root, home), call.store.state), mine


def _pushed(
    call: Call, exchange: Exchange, known: list[Session], forgotten: Container[Key]
) -> Sent:
    """All of one project: what is taken back first, then the figures, which are the most."""
    gone = team_withdraw.withdraw(exchange)
    known = [one for one in known if (one.agent, one.id) not in forgotten]
    papers = team_documents.push(exchange)
    each = _telling(call, known)
    told: list[Finding] = []
    found: dict[str, Counts | Pushed] = {
        "sessions": _rows(exchange, STATS, figures(exchange, each(0), told), BATCH),
        "texts": _rows(exchange, TEXTS, texts(exchange, each(1), told), AT_ONCE),
        "documents": papers,
        "evidence": _rows(exchange, EVIDENCE, evidence(exchange), BATCH),
    }
    counts = {kind: (one.known, one.sent) for kind, one in found.items()}
    return Sent(counts, gone, (*papers.findings, *told, *_sessions.findings(known)))


def _rows(exchange: Exchange, target: Target, rows: Iterator[Row], size: int) -> Counts:
    return push(
        exchange.to, exchange.link, target, rows, exchange.memory, by=exchange.by, size=size
    )


def _telling(call: Call, known: list[Session]) -> Callable[[int], Iterator[Session]]:
    """Goes through the sessions, the first or the second time, and says how far that is.

    A batch is sent while the next session is waited for, so that the bar shows this, too.
    """
    tell, total = call.progress or (lambda *_: None), 2 * len(known)

    def each(time: int) -> Iterator[Session]:
        for n, one in enumerate(known, time * len(known)):
            tell(n, total)
            yield one
        tell((time + 1) * len(known), total)

    return each


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """What was sent; nothing at all is a good answer too."""
    if not any(data[kind]["sent"] for kind in KINDS) and not data["withdrawn"]:
        yield Line(say("The team store has everything already."), "good")
        return
    counts = {kind: data[kind]["sent"] for kind in KINDS}
    text = (
        "Sent: {sessions} session(s), {texts} passage(s), {documents} checkpoint(s), "
        "{evidence} check(s)."
    )
    yield Line(say(text, **counts), "good")
    if data["withdrawn"]:
        yield Line(say("Withdrawn: {n} row(s).", n=data["withdrawn"]))
