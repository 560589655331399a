"""Progress that is shown by marks or in a table: read as a list where it is one of to-dos."""

from __future__ import annotations

import pytest

from leftoff.core.answers import Lists, lists
from leftoff.core.digest import digest
from leftoff.core.progress import as_lists
from leftoff.core.talk import AGENT, USER, Turn

BOTH = Lists(("dry", "iron"), ("wash",))


def shown(said: str) -> Lists:
    return lists(as_lists(said))


@pytest.mark.parametrize(
    "said",
    [
        "✅ wash\n⬜ dry\n⬜ iron",
        "Two are left.\n\n✅ wash\n\n⬜ dry\n\n⏳ iron\n\nShall I?",
        "Progress:\n✔️ wash\n☐ dry\n🚧iron\nThat is it.",
        "- [x] wash\n- [ ] dry\n- [ ] iron",
        "todo:\n[x] wash\n[ ] dry\n[ ] iron",
        "1. wash: completed\n2. dry: not started\n3. iron: pending.",
        "State of it:\n\n- wash — done\n- **dry** – in progress\n- iron (open)",
        "* wash : terminé\n* dry：à faire\n* iron - blocked",
        "1. ✅ wash\n2. ⬜ dry\n3. ⬜ iron",
        "* ☑ wash\n* 🔲 dry\n* 🔲 iron",
        "Done:\n✅ wash\n\nStill open:\n⬜ dry\n⬜ iron",
        "✅ wash\n⬜ dry\n⬜ iron\n```\n⬜ code\n```\nFor it:\n- soap",
        "```\n⬜ code\n```\n✅ wash\n⬜ dry\n⬜ iron",
        "~~~\n✅ code\n⬜ more\n~~~\n✅ wash\n⬜ dry\n⬜ iron",
    ],
)
def test_lines_that_are_marked_and_not_all_open_are_a_list_of_to_dos(said):
    assert shown(said) == BOTH


@pytest.mark.parametrize(
    "head", ["## Status", "**Progress:**", "Plan:", "Current plan", "### 进度", "To-dos:", "TASKS"]
)
def test_what_is_struck_out_under_a_heading_for_progress_is_done_and_the_rest_open(head):
    assert shown(f"{head}\n\n- ~~wash~~\n- dry\n- iron\n\nShall I?") == BOTH
    assert shown(f"{head}\n1. ~~wash~~\n2. dry\n3. iron") == BOTH


@pytest.mark.parametrize(
    "said",
    [
        "Choices:\n- ~~wash~~\n- dry\n- iron",
        "- ~~wash~~\n- dry",
        "Status of the choice\n- ~~wash~~\n- dry",
        "Status:\n- wash\n- dry",
        "Status:\n- ~~wash~~\n- ❌ dry\n✅ iron",
        "Status:\n- ~~wash~~ by hand\n- dry",
    ],
)
def test_what_is_struck_out_elsewhere_or_beside_other_marks_leaves_nothing_open(said):
    assert shown(said).left == ()


def test_under_a_heading_for_what_is_left_a_struck_entry_is_done_as_ever():
    assert shown("Still open:\n- ~~wash~~\n- dry\n- iron") == BOTH


def test_what_stands_below_a_marked_line_stays_with_it():
    assert shown("- [x] wash\n  warm\n- [ ] dry\n  - in the sun\n- [ ] iron") == Lists(
        ("dry · in the sun", "iron"), ("wash warm",)
    )


@pytest.mark.parametrize(
    "said",
    [
        "✅ fast\n❌ needs Redis\n⬜ unknown",
        "- ✅ fast\n- ❌ needs Redis",
        "- [ ] dry\n- [ ] iron",
        "⬜ dry\n⬜ iron",
        "✅ All tests pass",
        "⬜ dry",
        "✅ wash\n⬜ dry\n- soap",
        "✅\n⬜",
        "wash ✅ and dry ⬜",
        "```\n✅ wash\n⬜ dry\n```",
    ],
)
def test_reasons_remarks_and_lists_that_are_only_partly_marked_say_nothing(said):
    assert shown(said).left == ()


def test_all_that_is_ticked_is_done_and_a_heading_with_a_mark_is_a_heading():
    assert shown("✅ wash\n✅ dry") == Lists((), ("wash", "dry"))
    assert shown("✅ All tests pass") == Lists()
    assert shown("✅ Done:\n- wash\n\n⏳ Still open:\n- dry\n- iron") == BOTH
    assert as_lists("Next:\n- dry") == "Next:\n- dry"


