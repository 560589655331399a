"""The small parser says yes and no exactly where argparse does, for every command's description."""

from __future__ import annotations

import argparse

import pytest

from leftoff import commands
from leftoff.entry import verb_mcp
from leftoff.entry.arguments import Parser
from leftoff.entry.verbs import add_common
from leftoff.errors import Usage

LINES = [
    [],
    ["a"],
    ["a", "b"],
    ["a", "b", "c", "d"],
    ["a", "b", "c", "d", "e"],
    ["--json"],
    ["a", "--json", "--project", "x"],
    ["--project=x", "a"],
    ["--project"],
    ["--nonsense"],
    ["--json=1"],
    ["--brief"],
    ["--since", "2d"],
    ["--since=2d", "--all"],
    ["a", "--to", "md"],
    ["a", "--to", "nonsense"],
    ["a", "--next", "x", "--next", "y"],
    ["a", "--rotate", "x", "--rotate=y", "--dry-run"],
    ["a", "--", "--b"],
    ["--", "a"],
    ["route", "words"],
    ["nonsense", "words"],
]


def strict(command):
    parser = argparse.ArgumentParser(allow_abbrev=False, exit_on_error=False)
    command.arguments(parser)
    add_common(parser)
    return parser


def small(command):
    parser = Parser()
    command.arguments(parser)
    add_common(parser)
    return parser


def outcome(parse, words):
    """The values, or None for a refusal; argparse's None of an unused list is our empty one."""
    try:
        found = vars(parse(words))
    except (Usage, SystemExit, argparse.ArgumentError):
        return None
    return {key: value or None for key, value in found.items() if key != "rest"}


@pytest.mark.parametrize("words", LINES, ids=" ".join)
@pytest.mark.parametrize("verb", commands.names())
def test_both_parsers_agree(verb, words, capsys):
    command = commands.load(verb)
    assert outcome(small(command).parse, words) == outcome(strict(command).parse_args, words)


@pytest.mark.parametrize("words", [["--http"], ["--http", "8"], ["--http=8"], ["--http", "--json"]])
def test_an_option_may_do_without_its_value(words):
    both = Parser(), argparse.ArgumentParser()
    for parser in both:
        verb_mcp.arguments(parser)
        add_common(parser)
    ours, theirs = both[0].parse(words), both[1].parse_args(words)
    assert (ours.http, ours.json) == (theirs.http, theirs.json)


def test_a_mistyped_option_or_choice_gets_a_suggestion():
    parser = small(commands.load("status"))
    with pytest.raises(Usage) as caught:
        parser.parse(["--breif"])
    assert caught.value.hint == 'did you mean "--brief"?'
    with pytest.raises(Usage) as caught:
        small(commands.load("convert")).parse(["x", "--to", "taks"])
    assert caught.value.hint == 'did you mean "task"?'


def test_free_assignments_keep_their_order_and_the_fields_name_wins_after_an_equals_sign():
    parser = Parser(free=True)
    add_common(parser)
    parser.add_argument("name")
    args = parser.parse(["x", "--b=2", "--project=field", "--a+=1", "--project", "folder"])
    assert args.rest == ["--b=2", "--project=field", "--a+=1"]
    assert args.project == "folder"
