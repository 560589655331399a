"""session archive, forget; prune --archive: history that survives the client."""

from __future__ import annotations

import hashlib
import json
import os

import pytest

import canaries
from histories import DAY, HOUR, Talk, aged, ident, journal, started, state
from leftoff.world import archive, archive_copy, archive_tombstones, forking, search_reader
from projects import NOW as NOW_TEXT
from projects import put
from support import run
from test_imports import probe, third_party
from unsaved import killed, work

SECRET = "ghp_" + "a1B2c3D4e5" * 4
ONE, TWO = ident(1), ident(2)


def told(root, *words, code=0):
    done = run(*words, "--now", NOW_TEXT, cwd=root)
    assert done.returncode == code, done.stderr
    return done


def session(root, *words, code=0):
    return told(root, "session", *words, code=code)


def answer(root, *words, code=0):
    return json.loads(told(root, *words, "--json", code=code).stdout)


def data(root, *words):
    return answer(root, *words)["data"]


def talk(n: int, root: str, ago: float = HOUR) -> str:
    """A short session; the path of its transcript."""
    return aged(work(n, root, ago).save(), ago)


def archived() -> set[str]:
    return {note.session for note in archive.sessions(state())}


def read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def configured(text: str) -> None:
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "leftoff")
    os.makedirs(folder)
    with open(os.path.join(folder, "config.toml"), "w", encoding="utf-8") as file:
        file.write(text)


def archived_and_gone(root: str) -> str:
    """A session with a copy; the path of its transcript, for the client to delete."""
    path = aged(Talk(1, root).ask(HOUR, "Plant the marigold").answer(HOUR, "Done.").save(), HOUR)
    session(root, "archive")
    return path


# Copying


def test_the_sessions_of_this_project_are_copied_and_with_all_those_of_every_one(root, tmp_path):
    talk(1, root)
    talk(2, str(tmp_path / "elsewhere"))
    copied = data(root, "session", "archive")
    assert [one["id"] for one in copied["copied"]] == [ONE]
    assert archived() == {ONE}
    assert copied["archive"]["sessions"] == 1
    assert copied["archive"]["size"] == sum(note.stored for note in archive.sessions(state()))
    assert "Nothing new" in session(root, "archive").stdout
    assert "1 new" in session(root, "archive", "--all").stdout
    assert archived() == {ONE, TWO}


def test_one_session_is_copied_by_the_start_of_its_id(root):
    talk(1, root)
    talk(2, root)
    session(root, "archive", TWO[:8])
    assert archived() == {TWO}
    assert "cannot be used together" in session(root, "archive", ONE, "--all", code=2).stderr


def test_a_transcript_that_only_its_journal_knows_is_copied_and_one_that_is_gone_named(
    root, tmp_path
):
    path = talk(1, root)
    away = str(tmp_path / f"{ONE}.jsonl")
    os.rename(path, away)
    journal(1, started(HOUR, root, transcript=away))
    session(root, "archive", ONE)
    (note,) = archive.sessions(state())
    assert (note.origin, note.below, note.folder) == (away, "", root)
    os.remove(away)
    assert "the archive has a copy" in session(root, "archive", ONE, code=3).stderr
    session(root, "archive", ONE, "--bring-back")
    assert os.path.exists(away)


def test_what_claude_code_will_soon_delete_can_be_saved_by_one_word(root, tmp_path):
    talk(1, root, 25 * DAY)
    talk(2, str(tmp_path / "elsewhere"), 28 * DAY)
    talk(3, root, 2 * DAY)
    assert data(root, "status")["expiring"]
    assert "transcripts-expire" in {one["slug"] for one in answer(root, "doctor")["findings"]}
    session(root, "archive", "--expiring")
    assert archived() == {ONE, TWO}
    assert not data(root, "status")["expiring"], "what is kept may be deleted"
    assert "transcripts-expire" not in {one["slug"] for one in answer(root, "doctor")["findings"]}


def test_only_an_archive_command_archives(root):
    killed(1, root)
    for words in (("list",), ("stats",), ("info",), ("reconcile",)):
        session(root, *words)
    told(root, "status")
    told(root, "doctor")
    assert not os.path.exists(archive.folder(state()))


def test_what_cannot_be_read_is_told_of_and_the_rest_is_copied(root):
    path = talk(1, root)
    talk(2, root)
    os.remove(path)
    os.mkfifo(path)
    os.symlink("/nowhere", path + "x.jsonl")
    session(root, "archive", "--all")
    assert archived() == {TWO}


