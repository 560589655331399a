"""Small modules at their borders: views, routes, limits, paces, shares, paths, events."""

from __future__ import annotations

import pytest

from leftoff.commands import plainly
from leftoff.core import run as r
from leftoff.core.cross_checks import across
from leftoff.core.event import OWN, PROMPT, STOP, ParsedPayload, key_of, without, without_own
from leftoff.core.forecast import pace, since_emptied, turns_left
from leftoff.core.index_md import index, is_index
from leftoff.core.model import Checkpoint, Item
from leftoff.core.new_checkpoint import FIRST_ACTION, dated, grown, spoken, with_ids
from leftoff.core.paths import from_root, is_checkpoint_path, path_in
from leftoff.core.route import route
from leftoff.core.run_report import go_on, reason, report
from leftoff.core.session import Event, Session
from leftoff.core.spending import Part, _shares, parts_of, prices_for, total
from leftoff.core.stats import Stats
from leftoff.core.stream import Glance, Stream, several_current
from leftoff.core.thresholds import DEFAULTS, effective, since, size, span
from leftoff.core.when import DAY
from leftoff.errors import NotFound, Usage


def test_an_index_lists_the_newest_first_and_equals_by_name():
    c = Checkpoint(
        "x", created="2026-01-01T00:00:00Z", problem=" \n-* a | b \nmore", intent="scope"
    )
    newer = c._replace(updated="2026-02-01T00:00:00Z", stage="stage", summary="", completion="done")
    made = index("active", [("b", c), ("c", newer), ("a", c)])
    assert made == (
        "# Active Checkpoints\n\n| Checkpoint | Description | Last Updated |\n"
        "|------------|-------------|--------------|\n"
        "| c | stage | 2026-02-01 |\n| a | a \\| b | 2026-01-01 |\n| b | a \\| b | 2026-01-01 |\n"
        "\n---\n\n## c\n\n**Problem**: a | b\n\n**Scope**: scope\n\n**Status**: done\n"
        "\n---\n\n## a\n\n**Problem**: a | b\n\n**Scope**: scope\n\n**Status**: (not said)\n"
        "\n---\n\n## b\n\n**Problem**: a | b\n\n**Scope**: scope\n\n**Status**: (not said)\n"
    )
    assert index("archive", []).endswith("\n*No archived checkpoints.*\n")
    assert "| x |" in index("active", [("stem", Checkpoint("x"))])
    assert is_index(made)
    assert is_index("x\n# Archived Checkpoints")
    assert not is_index("# Notes")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (" save my place, please ", ("save", "please")),
        ("Save My Place", ("save", "")),
        ("下一步做什么", ("next", "做什么")),
        ("Done: it all", ("done", "it all")),
        ("/checkpoint", ("save", "")),
        ("/checkpoint a note", ("save", "a note")),
        ("/checkpoint --restore a", ("resume", "a")),
        ("/leftoff:status  now ", ("status", "now")),
        ("leftoff", ("status", "")),
    ],
)
def test_words_mean_a_verb(text, said):
    assert route(text) == said


@pytest.mark.parametrize("text", ["what is nexted", "leftoffs", "frobnicate", "checkpointing"])
def test_words_that_mean_no_verb_are_not_found(text):
    with pytest.raises(NotFound):
        route(text)


def test_what_was_not_understood_is_shown_short_with_the_nearest_word():
    with pytest.raises(NotFound) as found:
        route("STATSU " + "x" * 90)
    assert (
        str(found.value)
        == f'"{("STATSU " + "x" * 90)[:60]}" matches no verb; did you mean "status"?'
    )
    with pytest.raises(NotFound) as found:
        route("zzzzzzzz")
    assert str(found.value) == '"zzzzzzzz" matches no verb'
    assert not [
        word for word in found.value.hint.split(": ")[1].split(", ") if word.startswith("-")
    ]
    with pytest.raises(NotFound):
        route("/checkpoint STATSU")
    assert route("/checkpoint statsu fixed") == ("save", "statsu fixed")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        *(("90s", 90.0), ("1.5m", 90.0), ("2h", 7200.0), ("7d", 7 * DAY), ("7", None), ("d", None)),
        *(("x7d", None), ("1.2.3d", None), ("7w", None), ("", None)),
    ],
)
def test_a_span_is_a_number_and_a_unit(text, seconds):
    assert span(text) == seconds


