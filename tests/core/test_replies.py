"""What a short prompt answers is told beside it."""

from __future__ import annotations

import pytest

from leftoff.core import replies
from leftoff.core.asked import said
from leftoff.core.digest import digest
from leftoff.core.draft import Seen
from leftoff.core.replies import LONGEST, replying
from leftoff.core.talk import AGENT, USER, Turn

CHOICES = "Two ways:\n\n1. Listen to the **storage** event\n2. Read it again\n\n1 is slow."
PROPOSED = "It fails. I suggest three retries for fetch_rates. The rest is pure."


@pytest.mark.parametrize(
    "prompt",
    [
        *(
            "2",
            "2.",
            "2. and a version prefix",
            "ok, 2 please",
            "let's go with 2",
            "Option 2, then",
        ),
        *("take 2; old keys are dropped", "yes 2!", "use number 2", "2 is fine", "#2"),
        *("方案2", "就用 2 吧", "选2，旧的不要", "第2个"),
    ],
)
def test_a_choice_is_told_in_the_words_of_the_answer(prompt):
    first, end, rest = prompt.partition(". ")
    told = f"{first}{end.strip()} [in reply to: Read it again]"
    assert replying(prompt, CHOICES) == (f"{told} {rest}" if rest else told)


FOUR = "Found:\n\n1. Suspend the console\n2. Standby\n3. Advertise\n4. Convert\n\nWhich ones?"


@pytest.mark.parametrize(
    "prompt",
    [
        *("2 and 3, not 1. console stays on", "2, 3", "2 & 3 please", "ok, 2 and 3 then"),
        *(
            "options 2 and 3 sound right",
            "2 和 3 可以",
            "总线不要。2、3 都可以",
            "no bus. 2, and 3.",
        ),
    ],
)
def test_several_choices_are_told_in_the_words_of_the_answer(prompt):
    told = replying(prompt, FOUR)
    assert told.replace(" [in reply to: Standby; Advertise]", "") == prompt
    assert len(told) > len(prompt)


@pytest.mark.parametrize("prompt", ["2 和 9", "4 no, there is no coil", "2s is slow", "1 2 3"])
def test_a_choice_that_nobody_offered_is_none(prompt):
    assert replying(prompt, FOUR) == prompt


@pytest.mark.parametrize(
    "told",
    [
        "The cause is the queue, which has no limit.",
        "So the root cause of the growth was the queue.",
        "It turned out that the queue has no limit.",
        "The growth is caused by the queue.",
        "原因是队列没有上限。",
    ],
)
def test_a_cause_that_was_found_is_told_beside_what_was_said_to_it(told):
    answer = f"I looked at both.\n\n{told} More follows."
    assert replying("Ha. Then limit it", answer) == f"Ha. Then limit it [in reply to: {told}]"


def test_of_two_causes_the_last_is_told_and_a_question_tells_none():
    answer = "The cause is A. No: the cause is B."
    assert replying("and now?", answer) == "and now? [in reply to: No: the cause is B.]"
    assert replying("and now?", "Perhaps the cause is A?") == "and now?"
    assert replying("and now?", "Because it is so.") == "and now?"


@pytest.mark.parametrize("prompt", ["b", "B) then", "go for option b"])
def test_choices_may_have_letters(prompt):
    lettered = "- **A)** Listen\n- **B)** Read it again"
    assert replying(prompt, lettered) == f"{prompt} [in reply to: Read it again]"
    assert replying("1", CHOICES) == "1 [in reply to: Listen to the storage event]"


@pytest.mark.parametrize(
    "prompt",
    [
        *("2 type errors are left", "3", "22", "try 2", "it has 2.", "2x", "bananas. many"),
        "1. Repair the header\n2. Then the footer",
    ],
)
def test_other_numbers_name_no_choice(prompt):
    assert replying(prompt, CHOICES) == prompt


def test_of_two_lists_with_the_same_numbers_none_is_meant_for_sure():
    assert replying("2", f"{CHOICES}\n\n2. Something else") == "2"
    assert replying("1", "1. The only one") == "1"


