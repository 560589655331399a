"""Events where a repository, a long day or a lot of text is against the session."""

from __future__ import annotations

import os

import pytest

from leftoff.commands import _events
from leftoff.core import context_notice
from leftoff.core.event import Happened, ParsedPayload, Usage
from leftoff.core.fast_json import dumps
from leftoff.core.loss import Known
from leftoff.errors import FormatError
from leftoff.world import files, saves, settings, state
from leftoff.world.place import find_place
from leftoff.world.store import Store
from projects import get, put, put_thread

SESSION = "5f0c2d1e-0000-4000-8000-000000000001"
LIMIT = 9500


@pytest.fixture
def store(root):
    return Store(find_place(root), os.environ["LEFTOFF_STATE"])


def prompt(root: str, percent: float):
    """A prompt at so much of a window of 200,000 tokens."""
    told = ParsedPayload(SESSION, cwd=root, prompt="go on")
    usage = Usage(round(percent * 2000), 200_000, "claude-sonnet-4-5")
    at = Happened(
        *("claude-code", "prompt", told, os.environ["LEFTOFF_STATE"], dict(os.environ)),
        *(1e9, f"p{percent}", 0, usage, "crossed"),
    )
    return _events.handle(at, ancestors=lambda: ())


def test_all_that_a_compaction_lost_still_fits_and_the_advice_stands_first(root, store):
    put_thread(root)
    entries = tuple(f"决定{number}" + "采用新的认证方案" * 40 for number in range(20))
    lost = Known(entries, entries, entries, entries)
    saves.keep_loss(store, SESSION, dumps({"of": "chk-auth", **lost._asdict()}))
    said = prompt(root, 80)
    lines = said.text.splitlines()
    assert len(said.text.encode()) <= LIMIT
    assert (lines[0], lines[-1]) == ("<leftoff id=notice>", "</leftoff>")
    assert lines[1].startswith("Context use is 80.0 %")
    at = lines.index("Decisions:")
    assert lines[at - 2 : at] == [
        "<leftoff id=lost>",
        "The summary of the conversation does not mention:",
    ]
    assert lines[at + 1] == f"- {entries[0]}"
    assert lines[-2] == "- 20 more: leftoff show chk-auth"


def test_a_short_notice_is_said_whole(root):
    said = prompt(root, 80)
    assert said.text.count("\n") == 3
    assert "more lines" not in said.text


def test_the_hundredth_save_of_a_day_is_written_once(store, monkeypatch):
    taken = [saves.save(store, "2026-01-31-auth", f"save {n}\n") for n in range(20)]
    written = []
    monkeypatch.setattr(files, "_write_all", lambda fd, data: written.append(os.write(fd, data)))
    last = saves.save(store, "2026-01-31-auth", "the last\n")
    assert len(written) == 1
    assert len({*taken, last}) == 21
    assert get(os.path.dirname(last), os.path.basename(last)) == "the last\n"


def test_a_repository_cannot_lower_the_level_at_which_prompts_are_refused(root, tmp_path):
    env = {"HOME": os.fspath(tmp_path)}
    put(
        tmp_path,
        ".config/leftoff/config.toml",
        '[hooks]\nblock = true\n[thresholds]\n"context.block" = 90\n',
    )
    assert settings.load(root, env).limits["context.block"] == 90
    put(root, state.PROJECT_FILE, "[thresholds.context]\nblock = 1\n")
    with pytest.raises(FormatError, match="of a project cannot be set"):
        settings.load(root, env)
    in_force, _ = settings.load_or_default(root, env)
    assert in_force.hooks.block
    assert in_force.limits["context.block"] == 90


@pytest.mark.parametrize("words", ["/compact", " /compress now", "/summarize", "/new", "/clear\n"])
def test_what_makes_room_in_any_client_is_never_refused(words):
    assert context_notice.is_exempt(words)
    assert not context_notice.is_exempt(f"please {words}")
