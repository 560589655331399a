"""What is told where not all of it fits: as much as can be, and nothing of it by chance."""

from __future__ import annotations

import pytest

from leftoff.commands import plainly
from leftoff.core.brief import brief
from leftoff.core.brief_fit import (
    ALL,
    CLOSE,
    GIST,
    LONGER,
    NEAR,
    RARE,
    TURNS,
    LeftOut,
    Room,
    Size,
    Telling,
    added,
    begun,
    beyond,
    filled,
    fits,
    kept,
    newer_ones,
    size_of,
    units,
    without,
)
from leftoff.core.brief_parts import VERDICTS, Part, Source
from leftoff.core.claims import CONTRADICTED, Verdict
from leftoff.core.glance import glance
from leftoff.core.model import Checkpoint, Item
from leftoff.core.token_estimate import whole
from leftoff.entry.lang import say_in

FIRST = "The roadmap is made when the site is built."
REST = " ".join(f"Sentence {n} tells how it is done and by whom." for n in range(12))
LONG = f"{FIRST} {REST}"


def part(*entries, field="decisions", newest_last=True, **more):
    return Part(field, "must", "Told", entries, newest_last=newest_last, **more)


def room_for(*lines):
    """Room for these lines and no more."""
    size = size_of(lines)
    return Room(whole(size.weight), size.bytes)


def told(*parts, room):
    """The lines of parts that share a room, each begun with its first."""
    newer = newer_ones(parts)
    found = begun(parts, 350, newer)
    for turn in TURNS:
        used = added(*(size_of(one.lines(plainly)[0]) for one in found))
        found = filled(found, used, room, newer, turn)
    return [one.words for one in found]


def only(part, room):
    """The same of one part of which nothing has to be there."""
    found, used = [Telling(part, ("",) * len(units(part)))], Size(0, 0)
    for turn in TURNS:
        found = filled(found, used, room, {}, turn)
        used = size_of(found[0].lines(plainly)[0])
    return found[0].words


def test_a_long_statement_is_told_by_its_gist_before_a_short_one_is_left_out():
    one = part("short one", LONG, "another short one")
    (words,) = told(one, room=Room(100, 0))
    assert words == ("short one", f"{FIRST} […]", "another short one")
    assert told(one, room=Room(9000, 0)) == [one.entries]


def test_a_statement_whose_gist_is_not_much_shorter_is_told_whole_or_not_at_all():
    half = f"{FIRST} And here it is said by whom and how often."
    one = part(half, "short", "the last one")
    size = room_for("Told:", "- short", "- the last one", "- 9 older")
    assert told(one, room=size) == [("", "short", "the last one")]
    assert told(one, room=Room(9000, 0)) == [one.entries]
    assert begun([part(half)], 350, {})[0].words == (half,)
    assert begun([part(LONG)], 350, {})[0].words == (f"{FIRST} […]",)
    assert begun([part(LONG)], 24, {})[0].words == ("The roadmap is made […]",)


def test_of_statements_that_are_about_as_dear_the_newest_is_told_first():
    said = [f"Decision {n} is that the service keeps its table" for n in range(8, 12)]
    limit = room_for("Told:", *(f"- {one}" for one in said[2:]), "- 2 older")
    assert told(part(*said), room=limit) == [("", "", *said[2:])]
    limit = room_for("Told:", *(f"- {one}" for one in said[:2]), "- 2 more")
    assert told(part(*said, newest_last=False), room=limit) == [(*said[:2], "", "")]


def test_lists_get_one_more_in_turn():
    one, other = part(*"abcd"), part(*"efgh", newest_last=False)
    (first, second) = told(one, other, room=Room(24, 0))
    assert (first, second) == (("", "", "c", "d"), ("e", "f", "", ""))


def test_what_was_stated_goes_before_further_verdicts():
    further = "another one in some words"
    verdicts = part("v", further, further, field=VERDICTS, newest_last=False)
    stated = part(*("a statement of some words",) * 3)
    stated_lines = [f"- {one}" for one in stated.entries]
    limit = room_for("Told:", "- v", "- 2 more", "Told:", *stated_lines, "- 2 older")
    found, said = told(verdicts, stated, room=limit)
    assert found == ("v", "", "")
    assert said == stated.entries
    found, _ = told(verdicts, stated, room=Room(120, 0))
    assert found == verdicts.entries


