"""The pages and the program say the same, both ways: settings, environment, findings, clients."""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Iterator

import pytest

import messages
from leftoff import agents, formats
from leftoff.core import thresholds
from leftoff.entry.verbs import every_verb
from leftoff.world.settings import origins
from support import ROOT, repo, run
from test_docs import PAGES, generate, page, sections

__all__ = ["generate"]  # a fixture

READ_BY_OTHER_WAYS = {"LEFTOFF", "HAPI_SESSION_ID"}
"""The hook asks for the first in bytes, and the second goes by a constant."""
KINDS_OF_CLAIMS = {"branch", "commit", "parent", "ticket", "tests"}
"""Slugs that are the kind of a claim which git or the files contradict (core.diagnose)."""


@pytest.fixture(scope="module")
def program() -> messages.Program:
    return messages.load()


def column(text: str, at: int = 0) -> set[str]:
    """Everything in backticks in a column of the tables of a page."""
    rows = (line.split("|")[1:] for line in text.splitlines() if line.startswith("| `"))
    return {word for row in rows for word in re.findall(r"`([^`]+)`", row[at])}


def part(text: str, title: str) -> str:
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_every_finding_is_described_and_nothing_else(program):
    slugs = {slug for slug in messages.slugs(program) if messages.HOLE not in slug}
    built = {"bad-type", "bad-status"}  # by the name of a column
    assert column(page("docs", "findings.md")) == slugs | built | KINDS_OF_CLAIMS


def test_every_setting_is_described_with_its_default(tmp_path):
    shown = {origin.key: origin.value for origin in origins(os.fspath(tmp_path), {})}
    limits = {f"thresholds.{key}" for key in thresholds.TABLE}
    text = page("docs", "settings.md")
    rows = re.findall(r"^\| `(\w+\.\w+)` \| (.+?) \|", text, re.MULTILINE)
    told = {key: default for key, default in rows if f"thresholds.{key}" not in limits}
    assert {*told} == {*shown} - limits | {"readers.SKILL", "windows.MODEL"}
    for key, default in told.items():
        value = shown.get(key)
        if default.startswith("`") and not isinstance(value, float):
            assert json.loads(default.strip("`")) == value, key


def test_the_example_of_settings_is_taken_as_it_stands(tmp_path):
    root = repo(tmp_path)
    (example,) = re.findall(r"```toml\n(.*?)```", page("docs", "settings.md"), re.DOTALL)
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "leftoff")
    os.makedirs(folder)
    with open(os.path.join(folder, "config.toml"), "w", encoding="utf-8") as file:
        file.write(example)
    shown = json.loads(run("doctor", "--settings", "--json", cwd=root).stdout)["data"]
    assert shown["worst"] == []
    assert {row["layer"] for row in shown["settings"] if row["key"] == "hooks.brief"} == {"user"}


def variables(program: messages.Program) -> Iterator[str]:
    """The variables of the environment that the source reads, by name."""
    name = re.compile(r"[A-Z][A-Z0-9_]{3,}")
    for module in program.modules.values():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and "env" in ast.unparse(node.func).lower():
                yield from (arg.value for arg in node.args if _is_name(arg, name))
            if isinstance(node, ast.Constant) and _is_name(
                node, re.compile(r"LEFTOFF(_[A-Z_]+[A-Z])?")
            ):
                yield node.value
    for adapter in map(agents.load, agents.names()):
        yield from (adapter.SESSION_VARIABLE, adapter.PID_VARIABLE, adapter.EXPORT_VARIABLE)
        yield from (adapter.ENTRY_VARIABLE, adapter.SETTINGS.variable, adapter.LOGS.variable)


def _is_name(node: ast.AST, form: re.Pattern[str]) -> bool:
    text = getattr(node, "value", None)
    return isinstance(text, str) and bool(form.fullmatch(text))


def test_every_variable_of_the_environment_is_described_and_nothing_else(program):
    described = column(part(page("docs", "settings.md"), "Environment"))
    read = {*filter(None, variables(program)), *READ_BY_OTHER_WAYS}
    assert described == read


def test_every_format_has_a_guide_whose_commands_run(generate):
    kinds = {lens.NAME.partition(".")[0] for lens in formats.lenses()}
    folder = os.path.join(ROOT, "docs", "guides")
    assert {name.removesuffix(".md") for name in os.listdir(folder)} == kinds
    for kind in kinds:
        text = page("docs", "guides", f"{kind}.md")
        assert {"A minute with it", "How to leave"} <= sections(text)
        assert f"<!-- project: {kind} -->" in text
        assert text.count("\n$ leftoff") >= 4
        assert "\nerror: " not in text


