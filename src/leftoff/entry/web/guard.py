"""Who may come in: this machine's own browser, with the token, under our own name.

A page of another site can make the browser call a loopback port, even under a name of its own
(DNS rebinding). So the Host must be ours, an Origin must be ours, the cookie is never sent from
another site, and no answer may be read, framed or kept by anybody else. See docs/web.md.
"""

from __future__ import annotations

from hashlib import sha256
from hmac import compare_digest
from hmac import new as hmac
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from leftoff.entry.loopback import HOST
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from leftoff.entry.web.scene import Site

    Refuse = Callable[[Scope], Response]

# A page that sends no referrer at all sends `Origin: null` with its own forms; ours tells itself.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
OPEN = "/static/"
"""What needs no token: it is the same for everybody, and the page that refuses needs it."""
READING = ("GET", "HEAD")


class Guard:
    """Around the whole application: refuses before anything is computed."""

    def __init__(self, app: ASGIApp, site: Site, refuse: Refuse) -> None:
        """`refuse` makes the page for those who come without the token."""
        self._app, self._site, self._refuse = app, site, refuse
        names = [f"{host}:{site.port}" for host in (HOST, "localhost")]
        self._hosts = frozenset(names)
        self._origins = frozenset(f"http://{name}" for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or let the application answer; every answer gets the headers."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        inner = self._verdict(scope) or self._app
        await inner(scope, receive, _with_headers(send))

    def _verdict(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if headers.get("host", "") not in self._hosts:
            return PlainTextResponse("This server answers to its own name only.\n", 400)
        origin = headers.get("origin")
        if origin is not None and origin not in self._origins:
            return PlainTextResponse("Another site may not call this server.\n", 403)
        if scope["method"] not in READING and not (self._site.write and scope["method"] == "POST"):
            return PlainTextResponse(
                "This page only reads; leftoff web --write allows more.\n",
                405,
                headers={"Allow": ", ".join(READING)},
            )
        if scope["path"].startswith(OPEN):
            return None
        return self._known(scope, headers)

    def _known(self, scope: Scope, headers: Headers) -> Response | None:
        """None for who has the cookie; the token in the address is exchanged for it."""
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(query).get("token", "")
        if given and _equal(given, self._site.token) and scope["method"] in READING:
            rest = urlencode([pair for pair in query if pair[0] != "token"])
            return self._welcome(scope["path"] + (f"?{rest}" if rest else ""))
        # Other servers of this machine put cookies of any shape beside ours: each is read alone.
        cookie = cookie_parser(headers.get("cookie", "")).get(cookie_name(self._site.port), "")
        if _equal(cookie, secret(self._site, "cookie")):
            return None
        return self._refuse(scope)

    def _welcome(self, path: str) -> Response:
        answer = RedirectResponse(local(path), 303)
        answer.set_cookie(
            cookie_name(self._site.port),
            secret(self._site, "cookie"),
            httponly=True,
            samesite="strict",
            path="/",
        )
        return answer


def cookie_name(port: int) -> str:
    """Cookies do not know ports: two servers of one machine must not take each other's."""
    return f"leftoff_{port}"


def local(path: str) -> str:
    """An address to go on to, if it is one of ours; else that of the first page."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) else "/"


def secret(site: Site, purpose: str) -> str:
    """What follows from the token, and from which the token does not."""
    return hmac(site.token.encode(), purpose.encode(), sha256).hexdigest()


def form_fits(site: Site, given: str) -> bool:
    """Whether a form was one of ours."""
    return _equal(given, secret(site, "form"))


def _equal(one: str, other: str) -> bool:
    return compare_digest(one.encode("utf-8", "replace"), other.encode())


def _with_headers(send: Send) -> Send:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return sender
