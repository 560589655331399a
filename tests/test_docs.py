"""The pages say what the program does: generated parts are true, nothing is left undescribed."""

from __future__ import annotations

import ast
import json
import os
import re
import tomllib
from typing import Any

import pytest

from leftoff import formats
from leftoff.entry.help_json import kinds_of_error
from leftoff.entry.verbs import every_verb
from support import ROOT, SOURCE, module_at, repo, run

NOW = "2026-05-07T09:00:00Z"
PAGES = [
    os.path.relpath(os.path.join(place, name), ROOT)
    for place, _, names in os.walk(os.path.join(ROOT, "docs"))
    for name in sorted(names)
    if name.endswith(".md") and "example" not in place
] + ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]


@pytest.fixture(scope="module")
def generate() -> Any:
    """docs/_generate.py, which is a script beside the pages and no part of the package."""
    return module_at("docs", "_generate.py")


def page(*parts: str) -> str:
    with open(os.path.join(ROOT, *parts), encoding="utf-8") as file:
        return file.read()


def sections(text: str) -> set[str]:
    return set(re.findall(r"^## (.+)$", text, re.MULTILINE))


def test_the_generated_parts_of_the_pages_are_up_to_date(generate):
    outdated = [os.path.relpath(path, ROOT) for path in generate.outdated()]
    assert not outdated, f"run make docs: {outdated}"


def test_a_generated_part_that_was_edited_by_hand_is_noticed(generate):
    good = generate.fill("a\n<!-- generated: exit-codes -->\n<!-- end -->\nb\n")
    assert "not-found" in good
    assert generate.fill(good) == good
    assert generate.fill(good.replace("not-found", "lost")) == good


def test_a_measured_part_is_left_alone(generate):
    text = "<!-- generated: bench -->\nfigures\n<!-- end -->\n"
    assert generate.fill(text) == text


def test_every_command_is_described_and_nothing_else():
    assert sections(page("docs", "commands.md")) == set(every_verb())


def test_every_format_is_described():
    described = sections(page("docs", "formats.md"))
    assert described == {lens.NAME.partition(".")[0] for lens in formats.lenses()}


def test_every_kind_of_error_is_described():
    text = page("docs", "json.md")
    assert not [kind for kind in kinds_of_error() if f"`{kind.kind}`" not in text]


def keys(value: Any) -> Any:
    """The shape of a JSON value: its keys, and those of its first element."""
    if isinstance(value, list):
        return [keys(value[0])] if value else []
    return {key: keys(one) for key, one in value.items()} if isinstance(value, dict) else None


def test_the_examples_of_json_have_the_keys_of_real_answers(tmp_path):
    blocks = re.findall(r"```json\n(.*?)```", page("docs", "json.md"), re.DOTALL)
    envelope, ask, error = (json.loads(block) for block in blocks)
    root = repo(tmp_path)
    run("update", "checkout", "--phase=payments", cwd=root)
    good = json.loads(run("validate", "--json", cwd=root).stdout)
    asking = json.loads(run("done", "checkout", "--json", cwd=root).stdout)
    bad = json.loads(run("show", "nope", "--json", cwd=root).stdout)
    assert keys({**good, "data": {}}) == keys(envelope)
    assert keys(asking["ask"]) == keys(ask)
    assert keys(bad) == keys(error)


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere(name):
    folder = os.path.dirname(os.path.join(ROOT, name))
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", page(name))
    local = [link for link in links if not link.startswith("http")]
    assert not [link for link in local if not os.path.exists(os.path.join(folder, link))]


def members(path: str, protocol: str) -> set[str]:
    """The names that a protocol in a file asks of a module."""
    for node in ast.walk(ast.parse(page(path))):
        if isinstance(node, ast.ClassDef) and node.name == protocol:
            named = [one.target.id for one in node.body if isinstance(one, ast.AnnAssign)]
            return {*named, *(one.name for one in node.body if isinstance(one, ast.FunctionDef))}
    raise AssertionError(f"{path} has no {protocol}")


@pytest.mark.parametrize(
    ("title", "path", "protocol"),
    [
        ("Add a format", "formats/__init__.py", "Lens"),
        ("Add a command", "commands/__init__.py", "Command"),
    ],
)
def test_contributing_names_exactly_what_a_new_file_must_define(title, path, protocol):
    text = page("CONTRIBUTING.md").partition(f"## {title}\n")[2].partition("\n## ")[0]
    named = re.findall(r"^\| `(\w+)", text, re.MULTILINE)
    assert set(named) == members(os.path.join(SOURCE, "leftoff", path), protocol)


def test_every_dependency_has_its_reason():
    project = tomllib.loads(page("pyproject.toml"))
    asked = project["project"]["dependencies"] + project["dependency-groups"]["dev"]
    names = {re.match(r"[\w-]+", one)[0] for one in asked}
    listed = set(re.findall(r"^\| `([\w-]+)` \| \D", page("docs", "dependencies.md"), re.MULTILINE))
    assert listed == names


@pytest.mark.parametrize("name", sorted(os.listdir(os.path.join(ROOT, "docs", "decisions"))))
def test_a_decision_has_its_context_and_consequences_and_is_short(name):
    text = page("docs", "decisions", name)
    assert sections(text) == {"Context", "Decision", "Consequences"}
    assert text.count("\n") <= 60


def test_the_commands_of_the_readme_exist():
    readme, makefile, ci = page("README.md"), page("Makefile"), page(".ci", "run")
    assert "\nmake test\n" in readme
    assert re.search(r"^test:", makefile, re.MULTILINE)
    assert re.search(r"^make test\b", ci, re.MULTILINE)
    assert "bin/leftoff status --project docs/example\n" in readme


def test_the_example_project_is_without_fault():
    root = os.path.join(ROOT, "docs", "example")
    done = run("validate", "--strict", "--now", NOW, cwd=root)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 documents valid" in done.stdout


def test_the_session_in_the_readme_is_what_really_happens(generate):
    shown = generate.session()
    assert 'completed "Build the retry page"' in shown
    assert "Next: Mail the receipt" in shown
    assert shown in page("README.md"), "run make docs"


OCCASIONS = (
    *("unit of work", "significant choice", "direction", "session ends", "context is getting full"),
    "Heavy or risky work",
)
"""To save: those that the seeds name."""


@pytest.mark.req("B.trigger.heavy-work")
def test_every_occasion_to_save_stands_in_the_guide():
    when = page("docs", "save.md").partition("## When\n")[2].partition("\n## ")[0]
    for occasion in OCCASIONS:
        assert re.search(rf"^\| .*{occasion}.* \| .+ \|$", when, re.MULTILINE), occasion


def test_every_family_of_modules_is_described():
    layers = ("entry", "commands", "world", "formats", "core")
    firsts = [
        f"`{layer}/{re.match('_?[a-z]+_', name)[0]}*`"
        for layer in layers
        for name in os.listdir(os.path.join(SOURCE, "leftoff", layer))
        if re.match("_?[a-z]+_.*[.]py", name)
    ]
    families = {one for one in firsts if firsts.count(one) >= 3}
    described = set(re.findall(r"`[a-z]+/_?[a-z]+_[*]`", page("docs", "architecture.md")))
    assert described == families
