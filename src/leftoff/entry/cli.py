"""The command line: find the verb, parse its words, call it, show the Result, map the errors."""

from __future__ import annotations

import os
import sys

import leftoff
from leftoff import __version__
from leftoff.commands import names, plainly
from leftoff.entry import plain
from leftoff.entry.calls import (
    asked_in,
    body,
    call_for,
    error_body,
    found_in,
    parser_for,
    told,
    with_trouble,
)
from leftoff.entry.lang import say_for, say_in
from leftoff.entry.verbs import (
    ALIASES,
    BUILT_IN,
    FOR_CLIENTS,
    ON_THEIR_OWN,
    VALUED,
    find_command,
    of_entry,
)
from leftoff.errors import INTERRUPTED, Bug, Busy, LeftoffError
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TextIO

    from leftoff.commands import Call, Command, Say
    from leftoff.core.caller import Caller
    from leftoff.core.model import Finding
    from leftoff.core.result import Ask, Result
    from leftoff.entry.arguments import Parser


class Console(Record):
    """The three streams, and what kind of reader is at the other end."""

    source: TextIO
    out: TextIO
    err: TextIO
    env: Mapping[str, str]
    caller: Callable[[], Caller] | None = None

    def who(self) -> Caller:
        """Who calls; a test may say so, an option or the environment never."""
        if self.caller:
            return self.caller()
        from leftoff.world.processes import caller  # only for what a person alone may do

        return caller(terminal=self.source.isatty() and self.out.isatty())

    def piped(self) -> str:
        """What comes on stdin, where nobody types."""
        from leftoff.entry.stdin_text import read  # only for what takes its text that way

        return read(self.source)

    def give(self, name: str, data: dict[str, Any]) -> None:
        """Facts with nothing beside them, as an answer in JSON."""
        _print_json({"data": data, "findings": [], "ask": None}, name, self)

    @property
    def is_terminal(self) -> bool:
        return self.out.isatty() and self.env.get("TERM") != "dumb"

    @property
    def color(self) -> bool:
        return self.is_terminal and not self.env.get("NO_COLOR")


def main(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: str,
    streams: tuple[TextIO, TextIO, TextIO],
    caller: Callable[[], Caller] | None = None,
) -> int:
    """Run one command line; returns the exit code."""
    console = Console(*streams, env, caller)
    as_json = "--json" in argv
    try:
        return _dispatched(list(argv), console, cwd)
    except LeftoffError as error:
        _show_error(error, console, say_for(argv, env), as_json=as_json)
        return error.code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader left, as `head` does: nothing is wrong
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except OSError as error:
        return _show_trouble(error, console, argv, as_json=as_json)
    except Exception as bug:  # noqa: BLE001  # our bug: one line for the user, a log to report
        return _report_bug(bug, console, argv, as_json=as_json)


def _dispatched(words: list[str], console: Console, cwd: str) -> int:
    try:
        return _dispatch(words, console, cwd)
    finally:
        if drawn := sys.modules.get("leftoff.entry.terminal"):
            drawn.put_away_bars()


def _dispatch(words: list[str], console: Console, cwd: str) -> int:
    if words == ["--version"]:
        print(f"leftoff {__version__}", file=console.out, flush=True)
        return 0
    if {*words} == {"--version", "--json"}:
        console.give("version", {"version": __version__})
        return 0
    verb, rest = split_verb(words)
    helped = "--help" in rest or "-h" in rest
    if verb in FOR_CLIENTS and not helped:
        code: int = of_entry(verb).run(rest, console.env)
        return code
    if verb in ON_THEIR_OWN and not helped:
        alone = of_entry(verb)
        ended: int = alone.run(parser_for(alone).parse(rest), console, cwd)
        return ended
    if verb in BUILT_IN or helped:
        explained = _explain(verb, rest, console, cwd)
        console.out.flush()  # here it is still told when that cannot be
        return explained
    command = find_command(verb)
    parser = parser_for(command)
    args = parser.parse(rest)
    call = _call(args, console, cwd, plainly)
    call = call._replace(say=say_in(args.lang or _of_thread(call), console.env))
    code = _talk(command, parser, rest, call, console)
    if not getattr(command, "TOUCHES_NOTHING", False):
        _keep_hooks(call.store.state)
    if getattr(command, "READS_TRANSCRIPTS", False):
        from leftoff.world.follower import follow

        follow(call.store.state, call.env, call.now)
    return code


