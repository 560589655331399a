"""Every answer with --json is what its schema in docs/schemas says, key by key, in every mode."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

import schemas
from histories import HOUR, ident
from leftoff import commands
from leftoff.entry.verbs import ON_THEIR_OWN
from projects import NOW, TASK, put, put_all, put_markdown, put_skill, put_thread, skill
from support import git, module_at, repo, run
from unsaved import killed

THREAD = "thread-1a2b3c4d"
MEMORY = ".workflow_artifacts/memory"
LOST = f"{MEMORY}/checkpoints/2026-08-07-lost.md"
SESSION = {"LEFTOFF_SESSION": f"claude-code/{ident(1)}"}
NOT_COMMANDS = {"conversation", "error", "help", "version"}
WITH_A_DATABASE = {"init, migrate", "push", "pull", "take", "list --team"}
"""tests/postgres runs these, and `support.run` compares every answer that any test gets."""


def documents(root: str) -> None:
    put_all(root)
    put_markdown(root, "chk-fork", parent="parent: chk-auth\n")
    put_skill(root, "oc-two", blockers=[{"id": "b1", "description": "Which?", "needs": "code_fix"}])
    put(root, ".checkpoints/oc-bad.checkpoint.json", '{"a" 1}')
    put(root, "base", skill())
    put(root, "ours", skill(step="one"))
    put(root, "theirs", skill(step="two"))
    git("add", ".", cwd=root)
    git("commit", "--quiet", "-m", "Documents", cwd=root)


def two_alike(root: str) -> None:
    put_skill(root, "oc-one")
    put_skill(root, "oc-two")


def worked(root: str) -> None:
    """Two sessions that died, and nobody saved; the thread has one of them."""
    put_thread(root)
    known = [{"seq": 1, "id": f"claude-code/{ident(2)}", "name": "Login", "active": False}]
    meta = {"threadId": THREAD, "sessions": known}
    put(root, f".checkpoints/threads/{THREAD}/thread.json", json.dumps(meta))
    put(root, ".checkpoints/current", f"{THREAD}\n")
    killed(1, root)
    killed(2, root, ago=5 * HOUR)


def left_behind(root: str) -> None:
    for n, task in ((1, "auth-fix"), (2, "docs")):
        path = f"{MEMORY}/checkpoints/2026-08-07-{task}.md"
        put(root, path, TASK.replace("auth-fix", task))
        put(root, f"{MEMORY}/pending-restore-s-{n}.txt", f"{path}\n")
    put(root, f"{MEMORY}/pending-prompt-{ident(1)}.txt", "Fix the login")


def corrupt(root: str) -> None:
    put(root, LOST, "no heading at all")
    put(root, f"{MEMORY}/pending-restore-s-1.txt", f"{LOST}\n")


def one_broken(root: str) -> None:
    put(root, ".checkpoints/oc-demo.checkpoint.json", '{"a" 1}')


STORY = {
    documents: """
        status | status oc-demo | status --brief | status --since 2d | status --everywhere
        list | list --files | list --pm | show | show oc-demo | show oc-demo --as-reader oc-deploy
        next | next --all --explain | next --claim | validate | validate --strict oc-demo
        doctor | doctor --fix | doctor --settings | tree | tree --compare chk-auth chk-fork | trust
        handoff oc-demo | resume oc-demo | resume chk-auth --raw
        resume chk-auth --budget 100 | learnings | current | current chk-auth
        delta chk-auth --what Timer --artifact src/a.py:modified:timer
        fork chk-auth chk-app --intent Apps --dry-run | fork chk-auth chk-app --intent Apps
        convert chk-auth --to skill --id oc-new --dry-run | index | index --check | index --rebuild
        init --dry-run | init | init chk-x --problem P --dry-run | init chk-x --problem P
        prune chk-auth --dry-run | reset oc-two | reset oc-two --undo | resume oc-two --restart
        update oc-new --phase=x --next_actions:json=[{"text":"A","done_when":"true"},"B"]
        done oc-new --verify | done oc-new | done oc-new --complete
        update oc-bad-check --phase=x --next_actions:json=[{"text":"A","done_when":"false"},"B"]
        done oc-bad-check --verify | done thread-1a2b3c4d
        archive chk-auth --outcome Done --learned More --force | learnings
        merge-driver base ours theirs .checkpoints/oc-demo.checkpoint.json
        search timer | search --decisions rs256 | save Words --next Mail | save --as task Words
        dispatch --model claude-opus-4-5 --prompt /checkpoint | dispatch --model haiku --prompt x
        skill route /checkpoint | skill docs save | setup --dry-run | uninstall --dry-run
        team share documents | team status
        thread list | thread status | thread enable | thread enable --new Two | thread auto-on
        thread threshold 80 | thread max-steps 5 | thread continue on
        thread continue off --question Which? | thread switch thread-1a2b3c4d --no-save
        budget | compact | bench-resume | help | --version | show nobody
        """,
    two_alike: "handoff | resume",
    one_broken: "handoff oc-demo | status | list",
    worked: """
        status | session list | session list --all | session info | session stats
        session stats --all --by day | session stats --all --by everything
        session reconcile --dry-run | session export
        session export 00000001 --from 0 --limit 2
        session export 00000001 | session export 00000001 --format json | session note -m Signed
        session keep 00000001 --as md --name chk-kept | session archive | prune --archive --dry-run
        budget --forecast 5 | compact | recover --list | recover --dry-run 00000001
        recover 00000002 --as md | search login | status --everywhere
        thread archive 1 | archive --session #1 | handoff
        session archive 00000002 --bring-back | session forget 00000002
        """,
    left_behind: "resume --list | resume | resume --replay all | resume --pick 1 --reads y",
    corrupt: "resume",
}


@pytest.fixture(scope="module")
def maker() -> Any:
    return module_at("docs", "_schemas.py")


STORE = {"LEFTOFF_TEAM_URL": "postgresql://ann@127.0.0.1:1/team?connect_timeout=1"}


def told(root: str, line: str, env: dict[str, str]) -> Any:
    now = () if line == "--version" else ("--now", NOW)
    return json.loads(run(*line.split(), "--json", *now, cwd=root, env={**STORE, **env}).stdout)


def modes(answer: Any) -> set[str]:
    """The modes of its command that an answer fits."""
    return {f"{schemas.name_of(answer)}: {mode}" for mode in schemas.modes(answer)}


def test_the_schemas_are_made_from_their_page(maker):
    assert maker.outdated() == {}, "run make docs"


def test_every_command_has_a_schema_and_every_schema_a_command():
    known = {*commands.names(), *NOT_COMMANDS}
    assert known <= schemas.names() <= known | {*ON_THEIR_OWN}


def test_every_command_in_every_mode_answers_as_its_schema_says(tmp_path):
    wrong, seen, fits = [], set(), set()
    for scene, lines in STORY.items():
        root = repo(tmp_path / scene.__name__)
        scene(root)
        env = {} if scene is documents else SESSION
        for line in (one.strip() for row in lines.splitlines() for one in row.split("|")):
            if line:
                answer = told(root, line, env)
                found = [*schemas.faults(answer), *schemas.undocumented(answer)]
                wrong += [f"{line}: {one}" for one in found]
                seen.add(schemas.name_of(answer))
                fits |= modes(answer)
    assert not wrong, "\n".join(wrong)
    assert seen == schemas.names() - {"conversation", *ON_THEIR_OWN}
    missed = {mode for name in seen for mode in schemas.modes_of(name)} - fits
    assert {mode.partition(": ")[2] for mode in missed} == WITH_A_DATABASE


def test_an_exported_conversation_is_as_its_schema_says(tmp_path):
    root = repo(tmp_path)
    killed(1, root)
    said = json.loads(run("session", "export", "00000001", "--format", "json", cwd=root).stdout)
    assert len(said["turns"]) > 3
    assert not [*schemas.faults(said), *schemas.undocumented(said)]


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ({"data": {"path": "a", "created": True, "changed": True}, "findings": []}, "ask"),
        ({"data": {"path": "a", "created": True}, "findings": [], "ask": None}, "changed"),
        ({"data": {"path": 1, "created": True, "changed": True}, "findings": [], "ask": None}, "1"),
    ],
)
def test_an_answer_that_lacks_a_key_or_has_another_type_is_found(answer, fault):
    (found,) = schemas.faults({"schema": "leftoff.update/1", **answer})
    assert fault in found


def test_a_key_that_no_page_has_is_allowed_and_found():
    data = {"path": "a", "created": True, "changed": True, "more": 1}
    answer = {"schema": "leftoff.update/1", "data": data, "findings": [], "ask": None}
    assert not schemas.faults(answer)
    assert list(schemas.undocumented(answer)) == [".data.more"]


def test_an_answer_without_a_schema_is_found():
    assert "describe it" in schemas.faults({"schema": "leftoff.unheard-of/1"})[0]


def test_the_schemas_are_schemas():
    for name in os.listdir(schemas.FOLDER):
        if name.endswith(".json"):
            schemas.check(name)
