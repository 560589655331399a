"""`help --json`: all that an agent needs to call any command, in a form that stays."""

from __future__ import annotations

import ast
import json
import os
import shlex

import pytest

from leftoff import commands, errors
from leftoff.entry.calls import parser_for
from leftoff.entry.help_json import ASKS
from leftoff.entry.verbs import every_verb, find_command
from support import SOURCE, run

ARGUMENT = {
    *("names", "positional", "help", "metavar", "choices", "nargs", "required", "repeatable"),
}
COMMAND = {"summary", "usage", "arguments", "examples", "asks", "aliases", "free", "json"}
ONLY_A_PERSON = {"--grant"}
"""Answers that no text for agents names."""


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    done = run("help", "--json", cwd=tmp_path_factory.mktemp("anywhere"))
    answer = json.loads(done.stdout)
    assert answer["schema"] == "leftoff.help/1"
    return answer["data"]


def test_every_command_and_argument_has_the_same_keys(told):
    assert set(told["commands"]) == set(every_verb())
    for verb, command in told["commands"].items():
        assert set(command) == COMMAND, verb
        assert command["summary"]
        assert command["usage"].startswith(f"leftoff {verb} ")
        for argument in (*command["arguments"], *told["common"]):
            assert set(argument) == ARGUMENT, verb
            assert argument["help"], (verb, argument)
            assert argument["metavar"] or argument["nargs"] == 0


@pytest.mark.parametrize("words", [("help", "save"), ("save", "--help"), ("help", "restore")])
def test_of_one_command_it_tells_the_same_and_of_no_other(told, tmp_path, words):
    one = json.loads(run(*words, "--json", cwd=tmp_path).stdout)["data"]
    verb = "resume" if "restore" in words else "save"
    assert one == {**told, "commands": {verb: told["commands"][verb]}}


def test_the_value_of_a_common_option_is_no_command(told, tmp_path):
    words = ("--lang", "en", "--now", "2026-08-08T12:00:00Z", "--project", ".")
    assert json.loads(run("help", *words, "--json", cwd=tmp_path).stdout)["data"] == told
    assert run("help", *words, cwd=tmp_path).returncode == 0


def test_of_a_command_that_there_is_not_it_is_an_error(tmp_path):
    done = run("help", "statsu", "--json", cwd=tmp_path)
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["hint"] == 'did you mean "status"?'


def test_an_argument_says_how_often_and_what_it_takes(told):
    def of(verb: str, name: str):
        return next(one for one in told["commands"][verb]["arguments"] if name in one["names"])

    assert of("save", "--next")["repeatable"]
    assert of("save", "--draft")["nargs"] == 0
    assert of("resume", "--reads")["choices"] == ["y", "n"]
    assert of("search", "text")["nargs"] == "+"
    assert of("search", "text")["required"]
    assert of("status", "name")["nargs"] == "?"
    assert not of("status", "name")["required"]
    assert {name for one in told["common"] for name in one["names"]} >= {"--json", "--project"}


@pytest.mark.parametrize("verb", commands.names())
def test_the_examples_are_command_lines_that_it_takes(told, verb):
    for line in told["commands"][verb]["examples"]:
        program, named, *words = shlex.split(_command(line))
        assert program == "leftoff"
        parser_for(find_command(named)).parse(words)


def _command(line: str) -> str:
    """Without what is piped into it, and what is said of it."""
    return line.rpartition("| ")[2].partition(" < ")[0].partition("  (")[0]


def test_the_exit_codes_are_all_there(told):
    codes = {row["code"] for row in told["exit_codes"]}
    kinds = {kind.kind for kind in vars(errors).values() if isinstance(kind, type)}
    assert codes >= {0, 1, 2, 3, 4, 5, 6, 7, 8, 70, 130}
    assert {row["kind"] for row in told["exit_codes"]} - {""} == kinds
    assert all(row["means"] for row in told["exit_codes"])


def test_every_flag_that_answers_a_question_is_named(told):
    asked = {flag.split()[0] for flag in _asked()}
    assert asked - ONLY_A_PERSON <= {flag for flags in ASKS.values() for flag in flags}
    for verb, command in told["commands"].items():
        names = {name for one in command["arguments"] for name in one["names"]}
        assert set(command["asks"]) <= names, verb


def _asked() -> set[str]:
    """The flags of every Ask in the commands, by their syntax trees."""
    found = set()
    folder = os.path.join(SOURCE, "leftoff", "commands")
    for name in os.listdir(folder):
        if name.endswith(".py"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                tree = ast.parse(file.read())
            calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
            for call in calls:
                if ast.unparse(call.func) == "Ask" and isinstance(call.args[2], ast.Constant):
                    found.add(call.args[2].value)
    assert len(found) > 8
    return found