@pytest.mark.parametrize(
    "table",
    [
        "| Nr | Task | Status |\n|--|--|:--:|\n| 1 | wash | Done |\n| 2 | dry | To do |\n| 3 | iron | next |",
        "| Status | Step |\n|--|--| \n| ✅ | **wash** |\n| ⏳ | dry |\n| ❌ | `iron` |",
        "| 任务 | 状态 |\n|--|--|\n| wash | 已完成 |\n| dry | 待做 |\n| iron | 进行中 |",
        "| Item | Done? |\n| - | - |\n| wash | completed. |\n| fold | maybe |\n| dry | Open. |\n| iron | 🔄 in progress |",
        "| Task | State |\n|-|-|\n| wash | merged |\n| dry | 待办 |\n| iron | todo |\n\nAnd:\n| a | b |\n| c | open |",
    ],
)
def test_a_table_of_tasks_with_their_status_is_a_list_of_to_dos(table):
    assert shown(f"So it stands:\n\n{table}") == BOTH


@pytest.mark.parametrize(
    "table",
    [
        "| Node | Status |\n|--|--|\n| ten | done |\n| two | pending |",
        "| Task | Owner |\n|--|--|\n| wash | open |",
        "| Task | Status |\n| wash | open |",
        "|--|--|\n| Task | Status |",
        "| Task | Status |\n|--|--|\n| wash |",
        "| Status | Task |\n|--|--|\n| open |",
        "| Task | Status |\n|--|--|\n| wash | done but for the roof |\n| dry | opened |",
    ],
)
def test_other_tables_are_none(table):
    assert shown(table) == Lists()


def test_a_table_of_which_all_is_open_is_left_too():
    assert shown("| Task | Status |\n|--|--|\n| dry | open |").left == ("dry",)


def test_what_a_table_shows_is_left_of_the_session_and_the_next_one_takes_its_place():
    head = "| Task | Status |\n|--|--|\n"
    one = Turn(AGENT, f"{head}| wash | done |\n| dry | open |\n| iron | open |")
    found = digest([one, Turn(USER, "go on"), Turn(AGENT, "I look at it.")])
    assert (found.points, found.done) == (("dry", "iron"), ("wash",))
    found = digest([one, Turn(USER, "go on"), Turn(AGENT, "✅ wash\n✅ dry\n⬜ iron")])
    assert (found.points, found.done) == (("iron",), ("wash", "dry"))


@pytest.mark.parametrize(
    "said",
    [
        "Done: wash. Still open: dry, iron.\n- [x] wash",
        "off the list: wash, fold. still on it: dry, iron.",
        "Hecho: wash, fold.\nFalta: dry, y iron.",
        "Erledigt: wash, fold.\nNoch offen: dry, und iron",
        "Fait: wash, fold.\nReste à faire: dry, iron;",
        "It works. Left to do: dry, and iron.",
    ],
)
def test_a_row_behind_a_heading_in_the_same_line_is_a_list(said):
    assert shown(said).left == ("dry", "iron")


@pytest.mark.parametrize(
    "said",
    [
        "Remaining: the parser, which is slow",
        "Still open: dry",
        "Colours: red, green",
        "It costs two: one, and two",
        "The pending one, I think: dry, iron",
        f"Still open: dry, iron{' and so on' * 200}",
    ],
)
def test_a_sentence_with_a_colon_and_a_comma_is_not(said):
    assert as_lists(said) == said


def test_a_comma_in_brackets_separates_nothing():
    assert shown("Still open: dry (sun, wind), iron").left == ("dry (sun, wind)", "iron")


def test_a_status_may_have_any_picture_before_its_word():
    rows = "| Step | State |\n|---|---|\n| wash | 🟢 done |\n| dry | 🔶 in progress |"
    assert shown(f"{rows}\n| iron | ⚪ not begun |\n| fold | 🤷 who knows |") == BOTH


@pytest.mark.parametrize(
    "said",
    [
        *("Done: yes, really.", "Done: I fixed it, and the tests pass.", "Done: c'est bon, oui"),
        *("Pending: none, all else works.", "Still open: I do not know, sorry."),
        *("Tests completed: 12 passed, 3 failed.", "Shipped with: Redis, Postgres."),
        *("A completed form has: a name, a date.", "Nearly finished: wash, dry"),
        *("Once done: wash, dry", "None of these is done: wash, dry", "De hecho: wash, dry"),
        *("Un hecho curioso: sol, luna", "Fait divers: wash, dry", "Queda claro: wash, dry"),
        *("Offen gesagt: wash, dry", "Es fehlt nichts: wash, dry"),
    ],
)
def test_an_answer_or_a_clause_behind_a_colon_is_no_list(said):
    assert shown(said) == Lists()


@pytest.mark.parametrize(
    "head",
    [
        *("Done so far", "All steps finished", "Already done", "What is done", "Off my list"),
        *("Ya hecho", "Bereits erledigt", "Déjà fait", "已完成", "Terminé"),
    ],
)
def test_a_heading_of_what_is_done_may_stand_before_a_row(head):
    assert shown(f"{head}: wash, dry.\n- [x] iron").done == ("wash", "dry", "iron")


@pytest.mark.parametrize(
    "head",
    [
        *("Noch nicht fertig", "Nicht erledigt", "No terminado", "Aún no hecho", "Pas terminé"),
        *("Pas encore fait", "Não feito", "Non terminé", "Not done", "Todavía no terminadas"),
    ],
)
def test_what_is_not_done_is_left_in_any_language(head):
    assert shown(f"{head}: wash, dry.") == Lists(("wash", "dry"))
    assert shown(f"## {head}\n- wash\n- dry") == Lists(("wash", "dry"))


