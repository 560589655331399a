"""A page of a long list costs what a page costs: files opened, rows rendered, bytes sent."""

from __future__ import annotations

import os
import re
import sys
from glob import glob
from shutil import rmtree

import pytest

from histories import HOUR, Talk, ident, journal, started
from leftoff.entry.calls import answer
from leftoff.entry.web.pages import every_page
from leftoff.world import (
    cache_file,
    glance_cache,
    index_sqlite,
    index_update,
    leftovers,
    mounts,
    scan,
    searching,
    server_documents,
    server_session_files,
    session_catalogue,
)
from leftoff.world.inotify import Notices
from leftoff.world.log_record import COPY
from leftoff.world.server_cache import ServerCache
from leftoff.world.server_documents import ServerDocuments
from leftoff.world.server_sessions import ServerSessions
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


def archived(root):
    """Every session has a copy; of every second one nothing else is left."""
    assert run("session", "archive", cwd=root).returncode == 0
    home = os.environ["HOME"]
    for path in sorted(glob(f"{home}/.claude/projects/*/*.jsonl"))[1::2]:
        os.remove(path)


@pytest.fixture
def ahead(monkeypatch):
    """The server's clock, which only the test moves; nothing is too young to be believed."""
    seconds = [1e6]
    for kind in (ServerCache, ServerDocuments, ServerSessions, Notices):
        own = (lambda: seconds[0], *kind.__init__.__defaults__[1:])
        monkeypatch.setattr(kind.__init__, "__defaults__", own)
    monkeypatch.setattr(cache_file, "TICK", -1e9)
    for module in (glance_cache, index_update, leftovers):
        monkeypatch.setattr(module, "RACY", 0)  # else what was written just now is read each time
    return seconds


@pytest.mark.parametrize(
    ("before", "change"),
    [(nothing, nothing), (nothing, saved), (nothing, went_on), (archived, went_on)],
    ids=lambda one: one.__name__,
)
def test_pages_of_a_large_project_open_render_and_send_as_much_as_of_a_small_one(  # noqa: PLR0917
    tmp_path, homes, monkeypatch, ahead, before, change
):
    told = []
    for name, sizes in (("few", FEW), ("many", MANY)):
        home = next(homes)
        os.mkdir(home)
        monkeypatch.setenv("HOME", home)
        monkeypatch.setenv("LEFTOFF_STATE", os.path.join(home, "state"))
        root = grown(tmp_path / name, *sizes)
        before(root)
        told.append(costs(root, ahead, change))
    few, many = told
    costly = [path for path, (opened, *_) in many.items() if opened > 3 * few[path][0] + 10]
    assert costly == []
    for path, (_, rows, size) in many.items():
        assert rows <= 110, path
        assert size < 300_000, path


@pytest.fixture
def asked(monkeypatch):
    """The files that looks ask for their time; a walk asks all."""
    monkeypatch.setattr(mounts, "tell_of_changes", lambda _: True)  # wherever tests are run
    paths, changed, walk = [], server_documents._changed, scan.look

    def noting(call, path_of):
        return lambda *given: paths.append(path_of(*given)) or call(*given)

    monkeypatch.setattr(
        session_catalogue, "sign", noting(session_catalogue.sign, lambda path: path)
    )
    monkeypatch.setattr(
        server_documents, "_print", noting(server_documents._print, lambda _, path: path)
    )
    monkeypatch.setattr(
        server_session_files, "log_at", noting(server_session_files.log_at, lambda _, path: path)
    )
    monkeypatch.setattr(
        server_documents, "_changed", lambda all_: paths.extend(all_.files) or changed(all_)
    )
    monkeypatch.setattr(scan, "look", noting(walk, lambda *_: "a walk"))
    return paths


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has inotify")
@pytest.mark.parametrize(
    ("change", "most"), [(nothing, 0), (saved, 2), (went_on, 2)], ids=lambda one: str(one)[:18]
)
def test_a_fresh_look_asks_for_the_time_of_what_changed_and_of_nothing_else(
    tmp_path, ahead, asked, change, most
):
    root = grown(tmp_path, *FEW)
    with serving(root, now=NOW) as address, visitor(address) as client:
        for path in paths():
            client.get(path)  # what it reads for the first time
        asked.clear()
        for path in paths():
            change(root)
            ahead[0] += 2
            assert client.get(path).status_code == 200
            assert len({*asked}) <= most, path
            asked.clear()
        ahead[0] += 60
        client.get("/")
        assert len({*asked}) > 2 * FEW[0]


