"""The lineage as values: every stream once, whatever the documents claim of their parents."""

from __future__ import annotations

import pytest

from leftoff.commands import plainly
from leftoff.core.lineage import DEEPEST, active_below, drawing, forest, unknown_parent
from leftoff.core.stream import Glance


def stream(name, parent="", status="in_progress", kind="md", **more):
    path = f"{kind}/{name}{more.pop('copy', '')}"
    more = {"created": "2026-08-05T10:00:00Z", "born": 1.0, **more}
    return Glance(path, kind, name, parent=parent, status=status, **more)


def names(nodes):
    """The ids of a drawing's nodes, nested as they are."""
    return {node["id"]: names(node["children"]) for node in nodes}


def everyone(nodes):
    return [name for node in nodes for name in (node["id"], *everyone(node["children"]))]


def slugs(found):
    return [finding.slug for finding in found.findings]


@pytest.mark.req("B.parent.root")
def test_a_root_stands_at_the_top_and_each_of_three_forks_once_below_it():
    found = forest([stream("r"), stream("a", "r"), stream("b", "r"), stream("c", "r"), stream("x")])
    assert names(found.roots) == {"r": {"a": {}, "b": {}, "c": {}}, "x": {}}
    assert not found.findings


def test_the_oldest_comes_first_and_one_without_a_date_last():
    found = forest([stream("n", born=None), stream("b", born=2.0), stream("a", born=0.0)])
    assert [node["id"] for node in found.roots] == ["a", "b", "n"]


@pytest.mark.req("B.parent.fork")
def test_a_parent_that_is_not_here_is_named_and_an_archived_one_is_not_missed():
    found = forest([stream("a", "gone"), stream("old", status="archived"), stream("b", "old")])
    assert names(found.roots) == {"a": {}, "old": {"b": {}}}
    assert slugs(found) == ["missing-parent"]
    assert "gone" in found.findings[0].text


def test_every_member_of_a_cycle_and_what_hangs_on_it_appears_once():
    glances = [stream("a", "c"), stream("b", "a"), stream("c", "b"), stream("d", "b")]
    glances += [stream("self", "self")]
    found = forest(glances)
    assert sorted(everyone(found.roots)) == ["a", "b", "c", "d", "self"]
    assert slugs(found) == ["parent-cycle", "parent-cycle"]
    assert "a → c → b → a" in found.findings[0].text


def test_an_id_used_twice_is_named_and_its_forks_are_drawn_once():
    found = forest([stream("a"), stream("a", copy="2"), stream("b", "a")])
    assert sorted(everyone(found.roots)) == ["a", "a", "b"]
    assert slugs(found) == ["duplicate-id"]
    assert "md/a2" in found.findings[0].text


def test_a_parent_of_the_same_format_comes_before_a_namesake_of_another():
    glances = [stream("a", kind="md"), stream("a", kind="skill"), stream("b", "a", kind="skill")]
    assert [len(node["children"]) for node in forest(glances).roots] == [0, 1]
    assert not forest(glances).findings


def test_what_a_filter_hides_leaves_its_forks_at_the_top_with_a_word_on_where_they_came_from():
    glances = [stream("r"), stream("old", "r", "archived"), stream("new", "old")]
    active = forest(glances, "active")
    assert names(active.roots) == {"r": {}, "new": {}}
    assert {node["id"]: node["note"] for node in active.roots} == {"r": "", "new": "from old"}
    assert names(forest(glances, "archived").roots) == {"old": {}}


def test_a_chain_deeper_than_a_drawing_is_folded_and_nobody_is_lost():
    glances = [stream("c0"), *(stream(f"c{at}", f"c{at - 1}") for at in range(1, 3000))]
    roots = forest(glances).roots
    lines = drawing(roots, plainly)
    assert len(lines) == 3000
    assert max(map(len, lines)) < 5 * DEEPEST
    assert "(from c2998)" in lines[-1]


def test_active_descendants_are_found_at_any_depth_and_through_cycles_and_archived_ones():
    glances = [stream("r"), stream("a", "r", "archived"), stream("b", "a"), stream("c", "b")]
    glances += [stream("s", "r", "complete", kind="skill")]
    assert [one.id for one in active_below(glances, glances[0])] == ["b", "c"]
    ring = [stream("x", "y"), stream("y", "x")]
    assert [one.id for one in active_below(ring, ring[0])] == ["y"]


@pytest.mark.req("B.parent.fork")
def test_a_new_stream_is_warned_of_a_parent_that_is_not_here_but_not_of_an_archived_one():
    glances = [stream("old", status="archived")]
    assert unknown_parent(glances, "old") == unknown_parent(glances, "") == ()
    (found,) = unknown_parent(glances, "gone")
    assert (found.slug, found.level) == ("missing-parent", "warning")
    assert "gone" in found.text
