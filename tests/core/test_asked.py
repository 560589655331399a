"""What a session leaves that no tool wrote down: the words of the user, the lists in answers."""

from __future__ import annotations

import pytest

from leftoff.commands import plainly
from leftoff.core.answers import LONGEST, Lists, is_all, lists, open_points, report
from leftoff.core.asked import SAID, said
from leftoff.core.brief import brief
from leftoff.core.brief_fit import Room
from leftoff.core.brief_parts import Source
from leftoff.core.digest import FRESH, MOST_DONE, digest
from leftoff.core.draft import Seen, drafted, in_full, laid_over, recovered
from leftoff.core.glance import glance
from leftoff.core.model import Checkpoint, Item
from leftoff.core.stats import Stats, Task
from leftoff.core.talk import AGENT, TOOL, USER, Turn
from leftoff.core.texts import short
from leftoff.formats import named

FIRST, LAST = "Move the bookmarks from the file to SQLite", "Now let the search use the new tables"
WORDS = ("yes. one file per profile, not one big db", "tags become their own table, lower case")
LISTED = (
    "It works.\n\nDone:\n- Import the old file\n\nStill open:\n- Sync the store\n- Rank results"
)


def seen(*turns: Turn) -> Seen:
    return Seen("abcdef1234", "/p", "2026-08-08", agent="codex", digest=digest(turns))


def asked(*texts: str) -> Seen:
    return seen(*(Turn(USER, text) for text in texts))


def texts(items: tuple[Item, ...]) -> list[str]:
    return [item.text for item in items]


# The words of the user


def test_what_the_user_said_between_first_and_last_is_kept_in_their_words():
    found = asked(FIRST, WORDS[0], "ok", "go on", WORDS[1], LAST)
    assert said(found) == [*WORDS]
    made = in_full(found)
    assert texts(made.rules) == [*WORDS]
    assert {item.attrs["draft"] for item in made.rules} == {"codex/abcdef12"}
    assert made._replace(rules=()) == drafted(found)


def test_a_decision_that_is_told_as_one_is_not_told_twice():
    found = asked(FIRST, "Never delete the old file. Tags are folded, not lowered.", LAST)
    assert texts(drafted(found).decisions) == ["Never delete the old file."]
    assert said(found) == ["Tags are folded, not lowered."]
    assert said(asked(FIRST, "We go with one table for the tags.", LAST)) == []
    settled = "".join(f"{n}. Table {n} must stay.\n" for n in range(1, 8))
    assert said(asked(FIRST, settled, LAST)) == []


REPLICAS = f"We run two replicas of it{', as you know' * 8}, so both have to see it"


def test_what_a_long_prompt_goes_on_with_stands_beside_its_beginning_in_the_intent():
    for found in (asked(f"{FIRST}. {REPLICAS}", LAST), asked(FIRST, f"{LAST}. {REPLICAS}")):
        assert said(found) == [REPLICAS]
        assert f"{FIRST}" in in_full(found).intent
        assert f"{LAST}" in in_full(found).intent
        assert "replicas" not in in_full(found).intent
    assert said(asked(FIRST, LAST)) == []


def test_a_prompt_whose_first_sentence_is_too_long_is_told_whole_among_the_words():
    for long in (f"Move them{', as you know' * 12}", f"Move them{' but wait' * 20}"):
        assert said(asked(long, LAST)) == [long]
        assert "[…]" in in_full(asked(long, LAST)).intent


def test_what_a_prompt_replies_to_stays_with_its_beginning():
    turns = Turn(USER, FIRST), Turn(AGENT, "I suggest WAL mode."), Turn(USER, f"yes. {REPLICAS}")
    found = seen(*turns)
    assert said(found) == [REPLICAS]
    replied = "yes. [in reply to: I suggest WAL mode.] […]"
    assert in_full(found).intent.startswith(replied)


def test_what_is_told_as_decided_is_not_told_again_in_the_intent():
    found = drafted(asked(FIRST, f"{LAST}. Never drop the old file."))
    assert texts(found.decisions) == ["Never drop the old file."]
    assert "Never" not in found.intent
    assert drafted(asked(FIRST, "Never drop the old file.")).intent.startswith(FIRST)


