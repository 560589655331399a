"""The rules of skill checkpoints (format A): those of the first validator, in its order and words.

Deliberately stricter: times must exist, ids should be unique, tickets carry no bodies. The one
rule that needs a clock (a time in the future) is not here.
"""

from __future__ import annotations

from leftoff.core.model import NEEDS_DECISION, NEWER, TICKET_ROLES, Finding
from leftoff.core.sizes import decisions, skill_file, utf16
from leftoff.core.thresholds import DEFAULTS
from leftoff.core.when import instant
from leftoff.formats._json_text import Look, render
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leftoff.core.model import Json
    from leftoff.formats._json_lens import Object

REQUIRED = (
    *("protocol_version", "skill", "project", "project_dir", "created_at", "updated_at"),
    *("phase", "step", "status", "progress_summary"),
)
WIRE_VERSIONS = ("1.0", "1.1")
WORDS = ("in_progress", "blocked", "complete", "failed")
ROW_WORDS = ("complete", "in_progress", "not_started", "blocked", "failed")
NEEDS = (NEEDS_DECISION, "code_fix", "external_dep")
UTC = "must be ISO-8601 UTC"


def rules(whole: Object, file_name: str, size: int) -> Iterator[Finding]:
    """Everything that a document breaks, in the order of the first validator."""
    yield from _header(whole)
    yield from _times(whole)
    yield from _name(whole, file_name)
    yield from _rows(whole)
    yield from _actions(whole)
    yield from _blockers(whole)
    yield from _refs(whole)
    yield from _cost(whole)
    yield from _scores(whole)
    yield from _telemetry(whole)
    yield from _types(whole)
    summary = whole.get("progress_summary")
    yield from skill_file(size, utf16(summary) if isinstance(summary, str) else 0, DEFAULTS)
    yield from _beyond(whole)


def _types(whole: Object) -> Iterator[Finding]:
    """What the first validator passes over: a list or object that is something else."""
    for name in ("progress_table", "blockers", "recently_done"):
        if not isinstance(whole.get(name, []), list):
            yield _bad("wrong-type", name, "must be an array")
    primer = whole.get("context_primer")
    if primer is not None and not isinstance(primer, dict):
        yield _bad("wrong-type", "context_primer", "must be an object")
    if not isinstance(whole.get("skill_state", {}), dict):
        yield _bad("wrong-type", "skill_state", "must be an object")
    for name, listed in primer.items() if isinstance(primer, dict) else ():
        known = name in {"key_decisions", "generated_files", "user_preferences"}
        if known and not isinstance(listed, list):
            yield _bad("wrong-type", f"context_primer.{name}", "must be an array")


def speaks(value: Json) -> bool:
    """Whether the first validator, which is JavaScript, takes a value for given."""
    return bool(value) or isinstance(value, list | dict)


def is_utc(value: Json) -> bool:
    """A real instant written `2026-01-31T12:00:00Z`, with a fraction of the second or without."""
    return _utc(value) is not None


def _utc(value: Json) -> float | None:
    if not isinstance(value, str) or value[10:11] != "T" or value[-1:] != "Z":
        return None
    return instant(value) if value.count(":") == 2 and len(value.split()) == 1 else None


def _bad(slug: str, where: str, problem: str) -> Finding:
    return Finding(slug, "error", where, f"{where} {problem}")


def _doubtful(slug: str, where: str, text: str) -> Finding:
    return Finding(slug, "warning", where, text)


def _listed(whole: Object, name: str) -> list[Json]:
    found = whole.get(name)
    return found if isinstance(found, list) else []


def _elements(whole: Object, name: str) -> Iterator[tuple[str, Object | None]]:
    """Where each element of a list stands, and the element if it is an object."""
    for at, one in enumerate(_listed(whole, name)):
        yield f"{name}[{at}]", one if isinstance(one, dict) else None


def _header(whole: Object) -> Iterator[Finding]:
    for name in REQUIRED:
        if whole.get(name) is None or whole[name] == "":
            yield Finding("missing-field", "error", name, f'missing required field "{name}"')
    version, status = whole.get("protocol_version"), whole.get("status")
    if speaks(version) and version not in WIRE_VERSIONS:
        problem = (
            'must be a supported on-disk schema version ("1.0" or "1.1"); '
            f"got {render(version, Look(inline=True, colon=':', comma=','))}. "
            "This is the wire-format version, not the checkpoint-protocol skill release version."
        )
        slug = NEWER if _is_newer(version) else "wire-version"
        yield _bad(slug, "protocol_version", problem)
    if speaks(status) and status not in WORDS:
        problem = f'must be one of {"|".join(WORDS)} (got "{_shown(status)}")'
        yield _bad("status", "status", problem)


def _is_newer(version: Json) -> bool:
    """Whether a version comes after those that are known, and is not just a slip of the pen."""
    numbers = version.split(".") if isinstance(version, str) else []
    if not numbers or not all(one.isascii() and one.isdigit() for one in numbers):
        return False
    newest = WIRE_VERSIONS[-1].split(".")
    return [(len(one), one) for one in numbers] > [(len(one), one) for one in newest]


