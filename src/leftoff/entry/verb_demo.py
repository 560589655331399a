"""demo: a tour of a minute. Real commands, real output, in a folder that is gone afterwards."""

from __future__ import annotations

import io
import shlex

from leftoff.core.blocks import Heading, Line
from leftoff.core.caller import Caller
from leftoff.entry import plain
from leftoff.entry.calls import now_of
from leftoff.entry.lang import say_in
from leftoff.errors import INTERRUPTED, LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import demo_scene as scene

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.blocks import Block
    from leftoff.core.model import Json
    from leftoff.entry.cli import Console
    from leftoff.world.demo_scene import Scene

SUMMARY = "See it in action: work, crash, drift and resume, in a folder that is gone afterwards."
EXAMPLES = (
    "leftoff demo",
    "leftoff demo --step   # wait for Enter before each command",
    "leftoff demo --lang zh",
    "leftoff demo --json",
)


class Step(Record):
    """A sentence, the words of a command, and what happens in the world before it."""

    text: str
    words: tuple[str, ...]
    before: Callable[[Scene], None] | None = None


class Shown(Record):
    """What a command gave."""

    code: int
    text: str


class _Screen(io.StringIO):
    """Takes what a command prints, as if it were printed where the person looks."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


def arguments(parser: Any) -> None:
    """How it goes on from step to step."""
    parser.add_argument("--step", action="store_true", help="wait for Enter before each command")


def run(args: Any, console: Console, cwd: str) -> int:  # noqa: ARG001  # it plays elsewhere
    """Play all of it; whatever ends it, the folder goes."""
    say = say_in(args.lang or "", console.env)
    env = {**console.env, **({"LEFTOFF_LANG": args.lang} if args.lang else {})}
    with scene.staged(env, now_of(args)) as stage:
        if args.json:
            _as_data(stage, say, console)
        else:
            _told(stage, say, console, wait=args.step and console.source.isatty())
    return 0


def story(say: Say) -> tuple[Step, ...]:
    """The tour."""
    return (
        Step(
            say("You start a piece of work. A thread carries it across sessions and agents."),
            ("thread", "enable", say("Payments")),
        ),
        Step(
            say("Record where it stands, and which command proves that a step is done."),
            (
                *("save", say("Cards are charged in the sandbox.")),
                *("--decision", say("Amounts are integers in cents")),
                *("--next", say("Build the retry page"), "--done-when", "test -f shop/retry.py"),
                *("--next", say("Merge the retry page (#42)"), "--next", say("Mail the receipt")),
                *("--file", "shop/limits.py"),
            ),
        ),
        Step(
            say("The page is written and committed. It counts as done because its check passes."),
            ("done", "--verify"),
            scene.work,
        ),
        Step(
            say(
                "Claude Code is killed in the middle of an edit. Its cut-off transcript is enough:"
            ),
            ("recover", "--thread", say("Payments")),
            scene.crash,
        ),
        Step(
            say("A colleague merges #42, deletes the branch and a file. The thread does not know:"),
            ("doctor",),
            scene.drift,
        ),
        Step(say("So what is next? What has already landed is skipped."), ("next",)),
        Step(
            say("A new session of any agent starts with this: what holds, and what does not."),
            ("resume",),
        ),
        Step(
            say("Another idea branches off, and keeps everything that still holds."),
            ("fork", say("Payments"), "invoices", "--next", say("Number the invoices")),
        ),
        Step(say("And this is how it all fits together."), ("tree",)),
    )


def _told(stage: Scene, say: Say, console: Console, *, wait: bool) -> None:
    steps = story(say)
    _print((Heading(say("leftoff in one minute")), Line("")), console)
    if wait:
        _print((Line(say("(Enter runs each command, Ctrl-C quits)"), "dim"),), console)
    for at, step in enumerate(steps, 1):
        said = (Line(f"{at}/{len(steps)}  {step.text}", "strong"),)
        _print((*said, Line(f"$ {command(step)}", "good")), console)
        if wait:
            console.source.readline()
        console.out.write(perform(stage, step, terminal=console.is_terminal).text + "\n")
    last = say(
        "All of this was real, and is gone again. Now run leftoff in one of your repositories."
    )
    _print((Line(last, "strong"),), console)


def _as_data(stage: Scene, say: Say, console: Console) -> None:
    from leftoff.core.fast_json import loads

    steps: list[Json] = [
        {
            "text": step.text,
            "command": command(step),
            "exit_code": (shown := perform(stage, _in_json(step))).code,
            "answer": loads(shown.text),
        }
        for step in story(say)
    ]
    console.give("demo", {"steps": steps})


def _in_json(step: Step) -> Step:
    return step._replace(words=(*step.words, "--json"))


def command(step: Step) -> str:
    """As one would type it."""
    return shlex.join(("leftoff", *step.words))


def perform(stage: Scene, step: Step, *, terminal: bool = False) -> Shown:
    """Let happen what comes before, and run the command as a person would, in this process."""
    from leftoff.core.when import stamp
    from leftoff.entry.cli import main  # which starts this verb

    if step.before:
        step.before(stage)
    screen = _Screen(terminal=terminal)
    code = main(
        (*step.words, "--now", stamp(stage.now)),
        env=stage.env,
        cwd=stage.root,
        streams=(io.StringIO(), screen, screen),
        caller=lambda: Caller(False, ()),
    )
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    if code:
        said = f'the demo stopped: "{command(step)}" ended with {code}: {screen.getvalue()}'
        raise LeftoffError(said, hint="please report this")
    return Shown(code, screen.getvalue())


def _print(blocks: tuple[Block, ...], console: Console) -> None:
    """At once: what is shown is watched."""
    if console.is_terminal:
        from leftoff.entry.terminal import show  # Rich is for people only

        show(blocks, console.out, color=console.color)
    else:
        console.out.write(plain.render(blocks))
    console.out.flush()
