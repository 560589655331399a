"""update: the three operators, refusals that leave no trace, one stamp per call."""

from __future__ import annotations

import json
import os

import pytest

from projects import NOW, get, markdown, put, put_markdown, put_skill, put_thread, skill
from support import git, repo, run

PATH = ".checkpoints/oc-demo.checkpoint.json"


def update(root, *words, name="oc-demo"):
    return run("update", name, *words, "--now", NOW, cwd=root)


def document(root, path=PATH):
    return json.loads(get(root, path))


@pytest.fixture
def root(tmp_path):
    place = repo(tmp_path)
    put_skill(place)
    return place


@pytest.mark.req("A.update.replace", "A.write.stamp", "A.write.small", "A.pm.optional")
def test_a_value_is_replaced_and_only_the_stamp_moves_with_it(root):
    before = document(root)
    assert update(root, "--step=review", "--context_primer.note=x").returncode == 0
    after = document(root)
    expected = before | {"step": "review", "updated_at": NOW}
    expected["context_primer"] = before["context_primer"] | {"note": "x"}
    assert after == expected


@pytest.mark.req("A.layout.reviewable", "X.round.lossless")
def test_a_one_field_change_in_a_hand_aligned_file_touches_two_lines(root):
    aligned = skill().replace('"status": "complete"', '"status":    "complete"')
    put(root, PATH, aligned.replace('  "phase"', '\n  "phase"'))
    git("add", "-A", cwd=root)
    update(root, "--step=review")
    assert git("diff", "--numstat", cwd=root).split()[:2] == ["2", "2"]


@pytest.mark.req("A.update.append", "A.write.on-decision")
def test_an_appended_decision_stands_last_and_the_others_stay(root):
    update(root, "--context_primer.key_decisions+=One")
    update(root, "--context_primer.key_decisions+=Two")
    assert document(root)["context_primer"]["key_decisions"] == ["Stack: Hono", "One", "Two"]


@pytest.mark.req("A.update.append")
def test_appending_to_a_text_is_refused(root):
    before = get(root, PATH)
    assert update(root, "--phase+=x").returncode != 0
    assert get(root, PATH) == before


@pytest.mark.req("A.write.on-file")
def test_the_same_file_is_noted_once(root):
    for _ in range(2):
        assert update(root, "--context_primer.generated_files+=src/new.py").returncode == 0
    assert document(root)["context_primer"]["generated_files"] == ["spec.md", "src/new.py"]


@pytest.mark.req("A.write.on-step")
def test_a_finished_step_changes_row_step_and_summary_in_one_write(root):
    words = ("--progress_table.sprint-2.status=complete", "--step=sprint-3")
    done = update(root, *words, "--progress_summary=Sprint 2 passed.")
    assert done.returncode == 0
    after = document(root)
    assert after["progress_table"][1]["status"] == "complete"
    assert (after["step"], after["progress_summary"]) == ("sprint-3", "Sprint 2 passed.")


@pytest.mark.req("A.write.on-blocker", "A.status.banner")
def test_a_blocker_shows_in_the_banner_until_it_is_resolved(root):
    blocker = '{"id": "b1", "description": "Which cloud?", "needs": "user_decision"}'
    assert update(root, f"--blockers+:json={blocker}").returncode == 0
    shown = run("status", "--now", NOW, cwd=root).stdout
    assert shown.splitlines()[0] == "⛔ 1 decision waiting on you:"
    assert update(root, "--blockers.b1.status=resolved").returncode == 0
    assert "waiting on you" not in run("status", "--now", NOW, cwd=root).stdout


@pytest.mark.req("A.update.json", "A.proto.additive")
def test_json_values_keep_their_type_and_both_orders_of_the_suffixes_work(root):
    assert update(root, "--cost.total_usd:json=5").returncode == 0
    assert document(root)["cost"] == {"total_usd": 5}
    assert document(root)["protocol_version"] == "1.1"
    for word in ('--next_actions+:json={"text": "A"}', '--next_actions:json+={"text": "B"}'):
        assert update(root, word).returncode == 0
    assert document(root)["next_actions"][-2:] == [{"text": "A"}, {"text": "B"}]
    assert update(root, "--cost:json={").returncode == 2


@pytest.mark.req("A.schema.project-dir")
def test_a_new_document_names_the_whole_path_of_the_folder_it_lies_in(root):
    assert update(root, "--phase=x", name="oc-new").returncode == 0
    assert document(root, ".checkpoints/oc-new.checkpoint.json")["project_dir"] == root
    assert os.path.isabs(root)


