"""A thread's CHECKPOINT.md (format E): title, bold lines, sections; real files; the laws under fire."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.md_strategies import checkpoints, documents, keeps, obeys
from leftoff.core.model import COMPLETE, IN_PROGRESS, Checkpoint, Item
from leftoff.errors import FormatError, Usage
from leftoff.formats import Change
from leftoff.formats import thread as lens
from support import shared

PATH = ".checkpoints/threads/thread-a/CHECKPOINT.md"
FULL = """\
# Checkpoint: 重构认证模块

**Thread ID**: thread-a
**Saved**: 2026-02-14T11:10:00+08:00
**Branch**: main
**Last Commit**: `046b45e` - docs: add
**Session History**: 2 sessions in thread

## Current Task

Mend the login.

## Completed Work

### Session #001

- found it

## Uncommitted Changes

| File | Type | Description |
|------|------|-------------|
| b.py | M | half done |

## Key Design Decisions

| Decision | Rationale | Session |
|----------|-----------|---------|
| Use RS256 | rotation | #001 |

## Test State

```
3 passed
```

## Key Files

| File | Role | Lines |
|------|------|-------|
| `a.py` | the timer | ~240 |

## Next Steps

Some prose.

1. [P1] Mend it
2. [P2] Ship it

## Session History

| # | Name | Archived | Context Used |
|---|------|----------|--------------|
| 001 | found it | 2026-02-10 12:50 | ~95% |

## Architecture Context

