"""Chinese on the page: every text of a template has one, and none is left that nobody says."""

from __future__ import annotations

import ast
import os
import re

from jinja2 import Environment, nodes

from leftoff.entry.translate import TEXTS
from leftoff.entry.web.pages import every_page
from leftoff.entry.web.render import HERE, LEVELS, MARKS
from leftoff.locale import zh_CN_web
from support import SOURCE

STATES = {"in progress", "blocked", "complete", "failed", "archived", "broken", "active", "recent"}
"""Words of data that the page shows: states of checkpoints and sessions."""


def trees() -> list[nodes.Template]:
    found = []
    for name in os.listdir(os.path.join(HERE, "templates")):
        with open(os.path.join(HERE, "templates", name), encoding="utf-8") as file:
            found.append(Environment().parse(file.read()))
    return found


def said_in_templates() -> set[str]:
    calls = (call for tree in trees() for call in tree.find_all(nodes.Call))
    said = [call.args[0] for call in calls if getattr(call.node, "name", "") == "say" and call.args]
    either = [each for one in said for each in one.find_all(nodes.CondExpr)]
    texts = (*said, *(one.expr1 for one in either), *(one.expr2 for one in either))
    return {one.value for one in texts if isinstance(one, nodes.Const)}


def all_in_templates() -> set[str]:
    return {one.value for tree in trees() for one in tree.find_all(nodes.Const)}


def said_in_code() -> set[str]:
    found = set()
    for place, _, names in os.walk(os.path.join(SOURCE, "leftoff")):
        for name in names:
            if name.endswith(".py") and "locale" not in place:
                with open(os.path.join(place, name), encoding="utf-8") as file:
                    tree = ast.parse(file.read())
                strings = (one.value for one in ast.walk(tree) if isinstance(one, ast.Constant))
                found |= {text for text in strings if isinstance(text, str)}
    return found


def titles() -> set[str]:
    return {
        getattr(page, key)
        for page in every_page()
        for key in ("TITLE", "MENU")
        if hasattr(page, key)
    }


def test_every_text_of_the_page_has_a_chinese_one():
    wanted = said_in_templates() | titles() | STATES | {*MARKS} | {*LEVELS}
    assert not wanted - {*TEXTS}


def test_every_chinese_text_of_the_page_is_said():
    known = all_in_templates() | said_in_code() | titles() | STATES | {*MARKS} | {*LEVELS}
    assert not {*zh_CN_web.TEXTS} - known


def test_a_translation_has_the_holes_of_its_text():
    for text in said_in_templates():
        assert set(re.findall(r"\{(\w+)\}", text)) == set(re.findall(r"\{(\w+)\}", TEXTS[text])), (
            text
        )
