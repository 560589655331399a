"""Hooks of other programs, from npm: claude-mem's, and the status line of ccusage.

They run with an empty home folder and, where the system lets us (Linux, as root), in a network that
has nothing but loopback. claude-mem's hooks are its own command lines; they talk to a daemon of its
own, which is started before and ended after, and its cost is not in the figures. What npm cannot
install is not measured, and that is said.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from glob import glob
from time import monotonic, sleep
from typing import Any

import transcripts
from measure import Command

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(ROOT, "tests", "clients"))

import install  # noqa: E402
import loopback  # noqa: E402

PACKAGE = "claude-mem@13.25.3"
NEEDS = ("bun@1.4.4", "zod@4.4.3")
"""what its bundled scripts load; the languages that it can parse are not used by its hooks"""
EVENTS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd")
MEGABYTES = 100
"""of transcripts that the status line of ccusage adds up, as nothing else of its cache is left"""
RARELY = 4
PATIENCE = 180

Peer = Callable[[str], AbstractContextManager[list[Command]]]


def ready(wanted: bool) -> tuple[list[Peer], list[str]]:
    """The peers that can be run, and what is to be said of them. The network is left behind."""
    if not wanted:
        return [], ["The peers were not measured (--peers)."]
    found: list[Peer] = []
    notes = []
    trouble = _install()
    if trouble:
        notes.append(f"claude-mem was not measured: {trouble}")
    else:
        found.append(claude_mem)
        notes.append(
            f"{PACKAGE}: its hooks as its hooks.json has them, with its daemon running, no network "
            "and no model; those marked async do not hold up the client."
        )
    if transcripts.ccusage():
        found.append(ccusage)
        notes.append(
            f"ccusage: its status line over {MEGABYTES} MB of transcripts; "
            "a second call within a second would be answered from its cache."
        )
    else:
        notes.append("ccusage was not measured: make clients installs it.")
    if not loopback.enter():
        notes.append("The peers ran in the network of the machine: only root can take it away.")
    return found, notes


def folder() -> str:
    return os.path.join(install.folder(), "claude-mem")


def _install() -> str:
    """Why claude-mem cannot be run; empty where it can. It appears whole or not at all."""
    if os.path.exists(os.path.join(folder(), PACKAGE)):
        return ""
    if trouble := install.lacking():
        return trouble
    part = f"{folder()}.part-{os.getpid()}"
    os.makedirs(part)
    try:
        _fetch(part)
    except (OSError, subprocess.SubprocessError, tarfile.TarError) as error:
        print(getattr(error, "stderr", "") or error, file=sys.stderr)  # it names hosts and paths
        return f"npm could not install it ({type(error).__name__})"
    else:
        shutil.rmtree(folder(), ignore_errors=True)
        os.rename(part, folder())
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return ""


def _fetch(part: str) -> None:
    """The package as it is shipped to clients, without what only its server would need."""
    quiet = ("--no-audit", "--no-fund")
    _npm("install", "--prefix", part, *quiet, *NEEDS)
    _npm("pack", "--pack-destination", part, PACKAGE)
    (archive,) = glob(os.path.join(part, "claude-mem-*.tgz"))
    with tarfile.open(archive) as file:
        file.extractall(part, filter="data")
    os.rename(archive, os.path.join(part, PACKAGE))


def _npm(*words: str) -> None:
    argv = ("npm", *words)
    subprocess.run(argv, check=True, capture_output=True, encoding="utf-8", timeout=PATIENCE)


@contextmanager
def claude_mem(work: str) -> Iterator[list[Command]]:
    """Its hooks, while its daemon runs."""
    home, project = (os.path.join(work, f"claude-mem-{name}") for name in ("home", "project"))
    plugin = os.path.join(folder(), "package", "plugin")
    for each in (home, project):
        os.makedirs(each)
    env = {
        "PATH": os.path.join(folder(), "node_modules", ".bin") + os.pathsep + os.environ["PATH"],
        "HOME": home,
        "LANG": "C.UTF-8",
        "CLAUDE_PLUGIN_ROOT": plugin,
        "CLAUDE_MEM_CHROMA_ENABLED": "false",
        "DO_NOT_TRACK": "1",
    }
    with open(os.path.join(plugin, "hooks", "hooks.json"), encoding="utf-8") as file:
        hooks = json.load(file)["hooks"]
    (start, *_), *_ = ([h["command"] for h in group["hooks"]] for group in hooks["SessionStart"])
    subprocess.run(
        ("/bin/bash", "-c", start), cwd=project, env=env, check=True, capture_output=True
    )
    try:
        yield [
            _mem(event, hook, work, project, env)
            for event in EVENTS
            for group in hooks[event]
            for hook in group["hooks"]
        ]
    finally:
        _end(os.path.join(home, ".claude-mem", "worker.pid"))


def _mem(event: str, hook: dict[str, Any], work: str, project: str, env: dict[str, str]) -> Command:
    given = os.path.join(work, f"claude-mem-{event}.json")
    told = {
        "session_id": "33333333-3333-4333-8333-333333333333",
        "transcript_path": os.path.join(work, "claude-code.jsonl"),
        "cwd": project,
        "hook_event_name": event,
        "prompt": "go on with the next step",
        "source": "startup",
        "reason": "exit",
        "tool_name": "Read",
        "tool_input": {"file_path": os.path.join(project, "notes.md")},
        "tool_response": "nothing",
        "last_assistant_message": "Done.",
    }
    with open(given, "w", encoding="utf-8") as file:
        json.dump(told, file)
    word = hook["command"].rpartition('" ')[2].rpartition(" ")[2]
    label = f"claude-mem|{event} {word}{' (async)' if hook.get('async') else ''}|"
    argv = ("/bin/bash", "-c", hook["command"])
    return Command(label, argv, project, env, every=RARELY, given=given)


def _end(path: str) -> None:
    """End the daemon that we started, and wait: it writes into the folder that is about to go."""
    with open(path, encoding="utf-8") as file:
        pid = json.load(file)["pid"]
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
        until = monotonic() + 10
        while monotonic() < until:
            os.kill(pid, 0)
            sleep(0.1)
        os.kill(pid, signal.SIGKILL)


@contextmanager
def ccusage(work: str) -> Iterator[list[Command]]:
    """Its line of status, with its own cache and without."""
    home = os.path.join(work, "ccusage-home")
    config = transcripts.make_transcripts(os.path.join(home, ".claude"), MEGABYTES)
    (path, *_) = sorted(glob(f"{config}/projects/*/*.jsonl"))
    given = os.path.join(work, "ccusage.json")
    told = {
        "session_id": os.path.basename(path)[:36],
        "transcript_path": path,
        "cwd": home,
        "hook_event_name": "Status",
        "model": {"id": "claude-opus-5-5", "display_name": "Opus"},
        "workspace": {"current_dir": home, "project_dir": home},
        "cost": {"total_cost_usd": 1.0, "total_duration_ms": 1000, "total_api_duration_ms": 900},
    }
    with open(given, "w", encoding="utf-8") as file:
        json.dump(told, file)
    env = {"PATH": os.environ["PATH"], "HOME": home, "LANG": "C.UTF-8", "TMPDIR": home}
    argv = ("/bin/sh", "-c", f"exec {transcripts.ccusage()} statusline --offline --no-cache")
    yield [Command("ccusage|statusline|", argv, home, env, every=RARELY, given=given)]