@pytest.mark.parametrize(
    ("text", "count"),
    [
        *(("500MB", 500_000_000), ("20 gb", 20_000_000_000), ("1.5KB", 1500), ("1TB", 10**12)),
        *(("5B", None), ("MB", None), ("1.2.3MB", None), ("xMB", None), ("500", None)),
    ],
)
def test_a_size_is_a_number_and_a_unit(text, count):
    assert size(text) == count


def test_limits_are_those_of_the_settings_or_an_error():
    made = effective({"stale.checkpoint": "7d", "verify.timeout": 5})
    assert (made["stale.checkpoint"], made["verify.timeout"]) == (7 * DAY, 5.0)
    assert made | {"stale.checkpoint": 0, "verify.timeout": 0} == DEFAULTS | {
        "stale.checkpoint": 0,
        "verify.timeout": 0,
    }
    for odd in (
        {"no.such": 1},
        {"verify.timeout": "x"},
        {"verify.timeout": True},
        {"verify.timeout": -1},
    ):
        with pytest.raises(Usage):
            effective(odd)
    for odd in ({"verify.timeout": None}, {"events.max": "7d"}):
        with pytest.raises(Usage):
            effective(odd)
    assert effective({"verify.timeout": 0})["verify.timeout"] == 0.0
    assert (since("2d", 5 * DAY), since("1970-01-02", 0)) == (3 * DAY, DAY)


def test_what_makes_an_event_one():
    told = ParsedPayload("s")
    assert key_of(PROMPT, told._replace(key="p"), 9) == "p"
    assert key_of(PROMPT, told, 9) == "9"
    assert key_of(STOP, told._replace(key="p", answer="abc"), 9) == "p:9"
    assert key_of(STOP, told._replace(source="x", answer="abc", again=True), 0) == "x:3:again"


def test_what_stands_between_marks_goes_and_an_open_end_stays():
    assert without("a<b>c<d>e", "<", ">") == "ace"
    assert without("<b>c<d", "<", ">") == "c<d"
    assert without("a<b", "<", ">") == "a<b"
    assert without(">a<b>", "<", ">") == ">a"
    assert without_own(f"x{OWN[0]}y{OWN[1]}z") == "xz"


def test_a_document_is_born_with_whole_times_and_required_fields():
    made = dated(Checkpoint("x", created="1970-01-02", updated="1970-01-03T01:00:00+01:00"), "now")
    assert (made.created, made.updated) == ("1970-01-02T00:00:00Z", "1970-01-03T00:00:00Z")
    made = dated(Checkpoint("x", updated="1970-01-03T00:00:00.5Z"), "now")
    assert (made.created, made.updated) == ("1970-01-03T00:00:00.5Z",) * 2
    made = dated(Checkpoint("x", created="1970-01-02 00:00Z"), "now")
    assert (made.created, made.updated) == ("1970-01-02T00:00:00Z",) * 2
    assert dated(Checkpoint("x", created="soon"), "now").updated == "now"
    full = grown(Checkpoint("x"), "/r/p", "save")
    assert full == Checkpoint(
        "x",
        project="p",
        project_dir="/r/p",
        phase="init",
        stage="save",
        summary="Checkpoint save for x.",
        next_actions=FIRST_ACTION,
    )
    assert grown(full._replace(status="complete", next_actions=()), "", "").next_actions == ()
    assert grown(full._replace(next_actions=(Item("a"),)), "", "").next_actions == (Item("a"),)
    assert grown(Checkpoint("x", intent="i", problem="p"), "", "").summary == "i"


