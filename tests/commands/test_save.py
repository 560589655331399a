"""save: what is written, by whom, and that nothing of anybody's is lost."""

from __future__ import annotations

import json
import os

import pytest

from projects import NOW, markdown, put, skill
from support import git, run

SESSION = "claude-code/aaaaaaaa-1111"
OTHER = "codex/bbbbbbbb-2222"
LATER = "2026-08-09T12:00:00Z"
LAST = "2026-08-09T13:00:00Z"


def save(root, *words, session=SESSION, now=NOW, stdin="", code=0):
    """The whole answer; `session` "" is a person."""
    by = ("--session", session) if session else ()
    done = run("save", *words, *by, "--json", "--now", now, cwd=root, stdin=stdin)
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout)


def data(*words, **how):
    return save(*words, **how)["data"]


def text_of(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def facts(root, thread):
    return json.loads(text_of(root, f".checkpoints/threads/{thread}/thread.json"))


def shown(root, name):
    done = run("show", name, "--json", "--now", NOW, cwd=root)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["data"]


def pending(home):
    folder = os.path.join(home, "state", "leftoff", "pending")
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


def snapshot(root):
    found = {}
    for place, _, names in os.walk(root):
        if ".git" not in place.split(os.sep):
            for name in names:
                path = os.path.join(place, name)
                with open(path, "rb") as file:
                    found[os.path.relpath(path, root)] = file.read()
    return found


@pytest.mark.req("C.scope.default-target", "E.mode.auto-enable")
def test_a_first_save_makes_a_thread_and_only_its_files(root):
    before = set(snapshot(root))
    told = data(root, "Half of it works", "--no-draft")
    made = set(snapshot(root)) - before
    folder = f".checkpoints/threads/{told['id']}"
    assert told["created"]
    assert told["saved"] == f"{folder}/CHECKPOINT.md"
    assert made == {
        f"{folder}/CHECKPOINT.md",
        f"{folder}/thread.json",
        ".checkpoints/current",
        ".checkpoints/.gitignore",
        ".checkpoints/README.md",
    }


@pytest.mark.req("E.mode.auto-enable")
def test_reading_makes_no_thread(root):
    before = snapshot(root)
    for words in (("status",), ("thread", "list"), ("resume",), ("list",)):
        assert run(*words, "--now", NOW, cwd=root).returncode == 0
    assert snapshot(root) == before


@pytest.mark.req("E.save.content")
def test_the_document_holds_the_words_and_what_git_says(root):
    put(root, "app.py", "print('changed')\n")
    put(root, "new.py", "x\n")
    words = ("--intent", "Charge cards", "--decision", "Cents only", "--tests", "41 pass")
    told = data(
        root, "Sandbox works", *words, "--next", "Retry page", "--next", "Mail", "--no-draft"
    )
    text = text_of(root, told["saved"])
    for heading in (
        *("Current Task", "Completed Work", "Uncommitted Changes", "Key Decisions"),
        *("Test State", "Key Files", "Next Steps (Priority Order)", "Session History"),
    ):
        assert f"\n## {heading}\n" in text
    commit = git("rev-parse", "--short=7", "HEAD", cwd=root).strip()
    for line in (
        *("**Branch**: main", f"**Last Commit**: {commit} - Begin", "Charge cards", "41 pass"),
        *("| app.py | modified |", "| new.py | new |", "| Cents only |  | #001 |"),
        *("1. [P1] Retry page", "2. [P2] Mail", "| 001 | Charge cards | no |"),
    ):
        assert line in text


def test_in_a_part_of_a_repository_files_have_the_paths_that_they_have_there(root):
    put(root, "top.py", "x")
    put(root, "part/.checkpoints/README.md", "x")
    part = os.path.join(root, "part")
    put(part, "src/a.py", "x")
    told = data(part, "Half done", "--no-draft")
    text = text_of(part, told["saved"])
    assert "| ./ | new |" in text, "all of it is new"
    git("add", "part", cwd=root)
    told = data(part, "--decision", "Cents", "--no-draft")
    text = text_of(part, told["saved"])
    assert "| src/a.py | new |" in text
    assert "top.py" not in text
    assert run("status", told["id"], "--now", NOW, cwd=part).stdout.count("no such file") == 0


@pytest.mark.req("E.save.only")
def test_a_save_archives_no_conversation(root):
    told = data(root, "Works", "--no-draft")
    assert not os.path.exists(os.path.join(root, f".checkpoints/threads/{told['id']}/history"))


@pytest.mark.req("C.scope.purpose", "C.save.sentinel", "C.save.report")
@pytest.mark.parametrize("kind", ["thread", "md", "skill"])
def test_what_waits_for_the_next_session_is_one_line_and_written_last(root, home, kind):
    told = data(root, "Works", "--no-draft", "--as", kind)
    assert pending(home) == ["pending-restore-aaaaaaaa-1111.txt"]
    with open(told["record"], encoding="utf-8") as file:
        assert file.read() == os.path.join(root, told["saved"]) + "\n"
    assert told["resume"] == f"leftoff resume {told['id']}"


@pytest.mark.req("C.save.no-sid")
def test_a_person_leaves_no_record_and_the_save_is_kept(root, home):
    whole = save(root, "Works", session="")
    assert whole["data"]["record"] is None
    assert [one["slug"] for one in whole["findings"]] == ["no-session"]
    assert not pending(home)
    assert "Works" in text_of(root, whole["data"]["saved"])


def test_a_session_has_one_number_and_is_the_only_active_one(root):
    thread = data(root, "One", "--no-draft")["id"]
    data(root, "Two", "--no-draft")
    told = data(root, "Three", "--no-draft", "--name", thread, session=OTHER)
    assert told["number"] == 2
    listed = facts(root, thread)["sessions"]
    assert [(one["seq"], one["hapiSessionId"], one["active"]) for one in listed] == [
        (1, SESSION, False),
        (2, OTHER, True),
    ]


@pytest.mark.req("E.thread.seq")
def test_a_number_is_never_given_again(root):
    thread = data(root, "One", "--no-draft")["id"]
    data(root, "Two", "--no-draft", "--name", thread, session=OTHER)
    path = f".checkpoints/threads/{thread}/thread.json"
    whole = facts(root, thread)
    whole["sessions"] = whole["sessions"][:1]
    put(root, path, json.dumps(whole))
    put(root, f".checkpoints/threads/{thread}/history/003-old.md", "# old\n")
    assert data(root, "Three", "--no-draft", "--name", thread, session="codex/cccc")["number"] == 4


@pytest.mark.req("A.write.merge")
def test_steps_that_another_session_added_survive_a_new_list(root):
    thread = data(root, "--next", "mine", "--next", "old", "--no-draft")["id"]
    data(root, "--next", "theirs", "--no-draft", "--name", thread, session=OTHER)
    told = data(root, "--next", "mine", "--no-draft", now=LATER)
    assert sorted(told["next"]) == ["mine", "theirs"]
    assert told["dropped"] == ["old"]


def test_words_that_give_way_are_in_the_log_before_they_leave_the_document(root, home):
    told = data(root, "Mine", "--no-draft")
    resumed(root, told["id"])
    data(root, "Theirs", "--no-draft", "--name", told["id"], session=OTHER, now=LATER)
    before = text_of(root, told["saved"])
    log = os.path.join(os.environ["LEFTOFF_STATE"], "merges.jsonl")
    os.mkdir(log)
    save(root, "Mine again", "--no-draft", "--name", told["id"], now=LAST, code=1)
    assert text_of(root, told["saved"]) == before
    os.rmdir(log)
    data(root, "Mine again", "--no-draft", "--name", told["id"], now=LAST)
    assert "Mine again" in text_of(root, told["saved"])
    assert "Theirs" in text_of("/", log)


def test_a_persons_list_takes_the_place_of_the_old_one_which_is_kept_in_the_trash(root, home):
    thread = data(root, "--next", "old", session="")["id"]
    told = data(root, "--next", "new", session="")
    assert (told["next"], told["dropped"]) == (["new"], ["old"])
    trash = os.path.join(home, "state", "leftoff", "trash")
    kept = [os.path.join(p, n) for p, _, names in os.walk(trash) for n in names]
    (copy,) = (path for path in kept if not path.endswith(".origin"))
    assert "[P1] old" in text_of("", copy), thread


def test_decisions_are_added_and_what_people_wrote_by_hand_stays(root):
    told = data(root, "--decision", "A", "--no-draft")
    text = text_of(root, told["saved"])
    put(root, told["saved"], text + "\n## My own\n\nkeep me\n")
    data(root, "--decision", "B", "--no-draft", now=LATER)
    after = text_of(root, told["saved"])
    assert "## My own\n\nkeep me\n" in after
    assert after.index("| A |") < after.index("| B |")


def test_a_save_that_says_nothing_new_changes_no_byte(root):
    told = data(root, "Works", "--no-draft")
    before = snapshot(root)
    again = data(root, "Works", "--no-draft", now=LATER)
    assert not again["changed"]
    assert snapshot(root) == before
    assert told["changed"]


def test_json_on_standard_input_says_the_same_as_options(root):
    body = {
        "note": "Half done",
        "intent": "Ship it",
        "decisions": [{"text": "Cents", "rationale": "no floats"}],
        "next_actions": ["Other half", {"text": "Mail", "done_when": "make mail"}],
        "questions": ["Which bank?"],
    }
    told = data(root, "-", "--no-draft", stdin=json.dumps(body))
    text = text_of(root, told["saved"])
    assert "| Cents | no floats | #001 |" in text
    assert "2. [P2] Mail [done_when: make mail]" in text
    assert "- Which bank?" in text


@pytest.mark.parametrize(
    ("stdin", "kind"),
    [("{", "usage"), ("[]", "usage"), ('{"nxt": []}', "usage"), ('{"note": 3}', "usage")],
)
def test_wrong_json_is_refused_and_nothing_is_written(root, stdin, kind):
    before = snapshot(root)
    whole = save(root, "-", stdin=stdin, code=2)
    assert whole["error"]["kind"] == kind
    assert snapshot(root) == before


def test_a_check_belongs_to_the_step_in_its_place_and_is_trusted_as_it_was_written(root):
    told = data(root, "--next", "a", "--next", "b", "--done-when", "true", "--no-draft")
    text = text_of(root, told["saved"])
    assert "[P1] a [done_when: true]" in text
    done = run("done", told["id"], "--verify", "--json", "--now", NOW, cwd=root)
    assert done.returncode == 0, done.stdout
    assert json.loads(done.stdout)["data"]["verified"]


def test_a_blocker_that_waits_for_a_person_leads_status(root):
    data(root, "--blocker", "Which bank first?", "--needs-decision", "--no-draft")
    done = run("status", "--now", NOW, cwd=root)
    assert "1 decision waiting on you" in done.stdout.splitlines()[0]


@pytest.mark.req("D.checkpoint.content")
def test_what_was_stated_is_known_of_the_session(root):
    words = ("--decision", "Cents", "--next", "Mail", "--outcome", "shop", "--task", "cards")
    data(root, "Cards work", *words, "--no-draft")
    done = run("session", "info", SESSION, "--json", "--now", LATER, cwd=root)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)["data"]["session"]
    flat = json.dumps(told)
    for word in ("Cards work", "Cents", "Mail", "shop", "cards"):
        assert word in flat
    assert told["seen"] == NOW


