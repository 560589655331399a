"""What this machine remembers of a team store: what it sent, what it saw there, what to share.

All of it is below `<state>/team/`. Losing it costs a push of everything again, which changes
nothing in the store; so nothing here is ever needed to be right, only to be fast.
"""

from __future__ import annotations

import os

from leftoff.core.model import Finding
from leftoff.core.team import DEFAULT, LEVELS, UNKNOWN, VISIBILITIES, Share
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import bytes_or_none, read_bytes, write_atomic
from leftoff.world.state import append_line, ensure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

_PRIVATE = 0o600
_TORN = 4
"""Times as many lines as entries, and the list of what was sent is written anew."""


class Memory(Record):
    """Where things of one store, and of one person in it, are remembered."""

    folder: str
    sent: dict[str, str]
    """the hash of what was sent, by kind and key"""

    def note(self, entries: Mapping[str, str]) -> None:
        """What was just taken over by the store; only then."""
        self.sent.update(entries)
        lines = "\n".join(f"{key}\t{digest}" for key, digest in entries.items())
        if lines:
            append_line(os.path.join(self.folder, "sent"), lines)

    def forget(self, keys: Iterable[str]) -> None:
        """These are no longer there."""
        self.note(dict.fromkeys([key for key in keys if key in self.sent], ""))

    def base(self, digest: str) -> str | None:
        """A document as this machine last saw it in the store."""
        data = bytes_or_none(self._base(digest)) if digest else None
        return None if data is None else data.decode("utf-8", "replace")

    def keep_base(self, digest: str, text: str) -> None:
        ensure(os.path.dirname(self._base(digest)))
        write_atomic(self._base(digest), text.encode("utf-8", "replace"), _PRIVATE, durable=False)

    def _base(self, digest: str) -> str:
        return os.path.join(self.folder, "seen", digest)


def folder(state: str) -> str:
    """All that concerns teams."""
    return os.path.join(state, "team")


def memory(state: str, store: str, person: str) -> Memory:
    """What is remembered of a store; nothing where it was never talked to."""
    from hashlib import blake2b

    name = blake2b(f"{store}\n{person}".encode(), digest_size=8).hexdigest()
    base = ensure(os.path.join(folder(state), name))
    sent, lines = _sent(os.path.join(base, "sent"))
    if lines > _TORN * len(sent) + 1000:
        text = "".join(f"{key}\t{digest}\n" for key, digest in sent.items() if digest)
        write_atomic(os.path.join(base, "sent"), text.encode("utf-8", "surrogatepass"), _PRIVATE)
    return Memory(base, sent)


def _sent(path: str) -> tuple[dict[str, str], int]:
    try:
        data = read_bytes(path)
    except LeftoffError:
        return {}, 0
    try:
        lines = data.decode("utf-8", "surrogatepass").split("\n")  # as ids of sessions may be
    except UnicodeDecodeError:
        lines = data.decode("utf-8", "replace").split("\n")
    pairs = (line.rsplit("\t", 1) for line in lines)
    return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}, len(lines)


def machine(state: str) -> str:
    """What this machine is called in the store: its name, and what tells it from a namesake."""
    path = os.path.join(folder(state), "machine")
    known = (bytes_or_none(path) or b"").decode("utf-8", "replace").strip()
    if known:
        return known
    name = f"{os.uname().nodename}-{os.urandom(2).hex()}"
    ensure(folder(state))
    write_atomic(path, f"{name}\n".encode(), _PRIVATE)
    return name


class Shares(Record):
    """The choices for a project: its own, and those of threads."""

    project: Share = DEFAULT
    threads: Mapping[str, Share] = {}
    withdraw: tuple[str, ...] = ()
    """what was shared before and is to leave the store: "" for the project, else a thread"""

    def of(self, thread: str) -> Share:
        """The choice that holds for what belongs to a thread, or ("") to none."""
        return self.threads.get(thread, self.project) if thread else self.project


def shares(state: str, project: str) -> Shares:
    """What the person on this machine chose for a project. A repository has no say in it."""
    return _shares(_said(_choices(state), project))


def _said(every: dict[str, Any], project: str) -> dict[str, Any]:
    chosen = every.get(project, {})
    return chosen if isinstance(chosen, dict) else {"project": chosen}


def _shares(said: dict[str, Any]) -> Shares:
    withdraw = said.get("withdraw")
    names = tuple(map(str, withdraw)) if isinstance(withdraw, list) else ()
    own = said.get("threads", {})
    if not isinstance(own, dict):  # one of them may be to share less
        return Shares(UNKNOWN, {}, names)
    return Shares(_share(said.get("project")), {name: _share(own[name]) for name in own}, names)


def findings(state: str) -> Iterator[Finding]:
    """Choices that share nothing because nobody here understands them."""
    try:
        every = _choices(state)
    except LeftoffError as error:
        yield Finding("share-unknown", "warning", error.where, error.message, error.hint)
        return
    known = (_shares(_said(every, project)) for project in every)
    count = sum((one.project, *one.threads.values()).count(UNKNOWN) for one in known)
    if count:
        text = f"unknown choices of what to share; nothing is pushed for them: {count}"
        hint = "they are kept for the version that made them; leftoff team share chooses again"
        yield Finding("share-unknown", "warning", _share_file(state), text, hint)


def choose(state: str, project: str, change: Callable[[Shares], Shares]) -> Shares:
    """Remember what `change` makes of the choices for a project, as they are at that moment."""
    from json import dumps

    from leftoff.world.locks import locked

    with locked(ensure(folder(state))):
        every = _choices(state)
        said = _said(every, project)
        before = _shares(said)
        chosen = change(before)
        if not isinstance(said.get("threads", {}), dict):
            raise _unreadable(state)
        every[project] = _kept(said, before, chosen)
        text = dumps(every, ensure_ascii=False, indent=1)
        write_atomic(_share_file(state), f"{text}\n".encode(), _PRIVATE)
    return chosen


def _kept(said: dict[str, Any], before: Shares, chosen: Shares) -> dict[str, Any]:
    """What was said, with what is chosen now; the rest stays, also what a later version said."""
    threads = said.get("threads", {})
    new = {
        name: one._asdict()
        for name, one in chosen.threads.items()
        if one is not before.threads.get(name)
    }
    kept = {**said, "threads": {**threads, **new}}
    if chosen.project is not before.project:
        kept["project"] = chosen.project._asdict()
    if chosen.withdraw != before.withdraw:
        kept["withdraw"] = [*chosen.withdraw]
    return kept


def _choices(state: str) -> dict[str, Any]:
    """All choices. What cannot be read must not become a choice to share more: it is an error."""
    data = bytes_or_none(_share_file(state))
    if data is None:
        return {}
    from json import loads

    try:
        said = loads(data)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise _unreadable(state)
    return said


def _unreadable(state: str) -> LeftoffError:
    text = "the choices of what to share cannot be read, so nothing is pushed"
    hint = "choose again with leftoff team share, once this file is moved away"
    return LeftoffError(text, hint=hint, where=_share_file(state))


def _share_file(state: str) -> str:
    return os.path.join(folder(state), "share.json")


def _share(said: object) -> Share:
    """A choice; one that nobody here understands, of a later version perhaps, shares nothing."""
    if said is None:
        return DEFAULT
    if not isinstance(said, dict) or not said:
        return UNKNOWN
    made = Share(**{key: str(value) for key, value in said.items() if key in Share._fields})
    good = made.level in LEVELS and made.visibility in VISIBILITIES
    return made if good else UNKNOWN