@pytest.mark.parametrize(
    "head", ["Almost done:", "When finished:", "Un hecho:", "未済み:", "Not all done:"]
)
def test_a_heading_that_bounds_what_is_done_heads_nothing_done(head):
    assert shown(f"{head}\n- wash").done == ()


def test_a_status_with_a_question_mark_is_not_known():
    assert shown("| Task | Status |\n|--|--|\n| wash | done? |") == Lists()


def test_how_far_a_task_is_stays_with_it_where_there_is_more_to_it():
    said = "1. wash: done, by Ann\n2. dry: in progress, waits for Bo\n3. iron: blocked by item 2"
    assert shown(said) == Lists(
        ("dry · in progress, waits for Bo", "iron · blocked by item 2"), ("wash · done, by Ann",)
    )
    assert shown("- wash: it was done: done\n- dry (see 2): open") == Lists(
        ("dry (see 2)",), ("wash: it was done",)
    )


@pytest.mark.parametrize(
    "said",
    [
        *(
            "- wash: done",
            "- wash: done\n- dry",
            "- wash: done\n- dry: by hand",
            "wash: done\ndry: open",
        ),
        *("- wash done\n- dry open", "- wash: doneish\n- dry: open question", "- done\n- open"),
    ],
)
def test_entries_that_do_not_all_end_with_how_far_they_are_say_nothing(said):
    assert shown(said) == Lists()


@pytest.mark.parametrize(
    "said",
    [
        "**Terminé :** wash.\n\n**Reste à faire :** dry ; iron.",
        "Done: wash\nStill open: dry; iron",
        "**Offen**: dry; und iron",
        "待办： dry; iron",
    ],
)
def test_a_row_may_have_semicolons_between_its_things(said):
    assert shown(said).left == ("dry", "iron")


def test_a_row_of_what_is_done_may_have_them_too():
    assert shown("**Terminé :** wash ; dry ; iron.").done == ("wash", "dry", "iron")
    assert shown("Done: wash, by hand; dry").done == ("wash, by hand", "dry")
    assert shown("He said: wash; dry") == Lists()


def test_a_long_list_of_states_costs_no_more_than_its_length():
    assert shown("- a" + ": a" * 100_000 + "\n- b: done") == Lists()


@pytest.mark.parametrize(
    ("behind", "left"),
    [
        *((", except the tail", True), (" (but untested)", True), (" by Friday", True)),
        *((" until line 40", True), (", then reverted", True), (", by Ann", False)),
    ],
)
def test_what_is_done_in_part_is_told_as_open_with_what_is_said_of_it(behind, left):
    said = shown(f"- wash: done{behind}\n- dry: done\n- iron: open")
    whole = f"wash · done{behind}"
    assert said == (Lists((whole, "iron"), ("dry",)) if left else Lists(("iron",), (whole, "dry")))


@pytest.mark.parametrize(
    ("status", "told"),
    [
        ("done (crashes)", Lists(done=("wash · done (crashes)",))),
        ("done – not pushed", Lists(("wash · done – not pushed",))),
        ("✅ but it leaks", Lists(("wash · ✅ but it leaks",))),
        ("❌ nobody wants it", Lists(("wash · ❌ nobody wants it",))),
        ("✅ a1b2c3", Lists(done=("wash · ✅ a1b2c3",))),
    ],
)
def test_a_status_in_a_table_that_says_more_is_told_with_its_task(status, told):
    assert shown(f"| Task | Status |\n|--|--|\n| wash | {status} |") == told


def test_a_step_is_over_though_its_state_is_told_with_it():
    one = Turn(AGENT, "Still open:\n- wash\n- dry")
    done = Turn(AGENT, "- wash: done, by Ann\n- dry: done")
    assert digest([one, done]).points == ()


@pytest.mark.parametrize(
    "row", ["wash, dry except the socks, shirts", "Waschen, Trocknen noch nicht", "wash, not dry"]
)
def test_a_row_of_which_a_part_is_excepted_is_none(row):
    assert shown(f"Done: {row}") == Lists()


def test_a_row_ends_where_another_heading_begins():
    assert shown("Done: wash, dry; still open: iron, fold.") == Lists(
        ("iron", "fold"), ("wash", "dry")
    )
    assert shown("Done: wash; dry; to do: iron") == Lists()
    assert shown("已完成：洗衣；晾衣；待办：熨衣") == Lists()


@pytest.mark.parametrize("said", ["\n", "\n ", "- a\n\n", "- a: a"])
def test_blank_lines_cost_no_more_than_their_number(said):
    assert shown(said * 200_000).done == ()  # the square of it would be many minutes


def test_an_entry_that_is_no_task_is_not_searched_for_its_state():
    assert shown("- wash" + ": a" * 200 + ": done\n- dry: done") == Lists()
