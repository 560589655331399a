"""A session of Claude Code that worked and that nobody saved, as it lies on the disk."""

from __future__ import annotations

from histories import HOUR, MINUTE, Talk, journal, started
from leftoff.world.liveness import here

TODOS = [
    {"content": "Move the login", "status": "completed"},
    {"content": "Repair the login test", "status": "in_progress"},
]


def called(talk: Talk, ago: float, tool: str, *, failed: bool = False, **given: object) -> Talk:
    """A call and how it ended."""
    name = f"c{len(talk.lines)}"
    block = {"type": "tool_use", "id": name, "name": tool, "input": given}
    usage = {"input_tokens": 10, "output_tokens": 5}
    message = {
        "id": f"{talk.session}-{name}",
        "model": "claude-sonnet-4-6",
        "content": [block],
        "usage": usage,
    }
    talk._add("assistant", ago, {"role": "assistant", **message})
    return talk.result(ago, name, failed=failed)


def work(n: int, root: str, ago: float = 2 * HOUR, *, todos: bool = True) -> Talk:
    """It was asked, edited a file, ran a test that failed, and had a to-do left."""
    talk = Talk(n, root).ask(ago, "Move the login to the new service")
    called(talk, ago - 10, "Edit", file_path=f"{root}/app.py", new_string="CONTENT-OF-A-FILE")
    called(talk, ago - 20, "Bash", failed=True, command="pytest -q tests/login")
    if todos:
        called(talk, ago - 30, "TodoWrite", todos=TODOS)
    return talk.answer(ago - 40, "The login is moved; its test fails.")


def dead(**more: object) -> dict[str, object]:
    """The facts of a client that ran on this machine and is gone."""
    place = dict(zip(("boot", "ns", "host"), here()[2:5], strict=True))
    return {"pid": 2**22 + 1, "began": "1", **place, **more}


def killed(n: int, root: str, ago: float = 2 * HOUR, *more: tuple, torn: str = "") -> str:
    """The same with a journal that has no end; the path of the transcript."""
    path = work(n, root, ago).save(torn=torn)
    begun = started(ago + MINUTE, root, transcript=path, **dead())
    journal(n, begun, (ago, "prompt"), *more)
    return path
