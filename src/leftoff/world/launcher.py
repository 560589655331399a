"""The few lines that clients run at an event, written by `setup`, kept fresh by every command.

The command in a client's settings names only an interpreter and `<state>/hook/launch.py`, so it
stays the same over upgrades; that file says where the package is. The modules of the hook path lie
beside it, compiled ahead in one file, because opening a dozen costs a fifth of a whole hook.
"""

from __future__ import annotations

import os
import sys

import leftoff
from leftoff import __version__
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world.files import bytes_or_none, read_bytes, write_atomic
from leftoff.world.state import ensure

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType

LAUNCHER, RUN = "hook/launch.py", "hook/run"
HOT = (
    "record",
    "agents",
    "core",
    "core.event",
    "core.fast_json",
    "entry",
    "entry.hook",
    "entry.statusline",
    "world",
    "world.journal",
    "world.now_file",
)
"""What every turn loads; the adapters and what they share come with it."""

_TEXT = """\
{mark}
import sys
try:
    {prefix}try:
        from marshal import loads
        from posix import open, read
        code, table = loads(read(open({ahead!r} + sys.implementation.cache_tag, 0), 1 << 22))
        exec(code, scope := {{"__name__": "compiled_ahead"}})
        scope["install"](table)
    except (OSError, ValueError, EOFError, TypeError):
        pass  # not there, or of another Python: imports are slower, and right
    sys.path.insert(0, {parent!r})
    import leftoff
    del sys.path[0]  # nothing else there may stand before the standard library
    from leftoff.entry.hook import main
except BaseException:  # leftoff is gone, or on its way: the client goes on
    sys.exit(0)
main(sys.argv[1:], {state!r})
"""
_RUN = """\
#!/bin/sh
{python} -I -S {launcher} "$@" 2>/dev/null || exit 0
"""
_PASSING = {
    "pipx run": ("/pipx/.cache/", "/.cache/pipx/", "/cache/pipx/"),
    "uvx": ("/.cache/uv/", "/uv/cache/", "/archive-v0/", "/environments-v2/", "/builds-v0/"),
    "a build": ("/pip-build-env-", "/build-env-", "/pip-ephem-", "/.tmp"),
}


def command(python: str, state: str, agent: str, event: str) -> str:
    """What stands in a client's settings. The shell, not Python, sees to it that it ends with 0."""
    launcher = os.path.join(state, LAUNCHER)
    return f"{quoted(python)} -I -S {quoted(launcher)} {agent} {event} 2>/dev/null || exit 0"


def quoted(path: str) -> str:
    """A path as one word of a shell command."""
    plain = path.isascii() and path.translate(dict.fromkeys(map(ord, "/._-+"))).isalnum()
    return path if plain else "'" + path.replace("'", "'\"'\"'") + "'"


def write(state: str, python: str) -> list[str]:
    """Write the launcher, the modules beside it and the script that plugins call; their paths."""
    ensure(os.path.join(state, "hook"))
    run = os.path.join(state, RUN)
    write_atomic(run, _script(state, python), 0o700)
    return [*_write_launcher(state), run]


def is_written(state: str, python: str) -> bool:
    """Whether plugins find what they call, for this interpreter."""
    there = os.path.exists(os.path.join(state, LAUNCHER))
    return there and bytes_or_none(os.path.join(state, RUN)) == _script(state, python)


def _script(state: str, python: str) -> bytes:
    launcher = os.path.join(state, LAUNCHER)
    return _RUN.format(python=quoted(python), launcher=quoted(launcher)).encode()


def refresh(state: str) -> bool:
    """Point the launcher, where there is one, to this installation if that is the newer one."""
    try:
        marked = read_bytes(os.path.join(state, LAUNCHER)).decode().partition("\n")[0]
    except (LeftoffError, ValueError):
        return False
    if marked != mark() and not _is_older(marked):
        return False
    if marked == mark() and _is_fresh(_ahead(state)):
        return False
    _write_launcher(state)
    return True


