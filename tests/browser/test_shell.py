"""What holds for every page, in a real browser; pages come in by discovery."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from histories import HOUR, Talk, journal, started
from leftoff.entry.web.pages import every_page
from projects import NOW, put_all, put_skill
from support import SOURCE, repo

HOLES = {
    "name": "thread-1a2b3c4d",
    "agent": "claude-code",
    "id": "00000001-0000-4000-8000-000000000001",
}
CONTRAST = """() => {
  const rgb = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const over = (top, below) => {
    const alpha = top.length > 3 ? top[3] : 1;
    return [0, 1, 2].map((at) => top[at] * alpha + below[at] * (1 - alpha));
  };
  const behind = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      layers.push(rgb(getComputedStyle(one).backgroundColor));
    }
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    return layers.reverse().reduce((below, top) => over(top, below), dark ? [0, 0, 0] : [255, 255, 255]);
  };
  const light = (color) => {
    const [r, g, b] = color.map((part) => part / 255)
      .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const one = node.parentElement;
    if (!node.textContent.trim() || !one.checkVisibility({ visibilityProperty: true })) continue;
    if (one.closest(".unseen, script, style, svg")) continue;
    const ground = behind(one), ink = over(rgb(getComputedStyle(one).color), ground);
    const [high, low] = [light(ink), light(ground)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < 4.5) found.push(`${node.textContent.trim().slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  return found;
}"""
UNLABELLED = """() => [...document.querySelectorAll("input:not([type=hidden]), select, textarea, button, a")]
  .filter((one) => !(one.labels?.length || one.textContent.trim() || one.ariaLabel || one.title))
  .map((one) => one.outerHTML)"""
UNCAPTIONED = """() => [...document.querySelectorAll("table")]
  .filter((one) => !one.caption?.textContent.trim()).map((one) => one.outerHTML.slice(0, 80))"""


def path_of(route: str) -> str:
    return re.sub(r"\{(\w+)[^}]*\}", lambda hole: HOLES[hole[1]], route)


@pytest.fixture
def lived(root):
    """A project with one document of each format, and sessions on a thread."""
    put_all(root)
    for n in (1, 2):
        talk = Talk(n, root).ask(n * HOUR, f"Please do part {n}")
        talk.answer(n * HOUR - 60, "It is done.", 20_000, ("Edit", {"file_path": f"{root}/app.py"}))
        talk.save()
        bound = (n * HOUR, "bind", {"thread": "thread-1a2b3c4d"})
        journal(n, started(n * HOUR + 1, root), bound, (n * HOUR - 90, "end", {"reason": "exit"}))
    return root


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_titled_labelled_legible_and_keeps_to_itself(lived, visit, scheme):
    one = visit(lived, site={"now": NOW}, color_scheme=scheme)
    for known in every_page():
        page = one.go(path_of(known.ROUTE))
        assert page.title().endswith(" · leftoff"), known.ROUTE
        assert page.locator("h1").count() == 1, known.ROUTE
        assert page.locator("h1").inner_text().strip()
        assert page.locator("main .kind").count() == 0, page.locator("main").inner_text()
        assert page.evaluate(CONTRAST) == [], known.ROUTE
        assert page.evaluate(UNLABELLED) == [], known.ROUTE
        assert page.evaluate(UNCAPTIONED) == [], known.ROUTE
        for landmark in ("header", "main", "footer", "nav"):
            assert page.locator(landmark).count(), known.ROUTE
    assert not one.complaints


CUT = """() => [...document.querySelectorAll(".menu a")]
    .filter(one => one.getBoundingClientRect().right > innerWidth).map(one => one.text)"""


def test_a_narrow_screen_needs_no_sideways_scrolling(lived, visit):
    one = visit(lived, site={"now": NOW})
    one.page.set_viewport_size({"width": 390, "height": 800})
    for known in every_page():
        page = one.go(path_of(known.ROUTE))
        widths = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert widths[0] <= widths[1], known.ROUTE
        assert not page.evaluate(CUT), known.ROUTE


def test_a_long_name_of_a_project_leaves_the_header_as_it_is(tmp_path, visit):
    heights = []
    for name in ("shop", "x" * 90):
        root = tmp_path / name
        os.rename(repo(tmp_path), root)
        page = visit(os.fspath(root)).go("/")
        page.set_viewport_size({"width": 390, "height": 844})
        heights.append(page.locator("header").bounding_box()["height"])
    assert heights[0] == heights[1]


def test_without_scripts_every_page_can_be_read(lived, visit):
    one = visit(lived, site={"now": NOW}, java_script_enabled=False)
    for known in every_page():
        page = one.go(path_of(known.ROUTE))
        assert page.locator("h1").inner_text().strip(), known.ROUTE
        assert page.locator("main").inner_text().strip()


def test_the_token_leaves_the_address(lived, visit):
    page = visit(lived).go("/threads")
    assert "token" not in page.url
    assert page.url.endswith("/threads")


def test_without_the_token_the_browser_is_told_what_to_do(lived, visit):
    one = visit(lived)
    answer = one.page.goto(one.address)
    assert answer.status == 403
    assert "leftoff web --open" in one.page.locator("main").inner_text()
    one.complaints.clear()  # the browser notes the 403 itself


def test_a_foreign_name_for_the_server_is_refused(lived, visit):
    one = visit(lived)
    one.go("/")
    answer = one.page.request.get(one.address, headers={"Host": "evil.example"})
    assert answer.status == 400


def test_a_save_in_another_process_shows_by_itself(lived, visit):
    page = visit(lived).go("/")
    page.wait_for_selector("#live:not([hidden])")
    save = [sys.executable, "-m", "leftoff", "update", "oc-demo", "--next_actions:json"]
    import os

    save[-1] += '=["Polish the lantern"]'
    subprocess.run(
        save, cwd=lived, check=True, env={**os.environ, "PYTHONPATH": SOURCE}, capture_output=True
    )
    page.wait_for_selector("main >> text=Polish the lantern")
    assert page.locator("#said").inner_text() == "The page was updated."


def test_keys_walk_rows_open_pages_search_and_help(lived, visit):
    page = visit(lived, site={"now": NOW}).go("/")
    rows = page.locator("[data-row]")
    inside = "() => [...document.querySelectorAll('[data-row]')].findIndex((row) => row.contains(document.activeElement))"
    page.keyboard.press("j")
    assert page.evaluate(inside) == 0
    page.keyboard.press("j")
    assert page.evaluate(inside) == 1
    page.keyboard.press("k")
    assert page.evaluate(inside) == 0
    assert rows.count() > 2
    focus = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert focus == "solid"
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("#help").is_visible()
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.type("jk")
    assert page.locator("#q").input_value() == "jk"
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("t")
    page.wait_for_url("**/threads")


def test_dark_is_chosen_by_the_system_or_by_hand_and_stays(lived, visit):
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = visit(lived, color_scheme="dark").go("/").evaluate(ground)
    one = visit(lived, color_scheme="light")
    page = one.go("/")
    assert page.evaluate(ground) != dark
    page.get_by_title("Dark", exact=True).click()
    page.wait_for_selector("[data-theme=dark]")
    page.wait_for_load_state()  # the styles, too
    assert page.evaluate(ground) == dark
    assert one.go("/threads").evaluate(ground) == dark


def test_what_strangers_wrote_is_text_in_the_browser_too(root, visit):
    hostile = "<script>document.title='gone'</script> <b>x</b> \x1b[31m \u202eabc"
    put_skill(root, next_actions=[hostile], progress_summary=hostile, step=hostile)
    Talk(1, root).ask(HOUR, hostile).answer(HOUR - 60, hostile, 9000).save()
    one = visit(root, site={"now": NOW})
    for path in ("/", "/checkpoint/oc-demo", "/projects"):
        page = one.go(path)
        assert page.title() != "gone"
        assert page.locator("main b", has_text="x").count() == 0
        text = page.locator("main").inner_text()
        assert "<script>document.title='gone'</script>" in text
        assert not {"\x1b", "\u202e"} & set(text)


def test_with_write_a_button_marks_an_action_done(root, visit):
    put_skill(root)
    page = visit(root, site={"now": NOW, "write": True}).go("/checkpoint/oc-demo")
    page.locator("li", has_text="Read the report").get_by_role("button").click()
    page.wait_for_selector("li >> text=Run the tests")
    assert page.locator("ol.rows li", has_text="Read the report").count() == 0


def test_chinese_follows_the_browser(lived, visit):
    page = visit(lived, site={"now": NOW}, locale="zh-CN").go("/")
    assert page.locator("h1").inner_text() == "你上次停在这里"
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
