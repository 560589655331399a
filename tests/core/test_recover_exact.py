"""Which sessions left work, and what of the world is theirs; learnings and exports, to the letter."""

from __future__ import annotations

import json

import pytest

from leftoff.core.digest import Digest
from leftoff.core.draft import Seen
from leftoff.core.export import About, pieces, shown
from leftoff.core.learnings import (
    TITLE,
    Learned,
    appended,
    blocks,
    completed,
    field,
    learnings,
    newest_first,
)
from leftoff.core.recover import (
    FORGOTTEN,
    at_a_start,
    is_over,
    is_saved,
    saved_at,
    theirs,
    unsaved,
    was_recovered,
    worked,
)
from leftoff.core.session import Event, Session
from leftoff.core.stats import Failure, Stats, Task
from leftoff.core.talk import Turn
from leftoff.core.thresholds import DEFAULTS

NOW = 1_794_700_000.0


def session(*events, name="s", **given):
    ended = {
        "root": "/r",
        "started": NOW - 99,
        "seen": NOW - 9,
        "ended": NOW - 9,
        "closed": NOW - 9,
    }
    made = tuple(Event(at, what) for at, what in events)
    return Session("codex", name, **{**ended, "events": made, **given})


WORK = {"stats": Stats(files=("a",))}


@pytest.mark.parametrize(
    ("events", "at", "saved"),
    [
        ([], 0.0, False),
        ([(5.0, "save")], 5.0, True),
        ([(5.0, "save"), (9.0, "save"), (7.0, "prompt")], 9.0, True),
        ([(5.0, "save"), (5.0, "prompt")], 5.0, True),
        ([(5.0, "save"), (5.5, "prompt")], 5.0, False),
        ([(0.5, "save")], 0.5, True),
        ([(0.5, "prompt")], 0.0, False),
    ],
)
def test_a_session_is_saved_where_nothing_was_asked_since(events, at, saved):
    assert (saved_at(session(*events)), is_saved(session(*events))) == (at, saved)


@pytest.mark.parametrize(
    ("told", "recovered"),
    [
        ([], False),
        (["start", "prompt"], False),
        (["prompt", "recover"], True),
        (["prompt", "recover", "end"], True),
        (["recover", "note", "end"], True),
        (["recover", "prompt"], False),
        (["recover", "prompt", "recover"], True),
        (["recover", "end", "start"], False),
    ],
)
def test_a_session_was_recovered_where_it_did_nothing_since(told, recovered):
    events = [(float(at), what) for at, what in enumerate(told)]
    assert was_recovered(session(*events)) is recovered


@pytest.mark.parametrize(
    ("given", "recovered"),
    [
        ({"seen": 5.0}, True),
        ({"seen": 5.1}, False),
        ({"seen": 5.1, "ended": 5.1}, True),
        ({"seen": 5.1, "ended": 5.1, "origin": "transcript"}, False),
        ({"seen": 5.0, "ended": 5.0, "origin": "transcript"}, True),
    ],
)
def test_a_transcript_that_grew_since_was_not_recovered_unless_its_end_was_told(given, recovered):
    one = session((5.0, "recover"), **{"ended": 0.0, "closed": 0.0, **given})
    assert was_recovered(one) is recovered


def test_work_is_a_change_a_failure_an_open_task_or_what_was_not_committed():
    for stats in (Stats(files=("a",)), Stats(failures=(Failure("Bash", "x"),))):
        assert worked(session(stats=stats))
    assert worked(session(stats=Stats(tasks=(Task("a", "pending"),))))
    assert worked(session(dirty=1))
    assert worked(session(dirty=1, stats=Stats(lines=9, tools={"Bash": 1})))
    assert not worked(session(dirty=1, stats=Stats(lines=9))), "others left that"
    assert not worked(session(dirty=0, stats=Stats(tasks=(Task("a", "completed"),))))


def test_a_session_is_over_when_it_ended_died_or_went_quiet():
    running = {"ended": 0.0, "closed": 0.0}
    assert is_over(session(), NOW, DEFAULTS)
    assert not is_over(session(**running), NOW, DEFAULTS)
    assert not is_over(session(**running, alive=True), NOW, DEFAULTS)
    assert is_over(session(**running, alive=False), NOW, DEFAULTS)
    assert is_over(session(**running | {"seen": NOW - 9e5}), NOW, DEFAULTS)