@pytest.mark.parametrize(
    "prompt",
    [
        *("Makes sense, do that.", "yes", "OK", "sounds good to me", "Go ahead!", "fine"),
        *("I'm fine with that, thanks", "ok do it your way then", "Great idea, please do."),
        *(
            "agreed",
            "right",
            "行，就按你说的",
            "好的",
            "可以",
            "就按你说的",
            "没问题",
            "对，就这样",
        ),
    ],
)
def test_who_agrees_is_told_with_what_was_proposed(prompt):
    told = f"{prompt} [in reply to: I suggest three retries for fetch_rates.]"
    assert replying(prompt, PROPOSED) == told


@pytest.mark.parametrize(
    "prompt",
    [
        *("okra is green", "yes?", "好吗？", "好像不对", "行数不对", "right now it fails", "no"),
        *("go on", "ok, now add a test", "yes but not today", "sure thing is", "好，再看看日志"),
    ],
)
def test_who_asks_or_says_more_than_that_does_not_just_agree(prompt):
    assert replying(prompt, PROPOSED) == prompt


@pytest.mark.parametrize(
    ("answer", "proposed"),
    [
        ("Shall I drop the table?", "Shall I drop the table?"),
        ("I'd drop the table. Shall I?", "I'd drop the table."),
        ("I would wait. My recommendation is tea. It is hot.", "My recommendation is tea."),
        ("建议先升级。然后再看。", "建议先升级。"),
        ("Do you want me to go on?", "Do you want me to go on?"),
    ],
)
def test_the_last_proposal_counts_and_a_question_only_where_there_is_no_other(answer, proposed):
    assert replying("yes", answer) == f"yes [in reply to: {proposed}]"


def test_an_answer_that_proposes_nothing_is_not_told():
    assert replying("yes", "It is done.") == "yes"
    assert replying("yes", "") == "yes"
    assert replying("yes", "```\nI suggest tea.\n```") == "yes"


def test_a_long_proposal_is_cut():
    told = replying("yes", "I suggest " + "tea" * 200)
    assert len(told) - len("yes [in reply to: ]") == LONGEST


def test_a_session_leaves_what_its_user_agreed_to():
    turns = (
        *(Turn(USER, "Move the pipeline to Airflow"), Turn(AGENT, PROPOSED), Turn(USER, "yes")),
        *(Turn(AGENT, CHOICES), Turn(USER, '"2. and a \\"v2\\" prefix"'), Turn(AGENT, "Done.")),
        *(Turn(USER, "go on"), Turn(AGENT, "Done."), Turn(USER, "Now write the page about it")),
    )
    found = Seen("abcdef1234", "/p", "2026-08-08", agent="codex", digest=digest(turns))
    assert said(found) == [
        "yes [in reply to: I suggest three retries for fetch_rates.]",
        '2. [in reply to: Read it again] and a "v2" prefix',
    ]


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("Agreed, the first one then. And more.", "Wait"),
        ("Please take the second", "Drop it"),
        ("As for the last, ask Ada", "Move it"),
        ("lo segundo, por favor", "Drop it"),
        ("das dritte", "Move it"),
        ("第一个吧", "Wait"),
    ],
)
def test_a_choice_may_be_made_by_its_place(prompt, told):
    answer = "Three ways:\n\n- [ ] **Wait**\n- Drop it\n3. Move it\n\nWhich one?"
    first, end, rest = prompt.partition(". ")
    said = f"{first}{end.strip()} [in reply to: {told}]"
    assert replying(prompt, answer) == (f"{said} {rest}" if rest else said)


def test_of_two_ways_in_a_sentence_and_of_questions_one_is_chosen_by_its_place():
    either = "It is slow. Either a darker green, or black letters. Which one?"
    assert replying("the second, please", either).endswith(" [in reply to: black letters]")
    asked = "Shall all be made at once?\n\nAre holidays left out?\n\nWhy?"
    assert replying("the second: yes", asked).endswith(" [in reply to: Are holidays left out?]")


@pytest.mark.parametrize("prompt", ["the first thing I want is tea", "at the last moment", "2nd"])
def test_a_place_that_chooses_nothing(prompt):
    assert replying(prompt, "Two:\n- tea\n- milk") == prompt


