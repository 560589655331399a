"""Checkpoints and threads as resources: listed in pages, read as they are now.

A document is a stranger's text: it stands between leftoff's marks, as in a brief.
"""

from __future__ import annotations

import json
from urllib.parse import quote, unquote

from leftoff.core.fence import fenced, harmless, unfenced
from leftoff.core.redact import redact
from leftoff.core.thread import FORMAT
from leftoff.entry.calls import body
from leftoff.entry.mcp import paging
from leftoff.entry.mcp.answers import Asked, Seat, caller_env, clean, redactor, run, spoken
from leftoff.errors import NotFound
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

CHECKPOINT, THREAD = KINDS = ("checkpoint", "thread")
SCHEME = "leftoff://"
TEMPLATES = (
    (f"{SCHEME}checkpoint/{{name}}", "A checkpoint, as it is on disk"),
    (f"{SCHEME}thread/{{name}}", "A thread: its settings, sessions and how its run stands"),
)
PAGE, WHOLE = 50, 1 << 30
"""Resources in a list: so many, whatever the size of what they stand for."""
LONGEST = 100_000
"""Bytes of a document that are sent."""


def listed(seat: Seat, cursor: str = "") -> tuple[list[dict[str, Any]], str]:
    """A page of what there is, and the cursor for the next."""
    at = paging.start("resources", {}, cursor)
    result = run(_asked(seat, "list"), seat)
    documents: Any = result.data["documents"]
    part = paging.page(documents, ("path",), at, paging.Room(WHOLE, PAGE))
    by = redactor(seat.cwd, seat.env)
    return [one for document in part.items for one in clean(_entries(document), by)], part.next


def _entries(document: dict[str, Any]) -> list[dict[str, Any]]:
    """A checkpoint; a thread is a resource of its own beside it."""
    name = f"{document['format']}:{document['id']}"
    about = document.get("summary") or document.get("intent") or document["path"]
    entry = {"name": document["id"], "description": str(about)[:200], "mimeType": "text/plain"}
    found = [{"uri": f"{SCHEME}{CHECKPOINT}/{quote(name, safe=':')}", **entry}]
    if document["format"] == FORMAT:
        uri = f"{SCHEME}{THREAD}/{quote(document['id'], safe='')}"
        found.append({"uri": uri, **entry, "mimeType": "application/json"})
    return found


def read(seat: Seat, uri: str) -> list[dict[str, Any]]:
    """What a resource says; NotFound for what is none of ours."""
    kind, slash, name = uri.removeprefix(SCHEME).partition("/")
    if not uri.startswith(SCHEME) or kind not in KINDS or not slash:
        raise NotFound(f'there is no resource "{uri[:80]}"', hint="list the resources")
    wanted = unquote(name)
    return _checkpoint(seat, uri, wanted) if kind == CHECKPOINT else _thread(seat, uri, wanted)


def _checkpoint(seat: Seat, uri: str, name: str) -> list[dict[str, Any]]:
    documents: Any = run(_asked(seat, "show", "--", name), seat).data["documents"]
    by = redactor(seat.cwd, seat.env)
    return [
        {
            "uri": uri,
            "mimeType": "text/plain",
            "text": paging.shortened(
                fenced(one["path"], harmless(redact(one["text"], by))), LONGEST
            ),
        }
        for one in documents
    ]


def _thread(seat: Seat, uri: str, name: str) -> list[dict[str, Any]]:
    asked = _asked(seat, "thread", "--", "status", name)
    told = clean(body(run(asked, seat), asked.say), redactor(seat.cwd, seat.env))
    text = unfenced(json.dumps(paging.fitting(told, asked.say), ensure_ascii=False, indent=2))
    return [{"uri": uri, "mimeType": "application/json", "text": text}]


def _asked(seat: Seat, *line: str) -> Asked:
    env = caller_env(seat)
    now = [f"--now={seat.now}"] * bool(seat.now)
    return Asked([line[0], *now, *line[1:]], {}, seat.cwd, env, spoken(seat, env, seat.cwd))
