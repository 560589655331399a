"""Pages with figures: sessions, one session, statistics, lineage, search; in a browser and without."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest

from histories import DAY, HOUR, Talk, ident, journal, started
from projects import NOW, markdown, put, put_markdown, put_thread
from web import serving, visitor

EVIL = "<script>document.title='owned'</script> \x1b[31mred \u202eevil <img src=x onerror=alert(1)>"
PAGES = ("/sessions", "/sessions?where=all", "/statistics", "/tree", "/search", "/search?q=tokens")
SESSION = f"/session/claude-code/{ident(1)}"
THREAD = "thread-1a2b3c4d"


def compaction(talk: Talk, ago: float) -> Talk:
    told = {"trigger": "auto", "preTokens": 180_000, "postTokens": 20_000}
    return talk._add("system", ago, {}, subtype="compact_boundary", compactMetadata=told)


def worked(root: str, n: int = 1, ago: float = 2 * HOUR, answers: int = 30, text: str = "") -> None:
    """A session with a growing context, a failure, a compaction and a to-do list."""
    talk = Talk(n, root).ask(ago, text or "Sign the tokens")
    for at in range(answers):
        call = ("Bash", {"command": text or f"make step-{at}"})
        edit = ("Edit", {"file_path": f"{root}/src/{text or 'auth'}.py"})
        talk.answer(ago - 60 * at, text or f"Step {at} of the tokens", 5000 * (at + 2), call, edit)
        if at == answers // 2:
            compaction(talk, ago - 60 * at - 1)
    todos = [{"content": text or "Write the docs", "status": "in_progress"}]
    talk.answer(ago - 60 * answers, "Done.", 60_000, ("TodoWrite", {"todos": todos}))
    talk.save()


@pytest.fixture
def busy(root: str) -> str:
    """A project with sessions, a fork tree and a thread."""
    worked(root)
    worked(root, 2, 2 * DAY)
    bound = (2 * HOUR + 4, "bind", {"thread": THREAD})
    saved = (HOUR, "save")
    journal(1, started(2 * HOUR + 5, root), bound, saved, (HOUR / 2, "end", {"source": "error"}))
    put_thread(root)
    put_markdown(root)
    put_markdown(root, "chk-fork", header="status: active\nparent: chk-auth\n")
    return root


class Words(HTMLParser):
    """What a page says, and whether anything in it could act."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._skipped = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._skipped = tag == "script"

    def handle_endtag(self, tag: str) -> None:
        self._skipped = False

    def handle_data(self, data: str) -> None:
        self.text += [] if self._skipped else [data]


def read(root: str, *paths: str, **site: object) -> list[Words]:
    with serving(root, now=NOW, **site) as address, visitor(address) as client:
        answers = [client.get(path) for path in paths]
    assert [one.status_code for one in answers] == [200] * len(paths)
    assert all(len(one.content) < 300_000 for one in answers)
    return [Words(one.text) for one in answers]


def said(page: Words) -> str:
    return " ".join(" ".join(page.text).split())


# In a browser


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page_has_a_title_labels_and_no_complaints(busy, visit, theme):
    seen = visit(busy, site={"now": NOW}, color_scheme=theme)
    for path in (*PAGES, SESSION, f"/threads/{THREAD}"):
        page = seen.go(path)
        assert page.title().endswith(" · leftoff")
        assert page.locator("h1").count() == 1
        assert page.evaluate(
            "[...document.querySelectorAll('svg[role=img]')].every(one => one.querySelector('title').textContent)"
        )
        assert page.evaluate(
            "[...document.querySelectorAll('input:not([type=hidden])')].every(one => one.labels.length)"
        )
        assert page.evaluate("document.querySelectorAll('[style]').length") == 0