def _explain(verb: str, rest: list[str], console: Console, cwd: str) -> int:
    """Help and completion; also what a shell asks for, at each press of a key."""
    if (verb, rest) == ("completion", ["names"]):
        from leftoff.entry.completion_names import here

        console.out.writelines(f"{name}\n" for name in here(cwd, console.env))
        return 0
    from leftoff.entry import help  # noqa: A004  # argparse and Rich, only for those who read

    return help.run(verb, rest, console.out, say_for(rest, console.env), color=console.color)


def _talk(
    command: Command, parser: Parser, rest: Sequence[str], call: Call, console: Console
) -> int:
    """Run it and show the result; a person is asked what it asks, and it runs again with that."""
    while True:
        result = command.run(call)
        asked = result.ask if _may_ask(call, console) else None
        if asked is None or asked.shown_first:
            _tell(command, call, result._replace(ask=None) if asked else result, console)
        if asked is None:
            return result.code
        from leftoff.entry.terminal import ask  # a person is there: Rich may load

        answer = ask(asked_in(asked, call.say), console.err, console.source, call.say)
        if not answer:
            if not asked.shown_first:
                _tell(command, call, result, console)
            return result.code
        rest = [*rest, *filter(None, [asked.about]), *answer]
        again = call.again or asked.shown_first
        call = _call(parser.parse(rest), console, call.cwd, call.say)._replace(again=again)


def _may_ask(call: Call, console: Console) -> bool:
    return console.is_terminal and not call.args.json and console.source.isatty()


def _tell(command: Command, call: Call, result: Result, console: Console) -> None:
    """Show a result; then what may be done only once it was shown."""
    _show(
        command,
        with_trouble(result, call.store.root, call.env),
        console,
        call.say,
        as_json=call.args.json,
    )
    for finding in result.after() if result.after else ():
        _note(_line(found_in(finding, call.say)), console)
    if result.start:
        from leftoff.entry.start_client import become  # for the one command that starts a client

        become(result.start, console.out, console.err)


def _of_thread(call: Call) -> str:
    """The language of the caller's thread, where nobody chose one for this machine."""
    if call.env.get("LEFTOFF_LANG") or not os.path.isdir(f"{call.store.root}/.checkpoints"):
        return ""
    from leftoff.world.thread_language import language

    return language(call.store.root, call.store.state, call.env)


def _keep_hooks(state: str) -> None:
    """After an upgrade or a move of leftoff, clients go on finding it: see `world.launcher`."""
    from leftoff.world.files import read_bytes

    try:
        text = read_bytes(os.path.join(state, "hook", "launch.py")).decode()
    except (LeftoffError, ValueError):
        return  # nothing is installed
    if f" {__version__} {leftoff.__path__[0]!r}" in text.partition("\n")[0]:
        return
    from leftoff.world.launcher import refresh

    try:
        refresh(state)
    except LeftoffError:
        return  # the hooks log what they miss; this command did its work


def split_verb(words: list[str]) -> tuple[str, list[str]]:
    """The first word that is no option, and all others; no verb means status."""
    if words and not words[0].startswith("-"):
        return words[0], words[1:]
    # behind options of its own, a verb must be one: `--since 2d` is an option of status
    for at, word in enumerate(words):
        if word in (*names(), *ALIASES, *BUILT_IN) and words[at - 1] not in VALUED:
            return word, words[:at] + words[at + 1 :]
    return ("help" if "--help" in words or "-h" in words else "status"), words


def _call(args: Any, console: Console, cwd: str, say: Say) -> Call:
    progress = None
    if console.is_terminal and console.err.isatty() and not args.json:
        progress = _progress(console.err)
    call = call_for(args, cwd=cwd, env=console.env, say=say, caller=console.who)
    return call._replace(progress=progress, piped=console.piped)


