"""Installs the clients that the tests run, at the versions that they are written for: `make clients`.

They go to $LEFTOFF_CLIENTS, else to `leftoff-clients` in the user's cache folder; never into the
clone. What is there at the right version stays.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

PINNED = {
    "claude": ("@anthropic-ai/claude-code", "2.1.325"),
    "codex": ("@openai/codex", "0.166.0"),
    "gemini": ("@google/gemini-cli", "0.61.0"),
    "opencode": ("opencode-ai", "1.18.33"),
    # OpenCode wants this beside its settings and spends 70 s on looking for it without a network.
    "opencode-deps": ("@opencode-ai/plugin", "1.18.33"),
    "copilot": ("@github/copilot", "1.0.102"),
    "hapi": ("@twsxtd/hapi", "0.30.7"),
    "ccusage": ("ccusage", "20.0.24"),  # what the statistics are measured against
}
OLDEST_NODE = 20
AT_ONCE = 3
PATIENCE = 600


def folder() -> str:
    """Where the clients are."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.environ.get("LEFTOFF_CLIENTS") or os.path.join(cache, "leftoff-clients")


def version(name: str, base: str) -> str:
    """The version that is installed; empty for none."""
    package, _ = PINNED[name]
    try:
        with open(f"{base}/{name}/node_modules/{package}/package.json", encoding="utf-8") as file:
            return str(json.load(file)["version"])
    except (OSError, ValueError, KeyError):
        return ""


def install(name: str, base: str) -> str:
    """What happened, in a line. A client appears whole or not at all."""
    package, wanted = PINNED[name]
    if version(name, base) == wanted:
        return f"{name} {wanted}: there"
    part = f"{base}/{name}.part-{os.getpid()}"
    os.makedirs(part)
    try:
        trouble = _npm(part, f"{package}@{wanted}")
        if trouble and _npm(part, f"{package}@{wanted}"):  # a registry has its bad moments
            return f"{name} {wanted}: FAILED\n{trouble}"
        shutil.rmtree(f"{base}/{name}", ignore_errors=True)
        os.rename(part, f"{base}/{name}")
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return f"{name} {wanted}: installed"


def _npm(target: str, package: str) -> str:
    """Why npm could not install a package; empty if it could."""
    argv = ["npm", "install", "--prefix", target, "--no-audit", "--no-fund", package]
    try:
        subprocess.run(argv, capture_output=True, encoding="utf-8", check=True, timeout=PATIENCE)
    except subprocess.CalledProcessError as error:
        return str(error.stderr)[-2000:]
    except subprocess.TimeoutExpired:
        return f"npm had not ended after {PATIENCE} s"
    return ""


def lacking() -> str:
    """What this machine lacks for running the clients; empty if nothing."""
    if missing := [tool for tool in ("node", "npm") if not shutil.which(tool)]:
        return f"the clients need {', '.join(missing)}"
    said = subprocess.run(["node", "--version"], capture_output=True, encoding="utf-8", check=True)
    found = said.stdout.strip()
    if int(found.lstrip("v").split(".")[0]) < OLDEST_NODE:
        return f"the clients need Node.js {OLDEST_NODE} or newer, and this is {found}"
    return ""


def main() -> int:
    if trouble := lacking():
        sys.exit(trouble)
    base, failed = folder(), False
    os.makedirs(base, exist_ok=True)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for line in pool.map(lambda name: install(name, base), PINNED):
            sys.stdout.write(f"{line}\n")
            failed |= "FAILED" in line
    return failed


if __name__ == "__main__":
    sys.exit(main())
