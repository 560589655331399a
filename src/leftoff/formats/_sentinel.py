"""The small files format C leaves for the next session: names, pidfiles, restores, prompts.

A file is named after its family and the session that left it; there is never one for no session.
"""

from __future__ import annotations

from leftoff.core.ids import check_name
from leftoff.core.texts import flat
from leftoff.errors import FormatError, Usage
from leftoff.record import Record

RESTORE, PROMPT = "pending-restore", "pending-prompt"
FAMILIES = (
    RESTORE,
    PROMPT,
    "compact-happened",
    "mid-agent-handoff",
    "pending-resume-ref",
    "checkpoint-defer",
    "postcompact-reset",
    "checkpoint-pending-compact",
    "idle-advisory-pending",
)
LEGACY = "legacy"
_ENDING, _PID_ENDING = ".txt", ".pidfile.lock"
_HEADER, _HEADER_END, _ESCAPE = "=== BLOCKED PROMPT [", "===", "\\"
_MIGRATED = "legacy-pre-migration"
_NOTIFICATION = "non-replayable:task-notification"


class Pidfile(Record):
    """Who is at work: a skill, its process, and since when.

    A number alone does not tell a process from a later one, or from one elsewhere: what leftoff
    writes says for whom it works (AGENT/ID), and where that number counts. Others do not.
    """

    skill: str
    pid: int
    timestamp: str
    session: str = ""
    began: str = ""
    boot: str = ""
    ns: str = ""
    host: str = ""


class Prompt(Record):
    """A prompt that was kept back. `time` is `legacy` where the file does not say it.

    A notification of a background agent is kept for the record; only a person replays it.
    """

    time: str
    text: str
    replayable: bool = True


def file_name(family: str, session: str) -> str:
    """The name of a session's file of that family."""
    if family not in FAMILIES:
        raise Usage(f'"{family}" is not a kind of pending file', choices=FAMILIES)
    return f"{family}-{check_name(session, 'session id')}{_ENDING}"


def family_and_session(name: str) -> tuple[str, str] | None:
    """What a file name says; None for any other file, a synced copy (`x 2.txt`) included."""
    for family in FAMILIES:
        if name.startswith(f"{family}-") and name.endswith(_ENDING):
            return _safe(family, name[len(family) + 1 : -len(_ENDING)])
    return None


def pidfile_name(skill: str, pid: int) -> str:
    return f"{check_name(skill, 'skill name')}-{pid}{_PID_ENDING}"


def skill_and_pid(name: str) -> tuple[str, int] | None:
    """What the name of a pidfile says; None for any other file."""
    skill, dash, pid = name.removesuffix(_PID_ENDING).rpartition("-")
    if not name.endswith(_PID_ENDING) or not dash or not _is_number(pid):
        return None
    return (skill, int(pid)) if _safe("", skill) else None


def read_pidfile(text: str) -> Pidfile:
    """The facts of a pidfile; FormatError when skill or process is missing."""
    pairs = (line.partition("=") for line in text.split("\n"))
    said = {key.strip(): value.strip() for key, _, value in pairs}
    skill, pid = said.get("skill", ""), said.get("pid", "")
    if not skill or not _is_number(pid):
        raise FormatError("a pidfile says skill=NAME and pid=NUMBER")
    return Pidfile(skill, int(pid), *(said.get(name, "") for name in Pidfile._fields[2:]))


def write_pidfile(pidfile: Pidfile) -> str:
    skill, time = check_name(pidfile.skill, "skill name"), flat(pidfile.timestamp)
    more = {name: flat(getattr(pidfile, name)) for name in Pidfile._fields[3:]}
    lines = "".join(f"{name}={value}\n" for name, value in more.items() if value)
    return f"skill={skill}\npid={pidfile.pid}\ntimestamp={time}\n{lines}"


def restore_path(text: str) -> str:
    """The path of the checkpoint that a pending restore names."""
    lines = [line.strip() for line in text.removeprefix("\ufeff").split("\n")]
    said = [line for line in lines if line]
    if len(said) != 1 or "\0" in said[0]:
        raise FormatError("a pending restore is one line: the path of a checkpoint")
    return said[0]


def restore_text(path: str) -> str:
    if not path.strip() or any(mark in path for mark in "\r\n\0"):
        raise Usage("a pending restore names one path", where=ascii(path))
    return f"{path}\n"


def has_headers(text: str) -> bool:
    """Whether a prompt file has entries; without any it is one prompt, byte for byte."""
    return any(_is_header(line) for line in text.split("\n"))


def prompts(text: str) -> tuple[Prompt, ...]:
    """The prompts of a file in the order in which they stand there."""
    if not has_headers(text):
        return (Prompt(LEGACY, text),) if text.strip() else ()
    found: list[tuple[str, list[str]]] = [("", [])]
    for line in text.split("\n"):
        if _is_header(line):
            found.append((line, []))
        else:
            found[-1][1].append(_unescaped(line))
    preamble, *entries = [_prompt(header, lines) for header, lines in found]
    return (*([preamble] if preamble.text else []), *entries)


def append_prompt(text: str, prompt: Prompt) -> str:
    """The file with one more prompt; a file without headers becomes its first entry."""
    if text.strip() and not has_headers(text):
        text = _entry(_MIGRATED, text)
    elif text and not text.endswith("\n"):
        text += "\n"
    mark = "" if prompt.replayable else f" [{_NOTIFICATION}]"
    return text + _entry(flat(prompt.time).replace("]", ")"), prompt.text, mark)


def _entry(time: str, text: str, mark: str = "") -> str:
    body = "\n".join(_escaped(line) for line in text.split("\n"))
    return f"{_HEADER}{time}]{mark} {_HEADER_END}\n{body}\n"


def _prompt(header: str, lines: list[str]) -> Prompt:
    said = [number for number, line in enumerate(lines) if line.strip()]
    text = "\n".join(lines[said[0] : said[-1] + 1]) if said else ""
    time, _, marks = header.removeprefix(_HEADER).partition("]")
    return Prompt(time if header else LEGACY, text, "[non-replayable" not in marks)


def _is_header(line: str) -> bool:
    return line.startswith(_HEADER) and line.rstrip().endswith(f"] {_HEADER_END}")


def _escaped(line: str) -> str:
    """A line of a prompt that looks like a header must not become one."""
    return _ESCAPE + line if line.lstrip(_ESCAPE).startswith(_HEADER) else line


def _unescaped(line: str) -> str:
    looks_escaped = line.startswith(_ESCAPE) and line.lstrip(_ESCAPE).startswith(_HEADER)
    return line[1:] if looks_escaped else line


def _safe(family: str, session: str) -> tuple[str, str] | None:
    try:
        return family, check_name(session)
    except Usage:
        return None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 12
