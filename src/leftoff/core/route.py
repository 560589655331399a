"""Which verb a person's words mean. The seeds' own words, in one table.

Bare `/checkpoint` saves, as seeds C and E have it; `leftoff` alone shows status, as seed A has it.
"""

from __future__ import annotations

from leftoff.core.texts import flat
from leftoff.errors import NotFound

_SLASH = "/checkpoint"
_CALLED = {_SLASH, "checkpoint"}
RESTORE = "--restore"
# seed A: status, next, doctor, show, reset, list; seed C: save and restore; seed E: modes, Chinese
WORDS = {
    "next": "next",
    "doctor": "doctor",
    "show": "show",
    "reset": "reset",
    "list": "list",
    "status": "status",
    "save": "save",
    "resume": "resume",
    "restore": "resume",
    RESTORE: "resume",
    "validate": "validate",
    "update": "update",
    "done": "done",
    "init": "init",
    "enable": "thread enable",
    "switch": "thread switch",
    "archive": "archive",
    "auto-on": "thread auto-on",
    "auto-off": "thread auto-off",
    "threshold": "thread threshold",
}
PHRASES = {
    "save my place": "save",
    "save session": "save",
    "checkpoint": "save",
    "restore checkpoint": "resume",
    "resume from checkpoint": "resume",
    "保存进度": "save",
    "断点保存": "save",
    "断点续传": "resume",
    "恢复上下文": "resume",
    "检查进度": "status",
    "列出断点": "list",
}


def route(text: str) -> tuple[str, str]:
    """The verb and the words left for it; NotFound when the text means none."""
    said = flat(text)
    called = said.split(" ")[0]
    behind = said.removeprefix(called).strip() if called in _CALLED else ""
    for phrase in (said.casefold(), behind.casefold()):
        if phrase in PHRASES:
            return PHRASES[phrase], ""
    words = (behind if called in _CALLED else said).split(" ")
    verb = WORDS.get(words[0].casefold())
    if verb is None and called == _SLASH:
        return _saved_or_restored(words)
    if verb is None:
        known = ", ".join(word for word in WORDS if not word.startswith("-"))
        raise NotFound(f'"{said[:60]}" means no verb', hint=f"known words: {known}")
    return verb, " ".join(words[1:])


def _saved_or_restored(words: list[str]) -> tuple[str, str]:
    """Seed C's own call: a save with a note, unless it says somewhere that it restores."""
    verb = "resume" if RESTORE in words else "save"
    return verb, " ".join(word for word in words if word != RESTORE)