def test_what_is_unsaved_is_over_worked_and_not_saved():
    saved = session((1.0, "save"), **WORK)
    running = session(ended=0.0, closed=0.0, **WORK)
    assert unsaved([session(**WORK), session(), saved, running], NOW, DEFAULTS) == [session(**WORK)]


def test_at_a_start_sessions_are_told_up_to_one_that_was_saved():
    def told(*sessions):
        return [one.id for one in at_a_start(sessions, "/r", NOW, DEFAULTS)]

    running = session(name="running", ended=0.0, closed=0.0, **WORK)
    other = session(name="other", **{**WORK, "root": "/x"})
    first, last = session(name="first", **WORK), session(name="last", **WORK)
    assert told(running, other, first, session(name="idle"), last) == ["first", "last"]
    assert told(first, session((1.0, "save")), last) == ["first"]
    assert told(first, session((1.0, "recover")), last) == ["first"]
    assert told(first, session(seen=NOW - FORGOTTEN - 1), last) == ["first"]
    assert told(first, session(seen=NOW - FORGOTTEN), last) == ["first", "last"]


@pytest.mark.parametrize(
    ("given", "newest", "told"),
    [
        ({}, True, ("/r", "main", "c", ("a", "b"))),
        ({}, False, ("/r", "main", "c", ("a",))),
        ({"root": ""}, True, ("/r", "main", "c", ("a", "b"))),
        ({"root": "/x"}, True, ("/x", "main", "", ())),
        ({"branch": "main"}, True, ("/r", "main", "c", ("a", "b"))),
        ({"branch": "other"}, True, ("/r", "other", "", ())),
        ({"root": "/x", "branch": "main"}, True, ("/x", "main", "", ())),
    ],
)
def test_of_what_is_seen_now_a_past_session_gets_what_is_its_own(given, newest, told):
    seen = Seen(
        "s", "/r", "d", branch="main", commit="c", dirty=("a", "b"), digest=Digest(files=("/r/a",))
    )
    made = theirs(seen, session(**given), newest=newest)
    assert (made.root, made.branch, made.commit, made.dirty) == told


def test_figures_are_the_session_s_own_unless_only_a_part_is_told():
    own, now = Stats(lines=5, files=("b",)), Stats(lines=9, files=("c",))
    seen = Seen("s", "/r", "d", dirty=("b", "c"), stats=now)
    assert theirs(seen, session(stats=own), newest=False).stats == own
    assert theirs(seen, session(stats=own), newest=False).dirty == ("b",)
    assert theirs(seen, session(), newest=False).stats == now
    part = theirs(seen._replace(since=5.0), session(stats=own), newest=False)
    assert (part.stats, part.dirty) == (now, ("c",))


# Learnings


def test_a_field_has_its_lines_up_to_the_next_field_that_is_not_below_it():
    text = "**A**: one  \n  **Deep**: two\n \n**B**: three"
    assert field(text, "a") == "one  \n  **Deep**: two"
    assert field(text, "b") == "three"
    assert field("**A**: x\n**A**: y", "A") == "x"
    assert field(text, "C") == ""


def test_learnings_are_bullets_and_what_goes_on_below_them():
    text = "**Learnings**: first \n  goes on \n\n- second\n   more\t\n- none.\n"
    assert learnings(text) == ["first goes on", "second more"]
    assert learnings("x\n- **Learnings**:\n  - **Bold**: is one\n  - two") == [
        "**Bold**: is one",
        "two",
    ]


def test_a_completion_is_written_line_by_line():
    assert completed("", "done", ["a "], "2026") == (
        "- **Status**: Archived\n- **Outcome**: done\n- **Date**: 2026\n- **Learnings**:\n  - a"
    )
    old = "head\n- **Outcome**: x\n- **Learnings**:\n  - a\n- **Date**: y\ntail"
    assert completed(old, "new", ["b", "a"], "2026") == (
        "head\n- **Outcome**: new\n- **Learnings**:\n  - a\n  - b\n- **Date**: y\ntail"
        "\n- **Status**: Archived"
    )