def _times(whole: Object) -> Iterator[Finding]:
    said = {name: whole.get(name) for name in ("created_at", "updated_at")}
    times = {name: _utc(value) for name, value in said.items()}
    for name, value in said.items():
        if speaks(value) and times[name] is None:
            yield _bad("timestamp", name, UTC)
    created, updated = said.values()
    start, end = times.values()
    if start is not None and end is not None and end < start:
        yield _bad("time-order", "updated_at", f"({updated}) is before created_at ({created})")


def _name(whole: Object, file_name: str) -> Iterator[Finding]:
    name = _shown(whole.get("skill"))
    expected = f"{name}.checkpoint.json"
    if speaks(whole.get("skill")) and file_name != expected:
        text = f'filename {file_name} does not match skill="{name}" (expected {expected})'
        yield Finding("file-name", "error", "skill", text)


def _rows(whole: Object) -> Iterator[Finding]:
    if not isinstance(whole.get("progress_table"), list) and whole.get("status") == "in_progress":
        yield _doubtful(
            "no-progress-table",
            "progress_table",
            "no progress_table — recommended for in_progress checkpoints "
            "so resume can show position",
        )
    for where, row in _elements(whole, "progress_table"):
        if row is None:
            yield _bad("row", where, "must be an object")
            continue
        for name in ("id", "label", "status"):
            if not speaks(row.get(name)):
                yield _bad("row", f"{where}.{name}", "required")
        if speaks(row.get("status")) and row["status"] not in ROW_WORDS:
            yield _bad("row-status", f"{where}.status", f"must be one of {'|'.join(ROW_WORDS)}")


def _actions(whole: Object) -> Iterator[Finding]:
    actions = whole.get("next_actions", [])
    listed = actions if isinstance(actions, list) else []
    if whole.get("status") == "in_progress" and not listed:
        problem = (
            'must be a non-empty array when status is "in_progress" '
            "(the next session reads next_actions[0] first)"
        )
        yield _bad("no-actions", "next_actions", problem)
    if not isinstance(actions, list):
        yield _bad("actions-type", "next_actions", "must be an array")
    for at, action in enumerate(listed):
        where = f"next_actions[{at}]"
        if isinstance(action, str):
            continue
        if not isinstance(action, dict) or not isinstance(action.get("text"), str):
            yield _bad("action", where, "must be a string or { text, done_when? }")
        elif not isinstance(action.get("done_when", ""), str):
            problem = "must be a string (a shell command to self-verify completion)"
            yield _bad("done-when", f"{where}.done_when", problem)
    if "context_primer" not in whole and whole.get("status") == "in_progress":
        text = (
            "no context_primer — resume will have to re-read the project; "
            "add key_decisions + generated_files"
        )
        yield _doubtful("no-context-primer", "context_primer", text)


def _blockers(whole: Object) -> Iterator[Finding]:
    table = (row for row in _listed(whole, "progress_table") if isinstance(row, dict))
    rows = [row["id"] for row in table if speaks(row.get("id"))]
    for where, blocker in _elements(whole, "blockers"):
        if blocker is None:
            yield _bad("blocker", where, "must be an object")
            continue
        if not speaks(blocker.get("id")) or not speaks(blocker.get("description")):
            yield _bad("blocker", where, "needs at least id + description")
        if "needs" in blocker and blocker["needs"] not in NEEDS:
            problem = (
                f'must be one of {"|".join(NEEDS)} (got "{_shown(blocker["needs"])}")'
                " — the priority engine routes on this"
            )
            yield _bad("blocker-needs", f"{where}.needs", problem)
        blocking = blocker.get("blocking")
        if speaks(blocking) and rows and blocking not in rows:
            text = (
                f'{where}.blocking="{_shown(blocking)}" does not match any progress_table.id'
                " — dangling reference?"
            )
            yield _doubtful("dangling-blocker", f"{where}.blocking", text)


def _refs(whole: Object) -> Iterator[Finding]:
    if not isinstance(whole.get("pm_refs", []), list):
        yield _bad("refs-type", "pm_refs", "must be an array")
    for where, ref in _elements(whole, "pm_refs"):
        if ref is None:
            yield _bad("ref", where, "must be an object")
            continue
        for name in ("provider", "id"):
            if not speaks(ref.get(name)):
                yield _bad("ref", f"{where}.{name}", "required")
        if "role" in ref and ref["role"] not in TICKET_ROLES:
            problem = f'must be one of {"|".join(TICKET_ROLES)} (got "{_shown(ref["role"])}")'
            yield _bad("ref-role", f"{where}.role", problem)


