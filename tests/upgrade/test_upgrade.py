"""What an earlier version left on disk opens in this one; what a later one wrote is let be."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3

import pytest

from hooks import Client, payload, unhurried
from leftoff.world import archive_upkeep, evidence, setup_ledger, taken_work, team_state, trust
from leftoff.world.files import read_bytes
from leftoff.world.place import find_place
from leftoff.world.state import place_key
from projects import NOW, put_thread
from support import run

HERE = os.path.dirname(os.path.abspath(__file__))
VERSIONS = sorted(name for name in os.listdir(HERE) if name[0].isdigit())
SESSION = "0a0b0c0d-0000-4000-8000-000000000001"
AGENT = "claude-code"
SKILL = {
    "protocol_version": "1.0",
    "skill": "api",
    "project": "p",
    "project_dir": "/p",
    "created_at": "2026-05-01T09:00:00Z",
    "updated_at": "2026-05-01T09:00:00Z",
    "phase": "build",
    "step": "one",
    "status": "in_progress",
    "progress_summary": "Half.",
    "next_actions": ["Ship it"],
}


@pytest.fixture(params=VERSIONS)
def root(request, tmp_path):
    """A project and its state as that version left them, in places of this machine."""
    root = os.fspath(tmp_path / "project")
    known = {"{HOME}": os.environ["HOME"], "{ROOT}": root, "{KEY}": place_key(root)}
    known["{IGNORE}"] = ".gitignore"
    for name, target in (("project", root), ("state", state())):
        _lay(os.path.join(HERE, request.param, name), target, known)
    os.mkdir(os.path.join(root, ".git"))
    _rename_grants()
    return root


def state():
    return os.environ["LEFTOFF_STATE"]


def _lay(source, target, known):
    for place, _, names in os.walk(source):
        for name in names:
            path = os.path.join(place, name)
            data = read_bytes(path)
            where = os.path.join(target, os.path.relpath(path, source))
            for stands, real in known.items():
                where = where.replace(stands, real)
                data = (
                    data if name.endswith(".zst") else data.replace(stands.encode(), real.encode())
                )
            os.makedirs(os.path.dirname(where), mode=0o700, exist_ok=True)
            with open(os.open(where, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
                file.write(data)


def _rename_grants():
    """A grant is called by a digest of what it is for, which names the project's folder."""
    folder = os.path.join(state(), "trust")
    for name in os.listdir(folder):
        said = json.loads(read_bytes(os.path.join(folder, name)))
        subject = trust.Subject(*(said[field] for field in trust.Subject._fields))
        os.rename(os.path.join(folder, name), trust.file_of(state(), subject))


def thread(root):
    return read_bytes(os.path.join(root, ".checkpoints", "current")).decode().strip()


def told(root, *words):
    done = run(*words, "--json", "--now", NOW, cwd=root)
    assert done.returncode in {0, 1}, done.stderr
    return json.loads(done.stdout)["data"]


def whole(folder):
    return {
        os.path.join(place, name): read_bytes(os.path.join(place, name))
        for place, _, names in os.walk(folder)
        for name in names
    }


def test_there_is_a_state_of_every_kind(root):
    kept = {os.path.relpath(path, state()).partition("/")[0] for path in whole(state())}
    assert kept >= {"archive", "claims", "evidence", "key", "pending", "saves", "sessions"}
    assert kept >= {"setup", "team", "trust"}


def test_its_documents_and_its_session_are_shown_and_unchanged(root):
    before = whole(root)
    shown = run("status", "--now", NOW, cwd=root)
    assert shown.returncode == 0, shown.stderr
    assert "The timer is found" in run("resume", thread(root), "--now", NOW, cwd=root).stdout
    assert [one["id"] for one in told(root, "session", "list", "--all")["sessions"]] == [SESSION]
    assert run("doctor", cwd=root).returncode in {0, 1}
    assert whole(root) == before


def test_a_save_goes_on_where_it_stopped(root):
    done = run("save", "And now the docs", "--session", SESSION, "--now", NOW, cwd=root)
    assert done.returncode == 0, done.stderr
    text = run("resume", thread(root), "--now", NOW, cwd=root).stdout
    assert "And now the docs" in text
    assert "Write the docs" in text


def test_the_next_event_of_its_session_is_journaled(root):
    client: Client = unhurried(state())
    before = len(client.lines(SESSION))
    given = payload(session_id=SESSION, cwd=root, prompt_id="p-later")
    assert client.fire("prompt", given).code == 0
    assert [line["key"] for line in client.lines(SESSION)][before:] == ["p-later"]


def test_its_archived_copy_is_read_to_the_byte(root):
    assert archive_upkeep.broken(state()) == []
    said = run("session", "export", SESSION, "--format", "md", "--now", NOW, cwd=root)
    assert said.returncode == 0, said.stderr
    assert "Done." in said.stdout