def test_names_of_files_may_be_absent_and_are_never_cut():
    names = Part("artifacts", "should", "Files", ("a.py, b.py",), bare=(("a.py, b.py", 2),))
    assert begun([names], 3, {})[0].words == ("",)
    alone = [f"{FIRST} {REST}, b.py"]
    files = names._replace(entries=tuple(alone), counts=(2,))
    assert told(files, room=Room(60, 0)) == [("",)]
    # the label has to have room, too, and a count of those that have none
    size = size_of(["Files:", "- a.py, b.py", "- 999 older"])
    room = Room(whole(size.weight), size.bytes)
    assert told(names, room=room) == [("a.py, b.py",)]
    assert told(names, room=room._replace(size=size.bytes - 1)) == [("",)]


def test_four_names_count_as_four_things():
    names = ", ".join(f"src/some/where/number_{n}.py" for n in range(4))
    files = Part("artifacts", "should", "Files", (names,), counts=(4,), bare=((names, 4),))
    stated = part("a decision of about as many words as one of the names " * 2, "x")
    limit = room_for("Told:", "- x", "- 1 older", "Files:", f"- {names}", "- 999 older")
    assert told(stated, files, room=limit) == [("", "x"), (names,)]
    assert told(stated, files._replace(counts=(1,)), room=limit)[1] == ("",)


@pytest.mark.parametrize("most", LONGER)
def test_a_text_that_is_too_long_is_told_as_far_as_there_is_room(most):
    text = Part("problem", "must", "Problem", ("word " * 500,), is_list=False)
    (words,) = told(text, room=Room(9000, most + len("Problem: …\n".encode())))
    assert most - 50 < len(words[0]) <= most
    assert words[0].endswith(" […]")
    (words,) = told(text, room=Room(9000, LONGER[0] - 50))
    assert len(words[0]) <= 350


def test_a_telling_counts_what_it_leaves_out_and_says_on_which_side():
    one = part("a", "b", "c")
    lines = Telling(one, ("", "b", "c")).lines(plainly)
    assert lines == (["Told:", "- b", "- c", "- 1 older"], [LeftOut("decisions", 1)])
    assert Telling(one, ("a", "", "c")).lines(plainly)[0][-1] == "- 1 more, newer ones among them"
    assert Telling(one, ("a", "b", "")).lines(plainly)[0][-1] == "- 1 more, newer ones among them"
    assert Telling(one, ("a", "b", "c")).lines(plainly) == (["Told:", "- a", "- b", "- c"], [])
    names = one._replace(bare=(("a", 1), ("b", 1), ("c", 1)))
    assert Telling(names, ("a", "", "c")).lines(plainly)[0][-1] == "- 1 more"
    assert Telling(one._replace(newest_last=False), ("", "b", "c")).lines(plainly)[0][-1] == (
        "- 1 more"
    )
    assert Telling(one, one.entries).lines(plainly) == (["Told:", "- a", "- b", "- c"], [])
    assert Telling(one, ("", "", "")).lines(plainly) == ([], [LeftOut("decisions", 3)])
    assert Telling(one, ("a", "b", "c […]")).lines(plainly)[1] == [LeftOut("decisions")]
    cut = one._replace(shortened=True)
    assert Telling(cut, one.entries).lines(plainly)[1] == [LeftOut("decisions")]
    many = one._replace(counts=(3, 2, 1))
    assert Telling(many, ("", "b", "c")).lines(plainly)[0][-1] == "- 3 older"


def test_what_is_no_file_is_counted_where_files_stand_by_their_names():
    files = Part("artifacts", "should", "Files", ("a.py (new)", "the {x,y} ones"), newest_last=True)
    named = files._replace(bare=(("a.py", 1),)).by_name()
    assert (named.entries, named.others, named.shortened) == (("a.py",), 1, True)
    assert Telling(named, named.entries).lines(plainly) == (
        ["Files:", "- a.py", "- 1 more"],
        [LeftOut("artifacts", 1)],
    )
    assert without(named) == LeftOut("artifacts", 2)
    assert files.by_name() == files