def _cost(whole: Object) -> Iterator[Finding]:
    cost = whole.get("cost", {})
    if not isinstance(cost, dict):
        yield _bad("cost", "cost", "must be an object (oc-cost-ops spend attribution)")
        return
    for name in ("total_usd", "budget_usd"):
        if name in cost and not _is_amount(cost[name]):
            yield _bad("cost", f"cost.{name}", "must be a non-negative number")
    for name in ("by_phase", "by_model"):
        parts = cost.get(name, {})
        if not isinstance(parts, dict):
            yield _bad("cost", f"cost.{name}", "must be an object mapping name → number")
            continue
        wrong = (key for key, value in parts.items() if not _is_amount(value))
        yield from (
            _bad("cost", f'cost.{name}["{key}"]', "must be a non-negative number") for key in wrong
        )
    total, budget = _number(cost.get("total_usd")), _number(cost.get("budget_usd"))
    if total is not None and budget is not None and total > budget > 0:
        text = (
            f"cost.total_usd ({_shown(total)}) exceeds cost.budget_usd ({_shown(budget)})"
            " — budget gate tripped"
        )
        yield _doubtful("over-budget", "cost.total_usd", text)


def _scores(whole: Object) -> Iterator[Finding]:
    if not isinstance(whole.get("eval_scores", []), list):
        yield _bad("scores-type", "eval_scores", "must be an array")
    for where, score in _elements(whole, "eval_scores"):
        if score is None:
            yield _bad("score", where, "must be an object")
        else:
            yield from _score(score, where)


def _score(score: Object, where: str) -> Iterator[Finding]:
    if not isinstance(score.get("rubric"), str) or not score["rubric"]:
        problem = "required (string — which rubric produced the score)"
        yield _bad("score", f"{where}.rubric", problem)
    value, most = _number(score.get("score")), _number(score.get("max"))
    if value is None:
        yield _bad("score", f"{where}.score", "must be a number")
    if "max" in score and (most is None or most <= 0):
        yield _bad("score", f"{where}.max", "must be a positive number")
    if value is not None and most is not None and value > most > 0:
        yield _bad("score", f"{where}.score", f"({_shown(value)}) exceeds max ({_shown(most)})")
    if "at" in score and not is_utc(score["at"]):
        yield _bad("timestamp", f"{where}.at", UTC)
    parts = score.get("dimensions", {})
    if not isinstance(parts, dict):
        yield _bad("score", f"{where}.dimensions", "must be an object mapping name → number")
        return
    wrong = (key for key, part in parts.items() if _number(part) is None)
    yield from (_bad("score", f'{where}.dimensions["{key}"]', "must be a number") for key in wrong)


def _telemetry(whole: Object) -> Iterator[Finding]:
    handle, name = whole.get("telemetry_handle"), "telemetry_handle"
    if isinstance(handle, dict):
        for key, kind, problem in (
            ("enabled", bool, "must be a boolean (opt-in state)"),
            ("id", str, "must be a string (anonymous handle)"),
            ("sink", str, "must be a string (local sink path)"),
        ):
            if not isinstance(handle.get(key, kind()), kind):
                yield _bad("telemetry", f"{name}.{key}", problem)
        if "since" in handle and not is_utc(handle["since"]):
            yield _bad("timestamp", f"{name}.since", UTC)
    elif isinstance(handle, str):
        if not handle.strip():
            yield _bad("telemetry", name, "string must be non-empty")
    elif handle is not None:
        problem = "must be a string handle or an object { enabled, id?, sink?, since? }"
        yield _bad("telemetry", name, problem)


def _beyond(whole: Object) -> Iterator[Finding]:
    """What the first validator does not look at."""
    for name in ("progress_table", "blockers"):
        yield from _repeated_ids(whole, name)
    refs = [(where, ref) for where, ref in _elements(whole, "pm_refs") if ref]
    for where, ref in refs:
        for key in ("body", "description"):
            if key in ref:
                text = f"{where}.{key}: a ticket is kept by its id and url, never with its text"
                yield _doubtful("ref-body", f"{where}.{key}", text)
    # each session that touches a ticket adds it again: that is still one
    of = (ref for _, ref in refs if ref.get("role") == "source")
    sources = {f"{ref.get('provider')}:{ref.get('id')}" for ref in of}
    if len(sources) > 1:
        text = "more than one ticket has the role source; usually a single one started the work"
        yield Finding("several-sources", "advice", "pm_refs", text)
    primer = whole.get("context_primer")
    if isinstance(primer, dict):
        yield from decisions(len(_listed(primer, "key_decisions")), DEFAULTS)
    for key in ("field", "key"):
        if key in whole:
            text = f'the key "{key}" was probably copied from a usage text'
            yield Finding("copied-key", "advice", key, text)


def _repeated_ids(whole: Object, name: str) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for at, one in enumerate(_listed(whole, name)):
        key = one.get("id") if isinstance(one, dict) else None
        if not isinstance(key, str) or not key:
            continue
        if key in seen:
            where = f"{name}[{at}].id"
            text = f'{where} "{key}" is already the id of {name}[{seen[key]}]'
            yield _doubtful("repeated-id", where, text)
        seen.setdefault(key, at)


def _number(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if abs(value) != float("inf") else None


def _is_amount(value: Json) -> bool:
    number = _number(value)
    return number is not None and number >= 0


def _shown(value: Json) -> str:
    """A value inside a message, as JavaScript puts it there."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return ",".join("" if one is None else _shown(one) for one in value)
    if isinstance(value, dict):
        return "[object Object]"
    whole = isinstance(value, float) and value.is_integer()
    return render(int(value) if whole else value, Look())  # type: ignore[arg-type]
