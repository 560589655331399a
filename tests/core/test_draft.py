"""Drafts: made of what was seen, marked as such, on top of what was stated."""

from __future__ import annotations

from leftoff.core import draft
from leftoff.core.draft import Seen
from leftoff.core.model import Checkpoint, Item
from leftoff.core.stats import Failure, Stats, Task
from leftoff.formats import named

STATS = Stats(
    files=("/p/src/auth.py", "/elsewhere/x.py", "/p/docs/a.md"),
    tasks=(Task("Done one", "completed"), Task("Later", "pending"), Task("Now", "in_progress")),
    failures=(Failure("Bash", "pytest -k auth"),),
    last_asked="Finish the middleware with token=hunter22abc",
)
SEEN = Seen("s-1", "/p", "2026-08-08", "auto", "main", "a" * 40, ("src/auth.py", "b.py"), STATS)
THREAD = Checkpoint(
    "thread-1",
    name="Auth",
    decisions=(Item("Use RS256", attrs={"rationale": "keys rotate"}),),
    next_actions=(Item("Now"), Item("Write docs"), Item("Old", attrs={"done": True})),
    artifacts=(Item("b.py"),),
)


def drafts(items: tuple[Item, ...]) -> list[str]:
    return [item.text for item in items if item.attrs.get("draft")]


def test_a_precompact_save_has_paths_of_the_project_and_marks_what_nobody_stated():
    made = draft.precompact(SEEN, THREAD)
    assert made.id == "2026-08-08-auth-precompact"
    assert drafts(made.artifacts) == ["src/auth.py", "b.py", "docs/a.md"]
    assert [item.text for item in made.next_actions] == ["Now", "Write docs", "Later"]
    assert drafts(made.next_actions) == ["Later"]
    assert made.decisions == THREAD.decisions


def test_a_save_without_a_thread_is_called_by_its_branch_and_redacted():
    made = draft.precompact(SEEN, None)
    assert made.name == "main"
    assert made.intent == "Finish the middleware with token=[redacted:secret] [draft]"


def test_a_draft_survives_its_format():
    lens = named("task")
    made = draft.precompact(SEEN, THREAD)
    path = lens.path(made)
    text = lens.write(made, "", path)
    assert "- Later [draft]" in text
    assert drafts(lens.read(text, path).next_actions) == ["Later"]


def test_an_automatic_save_adds_and_takes_nothing_away():
    after = draft.added(THREAD, SEEN, "2026-08-08T12:00:00Z")
    assert after.artifacts[0] == THREAD.artifacts[0]
    assert drafts(after.artifacts) == ["src/auth.py", "docs/a.md"]
    assert after.next_actions[: len(THREAD.next_actions)] == THREAD.next_actions
    assert drafts(after.next_actions) == ["Later"]
    assert (after.decisions, after.summary) == (THREAD.decisions, THREAD.summary)


def test_an_automatic_save_twice_adds_once():
    once = draft.added(THREAD, SEEN, "2026-08-08T12:00:00Z")
    assert draft.added(once, SEEN, "2026-08-08T12:00:00Z") == once


def test_checkpoints_themselves_are_no_work():
    seen = SEEN._replace(dirty=(".checkpoints/threads/x/thread.json", "a.py"), stats=Stats())
    assert drafts(draft.precompact(seen, None).artifacts) == ["a.py"]
