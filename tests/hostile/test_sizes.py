"""Huge, deep, cyclic, twice, and out of time: every one is an answer or an error that names it."""

from __future__ import annotations

import json
import os

import pytest

from hostile.every import project
from leftoff.core.brief_words import unbold
from leftoff.core.learnings import blocks, field
from leftoff.core.model import Checkpoint, Item
from leftoff.core.new_checkpoint import with_ids
from leftoff.core.session_lines import session_of
from leftoff.errors import FormatError
from leftoff.formats._json_scan import parse_noting, source_of
from leftoff.formats._json_text import loads, rewrite
from leftoff.formats._md_front_matter import entries
from leftoff.formats._md_items import Listing, spelled
from leftoff.formats._md_scan import is_table
from leftoff.formats._sentinel import prompts
from projects import NOW, get, markdown, put, skill
from support import run

LOOKS = (("status",), ("next",), ("validate",), ("tree",), ("doctor",), ("list",))


def looks(root, now=NOW, looks=LOOKS):
    """What the commands that read everything say; none of them may fail."""
    said = ""
    for words in looks:
        done = run(*words, "--now", now, cwd=root)
        assert done.returncode in {0, 1}, (words, done.stderr)
        assert "Traceback" not in done.stderr
        said += done.stdout + done.stderr
    return said


def test_a_document_larger_than_any_is_named_and_not_read(tmp_path):
    root = project(tmp_path)
    path = os.path.join(root, ".checkpoints", "oc-huge.checkpoint.json")
    with open(path, "wb") as file:
        file.truncate((64 << 20) + 1)  # a hole: it takes no room on the disk
    assert "oc-huge" in looks(root)
    assert run("update", "oc-huge", "--phase=x", cwd=root).returncode == 7


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000])
def test_json_nested_a_hundred_thousand_deep_is_a_broken_document(tmp_path, text):
    root = project(tmp_path)
    put(root, ".checkpoints/oc-deep.checkpoint.json", text)
    assert "oc-deep" in looks(root)
    assert run("show", "oc-deep", "--json", cwd=root).returncode in {0, 7}


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 100_000,
        "a" + ".a" * 100_000 + " = 1",
        "a = 1\n" * 100_000,
        "a = " + "1" * 5000,
        '[thresholds]\n"stale.session" = ' + "1" * 400,
    ],
)
def test_settings_that_are_deep_or_long_beyond_reason_are_not_in_force_and_that_is_said(
    tmp_path, text
):
    root = project(tmp_path)
    put(root, ".checkpoints/config.toml", text)
    said = looks(root)
    assert "the settings cannot be read" in said


@pytest.mark.parametrize(
    "value", ['"²d"', "inf", "1e300", '"99999999999999999999d"', '"' + "9" * 400 + 'd"']
)
def test_a_threshold_that_no_clock_counts_to_stops_no_command_and_is_named(tmp_path, value):
    root = project(tmp_path)
    key = "stale.checkpoint" if "d" in value else "size.summary"
    put(root, ".checkpoints/config.toml", f'[thresholds]\n"{key}" = {value}\n')
    assert f"threshold {key} cannot be" in looks(root)


@pytest.mark.parametrize(
    "text", ["> " * 50_000 + "x", "- " * 50_000 + "x", "`" * 100_000, "*" * 100_000]
)
def test_markdown_nested_deep_costs_no_more_than_its_length(tmp_path, text):
    root = project(tmp_path)
    put(root, "checkpoints/active/chk-deep.md", markdown("chk-deep", state=text))
    assert "chk-deep" in looks(root)


def test_ten_thousand_sections_and_items_are_read(tmp_path):
    root = project(tmp_path)
    many = "".join(f"## Section {n}\n\n- item {n}\n\n" for n in range(10_000))
    put(root, "checkpoints/active/chk-many.md", markdown("chk-many") + "\n" + many)
    put(root, ".checkpoints/oc-many.checkpoint.json", skill("oc-many", next_actions=["x"] * 10_000))
    looks(root, looks=LOOKS[:3])
    assert run("update", "chk-many", "--summary=new", "--now", NOW, cwd=root).returncode == 0
    assert get(root, "checkpoints/active/chk-many.md").endswith(many)


def test_one_line_of_thirteen_million_characters_is_a_document_like_any_other(tmp_path):
    root = project(tmp_path)
    put(
        root,
        ".checkpoints/oc-long.checkpoint.json",
        skill("oc-long", progress_summary="x" * 13_000_000),
    )
    said = looks(root, looks=LOOKS[:2])
    assert len(said) < 100_000
    brief = run("resume", "oc-long", "--now", NOW, cwd=root)
    assert brief.returncode == 0
    assert len(brief.stdout) < 20_000


def test_parents_in_a_circle_are_said_to_be_so_and_shown_once(tmp_path):
    root = project(tmp_path)
    for one, other in (("a", "b"), ("b", "c"), ("c", "a"), ("self", "self")):
        put(
            root,
            f"checkpoints/active/chk-{one}.md",
            markdown(f"chk-{one}", header=f"status: active\nparent: chk-{other}\n"),
        )
    said = run("tree", "--now", NOW, cwd=root).stdout
    assert all(said.count(f"chk-{one}") >= 1 for one in ("a", "b", "c", "self"))
    looks(root)


