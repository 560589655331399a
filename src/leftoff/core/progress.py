"""Progress that an answer shows by marks or in a table, as the lists that `answers` reads. Pure.

Agents show where they are in five ways that are no list under a heading: lines that begin with a
mark and nothing else, a list in which some entries are ticked, entries that end with how far they
are, a table with a column for that, a row of things behind a heading in the same line. All of them
say what is left to do as plainly. ✅ beside ❌ does not: so stand the reasons for and against
something.
"""

from __future__ import annotations

import re
from itertools import groupby

from leftoff.core.answers import BELOW, argues, heads
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HEAD = "To do:"
_DONE, _OPEN, _STRUCK, _NEITHER, _WITHIN, _OTHER = "xosn-t"
_TICK, _TO_DO, _CROSS = "[✅✔☑✓]\ufe0f?", "[☐⬜🔲⏳🚧]\ufe0f?", "[❌✗✘]\ufe0f?"
_BULLET = r"(?:[-*+•]|\d{1,2}[.)、])\s+"
_MARKS = {
    _DONE: re.compile(rf"^(?:{_BULLET})?(?:{_TICK}\s*|\[[xX]\]\s+)(?=\S)"),
    _OPEN: re.compile(rf"^(?:{_BULLET})?(?:{_TO_DO}\s*|\[ \]\s+)(?=\S)"),
    _STRUCK: re.compile(rf"^{_BULLET}(?=~~\S.*\S~~$)"),
    _NEITHER: re.compile(rf"{_BULLET}|{_CROSS}"),
    _WITHIN: re.compile(r"\s|$"),
}
"""What the beginning of a line makes of it; the first that fits."""
_BOXES = {_DONE: "- [x] ", _OPEN: "- [ ] ", _STRUCK: "- [x] "}
_PLAIN = re.compile(rf"^{_BULLET}(?=\S)")
_RUN = re.compile(f"[{_DONE}{_OPEN}{_STRUCK}{_NEITHER}{_WITHIN}]+")
_IN_ROW = re.compile(
    r"(?:^|(?<=[.!;] ))([^\W\d_][^:,.;!?()`\n]{2,40}): ([^:;!?\n]+?)(?:[.;](?=\s)|[.;]?$)"
)
"""A heading and a row of things, which may be one of several in a line."""
_ROW = re.compile(
    r"\**([^\W\d_][^:：,.;!?()`*\n]{1,40}?)\s?(?:[:：]\**|\*+[:：])\s*(\S.*)$"  # noqa: RUF001
)
"""The same for a line that is one row, whose things have a semicolon between them."""
_HEADED = re.compile(r":\s|：")  # noqa: RUF001
"""In a thing of such a row: another row begins there."""
_SEMICOLON = re.compile(r"\s?(?:;\s+|；\s*)(?:(?:and|or|y|e|und|et)\s)?")  # noqa: RUF001
_COMMA = re.compile(r",\s+(?![^(]*\))(?:(?:and|or|y|e|und|et)\s)?")
_LONGEST = 2000
"""Characters of a line that may hold a row: in a longer one it would take too long to look."""
_STATED = 500
"""The same for an entry that may end with how far it is."""
# an answer, like "Done: yes, really.", or a clause, like "Pending: none, all else works."
_GOES_ON = re.compile(
    r"(?:which|who|that|because|but|so|as|if|when|while|where|que|porque|pero|weil|aber|qui|car"
    r"|i|it|we|you|they|there|yes|no|not|none|nothing|mostly|maybe|perhaps|really|sorry"
    r"|sí|nada|ja|nein|nichts|oui|non|rien|c['\u2019]est)\b",
    re.IGNORECASE,
)
_SHOWN = re.compile(r"\n(?:\||(?:[-*+•]\s+|\d{1,2}[.)、]\s+)?(?:\[[ xX]\]|[✅✔☑✓☐⬜🔲⏳🚧]|~~))")
_BULLETED = re.compile(rf"^\s*{_BULLET}(?=\S)")
_LISTED = re.compile(rf"\n[^\S\n]*{_BULLET}\S.*\n[^\S\n]*{_BULLET}")
"""Two entries, one below the other."""
_BEFORE_STATE = re.compile(r"\s?(?::\s+|：|[(（])|\s[—–-]+\s")  # noqa: RUF001
"""What stands in an entry between a task and how far it is."""
_CLOSED = {"(": ")", "（": "）"}  # noqa: RUF001
_NOT_ALL = re.compile(
    r"\b(?:but|except|only|not|until|pending|needs?|then|revert\w*|un(?:tested|reviewed|merged)"
    r"|by (?:\w+day|tomorrow|tonight|next|the end)|aber|außer|nur|nicht|bis|mais|sauf|pero|salvo)\b"
    r"|[但除仅未]",
    re.IGNORECASE,
)
"""Words behind a "done" that leave something to do."""
_RULE = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?")
_TASK = re.compile(
    r"(?:tasks?|steps?|to-?dos?|items?|work|what|actions?)(?: items?)?"
    r"|任务|步骤|事项|待办|待办事项|工作|工作项|tareas?|pasos?|aufgaben?|schritte?|tâches?|étapes?",
    re.IGNORECASE,
)
_STATUS = re.compile(
    r"status|state|progress|done\??|状态|进度|完成情况|estado|stand|statut|état", re.IGNORECASE
)
_PROGRESS = re.compile(
    r"(?:current |my |the |updated )?(?:status|state|progress|plan|to-?dos?|tasks?|checklist)"
    r"|(?:当前|目前)?(?:状态|进度|计划|任务|待办|清单)",
    re.IGNORECASE,
)
_MARK = r"(?:[^\w\s]{1,3}\s*)?"
"""Some other picture before the word."""
_MORE = (
    r"(?:\s?([,;，；(（—–-].*)|\s((?:by|on|until|for|since|because|von|bis|par|por)\b.*))?[^\w?？]*"  # noqa: RUF001
)
"""What may be said of a state, behind it."""
_STATES = {
    _DONE: re.compile(
        rf"{_TICK}\s*(\S.*)?|{_MARK}(?:done|completed?|finished|landed|shipped|merged|已?完成|做完"
        rf"|hech[oa]|terminad[oa]|erledigt|fertig|fait|terminé){_MORE}",
        re.IGNORECASE,
    ),
    _OPEN: re.compile(
        rf"(?:{_TO_DO}|{_CROSS})\s*(\S.*)?|{_MARK}(?:to[- ]?do|pending|open|not (?:started|begun)"
        rf"|in progress|next|blocked|pendiente|en curso|offen|in arbeit|à faire|en cours"
        rf"|待做|待办|待处理|待完成|未完成|未开始|未做|进行中){_MORE}",
        re.IGNORECASE,
    ),
}