def test_a_text_is_one_unit_of_several_lines():
    text = Part("problem", "must", "Problem", ("one", "two"), is_list=False)
    assert units(text) == ("one\ntwo",)
    assert without(text) == LeftOut("problem")
    assert Telling(text, units(text)).lines(plainly) == (["Problem:", "one", "two"], [])
    assert Telling(text, ("one […]",)).lines(plainly) == (
        ["Problem: one […]"],
        [LeftOut("problem")],
    )


def test_so_many_items_are_kept_from_the_side_that_matters():
    assert kept(part("a", "b", "c"), 2, 9).words == ("", "b", "c")
    assert kept(part("a", "b", "c", newest_last=False), 2, 9).words == ("a", "b", "")
    assert kept(part("a", "b"), ALL, ALL).words == ("a", "b")
    assert kept(part("a b c d e f g h"), 1, 11).words == ("a b c d […]",)


def test_room_is_for_bytes_and_tokens_to_the_last():
    size = Size(10.0, 40)
    assert fits(size, Room(12, 40))
    assert not fits(size, Room(11, 40))
    assert not fits(size, Room(12, 39))
    assert fits(size, Room(12, 0))
    assert added(size, Size(1.5, 2)) == Size(11.5, 42)
    assert 0 < GIST < 1


def words(n):
    return " ".join(["word"] * n)


def test_a_gist_has_its_price_a_third_of_what_it_would_be_worth():
    middle = words(20)
    limit = room_for("Told:", f"- {middle}", "- x", "- 2 older")
    assert told(part(LONG, middle, "x"), room=limit) == [("", middle, "x")]


def test_to_make_a_gist_whole_has_its_price_too():
    whole_text, other = f"{FIRST} {words(40)}.", words(42)
    whole_text = whole_text.replace(" word", " Word", 1)
    limit = room_for("Told:", f"- {FIRST} […]", f"- {other}", "- 1 older")
    assert told(part(other, whole_text), room=limit) == [(other, f"{FIRST} […]")]
    whole_text, other = f"{FIRST} W{words(53)}.", words(58)
    limit = room_for("Told:", f"- {whole_text}", "- 1 older")
    assert told(part(other, whole_text), room=limit) == [("", whole_text)]


def test_a_gist_becomes_whole_where_there_is_room_to_the_last_token():
    assert told(part(LONG), room=room_for("Told:", f"- {LONG}")) == [(LONG,)]
    limit = room_for("Told:", f"- {LONG}")
    assert told(part(LONG), room=limit._replace(size=limit.size - 1)) != [(LONG,)]
    assert told(part(LONG), room=limit._replace(tokens=limit.tokens - 1)) != [(LONG,)]


def test_two_texts_that_are_too_long_share_what_is_left():
    texts = [Part(name, "must", name, (words(800),), is_list=False) for name in ("one", "two")]
    found = told(*texts, room=Room(9000, 1400))
    assert [len(one[0]) > 450 for one in found] == [True, True]
    assert max(len(one[0]) for one in found) > 700


# In a brief


def source(verdicts=(), **given):
    c = Checkpoint("x", **given)
    return Source(c, glance(c, "p.json", "skill"), verdicts)


def made(tokens, verdicts=(), **given):
    return brief(source(verdicts, **given), Room(tokens, 0), 0.0, plainly)


def test_the_names_of_files_have_their_place_among_statements_and_the_notes_do_not():
    given = {
        "decisions": tuple(Item(f"Decision {n} is one of many, as they come") for n in range(12)),
        "artifacts": (Item("src/pay/a.py (the one that pays)"), Item("src/pay/{b,c}.py (others)")),
    }
    small = made(180, **given)
    assert "Files:\n- src/pay/a.py\n- 1 more\n" in small.text
    assert "- 7 older\n" in small.text
    assert small.tokens > 170
    assert LeftOut("artifacts", 1) in small.left_out
    assert "the one that pays" in made(400, **given).text
    # who asks for a budget gets all musts, and files with what room is left
    asked = brief(source(**given), Room(180, 0, shorten=False), 0.0, plainly)
    assert "Files" not in asked.text
    assert "older" not in asked.text