def test_its_trust_claims_evidence_and_shares_still_hold(root):
    place = find_place(root, "")
    names = trust.identities(place, os.environ)
    assert trust.is_trusted_in(state(), names, "done_when", "true")
    ((proof,),) = [each.values() for each in evidence.recorded(state(), place).values()]
    assert [one.host for one in taken_work.taken(state(), place)] == ["host"]
    assert (proof.command, proof.exit_code) == ("true", 0)
    (project,) = json.loads(read_bytes(os.path.join(state(), "team", "share.json")))
    assert team_state.shares(state(), project).project.level == "documents"


def test_uninstall_takes_back_what_its_setup_did(root):
    assert [one.agent for one in setup_ledger.entries(state())] == [AGENT]
    assert run("uninstall", "--now", NOW, cwd=root).returncode == 0
    assert setup_ledger.entries(state()) == []


# A later version


def test_a_ledger_of_a_later_version_is_refused_and_stays(root):
    path = os.path.join(state(), "setup", "ledger.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"v": 2, "entries": [{"what": "nobody knows yet"}]}\n')
    before = read_bytes(path)
    for words in (["setup", "--yes", "--agent", AGENT], ["uninstall"]):
        done = run(*words, cwd=root)
        assert done.returncode in {1, 7}, words
        assert "a newer leftoff made it" in done.stdout + done.stderr
    assert read_bytes(path) == before


def test_an_index_of_a_later_version_is_not_taken_away(root):
    assert run("search", "timer", cwd=root).returncode == 0
    path = os.path.join(state(), "index.db")
    with sqlite3.connect(path) as db:
        db.execute("pragma user_version = 99")
    db.close()
    before = read_bytes(path)
    done = run("search", "timer", cwd=root)
    assert done.returncode == 0
    assert "timer" in done.stdout
    assert read_bytes(path) == before


def test_what_was_left_for_hooks_by_a_later_version_is_left_anew(root):
    path = os.path.join(state(), "sessions", AGENT, f"{SESSION}.now")
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"v": 99, "watch": 7, "run": {"a": []}}\n')
    client = unhurried(state())
    assert client.fire("prompt", payload(session_id=SESSION, cwd=root, prompt_id="p-9")).code == 0
    assert json.loads(read_bytes(path))["v"] == 1
    assert client.log() == ""


def test_lines_and_fields_of_a_later_version_are_kept_and_change_nothing(root):
    journal = os.path.join(state(), "sessions", AGENT, f"{SESSION}.jsonl")
    with open(journal, "a", encoding="utf-8") as file:
        file.write(
            '{"at": 1794916760, "event": "from the future", "key": "", "by": "1.1", "x": []}\n'
        )
    note = os.path.join(state(), "archive", AGENT, f"{SESSION}.json")
    said = json.loads(read_bytes(note)) | {"of_the_future": {"a": 1}}
    with open(note, "w", encoding="utf-8") as file:
        json.dump(said, file)
    before = read_bytes(journal)
    assert [one["id"] for one in told(root, "session", "list", "--all")["sessions"]] == [SESSION]
    assert run("session", "export", SESSION, cwd=root).returncode == 0
    assert read_bytes(journal).startswith(before)
    assert json.loads(read_bytes(note))["of_the_future"] == {"a": 1}


def test_caches_of_another_version_are_made_anew_in_silence(root):
    assert run("status", "--now", NOW, cwd=root).returncode == 0
    folder = os.path.join(state(), "cache")
    kept = [os.path.join(folder, one) for one in os.listdir(folder) if one.endswith(".bin")]
    good = {path: read_bytes(path) for path in kept}
    assert any(data.startswith(b"leftoff ") for data in good.values())
    for path, data in good.items():
        with open(path, "wb") as file:
            file.write(data.replace(b"leftoff ", b"leftoff 9", 1))
    before = run("status", "--now", NOW, cwd=root)
    assert (before.returncode, before.stderr) == (0, "")
    for path, data in good.items():
        assert read_bytes(path).partition(b"\n")[0] == data.partition(b"\n")[0]
    shutil.rmtree(folder)
    assert run("status", "--now", NOW, cwd=root).stdout == before.stdout


