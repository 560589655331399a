"""done: complete a next action; the last one asks what comes after it."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.core import finish
from leftoff.core.blocks import Block, Line
from leftoff.core.find import find
from leftoff.core.model import COMPLETE, IN_PROGRESS, Checkpoint, Item, open_actions
from leftoff.core.result import Ask, Choice, Result
from leftoff.core.when import stamp
from leftoff.errors import Ambiguous, NotFound, Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.core.stream import Stream

SUMMARY = "Complete a next action: the first, or one by number, id or text."
EXAMPLES = (
    "leftoff done oc-git-ops",
    "leftoff done oc-git-ops 2",
    "leftoff done oc-git-ops --next 'Tag the release'",
    "leftoff done oc-git-ops --complete",
)
ARCHIVE_NEXT = "Archive this checkpoint: every action is done"


def arguments(parser: Any) -> None:
    """Which action, and what follows the last."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="the checkpoint")
    parser.add_argument("which", nargs="?", metavar="N", help="number as in status, id or text")
    parser.add_argument("--next", metavar="TEXT", help="the action that comes next")
    parser.add_argument("--complete", action="store_true", help="nothing is left: complete")


def run(call: Call) -> Result:
    """Move the action to the history (a thread's step is ticked off), in one write."""
    if call.args.next is not None and (call.args.complete or not call.args.next.strip()):
        raise Usage("--next needs a text, and excludes --complete", hint="give one of them")
    stream = _stream(call)
    path, kind = stream.glance.path, stream.glance.format
    lens = call.store.lens_at(path)
    checkpoint = call.store.read(path).checkpoint
    action = finish.choose(checkpoint, call.args.which or "")
    if call.args.complete:
        _check_completes(checkpoint, kind)
    if _needs_more(call, checkpoint, kind):
        return _ask(stream.glance.id, action)
    now = stamp(call.now)

    def edit(text: str) -> str:
        current = lens.read(text, path)
        after = _finished(current, finish.same(current, action), kind, now)
        after = _followed(call, after, kind)
        return lens.write(after._replace(updated=now) if lens.STAMPS else after, text, path)

    document = call.store.change(path, edit)
    left = [item.text for item in open_actions(document.checkpoint)]
    data: dict[str, Json] = {
        "id": stream.glance.id,
        "path": path,
        "completed": action.text,
        "left": list(left),
        "status": document.checkpoint.status,
    }
    return Result(data)


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """What was completed, and what is up next."""
    if "completed" not in data:
        return
    text = say('{id}: completed "{text}"', id=data["id"], text=data["completed"])
    yield Line(f"✓ {text}", "good")
    if data["left"]:
        yield Line("  " + say("Up next: {text}", text=data["left"][0]))
    elif data["status"] == COMPLETE:
        yield Line("  " + say("Everything is done."))
    else:
        yield Line("  " + say("The queue is empty."))


def _stream(call: Call) -> Stream:
    streams = call.store.streams()
    if call.args.name:
        return find(streams, call.args.name)
    busy = [s for s in streams if s.glance.actions and s.glance.status == IN_PROGRESS]
    if len(busy) == 1:
        return busy[0]
    if not busy:
        raise NotFound("no checkpoint has an open action", hint='see "leftoff status"')
    raise Ambiguous(
        f"{len(busy)} checkpoints have open actions",
        hint="name one: leftoff done NAME",
        choices=tuple(f"{s.glance.format}:{s.glance.id}" for s in busy),
    )


def _needs_more(call: Call, checkpoint: Checkpoint, kind: str) -> bool:
    """A thread or task may run empty; a skill or Markdown checkpoint says what comes next."""
    last = len(open_actions(checkpoint)) == 1 and checkpoint.status == IN_PROGRESS
    return last and kind in {"skill", "md"} and call.args.next is None and not call.args.complete


def _check_completes(checkpoint: Checkpoint, kind: str) -> None:
    others = len(open_actions(checkpoint)) - 1
    if others:
        hint = "complete them first, or leave --complete out"
        raise Usage(f"{others} other action(s) of {checkpoint.id} are still open", hint=hint)
    if kind not in {"skill", "md", "thread"}:
        raise Usage(f"a {kind} document has no status to complete", hint="leave --complete out")


def _ask(name: str, action: Item) -> Result:
    question = f'"{action.text}" is the last action of {name}; nothing was changed. What is next?'
    choices = (Choice("--complete", "nothing: the work is complete"),)
    return Result({"id": name, "last": action.text}, ask=Ask(question, choices, "--next TEXT"))


def _finished(c: Checkpoint, action: Item, kind: str, now: str) -> Checkpoint:
    if kind == "thread":
        return finish.tick(c, action)
    if kind == "skill":
        return finish.move(c, action, Item(action.text, attrs={**action.attrs, "at": now}))
    words = finish.told(action)
    if kind == "md":
        words = f"{c.stage or 'Next action'} → {words} → done"
    return finish.move_all(c, action, Item(words))


def _followed(call: Call, c: Checkpoint, kind: str) -> Checkpoint:
    if call.args.next is not None:
        return c._replace(next_actions=(*c.next_actions, Item(call.args.next)))
    if not call.args.complete:
        return c
    if kind == "md":  # a Markdown checkpoint is complete when it is archived
        return c._replace(next_actions=(*c.next_actions, Item(ARCHIVE_NEXT)))
    return finish.complete(c)