@pytest.mark.req("A.proto.additive", "A.proto.wire-version", "A.pm.optional")
def test_a_ticket_leaves_the_wire_version_alone(root):
    assert update(root, "--pm", "linear:PLAT-1:source").returncode == 0
    assert document(root)["protocol_version"] == "1.0"


@pytest.mark.req("A.update.many", "A.validate.after-write")
def test_one_bad_assignment_among_several_writes_nothing(root):
    before = get(root, PATH)
    done = update(root, "--step=review", "--status=zzz")
    assert done.returncode == 1
    assert "status must be one of" in done.stderr
    assert get(root, PATH) == before


@pytest.mark.req("A.validate.after-write")
def test_a_new_document_that_would_not_validate_is_not_made(root):
    done = update(root, "--status=zzz", name="oc-new")
    assert done.returncode == 1
    assert "status must be one of" in done.stderr
    assert not os.path.exists(os.path.join(root, ".checkpoints/oc-new.checkpoint.json"))


@pytest.mark.req("X.cli.unknown-args")
@pytest.mark.parametrize(
    "word", ["phase=zzz", "--k+:x=1", "--phase.x=1", "--field=status=x", "--phaze=x", "--step"]
)
def test_words_it_does_not_understand_are_refused_without_a_stamp(root, word):
    before = get(root, PATH)
    done = update(root, word)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert get(root, PATH) == before


@pytest.mark.req("X.cli.unknown-args")
def test_an_unknown_key_gets_a_suggestion_and_can_be_insisted_on(root):
    assert 'did you mean "phase"' in update(root, "--phaze=x").stderr
    assert update(root, "--phaze=x", "--new-key").returncode == 0
    assert document(root)["phaze"] == "x"


@pytest.mark.req("X.cli.unknown-args")
def test_an_assignment_without_its_dashes_is_told_them(root):
    done = update(root, "step=review")
    assert (done.returncode, "write --step=review" in done.stderr) == (2, True)
    assert "see --help" in update(root, "review").stderr


def test_nothing_to_change_is_a_usage_error_and_a_no_op_writes_nothing(root):
    before = get(root, PATH)
    done = update(root)
    assert done.returncode == 2
    assert 'leftoff update oc-demo --KEY=VALUE"' in done.stderr
    done = update(root, "--step=sprint-2")
    assert (done.returncode, done.stdout) == (0, f"nothing to change in {PATH}\n")
    assert get(root, PATH) == before


@pytest.mark.req("A.proto.any-skill", "A.layout.path", "A.init.auto")
def test_a_never_seen_skill_gets_a_valid_file_and_the_scaffold(tmp_path):
    root = repo(tmp_path)
    done = update(root, "--phase=plan", name="brand-new")
    assert done.returncode == 0
    path = ".checkpoints/brand-new.checkpoint.json"
    assert document(root, path)["phase"] == "plan"
    assert run("validate", "--now", NOW, cwd=root).returncode == 0
    assert os.path.exists(os.path.join(root, ".checkpoints/README.md"))


def test_a_new_name_that_begins_like_another_makes_its_own_file(root):
    before = get(root, PATH)
    done = update(root, "--phase=x", name="oc-dem")
    assert done.returncode == 0
    assert get(root, PATH) == before
    assert 'did you mean "oc-demo"' in done.stderr


@pytest.mark.req("A.cross.no-foreign-write")
def test_a_skill_cannot_write_the_checkpoint_of_another(root):
    before = get(root, PATH)
    assert update(root, "--step=x", "--owner", "oc-other").returncode == 1
    assert get(root, PATH) == before
    assert update(root, "--step=x", "--owner", "oc-demo").returncode == 0


@pytest.mark.req("A.cross.depends-on")
def test_coordination_is_a_note_in_ones_own_checkpoint(root):
    note = "oc-app-architect shows spec approved at 2026-03-31T12:00:00Z"
    assert update(root, f"--depends_on={note}").returncode == 0
    assert document(root)["depends_on"] == note