def test_nothing_changes_before_it_is_born():
    made = dated(Checkpoint("x", created="2026-01-05T10:00:00Z", updated="2026-01-05"), "now")
    assert made.updated == made.created == "2026-01-05T10:00:00Z"


def test_the_blockers_of_a_skill_have_ids_and_texts_and_stand_once():
    given = (Item("No key"), Item("No key", "blocker-1"), Item("No bank"), Item("", "b"), Item("c"))
    named = (Item("No key", "blocker-1"), Item("No bank", "blocker-2"), Item("b", "b"))
    c = Checkpoint("x", blockers=given)
    assert with_ids(c).blockers == grown(c, "", "").blockers == (*named, Item("c", "blocker-3"))
    alone = Checkpoint("x", blockers=(Item("No key"),))
    assert with_ids(alone).blockers == (Item("No key", "blocker-1"),)


def test_a_document_of_which_its_format_holds_no_word_says_what_became_of_it():
    c = Checkpoint("x", blockers=(Item("No key"),))
    assert spoken(c, c, "saved") == c._replace(summary="Checkpoint saved for x.")
    assert spoken(c, c._replace(history=(Item("a"),)), "saved") is c


def decided(why="", **given):
    return r.Decision("stop", why, **given)


def test_a_run_says_why_it_stopped_and_what_is_next():
    step = r.Step("m", "Do it", 3)
    given = {"done": 2, "left": 1, "step": step}
    assert [*report(decided(r.COMPLETE, **given), "t", plainly)] == [
        "Every step of t is done. [CHECKPOINT_COMPLETE]"
    ]
    waits = [*report(decided(r.WAITING, question="why?", **given), "t", plainly)]
    assert waits == [
        "The run of t stopped: a decision waits for a person: why?. 2 done, 1 left.",
        "Once that is settled: leftoff thread continue on",
        "Up next: Do it",
    ]
    assert [*report(decided(r.WORD, done=2, left=0), "t", plainly)] == [
        "The run of t stopped: the person said stop. 2 done, 0 left."
    ]
    assert reason(decided(r.FAILED, attempts=3), plainly) == "the step failed 3 times"
    assert reason(decided("odd"), plainly) == "nothing was completed"
    text = go_on(decided(started=4, step=step), "t", plainly)
    assert "Go on with step 4 of this run: Do it\n" in text
    assert "leftoff done t 3\n" in text
    assert go_on(decided(started=4), "t", plainly).startswith("<leftoff id=run-t>\n")


def ends(*contexts, **given):
    events = tuple(Event(float(at), STOP, context=n) for at, n in enumerate(contexts))
    return Session("codex", "s", events=events, **given)


def test_the_pace_is_that_of_turns_since_the_context_was_emptied():
    assert pace(ends(10, 30, 50)).per_turn == 20.0
    assert pace(ends(90, 10, 0, 20)).per_turn == 10.0
    prompts = Event(9.0, PROMPT, context=999)
    mixed = ends(10, 30)
    assert pace(mixed._replace(events=(*mixed.events, prompts))).per_turn == 20.0
    assert [since_emptied(uses) for uses in ((), (5,), (5, 5), (5, 4), (9, 1, 2))] == [
        *((), (5,), (5, 5), (4,), (1, 2))
    ]
    assert since_emptied((1, 9, 8, 7, 9)) == (7, 9)


def test_else_the_pace_is_that_of_answers_shared_over_the_prompts():
    def curve(*uses, prompts):
        points = tuple((float(at), n) for at, n in enumerate(uses))
        return pace(Session("codex", "s", stats=Stats(curve=points, prompts=prompts)))

    assert curve(10, 20, 30, prompts=4).per_turn == 5.0
    assert curve(90, 10, 20, prompts=4).per_turn == 5.0
    assert curve(10, 20, 30, prompts=1).per_turn == 20.0
    assert curve(90, 80, 90, 99, prompts=1).per_turn == 19.0
    assert curve(10, 20, prompts=0) is None
    assert curve(10, prompts=4) is None
    assert curve(10, 20, prompts=4).per_turn == 2.5
    assert [turns_left(50, 20.0), turns_left(50, 0.5), turns_left(50, 0.0)] == [2, 100, None]


