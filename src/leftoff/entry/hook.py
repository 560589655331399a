"""What a client runs at an event: read its payload, record a line, exit. It never fails.

A turn's beginning and end load C modules and a handful of ours; only what is rare, or what a turn
brings about now and then, goes to the ordinary commands. Whatever happens, the client goes on:
failures are lines in hook.log, and they hold no word of the user's.
"""

from __future__ import annotations

import posix
from _signal import ITIMER_REAL, SIGALRM, setitimer, signal  # type: ignore[import-not-found]
from time import gmtime, monotonic, process_time, strftime, time

from leftoff.agents import load
from leftoff.core.event import (
    COMPACTING,
    END,
    EVENTS,
    FREQUENT,
    PROMPT,
    SHRUNK,
    START,
    STOP,
    Happened,
    Usage,
    key_of,
)
from leftoff.core.fast_json import BLANK, first
from leftoff.record import TYPE_CHECKING
from leftoff.world import journal, now_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, NoReturn

    from leftoff.agents import Agent
    from leftoff.commands import Say
    from leftoff.core.event import ParsedPayload

    Clock = Callable[[float], None]

STATUSLINE = "statusline"
WAIT = 2.0
"""Seconds without a byte after which nothing more is expected."""
LONGEST = 4.0
"""Seconds that an event may take in all: clients wait five and more."""
LARGEST, LOG_SIZE = 64 << 20, 512 << 10
WORD = 10
"""Characters of a prompt that may be no more than the word that ends a run."""
FIRST_TAIL, TODO_TAIL, LAST_TAIL = 64 << 10, 256 << 10, 8 << 20
_APPEND = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW


class Late(BaseException):
    """The time is up. No handler for ordinary errors may stop it."""


def main(argv: Sequence[str], state: str) -> NoReturn:
    """Be the hook: no other end than 0, and none of the interpreter's own taking apart."""
    try:
        run(argv, state)
    finally:
        posix._exit(0)  # noqa: SLF001  # what os._exit is


def run(argv: Sequence[str], state: str) -> None:
    """One event: `argv` is the client's name, our word for the event, and options."""
    if posix.environ.get(b"LEFTOFF") == b"off":
        return
    spent, began = process_time(), monotonic()
    agent, event = (*argv, "", "")[:2]
    why = "-"

    def failed(error: BaseException) -> None:
        log(state, agent, event, error)

    keep_within = _clock(began, failed)
    try:
        if event == STATUSLINE:
            _status_line(agent, argv[2:], state, keep_within)
        else:
            why = _event(agent, event, state, keep_within)
    except BaseException as error:  # noqa: BLE001  # the client goes on
        setitimer(ITIMER_REAL, 0)  # an alarm from here on would leave by nobody's handler
        why = "failed"
        failed(error)
    setitimer(ITIMER_REAL, 0)
    ms = (spent + monotonic() - began) * 1000
    _line(f"{state}/hook/runs", f"{int(time())} {_word(agent)} {_word(event)} {ms:.1f} {why}\n")


def _event(agent: str, event: str, state: str, keep_within: Clock) -> str:
    """Take in one event and answer it; why it went to the commands, or "-"."""
    if event not in EVENTS:
        raise _unusable("there is no such event")
    adapter = load(agent)
    payload = adapter.parse(event, _payload(keep_within))
    if payload is None or not payload.session:
        return "-"
    if not payload.transcript and adapter.LOGS.named:
        payload = payload._replace(transcript=_own_transcript(adapter, payload.session))
    often = event in FREQUENT
    size, usage = _transcript(adapter, payload, often)
    key = key_of(event, payload, size)
    todo = _last_todo(adapter, payload, size) if event == PROMPT else 0
    happened = Happened(agent, event, payload, state, {}, time(), key, size, usage, todo=todo)
    why = _turn(happened) if often else "rare"
    if why != "-":
        _hand_over(adapter, happened._replace(why=why))
    return why


def _turn(happened: Happened) -> str:
    """Keep a line about the beginning or end of a turn; why the commands have to see it, or "-"."""
    state, agent, payload = happened.state, happened.agent, happened.payload
    left = now_file.read(state, agent, payload.session)
    key = _key_in_run(happened, left)
    line = {"at": happened.now, "event": happened.event, "key": key, **_figures(happened)}
    if happened.event == STOP:
        line.update(failed=payload.failed, again=payload.again)
    before = journal.last_context(state, agent, payload.session)
    if not journal.append(state, agent, payload.session, line):
        return "-"  # another process was told of it too, and answers
    seen = now_file.seen(state, agent, payload.session)
    try:
        why = _why(happened, left, _percent(happened, left, seen))
    except (TypeError, ValueError, KeyError):
        return "missing"  # what was left makes no sense: it is left anew
    return "fell" if why == "-" and _has_shrunk(happened.usage, before) else why


