"""Whatever stands in an address of the page: it is answered or refused, never a bug, never a leak."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hostile.every import EVIL, INJECTION, project
from leftoff.entry.web.pages import every_page
from projects import NOW, put
from web import serving, visitor

NAMES = (
    *("q", "kind", "agent", "since", "where", "state", "which", "page", "from", "line"),
    *("by", "in", "to", "back", "token"),
)
OUTSIDE = "kept where no page leads"
VALUES = st.one_of(
    st.sampled_from(
        (
            *(
                EVIL,
                INJECTION,
                "",
                "-",
                "--help",
                "--json",
                "*",
                '"',
                "NEAR(a b)",
                "a OR",
                "9" * 40,
            ),
            *(
                "-1",
                "../../outside.txt",
                "/etc/passwd",
                "%2e%2e/",
                "oc-demo",
                "claude-code",
                "x" * 5000,
            ),
            *(
                "<script>alert(1)</script>",
                "'; DROP TABLE sources; --",
                "\ud800",
                "2026-13-45",
                "1e999",
            ),
        )
    ),
    st.text(max_size=40),
)
FINE = {200, 303, 307, 400, 404, 409}
few = settings(max_examples=settings().max_examples // 8)


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("queries")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("HOME", folder / "home"), ("LEFTOFF_STATE", folder / "home/state")):
            patch.setenv(name, str(value))
        root = project(folder / "work")
        put(str(folder), "outside.txt", OUTSIDE)
        with serving(root, now=NOW) as address, visitor(address) as known:
            yield known


@few
@given(data=st.data())
@pytest.mark.parametrize("route", [page.ROUTE for page in every_page()])
def test_no_query_and_no_path_breaks_a_page_or_leads_out_of_the_project(client, route, data):
    path = re.sub(r"\{[^}]*\}", lambda _: _quoted(data.draw(VALUES)) or "x", route)
    query = data.draw(st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=4))
    asked = "&".join(f"{name}={_quoted(value)}" for name, value in query.items())
    answer = client.get(f"{path}?{asked}")
    assert answer.status_code in FINE, (path, query, answer.text[-500:])
    assert answer.next_request is None or answer.next_request.url.host == client.base_url.host
    assert OUTSIDE not in answer.text
    assert "<script>alert" not in answer.text
    assert "\x1b" not in answer.text


def _quoted(text: str) -> str:
    return quote(text.encode("utf-8", "surrogatepass"), safe="")