def test_what_redaction_left_out_is_said(root, monkeypatch):
    talk(1, root)

    def fails(*_):
        raise ValueError("no")

    monkeypatch.setattr("leftoff.world.archive_copy.cleaned", fails)
    found = answer(root, "session", "archive")["findings"]
    assert [one["slug"] for one in found] == ["withheld"]


# Bringing back


def test_a_transcript_that_its_client_deleted_comes_back_with_a_time_of_now(root):
    path = talk(1, root, 25 * DAY)
    before = read(path)
    session(root, "archive")
    os.remove(path)
    done = session(root, "archive", ONE[:8], "--bring-back")
    assert f"claude --resume {ONE}" in done.stdout
    assert read(path) == before
    assert os.stat(path).st_mtime >= os.stat(root).st_mtime  # which was made for this test
    assert os.stat(path).st_mode & 0o777 == 0o600


def test_what_came_back_is_followed_from_there_though_redaction_changed_it(root):
    path = aged(Talk(1, root).ask(HOUR, f"use {SECRET}").answer(HOUR, "Yes.").save(), DAY)
    session(root, "archive")
    os.remove(path)
    session(root, "archive", ONE, "--bring-back")
    assert "Nothing new" in session(root, "archive").stdout
    more = Talk(1, root).ask(1, "more").lines[0] + "\n"
    with open(path, "a", encoding="utf-8") as file:
        file.write(more)
    assert "1 grown" in session(root, "archive").stdout
    (note,) = archive.sessions(state())
    assert b"".join(line + b"\n" for line in archive.lines(note)) == read(path)


def test_nothing_that_is_there_is_written_over(root):
    path = talk(1, root)
    session(root, "archive")
    with open(path, "w", encoding="utf-8") as file:
        file.write("other\n")
    done = session(root, "archive", ONE, "--bring-back")
    assert "left as it is" in done.stderr
    assert read(path) == b"other\n"


def test_subagents_and_images_come_back_too_and_into_the_home_of_now(root, tmp_path):
    import base64

    image = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20).decode()
    path = talk(1, root)
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps({"type": "user", "image": image}) + "\n")
    below = os.path.join(path.removesuffix(".jsonl"), "subagents", "agent-1.jsonl")
    os.makedirs(os.path.dirname(below))
    with open(below, "w", encoding="utf-8") as file:
        file.write('{"type":"user","agentId":"1"}\n')
    before = {one: read(one) for one in (path, below)}
    session(root, "archive")
    home = os.path.join(os.environ["HOME"], ".claude")
    os.rename(home, home + "-old")
    other = str(tmp_path / "claude")
    env = {"CLAUDE_CONFIG_DIR": other}
    done = run("session", "archive", ONE, "--bring-back", cwd=root, env=env)
    assert done.returncode == 0, done.stderr
    for one, kept in before.items():
        assert read(one.replace(home, other)) == kept


def test_what_the_archive_does_not_have_cannot_come_back(root):
    talk(1, root)
    assert "no copy" in session(root, "archive", ONE, "--bring-back", code=3).stderr
    assert "needs the ID" in session(root, "archive", "--bring-back", code=2).stderr
    done = session(root, "archive", "opencode/ses_1", "--bring-back", code=2)
    assert "database" in done.stderr


def test_a_copy_of_a_client_that_nobody_knows_here_stops_no_list_and_comes_back(root):
    """Another leftoff made it, with an adapter that is not here: what can be done is done."""
    path = archived_and_gone(root)
    os.remove(path)
    base = os.path.join(state(), "archive")
    os.rename(os.path.join(base, "claude-code"), os.path.join(base, "parrot"))
    (note,) = archive.sessions(state())
    archive_copy.save(note._replace(agent="parrot"))
    for words in (["session", "list", "--all"], ["session", "stats"], ["status", "--everywhere"]):
        assert 'leftoff knows no client "parrot"' in answer(root, *words)["findings"][0]["text"]
    back = data(root, "session", "archive", f"parrot/{ONE}", "--bring-back")
    assert (back["back"], back["resume"]) == ([{"path": path, "new": True}], None)


# Without the original


def gone(root: str, n: int = 1, ago: float = 2 * HOUR) -> None:
    """A session of which only the archive is left; no journal tells of it."""
    path = talk(n, root, ago)
    session(root, "archive", ident(n))
    os.remove(path)


def test_a_session_is_listed_with_its_figures_when_its_transcript_is_gone(root):
    path = talk(1, root)
    before = data(root, "session", "list", "--all")["sessions"]
    session(root, "archive")
    os.remove(path)
    after = data(root, "session", "list", "--all")["sessions"]
    for old, new in zip(before, after, strict=True):
        assert new["transcript"].endswith(".jsonl.zst")
        assert {**old, "transcript": ""} == {**new, "transcript": ""}
    assert data(root, "session", "stats", ONE)["session"]["id"] == ONE
    assert data(root, "session", "info", ONE)["session"]["resume"] in ("", None)


