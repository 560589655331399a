"""One real Chromium for all tests of this folder; each test gets a profile of its own.

Playwright's loop lives in the thread of the tests as long as the browser does, so that it ends with
this folder: other tests of the same worker start loops of their own.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from support import clean_environment
from web import TOKEN, serving

ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PATIENCE = 60_000
"""Milliseconds that a page has on a machine that does much else."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of them in one worker, so that there is one browser."""
    for item in items:
        if "tests/browser/" in item.nodeid or item.nodeid.startswith("browser/"):
            item.add_marker(pytest.mark.xdist_group("browser"))


def chromium() -> str:
    """The system's browser; skips the test where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), "")
    if not found:
        pytest.skip("browser absent")
    return found


@pytest.fixture(scope="package")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Chromium without a window, in a home of its own."""
    import os

    program = chromium()
    from playwright.sync_api import sync_playwright

    home = os.fspath(tmp_path_factory.mktemp("browser"))
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=program,
            args=[*ARGUMENTS],
            env=clean_environment(os.environ, home),
            timeout=PATIENCE,
        )
        yield opened
        opened.close()


class Visit:
    """A page of the browser, and what it did that nobody should see."""

    def __init__(self, page: Any, address: str) -> None:
        self.page, self.address = page, address
        self.complaints: list[str] = []
        self.foreign: list[str] = []
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._asked)

    def _heard(self, message: Any) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(message.text)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith(self.address):
            self.foreign.append(request.url)

    def go(self, path: str = "/") -> Any:
        """Open a page of ours; the token is shown first where it was not yet."""
        sep = "&" if "?" in path else "?"
        first = not self.page.context.cookies()
        self.page.goto(f"{self.address}{path}{f'{sep}token={TOKEN}' if first else ''}")
        return self.page


@pytest.fixture
def visit(browser: Any) -> Iterator[Callable[..., Visit]]:
    """`visit(root, write=True, lang="zh")` starts a server and a browser that may come in.

    What the browser complains of, and any request to others, fails the test at its end.
    """
    closing: list[Callable[[], object]] = []
    visits: list[Visit] = []

    def start(root: str, *, site: dict[str, object] | None = None, **profile: Any) -> Visit:
        running = serving(root, **(site or {}))
        address = running.__enter__()
        closing.append(lambda: running.__exit__(None, None, None))
        context = browser.new_context(viewport={"width": 1280, "height": 800}, **profile)
        closing.append(context.close)
        context.set_default_timeout(PATIENCE)
        visits.append(Visit(context.new_page(), address))
        return visits[-1]

    yield start
    for close in reversed(closing):
        close()
    for one in visits:
        assert not one.complaints
        assert not one.foreign
