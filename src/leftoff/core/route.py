"""Which verb a person's words mean. The seeds' own words, in one table.

Bare `/checkpoint` saves, as seeds C and E have it; `leftoff` alone shows status, as seed A has it.
"""

from __future__ import annotations

from leftoff.core.texts import flat
from leftoff.errors import NotFound

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
    "--restore": "resume",
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
    if said.casefold() in PHRASES:
        return PHRASES[said.casefold()], ""
    words = said.split(" ")
    if words[0] in {"/checkpoint", "checkpoint"}:
        words = words[1:]
        if not words:
            return "save", ""
    verb = WORDS.get(words[0].casefold())
    if verb is None:
        known = ", ".join(word for word in WORDS if not word.startswith("-"))
        raise NotFound(f'"{said[:60]}" means no verb', hint=f"known words: {known}")
    return verb, " ".join(words[1:])
