"""The page follows what happens: at once by news, and by looking again where nothing tells."""

from __future__ import annotations

from itertools import count
from threading import Event, Thread

import pytest

from histories import HOUR, journal, started
from leftoff.entry.web import live
from leftoff.entry.web.live import MINUTE, SOON, Pulse
from leftoff.world import mounts, server_cache
from leftoff.world.inotify import Notices
from leftoff.world.server_cache import ServerCache
from leftoff.world.server_documents import ServerDocuments
from leftoff.world.server_sessions import ServerSessions
from projects import NOW, put, put_skill
from support import alone, repo
from web import serving, site, visitor


@pytest.fixture
def one_moment(monkeypatch):
    """All that a test does happens within the second for which a look is good enough."""
    ticks = count()
    for kind in (ServerCache, ServerDocuments, ServerSessions, Notices):
        own = (lambda: next(ticks) / 1e6, *kind.__init__.__defaults__[1:])
        monkeypatch.setattr(kind.__init__, "__defaults__", own)
    monkeypatch.setattr(server_cache, "TENTH", 0)  # however long an answer took


@pytest.mark.usefixtures("one_moment")
@pytest.mark.parametrize("path", ["/", "/tree", "/search?q=aardvark"])
def test_the_next_page_shows_what_was_saved_a_moment_ago(root, monkeypatch, path):
    monkeypatch.setattr(mounts, "tell_of_changes", lambda _: True)
    with serving(root, now=NOW) as address, visitor(address) as client:
        assert "oc-new" not in client.get(path).text
        put_skill(root, "oc-new", progress_summary="The word is aardvark")
        assert "oc-new" in client.get(path).text


@pytest.mark.usefixtures("one_moment")
def test_a_search_everywhere_knows_what_another_project_says_and_hides_now(
    root, tmp_path, monkeypatch
):
    monkeypatch.setattr(mounts, "tell_of_changes", lambda _: True)
    other = repo(tmp_path / "other")
    put_skill(other, "oc-other", progress_summary="The word is aardvark")
    journal(1, started(HOUR, other))

    def found(word):
        return client.get("/search", params={"q": word, "where": "all"}).text

    with serving(root, now=NOW) as address, visitor(address) as client:
        assert "<mark>aardvark</mark>" in found("aardvark")
        assert "<mark>aardvark</mark>" in found("aardvark ")
        put_skill(other, "oc-other", progress_summary="The word is bushbuck")
        assert "<mark>bushbuck</mark>" in found("bushbuck")
        assert "<mark>" not in found("aardvark")
        put(other, ".checkpoints/config.toml", '[redaction]\nwords = ["bushbuck"]\n')
        assert "bushbuck" not in found("word")


class Steady:
    """What is seen at each look, one after the other."""

    def __init__(self, *seen):
        self.left = [*seen]

    def now(self):
        return self.left.pop(0)


async def lines_of(pulse):
    return [line async for line in live._lines(pulse, lambda: not pulse.left)]


def test_a_page_is_made_again_soon_after_a_change_and_once_a_minute(monkeypatch):
    monkeypatch.setattr(live, "PACE", 0)
    pulse = Steady(1, *[1] * (SOON - 1), *[2] * (2 * MINUTE + 1))
    lines = [line.split("\n")[0] for line in alone(lines_of, pulse)]
    told = [line for line in lines if line.startswith("event")]
    assert told == ["event: change", *["event: again"] * 3]
    assert lines[0] == "retry: 3000"
    assert lines[2] == "event: again"


def test_one_look_serves_all_who_wait_at_once(root, monkeypatch):
    monkeypatch.setattr(live, "monotonic", lambda: 1e6)  # at once, however late the other begins
    pulse, looks, second = Pulse(root, site(root)), [], Event()
    other = Thread(target=pulse.now)

    def look():
        looks.append(1)
        if len(looks) == 1:
            other.start()
            second.wait(0.2)  # it is not set: who comes meanwhile waits for us
        second.set()
        return len(looks)

    pulse._watch.look = look
    assert pulse.now() == 1
    other.join()
    assert looks == [1]
