"""The line to a hub of Hapi: one address, one login a run, and every failure as one kind of error.

It goes to the address that the environment or Hapi's own settings name, past proxies, and follows
no redirect. Of the token and the login nothing is ever shown, whatever the other side answers.
"""

from __future__ import annotations

import os

from leftoff.agents._payload import count, inner, text
from leftoff.core.fast_json import dumps, loads
from leftoff.core.quote import quoted
from leftoff.errors import HapiError, LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import bytes_or_none
from leftoff.world.health_check import capped

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any
    from urllib.request import OpenerDirector

TIMEOUT, SLOW = 20.0, 90.0
"""Seconds for an answer of the hub itself, and for one that it has to get from a machine."""
LARGEST = 64 << 20
PORT = 3006
HINT = "look at the hub, then run it again"
_LONGEST = 200
_UNAUTHORIZED, _GONE, _CONFLICT = 401, 404, 409
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class Gone(HapiError):
    """The hub has no such session, machine or message."""

    retryable = False


class Inactive(HapiError):
    """The session has no client at work that could take a message."""


class Dropped(HapiError):
    """No answer came: what was asked for may have been done or not."""


class _Answer(Record):
    status: int
    body: Any


def settings(env: Mapping[str, str]) -> dict[str, Any]:
    """What Hapi itself keeps on this machine; nothing where that cannot be read."""
    home = env.get("HAPI_HOME") or os.path.join(env.get("HOME", ""), ".hapi")
    try:
        known = loads((bytes_or_none(os.path.join(home, "settings.json")) or b"").decode())
    except (LeftoffError, ValueError):
        return {}
    return inner({"it": known}, "it")


def local_machine(env: Mapping[str, str]) -> str:
    """The id that this machine has in Hapi."""
    return text(settings(env), "machineId")


class Wire:
    """Asks the hub, logged in."""

    def __init__(self, url: str, token: str) -> None:
        self._url, self._token = url.rstrip("/"), token
        self._login, self._renewed = "", False
        self._opener = _opener()

    def ask(
        self, method: str, path: str, body: Any = None, *, patience: float = TIMEOUT
    ) -> dict[str, Any]:
        """The object that the hub answers; HapiError for everything else."""
        if not self._login:
            self._log_in()
        answer = self._request(method, path, body, patience)
        if answer.status == _UNAUTHORIZED and not self._renewed:
            self._renewed = True  # a login lasts for hours: twice in one run is no lapse
            self._log_in()
            answer = self._request(method, path, body, patience)
        return self._judged(answer)

    def shown(self, said: str) -> str:
        """A text of the other side: one short line, without what only we may know."""
        secrets = (self._token, self._token.rpartition(":")[0], self._login)
        for secret in filter(None, secrets):
            said = said.replace(secret, "…")
        return quoted(said, _LONGEST)

    def _log_in(self) -> None:
        self._login = ""
        answer = self._request("POST", "/api/auth", {"accessToken": self._token}, TIMEOUT)
        if answer.status == _UNAUTHORIZED:
            hint = "CLI_API_TOKEN, or cliApiToken in Hapi's settings.json, has to be the hub's"
            raise HapiError("the hub does not accept the token", hint=hint, where=self._where)
        self._login = text(self._judged(answer), "token")
        if not self._login:
            raise HapiError("the hub gave no login", hint=HINT, where=self._where)

    def _judged(self, answer: _Answer) -> dict[str, Any]:
        body = inner({"it": answer.body}, "it")
        if answer.status // 100 == 2 and isinstance(answer.body, dict):
            return body
        said = self.shown(text(body, "error", "message") or f"{answer.status}")
        if answer.status == _GONE:
            raise Gone(f"the hub does not have it: {said}", hint=HINT, where=self._where)
        if answer.status == _CONFLICT and text(body, "code") == "session_inactive":
            raise Inactive("the session is not active", hint=HINT, where=self._where)
        raise HapiError(f"the hub answered {answer.status}: {said}", hint=HINT, where=self._where)

    def _request(self, method: str, path: str, body: Any, patience: float) -> _Answer:
        from http.client import HTTPException
        from urllib.error import HTTPError, URLError
        from urllib.request import Request

        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._login:
            headers["Authorization"] = f"Bearer {self._login}"
        data = None if body is None else dumps(body).encode()
        try:
            request = Request(self._url + path, data, headers, method=method)  # noqa: S310
            with self._opener.open(request, timeout=patience) as answer:
                return self._read(answer.status, answer, patience)
        except HTTPError as refused:
            with refused:
                return self._read(refused.code, refused, patience)
        except (URLError, HTTPException, OSError) as error:
            raise self._unheard(error) from None
        except ValueError:  # its words hold what could not be sent: perhaps the login
            raise HapiError(
                "the hub cannot be asked that way", hint=HINT, where=self._where
            ) from None

    def _read(self, status: int, answer: Any, patience: float) -> _Answer:
        from http.client import HTTPException

        try:
            data = capped(answer, LARGEST, patience)
        except (HTTPException, OSError) as error:
            raise self._unheard(error) from None
        if len(data) > LARGEST:
            text = f"the answer of the hub is larger than {LARGEST >> 20} MB"
            raise HapiError(text, hint=HINT, where=self._where)
        try:
            return _Answer(status, loads(data.decode("utf-8", "replace")))
        except ValueError:
            return _Answer(status, None)

    def _unheard(self, error: Exception) -> Dropped:
        reason = getattr(error, "reason", None) or error
        said = getattr(reason, "strerror", None) or type(reason).__name__
        hint = "check that the hub is running; HAPI_API_URL names its address"
        return Dropped(f"the hub does not answer: {said}", hint=hint, where=self._where)

    @property
    def _where(self) -> str:
        """The address without what a person may have put before the host."""
        from urllib.parse import urlsplit

        scheme, host = urlsplit(self._url)[:2]
        return f"{scheme}://{host.rpartition('@')[2]}"


def wire(env: Mapping[str, str]) -> Wire:
    """To the hub that the environment names, else to the one of this machine."""
    known = settings(env)
    token = env.get("CLI_API_TOKEN") or text(known, "cliApiToken")
    if not token:
        hint = "set CLI_API_TOKEN, or start the hub once: it keeps one in its settings.json"
        raise HapiError("there is no token for Hapi", hint=hint)
    return Wire(_address(env, known), token)


def _address(env: Mapping[str, str], known: dict[str, Any]) -> str:
    from urllib.parse import urlsplit

    url = env.get("HAPI_API_URL", "")
    if not url:
        # a hub that listens everywhere listens here too; anywhere else takes the variable
        host = text(known, "listenHost")
        host = host if host in _LOOPBACK else "127.0.0.1"
        host = f"[{host}]" if ":" in host else host
        return f"http://{host}:{count(known, 'listenPort') or PORT}"
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise HapiError("HAPI_API_URL is not an address", hint="write it as http://127.0.0.1:3006")
    return url


def _opener() -> OpenerDirector:
    """Past proxies and without redirects: the login goes to the one address and nowhere else."""
    from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener

    class Stay(HTTPRedirectHandler):
        def redirect_request(self, *_: Any) -> None:
            return None

    opener = build_opener(ProxyHandler({}), Stay)
    opener.addheaders = [("User-Agent", "leftoff")]
    return opener
