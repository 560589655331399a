"""The clients that can be run from a command line: what each needs, and how each spells the same work.

Settings are laid the way people have them: a hook of somebody else, comments where the format has
them, odd spacing. `uninstall` has to give back exactly that.
"""

from __future__ import annotations

import json
import os
import shutil
from contextlib import suppress
from typing import Any

from clients.box import CLIENTS, Box
from clients.driver import Driver, first
from clients.wires import Call

KEY = "sk-test-dummy"


# Claude Code


def _claude_lay(box: Box) -> None:
    theirs = [{"matcher": "*", "hooks": [{"type": "command", "command": "true"}]}]
    settings = {"permissions": {"allow": ["Bash", "Write"]}, "hooks": {"Stop": theirs}}
    box.write("home/.claude/settings.json", json.dumps(settings, indent=4) + "\n\n")
    seen = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    answered = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [KEY], "rejected": []},
        "projects": {box.repo: seen},
    }
    box.write("home/.claude.json", answered)


def _claude_env(box: Box) -> dict[str, str]:
    return box.env(
        ANTHROPIC_BASE_URL=box.model.url,
        ANTHROPIC_API_KEY=KEY,
        CLAUDE_CODE_TMPDIR=box.tmp,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
        DISABLE_TELEMETRY="1",
        DISABLE_AUTOUPDATER="1",
        DISABLE_ERROR_REPORTING="1",
        MCP_CONNECTION_NONBLOCKING="0",  # the first request waits for MCP servers
        MCP_CONNECT_TIMEOUT_MS="120000",
    )


def _claude_write(box: Box, name: str, content: str) -> Call:
    return Call("Write", {"file_path": os.path.join(box.repo, name), "content": content})


CLAUDE = Driver(
    agent="claude-code",
    client="claude",
    lay=_claude_lay,
    env=_claude_env,
    argv=("-p",),
    flags=("--output-format", "json"),
    resume=("--resume", "{id}"),
    shell=lambda command: Call("Bash", {"command": command, "description": "test"}),
    edit=_claude_write,
    session=lambda out: str(json.loads(out)["session_id"]),
)


# Codex

_CODEX = """\
# A comment of the person who wrote this.
model = "gpt-5.5"
model_provider = "fake"
check_for_update_on_startup = false

[model_providers.fake]
name = "fake"
base_url = "{url}/v1"
env_key = "FAKE_API_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false

[analytics]
enabled = false

[projects."{repo}"]
trust_level = "trusted"
"""


def _codex_lay(box: Box) -> None:
    box.write("home/.codex/config.toml", _CODEX.format(url=box.model.url, repo=box.repo))
    theirs = [{"hooks": [{"type": "command", "command": "true", "timeout": 5}]}]
    box.write("home/.codex/hooks.json", json.dumps({"hooks": {"Stop": theirs}}, indent=1))


def _codex_patch(_: Box, name: str, content: str) -> Call:
    added = "".join(f"+{line}\n" for line in content.splitlines())
    patch = f"*** Begin Patch\n*** Add File: {name}\n{added}*** End Patch\n"
    return Call("apply_patch", patch, freeform=True)


CODEX_TRUST = "--dangerously-bypass-hook-trust"
CODEX = Driver(
    agent="codex",
    client="codex",
    lay=_codex_lay,
    env=lambda box: box.env(FAKE_API_KEY=KEY),
    argv=("exec", "--json", "--dangerously-bypass-approvals-and-sandbox"),
    flags=(),
    resume=("resume", "{id}"),
    shell=lambda command: Call("exec_command", {"cmd": command}),
    edit=_codex_patch,
    session=lambda out: first(out, "thread_id"),
)


# Gemini CLI

GEMINI_MODEL = "gemini-2.5-flash"


def _gemini_lay(box: Box) -> None:
    theirs = [{"hooks": [{"type": "command", "command": "true", "timeout": 5000}]}]
    settings: dict[str, Any] = {
        "security": {
            "auth": {"selectedType": "gemini-api-key"},
            "folderTrust": {"enabled": False},
        },
        "privacy": {"usageStatisticsEnabled": False},
        "general": {"enableAutoUpdate": False},
        "telemetry": {"enabled": False},
        "hooks": {"AfterAgent": theirs},
    }
    commented = "// mine, not yours\n" + json.dumps(settings, indent=2) + "\n"
    box.write("home/.gemini/settings.json", commented)


