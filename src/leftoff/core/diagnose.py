"""Everything that drifted or broke in a project, as findings, worst first, each with a way out.

A way out is a command that is safe to run, or plain words; nothing here looks at the world. NAME in
it becomes what the document is called.
"""

from __future__ import annotations

from leftoff.core import age_checks, claims, sizes
from leftoff.core.cross_checks import across
from leftoff.core.facts import NO_COMMIT, NO_GIT
from leftoff.core.find_stream import name_of, shared_ids
from leftoff.core.lineage import forest
from leftoff.core.model import ARCHIVED, COMPLETE, LEVELS, Finding
from leftoff.core.stream import place_in
from leftoff.core.texts import short
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from leftoff.core.claims import Verdict
    from leftoff.core.facts import Facts
    from leftoff.core.stream import Glance, Stream

    Checker: TypeAlias = Callable[[Glance, Facts], Iterator[Verdict]]

FIELDS = (
    *("format", "id", "status", "word", "created", "updated", "born", "touched", "broken"),
    *("actions", "tokens", "landed", "files", "more_files", "finished", "tests"),
    *("branch", "commit", "parent", "project_dir", "bytes", "summary_chars", "decision_count"),
    *("parts", "findings"),
)
"""All of a stream that is looked at here; the rest of ten thousand need not be loaded."""

_CHECKERS: tuple[tuple[str, Checker], ...] = (
    # By the field that makes the claim: ten thousand documents that make none cost nothing. Files,
    # actions, parents and folders are looked at below, each for all documents at once.
    ("branch", claims.branch),
    ("commit", claims.commit),
    ("tests", claims.tests),
    ("finished", claims.done),
)


class Diagnosis(Record):
    """What was found, and how much was looked at; `capped` says what was not."""

    findings: tuple[Finding, ...]
    documents: int
    claims: int
    capped: tuple[str, ...] = ()


def diagnose(
    streams: Sequence[Stream],
    facts: Facts,
    limits: Mapping[str, float],
    now: float,
    every: Sequence[Stream] = (),
) -> Diagnosis:
    """All that the documents, the clock and the facts have against each other.

    `streams` may be some of `every` one there is: then what is found is about these.
    """
    found: list[Finding] = []
    total = 0
    tokens, shared = _tokens(streams, facts), shared_ids(every or streams)
    by_hand = _BY_HAND if _has_history(facts) else "fix it by hand"
    for stream in _measured(streams, limits):
        one, own = stream.glance, [*_own(stream, by_hand)]
        if not one.broken:
            count, judged = _judged(one, facts, tokens)
            total += count
            own += [*_aged(one, limits, now), *judged]
        name = name_of(one, shared)
        found += [finding._replace(fix=finding.fix.replace("NAME", name)) for finding in own]
    found += _among(streams, every or streams)
    found += _elsewhere(streams, facts)
    found += _strangers(facts)
    return Diagnosis(worst_first(found), len(streams), total, _capped(streams))


def _among(streams: Sequence[Stream], every: Sequence[Stream]) -> Iterator[Finding]:
    """What is wrong between some documents and all of them."""
    paths = {stream.glance.path for stream in streams}
    whole = len(paths) == len(every)
    return (one for one in _together(every) if whole or one.where.partition(": ")[0] in paths)