def test_files_come_before_the_rest_of_a_summary():
    given = {
        "artifacts": tuple(Item(f"src/pay/{n}.py (what it is for)") for n in range(8)),
        "summary": "Half works. " + "It was a long day. " * 20,
    }
    text = made(170, **given).text
    assert "Files:\n- src/pay/{0.py, 1.py, 2.py, 3.py}\n- src/pay/{4.py" in text
    assert "Where it stands" not in text
    assert "Where it stands" in made(400, **given).text


def test_a_list_that_is_no_must_has_as_many_items_as_there_is_room_for():
    history = tuple(Item(f"done {n} of many") for n in range(30))
    for tokens in (130, 150, 170, 230):
        small = made(tokens, history=history)
        (out,) = [one.n for one in small.left_out]
        assert f"- done {out} of many\n" in small.text
        assert f"- done {out - 1} of many\n" not in small.text
        assert f"- {out} older\n" in small.text
        assert tokens - 9 < small.tokens <= tokens


def test_names_that_wait_for_room_are_whole_or_absent():
    names = tuple(Item(f"src/{'x' * 70}{n}.py (new)") for n in range(8))
    given = source(artifacts=names, rules=(Item("be kind"),))
    for tokens in range(90, 170, 5):
        text = brief(given, Room(tokens, 0, shorten=False), 0.0, plainly).text
        assert "[…]" not in text
    assert "7.py" in text


def test_the_smallest_brief_has_a_few_words_of_each_must():
    given = {"problem": REST, "decisions": (Item(words(60)),), "questions": (Item(words(70)),)}
    lines = made(1, **given).text.split("\n")
    assert "- word word word word […]" in lines
    assert "Problem: Sentence 0 tells how […]" in lines


def test_verdicts_that_are_not_shown_are_said_to_be_in_the_data():
    gone = [
        Verdict("file", "artifacts", f"src/{n}.py", CONTRADICTED, "there is no such file")
        for n in range(60)
    ]
    text = made(200, gone).text
    assert "All verdicts: leftoff resume --json x\n" in text
    assert "All verdicts" not in made(900, gone[:8]).text


def test_an_item_of_which_nothing_can_be_seen_is_no_item():
    text = made(900, decisions=(Item("\x1b"), Item("a decision")), rules=(Item("\x1b"),)).text
    assert "again):\n- a decision\nAll of it" in text


def test_what_a_mark_shows_to_be_short_is_not_named_again_at_the_end():
    small = made(140, decisions=(Item(LONG),))
    assert f"- {FIRST} […]\n" in small.text
    assert small.left_out == (LeftOut("decisions"),)
    assert "Left out" not in small.text


def test_the_next_action_stays_whole_while_there_is_room_for_the_first_of_each_list():
    given = {
        "next_actions": (Item(f"{REST} {REST}"),),
        "decisions": tuple(Item(f"{n}: {LONG}") for n in range(9)),
    }
    assert f"Next: 1. {REST} {REST}\n" in made(500, **given).text
    assert "[…]\nFrom" in made(300, **given).text


def test_what_says_that_the_next_action_has_landed_is_not_cut_off():
    over = Verdict("action", "next_actions[0]", LONG, CONTRADICTED, "#1 has already landed")
    for tokens in (90, 200, 900):
        text = made(tokens, [over], next_actions=(Item(LONG),)).text
        assert " [✗ already landed]\n" in text


def test_a_path_that_is_gone_is_marked_in_the_head_too():
    gone = [
        Verdict("file", "artifacts", path, CONTRADICTED, "there is no such file")
        for path in ("src/a.py", "src/b.py")
    ]
    text = made(900, gone, next_actions=(Item("Mend src/a.py"),), summary="Broke src/b.py.").text
    assert "Next: 1. Mend src/a.py ✗\n" in text
    assert "Status: in_progress: Broke src/b.py ✗.\n" in text


