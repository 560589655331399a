"""The page without a browser: who comes in, what every answer carries, what is refused."""

from __future__ import annotations

import gc
import json
import os
import re
import signal
import stat
import subprocess
import sys
from importlib import import_module

import httpx
import pytest

from histories import HOUR, Talk, ident, journal, started
from leftoff.entry.web import actions
from leftoff.entry.web.pages import threads
from projects import NOW, put, put_markdown, put_skill
from projects import get as got
from support import SOURCE, alone, repo, run
from web import PATIENCE, TOKEN, serving, visitor

PAGES = ["/", "/threads", "/decisions", "/doctor", "/projects"]


@pytest.fixture
def server(root):
    with serving(root, now=NOW) as address:
        yield address


def get(address, path="/", **more):
    with httpx.Client(base_url=address, trust_env=False, timeout=PATIENCE) as client:
        return client.get(path, **more)


def test_without_the_token_a_page_says_how_to_get_in_and_nothing_of_the_project(server, root):
    answer = get(server)
    assert answer.status_code == 403
    assert "leftoff web --open" in answer.text
    assert root not in answer.text
    assert os.path.basename(root) not in answer.text
    assert "oc-demo" not in answer.text


@pytest.mark.parametrize("token", ["", "x", TOKEN + "x", "é"])
def test_a_wrong_token_opens_nothing(server, token):
    answer = get(server, "/", params={"token": token})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_the_token_is_exchanged_for_a_cookie_that_scripts_and_other_sites_never_see(server):
    answer = get(server, "/threads", params={"token": TOKEN, "page": "2"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/threads?page=2")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert TOKEN not in cookie


@pytest.mark.parametrize(
    "other", ['x={"a": 1}', "a,b=1", "a b=1", "alone", 'x="a', "é=1", "=", ";"]
)
def test_cookies_of_other_servers_on_this_machine_shut_nobody_out(server, other):
    cookie = get(server, "/", params={"token": TOKEN}).headers["set-cookie"].partition(";")[0]
    for told in (f"{other}; {cookie}", f"{cookie}; {other}"):
        assert get(server, headers={"cookie": told.encode()}).status_code == 200
    assert get(server, headers={"cookie": other.encode()}).status_code == 403


def test_after_the_token_no_address_leads_to_another_site(server):
    answer = get(server, "//evil.example/", params={"token": TOKEN})
    assert answer.headers["location"] == "/"
    with visitor(server) as client:
        led = client.get("/theme", params={"to": "dark", "back": "//evil.example/"})
        assert led.headers["location"] == "/"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil:80"])
def test_another_name_for_this_machine_is_refused(server, host):
    with visitor(server) as client:
        assert client.get("/", headers={"Host": host}).status_code == 400


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1"])
def test_another_origin_is_refused_whatever_it_knows(server, origin):
    with visitor(server) as client:
        assert client.get("/", headers={"Origin": origin}).status_code == 403
        same = client.get("/", headers={"Origin": server})
        assert same.status_code == 200
        assert "access-control-allow-origin" not in same.headers


def test_a_file_that_is_not_there_tells_a_stranger_nothing_of_the_project(root):
    with serving(root, now=NOW, write=True) as address:
        for path in ("/static/nothing", "/static/", "/static/..%2fapp.py", "/static/a%00"):
            answer = get(address, path)
            assert (answer.status_code, answer.text) == (404, "There is no such file.\n")


def test_every_answer_carries_the_headers(server, monkeypatch):
    def broken(_):
        raise RuntimeError("<b>our bug</b>")

    monkeypatch.setattr(threads, "facts", broken)
    with visitor(server) as client:
        failed = client.get("/threads")
    assert (failed.status_code, "<b>our" in failed.text) == (500, False)
    for answer in (get(server), get(server, "/static/page.css"), get(server, "/nothing"), failed):
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; ")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"
        assert "server" not in answer.headers


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_a_page_that_reads_refuses_whatever_writes(server, method):
    with visitor(server) as client:
        answer = client.request(method, "/do/done")
        assert answer.status_code == 405
        assert answer.headers["allow"] == "GET, HEAD"
        assert client.head("/").status_code == 200


@pytest.mark.parametrize("path", PAGES)
def test_every_page_has_a_title_a_heading_and_landmarks(server, path):
    with visitor(server) as client:
        text = client.get(path).text
    assert re.search(r"<title>[^<]+ · leftoff</title>", text)
    assert text.count("<h1>") == text.count("<main ") == 1
    assert 'lang="en"' in text
    assert 'class="skip" href="#main"' in text
    assert not re.search(r'\sstyle="|<script(?! src)|\son\w+="', text)


def test_the_first_page_says_what_is_next_and_why_with_verdicts(server):
    with visitor(server) as client:
        text = client.get("/").text
    assert "Read the report" in text
    assert "contradicted" in text


def test_the_page_says_what_commands_say(server, root):
    told = json.loads(run("next", "--json", "--now", NOW, cwd=root).stdout)["data"]["next"]
    with visitor(server) as client:
        text = client.get("/").text
    assert told["action"] in text
    assert all(one["reason"] in text for one in told["verdicts"]["open"][:4])


def test_a_checkpoint_shows_each_claim_its_fields_and_what_changed(tmp_path):
    place = repo(tmp_path)
    put_skill(place, next_actions=["Read the report"])
    for words in (["add", "-A"], ["commit", "--quiet", "-m", "Save"]):
        subprocess.run(["git", *words], cwd=place, check=True)
    put_skill(place, next_actions=["Read it again"], step="sprint-3")
    with serving(place, now=NOW) as address, visitor(address) as client:
        text = client.get("/checkpoint/oc-demo").text
    assert "Stack: Hono" in text
    assert 'class="verdict contradicted"' in text
    removed = re.findall(r'class="removed">.*?</span>([^<]+)</span>', text)
    added = re.findall(r'class="added">.*?</span>([^<]+)</span>', text)
    assert "Read the report" in removed
    assert "Read it again" in added


def test_a_thread_shows_its_sessions(root):
    journal(1, started(3 * HOUR, root), (3 * HOUR - 1, "bind", {"thread": "thread-1a2b3c4d"}))
    journal(2, started(2 * HOUR, root))
    with serving(root, now=NOW) as address, visitor(address) as client:
        text = client.get("/threads/thread-1a2b3c4d").text
    assert "00000001-0000-4000-8000-000000000001" in text
    assert "00000002-0000-4000-8000-000000000002" not in text


def test_what_is_not_there_is_an_error_page_that_helps(server):
    with visitor(server) as client:
        for path, kind in (
            ("/nowhere", "not-found"),
            ("/checkpoint/nobody", "not-found"),
            ("/threads/nobody", "not-found"),
            ("/?in=/nobody/knows/it", "not-found"),
        ):
            answer = client.get(path)
            assert answer.status_code == 404, path
            assert f'<p class="kind">{kind}</p>' in answer.text
            assert 'class="hint"' in answer.text


def test_a_name_is_never_an_option(server):
    with visitor(server) as client:
        for path in ("/checkpoint/--help", "/checkpoint/--everywhere", "/threads/--json"):
            answer = client.get(path)
            assert answer.status_code in {400, 404}
            assert f"&#34;{path.rpartition('/')[2]}&#34;" in answer.text


@pytest.mark.parametrize("page", ["0", "-1", "x", "99999", "999999", "1e9", "٣"])
def test_a_page_number_that_is_none_is_no_error(server, page):
    with visitor(server) as client:
        for path in ("/threads", "/sessions", "/"):
            assert client.get(path, params={"page": page}).status_code == 200


def test_a_broken_document_is_told_and_the_others_are_shown(root):
    put(root, ".checkpoints/oc-bad.checkpoint.json", '{"a" 1}')
    with serving(root, now=NOW) as address, visitor(address) as client:
        text = client.get("/").text
        assert "oc-bad" in text
        assert "oc-demo" in text
        assert client.get("/checkpoint/oc-bad").status_code == 500


def test_an_empty_project_says_what_to_do(tmp_path):
    with serving(repo(tmp_path), now=NOW) as address, visitor(address) as client:
        assert "leftoff setup" in client.get("/").text
        for path in PAGES:
            assert client.get(path).status_code == 200


def test_a_name_without_end_makes_no_page_endless(tmp_path):
    place, long = repo(tmp_path), '<"long' * 50_000
    put_skill(place, name="oc-long", next_actions=[long, "short"], progress_summary=long)
    put_skill(place, name="oc-demo", next_actions=["Build the retry page"])
    with serving(place, now=NOW) as address, visitor(address) as client:
        pages = [client.get(path) for path in ("/", "/checkpoint/oc-long")]
    assert [page.status_code for page in pages] == [200, 200]
    assert max(len(page.content) for page in pages) < 300_000
    assert all("&lt;&#34;long" in page.text and "…" in page.text for page in pages)
    assert "Build the retry page" in pages[0].text


def test_long_answers_share_a_page_and_short_ones_stay_whole(tmp_path):
    place = repo(tmp_path)
    talk = Talk(1, place).ask(HOUR, "Tell me all")
    for n in range(59):
        talk.answer(HOUR - n, f"short {n} whole." if n % 2 else f"long {n} " + "tell " * 4000)
    talk.save()
    with serving(place, now=NOW) as address, visitor(address) as client:
        page = client.get(f"/session/claude-code/{ident(1)}")
    assert len(page.content) < 300_000
    assert all(f"short {n} whole." in page.text for n in range(1, 59, 2))
    shown = [len(part) for part in re.findall(r"long \d+ (?:tell )+", page.text)]
    assert len(shown) == 30
    assert min(shown) > 3000


def test_what_strangers_wrote_is_shown_as_text(tmp_path):
    place = repo(tmp_path)
    hostile = "<script>alert(1)</script> \x1b[31mred\x1b[0m \u202etxet HALF"
    path = put_skill(place, next_actions=[hostile], progress_summary="<img src=x onerror=alert(1)>")
    put(place, path, got(place, path).replace("HALF", r"\ud800"))  # no text, but JSON allows it
    Talk(1, place).ask(HOUR, hostile).answer(HOUR, hostile, 9000).save()
    with serving(place, now=NOW) as address, visitor(address) as client:
        for path in (*PAGES, "/checkpoint/oc-demo"):
            text = client.get(path).text
            assert "<script>alert" not in text
            assert "<img src=x" not in text
            assert not {"\x1b", "\u202e"} & set(text)
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in client.get("/").text


def test_secrets_are_redacted_in_every_place(tmp_path):
    place = repo(tmp_path)
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    put_skill(place, progress_summary=f"Pushed with {secret}", next_actions=[f"Use {secret}"])
    with serving(place, now=NOW) as address, visitor(address) as client:
        for path in ("/", "/checkpoint/oc-demo"):
            text = client.get(path).text
            assert secret not in text
            assert "[redacted:" in text


def test_own_words_are_those_of_the_project_that_is_shown_as_its_settings_are_now(root, tmp_path):
    other, word = repo(tmp_path / "other"), "Bluebird"
    settings, rule = ".checkpoints/config.toml", f'[redaction]\nwords = ["{word}"]\n'
    for place in (root, other):
        put_skill(place, "oc-bird", next_actions=[f"Call {word}"])
    put(other, settings, rule)
    journal(1, started(HOUR, other))
    paths = ("/", "/checkpoint/oc-bird", "/tree")
    with serving(root, now=NOW) as address, visitor(address) as client:
        assert all(word not in client.get(path, params={"in": other}).text for path in paths)
        assert word in client.get("/").text
        put(root, settings, rule)
        assert all(word not in client.get(path).text for path in paths)


def test_rows_of_other_projects_hide_what_their_own_settings_hide(root, tmp_path):
    other, word = repo(tmp_path / "other"), "Bluebird"
    put(other, ".checkpoints/config.toml", f'[redaction]\nwords = ["{word}"]\n')
    talk = Talk(1, other).ask(HOUR, f"Sell {word} to them").answer(HOUR, f"{word} is sold.")
    talk.save()
    Talk(2, root).ask(HOUR, f"Feed the {word} here").answer(HOUR, "Fed.").save()
    paths = ("/projects", "/sessions?where=all", f"/session/claude-code/{talk.session}")
    with serving(root, now=NOW) as address, visitor(address) as client:
        shown = [client.get(path).text for path in paths]
        assert [f"Sell {word}" in text for text in shown] == [False] * 3
        assert ["[redacted:" in text for text in shown] == [True] * 3
        assert [f"{word} is sold" in text for text in shown] == [False] * 3
        assert f"Feed the {word} here" in shown[1], "the words of one project are not another's"


def test_chinese_by_the_browser_or_by_option(root):
    with serving(root, now=NOW) as address, visitor(address) as client:
        text = client.get("/", headers={"Accept-Language": "zh-CN,zh;q=0.9,en;q=0.5"}).text
        assert '<html lang="zh-CN"' in text
        assert "你上次停在这里" in text
        assert "Where you left off" in client.get("/", headers={"Accept-Language": "de"}).text
    with serving(root, now=NOW, language="zh") as address, visitor(address) as client:
        assert "没有页面 /nowhere" in client.get("/nowhere", headers={"Accept-Language": "en"}).text


def test_other_projects_are_shown_once_they_are_known(root, tmp_path):
    other = repo(tmp_path / "other")
    put_skill(other, "oc-other", next_actions=["Elsewhere"])
    journal(1, started(HOUR, other))
    with serving(root, now=NOW) as address, visitor(address) as client:
        assert "Elsewhere" not in client.get("/").text
        assert other in client.get("/projects").text
        text = client.get("/", params={"in": other}).text
        assert "Elsewhere" in text
        assert f"/threads?in={other.replace('/', '%2F')}" in text


def forms(text):
    """The hidden fields of every form, and where it goes."""
    found = re.findall(
        r'<form class="act[^"]*" method="post" action="([^"]+)">(.*?)</form>', text, re.DOTALL
    )
    return [
        (action, dict(re.findall(r'name="([^"]+)"(?: required)? value="([^"]*)"', body)))
        for action, body in found
    ]


def test_with_write_an_action_is_done_a_decision_answered_and_one_made_current(tmp_path):
    place = repo(tmp_path)
    ask = {"id": "B1", "description": "How often?", "needs": "user_decision", "blocking": "x"}
    put_skill(place, blockers=[ask], status="blocked")
    put_markdown(place, "chk-one")
    with serving(place, now=NOW, write=True) as address, visitor(address) as client:
        page = client.get("/decisions").text
        ((action, fields),) = [one for one in forms(page) if one[0] == "/do/answer"]
        answer = client.post(action, data={**fields, "text": "Three times"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/decisions")
        assert "How often?" not in client.get("/decisions").text
        page = client.get("/checkpoint/oc-demo").text
        assert "How often? Three times" in page
        action, fields = next(one for one in forms(page) if one[0] == "/do/done")
        assert client.post(action, data=fields).status_code == 303
        assert "Read the report" not in re.findall(r"<li data-row>.*?</li>", client.get("/").text)
        ((action, fields),) = [
            one for one in forms(client.get("/checkpoint/chk-one").text) if one[0] == "/do/current"
        ]
        assert client.post(action, data=fields).status_code == 303
    now = json.loads(run("current", "--json", cwd=place).stdout)["data"]["current"]
    assert [one["id"] for one in now] == ["chk-one"]


def test_an_action_that_moved_since_the_page_was_made_is_the_one_that_is_done(tmp_path):
    place = repo(tmp_path)
    put_skill(place, next_actions=["First", "Second", "Third"])
    with serving(place, now=NOW, write=True) as address, visitor(address) as client:
        page = client.get("/checkpoint/oc-demo").text
        action, fields = [one for one in forms(page) if one[0] == "/do/done"][1]
        put_skill(place, next_actions=["Another", "First", "Second", "Third"])
        assert client.post(action, data=fields).status_code == 303
        assert client.post(action, data=fields).status_code == 404  # it is done by now
    left = json.loads(run("status", "oc-demo", "--json", cwd=place).stdout)["data"]["stream"]
    assert [one["text"] for one in left["next_actions"]] == ["Another", "First", "Third"]


def test_the_last_action_asks_what_comes_next(tmp_path):
    place = repo(tmp_path)
    put_skill(place, next_actions=["Only one"])
    with serving(place, now=NOW, write=True) as address, visitor(address) as client:
        page = client.get("/checkpoint/oc-demo").text
        action, fields = next(one for one in forms(page) if one[0] == "/do/done")
        asked = client.post(action, data=fields)
        assert "Only one" in asked.text
        (fields,) = [fields for _, fields in forms(asked.text) if "complete" not in fields]
        assert client.post(action, data={**fields, "next": "Then this"}).status_code == 303
        assert "Then this" in client.get("/").text


@pytest.mark.parametrize("form", [{}, {"form": "x"}, {"form": ""}])
def test_a_form_that_is_not_ours_changes_nothing(root, form):
    with serving(root, now=NOW, write=True) as address, visitor(address) as client:
        answer = client.post("/do/done", data={"name": "oc-demo", "n": "1", **form})
        assert answer.status_code == 400
        assert "Read the report" in client.get("/").text


def test_of_a_form_that_is_too_long_no_more_is_kept_than_shows_that(root):
    class Sent:
        async def stream(self):
            for _ in range(100):
                yield b"x" * actions.LARGEST

    assert len(alone(actions._sent, Sent())) == 2 * actions.LARGEST
    with serving(root, write=True) as address, visitor(address) as client:
        answer = client.post("/do/done", content=b"x" * (1 << 20))
        assert answer.status_code == 400
        assert "the form is too long" in answer.text


def test_a_form_without_the_cookie_changes_nothing(root):
    with serving(root, now=NOW, write=True) as address:
        told = {"data": {"name": "oc-demo"}, "trust_env": False, "timeout": PATIENCE}
        answer = httpx.post(f"{address}/do/done", **told)
        assert answer.status_code == 403


def test_a_change_is_told_to_who_waits(root):
    with (
        serving(root, now=NOW) as address,
        visitor(address) as client,
        client.stream("GET", "/live") as stream,
    ):
        lines = stream.iter_lines()
        assert "event: ready" in [next(lines) for _ in range(3)]
        put_skill(root, "oc-new")
        assert "event: change" in lines


# The program itself


class Program:
    """`leftoff web` in a process of its own."""

    def __init__(self, root, *words):
        argv = [sys.executable, "-m", "leftoff", "web", *words]
        env = {**os.environ, "PYTHONPATH": SOURCE}
        self.run = subprocess.Popen(
            argv,
            cwd=root,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        self.said = self.run.stdout.readline()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.run.poll() is None:
            self.run.send_signal(signal.SIGINT)
            self.rest = self.run.communicate(timeout=PATIENCE)


def test_the_address_is_told_once_the_note_is_private_and_ctrl_c_ends_it_cleanly(root, monkeypatch):
    monkeypatch.setattr(import_module("leftoff.entry.web.serve"), "PATIENCE", PATIENCE)
    with Program(root) as program:
        address = program.said.removeprefix("Open ").strip()
        assert httpx.get(address, trust_env=False, timeout=PATIENCE).status_code == 303
        (note,) = os.listdir(os.path.join(os.environ["LEFTOFF_STATE"], "web"))
        path = os.path.join(os.environ["LEFTOFF_STATE"], "web", note)
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        again = run("web", cwd=root)
        assert again.stdout == f"It is already running: {address}\n"
        assert json.loads(run("web", "--json", cwd=root).stdout)["data"]["address"] == address
    assert program.run.returncode == 0
    assert not os.path.exists(path)
    assert "Traceback" not in program.rest[1]


def test_a_server_leaves_the_note_of_one_that_began_later(root):
    folder = os.path.join(os.environ["LEFTOFF_STATE"], "web")
    with Program(root) as first, Program(root, "--write"):
        first.__exit__()
        (note,) = os.listdir(folder)
        assert json.loads(got(folder, note))["write"] is True
    assert os.listdir(folder) == []


def test_a_server_that_runs_for_days_gives_back_what_pages_took(root, monkeypatch):
    was, seen = gc.isenabled(), []
    module = import_module("leftoff.entry.web.serve")
    monkeypatch.setattr(module, "serve", lambda *_: seen.append(gc.isenabled()))
    gc.disable()  # as the program does it, for commands
    try:
        assert run("web", cwd=root).returncode == 0
    finally:
        (gc.enable if was else gc.disable)()
    assert seen == [True]


def test_a_port_that_is_taken_is_one_clear_error(root):
    with serving(root) as address:
        port = address.rpartition(":")[2]
        done = run("web", "--port", port, cwd=root)
    assert done.returncode == 6
    assert f"error: cannot listen on port {port}" in done.stderr


@pytest.mark.parametrize("port", ["x", "65536", "-1", "²"])
def test_a_port_that_is_none_is_refused(root, port):
    assert run("web", f"--port={port}", cwd=root).returncode == 2


def test_a_missing_extra_says_which_and_how(root, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("leftoff.entry.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = run("web", cwd=root)
    assert done.returncode == 1
    assert done.stderr == (
        "error: the page needs the package uvicorn\nhint: install it: pip install 'leftoff[web]'\n"
    )
