"""A hub of Hapi as we use it: machines, sessions, messages, by its HTTP interface and its habits.

A start that failed comes with status 200, a session takes messages only some time after it was
started, its id may change when it is resumed, and the pages of its messages need both cursors.
"""

from __future__ import annotations

from math import inf
from time import monotonic
from time import sleep as real_sleep

from leftoff.agents._log_parts import objects
from leftoff.agents._payload import inner, text
from leftoff.core.ids import is_name
from leftoff.errors import HapiError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.hapi_wire import HINT, SLOW, Dropped, Gone, Inactive, wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from leftoff.world.hapi_wire import Wire

    Message = Mapping[str, Any]

PAGE, PAGES = 100, 1000
"""Messages of one page, and the most pages of one conversation."""
LISTED = 500
"""As many sessions the hub lists at most."""
WAIT, PAUSE = 90.0, 0.25
"""Seconds until a session that was started should take a message, and between two looks."""
TRIES = 3
CLIENT_IDS = ("agentSessionId", "claudeSessionId", "codexSessionId")
"""Where a session of the hub names the client's own one: that id stays."""


class Machine(Record):
    """A machine that can start sessions."""

    id: str
    host: str = ""


class There(Record):
    """A session of the hub: on which machine it runs, and which one it is to its client."""

    id: str
    active: bool = False
    machine: str = ""
    agent: str = ""
    client: tuple[str, ...] = ()
    """the ids under which the client itself knows it"""


class _Page(Record):
    messages: list[Message]
    epoch: Any
    before: tuple[int, int] | None
    """the cursor of the page before it, both of its parts; None for the first of all"""


