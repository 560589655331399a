"""init: what it creates, once, and what a new checkpoint carries over."""

from __future__ import annotations

import json

import pytest

from leftoff.commands import init
from leftoff.world import index_md
from leftoff.world.edit_file import edit_file
from projects import data, do, files, get, markdown, put, put_all, put_markdown
from support import git


@pytest.mark.req("A.init.scaffold", "A.init.readme", "A.size.no-auto-stamp")
def test_init_creates_the_folder_once_and_nothing_else(root):
    assert do(root, "init").returncode == 0
    first = files(root)
    assert set(first) == {"app.py", ".checkpoints/README.md", ".checkpoints/.gitignore"}
    assert do(root, "init").stdout == "Everything is already in place.\n"
    assert files(root) == first
    readme = first[".checkpoints/README.md"]
    required = "protocol_version skill project project_dir created_at updated_at phase step status"
    for word in (*required.split(), "progress_summary"):
        assert f"`{word}`" in readme
    verbs = "status next save resume list show update done validate doctor reset init help"
    for verb in verbs.split():
        assert f"\n    leftoff {verb} " in readme
    assert "keep them honest" in readme


@pytest.mark.req("A.init.scaffold")
def test_a_foreign_readme_is_kept(root):
    put(root, ".checkpoints/README.md", "# Ours\n")
    do(root, "init")
    assert get(root, ".checkpoints/README.md") == "# Ours\n"


@pytest.mark.req("A.layout.tracked")
def test_only_the_pointer_to_the_current_thread_is_ignored(root):
    do(root, "init")
    put_all(root)
    do(root, "reset", "oc-demo")
    put(root, ".checkpoints/current", "thread-1a2b3c4d\n")
    ignored = git("status", "--ignored", "--porcelain", cwd=root).splitlines()
    assert [line for line in ignored if line.startswith("!!")] == ["!! .checkpoints/current"]


@pytest.mark.req("A.init.full")
def test_each_extra_adds_one_thing_and_dry_run_shows_it(root):
    do(root, "init")
    put(root, "package.json", '{\n  "name": "x"\n}\n')
    base = files(root)
    for option, path in (
        ("--ci", ".github/workflows/checkpoints.yml"),
        ("--aliases", "package.json"),
        ("--merge-driver", ".gitattributes"),
    ):
        before = files(root)
        assert do(root, "init", option, "--dry-run").returncode == 0
        assert files(root) == before
        assert do(root, "init", option).returncode == 0
        after = files(root)
        assert [p for p in after if after[p] != before.get(p)] == [path]
        assert do(root, "init", option).returncode == 0
        assert files(root) == after
    assert "leftoff merge-driver" in git("config", "merge.leftoff.driver", cwd=root)
    assert (
        json.loads(get(root, "package.json"))["scripts"]["checkpoint:validate"]
        == "leftoff validate"
    )
    assert set(base) < set(files(root))


def test_scripts_are_added_to_the_package_json_that_is_there_by_then(root, monkeypatch):
    put(root, "package.json", '{"name": "x"}')

    def edit_later(store, path, edit):
        put(root, path, '{"name": "x", "version": "2"}')
        edit_file(store, path, edit)

    monkeypatch.setattr(init, "edit_file", edit_later)
    assert do(root, "init", "--aliases").returncode == 0
    assert json.loads(get(root, "package.json"))["version"] == "2"


def test_an_index_that_somebody_writes_meanwhile_is_not_written_over(root, monkeypatch):
    put_markdown(root)
    path = "checkpoints/active/INDEX.md"

    def edit_later(store, path, edit):
        put(root, path, "Somebody's own words\n")
        edit_file(store, path, edit)

    monkeypatch.setattr(index_md, "edit_file", edit_later)
    assert do(root, "index").returncode == 4
    assert get(root, path) == "Somebody's own words\n"


