"""session: what agents did here and elsewhere, from their journals and transcripts."""

from __future__ import annotations

import os

from leftoff.commands import Call
from leftoff.commands._options import refuse_others
from leftoff.formats import kinds_of_work
from leftoff.record import TYPE_CHECKING
from leftoff.world.clients import database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.blocks import Block
    from leftoff.core.model import Finding
    from leftoff.core.result import Result

SUMMARY = "Show what agents did: sessions, statistics, crashes. Also add notes, keep or archive."
EXAMPLES = (
    "leftoff session list --branch main",
    "leftoff session info",
    "leftoff session stats --all --by model",
    "leftoff session reconcile --dry-run",
    "leftoff session note -m 'Tokens are signed' --decision 'Use RS256' --next 'Write the docs'",
    "leftoff session keep 5f0c --as md --name chk-tokens",
    "leftoff session archive --all",
    "leftoff session archive 5f0c --bring-back",
    "leftoff session export 5f0c --format html --out talk.html",
)
READS_TRANSCRIPTS = True
ACTIONS = ("list", "info", "stats", "reconcile", "export", "note", "keep", "archive", "forget")
_TAKES = {
    "list": (
        *("all", "agent", "branch", "outcome", "since", "everywhere", "team", "state"),
        *("start", "limit", "thread"),
    ),
    "info": ("id", "session"),
    "stats": ("id", "session", "all", "by", "since", "agent"),
    "reconcile": ("dry_run",),
    "export": ("id", "write", "format", "out", "start", "limit", "line"),
    "note": ("message", "outcome", "task", "decision", "next", "session"),
    "keep": ("id", "kind", "name", "session"),
    "archive": ("id", "all", "expiring", "bring_back"),
    "forget": ("id",),
}

_ABOUT_ALL = ("list", "info", "stats", "reconcile", "export", "archive")
"""Their answers lack what could not be read, and say so."""


def arguments(parser: Any) -> None:
    """What to do, with which session."""
    parser.add_argument(
        "action", nargs="?", metavar="ACTION", choices=ACTIONS, help=", ".join(ACTIONS)
    )
    parser.add_argument(
        "id", nargs="?", metavar="ID", help="the session: its id, the start of it, or AGENT/ID"
    )
    parser.add_argument(
        "--all", action="store_true", help="list: older ones too; stats, archive: all projects"
    )
    parser.add_argument("--agent", metavar="A", help="only sessions of this client")
    parser.add_argument("--branch", metavar="B", help="only sessions on this git branch")
    parser.add_argument(
        "--outcome", metavar="PATH", help="only sessions for this outcome; note: work on it"
    )
    parser.add_argument("--since", metavar="T", help="only sessions seen since T (or 2d)")
    parser.add_argument(
        "--everywhere", action="store_true", help="sessions of all projects on this machine"
    )
    parser.add_argument(
        "--team", action="store_true", help="list: of all members, from the team store"
    )
    parser.add_argument(
        "--by",
        metavar="WHAT",
        choices=BY,
        help="stats: a line for each day, agent, project or model; everything: all four",
    )
    parser.add_argument("--thread", metavar="ID", help="list: only sessions on this thread")
    parser.add_argument("--dry-run", action="store_true", help="reconcile: show what would be done")
    parser.add_argument(
        "--write", action="store_true", help="export: into status/sessions_summary.json"
    )
    parser.add_argument("-m", dest="message", metavar="TEXT", help="note: what was achieved")
    parser.add_argument("--task", metavar="TEXT", help="note: the task at hand")
    parser.add_argument(
        "--decision", action="append", metavar="TEXT", help="note: a decision (repeatable)"
    )
    parser.add_argument(
        "--next", action="append", metavar="TEXT", help="note: a next step (repeatable)"
    )
    parser.add_argument("--session", metavar="ID", help="the session, if it is not the calling one")
    parser.add_argument(
        "--as", dest="kind", metavar="FORMAT", choices=kinds_of_work(), help="keep: the format (md)"
    )
    parser.add_argument("--name", metavar="NAME", help="keep: the name of the checkpoint")
    parser.add_argument(
        "--format", metavar="F", choices=EXPORTS, help=f"export ID: {', '.join(EXPORTS)} (md)"
    )
    parser.add_argument("--out", metavar="FILE", help="export ID: into a new file")
    parser.add_argument(
        "--expiring", action="store_true", help="archive: what Claude Code will delete within days"
    )
    parser.add_argument(
        "--bring-back", action="store_true", help="archive ID: put the copy back for its client"
    )
    _add_parts(parser)


def _add_parts(parser: Any) -> None:
    """Which part of many, for whoever reads page by page."""
    parser.add_argument(
        "--state", metavar="S", choices=STATES, help=f"list: only {', '.join(STATES)}"
    )
    parser.add_argument(
        "--from", dest="start", metavar="N", help="list, export ID: skip the first N"
    )
    parser.add_argument("--limit", metavar="N", help="list, export ID: at most N")
    parser.add_argument(
        "--line", metavar="N", help="export ID: the part with line N of the transcript"
    )


BY = ("day", "agent", "project", "model", "everything")
STATES = ("active", "stale", "recent", "archived")
EXPORTS = ("md", "html", "json")


def run(call: Call) -> Result:
    """Hand over to the action."""
    action = call.args.action or "list"
    refuse_others(call.args, "session", action, _TAKES)
    about_all = action in _ABOUT_ALL
    unread = _unread(call) if about_all else ()
    result: Result = _module(action).run(call)
    if about_all and not unread:
        unread = _unread(call)  # a client may have locked it only meanwhile
    data = {"action": action, **result.data}
    return result._replace(data=data, findings=(*result.findings, *unread))


def _unread(call: Call) -> tuple[Finding, ...]:
    """What is missing in every list; for the one client that keeps a database, where it is here."""
    if not os.path.exists(database(call.env)):
        return ()
    from leftoff.world.opencode_db import hidden

    return hidden(call.env)


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """Each action shows its own."""
    yield from _module(data["action"]).view(data, say)


def _module(action: str) -> Any:
    """One file for each action: an agent that notes something need not load the others."""
    return __import__(f"leftoff.commands._session_{action}", fromlist=["run"])
