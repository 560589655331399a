"""Ask an address once which version of a program runs there. Nothing is sent."""

from __future__ import annotations

from leftoff.errors import Unreachable
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from http.client import HTTPMessage
    from typing import IO, Any
    from urllib.request import OpenerDirector, Request

TIMEOUT = 8.0
LARGEST = 64 * 1024
_LONGEST_FIELD = 200
FIELDS = ("version", "commit", "sha")


def versions(url: str) -> tuple[str, ...]:
    """What the JSON at an address says of itself under `version`, `commit` or `sha`."""
    from json import loads

    try:
        said = loads(_get(url))
    except (ValueError, RecursionError):
        raise Unreachable("the answer is not JSON", where=url) from None
    found = [said.get(name) for name in FIELDS] if isinstance(said, dict) else []
    texts = tuple(text[:_LONGEST_FIELD] for text in found if isinstance(text, str) and text)
    if not texts:
        raise Unreachable(f"the answer has no {', '.join(FIELDS)}", where=url)
    return texts


def _get(url: str) -> bytes:
    from http.client import HTTPException
    from urllib.error import HTTPError, URLError

    if not url.startswith(("http://", "https://")):
        raise Unreachable("only http and https addresses are asked", where=url)
    try:
        with _opener().open(url, timeout=TIMEOUT) as answer:
            data = capped(answer, LARGEST, TIMEOUT)
    except HTTPError as error:
        error.close()
        raise Unreachable(f"the answer is {error.code} {error.reason}", where=url) from None
    except (URLError, HTTPException, OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise Unreachable(f"no answer: {reason}", where=url) from None
    if len(data) > LARGEST:
        raise Unreachable(f"the answer is larger than {LARGEST >> 10} KB", where=url)
    return data


def capped(answer: IO[bytes], largest: int, patience: float) -> bytes:
    """Up to the limit and one byte more; a server that drips is given up like a silent one."""
    from time import monotonic

    parts, size, deadline = [], 0, monotonic() + patience
    while size <= largest and (part := getattr(answer, "read1", answer.read)(65536)):
        parts.append(part)
        size += len(part)
        if monotonic() > deadline:
            raise TimeoutError("timed out")
    return b"".join(parts)


def _opener() -> OpenerDirector:
    """It stays with the host it was sent to: elsewhere is not what the settings named."""
    from urllib.parse import urlsplit
    from urllib.request import HTTPRedirectHandler, build_opener

    class SameHost(HTTPRedirectHandler):
        def redirect_request(  # noqa: PLR0913, PLR0917  # urllib's own signature
            self,
            req: Request,
            fp: IO[bytes],
            code: int,
            msg: str,
            headers: HTTPMessage,
            newurl: str,
        ) -> Any:
            old, new = urlsplit(req.full_url), urlsplit(newurl)
            if old.hostname != new.hostname or new.scheme not in {old.scheme, "https"}:
                fp.close()
                raise OSError(f"it leads to another host, {new.netloc}")
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    opener = build_opener(SameHost)
    opener.addheaders = [("User-Agent", "leftoff"), ("Accept", "application/json")]
    return opener
