"""done: complete a next action; the last one asks what comes after it."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.core import finish_action
from leftoff.core.blocks import Block, Line
from leftoff.core.find_stream import find, still_open
from leftoff.core.model import COMPLETE, IN_PROGRESS, Checkpoint, Item, open_actions
from leftoff.core.result import Ask, Choice, Result
from leftoff.core.texts import ENDS
from leftoff.core.thread import COMPLETE_MARK, FORMAT
from leftoff.core.when import stamp
from leftoff.errors import Ambiguous, NotFound, Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Evidence, Json
    from leftoff.core.stream import Stream
    from leftoff.formats import Lens

SUMMARY = "Complete a next action: the first, or one by number, id or text."
EXAMPLES = (
    "leftoff done oc-git-ops",
    "leftoff done oc-git-ops 2",
    "leftoff done oc-git-ops --next 'Tag the release'",
    "leftoff done oc-git-ops --complete",
    "leftoff done oc-git-ops --verify --timeout 5m",
)
ARCHIVE_NEXT = "Archive this checkpoint: every action is done"


def arguments(parser: Any) -> None:
    """Which action, and what follows the last."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="the checkpoint")
    parser.add_argument("which", nargs="?", metavar="N", help="number as in status, id or text")
    parser.add_argument("--next", metavar="TEXT", help="the action that comes next")
    parser.add_argument("--complete", action="store_true", help="nothing is left: mark it complete")
    parser.add_argument("--verify", action="store_true", help="only if its done_when succeeds")
    parser.add_argument("--timeout", metavar="SPAN", help="stop the check after this long (10m)")


def run(call: Call) -> Result:
    """Move the action to the history (a thread's step is ticked off), in one write."""
    if call.args.next is not None and (call.args.complete or not call.args.next.strip()):
        raise Usage(
            "--next needs a text, and cannot be used with --complete", hint="give one of them"
        )
    if call.args.timeout is not None and not call.args.verify:
        raise Usage("--timeout is for --verify", hint="give both, or neither")
    stream = _stream(call)
    path = stream.glance.path
    checkpoint, lens = call.store.read(path).checkpoint, call.store.lens_at(path)
    action = finish_action.choose(checkpoint, call.args.which or "")
    if call.args.complete:
        _check_completes(checkpoint, lens, action)
    if call.args.verify:
        _may_run(call, action, path)
    if _needs_more(call, checkpoint, lens):
        return _ask(stream.glance.id, action)
    return (_verified if call.args.verify else _complete)(call, stream, action)


def _may_run(call: Call, action: Item, path: str) -> None:
    from leftoff.commands import _done_verify  # the everyday done runs nothing and pays nothing

    _done_verify.require_trusted(call, action, path)


def _verified(call: Call, stream: Stream, action: Item) -> Result:
    """Complete it if the command says so; otherwise it stays, and what was seen is recorded."""
    from leftoff.commands import _done_verify

    evidence, notes = _done_verify.check(call, action)
    if evidence.exit_code:
        _done_verify.keep(call, stream.glance.path, action, evidence)
        return _done_verify.failed(stream.glance, action, evidence, notes)
    path = stream.glance.path
    before, ending = call.store.read(path).checkpoint, call.store.lens_at(path).ENDING
    done = finish_action.closed(before, action, ending, {})
    # First: if the write below does not come about, what was seen is kept all the same.
    _done_verify.keep(call, path, done, evidence)
    result = _complete(call, stream, action, evidence)
    return result._replace(data=result.data | _done_verify.shown(evidence), findings=notes)


def _complete(call: Call, stream: Stream, action: Item, evidence: Evidence | None = None) -> Result:
    """Write it, if it still is the same action with the same command."""
    path = stream.glance.path
    lens, now = call.store.lens_at(path), stamp(call.now)
    attested = {"at": now, **_attested(evidence)}

    def edit(text: str) -> str:
        current = lens.read(text, path)
        same = finish_action.same(current, action)
        done = finish_action.closed(current, same, lens.ENDING, attested)
        after = finish_action.finished(current, same, done, lens.ENDING)
        after = _followed(call, after, lens.ENDING)
        return lens.write(after._replace(updated=now) if lens.STAMPS else after, text, path)

    document = call.store.change(path, edit)
    call.store.release(stream.glance.id, action.text)
    data: dict[str, Json] = {
        "id": stream.glance.id,
        "path": path,
        "completed": action.text,
        "left": [item.text for item in open_actions(document.checkpoint)],
        "status": document.checkpoint.status,
        "verified": bool(evidence),
        "done_when": action.get("done_when"),
    }
    if stream.glance.format == FORMAT:
        data |= _gone_on(call, stream.glance.id, document.checkpoint)
    return Result(data)