def test_a_place_that_is_not_in_the_list_chooses_nothing():
    assert replying("the third", "Two:\n- tea\n- milk") == "the third"
    assert replying("the first", "- only this") == "the first"


@pytest.mark.parametrize(
    "prompt", ["Yes, leave it.", "Sí, déjala.", "ja, genau.", "oui, d'accord.", "Yes. And now?"]
)
def test_a_prompt_that_begins_with_a_yes_agrees_and_may_say_more(prompt):
    first, more = prompt, ""
    if "And" in prompt:
        first, more = "Yes.", " And now?"
    asked = "It is slow. Shall the column stay as it is?"
    said = f"{first} [in reply to: Shall the column stay as it is?]{more}"
    assert replying(prompt, asked) == said


def test_who_says_that_one_thing_is_good_is_told_with_what_was_said_of_it():
    answer = "Accept ten a second. Others get a random delay.\n\nOK?"
    said = "random is good. [in reply to: Others get a random delay.] ten is not"
    assert replying("random is good. ten is not", answer) == said
    assert replying("tea is good", answer) == "tea is good"


def test_who_says_to_do_it_means_what_was_told_last():
    answer = "It is slow.\n\nPut the column back, which locks nothing."
    said = "do it. [in reply to: Put the column back, which locks nothing.] then sleep"
    assert replying("do it. then sleep", answer) == said
    assert replying("yes", answer) == "yes"


@pytest.mark.parametrize("why", ["now WHY.", "Why does it leak?", "¿Por qué?", "为什么会这样"])
def test_who_asks_why_is_told_the_reason_beside_what_is_said_next(why):
    answer = "Oh well. Each boot asks for every tariff."
    said = "then do not [in reply to: Each boot asks for every tariff.]"
    assert replying("then do not", answer, why) == said


@pytest.mark.parametrize("why", ["why not use it?", "¿Por qué no lo guardamos?", "", "go on"])
def test_who_proposes_by_a_question_asks_for_no_reason(why):
    assert replying("then do not", "Each boot asks for every tariff.", why) == "then do not"


def test_a_choice_and_its_reason_are_both_told():
    answer = "The cause is the cache. Ways:\n1. Drop it\n2. Keep it"
    said = "1. [in reply to: Drop it] Now. [in reply to: The cause is the cache.]"
    assert replying("1. Now.", answer) == said


@pytest.mark.parametrize(
    "prompt",
    [
        *("yes, no", "ok, no retries", "ok, wait a moment", "Yes, never mind that.", "vale, no"),
        *("ja, nicht so", "oui, non", "sim, não faça", "Great, it broke.", "right, wrong file"),
        *(
            "ok. no.",
            "ok. forget it",
            "Vale. Pero no.",
            "好。但是不要重试",
            "fine. No retries though",
        ),
    ],
)
def test_a_yes_that_is_taken_back_agrees_to_nothing(prompt):
    assert replying(prompt, PROPOSED) == prompt


@pytest.mark.parametrize("prompt", ["that is right", "retries are right out", "retries are fine?"])
def test_what_is_liked_has_a_name_and_is_no_question(prompt):
    answer = f"{PROPOSED} Note that it costs. Retries are slow."
    assert replying(prompt, answer) == prompt


@pytest.mark.parametrize(
    "prompt",
    [
        *(
            "Wait a second.",
            "First, run the tests.",
            "do the tests first",
            "at last",
            "At first, no",
        ),
        *("drop it at the very last.", "Which is the last?", "a big blast.", "How about the last?"),
    ],
)
def test_a_number_that_names_no_entry_chooses_nothing(prompt):
    assert replying(prompt, "Two:\n- tea\n- milk") == prompt


@pytest.mark.parametrize(
    "prompt",
    [
        *(
            "The first is wrong, take the second.",
            "both the first and the last.",
            "first one, second one",
        ),
        "neither the first nor the last, please",
    ],
)
def test_all_that_a_sentence_names_by_its_place_is_told(prompt):
    assert replying(prompt, "Two:\n- tea\n- milk") == f"{prompt} [in reply to: tea; milk]"
    assert replying("the first and the third", "Two:\n- tea\n- milk").endswith("third")


