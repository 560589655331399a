"""Steps and questions in a model's answer: what the marks around them decide."""

from __future__ import annotations

from leftoff.core.answers import open_points, questions


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
    assert open_points("Next is a ```\nand this is not yet code") == (
        "Next is a",
        "and this is not yet code",
    )


def test_of_an_answer_that_was_cut_short_only_the_last_sentence_is_a_plan():
    assert open_points("I will wash. It is warm. Let me dry it") == ("Let me dry it",)
    assert open_points("Let me dry it. It is warm.") == ()
    assert open_points("Let me wash. Let me dry. Let me iron it") == ("Let me iron it",)


def test_marks_and_spaces_around_a_step_go_and_an_empty_one_is_none():
    assert open_points("Next:\n- **wash** \n- **\n- ` `") == ("wash",)