@pytest.mark.parametrize("kind", ["md", "skill"])
def test_a_save_can_go_to_another_format(root, kind):
    words = ("Works", "--decision", "Cents", "--next", "Mail", "--intent", "Sell", "--no-draft")
    told = data(root, *words, "--as", kind, "--name", "shop")
    text = text_of(root, told["saved"])
    assert (told["format"], told["created"]) == (kind, True)
    assert all(word in text for word in ("Works", "Cents", "Mail"))
    again = data(root, "--decision", "Euros", "--as", kind, "--name", "shop", "--no-draft")
    assert not again["created"]
    assert "Euros" in text_of(root, told["saved"])


def test_how_to_continue_is_a_command_that_works_where_two_formats_share_a_name(root):
    for kind in ("md", "skill"):
        told = data(root, "Works", "--as", kind, "--name", "shop", "--no-draft")
    assert told["resume"] == "leftoff resume skill:shop"
    assert run(*told["resume"].split()[1:], cwd=root).returncode == 0


def test_the_format_is_a_setting_of_the_project(root):
    put(root, ".checkpoints/config.toml", '[save]\nformat = "md"\n')
    put(root, "checkpoints/active/chk-auth.md", markdown("chk-auth", "status: current\n"))
    told = data(root, "--decision", "Use cookies", "--no-draft")
    assert told["saved"] == "checkpoints/active/chk-auth.md"
    assert "Use cookies" in text_of(root, told["saved"])