def test_pages_fit_a_narrow_screen(busy, visit):
    page = visit(busy, site={"now": NOW}).go("/sessions")
    page.set_viewport_size({"width": 390, "height": 844})
    for path in (*PAGES, SESSION, f"/threads/{THREAD}"):
        page.goto(page.url.split("/", 3)[0] + "//" + page.url.split("/", 3)[2] + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path


@pytest.mark.parametrize(("path", "kind"), [(SESSION, "curve"), (f"/threads/{THREAD}", "timeline")])
def test_a_chart_too_wide_for_the_screen_shows_its_newest_end_and_that_there_is_more(
    busy, visit, path, kind
):
    page = visit(busy, site={"now": NOW}).go(path)
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    chart = page.locator(f".scroll:has(> .{kind})")
    right, shade = chart.evaluate(
        "one => [one.scrollLeft + one.clientWidth - one.scrollWidth, getComputedStyle(one).backgroundAttachment]"
    )
    assert abs(right) <= 1
    assert shade == "local, local, scroll, scroll"


def test_rows_that_became_cards_keep_the_names_of_their_columns(busy, visit):
    page = visit(busy, site={"now": NOW}).go(f"/threads/{THREAD}")
    page.set_viewport_size({"width": 390, "height": 844})
    cell = page.locator("table.fold td code").first.locator("..")
    assert "Session" in cell.evaluate("one => getComputedStyle(one, '::before').content")


def test_the_lineage_calls_checkpoints_as_the_first_page_does(busy, visit):
    seen = visit(busy, site={"now": NOW})
    first = {*seen.go("/").locator("ul.rows .name").all_inner_texts()}
    assert {*seen.go("/tree").locator("ul.lineage .name").all_inner_texts()} <= first


@pytest.mark.parametrize("width", [390, 1280])
def test_the_search_field_is_as_wide_as_the_page_and_stands_clear_of_what_follows(
    busy, visit, width
):
    seen = visit(busy, site={"now": NOW})
    for path in ("/search", "/search?q=part"):
        page = seen.go(path)
        page.set_viewport_size({"width": width, "height": 844})
        form = page.locator("main > form").bounding_box()
        after = page.locator("main > form + *").bounding_box()
        assert after["y"] - form["y"] - form["height"] >= 12
        assert form["width"] == after["width"]


def test_a_session_shows_its_curve_prompts_tools_files_and_cost(busy, visit):
    page = visit(busy, site={"now": NOW}).go(SESSION)
    assert page.locator("h1").inner_text() == "Sign the tokens"
    assert page.locator("svg.curve path.line").count() == 1
    assert page.locator("svg.curve line.cut").count() == 1
    text = page.locator("main").inner_text()
    for words in ("about $", "Bash", "Edit", "src/auth.py", "Write the docs", "claude-sonnet-4-6"):
        assert words in text, words
    page.locator("figure summary").click()
    assert page.locator("figure table tbody tr").count() > 10


def test_a_long_session_comes_in_pages(busy, visit):
    page = visit(busy, site={"now": NOW}).go(SESSION)
    first = page.locator("ol.talk > li").count()
    assert first == 60
    page.get_by_role("link", name="later").click()
    assert page.locator("ol.talk > li").count() > 10
    assert "Step 29 of the tokens" in page.locator("ol.talk").inner_text()
    page.get_by_role("link", name="earlier").click()
    assert "Step 0 of the tokens" in page.locator("ol.talk").inner_text()


def test_search_marks_the_words_and_leads_to_the_turn(busy, visit):
    page = visit(busy, site={"now": NOW}).go("/search")
    page.fill("#query", "step 7")
    page.keyboard.press("Enter")
    page.wait_for_selector("mark")
    assert {one.lower() for one in page.locator("mark").all_inner_texts()} <= {
        "step",
        "7",
        "step 7",
        "step-7",
    }
    page.locator(".hits a").first.click()
    page.wait_for_selector("#found")
    assert "7" in page.locator("#found").inner_text()


def test_the_lineage_is_a_graph_whose_knots_open_their_checkpoint(busy, visit):
    page = visit(busy, site={"now": NOW}).go("/tree")
    assert page.locator("svg.graph path.edge").count() == 1
    assert page.locator("svg.graph circle.knot").count() == 3
    page.locator("svg.graph a", has_text="chk-fork").locator("circle.knot").click()
    page.wait_for_url("**/checkpoint/chk-fork")


def test_filters_work_without_a_script(busy, visit):
    page = visit(busy, site={"now": NOW}, java_script_enabled=False).go("/statistics?where=all")
    assert page.locator("svg.bars").count() == 2
    assert page.locator("td svg.spark").count() == 3
    page.get_by_role("link", name="model", exact=True).click()
    assert "claude-sonnet-4-6" in page.locator("svg.bars").first.text_content()
    page.goto(page.url.partition("/statistics")[0] + "/sessions")
    page.get_by_role("link", name="archived", exact=True).click()
    assert "No session matches these filters." in page.locator("main").inner_text()


def test_hostile_text_is_shown_as_text_and_runs_nothing(root, visit):
    worked(root, text=EVIL)
    put(root, "checkpoints/active/evil.md", markdown("chk-evil").replace("The timer is", EVIL))
    seen = visit(root, site={"now": NOW})
    for path in ("/sessions", SESSION, "/statistics", "/tree", "/search?q=red"):
        page = seen.go(path)
        assert page.title() != "owned"
        assert page.locator("main script, main img").count() == 0
        content = page.content()
        assert "\x1b" not in content
        assert "\u202e" not in content
    assert "<script>" in seen.go(SESSION).locator("main").inner_text()


# Without one


def test_a_hostile_model_and_branch_are_text_too(root):
    talk = (
        Talk(1, root, branch=EVIL)
        .ask(HOUR, "Hello there")
        .answer(60, "Hi", 20_000)
        .answer(50, "Ho", 30_000)
    )
    model = json.dumps(EVIL)[1:-1]
    talk.lines = [line.replace("claude-sonnet-4-6", model) for line in talk.lines]
    talk.save()
    for page in read(root, "/sessions", SESSION, "/statistics?by=model"):
        allowed = [attrs for tag, attrs in page.tags if tag == "script"]
        assert all((attrs.get("src") or "").startswith("/static/") for attrs in allowed)
        assert not any(key.startswith("on") for _, attrs in page.tags for key in attrs)
    assert "document.title='owned'" in said(page)


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "-",
        "--",
        "--limit",
        "*",
        "a" * 5000,
        "%00",
        "'; DROP TABLE x",
        "NEAR(",
        "<script>",
        "\u202e",
        "AND OR NOT",
    ],
)
def test_no_query_breaks_the_search(busy, query):
    with serving(busy, now=NOW) as address, visitor(address) as client:
        answer = client.get("/search", params={"q": query, "kind": "x", "since": "y", "page": "-3"})
    assert answer.status_code == 200
    assert "<script>" not in answer.text.replace('<script src="', "")


