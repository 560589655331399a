"""The cost ledger: rows of every width people have, and an append that touches nothing else."""

from __future__ import annotations

import glob

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leftoff.errors import Usage
from leftoff.formats._cost_ledger import Row, append, rows
from support import shared

UUID = "f0866bc5-f096-4f20-9e78-deb461d9f570"
SAVE = Row(UUID, "2026-05-05", "checkpoint", "haiku", "task", "save", "0")
LEDGER = f"# Cost Ledger — auth-fix\n\n{UUID} | 2026-05-04 | plan | opus | task | round 1\n"


@pytest.mark.req("X.import.tolerant")
@pytest.mark.parametrize(
    ("cells", "note", "fires", "attribution"),
    [
        ("a note", "a note", "", ""),
        ("a note | 0", "a note", "0", ""),
        ("a note | 2 | usd=0.12;tok=900;src=log", "a note", "2", "usd=0.12;tok=900;src=log"),
        ("a note | 2 |", "a note", "2", ""),
        ("a | b || c | 3", "a | b || c", "3", ""),
        ("a | b", "a | b", "", ""),
        ("a | x=1", "a | x=1", "", ""),
        ("a | b | 1 | usd=1;", "a | b", "1", "usd=1;"),
        ("", "", "", ""),
        (" | 0", "", "0", ""),
    ],
)
def test_a_row_has_six_to_eight_columns_and_pipes_in_its_note(cells, note, fires, attribution):
    row = Row(UUID, "2026-05-04", "plan", "opus", "task", note, fires, attribution)
    assert rows(f"{UUID} | 2026-05-04 | plan | opus | task | {cells}\n") == ([row], [])


@pytest.mark.parametrize(
    "uuid", ["7D84A236-E15B-4C93-BA1F-BFE16750780B", "unknown-plan-20260501T150312Z"]
)
def test_an_id_may_be_in_any_case_or_unknown(uuid):
    assert rows(f"{uuid} | d | p | m | task | n\r\n")[0] == [Row(uuid, "d", "p", "m", "task", "n")]


def test_titles_blank_lines_and_comments_are_no_rows_and_no_fault():
    assert rows("\ufeff# Cost Ledger — x\r\n\r\n<!-- a | b | c -->\r\n## Notes\r\n") == ([], [])


def test_a_line_with_too_few_columns_is_named():
    found, findings = rows(f"{LEDGER}one | two | three\n")
    assert len(found) == 1
    assert [(f.slug, f.level, f.line) for f in findings] == [("ledger-row", "warning", 4)]
    assert "this one 3" in findings[0].text


@pytest.mark.req("C.save.ledger", "C.clean.ledger")
@pytest.mark.parametrize("note", ["save", "restore"])
def test_the_row_of_an_operation_goes_to_the_end_and_the_rest_stays(note):
    row = f"{UUID} | 2026-05-05 | checkpoint | haiku | task | {note} | 0\n"
    assert append(LEDGER, SAVE._replace(note=note), "auth-fix") == LEDGER + row


def test_a_new_ledger_gets_its_title():
    made = append("", SAVE, "auth-fix")
    assert made.startswith("# Cost Ledger — auth-fix\n\n")
    assert rows(made) == ([SAVE], [])


def test_a_missing_newline_is_made_up_for_and_windows_lines_stay():
    text = LEDGER.replace("\n", "\r\n").rstrip("\r\n")
    made = append(text, SAVE, "auth-fix")
    assert made.startswith(text + "\r\n")
    assert made.endswith(" | save | 0\r\n")
    assert "\n" not in made.replace("\r\n", "")


@pytest.mark.req("C.save.ledger-once")
def test_one_operation_is_one_row_when_asked():
    made = append(LEDGER, SAVE, "auth-fix", once=True)
    again = SAVE._replace(uuid=UUID.upper(), model="opus")
    assert append(made, again, "auth-fix", once=True) == made
    assert append(made, again, "auth-fix") != made
    later = append(made, SAVE._replace(note="another"), "auth-fix", once=True)
    assert append(later, again, "auth-fix", once=True) == later != made
    assert append(made, SAVE._replace(note="restore"), "auth-fix", once=True) != made


@pytest.mark.parametrize(
    "row", [SAVE._replace(uuid=" "), SAVE._replace(uuid="# x"), SAVE._replace(attribution="3")]
)
def test_a_row_that_would_not_read_back_is_refused(row):
    with pytest.raises(Usage):
        append(LEDGER, row, "auth-fix")


@given(st.lists(st.text(max_size=12), min_size=6, max_size=6), st.text(max_size=40))
def test_whatever_is_appended_reads_back_as_one_more_row(cells: list[str], text: str):
    row = Row("s" + cells[0], *cells[1:], "7", "usd=1;tok=2")
    *before, last = rows(append(text, row, "x"))[0]
    assert before == rows(text)[0]
    assert last.note == " ".join(row.note.split())
    assert last.uuid == " ".join(row.uuid.split()).replace("|", "/")
    assert (last.fallback_fires, last.attribution) == ("7", "usd=1;tok=2")


@given(st.text())
def test_any_text_is_rows_and_findings(text: str):
    found, findings = rows(text)
    assert len(found) + len(findings) <= text.count("\n") + 1


def test_the_real_ledgers_read_without_a_finding():
    counts = []
    for path in sorted(glob.glob(shared("samples", "quoin") + "/*/cost-ledger.md")):
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        found, findings = rows(text)
        assert findings == []
        assert all(row.scope == "task" for row in found)
        assert append(text, SAVE, "x").startswith(text)
        counts.append(len(found))
    assert counts == [10, 46]


def test_an_operation_with_a_key_is_written_once_and_another_key_is_another_row():
    once = append(LEDGER, SAVE, "auth-fix", key="save-1")
    assert rows(once)[0][-1].attribution == "op=save-1"
    assert append(once, SAVE._replace(note="again"), "auth-fix", key="save-1") == once
    assert len(rows(append(once, SAVE, "auth-fix", key="save-2"))[0]) == 3