def _gone_on(call: Call, thread: str, work: Checkpoint) -> dict[str, Json]:
    """What a step done means for the thread: the next one, or the end and why."""
    from leftoff.commands import _thread_run  # other formats have no runs and pay nothing
    from leftoff.commands._threads import settings_of
    from leftoff.core.run import GO, after_step
    from leftoff.core.run_report import reason

    run = _thread_run.run_of(call, _thread_run.calling_on(call, thread))
    facts = _thread_run.facts(call, thread, run, work, settings_of(call.store, thread))
    next_one = after_step(run, facts)
    goes_on = next_one.verb == GO
    complete = not next_one.left
    return {
        "next": next_one.step.text if next_one.step else None,
        "continue": goes_on,
        "complete": complete,
        "stop": None if goes_on or complete else next_one.why,
        "why": None if goes_on or complete else reason(next_one, call.say),
        "run": {"started": next_one.started, "done": next_one.done, "left": next_one.left}
        if run.on
        else None,
    }


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """What was completed, and what is up next."""
    if "unverified" in data:
        yield from _view_failed(data, say)
    if "completed" not in data:
        return
    text = say('{id}: completed "{text}"', id=data["id"], text=data["completed"])
    yield Line(f"✓ {text}", "good")
    if data["verified"]:
        yield Line("  " + say("Verified: {command}", command=_shown(data["done_when"])))
    elif data["done_when"]:
        yield Line("  " + say("Not verified: its done_when was not run."), "dim")
    if data["left"]:
        yield Line("  " + say("Up next: {text}", text=data.get("next") or data["left"][0]))
    elif data["status"] == COMPLETE:
        yield Line("  " + say("Everything is done."))
    else:
        yield Line("  " + say("The queue is empty."))
    if data.get("stop"):
        yield from _view_stop(data, say)
    if data.get("complete"):
        yield Line(COMPLETE_MARK, "strong")


def _view_stop(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """Why the next step is not begun by itself."""
    text = say("Wait for the person: {why}.", why=data["why"].rstrip(ENDS))
    yield Line(f"  {text}", "warn")
    if data["run"]:
        counts = say("In this run: {done} done, {left} left.", **data["run"])
        yield Line(f"  {counts}")


def _view_failed(data: dict[str, Any], say: Say) -> Iterator[Block]:
    code, command = data["evidence"]["exit_code"], _shown(data["evidence"]["command"])
    text = say('{id}: "{text}" is not done', id=data["id"], text=data["unverified"])
    yield Line(f"✗ {text}", "bad")
    yield Line("  " + say("{command} ended with exit code {code}", command=command, code=code))
    if data["evidence"]["tail"]:
        yield Line(data["evidence"]["tail"].rstrip("\n"), "dim")


def _shown(command: str) -> str:
    from leftoff.core.done_when import visible

    return visible(command)


def _stream(call: Call) -> Stream:
    streams = call.store.streams()
    if call.args.name:
        return still_open(find(streams, call.args.name))
    busy = [s for s in streams if s.glance.actions and s.glance.status == IN_PROGRESS]
    own = _own(call, busy)
    if own:
        return own
    if len(busy) == 1:
        return busy[0]
    if not busy:
        unread = any(stream.glance.broken for stream in streams)
        more = "one cannot be read: leftoff validate says why" if unread else 'see "leftoff status"'
        raise NotFound("no checkpoint has an open action", hint=more)
    raise Ambiguous(
        f"{len(busy)} checkpoints have open actions",
        hint="name one: leftoff done NAME",
        choices=tuple(s.glance.full_name for s in busy),
    )


def _own(call: Call, busy: list[Stream]) -> Stream | None:
    """The caller's thread, where it has an open step."""
    threads = [s for s in busy if s.glance.format == FORMAT]
    if not threads:
        return None
    from leftoff.commands._threads import current

    thread = current(call)
    return next((s for s in threads if s.glance.id == thread), None)


def _needs_more(call: Call, checkpoint: Checkpoint, lens: Lens) -> bool:
    """Whether this would leave a queue empty that must say what comes next."""
    last = len(open_actions(checkpoint)) == 1 and checkpoint.status == IN_PROGRESS
    said = call.args.next is not None or call.args.complete
    return last and lens.ENDING.goes_on and not said


def _check_completes(checkpoint: Checkpoint, lens: Lens, action: Item) -> None:
    others = len(open_actions(checkpoint)) - 1
    if others:
        hint = "complete them first, or leave --complete out"
        raise Usage(f"other actions of {checkpoint.id} are still open: {others}", hint=hint)
    if not lens.ENDING.completes:
        text = f"a {lens.NAME} document has no status to complete"
        raise Usage(text, hint="leave --complete out")
    if action.text == ARCHIVE_NEXT:
        text = f"every action of {checkpoint.id} is done; all that is left is to archive it"
        raise Usage(text, hint=f"leftoff archive {checkpoint.id} --outcome TEXT")


def _ask(name: str, action: Item) -> Result:
    question = f'"{action.text}" is the last action of {name}; nothing was changed. What is next?'
    choices = (Choice("--complete", "nothing: the work is complete"),)
    return Result({"id": name, "last": action.text}, ask=Ask(question, choices, "--next TEXT"))


def _attested(evidence: Evidence | None) -> dict[str, Json]:
    if evidence is None:
        return {}
    from leftoff.core.evidence import to_json

    return {"evidence": to_json(evidence)}


def _followed(call: Call, c: Checkpoint, ending: finish_action.Ending) -> Checkpoint:
    if call.args.next is not None:
        return c._replace(next_actions=(*c.next_actions, Item(call.args.next)))
    if not call.args.complete:
        return c
    if ending.completes == "archive":
        return c._replace(next_actions=(*c.next_actions, Item(ARCHIVE_NEXT)))
    return finish_action.complete(c)