class Hub:
    """See the module. `clock` and `sleep` are the tests' to replace."""

    def __init__(
        self,
        line: Wire,
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], None] = real_sleep,
    ) -> None:
        self._line, self._clock, self._sleep = line, clock, sleep

    # Machines

    def machines(self) -> list[Machine]:
        """Those that are online."""
        found = objects(self._line.ask("GET", "/api/machines").get("machines"))
        return [_machine(one) for one in found if text(one, "id") and one.get("active") is True]

    def has(self, machine: str, directory: str) -> bool:
        """Whether a folder is there on a machine; one that cannot say has not."""
        path = f"/api/machines/{_part(machine)}/paths/exists"
        try:
            said = self._line.ask("POST", path, {"paths": [directory]}, patience=SLOW)
        except Dropped:
            raise
        except HapiError:
            return False
        return inner(said, "exists").get(directory) is True

    def spawn(self, machine: str, directory: str, agent: str) -> str:
        """The id of a new session; not asked for twice, since that would make two."""
        wanted = {"directory": directory, "agent": agent}
        path = f"/api/machines/{_part(machine)}/spawn"
        said = self._line.ask("POST", path, wanted, patience=SLOW)
        session = text(said, "sessionId")
        if text(said, "type") != "success" or not session:
            why = self._line.shown(text(said, "message", "error") or text(said, "type"))
            raise HapiError(f"Hapi did not start the session: {why}", hint=HINT)
        return session

    # Sessions

    def session(self, session: str) -> There:
        """One session; Gone where the hub has none of that id."""
        return _there(inner(self._line.ask("GET", _path(session)), "session"), session)

    def follow(self, session: str, client: Callable[[], str]) -> There:
        """The same; where it is gone, the one that its client knows by the same id as ever."""
        try:
            return self.session(session)
        except Gone:
            found = self._moved(client())
            if found is None:
                raise
            return found

    def _moved(self, client: str) -> There | None:
        """The session that a client knows by this id, whatever its own id is by now."""
        if not client:
            return None
        known = self._line.ask("GET", f"/api/sessions?limit={LISTED}").get("sessions")
        listed = (_there(one, "") for one in objects(known))
        return next((one for one in listed if one.id and client in one.client), None)

    def wait_active(self, session: str) -> There:
        """The session as soon as its client is at work; HapiError when that takes too long."""
        deadline = self._clock() + WAIT
        while True:
            try:
                seen = self.session(session)
            except Gone:  # the hub tells of it a moment later
                seen = There(session)
            if seen.active:
                return seen
            if self._clock() >= deadline:
                raise HapiError(f"the session is not active after {WAIT:.0f} s", hint=HINT)
            self._sleep(PAUSE)

    # Messages

    def send(self, session: str, said: str, local_id: str) -> None:
        """Give a session a message, once: by `local_id` the hub knows one that it has already."""
        deadline, drops = self._clock() + WAIT, 0
        path, body = f"{_path(session)}/messages", {"text": said, "localId": local_id}
        while True:
            try:
                self._line.ask("POST", path, body)
            except Inactive:
                if self._clock() >= deadline:
                    raise
            except Dropped:
                drops += 1
                if drops >= TRIES:
                    raise
            else:
                return
            self._sleep(PAUSE)

    def messages(self, session: str) -> list[Message]:
        """The whole conversation, oldest first, each message once."""
        for _ in range(TRIES):
            found = self._pages(session)
            if found is not None:
                return _in_order(found)
        raise HapiError("the conversation changes while it is read", hint=HINT)

    def _pages(self, session: str) -> list[Message] | None:
        """All pages, the newest first; None where the hub began a new count in between."""
        found: list[Message] = []
        page = self._page(session, None)
        epoch, seen = page.epoch, set[tuple[int, int]]()
        for _ in range(PAGES):
            found += page.messages
            if page.before is None:
                return found
            if page.before in seen:
                raise HapiError("the hub gives the same page again and again", hint=HINT)
            seen.add(page.before)
            page = self._page(session, page.before)
            if page.epoch != epoch:
                return None
        raise HapiError(f"the conversation has more than {PAGE * PAGES} messages", hint=HINT)

    def _page(self, session: str, before: tuple[int, int] | None) -> _Page:
        cursor = f"&beforeAt={before[0]}&beforeSeq={before[1]}" if before else ""
        said = self._line.ask("GET", f"{_path(session)}/messages?limit={PAGE}{cursor}")
        page = inner(said, "page")
        at, seq = page.get("nextBeforeAt"), page.get("nextBeforeSeq")
        older = (at, seq) if isinstance(at, int) and isinstance(seq, int) else None
        if page.get("hasMore") is True and older is None:
            raise HapiError("the hub names no place where the page before begins", hint=HINT)
        more = older if page.get("hasMore") is True else None
        return _Page([*objects(said.get("messages"))], page.get("epoch"), more)


def hub(env: Mapping[str, str]) -> Hub:
    """The hub that the environment names, else the one of this machine; nothing is asked yet."""
    return Hub(wire(env))


def _in_order(messages: Iterable[Message]) -> list[Message]:
    """By when the agent got them: a message may have waited, and pages are not in order."""
    once = {text(one, "id") or f"#{at}": one for at, one in enumerate(messages)}
    return sorted(once.values(), key=_moment)


def _moment(message: Message) -> tuple[float, float]:
    at = message.get("invokedAt") or message.get("createdAt")
    seq = message.get("seq")
    return _number(at), _number(seq)


def _number(value: Any) -> float:
    """What cannot be placed comes last."""
    return value if isinstance(value, int | float) and value < inf else inf


def _machine(said: dict[str, Any]) -> Machine:
    about = inner(said, "metadata")
    return Machine(text(said, "id"), text(about, "displayName", "host"))


def _there(said: dict[str, Any], session: str) -> There:
    about = inner(said, "metadata")
    known = tuple(dict.fromkeys(filter(None, (text(about, name) for name in CLIENT_IDS))))
    return There(
        text(said, "id") or session,
        said.get("active") is True,
        text(about, "machineId"),
        text(about, "flavor"),
        known,
    )


def _path(session: str) -> str:
    return f"/api/sessions/{_part(session)}"


def _part(name: str) -> str:
    """An id as a part of an address; thread.json may hold anything in its place."""
    if not (name.isascii() and is_name(name)):
        raise Gone("the hub does not have it: that is not an id of Hapi", hint=HINT)
    return name