@pytest.mark.parametrize("change", [saved, went_on], ids=lambda one: one.__name__)
def test_a_search_after_a_change_loads_and_compares_only_what_changed(
    tmp_path, monkeypatch, ahead, change
):
    root = grown(tmp_path, *FEW)
    known, prints_of = index_sqlite.Index.known, searching.prints_of
    loaded, compared = [], []

    def loads(index, *keys):
        found = known(index, *keys)
        loaded.extend(found)
        return found

    monkeypatch.setattr(index_sqlite.Index, "known", loads)
    monkeypatch.setattr(searching, "prints_of", lambda one: compared.append(one) or prints_of(one))
    monkeypatch.setattr(index_update, "RACY", 0)
    with serving(root, now=NOW) as address, visitor(address) as client:
        client.get("/search?q=part")
        client.get("/search?q=other")
        loaded.clear()
        compared.clear()
        change(root)
        ahead[0] += 30
        assert client.get("/search?q=more").status_code == 200
    assert 1 <= len({*loaded}) <= 2
    assert 1 <= len({one.key for one in compared}) <= 2


def test_a_change_that_no_list_shows_is_found_at_once(tmp_path, monkeypatch, ahead):
    monkeypatch.setattr(index_update, "RACY", 0)  # else it is read again anyway
    root = grown(tmp_path, *FEW)
    at = f".checkpoints/threads/{HOLES['name']}/CHECKPOINT.md"
    text = THREAD_MD.replace("thread-1a2b3c4d", HOLES["name"])
    put(root, at, f"{text}\n## Notes\n\nThe word is aardvark.\n")
    with serving(root, now=NOW) as address, visitor(address) as client:
        assert "<mark>aardvark</mark>" in client.get("/search?q=aardvark").text
        put(root, at, f"{text}\n## Notes\n\nThe word is bushbuck.\n")
        ahead[0] += 30
        assert "<mark>bushbuck</mark>" in client.get("/search?q=bushbuck").text
        assert "<mark>" not in client.get("/search?q=aardvark+").text


@pytest.mark.usefixtures("ahead")
@pytest.mark.parametrize("chosen", [("--agent", "claude-code"), ("--limit", "50")], ids="".join)
@pytest.mark.parametrize("told", [True, False], ids=["journals", "no journal"])
def test_a_server_lists_what_only_the_archive_has_as_a_process_does(tmp_path, told, chosen):
    root, env = grown(tmp_path, *FEW), dict(os.environ)
    archived(root)
    if not told:
        rmtree(os.path.join(env["LEFTOFF_STATE"], "sessions"))
    line = ("session", "list", "--all", *chosen, "--now", NOW, "--project", root)
    server_sessions = ServerSessions(env["LEFTOFF_STATE"], env)
    alone = answer(line, cwd=root, env=env).data
    served = answer(
        line,
        cwd=root,
        env=env,
        keep=ServerCache(lambda: server_sessions.look().mark),
        server_sessions=server_sessions,
    ).data
    for each in (alone, served):  # a page has them by their files, which are all of this moment
        each["sessions"].sort(key=lambda one: one["id"])
    copies = [one for one in alone["sessions"] if one["transcript"].endswith(COPY)]
    assert served == alone
    assert len(copies) == FEW[0] // 2
