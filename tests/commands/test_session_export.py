"""session export ID: a whole conversation as a page, a text or data, without secrets."""

from __future__ import annotations

import json
import os
from html.parser import HTMLParser

import pytest

from commands.test_session_archive import ONE, SECRET, data, read, session
from histories import HOUR, Talk, journal, started

HOSTILE = (
    "<script>alert(1)</script> \x1b[31mred\x1b[0m \u202eevil <img src=x onerror=y> `code`"
    f"\n# a heading\n</pre></section> & use {SECRET}"
)


def hostile(root: str) -> str:
    made = Talk(1, root).ask(HOUR, HOSTILE)
    made.answer(HOUR - 5, "I see.", 0, ("Bash", {"command": f"deploy --token {SECRET} '<b>'"}))
    return made.save()


class Page(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, list]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, attrs))

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("left", ["original", "archive"])
@pytest.mark.parametrize("kind", ["md", "html", "json"])
def test_a_conversation_is_exported_whole_and_hostile_text_is_text(root, kind, left):
    path = hostile(root)
    session(root, "archive")
    if left == "archive":
        os.remove(path)
    out = session(root, "export", ONE, "--format", kind).stdout
    assert SECRET not in out
    assert "[redacted:" in out
    assert "\x1b" not in out
    assert "\u202e" not in out if kind != "json" else True
    if kind == "html":
        page = Page(out)
        assert {tag for tag, _ in page.tags} <= {
            *("html", "head", "meta", "title", "style", "body", "h1", "ul", "li", "main"),
            *("section", "h2", "time", "pre", "p"),
        }
        assert not [name for _, attrs in page.tags for name, _ in attrs if name.startswith("on")]
        assert "<script>alert(1)</script>" in page.text
        assert "\u27e8U+202E\u27e9evil" in page.text
    elif kind == "json":
        turns = json.loads(out)["turns"]
        assert [one["role"] for one in turns] == ["user", "agent", "tool"]
        assert turns[0]["text"].startswith("<script>alert(1)</script> \x1b[31mred")
        assert turns[2]["tool"] == "Bash"
    else:
        assert "\\# a heading" in out
        assert "\\<script>" in out
        assert "- Bash: `deploy" in out


def test_a_conversation_goes_into_a_new_file_and_over_no_other(root):
    hostile(root)
    done = session(root, "export", ONE, "--out", "talk.html")
    assert "talk.html" in done.stdout
    first = read(os.path.join(root, "talk.html"))
    assert first.startswith(b"<!DOCTYPE html>")
    assert "talk.html exists" in session(root, "export", ONE, "--out", "talk.html", code=4).stderr
    assert read(os.path.join(root, "talk.html")) == first
    assert data(root, "session", "export", ONE)["text"].startswith("# claude-code")


def test_without_an_id_the_registry_is_exported_as_ever(root):
    journal(1, started(HOUR, root))
    assert "activeSessions" in data(root, "session", "export")["registry"]
    assert "name its ID" in session(root, "export", "--format", "md", code=2).stderr
    assert "registry" in session(root, "export", ONE, "--write", code=2).stderr
    assert session(root, "export", "claude-code/none", code=3).returncode == 3