@pytest.mark.req("A.pm.shape", "A.pm.append")
def test_a_ticket_has_all_six_parts_and_is_added_again_in_the_next_session(root):
    update(root, "--pm", "linear:PLAT-1:source:https://x.test/PLAT-1")
    run("update", "oc-demo", "--pm", "linear:PLAT-1:source", "--now", "2026-08-09", cwd=root)
    first, second = document(root)["pm_refs"]
    assert first == {
        "provider": "linear",
        "id": "PLAT-1",
        "url": "https://x.test/PLAT-1",
        "role": "source",
        "created_by_skill": "oc-demo",
        "first_seen_at": NOW,
    }
    assert second["first_seen_at"] == "2026-08-09T00:00:00Z"


@pytest.mark.req("A.size.no-cap")
def test_a_large_checkpoint_is_written_with_a_warning(root):
    for at in range(10):
        text = f"{at}" * 1600
        assert update(root, f"--context_primer.key_decisions+={text}").stderr == ""
    done = update(root, f"--skill_state.blob={'x' * 200_000}")
    assert done.returncode == 0
    assert "warning" in done.stderr
    assert document(root)["skill_state"]["blob"] == "x" * 200_000


@pytest.mark.req("X.time.one-table")
def test_sizes_are_measured_by_the_limits_that_are_set(root):
    assert update(root, "--progress_summary=Twelve chars").stderr == ""
    put(root, ".checkpoints/config.toml", '[thresholds]\n"size.summary" = 10\n')
    done = update(root, "--progress_summary=Twelve words")
    assert done.returncode == 0
    assert "progress_summary is 12 chars (> 10)" in done.stderr


@pytest.mark.req("A.layout.no-collision")
def test_writing_one_document_leaves_its_siblings_alone(root):
    put_skill(root, "oc-other")
    put_markdown(root)
    before = {p: get(root, p) for p in _files(root) if p != PATH}
    for at in range(20):
        update(root, f"--context_primer.key_decisions+=d{at}")
    assert {p: get(root, p) for p in before} == before


def _files(root):
    for place, folders, names in os.walk(root):
        if ".git" in folders:
            folders.remove(".git")
        yield from (os.path.relpath(os.path.join(place, name), root) for name in names)


@pytest.mark.req("A.write.merge")
def test_keys_added_by_hand_survive_with_their_layout(root):
    text = get(root, PATH).replace('{\n  "proto', '{\n  "mine":   [1,2,  3],\n  "proto', 1)
    put(root, PATH, text)
    update(root, "--step=review")
    assert '  "mine":   [1,2,  3],\n' in get(root, PATH)


@pytest.mark.req("X.path.names")
@pytest.mark.parametrize("name", ["../victim", "/etc/passwd", "", "a/b", "a\0b", ".hidden"])
@pytest.mark.parametrize("verb", ["update", "show", "reset", "done", "status", "convert"])
def test_names_are_checked_before_they_become_paths(root, verb, name):
    put(root, "victim.checkpoint.json", skill("victim"))
    words = {"update": ["--step=x"], "convert": ["--to", "md"]}.get(verb, [])
    done = (
        run(verb, "--now", NOW, "--", name, cwd=root)
        if not words
        else run(verb, name, *words, cwd=root)
    )
    if name == "" and verb in {"status", "show", "done"}:
        return  # an empty optional name is no name
    assert done.returncode == 2, done.stderr
    assert get(root, "victim.checkpoint.json") == skill("victim")


def test_markdown_fields_are_set_by_their_own_or_the_models_names(root):
    path = put_markdown(root)
    done = update(root, "--anchor=phase 2", "--decisions+=Rotate keys", name="chk-auth")
    assert done.returncode == 0, done.stderr
    after = get(root, path)
    assert "anchor: phase 2\n" in after
    assert "- Refresh tokens live 15 minutes\n- Rotate keys\n" in after


@pytest.mark.req("B.header.comments")
def test_a_header_comment_survives_the_change_of_its_value(root):
    path = put_markdown(root, header="status: active # mine\n")
    assert update(root, "--status=current", name="chk-auth").returncode == 0
    assert "status: current # mine\n" in get(root, path)


def test_a_threads_settings_and_its_text_are_reached_by_one_name(root):
    path = put_thread(root)
    name = "thread-1a2b3c4d"
    assert update(root, "--config.thresholdPercent:json=80", name=name).returncode == 0
    settings = get(root, path.replace("CHECKPOINT.md", "thread.json"))
    assert '"thresholdPercent": 80 }' in settings
    assert update(root, "--next_actions+=Tag it", name=name).returncode == 0
    assert "3. Tag it\n" in get(root, path)
    assert update(root, "--nonsense=1", name=name).returncode == 2