def test_a_part_of_the_list_knows_those_that_only_the_archive_has(root):
    gone(root)
    talk(2, root)
    words = ("session", "list", "--all")
    whole, part = data(root, *words), data(root, *words, "--limit", "5")
    assert part == whole
    assert part["total"] == 2
    session(root, "archive")
    assert data(root, *words, "--from", "1", "--limit", "5")["sessions"] == whole["sessions"][1:]


def test_recover_drafts_from_the_archive(root):
    gone(root)
    found = data(root, "recover", ONE, "--dry-run")["found"]
    assert found["failed"] == ["pytest -q tests/login"]
    assert found["intent"].startswith("Move the login to the new service")


def test_compact_reads_the_archive(root):
    gone(root)
    made = data(root, "compact", "--session", ONE)
    assert made["turns"] > 3
    assert "Move the login" in made["text"]


def test_a_hook_reads_no_copy_and_an_everyday_verb_loads_no_compression(root):
    gone(root)
    from leftoff.world import conversation

    where = conversation.where("claude-code", ONE, os.environ)
    assert where.endswith(".jsonl.zst")
    assert conversation.listened("claude-code", where, list, last=1 << 20)[0] == []
    assert conversation.listened("claude-code", where, list)[0]


def test_status_and_doctor_say_what_the_archive_takes(root):
    assert "Archive" not in told(root, "status").stdout
    gone(root)
    put(root, ".checkpoints/.keep", "")
    assert "Archive: 1 session, " in told(root, "status").stdout
    assert data(root, "status")["archive"]["sessions"] == 1
    os.remove(os.path.join(archive.folder(state()), "totals"))
    assert data(root, "status")["archive"]["sessions"] == 1
    found = {one["slug"]: one for one in answer(root, "doctor")["findings"]}
    assert "sessions in it: 1, " in found["archive"]["text"]
    assert not third_party(probe(root, "status").loaded)


def test_doctor_names_a_copy_whose_note_is_lost(root):
    gone(root)
    (note,) = archive.sessions(state())
    os.remove(archive.note_path(note.path))
    found = {one["slug"]: one for one in answer(root, "doctor")["findings"]}
    assert found["archive-broken"]["where"] == note.path


def test_a_damaged_copy_is_not_called_missing(root):
    os.remove(archived_and_gone(root))
    (note,) = archive.sessions(state())
    with open(note.path, "r+b") as file:
        file.write(b"no frame of zstd")
    shown = session(root, "stats", ONE)
    assert "its transcript could not be read" in shown.stdout
    assert "the archived copy is damaged" in shown.stderr


# Secrets


