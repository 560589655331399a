"""Where documents may be: the places that the formats name, walked without following links out.

What lies there is decided by content, later. No format is imported when the table is at hand.
"""

from __future__ import annotations

import os
from stat import S_ISDIR, S_ISLNK, S_ISREG

from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import decode, names_in, read_bytes
from leftoff.world.place import inside, is_below

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    # of every format its name and its patterns
    Table: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
    # path, inode, size, mtime and ctime in nanoseconds: what tells whether a file changed.
    Print: TypeAlias = tuple[str, int, int, int, int]
    # path, format whose place it is
    Candidate: TypeAlias = tuple[str, str, Print]
    Stamp: TypeAlias = tuple[tuple[str, int, int], ...]

ALIAS = "CHECKPOINT.md"
"""At a project's root this names the checkpoint of a thread: a link, or one line with its path."""

NEVER = -1
"""In the place of a time: this has to be looked at again each time."""

_LONGEST_ALIAS = 4096
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_LAYERS = ("core", "formats")


class Refused(Record):
    """Something in a document's place that is not read, and why; shown, never passed over."""

    path: str
    format: str
    reason: str


class Look(Record):
    """What a walk found; `linked` was reached through a link that stays inside the project."""

    root: str
    files: list[Candidate]
    linked: list[Candidate]
    refused: list[Refused]
    folders: list[tuple[str, int]]
    """every folder that was asked, with the time of its last change then; see `NEVER`"""
    absent: list[str]
    """what would be a document, were it there, in folders that were not asked themselves"""


class _Node(Record):
    """One step of the patterns: the formats whose pattern ends here, and the segments below."""

    formats: list[str]
    below: dict[str, _Node]


def lens_table() -> Table:
    """The name and the patterns of every format. This imports them all."""
    from leftoff.formats import lenses

    return tuple((lens.NAME, tuple(lens.PATTERNS)) for lens in lenses())


def formats_stamp() -> Stamp:
    """What changes when a format, or the glance itself, does: all that was kept is then void."""
    try:
        return tuple(sorted(map(_source, _sources())))
    except OSError:
        return ()


def _sources() -> list[str]:
    names = [f"{layer}/{name}" for layer in _LAYERS for name in os.listdir(f"{_PACKAGE}/{layer}")]
    return [name for name in names if name.endswith(".py")]


def _source(name: str) -> tuple[str, int, int]:
    stat = os.stat(f"{_PACKAGE}/{name}")
    return name, stat.st_mtime_ns, stat.st_size


def look(root: str, table: Table) -> Look:
    """Walk the places that the patterns name; sorted by path."""
    found = Look(root, [], [], [], [], [])
    _walk(found, "", _tree(table), found.files)
    _look_at_alias(found, [name for name, globs in table if _knows_alias(globs)])
    _take_in_linked(found)
    found.files.sort()
    return found


def matches(path: str, pattern: str) -> bool:
    """Whether a project-relative path fits a pattern; `*` stays within one segment."""
    names, globs = path.split("/"), pattern.split("/")
    return len(names) == len(globs) and all(
        _matcher(glob)(name) for name, glob in zip(names, globs, strict=True)
    )


def alias(root: str) -> str:
    """What the CHECKPOINT.md at the root stands for; empty when there is none or it is no alias."""
    path = os.path.join(root, ALIAS)
    try:
        status = os.lstat(path)
        if S_ISLNK(status.st_mode):
            target = inside(root, ALIAS)
        elif S_ISREG(status.st_mode) and status.st_size <= _LONGEST_ALIAS:
            target = inside(root, _only_line(decode(read_bytes(path))))
        else:
            return ""
    except (OSError, LeftoffError):
        return ""
    return relative(root, target) if target != path and os.path.isfile(target) else ""


def relative(root: str, path: str) -> str:
    """The project-relative form of a path below the root."""
    return path[len(root.rstrip("/")) + 1 :]


def _only_line(text: str) -> str:
    line = text.strip()
    return "" if "\n" in line else line


