"""save: record where the work stands, so that the next session continues as if none had ended."""

from __future__ import annotations

from leftoff.commands import Call, _save_arguments, _threads
from leftoff.commands._caller import bind
from leftoff.commands._hapi_environment import LOCAL, YES, add_options, add_tools, environment
from leftoff.commands._redaction import warned
from leftoff.commands._save_arguments import unheld
from leftoff.commands._save_journal import tell
from leftoff.commands._save_writing import (
    LONGEST_LABEL,
    Saved,
    SaveRequest,
    into_thread,
    save_request,
    with_record,
)
from leftoff.core import sizes
from leftoff.core.blocks import Block, Line
from leftoff.core.find_stream import called, find
from leftoff.core.model import DRAFT, RULES, Checkpoint, Finding
from leftoff.core.result import Result
from leftoff.core.texts import first_sentence, short
from leftoff.core.thread import FORMAT, POINTER, document
from leftoff.errors import Usage
from leftoff.formats import kinds_of_work, parts
from leftoff.record import TYPE_CHECKING
from leftoff.world.busy_marker import SAVE as MARKER
from leftoff.world.busy_marker import marked
from leftoff.world.calling_session import calling
from leftoff.world.dirty import PATIENCE
from leftoff.world.refs import head_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from leftoff.commands import Say
    from leftoff.commands._caller import Who
    from leftoff.core.draft import Seen
    from leftoff.core.model import Json

SUMMARY = "Save where the work stands to your thread: in your words, or drafted from the session."
EXAMPLES = (
    "leftoff save",
    "leftoff save 'Retries work; the page is next' --next 'Build the retry page'",
    "leftoff save --decision 'Amounts are integers in cents' --next 'Mail the receipt'",
    "leftoff save --blocker 'Which bank first?' --needs-decision",
    'echo \'{"note": "Half done", "next_actions": ["The other half"]}\' | leftoff save -',
    "leftoff save --as task 'Before the long refactoring'",
)
TASK = "task"
NEW_THREAD = "leftoff thread enable --new NAME"


def arguments(parser: Any) -> None:
    """The words, and where they go."""
    _save_arguments.arguments(parser)
    kinds = kinds_of_work()
    parser.add_argument("--as", dest="kind", choices=kinds, metavar="FORMAT", help="/".join(kinds))
    parser.add_argument("--name", metavar="NAME", help="which thread, checkpoint or skill")
    parser.add_argument("--session", metavar="ID", help="save for this session")
    parser.add_argument("--draft", action="store_true", help="also draft from the transcript")
    parser.add_argument("--no-draft", action="store_true", help="save only the words given")
    add_tools(parser)
    add_options(parser)
    parser.add_argument("--once", metavar="KEY", help="task: one row in the ledger for this KEY")
    parser.add_argument("--model", metavar="TIER", help="task: the tier that ran, for the ledger")


def run(call: Call) -> Result:
    """Find the document or begin it, write it, tell the journal."""
    if call.args.draft and call.args.no_draft:
        raise Usage("--draft and --no-draft cannot be used together", hint="give one of them")
    who = calling(call)
    with marked(call.store, MARKER, who, call.now) as troubles:
        # standard input is read in here: a save that waits for its words is at work
        result = _saved(call, _save_arguments.given(call), who)
    return result._replace(findings=(*troubles, *result.findings))


def _saved(call: Call, given: dict[str, Any], who: Who) -> Result:
    kind = call.args.kind or call.settings.save
    if kind == TASK:
        return _task(call, given, who)
    for option in ("once", "model"):
        if getattr(call.args, option) is not None:
            raise Usage(f"--{option} is for --as task", hint="leave it out")
    told = dict(given)
    for name in _save_arguments.FOCUS:
        given.pop(name, None)
    label = _label(given)
    if _save_arguments.NOTE in given:
        given["summary"] = given.pop(_save_arguments.NOTE)
    seen = _seen(call, who, any_words=bool(given))
    request = save_request(call, given, who, seen, label)
    before = call.store.pointer() if kind == FORMAT else ""
    saved, created = (_to_thread if kind == FORMAT else _to_document)(call, kind, request)
    tell(call, who, saved.path, told, thread=saved.checkpoint.id if kind == FORMAT else "")
    result = _result(call, kind, request, saved, created=created)
    told_pointer = _pointed_anew(call, before)
    return _handed_on(call, kind, result._replace(findings=(*told_pointer, *result.findings)))


def _pointed_anew(call: Call, before: str) -> Iterator[Finding]:
    """What `.checkpoints/current` said was no thread, and gave way to one."""
    now = call.store.current_thread() if before else ""
    if now and now != before:
        text = f'named "{short(before)}", which is no thread here; now it names {now}'
        yield Finding("current", "warning", POINTER, text)


def _task(call: Call, given: dict[str, Any], who: Who) -> Result:
    from leftoff.commands._save_task import save_task  # seed C's own way

    result = save_task(call, given, who)
    if result.data["saved"]:
        tell(call, who, str(result.data["saved"]), given)
    return result._replace(data={**result.data, "env": environment(call)})


def _handed_on(call: Call, kind: str, result: Result) -> Result:
    """Under Hapi the work may go on in a new session; elsewhere nothing is asked of anybody."""
    env = environment(call)
    result = result._replace(data={**result.data, "env": env})
    if env == LOCAL or kind != FORMAT:
        return result._replace(findings=(*result.findings, *_not_begun(call)))
    from leftoff.commands._hapi import next_session

    return next_session(call, str(result.data["id"]), wanted=call.args.new_session).told(result)


