"""session export: the sessions of this project as seed D's registry; one as a conversation."""

from __future__ import annotations

from leftoff.commands import _sessions
from leftoff.core.blocks import Block, Line, Raw
from leftoff.core.redact import redacted
from leftoff.core.registry import LISTS, PATH, objects, onto, registry
from leftoff.core.result import Result
from leftoff.errors import FormatError, NotFound, Usage
from leftoff.formats._json_schema import fitted
from leftoff.formats._json_text import dumps, loads, rewrite
from leftoff.formats._registry_schema import REGISTRY
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Call, Say
    from leftoff.core.model import Json
    from leftoff.core.session import Session


def run(call: Call) -> Result:
    """Print it; with --write bring the one that is there up to date. An ID is a conversation."""
    if call.args.id is not None:
        return _conversation(call)
    if call.args.format or call.args.out or _is_part(call):
        text = "--format, --out, --from, --limit and --line are about one session"
        raise Usage(text, hint="name its ID")
    known = _sessions.gather(call, curves=False)
    whole = _document(redacted(registry(known, call.now, call.settings.limits, _name)))
    if call.args.write:
        return _written(call, whole, known)
    return Result({"registry": whole, "written": False}, _sessions.findings(known))


def _is_part(call: Call) -> bool:
    return bool(call.args.start or call.args.limit or call.args.line)


def _conversation(call: Call) -> Result:
    from leftoff.commands import _session_conversation, _session_turns

    if _is_part(call):
        return _session_turns.run(call)
    if call.args.write:
        raise Usage("--write is about the registry", hint="--out FILE writes a conversation")
    return _session_conversation.run(call)


def _written(call: Call, whole: dict[str, Json], known: list[Session]) -> Result:
    if not call.store.exists(PATH):
        raise NotFound(f"there is no {PATH}", hint="without --write it is printed", where=PATH)
    limits = call.settings.limits

    def edit(old: str) -> str:
        read: Any = loads(old)
        if not isinstance(read, dict):
            raise FormatError("it is not a JSON object", where=PATH)
        return rewrite(old, onto(read, whole, call.now, limits))

    before = call.store.raw(PATH)
    after = edit(before)
    if _drops(loads(before), after):
        call.store.keep_copy(PATH, call.now)
    document = call.store.change(PATH, edit)
    data: dict[str, Json] = {"registry": whole, "written": True, "path": document.path}
    return Result(data, (*_sessions.findings(known), *document.findings))


def _document(value: dict[str, Json]) -> dict[str, Json]:
    """What the schema can carry; a word that it does not know is kept beside the nearest one."""
    made = fitted(value, REGISTRY)
    assert isinstance(made, dict)
    return made


def _name(one: Session) -> str:
    of = REGISTRY.fields["activeSessions"].of
    assert of is not None
    made = fitted(one.id, of.fields["sessionId"])
    assert isinstance(made, str)
    return made


def _drops(old: Any, text: str) -> bool:
    """Whether an entry of the old registry is in the new one no more."""
    new: Any = loads(text)
    return not _ids(old) <= _ids(new)


def _ids(whole: Any) -> set[str]:
    listed = (objects(whole.get(name)) for name in LISTS)
    return {str(one.get("sessionId")) for many in listed for one in many}


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The document itself, so that it can go into a file; or where it was written."""
    if "turns" in data:
        from leftoff.commands import _session_turns

        yield from _session_turns.view(data, say)
    elif "registry" not in data:
        from leftoff.commands import _session_conversation

        yield from _session_conversation.view(data, say)
    elif data["written"]:
        yield Line("✓ " + say("updated {path}", path=data["path"]), "good")
    else:
        yield Raw(dumps(data["registry"]))
