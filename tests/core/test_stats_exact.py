"""A session with its subagents: what is summed, and what stays the main file's."""

from __future__ import annotations

from leftoff.core.stats import Stats, Task, Tokens, together

KEY, OTHER = ("2026-01-01", "opus", 0), ("2026-01-02", "opus", 1)


def test_a_session_and_its_subagents_are_summed_and_the_conversation_is_the_main_one_s():
    main = Stats(
        tokens=Tokens(1, 2, 3, 4),
        context=500,
        models={"opus": 2},
        spent={KEY: (1, 2, 3, 4, 0)},
        cost=0.5,
        tools={"Edit": 1},
        files=("a", "b"),
        commands=1,
        failed=2,
        commits=3,
        answers=4,
        prompts=5,
        first=10.0,
        last=20.0,
        lines=6,
        skipped=7,
        unknown={"x": 1},
    )
    other = main._replace(
        context=900,
        models={"opus": 1, "haiku": 3},
        spent={KEY: (10, 20, 30, 40, 5), OTHER: (1, 1, 1, 1, 1)},
        files=("b", "c"),
        first=5.0,
        last=30.0,
    )
    assert together(main, [other]) == main._replace(
        tokens=Tokens(2, 4, 6, 8),
        models={"opus": 3, "haiku": 3},
        spent={KEY: (11, 22, 33, 44, 5), OTHER: (1, 1, 1, 1, 1)},
        cost=1.0,
        tools={"Edit": 2},
        files=("a", "b", "c"),
        commands=2,
        failed=4,
        commits=6,
        answers=8,
        lines=12,
        skipped=14,
        unknown={"x": 2},
        last=30.0,
    )
    assert together(main, [other._replace(last=1.0)]).last == 20.0


def test_a_session_without_subagents_is_itself():
    main = Stats(files=("a", "a"))
    assert together(main, []) is main


def test_tasks_are_done_or_open_with_the_running_one_first():
    tasks = [Task("a", "completed"), Task("b", "pending"), Task("c", "in_progress"), Task("d", "")]
    stats = Stats(tasks=tuple(tasks))
    assert (stats.done, stats.done_tasks, stats.open_tasks) == (1, ["a"], ["c", "b", "d"])
    assert Tokens(1, 2, 3, 4).total == 10
