"""What each document says at a glance, kept so that it need not be read again.

The cache can be deleted at any time. It is believed only when it is whole and of this version, an
entry only while its files are the same by inode, size and both times. It holds nothing that ages.
"""

from __future__ import annotations

import gc
import marshal
import os
import sys
from zlib import crc32

from leftoff import __version__
from leftoff.core.model import Finding
from leftoff.core.stream import Glance, Stream, glance, join
from leftoff.errors import FormatError, LeftoffError, NotFound
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import LARGEST, decode, read_bytes, write_atomic
from leftoff.world.scan import ALIAS
from leftoff.world.state import ensure, place_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    from leftoff.core.model import Checkpoint
    from leftoff.world.scan import Candidate, Refused, Stamp, Table

    Plain: TypeAlias = tuple[object, ...]
    # What its files said: the glance (None: no document), the parts, the findings; plain tuples.
    Said: TypeAlias = tuple[Plain | None, tuple[str, ...], tuple[Plain, ...]]
    # How the files were, in one flat tuple (many small ones load slowly); the newest time; Said.
    Entry: TypeAlias = tuple[Plain, int, Plain | None, tuple[str, ...], tuple[Plain, ...]]

_SHAPE = crc32(repr((Glance._fields, Finding._fields)).encode())
_TAG = f"leftoff {__version__} {sys.implementation.cache_tag} {sys.hexversion:x} 1 {_SHAPE:x}\n"
_HEAD = _TAG.encode()

_ROOT_FOLDER = "/"

# A file that changed twice within one tick of its clock looks unchanged; no tick is longer.
RACY = 2_000_000_000


class Saved(Record):
    """What a cache holds: when the files were looked at, what formats there are, the entries."""

    root: str
    scanned: int
    stamp: Stamp
    table: Table
    entries: Mapping[str, Entry]


class _Part(Record):
    """One file of a stream: its checkpoint, or why it has none."""

    path: str
    format: str
    checkpoint: Checkpoint | None
    findings: tuple[Finding, ...]
    broken: str = ""


class Uncollected:
    """A block that builds many values which all live on; looking for garbage in it finds none."""

    def __enter__(self) -> None:
        self._was_on = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        if self._was_on:
            gc.enable()


def cache_path(state: str, root: str) -> str:
    """Where the cache of a project is."""
    return os.path.join(state, "cache", f"{place_key(root)}.bin")


def load(state: str, root: str, stamp: Stamp) -> Saved | None:
    """The cache; None when there is none to be trusted."""
    path = cache_path(state, root)
    try:
        data = read_bytes(path) if os.stat(path).st_uid == os.geteuid() else b""
        body = memoryview(data)[len(_HEAD) + 4 :]
        check = data[len(_HEAD) : len(_HEAD) + 4]
        if not data.startswith(_HEAD) or crc32(body).to_bytes(4, "big") != check:
            return None
        saved = Saved(*marshal.loads(body))  # noqa: S302  # our own file, and whole
    except (OSError, LeftoffError, ValueError, EOFError, TypeError):
        return None
    # Two projects may share a file name; and a changed format reads its documents differently.
    return saved if (saved.root, saved.stamp) == (root, stamp) else None


def save(state: str, saved: Saved) -> None:
    """Keep it for the next time, if that is possible; nothing depends on it."""
    path = cache_path(state, saved.root)
    try:
        plain: Any = tuple(saved)
        body = marshal.dumps(plain)
        data = b"".join((_HEAD, crc32(body).to_bytes(4, "big"), body))
        if len(data) <= LARGEST:
            ensure(os.path.dirname(path))
            write_atomic(path, data, 0o600, durable=False)
    except (LeftoffError, ValueError):
        return


def refresh(
    saved: Saved, files: Sequence[Candidate], scanned: int
) -> tuple[dict[str, Entry], bool]:
    """The entries as the files are now, and whether to keep them spares the next run any work.

    Only what changed since `saved`, or may have, is read.
    """
    old, trusted, settled = saved.entries, saved.scanned - RACY, scanned - RACY
    entries: dict[str, Entry] = {}
    news = False
    for key, group in _grouped(files, saved.table).items():
        prints = _prints(group)
        entry = old.get(key)
        if entry is None or entry[0] != prints or entry[1] > trusted:
            newest = max(max(file[3:]) for _, _, file in group)
            read = (prints, newest, *_read_group(saved.root, group))
            news = news or read != entry or newest <= settled
            entry = read
        entries[key] = entry
    return entries, news or len(entries) != len(old)