def test_a_skill_among_several_must_be_named(root):
    for name in ("a", "b"):
        put(root, f".checkpoints/{name}.checkpoint.json", skill(name))
    whole = save(root, "Works", "--as", "skill", "--no-draft", code=5)
    assert whole["error"]["choices"] == ["a", "b"]


@pytest.mark.parametrize(
    "words", [("--once", "k"), ("--model", "opus"), ("--as", "task", "--draft")], ids=" ".join
)
def test_an_option_of_another_format_is_refused_and_nothing_is_written(root, words):
    before = snapshot(root)
    assert save(root, "Works", *words, code=2)["error"]["kind"] == "usage"
    assert snapshot(root) == before


def test_a_new_session_that_cannot_begin_here_is_told(root):
    whole = save(root, "Works", "--no-draft", "--new-session", "y")
    assert [one["slug"] for one in whole["findings"]] == ["not-begun"]


def test_words_that_a_format_cannot_hold_are_named(root):
    whole = save(root, "--tests", "41 pass", "--as", "skill", "--name", "shop", "--no-draft")
    assert "not-held" in [one["slug"] for one in whole["findings"]]


def test_a_secret_is_written_as_given_and_said_to_be_one(root):
    secret = "ghp_" + "a1B2" * 9
    whole = save(root, f"The token is {secret}", "--no-draft")
    assert "secret" in [one["slug"] for one in whole["findings"]]


