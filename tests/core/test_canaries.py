"""The canaries themselves: they are planted, they are seen in any spelling, and they get out of none."""

from __future__ import annotations

import gzip
import json
import os
import sqlite3

import pytest

from canaries import CANARIES, leaked, plant
from leftoff.core.redact import Redactor, redact
from leftoff.core.redact_lines import cleaned

BY = Redactor(b"k" * 32)


def test_every_canary_is_planted_and_seen():
    assert leaked(plant()) == sorted(CANARIES)


def test_no_canary_is_left_in_a_cleaned_transcript_and_every_line_is_still_one():
    done = cleaned(plant(), BY)
    assert leaked(done.data) == []
    assert len([json.loads(line) for line in done.data.splitlines()]) == plant().count(b"\n")
    assert (done.dropped, done.withheld) == (1, 0)


def test_ids_images_and_what_is_no_secret_stay_in_a_cleaned_transcript():
    before = [json.loads(line) for line in plant().splitlines()]
    after = [json.loads(line) for line in cleaned(plant(), BY).data.splitlines()]
    for was, now in zip(before, after, strict=True):
        names = ("uuid", "parentUuid", "sessionId", "timestamp", "cwd", "type")
        assert {name: was[name] for name in names} == {name: now[name] for name in names}
    assert before[1]["message"]["content"][1] == after[1]["message"]["content"][1]


def test_no_canary_is_left_in_the_text_of_a_redacted_transcript():
    assert leaked(redact(plant().decode()).encode()) == []


@pytest.mark.parametrize("name", CANARIES)
def test_a_canary_is_seen_in_packed_files_databases_and_names(tmp_path, name):
    secret = CANARIES[name]
    with gzip.open(tmp_path / "a.gz", "wb") as file:
        file.write(f"x {secret} y".encode())
    base = sqlite3.connect(tmp_path / "b.sqlite")
    base.execute("create table t (body text)")
    base.execute("insert into t values (?)", ("x" * 6000 + json.dumps({"a": secret}),))
    base.commit()
    base.close()
    found = leaked(os.fspath(tmp_path))
    assert [one.split(" in ")[0] for one in found] == [name, name]
    assert leaked(secret.encode("utf-16-le")) == [name]