def streams(entries: Mapping[str, Entry], refused: Iterable[Refused], table: Table) -> list[Stream]:
    """The streams in the entries, and those that could not be looked at; sorted by path."""
    make, finding = Glance._make, Finding._make
    found = [
        Stream(make(seen), parts, tuple(map(finding, findings)) if findings else ())
        for _, _, seen, parts, findings in entries.values()
        if seen is not None
    ]
    names = {module: name for module, name, _ in table}
    for path, module, reason in refused:
        shown = _stream([_broken_part(path, names.get(module, ""), reason)])
        found.append(shown._replace(parts=()))  # there is nothing that anybody may open
    found.sort(key=lambda stream: stream.glance.path)
    return _without_copy(found) if {ALIAS, _ROOT_FOLDER} & entries.keys() else found


def stream_of(root: str, path: str, module: str) -> Stream:
    """The stream that a single file makes."""
    part = _read_part(root, path, [module])
    if part is None:
        raise NotFound(f"there is no {path}", where=path)
    return _stream([part])


def _prints(group: Sequence[Candidate]) -> Plain:
    """What tells whether any file of a group changed."""
    flat: Plain = ()
    for _, _, file in group:
        flat += file
    return flat


def _grouped(files: Sequence[Candidate], table: Table) -> dict[str, tuple[Candidate, ...]]:
    """Files by stream. Formats named `x` and `x.part` make one stream of what shares a folder."""
    whole = {module: name.partition(".")[0] for module, name, _ in table}
    in_parts = {name.partition(".")[0] for _, name, _ in table if "." in name}
    by_folder = {module for module, name in whole.items() if name in in_parts}
    groups: dict[str, tuple[Candidate, ...]] = {}
    for file in files:
        path, module, _ = file
        key = path.rpartition("/")[0] + "/" if module in by_folder else path
        groups[key] = (*groups[key], file) if key in groups else (file,)
    return groups


def _read_group(root: str, files: Sequence[Candidate]) -> Said:
    modules: dict[str, list[str]] = {}
    for path, module, _ in files:
        modules.setdefault(path, []).append(module)
    read = [_read_part(root, path, names) for path, names in modules.items()]
    parts = sorted(filter(None, read), key=lambda part: part.format)
    if not parts:
        return None, (), ()
    made = _stream(parts)
    return tuple(made.glance), made.parts, tuple(map(tuple, made.findings))


def _read_part(root: str, path: str, modules: Sequence[str]) -> _Part | None:
    """A file through the first lens that claims it; None for a stranger's."""
    from leftoff.formats import lens  # a warm cache needs no format at all

    try:
        data = read_bytes(os.path.join(root, path))
    except NotFound:
        return None
    except LeftoffError as error:
        return _broken_part(path, lens(modules[0]).NAME, error.message)
    # Whose it was meant to be shows even in a text with damaged bytes.
    legible = data.decode("utf-8", "replace")
    one = next((one for one in map(lens, modules) if one.mine(legible, path)), None)
    if one is None:
        return None
    try:
        text = decode(data, path)
        return _Part(path, one.NAME, one.read(text, path), tuple(one.check(text, path)))
    except FormatError as error:
        at = f"line {error.line}: " if error.line and not error.message.startswith("line ") else ""
        return _broken_part(path, one.NAME, at + error.message, error)


def _broken_part(
    path: str, format_name: str, reason: str, error: FormatError | None = None
) -> _Part:
    line, fix = (error.line, error.hint) if error else (0, "")
    finding = Finding("broken", "error", "", reason, fix, line)
    return _Part(path, format_name, None, (finding,), reason)


def _stream(parts: Sequence[_Part]) -> Stream:
    """One stream out of its parts; a broken one shows, the others still speak."""
    path, name = parts[0].path, parts[0].format.partition(".")[0]
    known = [part.checkpoint for part in parts if part.checkpoint]
    seen = glance(join(known), path, name) if known else Glance(path, name, _guess_id(path, name))
    broken = next((part for part in parts if part.broken), None)
    if broken:
        at = f"{broken.path.rpartition('/')[2]}: " if broken.path != path else ""
        seen = seen._replace(broken=at + broken.broken)
    found = [finding for part in parts for finding in _labelled(part, path)]
    return Stream(seen, tuple(part.path for part in parts), tuple(found))


def _labelled(part: _Part, main: str) -> Sequence[Finding]:
    """The findings of a part; those of another file than the stream's own say which."""
    if part.path == main:
        return part.findings
    name = part.path.rpartition("/")[2]
    return [f._replace(where=f"{name}: {f.where}" if f.where else name) for f in part.findings]


def _guess_id(path: str, format_name: str) -> str:
    """The id of a document that cannot be read: its file's name; for a thread its folder's."""
    folder, _, name = path.rpartition("/")
    if format_name == "thread" and folder:
        return folder.rpartition("/")[2]
    return name.removesuffix(".json").removesuffix(".md").removesuffix(".checkpoint")


def _without_copy(found: list[Stream]) -> list[Stream]:
    """A copy of a thread's checkpoint at the root is not a second stream."""
    names = {(s.glance.format, s.glance.id) for s in found if s.glance.path != ALIAS}
    return [
        s for s in found if s.glance.path != ALIAS or (s.glance.format, s.glance.id) not in names
    ]
