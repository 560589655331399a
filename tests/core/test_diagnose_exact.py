"""What a diagnosis says, word for word where the words depend on something."""

from __future__ import annotations

import pytest

from leftoff.core.diagnose import diagnose
from leftoff.core.diagnose_place import (
    OLD_SENTINEL,
    Hook,
    Left,
    Listed,
    Marker,
    Signs,
    around,
    running,
)
from leftoff.core.facts import NO_COMMIT, NO_GIT, Facts, Repository
from leftoff.core.model import Finding
from leftoff.core.stream import Glance, Stream
from leftoff.core.thresholds import DEFAULTS
from leftoff.core.when import DAY, HOUR, instant, stamp

NOW = instant("2026-08-08T12:00:00Z")
OLD = "2026-01-02T03:04:05Z"


def stream(name="a", *found, **fields):
    glance = Glance(f"{name}.json", "skill", name, status="in_progress")
    return Stream(glance._replace(**fields), (), found)


def said(*streams, facts=None, every=()):
    found = diagnose(streams, facts or Facts(), DEFAULTS, NOW, every).findings
    return [(one.slug, one.where, one.text, one.fix) for one in found]


def only(*streams, **given):
    [found] = said(*streams, **given)
    return found


def test_a_stale_stream_says_since_which_day():
    for times in ({"updated": OLD}, {"created": OLD}, {"created": "2025-12-31", "updated": OLD}):
        slug, where, text, _ = only(stream(**times, touched=instant(OLD)))
        assert (slug, where) == ("stale", "a.json")
        assert text == "stale (218d): in progress, but not touched since 2026-01-02"


def test_a_time_in_the_future_is_saved_again_in_the_way_of_its_format():
    late = {"updated": stamp(NOW + 2 * DAY), "touched": NOW + 2 * DAY}
    assert only(stream(**late))[3] == "save it again with the right time"
    assert only(stream(**late, format="md"))[3] == "leftoff delta a --what TEXT"


def test_a_broken_document_stops_no_other_and_is_repaired_by_hand():
    own = Finding("bad", "warning", "x", "odd")
    hand = "fix it by hand, or restore an older version from git"
    found = said(
        stream("a", own, broken="no JSON"),
        stream("b", own),
        stream("c", updated=OLD, touched=instant(OLD)),
    )
    assert found[0] == ("broken", "a.json", "no JSON", hand)
    assert [one[:2] for one in found[1:]] == [
        ("bad", "a.json: x"),
        ("bad", "b.json: x"),
        ("stale", "c.json"),
    ]
    assert found[1][3] == hand
    assert found[2][3] == 'see "leftoff show b", then fix it'


def test_missing_files_are_counted_and_the_way_out_is_the_format_s():
    gone = Facts(missing=frozenset({"x", "y"}))
    one = only(stream(files=("x", "z")), facts=gone)
    assert one[2:] == (
        "it names a file that does not exist: x",
        "use the files' current names, or restore them from git",
    )
    two = only(stream(files=("x", "y"), format="md"), facts=gone)
    assert two[2:] == (
        "it names 2 files that do not exist: x, y",
        '"leftoff prune a --dry-run" shows what would be dropped',
    )


@pytest.mark.parametrize("why", [NO_GIT, NO_COMMIT])
def test_git_is_no_way_out_where_it_has_nothing(why):
    facts = Facts(Repository(why=why), missing=frozenset({"x"}))
    assert only(stream(broken="no JSON"), facts=facts)[3] == "fix it by hand"
    assert only(stream(files=("x",)), facts=facts)[3] == "use the files' current names"


def test_an_action_that_landed_is_told_by_its_number_whatever_it_says():
    facts = Facts(Repository(landed=frozenset({"#1"})))
    one = stream(actions=("Do [x]", "Merge [#1]"), tokens=(("#2",), ("#1",)))
    assert only(one, facts=facts)[2:] == (
        'next action 2, "Merge [#1]": #1 has already landed',
        'if that is so, "leftoff done a 2"',
    )


def test_the_way_out_says_the_format_where_any_other_document_has_the_name():
    gone, one = Facts(missing=frozenset({"x"})), stream("a", files=("x",), format="md")
    namesake = stream("a", format="task")
    for every, name in (((one,), "a"), ((one, namesake), "md:a")):
        fixes = [found[3] for found in said(one, facts=gone, every=every)]
        assert f'"leftoff prune {name} --dry-run" shows what would be dropped' in fixes


def test_what_landed_elsewhere_is_no_finding_here():
    facts = Facts(Repository(landed=frozenset({"#9"})))
    assert said(stream(actions=("Do",), tokens=(("#2",),)), facts=facts) == []


def test_folders_of_other_machines_and_other_authors_are_told_once_each():
    both = [
        stream("a", project_dir="/p"),
        stream("b", project_dir="/p"),
        stream("c", project_dir="/q"),
    ]
    assert [one[1:3] for one in said(*both)] == [
        ("a.json", "project_dir /p is not on this machine (2 documents say so)"),
        ("c.json", "project_dir /q is not on this machine"),
    ]
    authors = {"c": "Ann", "b": "Ann", "a": "Bob"}
    assert [one[1:3] for one in said(facts=Facts(authors=authors))] == [
        ("a", "last committed by Bob"),
        ("b", "last committed by Ann (and 1 more)"),
    ]