Kept.
"""


def test_every_field_is_read_from_its_place():
    c = lens.read(FULL, PATH)
    assert (c.id, c.name, c.status) == ("thread-a", "重构认证模块", IN_PROGRESS)
    assert (c.updated, c.branch) == ("2026-02-14T11:10:00+08:00", "main")
    assert c.commit == "`046b45e` - docs: add"
    assert (c.intent, c.summary) == ("Mend the login.", "### Session #001\n\n- found it")
    assert c.tests == "```\n3 passed\n```"
    assert c.decisions == (Item("Use RS256", attrs={"rationale": "rotation", "session": "#001"}),)
    uncommitted = {"status": "M", "change": "half done", "area": "uncommitted"}
    assert c.artifacts == (
        Item("a.py", attrs={"change": "the timer", "Lines": "~240"}),
        Item("b.py", attrs=uncommitted),
    )
    assert [step.get("priority") for step in c.next_actions] == ["P1", "P2"]
    assert c.history == (
        Item("found it", "001", {"at": "2026-02-10 12:50", "Context Used": "~95%"}),
    )
    assert c.extra == {
        "lines": {"Session History": "2 sessions in thread"},
        "Architecture Context": "Kept.",
    }


def test_a_thread_is_complete_when_it_has_steps_and_all_are_ticked():
    ticked = FULL.replace("1. [P1]", "1. [x] [P1]").replace("2. [P2]", "2. [x] [P2]")
    assert lens.read(ticked, PATH).status == COMPLETE
    assert lens.read(FULL.replace("1. [P1]", "1. [x] [P1]"), PATH).status == IN_PROGRESS
    assert lens.read("# Checkpoint: x\n\n## Next Steps\n\nnone\n", PATH).status == IN_PROGRESS
    assert lens.hold(Checkpoint("t", status=COMPLETE)).status == IN_PROGRESS


def test_without_a_thread_id_the_folder_is_one():
    assert lens.read("# Checkpoint: x\n", PATH).id == "thread-a"
    text = lens.write(Checkpoint("thread-a", name="x"), "", PATH)
    assert "**Thread ID**: thread-a\n" in text


@pytest.mark.parametrize(
    ("text", "is_mine"),
    [
        (FULL, True),
        ("# Checkpoint: x\n", True),
        ("**Thread ID**: thread-a\n", True),
        ("## Next Steps (Priority Order)\n\n1. x\n", True),
        (".checkpoints/threads/thread-a/CHECKPOINT.md", False),
        ("# Notes\n\n## Problem\n", False),
        ("```\n# Checkpoint: x\n```\n", False),
        (" \n", True),
    ],
)
def test_content_decides_whose_a_text_is(text, is_mine):
    assert lens.mine(text, PATH) is is_mine


@pytest.mark.req("E.save.content")
def test_a_new_document_follows_the_template():
    c = lens.read(FULL, PATH)._replace(extra={})
    text = lens.write(c, "", lens.path(c))
    assert [line for line in text.split("\n") if line.startswith(("#", "**"))] == [
        "# Checkpoint: 重构认证模块",
        *("**Thread ID**: thread-a", "**Saved**: 2026-02-14T11:10:00+08:00", "**Branch**: main"),
        "**Last Commit**: `046b45e` - docs: add",
        *("## Current Task", "## Completed Work", "### Session #001", "## Uncommitted Changes"),
        *("## Key Decisions", "## Test State", "## Key Files", "## Next Steps (Priority Order)"),
        "## Session History",
    ]
    assert "1. [P1] Mend it\n2. [P2] Ship it\n" in text
    assert lens.check(text, lens.path(c)) == []


@pytest.mark.req("X.round.lossless")
@pytest.mark.parametrize(
    ("field", "value", "old", "new"),
    [
        ("updated", "2026-03-01", "2026-02-14T11:10:00+08:00", "2026-03-01"),
        ("branch", "", "**Branch**: main\n", ""),
        ("name", "x", "# Checkpoint: 重构认证模块", "# Checkpoint: x"),
        ("tests", "none", "```\n3 passed\n```", "none"),
        ("blockers", (Item("b", "b1", {"needs": "user_decision"}),), "## Session History\n",
         "## Blockers\n\n- b [id: b1] [needs: user_decision]\n\n## Session History\n"),
        ("decisions", (), "| Use RS256 | rotation | #001 |\n", ""),
    ],
)  # fmt: skip
def test_a_change_touches_its_own_lines(field, value, old, new):
    c = lens.read(FULL, PATH)._replace(**{field: value})
    assert lens.write(c, FULL, PATH) == FULL.replace(old, new, 1)


def test_ticking_a_step_and_dropping_it_touches_the_list_only():
    c = lens.read(FULL, PATH)
    first, second = c.next_actions
    ticked = first._replace(attrs={**first.attrs, "done": True})
    written = lens.write(c._replace(next_actions=(ticked, second)), FULL, PATH)
    assert written == FULL.replace("1. [P1]", "1. [x] [P1]")
    written = lens.write(c._replace(next_actions=(second,)), FULL, PATH)
    assert written == FULL.replace("1. [P1] Mend it\n2.", "1.")


@pytest.mark.parametrize("before", [FULL.partition("## Uncommitted")[0], "# Checkpoint: x\n\n"])
def test_uncommitted_changes_are_files_as_a_table_and_a_text_otherwise(before: str):
    text = before + "## Uncommitted Changes\n\n```\n- data/\n```\n"
    c = lens.read(text, PATH)
    assert c.artifacts == ()
    assert c.extra["Uncommitted Changes"] == "```\n- data/\n```"
    more = (Item("b.py", attrs={"area": "uncommitted"}),)
    written = lens.write(c._replace(artifacts=more), text, PATH)
    both = lens.read(written, PATH)
    assert both.artifacts == more
    assert both.extra["Other Uncommitted Changes"] == "```\n- data/\n```"
    assert written.count("- data/") == 1


def test_a_file_moves_between_the_two_tables_with_its_area():
    c = lens.read(FULL, PATH)
    files = tuple(item._replace(attrs={**item.attrs, "area": ""}) for item in c.artifacts)
    written = lens.write(c._replace(artifacts=files), FULL, PATH)
    assert "| `b.py` [status: M] | half done |  |" in written
    assert "| b.py | M | half done |" not in written


@pytest.mark.parametrize(
    ("old", "new", "slug"),
    [
        ("# Checkpoint: 重构认证模块\n", "", "no-title"),
        ("**Thread ID**: thread-a", "**Thread ID**: thread-b", "other-id"),
        ("2026-02-14T11:10:00+08:00", "yesterday", "bad-time"),
        ("## Next Steps\n", "## Later\n", "no-steps"),
    ],
)
def test_each_rule_says_what_is_wrong(old, new, slug):
    assert lens.check(FULL, PATH) == []
    (finding,) = lens.check(FULL.replace(old, new), PATH)
    assert (finding.slug, finding.level) == (slug, "warning")


def test_a_damaged_text_names_the_line():
    with pytest.raises(FormatError) as raised:
        lens.read(FULL.replace("Some prose.", "<<<<<<< HEAD"), PATH)
    assert raised.value.line == FULL.split("\n").index("Some prose.") + 1


@pytest.mark.shared
@pytest.mark.req("X.import.tolerant")
def test_real_files_are_read_whole():
    for folder in ("MCP-Nexus-a698b0e7", "MCP-Nexus-e847b003"):
        path = "dot-checkpoints/threads/thread-cabae2b8/CHECKPOINT.md"
        with open(shared("samples/hapi-thread", folder, path), encoding="utf-8") as file:
            c = lens.read(file.read(), PATH)
        assert (c.id, c.name, c.branch) == ("thread-cabae2b8", "MCP-Nexus 架构优化", "main")
        assert len(c.decisions) >= 5
        assert all(item.get("session").startswith("#") for item in c.decisions)
        assert len(c.history) >= 10
        assert c.history[0].get("at") == "2026-02-10 12:50"
        assert len(c.artifacts) == 5
        assert len(c.next_actions) in {3, 4}
        assert "Acceptance Criteria" in c.extra
    alias = shared("samples/hapi-thread", "MCP-Nexus-19294d38", "CHECKPOINT.md")
    with open(os.fspath(alias), encoding="utf-8") as file:
        assert not lens.mine(file.read(), "CHECKPOINT.md")


@pytest.mark.parametrize(
    ("path", "op", "value", "old", "new"),
    [
        (("saved",), "=", "2026-03-01", "2026-02-14T11:10:00+08:00", "2026-03-01"),
        (("next_steps",), "+=", "Rest", "2. [P2] Ship it\n", "2. [P2] Ship it\n3. Rest\n"),
        (("current_task",), "=", "Other.", "Mend the login.", "Other."),
        (("title",), "=", "x", "重构认证模块", "x"),
        (("Session History",), "=", [], "| 001 | found it | 2026-02-10 12:50 | ~95% |\n", ""),
    ],
)
def test_update_sets_fields_by_either_name(path, op, value, old, new):
    assert lens.assign(FULL, PATH, [Change(path, op, value)]) == FULL.replace(old, new, 1)


def test_update_adds_a_line_only_when_told_to_and_never_sets_the_status():
    for path in (("owner",), ("status",)):
        with pytest.raises(Usage):
            lens.assign(FULL, PATH, [Change(path, "=", "me")])
    line = "**Session History**: 2 sessions in thread\n"
    written = lens.assign(FULL, PATH, [Change(("Owner",), "=", "me", new_key=True)])
    assert written == FULL.replace(line, f"{line}**Owner**: me\n")


@given(documents())
def test_any_text_is_kept_as_it_is(text):
    keeps(lens, text, PATH)


@given(checkpoints, st.just("") | st.just(FULL) | documents())
def test_any_checkpoint_comes_back_from_any_text(c, text):
    obeys(lens, c, text)


def test_a_line_of_ours_goes_before_those_of_others():
    text = "# Checkpoint: x\n\n**Mood**: fine\n\n## Current Task\n\ny\n"
    c = lens.read(text, PATH)
    assert lens.write(c._replace(branch="main"), text, PATH) == text.replace(
        "**Mood**", "**Branch**: main\n**Mood**"
    )


def test_a_text_under_the_heading_of_a_table_takes_the_tables_place():
    c = lens.read(FULL, PATH)
    own = tuple(one for one in c.artifacts if one.attrs.get("area") != "uncommitted")
    want = c._replace(artifacts=own, extra={**c.extra, "Uncommitted Changes": "none of note"})
    text = lens.write(want, FULL, PATH)
    assert lens.read(text, PATH) == want
    assert text.count("## Uncommitted Changes") == 1


def test_an_emptied_section_stays_empty_beside_a_namesake_that_says_something():
    text = "# Checkpoint: x\n\n**Thread ID**: thread-a\n\n## Notes\n\none\n\n## Notes\n\ntwo\n"
    c = lens.read(text, PATH)
    want = c._replace(extra={**c.extra, "Notes": ""})
    made = lens.write(want, text, PATH)
    assert lens.read(made, PATH) == want
    assert "two" in made
