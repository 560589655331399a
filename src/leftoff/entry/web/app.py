"""The application: routes from the pages there are, commands one by one, errors as pages."""

from __future__ import annotations

import os

from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from leftoff.commands import plainly
from leftoff.entry.calls import error_body
from leftoff.entry.lang import say_in
from leftoff.entry.web import actions, live
from leftoff.entry.web.guard import HEADERS, OPEN, Guard, local, secret
from leftoff.entry.web.pages import every_page, menu
from leftoff.entry.web.render import STATIC, Room, environment, telling
from leftoff.entry.web.scene import IN, Scene
from leftoff.errors import LeftoffError, NotFound
from leftoff.record import TYPE_CHECKING
from leftoff.world.inotify import Notices
from leftoff.world.page_changes import Watch
from leftoff.world.server_cache import ServerCache
from leftoff.world.server_documents import ServerDocuments
from leftoff.world.server_sessions import ServerSessions
from leftoff.world.state import state_dir

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import Scope

    from leftoff.commands import Say
    from leftoff.entry.web.pages import Page
    from leftoff.entry.web.scene import Site

    T = TypeVar("T")

THEMES = ("auto", "light", "dark")
STRANGER = "token"
"""The kind of error that who has no token gets, on a page that tells nothing else."""
CODES = {"usage": 400, "not-found": 404, "ambiguous": 409, "conflict": 409, "busy": 503}


class Pages:
    """Renders; one command at a time, since commands were written for processes of their own."""

    def __init__(self, site: Site) -> None:
        """Everything that requests share."""
        self.site = site
        self._jinja = environment()
        self._one = CapacityLimiter(1)

    def serve(self, page: Page) -> Callable[[Request], Any]:
        """The endpoint of a page."""

        async def endpoint(request: Request) -> Response:
            return await self.alone(self._page, page, request)

        return endpoint

    async def alone(self, call: Callable[..., T], *given: Any) -> T:
        """Run something that asks commands."""
        return await to_thread.run_sync(call, *given, limiter=self._one)

    def _page(self, page: Page, request: Request) -> Response:
        self.site.turn()
        try:
            scene = self.scene(request)
            facts = page.facts(scene)
        except LeftoffError as error:
            return self.failed(request, error)
        return self.render(scene, page.TEMPLATE, {"page": page, "title": page.TITLE, **facts})

    def scene(self, request: Request) -> Scene:
        """The request as pages see it; a project that no answer named is refused."""
        language, say = self._language(request)
        site, root = self.site, request.query_params.get(IN, "") or self.site.root
        if root != site.root and root not in site.known:
            told: Any = site.result(("status", "--everywhere"), site.root, plainly).data
            site.learn(row["root"] for row in told["projects"])
            if root not in site.known or not os.path.isdir(root):
                raise NotFound(f"no project {root} is known here", hint="see the list of projects")
        path = {key: str(value) for key, value in request.path_params.items()}
        return _scene(request, site, root, say, language)._replace(path=path)

    def render(
        self, scene: Scene, template: str, facts: dict[str, Any], code: int = 200
    ) -> Response:
        """A page with what the base template needs."""
        given = {"crumb": None, "page": None, "known": True, **facts}
        text = self._jinja.get_template(template).render(
            scene=scene,
            say=telling(scene.say, scene.by),
            room=Room(),
            menu=menu(),
            form=secret(self.site, "form") if self.site.write else "",
            searchable=any(page.ROUTE == "/search" for page in every_page()),
            **given,
        )
        return HTMLResponse(text.encode("utf-8", "replace"), code)

    def failed(self, request: Request, error: LeftoffError, code: int = 0) -> Response:
        """The page for an error: what happened, and what to do."""
        language, say = self._language(request)
        scene = _scene(request, self.site, self.site.root, say, language)
        told = error_body(error, say)
        facts = {"title": "That did not work", "error": told, "known": error.kind != STRANGER}
        return self.render(scene, "error.html", facts, code or CODES.get(error.kind, 500))

    def _language(self, request: Request) -> tuple[str, Say]:
        asked = self.site.language or _accepted(request.headers.get("accept-language", ""))
        say = say_in(asked, self.site.env)
        return ("en" if say is plainly else "zh-CN"), say


def _scene(request: Request, site: Site, root: str, say: Say, language: str) -> Scene:
    query, theme = request.url.query, request.cookies.get("leftoff_theme", "")
    return Scene(
        site,
        root,
        say,
        language,
        {},
        dict(request.query_params),
        request.url.path + (f"?{query}" if query else ""),
        theme if theme in THEMES else THEMES[0],
        site.redactor(root),
    )


def _accepted(header: str) -> str:
    """The first language of the browser's list that there is; empty leaves it to the machine."""
    for part in header.lower().split(","):
        word = part.split(";")[0].strip()[:2]
        if word in {"en", "zh"}:
            return word
    return ""


def build(site: Site, stopping: Callable[[], bool] = lambda: False) -> Starlette:
    """The application of one server; `stopping` ends what would last for ever."""
    state = state_dir(site.env)
    notices = Notices()
    watch, server_sessions = (
        Watch(site.root, state),
        ServerSessions(state, site.env, notices=notices),
    )
    server_documents = ServerDocuments(notices=notices)
    keep = ServerCache(
        lambda: hash((watch.left(), server_sessions.look().mark, server_documents.mark))
    )
    site = site._replace(
        known=set(),
        keep=keep,
        server_documents=server_documents,
        server_sessions=server_sessions,
        notices=notices,
    )
    pages = Pages(site)

    def refused(scope: Scope) -> Response:
        from starlette.requests import Request

        error = LeftoffError(
            "this address needs the token of the running server",
            hint='open the address that "leftoff web" printed, or run "leftoff web --open"',
        )
        error.kind = STRANGER
        return pages.failed(Request(scope), error, 403)

    return Starlette(
        routes=[
            *(Route(page.ROUTE, pages.serve(page), methods=["GET"]) for page in every_page()),
            *actions.routes(pages),
            Route("/live", live.endpoint(pages, stopping), methods=["GET"]),
            Route("/theme", _theme, methods=["GET"]),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, site=site, refuse=refused)],
        exception_handlers={HTTPException: _missing(pages), Exception: _bug(pages)},
    )


def _missing(pages: Pages) -> Callable[[Request, Exception], Response]:
    def handler(request: Request, error: Exception) -> Response:
        code = getattr(error, "status_code", 404)
        if request.url.path.startswith(OPEN):  # no token was asked for: nothing of ours is told
            return PlainTextResponse("There is no such file.\n", code)
        text = f"there is no page {request.url.path}"
        told = NotFound(text, hint="the menu above leads to every page")
        return pages.failed(request, told, code)

    return handler


def _bug(pages: Pages) -> Callable[[Request, Exception], Response]:
    def handler(request: Request, bug: Exception) -> Response:
        from leftoff.entry.crash import write_log  # only when something broke

        hint = f"please report this with the log {write_log(bug, pages.site.env, ['web'])}"
        error = LeftoffError(f"leftoff failed: {type(bug).__name__}: {bug}", hint=hint)
        answer = pages.failed(request, error, 500)
        answer.headers.update(HEADERS)  # it does not come by the guard, which adds them
        return answer

    return handler


async def _theme(request: Request) -> Response:
    """Keep the choice of light or dark; it works without a script."""
    to, back = request.query_params.get("to", ""), request.query_params.get("back", "/")
    if to not in THEMES:
        raise HTTPException(404)
    answer = RedirectResponse(local(back), 303)
    answer.set_cookie("leftoff_theme", to, max_age=31536000, httponly=True, samesite="strict")
    return answer
