"""Steps and questions in a model's answer: what the marks around them decide."""

from __future__ import annotations

import pytest

from leftoff.core import answers
from leftoff.core.answers import Lists, lists, open_points, questions, without
from leftoff.core.prose import sentences


def test_the_last_three_questions_are_kept_each_once():
    said = "One?\nTwo?\nThree? Three?\nFour?\nA fact."
    assert questions(said) == ("Two?", "Three?", "Four?")


def test_a_list_counts_only_below_a_heading_that_says_so():
    assert open_points("- wash\n- dry") == ()
    assert open_points("Still open:\n- wash\n\n- dry\nDone:\n- iron") == ("wash", "dry")
    assert open_points("## Next\n- [ ] wash\n- [x] dry") == ("wash",)
    assert open_points("  **Remaining**\n1. wash") == ("wash",)
    assert open_points("**Next steps:** \n- wash") == ("wash",)
    assert open_points("Next comes this\n- wash") == ("Next comes this",)


def test_a_heading_without_an_end_mark_is_none_even_where_one_stands_at_its_start():
    assert open_points(": what is next\n- wash") == ()


def test_what_stands_in_a_block_of_code_is_no_step():
    said = "  ```sh\nStill open:\n- it\n  ```\nStill to do:\n- wash"
    assert open_points(said) == ("wash",)
    assert open_points("Next is a ```\nThis is not yet code") == (
        "Next is a",
        "This is not yet code",
    )


def test_of_an_answer_that_was_cut_short_only_the_last_sentence_is_a_plan():
    assert open_points("I will wash. It is warm. Let me dry it") == ("Let me dry it",)
    assert open_points("Let me dry it. It is warm.") == ()
    assert open_points("Let me wash. Let me dry. Let me iron it") == ("Let me iron it",)


def test_marks_and_spaces_around_a_step_go_and_an_empty_one_is_none():
    assert open_points("Next:\n- **wash** \n- **\n- ` `") == ("wash",)


def test_what_belongs_to_a_name_is_no_mark():
    said = "Next:\n- port extract_orders.py and `__init__.py`\n- _never_ touch __this__ a_b_c._\n- __init__.py"
    assert open_points(said) == (
        "port extract_orders.py and __init__.py",
        "never touch this a_b_c._",
        "__init__.py",
    )


def test_what_stands_below_a_step_is_told_with_it_and_is_no_step():
    said = (
        "Remaining:\n- **wash** the car\n  - only after the rain\n    or snow\n\n  - not the `roof`"
    )
    assert lists(f"{said}\n- dry").left == (
        "wash the car · only after the rain or snow · not the roof",
        "dry",
    )
    assert lists("Next:\n1. wash\n\n   1. soap\n      - soft\n\n2. dry").left == (
        "wash · soap · soft",
        "dry",
    )
    assert lists("Next:\n  - wash\n   - dry\n\t\t- iron").left == ("wash", "dry · iron")


def test_what_stands_below_a_step_is_told_whole_however_much_it_is():
    said = "Next:\n- wash\n" + "".join(f"  - {sign * 100}\n" for sign in "abcde")
    a, b, c, d, e = (sign * 100 for sign in "abcde")
    assert lists(said).left == (f"wash · {a} · {b}", f"wash · {c} · {d}", f"wash · {e}")


def test_what_is_marked_below_a_step_is_an_entry_of_its_own():
    said = "Next:\n- wash\n  - [x] soap\n  - [ ] rinse\n  - gently\n- [x] dry\n  - in the sun"
    assert lists(said) == Lists(("wash · gently", "rinse"), ("soap", "dry · in the sun"))


def test_what_stands_below_something_done_is_told_with_it_as_it_may_bound_it():
    said = "Done:\n- wash\n  - not the roof\n  - ❌ rinse\n- ❌ dry\n  - in the sun"
    assert lists(said) == Lists(("rinse", "dry · in the sun"), ("wash · not the roof",))


