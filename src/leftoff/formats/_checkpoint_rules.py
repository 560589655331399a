"""The rules of Markdown checkpoints (format B): those of the first validator, in its words.

Deliberately stricter: what the specification requires is required, headings in code and untouched
templates count for nothing, deltas are looked at. What needs a clock or other files is not here.
"""

from __future__ import annotations

from leftoff.core.model import Finding
from leftoff.core.when import instant
from leftoff.errors import FormatError
from leftoff.formats._markdown import blocks_in, is_comment, is_separator, text_of
from leftoff.formats._md_front_matter import check_end, strangers
from leftoff.formats._md_item_lines import columns_of
from leftoff.formats._md_lists import entries
from leftoff.formats._md_outline import chosen, find
from leftoff.formats._md_scan import cells
from leftoff.formats._md_text import read_title
from leftoff.formats._sections import opened, unresolved
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from leftoff.formats._markdown import Document, Section
    from leftoff.formats._md_outline import Found, Part, Spec
    from leftoff.formats._md_scan import Block

REQUIRED_KEYS = ("checkpoint", "created")
OPTIONAL = ("Breadcrumbs", "User Rules", "Delta:", "Completion", "Conflicts")
WORDS = ("current", "active")
CRUMBS = ("file", "function", "decision", "external")
STATUSES = ("created", "modified", "deleted")
DELTA_PARTS = ("What Changed", "Artifacts")
DELTA_COLUMNS = ("File", "Action", "Description")
BRIEF = {"Problem": ("Problem section", 20), "Current State": ("Current State", 30)}
FEW = {"Decisions": "Few decisions recorded ({}, recommend >= 2)"}
FEW["Play-By-Play"] = "Play-By-Play has few entries ({}, recommend >= 2)"


def rules(spec: Spec, text: str, path: str) -> list[Finding]:
    """Everything that a text breaks; advice only where nothing is wrong."""
    try:
        doc = opened(text, "checkpoint")
        check_end(doc.plain, REQUIRED_KEYS[0])
    except FormatError as error:
        return [Finding("broken", "error", "", error.message, error.hint, error.line)]
    found = find(spec, doc)
    archived = "/archive/" in f"/{path}"
    broken = [
        *_header(doc, archived=archived),
        *_required(spec, doc, found),
        *_repeated(doc, found),
        *_tables(spec, doc, found),
        *_deltas(doc, found.parts.get("Delta:", [])),
        *unresolved(spec, doc, found),
    ]
    if not archived and (ended := found.parts.get("Completion")):
        text = "Completion belongs to archived checkpoints only"
        broken.append(
            Finding("early-completion", "warning", "Completion", text, "", ended[0].head + 1)
        )
    if not any(finding.level == "error" for finding in broken):
        broken += _advice(spec, doc, found)
    return broken


def _header(doc: Document, *, archived: bool) -> Iterator[Finding]:
    if not doc.start:
        text = "Missing YAML frontmatter (recommended: checkpoint, created, anchor)"
        yield Finding("no-header", "warning", "header", text, "", 1)
        return
    known = {entry.key: entry for entry in doc.header}
    for key in REQUIRED_KEYS:
        if key not in known or not known[key].value.strip():
            text = f"Missing required frontmatter field: {key}"
            yield Finding("missing-key", "error", key, text, f"--{key}=VALUE", 1)
    for key, level in (("created", "error"), ("last_delta", "warning")):
        entry = known.get(key)
        if entry and entry.value.strip() and instant(entry.value) is None:
            text = f'{key} is not an ISO-8601 time: "{entry.value}"'
            yield Finding("bad-time", level, key, text, "", entry.start + 1)
    status = known.get("status")
    if status and not archived and status.value not in ("", *WORDS):
        text = f"Invalid status '{status.value}', defaulting to 'active'"
        yield Finding("bad-status", "warning", "status", text, "--status=active", status.start + 1)
    yield from _odd_lines(doc)


def _odd_lines(doc: Document) -> Iterator[Finding]:
    for number in strangers(doc.plain, doc.start, doc.header):
        text = "a line of the header is neither a key nor a comment"
        yield Finding("odd-header", "warning", "header", text, "", number + 1)
    seen: set[str] = set()
    for entry in doc.header:
        if entry.key in seen:
            text = f"{entry.key} is given twice in the header; the last one counts"
            yield Finding("repeated-key", "warning", entry.key, text, "", entry.start + 1)
        seen.add(entry.key)


def _required(spec: Spec, doc: Document, found: Found) -> Iterator[Finding]:
    missing_around: set[str] = set()
    for part in spec.parts:
        around = part.under.casefold()
        if around and around not in found.around and around not in missing_around:
            missing_around.add(around)
            text = f"Missing required section: ## {part.under}"
            yield Finding("missing-section", "error", part.under, text)
        if part.name in OPTIONAL:
            continue
        ours = found.parts.get(part.name)
        if not ours:
            kind, marks = ("subsection", "###") if part.under else ("section", "##")
            text = f"Missing required {kind}: {marks} {part.name}"
            yield Finding("missing-section", "error", part.name, text)
        elif not _content(doc, section := chosen(doc, ours)):
            text = f"{part.name}: section is not filled in"
            yield Finding("empty-section", "error", part.name, text, "", section.head + 1)
        elif _says_nothing(doc, section, part):
            text = f"{part.name}: nobody has stated it"
            yield Finding("unstated", "warning", part.name, text, "", section.head + 1)


