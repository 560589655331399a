"""Our Markdown scanner against markdown-it-py: headings, list items and tables on the same lines."""

from __future__ import annotations

import os
import random

import pytest
import yaml
from markdown_it import MarkdownIt

from leftoff.formats._md_front import entries, header_end, scalar
from leftoff.formats._md_scan import scan
from support import shared

REFERENCE = MarkdownIt("commonmark", {"html": True}).enable("table")

# Hostile on purpose: everything that opens, closes, nests, continues lazily or only looks like it.
FRAGMENTS = """\
# a|## b|### c ##|####### x|- a|* b|+ c|1. d|2. e|3) f|-|1.|> q|>|```|~~~|````|```py|    code|\tcode|  - n
    - n|  text|text|foo bar||||---|***|===|- - -|<!--|-->|<!-- x -->|<div>|</div>|<pre>|</pre>|<script>|</script>
<b>|<b>x|a :: b|--- :: ---|> - a|> ```|- ```|- > q|  > q|10. x|[a]: /u|\\# x|- # h|   # h|    # h|  ```|:-:|<?|?>
<!X|<![CDATA[|]]>|-\tx|-      code|  \t x|* * *|- 1. x|1. - x|> > x|>> y|  |\t|:: a :: b ::|::---::---::|:: 1 :: 2 ::
::x|:: a ::|:: - ::""".replace("\n", "|").split("|")
LINES = [fragment.replace("::", "|") for fragment in FRAGMENTS]

# One known difference, kept: `- | a |` before a delimiter row is a list item to us and a table to
# the reference, which looks for tables before lists.
ALLOWED = 0.002


def reference(text):
    found = set()
    for token in REFERENCE.parse(text):
        if token.type == "heading_open" and token.level == 0 and token.markup[0] == "#":
            found.add(("heading", token.map[0], len(token.markup)))
        elif token.type == "list_item_open" and token.level == 1:
            found.add(("item", token.map[0], 0))
        elif token.type == "table_open" and token.level == 0:
            found.add(("table", *token.map))
    return found


def ours(text):
    found = set()
    for block in scan(text.split("\n")).blocks:
        if block.kind == "heading":
            found.add(("heading", block.start, block.level))
        elif block.kind == "item":
            found.add(("item", block.start, 0))
        elif block.kind == "table":
            found.add(("table", block.start, block.end))
    return found


@pytest.mark.req("X.read.fences")
@pytest.mark.parametrize("seed", range(3))
def test_hostile_texts_have_the_same_structure(seed):
    rng = random.Random(seed)
    texts = ["\n".join(rng.choices(LINES, k=rng.randint(2, 12))) for _ in range(1500)]
    differing = [text for text in texts if ours(text) != reference(text)]
    assert len(differing) <= ALLOWED * len(texts), differing[:3]


@pytest.mark.req("X.read.fences", "X.import.tolerant")
def test_real_documents_have_the_same_structure_whole_and_mutated():
    rng = random.Random(4)
    for text in _samples():
        assert ours(text) == reference(text)
        lines = text.split("\n")
        for _ in range(20):
            at = rng.randrange(len(lines))
            mutated = "\n".join([*lines[:at], rng.choice(LINES), *lines[at + rng.randint(0, 1) :]])
            assert ours(mutated) == reference(mutated)


def _samples():
    """Every Markdown sample without its header, which is YAML and not Markdown."""
    for place, _, names in os.walk(shared("samples")):
        for name in names:
            if name.endswith(".md"):
                with open(os.path.join(place, name), encoding="utf-8", newline="") as file:
                    lines = file.read().replace("\r\n", "\n").split("\n")
                yield "\n".join(lines[header_end(lines) :])


@pytest.mark.parametrize(
    "value",
    [
        "plain",
        "a: b # c",
        "#x",
        "- x",
        "'q'",
        '"d"',
        "1",
        "true",
        "null",
        "~",
        "a #b",
        "a#b",
        "{x}",
        "重构",
    ],
)
def test_header_values_are_what_yaml_says(value):
    lines = ["---", f"anchor: {scalar(value)}  # a comment", "---", ""]
    assert yaml.safe_load("\n".join(lines[1:-2])) == {"anchor": value}
    (entry,) = entries(lines, header_end(lines))
    assert (entry.key, entry.value) == ("anchor", value)