def test_how_the_last_turn_that_ended_went_is_the_stage_of_a_recovered_session():
    turns = Turn(USER, FIRST), Turn(AGENT, "It works. Two tests are red.\n\nNext: the rest.")
    stage = "It works. Two tests are red. [draft: codex/abcdef12]"
    assert recovered(seen(*turns), None).stage == stage
    died = *turns, Turn(USER, "go on"), Turn(AGENT, "Let me look."), Turn(TOOL, about="ls")
    assert recovered(seen(*died), None).stage == stage
    thread = Checkpoint("t", stage="tables")
    assert recovered(seen(*turns), thread).stage == "tables"
    before = Checkpoint("t", stage="Three tests are red. [draft: codex/12345678]")
    assert recovered(seen(*turns), before).stage == stage


def test_words_of_a_session_that_went_on_with_other_work_are_all_kept():
    found = asked(f"{FIRST}. {REPLICAS}", LAST)._replace(began_with="Build the shop")
    assert in_full(found).intent.startswith(f"{LAST} (first asked: Build the shop)")
    assert said(found) == [f"{FIRST}. {REPLICAS}"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("", ""),
        ("All done: the store. And so on", "All done: the store. And so on"),
        ("Two ways:\n- a\n- b", ""),
        ("Red. Shall I go on? Yes.", "Red."),
        (f"Red. {'Long ' * 40}", "Red."),
        ("It is done.\n\nHowever, the tests are red.", ""),
        (f"It is done. Except for the dates{', as ever' * 20}.", ""),
        ("It is slow. I'd drop the cache.", "It is slow."),
    ],
)
def test_a_report_is_how_an_answer_begins(answer, told):
    assert report(answer) == told


def test_the_stage_of_a_draft_gives_way_where_room_is_short():
    turns = [Turn(USER, FIRST), *(Turn(USER, f"word {n} " * 20) for n in range(20))]
    made = recovered(seen(*turns, Turn(AGENT, "It works.")), None)
    lens = named("task")
    source = Source(made, glance(made, lens.path(made), lens.NAME))
    assert "(It works. [draft])" in brief(source, Room(9000, 0), 0.0, plainly).text
    assert "It works." not in brief(source, Room(500), 0.0, plainly).text


def test_of_many_words_the_last_stay_and_they_stop_at_a_limit():
    prompts = [f"{n} {'word ' * 100}".strip() for n in range(16)]
    kept = said(asked(*prompts, LAST))
    assert kept == prompts[-len(kept) :]
    assert 0 < SAID - sum(len(one.encode()) for one in kept) < len(prompts[0]) + 1


