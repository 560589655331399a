"""list, show, validate, reset, init, convert, current, index, prune, skill: what each promises."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from leftoff.commands import init
from leftoff.world import index_file
from leftoff.world.foreign import edit_file
from projects import (
    NOW,
    TASK,
    get,
    markdown,
    put,
    put_all,
    put_markdown,
    put_skill,
    put_thread,
)
from support import git, repo, run

SKILL = ".checkpoints/oc-demo.checkpoint.json"


def do(root, *words):
    return run(*words, "--now", NOW, cwd=root)


def data(root, *words):
    return json.loads(do(root, *words, "--json").stdout)["data"]


def files(root):
    found = {}
    for place, folders, names in os.walk(root):
        if ".git" in folders:
            folders.remove(".git")
        for name in names:
            path = os.path.relpath(os.path.join(place, name), root)
            found[path] = get(root, path)
    return found


# list and show


@pytest.mark.req("A.cmd.list", "B.header.id-form")
def test_list_has_a_line_for_each_document_of_each_format(root):
    put_all(root)
    put_markdown(root, "session-abc-003")
    put_markdown(root, "chk-old", "archive")
    lines = do(root, "list").stdout.splitlines()
    assert len(lines) == 1 + 6
    shown = {line.split()[1]: line.split()[:4:2] for line in lines[1:]}
    assert shown["session-abc-003"] == ["md", "in_progress"]
    assert shown["chk-old"] == ["md", "archived"]
    assert shown["thread-1a2b3c4d"] == ["thread", "in_progress"]


@pytest.mark.req("A.cross.files-to-commit")
def test_list_files_is_the_sorted_union_without_notes(root):
    put_skill(root, "oc-a", context_primer={"generated_files": ["z.py", "b.py (new)"]})
    put_skill(root, "oc-b", context_primer={"generated_files": ["b.py", "a.py"]})
    assert do(root, "list", "--files").stdout == "a.py\nb.py\nz.py\n"


@pytest.mark.req("A.pm.prefer", "A.pm.sibling-context")
def test_list_pm_shows_owners_and_the_newest_source_but_no_private_state(root):
    old = {
        "provider": "linear",
        "id": "X-1",
        "role": "source",
        "first_seen_at": "2026-08-01T00:00:00Z",
    }
    put_skill(root, "oc-a", pm_refs=[old], skill_state={"linear_active_parents": ["SECRET-1"]})
    put_skill(root, "oc-b", pm_refs=[{**old, "id": "X-2", "first_seen_at": "2026-08-02T00:00:00Z"}])
    answer = data(root, "list", "--pm")
    assert [(t["owner"], t["id"]) for t in answer["tickets"]] == [("oc-a", "X-1"), ("oc-b", "X-2")]
    assert answer["source"]["id"] == "X-2"
    assert "SECRET" not in do(root, "list", "--pm").stdout


@pytest.mark.req("A.cmd.show", "B.principle.self-contained", "B.principle.recoverable")
def test_show_prints_the_exact_bytes_of_any_checkpoint(root):
    put_skill(root)
    path = put_markdown(root, "chk-old", "archive")
    assert do(root, "show", "oc-demo").stdout == get(root, SKILL)
    os.remove(os.path.join(root, SKILL))
    for text in (get(root, path), get(root, path).rstrip("\n")):
        put(root, path, text)
        assert do(root, "show", "chk-old").stdout == text
    assert data(root, "status", "chk-old")["stream"]["status"] == "archived"
    assert do(root, "show", "nobody").returncode == 3


@pytest.mark.req("A.cross.read", "A.cross.private", "A.schema.skill-state")
def test_a_sibling_sees_everything_but_private_state(root):
    put_skill(root, blockers=[{"id": "b1", "description": "Which cloud?"}])
    before = get(root, SKILL)
    for words in (("show", "oc-demo", "--as-reader", "oc-other"),):
        text, as_json = do(root, *words).stdout, do(root, *words, "--json").stdout
        for part in ("Stack: Hono", "Sprint 2: CRUD", "spec.md", "Which cloud?", "sprint-2"):
            assert part in text
            assert part in as_json
        assert "secret_of_owner" not in text + as_json
    assert get(root, SKILL) == before
    everything = "".join(do(root, verb, "--json").stdout for verb in ("status", "list", "validate"))
    assert "secret_of_owner" not in everything


@pytest.mark.req("A.cross.map")
def test_who_reads_whom_is_a_setting(root):
    put_skill(root)
    put(root, ".checkpoints/config.toml", '[readers]\noc-deploy = ["oc-demo", "oc-spec"]\n')
    shown = do(root, "show", "oc-demo", "--as-reader", "oc-deploy").stdout
    assert "oc-deploy reads: oc-demo, oc-spec" in shown


@pytest.mark.req("X.path.inside")
def test_an_ambiguous_name_lists_the_choices_and_a_prefix_is_enough(root):
    put_skill(root, "oc-alpha")
    put_skill(root, "oc-alps")
    assert do(root, "show", "oc-alpi").returncode == 3
    answer = do(root, "show", "oc-al")
    assert answer.returncode == 5
    assert "oc-alpha" in answer.stderr
    assert "oc-alps" in answer.stderr
    assert do(root, "show", "oc-alph").returncode == 0
    put_markdown(root, "oc-alpha")
    assert do(root, "show", "oc-alpha").returncode == 5
    assert do(root, "show", "md:oc-alpha").stdout.startswith("---\n")


# validate


@pytest.mark.req("A.validate.ci-gate", "A.validate.strict")
def test_validate_fails_on_errors_and_with_strict_on_warnings(root):
    put_skill(root, "oc-good")
    assert do(root, "validate").returncode == 0
    put_skill(root, "oc-warn", progress_table=None)
    assert do(root, "validate").returncode == 0
    assert do(root, "validate", "--strict").returncode == 1
    put_skill(root, "oc-bad", status="ready")
    answer = do(root, "validate")
    assert answer.returncode == 1
    assert "✓ .checkpoints/oc-good.checkpoint.json" in answer.stdout
    assert "✗ .checkpoints/oc-bad.checkpoint.json" in answer.stdout
    assert "status must be one of in_progress|blocked|complete|failed" in answer.stdout
    findings = json.loads(do(root, "validate", "--json").stdout)["findings"]
    assert [f["where"] for f in findings if f["level"] == "error"] == [
        ".checkpoints/oc-bad.checkpoint.json: status"
    ]


def test_validate_takes_paths_and_names(root):
    put_skill(root, "oc-good")
    put_skill(root, "oc-bad", status="ready")
    assert do(root, "validate", ".checkpoints/oc-good.checkpoint.json").returncode == 0
    assert do(root, "validate", "oc-bad").returncode == 1
    assert do(root, "validate", "nothing-like-it").returncode == 3
    put(root, "notes.txt", "hello")
    assert do(root, "validate", "notes.txt").returncode == 7


@pytest.mark.req("B.header.id")
def test_an_id_used_twice_names_both_files(root):
    put_markdown(root, "chk-a")
    put(root, "checkpoints/archive/other.md", markdown("chk-a"))
    answer = do(root, "validate")
    assert answer.returncode == 1
    assert "checkpoints/active/chk-a.md, checkpoints/archive/other.md" in answer.stdout


@pytest.mark.req("A.size.no-auto-stamp", "A.pm.optional")
def test_reading_verbs_touch_no_file(root):
    put_all(root)
    before = files(root)
    for words in (("status",), ("list",), ("validate",), ("show",), ("current",), ("list", "--pm")):
        do(root, *words)
    assert files(root) == before


# init


@pytest.mark.req("A.init.scaffold", "A.init.readme", "A.size.no-auto-stamp")
def test_init_creates_the_folder_once_and_nothing_else(root):
    assert do(root, "init").returncode == 0
    first = files(root)
    assert set(first) == {"app.py", ".checkpoints/README.md", ".checkpoints/.gitignore"}
    assert do(root, "init").stdout == "Everything is there already.\n"
    assert files(root) == first
    readme = first[".checkpoints/README.md"]
    required = "protocol_version skill project project_dir created_at updated_at phase step status"
    for word in (
        *required.split(),
        "progress_summary",
        "show",
        "reset",
        "list",
        "validate",
        "done",
    ):
        assert word in readme
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

    monkeypatch.setattr(index_file, "edit_file", edit_later)
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


# reset


@pytest.mark.req("A.cmd.reset", "A.layout.history")
def test_reset_moves_to_history_twice_in_one_second_and_undo_brings_it_back(root):
    texts = []
    for at in range(2):
        put_skill(root, progress_summary=f"Run {at}")
        put_skill(root, "oc-other")
        texts.append(get(root, SKILL))
        (move,) = data(root, "reset", "oc-demo")["moved"]
        assert not os.path.exists(os.path.join(root, SKILL))
        assert get(root, move["to"]) == texts[-1]
        assert move["to"].startswith(".checkpoints/history/oc-demo.2026-08-08T12-00-00Z")
    assert len(os.listdir(os.path.join(root, ".checkpoints/history"))) == 2
    assert do(root, "reset", "oc-demo", "--undo").returncode == 0
    assert get(root, SKILL) in texts
    assert do(root, "reset", "oc-demo", "--undo").returncode == 4


def test_reset_of_another_format_goes_to_the_trash_whole(root, home):
    path = put_markdown(root)
    text = get(root, path)
    (move,) = data(root, "reset", "chk-auth")["moved"]
    assert not os.path.exists(os.path.join(root, path))
    assert move["to"].startswith(home)
    assert get("/", move["to"]) == text


# convert


@pytest.mark.req("X.round.lossless")
@pytest.mark.parametrize("target", ["skill", "md", "task", "session", "thread"])
@pytest.mark.parametrize(
    "source", ["oc-demo", "chk-auth", "thread-1a2b3c4d", "2026-08-06-auth-fix"]
)
def test_every_format_converts_to_every_other_and_names_what_is_lost(root, source, target):
    put_all(root)
    before = files(root)
    answer = data(root, "convert", source, "--to", target, "--id", "fresh")
    after = files(root)
    assert {path: after[path] for path in before} == before
    for document in answer["documents"]:
        assert after[document["path"]] == document["text"]
    kept = "\n".join(document["text"] for document in answer["documents"])
    fields = {loss.split(":")[0] for loss in answer["lost"]}
    if "decisions" not in fields:
        decision = {"oc-demo": "Stack: Hono"}.get(source, "Use RS256")
        assert decision in kept
    listed = {row["path"]: row for row in data(root, "list")["documents"]}
    assert answer["documents"][0]["path"] in listed
    assert "broken" not in listed[answer["documents"][0]["path"]]


def test_convert_says_what_the_target_cannot_hold(root):
    blocker = {"id": "b1", "description": "Which cloud?", "needs": "user_decision"}
    put_skill(root, status="blocked", blockers=[blocker])
    lost = data(root, "convert", "oc-demo", "--to", "md", "--dry-run")["lost"]
    assert "blockers: 1 item(s)" in lost
    assert "status: blocked → in_progress" in lost
    assert any(loss.startswith("private: ") for loss in lost)
    assert not os.path.exists(os.path.join(root, "checkpoints"))


def test_convert_never_overwrites(root):
    put_skill(root)
    put_markdown(root, "oc-demo")
    before = files(root)
    assert do(root, "convert", "skill:oc-demo", "--to", "md").returncode == 4
    assert files(root) == before


# current and index


@pytest.mark.req("B.status.set", "B.status.one-current")
def test_current_turns_every_other_current_into_active(root):
    for name in ("chk-a", "chk-b"):
        put_markdown(root, name, header="status: current\n")
    put_markdown(root, "chk-c")
    warned = do(root, "validate").stdout
    assert "2 checkpoints have status current" in warned
    assert "chk-a" in do(root, "current").stderr
    assert do(root, "current", "c").returncode == 0
    assert do(root, "current").stdout.startswith("Current: chk-c\n")
    for name, word in (("chk-a", "active"), ("chk-b", "active"), ("chk-c", "current")):
        assert f"status: {word}\n" in get(root, f"checkpoints/active/{name}.md")
    assert do(root, "current", "--clear").returncode == 0
    assert do(root, "current").stdout == "No checkpoint is current.\n"


@pytest.mark.req("X.read.text")
def test_a_crlf_checkpoint_stays_crlf_when_it_becomes_current(root):
    text = markdown("chk-a").replace("\n", "\r\n")
    put(root, "checkpoints/active/chk-a.md", "\ufeff" + text)
    assert do(root, "current", "chk-a").returncode == 0
    after = get(root, "checkpoints/active/chk-a.md")
    assert after == "\ufeff" + text.replace("status: active", "status: current")


@pytest.mark.req("X.derived.checked")
def test_the_index_is_generated_for_active_and_archive_and_checked(root):
    put_markdown(root, "chk-a", header="anchor: phase | two\n")
    put_markdown(root, "chk-old", "archive")
    assert do(root, "index", "--check").returncode == 1
    assert do(root, "index").returncode == 0
    assert do(root, "index", "--check").returncode == 0
    index = get(root, "checkpoints/active/INDEX.md")
    assert index.startswith("# Active Checkpoints\n")
    assert "| chk-a | phase \\| two | 2026-08-05 |" in index
    assert "# Archived Checkpoints" in get(root, "checkpoints/archive/INDEX.md")
    put(root, "checkpoints/active/INDEX.md", index + "by hand\n")
    assert do(root, "index", "--check").returncode == 1
    assert do(root, "index").returncode == 0
    assert get(root, "checkpoints/active/INDEX.md") == index


# prune and skill


@pytest.mark.req("A.size.decisions")
def test_prune_folds_old_decisions_without_losing_a_word(root):
    texts = [f"Decision number {at}" for at in range(25)]
    put_skill(root, context_primer={"key_decisions": texts})
    assert "leftoff prune" in do(root, "validate").stdout
    before = files(root)
    assert do(root, "prune", "oc-demo", "--dry-run").returncode == 0
    assert files(root) == before
    assert do(root, "prune", "oc-demo").returncode == 0
    kept = json.loads(get(root, SKILL))["context_primer"]["key_decisions"]
    assert len(kept) == 20
    assert kept[1:] == texts[6:]
    assert all(text in kept[0] for text in texts[:6])


@pytest.mark.req("A.size.rotate")
def test_prune_rotates_telemetry_into_history(root):
    put_skill(root, skill_state={"merged_prs": [1, 2], "streak": 3})
    assert do(root, "prune", "oc-demo", "--rotate", "merged_prs").returncode == 0
    assert json.loads(get(root, SKILL))["skill_state"] == {"streak": 3}
    (name,) = os.listdir(os.path.join(root, ".checkpoints/history"))
    kept = json.loads(get(root, f".checkpoints/history/{name}"))
    assert (kept["skill"], kept["merged_prs"]) == ("oc-demo", [1, 2])
    assert do(root, "prune", "oc-demo", "--rotate", "nothing").returncode == 2


@pytest.mark.req("B.carry.play", "B.carry.trail", "B.carry.breadcrumbs")
def test_prune_folds_the_story_and_drops_what_points_nowhere(root):
    story = "\n".join(f"- Phase {at} → did it → worked" for at in range(12))
    crumbs = "| Type | Reference | Hint |\n|---|---|---|\n| file | `gone.py` | x |\n| file | `app.py` | y |\n"
    trail = "| File | Status | Key Change |\n|---|---|---|\n| `app.py` | modified | a |\n| `no.py` | created | b |"
    text = markdown("chk-a", play=story, trail=trail)
    text = text.replace("### Play-By-Play", f"### Breadcrumbs\n\n{crumbs}\n### Play-By-Play")
    put(root, "checkpoints/active/chk-a.md", text)
    answer = data(root, "prune", "chk-a")
    after = get(root, "checkpoints/active/chk-a.md")
    assert "gone.py" not in after
    assert "no.py" not in after
    assert "app.py" in after
    assert "- Phase 11 → did it → worked\n" in after
    assert any("gone.py" in line for line in answer["done"])
    assert all(f"Phase {at}" in after for at in range(12))


@pytest.mark.req("A.cmd.set", "A.cmd.bare")
@pytest.mark.parametrize(
    ("words", "verb"),
    [
        ("/checkpoint doctor", "doctor"),
        ("/checkpoint next", "next"),
        ("/checkpoint show", "show"),
        ("/checkpoint reset", "reset"),
        ("/checkpoint list", "list"),
        ("/checkpoint status", "status"),
        ("/checkpoint", "save"),
        ("保存进度", "save"),
    ],
)
def test_the_words_after_checkpoint_lead_to_verbs(root, words, verb):
    assert do(root, "skill", "route", words).stdout.strip() == verb
    assert do(root, "skill", "route", "make me a sandwich").returncode == 3


@pytest.mark.req("C.scope.phrases")
@pytest.mark.parametrize(
    ("words", "verb"),
    [
        ("save my place", "save"),
        ("Save my place", "save"),
        ("checkpoint", "save"),
        ("save session", "save"),
        ("/checkpoint save my place", "save"),
        ("/checkpoint before the long run", "save before the long run"),
        ("--restore", "resume"),
        ("/checkpoint --restore", "resume"),
        ("/checkpoint auth-fix --restore", "resume auth-fix"),
        ("restore checkpoint", "resume"),
        ("resume from checkpoint", "resume"),
    ],
)
def test_the_words_of_seed_c_save_unless_they_say_restore(root, words, verb):
    assert run("skill", "route", "--", words, cwd=root).stdout.strip() == verb


# threads as documents


@pytest.mark.req("E.thread.layout")
def test_a_thread_folder_copied_alone_is_still_whole(root, tmp_path):
    put_thread(root)
    other = repo(os.path.join(tmp_path, "other"))
    shutil.copytree(
        os.path.join(root, ".checkpoints/threads"), os.path.join(other, ".checkpoints/threads")
    )
    (stream,) = data(other, "status")["streams"]
    assert (stream["id"], stream["name"]) == ("thread-1a2b3c4d", "重构认证模块")
    assert [action["text"] for action in stream["next_actions"]] == [
        "Write the middleware",
        "Write the docs",
    ]


@pytest.mark.req("X.path.inside")
@pytest.mark.parametrize("form", ["link", "text"])
def test_the_root_checkpoint_is_an_alias_never_listed_twice(root, form):
    path = put_thread(root)
    if form == "link":
        os.symlink(path, os.path.join(root, "CHECKPOINT.md"))
    else:
        put(root, "CHECKPOINT.md", path)
    assert len(data(root, "list")["documents"]) == 1


@pytest.mark.req("X.path.inside")
def test_a_link_that_leads_out_of_the_project_is_refused(root, tmp_path):
    outside = os.path.join(tmp_path, "secret.json")
    put("/", outside, "{}")
    put_skill(root)
    os.symlink(outside, os.path.join(root, ".checkpoints/oc-evil.checkpoint.json"))
    do(root, "update", "oc-evil", "--step=x")
    assert get("/", outside) == "{}"
    assert os.path.islink(os.path.join(root, ".checkpoints/oc-evil.checkpoint.json"))


@pytest.mark.req("X.import.tolerant")
def test_a_task_save_is_read_with_all_its_sections(root):
    put(root, ".workflow_artifacts/memory/checkpoints/2026-08-06-auth-fix.md", TASK)
    stream = data(root, "status", "2026-08-06-auth-fix")["stream"]
    assert (stream["name"], stream["step"]) == ("auth-fix", "implement")
    assert stream["next_actions"][0]["text"] == "Write the middleware"


@pytest.mark.req("X.write.no-shell")
def test_names_and_texts_never_reach_a_shell(root):
    nasty = "$(touch owned) `touch owned`; touch owned \" ' \n| & <x>"
    assert do(root, "update", "oc-demo", f"--step={nasty}").returncode == 0
    assert json.loads(get(root, SKILL))["step"] == nasty
    assert not os.path.exists(os.path.join(root, "owned"))


def test_show_prints_every_file_of_a_thread_with_its_path(root):
    path = put_thread(root)
    shown = do(root, "show", "thread-1a2b3c4d").stdout
    folder = os.path.dirname(path)
    assert f"# {folder}/CHECKPOINT.md\n" in shown
    assert f"# {folder}/thread.json\n" in shown
    assert get(root, f"{folder}/CHECKPOINT.md") in shown