def test_of_a_text_that_is_no_must_a_few_words_are_not_worth_a_line():
    given = {"context": "word " * 60}
    whole_text = made(900, **given)
    assert "Technical context: word word" in whole_text.text
    shown = {tokens: "Technical context" in made(tokens, **given).text for tokens in range(90, 200)}
    least = min(tokens for tokens, there in shown.items() if there)
    (line,) = [one for one in made(least, **given).text.split("\n") if one.startswith("Technical")]
    assert len(line) > 100


def test_no_brief_is_over_its_budget_where_the_first_of_each_list_fits():
    given = {
        "summary": f"Half works. {REST}",
        "problem": REST,
        "context": REST,
        "decisions": tuple(Item(f"{n}: {LONG[: 40 * n]}") for n in range(1, 12)),
        "next_actions": tuple(Item(f"{n}. {words(n)}") for n in range(1, 20)),
        "artifacts": tuple(Item(f"src/{n % 3}/{n}.py (what it is for)") for n in range(20)),
        "history": tuple(Item(f"done {n}. {words(n)}") for n in range(20)),
        "refs": tuple(Item(f"ref {n}") for n in range(9)),
    }
    for tokens in range(300, 1500, 7):
        small = made(tokens, **given)
        assert not small.overrun
        assert small.tokens > tokens - 60


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_words_for_what_is_left_out_have_room_too(language):
    c = Checkpoint(
        "oc-demo",
        artifacts=tuple(Item(f"src/part{n}/mod.py — note {n}") for n in range(30)),
        decisions=tuple(Item(f"Decision {n} stands") for n in range(12)),
    )
    source, say = Source(c, glance(c, "a.md", "markdown")), say_in(language, {})
    least = brief(source, Room(1), 0.0, say)
    for more in range(0, 360, 3):
        tokens = Room(least.tokens + more, 0)
        assert brief(source, tokens, 0.0, say).tokens <= tokens.tokens
        size = Room(9999, len(least.text.encode()) + more)
        assert len(brief(source, size, 0.0, say).text.encode()) <= size.size


def test_beyond_a_room_is_what_is_too_much_and_a_little_more():
    assert beyond(Size(110, 90), Room(115, 100)) == (pytest.approx(11), 1)
    assert beyond(Size(90, 130), Room(115, 100)) == (1, 31)
    assert beyond(Size(90, 130), Room(115, 0)) == (1, 1)


# What may be replaced by something newer


def settled(*entries, field="decisions"):
    return Part(field, "must", "Told", entries, newest_last=True)


KEEP, SEVEN = "Invoices are kept for ten years", "Legal says seven years for private, ten for firms"


def test_a_statement_waits_for_a_newer_one_on_the_same_matter():
    parts = [settled(KEEP, "Backups are never rewritten", f"{SEVEN}, {REST}", "Use the outbox")]
    assert newer_ones(parts) == {(0, 0): [(0, 2)]}
    (words,) = told(*parts, room=Room(40, 0))
    assert words == ("", "Backups are never rewritten", "", "Use the outbox")  # cheap as it is
    (words,) = told(*parts, room=Room(9000, 0))
    assert words == parts[0].entries


def test_it_waits_for_all_of_them_and_is_told_once_they_are():
    one, two = "The cache has four parts in front", "The cache has nine parts in front"
    parts = [settled(one, two), settled(f"No cache in front, {REST}", field="rules")]
    assert newer_ones(parts) == {(0, 0): [(0, 1), (1, 0)], (0, 1): [(1, 0)]}
    words = told(*parts, room=Room(9000, 0))
    assert words == [(one, two), parts[1].entries]


def test_what_another_may_replace_is_no_beginning_unless_there_is_no_other_in_its_list():
    parts = [settled("Use the outbox", KEEP), settled(SEVEN, field="rules")]
    newer = newer_ones(parts)
    assert newer == {(0, 1): [(1, 0)]}
    assert [one.words for one in begun(parts, 350, newer)] == [("Use the outbox", ""), (SEVEN,)]
    alone = [settled(KEEP, SEVEN)]
    alone_newer = {(0, 0): [(0, 1)], (0, 1): [(0, 0)]}
    assert begun(alone, 350, alone_newer)[0].words == ("", SEVEN)