def _says_nothing(doc: Document, section: Section, part: Part) -> bool:
    """Whether all that a section says is that there is nothing to say."""
    said = [text_of(doc, block).strip("-*+ \t\n").casefold() for block in _content(doc, section)]
    return all(text in part.nothing for text in said)


def _content(doc: Document, section: Section) -> list[Block]:
    """The blocks of a section that say something."""
    blocks = blocks_in(doc, section.head + 1, section.end)
    return [one for one in blocks if not is_comment(doc, one) and not is_separator(doc, one)]


def _repeated(doc: Document, found: Found) -> Iterator[Finding]:
    for name, ours in (*found.parts.items(), *found.others.items()):
        counts = chosen(doc, ours)
        for section in ours if name != "Delta:" else ():
            if section != counts:
                text = f"another section {section.title}; the one in line {counts.head + 1} counts"
                yield Finding(
                    "repeated-section", "warning", section.title, text, "", section.head + 1
                )


def _tables(spec: Spec, doc: Document, found: Found) -> Iterator[Finding]:
    """The columns and words of the two tables that the specification has."""
    allowed = {"Breadcrumbs": ("type", CRUMBS), "Artifact Trail": ("status", STATUSES)}
    for part in spec.parts:
        ours = found.parts.get(part.name)
        if not ours or part.name not in allowed or not part.items:
            continue
        section = chosen(doc, ours)
        yield from _columns(doc, section, part)
        key, words = allowed[part.name]
        for entry in entries(doc, section, part.items):
            word = entry.item.get(key)
            if word and word not in words:
                text = f'{part.name}: {key} "{word}" is none of {", ".join(words)}'
                yield Finding(f"bad-{key}", "warning", part.name, text, "", entry.start + 1)


def _columns(doc: Document, section: Section, part: Part) -> Iterator[Finding]:
    for block in blocks_in(doc, section.head + 1, section.end):
        if block.kind == "table" and part.items:
            slots = columns_of(doc.plain[block.start], part.items)
            missing = [title for slot, title in part.items.columns if slot not in slots]
            yield from _missing_columns(part.name, missing, block.start + 1)


def _missing_columns(where: str, missing: Iterable[str], line: int) -> Iterator[Finding]:
    for title in missing:
        text = f"{where}: the table has no column {title}"
        yield Finding("missing-column", "warning", where, text, "", line)


def _deltas(doc: Document, deltas: Iterable[Section]) -> Iterator[Finding]:
    for delta in deltas:
        when = delta.title.partition(":")[2].strip()
        where = f"Delta {when}".rstrip()
        if instant(when) is None:
            text = f"{where}: the heading has no ISO-8601 time"
            yield Finding("bad-time", "warning", where, text, "", delta.head + 1)
        said = _below(doc, delta)
        for name in DELTA_PARTS:
            if not said.get(name.casefold()):
                why = "is not filled in" if name.casefold() in said else "is missing"
                text = f"{where}: ### {name} {why}"
                yield Finding("delta-section", "error", where, text, "", delta.head + 1)
        for block in said.get("artifacts", []):
            if block.kind == "table":
                titles = {cell.strip().casefold() for cell in cells(doc.plain[block.start])}
                missing = [one for one in DELTA_COLUMNS if one.casefold() not in titles]
                yield from _missing_columns(where, missing, block.start + 1)


def _below(doc: Document, delta: Section) -> dict[str, list[Block]]:
    """What stands under each level 3 heading of a delta."""
    said: dict[str, list[Block]] = {}
    title = ""
    for block in _content(doc, delta):
        if block.kind == "heading" and block.level == 3:
            title = read_title(doc.plain[block.start]).casefold()
            said.setdefault(title, [])
        elif title:
            said[title].append(block)
    return said


def _advice(spec: Spec, doc: Document, found: Found) -> Iterator[Finding]:
    """The first validator's hints; what is said in comments and table rules is no word."""
    for part in spec.parts:
        ours = found.parts.get(part.name)
        if not ours:
            continue
        section = chosen(doc, ours)
        if _says_nothing(doc, section, part):
            continue
        if part.name in BRIEF:
            label, least = BRIEF[part.name]
            words = sum(_words(doc, block) for block in _content(doc, section))
            if words < least:
                text = f"{label} is brief ({words} words, recommend >= {least})"
                yield Finding("brief", "advice", part.name, text, "", section.head + 1)
        if part.name in FEW and part.items:
            count = len(entries(doc, section, part.items))
            if count < 2:
                text = FEW[part.name].format(count)
                yield Finding("few", "advice", part.name, text, "", section.head + 1)


def _words(doc: Document, block: Block) -> int:
    if block.kind != "table":
        return _count(text_of(doc, block))
    rows = (doc.plain[block.start], *doc.plain[block.start + 2 : block.end])
    return sum(_count(cell) for row in rows for cell in cells(row))


def _count(text: str) -> int:
    """As word processors count them: a character is a word where no spaces part the words."""
    if text.isascii():
        return len(text.split())
    from leftoff.core.token_estimate import is_cjk  # not for what is plain ASCII

    apart = (f" {ch} " if is_cjk(ch) and ch.isalnum() else ch for ch in text)
    return len("".join(apart).split())