def as_lists(said: str) -> str:
    """An answer with its marked lines and its tables of tasks as lists; most have none."""
    said = _with_states(_rows(said))
    if not _SHOWN.search(f"\n{said}"):
        return said
    lines, is_mixed = [*_tables(said.splitlines())], argues(said)
    told, at = [], 0
    for run in _RUN.finditer("".join(map(_kind, lines))):
        told += lines[at : run.start()]
        head = lines[run.start() - 1] if run.start() else ""
        some, kinds = _as_marked(lines[run.start() : run.end()], run[0], head)
        told += _run(some, kinds, heads(head), is_mixed=is_mixed)
        at = run.end()
    return "\n".join([*told, *lines[at:]])


def _rows(said: str) -> str:
    """With rows of things behind a heading in the same line as lists; most answers have none."""
    told: list[str] = []
    for line in said.split("\n"):
        told.append(line)
        if (":" in line or "：" in line) and len(line) <= _LONGEST:  # noqa: RUF001
            for head, row in _in_rows(line):
                if _is_row(head, row):
                    told += [f"{head}:", *(f"- {one.strip()}" for one in row)]
    return "\n".join(told)


def _in_rows(line: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Every heading of a line, and what may be a row of things behind it."""
    whole = _ROW.match(line.rstrip(" .")) if _SEMICOLON.search(line) else None
    if whole and not _HEADED.search(whole[2]):
        yield whole[1], _SEMICOLON.split(whole[2])
    elif ": " in line and ", " in line:
        yield from ((found[1], _COMMA.split(found[2])) for found in _IN_ROW.finditer(line))


def _is_row(head: str, row: Sequence[str]) -> bool:
    """Whether these are several things, none of which only goes on with the one before."""
    if len(row) == 1 or any(_GOES_ON.match(one) or _NOT_ALL.search(one) for one in row):
        return False
    return heads(f"{head}:") is not None


def _with_states(said: str) -> str:
    """With boxes before the entries of lists in which each entry ends with how far it is."""
    if not _LISTED.search(f"\n{said}"):
        return said
    told: list[str] = []
    for is_list, some in groupby(said.split("\n"), lambda line: bool(_BULLETED.match(line))):
        lines = [*some]
        boxed = [_boxed(one) for one in lines] if is_list else []
        told += boxed if len(boxed) > 1 and all(boxed) else lines
    return "\n".join(told)


def _boxed(line: str) -> str:
    """An entry with a box for its state; nothing where it has none."""
    task = _BULLETED.sub("", line, count=1)
    for found in _BEFORE_STATE.finditer(task) if len(task) <= _STATED else ():
        state = task[found.end() :].strip(" *_`.").removesuffix(_CLOSED.get(found[0].strip(), "."))
        if boxed := _with_box(task[: found.start()], state):
            return boxed
    return ""


def _with_box(task: str, state: str) -> str:
    """A task as an entry with a box, and with its state where that says more than its box does."""
    for kind, one in _STATES.items():
        if found := one.fullmatch(state):
            more = any(found.groups())
            is_open = kind == _OPEN or (more and _NOT_ALL.search(state))
            return _BOXES[_OPEN if is_open else _DONE] + (f"{task}{BELOW}{state}" if more else task)
    return ""


def _kind(line: str) -> str:
    """A heading is none of these, though it may begin with a mark."""
    if heads(line) is not None:
        return _OTHER
    return next((kind for kind, begins in _MARKS.items() if begins.match(line)), _OTHER)


def _as_marked(lines: Sequence[str], kinds: str, head: str) -> tuple[Sequence[str], str]:
    """A list under a heading for progress in which some entries are struck out: others are open.

    Under any other heading these may be choices of which one was rejected.
    """
    named = _PROGRESS.fullmatch(head.strip(" #*_:：")) is not None  # noqa: RUF001
    if not named or _STRUCK not in kinds or not {*kinds} <= {_STRUCK, _NEITHER, _WITHIN}:
        return lines, kinds.replace(_STRUCK, _NEITHER)
    found = [
        _PLAIN.sub(_BOXES[_OPEN], one) if kind == _NEITHER else one
        for one, kind in zip(lines, kinds, strict=True)
    ]
    return found, kinds.replace(_NEITHER, _OPEN)


def _run(lines: Sequence[str], kinds: str, head: bool | None, *, is_mixed: bool) -> Iterator[str]:
    """A run of lines as a list, where all of them have a mark of to-dos."""
    done, left = kinds.count(_DONE) + kinds.count(_STRUCK), kinds.count(_OPEN)
    is_own = left and done if is_mixed else done and done + left > 1
    if _NEITHER in kinds or (head is None and not is_own):
        yield from lines
        return
    if head is None:
        yield _HEAD
    for line, kind in zip(lines, kinds, strict=True):
        yield _MARKS[kind].sub(_BOXES[kind], line) if kind in _BOXES else line


def _tables(lines: Sequence[str]) -> Iterator[str]:
    """The lines, with the rows of each table that says how far some tasks are as entries."""
    columns: tuple[int, int] | None = None
    for at, line in enumerate(lines):
        if _RULE.fullmatch(line.strip()) and at:
            columns = _columns(_cells(lines[at - 1]))
            yield _HEAD if columns else line
        else:
            columns = columns if "|" in line else None
            yield _row(line, *columns) if columns else line


def _columns(heads: Sequence[str]) -> tuple[int, int] | None:
    """Where a table has its tasks, and where their status."""
    tasks = [at for at, head in enumerate(heads) if _TASK.fullmatch(head)]
    states = [at for at, head in enumerate(heads) if _STATUS.fullmatch(head)]
    return (tasks[0], states[0]) if tasks and states else None


def _row(line: str, task: int, status: int) -> str:
    """A task as an entry; nothing of one whose status tells neither."""
    cells = dict(enumerate(_cells(line)))
    text = cells.get(task)
    return _with_box(text, cells.get(status, "")) if text else ""


def _cells(line: str) -> list[str]:
    return [cell.strip(" *_`") for cell in line.split("|")]
