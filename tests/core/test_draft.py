"""Drafts: made of what was seen, marked as such, on top of what was stated."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leftoff.core import draft
from leftoff.core.answers import open_points, questions
from leftoff.core.commits import messages_in
from leftoff.core.digest import FIRST, LAST, MOST_FAILURES, Ran, digest, is_test
from leftoff.core.draft import Seen, drafted, laid_over
from leftoff.core.draft_chain import built_on
from leftoff.core.model import Checkpoint, Item
from leftoff.core.stats import Failure, Stats, Task
from leftoff.core.talk import AGENT, TOOL, USER, Turn
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
    steps = ["Now", "Write docs", "Later", "failed: pytest -k auth"]
    assert [item.text for item in made.next_actions] == steps
    assert drafts(made.next_actions) == steps[2:]
    assert made.decisions == THREAD.decisions


def test_a_save_without_a_thread_is_called_by_its_branch_and_redacted():
    made = draft.precompact(SEEN, None)
    assert made.name == "main"
    assert made.intent == "Finish the middleware with token=[redacted:secret] [draft: s-1]"


GIVEN = Checkpoint(
    "2026-08-07-main-recovered",
    name="main",
    intent="Add limits (first asked: Build the login) [draft: old]",
    decisions=(Item("Use RS256", attrs={"draft": "old"}),),
    next_actions=(Item("Write docs", attrs={"draft": "old"}), Item("Ask Dana")),
    artifacts=(Item("old.py", attrs={"draft": "old"}),),
)


def continued(seen: Seen, given: Checkpoint) -> Checkpoint:
    """The draft of a session that was given a save."""
    return draft.recovered(*built_on(given, seen))


def test_what_a_session_went_on_with_is_told_again_where_it_lists_nothing_itself():
    made = continued(SEEN._replace(stats=Stats(last_asked="Go on with it")), GIVEN)
    assert made.intent == "Go on with it (first asked: Build the login) [draft: s-1]"
    assert [item.attrs for item in made.decisions] == [{"draft": "old"}]
    assert [item.text for item in made.next_actions] == ["Write docs", "Ask Dana"]
    assert [item.text for item in made.artifacts] == ["src/auth.py", "b.py"]
    assert made.extra["Session ID"] == "s-1"


def test_a_list_of_its_own_takes_the_place_of_drafted_steps_and_not_of_stated_ones():
    made = continued(SEEN, GIVEN)
    steps = ["Ask Dana", "Later", "Now", "failed: pytest -k auth"]
    assert sorted(item.text for item in made.next_actions) == sorted(steps)


@pytest.mark.parametrize("intent", ["Build the login", "Build the login [draft: old]"])
def test_the_work_began_with_what_the_save_calls_the_intent(intent):
    seen = SEEN._replace(stats=Stats(last_asked="Go on with it"))
    made = continued(seen, GIVEN._replace(intent=intent))
    assert made.intent == "Go on with it (first asked: Build the login) [draft: s-1]"
    silent = continued(SEEN._replace(stats=Stats()), GIVEN._replace(intent=intent))
    assert silent.intent == intent


def test_a_draft_survives_its_format():
    lens = named("task")
    made = draft.precompact(SEEN, THREAD)
    path = lens.path(made)
    text = lens.write(made, "", path)
    assert "- Later [draft: s-1]" in text
    assert drafts(lens.read(text, path).next_actions) == ["Later", "failed: pytest -k auth"]


def added(before: Checkpoint) -> Checkpoint:
    return draft.laid_over(before, draft.drafted(SEEN))


def test_an_automatic_save_adds_and_takes_nothing_away():
    before = THREAD._replace(summary="Tokens are signed.")
    after = added(before)
    assert after.artifacts[0] == THREAD.artifacts[0]
    assert drafts(after.artifacts) == ["src/auth.py", "docs/a.md"]
    assert after.next_actions[: len(THREAD.next_actions)] == THREAD.next_actions
    assert drafts(after.next_actions) == ["Later"]
    assert (after.decisions, after.summary) == (before.decisions, before.summary)


def test_an_automatic_save_twice_adds_once():
    once = added(THREAD)
    assert added(once) == once


def test_checkpoints_themselves_are_no_work():
    seen = SEEN._replace(
        dirty=(".checkpoints/threads/x/thread.json", "a.py", "checkpoints/", "x/checkpoints/"),
        stats=Stats(),
    )
    assert drafts(draft.precompact(seen, None).artifacts) == ["a.py"]


# From turns


def ran(command: str, *, ok: bool | None = True) -> Turn:
    return Turn(TOOL, tool="Bash", about=command, ok=ok, is_command=True)


def edited(*paths: str, ok: bool | None = True) -> Turn:
    return Turn(TOOL, tool="Edit", about=paths[0], ok=ok, changes=paths)


TURNS = [
    Turn(USER, "Move the login to the new service", 100.0),
    edited("/p/src/login.py"),
    edited("/p/src/never.py", ok=False),
    ran("pytest -q tests/login", ok=False),
    ran('git add -A && git commit -m "Move the login"'),
    ran("make lint", ok=False),
    ran("make lint"),
    ran("grep -n nothing src", ok=False),
    Turn(USER, "go on", 200.0),
    Turn(AGENT, "Moved. Next steps:\n1. Repair the test\n2. Write the docs\n\nKeep the old route?"),
]
TALKED = Seen(
    "abcdef1234", "/p", "2026-08-08", "", "feat", "b" * 40, ("src/login.py",),
    agent="claude-code", digest=digest(TURNS),
)  # fmt: skip
MARK = "claude-code/abcdef12"


def test_a_digest_tells_what_was_asked_done_failed_and_left():
    found = digest(TURNS)
    assert found.intents == ("Move the login to the new service", "go on")
    assert found.files == ("/p/src/login.py",)
    assert found.failures == ("pytest -q tests/login",)
    assert found.commits == ("Move the login",)
    assert found.tests == Ran("pytest -q tests/login", ok=False)
    assert found.points == ("Repair the test", "Write the docs")
    assert found.questions == ("Keep the old route?",)
    assert (found.ran, found.first, found.last) == (5, 100.0, 200.0)


def test_of_many_prompts_the_first_and_the_last_are_kept():
    found = digest(Turn(USER, f"prompt {n} {'x' * 1300}") for n in range(290))
    assert len(found.intents) == FIRST + LAST
    assert found.prompts == 290
    assert [one.split()[1] for one in found.intents][:5] == ["0", "1", "2", "3", "94"]
    assert max(map(len, found.intents)) == 1200


def test_a_draft_says_all_of_that_and_from_which_session():
    made = drafted(TALKED)
    assert made.intent == f"Move the login to the new service [draft: {MARK}]"
    assert made.summary == (
        "Changed 1 file: src/login.py. Ran 5 commands, 1 failed and not repaired. "
        f"Made 1 commit: Move the login. [draft: {MARK}]"
    )
    assert made.tests == f"failed: pytest -q tests/login [draft: {MARK}]"
    assert [item.text for item in made.blockers] == ["failed: pytest -q tests/login"]
    assert [item.text for item in made.next_actions] == ["Repair the test", "Write the docs"]
    assert [item.text for item in made.questions] == ["Keep the old route?"]
    assert made.artifacts == (Item("src/login.py", attrs={"draft": MARK, "area": "uncommitted"}),)
    lists = (made.blockers, made.next_actions, made.questions, made.artifacts)
    assert all(item.attrs["draft"] == MARK for items in lists for item in items)
    assert (made.branch, made.commit) == ("feat", "b" * 40)


def test_an_open_to_do_goes_before_what_the_answer_left_open():
    seen = TALKED._replace(stats=Stats(tasks=(Task("The to-do", "pending"),)))
    assert [item.text for item in drafted(seen).next_actions] == ["The to-do"]


def test_a_later_prompt_that_tells_nothing_is_not_the_intent():
    turns = [
        Turn(USER, "Build the parser"),
        Turn(USER, "Now the printer of trees"),
        Turn(USER, "ok"),
    ]
    made = drafted(Seen("s", "/p", "2026-01-01", digest=digest(turns)))
    assert made.intent == "Now the printer of trees (first asked: Build the parser) [draft: s]"


def test_secrets_of_a_conversation_stay_in_it():
    key = "ghp_" + "a1" * 18
    turns = [Turn(USER, f"use {key}"), ran(f"curl -H {key}", ok=False), Turn(AGENT, f"Next: {key}")]
    seen = Seen("s", "/p", "2026-01-01", digest=digest(turns))
    assert key not in repr(drafted(seen))
    assert "[redacted:github]" in drafted(seen).intent


def test_what_was_stated_stays_and_an_earlier_draft_gives_way():
    stated = Checkpoint(
        "t", intent="The goal", summary=f"old [draft: {MARK}]", tests="by hand: fine"
    )
    after = laid_over(stated, drafted(TALKED))
    assert (after.intent, after.tests) == ("The goal", "by hand: fine")
    assert after.summary == drafted(TALKED).summary
    assert laid_over(stated, drafted(Seen("s", "/p", "d"))).summary == stated.summary


def test_drafts_of_the_same_session_follow_the_truth_and_those_of_others_stay():
    mine, other = {"draft": MARK}, {"draft": "codex/99999999"}
    before = Checkpoint(
        "t",
        next_actions=(
            Item("Stated"),
            Item("No longer true", attrs=mine),
            Item("Of another", attrs=other),
            Item("Done meanwhile", attrs=other),
            Item("Repair the test", attrs={**mine, "priority": "P1"}),
        ),
        blockers=(Item("failed: make lint", attrs=other), Item("failed: make docs", attrs=other)),
        artifacts=(Item("src/login.py", attrs=mine),),
    )
    seen = TALKED._replace(
        stats=Stats(tasks=(Task("Done meanwhile", "completed"),)),
    )
    after = laid_over(before, drafted(seen))
    assert [item.text for item in after.next_actions] == [
        "Stated",
        "Of another",
        "Repair the test",
        "Write the docs",
    ]
    assert after.next_actions[2].attrs == {**mine, "priority": "P1"}
    assert [item.text for item in after.blockers] == [
        "failed: make docs",
        "failed: pytest -q tests/login",
    ]
    assert after.artifacts == (Item("src/login.py", attrs={**mine, "area": "uncommitted"}),)


marks = st.sampled_from(["", MARK, "codex/99999999"])
words = st.sampled_from(["a.py", "b.py", "write docs", "Repair the test", "failed: make", "?"])
entries = st.lists(
    st.builds(lambda text, by: Item(text, attrs={"draft": by} if by else {}), words, marks),
    max_size=4,
    unique_by=lambda item: item.key,
).map(tuple)
checkpoints = st.builds(
    Checkpoint,
    st.just("t"),
    intent=st.sampled_from(["", "Stated", f"drafted [draft: {MARK}]"]),
    next_actions=entries,
    blockers=entries,
    artifacts=entries,
)


@given(before=checkpoints, done=st.lists(words, max_size=2))
def test_a_draft_laid_over_twice_is_laid_over_once(before, done):
    tasks = tuple(Task(text, "completed") for text in done)
    made = drafted(TALKED._replace(stats=Stats(tasks=tasks)))
    once = laid_over(before, made)
    assert laid_over(once, made) == once
    for field in ("next_actions", "blockers", "artifacts"):
        stated = [item for item in getattr(before, field) if not item.attrs.get("draft")]
        assert [one for one in getattr(once, field) if not one.attrs.get("draft")] == stated


@pytest.mark.parametrize("name", ["thread", "task", "md", "skill"])
def test_every_format_carries_a_draft_and_a_save_that_says_the_same_changes_nothing(name):
    lens = named(name)
    made = laid_over(Checkpoint("work", created="2026-08-08", name="Work"), drafted(TALKED))
    path = lens.path(made)
    text = lens.write(made, "", path)
    read = lens.read(text, path)
    assert {item.text: item.attrs["draft"] for item in read.next_actions} == {
        "Repair the test": MARK,
        "Write the docs": MARK,
    }
    assert [item.attrs["draft"] for item in read.artifacts] == [MARK]
    again = laid_over(read, drafted(TALKED))
    assert lens.write(again, text, path) == text


@pytest.mark.parametrize(
    ("said", "points"),
    [
        ("All done.", ()),
        ("Nothing remaining.", ()),
        ("## Next\n- one\n- two\n\n## Done\n- three", ("one", "two")),
        ("**Remaining:**\n- [x] did\n- [ ] left", ("left",)),
        ("I moved it. The docs are not yet written.", ("The docs are not yet written.",)),
        ("下一步：\n1. 编写测试\n2. 更新文档", ("编写测试", "更新文档")),
        ("已完成。还需更新文档。", ("还需更新文档。",)),
        ("The file is there. Now let me repair the test.", ("Now let me repair the test.",)),
        ("```\nnext: code\n```\nDone.", ()),
    ],
)
def test_the_open_points_of_an_answer(said, points):
    assert open_points(said) == points


def test_the_questions_of_an_answer():
    assert questions("Done? Yes. Shall I push?\n- 要继续吗？") == (
        "Done?",
        "Shall I push?",
        "要继续吗？",
    )


@given(st.text())
def test_any_answer_has_points_and_questions_of_one_line(said):
    assert all("\n" not in one for one in (*open_points(said), *questions(said)))


@pytest.mark.parametrize(
    ("command", "is_one"),
    [
        ("pytest -q", True),
        ("cd x && FOO=1 .venv/bin/python -m pytest tests", True),
        ("uv run pytest", True),
        ("npm test", True),
        ("npm run test:unit", True),
        ("make check", True),
        ("cargo nextest run", True),
        ("go test ./...", True),
        ("echo pytest", False),
        ("make lint # no tests", False),
        ("npm install --save-dev jest", False),
        ("git commit -m 'npm test'", False),
        ("make", False),
        ("RUNNER=pytest", False),
    ],
)
def test_what_runs_the_tests(command, is_one):
    assert is_test(command) is is_one


@pytest.mark.parametrize(
    ("command", "messages"),
    [
        ("git commit -m 'One line'", ["One line"]),
        ('git commit -qam "Subject\n\nBody"', ["Subject"]),
        ("git commit --message='So' && git commit --amend --no-edit", ["So", ""]),
        ("git commit -m \"$(cat <<'EOF'\nThe subject\n\nBody\nEOF\n)\"", ["The subject"]),
        ("git commit", [""]),
        ("git status", []),
        ("git -C commit", []),
        ("git --no-pager commit -m x", ["x"]),
        ("git --version # commit", []),
    ],
)
def test_what_a_commit_says(command, messages):
    assert messages_in(command) == messages


def test_turns_without_a_time_have_none():
    found = digest([Turn(USER, "Wash it"), Turn(AGENT, "Done")])
    assert (found.first, found.last) == (0.0, 0.0)


def test_of_failed_commands_the_newest_stay():
    turns = [
        Turn(TOOL, tool="Bash", about=f"make {n}", ok=False, is_command=True) for n in range(50)
    ]
    found = [*digest(turns).failures]
    assert found[-1] == "make 49"
    assert len(found) == MOST_FAILURES


def test_a_secret_that_a_prompt_is_cut_in_does_not_leave_its_first_half():
    key = "ghp_" + "a1B2c3D4e5" * 4
    for before in range(240, 300):
        found = digest([Turn(USER, f"{'x' * 200} {'y' * (before - 201)} {key} and so on")])
        assert key[:8] not in str(drafted(Seen("s-1", "/p", "2026-08-08", digest=found)))


def test_a_long_list_of_rules_is_kept_to_its_end():
    rules = "\n".join(f"- Rule {n} has some words of its own to tell" for n in range(20))
    found = digest([Turn(USER, f"Build it after this:\n{rules}\n- The rest is done by hand")])
    assert found.intents[0].endswith("- The rest is done by hand")
