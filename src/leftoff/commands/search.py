"""search: what was said, done and decided before, in any session, checkpoint or archived page."""

from __future__ import annotations

import os

from leftoff.commands._options import number_option
from leftoff.core.blocks import Block, Line, Marked
from leftoff.core.result import Result
from leftoff.core.search_hits import DECISION, KINDS, Wanted, facts
from leftoff.core.search_words import query
from leftoff.errors import NotFound, Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world.search_sources import Library, Stock
from leftoff.world.searching import Memory, search

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Call, Say
    from leftoff.core.model import Json
    from leftoff.core.search_hits import Hit, Source
    from leftoff.world.search_sources import Signs

SUMMARY = "Search sessions, checkpoints, learnings and archived threads."
EXAMPLES = (
    "leftoff search retry limit",
    "leftoff search '\"exactly these words\" -draft'",
    "leftoff search 断点续传",
    "leftoff search --decisions redis",
    "leftoff search --kind command --since 7d pytest",
)
READS_TRANSCRIPTS = True
LIMIT = 20
MOST = 1000


def arguments(parser: Any) -> None:
    """What to look for, and where."""
    parser.add_argument(
        "text", nargs="+", metavar="TEXT", help="""words, '"a phrase"', begin*, 'this -not'"""
    )
    parser.add_argument("--decisions", action="store_true", help="only what was decided")
    parser.add_argument(
        "--kind", action="append", choices=KINDS, metavar="KIND", help=f"only {', '.join(KINDS)}"
    )
    parser.add_argument("--agent", metavar="NAME", help="only sessions of this client")
    parser.add_argument("--thread", metavar="NAME", help="only this thread or checkpoint")
    parser.add_argument("--since", metavar="T", help="only what is from T (or 2d, 12h) on")
    parser.add_argument("--everywhere", action="store_true", help="in all projects of this machine")
    parser.add_argument("--team", action="store_true", help="in what the team shares with you")
    parser.add_argument("--limit", metavar="N", help=f"show at most N (default: {LIMIT})")


def run(call: Call) -> Result:
    """The newest first; where it stands is named so that it can be opened."""
    args = call.args
    wanted = Wanted(query(" ".join(args.text)), _kinds(args), _oldest(call))
    limit = number_option("--limit", args.limit, default=LIMIT, least=1, most=MOST)
    if args.team:
        from leftoff.commands import _search_team  # nobody without a team pays for it

        return _search_team.run(call, wanted, limit)
    library, sources, memory = _library(call)
    answer = search(library, wanted, limit, sources, call.progress, memory)
    hits = [_threaded(call, hit) for hit in answer.found.hits]
    shown: list[Json] = [facts(hit, wanted.query) for hit in hits]
    data: dict[str, Json] = {
        "query": " ".join(args.text),
        "hits": shown,
        "total": answer.found.total,
        "everywhere": library.everywhere,
    }
    return Result(data, answer.findings)


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """For each hit where it stands, and the words around it."""
    for hit in data["hits"]:
        kind, at = hit["kind"], (hit["at"] or "")[:16].replace("T", " ")
        where = [hit.get("owner", ""), hit["cite"], say(kind), at]
        if hit["thread"] and hit["thread"] not in hit["cite"]:
            where.append(hit["thread"])
        if data["everywhere"] and hit["root"] and not hit.get("owner"):
            where.append(hit["root"])
        yield Line("  ".join(filter(None, where)), "dim")
        marks = tuple((start + 4, end + 4) for start, end in hit["marks"])
        yield Marked(f"    {hit['snippet']}", marks)
    left = data["total"] - len(data["hits"])
    if not data["hits"] and not left:
        text = "Nothing was found." if data["everywhere"] else "Nothing was found here."
        yield Line(say(text))
    if left:
        yield Line(say("({n} more: --limit {all})", n=left, all=min(MOST, data["total"])), "dim")


def _library(call: Call) -> tuple[Library, list[Source], Memory | None]:
    """What there is to search; a server has just looked, and remembers its last search."""
    args, keep = call.args, call.keep
    everywhere = bool(args.everywhere)
    if call.store.server_sessions is None or keep is None:
        library = Library(call.store, call.env, everywhere=everywhere)
        return library, _chosen(call, library.sources()), None
    of = call.store.root, everywhere
    stock, memory = keep.own(("search", *of), lambda: (Stock(), Memory()))
    library = Library(call.store, call.env, everywhere=everywhere, stock=stock)
    signs = library.signs()

    def made() -> tuple[Signs, Library, list[Source]]:
        return signs, library, _chosen(call, library.sources())

    key = ("library", *of, args.agent, args.thread)
    return *keep.same(key, made, lambda value: value[0].same(signs))[1:], memory


def _kinds(args: Any) -> tuple[str, ...]:
    if args.decisions and args.kind:
        raise Usage("--decisions and --kind both say what to look at", hint="leave one of them out")
    return (DECISION,) if args.decisions else tuple(args.kind)


def _oldest(call: Call) -> float:
    if not call.args.since:
        return 0.0
    from leftoff.core.thresholds import since  # most look at all times

    return since(call.args.since, call.now)


def _chosen(call: Call, sources: list[Source]) -> list[Source]:
    """Those of the client and of the thread that were named."""
    if call.args.agent:
        from leftoff.world.clients import require

        require(call.args.agent)
        sources = [one for one in sources if one.agent == call.args.agent]
    if call.args.thread:
        thread = _thread(call, sources)
        sources = [one for one in sources if _thread_of(call, one) == thread]
    return sources


def _thread(call: Call, sources: list[Source]) -> str:
    """The id of the thread that is meant: one of this project, else one that something names."""
    from leftoff.core.find_stream import find

    name = call.args.thread
    try:
        return find(call.store.streams(), name).glance.id
    except NotFound:
        if any(_thread_of(call, one) == name for one in sources):
            return str(name)
        raise


def _thread_of(call: Call, source: Source) -> str:
    """Whose a source is; of a session, as its journal says now."""
    path = os.path.join(call.store.state, "sessions", source.agent, f"{source.session}.jsonl")
    if source.thread or not source.session or not os.path.exists(path):
        return source.thread
    from leftoff.world.bindings import bound

    return bound(call.store.state, source.agent, source.session)


def _threaded(call: Call, hit: Hit) -> Hit:
    return hit._replace(source=hit.source._replace(thread=_thread_of(call, hit.source)))