@pytest.mark.parametrize("last", ["```\nrm it\n```", "- tea\n- milk", "1. tea", "| a |\n|--|"])
def test_who_says_to_do_it_does_not_mean_code_nor_half_a_list(last):
    assert replying("do it", f"It is slow.\n\n{last}") == "do it"


def test_two_ways_said_again_and_again_cost_no_more_than_their_length():
    answer = "either a " * 20_000  # the square of it would be minutes
    assert replying("the second", answer) == "the second"
    assert replying("多少a" * 30_000, FOUR) == "多少a" * 30_000


LABELLED = (
    "I can reuse the sender.\n\n- A. A queue of files\n- B. A table\n- i. Both\n- ii. A hash of all"
    "\n\n- Q1. A result without an order: reject it or hold it?\n- Q2. Flush per frame, or per message?"
)


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("Variant A is confirmed.", "A queue of files"),
        ("Agreed, ii.", "A hash of all"),
        ("d’accord, b", "A table"),
        ("ok i.", "Both"),
    ],
)
def test_what_is_chosen_may_have_a_letter_or_a_roman_number(prompt, told):
    assert replying(prompt, LABELLED) == f"{prompt} [in reply to: {told}]"


def test_who_answers_questions_by_their_labels_is_told_with_each_question():
    prompt = "A is fine.\n\nQ1: Hold it. In a list.\nre Q2: Per frame.\nA: no question\n\nStart."
    assert replying(prompt, LABELLED) == (
        "A is fine. [in reply to: A queue of files]\n\n"
        "Q1: Hold it. [in reply to: A result without an order: reject it or hold it?] In a list.\n"
        "re Q2: Per frame. [in reply to: Flush per frame, or per message?]\nA: no question\n\nStart."
    )


@pytest.mark.parametrize("prompt", ["Q3: no", "1: yes", "so Q1: wait"])
def test_a_label_that_no_question_has_answers_none(prompt):
    assert replying(prompt, LABELLED) == prompt


@pytest.mark.parametrize(
    ("prompt", "answer", "told"),
    [
        (
            "first one, ram is free.",
            "Allocate for the biggest block at start? The alternative is to work in slices.",
            "Allocate for the biggest block at start?",
        ),
        ("the second", "Allocate at the very start? The other way would be slices.", "slices"),
        (
            "La seconde, carrément.",
            "Deux :\n- la limiter\n- nos propres règles",
            "nos propres règles",
        ),
        ("the last", "Does it start on every bar, or only after its own length?", None),
        ("own length.", "Does it start on every bar, or only after its own length?", None),
        ("le premier", "Attendre le certificat, ou le signer ?", "Attendre le certificat"),
    ],
)
def test_ways_may_be_a_question_and_its_alternative_or_both_in_one_question(prompt, answer, told):
    told = told or "only after its own length"
    assert replying(prompt, answer) == f"{prompt} [in reply to: {told}]"


@pytest.mark.parametrize(
    "prompt",
    [
        *("length", "bar or length?", "not its own length", "so", "no, own length"),
        "own length is what I have been asking for since Monday",
    ],
)
def test_words_that_name_no_way_or_several_choose_none(prompt):
    answer = "Does it start on every bar length, or only after its own length?"
    assert replying(prompt, answer) == prompt


@pytest.mark.parametrize(
    "prompt", ["Nickel, les deux.", "both", "yes, both of them", "los dos, vale"]
)
def test_who_agrees_to_both_is_told_with_the_last_two_proposals(prompt):
    two = "I would sort by name. It is slow. I suggest an index."
    told = f"{prompt} [in reply to: I would sort by name.; I suggest an index.]"
    assert replying(prompt, two) == told
    one = "Je mettrais le nom exact. Et pour la suite, un alias. Voilà."
    told = f"{prompt} [in reply to: Je mettrais le nom exact.; Et pour la suite, un alias.]"
    assert replying(prompt, one) == told


def test_who_says_yes_please_in_the_middle_of_a_long_sentence_agrees():
    said = "it went over the river so yes please do it with the real map and hurry"
    assert (
        replying(said, PROPOSED)
        == f"{said} [in reply to: I suggest three retries for fetch_rates.]"
    )
    no = "it went over the river so yes please don't do it"
    assert replying(no, PROPOSED) == no


