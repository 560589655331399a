"""The key of fingerprints: made once, private, and never needed to redact."""

from __future__ import annotations

import os
from stat import S_IMODE

import pytest

from leftoff.core.redact import redact
from leftoff.core.redact_setting import Own
from leftoff.world.redaction_key import LENGTH, key, redactor
from leftoff.world.settings import load, load_or_default, origins
from leftoff.world.state import user_file
from support import repo

SECRET = "DB_PASSWORD=" + "hunter22x"


def path() -> str:
    return os.path.join(os.environ["LEFTOFF_STATE"], "key")


def put(where: str, text: str) -> None:
    os.makedirs(os.path.dirname(where), exist_ok=True)
    with open(where, "w", encoding="utf-8") as file:
        file.write(text)


def test_the_key_is_made_on_first_use_for_its_owner_alone_and_stays():
    made = key(os.environ)
    assert len(made) == LENGTH
    assert S_IMODE(os.stat(path()).st_mode) == 0o600
    assert key(os.environ) == made
    said = redact(SECRET, redactor(os.environ))
    assert said.startswith("DB_PASSWORD=[redacted:secret:")
    assert redact(SECRET, redactor(os.environ)) == said


@pytest.mark.parametrize("spoil", ["open", "short", "folder"])
def test_without_a_key_that_can_be_used_there_is_no_fingerprint_and_still_no_secret(spoil):
    os.makedirs(os.environ["LEFTOFF_STATE"], exist_ok=True)
    if spoil == "folder":
        os.mkdir(path())
    else:
        with open(path(), "wb") as file:
            file.write(b"k" * (LENGTH if spoil == "open" else 3))
        os.chmod(path(), 0o644 if spoil == "open" else 0o600)
    assert redact(SECRET, redactor(os.environ)) == "DB_PASSWORD=[redacted:secret]"


def test_a_project_adds_to_what_the_user_set_and_takes_nothing_away(tmp_path):
    root = repo(tmp_path)
    put(user_file(os.environ), '[redaction]\nwords = ["Orion"]\nemail = true\n')
    theirs = '[redaction]\nwords = ["Andromeda"]\npatterns = ["AC-[0-9]{4}"]\nemail = false\n'
    put(os.path.join(root, ".checkpoints", "config.toml"), theirs)
    settings = load(root, os.environ)
    assert settings.redaction == Own(("Orion", "Andromeda"), ("AC-[0-9]{4}",), email=True)
    shown = {one.key: (one.value, one.layer) for one in origins(root, os.environ)}
    assert shown["redaction.words"] == (["Orion", "Andromeda"], "project")
    said = redact("orion a@example.com AC-1234 Andromeda", redactor(os.environ, settings.redaction))
    assert "own" in said
    assert not any(word in said for word in ("orion", "a@", "1234", "Andromeda"))


@pytest.mark.parametrize(
    "text",
    [
        '[redaction]\nwords = "Orion"\n',
        '[redaction]\npatterns = [".*"]\n',
        "[redaction]\nphone = 1\n",
        "[redaction]\nrules = []\n",
        "redaction = 3\n",
    ],
)
def test_a_setting_that_means_nothing_is_told_with_its_file(tmp_path, text):
    root = repo(tmp_path)
    where = os.path.join(root, ".checkpoints", "config.toml")
    put(where, text)
    settings, error = load_or_default(root, os.environ)
    assert settings.redaction == Own()
    assert error is not None
    assert error.where == where
    assert "redaction" in error.message