def test_a_long_summary_is_advised_against_and_saved(root):
    whole = save(root, "long " * 300, "--no-draft")
    assert [one["level"] for one in whole["findings"] if one["slug"] == "long-summary"] == [
        "advice"
    ]
    assert whole["data"]["changed"]


@pytest.mark.req("B.trigger.decision")
def test_noting_a_decision_updates_the_thread_that_the_session_is_on(root):
    first = data(root, "One", "--no-draft")["id"]
    other = data(root, "Two", "--no-draft", session=OTHER, now=LATER)
    data(root, "--decision", "Only here", "--no-draft", now=LATER)
    assert "Only here" in text_of(root, f".checkpoints/threads/{first}/CHECKPOINT.md")
    assert other["id"] == first or "Only here" not in text_of(root, other["saved"])


def test_a_broken_document_is_refused_with_its_line_and_stays(root):
    told = data(root, "One", "--no-draft")
    broken = text_of(root, told["saved"]) + "<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> b\n"
    put(root, told["saved"], broken)
    whole = save(root, "Two", "--no-draft", code=7)
    assert whole["error"]["line"]
    assert text_of(root, told["saved"]) == broken


def resumed(root, thread, session=OTHER):
    done = run("resume", thread, "--session", session, "--json", "--now", NOW, cwd=root)
    assert done.returncode == 0, done.stderr


def test_steps_that_a_session_was_shown_and_leaves_out_are_gone(root):
    thread = data(root, "--next", "one", "--next", "two", "--no-draft")["id"]
    resumed(root, thread)
    told = data(root, "--next", "two", "--no-draft", session=OTHER, now=LATER)
    assert (told["id"], told["next"], told["dropped"]) == (thread, ["two"], ["one"])


def test_steps_that_did_not_fit_into_the_brief_are_not_left_out_by_a_save(root):
    many = [word for n in range(60) for word in ("--next", f"step {n} {'x' * 180}")]
    thread = data(root, *many, "--no-draft")["id"]
    resumed(root, thread)
    told = data(root, "--next", "only this", "--no-draft", session=OTHER, now=LATER)
    assert told["dropped"] == []
    assert len(told["next"]) == 61


