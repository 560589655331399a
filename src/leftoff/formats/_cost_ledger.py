"""The cost ledgers of format C: one row per operation, six to eight columns, only ever appended.

A note may contain pipes, so a row is read from both ends: five columns from the left, and from
the right what looks like an attribution (`usd=..;tok=..;src=..`) and a count.
"""

from __future__ import annotations

from leftoff.core.ids import check_name
from leftoff.core.model import Finding
from leftoff.core.texts import flat
from leftoff.errors import Usage
from leftoff.record import Record

FEWEST = 6


class Row(Record):
    """One line of a ledger, as text; a column that the line lacks is empty."""

    uuid: str
    date: str
    phase: str
    model: str
    scope: str
    note: str
    fallback_fires: str = ""
    attribution: str = ""


def rows(text: str) -> tuple[list[Row], list[Finding]]:
    """The rows in order, and a warning for each line that is none."""
    found: list[Row] = []
    findings: list[Finding] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        row = _row(line)
        if row is not None:
            found.append(row)
        elif not _is_silent(line):
            findings.append(_not_a_row(line, number))
    return found, findings


def append(text: str, row: Row, task: str, *, once: bool = False, key: str = "") -> str:
    """The ledger with one more row at its end, all else as it was.

    With `once`, a row of the same session, day, phase, scope and note is not written again: a
    dispatched helper and its parent may both report one operation. Where a session has several
    such operations, each has a `key`, which its row carries and which is not written again.
    """
    row = _clean(row._replace(attribution=_keyed(row.attribution, key)))
    if once and _operation(row) in map(_operation, rows(text)[0]):
        return text
    if key and any(_key(key) in one.attribution.split(";") for one in rows(text)[0]):
        return text
    end = "\r\n" if "\r\n" in text else "\n"
    if not text.removeprefix("\ufeff").strip():
        text = f"# Cost Ledger — {flat(task)}{end}{end}"
    elif not text.endswith("\n"):
        text += end
    cells = row if row.attribution else row[:-1]
    return f"{text}{' | '.join(cells)}{end}"


def _row(line: str) -> Row | None:
    if _is_silent(line) or line.count("|") < FEWEST - 1:
        return None
    *left, rest = (cell.strip() for cell in line.split("|", FEWEST - 1))
    attribution = fires = ""
    before, found, last = _last_cell(rest)
    if found and not last:  # the pipe before an attribution that was left empty
        rest = before
        before, found, last = _last_cell(rest)
    if found and _is_attribution(last) and _is_count(_last_cell(before)[2]):
        rest, attribution = before, last
        before, found, last = _last_cell(rest)
    if found and _is_count(last):
        rest, fires = before, last
    uuid, date, phase, model, scope = left
    return Row(uuid, date, phase, model, scope, rest, fires, attribution)


def _last_cell(text: str) -> tuple[str, str, str]:
    before, found, last = text.rpartition("|")
    return before.rstrip(), found, last.strip()


def _is_count(cell: str) -> bool:
    return cell.isascii() and cell.isdigit()


def _is_attribution(cell: str) -> bool:
    return bool(cell) and all("=" in part for part in cell.rstrip(";").split(";"))


def _is_silent(line: str) -> bool:
    """A blank line, a heading or a comment."""
    line = line.strip()
    return not line or line.startswith(("#", "<!--"))


def _not_a_row(line: str, number: int) -> Finding:
    columns = line.count("|") + 1
    return Finding(
        "ledger-row",
        "warning",
        f"line {number}",
        f"a row of the cost ledger has 6 to 8 columns, this one {columns}",
        fix="UUID | DATE | PHASE | MODEL | task | NOTE | FALLBACK_FIRES | ATTRIBUTION",
        line=number,
    )


def _clean(row: Row) -> Row:
    """A row that reads back as it is: one line, no pipe but in the note, always a count."""
    if _is_silent(row.uuid):
        raise Usage("a row of the cost ledger begins with a session id", where=row.uuid)
    if row.attribution and not _is_attribution(flat(row.attribution)):
        raise Usage("an attribution reads usd=..;tok=..;src=..", where=row.attribution)
    cells = [flat(cell) for cell in row]
    cells = [cell if at == 5 else cell.replace("|", "/") for at, cell in enumerate(cells)]
    return Row(*cells)._replace(fallback_fires=cells[6] if _is_count(cells[6]) else "0")


def _key(key: str) -> str:
    return f"op={check_name(key, 'key of an operation')}"


def _keyed(attribution: str, key: str) -> str:
    return ";".join(filter(None, (attribution.rstrip(";"), _key(key)))) if key else attribution


def _operation(row: Row) -> tuple[str, ...]:
    return (row.uuid.casefold(), row.date, row.phase, row.scope, row.note)