def worst_first(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """By level, then by place."""
    rank = {level: at for at, level in enumerate(LEVELS)}
    return tuple(sorted(found, key=lambda finding: (rank[finding.level], finding.where)))


def counts(found: Iterable[Finding]) -> dict[str, int]:
    """How many findings there are of each level."""
    levels = [finding.level for finding in found]
    return {level: levels.count(level) for level in LEVELS}


# What a document says of itself


def _measured(streams: Sequence[Stream], limits: Mapping[str, float]) -> Sequence[Stream]:
    """The streams with their sizes judged by these limits; the formats know only the defaults."""
    if sizes.are_usual(limits):
        return streams
    return [one._replace(findings=tuple(sizes.judged(one, limits))) for one in streams]


def _own(stream: Stream, by_hand: str) -> Iterator[Finding]:
    """The rules of its format, and what cannot be read at all."""
    one = stream.glance
    if one.broken and not any(finding.level == "error" for finding in stream.findings):
        yield Finding("broken", "error", one.path, one.broken, by_hand)
    look = by_hand if one.broken else 'see "leftoff show NAME", then fix it'
    for finding in stream.findings:
        if one.status == ARCHIVED and finding.level != "error":
            continue  # nobody fills in what is over; `validate` still says it
        change = f"leftoff update NAME {finding.fix}" if finding.fix.startswith("--") else ""
        fix = change or finding.fix or look
        yield finding._replace(where=place_in(stream, finding.where), fix=fix)


_BY_HAND = "fix it by hand, or restore an older version from git"


def _has_history(facts: Facts) -> bool:
    """Whether git may have an older version: not where it was never used."""
    return facts.repository.why not in {NO_GIT, NO_COMMIT}


def _at(path: str, where: str) -> str:
    return f"{path}: {where}" if where else path


def _aged(one: Glance, limits: Mapping[str, float], now: float) -> list[Finding]:
    """What time alone made doubtful; stale says it all, and louder."""
    days = age_checks.stale_days(one, now, limits)
    if days:
        text = f"stale ({days}d): in progress, but not touched since {_day(one)}"
        fix = '"leftoff show NAME" shows it: continue it, or record how it stands'
        return [Finding("stale", "warning", one.path, text, fix)]
    return [
        finding._replace(where=_at(one.path, finding.where), fix=_save_again(one))
        for finding in age_checks.findings(one, now, limits)
    ]


def _save_again(one: Glance) -> str:
    if one.format == "md":
        return "leftoff delta NAME --what TEXT"
    return "save it again with the right time"


def _day(one: Glance) -> str:
    return (one.updated or one.created)[:10]  # stale, so it is a time


# What the world says to it


class _Tokens(Record):
    """The references in all actions together: those that can land, and those that have."""

    counting: frozenset[str]
    landed: frozenset[str]


def _tokens(streams: Iterable[Stream], facts: Facts) -> _Tokens:
    every = frozenset(t for s in streams for named in s.glance.tokens for t in named)
    landed = facts.repository.landed | facts.repository.versions
    return _Tokens(frozenset(filter(facts.tickets.counts, every)), every & landed)


def _judged(one: Glance, facts: Facts, tokens: _Tokens) -> tuple[int, list[Finding]]:
    """How many claims were checked, and those that do not hold."""
    if one.status == ARCHIVED:
        return 0, []
    found: list[Finding] = []
    total = len(one.files) + bool(one.parent) + bool(one.project_dir)
    if not facts.missing.isdisjoint(one.files):
        found.append(_missing(one, facts))
    if one.tokens:
        total += sum(not tokens.counting.isdisjoint(named) for named in one.tokens)
        if one.landed or not all(map(tokens.landed.isdisjoint, one.tokens)):
            found += _all_against(one, claims.landed(one, facts))
    for field, check in _CHECKERS:
        if getattr(one, field):
            verdicts = list(check(one, facts))
            total += len(verdicts)
            found += _all_against(one, verdicts)
    return total, found


def _all_against(one: Glance, verdicts: Iterable[Verdict]) -> Iterator[Finding]:
    for verdict in verdicts:
        if verdict.word != claims.CONFIRMED:
            yield from _against(one, verdict)


def _missing(one: Glance, facts: Facts) -> Finding:
    """One warning that names every missing file; how many were not looked at is said too."""
    gone = [path for path in one.files if path in facts.missing]
    what = "a file that does" if len(gone) == 1 else f"{len(gone)} files that do"
    more = f" ({one.more_files} more were not checked)" if one.more_files else ""
    if one.format == "md":
        fix = '"leftoff prune NAME --dry-run" shows what would be dropped'
    else:
        fix = "use the files' current names"
        if _has_history(facts):
            fix = "use the files' current names, or restore them from git"
    text = f"it names {what} not exist: {', '.join(gone)}{more}"
    return Finding("missing-files", "warning", one.path, text, fix)


def _against(one: Glance, verdict: Verdict) -> Iterator[Finding]:
    """The finding for a verdict that is not good; most that are unknown make none."""
    about, reason = short(verdict.about), verdict.reason
    if verdict.kind == "done":
        yield from _evidence(one, about, reason, failed=verdict.word == claims.CONTRADICTED)
    elif verdict.word != claims.CONTRADICTED:
        return
    elif verdict.kind == "action":
        number = int(verdict.where.rpartition("[")[2].rstrip("]")) + 1
        text = f'next action {number}, "{about}": {reason}'
        fix = f'if that is so, "leftoff done NAME {number}"'
        yield Finding("landed", "warning", one.path, text, fix)
    elif one.status != COMPLETE:  # what is over may well be merged and its branch gone
        text = f"{verdict.kind} {about}: {reason}"
        yield Finding(verdict.kind, "warning", one.path, text, _WAYS_OUT.get(verdict.kind, ""))


_WAYS_OUT = {
    "branch": "record where the work is now, or how it ended",
    "commit": "look at what is on HEAD before you go on, then save the checkpoint again",
}


def _evidence(one: Glance, about: str, reason: str, *, failed: bool) -> Iterator[Finding]:
    text = f'"{about}" is marked done; {reason}'
    if failed:
        fix = "put it back into the queue, or make the check pass and verify it again"
        yield Finding("evidence-failed", "error", one.path, text, fix)
    elif reason.startswith("evidence stale"):
        fix = "verify it again before you rely on it"
        yield Finding("evidence-stale", "advice", one.path, text, fix)


def _elsewhere(streams: Iterable[Stream], facts: Facts) -> Iterator[Finding]:
    """One line for each folder that is not on this machine, however many documents name it."""
    users: dict[str, list[str]] = {}
    for stream in streams:
        folder = stream.glance.project_dir
        if folder and folder not in facts.folders:
            users.setdefault(folder, []).append(stream.glance.path)
    for folder, paths in users.items():
        more = f" ({len(paths)} documents say so)" if len(paths) > 1 else ""
        text = f"project_dir {short(folder)} is not on this machine{more}"
        fix = "nothing to do: the project was found here"
        yield Finding("project-dir", "info", paths[0], text, fix)


def _strangers(facts: Facts) -> Iterator[Finding]:
    """One line for each person who last committed documents, however many they are."""
    written: dict[str, list[str]] = {}
    for path, name in facts.authors.items():
        written.setdefault(name, []).append(path)
    for name, paths in written.items():
        text = f"last committed by {short(name)}"
        more = f" (and {len(paths) - 1} more)" if len(paths) > 1 else ""
        yield Finding("author", "info", min(paths), text + more)


# What they say of each other


def _together(streams: Sequence[Stream]) -> Iterator[Finding]:
    for path, found in across(streams).items():
        for finding in found:
            fix = finding.fix or "give all but one of them another id"
            yield finding._replace(where=_at(path, finding.where), fix=fix)
    yield from _lineage([stream.glance for stream in streams])


def _lineage(glances: Sequence[Glance]) -> Iterator[Finding]:
    """Parents that are not here, cycles, ids used twice; Markdown ids were looked at before."""
    if len({one.id for one in glances}) == len(glances) and not any(o.parent for o in glances):
        return
    markdown = {one.path for one in glances if one.format == "md"}
    phrases = {one.path for one in glances if " " in one.parent}  # seed A's depends_on
    for finding in forest(glances).findings:
        if finding.slug == "duplicate-id" and finding.where not in markdown:
            fix = "rename all but one of them"
            yield finding._replace(level="error", fix=fix)
        elif finding.slug == "parent-cycle":
            yield finding._replace(
                fix='"leftoff tree" shows it; remove the parent from one of them'
            )
        elif finding.slug == "missing-parent" and finding.where not in phrases:
            yield finding._replace(fix='"leftoff tree" shows the lineage; name one that is here')


def _capped(streams: Iterable[Stream]) -> tuple[str, ...]:
    over = [stream.glance.more_files for stream in streams if stream.glance.more_files]
    if not over:
        return ()
    return (f"{sum(over)} files that {len(over)} documents name beyond the first ones",)
