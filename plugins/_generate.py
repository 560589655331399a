"""Writes the packages for the clients, or with --check says which files are not as they should be.

Everything in them has its home in the code: hooks and places in the adapters (`leftoff.agents`),
skills in `leftoff.guide`, the version in the package. Two marketplace files stand where the clients
look for them, at the root of the repository.
"""

# ruff: noqa: INP001, T201  # a script, not a module of the package

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from leftoff import __version__, agents
from leftoff.core.guide import PREFIX, SKILLS, named
from leftoff.world import guide
from leftoff.world.hook_registration import registered
from leftoff.world.launcher import RUN

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
NAME, TITLE = "leftoff", "leftoff"
ABOUT = "Pick up where you left off: checkpoints that are checked against git and the file system."
STATE = "${LEFTOFF_STATE:-${XDG_STATE_HOME:-$HOME/.local/state}/leftoff}"
"""The state folder as a shell finds it; `leftoff.world.state` says the same."""
CLAUDE, CODEX, GEMINI, COPILOT, OPENCODE = (
    *("claude-code", "codex", "gemini-cli", "copilot", "opencode"),
)
AUTHOR = {"name": "The leftoff authors"}
WORDS = ["checkpoint", "session", "resume", "handoff"]


def command(agent: str, event: str) -> str:
    """A hook's command: what `setup` has written for plugins, and silence where it has not."""
    return f'"{STATE}/{RUN}" {agent} {event} 2>/dev/null || exit 0'


def hooks(agent: str) -> str:
    """The hooks of a client in the shape that it reads."""
    return registered(agents.load(agent), "", lambda event: command(agent, event))


def servers() -> dict[str, Any]:
    """Our MCP server, as a client starts it; see the script."""
    with open(os.path.join(HERE, "_mcp.sh"), encoding="utf-8") as file:
        return {"mcpServers": {NAME: {"command": "sh", "args": ["-c", file.read()]}}}


def files() -> dict[str, str]:
    """Every file, by its path in the repository."""
    made: dict[str, str] = {}
    for part in (
        _claude(),
        _codex(),
        _gemini(),
        _copilot(),
        _opencode(),
        _skills("skills", PREFIX),
    ):
        made |= {f"plugins/{path}": text for path, text in part}
    made[".claude-plugin/marketplace.json"] = _marketplace(CLAUDE)
    # Copilot looks here first; else it would take what is for Claude Code.
    made[".github/plugin/marketplace.json"] = _marketplace(COPILOT)
    source = {"source": "local", "path": f"./plugins/{CODEX}"}
    policy = {"installation": "AVAILABLE", "authentication": "ON_INSTALL"}
    entry = {"name": NAME, "source": source, "policy": policy, "category": "Productivity"}
    made[".agents/plugins/marketplace.json"] = _json(
        {"name": NAME, "interface": {"displayName": TITLE}, "plugins": [entry]}
    )
    return made


Files = Iterator[tuple[str, str]]


def _marketplace(agent: str) -> str:
    plugin = {"name": NAME, "source": f"./plugins/{agent}", "description": ABOUT}
    about = {"name": NAME, "owner": AUTHOR, "metadata": {"description": ABOUT}}
    return _json({**about, "plugins": [{**plugin, "version": __version__}]})


def _manifest() -> dict[str, Any]:
    about = {"name": NAME, "version": __version__, "description": ABOUT}
    return {**about, "author": AUTHOR, "license": "MIT", "keywords": WORDS}


def _claude() -> Files:
    yield f"{CLAUDE}/.claude-plugin/plugin.json", _json(_manifest())
    yield f"{CLAUDE}/hooks/hooks.json", hooks(CLAUDE)
    yield f"{CLAUDE}/.mcp.json", _json(servers())
    yield from _skills(f"{CLAUDE}/skills", "")


def _codex() -> Files:
    manifest = {
        **_manifest(),
        "skills": "./skills/",
        "mcpServers": "./.mcp.json",
        "hooks": "./hooks/hooks.json",
        "interface": {"displayName": TITLE, "shortDescription": ABOUT, "category": "Productivity"},
    }
    yield f"{CODEX}/.codex-plugin/plugin.json", _json(manifest)
    yield f"{CODEX}/hooks/hooks.json", hooks(CODEX)
    yield f"{CODEX}/.mcp.json", _json(servers())
    yield from _skills(f"{CODEX}/skills", "")


def _gemini() -> Files:
    manifest = {"name": NAME, "version": __version__, "description": ABOUT, **servers()}
    yield f"{GEMINI}/gemini-extension.json", _json(manifest)
    yield f"{GEMINI}/GEMINI.md", guide.skill("context")
    yield f"{GEMINI}/hooks/hooks.json", hooks(GEMINI)
    for skill in SKILLS:
        yield f"{GEMINI}/commands/{NAME}/{skill}.toml", _toml(skill)
    yield from _skills(f"{GEMINI}/skills", PREFIX)


def _copilot() -> Files:
    """A plugin; its hooks.json alone also serves as `.github/hooks/leftoff.json` of a project."""
    yield f"{COPILOT}/plugin.json", _json({**_manifest(), "skills": "skills/"})
    yield f"{COPILOT}/hooks.json", hooks(COPILOT)
    yield f"{COPILOT}/.mcp.json", _json(servers())
    yield from _skills(f"{COPILOT}/skills", PREFIX)


def _opencode() -> Files:
    """The file that `setup` writes, but for the path in it, which is found when it is loaded."""
    with open(
        os.path.join(agents.__path__[0], agents.load(OPENCODE).PLUGIN), encoding="utf-8"
    ) as file:
        text = file.read()
    yield f"{OPENCODE}/leftoff.js", text.replace('const RUN = "@RUN@"', _RUN_IN_JS, 1)


_RUN_IN_JS = f"""\
const {{ LEFTOFF_STATE, XDG_STATE_HOME, HOME }} = process.env
const STATE = LEFTOFF_STATE || `${{XDG_STATE_HOME || `${{HOME}}/.local/state`}}/leftoff`
const RUN = `${{STATE}}/{RUN}`"""


def _skills(folder: str, prefix: str) -> Files:
    for skill in SKILLS:
        name = f"{prefix}{skill}"
        yield f"{folder}/{name}/SKILL.md", named(skill, guide.skill(skill), name)


def _toml(skill: str) -> str:
    about = f"{skill.capitalize()}: the skill {PREFIX}{skill} of leftoff"
    prompt = f"Activate the skill {PREFIX}{skill} and follow it. The user's words: {{{{args}}}}"
    return f"description = {json.dumps(about)}\nprompt = {json.dumps(prompt)}\n"


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def outdated() -> list[str]:
    """The files that are missing, differ, or belong to nothing."""
    wanted = files()
    return sorted({*(path for path in wanted if _text(path) != wanted[path]), *_strays(wanted)})


def _strays(wanted: dict[str, str]) -> Iterator[str]:
    for place, folders, names in os.walk(HERE):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            path = os.path.relpath(os.path.join(place, name), ROOT)
            if path not in wanted and not name.startswith("_"):
                yield path


def _text(path: str) -> str | None:
    try:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def write() -> None:
    """Make every file as it should be; what belongs to nothing is named, and left."""
    for path, text in files().items():
        full = os.path.join(ROOT, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)


def main(argv: Sequence[str]) -> int:
    found = outdated()
    if not argv:
        write()
    for path in found:
        print(f"{path}: {'out of date' if argv else 'written'}")
    return 1 if argv and found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