@pytest.mark.req("E.thread.span")
def test_another_session_with_another_id_continues_the_same_thread(root):
    thread = data(root, "One", "--next", "go on", "--no-draft")["id"]
    resumed(root, thread)
    told = data(root, "Two", "--no-draft", session=OTHER, now=LATER)
    assert (told["id"], told["number"]) == (thread, 2)


@pytest.mark.req("E.env.local-files")
def test_on_this_machine_alone_a_save_touches_its_own_files_and_says_so(root, home):
    thread = data(root, "One", "--no-draft")["id"]
    before = snapshot(root)
    told = data(root, "Two", "--no-draft", now=LATER)
    after = snapshot(root)
    changed = {path for path in after if after[path] != before.get(path)}
    assert changed == {f".checkpoints/threads/{thread}/CHECKPOINT.md"}
    assert told["env"] == "local"
    assert len(pending(home)) == 1


def test_a_session_that_only_its_clients_variable_names_keeps_its_thread_without_hooks(
    root, tmp_path
):
    """No hook ever told of it, so that there is no folder of sessions: an agent with MCP alone."""
    thread = data(root, "One", "--no-draft")["id"]
    fresh = {"CLAUDE_CODE_SESSION_ID": "cccccccc-3333", "LEFTOFF_STATE": str(tmp_path / "fresh")}
    assert (
        run("thread", "enable", "--new", "Another", "--now", NOW, cwd=root).returncode == 0
    )  # current
    run("resume", thread, "--now", NOW, cwd=root, env=fresh)
    done = run("save", "Three", "--no-draft", "--json", "--now", NOW, cwd=root, env=fresh)
    assert json.loads(done.stdout)["data"]["id"] == thread


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("a.py", "services/pay/a.py"),
        ("a.py (new)", "services/pay/a.py (new)"),
        ("../web/b.py", "services/web/b.py"),
        ("app.py", "app.py"),  # named from the project's folder, and there is none of the name here
        ("{root}/services/web/b.py", "services/web/b.py"),
        ("gone.py", "gone.py"),
        ("../../../outside.py", "../../../outside.py"),
        ("..", "services"),
        ("../..", "../.."),
    ],
)
def test_a_file_that_was_named_from_a_folder_below_is_found_again(root, given, kept):
    here = os.path.join(root, "services", "pay")
    for path in ("services/pay/a.py", "services/web/b.py"):
        put(root, path, "")
    save(here, "Half", "--file", given.format(root=root), "--no-draft")
    (document,) = (one["text"] for one in shown(root, "Half")["documents"] if "# " in one["text"])
    assert f"| {kept} |" in document


def test_a_file_is_kept_as_it_was_named_from_outside_of_the_project(root, tmp_path):
    words = ("Half", "--file", "app.py", "--project", root, "--no-draft", "--now", NOW)
    assert run("save", *words, cwd=tmp_path).returncode == 0
    assert "| app.py |" in shown(root, "Half")["documents"][0]["text"]


@pytest.mark.parametrize("asked", ["Who pays?", "谁来付款？"])
def test_a_question_that_waits_ends_once(root, asked):
    words = ("--next", "One", "--next", "Two", "--blocker", asked, "--needs-decision", "--no-draft")
    save(root, "Half", *words, session="")
    shown = run("resume", "Half", "--now", NOW, cwd=root).stderr
    assert f'"{asked}" Continue from here' in shown
    shown = run("done", "Half", "--now", NOW, cwd=root).stdout
    assert shown.endswith(f"{asked[:-1]}.\n")


def test_a_person_hears_that_a_live_session_works_on_the_thread(root):
    save(root, "Half of it", "--next", "One", "--no-draft")
    told = save(root, "A thought", "--next", "Two", session="")
    (shared,) = (one for one in told["findings"] if one["slug"] == "shared-thread")
    assert (SESSION in shared["text"], shared["level"]) == (True, "warning")
    assert run("thread", "enable", "--new", "Mine", "--now", NOW, cwd=root).returncode == 0
    told = save(root, "A thought", "--next", "Two", session="")
    assert [one["slug"] for one in told["findings"]] == ["no-session"]
