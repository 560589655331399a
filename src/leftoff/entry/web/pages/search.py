"""Search: what was said, done and decided before, with the words that were looked for marked."""

from __future__ import annotations

from markupsafe import Markup, escape

from leftoff.core.search_hits import KINDS
from leftoff.entry.web.scene import ALL, HERE
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from leftoff.entry.web.scene import Scene

ROUTE = "/search"
TITLE = "Search"
TEMPLATE = "search.html"
KEY = ""
PLACE = 60

HITS, MOST = 20, 1000
LONGEST = 400
SINCE = ("1d", "7d", "30d", "365d")


def facts(scene: Scene) -> dict[str, Any]:
    """What `search` finds; a question that it does not take is told, with the form still there."""
    from leftoff import agents

    text = scene.query.get("q", "").strip()[:LONGEST]
    filters = {
        "kind": scene.chosen("kind", KINDS),
        "agent": scene.chosen("agent", agents.names()),
        "since": scene.chosen("since", SINCE),
        "where": scene.chosen("where", (HERE, ALL), HERE),
    }
    given: dict[str, Any] = {"text": text, "filters": filters, "kinds": KINDS, "spans": SINCE}
    given |= {"agents": agents.names(), "size": HITS, "hits": [], "total": 0}
    given |= {"findings": [], "error": None}
    if not text:
        return given
    try:
        said = scene.kept("search", *_words(scene, filters), "--", text)
    except LeftoffError as error:
        return {**given, "error": error}
    start = scene.start(HITS)
    hits = said["data"]["hits"][start : start + HITS]
    total = min(MOST, said["data"]["total"])
    found = {"hits": [_hit(scene, hit) for hit in hits], "total": total}
    return {**given, **found, "findings": said["findings"]}


def _words(scene: Scene, filters: dict[str, str]) -> list[str]:
    words = ["--limit", str(min(MOST, scene.page * HITS))]
    for name in ("kind", "agent", "since"):
        words += [f"--{name}", filters[name]] if filters[name] else []
    return [*words, "--everywhere"] if filters["where"] == ALL else words


def _hit(scene: Scene, hit: dict[str, Any]) -> dict[str, Any]:
    """With its words marked, and a link to where it stands, as far as there is a page."""
    link = ""
    if hit["session"]:
        link = scene.link(f"/session/{hit['agent']}/{hit['session']}", line=hit["line"])
        link += "#found" if hit["line"] else ""
    elif hit["thread"]:
        link = scene.link(f"/checkpoint/{hit['thread']}")
    return {**hit, "link": link, "marked": marked(scene, hit["snippet"], hit["marks"])}


def marked(scene: Scene, text: str, marks: Sequence[Sequence[int]]) -> Markup:
    """The text with what was found in <mark>; where cleaning changes it, without marks."""
    if scene.clean(text) != text:
        return escape(scene.clean(text))
    parts, at = [], 0
    for start, end in marks:
        if at <= start < end <= len(text):
            found = escape(text[start:end])
            parts += [escape(text[at:start]), Markup("<mark>{}</mark>").format(found)]
            at = end
    return Markup("").join([*parts, escape(text[at:])])