PROSE = (
    "Three ways. The phone makes a UUID and the server ignores repeats. Or the server gives out"
    " numbers. Or both compare the amounts.\n\nWhich would you prefer? And may I change the server?"
)


@pytest.mark.parametrize(
    ("prompt", "answer", "told"),
    [
        (
            "the uuid idea\nno numbers",
            PROSE,
            "The phone makes a UUID and the server ignores repeats.",
        ),
        ("so the second, but soon", PROSE, "the server gives out numbers."),
        ("hm\ncompare the amounts then, please", PROSE, "both compare the amounts."),
        (
            "Cute, that. Hmm, no. Refuse it.",
            "Refuse it at once, with EINVAL; or take NULL to mean never.",
            "Refuse it at once, with EINVAL",
        ),
        ("keep? drop? keep", "Drop it; or keep it?", "keep it"),
        (
            "encrypt yes, half a second is nothing",
            "It leaks. Encrypt it with the PIN? No?",
            "Encrypt it with the PIN?",
        ),
        (
            "真ん中のにしましょう。",
            "どれ？\n（ア）足す\n（イ）刷り直す\n（ウ）知らせる",
            "刷り直す",
        ),
        ("イ）。", "どれ？\n（ア）足す\n（イ）刷り直す", "刷り直す"),
        ("the middle one", "- tea\n- milk", None),
    ],
)
def test_ways_may_stand_in_prose_and_be_named_by_a_word(prompt, answer, told):
    found = replying(prompt, answer)
    assert found.count("[in reply to: ") == (told is not None)
    assert told is None or f"[in reply to: {told}]" in found


def test_of_several_that_are_named_the_last_holds():
    said = "A big cache is best. Or a small cache. Or none at all."
    assert replying("big cache. no wait. small cache", said).endswith(
        "[in reply to: a small cache.]"
    )


def test_a_word_that_only_stands_before_a_yes_is_not_what_is_liked():
    assert replying("well yes, it is", PROPOSED) == "well yes, it is"
    assert replying("perfect yes", PROPOSED).endswith(
        "[in reply to: I suggest three retries for fetch_rates.]"
    )


@pytest.mark.parametrize("prompt", ["both", "les deux", "yes, both of them"])
def test_who_agrees_to_both_of_nothing_replies_to_nothing(prompt):
    assert replying(prompt, "It is done.") == prompt
    assert replying(prompt, f"{CHOICES}\n\nI'd suggest the event. Which one?") == prompt


@pytest.mark.parametrize(
    "prompt",
    [
        *("ok. However, no retries.", "Yes. Sorry, no.", "yes. Oh wait no", "Yes. Hmm, no."),
        *("sure. On second thought, no", "Sure. I mean no.", "ok. I changed my mind"),
        *("ja. Obwohl, nein", "when I say yes, do it"),
    ],
)
def test_a_yes_may_be_taken_back_behind_a_word_that_fills_the_pause(prompt):
    assert replying(prompt, PROPOSED) == prompt


@pytest.mark.parametrize(
    "prompt",
    [
        *("2, no, 1", "1, actually 2", "1, or 2?", "2.5 is the version", "2:30 is fine"),
        *("1可以吗", "1. no 2. yes"),
    ],
)
def test_a_label_that_is_given_up_asked_about_or_a_part_of_a_number_chooses_nothing(prompt):
    assert replying(prompt, CHOICES) == prompt


@pytest.mark.parametrize("prompt", ["so no cache", "all but the cache", "cache: no", "cache out"])
def test_who_rejects_a_way_in_its_words_does_not_choose_it(prompt):
    assert replying(prompt, "- a cache\n- a table") == prompt


@pytest.mark.parametrize(
    "prompt", ["the first and last name must be told", "The first is that it fails, and so on"]
)
def test_a_place_that_is_mentioned_in_passing_chooses_nothing(prompt):
    assert replying(prompt, "Two:\n- tea\n- milk") == prompt


TWO_QUESTIONS = "1. Should I delete the old table?\n2. Do we keep the logs?"


