"""A finished to-do list is a moment to save: said once, at the prompt after it, and by real hooks."""

from __future__ import annotations

import json
import os

import pytest

from hooks import Client, answer, payload, unhurried
from support import repo

SAID = "entries of the to-do list are done: a good moment to write down what matters"


class Talk:
    """A session of Claude Code, with its transcript."""

    def __init__(self, folder: str) -> None:
        self.client: Client = unhurried(os.path.join(folder, "state"))
        self.root = repo(folder)
        self.path = os.path.join(folder, "talk.jsonl")
        self.prompts = self.lists = 0
        self.write(answer(1000))
        self.fire("start", source="startup")

    def write(self, *lines: str) -> None:
        with open(self.path, "a", encoding="utf-8") as file:
            file.writelines(lines)

    def list(self, *states: str) -> None:
        """The model writes its to-do list, and answers."""
        todos = [{"content": f"Entry {n}", "status": state} for n, state in enumerate(states)]
        self.lists += 1
        call = {"type": "tool_use", "id": f"t{self.lists}", "name": "TodoWrite"}
        said = json.loads(answer(1000))
        said["message"]["content"] = [call | {"input": {"todos": todos}}]
        self.write(json.dumps(said, separators=(",", ":")) + "\n", answer(1000))

    def fire(self, event: str, **more: object) -> str:
        given = payload(cwd=self.root, transcript_path=self.path, **more)
        return self.client.fire(event, given).out.decode()

    def prompt(self) -> str:
        self.prompts += 1
        return self.fire("prompt", prompt_id=f"p{self.prompts}")

    def reasons(self) -> list[str]:
        """Why the ordinary commands saw each prompt."""
        return [run[-1] for run in self.client.runs() if run[2] == "prompt"]


@pytest.fixture
def talk(tmp_path):
    return Talk(str(tmp_path))


@pytest.mark.req("B.trigger.phase", "X.output.transitions")
def test_a_finished_list_is_told_once_at_the_prompt_after_it(talk):
    talk.list("completed", "pending")
    assert SAID not in talk.prompt()
    talk.list("completed", "completed")
    text = talk.prompt()
    assert f"All 2 {SAID}: leftoff save" in text
    assert [talk.prompt() for _ in range(2)] == ["", ""]
    assert talk.reasons() == ["todo", "todo", "-", "-"]


@pytest.mark.req("B.trigger.phase")
def test_the_next_list_is_told_again_and_the_same_one_is_not(talk):
    talk.list("completed", "completed")
    assert SAID in talk.prompt()
    talk.list("completed", "completed")
    assert talk.prompt() == ""
    talk.list("completed", "completed", "in_progress")
    assert talk.prompt() == ""
    talk.list("completed", "completed", "completed")
    assert SAID in talk.prompt()


def test_a_list_that_ended_the_session_before_is_told_after_a_resume_once(talk):
    talk.list("completed")
    talk.fire("start", source="resume")
    assert SAID in talk.prompt()
    talk.fire("start", source="resume")
    assert talk.prompt() == ""


def test_without_a_list_no_prompt_is_handed_over(talk):
    assert talk.prompt() == ""
    assert talk.reasons() == ["-"]


def test_the_journal_holds_no_word_of_the_list(talk):
    talk.list("completed")
    talk.prompt()
    (line,) = [line for line in talk.client.lines() if line["event"] == "notice"]
    assert (line["what"], "Entry" in json.dumps(line)) == ("finished", False)
