"""The frame around every page, in a real browser."""

from __future__ import annotations

from projects import put_all


def test_a_page_opens_and_the_token_leaves_the_address(root, visit):
    put_all(root)
    page = visit(root).go("/")
    assert page.title() == "Where you left off · leftoff"
    assert "token" not in page.url
    assert page.locator("h1").inner_text() == "Where you left off"