def part(tokens, usd):
    return Part("d", "m", tokens, usd, "list")


@pytest.mark.parametrize(
    ("parts", "shares"),
    [
        ([part(1, 3.0), part(9, 1.0)], [0.75, 0.25]),
        ([part(1, None), part(3, 9.0)], [0.25, 0.75]),
        ([part(1, 0.0), part(3, 0.0)], [0.25, 0.75]),
        ([part(0, 0.0), part(0, 0.0)], [0.5, 0.5]),
    ],
)
def test_a_sum_is_shared_by_price_else_by_tokens_else_evenly(parts, shares):
    assert _shares(parts) == shares


def spent(stats):
    return parts_of(stats, prices_for([stats], {}))


def test_what_was_spent_in_all_and_what_has_no_price():
    assert total([part(1, 2.0), part(5, None), part(0, 0.0)]) == (2.0, "list", 5)
    assert total([part(5, None)])[0] is None
    assert total([part(0, 0.5)]) == (0.5, "list", 0)
    assert total([part(3, 0.0)]) == (0.0, "list", 0)
    assert total([]) == (0.0, "", 0)
    stats = Stats(spent={("d", "no-such-model", 0): (1, 2, 3, 4, 4)}, cost=0.0)
    assert spent(stats)[0][2:4] == (10, None)
    assert spent(stats._replace(spent={("d", "no-such-model", 0): (0,) * 5}))[0].usd == 0.0
    assert spent(stats._replace(cost=0.5))[0].usd == 0.5
    assert spent(Stats(cost=0.5))[0][:4] == ("", "", 0, 0.5)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        *(("src/a.py:12 (new)", "src/a.py"), (" a.py \t", "a.py"), ("`a.py`, b.py c", "a.py")),
        *(("a.py:1-2:L3", "a.py"), ("C:12", ""), (":12", ""), ("./src/", ""), ("x/y/", "x/y")),
        *(("Makefile", "Makefile"), ("word", ""), ("word.", ""), ("...", ""), (".env", ".env")),
        *(("v1.2.3", ""), ("a//b", ""), ("../a", ""), ("/a/b", ""), ("~/a", ""), ("a/*.py", "")),
        *(("a.b:c", "a.b:c"), ("x; y.py", ""), ("..a", "..a"), ("a..", "a.."), ("a/b c d", "a/b")),
        *(("http://x/y", ""), ("src/a.py — why", "src/a.py"), ("'a.py'", "a.py")),
    ],
)
def test_a_path_is_what_an_entry_begins_with(text, path):
    assert path_in(text) == path


def test_paths_of_checkpoints_and_from_the_root():
    assert is_checkpoint_path(".checkpoints/x")
    assert is_checkpoint_path("checkpoints/INDEX.md")
    assert is_checkpoint_path("a/checkpoints/LEARNINGS.md")
    assert not is_checkpoint_path("checkpoints/INDEX.md.txt")
    assert from_root(["/r/a", "a", "/x/b"], "/r/") == ["a", "/x/b"]


@pytest.mark.parametrize(
    ("given", "counts"),
    [
        *(({}, True), ({"format": "skill"}, False), ({"word": "active"}, False)),
        ({"status": "archived"}, False),
    ],
)
def test_several_checkpoints_are_current_only_where_several_say_so_and_are_open(given, counts):
    first, other = (Glance(f"{n}.md", "md", n, word="current", status="x") for n in "ab")
    streams = [Stream(one, (one.path,)) for one in (first, other._replace(**given))]
    assert [found.text[-4:] for found in several_current(streams)] == ["a, b"] * counts
    assert list(across(streams)) == ["a.md", "b.md"] * counts
