"""Which sessions there are, newest first, cached so that not every file is asked each time.

For pages of long lists. What was learnt of each journal and transcript is kept; a later look asks
the folders, whose time changes when a name comes or goes, and the newest files, among which are
those that grow. Everything is looked at again once a minute, for the rare old file that grows
unseen. What is kept can be deleted at any time.
"""

from __future__ import annotations

import marshal
import os
from collections import Counter
from itertools import chain, takewhile
from time import time

from leftoff.core.session import thread_by_descent
from leftoff.errors import Busy
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import cache_file
from leftoff.world.journal import all_in
from leftoff.world.log_record import began_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    from leftoff.world.log_cache import Logs
    from leftoff.world.log_record import Log

    Row: TypeAlias = tuple[Any, ...]
    Sign: TypeAlias = tuple[str, int, int]
    """path, time and size"""
    Load: TypeAlias = Callable[[set[str]], Mapping[str, bytes]]
    Watched: TypeAlias = list[Sign]

NEWEST = 200
"""Files that are asked at every look."""
WHOLE = 60.0
"""Seconds after which all of them are."""
_HEAD = cache_file.head_of("catalogue 8")
AT, AGENT, SESSION, ROOT, PATH, THREAD, PARENT, SIZE, ENDED, BOUND = range(10)
"""Where in a row stands what; rows are plain tuples, since there are ten thousands of them.

BOUND is the thread that the session itself named: what it has by descent may become another.
"""
ON, EACH = 4, 100
"""Where in a session's row its thread stands; how many rows are loaded together."""


class Entry(Record):
    """One session: when a file of it last changed, where it began, and its files."""

    at: int
    """nanoseconds"""
    agent: str
    session: str
    root: str
    thread: str
    journal: str
    logs: tuple[tuple[str, str, int, int, bytes], ...]
    """of each transcript path, session (a subagent's has its own), size, time, and what was counted
    in it, as `log_cache` keeps it, if it was"""


