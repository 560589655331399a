"""What validate says of Markdown checkpoints: the rules of specification 1.3.0, one by one."""

from __future__ import annotations

import json

import pytest

from projects import NOW, get, markdown, put
from support import run

PATH = "checkpoints/active/chk-a.md"
SECTIONS = (
    "## Problem",
    "## Session Intent",
    "### Decisions",
    "### Technical Context",
    "### Play-By-Play",
    "### Artifact Trail",
    "### Current State",
    "### Next Actions",
)


def found(root, text, level, path=PATH):
    """The texts of the findings of one level for a document."""
    put(root, path, text)
    answer = json.loads(run("validate", "--json", "--now", NOW, cwd=root).stdout)
    (document,) = answer["data"]["documents"]
    return [f["text"] for f in document["findings"] if f["level"] == level]


def without(text, heading):
    """The text with a section cut out, heading and all."""
    before, _, rest = text.partition(heading + "\n")
    body = rest.split("\n#", 1)
    return before + ("#" + body[1] if len(body) > 1 else "")


@pytest.mark.req("B.header.optional", "B.body.optional")
def test_the_smallest_complete_checkpoint_is_silent(root):
    text = without(markdown("chk-a", header=""), "## User Rules")
    assert found(root, text, "error") == found(root, text, "warning") == []


@pytest.mark.req("B.header.id")
def test_an_empty_or_missing_id_is_an_error(root):
    for line in ("checkpoint:\n", ""):
        text = markdown("chk-a").replace("checkpoint: chk-a\n", line)
        assert found(root, text, "error")


@pytest.mark.req("B.header.created", "X.time.any-zone")
@pytest.mark.parametrize(
    ("created", "good"),
    [
        ("2026-01-05", True),
        ("2026-01-05T10:00:00", True),
        ("2026-01-05T10:00:00+08:00", True),
        ("yesterday", False),
        ("2026-13-05", False),
        ("", False),
    ],
)
def test_created_may_lack_a_time_or_zone_but_must_be_a_date(root, created, good):
    text = markdown("chk-a").replace("2026-08-05T10:00:00Z", created)
    assert bool(found(root, text, "error")) is not good
    assert run("status", "--now", NOW, cwd=root).returncode == 0


@pytest.mark.req("B.status.values")
def test_an_unknown_status_warns_reads_as_active_and_stays_in_the_file(root):
    text = markdown("chk-a", header="status: done\n")
    assert any("done" in warning for warning in found(root, text, "warning"))
    (stream,) = json.loads(run("status", "--json", "--now", NOW, cwd=root).stdout)["data"][
        "streams"
    ]
    assert (stream["status"], stream["current"]) == ("in_progress", False)
    run("update", "chk-a", "--anchor=x", cwd=root)
    assert "status: done\n" in get(root, PATH)


@pytest.mark.req("B.body.required")
@pytest.mark.parametrize("heading", SECTIONS)
def test_each_required_section_is_missed(root, heading):
    (error,) = found(root, without(markdown("chk-a"), heading), "error")
    assert heading.lstrip("# ") in error


@pytest.mark.req("X.read.fences")
def test_a_heading_in_a_fence_or_comment_satisfies_nothing(root):
    for wrapped in ("```\n## Problem\n\nx\n```\n", "<!--\n## Problem\n\nx\n-->\n"):
        text = without(markdown("chk-a"), "## Problem")
        text = text.replace("## Session Intent\n", wrapped + "\n## Session Intent\n")
        assert any("Problem" in error for error in found(root, text, "error"))


@pytest.mark.req("X.read.fences")
def test_table_rows_count_as_entries(root):
    table = "| Decision | Why |\n|---|---|\n| Use RS256 | rotation |\n| Short tokens | theft |"
    text = markdown("chk-a", decisions=table)
    assert not [a for a in found(root, text, "advice") if "decisions" in a]
    assert [
        a for a in found(root, markdown("chk-a", decisions="- One"), "advice") if "decisions" in a
    ]


@pytest.mark.req("B.body.breadcrumbs")
def test_an_unknown_breadcrumb_type_warns(root):
    crumbs = (
        "### Breadcrumbs\n\n| Type | Reference | Hint |\n|---|---|---|\n| {} | `app.py` | x |\n\n"
    )
    base = markdown("chk-a")
    for kind, count in (("file", 0), ("rumour", 1)):
        text = base.replace("### Play-By-Play", crumbs.format(kind) + "### Play-By-Play")
        assert len(found(root, text, "warning")) == count


@pytest.mark.req("B.body.trail")
def test_an_unknown_state_of_a_file_warns(root):
    trail = "| File | Status | Key Change |\n|---|---|---|\n| `app.py` | {} | x |"
    for state, count in (("created", 0), ("modified", 0), ("deleted", 0), ("moved", 1)):
        text = markdown("chk-a", trail=trail.format(state))
        assert len(found(root, text, "warning")) == count


@pytest.mark.req("B.body.completion")
def test_a_completion_belongs_into_the_archive(root):
    text = markdown("chk-a") + "\n## Completion\n\n- **Status**: Archived\n"
    assert len(found(root, text, "warning")) == 1


def test_a_completion_in_the_archive_is_silent(root):
    text = markdown("chk-a") + "\n## Completion\n\n- **Status**: Archived\n"
    assert found(root, text, "warning", "checkpoints/archive/chk-a.md") == []
