"""What leftoff says about real files, compared with what the first implementations said.

Each deliberate difference stands in docs/compatibility.md; the tables here are its proof.
"""

from __future__ import annotations

import json
import os
import shutil

import pytest

from leftoff.formats import named
from support import ROOT, git, repo, run, shared

FROZEN = "2026-08-08T12:00:00Z"


def project(tmp_path, folder, place):
    """A repository with the sample files of a folder at their place."""
    root = repo(tmp_path)
    target = os.path.join(root, place)
    os.makedirs(target)
    for name in os.listdir(folder):
        if name.endswith((".json", ".md")):
            shutil.copyfile(os.path.join(folder, name), os.path.join(target, name))
    return root


def findings(root, *levels):
    answer = json.loads(run("validate", "--json", "--now", FROZEN, cwd=root).stdout)
    return {
        os.path.basename(document["path"]): {
            level: [f["text"] for f in document["findings"] if f["level"] == level]
            for level in levels
        }
        for document in answer["data"]["documents"]
    }


def skill_oracle():
    with open(
        shared("samples/opchain/ORACLE/validate-head-version.json"), encoding="utf-8"
    ) as file:
        return json.load(file)


def oracle_text(name):
    with open(shared("samples/opchain/ORACLE/cli-head", name), encoding="utf-8") as file:
        return file.read()


@pytest.fixture
def head(tmp_path):
    return project(tmp_path, shared("samples/opchain/head"), ".checkpoints")


def test_validate_says_of_the_twelve_head_files_what_the_original_said(head):
    expected = {
        os.path.basename(path): {"error": row["errors"], "warning": row["warnings"]}
        for path, row in skill_oracle().items()
        if path.startswith("head/")
    }
    assert findings(head, "error", "warning") == expected
    assert run("validate", "--now", FROZEN, cwd=head).returncode == 0
    assert run("validate", "--strict", "--now", FROZEN, cwd=head).returncode == 1


@pytest.mark.parametrize(
    "folder",
    [
        "bad-status-30267c95",
        "earliest-698800bf",
        "largest-a525db7a",
        "stray-field-29218da7",
        "user-decision-a391f6da",
    ],
)
def test_validate_says_of_each_odd_version_what_the_original_said(tmp_path, folder):
    root = project(tmp_path, shared("samples/opchain/historic", folder), ".checkpoints")
    ((name, found),) = findings(root, "error", "warning").items()
    row = skill_oracle()[f"historic/{folder}/{name}"]
    assert found == {"error": row["errors"], "warning": row["warnings"]}


def test_status_has_the_facts_of_the_original(head):
    shown = run("status", "--now", FROZEN, cwd=head).stdout
    original = oracle_text("status.out")
    streams = json.loads(run("status", "--json", "--now", FROZEN, cwd=head).stdout)["data"][
        "streams"
    ]
    assert len(streams) == 12
    for stream in streams:
        assert f"## {stream['id']}" in original
        assert stream["summary"] in original
        assert stream["summary"] in shown
        for action in stream["next_actions"]:
            assert f"{action['n']}. {action['text']}" in original
            assert f"{action['n']}. {action['text']}" in shown
        row = next(line for line in original.splitlines() if line.startswith(f"| {stream['id']} "))
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert cells[1:4] == [stream["phase"], stream["step"], stream["status"]]


def test_brief_picks_what_the_original_picked(head):
    shown = run("status", "--brief", "--now", FROZEN, cwd=head).stdout
    original = oracle_text("status___brief.out")
    assert shown.startswith(original)
    # What follows is what the original never looked at: the files that are not there.
    assert all(line.startswith("  ✗ file ") for line in shown[len(original) :].splitlines())


def test_since_details_what_the_original_detailed(head):
    since = "2026-07-25T00:00:00Z"
    shown = run("status", f"--since={since}", "--now", FROZEN, cwd=head).stdout
    original = oracle_text("status___since_2026_07_25T00_00_00Z.out")
    ours = {line for line in shown.splitlines() if line.startswith("## ")}
    assert ours == {line for line in original.splitlines() if line.startswith("## ")}


def test_list_and_show_have_the_facts_of_the_original(head):
    documents = json.loads(run("list", "--json", "--now", FROZEN, cwd=head).stdout)["data"][
        "documents"
    ]
    lines = oracle_text("list.out").splitlines()[1:]
    assert len(documents) == len(lines) == 12
    for document, line in zip(documents, lines, strict=True):
        assert os.path.basename(document["path"]) in line
        assert f"— {document['status']}  {document['phase']}/{document['step']}" in line
        assert document["updated"][:19].replace("T", " ") in line
    shown = run("show", "oc-cost-ops", cwd=head).stdout
    assert shown.rstrip("\n") == oracle_text("show_oc_cost_ops.out").rstrip("\n")
    assert run("show", "nope", cwd=head).returncode != 0


