"""Live: one line to the browser whenever something changed; the page then fetches itself."""

from __future__ import annotations

from threading import Lock
from time import monotonic

import anyio
from starlette.responses import StreamingResponse

from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world.page_changes import Watch
from leftoff.world.state import state_dir

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from typing import Any

    from starlette.requests import Request
    from starlette.responses import Response

    from leftoff.entry.web.app import Pages
    from leftoff.entry.web.scene import Site

PACE = 1.0
"""Seconds between two looks, and the least between two lines."""
SIGN = 15
"""So many looks without a change, and a line shows that we are still there."""
SOON, MINUTE = 6, 60
"""So many looks after a change the page is made once more, since it may show what was kept for five
seconds; then once in so many, since ages grow and processes end although no file changes."""


class Pulse:
    """One look serves everybody who waits for the same project."""

    def __init__(self, root: str, site: Site) -> None:
        """The first look is made by whoever asks first; the site is told of a change."""
        self._watch, self._site = Watch(root, state_dir(site.env), site.notices), site
        self._at, self._seen, self._one = 0.0, 0, Lock()

    def now(self) -> int:
        """The last look, made anew when it is older than the pace; by one of all who wait."""
        with self._one:
            if monotonic() - self._at >= PACE * 0.9:
                before, self._seen = self._seen, self._watch.look()
                self._at = monotonic()
                if before != self._seen:
                    self._site.forget()
            return self._seen


def endpoint(pages: Pages, stopping: Callable[[], bool]) -> Callable[[Request], Any]:
    """`/live`: server-sent events."""
    pulses: dict[str, Pulse] = {}

    def pulse(request: Request) -> Pulse:
        root = pages.scene(request).root
        return pulses.setdefault(root, Pulse(root, pages.site))

    async def live(request: Request) -> Response:
        try:
            watched = await pages.alone(pulse, request)
        except LeftoffError as error:
            return pages.failed(request, error)
        return StreamingResponse(_lines(watched, stopping), media_type="text/event-stream")

    return live


async def _lines(pulse: Pulse, stopping: Callable[[], bool]) -> AsyncIterator[str]:
    seen = await anyio.to_thread.run_sync(pulse.now)
    yield "retry: 3000\nevent: ready\ndata: -\n\n"
    quiet = 0
    while not stopping():
        await anyio.sleep(PACE)
        now = await anyio.to_thread.run_sync(pulse.now)
        quiet = quiet + 1 if now == seen else 0
        if now != seen:
            seen = now
            yield "event: change\ndata: -\n\n"
        elif quiet == SOON or quiet % MINUTE == 0:
            yield "event: again\ndata: -\n\n"
        elif quiet % SIGN == SIGN - 1:
            yield ": still here\n\n"