def test_a_guide_whose_output_is_not_what_happens_is_noticed(generate):
    text = page("docs", "guides", "thread.md")
    changed = text.replace('completed "Copy the second half"', 'completed "Copy the first half"')
    assert changed != text
    assert generate.fill(changed) == text


def test_every_client_has_its_page():
    folder = os.path.join(ROOT, "docs", "clients")
    assert {name.removesuffix(".md") for name in os.listdir(folder)} == set(agents.names())
    for name in agents.names():
        text = page("docs", "clients", f"{name}.md")
        assert agents.load(name).TITLE in text
        assert {
            "Quick start",
            "What works, and what does not",
            "Turning it off, removing it",
        } <= sections(text)


def test_every_page_is_in_the_list_of_pages():
    listed = set(re.findall(r"\]\(([^)#]+)\)", page("docs", "README.md")))
    inside = {os.path.relpath(name, "docs") for name in PAGES if name.startswith("docs/")}
    pages = {name for name in inside if not name.startswith(("decisions", "README"))}
    assert pages <= listed


@pytest.mark.parametrize("name", PAGES)
def test_every_link_into_a_page_leads_to_a_heading(name):
    folder = os.path.dirname(os.path.join(ROOT, name))
    for path, anchor in re.findall(r"\]\(([^):]*)#([^)]+)\)", page(name)):
        target = os.path.join(folder, path) if path else os.path.join(ROOT, name)
        if target.endswith(".md"):
            assert anchor in anchors(target), f"{name}: {path}#{anchor}"


def anchors(path: str) -> set[str]:
    with open(path, encoding="utf-8") as file:
        titles = re.findall(r"^#+ (.+)$", file.read(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("name", PAGES)
def test_every_command_that_a_page_names_exists(name):
    """`leftoff VERB` in code, with its options; a decision may speak of what never came."""
    if name.startswith(("docs/decisions", "CHANGELOG")):
        return
    options = {verb: known_options(verb) for verb in every_verb()}
    for line in code(page(name)):
        words = re.split(r"\s+", line)
        verb = words[1] if len(words) > 1 else ""
        if verb in options and verb not in {"update", "hook", "statusline"}:
            given = {re.split(r"[=]", word)[0] for word in words if re.match(r"--[a-z]", word)}
            assert given <= options[verb], f"{name}: {line}"
        else:
            assert not re.fullmatch(r"[a-z-]+", verb) or verb in KNOWN, f"{name}: {line}"


KNOWN = {*every_verb(), "help", "completion", "restore", "mcp", "web", "demo"}


def code(text: str) -> Iterator[str]:
    """What stands as a command line in code, up to a comment, a pipe or another command."""
    inline = re.findall(r"`(leftoff [^`]+)`", text)
    for line in (*fenced(text), *inline):
        found = re.search(r"(?:^|\$ |&& )(leftoff .+)", line)
        if found:
            without = re.sub(r"'[^']*'|\"[^\"]*\"", "TEXT", found[1])
            yield re.split(r"\s[#|<>(]|\s\d?>|;|,", without)[0].strip()


def fenced(text: str) -> Iterator[str]:
    """The lines of all blocks of code."""
    inside = False
    for line in text.splitlines():
        if line.startswith("```"):
            inside = not inside
        elif inside:
            yield line


def known_options(verb: str) -> set[str]:
    from leftoff.entry.help import parser_of
    from leftoff.entry.verbs import find_command

    found = parser_of(verb, find_command(verb))._actions
    return {option for action in found for option in action.option_strings}


def test_what_each_part_had_to_prove_is_proved_by_tests_that_exist():
    told = part(page("docs/reliability.md"), "What each part had to prove")
    rows = [row.split(" | ") for row in told.splitlines() if re.match(r"\| \d\.\d \|", row)]
    named = [name for row in rows for name in re.findall(r"`([^`]+\.py)`", row[-1])]
    assert {row[0][2] for row in rows} == set("123456")
    assert all("`" in row[-1] for row in rows)
    assert not [name for name in named if not os.path.isfile(os.path.join(ROOT, "tests", name))]


def test_no_page_names_a_path_of_a_machine():
    for name in PAGES:
        text = page(name)
        assert not re.search(r"/(?:work|root|tmp/tmp)/|pytest-of-", text), name


def test_every_kind_of_error_is_defined_in_one_place(program):
    ours = messages.errors(program)
    for name, module in program.modules.items():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef) and node.name in ours and name != "leftoff.errors":
                assert "kind" not in ast.unparse(node).replace(ast.get_docstring(node) or "", "")
