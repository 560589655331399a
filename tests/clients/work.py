"""The same small piece of work in any client, and what leftoff has to know of it afterwards."""

from __future__ import annotations

import json
import os
from typing import Any

from clients.box import Box, require
from clients.driver import Driver, Run, install
from clients.drivers import CLAUDE, CODEX, CODEX_TRUST
from clients.fake_model import Step
from clients.wires import Reply, Use

PROMPT = "Please do the work."
ANSWER = "All of it is done."
FILE, NEXT = "notes.txt", "Read the token code first"


def prepare(box: Box, driver: Driver) -> dict[str, bytes]:
    """The client installed and leftoff's hooks in it; the files as they were before the hooks."""
    require(driver.client, *driver.needs)
    install(box, driver)
    before = box.files()
    done = box.leftoff("setup", "--yes", "--agent", driver.agent)
    assert done.returncode == 0, done.stdout + done.stderr
    return before


def uses(driver: Driver) -> tuple[Use, Use, Use]:
    """Of the three answers; only Claude's side tells what it wrote into its cache."""
    written = 300 if driver is CLAUDE else 0
    return Use(1200, 33, 700, written), Use(400, 44, 2000), Use(150, 55, 2400)


def script(box: Box, driver: Driver, prompt: str = PROMPT, file: str = FILE) -> tuple[Step, ...]:
    """A shell call, an edit, an answer."""
    shell, edit = driver.shell("git status --short"), driver.edit(box, file, "one\ntwo\n")
    first, second, third = uses(driver)
    return (
        Step(Reply("Let me look.", (shell,), use=first), prompt=prompt),
        Step(Reply(calls=(edit,), use=second), after=shell.tool, text=prompt),
        Step(Reply(ANSWER, use=third), after=edit.tool, text=prompt),
    )


def do(box: Box, driver: Driver, *more: str, prompt: str = PROMPT, **how: Any) -> Run:
    """One session with that work in it."""
    box.model.script(*script(box, driver, prompt))
    run = driver.run(box, prompt, *trusting(driver), *more, **how)
    assert ANSWER in run.out
    os.remove(os.path.join(box.repo, FILE))
    return run


def trusting(driver: Driver) -> tuple[str, ...]:
    """Codex runs no hook that its user has not approved; here somebody has."""
    return (CODEX_TRUST,) if driver is CODEX else ()


def leave_a_checkpoint(box: Box, kind: str = "md") -> None:
    """Somebody left off here, with one thing to do next."""
    told = ("--problem", "Sessions expire too early for people who only read.", "--next", NEXT)
    done = box.leftoff("init", "chk-tokens", "--as", kind, *told)
    assert done.returncode == 0, done.stdout + done.stderr


def info(box: Box, driver: Driver, session: str) -> Any:
    """What `session info` says of a session, by its name; `session stats` says the same."""
    name = f"{driver.agent}/{session}"
    told = box.facts("session", "info", name)["session"]
    counted = told["stats"]
    assert counted.items() <= box.facts("session", "stats", name)["session"]["stats"].items()
    assert told["tokens"] == counted["tokensConsumed"]
    assert told["files"] == len(counted["filesModified"])
    return told | counted


def listed(box: Box, *more: str, cwd: str = "") -> list[Any]:
    """What `session list` says."""
    found: list[Any] = box.facts("session", "list", *more, cwd=cwd)["sessions"]
    return found


def journal(box: Box, driver: Driver, session: str) -> list[Any]:
    """The lines of a session's journal."""
    path = os.path.join(box.state, "sessions", driver.agent, f"{session}.jsonl")
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def check(box: Box, driver: Driver, run: Run) -> Any:
    """All that is known of the work is right; gives it back."""
    facts = info(box, driver, run.session)
    shell, edit = driver.shell("").tool, driver.edit(box, FILE, "").tool
    assert facts["tokens"] == totals(driver)
    assert facts["toolUsageCounts"] == {shell: 1, edit: 1}
    assert facts["filesModified"] == [FILE]
    assert (facts["commands"], facts["prompts"], facts["answers"]) == (1, 1, 3)
    assert (facts["context"], facts["peak"]) == (2550, 2550)
    assert (facts["subagentsLaunched"], facts["compactions"]) == (0, [])
    assert (facts["branch"], facts["root"]) == ("main", box.repo)
    assert facts["commit"] == box.git("rev-parse", "HEAD").strip()
    assert facts["origin"] == "journal"
    assert not facts["skipped"]
    assert [each["id"] for each in listed(box)] == [run.session]
    return facts


def totals(driver: Driver) -> dict[str, int]:
    """The tokens of the work, as leftoff counts them."""
    answers = uses(driver)
    return {
        "input": sum(each.input for each in answers),
        "output": sum(each.output for each in answers),
        "cache_read": sum(each.cache_read for each in answers),
        "cache_write": sum(each.cache_write for each in answers),
    }