def test_what_is_drafted_as_decided_may_be_absent_where_the_user_said_something_newer():
    parts = [settled(KEEP), settled(SEVEN, field="rules")]
    assert [one.words for one in begun(parts, 350, newer_ones(parts))] == [("",), (SEVEN,)]
    whole = Room(9000, 0)
    assert told(*parts, room=whole) == [(KEEP,), (SEVEN,)]


def test_a_decision_of_a_session_waits_for_the_user_by_a_rare_word():
    tried = settled("Try jemalloc, but only on the canary.")
    assert newer_ones([tried, user_said("OK, jemalloc goes out again.")]) == {(0, 0): [(1, 0)]}
    assert newer_ones([tried, settled("jemalloc goes out again")]) == {}
    often = user_said("|".join(["OK, jemalloc goes out again.", *["So jemalloc."] * (RARE - 1)]))
    assert (0, 0) not in newer_ones([tried, often])


@pytest.mark.parametrize(
    ("older", "newer", "same"),
    [
        (KEEP, SEVEN, True),
        ("老节点保留 24 小时再删", "老节点不是保留 24 小时，是 72 小时", True),
        ("Set the vips cache to 0", "put the vips cache back to the default", True),
        ("Use Redis", "Use Postgres for the jobs", False),
        ("Never write to the replica", "Files never go there", False),  # one word is no matter
        ("Put that into the store with them", "Then they will not have that with them", False),
        ("Go to 1.30 on 27", "not to 1.30, to 1.29 on 27", True),
        ("alpha beta gamma delta five sixty", "alpha beta only", True),  # just a third
        ("one two three four alpha beta gamma delta five sixty", "alpha beta only", False),
        ("文件开头加上 BOM", "手机号要打码，只留后四位", False),
    ],
)
def test_statements_are_on_one_matter_that_share_a_third_of_their_words(older, newer, same):
    assert bool(newer_ones([settled(older, newer)])) is same


def test_only_what_was_settled_and_grows_at_its_end_is_replaced_so():
    rows = Part("decisions", "must", "Told", (KEEP, SEVEN))
    assert not newer_ones([rows])
    assert not newer_ones([settled(KEEP, SEVEN, field="questions")])


def test_so_many_later_ones_are_looked_at_and_no_more():
    others = [f"other {n}" for n in range(NEAR - 2)]
    assert newer_ones([settled(KEEP, *others, SEVEN)]) == {(0, 0): [(0, NEAR - 1)]}
    assert not newer_ones([settled(KEEP, *others, "one more", SEVEN)])


def test_a_question_comes_after_what_settles_something():
    parts = [settled("Keep the old one", "Which one is next?", "下一步呢？", field="rules")]
    assert begun(parts, 350, {})[0].words == ("Keep the old one", "", "")


def test_what_a_draft_has_as_done_may_be_absent_and_is_told_by_its_price():
    done = Part("history", "may", "Done", ("Moved it", "Wired it"), newest_last=True, over=True)
    assert begun([done], 350, {})[0].words == ("", "")
    (words,) = told(done, room=Room(40, 0))
    assert words == ("Moved it", "Wired it")


def test_of_a_text_in_two_both_are_begun():
    wants = Part("intent", "must", "Wants", ("last (first asked: first)",), is_list=False)
    few = wants._replace(apart=("last", "first asked: first"), few="Wanted").in_few_words()
    assert (few.label, few.is_list, few.entries) == ("Wanted", True, ("last", "first asked: first"))
    assert begun([few], 350, {})[0].words == few.entries
    assert wants.in_few_words() == wants


# What a user said, sentence by sentence


def user_said(*entries):
    pieces = tuple(tuple(entry.split("|")) for entry in entries)
    return part(*entries, field="rules", pieces=pieces).in_few_words()


def test_what_a_user_said_is_told_in_sentences_where_not_all_of_it_fits():
    long = "Use the outbox for mail.|Card numbers stay out of logs.|Ship on the ninth of May."
    one = user_said(long)
    assert one.entries == tuple(long.split("|"))
    limit = room_for("Told:", "- Ship on the ninth of May.", "- 9 older")
    assert told(one, room=limit) == [("", "", "Ship on the ninth of May.")]