# How leftoff differs from chkcc on purpose, by the words of the messages (docs/compatibility.md).
SILENT = ("Missing optional frontmatter field",)
NOW_ERRORS = ("Missing recommended subsection", "Missing required section: ## Session Intent")
NEW_WARNINGS = ("Breadcrumbs: type", "Artifact Trail: status", "Completion")


def chkcc():
    with open(shared("samples/coihuin/ORACLE.json"), encoding="utf-8") as file:
        return json.load(file)


def placed(name):
    folder = "archive" if "archive" in name else "active"
    return f"checkpoints/{folder}/{os.path.basename(name)}"


def test_validate_says_of_markdown_checkpoints_what_the_original_said_but_for_the_differences():
    lens, compared = named("md"), 0
    for name, row in chkcc().items():
        with open(shared("samples/coihuin", name), encoding="utf-8", newline="") as file:
            text = file.read()
        if not lens.mine(text, placed(name)):
            # old delta files, the INDEX, and prose around a fenced example are no checkpoints
            assert "exception" in row or "INDEX" in name or "checkpoint-with-delta" in name
            continue
        found = lens.check(text, placed(name))
        said = {
            level: [f.text for f in found if f.level == level]
            for level in ("error", "warning", "advice")
        }
        errors = [e for e in said["error"] if not e.startswith(NOW_ERRORS) and not _now_required(e)]
        assert errors == row["errors"], name
        warnings = [
            w for w in row["structural_warnings"] if not w.startswith((*SILENT, *NOW_ERRORS))
        ]
        assert [w for w in said["warning"] if not w.startswith(NEW_WARNINGS)] == warnings, name
        advice = [a for a in row["advisory_warnings"] if " days " not in a]
        assert [a for a in said["advice"] if a in row["advisory_warnings"]] == advice, name
        compared += 1
    assert compared == 11


def _now_required(error):
    names = ("Technical Context", "Play-By-Play", "Artifact Trail")
    return error.startswith("Missing required subsection") and error.endswith(names)


@pytest.mark.req("X.round.lossless", "X.import.tolerant")
def test_a_no_op_save_of_every_sample_leaves_git_diff_empty(tmp_path):
    """Every sample at its place; each document read and written back through its lens."""
    from leftoff.world.place import find_place
    from leftoff.world.store import Store

    root = repo(tmp_path)
    _place_samples(root)
    git("add", "-A", cwd=root)
    store = Store(find_place(root), os.path.join(tmp_path, "state"))
    written = 0
    for stream in store.streams():
        if stream.glance.broken:
            continue
        for path in stream.parts:
            lens = store.lens_at(path)
            store.change(
                path,
                lambda text, lens=lens, path=path: lens.write(lens.read(text, path), text, path),
            )
            written += 1
    assert written > 40
    assert git("diff", "--stat", cwd=root) == ""


def _place_samples(root):
    """Each sample file where its format expects it, numbered where names repeat."""
    samples = shared("samples")
    for at, path in enumerate(sorted(_walk(samples))):
        name, number = os.path.basename(path), f"{at:03}"
        kind = os.path.relpath(path, samples).split(os.sep)
        if (
            kind[0] == "opchain"
            and name.endswith(".json")
            and "ORACLE" not in kind
            and name != "META.json"
        ):
            place = f".checkpoints/s{number}.checkpoint.json"
        elif kind[0] == "coihuin" and name.endswith(".md"):
            folder = "archive" if "archive" in kind else "active"
            place = f"checkpoints/{folder}/{number}-{name}"
        elif kind[0] == "quoin" and "sessions" in kind:
            place = f".workflow_artifacts/memory/sessions/{name}"
        elif (
            kind[0] == "hapi-thread" and name in {"thread.json", "CHECKPOINT.md"} and len(kind) > 4
        ):
            place = f".checkpoints/threads/thread-{number}/{name}"
        elif name == "sessions_summary.example.json":
            place = "status/sessions_summary.json"
        else:
            continue
        os.makedirs(os.path.dirname(os.path.join(root, place)), exist_ok=True)
        shutil.copyfile(path, os.path.join(root, place))


def _walk(folder):
    for place, _, names in os.walk(folder):
        yield from (os.path.join(place, name) for name in names)


def test_every_deliberate_difference_is_documented():
    with open(os.path.join(ROOT, "docs", "compatibility.md"), encoding="utf-8") as file:
        text = file.read()
    for bug in (*(f"O{n}" for n in range(1, 19)), *(f"C{n}" for n in range(1, 12))):
        assert f"| {bug} |" in text, bug
