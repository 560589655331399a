# ruff: noqa: INP001
"""`python docs/_screens.py`: the pictures of the page in docs/web.md, from a project that is real.

The example project is copied, committed and worked on with leftoff's own commands; transcripts and
journals are made as clients and hooks leave them. `--check` makes the pictures elsewhere and only
says whether that works: fonts differ from machine to machine, so that nobody compares pixels.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "src"), os.path.join(ROOT, "tests")]

import histories  # noqa: E402
from histories import HOUR, MINUTE, Talk, journal, started  # noqa: E402
from leftoff.core.when import instant, stamp  # noqa: E402
from support import clean_environment, leftoff, repo  # noqa: E402
from web import TOKEN, serving  # noqa: E402

NOW = "2026-05-07T09:00:00Z"
THREAD, OTHER = "thread-7c2e91b4", "lantern-docs"
LARGEST = 150_000
HIGH = {"wide": (1280, 860), "narrow": (390, 844)}
PICTURES = (
    ("web-home-light", "/", "light", "wide"),
    ("web-home-dark", "/", "dark", "wide"),
    ("web-home-narrow", "/", "light", "narrow"),
    ("web-home-narrow-dark", "/", "dark", "narrow"),
    ("web-thread", f"/threads/{THREAD}", "light", "wide"),
    ("web-checkpoint", "/checkpoint/checkout", "light", "wide"),
    ("web-session", f"/session/claude-code/{histories.ident(2)}", "light", "wide"),
    ("web-statistics", "/statistics", "light", "wide"),
    ("web-tree", "/tree", "dark", "wide"),
    ("web-search", "/search?q=picture", "light", "wide"),
    ("web-doctor", "/doctor", "light", "wide"),
)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only see whether they can be made")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        folder = os.path.join(work, "pictures" if options.check else "")
        target = folder if options.check else os.path.join(ROOT, "docs", "pictures")
        os.makedirs(target, exist_ok=True)
        root = project(work)
        with serving(root, now=NOW) as address:
            take(address, target)
    bad = [name for name, *_ in PICTURES if not 0 < _size(target, name, options.check) < LARGEST]
    if bad:
        raise SystemExit(f"too large: {', '.join(bad)}")


def _size(folder: str, name: str, checked: bool) -> int:
    return 1 if checked else os.path.getsize(os.path.join(folder, f"{name}.png"))


def project(work: str) -> str:
    """A shop that people and agents work on: documents, commits, sessions."""
    home = os.path.join(work, "home")
    os.makedirs(home)
    os.environ.update(clean_environment(os.environ, home))
    histories.NOW = instant(NOW)
    root = os.path.join(work, "lantern-shop")
    os.rename(repo(work), root)
    shutil.copytree(os.path.join(ROOT, "docs", "example"), root, dirs_exist_ok=True)
    _commit(root, "Cart, charge and search", 3 * 24 * HOUR)
    _git(root, "branch", "pictures")
    leftoff("fork", "chk-search", "chk-colours", "--intent", "Rank by colour", cwd=root)
    said = "--progress_summary=Cards are charged in the sandbox; refunds too. Retries are open."
    _do(root, "update", "checkout", said, "--context_primer.key_decisions+=Refunds go to the card")
    _sessions(root)
    other = os.path.join(work, OTHER)
    shutil.copytree(root, other)
    _talk(9, other, 30 * HOUR, "Write the page about refunds", "The page is written.", ())
    journal(9, started(31 * HOUR, other), (29.5 * HOUR, "end", {"reason": "exit"}))
    return root


def _sessions(root: str) -> None:
    """Some that ended, one that was compacted, one that goes on."""
    told = [
        (5, 45 * HOUR, "Charge a card in the sandbox", "Cards are charged, with a key each."),
        (4, 27 * HOUR, "Copy the first half of the pictures", "6,000 of 12,000 are copied."),
        (3, 24 * HOUR, "Compare the copied pictures", "All copies are equal."),
        (2, 21 * HOUR, "Move the pictures of sold products, too", "Sold ones are moved."),
        (1, 8 * MINUTE, "Copy the second half of the pictures", "Copying. 7,200 are done."),
    ]
    for n, ago, asked, said in told:
        edits = tuple(
            ("Edit", {"file_path": f"{root}/shop/{name}.py"}) for name in ("pictures", "cart")
        )
        _talk(n, root, ago, asked, said, edits)
        lines = [started(ago + 40 * MINUTE, root), (ago + 39 * MINUTE, "bind", {"thread": THREAD})]
        lines += [(ago + 20 * MINUTE, "save", {})]
        ended = [] if n == 1 else [(ago - MINUTE, "end", {"reason": "exit"})]
        path = journal(n, *lines[: 1 if n == 5 else 3], *ended)
        os.utime(path, (histories.NOW - ago, histories.NOW - ago))


def _talk(  # noqa: PLR0913, PLR0917  # what a session is made of
    n: int, root: str, ago: float, asked: str, said: str, edits: tuple
) -> None:
    talk = Talk(n, root, "pictures" if n < 5 else "main")
    talk.ask(ago + 38 * MINUTE, asked)
    for step in range(12):
        used = 18_000 + step * 5_000 * (1 + n % 3)
        talk.answer(
            ago + (36 - 3 * step) * MINUTE, "Step by step." if step % 4 else said, used, *edits
        )
    talk.answer(ago, said, 40_000)
    at = histories.NOW - ago
    os.utime(talk.save(), (at, at))


def _commit(root: str, message: str, ago: float) -> None:
    when = stamp(histories.NOW - ago)
    dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
    at = histories.NOW - ago
    for place, _, names in os.walk(root):
        for name in names if ".git" not in place.split(os.sep) else ():
            os.utime(os.path.join(place, name), (at, at))
    _git(root, "add", "-A")
    _git(root, "commit", "--quiet", "-m", message, **dates)


def _git(root: str, *words: str, **env: str) -> None:
    subprocess.run(["git", *words], cwd=root, check=True, env={**os.environ, **env})  # noqa: S603, S607


def _do(root: str, *words: str) -> None:
    done = leftoff(*words, "--now", NOW, cwd=root)
    if done.returncode:
        raise SystemExit(done.stderr)


def take(address: str, target: str) -> None:
    """All pictures, each in a browser that was never here."""
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        raise SystemExit("no browser is installed: chromium or google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=[*ARGUMENTS], env={**os.environ}
        )
        for name, path, scheme, size in PICTURES:
            wide, high = HIGH[size]
            context = browser.new_context(
                viewport={"width": wide, "height": high}, color_scheme=scheme
            )
            page = context.new_page()
            page.goto(f"{address}/?token={TOKEN}")
            answer = page.goto(f"{address}{path}")
            if answer is None or answer.status != 200:
                raise SystemExit(f"{path} could not be opened")
            page.screenshot(path=os.path.join(target, f"{name}.png"))
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