def test_sentences_that_stood_together_stand_together():
    one = user_said("Use the outbox.|Log no cards.|Ship it.", "Ask Ann.", "发邮件。|不要记录。")
    lines = ["Told:", "- Use the outbox. Log no cards. Ship it.", "- Ask Ann."]
    assert Telling(one, one.entries).lines(plainly)[0] == [*lines, "- 发邮件。不要记录。"]
    some = ("Use the outbox.", "", "Ship it.", "", "", "不要记录。")
    lines = ["Told:", "- Use the outbox.", "- Ship it.", "- 不要记录。"]
    more = "- 3 more, newer ones among them"
    assert Telling(one, some).lines(plainly)[0] == [*lines, more]
    cut = ("Use the […]", "Log no cards.", "", "Ask Ann.", "", "")
    lines = ["Told:", "- Use the […]", "- Log no cards.", "- Ask Ann."]
    assert Telling(one, cut).lines(plainly)[0] == [*lines, more]


def test_a_request_takes_nothing_back():
    asks = "Could you tell me how the series is cancelled?"
    assert not newer_ones([user_said(f"If it fails twice the series is cancelled.|{asks}")])
    says = "I tell you how the series is cancelled."
    assert newer_ones([user_said(f"If it fails twice the series is cancelled.|{says}")])


def test_a_sentence_waits_for_near_ones_that_share_a_word():
    last = f"For now a mail is sent and nothing is cancelled, {REST}"
    one = user_said(f"If it fails twice the series is cancelled.|Hm, I ask Nuria.|{last}")
    assert newer_ones([one]) == {(0, 0): [(0, 2)]}
    assert not newer_ones([settled(*one.entries)])


def test_a_rare_word_makes_one_matter_of_sentences_that_are_far_apart_others_only_near_by():
    far = [f"Word{n} number{n}." for n in range(CLOSE - 1)]
    assert newer_ones([user_said("|".join(("Keep mail.", *far, "One more1.", "Drop mail.")))])
    often = ["Ask mail."] * (RARE - 1)
    said = "|".join(("Keep mail.", *far, "Drop mail.", *often))
    assert (0, CLOSE) in newer_ones([user_said(said)])[(0, 0)]
    said = "|".join(("Keep mail.", *far, "One more1.", "Drop mail.", *often))
    assert (0, 0) not in newer_ones([user_said(said)])
    assert not newer_ones([settled("Keep mail.", *far, "Drop mail.")])


@pytest.mark.parametrize(
    "aside",
    [
        *("Thank you, that I can follow.", "And what do you need from me now?", "现在还剩下什么？"),
        *("Could you tell me how that works?", "¿Cómo lo harías tú, con locks?"),
    ],
)
def test_remarks_and_requests_come_after_what_settles_something(aside):
    settles = "Card numbers stay out of every log file and out of every mail that is sent"
    one = user_said(f"{settles}|{aside}")
    limit = room_for("Told:", f"- {aside}", f"- {settles}"[:-4], "- 9 older")
    assert only(one, limit) == (settles, "")
    alone = room_for("Told:", f"- {aside}", "- 999 older")
    assert only(one, alone) == ("", aside)


def test_a_question_that_proposes_something_settles_it():
    proposes = "Why don't we keep local time and the zone of the club?"
    one = user_said(f"Thank you for that.|{proposes}")
    limit = room_for("Told:", f"- {proposes}", "- 999 older")
    assert only(one, limit) == ("", proposes)


def test_what_was_said_waits_for_a_change_of_mind_in_the_same_prompt():
    one = (
        "Cute, so the big store it is.",
        "Write that page now.",
        "Look again. Hmm, wait. It leaks.",
    )
    other = "Paint the roof red. Scratch that, green."
    said = part(*one, other, field="rules", pieces=(one, (other,)), begins=frozenset({0, 3}))
    assert newer_ones([said]) == {(0, 0): [(0, 2)], (0, 1): [(0, 2)]}
    assert newer_ones([said._replace(begins=frozenset())]) == {}