def _tree(table: Table) -> _Node:
    top = _Node([], {})
    for name, patterns in table:
        for pattern in patterns:
            node = top
            for segment in pattern.split("/") if pattern != ALIAS else ():
                node = node.below.setdefault(segment, _Node([], {}))
            if node is not top:
                node.formats.append(name)
    return top


def _walk(found: Look, folder: str, node: _Node, files: list[Candidate]) -> None:
    """Visit what fits in a folder (`""` or `some/folder/`); only patterns with `*` list it."""
    found.folders.append((folder, touched(f"{found.root}/{folder}")))
    for name, below in node.below.items():
        if "*" not in name:
            _visit(found, folder + name, below, files)
    wild = [(glob, below) for glob, below in node.below.items() if "*" in glob]
    if len(wild) == 1 and _leaves(wild[0][1]):
        _visit_folders(found, folder, *wild[0], files)
        return
    names = _names(found, folder, node) if wild else []
    for glob, below in wild:
        _visit_all(found, folder, _fitting(names, glob), below, files)


def changed(path: str) -> int:
    """When something last changed, in nanoseconds; 0 where there is nothing."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def touched(path: str) -> int:
    """The same by the time that nobody can set back: copying tools do so with that of folders."""
    try:
        return os.stat(path).st_ctime_ns
    except OSError:
        return 0


def _names(found: Look, folder: str, node: _Node) -> list[str]:
    try:
        return os.listdir(f"{found.root}/{folder}")
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        _refuse(found, folder.rstrip("/"), node, f"cannot be read: {error.strerror}")
        return []


def _visit_all(
    found: Look, folder: str, names: Iterable[str], node: _Node, files: list[Candidate]
) -> None:
    """Many names of one folder: the shortest way for plain files, `_visit` for all others."""
    try:
        fd = os.open(f"{found.root}/{folder}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return  # gone since it was listed
    try:
        stat, formats = os.stat, node.formats
        for name in names:
            try:
                seen = stat(name, dir_fd=fd, follow_symlinks=False)
            except OSError:
                continue
            if formats and S_ISREG(seen.st_mode) and name.isascii():
                path = folder + name
                file = (path, seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
                for kind in formats:
                    files.append((path, kind, file))  # noqa: PERF401  # a list each is slower
            else:
                _visit(found, folder + name, node, files)
    finally:
        os.close(fd)


def _leaves(node: _Node) -> list[tuple[str, _Node]]:
    """The plain names below a folder of which nothing else is wanted; a thread has two."""
    below = [*node.below.items()]
    plain = all("*" not in name and not one.below for name, one in below)
    return below if plain and not node.formats else []


def _visit_folders(
    found: Look, folder: str, glob: str, node: _Node, files: list[Candidate]
) -> None:
    """Many folders of which a few files are wanted, threads above all: the shortest way to those.

    The listing tells folders from links; the system need not look up the folders above each time.
    """
    try:
        fd = os.open(f"{found.root}/{folder}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        _refuse(found, folder.rstrip("/"), node, f"cannot be read: {error.strerror}")
        return
    try:
        with os.scandir(fd) as entries:
            fits, leaves, stat = _matcher(glob), _leaves(node), os.stat
            for entry in entries:
                name = entry.name
                if not fits(name):
                    continue
                if not (entry.is_dir(follow_symlinks=False) and name.isascii()):
                    _visit(found, folder + name, node, files)
                    continue
                for leaf, below in leaves:
                    path = f"{name}/{leaf}"
                    try:
                        seen = stat(path, dir_fd=fd, follow_symlinks=False)
                    except OSError:
                        found.absent.append(folder + path)
                        continue
                    if S_ISREG(seen.st_mode):
                        _add(files, folder + path, below, seen)
                    else:
                        found.folders.append((folder + path, NEVER))
                        _visit(found, folder + path, below, files)
    finally:
        os.close(fd)


def _visit(found: Look, path: str, node: _Node, files: list[Candidate]) -> None:
    """A link is followed if it stays inside, a folder is walked, a file is taken."""
    try:
        stat = os.lstat(f"{found.root}/{path}")
    except OSError:
        return  # there is none, or no longer
    if S_ISLNK(stat.st_mode):
        target = _follow(found, path, node)
        if target is None:
            return
        stat, files = target, found.linked
    if node.formats and S_ISREG(stat.st_mode):
        if _is_text(path):
            _add(files, path, node, stat)
        else:
            _refuse(found, path, node, "its name is not UTF-8 text")
    elif node.below and S_ISDIR(stat.st_mode):
        _walk(found, path + "/", node, files)
    elif node.formats:
        _refuse(found, path, node, "not a regular file")


def _add(files: list[Candidate], path: str, node: _Node, stat: os.stat_result) -> None:
    # Ten thousand stat results take more memory, and so more time, than the few numbers needed.
    seen = (path, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
    for kind in node.formats:
        files.append((path, kind, seen))  # noqa: PERF401  # a list for each file is slower


def _follow(found: Look, path: str, node: _Node) -> os.stat_result | None:
    """The target of a link, if it is inside the project."""
    target = os.path.realpath(os.path.join(found.root, path))
    try:
        stat = os.stat(target)
    except OSError:
        if node.formats:
            _refuse(found, path, node, "is a link to nothing")
        return None
    if is_below(target, found.root):
        return stat
    if node.formats or _holds_any(target, node):
        _refuse(found, path, node, "is a link that leads outside the project")
    return None


def _holds_any(folder: str, node: _Node) -> bool:
    """Whether a folder elsewhere has what we look for; a link to other things is not our matter."""
    names = names_in(folder)
    return any(_matcher(glob)(name) for glob in node.below for name in names)


def _refuse(found: Look, path: str, node: _Node, reason: str) -> None:
    shown = path.encode("utf-8", "backslashreplace").decode()
    found.refused.append(Refused(shown, _first_format(node), reason))


def _first_format(node: _Node) -> str:
    return next(iter(node.formats), "") or next(map(_first_format, node.below.values()), "")


def _take_in_linked(found: Look) -> None:
    """What has a second path through a link is listed once, under its own."""
    seen = {(kind, file[1:]) for _, kind, file in found.files if found.linked}
    for path, kind, file in sorted(found.linked):
        if (kind, file[1:]) not in seen:
            seen.add((kind, file[1:]))
            found.files.append((path, kind, file))


def _knows_alias(patterns: tuple[str, ...]) -> bool:
    return any(pattern.rpartition("/")[2] == ALIAS for pattern in patterns)


def _look_at_alias(found: Look, formats: list[str]) -> None:
    """What it names joins the list unless it is there; a real checkpoint speaks for itself."""
    if not formats or not os.path.lexists(os.path.join(found.root, ALIAS)):
        return
    target = alias(found.root) or ALIAS
    if not any(path == target for path, _, _ in found.files):
        _visit(found, target, _Node(formats, {}), found.files)


def _fitting(names: Iterable[str], pattern: str) -> Iterable[str]:
    """The names that fit a pattern; the usual kind of one without a call for each name."""
    start, end = pattern.split("*", 1)
    if start or "*" in end:
        return filter(_matcher(pattern), names)
    return [name for name in names if name.endswith(end) and name[0] != "." and name != end]


def _matcher(pattern: str) -> Callable[[str], bool]:
    """A test for one segment. Hidden files are only matched by a pattern that says so."""
    if "*" not in pattern:
        return pattern.__eq__
    start, *middle, end = pattern.split("*")
    shortest = len(pattern) - pattern.count("*")

    def fits(name: str) -> bool:
        if not name.endswith(end) or not name.startswith(start) or len(name) < shortest:
            return False
        if name[0] == "." and not start:
            return False
        return not middle or _in_order(name, middle, len(start), len(end))

    return fits


def _in_order(name: str, parts: list[str], start: int, end: int) -> bool:
    limit = len(name) - end
    for part in parts:
        at = name.find(part, start, limit)
        if at < 0:
            return False
        start = at + len(part)
    return True


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
