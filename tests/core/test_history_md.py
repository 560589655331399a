"""A conversation as a page of a thread's history, to the byte."""

from __future__ import annotations

from leftoff.core.history_md import LONGEST_CALL, Head, file_name, page
from leftoff.core.talk import AGENT, TOOL, USER, Turn

HEAD = Head(7, "The ledger", "shop", "codex/1", 0.0)
TOP = (
    "# #007 The ledger\n\n- Thread: shop\n- Session: codex/1\n- Archived: 1970-01-01T00:00:00Z\n\n"
)


def below(*turns: Turn) -> str:
    made, count = page(HEAD, turns)
    assert count == len(turns)
    assert made.startswith(TOP.rstrip("\n"))
    return made[len(TOP) :]


def test_texts_have_headings_and_calls_stand_below_whoever_made_them():
    turns = (
        Turn(USER, "\n# ask\nplain\n ", 60.0),
        Turn(AGENT, "answer"),
        Turn(TOOL, tool="Bash", about="make `all`", ok=False),
        Turn(TOOL, tool="Write", changes=("a.py", "b.py"), ok=True),
        Turn(AGENT, "done"),
    )
    assert below(*turns) == (
        "## User (1970-01-01T00:01:00Z)\n\n\\# ask\nplain\n\n"
        "## Agent\n\nanswer\n\n"
        "- Bash: `make \u02bcall\u02bc` (failed)\n- Write: `a.py, b.py`\n\n"
        "## Agent\n\ndone\n"
    )


def test_a_page_without_turns_is_its_head():
    assert page(HEAD, ()) == (TOP.rstrip("\n") + "\n", 0)
    assert page(HEAD._replace(name=" "), ())[0].startswith("# #007 codex/1\n")


def test_a_long_call_is_cut_and_one_about_nothing_is_its_tool():
    assert below(Turn(TOOL, tool="Read")) == "- Read\n"
    assert len(below(Turn(TOOL, tool="Read", about="x" * 999))) < LONGEST_CALL + 20


def test_a_file_is_named_by_its_number_and_what_it_is_about():
    assert file_name(7, "The ledger") == "007-the-ledger.md"
    assert file_name(1234, "") == "1234-session.md"
