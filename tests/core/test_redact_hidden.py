"""Secrets that colours or bold type stand in or around are secrets all the same."""

from __future__ import annotations

import json

import pytest

from leftoff.core.redact import redact, redacted_texts
from leftoff.core.redact_lines import cleaned
from redaction_texts import ALNUM

GITHUB = "ghp_" + ALNUM + "01234567"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"\x1b[01;31mghp_\x1b[m\x1b[K{GITHUB[4:]} it", "\x1b[01;31m[redacted:github] it"),
        (f"{GITHUB[:9]}\x1b[1m{GITHUB[9:]}\x1b[0m", "[redacted:github]\x1b[0m"),
        (f"\x1b[1m{GITHUB}\x1b[0m", "\x1b[1m[redacted:github]\x1b[0m"),
        ("password=\x1b[1mhunter2hunter2\x1b[0m", "password=\x1b[1m[redacted:secret]\x1b[0m"),
        ("\x1b[32mPASS\x1b[0m all of them", "\x1b[32mPASS\x1b[0m all of them"),
        ("\x1b", "\x1b"),
    ],
)
def test_a_colour_in_the_middle_of_a_secret_does_not_save_it(text, told):
    assert redact(text) == told
    assert redacted_texts(["plain", text, "plain"]) == ["plain", told, "plain"]
    line = json.dumps({"text": text}).encode() + b"\n"
    assert json.loads(cleaned(line).data) == {"text": told}
    assert cleaned(text.encode() + b"\n").data == told.encode() + b"\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("**password**: hunter2hunter2", "**password**: [redacted:secret]"),
        ("- **API key:** abcd1234efgh5678", "- **API key:** [redacted:secret]"),
        ("**Password:** `hunter2!x`", "**Password:** `[redacted:secret]`"),
        ("**`DB_PASSWORD`**: 'hunter2!x'", "**`DB_PASSWORD`**: '[redacted:secret]'"),
        ("**密码：** hunter2abc", "**密码：** [redacted:secret]"),
        ("**Token:** refresh tokens are kept", "**Token:** refresh tokens are kept"),
        ("**Primary key:** id2024", "**Primary key:** id2024"),
        ("def f(token, **kwargs): x1y2z3a4", "def f(token, **kwargs): x1y2z3a4"),
    ],
)
def test_a_name_in_bold_type_names_a_secret_as_well(text, told):
    assert redact(text) == told
    line = json.dumps({"text": text}).encode() + b"\n"
    assert json.loads(cleaned(line).data) == {"text": told}
