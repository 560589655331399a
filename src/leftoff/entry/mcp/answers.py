"""One call of a tool: its command run, its Result made fit to be sent.

Whatever goes out is data of somebody: nothing in it steers a terminal or hides from a reader, and
secrets in it give way to a mark, wherever they came from.
"""

from __future__ import annotations

import json

from leftoff.commands.search import LIMIT, MOST
from leftoff.core import redact_lines
from leftoff.core.redact import Redactor, redact
from leftoff.core.redact_own import rules
from leftoff.entry import plain
from leftoff.entry.calls import answer, asked_in, body, error_body, found_in, told, with_trouble
from leftoff.entry.crash import write_log
from leftoff.entry.lang import say_in
from leftoff.entry.mcp import paging, places
from leftoff.entry.mcp.tools import CURSOR, PROJECT, SESSION, Tool
from leftoff.entry.mcp.words import argument_for, checked, for_agents, words
from leftoff.entry.verbs import find_command
from leftoff.errors import Bug, LeftoffError, Usage
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.calling_session import named
from leftoff.world.place import find_place
from leftoff.world.processes import caller
from leftoff.world.settings import load_or_default
from leftoff.world.state import state_dir
from leftoff.world.thread_language import language

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypeVar

    from leftoff.commands import Say
    from leftoff.core.caller import Caller
    from leftoff.core.model import Finding
    from leftoff.core.result import Result

    T = TypeVar("T")

MOST_HITS = 50
BEHIND = 20
"""Hits that may have come before those of the last page."""


NO_TOOL = Tool("", "", "", (), ())


class Seat(Record):
    """Where the server sits: its folder, its environment, how it was started."""

    cwd: str
    env: Mapping[str, str]
    lang: str = ""
    now: str = ""
    profile: str = "full"
    remote: bool = False
    """callers come over HTTP: nobody of them is our parent"""
    who: Callable[[], Caller] | None = None
    """in a test, who calls"""


class Reply(Record):
    """What goes back; `after` is what may be done once that was written."""

    body: dict[str, Any]
    text: str
    failed: bool = False
    after: Callable[[], Sequence[Finding]] | None = None


class Asked(Record):
    """A call that may be carried out: its command line, and where and in whose name it runs."""

    words: list[str]
    args: Mapping[str, Any]
    root: str
    env: Mapping[str, str]
    say: Say
    progress: Callable[[int, int], None] | None = None