def _gemini_env(box: Box) -> dict[str, str]:
    """The model has a name: without one the client asks a model which to take, and the test's gives
    no answer that it can use, so that it asks again for 100 seconds.
    """
    return box.env(
        GEMINI_MODEL=GEMINI_MODEL,
        GEMINI_API_KEY=KEY,
        GOOGLE_GEMINI_BASE_URL=box.model.url,
        GEMINI_CLI_TRUST_WORKSPACE="true",
        GEMINI_TELEMETRY_ENABLED="false",
    )


def _gemini_write(box: Box, name: str, content: str) -> Call:
    return Call("write_file", {"file_path": os.path.join(box.repo, name), "content": content})


GEMINI = Driver(
    agent="gemini-cli",
    client="gemini",
    lay=_gemini_lay,
    env=_gemini_env,
    argv=("-p",),
    flags=("--approval-mode", "yolo", "-o", "json"),
    resume=("--resume", "{id}"),
    shell=lambda command: Call("run_shell_command", {"command": command, "description": "test"}),
    edit=_gemini_write,
    session=lambda out: str(json.loads(out)["session_id"]),
)


# OpenCode


def _opencode_lay(box: Box) -> None:
    model = {"tool_call": True, "limit": {"context": 100_000, "output": 8_000}}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{box.model.url}/v1", "apiKey": KEY},
        "models": {"fake-model": model},
    }
    settings = {
        "$schema": "https://opencode.ai/config.json",
        "autoupdate": False,
        "share": "disabled",
        "model": "fake/fake-model",
        "small_model": "fake/fake-model",
        "permission": {"*": "allow"},
        "provider": {"fake": provider},
    }
    home = os.path.join(box.home, ".config", "opencode")
    shutil.copytree(
        os.path.join(CLIENTS, "opencode-deps"), home, symlinks=True, copy_function=_same_file
    )
    box.write("home/.config/opencode/opencode.json", settings)


def _same_file(source: str, target: str) -> None:
    """A second name instead of a copy, for what nobody writes to and where the system allows."""
    with suppress(OSError):
        if "node_modules" in source:
            os.link(source, target)
            return
    shutil.copy2(source, target)


def _opencode_env(box: Box) -> dict[str, str]:
    off = ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS", "SHARE")
    return box.env(**{f"OPENCODE_DISABLE_{what}": "1" for what in off})


def _opencode_write(box: Box, name: str, content: str) -> Call:
    return Call("write", {"filePath": os.path.join(box.repo, name), "content": content})


OPENCODE = Driver(
    agent="opencode",
    client="opencode",
    lay=_opencode_lay,
    env=_opencode_env,
    argv=("run", "--format", "json"),
    flags=(),
    resume=("--session", "{id}"),
    shell=lambda command: Call("bash", {"command": command, "description": "test"}),
    edit=_opencode_write,
    session=lambda out: first(out, "sessionID"),
    needs=("opencode-deps",),
)


# Copilot CLI


def _copilot_lay(box: Box) -> None:
    theirs = {"agentStop": [{"type": "command", "bash": "true", "timeoutSec": 5}]}
    box.write("home/.copilot/hooks/mine.json", {"version": 1, "hooks": theirs})


def _copilot_env(box: Box) -> dict[str, str]:
    return box.env(
        COPILOT_PROVIDER_BASE_URL=f"{box.model.url}/v1",
        COPILOT_PROVIDER_API_KEY=KEY,
        COPILOT_MODEL="gpt-4.1",
        COPILOT_OFFLINE="true",
        COPILOT_AUTO_UPDATE="false",
    )


def _copilot_create(box: Box, name: str, content: str) -> Call:
    return Call("create", {"path": os.path.join(box.repo, name), "file_text": content})


COPILOT = Driver(
    agent="copilot",
    client="copilot",
    lay=_copilot_lay,
    env=_copilot_env,
    argv=("-p",),
    flags=("--allow-all-tools", "--no-auto-update", "--output-format", "json"),
    resume=("--resume={id}",),
    shell=lambda command: Call("bash", {"command": command, "description": "test"}),
    edit=_copilot_create,
    session=lambda out: first(out, "sessionId"),
)

HEADLESS = (CLAUDE, CODEX, GEMINI, OPENCODE, COPILOT)