def test_a_block_is_appended_with_the_line_ends_that_are_there():
    assert appended("x", "d", "n", ["a"]) == "x\n\n## d — n\n- a\n"
    assert appended("\nx", "d", "n", ["a"]) == "\nx\n\n## d — n\n- a\n"
    assert appended("x\r\n", "d", "n", ["a"]) == "x\r\n\r\n## d — n\r\n- a\r\n"
    known = "## 2026-01-01 — n\n- a\n## 2026-01-01 — m\n- b\n"
    assert appended(known, "d", "n", ["a"]) == known
    assert appended(known, "d", "n", ["b"]).endswith("## d — n\n- b\n")
    assert appended("", "d", "n", ["a"]).startswith(TITLE)


def test_blocks_keep_what_they_say_without_the_blank_lines_around_it():
    text = "\ufeff# Learnings \n\n## 2026-01-01 — n \n\n  - a \n\n- b\n \n## someday \nx\n## \n"
    assert blocks(text)[:2] == [
        Learned("2026-01-01", "n", ("  - a", "", "- b")),
        Learned("", "", ("## someday", "x")),
    ]
    assert blocks(" \n\n") == []


def test_newest_blocks_come_first_and_one_without_a_date_stays_beside_its_neighbour():
    old, new = Learned("2026-01-01", "a", ()), Learned("2026-02-01", "b", ())
    bare, epoch = Learned("", "", ("x",)), Learned("1970-01-01", "e", ())
    assert newest_first([old, bare, new]) == [new, bare, old]
    assert newest_first([bare, epoch, old]) == [old, epoch, bare]


# Exports

ABOUT = About("codex", "s1", 60.0, "shop")
TURNS = [
    Turn("user", " # hi <b>\n", 0.0),
    Turn("tool", tool="Bash", about="make `x`", ok=True),
    Turn("tool", tool="Edit", changes=("a", "b"), ok=False),
    Turn("agent", "done", 120.0),
    Turn("other", "odd", 0.0),
    Turn("tool", tool="Read"),
]


def test_a_conversation_as_markdown():
    assert "".join(pieces("md", ABOUT, TURNS)) == (
        "# codex s1\n\n- Session: codex/s1\n- Project: shop\n- Exported: 1970-01-01T00:01:00Z\n"
        "\n## User\n\n\\# hi \\<b>\n"
        "\n- Bash: `make \u02bcx\u02bc`\n- Edit: `a, b` (failed)\n"
        "\n## Agent (1970-01-01T00:02:00Z)\n\ndone\n\n## Agent\n\nodd\n\n- Read\n"
    )
    assert "Project" not in "".join(pieces("md", ABOUT._replace(project=""), ()))


def test_a_conversation_as_a_page():
    page = "".join(pieces("html", ABOUT, TURNS))
    assert page.partition("<main>\n")[2] == (
        '<section class="user">\n<h2>User</h2>\n<pre># hi &lt;b&gt;</pre>\n</section>\n'
        '<p class="tool">Bash: make \u02bcx\u02bc</p>\n<p class="tool">Edit: a, b (failed)</p>\n'
        '<section class="agent">\n<h2>Agent <time>1970-01-01T00:02:00Z</time></h2>\n'
        "<pre>done</pre>\n</section>\n"
        '<section class="agent">\n<h2>Agent</h2>\n<pre>odd</pre>\n</section>\n'
        '<p class="tool">Read</p>\n</main>\n</body>\n</html>\n'
    )
    assert "<li>Project: shop</li>\n" in page


def test_a_conversation_as_one_object():
    told = json.loads("".join(pieces("json", ABOUT, TURNS)))
    assert (told["at"], told["session"]) == ("1970-01-01T00:01:00Z", "s1")
    assert [turn["at"] for turn in told["turns"]] == [
        *(None, None, None, "1970-01-01T00:02:00Z", None, None)
    ]
    assert told["turns"][2]["changes"] == ["a", "b"]


def test_what_nobody_sees_is_spelt_out():
    assert shown("a\tb\nc") == "a\tb\nc"
    assert shown("é\u202e") == "é\u27e8U+202E\u27e9"
    assert shown("a\x1bb") == "a\u27e8U+001B\u27e9b"