def _not_begun(call: Call) -> Iterator[Finding]:
    if call.args.new_session == YES:
        text = "no new session was begun: only a thread under Hapi goes on in one"
        yield Finding("not-begun", "warning", "", text)


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """What was written, what waits, how to go on."""
    if data["format"] == TASK:
        from leftoff.commands._save_task import view_task

        yield from view_task(data, say)
        return
    if data["changed"]:
        yield Line("✓ " + say("saved {path}", path=data["saved"]), "good")
    else:
        yield Line(say("nothing new to save in {path}", path=data["saved"]))
    if data["drafted"]:
        text = "{n} line(s) drafted from the session, each marked as a draft"
        yield Line("  " + say(text, n=data["drafted"]))
    if data["dropped"]:
        yield Line(
            "  "
            + say("no longer a next step: {steps}", steps="; ".join(map(short, data["dropped"])))
        )
    if data.get("new_session"):
        text = "the new session {session} in Hapi has the hand-off"
        yield Line("  " + say(text, session=data["new_session"]), "good")
    if data["record"]:
        yield Line("  " + say("left for the next session: {path}", path=data["record"]))
    yield Line("  " + say("continue in a new session: {command}", command=data["resume"]))


def _to_thread(call: Call, _: str, request: SaveRequest) -> tuple[Saved, bool]:
    """The named thread, the caller's, else a new one; the default here stays what it is."""
    streams = call.store.streams() if call.args.name else []
    threads = [one for one in streams if one.glance.format == FORMAT]
    found = find(threads, call.args.name, exact=True).glance.id if call.args.name else ""
    thread = found or _threads.current(call)
    created = not thread
    if created:
        name = request.label or head_of(call.store.place, call.env)[0]
        has_default = _threads.is_there(call, call.store.current_thread())
        thread = _threads.begin(call, name, current=not has_default)
    elif not call.store.exists(document(thread)):
        fresh = Checkpoint(thread, name=request.label)
        call.store.create(document(thread), _threads.lens().write(fresh, "", document(thread)))
    else:
        bind(call, thread)
    return into_thread(call, thread, request), created


def _to_document(call: Call, kind: str, request: SaveRequest) -> tuple[Saved, bool]:
    from leftoff.commands._save_document import begin, go_on, target

    path = target(call, kind)
    saved = go_on(call, kind, path, request) if path else begin(call, kind, request)
    return with_record(call, saved, request.who), not path


def _seen(call: Call, who: Who, *, any_words: bool) -> Seen | None:
    """What the session's transcript shows, where nobody says anything, or where it is wanted."""
    wanted = call.args.draft or not (any_words or call.args.no_draft)
    if not wanted or who is None:
        return None
    from leftoff.commands._draft_sources import look

    return look(call._replace(patience=call.patience or PATIENCE), *who)


def _label(given: Mapping[str, Any]) -> str:
    """What to call this piece of work, by the first thing that was said of it."""
    texts = [given.get(name, "") for name in ("intent", _save_arguments.NOTE, "stage", "problem")]
    lists = [given.get(field, ()) for field in ("next_actions", "decisions", "questions")]
    texts += [items[0].text for items in lists if items]
    return short(first_sentence(next(filter(None, texts), "")), LONGEST_LABEL)


def _result(call: Call, kind: str, request: SaveRequest, saved: Saved, *, created: bool) -> Result:
    c = saved.checkpoint
    # the ids of threads are random: no other document has one
    name = "" if kind == FORMAT else called(call.store.streams(), saved.path)
    data: dict[str, Json] = {
        "saved": saved.path,
        "id": c.id,
        "format": kind,
        "created": created,
        "changed": saved.changed or created,
        "record": saved.record or None,
        "resume": f"leftoff resume {name or c.id}",
        "session": "/".join(request.who) if request.who else None,
        "number": saved.number or None,
        "drafted": _count_drafted(c),
        "dropped": [*saved.dropped],
        "bytes": saved.size,
        "next": [item.text for item in c.next_actions if not item.attrs.get("done")],
    }
    found = (*_known(saved), *sizes.saved(c, saved.size, call.settings.limits))
    held = {field for lens in parts(kind) for field in lens.HOLDS}
    words = [f"{field}={value}" for field, value in request.given.items()]
    lost = unheld(kind, request.given, held)
    shared = _shared(call, kind, request, saved)
    return Result(data, (*found, *lost, *shared, *_no_record(request), *warned(words, saved.path)))


def _known(saved: Saved) -> Iterator[Finding]:
    """What was wrong before this save is told, and does not fail it."""
    for one in saved.findings:
        yield one._replace(level="warning") if one.level == "error" else one


def _shared(call: Call, kind: str, request: SaveRequest, saved: Saved) -> Iterator[Finding]:
    """A person's words replace steps that a session may be at this very moment."""
    if request.who is not None or kind != FORMAT:
        return
    from leftoff.world.bindings import holder  # a session binds itself, and has its own thread

    other = holder(call.store, saved.checkpoint.id, None, call.now, call.settings.limits)
    if other:
        text = f"the live session {other} is working on this thread"
        fix = f"to save work of your own, first run {NEW_THREAD}"
        yield Finding("shared-thread", "warning", saved.path, text, fix)


def _no_record(request: SaveRequest) -> Iterator[Finding]:
    if request.who is None:
        text = (
            "not called from a session, so nothing waits for the next one; resume the save by name"
        )
        yield Finding("no-session", "info", "", text)


def _count_drafted(c: Checkpoint) -> int:
    lists = (getattr(c, field) for field in RULES)
    items = (item for each in lists if isinstance(each, tuple) for item in each)
    return sum(1 for item in items if item.attrs.get(DRAFT))
