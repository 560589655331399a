"""What the page may change with --write: an action done, a decision answered, what is current.

Each is a form of ours that posts to `/do/NAME`, runs one ordinary command, and goes back.
"""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.responses import RedirectResponse
from starlette.routing import Route

from leftoff.core.ids import is_name
from leftoff.entry.web.guard import form_fits, local
from leftoff.errors import LeftoffError, Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from starlette.requests import Request
    from starlette.responses import Response

    from leftoff.entry.web.app import Pages
    from leftoff.entry.web.scene import Scene

LARGEST = 64 << 10
"""Bytes of a form."""


def done(form: Mapping[str, str]) -> list[str]:
    """Complete a next action; the last one is asked about, and the answer comes with the form.

    It goes by its text, not by its number: the list may have changed since the page was made.
    """
    more = ["--complete"] if form.get("complete") else []
    more += [f"--next={form['next']}"] if form.get("next", "").strip() else []
    return ["done", *more, "--", form["name"], form["n"]]


def current(form: Mapping[str, str]) -> list[str]:
    """Make a checkpoint the one that is worked on."""
    if form.get("kind") == "thread":
        return ["thread", "switch", "--", form["name"]]
    return ["current", "--", form["name"]]


def decide(form: Mapping[str, str]) -> list[str]:
    """The answer to what waits for a person: kept as a decision, and the blocker is resolved."""
    decisions = DECISIONS.get(form["kind"], "")
    if not decisions or not form["text"].strip() or not is_name(form["id"]):
        raise Usage("there is nothing to decide with this", hint="write your decision")
    said = f"{form['question'].strip()} {form['text'].strip()}"
    words = [f"--blockers.{form['id']}.status=resolved", f"--{decisions}+={said}"]
    words += ["--status=in_progress"] if form.get("last") and form["kind"] == "skill" else []
    return ["update", *words, "--", form["name"]]


DECISIONS = {"skill": "context_primer.key_decisions", "thread": "decisions"}
"""Where a format keeps what was decided."""
ACTIONS: dict[str, Callable[[Mapping[str, str]], list[str]]] = {
    "done": done,
    "current": current,
    "answer": decide,
}


def routes(pages: Pages) -> list[Route]:
    """One route for each, where the server may write."""
    if not pages.site.write:
        return []
    return [Route(f"/do/{name}", _endpoint(pages, name), methods=["POST"]) for name in ACTIONS]


def _endpoint(pages: Pages, name: str) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        sent = await _sent(request)
        return await pages.alone(_do, pages, request, name, sent)

    return endpoint


async def _sent(request: Request) -> bytes:
    """The form; of one that is too long no more is kept than shows that."""
    data = b""
    async for part in request.stream():
        if len(data) <= LARGEST:
            data += part
    return data


def _do(pages: Pages, request: Request, name: str, sent: bytes) -> Response:
    try:
        form = _form(pages, sent)
        scene = pages.scene(request)
        told = scene.answer(*_words(name, form))
    except LeftoffError as error:
        return pages.failed(request, error)
    finally:
        pages.site.forget()
    if told["ask"]:
        return _asked(pages, scene, name, form, told["ask"])
    return RedirectResponse(local(form.get("back", "/")), 303)


def _form(pages: Pages, sent: bytes) -> dict[str, str]:
    if len(sent) > LARGEST:
        raise Usage("the form is too long", hint="write a shorter text")
    form = dict(parse_qsl(sent.decode("utf-8", "replace"), keep_blank_values=True))
    if not form_fits(pages.site, form.get("form", "")):
        raise Usage("this form is not from this page", hint="open the page again and repeat it")
    return form


def _words(name: str, form: Mapping[str, str]) -> list[str]:
    try:
        return ACTIONS[name](form)
    except KeyError as missing:
        text = f"the form lacks {missing.args[0]}"
        raise Usage(text, hint="open the page again and repeat it") from None


def _asked(pages: Pages, scene: Scene, name: str, form: Mapping[str, str], ask: Any) -> Response:
    facts = {"title": "One more question", "ask": ask, "action": name, "given": form}
    return pages.render(scene, "ask.html", facts)