def test_the_same_id_and_the_same_key_twice_lose_nothing(tmp_path):
    root = project(tmp_path)
    put(root, "checkpoints/active/two.md", markdown("chk-auth"))
    put(
        root,
        "checkpoints/active/chk-twice.md",
        markdown("chk-twice", header="status: active\nstatus: current\nparent: x\nparent: y\n"),
    )
    twice = skill("oc-twice").replace('"phase": "build"', '"phase": "one",\n  "phase": "two"')
    put(root, ".checkpoints/oc-twice.checkpoint.json", twice)
    looks(root)
    assert run("update", "oc-twice", "--step=next", "--now", NOW, cwd=root).returncode in {0, 1}
    assert '"phase": "one"' in get(root, ".checkpoints/oc-twice.checkpoint.json")
    done = run("update", "chk-auth", "--summary=x", "--now", NOW, cwd=root)
    assert done.returncode == 5
    assert "two.md" in done.stderr + done.stdout


@pytest.mark.parametrize(
    "now", ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2020-01-01", "9999-12-31T23:59:59Z"]
)
def test_a_clock_that_jumps_changes_ages_and_nothing_else(tmp_path, now):
    root = project(tmp_path)
    before = get(root, "checkpoints/active/chk-auth.md")
    looks(root, now)
    for words in (["resume", "chk-auth"], ["handoff", "chk-auth"], ["session", "list", "--all"]):
        assert run(*words, "--now", now, cwd=root).returncode == 0, words
    assert get(root, "checkpoints/active/chk-auth.md") == before
    for words in (["save", "x"], ["update", "oc-demo", "--phase=x"], ["done", "chk-auth", "1"]):
        done = run(*words, "--now", now, cwd=root)
        assert done.returncode in {0, 1, 2, 4}, (words, done.stderr)
    looks(root, now)


@pytest.mark.parametrize("at", [-(10**9), 0, 4 * 10**9, 2**33])
@pytest.mark.parametrize("stamp", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-13-45"])
def test_files_and_documents_of_any_time_are_read(tmp_path, at, stamp):
    root = project(tmp_path)
    path = ".checkpoints/oc-demo.checkpoint.json"
    put(root, path, skill(created_at=stamp, updated_at=stamp))
    for place, _, names in os.walk(os.path.join(root, ".checkpoints")):
        for name in names:
            os.utime(os.path.join(place, name), (at, at))
    looks(root, looks=LOOKS[:3])
    assert json.loads(get(root, path))["updated_at"] == stamp


# Each of these is read in a moment, and took minutes where its cost was the square of its length.
MANY = 100_000


def test_a_word_that_is_no_value_is_found_behind_any_number_of_texts():
    text = '{"NaN": "NaN",\n' + '"k": "v",\n' * MANY + '"last": NaN}'
    with pytest.raises(FormatError, match=f"line {MANY + 2}: NaN is not a JSON value"):
        loads(text)


def test_a_name_that_stands_twice_is_found_among_any_number_of_names():
    members = ",".join(f'"k{n}": 1' for n in range(MANY))
    assert parse_noting(source_of(f'{{{members}, "k7": 2}}'))[1] == ["k7"]


def test_an_edit_of_one_long_line_of_json_changes_its_own_place_alone():
    text = "[" + ",".join(f'{{"id":"{n}"}}' for n in range(MANY)) + "]"
    value = [{"id": f"{n}"} for n in range(MANY)]
    value[7] = {"id": "7", "new": 1}
    assert rewrite(text, value) == text.replace('{"id":"7"}', '{"id":"7","new":1}', 1)


def test_a_comma_too_many_in_each_of_very_many_lists_stays_where_it_is():
    text = "[\n" + ",\n".join(["[1, ]"] * MANY) + "\n]\n"
    assert rewrite(text, [[2]] * MANY, jsonc=True) == text.replace("1", "2")


def test_an_item_with_any_number_of_tags_has_the_last_of_each():
    text = "words " + " ".join(f"[id: {n}]" for n in range(MANY // 5))
    item, _ = spelled(text, Listing(keys=("id",)))
    assert item == Item("words", "0")


def test_blanks_in_a_line_below_a_heading_of_columns_make_no_table():
    assert not is_table("a | b", "--- " + " " * MANY * 5 + "x | ---")


def test_a_key_of_a_header_may_go_on_for_any_number_of_lines():
    lines = ["---", "key:", *["  - one"] * MANY * 5, "---"]
    (entry,) = entries(lines, len(lines))
    assert entry.value == "\n  - one" * MANY * 5


def test_blank_lines_around_a_prompt_that_was_kept_back_are_no_part_of_it():
    blank = "\n" * MANY * 5
    text = f"=== BLOCKED PROMPT [2026-01-05T10:00:00Z] ===\n{blank}words{blank}"
    assert [one.text for one in prompts(text)] == ["words"]


def test_blanks_in_bold_type_and_a_block_of_any_length_are_read_among_what_was_learned():
    assert field(f"**{' ' * MANY}\n**Outcome**: it works", "Outcome") == "it works"
    (block,) = blocks(f"## 2026-01-05 — chk{' ' * MANY * 5}a\n" + "- a line\n" * MANY * 2)
    assert (block.date, len(block.lines)) == ("2026-01-05", MANY * 2)


def test_each_of_very_many_blockers_gets_an_id_of_its_own():
    made = with_ids(Checkpoint("x", blockers=tuple(Item(f"b{n}") for n in range(MANY // 2))))
    assert len({one.id for one in made.blockers}) == MANY // 2


def test_bold_type_goes_from_a_text_however_often_it_is_there():
    assert unbold("**b** x ** " * MANY) == "b x ** " * MANY


def test_a_session_has_all_the_events_of_a_long_journal():
    lines = [{"at": 1e9 + n, "event": "prompt", "key": str(n)} for n in range(MANY)]
    made = session_of("codex", "s", lines)
    assert (len(made.events), made.seen) == (MANY, 1e9 + MANY - 1)