@pytest.mark.parametrize("text", ["[]", "7", "[" * 5000, "{"])
def test_choices_that_cannot_be_read_share_nothing_and_stay(root, text):
    path = os.path.join(state(), "team", "share.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    for words in (["share"], ["share", "text"], ["push"]):
        done = run("team", *words, cwd=root)
        assert done.returncode in range(1, 8), done.stdout
    assert read_bytes(path).decode() == text
    assert "share-unknown" in _doctor(root)


@pytest.mark.parametrize("chosen", [[], 7, "text", {"project": []}, {"project": {"level": "loud"}}])
def test_a_choice_of_a_later_version_shares_nothing(root, chosen):
    _chosen_later(root, chosen)
    done = run("team", "share", cwd=root)
    assert done.stdout.startswith("off"), done
    assert "share-unknown" in _doctor(root)


def test_a_choice_of_a_later_version_is_told_and_stays_what_it_is(root):
    later = {
        "project": {"level": "text", "visibility": "team", "until": "2027"},
        "threads": {"a": {"level": "summaries"}, "b": {"level": "off", "why": "mine"}},
        "audience": ["x"],
    }
    path = _chosen_later(root, later)
    (project,) = json.loads(read_bytes(path))
    told = json.loads(run("team", "share", "--json", cwd=root).stdout)["findings"]
    assert [one["slug"] for one in told] == ["share-unknown"]
    thread = os.path.basename(os.path.dirname(put_thread(root)))
    assert run("team", "share", "figures", "--thread", thread, cwd=root).returncode == 0
    made = json.loads(read_bytes(path))[project]
    assert made.pop("withdraw") == [thread]
    assert made["threads"].pop(thread) == {"level": "figures", "visibility": "team"}
    assert made == later
    assert run("team", "share", "off", cwd=root).returncode == 0
    made = json.loads(read_bytes(path))[project]
    assert made["project"] == {"level": "off", "visibility": "team"}
    assert made["threads"]["a"] == later["threads"]["a"]
    assert "share-unknown" in _doctor(root)


def test_what_was_shared_by_a_choice_that_nobody_knows_may_have_to_be_taken_back(root):
    _chosen_later(root, {"project": {"level": "summaries"}})
    done = run("team", "share", "figures", "--json", cwd=root)
    assert json.loads(done.stdout)["data"]["withdraw"] == [""]
    assert "share-unknown" not in _doctor(root)


def test_choices_for_threads_in_another_form_share_nothing_and_stay(root):
    path = _chosen_later(root, {"project": {"level": "text"}, "threads": [["a", "off"]]})
    before = read_bytes(path)
    done = run("team", "share", "--json", cwd=root)
    assert json.loads(done.stdout)["data"]["share"]["level"] == "off"
    assert run("team", "share", "text", cwd=root).returncode == 1
    assert read_bytes(path) == before
    assert "share-unknown" in _doctor(root)


def _chosen_later(root, chosen) -> str:
    path = os.path.join(state(), "team", "share.json")
    os.remove(path)
    assert run("team", "share", "documents", cwd=root).returncode == 0
    names = json.loads(read_bytes(path))
    with open(path, "w", encoding="utf-8") as file:
        json.dump(dict.fromkeys(names, chosen), file)
    return path


def _doctor(root) -> str:
    found = json.loads(run("doctor", "--json", "--now", NOW, cwd=root).stdout)["findings"]
    return " ".join(one["slug"] for one in found)


@pytest.mark.parametrize("version", ["1.2", "1.10", "2.0", "10.0", "1.1.1"])
def test_a_document_of_a_later_version_is_read_and_never_written(tmp_path, version):
    path = tmp_path / ".checkpoints" / "api.checkpoint.json"
    path.parent.mkdir()
    later = {"protocol_version": version, "what_comes_later": [1], "skill_state": {"runs": [1]}}
    skill = {**SKILL, **later}
    path.write_text(json.dumps(skill), encoding="utf-8")
    before = path.read_bytes()
    assert "Ship it" in run("status", cwd=tmp_path).stdout
    for words in (
        ("update", "api", "--step=other"),
        ("update", "api", "--protocol_version=1.1"),
        ("done", "api", "--complete"),
        ("prune", "api", "--rotate", "runs"),
        ("save", "--as", "skill", "--name", "api", "A note"),
    ):
        told = run(*words, "--json", cwd=tmp_path)
        assert json.loads(told.stdout)["error"]["kind"] == "other-version", (words, told)
    assert path.read_bytes() == before
    assert [*path.parent.iterdir()] == [path]


@pytest.mark.parametrize("version", ["1", "0.9", "1.x", "", 2, None])
def test_a_version_that_is_no_later_one_can_be_set_right(tmp_path, version):
    path = tmp_path / ".checkpoints" / "api.checkpoint.json"
    path.parent.mkdir()
    path.write_text(json.dumps({**SKILL, "protocol_version": version}), encoding="utf-8")
    assert run("update", "api", "--protocol_version=1.0", cwd=tmp_path).returncode == 0
    assert json.loads(path.read_text(encoding="utf-8"))["protocol_version"] == "1.0"
