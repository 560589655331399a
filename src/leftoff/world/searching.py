"""A search: by the index where it is right, by reading where it is not; the answer is the same.

What the index has not taken in is looked at as it is.
"""

from __future__ import annotations

from leftoff.core.model import Finding
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import index_sqlite
from leftoff.world.index_sqlite import NotUsable
from leftoff.world.search_sources import prints_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from leftoff.core.found import Found, Source, Wanted
    from leftoff.world.index_sqlite import Index
    from leftoff.world.keeping import Keep
    from leftoff.world.search_sources import Library

    Progress = Callable[[int, int], None]


class Answer(Record):
    """What was found, and what kept the index from helping."""

    found: Found
    findings: tuple[Finding, ...] = ()


def search(  # noqa: PLR0913, PLR0917  # a question, where to look, and for whom
    library: Library,
    wanted: Wanted,
    limit: int,
    sources: list[Source],
    progress: Progress | None = None,
    keep: Keep | None = None,
) -> Answer:
    """The same answer as `search_scan.find` gives, sooner."""
    state, findings = library.store.state, list[Finding]()
    found, stale = None, sources
    try:
        found, stale, behind = _asked(library, sources, wanted, limit, keep)
        if behind:
            from leftoff.world.index_update import refreshed  # most searches find nothing new

            refreshed(library, stale, sources, progress)
            found, stale, _ = _asked(library, sources, wanted, limit)
    except NotUsable as error:
        findings.append(_finding(state, error))
    if stale or found is None:
        from leftoff.world import search_scan
        from leftoff.world.index_update import telling

        read = search_scan.find(library, stale, wanted, limit, telling(stale, progress))
        found = search_scan.together([found, read] if found else [read], limit)
    return Answer(found, tuple(findings))


def _asked(
    library: Library,
    sources: list[Source],
    wanted: Wanted,
    limit: int,
    keep: Keep | None = None,
) -> tuple[Found | None, list[Source], bool]:
    """What the index says, what it has nothing to say about, and whether it is behind."""
    index = index_sqlite.open_in(library.store.state)
    if index is None:
        return None, sources, bool(sources)
    with index:
        state = _state(index, library, sources, keep)
        return index.find(wanted, state.fresh, limit), state.stale, state.behind


class _State(Record):
    """How an index stands to the sources."""

    fresh: dict[int, Source]
    stale: list[Source]
    behind: bool


def _state(index: Index, library: Library, sources: list[Source], keep: Keep | None) -> _State:
    """A server asks the index for all it knows only when one of the two changed."""
    if keep is None:
        return _compared(index, library, sources)
    print_ = index_sqlite.written(library.store.state)

    def made() -> tuple[list[Source], tuple[int, ...], _State]:
        return sources, print_, _compared(index, library, sources)

    def is_same(value: tuple[list[Source], tuple[int, ...], _State]) -> bool:
        return value[0] is sources and value[1] == print_

    return keep.same("index", made, is_same)[2]


def _compared(index: Index, library: Library, sources: list[Source]) -> _State:
    rows = index.known()
    fresh: dict[int, Source] = {}
    stale: list[Source] = []
    for source in sources:
        row = rows.get(source.key)
        if row and row.prints == prints_of(source):
            fresh[row.id] = source
        else:
            stale.append(source)
    behind = bool(stale) or not library.forgotten.isdisjoint(rows)
    return _State(fresh, stale, behind)


def _finding(state: str, error: NotUsable) -> Finding:
    text = f"the search index is of no use ({error.message}); everything was read instead"
    fix = 'run "leftoff index --rebuild"'
    return Finding("index-unusable", "warning", index_sqlite.path_in(state), text, fix)
