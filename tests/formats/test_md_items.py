"""Items in lists and tables: their spelling, and edits that touch their own lines only."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from formats.md_strategies import items, lines
from leftoff.core.model import Item
from leftoff.formats._markdown import parse, render
from leftoff.formats._md_item_lines import columns_of, lines_of, list_text, row_item, row_line
from leftoff.formats._md_items import TEXT, Form, listing, spell, spelled, tidy
from leftoff.formats._md_lists import entries, items_of, set_items
from leftoff.formats._md_scan import scan

ACTIONS = listing("next_actions")
FILES = listing("artifacts", ((TEXT, "File"), ("status", "Status")), code=True)
LABELLED = listing("artifacts", code=True)._replace(labels=("session-state",))
STEPS = listing("decisions", marker="1.")
SPECS = st.sampled_from([ACTIONS, FILES, LABELLED, STEPS])


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("do it", Item("do it")),
        ("[ ] do it", Item("do it")),
        ("[x] [P1] do it", Item("do it", attrs={"done": "x", "priority": "P1"})),
        ("do it [done_when: a[0] is set]", Item("do it", attrs={"done_when": "a[0] is set"})),
        ("do it [id: b-1] [draft]", Item("do it", "b-1", {"draft": "x"})),
        ("do it [+Owner: Ann]", Item("do it", attrs={"Owner": "Ann"})),
        ("see [note: this] and [id]", Item("see [note: this] and [id]")),
        ("[P1](link) is text", Item("[P1](link) is text")),
        ("\\[x] is text \\[draft]", Item("[x] is text [draft]")),
        ("one<br>two [draft]", Item("one\ntwo [draft]")),
    ],
)
def test_a_text_spells_an_item(text, item):
    assert spelled(text, ACTIONS)[0] == item


def test_a_label_before_a_colon_and_backticks_around_a_path_are_no_text():
    assert spelled("session-state: `a/b.md`", LABELLED)[0] == Item(
        "a/b.md", "", {"label": "session-state"}
    )
    assert spelled("`a.py` [status: created]", FILES)[0] == Item("a.py", "", {"status": "created"})
    assert spelled("`a` and `b`", FILES)[0] == Item("`a` and `b`")


@given(items, SPECS, st.booleans(), st.booleans(), st.sampled_from(["-", "*", "3.", "10)"]))
@example(Item("[draft]"), ACTIONS, False, False, "-")
@example(Item("- -"), ACTIONS, False, False, "-")
@example(Item("a", attrs={"Note: x": "[unpaired"}), ACTIONS, True, False, "1.")
def test_a_tidy_item_comes_back_from_a_list_and_from_a_table(item, spec, box, code, marker):
    (held, *_) = (*tidy([item], spec), None)
    assert tidy([held], spec) == (held,) if held else not tidy(tidy([item], spec), spec)
    if not held:
        return
    form = Form(marker, "", box, code)
    assert spelled(spell(held, spec, form), spec)[0] == held
    made = lines_of(held, spec, form)
    seen = scan(["## A", *made, "", "## B"]).blocks
    assert [block.kind for block in seen] == ["heading", "item", "heading"]
    assert spelled(list_text(made, seen[1].level), spec)[0] == held
    for header in ("| Type | Reference | Hint |", "| id | x | Lines | x |", "| done | a |"):
        columns = columns_of(header, spec)
        row = row_line(held, spec, Form(box=box, code=code, columns=columns))
        assert row_item(row, columns, spec)[0] == held


def section(body):
    doc = parse(f"## S\n{body}\n## After\n\nrest\n")
    return doc, doc.sections[0]


def edited(body, spec, want):
    doc, at = section(body)
    made = render(set_items(doc, at, spec, want))
    return made.removeprefix("## S\n").removesuffix("\n## After\n\nrest\n")


def read(body, spec):
    return items_of(*section(body), spec)


def test_the_items_of_a_section_are_its_list_items_and_rows_in_order_and_prose_is_none():
    body = "\nintro\n\n- a\n  - nested\n\n| File | Status | Lines |\n|---|---|---|\n| `b` | created | 3 |\n\n1. c\n"
    assert read(body, FILES) == (
        Item("a\n- nested"),
        Item("b", attrs={"status": "created", "Lines": "3"}),
        Item("c"),
    )


@pytest.mark.parametrize(
    ("body", "new", "after"),
    [
        ("\n* a\n* b\n", ["a", "b", "c"], "\n* a\n* b\n* c\n"),
        ("\n1. a\n2. b\n", ["a", "b", "c"], "\n1. a\n2. b\n3. c\n"),
        ("\n1. a\n1. b\n", ["a", "b", "c"], "\n1. a\n1. b\n1. c\n"),
        ("\n1) a\n2) b\n3) c\n", ["b", "c"], "\n1) b\n2) c\n"),
        ("\n- a\n\n- b\n", ["a", "b", "c"], "\n- a\n\n- b\n\n- c\n"),
        ("\n- [ ] a\n", ["a", "b"], "\n- [ ] a\n- [ ] b\n"),
        ("\n- a\n- b\n- c\n", ["c", "a", "b"], "\n- c\n- a\n- b\n"),
        ("\n- a\n- b\n- c\n", ["a", "B!", "c"], "\n- a\n- B!\n- c\n"),
        ("\n- a\n- b\n", [], "\n"),
        ("\nprose\n", ["a"], "\nprose\n\n- a\n"),
        ("", ["a"], "\n- a\n"),
        ("\nprose:\n1. a\n2. b\n", ["b"], "\nprose:\n1. b\n"),
        ("\n- a\n  more\n\nprose\n- b\n", ["b"], "\nprose\n- b\n"),
    ],
)
def test_an_edit_keeps_the_form_of_the_list(body, new, after):
    assert edited(body, ACTIONS, [Item(text) for text in new]) == after


@pytest.mark.parametrize(
    ("rows", "want", "after"),
    [
        ("| `a` | created |", [Item("a", attrs={"status": "deleted"})], "| `a` | deleted |"),
        ("| `a` | created |", [Item("a", attrs={"status": "created"}), Item("b|c")],
         "| `a` | created |\n| `b\\|c` |  |"),
        ("| a | x |", [Item("a", attrs={"status": "x", "note": "n"})], "| a [+note: n] | x |"),
        ("| a | x | extra |", [Item("b", attrs={"status": "x"})], "| b | x | extra |"),
    ],
)  # fmt: skip
def test_an_edit_of_a_table_touches_the_row(rows, want, after):
    head = "\n| File | Status |\n|:--|--:|\n"
    assert edited(f"{head}{rows}\n", FILES, want) == f"{head}{after}\n"


def test_a_new_section_gets_the_table_of_its_format():
    assert edited("", FILES._replace(ticks=True), [Item("a.py", attrs={"status": "created"})]) == (
        "\n| File | Status |\n|------|--------|\n| `a.py` | created |\n"
    )


BODIES = st.lists(
    lines.filter(lambda line: "\n" not in line and "\r" not in line)
    | st.sampled_from(["* c", "3) x", "  more", "| File | Status |", "| `a` | created |", "lazy"]),
    max_size=10,
)


@given(BODIES, st.lists(items, max_size=4), SPECS, st.data())
def test_any_items_come_back_from_any_section_and_what_else_it_holds_stays(body, new, spec, data):
    doc = parse("\n".join(["# T", "", "## S", *body]))
    at = next(section for section in doc.sections if section.title == "S")
    have = items_of(doc, at, spec)
    assert render(set_items(doc, at, spec, have)) == render(doc)
    old = data.draw(st.lists(st.sampled_from(have), max_size=4)) if have else []
    want = tuple(data.draw(st.permutations([*old, *tidy(new, spec)])))
    made = parse(render(set_items(doc, at, spec, want)))
    again = next(section for section in made.sections if section.head == at.head)
    assert items_of(made, again, spec) == want
    taken = {line for one in entries(doc, at, spec) for line in range(one.start, one.end)}
    left = [line.strip() for line in made.plain]
    for number, line in enumerate(doc.plain):
        if number not in taken and line.strip():
            left.remove(line.strip())


def test_a_row_of_empty_cells_is_no_item_and_stays():
    text = "## A\n\n| File | Status |\n|---|---|\n| | |\n| a.py | M |\n"
    doc = parse(text)
    assert items_of(doc, doc.sections[0], FILES) == (Item("a.py", attrs={"status": "M"}),)
    made = set_items(doc, doc.sections[0], FILES, [Item("b.py")])
    assert "| | |" in render(made)


@pytest.mark.parametrize("text", ["do it [:]", "do it [: x]"])
def test_brackets_without_a_key_are_text(text):
    assert spelled(text, ACTIONS)[0] == Item(text)


def test_a_section_without_its_only_item_keeps_what_stood_around_it_apart():
    doc = parse("## A\ntext\n- # h\n<b>\n## B\n")
    made = parse(render(set_items(doc, doc.sections[0], ACTIONS, ())))
    assert [line for line in made.plain if line] == ["## A", "text", "<b>", "## B"]
    assert not items_of(made, made.sections[0], ACTIONS)
