"""A page of a long list costs what a page costs: files opened, rows rendered, bytes sent."""

from __future__ import annotations

import os
import re
import sys
from time import monotonic

import pytest

from histories import HOUR, Talk, ident, journal, started
from leftoff.entry.web.pages import every_page
from leftoff.world import cache, catalogue
from leftoff.world.keeping import Keep
from leftoff.world.looks import Looks
from leftoff.world.roll import Roll
from projects import NOW, THREAD_JSON, THREAD_MD, put
from support import repo, run
from web import serving, visitor

FEW, MANY = (30, 6), (400, 80)
"""Sessions and threads; bench/web.py takes 10,000 and 1,000."""
HOLES = {"name": "thread-00000003", "agent": "claude-code", "id": ident(3)}
EVENTS = {"open", "os.listdir", "os.scandir", "os.posix_spawn"}


class Opened:
    """Counts what is opened, listed and started; an audit hook stays for ever, so that it is one."""

    on = False
    count = 0


def _hook(event, _):
    if Opened.on and event in EVENTS:
        Opened.count += 1


@pytest.fixture(scope="module", autouse=True)
def hook():
    sys.addaudithook(_hook)


def grown(folder, sessions, threads):
    """A project with so many."""
    root = repo(folder)
    for n in range(threads):
        name = f"thread-{n:08x}"
        at = f".checkpoints/threads/{name}"
        put(root, f"{at}/thread.json", THREAD_JSON.replace("thread-1a2b3c4d", name))
        put(root, f"{at}/CHECKPOINT.md", THREAD_MD.replace("thread-1a2b3c4d", name))
    for n in range(sessions):
        Talk(n, root).ask((n + 2) * HOUR, f"Part {n}").answer((n + 2) * HOUR - 60, "", 9000).save()
        bound = ((n + 2) * HOUR, "bind", {"thread": f"thread-{n % threads:08x}"})
        journal(n, started((n + 2) * HOUR, root), bound, ((n + 2) * HOUR - 90, "end", {}))
    return root


def paths():
    names = (
        re.sub(r"\{(\w+)[^}]*\}", lambda hole: HOLES[hole[1]], one.ROUTE) for one in every_page()
    )
    return [f"{name}?q=part" if name == "/search" else name for name in names]


def costs(root, ahead, change):
    """For each page what its second answer opens, the rows in it, and its size.

    Before that all that is kept for a while has expired, and something changed.
    """
    run("session", "list", "--all", "--json", cwd=root)
    found = {}
    with serving(root, now=NOW) as address, visitor(address) as client:
        for path in paths():
            client.get(path)
            change(root)
            ahead[0] += 30
            Opened.count, Opened.on = 0, True
            answer = client.get(path)
            Opened.on = False
            assert answer.status_code == 200, answer.text
            rows = answer.text.count("data-row")
            found[path] = (Opened.count, rows, len(answer.content))
    return found


def saved(root):
    at = f".checkpoints/threads/{HOLES['name']}/CHECKPOINT.md"
    with open(os.path.join(root, at), "a", encoding="utf-8") as file:
        file.write("\n")


def went_on(root):
    journal(0, (HOUR, "prompt"))
    Talk(0, root).ask(HOUR, "More").answer(HOUR - 60, "", 9000).save()


def nothing(_): ...


@pytest.mark.parametrize("change", [nothing, saved, went_on], ids=lambda one: one.__name__)
def test_pages_of_a_large_project_open_render_and_send_as_much_as_of_a_small_one(
    tmp_path, homes, monkeypatch, change
):
    ahead = [0]
    for kind in (Keep, Looks, Roll):
        own = (lambda: monotonic() + ahead[0],)
        monkeypatch.setattr(kind.__init__, "__defaults__", own)
    monkeypatch.setattr(catalogue, "TICK", -1e9)
    monkeypatch.setattr(cache, "RACY", 0)  # else what was written just now is read each time
    told = []
    for name, sizes in (("few", FEW), ("many", MANY)):
        home = next(homes)
        os.mkdir(home)
        monkeypatch.setenv("HOME", home)
        monkeypatch.setenv("LEFTOFF_STATE", os.path.join(home, "state"))
        told.append(costs(grown(tmp_path / name, *sizes), ahead, change))
    few, many = told
    for path, (opened, rows, size) in many.items():
        assert opened <= 3 * few[path][0] + 10, path
        assert rows <= 110, path
        assert size < 300_000, path