def test_of_some_documents_only_what_is_about_them_is_told():
    a, b, c = stream("a"), stream("b", id="a"), stream("c", parent="gone")
    twice = [one for one in said(a, b) if one[0] == "duplicate-id"]
    assert twice
    assert all(one[3] for one in twice)
    assert [one[0] for one in said(c)] == ["missing-parent"]
    assert said(stream("d"), every=[a, b, c, stream("d")]) == []
    assert [one[0] for one in said(c, every=[a, b, c])] == ["missing-parent"]
    assert len(said(a, b, c)) > len(said(c, every=[a, b, c]))


def test_files_beyond_the_first_ones_are_counted():
    over = diagnose(
        [stream(more_files=3), stream("b"), stream("c", more_files=4)], Facts(), DEFAULTS, NOW
    )
    assert over.capped == ("7 files that 2 documents name beyond the first ones",)
    assert diagnose([stream()], Facts(), DEFAULTS, NOW).capped == ()


# What is seen around the documents


def seen(**given):
    return [(one.slug, one.where, one.text) for one in around(Signs(**given), DEFAULTS, NOW)]


def test_hooks_that_are_there_twice_or_call_nothing():
    hooks = (
        Hook("codex", "prompt", "a.json", there=True),
        Hook("codex", "prompt", "b.json", there=True),
        Hook("codex", "stop", "a.json", there=True),
        Hook("gemini", "stop", "c.json", there=False),
        Hook("gemini", "prompt", "c.json", there=False),
    )
    assert seen(hooks=hooks, unhooked=("copilot",)) == [
        ("hook-twice", "a.json", "codex calls leftoff 2 times at prompt: a.json, b.json"),
        ("hook-gone", "c.json", "its hooks call leftoff at a path where it no longer is"),
        (
            "hook-missing",
            "",
            "copilot does not call leftoff: what happens in its sessions is not recorded here",
        ),
    ]


def test_a_client_whose_hooks_are_missing_or_gone_is_set_up_by_a_command():
    hooks = (Hook("gemini", "stop", "c.json", there=False),)
    found = around(Signs(hooks=hooks, unhooked=("copilot",)), DEFAULTS, NOW)
    assert {one.slug: one.fix for one in found} == {
        "hook-gone": "leftoff setup",
        "hook-missing": "leftoff setup",
    }


def test_a_folder_that_grew_is_told_in_megabytes():
    [(_, where, text)] = seen(heavy=(("archive", 5 << 20),))
    assert (where, text.partition(";")[0]) == ("archive", "has grown to 5 MB")


def test_what_was_left_is_old_after_its_limit_and_a_dead_marker_is_over():
    left = [Left("a", OLD_SENTINEL), Left("b", OLD_SENTINEL + 0.9 * DAY)]
    left += [
        Left("c", 0, "x", there=False),
        Left("d", 0, "x"),
        Left("e", 0, trouble="torn"),
    ]
    days = int(OLD_SENTINEL // DAY)
    assert seen(left=tuple(left)) == [
        ("sentinel-old", "b", f"was left {days} days ago and nobody picked it up"),
        ("sentinel-target", "c", "points at x, which does not exist"),
        ("sentinel", "e", "torn"),
    ]
    markers = (Marker("m", "qa", 7, alive=False), Marker("n", "qa", 8, alive=True))
    assert seen(markers=markers) == [
        ("dead-marker", "m", "says that qa is working, but its process 7 is not")
    ]


def test_a_listed_session_is_stale_after_its_limit_by_whole_hours():
    limit = DEFAULTS["stale.session"]
    listed = (
        Listed("r", "at", stamp(NOW - limit)),
        Listed("r", "over", stamp(NOW - limit - 1.9 * HOUR)),
        Listed("r", "odd", "?"),
    )
    hours = int((limit + 1.9 * HOUR) // HOUR)
    assert [text for _, _, text in seen(listed=listed)] == [
        f"session over is listed as active, but was last seen {hours} h ago",
        "session odd is listed as active, but was last seen at an unknown time",
    ]


@pytest.mark.parametrize(
    ("version", "same"),
    [
        *(("a1b2c3d", True), ("A1B2C3D-dirty", True), ("a1b2c3", False), ("b2c3d4e", False)),
        *(("a1b2c3d4e5f6a7", True), ("1.2.3", False), ("", False)),
    ],
)
def test_what_runs_is_head_where_one_name_begins_the_other(version, same):
    found = [*running("http://x", (version,), "a1b2c3d4e5f6")]
    assert (found == []) is same
    if not same:
        assert found[0].text == f"http://x runs {version}, and HEAD is a1b2c3d4e"
    assert next(iter(running("http://x", ("a1b2c3d",), ""))).text.endswith("HEAD is no commit")
