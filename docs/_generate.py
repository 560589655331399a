"""Fills the generated blocks of the pages, or with --check says which ones are out of date.

A block stands between `<!-- generated: NAME -->` and `<!-- end -->`; `BLOCKS` maps NAME to a
function below. What a block says has its home in the code, so that it is written once.
"""

# ruff: noqa: INP001, T201  # a script, not a module of the package

from __future__ import annotations

import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from leftoff import agents, commands, formats
from leftoff.core import thresholds
from leftoff.core.model import RULES
from leftoff.entry import cli, help_json
from leftoff.entry.help import LEAD, parser_of
from leftoff.entry.mcp.schemas import prices
from leftoff.entry.mcp.tools import FULL, TOOLS
from leftoff.entry.verbs import every_verb, find_command

DOCS = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(DOCS)
sys.path.insert(0, DOCS)  # a test loads this file from elsewhere

import _clients  # noqa: E402
import _play  # noqa: E402
import _schemas  # noqa: E402

BLOCK = re.compile(r"(<!-- generated: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
# Measured, not derived: make bench, coverage, torture, broken and mutants
# fill them.
MEASURED = {
    "bench",
    "bench-durable",
    "bench-history",
    "bench-hooks",
    "bench-package",
    "bench-resume",
    "bench-team",
    "bench-web",
    "broken",
    "fuzz",
    "mutants",
    "coverage",
    "targets",
    "torture",
    "torture-memory",
    "torture-races",
    "torture-versions",
    "torture-team",
}


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; pipes in cells are escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def fields() -> str:
    """Every field of a checkpoint with its rules and what each format calls it."""
    lenses = formats.lenses()
    head = ["field", "means", "save", "merge", "keep", *(lens.NAME for lens in lenses)]
    return table(
        head,
        (
            [f"`{name}`", rule.means, rule.save, rule.merge, rule.keep]
            + [lens.HOLDS.get(name, "") for lens in lenses]
            for name, rule in RULES.items()
        ),
    )


def attributes() -> str:
    """The attributes of list items that leftoff itself reads."""
    rows = (
        [f"`{name}`", ", ".join(f"`{attr}`" for attr in rule.attrs)]
        for name, rule in RULES.items()
        if rule.attrs
    )
    return table(["field", "attributes of its items"], rows)


def format_table() -> str:
    """Every format, what it is, and the places where its documents live."""
    places: dict[str, list[str]] = {}
    for lens in formats.lenses():
        # A stream in two files has two lenses: `thread` and `thread.json`.
        places.setdefault(lens.NAME.partition(".")[0], []).extend(lens.PATTERNS)
    rows = (
        [f"`{name}`", _about(name), " ".join(f"`{glob}`" for glob in globs)]
        for name, globs in sorted(places.items())
    )
    return table(["format", "what", "where"], rows)


def _about(name: str) -> str:
    """The first paragraph of the format's section in the guide."""
    with open(os.path.join(DOCS, "formats.md"), encoding="utf-8") as file:
        found = re.search(rf"^## {name}\n\n(.+?)\n\n", file.read(), re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def exit_codes() -> str:
    """The error kinds and their exit codes, beside those that are no error of ours."""
    rows = (
        [str(row["code"]), f"`{row['kind']}`" if row["kind"] else "", _meaning(row)]
        for row in help_json.exit_codes()
    )
    return table(["exit code", "`error.kind`", "meaning"], rows)


def _meaning(row: dict[str, Any]) -> str:
    return row["means"] + ("; worth another try" if row["retryable"] else "")


def threshold_table() -> str:
    """Every limit, its default and its unit."""
    rows = (
        [f"`{key}`", _amount(row), row.unit, row.means.partition(" (seed")[0]]
        for key, row in thresholds.TABLE.items()
    )
    return table(["key", "default", "unit", "means"], rows)


def _amount(row: thresholds.Threshold) -> str:
    if row.unit != "seconds":
        return f"{row.default:g}"
    days, hours = row.default / 86400, row.default / 3600
    if days.is_integer():
        return f'"{days:g}d"'
    return f'"{hours:g}h"' if hours.is_integer() else f'"{hours * 60:g}m"'


def command_list() -> str:
    """Every command in one line, the everyday ones first."""
    return table(
        ["command", "does"],
        ([f"[`{verb}`](#{verb})", find_command(verb).SUMMARY] for verb in _verbs()),
    )


def command_pages() -> str:
    """Every command with its arguments and examples."""
    return "\n".join(_page(verb) for verb in every_verb())


def _verbs() -> list[str]:
    known = every_verb()
    first = [verb for verb in LEAD if verb in known]
    return [*first, *(verb for verb in known if verb not in first)]


def _page(verb: str) -> str:
    command = find_command(verb)
    arguments = table(["argument", "means"], _arguments(verb, command))
    examples = "\n".join(command.EXAMPLES)
    return f"## {verb}\n\n{command.SUMMARY}\n\n{arguments}\n```sh\n{examples}\n```\n"


NOW = "2026-05-07T09:00:00Z"
SESSION = """\
leftoff update checkout --phase=payments --step='charge a card' \
--progress_summary='Cards are charged in the sandbox.' \
--next_actions:json='["Build the retry page", "Mail the receipt"]'
leftoff update checkout --context_primer.key_decisions+='Amounts are integers in cents'
leftoff done checkout
leftoff status --brief
leftoff status
"""


def session() -> str:
    """A minute with leftoff, as it really goes: what a pipe would show, at a fixed time."""
    with tempfile.TemporaryDirectory() as work:
        env = {"HOME": work, "LEFTOFF_STATE": os.path.join(work, "state")}
        project = os.path.join(work, "project")
        os.mkdir(project)
        shown = [f"$ {line}\n{_output(line, project, env)}" for line in SESSION.splitlines()]
    return f"```console\n{''.join(shown)}```\n"


def _output(line: str, cwd: str, env: dict[str, str]) -> str:
    streams = io.StringIO(), io.StringIO(), io.StringIO()
    code = cli.main([*shlex.split(line)[1:], "--now", NOW], env=env, cwd=cwd, streams=streams)
    if code:
        raise SystemExit(f"{line}: exit code {code}\n{streams[2].getvalue()}")
    return streams[1].getvalue()


def client_events() -> str:
    """Which of its events each client tells."""
    return table(*_clients.events())


def client_facts() -> str:
    """What works in each client, and where its files are."""
    return table(*_clients.facts())


def client_names() -> str:
    """What commands call each client, and its page."""
    rows = ([f"[{one.TITLE}](clients/{one.NAME}.md)", f"`{one.NAME}`"] for one in _clients.every())
    return table(["client", "name"], rows)


def client_pages() -> str:
    """The page of each client, in a line."""
    pages = ", ".join(f"[{one.TITLE}](clients/{one.NAME}.md)" for one in _clients.every())
    rows = [[pages, "and all of them in one table: [agents](agents.md)"]]
    return table(["if you use a client", "quick start, what works, what does not"], rows)


def client_limits() -> str:
    """What each client cannot do, in the words that `setup` says too."""
    return "\n".join(f"### {one.TITLE}\n\n{_bullets(one.CANNOT)}" for one in _clients.every())


def client_page(name: str) -> str:
    """All of it about one client."""
    rows, needs, cannot = _clients.page(name)
    parts = [table(["what", "how"], rows)] if rows else []
    parts += [f"It needs you once:\n\n{_bullets(needs)}"] if needs else []
    return "\n".join([*parts, f"What it cannot do:\n\n{_bullets(cannot)}"])


def _bullets(lines: Iterable[str]) -> str:
    return "".join(f"- {line}\n" for line in lines)


def _arguments(verb: str, command: commands.Command) -> Iterator[list[str]]:
    """Rendered from argparse's records, not its help text, which differs between Pythons."""
    for action in help_json.actions(parser_of(verb, command)):
        if help_json.is_common(action):
            continue
        value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
        names = [f"{name} {value}".strip() for name in action.option_strings]
        shown = names or [_OPTIONAL.get(str(action.nargs), "{}").format(value)]
        means = (action.help or "").replace("%%", "%")
        yield [", ".join(f"`{name}`" for name in shown), means]


_OPTIONAL = {"?": "[{}]", "*": "[{} ...]", "+": "{} ..."}


def mcp_tools() -> str:
    """The tools of the MCP server, what each does, takes and costs."""
    price = prices()[FULL]["tools"]
    rows = (
        [
            f"`{tool.name}`",
            f"`{tool.verb}`",
            "read" if tool.reads else "write" if tool.writes else "own notes",
            ", ".join(f"`{arg.name}`" for arg in tool.takes),
            f"about {price[tool.name]}",
        ]
        for tool in TOOLS
    )
    return table(["tool", "command", "does", "takes", "tokens"], rows)


def mcp_price() -> str:
    """What a profile puts before a model."""
    rows = (
        [f"`{name}`", str(len(known["tools"])), f"about {known['total']}"]
        for name, known in prices().items()
    )
    return table(["profile", "tools", "tokens, with the instructions"], rows)


BLOCKS: dict[str, Callable[[], str]] = {
    "mcp-tools": mcp_tools,
    "mcp-price": mcp_price,
    "fields": fields,
    "attributes": attributes,
    "formats": format_table,
    "exit-codes": exit_codes,
    "thresholds": threshold_table,
    "command-list": command_list,
    "commands": command_pages,
    "session": session,
    "client-names": client_names,
    "client-pages": client_pages,
    "client-events": client_events,
    "client-facts": client_facts,
    "client-limits": client_limits,
    **{f"client-{name}": partial(client_page, name) for name in agents.names()},
}


def fill(text: str) -> str:
    """A page with its blocks as they should be."""

    def replace(block: re.Match[str]) -> str:
        opening, name, closing = block.groups()
        if name in MEASURED:
            return block[0]
        return f"{opening}\n{BLOCKS[name]()}\n{closing}"

    return _play.play(BLOCK.sub(replace, text))


def pages() -> list[str]:
    """Every page of the docs, and the README."""
    inside = (
        os.path.join(DOCS, folder, name)
        for folder in ("", "guides", "clients")
        for name in sorted(os.listdir(os.path.join(DOCS, folder)))
    )
    return [os.path.join(ROOT, "README.md"), *(path for path in inside if path.endswith(".md"))]


def outdated() -> dict[str, str]:
    """The pages that are not as they should be, with the text that they should have."""
    wanted = {}
    for path in pages():
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if (filled := fill(text)) != text:
            wanted[path] = filled
    return wanted


def main(argv: Sequence[str]) -> int:
    wanted = outdated()
    for path, text in wanted.items():
        print(f"{os.path.relpath(path, ROOT)}: {'out of date' if argv else 'written'}")
        if not argv:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    return max(_schemas.main(argv), 1 if argv and wanted else 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