def _key_in_run(happened: Happened, left: Mapping[str, Any] | None) -> str:
    """A turn of a run ends after each step, often in the same words: the document tells them apart.

    A client may write its transcript later than the next of these ends.
    """
    if happened.event != STOP or not left or not left.get("run"):
        return happened.key
    try:
        return f"{happened.key}:{now_file.changed(left['steps'])}"
    except (KeyError, TypeError, ValueError):
        return happened.key  # it was left by another version, or makes no sense


def _has_shrunk(usage: Usage | None, before: int) -> bool:
    """Whether the context was compacted, as it seems: some clients do not say so."""
    return usage is not None and 0 < usage.context < before * SHRUNK


def _figures(happened: Happened) -> dict[str, Any]:
    """How full the context is, for the journal."""
    used = happened.usage or Usage(0)
    model = used.model or happened.payload.model
    return {"context": used.context, "window": used.window, "size": happened.size, "model": model}


def _why(happened: Happened, left: Mapping[str, Any] | None, percent: float) -> str:
    """Why the ordinary commands have to see this; "-" where they need not."""
    event = happened.event
    if left is None:
        return "missing"
    if now_file.is_old(left):
        return "old"
    if event == STOP and left.get("offered"):
        return "offered"
    if left.get("run") if event == STOP else _is_for_run(happened.payload.prompt, left):
        return "run"
    if left.get("quiet") or left.get("journal_only"):
        return "-"
    found = _level(event, left, percent)
    return "todo" if found == "-" and happened.todo > left.get("todo", 0) else found


def _is_for_run(prompt: str, left: Mapping[str, Any]) -> bool:
    """Whether a prompt may end the run that is on (a word alone), or take up one that stopped."""
    return bool(left.get("wake") or (left.get("run") and len(prompt) <= WORD))


def _level(event: str, left: Mapping[str, Any], percent: float) -> str:
    """The same, by how full the context is."""
    if event != STOP and left.get("block") and percent >= left["block"]:
        return "store"
    if left.get("noticed"):
        return "fell" if percent < left.get("armed_below", 0) else "-"
    return "crossed" if percent >= left.get("advise", 101) else "-"


def _percent(happened: Happened, left: Mapping[str, Any] | None, seen: Usage | None) -> float:
    """How full the context is; the client's own window counts before the one that was left."""
    used = happened.usage
    if not used:
        return happened.size / 8 / 1500  # the estimate of core.window
    window = used.window or (seen and seen.window) or (left or {}).get("window") or 200_000
    return used.context * 100 / window