@pytest.mark.req("B.layout.dirs", "B.body.nesting", "X.read.fences")
def test_a_new_checkpoint_follows_the_specification_and_lists_what_is_unfilled(root):
    answer = do(root, "init", "chk-new")
    assert answer.returncode == 0
    assert set(files(root)) == {"app.py", "checkpoints/active/chk-new.md"}
    headings = [
        line for line in get(root, "checkpoints/active/chk-new.md").splitlines() if line[:1] == "#"
    ]
    names = "Decisions|Technical Context|Play-By-Play|Artifact Trail|Current State"
    assert headings[:3] == ["## Problem", "## Session Intent", "## Essential Information"]
    assert [h[4:] for h in headings[3:9]] == [*names.split("|"), "Next Actions"]
    checked = do(root, "validate")
    assert checked.returncode == 1
    for name in ("Problem", "Session Intent", "Decisions", "Current State", "Next Actions"):
        assert name in checked.stdout


@pytest.mark.req("B.header.anchor")
def test_an_anchor_of_any_text_round_trips(root):
    do(root, "init", "chk-new", "--anchor", "a: b # c")
    assert data(root, "status", "chk-new")["stream"]["step"] == "a: b # c"


@pytest.mark.req("B.carry.forward", "B.carry.decisions", "B.carry.state-next", "B.carry.completion")
def test_a_new_checkpoint_carries_over_what_lasts(root):
    put(
        root,
        "checkpoints/archive/chk-auth.md",
        markdown("chk-auth") + "\n## Completion\n\n- **Status**: Archived\n",
    )
    answer = do(root, "init", "chk-two", "--from", "chk-auth", "--summary", "S2", "--next", "N2")
    assert answer.returncode == 0, answer.stderr
    new = get(root, "checkpoints/active/chk-two.md")
    old = markdown("chk-auth")
    for heading in ("## Problem", "## Session Intent", "### Technical Context", "## User Rules"):
        body = old.split(heading + "\n")[1].split("\n#")[0].strip()
        assert body == new.split(heading + "\n")[1].split("\n#")[0].strip()
    assert "- Use RS256\n- Refresh tokens live 15 minutes\n" in new
    assert "The timer is found" not in new
    assert "Change the timer" not in new
    assert "## Completion" not in new
    assert "parent: chk-auth\n" in new
    do(
        root,
        "init",
        "chk-three",
        "--from",
        "chk-auth",
        "--decision",
        "Third",
        "--intent",
        "Other goal",
    )
    three = get(root, "checkpoints/active/chk-three.md")
    assert "15 minutes\n- Third\n" in three
    assert "Other goal" in three


@pytest.mark.req("B.header.id")
@pytest.mark.parametrize(
    "words",
    [
        ("init", "chk-old"),
        ("init", "chk-old", "--dry-run"),
        ("fork", "chk-old", "chk-old"),
        ("convert", "chk-other", "--to", "md", "--id", "chk-old"),
        ("save", "--as", "md", "--no-draft", "--intent", "Chk old"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("place", ["active/named-otherwise", "archive/chk-old"])
def test_no_command_gives_an_id_that_another_markdown_checkpoint_has(root, words, place):
    put(root, f"checkpoints/{place}.md", markdown("chk-old"))
    put(root, "checkpoints/active/chk-other.md", markdown("chk-other"))
    before = files(root)
    refused = do(root, *words)
    assert refused.returncode == 4
    assert f'checkpoints/{place}.md has the id "chk-old"; nothing was written' in refused.stderr
    assert files(root) == before


def test_a_thread_that_nobody_named_is_called_as_its_id(root):
    made = do(root, "init", "auth", "--as", "thread")
    assert (made.returncode, made.stderr) == (0, "")
    put_markdown(root, "chk-two")
    do(root, "convert", "chk-two", "--to", "thread")
    for name in ("auth", "chk-two"):
        text = get(root, f".checkpoints/threads/{name}/CHECKPOINT.md")
        assert text.startswith(f"# Checkpoint: {name}\n")
