"""What a session may be compacted to: what is essential, in as much room as there is."""

from __future__ import annotations

import json

import pytest

from leftoff.core.brief import LEVELS
from leftoff.core.compaction import Part, lines_of, parts, summary
from leftoff.core.digest import Digest
from leftoff.core.draft import Seen
from leftoff.core.model import Checkpoint, Item
from leftoff.core.session import Session
from leftoff.core.talk import Turn
from leftoff.entry.lang import say_in

SAY = say_in("en", {})
SEEN = Seen("s", "/p", "2026-01-01", digest=Digest(intents=("first", "last")))
LIST = Part("k", "Decisions", tuple(f"decision {n}" for n in range(100)))


def found(seen: Seen = SEEN, thread: Checkpoint | None = None) -> dict[str, Part]:
    return {part.key: part for part in parts(Session("codex", "s"), seen, thread)}


def test_the_commit_is_named_where_there_is_one():
    seen = SEEN._replace(branch="main", commit="a" * 40)
    assert "main @ aaaaaaaaaaaa" in found(seen)["state"].entries
    without = found(seen._replace(commit=""))["state"].entries
    assert not [one for one in without if " @ " in one]


def test_of_what_grows_the_newest_is_kept_and_of_plans_the_beginning():
    newest = {key for key, part in found().items() if part.newest_last}
    assert newest == {"asked", "decisions", "failed", "questions"}


def test_the_task_is_what_the_thread_intends_or_else_its_name():
    assert found(thread=Checkpoint("", name="Ledger"))["task"].entries == ("Ledger",)
    meant = Checkpoint("", name="Ledger", intent="Rewrite it")
    assert found(thread=meant)["task"].entries == ("Rewrite it",)


def test_what_the_thread_states_stands_in_its_parts():
    thread = Checkpoint("", decisions=(Item("use cents"),), questions=(Item("which bank"),))
    made = found(thread=thread)
    assert "use cents" in made["decisions"].entries
    assert "which bank" in made["questions"].entries


@pytest.mark.parametrize("newest_last", [False, True])
def test_a_list_that_does_not_fit_says_how_much_more_there_is_and_where(newest_last):
    part = LIST._replace(newest_last=newest_last)
    whole = summary([part], "", 100_000, SAY)
    assert [whole.text.count(entry) for entry in ("decision 0\n", "decision 99\n")] == [1, 1]
    assert "more" not in whole.text
    for archive in ("", "/archive"):
        short = summary([part], archive, 100, SAY)
        shown = [line for line in short.text.splitlines() if line.startswith("- decision")]
        first = 100 - len(shown) if newest_last else 0
        assert shown == [f"- decision {n}" for n in range(first, first + len(shown))]
        assert f"- {100 - len(shown)} more: {archive or 'leftoff session info'}\n" in short.text
        assert short.text.count("/archive") == (2 if archive else 0)
        assert short.overrun == 0 < short.tokens <= 100


def test_the_first_level_that_fits_is_taken_even_where_it_just_fits():
    whole = summary([LIST], "", 100_000, SAY)
    assert summary([LIST], "", whole.tokens, SAY) == whole
    assert summary([LIST], "", whole.tokens - 1, SAY).tokens < whole.tokens


def test_what_never_fits_is_as_short_as_can_be_and_tells_by_how_much_it_is_over():
    least = summary([LIST], "", 0, SAY)
    assert least.text.count("- decision") == LEVELS[-1][0]
    assert least.overrun == least.tokens > 0
    assert summary([LIST], "", least.tokens - 1, SAY).overrun == 1
    assert summary([LIST], "", least.tokens + 1, SAY).overrun == 0


def test_an_empty_part_says_so():
    assert "Decisions:\n- none\n" in summary([LIST._replace(entries=())], "", 100, SAY).text


def test_the_archive_has_a_line_for_each_turn_without_what_is_empty():
    [line] = lines_of([Turn("user", "ask", 1.0)])
    told = json.loads(line)
    assert told.items() >= {"role": "user", "text": "ask", "at": 1.0, "ok": None}.items()
    assert not {"tool", "about", "changes"} & told.keys()