def test_words_that_just_fit_are_kept_and_what_is_older_is_not():
    words = [f"{n} {'word ' * 200}"[: SAID // 5 - 1] + "!" for n in range(5)]
    assert sum(len(one) for one in words) == SAID
    assert said(asked(FIRST, *words, LAST)) == words
    assert said(asked(FIRST, "and some words before", *words, LAST)) == words


@pytest.mark.parametrize(("text", "tells"), [("wal mode now", False), ("wal mode now!", True)])
def test_up_to_twelve_bytes_only_let_the_work_go_on(text, tells):
    assert said(asked(FIRST, text, LAST)) == ([text] if tells else [])


def test_the_words_of_a_session_are_told_without_secrets():
    key = "ghp_" + "a1" * 18
    made = in_full(asked(FIRST, f"the token of the server is {key} for now", LAST))
    assert key not in repr(made)
    assert "[redacted:github]" in made.rules[0].text


def test_a_draft_of_the_same_session_takes_the_place_of_its_words_and_rules_stay():
    before = Checkpoint(
        "t", rules=(Item("Ask first"), Item("old", attrs={"draft": "codex/abcdef12"}))
    )
    after = laid_over(before, in_full(asked(FIRST, WORDS[0], LAST)))
    assert texts(after.rules) == ["Ask first", WORDS[0]]


def test_a_save_of_a_thread_has_its_rules_and_the_words():
    thread = Checkpoint("t", name="Bookmarks", rules=(Item("Ask first"),))
    made = recovered(asked(FIRST, WORDS[0], LAST), thread)
    assert texts(made.rules) == ["Ask first", WORDS[0]]


def told(made: Checkpoint, tokens: int = 1500) -> str:
    lens = named("task")
    path = lens.path(made)
    kept = lens.read(lens.write(made, "", path), path)
    assert kept.rules == made.rules
    return brief(Source(kept, glance(kept, path, "task")), Room(tokens), 0.0, plainly).text


def test_a_brief_has_the_words_under_a_heading_that_says_whose_they_are():
    shown = told(recovered(asked(FIRST, *WORDS, LAST), None))
    assert f"\nSaid by the user, in their words:\n- {WORDS[0]}\n- {WORDS[1]}\n" in shown
    assert "Rules of the user" not in shown


def test_beside_rules_that_were_stated_the_words_say_that_they_are_drafted():
    made = recovered(asked(FIRST, WORDS[0], LAST), Checkpoint("t", rules=(Item("Ask first"),)))
    assert f"\nRules of the user:\n- Ask first\n- {WORDS[0]} [draft]\n" in told(made)


def test_where_room_is_short_the_last_words_stay():
    prompts = [f"word {n} is {'so and ' * 20}so" for n in range(8)]
    shown = told(recovered(asked(FIRST, *prompts, LAST), None), 330)
    assert prompts[-1] in shown
    assert prompts[0] not in shown
    assert " older\n" in shown


# The lists in answers


def test_the_lists_of_an_answer_say_what_is_left_and_what_is_done():
    assert lists(LISTED) == Lists(("Sync the store", "Rank results"), ("Import the old file",))
    assert lists("Still open: - it") == Lists()
    assert lists("Some words:\n- it") == Lists()
    assert lists("已完成：\n- 流式读取\n\n未完成：\n- 压测") == Lists(("压测",), ("流式读取",))


@pytest.mark.parametrize("mark", ["- [x] ", "- [X] ", "- ✅ ", "* ✔️ ", "1. ✓ "])
def test_a_ticked_entry_is_done_under_any_heading(mark):
    assert lists(f"Next:\n{mark}wash\n- [ ] dry\n- ") == Lists(("dry",), ("wash",))
    assert lists(f"A list\n{mark}wash") == Lists((), ("wash",))


def test_only_what_is_struck_out_as_a_whole_is_done():
    assert lists("Next:\n- ~~wash~~\n- ~~dry\n- iron~~") == Lists(("~~dry", "iron~~"), ("wash",))


def test_of_a_line_that_begins_in_bold_letters_those_are_the_heading():
    assert lists("**Next** for *you*\n- wash") == Lists(("wash",))
    assert lists("**Nothing** is next\n- wash") == Lists()


def test_an_entry_that_says_nothing_is_none_and_each_counts_once():
    assert lists("Done:\n- wash\n- wash\n- **\n- dry") == Lists((), ("wash", "dry"))
    many = "\n".join(f"- step {n}" for n in range(12))
    assert lists(f"Next:\n{many}").left == tuple(f"step {n}" for n in range(8))


@pytest.mark.parametrize(
    "text",
    [
        "All of it is done.",
        "**All** tasks are *finished*.",
        "There are no **open** points.",
        "It runs. Everything is now complete.",
        "All tasks are finished",
        "Nothing else is left to do.",
        "There are no open points.",
        "全部完成。",
        "所有步骤已完成",
        "没有待办事项",
    ],
)
def test_an_answer_may_say_that_nothing_is_left(text):
    assert is_all(text)


@pytest.mark.parametrize(
    "text", ["All tests of the parser are done.", "It is all I have done.", "Is nothing left?"]
)
def test_other_words_do_not_say_so(text):
    assert not is_all(text)


def test_what_an_answer_listed_as_left_stands_until_another_list():
    one, other = Turn(AGENT, LISTED), Turn(AGENT, "Next:\n- Paint it")
    assert digest([one, Turn(AGENT, "I looked at it.")]).points == (
        "Sync the store",
        "Rank results",
    )
    assert digest([one, other]).points == ("Paint it",)
    assert digest([one, Turn(AGENT, "Now let me paint")]).points == (
        *("Sync the store", "Rank results", "Now let me paint"),
    )


def test_it_stands_no_more_once_it_was_said_to_be_done():
    one = Turn(AGENT, LISTED)
    assert digest([one, Turn(AGENT, "All of it is done.")]).points == ()
    found = digest([one, Turn(AGENT, "Done:\n- Sync the store")])
    assert found.points == ("Rank results",)
    assert found.done == ("Import the old file", "Sync the store")


def test_who_dies_at_work_leaves_what_the_last_turn_said_at_its_end():
    told = "It runs. What I still have to do is paint fetch_rates. _Really_."
    turns = [Turn(USER, FIRST), Turn(AGENT, told), Turn(USER, "go on"), Turn(AGENT, "I look.")]
    work = Turn(TOOL, about="sed -n 1,40p a.md", is_command=True)
    left = "What I still have to do is paint fetch_rates."
    assert digest([*turns, work]).points == (left,)
    assert digest(turns).points == ()  # that turn has its end, and says nothing of it
    assert digest([*turns, work, Turn(USER, "and?"), work]).points == ()
    assert digest([Turn(AGENT, LISTED), *turns, work]).points == ("Sync the store", "Rank results")
    other = Turn(AGENT, "What is left is the roof.\nWhat is left is the roof.\nIt is red.")
    assert digest([other, Turn(USER, "go on"), Turn(AGENT, "Hm."), work]).points == (
        "What is left is the roof.",
    )


@pytest.mark.parametrize(("more", "left"), [(FRESH, 2), (FRESH + 1, 0)])
def test_an_old_list_is_not_trusted(more, left):
    turns = [Turn(USER, FIRST), Turn(AGENT, LISTED), *[Turn(USER, "go on")] * more]
    assert len(digest([*turns, Turn(AGENT, "I looked at it.")]).points) == left


def test_what_was_listed_as_done_is_over_and_the_last_of_it_is_kept():
    found = seen(Turn(USER, FIRST), Turn(AGENT, LISTED))
    made = recovered(found, Checkpoint("t", next_actions=(_drafted("Import the old file"),)))
    assert texts(made.next_actions) == ["Sync the store", "Rank results"]
    assert texts(made.history) == ["Import the old file"]
    many = [Turn(AGENT, f"Done:\n- step {n}") for n in range(MOST_DONE + 1)]
    assert digest(many).done == tuple(f"step {n}" for n in range(1, MOST_DONE + 1))


@pytest.mark.parametrize(
    "head",
    [
        *("Not done:", "What needs to be done:", "Isn't finished yet:\n\nThis isn't done:"),
        *("Unfinished:", "Not started:", "**Left** for tomorrow", "What's next:", "Next, I would:"),
        *("还没完成：", "待完成：", "没有完成：", "未做："),
        *("Fehlt noch:", "Es fehlt:", "**残っているもの**", "残作業："),
    ],
)
def test_what_is_not_done_is_not_told_as_done(head):
    assert lists(f"{head}\n- wash") == Lists(("wash",))


@pytest.mark.parametrize(
    "head",
    [
        *("Left column:", "Open source:", "Next.js:", "## Next.js config", "Still works:"),
        *("Files left untouched:", "What I did next:", "Definition of done:", "Done when:"),
        *("How to do it:", "**Note** that it is not done"),
    ],
)
def test_a_heading_of_something_else_that_has_such_a_word_heads_neither(head):
    assert lists(f"{head}\n- wash") == Lists()


def test_what_is_over_is_told_so_in_japanese():
    assert lists("**終わったもの**\n- 洗濯\n\n**残っているもの**\n- 乾燥") == Lists(
        ("乾燥",), ("洗濯",)
    )


def test_a_mark_at_an_entry_goes_before_its_heading():
    assert lists("Left:\n1. [x] wash\n2. [ ] dry\n- fold ✅\n- ~~iron~~") == Lists(
        ("dry",), ("wash", "fold", "iron")
    )
    assert lists("Done:\n- [ ] dry\n- ❌ fold\n- ⏳ iron\n- wash") == Lists(
        ("dry", "fold", "iron"), ("wash",)
    )
    assert lists("Some words\n- [ ] dry\n- ❌ fold\n- ✅") == Lists()


def test_an_entry_may_go_on_in_other_lines():
    assert lists("Next:\n- wash it\n  by hand\n\n  That is slow.\n- dry it\n  soon") == Lists(
        ("wash it by hand", "dry it soon")
    )
    assert lists("Next:\n- wash\n\n  Done:\n- dry").done == ("dry",)


def test_a_list_that_says_that_there_is_nothing_has_no_entry():
    assert lists("Still open:\n- None.") == Lists()
    assert is_all("Still open:\n- None for now")
    assert not is_all("Still open:\n- None\n- Sync")
    assert digest([Turn(AGENT, LISTED), Turn(AGENT, "Still open:\n- None")]).points == ()


@pytest.mark.parametrize(
    "text",
    [
        *("All done except the sync.", "Everything is done, but the sync fails.", "All done?"),
        *("Nothing is left unhandled.", "No further work on the parser.", "All done with the docs"),
        *("所有测试还没有完成", "所有未完成的都在这", "全部完成之前先备份", "全部完成，但压测没跑"),
    ],
)
def test_words_that_leave_something_out_do_not_say_that_all_is_done(text):
    assert not is_all(text)


def test_a_row_of_spaces_costs_no_more_than_its_length():
    text = f"Next:\n- wash\n-{' ' * 400_000}\nthe end"  # the square of it would be minutes
    assert lists(text) == Lists(("wash",))


def test_words_for_what_is_left_said_again_and_again_cost_no_more_than_their_length():
    text = "剩余" * 400_000  # the square of it would be minutes
    assert open_points(text) == (short(text, LONGEST),)


def test_what_is_listed_as_open_again_is_done_no_more():
    turns = [Turn(AGENT, "Done:\n- Sync the store"), Turn(AGENT, LISTED)]
    found = digest([*turns, Turn(AGENT, "I looked at it.")])
    assert found.points == ("Sync the store", "Rank results")
    assert found.done == ("Import the old file",)


@pytest.mark.parametrize("message", ["Sync the store", "feat(db): sync the store."])
def test_what_a_later_commit_says_is_not_told_as_left(message):
    commit = Turn(TOOL, tool="Bash", about=f"git commit -qm '{message}'", is_command=True, ok=True)
    one = Turn(AGENT, LISTED)
    assert digest([one, commit]).points == ("Rank results",)
    assert digest([one, commit._replace(ok=False)]).points == ("Sync the store", "Rank results")
    assert digest([commit, one]).points == ("Sync the store", "Rank results")


def test_a_to_do_that_is_done_is_not_told_as_left():
    found = seen(Turn(USER, FIRST), Turn(AGENT, LISTED))
    found = found._replace(stats=Stats(tasks=(Task("Rank results", "completed"),)))
    assert texts(drafted(found).next_actions) == ["Sync the store"]
    assert texts(recovered(found, None).history) == ["Import the old file", "Rank results"]


def _drafted(text: str) -> Item:
    return Item(text, attrs={"draft": "codex/abcdef12"})


BELOW = (
    "Still open:\n- Sync the store\n  - only at night\n- Search\n  - Rank results\n  - Page them"
)


def test_a_step_with_others_below_it_is_known_again_by_its_own_words():
    found = seen(Turn(USER, FIRST), Turn(AGENT, BELOW), Turn(AGENT, "Done:\n- Sync the store"))
    assert found.digest.points == ("Search · Rank results · Page them",)
    found = seen(Turn(USER, FIRST), Turn(AGENT, BELOW), Turn(AGENT, "Done:\n- Rank results"))
    assert found.digest.points == ("Sync the store · only at night", "Search · Page them")
    again = seen(Turn(AGENT, "Done:\n- Rank results\n- Search"), Turn(AGENT, BELOW))
    assert again.digest.points[1] == "Search · Rank results · Page them"
    assert again.digest.done == ()


def test_a_to_do_that_is_done_ends_a_step_with_others_below_it():
    stats = Stats(tasks=(Task("Search", "completed"),))
    found = seen(Turn(USER, FIRST), Turn(AGENT, BELOW))
    assert texts(drafted(found._replace(stats=stats)).next_actions) == [
        "Sync the store · only at night"
    ]
    before = Checkpoint("t", next_actions=drafted(found).next_actions)
    later = seen(Turn(USER, FIRST), Turn(AGENT, "Done:\n- Search"))._replace(session="other678")
    assert texts(laid_over(before, drafted(later)).next_actions) == [
        "Sync the store · only at night"
    ]


def test_a_session_that_was_not_read_to_its_end_asks_for_the_rest():
    found = seen(Turn(USER, FIRST), Turn(AGENT, "Shall I?"))
    assert texts(drafted(found).questions) == ["Shall I?"]
    asks = "What came later? Only the beginning of the session could be read: it is cut"
    assert texts(drafted(found._replace(unread="it is cut")).questions) == [asks, "Shall I?"]


def test_what_is_decided_in_reply_to_something_stays_beside_it():
    answer = "Either a Redis store, or a table in SQLite. Which?"
    prompt = "Go with the second, please. And log no prices there."
    found = seen(Turn(USER, FIRST), Turn(AGENT, answer), Turn(USER, prompt), Turn(USER, LAST))
    assert texts(drafted(found).decisions) == ["Go with the second, please."]
    replied = "Go with the second, please. [in reply to: a table in SQLite]"
    assert said(found) == [f"{replied} And log no prices there."]


def test_the_intent_ends_where_nothing_takes_it_back():
    more = f"No wait, all of them. Hmm, not the old ones. {REPLICAS}"
    found = asked(f"{FIRST}, ten at a time. {more}", LAST)
    begun = f"{FIRST}, ten at a time. No wait, all of them. Hmm, not the old ones. […])"
    assert begun in in_full(found).intent
    assert said(found) == [REPLICAS]
    found = asked(
        f"{REPLICAS[:120]}. No wait, one replica of it is enough for all of us here", LAST
    )
    assert "one replica" in in_full(found).intent
    assert said(found) == []


HELLO = (
    "Hello, I am the one who looks after the bookmarks since Anna left us for the other team, and"
    " there is much in them that I have never understood."
)
GOAL = "I would like to search them on the phone, too."


@pytest.mark.parametrize(
    "goal",
    [
        *(GOAL, "What we need is one store for all of it.", "Goal: one store for all of it."),
        *("Quiero una sola base para todos.", "Ich möchte sie alle an einem Ort haben."),
        *("J’aimerais les retrouver sur mon mobile.", "Quero achar tudo num lugar só."),
        *("我想在手机上也能搜索到它们，而且速度要快一些。", "携帯でも探せるようにしたいです。"),
    ],
)
def test_the_first_prompt_is_told_by_what_it_says_is_wanted(goal):
    found = asked(f"{HELLO} {goal} {REPLICAS}", LAST)
    assert f"(first asked: {goal} […])" in in_full(found).intent
    assert said(found) == [f"{HELLO} {REPLICAS}"]


def test_what_is_wanted_may_stand_at_the_end_of_a_prompt_or_be_all_of_it():
    found = asked(f"{HELLO} {GOAL}", LAST)
    assert f"(first asked: {GOAL} […])" in in_full(found).intent
    assert said(found) == [HELLO]
    assert in_full(asked(f"{HELLO} {GOAL}")).intent.startswith(f"{GOAL} […] [draft")
    assert f"(first asked: {GOAL})" in in_full(asked(GOAL, LAST)).intent


def test_what_stands_before_it_is_told_too_where_both_are_short():
    context = "The bookmarks live on a box that is switched off on Friday."
    found = asked(f"{context} I need them moved before that happens. {REPLICAS}", LAST)
    begun = f"(first asked: {context} I need them moved before that happens. […])"
    assert begun in in_full(found).intent
    assert said(found) == [REPLICAS]


def test_who_looks_around_first_says_in_the_second_prompt_what_is_wanted_not_in_the_third():
    second = asked(FIRST, f"{HELLO} {GOAL}", LAST)
    assert f"(first asked: {GOAL} […])" in in_full(second).intent
    assert said(second) == [FIRST, HELLO]
    third = asked(FIRST, WORDS[1], f"{HELLO} {GOAL}", LAST)
    assert f"(first asked: {FIRST})" in in_full(third).intent


def test_a_long_wish_is_told_as_any_other_beginning():
    long = f"What I want is this{', as you know' * 12}."
    found = asked(f"{HELLO} {long}", LAST)
    assert f"(first asked: {HELLO} […])" in in_full(found).intent
    assert said(found) == [long]


def test_what_is_wanted_is_no_decision_as_well():
    both = "We must keep all of it, we need one store."
    found = asked(f"{HELLO} {both}", LAST)
    assert not drafted(found).decisions
    assert f"(first asked: {both} […])" in drafted(found).intent
    later = asked(FIRST, LAST, f"{HELLO} {both}", "Now sort the results by the time of a visit")
    assert texts(drafted(later).decisions) == [both]


def test_what_is_too_long_for_a_decision_is_told_once_among_the_words():
    long = f"We must keep this{', as you know' * 20} and that is it"
    assert drafted(asked(FIRST, long, LAST)).decisions == ()
    assert said(asked(FIRST, long, LAST)) == [long]


def test_a_draft_built_on_another_began_where_that_began():
    found = asked(f"{HELLO} {GOAL}", LAST)._replace(began_with=FIRST)
    assert f"(first asked: {FIRST})" in in_full(found).intent
    assert said(found) == [f"{HELLO} {GOAL}"]


@pytest.mark.parametrize("tokens", range(300, 1500, 50))
def test_what_was_decided_is_not_told_without_what_took_it_back(tokens):
    others = [f"On day {n} we spoke of the plants that stand in the office." for n in range(14)]
    mind = "We go with Redis for the cache. Wait, no, use SQLite."
    shown = told(recovered(asked(FIRST, *others[:7], mind, *others[7:], LAST), None), tokens)
    assert ("Redis" in shown) == ("SQLite" in shown)


def test_what_was_decided_is_not_told_where_what_may_take_it_back_has_no_room():
    mind = (
        "We go with Redis for the queue.",
        "Hm, Redis is too dear after all, so it is Postgres.",
    )
    much = [f"Prompt {n}: {'this is said ' * 80}" for n in range(6)]
    assert texts(in_full(asked(FIRST, *mind, *much[:2], LAST)).decisions) == [mind[0]]
    assert texts(in_full(asked(FIRST, *mind, *much, LAST)).decisions) == []
    assert texts(in_full(asked(FIRST, mind[0], *much, LAST)).decisions) == [mind[0]]


def test_a_question_that_somebody_replied_to_or_that_the_agent_went_on_from_is_open_no_more():
    turns = Turn(USER, FIRST), Turn(AGENT, "It is slow. Shall I drop the table?")
    assert digest(turns).questions == ("Shall I drop the table?",)
    assert digest([*turns, Turn(USER, "no")]).questions == ()
    assert digest([*turns, Turn(TOOL, about="ls", is_command=True)]).questions == ()


def test_drafted_decisions_are_never_called_locked_in():
    shown = told(recovered(asked(FIRST, "We go with tabs, always.", LAST), None))
    assert "\nDecisions:\n- We go with tabs, always.\n" in shown.replace(" [draft]", "")


def test_a_step_is_not_over_because_one_of_the_same_name_below_another_is():
    one = Turn(AGENT, "Done:\n- Parser\n  - tests\n\nStill open:\n- Lexer\n  - tests")
    assert digest([one]).points == ("Lexer · tests",)
    assert digest([one]).done == ("Parser · tests",)
