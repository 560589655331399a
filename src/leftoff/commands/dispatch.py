"""dispatch: for a packaged skill, before it does anything: whether a cheaper model shall do it.

It reads no document, takes no lock and writes nothing.
"""

from __future__ import annotations

from leftoff.commands import Call, plainly
from leftoff.core.blocks import Block, Line, Raw
from leftoff.core.dispatch import (
    ABORT,
    CAP,
    DECLARED,
    DISPATCH,
    PROCEED,
    TIERS,
    WARNINGS,
    Asked,
    decide,
)
from leftoff.core.result import Result
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json

SUMMARY = "For skills: decide whether to continue, hand the work to a cheaper model, or stop."
EXAMPLES = (
    "leftoff dispatch --model claude-opus-4-5 --prompt '/checkpoint before lunch' --json",
    "leftoff dispatch --model claude-sonnet-4-5 --declared sonnet < prompt.txt",
    "leftoff dispatch --model claude-opus-4-5 --prompt /checkpoint --no-subagent",
)
TOUCHES_NOTHING = True


def arguments(parser: Any) -> None:
    """Who asks, and for what."""
    parser.add_argument("--model", metavar="NAME", help="the model that would do the work")
    parser.add_argument(
        "--prompt", metavar="TEXT", help="what it was asked (default: read from standard input)"
    )
    parser.add_argument(
        "--declared",
        metavar="TIER",
        choices=TIERS,
        help=f"the tier that the skill is meant for (default: {DECLARED})",
    )
    parser.add_argument(
        "--no-subagent", action="store_true", help="a subagent could not be started"
    )


def run(call: Call) -> Result:
    """The same answer for the same words, whatever is on the disk."""
    args = call.args
    prompt = call.piped() if args.prompt is None else args.prompt
    asked = Asked(args.model or "", prompt, args.declared or DECLARED, not args.no_subagent)
    made = decide(asked)
    told = plainly(made.told, given=made.given)
    data: dict[str, Json] = {
        "answer": made.answer,
        "reason": made.reason,
        "request": {**made.request._asdict()} if made.request else None,
        "then": made.then or None,
        "warning": told if made.answer == PROCEED and told else None,
        "message": told if made.answer == ABORT else None,
        "given": made.given or None,
    }
    return Result(data, failed=made.answer == ABORT)


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The line that goes with it; then the answer, and what to start a subagent with."""
    if data["answer"] == ABORT:
        yield Line(say(CAP, given=data["given"]), "bad")
        return
    if data["warning"]:
        warning = WARNINGS[data["reason"]]
        yield Line(say(warning, given=data["given"] or ""), "warn")
    yield Line(f"{data['answer']}: {data['reason']}")
    if data["answer"] == DISPATCH:
        asked = data["request"]
        yield Line(f"model: {asked['model']}")
        yield Line(f"description: {asked['description']}")
        text = "Start a subagent with this prompt, wait, return its output as your answer and stop:"
        yield Line(say(text))
        yield Raw(asked["prompt"] + "\n")