def _transcript(agent: Agent, payload: ParsedPayload, often: bool) -> tuple[int, Usage | None]:
    """Its size; at a turn also the use that its last whole answer tells, or the payload itself."""
    given = Usage(payload.context, payload.window, payload.model) if payload.context else None
    try:
        fd = posix.open(payload.transcript, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
        try:
            size = posix.fstat(fd).st_size
            return size, given or (_last_usage(agent, fd, size) if often else None)
        finally:
            posix.close(fd)
    except OSError:
        return 0, given  # none yet, or a client without


def _last_todo(agent: Agent, payload: ParsedPayload, size: int) -> int:
    """Where the to-do list was last changed, looked for near the end; 0 where it was not."""
    if not size or not agent.TODO_MARKS:
        return 0
    try:
        fd = posix.open(payload.transcript, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
        try:
            start = max(0, size - TODO_TAIL)
            tail = posix.pread(fd, size - start, start)
        finally:
            posix.close(fd)
    except OSError:
        return 0
    found = max([tail.rfind(mark) for mark in agent.TODO_MARKS])
    return start + found + 1 if found >= 0 else 0


def _own_transcript(agent: Agent, session: str) -> str:
    """Where a client keeps a session that does not say so in every payload."""
    settings, get = agent.SETTINGS, posix.environ.get
    usual = get(b"HOME", b"") + f"/{settings.home}".encode()
    folder = (get(settings.variable.encode()) or usual).decode("utf-8", "surrogateescape")
    return "" if "/" in session else f"{folder}/{agent.LOGS.named}".replace("{id}", session)


def _last_usage(agent: Agent, fd: int, size: int) -> Usage | None:
    """A longer end of the file is read until there is an answer in it."""
    length = FIRST_TAIL
    while True:
        found = agent.usage(posix.pread(fd, length, max(0, size - length)))
        if found or length >= min(size, LAST_TAIL):
            return found
        length *= 8


def _hand_over(adapter: Agent, happened: Happened) -> None:
    """Let the ordinary commands answer, in the user's language."""
    import os

    from leftoff.commands import _events
    from leftoff.entry.lang import say_in

    def speak(language: str) -> Say:
        return say_in("" if os.environ.get("LEFTOFF_LANG") else language, os.environ)

    happened = happened._replace(env=os.environ)
    try:
        answer = _events.handle(happened, speak=speak)
        if answer:
            _say(adapter.reply(happened.event, answer.verb, answer.text))
            if answer.trouble:
                raise answer.trouble
    finally:
        if happened.event == START:
            _tidy_up(happened)
        _follow(happened)


def _tidy_up(happened: Happened) -> None:
    """Once per session, behind the answer: leftoff may be a new one, and the journal have grown."""
    from leftoff.world.launcher import refresh

    refresh(happened.state)
    journal.keep_small(happened.state, happened.agent, happened.payload.session)


def _follow(happened: Happened) -> None:
    """The archive takes in a session that ends or is compacted, and all others now and then."""
    if happened.event in (START, COMPACTING, END):
        from leftoff.world.follower import follow

        ended = happened.event != START and happened.size
        session = (happened.agent, happened.payload.session) if ended else ("", "")
        follow(happened.state, happened.env, happened.now, session)


def _payload(keep_within: Clock) -> Mapping[str, Any]:
    """The one object that the client writes; it may leave its end of the pipe open."""
    keep_within(WAIT)
    data = posix.read(0, 1 << 16)
    keep_within(LONGEST)
    found = _object(data)
    if found is None:
        from leftoff.entry._hook_stdin import rest  # long, or in pieces, or wrong

        found = rest(data, _object, WAIT, LARGEST)
    return found


def _object(data: bytes, errors: str = "strict") -> Mapping[str, Any] | None:
    """The object that the bytes begin with; None while it is not whole."""
    try:
        found, _ = first(data.decode("utf-8", errors).lstrip(BLANK))
    except ValueError:
        return None
    if isinstance(found, dict):
        return found
    raise _unusable("the payload is not an object")


def _unusable(why: str) -> Exception:
    from leftoff.entry._hook_failure import Unusable  # rarely

    return Unusable(why)


def _say(reply: str) -> None:
    """All of the reply; a client that went away does not matter."""
    data = reply.encode("utf-8", "replace")
    try:
        while data:
            data = data[posix.write(1, data) :]
    except BrokenPipeError:
        return


def _status_line(agent: str, words: Sequence[str], state: str, keep_within: Clock) -> None:
    from leftoff.entry.statusline import FALLBACK, line

    text = FALLBACK
    try:
        text = line(agent, _payload(keep_within), state, segment="--segment" in words)
    finally:
        _say(f"{text}\n")


def _clock(began: float, failed: Callable[[BaseException], None]) -> Clock:
    """Sets the seconds that a run may take; then Late is raised, and if that is caught, it ends."""
    calls = []

    def late(*_: object) -> None:
        calls.append(1)
        if len(calls) > 1:
            failed(Late())
            posix._exit(0)  # noqa: SLF001
        raise Late

    def keep_within(seconds: float) -> None:
        setitimer(ITIMER_REAL, max(began + seconds - monotonic(), 0.001), 0.3)

    signal(SIGALRM, late)
    return keep_within


def log(state: str, agent: str, event: str, error: BaseException) -> None:
    """One line about a failure, wherever that is still possible."""
    path, when = f"{state}/hook.log", strftime("%Y-%m-%dT%H:%M:%SZ", gmtime())
    try:
        from leftoff.entry._hook_failure import what

        line = f"{when} {_word(agent)} {_word(event)} {what(error)}\n"
        if not _line(path, line):
            from leftoff.world.state import ensure  # the very first thing that ever happened

            ensure(state)
            _line(path, line)
    except Exception:  # noqa: BLE001  # no disk, or no package any more: no log
        return


def _line(path: str, text: str) -> bool:
    """Append to a file of our own, which is put aside when it grew; False where that fails."""
    try:
        fd = posix.open(path, _APPEND, 0o600)
        try:
            posix.write(fd, text.encode("utf-8", "replace"))
            grown = posix.fstat(fd).st_size > LOG_SIZE
        finally:
            posix.close(fd)
        if grown:
            posix.rename(path, f"{path}.1")
    except OSError:
        return False
    return True


def _word(given: str) -> str:
    """An argument as one word of a log."""
    return "".join([letter for letter in given[:40] if letter.isalnum() or letter in "-_"]) or "?"