class Catalogue:
    """All sessions, newest first, by their numbers; a row is loaded only where it is wanted."""

    def __init__(self, load: Load) -> None:
        """`load` gives parts by their names, as they were kept or just made."""
        self._load = load

    def which(self, belongs: Callable[[str], bool], thread: str = "") -> list[int]:
        """The numbers of those that began in a folder that belongs, or only those on a thread."""
        roots, threads, where = marshal.loads(self._load({"index"})["index"])  # noqa: S302
        mine = {at for at, root in enumerate(roots) if belongs(root)}
        if thread:
            wanted = {at for at, name in enumerate(threads) if name == thread}
            return [n for n, (root, on) in enumerate(where) if root in mine and on in wanted]
        return [n for n, (root, _) in enumerate(where) if root in mine]

    def firsts(self) -> list[tuple[str, int, int]]:
        """For each folder the number of its newest session, and how many began there."""
        found: list[tuple[str, int, int]] = marshal.loads(self._load({"firsts"})["firsts"])  # noqa: S302
        return found

    def rows(self, numbers: Sequence[int]) -> list[Entry]:
        """These, in their order."""
        names = {str(n // EACH) for n in numbers}
        found = self._load(names) if names else {}
        parts = {name: marshal.loads(found[name]) for name in names}  # noqa: S302  # ours, and whole
        return [Entry(*parts[str(n // EACH)][n % EACH]) for n in numbers]


def catalogue(state: str, env: Mapping[str, str]) -> Catalogue:
    """As the disk has it."""
    files = _journals(state), _logs(state, env)
    mark, path = marshal.dumps([file.made for file in files]), _path(state, "sessions")
    found = cache_file.load(path, _HEAD, ("mark",))
    if found and found["mark"] == mark:
        return Catalogue(lambda names: _pieces(path, names))
    made = _packed(_with_stats(_merged(*(file.rows() for file in files)), state))
    cache_file.save(path, _HEAD, {"mark": mark, **made})
    return Catalogue(lambda _: made)


def _pieces(path: str, names: set[str]) -> dict[str, bytes]:
    found = cache_file.load(path, _HEAD, names)
    if found is None or not names <= found.keys():
        raise Busy("the list of sessions changed in the meantime", hint="try again")
    return found


def journals(state: str, since: float) -> list[Row]:
    """A row for each journal with a line since then, newest first.

    THREAD is the one that the session is bound to, also by descent.
    """
    file, oldest = _journals(state), int(since * 1e9)
    return [*takewhile(lambda row: row[AT] >= oldest, chain.from_iterable(file.pieces()))]


def logs_until(state: str, env: Mapping[str, str], until: float) -> list[Row]:
    """A row for each transcript that did not change since then, oldest first.

    PARENT is the session of a subagent's.
    """
    file, newest = _logs(state, env), int(until * 1e9)
    pieces = (reversed(piece) for piece in file.pieces(backwards=True))
    return [*takewhile(lambda row: row[AT] <= newest, chain.from_iterable(pieces))]


def _packed(rows: list[Row]) -> dict[str, bytes]:
    """Where each began and which thread it is on for all of them, the rest in pieces."""
    roots = {row[ROOT]: at for at, row in reversed([*enumerate(rows)])}
    counts = Counter(row[ROOT] for row in rows)
    number = {root: at for at, root in enumerate(roots)}
    threads = {name: at for at, name in enumerate({row[ON]: 0 for row in rows})}
    where = [(number[row[ROOT]], threads[row[ON]]) for row in rows]
    firsts = [(root, first, counts[root]) for root, first in roots.items()]
    index = marshal.dumps(([*roots], [*threads], where))
    return {"index": index, "firsts": marshal.dumps(firsts), **_in_pieces(rows)}


def _merged(journaled: list[Row], logged: list[Row]) -> list[Row]:
    found: dict[tuple[str, str], list[Any]] = {}
    files: dict[tuple[str, str], list[Row]] = {}
    for row in journaled:
        found[row[AGENT], row[SESSION]] = [*row[: ROOT + 1], row[THREAD], row[PATH], ()]
    for row in logged:
        files.setdefault((row[AGENT], row[PARENT] or row[SESSION]), []).append(row)
    for key, own in files.items():
        one = found.setdefault(key, [0, *key, "", "", "", ()])
        one[AT] = max(one[AT], *(row[AT] for row in own))
        # a journal may only say which thread it is on
        one[ROOT] = one[ROOT] or began_in(
            (row[PARENT], row[AT], row[PATH], row[ROOT]) for row in own
        )
        one[-1] = tuple((row[PATH], row[SESSION], row[SIZE], row[AT], b"") for row in own)
    return sorted(map(tuple, found.values()), key=lambda row: (-row[AT], row[AGENT], row[SESSION]))


def _with_stats(rows: list[Row], state: str) -> list[Row]:
    """With what is known of each transcript already: who wants a few need not load that of all."""
    from leftoff.world import log_cache

    known = log_cache.load(state, curves=False)
    return [(*row[:-1], tuple(with_stats(log, known) for log in row[-1])) for row in rows]


def with_stats(log: Row, known: Logs) -> Row:
    """A transcript of an entry with what was counted in it, if it is the same since."""
    path, _, size, at, _ = log
    row = known.rows.get(path)
    same = row is not None and (row[2], row[3]) == (size, at)
    return (*log[:-1], known.stats.get(path, b"")) if same else log


# Looking


class _CatalogueFile:
    """When all of it was looked at, and its rows, of which no more are loaded than are wanted."""

    def __init__(self, made: float, load: Load, count: int) -> None:
        self.made, self._load, self._count = made, load, count

    def pieces(self, *, backwards: bool = False) -> Iterator[list[Row]]:
        """So many rows at a time."""
        numbers = range((self._count + EACH - 1) // EACH)
        for at in reversed(numbers) if backwards else numbers:
            yield marshal.loads(self._load({str(at)})[str(at)])  # noqa: S302  # ours, and whole

    def rows(self) -> list[Row]:
        """All of them."""
        return [*chain.from_iterable(self.pieces())]


def _journals(state: str) -> _CatalogueFile:
    return _looked(state, "journals", lambda known: _all_journals(state, known))


def _logs(state: str, env: Mapping[str, str]) -> _CatalogueFile:
    return _looked(state, "transcripts", lambda _: _all_logs(state, env))


def _looked(state: str, name: str, everything: Callable[[dict[str, Row]], Any]) -> _CatalogueFile:
    """What is kept, brought up to date at the least price."""
    path = _path(state, name)
    found = cache_file.load(path, _HEAD, ("signs",))
    signs = marshal.loads(found["signs"]) if found else (0.0, (), 0)  # noqa: S302
    old = _CatalogueFile(signs[0], lambda names: _pieces(path, names), signs[2])
    if _holds(*signs[:2]):
        return old
    made = time()
    watched, rows = everything({row[PATH]: row for row in old.rows()})
    rows.sort(key=lambda row: (-row[AT], row[PATH]))
    newest = [(row[PATH], row[AT], row[SIZE]) for row in rows[:NEWEST] if "#" not in row[PATH]]
    settled = int((made - cache_file.TICK) * 1e9)
    hurried = any(at >= settled for _, at, _ in (*watched, *newest))
    told = marshal.dumps((0.0 if hurried else made, [*watched, *newest], len(rows)))
    parts = _in_pieces(rows)
    cache_file.save(path, _HEAD, {"signs": told, **parts})
    return _CatalogueFile(made, lambda _: parts, len(rows))


def _in_pieces(rows: list[Row]) -> dict[str, bytes]:
    return {
        str(at // EACH): marshal.dumps(rows[at : at + EACH]) for at in range(0, len(rows), EACH)
    }


def _path(state: str, name: str) -> str:
    return os.path.join(state, "cache", f"{name}.bin")


def _holds(made: float, signs: Iterable[Sign]) -> bool:
    return 0 <= time() - made < WHOLE and all(sign(seen[0]) == seen for seen in signs)


def sign(path: str) -> Sign:
    """By which a file or folder shows that it changed."""
    try:
        status = os.stat(path)
    except OSError:
        return path, 0, 0
    return path, status.st_mtime_ns, status.st_size


def _all_journals(state: str, known: Mapping[str, Row]) -> tuple[Watched, list[Row]]:
    rows, base = [], os.path.join(state, "sessions")
    watched = [sign(base), *map(sign, below(base))]
    for agent, session, path in all_in(state):
        seen, old = sign(path), known.get(path)
        if old is None or (path, old[AT], old[SIZE]) != seen:
            old = journal_row(agent, session, seen)
        rows.append(old)
    return watched, _inherited(rows)


def below(folder: str) -> list[str]:
    """What is in a folder, sorted."""
    try:
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    except OSError:
        return []


def journal_row(agent: str, session: str, seen: Sign) -> Row:
    """What has to be read of a journal, once for each time it grew."""
    from leftoff.core.session_lines import session_of
    from leftoff.errors import LeftoffError
    from leftoff.world import journal

    path, at, size = seen
    try:
        one = session_of(agent, session, journal.read(path).lines)
    except (OSError, LeftoffError):
        return (at, agent, session, "", path, "", "", size, False, "")
    began, ended = one.root or one.cwd, bool(one.ended)
    return (at, agent, session, began, path, one.thread, one.parent, size, ended, one.thread)


def _inherited(rows: Iterable[Row]) -> list[Row]:
    """A session without a thread has that of the one it continues."""
    made = [*rows]
    by_name = {(row[AGENT], row[SESSION]): row for row in made}
    return [
        (*row[:THREAD], thread_of(row, by_name), *row[PARENT:])
        if row[PARENT] and not row[BOUND]
        else row
        for row in made
    ]


def thread_of(row: Row, by_name: Mapping[tuple[str, str], Row]) -> str:
    """The thread of a journal's session, also by descent."""

    def told(name: str) -> tuple[str, str]:
        one = by_name.get((row[AGENT], name))
        return (one[BOUND], one[PARENT]) if one else ("", "")

    return str(row[BOUND]) or thread_by_descent(row[PARENT], told)


def _all_logs(state: str, env: Mapping[str, str]) -> tuple[Watched, list[Row]]:
    from leftoff.world.log_files import bases, beginnings, placed

    # first the folders, so that what comes while we look is seen the next time
    above = [*map(sign, dict.fromkeys((*bases(env), *beginnings(env))))]
    found, locked = placed(env, state)
    folders = *between(found, {base for base, *_ in above}), *beside(found)
    watched = [*above, *map(sign, folders)]
    if locked:
        watched.append((watched[0][0], 0, -1))  # no file is so: it is looked at again
    return watched, [*map(log_row, found)]


def log_row(log: Log) -> Row:
    """What is kept of a transcript."""
    where = log.agent, log.session, log.folder, log.path
    return (log.mtime_ns, *where, "", log.parent, log.size, False, "")


def between(logs: Iterable[Log], bases: set[str]) -> list[str]:
    """The folders in which transcripts lie, and those above them, up to where a client's begin."""
    folders = {os.path.dirname(log.path) for log in logs if not log.parent and "#" not in log.path}
    return sorted({up for folder in folders for up in _up(folder, bases)})


def beside(logs: Iterable[Log]) -> list[str]:
    """The folders of subagents of the newest, in which more of them may come."""
    from leftoff.world.log_files import subagents_of

    files = (log for log in logs if "#" not in log.path)
    newest = sorted(files, key=lambda log: -log.mtime_ns)[:NEWEST]
    return [*dict.fromkeys(folder for log in newest for folder in subagents_of(log))]


def _up(folder: str, bases: set[str]) -> Iterator[str]:
    """A folder and those above it, up to where a client's begin."""
    while len(folder) > 1 and folder not in bases:
        yield folder
        folder = os.path.dirname(folder)
