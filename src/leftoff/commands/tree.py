"""tree: who came from whom among all checkpoints; --compare shows what differs between two."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.core.blocks import Block, Heading, Line
from leftoff.core.find_stream import find
from leftoff.core.lineage import drawing, forest, mark_authors
from leftoff.core.result import Result
from leftoff.core.stream import broken, join
from leftoff.errors import GitError, NotFound, Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world.facts import authors
from leftoff.world.glance_cache import Uncollected

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.commands._previous import Version
    from leftoff.core.model import Checkpoint, Json
    from leftoff.core.stream import Stream

SUMMARY = "Draw the lineage of all checkpoints, or compare two of them field by field."
EXAMPLES = (
    "leftoff tree",
    "leftoff tree --active",
    "leftoff tree --compare chk-auth chk-auth-2",
    "leftoff tree --compare chk-auth@HEAD~3 chk-auth",
    "leftoff tree --compare chk-auth   # with its previous version",
)

# What the lineage reads of each stream: the others need not be loaded.
FIELDS = ("format", "id", "name", "status", "word", "created", "born", "parent", "broken")


def arguments(parser: Any) -> None:
    """What to draw, or what to compare."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="two, with --compare")
    parser.add_argument("--active", action="store_true", help="only what is not archived")
    parser.add_argument("--archived", action="store_true", help="only what is archived")
    parser.add_argument("--all", action="store_true", help="active and archived (the default)")
    parser.add_argument(
        "--compare", action="store_true", help="what differs; NAME@REV is the text of a git commit"
    )


def run(call: Call) -> Result:
    """Draw everything that is there, broken documents too."""
    if call.args.compare:
        return _compared(call)
    if call.args.names:
        raise Usage("tree draws all checkpoints", hint="names go with --compare")
    which = _which(call.args)
    with Uncollected():
        streams = call.store.streams(FIELDS)
        grown = forest([stream.glance for stream in streams], which)
        paths = [stream.glance.path for stream in streams]
        mark_authors(grown.roots, authors(call.store, paths, call.env))
    data: dict[str, Json] = {"which": which, "roots": [*grown.roots]}
    return Result(data, (*grown.findings, *broken(streams)))


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """One block for the whole drawing: ten thousand would cost more than the lineage itself."""
    if "differences" in data:
        yield from _differences(data, say)
    elif data["roots"]:
        yield Line("\n".join(drawing(data["roots"], say)))
    else:
        yield Line(say("No checkpoints here yet."))


def _which(args: Any) -> str:
    given = [word for word in ("active", "archived", "all") if getattr(args, word)]
    if len(given) > 1:
        raise Usage(
            f"--{given[0]} and --{given[1]} cannot be used together", hint="give one of them"
        )
    return given[0] if given else "all"


def _compared(call: Call) -> Result:
    names: list[Json] = [*call.args.names]
    if len(names) not in {1, 2}:
        text = "--compare takes two checkpoints, or one and its previous version"
        raise Usage(text, hint="write --compare NAME NAME2")
    streams = call.store.streams()
    one, other = (_version(call, streams, str(name)) for name in (names[0], names[-1]))
    if len(names) == 1:
        before = _before(call, streams, str(names[0]))
        names = [before.name, *names] if before else names
        one = before.checkpoint if before else one
    return Result({"compared": names, "differences": difference(one, other)}, broken(streams))


def difference(one: Checkpoint, other: Checkpoint) -> list[Json]:
    """By field, what only the one and only the other says."""
    from leftoff.core.compare import compare

    return [
        {"field": each.field, "before": [*each.before], "after": [*each.after], "moved": each.moved}
        for each in compare(one, other)
    ]


def _before(call: Call, streams: Sequence[Stream], name: str) -> Version | None:
    if "@" in name:
        raise Usage("a commit's version is compared with another one", hint="name both")
    return previous_of(call, streams, find(streams, name))


def previous_of(call: Call, streams: Sequence[Stream], stream: Stream) -> Version | None:
    """What it said before; None where that is not known."""
    from leftoff.commands._previous import previous

    name = stream.glance.full_name
    return previous(call, stream, lambda commit: _version(call, streams, f"{name}@{commit}"))


def _differences(data: dict[str, Any], say: Say) -> Iterator[Block]:
    if len(data["compared"]) == 1:
        yield Line(say("No version is known that said anything else."))
    elif not data["differences"]:
        yield Line(say("Nothing differs."))
    for each in data["differences"]:
        yield Heading(each["field"], 2)
        if each["moved"]:
            yield Line(say("the same items in another order"), "dim")
        for sign, side in (("-", "before"), ("+", "after")):
            tone = "bad" if sign == "-" else "good"
            for text in each[side]:
                yield Line("\n".join(f"{sign} {line}" for line in text.split("\n")), tone)


def _version(call: Call, streams: Sequence[Stream], name: str) -> Checkpoint:
    """A checkpoint as it is, or with `@REV` as it was in a commit."""
    name, at, revision = name.partition("@")
    stream = find(streams, name)
    if not at:
        return call.store.read_stream(stream)
    if not revision or revision.startswith("-") or ":" in revision:
        raise Usage(
            f'"{revision}" is not a git revision', hint="write NAME@COMMIT, as in NAME@HEAD~1"
        )
    _require_commit(call, revision)
    parts = [_then(call, path, revision) for path in stream.parts]
    known = [part for part in parts if part is not None]
    if not known:
        text = f"{stream.glance.id} is not in the commit {revision}"
        raise NotFound(text, hint='see "git log" for the commits')
    return join(known)


def _require_commit(call: Call, revision: str) -> None:
    from leftoff.world import git

    if not call.store.place.git:
        raise GitError("this is not a git repository", hint="leave @REV out")
    words = ("rev-parse", "--quiet", "--verify", "--end-of-options", f"{revision}^{{commit}}")
    if git.ask(call.store.root, *words, env=call.env)[0]:
        raise NotFound(f'there is no commit "{revision}"', hint='see "git log" for the commits')


def _then(call: Call, path: str, revision: str) -> Checkpoint | None:
    """A document at a revision; an archived one may have been active at that time."""
    from leftoff.world import git

    for place in (path, path.replace("/archive/", "/active/")):
        try:  # plumbing: no pager, no text conversion that the repository names
            text = git.run(
                call.store.root, "cat-file", "blob", f"{revision}:./{place}", env=call.env
            )
        except GitError:
            continue
        return call.store.lens_for(place, text).read(text, place)
    return None