def test_what_a_line_answers_stands_in_that_line():
    assert replying("1. no\n2. yes", TWO_QUESTIONS) == (
        "1. no [in reply to: Should I delete the old table?]\n"
        "2. yes [in reply to: Do we keep the logs?]"
    )


@pytest.mark.parametrize("prompt", ["1. no 2. yes", "1: no way 2: yes"])
def test_of_several_answers_in_one_line_nobody_knows_where_one_ends(prompt):
    assert replying(prompt, TWO_QUESTIONS) == prompt
    told = "2. [in reply to: Read it again] and in 30. Now"
    assert replying("2. and in 30. Now", CHOICES) == told


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("Two:\n- Redis\n  - fast\n- Postgres\n  - slow", "Postgres"),
        ("1. Redis\n\nIt is fast.\n\n2. Postgres\n\nIt is slow.", "Postgres"),
        ("## Redis\n- fast\n- simple\n\n## Postgres\n- slow\n- safe", None),
        ("Changed:\n- a.py\n- b.py\n\nWays:\n- tea\n- milk", None),
        ("It is the net. Or the disk. I looked. Use a cache. Or a table.", None),
    ],
)
def test_a_place_counts_the_entries_of_one_list_without_what_stands_below_them(answer, told):
    said = f"the second [in reply to: {told}]" if told else "the second"
    assert replying("the second", answer) == said


def test_many_ways_in_one_line_are_not_tried_with_each_other():
    assert replying("the second", ": or a " * 50_000) == "the second"


def test_an_answer_is_not_searched_for_every_short_line_of_a_prompt():
    lines = "Sugar.\n" * 20_000
    answer = "- tea\n- milk\n" * 500
    assert replying(lines, answer) == lines
    assert replying(f"tea it is\n{lines}", "- tea\n- milk") == f"tea it is\n{lines}"


@pytest.mark.parametrize(
    "asks", ["How many retries shall it have?", "Wie lange soll es warten?", "要重试多少次？"]
)
def test_a_number_that_says_how_many_names_no_entry(asks):
    said = f"I repaired both:\n\n1. the parser\n2. the linker\n\n{asks}"
    assert replying("2", said) == "2"
    assert replying("the second", said).endswith("[in reply to: the linker]")


@pytest.mark.parametrize("prompt", ["1 then 2", "2 is worse than 1", "2 is what you said, so 1"])
def test_who_names_another_entry_in_the_same_sentence_chooses_none_for_sure(prompt):
    assert replying(prompt, CHOICES) == prompt


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (
            "I'd drop the table. Shall I delete the backups, too?",
            "I'd drop the table.; Shall I delete the backups, too?",
        ),
        (
            "Shall I delete the users?\n\nShall I keep the logs?",
            "Shall I delete the users?; Shall I keep the logs?",
        ),
        ("Shall I delete the users? Shall I keep the logs? Shall I push all of it?", None),
        (
            "I would delete all of it, except\nthe users of today.",
            "I would delete all of it, except the users of today.",
        ),
    ],
)
def test_who_agrees_is_told_with_all_that_was_asked_or_with_nothing(answer, told):
    assert replying("yes", answer) == (f"yes [in reply to: {told}]" if told else "yes")


def test_an_entry_is_told_to_its_end_and_code_has_none():
    said = "Ways:\n\n1. Drop the rows, but\n   not those of today\n2. Wait\n```\n1: a\n2: b\n```"
    for prompt in ("1", "the first"):
        assert (
            replying(prompt, said)
            == f"{prompt} [in reply to: Drop the rows, but not those of today]"
        )


def test_brackets_of_what_is_replied_to_do_not_end_it():
    said = "1. Use `list[str]` and drop the rest\n2. Wait"
    assert replying("1", said) == "1 [in reply to: Use `list(str)` and drop the rest]"


def test_an_answer_with_no_word_for_a_cause_is_not_taken_apart(monkeypatch):
    def never(_said):
        raise AssertionError

    monkeypatch.setattr(replies, "sentences", never)
    assert replies._explained("It works now. The tests pass. " * 9, "Go on") == []
    with pytest.raises(AssertionError):
        replies._explained("It works now. The cause was the cache.", "Go on")