def _progress(err: TextIO) -> Callable[[int, int], None]:
    """Rich draws it, and is loaded when there is something to draw."""
    drawn: list[Callable[[int, int], None]] = []

    def tell(done: int, total: int) -> None:
        if not drawn:
            from leftoff.entry.terminal import progress

            drawn.append(progress(err))
        drawn[0](done, total)

    return tell


def _show(command: Command, result: Result, console: Console, say: Say, *, as_json: bool) -> None:
    if as_json:
        name = command.__name__.rpartition(".")[2]  # type: ignore[attr-defined]  # a module
        _print_json(body(result, say), name.replace("_", "-"), console)
        return
    blocks = command.view(told(result.data, say), say)
    if console.is_terminal:
        from leftoff.entry.terminal import show  # Rich is for people only

        show(blocks, console.out, color=console.color)
    else:
        console.out.write(plain.render(blocks))
    for piece in result.stream() if result.stream else ():
        console.out.write(piece)
    in_view = getattr(command, "FINDINGS_IN_VIEW", False)
    for finding in result.findings:
        if not in_view or (finding.slug, finding.level) == ("settings", "warning"):
            _note(_line(found_in(finding, say)), console)
    if result.ask:
        asked = asked_in(result.ask, say)
        _note(asked.question + _answered_by(asked), console)
        for choice in asked.choices:
            _note(f"  {choice.value}: {choice.means}", console)
    console.out.flush()


def _answered_by(asked: Ask) -> str:
    """The flag of a question; none of it where each choice is a flag, of which it is but one."""
    free, ways = " " in asked.flag, [choice.value for choice in asked.choices]
    told = ways and not free and all(way.startswith("--") for way in ways)
    return "" if told else f" ({asked.flag})"


def _show_trouble(error: OSError, console: Console, argv: Sequence[str], *, as_json: bool) -> int:
    """About a file nearly all are errors of ours by now; what names none is about the output."""
    if error.filename:
        from leftoff.world.files import trouble  # rarely

        told = trouble(error, "use", os.fsdecode(error.filename))
        _show_error(told, console, say_for(argv, console.env), as_json=as_json)
        return told.code
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    print(f"error: cannot write the output: {error.strerror}", file=console.err)
    return Busy.code


def _line(finding: Finding) -> str:
    fix = f" ({finding.fix})" if finding.fix else ""
    return f"{finding.level}: {finding.told}{fix}"


def _note(text: str, console: Console) -> None:
    """A message beside the output; for a person it is broken between words."""
    shown = plain.note(text)
    if console.is_terminal and console.err.isatty():
        from leftoff.entry.terminal import wrapped  # a person is there: Rich may load

        shown = wrapped(shown, console.err)
    print(shown, file=console.err)


def _show_error(error: LeftoffError, console: Console, say: Say, *, as_json: bool) -> None:
    if as_json:
        _print_json({"error": error_body(error, say)}, "error", console)
        return
    message, hint = say(error.message), say(error.hint)
    where = f"{error.where}: " if error.where and error.where not in error.message else ""
    _note(f"error: {where}{message}", console)
    for choice in error.choices:
        if choice not in error.message:
            _note(f"  {choice}", console)
    if hint:
        _note(f"hint: {hint}", console)


def _print_json(body: dict[str, object], name: str, console: Console) -> None:
    from leftoff.core.pretty import pretty  # only for --json

    text = pretty({"schema": f"leftoff.{name}/1", **body})
    print(text.encode("utf-8", "backslashreplace").decode(), file=console.out, flush=True)


def _report_bug(bug: Exception, console: Console, argv: Sequence[str], *, as_json: bool) -> int:
    from leftoff.entry.crash import write_log  # the traceback module, only when it is needed

    hint = f"please report this with the log {write_log(bug, console.env, argv)}"
    error = Bug(f"leftoff failed: {type(bug).__name__}: {bug}", hint=hint)
    _show_error(error, console, say_for(argv, console.env), as_json=as_json)
    return error.code