def mark() -> str:
    """The first line of a launcher of this installation."""
    return f"# leftoff {__version__} {_package()!r}"


def throwaway(python: str) -> str:
    """By what an interpreter was made that is not going to stay; empty where it will."""
    path = os.path.abspath(python)
    return next((by for by, marks in _PASSING.items() if any(m in path for m in marks)), "")


def _write_launcher(state: str) -> list[str]:
    launcher, ahead = os.path.join(state, LAUNCHER), _ahead(state)
    write_atomic(ahead, _compiled(), 0o600)
    text = _TEXT.format(
        mark=mark(),
        prefix=_prefix(state),
        ahead=ahead.removesuffix(_tag()),
        parent=os.path.dirname(_package()),
        state=state,
    )
    write_atomic(launcher, text.encode(), 0o600)
    return [launcher, ahead]


def _package() -> str:
    return os.path.abspath(leftoff.__path__[0])


def _tag() -> str:
    return sys.implementation.cache_tag or ""


def _ahead(state: str) -> str:
    return os.path.join(state, f"hook/ahead.{_tag()}")


def _is_older(marked: str) -> bool:
    """Whether the marked installation is gone, or an older version than this one."""
    _, _, version, package = (*marked.split(" ", 3), "", "", "", "")[:4]
    there = os.path.exists(os.path.join(package[1:-1], "entry", "hook.py"))
    return not there or _numbers(version) < _numbers(__version__)


def _numbers(version: str) -> list[int]:
    return [int(part) if part.isdigit() else 0 for part in version.split(".")]


def _prefix(state: str) -> str:
    """Where the package cannot keep compiled modules, all others are kept below the state too."""
    from importlib.util import cache_from_source

    usual = cache_from_source(os.path.join(_package(), "entry", "cli.py"))
    if os.path.exists(usual) or os.access(_package(), os.W_OK):
        return ""
    return f"sys.pycache_prefix = {os.path.join(state, 'hook', 'compiled')!r}\n    "


def _compiled() -> bytes:
    """The finder and the modules, as `compiled_ahead` reads them."""
    from marshal import dumps

    table = {name: (*_print_of(source), dumps(_code(source))) for name, source in _sources()}
    return dumps((_code(os.path.join(_package(), "world", "compiled_ahead.py")), table))


def _code(source: str) -> CodeType:
    """As Python compiles it, but for docstrings and for `__future__`, which costs an import."""
    import ast

    with open(source, "rb") as file:
        tree = ast.parse(file.read(), source)
    tree.body = [node for node in tree.body if getattr(node, "module", "") != "__future__"]
    flags = annotations.compiler_flag
    made: CodeType = compile(tree, source, "exec", flags=flags, dont_inherit=True, optimize=2)
    return made


def _sources() -> Iterator[tuple[str, str]]:
    package = _package()
    yield "leftoff", os.path.join(package, "__init__.py")
    hot = [*HOT, *_adapters(package)]
    for module in hot:
        path = os.path.join(package, *module.split("."))
        inside = os.path.join(path, "__init__.py")
        yield f"leftoff.{module}", inside if os.path.isdir(path) else f"{path}.py"


def _adapters(package: str) -> Iterator[str]:
    """The clients' modules, and what they share; not the readers of their transcripts."""
    for name in sorted(os.listdir(os.path.join(package, "agents"))):
        shared = name.startswith("_") and name != "_payload.py"
        if name.endswith(".py") and not shared:
            yield f"agents.{name[:-3]}"


def _print_of(source: str) -> tuple[str, tuple[int, int, int]]:
    status = os.stat(source)
    return source, (status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _is_fresh(ahead: str) -> bool:
    """Whether the compiled modules are those of this installation."""
    from marshal import loads

    try:
        with open(ahead, "rb") as file:
            _, table = loads(file.read())  # noqa: S302  # our own
    except (OSError, ValueError, EOFError, TypeError):
        return False
    return {name: known[:2] for name, known in table.items()} == {
        name: _print_of(source) for name, source in _sources()
    }