def reply(
    tool: Tool,
    given: Mapping[str, Any],
    seat: Seat,
    roots: Sequence[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Reply:
    """The answer of a tool, whatever happens; an error is an answer too."""

    def work() -> Reply:
        args = checked(tool, given)
        at = paging.start(tool.name, args, args.get(CURSOR, ""))
        asked = _asked(tool, args, seat, roots, at)._replace(progress=progress)
        return _answered(tool, asked, at, seat)

    done = tried(work, seat, tool.name)
    return failure(done, seat, tool) if isinstance(done, LeftoffError) else done


def tried(work: Callable[[], T], seat: Seat, what: str) -> T | LeftoffError:
    """What comes of some work, or why nothing does."""
    try:
        return work()
    except LeftoffError as error:
        return error
    except Exception as bug:  # noqa: BLE001  # our bug: the caller gets a line, and a log to report
        log = write_log(bug, seat.env, ["mcp", what])
        hint = f"please report this with the log {log}"
        return Bug(f"leftoff failed: {type(bug).__name__}", hint=hint)


def _asked(
    tool: Tool, args: Mapping[str, Any], seat: Seat, roots: Sequence[str], at: paging.Cursor
) -> Asked:
    root = (
        places.confined(args.get(PROJECT, ""), seat.cwd, roots, seat.env)
        if args.get(PROJECT)
        else ""
    )
    env = caller_env(seat)
    if SESSION in args:
        who = named(state_dir(env), env, args[SESSION])
        env = {**env, "LEFTOFF_SESSION": "/".join(who)}
    line = words(tool, _widened(tool, args, at))
    line[1:1] = [f"--now={seat.now}"] * bool(seat.now)
    return Asked(line, args, root or seat.cwd, env, spoken(seat, env, root or seat.cwd))


def caller_env(seat: Seat) -> Mapping[str, str]:
    """The environment, as far as it tells who calls."""
    return places.nobody(seat.env) if seat.remote else places.present(seat.env)


def _room(asked: Asked, data: Mapping[str, Any]) -> paging.Room:
    """A page; a search has found only as much as it was told to."""
    if "hits" not in data:
        return paging.Room()
    return paging.Room(items=asked.args.get("limit", LIMIT), total=min(data["total"], MOST))


def _widened(tool: Tool, args: Mapping[str, Any], at: paging.Cursor) -> Mapping[str, Any]:
    """A search is told how many hits it must find for a page that begins further down."""
    if tool.verb != "search":
        return args
    wanted = args.get("limit", LIMIT)
    if wanted > MOST_HITS:
        raise Usage(f'"limit" cannot be {wanted}', hint=f"at most {MOST_HITS}; the rest by cursor")
    return {**args, "limit": min(MOST, at.place + wanted + BEHIND * bool(at.key))}


def spoken(seat: Seat, env: Mapping[str, str], folder: str) -> Say:
    """The reader's language: chosen for the server, else that of the caller's thread."""
    if seat.lang or env.get("LEFTOFF_LANG"):
        return say_in(seat.lang, env)
    root = find_place(folder, env.get("HOME", "")).root
    return say_in(language(root, state_dir(env), env), env)


def run(asked: Asked, seat: Seat) -> Result:
    """The Result of a command, as any face gets it."""
    who = None if seat.remote else seat.who or _parents
    result = answer(
        asked.words,
        cwd=asked.root,
        env=asked.env,
        say=asked.say,
        caller=who,
        progress=asked.progress,
    )
    return with_trouble(result, find_place(asked.root, asked.env.get("HOME", "")).root, asked.env)


def _parents() -> Caller:
    return caller(terminal=False)


def _answered(tool: Tool, asked: Asked, at: paging.Cursor, seat: Seat) -> Reply:
    result, say = run(asked, seat), asked.say
    data, following = paging.paged(result.data, at, _room(asked, result.data))
    shown = result._replace(data=data)
    sent: dict[str, Any] = {
        "schema": f"leftoff.{tool.verb}/1",
        **body(shown, say),
        "next_cursor": following or None,
    }
    sent["ask"] = question(shown, tool, say)
    for finding in sent["findings"]:
        finding["fix"] = for_agents(finding["fix"], tool)
    text = _text(tool, shown, say)
    if following:
        text += say("(more: call again with cursor {cursor})", cursor=following) + "\n"
    by = redactor(asked.root, asked.env)
    return Reply(
        paging.fitting(clean(sent, by), say),
        paging.shortened(cleaned(text, by)),
        after=result.after,
    )


def question(result: Result, tool: Tool, say: Say) -> dict[str, Any] | None:
    """What is asked, with the arguments that answer it; what no argument answers is left out."""
    if result.ask is None:
        return None
    ask = asked_in(result.ask, say)
    flag = ask.flag.partition(" ")[0]
    arg, about = tool.for_option(flag), {"name": ask.about} if ask.about else {}
    choices: list[dict[str, Any]] = []
    for choice in ask.choices:
        is_flag = choice.value.startswith("--")
        given = argument_for(tool, choice.value if is_flag else f"{flag}={choice.value}")
        if given:
            choices.append({"arguments": given | about, "means": choice.means})
    return {"question": ask.question, "choices": choices, "argument": arg.name if arg else None}


def _text(tool: Tool, result: Result, say: Say) -> str:
    """What the command line shows in a pipe, with what it says beside that."""
    command, data = find_command(tool.verb), told(result.data, say)
    if "hits" in data:  # the cursor tells of the others
        data = {**data, "total": len(result.data["hits"])}  # type: ignore[arg-type]
    text = plain.render(command.view(data, say))
    if not getattr(command, "FINDINGS_IN_VIEW", False):
        text += "".join(f"{_line(found_in(one, say), tool)}\n" for one in result.findings)
    ask = question(result, tool, say)
    if ask:
        text += plain.note(f"{ask['question']}\n")
        for choice in ask["choices"]:
            given = json.dumps(choice["arguments"], ensure_ascii=False)
            text += plain.note(f"  {given}: {choice['means']}\n")
    return text


def _line(finding: Finding, tool: Tool) -> str:
    fix = f" ({for_agents(finding.fix, tool)})" if finding.fix else ""
    return plain.note(f"{finding.level}: {finding.told}{fix}")


def failure(error: LeftoffError, seat: Seat, tool: Tool = NO_TOOL) -> Reply:
    """An error that the caller can do something about."""
    say = spoken(seat, seat.env, seat.cwd)
    known: dict[str, Any] = error_body(error, say)
    known |= {"hint": for_agents(str(known["hint"]), tool), "choices": list(error.choices)[:50]}
    by = redactor(seat.cwd, seat.env)
    sent = paging.fitting(clean({"error": known}, by), say)
    lines = [f"error: {known['message']}", *map(str, known["choices"])]
    text = "\n".join([*lines, f"hint: {known['hint']}"] if known["hint"] else lines)
    return Reply(sent, paging.shortened(cleaned(text, by)), failed=True)


def redactor(folder: str, env: Mapping[str, str]) -> Redactor:
    """What a reply may not say: any secret, and what the settings here name as one."""
    root = find_place(folder, env.get("HOME", "")).root
    return Redactor(extra=rules(load_or_default(root, env)[0].redaction))


def cleaned(text: str, by: Redactor) -> str:
    """A text that may be sent."""
    return plain.safe(redact(text, by))


def clean(value: Any, by: Redactor) -> Any:
    """The same for data."""
    data = json.dumps(value, ensure_ascii=True).encode() + b"\n"
    return _safe(json.loads(redact_lines.cleaned(data, by).data))


def _safe(value: Any) -> Any:
    if isinstance(value, str):
        return plain.safe(value)
    if isinstance(value, list):
        return [_safe(one) for one in value]
    if isinstance(value, dict):
        return {plain.safe(name): _safe(one) for name, one in value.items()}
    return value