@pytest.mark.parametrize(
    "path",
    [
        "/sessions?page=9999999999&state=x&agent=y&where=z",
        "/sessions?page=500",
        f"{SESSION}?from=99999999999&line=x",
        f"{SESSION}?from=5000",
        f"{SESSION}?line=999999",
        "/statistics?days=x&by=y&where=z",
        "/tree?which=x&page=77",
        "/search?q=tokens&page=40",
    ],
)
def test_odd_addresses_show_a_page(busy, path):
    read(busy, path)


def test_an_unknown_session_says_so(busy):
    with serving(busy, now=NOW) as address, visitor(address) as client:
        answer = client.get("/session/claude-code/unknown")
        other = client.get("/session/nobody/x")
    assert (answer.status_code, other.status_code) == (404, 404)
    assert "session list --all" in answer.text


def test_an_empty_project_says_what_to_do(root):
    sessions, everywhere, figures, tree, search = read(
        root, "/sessions", "/sessions?where=all", "/statistics", "/tree", "/search"
    )
    assert "leftoff setup" in said(sessions)
    assert "leftoff setup" in said(everywhere)
    assert "Choose more days or all projects above." in said(figures)
    assert "leftoff save" in said(tree)
    assert "begin*" in said(search)


def test_a_session_without_a_transcript_is_shown_by_its_journal(root):
    journal(1, started(HOUR, root), (HOUR / 2, "prompt"), (60, "end", {"source": "exit"}))
    (page,) = read(root, SESSION)
    assert "The transcript of this session is not there." in said(page)


def test_secrets_are_redacted_on_every_page(root):
    secret = "ghp_" + "a1B2" * 9
    worked(root, text=f"use {secret}")
    with serving(root, now=NOW) as address, visitor(address) as client:
        for path in ("/sessions", SESSION, "/statistics", "/search?q=use"):
            assert secret not in client.get(path).text, path


def test_the_thread_s_timeline_marks_what_happened(busy):
    (page,) = read(busy, f"/threads/{THREAD}")
    classes = [attrs.get("class") or "" for tag, attrs in page.tags if tag == "path"]
    assert {"mark save", "mark compaction", "mark crash"} <= {*classes}


def test_days_without_work_are_shown_and_the_colours_agree(busy):
    (page,) = read(busy, "/statistics")
    text = said(page)
    assert "2026-08-07" in text
    assert text.count("claude-code") >= 2
    assert "public list prices" in text


def test_the_pages_speak_chinese(busy):
    pages = read(
        busy, "/sessions", SESSION, "/statistics", "/tree", "/search?q=tokens", language="zh"
    )
    for page, words in zip(pages, ("会话", "对话", "每日费用", "谱系", "找到"), strict=True):
        assert words in said(page)
    assert "按代理" in said(pages[2])
    assert "Tokens per day" not in said(pages[2])


def test_what_changed_shows_on_the_next_look(busy):
    with serving(busy, now=NOW) as address, visitor(address) as client:
        assert "A new one" not in client.get("/sessions").text
        Talk(7, busy).ask(60, "A new one").answer(50, "Yes", 10).save()
        journal(7, started(61, busy), (60, "prompt"))
        for _ in range(200):  # as soon as the cost of gathering allows
            if "A new one" in client.get("/sessions").text:
                return
    pytest.fail("the new session did not appear")
