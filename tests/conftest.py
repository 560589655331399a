"""Every test has a home folder and an environment of its own; the real ones are under guard."""

from __future__ import annotations

import os
import pwd
import signal
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from time import tzset

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from clients import retry
from leftoff.commands import _events_recover, _events_scene
from leftoff.world import git, repository
from support import clean_environment, repo, snapshot

# The short profile is the same on every run and machine; `make laws` searches for new examples.
settings.register_profile(
    "short",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "long",
    max_examples=5000,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("LEFTOFF_LAWS", "short"))
if "LEFTOFF_LAWS" not in os.environ and hasattr(providers, "_get_local_constants"):
    # Hypothesis also draws constants out of whatever local modules happen to be loaded, so that the
    # examples would depend on which tests ran before; the short profile is the same every time.
    providers._get_local_constants = lambda: providers._local_constants

# Hooks of the run itself are only found here: a worker's are not those of the terminal.
pytest_runtest_protocol = retry.pytest_runtest_protocol
pytest_terminal_summary = retry.pytest_terminal_summary


def pytest_configure(config: pytest.Config) -> None:
    """Let one library of the test oracles ask for the locale's encoding; ours may not."""
    config.addinivalue_line("filterwarnings", "ignore:UTF-8 Mode affects:EncodingWarning")
    # A shell that starts us in the background lets us and all that we start ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _guarded() -> list[str]:
    """What no test may touch: the real person's settings of git, leftoff and the clients."""
    homes = {os.path.expanduser("~"), pwd.getpwuid(os.getuid()).pw_dir}
    below = [".gitconfig", ".config/git", ".config/leftoff", ".local/state/leftoff"]
    below += [".claude/settings.json", ".codex/hooks.json", ".gemini/settings.json"]
    below += [".copilot/hooks", ".config/opencode/plugin"]
    bases = [os.environ.get(name, "") for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME")]
    return [
        *(os.path.join(home, name) for home in homes for name in below),
        *(os.path.join(base, "leftoff") for base in bases if base),
        *filter(None, [os.environ.get("LEFTOFF_STATE")]),
    ]


_GUARDED = _guarded()


@pytest.fixture(scope="session", autouse=True)
def home_tripwire() -> Iterator[None]:
    """Fails the run when a test wrote into the real home folder."""
    before = snapshot(*_GUARDED)
    yield
    after = snapshot(*_GUARDED)
    changed = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
    assert not changed, f"tests touched the real home folder: {changed}"


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An endless supply of empty home folders."""
    base = tmp_path_factory.mktemp("homes")
    return (os.fspath(base / str(number)) for number in count())


@pytest.fixture(autouse=True)
def home(homes: Iterator[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The test's own home folder, in an environment that knows no agent and no git settings."""
    folder = next(homes)
    os.mkdir(folder)
    clean = clean_environment(os.environ, folder)
    for name in set(os.environ) - set(clean):
        monkeypatch.delenv(name)
    for name, value in clean.items():
        monkeypatch.setenv(name, value)
    tzset()
    yield folder
    monkeypatch.undo()
    tzset()


@pytest.fixture(autouse=True)
def time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time passes while git answers or a hook does: what is left out then is for tests that say so."""
    for module in (git, repository, _events_recover, _events_scene):
        monkeypatch.setattr(module, "monotonic", lambda: 0.0)


@pytest.fixture
def root(tmp_path: Path) -> str:
    """The root of a project without documents, in git."""
    return repo(tmp_path)