def test_a_thread_gets_its_new_name_in_both_of_its_files(root):
    path = put_thread(root)
    assert update(root, "--name=Billing", name="thread-1a2b3c4d").returncode == 0
    assert get(root, path).startswith("# Checkpoint: Billing\n")
    settings = document(root, path.replace("CHECKPOINT.md", "thread.json"))
    assert (settings["name"], settings["updatedAt"]) == ("Billing", NOW)
    assert update(root, "--next_actions+=Tag it", name="Billing").returncode == 0


def test_a_slip_in_the_name_is_not_taken_for_a_field_that_is_missing(root):
    put_thread(root)
    done = update(root, "--decisions+=Use it", name="thread-1a2b3c4f")
    assert done.returncode == 2
    assert 'there is no checkpoint "thread-1a2b3c4f", and a new one cannot start' in done.stderr
    assert 'did you mean "thread-1a2b3c4d"?' in done.stderr
    done = update(root, "--phaze=x", name="brand-new")
    assert 'did you mean "phase"?' in done.stderr


def test_minus_does_not_replace_a_list_by_what_was_to_be_taken_out(root):
    path = put_thread(root)
    before = get(root, path)
    done = update(root, "--decisions-=One of them", name="thread-1a2b3c4d")
    assert (done.returncode, "--key:json=" in done.stderr) == (2, True)
    assert get(root, path) == before


def test_a_thread_is_updated_by_its_name_of_two_words_and_never_by_a_part_of_it(root):
    path = put_thread(root)
    assert update(root, "--name=Pay: the rework", name="thread-1a2b3c4d").returncode == 0
    assert update(root, "--next_actions+=Ask", name="Pay: the rework").returncode == 0
    assert "Ask" in get(root, path)
    before = get(root, path)
    for name in ("Pay: the", "pay: the rework", "the rework"):
        assert update(root, "--next_actions+=No", name=name).returncode == 2
    assert get(root, path) == before


def test_a_thread_whose_other_part_is_broken_keeps_its_name(root):
    path = put_thread(root)
    put(root, path.replace("CHECKPOINT.md", "thread.json"), "{broken")
    before = get(root, path)
    assert update(root, "--name=Billing", name="thread-1a2b3c4d").returncode == 7
    assert get(root, path) == before


def test_of_two_with_one_id_the_path_that_the_error_names_says_which(root):
    for file in ("one", "two"):
        put(root, f"checkpoints/active/{file}.md", markdown("chk-a"))
    error = json.loads(run("update", "chk-a", "--anchor=x", "--json", cwd=root).stdout)["error"]
    assert (error["kind"], len(error["choices"])) == ("ambiguous", 2)
    assert update(root, "--anchor=x", name=error["choices"][1]).returncode == 0
    assert "anchor: x\n" in get(root, "checkpoints/active/two.md")
    assert "anchor" not in get(root, "checkpoints/active/one.md")


def test_what_would_not_be_valid_is_told_in_chinese_throughout(root):
    told = update(root, "--status=odd", "--step=", "--lang", "zh").stderr
    assert "写入后将无效：缺少" in told
    assert "（另有 1 项）" in told


@pytest.mark.parametrize(
    ("slip", "hint"),
    [("--jsno", 'did you mean "--json"?'), ("--stag", "write --stag=VALUE, --stag+=VALUE or")],
)
def test_a_slip_in_an_option_is_no_new_field(root, slip, hint):
    put_skill(root)
    done = update(root, slip)
    assert (done.returncode, hint in done.stderr) == (2, True)


def test_only_the_value_is_of_a_later_version_where_it_is_given_one(root):
    put_skill(root)
    before = get(root, PATH)
    done = update(root, "--protocol_version=2.0")
    assert done.returncode == 1
    assert "would be of a later version of its format; nothing was changed" in done.stderr
    assert "会变为该格式的更新版本" in update(root, "--protocol_version=2.0", "--lang", "zh").stderr
    assert get(root, PATH) == before
    put(root, PATH, before.replace('"1.0"', '"2.0"'))
    assert f"{PATH} is of a later version" in update(root, "--protocol_version=1.0").stderr


def test_an_empty_variable_adds_no_action(root):
    put_skill(root)
    before = get(root, PATH)
    done = update(root, "--next_actions+=")
    assert (done.returncode, "adds an empty item" in done.stderr) == (2, True)
    assert get(root, PATH) == before
