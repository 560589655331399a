"""The draft of a session as a document of the repository, where somebody asks for that."""

from __future__ import annotations

from leftoff.commands import Call, _new_document, _threads
from leftoff.commands._editing import edit
from leftoff.core import draft
from leftoff.core.choose import RECOVERED
from leftoff.core.ids import slug
from leftoff.core.model import Checkpoint, Finding
from leftoff.core.thread import FORMAT, document
from leftoff.core.when import stamp
from leftoff.errors import LeftoffError
from leftoff.formats import named
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from leftoff.commands._recover_save import Recovered

    Written = tuple[str, tuple[Finding, ...]]


def into_thread(call: Call, found: Recovered, name: str) -> Written:
    """On top of what a thread says; a thread of that name begins where there is none."""
    made = draft.in_full(found.seen)
    thread = _thread(call, name) or _threads.begin(call, name or made.name, current=False)
    done = edit(
        call.store,
        document(thread),
        lambda before: draft.laid_over(before, made),
        stamp(call.now),
    )
    return done.path, done.findings


def _thread(call: Call, name: str) -> str:
    """The id of the thread that goes by a name or an id; "" for none."""
    if not name:
        return ""
    glances = [one.glance for one in call.store.streams() if one.glance.format == FORMAT]
    return next((one.id for one in glances if name in {one.id, one.name}), "")


def create(call: Call, found: Recovered, kind: str) -> Written:
    """A new document; one that is there is never written over."""
    made = draft.in_full(found.seen, has_intent="intent" in named(kind).HOLDS)
    now = stamp(call.now)
    born = Checkpoint(_free(call, kind, slug(made.name, found.session.id)), name=made.name)
    born = draft.laid_over(born._replace(created=now), made)
    if kind == "task":
        born = draft.as_task(born._replace(name=born.id), found.seen, draft.RECOVERED)
    else:
        born = _whole(born, found, kind)
        born = _new_document.prepared(call, kind, born, "recovered")
    texts = _new_document.texts_of(kind, born)
    findings = _new_document.create(call, texts)
    return next(iter(texts)), findings


def _whole(born: Checkpoint, found: Recovered, kind: str) -> Checkpoint:
    """With all that a format has a place for, in one of its places."""
    without = [field for field in ("blockers", "questions") if field not in named(kind).HOLDS]
    born = born._replace(history=draft.history(found.seen))
    return draft.in_one_list(born, without) if without else born


def _free(call: Call, kind: str, name: str) -> str:
    """The name, with a number after it where a document has it already."""
    day = stamp(call.now)
    for number in range(1, 1000):
        tried = name if number == 1 else f"{name}-{number}"
        whole = f"{day[:10]}-{tried}{RECOVERED}" if kind == "task" else tried
        born = Checkpoint(whole, created=day)
        if not _new_document.taken_by(call, kind, born):
            return tried
    raise LeftoffError("there are too many documents of this name", where=name)