def test_an_entry_may_be_the_heading_of_those_below_it():
    said = "- Remaining:\n  - wash\n  - dry\n- **Done**\n  - iron\n- Colours:\n  - blue\n- alone"
    assert lists(said) == Lists(("wash", "dry"), ("iron",))
    assert lists("- Remaining:\n- wash\n- ❌ dry\n  - blue") == Lists()


@pytest.mark.parametrize(
    "head",
    [
        *("Completed the next step:", "Done with all of the next steps:", "## Finished next steps"),
        *("I've finished the remaining items:", "The pending work is now done:"),
        *(
            "**Remaining tasks completed**",
            "已完成接下来的步骤：",
            "完成了剩余任务：",
            "剩余任务已完成：",
        ),
    ],
)
def test_what_was_to_do_and_is_done_is_no_heading_of_what_is_left(head):
    assert lists(f"{head}\n- wash") == Lists(done=("wash",))
    assert open_points(head.strip("#*:： ") + ".") == ()


@pytest.mark.parametrize(
    "head",
    [
        *(
            "Once finished, the remaining items:",
            "Haven't completed the next step:",
            "Completed; next:",
        ),
        *("Done. Next steps:", "## Completed steps / remaining", "Remaining before it is done:"),
        *("What's next now that it is done:", "继续完成剩余任务：", "下一步（登录已完成）："),
        *("When finished the remaining items are:", "Remaining work, not done:"),
    ],
)
def test_what_is_left_is_so_though_its_heading_says_that_something_is_done(head):
    assert lists(f"{head}\n- wash") == Lists(("wash",))


def test_of_a_step_what_is_done_below_it_is_told_no_more():
    key = str.lower
    assert without("Wash", {"dry"}, key) == "Wash"
    assert without("Wash", {"wash"}, key) == ""
    assert without("Wash · Soap · Rinse", {"soap"}, key) == "Wash · Rinse"
    assert without("Wash · Soap · Rinse", {"wash"}, key) == ""
    assert without("Wash · Soap · Rinse", {"soap", "rinse"}, key) == "Wash"
    assert without("Wash · Soap", {"wash · soap"}, key) == ""


@pytest.mark.parametrize(
    "head",
    [
        *("Get this done first:", "Failed to complete:", "Done, but broken:", "Done (mostly):"),
        *("How it is done:", "What Bob has done:", "Completed orders:", "What can be done:"),
        *("The shipped version has these bugs:", "Should not be done:", "如何完成：", "完成条件："),
    ],
)
def test_a_heading_that_says_more_than_that_it_is_done_heads_nothing(head):
    assert lists(f"{head}\n- wash\n- dry") == Lists()


@pytest.mark.parametrize(
    "head",
    [
        *("Options for the next step:", "Next, one of these:", "Rejected next steps:"),
        *("Does not need to be done:", "No longer to be done:"),
    ],
)
def test_what_there_is_to_choose_from_is_not_all_left_to_do(head):
    assert lists(f"{head}\n- wash\n- dry") == Lists()


def test_ticks_beside_crosses_tell_nothing_without_a_heading():
    assert lists("**For it**\n- ✅ fast\n- ✅ small\n\n**Against it**\n- ❌ new") == Lists()
    assert lists("Done:\n- ✅ wash\n- ❌ dry") == Lists(("dry",), ("wash",))


def test_a_sentence_that_goes_on_in_the_next_line_is_one():
    said = (
        "- Next: wash, but\n  not the roof\nI would delete all of it, except\nthe roof, e.g. here."
    )
    assert [*sentences(said)] == [
        "Next: wash, but not the roof",
        "I would delete all of it, except the roof, e.g. here.",
    ]


def test_a_heading_is_no_step_by_itself():
    assert open_points("It works.\n\n## Next steps\n\nNone.") == ()


def test_an_answer_with_none_of_the_words_is_not_taken_apart(monkeypatch):
    def never(_said):
        raise AssertionError

    monkeypatch.setattr(answers, "sentences", never)
    assert not answers.is_all("It works now. The tests pass. " * 9)
    with pytest.raises(AssertionError):
        answers.is_all("It works now. Everything is done.")