@pytest.mark.parametrize("pieces", [1, 4])
def test_no_canary_is_in_anything_that_was_written_shown_or_thrown_away(root, pieces):
    lines = canaries.plant(cwd=root).splitlines(keepends=True)
    folder = os.path.join(os.environ["HOME"], ".claude", "projects", "-repo")
    path = os.path.join(folder, f"{canaries.SESSION}.jsonl")
    os.makedirs(folder)
    for at in range(pieces):
        with open(path, "ab") as file:
            file.writelines(lines[at * len(lines) // pieces : (at + 1) * len(lines) // pieces])
        session(root, "archive")
    assert canaries.leaked(path), "they are there to be found"
    shown = [session(root, "list", "--all", "--json"), told(root, "status", "--json")]
    for kind in ("md", "html", "json"):
        session(root, "export", canaries.SESSION, "--out", f"live.{kind}")
    os.remove(path)
    for kind in ("md", "html", "json"):
        shown.append(session(root, "export", canaries.SESSION, "--format", kind))
        session(root, "export", canaries.SESSION, "--out", f"talk.{kind}")
    session(root, "archive", canaries.SESSION, "--bring-back")
    assert canaries.leaked(state()) == []
    session(root, "forget", canaries.SESSION)
    for place in (state(), root, path):
        assert canaries.leaked(place) == []
    assert canaries.leaked("".join(one.stdout + one.stderr for one in shown).encode()) == []


def cut_short(root: str) -> None:
    """A session that only the archive has, and not all of it."""
    path = archived_and_gone(root)
    with open(path, "a", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in Talk(1, root).ask(1, "Water the rose").lines)
    session(root, "archive")
    os.remove(path)
    (note,) = archive.sessions(state())
    os.truncate(note.path, note.stored - 20)


def test_what_can_be_read_of_a_damaged_copy_is_shown_and_that_it_is_not_all_is_said(root):
    cut_short(root)
    done = session(root, "export", ONE, code=7)
    assert "marigold" in done.stdout
    assert "shorter than its note says" in done.stderr
    session(root, "export", ONE, "--out", "talk.md", code=7)
    assert not os.path.exists(os.path.join(root, "talk.md")), "half of it is not the conversation"
    part = answer(root, "session", "export", ONE, "--limit", "5")
    assert "marigold" in part["data"]["turns"][0]["text"]
    assert [one["slug"] for one in part["findings"]] == ["session-unreadable"]


def damaged_late(root: str) -> None:
    """A session that only the archive has, of which the last bytes are others now."""
    path = archived_and_gone(root)
    said = Talk(1, root)
    for n in range(900):
        said.ask(1, f"Water rose {n} {hashlib.sha256(str(n).encode()).hexdigest() * 3}")
    with open(path, "a", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in said.lines)
    session(root, "archive")
    os.remove(path)
    (note,) = archive.sessions(state())
    with open(note.path, "r+b") as file:
        file.seek(note.stored - 30)
        file.write(b"\0" * 20)


@pytest.mark.parametrize("worth", [0, search_reader.WORTH])
def test_what_stands_before_the_damage_is_found_and_every_search_says_that_it_is_not_all(
    root, worth, monkeypatch
):
    monkeypatch.setattr(search_reader, "WORTH", worth)  # by another process, too
    monkeypatch.setattr(forking, "pays", lambda: True)
    damaged_late(root)
    assert "marigold" in session(root, "export", ONE, code=7).stdout
    for _ in range(2):
        told = answer(root, "search", "rose 7")
        assert [one["slug"] for one in told["findings"]] == ["session-unreadable"]
        assert told["findings"][0]["where"] == f"claude-code/{ONE}"
        assert told["data"]["total"] == 1
    assert answer(root, "search", "rose 899")["data"]["total"] == 0


def test_a_draft_of_a_damaged_copy_says_that_it_is_not_all(root):
    damaged_late(root)
    assert session(root, "export", ONE, code=7)
    run("recover", ONE, cwd=root)
    shown = run("resume", cwd=root).stdout
    assert "Only the beginning of the session could be read: the archived copy is damaged" in shown


def troubles(root, *words) -> list[tuple[str, str]]:
    found = answer(root, "session", "list", "--all", *words)["findings"]
    return [(one["where"], one["text"]) for one in found if one["slug"] == "session-unreadable"]


def test_a_session_whose_copy_is_damaged_is_listed_as_one_that_cannot_be_read(root):
    cut_short(root)
    text = "the archived copy is shorter than its note says"
    assert troubles(root) == [(f"claude-code/{ONE}", text)]
    assert [row["id"] for row in data(root, "session", "list", "--all")["sessions"]] == [ONE]
    found = {one["slug"]: one for one in answer(root, "doctor")["findings"]}
    (note,) = archive.sessions(state())
    assert found["archive-broken"]["where"] == note.path


@pytest.mark.parametrize("journaled", [False, True])
def test_a_session_whose_copy_has_a_broken_note_is_told_of_and_does_not_pass_for_empty(
    root, journaled
):
    path = archived_and_gone(root)
    (note,) = archive.sessions(state())
    if journaled:
        journal(1, started(HOUR, root))
    os.remove(path)
    with open(archive.note_path(note.path), "wb") as file:
        file.write(b'{"agent": 7}')
    told_of = [(f"claude-code/{ONE}", "the note of the archived copy cannot be read")]
    assert troubles(root, "--everywhere") == told_of
    assert troubles(root) == (told_of if journaled else []), "only a journal tells its project"


# Leaving


def in_trash() -> list[str]:
    base = os.path.join(state(), "trash")
    return sorted(name for _, _, names in os.walk(base) for name in names if ".origin" not in name)


def test_a_forgotten_session_leaves_for_the_trash_and_never_comes_back(root):
    path = talk(1, root)
    talk(2, root)
    session(root, "archive")
    done = session(root, "forget", ONE[:8])
    assert "its archived copy (1 file) went to the trash" in done.stdout
    assert archived() == {TWO}
    assert in_trash() == [f"{ONE}.json", f"{ONE}.jsonl.zst"]
    assert os.path.exists(path), "what is the client's is not ours to remove"
    with open(path, "a", encoding="utf-8") as file:
        file.write(Talk(1, root).ask(1, "more").lines[0] + "\n")
    assert "1 left out" in session(root, "archive").stdout
    session(root, "archive", ONE)
    assert archived() == {TWO}
    gone = archive_tombstones.forgotten(state())
    assert (gone.forgotten, gone.pruned) == ({("claude-code", ONE)}, {})


def test_a_tombstone_that_a_full_disk_tore_costs_no_later_one(root):
    talk(1, root)
    os.makedirs(archive.folder(state()))
    with open(os.path.join(archive.folder(state()), archive.TOMBSTONES), "wb") as file:
        file.write(b'{"agent": "claude-code", "sess')
    session(root, "forget", ONE)
    session(root, "archive")
    assert archived() == set()


def test_nothing_is_copied_or_searched_while_nobody_can_read_what_was_forgotten(root):
    talk(1, root)
    session(root, "forget", ONE)
    stones = os.path.join(archive.folder(state()), archive.TOMBSTONES)
    os.rename(stones, f"{stones}.kept")
    os.mkdir(stones)
    assert "tombstones.jsonl" in session(root, "archive", code=7).stderr
    assert "tombstones.jsonl" in told(root, "search", "retry", code=7).stderr
    assert archived() == set()


def test_of_a_forgotten_session_that_only_the_archive_had_no_word_stays_in_the_index(root):
    os.remove(archived_and_gone(root))
    assert data(root, "search", "marigold")["total"] == 1
    index = os.path.join(state(), "index.db")
    assert b"marigold" in read(index)
    session(root, "forget", ONE)
    assert b"marigold" not in read(index)


def test_a_session_that_was_never_copied_can_be_forgotten_ahead(root):
    talk(1, root)
    for _ in range(2):
        assert "the archive has no copy of it" in session(root, "forget", ONE).stdout
    session(root, "archive")
    assert archived() == set()
    assert "needs the ID" in session(root, "forget", code=2).stderr


def test_who_wants_a_forgotten_session_back_is_sent_to_the_trash(root):
    talk(1, root)
    session(root, "archive")
    session(root, "forget", ONE)
    told = session(root, "archive", ONE, "--bring-back", code=3).stderr
    assert f"look in {state()}/trash" in told


def test_prune_says_first_what_is_too_old_and_takes_it_out_then(root):
    configured('[archive]\nkeep = "60d"\n')
    talk(1, root, 61 * DAY)
    talk(2, root, 59 * DAY)
    session(root, "archive")
    plan = data(root, "prune", "--archive", "--dry-run")
    assert [one["id"] for one in plan["sessions"]] == [ONE]
    assert archived() == {ONE, TWO}
    assert ONE in told(root, "prune", "--archive").stdout
    assert archived() == {TWO}
    assert data(root, "prune", "--archive")["sessions"] == []
    session(root, "archive")
    assert archived() == {TWO}, "what was pruned stays out"
    aged(talk(1, root), HOUR)
    session(root, "archive")
    assert archived() == {ONE, TWO}, "until it goes on"


def test_prune_makes_room_with_the_oldest_first(root):
    for n in (1, 2, 3):
        talk(n, root, n * DAY)
    session(root, "archive")
    size = sum(note.stored for note in archive.sessions(state()))
    configured(f'[archive]\nkeep = 0\nmax_size = "{(size - 1) / 1000}KB"\n')
    found = {one["slug"] for one in answer(root, "doctor")["findings"]}
    assert "archive-large" in found
    assert [one["id"] for one in data(root, "prune", "--archive")["sessions"]] == [ident(3)]
    assert archived() == {ONE, TWO}


def test_by_default_a_year_is_kept_and_no_size_is_too_much(root):
    talk(1, root, 364 * DAY)
    session(root, "archive")
    assert "within the limits of the settings" in told(root, "prune", "--archive").stdout
    assert archived() == {ONE}


@pytest.mark.parametrize(
    "text", ['keep = "soon"', "max_size = 5", 'keeps = "1d"', "keep = true", 'max_size = "x GB"']
)
def test_a_setting_that_says_nothing_is_named(root, text):
    configured(f"[archive]\n{text}\n")
    found = {one["slug"]: one for one in answer(root, "doctor", code=1)["findings"]}
    assert "archive." in found["settings"]["text"]


def test_a_project_cannot_empty_the_archive(root):
    put(root, ".checkpoints/config.toml", '[archive]\nkeep = "1s"\n')
    talk(1, root, DAY)
    session(root, "archive")
    told(root, "prune", "--archive")
    assert archived() == {ONE}


def test_prune_needs_to_know_what(root):
    assert "needs a NAME" in told(root, "prune", code=2).stderr
    assert "about sessions" in told(root, "prune", "x", "--archive", code=2).stderr
