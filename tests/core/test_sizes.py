"""How large documents may be: each limit at its boundary, as the settings have it."""

from __future__ import annotations

import json

import pytest

from leftoff.core.glance import glance
from leftoff.core.model import Checkpoint, Finding, Item
from leftoff.core.sizes import are_usual, findings, judged, saved, utf16
from leftoff.core.stream import Stream
from leftoff.core.thresholds import DEFAULTS, effective
from leftoff.formats import named
from projects import NOW, put, put_skill, skill
from support import repo, run

SKILL = ".checkpoints/oc-demo.checkpoint.json"
TASK = ".workflow_artifacts/memory/checkpoints/2026-08-08-demo.md"


def summary_of(size):
    return "skill", SKILL, skill(progress_summary="x" * size)


def decisions_of(size):
    return "skill", SKILL, skill(context_primer={"key_decisions": [f"d{at}" for at in range(size)]})


def skill_of(size):
    return "skill", SKILL, skill().ljust(size)


def task_of(size):
    text = "## Active task\ndemo\n\n## Current stage\nbuild\n\n"
    return "task", TASK, text + "x" * (size - len(text))


def read(name, path, text):
    lens = named(name)
    seen = glance(lens.read(text, path), path, name, len(text.encode()))
    return Stream(seen, (path,), tuple(lens.check(text, path)))


@pytest.mark.req("X.time.one-table")
@pytest.mark.parametrize("times", [1, 2, 0.75])
@pytest.mark.parametrize(
    ("key", "slug", "made"),
    [
        ("size.summary", "long-summary", summary_of),
        ("size.decisions", "many-decisions", decisions_of),
        ("size.skill_file", "large-file", skill_of),
        ("size.task_file", "too-long", task_of),
    ],
)
def test_each_size_counts_when_it_is_more_than_the_limit_that_is_set(key, slug, made, times):
    limit = int(DEFAULTS[key] * times)
    limits = effective({key: limit})
    assert list(judged(read(*made(limit)), limits)) == []
    (found,) = judged(read(*made(limit + 1)), limits)
    assert found.slug == slug
    assert (f"{limit // 1024}KB" if slug == "large-file" else str(limit)) in found.text


def test_a_limit_that_is_no_whole_number_of_kilobytes_is_said_in_bytes():
    stream = read(*skill_of(2001))
    (found,) = findings(stream.glance, effective({"size.skill_file": 2000}))
    assert found.text.startswith("checkpoint is 2.0KB (> 2000 bytes)")


def test_other_findings_stay_and_the_worst_comes_first():
    stream = read(*summary_of(1201))
    error, advice = (Finding(level, level, "", level) for level in ("error", "advice"))
    stream = stream._replace(findings=(error, *stream.findings, advice))
    shown = judged(stream, effective({"size.summary": 100}))
    assert [finding.slug for finding in shown] == ["error", "long-summary", "advice"]
    assert "(> 100)" in shown[1].text
    assert list(judged(stream, effective({"size.summary": 5000}))) == [error, advice]
    assert judged(stream, DEFAULTS) is stream.findings


def test_of_a_document_that_cannot_be_read_nobody_knows_the_size():
    stream = read(*summary_of(1201))
    broken = stream._replace(glance=stream.glance._replace(broken="line 1: expected a comma"))
    assert judged(broken, effective({"size.summary": 5000})) is broken.findings


@pytest.mark.parametrize("text", ["", "abc", "é中", "😀a", "\ud800", "\ud83d\ude00"])
def test_a_text_is_as_long_as_javascript_says(text):
    assert utf16(text) == len(text) + sum(letter > "\uffff" for letter in text)


@pytest.mark.req("X.time.one-table")
def test_validate_measures_by_the_projects_own_limits_cached_or_not(tmp_path):
    root = repo(tmp_path)
    put_skill(root, progress_summary="x" * 1201)

    def said():
        done = run("validate", "--json", "--now", NOW, cwd=root)
        return [
            f["text"] for d in json.loads(done.stdout)["data"]["documents"] for f in d["findings"]
        ]

    (by_default,) = said()
    assert by_default.startswith("progress_summary is 1201 chars (> 1200)")
    put(root, ".checkpoints/config.toml", '[thresholds]\n"size.summary" = 1201\n')
    assert said() == []
    put(root, ".checkpoints/config.toml", "[thresholds.size]\nsummary = 1200.0\ndecisions = 0\n")
    assert said() == [by_default, "1 key decisions (> 0): `leftoff prune` folds the older ones"]


def test_what_was_saved_too_large_is_advice_with_its_size():
    c = Checkpoint("x", summary="s" * 10, decisions=(Item("a"), Item("b"), Item("c")))
    limits = effective({"size.summary": 9, "size.decisions": 2, "size.skill_file": 99})
    found = [*saved(c, 100, limits)]
    assert [(one.slug, one.level) for one in found] == [
        ("long-summary", "advice"),
        ("many-decisions", "advice"),
        ("large-file", "advice"),
    ]
    assert ["10 characters" in found[0].text, "3 decisions" in found[1].text] == [True, True]
    enough = {"size.summary": 10, "size.decisions": 3, "size.skill_file": 100}
    assert not [*saved(c, 100, effective(enough))]


@pytest.mark.parametrize("key", [key for key in DEFAULTS if key.startswith("size.")])
def test_sizes_are_the_usual_ones_until_one_is_set(key):
    assert are_usual(DEFAULTS)
    assert are_usual(dict(DEFAULTS))
    assert not are_usual({**DEFAULTS, key: DEFAULTS[key] + 1})
